//! That the tiers below take no more, remembered so that nobody asks them again and again.

use std::time::{Duration, Instant};

use crate::Error;
use crate::sync::Mutex;

/// What no tier took of late.
///
/// Refused twice in a row, it is believed until something leaves the tiers or could, they take as much after all, their
/// options change, or a short time has passed: how much other programs leave of a disk shows only when it is asked.
#[derive(Default)]
pub(super) struct TierFullBackoff(Mutex<Option<Refused>>);

struct Refused {
    /// From this size on nothing is taken.
    least: usize,
    /// Bytes that were in use of the tiers.
    used: usize,
    at: Instant,
    /// Whether it is the first one, which may have been an accident.
    is_first: bool,
    /// What the last tier said.
    error: Error,
}

/// So long a refusal is believed.
const BELIEVED: Duration = Duration::from_millis(100);

impl Refused {
    fn holds(&self, used: usize, now: Instant) -> bool {
        used >= self.used && now.saturating_duration_since(self.at) < BELIEVED
    }
}

impl TierFullBackoff {
    /// Notes that no tier took `bytes` bytes, of which the last one said why. Of the tiers `used` bytes are in use.
    pub(super) fn note(&self, bytes: usize, error: &Error, used: usize, now: Instant) {
        let &Error::Storage { operation, .. } = error else { return };
        // Where no file can be made there is room for nothing.
        let bytes = if operation == "create" { 0 } else { bytes };
        let mut last = self.0.lock();
        let before = last.as_ref().filter(|before| before.holds(used, now));
        let least = bytes.min(before.map_or(usize::MAX, |before| before.least));
        *last = Some(Refused { least, used, at: now, is_first: before.is_none(), error: error.clone() });
    }

    /// Notes that `bytes` bytes were taken.
    pub(super) fn took(&self, bytes: usize) {
        let mut last = self.0.lock();
        if last.as_ref().is_some_and(|refused| refused.least <= bytes) {
            *last = None;
        }
    }

    /// From which size on nothing is taken; `None`: not known of any.
    pub(super) fn least(&self, used: usize, now: Instant) -> Option<usize> {
        self.believed(used, now, |refused| refused.least)
    }

    /// What the last tier said.
    pub(super) fn reason(&self, used: usize, now: Instant) -> Option<Error> {
        self.believed(used, now, |refused| refused.error.clone())
    }

    fn believed<T>(&self, used: usize, now: Instant, tell: impl FnOnce(&Refused) -> T) -> Option<T> {
        let last = self.0.lock();
        last.as_ref().filter(|refused| !refused.is_first && refused.holds(used, now)).map(tell)
    }

    /// Says that things have changed.
    pub(super) fn forget(&self) {
        *self.0.lock() = None;
    }
}
