//! Joins with the nearest row by an ordered key.

use super::asof_keys::{OrderedKeys, has_distances, searched};
use super::asof_limit::{greatest_count_within, greatest_within};
use super::hash_join::{check_key_count, match_ranges};
use super::join_rows::{JoinedSide, converted_keys};
use super::{JoinSide, Joined, NullEquality};
use crate::copying::{MapNulls, gather_column};
use crate::expression::{Expr, col};
use crate::filter::apply_mask;
use crate::groupby::grouped_rows::{compute, numbers, row_map, validity};
use crate::keys::{Numbering, numbered};
use crate::out_of_core::{Driver, MemoryEstimate, OutOfCore, by_position, device_of, with_labels_of};
use crate::sort::{NullOrder, Order, SortKey, argsort_scratch_bytes, is_sorted};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::grouping::group_ids;
use columnade_kernels::joining::hash_join::scratch_bytes;
use columnade_kernels::joining::search_ranges::{Neighbor, nearest_rows};
use columnade_kernels::{RowMap, Value, View};
use std::borrow::Cow;

/// Bytes for each left row of its range and the row that is found, and of the latter among rows with a key.
const POSITIONS: usize = 40;
/// Bytes of the rank of a key, as it is made and for both sides.
const RANK: usize = 32;

/// Which right row a left row is joined with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AsofStrategy {
    /// The last one whose key is not greater.
    #[default]
    Backward,
    /// The first one whose key is not less.
    Forward,
    /// The one of these two whose key is nearer; backward if both are equally near.
    Nearest,
}

/// How rows are joined by the nearest key.
#[derive(Clone, Debug)]
pub struct Asof {
    /// Which right row is taken.
    pub strategy: AsofStrategy,
    /// Whether equal keys match.
    pub allow_exact_matches: bool,
    /// The greatest distance of keys that match: a number, for times a duration. `None` for any.
    pub tolerance: Option<Expr>,
}

/// Each left row with at most one right row: the nearest by the last key of each side, among those that are equal in the
/// other keys. Right columns are null without one.
///
/// Left rows may be in any order. The last keys of the right rows must be ascending, nulls aside, as [`check_sorted`] finds
/// out; that is not checked here. They are ordered as [`argsort`](crate::sort::argsort) orders them, of any dtype: text by code
/// points, ordered dictionaries of the same categories by these, and other dictionaries by their values. A null matches
/// nothing; NaN is the greatest number. Left rows that exceed the budget are joined in chunks; the right rows must fit.
///
/// # Shapes and units
/// left: n rows, at least one key; right: m rows, as many keys → n rows.
///
/// # Errors
/// Those of [`hash_join`](super::hash_join) for the equal keys; for the last key [`Error::DTypeMismatch`] for an ordered
/// dictionary beside other values, [`Error::InvalidArgument`] for ordered dictionaries of different categories, and
/// [`Error::NoDistance`] for [`AsofStrategy::Nearest`] and a tolerance if it is no number and no time; errors of
/// [`evaluate`](crate::expression::evaluate) for a tolerance of another dtype; [`Error::Memory`].
///
/// # Device
/// A hash table of the equal keys, and one or two binary searches for each left row. Last keys that are no numbers, times,
/// booleans or dictionaries are grouped with those of the left rows, and the distinct values sorted.
///
/// # Source
/// pandas `merge_asof`, Polars `join_asof`.
pub fn asof_join(
    left: JoinSide<'_>,
    right: JoinSide<'_>,
    asof: &Asof,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Joined> {
    asof_join_with(left, right, asof, nulls, Driver::new(exec))
}

pub(super) fn asof_join_with(
    left: JoinSide<'_>,
    right: JoinSide<'_>,
    asof: &Asof,
    nulls: NullEquality,
    driver: Driver<'_>,
) -> Result<Joined> {
    check_key_count(left.keys.len(), right.keys.len())?;
    let last = left.keys.len() - 1;
    let on = [left, right].map(|side| side.columns.columns().get(side.keys[last]));
    let [Some(left_on), Some(right_on)] = on else {
        return Err(Error::IndexOutOfBounds { index: left.keys[last], len: left.columns.len() });
    };
    let on = OrderedKeys::new(left_on, right_on, driver.exec).map_err(|error| error.in_key(last))?;
    if on.distances.is_none() && (asof.strategy == AsofStrategy::Nearest || asof.tolerance.is_some()) {
        return Err(Error::NoDistance { dtype: left_on.dtype() }.in_key(last));
    }
    let are_counts = on.distances.as_ref().is_some_and(|dtype| on.columns[0].dtype() != *dtype);
    let [left_by, right_by] = [left, right].map(|side| JoinSide { keys: &side.keys[..last], ..side });
    let mut converted = converted_keys(left_by, right_by, driver.exec)?;
    for (converted, key) in converted.iter_mut().zip(on.columns) {
        converted.push(Some(key));
    }
    let left_side = JoinedSide::new(left, left.output, &converted[0])?;
    let mut right_side = JoinedSide::new(right, right.output, &converted[1])?;
    let limit = match (&asof.tolerance, &on.distances) {
        (Some(tolerance), Some(dtype)) => {
            // Times beyond the range of a unit are counts of it.
            let greatest = if are_counts { greatest_count_within } else { greatest_within };
            let limit = greatest(dtype, tolerance, driver.exec)?;
            if limit.is_none() {
                // No row matches.
                right_side.rows = right_side.rows.slice(0, 0)?;
            }
            limit
        }
        _ => None,
    };
    let probe = Probe { asof, limit, nulls, left: &left_side, right: &right_side };
    let joined = driver.run(&probe, &left_side.rows)?;
    let (of_left, of_right) = joined.columns().split_at(left_side.output);
    let labelled = |side: JoinSide<'_>, columns| {
        let labels = side.output.iter().map(|&position| &side.columns.labels()[position]);
        with_labels_of(&side.columns.select(labels)?, columns, joined.rows())
    };
    Ok(Joined { left: labelled(left, of_left)?, right: Some(labelled(right, of_right)?) })
}

