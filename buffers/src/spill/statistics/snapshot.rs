//! Statistics as plain data.

use std::panic::Location;
use std::time::Duration;

use crate::{Device, Tier};

use super::{ByTier, Cause, Histogram, MemoryUsage, StatisticsLevel, Wait};

/// What a spill manager did until now: see [`SpillStatistics::snapshot`](super::SpillStatistics::snapshot).
///
/// Printed, it gives the text of [`SpillStatistics`](super::SpillStatistics).
#[derive(Clone, Debug, PartialEq)]
pub struct SpillSnapshot {
    /// The manager's device: the home of its allocations.
    pub device: Device,
    /// What is counted now; before, it may have been less or more.
    pub level: StatisticsLevel,
    /// Since the manager was made.
    pub elapsed: Duration,
    /// What moved, by where from and where to; pairs of tiers between which nothing moved are left out.
    pub edges: Vec<EdgeSnapshot>,
    /// What came to be, came, went and ended in each tier.
    pub flows: ByTier<Flow>,
    /// Allocations that left their device without a copy, since an equal one was in a lower tier already.
    pub skipped_copies: Amount,
    /// The same by what led to it; causes that led to none are left out.
    pub skipped_causes: Vec<(Cause, Amount)>,
    /// How long allocations were kept off their device.
    pub away: Away,
    /// What threads waited for; waits that did not happen are left out.
    pub waits: Vec<WaitSnapshot>,
    /// Allocations that failed for good, and their bytes.
    pub refused: Amount,
    /// The latest of these, oldest first.
    pub refusals: Vec<Refusal>,
    /// Times at which the device limit, which is soft, was passed.
    pub overruns: Overruns,
    /// Who exposed what, the most frequent first. Counted at level 2.
    pub exposures: Vec<ExposureSite>,
    /// Who took guards on what, the most bytes held now first. Counted at level 2.
    pub pins: Vec<PinSite>,
}

impl SpillSnapshot {
    /// What moved from one tier to another, if anything did.
    pub fn edge(&self, from: Tier, to: Tier) -> Option<&EdgeSnapshot> {
        self.edges.iter().find(|edge| edge.from == from && edge.to == to)
    }

    /// Bytes that ought to be in a tier besides the `resident` bytes that are: zero where every byte that came to be
    /// there or came was seen to go or end. Meaningful while nothing moves.
    pub fn unaccounted(&self, tier: Tier, resident: usize) -> i128 {
        self.flows[tier].resident() - resident as i128
    }
}

/// A number of things and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Amount {
    pub(super) fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
    }
}

/// What moved from one tier to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeSnapshot {
    /// Where from.
    pub from: Tier,
    /// Where to.
    pub to: Tier,
    /// Copies, and the bytes copied.
    pub moved: Amount,
    /// Bytes that this gave back in `from`.
    pub freed: u64,
    /// How long the copies took, added up; copies of several threads may have run at one time. Copies to a device count
    /// until they are queued, which for those from pinned memory is before a GPU makes them.
    pub duration: Duration,
    /// How long they waited between decision and start, added up.
    pub queued: Duration,
    /// How long they took, one by one.
    pub latency: Histogram,
    /// What led to them; causes that led to none are left out.
    pub causes: Vec<(Cause, Amount)>,
    /// Of those that came back to their device, the ones that had left it less than a second before.
    pub thrash: Amount,
}

impl EdgeSnapshot {
    /// Bytes a second while copying, if it took any time.
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    pub fn bandwidth(&self) -> Option<f64> {
        let seconds = self.duration.as_secs_f64();
        (seconds > 0.0).then(|| self.moved.bytes as f64 / seconds)
    }

    /// How long a copy took on average.
    pub fn mean(&self) -> Duration {
        mean(self.duration, self.moved.count)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mean(duration: Duration, count: u64) -> Duration {
    if count == 0 { Duration::ZERO } else { duration.div_f64(count as f64) }
}

/// What happened to the bytes of one tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Came to be there: allocated, imported, put together.
    pub born: u64,
    /// Copied there from another tier.
    pub entered: u64,
    /// Given back there since another tier has them.
    pub left: u64,
    /// Given back there since nobody wants them, or not any more as they were.
    pub dropped: u64,
}

impl Flow {
    /// Bytes that ought to be there now.
    pub fn resident(&self) -> i128 {
        i128::from(self.born) + i128::from(self.entered) - i128::from(self.left) - i128::from(self.dropped)
    }
}

/// How long allocations were kept off their device, those that still are included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Away {
    /// Allocations that are away now.
    pub now: Amount,
    /// Absences so far.
    pub count: u64,
    /// Their durations, added up.
    pub duration: Duration,
    /// Their durations times their bytes, added up: what spilling was good for.
    pub byte_seconds: f64,
}

impl Away {
    /// How long an absence took on average.
    pub fn mean(&self) -> Duration {
        mean(self.duration, self.count)
    }
}

/// How often and how long threads waited for one kind of thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitSnapshot {
    /// What for.
    pub what: Wait,
    /// How often.
    pub count: u64,
    /// How long, added up.
    pub duration: Duration,
    /// How long, one by one.
    pub latency: Histogram,
}

impl WaitSnapshot {
    /// How long a wait took on average.
    pub fn mean(&self) -> Duration {
        mean(self.duration, self.count)
    }
}

/// An allocation that failed for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// When, since the manager was made.
    pub at: Duration,
    /// Bytes asked for.
    pub requested: usize,
    /// What was in use at that moment.
    pub usage: MemoryUsage,
}

/// Times at which usage passed the device limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overruns {
    /// How often.
    pub count: u64,
    /// The most bytes by which it did.
    pub largest: u64,
}

/// Buffers that one place in a program exposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExposureSite {
    /// The call.
    pub at: &'static Location<'static>,
    /// Exposures, and the bytes exposed.
    pub exposed: Amount,
    /// Of these, bytes that were spilled and had to be brought back for it.
    pub spilled: u64,
}

/// Guards that one place in a program took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinSite {
    /// The call.
    pub at: &'static Location<'static>,
    /// All guards so far, and the bytes they held.
    pub taken: Amount,
    /// Guards that live now, and the bytes they hold.
    pub held: Amount,
}
