//! The spill manager: its options, its budget, and what allocations report to it.

mod spilling;
mod usage;

use std::fmt;
use std::sync::OnceLock;

use super::budget::Budget;
use super::eviction::Evictor;
use super::hints::{self, Wanted};
use super::managed::Managed;
use super::reservation::Reservations;
use super::spiller::Spiller;
use super::tier_store::TierStore;
use super::worker::Worker;
use super::{Cause, DeviceLimit, DiskAccess, Payload, Reservation, SpillOptions, SpillStatistics, Tiers};
use crate::failpoints::{Step, failpoint};
use crate::owner::Owner;
use crate::resource::memory_limit;
use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use crate::sync::{Arc, Mutex, global};
use crate::{Admission, Device, Error, Exec, MemoryResource, Result, Stream, Tier, current_resource};

/// The spill manager of one memory resource: it knows every allocation made through it, keeps the allocated bytes within
/// a limit, and moves allocations to lower tiers when memory is short.
///
/// It never blocks a thread on another: it frees or fails. Allocations that a guard, a lease or an exposure holds stay
/// where they are. Memory that was exported is freed when the consumer's work is done; that is waited for only when
/// nothing else can be freed.
///
/// # Source
///
/// cuDF `SpillManager` (library design, "spilling to host memory").
pub struct SpillManager {
    device: Device,
    upstream: Arc<dyn MemoryResource>,
    budget: Budget,
    evictor: Evictor,
    store: TierStore,
    statistics: SpillStatistics,
    reservations: Reservations,
    spiller: Spiller,
    /// Started by the first hint.
    fetcher: OnceLock<Option<Worker<Wanted>>>,
    options: Mutex<SpillOptions>,
    /// Held while options are changed, so that all of them are one caller's.
    changing: global::Mutex<()>,
    enabled: AtomicBool,
    soft: AtomicBool,
    on_demand: AtomicBool,
    copy_on_write: AtomicBool,
    /// Allocations that were looked at to describe refusals, for which later refusals pay.
    looks_owed: AtomicUsize,
}

/// Of the memory that the process may use: the rest is for what the manager does not count.
const DEFAULT_HOST_LIMIT: Option<DeviceLimit> = Some(DeviceLimit::Percent(80));

impl SpillManager {
    pub(super) fn new(upstream: Arc<dyn MemoryResource>, options: SpillOptions) -> Result<Arc<Self>> {
        let device = upstream.device();
        let manager = Arc::new(Self {
            device,
            upstream,
            budget: Budget::new(),
            evictor: Evictor::new(),
            store: TierStore::new(device, &options.tiers()),
            statistics: SpillStatistics::new(device, options.statistics),
            reservations: Reservations::default(),
            spiller: Spiller::new(),
            fetcher: OnceLock::new(),
            options: Mutex::new(SpillOptions::default()),
            changing: global::Mutex::new(()),
            enabled: AtomicBool::new(false),
            soft: AtomicBool::new(false),
            on_demand: AtomicBool::new(true),
            copy_on_write: AtomicBool::new(true),
            looks_owed: AtomicUsize::new(0),
        });
        manager.set_options(options)?;
        Ok(manager)
    }

    /// The manager of the resource that new contexts on `device` take their memory from.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`](crate::Error::NoDevice) when the device cannot be used,
    /// [`Error::Library`](crate::Error::Library) when what its memory comes from is not there;
    /// [`Error::NotImplemented`] when a resource without one was set.
    pub fn of(device: Device) -> Result<Arc<Self>> {
        current_resource(device)?
            .spill_manager()
            .ok_or(Error::NotImplemented { feature: "spilling of a resource that is not managed" })
    }

    /// The device whose memory is managed.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The options in force.
    pub fn options(&self) -> SpillOptions {
        self.options.lock().clone()
    }

    /// Changes the options, for existing allocations too. A lower limit is reached by spilling at once, as far as the
    /// memory is not held.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] for values that the environment variables do not allow either, and for a folder that does not
    /// exist; [`Error::Storage`] if no file in the folder can be written, unless the limit is
    /// [soft](SpillOptions::soft); [`Error::NotImplemented`] for GPU Direct Storage. The options stay as they were.
    pub fn set_options(self: &Arc<Self>, options: SpillOptions) -> Result<()> {
        options.check()?;
        let wanted = options.device_limit.or(DEFAULT_HOST_LIMIT.filter(|_| self.device == Device::Host));
        let limit = wanted.filter(|_| options.spill).map(|limit| self.limit_of(limit)).transpose()?;
        if options.spill && !options.soft {
            options.tiers().check_writable()?;
        }
        let changing = self.changing.lock();
        self.store.set_options(&options.tiers())?;
        if options.spill {
            self.tiers().prepare();
        }
        self.budget.set_limit(limit);
        self.evictor.set_policy(options.eviction);
        self.statistics.set_level(options.statistics, || self.bytes_by_tier());
        self.enabled.store(options.spill, Ordering::Relaxed);
        self.soft.store(options.soft, Ordering::Relaxed);
        self.on_demand.store(options.on_demand, Ordering::Relaxed);
        self.copy_on_write.store(options.copy_on_write, Ordering::Relaxed);
        let marks = options.watermarks.zip(limit);
        let old = self.spiller.set_marks(self, marks.map(|(marks, limit)| marks.bytes(limit)));
        *self.options.lock() = options;
        drop(changing);
        drop(old);
        if let Some(limit) = limit {
            self.spill_to_device_limit(limit);
        }
        self.bound_retained();
        Ok(())
    }

