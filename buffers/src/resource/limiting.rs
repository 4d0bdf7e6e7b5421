//! A limit on the bytes that a resource allocates.

use std::ptr::NonNull;

use super::MemoryResource;
use crate::sync::Arc;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::{Admission, Device, Error, Result, Stream};

/// Refuses allocations that would exceed a limit.
///
/// # Source
///
/// RMM `limiting_resource_adaptor`.
#[derive(Debug)]
pub struct Limiting {
    upstream: Arc<dyn MemoryResource>,
    limit: usize,
    used: AtomicUsize,
}

impl Limiting {
    /// At most `limit` bytes of `upstream` at any time.
    pub fn new(upstream: Arc<dyn MemoryResource>, limit: usize) -> Self {
        Self { upstream, limit, used: AtomicUsize::new(0) }
    }

    /// The limit in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes allocated now.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

// SAFETY: memory is the upstream's, passed on unchanged.
unsafe impl MemoryResource for Limiting {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        let counted = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&sum| sum <= self.limit)
        });
        if let Err(used) = counted {
            let free = Some(self.limit - used);
            return Err(Error::OutOfMemory {
                device: self.device(),
                requested: bytes,
                free,
                tier_refusal: None,
            });
        }
        self.upstream.allocate(bytes, stream, admission).inspect_err(|_| {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        })
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }
    }

    fn limit(&self) -> Option<usize> {
        Some(self.upstream.limit().map_or(self.limit, |below| below.min(self.limit)))
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }
}
