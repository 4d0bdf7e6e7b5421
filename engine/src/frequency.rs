//! How often times come: the aliases of pandas.

use std::fmt;

use columnade_columns::calendar::{Date, date_of, days_to};
use columnade_columns::{Error, Result};

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

pub(crate) const WEEKDAYS: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
pub(crate) const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/// Aliases of pandas that pandas 3 refuses or renames, and what to write.
const RENAMED: [(&str, &str); 20] = [
    ("M", "write ME for ends of months, min for minutes"),
    ("Q", "write QE or QS"),
    ("Y", "write YE or YS"),
    ("A", "write YE or YS"),
    ("AS", "write YS"),
    ("BM", "write BME"),
    ("BQ", "write BQE"),
    ("BY", "write BYE"),
    ("BA", "write BYE"),
    ("SM", "write SME"),
    ("H", "write h"),
    ("T", "write min"),
    ("S", "write s"),
    ("L", "write ms"),
    ("U", "write us"),
    ("N", "write ns"),
    ("d", "write D"),
    ("w", "write W"),
    ("b", "write B"),
    ("BH", "write bh, which is not implemented"),
];
const NOT_IMPLEMENTED: [&str; 12] =
    ["C", "CBMS", "CBME", "bh", "cbh", "FY5253", "FY5253Q", "RE", "REQ", "BHMS", "BHME", "EASTER"];

/// How often times come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frequency {
    /// Nanoseconds.
    Fixed(i128),
    /// So many days of the calendar, whose length in hours is that of the time zone.
    Days(i64),
    /// Every so many of some days of the calendar.
    Calendar {
        /// How many.
        every: i64,
        /// The days.
        anchors: Anchors,
    },
}

/// Days of the calendar, which have numbers in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchors {
    /// Days from Monday to Friday.
    Business,
    /// A day of the week, Monday = 0.
    Weekday(i64),
    /// A day of those months that are `phase` modulo `cycle`, January = 0.
    Months {
        /// 1, 3 or 12.
        cycle: i64,
        /// The month that the frequency is called after, less than 12.
        phase: i64,
        /// Which day.
        day: MonthDay,
    },
    /// A day of each month, and its last day; or the first day instead.
    HalfMonths {
        /// The day in the middle, at least 1 and at most 27.
        middle: i64,
        /// The last day and not the first.
        end: bool,
    },
    /// A day of the week in a week of each month.
    WeekOfMonth {
        /// The first such day is 0; `None` for the last one.
        week: Option<i64>,
        /// Monday = 0.
        weekday: i64,
    },
}

/// A day of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MonthDay {
    First,
    Last,
    /// The first from Monday to Friday.
    FirstBusiness,
    LastBusiness,
}

