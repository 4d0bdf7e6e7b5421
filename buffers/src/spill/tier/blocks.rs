//! Host memory in blocks of one size, in a few large arenas: the pinned and the pageable tier.
//!
//! A payload takes whole blocks and a chunk, wherever they are free, so memory cannot fragment. When a
//! payload is dropped whose blocks a queued load still reads, they are retired, and reused once the load has
//! run.

use std::ops::{Deref, Range};
use std::ptr::NonNull;

use smallvec::SmallVec;

use super::arenas::{Arenas, Spans};
use super::free_list::FreeList;
use super::memory::{Memory, Preparation};
use super::plan::Plan;
use crate::device::BackgroundTask;
use crate::device::defer;
use crate::failpoints::{Step, failpoint};
use crate::stripes::{Padded, STRIPES, own_stripe};
use crate::sync::Arc;
use crate::sync::global::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};
use crate::{Device, Error, Event, Result, Stream, Tier, TierUsage};

/// Sizes in a pool, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    /// A block; a power of two.
    pub(super) block: usize,
    /// The first arena; each further one is as large as all previous ones together.
    pub(super) first_arena: usize,
    /// The largest arena, except for payloads that need a larger one.
    pub(super) largest_arena: usize,
}

impl Default for Geometry {
    fn default() -> Self {
        if cfg!(any(shuttle, miri)) {
            // Shuttle makes many pools.
            return Self { block: 128 << 10, first_arena: 128 << 10, largest_arena: 128 << 10 };
        }
        Self { block: 1 << 20, first_arena: 32 << 20, largest_arena: 1 << 30 }
    }
}

/// Blocks of host memory for one tier of one device.
#[derive(Debug)]
pub(super) struct BlockPool {
    tier: Tier,
    device: Device,
    geometry: Geometry,
    state: Mutex<BlocksState>,
    free_list: FreeList,
    /// Bytes in use when the state was last changed, including kept chunks.
    used: AtomicUsize,
    /// Bytes available when the state was last changed, for readers without the lock.
    slot: AtomicUsize,
    /// Whether chunks may be kept: returning them would not release an arena.
    may_keep: AtomicBool,
    /// Whether there may be retired slots.
    has_retired: AtomicBool,
    /// An arena was added, or could not be added; or retired slots were returned.
    changed: Condvar,
}

#[derive(Debug)]
struct BlocksState {
    arenas: Arenas,
    limit: usize,
    /// Dropped slots that queued work still reads.
    retired: Vec<Retired>,
    /// Threads that have taken some of these out, to query or await the work without the lock.
    looking_after: usize,
    /// Whether an arena is being made.
    growing: bool,
    /// The error of the last attempt to make an arena.
    failure: Option<Error>,
}

#[derive(Debug)]
struct Retired {
    spans: Spans,
    readers: Readers,
}

/// The last queued use per stream, by the stream's number.
type Readers = SmallVec<[(u64, Event); 1]>;

/// A shared pool. Each stripe of threads counts its references separately.
#[derive(Debug)]
pub(super) struct SharedPool([Share; STRIPES]);

type Share = Arc<Padded<Arc<BlockPool>>>;

/// Memory for a payload, released on drop.
#[derive(Debug)]
pub(super) struct Blocks {
    pool: Share,
    spans: Spans,
    readers: Mutex<Readers>,
}

/// A range of host memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) address: NonNull<u8>,
    pub(super) bytes: usize,
}

impl SharedPool {
    pub(super) fn new(pool: BlockPool) -> Self {
        let pool = Arc::new(pool);
        Self(std::array::from_fn(|_| Arc::new(Padded(Arc::clone(&pool)))))
    }

    /// See [`BlockPool::reserve`].
    pub(super) fn reserve(&self, len: usize) -> Result<Blocks> {
        let share = &self.0[own_stripe()];
        let spans = share.0.reserve(len)?;
        Ok(Blocks { pool: Arc::clone(share), spans, readers: Mutex::default() })
    }
}

impl Deref for SharedPool {
    type Target = Arc<BlockPool>;

    fn deref(&self) -> &Arc<BlockPool> {
        &self.0[0].0
    }
}

