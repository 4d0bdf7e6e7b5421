//! Dates and times as ISO 8601 has them.
//!
//! # Source
//! Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.

use super::{PAIRS, number};

/// Days of an era of 400 years.
const ERA_DAYS: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_DAYS: i64 = 719_468;
const SECONDS_PER_DAY: i64 = 86_400;
/// Units of a second by digits of its fraction.
const POWERS: [i64; 10] =
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a day of the proleptic Gregorian calendar.
fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return None;
    }
    // Years begin in March, so that the leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * ERA_DAYS + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - EPOCH_DAYS)
}

/// Year, month and day of a day after 1970-01-01.
fn date_of(days: i64) -> (i64, i64, i64) {
    let shifted = days + EPOCH_DAYS;
    let (era, day_of_era) = (shifted.div_euclid(ERA_DAYS), shifted.rem_euclid(ERA_DAYS));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year_of_era + next, month, day)
}

/// A number of exactly these digits.
#[inline]
fn digits(text: &[u8]) -> Option<i64> {
    let mut value = 0;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    Some(value)
}

/// Days since 1970-01-01 of `[-]YYYY-MM-DD`; years of more than four digits too.
pub(super) fn parse_date(text: &[u8]) -> Option<i64> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    // Four digits of a year at least, or three after a sign, as they are written, and no more than years have.
    let least = if negative { 3 } else { 4 };
    let year_digits = text.len().checked_sub(6).filter(|digits| (least..=7).contains(digits))?;
    let (year, rest) = text.split_at(year_digits);
    let [b'-', m1, m0, b'-', d1, d0] = *rest else { return None };
    let year = digits(year)?;
    days_of(if negative { -year } else { year }, digits(&[m1, m0])?, digits(&[d1, d0])?)
}

/// The value of eight digits, the first in the lowest byte; `None` for other bytes.
#[inline]
fn eight_digits(text: u64) -> Option<u64> {
    let digits = text.wrapping_sub(0x3030_3030_3030_3030);
    // A byte above 9 has a high bit, or gets one.
    if (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10) + (digits >> 8);
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(1 + (100 << 16)) >> 16;
    Some((fours & 0x0000_ffff_0000_ffff).wrapping_mul(1 + (10_000 << 32)) >> 32)
}

/// Days since 1970-01-01 of `YYYY-MM-DD`.
#[inline]
fn short_date(text: &[u8; 10]) -> Option<i64> {
    let [y3, y2, y1, y0, b'-', m1, m0, b'-', d1, d0] = *text else { return None };
    let digits = eight_digits(u64::from_le_bytes([y3, y2, y1, y0, m1, m0, d1, d0]))? as i64;
    days_of(digits / 10_000, digits / 100 % 100, digits % 100)
}

/// Days that 32 bits hold.
#[inline]
pub(super) fn parse_day(text: &[u8]) -> Option<i32> {
    // Negative years of five digits are as long.
    if let Ok(text) = <&[u8; 10]>::try_from(text)
        && text[0] != b'-'
    {
        return short_date(text).map(|days| days as i32);
    }
    i32::try_from(parse_date(text)?).ok()
}

