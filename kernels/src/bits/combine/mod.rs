//! Bitwise operations on bitmasks: how the null masks of several inputs become one.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Bits, Error, Result};
use columnade_buffers::{Buffer, Device, Exec};

/// The operation on each pair of bits. The discriminants are those in `combine.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
enum Combination {
    And = 0,
    Or = 1,
    AndNot = 2,
    Not = 3,
    Copy = 4,
}

/// The bits that are set in both inputs: the validity of a row that needs both.
///
/// The result starts at bit 0, and the bits after its last one are zero.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::Memory`].
///
/// # Device
/// One launch, a thread per 32-bit word; this holds for all functions of this module.
///
/// # Source
/// `cudf/null_mask.hpp` `bitmask_and`.
pub fn and(a: Bits<'_>, b: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    combine(Combination::And, a, b, exec)
}

/// The bits that are set in either.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::Memory`].
pub fn or(a: Bits<'_>, b: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    combine(Combination::Or, a, b, exec)
}

/// The bits that are set in `a` and not in `b`.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::Memory`].
pub fn and_not(a: Bits<'_>, b: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    combine(Combination::AndNot, a, b, exec)
}

/// The bits that are not set.
///
/// # Errors
/// [`Error::Memory`].
pub fn not(a: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    combine(Combination::Not, a, a, exec)
}

/// The same bits moved to offset 0.
///
/// # Errors
/// [`Error::Memory`].
pub fn copy(a: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    combine(Combination::Copy, a, a, exec)
}

fn combine(op: Combination, a: Bits<'_>, b: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    if a.len != b.len {
        return Err(Error::LengthMismatch { left: a.len, right: b.len });
    }
    match exec.device() {
        Device::Host => host::combine(op, a, b, exec),
        _ => cuda::combine(op, a, b, exec),
    }
}
