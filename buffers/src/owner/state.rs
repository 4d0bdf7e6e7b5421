//! The state of an allocation in one atomic word.

use crate::Tier;
use crate::sync::atomic::{AtomicU64, Ordering};

/// Pins, leases and residency, changed together or one at a time, always in one step.
///
/// ```text
/// bit 63            35 34     33        32     31        28 27            20 19            0
///    leases          | lent | exposed | copy | residency  | writers        | pins
/// ```
///
/// - **pins**: guards that live. A pinned allocation does not move.
/// - **leases**: foreign holders of its address, those that may write included. A leased allocation neither moves
///   nor is written in place, for nobody knows when the holder reads.
/// - **writers**: leases whose holder may write.
/// - **residency**: where its bytes are, or that they move.
/// - **copy**: the bytes are at home and a lower tier has the same; whoever writes drops that first.
/// - **exposed**: some foreign holder without a lifetime knows the address, for ever.
/// - **lent**: some foreign holder knew the address, and work that it queued may still use it. A write waits for that
///   work and says that it is over.
///
/// No counter runs over: pins and leases that it could not count are refused.
pub(crate) struct State(AtomicU64);

const PIN: u64 = 1;
const PINS: u64 = (1 << 20) - 1;
/// Set when there are half as many pins as can be counted. No more are given then: those that come all the same, to be
/// taken back at once, find room in the other half.
const CROWDED: u64 = 1 << 19;
const WRITER: u64 = 1 << 20;
const WRITERS: u64 = ((1 << 8) - 1) << 20;
const RESIDENCY_SHIFT: u32 = 28;
const RESIDENCY: u64 = 0b1111 << RESIDENCY_SHIFT;
const COPY: u64 = 1 << 32;
const EXPOSED: u64 = 1 << 33;
const EXPORTED: u64 = 1 << 34;
/// Every slice of an allocation that goes to a consumer is a lease: many of them live where a stream is kept.
const LEASE: u64 = 1 << 35;
const LEASES: u64 = u64::MAX << 35;

/// Where the bytes of an allocation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Residency {
    /// At home, at its address.
    Resident,
    /// At home, and being copied to a lower tier: may be read, not written.
    Evicting,
    /// On the way from one place to another: to be waited for.
    Moving,
    /// Below.
    Spilled(Tier),
}

/// Codes of residencies; of those but `RESIDENT` and `EVICTING` a bit of [`ELSEWHERE`] is set.
const RESIDENT: u64 = 0;
const EVICTING: u64 = 1 << RESIDENCY_SHIFT;
const MOVING: u64 = 2 << RESIDENCY_SHIFT;
const PINNED: u64 = 3 << RESIDENCY_SHIFT;
const PAGEABLE: u64 = 4 << RESIDENCY_SHIFT;
const DISK: u64 = 5 << RESIDENCY_SHIFT;

const ELSEWHERE: u64 = RESIDENCY & !EVICTING;

/// Who has known the address of the bytes at home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressHistory {
    /// This library, which notes what it does with them.
    Private,
    /// Foreign holders too, whose work nobody notes.
    Exported,
}

/// How an allocation left for a lower tier, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PublishedEviction {
    /// Its bytes are in the lower tier alone; what they left behind has this past.
    Evicted(AddressHistory),
    /// It was held meanwhile: it stays resident, and the lower tier has a copy.
    Kept,
}

impl State {
    /// At home, or below from the start.
    pub(crate) fn new(tier: Tier) -> Self {
        Self(AtomicU64::new(code(tier)))
    }

    /// The most guards that can live at a time.
    pub(crate) const MOST_PINS: u64 = CROWDED;

    /// The most leases that can live at a time.
    pub(crate) const MOST_LEASES: u64 = LEASES / LEASE;

    /// Holds the bytes where they are for a reader until [`unpin`](Self::unpin); false unless they are at home.
    #[inline]
    pub(crate) fn pin_to_read(&self) -> bool {
        self.pin_unless(ELSEWHERE | CROWDED)
    }

    /// As [`pin_to_read`](Self::pin_to_read) for a writer, who must not meet a copy being made or kept.
    #[inline]
    pub(crate) fn pin_to_write(&self) -> bool {
        self.pin_unless(RESIDENCY | COPY | CROWDED)
    }

    #[inline]
    fn pin_unless(&self, obstacles: u64) -> bool {
        // Optimistic: who moves the bytes begins only without pins and ends by changing the residency alone, so a
        // pin that was too early is taken back without a trace.
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

    /// Gives out a lease; the caller holds a pin, so the bytes are at home.
    ///
    /// # Errors
    ///
    /// Whom there are too many of, and how many there can be.
    pub(crate) fn lease(&self, may_write: bool) -> Result<(), (&'static str, u64)> {
        let (more, full) = if may_write { (LEASE | WRITER, WRITERS) } else { (LEASE, LEASES) };
        let counted = |word: u64| word & LEASES != LEASES && word & full != full;
        let next = |word| counted(word).then(|| (word + more) | EXPORTED);
        match self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, next) {
            Ok(before) => {
                debug_assert_ne!(before & PINS, 0, "leased without a pin");
                Ok(())
            }
            Err(word) if word & LEASES == LEASES => Err(("leases", State::MOST_LEASES)),
            Err(_) => Err(("leases to writers", WRITERS / WRITER)),
        }
    }

