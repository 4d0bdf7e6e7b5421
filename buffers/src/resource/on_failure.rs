//! Retries of failed allocations through a callback.

use std::fmt;
use std::ptr::NonNull;

use super::MemoryResource;
use crate::sync::Arc;
use crate::{Admission, Device, Error, Result, Stream};

/// The argument of an [`OnFailure`] callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationFailure {
    /// The device of the allocation.
    pub device: Device,
    /// Requested bytes.
    pub requested: usize,
    /// How often this allocation has failed, from 1 to [`OnFailure::ATTEMPTS`].
    pub attempt: u32,
}

/// The result of an [`OnFailure`] callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Memory was freed: retry.
    Retry,
    /// No memory can be freed: return the error.
    GiveUp,
}

/// Calls a callback to free memory when its upstream is out of memory, and retries while the callback returns
/// [`Recovery::Retry`], a limited number of times.
///
/// The callback is called without locks held, from any thread, also concurrently, and may allocate.
///
/// # Source
///
/// RMM `failure_callback_resource_adaptor`, whose retries are unlimited.
pub struct OnFailure<F> {
    upstream: Arc<dyn MemoryResource>,
    callback: F,
}

/// The most callback calls per allocation.
const ATTEMPTS: u32 = 3;

/// Allocates. After each out-of-memory failure it calls `recover` with the number of failures so far, and
/// retries while that returns true, at most [`ATTEMPTS`] times.
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
    /// The most callback calls per allocation.
    pub const ATTEMPTS: u32 = ATTEMPTS;

    /// Calls `callback` when `upstream` is out of memory.
    pub fn new(upstream: Arc<dyn MemoryResource>, callback: F) -> Self {
        Self { upstream, callback }
    }
}

// SAFETY: memory is the upstream's, passed on unchanged.
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
