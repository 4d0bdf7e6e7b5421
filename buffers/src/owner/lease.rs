//! Memory that crosses the border of this library: leases given out, vectors taken in.

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

/// A foreign holder's share of a buffer's memory: while it lives, the bytes stay where they are and this library does
/// not change them, whatever becomes of the buffer. A write to the buffer gets memory of its own.
///
/// When the last lease ends, the memory can be spilled and written in place again. Work that the holder has queued may
/// still read it then, on whichever stream: a write in place comes after that work, and when the memory goes back, it is
/// nobody else's until that is done.
pub struct Lease {
    owner: Arc<Owner>,
    address: NonNull<u8>,
    len: usize,
    may_write: bool,
}

// SAFETY: a lease gives out an address, and reads of bytes that nobody of this library writes; its drop changes atomics
// only.
unsafe impl Send for Lease {}
// SAFETY: as for `Send`.
unsafe impl Sync for Lease {}
impl UnwindSafe for Lease {}
impl RefUnwindSafe for Lease {}

impl Lease {
    /// A lease of `len` bytes from `offset`, given by the holder of a view of them.
    #[track_caller]
    fn new(owner: &Arc<Owner>, offset: usize, len: usize, may_write: bool) -> Result<Self> {
        debug_assert!(offset + len <= owner.capacity);
        if owner.foreign {
            // It neither moves nor is written, so a share of it is all that a holder needs.
            debug_assert!(!may_write, "foreign memory is separated before it is exported to a writer");
            owner.state.mark_exported();
            return Ok(Self { owner: Arc::clone(owner), address: owner.address(offset), len, may_write });
        }
        if !may_write && owner.state.lease_resident() {
            owner.note_exposure(len, false);
            return Ok(Self { owner: Arc::clone(owner), address: owner.address(offset), len, may_write });
        }
        let was_spilled = owner.is_spilled();
        // A pin to write keeps a copy from being made below, which the holder's writes would belie.
        owner.pin_resident(if may_write { Hold::Write } else { Hold::Read })?;
        let leased = owner.state.lease(may_write);
        let address = owner.address(offset);
        owner.unpin();
        leased.map_err(|(holders, most)| owner.too_many(holders, most))?;
        owner.note_exposure(len, was_spilled);
        Ok(Self { owner: Arc::clone(owner), address, len, may_write })
    }

    /// The address of the first byte, on the device. The holder waits for [`ready`](Self::ready) before it looks.
    pub fn as_ptr(&self) -> *const u8 {
        self.address.as_ptr()
    }

    /// Bytes from that address on.
    #[expect(clippy::len_without_is_empty, reason = "the number goes to a consumer beside the address")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The device of the memory.
    pub fn device(&self) -> Device {
        self.owner.device
    }

    /// Whether the holder may write: see [`Buffer::lease_mut`].
    pub fn may_write(&self) -> bool {
        self.may_write
    }

    /// A mark that is passed when all work that writes the bytes is done; of a lease whose holder may write, all work
    /// that reads them too. `None` on the host, where it is done.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] when the driver refuses.
    pub fn ready(&self) -> Result<Option<Event>> {
        let Some(uses) = &self.owner.uses else { return Ok(None) };
        let stream = uses.last_stream();
        self.order(&stream)?;
        stream.record().map(Some)
    }

    /// Makes work queued on `stream` from now on wait for what [`ready`](Self::ready) marks: so a holder of many leases
    /// needs one mark only, recorded on that stream.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`] when the stream is of another device, [`Error::Device`] when the driver refuses.
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

    /// Notes that the holder queued work on `stream` that uses the bytes: what this library does with them from now on
    /// comes after it. A holder whose work is done when the lease ends need not say so.
    pub fn note_use(&self, stream: &Stream) {
        if let Some(uses) = &self.owner.uses {
            if self.may_write { uses.note_unordered_write(stream) } else { uses.note_read(stream) }
        }
    }

    /// Arrow's view of the bytes, which ends the lease when its last clone is dropped.
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
    /// Lets a foreign holder keep the bytes; see [`Lease`]. What is spilled comes back first.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], [`Error::Storage`] and [`Error::Device`] when spilled bytes cannot be brought back,
    /// [`Error::TooManyHolders`] when half a billion leases live already, or 255 whose holders may write.
    #[track_caller]
    pub fn lease(&self) -> Result<Lease> {
        Lease::new(self.owner(), self.offset(), self.len(), false)
    }

    /// Lets a foreign holder keep and write the bytes. Memory that other buffers share is separated first, so that no
    /// buffer made before sees the foreign writes; this one and its clones do, and [`shallow_copy`](Self::shallow_copy)
    /// copies at once while the lease lives.
    ///
    /// # Errors
    ///
    /// As [`lease`](Self::lease), and [`Error::OutOfMemory`] when shared memory cannot be separated.
    ///
    /// # Source
    ///
    /// cuDF library design, "copy-on-write": immediate copies when exposed to third-party libraries.
    #[track_caller]
    pub fn lease_mut(&mut self, exec: &Exec) -> Result<Lease> {
        self.separate_from_buffers(exec)?;
        Lease::new(self.owner(), self.offset(), self.len(), true)
    }

    /// The address of the bytes for a consumer without a lifetime, such as the CUDA Array Interface: from now on the
    /// memory stays where it is as long as the buffer lives, and every [shallow copy](Self::shallow_copy) is a physical
    /// one, for nobody knows what the consumer does. Prefer a [`Lease`].
    ///
    /// # Errors
    ///
    /// As [`lease_mut`](Self::lease_mut).
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

    /// The same bytes, shared until one of the two is written. A physical copy where sharing would show writes that
    /// nobody can see: while a foreign holder may write the memory, and with copy-on-write switched off.
    ///
    /// # Errors
    ///
    /// As [`copy_to`](Self::copy_to).
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
    /// Makes `stream`, which is to write, wait for all uses: those noted, and those of former holders of leases.
    #[inline]
    pub(super) fn order_write(&self, uses: &Uses, stream: &Stream) -> Result<()> {
        uses.order_write(stream)?;
        if self.state.past() == AddressHistory::Private {
            Ok(())
        } else {
            self.order_after_consumers(uses, stream)
        }
    }

    /// Makes `stream` wait for what anybody has queued on the device until now. That is a use which others wait for in
    /// their turn, so unless somebody knows the address still, it ends the past.
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

    /// Counts that a foreign holder was given the address of `len` bytes, for the caller's call site.
    #[inline]
    #[track_caller]
    fn note_exposure(&self, len: usize, was_spilled: bool) {
        if let Some(manager) = &self.manager {
            manager.statistics().exposed(Location::caller(), len, was_spilled);
        }
    }

    /// Pins the bytes at home, for a caller who has no context.
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

/// A vector's memory without its type: the values are plain bytes, so only the memory is dropped.
pub(super) struct VecMemory {
    address: NonNull<u8>,
    layout: Layout,
}

// SAFETY: this is the right to free some memory, which any thread may do.
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
        // capacity; it was given up in `from`. Only vectors with a capacity are taken in.
        unsafe { std::alloc::dealloc(self.address.as_ptr(), self.layout) };
    }
}
