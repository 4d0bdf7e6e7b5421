//! Correlations of integers from exact sums: they are accumulated row by row, like sums.

use super::grouped_rows::compute;
use super::statistics::{sqrt, within_limits};
use crate::expression::{Aggregation, Expr, Literal, Statistic, col, lit, resolve, when};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, MAX_PRECISION, Result};
use columnade_kernels::View;
use columnade_kernels::reduction::reduce::reduce;

/// The sums of a correlation: the number of pairs, the sums of both values, of their squares and of their products.
pub(super) const SUMS: [&str; 6] = ["n", "x", "y", "xx", "yy", "xy"];

/// Rows up to which the number of pairs times a sum of squares has no more than 38 digits: 2³¹ · 2³¹ · 2⁶² < 10³⁸.
const MOST_ROWS: usize = 1 << 31;

/// The aggregates [`SUMS`] of a correlation; `None` if it is not one of integers whose products fit in 64 bits. Sums have
/// 64 bits where those hold that of all rows, for states of groups that take half of the memory; on the host the
/// extremes of a column are looked up for that.
pub(super) fn sums(
    statistic: &Statistic,
    arguments: &[Expr],
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<Option<[Expr; 6]>> {
    let (Statistic::Corr, [x, y]) = (statistic, arguments) else { return Ok(None) };
    let (Some(x_most), Some(y_most)) = (magnitude(x, frame, exec)?, magnitude(y, frame, exec)?) else {
        return Ok(None);
    };
    if frame.rows() >= MOST_ROWS {
        return Ok(None);
    }
    // Only pairs of two values count. Most columns have no null, so that nothing has to be looked at.
    let paired = |value: &Expr, other: &Expr| {
        let value = value.clone().cast(DType::Int64);
        match frame_column(other, frame) {
            Some(column) if column.mask().is_none() => value,
            _ => when(other.clone().is_not_null()).then(value).otherwise(lit(Literal::Null)),
        }
    };
    let (x, y) = (paired(x, y), paired(y, x));
    let sum = |values: Expr, most: i64| {
        let is_narrow = i64::try_from(frame.rows()).is_ok_and(|rows| most.checked_mul(rows).is_some());
        values.aggregate(if is_narrow { Aggregation::Sum } else { Aggregation::SumWide })
    };
    // No magnitude is above 2³¹.
    Ok(Some([
        // Null where either is.
        (x.clone() * y.clone()).count(),
        sum(x.clone(), x_most),
        sum(y.clone(), y_most),
        sum(x.clone() * x.clone(), x_most * x_most),
        sum(y.clone() * y.clone(), y_most * y_most),
        sum(x * y, x_most * y_most),
    ]))
}

/// What no value of integers of at most 32 bits is above or, negated, below; `None` for other dtypes.
fn magnitude(argument: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Option<i64>> {
    // Errors are left to the statistic.
    let Ok(typed) = resolve(argument, frame) else { return Ok(None) };
    Ok(match typed.dtype {
        DType::Int8 | DType::UInt8 => Some(1 << 8),
        DType::Int16 | DType::UInt16 => Some(1 << 16),
        DType::Int32 => match frame_column(argument, frame) {
            // Where memory is limited a column is not brought back for this.
            Some(column) if exec.device() == Device::Host && exec.budget().is_none() => {
                Some(largest_magnitude(column, exec)?)
            }
            _ => Some(1 << 31),
        },
        DType::Null
        | DType::Bool
        | DType::Int64
        | DType::UInt32
        | DType::UInt64
        | DType::Float32
        | DType::Float64
        | DType::Utf8
        | DType::Binary
        | DType::Date32
        | DType::Timestamp(..)
        | DType::TimestampTz(..)
        | DType::Duration(_)
        | DType::Time(_)
        | DType::Decimal { .. }
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_) => None,
    })
}

/// The largest magnitude of a column of 32-bit integers.
fn largest_magnitude(column: &Column, exec: &Exec) -> Result<i64> {
    let View::Fixed(values) = column.view()? else { return Ok(1 << 31) };
    let mut largest = 0;
    for extreme in [Aggregation::Min, Aggregation::Max] {
        let found = reduce(extreme, &values, exec)?;
        // Of a column without values it is 0.
        let found = found.data.to_vec::<i32>(exec)?.first().copied().unwrap_or(0);
        largest = largest.max(i64::from(found).abs());
    }
    Ok(largest)
}

fn frame_column<'a>(expr: &Expr, frame: &'a ColumnAccessor) -> Option<&'a Column> {
    let crate::expression::Node::Column(label) = expr.node() else { return None };
    frame.get(label.clone()).ok()
}

/// The correlation of groups with these [`SUMS`]: that of two values or more, NaN if all of a side are equal.
pub(super) fn correlation(sums: [&Column; 6], exec: &Exec) -> Result<Column> {
    let columns: Vec<(&str, &Column)> = SUMS.into_iter().zip(sums).collect();
    let wide = DType::decimal(MAX_PRECISION, 0)?;
    // The number of pairs times a sum of products of deviations, exact until it is rounded once.
    let product = |sum: &str, left: &str, right: &str| {
        let [sum, left, right] = [sum, left, right].map(|sum| col(sum).cast(wide.clone()));
        let exact = col("n") * sum - left * right;
        compute(&columns, exact.cast(DType::Float64), exec)
    };
    let (xy, xx, yy) = (product("xy", "x", "y")?, product("xx", "x", "x")?, product("yy", "y", "y")?);
    let (x, y) = (sqrt(&xx, exec)?, sqrt(&yy, exec)?);
    let ratio = within_limits(col("xy") / (col("x") * col("y")));
    let ratio = when(col("n").ge(2)).then(ratio).otherwise(lit(Literal::Null));
    compute(&[("xy", &xy), ("x", &x), ("y", &y), ("n", sums[0])], ratio, exec)
}
