//! How many bytes of a device are given out, promised, and allowed.

use crate::stripes::Padded;
use crate::sync::atomic::{AtomicUsize, Ordering};

/// The budget of a device: every byte that its resource gives out counts, whoever asked for it.
#[derive(Debug)]
pub(super) struct Budget {
    /// What every allocation changes.
    bytes: Padded<Bytes>,
    /// The most bytes given out at a time.
    peak: Padded<AtomicUsize>,
    /// No more than this is committed; the largest number for no limit.
    limit: AtomicUsize,
}

#[derive(Debug)]
struct Bytes {
    /// Given out, on the way to be, and promised to reservations.
    committed: AtomicUsize,
    /// Of these, given out.
    given: AtomicUsize,
}

/// Without a limit.
const UNLIMITED: usize = usize::MAX;

impl Budget {
    pub(super) fn new() -> Self {
        Self {
            bytes: Padded(Bytes { committed: AtomicUsize::new(0), given: AtomicUsize::new(0) }),
            peak: Padded(AtomicUsize::new(0)),
            limit: AtomicUsize::new(UNLIMITED),
        }
    }

    pub(super) fn set_limit(&self, limit: Option<usize>) {
        self.limit.store(limit.unwrap_or(UNLIMITED), Ordering::Relaxed);
    }

    pub(super) fn limit(&self) -> Option<usize> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|&limit| limit != UNLIMITED)
    }

    /// Bytes given out.
    pub(super) fn used(&self) -> usize {
        self.bytes.0.given.load(Ordering::Acquire)
    }

    /// Bytes that are left below the limit, if there is one.
    pub(super) fn free(&self) -> Option<usize> {
        self.limit().map(|limit| limit.saturating_sub(self.bytes.0.committed.load(Ordering::Acquire)))
    }

    pub(super) fn peak(&self) -> usize {
        self.peak.0.load(Ordering::Relaxed)
    }

    pub(super) fn reset_peak(&self) {
        self.peak.0.store(self.used(), Ordering::Relaxed);
    }

    /// Commits `bytes`, or says how many bytes too many that would be.
    pub(super) fn claim(&self, bytes: usize) -> Result<(), usize> {
        let limit = self.limit.load(Ordering::Relaxed);
        if limit == UNLIMITED {
            // One step, which others cannot spoil.
            self.bytes.0.committed.fetch_add(bytes, Ordering::AcqRel);
            return Ok(());
        }
        let claimed = self.bytes.0.committed.fetch_update(Ordering::AcqRel, Ordering::Acquire, |committed| {
            committed.checked_add(bytes).filter(|&sum| sum <= limit)
        });
        claimed.map(|_| ()).map_err(|committed| committed.saturating_add(bytes) - limit)
    }

    /// Commits `bytes`, beyond the limit if need be; returns by how many bytes it is passed.
    pub(super) fn claim_anyway(&self, bytes: usize) -> usize {
        let sum = self.bytes.0.committed.fetch_add(bytes, Ordering::AcqRel) + bytes;
        sum.saturating_sub(self.limit.load(Ordering::Relaxed))
    }

    /// Takes back what was committed and never given out.
    pub(super) fn forgo(&self, bytes: usize) {
        self.bytes.0.committed.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Counts committed bytes as given out; returns how many are now.
    pub(super) fn give(&self, bytes: usize) -> usize {
        let given = self.bytes.0.given.fetch_add(bytes, Ordering::AcqRel) + bytes;
        // Most allocations raise no peak: a load is cheaper than a contended update.
        if given > self.peak.0.load(Ordering::Relaxed) {
            self.peak.0.fetch_max(given, Ordering::Relaxed);
        }
        given
    }

    /// Takes back what was given out, which stays committed.
    pub(super) fn take_back(&self, bytes: usize) {
        self.bytes.0.given.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Takes back what was given out.
    pub(super) fn release(&self, bytes: usize) {
        // Given is never more than committed, so nobody reads a budget larger than it is.
        self.take_back(bytes);
        self.forgo(bytes);
    }
}
