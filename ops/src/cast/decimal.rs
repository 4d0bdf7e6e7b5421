//! Casts from and to decimals.

use super::{CastMode, finish, fixed};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, MAX_PRECISION, Result};
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::elementwise::rescale::rescale;
use columnade_kernels::elementwise::unary::{UnaryOp, unary};
use columnade_kernels::elementwise::{Operand, cast};
use columnade_kernels::{Fixed, FixedData, Storage, Value};

pub(super) fn cast(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    let input = fixed(column)?;
    let unsupported = |dtype: &DType| Error::UnsupportedDType { dtype: dtype.clone() };
    let to_storage = to.storage().ok_or_else(|| unsupported(to))?;
    let data = match (&from, to) {
        (DType::Decimal { scale: old, .. }, DType::Decimal { precision, scale, .. }) => {
            rescale(&input, to_storage, i32::from(*scale) - i32::from(*old), (*precision).into(), exec)?
        }
        (DType::Decimal { scale, .. }, _) if to.is_float() => {
            let floats = cast::cast(&input, Storage::F64, CastMode::Wrap, exec)?;
            let numbers = scaled(BinaryOp::Div, &floats, *scale, exec)?;
            cast::cast(&numbers.view(), to_storage, CastMode::Wrap, exec)?
        }
        (DType::Decimal { .. }, DType::Bool) => cast::cast(&input, Storage::Bit, CastMode::Wrap, exec)?,
        (DType::Decimal { scale, .. }, _) => {
            let whole = rescale(&input, Storage::I128, -i32::from(*scale), MAX_PRECISION.into(), exec)?;
            cast::cast(&whole.view(), to_storage, mode, exec)?
        }
        (_, DType::Decimal { precision, scale, .. }) if from.is_float() => {
            float_to_decimal(&input, to_storage, *precision, *scale, exec)?
        }
        (_, DType::Decimal { precision, scale, .. }) => {
            // Every integer fits in 128 bits, and all but 64-bit unsigned ones fit in 64.
            let wide = if input.storage == Storage::U64 { Storage::I128 } else { Storage::I64 };
            let whole = cast::cast(&input, wide, CastMode::Wrap, exec)?;
            rescale(&whole.view(), to_storage, (*scale).into(), (*precision).into(), exec)?
        }
        _ => return Err(unsupported(&from)),
    };
    finish(to, data)
}

/// The decimal nearest to a float, as exact as the product of the float and the power of ten.
fn float_to_decimal(
    input: &Fixed<'_>,
    to: Storage,
    precision: u8,
    scale: i8,
    exec: &Exec,
) -> Result<FixedData> {
    let floats = cast::cast(input, Storage::F64, CastMode::Wrap, exec)?;
    let digits = scaled(BinaryOp::Mul, &floats, scale, exec)?;
    let whole = unary(UnaryOp::Round, &digits.view(), exec)?;
    let wide = cast::cast(&whole.view(), Storage::I128, CastMode::Checked, exec)?;
    Ok(rescale(&wide.view(), to, 0, precision.into(), exec)?)
}

/// Floats multiplied or divided by ten to the power of `scale`.
fn scaled(op: BinaryOp, floats: &FixedData, scale: i8, exec: &Exec) -> Result<FixedData> {
    if scale == 0 {
        return Ok(floats.clone());
    }
    let power = Operand::Value(Value::F64(10_f64.powi(scale.into())));
    Ok(binary(op, Operand::Column(floats.view()), power, exec)?)
}
