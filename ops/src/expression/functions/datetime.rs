//! Functions of dates, timestamps and durations: their names and the methods that build them.

use super::{Ambiguous, Elementwise, Nonexistent, Period, Unmatched};
use crate::expression::{DatetimeExpr, Expr, lit};
use columnade_columns::{DType, Scalar};
use std::fmt;

/// A function of dates, timestamps or durations. The methods of [`DatetimeExpr`] that build it describe it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DatetimeFunction {
    /// The milliseconds of a second.
    Millisecond,
    /// The microseconds of a second.
    Microsecond,
    /// The nanoseconds of a microsecond.
    Nanosecond,
    /// The year of the week.
    IsoYear,
    /// The week of the year.
    Week,
    /// Days of the month.
    DaysInMonth,
    /// Whether the year has 366 days.
    IsLeapYear,
    /// Whether it is the first day of a month.
    IsMonthStart,
    /// Whether it is the last day of a month.
    IsMonthEnd,
    /// Whether it is the first day of a quarter.
    IsQuarterStart,
    /// Whether it is the last day of a quarter.
    IsQuarterEnd,
    /// Whether it is the first day of a year.
    IsYearStart,
    /// Whether it is the last day of a year.
    IsYearEnd,
    /// The day.
    Date,
    /// The time since midnight.
    Time,
    /// The name of the day of the week.
    DayName,
    /// The name of the month.
    MonthName,
    /// The start of a period.
    Truncate(Period),
    /// The end of a period.
    Ceil(Period),
    /// The nearer end of a period.
    Round(Period),
    /// The first day of the month.
    MonthStart,
    /// The last day of the month.
    MonthEnd,
    /// Moved by months.
    AddMonths,
    /// Moved by months, days and a fixed time.
    OffsetBy(Period),
    /// The number of starts of periods until another time.
    Until(Period),
    /// The instants of local times.
    Localize(String, LocalTimes),
    /// The same instants in another zone.
    Convert(String),
    /// The local times.
    Naive,
    /// As text in a format.
    Format(String),
    /// The times of texts in a format.
    Parse(DType, String, Unmatched),
    /// A duration in seconds.
    TotalSeconds,
    /// Whole days of a duration.
    Days,
    /// Seconds of a duration beside its days.
    Seconds,
}

/// What becomes of local times that no or two instants of a zone show. The default is an error for both.
///
/// ```
/// use columnade_ops::expression::{Ambiguous, LocalTimes, Nonexistent};
///
/// let rules = LocalTimes { ambiguous: Ambiguous::Earliest, nonexistent: Nonexistent::ShiftForward };
/// assert_ne!(rules, LocalTimes::default());
/// ```
///
/// # Source
/// pandas `tz_localize(ambiguous=…, nonexistent=…)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LocalTimes {
    /// For times that clocks show twice, because they are set back.
    pub ambiguous: Ambiguous,
    /// For times that clocks skip, because they are set forward.
    pub nonexistent: Nonexistent,
}

