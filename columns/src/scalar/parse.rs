//! Scalars from text.

use super::Scalar;
use crate::calendar::{Date, days_to};
use crate::{DType, Error, Result, TimeUnit, TimeZone};
use std::str::FromStr;

impl Scalar {
    /// The value of `dtype` that `text` writes: numbers as Rust writes them, `true` and `false`, dates as
    /// `1998-09-02`, timestamps as `1998-09-02 12:00:00.5`, those with a time zone with `Z` or `+02:00` after it,
    /// durations as `-2 days 03:04:05.25`, times of day as `03:04:05.25`, decimals with at most the dtype's digits.
    ///
    /// ```
    /// use columnade_columns::{DType, Scalar};
    /// assert_eq!(Scalar::parse(&DType::Date32, "1998-09-02")?, Scalar::date(1998, 9, 2)?);
    /// assert_eq!(Scalar::parse(&DType::decimal(15, 2)?, "0.5")?.to_string(), "0.50");
    /// assert!(Scalar::parse(&DType::decimal(15, 2)?, "0.005").is_err());
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] when the text is no such value; [`Error::Overflow`] when a decimal has too many digits;
    /// [`Error::NotImplemented`] for bytes and nested dtypes.
    pub fn parse(dtype: &DType, text: &str) -> Result<Scalar> {
        let invalid = || Error::Parse { text: text.to_owned(), dtype: dtype.clone() };
        match dtype {
            DType::Bool => number::<bool>(text),
            DType::Int8 => number::<i8>(text),
            DType::Int16 => number::<i16>(text),
            DType::Int32 => number::<i32>(text),
            DType::Int64 => number::<i64>(text),
            DType::UInt8 => number::<u8>(text),
            DType::UInt16 => number::<u16>(text),
            DType::UInt32 => number::<u32>(text),
            DType::UInt64 => number::<u64>(text),
            DType::Float32 => number::<f32>(text),
            DType::Float64 => number::<f64>(text),
            DType::Utf8 => Some(Scalar::from(text)),
            DType::Date32 => days(text).and_then(|days| i32::try_from(days).ok()).map(Scalar::Date32),
            DType::Timestamp(unit) => timestamp(text, *unit).map(|value| Scalar::Timestamp(value, *unit)),
            DType::TimestampTz(unit, zone) => {
                zoned(text, *unit).map(|value| Scalar::TimestampTz(value, *unit, zone.clone()))
            }
            DType::Duration(unit) => duration(text, *unit).map(|value| Scalar::Duration(value, *unit)),
            DType::Time(unit) => time(text, *unit).map(|value| Scalar::Time(value, *unit)),
            DType::Decimal { precision, scale, .. } => {
                let (value, exact) = digits(text, *scale).ok_or_else(invalid)?;
                if value.unsigned_abs() >= 10_u128.pow(u32::from(*precision)) {
                    return Err(Error::Overflow { dtype: dtype.clone() });
                }
                exact.then_some(Scalar::Decimal { value, precision: *precision, scale: *scale })
            }
            DType::Binary | DType::Interval(_) | DType::List(_) | DType::Struct(_) | DType::Null => {
                return Err(Error::NotImplemented { feature: format!("{dtype} from text") });
            }
            DType::Dictionary(dictionary) => return Scalar::parse(&dictionary.values, text),
        }
        .ok_or_else(invalid)
    }
}

fn number<T: FromStr + Into<Scalar>>(text: &str) -> Option<Scalar> {
    text.parse::<T>().ok().map(Into::into)
}

/// Days since 1970-01-01 of `[-]YYYY-MM-DD`.
fn days(text: &str) -> Option<i64> {
    let (sign, unsigned) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut parts = unsigned.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    // Years are written with at least four characters, the sign included.
    if year.len() + usize::from(sign < 0) < 4 || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let year = sign * i64::from(unsigned_number::<u32>(year)?);
    days_to(Date { year, month: unsigned_number(month)?, day: unsigned_number(day)? })
}

