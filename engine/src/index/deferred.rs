//! Labels that are not computed yet: the rows that operations picked of other labels.

use std::sync::Arc;

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column};
use columnade_ops::copying::{MapNulls, concat, gather_column};
use columnade_ops::selection::{Folded, Step, affine_labels, fold, range_labels};

use super::{Index, RangeIndex};

/// More steps are folded into one map, so that chains of operations do not keep all maps.
pub(super) const MAX_STEPS: usize = 4;

/// Labels, computed or not.
#[derive(Debug)]
pub(super) enum LabelState {
    Ready(Arc<[Column]>),
    /// The rows that `steps` leave of `base`, one after the other.
    Deferred {
        base: Base,
        steps: Vec<Step>,
    },
}

/// What rows were picked of.
#[derive(Clone, Debug)]
pub(super) enum Base {
    Range(RangeIndex),
    /// One column for each level.
    Columns(Arc<[Column]>),
    /// The labels of several indexes one after the other.
    Concat(Arc<[Index]>),
}

impl Base {
    pub(super) fn len(&self) -> usize {
        match self {
            Base::Range(range) => range.len(),
            Base::Columns(columns) => columns.first().map_or(0, Column::size),
            Base::Concat(parts) => parts.iter().map(Index::len).sum(),
        }
    }
}

/// The number of rows that are left of a base.
pub(super) fn len_after(base: &Base, steps: &[Step]) -> usize {
    steps.last().map_or_else(|| base.len(), Step::len)
}

/// The steps as at most a slice and a map, which leave `len` rows.
pub(super) fn folded(steps: &[Step], len: usize, exec: &Exec) -> columns::Result<Vec<Step>> {
    let (distinct, ordered) = (steps.iter().all(Step::is_distinct), steps.iter().all(Step::is_ordered));
    let Folded { slice, map } = fold(steps, exec)?;
    let mut folded = Vec::with_capacity(2);
    if let Some((offset, rows)) = slice {
        let rows = if map.is_none() { len } else { rows };
        folded.push(Step::Slice { offset, len: rows });
    }
    folded.extend(map.map(|map| Step::Rows { map, distinct, ordered }));
    Ok(folded)
}

/// The labels of the rows that `steps` leave of `base`.
pub(super) fn materialise(base: &Base, steps: &[Step], exec: &Exec) -> columns::Result<Arc<[Column]>> {
    let Folded { slice, map } = fold(steps, exec)?;
    if let Base::Range(range) = base {
        let range = slice.map_or_else(|| range.clone(), |(offset, len)| range.slice(offset, len));
        let labels = match map {
            None => range_labels(range.start(), range.step(), range.len(), exec)?,
            Some(map) => affine_labels(&map, range.start(), range.step(), exec)?,
        };
        return Ok(Arc::new([labels]));
    }
    let labels = match base {
        Base::Range(_) => Vec::new(),
        Base::Columns(columns) => columns.to_vec(),
        Base::Concat(parts) => concatenated(parts, exec)?,
    };
    let rows = labels.iter().map(|column| {
        let column = slice.map_or_else(|| Ok(column.clone()), |(offset, len)| column.slice(offset, len))?;
        match &map {
            None => Ok(column),
            Some(map) => gather_column(&column, map, MapNulls::Never, exec),
        }
    });
    Ok(rows.collect::<columns::Result<Vec<_>>>()?.into())
}

/// The labels of all indexes, level by level, in their common dtypes.
fn concatenated(parts: &[Index], exec: &Exec) -> columns::Result<Vec<Column>> {
    let parts = parts.iter().map(|part| part.columns(exec)).collect::<columns::Result<Vec<_>>>()?;
    let levels = parts.first().map_or(0, |part| part.len());
    let level = |level: usize| concat(&parts.iter().map(|part| &part[level]).collect::<Vec<_>>(), exec);
    (0..levels).map(level).collect()
}
