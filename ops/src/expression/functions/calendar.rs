//! Functions of dates, timestamps and durations, composed of parts, arithmetic and casts.

use super::columns::ColumnFunction;
use super::period::{DAY, Length, Offset, Period, SECOND};
use super::{Ambiguous, DatetimeFunction, Element, Elementwise, LocalTimes, Nonexistent, Unmatched, element};
use crate::expression::scope::Scope;
use crate::expression::typed::{Typed, TypedNode, cast, resolve_in as resolved, unsupported};
use crate::expression::{Expr, lit, when};
use columnade_columns::{DType, DictionaryType, Error, Result, TimeUnit, TimeZone};
use columnade_kernels::Storage;
use columnade_kernels::datetime::time_format::TimeFormat;

const DAY_SECONDS: i64 = 86_400;
/// Weeks are counted from this day, 1970-01-05.
const MONDAY: i64 = 4;

const DAYS: &[&str] = &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The typed tree of a function of times.
///
/// # Errors
/// [`Error::UnsupportedDType`] for a dtype without the function; [`Error::InvalidPattern`] and [`Error::InvalidArgument`] for
/// its options.
#[expect(clippy::wildcard_enum_match_arm, reason = "parts are composed elsewhere")]
pub(super) fn resolve(
    function: &DatetimeFunction,
    expr: &Expr,
    arguments: &[Expr],
    scope: &Scope<'_>,
) -> Result<Typed> {
    let [x, rest @ ..] = arguments else {
        return Err(Error::Internal { invariant: "a function has its arguments" });
    };
    let typed = resolved(x, scope)?;
    let dtype = typed.dtype.clone();
    let refused = || unsupported(&dtype, expr);
    let in_expression = |error: Error| error.in_expression(expr);
    let other = rest.first();
    if let DatetimeFunction::Parse(to, format, unmatched) = function {
        return parse(to, format, *unmatched, typed, expr);
    }
    if let DType::Duration(unit) = dtype {
        let span = Time::new(x, &dtype);
        let length = |period: &Period| span_length(period).map_err(in_expression);
        let made = match function {
            DatetimeFunction::Truncate(period) => span.floored(length(period)?, expr)?,
            DatetimeFunction::Ceil(period) => span.ceiled(length(period)?, expr)?,
            DatetimeFunction::Round(period) => span.rounded(length(period)?, expr)?,
            _ => of_duration(function, x, unit).ok_or_else(refused)?,
        };
        return resolved(&made, scope);
    }
    if let DType::Time(unit) = dtype {
        return of_time(function, x, unit, expr, scope);
    }
    if !dtype.is_temporal() {
        return Err(refused());
    }
    let time = Time::new(x, &dtype);
    let has_clock = dtype != DType::Date32;
    let made = match function {
        DatetimeFunction::AddMonths => {
            let months = other.ok_or(Error::Internal { invariant: "months are moved by a number" })?;
            let months_dtype = resolved(months, scope)?.dtype;
            if !months_dtype.is_integer() {
                return Err(unsupported(&months_dtype, expr));
            }
            if has_clock {
                time.instant(time.local_months_later(months.clone()))
            } else {
                // Beyond these the day overflows.
                let bounded =
                    months.clone().cast(DType::Int64).clip(i64::from(i32::MIN), i64::from(i32::MAX));
                let months = if months_dtype == DType::UInt64 {
                    months.clone().clip_max(i64::from(i32::MAX)).cast(DType::Int64)
                } else {
                    bounded
                };
                let months = cast(resolved(&months, scope)?, &DType::Int32);
                let mut operands = vec![typed, months];
                for time in rest.iter().skip(1) {
                    operands.push(resolved(time, scope)?);
                }
                return Ok(element(DType::Date32, Element::AddMonths, operands));
            }
        }
        DatetimeFunction::OffsetBy(period) => {
            let offset = period.offset().map_err(in_expression)?;
            time.moved_by(offset).map_err(in_expression)?
        }
        DatetimeFunction::Localize(zone, rules) => {
            let DType::Timestamp(unit) = dtype else { return Err(refused()) };
            let zone = known(zone).map_err(in_expression)?;
            let dtype = DType::TimestampTz(unit, zone.clone());
            let node = TypedNode::OfColumns(ColumnFunction::Localize(zone, *rules), [typed].into());
            return Ok(Typed { dtype, node });
        }
        DatetimeFunction::Convert(zone) => {
            let DType::TimestampTz(unit, _) = dtype else { return Err(refused()) };
            let zone = known(zone).map_err(in_expression)?;
            return Ok(cast(typed, &DType::TimestampTz(unit, zone)));
        }
        DatetimeFunction::Naive => {
            if matches!(dtype, DType::Timestamp(_)) {
                return Ok(typed);
            }
            let DType::TimestampTz(unit, _) = dtype else { return Err(refused()) };
            return Ok(cast(typed, &DType::Timestamp(unit)));
        }
        DatetimeFunction::Format(format) => {
            let format = pattern(format).map_err(in_expression)?;
            let mut arguments = vec![resolved(&time.local, scope)?];
            arguments.extend(time.zone.is_some().then_some(typed));
            let node = TypedNode::OfColumns(ColumnFunction::Format(format), arguments.into());
            return Ok(Typed { dtype: DType::Utf8, node });
        }
        DatetimeFunction::DayName => return names(&time.local.clone().dt().weekday(), DAYS, scope),
        DatetimeFunction::MonthName => return names(&(time.local.clone().dt().month() - 1), MONTHS, scope),
        DatetimeFunction::Until(period) => {
            let other = other.ok_or(Error::Internal { invariant: "a difference has two sides" })?;
            let other_dtype = resolved(other, scope)?.dtype;
            if !other_dtype.is_temporal()
                || time.zone.is_some() != Time::new(other, &other_dtype).zone.is_some()
            {
                return Err(in_expression(Error::DTypeMismatch { left: dtype, right: other_dtype }));
            }
            let length = period.length().map_err(in_expression)?;
            time.periods_until(&Time::new(other, &other_dtype), length).map_err(in_expression)?
        }
        DatetimeFunction::Truncate(period) => time.floored(period.length().map_err(in_expression)?, expr)?,
        DatetimeFunction::Ceil(period) => time.ceiled(period.length().map_err(in_expression)?, expr)?,
        DatetimeFunction::Round(period) => time.rounded(period.length().map_err(in_expression)?, expr)?,
        _ => match time.part(function) {
            Some(part) => part,
            None => return Err(refused()),
        },
    };
    resolved(&made, scope)
}

