//! The simulator's memory.

use std::ptr::{self, NonNull};

use columnade_sim_sys as sys;

use super::MemoryResource;
use crate::device::sim::check;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::{Device, Error, Result, Stream};

/// Simulated device memory of a given capacity, so that a test can run out of it.
#[derive(Debug)]
pub struct SimMemory {
    capacity: usize,
    used: AtomicUsize,
}

impl SimMemory {
    /// A simulated device with `capacity` bytes.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, used: AtomicUsize::new(0) }
    }

    /// A simulated device with as much memory as the machine gives.
    pub fn unlimited() -> Self {
        Self::new(usize::MAX)
    }

    /// Bytes given out now.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

// SAFETY: memory comes from the simulator, aligned to 256 bytes, one block to one caller.
unsafe impl MemoryResource for SimMemory {
    fn device(&self) -> Device {
        Device::Sim
    }

    fn allocate(&self, bytes: usize, stream: &Stream) -> Result<NonNull<u8>> {
        let out_of_memory = |free| Error::OutOfMemory { device: Device::Sim, requested: bytes, free };
        let counted = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&sum| sum <= self.capacity)
        });
        counted.map_err(|used| out_of_memory(Some(self.capacity - used)))?;
        let mut address = ptr::null_mut();
        // SAFETY: writes one address to a place for one; the stream is live.
        let code = unsafe { sys::cn_sim_malloc_async(&raw mut address, bytes, stream.as_raw()) };
        let allocated = match code {
            sys::MEMORY_ALLOCATION => Err(out_of_memory(None)),
            code => check("cn_sim_malloc_async", code),
        };
        let address =
            allocated.and_then(|()| NonNull::new(address.cast()).ok_or_else(|| out_of_memory(None)));
        address.inspect_err(|_| {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        })
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        let code = unsafe { sys::cn_sim_free_async(address.as_ptr().cast(), stream.as_raw()) };
        check("cn_sim_free_async", code)
    }
}
