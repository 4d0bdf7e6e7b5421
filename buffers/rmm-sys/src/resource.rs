//! RMM's memory resources as a Rust type.

use crate::callback::{self, Memory, OnFailure};
use crate::library::{check, ffi, shim};
use crate::{ALIGNMENT, Error, Result, Stream};
use std::ffi::{CStr, c_void};
use std::fmt;
use std::ptr::{self, NonNull};
use std::sync::Arc;

/// An RMM memory resource. Clones share it; adaptors keep their upstream alive.
///
/// The context of the resource's device must be current on the calling thread; this crate sets none.
/// Thread-safe, like RMM's resources.
///
/// # Source
/// The headers `rmm/mr/*.hpp`.
#[derive(Clone)]
pub struct Resource {
    handle: Arc<Handle>,
}

/// Owns the shim's handle.
struct Handle {
    shim: &'static ffi::Shim,
    raw: NonNull<ffi::columnade_rmm_resource>,
    name: &'static str,
}

// SAFETY: the handle is a boxed RMM resource. RMM's resources may be used and destroyed from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above; the shim's functions only call RMM's thread-safe members.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle came from the shim, and this is its only owner.
        unsafe { self.shim.columnade_rmm_drop(self.raw.as_ptr()) }
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Resource").field(&self.handle.name).finish()
    }
}

/// One counter of [`Statistics`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counter {
    /// The current value.
    pub current: i64,
    /// The highest value.
    pub peak: i64,
    /// The sum of all additions.
    pub total: i64,
}

/// The counters of a [statistics](Resource::statistics) resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Bytes allocated.
    pub bytes: Counter,
    /// Allocations made.
    pub allocations: Counter,
}

/// The outstanding allocations of a [tracking](Resource::tracking) resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outstanding {
    /// Their bytes.
    pub bytes: usize,
    /// RMM's line for each of them; empty if there is none.
    pub report: String,
}

/// The memory of a [CUDA-asynchronous](Resource::cuda_async) resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUsage {
    /// Bytes reserved from the device.
    pub reserved: usize,
    /// Reserved bytes that are allocated.
    pub used: usize,
}

/// Memory of the current device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceMemory {
    /// Free bytes.
    pub free: usize,
    /// All bytes.
    pub total: usize,
}

/// Free and total memory of the device whose context is current.
///
/// # Errors
/// [`Error::Library`], [`Error::NoDevice`], or [`Error::Rmm`] if CUDA fails.
pub fn device_memory() -> Result<DeviceMemory> {
    let shim = shim()?;
    let (mut free, mut total) = (0, 0);
    // SAFETY: both results are valid for writes.
    let status = unsafe { shim.columnade_rmm_device_memory(&raw mut free, &raw mut total) };
    check(shim, "device_memory", 0, status)?;
    Ok(DeviceMemory { free, total })
}

/// RMM's version as (major, minor).
///
/// # Errors
/// [`Error::Library`].
pub fn version() -> Result<(u32, u32)> {
    // SAFETY: the function has no arguments and no preconditions.
    let number = unsafe { shim()?.columnade_rmm_version() };
    Ok((number / 100, number % 100))
}

/// Where the shim writes a new handle.
type Out = *mut *mut ffi::columnade_rmm_resource;

impl Resource {
    /// `cudaMalloc` and `cudaFree`: slow, and the usual upstream of a [pool](Self::pool) or an
    /// [arena](Self::arena).
    ///
    /// # Errors
    /// [`Error::Library`], [`Error::NoDevice`].
    pub fn cuda() -> Result<Self> {
        // SAFETY: `out` is valid for writes.
        Self::make(shim()?, "cuda", |shim, out| unsafe { shim.columnade_rmm_make_cuda(out) })
    }

