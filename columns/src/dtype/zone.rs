//! Time zones, by name.

use crate::{Error, Result};
use std::fmt;
use std::sync::Arc;

/// The name of a time zone: of the IANA database as `Europe/Berlin`, or an offset from UTC as `+02:00`, `+0200` or `+02`.
///
/// A name: [`offsets`](TimeZone::offsets) has the rules of the zone. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimeZone(Arc<str>);

impl TimeZone {
    /// The zone called `name`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] unless the name is letters, digits and `+-/_:` of ASCII, at least one; for a name that
    /// begins with a sign and is no offset of less than a day.
    pub fn new(name: &str) -> Result<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"+-/_:".contains(&byte);
        if name.is_empty() || !name.bytes().all(allowed) {
            let reason = format!("{name:?} is no name of a time zone");
            return Err(Error::InvalidArgument { name: "name", reason });
        }
        let zone = Self(name.into());
        if name.starts_with(['+', '-']) && zone.fixed_offset().is_none() {
            let reason = format!("{name:?} is no offset from -23:59 to +23:59");
            return Err(Error::InvalidArgument { name: "name", reason });
        }
        Ok(zone)
    }

    /// Coordinated universal time.
    pub fn utc() -> Self {
        Self("UTC".into())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Seconds to add to UTC where the name says so: of `UTC`, and of offsets.
    pub fn fixed_offset(&self) -> Option<i64> {
        if matches!(self.name(), "UTC" | "Etc/UTC" | "Z" | "GMT") {
            return Some(0);
        }
        let (sign, rest) = match self.name().split_at_checked(1)? {
            ("+", rest) => (1, rest),
            ("-", rest) => (-1, rest),
            _ => return None,
        };
        let (hours, minutes) = match rest.len() {
            2 => (rest, "00"),
            4 => rest.split_at_checked(2)?,
            5 => rest.split_once(':')?,
            _ => return None,
        };
        let number = |text: &str, below: i64| {
            let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i64>().ok().filter(|number| is_number && *number < below)
        };
        Some(sign * (number(hours, 24)? * 3600 + number(minutes, 60)? * 60))
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