impl BlockPool {
    /// A pool of at most `limit` bytes; it allocates nothing before it is needed.
    pub(super) fn new(tier: Tier, device: Device, geometry: Geometry, limit: usize) -> Self {
        let state = BlocksState {
            arenas: Arenas::new(geometry.block),
            limit,
            retired: Vec::new(),
            looking_after: 0,
            growing: false,
            failure: None,
        };
        Self {
            tier,
            device,
            geometry,
            state: Mutex::new(state),
            free_list: FreeList::default(),
            used: AtomicUsize::new(0),
            slot: AtomicUsize::new(0),
            may_keep: AtomicBool::new(false),
            has_retired: AtomicBool::new(false),
            changed: Condvar::new(),
        }
    }

    /// Takes memory for `len` bytes. If none is free, waits for an arena that is being made, and for queued
    /// loads of dropped payloads.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`] if the limit is reached or the system is out of memory; nothing is taken then.
    fn reserve(self: &Arc<Self>, len: usize) -> Result<Spans> {
        if failpoint(Step::Reserve) {
            return Err(self.refusal(len, "injected failure".to_owned()));
        }
        let plan = Plan::new(len, self.geometry.block);
        self.collect();
        if let Some(spans) = self.free_list.take(&plan) {
            return Ok(spans);
        }
        let mut state = self.state.lock();
        loop {
            if let Some(spans) = state.arenas.take(&plan) {
                let ahead = self.growth_ahead(&mut state);
                self.publish(&state);
                drop(state);
                if let Some(bytes) = ahead {
                    self.start_growth(bytes);
                }
                return Ok(spans);
            }
            if self.take_kept(&mut state) {
                continue;
            }
            if state.growing {
                self.changed.wait(&mut state);
                if let (false, Some(error)) = (state.growing, &state.failure) {
                    return Err(error.clone());
                }
            } else if let Some(bytes) = self.growth(&state, plan.blocks + plan.chunks.len()) {
                state.begin_growth();
                drop(state);
                self.start_growth(bytes);
                state = self.state.lock();
                if let (false, Some(error)) = (state.growing, &state.failure) {
                    return Err(error.clone());
                }
            } else if let Some(retired) = state.retired.pop() {
                state.looking_after += 1;
                drop(state);
                retired.wait();
                state = self.state.lock();
                self.look_after(&mut state, &[retired]);
            } else if state.looking_after > 0 {
                self.changed.wait(&mut state);
            } else {
                let reason = format!("{} of {} bytes are in use", state.arenas.used(), state.limit);
                return Err(self.refusal(len, reason));
            }
        }
    }

    /// Makes the first arena in the background, so that the first payload need not wait for it.
    pub(super) fn prepare(self: &Arc<Self>) {
        let mut state = self.state.lock();
        if !state.growing
            && state.arenas.held() == 0
            && let Some(bytes) = self.growth(&state, 1)
        {
            state.begin_growth();
            drop(state);
            self.start_growth(bytes);
        }
    }

    pub(super) fn usage(&self) -> TierUsage {
        self.collect();
        let state = self.state.lock();
        let bytes = state.arenas.used().saturating_sub(self.free_list.bytes());
        TierUsage { bytes, peak: state.arenas.peak(), limit: Some(state.limit) }
    }

