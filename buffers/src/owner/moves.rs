//! Moves: eviction, unspilling, and demotion from tier to tier.
//!
//! Every move has two phases: the target is filled while the source stays valid; then one atomic change of
//! the state publishes it, and the source is freed. A failure before that change frees the target and leaves
//! everything unchanged. No lock is held over a copy, an allocation or a free.

use std::ops::Range;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use super::state::{AddressHistory, AllocationState, PublishedEviction, Residency};
use super::uses::Uses;
use super::{Allocation, Body, Owner, SpilledCopy, dangling};
use crate::spill::{Cause, Move, PayloadBuilder, Wait};
use crate::stream::assert_may_wait;
use crate::sync::Arc;
use crate::sync::atomic::Ordering;
use crate::{Error, Exec, PADDING_BYTES, Result, SpillManager, Stream, Tier};

/// The purpose of a guard or pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    Read,
    Write,
}

/// The result of trying to evict or demote an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvictionOutcome {
    /// The bytes freed; 0 so far if the free is deferred because a consumer may still be using them.
    Freed(usize),
    /// The bytes are held, or another thread moves them.
    Held,
}

impl Owner {
    /// Pins the bytes, after unspilling them if necessary.
    #[inline]
    pub(super) fn pin(&self, hold: Hold, exec: &Exec) -> Result<()> {
        self.touch();
        if self.try_pin(hold) { Ok(()) } else { self.pin_after_all(hold, exec) }
    }

    /// Pins the bytes if they are resident.
    #[inline]
    pub(crate) fn try_pin(&self, hold: Hold) -> bool {
        match hold {
            Hold::Read => self.state.pin_to_read(),
            Hold::Write => self.state.pin_to_write(),
        }
    }

    #[inline]
    pub(crate) fn unpin(&self) {
        self.state.unpin();
    }

    #[cold]
    fn pin_after_all(&self, hold: Hold, exec: &Exec) -> Result<()> {
        loop {
            if self.state.is_crowded() {
                return Err(self.too_many("guards", AllocationState::MOST_PINS));
            }
            match self.state.residency() {
                Residency::Spilled(tier) if self.state.begin_moving(tier) => {
                    self.unspill(tier, exec)?;
                    if hold == Hold::Read {
                        return Ok(());
                    }
                    // The spilled copy must be dropped before a write; the pin prevents eviction meanwhile.
                    self.drop_copy();
                    return Ok(());
                }
                Residency::Resident if hold == Hold::Write && self.state.has_copy() => {
                    self.drop_copy();
                }
                Residency::Evicting if hold == Hold::Write => self.wait_until_settled(),
                Residency::Moving => self.wait_until_settled(),
                Residency::Resident | Residency::Evicting | Residency::Spilled(_) => {}
            }
            if self.try_pin(hold) {
                return Ok(());
            }
        }
    }

    pub(super) fn too_many(&self, holders: &'static str, most: u64) -> Error {
        Error::TooManyHolders { device: self.device, holders, most }
    }

    /// Waits while another thread moves the bytes. The caller holds nothing that the other thread could wait
    /// for.
    fn wait_until_settled(&self) {
        assert_may_wait();
        let started = Instant::now();
        let mut body = self.body.lock_first();
        while matches!(self.state.residency(), Residency::Moving | Residency::Evicting) {
            body = self.settled.wait(body);
        }
        drop(body);
        if let Some(manager) = &self.manager {
            manager.statistics().waited(Wait::Residency, started.elapsed());
        }
    }

    /// Wakes threads that wait for the move and notifies the manager; the state has been changed before.
    fn notify_settled(&self) {
        // A waiter holds the lock between its check of the state and its wait.
        drop(self.body.lock_first());
        self.settled.notify_all();
        if let Some(manager) = &self.manager {
            manager.settled(self);
        }
    }

    /// Unspills the bytes and pins them; the caller has begun the move.
    fn unspill(&self, from: Tier, exec: &Exec) -> Result<()> {
        let begun = Begun { owner: self, from };
        assert_may_wait();
        // Before memory is freed for it, so that the policy learns from this use first.
        if let Some(manager) = &self.manager {
            manager.unspilling(self);
        }
        self.fill_allocation(from, exec)?;
        begun.end();
        self.state.finish_unspill();
        self.notify_settled();
        Ok(())
    }