impl DatetimeFunction {
    /// The name of the method that builds it.
    pub const fn name(&self) -> &'static str {
        match self {
            DatetimeFunction::Millisecond => "millisecond",
            DatetimeFunction::Microsecond => "microsecond",
            DatetimeFunction::Nanosecond => "nanosecond",
            DatetimeFunction::IsoYear => "iso_year",
            DatetimeFunction::Week => "week",
            DatetimeFunction::DaysInMonth => "days_in_month",
            DatetimeFunction::IsLeapYear => "is_leap_year",
            DatetimeFunction::IsMonthStart => "is_month_start",
            DatetimeFunction::IsMonthEnd => "is_month_end",
            DatetimeFunction::IsQuarterStart => "is_quarter_start",
            DatetimeFunction::IsQuarterEnd => "is_quarter_end",
            DatetimeFunction::IsYearStart => "is_year_start",
            DatetimeFunction::IsYearEnd => "is_year_end",
            DatetimeFunction::Date => "date",
            DatetimeFunction::Time => "time",
            DatetimeFunction::DayName => "day_name",
            DatetimeFunction::MonthName => "month_name",
            DatetimeFunction::Truncate(_) => "truncate",
            DatetimeFunction::Ceil(_) => "ceil",
            DatetimeFunction::Round(_) => "round",
            DatetimeFunction::MonthStart => "month_start",
            DatetimeFunction::MonthEnd => "month_end",
            DatetimeFunction::AddMonths => "add_months",
            DatetimeFunction::OffsetBy(_) => "offset_by",
            DatetimeFunction::Until(_) => "periods_until",
            DatetimeFunction::Localize(..) => "tz_localize",
            DatetimeFunction::Convert(_) => "tz_convert",
            DatetimeFunction::Naive => "tz_naive",
            DatetimeFunction::Format(_) => "strftime",
            DatetimeFunction::Parse(..) => "to_datetime",
            DatetimeFunction::TotalSeconds => "total_seconds",
            DatetimeFunction::Days => "days",
            DatetimeFunction::Seconds => "seconds",
        }
    }

    /// Whether the result is a time, changed.
    pub(super) const fn keeps_label(&self) -> bool {
        matches!(
            self,
            DatetimeFunction::Truncate(_)
                | DatetimeFunction::Ceil(_)
                | DatetimeFunction::Round(_)
                | DatetimeFunction::MonthStart
                | DatetimeFunction::MonthEnd
                | DatetimeFunction::AddMonths
                | DatetimeFunction::OffsetBy(_)
                | DatetimeFunction::Localize(..)
                | DatetimeFunction::Convert(_)
                | DatetimeFunction::Naive
                | DatetimeFunction::Parse(..)
        )
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the others have no options")]
    pub(super) fn fmt(&self, first: &Expr, rest: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let namespace = if let DatetimeFunction::Parse(..) = self { "str" } else { "dt" };
        write!(f, "{first}.{namespace}().{}(", self.name())?;
        match self {
            DatetimeFunction::Format(format) => write!(f, "{format:?}")?,
            DatetimeFunction::Parse(dtype, format, _) => write!(f, "{dtype}, {format:?}")?,
            DatetimeFunction::Truncate(period)
            | DatetimeFunction::Ceil(period)
            | DatetimeFunction::Round(period)
            | DatetimeFunction::OffsetBy(period) => {
                write!(f, "{:?}", period.to_string())?;
            }
            DatetimeFunction::Localize(zone, _) | DatetimeFunction::Convert(zone) => write!(f, "{zone:?}")?,
            DatetimeFunction::Until(period) => {
                for other in rest {
                    write!(f, "{other}, ")?;
                }
                write!(f, "{:?}", period.to_string())?;
            }
            _ => {
                for (position, other) in rest.iter().enumerate() {
                    write!(f, "{}{other}", if position == 0 { "" } else { ", " })?;
                }
            }
        }
        f.write_str(")")
    }
}

impl DatetimeExpr {
    fn function(self, function: DatetimeFunction) -> Expr {
        Expr::elementwise(Elementwise::Datetime(function), vec![self.0])
    }

    fn with(self, function: DatetimeFunction, other: impl Into<Expr>) -> Expr {
        Expr::elementwise(Elementwise::Datetime(function), vec![self.0, other.into()])
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident $function:ident;)*) => {
        impl DatetimeExpr {
            $($(#[$doc])*
            pub fn $name(self) -> Expr {
                self.function(DatetimeFunction::$function)
            })*
        }
    };
}

