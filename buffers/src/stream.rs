//! Streams, events, and lazy ordering between streams.

use std::ffi::c_void;
use std::fmt;

use smallvec::SmallVec;

use crate::device::{EventHandle, StreamHandle, report_deferred};
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{Arc, Mutex, assert_holds_no_lock, global};
use crate::{Device, Error, Result};

/// An ordered queue of work on a device. Clones are the same stream.
///
/// A stream of the host is trivial: work on the host is done when the call returns, so nothing ever waits.
#[derive(Clone)]
pub struct Stream(Arc<Inner>);

// In cache lines of its own.
#[repr(align(128))]
struct Inner {
    device: Device,
    id: u64,
    /// `None` on the host.
    handle: Option<StreamHandle>,
    /// The number of the current interval between two recorded events. An event recorded at the end of
    /// interval `t` covers every use noted with a ticket up to `t`.
    ticket: AtomicU64,
    /// The last event recorded for another stream, with the ticket that it covers.
    last_event: Mutex<Option<(u64, Event)>>,
    /// For each stream that this one has waited for, the ticket waited for.
    waited: Mutex<SmallVec<[(u64, u64); 4]>>,
}

/// The number of other streams whose progress a stream remembers. A forgotten one costs a wait.
const REMEMBERED_STREAMS: usize = 64;

impl Stream {
    /// Creates a stream on `device`.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`] if the device cannot be used, [`Error::Device`] if the driver refuses.
    pub fn new(device: Device) -> Result<Self> {
        let handle = match device {
            Device::Host => None,
            Device::Sim | Device::Cuda(_) => Some(StreamHandle::new(device)?),
        };
        Ok(Self::with_handle(device, handle))
    }

    /// A stream of the host.
    pub(crate) fn host() -> Self {
        Self::with_handle(Device::Host, None)
    }

    fn with_handle(device: Device, handle: Option<StreamHandle>) -> Self {
        static NEXT_ID: global::AtomicU64 = global::AtomicU64::new(1);
        Self(Arc::new(Inner {
            device,
            id: NEXT_ID.fetch_add(1, global::Ordering::Relaxed),
            handle,
            ticket: AtomicU64::new(1),
            last_event: Mutex::new(None),
            waited: Mutex::new(SmallVec::new()),
        }))
    }

    /// The device that runs the queued work.
    #[inline]
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// A number that no other stream of this process has or had.
    #[inline]
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The driver's handle, for launching kernels; null on the host.
    pub fn as_raw(&self) -> *mut c_void {
        self.0.handle.as_ref().map_or(std::ptr::null_mut(), StreamHandle::as_raw)
    }

    pub(crate) fn handle(&self) -> Option<&StreamHandle> {
        self.0.handle.as_ref()
    }

    /// Waits on the host until all work queued so far is done.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] if that work failed, or if an earlier drop on this device stored an error.
    ///
    /// # Panics
    ///
    /// In debug builds, in a worker of a rayon pool, unless the stream is the host's: a worker that waits for
    /// a device can deadlock the pool.
    pub fn synchronize(&self) -> Result<()> {
        let Some(handle) = &self.0.handle else { return Ok(()) };
        assert_may_wait();
        handle.synchronize()?;
        report_deferred(self.0.device)
    }

    /// Records an event at the end of the work queued so far.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] if the driver refuses.
    pub fn record(&self) -> Result<Event> {
        let handle = self.0.handle.as_ref().map(StreamHandle::record).transpose()?;
        Ok(Event(Arc::new(EventInner { device: self.0.device, handle })))
    }

    /// Makes the work queued on this stream from now on wait for `event`. The host does not wait.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`] if the event is of another device (an event of the host is always complete),
    /// [`Error::Device`] if the driver refuses.
    pub fn wait(&self, event: &Event) -> Result<()> {
        match (&self.0.handle, &event.0.handle) {
            (Some(stream), Some(event_handle)) if self.0.device == event.0.device => {
                stream.wait(event_handle)
            }
            (_, None) => Ok(()),
            (_, Some(_)) => Err(Error::DeviceMismatch { expected: self.0.device, found: event.0.device }),
        }
    }

    /// The ticket for a use of memory by work queued until now.
    #[inline]
    pub(crate) fn ticket(&self) -> u64 {
        self.0.ticket.load(Ordering::SeqCst)
    }