    /// Bytes in use, without a lock. Retired slots count until they are collected.
    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed).saturating_sub(self.free_list.bytes())
    }

    /// Bytes allocated from the system, including free ones.
    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(super) fn held(&self) -> usize {
        self.collect();
        self.state.lock().arenas.held()
    }

    /// Whether the limit allows `len` more bytes. Slots that queued loads still read count as free.
    pub(super) fn has_space(&self, len: usize) -> bool {
        let bytes = Plan::new(len, self.geometry.block).bytes(self.geometry.block);
        if bytes <= self.slot.load(Ordering::Relaxed) {
            return true;
        }
        self.collect();
        let state = self.state.lock();
        self.publish(&state);
        let retired: usize =
            state.retired.iter().flat_map(|retired| &retired.spans).map(|span| span.bytes).sum();
        bytes <= self.slot(&state).saturating_add(retired).saturating_add(self.free_list.bytes())
    }

    /// Bytes available now.
    fn slot(&self, state: &BlocksState) -> usize {
        let bound = if state.arenas.held() >= state.limit {
            state.arenas.held()
        } else {
            state.limit / self.geometry.block * self.geometry.block
        };
        bound.saturating_sub(state.arenas.used())
    }

    /// Publishes the state for readers without the lock.
    fn publish(&self, state: &BlocksState) {
        self.used.store(state.arenas.used(), Ordering::Relaxed);
        self.slot.store(self.slot(state), Ordering::Relaxed);
        let needed = state.arenas.used().saturating_sub(FreeList::BOUND);
        self.may_keep.store(state.arenas.held() <= self.max_held(state.limit, needed), Ordering::Relaxed);
    }

    /// Returns the kept chunks to the arenas; false if there are none.
    fn take_kept(&self, state: &mut BlocksState) -> bool {
        let kept = self.free_list.drain();
        state.arenas.put_back(&kept);
        !kept.is_empty()
    }

    /// Changes the limit. Unused arenas beyond it are released; stored bytes remain.
    pub(super) fn set_limit(&self, limit: usize) {
        self.collect();
        let mut state = self.state.lock();
        state.limit = limit;
        self.trim(state);
    }

    fn refusal(&self, bytes: usize, reason: String) -> Error {
        Error::Storage { tier: self.tier, operation: "reserve", bytes, reason }
    }

    /// The size of the next arena, if the limit allows one that, with the free blocks, has enough blocks.
    fn growth(&self, state: &BlocksState, blocks: usize) -> Option<usize> {
        let Geometry { block, first_arena, largest_arena } = self.geometry;
        let need = blocks.saturating_sub(state.arenas.free_blocks()).max(1) * block;
        let allowed = state.limit.saturating_sub(state.arenas.held()) / block * block;
        let wished = state.arenas.held().clamp(first_arena, largest_arena).max(need);
        Some(wished.min(allowed)).filter(|&bytes| bytes >= need)
    }

    /// The size of the next arena, if it should be made ahead of need. Not for pageable memory, which is fast
    /// to allocate.
    fn growth_ahead(&self, state: &mut BlocksState) -> Option<usize> {
        let scarce = state.arenas.free_blocks() * self.geometry.block < state.arenas.held() / 8;
        if self.tier != Tier::Pinned || state.growing || !scarce {
            return None;
        }
        let bytes = self.growth(state, state.arenas.free_blocks() + 1)?;
        state.begin_growth();
        Some(bytes)
    }

    /// Makes an arena: page-locked memory on a background thread, because that takes time; other memory on
    /// this thread.
    fn start_growth(self: &Arc<Self>, bytes: usize) {
        let (pool, running) = (Arc::clone(self), BackgroundTask::new());
        let grow = move || {
            pool.grow(bytes);
            drop(running);
        };
        let thread = std::thread::Builder::new().name("columnade-arena".to_owned());
        if self.tier != Tier::Pinned || thread.spawn(grow).is_err() {
            self.grow(bytes);
        }
    }

    fn grow(&self, bytes: usize) {
        let preparation = match self.tier {
            Tier::Pinned => Preparation::PageLocked(self.device),
            _ => Preparation::None,
        };
        let memory = Memory::new(bytes, preparation);
        let mut state = self.state.lock();
        state.growing = false;
        match memory {
            Ok(memory) => state.arenas.add(memory),
            Err(error) => state.failure = Some(error),
        }
        self.publish(&state);
        self.changed.notify_all();
    }

    /// Returns retired slots whose queued loads have run.
    fn collect(&self) {
        if !self.has_retired.load(Ordering::Relaxed) {
            return;
        }
        let retired = {
            let mut state = self.state.lock();
            if state.retired.is_empty() {
                return;
            }
            self.has_retired.store(false, Ordering::Relaxed);
            state.looking_after += 1;
            std::mem::take(&mut state.retired)
        };
        // Querying an event is a driver call, which on the simulator runs work: not under the lock.
        let (done, left): (Vec<_>, Vec<_>) = retired.into_iter().partition(Retired::is_done);
        let mut state = self.state.lock();
        if !left.is_empty() {
            self.has_retired.store(true, Ordering::Relaxed);
            state.retired.extend(left);
        }
        self.look_after(&mut state, &done);
        self.trim(state);
    }

    /// Returns slots that were taken out and whose work is done.
    fn look_after(&self, state: &mut BlocksState, done: &[Retired]) {
        for retired in done {
            state.arenas.put_back(&retired.spans);
        }
        state.looking_after -= 1;
        self.changed.notify_all();
    }

    fn give_back(&self, spans: Spans, readers: Readers) {
        let retired = Retired { spans, readers };
        if retired.is_done() {
            let spans = if self.may_keep.load(Ordering::Relaxed) {
                self.free_list.keep(retired.spans)
            } else {
                Some(retired.spans)
            };
            let Some(spans) = spans else { return };
            let mut state = self.state.lock();
            state.arenas.put_back(&spans);
            return self.trim(state);
        }
        let mut state = self.state.lock();
        self.has_retired.store(true, Ordering::Relaxed);
        state.retired.push(retired);
        self.trim(state);
    }

    /// Releases surplus arenas to the system, without the lock.
    fn trim(&self, mut state: MutexGuard<'_, BlocksState>) {
        let released = self.release(&mut state);
        self.publish(&state);
        drop(state);
        drop(released);
    }

    /// The arenas to release to the system, to be dropped without the lock.
    #[must_use]
    fn release(&self, state: &mut BlocksState) -> Vec<Memory> {
        if state.arenas.held() <= self.max_held(state.limit, state.arenas.used()) {
            return Vec::new();
        }
        self.take_kept(state);
        state.arenas.release(self.max_held(state.limit, state.arenas.used()))
    }

    /// Bytes of arenas to hold while `used` bytes are in use: up to the limit; for memory that is fast to
    /// allocate at most twice the bytes in use.
    fn max_held(&self, limit: usize, used: usize) -> usize {
        match self.tier {
            Tier::Pinned => limit,
            _ => limit.min((2 * used).max(self.geometry.first_arena)),
        }
    }
}

