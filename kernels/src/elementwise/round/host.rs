//! Host implementation of `round`, and its inner loops.

use super::{Scale, unit};
use crate::bits::BitSlice;
use crate::elementwise::math::host::Float;
use crate::elementwise::number::Integer;
use crate::{Element, Error, Fixed, Result, Storage, View, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The smallest number of 39 digits.
const LIMIT: u128 = 10_u128.pow(38);

/// From here on every float is an integer.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// The float rounded to a scale, halves to even.
#[inline]
fn round_float(value: f64, scale: Scale) -> f64 {
    if scale.up {
        let scaled = value * scale.factor;
        // Otherwise also a NaN or an infinity.
        if scaled.abs() < WHOLE { scaled.round_ties_even() / scale.factor } else { value }
    } else if !value.is_finite() {
        value
    } else if scale.factor.is_infinite() {
        0.0_f64.copysign(value)
    } else {
        (value / scale.factor).round_ties_even() * scale.factor
    }
}

/// The multiple of `unit` nearest to `value`, of two the even one; `None` beyond 128 bits.
#[inline]
fn round_integer(value: i128, unit: i128) -> Option<i128> {
    if unit == 0 {
        return Some(0);
    }
    let (quotient, rest) = (value / unit, value % unit);
    let left = unit - rest.abs();
    let away = rest.abs() > left || rest.abs() == left && quotient % 2 != 0;
    (quotient + i128::from(away) * value.signum()).checked_mul(unit)
}

/// A storage type that can be rounded.
pub(crate) trait Round: Element {
    /// `out[i]` is `values[i]` rounded; sets bit `i` of `overflow`, which is clear, if it does not fit.
    fn round(values: &[Self], decimals: i32, out: &mut [Self], overflow: &mut [u64]);
}

/// [`Round::round`] of integers.
fn integers<T: Integer>(
    values: &[T],
    decimals: i32,
    wide: impl Fn(T) -> i128,
    out: &mut [T],
    overflow: &mut [u64],
) {
    let Some(unit) = unit(decimals) else { return out.copy_from_slice(values) };
    for (row, (out, &value)) in out.iter_mut().zip(values).enumerate() {
        let rounded = round_integer(wide(value), unit).filter(|value| value.unsigned_abs() < LIMIT);
        let rounded = rounded.and_then(T::from_i128);
        overflow[row / 64] |= u64::from(rounded.is_none()) << (row % 64);
        *out = rounded.unwrap_or(T::ZERO);
    }
}

vectorised! {
    /// [`Round::round`] of floats.
    fn floats[T: Float](values: &[T], scale: Scale, out: &mut [T]) {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = T::narrow(round_float(value.widen(), scale));
        }
    }
}

macro_rules! round {
    (integer: $($integer:ty),*; float: $($float:ty),*) => {
        $(impl Round for $integer {
            fn round(values: &[Self], decimals: i32, out: &mut [Self], overflow: &mut [u64]) {
                #[expect(clippy::allow_attributes, reason = "the types differ in what they trip")]
                #[allow(clippy::unnecessary_cast, reason = "128 bits are among the types")]
                integers(values, decimals, |value| value as i128, out, overflow);
            }
        })*
        $(impl Round for $float {
            fn round(values: &[Self], decimals: i32, out: &mut [Self], _overflow: &mut [u64]) {
                floats(values, Scale::new(decimals), out);
            }
        })*
    };
}

round! { integer: i8, i16, i32, i64, i128, u8, u16, u32, u64; float: f32, f64 }

pub(super) fn round(input: &Fixed<'_>, decimals: i32, exec: &Exec) -> Result<Buffer> {
    let guard = View::Fixed(*input).read(exec)?;
    dispatch!(input.storage, T => values::<T>(guard.values(), decimals, guard.validity(), exec),
        bit => Err(Error::UnsupportedStorage { storage: Storage::Bit }))
}

fn values<T: Round>(values: &[T], decimals: i32, valid: Option<BitSlice<'_>>, exec: &Exec) -> Result<Buffer> {
    let failed = AtomicBool::new(false);
    let out = morsel::build_values(values.len(), exec, |rows, out: &mut [T]| {
        let mut overflow = vec![0; out.len().div_ceil(64)];
        T::round(&values[rows.clone()], decimals, out, &mut overflow);
        let valid = |word| valid.map_or(u64::MAX, |valid| valid.word(word));
        if (rows.start / 64..).zip(&overflow).any(|(word, overflow)| overflow & valid(word) != 0) {
            failed.store(true, Relaxed);
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: T::STORAGE }) } else { Ok(out) }
}
