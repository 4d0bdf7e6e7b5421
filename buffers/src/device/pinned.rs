//! Page-locked host memory for the few words that an operation reads back.

use std::ptr::NonNull;

use super::{backend, defer};
use crate::resource::pages;
use crate::sync::global::Mutex;
use crate::{Device, Error, Result};

/// Pages of earlier users. Page-locking takes longer than the copy that it is for.
static FREE: Mutex<Vec<(Device, Page)>> = Mutex::new(Vec::new());

/// Host memory that copies of one device run to and from without a copy in the driver.
#[derive(Debug)]
pub struct PinnedMemory {
    device: Device,
    page: Page,
}

#[derive(Clone, Copy, Debug)]
struct Page {
    address: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory has one user, the holder of the value; its address is valid on every thread.
unsafe impl Send for Page {}

impl PinnedMemory {
    /// The least that is allocated, and what is kept for reuse.
    pub(crate) const PAGE_BYTES: usize = 4096;

    /// At least `bytes` bytes, from those that are free or page-locked now.
    pub(crate) fn new(bytes: usize, device: Device) -> Result<Self> {
        let bytes = bytes.max(1).next_multiple_of(Self::PAGE_BYTES);
        if bytes == Self::PAGE_BYTES {
            let mut free = FREE.lock();
            if let Some(position) = free.iter().position(|(of, _)| *of == device) {
                return Ok(Self { device, page: free.swap_remove(position).1 });
            }
        }
        let address = pages::allocate_pages(bytes).ok_or(Error::out_of_memory(Device::Host, bytes))?;
        // SAFETY: whole pages that stay allocated until they are unregistered.
        match unsafe { backend(device).and_then(|backend| backend.register_host(address.as_ptr(), bytes)) } {
            Ok(()) => Ok(Self { device, page: Page { address, bytes } }),
            Err(error) => {
                // SAFETY: allocated above with this size, and not registered.
                unsafe { pages::free_pages(address, bytes) };
                Err(error)
            }
        }
    }

    /// The first byte, aligned to a page. Copies that use the memory must have run when the value is dropped.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.page.address.as_ptr()
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        let Page { address, bytes } = self.page;
        if bytes == Self::PAGE_BYTES {
            FREE.lock().push((self.device, self.page));
            return;
        }
        // SAFETY: registered in `new`; the users of the memory have waited for their copies.
        match unsafe { backend(self.device).and_then(|backend| backend.unregister_host(address.as_ptr())) } {
            // SAFETY: allocated in `new` with this size.
            Ok(()) => unsafe { pages::free_pages(address, bytes) },
            // Memory that may still be registered is leaked, not reused.
            Err(error) => defer(self.device, error),
        }
    }
}
