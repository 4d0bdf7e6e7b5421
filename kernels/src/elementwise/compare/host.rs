//! Host implementation of `compare`, and its inner loops.

use super::CompareOp;
use crate::Result;
use crate::elementwise::lane::{Lane, zip_bits};
use crate::elementwise::number::Number;
use crate::elementwise::{Operand, OperandGuard};
use crate::morsel::{self, last_word_mask};
use columnade_buffers::{Buffer, Exec};

/// A storage type that [`apply`] supports.
pub(crate) trait Compare: Number {
    /// Whether the two values of each pair are equal; the same for a signed and an unsigned type of one
    /// width.
    fn equal(lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, rows: usize, out: &mut [u64]);
    /// Whether the first of each pair is less or equal.
    fn at_most(lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, rows: usize, out: &mut [u64]);
}

macro_rules! compare {
    (integer: $($integer:ty as $as:ty),*; float: $($float:ty),*) => {
        $(impl Compare for $integer {
            fn equal(lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, rows: usize, out: &mut [u64]) {
                zip_bits(lhs.cast::<$as>(), rhs.cast::<$as>(), rows, out, |a, b| a == b);
            }
            fn at_most(lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, rows: usize, out: &mut [u64]) {
                // a ≤ b unless b < a: integers have no NaN.
                apply(CompareOp::Lt, rhs, lhs, rows, out);
                invert(rows, out);
            }
        })*
        $(impl Compare for $float {
            fn equal(lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, rows: usize, out: &mut [u64]) {
                zip_bits(lhs, rhs, rows, out, |a: Self, b| a.eq(&b));
            }
            fn at_most(lhs: Lane<'_, Self>, rhs: Lane<'_, Self>, rows: usize, out: &mut [u64]) {
                zip_bits(lhs, rhs, rows, out, |a, b| a <= b);
            }
        })*
    };
}

compare! {
    integer: i8 as i8, i16 as i16, i32 as i32, i64 as i64, i128 as i128, u8 as i8, u16 as i16, u32 as i32, u64 as i64;
    float: f32, f64
}

/// Inverts the bits of `rows` rows.
fn invert(rows: usize, out: &mut [u64]) {
    let words = &mut out[..rows.div_ceil(64)];
    for word in words.iter_mut() {
        *word = !*word;
    }
    if let Some(last) = words.last_mut() {
        *last &= last_word_mask(rows);
    }
}

/// Bit `i` of `out` is `lhs[i] op rhs[i]` for `rows` rows; the rest of the last word is zero.
pub(crate) fn apply<T: Compare>(
    op: CompareOp,
    lhs: Lane<'_, T>,
    rhs: Lane<'_, T>,
    rows: usize,
    out: &mut [u64],
) {
    match op {
        CompareOp::Eq => T::equal(lhs, rhs, rows, out),
        CompareOp::Ne => {
            T::equal(lhs, rhs, rows, out);
            invert(rows, out);
        }
        CompareOp::Lt => zip_bits(lhs, rhs, rows, out, |a, b| a < b),
        CompareOp::Le => T::at_most(lhs, rhs, rows, out),
        // a > b is b < a, which halves the number of loops.
        CompareOp::Gt => apply(CompareOp::Lt, rhs, lhs, rows, out),
        CompareOp::Ge => apply(CompareOp::Le, rhs, lhs, rows, out),
    }
}

/// Compares 64 rows of bits.
#[inline]
pub(crate) fn apply_word(op: CompareOp, lhs: u64, rhs: u64) -> u64 {
    match op {
        CompareOp::Eq => !(lhs ^ rhs),
        CompareOp::Ne => lhs ^ rhs,
        CompareOp::Lt => !lhs & rhs,
        CompareOp::Le => !lhs | rhs,
        CompareOp::Gt => lhs & !rhs,
        CompareOp::Ge => lhs | !rhs,
    }
}

pub(super) fn compare(
    op: CompareOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let storage = lhs.storage();
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    dispatch!(storage, T => {
        let (lhs, rhs) = (lhs.lane::<T>(), rhs.lane::<T>());
        morsel::build_bits(len, exec, |rows, out| {
            apply(op, lhs.rows(rows.clone()), rhs.rows(rows.clone()), rows.len(), out);
        })
    }, bit => {
        let (lhs, rhs) = (lhs.bit_lane(), rhs.bit_lane());
        morsel::build_bits(len, exec, |rows, out| {
            for (word, out) in (rows.start / 64..).zip(out) {
                *out = apply_word(op, lhs.word(word), rhs.word(word));
            }
        })
    })
}
