//! How often the times of a range come: the aliases of pandas.

use columnade_columns::calendar::{Date, date_of, days_to};
use columnade_columns::{Error, Result};

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

const WEEKDAYS: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
/// Aliases of pandas that pandas 3 refuses or renames, and what to write.
const RENAMED: [(&str, &str); 10] = [
    ("M", "ME for ends of months, min for minutes"),
    ("Q", "QE or QS"),
    ("Y", "YE or YS"),
    ("A", "YE or YS"),
    ("H", "h"),
    ("T", "min"),
    ("S", "s"),
    ("L", "ms"),
    ("U", "us"),
    ("N", "ns"),
];
const NOT_IMPLEMENTED: [&str; 11] =
    ["SME", "SMS", "BME", "BMS", "BQE", "BQS", "BYE", "BYS", "C", "bh", "WOM"];

/// How often times come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frequency {
    /// Nanoseconds.
    Fixed(i128),
    /// Days from Monday to Friday, every so many.
    Business(i64),
    /// Every so many weeks on a day, Monday = 0.
    Weekly(i64, i64),
    /// Every so many months, on the first day of those that are `anchor` modulo `cycle`, January = 0; on the last day if
    /// `end`.
    Monthly { months: i64, cycle: i64, anchor: i64, end: bool },
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
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let count: i64 = match &rest[..digits] {
                "" => 1,
                number => number.parse().map_err(|_| invalid(at, "the number is too large"))?,
            };
            let rest = &rest[digits..];
            let letters = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'-').count();
            let (unit, position) = (&rest[..letters], at + digits);
            if count == 0 || count > 1 << 31 {
                return Err(invalid(at, "a number from 1 to 2147483648 is expected"));
            }
            let nanos = match unit {
                "ns" => 1,
                "us" => 1000,
                "ms" => 1_000_000,
                "s" => SECOND,
                "min" => 60 * SECOND,
                "h" => 3600 * SECOND,
                "D" => DAY,
                _ => {
                    let calendar = Self::calendar(unit, count).map_err(|error| match error {
                        Ok(reason) => invalid(position, reason),
                        Err(missing) => Error::NotImplemented { feature: format!("the frequency {missing}") },
                    })?;
                    return if at == 0 && letters == rest.len() {
                        Ok(calendar)
                    } else {
                        Err(invalid(position, "frequencies of the calendar stand alone"))
                    };
                }
            };
            total += i128::from(count) * nanos;
            at = position + letters;
            if at == text.len() {
                return Ok(Frequency::Fixed(total));
            }
        }
    }

    /// A frequency of the calendar; what is wrong, or `Err` with what is not implemented.
    fn calendar(unit: &str, count: i64) -> Result<Self, Result<&'static str, &'static str>> {
        let (name, anchor) = unit.split_once('-').map_or((unit, None), |(name, anchor)| (name, Some(anchor)));
        if let Some(missing) = NOT_IMPLEMENTED.into_iter().find(|missing| *missing == name) {
            return Err(Err(missing));
        }
        if let Some((_, cure)) = RENAMED.into_iter().find(|(old, _)| *old == name) {
            return Err(Ok(cure));
        }
        let position = |names: &[&str], default: i64| match anchor {
            None => Ok(default),
            Some(anchor) => names
                .iter()
                .position(|name| *name == anchor)
                .and_then(|position| i64::try_from(position).ok())
                .ok_or(Ok("an unknown day or month after the hyphen")),
        };
        let monthly = |cycle: i64, default: i64, end: bool| {
            let anchor = position(&MONTHS, default)? % cycle;
            Ok(Frequency::Monthly { months: count * cycle, cycle, anchor, end })
        };
        match name {
            "B" if anchor.is_none() => Ok(Frequency::Business(count)),
            "W" => Ok(Frequency::Weekly(count, position(&WEEKDAYS, 6)?)),
            "MS" if anchor.is_none() => monthly(1, 0, false),
            "ME" if anchor.is_none() => monthly(1, 0, true),
            "QS" => monthly(3, 0, false),
            "QE" => monthly(3, 11, true),
            "YS" => monthly(12, 0, false),
            "YE" => monthly(12, 11, true),
            _ => Err(Ok("a frequency is expected: ns, us, ms, s, min, h, D, B, W, MS, ME, QS, QE, YS or YE")),
        }
    }

    /// The days from the first one that is not before `day`; `None` for a fixed frequency, and beyond the calendar.
    pub(crate) fn days(self, day: i64) -> Option<Box<dyn Iterator<Item = i64>>> {
        match self {
            Frequency::Fixed(_) => None,
            Frequency::Business(count) => {
                let step = usize::try_from(count).ok()?;
                // Monday = 0.
                Some(Box::new((day..).filter(|day| (day + 3).rem_euclid(7) < 5).step_by(step)))
            }
            Frequency::Weekly(count, weekday) => {
                let first = day + (weekday - (day + 3)).rem_euclid(7);
                Some(Box::new((0..).map_while(move |k: i64| first.checked_add(k.checked_mul(7 * count)?))))
            }
            Frequency::Monthly { months, cycle, anchor, end } => {
                let date = date_of(day);
                let number = date.year * 12 + i64::from(date.month) - 1;
                let mut first = number + (anchor - number).rem_euclid(cycle);
                if of_month(first, end)? < day {
                    first += cycle;
                }
                Some(Box::new(
                    (0..).map_while(move |k: i64| of_month(first.checked_add(k.checked_mul(months)?)?, end)),
                ))
            }
        }
    }
}

/// The first or last day of a month, by the number of months since January of the year 0.
fn of_month(number: i64, end: bool) -> Option<i64> {
    let number = if end { number.checked_add(1)? } else { number };
    let month = u8::try_from(number.rem_euclid(12) + 1).ok()?;
    let first = days_to(Date { year: number.div_euclid(12), month, day: 1 })?;
    Some(if end { first - 1 } else { first })
}