    /// The driver's stream-ordered allocator, with a pool of its own.
    ///
    /// The pool reserves `initial` bytes at once, and keeps up to `threshold` unused bytes when a stream is
    /// synchronised. With `None` it reserves nothing at once, and keeps everything.
    ///
    /// # Errors
    /// [`Error::Library`], [`Error::NoDevice`], [`Error::OutOfMemory`] for `initial`, [`Error::Rmm`] if the
    /// device has no such allocator.
    pub fn cuda_async(initial: Option<usize>, threshold: Option<usize>) -> Result<Self> {
        Self::sized(shim()?, "cuda_async", initial.unwrap_or(0), |shim, out| {
            // SAFETY: each argument is null or points to a size, and `out` is valid for writes.
            unsafe {
                shim.columnade_rmm_make_cuda_async(
                    optional(initial.as_ref()),
                    optional(threshold.as_ref()),
                    out,
                )
            }
        })
    }

    /// Page-locked host memory that the device can read. One driver call per allocation; streams are ignored.
    ///
    /// # Errors
    /// [`Error::Library`], [`Error::NoDevice`].
    pub fn pinned_host() -> Result<Self> {
        // SAFETY: `out` is valid for writes.
        Self::make(shim()?, "pinned_host", |shim, out| unsafe { shim.columnade_rmm_make_pinned_host(out) })
    }

    /// Memory from a Rust allocator, for use under RMM's adaptors.
    ///
    /// # Errors
    /// [`Error::Library`].
    pub fn callback(memory: Box<dyn Memory>) -> Result<Self> {
        let shim = shim()?;
        Self::make(shim, "callback", |shim, out| {
            // SAFETY: the functions expect a state that is a boxed `Memory`, which the shim owns from here
            // on; `out` is valid for writes.
            unsafe {
                shim.columnade_rmm_make_callback(
                    Some(callback::on_allocate),
                    Some(callback::on_deallocate),
                    callback::into_state(memory),
                    Some(callback::drop_state::<Box<dyn Memory>>),
                    out,
                )
            }
        })
    }

    /// A coalescing best-fit pool over this resource. It reserves `initial` bytes at once and grows to
    /// `maximum`, or without limit; sizes are multiples of 256.
    ///
    /// # Errors
    /// [`Error::NoDevice`], [`Error::OutOfMemory`] for `initial`, [`Error::Rmm`] for a size that is not a multiple.
    pub fn pool(&self, initial: usize, maximum: Option<usize>) -> Result<Self> {
        Self::sized(self.handle.shim, "pool", initial, |shim, out| {
            // SAFETY: the upstream is alive, the maximum is null or points to a size, `out` is valid for writes.
            unsafe { shim.columnade_rmm_make_pool(self.raw(), initial, optional(maximum.as_ref()), out) }
        })
    }

    /// Arenas per thread and stream over this resource, `bytes` in all, or half of the free memory.
    ///
    /// # Errors
    /// [`Error::NoDevice`], [`Error::OutOfMemory`] for `bytes`, [`Error::Rmm`] for a size that is too small.
    pub fn arena(&self, bytes: Option<usize>) -> Result<Self> {
        Self::sized(self.handle.shim, "arena", bytes.unwrap_or(0), |shim, out| {
            // SAFETY: the upstream is alive, the size is null or points to one, `out` is valid for writes.
            unsafe { shim.columnade_rmm_make_arena(self.raw(), optional(bytes.as_ref()), out) }
        })
    }

    /// Bins of fixed-size blocks of 2^`minimum` to 2^`maximum` bytes; larger requests go to this resource.
    ///
    /// # Errors
    /// [`Error::NoDevice`], [`Error::OutOfMemory`], [`Error::Rmm`] for exponents that RMM refuses.
    pub fn binning(&self, minimum: i8, maximum: i8) -> Result<Self> {
        Self::make(self.handle.shim, "binning", |shim, out| {
            // SAFETY: the upstream is alive and `out` is valid for writes.
            unsafe { shim.columnade_rmm_make_binning(self.raw(), minimum, maximum, out) }
        })
    }