    /// Makes this stream wait for the work that `producer` noted with `ticket`, unless it is the same stream
    /// or has already waited for that or later work. Both streams are of one device.
    pub(crate) fn wait_for(&self, producer: &Stream, ticket: u64) -> Result<()> {
        if self.0.id == producer.0.id || self.0.handle.is_none() || self.has_waited(producer.0.id, ticket) {
            return Ok(());
        }
        let (covered, event) = producer.event_covering(ticket)?;
        self.wait(&event)?;
        self.remember_wait(producer.0.id, covered);
        Ok(())
    }

    /// An event that covers `ticket`: the last one if it does, otherwise a new one.
    pub(crate) fn event_covering(&self, ticket: u64) -> Result<(u64, Event)> {
        let mut last = self.0.last_event.lock();
        if let Some((covered, event)) = last.as_ref().filter(|(covered, _)| *covered >= ticket) {
            return Ok((*covered, event.clone()));
        }
        // The interval ends before the event is recorded: work queued between the two is covered without
        // being promised. The other order would promise work that the event does not cover.
        let covered = self.0.ticket.fetch_add(1, Ordering::SeqCst);
        let event = match last.take() {
            Some((_, event)) => self.record_again(event)?,
            None => self.record()?,
        };
        *last = Some((covered, event.clone()));
        Ok((covered, event))
    }

    /// Moves an event of this stream to the end of the work queued so far, or makes a new one if the event is
    /// shared.
    fn record_again(&self, mut event: Event) -> Result<Event> {
        match (&self.0.handle, Arc::get_mut(&mut event.0).and_then(|inner| inner.handle.as_ref())) {
            (Some(stream), Some(handle)) => stream.record_again(handle)?,
            _ => return self.record(),
        }
        Ok(event)
    }

    fn has_waited(&self, producer: u64, ticket: u64) -> bool {
        self.0.waited.lock().iter().any(|&(id, waited)| id == producer && waited >= ticket)
    }

    fn remember_wait(&self, producer: u64, covered: u64) {
        let mut waited = self.0.waited.lock();
        if let Some((_, ticket)) = waited.iter_mut().find(|(id, _)| *id == producer) {
            *ticket = covered.max(*ticket);
            return;
        }
        if waited.len() == REMEMBERED_STREAMS {
            waited.remove(0);
        }
        waited.push((producer, covered));
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for Stream {}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("device", &self.0.device).field("id", &self.0.id).finish()
    }
}

/// A mark in a stream, complete when all work queued on the stream before it is done. Clones are the same
/// event.
#[derive(Clone)]
pub struct Event(Arc<EventInner>);

struct EventInner {
    device: Device,
    /// `None` on the host, where every event is complete at once.
    handle: Option<EventHandle>,
}

impl Event {
    /// An event after all work queued on `device` so far, on foreign streams too; `None` if the driver does
    /// not support it.
    pub(crate) fn of_all_work(device: Device) -> Result<Option<Self>> {
        let handle = match device {
            Device::Host => None,
            Device::Sim | Device::Cuda(_) => match EventHandle::record_all(device)? {
                None => return Ok(None),
                handle => handle,
            },
        };
        Ok(Some(Self(Arc::new(EventInner { device, handle }))))
    }

    pub(crate) fn handle(&self) -> Option<&EventHandle> {
        self.0.handle.as_ref()
    }

    /// The device of the stream that it was recorded on.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// The driver's handle, valid while a clone of this lives; null on the host.
    pub fn as_raw(&self) -> *mut c_void {
        self.0.handle.as_ref().map_or(std::ptr::null_mut(), EventHandle::as_raw)
    }

    /// Whether the event is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] if the work before it failed.
    pub fn is_done(&self) -> Result<bool> {
        self.0.handle.as_ref().map_or(Ok(true), EventHandle::query)
    }

    /// Waits on the host until the event is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] if the work before it failed.
    ///
    /// # Panics
    ///
    /// In debug builds, in a worker of a rayon pool, unless the stream was the host's.
    pub fn synchronize(&self) -> Result<()> {
        let Some(handle) = &self.0.handle else { return Ok(()) };
        assert_may_wait();
        handle.synchronize()
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("device", &self.0.device).finish_non_exhaustive()
    }
}

/// A pool's worker that waits for work which needs that worker deadlocks, and a thread that holds a lock may.
pub(crate) fn assert_may_wait() {
    assert_holds_no_lock();
    debug_assert!(
        rayon::current_thread_index().is_none(),
        "a device is waited for in a worker of a rayon pool: take guards and synchronise before the parallel loop"
    );
}
