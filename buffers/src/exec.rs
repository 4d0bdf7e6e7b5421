//! The execution context: the device, the stream and the memory resource of an operation.

use smallvec::SmallVec;

use crate::device::{PinnedMemory, Word, report_deferred};
use crate::owner::{Hold, pin_all};
use crate::sync::Arc;
use crate::sync::global::{AtomicU32, Mutex, Ordering};
use crate::{
    Admission, Buffer, Device, Error, MemoryResource, ReadGuard, Result, Stream, WriteGuard, current_resource,
};

/// A device, a stream on it and a memory resource of it. Every operation below the engine takes one as its
/// last argument. Clones are the same context.
#[derive(Clone, Debug)]
pub struct Exec(Arc<Inner>);

// In cache lines of its own, because clones and drops change the reference count.
#[derive(Clone, Debug)]
#[repr(align(128))]
struct Inner {
    stream: Stream,
    resource: Arc<dyn MemoryResource>,
    admission: Admission,
    /// Made on first use; shared by the contexts of one stream.
    fault: Arc<Mutex<Option<Arc<FaultWord>>>>,
    /// Whether operations leave their faults in the word.
    defers_faults: bool,
}

/// All the guards that an operation needs, taken together.
#[derive(Debug)]
pub struct Access<'a> {
    /// One guard for each buffer to be read, in the order given.
    pub reads: SmallVec<[ReadGuard<'a>; 8]>,
    /// One guard for each buffer to be written, in the order given.
    pub writes: SmallVec<[WriteGuard<'a>; 4]>,
}

impl Exec {
    /// A context on `device`, with a new stream and the device's
    /// [current resource](current_resource).
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`] when the device cannot be used, [`Error::Device`] when the driver refuses a
    /// stream.
    pub fn new(device: Device) -> Result<Self> {
        device.require()?;
        Ok(Self::with_parts(Stream::new(device)?, current_resource(device)?))
    }

    /// A context on the host.
    pub fn host() -> Self {
        Self::with_parts(Stream::host(), crate::resource::host_resource())
    }

    /// A context on an existing stream.
    pub(crate) fn on_stream(stream: Stream) -> Result<Self> {
        let resource = current_resource(stream.device())?;
        Ok(Self::with_parts(stream, resource))
    }

    /// The stream and the resource belong to one device.
    pub(crate) fn with_parts(stream: Stream, resource: Arc<dyn MemoryResource>) -> Self {
        let fault = Arc::new(Mutex::new(None));
        Self(Arc::new(Inner { stream, resource, admission: Admission::Soft, fault, defers_faults: false }))
    }

    /// The same stream with another resource. If the resource belongs to another device, every allocation
    /// fails.
    #[must_use]
    pub fn with_resource(&self, resource: Arc<dyn MemoryResource>) -> Self {
        self.changed(|inner| inner.resource = resource)
    }

    /// The same resource with a new stream, so that work can run concurrently with this context's.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] when the driver refuses a stream.
    pub fn with_new_stream(&self) -> Result<Self> {
        let stream = Stream::new(self.device())?;
        Ok(self.changed(|inner| (inner.stream, inner.fault) = (stream, Arc::default())))
    }

    /// The device that work runs on and memory comes from.
    #[inline]
    pub fn device(&self) -> Device {
        self.0.stream.device()
    }

    /// The stream that work is queued on.
    #[inline]
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// The resource that allocates memory.
    pub fn resource(&self) -> &Arc<dyn MemoryResource> {
        &self.0.resource
    }

    /// What happens to allocations that exceed the budget. For code that allocates from the resource without
    /// a buffer.
    pub fn admission(&self) -> Admission {
        if self.resource().is_reserved() { Admission::Strict } else { self.0.admission }
    }

    /// The most bytes that this context's operations may hold on the device at a time; `None` if unlimited.
    pub fn budget(&self) -> Option<usize> {
        self.resource().limit()
    }

    /// This context with a strict [budget](Self::budget): an allocation that would exceed it fails. For an
    /// operation that can retry in smaller chunks. Without this the budget is soft: an allocation exceeds it
    /// if nothing is left to spill.
    #[must_use]
    pub fn strict(&self) -> Self {
        self.changed(|inner| inner.admission = Admission::Strict)
    }

    /// A copy of this context, changed by `change`.
    fn changed(&self, change: impl FnOnce(&mut Inner)) -> Self {
        let mut inner = (*self.0).clone();
        change(&mut inner);
        Self(Arc::new(inner))
    }

    /// Frees memory of the device for an allocation of `bytes` bytes: trims the resource's free lists, then
    /// spills. Never waits for another thread. Returns the number of bytes freed.
    pub fn make_space(&self, bytes: usize) -> usize {
        let trimmed = self.resource().trim(bytes);
        match self.resource().spill_manager() {
            Some(manager) if trimmed < bytes => trimmed + manager.make_space(bytes - trimmed),
            _ => trimmed,
        }
    }

    /// At least `bytes` bytes of page-locked host memory, for what kernels report to the host. A page is kept for reuse.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`]; [`Error::Device`] when the driver refuses to lock the pages.
    pub fn pinned_memory(&self, bytes: usize) -> Result<PinnedMemory> {
        PinnedMemory::new(bytes, self.device())
    }

    /// Waits on the host until all work queued on the stream is done; see [`Stream::synchronize`].
    ///
    /// # Errors
    ///
    /// [`Error::Device`] when that work failed.
    pub fn synchronize(&self) -> Result<()> {
        self.0.stream.synchronize()
    }

    /// Takes guards of all buffers that an operation reads and writes: all of them, or none and an error.
    ///
    /// A buffer to be written that shares memory is copied first, so another view of its memory may be read
    /// by the same call. Memory for all spilled buffers is reserved before any of them is unspilled, so that
    /// two threads never each hold a part of what both need.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`] if a buffer is on another device; [`Error::OutOfMemory`] if shared memory
    /// cannot be copied or the spilled buffers do not fit; [`Error::Storage`]; [`Error::Device`].
    ///
    /// # Device
    ///
    /// A copy is queued for each write to shared memory, and a wait for each other stream that last used some
    /// of the memory. The host does not wait.
    #[track_caller]
    pub fn access<'a>(
        &'a self,
        reads: &[&'a Buffer],
        writes: impl IntoIterator<Item = &'a mut Buffer>,
    ) -> Result<Access<'a>> {
        let mut targets: SmallVec<[&'a mut Buffer; 4]> = writes.into_iter().collect();
        for buffer in reads.iter().copied().chain(targets.iter().map(|buffer| &**buffer)) {
            self.require_device(buffer.device())?;
        }
        // Every step that allocates comes before the first pin: a thread that waits for memory holds no pin
        // that another thread may wait for.
        for buffer in &mut targets {
            buffer.separate(self)?;
        }
        let to_read = reads.iter().map(|buffer| (buffer.owner(), Hold::Read));
        pin_all(to_read.chain(targets.iter().map(|buffer| (buffer.owner(), Hold::Write))), self)?;
        let mut access = Access { reads: SmallVec::new(), writes: SmallVec::new() };
        let (mut reads, mut writes) = (reads.iter(), targets.into_iter());
        // Each guard takes over one pin, also the guard that fails.
        let mut take_guards = || {
            for buffer in reads.by_ref() {
                access.reads.push(buffer.guard_pinned(self)?);
            }
            for buffer in writes.by_ref() {
                access.writes.push(buffer.guard_pinned_mut(self)?);
            }
            Ok(())
        };
        let taken = take_guards();
        reads.for_each(|buffer| buffer.owner().unpin());
        writes.for_each(|buffer| buffer.owner().unpin());
        taken.map(|()| access)
    }

    /// An error unless `device` is this context's; also returns errors stored by earlier drops on it.
    #[inline]
    pub(crate) fn require_device(&self, device: Device) -> Result<()> {
        let expected = self.device();
        if device == expected { report_deferred(device) } else { Err(mismatch(expected, device)) }
    }

    /// This context with a [fault word](Self::fault_word) of its own, which operations that find invalid data set instead of
    /// waiting for the device: [`take_fault`](Self::take_fault) then waits once for all of them.
    #[must_use]
    pub fn deferring_faults(&self) -> Self {
        self.changed(|inner| (inner.fault, inner.defers_faults) = (Arc::default(), true))
    }

    /// Whether operations leave it to the caller to [ask](Self::take_fault) for invalid data.
    pub fn defers_faults(&self) -> bool {
        self.0.defers_faults
    }

    /// The word that kernels on this context's stream set when they find invalid data. It keeps its value
    /// until [`take_fault`](Self::take_fault).
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] or [`Error::Device`], on the first call on a device other than the host.
    pub fn fault_word(&self) -> Result<Arc<FaultWord>> {
        if let Some(word) = &*self.0.fault.lock() {
            return Ok(Arc::clone(word));
        }
        // Allocated without holding the lock, like every allocation. If two threads make one at once, the
        // first is kept.
        let word = Arc::new(FaultWord::new(self)?);
        Ok(Arc::clone(self.0.fault.lock().get_or_insert(word)))
    }

    /// Returns the value that kernels have set the fault word to and clears it; `None` if no kernel set it.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] if earlier queued work failed.
    ///
    /// # Device
    ///
    /// The host waits for the stream, unless [`fault_word`](Self::fault_word) was never called.
    pub fn take_fault(&self) -> Result<Option<u32>> {
        let word = self.0.fault.lock().clone();
        let Some(word) = word else { return Ok(None) };
        Ok(Some(word.take()?).filter(|&code| code != 0))
    }
}

