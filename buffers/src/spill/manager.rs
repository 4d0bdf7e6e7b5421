//! Who decides what is spilled, when, and to where.

use std::fmt;
use std::panic::Location;
use std::sync::OnceLock;
use std::time::Instant;

use super::account::Account;
use super::habit::Habit;
use super::hints::Wanted;
use super::managed::Managed;
use super::registry::{Kind, Registry};
use super::reservation::Reservations;
use super::tier_full::TierFullBackoff;
use super::worker::Worker;
use super::{
    ByTier, Cause, DeviceLimit, DiskAccess, Estimators, MemoryUsage, Payload, PayloadBuilder, Reservation,
    SpillOptions, SpillStatistics, TierUsage, Tiers, Timeline, Wait, hints, registry, spiller,
};
use crate::faults::{Step, failpoint};
use crate::owner::deferred_free::{self, Await};
use crate::owner::{Absence, Gone, Owner};
use crate::stripes::own_stripe;
use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use crate::sync::{Arc, Mutex, global};
use crate::{Admission, Device, Error, Exec, MemoryResource, Result, Stream, Tier, current_resource};

/// The spill manager of one memory resource: it knows every allocation made through it, keeps the bytes given out
/// within a limit, and moves the least useful allocations to lower tiers when memory is short.
///
/// It never blocks a thread on another: it frees or fails. Allocations that a guard, a lease or an exposure holds stay
/// where they are. What was lent once is freed when the consumer's work is done; only who finds no other memory waits for
/// that.
///
/// # Source
///
/// cuDF `SpillManager` (library design, "spilling to host memory").
pub struct SpillManager {
    device: Device,
    upstream: Arc<dyn MemoryResource>,
    account: Account,
    registry: Registry,
    tiers: Tiers,
    statistics: SpillStatistics,
    options: Mutex<SpillOptions>,
    /// Held by who changes them: what is in force is one caller's.
    changing: global::Mutex<()>,
    enabled: AtomicBool,
    on_demand: AtomicBool,
    copy_on_write: AtomicBool,
    /// Copies to lower tiers, and allocations brought back for nobody in particular, have streams of their own; the
    /// former several, for who copies waits for what was queued before.
    down: [OnceLock<Stream>; DOWN_STREAMS],
    up: OnceLock<Stream>,
    spiller: Mutex<Option<Worker<()>>>,
    /// Bytes given out from which on the spiller is woken.
    start_mark: AtomicUsize,
    /// Started by the first hint.
    fetcher: OnceLock<Option<Worker<Wanted>>>,
    reservations: Reservations,
    habit: Habit,
    /// What the tiers took no more of.
    tier_full: TierFullBackoff,
    /// Allocations that were looked at for the sake of refusals, which later ones pay for.
    looks_owed: AtomicUsize,
}

/// More streams do not copy faster.
const DOWN_STREAMS: usize = 4;

impl SpillManager {
    pub(super) fn new(upstream: Arc<dyn MemoryResource>, options: SpillOptions) -> Result<Arc<Self>> {
        let device = upstream.device();
        let manager = Arc::new(Self {
            device,
            account: Account::new(),
            registry: Registry::new(),
            tiers: Tiers::new(device, options.tiers()),
            statistics: SpillStatistics::new(device, options.statistics),
            options: Mutex::new(SpillOptions::default()),
            changing: global::Mutex::new(()),
            enabled: AtomicBool::new(false),
            on_demand: AtomicBool::new(true),
            copy_on_write: AtomicBool::new(true),
            down: [const { OnceLock::new() }; DOWN_STREAMS],
            up: OnceLock::new(),
            spiller: Mutex::new(None),
            fetcher: OnceLock::new(),
            reservations: Reservations::default(),
            habit: Habit::default(),
            tier_full: TierFullBackoff::default(),
            looks_owed: AtomicUsize::new(0),
            start_mark: AtomicUsize::new(usize::MAX),
            upstream,
        });
        manager.set_options(options)?;
        Ok(manager)
    }

    /// The manager of the resource that new contexts on `device` take their memory from.
    ///
    /// # Errors
    ///
    /// As [`current_resource`]; [`Error::NotImplemented`] when somebody has set a resource without one.
    pub fn of(device: Device) -> Result<Arc<Self>> {
        current_resource(device)?
            .spill_manager()
            .ok_or(Error::NotImplemented { feature: "spilling of a resource that is not managed" })
    }

