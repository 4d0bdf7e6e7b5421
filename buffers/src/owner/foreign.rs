//! Foreign memory and events: imported, waited for, and released when the last work with them is done.

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::ptr::{self, NonNull};
use std::sync::mpsc::{Sender, channel};

use super::uses::Uses;
use super::{Allocation, Owner};
use crate::device::{defer, forks, in_drop, synchronize_raw};
use crate::stream::assert_may_wait;
use crate::sync::Arc;
use crate::sync::atomic::AtomicPtr;
use crate::sync::global::{LazyLock, Mutex};
use crate::{Buffer, Device, Event, Exec, Result, Stream};

/// Keeps foreign memory alive; dropping it releases the memory.
type KeepAlive = Box<dyn Any + Send + Sync>;

/// Foreign memory that is released as a whole, at any number of addresses. Its buffers are views of one
/// allocation, and making one costs no more than a view.
pub struct ForeignMemory {
    owner: Arc<Owner>,
}

/// The name of the release in error messages.
pub(super) const KEEP_ALIVE: &str = "the drop of what keeps foreign memory";

/// Larger than any address: the allocation that represents foreign memory has no end.
const EVERYWHERE: usize = isize::MAX.unsigned_abs();

impl ForeignMemory {
    /// Foreign memory of the context's device that is valid until `keep_alive` is dropped. That happens when
    /// this and its last buffer are dropped and all work that this library queued with them is done. On a
    /// device `keep_alive` may be dropped on another thread, so that no thread has to wait.
    pub fn new(keep_alive: impl Any + Send + Sync, exec: &Exec) -> Self {
        let mut owner = Owner::of_others(super::dangling(), EVERYWHERE, keep_alive, exec);
        owner.base = AtomicPtr::new(ptr::null_mut());
        Self { owner: owner.into_shared() }
    }

    /// A buffer of a part of the memory, without a copy; see [`Buffer::from_foreign`].
    ///
    /// # Safety
    ///
    /// As [`Buffer::from_foreign`].
    pub unsafe fn buffer(&self, address: NonNull<u8>, len: usize) -> Buffer {
        Buffer::view(Arc::clone(&self.owner), address.as_ptr().expose_provenance(), len)
    }
}

impl fmt::Debug for ForeignMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForeignMemory").field("owner", &self.owner).finish()
    }
}

impl Buffer {
    /// Foreign memory of the context's device as a buffer, without a copy. Alignment and padding are the
    /// producer's. It is never spilled and never written: a write copies it first.
    ///
    /// `keep_alive` is dropped when the last view is dropped and all work that this library queued with the
    /// memory is done. On a device it may be dropped on another thread, so that no thread has to wait.
    ///
    /// # Safety
    ///
    /// Until `keep_alive` is dropped, the `len` bytes at `address` are initialised memory of the context's
    /// device, and no code writes them, except work that the context's stream waits for since before this
    /// call.
    pub unsafe fn from_foreign(
        address: NonNull<u8>,
        len: usize,
        keep_alive: impl Any + Send + Sync,
        exec: &Exec,
    ) -> Self {
        Self::of(Owner::of_others(address, len, keep_alive, exec), len)
    }
}

impl Owner {
    /// An owner of `capacity` foreign bytes at `address` on the context's device, valid until `keep_alive` is
    /// dropped.
    fn of_others(
        address: NonNull<u8>,
        capacity: usize,
        keep_alive: impl Any + Send + Sync,
        exec: &Exec,
    ) -> Self {
        let device = exec.device();
        let allocation = Allocation::Adopted { _keep_alive: Box::new(keep_alive), counted: 0 };
        let uses = (device != Device::Host).then(|| Uses::new(exec.stream()));
        let mut owner = Self::new(device, capacity, address, allocation, uses, None);
        owner.foreign = true;
        owner
    }
}

impl Stream {
    /// Makes work queued on this stream from now on wait for a foreign event. The host does not wait. A no-op
    /// on a stream of the host.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) if the driver refuses.
    ///
    /// # Safety
    ///
    /// `event` is a live event of this stream's driver: a `CUevent` or `cudaEvent_t` on a GPU.
    pub unsafe fn wait_raw(&self, event: *mut c_void) -> Result<()> {
        match self.handle() {
            None => Ok(()),
            // SAFETY: the caller's promise.
            Some(handle) => unsafe { handle.wait_raw(event) },
        }
    }
}

impl Device {
    /// Waits on the host for a foreign event.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`](crate::Error::NoDevice) if this device cannot be used,
    /// [`Error::Device`](crate::Error::Device) if the work before the event failed.
    ///
    /// # Panics
    ///
    /// In debug builds, in a worker of a rayon pool: see [`Stream::synchronize`].
    ///
    /// # Safety
    ///
    /// `event` is a live event of this device's driver.
    pub unsafe fn synchronize_raw(self, event: *mut c_void) -> Result<()> {
        assert_may_wait();
        // SAFETY: the caller's promise.
        unsafe { synchronize_raw(self, event) }
    }
}

/// Drops what keeps foreign memory alive once the work noted in `uses` is done: at once if it is done,
/// otherwise on a thread that waits for it. If that cannot be determined, the memory is leaked, because work
/// may be using it.
pub(super) fn give_back(memory: KeepAlive, uses: Option<&Uses>, device: Device) {
    let Some(uses) = uses else { return drop(memory) };
    match uses.last_event().and_then(|event| Ok((event.is_done()?, event))) {
        Ok((true, _)) => {}
        Ok((false, event)) => wait_elsewhere(event, memory),
        Err(error) => {
            std::mem::forget(memory);
            defer(device, error);
        }
    }
}

#[cold]
fn wait_elsewhere(event: Event, memory: KeepAlive) {
    /// The process of the thread that waits, and what is sent to it.
    type Waiter = (u32, Mutex<Sender<(Event, KeepAlive)>>);
    static WAITER: LazyLock<Waiter> = LazyLock::new(|| {
        let (sender, receiver) = channel::<(Event, KeepAlive)>();
        let wait = move || {
            for (event, memory) in receiver {
                match event.synchronize() {
                    // A panic would end this thread, and with it all other pending releases.
                    Ok(()) => _ = in_drop(event.device(), KEEP_ALIVE, || drop(memory)),
                    Err(error) => {
                        std::mem::forget(memory);
                        defer(event.device(), error);
                    }
                }
            }
        };
        // If no thread starts, the receiver is dropped, and the sender gets the memory back.
        let _ = std::thread::Builder::new().name("columnade-give-back".to_owned()).spawn(wait);
        (forks(), Mutex::new(sender))
    });
    let (process, waiter) = &*WAITER;
    // A forked child has no such thread.
    let sent = if *process == forks() {
        waiter.lock().send((event, memory)).map_err(|back| back.0)
    } else {
        Err((event, memory))
    };
    if let Err((event, memory)) = sent {
        match event.synchronize() {
            Ok(()) => drop(memory),
            Err(_) => std::mem::forget(memory),
        }
    }
}
