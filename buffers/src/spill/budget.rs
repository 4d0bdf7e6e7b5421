//! The allocated, claimed and allowed bytes of a device.

use crate::stripes::Padded;
use crate::sync::atomic::{AtomicUsize, Ordering};

/// The budget of a device: every byte that its resource allocates counts, for any caller.
#[derive(Debug)]
pub(super) struct Budget {
    /// Changed by every allocation.
    bytes: Padded<Bytes>,
    /// The most bytes allocated at a time.
    peak: Padded<AtomicUsize>,
    /// The limit of committed bytes; the largest number for no limit.
    limit: AtomicUsize,
}

#[derive(Debug)]
struct Bytes {
    /// Allocated, being allocated, and reserved.
    committed: AtomicUsize,
    /// Of these, allocated.
    given: AtomicUsize,
}

/// No limit.
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

    /// Bytes allocated.
    pub(super) fn used(&self) -> usize {
        self.bytes.0.given.load(Ordering::Acquire)
    }

    /// Bytes that are free within the limit, if there is one.
    pub(super) fn free(&self) -> Option<usize> {
        self.limit().map(|limit| limit.saturating_sub(self.bytes.0.committed.load(Ordering::Acquire)))
    }

    pub(super) fn peak(&self) -> usize {
        self.peak.0.load(Ordering::Relaxed)
    }

    pub(super) fn reset_peak(&self) {
        self.peak.0.store(self.used(), Ordering::Relaxed);
    }

    /// Commits `bytes`; an error with the excess if that exceeds the limit.
    pub(super) fn claim(&self, bytes: usize) -> Result<(), usize> {
        let limit = self.limit.load(Ordering::Relaxed);
        if limit == UNLIMITED {
            // One atomic step.
            self.bytes.0.committed.fetch_add(bytes, Ordering::AcqRel);
            return Ok(());
        }
        let claimed = self.bytes.0.committed.fetch_update(Ordering::AcqRel, Ordering::Acquire, |committed| {
            committed.checked_add(bytes).filter(|&sum| sum <= limit)
        });
        claimed.map(|_| ()).map_err(|committed| committed.saturating_add(bytes) - limit)
    }

    /// Commits `bytes`, beyond the limit if necessary; returns the excess.
    pub(super) fn claim_anyway(&self, bytes: usize) -> usize {
        let sum = self.bytes.0.committed.fetch_add(bytes, Ordering::AcqRel) + bytes;
        sum.saturating_sub(self.limit.load(Ordering::Relaxed))
    }

    /// Takes back bytes that were committed and not allocated.
    pub(super) fn forgo(&self, bytes: usize) {
        self.bytes.0.committed.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Counts committed bytes as allocated; returns the allocated bytes.
    pub(super) fn give(&self, bytes: usize) -> usize {
        let given = self.bytes.0.given.fetch_add(bytes, Ordering::AcqRel) + bytes;
        // Most allocations do not raise the peak: a load is cheaper than a contended update.
        if given > self.peak.0.load(Ordering::Relaxed) {
            self.peak.0.fetch_max(given, Ordering::Relaxed);
        }
        given
    }

    /// Counts allocated bytes as freed; they stay committed.
    pub(super) fn take_back(&self, bytes: usize) {
        self.bytes.0.given.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Counts allocated bytes as freed and no longer committed.
    pub(super) fn release(&self, bytes: usize) {
        // Allocated bytes never exceed committed bytes, also for concurrent readers.
        self.take_back(bytes);
        self.forgo(bytes);
    }
}
