//! The proleptic Gregorian calendar in days since 1970-01-01.
//!
//! Years are taken to begin in March, so that the leap day is the last of its year, and are counted in eras of
//! 400 years, which all have 146 097 days.
//!
//! # Source
//! Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.

use std::fmt;

/// No year beyond this, before or after, has a day that a column holds; nor does counting its days overflow.
const MAX_YEAR: u64 = 1 << 40;
const ERA_DAYS: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_DAYS: i64 = 719_468;

/// A day of the calendar.
///
/// A value that columns are made from: see [`ColumnValue`](crate::ColumnValue).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year; 0 is the year before 1.
    pub year: i64,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, 1 to 31.
    pub day: u8,
}

impl fmt::Display for Date {
    /// As ISO 8601 has it: `1998-09-02`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// The day that is `days` after 1970-01-01.
pub const fn date_of(days: i64) -> Date {
    let shifted = days + EPOCH_DAYS;
    let era = shifted.div_euclid(ERA_DAYS);
    let day_of_era = shifted.rem_euclid(ERA_DAYS);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 12 and 1 to 31")]
    let (month_byte, day_byte) = (month as u8, day as u8);
    Date { year: year_of_era + era * 400 + if month <= 2 { 1 } else { 0 }, month: month_byte, day: day_byte }
}

/// Days from 1970-01-01 to a date; `None` when there is no such day.
pub fn days_to(date: Date) -> Option<i64> {
    let Date { year, month, day } = date;
    if year.unsigned_abs() > MAX_YEAR
        || !(1..=12).contains(&month)
        || day == 0
        || day > days_in_month(year, month)
    {
        return None;
    }
    let (month, day) = (i64::from(month), i64::from(day));
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * ERA_DAYS + day_of_era - EPOCH_DAYS)
}

const fn days_in_month(year: i64, month: u8) -> u8 {
    match month {
        2 if year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
