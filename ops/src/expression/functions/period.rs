//! Periods that times are rounded to.

use crate::expression::Literal;
use columnade_columns::{Error, Result};
use std::borrow::Cow;
use std::fmt;

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// A period of time: `"15min"`, `"1h30min"`, `"1d"`, `"2w"`, `"1mo"`, `"1q"`, `"1y"`, or a duration such as
/// [`hours(2)`](crate::expression::hours).
///
/// Numbers with units: `ns`, `us`, `ms`, `s`, `min`, `h`, `d` (24 hours), of which several may follow each other, or one of
/// `w` (from Monday), `mo`, `q` and `y`, which are of the calendar. A text that is no period is an error where it is used:
/// `InvalidPattern`, with the position.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Period(Kind);

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Kind {
    /// Nanoseconds.
    Fixed(i128),
    Weeks(i64),
    Months(i64),
    Invalid {
        text: String,
        position: usize,
        reason: Cow<'static, str>,
    },
}

/// What a period is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Length {
    /// Nanoseconds.
    Fixed(i128),
    Weeks(i64),
    Months(i64),
}

impl Period {
    /// The length.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] for a text that is none.
    pub(super) fn length(&self) -> Result<Length> {
        match &self.0 {
            Kind::Fixed(nanos) => Ok(Length::Fixed(*nanos)),
            Kind::Weeks(weeks) => Ok(Length::Weeks(*weeks)),
            Kind::Months(months) => Ok(Length::Months(*months)),
            Kind::Invalid { text, position, reason } => Err(Error::InvalidPattern {
                pattern: text.clone(),
                position: *position,
                reason: reason.clone(),
            }),
        }
    }
}

impl From<&str> for Period {
    fn from(text: &str) -> Self {
        let invalid = |(position, reason): (usize, &'static str)| Kind::Invalid {
            text: text.to_owned(),
            position,
            reason: reason.into(),
        };
        Self(parse(text).unwrap_or_else(invalid))
    }
}

impl From<Literal> for Period {
    fn from(literal: Literal) -> Self {
        if let Literal::Duration(nanos) = literal
            && nanos > 0
        {
            return Self(Kind::Fixed(nanos));
        }
        let reason = "a period is a text such as 1h, or a duration above zero";
        Self(Kind::Invalid { text: literal.to_string(), position: 0, reason: reason.into() })
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Fixed(nanos) => {
                let units = [(DAY, "d"), (3600 * SECOND, "h"), (60 * SECOND, "min"), (SECOND, "s")];
                let units = units.into_iter().chain([(1_000_000, "ms"), (1000, "us"), (1, "ns")]);
                let mut left = *nanos;
                for (unit, name) in units.filter(|(unit, _)| nanos / unit > 0) {
                    if left / unit > 0 {
                        write!(f, "{}{name}", left / unit)?;
                    }
                    left %= unit;
                }
                Ok(())
            }
            Kind::Weeks(weeks) => write!(f, "{weeks}w"),
            Kind::Months(months) => write!(f, "{months}mo"),
            Kind::Invalid { text, .. } => f.write_str(text),
        }
    }
}

/// The period of a text, or the character that is wrong and why.
fn parse(text: &str) -> Result<Kind, (usize, &'static str)> {
    let mut total = 0_i128;
    let mut rest = text;
    let at = |rest: &str| text.chars().count() - rest.chars().count();
    if text.is_empty() {
        return Err((0, "there is no number"));
    }
    while !rest.is_empty() {
        let start = at(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        if number.is_empty() {
            return Err((start, "a number is expected"));
        }
        let number: i64 = number.parse().map_err(|_| (start, "the number is too large"))?;
        let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, after) = after.split_at(letters);
        let months = |factor: i64| {
            if number == 0 || start != 0 || !after.is_empty() {
                return Err((start, "weeks, months, quarters and years stand alone, and are above zero"));
            }
            number
                .checked_mul(factor)
                .filter(|months| *months < 1 << 31)
                .ok_or((start, "the number is too large"))
        };
        let nanos = match unit {
            "ns" => 1,
            "us" => 1000,
            "ms" => 1_000_000,
            "s" => SECOND,
            "min" => 60 * SECOND,
            "h" => 3600 * SECOND,
            "d" | "D" => DAY,
            "w" | "W" => return months(1).map(Kind::Weeks),
            "mo" => return months(1).map(Kind::Months),
            "q" | "Q" => return months(3).map(Kind::Months),
            "y" | "Y" => return months(12).map(Kind::Months),
            "m" | "M" => return Err((start + digits, "write min for minutes, mo for months")),
            _ => return Err((start + digits, "a unit is expected: ns, us, ms, s, min, h, d, w, mo, q or y")),
        };
        total += i128::from(number) * nanos;
        rest = after;
    }
    if total == 0 {
        return Err((0, "a period is above zero"));
    }
    Ok(Kind::Fixed(total))
}
