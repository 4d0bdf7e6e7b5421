//! What the memory layer did, why, and what it cost.
//!
//! | level | counts | cost per call |
//! | --- | --- | --- |
//! | 0 | nothing | one atomic load |
//! | 1 | moves between tiers, their causes, waits, refusals; a timeline | atomic additions, and locks that are rarely contended |
//! | 2 | also pins and exposures by call site | also a look-up by call site |
//!
//! No decision depends on statistics, so interleaving tests do not explore their locks and counters.

mod evictions;
mod histogram;
mod numbers;
mod recorder;
mod sites;
mod snapshot;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;
mod text;
mod timeline;
mod usage;

use std::fmt;
use std::panic::Location;
use std::time::{Duration, Instant};

use crate::call_site::counted;
use crate::named::named_enum;
use crate::sync::global::{AtomicU32, Ordering};
use crate::{Device, Tier};

use recorder::Recorder;

pub use histogram::Histogram;
pub use snapshot::{
    Amount, EdgeSnapshot, ExposureSite, Flow, Overruns, PinSite, Refusal, SpillSnapshot, SpilledTime,
    WaitSnapshot,
};
pub use text::format_bytes;
pub use timeline::{MoveEvent, Sample, Timeline};
pub use usage::{ByTier, MemoryUsage, TierUsage};

/// What is counted.
///
/// # Source
///
/// cuDF option `spill_stats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StatisticsLevel {
    /// Nothing. Level 0.
    #[default]
    Off,
    /// Moves between tiers and their causes. Level 1.
    Spills,
    /// Also pins and exposures by call site. Level 2.
    Exposures,
}

impl StatisticsLevel {
    /// All levels, the cheapest first.
    pub const ALL: [Self; 3] = [Self::Off, Self::Spills, Self::Exposures];

    /// The number of the level, as in options and printed statistics.
    pub fn number(self) -> u32 {
        self as u32
    }
}

named_enum! {
    /// Why bytes moved from one tier to another.
    pub enum Cause,
    /// All causes.
    ALL {
        /// Usage exceeded the device limit.
        Limit = "limit",
        /// An allocation failed.
        OnDemand = "on demand",
        /// Memory was reserved for an operation.
        Reservation = "reservation",
        /// The user requested it.
        Explicit = "explicit",
        /// Usage exceeded the upper watermark, so the spiller freed memory ahead of need.
        Watermark = "watermark",
        /// A lower tier was full, so its oldest bytes were demoted.
        Overflow = "overflow",
        /// Bytes were used: they were unspilled, and others were spilled for them.
        Access = "access",
    }
}

named_enum! {
    /// What a calling thread waited for.
    pub enum Wait,
    /// All kinds of waits.
    ALL {
        /// Another thread was moving the bytes.
        Residency = "residency",
        /// An operation that ran out of memory waited for exclusive retry.
        ExclusiveRetry = "exclusive retry",
        /// An operation waited for other operations' reservations to end.
        Reservation = "reservation",
        /// Memory was short, and a foreign consumer might still have been using freed memory.
        Consumers = "consumers",
    }
}

/// A completed copy of an allocation's bytes from one tier to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) from: Tier,
    pub(crate) to: Tier,
    /// Bytes copied.
    pub(crate) bytes: usize,
    /// Bytes freed in `from`: 0 if the copy there is kept or shared.
    pub(crate) freed: usize,
    pub(crate) started: Instant,
    pub(crate) duration: Duration,
    /// The time from the decision to the start.
    pub(crate) queued: Duration,
    pub(crate) cause: Cause,
    /// The allocation's identifier.
    pub(crate) owner: u64,
}

/// The beginning of something, if its duration is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer(Option<Instant>);

impl Timer {
    /// The beginning, or the current time.
    pub(crate) fn started(self) -> Instant {
        self.0.unwrap_or_else(Instant::now)
    }

    /// The time since the beginning, or zero.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.map_or(Duration::ZERO, |started| started.elapsed())
    }
}

/// Counts the actions of one spill manager.
///
/// `Display` prints the text of cuDF's statistics: what moved between `gpu` (the memory of a device), `cpu`
/// (pinned and pageable memory, and the memory of the host device) and `disk`, and at level 2 what was
/// exposed.
/// [`snapshot`](Self::snapshot) returns everything.
///
/// # Source
///
/// cuDF `SpillStatistics`.
pub struct SpillStatistics {
    device: Device,
    level: AtomicU32,
    recorder: Recorder,
}

/// Called by the manager and by guards. Each call returns at once if the level does not include it.
impl SpillStatistics {
    pub(crate) fn new(device: Device, level: StatisticsLevel) -> Self {
        Self { device, level: AtomicU32::new(level.number()), recorder: Recorder::new() }
    }

    /// Changes what is counted from now on; earlier counts remain. If nothing was counted before, the bytes
    /// that are `resident` now count as born, so that the counts of bytes add up.
    pub(crate) fn set_level(&self, level: StatisticsLevel, resident: impl FnOnce() -> ByTier<usize>) {
        if level == StatisticsLevel::Off {
            self.level.store(level.number(), Ordering::Relaxed);
            self.recorder.evictions.clear();
            return;
        }
        if !self.is_on() {
            self.recorder.begin_with(&resident());
        }
        self.level.store(level.number(), Ordering::Relaxed);
    }

