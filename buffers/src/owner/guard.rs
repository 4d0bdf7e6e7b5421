//! Guards: scopes in which memory has an address.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

use super::{Hold, Owner};
use crate::device::{CopyKind, PinnedMemory, copy};
use crate::spill::lock;
use crate::sync::Arc;
use crate::{Buffer, Device, Exec, Pod, Result, Stream};

/// A buffer's bytes, readable by work queued on one stream while the guard lives.
///
/// The guard pins the bytes. On drop it records that the stream has read them until now:
/// **queue the work first, then drop the guard**.
///
/// While it lives, its buffer can neither be written nor dropped:
///
/// ```compile_fail,E0502
/// # use columnade_buffers::{Buffer, Exec};
/// # let exec = Exec::host();
/// # let mut buffer = Buffer::zeroed(8, &exec)?;
/// let reading = buffer.read(&exec)?;
/// let writing = buffer.write(&exec)?;
/// drop(reading);
/// # Ok::<(), columnade_buffers::Error>(())
/// ```
///
/// ```compile_fail,E0505
/// # use columnade_buffers::{Buffer, Exec};
/// # let exec = Exec::host();
/// # let buffer = Buffer::zeroed(8, &exec)?;
/// let reading = buffer.read(&exec)?;
/// drop(buffer);
/// let address = reading.as_ptr();
/// # Ok::<(), columnade_buffers::Error>(())
/// ```
pub struct ReadGuard<'a> {
    pinned: Pinned<&'a Owner, &'a Stream>,
}

/// A buffer's bytes, readable and writable by work queued on one stream while the guard lives. No other
/// buffer shares them.
///
/// As with [`ReadGuard`], queue the work first, then drop the guard. While it lives, the buffer cannot be
/// used otherwise, and no view can be made that would share the written bytes:
///
/// ```compile_fail,E0502
/// # use columnade_buffers::{Buffer, Exec};
/// # let exec = Exec::host();
/// # let mut buffer = Buffer::zeroed(8, &exec)?;
/// let mut writing = buffer.write(&exec)?;
/// let shared = buffer.clone();
/// writing.as_mut_ptr();
/// # Ok::<(), columnade_buffers::Error>(())
/// ```
///
/// ```compile_fail,E0499
/// # use columnade_buffers::{Buffer, Exec};
/// # let exec = Exec::host();
/// # let mut buffer = Buffer::zeroed(8, &exec)?;
/// let mut first = buffer.write(&exec)?;
/// let second = buffer.write(&exec)?;
/// first.as_mut_ptr();
/// # Ok::<(), columnade_buffers::Error>(())
/// ```
pub struct WriteGuard<'a> {
    writing: Writing<&'a Owner, &'a Stream>,
    /// Borrows the buffer mutably, so that no view of it can be made while it is written.
    _buffer: PhantomData<&'a mut Buffer>,
}

/// A [`WriteGuard`] that owns its buffer: for memory that a callee allocates and its caller uses.
pub struct OwnedWriteGuard {
    writing: Writing<Arc<Owner>, Stream>,
    /// Not accessible, so that no view of it can be made while it is written.
    buffer: Buffer,
}

const _: () = assert!(align_of::<AtomicU64>() == align_of::<u64>());

/// A pinned range of an allocation. Guards that borrow their buffer also borrow owner and stream: counting
/// references would cost as much as the pin.
struct Pinned<O: Deref<Target = Owner>, S: Borrow<Stream>> {
    owner: O,
    address: NonNull<u8>,
    len: usize,
    /// The stream of the work that uses the bytes.
    stream: S,
    /// The call site that took the guard, if statistics count call sites.
    site: Option<&'static Location<'static>>,
}

/// A pinned, unshared range of an allocation; the drop records the write.
struct Writing<O: Deref<Target = Owner>, S: Borrow<Stream>>(Pinned<O, S>);