    fn limit_of(&self, limit: DeviceLimit) -> Result<usize> {
        match limit {
            DeviceLimit::Bytes(bytes) => Ok(bytes),
            DeviceLimit::Percent(_) if self.device == Device::Host => Ok(limit.bytes(memory_limit())),
            DeviceLimit::Percent(_) => Ok(limit.bytes(self.device.memory_info()?.total)),
        }
    }

    /// Another manager of the same memory with other options: for work that is to be kept apart, with a limit of its
    /// own.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] for values that the environment variables do not allow either, and for a folder that does not
    /// exist; [`Error::Storage`] if no file in the folder can be written, unless the limit is
    /// [soft](SpillOptions::soft); [`Error::NotImplemented`] for GPU Direct Storage. The options stay as they were.
    pub fn with_options(&self, options: SpillOptions) -> Result<Managed> {
        Managed::new(Arc::clone(&self.upstream), options)
    }

    /// What was moved, why, and how long it took.
    pub fn statistics(&self) -> &SpillStatistics {
        &self.statistics
    }

    /// The most bytes to be allocated, while spilling is on and a limit is set.
    pub fn limit(&self) -> Option<usize> {
        self.budget.limit()
    }

    /// Makes the peak of [`usage`](Self::usage) start again from what is allocated now.
    pub fn reset_peak(&self) {
        self.budget.reset_peak();
    }

    /// How spill files are read and written, which is not as the options ask where the folder refuses direct access;
    /// `None` before anything was spilled to disk.
    pub fn disk_access(&self) -> Option<DiskAccess> {
        self.tiers().disk_access()
    }

    pub(crate) fn upstream(&self) -> &Arc<dyn MemoryResource> {
        &self.upstream
    }

    pub(crate) fn tiers(&self) -> &Tiers {
        self.store.tiers()
    }

    pub(crate) fn copies_on_write(&self) -> bool {
        self.copy_on_write.load(Ordering::Relaxed)
    }

    /// `exec` if its memory is of this manager, else the same with memory that is.
    pub(crate) fn exec_for(self: &Arc<Self>, exec: &Exec) -> Exec {
        if exec.resource().is_managed_by(self) {
            return exec.clone();
        }
        Exec::with_parts(exec.stream().clone(), Managed::of(self))
    }

    /// A context on a stream of the manager's own.
    pub(crate) fn exec(self: &Arc<Self>) -> Result<Exec> {
        Ok(Exec::with_parts(self.up_stream()?.clone(), Managed::of(self)))
    }

    /// The stream that this thread copies to lower tiers on.
    pub(crate) fn down_stream(&self) -> Result<&Stream> {
        self.store.down_stream()
    }

    pub(crate) fn up_stream(&self) -> Result<&Stream> {
        self.store.up_stream()
    }

    // The budget.

    /// Claims `bytes` of the budget, spilling for them if need be, but none of the allocations with an id in `except`.
    pub(super) fn claim(
        &self,
        bytes: usize,
        admission: Admission,
        cause: Cause,
        except: &[u64],
    ) -> Result<()> {
        // A reservation that covers everything needs no more, even where the budget is exceeded already.
        if bytes == 0 {
            return Ok(());
        }
        if self.claim_by_spilling(bytes, cause, except) {
            return Ok(());
        }
        // With full tiers the limit would be passed again and again.
        let is_hard = admission == Admission::Strict || !self.soft.load(Ordering::Relaxed);
        let mut tier_refusal = self.store.refusal(admission == Admission::Strict);
        if is_hard && admission != Admission::Strict && tier_refusal.is_some() {
            // The refusal may be of an earlier attempt, and the tiers may have space by now.
            self.store.retry_full();
            if self.claim_by_spilling(bytes, cause, except) {
                return Ok(());
            }
            tier_refusal = self.store.refusal(false);
        }
        if admission == Admission::Strict || is_hard && tier_refusal.is_some() {
            let (device, free) = (self.device, self.free());
            let error = Error::OutOfMemory { device, requested: bytes, free, tier_refusal };
            self.note_refusal(bytes, &error);
            return Err(error);
        }
        let excess = self.budget.claim_anyway(bytes);
        if excess > 0 {
            self.statistics.overrun(excess);
        }
        Ok(())
    }

