//! Where bytes may be that are not at home.

mod stub;
use std::fmt;
pub(crate) use stub::*;

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
