//! Blocks of one size in a few large arenas, and chunks of blocks: which are free and which are in use.
//!
//! Plain bookkeeping, under the lock of its pool.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ptr::NonNull;

use smallvec::SmallVec;

use super::memory::Memory;
use super::plan::Plan;

/// All arenas of a pool.
#[derive(Debug)]
pub(super) struct Arenas {
    /// Bytes per block.
    block: usize,
    /// Indexed by [`Block::arena`]; empty if its arena was released.
    places: Vec<Option<Arena>>,
    /// Blocks that are split into chunks.
    carved: HashMap<Block, Carved>,
    /// Split blocks with a free chunk, by chunk size.
    open: BTreeMap<usize, Vec<Block>>,
    used: usize,
    peak: usize,
    held: usize,
    free_blocks: usize,
}

#[derive(Debug)]
struct Arena {
    memory: Memory,
    blocks: usize,
    /// The lowest is taken first, so that blocks taken together are mostly adjacent.
    free: BTreeSet<usize>,
}

/// The position of a block.
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

/// A contiguous part of a slot.
#[derive(Debug)]
pub(super) struct SlotSpan {
    pub(super) address: NonNull<u8>,
    pub(super) bytes: usize,
    place: Place,
}

/// Where a span is returned to.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A run of whole blocks.
    Run { first: Block },
    /// A chunk of a block.
    Chunk { block: Block, index: usize },
}

/// The spans of a slot, in order.
pub(super) type Spans = SmallVec<[SlotSpan; 2]>;

// SAFETY: a span refers to memory of its pool that its holder uses alone; nothing accesses it without the
// holder.
unsafe impl Send for SlotSpan {}
// SAFETY: a shared `SlotSpan` allows reading its address only.
unsafe impl Sync for SlotSpan {}

impl SlotSpan {
    /// Whether it is a part of a block.
    pub(super) fn is_chunk(&self) -> bool {
        matches!(self.place, Place::Chunk { .. })
    }

    /// Whether the block at `place` is directly behind this run of blocks.
    fn is_followed_by(&self, place: Block, address: NonNull<u8>) -> bool {
        let Place::Run { first } = self.place else { return false };
        // Two arenas may be adjacent, but are not one.
        first.arena == place.arena && self.address.addr().get() + self.bytes == address.addr().get()
    }
}

impl Arenas {
    pub(super) fn new(block: usize) -> Self {
        Self {
            block,
            places: Vec::new(),
            carved: HashMap::new(),
            open: BTreeMap::new(),
            used: 0,
            peak: 0,
            held: 0,
            free_blocks: 0,
        }
    }

    /// Bytes of the slots in use.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// The most bytes in use at a time so far.
    pub(super) fn peak(&self) -> usize {
        self.peak
    }

    /// Bytes of all arenas.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// Blocks that are entirely free.
    pub(super) fn free_blocks(&self) -> usize {
        self.free_blocks
    }

    pub(super) fn add(&mut self, memory: Memory) {
        let blocks = memory.bytes() / self.block;
        self.held += memory.bytes();
        self.free_blocks += blocks;
        let arena = Some(Arena { memory, blocks, free: (0..blocks).collect() });
        match self.places.iter_mut().find(|arena| arena.is_none()) {
            Some(place) => *place = arena,
            None => self.places.push(arena),
        }
    }

    /// Takes everything in the plan, or nothing.
    pub(super) fn take(&mut self, plan: &Plan) -> Option<Spans> {
        let block = self.block;
        let is_open = |chunk| self.open.get(chunk).is_some_and(|blocks| !blocks.is_empty());
        let to_carve = plan.chunks.iter().filter(|chunk| !is_open(chunk)).count();
        if plan.blocks + to_carve > self.free_blocks {
            return None;
        }
        let mut spans = Spans::new();
        for _ in 0..plan.blocks {
            let (place, address) = self.take_block()?;
            match spans.last_mut() {
                Some(before) if before.is_followed_by(place, address) => before.bytes += block,
                _ => spans.push(SlotSpan { address, bytes: block, place: Place::Run { first: place } }),
            }
        }
        for &chunk in &plan.chunks {
            spans.push(self.take_chunk(chunk)?);
        }
        self.used += plan.bytes(block);
        self.peak = self.peak.max(self.used);
        Some(spans)
    }

    fn take_block(&mut self) -> Option<(Block, NonNull<u8>)> {
        for (at, arena) in self.places.iter_mut().enumerate() {
            if let Some(arena) = arena
                && let Some(index) = arena.free.pop_first()
            {
                self.free_blocks -= 1;
                // SAFETY: the arena has a block of this index.
                let address = unsafe { arena.memory.address().add(index * self.block) };
                return Some((Block { arena: at, index }, address));
            }
        }
        None
    }

    fn take_chunk(&mut self, chunk: usize) -> Option<SlotSpan> {
        let block = self.block;
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
        let start = self.places[place.arena].as_ref()?.memory.address();
        // SAFETY: the arena has this block, and the block this chunk.
        let address = unsafe { start.add(place.index * block + index * chunk) };
        Some(SlotSpan { address, bytes: chunk, place: Place::Chunk { block: place, index } })
    }

    /// Returns the spans of a slot.
    pub(super) fn put_back(&mut self, spans: &[SlotSpan]) {
        for span in spans {
            self.put_back_span(span);
        }
    }

    fn put_back_span(&mut self, span: &SlotSpan) {
        let block = self.block;
        self.used -= span.bytes;
        match span.place {
            Place::Run { first } => self.put_back_blocks(first, span.bytes / block),
            Place::Chunk { block: place, index } => {
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
        if let Some(arena) = &mut self.places[first.arena] {
            arena.free.extend(first.index..first.index + count);
            self.free_blocks += count;
        }
    }

    /// Removes arenas that are entirely free, the last first, while more than `keep` bytes are held. The
    /// caller drops them without the lock.
    pub(super) fn release(&mut self, keep: usize) -> Vec<Memory> {
        let mut released = Vec::new();
        for place in self.places.iter_mut().rev() {
            if self.held > keep
                && let Some(arena) = place.take_if(|arena| arena.free.len() == arena.blocks)
            {
                self.held -= arena.memory.bytes();
                self.free_blocks -= arena.blocks;
                released.push(arena.memory);
            }
        }
        released
    }
}
