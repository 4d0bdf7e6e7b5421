//! Correlations of integers from exact sums: they are accumulated row by row, like sums.

use super::grouped_rows::compute;
use super::statistics::{sqrt, within_limits};
use crate::expression::{Aggregation, Expr, Literal, Statistic, col, lit, resolve, when};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, MAX_PRECISION, Result};
use columnade_kernels::reduction::reduce::reduce;
use columnade_kernels::{Storage, View};

/// The sums of a correlation: the number of pairs, the sums of both values, of their squares and of their products.
pub(super) const SUMS: [&str; 6] = ["n", "x", "y", "xx", "yy", "xy"];

/// Where the upper half of a word begins.
const UPPER: i32 = 32;

/// Rows up to which the number of pairs times a sum of squares has no more than 38 digits: 2³¹ · 2³¹ · 2⁶² < 10³⁸.
const MOST_ROWS: usize = 1 << 31;

/// The aggregates of a correlation: [`SUMS`], or [`packed`] ones; `None` if it is not one of integers whose products fit in 64
/// bits. Sums have 64 bits where those hold that of all rows, for states of groups that take half of the memory; on the host
/// the extremes of a column are looked up for that.
pub(super) fn sums(
    statistic: &Statistic,
    arguments: &[Expr],
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<Option<Vec<Expr>>> {
    let (Statistic::Corr, [x, y]) = (statistic, arguments) else { return Ok(None) };
    let (Some(of_x), Some(of_y)) = (bounds(x, frame, exec)?, bounds(y, frame, exec)?) else {
        return Ok(None);
    };
    if frame.rows() >= MOST_ROWS {
        return Ok(None);
    }
    // Only pairs of two values count. Most columns have no null, so that nothing has to be looked at.
    let has_values = |value: &Expr| frame_column(value, frame).is_some_and(|column| column.mask().is_none());
    let paired = |value: &Expr, other: &Expr, dtype: DType| {
        let value = value.clone().cast(dtype);
        if has_values(other) {
            value
        } else {
            when(other.clone().is_not_null()).then(value).otherwise(lit(Literal::Null))
        }
    };
    let all_count = has_values(x) && has_values(y);
    let of = |dtype: DType| (paired(x, y, dtype.clone()), paired(y, x, dtype));
    let (narrow_x, narrow_y) = of(DType::Int32);
    if let Some(packed) = packed(narrow_x, of_x, narrow_y, of_y, all_count, frame.rows()) {
        return Ok(Some(packed.into()));
    }
    let (x, y) = of(DType::Int64);
    let sum = |values: Expr, most: i64| {
        let is_narrow = i64::try_from(frame.rows()).is_ok_and(|rows| most.checked_mul(rows).is_some());
        values.aggregate(if is_narrow { Aggregation::Sum } else { Aggregation::SumWide })
    };
    let (x_most, y_most) = (magnitude(of_x), magnitude(of_y));
    let of_each = [
        // Null where either is.
        (x.clone() * y.clone()).count(),
        sum(x.clone(), x_most),
        sum(y.clone(), y_most),
        sum(x.clone() * x.clone(), x_most * x_most),
        sum(y.clone() * y.clone(), y_most * y_most),
        sum(x * y, x_most * y_most),
    ];
    Ok(Some(of_each.into()))
}

/// The sums of the distances of the values from their least ones, two in each word, a lower and an upper half: `x` and `y`,
/// `xx` and `xy`, `yy` and `n`, where `y` is the value of the wider range. `None` where a half may not hold those of all rows.
/// The values are of 32 bits, and so are distances and products: half of the bytes of a morsel. `all_count` says that no row
/// has a null.
fn packed(x: Expr, of_x: Bounds, y: Expr, of_y: Bounds, all_count: bool, rows: usize) -> Option<[Expr; 3]> {
    // A correlation is that of the distances from any value.
    let width = |of: Bounds| of.1.checked_sub(of.0);
    let (mut x, mut x_most) = (x - of_x.0, width(of_x)?);
    let (mut y, mut y_most) = (y - of_y.0, width(of_y)?);
    if x_most > y_most {
        ((x, x_most), (y, y_most)) = ((y, y_most), (x, x_most));
    }
    let rows = i64::try_from(rows).ok()?;
    let fits = |most: i64, bits: u32| most.checked_mul(rows).is_some_and(|sum| sum < 1 << bits);
    // The sign is a bit of the upper half. Sums of `y` are at most half of those of its squares, or the number of rows.
    let most = y_most.checked_mul(y_most)?;
    if most > i32::MAX.into() || !fits(most, 32) || !fits(x_most.checked_mul(y_most)?, 31) {
        return None;
    }
    let wide = |value: Expr| value.cast(DType::Int64);
    let pair = |low: Expr, high: Expr| (wide(low) + wide(high).shift_left(UPPER)).aggregate(Aggregation::Sum);
    let one = lit(1_i64 << UPPER);
    let ones =
        if all_count { one } else { when(x.clone().is_not_null()).then(one).otherwise(lit(Literal::Null)) };
    Some([
        pair(x.clone(), y.clone()),
        pair(x.clone() * x.clone(), x * y.clone()),
        (wide(y.clone() * y) + ones).aggregate(Aggregation::Sum),
    ])
}

/// The least and the greatest value.
type Bounds = (i64, i64);

/// What no value is above or, negated, below: at most 2³¹.
fn magnitude((least, most): Bounds) -> i64 {
    most.max(-least)
}

/// The bounds of integers of at most 32 bits, and of integers of 64 bits whose values would fit in 32; `None` for others.
fn bounds(argument: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Option<Bounds>> {
    // Errors are left to the statistic.
    let Ok(typed) = resolve(argument, frame) else { return Ok(None) };
    let of_dtype = match typed.dtype {
        DType::Int8 => Some((i8::MIN.into(), i8::MAX.into())),
        DType::UInt8 => Some((0, u8::MAX.into())),
        DType::Int16 => Some((i16::MIN.into(), i16::MAX.into())),
        DType::UInt16 => Some((0, u16::MAX.into())),
        DType::Int32 => Some((i32::MIN.into(), i32::MAX.into())),
        DType::Int64 => None,
        DType::Null
        | DType::Bool
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
        | DType::Struct(_) => return Ok(None),
    };
    // Where memory is limited a column is not brought back for this.
    let found = match frame_column(argument, frame) {
        Some(column) if exec.device() == Device::Host && exec.budget().is_none() => extremes(column, exec)?,
        _ => None,
    };
    let fits = |bounds: &Bounds| i32::try_from(bounds.0).is_ok() && i32::try_from(bounds.1).is_ok();
    Ok(found.filter(fits).or(of_dtype))
}

/// The extremes of a column of integers; those of one without values are 0.
fn extremes(column: &Column, exec: &Exec) -> Result<Option<Bounds>> {
    let View::Fixed(values) = column.view()? else { return Ok(None) };
    let extreme = |aggregation| -> Result<Option<i64>> {
        let found = reduce(aggregation, &values, exec)?.data;
        let first = match column.dtype().storage() {
            Some(Storage::I8) => found.to_vec::<i8>(exec)?.first().map(|&value| value.into()),
            Some(Storage::U8) => found.to_vec::<u8>(exec)?.first().map(|&value| value.into()),
            Some(Storage::I16) => found.to_vec::<i16>(exec)?.first().map(|&value| value.into()),
            Some(Storage::U16) => found.to_vec::<u16>(exec)?.first().map(|&value| value.into()),
            Some(Storage::I32) => found.to_vec::<i32>(exec)?.first().map(|&value| value.into()),
            Some(Storage::I64) => found.to_vec::<i64>(exec)?.first().copied(),
            _ => None,
        };
        Ok(first)
    };
    Ok(extreme(Aggregation::Min)?.zip(extreme(Aggregation::Max)?))
}

fn frame_column<'a>(expr: &Expr, frame: &'a ColumnAccessor) -> Option<&'a Column> {
    let crate::expression::Node::Column(label) = expr.node() else { return None };
    frame.get(label.clone()).ok()
}

/// A half of the words of a column.
type Half = fn(Expr) -> Expr;

/// The correlation of groups with these [`sums`]: that of two values or more, NaN if all of a side are equal.
pub(super) fn correlation(sums: &[&Column], exec: &Exec) -> Result<Column> {
    let unpacked: Vec<Column>;
    let sums = match sums {
        &[a, b, c] => {
            let half = |sums: &Column, half: Half| compute(&[("sums", sums)], half(col("sums")), exec);
            let low: Half = |sums| sums & i64::from(u32::MAX);
            let high: Half = |sums| sums.shift_right(UPPER);
            let halves = [(c, high), (a, low), (a, high), (b, low), (c, low), (b, high)];
            unpacked = halves.into_iter().map(|(sums, of)| half(sums, of)).collect::<Result<_>>()?;
            unpacked.iter().collect()
        }
        each => each.to_vec(),
    };
    correlation_of_each(&sums, exec)
}

/// That of [`SUMS`].
fn correlation_of_each(sums: &[&Column], exec: &Exec) -> Result<Column> {
    let columns: Vec<(&str, &Column)> = SUMS.into_iter().zip(sums.iter().copied()).collect();
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
