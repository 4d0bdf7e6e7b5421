//! Joins with the nearest row by an ordered key.

use super::hash_join::{check_key_count, match_ranges};
use super::join_rows::{JoinedSide, converted_keys};
use super::{JoinSide, Joined, NullEquality, common_key};
use crate::cast::{CastMode, cast};
use crate::copying::{MapNulls, gather_column};
use crate::expression::{Expr, Literal, col, lit, when};
use crate::filter::apply_mask;
use crate::groupby::grouped_rows::{column_of, compute, numbers, row_map, take, validity};
use crate::out_of_core::{Driver, MemoryEstimate, OutOfCore, by_position, device_of, with_labels_of};
use crate::sort::{NullOrder, Order, SortKey, is_sorted};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::joining::hash_join::scratch_bytes;
use columnade_kernels::joining::search_ranges::{Neighbor, nearest_rows};
use columnade_kernels::{RowMap, View};

/// Bytes for each left row of the positions that are computed: a dozen of 8 bytes.
const POSITIONS: usize = 96;

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
/// out; that is not checked here. A null matches nothing; NaN is the greatest number. Left rows that exceed the budget are
/// joined in chunks; the right rows must fit.
///
/// # Shapes and units
/// left: n rows, at least one key; right: m rows, as many keys → n rows.
///
/// # Errors
/// Those of [`hash_join`](super::hash_join) for the equal keys; [`Error::UnsupportedDType`] for a last key that is no number and no
/// time; errors of [`evaluate`](crate::expression::evaluate) for a tolerance of another dtype; [`Error::Memory`].
///
/// # Device
/// A hash table of the equal keys, and one or two binary searches for each left row.
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
    let mut converted = converted_keys(left, right, driver.exec)?;
    let last = left.keys.len() - 1;
    let on = [left, right].map(|side| side.columns.columns().get(side.keys[last]));
    let [Some(left_on), Some(right_on)] = on else {
        return Err(Error::IndexOutOfBounds { index: left.keys[last], len: left.columns.len() });
    };
    let dtype = common_key(&left_on.dtype(), &right_on.dtype()).filter(is_ordered);
    let Some(dtype) = dtype else {
        let (left, right) = (left_on.dtype(), right_on.dtype());
        let error = if is_ordered(left.logical()) && is_ordered(right.logical()) {
            Error::DTypeMismatch { left, right }
        } else {
            Error::UnsupportedDType { dtype: if is_ordered(left.logical()) { right } else { left } }
        };
        return Err(error.in_key(last));
    };
    for (converted, key) in converted.iter_mut().zip([left_on, right_on]) {
        let key = cast(key, &dtype, CastMode::Checked, driver.exec);
        converted[last] = Some(key.map_err(|error| error.in_key(last))?);
    }
    let left_side = JoinedSide::new(left, left.output, &converted[0])?;
    let right_side = JoinedSide::new(right, right.output, &converted[1])?;
    let probe = Probe { asof, nulls, left: &left_side, right: &right_side };
    let joined = driver.run(&probe, &left_side.rows)?;
    let (of_left, of_right) = joined.columns().split_at(left_side.output);
    let labelled = |side: JoinSide<'_>, columns| {
        let labels = side.output.iter().map(|&position| &side.columns.labels()[position]);
        with_labels_of(&side.columns.select(labels)?, columns, joined.rows())
    };
    Ok(Joined { left: labelled(left, of_left)?, right: Some(labelled(right, of_right)?) })
}

fn is_ordered(dtype: &DType) -> bool {
    let is_time = matches!(
        dtype,
        DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..) | DType::Time(_) | DType::Duration(_)
    );
    is_time || dtype.is_integer() || dtype.is_float() || matches!(dtype, DType::Decimal { .. })
}

