//! Host implementation of `binary`, and its inner loops.

use super::{BinaryOp, Limit, bound};
use crate::bits::BitSlice;
use crate::elementwise::lane::{Lane, zip, zip_bits};
use crate::elementwise::number::{Integer, Number};
use crate::elementwise::{Operand, OperandGuard};
use crate::{Bits, Element, Error, Result, Storage, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A storage type that [`apply`] supports.
pub(crate) trait Arithmetic: Number {
    /// The operations that are equal for a signed and an unsigned type of one width, and so compiled for one
    /// of them: sums, differences and products; for integers also the bitwise operations.
    fn signless(op: BinaryOp, lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, out: &mut [Self]);
}

/// `out[i] = op(lhs[i], rhs[i])`, for what is too rare to be worth a vectorised loop.
fn by_row<T: Copy>(lhs: Lane<'_, T>, rhs: Lane<'_, T>, out: &mut [T], op: impl Fn(T, T) -> T) {
    for (row, out) in out.iter_mut().enumerate() {
        *out = op(lhs.get(row), rhs.get(row));
    }
}

/// [`apply`] of these operations.
fn sums<T: Number>(op: BinaryOp, lhs: Lane<'_, T>, rhs: Lane<'_, T>, out: &mut [T]) {
    match op {
        BinaryOp::Add => zip(lhs, rhs, out, T::add),
        BinaryOp::Sub => zip(lhs, rhs, out, T::sub),
        _ => zip(lhs, rhs, out, T::mul),
    }
}

macro_rules! arithmetic {
    (signed: $($signed:ty),*; unsigned: $($unsigned:ty as $as:ty),*; float: $($float:ty),*) => {
        $(impl Arithmetic for $signed {
            fn signless(op: BinaryOp, lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, out: &mut [Self]) {
                match op {
                    BinaryOp::BitAnd => zip(lhs, rhs, out, Integer::bit_and),
                    BinaryOp::BitOr => zip(lhs, rhs, out, Integer::bit_or),
                    BinaryOp::BitXor => zip(lhs, rhs, out, Integer::bit_xor),
                    BinaryOp::Power => by_row(lhs, rhs, out, Integer::power),
                    BinaryOp::ShiftLeft => by_row(lhs, rhs, out, Integer::shift_left),
                    BinaryOp::ShiftRight => by_row(lhs, rhs, out, Integer::shift_right),
                    _ => sums(op, lhs, rhs, out),
                }
            }
        })*
        $(impl Arithmetic for $unsigned {
            fn signless(op: BinaryOp, lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, out: &mut [Self]) {
                if op == BinaryOp::ShiftRight {
                    return by_row(lhs, rhs, out, Integer::shift_right);
                }
                <$as>::signless(op, lhs.cast(), rhs.cast(), bytemuck::cast_slice_mut(out));
            }
        })*
        $(impl Arithmetic for $float {
            fn signless(op: BinaryOp, lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, out: &mut [Self]) {
                debug_assert!(op.takes(Self::STORAGE), "bitwise operations on floats are refused by the contract");
                sums(op, lhs, rhs, out);
            }
        })*
    };
}

arithmetic! {
    signed: i8, i16, i32, i64, i128;
    unsigned: u8 as i8, u16 as i16, u32 as i32, u64 as i64;
    float: f32, f64
}

/// Quotients or remainders, rounded down, by one divisor greater than 1, without a division.
///
/// # Source
/// T. Granlund, P. L. Montgomery, "Division by Invariant Integers using Multiplication", 1994.
fn divided(values: &[i64], divisor: i64, is_quotient: bool, out: &mut [i64]) {
    // For 63 bits: 2^63 <= factor < 2^64, and the error is less than one in 2^63.
    let shift = 63 + (64 - (divisor - 1).leading_zeros());
    let factor = (1_u128 << shift).div_ceil(divisor as u128);
    let quotient = |value: i64| {
        // A negative number is divided as the one of the same distance from −1 as it has from 0.
        let sign = value >> 63;
        (((value ^ sign) as u128 * factor) >> shift) as i64 ^ sign
    };
    if is_quotient {
        out.iter_mut().zip(values).for_each(|(out, &value)| *out = quotient(value));
    } else {
        out.iter_mut()
            .zip(values)
            .for_each(|(out, &value)| *out = value.wrapping_sub(quotient(value).wrapping_mul(divisor)));
    }
}

/// `out[i] = lhs[i] op rhs[i]`. Lanes have as many rows as `out`.
pub(crate) fn apply<T: Arithmetic>(op: BinaryOp, lhs: Lane<'_, T>, rhs: Lane<'_, T>, out: &mut [T]) {
    if T::STORAGE == Storage::I64
        && let (BinaryOp::FloorDiv | BinaryOp::Mod, Lane::Slice(values), Lane::Scalar(divisor)) =
            (op, lhs.cast::<i64>(), rhs.cast::<i64>())
        && divisor > 1
    {
        return divided(values, divisor, op == BinaryOp::FloorDiv, bytemuck::cast_slice_mut(out));
    }
    match op {
        BinaryOp::Div => zip(lhs, rhs, out, T::div),
        BinaryOp::FloorDiv => zip(lhs, rhs, out, T::floor_div),
        BinaryOp::Mod => zip(lhs, rhs, out, T::modulo),
        BinaryOp::Min => zip(lhs, rhs, out, T::lesser),
        BinaryOp::Max => zip(lhs, rhs, out, T::greater),
        _ => T::signless(op, lhs, rhs, out),
    }
}

/// Whether `lhs op rhs` wraps around.
#[inline]
fn wraps<T: Integer>(op: BinaryOp, lhs: T, rhs: T) -> bool {
    match op {
        BinaryOp::Add => lhs.overflowing_add(rhs).1,
        BinaryOp::Sub => lhs.overflowing_sub(rhs).1,
        BinaryOp::Mul => lhs.overflowing_mul(rhs).1,
        // Only the smallest value over −1 wraps, to itself: two negatives with a negative quotient.
        BinaryOp::Div | BinaryOp::FloorDiv => lhs < T::ZERO && rhs < T::ZERO && lhs.div(rhs) < T::ZERO,
        _ => false,
    }
}

/// Sets bit `i` of `overflow` if `lhs[i] op rhs[i]` wraps around or, with a limit, if the magnitude of
/// `out[i]` (filled by [`apply`]) reaches it.
pub(crate) fn overflows<T: Integer>(
    op: BinaryOp,
    lhs: Lane<'_, T>,
    rhs: Lane<'_, T>,
    limit: Option<T>,
    out: &[T],
    overflow: &mut [u64],
) {
    let rows = out.len();
    match op {
        // Times and decimals are 64 or 128 bits wide. A vectorised loop for each operation and each other
        // type, which only checked integer arithmetic needs, would cost more compile time than it is worth.
        _ if !matches!(T::STORAGE, Storage::I64 | Storage::I128) => {
            for (word, first) in overflow.iter_mut().zip((0..rows).step_by(64)) {
                *word = (first..rows.min(first + 64)).fold(0, |word, row| {
                    word | u64::from(wraps(op, lhs.get(row), rhs.get(row))) << (row - first)
                });
            }
        }
        BinaryOp::Add => zip_bits(lhs, rhs, rows, overflow, |a, b| wraps(BinaryOp::Add, a, b)),
        BinaryOp::Sub => zip_bits(lhs, rhs, rows, overflow, |a, b| wraps(BinaryOp::Sub, a, b)),
        BinaryOp::Mul => zip_bits(lhs, rhs, rows, overflow, |a, b| wraps(BinaryOp::Mul, a, b)),
        BinaryOp::Div | BinaryOp::FloorDiv => {
            zip_bits(lhs, rhs, rows, overflow, |a, b| wraps(BinaryOp::Div, a, b));
        }
        _ => overflow.fill(0),
    }
    if let Some(limit) = limit {
        for (word, values) in overflow.iter_mut().zip(out.chunks(64)) {
            *word |= values.iter().enumerate().fold(0, |w, (k, v)| w | u64::from(v.reaches(limit)) << k);
        }
    }
}

pub(super) fn binary(
    op: BinaryOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let storage = lhs.storage();
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    dispatch!(storage, T => {
        let (lhs, rhs) = (lhs.lane::<T>(), rhs.lane::<T>());
        morsel::build_values(len, exec, |rows, out| apply(op, lhs.rows(rows.clone()), rhs.rows(rows), out))
    }, bit => Err(Error::UnsupportedStorage { storage }))
}

pub(super) fn binary_checked(
    op: BinaryOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    limit: Limit,
    valid: Option<Bits<'_>>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let storage = lhs.storage();
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let valid_guard = valid.map(|bits| bits.read(exec)).transpose()?;
    let valid = valid_guard.as_ref().map(|guard| BitSlice::new(guard.as_slice(), 0, len));
    dispatch_integer!(storage, T => checked::<T>(op, lhs.lane(), rhs.lane(), limit, valid, len, exec),
        other => Err(Error::UnsupportedStorage { storage }))
}

fn checked<T: Integer + Arithmetic>(
    op: BinaryOp,
    lhs: Lane<'_, T>,
    rhs: Lane<'_, T>,
    limit: Limit,
    valid: Option<BitSlice<'_>>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let limit = bound(limit).and_then(T::from_i128);
    let failed = AtomicBool::new(false);
    let out = morsel::build_values(len, exec, |rows, out: &mut [T]| {
        // Blocks small enough that `out` is still in the L1 cache for the check.
        const BLOCK: usize = 1024;
        let mut overflow = [0; BLOCK / 64];
        for (block, out) in out.chunks_mut(BLOCK).enumerate() {
            let start = rows.start + block * BLOCK;
            let (lhs, rhs) = (lhs.rows(start..start + out.len()), rhs.rows(start..start + out.len()));
            apply(op, lhs, rhs, out);
            let words = &mut overflow[..out.len().div_ceil(64)];
            overflows(op, lhs, rhs, limit, out, words);
            let any = words
                .iter()
                .enumerate()
                .any(|(k, word)| word & valid.map_or(u64::MAX, |valid| valid.word(start / 64 + k)) != 0);
            if any {
                failed.store(true, Relaxed);
                return;
            }
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: T::STORAGE }) } else { Ok(out) }
}