    fn fill_allocation(&self, from: Tier, exec: &Exec) -> Result<()> {
        let (range, copy) = {
            let body = self.body.lock_first();
            (body.range.clone(), body.copy.clone())
        };
        let (Some(manager), Some(copy)) = (&self.manager, copy) else { return Ok(()) };
        let timer = manager.statistics().timer();
        let exec = manager.exec_for(exec);
        let bytes = range.len();
        let address = exec.resource().allocate(bytes, exec.stream(), exec.admission())?;
        let queued = timer.elapsed();
        let within = range.start - copy.start..range.end - copy.start;
        // SAFETY: the target is new and as long as the range; the payload is never written and contains the
        // range.
        if let Err(error) = unsafe { manager.tiers().load(&copy.payload, within, address, exec.stream()) } {
            // SAFETY: allocated above with the same size; work queued on the stream comes before.
            unsafe { exec.resource().deallocate(address, bytes, exec.stream())? };
            return Err(error);
        }
        if let Some(uses) = &self.uses {
            uses.note_write(exec.stream());
        }
        self.base.store(address.as_ptr().wrapping_sub(range.start), Ordering::Relaxed);
        self.body.lock_first().allocation = Allocation::Resource { address, bytes, exec };
        manager.unspilled();
        manager.statistics().moved(|| {
            let (from, to, cause) = (from, Tier::Device, Cause::Access);
            let (started, duration) = (timer.started() + queued, timer.elapsed().saturating_sub(queued));
            Move { from, to, bytes, freed: 0, started, duration, queued, cause, owner: self.id }
        });
        Ok(())
    }

    /// Whether the bytes are resident and not held.
    pub(crate) fn is_spillable(&self) -> bool {
        let managed = self.manager.is_some() && !self.foreign;
        managed && self.state.residency() == Residency::Resident && !self.state.is_held()
    }

    /// Spills the bytes by explicit request; see [`evict`](Self::evict).
    pub(crate) fn spill(&self) -> Result<bool> {
        let Some(manager) = &self.manager else { return Ok(false) };
        Ok(self.evict(manager, Cause::Explicit)? != EvictionOutcome::Held)
    }

    /// Drops the spilled copy of resident bytes; returns the bytes freed in the lower tier.
    pub(crate) fn drop_copy(&self) -> usize {
        let copy = {
            let mut body = self.body.lock_first();
            // An eviction takes the lock to find the copy, so it finds all of it or none.
            if self.state.residency() != Residency::Resident || !self.state.forget_copy() {
                return 0;
            }
            body.copy.take()
        };
        let Some(SpilledCopy { payload, .. }) = copy else { return 0 };
        if let Some(manager) = &self.manager {
            manager.copy_dropped(self, &payload);
        }
        payload.len()
    }

    /// Evicts the resident bytes to the fastest lower tier that accepts them, if they are not held. An
    /// existing spilled copy is reused.
    ///
    /// # Errors
    /// The last tier's error if no tier accepts the bytes; they are then still resident.
    pub(crate) fn evict(&self, manager: &SpillManager, cause: Cause) -> Result<EvictionOutcome> {
        if self.foreign || !self.state.begin_eviction() {
            return Ok(EvictionOutcome::Held);
        }
        let timer = manager.statistics().timer();
        let (kept, range) = {
            let body = self.body.lock_first();
            (body.copy.clone().filter(|copy| copy.payload.is_own()), body.range.clone())
        };
        let range_in_use = self.range_in_use(range);
        let was_there = kept.is_some();
        let copy = if let Some(kept) = kept {
            kept
        } else {
            let begun = Begun { owner: self, from: Tier::Device };
            let copy = self.copy_to_tier(manager, range_in_use.clone())?;
            begun.end();
            copy
        };
        let (tier, bytes) = (copy.payload.tier(), copy.payload.len());
        let (left, left_over) = self.publish(tier, copy, range_in_use.clone());
        self.notify_settled();
        // Both tiers have the bytes now.
        manager.sample();
        let is_kept = left_over.is_none();
        drop(left_over);
        // Bytes that consumers may still be using count as freed here, but the device gets them later.
        let freed = left.as_ref().map_or(0, |left| left.allocation.bytes());
        let gone = match left {
            // Memory is short, so the freed bytes are for any allocation, not only for the reservation that
            // they came from.
            Some(Released { allocation, uses, past }) => {
                EvictionOutcome::Freed(self.free(allocation.unreserved(), uses.as_ref(), past))
            }
            None => EvictionOutcome::Held,
        };
        let statistics = manager.statistics();
        if was_there && gone != EvictionOutcome::Held {
            statistics.skipped_copy(freed, cause, self.id);
        } else if !was_there && is_kept {
            statistics.moved(|| {
                let (from, queued) = (Tier::Device, Duration::ZERO);
                let (started, duration) = (timer.started(), timer.elapsed());
                Move { from, to: tier, bytes, freed, started, duration, queued, cause, owner: self.id }
            });
        }
        Ok(gone)
    }

