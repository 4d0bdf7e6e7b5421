//! Bytes between tiers: those that moved, and the least that could have.

use columnade::Device;
use columnade::memory::{ByTier, SpillManager, Tier};

/// Bytes from each tier to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traffic(ByTier<ByTier<u64>>);

/// The tiers below a device, before a piece of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below {
    /// What lies there.
    bytes: ByTier<u64>,
    /// How much more goes there.
    room: ByTier<u64>,
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

    /// The least that any way of working could move. Of the `read` bytes that are worked on, what is not at home has to
    /// come up, and that is what does not fit the limit; of the `live` bytes that are there at the end, what does not
    /// fit has to be below, where some of it may be already. Bytes are taken to lie in the fastest tiers that have room,
    /// and between these none has to move.
    pub(crate) fn least(read: usize, live: usize, limit: usize, below: &Below) -> Self {
        let beyond = |bytes: usize| bytes.saturating_sub(limit) as u64;
        let there: u64 = below.bytes.iter().map(|(_, bytes)| bytes).sum();
        let mut least = Self::default();
        least.0[Tier::Device] = fastest_first(beyond(live).saturating_sub(there), &below.room);
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
        let room = |tier| match tiers[tier].limit {
            _ if !is_below(tier) => 0,
            Some(limit) => (limit as u64).saturating_sub(bytes(tier)),
            None => u64::MAX,
        };
        Self { bytes: ByTier::from_fn(bytes), room: ByTier::from_fn(room) }
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
