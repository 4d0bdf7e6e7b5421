//! When memory was used, and when it will be: cheap enough to note at every guard.

use crate::sync::atomic::{AtomicU64, Ordering};

/// When an allocation was used last, and at which distances it is used if that is regular.
///
/// Several uses in a row count as one. A distance is believed when it has come twice: what is used in a loop is then
/// expected after one more round and not before, and of a loop that does not fit, the part that was used last is the
/// one to leave. Without a rhythm, the longest unused leaves, as ever.
pub(crate) struct Recency {
    last: AtomicU64,
    /// The distance of the last two uses, in its low bits [`CONFIRMED`] and the number of uses in a row since.
    rhythm: AtomicU64,
}

const IN_A_ROW: u64 = 0b111;
const CONFIRMED: u64 = 0b1000;
const DISTANCE: u64 = !(IN_A_ROW | CONFIRMED);
/// A use that follows the last one within this part of the distance is one in a row with it.
const CLOSE: u64 = 16;

impl Recency {
    /// Used just now for the first time.
    pub(super) fn new() -> Self {
        Self { last: AtomicU64::new(now()), rhythm: AtomicU64::new(0) }
    }

    /// Used just now. Of two threads at once one may be forgotten: no more than an estimate is lost.
    #[inline]
    pub(super) fn note(&self) {
        let (now, past) = (now(), self.rhythm.load(Ordering::Relaxed));
        let gap = now.saturating_sub(self.last.load(Ordering::Relaxed));
        self.last.store(now, Ordering::Relaxed);
        let distance = past & DISTANCE;
        if gap < distance / CLOSE && past & IN_A_ROW < IN_A_ROW {
            self.rhythm.store(past + 1, Ordering::Relaxed);
            return;
        }
        let regular = distance > 0 && gap / 2 <= distance && distance / 2 <= gap;
        let confirmed = if regular { CONFIRMED } else { 0 };
        self.rhythm.store(gap & DISTANCE | confirmed, Ordering::Relaxed);
    }

    /// Used longer ago than everything else.
    pub(super) fn forget(&self) {
        self.last.store(0, Ordering::Relaxed);
        self.rhythm.store(0, Ordering::Relaxed);
    }

    /// The time of the last use.
    pub(super) fn last(&self) -> u64 {
        self.last.load(Ordering::Relaxed)
    }

    /// How long nobody is expected to use it, seen from `now`: until the next use of its rhythm, else as long as it
    /// has not been used already.
    pub(super) fn expected_rest(&self, now: u64) -> u64 {
        let idle = now.saturating_sub(self.last());
        let rhythm = self.rhythm.load(Ordering::Relaxed);
        match (rhythm & DISTANCE).checked_sub(idle) {
            Some(rest) if rhythm & CONFIRMED != 0 => rest,
            _ => idle,
        }
    }
}

/// The time now. Grows on each thread and, from thread to thread, with what happens after what.
#[inline]
#[cfg(all(target_arch = "x86_64", not(miri), not(shuttle)))]
pub(crate) fn now() -> u64 {
    #[cfg(test)]
    if let Some(now) = in_steps::now() {
        return now;
    }
    // Processors of the last fifteen years keep their time stamps in step, whatever their clock rate.
    // SAFETY: reads a counter; every x86-64 processor has it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// The time now, as a number of asks.
#[cfg(not(all(target_arch = "x86_64", not(miri), not(shuttle))))]
pub(crate) fn now() -> u64 {
    #[cfg(test)]
    if let Some(now) = in_steps::now() {
        return now;
    }
    use crate::sync::global::{AtomicU64, Ordering};
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1, Ordering::Relaxed)
}

/// Time as a test wants it.
#[cfg(test)]
pub(crate) mod in_steps {
    use std::cell::Cell;

    thread_local! {
        static NOW: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// While it lives, the time of this thread grows by one whenever it is looked at, however long that takes.
    #[must_use]
    pub(crate) struct InSteps(());

    impl InSteps {
        pub(crate) fn new() -> Self {
            NOW.set(Some(1));
            Self(())
        }
    }

    impl Drop for InSteps {
        fn drop(&mut self) {
            NOW.set(None);
        }
    }

    pub(super) fn now() -> Option<u64> {
        let now = NOW.get()?;
        NOW.set(Some(now + 1));
        Some(now)
    }
}