    /// The device whose memory is managed.
    pub fn device(&self) -> Device {
        self.device
    }

    /// What is in force.
    pub fn options(&self) -> SpillOptions {
        self.options.lock().clone()
    }

    /// Changes what is in force, for allocations that exist too. A lower limit is reached by spilling at once, as far
    /// as nobody holds the memory.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] for what the environment may not say either, and for a folder that is none;
    /// [`Error::NotImplemented`] for GPU Direct Storage. What was in force then stays so.
    pub fn set_options(self: &Arc<Self>, options: SpillOptions) -> Result<()> {
        options.check()?;
        let limit = options.device_limit.map(|limit| self.limit_of(limit)).transpose()?;
        let changing = self.changing.lock();
        self.tiers.set_options(options.tiers())?;
        self.tier_full.forget();
        if options.spill {
            self.tiers.prepare();
        }
        self.account.set_limit(limit.filter(|_| options.spill));
        self.statistics.set_level(options.statistics, || self.resident());
        self.enabled.store(options.spill, Ordering::Relaxed);
        self.on_demand.store(options.on_demand, Ordering::Relaxed);
        self.copy_on_write.store(options.copy_on_write, Ordering::Relaxed);
        let marks = options.watermarks.filter(|_| options.spill).zip(limit);
        let marks = marks.map(|(marks, limit)| marks.bytes(limit));
        let spiller = marks.and_then(|(_, stop)| spiller::start(self, stop));
        self.start_mark.store(marks.map_or(usize::MAX, |(start, _)| start), Ordering::Relaxed);
        let old = std::mem::replace(&mut *self.spiller.lock(), spiller);
        *self.options.lock() = options;
        drop(changing);
        // The old one ends with no lock held: it may be spilling.
        drop(old);
        if let Some(limit) = limit {
            self.spill_to_device_limit(limit);
        }
        Ok(())
    }

    /// Another manager of the same memory, with other options: for work that is to be kept apart, with a limit of its
    /// own.
    ///
    /// # Errors
    ///
    /// As [`set_options`](Self::set_options).
    pub fn with_options(&self, options: SpillOptions) -> Result<Managed> {
        Managed::new(Arc::clone(&self.upstream), options)
    }

    /// What was moved, why, and how long it took.
    pub fn statistics(&self) -> &SpillStatistics {
        &self.statistics
    }

    /// The most bytes to be given out, while spilling is on and a limit is set.
    pub fn limit(&self) -> Option<usize> {
        self.account.limit()
    }

    /// Where every byte of the device and of the lower tiers is now. Looks at every allocation.
    pub fn usage(&self) -> MemoryUsage {
        self.usage_and_looks().0
    }

    /// And at how many allocations that took a look.
    fn usage_and_looks(&self) -> (MemoryUsage, usize) {
        let mut looks = 0;
        let mut usage = MemoryUsage {
            device: self.device,
            tiers: ByTier::from_fn(|tier| self.tiers.usage(tier)),
            managed: 0,
            pinned: 0,
            leased: 0,
            deferred: deferred_free::bytes(self),
            unmanaged: 0,
            spilled: 0,
        };
        let home = &mut usage.tiers[Tier::Device];
        *home =
            TierUsage { bytes: self.account.used(), peak: self.account.peak(), limit: self.account.limit() };
        self.registry.for_each(|owner| {
            looks += 1;
            let (bytes, state) = (owner.bytes(), owner.state());
            if owner.is_away() {
                usage.spilled += bytes;
            } else if state.is_leased() {
                usage.leased += bytes;
            } else if state.is_pinned() {
                usage.pinned += bytes;
            } else {
                usage.managed += bytes;
            }
        });
        let known = usage.managed + usage.pinned + usage.leased + usage.deferred;
        usage.unmanaged = usage.tiers[Tier::Device].bytes.saturating_sub(known);
        (usage, looks)
    }