    /// Claims `bytes` of the budget if spilling makes them free; arguments as of [`claim`](Self::claim).
    fn claim_by_spilling(&self, bytes: usize, cause: Cause, except: &[u64]) -> bool {
        let Err(mut excess) = self.budget.claim(bytes) else { return true };
        // Others allocate meanwhile, so that what was freed may be gone; each round frees something or is the last.
        while self.free_up(excess, cause, except) > 0 {
            match self.budget.claim(bytes) {
                Ok(()) => return true,
                Err(still) => excess = still,
            }
        }
        false
    }

    /// Reserves `bytes` of the budget; arguments as of [`claim`](Self::claim).
    pub(crate) fn reserve(
        self: &Arc<Self>,
        bytes: usize,
        admission: Admission,
        cause: Cause,
        except: &[u64],
    ) -> Result<Reservation> {
        if bytes > 0 && admission == Admission::Strict && failpoint(Step::Allocate) {
            return Err(Error::out_of_memory(self.device, bytes));
        }
        self.claim(bytes, admission, cause, except)?;
        Ok(Reservation::new(Arc::clone(self), bytes))
    }

    /// Reserves `bytes` where the budget has them or gets them by spilling what was not used since `since`.
    pub(super) fn reserve_unused_since(self: &Arc<Self>, since: u64, bytes: usize) -> Option<Reservation> {
        while let Err(excess) = self.budget.claim(bytes) {
            if self.spill_unused_since(since, excess, Cause::Limit, &[]) == 0 {
                return None;
            }
        }
        Some(Reservation::new(Arc::clone(self), bytes))
    }

    /// The reservations of operators.
    pub(super) fn reservations(&self) -> &Reservations {
        &self.reservations
    }

    /// Bytes that the budget has left, where there is a limit.
    pub(crate) fn free(&self) -> Option<usize> {
        self.budget.free()
    }

    /// Bytes allocated.
    pub(super) fn used(&self) -> usize {
        self.budget.used()
    }

    /// Claimed bytes are allocated.
    pub(super) fn give(&self, bytes: usize) {
        self.spiller.allocated(self.budget.give(bytes));
    }

    /// Returns freed memory that the upstream keeps to the system, as far as it passes the limit with the bytes in use.
    pub(super) fn bound_retained(&self) {
        let retained = self.upstream.retained();
        if retained > 0
            && let Some(limit) = self.limit()
        {
            let over = (self.used() + retained).saturating_sub(limit);
            if over > 0 {
                self.upstream.trim(over.min(retained));
            }
        }
    }

    /// Bytes are not allocated any more.
    pub(crate) fn release(&self, bytes: usize) {
        self.budget.release(bytes);
    }

    /// Bytes are not allocated any more, and stay claimed as far as `keep` keeps them: it returns how many it does not.
    pub(super) fn take_back(&self, bytes: usize, keep: impl FnOnce(usize) -> usize) {
        self.budget.take_back(bytes);
        self.budget.forgo(keep(bytes));
    }

    /// Claimed bytes will not be allocated.
    pub(super) fn forgo(&self, bytes: usize) {
        self.budget.forgo(bytes);
    }

    /// Counts memory that was allocated elsewhere and is the manager's now; [released](Self::release) as any other.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] where a strict budget has no space for it.
    pub(crate) fn adopt(&self, bytes: usize, admission: Admission) -> Result<()> {
        if admission == Admission::Strict && failpoint(Step::Allocate) {
            return Err(Error::out_of_memory(self.device, bytes));
        }
        self.claim(bytes, admission, Cause::Limit, &[])?;
        self.give(bytes);
        Ok(())
    }

    // Allocations.

    pub(crate) fn register(&self, owner: &Arc<Owner>) {
        let (tier, bytes) = owner.payload_bytes().unwrap_or_else(|| (Tier::Device, owner.bytes()));
        self.statistics.born(tier, bytes);
        self.evictor.registry.add(owner);
    }

    /// Removes an allocation that ends, with `resident` bytes on the device and perhaps a payload in a lower tier.
    pub(crate) fn unregister(&self, owner: &Owner, resident: usize, payload: Option<&Payload>) {
        if !self.evictor.registry.remove(owner) {
            return;
        }
        self.statistics.gone(owner.id());
        self.statistics.dropped(Tier::Device, resident);
        if let Some(payload) = payload {
            self.statistics.dropped(payload.tier(), payload.len());
        }
    }

    /// A move of an allocation has ended, or its time of use was changed.
    pub(crate) fn settled(&self, owner: &Owner) {
        self.evictor.registry.settled(owner);
    }

    pub(crate) fn copy_dropped(&self, owner: &Owner, payload: &Payload) {
        self.statistics.dropped(payload.tier(), payload.len());
        self.settled(owner);
    }

    /// Unspills an allocation in the background.
    pub(super) fn fetch_ahead(self: &Arc<Self>, owner: &Arc<Owner>) {
        if let Some(fetcher) = self.fetcher.get_or_init(|| hints::start_fetcher(self)) {
            fetcher.ask(Wanted::new(owner));
        }
    }
}

impl fmt::Debug for SpillManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpillManager")
            .field("device", &self.device)
            .field("used", &self.used())
            .field("limit", &self.limit())
            .finish_non_exhaustive()
    }
}
