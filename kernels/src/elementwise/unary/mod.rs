//! Arithmetic of one column.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::validity;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// The operation. The discriminants are those in `unary.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum UnaryOp {
    /// The negative; wraps around.
    Neg = 0,
    /// The magnitude; that of the smallest integer wraps around to itself.
    Abs = 1,
    /// Every bit of an integer inverted.
    BitNot = 2,
    /// The square root of a float, correctly rounded; NaN for negative numbers.
    Sqrt = 3,
    /// A float rounded down.
    Floor = 4,
    /// A float rounded up.
    Ceil = 5,
    /// A float rounded towards zero.
    Trunc = 6,
    /// A float rounded to the nearest integer, halves to even.
    Round = 7,
}

impl UnaryOp {
    /// Every operation.
    pub const ALL: [UnaryOp; 8] = [
        UnaryOp::Neg,
        UnaryOp::Abs,
        UnaryOp::BitNot,
        UnaryOp::Sqrt,
        UnaryOp::Floor,
        UnaryOp::Ceil,
        UnaryOp::Trunc,
        UnaryOp::Round,
    ];

    /// Whether the operation supports `storage`.
    pub const fn takes(self, storage: Storage) -> bool {
        match self {
            UnaryOp::Neg | UnaryOp::Abs => !matches!(storage, Storage::Bit),
            UnaryOp::BitNot => storage.is_integer(),
            UnaryOp::Sqrt | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Round => {
                storage.is_float()
            }
        }
    }
}

/// Row `i` of the result is `op(input[i])`, in the same storage type; null if that is null.
///
/// # Errors
/// [`Error::UnsupportedStorage`]; see [`UnaryOp::takes`].
///
/// # Device
/// One launch, and one for a mask. Does not synchronise. Every result is exact or correctly rounded, and so
/// the same on every device.
///
/// # Source
/// cudf/unary.hpp `unary_operation`.
pub fn unary(op: UnaryOp, input: &Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    if !op.takes(input.storage) {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    let data = match exec.device() {
        Device::Host => host::unary(op, input, exec)?,
        _ => cuda::unary(op, input, exec)?,
    };
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    Ok(FixedData { storage: input.storage, len: input.len, data, validity })
}
