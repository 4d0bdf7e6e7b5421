//! Host memory in blocks of one size, over a few large arenas: the pinned and the pageable tier.
//!
//! Bytes take whole blocks and a chunk of one, wherever they are free, so memory cannot fragment. Blocks that a
//! queued load still reads are set aside when their bytes are dropped, and used again once the load has run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::ptr::NonNull;

use smallvec::SmallVec;

use super::memory::{Memory, Preparation};
use super::plan::Plan;
use crate::device::defer;
use crate::faults::{Step, strikes};
use crate::sync::Arc;
use crate::sync::global::{Condvar, Mutex};
use crate::{Device, Error, Event, Result, Stream, Tier, TierUsage};

/// Sizes of what a pool is made of, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    /// A block, a power of two.
    pub(super) block: usize,
    /// The first arena; each further one is as large as all before.
    pub(super) first_arena: usize,
    /// The largest arena, but for bytes that need a larger one.
    pub(super) largest_arena: usize,
}

impl Default for Geometry {
    fn default() -> Self {
        if cfg!(shuttle) {
            // Many are made.
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
    state: Mutex<State>,
    /// An arena was added, or could not be; rooms that threads looked after are back.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Indexed by [`Block::arena`]; a place is empty when its arena was given back.
    arenas: Vec<Option<Arena>>,
    /// Blocks that are cut into chunks, by their place.
    carved: HashMap<Block, Carved>,
    /// Carved blocks with a free chunk, by the size of their chunks.
    open: BTreeMap<usize, Vec<Block>>,
    /// Rooms given back that queued work still reads.
    retired: Vec<Retired>,
    /// Threads that have taken some of these out, to ask or to wait for the work without the lock.
    looking_after: usize,
    used: usize,
    peak: usize,
    /// Bytes of all arenas.
    held: usize,
    limit: usize,
    free_blocks: usize,
    /// An arena is being made.
    growing: bool,
    /// Why the last arena could not be made.
    failure: Option<Error>,
}

#[derive(Debug)]
struct Arena {
    memory: Memory,
    blocks: usize,
    /// The lowest is taken first, so that blocks taken together mostly lie together.
    free: BTreeSet<usize>,
}

/// A block's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Block {
    arena: usize,
    index: usize,
}

#[derive(Debug)]
struct Carved {
    chunk: usize,
    free: Vec<usize>,
}

/// One stretch of a room.
#[derive(Debug)]
struct Piece {
    address: NonNull<u8>,
    bytes: usize,
    home: Home,
}

/// Where a piece goes back to.
#[derive(Clone, Copy, Debug)]
enum Home {
    /// As many whole blocks as the piece is long.
    Run { first: Block },
    /// A chunk of a block.
    Chunk { block: Block, index: usize },
}

type Pieces = SmallVec<[Piece; 2]>;

#[derive(Debug)]
struct Retired {
    pieces: Pieces,
    readers: Readers,
}

/// The last use by queued work of each stream, by the stream's number.
type Readers = SmallVec<[(u64, Event); 1]>;

/// Room for some bytes, given back on drop.
#[derive(Debug)]
pub(super) struct Blocks {
    pool: Arc<BlockPool>,
    pieces: Pieces,
    readers: Mutex<Readers>,
}

/// A stretch of host memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) address: NonNull<u8>,
    pub(super) bytes: usize,
}

// SAFETY: a piece names memory of its pool that is its holder's alone; no access goes through it without the
// holder's say.
unsafe impl Send for Piece {}
// SAFETY: a shared `Piece` gives out its address only.
unsafe impl Sync for Piece {}

impl Piece {
    /// Whether the block at `place` lies right behind this run of blocks.
    fn is_followed_by(&self, place: Block, address: NonNull<u8>) -> bool {
        let Home::Run { first } = self.home else { return false };
        // Two arenas may touch, but are not one.
        first.arena == place.arena && self.address.addr().get() + self.bytes == address.addr().get()
    }
}

impl BlockPool {
    /// A pool that may hold `limit` bytes; it takes none before they are asked for.
    pub(super) fn new(tier: Tier, device: Device, geometry: Geometry, limit: usize) -> Self {
        let state = Mutex::new(State { limit, ..State::default() });
        Self { tier, device, geometry, state, changed: Condvar::new() }
    }

