//! Ranges of dates and timestamps.

#[cfg(test)]
mod tests;
mod zoned;

use columnade_buffers::{Device, Error as DeviceError, Exec};
use columnade_columns::{Column, DType, Error as ColumnError, Scalar};
use columnade_ops::expression::LocalTimes;

#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frequency::Frequency;
use crate::options::default_exec_for;
use crate::series::Series;

const NANOS_PER_DAY: i128 = 86_400_000_000_000;

/// The dates or timestamps from `start` to `end`, both of which are part of the range if they fall on it, as often as
/// `frequency` says; on the thread's default device.
///
/// `dtype` is `date32` or a timestamp, and `start` and `end` are texts of it. In a time zone they are local times; days (`D`) and
/// the other frequencies of the calendar go by the local time, those of hours and less by the time that passes.
///
/// Frequencies are those of pandas: `ns`, `us`, `ms`, `s`, `min`, `h` and `D`, with numbers, in sums (`1h30min`) and with fractions (`1.5h`); `B` for days
/// from Monday to Friday; `W` or `W-MON` for a day of the week, Sunday by default; `MS` and `ME` for the first and the last
/// days of months; `SMS` and `SME` for the 15th too, or another day as in `SME-10`; `QS`, `QE`, `YS` and `YE` for those of
/// quarters and years, which begin or end in a month as in `QE-MAR`; `BMS`, `BME`, `BQS`, `BQE`, `BYS` and `BYE` for the first and
/// the last of their days from Monday to Friday. Those of the calendar keep the time of day of `start`, and begin with the
/// first day that is not before it.
///
/// ```
/// use columnade::{DType, Date, date_range};
///
/// let ends = date_range(&DType::Date32, "2024-01-15", "2024-04-30", "ME")?;
/// let days: Vec<String> = ends.to_vec::<Date>()?.iter().map(ToString::to_string).collect();
/// assert_eq!(days, ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// [`Error::Operation`] for a text that is no date or timestamp of the dtype, another dtype, an unknown frequency with its
/// position, one that is not implemented by name, one that is no multiple of the dtype's unit, a local time that clocks show
/// twice or skip (see [`date_range_with`]), and when memory runs out; [`Error::Device`] when the default device cannot be used.
///
/// # Source
/// pandas `date_range`, Polars `date_range`, cudf/filling.hpp `calendrical_month_sequence`.
pub fn date_range(dtype: &DType, start: &str, end: &str, frequency: &str) -> Result<Series> {
    range("date_range", dtype, start, frequency, Until::Time(end), LocalTimes::default())
}

/// [`date_range`], with what is done with local times that clocks show twice or skip.
///
/// ```
/// use columnade::expressions::{Ambiguous, LocalTimes, Nonexistent};
/// use columnade::{DType, TimeUnit, TimeZone, date_range_with};
///
/// // On 2024-03-31 the clocks of Berlin skip the hour after two.
/// let dtype = DType::TimestampTz(TimeUnit::Second, TimeZone::new("Europe/Berlin")?);
/// let rules = LocalTimes { ambiguous: Ambiguous::Earliest, nonexistent: Nonexistent::ShiftForward };
/// let days = date_range_with(&dtype, "2024-03-30 02:30:00", "2024-04-01 02:30:00", "D", rules)?;
/// let local: Vec<String> =
///     days.dt().tz_naive()?.to_scalars()?.iter().map(ToString::to_string).collect();
/// assert_eq!(local, ["2024-03-30 02:30:00", "2024-03-31 03:00:00", "2024-04-01 02:30:00"]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// [`Error::Operation`] for a text that is no date or timestamp of the dtype, an unknown frequency, a local time that `rules`
/// refuse, and when memory runs out; [`Error::Device`] when the default device cannot be used.
///
/// # Source
/// pandas `date_range(tz=…)`, whose `tz_localize` raises for such times.
pub fn date_range_with(
    dtype: &DType,
    start: &str,
    end: &str,
    frequency: &str,
    rules: LocalTimes,
) -> Result<Series> {
    range("date_range_with", dtype, start, frequency, Until::Time(end), rules)
}

/// `periods` dates or timestamps from `start` on; see [`date_range`].
///
/// ```
/// use columnade::{DType, TimeUnit, date_range_periods};
///
/// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-02-28 12:00:00", 3, "36h")?;
/// assert_eq!(times.get(2)?.to_string(), "2024-03-02 12:00:00");
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// [`Error::Operation`] for a text that is no date or timestamp of the dtype, an unknown frequency, times beyond the dtype, and
/// when memory runs out; [`Error::Device`] when the default device cannot be used.
///
/// # Source
/// pandas `date_range(periods=…)`.
pub fn date_range_periods(dtype: &DType, start: &str, periods: usize, frequency: &str) -> Result<Series> {
    range("date_range_periods", dtype, start, frequency, Until::Periods(periods), LocalTimes::default())
}

