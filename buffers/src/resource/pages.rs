//! Blocks of host memory from the system.
//!
//! Small blocks come from the global allocator, zeroed. Larger ones are mapped; from 2 MiB on they are
//! aligned to 2 MiB and use huge pages, because 4 KiB pages cost ten times the faults. Either way the memory
//! is initialised.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Alignment of every block, a cache line.
const ALIGNMENT: usize = 64;

/// Blocks of at least this size are mapped.
pub(crate) const MAPPED_FROM: usize = 128 << 10;

#[cfg(not(miri))]
const HUGE_PAGE: usize = 2 << 20;

/// A block of `bytes` bytes (not 0; whole pages from [`MAPPED_FROM`] on), or `None` if the system is out of
/// memory.
pub(crate) fn allocate(bytes: usize) -> Option<NonNull<u8>> {
    if is_mapped(bytes) {
        return map(bytes);
    }
    // SAFETY: classes are larger than zero.
    NonNull::new(unsafe { alloc_zeroed(layout(bytes)?) })
}

/// Returns a block to the system.
///
/// # Safety
///
/// `address` came from [`allocate`] with the same `bytes` and is not used any more.
pub(crate) unsafe fn free(address: NonNull<u8>, bytes: usize) {
    if is_mapped(bytes) {
        // SAFETY: the caller's promise.
        unsafe { unmap(address, bytes) };
    } else if let Some(layout) = layout(bytes) {
        // SAFETY: allocated with this layout, which was valid then.
        unsafe { dealloc(address.as_ptr(), layout) };
    }
}

/// Zeroed bytes, aligned to pages of 4 KiB, or `None` if the system is out of memory. `bytes` is a multiple of that.
pub(crate) fn allocate_pages(bytes: usize) -> Option<NonNull<u8>> {
    // SAFETY: `bytes` is not zero.
    NonNull::new(unsafe { alloc_zeroed(page_layout(bytes)?) })
}

/// Returns memory of [`allocate_pages`].
///
/// # Safety
///
/// `address` came from [`allocate_pages`] with the same `bytes` and is not used any more.
pub(crate) unsafe fn free_pages(address: NonNull<u8>, bytes: usize) {
    if let Some(layout) = page_layout(bytes) {
        // SAFETY: allocated with this layout, which was valid then.
        unsafe { dealloc(address.as_ptr(), layout) };
    }
}

fn page_layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, 4096).ok()
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, ALIGNMENT).ok()
}

fn is_mapped(bytes: usize) -> bool {
    // Miri has no huge pages and no partial unmapping.
    !cfg!(miri) && bytes >= MAPPED_FROM
}

#[cfg(not(miri))]
fn map(bytes: usize) -> Option<NonNull<u8>> {
    if bytes < HUGE_PAGE {
        return map_pages(bytes);
    }
    let reserved = bytes.checked_add(HUGE_PAGE)?;
    let start = map_pages(reserved)?;
    let head = start.as_ptr().align_offset(HUGE_PAGE);
    let tail = reserved - head - bytes;
    // SAFETY: `head` is less than a huge page, by which the mapping is longer than `bytes`; both cut-off
    // parts are whole pages of the mapping that were never shared.
    unsafe {
        let address = start.add(head);
        if head > 0 {
            unmap(start, head);
        }
        if tail > 0 {
            unmap(address.add(bytes), tail);
        }
        // Advice only: without huge pages everything works, but slower.
        #[cfg(target_os = "linux")]
        libc::madvise(address.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
        Some(address)
    }
}

#[cfg(not(miri))]
fn map_pages(bytes: usize) -> Option<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new anonymous mapping at an address of the system's choice touches no existing memory.
    let address = unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, flags, -1, 0) };
    if address == libc::MAP_FAILED { None } else { NonNull::new(address.cast()) }
}

#[cfg(not(miri))]
unsafe fn unmap(address: NonNull<u8>, bytes: usize) {
    // SAFETY: the caller passes whole pages of a mapping that is not used any more. The call fails only if
    // the process has too many mappings; the pages are then leaked.
    unsafe { libc::munmap(address.as_ptr().cast(), bytes) };
}

#[cfg(miri)]
fn map(_bytes: usize) -> Option<NonNull<u8>> {
    None
}

#[cfg(miri)]
unsafe fn unmap(_address: NonNull<u8>, _bytes: usize) {}
