//! Statistics of the sorted values of groups.

use super::super::grouped_rows::{GroupedRows, SortedRows, compute, numbers, row_map, starts};
use super::collect::lists;
use super::times::{HALF, HALF_FLOAT, distance};
use crate::cast::{CastMode, cast};
use crate::copying::{MapNulls, concat as concat_columns, gather_column};
use crate::expression::{Expr, Interpolation, Literal, col, lit, when};
use crate::sort::{NullOrder, Order, SortKey};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, Scalar};
use columnade_kernels::Storage;

fn sorted(values: &Column, order: Order, groups: &GroupedRows<'_>) -> Result<SortedRows> {
    groups.sorted_by(&[SortKey { column: values, order, nulls: NullOrder::Last }])
}

/// The values at some positions of the sorted values of each group; null where a position is.
fn at_positions(values: &Column, positions: &[Column], groups: &GroupedRows<'_>) -> Result<Vec<Column>> {
    if let Some(found) = groups.nth_smallest(values, positions)? {
        return Ok(found);
    }
    let sorted = sorted(values, Order::Ascending, groups)?;
    picked(values, &sorted, &sorted.starts, positions, groups.exec)
}

/// The values at some positions after `start` among the sorted values; null where a position is.
fn picked(
    values: &Column,
    sorted: &SortedRows,
    start: &Column,
    positions: &[Column],
    exec: &Exec,
) -> Result<Vec<Column>> {
    let pick = |position: &Column| {
        let columns = [("start", start), ("position", position)];
        sorted.pick(values, &compute(&columns, col("start") + col("position"), exec)?, exec)
    };
    positions.iter().map(pick).collect()
}

/// `float64` rounded down, as `int64`.
fn floor(expr: Expr) -> Expr {
    expr.floor_div(1.0).cast_unchecked(DType::Int64)
}

/// Where the quantile `q` lies among `n` sorted values.
struct Place {
    /// The position of the value, or of the two values that it lies between.
    positions: Vec<Expr>,
    /// The share of the way from the first value to the second.
    share: Option<Expr>,
}

impl Place {
    fn of(q: &Expr, interpolation: Interpolation) -> Self {
        let place = || (col("n") - 1).cast(DType::Float64) * q.clone();
        let low = || floor(place());
        let fraction = || place() - low().cast(DType::Float64);
        let high = || when(fraction().gt(0.0)).then(low() + 1).otherwise(low());
        let (positions, share) = match interpolation {
            Interpolation::Lower => (vec![low()], None),
            Interpolation::Higher => (vec![high()], None),
            Interpolation::Nearest => {
                let is_odd = (low() % 2).ne(0);
                let up = fraction().gt(0.5).or(fraction().eq(0.5).and(is_odd));
                (vec![when(up).then(low() + 1).otherwise(low())], None)
            }
            Interpolation::Linear => (vec![low(), high()], Some(fraction())),
            Interpolation::Midpoint => {
                let share = when(fraction().gt(0.0)).then(lit(0.5)).otherwise(lit(0.0));
                (vec![low(), high()], Some(share))
            }
        };
        let there = |position| when(col("n").gt(0)).then(position).otherwise(lit(Literal::Null));
        Self { positions: positions.into_iter().map(there).collect(), share }
    }

    /// The quantiles, given `n` and what else the place depends on, and the values at some positions.
    fn value(
        self,
        columns: &[(&str, &Column)],
        at: impl FnOnce(&[Column]) -> Result<Vec<Column>>,
        exec: &Exec,
    ) -> Result<Column> {
        let positions = self.positions.into_iter().map(|position| compute(columns, position, exec));
        let mut found = at(&positions.collect::<Result<Vec<_>>>()?)?.into_iter();
        match (found.next(), found.next(), self.share) {
            (Some(low), Some(high), Some(share)) => {
                between(&low, &high, &compute(columns, share, exec)?, exec)
            }
            (Some(value), None, None) => Ok(value),
            _ => Err(Error::Internal { invariant: "each position has a value" }),
        }
    }
}

/// The value at share `q` of the sorted values that are not null.
pub(super) fn quantile(
    values: &Column,
    q: f64,
    interpolation: Interpolation,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    let count = groups.counts(values)?;
    let at = |positions: &[Column]| at_positions(values, positions, groups);
    Place::of(&lit(q), interpolation).value(&[("n", &count)], at, groups.exec)
}

/// The value at share `q` of `count` values that are sorted, and before all else in `sorted`.
pub(in crate::groupby) fn quantile_of_sorted(
    sorted: &Column,
    count: usize,
    q: f64,
    interpolation: Interpolation,
    exec: &Exec,
) -> Result<Column> {
    let n = Column::from_slice(&[i64::try_from(count).unwrap_or(i64::MAX)], exec)?;
    let at = |positions: &[Column]| {
        let at = |position: &Column| {
            let Scalar::Int64(at) = position.get(0)? else {
                return Column::full_null(&sorted.dtype(), 1, exec);
            };
            sorted.slice(usize::try_from(at).unwrap_or_default(), 1)?.isolate(exec)
        };
        positions.iter().map(at).collect()
    };
    Place::of(&lit(q), interpolation).value(&[("n", &n)], at, exec)
}

/// As many quantiles are selected one by one; more are picked of sorted values.
const SELECTED: usize = 3;