    /// Room for `len` bytes. Waits for an arena that is being made, and for queued loads of bytes that were
    /// dropped, when there is no other room.
    ///
    /// # Errors
    ///
    /// [`Error::Storage`] when the limit or the system gives no more; nothing is taken then.
    pub(super) fn reserve(self: &Arc<Self>, len: usize) -> Result<Blocks> {
        if strikes(Step::Reserve) {
            return Err(self.refusal(len, "injected failure".to_owned()));
        }
        let plan = Plan::new(len, self.geometry.block);
        self.collect();
        let mut state = self.state.lock();
        loop {
            if let Some(pieces) = state.take(&plan, self.geometry.block) {
                let ahead = self.growth_ahead(&mut state);
                drop(state);
                if let Some(bytes) = ahead {
                    self.start_growth(bytes);
                }
                return Ok(Blocks { pool: Arc::clone(self), pieces, readers: Mutex::default() });
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
                let reason = format!("{} of {} bytes are in use", state.used, state.limit);
                return Err(self.refusal(len, reason));
            }
        }
    }

    /// Makes the first arena in the background, so that the first to ask need not wait for it.
    pub(super) fn prepare(self: &Arc<Self>) {
        let mut state = self.state.lock();
        if !state.growing
            && state.held == 0
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
        TierUsage { bytes: state.used, peak: state.peak, limit: Some(state.limit) }
    }

    /// Bytes taken from the system, free ones included.
    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(super) fn held(&self) -> usize {
        self.collect();
        self.state.lock().held
    }

    /// Whether room for `len` bytes could be had, as far as the limit says. What queued loads still read will be room
    /// when they have run.
    pub(super) fn has_room(&self, len: usize) -> bool {
        let bytes = Plan::new(len, self.geometry.block).bytes(self.geometry.block);
        self.collect();
        let state = self.state.lock();
        let bound = if state.held >= state.limit {
            state.held
        } else {
            state.limit / self.geometry.block * self.geometry.block
        };
        let retired: usize =
            state.retired.iter().flat_map(|retired| &retired.pieces).map(|piece| piece.bytes).sum();
        (state.used - retired).saturating_add(bytes) <= bound
    }

    /// Changes the limit. Arenas beyond it that nobody uses are given back; bytes that are stored stay.
    pub(super) fn set_limit(&self, limit: usize) {
        self.collect();
        self.state.lock().limit = limit;
        self.give_back_arenas();
    }

    fn refusal(&self, bytes: usize, reason: String) -> Error {
        Error::Storage { tier: self.tier, operation: "reserve", bytes, reason }
    }

    /// The size of the next arena, if the limit allows one that gives as many blocks with those that are free.
    fn growth(&self, state: &State, blocks: usize) -> Option<usize> {
        let Geometry { block, first_arena, largest_arena } = self.geometry;
        let need = blocks.saturating_sub(state.free_blocks).max(1) * block;
        let allowed = state.limit.saturating_sub(state.held) / block * block;
        let wished = state.held.clamp(first_arena, largest_arena).max(need);
        Some(wished.min(allowed)).filter(|&bytes| bytes >= need)
    }

    /// The size of the next arena if it is time to make it before it is needed. Pageable memory takes no time.
    fn growth_ahead(&self, state: &mut State) -> Option<usize> {
        let scarce = state.free_blocks * self.geometry.block < state.held / 8;
        if self.tier != Tier::Pinned || state.growing || !scarce {
            return None;
        }
        let bytes = self.growth(state, state.free_blocks + 1)?;
        state.begin_growth();
        Some(bytes)
    }

    /// Makes an arena: page-locked memory on a thread of its own, for that takes time; other memory here.
    fn start_growth(self: &Arc<Self>, bytes: usize) {
        let pool = Arc::clone(self);
        let thread = std::thread::Builder::new().name("columnade-arena".to_owned());
        if self.tier != Tier::Pinned || thread.spawn(move || pool.grow(bytes)).is_err() {
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
            Ok(memory) => state.add(memory, self.geometry.block),
            Err(error) => state.failure = Some(error),
        }
        self.changed.notify_all();
    }

