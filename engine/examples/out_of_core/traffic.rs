//! Bytes between tiers: those that moved, and the least that could have.

use columnade::Device;
use columnade::memory::{ByTier, SpillManager, Tier};

/// Bytes from each tier to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traffic(ByTier<ByTier<u64>>);

/// The tiers below a device, before a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below {
    /// Bytes that are stored there.
    bytes: ByTier<u64>,
    /// Bytes that can still be stored there.
    free: ByTier<u64>,
}

impl Traffic {
    /// Since the manager began.
    pub(crate) fn of(manager: &SpillManager) -> Self {
        let mut traffic = Self::default();
        for edge in &manager.statistics().snapshot().edges {
            traffic.0[edge.from][edge.to] = edge.moved.bytes;
        }
        traffic
    }

    pub(crate) fn since(&self, before: &Self) -> Self {
        let edge = |from, to| self.0[from][to] - before.0[from][to];
        Self(ByTier::from_fn(|from| ByTier::from_fn(|to| edge(from, to))))
    }

    /// The least that any execution could move. Of the `read` bytes that a task reads, those beyond the limit are not
    /// resident and have to be unspilled. Of the `live` bytes at its end, those beyond the limit have to be in a lower
    /// tier, where some of them may be already. Bytes are assumed to be in the fastest tiers that have space, and none
    /// moves between lower tiers.
    pub(crate) fn least(read: usize, live: usize, limit: usize, below: &Below) -> Self {
        let beyond = |bytes: usize| bytes.saturating_sub(limit) as u64;
        let there: u64 = below.bytes.iter().map(|(_, bytes)| bytes).sum();
        let mut least = Self::default();
        least.0[Tier::Device] = fastest_first(beyond(live).saturating_sub(there), &below.free);
        let up = fastest_first(beyond(read).min(there), &below.bytes);
        for (tier, &bytes) in up.iter() {
            least.0[tier][Tier::Device] = bytes;
        }
        least
    }

    /// Bytes that left the device.
    pub(crate) fn down(&self) -> u64 {
        self.0[Tier::Device].iter().map(|(_, bytes)| bytes).sum()
    }

    /// Bytes that came to the device.
    pub(crate) fn up(&self) -> u64 {
        self.0.iter().map(|(_, to)| to[Tier::Device]).sum()
    }

    /// The bytes from each tier to each other, those to a device's own tiers too.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (Tier, Tier, u64)> {
        self.0.iter().flat_map(|(from, edges)| edges.iter().map(move |(to, &bytes)| (from, to, bytes)))
    }

    pub(crate) fn edge(&self, from: Tier, to: Tier) -> u64 {
        self.0[from][to]
    }
}

impl Below {
    pub(crate) fn of(manager: &SpillManager) -> Self {
        let tiers = manager.usage().tiers;
        let is_below = |tier| match manager.device() {
            Device::Host => tier == Tier::Disk,
            _ => tier != Tier::Device,
        };
        let bytes = |tier| if is_below(tier) { tiers[tier].bytes as u64 } else { 0 };
        let free = |tier| match tiers[tier].limit {
            _ if !is_below(tier) => 0,
            Some(limit) => (limit as u64).saturating_sub(bytes(tier)),
            None => u64::MAX,
        };
        Self { bytes: ByTier::from_fn(bytes), free: ByTier::from_fn(free) }
    }
}

/// `bytes` in tiers of these capacities, the fastest first; what fits in none is on the disk.
fn fastest_first(mut bytes: u64, capacities: &ByTier<u64>) -> ByTier<u64> {
    ByTier::from_fn(|tier| {
        let part = if tier == Tier::Disk { bytes } else { bytes.min(capacities[tier]) };
        bytes -= part;
        part
    })
}
