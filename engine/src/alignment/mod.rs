//! Rows of two sides by their labels.

mod arithmetic;
mod column_labels;
mod combine;
mod concat;
mod frame;
mod join;
mod levels;
pub(crate) mod pairs;
mod ranges;
mod reindex;
mod series;
#[cfg(test)]
mod test_combine;
#[cfg(test)]
mod test_labels;
#[cfg(test)]
mod test_levels;
#[cfg(test)]
mod tests;

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{self as columns, Column, ColumnAccessor, DType, Error as ColumnError, Label};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::comparing::equals;
use columnade_ops::copying::{MapNulls, RowMap, gather_column, gather_in_chunks};
use columnade_ops::join::{JoinKind, coalesce_keys, common_key};
use columnade_ops::selection::{Step, compose_maps};
use columnade_ops::sort::{NullOrder, Order, SortKey, argsort};

use crate::dataframe::SortOrder;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::index::lookup::right_of;
use crate::indexed_frame::IndexedFrame;

pub use arithmetic::FrameOperand;
pub(crate) use arithmetic::filled;
pub use combine::FrameMask;
pub use concat::{Concat, concat_with};
pub use join::Join;
use pairs::{Side, pairs};
pub(crate) use ranges::{common as range_of_both, either as range_of_either};
pub use reindex::{IntoIndex, Reindex};

/// Which labels of two sides are kept.
///
/// # Source
/// pandas `align(join=…)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelJoin {
    /// Those of either side, sorted, nulls last.
    #[default]
    Outer,
    /// Those of both, in the order of the left side.
    Inner,
    /// Those of the left side, in their order.
    Left,
    /// Those of the right side, in their order.
    Right,
}

/// The rows of one side, in the order of the labels of both.
#[derive(Clone, Debug)]
pub(crate) enum Take {
    /// All rows in order.
    All,
    /// Rows `offset .. offset + len`.
    Slice { offset: usize, len: usize },
    /// The rows of a map.
    Rows { map: RowMap, nulls: MapNulls },
}

/// Labels of both sides, and the rows of each side that they are of.
#[derive(Clone, Debug)]
pub(crate) struct Aligned {
    pub(crate) index: Index,
    pub(crate) left: Take,
    pub(crate) right: Take,
}

impl Take {
    fn rows(map: RowMap) -> Self {
        Self::Rows { map, nulls: MapNulls::Possible }
    }

    /// The rows of a column, null for a label that the side does not have.
    pub(crate) fn column(&self, column: &Column, exec: &Exec) -> columns::Result<Column> {
        match self {
            Take::All => Ok(column.clone()),
            Take::Slice { offset, len } => column.slice(*offset, *len),
            Take::Rows { map, nulls } => {
                with_retry_no_split(exec, |exec| gather_column(column, map, *nulls, exec))
            }
        }
    }

    /// The rows of columns of one length.
    pub(crate) fn columns(&self, columns: &ColumnAccessor, exec: &Exec) -> columns::Result<ColumnAccessor> {
        match self {
            Take::All => Ok(columns.clone()),
            Take::Slice { offset, len } => columns.slice(*offset, *len),
            Take::Rows { map, nulls } => gather_in_chunks(columns, map, *nulls, exec),
        }
    }
}

impl IndexedFrame {
    /// The rows that `take` takes, under the labels of `index`.
    pub(crate) fn taken(&self, operation: &'static str, take: &Take, index: &Index) -> Result<Self> {
        let frame = self.frame();
        let columns = take.columns(frame.accessor(), frame.exec()).operation(operation)?;
        Ok(Self::with_index(Frame::new(columns, frame.exec().clone()), index.clone()))
    }
}

impl Index {
    /// The labels of both sides that `how` keeps, and where they are on each side. Labels that come several times on both
    /// sides are paired, each with each, unless all labels are equal.
    ///
    /// Equal labels take one pass over both, and none if they are one handle or ranges; ranges of one step are computed. Labels
    /// of several levels are joined by the levels of one name, unless the names of all are the same. The names are those of this
    /// side, of a right join those of the other one, as in pandas.
    pub(crate) fn aligned(
        &self,
        operation: &'static str,
        other: &Index,
        how: LabelJoin,
        exec: &Exec,
    ) -> Result<Aligned> {
        if self.has_labels_of(other).operation(operation)? {
            let index = if how == LabelJoin::Right { other.clone() } else { self.clone() };
            return Ok(Aligned { index, left: Take::All, right: Take::All });
        }
        if !self.has_levels_of(other) {
            return self.aligned_by_levels(operation, other, how, exec);
        }
        let names = if how == LabelJoin::Right { other.names() } else { self.names() };
        if let (Index::Range(left), Index::Range(right)) = (self, other)
            && let Some(aligned) = ranges::aligned(left, right, how, exec).operation(operation)?
        {
            return Ok(Aligned { index: aligned.index.renamed(names), ..aligned });
        }
        let aligned =
            with_retry_no_split(exec, |exec| joined(self, other, how, exec)).operation(operation)?;
        Ok(Aligned { index: aligned.index.renamed(names), ..aligned })
    }

