//! Scalars as text.

use super::Scalar;
use crate::calendar::date_of;
use crate::{TimeUnit, TimeZone};
use std::fmt;

impl fmt::Display for Scalar {
    /// The value as a table shows it: dates as ISO 8601, decimals with all their digits, `<NA>` for a null, bytes as
    /// Rust writes them, `2 days 03:04:05` for a duration,
    /// `03:04:05` for a time of day, `(0, 1]`, `[1, 2]` and `{a: 1, b: x}` for nested values.
    ///
    /// A timestamp with a time zone is shown in local time with the offset, `12:00:00+02:00`, in UTC with a `Z`. Where the
    /// zone is not in the IANA database it is shown in UTC with the name after it, `10:00:00Z[Europe/Atlantis]`, as
    /// RFC 9557 has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Scalar::Null(_) => "<NA>".to_owned(),
            Scalar::Bool(v) => v.to_string(),
            Scalar::Int8(v) => v.to_string(),
            Scalar::Int16(v) => v.to_string(),
            Scalar::Int32(v) => v.to_string(),
            Scalar::Int64(v) => v.to_string(),
            Scalar::UInt8(v) => v.to_string(),
            Scalar::UInt16(v) => v.to_string(),
            Scalar::UInt32(v) => v.to_string(),
            Scalar::UInt64(v) => v.to_string(),
            Scalar::Float32(v) => format!("{v:?}"),
            Scalar::Float64(v) => format!("{v:?}"),
            Scalar::Utf8(v) => return f.pad(v),
            Scalar::Date32(days) => date_text(i64::from(*days)),
            Scalar::Timestamp(v, unit) => timestamp_text(*v, *unit),
            Scalar::Decimal { value, scale, .. } => decimal_text(*value, *scale),
            Scalar::Binary(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
            Scalar::TimestampTz(value, unit, zone) => zoned_text(*value, *unit, zone),
            // A time of day is shown as the duration since midnight, also where that is more than a day.
            Scalar::Duration(value, unit) | Scalar::Time(value, unit) => duration_text(*value, *unit),
            Scalar::Interval(interval) => {
                let (open, close) = interval.closed.brackets();
                format!("{open}{}, {}{close}", interval.left, interval.right)
            }
            Scalar::List { values, .. } => format!("[{}]", joined(values.iter().map(Scalar::to_string))),
            Scalar::Struct(fields) => {
                let field = |(name, value): &(String, Scalar)| format!("{name}: {value}");
                format!("{{{}}}", joined(fields.iter().map(field)))
            }
        };
        f.pad(&text)
    }
}

impl Scalar {
    /// The text of [`Display`](fmt::Display), with so many digits after the point of floats, also of those in lists, structs and
    /// intervals. Floats from 10¹⁶ on have an exponent.
    ///
    /// ```
    /// use columnade_columns::Scalar;
    ///
    /// assert_eq!(Scalar::Float64(2.0 / 3.0).text_with_digits(2), "0.67");
    /// assert_eq!(Scalar::Float64(-1.5e20).text_with_digits(2), "-1.50e20");
    /// assert_eq!(Scalar::Int64(3).text_with_digits(2), "3");
    /// ```
    ///
    /// # Source
    /// pandas `display.precision`, Polars `Config.set_float_precision`.
    pub fn text_with_digits(&self, digits: u8) -> String {
        if let Scalar::Float32(value) = self {
            float_text((*value).into(), digits)
        } else if let Scalar::Float64(value) = self {
            float_text(*value, digits)
        } else if let Scalar::Interval(interval) = self {
            let (open, close) = interval.closed.brackets();
            let [left, right] = [&interval.left, &interval.right].map(|end| end.text_with_digits(digits));
            format!("{open}{left}, {right}{close}")
        } else if let Scalar::List { values, .. } = self {
            format!("[{}]", joined(values.iter().map(|value| value.text_with_digits(digits))))
        } else if let Scalar::Struct(fields) = self {
            let field =
                |(name, value): &(String, Scalar)| format!("{name}: {}", value.text_with_digits(digits));
            format!("{{{}}}", joined(fields.iter().map(field)))
        } else {
            self.to_string()
        }
    }
}

fn float_text(value: f64, digits: u8) -> String {
    let digits = usize::from(digits);
    if !value.is_finite() {
        return format!("{value:?}");
    }
    if value.abs() >= 1e16 { format!("{value:.digits$e}") } else { format!("{value:.digits$}") }
}

fn date_text(days: i64) -> String {
    date_of(days).to_string()
}

pub(super) fn timestamp_text(value: i64, unit: TimeUnit) -> String {
    let (seconds, fraction) = (value.div_euclid(unit.per_second()), value.rem_euclid(unit.per_second()));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let text = format!("{} {hour:02}:{minute:02}:{second:02}", date_text(days));
    match unit.digits() {
        0 => text,
        digits => format!("{text}.{fraction:0digits$}"),
    }
}

pub(super) fn decimal_text(value: i128, scale: i8) -> String {
    let digits = value.unsigned_abs().to_string();
    let sign = if value < 0 { "-" } else { "" };
    if scale <= 0 {
        let zeros = if value == 0 { 0 } else { usize::from(scale.unsigned_abs()) };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let scale = usize::from(scale.unsigned_abs());
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (integer, fraction) = digits.split_at(digits.len() - scale);
    format!("{sign}{integer}.{fraction}")
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn zoned_text(value: i64, unit: TimeUnit, zone: &TimeZone) -> String {
    let second = value.div_euclid(unit.per_second());
    let local = zone.offsets().ok().and_then(|offsets| {
        let offset = i64::from(offsets.at(second));
        Some((value.checked_add(offset * unit.per_second())?, offset))
    });
    match local {
        Some((local, 0)) if zone.fixed_offset().is_some() => format!("{}Z", timestamp_text(local, unit)),
        Some((local, offset)) => format!("{}{}", timestamp_text(local, unit), offset_text(offset)),
        None => format!("{}Z[{zone}]", timestamp_text(value, unit)),
    }
}

fn offset_text(seconds: i64) -> String {
    let (minutes, second) = (seconds.abs() / 60, seconds.abs() % 60);
    let text = format!("{}{:02}:{:02}", if seconds < 0 { '-' } else { '+' }, minutes / 60, minutes % 60);
    // Before standard time, offsets were those of the sun.
    if second == 0 { text } else { format!("{text}:{second:02}") }
}

pub(super) fn duration_text(value: i64, unit: TimeUnit) -> String {
    let magnitude = value.unsigned_abs();
    let per_second = unit.per_second().unsigned_abs();
    let (seconds, fraction) = (magnitude / per_second, magnitude % per_second);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let sign = if value < 0 { "-" } else { "" };
    let days = if days > 0 { format!("{days} days ") } else { String::new() };
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let text = format!("{sign}{days}{hour:02}:{minute:02}:{second:02}");
    match unit.digits() {
        0 => text,
        digits => format!("{text}.{fraction:0digits$}"),
    }
}