impl Frequency {
    /// The frequency of an alias.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] for what is none, with the position; [`Error::NotImplemented`] by name.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let invalid = |position: usize, reason: &'static str| Error::InvalidPattern {
            pattern: text.to_owned(),
            position,
            reason: reason.into(),
        };
        let (mut total, mut at) = (0_i128, 0);
        loop {
            let rest = text.get(at..).unwrap_or_default();
            let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
            let number = Number::parse(&rest[..digits]).map_err(|reason| invalid(at, reason))?;
            let rest = &rest[digits..];
            let is_unit = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'-';
            let mut letters = rest.bytes().take_while(is_unit).count();
            if rest[..letters].ends_with('-') {
                // The number of a day, as in SME-15.
                letters += rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
                // The day after it, as in WOM-2TUE.
                letters += rest[letters..].bytes().take_while(u8::is_ascii_uppercase).count();
            }
            let (unit, position) = (&rest[..letters], at + digits);
            let stands_alone = at == 0 && letters == rest.len();
            let nanos = match unit {
                "ns" => 1,
                "us" => 1000,
                "ms" => 1_000_000,
                "s" => SECOND,
                "min" => 60 * SECOND,
                "h" => 3600 * SECOND,
                "D" if stands_alone && number.scale == 1 => return Ok(Frequency::Days(number.value)),
                "D" => DAY,
                _ => {
                    let calendar = Self::calendar(unit, number).map_err(|error| match error {
                        Ok(reason) => invalid(position, reason),
                        Err(missing) => Error::NotImplemented { feature: format!("the frequency {missing}") },
                    })?;
                    return if stands_alone {
                        Ok(calendar)
                    } else {
                        Err(invalid(position, "frequencies of the calendar stand alone"))
                    };
                }
            };
            let scaled = i128::from(number.value) * nanos;
            if scaled % i128::from(number.scale) != 0 {
                return Err(invalid(at, "the number is no multiple of a nanosecond"));
            }
            total += scaled / i128::from(number.scale);
            at = position + letters;
            if at == text.len() {
                return Ok(Frequency::Fixed(total));
            }
        }
    }

    /// A frequency of the calendar; what is wrong, or `Err` with what is not implemented.
    fn calendar(unit: &str, number: Number) -> Result<Self, Result<&'static str, &'static str>> {
        let (name, anchor) = unit.split_once('-').map_or((unit, None), |(name, anchor)| (name, Some(anchor)));
        if let Some(missing) = NOT_IMPLEMENTED.into_iter().find(|missing| *missing == name) {
            return Err(Err(missing));
        }
        if let Some((_, cure)) = RENAMED.into_iter().find(|(old, _)| *old == name) {
            return Err(Ok(cure));
        }
        if number.scale != 1 {
            return Err(Ok("frequencies of the calendar come a whole number of times"));
        }
        let position = |names: &[&str], default: i64| match anchor {
            None => Ok(default),
            Some(anchor) => names
                .iter()
                .position(|name| *name == anchor)
                .and_then(|position| i64::try_from(position).ok())
                .ok_or(Ok("an unknown day or month after the hyphen")),
        };
        let monthly = |cycle: i64, default: i64, day: MonthDay| {
            Ok(Anchors::Months { cycle, phase: position(&MONTHS, default)?, day })
        };
        let half_months = |least: i64, end: bool| {
            let middle = anchor.map_or(Some(15), |day| day.parse().ok());
            let middle = middle.filter(|middle| (least..=27).contains(middle));
            let middle = middle.ok_or(Ok("a day of the month, up to 27, is expected after the hyphen"))?;
            Ok(Anchors::HalfMonths { middle, end })
        };
        let week_of_month = |text: Option<&str>, week: Option<i64>| {
            let weekday = text.and_then(|day| WEEKDAYS.iter().position(|name| *name == day));
            let weekday = weekday.and_then(|weekday| i64::try_from(weekday).ok());
            weekday
                .map(|weekday| Anchors::WeekOfMonth { week, weekday })
                .ok_or(Ok("a week and a day are expected after the hyphen, as in WOM-2TUE and LWOM-FRI"))
        };
        let (business, kind) = match name.strip_prefix('B') {
            Some(kind) if !kind.is_empty() => (true, kind),
            _ => (false, name),
        };
        let (first, last) = if business {
            (MonthDay::FirstBusiness, MonthDay::LastBusiness)
        } else {
            (MonthDay::First, MonthDay::Last)
        };
        let anchors = match kind {
            "B" if !business && anchor.is_none() => Ok(Anchors::Business),
            "W" if !business => Ok(Anchors::Weekday(position(&WEEKDAYS, 6)?)),
            "WOM" if !business => {
                let week = anchor.and_then(|anchor| anchor.chars().next()).and_then(|week| week.to_digit(10));
                let week = week.filter(|week| (1..=4).contains(week)).map(|week| i64::from(week) - 1);
                // Without a week there is no day either.
                week_of_month(anchor.filter(|_| week.is_some()).and_then(|anchor| anchor.get(1..)), week)
            }
            "LWOM" if !business => week_of_month(anchor, None),
            "SME" if !business => half_months(1, true),
            "SMS" if !business => half_months(2, false),
            "MS" if anchor.is_none() => monthly(1, 0, first),
            "ME" if anchor.is_none() => monthly(1, 0, last),
            "QS" => monthly(3, 0, first),
            "QE" => monthly(3, 11, last),
            "YS" => monthly(12, 0, first),
            "YE" => monthly(12, 11, last),
            _ => Err(Ok(
                "a frequency is expected: ns, us, ms, s, min, h, D, B, W, WOM, LWOM, SMS, SME, MS, ME, QS, QE, YS, \
                         YE or BMS, BME, BQS, BQE, BYS, BYE",
            )),
        }?;
        Ok(Frequency::Calendar { every: number.value, anchors })
    }

    /// Every `step`-th of these times; `None` backwards, and for more than 64 bits count.
    pub(crate) fn times(self, step: i64) -> Option<Self> {
        match self {
            _ if step < 1 => None,
            Frequency::Fixed(nanos) => nanos.checked_mul(step.into()).map(Frequency::Fixed),
            Frequency::Days(every) => every.checked_mul(step).map(Frequency::Days),
            Frequency::Calendar { every, anchors } => {
                Some(Frequency::Calendar { every: every.checked_mul(step)?, anchors })
            }
        }
    }

    /// The day that is so many of these days after another. From a day between two of them, the first step is to the next one or,
    /// backwards, to the one before; no steps are to the next one. `None` for a fixed frequency, and beyond the calendar.
    pub(crate) fn day_after(self, day: i64, periods: i64) -> Option<i64> {
        match self {
            Frequency::Fixed(_) => None,
            Frequency::Days(every) => day.checked_add(every.checked_mul(periods)?),
            Frequency::Calendar { every, anchors } => {
                let last = anchors.number(day)?;
                let last = if periods <= 0 && anchors.day(last)? < day { last + 1 } else { last };
                anchors.day(last.checked_add(every.checked_mul(periods)?)?)
            }
        }
    }

    /// Whether bins are closed and labelled on the right where nothing else is said: weeks, and the ends of months, quarters
    /// and years. Their times are those up to the end of the day.
    pub(crate) fn ends_periods(self) -> bool {
        if let Frequency::Calendar { anchors, .. } = self {
            match anchors {
                Anchors::Weekday(_) => true,
                Anchors::Months { day, .. } => matches!(day, MonthDay::Last | MonthDay::LastBusiness),
                Anchors::Business | Anchors::HalfMonths { .. } | Anchors::WeekOfMonth { .. } => false,
            }
        } else {
            false
        }
    }

    /// The days from the first one that is not before `day`, from `day` itself for [`Days`](Self::Days); `None` for a fixed frequency, and beyond the calendar.
    pub(crate) fn days(self, day: i64) -> Option<Box<dyn Iterator<Item = i64>>> {
        match self {
            Frequency::Fixed(_) => None,
            Frequency::Days(every) => {
                Some(Box::new((0..).map_while(move |k: i64| day.checked_add(k.checked_mul(every)?))))
            }
            Frequency::Calendar { every, anchors } => {
                let first = anchors.number(day)?;
                let first = if anchors.day(first)? < day { first + 1 } else { first };
                Some(Box::new(
                    (0..).map_while(move |k: i64| anchors.day(first.checked_add(k.checked_mul(every)?)?)),
                ))
            }
        }
    }
}

