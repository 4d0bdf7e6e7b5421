//! The one type that owns an allocation, and the guards and leases that give out its address.

mod adopt;
pub(crate) mod deferred_free;
mod foreign;
mod foreign_stream;
mod guard;
mod lease;
mod moves;
mod pins;
mod state;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;
mod use_history;
mod uses;
mod views;

use std::any::Any;
use std::fmt;
use std::num::NonZero;
use std::ops::Range;
use std::ptr::{self, NonNull};

use crate::device::{defer, fill, in_drop};
use crate::spill::{Payload, RegistryIndex};
use crate::sync::atomic::{AtomicPtr, Ordering};
use crate::sync::{Arc, Condvar, Mutex, global};
use crate::{Admission, Device, Error, Exec, PADDING_BYTES, Pod, Result, SpillManager, Stream, Tier};

use state::{AddressHistory, State};
use uses::Uses;
use views::Views;

pub use foreign::ForeignMemory;
pub use guard::{OwnedWriteGuard, ReadGuard, WriteGuard};
pub use lease::Lease;
pub(crate) use moves::{EvictionOutcome, Hold};
pub(crate) use pins::pin_all;
pub(crate) use state::Residency;
#[cfg(all(test, not(shuttle)))]
pub(crate) use use_history::in_steps::InSteps;
pub(crate) use use_history::{AccessOrder, Eviction, NextUse, UseHistory, now};

/// One allocation: where its bytes are, who looks at it, who holds it where it is, which streams used it last, and
/// how it is given back. Copy-on-write and spilling are policies of this one type.
///
/// # Order of locks
///
/// `body` is taken before any lock of the manager's, never the other way round, and neither is held over a copy, an
/// allocation or a release of memory.
// In cache lines of its own: threads that use two allocations do not meet at one.
#[repr(align(64))]
pub(crate) struct Owner {
    id: u64,
    device: Device,
    /// Bytes that views may look at, padding included.
    capacity: usize,
    /// The address that byte 0 has or would have. Changes only with residency, so never while pinned. Null where bytes
    /// are counted by their addresses.
    base: AtomicPtr<u8>,
    views: Views,
    state: State,
    /// When a guard was taken last; see [`use_history`].
    history: UseHistory,
    /// `None` on the host, where work is done when the call returns.
    uses: Option<Uses>,
    /// Whether the memory was somebody else's from the start, which is never written and never moves.
    foreign: bool,
    body: Mutex<Body>,
    /// Told when the bytes have come to rest.
    settled: Condvar,
    /// Who spills this, if anybody.
    manager: Option<Arc<SpillManager>>,
    registry_index: RegistryIndex,
}

/// Where the bytes of an allocation are.
struct Body {
    allocation: Allocation,
    /// What part of the allocation the home covers, or will when the bytes come back: more than all views look at.
    range: Range<usize>,
    /// The bytes in a lower tier: the only ones, or the same as those at home.
    copy: Option<SpilledCopy>,
}

/// Bytes of an allocation in a lower tier.
#[derive(Clone)]
struct SpilledCopy {
    payload: Arc<Payload>,
    /// Which byte of the allocation is the payload's first.
    start: usize,
}

enum Allocation {
    /// The bytes are in a lower tier.
    Spilled,
    /// Zero bytes, which no resource is asked for.
    Empty,
    /// Given by a context's resource in the order of its stream, and given back to both. A share of the context, which
    /// is mostly one thread's, for shares of the resource are counted by all threads together.
    Resource { address: NonNull<u8>, bytes: usize, exec: Exec },
    /// A vector's, or somebody else's: alive as long as the value is. What is a vector's is ours and counted.
    Adopted { _keep_alive: Box<dyn Any + Send + Sync>, counted: usize },
}

impl Allocation {
    /// Bytes of the device that it takes.
    fn bytes(&self) -> usize {
        match self {
            Self::Spilled | Self::Empty => 0,
            Self::Resource { bytes, .. } => *bytes,
            Self::Adopted { counted, .. } => *counted,
        }
    }