fn pattern(text: &str) -> Result<TimeFormat> {
    TimeFormat::new(text).map_err(|(position, reason)| Error::InvalidPattern {
        pattern: text.to_owned(),
        position,
        reason: reason.into(),
    })
}

/// The times of texts.
fn parse(to: &DType, text: &str, unmatched: Unmatched, typed: Typed, expr: &Expr) -> Result<Typed> {
    if *typed.dtype.logical() != DType::Utf8 {
        return Err(unsupported(&typed.dtype, expr));
    }
    let format = pattern(text).map_err(|error| error.in_expression(expr))?;
    let is_zoned = matches!(to, DType::TimestampTz(..));
    let is_time = matches!(to, DType::Time(_));
    if is_time != format.is_clock() && (is_time || to.is_temporal() && !format.has_offset()) {
        let reason = if is_time { "a time of day has no date" } else { "it has no year" };
        let refused = Error::InvalidArgument { name: "format", reason: reason.to_owned() };
        return Err(refused.in_expression(expr));
    }
    if !(is_time || to.is_temporal()) || is_zoned != format.has_offset() {
        let reason = format!("{to} does not go with {text:?}: with %z it is a timestamp with a time zone");
        return Err(Error::InvalidArgument { name: "dtype", reason }.in_expression(expr));
    }
    if format.mixes_weeks() {
        let reason = "a week of ISO 8601 is read as %G and %V together, without another year".to_owned();
        return Err(Error::InvalidArgument { name: "format", reason }.in_expression(expr));
    }
    let function = ColumnFunction::Parse { format, text: text.to_owned(), unmatched };
    Ok(Typed { dtype: to.clone(), node: TypedNode::OfColumns(function, [typed].into()) })
}

/// A zone of the database.
fn known(zone: &str) -> Result<TimeZone> {
    let zone = TimeZone::new(zone)?;
    zone.offsets()?;
    Ok(zone)
}

