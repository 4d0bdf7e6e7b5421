//! Dates, timestamps and durations that are labels.

use columnade_ops::expression::{DatetimeExpr, Expr, LocalTimes, Period, col};

use super::Index;
use super::lookup::computed;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

/// What is computed from labels that are dates, timestamps or durations: see [`Index::dt`].
///
/// # Source
/// The properties and methods of pandas `DatetimeIndex` and `TimedeltaIndex`.
#[derive(Clone, Copy, Debug)]
pub struct DatetimeLabels<'a>(&'a Index);

impl Index {
    /// The operations on labels that are dates, timestamps or durations. Their results are labels too, under the same name:
    /// those of [`Series::dt`](crate::Series::dt).
    ///
    /// ```
    /// use columnade::{DType, Index};
    ///
    /// let ends = Index::date_range(&DType::Date32, "2024-01-31", "2024-03-31", "ME")?;
    /// assert!(ends.dt().day()?.equals(&Index::new([31, 29, 31])?)?);
    /// assert!(ends.dt().is_leap_year()?.equals(&Index::new([true, true, true])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn dt(&self) -> DatetimeLabels<'_> {
        DatetimeLabels(self)
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl DatetimeLabels<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for labels without this part or of several levels, and when memory runs out.
            pub fn $name(&self) -> Result<Index> {
                self.made(concat!("dt.", stringify!($name)), |labels| $make(labels.dt()))
            })*
        }
    };
}

operations! {
    /// The year, `int32`.
    year => DatetimeExpr::year;
    /// The quarter, 1 to 4, `int32`.
    quarter => DatetimeExpr::quarter;
    /// The month, 1 to 12, `int32`.
    month => DatetimeExpr::month;
    /// The day of the month, 1 to 31, `int32`.
    day => DatetimeExpr::day;
    /// The day of the year, 1 to 366, `int32`.
    day_of_year => DatetimeExpr::day_of_year;
    /// The day of the week, Monday = 0, `int32`.
    weekday => DatetimeExpr::weekday;
    /// The hour, 0 to 23, of timestamps, `int32`.
    hour => DatetimeExpr::hour;
    /// The minute, 0 to 59, of timestamps, `int32`.
    minute => DatetimeExpr::minute;
    /// The second, 0 to 59, of timestamps, `int32`.
    second => DatetimeExpr::second;
    /// The milliseconds of the second of timestamps, 0 to 999, `int32`.
    millisecond => DatetimeExpr::millisecond;
    /// The microseconds of the second, 0 to 999,999: `int32` of timestamps, `int64` of durations.
    microsecond => DatetimeExpr::microsecond;
    /// The nanoseconds of the microsecond, 0 to 999: `int32` of timestamps, `int64` of durations.
    nanosecond => DatetimeExpr::nanosecond;
    /// The year of the ISO 8601 week, `int32`.
    iso_year => DatetimeExpr::iso_year;
    /// The ISO 8601 week of the year, 1 to 53, `int32`.
    week => DatetimeExpr::week;
    /// The number of days of the month, `int32`.
    days_in_month => DatetimeExpr::days_in_month;
    /// Whether the year has 366 days.
    is_leap_year => DatetimeExpr::is_leap_year;
    /// Whether it is the first day of a month.
    is_month_start => DatetimeExpr::is_month_start;
    /// Whether it is the last day of a month.
    is_month_end => DatetimeExpr::is_month_end;
    /// Whether it is the first day of a quarter.
    is_quarter_start => DatetimeExpr::is_quarter_start;
    /// Whether it is the last day of a quarter.
    is_quarter_end => DatetimeExpr::is_quarter_end;
    /// Whether it is the first of January.
    is_year_start => DatetimeExpr::is_year_start;
    /// Whether it is the last of December.
    is_year_end => DatetimeExpr::is_year_end;
    /// The day, `date32`.
    date => DatetimeExpr::date;
    /// The time of day.
    time => DatetimeExpr::time;
    /// The English name of the day of the week, a dictionary.
    day_name => DatetimeExpr::day_name;
    /// The English name of the month, a dictionary.
    month_name => DatetimeExpr::month_name;
    /// The first day of the month, at the same time of day.
    month_start => DatetimeExpr::month_start;
    /// The last day of the month, at the same time of day.
    month_end => DatetimeExpr::month_end;
    /// The local times of timestamps, without their time zone where they have one.
    tz_naive => DatetimeExpr::tz_naive;
    /// Durations in seconds, `float64`.
    total_seconds => DatetimeExpr::total_seconds;
    /// The whole days of durations, rounded down, `int64`.
    days => DatetimeExpr::days;
    /// The seconds of durations beside their whole days, `int64`.
    seconds => DatetimeExpr::seconds;
}

