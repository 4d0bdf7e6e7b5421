//! Frames one after the other, or side by side.

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Label, Levels};
use columnade_ops::join::JoinKind;
use columnade_ops::selection::Step;

use super::pairs::{Side, pairs};
use super::{LabelJoin, column_labels, common_names, comparable_levels};
use crate::dataframe::{DataFrame, concat_as};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::selection::IntoLabels;

const OPERATION: &str = "concat_with";

/// How frames are put together: by [`concat_with`].
///
/// # Source
/// pandas `concat(axis=…, join=…, keys=…, names=…, verify_integrity=…, ignore_index=…, sort=…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concat {
    axis: Axis,
    join: LabelJoin,
    keys: Option<Vec<Label>>,
    names: Vec<Label>,
    verify_integrity: bool,
    ignore_index: bool,
    sort: bool,
}

/// What follows each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Rows,
    Columns,
}

impl Concat {
    /// The rows of each frame after those of the one before.
    pub fn rows() -> Self {
        Self {
            axis: Axis::Rows,
            join: LabelJoin::Outer,
            keys: None,
            names: Vec::new(),
            verify_integrity: false,
            ignore_index: false,
            sort: false,
        }
    }

    /// The columns of each frame after those of the one before, in rows of one label.
    pub fn columns() -> Self {
        Self { axis: Axis::Columns, ..Self::rows() }
    }

    /// Labels of the other axis that all frames have, in place of those that one has.
    #[must_use]
    pub fn inner(self) -> Self {
        Self { join: LabelJoin::Inner, ..self }
    }

    /// A label for each frame, as the first levels of its labels.
    #[must_use]
    pub fn keys<A>(self, keys: impl IntoLabels<A>) -> Self {
        Self { keys: Some(keys.into_labels()), ..self }
    }

    /// The names of the levels of keys.
    #[must_use]
    pub fn names<A>(self, names: impl IntoLabels<A>) -> Self {
        Self { names: names.into_labels(), ..self }
    }

    /// Whether row labels that come several times are an error. Labels of columns always are one.
    #[must_use]
    pub fn verify_integrity(self, verify: bool) -> Self {
        Self { verify_integrity: verify, ..self }
    }

    /// Whether the labels along the axis are 0, 1, ….
    #[must_use]
    pub fn ignore_index(self, ignore: bool) -> Self {
        Self { ignore_index: ignore, ..self }
    }

    /// Whether labels of the other axis are sorted.
    #[must_use]
    pub fn sort(self, sort: bool) -> Self {
        Self { sort, ..self }
    }
}

/// Frames one after the other, or side by side.
///
/// Of rows: with the columns of any frame, in order of their first appearance, null where a frame does not have one. Of columns:
/// in rows of the labels of any frame, those of the first and then new ones (times are sorted), null where a frame does not have
/// one.
///
/// ```
/// use columnade::{Concat, concat_with, df};
///
/// let a = df! { "k" => ["x", "y"], "n" => [1, 2] }?.set_index("k")?;
/// let b = df! { "k" => ["y", "z"], "m" => [3, 4] }?.set_index("k")?;
/// let wide = concat_with([&a, &b], &Concat::columns())?;
/// assert_eq!(wide.column("m")?.to_options::<i32>()?, [None, Some(3), Some(4)]);
/// assert_eq!(concat_with([&a, &b], &Concat::columns().inner())?.shape(), (1, 2));
///
/// let long = concat_with([&a, &b], &Concat::rows().keys(["p", "q"]))?;
/// assert_eq!((long.shape(), long.index().level_count()), ((4, 2), 2));
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// [`Error::DuplicateLabels`] for frames side by side of other labels that come several times, and as
/// [`verify_integrity`](Concat::verify_integrity) says; [`Error::Operation`] without frames, for other numbers of keys, columns
/// of one label side by side, dtypes without a common dtype, labels of another kind, frames on different devices, and when
/// memory runs out.
///
/// # Source
/// pandas `concat`.
pub fn concat_with<'a>(
    frames: impl IntoIterator<Item = &'a DataFrame>,
    options: &Concat,
) -> Result<DataFrame> {
    let frames: Vec<&DataFrame> = frames.into_iter().collect();
    let Some(first) = frames.first() else {
        return Err(Error::argument(OPERATION, "frames", "there are none"));
    };
    if let Some(keys) = &options.keys
        && keys.len() != frames.len()
    {
        let reason = format!("{} for {} frames", keys.len(), frames.len());
        return Err(Error::argument(OPERATION, "keys", reason));
    }
    let made = if options.axis == Axis::Columns {
        of_columns(&frames, options, first.exec())?
    } else {
        of_rows(&frames, options, first.exec())?
    };
    if options.verify_integrity {
        made.index().check_unique(OPERATION, first.exec())?;
    }
    Ok(made)
}