/// Seconds of a day, and units after them, of `HH:MM[:SS[.fraction]]`.
fn clock(text: &[u8], unit_digits: u8) -> Option<(i64, i64)> {
    let [h1, h0, b':', m1, m0, rest @ ..] = text else { return None };
    let (hour, minute) = (digits(&[*h1, *h0])?, digits(&[*m1, *m0])?);
    let (second, fraction) = match rest {
        [] => (0, &rest[..0]),
        [b':', s1, s0] => (digits(&[*s1, *s0])?, &rest[..0]),
        [b':', s1, s0, b'.', fraction @ ..] if !fraction.is_empty() => (digits(&[*s1, *s0])?, fraction),
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 59 || fraction.len() > usize::from(unit_digits) {
        return None;
    }
    let units = digits(fraction)? * POWERS[usize::from(unit_digits) - fraction.len()];
    Some((hour * 3600 + minute * 60 + second, units))
}

/// Units since 1970-01-01 of a date, or a date and a time after a space or `T`.
pub(super) fn parse_time(text: &[u8], unit_digits: u8) -> Option<i64> {
    let (days, clock_text) = match text.split_first_chunk() {
        Some((date, rest @ ([] | [b' ' | b'T', ..]))) if date[0] != b'-' => (short_date(date)?, rest),
        _ => {
            let at = text.iter().position(|&byte| byte == b' ' || byte == b'T').unwrap_or(text.len());
            (parse_date(&text[..at])?, &text[at..])
        }
    };
    let (seconds, units) = match clock_text {
        [_, clock_text @ ..] => clock(clock_text, unit_digits)?,
        [] => (0, 0),
    };
    let seconds = days * SECONDS_PER_DAY + seconds;
    // In 128 bits: the least time is less than a second above a product that does not fit.
    let whole = i128::from(seconds) * i128::from(POWERS[usize::from(unit_digits)]);
    i64::try_from(whole + i128::from(units)).ok()
}

/// Units since 1970-01-01 UTC of a local time and its offset: `Z`, `+HH:MM` or `+HH:MM:SS`.
pub(super) fn parse_zoned(text: &[u8], unit_digits: u8) -> Option<i64> {
    if let [utc @ .., b'Z'] = text {
        return parse_time(utc, unit_digits);
    }
    let is_sign = |byte: u8| byte == b'+' || byte == b'-';
    let (local, sign, clock_text) = match text {
        [local @ .., sign, h1, h0, b':', m1, m0] if is_sign(*sign) => {
            (local, sign, [*h1, *h0, *m1, *m0, b'0', b'0'])
        }
        [local @ .., sign, h1, h0, b':', m1, m0, b':', s1, s0] if is_sign(*sign) => {
            (local, sign, [*h1, *h0, *m1, *m0, *s1, *s0])
        }
        _ => return None,
    };
    let part = |at: usize| digits(&clock_text[at..at + 2]);
    let (hour, minute, second) = (part(0)?, part(2)?, part(4)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let offset = (hour * 3600 + minute * 60 + second) * POWERS[usize::from(unit_digits)];
    parse_time(local, unit_digits)?.checked_sub(if *sign == b'-' { -offset } else { offset })
}

/// Units of `[-][N days ]HH:MM:SS[.fraction]`.
pub(super) fn parse_duration(text: &[u8], unit_digits: u8) -> Option<i64> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let (days, clock_text) = match text.iter().position(|&byte| byte == b' ') {
        Some(at) => (number::unsigned(&text[..at])?, text[at..].strip_prefix(b" days ")?),
        None => (0, text),
    };
    let days = u32::try_from(days).ok()?;
    // Seconds are not left out.
    let (seconds, units) = clock(clock_text, unit_digits).filter(|_| clock_text.len() > 5)?;
    // In 128 bits: the least value of 64 has no opposite.
    let seconds = i128::from(days) * i128::from(SECONDS_PER_DAY) + i128::from(seconds);
    let units = seconds * i128::from(POWERS[usize::from(unit_digits)]) + i128::from(units);
    i64::try_from(if negative { -units } else { units }).ok()
}

/// Units since midnight of `HH:MM[:SS[.fraction]]`.
pub(super) fn parse_clock(text: &[u8], unit_digits: u8) -> Option<i64> {
    let (seconds, units) = clock(text, unit_digits)?;
    Some(seconds * POWERS[usize::from(unit_digits)] + units)
}

/// Writes a number of `width` digits.
fn put(out: &mut [u8], at: usize, mut value: i64, width: usize) -> usize {
    for place in out[at..at + width].iter_mut().rev() {
        *place = b'0' + (value % 10) as u8;
        value /= 10;
    }
    at + width
}

/// Two digits.
#[inline]
fn pair(value: i64) -> [u8; 2] {
    let at = value as usize * 2;
    [PAIRS[at], PAIRS[at + 1]]
}

/// Days of the years 0 to 9999, which have four digits.
const FOUR_DIGITS: std::ops::RangeInclusive<i64> = -719_528..=2_932_896;

/// The length of a date.
#[inline]
pub(super) fn date_width(days: i64) -> usize {
    if FOUR_DIGITS.contains(&days) { 10 } else { write_date(&mut [0; 32], days) }
}

/// The length of a date and a time.
#[inline]
pub(super) fn time_width(value: i64, unit_digits: u8) -> usize {
    let days = value.div_euclid(POWERS[usize::from(unit_digits)] * SECONDS_PER_DAY);
    date_width(days) + 9 + if unit_digits > 0 { 1 + usize::from(unit_digits) } else { 0 }
}

/// Writes a date to the beginning of `out`, and returns its length.
pub(super) fn write_date(out: &mut [u8], days: i64) -> usize {
    let (year, month, day) = date_of(days);
    if let (0..=9999, Some(out)) = (year, out.first_chunk_mut::<10>()) {
        let ([y3, y2], [y1, y0]) = (pair(year / 100), pair(year % 100));
        let ([m1, m0], [d1, d0]) = (pair(month), pair(day));
        *out = [y3, y2, y1, y0, b'-', m1, m0, b'-', d1, d0];
        return 10;
    }
    let mut at = 0;
    if year < 0 {
        out[0] = b'-';
        at = 1;
    }
    let year = year.abs();
    // As four digits with the sign, as tables show it.
    let width = (4 - at).max(year.checked_ilog10().unwrap_or(0) as usize + 1);
    at = put(out, at, year, width);
    out[at] = b'-';
    at = put(out, at + 1, month, 2);
    out[at] = b'-';
    put(out, at + 1, day, 2)
}

/// Writes a date and a time to the beginning of `out`, and returns their length.
pub(super) fn write_time(out: &mut [u8], value: i64, unit_digits: u8) -> usize {
    let per_second = POWERS[usize::from(unit_digits)];
    let (seconds, fraction) = (value.div_euclid(per_second), value.rem_euclid(per_second));
    let second = seconds.rem_euclid(SECONDS_PER_DAY);
    let at = write_date(out, seconds.div_euclid(SECONDS_PER_DAY));
    out[at] = b' ';
    write_clock(out, at + 1, second, fraction, unit_digits)
}

/// Writes the time of a second of the day, and returns where it ends.
#[inline]
fn write_clock(out: &mut [u8], mut at: usize, second: i64, fraction: i64, unit_digits: u8) -> usize {
    for (part, mark) in [(second / 3600, b':'), (second / 60 % 60, b':'), (second % 60, b'.')] {
        out[at..at + 2].copy_from_slice(&pair(part));
        at += 2;
        if mark == b':' || unit_digits > 0 {
            out[at] = mark;
            at += 1;
        }
    }
    if unit_digits > 0 { put(out, at, fraction, usize::from(unit_digits)) } else { at }
}

/// Writes a duration to the beginning of `out`, and returns its length.
pub(super) fn write_duration(out: &mut [u8], value: i64, unit_digits: u8) -> usize {
    let per_second = POWERS[usize::from(unit_digits)].unsigned_abs();
    let (seconds, fraction) = (value.unsigned_abs() / per_second, value.unsigned_abs() % per_second);
    let (days, second) =
        ((seconds / SECONDS_PER_DAY as u64) as i64, (seconds % SECONDS_PER_DAY as u64) as i64);
    let mut at = 0;
    if value < 0 {
        out[0] = b'-';
        at = 1;
    }
    if days > 0 {
        at = put(out, at, days, days.ilog10() as usize + 1);
        let mark = b" days ";
        out[at..at + mark.len()].copy_from_slice(mark);
        at += mark.len();
    }
    write_clock(out, at, second, fraction as i64, unit_digits)
}

/// Writes an instant to the beginning of `out`, in local time if that is known and fits in 64 bits, and returns its length.
pub(super) fn write_zoned(
    out: &mut [u8],
    value: i64,
    unit_digits: u8,
    offset: Option<i64>,
    shows_z: bool,
) -> Option<usize> {
    let offset = offset?;
    let local = value.checked_add(offset * POWERS[usize::from(unit_digits)])?;
    let mut at = write_time(out, local, unit_digits);
    if offset == 0 && shows_z {
        out[at] = b'Z';
        return Some(at + 1);
    }
    out[at] = if offset < 0 { b'-' } else { b'+' };
    at += 1;
    let (minutes, second) = (offset.abs() / 60, offset.abs() % 60);
    // Before standard time, offsets were those of the sun.
    let parts = [minutes / 60, minutes % 60, second];
    for (position, part) in parts.into_iter().take(if second == 0 { 2 } else { 3 }).enumerate() {
        if position > 0 {
            out[at] = b':';
            at += 1;
        }
        out[at..at + 2].copy_from_slice(&pair(part));
        at += 2;
    }
    Some(at)
}
