//! The state of an allocation in one atomic word.

use crate::sync::atomic::{AtomicU64, Ordering};

/// Pins, leases, residency and epoch, changed together or one at a time, always in one step.
///
/// ```text
/// bit 63            48 47       44 43            24 23             0
///     epoch (wraps)  | residency  | leases         | pins
/// ```
///
/// - **pins**: guards that live. A pinned allocation does not move.
/// - **leases**: foreign holders of its address. A leased allocation neither moves nor is written in
///   place, for nobody knows when the holder reads.
/// - **residency**: where its bytes are. Only [`RESIDENT`] exists so far; spilling adds tiers and the state
///   of moving between two.
/// - **epoch**: how often it was written. A copy of the bytes made at an epoch is current while the epoch
///   is the same.
pub(crate) struct State(AtomicU64);

const PIN: u64 = 1;
const PINS: u64 = (1 << 24) - 1;
const LEASE: u64 = 1 << 24;
const LEASES: u64 = ((1 << 20) - 1) << 24;
const RESIDENCY: u64 = 0b1111 << 44;
const EPOCH: u64 = 1 << 48;

/// The bytes are at the allocation's address.
const RESIDENT: u64 = 0;

impl State {
    /// Resident, not pinned, not leased.
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(RESIDENT))
    }

    /// Holds the bytes where they are until [`unpin`](Self::unpin).
    pub(crate) fn pin(&self) {
        let before = self.0.fetch_add(PIN, Ordering::Acquire);
        debug_assert_eq!(before & RESIDENCY, RESIDENT, "pinned while not resident");
        debug_assert_ne!(before & PINS, PINS, "more pins than the word can count");
    }

    pub(crate) fn unpin(&self) {
        let before = self.0.fetch_sub(PIN, Ordering::Release);
        debug_assert_ne!(before & PINS, 0, "unpinned more often than pinned");
    }

    /// [`unpin`](Self::unpin) after a write: ends the epoch in the same step.
    pub(crate) fn unpin_written(&self) {
        let before = self.0.fetch_add(EPOCH.wrapping_sub(PIN), Ordering::Release);
        debug_assert_ne!(before & PINS, 0, "unpinned more often than pinned");
    }

    pub(crate) fn lease(&self) {
        let before = self.0.fetch_add(LEASE, Ordering::Acquire);
        debug_assert_ne!(before & LEASES, LEASES, "more leases than the word can count");
    }

    pub(crate) fn end_lease(&self) {
        let before = self.0.fetch_sub(LEASE, Ordering::Release);
        debug_assert_ne!(before & LEASES, 0, "ended more leases than were given");
    }

    /// Whether a foreign holder knows the address. When this turns false, the holder's reads are over.
    pub(crate) fn is_leased(&self) -> bool {
        self.0.load(Ordering::Acquire) & LEASES != 0
    }

    /// Whether some guard or some foreign holder keeps the bytes where they are.
    pub(crate) fn is_held(&self) -> bool {
        self.0.load(Ordering::Acquire) & (PINS | LEASES) != 0
    }

    /// How often the bytes were written, modulo 2^16.
    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(crate) fn epoch(&self) -> u64 {
        self.0.load(Ordering::Acquire) / EPOCH
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = self.0.load(Ordering::Relaxed);
        f.debug_struct("State")
            .field("pins", &(word & PINS))
            .field("leases", &((word & LEASES) / LEASE))
            .field("epoch", &(word / EPOCH))
            .finish_non_exhaustive()
    }
}
