//! Values of columns that Rust has no type for.

use super::Scalar;
use super::text::{decimal_text, duration_text, timestamp_text};
use crate::TimeUnit;
use std::fmt;

/// An exact decimal number: `value` × 10^−`scale`.
///
/// Compared by its fields, so 1.0 and 1.00 differ: all values of a column have the scale of its dtype.
///
/// ```
/// let price = columnade_columns::Decimal { value: 1999, scale: 2 };
/// assert_eq!(price.to_string(), "19.99");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// The digits.
    pub value: i128,
    /// How many of them come after the point; negative for zeros before it.
    pub scale: i8,
}

/// A time: `value` units since 1970-01-01, in UTC if the column has a time zone, otherwise in local time.
///
/// ```
/// use columnade_columns::{TimeUnit, Timestamp};
///
/// let time = Timestamp { value: -1, unit: TimeUnit::Second };
/// assert_eq!(time.to_string(), "1969-12-31 23:59:59");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp {
    /// How many units.
    pub value: i64,
    /// The unit.
    pub unit: TimeUnit,
}

/// A duration, possibly negative: `value` units.
///
/// ```
/// use columnade_columns::{TimeUnit, Timedelta};
///
/// assert_eq!(Timedelta { value: 90, unit: TimeUnit::Second }.to_string(), "00:01:30");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timedelta {
    /// How many units.
    pub value: i64,
    /// The unit.
    pub unit: TimeUnit,
}

/// A time of day: `value` units since midnight.
///
/// ```
/// use columnade_columns::{Time, TimeUnit};
///
/// assert_eq!(Time { value: 45_296_789, unit: TimeUnit::Milli }.to_string(), "12:34:56.789");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// How many units, fewer than a day has.
    pub value: i64,
    /// The unit.
    pub unit: TimeUnit,
}

impl fmt::Display for Decimal {
    /// All digits: `1.50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&decimal_text(self.value, self.scale))
    }
}

impl fmt::Display for Timestamp {
    /// As ISO 8601 has it, with a space: `1998-09-02 12:00:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&timestamp_text(self.value, self.unit))
    }
}

impl fmt::Display for Timedelta {
    /// `2 days 03:04:05`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&duration_text(self.value, self.unit))
    }
}

impl fmt::Display for Time {
    /// `03:04:05`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&duration_text(self.value, self.unit))
    }
}

impl From<Time> for Scalar {
    fn from(Time { value, unit }: Time) -> Self {
        Scalar::Time(value, unit)
    }
}

impl From<Timestamp> for Scalar {
    fn from(Timestamp { value, unit }: Timestamp) -> Self {
        Scalar::Timestamp(value, unit)
    }
}

impl From<Timedelta> for Scalar {
    fn from(Timedelta { value, unit }: Timedelta) -> Self {
        Scalar::Duration(value, unit)
    }
}
