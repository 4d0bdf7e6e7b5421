//! Joining two frames.

mod asof;
mod keys;
mod options;
mod output;
#[cfg(test)]
mod tests;

use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::expression::{Expr, columns_of, evaluate, row_number};
use columnade_ops::join::{
    JoinKind, JoinSide, Joined, PairCondition, cross_join, join_rows, join_rows_where,
};
use columnade_ops::sort::{NullOrder, Order, SortColumn, sort_by};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use keys::{Input, check_keys, check_unique};
use options::How;
use output::{Output, pair_condition};

pub use asof::MergeAsof;
pub use keys::IntoMergeKeys;
pub use options::{MaintainOrder, Merge, Validate};

const OPERATION: &str = "merge";

impl DataFrame {
    /// Joins with another frame on equal keys, by a [`condition`](Merge::condition), or every row with every other one
    /// ([`cross`](Merge::cross)).
    ///
    /// Rows are in the order of the left frame and, within a match, of the right frame, unless
    /// [`maintain_order`](Merge::maintain_order) says otherwise; a right join is in right order. Columns of the left frame come
    /// first. The result has a key with one label on both sides once; other labels of both sides get suffixes.
    ///
    /// Keys are equal by value: integers and decimals of any two dtypes with at most 38 digits together, floats of any width, times of any unit,
    /// dictionaries and their values. A key that the result has once has the common dtype (`int32` and `int64`: `int64`;
    /// `int64` and `uint64`: `decimal(20,0)`; a dictionary stays as on the side that its values are from); keys of different
    /// labels, and the rows of semi and anti joins, keep their dtypes. Times of several units are of the finer one, in left and
    /// right joins of the unit of that side: those beyond the range of the finer unit match nothing, and are an error in an
    /// outer join that has both in one column.
    ///
    /// A key that is no column but names a level of the row labels is that level, and a column of the result. See
    /// [`join`](Self::join) for joins by all row labels, which keep them.
    ///
    /// Frames that exceed the memory limit are joined in parts.
    ///
    /// ```
    /// use columnade::{DataFrame, Merge};
    ///
    /// let people = DataFrame::new([("id", vec![1_i64, 2, 3])])?.with_column("name", ["Ada", "Bo", "Cy"])?;
    /// let visits = DataFrame::new([("id", vec![3_i64, 1, 3])])?.with_column("day", [7, 8, 9])?;
    /// let joined = visits.merge(&people, &Merge::inner().on("id"))?;
    /// assert_eq!(joined.columns(), ["id", "day", "name"]);
    /// assert_eq!(joined.column("name")?.to_scalars()?, ["Cy".into(), "Ada".into(), "Cy".into()]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::KeyMismatch`] for keys without a common dtype, such as text and numbers;
    /// [`Error::DuplicateKey`] for keys that [`validate`](Merge::validate) refuses; [`Error::Operation`] without
    /// keys or with different numbers of keys, for options that do not go with the kind of join, for labels that are equal in
    /// spite of the suffixes, for frames on different devices, and when memory runs out.
    ///
    /// # Source
    /// pandas `merge`, Polars `join`, cudf/join/join.hpp.
    pub fn merge(&self, other: &DataFrame, merge: &Merge) -> Result<DataFrame> {
        check_options(merge)?;
        let (left, right) = (self.with_key_levels(&merge.left_on)?, other.with_key_levels(&merge.right_on)?);
        left.as_ref().unwrap_or(self).merged(right.as_ref().unwrap_or(other), merge)
    }

    /// The frame with the levels of its row labels as columns that are keys and no columns; `None` if there are none.
    fn with_key_levels(&self, keys: &[Expr]) -> Result<Option<DataFrame>> {
        let names = self.index().names();
        let labels = columns_of(keys);
        let is_key = |name: &Label| {
            *name != Label::NULL && labels.contains(name) && !self.frame().accessor().contains(name)
        };
        let levels: Vec<usize> = (0..names.len()).filter(|&level| is_key(&names[level])).collect();
        if levels.is_empty() { Ok(None) } else { self.with_levels_as_columns(OPERATION, &levels).map(Some) }
    }

    fn merged(&self, other: &DataFrame, merge: &Merge) -> Result<DataFrame> {
        let exec = self.exec();
        let mut left = Input::new(OPERATION, self.frame(), &merge.left_on)?;
        let mut right = Input::new(OPERATION, other.frame(), &merge.right_on)?;
        let condition = pair_condition(merge, [self.frame(), other.frame()])?;
        let has_keys = !left.keys.is_empty() || !right.keys.is_empty();
        if merge.how != How::Cross && (has_keys || condition.is_none()) {
            check_keys(OPERATION, &left, &right)?;
            check_unique(merge, &left, &right, self.frame())?;
        }
        let numbers = order_numbers(merge, [&mut left, &mut right], exec)?;
        let output = Output::plan(merge, [self.frame(), other.frame()], [&mut left, &mut right], exec)?;
        let mut columns = joined(merge, [&left, &right], &output, condition, exec)?;
        if let Some((side, position)) = numbers {
            columns = in_order_of(&columns, output.position(side, position), exec)?;
        }
        let columns = output.columns(merge, [self.frame(), other.frame()], &columns, exec)?;
        Ok(self.with_rows(columns))
    }
}

