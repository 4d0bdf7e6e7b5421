//! Host twin of `cast`, and its loops.

use super::CastMode;
use crate::bits::BitSlice;
use crate::elementwise::lane::{map, map_bits};
use crate::elementwise::number::Number;
use crate::{Error, Fixed, Result, Storage, View, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A storage type that values of `S` can be cast to.
pub(crate) trait CastFrom<S>: Number {
    /// The number of `value`, as [`CastMode::Wrap`] has it.
    fn cast_from(value: S) -> Self;
    /// Whether the number of `value`, its fraction cut off, is one of this type.
    fn holds(value: S) -> bool;
}

macro_rules! cast_from_integer {
    ($($from:ty),* => $to:tt) => { $(cast_from_integer!(@ $from => $to);)* };
    (@ $from:ty => [$($to:ty),*]) => {$(
        impl CastFrom<$from> for $to {
            #[inline]
            fn cast_from(value: $from) -> Self {
                value as $to
            }
            #[inline]
            #[expect(clippy::allow_attributes, reason = "the pairs differ in what they trip")]
            #[allow(irrefutable_let_patterns, clippy::useless_conversion, reason = "equal types are among the pairs")]
            fn holds(value: $from) -> bool {
                <$to>::try_from(value).is_ok()
            }
        }
    )*};
}
macro_rules! cast_to_float {
    ($($from:ty),* => $to:ty) => {$(
        impl CastFrom<$from> for $to {
            #[inline]
            fn cast_from(value: $from) -> Self {
                value as $to
            }
            #[inline]
            fn holds(_: $from) -> bool {
                true
            }
        }
    )*};
}
macro_rules! cast_from_float {
    ($from:ty => $($to:ty),*) => {$(
        impl CastFrom<$from> for $to {
            #[inline]
            fn cast_from(value: $from) -> Self {
                value as $to
            }
            #[inline]
            fn holds(value: $from) -> bool {
                // Both ends are powers of two or zero, so they are exact in the float type; a NaN is in no range.
                let whole = value.trunc();
                whole >= <$to>::MIN as $from && whole < <$to>::MAX as $from + 1.0
            }
        }
    )*};
}

cast_from_integer!(i8, i16, i32, i64, i128, u8, u16, u32, u64 => [i8, i16, i32, i64, i128, u8, u16, u32, u64]);
cast_to_float!(i8, i16, i32, i64, i128, u8, u16, u32, u64, f32, f64 => f32);
cast_to_float!(i8, i16, i32, i64, i128, u8, u16, u32, u64, f32, f64 => f64);
cast_from_float!(f32 => i8, i16, i32, i64, i128, u8, u16, u32, u64);
cast_from_float!(f64 => i8, i16, i32, i64, i128, u8, u16, u32, u64);

/// `out[i]` is the number of `values[i]`.
pub(crate) fn apply<S: Number, D: CastFrom<S>>(values: &[S], out: &mut [D]) {
    map(values, out, D::cast_from);
}

/// Bit `i` of `out` is set where `D` does not hold the number of `values[i]`.
pub(crate) fn overflows<S: Number, D: CastFrom<S>>(values: &[S], out: &mut [u64]) {
    map_bits(values, out, |value| !D::holds(value));
}

/// Bit `i` of `out` is set where `values[i]` is not zero.
pub(crate) fn to_bits<S: Number>(values: &[S], out: &mut [u64]) {
    map_bits(values, out, |value| value != S::ZERO);
}

/// `out[i]` is bit `i` of `words` as a number.
pub(crate) fn from_bits<D: CastFrom<u8>>(words: &[u64], out: &mut [D]) {
    for (&word, out) in words.iter().zip(out.chunks_mut(64)) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = D::cast_from((word >> k & 1) as u8);
        }
    }
}

pub(super) fn cast(input: &Fixed<'_>, to: Storage, mode: CastMode, exec: &Exec) -> Result<Buffer> {
    let guard = View::Fixed(*input).read(exec)?;
    let len = input.len;
    match (input.storage, to) {
        (Storage::Bit, Storage::Bit) => {
            let bits = guard.value_bits();
            morsel::build_bits(len, exec, |rows, out| {
                for (word, out) in (rows.start / 64..).zip(out) {
                    *out = bits.word(word);
                }
            })
        }
        (Storage::Bit, _) => {
            let bits = guard.value_bits();
            dispatch!(to, D => morsel::build_values(len, exec, |rows, out: &mut [D]| {
                let bits = bits.slice(rows.start, rows.len());
                for (word, out) in bits.words().zip(out.chunks_mut(64)) {
                    from_bits(&[word], out);
                }
            }), bit => Err(Error::UnsupportedStorage { storage: to }))
        }
        (from, Storage::Bit) => dispatch!(from, S => {
            let values = guard.values::<S>();
            morsel::build_bits(len, exec, |rows, out| to_bits(&values[rows], out))
        }, bit => Err(Error::UnsupportedStorage { storage: from })),
        (from, _) => dispatch!(from, S => {
            dispatch!(to, D => values::<S, D>(guard.values(), guard.validity(), mode, exec),
                bit => Err(Error::UnsupportedStorage { storage: to }))
        }, bit => Err(Error::UnsupportedStorage { storage: from })),
    }
}

fn values<S: Number, D: CastFrom<S>>(
    values: &[S],
    valid: Option<BitSlice<'_>>,
    mode: CastMode,
    exec: &Exec,
) -> Result<Buffer> {
    let failed = AtomicBool::new(false);
    let out = morsel::build_values(values.len(), exec, |rows, out: &mut [D]| {
        let values = &values[rows.clone()];
        apply(values, out);
        if mode == CastMode::Checked {
            let mut overflow = vec![0; values.len().div_ceil(64)];
            overflows::<S, D>(values, &mut overflow);
            let valid = |word| valid.map_or(u64::MAX, |valid| valid.word(word));
            if (rows.start / 64..).zip(&overflow).any(|(word, overflow)| overflow & valid(word) != 0) {
                failed.store(true, Relaxed);
            }
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: D::STORAGE }) } else { Ok(out) }
}
