//! Interchange of memory: leases for foreign holders, and adopted vectors.

use std::alloc::Layout;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;

use super::state::AddressHistory;
use super::uses::Uses;
use super::{Hold, Owner};
use crate::device::synchronize;
use crate::stream::assert_may_wait;
use crate::sync::Arc;
use crate::{Buffer, Device, Error, Event, Exec, Pod, Result, Stream};

/// A foreign holder's share of a buffer's memory. While it lives, the bytes stay in place and this library
/// does not change them, whatever happens to the buffer: a write to the buffer copies it first.
///
/// After the last lease ends, the memory can be spilled and written in place again. Work that the holder has
/// queued on any stream may still read it then: a write in place is ordered after that work, and a free is
/// deferred until that work is done.
pub struct Lease {
    owner: Arc<Owner>,
    address: NonNull<u8>,
    len: usize,
    may_write: bool,
}

// SAFETY: a lease provides an address, and reads of bytes that this library does not write; its drop changes
// atomics only.
unsafe impl Send for Lease {}
// SAFETY: as for `Send`.
unsafe impl Sync for Lease {}
impl UnwindSafe for Lease {}
impl RefUnwindSafe for Lease {}

impl Lease {
    /// A lease of `len` bytes from `offset`, made by the holder of a view of them.
    #[track_caller]
    fn new(owner: &Arc<Owner>, offset: usize, len: usize, may_write: bool) -> Result<Self> {
        debug_assert!(offset + len <= owner.capacity);
        if owner.foreign {
            // Foreign memory is neither moved nor written, so a reference to it is all that a holder needs.
            debug_assert!(!may_write, "foreign memory is separated before it is exported to a writer");
            owner.state.mark_exported();
            return Ok(Self { owner: Arc::clone(owner), address: owner.address(offset), len, may_write });
        }
        if !may_write && owner.state.lease_resident() {
            owner.note_exposure(len, false);
            return Ok(Self { owner: Arc::clone(owner), address: owner.address(offset), len, may_write });
        }
        let was_spilled = owner.is_spilled();
        // A write pin prevents a spilled copy, which the holder's writes would make stale.
        owner.pin_resident(if may_write { Hold::Write } else { Hold::Read })?;
        let leased = owner.state.lease(may_write);
        let address = owner.address(offset);
        owner.unpin();
        leased.map_err(|(holders, most)| owner.too_many(holders, most))?;
        owner.note_exposure(len, was_spilled);
        Ok(Self { owner: Arc::clone(owner), address, len, may_write })
    }

    /// The address of the first byte, on the device. The holder must wait for [`ready`](Self::ready) before
    /// it reads.
    pub fn as_ptr(&self) -> *const u8 {
        self.address.as_ptr()
    }

    /// The number of bytes at that address.
    #[expect(clippy::len_without_is_empty, reason = "the number goes to a consumer beside the address")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The device of the memory.
    pub fn device(&self) -> Device {
        self.owner.device
    }

    /// Whether the holder may write; see [`Buffer::lease_mut`].
    pub fn may_write(&self) -> bool {
        self.may_write
    }

    /// An event after all work that writes the bytes; if the holder may write, also after all work that reads
    /// them. `None` on the host, where that work is done.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] if the driver refuses.
    pub fn ready(&self) -> Result<Option<Event>> {
        let Some(uses) = &self.owner.uses else { return Ok(None) };
        let stream = uses.last_stream();
        self.order(&stream)?;
        stream.record().map(Some)
    }

    /// Makes work queued on `stream` from now on wait for the event of [`ready`](Self::ready). A holder of
    /// many leases then needs only one event, recorded on that stream.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`] if the stream is of another device, [`Error::Device`] if the driver refuses.
    pub fn order(&self, stream: &Stream) -> Result<()> {
        if stream.device() != self.device() {
            return Err(Error::DeviceMismatch { expected: self.device(), found: stream.device() });
        }
        match &self.owner.uses {
            None => Ok(()),
            Some(uses) if self.may_write => self.owner.order_write(uses, stream),
            Some(uses) => uses.order_read(stream),
        }
    }

    /// Records that the holder queued work on `stream` that uses the bytes: this library orders its later
    /// uses after it. Not needed for work that is done when the lease ends.
    pub fn note_use(&self, stream: &Stream) {
        if let Some(uses) = &self.owner.uses {
            if self.may_write { uses.note_unordered_write(stream) } else { uses.note_read(stream) }
        }
    }

    /// An Arrow buffer of the bytes, which ends the lease when its last clone is dropped.
    pub(crate) fn into_arrow(self) -> Result<arrow_buffer::Buffer> {
        if self.owner.device != Device::Host {
            return Err(Error::DeviceMismatch { expected: Device::Host, found: self.owner.device });
        }
        let (address, len) = (self.address, self.len);
        // SAFETY: the lease keeps the bytes alive, in place and unwritten as long as Arrow keeps it; they
        // are initialised host memory.
        Ok(unsafe { arrow_buffer::Buffer::from_custom_allocation(address, len, std::sync::Arc::new(self)) })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if !self.owner.foreign {
            self.owner.state.end_lease(self.may_write);
        }
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease")
            .field("owner", &self.owner.id)
            .field("address", &self.address)
            .field("len", &self.len)
            .field("may_write", &self.may_write)
            .finish()
    }
}

impl Buffer {
    /// Leases the bytes to a foreign holder; see [`Lease`]. Spilled bytes are unspilled first.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], [`Error::Storage`] and [`Error::Device`] if spilled bytes cannot be unspilled,
    /// [`Error::TooManyHolders`] if there are half a billion live leases, or 255 whose holders may write.
    #[track_caller]
    pub fn lease(&self) -> Result<Lease> {
        Lease::new(self.owner(), self.offset(), self.len(), false)
    }

