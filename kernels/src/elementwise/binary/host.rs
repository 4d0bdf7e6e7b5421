//! Host twin of `binary`, and its loops.

use super::{BinaryOp, Limit, bound};
use crate::bits::BitSlice;
use crate::elementwise::lane::{Lane, zip, zip_bits};
use crate::elementwise::number::{Integer, Number};
use crate::elementwise::{Operand, OperandGuard};
use crate::{Bits, Error, Result, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A storage type that [`apply`] computes with.
pub(crate) trait Arithmetic: Number {
    /// The bitwise operations, which only integers have; false when this is none of them.
    fn bitwise(op: BinaryOp, lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, out: &mut [Self]);
}

macro_rules! arithmetic {
    (integer: $($integer:ty),*; float: $($float:ty),*) => {
        $(impl Arithmetic for $integer {
            fn bitwise(op: BinaryOp, lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, out: &mut [Self]) {
                match op {
                    BinaryOp::BitAnd => zip(lhs, rhs, out, Integer::bit_and),
                    BinaryOp::BitOr => zip(lhs, rhs, out, Integer::bit_or),
                    _ => zip(lhs, rhs, out, Integer::bit_xor),
                }
            }
        })*
        $(impl Arithmetic for $float {
            fn bitwise(_: BinaryOp, _: Lane<'_, Self>, _: Lane<'_, Self>, _: &mut [Self]) {
                debug_assert!(false, "bitwise operations on floats are refused by the contract");
            }
        })*
    };
}

arithmetic!(integer: i8, i16, i32, i64, i128, u8, u16, u32, u64; float: f32, f64);

/// `out[i] = lhs[i] op rhs[i]`. Lanes have the rows of `out`.
pub(crate) fn apply<T: Arithmetic>(op: BinaryOp, lhs: Lane<'_, T>, rhs: Lane<'_, T>, out: &mut [T]) {
    match op {
        BinaryOp::Add => zip(lhs, rhs, out, T::add),
        BinaryOp::Sub => zip(lhs, rhs, out, T::sub),
        BinaryOp::Mul => zip(lhs, rhs, out, T::mul),
        BinaryOp::Div => zip(lhs, rhs, out, T::div),
        BinaryOp::FloorDiv => zip(lhs, rhs, out, T::floor_div),
        BinaryOp::Mod => zip(lhs, rhs, out, T::modulo),
        BinaryOp::Min => zip(lhs, rhs, out, T::lesser),
        BinaryOp::Max => zip(lhs, rhs, out, T::greater),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => T::bitwise(op, lhs, rhs, out),
    }
}

/// Bit `i` of `overflow` is set where `lhs[i] op rhs[i]` wraps around or, with a limit, where the magnitude of
/// `out[i]`, which [`apply`] has filled, reaches it.
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
        BinaryOp::Add => zip_bits(lhs, rhs, rows, overflow, |a, b| a.overflowing_add(b).1),
        BinaryOp::Sub => zip_bits(lhs, rhs, rows, overflow, |a, b| a.overflowing_sub(b).1),
        BinaryOp::Mul => zip_bits(lhs, rhs, rows, overflow, |a, b| a.overflowing_mul(b).1),
        // Only the least value over −1 wraps, back to itself: a negative quotient of two negatives.
        BinaryOp::Div | BinaryOp::FloorDiv => {
            zip_bits(lhs, rhs, rows, overflow, |a, b| a < T::ZERO && b < T::ZERO && a.div(b) < T::ZERO);
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
        // Blocks small enough that `out` is still in the first-level cache for the check.
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
