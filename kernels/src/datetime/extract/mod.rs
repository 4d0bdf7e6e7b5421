//! Parts of dates and times.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::elementwise::overflow::Checked;
use crate::elementwise::validity;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// A part of a date or time in the proleptic Gregorian calendar. The discriminants are those in `extract.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum DatePart {
    /// The year; the year before 1 is 0.
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

    /// Whether this is a part of the time of day.
    pub const fn is_time(self) -> bool {
        matches!(self, DatePart::Hour | DatePart::Minute | DatePart::Second)
    }
}

/// The unit of a number that counts from 1970-01-01 00:00.
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

    /// Units per second; 0 for days.
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

/// Row `i` of the result is the `part` of `input[i]`; null if that is null.
///
/// Times before 1970 count backwards, so that one second before is 23:59:59 of the previous day. Leap seconds
/// and time zones are ignored. Days beyond those of [`Storage::I32`], 5.8 million years away, are clamped.
///
/// # Shapes and units
/// input: n rows of the unit's storage type → n rows of [`Storage::I32`].
///
/// # Errors
/// [`Error::UnsupportedStorage`] for an input whose storage is not that of the unit.
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

/// [`extract`] of a part of the day on a device, with the rows whose day is beyond those of [`Storage::I32`]. One launch.
pub(crate) fn extract_by_row(
    part: DatePart,
    input: &Fixed<'_>,
    unit: TimeUnit,
    exec: &Exec,
) -> Result<Checked> {
    if input.storage != unit.storage() {
        return Err(Error::UnsupportedStorage { storage: input.storage });
    }
    let (data, overflow) = if matches!(unit, TimeUnit::Second | TimeUnit::Milli) {
        cuda::extract_by_row(part, input, unit, exec)?
    } else {
        (cuda::extract(part, input, unit, exec)?, None)
    };
    let validity = validity::intersect(&[input.validity_bits()], exec)?;
    Ok((FixedData { storage: Storage::I32, len: input.len, data, validity }, overflow))
}