    /// The row of each label of `target`, which need not be unique; these labels are.
    pub(crate) fn taken_by(&self, operation: &'static str, target: &Index, exec: &Exec) -> Result<Take> {
        self.check_levels(operation, target)?;
        if self.has_labels_of(target).operation(operation)? {
            return Ok(Take::All);
        }
        self.check_unique(operation, exec)?;
        if let (Index::Range(from), Index::Range(to)) = (self, target)
            && let Some(take) = ranges::rows_of(from, to, exec).operation(operation)?
        {
            return Ok(take);
        }
        let find = |exec: &Exec| {
            let (wanted, labels) = comparable_levels(target, self, exec)?;
            let (wanted, labels) =
                (Side { index: target, levels: &wanted }, Side { index: self, levels: &labels });
            let maps = pairs(wanted, labels, JoinKind::Left, exec)?.maps;
            right_of(&maps).cloned().map(Take::rows)
        };
        with_retry_no_split(exec, find).operation(operation)
    }

    /// [`aligned`](Self::aligned), and sorted where an outer join would leave equal labels as they are.
    pub(crate) fn joined_in_order(
        &self,
        operation: &'static str,
        other: &Index,
        how: LabelJoin,
        exec: &Exec,
    ) -> Result<Aligned> {
        let aligned = self.aligned(operation, other, how, exec)?;
        if how != LabelJoin::Outer || !matches!((&aligned.left, &aligned.right), (Take::All, Take::All)) {
            return Ok(aligned);
        }
        let levels: Vec<usize> = (0..self.level_count()).collect();
        let step = match self.sorting_step(&levels, SortOrder::default(), exec) {
            Ok(Some(step)) => step,
            // Sorted already, or without an order.
            Ok(None) | Err(ColumnError::UnsupportedDType { .. }) => return Ok(aligned),
            Err(error) => return Err(error).operation(operation),
        };
        let index = self.picked(std::slice::from_ref(&step), exec).operation(operation)?;
        let Step::Rows { map, .. } = step else { return Ok(aligned) };
        let take = Take::Rows { map, nulls: MapNulls::Never };
        Ok(Aligned { index, left: take.clone(), right: take })
    }
}

/// The names that both have, null for the other levels.
pub(crate) fn common_names(left: &Index, right: &Index) -> Vec<Label> {
    let names = left.names().iter().zip(right.names());
    names.map(|(left, right)| if left == right { left.clone() } else { Label::NULL }).collect()
}

