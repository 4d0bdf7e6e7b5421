//! Comparisons of two operands of one storage type.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::operand::{self, Operand};
use super::validity;
use crate::{FixedData, Result, Storage};
use columnade_buffers::{Buffer, Device, Exec};

/// A comparison. The discriminants are those in the `.cu` files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum CompareOp {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Less.
    Lt = 2,
    /// Less or equal.
    Le = 3,
    /// Greater.
    Gt = 4,
    /// Greater or equal.
    Ge = 5,
}

impl CompareOp {
    /// Every comparison.
    pub const ALL: [CompareOp; 6] =
        [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

    /// The comparison that holds for `(b, a)` if this one holds for `(a, b)`.
    #[must_use]
    pub const fn flip(self) -> CompareOp {
        match self {
            CompareOp::Eq => CompareOp::Eq,
            CompareOp::Ne => CompareOp::Ne,
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
        }
    }

    /// Whether the comparison holds for values in this order.
    #[inline]
    pub const fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            CompareOp::Eq => order.is_eq(),
            CompareOp::Ne => order.is_ne(),
            CompareOp::Lt => order.is_lt(),
            CompareOp::Le => order.is_le(),
            CompareOp::Gt => order.is_gt(),
            CompareOp::Ge => order.is_ge(),
        }
    }
}

/// Bit `i` of the result is `lhs[i] op rhs[i]`; null if either is null.
///
/// Floats compare by IEEE 754: a NaN differs from everything, itself included, and −0.0 equals 0.0; so
/// `compare(Ne, x, x)` finds the NaNs. False is less than true.
///
/// # Shapes and units
/// Two operands of n rows, or a value for every row, of one storage type → n bits. Without a column the
/// result has one row.
///
/// # Errors
/// [`crate::Error::LengthMismatch`]; [`crate::Error::UnsupportedStorage`] for operands of different storage
/// types.
///
/// # Device
/// One launch, and one for a mask. Does not synchronise.
///
/// # Source
/// cudf/binaryop.hpp `binary_operation` (EQUAL, LESS, …), pandas `Series.eq` and related methods.
pub fn compare(op: CompareOp, lhs: Operand<'_>, rhs: Operand<'_>, exec: &Exec) -> Result<FixedData> {
    let len = operand::rows(&lhs, &rhs)?;
    if lhs.is_null() || rhs.is_null() {
        return validity::all_null(Storage::Bit, len, exec);
    }
    let data = data(op, &lhs, &rhs, len, exec)?;
    Ok(FixedData { storage: Storage::Bit, len, data, validity: validity::of_operands(&lhs, &rhs, exec)? })
}

/// The bits of a comparison, without the masks.
pub(crate) fn data(
    op: CompareOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    match exec.device() {
        Device::Host => host::compare(op, lhs, rhs, len, exec),
        _ => cuda::compare(op, lhs, rhs, len, exec),
    }
}