impl Drop for BlockPool {
    fn drop(&mut self) {
        for retired in &self.state.get_mut().retired {
            // The memory is freed with the pool, so queued reads must end first. Not `Event::synchronize`,
            // which panics in debug builds on threads that must not wait.
            while !retired.is_done() {
                std::thread::yield_now();
            }
        }
    }
}

impl BlocksState {
    fn begin_growth(&mut self) {
        self.growing = true;
        self.failure = None;
    }
}

/// Whether the work before an event has run. Failed work has run; the next call returns its error.
pub(super) fn is_past(event: &Event) -> bool {
    event.is_done().unwrap_or_else(|error| {
        defer(event.device(), error);
        true
    })
}

impl Retired {
    /// Whether the queued work has run.
    fn is_done(&self) -> bool {
        self.readers.iter().all(|(_, event)| is_past(event))
    }

    fn wait(&self) {
        for (_, event) in &self.readers {
            if let Err(error) = event.synchronize() {
                defer(event.device(), error);
            }
        }
    }
}

impl Blocks {
    /// The memory ranges of `range`, in order. The range must be within the length passed to
    /// [`BlockPool::reserve`].
    pub(super) fn spans(&self, range: Range<usize>) -> impl Iterator<Item = Span> {
        let mut start = 0;
        self.spans.iter().filter_map(move |span| {
            let here = start..start + span.bytes;
            start = here.end;
            let (from, to) = (range.start.max(here.start), range.end.min(here.end));
            (from < to).then(|| {
                // SAFETY: `from` is within the span.
                let address = unsafe { span.address.add(from - here.start) };
                Span { address, bytes: to - from }
            })
        })
    }

    /// Records that work queued on `stream` until now uses the memory: it is not reused before that has run.
    pub(super) fn note_use(&self, stream: &Stream) -> Result<()> {
        // Without an event, the work must be complete now. If it cannot be waited for, the device is lost,
        // and with it all its queued work.
        let Ok(event) = stream.record() else { return stream.synchronize() };
        self.forget_past_uses();
        let mut readers = self.readers.lock();
        match readers.iter_mut().find(|(id, _)| *id == stream.id()) {
            Some((_, last)) => *last = event,
            None => readers.push((stream.id(), event)),
        }
        Ok(())
    }

    /// Drops completed events if there are many: more streams may load the bytes than exist at a time.
    fn forget_past_uses(&self) {
        const MANY: usize = 16;
        if self.readers.lock().len() < MANY {
            return;
        }
        // The events are queried without the lock. Only one thread drops the payload, so no event is missed.
        let mut readers = std::mem::take(&mut *self.readers.lock());
        readers.retain(|(_, event)| !is_past(event));
        self.readers.lock().extend(readers);
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        let spans = std::mem::take(&mut self.spans);
        if !spans.is_empty() {
            self.pool.0.give_back(spans, std::mem::take(self.readers.get_mut()));
        }
    }
}
