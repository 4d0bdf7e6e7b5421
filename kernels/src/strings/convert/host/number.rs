//! Numbers read from text.

/// The digits of an unsigned number, `None` for another character or more than 64 bits.
#[inline]
pub(super) fn unsigned(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_u64;
    // 19 digits always fit.
    let (few, more) = digits.split_at(digits.len().min(19));
    for digit in few {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    for digit in more {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    Some(value)
}

/// Whether a number begins with `-`, and what follows the sign.
#[inline]
fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// An integer of up to 64 bits, whatever its sign.
#[inline]
pub(super) fn integer(text: &[u8]) -> Option<i128> {
    let (negative, digits) = signed(text);
    let value = i128::from(unsigned(digits)?);
    Some(if negative { -value } else { value })
}

/// `true` or `false`, in any case.
pub(super) fn boolean(text: &[u8]) -> Option<bool> {
    if text.eq_ignore_ascii_case(b"true") {
        Some(true)
    } else if text.eq_ignore_ascii_case(b"false") {
        Some(false)
    } else {
        None
    }
}

/// The powers of ten that a float holds exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// A number of few digits, without an exponent: the quotient of two floats that are exact.
#[inline]
fn short_float(text: &[u8]) -> Option<f64> {
    let (negative, digits) = signed(text);
    // Ten digits of 19 fit into 53 bits.
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut value = 0_u64;
    let mut point = None;
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            value = value * 10 + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let fraction = point.map_or(0, |at| digits.len() - at - 1);
    if digits.len() == usize::from(point.is_some()) || value >= 1 << 53 {
        return None;
    }
    let magnitude = value as f64 / EXACT_POWERS[fraction];
    Some(if negative { -magnitude } else { magnitude })
}

/// The nearest float.
#[inline]
pub(super) fn double(text: &[u8]) -> Option<f64> {
    short_float(text).or_else(|| std::str::from_utf8(text).ok()?.parse().ok())
}

/// The nearest float32.
pub(super) fn single(text: &[u8]) -> Option<f32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Beyond the length of any text: with such an exponent a decimal is 0 or too large.
const MOST_EXPONENT: i64 = 1 << 40;

/// The digits after `e`, with or without a sign.
fn exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = signed(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let more = |value: i64, digit: &u8| (value * 10 + i64::from(digit - b'0')).min(MOST_EXPONENT);
    let value = digits.iter().fold(0, more);
    Some(if negative { -value } else { value })
}

/// A decimal as units of 10^−`scale` of at most `precision` digits, rounded half away from zero.
pub(super) fn decimal(text: &[u8], precision: u8, scale: i8) -> Option<i128> {
    let (negative, unsigned) = signed(text);
    let (unsigned, exponent) = match unsigned.iter().position(|byte| byte.eq_ignore_ascii_case(&b'e')) {
        Some(at) => (&unsigned[..at], exponent(&unsigned[at + 1..])?),
        None => (unsigned, 0),
    };
    let point = unsigned.iter().position(|&byte| byte == b'.');
    let (integer, fraction) = match point {
        Some(at) => (&unsigned[..at], &unsigned[at + 1..]),
        None => (unsigned, &unsigned[..0]),
    };
    let digits = || integer.iter().chain(fraction);
    let count = integer.len() + fraction.len();
    if count == 0 || !digits().all(u8::is_ascii_digit) {
        return None;
    }
    // Digits kept: those of the integer and `scale` more, zeros where the text has no more.
    let kept = usize::try_from(integer.len() as i64 + i64::from(scale) + exponent);
    let mut value = 0_i128;
    for digit in digits().take(kept.unwrap_or(0)) {
        value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    if value != 0 {
        for _ in count..kept.unwrap_or(0) {
            value = value.checked_mul(10)?;
        }
    }
    // Fewer digits than are cut: the number is less than a tenth of a unit.
    if kept.is_ok_and(|kept| digits().nth(kept).is_some_and(|&digit| digit >= b'5')) {
        value += 1;
    }
    if value >= 10_i128.checked_pow(u32::from(precision))? {
        return None;
    }
    Some(if negative { -value } else { value })
}
