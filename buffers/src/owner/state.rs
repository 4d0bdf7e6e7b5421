//! The state of an allocation in one atomic word.

use crate::Tier;
use crate::sync::atomic::{AtomicU64, Ordering};

/// Pins, leases and residency. One or several of them change in one atomic step.
///
/// ```text
/// bit 63            35 34         33        32     31        28 27            20 19            0
///    leases          | exported | exposed | copy | residency  | writers        | pins
/// ```
///
/// - **pins**: live guards. A pinned allocation does not move.
/// - **leases**: foreign holders of the address, including those that may write. A leased allocation neither
///   moves nor is written in place, because the holder may read at any time.
/// - **writers**: leases whose holder may write.
/// - **residency**: where the bytes are, or that they are moving.
/// - **copy**: the bytes are resident and a lower tier has the same; a write drops that copy first.
/// - **exposed**: a foreign holder without a lifetime has the address, permanently.
/// - **exported**: a foreign holder had the address, and work that it queued may still use it. A write waits
///   for that work and clears the bit.
///
/// No counter overflows: pins and leases beyond the maximum are refused.
pub(crate) struct AllocationState(AtomicU64);

const PIN: u64 = 1;
const PINS: u64 = (1 << 20) - 1;
/// Set at half of the largest number of pins. Further pins are refused; those that are counted first and then
/// taken back at once use the other half.
const CROWDED: u64 = 1 << 19;
const WRITER: u64 = 1 << 20;
const WRITERS: u64 = ((1 << 8) - 1) << 20;
const RESIDENCY_SHIFT: u32 = 28;
const RESIDENCY: u64 = 0b1111 << RESIDENCY_SHIFT;
const COPY: u64 = 1 << 32;
const EXPOSED: u64 = 1 << 33;
const EXPORTED: u64 = 1 << 34;
/// Every slice of an allocation that a consumer gets is a lease: many of them exist if a consumer keeps a
/// stream.
const LEASE: u64 = 1 << 35;
const LEASES: u64 = u64::MAX << 35;

/// The residency of an allocation's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Residency {
    /// On the device.
    Resident,
    /// On the device, and being copied to a lower tier: may be read, not written.
    Evicting,
    /// Being moved: readers wait.
    Moving,
    /// In a lower tier only.
    Spilled(Tier),
}

/// Codes of residencies; all except `RESIDENT` and `EVICTING` have a bit of [`ELSEWHERE`].
const RESIDENT: u64 = 0;
const EVICTING: u64 = 1 << RESIDENCY_SHIFT;
const MOVING: u64 = 2 << RESIDENCY_SHIFT;
const PINNED: u64 = 3 << RESIDENCY_SHIFT;
const PAGEABLE: u64 = 4 << RESIDENCY_SHIFT;
const DISK: u64 = 5 << RESIDENCY_SHIFT;

const ELSEWHERE: u64 = RESIDENCY & !EVICTING;

/// Which code has had the address of the resident bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressHistory {
    /// This library only, which records its uses.
    Private,
    /// Foreign holders too, whose work is not recorded.
    Exported,
}

/// The result of an eviction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PublishedEviction {
    /// The bytes are only in the lower tier. The memory to be freed has this history.
    Evicted(AddressHistory),
    /// The allocation was held meanwhile: it stays resident, and the lower tier has a copy.
    Kept,
}

impl AllocationState {
    /// Resident, or spilled from the start.
    pub(crate) fn new(tier: Tier) -> Self {
        Self(AtomicU64::new(code(tier)))
    }

    /// The most guards that can live at a time.
    pub(crate) const MOST_PINS: u64 = CROWDED;

    /// The most leases that can live at a time.
    pub(crate) const MOST_LEASES: u64 = LEASES / LEASE;

    /// Pins the bytes for a reader until [`unpin`](Self::unpin); false unless they are resident.
    #[inline]
    pub(crate) fn pin_to_read(&self) -> bool {
        self.pin_unless(ELSEWHERE | CROWDED)
    }

    /// Like [`pin_to_read`](Self::pin_to_read) for a writer; false also while a spilled copy exists or is
    /// being made.
    #[inline]
    pub(crate) fn pin_to_write(&self) -> bool {
        self.pin_unless(RESIDENCY | COPY | CROWDED)
    }

