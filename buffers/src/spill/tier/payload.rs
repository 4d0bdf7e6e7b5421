//! The bytes of an allocation in a lower tier.

use std::fmt;

use super::Tier;
use super::slot::Slot;
use crate::sync::Arc;

/// Immutable bytes in a lower tier.
///
/// The drop releases the slot at once, or after queued loads that still read it.
pub(crate) struct Payload {
    len: usize,
    tier: Tier,
    slot: Arc<Slot>,
}

impl Payload {
    pub(super) fn new(len: usize, tier: Tier, slot: Arc<Slot>) -> Arc<Self> {
        Arc::new(Self { len, tier, slot })
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The tier.
    pub(crate) fn tier(&self) -> Tier {
        self.tier
    }

    /// Whether this process can read the bytes: a forked child cannot read what its parent has spilled to disk.
    pub(crate) fn is_own(&self) -> bool {
        match &*self.slot {
            Slot::Extent(extent) => extent.is_own(),
            Slot::Segments(segments) => segments.iter().all(|segment| match &*segment.extent {
                Slot::Extent(extent) => extent.is_own(),
                _ => true,
            }),
            Slot::Empty | Slot::Blocks(_) => true,
        }
    }

    pub(super) fn slot(&self) -> &Arc<Slot> {
        &self.slot
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Payload").field("len", &self.len).field("tier", &self.tier).finish_non_exhaustive()
    }
}