/// The names with these numbers, as a dictionary.
fn names(numbers: &Expr, names: &'static [&'static str], scope: &Scope<'_>) -> Result<Typed> {
    let numbers = resolved(&numbers.clone().cast(DType::Int8), scope)?;
    let dictionary = DictionaryType { codes: Storage::I8, values: DType::Utf8, ordered: false };
    let node = TypedNode::OfColumns(ColumnFunction::Names(names), [numbers].into());
    Ok(Typed { dtype: DType::Dictionary(Box::new(dictionary)), node })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "times of day do not have the others")]
fn of_time(
    function: &DatetimeFunction,
    x: &Expr,
    unit: TimeUnit,
    expr: &Expr,
    scope: &Scope<'_>,
) -> Result<Typed> {
    let per_second = unit.per_second();
    let count = || x.clone().cast(DType::Int64);
    let rest = || count() % per_second;
    let part = match function {
        DatetimeFunction::Millisecond => rest().floor_div((per_second / 1000).max(1)),
        DatetimeFunction::Microsecond => micros(rest(), per_second),
        DatetimeFunction::Nanosecond => count() % if unit == TimeUnit::Nano { 1000 } else { 1 },
        DatetimeFunction::Format(text) => {
            let format = pattern(text).map_err(|error| error.in_expression(expr))?;
            if !format.is_clock() {
                let reason = "a time of day has no date".to_owned();
                return Err(Error::InvalidArgument { name: "format", reason }.in_expression(expr));
            }
            // As a time of the first day.
            let first_day = resolved(&count().cast(DType::Timestamp(unit)), scope)?;
            let node = TypedNode::OfColumns(ColumnFunction::Format(format), [first_day].into());
            return Ok(Typed { dtype: DType::Utf8, node });
        }
        _ => return Err(unsupported(&DType::Time(unit), expr)),
    };
    resolved(&part.cast_unchecked(DType::Int32), scope)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "durations do not have the others")]
fn of_duration(function: &DatetimeFunction, x: &Expr, unit: TimeUnit) -> Option<Expr> {
    let per_second = unit.per_second();
    let count = || x.clone().cast(DType::Int64);
    let per_day = DAY_SECONDS * per_second;
    Some(match function {
        DatetimeFunction::TotalSeconds => count() / per_second,
        DatetimeFunction::Days => count().floor_div(per_day),
        DatetimeFunction::Seconds => (count() % per_day).floor_div(per_second),
        DatetimeFunction::Microsecond => micros(count() % per_second, per_second),
        DatetimeFunction::Nanosecond => count() % if unit == TimeUnit::Nano { 1000 } else { 1 },
        _ => return None,
    })
}

/// The length of a period that durations are rounded to.
///
/// # Errors
/// [`Error::InvalidPattern`] for a text that is none; [`Error::InvalidArgument`] for months, which have no one length.
fn span_length(period: &Period) -> Result<Length> {
    match period.length()? {
        Length::Weeks(weeks) => Ok(Length::Fixed(i128::from(weeks) * 7 * DAY)),
        Length::Months(_) => {
            let reason = "durations have no months".to_owned();
            Err(Error::InvalidArgument { name: "period", reason })
        }
        fixed @ Length::Fixed(_) => Ok(fixed),
    }
}

/// The microseconds of a part of a second.
fn micros(rest: Expr, per_second: i64) -> Expr {
    if per_second > 1_000_000 {
        rest.floor_div(per_second / 1_000_000)
    } else {
        rest * (1_000_000 / per_second)
    }
}

/// A date or a timestamp, which is computed with as the local time that it is; or a duration, which is rounded as one.
struct Time<'a> {
    x: &'a Expr,
    /// Without a time zone.
    local: Expr,
    local_dtype: DType,
    /// `None`: a date.
    unit: Option<TimeUnit>,
    zone: Option<TimeZone>,
}

impl<'a> Time<'a> {
    fn new(x: &'a Expr, dtype: &DType) -> Self {
        let unit = dtype.unit();
        if let DType::TimestampTz(unit, zone) = dtype {
            let local_dtype = DType::Timestamp(*unit);
            let local = x.clone().cast(local_dtype.clone());
            return Self { x, local, local_dtype, unit: Some(*unit), zone: Some(zone.clone()) };
        }
        Self { x, local: x.clone(), local_dtype: dtype.clone(), unit, zone: None }
    }

    fn day(&self) -> Expr {
        self.local.clone().cast(DType::Date32)
    }

    /// Days since 1970-01-01, as integers.
    fn day_number(&self) -> Expr {
        self.day().cast(DType::Int32)
    }