/// [`date_range_periods`], with what is done with local times that clocks show twice or skip: see [`date_range_with`].
///
/// # Errors
/// [`Error::Operation`] for a text that is no date or timestamp of the dtype, an unknown frequency, times beyond the dtype, and
/// when memory runs out; [`Error::Device`] when the default device cannot be used.
///
/// # Source
/// pandas `date_range(periods=…, tz=…)`.
pub fn date_range_periods_with(
    dtype: &DType,
    start: &str,
    periods: usize,
    frequency: &str,
    rules: LocalTimes,
) -> Result<Series> {
    range("date_range_periods_with", dtype, start, frequency, Until::Periods(periods), rules)
}

/// Where a range ends.
#[derive(Clone, Copy)]
pub(crate) enum Until<T> {
    /// With this time.
    Time(T),
    /// After so many times.
    Periods(usize),
}

fn range(
    operation: &'static str,
    dtype: &DType,
    start: &str,
    frequency: &str,
    until: Until<&str>,
    rules: LocalTimes,
) -> Result<Series> {
    let exec = default_exec_for(operation)?;
    let column = if let DType::TimestampTz(unit, zone) = dtype {
        zoned::column((*unit, zone), start, frequency, until, rules, &exec)
    } else {
        until.map(|end| count(dtype, end)).and_then(|until| {
            let times = times(dtype, count(dtype, start)?, frequency, until)?;
            column(dtype, &times, &exec)
        })
    };
    Series::unnamed(operation, column.operation(operation)?, exec)
}

impl<T> Until<T> {
    fn map<U>(self, time: impl FnOnce(T) -> Result<U, ColumnError>) -> Result<Until<U>, ColumnError> {
        Ok(match self {
            Until::Time(end) => Until::Time(time(end)?),
            Until::Periods(periods) => Until::Periods(periods),
        })
    }
}

/// Times in the dtype's unit.
pub(crate) fn column(dtype: &DType, times: &[i64], exec: &Exec) -> Result<Column, ColumnError> {
    if *dtype != DType::Date32 {
        return Column::from_slice(times, exec)?.reinterpret(dtype);
    }
    let fits = |&time: &i64| i32::try_from(time).map_err(|_| ColumnError::Overflow { dtype: dtype.clone() });
    let days = times.iter().map(fits).collect::<Result<Vec<_>, _>>()?;
    Column::from_slice(&days, exec)?.reinterpret(dtype)
}

/// A time in the dtype's unit.
fn count(dtype: &DType, text: &str) -> Result<i64, ColumnError> {
    let time = Scalar::parse(dtype, text)?;
    if let Scalar::Date32(days) = time {
        Ok(days.into())
    } else if let Scalar::Timestamp(count, _) = time {
        Ok(count)
    } else {
        Err(ColumnError::UnsupportedDType { dtype: dtype.clone() })
    }
}

/// The times of a range in the unit of `dtype`.
pub(crate) fn times(
    dtype: &DType,
    start: i64,
    frequency: &str,
    until: Until<i64>,
) -> Result<Vec<i64>, ColumnError> {
    let per_day = dtype.unit().map_or(1, |unit| 86_400 * unit.per_second());
    let overflow = || ColumnError::Overflow { dtype: dtype.clone() };
    let parsed = Frequency::parse(frequency)?;
    let mut times = Vec::new();
    let mut next: Box<dyn Iterator<Item = Option<i64>>> = if let Frequency::Fixed(nanos) = parsed {
        let per_unit = NANOS_PER_DAY / i128::from(per_day);
        if nanos % per_unit != 0 {
            let reason = format!("{frequency} is no multiple of the unit of {dtype}");
            return Err(ColumnError::InvalidArgument { name: "frequency", reason });
        }
        let step = i64::try_from(nanos / per_unit).map_err(|_| overflow())?;
        let at = move |k: i64| start.checked_add(k.checked_mul(step)?);
        if let Until::Periods(periods @ 1..) = until {
            i64::try_from(periods - 1).ok().and_then(at).ok_or_else(overflow)?;
        }
        if let (Until::Time(end), 1..) = (until, step) {
            let periods = (i128::from(end) - i128::from(start)) / i128::from(step) + 1;
            reserve(&mut times, usize::try_from(periods.max(0)).unwrap_or(usize::MAX))?;
        }
        Box::new((0..).map(at))
    } else {
        let time = start.rem_euclid(per_day);
        let days = parsed.days(start.div_euclid(per_day)).ok_or_else(overflow)?;
        Box::new(days.map(move |day| day.checked_mul(per_day)?.checked_add(time)))
    };
    match until {
        Until::Periods(periods) => {
            reserve(&mut times, periods)?;
            for _ in 0..periods {
                times.push(next.next().flatten().ok_or_else(overflow)?);
            }
        }
        // Beyond the dtype is beyond the end.
        Until::Time(end) => times.extend(next.map_while(|time| time.filter(|&time| time <= end))),
    }
    Ok(times)
}

/// Memory for times, which are made on the host.
fn reserve(times: &mut Vec<i64>, periods: usize) -> Result<(), ColumnError> {
    times.try_reserve_exact(periods).map_err(|_| {
        let requested = periods.saturating_mul(size_of::<i64>());
        DeviceError::OutOfMemory { device: Device::Host, requested, free: None, tier_refusal: None }.into()
    })
}