/// The alias of pandas: of a fixed length in the largest unit that divides it.
impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (every, name) = match *self {
            Frequency::Fixed(nanos) => {
                let units = [
                    (3600 * SECOND, "h"),
                    (60 * SECOND, "min"),
                    (SECOND, "s"),
                    (1_000_000, "ms"),
                    (1000, "us"),
                    (1, "ns"),
                ];
                let (unit, name) = units.into_iter().find(|(unit, _)| nanos % unit == 0).unwrap_or((1, "ns"));
                (nanos / unit, name.to_owned())
            }
            Frequency::Days(every) => (every.into(), "D".to_owned()),
            Frequency::Calendar { every, anchors } => (every.into(), anchors.to_string()),
        };
        if every != 1 {
            write!(f, "{every}")?;
        }
        f.write_str(&name)
    }
}

impl fmt::Display for Anchors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |names: &'static [&'static str], at: i64| {
            usize::try_from(at).ok().and_then(|at| names.get(at).copied()).unwrap_or_default()
        };
        match *self {
            Anchors::Business => f.write_str("B"),
            Anchors::Weekday(weekday) => write!(f, "W-{}", of(&WEEKDAYS, weekday)),
            Anchors::Months { cycle, phase, day } => {
                let (business, side) = match day {
                    MonthDay::First => ("", "S"),
                    MonthDay::Last => ("", "E"),
                    MonthDay::FirstBusiness => ("B", "S"),
                    MonthDay::LastBusiness => ("B", "E"),
                };
                match cycle {
                    1 => write!(f, "{business}M{side}"),
                    3 => write!(f, "{business}Q{side}-{}", of(&MONTHS, phase)),
                    _ => write!(f, "{business}Y{side}-{}", of(&MONTHS, phase)),
                }
            }
            Anchors::HalfMonths { middle, end } => write!(f, "SM{}-{middle}", if end { "E" } else { "S" }),
            Anchors::WeekOfMonth { week: Some(week), weekday } => {
                write!(f, "WOM-{}{}", week + 1, of(&WEEKDAYS, weekday))
            }
            Anchors::WeekOfMonth { week: None, weekday } => write!(f, "LWOM-{}", of(&WEEKDAYS, weekday)),
        }
    }
}

