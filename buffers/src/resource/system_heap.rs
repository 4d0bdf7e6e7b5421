//! What the system's allocator keeps of memory that was freed. Buffers come from pools; decoders of files and other libraries
//! allocate from the system's heap.

use super::{find, resource_left};
use crate::{Device, Error, Exec, Result};

/// Allocations of fewer bytes are too many to ask for each.
const LARGE: usize = 128 << 10;

/// Whether the system has `bytes` bytes for a large vector. Where the address space or the data of the process has a limit, it
/// leaves some of that for collections and threads: the process aborts where the standard library is refused memory. Freed memory
/// that the host's pool keeps is given back for it. Small vectors are not refused here.
///
/// # Device
/// Under such a limit, a look at what the process has, some microseconds; and address space without a page.
pub fn system_has_memory(bytes: usize) -> bool {
    let is_left = || resource_left().is_none_or(|left| left >= bytes);
    let is_there = || is_left() && Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    // Freed columns are kept for others.
    let is_made = || find(Device::Host).is_some_and(|pool| pool.trim(usize::MAX) > 0) && is_there();
    bytes < LARGE || is_there() || is_made()
}

/// [`system_has_memory`] as an error.
///
/// # Errors
/// [`Error::OutOfMemory`] of the host.
pub fn require_system_memory(bytes: usize) -> Result<()> {
    if system_has_memory(bytes) {
        return Ok(());
    }
    Err(Error::OutOfMemory { device: Device::Host, requested: bytes, free: None, tier_refusal: None })
}

/// The bytes that the limit of the address space, or of the data, of this process leaves for large vectors; `None` without such a
/// limit. See [`system_has_memory`].
pub fn system_memory_left() -> Option<usize> {
    resource_left()
}

/// Gives the system back what its allocator keeps of memory that was freed, where the memory of `exec`'s device is the host's and
/// has a limit: the C library keeps it for itself otherwise, as much as was ever in use, beside the memory that the limit
/// counts. Elsewhere, and with other C libraries than GNU's, this does nothing.
///
/// # Device
/// A call of the system for each free part of the heap: some milliseconds for 100 MB.
pub fn return_freed_memory(exec: &Exec) {
    let limit = exec.resource().spill_manager().and_then(|manager| manager.limit());
    if exec.device() == Device::Host && limit.is_some() {
        trim();
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
fn trim() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> i32;
    }
    // SAFETY: malloc.h of the GNU C library declares `int malloc_trim(size_t pad)`; it may be called at any time and from any
    // thread, and changes no memory that is allocated.
    unsafe {
        malloc_trim(0);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
fn trim() {}
