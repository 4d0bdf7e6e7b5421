//! A second chance for allocations that fail.

use std::fmt;
use std::ptr::NonNull;

use super::MemoryResource;
use crate::sync::Arc;
use crate::{Admission, Device, Error, Result, Stream};

/// What an [`OnFailure`] callback is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationFailure {
    /// Where the memory was to be.
    pub device: Device,
    /// Bytes asked for.
    pub requested: usize,
    /// How often this allocation has failed, from 1 to [`OnFailure::ATTEMPTS`].
    pub attempt: u32,
}

/// What an [`OnFailure`] callback wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Memory was freed: try again.
    Retry,
    /// Nothing can be done: return the error.
    GiveUp,
}

/// Asks a callback to free memory when its upstream has none, and tries again while the callback says so,
/// a bounded number of times.
///
/// The callback is called with no lock held, from any thread, from several at once, and may use memory
/// itself.
///
/// # Source
///
/// RMM `failure_callback_resource_adaptor`, whose loop has no bound.
pub struct OnFailure<F> {
    upstream: Arc<dyn MemoryResource>,
    callback: F,
}

/// How often a failing allocation calls its callback at most.
const ATTEMPTS: u32 = 3;

/// Allocates, and after each failure for want of memory asks `recover`, which is told how often it has failed: while that
/// has freed some, it is tried again, [`ATTEMPTS`] times at most.
pub(crate) fn with_recovery<T>(
    mut allocate: impl FnMut() -> Result<T>,
    mut recover: impl FnMut(u32) -> Recovery,
) -> Result<T> {
    let mut attempt = 0;
    loop {
        let error = match allocate() {
            Err(error @ Error::OutOfMemory { .. }) if attempt < ATTEMPTS => error,
            done => return done,
        };
        attempt += 1;
        if recover(attempt) == Recovery::GiveUp {
            return Err(error);
        }
    }
}

impl<F: Fn(&AllocationFailure) -> Recovery + Send + Sync> OnFailure<F> {
    /// How often the callback is called for one allocation, at most.
    pub const ATTEMPTS: u32 = ATTEMPTS;

    /// Calls `callback` when `upstream` is out of memory.
    pub fn new(upstream: Arc<dyn MemoryResource>, callback: F) -> Self {
        Self { upstream, callback }
    }
}

// SAFETY: memory is the upstream's, passed on as it is.
unsafe impl<F: Fn(&AllocationFailure) -> Recovery + Send + Sync> MemoryResource for OnFailure<F> {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        let (device, requested) = (self.device(), bytes);
        with_recovery(
            || self.upstream.allocate(bytes, stream, admission),
            |attempt| (self.callback)(&AllocationFailure { device, requested, attempt }),
        )
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }
}

impl<F> fmt::Debug for OnFailure<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnFailure").field("upstream", &self.upstream).finish_non_exhaustive()
    }
}