/// Checks that the values of a column are ascending, nulls aside, in the order that [`argsort`](crate::sort::argsort) has. NaN is
/// the greatest number.
///
/// # Errors
/// [`Error::NotSorted`] with the first row that is less than one before it; [`Error::Memory`].
///
/// # Device
/// One pass over the values; one synchronisation. Values that are no numbers, times and strings are grouped, and the distinct
/// ones sorted.
pub fn check_sorted(values: &Column, exec: &Exec) -> Result<()> {
    with_retry_no_split(exec, |exec| {
        let key = SortKey { column: values, order: Order::Ascending, nulls: NullOrder::Last };
        if values.mask().is_none() && is_sorted(&[key], exec)? {
            return Ok(());
        }
        let dtype = values.dtype();
        let values = if has_distances(&dtype) || dtype == DType::Utf8 {
            Cow::Borrowed(values)
        } else {
            Cow::Owned(numbered(values, Numbering::Order(NullOrder::Last), exec)?)
        };
        let values = &*values;
        let mut rows = by_position([values], values.size())?;
        rows.insert("row", numbers(values.size(), exec)?)?;
        if let Some(valid) = validity(values, exec)? {
            rows = apply_mask(&rows, &valid, exec)?;
        }
        let Some(pairs) = rows.rows().checked_sub(1) else { return Ok(()) };
        let (before, after) = (rows.slice(0, pairs)?, rows.slice(1, pairs)?);
        let columns = [("before", before.get("0")?), ("after", after.get("0")?)];
        let is_number = |label: &str| col(label).le(f64::INFINITY);
        let is_less = if values.dtype().is_float() {
            let falls = col("after").lt(col("before")).fill_null(false);
            // NaN, then a number.
            falls.or((!is_number("before")).and(is_number("after")))
        } else {
            col("after").lt(col("before"))
        };
        let is_less = compute(&columns, is_less, exec)?;
        let row = by_position([after.get("row")?], pairs)?;
        let found = apply_mask(&row, &is_less, exec)?;
        if found.rows() == 0 {
            return Ok(());
        }
        let Scalar::Int64(row) = found.columns()[0].get(0)? else {
            return Err(Error::Internal { invariant: "rows are numbered by integers" });
        };
        Err(Error::NotSorted { row: usize::try_from(row).unwrap_or_default() })
    })
}

