//! Counts of a resource's allocations.

use std::ptr::NonNull;

use super::MemoryResource;
use crate::stripes::{Padded, Sum};
use crate::sync::Arc;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::{Admission, Device, Result, Stream};

/// The allocations of a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStatistics {
    /// Bytes allocated now.
    pub current: usize,
    /// The most bytes allocated at one time.
    pub peak: usize,
    /// Bytes of all allocations so far.
    pub total: usize,
    /// The number of allocations so far.
    pub allocations: usize,
    /// The number of live allocations.
    pub live: usize,
}

/// Counts allocations and deallocations of its upstream.
///
/// # Source
///
/// RMM `statistics_resource_adaptor`.
#[derive(Debug)]
pub struct Statistics {
    upstream: Arc<dyn MemoryResource>,
    /// One counter for all threads, because the peak is of the sum.
    current: Padded<AtomicUsize>,
    peak: AtomicUsize,
    total: Sum,
    allocations: Sum,
    deallocations: Sum,
}

impl Statistics {
    /// Counts allocations of `upstream` from now on.
    pub fn new(upstream: Arc<dyn MemoryResource>) -> Self {
        Self {
            upstream,
            current: Padded(AtomicUsize::new(0)),
            peak: AtomicUsize::new(0),
            total: Sum::default(),
            allocations: Sum::default(),
            deallocations: Sum::default(),
        }
    }
}

// SAFETY: memory is the upstream's, passed on unchanged.
unsafe impl MemoryResource for Statistics {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        let address = self.upstream.allocate(bytes, stream, admission)?;
        let current = self.current.0.fetch_add(bytes, Ordering::Relaxed) + bytes;
        // Most allocations do not raise the peak: a load is cheaper than a contended update.
        if current > self.peak.load(Ordering::Relaxed) {
            self.peak.fetch_max(current, Ordering::Relaxed);
        }
        self.total.add(bytes);
        self.allocations.add(1);
        Ok(address)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        self.current.0.fetch_sub(bytes, Ordering::Relaxed);
        self.deallocations.add(1);
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }

    fn statistics(&self) -> Option<MemoryStatistics> {
        // Deallocations are read first: an allocation is counted before it can be freed.
        let given_back = self.deallocations.load();
        let allocations = self.allocations.load();
        Some(MemoryStatistics {
            current: self.current.0.load(Ordering::Relaxed),
            peak: self.peak.load(Ordering::Relaxed),
            total: self.total.load(),
            allocations,
            live: allocations.saturating_sub(given_back),
        })
    }

    fn reset_peak(&self) {
        self.peak.store(self.current.0.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}
