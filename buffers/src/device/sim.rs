//! The CUDA simulator as a device.

use std::ffi::{CStr, c_void};
use std::ptr;

use columnade_sim_sys as sys;

use super::host::memory_info;
use super::{Backend, CopyKind, MemoryInfo};
use crate::{Device, Error, Result};

/// The simulator's backend.
pub(crate) struct SimBackend;

// SAFETY: each method is the simulator's function of that name, which keeps stream order.
unsafe impl Backend for SimBackend {
    fn stream_create(&self) -> Result<*mut c_void> {
        let mut stream = ptr::null_mut();
        // SAFETY: writes one handle to a place for one.
        check("cn_sim_stream_create", unsafe { sys::cn_sim_stream_create(&raw mut stream) })?;
        Ok(stream)
    }

    unsafe fn stream_destroy(&self, stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        check("cn_sim_stream_destroy", unsafe { sys::cn_sim_stream_destroy(stream) })
    }

    unsafe fn stream_synchronize(&self, stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        check("cn_sim_stream_synchronize", unsafe { sys::cn_sim_stream_synchronize(stream) })
    }

    unsafe fn stream_wait_event(&self, stream: *mut c_void, event: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        check("cn_sim_stream_wait_event", unsafe { sys::cn_sim_stream_wait_event(stream, event) })
    }

    fn event_create(&self) -> Result<*mut c_void> {
        let mut event = ptr::null_mut();
        // SAFETY: writes one handle to a place for one.
        check("cn_sim_event_create", unsafe { sys::cn_sim_event_create(&raw mut event) })?;
        Ok(event)
    }

    unsafe fn event_destroy(&self, event: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        check("cn_sim_event_destroy", unsafe { sys::cn_sim_event_destroy(event) })
    }

    unsafe fn event_record(&self, event: *mut c_void, stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        check("cn_sim_event_record", unsafe { sys::cn_sim_event_record(event, stream) })
    }

    unsafe fn event_query(&self, event: *mut c_void) -> Result<bool> {
        // SAFETY: the caller's promise.
        match unsafe { sys::cn_sim_event_query(event) } {
            sys::NOT_READY => Ok(false),
            code => check("cn_sim_event_query", code).map(|()| true),
        }
    }

    unsafe fn event_record_all(&self, event: *mut c_void) -> Result<bool> {
        // SAFETY: the caller's promise.
        check("cn_sim_context_record_event", unsafe { sys::cn_sim_context_record_event(event) })?;
        Ok(true)
    }

    unsafe fn event_synchronize(&self, event: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        check("cn_sim_event_synchronize", unsafe { sys::cn_sim_event_synchronize(event) })
    }

    unsafe fn copy(
        &self,
        target: *mut u8,
        source: *const u8,
        bytes: usize,
        kind: CopyKind,
        stream: *mut c_void,
    ) -> Result<()> {
        let kind = match kind {
            CopyKind::HostToDevice => sys::HOST_TO_DEVICE,
            CopyKind::DeviceToHost => sys::DEVICE_TO_HOST,
            CopyKind::WithinDevice => sys::DEVICE_TO_DEVICE,
            CopyKind::ByAddress => sys::BY_ADDRESS,
        };
        // SAFETY: the caller's promise.
        let code = unsafe { sys::cn_sim_memcpy_async(target.cast(), source.cast(), bytes, kind, stream) };
        check("cn_sim_memcpy_async", code)
    }

    unsafe fn fill(&self, target: *mut u8, value: u8, bytes: usize, stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller's promise.
        let code = unsafe { sys::cn_sim_memset_async(target.cast(), value, bytes, stream) };
        check("cn_sim_memset_async", code)
    }

    unsafe fn register_host(&self, address: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the simulator reads no registered memory.
        check("cn_sim_host_register", unsafe { sys::cn_sim_host_register(address.cast(), bytes) })
    }

    unsafe fn unregister_host(&self, address: *mut u8) -> Result<()> {
        // SAFETY: as above.
        check("cn_sim_host_unregister", unsafe { sys::cn_sim_host_unregister(address.cast()) })
    }

    fn memory_info(&self) -> Result<MemoryInfo> {
        Ok(memory_info())
    }

    fn readable_bytes(&self, address: usize) -> Result<Option<usize>> {
        // SAFETY: looks the address up in a table.
        Ok(Some(unsafe { sys::cn_sim_bytes_from(ptr::without_provenance(address)) }))
    }

    fn synchronize(&self) -> Result<()> {
        // SAFETY: takes nothing.
        check("cn_sim_context_synchronize", unsafe { sys::cn_sim_context_synchronize() })
    }
}

/// The simulator's code as a result.
pub(crate) fn check(call: &'static str, code: i32) -> Result<()> {
    if code == sys::SUCCESS {
        return Ok(());
    }
    // SAFETY: the simulator returns a text for every code, valid until this thread's next failure.
    let text = unsafe { CStr::from_ptr(sys::cn_sim_error_string(code)) };
    Err(Error::Device { device: Device::Sim, call, code, text: text.to_string_lossy().into_owned() })
}

/// The number of calls of the simulator's interface that this thread has made.
#[cfg(test)]
pub(crate) fn driver_calls() -> u64 {
    // SAFETY: reads a counter.
    unsafe { sys::cn_sim_driver_calls() }
}
