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

use crate::named::named_enum;

pub(crate) use builder::PayloadBuilder;
pub use options::DiskAccess;
pub(crate) use options::TierOptions;
pub(crate) use payload::Payload;
pub(crate) use tiers::Tiers;

named_enum! {
    /// A kind of memory for the bytes of an allocation, from the fastest to the largest.
    pub enum Tier,
    /// All tiers, the fastest first.
    ALL {
        /// The memory of the allocation's own device, which may be the host.
        Device = "device",
        /// Page-locked host memory, in blocks of one size.
        Pinned = "pinned",
        /// Other host memory.
        Pageable = "pageable",
        /// A file.
        Disk = "disk",
    }
}
