//! Host memory from the system, optionally page-locked for a device.

use std::ptr::NonNull;

use crate::device::{backend, defer};
use crate::resource::pages;
use crate::{Device, Error, Result, Tier};

/// How host memory is prepared before use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preparation {
    /// Not at all: pages are committed on first touch.
    None,
    /// Every page is touched, and the memory is page-locked for the device's copies.
    PageLocked(Device),
}

/// Whole pages of host memory, initialised, whose address is a multiple of [`PAGE_BYTES`].
#[derive(Debug)]
pub(super) struct Memory {
    address: NonNull<u8>,
    bytes: usize,
    preparation: Preparation,
}

/// The alignment of addresses and offsets for direct file I/O.
pub(super) const PAGE_BYTES: usize = 4096;

/// From this size on, several threads touch the pages.
const TOUCHED_ALONE: usize = 8 << 20;
/// More threads are not faster.
const TOUCHING_THREADS: usize = 8;

// SAFETY: only this value uses the memory; its address is valid on every thread.
unsafe impl Send for Memory {}
// SAFETY: a shared `Memory` allows reading its address only.
unsafe impl Sync for Memory {}

impl Memory {
    /// `bytes` bytes, at least 128 KiB.
    pub(super) fn new(bytes: usize, preparation: Preparation) -> Result<Self> {
        debug_assert!(bytes.is_multiple_of(PAGE_BYTES) && bytes >= pages::MAPPED_FROM);
        let refused = || Error::Storage {
            tier: if preparation == Preparation::None { Tier::Pageable } else { Tier::Pinned },
            operation: "reserve",
            bytes,
            reason: "the system has no memory".to_owned(),
        };
        let address = pages::allocate(bytes).ok_or_else(refused)?;
        let mut memory = Self { address, bytes, preparation: Preparation::None };
        if let Preparation::PageLocked(device) = preparation {
            memory.touch();
            // SAFETY: the memory is whole pages of a mapping that lives until `drop`, which unregisters it first.
            unsafe { backend(device)?.register_host(address.as_ptr(), bytes)? };
            memory.preparation = preparation;
        }
        Ok(memory)
    }

    pub(super) fn address(&self) -> NonNull<u8> {
        self.address
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: the bytes are initialised and used by this value alone, which is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.address.as_ptr(), self.bytes) }
    }

    /// Commits every page, because page-locking would do so on one thread.
    fn touch(&mut self) {
        fn touch(pages: &mut [u8]) {
            // Volatile, because a write of the current value could be optimised away.
            let touch = |page: &mut [u8]| {
                // SAFETY: a reference to the first byte of a chunk, which is never empty.
                unsafe { std::ptr::write_volatile(&raw mut page[0], 0) }
            };
            pages.chunks_mut(PAGE_BYTES).for_each(touch);
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(TOUCHING_THREADS);
        let pages = self.as_mut_slice();
        if threads == 1 || pages.len() <= TOUCHED_ALONE {
            return touch(pages);
        }
        let share = pages.len().div_ceil(threads).next_multiple_of(PAGE_BYTES);
        std::thread::scope(|scope| {
            for part in pages.chunks_mut(share) {
                // If a thread cannot be started, page-locking commits its pages.
                drop(std::thread::Builder::new().spawn_scoped(scope, || touch(part)));
            }
        });
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Preparation::PageLocked(device) = self.preparation {
            // SAFETY: registered in `new` with this address; copies that use it have run, which the users of
            // the memory ensure.
            let unregistered =
                backend(device).and_then(|backend| unsafe { backend.unregister_host(self.address.as_ptr()) });
            if let Err(error) = unregistered {
                // Memory that may still be registered is leaked, not reused.
                return defer(device, error);
            }
        }
        // SAFETY: allocated in `new` with the same size; nothing uses the address any more.
        unsafe { pages::free(self.address, self.bytes) };
    }
}
