//! Nulls filled from rows before or after.

use super::Ordered;
use super::cumulative::running;
use crate::cast::{CastMode, cast};
use crate::expression::{Aggregation, Expr, Literal, col, lit, when};
use crate::groupby::grouped_rows::{compute, take, validity};
use crate::groupby::statistics::order::on_line;
use columnade_columns::{Column, DType, Error, Result, Scalar};

/// Nulls as the last valid value before them.
pub(super) fn forward(values: &Column, limit: Option<u64>, rows: &Ordered<'_>) -> Result<Column> {
    let last = last_valid(values, rows)?;
    let is_there = col("last").ge(col("start")).and(within(col("row") - col("last"), limit));
    filled(values, &last, is_there, rows)
}

/// Nulls as the first valid value after them.
pub(super) fn backward(values: &Column, limit: Option<u64>, rows: &Ordered<'_>) -> Result<Column> {
    let next = next_valid(values, rows)?;
    let is_there = col("last").lt(col("end")).and(within(col("last") - col("row"), limit));
    filled(values, &next, is_there, rows)
}

/// Nulls between two numbers or times as those on the line between them.
pub(super) fn interpolate(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let dtype = values.dtype();
    let is_time = dtype.is_temporal() || matches!(dtype, DType::Duration(_) | DType::Time(_));
    if !dtype.is_numeric() && !is_time {
        return Err(Error::UnsupportedDType { dtype });
    }
    let (last, next) = (last_valid(values, rows)?, next_valid(values, rows)?);
    let number = |row: &Column| take(values, &take(rows.order()?, row, rows.exec)?, rows.exec);
    let columns = [("last", &last), ("next", &next)];
    let found = |row: &str| when(col("last").ge(col("start")) & col("next").lt(col("end"))).then(col(row));
    let from = rows.compute(&columns, found("last").otherwise(null()))?;
    let to = rows.compute(&columns, found("next").otherwise(null()))?;
    let columns = [("last", &from), ("next", &to), ("a", &number(&from)?), ("b", &number(&to)?)];
    let (place, distance) = (col("row") - col("last"), col("next") - col("last"));
    let (a, line) = if is_time {
        // In whole units, rounded down.
        let (a, b) = (col("a").cast(DType::Int64), col("b").cast(DType::Int64));
        let span = b.checked_sub(a.clone());
        let (whole, rest) = (span.clone().floor_div(distance.clone()), span % distance.clone());
        let moved = whole * place.clone() + (rest * place).floor_div(distance);
        (a.clone(), a + moved)
    } else {
        let (a, b) = (col("a").cast(DType::Float64), col("b").cast(DType::Float64));
        let line = on_line(&a, &b, &(place / distance));
        (a, line)
    };
    let ordered = rows.compute(&columns, when(col("last").eq(col("next"))).then(a).otherwise(line))?;
    let found = rows.in_row_order(&ordered)?;
    if is_time || dtype == DType::Float32 {
        cast(&found, &dtype, CastMode::Checked, rows.exec)
    } else {
        Ok(found)
    }
}

/// The last of the ordered rows up to each one that is valid, of any group.
fn last_valid(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let valid = valid(values, rows)?;
    let seen = rows.compute(&[("valid", &valid)], when(col("valid")).then(col("row")).otherwise(null()))?;
    running_without_gaps(&seen, rows)
}

/// The first of the ordered rows from each one on that is valid, of any group.
fn next_valid(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let valid = valid(values, rows)?;
    let n = i64::try_from(values.size()).unwrap_or(i64::MAX);
    // Backwards, a running maximum of negative positions finds the least one.
    let backwards = compute(&[("row", rows.positions()?)], lit(n - 1) - col("row"), rows.exec)?;
    let seen =
        rows.compute(&[("valid", &valid)], when(col("valid")).then(lit(0) - col("row")).otherwise(null()))?;
    let reversed = take(&seen, &backwards, rows.exec)?;
    let next = take(&running_without_gaps(&reversed, rows)?, &backwards, rows.exec)?;
    compute(&[("next", &next)], lit(0) - col("next"), rows.exec)
}

fn null() -> Expr {
    lit(Literal::Null)
}

fn within(distance: Expr, limit: Option<u64>) -> Expr {
    distance.le(limit.map_or(i64::MAX, |limit| i64::try_from(limit).unwrap_or(i64::MAX)))
}

/// The running maximum, for null rows too.
fn running_without_gaps(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let least = when(col("x").is_null()).then(lit(i64::MIN)).otherwise(col("x"));
    let values = compute(&[("x", values)], least, rows.exec)?.without_mask();
    let running = running(Aggregation::Max, &values, rows)?;
    compute(&[("x", &running)], when(col("x").eq(i64::MIN)).then(null()).otherwise(col("x")), rows.exec)
}

/// Which of the ordered rows are valid.
fn valid(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    match validity(values, rows.exec)? {
        Some(valid) => rows.values(&valid),
        // Rows of no group are null all the same.
        None => Column::from_scalar(&Scalar::Bool(true), values.size(), rows.exec),
    }
}

/// The values at the ordered rows `last` where `is_there` holds.
fn filled(values: &Column, last: &Column, is_there: Expr, rows: &Ordered<'_>) -> Result<Column> {
    let source = rows.compute(&[("last", last)], when(is_there).then(col("last")).otherwise(null()))?;
    let source = take(rows.order()?, &source, rows.exec)?;
    take(values, &rows.in_row_order(&source)?, rows.exec)
}