    /// The part of `range` that has views, if it is less than half of it; otherwise all of it.
    fn range_in_use(&self, range: Range<usize>) -> Range<usize> {
        let alignment = self.device.alignment();
        let Some(hull) = self.views.hull() else { return range };
        // At least the last byte, for empty views at the end.
        let start = (hull.start.min(range.end - 1) / alignment * alignment).max(range.start);
        let end = hull.end.next_multiple_of(PADDING_BYTES).max(start + PADDING_BYTES).min(range.end);
        if (end - start) * 2 < range.len() { start..end } else { range }
    }

    /// Ends the eviction in one atomic change: returns the memory to be freed, or the copy that is not worth
    /// keeping.
    ///
    /// Includes the uses that the free must wait for: a later unspill records new ones.
    fn publish(
        &self,
        tier: Tier,
        copy: SpilledCopy,
        moved: Range<usize>,
    ) -> (Option<Released>, Option<SpilledCopy>) {
        let mut body = self.body.lock_first();
        let Body { allocation, range, copy: kept } = &mut *body;
        match self.state.finish_eviction(tier) {
            PublishedEviction::Evicted(past) => {
                *range = moved;
                *kept = Some(copy);
                self.base.store(dangling().as_ptr(), Ordering::Relaxed);
                let allocation = std::mem::replace(allocation, Allocation::Spilled);
                (Some(Released { allocation, uses: self.uses.clone(), past }), None)
            }
            // A copy of a part is not a spilled copy of the resident bytes.
            PublishedEviction::Kept => {
                let whole = copy.start <= range.start && copy.start + copy.payload.len() >= range.end;
                self.state.cancel_eviction(whole);
                let left_over = if whole { kept.replace(copy) } else { Some(copy) };
                (None, left_over)
            }
        }
    }

    /// Copies resident bytes to the fastest lower tier that accepts them.
    fn copy_to_tier(&self, manager: &SpillManager, range: Range<usize>) -> Result<SpilledCopy> {
        let stream = manager.down_stream()?;
        if let Some(uses) = &self.uses {
            uses.order_read(stream)?;
        }
        let source = self.address(range.start);
        let store = |tier| {
            // SAFETY: the bytes stay resident and are not written until this move ends, and the stream waits
            // for the last write.
            unsafe { manager.tiers().store(tier, source, range.len(), stream) }
        };
        let payload = manager.store(store, range.len())?;
        Ok(SpilledCopy { payload, start: range.start })
    }

    /// Demotes the bytes, which are only in the tier `from`. Returns the bytes freed in `from`.
    pub(crate) fn demote(&self, manager: &SpillManager, from: Tier, cause: Cause) -> Result<EvictionOutcome> {
        if !self.state.begin_moving(from) {
            return Ok(EvictionOutcome::Held);
        }
        // From here on no other thread replaces the copy.
        let begun = Begun { owner: self, from };
        let timer = manager.statistics().timer();
        let Some(SpilledCopy { payload, start }) = self.unshared_copy() else {
            return Ok(EvictionOutcome::Held);
        };
        let lower = manager.demoted(&payload, from)?;
        begun.end();
        let (to, bytes) = (lower.tier(), payload.len());
        let old = self.body.lock_first().copy.replace(SpilledCopy { payload: lower, start });
        self.state.finish_move(to);
        self.notify_settled();
        manager.sample();
        manager.statistics().moved(|| {
            let (freed, started, duration) = (bytes, timer.started(), timer.elapsed());
            Move { from, to, bytes, freed, started, duration, queued: Duration::ZERO, cause, owner: self.id }
        });
        drop(old);
        Ok(EvictionOutcome::Freed(bytes))
    }

    /// The copy, unless other allocations share its payload: moving a shared payload frees nothing.
    fn unshared_copy(&self) -> Option<SpilledCopy> {
        let body = self.body.lock_first();
        body.copy.as_ref().filter(|copy| Arc::strong_count(&copy.payload) == 1).cloned()
    }

    /// Reads spilled bytes to the host directly from their tier; false if they are resident.
    pub(crate) fn read_spilled(&self, offset: usize, target: &mut [u8]) -> Result<bool> {
        let Some((manager, copy)) = self.copy_if_spilled() else { return Ok(false) };
        manager.tiers().read(&copy.payload, offset - copy.start, target)?;
        Ok(true)
    }