    /// Whose code takes it back.
    fn source(&self) -> &'static str {
        match self {
            Self::Spilled | Self::Empty | Self::Resource { .. } => "MemoryResource::deallocate",
            Self::Adopted { .. } => foreign::KEEP_ALIVE,
        }
    }

    /// The same, given back for anybody to have; see [`MemoryResource::unreserved`].
    fn unreserved(mut self) -> Self {
        if let Self::Resource { exec, .. } = &mut self
            && let Some(unreserved) = exec.resource().unreserved()
        {
            *exec = exec.with_resource(unreserved);
        }
        self
    }

    /// Gives the memory back, in the order of all these uses of it; returns how many bytes the device has more.
    fn give_back(self, uses: Option<&Uses>, device: Device) -> usize {
        let bytes = self.bytes();
        let (address, exec) = match self {
            Self::Spilled | Self::Empty => return 0,
            Self::Resource { address, exec, .. } => (address, exec),
            Self::Adopted { _keep_alive: memory, .. } => {
                foreign::give_back(memory, uses, device);
                return bytes;
            }
        };
        // SAFETY: allocated from this resource with this size; no guard is left, so nobody uses it but
        // work already queued, which `settle` has made the stream wait for, or which is known to be done.
        let free = |stream: &Stream| unsafe { exec.resource().deallocate(address, bytes, stream) };
        // When a wait cannot be queued the memory is leaked: work may be using it.
        let freed = match uses {
            None => free(exec.stream()),
            Some(uses) => uses.settle().and_then(|last| free(&last)),
        };
        match freed {
            Ok(()) => bytes,
            Err(error) => {
                defer(device, error);
                0
            }
        }
    }
}

// SAFETY: a home is the right to give memory back, which any thread may do.
unsafe impl Send for Allocation {}

// SAFETY: the memory at `base` is read and written through guards alone: any number that read, or one
// that writes, which needs the only view of the memory mutably. All other fields are `Send`.
unsafe impl Send for Owner {}
// SAFETY: as for `Send`; shared access changes atomics and what locks protect only.
unsafe impl Sync for Owner {}