/// A number of digits alone, without a sign.
fn unsigned_number<T: FromStr>(text: &str) -> Option<T> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Units since 1970-01-01 of a date, or a date and `HH:MM:SS[.fraction]` after a space or `T`.
fn timestamp(text: &str, unit: TimeUnit) -> Option<i64> {
    let (date, time) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    let (seconds, fraction) = clock(time, unit)?;
    // In 128 bits: the least time is less than a second above a product that does not fit.
    let seconds = i128::from(days(date)? * 86_400 + seconds);
    i64::try_from(seconds * i128::from(unit.per_second()) + i128::from(fraction)).ok()
}

/// Units since 1970-01-01 UTC of a timestamp and the offset of its clock.
fn zoned(text: &str, unit: TimeUnit) -> Option<i64> {
    if let Some(utc) = text.strip_suffix('Z') {
        return timestamp(utc, unit);
    }
    let (local, offset) = text.split_at_checked(text.rfind(['+', '-'])?)?;
    let (minutes, seconds) = offset.split_at_checked("+00:00".len())?;
    let seconds = match seconds.strip_prefix(':') {
        None if seconds.is_empty() => 0,
        Some(digits) if digits.len() == 2 => {
            i64::from(unsigned_number::<u8>(digits).filter(|second| *second < 60)?)
        }
        _ => return None,
    };
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let offset = TimeZone::new(minutes).ok()?.fixed_offset()? + sign * seconds;
    timestamp(local, unit)?.checked_sub(offset.checked_mul(unit.per_second())?)
}

/// Units of `[-][N days ]HH:MM:SS[.fraction]`.
fn duration(text: &str, unit: TimeUnit) -> Option<i64> {
    let (sign, unsigned) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (days, time) = unsigned.split_once(" days ").unwrap_or(("0", unsigned));
    let (seconds, fraction) = clock(time, unit)?;
    // In 128 bits: the least value of 64 has no opposite.
    let seconds = i128::from(unsigned_number::<u64>(days)?) * 86_400 + i128::from(seconds);
    i64::try_from(sign * (seconds * i128::from(unit.per_second()) + i128::from(fraction))).ok()
}

/// Units since midnight of `HH:MM[:SS[.fraction]]`.
fn time(text: &str, unit: TimeUnit) -> Option<i64> {
    let whole = if text.len() == "00:00".len() { format!("{text}:00") } else { text.to_owned() };
    let (seconds, fraction) = clock(&whole, unit)?;
    Some(seconds * unit.per_second() + fraction)
}

/// Seconds, and units after them, of `HH:MM:SS[.fraction]`.
fn clock(time: &str, unit: TimeUnit) -> Option<(i64, i64)> {
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut parts = clock.splitn(3, ':').map(|part| unsigned_number::<u8>(part).filter(|_| part.len() == 2));
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    if hour > 23 || minute > 59 || second > 59 || fraction.len() > unit.digits() {
        return None;
    }
    let fraction = match unit.digits() {
        0 => 0,
        digits => unsigned_number(&format!("{fraction:0<digits$}"))?,
    };
    Some((i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second), i64::from(fraction)))
}

/// The digits of a decimal number at `scale`, and whether none was lost; `None` when it is no number or has more
/// digits than 128 bits hold.
fn digits(text: &str, scale: i8) -> Option<(i128, bool)> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    if integer.len() + fraction.len() == 0
        || !integer.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let written = integer.bytes().chain(fraction.bytes());
    // Digits kept: those of the integer and `scale` more, zeros where the text has no more.
    let kept = usize::try_from(i64::try_from(integer.len()).ok()? + i64::from(scale)).unwrap_or(0);
    let mut value = 0_i128;
    for digit in written.clone().chain(std::iter::repeat(b'0')).take(kept) {
        value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    let exact = written.skip(kept).all(|digit| digit == b'0');
    Some((if negative { -value } else { value }, exact))
}