/// Checks that the options go with the kind of join.
fn check_options(merge: &Merge) -> Result<()> {
    let refused = |name: &'static str, reason: &str| Err(Error::argument(OPERATION, name, reason));
    let (is_cross, is_of_left) = (merge.how == How::Cross, matches!(merge.how, How::Semi | How::Anti));
    if is_cross && !(merge.left_on.is_empty() && merge.right_on.is_empty()) {
        return refused("keys", "a cross join takes none");
    }
    if is_cross && merge.validate.is_some() {
        return refused("validate", "a cross join has no keys");
    }
    if merge.validate.is_some() && merge.left_on.is_empty() && merge.right_on.is_empty() {
        return refused("validate", "a join by a condition alone has no keys");
    }
    if (is_cross || is_of_left) && merge.indicator.is_some() {
        return refused("indicator", "only inner, left, right and outer joins have one");
    }
    if is_of_left && merge.order == Some(MaintainOrder::RightLeft) {
        return refused("maintain_order", "semi and anti joins have rows of the left frame only");
    }
    Ok(())
}

/// Whether the sides are exchanged: the rows come in the order of the right frame.
fn is_swapped(merge: &Merge) -> bool {
    match merge.how {
        How::Right => true,
        How::Inner | How::Outer | How::Cross => merge.order == Some(MaintainOrder::RightLeft),
        How::Left | How::Semi | How::Anti => false,
    }
}

/// Adds row numbers to the side whose order the rows get by a sort: the side, and where the numbers are.
fn order_numbers(merge: &Merge, inputs: [&mut Input; 2], exec: &Exec) -> Result<Option<(usize, usize)>> {
    let side = match (merge.how, merge.order) {
        (How::Left, Some(MaintainOrder::RightLeft)) => 1,
        (How::Right, Some(MaintainOrder::LeftRight)) => 0,
        _ => return Ok(None),
    };
    let [left, right] = inputs;
    let input = if side == 0 { left } else { right };
    let (_, numbers) = evaluate(&[row_number()], &input.columns, exec).operation(OPERATION)?.swap_remove(0);
    Ok(Some((side, input.push(OPERATION, numbers)?)))
}

/// The columns of the output of both sides, in the order of the join.
fn joined(
    merge: &Merge,
    [left, right]: [&Input; 2],
    output: &Output,
    condition: Option<PairCondition>,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let [of_left, of_right] = &output.columns;
    let is_swapped = is_swapped(merge);
    let joined = if merge.how == How::Cross && condition.is_none() {
        let requested = |input: &Input, output: &[usize]| {
            let columns = output
                .iter()
                .map(|&position| (position.to_string(), input.columns.columns()[position].clone()));
            let mut requested = ColumnAccessor::with_rows(input.columns.rows());
            for (label, column) in columns {
                requested.insert(label, column)?;
            }
            Ok::<_, columnade_columns::Error>(requested)
        };
        let (left, right) = (requested(left, of_left), requested(right, of_right));
        let (left, right) = (left.operation(OPERATION)?, right.operation(OPERATION)?);
        if is_swapped { cross_join(&right, &left, exec) } else { cross_join(&left, &right, exec) }
    } else {
        let left_side = JoinSide { columns: &left.columns, keys: &left.keys, output: of_left };
        let right_side = JoinSide { columns: &right.columns, keys: &right.keys, output: of_right };
        let kind = match merge.how {
            How::Inner | How::Cross => JoinKind::Inner,
            How::Left | How::Right => JoinKind::Left,
            How::Outer => JoinKind::Full,
            How::Semi => JoinKind::Semi,
            How::Anti => JoinKind::Anti,
        };
        let (first, second) = if is_swapped { (right_side, left_side) } else { (left_side, right_side) };
        match condition {
            None => join_rows(first, second, kind, merge.nulls, exec),
            Some(condition) => {
                let condition = if is_swapped { condition.swapped() } else { condition };
                join_rows_where(first, second, kind, merge.nulls, &condition, exec)
            }
        }
        .map_err(|error| error.with_key_labels(&left.key_labels))
    };
    let mut joined = joined.operation(OPERATION)?;
    if is_swapped && let Some(second) = joined.right {
        joined = Joined { left: second, right: Some(joined.left) };
    }
    together(&joined).operation(OPERATION)
}

/// The columns of both sides by position.
fn together(joined: &Joined) -> columnade_columns::Result<ColumnAccessor> {
    let mut columns = ColumnAccessor::with_rows(joined.left.rows());
    for column in joined.left.columns().iter().chain(joined.right.iter().flat_map(ColumnAccessor::columns)) {
        columns.insert(columns.len().to_string(), column.clone())?;
    }
    Ok(columns)
}

/// The rows sorted by row numbers, those without one last.
fn in_order_of(columns: &ColumnAccessor, position: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let by_number = SortColumn { position, order: Order::Ascending, nulls: NullOrder::Last };
    sort_by(columns, &[by_number], exec).operation(OPERATION)
}
