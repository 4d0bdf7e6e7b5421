//! One 32-bit flag in device memory.

use std::ptr::NonNull;

use super::handle::{copy, fill};
use super::{CopyKind, PinnedMemory, defer};
use crate::sync::Arc;
use crate::{Admission, MemoryResource, PADDING_BYTES, Result, Stream};

/// A word of device memory that starts at zero.
///
/// It is not a [`Buffer`](crate::Buffer) because kernels of many operations set it and need no ordering among
/// themselves: all work on it is queued on the stream that it was made with.
#[derive(Debug)]
pub(crate) struct Word {
    address: NonNull<u8>,
    stream: Stream,
    resource: Arc<dyn MemoryResource>,
}

// SAFETY: `address` is only handed to the device, in the order of `stream`; the host never reads through
// it.
unsafe impl Send for Word {}
// SAFETY: as for `Send`.
unsafe impl Sync for Word {}

impl Word {
    /// A zeroed word on the stream's device, which is not the host.
    pub(crate) fn new(
        resource: &Arc<dyn MemoryResource>,
        stream: &Stream,
        admission: Admission,
    ) -> Result<Self> {
        let address = resource.allocate(PADDING_BYTES, stream, admission)?;
        let word = Self { address, stream: stream.clone(), resource: Arc::clone(resource) };
        word.clear()?;
        Ok(word)
    }

    pub(crate) fn as_ptr(&self) -> *mut u32 {
        self.address.as_ptr().cast()
    }

    /// Reads the word after all work queued on its stream; the host waits.
    pub(crate) fn load(&self) -> Result<u32> {
        let mut host = PinnedMemory::new(size_of::<u32>(), self.stream.device())?;
        // SAFETY: the allocation holds at least four bytes; `host` outlives the copy because the stream
        // is synchronised before this function returns, and on failure of that the device is lost.
        unsafe {
            copy(
                self.stream.device(),
                host.as_mut_ptr(),
                self.address.as_ptr(),
                size_of::<u32>(),
                CopyKind::DeviceToHost,
                self.stream.as_raw(),
            )?;
        }
        self.stream.synchronize()?;
        // SAFETY: page-locked memory is initialised, and the copy has run.
        Ok(u32::from_ne_bytes(unsafe { host.as_mut_ptr().cast::<[u8; 4]>().read() }))
    }

    /// Queues the setting of the word to zero.
    pub(crate) fn clear(&self) -> Result<()> {
        let stream = self.stream.as_raw();
        // SAFETY: the allocation holds at least four bytes, and all its users are queued on `stream`.
        unsafe { fill(self.stream.device(), self.address.as_ptr(), 0, size_of::<u32>(), stream) }
    }
}

impl Drop for Word {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this size from this resource; all uses are queued on `stream`.
        if let Err(error) = unsafe { self.resource.deallocate(self.address, PADDING_BYTES, &self.stream) } {
            defer(self.stream.device(), error);
        }
    }
}
