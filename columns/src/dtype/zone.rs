//! Time zones, by name.

use crate::{Error, Result};
use std::fmt;
use std::sync::Arc;

/// The name of a time zone: of the IANA database as `Europe/Berlin`, or an offset from UTC as `+02:00`.
///
/// A name and no rules: no operation needs those yet. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeZone(Arc<str>);

impl TimeZone {
    /// The zone called `name`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] unless the name is letters, digits and `+-/_:` of ASCII, at least one.
    pub fn new(name: &str) -> Result<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"+-/_:".contains(&byte);
        if name.is_empty() || !name.bytes().all(allowed) {
            let reason = format!("{name:?} is no name of a time zone");
            return Err(Error::InvalidArgument { op: "time zone", name: "name", reason });
        }
        Ok(Self(name.into()))
    }

    /// Coordinated universal time.
    pub fn utc() -> Self {
        Self("UTC".into())
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Seconds to add to UTC where the name says so: of `UTC` and of `+02:00` and its like.
    pub fn fixed_offset(&self) -> Option<i64> {
        if matches!(self.name(), "UTC" | "Etc/UTC" | "Z" | "GMT") {
            return Some(0);
        }
        let (sign, rest) = match self.name().split_at_checked(1)? {
            ("+", rest) => (1, rest),
            ("-", rest) => (-1, rest),
            _ => return None,
        };
        let (hours, minutes) = rest.split_once(':')?;
        let number = |text: &str, below: i64| text.parse().ok().filter(|n| (0..below).contains(n));
        if hours.len() != 2 || minutes.len() != 2 {
            return None;
        }
        Some(sign * (number(hours, 24)? * 3600 + number(minutes, 60)? * 60))
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
