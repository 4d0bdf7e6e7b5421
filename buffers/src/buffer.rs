//! Views of shared, copy-on-write memory.

use std::fmt;

use crate::owner::{Hold, Owner};
use crate::spill::lock;
use crate::sync::Arc;
use crate::{Device, Error, Exec, Pod, ReadGuard, Result, SpillManager, Tier, WriteGuard};

/// A range of bytes on a device.
///
/// Clones and slices share memory until one of them is written. The written buffer first gets memory of its
/// own (copy-on-write), so no buffer sees another's change. The last buffer that uses an allocation writes in
/// place.
///
/// A buffer has no stable address. [`read`](Self::read) and [`write`](Self::write) return guards, and a
/// guard's pointer is valid while the guard lives.
///
/// # Source
///
/// cuDF `Buffer` and `ExposureTrackedBuffer` (library design, "copy-on-write").
pub struct Buffer {
    owner: Arc<Owner>,
    offset: usize,
    len: usize,
}

impl Buffer {
    /// A view of the first `len` bytes of a new allocation.
    pub(crate) fn of(owner: Owner, len: usize) -> Self {
        Self::part_of(owner, 0, len)
    }

    pub(crate) fn part_of(owner: Owner, offset: usize, len: usize) -> Self {
        Self::view(owner.into_shared(), offset, len)
    }

    pub(crate) fn view(owner: Arc<Owner>, offset: usize, len: usize) -> Self {
        owner.add_view(offset, len);
        Self { owner, offset, len }
    }

    /// Allocates `bytes` bytes with unspecified contents.
    ///
    /// The address is a multiple of 64, on GPUs of 256. The allocation is padded with zeros to a multiple of
    /// 64 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) or [`Error::Device`](crate::Error::Device).
    ///
    /// # Device
    ///
    /// A stream-ordered allocation, and a fill of fewer than 64 bytes if the length needs padding. The host
    /// does not wait.
    pub fn uninit(bytes: usize, exec: &Exec) -> Result<Self> {
        Ok(Self::of(Owner::allocate(bytes, exec)?, bytes))
    }

