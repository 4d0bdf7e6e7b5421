//! Order of work between streams of this library and streams of others.

use std::ffi::c_void;

use crate::device::{CopyKind, EventHandle, copy};
use crate::{Event, Result, Stream};

impl Event {
    /// Makes the work queued from now on on a stream of somebody else's wait for this mark. The host does not wait; of
    /// an event of the host's nothing is done.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) when the driver refuses.
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
    /// Makes the work queued on this stream from now on wait for the work queued on a stream of somebody else's until
    /// now. The host does not wait; on a stream of the host nothing is done.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) when the driver refuses.
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

    /// Queues a copy of `bytes` bytes between addresses of somebody else's, each on the host or on this stream's device.
    /// The host does not wait, but for the driver to read pageable memory; on a stream of the host the copy is done on
    /// return.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) when the driver refuses.
    ///
    /// # Safety
    ///
    /// When the copy runs, `source` can be read and `target` be written for `bytes` bytes, they do not overlap, and
    /// nobody else writes either or reads `target`.
    pub unsafe fn copy_raw(&self, target: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise; the stream is live as long as `self`.
        unsafe { copy(self.device(), target, source, bytes, CopyKind::ByAddress, self.as_raw()) }
    }
}