    /// Units since 1970-01-01: days of a date.
    fn count(&self) -> Expr {
        self.local.clone().cast(DType::Int64)
    }

    fn per_second(&self) -> i64 {
        self.unit.map_or(1, TimeUnit::per_second)
    }

    /// Months since January 1970, from which periods of several months are counted, as Polars does.
    fn month_number(&self) -> Expr {
        let day = || self.day().dt();
        day().year() * 12 + day().month() - (1970 * 12 + 1)
    }

    /// The first day of a month by its number.
    fn first_of(month_number: Expr) -> Expr {
        let epoch = lit(columnade_columns::Scalar::Date32(0));
        Expr::elementwise(Elementwise::Datetime(DatetimeFunction::AddMonths), vec![epoch, month_number])
    }

    /// What the clock of the zone shows more than that of UTC, in seconds.
    fn utc_offset(&self) -> Expr {
        (self.count() - self.x.clone().cast(DType::Int64)).floor_div(self.per_second())
    }

    /// The periods that begin after this time until another. Where the clock is changed, hours and shorter periods are those
    /// that pass, days and longer ones those of the calendar.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a period that is no multiple of the unit.
    fn periods_until(&self, end: &Time<'_>, length: Length) -> Result<Expr> {
        let shown = end.index(length)?.checked_sub(self.index(length)?);
        let Length::Fixed(nanos) = length else { return Ok(shown) };
        if self.zone.is_none() || nanos >= DAY {
            return Ok(shown);
        }
        let changed = || end.utc_offset() - self.utc_offset();
        Ok(if let (0, Ok(seconds)) = (nanos % SECOND, i64::try_from(nanos / SECOND)) {
            shown.checked_mul(seconds).checked_sub(changed()).floor_div(seconds)
        } else if let (0, Ok(periods)) = (SECOND % nanos, i64::try_from(SECOND / nanos)) {
            shown.checked_sub(changed() * periods)
        } else {
            shown
        })
    }

    /// The instant of a local time of this dtype.
    fn instant(&self, local: Expr) -> Expr {
        let Some(zone) = &self.zone else { return local };
        let rules = LocalTimes { ambiguous: Ambiguous::Earliest, nonexistent: Nonexistent::ShiftForward };
        Expr::elementwise(
            Elementwise::Datetime(DatetimeFunction::Localize(zone.name().to_owned(), rules)),
            vec![local],
        )
    }

    /// The time of day on another day.
    fn with_day(&self, day: Expr) -> Expr {
        self.instant(self.local_on(day))
    }

    /// The local time of day on another day.
    fn local_on(&self, day: Expr) -> Expr {
        if self.unit.is_none() {
            return day;
        }
        let midnight = day.cast(self.local_dtype.clone()).cast(DType::Int64);
        let time = self.count() % (DAY_SECONDS * self.per_second());
        midnight.checked_add(time).cast(self.local_dtype.clone())
    }

    /// The local time some months later.
    fn local_months_later(&self, months: Expr) -> Expr {
        let function = Elementwise::Datetime(DatetimeFunction::AddMonths);
        if self.unit.is_none() {
            return Expr::elementwise(function, vec![self.local.clone(), months]);
        }
        // The time is what an error names.
        self.local_on(Expr::elementwise(function, vec![self.day(), months, self.x.clone()]))
    }

    /// The time moved by months and days of the local time, and then by a fixed time.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a fixed time that is no multiple of the unit.
    fn moved_by(&self, Offset { months, days, nanos }: Offset) -> Result<Expr> {
        let later = |time: Expr, ticks: i64, dtype: &DType| {
            time.cast(DType::Int64).checked_add(ticks).cast(dtype.clone())
        };
        let mut moved = self.x.clone();
        if months != 0 || days != 0 {
            let mut local =
                if months == 0 { self.local.clone() } else { self.local_months_later(lit(months)) };
            if days != 0 {
                let per_day = self.unit.map_or(1, TimeUnit::per_day);
                let ticks = days.checked_mul(per_day).ok_or_else(|| self.no_multiple())?;
                local = later(local, ticks, &self.local_dtype);
            }
            moved = self.instant(local);
        }
        if nanos != 0 {
            let per_tick = self.nanos_per_tick();
            let ticks = i64::try_from(nanos / per_tick).ok().filter(|_| nanos % per_tick == 0);
            let ticks = ticks.ok_or_else(|| self.no_multiple())?;
            let dtype = match (&self.unit, &self.zone) {
                (Some(unit), Some(zone)) => DType::TimestampTz(*unit, zone.clone()),
                _ => self.local_dtype.clone(),
            };
            moved = later(moved, ticks, &dtype);
        }
        Ok(moved)
    }

