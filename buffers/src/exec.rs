//! The execution context: where an operation runs, in which order, and where its memory comes from.

use smallvec::SmallVec;

use crate::device::{Word, report_deferred};
use crate::owner::{Hold, pin_all};
use crate::sync::Arc;
use crate::sync::global::{AtomicU32, Mutex, Ordering};
use crate::{
    Admission, Buffer, Device, Error, MemoryResource, ReadGuard, Result, Stream, WriteGuard, current_resource,
};

/// A device, a stream on it and a memory resource of it: the explicit last argument of every operation
/// below the engine. Clones are the same context.
#[derive(Clone, Debug)]
pub struct Exec(Arc<Inner>);

// In cache lines of its own, as an allocation: moves count their shares of it.
#[derive(Clone, Debug)]
#[repr(align(128))]
struct Inner {
    stream: Stream,
    resource: Arc<dyn MemoryResource>,
    admission: Admission,
    /// Bytes of a piece of the work at hand that are worth a piece.
    worth: usize,
    /// Made when first asked for; shared by the contexts of one stream.
    fault: Arc<Mutex<Option<Arc<FaultWord>>>>,
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
    /// A context on `device`, with a stream of its own and the device's
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

    /// A context of these parts, which are of one device.
    pub(crate) fn with_parts(stream: Stream, resource: Arc<dyn MemoryResource>) -> Self {
        let fault = Arc::new(Mutex::new(None));
        Self(Arc::new(Inner { stream, resource, admission: Admission::Soft, worth: 0, fault }))
    }

    /// The same stream with another resource. A resource of another device than the stream's makes every
    /// allocation an error.
    #[must_use]
    pub fn with_resource(&self, resource: Arc<dyn MemoryResource>) -> Self {
        self.changed(|inner| inner.resource = resource)
    }

    /// The same resource with a new stream, so that work can run beside this context's.
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

    /// Where memory comes from.
    pub fn resource(&self) -> &Arc<dyn MemoryResource> {
        &self.0.resource
    }

    /// What becomes of allocations that the budget has no room for: for who asks the resource without a buffer.
    pub fn admission(&self) -> Admission {
        if self.resource().is_reserved() { Admission::Strict } else { self.0.admission }
    }

    /// The most bytes that this context's operations may hold on the device at a time, if there is a bound.
    pub fn budget(&self) -> Option<usize> {
        self.resource().limit()
    }

    /// This context, with allocations that are refused where they would pass the [budget](Self::budget): for an
    /// operation that can go on in smaller pieces. Without, the budget is soft and an allocation that nothing can be
    /// spilled for passes it.
    #[must_use]
    pub fn strict(&self) -> Self {
        self.changed(|inner| inner.admission = Admission::Strict)
    }

    /// This context, where no piece of fewer than `worth` bytes is worth one.
    pub(crate) fn with_worth(&self, worth: usize) -> Self {
        self.changed(|inner| inner.worth = worth)
    }

    /// A context like this one but for what `change` changes.
    fn changed(&self, change: impl FnOnce(&mut Inner)) -> Self {
        let mut inner = (*self.0).clone();
        change(&mut inner);
        Self(Arc::new(inner))
    }

    pub(crate) fn worth(&self) -> usize {
        self.0.worth
    }

    /// Frees memory of the device for an allocation of `bytes` bytes: gives back what is kept for later, then spills.
    /// Never waits for another thread. Returns the bytes freed.
    pub fn make_room(&self, bytes: usize) -> usize {
        let trimmed = self.resource().trim();
        match self.resource().spill_manager() {
            Some(manager) if trimmed < bytes => trimmed + manager.make_room(bytes - trimmed),
            _ => trimmed,
        }
    }

    /// Waits on the host until all work queued on the stream is done; see [`Stream::synchronize`].
    ///
    /// # Errors
    ///
    /// [`Error::Device`] when that work failed.
    pub fn synchronize(&self) -> Result<()> {
        self.0.stream.synchronize()
    }

    /// Takes guards of everything that an operation reads and writes: all of them, or none and an error.
    ///
    /// A buffer to be written that shares memory is given memory of its own first, so a buffer may be
    /// read here while another view of its memory is written. Room for everything that is spilled is set aside before
    /// any of it comes back, so that two threads never hold parts of what both need.
    ///
    /// # Errors
    ///
    /// [`Error::DeviceMismatch`] when a buffer lives on another device, [`Error::OutOfMemory`] when
    /// shared memory cannot be separated or there is no room for all that is spilled, [`Error::Storage`],
    /// [`Error::Device`].
    ///
    /// # Device
    ///
    /// Queues a copy for each write to shared memory, and a wait for each stream that last used some of
    /// the memory, this one excepted. The host does not wait.
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
        // What may fail for want of memory comes before the first pin: whoever waits for memory holds
        // nothing that another may wait for.
        for buffer in &mut targets {
            buffer.separate(self)?;
        }
        let to_read = reads.iter().map(|buffer| (buffer.owner(), Hold::Read));
        pin_all(to_read.chain(targets.iter().map(|buffer| (buffer.owner(), Hold::Write))), self)?;
        let mut access = Access { reads: SmallVec::new(), writes: SmallVec::new() };
        let (mut reads, mut writes) = (reads.iter(), targets.into_iter());
        // Each guard takes one pin over, the one that fails too.
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

    /// An error unless `device` is this context's; also reports what earlier drops on it met.
    #[inline]
    pub(crate) fn require_device(&self, device: Device) -> Result<()> {
        let expected = self.device();
        if device == expected { report_deferred(device) } else { Err(mismatch(expected, device)) }
    }

    /// The word that kernels of this context's stream set when they find bad data. It is sticky: it keeps
    /// its value until [`take_fault`](Self::take_fault).
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] or [`Error::Device`], on the first call on a device other than the host.
    pub fn fault_word(&self) -> Result<Arc<FaultWord>> {
        if let Some(word) = &*self.0.fault.lock() {
            return Ok(Arc::clone(word));
        }
        // Made with no lock held, as every allocation; of two made at once the first is kept.
        let word = Arc::new(FaultWord::new(self)?);
        Ok(Arc::clone(self.0.fault.lock().get_or_insert(word)))
    }

    /// The value that kernels have set the fault word to, and clears it; `None` when none did.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] when work queued before failed.
    ///
    /// # Device
    ///
    /// The host waits for the stream, unless nobody ever asked for the word.
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

/// A 32-bit word that kernels set, to a code other than zero, when they find bad data.
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

    /// Sets the word from a kernel on the host, unless it is set already.
    ///
    /// # Panics
    ///
    /// If the word is not the host's: there it is for kernels to set.
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
