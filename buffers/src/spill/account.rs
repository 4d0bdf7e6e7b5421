//! How many bytes of a device are given out, promised, and allowed.

use crate::sync::atomic::{AtomicUsize, Ordering};

/// The budget of a device: every byte that its resource gives out counts, whoever asked for it.
#[derive(Debug)]
pub(super) struct Account {
    /// Bytes given out and bytes promised to reservations.
    committed: AtomicUsize,
    /// Bytes promised and not given out yet.
    reserved: AtomicUsize,
    /// The most bytes given out at a time.
    peak: AtomicUsize,
    /// No more than this is committed; the largest number for no limit.
    limit: AtomicUsize,
}

/// Without a limit.
const UNLIMITED: usize = usize::MAX;

impl Account {
    pub(super) fn new() -> Self {
        Self {
            committed: AtomicUsize::new(0),
            reserved: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
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
        // Reserved is read first: what a reservation hands over meanwhile is then counted, not lost.
        let reserved = self.reserved.load(Ordering::Acquire);
        self.committed.load(Ordering::Acquire).saturating_sub(reserved)
    }

    pub(super) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    pub(super) fn reset_peak(&self) {
        self.peak.store(self.used(), Ordering::Relaxed);
    }

    /// Commits `bytes`, or says how many bytes too many that would be.
    pub(super) fn claim(&self, bytes: usize) -> Result<(), usize> {
        let limit = self.limit.load(Ordering::Relaxed);
        let claimed = self.committed.fetch_update(Ordering::AcqRel, Ordering::Acquire, |committed| {
            committed.checked_add(bytes).filter(|&sum| sum <= limit)
        });
        match claimed {
            Ok(before) => {
                self.note_peak(before + bytes);
                Ok(())
            }
            Err(committed) => Err(committed.saturating_add(bytes) - limit),
        }
    }

    /// Commits `bytes`, beyond the limit if need be; returns by how many bytes it is passed.
    pub(super) fn claim_anyway(&self, bytes: usize) -> usize {
        let sum = self.committed.fetch_add(bytes, Ordering::AcqRel) + bytes;
        self.note_peak(sum);
        sum.saturating_sub(self.limit.load(Ordering::Relaxed))
    }

    /// Takes back what was committed.
    pub(super) fn release(&self, bytes: usize) {
        self.committed.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Counts bytes that were claimed as promised, not given out.
    pub(super) fn promise(&self, bytes: usize) {
        self.reserved.fetch_add(bytes, Ordering::AcqRel);
    }

    /// Counts promised bytes as given out.
    pub(super) fn redeem(&self, bytes: usize) {
        self.reserved.fetch_sub(bytes, Ordering::AcqRel);
        self.note_peak(self.committed.load(Ordering::Relaxed));
    }

    fn note_peak(&self, committed: usize) {
        let used = committed.saturating_sub(self.reserved.load(Ordering::Relaxed));
        // Most allocations raise no peak: a load is cheaper than a contended update.
        if used > self.peak.load(Ordering::Relaxed) {
            self.peak.fetch_max(used, Ordering::Relaxed);
        }
    }
}
