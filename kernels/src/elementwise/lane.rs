//! Inputs of the inner loops: a run of values, or one value for every row.

use crate::morsel::last_word_mask;
use crate::simd::pack_flags;
use std::ops::Range;

/// Values of one input: a slice, or the same value in every row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lane<'a, T> {
    /// One value a row.
    Slice(&'a [T]),
    /// One value for all rows.
    Scalar(T),
}

impl<T: Copy> Lane<'_, T> {
    /// The same lane over some of its rows.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Lane<'_, T> {
        match self {
            Lane::Slice(values) => Lane::Slice(&values[rows]),
            Lane::Scalar(value) => Lane::Scalar(*value),
        }
    }

    /// The value of a row.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> T {
        match self {
            Lane::Slice(values) => values[row],
            Lane::Scalar(value) => *value,
        }
    }
}

vectorised! {
    /// `out[i] = f(lhs[i], rhs[i])`.
    pub(crate) fn zip[T: Copy, R: Copy, F: Fn(T, T) -> R](lhs: Lane<'_, T>, rhs: Lane<'_, T>, out: &mut [R], f: F) {
        match (lhs, rhs) {
            (Lane::Slice(lhs), Lane::Slice(rhs)) => {
                let (lhs, rhs) = (&lhs[..out.len()], &rhs[..out.len()]);
                for ((out, &lhs), &rhs) in out.iter_mut().zip(lhs).zip(rhs) {
                    *out = f(lhs, rhs);
                }
            }
            (Lane::Slice(lhs), Lane::Scalar(rhs)) => {
                for (out, &lhs) in out.iter_mut().zip(lhs) {
                    *out = f(lhs, rhs);
                }
            }
            (Lane::Scalar(lhs), Lane::Slice(rhs)) => {
                for (out, &rhs) in out.iter_mut().zip(rhs) {
                    *out = f(lhs, rhs);
                }
            }
            (Lane::Scalar(lhs), Lane::Scalar(rhs)) => out.fill(f(lhs, rhs)),
        }
    }

    /// Bit `i` of `out` is `f(lhs[i], rhs[i])` for `rows` rows; the rest of the last word is zero.
    pub(crate) fn zip_bits[T: Copy, F: Fn(T, T) -> bool](
        lhs: Lane<'_, T>,
        rhs: Lane<'_, T>,
        rows: usize,
        out: &mut [u64],
        f: F,
    ) {
        match (lhs, rhs) {
            (Lane::Slice(lhs), Lane::Slice(rhs)) => {
                let ((lhs, lhs_rest), (rhs, rhs_rest)) =
                    (lhs[..rows].as_chunks::<64>(), rhs[..rows].as_chunks::<64>());
                for ((word, lhs), rhs) in out.iter_mut().zip(lhs).zip(rhs) {
                    let mut flags = [0; 64];
                    for ((flag, &lhs), &rhs) in flags.iter_mut().zip(lhs).zip(rhs) {
                        *flag = u8::from(f(lhs, rhs));
                    }
                    *word = pack_flags(&flags);
                }
                pack_rest(lhs_rest.iter().zip(rhs_rest).map(|(&lhs, &rhs)| f(lhs, rhs)), rows, out);
            }
            (Lane::Slice(lhs), Lane::Scalar(rhs)) => map_bits_body(lhs, rows, out, |lhs| f(lhs, rhs)),
            (Lane::Scalar(lhs), Lane::Slice(rhs)) => map_bits_body(rhs, rows, out, |rhs| f(lhs, rhs)),
            (Lane::Scalar(lhs), Lane::Scalar(rhs)) => {
                let words = &mut out[..rows.div_ceil(64)];
                words.fill(if f(lhs, rhs) { u64::MAX } else { 0 });
                if let Some(last) = words.last_mut() {
                    *last &= last_word_mask(rows);
                }
            }
        }
    }

    /// `out[i] = f(values[i])`.
    pub(crate) fn map[T: Copy, R: Copy, F: Fn(T) -> R](values: &[T], out: &mut [R], f: F) {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = f(value);
        }
    }

    /// Bit `i` of `out` is `f(values[i])`; the rest of the last word is zero.
    pub(crate) fn map_bits[T: Copy, F: Fn(T) -> bool](values: &[T], out: &mut [u64], f: F) {
        map_bits_body(values, values.len(), out, f);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "the body must take on the features of its caller")]
fn map_bits_body<T: Copy>(values: &[T], rows: usize, out: &mut [u64], f: impl Fn(T) -> bool) {
    let (values, rest) = values[..rows].as_chunks::<64>();
    for (word, values) in out.iter_mut().zip(values) {
        let mut flags = [0; 64];
        for (flag, &value) in flags.iter_mut().zip(values) {
            *flag = u8::from(f(value));
        }
        *word = pack_flags(&flags);
    }
    pack_rest(rest.iter().map(|&value| f(value)), rows, out);
}

/// The word of the last rows, fewer than 64 of them.
#[inline]
fn pack_rest(flags: impl ExactSizeIterator<Item = bool>, rows: usize, out: &mut [u64]) {
    if flags.len() > 0 {
        out[rows / 64] = flags.enumerate().fold(0, |word, (k, flag)| word | u64::from(flag) << k);
    }
}