functions! {
    /// The milliseconds of the second, 0 to 999.
    ///
    /// Null where the value is null. `int32`, of timestamps, with a time zone in its local time, as for the other parts.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, nanoseconds};
    /// assert_eq!(show((col("at") + nanoseconds(123_456_789)).dt().millisecond())?, "123 <NA> 123");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// Polars `Expr.dt.millisecond`.
    millisecond Millisecond;
    /// The microseconds of the second, 0 to 999,999. `int32` of timestamps; `int64` of durations.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, nanoseconds};
    /// assert_eq!(show((col("at") + nanoseconds(123_456_789)).dt().microsecond())?, "123456 <NA> 123456");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no timestamp, duration or time of day.
    ///
    /// # Source
    /// pandas `Series.dt.microsecond`.
    microsecond Microsecond;
    /// The nanoseconds of the microsecond, 0 to 999. `int32` of timestamps; `int64` of durations.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, nanoseconds};
    /// assert_eq!(show((col("at") + nanoseconds(123_456_789)).dt().nanosecond())?, "789 <NA> 789");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no timestamp, duration or time of day.
    ///
    /// # Source
    /// pandas `Series.dt.nanosecond`. Polars counts those of the second.
    nanosecond Nanosecond;
    /// The year that the week belongs to, by ISO 8601: that of its Thursday.
    ///
    /// Null where the value is null. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().iso_year())?, "2024 <NA> 1970");
    /// assert_eq!(show(col("day").dt().week())?, "9 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.isocalendar().year`, Polars `Expr.dt.iso_year`.
    iso_year IsoYear;
    /// The week of the year by ISO 8601, 1 to 53: weeks begin on Monday, and the first one has the year's first Thursday.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().week())?, "9 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.isocalendar().week`, Polars `Expr.dt.week`.
    week Week;
    /// The number of days of the month, 28 to 31. `int32`, of dates and timestamps.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().days_in_month())?, "29 <NA> 31");
    /// assert_eq!(show(col("day").dt().is_leap_year())?, "true <NA> false");
    /// assert_eq!(show(col("day").dt().is_year_end())?, "false <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.days_in_month`, cudf/datetime.hpp `days_in_month`.
    days_in_month DaysInMonth;
    /// Whether the year has 366 days. `bool`, of dates and timestamps; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().is_leap_year())?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.is_leap_year`, cudf/datetime.hpp `is_leap_year`.
    is_leap_year IsLeapYear;
    /// Whether it is the first day of a month. `bool`, of dates and timestamps; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().is_month_start())?, "false <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.is_month_start`.
    is_month_start IsMonthStart;
    /// Whether it is the last day of a month; as [`is_month_start`](DatetimeExpr::is_month_start).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().is_month_end())?, "true <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.is_month_end`.
    is_month_end IsMonthEnd;
    /// Whether it is the first day of a quarter; as [`is_month_start`](DatetimeExpr::is_month_start).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().is_quarter_start())?, "false <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.is_quarter_start`.
    is_quarter_start IsQuarterStart;
    /// Whether it is the last day of a quarter; as [`is_month_start`](DatetimeExpr::is_month_start).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().is_quarter_end())?, "false <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.is_quarter_end`.
    is_quarter_end IsQuarterEnd;
    /// Whether it is the first of January; as [`is_month_start`](DatetimeExpr::is_month_start).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().is_year_start())?, "false <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.is_year_start`.
    is_year_start IsYearStart;
    /// Whether it is the last of December; as [`is_month_start`](DatetimeExpr::is_month_start).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().is_year_end())?, "false <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.is_year_end`.
    is_year_end IsYearEnd;
    /// The day, as `date32`; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().date())?, "2024-02-29 <NA> 1969-12-31");
    /// assert_eq!(show(col("at").dt().time())?, "13:45:10 <NA> 00:00:59");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp, `Overflow` for a day beyond `date32`.
    ///
    /// # Source
    /// pandas `Series.dt.date`, Polars `Expr.dt.date`.
    date Date;
    /// The time of day, in the timestamp's unit; null for null. A cast to a duration counts from midnight.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().time())?, "13:45:10 <NA> 00:00:59");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.time`, Polars `Expr.dt.time`.
    time Time;
    /// The English name of the day of the week: a dictionary of seven strings; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().day_name())?, "Thursday <NA> Wednesday");
    /// assert_eq!(show(col("day").dt().month_name())?, "February <NA> December");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.day_name`.
    day_name DayName;
    /// The English name of the month: a dictionary of twelve strings; as [`day_name`](DatetimeExpr::day_name).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().month_name())?, "February <NA> December");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp.
    ///
    /// # Source
    /// pandas `Series.dt.month_name`.
    month_name MonthName;
    /// The first day of the month, at the same time of day; keeps the dtype. Null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().month_start())?, "2024-02-01 <NA> 1969-12-01");
    /// assert_eq!(show(col("at").dt().month_end())?, "2024-02-29 13:45:10 <NA> 1969-12-31 00:00:59");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp, and for a number that is no integer;
    /// `Overflow` for a result that the dtype does not have.
    ///
    /// # Source
    /// Polars `Expr.dt.month_start`.
    month_start MonthStart;
    /// The last day of the month, at the same time of day; as [`month_start`](DatetimeExpr::month_start).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().month_end())?, "2024-02-29 <NA> 1969-12-31");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp, and for a number that is no integer;
    /// `Overflow` for a result that the dtype does not have.
    ///
    /// # Source
    /// Polars `Expr.dt.month_end`, cudf/datetime.hpp `last_day_of_month`.
    month_end MonthEnd;
    /// The local times of timestamps with a time zone, as timestamps without one; those without one as they are. Null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, LocalTimes};
    /// let found = col("at").dt().tz_localize("Europe/Rome", LocalTimes::default()).dt().tz_naive();
    /// assert_eq!(show(found)?, "2024-02-29 13:45:10 <NA> 1969-12-31 00:00:59");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no timestamp, `Overflow` for a time beyond 64 bits.
    ///
    /// # Source
    /// pandas `Series.dt.tz_localize(None)`, Polars `Expr.dt.replace_time_zone(None)`.
    tz_naive Naive;
    /// A duration in seconds, as `float64`; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, lit, hours};
    /// assert_eq!(show((col("at") - col("at") + hours(30)).dt().total_seconds())?, "108000.0 <NA> 108000.0");
    /// assert_eq!(show((col("at") - col("at") + hours(30)).dt().days())?, "1 <NA> 1");
    /// assert_eq!(show((col("at") - col("at") + hours(30)).dt().seconds())?, "21600 <NA> 21600");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no duration.
    ///
    /// # Source
    /// pandas `Series.dt.total_seconds`.
    total_seconds TotalSeconds;
    /// The whole days of a duration, rounded down, as `int64`; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, hours};
    /// assert_eq!(show((col("at") - col("at") + hours(30)).dt().days())?, "1 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no duration.
    ///
    /// # Source
    /// pandas `Series.dt.days`.
    days Days;
    /// The seconds of a duration beside its whole days, 0 to 86,399, as `int64`; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, hours};
    /// assert_eq!(show((col("at") - col("at") + hours(30)).dt().seconds())?, "21600 <NA> 21600");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no duration.
    ///
    /// # Source
    /// pandas `Series.dt.seconds`.
    seconds Seconds;
}

