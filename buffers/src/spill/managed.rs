//! The resource through which a spill manager sees every byte of its device.

use std::ptr::NonNull;

use super::{Cause, SpillManager};
use crate::failpoints::{Step, failpoint};
use crate::owner::deferred_free;
use crate::resource::with_recovery;
use crate::sync::Arc;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::{Admission, Device, Error, MemoryResource, Result, SpillOptions, Stream};

/// Counts what its upstream gives, keeps it within a budget by spilling, and spills on demand when the upstream has
/// no more. Every device's current resource is one of these; which of it happens is a matter of
/// [options](SpillOptions).
///
/// Clones, and the resources of reservations, share one manager.
///
/// # Source
///
/// cuDF `SpillManager` with RMM's `failure_callback_resource_adaptor`.
#[derive(Clone, Debug)]
pub struct Managed {
    manager: Arc<SpillManager>,
    /// What allocations take from first, and go back to.
    reserved: Option<Arc<ReservedBytes>>,
}

/// Bytes claimed from a budget and not allocated yet.
#[derive(Debug)]
pub(super) struct ReservedBytes {
    /// How much at first, and never more.
    bytes: usize,
    /// How much now, or [`ENDED`].
    left: AtomicUsize,
}

/// The reservation is over.
const ENDED: usize = usize::MAX;

impl ReservedBytes {
    pub(super) fn new(bytes: usize) -> Arc<Self> {
        let bytes = bytes.min(ENDED - 1);
        Arc::new(Self { bytes, left: AtomicUsize::new(bytes) })
    }

    pub(super) fn left(&self) -> usize {
        Some(self.left.load(Ordering::Acquire)).filter(|&left| left != ENDED).unwrap_or(0)
    }

    /// Takes up to `bytes` out; returns how many.
    pub(super) fn take(&self, bytes: usize) -> usize {
        let mut taken = 0;
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
            taken = if left == ENDED { 0 } else { left.min(bytes) };
            (taken > 0).then(|| left - taken)
        });
        taken
    }

    /// Puts back what was taken; returns how much of `bytes` there is no place for.
    fn put_back(&self, bytes: usize) -> usize {
        let mut over = bytes;
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| {
            let place = if left == ENDED { 0 } else { self.bytes - left };
            over = bytes.saturating_sub(place);
            (over < bytes).then(|| left + bytes - over)
        });
        over
    }

    /// Ends it; returns what was left.
    pub(super) fn end(&self) -> usize {
        Some(self.left.swap(ENDED, Ordering::AcqRel)).filter(|&left| left != ENDED).unwrap_or(0)
    }
}

impl Managed {
    /// Manages what `upstream` gives.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] when the options do not fit the device.
    pub fn new(upstream: Arc<dyn MemoryResource>, options: SpillOptions) -> Result<Self> {
        Ok(Self { manager: SpillManager::new(upstream, options)?, reserved: None })
    }

    pub(super) fn of(manager: &Arc<SpillManager>) -> Arc<dyn MemoryResource> {
        Arc::new(Self { manager: Arc::clone(manager), reserved: None })
    }

    /// A resource that takes from `bytes` first; beyond that it is strict.
    pub(super) fn reserved(
        manager: &Arc<SpillManager>,
        bytes: &Arc<ReservedBytes>,
    ) -> Arc<dyn MemoryResource> {
        Arc::new(Self { manager: Arc::clone(manager), reserved: Some(Arc::clone(bytes)) })
    }

    /// The spill manager.
    pub fn manager(&self) -> &Arc<SpillManager> {
        &self.manager
    }

    /// Counts `bytes` more in the budget, or in what is reserved.
    fn claim(&self, bytes: usize, admission: Admission) -> Result<()> {
        let (promised, admission) = match &self.reserved {
            Some(reserved) => (reserved.take(bytes), Admission::Strict),
            None => (0, admission),
        };
        let claimed = self.manager.claim(bytes - promised, admission, Cause::Limit, &[]);
        claimed.inspect_err(|_| self.unclaim(promised))
    }

    /// Gives up what was claimed and not allocated.
    fn unclaim(&self, bytes: usize) {
        self.manager.forgo(self.reserved.as_ref().map_or(bytes, |reserved| reserved.put_back(bytes)));
    }

    fn allocate_claimed(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        let allocate = || {
            if failpoint(Step::Allocate) {
                return Err(Error::out_of_memory(self.device(), bytes));
            }
            self.manager.upstream().allocate(bytes, stream, admission)
        };
        let given = with_recovery(allocate, |attempt| self.manager.recover(bytes, attempt));
        given.map_err(|error| self.manager.explained(error))
    }
}

/// Bytes that are claimed until memory is found for them; not any more on drop, in a panic of the upstream too.
struct Claimed<'a> {
    managed: &'a Managed,
    bytes: usize,
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        self.managed.unclaim(self.bytes);
    }
}

/// Bytes that are not given out any more when this is dropped, in a panic of the upstream too.
struct GivenBack<'a> {
    managed: &'a Managed,
    bytes: usize,
}

impl Drop for GivenBack<'_> {
    fn drop(&mut self) {
        let Managed { manager, reserved } = self.managed;
        match reserved {
            // A reservation keeps its memory until the end, so that scratch is paid for once.
            Some(reserved) => manager.take_back(self.bytes, |bytes| reserved.put_back(bytes)),
            None => manager.release(self.bytes),
        }
        manager.bound_retained();
        manager.sample_device();
    }
}

// SAFETY: memory is the upstream's, passed on as it is.
unsafe impl MemoryResource for Managed {
    fn device(&self) -> Device {
        self.manager.device()
    }

    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>> {
        self.claim(bytes, admission)?;
        let claimed = Claimed { managed: self, bytes };
        let given = self.allocate_claimed(bytes, stream, admission);
        match &given {
            Ok(_) => {
                std::mem::forget(claimed);
                self.manager.give(bytes);
                self.manager.bound_retained();
            }
            Err(error) => {
                drop(claimed);
                self.manager.note_refusal(bytes, error);
            }
        }
        self.manager.sample_device();
        given
    }

    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()> {
        // After the call, so that memory of the budget is free upstream too.
        let _back = GivenBack { managed: self, bytes };
        // SAFETY: the caller's promise; the memory is the upstream's.
        unsafe { self.manager.upstream().deallocate(address, bytes, stream) }
    }

    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        Some(self.manager.upstream())
    }

    fn limit(&self) -> Option<usize> {
        let below = self.manager.upstream().limit();
        match (self.manager.limit(), below) {
            (Some(limit), Some(below)) => Some(limit.min(below)),
            (limit, below) => limit.or(below),
        }
    }

    fn spill_manager(&self) -> Option<Arc<SpillManager>> {
        Some(Arc::clone(&self.manager))
    }

    fn is_managed_by(&self, manager: &SpillManager) -> bool {
        // As by default, without a reference count: every unspill calls this.
        std::ptr::eq(&raw const *self.manager, manager)
    }

    fn is_reserved(&self) -> bool {
        self.reserved.is_some()
    }

    fn trim(&self, bytes: usize) -> usize {
        let freed = deferred_free::collect(self.device());
        freed + if freed < bytes { self.manager.upstream().trim(bytes - freed) } else { 0 }
    }

    fn unreserved(&self) -> Option<Arc<dyn MemoryResource>> {
        self.is_reserved().then(|| Self::of(&self.manager))
    }
}
