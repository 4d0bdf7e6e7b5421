//! Correlations of integers from exact sums: they are accumulated row by row, like sums.

use super::grouped_rows::compute;
use super::statistics::{sqrt, within_limits};
use crate::expression::{Aggregation, Expr, Literal, Statistic, col, lit, resolve, when};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Result};

/// The sums of a correlation: the number of pairs, the sums of both values, of their squares and of their products.
pub(super) const SUMS: [&str; 6] = ["n", "x", "y", "xx", "yy", "xy"];

/// Rows up to which the number of pairs times a sum of squares has no more than 38 digits: 2³¹ · 2³¹ · 2⁶² < 10³⁸.
const MOST_ROWS: usize = 1 << 31;

/// The aggregates [`SUMS`] of a correlation; `None` if it is not one of integers whose products fit in 64 bits.
pub(super) fn sums(statistic: &Statistic, arguments: &[Expr], frame: &ColumnAccessor) -> Option<[Expr; 6]> {
    let (Statistic::Corr, [x, y]) = (statistic, arguments) else { return None };
    let is_small = |argument: &Expr| {
        // Errors are left to the statistic.
        resolve(argument, frame).is_ok_and(|typed| match typed.dtype {
            DType::Int8 | DType::Int16 | DType::Int32 | DType::UInt8 | DType::UInt16 => true,
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
            | DType::Struct(_) => false,
        })
    };
    if frame.rows() >= MOST_ROWS || !is_small(x) || !is_small(y) {
        return None;
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
    let sum = |values: Expr| values.aggregate(Aggregation::SumWide);
    Some([
        // Null where either is.
        (x.clone() * y.clone()).count(),
        sum(x.clone()),
        sum(y.clone()),
        sum(x.clone() * x.clone()),
        sum(y.clone() * y.clone()),
        sum(x * y),
    ])
}

fn frame_column<'a>(expr: &Expr, frame: &'a ColumnAccessor) -> Option<&'a Column> {
    let crate::expression::Node::Column(label) = expr.node() else { return None };
    frame.get(label.clone()).ok()
}

/// The correlation of groups with these [`SUMS`]: that of two values or more, NaN if all of a side are equal.
pub(super) fn correlation(sums: [&Column; 6], exec: &Exec) -> Result<Column> {
    let columns: Vec<(&str, &Column)> = SUMS.into_iter().zip(sums).collect();
    // The number of pairs times a sum of products of deviations, exact until it is rounded once.
    let product = |sum: &str, left: &str, right: &str| {
        let exact = col("n") * col(sum) - col(left) * col(right);
        compute(&columns, exact.cast(DType::Float64), exec)
    };
    let (xy, xx, yy) = (product("xy", "x", "y")?, product("xx", "x", "x")?, product("yy", "y", "y")?);
    let (x, y) = (sqrt(&xx, exec)?, sqrt(&yy, exec)?);
    let ratio = within_limits(col("xy") / (col("x") * col("y")));
    let ratio = when(col("n").ge(2)).then(ratio).otherwise(lit(Literal::Null));
    compute(&[("xy", &xy), ("x", &x), ("y", &y), ("n", sums[0])], ratio, exec)
}