    /// Bytes that allocations have in each tier, copies below of what is at home included. What two allocations share
    /// counts for each.
    pub(super) fn resident(&self) -> ByTier<usize> {
        let mut resident = ByTier::default();
        self.registry.for_each(|owner| {
            if !owner.is_away() {
                resident[Tier::Device] += owner.bytes();
            }
            if let Some((tier, bytes)) = owner.payload_bytes() {
                resident[tier] += bytes;
            }
        });
        resident
    }

    fn limit_of(&self, limit: DeviceLimit) -> Result<usize> {
        match limit {
            DeviceLimit::Bytes(bytes) => Ok(bytes),
            DeviceLimit::Percent(_) => Ok(limit.bytes(self.device.memory_info()?.total)),
        }
    }

    /// Makes the peak of [`usage`](Self::usage) start again from what is given out now.
    pub fn reset_peak(&self) {
        self.account.reset_peak();
    }

    /// Moves allocations that nobody holds to lower tiers until `bytes` bytes of the device are free again, or nothing
    /// is left to move. Returns the bytes freed, which are bytes that the resource has back, not bytes copied.
    ///
    /// # Source
    ///
    /// cuDF `SpillManager.spill_device_memory`.
    pub fn spill_device_memory(&self, bytes: usize) -> usize {
        self.free_up(bytes, Cause::Explicit, &[])
    }

    /// Spills until no more than `limit` bytes of the device are given out. Returns the bytes freed.
    ///
    /// # Source
    ///
    /// cuDF `SpillManager.spill_to_device_limit`, which spills one buffer too many.
    pub fn spill_to_device_limit(&self, limit: usize) -> usize {
        self.free_up(self.account.used().saturating_sub(limit), Cause::Limit, &[])
    }

    /// How spill files are read and written, which is not as the options ask where the folder refuses direct access;
    /// `None` before anything was spilled to disk.
    pub fn disk_access(&self) -> Option<DiskAccess> {
        self.tiers.disk_access()
    }

    pub(crate) fn upstream(&self) -> &Arc<dyn MemoryResource> {
        &self.upstream
    }

    pub(crate) fn tiers(&self) -> &Tiers {
        &self.tiers
    }

    pub(crate) fn copies_on_write(&self) -> bool {
        self.copy_on_write.load(Ordering::Relaxed)
    }

    /// `exec` if its memory is of this manager, else with memory that is.
    pub(crate) fn exec_for(self: &Arc<Self>, exec: &Exec) -> Exec {
        if exec.resource().is_managed_by(self) {
            return exec.clone();
        }
        Exec::with_parts(exec.stream().clone(), Managed::of(self))
    }

    /// A context for work that nobody's stream asked for.
    pub(crate) fn exec(self: &Arc<Self>) -> Result<Exec> {
        Ok(Exec::with_parts(self.up_stream()?.clone(), Managed::of(self)))
    }

    /// The stream that this thread copies to lower tiers on.
    pub(crate) fn down_stream(&self) -> Result<&Stream> {
        self.stream(&self.down[own_stripe() % DOWN_STREAMS])
    }

    pub(crate) fn up_stream(&self) -> Result<&Stream> {
        self.stream(&self.up)
    }

