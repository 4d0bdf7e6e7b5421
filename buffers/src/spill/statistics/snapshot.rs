//! Statistics as plain data.

use std::panic::Location;
use std::time::Duration;

use crate::{Device, Tier};

use super::{ByTier, Cause, Histogram, MemoryUsage, StatisticsLevel, Wait};

/// The statistics of a spill manager until now: see
/// [`SpillStatistics::snapshot`](super::SpillStatistics::snapshot).
///
/// `Display` prints the text of [`SpillStatistics`](super::SpillStatistics).
#[derive(Clone, Debug, PartialEq)]
pub struct SpillSnapshot {
    /// The manager's device.
    pub device: Device,
    /// The current level; it may have been different before.
    pub level: StatisticsLevel,
    /// The time since the manager was made.
    pub elapsed: Duration,
    /// Moves by source and target tier; pairs of tiers without moves are left out.
    pub edges: Vec<EdgeSnapshot>,
    /// Bytes that appeared, arrived, left and were freed in each tier.
    pub flows: ByTier<Flow>,
    /// Allocations that were evicted without a copy, because a lower tier already had an equal one.
    pub skipped_copies: Amount,
    /// The same by cause; causes without any are left out.
    pub skipped_causes: Vec<(Cause, Amount)>,
    /// How long allocations were spilled.
    pub spilled_time: SpilledTime,
    /// What threads waited for; kinds without waits are left out.
    pub waits: Vec<WaitSnapshot>,
    /// Allocations that failed for good, and their bytes.
    pub refused: Amount,
    /// The latest of these, oldest first.
    pub refusals: Vec<Refusal>,
    /// How often the device limit, which is soft, was exceeded.
    pub overruns: Overruns,
    /// Exposures by call site, the most frequent first. Counted at level 2.
    pub exposures: Vec<ExposureSite>,
    /// Guards by call site, the most bytes held now first. Counted at level 2.
    pub pins: Vec<PinSite>,
}

impl SpillSnapshot {
    /// Moves from one tier to another, if there were any.
    pub fn edge(&self, from: Tier, to: Tier) -> Option<&EdgeSnapshot> {
        self.edges.iter().find(|edge| edge.from == from && edge.to == to)
    }

    /// The difference between the counted bytes of a tier and its `resident` bytes: zero if all bytes are
    /// accounted for. Meaningful while nothing moves.
    pub fn unaccounted(&self, tier: Tier, resident: usize) -> i128 {
        self.flows[tier].resident() - resident as i128
    }
}

/// A number of items and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// The number of items.
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

/// The moves from one tier to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeSnapshot {
    /// The source tier.
    pub from: Tier,
    /// The target tier.
    pub to: Tier,
    /// Copies, and the bytes copied.
    pub moved: Amount,
    /// Bytes that the moves freed in `from`.
    pub freed: u64,
    /// The sum of the durations of the copies; copies of several threads may have run concurrently. Copies to
    /// a device count until they are queued, which for those from pinned memory is before a GPU runs them.
    pub duration: Duration,
    /// The sum of the times between decision and start.
    pub queued: Duration,
    /// The distribution of the durations.
    pub latency: Histogram,
    /// The moves by cause; causes without any are left out.
    pub causes: Vec<(Cause, Amount)>,
    /// Of the moves back to the device, those of allocations that were spilled for less than a second.
    pub thrash: Amount,
}

impl EdgeSnapshot {
    /// Bytes per second while copying; `None` without copies.
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    pub fn bandwidth(&self) -> Option<f64> {
        let seconds = self.duration.as_secs_f64();
        (seconds > 0.0).then(|| self.moved.bytes as f64 / seconds)
    }

    /// The mean duration of a copy.
    pub fn mean(&self) -> Duration {
        mean(self.duration, self.moved.count)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mean(duration: Duration, count: u64) -> Duration {
    if count == 0 { Duration::ZERO } else { duration.div_f64(count as f64) }
}

/// The flow of bytes of one tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Bytes that appeared there: allocated, imported, assembled.
    pub born: u64,
    /// Bytes copied there from another tier.
    pub entered: u64,
    /// Bytes freed there because another tier has them.
    pub left: u64,
    /// Bytes freed there because they were dropped or overwritten.
    pub dropped: u64,
}

impl Flow {
    /// Bytes that should be there now.
    pub fn resident(&self) -> i128 {
        i128::from(self.born) + i128::from(self.entered) - i128::from(self.left) - i128::from(self.dropped)
    }
}

/// How long allocations were spilled, including those that still are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpilledTime {
    /// Allocations that are spilled now.
    pub now: Amount,
    /// How many allocations were spilled so far, each time counted.
    pub count: u64,
    /// The sum of their durations.
    pub duration: Duration,
    /// The sum of duration times bytes: the benefit of spilling.
    pub byte_seconds: f64,
}

impl SpilledTime {
    /// The mean time that an allocation was spilled.
    pub fn mean(&self) -> Duration {
        mean(self.duration, self.count)
    }
}

/// Waits of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitSnapshot {
    /// The kind.
    pub what: Wait,
    /// The number of waits.
    pub count: u64,
    /// The sum of their durations.
    pub duration: Duration,
    /// The distribution of their durations.
    pub latency: Histogram,
}

impl WaitSnapshot {
    /// The mean duration of a wait.
    pub fn mean(&self) -> Duration {
        mean(self.duration, self.count)
    }
}

/// An allocation that failed for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The time since the manager was made.
    pub at: Duration,
    /// Requested bytes.
    pub requested: usize,
    /// The memory usage at that time.
    pub usage: MemoryUsage,
}

/// How often usage exceeded the device limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overruns {
    /// The number of times.
    pub count: u64,
    /// The largest excess in bytes.
    pub largest: u64,
}

/// Buffers that one call site exposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExposureSite {
    /// The call.
    pub at: &'static Location<'static>,
    /// Exposures, and the bytes exposed.
    pub exposed: Amount,
    /// Of these, bytes that were spilled and had to be unspilled.
    pub spilled: u64,
}

/// Guards that one call site took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinSite {
    /// The call.
    pub at: &'static Location<'static>,
    /// All guards so far, and their bytes.
    pub taken: Amount,
    /// Live guards, and their bytes.
    pub held: Amount,
}