    /// Refuses allocations that would exceed `bytes` bytes in use.
    ///
    /// # Errors
    /// [`Error::Rmm`].
    pub fn limiting(&self, bytes: usize) -> Result<Self> {
        Self::make(self.handle.shim, "limiting", |shim, out| {
            // SAFETY: the upstream is alive and `out` is valid for writes.
            unsafe { shim.columnade_rmm_make_limiting(self.raw(), bytes, out) }
        })
    }

    /// Counts bytes and allocations; [`counters`](Self::counters) returns them.
    ///
    /// # Errors
    /// [`Error::Rmm`].
    pub fn statistics(&self) -> Result<Self> {
        Self::make(self.handle.shim, "statistics", |shim, out| {
            // SAFETY: the upstream is alive and `out` is valid for writes.
            unsafe { shim.columnade_rmm_make_statistics(self.raw(), out) }
        })
    }

    /// Records every outstanding allocation; [`outstanding`](Self::outstanding) returns them.
    ///
    /// # Errors
    /// [`Error::Rmm`].
    pub fn tracking(&self) -> Result<Self> {
        Self::make(self.handle.shim, "tracking", |shim, out| {
            // SAFETY: the upstream is alive and `out` is valid for writes.
            unsafe { shim.columnade_rmm_make_tracking(self.raw(), out) }
        })
    }

    /// Calls `failure` with the requested bytes if this resource is out of memory, and retries as long as it
    /// returns `true`. No lock of RMM is held during the call, several threads may call at once, and only
    /// `failure` limits the number of retries. A panic counts as `false`.
    ///
    /// # Errors
    /// [`Error::Rmm`].
    pub fn failure_callback(&self, failure: impl Fn(usize) -> bool + Send + Sync + 'static) -> Result<Self> {
        let failure: OnFailure = Box::new(failure);
        Self::make(self.handle.shim, "failure_callback", |shim, out| {
            // SAFETY: the upstream is alive; the functions expect a state that is an `OnFailure`, which the
            // shim owns from here on; `out` is valid for writes.
            unsafe {
                shim.columnade_rmm_make_failure_callback(
                    self.raw(),
                    Some(callback::on_failure),
                    callback::into_state(failure),
                    Some(callback::drop_state::<OnFailure>),
                    out,
                )
            }
        })
    }

    /// Allocates `bytes` bytes, aligned to [`ALIGNMENT`], for work on `stream` from now on.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Rmm`].
    ///
    /// # Safety
    /// `stream` is a stream of the resource's device, or null.
    pub unsafe fn allocate(&self, bytes: usize, stream: Stream) -> Result<NonNull<u8>> {
        let mut memory: *mut c_void = ptr::null_mut();
        // SAFETY: the handle is alive, the stream is valid by the caller's promise, and the result is valid
        // for writes.
        let status = unsafe {
            self.handle.shim.columnade_rmm_allocate(self.raw(), bytes, ALIGNMENT, stream, &raw mut memory)
        };
        check(self.handle.shim, "allocate", bytes, status)?;
        NonNull::new(memory.cast()).ok_or(Error::OutOfMemory { bytes })
    }

    /// Frees memory after the earlier work on `stream`.
    ///
    /// # Errors
    /// [`Error::Rmm`].
    ///
    /// # Safety
    /// `memory` came from [`allocate`](Self::allocate) of this resource with the same `bytes`, was not freed
    /// before, and work on streams other than `stream` no longer uses it.
    pub unsafe fn deallocate(&self, memory: NonNull<u8>, bytes: usize, stream: Stream) -> Result<()> {
        let memory = memory.as_ptr().cast();
        // SAFETY: the handle is alive; memory and stream are valid by the caller's promise.
        let status = unsafe {
            self.handle.shim.columnade_rmm_deallocate(self.raw(), memory, bytes, ALIGNMENT, stream)
        };
        check(self.handle.shim, "deallocate", bytes, status)
    }

