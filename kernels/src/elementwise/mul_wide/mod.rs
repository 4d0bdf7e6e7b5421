//! Products of two 64-bit integers in 128 bits.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::operand::{self, Operand};
use super::validity;
use crate::{Error, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is `lhs[i] * rhs[i]`, exact; null if either is null.
///
/// Used for the product of two decimals of up to 18 digits, without a widened copy of either.
///
/// # Shapes and units
/// Two operands of n rows of [`Storage::I64`], or a value for every row → n rows of [`Storage::I128`].
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for another storage type.
///
/// # Device
/// One launch, and one for a mask. Does not synchronise.
pub fn mul_wide(lhs: Operand<'_>, rhs: Operand<'_>, exec: &Exec) -> Result<FixedData> {
    let len = operand::rows(&lhs, &rhs)?;
    if lhs.storage() != Storage::I64 {
        return Err(Error::UnsupportedStorage { storage: lhs.storage() });
    }
    if lhs.is_null() || rhs.is_null() {
        return validity::all_null(Storage::I128, len, exec);
    }
    let data = match exec.device() {
        Device::Host => host::mul_wide(&lhs, &rhs, len, exec)?,
        _ => cuda::mul_wide(&lhs, &rhs, len, exec)?,
    };
    Ok(FixedData { storage: Storage::I128, len, data, validity: validity::of_operands(&lhs, &rhs, exec)? })
}
