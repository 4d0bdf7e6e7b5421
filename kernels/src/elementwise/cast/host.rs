//! Host implementation of `cast`, and its inner loops.

use super::CastMode;
use crate::bits::BitSlice;
use crate::elementwise::compare::host::Compare;
use crate::elementwise::compare::{self, CompareOp};
use crate::elementwise::lane::{Lane, map, map_bits};
use crate::elementwise::number::Number;
use crate::{Element, Error, Fixed, Result, Storage, View, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Values that are converted through the wide type at a time; they stay in the L1 cache.
const BLOCK: usize = 512;

/// A storage type to cast from. The number of pairs of types is the square of their number, so a value is
/// first converted to one of a few wide types, exactly, and then to its target type.
pub(crate) trait Source: Compare {
    /// The wide type for every value.
    type Wide: Wide;
    /// The value.
    fn widen(self) -> Self::Wide;
}

macro_rules! source {
    ($($from:ty => $wide:ty),* $(,)?) => {$(
        impl Source for $from {
            type Wide = $wide;
            #[inline]
            #[expect(clippy::allow_attributes, reason = "the pairs differ in what they trip")]
            #[allow(clippy::unnecessary_cast, reason = "equal types are among the pairs")]
            fn widen(self) -> $wide {
                self as $wide
            }
        }
    )*};
}

source! {
    i8 => i32, i16 => i32, i32 => i32, i64 => i64, i128 => i128,
    u8 => i32, u16 => i32, u32 => i64, u64 => u64, f32 => f64, f64 => f64,
}

/// A loop: `out[i]` is the number `values[i]`, converted as in [`CastMode::Wrap`].
type Loop<W> = fn(values: &[W], out: &mut [u8]);

/// A wide type.
pub(crate) trait Wide: Source<Wide = Self> {
    /// The loop for values of the target type `to`; `None` for bits.
    fn narrow(to: Storage) -> Option<Loop<Self>>;
    /// Sets bit `i` of `out` if the number `values[i]`, truncated, does not fit in `to`.
    fn overflows(values: &[Self], to: Storage, out: &mut [u64]);
}

/// The smallest and the largest value of an integer storage type; `None` for other types.
#[expect(clippy::unnecessary_cast, reason = "the widest type is among the integers")]
fn range(storage: Storage) -> Option<(i128, u128)> {
    dispatch_integer!(storage, T => Some((<T>::MIN as i128, <T>::MAX as u128)), other => None)
}

/// [`Wide::narrow`] to a type.
fn narrow_to<W: Number, D: Number>(values: &[W], out: &mut [u8], number: impl Fn(W) -> D) {
    map(values, bytemuck::cast_slice_mut(out), number);
}

macro_rules! wide_integers {
    ($($wide:ty),*) => {$(
        impl Wide for $wide {
            #[expect(clippy::allow_attributes, reason = "the types differ in what they trip")]
            #[allow(clippy::unnecessary_cast, reason = "equal types are among the pairs")]
            fn narrow(to: Storage) -> Option<Loop<Self>> {
                Some(match to {
                    Storage::Bit => return None,
                    // The low bits of an integer do not depend on the sign of its type.
                    Storage::I8 | Storage::U8 => |values, out| narrow_to(values, out, |v| v as u8),
                    Storage::I16 | Storage::U16 => |values, out| narrow_to(values, out, |v| v as u16),
                    Storage::I32 | Storage::U32 => |values, out| narrow_to(values, out, |v| v as u32),
                    Storage::I64 | Storage::U64 => |values, out| narrow_to(values, out, |v| v as u64),
                    Storage::I128 => |values, out| narrow_to(values, out, |v| v as i128),
                    Storage::F32 => |values, out| narrow_to(values, out, |v| v as f32),
                    Storage::F64 => |values, out| narrow_to(values, out, |v| v as f64),
                })
            }

            fn overflows(values: &[Self], to: Storage, out: &mut [u64]) {
                let Some((least, largest)) = range(to) else { return out.fill(0) };
                let least = Self::try_from(least).unwrap_or(Self::MIN);
                let largest = Self::try_from(largest).unwrap_or(Self::MAX);
                map_bits(values, out, |value| value < least || value > largest);
            }
        }
    )*};
}

wide_integers!(i32, i64, u64, i128);

impl Wide for f64 {
    fn narrow(to: Storage) -> Option<Loop<Self>> {
        dispatch!(to, D => Some(|values, out| narrow_to(values, out, |v| v as D)), bit => None)
    }

    fn overflows(values: &[Self], to: Storage, out: &mut [u64]) {
        let Some((least, largest)) = range(to) else { return out.fill(0) };
        // Both ends are powers of two or zero, so they are exact; a NaN is in no range.
        let (least, end) = (least as f64, largest as f64 + 1.0);
        map_bits(values, out, |value: f64| {
            let whole = value.trunc();
            !(whole >= least && whole < end)
        });
    }
}

/// A cast to a storage type other than bits, as in [`CastMode::Wrap`].
pub(crate) struct Narrowing<W> {
    run: Loop<W>,
    /// Bytes of a value of the target.
    width: usize,
}

impl<W: Wide> Narrowing<W> {
    /// # Errors
    /// [`Error::UnsupportedStorage`] for bits.
    pub(crate) fn new(to: Storage) -> Result<Self> {
        let run = W::narrow(to).ok_or(Error::UnsupportedStorage { storage: to })?;
        Ok(Self { run, width: to.bytes(1) })
    }

    /// `out[i]` is the number `values[i]`.
    pub(crate) fn apply<S: Source<Wide = W>>(&self, values: &[S], out: &mut [u8]) {
        each_block(values, |first, block| {
            (self.run)(block, &mut out[first * self.width..][..block.len() * self.width]);
        });
    }
}

impl Narrowing<i32> {
    /// `out[i]` is bit `i` of `words` as a number.
    pub(crate) fn apply_bits(&self, words: &[u64], out: &mut [u8]) {
        for (&word, out) in words.iter().zip(out.chunks_mut(64 * self.width)) {
            let bits: [i32; 64] = std::array::from_fn(|k| (word >> k & 1) as i32);
            (self.run)(&bits[..out.len() / self.width], out);
        }
    }
}

/// Sets bit `i` of `out` if the number `values[i]`, truncated, does not fit in `to`.
pub(crate) fn overflows<S: Source>(values: &[S], to: Storage, out: &mut [u64]) {
    each_block(values, |first, block| {
        <S::Wide>::overflows(block, to, &mut out[first / 64..][..block.len().div_ceil(64)]);
    });
}

/// Calls `each` with the first row and the wide values of each block, or of all rows if they are wide
/// already.
fn each_block<S: Source>(values: &[S], mut each: impl FnMut(usize, &[S::Wide])) {
    if S::STORAGE == <S::Wide>::STORAGE {
        return each(0, bytemuck::cast_slice(values));
    }
    let mut wide = [<S::Wide>::ZERO; BLOCK];
    for (block, values) in values.chunks(BLOCK).enumerate() {
        let wide = &mut wide[..values.len()];
        map(values, wide, S::widen);
        each(block * BLOCK, wide);
    }
}

/// Sets bit `i` of `out` if `values[i]` is not zero.
pub(crate) fn to_bits<S: Compare>(values: &[S], out: &mut [u64]) {
    compare::host::apply(CompareOp::Ne, Lane::Slice(values), Lane::Scalar(S::ZERO), values.len(), out);
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
            let narrowing = Narrowing::new(to)?;
            morsel::build_storage(to, len, exec, &|rows, out| {
                let bits = bits.slice(rows.start, rows.len());
                for (word, out) in bits.words().zip(out.chunks_mut(64 * to.bytes(1))) {
                    narrowing.apply_bits(&[word], out);
                }
            })
        }
        (from, Storage::Bit) => dispatch!(from, S => {
            let values = guard.values::<S>();
            morsel::build_bits(len, exec, |rows, out| to_bits(&values[rows], out))
        }, bit => Err(Error::UnsupportedStorage { storage: from })),
        (from, _) => dispatch!(from, S => values(guard.values::<S>(), to, guard.validity(), mode, exec),
            bit => Err(Error::UnsupportedStorage { storage: from })),
    }
}

fn values<S: Source>(
    values: &[S],
    to: Storage,
    valid: Option<BitSlice<'_>>,
    mode: CastMode,
    exec: &Exec,
) -> Result<Buffer> {
    let failed = AtomicBool::new(false);
    let narrowing = Narrowing::new(to)?;
    let out = morsel::build_storage(to, values.len(), exec, &|rows, out| {
        let values = &values[rows.clone()];
        narrowing.apply(values, out);
        if mode == CastMode::Checked {
            let mut overflow = vec![0; values.len().div_ceil(64)];
            overflows(values, to, &mut overflow);
            let valid = |word| valid.map_or(u64::MAX, |valid| valid.word(word));
            if (rows.start / 64..).zip(&overflow).any(|(word, overflow)| overflow & valid(word) != 0) {
                failed.store(true, Relaxed);
            }
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: to }) } else { Ok(out) }
}
