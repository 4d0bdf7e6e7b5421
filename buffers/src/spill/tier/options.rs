//! What the lower tiers may take, and where the last of them is.

use std::path::PathBuf;

use crate::{Error, Result};

/// How much the tiers below the device may hold, and where the last of them is.
///
/// [`TierOptions::default`] lets the pinned tier hold a quarter and the pageable tier half of the memory that the
/// process may use (of its control group's, if that is less than the machine's), and the disk as much as there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TierOptions {
    /// The most bytes of page-locked memory; `None` for the default share.
    pub(crate) pinned_limit: Option<usize>,
    /// The most bytes of other host memory; `None` for the default share.
    pub(crate) pageable_limit: Option<usize>,
    /// The most bytes in spill files; `None` for no bound.
    pub(crate) disk_limit: Option<usize>,
    /// The folder of the spill files; `None` for [`std::env::temp_dir`].
    pub(crate) folder: Option<PathBuf>,
    /// How spill files are read and written.
    pub(crate) disk_access: DiskAccess,
}

/// How spill files are read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DiskAccess {
    /// Past the system's page cache where the folder's file system allows it, else through it.
    #[default]
    Direct,
    /// Through the system's page cache, which then holds bytes that were to leave memory.
    Cached,
    /// Between disk and GPU without the host (GPU Direct Storage). Not built: an
    /// [`Error::NotImplemented`].
    GpuDirect,
}

impl TierOptions {
    /// Whether these options can be followed.
    ///
    /// # Errors
    ///
    /// [`Error::NotImplemented`] for [`DiskAccess::GpuDirect`], [`Error::Option`] for a folder that is none.
    pub(crate) fn check(&self) -> Result<()> {
        self.disk_access.check()?;
        match &self.folder {
            Some(folder) if !folder.is_dir() => Err(Error::Option {
                variable: "COLUMNADE_SPILL_FOLDER",
                value: folder.display().to_string(),
                expected: "a folder that exists",
            }),
            _ => Ok(()),
        }
    }
}

impl DiskAccess {
    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::Direct | Self::Cached => Ok(()),
            Self::GpuDirect => Err(Error::NotImplemented {
                feature: "COLUMNADE_SPILL_DISK_ACCESS=gpu-direct (GPU Direct Storage)",
            }),
        }
    }
}
