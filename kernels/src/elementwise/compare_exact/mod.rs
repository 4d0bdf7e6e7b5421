//! Comparisons of numbers that have no common storage type: neither side is rounded, and nothing overflows.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::compare::CompareOp;
use super::operand::{self, Operand};
use super::validity;
use crate::{Error, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Bit `i` of the result is `lhs[i] op rhs[i] · factor`, exactly; null if either is null.
///
/// So compare decimals of different scales, and times of different units.
///
/// # Shapes and units
/// Two operands of n rows of [`Storage::I64`] or [`Storage::I128`], or a value for every row → n bits; `factor`: above 0.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for other storage types;
/// [`Error::InvalidArgument`] for another factor.
///
/// # Device
/// One launch, and one for a mask. Does not synchronise.
pub fn compare_scaled(
    op: CompareOp,
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    factor: i128,
    exec: &Exec,
) -> Result<FixedData> {
    let storage = lhs.storage();
    if !matches!(storage, Storage::I64 | Storage::I128) {
        return Err(Error::UnsupportedStorage { storage });
    }
    if factor <= 0 {
        return Err(Error::InvalidArgument { name: "factor", reason: "it is not above 0" });
    }
    let len = operand::rows(&lhs, &rhs)?;
    run(op, lhs, rhs, factor, len, exec)
}

/// Bit `i` of the result is `lhs[i] op rhs[i]`, of an integer and a float, exactly; null if either is null. A NaN differs
/// from every integer.
///
/// # Shapes and units
/// lhs: n rows of [`Storage::I64`] or [`Storage::U64`], rhs: n rows of [`Storage::F64`], or a value for every row → n bits.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for other storage types.
///
/// # Device
/// One launch, and one for a mask. Does not synchronise.
///
/// # Source
/// Comparisons of `int` and `float` in Python.
pub fn compare_float(op: CompareOp, lhs: Operand<'_>, rhs: Operand<'_>, exec: &Exec) -> Result<FixedData> {
    if !matches!(lhs.storage(), Storage::I64 | Storage::U64) {
        return Err(Error::UnsupportedStorage { storage: lhs.storage() });
    }
    if rhs.storage() != Storage::F64 {
        return Err(Error::UnsupportedStorage { storage: rhs.storage() });
    }
    let len = match (lhs.rows(), rhs.rows()) {
        (Some(left), Some(right)) if left != right => return Err(Error::LengthMismatch { left, right }),
        (Some(rows), _) | (None, Some(rows)) => rows,
        (None, None) => 1,
    };
    run(op, lhs, rhs, 1, len, exec)
}

fn run(
    op: CompareOp,
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    factor: i128,
    len: usize,
    exec: &Exec,
) -> Result<FixedData> {
    if lhs.is_null() || rhs.is_null() {
        return validity::all_null(Storage::Bit, len, exec);
    }
    let data = match exec.device() {
        Device::Host => host::compare_exact(op, &lhs, &rhs, factor, len, exec)?,
        _ => cuda::compare_exact(op, &lhs, &rhs, factor, len, exec)?,
    };
    Ok(FixedData { storage: Storage::Bit, len, data, validity: validity::of_operands(&lhs, &rhs, exec)? })
}
