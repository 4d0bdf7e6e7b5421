//! Bytes in use by kind of memory.

use std::ops::{Index, IndexMut};

use crate::{Device, Tier};

/// One value per tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByTier<T>([T; Tier::ALL.len()]);

impl<T> ByTier<T> {
    /// The value of `value` for each tier.
    pub fn from_fn(mut value: impl FnMut(Tier) -> T) -> Self {
        Self(Tier::ALL.map(&mut value))
    }

    /// Tiers and their values, the fastest tier first.
    pub fn iter(&self) -> impl Iterator<Item = (Tier, &T)> {
        Tier::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Tier> for ByTier<T> {
    type Output = T;

    fn index(&self, tier: Tier) -> &T {
        &self.0[tier as usize]
    }
}

impl<T> IndexMut<Tier> for ByTier<T> {
    fn index_mut(&mut self, tier: Tier) -> &mut T {
        &mut self.0[tier as usize]
    }
}

/// Bytes in use of one tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TierUsage {
    /// Bytes in use now.
    pub bytes: usize,
    /// The most bytes in use at one time.
    pub peak: usize,
    /// The most bytes that may be in use; `None` if unlimited.
    pub limit: Option<usize>,
}

/// Bytes in use of a device's memory and of its lower tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUsage {
    /// The device.
    pub device: Device,
    /// All tiers. [`Tier::Device`] includes every byte that was allocated through the resource: the sum of
    /// the five fields below.
    pub tiers: ByTier<TierUsage>,
    /// Bytes on the device that can be spilled.
    pub managed: usize,
    /// Bytes on the device that are pinned by guards now.
    pub pinned: usize,
    /// Bytes on the device that were exported or exposed.
    pub leased: usize,
    /// Bytes on the device that were freed after they were exported or exposed, and whose free is deferred
    /// until the work that a consumer may have queued with them is done.
    pub deferred: usize,
    /// Bytes on the device that belong to no buffer: scratch memory of kernels, and allocations of other
    /// users of the resource.
    pub unmanaged: usize,
    /// Bytes of freed memory that the resource keeps for reuse, beside the bytes in use. Both together stay within the
    /// limit.
    pub retained: usize,
    /// Bytes of allocations that are only in lower tiers.
    pub spilled: usize,
}