    /// Leases the bytes to a foreign holder that may write them. Shared memory is copied first, so that
    /// earlier buffers do not see the foreign writes. This buffer and its clones do see them, and
    /// [`shallow_copy`](Self::shallow_copy) copies at once while the lease lives.
    ///
    /// # Errors
    ///
    /// Those of [`lease`](Self::lease), and [`Error::OutOfMemory`] if shared memory cannot be copied.
    ///
    /// # Source
    ///
    /// cuDF library design, "copy-on-write": immediate copies when exposed to third-party libraries.
    #[track_caller]
    pub fn lease_mut(&mut self, exec: &Exec) -> Result<Lease> {
        self.separate_from_buffers(exec)?;
        Lease::new(self.owner(), self.offset(), self.len(), true)
    }

    /// The address of the bytes for a consumer without a lifetime, such as the CUDA Array Interface. From now
    /// on the memory stays in place as long as the buffer lives, and every [shallow copy](Self::shallow_copy)
    /// is a physical one, because the consumer may read or write at any time. Prefer a [`Lease`].
    ///
    /// # Errors
    ///
    /// Those of [`lease_mut`](Self::lease_mut).
    ///
    /// # Source
    ///
    /// cuDF `SpillableBuffer.mark_exposed`.
    #[track_caller]
    pub fn expose(&mut self, exec: &Exec) -> Result<*mut u8> {
        let was_spilled = self.is_spilled();
        self.separate_from_buffers(exec)?;
        let owner = self.owner();
        owner.pin_resident(Hold::Write)?;
        let first = owner.state.expose();
        let address = owner.address(self.offset());
        owner.unpin();
        if first {
            owner.note_exposure(self.len(), was_spilled);
        }
        Ok(address.as_ptr())
    }

    /// Whether [`expose`](Self::expose) was called on the memory.
    pub fn is_exposed(&self) -> bool {
        self.owner().state.is_exposed()
    }

    /// The same bytes, shared until one of the two buffers is written. A physical copy if a foreign holder
    /// may write the memory, because such writes cannot be detected, or if copy-on-write is off.
    ///
    /// # Errors
    ///
    /// Those of [`copy_to`](Self::copy_to).
    ///
    /// # Source
    ///
    /// cuDF `Buffer.copy(deep=False)`.
    pub fn shallow_copy(&self, exec: &Exec) -> Result<Self> {
        let owner = self.owner();
        let shares = owner.manager.as_ref().is_none_or(|manager| manager.copies_on_write());
        if shares && !owner.state.has_foreign_writer() { Ok(self.clone()) } else { self.copy_to(exec) }
    }
}

impl Owner {
    /// Makes `stream`, which is to write, wait for all uses: recorded ones, and those of former lease
    /// holders.
    #[inline]
    pub(super) fn order_write(&self, uses: &Uses, stream: &Stream) -> Result<()> {
        uses.order_write(stream)?;
        if self.state.past() == AddressHistory::Private {
            Ok(())
        } else {
            self.order_after_consumers(uses, stream)
        }
    }

    /// Makes `stream` wait for all work queued on the device so far. Later uses are ordered after that wait,
    /// so unless a foreign holder still has the address, the export is over.
    #[cold]
    fn order_after_consumers(&self, uses: &Uses, stream: &Stream) -> Result<()> {
        if let Some(mark) = Event::of_all_work(self.device).ok().flatten() {
            stream.wait(&mark)?;
        } else {
            assert_may_wait();
            synchronize(self.device)?;
        }
        uses.note_read(stream);
        self.state.clear_exported();
        Ok(())
    }

    /// Counts for the caller's call site that the address of `len` bytes was exported.
    #[inline]
    #[track_caller]
    fn note_exposure(&self, len: usize, was_spilled: bool) {
        if let Some(manager) = &self.manager {
            manager.statistics().exposed(Location::caller(), len, was_spilled);
        }
    }

    /// Pins resident bytes, for a caller without a context.
    pub(super) fn pin_resident(&self, hold: Hold) -> Result<()> {
        if self.try_pin(hold) {
            return Ok(());
        }
        let exec = match &self.manager {
            Some(manager) => manager.exec()?,
            None => Exec::on_stream(Stream::new(self.device)?)?,
        };
        self.pin(hold, &exec)
    }
}

/// A vector's memory without its type: the values are plain bytes, so only the memory is freed.
pub(super) struct VecMemory {
    address: NonNull<u8>,
    layout: Layout,
}

// SAFETY: this is the right to free memory, which any thread may do.
unsafe impl Send for VecMemory {}
// SAFETY: a shared `VecMemory` gives access to nothing.
unsafe impl Sync for VecMemory {}

impl<T: Pod> From<Vec<T>> for VecMemory {
    fn from(values: Vec<T>) -> Self {
        let mut values = ManuallyDrop::new(values);
        // SAFETY: the vector holds an allocation of this layout, so the layout is a valid one.
        let layout =
            unsafe { Layout::from_size_align_unchecked(values.capacity() * size_of::<T>(), align_of::<T>()) };
        // SAFETY: a vector's address is not null.
        let address = unsafe { NonNull::new_unchecked(values.as_mut_ptr().cast()) };
        Self { address, layout }
    }
}

impl Drop for VecMemory {
    fn drop(&mut self) {
        // SAFETY: a vector's memory comes from the global allocator with the layout of an array of its
        // capacity; `from` took its ownership. Only vectors with a capacity are stored.
        unsafe { std::alloc::dealloc(self.address.as_ptr(), self.layout) };
    }
}