#[cold]
fn mismatch(expected: Device, found: Device) -> Error {
    Error::DeviceMismatch { expected, found }
}

/// A 32-bit word that kernels set to a nonzero code when they find invalid data.
#[derive(Debug)]
pub struct FaultWord(Place);

#[derive(Debug)]
enum Place {
    Host(AtomicU32),
    Device(Word),
}

impl FaultWord {
    fn new(exec: &Exec) -> Result<Self> {
        Ok(Self(match exec.device() {
            Device::Host => Place::Host(AtomicU32::new(0)),
            Device::Sim | Device::Cuda(_) => {
                Place::Device(Word::new(exec.resource(), exec.stream(), exec.admission())?)
            }
        }))
    }

    /// The word's address on the device, to be set atomically.
    pub fn as_ptr(&self) -> *mut u32 {
        match &self.0 {
            Place::Host(word) => word.as_ptr(),
            Place::Device(word) => word.as_ptr(),
        }
    }

    /// Sets the word from a host kernel, unless it is set already.
    ///
    /// # Panics
    ///
    /// If the word is not on the host: a device's word is set by its kernels only.
    pub fn raise(&self, code: u32) {
        match &self.0 {
            Place::Host(word) => {
                let _ = word.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
            }
            #[expect(clippy::panic, reason = "a programmer's error: the host cannot write device memory")]
            Place::Device(_) => panic!("the fault word of a device is set by its kernels"),
        }
    }

    fn take(&self) -> Result<u32> {
        match &self.0 {
            Place::Host(word) => Ok(word.swap(0, Ordering::Relaxed)),
            Place::Device(word) => {
                let code = word.load()?;
                if code != 0 {
                    word.clear()?;
                }
                Ok(code)
            }
        }
    }
}
