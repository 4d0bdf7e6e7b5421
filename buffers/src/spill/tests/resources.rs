//! Memory resources that behave badly when told to.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use crate::sync::Arc;
use crate::sync::global::{Condvar, Mutex};
use crate::{Admission, Device, Error, MemoryResource, Result, Stream};

/// Refuses every allocation while it is told to.
#[derive(Debug)]
pub(super) struct Refusing {
    upstream: Arc<dyn MemoryResource>,
    refuses: AtomicBool,
    refused: AtomicU32,
}

impl Refusing {
    pub(super) fn new(upstream: Arc<dyn MemoryResource>) -> Arc<Self> {
        Arc::new(Self { upstream, refuses: AtomicBool::new(false), refused: AtomicU32::new(0) })
    }

    pub(super) fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::SeqCst);
    }

    /// How often it has refused.
    pub(super) fn refused(&self) -> u32 {
        self.refused.load(Ordering::SeqCst)
    }
}

// SAFETY: memory is the upstream's, passed on as it is.
unsafe impl MemoryResource for Refusing {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        if self.refuses.load(Ordering::SeqCst) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(Error::OutOfMemory {
                device: self.device(),
                requested: bytes,
                free: None,
                tier_refusal: None,
            });
        }
        self.upstream.allocate(bytes, stream, admission)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }
}

/// Caches so many bytes, as a pool does that keeps freed memory, and refuses the next few allocations.
#[derive(Debug)]
pub(super) struct Caching {
    upstream: Arc<dyn MemoryResource>,
    cached: AtomicUsize,
    refusals: AtomicU32,
}

impl Caching {
    pub(super) fn new(upstream: Arc<dyn MemoryResource>, cached: usize) -> Arc<Self> {
        Arc::new(Self { upstream, cached: AtomicUsize::new(cached), refusals: AtomicU32::new(0) })
    }

    pub(super) fn refuse_next(&self, refusals: u32) {
        self.refusals.store(refusals, Ordering::SeqCst);
    }

    pub(super) fn cached(&self) -> usize {
        self.cached.load(Ordering::SeqCst)
    }
}

// SAFETY: memory is the upstream's, passed on as it is.
unsafe impl MemoryResource for Caching {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        let refused =
            self.refusals.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if refused.is_ok() {
            return Err(Error::out_of_memory(self.device(), bytes));
        }
        self.upstream.allocate(bytes, stream, admission)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }

    fn trim(&self, bytes: usize) -> usize {
        let trimmed = self.cached().min(bytes);
        self.cached.fetch_sub(trimmed, Ordering::SeqCst);
        trimmed
    }
}

/// Which call stops at a [`Gate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Allocate,
    Free,
}

/// Stops the next allocation or free until it is told to let it through; those after it pass.
#[derive(Debug)]
pub(super) struct Gate {
    upstream: Arc<dyn MemoryResource>,
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    closed_to: Option<Call>,
    has_waiter: bool,
}

impl Gate {
    pub(super) fn new(upstream: Arc<dyn MemoryResource>) -> Arc<Self> {
        Arc::new(Self { upstream, state: Mutex::default(), changed: Condvar::new() })
    }

    pub(super) fn close_to(&self, call: Call) {
        *self.state.lock() = GateState { closed_to: Some(call), has_waiter: false };
    }

    /// Returns when a call has come to the gate.
    pub(super) fn await_call(&self) {
        let mut state = self.state.lock();
        while !state.has_waiter {
            self.changed.wait(&mut state);
        }
    }

    pub(super) fn open(&self) {
        self.state.lock().has_waiter = false;
        self.changed.notify_all();
    }

    fn pass(&self, call: Call) {
        let mut state = self.state.lock();
        if state.closed_to != Some(call) {
            return;
        }
        *state = GateState { closed_to: None, has_waiter: true };
        self.changed.notify_all();
        while state.has_waiter {
            self.changed.wait(&mut state);
        }
    }
}

// SAFETY: memory is the upstream's, passed on as it is.
unsafe impl MemoryResource for Gate {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        self.pass(Call::Allocate);
        self.upstream.allocate(bytes, stream, admission)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        self.pass(Call::Free);
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.upstream.deallocate(address, bytes, stream) }
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }
}

/// Panics in the next call of a kind, once; memory that is given back is taken before.
#[derive(Debug)]
pub(super) struct Panicking {
    upstream: Arc<dyn MemoryResource>,
    next: Mutex<Option<Call>>,
}

impl Panicking {
    pub(super) fn new(upstream: Arc<dyn MemoryResource>) -> Arc<Self> {
        Arc::new(Self { upstream, next: Mutex::default() })
    }

    pub(super) fn panic_in(&self, call: Call) {
        *self.next.lock() = Some(call);
    }

    pub(super) fn has_panicked(&self) -> bool {
        self.next.lock().is_none()
    }

    fn pass(&self, call: Call) {
        if self.next.lock().take_if(|next| *next == call).is_some() {
            std::panic::resume_unwind(Box::new("a resource panics"));
        }
    }
}

// SAFETY: memory is the upstream's, passed on as it is.
unsafe impl MemoryResource for Panicking {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        self.pass(Call::Allocate);
        self.upstream.allocate(bytes, stream, admission)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // SAFETY: the caller's promise; the memory is the upstream's.
        let freed = unsafe { self.upstream.deallocate(address, bytes, stream) };
        self.pass(Call::Free);
        freed
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }
}

/// Overwrites what it gets back, in the order of the stream it is given back on, and keeps it: code that reads freed memory
/// reads [`CANARY`](Self::CANARY).
#[derive(Debug)]
pub(super) struct Canaries {
    upstream: Arc<dyn MemoryResource>,
    kept: Mutex<Vec<(usize, usize, Stream)>>,
}

impl Canaries {
    pub(super) const CANARY: u8 = 0xEE;

    pub(super) fn new(upstream: Arc<dyn MemoryResource>) -> Arc<Self> {
        Arc::new(Self { upstream, kept: Mutex::default() })
    }

    /// The streams on which memory was given back.
    pub(super) fn streams(&self) -> Vec<Stream> {
        self.kept.lock().iter().map(|(.., stream)| stream.clone()).collect()
    }
}

// SAFETY: memory is the upstream's, passed on as it is, and never given out again.
unsafe impl MemoryResource for Canaries {
    fn device(&self) -> Device {
        self.upstream.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        self.upstream.allocate(bytes, stream, admission)
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // SAFETY: the memory is ours from now on, and in the order of the stream all uses have ended.
        unsafe {
            crate::device::fill(self.device(), address.as_ptr(), Self::CANARY, bytes, stream.as_raw())?;
        }
        self.kept.lock().push((address.as_ptr().expose_provenance(), bytes, stream.clone()));
        Ok(())
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(&self.upstream)
    }
}

impl Drop for Canaries {
    fn drop(&mut self) {
        for (address, bytes, stream) in self.kept.get_mut().drain(..) {
            let address = std::ptr::with_exposed_provenance_mut(address);
            if let Some(address) = NonNull::new(address) {
                // SAFETY: given back once, with this size, and kept since.
                let freed = unsafe { self.upstream.deallocate(address, bytes, &stream) };
                assert!(freed.is_ok());
            }
        }
    }
}
