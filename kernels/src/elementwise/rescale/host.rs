//! Host implementation of `rescale`, and its inner loops.

use crate::elementwise::lane::{map, map_bits};
use crate::elementwise::number::Integer;
use crate::{Error, Fixed, Result, Storage, View, bits::BitSlice, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The storage of a decimal.
pub(crate) trait Decimal: Integer + Into<i128> {
    /// The low bits of `value`.
    fn truncate(value: i128) -> Self;
}

impl Decimal for i32 {
    #[inline]
    fn truncate(value: i128) -> Self {
        value as i32
    }
}

impl Decimal for i64 {
    #[inline]
    fn truncate(value: i128) -> Self {
        value as i64
    }
}

impl Decimal for i128 {
    #[inline]
    fn truncate(value: i128) -> Self {
        value
    }
}

/// `out[i] = values[i] · 10^power`, rounded half away from zero; [`overflows`] finds the rows that do not
/// fit.
pub(crate) fn apply<S: Decimal, D: Decimal>(values: &[S], power: i32, out: &mut [D]) {
    let factor = 10_i128.pow(power.unsigned_abs());
    if power >= 0 {
        return map(values, out, |value: S| D::truncate(value.into().wrapping_mul(factor)));
    }
    match i64::try_from(factor) {
        // A 64-bit division is several times faster than a 128-bit one.
        Ok(factor) => map(values, out, |value: S| {
            let value: i128 = value.into();
            let rounded = match i64::try_from(value) {
                Ok(value) => i128::from(divide_64(value, factor)),
                Err(_) => divide(value, i128::from(factor)),
            };
            D::truncate(rounded)
        }),
        Err(_) => map(values, out, |value: S| D::truncate(divide(value.into(), factor))),
    }
}

/// Sets bit `i` of `out` if `values[i] · 10^power` has more than `digits` digits or does not fit in `D`.
pub(crate) fn overflows<S: Decimal, D: Decimal>(values: &[S], power: i32, digits: u32, out: &mut [u64]) {
    let factor = 10_i128.pow(power.unsigned_abs());
    let limit = 10_i128.pow(digits);
    let fits = |value: i128| -limit < value && value < limit && D::from_i128(value).is_some();
    if power >= 0 {
        map_bits(values, out, |value: S| !value.into().checked_mul(factor).is_some_and(fits));
    } else {
        map_bits(values, out, |value: S| !fits(divide(value.into(), factor)));
    }
}

#[inline]
fn divide(value: i128, factor: i128) -> i128 {
    let (quotient, rest) = (value / factor, value % factor);
    // Twice the remainder may overflow; comparing it with the rest of the factor does not.
    if rest.abs() >= factor - rest.abs() { quotient + value.signum() } else { quotient }
}

#[inline]
fn divide_64(value: i64, factor: i64) -> i64 {
    let (quotient, rest) = (value / factor, value % factor);
    if rest.abs() >= factor - rest.abs() { quotient + value.signum() } else { quotient }
}

pub(super) fn rescale(
    input: &Fixed<'_>,
    to: Storage,
    power: i32,
    digits: u32,
    exec: &Exec,
) -> Result<Buffer> {
    let guard = View::Fixed(*input).read(exec)?;
    let valid = guard.validity();
    match input.storage {
        Storage::I32 => to_storage::<i32>(guard.values(), to, power, digits, valid, exec),
        Storage::I64 => to_storage::<i64>(guard.values(), to, power, digits, valid, exec),
        Storage::I128 => to_storage::<i128>(guard.values(), to, power, digits, valid, exec),
        storage => Err(Error::UnsupportedStorage { storage }),
    }
}

fn to_storage<S: Decimal>(
    input: &[S],
    to: Storage,
    power: i32,
    digits: u32,
    valid: Option<BitSlice<'_>>,
    exec: &Exec,
) -> Result<Buffer> {
    match to {
        Storage::I32 => values::<S, i32>(input, power, digits, valid, exec),
        Storage::I64 => values::<S, i64>(input, power, digits, valid, exec),
        Storage::I128 => values::<S, i128>(input, power, digits, valid, exec),
        storage => Err(Error::UnsupportedStorage { storage }),
    }
}

fn values<S: Decimal, D: Decimal>(
    values: &[S],
    power: i32,
    digits: u32,
    valid: Option<BitSlice<'_>>,
    exec: &Exec,
) -> Result<Buffer> {
    let failed = AtomicBool::new(false);
    let out = morsel::build_values(values.len(), exec, |rows, out: &mut [D]| {
        let values = &values[rows.clone()];
        apply(values, power, out);
        let mut overflow = vec![0; values.len().div_ceil(64)];
        overflows::<S, D>(values, power, digits, &mut overflow);
        let valid = |word| valid.map_or(u64::MAX, |valid| valid.word(word));
        if (rows.start / 64..).zip(&overflow).any(|(word, overflow)| overflow & valid(word) != 0) {
            failed.store(true, Relaxed);
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: D::STORAGE }) } else { Ok(out) }
}