    /// Takes back what queued loads have done with.
    fn collect(&self) {
        let retired = {
            let mut state = self.state.lock();
            if state.retired.is_empty() {
                return;
            }
            state.looking_after += 1;
            std::mem::take(&mut state.retired)
        };
        // Asking for an event is a call of the driver, which on the simulator does work: not under the lock.
        let (done, left): (Vec<_>, Vec<_>) = retired.into_iter().partition(Retired::is_done);
        let mut state = self.state.lock();
        state.retired.extend(left);
        self.look_after(&mut state, &done);
    }

    /// Puts back what was taken out to be looked after, and is done with.
    fn look_after(&self, state: &mut State, done: &[Retired]) {
        for retired in done {
            self.put_back(state, &retired.pieces);
        }
        state.looking_after -= 1;
        self.changed.notify_all();
    }

    fn give_back(&self, pieces: Pieces, readers: Readers) {
        let retired = Retired { pieces, readers };
        let is_done = retired.is_done();
        let mut state = self.state.lock();
        if is_done {
            self.put_back(&mut state, &retired.pieces);
        } else {
            state.retired.push(retired);
        }
        // Page-locked arenas are dear and stay; of others, as much is kept free as is in use.
        let beyond = state.held > state.limit
            || self.tier != Tier::Pinned && state.free_blocks * self.geometry.block > state.held / 2;
        drop(state);
        if beyond {
            self.give_back_arenas();
        }
    }

    fn put_back(&self, state: &mut State, pieces: &Pieces) {
        for piece in pieces {
            state.put_back(piece, self.geometry.block);
        }
    }

    /// Gives arenas that nobody uses back to the system: those over the limit, and of memory that is quickly had
    /// again those beyond what is in use and the first.
    fn give_back_arenas(&self) {
        let mut state = self.state.lock();
        let mut given_back = Vec::new();
        for at in (0..state.arenas.len()).rev() {
            let keep = match self.tier {
                Tier::Pinned => state.limit,
                _ => state.limit.min((2 * state.used).max(self.geometry.first_arena)),
            };
            let unused = state.arenas[at].as_ref().is_some_and(|arena| arena.free.len() == arena.blocks);
            if state.held > keep
                && unused
                && let Some(arena) = state.arenas[at].take()
            {
                state.held -= arena.memory.bytes();
                state.free_blocks -= arena.blocks;
                given_back.push(arena);
            }
        }
        // The memory is unlocked and unmapped without the lock.
        drop(state);
    }
}

impl Drop for BlockPool {
    fn drop(&mut self) {
        for retired in &self.state.get_mut().retired {
            // The memory ends with the pool, so what still reads it must end first. Not `Event::synchronize`,
            // which panics in debug builds where nobody should wait.
            while !retired.is_done() {
                std::thread::yield_now();
            }
        }
    }
}

impl State {
    fn begin_growth(&mut self) {
        self.growing = true;
        self.failure = None;
    }

    fn add(&mut self, memory: Memory, block: usize) {
        let blocks = memory.bytes() / block;
        self.held += memory.bytes();
        self.free_blocks += blocks;
        let arena = Some(Arena { memory, blocks, free: (0..blocks).collect() });
        match self.arenas.iter_mut().find(|arena| arena.is_none()) {
            Some(place) => *place = arena,
            None => self.arenas.push(arena),
        }
    }

    /// All that is planned, or nothing.
    fn take(&mut self, plan: &Plan, block: usize) -> Option<Pieces> {
        let is_open = |chunk| self.open.get(chunk).is_some_and(|blocks| !blocks.is_empty());
        let to_carve = plan.chunks.iter().filter(|chunk| !is_open(chunk)).count();
        if plan.blocks + to_carve > self.free_blocks {
            return None;
        }
        let mut pieces = Pieces::new();
        for _ in 0..plan.blocks {
            let (place, address) = self.take_block()?;
            match pieces.last_mut() {
                Some(before) if before.is_followed_by(place, address) => before.bytes += block,
                _ => pieces.push(Piece { address, bytes: block, home: Home::Run { first: place } }),
            }
        }
        for &chunk in &plan.chunks {
            pieces.push(self.take_chunk(chunk, block)?);
        }
        self.used += plan.bytes(block);
        self.peak = self.peak.max(self.used);
        Some(pieces)
    }