fn joined(left: &Index, right: &Index, how: LabelJoin, exec: &Exec) -> columns::Result<Aligned> {
    let (left_keys, right_keys) = comparable_levels(left, right, exec)?;
    let lefts = Side { index: left, levels: &left_keys };
    let rights = Side { index: right, levels: &right_keys };
    let join = |first, second, kind| {
        let maps = pairs(first, second, kind, exec)?.maps;
        let second = right_of(&maps)?.clone();
        Ok::<_, ColumnError>((maps.left, second))
    };
    match how {
        LabelJoin::Left => {
            let (first, second) = join(lefts, rights, JoinKind::Left)?;
            let (index, first) = kept(left, first, exec)?;
            Ok(Aligned { index, left: first, right: Take::rows(second) })
        }
        LabelJoin::Right => {
            let (first, second) = join(rights, lefts, JoinKind::Left)?;
            let (index, first) = kept(right, first, exec)?;
            Ok(Aligned { index, left: Take::rows(second), right: first })
        }
        LabelJoin::Inner => {
            let (first, second) = join(lefts, rights, JoinKind::Inner)?;
            let step = Step::Rows { map: first.clone(), distinct: false, ordered: true };
            let index = left.picked(&[step], exec)?;
            let exist = |map| Take::Rows { map, nulls: MapNulls::Never };
            Ok(Aligned { index, left: exist(first), right: exist(second) })
        }
        LabelJoin::Outer => {
            let found = pairs(lefts, rights, JoinKind::Full, exec)?;
            let (first, second) = (found.maps.left.clone(), right_of(&found.maps)?.clone());
            let mut levels = Vec::with_capacity(left_keys.len());
            for (left, right) in left_keys.iter().zip(&right_keys) {
                let left = gather_column(left, &first, MapNulls::Possible, exec)?;
                let right = gather_column(right, &second, MapNulls::Possible, exec)?;
                levels.push(coalesce_keys(&left, &right, exec)?);
            }
            if found.is_sorted {
                let index = Index::of_increasing(left.names(), levels, found.is_unique, exec);
                return Ok(Aligned { index, left: Take::rows(first), right: Take::rows(second) });
            }
            let Some(order) = order_of(&levels, exec)? else {
                let index = Index::of_owned(left.names(), levels, exec);
                return Ok(Aligned { index, left: Take::rows(first), right: Take::rows(second) });
            };
            let sorted = levels.iter().map(|level| gather_column(level, &order, MapNulls::Never, exec));
            let index = Index::of_owned(left.names(), sorted.collect::<columns::Result<_>>()?, exec);
            let [first, second] = [first, second].map(|map| compose_maps(&map, &order, exec));
            Ok(Aligned { index, left: Take::rows(first?), right: Take::rows(second?) })
        }
    }
}

/// The labels of the side that a join keeps all of, and its rows: all in order unless one was paired several times.
fn kept(side: &Index, map: RowMap, exec: &Exec) -> columns::Result<(Index, Take)> {
    if map.len == side.len() {
        return Ok((side.clone(), Take::All));
    }
    let step = Step::Rows { map: map.clone(), distinct: false, ordered: true };
    Ok((side.picked(&[step], exec)?, Take::Rows { map, nulls: MapNulls::Never }))
}

/// The order of labels, nulls last; `None` for labels without an order.
fn order_of(levels: &[Column], exec: &Exec) -> columns::Result<Option<RowMap>> {
    let key = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
    match argsort(&levels.iter().map(key).collect::<Vec<_>>(), exec) {
        Ok(order) => Ok(Some(order)),
        Err(ColumnError::UnsupportedDType { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The levels of both, in dtypes whose values can be compared: integers and floats as `float64`, an error for an integer that
/// it does not have; times of different zones in UTC.
pub(crate) fn comparable_levels(
    left: &Index,
    right: &Index,
    exec: &Exec,
) -> columns::Result<(Vec<Column>, Vec<Column>)> {
    let (lefts, rights) = (left.columns(exec)?, right.columns(exec)?);
    let mut levels = (Vec::with_capacity(lefts.len()), Vec::with_capacity(rights.len()));
    for (left, right) in lefts.iter().zip(rights.iter()) {
        let (from, to) = (left.dtype(), right.dtype());
        let common = match (&from, &to) {
            (DType::TimestampTz(a, zone), DType::TimestampTz(b, other)) if zone != other => {
                Some(DType::TimestampTz(*a.max(b), columnade_columns::TimeZone::utc()))
            }
            _ if common_key(&from, &to).is_some() => None,
            _ => (from.is_numeric() && to.is_numeric() && (from.is_float() || to.is_float()))
                .then_some(DType::Float64),
        };
        let Some(common) = common else {
            levels.0.push(left.clone());
            levels.1.push(right.clone());
            continue;
        };
        levels.0.push(exactly(left, &common, exec)?);
        levels.1.push(exactly(right, &common, exec)?);
    }
    Ok(levels)
}

/// Labels in another dtype, an error for an integer that floats do not have.
fn exactly(labels: &Column, dtype: &DType, exec: &Exec) -> columns::Result<Column> {
    let made = cast(labels, dtype, CastMode::Checked, exec)?;
    if !matches!(labels.dtype(), DType::Int64 | DType::UInt64) || !dtype.is_float() {
        return Ok(made);
    }
    let is_exact = match cast(&made, &labels.dtype(), CastMode::Checked, exec) {
        Ok(back) => equals(&back, labels, exec)?,
        Err(ColumnError::Memory(memory)) => return Err(memory.into()),
        Err(_) => false,
    };
    if is_exact {
        return Ok(made);
    }
    let reason = format!("a label of {} is no {dtype}", labels.dtype());
    Err(ColumnError::InvalidArgument { name: "row labels", reason })
}
