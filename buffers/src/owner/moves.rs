//! Bytes leave home, come back, and go from tier to tier.
//!
//! Every move is in two phases: the target is filled while the source stays valid, then one step of the state
//! publishes it, then the source is given up. A failure before that step takes the target back and leaves everything
//! as it was. No lock is held over a copy, an allocation or a release.

use std::ops::Range;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use super::state::{AddressHistory, PublishedEviction, Residency, State};
use super::uses::Uses;
use super::{Allocation, Body, Owner, SpilledCopy, dangling};
use crate::spill::{Cause, Move, PayloadBuilder, Wait};
use crate::stream::assert_may_wait;
use crate::sync::Arc;
use crate::sync::atomic::Ordering;
use crate::{Error, Exec, PADDING_BYTES, Result, SpillManager, Stream, Tier};

/// What a guard is to hold the bytes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    Read,
    Write,
}

/// What became of an attempt to make an allocation leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvictionOutcome {
    /// The device has so many bytes more; none yet when a consumer may still be using them.
    Freed(usize),
    /// Somebody holds the bytes, or somebody else moves them.
    Held,
}

impl Owner {
    /// Pins the bytes at home, brings them there if need be.
    #[inline]
    pub(super) fn pin(&self, hold: Hold, exec: &Exec) -> Result<()> {
        self.touch();
        if self.try_pin(hold) { Ok(()) } else { self.pin_after_all(hold, exec) }
    }