    /// A new allocation of `len` bytes from `offset` that shares the spilled bytes; `None` if they are
    /// resident.
    pub(crate) fn share_spilled(&self, offset: usize, len: usize) -> Result<Option<Self>> {
        let Some((manager, copy)) = self.copy_if_spilled() else { return Ok(None) };
        let covered = copy.start..copy.start + copy.payload.len();
        let range = self.alone(offset, len, covered);
        Self::new_spilled(self.device, self.capacity, range, copy, Arc::clone(manager)).map(Some)
    }

    /// Whether the bytes are being unspilled or demoted.
    pub(crate) fn is_moving(&self) -> bool {
        self.state.residency() == Residency::Moving
    }

    /// Whether a move of the allocation moves only these bytes, except for padding.
    pub(crate) fn is_no_more_than(&self, offset: usize, len: usize) -> bool {
        let range = self.body.lock_first().range.clone();
        !range.is_empty() && self.alone(offset, len, range.clone()) == range
    }

    /// The part of `covered` that has to be moved for `len` bytes from `offset`.
    fn alone(&self, offset: usize, len: usize, covered: Range<usize>) -> Range<usize> {
        let alignment = self.device.alignment();
        // At least the last byte, for an empty range at the end.
        let start = (offset.min(covered.end - 1) / alignment * alignment).max(covered.start);
        let end = (offset + len).next_multiple_of(PADDING_BYTES).max(start + PADDING_BYTES);
        start..end.min(covered.end)
    }

    fn copy_if_spilled(&self) -> Option<(&Arc<SpillManager>, SpilledCopy)> {
        let manager = self.manager.as_ref()?;
        let body = self.body.lock_first();
        // Payloads are immutable: one that is being unspilled or demoted can be shared too.
        if self.state.residency() == Residency::Resident || self.state.residency() == Residency::Evicting {
            return None;
        }
        body.copy.clone().map(|copy| (manager, copy))
    }

    /// Whether the bytes are only in a lower tier, or being moved from or to one.
    pub(crate) fn is_spilled(&self) -> bool {
        !matches!(self.state.residency(), Residency::Resident | Residency::Evicting)
    }

    /// Pins resident bytes of this device, after unspilling them if necessary.
    pub(crate) fn pin_for(&self, hold: Hold, exec: &Exec) -> Result<()> {
        exec.require_device(self.device)?;
        self.pin(hold, exec)
    }

    /// Records that work queued on `stream` until now uses the memory.
    pub(crate) fn note_use(&self, stream: &Stream, hold: Hold) {
        match (&self.uses, hold) {
            (None, _) => {}
            (Some(uses), Hold::Read) => uses.note_read(stream),
            (Some(uses), Hold::Write) => uses.note_unordered_write(stream),
        }
    }

    /// Appends `len` bytes from `offset` to a payload, from any tier.
    pub(crate) fn append_to(
        &self,
        builder: &mut PayloadBuilder,
        offset: usize,
        len: usize,
        exec: &Exec,
    ) -> Result<()> {
        if let Some((_, copy)) = self.copy_if_spilled() {
            let at = offset - copy.start;
            return builder.append_payload(&copy.payload, at..at + len);
        }
        let guard = self.read(offset, len, exec)?;
        let Some(source) = NonNull::new(guard.as_ptr().cast_mut()) else { return Ok(()) };
        // SAFETY: the guard pins the bytes and orders the stream after the last write.
        unsafe { builder.append_device(source, len, exec.stream()) }
    }

    /// Treats the allocation as least recently used.
    pub(crate) fn forget_use(&self) {
        self.history.clear();
    }

    /// Treats the allocation as used now.
    #[inline]
    pub(crate) fn touch(&self) {
        // Relaxed: the time is approximate.
        self.history.note_use();
    }

    /// The tier and the number of spilled bytes, for statistics.
    pub(crate) fn payload_bytes(&self) -> Option<(Tier, usize)> {
        let body = self.body.lock_first();
        body.copy.as_ref().map(|copy| (copy.payload.tier(), copy.payload.len()))
    }
}

/// What an evicted allocation has to free.
struct Released {
    allocation: Allocation,
    uses: Option<Uses>,
    past: AddressHistory,
}

/// A move in progress. Unless it is ended, the drop restores the previous residency, also if a resource
/// panics, and wakes waiting threads.
struct Begun<'a> {
    owner: &'a Owner,
    from: Tier,
}

impl Begun<'_> {
    /// The move succeeded; the caller has set the new residency.
    fn end(self) {
        std::mem::forget(self);
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        match self.from {
            Tier::Device => self.owner.state.cancel_eviction(false),
            below => self.owner.state.finish_move(below),
        }
        self.owner.notify_settled();
    }
}
