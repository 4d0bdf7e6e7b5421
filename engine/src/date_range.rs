//! Ranges of dates and timestamps.

use columnade_columns::{Column, DType, Error as ColumnError, Scalar};

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
/// `dtype` is `date32` or a timestamp without a time zone, and `start` and `end` are texts of it. Frequencies are those of
/// pandas: `ns`, `us`, `ms`, `s`, `min`, `h` and `D`, with numbers, in sums (`1h30min`) and with fractions (`1.5h`); `B` for days
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
/// position, one that is not implemented by name, one that is no multiple of the dtype's unit, and when memory runs out;
/// [`Error::Device`] when the default device cannot be used.
///
/// # Source
/// pandas `date_range`, Polars `date_range`, cudf/filling.hpp `calendrical_month_sequence`.
pub fn date_range(dtype: &DType, start: &str, end: &str, frequency: &str) -> Result<Series> {
    const OPERATION: &str = "date_range";
    let end = count(dtype, end).operation(OPERATION)?;
    range(OPERATION, dtype, start, frequency, Until::Time(end))
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
/// As [`date_range`]; for times beyond the dtype.
///
/// # Source
/// pandas `date_range(periods=…)`.
pub fn date_range_periods(dtype: &DType, start: &str, periods: usize, frequency: &str) -> Result<Series> {
    range("date_range_periods", dtype, start, frequency, Until::Periods(periods))
}

/// Where a range ends.
#[derive(Clone, Copy)]
enum Until {
    /// With this time, in the dtype's unit.
    Time(i64),
    /// After so many times.
    Periods(usize),
}

fn range(
    operation: &'static str,
    dtype: &DType,
    start: &str,
    frequency: &str,
    until: Until,
) -> Result<Series> {
    let exec = default_exec_for(operation)?;
    let times = times(dtype, start, frequency, until).operation(operation)?;
    let column = if *dtype == DType::Date32 {
        let fits =
            |&time: &i64| i32::try_from(time).map_err(|_| ColumnError::Overflow { dtype: dtype.clone() });
        let days = times.iter().map(fits).collect::<Result<Vec<_>, _>>().operation(operation)?;
        Column::from_slice(&days, &exec)
    } else {
        Column::from_slice(&times, &exec)
    };
    let column = column.and_then(|column| column.reinterpret(dtype)).operation(operation)?;
    Series::from_column(operation, "", column, exec)
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

fn times(dtype: &DType, start: &str, frequency: &str, until: Until) -> Result<Vec<i64>, ColumnError> {
    if !matches!(dtype, DType::Date32 | DType::Timestamp(_)) {
        return Err(ColumnError::UnsupportedDType { dtype: dtype.clone() });
    }
    let start = count(dtype, start)?;
    let per_day = dtype.unit().map_or(1, |unit| 86_400 * unit.per_second());
    let overflow = || ColumnError::Overflow { dtype: dtype.clone() };
    let parsed = Frequency::parse(frequency)?;
    let mut next: Box<dyn Iterator<Item = Option<i64>>> = if let Frequency::Fixed(nanos) = parsed {
        let per_unit = NANOS_PER_DAY / i128::from(per_day);
        if nanos % per_unit != 0 {
            let reason = format!("{frequency} is no multiple of the unit of {dtype}");
            return Err(ColumnError::InvalidArgument { name: "frequency", reason });
        }
        let step = i64::try_from(nanos / per_unit).map_err(|_| overflow())?;
        Box::new((0..).map(move |k: i64| start.checked_add(k.checked_mul(step)?)))
    } else {
        let time = start.rem_euclid(per_day);
        let days = parsed.days(start.div_euclid(per_day)).ok_or_else(overflow)?;
        Box::new(days.map(move |day| day.checked_mul(per_day)?.checked_add(time)))
    };
    match until {
        Until::Periods(periods) => (0..periods).map(|_| next.next().flatten().ok_or_else(overflow)).collect(),
        // Beyond the dtype is beyond the end.
        Until::Time(end) => Ok(next.map_while(|time| time.filter(|&time| time <= end)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::{date_range, date_range_periods};
    use columnade_columns::{DType, ErrorKind, TimeUnit};

    fn days(start: &str, end: &str, frequency: &str) -> Vec<String> {
        let range = date_range(&DType::Date32, start, end, frequency).unwrap();
        range.to_scalars().unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn ranges_of_every_frequency_match_pandas() {
        // pandas 3: date_range(start, end, freq=…).
        for (start, end, frequency, expected) in [
            ("2024-02-27", "2024-03-02", "D", "2024-02-27 2024-02-28 2024-02-29 2024-03-01 2024-03-02"),
            ("2024-02-27", "2024-03-06", "3D", "2024-02-27 2024-03-01 2024-03-04"),
            ("2024-02-29", "2024-03-05", "B", "2024-02-29 2024-03-01 2024-03-04 2024-03-05"),
            ("2024-03-02", "2024-03-08", "2B", "2024-03-04 2024-03-06 2024-03-08"),
            ("2024-02-29", "2024-03-17", "W", "2024-03-03 2024-03-10 2024-03-17"),
            ("2024-02-29", "2024-03-29", "2W-FRI", "2024-03-01 2024-03-15 2024-03-29"),
            ("2024-01-15", "2024-04-30", "MS", "2024-02-01 2024-03-01 2024-04-01"),
            ("2024-01-31", "2024-05-31", "2ME", "2024-01-31 2024-03-31 2024-05-31"),
            ("2023-11-20", "2024-08-01", "QS", "2024-01-01 2024-04-01 2024-07-01"),
            ("2023-11-20", "2024-08-01", "QE", "2023-12-31 2024-03-31 2024-06-30"),
            ("2023-11-20", "2024-08-01", "QE-JAN", "2024-01-31 2024-04-30 2024-07-31"),
            ("2023-11-20", "2026-08-01", "YS", "2024-01-01 2025-01-01 2026-01-01"),
            ("2023-11-20", "2026-08-01", "YE-FEB", "2024-02-29 2025-02-28 2026-02-28"),
            ("2024-03-02", "2024-03-01", "D", ""),
            ("2024-01-10", "2024-03-20", "SME", "2024-01-15 2024-01-31 2024-02-15 2024-02-29 2024-03-15"),
            ("2024-01-10", "2024-03-20", "SMS-10", "2024-01-10 2024-02-01 2024-02-10 2024-03-01 2024-03-10"),
            ("2024-03-01", "2024-06-30", "BME", "2024-03-29 2024-04-30 2024-05-31 2024-06-28"),
            ("2024-05-31", "2024-10-30", "2BMS", "2024-06-03 2024-08-01 2024-10-01"),
            ("2024-01-10", "2024-12-31", "BQE", "2024-03-29 2024-06-28 2024-09-30 2024-12-31"),
            ("2024-01-10", "2025-12-31", "BYS-JUN", "2024-06-03 2025-06-02"),
            ("2024-01-10", "2025-12-31", "BYE", "2024-12-31 2025-12-31"),
        ] {
            assert_eq!(days(start, end, frequency).join(" "), expected, "{frequency}");
        }
        let times = date_range(
            &DType::Timestamp(TimeUnit::Milli),
            "2024-01-30 12:00:00.500",
            "2024-03-31 12:00:00.000",
            "ME",
        );
        let times = times.unwrap().to_scalars().unwrap();
        let times: Vec<String> = times.iter().map(ToString::to_string).collect();
        assert_eq!(times, ["2024-01-31 12:00:00.500", "2024-02-29 12:00:00.500"]);
        let unit = DType::Timestamp(TimeUnit::Second);
        let times = date_range_periods(&unit, "2024-01-01 00:00:00", 3, "1h30min").unwrap();
        assert_eq!(times.get(2).unwrap().to_string(), "2024-01-01 03:00:00");
        assert!(date_range_periods(&unit, "2024-01-01 00:00:00", 0, "s").unwrap().is_empty());
        for (frequency, second) in
            [("1.5h", "01:30:00"), ("0.5D", "12:00:00"), ("1D12h", "12:00:00"), ("0.25min", "00:00:15")]
        {
            let times = date_range_periods(&unit, "2024-01-01 00:00:00", 2, frequency).unwrap();
            assert!(times.get(1).unwrap().to_string().ends_with(second), "{frequency}");
        }
    }

    #[test]
    fn wrong_frequencies_are_refused_at_a_position() {
        let error =
            |frequency: &str| date_range(&DType::Date32, "2024-01-01", "2024-01-02", frequency).unwrap_err();
        for (frequency, expected) in [
            ("M", "\"M\" is invalid at character 0: ME for ends of months"),
            ("2H", "\"2H\" is invalid at character 1: h"),
            ("W-XYZ", "at character 0: an unknown day or month"),
            ("1D2MS", "at character 3: frequencies of the calendar stand alone"),
            ("x", "at character 0: a frequency is expected"),
            ("", "at character 0: a frequency is expected"),
            ("0D", "at character 0: a number from 1"),
            ("BM", "at character 0: BME"),
            ("SMS-1", "at character 0: a day of the month, up to 27"),
            ("SME-28", "at character 0: a day of the month, up to 27"),
            ("BB", "at character 0: a frequency is expected"),
            ("1.5ME", "at character 3: frequencies of the calendar come a whole number of times"),
            ("0.3ns", "at character 0: the number is no multiple of a nanosecond"),
            ("1.2.3h", "at character 0: the number has too many digits"),
            ("12h", "frequency: 12h is no multiple of the unit of date32"),
        ] {
            let error = error(frequency);
            assert!(error.to_string().contains(expected), "{error}");
        }
        assert_eq!(error("WOM-2TUE").kind(), ErrorKind::NotImplemented);
        assert_eq!(error("bh").kind(), ErrorKind::NotImplemented);
        assert!(error("C").to_string().contains("the frequency C"));
        let far = date_range_periods(&DType::Date32, "5881580-07-11", 2, "D").unwrap_err();
        assert_eq!(far.kind(), ErrorKind::Overflow);
        let zoned = date_range(&DType::Int64, "1", "2", "D").unwrap_err();
        assert!(zoned.to_string().contains("date_range"), "{zoned}");
    }
}
