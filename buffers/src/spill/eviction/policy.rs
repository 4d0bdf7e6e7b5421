//! What an eviction policy is, and the baseline.

use crate::owner::UseHistory;

/// How allocations are chosen for eviction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvictionPolicy {
    /// The least recently used one: the baseline that others are measured against.
    LeastRecentlyUsed,
    /// The one whose next use is expected last, by its reuse interval or by the order that the allocations are used in;
    /// of two alike one with a copy in a lower tier, which costs nothing to evict.
    #[default]
    Predictive,
}

/// An eviction policy: scores the allocations that could be evicted, and learns from those that were.
pub(super) trait Policy: Sync {
    /// How much there is to gain by evicting an allocation `now`. The candidate with the highest score is evicted.
    fn score(&self, candidate: Candidate<'_>, now: u64) -> f64;

    /// How many entries of each shard are scored beside the least recently used ones, when the best of these has
    /// `bytes` bytes.
    fn samples(&self, _bytes: usize) -> usize {
        0
    }

    /// An allocation was evicted because memory was short.
    fn evicted(&self, _history: &UseHistory) {}

    /// An allocation is about to be unspilled. `used_since` says of a few resident allocations how many there are and how
    /// many of them were used since a given time.
    fn unspilling(&self, _history: &UseHistory, _used_since: &dyn Fn(u64) -> (usize, usize)) {}
}

/// An allocation that could be evicted.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) history: &'a UseHistory,
    /// Whether a lower tier has a copy, so that nothing is copied for the eviction.
    pub(super) is_clean: bool,
}

/// Evicts the least recently used allocation.
pub(super) struct LeastRecentlyUsed;

impl Policy for LeastRecentlyUsed {
    #[expect(clippy::cast_precision_loss, reason = "an order, not a count")]
    fn score(&self, candidate: Candidate<'_>, now: u64) -> f64 {
        now.saturating_sub(candidate.history.last_use()) as f64
    }
}
