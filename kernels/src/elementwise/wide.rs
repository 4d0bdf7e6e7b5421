//! Products and quotients beyond 128 bits.

/// An unsigned 256-bit integer: high and low half.
type Wide = (u128, u128);

/// The smallest number of 39 digits.
const LIMIT: u128 = 10_u128.pow(38);

/// The largest power of ten that fits in 128 bits with a sign.
const MAX_POWER: u32 = 38;

#[inline]
fn halves(value: u128) -> (u128, u128) {
    (value >> 64, value & u128::from(u64::MAX))
}

pub(super) fn product(a: u128, b: u128) -> Wide {
    let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
    let low = a0 * b0;
    let first = a1 * b0 + (low >> 64);
    let second = a0 * b1 + halves(first).1;
    (a1 * b1 + (first >> 64) + (second >> 64), second << 64 | halves(low).1)
}

/// `value * factor`; `None` beyond 256 bits.
fn times(value: Wide, factor: u128) -> Option<Wide> {
    let (carry, low) = product(value.1, factor);
    let high = value.0.checked_mul(factor)?.checked_add(carry)?;
    Some((high, low))
}

/// Quotient and rest, by long division with digits of 64 bits (Knuth's algorithm D); the high half of `value` is below
/// `divisor`.
pub(super) fn quotient(value: Wide, divisor: u128) -> (u128, u128) {
    let shift = divisor.leading_zeros();
    let divisor = divisor << shift;
    let (top, bottom) = halves(divisor);
    let digit = |rest: u128, next: u128| {
        let (mut digit, mut left) = (rest / top, rest % top);
        while digit >> 64 != 0 || digit * bottom > (left << 64 | next) {
            digit -= 1;
            left += top;
            if left >> 64 != 0 {
                break;
            }
        }
        // Modulo 2^128: the rest is below the divisor.
        (digit, (rest << 64 | next).wrapping_sub(digit.wrapping_mul(divisor)))
    };
    let high = if shift == 0 { value.0 } else { value.0 << shift | value.1 >> (128 - shift) };
    let (next, last) = halves(value.1 << shift);
    let (first, rest) = digit(high, next);
    let (second, rest) = digit(rest, last);
    (first << 64 | second, rest >> shift)
}

/// `lhs · 10^power / rhs`, rounded half away from zero; `None` for more than 38 digits. Of a zero divisor 0: the row is null.
#[inline]
pub(crate) fn divide_decimal(lhs: i128, rhs: i128, power: i32) -> Option<i128> {
    if rhs == 0 {
        return Some(0);
    }
    let quotient = magnitude(lhs.unsigned_abs(), rhs.unsigned_abs(), power)?;
    let negative = (lhs < 0) != (rhs < 0);
    (quotient < LIMIT).then_some(if negative { -quotient.cast_signed() } else { quotient.cast_signed() })
}

/// The quotient of magnitudes; `None` beyond 128 bits.
#[inline]
fn magnitude(dividend: u128, divisor: u128, power: i32) -> Option<u128> {
    let factor = 10_u128.checked_pow(power.unsigned_abs());
    if power < 0 {
        // The dividend is at most 2^127: it is less than half of a divisor beyond 128 bits.
        let divisor = factor.and_then(|factor| divisor.checked_mul(factor));
        return Some(divisor.map_or(0, |divisor| rounded((dividend / divisor, dividend % divisor), divisor)));
    }
    match factor.and_then(|factor| dividend.checked_mul(factor)) {
        Some(dividend) => Some(rounded((dividend / divisor, dividend % divisor), divisor)),
        None => wide_magnitude(dividend, divisor, power.unsigned_abs()),
    }
}

#[cold]
fn wide_magnitude(dividend: u128, divisor: u128, power: u32) -> Option<u128> {
    if dividend == 0 {
        return Some(0);
    }
    // 10^77 divided by any divisor has more than 38 digits.
    if power > 2 * MAX_POWER {
        return None;
    }
    let first = power.min(MAX_POWER);
    let value = times(product(dividend, 10_u128.pow(first)), 10_u128.pow(power - first))?;
    (value.0 < divisor).then(|| rounded(quotient(value, divisor), divisor))
}

/// A quotient rounded half up by its rest.
#[inline]
fn rounded((quotient, rest): (u128, u128), divisor: u128) -> u128 {
    quotient + u128::from(rest >= divisor - rest)
}
