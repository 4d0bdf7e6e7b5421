//! Streams and events as owned, safe handles over a [`Backend`].

use std::ffi::c_void;

use super::{Backend, CopyKind, backend, defer};
use crate::failpoints::{Step, failpoint};
use crate::{Device, Error, Result};

/// A stream of a device other than the host; destroyed on drop.
pub(crate) struct StreamHandle {
    device: Device,
    backend: &'static dyn Backend,
    raw: *mut c_void,
}

// SAFETY: the handle is valid on every thread, and every `Backend` may be called from every thread (`Backend:
// Sync`).
unsafe impl Send for StreamHandle {}
// SAFETY: as for `Send`: no method changes state behind the handle without the driver's own locks.
unsafe impl Sync for StreamHandle {}

impl StreamHandle {
    pub(crate) fn new(device: Device) -> Result<Self> {
        let backend = backend(device)?;
        Ok(Self { device, backend, raw: backend.stream_create()? })
    }

    pub(crate) fn as_raw(&self) -> *mut c_void {
        self.raw
    }

    pub(crate) fn synchronize(&self) -> Result<()> {
        // SAFETY: `raw` is live as long as `self`.
        unsafe { self.backend.stream_synchronize(self.raw) }
    }

    pub(crate) fn wait(&self, event: &EventHandle) -> Result<()> {
        // SAFETY: both handles are live as long as their owners; `Stream::wait` has checked that they
        // belong to one device.
        unsafe { self.backend.stream_wait_event(self.raw, event.raw) }
    }

    /// Like [`wait`](Self::wait), for an event that this library did not make.
    ///
    /// # Safety
    ///
    /// `event` is a live event of this stream's driver.
    pub(crate) unsafe fn wait_raw(&self, event: *mut c_void) -> Result<()> {
        // SAFETY: `raw` is live as long as `self`, the event by the caller's promise.
        unsafe { self.backend.stream_wait_event(self.raw, event) }
    }

    pub(crate) fn record(&self) -> Result<EventHandle> {
        let event =
            EventHandle { device: self.device, backend: self.backend, raw: self.backend.event_create()? };
        self.record_again(&event)?;
        Ok(event)
    }

    /// Moves an event to the end of the work queued so far. Waits that are queued already keep the event's
    /// earlier position.
    pub(crate) fn record_again(&self, event: &EventHandle) -> Result<()> {
        // SAFETY: both handles are live as long as their owners, and of one device: the event came from
        // `record` of a stream of this backend.
        unsafe { self.backend.event_record(event.raw, self.raw) }
    }
}

impl Drop for StreamHandle {
    fn drop(&mut self) {
        // SAFETY: `raw` came from this backend, and nothing uses it after the drop.
        if let Err(error) = unsafe { self.backend.stream_destroy(self.raw) } {
            defer(self.device, error);
        }
    }
}

/// An event of a device other than the host, recorded when made; destroyed on drop.
pub(crate) struct EventHandle {
    device: Device,
    backend: &'static dyn Backend,
    raw: *mut c_void,
}

// SAFETY: as for `StreamHandle`.
unsafe impl Send for EventHandle {}
// SAFETY: as for `StreamHandle`.
unsafe impl Sync for EventHandle {}

impl EventHandle {
    /// Marks the end of the work queued so far on a foreign stream.
    ///
    /// # Safety
    ///
    /// `stream` is a live stream of `device`.
    pub(crate) unsafe fn record_on(device: Device, stream: *mut c_void) -> Result<Self> {
        let backend = backend(device)?;
        let event = Self { device, backend, raw: backend.event_create()? };
        // SAFETY: the event was made above, the stream is live by the caller's promise.
        unsafe { backend.event_record(event.raw, stream)? };
        Ok(event)
    }

    /// Marks the end of all work queued so far on all streams of `device`; `None` if the driver does not
    /// support it.
    pub(crate) fn record_all(device: Device) -> Result<Option<Self>> {
        if failpoint(Step::Mark) {
            return Err(injected(device, "record_all"));
        }
        let backend = backend(device)?;
        let event = Self { device, backend, raw: backend.event_create()? };
        // SAFETY: the event was made above.
        Ok(unsafe { backend.event_record_all(event.raw)? }.then_some(event))
    }

    /// Makes a foreign stream wait for this event.
    ///
    /// # Safety
    ///
    /// `stream` is a live stream of this event's device.
    pub(crate) unsafe fn hold_back(&self, stream: *mut c_void) -> Result<()> {
        // SAFETY: `raw` is live as long as `self`, the stream by the caller's promise.
        unsafe { self.backend.stream_wait_event(stream, self.raw) }
    }

    pub(crate) fn as_raw(&self) -> *mut c_void {
        self.raw
    }

    pub(crate) fn query(&self) -> Result<bool> {
        // SAFETY: `raw` is live as long as `self`.
        unsafe { self.backend.event_query(self.raw) }
    }

    pub(crate) fn synchronize(&self) -> Result<()> {
        // SAFETY: `raw` is live as long as `self`.
        unsafe { self.backend.event_synchronize(self.raw) }
    }
}

impl Drop for EventHandle {
    fn drop(&mut self) {
        // SAFETY: `raw` came from this backend, and nothing uses it after the drop.
        if let Err(error) = unsafe { self.backend.event_destroy(self.raw) } {
            defer(self.device, error);
        }
    }
}

/// Waits on the host for a foreign event on `device`.
///
/// # Safety
///
/// `event` is a live event of the device's driver.
pub(crate) unsafe fn synchronize_raw(device: Device, event: *mut c_void) -> Result<()> {
    // SAFETY: the caller's promise.
    unsafe { backend(device)?.event_synchronize(event) }
}

#[cfg(test)]
thread_local! {
    /// How often this thread has waited for a whole device.
    pub(crate) static DEVICE_WAITS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Waits on the host for all work queued so far on all streams of `device`. Used only if no event suffices.
pub(crate) fn synchronize(device: Device) -> Result<()> {
    #[cfg(test)]
    DEVICE_WAITS.set(DEVICE_WAITS.get() + 1);
    backend(device)?.synchronize()
}

/// Queues a copy on `stream`, a stream of `device`; see [`Backend::copy`].
///
/// # Safety
///
/// The requirements of [`Backend::copy`]; `stream` is a live stream of `device`.
pub(crate) unsafe fn copy(
    device: Device,
    target: *mut u8,
    source: *const u8,
    bytes: usize,
    kind: CopyKind,
    stream: *mut c_void,
) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    if failpoint(Step::Copy) {
        return Err(injected(device, "copy"));
    }
    // SAFETY: the caller's promise.
    unsafe { backend(device)?.copy(target, source, bytes, kind, stream) }
}

/// Queues a fill on `stream`, a stream of `device`; see [`Backend::fill`].
///
/// # Safety
///
/// The requirements of [`Backend::fill`]; `stream` is a live stream of `device`.
pub(crate) unsafe fn fill(
    device: Device,
    target: *mut u8,
    value: u8,
    bytes: usize,
    stream: *mut c_void,
) -> Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    if failpoint(Step::Copy) {
        return Err(injected(device, "fill"));
    }
    // SAFETY: the caller's promise.
    unsafe { backend(device)?.fill(target, value, bytes, stream) }
}

/// The error of a step that [`crate::failpoints`] makes fail.
#[cold]
fn injected(device: Device, call: &'static str) -> Error {
    Error::Device { device, call, code: INJECTED, text: "injected failure".to_owned() }
}

/// Not a code of any driver.
const INJECTED: i32 = -1;
