//! Dates and timestamps of a series.

use columnade_columns::DType;
use columnade_ops::expression::{DatetimeExpr, Expr, LocalTimes, Period, Unmatched};

use super::{Series, SeriesOperand, StringMethods};
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;

/// What is computed from dates and timestamps: see [`Series::dt`].
///
/// # Source
/// pandas `Series.dt`, cuDF `DatetimeProperties`.
#[derive(Clone, Copy, Debug)]
pub struct DatetimeProperties<'a>(&'a Series);

impl Series {
    /// The operations on dates and timestamps.
    ///
    /// ```
    /// use columnade::{Date, Series};
    ///
    /// let days = Series::new([Some(Date { year: 2024, month: 2, day: 29 }), None])?;
    /// assert_eq!(days.dt().year()?.to_options::<i32>()?, [Some(2024), None]);
    /// assert_eq!(days.dt().day_of_year()?.get(0)?, 60.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn dt(&self) -> DatetimeProperties<'_> {
        DatetimeProperties(self)
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl DatetimeProperties<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype without this part, and when memory runs out.
            pub fn $name(&self) -> Result<Series> {
                self.0.evaluated(concat!("dt.", stringify!($name)), |values| $make(values.dt()))
            })*
        }
    };
}

operations! {
    /// The year, as `int32`; null where the value is null.
    year => DatetimeExpr::year;
    /// The quarter, 1 to 4, as `int32`; null where the value is null.
    quarter => DatetimeExpr::quarter;
    /// The month, 1 to 12, as `int32`; null where the value is null.
    month => DatetimeExpr::month;
    /// The day of the month, 1 to 31, as `int32`; null where the value is null.
    day => DatetimeExpr::day;
    /// The day of the year, 1 to 366, as `int32`; null where the value is null.
    day_of_year => DatetimeExpr::day_of_year;
    /// The day of the week, Monday = 0, as `int32`; null where the value is null.
    weekday => DatetimeExpr::weekday;
    /// The hour, 0 to 23, of a timestamp, as `int32`; null where the value is null.
    hour => DatetimeExpr::hour;
    /// The minute, 0 to 59, of a timestamp, as `int32`; null where the value is null.
    minute => DatetimeExpr::minute;
    /// The second, 0 to 59, of a timestamp, as `int32`; null where the value is null.
    second => DatetimeExpr::second;
    /// The milliseconds of the second of a timestamp, 0 to 999, as `int32`; null where the value is null.
    millisecond => DatetimeExpr::millisecond;
    /// The microseconds of the second, 0 to 999,999: `int32` of a timestamp, `int64` of a duration; null where the value is
    /// null.
    microsecond => DatetimeExpr::microsecond;
    /// The nanoseconds of the microsecond, 0 to 999: `int32` of a timestamp, `int64` of a duration; null where the value is
    /// null.
    nanosecond => DatetimeExpr::nanosecond;
    /// The year of the ISO 8601 week, as `int32`; null where the value is null.
    iso_year => DatetimeExpr::iso_year;
    /// The ISO 8601 week of the year, 1 to 53, as `int32`; null where the value is null.
    week => DatetimeExpr::week;
    /// The number of days of the month, as `int32`; null where the value is null.
    days_in_month => DatetimeExpr::days_in_month;
    /// Whether the year has 366 days; null where the value is null.
    is_leap_year => DatetimeExpr::is_leap_year;
    /// Whether it is the first day of a month; null where the value is null.
    is_month_start => DatetimeExpr::is_month_start;
    /// Whether it is the last day of a month; null where the value is null.
    is_month_end => DatetimeExpr::is_month_end;
    /// Whether it is the first day of a quarter; null where the value is null.
    is_quarter_start => DatetimeExpr::is_quarter_start;
    /// Whether it is the last day of a quarter; null where the value is null.
    is_quarter_end => DatetimeExpr::is_quarter_end;
    /// Whether it is the first of January; null where the value is null.
    is_year_start => DatetimeExpr::is_year_start;
    /// Whether it is the last of December; null where the value is null.
    is_year_end => DatetimeExpr::is_year_end;
    /// The day, as `date32`; null where the value is null.
    date => DatetimeExpr::date;
    /// The time since midnight, as a duration; null where the value is null.
    time => DatetimeExpr::time;
    /// The English name of the day of the week, as a dictionary; null where the value is null.
    day_name => DatetimeExpr::day_name;
    /// The English name of the month, as a dictionary; null where the value is null.
    month_name => DatetimeExpr::month_name;
    /// The first day of the month, at the same time of day; null where the value is null.
    month_start => DatetimeExpr::month_start;
    /// The last day of the month, at the same time of day; null where the value is null.
    month_end => DatetimeExpr::month_end;
    /// The local times of timestamps, without their time zone where they have one; null where the value is null.
    tz_naive => DatetimeExpr::tz_naive;
    /// Durations in seconds, as `float64`; null where the value is null.
    total_seconds => DatetimeExpr::total_seconds;
    /// The whole days of a duration, rounded down, as `int64`; null where the value is null.
    days => DatetimeExpr::days;
    /// The seconds of a duration beside its whole days, as `int64`; null where the value is null.
    seconds => DatetimeExpr::seconds;
}