    /// Gives out a lease to a reader; false unless the bytes are at home and another lease can be counted.
    pub(crate) fn lease_resident(&self) -> bool {
        self.change(|word| {
            (word & (ELSEWHERE | CROWDED) == 0 && word & LEASES != LEASES).then(|| (word + LEASE) | EXPORTED)
        })
    }

    /// Says that a foreign holder knows the address of what never moves: nobody counts how many.
    pub(crate) fn mark_exported(&self) {
        if self.0.load(Ordering::Relaxed) & EXPORTED == 0 {
            self.0.fetch_or(EXPORTED, Ordering::Relaxed);
        }
    }

    /// As if so many more leases lived while `test` runs.
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

    /// Says that somebody without a lifetime knows the address; false when that was said before.
    pub(crate) fn expose(&self) -> bool {
        self.0.fetch_or(EXPOSED | EXPORTED, Ordering::AcqRel) & EXPOSED == 0
    }

    /// Whether a foreign holder knows the address. When this turns false, the holder's reads are over.
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

    /// Who has known the address of the bytes at home.
    pub(crate) fn past(&self) -> AddressHistory {
        AddressHistory::of(self.0.load(Ordering::Acquire))
    }

    /// Says that nobody's work uses the address any more that this library has not noted; a holder that lives keeps it
    /// unsaid. The caller has the only view of the bytes, or a lease, so that nobody new begins to hold them meanwhile.
    pub(crate) fn clear_exported(&self) {
        self.change(|word| (word & (LEASES | EXPOSED) == 0).then_some(word & !EXPORTED));
    }

    /// Whether as many guards live as can be counted.
    pub(crate) fn is_crowded(&self) -> bool {
        self.0.load(Ordering::Relaxed) & CROWDED != 0
    }

    /// Whether a guard lives.
    pub(crate) fn is_pinned(&self) -> bool {
        self.0.load(Ordering::Acquire) & PINS != 0
    }

    /// Whether some guard or some foreign holder keeps the bytes where they are.
    pub(crate) fn is_held(&self) -> bool {
        self.0.load(Ordering::Acquire) & (PINS | LEASES | EXPOSED) != 0
    }

    /// Whether a lower tier has the same bytes as home.
    pub(crate) fn has_copy(&self) -> bool {
        self.0.load(Ordering::Acquire) & COPY != 0
    }

    pub(crate) fn residency(&self) -> Residency {
        self.place().0
    }

    /// Residency and whether a lower tier has the same bytes as home, of one moment.
    pub(crate) fn place(&self) -> (Residency, bool) {
        let word = self.0.load(Ordering::Acquire);
        (residency(word), word & COPY != 0)
    }

    /// Begins to leave home; false when somebody holds the bytes there, or they are not there.
    pub(crate) fn begin_eviction(&self) -> bool {
        self.change(|word| {
            (word & (RESIDENCY | PINS | LEASES | EXPOSED) == RESIDENT).then_some(word | EVICTING)
        })
    }

    /// Ends what [`begin_eviction`](Self::begin_eviction) began, with a copy of the bytes in `tier`.
    pub(crate) fn finish_eviction(&self, tier: Tier) -> PublishedEviction {
        let left = self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, |word| {
            debug_assert_eq!(word & RESIDENCY, EVICTING, "leaves without having begun to");
            let is_free = word & (PINS | LEASES | EXPOSED) == 0;
            // The next home has no past.
            is_free.then_some(word & !(RESIDENCY | COPY | EXPORTED) | code(tier))
        });
        left.map_or(PublishedEviction::Kept, |before| PublishedEviction::Evicted(AddressHistory::of(before)))
    }

    /// Ends what [`begin_eviction`](Self::begin_eviction) began: the bytes stay at home, with a copy or without.
    pub(crate) fn cancel_eviction(&self, copy: bool) {
        self.change(|word| {
            debug_assert_eq!(word & RESIDENCY, EVICTING, "stays without having begun to leave");
            Some(word & !(RESIDENCY | COPY) | RESIDENT | if copy { COPY } else { 0 })
        });
    }

    /// Begins to move what is below; false when it is not there.
    pub(crate) fn begin_moving(&self, from: Tier) -> bool {
        self.change(|word| (word & RESIDENCY == code(from)).then_some(word & !RESIDENCY | MOVING))
    }

    /// Ends what [`begin_moving`](Self::begin_moving) began: the bytes are in `tier`.
    pub(crate) fn finish_move(&self, tier: Tier) {
        debug_assert_ne!(tier, Tier::Device, "`finish_unspill` ends an unspill");
        self.change(|word| Some(word & !RESIDENCY | code(tier)));
    }

    /// Ends what [`begin_moving`](Self::begin_moving) began: the bytes are at home too, and pinned for whoever
    /// brought them.
    pub(crate) fn finish_unspill(&self) {
        self.change(|word| Some((word & !RESIDENCY | RESIDENT | COPY) + PIN));
    }

    /// Says that no lower tier has the bytes any more; the caller has taken the copy away. False when there was none.
    pub(crate) fn forget_copy(&self) -> bool {
        self.0.fetch_and(!COPY, Ordering::AcqRel) & COPY != 0
    }

    /// Changes the word in one step unless `next` has none; true when it did.
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

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = self.0.load(Ordering::Relaxed);
        f.debug_struct("State")
            .field("residency", &self.residency())
            .field("pins", &(word & PINS))
            .field("leases", &((word & LEASES) / LEASE))
            .field("copy", &(word & COPY != 0))
            .field("exposed", &(word & EXPOSED != 0))
            .field("exported", &(word & EXPORTED != 0))
            .finish_non_exhaustive()
    }
}
