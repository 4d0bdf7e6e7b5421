//! Products of windows.
//!
//! Of decimals a product of whole numbers is exact in the kernel. Factors become such by leaving out the zeros at their ends:
//! their digits after the point are counted beside them, and the point is put back at the end.

use super::rolling::{Bounds, of_windows};
use crate::expression::{Aggregation, Expr, Literal, aggregate_dtype, col, lit, when};
use crate::groupby::grouped_rows::{compute, take};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, DecimalStorage, Error, ErrorKind, MAX_PRECISION, Result, Scalar};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::rolling::rolling_window::WindowAggregation;
use columnade_kernels::{ColumnData, Storage};

/// Digits after the point of a product of values that have any, unless the values have more: half of those that there are.
const DIGITS: i8 = 19;

const WHOLE: DType = DType::Decimal { precision: MAX_PRECISION, scale: 0, storage: DecimalStorage::Bits128 };

/// The dtype of a product: as that of a sum, but durations have none. A product of decimals has 38 digits: none after the point if
/// the values have none, else 19, or as many as the values have.
pub(crate) fn product_dtype(dtype: &DType) -> Result<DType> {
    if matches!(dtype, DType::Duration(_)) {
        return Err(Error::UnsupportedDType { dtype: dtype.clone() });
    }
    match scale_of(dtype) {
        0 => aggregate_dtype(Aggregation::Sum, dtype),
        scale @ 1.. => DType::decimal(MAX_PRECISION, scale.max(DIGITS)),
        _ => Ok(WHOLE),
    }
}

/// The product of the values of each window; null for fewer than `min_values`.
pub(crate) fn product(values: &Column, bounds: &Bounds, min_values: u64, exec: &Exec) -> Result<Column> {
    let dtype = product_dtype(&values.dtype())?;
    if scale_of(&values.dtype()) == 0 {
        return of_windows(WindowAggregation::Product, values, &dtype, bounds, min_values, exec);
    }
    of_decimals(values, &dtype, bounds, min_values, exec)
}

/// The digits after the point of decimals, 0 of other dtypes.
fn scale_of(dtype: &DType) -> i8 {
    if let DType::Decimal { scale, .. } = dtype { *scale } else { 0 }
}

/// The exact product of the values of each window, as `dtype`.
///
/// # Errors
/// [`Error::Overflow`] for a product that `dtype` does not hold, and one whose factors have more than 38 digits in all, zeros
/// at their ends not counted.
fn of_decimals(
    values: &Column,
    dtype: &DType,
    bounds: &Bounds,
    min_values: u64,
    exec: &Exec,
) -> Result<Column> {
    let (DType::Decimal { scale, .. }, DType::Decimal { scale: digits, .. }) = (values.dtype(), dtype) else {
        return Err(Error::UnsupportedDType { dtype: values.dtype() });
    };
    let overflow = || Error::Overflow { dtype: dtype.clone() };
    let (factors, places) = without_zeros(values, scale, exec)?;
    let products = of_windows(WindowAggregation::Product, &factors, &WHOLE, bounds, min_values, exec)
        .map_err(|error| if is_overflow(&error) { overflow() } else { error })?;
    let places = of_windows(WindowAggregation::Sum, &places, &DType::Int64, bounds, 0, exec)?;

    // Zeros are put at the end where the result has more digits after the point, and taken away where it has fewer.
    let most = i64::from(MAX_PRECISION) - 1;
    let powers = powers(exec)?;
    let more = compute(&[("places", &places)], lit(i64::from(*digits)) - col("places"), exec)?;
    let within = |of: Expr| {
        when(of.clone().lt(0))
            .then(lit(0_i64))
            .otherwise(when(of.clone().gt(most)).then(lit(most)).otherwise(of))
    };
    let power = |of| take(&powers, &compute(&[("more", &more)], within(of), exec)?, exec);
    let (factor, divisor) = (power(col("more"))?, power(-col("more"))?);
    let columns = [("product", &products), ("more", &more), ("divisor", &divisor)];
    let is_zero = || col("product").eq(0);
    let in_reach = col("more").le(most).and(col("more").ge(-most));
    let is_exact = is_zero().or(in_reach.and((col("product") % col("divisor")).eq(0)));
    let lost = compute(&columns, when(col("product").is_null()).then(lit(false)).otherwise(!is_exact), exec)?;
    if any(&lost)? {
        return Err(overflow());
    }
    let columns = [("product", &products), ("factor", &factor), ("divisor", &divisor)];
    let whole = (col("product").floor_div(col("divisor")) * col("factor")).cast(WHOLE);
    let whole = compute(&columns, whole, exec)
        .map_err(|error| if is_overflow(&error) { overflow() } else { error })?;
    whole.reinterpret(dtype)
}

fn is_overflow(error: &Error) -> bool {
    error.kind() == ErrorKind::Overflow
}

/// The digits of the values without zeros at their ends as whole numbers, and how many of them are after the point.
fn without_zeros(values: &Column, scale: i8, exec: &Exec) -> Result<(Column, Column)> {
    let wide = cast(&super::rolling::fixed(values)?, Storage::I128, CastMode::Wrap, exec)?;
    let mut digits = Column::from_data(WHOLE, ColumnData::Fixed(wide))?;
    let mut places = Column::from_scalar(&Scalar::Int64(i64::from(scale)), values.size(), exec)?;
    for zeros in [32_u32, 16, 8, 4, 2, 1] {
        let power = || lit(Literal::Decimal { value: 10_i128.pow(zeros), scale: 0 });
        let ends = || (col("x") % power()).eq(0);
        let columns = [("x", &digits), ("places", &places)];
        let shorter = when(ends()).then(col("x").floor_div(power())).otherwise(col("x")).cast(WHOLE);
        let fewer = when(ends()).then(col("places") - i64::from(zeros)).otherwise(col("places"));
        let (shorter, fewer) = (compute(&columns, shorter, exec)?, compute(&columns, fewer, exec)?);
        (digits, places) = (shorter, fewer);
    }
    // Nulls are no factors.
    let places = match digits.mask() {
        Some(_) => {
            let of_valid = when(col("x").is_null()).then(lit(0_i64)).otherwise(col("places"));
            compute(&[("x", &digits), ("places", &places)], of_valid, exec)?.without_mask()
        }
        None => places,
    };
    Ok((digits, places))
}

/// 1, 10, 100 … of up to 38 digits.
fn powers(exec: &Exec) -> Result<Column> {
    let powers = (0..u32::from(MAX_PRECISION)).map(|power| Scalar::Decimal {
        value: 10_i128.pow(power),
        precision: MAX_PRECISION,
        scale: 0,
    });
    Column::from_scalars(&WHOLE, &powers.collect::<Vec<_>>(), exec)
}

fn any(values: &Column) -> Result<bool> {
    Ok(values.to_options::<bool>()?.into_iter().flatten().any(|value| value))
}
