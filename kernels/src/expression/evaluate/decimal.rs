//! Decimals of up to 38 digits in 128 bits, checked.

use super::morsel::{MORSEL_WORDS, Morsel, Overflow, RegisterValues};
use crate::elementwise::binary::BinaryOp;
use crate::elementwise::lane::{Lane, zip};
use crate::expression::Register;
use crate::{Error, Result, Storage};

/// The smallest number of 39 digits.
const LIMIT: u128 = 10u128.pow(38);

/// Computes sum, difference or product of two decimals into `out`, whose validity is set.
///
/// A product of two numbers that fit in 64 bits cannot overflow. One test of the whole morsel, which
/// vectorises, lets almost all products use a single instruction.
pub(super) fn run(
    op: BinaryOp,
    lhs: Lane<'_, i128>,
    rhs: Lane<'_, i128>,
    rows: usize,
    out: &mut RegisterValues,
) -> Option<Overflow> {
    if op == BinaryOp::Mul && fits_64_bits(lhs) && fits_64_bits(rhs) {
        zip(lhs, rhs, out.values_mut(rows), |a, b| i128::from(a as i64) * i128::from(b as i64));
        return None;
    }
    let checked = |a: i128, b: i128| match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        _ => a.checked_mul(b),
    };
    let mut overflow = [0u64; MORSEL_WORDS];
    for (row, value) in out.values_mut::<i128>(rows).iter_mut().enumerate() {
        let result = checked(lhs.get(row), rhs.get(row)).filter(|value| value.unsigned_abs() < LIMIT);
        overflow[row / 64] |= u64::from(result.is_none()) << (row % 64);
        *value = result.unwrap_or(0);
    }
    overflowed(overflow, out)
}

/// The exact product of two 64-bit numbers.
pub(super) fn mul_wide(lhs: Lane<'_, i64>, rhs: Lane<'_, i64>, out: &mut [i128]) {
    zip(lhs, rhs, out, |a, b| i128::from(a) * i128::from(b));
}

/// Computes `arg` × 10^`power`, at most `digits` digits, into `out`, whose validity is set; rounds half away
/// from zero.
pub(super) fn rescale(
    storage: Storage,
    power: i32,
    digits: u32,
    arg: Register,
    morsel: &Morsel<'_>,
    out: &mut RegisterValues,
) -> Result<Option<Overflow>> {
    let mut overflow = [0u64; MORSEL_WORDS];
    match storage {
        Storage::I64 => {
            let lane = morsel.lane::<i64>(arg);
            let up = u32::try_from(power).ok().and_then(|power| 10i64.checked_pow(power));
            let limit = 10u64.checked_pow(digits).unwrap_or(u64::MAX);
            for (row, out) in out.values_mut::<i64>(morsel.rows()).iter_mut().enumerate() {
                let value = match up {
                    Some(factor) => lane.get(row).checked_mul(factor),
                    None => {
                        scaled(i128::from(lane.get(row)), power).and_then(|value| i64::try_from(value).ok())
                    }
                };
                let value = value.filter(|value| value.unsigned_abs() < limit);
                overflow[row / 64] |= u64::from(value.is_none()) << (row % 64);
                *out = value.unwrap_or(0);
            }
        }
        Storage::I128 => {
            let lane = morsel.lane::<i128>(arg);
            let limit = 10u128.checked_pow(digits).unwrap_or(LIMIT);
            for (row, out) in out.values_mut::<i128>(morsel.rows()).iter_mut().enumerate() {
                let value = scaled(lane.get(row), power).filter(|value| value.unsigned_abs() < limit);
                overflow[row / 64] |= u64::from(value.is_none()) << (row % 64);
                *out = value.unwrap_or(0);
            }
        }
        storage => return Err(Error::UnsupportedStorage { storage }),
    }
    Ok(overflowed(overflow, out))
}

/// `value` × 10^`power`, rounded half away from zero; `None` if it does not fit.
fn scaled(value: i128, power: i32) -> Option<i128> {
    // Only the number of digits is checked.
    if power == 0 {
        return Some(value);
    }
    let Some(factor) = 10i128.checked_pow(power.unsigned_abs()) else {
        return (power < 0 || value == 0).then_some(0);
    };
    if power >= 0 {
        return value.checked_mul(factor);
    }
    let (quotient, rest) = (value / factor, value % factor);
    let away = rest.unsigned_abs() >= factor.unsigned_abs().div_ceil(2);
    Some(quotient + i128::from(away) * value.signum())
}

/// The rows that overflow and are valid, if there are some.
pub(super) fn overflowed(mut overflow: [u64; MORSEL_WORDS], out: &RegisterValues) -> Option<Overflow> {
    if let Some(valid) = out.validity() {
        overflow.iter_mut().zip(valid).for_each(|(word, valid)| *word &= valid);
    }
    overflow.iter().any(|&word| word != 0).then(|| Box::new(overflow))
}

fn fits_64_bits(lane: Lane<'_, i128>) -> bool {
    let rest = |value: i128| value ^ i128::from(value as i64);
    match lane {
        Lane::Scalar(value) => rest(value) == 0,
        Lane::Slice(values) => values.iter().fold(0, |rests, &value| rests | rest(value)) == 0,
    }
}
