//! When memory was used, and when it will be: cheap enough to note at every guard.

#[cfg(all(test, not(shuttle)))]
pub(crate) mod test_clock;

use crate::sync::atomic::{AtomicU64, Ordering};

/// When an allocation was used last, and its reuse interval if that is regular.
///
/// Several uses in a burst count as one. An interval is confirmed when it has come twice: what is used in a loop is then
/// expected after one more round and not before, and of a loop that does not fit, the part that was used last is
/// evicted.
pub(crate) struct UseHistory {
    last_use: AtomicU64,
    /// The time between the last two uses; its low bits are [`CONFIRMED`] and the number of uses in a burst since.
    reuse_interval: AtomicU64,
    /// The last use before the last eviction.
    used_before_eviction: AtomicU64,
    /// When it was evicted, with the assumption in the lowest bit; 0 if it was unspilled since, or evicted under none.
    evicted: AtomicU64,
}

/// When an allocation is expected to be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextUse {
    /// In so long, by its own reuse interval; negative if overdue.
    ReuseInterval(i64),
    /// In so long, when all allocations are used cyclically; negative if overdue.
    Cycle(i64),
    /// Unknown: it was not used for so long.
    Unknown {
        /// The time since its last use.
        idle: u64,
    },
}

impl NextUse {
    /// The expected time until the next use. Without an expectation, the time since the last one; what is overdue is
    /// expected at any moment, and the sooner the longer it is overdue.
    #[expect(clippy::cast_precision_loss, reason = "an estimate, not a count")]
    pub(crate) fn time_left(self) -> f64 {
        match self {
            Self::ReuseInterval(rest) | Self::Cycle(rest) if rest < 0 => 1.0 / (1.0 - rest as f64),
            Self::ReuseInterval(rest) | Self::Cycle(rest) => rest as f64 + 1.0,
            Self::Unknown { idle } => idle as f64 + 1.0,
        }
    }
}

/// What is assumed of allocations without a reuse interval of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessOrder {
    /// The least recently used one is used last.
    Recency,
    /// All are used in a cycle, so that the most recently used one is used last.
    Cyclic,
}

/// An eviction under an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Eviction {
    pub(crate) assumed: AccessOrder,
    /// The last use before it.
    pub(crate) last_use: u64,
    pub(crate) at: u64,
}

/// What is overdue by less than so many of its intervals is still expected.
const MAX_OVERDUE: u64 = 32;
/// An interval within this factor of the cycle is taken for the cycle, so that the order of last uses decides.
const SIMILAR: u64 = 4;

const BURST: u64 = 0b111;
const CONFIRMED: u64 = 0b1000;
const INTERVAL: u64 = !(BURST | CONFIRMED);
/// A use that follows the last one within this part of the interval belongs to the same burst.
const BURST_PART: u64 = 16;

impl UseHistory {
    /// Used just now for the first time.
    pub(super) fn new() -> Self {
        Self {
            last_use: AtomicU64::new(now()),
            reuse_interval: AtomicU64::new(0),
            used_before_eviction: AtomicU64::new(0),
            evicted: AtomicU64::new(0),
        }
    }

    /// Used just now. Of two threads at once one may be lost: it is an estimate.
    #[inline]
    pub(super) fn note_use(&self) {
        let (now, past) = (now(), self.reuse_interval.load(Ordering::Relaxed));
        let gap = now.saturating_sub(self.last_use.load(Ordering::Relaxed));
        self.last_use.store(now, Ordering::Relaxed);
        let interval = past & INTERVAL;
        if gap < interval / BURST_PART && past & BURST < BURST {
            self.reuse_interval.store(past + 1, Ordering::Relaxed);
            return;
        }
        let confirmed = if interval > 0 && is_within(2, gap, interval) { CONFIRMED } else { 0 };
        self.reuse_interval.store(gap & INTERVAL | confirmed, Ordering::Relaxed);
    }

    /// Least recently used of all.
    pub(super) fn clear(&self) {
        self.last_use.store(0, Ordering::Relaxed);
        self.reuse_interval.store(0, Ordering::Relaxed);
    }

    /// The time of the last use.
    pub(crate) fn last_use(&self) -> u64 {
        self.last_use.load(Ordering::Relaxed)
    }

    /// When it is expected to be used again, seen from `now`: by its reuse interval, else one `cycle` after its last use
    /// if all allocations are used cyclically.
    pub(crate) fn next_use(&self, now: u64, cycle: Option<u64>) -> NextUse {
        let idle = now.saturating_sub(self.last_use());
        let past = self.reuse_interval.load(Ordering::Relaxed);
        let rest = |interval: u64| {
            (idle / MAX_OVERDUE < interval).then(|| interval.wrapping_sub(idle).cast_signed())
        };
        let interval = past & INTERVAL;
        let is_cycle = cycle.is_some_and(|cycle| is_within(SIMILAR, interval, cycle));
        let own = Some(interval).filter(|_| past & CONFIRMED != 0 && !is_cycle);
        own.and_then(rest)
            .map(NextUse::ReuseInterval)
            .or_else(|| cycle.and_then(rest).map(NextUse::Cycle))
            .unwrap_or(NextUse::Unknown { idle })
    }

    /// It was evicted just now under this assumption.
    pub(crate) fn note_eviction(&self, assumed: AccessOrder) {
        self.used_before_eviction.store(self.last_use(), Ordering::Relaxed);
        let evicted = match assumed {
            AccessOrder::Recency => now() | 1,
            AccessOrder::Cyclic => (now() & !1).max(2),
        };
        self.evicted.store(evicted, Ordering::Relaxed);
    }

    /// Its last eviction under an assumption, once.
    pub(crate) fn take_eviction(&self) -> Option<Eviction> {
        let at = self.evicted.swap(0, Ordering::Relaxed);
        let assumed = if at & 1 == 1 { AccessOrder::Recency } else { AccessOrder::Cyclic };
        let last_use = self.used_before_eviction.load(Ordering::Relaxed);
        (at > 0).then_some(Eviction { assumed, last_use, at })
    }
}

/// Whether neither is more than about `factor` times the other.
fn is_within(factor: u64, one: u64, other: u64) -> bool {
    one / factor <= other && other / factor <= one
}

/// The time now. Monotonic on each thread and across synchronised threads.
#[inline]
#[cfg(all(target_arch = "x86_64", not(miri), not(shuttle)))]
pub(crate) fn now() -> u64 {
    #[cfg(all(test, not(shuttle)))]
    if let Some(now) = test_clock::now() {
        return now;
    }
    // Processors of the last fifteen years keep their time stamp counters synchronised and at a constant rate.
    // SAFETY: reads a counter; every x86-64 processor has it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// The time now, as a number of calls.
#[cfg(not(all(target_arch = "x86_64", not(miri), not(shuttle))))]
pub(crate) fn now() -> u64 {
    #[cfg(all(test, not(shuttle)))]
    if let Some(now) = test_clock::now() {
        return now;
    }
    use crate::sync::global::{AtomicU64, Ordering};
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1, Ordering::Relaxed)
}