// SAFETY: the address stays valid until the drop, which may happen on any thread: it changes only atomics and
// data under locks. Through the address only bytes are accessible.
unsafe impl<O: Deref<Target = Owner> + Send, S: Borrow<Stream> + Send> Send for Pinned<O, S> {}
// SAFETY: a shared `Pinned` allows reads only.
unsafe impl<O: Deref<Target = Owner> + Sync, S: Borrow<Stream> + Sync> Sync for Pinned<O, S> {}

impl Owner {
    /// A guard to read `len` bytes from `offset`, ordered after the writes of other streams.
    #[inline]
    #[track_caller]
    pub(crate) fn read<'a>(&'a self, offset: usize, len: usize, exec: &'a Exec) -> Result<ReadGuard<'a>> {
        self.hold(Hold::Read, exec)?;
        Ok(self.reading(offset, len, exec))
    }

    /// A guard to write `len` bytes from `offset`, ordered after all uses of other streams. The caller holds
    /// the only view mutably, or has made the allocation and not shared it.
    #[inline]
    #[track_caller]
    pub(crate) fn write<'a>(&'a self, offset: usize, len: usize, exec: &'a Exec) -> Result<WriteGuard<'a>> {
        self.hold(Hold::Write, exec)?;
        Ok(self.writing(offset, len, exec))
    }

    /// Pins the bytes for a guard and makes the context's stream wait for the uses that the guard must come
    /// after.
    #[inline]
    pub(crate) fn hold(&self, hold: Hold, exec: &Exec) -> Result<()> {
        exec.require_device(self.device)?;
        self.pin(hold, exec)?;
        self.order(hold, exec.stream())
    }

    /// Like [`hold`](Self::hold), for bytes that the caller has pinned. An error removes the pin.
    #[inline]
    pub(crate) fn order(&self, hold: Hold, stream: &Stream) -> Result<()> {
        let Some(uses) = &self.uses else { return Ok(()) };
        let ordered = match hold {
            Hold::Read => uses.order_read(stream),
            Hold::Write => self.order_write(uses, stream),
        };
        ordered.inspect_err(|_| self.unpin())
    }

    /// The guard of bytes that are [held](Self::hold) for it; takes over their pin.
    #[inline]
    #[track_caller]
    pub(crate) fn reading<'a>(&'a self, offset: usize, len: usize, exec: &'a Exec) -> ReadGuard<'a> {
        ReadGuard { pinned: Pinned::new(self, offset, len, exec.stream()) }
    }

    /// Like [`reading`](Self::reading), for bytes that are held for writing.
    #[inline]
    #[track_caller]
    pub(crate) fn writing<'a>(&'a self, offset: usize, len: usize, exec: &'a Exec) -> WriteGuard<'a> {
        WriteGuard { writing: Writing(Pinned::new(self, offset, len, exec.stream())), _buffer: PhantomData }
    }
}

impl Buffer {
    /// Like [`write`](Self::write), with a guard that owns the buffer.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write); the buffer is then dropped.
    #[track_caller]
    pub fn into_write(mut self, exec: &Exec) -> Result<OwnedWriteGuard> {
        exec.require_device(self.device())?;
        self.separate(exec)?;
        self.owner().hold(Hold::Write, exec)?;
        Ok(self.held(exec))
    }

    /// New bytes with unspecified contents as of [`uninit`](Self::uninit), with a guard that owns them.
    ///
    /// They are held before another thread can see them. Between `uninit` and [`write`](Self::write) another thread may
    /// evict them, and a worker of a parallel loop must not wait for that.
    ///
    /// # Errors
    ///
    /// Those of [`uninit`](Self::uninit).
    #[track_caller]
    pub fn uninit_write(bytes: usize, exec: &Exec) -> Result<OwnedWriteGuard> {
        let owner = Owner::allocate(bytes, exec)?;
        owner.hold(Hold::Write, exec)?;
        Ok(Self::of(owner, bytes).held(exec))
    }