impl DatetimeExpr {
    /// The start of the period that the time is in: `col("at").dt().truncate("1mo")`.
    ///
    /// Fixed periods are counted from 1970-01-01, weeks from Monday, 1970-01-05, months, quarters and years from January of the
    /// year 0. Keeps dtype and label; null for null. With a time zone, local times are truncated: a result that clocks show
    /// twice has the offset of the time if that is less than a day away, else it is the earlier one; a result that they skip is
    /// the time at which they are set. Durations are rounded as the times so long after 1970-01-01, weeks as seven days; months
    /// of them are an `InvalidArgument`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, hours};
    /// assert_eq!(show(col("day").dt().truncate("1q"))?, "2024-01-01 <NA> 1969-10-01");
    /// assert_eq!(show(col("at").dt().truncate("15min"))?, "2024-02-29 13:45:00 <NA> 1969-12-31 00:00:00");
    /// assert_eq!(show(col("at").dt().truncate(hours(6)))?, "2024-02-29 12:00:00 <NA> 1969-12-31 00:00:00");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a text that is no [`Period`], with the position; `InvalidArgument` for a
    /// period that is no multiple of the unit; `UnsupportedDType` for what is no date, timestamp or duration; `Overflow` for a result
    /// that the dtype does not have.
    ///
    /// # Device
    /// Several launches of element-wise kernels; with a time zone one synchronisation.
    ///
    /// # Source
    /// pandas `Series.dt.floor`, Polars `Expr.dt.truncate`, SQL `date_trunc`, cudf/datetime.hpp `floor_datetimes`.
    pub fn truncate(self, period: impl Into<Period>) -> Expr {
        self.function(DatetimeFunction::Truncate(period.into()))
    }

    /// pandas' name of [`truncate`](DatetimeExpr::truncate).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().floor("15min"))?, "2024-02-29 13:45:00 <NA> 1969-12-31 00:00:00");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a text that is no [`Period`], with the position; `InvalidArgument`
    /// for a period that is no multiple of the unit; `UnsupportedDType` for what is no date, timestamp or duration; `Overflow`
    /// for a result that the dtype does not have.
    pub fn floor(self, period: impl Into<Period>) -> Expr {
        self.truncate(period)
    }

