//! Options of the lower tiers.

use std::path::PathBuf;

use crate::resource::memory_limit;
use crate::{Error, Result};

/// Limits of the lower tiers, and the folder of the spill files.
///
/// [`TierOptions::default`] limits the pinned tier to a quarter and the pageable tier to half of the memory
/// that the process may use (the control group's limit, if that is less than the machine's memory), and does
/// not limit the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TierOptions {
    /// The most bytes of page-locked memory; `None` for the default share.
    pub(crate) pinned_limit: Option<usize>,
    /// The most bytes of other host memory; `None` for the default share.
    pub(crate) pageable_limit: Option<usize>,
    /// The most bytes in spill files; `None` for no limit.
    pub(crate) disk_limit: Option<usize>,
    /// The folder of the spill files; `None` for [`std::env::temp_dir`].
    pub(crate) folder: Option<PathBuf>,
    /// How spill files are read and written.
    pub(crate) disk_access: DiskAccess,
}

/// How spill files are read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DiskAccess {
    /// Direct I/O if the folder's file system supports it, otherwise through the page cache.
    #[default]
    Direct,
    /// Through the system's page cache, which then keeps bytes that were meant to leave memory.
    Cached,
    /// Directly between disk and GPU (GPU Direct Storage). Not implemented: [`Error::NotImplemented`].
    GpuDirect,
}

impl TierOptions {
    /// Checks that these options are supported.
    ///
    /// # Errors
    ///
    /// [`Error::NotImplemented`] for [`DiskAccess::GpuDirect`], [`Error::Option`] for a path that is not a
    /// folder.
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

    /// Checks that a file can be written, unless none may be.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`] with the folder and the cause.
    pub(crate) fn check_writable(&self) -> Result<()> {
        self.check()?;
        if self.disk_limit == Some(0) {
            return Ok(());
        }
        super::disk::check_writable(&self.folder(), self.disk_access)
    }

    pub(super) fn pinned(&self) -> usize {
        self.pinned_limit.unwrap_or_else(|| memory_limit() / 4)
    }

    pub(super) fn pageable(&self) -> usize {
        self.pageable_limit.unwrap_or_else(|| memory_limit() / 2)
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(std::env::temp_dir)
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