    fn no_multiple(&self) -> Error {
        Error::InvalidArgument {
            name: "period",
            reason: format!("it is no multiple of the unit of {}, or too long", self.local_dtype),
        }
    }

    /// A part that is computed from others; `None` for one that the dtype does not have.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others are no parts")]
    fn part(&self, function: &DatetimeFunction) -> Option<Expr> {
        let day = || self.day().dt();
        let per_second = self.per_second();
        let clock = |part: Expr| self.unit.map(|_| part);
        let second = || self.count() % per_second;
        let thursday = || (self.day_number() - day().weekday() + 3).cast(DType::Date32).dt();
        let next_day = || (self.day_number() + 1).cast(DType::Date32).dt();
        Some(match function {
            DatetimeFunction::Millisecond => {
                clock(second().floor_div((per_second / 1000).max(1)).cast_unchecked(DType::Int32))?
            }
            DatetimeFunction::Microsecond => {
                clock(micros(second(), per_second).cast_unchecked(DType::Int32))?
            }
            DatetimeFunction::Nanosecond => {
                let within = if self.unit == Some(TimeUnit::Nano) { 1000 } else { 1 };
                clock((self.count() % within).cast_unchecked(DType::Int32))?
            }
            DatetimeFunction::IsoYear => thursday().year(),
            DatetimeFunction::Week => (thursday().day_of_year() - 1).floor_div(7) + 1,
            DatetimeFunction::DaysInMonth => {
                let month = self.month_number();
                let first = Self::first_of(month.clone()).cast(DType::Int32);
                Self::first_of(month + 1).cast(DType::Int32) - first
            }
            DatetimeFunction::IsLeapYear => {
                let divides = |by: i64| (day().year() % by).eq(0);
                divides(4).and((!divides(100)).or(divides(400)))
            }
            DatetimeFunction::IsMonthStart => day().day().eq(1),
            DatetimeFunction::IsMonthEnd => next_day().day().eq(1),
            DatetimeFunction::IsQuarterStart => day().day().eq(1).and((day().month() % 3).eq(1)),
            DatetimeFunction::IsQuarterEnd => next_day().day().eq(1).and((day().month() % 3).eq(0)),
            DatetimeFunction::IsYearStart => day().day_of_year().eq(1),
            DatetimeFunction::IsYearEnd => next_day().day_of_year().eq(1),
            DatetimeFunction::Date => self.day(),
            DatetimeFunction::Time => self.local.clone().cast(DType::Time(self.unit?)),
            DatetimeFunction::MonthStart => {
                self.with_day((self.day_number() - day().day() + 1).cast(DType::Date32))
            }
            DatetimeFunction::MonthEnd => {
                let next = Self::first_of(self.month_number() + 1).cast(DType::Int32);
                self.with_day((next - 1).cast(DType::Date32))
            }
            _ => return None,
        })
    }

    /// The nanoseconds of a unit.
    fn nanos_per_tick(&self) -> i128 {
        match self.unit {
            None => DAY,
            Some(unit) => SECOND / i128::from(unit.per_second()),
        }
    }

    /// A fixed period in units.
    fn ticks(&self, nanos: i128) -> Result<i64> {
        let per_unit = self.nanos_per_tick();
        match i64::try_from(nanos / per_unit) {
            Ok(ticks) if nanos % per_unit == 0 && ticks < 1 << 62 => Ok(ticks),
            _ => Err(self.no_multiple()),
        }
    }

    /// The number of the period that the time is in.
    fn index(&self, length: Length) -> Result<Expr> {
        Ok(match length {
            Length::Fixed(nanos) if self.unit.is_none() && nanos < DAY => {
                let midnight = self.x.clone().cast(DType::Timestamp(TimeUnit::Second));
                return Time::new(&midnight, &DType::Timestamp(TimeUnit::Second)).index(length);
            }
            Length::Fixed(nanos) => self.count().floor_div(self.ticks(nanos)?),
            Length::Weeks(weeks) => (self.day_number().cast(DType::Int64) - MONDAY).floor_div(7 * weeks),
            Length::Months(months) => self.month_number().cast(DType::Int64).floor_div(months),
        })
    }