    /// The time if it is the start of a period, else the start of the next one; see [`truncate`](DatetimeExpr::truncate).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().ceil("1h"))?, "2024-02-29 14:00:00 <NA> 1969-12-31 01:00:00");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a text that is no [`Period`], with the position; `InvalidArgument`
    /// for a period that is no multiple of the unit; `UnsupportedDType` for what is no date, timestamp or duration; `Overflow`
    /// for a result that the dtype does not have.
    ///
    /// # Source
    /// pandas `Series.dt.ceil`, cudf/datetime.hpp `ceil_datetimes`.
    pub fn ceil(self, period: impl Into<Period>) -> Expr {
        self.function(DatetimeFunction::Ceil(period.into()))
    }

    /// The nearer of the start of the period and that of the next one; from the middle of a fixed period the even multiple,
    /// from that of another the later one. See [`truncate`](DatetimeExpr::truncate).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().round("1min"))?, "2024-02-29 13:45:00 <NA> 1969-12-31 00:01:00");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a text that is no [`Period`], with the position; `InvalidArgument`
    /// for a period that is no multiple of the unit; `UnsupportedDType` for what is no date, timestamp or duration; `Overflow`
    /// for a result that the dtype does not have.
    ///
    /// # Source
    /// pandas `Series.dt.round`, cudf/datetime.hpp `round_datetimes`. Polars rounds the middle up.
    pub fn round(self, period: impl Into<Period>) -> Expr {
        self.function(DatetimeFunction::Round(period.into()))
    }

    /// The time moved by a number of months, or to the last day of the month if that is shorter; keeps dtype and label. Null
    /// where either is null. With a time zone the local time is moved, as by [`truncate`](DatetimeExpr::truncate).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().add_months(12))?, "2025-02-28 <NA> 1970-12-31");
    /// assert_eq!(show(col("at").dt().add_months(-col("x")))?, "2024-01-29 13:45:10 <NA> 1969-09-30 00:00:59");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp, and for a number that is no integer;
    /// `Overflow` for a result that the dtype does not have.
    ///
    /// # Source
    /// pandas `DateOffset(months=…)`, Polars `Expr.dt.offset_by`, cudf/datetime.hpp `add_calendrical_months`.
    pub fn add_months(self, months: impl Into<Expr>) -> Expr {
        self.with(DatetimeFunction::AddMonths, months)
    }

    /// The time moved by a number of years; see [`add_months`](DatetimeExpr::add_months).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").dt().add_years(1))?, "2025-02-28 <NA> 1970-12-31");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no date or timestamp, and for a number that is no integer;
    /// `Overflow` for a result that the dtype does not have.
    pub fn add_years(self, years: impl Into<Expr>) -> Expr {
        // Of 64 bits, whatever the width of the numbers of years.
        self.add_months(years.into().checked_mul(lit(Scalar::Int64(12))))
    }

    /// The time moved by a period or by several together, as in `"1mo2d3h"` or `"-1y6mo"`: first by months, as by
    /// [`add_months`](DatetimeExpr::add_months), then by days, then by the rest. Keeps dtype and label; null for null.
    ///
    /// With a time zone, months and days move the local time, so that a day may have 23 or 25 hours: a result that clocks show
    /// twice is the earlier one, one that they skip is the time at which they are set. The rest moves the instant.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, hours};
    /// assert_eq!(show(col("day").dt().offset_by("1y1d"))?, "2025-03-01 <NA> 1971-01-01");
    /// assert_eq!(show(col("at").dt().offset_by("-1mo2d3h"))?, "2024-01-27 10:45:10 <NA> 1969-11-27 21:00:59");
    /// assert_eq!(show(col("at").dt().offset_by(hours(11)))?, "2024-03-01 00:45:10 <NA> 1969-12-31 11:00:59");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a text that is no [`Period`], with the position; `InvalidArgument` for a
    /// rest that is no multiple of the unit, such as hours of dates; `UnsupportedDType` for what is no date or timestamp;
    /// `Overflow` for a result that the dtype does not have.
    ///
    /// # Source
    /// Polars `Expr.dt.offset_by`, pandas `DateOffset`, SQL `+ INTERVAL`.
    pub fn offset_by(self, by: impl Into<Period>) -> Expr {
        self.function(DatetimeFunction::OffsetBy(by.into()))
    }