    /// New bytes as of [`unpadded`](Self::unpadded), with a guard that owns them, as of
    /// [`uninit_write`](Self::uninit_write).
    ///
    /// # Errors
    ///
    /// Those of [`unpadded`](Self::unpadded).
    #[track_caller]
    pub fn unpadded_write(bytes: usize, exec: &Exec) -> Result<OwnedWriteGuard> {
        let owner = Owner::allocate_unpadded(bytes, exec)?;
        owner.hold(Hold::Write, exec)?;
        Ok(Self::of(owner, bytes).held(exec))
    }

    /// The guard of bytes that are pinned for it.
    #[track_caller]
    fn held(self, exec: &Exec) -> OwnedWriteGuard {
        let owner = Arc::clone(self.owner());
        let writing = Writing(Pinned::new(owner, self.offset(), self.len(), exec.stream().clone()));
        lock::keep(self.owner(), self.len());
        OwnedWriteGuard { writing, buffer: self }
    }
}

impl OwnedWriteGuard {
    /// The address of the first byte, on the device. Valid while the guard lives.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.writing.0.address.as_ptr()
    }

    /// The number of bytes at that address.
    #[expect(clippy::len_without_is_empty, reason = "the number goes to a kernel beside the address")]
    pub fn len(&self) -> usize {
        self.writing.0.len
    }

    /// The bytes as values, on the host.
    ///
    /// # Panics
    ///
    /// For memory that is not on the host, for a length that is no multiple of the size of `T`, and for an address that is not
    /// aligned for it.
    pub fn as_slice<T: Pod>(&self) -> &[T] {
        self.writing.0.as_slice()
    }

    /// The bytes as values to change, on the host.
    ///
    /// # Panics
    ///
    /// For memory that is not on the host, for a length that is no multiple of the size of `T`, and for an address that is not
    /// aligned for it.
    pub fn as_mut_slice<T: Pod>(&mut self) -> &mut [T] {
        self.writing.as_mut_slice()
    }

    /// The bytes as words that several threads may change at the same time, on the host.
    ///
    /// # Panics
    ///
    /// For memory that is not on the host, for a length that is no multiple of the size of `T`, and for an address that is not
    /// aligned for it.
    pub fn as_atomics(&mut self) -> &[AtomicU64] {
        let words = self.as_mut_slice::<u64>();
        // SAFETY: an atomic word has the representation of a plain one and, by the assertion, its alignment; the words
        // are borrowed mutably, so that they are accessed through the atomics alone while those live.
        unsafe { std::slice::from_raw_parts(words.as_mut_ptr().cast(), words.len()) }
    }

    /// Drops the guard and returns the buffer.
    pub fn into_buffer(self) -> Buffer {
        let Self { writing, buffer } = self;
        drop(writing);
        buffer
    }
}

impl<O: Deref<Target = Owner>, S: Borrow<Stream>> Writing<O, S> {
    fn as_mut_slice<T: Pod>(&mut self) -> &mut [T] {
        let len = self.0.checked_len::<T>();
        // SAFETY: `checked_len` has checked device, length and alignment; the bytes are initialised (every resource of
        // the host hands out initialised memory) and any bytes are a valid `T: Pod`; this is the only guard, for its
        // owner holds the only view mutably or owns it, and it is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.0.address.cast().as_ptr(), len) }
    }
}