fn of_rows(frames: &[&DataFrame], options: &Concat, exec: &Exec) -> Result<DataFrame> {
    let mut labels = frames[0].columns().to_vec();
    for frame in &frames[1..] {
        labels = if options.join == LabelJoin::Inner {
            column_labels::aligned(&labels, frame.columns(), LabelJoin::Inner)
        } else {
            column_labels::either(&labels, frame.columns())
        };
    }
    if options.sort {
        labels = column_labels::sorted(labels);
    }
    // The dtype of the first frame that has the column.
    let mut dtypes = std::collections::HashMap::new();
    for frame in frames.iter().rev() {
        dtypes.extend(frame.indexed_frame().dtypes_by_label());
    }
    let dtype = |label: &Label| dtypes.get(label).cloned().unwrap_or(DType::Null);
    let mut parts = Vec::with_capacity(frames.len());
    for frame in frames {
        let part = frame.indexed_frame().with_column_labels(OPERATION, &labels, dtype)?;
        parts.push(DataFrame::from_indexed(part));
    }
    let rows = if labels.is_empty() {
        let rows = frames.iter().map(|frame| frame.len()).sum();
        DataFrame::from_frame(Frame::new(ColumnAccessor::with_rows(rows), exec.clone()))
    } else {
        concat_as(OPERATION, &parts)?
    };
    if options.ignore_index {
        return Ok(rows);
    }
    let mut indexes: Vec<Index> = frames.iter().map(|frame| frame.index().clone()).collect();
    if let Some(keys) = &options.keys {
        for (index, key) in indexes.iter_mut().zip(keys) {
            *index = under(index, key, &options.names, exec)?;
        }
    }
    let index = Index::appended(&indexes, exec).operation(OPERATION)?;
    Ok(DataFrame::from_indexed(IndexedFrame::with_index(rows.frame().clone(), index)))
}

/// Labels with the parts of a key as their first levels.
fn under(index: &Index, key: &Label, names: &[Label], exec: &Exec) -> Result<Index> {
    let mut levels = Vec::new();
    for part in key.parts() {
        let Some(value) = part.to_scalar() else {
            return Err(Error::argument(OPERATION, "keys", "a key of rows is not null"));
        };
        levels.push(Column::from_scalar(&value, index.len(), exec).operation(OPERATION)?);
    }
    let mut all = vec![Label::NULL; levels.len()];
    if names.len() > all.len() {
        let reason = format!("{} for keys of {} levels", names.len(), all.len());
        return Err(Error::argument(OPERATION, "names", reason));
    }
    all[..names.len()].clone_from_slice(names);
    all.extend_from_slice(index.names());
    levels.extend_from_slice(&index.columns(exec).operation(OPERATION)?);
    Ok(Index::of_owned(&all, levels, exec))
}

fn of_columns(frames: &[&DataFrame], options: &Concat, exec: &Exec) -> Result<DataFrame> {
    let mut index = frames[0].index().clone();
    for frame in &frames[1..] {
        index = together(&index, frame.index(), options, exec)?;
    }
    if options.sort {
        index = index.sort_values(..)?;
    }
    let mut columns = Vec::new();
    for (at, frame) in frames.iter().enumerate() {
        let take = frame.index().taken_by(OPERATION, &index, exec)?;
        let taken = take.columns(frame.frame().accessor(), exec).operation(OPERATION)?;
        for (label, column) in taken.iter() {
            let label = match options.keys.as_ref().map(|keys| &keys[at]) {
                _ if options.ignore_index => Label::from(i64::try_from(columns.len()).unwrap_or(i64::MAX)),
                None => label.clone(),
                Some(key) => {
                    let parts = key.parts().iter().chain(label.parts()).cloned();
                    Label::from_parts(parts).operation(OPERATION)?
                }
            };
            columns.push((label, column.clone()));
        }
    }
    if columns.is_empty() {
        let none = Frame::new(ColumnAccessor::with_rows(index.len()), exec.clone());
        return Ok(DataFrame::from_indexed(IndexedFrame::with_index(none, index)));
    }
    let mut columns = ColumnAccessor::from_columns(columns).operation(OPERATION)?;
    if !options.names.is_empty() && options.keys.is_some() {
        let mut names = vec![None; columns.levels().count()];
        for (name, given) in names.iter_mut().zip(&options.names) {
            *name = Some(given.clone());
        }
        let levels = Levels::named(names).operation(OPERATION)?;
        columns = columns.relevel(levels).operation(OPERATION)?;
    }
    let frame = Frame::new(columns, exec.clone());
    Ok(DataFrame::from_indexed(IndexedFrame::with_index(frame, index)))
}

/// The labels of rows of two frames side by side.
fn together(left: &Index, right: &Index, options: &Concat, exec: &Exec) -> Result<Index> {
    left.check_levels(OPERATION, right)?;
    let names = common_names(left, right);
    if left.has_labels_of(right).operation(OPERATION)? {
        return Ok(left.renamed(&names));
    }
    let made = if options.join == LabelJoin::Inner {
        left.aligned(OPERATION, &right.renamed(left.names()), LabelJoin::Inner, exec)?.index
    } else {
        let find = || {
            let (lefts, rights) = comparable_levels(left, right, exec)?;
            let (lefts, rights) =
                (Side { index: left, levels: &lefts }, Side { index: right, levels: &rights });
            pairs(rights, lefts, JoinKind::Anti, exec)
        };
        let map = find().operation(OPERATION)?.maps.left;
        let new = right.picked(&[Step::Rows { map, distinct: true, ordered: true }], exec);
        Index::appended(&[left.clone(), new.operation(OPERATION)?], exec).operation(OPERATION)?
    };
    let made = made.renamed(&names);
    if options.join != LabelJoin::Inner && matches!(made, Index::Datetime(_)) {
        return made.sort_values(..);
    }
    Ok(made)
}