    /// How many periods begin after the time until `other`, negative if that is before: the number of midnights, of first days
    /// of months and so on between them, as `int64`. Null where either is null. In a time zone they begin as its clock shows;
    /// of hours and shorter periods those are counted that pass, also where the clock is changed.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, date};
    /// let end = date("2025-01-01")?;
    /// assert_eq!(show(col("day").dt().periods_until(end, "1mo"))?, "11 <NA> 661");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a text that is no [`Period`], with the position; `InvalidArgument`
    /// for a period that is no multiple of the unit; `UnsupportedDType` for what is no date or timestamp; `Overflow`
    /// for a result that the dtype does not have; `DTypeMismatch` if one has a time zone and the other has none.
    ///
    /// # Source
    /// DuckDB `date_diff`.
    pub fn periods_until(self, other: impl Into<Expr>, period: impl Into<Period>) -> Expr {
        self.with(DatetimeFunction::Until(period.into()), other)
    }

    /// The instants at which clocks in a zone show these timestamps, which have no time zone: timestamps with that zone.
    ///
    /// `rules` say what becomes of times that clocks show twice, or skip. Keeps unit and label; null for null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, LocalTimes};
    /// let rome = col("at").dt().tz_localize("Europe/Rome", LocalTimes::default());
    /// assert_eq!(show(rome.clone())?, "2024-02-29 13:45:10+01:00 <NA> 1969-12-31 00:00:59+01:00");
    /// assert_eq!(show(rome.dt().tz_convert("Asia/Tokyo").dt().hour())?, "21 <NA> 8");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for an unknown zone, `UnsupportedDType` for what is no timestamp without a
    /// zone, `AmbiguousTime` and `NonexistentTime` by the rules;
    /// `Overflow` for an instant beyond 64 bits.
    ///
    /// # Device
    /// One launch, up to three for masks, and one synchronisation.
    ///
    /// # Source
    /// pandas `Series.dt.tz_localize`, Polars `Expr.dt.replace_time_zone`.
    pub fn tz_localize(self, zone: impl Into<String>, rules: LocalTimes) -> Expr {
        self.function(DatetimeFunction::Localize(zone.into(), rules))
    }

    /// The same instants, with the local times of another zone; nothing is computed. Keeps the label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, LocalTimes};
    /// let found = col("at").dt().tz_localize("UTC", LocalTimes::default()).dt().tz_convert("Europe/Rome").dt().hour();
    /// assert_eq!(show(found)?, "14 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidArgument` for an unknown zone, `UnsupportedDType` for what has no time zone.
    ///
    /// # Source
    /// pandas `Series.dt.tz_convert`, Polars `Expr.dt.convert_time_zone`.
    pub fn tz_convert(self, zone: impl Into<String>) -> Expr {
        self.function(DatetimeFunction::Convert(zone.into()))
    }

    /// The time as text in a format; null for null. `utf8`, of dates, timestamps and, with a time zone, their local times; of
    /// times of day in formats without a date.
    ///
    /// Directives as those of C: `%Y %C %y %m %d %e %j %H %k %I %l %p %P %M %S %f` (six digits) `%b %B %a %A %u %w %G %g %V %%`,
    /// and `%F %T %D %R %r %c %x %X %h %n %t` for combinations of them. Names and combinations are those of the C locale:
    /// English, `%c` as `Thu Feb 29 13:45:10 2024`, `%x` as `02/29/24`. `%z` is the offset from UTC, `%Z` the abbreviation of
    /// the zone at that time, such as `CEST`; of times without a time zone both are empty. `%s` are seconds since 1970 in UTC,
    /// of times without a zone as if they were in UTC. `-` leaves out the zeros before a number: `%-d %-m %-y %-j %-H %-I %-M %-S`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("at").dt().strftime("%d.%m.%y %H:%M"))?, "29.02.24 13:45 <NA> 31.12.69 00:00");
    /// assert_eq!(show(col("day").dt().strftime("%A"))?, "Thursday <NA> Wednesday");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `InvalidPattern` for a format with an unknown directive, with its position; `InvalidArgument`
    /// for a date in the format of times of day; `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `Series.dt.strftime`, Polars `Expr.dt.strftime`.
    pub fn strftime(self, format: impl Into<String>) -> Expr {
        self.function(DatetimeFunction::Format(format.into()))
    }
}
