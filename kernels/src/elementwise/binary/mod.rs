//! Arithmetic of two operands of one storage type.

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

/// The operation. The discriminants are those in `binary.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum BinaryOp {
    /// The sum.
    Add = 0,
    /// The difference.
    Sub = 1,
    /// The product.
    Mul = 2,
    /// The quotient; truncated towards zero for integers, null for a zero divisor.
    Div = 3,
    /// The quotient rounded down; null for an integer divided by zero.
    FloorDiv = 4,
    /// The remainder of [`BinaryOp::FloorDiv`], with the sign of the divisor; null for an integer divided by
    /// zero.
    Mod = 5,
    /// The smaller; of a NaN and a number, the number.
    Min = 6,
    /// The larger; of a NaN and a number, the number.
    Max = 7,
    /// Bitwise and of integers.
    BitAnd = 8,
    /// Bitwise or of integers.
    BitOr = 9,
    /// Bitwise exclusive or of integers.
    BitXor = 10,
    /// The power of integers, whose exponents count as unsigned.
    Power = 11,
    /// Integers shifted to larger values by a number of places, which counts as unsigned; 0 from the width on.
    ShiftLeft = 12,
    /// Integers shifted to smaller values; from the width on, only copies of the sign are left.
    ShiftRight = 13,
}

impl BinaryOp {
    /// Every operation.
    pub const ALL: [BinaryOp; 14] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::FloorDiv,
        BinaryOp::Mod,
        BinaryOp::Min,
        BinaryOp::Max,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Power,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRight,
    ];

    /// Whether the operation supports `storage`.
    pub const fn takes(self, storage: Storage) -> bool {
        match self {
            BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Power
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => storage.is_integer(),
            _ => !matches!(storage, Storage::Bit),
        }
    }

    /// Whether a zero divisor gives a null.
    pub const fn nulls_zero_divisor(self, storage: Storage) -> bool {
        matches!(self, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod) && storage.is_integer()
    }
}

/// The largest magnitude that [`binary_checked`] allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The range of the storage type.
    Storage,
    /// A number of decimal digits.
    Digits(u32),
}

/// Row `i` of the result is `lhs[i] op rhs[i]`; null if either is null or an integer is divided by zero.
///
/// Integers wrap around; floats follow IEEE 754, and their floor division and modulo follow Python.
///
/// # Shapes and units
/// Two operands of n rows, or a value for every row, of one numeric storage type → n rows of that type.
/// Without a column the result has one row.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for bits (see [`super::logical`]), for bitwise
/// operations, powers and shifts of floats, and for operands of different storage types.
///
/// # Device
/// One launch; one more for a mask, and two more if a divisor may be zero. Does not synchronise.
///
/// # Source
/// cudf/binaryop.hpp `binary_operation`, pandas `Series.add` and related methods.
pub fn binary(op: BinaryOp, lhs: Operand<'_>, rhs: Operand<'_>, exec: &Exec) -> Result<FixedData> {
    let (storage, len) = check(op, &lhs, &rhs)?;
    if lhs.is_null() || rhs.is_null() {
        return validity::all_null(storage, len, exec);
    }
    let data = match exec.device() {
        Device::Host => host::binary(op, &lhs, &rhs, len, exec)?,
        _ => cuda::binary(op, &lhs, &rhs, len, exec)?,
    };
    Ok(FixedData { storage, len, data, validity: mask(op, &lhs, &rhs, exec)? })
}

/// Like [`binary`] on integers; an error for results that do not fit.
///
/// # Errors
/// Those of [`binary`]; [`Error::Overflow`] if a valid row wraps around or exceeds `limit`;
/// [`Error::UnsupportedStorage`] for powers and shifts, which nothing checks.
///
/// # Device
/// As [`binary`], and one synchronisation to detect overflow.
pub fn binary_checked(
    op: BinaryOp,
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    limit: Limit,
    exec: &Exec,
) -> Result<FixedData> {
    if exec.device() != Device::Host {
        return overflow::refuse(binary_by_row(op, lhs, rhs, limit, exec)?, exec);
    }
    let (storage, len) = check_integers(op, &lhs, &rhs)?;
    if lhs.is_null() || rhs.is_null() {
        return validity::all_null(storage, len, exec);
    }
    let validity = mask(op, &lhs, &rhs, exec)?;
    let valid = validity.as_ref().map(|buffer| Bits { buffer, offset: 0, len });
    let data = host::binary_checked(op, &lhs, &rhs, limit, valid, len, exec)?;
    Ok(FixedData { storage, len, data, validity })
}

/// [`binary_checked`] on a device, with the rows that overflow.
pub(crate) fn binary_by_row(
    op: BinaryOp,
    lhs: Operand<'_>,
    rhs: Operand<'_>,
    limit: Limit,
    exec: &Exec,
) -> Result<Checked> {
    let (storage, len) = check_integers(op, &lhs, &rhs)?;
    if lhs.is_null() || rhs.is_null() {
        return Ok((validity::all_null(storage, len, exec)?, None));
    }
    let validity = mask(op, &lhs, &rhs, exec)?;
    let valid = validity.as_ref().map(|buffer| Bits { buffer, offset: 0, len });
    let (data, overflow) = cuda::binary_checked(op, &lhs, &rhs, limit, valid, len, exec)?;
    Ok((FixedData { storage, len, data, validity }, overflow))
}

fn check_integers(op: BinaryOp, lhs: &Operand<'_>, rhs: &Operand<'_>) -> Result<(Storage, usize)> {
    let (storage, len) = check(op, lhs, rhs)?;
    let is_checked = !matches!(op, BinaryOp::Power | BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
    if storage.is_integer() && is_checked {
        Ok((storage, len))
    } else {
        Err(Error::UnsupportedStorage { storage })
    }
}

fn check(op: BinaryOp, lhs: &Operand<'_>, rhs: &Operand<'_>) -> Result<(Storage, usize)> {
    let len = operand::rows(lhs, rhs)?;
    let storage = lhs.storage();
    if op.takes(storage) { Ok((storage, len)) } else { Err(Error::UnsupportedStorage { storage }) }
}

/// The mask of the result: nulls of the inputs, and zero divisors.
fn mask(op: BinaryOp, lhs: &Operand<'_>, rhs: &Operand<'_>, exec: &Exec) -> Result<Option<Buffer>> {
    let storage = rhs.storage();
    let zero = Value::zero(storage);
    if !op.nulls_zero_divisor(storage) || matches!(rhs, Operand::Value(value) if *value != zero) {
        return validity::of_operands(lhs, rhs, exec);
    }
    let len = operand::rows(lhs, rhs)?;
    if matches!(rhs, Operand::Value(_)) {
        return Ok(Some(Buffer::zeroed(len.div_ceil(8), exec)?));
    }
    let nonzero = compare::data(CompareOp::Ne, rhs, &Operand::Value(zero), len, exec)?;
    let nonzero = Bits { buffer: &nonzero, offset: 0, len };
    validity::intersect(&[lhs.validity_bits(), rhs.validity_bits(), Some(nonzero)], exec)
}

/// The magnitude that results must stay below; `None`: the range of the storage type.
pub(crate) fn bound(limit: Limit) -> Option<i128> {
    match limit {
        Limit::Digits(digits) => 10_i128.checked_pow(digits),
        Limit::Storage => None,
    }
}