impl DatetimeLabels<'_> {
    /// The starts of the periods that the times are in: see [`DatetimeExpr::truncate`].
    ///
    /// ```
    /// use columnade::{DType, Index};
    ///
    /// let ends = Index::date_range(&DType::Date32, "2024-01-31", "2024-03-31", "ME")?;
    /// assert!(ends.dt().truncate("1mo")?.equals(&ends.dt().month_start()?)?);
    /// assert!(ends.dt().add_months(1)?.dt().day()?.equals(&Index::new([29, 29, 30])?)?);
    /// assert!(ends.dt().periods_until(columnade::date("2024-03-01")?, "1mo")?.equals(&Index::new([2_i64, 1, 0])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`floor`](Self::floor).
    ///
    /// # Source
    /// Polars `Expr.dt.truncate`.
    pub fn truncate(&self, period: impl Into<Period>) -> Result<Index> {
        self.made("dt.truncate", |labels| labels.dt().truncate(period))
    }

    /// The times moved by a number of months, or to the last day of the month if that is shorter: see
    /// [`DatetimeExpr::add_months`].
    ///
    /// # Errors
    /// [`Error::Operation`] for labels that are no dates or timestamps, a time that does not fit its dtype, and when memory runs out.
    ///
    /// # Source
    /// pandas `DateOffset(months=…)`.
    pub fn add_months(&self, months: i64) -> Result<Index> {
        self.made("dt.add_months", |labels| labels.dt().add_months(months))
    }

    /// How many periods begin after the times until `other`: see [`DatetimeExpr::periods_until`].
    ///
    /// # Errors
    /// Same as [`floor`](Self::floor).
    ///
    /// # Source
    /// DuckDB `date_diff`.
    pub fn periods_until(&self, other: impl Into<Expr>, period: impl Into<Period>) -> Result<Index> {
        self.made("dt.periods_until", |labels| labels.dt().periods_until(other, period))
    }

    /// The starts of the periods that the times are in: see [`DatetimeExpr::floor`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a text that is no period, one that is no multiple of the unit, labels that are no dates or
    /// timestamps, and when memory runs out.
    ///
    /// # Source
    /// pandas `DatetimeIndex.floor`.
    pub fn floor(&self, period: impl Into<Period>) -> Result<Index> {
        self.made("dt.floor", |labels| labels.dt().floor(period))
    }

    /// The times that are the start of a period, and for others the start of the next one: see [`DatetimeExpr::ceil`].
    ///
    /// # Errors
    /// Same as [`floor`](Self::floor).
    ///
    /// # Source
    /// pandas `DatetimeIndex.ceil`.
    pub fn ceil(&self, period: impl Into<Period>) -> Result<Index> {
        self.made("dt.ceil", |labels| labels.dt().ceil(period))
    }

    /// The nearer of the start of the period and that of the next one: see [`DatetimeExpr::round`].
    ///
    /// # Errors
    /// Same as [`floor`](Self::floor).
    ///
    /// # Source
    /// pandas `DatetimeIndex.round`.
    pub fn round(&self, period: impl Into<Period>) -> Result<Index> {
        self.made("dt.round", |labels| labels.dt().round(period))
    }

    /// The instants at which clocks in a zone show these times: see [`DatetimeExpr::tz_localize`].
    ///
    /// # Errors
    /// [`Error::Operation`] for an unknown zone, for a time that clocks show twice or skip, by the rules, for labels that are no
    /// timestamps without a zone, and when memory runs out.
    ///
    /// # Source
    /// pandas `DatetimeIndex.tz_localize`.
    pub fn tz_localize(&self, zone: &str, rules: LocalTimes) -> Result<Index> {
        self.made("dt.tz_localize", |labels| labels.dt().tz_localize(zone, rules))
    }

    /// The same instants, with the local times of another zone: see [`DatetimeExpr::tz_convert`].
    ///
    /// # Errors
    /// [`Error::Operation`] for an unknown zone, for labels without a time zone, and when memory runs out.
    ///
    /// # Source
    /// pandas `DatetimeIndex.tz_convert`.
    pub fn tz_convert(&self, zone: &str) -> Result<Index> {
        self.made("dt.tz_convert", |labels| labels.dt().tz_convert(zone))
    }

    /// The times as text in a format: see [`DatetimeExpr::strftime`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a format with an unknown directive, for labels that are no dates or timestamps, and when memory runs
    /// out.
    ///
    /// # Source
    /// pandas `DatetimeIndex.strftime`.
    pub fn strftime(&self, format: &str) -> Result<Index> {
        self.made("dt.strftime", |labels| labels.dt().strftime(format))
    }

    fn made(self, operation: &'static str, make: impl FnOnce(Expr) -> Expr) -> Result<Index> {
        let exec = self.0.exec(operation)?;
        let labels = self.0.only_level(operation, &exec)?;
        let made = computed(&[("labels", &labels)], make(col("labels")), &exec).operation(operation)?;
        Ok(Index::of_owned(self.0.names(), vec![made], &exec))
    }
}
