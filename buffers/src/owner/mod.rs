//! The type that owns an allocation, and the guards and leases that provide its address.

mod adopt;
pub(crate) mod deferred_free;
mod foreign;
mod foreign_stream;
mod guard;
mod lease;
mod mapped;
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

use state::{AddressHistory, AllocationState};
use uses::Uses;
use views::Views;

pub use foreign::ForeignMemory;
pub use guard::{OwnedWriteGuard, ReadGuard, WriteGuard};
pub use lease::Lease;
pub use mapped::MappedFile;
pub(crate) use moves::{EvictionOutcome, Hold};
pub(crate) use pins::pin_all;
pub(crate) use state::Residency;
#[cfg(all(test, not(shuttle)))]
pub(crate) use use_history::test_clock::InSteps;
pub(crate) use use_history::{AccessOrder, Eviction, NextUse, UseHistory, now};

/// One allocation: where its bytes are, its views, its pins and leases, the streams that used it last, and
/// how it is freed. Copy-on-write and spilling are policies of this type.
///
/// # Lock order
///
/// `body` is locked before any lock of the manager, never the other way round. Neither is held over a copy,
/// an allocation or a free.
// In cache lines of its own: threads that use two allocations do not contend for one.
#[repr(align(64))]
pub(crate) struct Owner {
    id: u64,
    device: Device,
    /// Bytes that views may have, padding included.
    capacity: usize,
    /// The address of byte 0, even if that byte is not resident. Changes only with residency, so never while
    /// pinned. Null while the bytes are not resident.
    base: AtomicPtr<u8>,
    views: Views,
    state: AllocationState,
    /// The last uses; see [`use_history`].
    history: UseHistory,
    /// `None` on the host, where work is done when the call returns.
    uses: Option<Uses>,
    /// Whether the memory is foreign: it is never written and never moves.
    foreign: bool,
    body: Mutex<Body>,
    /// Notified when a move has ended.
    settled: Condvar,
    /// The manager that spills this, if any.
    manager: Option<Arc<SpillManager>>,
    registry_index: RegistryIndex,
}

/// Where the bytes of an allocation are.
struct Body {
    allocation: Allocation,
    /// The part of the allocation that is resident, or will be after unspilling: all ranges with views.
    range: Range<usize>,
    /// The bytes in a lower tier: the only ones, or the same as the resident ones.
    copy: Option<SpilledCopy>,
}

/// Bytes of an allocation in a lower tier.
#[derive(Clone)]
struct SpilledCopy {
    payload: Arc<Payload>,
    /// The offset in the allocation of the payload's first byte.
    start: usize,
}

enum Allocation {
    /// The bytes are in a lower tier.
    Spilled,
    /// Zero bytes, which need no resource.
    Empty,
    /// Allocated from a context's resource in the order of its stream, and freed to both. Holds the context,
    /// which is mostly used by one thread, because all threads contend for the resource's reference count.
    Resource { address: NonNull<u8>, bytes: usize, exec: Exec },
    /// A vector's or foreign memory, valid while the value lives. A vector's memory is owned and counted.
    Adopted { _keep_alive: Box<dyn Any + Send + Sync>, counted: usize },
}

impl Allocation {
    /// Bytes of device memory that it takes.
    fn bytes(&self) -> usize {
        match self {
            Self::Spilled | Self::Empty => 0,
            Self::Resource { bytes, .. } => *bytes,
            Self::Adopted { counted, .. } => *counted,
        }
    }

