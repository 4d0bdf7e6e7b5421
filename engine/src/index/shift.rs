//! Times moved by a frequency.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, DType, Error as ColumnError, TimeUnit};
use columnade_ops::expression::{Ambiguous, LocalTimes, Nonexistent, col, lit};

use super::Index;
use super::lookup::computed;
use crate::error::{Error, InOperation, Result};
use crate::frequency::Frequency;

const NANOS_PER_DAY: i128 = 86_400_000_000_000;

impl Index {
    /// The times moved by so many of their own frequency: see [`shift_by`](Self::shift_by).
    ///
    /// ```
    /// use columnade::{DType, Index};
    ///
    /// let ends = Index::date_range(&DType::Date32, "2024-01-31", "2024-03-31", "ME")?.shift(1)?;
    /// assert_eq!(ends.get(0)?.to_string(), "2024-02-29");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels without a [`freq`](super::DatetimeIndex::freq), for times beyond the dtype, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `DatetimeIndex.shift`.
    pub fn shift(&self, periods: i64) -> Result<Self> {
        const OPERATION: &str = "shift";
        let Some(freq) = self.freq() else {
            let reason = "the labels were not made with one: see `shift_by`";
            return Err(Error::argument(OPERATION, "freq", reason));
        };
        let exec = self.exec(OPERATION)?;
        Ok(self.moved(periods, freq, &exec).operation(OPERATION)?.with_freq(Some(freq)))
    }

    /// The times moved by so many of a frequency. Days, and the other frequencies of the calendar, are those of the time zone, and
    /// keep the time of the day: the first of two equal times of its clocks, and the next of those that they skip. From a
    /// day between two of a calendar, the first step is to the next one or, backwards, to the one before.
    ///
    /// ```
    /// use columnade::{DType, Index, date_range};
    ///
    /// let days = Index::from_series(&date_range(&DType::Date32, "2024-01-05", "2024-01-06", "D")?)?;
    /// assert_eq!(days.shift_by(2, "B")?.get(0)?.to_string(), "2024-01-09");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels that are no times, an unknown frequency, one that is no multiple of the labels' unit, one of
    /// the calendar for durations, times beyond the dtype, and when memory runs out.
    ///
    /// # Device
    /// One pass; for frequencies of the calendar the labels are copied to the host and back.
    ///
    /// # Source
    /// pandas `DatetimeIndex.shift(periods, freq)`.
    pub fn shift_by(&self, periods: i64, frequency: &str) -> Result<Self> {
        const OPERATION: &str = "shift_by";
        let exec = self.exec(OPERATION)?;
        let moved = Frequency::parse(frequency).and_then(|freq| self.moved(periods, freq, &exec));
        let moved = moved.operation(OPERATION)?;
        let is_own = self.freq().is_some() && self.freq() == Frequency::parse(frequency).ok();
        Ok(if is_own { moved.with_freq(self.freq()) } else { moved })
    }

    fn moved(&self, periods: i64, freq: Frequency, exec: &Exec) -> columns::Result<Self> {
        let levels = self.columns(exec)?;
        let dtype = levels[0].dtype();
        let is_duration = matches!(dtype, DType::Duration(_));
        let is_time = matches!(dtype, DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..));
        if levels.len() != 1 || !(is_time || is_duration) {
            return Err(ColumnError::UnsupportedDType { dtype });
        }
        let zone = if let DType::TimestampTz(unit, zone) = &dtype { Some((*unit, zone)) } else { None };
        let moved = match freq {
            Frequency::Fixed(nanos) => added(&levels[0], nanos, periods, exec)?,
            Frequency::Days(every) if zone.is_none() => {
                added(&levels[0], i128::from(every) * NANOS_PER_DAY, periods, exec)?
            }
            Frequency::Calendar { .. } if is_duration => {
                let reason = "durations are in no calendar".to_owned();
                return Err(ColumnError::InvalidArgument { name: "frequency", reason });
            }
            Frequency::Days(_) | Frequency::Calendar { .. } => {
                let Some((_, zone)) = zone else {
                    return Ok(Self::of_owned(
                        self.names(),
                        vec![by_days(&levels[0], freq, periods, exec)?],
                        exec,
                    ));
                };
                let local = computed(&[("x", &levels[0])], col("x").dt().tz_naive(), exec)?;
                let local = by_days(&local, freq, periods, exec)?;
                let rules =
                    LocalTimes { ambiguous: Ambiguous::Earliest, nonexistent: Nonexistent::ShiftForward };
                computed(&[("x", &local)], col("x").dt().tz_localize(zone.name(), rules), exec)?
            }
        };
        Ok(Self::of_owned(self.names(), vec![moved], exec))
    }
}

fn units_per_day(dtype: &DType) -> i64 {
    dtype.unit().map_or(1, |unit| 86_400 * TimeUnit::per_second(unit))
}

/// Times and a multiple of nanoseconds.
fn added(times: &Column, nanos: i128, periods: i64, exec: &Exec) -> columns::Result<Column> {
    let dtype = times.dtype();
    let overflow = || ColumnError::Overflow { dtype: dtype.clone() };
    let per_unit = NANOS_PER_DAY / i128::from(units_per_day(&dtype));
    if nanos % per_unit != 0 {
        let reason = format!("it is no multiple of the unit of {dtype}");
        return Err(ColumnError::InvalidArgument { name: "frequency", reason });
    }
    let distance = (nanos / per_unit).checked_mul(periods.into()).ok_or_else(overflow)?;
    let storage = if dtype == DType::Date32 { DType::Int32 } else { DType::Int64 };
    let numbers = times.reinterpret(&storage)?;
    let distance = if dtype == DType::Date32 {
        lit(i32::try_from(distance).map_err(|_| overflow())?)
    } else {
        lit(i64::try_from(distance).map_err(|_| overflow())?)
    };
    let moved = computed(&[("x", &numbers)], col("x").checked_add(distance), exec);
    moved.map_err(columns::Error::without_context)?.reinterpret(&dtype)
}

/// Times without a zone on other days of a calendar, at the time that they have in the day.
fn by_days(times: &Column, freq: Frequency, periods: i64, exec: &Exec) -> columns::Result<Column> {
    let dtype = times.dtype();
    let day = units_per_day(&dtype);
    let overflow = || ColumnError::Overflow { dtype: dtype.clone() };
    let moved = |time: i64| {
        let of_day = time.rem_euclid(day);
        let to = freq.day_after(time.div_euclid(day), periods);
        to.and_then(|to| to.checked_mul(day)?.checked_add(of_day)).ok_or_else(overflow)
    };
    if dtype == DType::Date32 {
        let days = times.reinterpret(&DType::Int32)?.to_options::<i32>()?;
        let days = days.into_iter().map(|days| {
            days.map(|days| i32::try_from(moved(days.into())?).map_err(|_| overflow())).transpose()
        });
        let days: Vec<Option<i32>> = days.collect::<columns::Result<_>>()?;
        return Column::from_options(days, exec)?.reinterpret(&dtype);
    }
    let times = times.reinterpret(&DType::Int64)?.to_options::<i64>()?;
    let times = times.into_iter().map(|time| time.map(moved).transpose());
    let times: Vec<Option<i64>> = times.collect::<columns::Result<_>>()?;
    Column::from_options(times, exec)?.reinterpret(&dtype)
}