impl Owner {
    /// `len` bytes with unspecified contents from the context's resource, padded with zeros to a multiple
    /// of [`PADDING_BYTES`].
    pub(crate) fn allocate(len: usize, exec: &Exec) -> Result<Self> {
        let (device, stream, resource) = (exec.device(), exec.stream(), exec.resource());
        exec.require_device(resource.device())?;
        let manager = resource.spill_manager();
        if len == 0 {
            return Ok(Self::new(device, 0, dangling(), Allocation::Empty, None, manager));
        }
        let capacity = padded(len).ok_or(Error::out_of_memory(device, len))?;
        deferred_free::collect(device);
        let address = resource.allocate(capacity, stream, exec.admission())?;
        let allocation = Allocation::Resource { address, bytes: capacity, exec: exec.clone() };
        let uses = (device != Device::Host).then(|| Uses::new(stream));
        let owner = Self::new(device, capacity, address, allocation, uses, manager);
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
    pub(crate) fn from_vec<T: Pod>(values: Vec<T>, manager: Option<Arc<SpillManager>>) -> (Self, usize) {
        let len = size_of_val(values.as_slice());
        if let Some(manager) = manager.as_ref().filter(|_| len > 0) {
            // The memory is allocated whether the budget has room for it or not.
            let _ = manager.adopt(len, Admission::Soft);
        }
        (Self::from_counted_vec(values, manager), len)
    }

    /// As [`from_vec`](Self::from_vec) of bytes that the manager, if any, counts already.
    fn from_counted_vec<T: Pod>(mut values: Vec<T>, manager: Option<Arc<SpillManager>>) -> Self {
        let len = size_of_val(values.as_slice());
        if len == 0 {
            return Self::new(Device::Host, 0, dangling(), Allocation::Empty, None, manager);
        }
        let address = NonNull::from(values.as_mut_slice()).cast();
        let counted = if manager.is_some() { len } else { 0 };
        let allocation =
            Allocation::Adopted { _keep_alive: Box::new(lease::VecMemory::from(values)), counted };
        Self::new(Device::Host, len, address, allocation, None, manager)
    }

    /// Shares memory of Arrow's; it is never written in place.
    pub(crate) fn from_arrow(buffer: arrow_buffer::Buffer) -> (Self, usize) {
        let len = buffer.len();
        let address = NonNull::from(buffer.as_slice()).cast();
        let allocation = Allocation::Adopted { _keep_alive: Box::new(buffer), counted: 0 };
        let mut owner = Self::new(Device::Host, len, address, allocation, None, None);
        owner.foreign = true;
        (owner, len)
    }

    /// An allocation whose bytes are below from the start: `range` of `capacity` bytes of which `copy` has at least
    /// that much.
    fn new_spilled(
        device: Device,
        capacity: usize,
        range: Range<usize>,
        copy: SpilledCopy,
        manager: Arc<SpillManager>,
    ) -> Result<Self> {
        let uses = match device {
            Device::Host => None,
            Device::Sim | Device::Cuda(_) => Some(Uses::new(manager.up_stream()?)),
        };
        let tier = copy.payload.tier();
        let mut owner = Self::new(device, capacity, dangling(), Allocation::Spilled, uses, Some(manager));
        owner.state = State::new(tier);
        owner.body = Mutex::new(Body { allocation: Allocation::Spilled, range, copy: Some(copy) });
        Ok(owner)
    }

    /// An allocation of `len` bytes whose bytes, with padding, are `payload`.
    pub(crate) fn from_payload(
        payload: Arc<Payload>,
        device: Device,
        manager: Arc<SpillManager>,
    ) -> Result<Self> {
        let capacity = payload.len();
        Self::new_spilled(device, capacity, 0..capacity, SpilledCopy { payload, start: 0 }, manager)
    }

    fn new(
        device: Device,
        capacity: usize,
        address: NonNull<u8>,
        allocation: Allocation,
        uses: Option<Uses>,
        manager: Option<Arc<SpillManager>>,
    ) -> Self {
        static NEXT_ID: global::AtomicU64 = global::AtomicU64::new(1);
        Self {
            id: NEXT_ID.fetch_add(1, global::Ordering::Relaxed),
            device,
            capacity,
            base: AtomicPtr::new(address.as_ptr()),
            views: Views::new(),
            state: State::new(Tier::Device),
            history: UseHistory::new(),
            uses,
            foreign: false,
            body: Mutex::new(Body { allocation, range: 0..capacity, copy: None }),
            settled: Condvar::new(),
            manager: manager.filter(|_| capacity > 0),
            registry_index: RegistryIndex::default(),
        }
    }

    /// Shares the new allocation with whoever is to look at it, and makes it known to its manager.
    pub(crate) fn into_shared(self) -> Arc<Self> {
        let owner = Arc::new(self);
        if let Some(manager) = &owner.manager {
            manager.register(&owner);
        }
        owner
    }

    /// A number that no other allocation of this process has or had.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn device(&self) -> Device {
        self.device
    }

    pub(crate) fn manager(&self) -> Option<&Arc<SpillManager>> {
        self.manager.as_ref()
    }

    pub(crate) fn registry_index(&self) -> &RegistryIndex {
        &self.registry_index
    }

    pub(crate) fn last_use(&self) -> u64 {
        self.history.last_use()
    }

    /// When it was used, and will be.
    pub(crate) fn history(&self) -> &UseHistory {
        &self.history
    }

