//! GPUs, through the CUDA driver.
//!
//! The driver is opened on first use, so a program starts without one. Each GPU's primary context is retained
//! until the process ends and bound to the calling thread before every call. The CUDA runtimes linked into
//! kernels and into RMM follow it, so `cudaSetDevice` is never called.

#[cfg(test)]
mod tests;

use std::ffi::c_void;

use cudarc::driver::{CudaContext, DriverError, result, sys};

use super::{Backend, CopyKind, MemoryInfo, forks};
use crate::resource::{Rmm, Statistics};
use crate::sync::Arc;
use crate::sync::global::{LazyLock, OnceLock};
use crate::{Device, Error, MemoryResource, Result};

/// The CUDA release that kernels are compiled with, in the driver's encoding: 1000 × major + 10 × minor.
const TOOLKIT_VERSION: i32 = 13_000;

/// The GPUs of this machine, or why there are none.
static GPUS: LazyLock<Result<Vec<Gpu>, String>> = LazyLock::new(find);

/// Set when the driver has been opened, to the number of [`forks`] then.
static OPENED: OnceLock<u32> = OnceLock::new();

const AFTER_FORK: &str = "the process was forked after it had started CUDA, which works in the parent only: fork before the \
                          first use of a GPU, or start a new process";

/// Whether a parent of this process has opened the driver: it refuses all calls here.
fn is_of_parent() -> bool {
    OPENED.get().is_some_and(|&opened| opened != forks())
}

/// How many GPUs there are; an error says why there are none.
pub(crate) fn count() -> Result<u32> {
    let gpus = GPUS.as_ref().map_err(|reason| missing(0, reason.clone()))?;
    Ok(u32::try_from(gpus.len()).unwrap_or(u32::MAX))
}

/// The GPU of this ordinal.
pub(crate) fn backend(ordinal: u32) -> Result<&'static dyn Backend> {
    gpu(ordinal).map(|gpu| gpu as &dyn Backend)
}

/// Makes the GPU's primary context the calling thread's current one.
pub(crate) fn bind(ordinal: u32) -> Result<()> {
    gpu(ordinal)?.bind().map(drop)
}

/// The GPU's compute capability, major and minor.
pub(crate) fn compute_capability(ordinal: u32) -> Result<(u32, u32)> {
    let gpu = gpu(ordinal)?;
    let ask = || {
        let (major, minor) =
            gpu.bind()?.compute_capability().map_err(|error| gpu.error("cuDeviceGetAttribute", error))?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    };
    gpu.capability.get_or_init(ask).clone()
}

/// The context that is current on a thread; null if none is.
pub(super) struct Current(sys::CUcontext);

// Must be restored on the thread that it was read on: the raw pointer makes this type `!Send`.
impl Current {
    /// The context of this thread; `None` if this library has not opened the driver and so cannot have
    /// changed it.
    pub(super) fn of_this_thread() -> Option<Self> {
        OPENED.get().filter(|&&opened| opened == forks())?;
        let context = result::ctx::get_current().ok()?;
        Some(Self(context.unwrap_or(std::ptr::null_mut())))
    }

    /// Makes it current on this thread again. A driver that is being unloaded may refuse; the error is
    /// ignored.
    pub(super) fn make_current(&self) {
        // SAFETY: the context was current when it was read. A program must not destroy a context that is
        // current on a thread and then use it there, and the driver refuses a context that it does not know.
        // Null is allowed.
        let _ = unsafe { result::ctx::set_current(self.0) };
    }
}

/// A GPU's default resource: RMM's stream-ordered pool, with statistics.
pub(crate) fn first_resource(ordinal: u32) -> Result<Arc<dyn MemoryResource>> {
    Ok(Arc::new(Statistics::new(Arc::new(Rmm::cuda_async(ordinal, None, None)?))))
}

fn gpu(ordinal: u32) -> Result<&'static Gpu> {
    let gpus = GPUS.as_ref().map_err(|reason| missing(ordinal, reason.clone()))?;
    if is_of_parent() {
        return Err(missing(ordinal, AFTER_FORK.to_owned()));
    }
    let found = usize::try_from(ordinal).ok().and_then(|ordinal| gpus.get(ordinal));
    found.ok_or_else(|| missing(ordinal, format!("the driver has {} devices", gpus.len())))
}

fn missing(ordinal: u32, reason: String) -> Error {
    Error::NoDevice { device: Device::Cuda(ordinal), reason }
}

