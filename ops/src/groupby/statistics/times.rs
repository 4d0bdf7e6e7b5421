//! Means and deviations of dates, timestamps, times of day and durations, in their units.

use super::super::grouped_rows::{GroupedRows, compute};
use crate::expression::{Aggregation, col};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, MAX_PRECISION, Result, TimeUnit};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{ColumnData, Fixed, Storage, View};

/// 2³², by which counts of units are split in two halves.
pub(super) const HALF: i64 = 1 << 32;
pub(super) const HALF_FLOAT: f64 = 4_294_967_296.0;

/// The durations between values of a dtype, in its unit; seconds between dates. `None` for what is no time.
pub(crate) fn distance(dtype: &DType) -> Option<DType> {
    match dtype.logical() {
        DType::Date32 => Some(DType::Duration(TimeUnit::Second)),
        DType::Timestamp(unit) | DType::TimestampTz(unit, _) | DType::Duration(unit) | DType::Time(unit) => {
            Some(DType::Duration(*unit))
        }
        DType::Bool
        | DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::UInt8
        | DType::UInt16
        | DType::UInt32
        | DType::UInt64
        | DType::Float32
        | DType::Float64
        | DType::Decimal { .. }
        | DType::Utf8
        | DType::Binary
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null => None,
    }
}

/// The dtype of exact sums of times.
pub(crate) fn sum_dtype() -> Result<DType> {
    DType::decimal(MAX_PRECISION, 0)
}

/// The mean of each group: the exact sum divided by the number of values, rounded towards zero, as a time of the same unit.
pub(in crate::groupby) fn mean(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let sums = groups.aggregate(Aggregation::SumWide, values, sum_dtype()?)?;
    divided(&sums, &groups.counts(values)?, &values.dtype(), groups.exec)
}

/// Sums of [`sum_dtype`] divided by `int64` counts, rounded towards zero; null for a count of 0.
pub(crate) fn divided(sums: &Column, counts: &Column, dtype: &DType, exec: &Exec) -> Result<Column> {
    let Some(storage) = dtype.storage() else {
        return Err(Error::UnsupportedDType { dtype: dtype.clone() });
    };
    let counts = cast(&fixed(counts)?, Storage::I128, CastMode::Wrap, exec)?;
    let sums = Operand::Column(fixed(sums)?);
    let means = binary(BinaryOp::Div, sums, Operand::Column(counts.view()), exec)?;
    let means = cast(&means.view(), storage, CastMode::Wrap, exec)?;
    Column::from_data(dtype.clone(), ColumnData::Fixed(means))
}

fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(view) => Ok(view),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

/// The distances of values to the mean of their group in units of the dtype, `float64`: exact before one rounding.
pub(super) fn deviations(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let means = groups.broadcast(&mean(values, groups)?)?;
    let x = || col("x").cast(DType::Int64);
    let mean = || col("mean").cast(DType::Int64);
    let high = x().floor_div(HALF) - mean().floor_div(HALF);
    let low = x() % HALF - mean() % HALF;
    let distance = high.cast(DType::Float64) * HALF_FLOAT + low.cast(DType::Float64);
    compute(&[("x", values), ("mean", &means)], distance, groups.exec)
}

/// Floats as durations between values of `dtype`, in whole units, rounded towards zero.
///
/// # Errors
/// [`Error::Overflow`] for a duration of more than 64 bits.
pub(crate) fn durations(floats: &Column, dtype: &DType, exec: &Exec) -> Result<Column> {
    let Some(result) = distance(dtype) else {
        return Err(Error::UnsupportedDType { dtype: dtype.clone() });
    };
    let per_unit = if *dtype.logical() == DType::Date32 { 86_400.0 } else { 1.0 };
    let counts = (col("x") * per_unit).cast(DType::Int64);
    compute(&[("x", floats)], counts, exec)?.reinterpret(&result)
}
