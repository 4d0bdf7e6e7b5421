//! Allocations that fail on purpose, for tests.

use std::ptr::NonNull;

use super::MemoryResource;
use crate::sync::Arc;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::{Admission, Device, Error, Result, Stream};

/// Fails one allocation, the `k`-th, and passes all others to the upstream.
///
/// An operation that handles every `k` loses nothing if memory runs out:
///
/// ```
/// use std::sync::Arc;
/// use columnade_buffers::failpoints::FailAt;
/// use columnade_buffers::{Buffer, Exec};
///
/// let exec = Exec::host();
/// for k in 1.. {
///     let resource = Arc::new(FailAt::new(exec.resource().clone(), k));
///     let failing = exec.with_resource(resource.clone());
///     let result = Buffer::zeroed(100, &failing).and_then(|buffer| buffer.copy_to(&failing));
///     assert_eq!(result.is_err(), resource.has_failed());
///     if !resource.has_failed() {
///         break;
///     }
/// }
/// ```
#[derive(Debug)]
pub struct FailAt {
    upstream: Arc<dyn MemoryResource>,
    k: usize,
    asked: AtomicUsize,
}

impl FailAt {
    /// Fails the `k`-th allocation from now on, counted from 1.
    pub fn new(upstream: Arc<dyn MemoryResource>, k: usize) -> Self {
        Self { upstream, k, asked: AtomicUsize::new(0) }
    }

    /// Allocations requested so far, the failed one included.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether the `k`-th allocation has been requested.
    pub fn has_failed(&self) -> bool {
        self.asked() >= self.k
    }
}

// SAFETY: memory is the upstream's, passed on unchanged.
unsafe impl MemoryResource for FailAt {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        if self.asked.fetch_add(1, Ordering::Relaxed) + 1 == self.k {
            return Err(Error::out_of_memory(self.device(), bytes));
        }
        self.upstream.allocate(bytes, stream, admission)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }
}