    /// Like [`uninit`](Self::uninit), without the fill: the caller queues work that zeroes the bytes up to the next
    /// multiple of [`PADDING_BYTES`](crate::PADDING_BYTES).
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) or [`Error::Device`](crate::Error::Device).
    pub fn unpadded(bytes: usize, exec: &Exec) -> Result<Self> {
        Ok(Self::of(Owner::allocate_unpadded(bytes, exec)?, bytes))
    }

    /// Allocates `bytes` zero bytes; see [`uninit`](Self::uninit).
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) or [`Error::Device`](crate::Error::Device).
    pub fn zeroed(bytes: usize, exec: &Exec) -> Result<Self> {
        Ok(Self::of(Owner::allocate_zeroed(bytes, exec)?, bytes))
    }

    /// Copies host values to the context's device. The copy is complete on return.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) or [`Error::Device`](crate::Error::Device).
    pub fn from_slice<T: Pod>(values: &[T], exec: &Exec) -> Result<Self> {
        let bytes = bytemuck::cast_slice(values);
        Ok(Self::of(Owner::from_bytes(bytes, exec)?, bytes.len()))
    }

    /// Takes over the memory of a vector, on the host, without a copy. It is not padded.
    pub fn from_vec<T: Pod>(values: Vec<T>) -> Self {
        let manager = crate::resource::host_resource().spill_manager();
        let (owner, len) = Owner::from_vec(values, manager);
        Self::of(owner, len)
    }

    /// Takes over a vector like [`from_vec`](Self::from_vec) if the context is on the host; the memory then
    /// belongs to the context's budget and can be spilled. On another device the values are copied.
    ///
    /// # Errors
    ///
    /// On a device, where the values are copied: [`Error::OutOfMemory`](crate::Error::OutOfMemory) or [`Error::Device`](crate::Error::Device).
    pub fn from_vec_on<T: Pod>(values: Vec<T>, exec: &Exec) -> Result<Self> {
        if exec.device() != Device::Host {
            return Self::from_slice(&values, exec);
        }
        let (owner, len) = Owner::from_vec(values, exec.resource().spill_manager());
        Ok(Self::of(owner, len))
    }

    /// Wraps the memory of an Arrow buffer, on the host, without a copy. Alignment and padding are those of
    /// the Arrow buffer. The memory is never written: a write copies it first.
    pub fn from_arrow(buffer: arrow_buffer::Buffer) -> Self {
        let (owner, len) = Owner::from_arrow(buffer);
        Self::of(owner, len)
    }

    /// The bytes as an Arrow buffer, without a copy. The Arrow buffer holds a [`Lease`](crate::Lease): while
    /// it or a clone of it lives, a write to this buffer copies it first.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch) if the memory is not on the host; otherwise
    /// those of
    /// [`lease`](Self::lease).
    pub fn to_arrow(&self) -> Result<arrow_buffer::Buffer> {
        self.lease()?.into_arrow()
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the length is 0.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the bytes are in a lower tier and not on the device.
    pub fn is_spilled(&self) -> bool {
        self.tier() != Tier::Device
    }

    /// The tier that holds the bytes now.
    pub fn tier(&self) -> Tier {
        self.owner.tier()
    }

    /// Whether the bytes can be spilled now: they are on the device, and no guard, lease or exposure holds
    /// them.
    ///
    /// # Source
    ///
    /// cuDF `SpillableBuffer.spillable`.
    pub fn is_spillable(&self) -> bool {
        self.owner.is_spillable()
    }

    /// Spills the whole allocation that this is a view of, whatever the budget. Returns false if a guard, a
    /// lease or an exposure holds it, or if it is spilled already.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`](crate::Error::Storage) if no tier takes the bytes; they stay where they were.
    ///
    /// # Source
    ///
    /// cuDF `SpillableBuffer.spill`.
    pub fn spill(&self) -> Result<bool> {
        self.owner.spill()
    }

    /// The device of the memory; for spilled bytes, the device that they were spilled from.
    pub fn device(&self) -> Device {
        self.owner.device()
    }

    /// Returns a view of `len` bytes from `offset`. It keeps the whole allocation alive.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the end.
    #[must_use]
    pub fn slice(&self, offset: usize, len: usize) -> Self {
        assert!(
            offset.checked_add(len).is_some_and(|end| end <= self.len),
            "{len} bytes from {offset} are not within {}",
            self.len
        );
        Self::view(Arc::clone(&self.owner), self.offset + offset, len)
    }

    /// Returns a guard for work on the context's stream that reads the bytes. Spilled bytes are unspilled
    /// first.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch) when the memory is on another device,
    /// [`Error::Device`](crate::Error::Device).
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) or [`Error::Storage`](crate::Error::Storage) if
    /// spilled bytes cannot be unspilled; they stay where they are.
    ///
    /// # Device
    ///
    /// The context's stream waits for the last write if another stream made it. The host does not wait,
    /// unless the bytes are spilled and not in pinned memory.
    #[inline]
    #[track_caller]
    pub fn read<'a>(&'a self, exec: &'a Exec) -> Result<ReadGuard<'a>> {
        self.owner.hold(Hold::Read, exec)?;
        lock::keep(&self.owner, self.len);
        Ok(self.owner.reading(self.offset, self.len, exec))
    }

    /// Returns a guard for work on the context's stream that reads and writes the bytes. If the memory is
    /// shared, this view's range is copied first.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read), and [`Error::OutOfMemory`](crate::Error::OutOfMemory) if shared memory
    /// cannot be copied. The buffer is then unchanged.
    ///
    /// # Device
    ///
    /// The context's stream waits for each other stream that used the memory last, and shared memory is
    /// copied. The host does not wait.
    #[inline]
    #[track_caller]
    pub fn write<'a>(&'a mut self, exec: &'a Exec) -> Result<WriteGuard<'a>> {
        self.separate(exec)?;
        self.owner.hold(Hold::Write, exec)?;
        lock::keep(&self.owner, self.len);
        Ok(self.owner.writing(self.offset, self.len, exec))
    }

    /// Copies the bytes to an allocation of their own unless this buffer may write in place.
    #[inline]
    pub(crate) fn separate(&mut self, exec: &Exec) -> Result<()> {
        if self.owner.may_write_in_place() { Ok(()) } else { self.take_a_copy(exec) }
    }

    /// Copies the bytes to an allocation of their own unless only foreign writers share them.
    pub(crate) fn separate_from_buffers(&mut self, exec: &Exec) -> Result<()> {
        if self.owner.may_be_written_by_foreigners() { Ok(()) } else { self.take_a_copy(exec) }
    }

    #[cold]
    fn take_a_copy(&mut self, exec: &Exec) -> Result<()> {
        *self = self.copy_on_device(exec)?;
        Ok(())
    }

    fn copy_on_device(&self, exec: &Exec) -> Result<Self> {
        // A spilled copy is immutable, so two buffers can share it.
        if let Some(owner) = self.owner.share_spilled(self.offset, self.len)? {
            return Ok(Self::part_of(owner, self.offset, self.len));
        }
        let copy = self.read(exec)?.copy_on_device(exec)?;
        Ok(Self::of(copy, self.len))
    }

    /// Copies the bytes to a new allocation on the context's device, which may be this buffer's.
    ///
    /// # Errors
    ///
    /// Those of [`uninit`](Self::uninit) and [`read`](Self::read), except for the device.
    ///
    /// # Device
    ///
    /// A copy within a device is queued and the host does not wait. A copy from or to the host is complete on
    /// return. A copy between two devices goes through the host.
    pub fn copy_to(&self, exec: &Exec) -> Result<Self> {
        if self.device() == exec.device() {
            return self.copy_on_device(exec);
        }
        if self.is_empty() {
            return Self::uninit(0, exec);
        }
        let Some(stream) = self.owner.last_stream() else {
            return Self::from_slice(self.read(&Exec::host())?.as_slice::<u8>(), exec);
        };
        let source = Exec::on_stream(stream)?;
        if exec.device() != Device::Host {
            return Self::from_slice(&self.to_vec::<u8>(&source)?, exec);
        }
        let mut copy = Self::uninit(self.len, exec)?;
        if self.owner.read_spilled(self.offset, copy.write(exec)?.as_mut_slice())? {
            return Ok(copy);
        }
        self.read(&source)?.copy_to_host(copy.write(exec)?.as_mut_slice())?;
        Ok(copy)
    }

    /// Copies the bytes to a vector on the host. The host waits for them.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch) when the memory is on another device,
    /// [`Error::Device`](crate::Error::Device); [`Error::OutOfMemory`](crate::Error::OutOfMemory) or
    /// [`Error::Storage`](crate::Error::Storage) if spilled bytes cannot be unspilled; they stay where they are.
    ///
    /// # Panics
    ///
    /// If the length is not a multiple of `T`'s size.
    pub fn to_vec<T: Pod>(&self, exec: &Exec) -> Result<Vec<T>> {
        let size = size_of::<T>();
        assert!(
            size > 0 && self.len.is_multiple_of(size),
            "{} bytes are no whole number of {size}",
            self.len
        );
        let mut values = bytemuck::zeroed_vec(self.len / size);
        if self.owner.read_spilled(self.offset, bytemuck::cast_slice_mut(&mut values))? {
            return Ok(values);
        }
        self.read(exec)?.copy_to_host(bytemuck::cast_slice_mut(&mut values))?;
        Ok(values)
    }

    /// A buffer of the same bytes that does not depend on the rest of the allocation. For a part of a spilled
    /// allocation, a spilled copy of that part alone; for resident memory, or for all of an allocation, a
    /// clone.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device) when the driver refuses a stream.
    pub fn isolate(&self) -> Result<Self> {
        // Bytes that are being unspilled count as resident.
        if self.owner.is_moving() || self.owner.is_no_more_than(self.offset, self.len) {
            return Ok(self.clone());
        }
        match self.owner.share_spilled(self.offset, self.len)? {
            Some(owner) => Ok(Self::part_of(owner, self.offset, self.len)),
            None => Ok(self.clone()),
        }
    }

    /// Concatenates the parts in one new allocation. If they do not fit the context's budget, they are
    /// assembled in a lower tier; if no tier takes them, on the device.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) or [`Error::Device`](crate::Error::Device) for the new allocation;
    /// those of [`read`](Self::read) for the parts.
    pub fn assemble(parts: &[Self], exec: &Exec) -> Result<Self> {
        let len: usize = parts.iter().map(Self::len).sum();
        match exec.resource().spill_manager() {
            Some(manager) if manager.limit().is_some_and(|limit| len > limit / ASSEMBLED_SHARE) => {
                match Self::assemble_spilled(parts, len, &manager, exec) {
                    Err(Error::Storage { .. }) => Self::assemble_resident(parts, len, exec),
                    done => done,
                }
            }
            _ => Self::assemble_resident(parts, len, exec),
        }
    }

    fn assemble_resident(parts: &[Self], len: usize, exec: &Exec) -> Result<Self> {
        let mut whole = Self::uninit(len, exec)?;
        let mut target = whole.write(exec)?;
        let mut at = 0;
        for part in parts {
            part.read(exec)?.copy_into(&mut target, at)?;
            at += part.len;
        }
        drop(target);
        Ok(whole)
    }

    fn assemble_spilled(
        parts: &[Self],
        len: usize,
        manager: &Arc<SpillManager>,
        exec: &Exec,
    ) -> Result<Self> {
        let padded = len.next_multiple_of(crate::PADDING_BYTES);
        let mut builder = manager.payload_builder(padded)?;
        for part in parts {
            part.owner.append_to(&mut builder, part.offset, part.len, exec)?;
        }
        builder.append_bytes(&[0; crate::PADDING_BYTES][..padded - len])?;
        let payload = builder.finish()?;
        let owner = Owner::from_payload(payload, exec.device(), Arc::clone(manager))?;
        Ok(Self::of(owner, len))
    }

    /// Whether a write would happen in place: the memory may be written, and no other buffer or foreign
    /// consumer shares it.
    pub fn is_unique(&self) -> bool {
        self.owner.may_write_in_place()
    }

    /// Whether both are views of one allocation, overlapping or not. The parts of one
    /// [`ForeignMemory`](crate::ForeignMemory) count as one allocation.
    pub fn shares_memory(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.owner, &other.owner)
    }

    /// The identifier of the allocation. No other allocation of this process has or had it.
    pub fn memory_id(&self) -> u64 {
        self.owner.id()
    }

    /// A guard to read bytes that are already pinned for it.
    #[inline]
    #[track_caller]
    pub(crate) fn guard_pinned<'a>(&'a self, exec: &'a Exec) -> Result<ReadGuard<'a>> {
        self.owner.order(Hold::Read, exec.stream())?;
        lock::keep(&self.owner, self.len);
        Ok(self.owner.reading(self.offset, self.len, exec))
    }

    /// A guard to write bytes that are unshared and already pinned for it.
    #[inline]
    #[track_caller]
    pub(crate) fn guard_pinned_mut<'a>(&'a mut self, exec: &'a Exec) -> Result<WriteGuard<'a>> {
        self.owner.order(Hold::Write, exec.stream())?;
        lock::keep(&self.owner, self.len);
        Ok(self.owner.writing(self.offset, self.len, exec))
    }

    pub(crate) fn owner(&self) -> &Arc<Owner> {
        &self.owner
    }

    /// The allocation, where no other view, lease or guard shares it.
    pub(crate) fn sole_owner(&mut self) -> Option<&mut Owner> {
        Arc::get_mut(&mut self.owner)
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }
}

/// A buffer larger than this share of the budget is assembled in a lower tier: on the device it would not fit
/// together with its parts.
const ASSEMBLED_SHARE: usize = 4;

impl Clone for Buffer {
    /// The same bytes, shared until one of the two is written.
    fn clone(&self) -> Self {
        Self::view(Arc::clone(&self.owner), self.offset, self.len)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.owner.remove_view(self.offset, self.len);
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer")
            .field("device", &self.device())
            .field("memory_id", &self.memory_id())
            .field("offset", &self.offset)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}