/// How many of a unit: a value in parts of one.
#[derive(Clone, Copy)]
struct Number {
    value: i64,
    scale: i64,
}

impl Number {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if text.is_empty() {
            return Ok(Self { value: 1, scale: 1 });
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.contains('.') || whole.len() + fraction.len() > 15 || text == "." {
            return Err("the number has too many digits");
        }
        let value = format!("{whole}{fraction}").parse().map_err(|_| "a number is expected")?;
        let scale = 10_i64.pow(u32::try_from(fraction.len()).unwrap_or(0));
        if value == 0 || value / scale > 1 << 31 {
            return Err("a number from 1 to 2147483648 is expected");
        }
        Ok(Self { value, scale })
    }
}

impl Anchors {
    /// The number of the last of these days that is not after `day`; `None` beyond the calendar.
    pub(crate) fn number(self, day: i64) -> Option<i64> {
        match self {
            // 1970-01-01 is a Thursday.
            Anchors::Business => Some((day + 3).div_euclid(7) * 5 + (day + 3).rem_euclid(7).min(4)),
            Anchors::Weekday(weekday) => Some((day + 3 - weekday).div_euclid(7)),
            Anchors::Months { cycle, phase, .. } => {
                let number = (month_of(day) - phase).div_euclid(cycle);
                Some(if self.day(number)? > day { number - 1 } else { number })
            }
            Anchors::WeekOfMonth { .. } => {
                let number = month_of(day);
                Some(if self.day(number)? > day { number - 1 } else { number })
            }
            Anchors::HalfMonths { .. } => {
                let mut number = month_of(day) * 2 + 1;
                while self.day(number)? > day {
                    number -= 1;
                }
                Some(number)
            }
        }
    }

    /// The day of a number.
    pub(crate) fn day(self, number: i64) -> Option<i64> {
        match self {
            Anchors::Business => number.div_euclid(5).checked_mul(7)?.checked_add(number.rem_euclid(5) - 3),
            Anchors::Weekday(weekday) => number.checked_mul(7)?.checked_add(weekday - 3),
            Anchors::Months { cycle, phase, day } => {
                let month = number.checked_mul(cycle)?.checked_add(phase)?;
                let first = first_of_month(month)?;
                let last = first_of_month(month.checked_add(1)?)? - 1;
                let weekday = |day: i64| (day + 3).rem_euclid(7);
                Some(match day {
                    MonthDay::First => first,
                    MonthDay::Last => last,
                    MonthDay::FirstBusiness => {
                        first + [0, 0, 0, 0, 0, 2, 1][usize::try_from(weekday(first)).ok()?]
                    }
                    MonthDay::LastBusiness => last - (weekday(last) - 4).max(0),
                })
            }
            Anchors::WeekOfMonth { week: Some(week), weekday } => {
                let first = first_of_month(number)?;
                Some(first + (weekday - (first + 3)).rem_euclid(7) + 7 * week)
            }
            Anchors::WeekOfMonth { week: None, weekday } => {
                let last = first_of_month(number.checked_add(1)?)? - 1;
                Some(last - (last + 3 - weekday).rem_euclid(7))
            }
            Anchors::HalfMonths { middle, end } => {
                let month = number.div_euclid(2);
                match (number.rem_euclid(2) == 0, end) {
                    (true, false) => first_of_month(month),
                    (false, true) => Some(first_of_month(month.checked_add(1)?)? - 1),
                    (true, true) | (false, false) => Some(first_of_month(month)? + middle - 1),
                }
            }
        }
    }
}

/// The number of months since January of the year 0.
fn month_of(day: i64) -> i64 {
    let date = date_of(day);
    date.year * 12 + i64::from(date.month) - 1
}

fn first_of_month(month: i64) -> Option<i64> {
    let year = month.div_euclid(12);
    days_to(Date { year, month: u8::try_from(month.rem_euclid(12) + 1).ok()?, day: 1 })
}
