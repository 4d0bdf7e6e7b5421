//! The host as a device: every call is done when it returns, and handles are null.

use std::ffi::c_void;
use std::ptr;

use super::{Backend, CopyKind, MemoryInfo};
use crate::Result;

/// The host's backend.
pub(crate) struct HostBackend;

// SAFETY: copies and fills are the standard library's, on the named ranges. Nothing is queued, so there is
// nothing to wait for.
unsafe impl Backend for HostBackend {
    fn stream_create(&self) -> Result<*mut c_void> {
        Ok(ptr::null_mut())
    }

    unsafe fn stream_destroy(&self, _stream: *mut c_void) -> Result<()> {
        Ok(())
    }

    unsafe fn stream_synchronize(&self, _stream: *mut c_void) -> Result<()> {
        Ok(())
    }

    unsafe fn stream_wait_event(&self, _stream: *mut c_void, _event: *mut c_void) -> Result<()> {
        Ok(())
    }

    fn event_create(&self) -> Result<*mut c_void> {
        Ok(ptr::null_mut())
    }

    unsafe fn event_destroy(&self, _event: *mut c_void) -> Result<()> {
        Ok(())
    }

    unsafe fn event_record(&self, _event: *mut c_void, _stream: *mut c_void) -> Result<()> {
        Ok(())
    }

    unsafe fn event_query(&self, _event: *mut c_void) -> Result<bool> {
        Ok(true)
    }

    unsafe fn event_record_all(&self, _event: *mut c_void) -> Result<bool> {
        Ok(true)
    }

    unsafe fn event_synchronize(&self, _event: *mut c_void) -> Result<()> {
        Ok(())
    }

    unsafe fn copy(
        &self,
        target: *mut u8,
        source: *const u8,
        bytes: usize,
        _kind: CopyKind,
        _stream: *mut c_void,
    ) -> Result<()> {
        // SAFETY: the caller promises both ranges, and that they do not overlap.
        unsafe { ptr::copy_nonoverlapping(source, target, bytes) };
        Ok(())
    }

    unsafe fn fill(&self, target: *mut u8, value: u8, bytes: usize, _stream: *mut c_void) -> Result<()> {
        // SAFETY: the caller promises the range.
        unsafe { ptr::write_bytes(target, value, bytes) };
        Ok(())
    }

    fn memory_info(&self) -> Result<MemoryInfo> {
        Ok(memory_info())
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }
}

/// Free and total memory of the machine; zeros if the system does not report them.
#[cfg(not(miri))]
pub(crate) fn memory_info() -> MemoryInfo {
    let pages = |name| {
        // SAFETY: `sysconf` reads a number; it takes any name and has no other effect.
        usize::try_from(unsafe { libc::sysconf(name) }).unwrap_or(0)
    };
    let page_bytes = pages(libc::_SC_PAGESIZE);
    let bytes = |name| pages(name).saturating_mul(page_bytes);
    MemoryInfo { free: bytes(libc::_SC_AVPHYS_PAGES), total: bytes(libc::_SC_PHYS_PAGES) }
}

/// Miri does not support `sysconf` for memory.
#[cfg(miri)]
pub(crate) fn memory_info() -> MemoryInfo {
    MemoryInfo { free: 1 << 30, total: 1 << 30 }
}