/// Enumerates the driver's devices. No context is made.
fn find() -> Result<Vec<Gpu>, String> {
    let said = |error: DriverError| format!("the CUDA driver does not start: {}", describe(error));
    // SAFETY: opening the driver's library runs its initialisers, which have no preconditions. cudarc panics
    // where the library is missing, so this comes before any other call.
    if !unsafe { sys::is_culib_present() } {
        return Err("no CUDA driver is installed".to_owned());
    }
    let mut version = 0;
    // SAFETY: writes one number to a place for one; allowed before the driver is initialised.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().map_err(said)?;
    if version < TOOLKIT_VERSION {
        return Err(format!(
            "the CUDA driver is for CUDA {}, and this program needs {} or newer",
            release(version),
            release(TOOLKIT_VERSION)
        ));
    }
    result::init().map_err(said)?;
    let _ = OPENED.set(forks());
    let count = u32::try_from(result::device::get_count().map_err(said)?).unwrap_or(0);
    if count == 0 {
        return Err("the CUDA driver has no device".to_owned());
    }
    Ok((0..count)
        .map(|ordinal| Gpu { ordinal, context: OnceLock::new(), capability: OnceLock::new() })
        .collect())
}

fn release(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

/// The driver's name and description of an error.
fn describe(error: DriverError) -> String {
    match (error.error_name(), error.error_string()) {
        (Ok(name), Ok(text)) => format!("{}: {}", name.to_string_lossy(), text.to_string_lossy()),
        _ => "an error that the driver has no name for".to_owned(),
    }
}

/// One GPU.
struct Gpu {
    ordinal: u32,
    /// Never dropped: that would release the primary context while other code may use it.
    context: OnceLock<Result<Arc<CudaContext>, Error>>,
    capability: OnceLock<Result<(u32, u32), Error>>,
}

impl Gpu {
    /// Makes the primary context, once, and binds it to this thread.
    fn bind(&self) -> Result<&CudaContext> {
        let make = || {
            let context = CudaContext::new(usize::try_from(self.ordinal).unwrap_or(usize::MAX));
            let context = context.map_err(|error| self.error("cuDevicePrimaryCtxRetain", error))?;
            // `Stream` orders work; cudarc's tracking would record an event for every use.
            // SAFETY: cudarc allocates no memory and no stream in this context, so nothing relies on the
            // tracking.
            unsafe { context.disable_event_tracking() };
            Ok(context)
        };
        let context = self.context.get_or_init(make).as_ref().map_err(Clone::clone)?;
        context.bind_to_thread().map_err(|error| self.error("cuCtxSetCurrent", error))?;
        Ok(context)
    }

    /// Calls the driver with this GPU's context current.
    fn call<T>(
        &self,
        name: &'static str,
        call: impl FnOnce() -> std::result::Result<T, DriverError>,
    ) -> Result<T> {
        self.bind()?;
        call().map_err(|error| self.error(name, error))
    }

    /// Whether the GPU can read memory that the driver knows nothing of.
    fn reads_host_memory(&self) -> Result<bool> {
        let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS;
        let found = self.bind()?.attribute(attribute);
        found.map(|value| value != 0).map_err(|error| self.error("cuDeviceGetAttribute", error))
    }

    fn error(&self, call: &'static str, error: DriverError) -> Error {
        let device = Device::Cuda(self.ordinal);
        Error::Device { device, call, code: error.0 as i32, text: describe(error) }
    }
}

// SAFETY: each method is the driver's function of that name, which keeps stream order; the context of the
// handles is bound first.
unsafe impl Backend for Gpu {
    fn stream_create(&self) -> Result<*mut c_void> {
        let kind = result::stream::StreamKind::NonBlocking;
        self.call("cuStreamCreate", || result::stream::create(kind)).map(<*mut _>::cast)
    }

    unsafe fn stream_destroy(&self, stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call("cuStreamDestroy", || unsafe { result::stream::destroy(stream.cast()) })
    }

    unsafe fn stream_synchronize(&self, stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call("cuStreamSynchronize", || unsafe { result::stream::synchronize(stream.cast()) })
    }

    unsafe fn stream_wait_event(&self, stream: *mut c_void, event: *mut c_void) -> Result<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        self.call("cuStreamWaitEvent", || {
            // SAFETY: the caller's promise.
            unsafe { result::stream::wait_event(stream.cast(), event.cast(), flags) }
        })
    }

    fn event_create(&self) -> Result<*mut c_void> {
        let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING;
        self.call("cuEventCreate", || result::event::create(flags)).map(<*mut _>::cast)
    }

    unsafe fn event_destroy(&self, event: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call("cuEventDestroy", || unsafe { result::event::destroy(event.cast()) })
    }

    unsafe fn event_record(&self, event: *mut c_void, stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call("cuEventRecord", || unsafe { result::event::record(event.cast(), stream.cast()) })
    }

    unsafe fn event_query(&self, event: *mut c_void) -> Result<bool> {
        // SAFETY: the caller's promise.
        self.call("cuEventQuery", || match unsafe { result::event::query(event.cast()) } {
            Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_READY)) => Ok(false),
            done => done.map(|()| true),
        })
    }

    unsafe fn event_record_all(&self, event: *mut c_void) -> Result<bool> {
        let Some(record) = *CONTEXT_RECORD_EVENT else { return Ok(false) };
        let context = self.bind()?.cu_ctx();
        self.call("cuCtxRecordEvent", || {
            // SAFETY: the context is held until the process ends, the event is live by the caller's promise.
            unsafe { record(context, event.cast()) }.result()
        })?;
        Ok(true)
    }

    unsafe fn event_synchronize(&self, event: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call("cuEventSynchronize", || unsafe { result::event::synchronize(event.cast()) })
    }

    unsafe fn copy(
        &self,
        target: *mut u8,
        source: *const u8,
        bytes: usize,
        kind: CopyKind,
        stream: *mut c_void,
    ) -> Result<()> {
        let stream: sys::CUstream = stream.cast();
        // The driver functions that take addresses, not slices: the host side is borrowed until the copy has
        // run, and a slice would end with this call.
        match kind {
            CopyKind::HostToDevice => self.call("cuMemcpyHtoDAsync", || {
                // SAFETY: the caller's promise.
                unsafe { sys::cuMemcpyHtoDAsync_v2(address(target), source.cast(), bytes, stream) }.result()
            }),
            CopyKind::DeviceToHost => self.call("cuMemcpyDtoHAsync", || {
                // SAFETY: the caller's promise.
                unsafe { sys::cuMemcpyDtoHAsync_v2(target.cast(), address(source), bytes, stream) }.result()
            }),
            CopyKind::WithinDevice => self.call("cuMemcpyDtoDAsync", || {
                // SAFETY: the caller's promise.
                unsafe { result::memcpy_dtod_async(address(target), address(source), bytes, stream) }
            }),
            CopyKind::ByAddress => self.call("cuMemcpyAsync", || {
                // SAFETY: the caller's promise.
                unsafe { sys::cuMemcpyAsync(address(target), address(source), bytes, stream) }.result()
            }),
        }
    }

    unsafe fn fill(&self, target: *mut u8, value: u8, bytes: usize, stream: *mut c_void) -> Result<()> {
        self.call("cuMemsetD8Async", || {
            // SAFETY: the caller's promise.
            unsafe { result::memset_d8_async(address(target), value, bytes, stream.cast()) }
        })
    }

    unsafe fn register_host(&self, address: *mut u8, bytes: usize) -> Result<()> {
        self.call("cuMemHostRegister", || {
            // SAFETY: the caller's promise.
            unsafe { sys::cuMemHostRegister_v2(address.cast(), bytes, sys::CU_MEMHOSTREGISTER_PORTABLE) }
                .result()
        })
    }

    unsafe fn unregister_host(&self, address: *mut u8) -> Result<()> {
        self.call("cuMemHostUnregister", || {
            // SAFETY: the caller's promise.
            unsafe { sys::cuMemHostUnregister(address.cast()) }.result()
        })
    }

    fn memory_info(&self) -> Result<MemoryInfo> {
        let (free, total) = self.call("cuMemGetInfo", result::mem_get_info)?;
        Ok(MemoryInfo { free, total })
    }

    fn readable_bytes(&self, address: usize) -> Result<Option<usize>> {
        let (mut start, mut bytes) = (0_usize, 0_usize);
        let mut attributes = [
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        ];
        let mut values: [*mut c_void; 2] = [(&raw mut start).cast(), (&raw mut bytes).cast()];
        self.call("cuPointerGetAttributes", || {
            // SAFETY: writes an address and a size to places for them. An address that is not the driver's gets zeros.
            unsafe {
                sys::cuPointerGetAttributes(
                    2,
                    attributes.as_mut_ptr(),
                    values.as_mut_ptr(),
                    address as sys::CUdeviceptr,
                )
            }
            .result()
        })?;
        let inside = address.checked_sub(start).and_then(|offset| bytes.checked_sub(offset));
        match inside {
            Some(left @ 1..) => Ok(Some(left)),
            _ if self.reads_host_memory()? => Ok(None),
            _ => Ok(Some(0)),
        }
    }

    fn synchronize(&self) -> Result<()> {
        self.call("cuCtxSynchronize", result::ctx::synchronize)
    }
}

/// `cuCtxRecordEvent`, of CUDA 12.5 and later. Looked up here because cudarc panics if the driver lacks it.
static CONTEXT_RECORD_EVENT: LazyLock<Option<ContextRecordEvent>> = LazyLock::new(|| {
    // SAFETY: the driver is open, because a context exists; the type is that of the function's declaration in
    // `cuda.h`. The driver stays loaded until the process ends.
    unsafe { sys::culib().get::<ContextRecordEvent>(b"cuCtxRecordEvent\0") }.ok().map(|found| *found)
});

type ContextRecordEvent = unsafe extern "C" fn(sys::CUcontext, sys::CUevent) -> sys::CUresult;

/// A device address in the driver's type.
fn address(pointer: *const u8) -> sys::CUdeviceptr {
    pointer.addr() as sys::CUdeviceptr
}