/// Checks that the values of a column are ascending, nulls aside. NaN is the greatest number.
///
/// # Errors
/// [`Error::NotSorted`] with the first row that is less than one before it; [`Error::UnsupportedDType`] for what is no number
/// and no time; [`Error::Memory`].
///
/// # Device
/// One pass over the values; one synchronisation.
pub fn check_sorted(values: &Column, exec: &Exec) -> Result<()> {
    if !is_ordered(&values.dtype()) {
        return Err(Error::UnsupportedDType { dtype: values.dtype() });
    }
    with_retry_no_split(exec, |exec| {
        let key = SortKey { column: values, order: Order::Ascending, nulls: NullOrder::Last };
        if values.mask().is_none() && is_sorted(&[key], exec)? {
            return Ok(());
        }
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

/// Left rows with all right rows.
struct Probe<'a> {
    asof: &'a Asof,
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
        let fixed_overhead = 2 * right + scratch;
        Ok(MemoryEstimate { input, output, fixed_overhead })
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
        let (View::Fixed(needles), View::Fixed(values)) = (on.view()?, right_on.view()?) else {
            return Err(Error::UnsupportedDType { dtype: on.dtype() });
        };
        let exact = self.asof.allow_exact_matches;
        let search = |neighbor| nearest_rows(&needles, &values, ranges.as_ref(), neighbor, exec);
        let backward = || search(if exact { Neighbor::BeforeOrEqual } else { Neighbor::Before });
        let forward = || search(if exact { Neighbor::AfterOrEqual } else { Neighbor::After });
        let rows = match self.asof.strategy {
            AsofStrategy::Backward => backward()?,
            AsofStrategy::Forward => forward()?,
            AsofStrategy::Nearest => {
                let keys = Keys { left: on, right: right_on, exec };
                row_map(&keys.nearer(&backward()?, &forward()?)?, exec)?
            }
        };
        if self.asof.tolerance.is_none() && valid_rows.is_none() {
            return Ok(rows);
        }
        let keys = Keys { left: on, right: right_on, exec };
        let mut rows = keys.positions(&rows)?;
        if let Some(tolerance) = &self.asof.tolerance {
            rows = keys.within(&rows, tolerance)?;
        }
        if let Some(valid_rows) = valid_rows {
            rows = take(&valid_rows, &rows, exec)?;
        }
        row_map(&rows, exec)
    }
}

/// The last keys of both sides, those of the right side without nulls.
struct Keys<'a> {
    left: &'a Column,
    right: &'a Column,
    exec: &'a Exec,
}

impl Keys<'_> {
    /// The rows of a map as `int64`, null for none.
    fn positions(&self, rows: &RowMap) -> Result<Column> {
        let rows = column_of(rows, self.exec)?;
        let all = i64::try_from(self.right.size()).unwrap_or(i64::MAX);
        let is_row = col("row").ge(0).and(col("row").lt(all));
        compute(&[("row", &rows)], when(is_row).then(col("row")).otherwise(none()), self.exec)
    }

    /// The keys of the left rows, and of right rows.
    fn operands(&self, rows: &Column) -> Result<(Column, Column)> {
        operands(self.left, &take(self.right, rows, self.exec)?, self.exec)
    }

    /// Of two right rows the one with the nearer key; the first if both are equally near.
    fn nearer(&self, before: &RowMap, after: &RowMap) -> Result<Column> {
        let (before, after) = (self.positions(before)?, self.positions(after)?);
        let (l, b) = self.operands(&before)?;
        let (_, f) = self.operands(&after)?;
        let columns = [("l", &l), ("b", &b), ("f", &f), ("before", &before), ("after", &after)];
        let (before_by, after_by) = (|| col("l") - col("b"), || col("f") - col("l"));
        let is_nearer = before_by().le(after_by());
        let is_nearer = if wraps(self.left) {
            let far = |distance: Expr| distance.lt(col("l") - col("l"));
            let alike = far(before_by()).eq(far(after_by()));
            when(alike).then(is_nearer).otherwise(far(after_by()))
        } else {
            is_nearer
        };
        let is_before = is_nearer.or(col("after").is_null()).and(col("before").is_not_null());
        compute(&columns, when(is_before).then(col("before")).otherwise(col("after")), self.exec)
    }

    /// The right rows whose key is no further than the tolerance, null for others.
    fn within(&self, rows: &Column, tolerance: &Expr) -> Result<Column> {
        let (l, r) = self.operands(rows)?;
        let columns = [("l", &l), ("r", &r), ("row", rows)];
        let distance =
            || when(col("r").le(col("l"))).then(col("l") - col("r")).otherwise(col("r") - col("l"));
        let mut is_near = distance().le(tolerance.clone());
        if wraps(self.left) {
            is_near = is_near.and(distance().ge(col("l") - col("l")));
        }
        let is_near =
            compute(&columns, is_near, self.exec).map_err(|error| error.in_expression(tolerance))?;
        let columns = [("near", &is_near), ("row", rows)];
        compute(&columns, when(col("near")).then(col("row")).otherwise(none()), self.exec)
    }
}

fn none() -> Expr {
    lit(Literal::Null)
}

/// Whether the distance of two keys is one of 64 bits that is negative if it does not fit: those of times are durations, and
/// are not widened since a tolerance is one too.
fn wraps(keys: &Column) -> bool {
    let dtype = keys.dtype();
    dtype.logical().is_temporal() || matches!(dtype.logical(), DType::Time(_) | DType::Duration(_))
}

/// Digits of the greatest distance of 64-bit integers.
const DISTANCE_DIGITS: u8 = 20;

/// Two keys whose difference does not overflow, unless it [`wraps`].
fn operands(left: &Column, right: &Column, exec: &Exec) -> Result<(Column, Column)> {
    if !left.dtype().is_integer() {
        return Ok((left.clone(), right.clone()));
    }
    let wide = DType::decimal(DISTANCE_DIGITS, 0)?;
    Ok((cast(left, &wide, CastMode::Checked, exec)?, cast(right, &wide, CastMode::Checked, exec)?))
}
