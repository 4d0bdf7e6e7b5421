//! Ordering between streams of this library and foreign streams.

use std::ffi::c_void;

use crate::device::{CopyKind, EventHandle, copy};
use crate::{Event, Result, Stream};

impl Event {
    /// Makes work queued from now on on a foreign stream wait for this event. The host does not wait. A no-op
    /// for an event of the host.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) if the driver refuses.
    ///
    /// # Safety
    ///
    /// `stream` is a live stream of this event's device: a `CUstream` or `cudaStream_t` on a GPU, where 1 and 2 are the
    /// default streams.
    pub unsafe fn hold_back(&self, stream: *mut c_void) -> Result<()> {
        match self.handle() {
            None => Ok(()),
            // SAFETY: the caller's promise.
            Some(handle) => unsafe { handle.hold_back(stream) },
        }
    }
}

impl Stream {
    /// Makes work queued on this stream from now on wait for the work queued on a foreign stream so far. The
    /// host does not wait. A no-op on a stream of the host.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) if the driver refuses.
    ///
    /// # Safety
    ///
    /// As [`Event::hold_back`], of this stream's device.
    pub unsafe fn wait_for_raw(&self, stream: *mut c_void) -> Result<()> {
        match self.handle() {
            None => Ok(()),
            // SAFETY: the caller's promise.
            Some(handle) => handle.wait(&unsafe { EventHandle::record_on(self.device(), stream)? }),
        }
    }

    /// Queues a copy of `bytes` bytes between foreign addresses, each on the host or on this stream's device.
    /// The host does not wait, except for the driver to read pageable memory. On a stream of the host the
    /// copy is complete on return.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) if the driver refuses.
    ///
    /// # Safety
    ///
    /// When the copy runs, `source` is readable and `target` writable for `bytes` bytes, they do not overlap,
    /// and no other code writes to either or reads `target`.
    pub unsafe fn copy_raw(&self, target: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise; the stream is live as long as `self`.
        unsafe { copy(self.device(), target, source, bytes, CopyKind::ByAddress, self.as_raw()) }
    }
}