    fn stream<'a>(&self, place: &'a OnceLock<Stream>) -> Result<&'a Stream> {
        if place.get().is_none() {
            // Of two made at once the first is kept.
            let _ = place.set(Stream::new(self.device)?);
        }
        place.get().ok_or(Error::NoDevice { device: self.device, reason: "no stream".to_owned() })
    }

    // The budget.

    /// Commits `bytes`, spilling for them if need be, but none of the allocations of these numbers.
    pub(super) fn claim(
        &self,
        bytes: usize,
        admission: Admission,
        cause: Cause,
        spare: &[u64],
    ) -> Result<()> {
        // What was set aside in full asks for nothing more, even where the budget is passed already.
        if bytes == 0 {
            return Ok(());
        }
        let Err(mut excess) = self.account.claim(bytes) else { return Ok(()) };
        // Others allocate meanwhile, so that what was freed may be gone; each round frees something or is the last.
        while self.free_up(excess, cause, spare) > 0 {
            match self.account.claim(bytes) {
                Ok(()) => return Ok(()),
                Err(still) => excess = still,
            }
        }
        if admission == Admission::Strict {
            let (device, free, below) = (self.device, self.free(), self.tier_refusal());
            let error = Error::OutOfMemory { device, requested: bytes, free, below };
            self.note_refusal(bytes, &error);
            return Err(error);
        }
        let passed = self.account.claim_anyway(bytes);
        if passed > 0 {
            self.statistics.overrun(passed);
        }
        Ok(())
    }

    /// Sets `bytes` aside; arguments as of [`claim`](Self::claim).
    pub(crate) fn reserve(
        self: &Arc<Self>,
        bytes: usize,
        admission: Admission,
        cause: Cause,
        spare: &[u64],
    ) -> Result<Reservation> {
        if bytes > 0 && admission == Admission::Strict && failpoint(Step::Allocate) {
            return Err(Error::out_of_memory(self.device, bytes));
        }
        self.claim(bytes, admission, cause, spare)?;
        Ok(Reservation::new(Arc::clone(self), bytes))
    }

    /// Sets `bytes` aside where the budget has them or can be made to have by spilling what was not used since `since`.
    pub(super) fn reserve_unused_since(self: &Arc<Self>, since: u64, bytes: usize) -> Option<Reservation> {
        while let Err(excess) = self.account.claim(bytes) {
            if self.spill_unused_since(since, excess, Cause::Limit, &[]) == 0 {
                return None;
            }
        }
        Some(Reservation::new(Arc::clone(self), bytes))
    }

    /// What operators have set aside.
    pub(super) fn reservations(&self) -> &Reservations {
        &self.reservations
    }

    /// Frees `bytes` bytes for whoever could not get them: by spilling, unless the options forbid that.
    pub(crate) fn make_room(&self, bytes: usize) -> usize {
        if self.on_demand.load(Ordering::Relaxed) {
            self.free_up(bytes, Cause::OnDemand, &[])
        } else {
            self.await_consumers(bytes, Await::Any)
        }
    }

    /// Bytes that the budget has left, where there is one.
    pub(crate) fn free(&self) -> Option<usize> {
        self.account.limit().map(|limit| limit.saturating_sub(self.account.committed()))
    }

    /// Bytes given out.
    pub(super) fn used(&self) -> usize {
        self.account.used()
    }

    /// Bytes that were claimed are given out.
    pub(super) fn give(&self, bytes: usize) {
        let used = self.account.give(bytes);
        if used > self.start_mark.load(Ordering::Relaxed)
            && let Some(spiller) = &*self.spiller.lock()
        {
            spiller.ask(());
        }
    }

    /// Bytes that were given out are back.
    pub(super) fn release(&self, bytes: usize) {
        self.account.release(bytes);
    }

    /// Bytes that were given out are back, and still claimed as far as `keep` keeps them: it returns how many it does
    /// not.
    pub(super) fn take_back(&self, bytes: usize, keep: impl FnOnce(usize) -> usize) {
        self.account.take_back(bytes);
        self.account.forgo(keep(bytes));
    }

    /// Bytes that were claimed are not wanted.
    pub(super) fn forgo(&self, bytes: usize) {
        self.account.forgo(bytes);
    }

    /// Counts memory that came from elsewhere and is ours now.
    pub(crate) fn adopt(&self, bytes: usize) {
        // It is there whether the budget likes it or not: others make room.
        let _ = self.adopt_within(bytes, Admission::Soft);
    }

    /// As [`adopt`](Self::adopt), but an error where a strict budget has no room for it.
    pub(crate) fn adopt_within(&self, bytes: usize, admission: Admission) -> Result<()> {
        if admission == Admission::Strict && failpoint(Step::Allocate) {
            return Err(Error::out_of_memory(self.device, bytes));
        }
        self.claim(bytes, admission, Cause::Limit, &[])?;
        self.give(bytes);
        Ok(())
    }

    /// Counts adopted memory as gone.
    pub(crate) fn give_up(&self, bytes: usize) {
        self.account.release(bytes);
    }

    /// The moves of late, and bytes in use since the beginning until now.
    pub fn timeline(&self) -> Timeline {
        // Looks for rooms that are read no more.
        for tier in Tier::ALL {
            self.tiers.usage(tier);
        }
        self.sample();
        self.statistics.timeline()
    }

    /// Tells the timeline how much of the device is in use now.
    pub(super) fn sample_device(&self) {
        self.statistics.sample_device(|| (self.account.used(), self.account.limit()));
    }

    /// Tells the timeline how much is where now: after a move that changes more than the device, which tells of itself.
    pub(crate) fn sample(&self) {
        self.statistics.sample(|| {
            let mut bytes = ByTier::from_fn(|tier| self.tiers.used(tier));
            bytes[Tier::Device] = self.account.used();
            (bytes, self.account.limit())
        });
    }

    // Spilling.

    /// Frees memory for an allocation of `bytes` bytes that the upstream refused. Each attempt reaches further.
    /// Returns the bytes freed: 0 ends the attempts.
    pub(crate) fn recover(&self, bytes: usize, attempt: u32) -> usize {
        let trimmed = if attempt == 1 { self.upstream.trim() } else { 0 };
        if trimmed >= bytes {
            return trimmed;
        }
        // What was freed may lie in pieces: the second time twice as much is freed, the third time everything.
        let need = match attempt {
            1 => bytes,
            2 => bytes.saturating_mul(2),
            _ => usize::MAX,
        };
        let freed = trimmed + self.make_room(need);
        // A resource that keeps freed blocks by size cannot serve another size from them.
        freed + if freed > 0 { self.upstream.trim() } else { 0 }
    }

    /// Frees up to `need` bytes, and no allocation more than that takes. What consumers may still be using is waited for
    /// when nothing else is left, and never to get ahead of a need.
    pub(super) fn free_up(&self, need: usize, cause: Cause, spare: &[u64]) -> usize {
        if need == 0 {
            return 0;
        }
        let is_short = !matches!(cause, Cause::Explicit | Cause::Watermark);
        // What was other managers' serves who is short of memory, and is no part of what this one is asked to spill.
        let mut freed = if cause == Cause::Explicit {
            let held = deferred_free::bytes(self);
            deferred_free::collect(self.device);
            held.saturating_sub(deferred_free::bytes(self))
        } else {
            deferred_free::collect(self.device)
        };
        if is_short {
            freed += self.await_consumers(need.saturating_sub(freed), Await::Unmarked);
        }
        freed += self.spill(need.saturating_sub(freed), cause, spare);
        if is_short {
            freed += self.await_consumers(need.saturating_sub(freed), Await::Any);
        }
        freed
    }

    /// Waits until `need` bytes of what went back are nobody's any more, as far as there are so many.
    fn await_consumers(&self, need: usize, which: Await) -> usize {
        if need == 0 || deferred_free::is_empty() {
            return 0;
        }
        let started = Instant::now();
        let freed = deferred_free::wait(need, which, self.device);
        if freed > 0 {
            self.statistics.waited(Wait::Consumers, started.elapsed());
        }
        freed
    }

    /// Spills up to `need` bytes.
    fn spill(&self, need: usize, cause: Cause, spare: &[u64]) -> usize {
        self.spill_unused_since(registry::after_all_uses(), need, cause, spare)
    }

    /// As [`spill`](Self::spill), of what was not used since `since`.
    fn spill_unused_since(&self, since: u64, need: usize, cause: Cause, spare: &[u64]) -> usize {
        if need == 0 || (cause != Cause::Explicit && !self.enabled.load(Ordering::Relaxed)) {
            return 0;
        }
        let mut freed = 0;
        while freed < need {
            // Who asks for it has the tiers asked again.
            let refused = if cause == Cause::Explicit { None } else { self.refused_from() };
            let (turn, estimators) = self.estimates();
            let victim = self.registry.pick(&Kind::RESIDENT, need - freed, since, turn, refused, estimators);
            let Some((victim, outlook)) = victim else { break };
            if spare.contains(&victim.id()) {
                victim.touch();
                continue;
            }
            match victim.evict(self, cause) {
                Ok(Gone::Freed(bytes)) => {
                    freed += bytes;
                    victim.recency().note_departure(outlook.guess().filter(|_| cause != Cause::Explicit));
                }
                Ok(Gone::Held) => victim.touch(),
                Err(error) => {
                    victim.touch();
                    // Tiers that have no room for one have none for others of its size, as is known from now on; what is
                    // broken is so for all.
                    if cause == Cause::Explicit || !matches!(error, Error::Storage { .. }) {
                        break;
                    }
                }
            }
        }
        freed
    }

    fn estimates(&self) -> (Option<u64>, Estimators) {
        let estimators = self.options.lock().estimators;
        (self.habit.turn().filter(|_| estimators.cyclic), estimators)
    }

    /// From which size on the tiers below took nothing of late.
    fn refused_from(&self) -> Option<usize> {
        self.tier_full.least(self.used_in_tiers(), Instant::now())
    }

    /// Whether the tiers below took no more of late, of some size, or may never take anything.
    pub(crate) fn is_tier_full(&self) -> bool {
        self.tiers.are_closed() || self.refused_from().is_some()
    }

    /// What the last tier said when it took no more, if that was of late.
    fn tier_refusal(&self) -> Option<Box<Error>> {
        self.tier_full.reason(self.used_in_tiers(), Instant::now()).map(Box::new)
    }

    /// An error for want of memory, with what the tiers below have to do with it.
    pub(super) fn explained(&self, error: Error) -> Error {
        match error {
            Error::OutOfMemory { device, requested, free, below: None } => {
                Error::OutOfMemory { device, requested, free, below: self.tier_refusal() }
            }
            error => error,
        }
    }

    fn note_full(&self, bytes: usize, error: &Error) {
        self.tier_full.note(bytes, error, self.used_in_tiers(), Instant::now());
    }

    fn used_in_tiers(&self) -> usize {
        Tier::ALL.into_iter().map(|tier| self.tiers.used(tier)).sum()
    }

    /// A victim of the budget's is wanted again: learns from its absence.
    pub(crate) fn wanted_again(&self, absence: Absence) {
        self.habit.learn(absence, registry::after_all_uses(), self.registry.used_since(absence.left));
    }

    /// An allocation has come home, from where it can leave again for nothing, or give up its copy.
    pub(crate) fn unspilled(&self) {
        self.tier_full.forget();
    }

    /// Stores a payload in the fastest lower tier that takes it. Older payloads make room in memory by going further
    /// down.
    pub(crate) fn store(
        &self,
        mut store: impl FnMut(Tier) -> Result<Arc<Payload>>,
        bytes: usize,
    ) -> Result<Arc<Payload>> {
        self.store_from(Tier::Pinned, &mut store, bytes)
    }

    fn store_from(
        &self,
        first: Tier,
        store: &mut dyn FnMut(Tier) -> Result<Arc<Payload>>,
        bytes: usize,
    ) -> Result<Arc<Payload>> {
        let mut last = None;
        for tier in [Tier::Pinned, Tier::Pageable, Tier::Disk] {
            if tier < first || !self.tiers.has(tier) {
                continue;
            }
            if !self.tiers.has_room(tier, bytes) {
                self.make_room_in_tier(tier, bytes);
            }
            loop {
                match store(tier) {
                    Ok(payload) => {
                        self.tier_full.took(bytes);
                        return Ok(payload);
                    }
                    Err(error) => last = Some(error),
                }
                // A disk may be full before its limit is reached, which shows when it is written to.
                if self.tiers.has_room(tier, bytes) || !self.make_room_in_tier(tier, bytes) {
                    break;
                }
            }
        }
        let error = last.unwrap_or_else(|| Error::Storage {
            tier: Tier::Disk,
            operation: "reserve",
            bytes,
            reason: "there is no tier below".to_owned(),
        });
        self.note_full(bytes, &error);
        Err(error)
    }

    /// An empty payload of `len` bytes in the fastest lower tier with room.
    pub(crate) fn payload_builder(&self, len: usize) -> Result<PayloadBuilder> {
        let built = self.tiers.builder(len).or_else(|_| {
            self.make_room_in_tier(Tier::Disk, len);
            self.tiers.builder(len)
        });
        built.inspect_err(|error| self.note_full(len, error))
    }

    /// Moves the payloads of `tier` that were wanted longest ago further down, and drops copies of what is at home. Says
    /// whether there were any.
    fn make_room_in_tier(&self, tier: Tier, bytes: usize) -> bool {
        let started = registry::after_all_uses();
        let room = || self.tiers.has_room(tier, bytes);
        let kinds: &[Kind] = match tier {
            // From there nothing goes further down.
            Tier::Disk => &[Kind::CleanDisk],
            _ => &[Kind::spilled(tier), Kind::clean(tier)],
        };
        let mut has_moved = false;
        while !room() {
            let refused = self.refused_from();
            let (turn, estimators) = self.estimates();
            let victim = self.registry.pick(kinds, bytes, started, turn, refused, estimators);
            let Some((victim, _)) = victim else { break };
            let moved = match victim.payload_bytes() {
                Some((at, _)) if at == tier && victim.tier() == Tier::Device => victim.drop_copy() > 0,
                Some((at, _)) if at == tier && at != Tier::Disk => {
                    matches!(victim.demote(self, tier, Cause::Overflow), Ok(Gone::Freed(_)))
                }
                _ => false,
            };
            has_moved |= moved;
            if !moved {
                victim.touch();
            }
        }
        has_moved
    }

    /// The payload again, in a tier below `from`.
    pub(crate) fn demoted(&self, payload: &Payload, from: Tier) -> Result<Arc<Payload>> {
        let next = if from == Tier::Pinned { Tier::Pageable } else { Tier::Disk };
        self.store_from(next, &mut |tier| self.tiers.demote(payload, tier), payload.len())
    }

    /// Brings an allocation home in the background.
    pub(super) fn fetch_ahead(self: &Arc<Self>, owner: &Arc<Owner>) {
        if let Some(fetcher) = self.fetcher.get_or_init(|| hints::start_fetcher(self)) {
            fetcher.ask(Wanted::new(owner));
        }
    }

    /// Queues an allocation anew with its time of use.
    pub(super) fn used_long_ago(&self, owner: &Owner) {
        self.registry.settled(owner);
    }

    // What allocations tell.

    pub(crate) fn register(&self, owner: &Arc<Owner>) {
        let (tier, born) = owner.payload_bytes().unwrap_or_else(|| (Tier::Device, owner.bytes()));
        self.statistics.born(tier, born);
        self.registry.add(owner);
    }

    /// Forgets an allocation that ends, with `resident` bytes on the device and perhaps a payload below.
    pub(crate) fn unregister(&self, owner: &Owner, resident: usize, payload: Option<&Payload>) {
        if !self.registry.remove(owner) {
            return;
        }
        self.statistics.gone(owner.id());
        self.statistics.dropped(Tier::Device, resident);
        if let Some(payload) = payload {
            self.statistics.dropped(payload.tier(), payload.len());
        }
    }

    /// The bytes of an allocation have come to rest.
    pub(crate) fn settled(&self, owner: &Owner) {
        self.registry.settled(owner);
    }

    pub(crate) fn copy_dropped(&self, owner: &Owner, payload: &Payload) {
        self.statistics.dropped(payload.tier(), payload.len());
        self.registry.settled(owner);
    }

    /// Counts a guard's pin by its place in the source, while somebody wants to know.
    #[inline]
    pub(crate) fn note_pin(
        &self,
        at: &'static Location<'static>,
        bytes: usize,
    ) -> Option<&'static Location<'static>> {
        self.statistics.pinned(at, bytes)
    }

    pub(crate) fn note_unpin(&self, at: &'static Location<'static>, bytes: usize) {
        self.statistics.unpinned(at, bytes);
    }

    #[cold]
    pub(super) fn note_refusal(&self, bytes: usize, error: &Error) {
        if matches!(error, Error::OutOfMemory { .. }) {
            self.statistics.refused(bytes, || self.usage_now_and_then());
        }
    }

    /// As [`usage`](Self::usage), where the looks so far have been paid for: every call pays for a look at some
    /// allocations, so that refusals of many do not take the square of them.
    fn usage_now_and_then(&self) -> Option<MemoryUsage> {
        const PAID: usize = 1024;
        let owed = self.looks_owed.load(Ordering::Relaxed);
        if owed > 0 {
            // Of two at once both may look.
            self.looks_owed.store(owed.saturating_sub(PAID), Ordering::Relaxed);
            return None;
        }
        let (usage, looks) = self.usage_and_looks();
        self.looks_owed.store(looks.saturating_sub(PAID), Ordering::Relaxed);
        Some(usage)
    }
}

impl fmt::Debug for SpillManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpillManager")
            .field("device", &self.device)
            .field("used", &self.account.used())
            .field("limit", &self.account.limit())
            .finish_non_exhaustive()
    }
}