    /// The counters of a [statistics](Self::statistics) resource.
    ///
    /// # Errors
    /// [`Error::Rmm`] for any other resource.
    pub fn counters(&self) -> Result<Statistics> {
        let zero = ffi::columnade_rmm_counter { current: 0, peak: 0, total: 0 };
        let (mut bytes, mut allocations) = (zero, zero);
        // SAFETY: the handle is alive and both results are valid for writes.
        let status = unsafe {
            self.handle.shim.columnade_rmm_counters(self.raw(), &raw mut bytes, &raw mut allocations)
        };
        check(self.handle.shim, "counters", 0, status)?;
        Ok(Statistics { bytes: bytes.into(), allocations: allocations.into() })
    }

    /// The outstanding allocations of a [tracking](Self::tracking) resource.
    ///
    /// # Errors
    /// [`Error::Rmm`] for any other resource.
    pub fn outstanding(&self) -> Result<Outstanding> {
        let (mut bytes, mut report) = (0, ptr::null());
        // SAFETY: the handle is alive and both results are valid for writes.
        let status = unsafe {
            self.handle.shim.columnade_rmm_outstanding(self.raw(), &raw mut bytes, &raw mut report)
        };
        check(self.handle.shim, "outstanding", 0, status)?;
        // SAFETY: the shim set the report to a string that stays valid until this thread's next call.
        let report = unsafe { CStr::from_ptr(report) }.to_string_lossy().into_owned();
        Ok(Outstanding { bytes, report })
    }

    /// The bytes that a [CUDA-asynchronous](Self::cuda_async) resource has reserved and uses.
    ///
    /// # Errors
    /// [`Error::Rmm`] for any other resource, or if CUDA fails.
    pub fn pool_usage(&self) -> Result<PoolUsage> {
        let (mut reserved, mut used) = (0, 0);
        // SAFETY: the handle is alive and both results are valid for writes.
        let status = unsafe {
            self.handle.shim.columnade_rmm_pool_usage(self.raw(), &raw mut reserved, &raw mut used)
        };
        check(self.handle.shim, "pool_usage", 0, status)?;
        Ok(PoolUsage { reserved, used })
    }

    /// Returns unused memory of a [CUDA-asynchronous](Self::cuda_async) resource to the device, keeping `keep`
    /// bytes.
    ///
    /// # Errors
    /// [`Error::Rmm`] for any other resource, or if CUDA fails.
    pub fn trim(&self, keep: usize) -> Result<()> {
        // SAFETY: the handle is alive.
        let status = unsafe { self.handle.shim.columnade_rmm_trim(self.raw(), keep) };
        check(self.handle.shim, "trim", 0, status)
    }

    fn raw(&self) -> *mut ffi::columnade_rmm_resource {
        self.handle.raw.as_ptr()
    }

    /// Wraps the handle that `call` makes.
    fn make(
        shim: &'static ffi::Shim,
        name: &'static str,
        call: impl FnOnce(&ffi::Shim, Out) -> ffi::columnade_rmm_status,
    ) -> Result<Self> {
        Self::sized(shim, name, 0, call)
    }

    /// Like [`make`](Self::make), for a resource that allocates `bytes` at once.
    fn sized(
        shim: &'static ffi::Shim,
        name: &'static str,
        bytes: usize,
        call: impl FnOnce(&ffi::Shim, Out) -> ffi::columnade_rmm_status,
    ) -> Result<Self> {
        let mut raw = ptr::null_mut();
        let status = call(shim, &raw mut raw);
        check(shim, name, bytes, status)?;
        let missing = || Error::Rmm { call: name, text: "no handle was made".into() };
        let raw = NonNull::new(raw).ok_or_else(missing)?;
        Ok(Self { handle: Arc::new(Handle { shim, raw, name }) })
    }
}

impl From<ffi::columnade_rmm_counter> for Counter {
    fn from(counter: ffi::columnade_rmm_counter) -> Self {
        Self { current: counter.current, peak: counter.peak, total: counter.total }
    }
}

/// A size for the shim; null for `None`.
fn optional(value: Option<&usize>) -> *const usize {
    value.map_or(ptr::null(), ptr::from_ref)
}
