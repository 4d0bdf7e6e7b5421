//! The simulator's memory.

use std::ptr::{self, NonNull};

use columnade_sim_sys as sys;

use super::MemoryResource;
use crate::device::sim::check;
use crate::stripes::Sum;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::{Admission, Device, Error, Result, Stream};

/// Simulated device memory of a given capacity, so that tests can exhaust it.
#[derive(Debug)]
pub struct SimMemory {
    capacity: usize,
    used: Used,
}

/// Bytes allocated.
#[derive(Debug)]
enum Used {
    /// For a device of limited capacity.
    Bounded(AtomicUsize),
    Unbounded(Box<Sum>),
}

impl SimMemory {
    /// A simulated device with `capacity` bytes.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, used: Used::Bounded(AtomicUsize::new(0)) }
    }

    /// A simulated device with unlimited memory.
    pub fn unlimited() -> Self {
        Self { capacity: usize::MAX, used: Used::Unbounded(Box::default()) }
    }

    /// Bytes allocated now.
    pub fn used(&self) -> usize {
        match &self.used {
            Used::Bounded(used) => used.load(Ordering::Relaxed),
            Used::Unbounded(used) => used.load(),
        }
    }

    /// Counts `bytes` as allocated; an error with the free bytes if they do not fit.
    fn take(&self, bytes: usize) -> std::result::Result<(), usize> {
        match &self.used {
            Used::Bounded(used) => used
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                    used.checked_add(bytes).filter(|&sum| sum <= self.capacity)
                })
                .map(|_| ())
                .map_err(|used| self.capacity - used),
            Used::Unbounded(used) => {
                used.add(bytes);
                Ok(())
            }
        }
    }

    fn give_back(&self, bytes: usize) {
        match &self.used {
            Used::Bounded(used) => {
                used.fetch_sub(bytes, Ordering::Relaxed);
            }
            Used::Unbounded(used) => used.subtract(bytes),
        }
    }
}

// SAFETY: memory comes from the simulator, aligned to 256 bytes, and each block is allocated once.
unsafe impl MemoryResource for SimMemory {
    fn device(&self) -> Device {
        Device::Sim
    }

    fn allocate(&self, bytes: usize, stream: &Stream, _admission: Admission) -> Result<NonNull<u8>> {
        let out_of_memory =
            |free| Error::OutOfMemory { device: Device::Sim, requested: bytes, free, tier_refusal: None };
        self.take(bytes).map_err(|left| out_of_memory(Some(left)))?;
        let mut address = ptr::null_mut();
        // SAFETY: writes one address to a place for one; the stream is live.
        let code = unsafe { sys::cn_sim_malloc_async(&raw mut address, bytes, stream.as_raw()) };
        let allocated = match code {
            sys::MEMORY_ALLOCATION => Err(out_of_memory(None)),
            code => check("cn_sim_malloc_async", code),
        };
        let address =
            allocated.and_then(|()| NonNull::new(address.cast()).ok_or_else(|| out_of_memory(None)));
        address.inspect_err(|_| self.give_back(bytes))
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        self.give_back(bytes);
        // SAFETY: the caller's promise.
        let code = unsafe { sys::cn_sim_free_async(address.as_ptr().cast(), stream.as_raw()) };
        check("cn_sim_free_async", code)
    }
}