/// Bytes that ranks of so many keys take in addition to them.
fn ranked_bytes(key: &Column, rows: usize) -> usize {
    group_ids::scratch_bytes(rows, rows, key.device()) + argsort_scratch_bytes([key], rows) + RANK * rows
}

/// Left rows with all right rows.
struct Probe<'a> {
    asof: &'a Asof,
    /// The greatest distance of keys that match.
    limit: Option<Value>,
    nulls: NullEquality,
    left: &'a JoinedSide,
    right: &'a JoinedSide,
}

impl OutOfCore for Probe<'_> {
    fn estimate(&self, left: &ColumnAccessor) -> Result<MemoryEstimate> {
        let (input, right) = (left.row_bytes()?, self.right.rows.row_bytes()?);
        let matches = right.div_ceil(self.right.rows.rows().max(1)) * left.rows();
        let output = input + matches + POSITIONS * left.rows();
        let rows = self.right.rows.rows();
        let scratch = scratch_bytes(left.rows(), rows, device_of(std::slice::from_ref(&self.right.rows)));
        let mut estimate = MemoryEstimate { input, output, fixed_overhead: 2 * right + scratch };
        if let Some(on) = self.left.keys_of(left).last().filter(|on| !has_distances(&on.dtype())) {
            let of_right = ranked_bytes(on, rows);
            estimate.output += input + ranked_bytes(on, left.rows() + rows) - of_right;
            estimate.fixed_overhead += right + of_right;
        }
        Ok(estimate)
    }

    fn shared_input(&self) -> Option<&ColumnAccessor> {
        Some(&self.right.rows)
    }

    fn run(&self, left: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let rows = self.nearest(left, exec)?;
        let right = self.right.rows.columns()[..self.right.output].iter();
        let right = right.map(|column| gather_column(column, &rows, MapNulls::Possible, exec));
        let left_columns = left.columns()[..self.left.output].iter().cloned().map(Ok);
        by_position(&left_columns.chain(right).collect::<Result<Vec<_>>>()?, left.rows())
    }
}

impl Probe<'_> {
    /// The right row of each left row.
    fn nearest(&self, left: &ColumnAccessor, exec: &Exec) -> Result<RowMap> {
        let missing = Error::Internal { invariant: "a side has keys" };
        let left_keys = self.left.keys_of(left);
        let (on, by) = left_keys.split_last().ok_or(missing.clone())?;
        // Right rows without a key match nothing.
        let all = self.right.keys_of(&self.right.rows);
        let mut right = by_position(all, self.right.rows.rows())?;
        let mut valid_rows = None;
        let right_on = right.columns().last().ok_or(missing.clone())?;
        if let Some(valid) = validity(right_on, exec)? {
            right.insert("row", numbers(right.rows(), exec)?)?;
            right = apply_mask(&right, &valid, exec)?;
            valid_rows = Some(right.remove("row")?);
        }
        let right_keys: Vec<&Column> = right.columns().iter().collect();
        let (right_on, right_by) = right_keys.split_last().ok_or(missing)?;
        // Without other keys all right rows are one range.
        let ranges = match by {
            [] => None,
            by => Some(match_ranges(by, right_by, self.nulls, exec)?),
        };
        let (on, right_on) = searched(on, right_on, exec)?;
        let (View::Fixed(needles), View::Fixed(values)) = (on.view()?, right_on.view()?) else {
            return Err(Error::UnsupportedDType { dtype: on.dtype() });
        };
        let neighbor = match (self.asof.strategy, self.asof.allow_exact_matches) {
            (AsofStrategy::Backward, true) => Neighbor::BeforeOrEqual,
            (AsofStrategy::Backward, false) => Neighbor::Before,
            (AsofStrategy::Forward, true) => Neighbor::AfterOrEqual,
            (AsofStrategy::Forward, false) => Neighbor::After,
            (AsofStrategy::Nearest, true) => Neighbor::NearerOrEqual,
            (AsofStrategy::Nearest, false) => Neighbor::Nearer,
        };
        let rows = nearest_rows(&needles, &values, ranges.as_ref(), neighbor, self.limit, exec)?;
        match valid_rows {
            None => Ok(rows),
            Some(valid_rows) => row_map(&gather_column(&valid_rows, &rows, MapNulls::Possible, exec)?, exec),
        }
    }
}