    /// Whether anything is counted: for callers that would have to read a clock first.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.counts(StatisticsLevel::Spills)
    }

    #[inline]
    fn counts(&self, level: StatisticsLevel) -> bool {
        self.level.load(Ordering::Relaxed) >= level.number()
    }

    /// Records something if anything is counted.
    #[inline]
    fn record(&self, record: impl FnOnce(&Recorder)) {
        if self.is_on() {
            record(&self.recorder);
        }
    }

    /// Begins a measurement of a duration, if durations are counted.
    #[inline]
    pub(crate) fn timer(&self) -> Timer {
        Timer(self.is_on().then(Instant::now))
    }

    #[inline]
    pub(crate) fn moved(&self, done: impl FnOnce() -> Move) {
        self.record(|recorder| recorder.moved(&done()));
    }

    /// An allocation was evicted without a copy, because a lower tier already had an equal one.
    #[inline]
    pub(crate) fn skipped_copy(&self, bytes: usize, cause: Cause, owner: u64) {
        self.record(|recorder| recorder.skipped_copy(bytes, cause, owner));
    }

    /// Bytes appeared in `tier` without a move: allocated, imported or assembled there. New bytes are counted
    /// here, so they never count as unspilled.
    #[inline]
    pub(crate) fn born(&self, tier: Tier, bytes: usize) {
        self.record(|recorder| recorder.born(tier, bytes));
    }

    /// Bytes in `tier` were freed: their allocation was dropped, or written to and they were its copy.
    #[inline]
    pub(crate) fn dropped(&self, tier: Tier, bytes: usize) {
        self.record(|recorder| recorder.dropped(tier, bytes));
    }

    /// The allocation `owner` was dropped; required if it was spilled.
    #[inline]
    pub(crate) fn gone(&self, owner: u64) {
        self.record(|recorder| recorder.gone(owner));
    }

    #[inline]
    pub(crate) fn waited(&self, what: Wait, duration: Duration) {
        self.record(|recorder| recorder.waited(what, duration));
    }

    /// An allocation of `requested` bytes failed for good. `usage` is the memory usage at that time, if it
    /// was measured.
    #[inline]
    pub(crate) fn refused(&self, requested: usize, usage: impl FnOnce() -> Option<MemoryUsage>) {
        self.record(|recorder| recorder.refused(requested, usage()));
    }

    /// The device limit, which is soft, was exceeded by `bytes`.
    #[inline]
    pub(crate) fn overrun(&self, bytes: usize) {
        self.record(|recorder| recorder.overrun(bytes));
    }

    /// Bytes in use of every tier and the device limit now, for the timeline. Never blocks.
    #[inline]
    pub(crate) fn sample(&self, usage: impl FnOnce() -> (ByTier<usize>, Option<usize>)) {
        self.record(|recorder| recorder.samples.note(usage()));
    }

    /// Like [`sample`](Self::sample), for the device only: after every allocation and every free.
    #[inline]
    pub(crate) fn sample_device(&self, usage: impl FnOnce() -> (usize, Option<usize>)) {
        self.record(|recorder| recorder.samples.note_device(usage()));
    }

    /// An allocation was made unspillable for good, or exported, by the call at `at`.
    #[inline]
    pub(crate) fn exposed(&self, at: &'static Location<'static>, bytes: usize, was_spilled: bool) {
        if self.counts(StatisticsLevel::Exposures)
            && let Some(at) = counted(at)
        {
            self.recorder.sites().exposed(at, bytes, was_spilled);
        }
    }

    /// A guard was taken by the call at `at`. Returns the call site that counted it, if any: the caller must
    /// then pass it to
    /// [`unpinned`](Self::unpinned), whatever the level is by then.
    #[inline]
    #[must_use]
    pub(crate) fn pinned(
        &self,
        at: &'static Location<'static>,
        bytes: usize,
    ) -> Option<&'static Location<'static>> {
        let at = if self.counts(StatisticsLevel::Exposures) { counted(at) } else { None };
        if let Some(at) = at {
            self.recorder.sites().pinned(at, bytes);
        }
        at
    }

    /// A guard that [`pinned`](Self::pinned) counted was dropped.
    #[inline]
    pub(crate) fn unpinned(&self, at: &'static Location<'static>, bytes: usize) {
        self.recorder.sites().unpinned(at, bytes);
    }

    /// The current level.
    pub fn level(&self) -> StatisticsLevel {
        let number = self.level.load(Ordering::Relaxed);
        StatisticsLevel::ALL.into_iter().find(|level| level.number() == number).unwrap_or_default()
    }

    /// All counts so far. While other threads move memory, the parts may differ by some moves.
    pub fn snapshot(&self) -> SpillSnapshot {
        self.recorder.snapshot(self.device, self.level())
    }

    /// The latest moves, and bytes in use since the beginning. [`SpillManager::timeline`] also has the
    /// current bytes in use.
    ///
    /// [`SpillManager::timeline`]: crate::SpillManager::timeline
    pub fn timeline(&self) -> Timeline {
        self.recorder.timeline(self.device)
    }
}

impl fmt::Display for SpillStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}

impl fmt::Debug for SpillStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<SpillStatistics level={}>", self.level().number())
    }
}