    #[inline]
    fn pin_unless(&self, obstacles: u64) -> bool {
        // Optimistic: a move begins only without pins and ends by changing only the residency, so a pin that
        // was too early is taken back without effect.
        let fits = self.0.fetch_add(PIN, Ordering::Acquire) & obstacles == 0;
        if !fits {
            self.unpin();
        }
        fits
    }

    #[inline]
    pub(crate) fn unpin(&self) {
        let before = self.0.fetch_sub(PIN, Ordering::Release);
        debug_assert_ne!(before & PINS, 0, "unpinned more often than pinned");
    }

    /// Adds a lease. The caller holds a pin, so the bytes are resident.
    ///
    /// # Errors
    ///
    /// What there are too many of, and the maximum.
    pub(crate) fn lease(&self, may_write: bool) -> Result<(), (&'static str, u64)> {
        let (more, full) = if may_write { (LEASE | WRITER, WRITERS) } else { (LEASE, LEASES) };
        let counted = |word: u64| word & LEASES != LEASES && word & full != full;
        let next = |word| counted(word).then(|| (word + more) | EXPORTED);
        match self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, next) {
            Ok(before) => {
                debug_assert_ne!(before & PINS, 0, "leased without a pin");
                Ok(())
            }
            Err(word) if word & LEASES == LEASES => Err(("leases", AllocationState::MOST_LEASES)),
            Err(_) => Err(("leases to writers", WRITERS / WRITER)),
        }
    }

    /// Adds a lease for a reader; false unless the bytes are resident and the lease can be counted.
    pub(crate) fn lease_resident(&self) -> bool {
        self.change(|word| {
            (word & (ELSEWHERE | CROWDED) == 0 && word & LEASES != LEASES).then(|| (word + LEASE) | EXPORTED)
        })
    }

    /// Records that a foreign holder has the address of memory that never moves; such holders are not
    /// counted.
    pub(crate) fn mark_exported(&self) {
        if self.0.load(Ordering::Relaxed) & EXPORTED == 0 {
            self.0.fetch_or(EXPORTED, Ordering::Relaxed);
        }
    }

    /// Simulates this many more leases while `test` runs.
    #[cfg(test)]
    pub(crate) fn with_leases(&self, count: u64, test: impl FnOnce()) {
        self.0.fetch_add(LEASE * count, Ordering::AcqRel);
        test();
        self.0.fetch_sub(LEASE * count, Ordering::AcqRel);
    }

    pub(crate) fn end_lease(&self, may_write: bool) {
        let before = self.0.fetch_sub(if may_write { LEASE | WRITER } else { LEASE }, Ordering::Release);
        debug_assert_ne!(before & LEASES, 0, "ended more leases than were given");
    }

    /// Records that a holder without a lifetime has the address; false if that was recorded before.
    pub(crate) fn expose(&self) -> bool {
        self.0.fetch_or(EXPOSED | EXPORTED, Ordering::AcqRel) & EXPOSED == 0
    }

    /// Whether a foreign holder has the address. After this becomes false, the holder's reads are complete.
    #[inline]
    pub(crate) fn is_leased(&self) -> bool {
        self.0.load(Ordering::Acquire) & (LEASES | EXPOSED) != 0
    }

    /// Whether a foreign holder may write.
    pub(crate) fn has_foreign_writer(&self) -> bool {
        self.0.load(Ordering::Acquire) & (WRITERS | EXPOSED) != 0
    }

    pub(crate) fn is_exposed(&self) -> bool {
        self.0.load(Ordering::Relaxed) & EXPOSED != 0
    }

    /// The history of the resident bytes' address.
    pub(crate) fn past(&self) -> AddressHistory {
        AddressHistory::of(self.0.load(Ordering::Acquire))
    }

    /// Records that only recorded work uses the address any more; no effect while there is a foreign holder.
    /// The caller has the only view of the bytes, or a lease, so that no new holder appears meanwhile.
    pub(crate) fn clear_exported(&self) {
        self.change(|word| (word & (LEASES | EXPOSED) == 0).then_some(word & !EXPORTED));
    }

    /// Whether there are as many guards as can be counted.
    pub(crate) fn is_crowded(&self) -> bool {
        self.0.load(Ordering::Relaxed) & CROWDED != 0
    }

    /// Whether there is a guard.
    pub(crate) fn is_pinned(&self) -> bool {
        self.0.load(Ordering::Acquire) & PINS != 0
    }

    /// Whether a guard or a foreign holder keeps the bytes in place.
    pub(crate) fn is_held(&self) -> bool {
        self.0.load(Ordering::Acquire) & (PINS | LEASES | EXPOSED) != 0
    }

    /// Whether a lower tier has a copy of the resident bytes.
    pub(crate) fn has_copy(&self) -> bool {
        self.0.load(Ordering::Acquire) & COPY != 0
    }

    pub(crate) fn residency(&self) -> Residency {
        self.place().0
    }

    /// The residency, and whether a lower tier has a copy of the resident bytes, at one moment.
    pub(crate) fn place(&self) -> (Residency, bool) {
        let word = self.0.load(Ordering::Acquire);
        (residency(word), word & COPY != 0)
    }

    /// Begins an eviction; false if the bytes are held or not resident.
    pub(crate) fn begin_eviction(&self) -> bool {
        self.change(|word| {
            (word & (RESIDENCY | PINS | LEASES | EXPOSED) == RESIDENT).then_some(word | EVICTING)
        })
    }

    /// Ends an eviction: a copy of the bytes is in `tier`.
    pub(crate) fn finish_eviction(&self, tier: Tier) -> PublishedEviction {
        let left = self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, |word| {
            debug_assert_eq!(word & RESIDENCY, EVICTING, "leaves without having begun to");
            let is_free = word & (PINS | LEASES | EXPOSED) == 0;
            // The next resident memory has no history.
            is_free.then_some(word & !(RESIDENCY | COPY | EXPORTED) | code(tier))
        });
        left.map_or(PublishedEviction::Kept, |before| PublishedEviction::Evicted(AddressHistory::of(before)))
    }

    /// Ends an eviction without success: the bytes stay resident, with a copy or without.
    pub(crate) fn cancel_eviction(&self, copy: bool) {
        self.change(|word| {
            debug_assert_eq!(word & RESIDENCY, EVICTING, "stays without having begun to leave");
            Some(word & !(RESIDENCY | COPY) | RESIDENT | if copy { COPY } else { 0 })
        });
    }

    /// Begins to move spilled bytes; false if they are not spilled to `from`.
    pub(crate) fn begin_moving(&self, from: Tier) -> bool {
        self.change(|word| (word & RESIDENCY == code(from)).then_some(word & !RESIDENCY | MOVING))
    }

    /// Ends a move: the bytes are in `tier`.
    pub(crate) fn finish_move(&self, tier: Tier) {
        debug_assert_ne!(tier, Tier::Device, "`finish_unspill` ends an unspill");
        self.change(|word| Some(word & !RESIDENCY | code(tier)));
    }

    /// Ends a move: the bytes are resident too, and pinned for the thread that unspilled them.
    pub(crate) fn finish_unspill(&self) {
        self.change(|word| Some((word & !RESIDENCY | RESIDENT | COPY) + PIN));
    }

    /// Records that no lower tier has the bytes any more; the caller has removed the copy. False if there was
    /// none.
    pub(crate) fn forget_copy(&self) -> bool {
        self.0.fetch_and(!COPY, Ordering::AcqRel) & COPY != 0
    }

    /// Changes the word in one step unless `next` returns `None`; true if it was changed.
    fn change(&self, next: impl Fn(u64) -> Option<u64>) -> bool {
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, next).is_ok()
    }
}

impl AddressHistory {
    fn of(word: u64) -> Self {
        if word & EXPORTED == 0 { Self::Private } else { Self::Exported }
    }
}

fn residency(word: u64) -> Residency {
    match word & RESIDENCY {
        RESIDENT => Residency::Resident,
        EVICTING => Residency::Evicting,
        PINNED => Residency::Spilled(Tier::Pinned),
        PAGEABLE => Residency::Spilled(Tier::Pageable),
        DISK => Residency::Spilled(Tier::Disk),
        _ => Residency::Moving,
    }
}

fn code(tier: Tier) -> u64 {
    match tier {
        Tier::Device => RESIDENT,
        Tier::Pinned => PINNED,
        Tier::Pageable => PAGEABLE,
        Tier::Disk => DISK,
    }
}

impl std::fmt::Debug for AllocationState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = self.0.load(Ordering::Relaxed);
        f.debug_struct("AllocationState")
            .field("residency", &self.residency())
            .field("pins", &(word & PINS))
            .field("leases", &((word & LEASES) / LEASE))
            .field("copy", &(word & COPY != 0))
            .field("exposed", &(word & EXPOSED != 0))
            .field("exported", &(word & EXPORTED != 0))
            .finish_non_exhaustive()
    }
}
