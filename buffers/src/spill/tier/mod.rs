//! Where bytes may be that are not at home, and their way there and back.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Tiers`] | the tiers below one device: stores, loads, reads, demotes |
//! | [`Payload`], [`PayloadBuilder`] | the bytes of an allocation in a lower tier, and one put together from parts |
//! | `blocks`, `arenas`, `kept`, `plan`, `memory` | pinned and pageable memory: fixed blocks over a few large arenas |
//! | `disk`, `extents` | spill files that nobody else sees |
//! | `moves`, `bounce`, `movers` | pipelines between them, the page-locked blocks they go through, their threads |
//!
//! Small bytes do not take a block each: a block is cut into equal chunks, and what is left over of large ones takes
//! a chunk too. Whole blocks lie wherever they are free, so no request fails for want of room in one piece.

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

/// A place for the bytes of an allocation, from the fastest to the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// At home: the memory of the allocation's own device, which may be the host.
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