    /// The name of the code that frees it.
    fn source(&self) -> &'static str {
        match self {
            Self::Spilled | Self::Empty | Self::Resource { .. } => "MemoryResource::deallocate",
            Self::Adopted { .. } => foreign::KEEP_ALIVE,
        }
    }

    /// The same, freed for use by any allocation; see [`MemoryResource::unreserved`].
    fn unreserved(mut self) -> Self {
        if let Self::Resource { exec, .. } = &mut self
            && let Some(unreserved) = exec.resource().unreserved()
        {
            *exec = exec.with_resource(unreserved);
        }
        self
    }

    /// Frees the memory, ordered after these uses; returns the bytes that the device has gained.
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
        // SAFETY: allocated from this resource with this size. No guard is left, so only queued work uses it,
        // which `settle` has made the stream wait for, or which is known to be done.
        let free = |stream: &Stream| unsafe { exec.resource().deallocate(address, bytes, stream) };
        // If a wait cannot be queued, the memory is leaked: work may be using it.
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

// SAFETY: this is the right to free memory, which any thread may do.
unsafe impl Send for Allocation {}

// SAFETY: the memory at `base` is read and written only through guards: any number of read guards, or one
// write guard, which borrows the only view of the memory mutably. All other fields are `Send`.
unsafe impl Send for Owner {}
// SAFETY: as for `Send`; shared access changes only atomics and data under locks.
unsafe impl Sync for Owner {}

impl Owner {
    /// Allocates `len` bytes with unspecified contents from the context's resource, padded with zeros to a
    /// multiple of
    /// [`PADDING_BYTES`].
    pub(crate) fn allocate(len: usize, exec: &Exec) -> Result<Self> {
        let owner = Self::allocate_unpadded(len, exec)?;
        owner.fill_new(len..owner.capacity, 0, exec.stream())?;
        Ok(owner)
    }

    /// Like [`allocate`](Self::allocate); the padding has unspecified contents.
    pub(crate) fn allocate_unpadded(len: usize, exec: &Exec) -> Result<Self> {
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
        Ok(owner)
    }

    /// Allocates `len` zero bytes.
    pub(crate) fn allocate_zeroed(len: usize, exec: &Exec) -> Result<Self> {
        let owner = Self::allocate(len, exec)?;
        owner.fill_new(0..len, 0, exec.stream())?;
        Ok(owner)
    }

    /// Copies host memory to the context's device, complete on return.
    pub(crate) fn from_bytes(bytes: &[u8], exec: &Exec) -> Result<Self> {
        let owner = Self::allocate(bytes.len(), exec)?;
        owner.write(0, bytes.len(), exec)?.copy_from_slice(bytes)?;
        Ok(owner)
    }

    /// Takes over a vector's memory; it may be written in place.
    pub(crate) fn from_vec<T: Pod>(values: Vec<T>, manager: Option<Arc<SpillManager>>) -> (Self, usize) {
        let len = size_of_val(values.as_slice());
        if let Some(manager) = manager.as_ref().filter(|_| len > 0) {
            // The memory is allocated already, even if the budget has no space for it.
            let _ = manager.adopt(len, Admission::Soft);
        }
        (Self::from_counted_vec(values, manager), len)
    }

    /// Like [`from_vec`](Self::from_vec), for bytes that the manager, if any, counts already.
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

    /// Shares Arrow's memory; it is never written in place.
    pub(crate) fn from_arrow(buffer: arrow_buffer::Buffer) -> (Self, usize) {
        let len = buffer.len();
        let address = NonNull::from(buffer.as_slice()).cast();
        let allocation = Allocation::Adopted { _keep_alive: Box::new(buffer), counted: 0 };
        let mut owner = Self::new(Device::Host, len, address, allocation, None, None);
        owner.foreign = true;
        (owner, len)
    }

