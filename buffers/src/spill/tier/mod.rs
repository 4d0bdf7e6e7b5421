//! Lower tiers: where spilled bytes are stored, and how they are moved.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Tiers`] | the lower tiers of one device: stores, loads, reads, demotes |
//! | [`Payload`], [`PayloadBuilder`] | the bytes of an allocation in a lower tier, and how to assemble them from parts |
//! | `blocks`, `arenas`, `free_list`, `plan`, `memory` | pinned and pageable memory: fixed-size blocks in a few large arenas |
//! | `disk`, `extents` | unlinked spill files |
//! | `moves`, `bounce`, `movers` | pipelines between tiers, their page-locked bounce blocks, their threads |
//!
//! Small payloads do not take whole blocks: a block is split into equal chunks, and the rest of a large
//! payload takes a chunk too. The blocks of a payload need not be contiguous, so no request fails because of
//! fragmentation.

mod arenas;
mod blocks;
mod bounce;
mod builder;
mod disk;
mod extents;
mod free_list;
mod memory;
mod movers;
mod moves;
mod options;
mod payload;
mod plan;
mod slot;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;
mod tiers;

use std::fmt;

pub(crate) use builder::PayloadBuilder;
pub use options::DiskAccess;
pub(crate) use options::TierOptions;
pub(crate) use payload::Payload;
pub(crate) use tiers::Tiers;

/// A kind of memory for the bytes of an allocation, from the fastest to the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// The memory of the allocation's own device, which may be the host.
    Device,
    /// Page-locked host memory, in blocks of one size.
    Pinned,
    /// Other host memory.
    Pageable,
    /// A file.
    Disk,
}

impl Tier {
    /// All tiers, the fastest first.
    pub const ALL: [Self; 4] = [Self::Device, Self::Pinned, Self::Pageable, Self::Disk];
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Device => "device",
            Self::Pinned => "pinned",
            Self::Pageable => "pageable",
            Self::Disk => "disk",
        })
    }
}