impl ReadGuard<'_> {
    /// The address of the first byte, on the device. Valid while the guard lives.
    #[inline]
    pub fn as_ptr(&self) -> *const u8 {
        self.pinned.address.as_ptr()
    }

    /// The number of bytes at that address.
    #[expect(clippy::len_without_is_empty, reason = "the number goes to a kernel beside the address")]
    pub fn len(&self) -> usize {
        self.pinned.len
    }

    /// The bytes as values, on the host.
    ///
    /// # Panics
    ///
    /// If the memory is not on the host, if its length is not a multiple of `T`'s size, or if its address is
    /// not aligned for `T`.
    pub fn as_slice<T: Pod>(&self) -> &[T] {
        self.pinned.as_slice()
    }

    /// A new allocation on the same device with a copy of the bytes, queued on the context's stream, which is
    /// this guard's.
    pub(crate) fn copy_on_device(&self, exec: &Exec) -> Result<Owner> {
        let (address, len) = (self.pinned.address, self.pinned.len);
        let target = Owner::allocate(len, exec)?;
        let guard = target.write(0, len, exec)?;
        // SAFETY: the source is pinned and, by this guard, recorded as read on the stream; the target is new,
        // has as many bytes, and its guard records the write after the copy is queued.
        unsafe {
            guard.writing.0.copy(
                guard.writing.0.address.as_ptr(),
                address.as_ptr(),
                CopyKind::WithinDevice,
            )?;
        }
        drop(guard);
        Ok(target)
    }

    /// Queues a copy of the bytes into another buffer, from byte `at` on.
    pub(crate) fn copy_into(&self, target: &mut WriteGuard<'_>, at: usize) -> Result<()> {
        assert!(at + self.len() <= target.len(), "the copy reaches beyond the target");
        // SAFETY: the source is pinned and, by this guard, recorded as read; the target is pinned, unshared,
        // and long enough by the check.
        unsafe { self.pinned.copy(target.as_mut_ptr().add(at), self.as_ptr(), CopyKind::WithinDevice) }
    }

    /// Copies the bytes to host memory of the same length; complete on return. Few bytes of a device take the way over
    /// page-locked memory, which spares the driver's own copy.
    pub(crate) fn copy_to_host(&self, target: &mut [u8]) -> Result<()> {
        assert_eq!(target.len(), self.pinned.len);
        let device = self.pinned.owner.device();
        if device != Device::Host && (1..=PinnedMemory::PAGE_BYTES).contains(&target.len()) {
            let mut page = PinnedMemory::new(target.len(), device)?;
            // SAFETY: the source is pinned, and the page, which has as many bytes, lives until the stream is done.
            unsafe { self.pinned.copy(page.as_mut_ptr(), self.as_ptr(), CopyKind::DeviceToHost)? };
            self.pinned.synchronize()?;
            // SAFETY: both have as many bytes, those of the page have been written, and it has no other user.
            unsafe { page.as_mut_ptr().copy_to_nonoverlapping(target.as_mut_ptr(), target.len()) };
            return Ok(());
        }
        // SAFETY: the source is pinned; the target is borrowed mutably until the stream is done.
        unsafe { self.pinned.copy(target.as_mut_ptr(), self.as_ptr(), CopyKind::DeviceToHost)? };
        self.pinned.synchronize()
    }
}

impl WriteGuard<'_> {
    /// The address of the first byte, on the device. Valid while the guard lives.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.writing.0.address.as_ptr()
    }

    /// The number of bytes at that address.
    #[expect(clippy::len_without_is_empty, reason = "the number goes to a kernel beside the address")]
    pub fn len(&self) -> usize {
        self.writing.0.len
    }

    /// The bytes as values, on the host.
    ///
    /// # Panics
    ///
    /// For memory that is not on the host, for a length that is no multiple of the size of `T`, and for an address that is not
    /// aligned for it.
    pub fn as_slice<T: Pod>(&self) -> &[T] {
        self.writing.0.as_slice()
    }

    /// The bytes as values to change, on the host. The bytes of a [`Buffer::uninit`] buffer are initialised,
    /// with unspecified values.
    ///
    /// # Panics
    ///
    /// For memory that is not on the host, for a length that is no multiple of the size of `T`, and for an address that is not
    /// aligned for it.
    pub fn as_mut_slice<T: Pod>(&mut self) -> &mut [T] {
        self.writing.as_mut_slice()
    }

    /// Copies host values into the buffer; complete on return.
    ///
    /// # Errors
    ///
    /// [`Error::Device`](crate::Error::Device).
    ///
    /// # Panics
    ///
    /// If the values are not exactly as many bytes as the buffer.
    ///
    /// # Device
    ///
    /// One copy in the order of the guard's stream, which the host waits for.
    pub fn copy_from_slice<T: Pod>(&mut self, values: &[T]) -> Result<()> {
        assert_eq!(size_of_val(values), self.writing.0.len, "as many bytes as the buffer has");
        // SAFETY: this guard is the only one; the source is borrowed until the stream is done.
        unsafe {
            self.writing.0.copy(
                self.writing.0.address.as_ptr(),
                values.as_ptr().cast(),
                CopyKind::HostToDevice,
            )?;
        }
        self.writing.0.synchronize()
    }
}

