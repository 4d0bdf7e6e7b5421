//! The one type that owns an allocation, and the guards and leases that give out its address.

mod guard;
mod lease;
mod state;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;
mod uses;

use std::any::Any;
use std::fmt;
use std::num::NonZero;
use std::ptr::NonNull;

use crate::device::{defer, fill};
use crate::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use crate::sync::{Arc, global};
use crate::{Device, Error, Exec, MemoryResource, PADDING_BYTES, Pod, Result, Stream};

use state::State;
use uses::Uses;

pub use guard::{OwnedWriteGuard, ReadGuard, WriteGuard};
pub use lease::Lease;

/// One allocation: its address, who looks at it, who holds it where it is, which streams used it last, and
/// how it is given back. Copy-on-write and spilling are policies of this one type.
///
/// `new` and `drop` are the only places where an allocation begins and ends, and [`State`] the only word
/// that says whether it may move: a registry of all owners attaches there.
pub(crate) struct Owner {
    id: u64,
    device: Device,
    /// Changes only with residency, so never while pinned.
    address: AtomicPtr<u8>,
    /// Bytes at `address`.
    capacity: usize,
    /// Buffers that look at this memory. Not the `Arc` count, which others than buffers raise.
    views: AtomicUsize,
    state: State,
    /// `None` on the host, where work is done when the call returns.
    uses: Option<Uses>,
    storage: Storage,
}

enum Storage {
    /// Zero bytes, which no resource is asked for.
    Empty,
    /// Given by a resource in the order of a stream, and given back to it.
    Resource { resource: Arc<dyn MemoryResource>, stream: Stream },
    /// Somebody else's, alive as long as the value is.
    Adopted { may_write: bool, _keep_alive: Box<dyn Any + Send + Sync> },
}

// SAFETY: the memory at `address` is read and written through guards alone: any number that read, or one
// that writes, which needs the only view of the memory mutably. All other fields are `Send`.
unsafe impl Send for Owner {}
// SAFETY: as for `Send`; shared access changes atomics and the locked notes of uses only.
unsafe impl Sync for Owner {}

impl Owner {
    /// `len` bytes with unspecified contents from the context's resource, padded with zeros to a multiple
    /// of [`PADDING_BYTES`].
    pub(crate) fn allocate(len: usize, exec: &Exec) -> Result<Self> {
        let (device, stream, resource) = (exec.device(), exec.stream(), exec.resource());
        exec.require_device(resource.device())?;
        if len == 0 {
            return Ok(Self::new(device, dangling(), 0, None, Storage::Empty));
        }
        let capacity = len
            .checked_next_multiple_of(PADDING_BYTES)
            .filter(|&capacity| isize::try_from(capacity).is_ok())
            .ok_or(Error::OutOfMemory { device, requested: len, free: None })?;
        let address = resource.allocate(capacity, stream)?;
        let storage = Storage::Resource { resource: Arc::clone(resource), stream: stream.clone() };
        let uses = (device != Device::Host).then(|| Uses::new(stream));
        let owner = Self::new(device, address, capacity, uses, storage);
        if cfg!(debug_assertions) && device == Device::Host {
            owner.fill_new(0..len, UNSPECIFIED, stream)?;
        }
        owner.fill_new(len..capacity, 0, stream)?;
        Ok(owner)
    }

    /// `len` zero bytes.
    pub(crate) fn allocate_zeroed(len: usize, exec: &Exec) -> Result<Self> {
        let owner = Self::allocate(len, exec)?;
        owner.fill_new(0..len, 0, exec.stream())?;
        Ok(owner)
    }

    /// A copy of host memory on the context's device, complete on return.
    pub(crate) fn from_bytes(bytes: &[u8], exec: &Exec) -> Result<Self> {
        let owner = Self::allocate(bytes.len(), exec)?;
        owner.write(0, bytes.len(), exec)?.copy_from_slice(bytes)?;
        Ok(owner)
    }

    /// Takes over a vector's memory; it may be written in place.
    pub(crate) fn from_vec<T: Pod>(mut values: Vec<T>) -> (Self, usize) {
        let len = size_of_val(values.as_slice());
        if len == 0 {
            return (Self::new(Device::Host, dangling(), 0, None, Storage::Empty), 0);
        }
        let address = NonNull::from(values.as_mut_slice()).cast();
        let keep_alive = Box::new(lease::VecMemory::from(values));
        let storage = Storage::Adopted { may_write: true, _keep_alive: keep_alive };
        (Self::new(Device::Host, address, len, None, storage), len)
    }

