//! Periods that times are rounded to.

use crate::expression::Literal;
use columnade_columns::{Error, Result};
use std::borrow::Cow;
use std::fmt;

pub(super) const SECOND: i128 = 1_000_000_000;
pub(super) const DAY: i128 = 86_400 * SECOND;

/// A period of time: `"15min"`, `"1h30min"`, `"1d"`, `"2w"`, `"1mo"`, `"1q"`, `"1y"`, or a duration such as
/// [`hours(2)`](crate::expression::hours).
///
/// Numbers with units: `ns`, `us`, `ms`, `s`, `min`, `h`, `d` (24 hours), of which several may follow each other, or one of
/// `w` (from Monday), `mo`, `q` and `y`, which are of the calendar; several of these are counted from January 1970. A text that
/// is no period is an error where it is used: `InvalidPattern`, with the position.
///
/// [`offset_by`](crate::expression::DatetimeExpr::offset_by) also takes all of these units together, as in `"1y2mo3d4h"`, after
/// a sign that is that of all (`"-1mo2d"`), and nothing (`"0d"`).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Period(Kind);

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Kind {
    /// Days of 24 hours, and nanoseconds.
    Fixed {
        days: i64,
        nanos: i128,
    },
    Weeks(i64),
    Months(i64),
    /// What times are moved by, and why they are not rounded to it.
    Offset {
        offset: Offset,
        text: String,
        position: usize,
        reason: Cow<'static, str>,
    },
    Invalid {
        text: String,
        position: usize,
        reason: Cow<'static, str>,
    },
}

/// What times are moved by: months, then days, then nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Offset {
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) nanos: i128,
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
            Kind::Fixed { days, nanos } => Ok(Length::Fixed(i128::from(*days) * DAY + nanos)),
            Kind::Weeks(weeks) => Ok(Length::Weeks(*weeks)),
            Kind::Months(months) => Ok(Length::Months(*months)),
            Kind::Offset { text, position, reason, .. } | Kind::Invalid { text, position, reason } => {
                Err(invalid(text, *position, reason.clone()))
            }
        }
    }

    /// What times are moved by.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] for a text that is none.
    pub(super) fn offset(&self) -> Result<Offset> {
        match &self.0 {
            Kind::Fixed { days, nanos } => Ok(Offset { days: *days, nanos: *nanos, ..Offset::default() }),
            Kind::Weeks(weeks) => Ok(Offset { days: 7 * weeks, ..Offset::default() }),
            Kind::Months(months) => Ok(Offset { months: *months, ..Offset::default() }),
            Kind::Offset { offset, .. } => Ok(*offset),
            Kind::Invalid { text, position, reason } => Err(invalid(text, *position, reason.clone())),
        }
    }
}

fn invalid(text: &str, position: usize, reason: Cow<'static, str>) -> Error {
    Error::InvalidPattern { pattern: text.to_owned(), position, reason }
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
            return Self(Kind::Fixed { days: 0, nanos });
        }
        let reason = "a period is a text such as 1h, or a duration above zero";
        Self(Kind::Invalid { text: literal.to_string(), position: 0, reason: reason.into() })
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Fixed { days, nanos } => {
                if *days > 0 {
                    write!(f, "{days}d")?;
                }
                let units = [(DAY, "d"), (3600 * SECOND, "h"), (60 * SECOND, "min"), (SECOND, "s")];
                let units = units.into_iter().chain([(1_000_000, "ms"), (1000, "us"), (1, "ns")]);
                let mut left = *nanos;
                // Hours after days stay hours.
                for (unit, name) in units.skip(usize::from(*days > 0)) {
                    if left / unit > 0 {
                        write!(f, "{}{name}", left / unit)?;
                    }
                    left %= unit;
                }
                Ok(())
            }
            Kind::Weeks(weeks) => write!(f, "{weeks}w"),
            Kind::Months(months) => write!(f, "{months}mo"),
            Kind::Offset { text, .. } | Kind::Invalid { text, .. } => f.write_str(text),
        }
    }
}

/// The period of a text, or the character that is wrong and why.
fn parse(text: &str) -> Result<Kind, (usize, &'static str)> {
    const ALONE: &str = "weeks, months, quarters and years stand alone, and are above zero";
    let large = "the number is too large";
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let sign: i64 = if unsigned.len() < text.len() { -1 } else { 1 };
    let mut offset = Offset::default();
    // Why no time is rounded to it, if it is no period.
    let mut refused = (sign < 0).then_some((0, "a number is expected"));
    let mut rest = unsigned;
    let at = |rest: &str| text.chars().count() - rest.chars().count();
    if text.is_empty() {
        return Err((0, "there is no number"));
    }
    if unsigned.is_empty() {
        return Err((1, "a number is expected"));
    }
    let mut alone = None;
    while !rest.is_empty() {
        let start = at(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        if number.is_empty() {
            return Err((start, "a number is expected"));
        }
        let number: i64 = number.parse().map_err(|_| (start, large))?;
        let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, after) = after.split_at(letters);
        let is_alone = number != 0 && start == 0 && after.is_empty();
        // Of the calendar, all but a single one.
        let mut calendar = |kind: fn(i64) -> Kind, factor: i64| {
            let count = number.checked_mul(factor).filter(|count| *count < 1 << 31).ok_or((start, large))?;
            if is_alone {
                alone = Some(kind(count));
            } else if refused.is_none() {
                refused = Some((start, ALONE));
            }
            Ok::<i64, (usize, &'static str)>(sign * count)
        };
        let (mut months, mut days, mut nanos) = (0, 0, 0);
        match unit {
            "ns" => nanos = 1,
            "us" => nanos = 1000,
            "ms" => nanos = 1_000_000,
            "s" => nanos = SECOND,
            "min" => nanos = 60 * SECOND,
            "h" => nanos = 3600 * SECOND,
            "d" | "D" => days = sign * number,
            "w" | "W" => days = 7 * calendar(Kind::Weeks, 1)?,
            "mo" => months = calendar(Kind::Months, 1)?,
            "q" | "Q" => months = calendar(Kind::Months, 3)?,
            "y" | "Y" => months = calendar(Kind::Months, 12)?,
            "m" | "M" => return Err((start + digits, "write min for minutes, mo for months")),
            _ => return Err((start + digits, "a unit is expected: ns, us, ms, s, min, h, d, w, mo, q or y")),
        }
        offset.months = offset.months.checked_add(months).ok_or((start, large))?;
        offset.days = offset.days.checked_add(days).ok_or((start, large))?;
        offset.nanos += i128::from(sign * number) * nanos;
        rest = after;
    }
    if let Some(kind) = alone {
        return Ok(kind);
    }
    if refused.is_none() && offset == Offset::default() {
        refused = Some((0, "a period is above zero"));
    }
    Ok(match refused {
        None => Kind::Fixed { days: offset.days, nanos: offset.nanos },
        Some((position, reason)) => {
            Kind::Offset { offset, text: text.to_owned(), position, reason: reason.into() }
        }
    })
}
