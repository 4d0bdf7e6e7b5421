//! Three-valued logic of Kleene: null is "unknown".

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::operand::{self, Operand};
use super::validity;
use crate::bits::combine;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// A logical operation. The discriminants are those in `logical.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum LogicalOp {
    /// True if both are; false if either is.
    And = 0,
    /// True if either is; false if both are.
    Or = 1,
    /// True if they differ; null if either is null.
    Xor = 2,
}

impl LogicalOp {
    /// Every operation.
    pub const ALL: [LogicalOp; 3] = [LogicalOp::And, LogicalOp::Or, LogicalOp::Xor];
}

/// Bit `i` of the result is `lhs[i] op rhs[i]` in Kleene's logic.
///
/// ```text
/// and  T F ?      or  T F ?      xor  T F ?
///  T   T F ?       T  T T T       T   F T ?
///  F   F F F       F  T F ?       F   T F ?
///  ?   ? F ?       ?  T ? ?       ?   ? ? ?
/// ```
/// The result has a mask if an operand has one or is null in every row.
///
/// # Shapes and units
/// Two operands of n bits, or a bit for every row → n bits. Without a column the result has one row.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for operands that are not bits.
///
/// # Device
/// One launch for values and mask. Does not synchronise.
///
/// # Source
/// cudf/binaryop.hpp `NULL_LOGICAL_AND`, `NULL_LOGICAL_OR`; pandas `boolean` arrays.
pub fn logical(op: LogicalOp, lhs: Operand<'_>, rhs: Operand<'_>, exec: &Exec) -> Result<FixedData> {
    let len = operand::rows(&lhs, &rhs)?;
    if lhs.storage() != Storage::Bit {
        return Err(Error::UnsupportedStorage { storage: lhs.storage() });
    }
    match exec.device() {
        Device::Host => host::logical(op, &lhs, &rhs, len, exec),
        _ => cuda::logical(op, &lhs, &rhs, len, exec),
    }
}

/// Bit `i` of the result is the negation of `input[i]`; null if that is null.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for an input that is not bits.
///
/// # Device
/// One launch, and one for a mask. Does not synchronise.
pub fn not(input: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    if input.storage != Storage::Bit {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    let data = combine::not(input.data_bits(), exec)?;
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::Bit, len: input.len, data, validity })
}