    /// An allocation whose bytes are spilled from the start: `range` of `capacity` bytes, of which `copy` has
    /// at least that range.
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
        owner.state = AllocationState::new(tier);
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
            state: AllocationState::new(Tier::Device),
            history: UseHistory::new(),
            uses,
            foreign: false,
            body: Mutex::new(Body { allocation, range: 0..capacity, copy: None }),
            settled: Condvar::new(),
            manager: manager.filter(|_| capacity > 0),
            registry_index: RegistryIndex::default(),
        }
    }

    /// Makes the new allocation shareable, and registers it with its manager.
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

    /// The history of its uses.
    pub(crate) fn history(&self) -> &UseHistory {
        &self.history
    }

    /// The tier of the bytes. While they move, the source or the target.
    pub(crate) fn tier(&self) -> Tier {
        match self.state.residency() {
            Residency::Resident | Residency::Evicting => Tier::Device,
            Residency::Spilled(tier) => tier,
            Residency::Moving => {
                self.body.lock_first().copy.as_ref().map_or(Tier::Device, |copy| copy.payload.tier())
            }
        }
    }

    pub(crate) fn state(&self) -> &AllocationState {
        &self.state
    }

    /// Bytes that a move of this allocation copies.
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

    /// The range of a view; `None` for a view of the whole, and if the allocation never moves.
    #[inline]
    fn part(&self, offset: usize, len: usize) -> Option<Range<usize>> {
        (!self.foreign && (offset > 0 || len + PADDING_BYTES <= self.capacity))
            .then_some(offset..offset + len)
    }

    /// Whether the caller, who borrows one view mutably, may write the memory in place. True stays true
    /// during the borrow, because views and leases are only made from views.
    #[inline]
    pub(crate) fn may_write_in_place(&self) -> bool {
        !self.foreign && self.views.is_sole() && !self.state.is_leased()
    }

    /// Whether memory need not be copied before it is leased to a foreign writer: only foreign writers share
    /// it.
    pub(crate) fn may_be_written_by_foreigners(&self) -> bool {
        !self.foreign && self.views.is_sole() && (!self.state.is_leased() || self.state.has_foreign_writer())
    }

    /// Whether a guard or a lease keeps the memory in place.
    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(crate) fn is_held(&self) -> bool {
        self.state.is_held()
    }

    /// The stream that used the memory last; none on the host.
    pub(crate) fn last_stream(&self) -> Option<Stream> {
        self.uses.as_ref().map(Uses::last_stream)
    }

    /// The address of a resident, pinned byte.
    #[inline]
    pub(crate) fn address(&self, offset: usize) -> NonNull<u8> {
        let base = self.base.load(Ordering::Relaxed);
        // If only a part is resident, the base is before the first resident byte, so this is arithmetic on
        // addresses.
        let address =
            if base.is_null() { ptr::with_exposed_provenance_mut(offset) } else { base.wrapping_add(offset) };
        NonNull::new(address).unwrap_or_else(dangling)
    }

    /// Queues a fill of a range of bytes of new, unshared memory.
    fn fill_new(&self, range: Range<usize>, value: u8, stream: &Stream) -> Result<()> {
        debug_assert!(range.end <= self.capacity);
        // SAFETY: the range is within the allocation, which is new: only work queued on `stream`, on which it
        // was allocated, uses it.
        unsafe {
            fill(self.device, self.address(range.start).as_ptr(), value, range.len(), stream.as_raw())?;
        }
        if let Some(uses) = &self.uses {
            uses.note_write(stream);
        }
        Ok(())
    }

    /// Frees an allocation, ordered after these uses and, if its address was exported, after foreign work.
    /// Returns the bytes that the device has gained.
    fn free(&self, allocation: Allocation, uses: Option<&Uses>, past: AddressHistory) -> usize {
        match allocation {
            Allocation::Spilled | Allocation::Empty => 0,
            // Work on the host is complete.
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

/// `len` rounded up to a multiple of the padding; `None` if that overflows.
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

/// Debug builds fill new host memory with this, so that code which expects zeros fails.
const UNSPECIFIED: u8 = 0xA5;

/// A dangling address for zero bytes with every device's alignment.
fn dangling() -> NonNull<u8> {
    const ALIGNMENT: NonZero<usize> = NonZero::new(256).unwrap();
    NonNull::without_provenance(ALIGNMENT)
}
