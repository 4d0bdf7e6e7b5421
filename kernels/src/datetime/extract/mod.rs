//! Parts of dates and times.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::elementwise::validity;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// A part of a date or time in the proleptic Gregorian calendar. The discriminants are the ones that `extract.cu`
/// sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum DatePart {
    /// The year; 0 is the year before 1.
    Year = 0,
    /// 1 to 12.
    Month = 1,
    /// The day of the month, 1 to 31.
    Day = 2,
    /// 1 to 4.
    Quarter = 3,
    /// 0 to 23.
    Hour = 4,
    /// 0 to 59.
    Minute = 5,
    /// 0 to 59.
    Second = 6,
    /// 0 for Monday to 6 for Sunday.
    Weekday = 7,
    /// 1 to 366.
    DayOfYear = 8,
}

impl DatePart {
    /// Every part.
    pub const ALL: [DatePart; 9] = [
        DatePart::Year,
        DatePart::Month,
        DatePart::Day,
        DatePart::Quarter,
        DatePart::Hour,
        DatePart::Minute,
        DatePart::Second,
        DatePart::Weekday,
        DatePart::DayOfYear,
    ];

    /// Whether the part is one of the time of the day.
    pub const fn is_time(self) -> bool {
        matches!(self, DatePart::Hour | DatePart::Minute | DatePart::Second)
    }
}

/// What a number counts since 1970-01-01 00:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    /// Days, in [`Storage::I32`].
    Day,
    /// Seconds, in [`Storage::I64`].
    Second,
    /// Milliseconds, in [`Storage::I64`].
    Milli,
    /// Microseconds, in [`Storage::I64`].
    Micro,
    /// Nanoseconds, in [`Storage::I64`].
    Nano,
}

impl TimeUnit {
    /// Every unit.
    pub const ALL: [TimeUnit; 5] =
        [TimeUnit::Day, TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano];

    /// How numbers of the unit are stored.
    pub const fn storage(self) -> Storage {
        match self {
            TimeUnit::Day => Storage::I32,
            TimeUnit::Second | TimeUnit::Milli | TimeUnit::Micro | TimeUnit::Nano => Storage::I64,
        }
    }

    /// So many make a second; 0 for days.
    pub(crate) const fn per_second(self) -> i64 {
        match self {
            TimeUnit::Day => 0,
            TimeUnit::Second => 1,
            TimeUnit::Milli => 1_000,
            TimeUnit::Micro => 1_000_000,
            TimeUnit::Nano => 1_000_000_000,
        }
    }
}

/// Row `i` of the result is the `part` of `input[i]`; null where that is null.
///
/// Times before 1970 count backwards from it, so that one second before is 23:59:59 of the day before. Leap seconds
/// and time zones do not enter. Days beyond those of [`Storage::I32`], 5.8 million years away, are taken for the
/// last of them.
///
/// # Shapes and units
/// input: n rows of the unit's storage type → n rows of [`Storage::I32`].
///
/// # Errors
/// [`Error::UnsupportedStorage`] for an input that is not stored as its unit is.
///
/// # Device
/// One launch, and one for a mask. Does not synchronise.
///
/// # Source
/// cudf/datetime.hpp `extract_datetime_component`, pandas `Series.dt`; Howard Hinnant, `civil_from_days`; Neri and
/// Schneider (2022).
pub fn extract(part: DatePart, input: &Fixed<'_>, unit: TimeUnit, exec: &Exec) -> Result<FixedData> {
    if input.storage != unit.storage() {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    let data = match exec.device() {
        Device::Host => host::extract(part, input, unit, exec)?,
        _ => cuda::extract(part, input, unit, exec)?,
    };
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::I32, len: input.len, data, validity })
}