    /// Shares memory of Arrow's; it is never written in place.
    pub(crate) fn from_arrow(buffer: arrow_buffer::Buffer) -> (Self, usize) {
        let len = buffer.len();
        let address = NonNull::from(buffer.as_slice()).cast();
        let storage = Storage::Adopted { may_write: false, _keep_alive: Box::new(buffer) };
        (Self::new(Device::Host, address, len, None, storage), len)
    }

    fn new(
        device: Device,
        address: NonNull<u8>,
        capacity: usize,
        uses: Option<Uses>,
        storage: Storage,
    ) -> Self {
        static NEXT_ID: global::AtomicU64 = global::AtomicU64::new(1);
        Self {
            id: NEXT_ID.fetch_add(1, global::Ordering::Relaxed),
            device,
            address: AtomicPtr::new(address.as_ptr()),
            capacity,
            views: AtomicUsize::new(0),
            state: State::new(),
            uses,
            storage,
        }
    }

    /// A number that no other allocation of this process has or had.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn device(&self) -> Device {
        self.device
    }

    pub(crate) fn add_view(&self) {
        self.views.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn remove_view(&self) {
        // Release: what the view's holder read is read before the last view writes in place.
        self.views.fetch_sub(1, Ordering::Release);
    }

    /// Whether the caller, who holds one view mutably, may write the memory in place. A yes stays true as
    /// long as it is so held, for views and leases come from views alone.
    pub(crate) fn may_write_in_place(&self) -> bool {
        let ours = match &self.storage {
            Storage::Empty | Storage::Resource { .. } => true,
            Storage::Adopted { may_write, .. } => *may_write,
        };
        ours && self.views.load(Ordering::Acquire) == 1 && !self.state.is_leased()
    }

    /// Whether a guard or a lease keeps the memory where it is.
    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(crate) fn is_held(&self) -> bool {
        self.state.is_held()
    }

    /// The stream that used the memory last; none on the host.
    pub(crate) fn last_stream(&self) -> Option<Stream> {
        self.uses.as_ref().map(Uses::last_stream)
    }

    fn address(&self) -> NonNull<u8> {
        // SAFETY: every address stored is of an allocation, or dangling; none is null.
        unsafe { NonNull::new_unchecked(self.address.load(Ordering::Relaxed)) }
    }

    /// Queues the setting of a range of bytes, before anybody else knows of the memory.
    fn fill_new(&self, range: std::ops::Range<usize>, value: u8, stream: &Stream) -> Result<()> {
        debug_assert!(range.end <= self.capacity);
        // SAFETY: the range lies in the allocation, which is new: only work queued on `stream`, the one
        // it was allocated on, uses it.
        unsafe {
            let target = self.address().as_ptr().add(range.start);
            fill(self.device, target, value, range.len(), stream.as_raw())?;
        }
        if let Some(uses) = &self.uses {
            uses.note_write(stream);
        }
        Ok(())
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        debug_assert!(!self.state.is_held(), "guards borrow their buffer, and leases own a share of this");
        let Storage::Resource { resource, stream } = &self.storage else { return };
        let address = self.address();
        // SAFETY: allocated from this resource with this size; no view is left, so nobody uses it but
        // work already queued, which `settle` has made the stream wait for.
        let free = |stream: &Stream| unsafe { resource.deallocate(address, self.capacity, stream) };
        // When a wait cannot be queued the memory is leaked: work may be using it.
        let freed = match &self.uses {
            None => free(stream),
            Some(uses) => uses.settle().and_then(|last| free(&last)),
        };
        if let Err(error) = freed {
            defer(self.device, error);
        }
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Owner")
            .field("id", &self.id)
            .field("device", &self.device)
            .field("capacity", &self.capacity)
            .field("views", &self.views.load(Ordering::Relaxed))
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// What debug builds fill new host memory with, so that who takes it for zeros finds out.
const UNSPECIFIED: u8 = 0xA5;

/// An address for zero bytes that satisfies every device's alignment.
fn dangling() -> NonNull<u8> {
    const ALIGNMENT: NonZero<usize> = NonZero::new(256).unwrap();
    NonNull::without_provenance(ALIGNMENT)
}
