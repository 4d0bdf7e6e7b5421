//! Aggregates with exponentially falling weights.
//!
//! All of them are linear recurrences. Of a row with a value, the share `kept` is that of the earlier values among the
//! weights: a mean is `kept · before + (1 − kept) · value`, a variance the same of squared distances, moved to the new mean.

use super::Ordered;
use crate::cast::{CastMode, cast};
use crate::expression::{
    Aggregation, Exponential, ExponentialAggregate, Expr, Literal, aggregate_dtype, col, lit, when,
};
use crate::groupby::grouped_rows::{compute, take};
use columnade_buffers::Device;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::elementwise::unary::{UnaryOp, unary};
use columnade_kernels::scanning::linear_recurrence::linear_recurrence;
use columnade_kernels::{ColumnData, Fixed, View};

/// The aggregate of the rows of a group up to each row.
pub(super) fn exponential(by: Exponential, values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let Exponential { aggregate, window } = by;
    let alpha = window.weight()?;
    aggregate_dtype(Aggregation::Mean, &values.dtype())?;
    let values = rows.values(&cast(values, &DType::Float64, CastMode::Wrap, rows.exec)?)?;
    let of_value = |there: Expr, none: f64| when(col("x").is_null()).then(lit(none)).otherwise(there);
    let value = rows.compute(&[("x", &values)], of_value(col("x"), 0.0))?.without_mask();
    let seen = rows.compute(&[("x", &values)], of_value(lit(1.0), 0.0))?.without_mask();
    let before = rows
        .compute(&[], when(col("row").gt(col("start"))).then(col("row") - 1).otherwise(lit(Literal::Null)))?;
    let first = rows
        .compute(&[], when(col("start").is_null()).then(col("row")).otherwise(col("start")))?
        .without_mask();
    let previous = |of: &Column| -> Result<Column> {
        let found = take(of, &before, rows.exec)?;
        let or_zero = when(col("x").is_null()).then(lit(0.0)).otherwise(col("x"));
        Ok(compute(&[("x", &found)], or_zero, rows.exec)?.without_mask())
    };
    let of = |columns: &[(&str, &Column)], scale: Expr, shift: Expr| -> Result<Column> {
        let all: Vec<_> = [("seen", &seen), ("value", &value)].iter().chain(columns).copied().collect();
        let [scale, shift] = [scale, shift].map(|expr| rows.compute(&all, expr));
        recurrence(scale?.without_mask(), shift?.without_mask(), &first, rows)
    };
    let is_seen = || col("seen").eq(1.0);
    let decay = || {
        if window.ignores_nulls() {
            when(is_seen()).then(lit(1.0 - alpha)).otherwise(lit(1.0))
        } else {
            // A column, as the row functions of an expression are.
            col("seen") * 0.0 + (1.0 - alpha)
        }
    };
    // The weights of the values so far, of which the newest has 1 or, not adjusted, all have 1.
    let scale =
        if window.is_adjusted() { decay() } else { when(is_seen()).then(lit(0.0)).otherwise(decay()) };
    let weights = previous(&of(&[], scale, col("seen"))?)?;
    let new = if window.is_adjusted() { 1.0 } else { alpha };
    let old = || col("weights") * decay();
    let kept = when(is_seen()).then(old() / (old() + new)).otherwise(lit(1.0));
    let kept = rows.compute(&[("seen", &seen), ("weights", &weights)], kept)?.without_mask();
    let with_kept = [("kept", &kept)];
    let rest = || lit(1.0) - col("kept");
    let mean = of(&with_kept, col("kept"), rest() * col("value"))?;
    let found = if aggregate == ExponentialAggregate::Mean {
        mean
    } else {
        let earlier = previous(&mean)?;
        let columns = [("kept", &kept), ("mean", &mean), ("earlier", &earlier)];
        let moved = || col("earlier") - col("mean");
        let apart = || col("value") - col("mean");
        let squares = col("kept") * moved() * moved() + rest() * apart() * apart();
        let squares = when(is_seen()).then(squares).otherwise(lit(0.0));
        let biased = of(&columns, col("kept"), squares)?;
        let variance = if window.is_biased() {
            biased
        } else {
            // The sum of the squared weights, of weights whose sum is 1.
            let shares = when(is_seen()).then(rest() * rest()).otherwise(lit(0.0));
            let shares = of(&with_kept, col("kept") * col("kept"), shares)?;
            let left = || lit(1.0) - col("shares");
            let unbiased = when(left().gt(0.0)).then(col("biased") / left()).otherwise(lit(Literal::Null));
            rows.compute(&[("biased", &biased), ("shares", &shares)], unbiased)?
        };
        if aggregate == ExponentialAggregate::Std { roots(&variance, rows)? } else { variance }
    };
    let counts = of(&[], col("seen") * 0.0 + 1.0, col("seen"))?;
    let least = i64::try_from(window.least_values()).unwrap_or(i64::MAX);
    let enough = col("counts").cast_unchecked(DType::Int64).ge(least) & col("start").is_not_null();
    let or_null = when(enough).then(col("found")).otherwise(lit(Literal::Null));
    rows.in_row_order(&rows.compute(&[("counts", &counts), ("found", &found)], or_null)?)
}

fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(view) => Ok(view),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

fn roots(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let roots = unary(UnaryOp::Sqrt, &fixed(values)?, rows.exec)?;
    Column::from_data(DType::Float64, ColumnData::Fixed(roots))
}

/// `scale · before + shift` from row to row; `shift` in the first row of a group, which is `first`.
///
/// On a device, maps of neighbouring rows are composed, then of rows that are 2, 4, 8 … apart.
fn recurrence(scale: Column, shift: Column, first: &Column, rows: &Ordered<'_>) -> Result<Column> {
    if rows.exec.device() == Device::Host {
        let found = linear_recurrence(&fixed(&scale)?, &fixed(&shift)?, &fixed(first)?, rows.exec)?;
        return Column::from_data(DType::Float64, ColumnData::Fixed(found));
    }
    let count = i64::try_from(scale.size()).unwrap_or(i64::MAX);
    let (mut scale, mut shift, mut distance) = (scale, shift, 1_i64);
    while distance < count {
        let from = col("row") - distance;
        let from = when(from.clone().ge(col("first"))).then(from).otherwise(lit(Literal::Null));
        let from = rows.compute(&[("first", first)], from)?;
        let (scale_before, shift_before) = (take(&scale, &from, rows.exec)?, take(&shift, &from, rows.exec)?);
        let columns = [("a", &scale), ("b", &shift), ("c", &scale_before), ("d", &shift_before)];
        let is_first = || col("c").is_null();
        let composed = when(is_first()).then(col("b")).otherwise(col("a") * col("d") + col("b"));
        let moved = compute(&columns, composed, rows.exec)?.without_mask();
        let composed = when(is_first()).then(col("a")).otherwise(col("a") * col("c"));
        scale = compute(&columns, composed, rows.exec)?.without_mask();
        shift = moved;
        distance *= 2;
    }
    Ok(shift)
}