impl DatetimeProperties<'_> {
    /// The starts of the periods that the times are in; see [`DatetimeExpr::truncate`].
    ///
    /// ```
    /// use columnade::{Date, Series};
    ///
    /// let days = Series::new([Some(Date { year: 2024, month: 2, day: 29 }), None])?;
    /// assert_eq!(days.dt().truncate("1q")?.to_options::<Date>()?[0], Some(Date { year: 2024, month: 1, day: 1 }));
    /// assert_eq!(days.dt().add_months(12)?.to_options::<Date>()?[0], Some(Date { year: 2025, month: 2, day: 28 }));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a text that is no period, a period that is no multiple of the unit, a dtype that is no date,
    /// timestamp or duration, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.dt.floor`.
    pub fn truncate(&self, period: impl Into<Period>) -> Result<Series> {
        self.0.evaluated("dt.truncate", |values| values.dt().truncate(period))
    }

    /// pandas' name of [`truncate`](Self::truncate).
    ///
    /// # Errors
    /// [`Error::Operation`] for a text that is no period, a period that is no multiple of the unit, a dtype that is no
    /// date, timestamp or duration, and when memory runs out.
    pub fn floor(&self, period: impl Into<Period>) -> Result<Series> {
        self.0.evaluated("dt.floor", |values| values.dt().floor(period))
    }

    /// The times that are the start of a period, and for others the start of the next one; see [`DatetimeExpr::ceil`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a text that is no period, a period that is no multiple of the unit, a dtype that is no
    /// date, timestamp or duration, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.dt.ceil`.
    pub fn ceil(&self, period: impl Into<Period>) -> Result<Series> {
        self.0.evaluated("dt.ceil", |values| values.dt().ceil(period))
    }

    /// The nearer of the start of the period and that of the next one; see [`DatetimeExpr::round`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a text that is no period, a period that is no multiple of the unit, a dtype that is no
    /// date, timestamp or duration, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.dt.round`.
    pub fn round(&self, period: impl Into<Period>) -> Result<Series> {
        self.0.evaluated("dt.round", |values| values.dt().round(period))
    }

    /// The times moved by a number of months, or to the last day of the month if that is shorter; see
    /// [`DatetimeExpr::add_months`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype that is no date or timestamp, a number that is no integer, a time that does not fit its
    /// dtype, labels of another kind or number of levels, and when memory runs out.
    ///
    /// # Source
    /// pandas `DateOffset(months=…)`.
    pub fn add_months<'a>(&self, months: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.0.combine("dt.add_months", months.into(), |values, months| values.dt().add_months(months))
    }

    /// The times moved by a number of years, as [`add_months`](Self::add_months).
    ///
    /// # Errors
    /// Same as [`add_months`](Self::add_months).
    ///
    /// # Source
    /// pandas `DateOffset(years=…)`.
    pub fn add_years<'a>(&self, years: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.0.combine("dt.add_years", years.into(), |values, years| values.dt().add_years(years))
    }

    /// The times moved by a period or by several together, as in `"1mo2d3h"` or `"-1y6mo"`; see [`DatetimeExpr::offset_by`].
    ///
    /// ```
    /// use columnade::{Date, Series};
    ///
    /// let days = Series::new([Date { year: 2024, month: 1, day: 31 }])?;
    /// assert_eq!(days.dt().offset_by("1mo1d")?.to_vec::<Date>()?, [Date { year: 2024, month: 3, day: 1 }]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a text that is no period, a rest that is no multiple of the unit, a dtype that is no date or
    /// timestamp, a time that does not fit its dtype, and when memory runs out.
    ///
    /// # Source
    /// Polars `Series.dt.offset_by`.
    pub fn offset_by(&self, by: impl Into<Period>) -> Result<Series> {
        self.0.evaluated("dt.offset_by", |values| values.dt().offset_by(by))
    }

    /// How many periods begin after the times until those of `other`; see [`DatetimeExpr::periods_until`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a text that is no period, a period that is no multiple of the unit, a dtype that is no
    /// date or timestamp, for another number of rows, and when memory runs out.
    ///
    /// # Source
    /// DuckDB `date_diff`.
    pub fn periods_until(&self, other: impl Into<Expr>, period: impl Into<Period>) -> Result<Series> {
        self.0.evaluated("dt.periods_until", |values| values.dt().periods_until(other, period))
    }

    /// The instants at which clocks in a zone show these times; see [`DatetimeExpr::tz_localize`].
    ///
    /// ```
    /// use columnade::expressions::LocalTimes;
    /// use columnade::{Date, DType, Series, TimeUnit};
    ///
    /// let days = Series::new([Date { year: 2024, month: 7, day: 1 }])?;
    /// let midnight = days.evaluate(|day| day.cast(DType::Timestamp(TimeUnit::Second)))?;
    /// let rome = midnight.dt().tz_localize("Europe/Rome", LocalTimes::default())?;
    /// assert_eq!(rome.get(0)?.to_string(), "2024-07-01 00:00:00+02:00");
    /// assert_eq!(rome.dt().tz_convert("UTC")?.dt().day()?.to_vec::<i32>()?, [30]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for an unknown zone, for a time that clocks show twice or skip, by the rules, for what is no
    /// timestamp without a zone, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.dt.tz_localize`.
    pub fn tz_localize(&self, zone: &str, rules: LocalTimes) -> Result<Series> {
        self.0.evaluated("dt.tz_localize", |values| values.dt().tz_localize(zone, rules))
    }

    /// The same instants, with the local times of another zone; see [`DatetimeExpr::tz_convert`].
    ///
    /// # Errors
    /// [`Error::Operation`] for an unknown zone, and for what has no time zone.
    ///
    /// # Source
    /// pandas `Series.dt.tz_convert`.
    pub fn tz_convert(&self, zone: &str) -> Result<Series> {
        self.0.evaluated("dt.tz_convert", |values| values.dt().tz_convert(zone))
    }

    /// The times as text in a format, such as `"%d.%m.%Y %Z"`; see [`DatetimeExpr::strftime`].
    ///
    /// ```
    /// use columnade::{Date, DType, Series};
    ///
    /// let days = Series::new([Date { year: 2024, month: 7, day: 1 }])?;
    /// let text = days.dt().strftime("%d.%m.%Y")?;
    /// assert_eq!(text.to_vec::<String>()?, ["01.07.2024"]);
    /// assert!(text.str().to_datetime(DType::Date32, "%d.%m.%Y")?.equals(&days)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a format with an unknown directive, for what is no date or timestamp, and when
    /// memory runs out.
    ///
    /// # Source
    /// pandas `Series.dt.strftime`.
    pub fn strftime(&self, format: &str) -> Result<Series> {
        self.0.evaluated("dt.strftime", |values| values.dt().strftime(format))
    }
}

impl StringMethods<'_> {
    /// The dates or timestamps that strings write in a format; see
    /// [`StringExpr::to_datetime`](columnade_ops::expression::StringExpr::to_datetime).
    ///
    /// # Errors
    /// [`Error::Operation`] for a format with an unknown directive or without a year, for the first string that does not match
    /// it, for what is no string, and when memory runs out.
    ///
    /// # Source
    /// pandas `to_datetime(format=…)`.
    pub fn to_datetime(&self, dtype: DType, format: &str) -> Result<Series> {
        self.series().evaluated("str.to_datetime", |values| values.str().to_datetime(dtype, format))
    }

    /// [`to_datetime`](Self::to_datetime) where `unmatched` says what becomes of strings that do not match: an error or null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a format with an unknown directive or without a year, for the first string that does
    /// not match it, for what is no string, and when memory runs out.
    pub fn to_datetime_with(&self, dtype: DType, format: &str, unmatched: Unmatched) -> Result<Series> {
        let make = |values: Expr| values.str().to_datetime_with(dtype, format, unmatched);
        self.series().evaluated("str.to_datetime_with", make)
    }
}
