//! The time that a text like `2024-01` stands for.

use columnade_buffers::Exec;
use columnade_columns::calendar::{Date, date_of, days_to};
use columnade_columns::{self as columns, Column, DType, Error, Scalar, TimeUnit, TimeZone};
use columnade_ops::expression::{Ambiguous, LocalTimes, Nonexistent, col};

use super::lookup::computed;

const DAY: i64 = 86_400;

/// The first time of a period and the first one after it, in the dtype of labels.
#[derive(Clone, Debug)]
pub(super) struct Period {
    pub(super) start: Scalar,
    pub(super) end: Scalar,
}

/// The period that a text names: a year, a month, a day, an hour, a minute or a second. `None` for a text with fractions of
/// a second, which is one time, and for labels that are no times.
#[expect(clippy::wildcard_enum_match_arm, reason = "other dtypes are no times")]
pub(super) fn period(dtype: &DType, text: &str) -> columns::Result<Option<Period>> {
    if !matches!(dtype, DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..)) || text.contains('.') {
        return Ok(None);
    }
    let invalid = || Error::Parse { text: text.to_owned(), dtype: dtype.clone() };
    let (start, end) = seconds(text).ok_or_else(invalid)?;
    let at = |seconds: i64| {
        let count = |unit: TimeUnit| seconds.checked_mul(per_second(unit));
        match dtype {
            DType::Date32 => i32::try_from(seconds.div_euclid(DAY)).ok().map(Scalar::Date32),
            DType::Timestamp(unit) => count(*unit).map(|value| Scalar::Timestamp(value, *unit)),
            DType::TimestampTz(unit, zone) => {
                count(*unit).map(|value| Scalar::TimestampTz(value, *unit, zone.clone()))
            }
            _ => None,
        }
        .ok_or_else(|| Error::Overflow { dtype: dtype.clone() })
    };
    let (start, end) = match dtype {
        DType::Date32 if end - start < DAY => return Err(invalid()),
        DType::TimestampTz(_, zone) => {
            let [start, end] = instants(zone, [start, end])?;
            (start, end)
        }
        _ => (start, end),
    };
    Ok(Some(Period { start: at(start)?, end: at(end)? }))
}

/// The instants at which the clocks of a zone show these seconds: the first of two, and the next of those that clocks skip.
fn instants(zone: &TimeZone, local: [i64; 2]) -> columns::Result<[i64; 2]> {
    if *zone == TimeZone::utc() {
        return Ok(local);
    }
    let exec = Exec::host();
    let column = Column::from_slice(&local, &exec)?.reinterpret(&DType::Timestamp(TimeUnit::Second))?;
    let rules = LocalTimes { ambiguous: Ambiguous::Earliest, nonexistent: Nonexistent::ShiftForward };
    let found = computed(&[("local", &column)], col("local").dt().tz_localize(zone.name(), rules), &exec)?;
    let found = found.reinterpret(&DType::Int64)?.to_vec::<i64>()?;
    <[i64; 2]>::try_from(found).map_err(|_| Error::Internal { invariant: "two times have two instants" })
}

fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Milli => 1_000,
        TimeUnit::Micro => 1_000_000,
        TimeUnit::Nano => 1_000_000_000,
    }
}

/// Seconds since 1970-01-01 of the start of a period and of the next one.
fn seconds(text: &str) -> Option<(i64, i64)> {
    let (date, time) = text.split_once([' ', 'T']).map_or((text, None), |(date, time)| (date, Some(time)));
    let mut parts = date.split('-');
    let year = parts.next().filter(|year| year.len() == 4)?.parse::<i64>().ok()?;
    let month = parts.next().map(two_digits);
    let day = parts.next().map(two_digits);
    if parts.next().is_some() {
        return None;
    }
    let at = |year: i64, month: u8, day: u8| Some(days_to(Date { year, month, day })? * DAY);
    let (Some(month), Some(day)) = (month, day) else {
        if time.is_some() {
            return None;
        }
        let Some(month) = month else { return Some((at(year, 1, 1)?, at(year + 1, 1, 1)?)) };
        let month = month?;
        let start = at(year, month, 1)?;
        // A day of the next month.
        let next = date_of(start / DAY + 31);
        return Some((start, at(next.year, next.month, 1)?));
    };
    let start = at(year, month?, day?)?;
    let Some(time) = time else { return Some((start, start + DAY)) };
    let (mut start, mut length) = (start, 3_600);
    for (position, part) in time.split(':').enumerate() {
        let value = i64::from(two_digits(part)?);
        let (most, unit) = *[(23, 3_600), (59, 60), (59, 1)].get(position)?;
        if value > most {
            return None;
        }
        start += value * unit;
        length = unit;
    }
    Some((start, start + length))
}

fn two_digits(text: &str) -> Option<u8> {
    (text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}
