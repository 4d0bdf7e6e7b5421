//! Quotients of decimals.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::operand::{self, Operand};
use super::overflow::{self, Checked};
use super::{compare, validity};
use crate::elementwise::compare::CompareOp;
use crate::{Bits, Error, FixedData, Result, Storage, Value};
use columnade_buffers::{Buffer, Device, Exec};

/// Row `i` of the result is `lhs[i] · 10^power / rhs[i]`, rounded half away from zero; null if either is null or the
/// divisor is zero. The dividend may have any number of digits on the way.
///
/// # Shapes and units
/// Two operands of n rows of [`Storage::I128`], or a value for every row → n rows of [`Storage::I128`].
///
/// # Errors
/// [`Error::Overflow`] if a quotient of a valid row has more than 38 digits; [`Error::LengthMismatch`];
/// [`Error::UnsupportedStorage`] for another storage type.
///
/// # Device
/// One launch, three for a mask, and one synchronisation to detect overflow.
///
/// # Source
/// SQL division of decimals; Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D.
pub fn divide_decimals(lhs: Operand<'_>, rhs: Operand<'_>, power: i32, exec: &Exec) -> Result<FixedData> {
    match exec.device() {
        Device::Host => {
            let len = check(&lhs, &rhs)?;
            if lhs.is_null() || rhs.is_null() {
                return validity::all_null(Storage::I128, len, exec);
            }
            let validity = mask(&lhs, &rhs, len, exec)?;
            let valid = validity.as_ref().map(|buffer| Bits { buffer, offset: 0, len });
            let data = host::divide_decimals(&lhs, &rhs, power, valid, len, exec)?;
            Ok(FixedData { storage: Storage::I128, len, data, validity })
        }
        _ => overflow::refuse(divide_decimals_by_row(lhs, rhs, power, exec)?, exec),
    }
}

/// [`divide_decimals`] on a device, with the rows that overflow.
pub(crate) fn divide_decimals_by_row(
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    power: i32,
    exec: &Exec,
) -> Result<Checked> {
    let len = check(&lhs, &rhs)?;
    if lhs.is_null() || rhs.is_null() {
        return Ok((validity::all_null(Storage::I128, len, exec)?, None));
    }
    let validity = mask(&lhs, &rhs, len, exec)?;
    let valid = validity.as_ref().map(|buffer| Bits { buffer, offset: 0, len });
    let (data, overflow) = cuda::divide_decimals(&lhs, &rhs, power, valid, len, exec)?;
    Ok((FixedData { storage: Storage::I128, len, data, validity }, overflow))
}

fn check(lhs: &Operand<'_>, rhs: &Operand<'_>) -> Result<usize> {
    if lhs.storage() != Storage::I128 {
        return Err(Error::UnsupportedStorage { storage: lhs.storage() });
    }
    operand::rows(lhs, rhs)
}

/// The rows that are valid in both operands and have a divisor.
fn mask(lhs: &Operand<'_>, rhs: &Operand<'_>, len: usize, exec: &Exec) -> Result<Option<Buffer>> {
    let zero = Value::zero(Storage::I128);
    match rhs {
        Operand::Value(value) if *value == zero => Ok(Some(Buffer::zeroed(len.div_ceil(8), exec)?)),
        Operand::Value(_) => validity::of_operands(lhs, rhs, exec),
        _ => {
            let nonzero = compare::data(CompareOp::Ne, rhs, &Operand::Value(zero), len, exec)?;
            let nonzero = Bits { buffer: &nonzero, offset: 0, len };
            validity::intersect(&[lhs.validity_bits(), rhs.validity_bits(), Some(nonzero)], exec)
        }
    }
}