impl<O: Deref<Target = Owner>, S: Borrow<Stream>> Pinned<O, S> {
    /// The caller has pinned the bytes; the drop unpins them.
    #[inline]
    #[track_caller]
    fn new(owner: O, offset: usize, len: usize, stream: S) -> Self {
        debug_assert!(offset + len <= owner.capacity);
        let address = owner.address(offset);
        let caller = Location::caller();
        let site = owner.manager.as_ref().and_then(|manager| manager.note_pin(caller, len));
        Self { owner, address, len, stream, site }
    }

    /// Queues a copy of as many bytes as are pinned.
    ///
    /// # Safety
    ///
    /// As [`copy`].
    unsafe fn copy(&self, target: *mut u8, source: *const u8, kind: CopyKind) -> Result<()> {
        let stream: &Stream = self.stream.borrow();
        // SAFETY: the caller's promise; the stream is live and of the owner's device.
        unsafe { copy(self.owner.device, target, source, self.len, kind, stream.as_raw()) }
    }

    fn synchronize(&self) -> Result<()> {
        self.stream.borrow().synchronize()
    }

    fn as_slice<T: Pod>(&self) -> &[T] {
        let len = self.checked_len::<T>();
        // SAFETY: `checked_len` has checked device, length and alignment; the bytes are initialised (every
        // resource of the host allocates initialised memory) and any bytes are a valid `T: Pod`; they are not
        // written while a read guard lives.
        unsafe { std::slice::from_raw_parts(self.address.cast().as_ptr(), len) }
    }

    /// The length in values of `T`.
    fn checked_len<T>(&self) -> usize {
        assert_eq!(self.owner.device, Device::Host, "the host cannot look into device memory");
        let size = size_of::<T>();
        assert!(
            size > 0 && self.len.is_multiple_of(size),
            "{} bytes are no whole number of {size}",
            self.len
        );
        let address = self.address.as_ptr().addr();
        assert!(
            address.is_multiple_of(align_of::<T>()),
            "{address:#x} is not aligned to {}",
            align_of::<T>()
        );
        self.len / size
    }

    fn fmt(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("owner", &self.owner.id)
            .field("address", &self.address)
            .field("len", &self.len)
            .field("stream", self.stream.borrow())
            .finish()
    }
}

impl Drop for ReadGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        // Unpin after recording the use: a thread that moves the bytes then sees it.
        let Pinned { owner, stream, .. } = &self.pinned;
        if let Some(uses) = &owner.uses {
            uses.note_read(stream);
        }
    }
}

impl<O: Deref<Target = Owner>, S: Borrow<Stream>> Drop for Writing<O, S> {
    #[inline]
    fn drop(&mut self) {
        let Pinned { owner, stream, .. } = &self.0;
        if let Some(uses) = &owner.uses {
            uses.note_write(stream.borrow());
        }
    }
}

impl<O: Deref<Target = Owner>, S: Borrow<Stream>> Drop for Pinned<O, S> {
    #[inline]
    fn drop(&mut self) {
        if let (Some(site), Some(manager)) = (self.site, &self.owner.manager) {
            manager.note_unpin(site, self.len);
        }
        self.owner.state.unpin();
    }
}

impl fmt::Debug for ReadGuard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pinned.fmt("ReadGuard", f)
    }
}

impl fmt::Debug for WriteGuard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.writing.0.fmt("WriteGuard", f)
    }
}

impl fmt::Debug for OwnedWriteGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.writing.0.fmt("OwnedWriteGuard", f)
    }
}
