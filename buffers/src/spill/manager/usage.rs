//! Which memory is used for what, and what the statistics record of it.

use std::panic::Location;

use super::SpillManager;
use crate::owner::deferred_free;
use crate::spill::{ByTier, MemoryUsage, TierUsage, Timeline};
use crate::sync::atomic::Ordering;
use crate::{Error, Tier};

impl SpillManager {
    /// Where every byte of the device and of the lower tiers is now. Looks at every allocation.
    pub fn usage(&self) -> MemoryUsage {
        self.usage_and_looks().0
    }

    /// The usage, and at how many allocations that took a look.
    fn usage_and_looks(&self) -> (MemoryUsage, usize) {
        let mut looks = 0;
        let mut usage = MemoryUsage {
            device: self.device,
            tiers: ByTier::from_fn(|tier| self.tiers().usage(tier)),
            managed: 0,
            pinned: 0,
            leased: 0,
            deferred: deferred_free::bytes(self),
            unmanaged: 0,
            retained: self.upstream.retained(),
            spilled: 0,
        };
        usage.tiers[Tier::Device] =
            TierUsage { bytes: self.budget.used(), peak: self.budget.peak(), limit: self.budget.limit() };
        self.evictor.registry.for_each(|owner| {
            looks += 1;
            let state = owner.state();
            let used_for = if owner.is_spilled() {
                &mut usage.spilled
            } else if state.is_leased() {
                &mut usage.leased
            } else if state.is_pinned() {
                &mut usage.pinned
            } else {
                &mut usage.managed
            };
            *used_for += owner.bytes();
        });
        let known = usage.managed + usage.pinned + usage.leased + usage.deferred;
        usage.unmanaged = usage.tiers[Tier::Device].bytes.saturating_sub(known);
        (usage, looks)
    }

    /// The usage, unless earlier looks are still owed: every call pays for a look at some allocations, so that many
    /// refusals do not take quadratic time.
    fn usage_if_paid_for(&self) -> Option<MemoryUsage> {
        const PAID: usize = 1024;
        let owed = self.looks_owed.load(Ordering::Relaxed);
        if owed > 0 {
            // Of two at once both may look.
            self.looks_owed.store(owed.saturating_sub(PAID), Ordering::Relaxed);
            return None;
        }
        let (usage, looks) = self.usage_and_looks();
        self.looks_owed.store(looks.saturating_sub(PAID), Ordering::Relaxed);
        Some(usage)
    }

    /// Bytes that allocations have in each tier, copies of resident bytes included. Shared payloads count for each
    /// allocation.
    pub(in crate::spill) fn bytes_by_tier(&self) -> ByTier<usize> {
        let mut bytes = ByTier::default();
        self.evictor.registry.for_each(|owner| {
            if !owner.is_spilled() {
                bytes[Tier::Device] += owner.bytes();
            }
            if let Some((tier, payload)) = owner.payload_bytes() {
                bytes[tier] += payload;
            }
        });
        bytes
    }

    /// The error with which the lower tiers refused bytes last, if they ever did.
    pub fn tier_refusal(&self) -> Option<Error> {
        self.store.last_refusal()
    }

    /// The last moves, and bytes in use from the beginning until now.
    pub fn timeline(&self) -> Timeline {
        // Notices freed slots of the tiers.
        for tier in Tier::ALL {
            self.tiers().usage(tier);
        }
        self.sample();
        self.statistics.timeline()
    }

    /// Adds the bytes in use of the device to the timeline.
    pub(in crate::spill) fn sample_device(&self) {
        self.statistics.sample_device(|| (self.budget.used(), self.budget.limit()));
    }

    /// Adds the bytes in use of every tier to the timeline.
    pub(crate) fn sample(&self) {
        self.statistics.sample(|| {
            let mut bytes = ByTier::from_fn(|tier| self.tiers().used(tier));
            bytes[Tier::Device] = self.budget.used();
            (bytes, self.budget.limit())
        });
    }

    /// Counts a guard's pin by its call site, if the statistics ask for that.
    #[inline]
    pub(crate) fn note_pin(
        &self,
        at: &'static Location<'static>,
        bytes: usize,
    ) -> Option<&'static Location<'static>> {
        self.statistics.pinned(at, bytes)
    }

    pub(crate) fn note_unpin(&self, at: &'static Location<'static>, bytes: usize) {
        self.statistics.unpinned(at, bytes);
    }

    #[cold]
    pub(in crate::spill) fn note_refusal(&self, bytes: usize, error: &Error) {
        if matches!(error, Error::OutOfMemory { .. }) {
            self.statistics.refused(bytes, || self.usage_if_paid_for());
        }
    }
}