/// Several of them, as a list.
pub(super) fn quantiles(
    values: &Column,
    qs: &[f64],
    interpolation: Interpolation,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    let exec = groups.exec;
    let [n, len] = [groups.len(), qs.len()].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
    let rows = groups.len().checked_mul(qs.len()).ok_or(Error::Overflow { dtype: DType::Int64 })?;
    let places = numbers(rows, exec)?;
    let of_place = |expr: Expr| compute(&[("place", &places)], expr, exec).map(|rows| rows.without_mask());
    let (all, rows) = if qs.len() > SELECTED {
        // The quantiles of the first group, then those of the second.
        let sorted = sorted(values, Order::Ascending, groups)?;
        let group = row_map(&of_place(col("place").floor_div(len))?, exec)?;
        let of_group = |column: &Column| gather_column(column, &group, MapNulls::Never, exec);
        let (count, start) = (of_group(&groups.counts(values)?)?, of_group(&sorted.starts)?);
        let which = row_map(&of_place(col("place") % len)?, exec)?;
        let q = gather_column(&Column::from_slice(qs, exec)?, &which, MapNulls::Never, exec)?;
        let at = |positions: &[Column]| picked(values, &sorted, &start, positions, exec);
        (Place::of(&col("q"), interpolation).value(&[("n", &count), ("q", &q)], at, exec)?, places.clone())
    } else {
        let columns = qs.iter().map(|&q| quantile(values, q, interpolation, groups));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let all = match columns.as_slice() {
            [] => quantile(values, 0.0, interpolation, groups)?,
            _ => concat_columns(&columns.iter().collect::<Vec<_>>(), exec)?,
        };
        // The first quantile of each group, then the second of each: the lists take one of each.
        let row =
            if qs.is_empty() { col("place") } else { (col("place") % len) * n + col("place").floor_div(len) };
        (all, of_place(row)?)
    };
    let group = numbers(groups.len(), exec)?;
    let starts = compute(&[("group", &group)], col("group") * len, exec)?;
    let lengths = Column::from_scalar(&Scalar::Int64(len), groups.len(), exec)?;
    lists(&all, &row_map(&rows, exec)?, &starts, &lengths, exec)
}

/// The values at `share` of the way from `low` to `high`, columns of one dtype: `float64` of numbers; times keep their dtype.
pub(crate) fn between(low: &Column, high: &Column, share: &Column, exec: &Exec) -> Result<Column> {
    let dtype = low.dtype();
    let logical = dtype.logical();
    if distance(logical).is_some() {
        return between_times(low, high, share, logical, exec);
    }
    let floats = |column: &Column| cast(column, &DType::Float64, CastMode::Wrap, exec);
    let (a, b) = (floats(low)?, floats(high)?);
    compute(&[("a", &a), ("b", &b), ("share", share)], on_line(&col("a"), &col("b"), &col("share")), exec)
}

/// The number at `share`, from 0 to below 1, of the way from `a` to `b`, which are `float64`.
pub(crate) fn on_line(a: &Expr, b: &Expr, share: &Expr) -> Expr {
    let distance = b.clone() - a.clone();
    let near = a.clone() + distance.clone() * share.clone();
    // The distance of numbers of unlike signs may be beyond all numbers, and that from an infinity is.
    let far = a.clone() * (1.0 - share.clone()) + b.clone() * share.clone();
    // Equal ends, infinite ones too, need no arithmetic.
    when(share.clone().eq(0.0).or(a.clone().eq(b.clone())))
        .then(a.clone())
        .otherwise(when(distance.is_finite()).then(near).otherwise(far))
}

/// Between two times, in whole units, rounded towards zero.
fn between_times(low: &Column, high: &Column, share: &Column, dtype: &DType, exec: &Exec) -> Result<Column> {
    let count = |column: &Column| cast(column, &DType::Int64, CastMode::Wrap, exec);
    let (a, b) = (count(low)?, count(high)?);
    // In two halves, so that a middle is exact.
    let distance = || col("b") - col("a");
    let high = || distance().floor_div(HALF).cast(DType::Float64) * col("share");
    let of_rest = || (high() - high().floor_div(1.0)) * HALF_FLOAT;
    let rest = || of_rest() + (distance() % HALF).cast(DType::Float64) * col("share");
    let down = || col("a") + floor(high()) * HALF + floor(rest());
    let has_fraction = rest().ne(rest().floor_div(1.0));
    let value = when(down().lt(0).and(has_fraction)).then(down() + 1).otherwise(down());
    let value = compute(&[("a", &a), ("b", &b), ("share", share)], value, exec)?;
    let is_narrow = dtype.storage() == Some(Storage::I32);
    let value = if is_narrow { cast(&value, &DType::Int32, CastMode::Wrap, exec)? } else { value };
    value.reinterpret(dtype)
}

/// The first `k` values in `order` of each group, as lists.
pub(super) fn extremes(values: &Column, k: u64, order: Order, groups: &GroupedRows<'_>) -> Result<Column> {
    if let Some((rows, lengths)) = groups.top_rows(values, k, order)? {
        return lists(
            values,
            &row_map(&rows, groups.exec)?,
            &starts(&lengths, groups.exec)?,
            &lengths,
            groups.exec,
        );
    }
    let sorted = sorted(values, order, groups)?;
    let counts = groups.counts(values)?;
    let k = i64::try_from(k).unwrap_or(i64::MAX);
    let lengths = when(col("n").lt(k)).then(col("n")).otherwise(lit(k));
    let lengths = compute(&[("n", &counts)], lengths, groups.exec)?;
    lists(values, &sorted.map, &sorted.starts, &lengths, groups.exec)
}