    fn take_block(&mut self) -> Option<(Block, NonNull<u8>)> {
        for (at, arena) in self.arenas.iter_mut().enumerate() {
            if let Some(arena) = arena
                && let Some(index) = arena.free.pop_first()
            {
                self.free_blocks -= 1;
                let block = arena.memory.bytes() / arena.blocks;
                // SAFETY: the arena has a block of this index.
                let address = unsafe { arena.memory.address().add(index * block) };
                return Some((Block { arena: at, index }, address));
            }
        }
        None
    }

    fn take_chunk(&mut self, chunk: usize, block: usize) -> Option<Piece> {
        if self.open.get(&chunk).is_none_or(Vec::is_empty) {
            let (place, _) = self.take_block()?;
            self.carved.insert(place, Carved { chunk, free: (0..block / chunk).rev().collect() });
            self.open.entry(chunk).or_default().push(place);
        }
        let open = self.open.get_mut(&chunk)?;
        let place = *open.last()?;
        let carved = self.carved.get_mut(&place)?;
        let index = carved.free.pop()?;
        if carved.free.is_empty() {
            open.pop();
        }
        let start = self.arenas[place.arena].as_ref()?.memory.address();
        // SAFETY: the arena has this block, and the block this chunk.
        let address = unsafe { start.add(place.index * block + index * chunk) };
        Some(Piece { address, bytes: chunk, home: Home::Chunk { block: place, index } })
    }

    fn put_back(&mut self, piece: &Piece, block: usize) {
        self.used -= piece.bytes;
        match piece.home {
            Home::Run { first } => self.put_back_blocks(first, piece.bytes / block),
            Home::Chunk { block: place, index } => {
                let Some(carved) = self.carved.get_mut(&place) else { return };
                let open = self.open.entry(carved.chunk).or_default();
                if carved.free.is_empty() {
                    open.push(place);
                }
                carved.free.push(index);
                if carved.free.len() == block / carved.chunk {
                    open.retain(|other| *other != place);
                    self.carved.remove(&place);
                    self.put_back_blocks(place, 1);
                }
            }
        }
    }

    fn put_back_blocks(&mut self, first: Block, count: usize) {
        if let Some(arena) = &mut self.arenas[first.arena] {
            arena.free.extend(first.index..first.index + count);
            self.free_blocks += count;
        }
    }
}

/// Whether the work before a mark has run. Work that failed has run, and its error is the next call's.
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
    /// The stretches of memory that hold `range`, in order. What lies behind the bytes asked for at
    /// [`BlockPool::reserve`] is not to be named.
    pub(super) fn spans(&self, range: Range<usize>) -> impl Iterator<Item = Span> {
        let mut start = 0;
        self.pieces.iter().filter_map(move |piece| {
            let here = start..start + piece.bytes;
            start = here.end;
            let (from, to) = (range.start.max(here.start), range.end.min(here.end));
            (from < to).then(|| {
                // SAFETY: `from` is within the piece.
                let address = unsafe { piece.address.add(from - here.start) };
                Span { address, bytes: to - from }
            })
        })
    }

    /// Notes that the memory is used by what is queued on `stream` until now: it is not used again before that has
    /// run.
    pub(super) fn note_use(&self, stream: &Stream) -> Result<()> {
        // Without a mark, the work must be over now. If it cannot be waited for, the device is lost, and with it all
        // that it had queued.
        let Ok(event) = stream.record() else { return stream.synchronize() };
        self.forget_past_uses();
        let mut readers = self.readers.lock();
        match readers.iter_mut().find(|(id, _)| *id == stream.id()) {
            Some((_, last)) => *last = event,
            None => readers.push((stream.id(), event)),
        }
        Ok(())
    }
}

impl Blocks {
    /// Drops the marks that are passed, when there are many: bytes may be loaded by more streams than ever live at a
    /// time.
    fn forget_past_uses(&self) {
        const MANY: usize = 16;
        if self.readers.lock().len() < MANY {
            return;
        }
        // The marks are asked without the lock; who drops the bytes holds them alone, so no mark is missed.
        let mut readers = std::mem::take(&mut *self.readers.lock());
        readers.retain(|(_, event)| !is_past(event));
        self.readers.lock().extend(readers);
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        if !pieces.is_empty() {
            self.pool.give_back(pieces, std::mem::take(self.readers.get_mut()));
        }
    }
}
