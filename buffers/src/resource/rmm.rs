//! GPU memory through RMM.

use std::ptr::NonNull;
use std::sync::Weak;

use columnade_rmm_sys as rmm;

use super::{MemoryResource, with_recovery};
use crate::device::cuda::bind;
use crate::sync::Arc;
use crate::{Admission, Device, Error, Result, SpillManager, Stream};

/// A memory resource of RMM on one GPU. Clones share it.
///
/// The adaptors of this crate ([`Limiting`](crate::Limiting), [`Statistics`](crate::Statistics)) go over it as over any
/// other resource. RMM is opened when the first one is made.
///
/// # Source
///
/// RMM `rmm/mr/*.hpp`.
#[derive(Clone, Debug)]
pub struct Rmm {
    ordinal: u32,
    resource: rmm::Resource,
}

impl Rmm {
    /// `cudaMalloc` and `cudaFree`: slow, and the usual upstream of a [pool](Self::pool) or an
    /// [arena](Self::arena).
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], or [`Error::Library`] when RMM cannot be opened.
    pub fn cuda(ordinal: u32) -> Result<Self> {
        Self::make(ordinal, 0, rmm::Resource::cuda)
    }

    /// The driver's stream-ordered allocator, as a pool of its own that takes `initial` bytes at once and
    /// keeps up to `threshold` bytes that are not in use; `None` takes nothing and keeps everything.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], [`Error::Library`] when RMM cannot be opened, [`Error::OutOfMemory`] for
    /// `initial`, [`Error::Device`] when the GPU has no such allocator.
    pub fn cuda_async(ordinal: u32, initial: Option<usize>, threshold: Option<usize>) -> Result<Self> {
        Self::make(ordinal, initial.unwrap_or(0), || rmm::Resource::cuda_async(initial, threshold))
    }

    /// A coalescing best-fit pool over this resource that takes `initial` bytes at once and grows to
    /// `maximum`, or without end. Both are multiples of 256.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] for `initial`, [`Error::Device`] for a size that is no multiple.
    pub fn pool(&self, initial: usize, maximum: Option<usize>) -> Result<Self> {
        Self::make(self.ordinal, initial, || self.resource.pool(initial, maximum))
    }

    /// Arenas per thread and stream over this resource, of `bytes` in all, or of half of the free memory.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] for `bytes`, [`Error::Device`] for a size that is too small.
    pub fn arena(&self, bytes: Option<usize>) -> Result<Self> {
        Self::make(self.ordinal, bytes.unwrap_or(0), || self.resource.arena(bytes))
    }

    /// Bins of blocks of 2^`minimum` to 2^`maximum` bytes over this resource, which serves what is larger.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], [`Error::Device`] for exponents that RMM refuses.
    pub fn binning(&self, minimum: i8, maximum: i8) -> Result<Self> {
        Self::make(self.ordinal, 0, || self.resource.binning(minimum, maximum))
    }

    /// This resource, which asks `manager` to spill when it is out of memory, and tries again while that frees something,
    /// three times at most: for C++ that allocates from RMM beside this library. What allocates through
    /// [`Managed`](crate::Managed) has that already.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] when RMM refuses.
    ///
    /// # Source
    ///
    /// RMM `failure_callback_resource_adaptor`, whose loop has no bound; cuDF option `spill_on_demand`.
    pub fn spilling(&self, manager: &Arc<SpillManager>) -> Result<Self> {
        let manager = Arc::downgrade(manager);
        let spilling = Spilling { upstream: self.clone(), manager };
        Self::make(self.ordinal, 0, || rmm::Resource::callback(Box::new(spilling)))
    }

    fn make(ordinal: u32, bytes: usize, make: impl FnOnce() -> rmm::Result<rmm::Resource>) -> Result<Self> {
        bind(ordinal)?;
        let resource = make().map_err(|error| convert(ordinal, bytes, error))?;
        Ok(Self { ordinal, resource })
    }

    fn call<T>(&self, bytes: usize, call: impl FnOnce(&rmm::Resource) -> rmm::Result<T>) -> Result<T> {
        bind(self.ordinal)?;
        call(&self.resource).map_err(|error| convert(self.ordinal, bytes, error))
    }
}

/// What RMM calls for [`Rmm::spilling`].
struct Spilling {
    upstream: Rmm,
    manager: Weak<SpillManager>,
}

impl rmm::Memory for Spilling {
    fn allocate(&self, bytes: usize, stream: rmm::Stream) -> Option<NonNull<u8>> {
        // SAFETY: RMM passes on the stream that its caller vouches for.
        let allocate = || self.upstream.call(bytes, |resource| unsafe { resource.allocate(bytes, stream) });
        let manager = self.manager.upgrade();
        with_recovery(allocate, |attempt| {
            manager.as_ref().map_or(0, |manager| manager.recover(bytes, attempt))
        })
        .ok()
    }

    unsafe fn deallocate(&self, memory: NonNull<u8>, bytes: usize, stream: rmm::Stream) {
        // SAFETY: the caller's promise; allocated from the upstream. RMM has no way to be told of a failure.
        drop(self.upstream.call(bytes, |resource| unsafe { resource.deallocate(memory, bytes, stream) }));
    }
}

// SAFETY: RMM gives each block to one caller, aligned to 256 bytes, for use in the order of the stream.
unsafe impl MemoryResource for Rmm {
    fn device(&self) -> Device {
        Device::Cuda(self.ordinal)
    }

    fn allocate(&self, bytes: usize, stream: &Stream, _admission: Admission) -> Result<NonNull<u8>> {
        if stream.device() != self.device() {
            return Err(Error::DeviceMismatch { expected: self.device(), found: stream.device() });
        }
        // SAFETY: the stream is live and of this GPU.
        self.call(bytes, |resource| unsafe { resource.allocate(bytes, stream.as_raw()) })
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call(bytes, |resource| unsafe { resource.deallocate(address, bytes, stream.as_raw()) })
    }

    /// Returns cached memory of a [`cuda_async`](Self::cuda_async) resource to the GPU; others keep theirs.
    fn trim(&self, bytes: usize) -> usize {
        let reserved = || self.call(0, rmm::Resource::pool_usage).map(|usage| usage.reserved);
        let Ok(before) = reserved() else { return 0 };
        if self.call(0, |resource| resource.trim(before.saturating_sub(bytes))).is_err() {
            return 0;
        }
        reserved().map_or(0, |after| before.saturating_sub(after))
    }
}

/// `cudaErrorUnknown`: RMM reports texts, not codes.
const UNKNOWN: i32 = 999;

/// An error of RMM's as one of this crate's.
fn convert(ordinal: u32, requested: usize, error: rmm::Error) -> Error {
    let device = Device::Cuda(ordinal);
    match error {
        rmm::Error::NoDevice { text } => Error::NoDevice { device, reason: text },
        rmm::Error::OutOfMemory { .. } => {
            let free = device.memory_info().ok().map(|info| info.free);
            Error::OutOfMemory { device, requested, free, tier_refusal: None }
        }
        rmm::Error::Rmm { call, text } => Error::Device { device, call, code: UNKNOWN, text },
        other => Error::Library { library: "RMM", reason: other.to_string() },
    }
}
