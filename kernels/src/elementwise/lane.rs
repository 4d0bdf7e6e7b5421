//! Inputs of the inner loops: a slice of values, or one value for every row.

use crate::morsel::last_word_mask;
use crate::simd::pack_flags;
use columnade_buffers::Pod;
use std::ops::Range;

/// Values of one input: a slice, or the same value in every row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lane<'a, T> {
    /// One value per row.
    Slice(&'a [T]),
    /// One value for all rows.
    Scalar(T),
}

impl<T: Copy> Lane<'_, T> {
    /// The lane of a range of its rows.
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

impl<T: Pod> Lane<'_, T> {
    /// The same bits as values of another type of the same width, for operations that are equal for both
    /// types.
    pub(crate) fn cast<U: Pod>(&self) -> Lane<'_, U> {
        match self {
            Lane::Slice(values) => Lane::Slice(bytemuck::cast_slice(values)),
            Lane::Scalar(value) => Lane::Scalar(bytemuck::cast(*value)),
        }
    }
}

/// The number of values per chunk of the loops below.
const CHUNK: usize = 64;

/// A lane in chunks. Every chunk of a scalar is the same one, and the last chunk is padded with one of its
/// rows. So a loop over two lanes is compiled once, not once per combination of lane types. Its inputs stay
/// in the L1 cache.
struct Chunks<'a, T> {
    whole: &'a [[T; CHUNK]],
    /// Used for every chunk that is not whole.
    rest: [T; CHUNK],
}

impl<'a, T: Copy> Chunks<'a, T> {
    /// The chunks of `rows` rows, at least one.
    #[inline]
    fn new(lane: Lane<'a, T>, rows: usize) -> Self {
        match lane {
            Lane::Slice(values) => {
                let (whole, values) = values[..rows].as_chunks::<CHUNK>();
                let mut rest = [values.first().copied().unwrap_or_else(|| whole[0][0]); CHUNK];
                rest[..values.len()].copy_from_slice(values);
                Self { whole, rest }
            }
            Lane::Scalar(value) => Self { whole: &[], rest: [value; CHUNK] },
        }
    }

    #[inline]
    fn get(&self, chunk: usize) -> &[T; CHUNK] {
        self.whole.get(chunk).unwrap_or(&self.rest)
    }
}

/// A function, so that the compiler knows that output and inputs do not overlap.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the body must take on the features of its caller")]
fn zip_chunk<T: Copy, R>(lhs: &[T; CHUNK], rhs: &[T; CHUNK], out: &mut [R; CHUNK], f: &impl Fn(T, T) -> R) {
    for ((out, &lhs), &rhs) in out.iter_mut().zip(lhs).zip(rhs) {
        *out = f(lhs, rhs);
    }
}

vectorised! {
    /// `out[i] = f(lhs[i], rhs[i])`.
    pub(crate) fn zip[T: Copy, R: Copy, F: Fn(T, T) -> R](lhs: Lane<'_, T>, rhs: Lane<'_, T>, out: &mut [R], f: F) {
        if out.is_empty() {
            return;
        }
        let (lhs, rhs) = (Chunks::new(lhs, out.len()), Chunks::new(rhs, out.len()));
        let chunks = out.len().div_ceil(CHUNK);
        let (whole, rest) = out.as_chunks_mut::<CHUNK>();
        let mut last = [f(lhs.get(0)[0], rhs.get(0)[0]); CHUNK];
        for chunk in 0..chunks {
            let out = whole.get_mut(chunk).unwrap_or(&mut last);
            zip_chunk(lhs.get(chunk), rhs.get(chunk), out, &f);
        }
        rest.copy_from_slice(&last[..rest.len()]);
    }

    /// Bit `i` of `out` is `f(lhs[i], rhs[i])` for `rows` rows; the rest of the last word is zero.
    pub(crate) fn zip_bits[T: Copy, F: Fn(T, T) -> bool](
        lhs: Lane<'_, T>,
        rhs: Lane<'_, T>,
        rows: usize,
        out: &mut [u64],
        f: F,
    ) {
        if rows == 0 {
            return;
        }
        // Comparisons with one value are most of what filters do: it stays in a register.
        match (lhs, rhs) {
            (Lane::Slice(lhs), Lane::Scalar(rhs)) => {
                return map_bits_body(&lhs[..rows], out, |lhs| f(lhs, rhs));
            }
            (Lane::Scalar(lhs), Lane::Slice(rhs)) => {
                return map_bits_body(&rhs[..rows], out, |rhs| f(lhs, rhs));
            }
            _ => {}
        }
        let (lhs, rhs) = (Chunks::new(lhs, rows), Chunks::new(rhs, rows));
        let words = rows.div_ceil(CHUNK);
        for (chunk, word) in out[..words].iter_mut().enumerate() {
            let (lhs, rhs) = (lhs.get(chunk), rhs.get(chunk));
            let mut flags = [0; CHUNK];
            for ((flag, &lhs), &rhs) in flags.iter_mut().zip(lhs).zip(rhs) {
                *flag = u8::from(f(lhs, rhs));
            }
            *word = pack_flags(&flags);
        }
        out[words - 1] &= last_word_mask(rows);
    }

    /// `out[i] = f(values[i])`.
    pub(crate) fn map[T: Copy, R: Copy, F: Fn(T) -> R](values: &[T], out: &mut [R], f: F) {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = f(value);
        }
    }

    /// Bit `i` of `out` is `f(values[i])`; the rest of the last word is zero.
    pub(crate) fn map_bits[T: Copy, F: Fn(T) -> bool](values: &[T], out: &mut [u64], f: F) {
        map_bits_body(values, out, f);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "the body must take on the features of its caller")]
fn map_bits_body<T: Copy>(values: &[T], out: &mut [u64], f: impl Fn(T) -> bool) {
    if values.is_empty() {
        return;
    }
    let (rows, words) = (values.len(), values.len().div_ceil(CHUNK));
    let values = Chunks::new(Lane::Slice(values), rows);
    for (chunk, word) in out[..words].iter_mut().enumerate() {
        let mut flags = [0; CHUNK];
        for (flag, &value) in flags.iter_mut().zip(values.get(chunk)) {
            *flag = u8::from(f(value));
        }
        *word = pack_flags(&flags);
    }
    out[words - 1] &= last_word_mask(rows);
}
