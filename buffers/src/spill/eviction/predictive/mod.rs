//! The policy that expects the next use.

#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;

use super::policy::{Candidate, Policy};
use crate::owner::{AccessOrder, Eviction, NextUse, UseHistory, now};
use crate::sync::global::{AtomicI32, AtomicU64, Ordering};

/// Evicts the allocation whose next use is expected last.
///
/// An allocation that is used at regular intervals is expected after one more. Of others, either the least recently used
/// or the most recently used one is expected last: the latter where all are used cyclically and do not fit, so that
/// the least recently used one is needed first. Which assumption holds shows when an evicted allocation is used
/// again. Of the resident ones, most were used since its eviction if the choice was good, few if it was bad.
///
/// `benches/records/eviction-policy-host-2026-11-22.json` has what each part of this saves.
///
/// # Source
///
/// The idea of letting two policies compete by what each missed is that of adaptive insertion (Qureshi et al., ISCA
/// 2007) and of EELRU (Smaragdakis et al., SIGMETRICS 1999).
#[derive(Default)]
pub(super) struct Predictive {
    /// For [`AccessOrder::Recency`] where positive, for [`AccessOrder::Cyclic`] where negative.
    evidence: AtomicI32,
    /// The time between the last two uses of the allocation that was unspilled last.
    cycle: AtomicU64,
}

/// More evidence is not kept, so that the policy adapts soon.
const MAX_EVIDENCE: i32 = 2;
/// Entries of each shard that are scored beside the heads of the queues: an allocation with a long reuse interval may be
/// a good victim though it was used recently.
const SAMPLES: usize = 8;
/// Under cyclic use, when no queue is in order, an entry for so many bytes of a victim is scored, up to [`MAX_SAMPLES`].
const BYTES_PER_SAMPLE: usize = 512;
const MAX_SAMPLES: usize = 128;

impl Predictive {
    /// How long a cycle takes, where allocations are assumed to be used cyclically.
    fn cycle(&self) -> Option<u64> {
        (self.evidence.load(Ordering::Relaxed) < 0).then(|| self.cycle.load(Ordering::Relaxed))
    }

    /// An evicted allocation is used again `now`; of `asked` resident allocations `used` were used since its eviction.
    ///
    /// Of two threads at once one may be lost: it is an estimate.
    fn learn(&self, eviction: Eviction, now: u64, (asked, used): (usize, usize)) {
        self.cycle.store(now.saturating_sub(eviction.last_use), Ordering::Relaxed);
        if asked == 0 {
            return;
        }
        let was_good = 2 * used >= asked;
        let step = if was_good == (eviction.assumed == AccessOrder::Recency) { 1 } else { -1 };
        let evidence = self.evidence.load(Ordering::Relaxed);
        self.evidence.store((evidence + step).clamp(-MAX_EVIDENCE, MAX_EVIDENCE), Ordering::Relaxed);
    }
}

impl Policy for Predictive {
    fn score(&self, candidate: Candidate<'_>, now: u64) -> f64 {
        // Bytes that have to be copied down cost as much as those that are copied back.
        let copies = if candidate.is_clean { 1.0 } else { 2.0 };
        candidate.history.next_use(now, self.cycle()).time_left() / copies
    }

    fn samples(&self, bytes: usize) -> usize {
        self.cycle().map_or(SAMPLES, |_| (bytes / BYTES_PER_SAMPLE).clamp(SAMPLES, MAX_SAMPLES))
    }

    fn evicted(&self, history: &UseHistory) {
        let assumed = match history.next_use(now(), self.cycle()) {
            NextUse::ReuseInterval(_) => return,
            NextUse::Cycle(_) => AccessOrder::Cyclic,
            NextUse::Unknown { .. } => AccessOrder::Recency,
        };
        history.note_eviction(assumed);
    }

    fn unspilling(&self, history: &UseHistory, used_since: &dyn Fn(u64) -> (usize, usize)) {
        if let Some(eviction) = history.take_eviction() {
            self.learn(eviction, now(), used_since(eviction.at));
        }
    }
}
