//! Remembers that the lower tiers are full, so that they are not tried again and again.

use std::time::{Duration, Instant};

use crate::Error;
use crate::sync::Mutex;

/// The latest refusal of all tiers.
///
/// After two refusals in a row it is believed until bytes leave the tiers or may have left, the tiers do
/// accept as much, their options change, or a short time has passed: how much other programs leave of a disk
/// is known only by trying.
#[derive(Default)]
pub(super) struct TierFullBackoff(Mutex<Option<Refused>>);

struct Refused {
    /// Requests of at least this size are refused.
    least: usize,
    /// The bytes in use in the tiers at that time.
    used: usize,
    at: Instant,
    /// Whether it is the first refusal, which may be accidental.
    is_first: bool,
    /// The error of the last tier.
    error: Error,
}

/// How long a refusal is believed.
const BELIEVED: Duration = Duration::from_millis(100);

impl Refused {
    fn holds(&self, used: usize, now: Instant) -> bool {
        used >= self.used && now.saturating_duration_since(self.at) < BELIEVED
    }
}

impl TierFullBackoff {
    /// Records that no tier accepted `bytes` bytes, with the error of the last one. `used` bytes of the tiers
    /// are in use.
    pub(super) fn note(&self, bytes: usize, error: &Error, used: usize, now: Instant) {
        let &Error::Storage { operation, .. } = error else { return };
        // If no file can be created, nothing fits.
        let bytes = if operation == "create" { 0 } else { bytes };
        let mut last = self.0.lock();
        let before = last.as_ref().filter(|before| before.holds(used, now));
        let least = bytes.min(before.map_or(usize::MAX, |before| before.least));
        *last = Some(Refused { least, used, at: now, is_first: before.is_none(), error: error.clone() });
    }

    /// Records that `bytes` bytes were accepted.
    pub(super) fn took(&self, bytes: usize) {
        let mut last = self.0.lock();
        if last.as_ref().is_some_and(|refused| refused.least <= bytes) {
            *last = None;
        }
    }

    /// The size from which on requests are refused; `None` if none is known.
    pub(super) fn least(&self, used: usize, now: Instant) -> Option<usize> {
        self.believed(used, true, now, |refused| refused.least)
    }

    /// The error of the last tier; if `again`, of at least the second refusal.
    pub(super) fn reason(&self, used: usize, again: bool, now: Instant) -> Option<Error> {
        self.believed(used, again, now, |refused| refused.error.clone())
    }

    fn believed<T>(
        &self,
        used: usize,
        again: bool,
        now: Instant,
        tell: impl FnOnce(&Refused) -> T,
    ) -> Option<T> {
        let last = self.0.lock();
        last.as_ref().filter(|refused| !(again && refused.is_first) && refused.holds(used, now)).map(tell)
    }

    /// Forgets the refusal, because the circumstances have changed.
    pub(super) fn forget(&self) {
        *self.0.lock() = None;
    }
}