    /// Where the bytes are, as far as that is settled; on the way they are where they came from or go to.
    pub(crate) fn tier(&self) -> Tier {
        match self.state.residency() {
            Residency::Resident | Residency::Evicting => Tier::Device,
            Residency::Spilled(tier) => tier,
            Residency::Moving => {
                self.body.lock_first().copy.as_ref().map_or(Tier::Device, |copy| copy.payload.tier())
            }
        }
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Bytes that a move of this allocation is about.
    pub(crate) fn bytes(&self) -> usize {
        self.body.lock_first().range.len()
    }

    #[inline]
    pub(crate) fn add_view(&self, offset: usize, len: usize) {
        self.views.add(self.part(offset, len));
    }

    #[inline]
    pub(crate) fn remove_view(&self, offset: usize, len: usize) {
        self.views.remove(self.part(offset, len));
    }

    /// The range of a view, or `None` for one of the whole, and for one of what never moves.
    #[inline]
    fn part(&self, offset: usize, len: usize) -> Option<Range<usize>> {
        (!self.foreign && (offset > 0 || len + PADDING_BYTES <= self.capacity))
            .then_some(offset..offset + len)
    }

    /// Whether the caller, who holds one view mutably, may write the memory in place. A yes stays true as
    /// long as it is so held, for views and leases come from views alone.
    #[inline]
    pub(crate) fn may_write_in_place(&self) -> bool {
        !self.foreign && self.views.is_sole() && !self.state.is_leased()
    }

    /// Whether a lease to a foreign writer needs no memory of its own: nobody but foreign writers shares it.
    pub(crate) fn may_be_written_by_foreigners(&self) -> bool {
        !self.foreign && self.views.is_sole() && (!self.state.is_leased() || self.state.has_foreign_writer())
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

    /// The address of a byte at home, where somebody holds it.
    #[inline]
    pub(crate) fn address(&self, offset: usize) -> NonNull<u8> {
        let base = self.base.load(Ordering::Relaxed);
        // A home that covers a part only has its base before its first byte, so this is arithmetic on addresses.
        let address =
            if base.is_null() { ptr::with_exposed_provenance_mut(offset) } else { base.wrapping_add(offset) };
        NonNull::new(address).unwrap_or_else(dangling)
    }

    /// Queues the setting of a range of bytes, before anybody else knows of the memory.
    fn fill_new(&self, range: Range<usize>, value: u8, stream: &Stream) -> Result<()> {
        debug_assert!(range.end <= self.capacity);
        // SAFETY: the range lies in the allocation, which is new: only work queued on `stream`, the one
        // it was allocated on, uses it.
        unsafe {
            fill(self.device, self.address(range.start).as_ptr(), value, range.len(), stream.as_raw())?;
        }
        if let Some(uses) = &self.uses {
            uses.note_write(stream);
        }
        Ok(())
    }

    /// Gives a home back, in the order of all these uses of it and, if its address is known to others, of theirs.
    /// Returns how many bytes the device has more now.
    fn free(&self, allocation: Allocation, uses: Option<&Uses>, past: AddressHistory) -> usize {
        match allocation {
            Allocation::Spilled | Allocation::Empty => 0,
            // What runs on the host has run.
            allocation if past == AddressHistory::Exported && self.device != Device::Host => {
                deferred_free::give_back(allocation, self.device)
            }
            Allocation::Adopted { counted, .. } => {
                let freed = allocation.give_back(uses, self.device);
                if let Some(manager) = &self.manager {
                    manager.release(counted);
                }
                freed
            }
            Allocation::Resource { .. } => allocation.give_back(uses, self.device),
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        debug_assert!(
            !self.state.is_held() || self.state.is_exposed(),
            "guards borrow their buffer, and leases own a share of this"
        );
        let (allocation, copy) = {
            let mut body = self.body.lock_first();
            (std::mem::replace(&mut body.allocation, Allocation::Spilled), body.copy.take())
        };
        if let Some(manager) = &self.manager {
            manager.unregister(self, allocation.bytes(), copy.as_ref().map(|copy| &*copy.payload));
        }
        drop(copy);
        deferred_free::collect(self.device);
        let call = allocation.source();
        in_drop(self.device, call, || self.free(allocation, self.uses.as_ref(), self.state.past()));
    }
}

/// `len` rounded up to whole paddings; `None` for more than an address space.
fn padded(len: usize) -> Option<usize> {
    len.checked_next_multiple_of(PADDING_BYTES).filter(|&bytes| isize::try_from(bytes).is_ok())
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Owner")
            .field("id", &self.id)
            .field("device", &self.device)
            .field("capacity", &self.capacity)
            .field("views", &self.views.count())
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