    /// Pins the bytes if they are at home.
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
                return Err(self.too_many("guards", State::MOST_PINS));
            }
            match self.state.residency() {
                Residency::Spilled(tier) if self.state.begin_moving(tier) => {
                    self.unspill(tier, exec)?;
                    if hold == Hold::Read {
                        return Ok(());
                    }
                    // The copy below is still to be given up; the pin keeps the bytes from leaving meanwhile.
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

    /// Waits while another thread moves the bytes. It holds nothing that it could wait for.
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

    /// Wakes who waits for the bytes to come to rest and tells the manager; the state says already that they have.
    fn notify_settled(&self) {
        // Between the look at the state and the wait a waiter holds the lock.
        drop(self.body.lock_first());
        self.settled.notify_all();
        if let Some(manager) = &self.manager {
            manager.settled(self);
        }
    }

    /// Brings the bytes home and pins them there; the caller has begun the move.
    fn unspill(&self, from: Tier, exec: &Exec) -> Result<()> {
        let begun = Begun { owner: self, from };
        assert_may_wait();
        // Before memory is freed for it, so that the policy has learnt from it.
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
        // SAFETY: the target is new and as long as the range; the payload is never written and holds the range.
        if let Err(error) = unsafe { manager.tiers().load(&copy.payload, within, address, exec.stream()) } {
            // SAFETY: allocated above for as many bytes; work that was queued on the stream comes before.
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

    /// Whether the bytes are at home and nobody holds them there.
    pub(crate) fn is_spillable(&self) -> bool {
        let managed = self.manager.is_some() && !self.foreign;
        managed && self.state.residency() == Residency::Resident && !self.state.is_held()
    }

    /// Moves the bytes below because somebody asked for it; see [`evict`](Self::evict).
    pub(crate) fn spill(&self) -> Result<bool> {
        let Some(manager) = &self.manager else { return Ok(false) };
        Ok(self.evict(manager, Cause::Explicit)? != EvictionOutcome::Held)
    }

    /// Gives up the copy of bytes that are at home; returns how many bytes the lower tier has more.
    pub(crate) fn drop_copy(&self) -> usize {
        let copy = {
            let mut body = self.body.lock_first();
            // Who begins to leave takes the lock to find the copy, so it is there whole or not at all.
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

    /// Moves the bytes from home to the fastest lower tier that takes them, if nobody holds them. A copy that is below
    /// already is not made again.
    ///
    /// # Errors
    /// When no tier takes them: the last tier's error. The bytes are at home.
    pub(crate) fn evict(&self, manager: &SpillManager, cause: Cause) -> Result<EvictionOutcome> {
        if self.foreign || !self.state.begin_eviction() {
            return Ok(EvictionOutcome::Held);
        }
        let timer = manager.statistics().timer();
        let (kept, range) = {
            let body = self.body.lock_first();
            (body.copy.clone(), body.range.clone())
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
        // Both places have the bytes now.
        manager.sample();
        let is_kept = left_over.is_none();
        drop(left_over);
        // What consumers may still be using has left the allocation; the device has it later.
        let freed = left.as_ref().map_or(0, |left| left.allocation.bytes());
        let gone = match left {
            // Somebody needs the room: it is not for who allocated the bytes to keep.
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

    /// The part of `range` that some view looks at, when that is less than half of it; else all of it.
    fn range_in_use(&self, range: Range<usize>) -> Range<usize> {
        let alignment = self.device.alignment();
        let Some(hull) = self.views.hull() else { return range };
        // The last byte at least, for views of no bytes at the end.
        let start = (hull.start.min(range.end - 1) / alignment * alignment).max(range.start);
        let end = hull.end.next_multiple_of(PADDING_BYTES).max(start + PADDING_BYTES).min(range.end);
        if (end - start) * 2 < range.len() { start..end } else { range }
    }

    /// Ends the departure in one step: the home to be given back, or the copy that is not worth keeping.
    ///
    /// With the home go the uses that it has to outlive: who brings the bytes back notes new ones.
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
            // What covers less than the home is no copy of it.
            PublishedEviction::Kept => {
                let whole = copy.start <= range.start && copy.start + copy.payload.len() >= range.end;
                self.state.cancel_eviction(whole);
                let left_over = if whole { kept.replace(copy) } else { Some(copy) };
                (None, left_over)
            }
        }
    }

    /// Copies bytes from home to the fastest lower tier that takes them.
    fn copy_to_tier(&self, manager: &SpillManager, range: Range<usize>) -> Result<SpilledCopy> {
        let stream = manager.down_stream()?;
        if let Some(uses) = &self.uses {
            uses.order_read(stream)?;
        }
        let source = self.address(range.start);
        let store = |tier| {
            // SAFETY: the bytes are at home until this move ends, nobody writes them meanwhile, and the stream
            // waits for who wrote them last.
            unsafe { manager.tiers().store(tier, source, range.len(), stream) }
        };
        let payload = manager.store(store, range.len())?;
        Ok(SpilledCopy { payload, start: range.start })
    }

    /// Moves the bytes from the tier `from`, where they alone are, to a lower one. Returns the bytes that `from` has
    /// more.
    pub(crate) fn demote(&self, manager: &SpillManager, from: Tier, cause: Cause) -> Result<EvictionOutcome> {
        if !self.state.begin_moving(from) {
            return Ok(EvictionOutcome::Held);
        }
        // From here on nobody else replaces the copy.
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

    /// The copy, unless other allocations share its payload: to move a share frees nothing.
    fn unshared_copy(&self) -> Option<SpilledCopy> {
        let body = self.body.lock_first();
        body.copy.as_ref().filter(|copy| Arc::strong_count(&copy.payload) == 1).cloned()
    }

    /// Copies bytes to the host straight from the lower tier that has them; false when they are at home.
    pub(crate) fn read_spilled(&self, offset: usize, target: &mut [u8]) -> Result<bool> {
        let Some((manager, copy)) = self.copy_if_spilled() else { return Ok(false) };
        manager.tiers().read(&copy.payload, offset - copy.start, target)?;
        Ok(true)
    }

    /// An allocation of its own for `len` bytes from `offset`, over the same bytes in the lower tier that has them;
    /// `None` when they are at home.
    pub(crate) fn share_spilled(&self, offset: usize, len: usize) -> Result<Option<Self>> {
        let Some((manager, copy)) = self.copy_if_spilled() else { return Ok(None) };
        let covered = copy.start..copy.start + copy.payload.len();
        let range = self.alone(offset, len, covered);
        Self::new_spilled(self.device, self.capacity, range, copy, Arc::clone(manager)).map(Some)
    }

    /// Whether somebody moves the bytes just now, home or from one lower tier to another.
    pub(crate) fn is_moving(&self) -> bool {
        self.state.residency() == Residency::Moving
    }

    /// Whether a move is about these bytes and no others, the padding aside.
    pub(crate) fn is_no_more_than(&self, offset: usize, len: usize) -> bool {
        let range = self.body.lock_first().range.clone();
        !range.is_empty() && self.alone(offset, len, range.clone()) == range
    }

    /// What has to be moved for `len` bytes from `offset`, of what is `covered`.
    fn alone(&self, offset: usize, len: usize, covered: Range<usize>) -> Range<usize> {
        let alignment = self.device.alignment();
        // The last byte at least, for no bytes at the end.
        let start = (offset.min(covered.end - 1) / alignment * alignment).max(covered.start);
        let end = (offset + len).next_multiple_of(PADDING_BYTES).max(start + PADDING_BYTES);
        start..end.min(covered.end)
    }

    fn copy_if_spilled(&self) -> Option<(&Arc<SpillManager>, SpilledCopy)> {
        let manager = self.manager.as_ref()?;
        let body = self.body.lock_first();
        // Payloads are never written: one that is on the way home or down is as good as one that rests.
        if self.state.residency() == Residency::Resident || self.state.residency() == Residency::Evicting {
            return None;
        }
        body.copy.clone().map(|copy| (manager, copy))
    }

    /// Whether the bytes are in a lower tier alone, or on the way from or to one.
    pub(crate) fn is_spilled(&self) -> bool {
        !matches!(self.state.residency(), Residency::Resident | Residency::Evicting)
    }

    /// Pins bytes of this device at home for as long as it takes.
    pub(crate) fn pin_for(&self, hold: Hold, exec: &Exec) -> Result<()> {
        exec.require_device(self.device)?;
        self.pin(hold, exec)
    }

    /// Notes that work queued on `stream` until now uses the memory.
    pub(crate) fn note_use(&self, stream: &Stream, hold: Hold) {
        match (&self.uses, hold) {
            (None, _) => {}
            (Some(uses), Hold::Read) => uses.note_read(stream),
            (Some(uses), Hold::Write) => uses.note_unordered_write(stream),
        }
    }

    /// Appends `len` bytes from `offset` to a payload, from wherever they are.
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
        // SAFETY: the guard keeps the bytes where they are and orders the stream behind who wrote them.
        unsafe { builder.append_device(source, len, exec.stream()) }
    }

    /// Counts as used before everything else.
    pub(crate) fn forget_use(&self) {
        self.history.clear();
    }

    /// Counts as used just now.
    #[inline]
    pub(crate) fn touch(&self) {
        // Relaxed: an approximate time orders nothing.
        self.history.note_use();
    }

    /// Bytes that are below, for statistics: the tier and how many.
    pub(crate) fn payload_bytes(&self) -> Option<(Tier, usize)> {
        let body = self.body.lock_first();
        body.copy.as_ref().map(|copy| (copy.payload.tier(), copy.payload.len()))
    }
}

/// What an allocation that has left has to give back.
struct Released {
    allocation: Allocation,
    uses: Option<Uses>,
    past: AddressHistory,
}

/// A move that has begun. Unless it is ended, the drop puts the bytes back to where they were, in a panic of somebody's
/// resource too, and wakes who waits for them.
struct Begun<'a> {
    owner: &'a Owner,
    from: Tier,
}

impl Begun<'_> {
    /// The move succeeded: the caller says where the bytes are.
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