    /// The local start of the period that the time is in.
    fn start(&self, length: Length) -> Result<Expr> {
        let day = match length {
            Length::Fixed(nanos) => {
                let count = self.count();
                let rest = count.clone() % self.ticks(nanos)?;
                return Ok(count.checked_sub(rest).cast(self.local_dtype.clone()));
            }
            Length::Weeks(weeks) => {
                let day = self.day_number().cast(DType::Int64);
                (day.clone() - (day - MONDAY) % (7 * weeks)).cast(DType::Date32)
            }
            // The most frequent one without a conversion back to days.
            Length::Months(1) => (self.day_number() - self.day().dt().day() + 1).cast(DType::Date32),
            Length::Months(12) => (self.day_number() - self.day().dt().day_of_year() + 1).cast(DType::Date32),
            Length::Months(months) => {
                let month = self.month_number();
                Self::first_of(month.clone() - month.cast(DType::Int64) % months)
            }
        };
        Ok(day.cast(self.local_dtype.clone()))
    }

    /// The local start of the period after one that starts at `start`.
    fn next(&self, start: Expr, length: Length) -> Result<Expr> {
        Ok(match length {
            Length::Fixed(nanos) => {
                start.cast(DType::Int64).checked_add(self.ticks(nanos)?).cast(self.local_dtype.clone())
            }
            Length::Weeks(weeks) => {
                let day = start.cast(DType::Date32).cast(DType::Int64) + 7 * weeks;
                day.cast(DType::Date32).cast(self.local_dtype.clone())
            }
            Length::Months(months) => {
                let day = start.cast(DType::Date32);
                let moved = Elementwise::Datetime(DatetimeFunction::AddMonths);
                Expr::elementwise(moved, vec![day, lit(months)]).cast(self.local_dtype.clone())
            }
        })
    }

    /// The instant of a rounded local time. Less than a day away it is so far from the instant that was rounded, if clocks show
    /// the local time then: so the hour that they show twice stays the one that it was.
    fn moved(&self, rounded: Expr, length: Length) -> Expr {
        if self.zone.is_some()
            && let Length::Fixed(nanos) = length
            && nanos < DAY
        {
            let by = rounded.clone().cast(DType::Int64) - self.count();
            let instant = self.x.clone().cast(DType::Int64).checked_add(by);
            let dtype = match (&self.unit, &self.zone) {
                (Some(unit), Some(zone)) => DType::TimestampTz(*unit, zone.clone()),
                _ => self.local_dtype.clone(),
            };
            let shifted = instant.cast(dtype);
            let is_there = shifted.clone().cast(self.local_dtype.clone()).eq(rounded.clone());
            return when(is_there).then(shifted).otherwise(self.instant(rounded));
        }
        self.instant(rounded)
    }

    fn floored(&self, length: Length, expr: &Expr) -> Result<Expr> {
        let start = self.start(length).map_err(|error| error.in_expression(expr))?;
        Ok(self.moved(start, length))
    }

    fn ceiled(&self, length: Length, expr: &Expr) -> Result<Expr> {
        let in_expression = |error: Error| error.in_expression(expr);
        let start = self.start(length).map_err(in_expression)?;
        let next = self.next(start.clone(), length).map_err(in_expression)?;
        let ceiled = when(start.clone().eq(self.local.clone())).then(start).otherwise(next);
        Ok(self.moved(ceiled, length))
    }

    /// To the nearer end; in the middle of a fixed period to the even multiple, of another to the later end.
    fn rounded(&self, length: Length, expr: &Expr) -> Result<Expr> {
        let in_expression = |error: Error| error.in_expression(expr);
        let start = self.start(length).map_err(in_expression)?;
        let next = self.next(start.clone(), length).map_err(in_expression)?;
        let number = |time: Expr| time.cast(DType::Int64);
        let (before, after) = (self.count() - number(start.clone()), number(next.clone()) - self.count());
        let is_down = match length {
            Length::Fixed(nanos) => {
                let ticks = self.ticks(nanos).map_err(in_expression)?;
                let is_even = (self.count().floor_div(ticks) % 2).eq(0);
                before.clone().lt(after.clone()).or(before.eq(after).and(is_even))
            }
            Length::Weeks(_) | Length::Months(_) => before.lt(after),
        };
        Ok(self.moved(when(is_down).then(start).otherwise(next), length))
    }
}
