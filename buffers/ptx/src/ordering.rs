//! Checks that accesses of different threads are ordered if one of them is a write.
//!
//! Execution is sequentially consistent, so a missing barrier or fence shows in no result. The checker keeps
//! for every 4 bytes the last write and the last two reading threads. Ordered are:
//!
//! - accesses of one thread;
//! - accesses of one block with a barrier of the block between them;
//! - accesses of one warp with a `bar.warp.sync` between them that names both lanes; shuffles and votes order
//!   nothing;
//! - accesses of two threads, if the earlier one released after its access (a fence, or an access with
//!   release semantics, by it or after a barrier by a thread of its block), and the later one acquired after
//!   that access (likewise).
//!
//! The last rule does not check whose writes an acquire reads, so some races are missed. Two strong accesses
//! (atomic, relaxed, volatile) do not race.

use crate::program::Order;
use std::collections::HashMap;

/// An access of one lane.
#[derive(Clone, Copy)]
pub(crate) struct Touch {
    pub(crate) bytes: u64,
    pub(crate) is_write: bool,
    pub(crate) order: Order,
}

/// A thread's last access to a cell; time 0 is none.
#[derive(Clone, Copy, Default)]
struct Past {
    time: u64,
    thread: u64,
    pc: u32,
    bytes: u8,
    is_strong: bool,
}

const CELL_BYTES: u64 = 4;
const PAGE_CELLS: u64 = 128;

#[derive(Clone, Copy, Default)]
struct Cell {
    write: Past,
    reads: [Past; 2],
}

#[derive(Clone, Copy, Default)]
struct Thread {
    acquired: u64,
    released: u64,
}

/// When lanes of a warp last synchronised.
#[derive(Default)]
struct WarpTimes {
    all: u64,
    pairs: Option<Box<[[u64; 32]; 32]>>,
}

struct BlockTimes {
    barrier: u64,
    /// The last acquire of any thread before the last barrier.
    acquired: u64,
    /// The last release of any thread.
    released: u64,
    threads: Vec<Thread>,
    warps: Vec<WarpTimes>,
}

/// The checker of one launch.
pub(crate) struct Ordering {
    block_threads: u64,
    time: u64,
    pages: HashMap<u64, Box<[Cell; PAGE_CELLS as usize]>>,
    blocks: HashMap<u64, BlockTimes>,
    report: Option<String>,
}

impl Ordering {
    pub(crate) fn new(block_threads: u32) -> Self {
        let block_threads = u64::from(block_threads.next_multiple_of(32));
        Self { block_threads, time: 1, pages: HashMap::new(), blocks: HashMap::new(), report: None }
    }

    /// A block begins; the bytes of its shared memory may have been another block's.
    pub(crate) fn begin_block(&mut self, rank: u64, shared: u64, bytes: usize) {
        let threads = self.block_threads as usize;
        let warps = (0..threads / 32).map(|_| WarpTimes::default()).collect();
        let threads = vec![Thread::default(); threads];
        self.blocks.insert(rank, BlockTimes { barrier: 0, acquired: 0, released: 0, threads, warps });
        for cell in shared / CELL_BYTES..(shared + bytes as u64).div_ceil(CELL_BYTES) {
            if let Some(page) = self.pages.get_mut(&(cell / PAGE_CELLS)) {
                page[(cell % PAGE_CELLS) as usize] = Cell::default();
            }
        }
    }

    pub(crate) fn block_barrier(&mut self, rank: u64) {
        self.time += 1;
        if let Some(block) = self.blocks.get_mut(&rank) {
            block.barrier = self.time;
            block.acquired = block.threads.iter().map(|thread| thread.acquired).max().unwrap_or(0);
        }
    }

    /// Lanes of a warp synchronised; `mask` has the bits of returned lanes too.
    pub(crate) fn warp_barrier(&mut self, rank: u64, w: usize, mask: u32) {
        self.time += 1;
        let Some(block) = self.blocks.get_mut(&rank) else { return };
        let warp = &mut block.warps[w];
        if mask == u32::MAX {
            warp.all = self.time;
            return;
        }
        let pairs = warp.pairs.get_or_insert_default();
        for one in crate::traffic::lanes(mask) {
            for other in crate::traffic::lanes(mask) {
                pairs[one][other] = self.time;
            }
        }
    }

    pub(crate) fn fence(&mut self, rank: u64, w: usize, mask: u32) {
        self.synchronize(rank, w, mask, true, true);
    }

    /// What an access with acquire or release semantics orders.
    pub(crate) fn after_access(&mut self, rank: u64, w: usize, mask: u32, touch: Touch) {
        if touch.order.acquire || touch.order.release {
            self.synchronize(rank, w, mask, touch.order.acquire, touch.order.release);
        }
    }

    fn synchronize(&mut self, rank: u64, w: usize, mask: u32, acquires: bool, releases: bool) {
        self.time += 1;
        let Some(block) = self.blocks.get_mut(&rank) else { return };
        for lane in crate::traffic::lanes(mask) {
            let thread = &mut block.threads[w * 32 + lane];
            if acquires {
                thread.acquired = self.time;
            }
            if releases {
                thread.released = self.time;
                block.released = self.time;
            }
        }
    }

    /// Checks and notes an access of a lane by the instruction `pc`, whose place `place` can name.
    pub(crate) fn access(
        &mut self,
        rank: u64,
        w: usize,
        lane: usize,
        address: u64,
        touch: Touch,
        pc: u32,
        place: impl Fn(u32) -> String,
    ) {
        self.time += 1;
        let thread = rank * self.block_threads + (w * 32 + lane) as u64;
        let end = address + touch.bytes;
        for cell in address / CELL_BYTES..end.div_ceil(CELL_BYTES) {
            let start = cell * CELL_BYTES;
            let (from, to) = (address.max(start) - start, end.min(start + CELL_BYTES) - start);
            let bytes = (((1u32 << to) - 1) & !((1 << from) - 1)) as u8;
            let now = Past { time: self.time, thread, pc, bytes, is_strong: touch.order.strong };
            let page = self.pages.entry(cell / PAGE_CELLS);
            let page = page.or_insert_with(|| Box::new([Cell::default(); PAGE_CELLS as usize]));
            let known = page[(cell % PAGE_CELLS) as usize];
            page[(cell % PAGE_CELLS) as usize] = known.after(now, touch.is_write);
            if self.report.is_some() {
                continue;
            }
            let mut found = None;
            if self.conflicts(known.write, now) {
                found = Some((
                    if touch.is_write { "write after write" } else { "read after write" },
                    known.write,
                ));
            } else if touch.is_write {
                let read = known.reads.into_iter().find(|read| self.conflicts(*read, now));
                found = read.map(|read| ("write after read", read));
            }
            if let Some((kind, past)) = found {
                self.report = Some(format!(
                    "race ({kind}) on {address:#x}: {} at {}, then {} at {}, unordered",
                    self.name(past.thread),
                    place(past.pc),
                    self.name(thread),
                    place(pc)
                ));
            }
        }
    }

    /// The first race of the launch.
    pub(crate) fn take_report(&mut self) -> Option<String> {
        self.report.take()
    }

    fn name(&self, thread: u64) -> String {
        format!("thread {} of block {}", thread % self.block_threads, thread / self.block_threads)
    }

    fn conflicts(&self, past: Past, now: Past) -> bool {
        past.time != 0
            && past.bytes & now.bytes != 0
            && past.thread != now.thread
            && !(past.is_strong && now.is_strong)
            && !self.is_ordered(past, now)
    }

    fn is_ordered(&self, past: Past, now: Past) -> bool {
        let (rank, thread) = (now.thread / self.block_threads, (now.thread % self.block_threads) as usize);
        let (past_rank, past_thread) =
            (past.thread / self.block_threads, (past.thread % self.block_threads) as usize);
        let (Some(block), Some(past_block)) = (self.blocks.get(&rank), self.blocks.get(&past_rank)) else {
            return true;
        };
        let time = past.time;
        if rank == past_rank {
            if time < block.barrier {
                return true;
            }
            let warp = &block.warps[thread / 32];
            let pair = warp.pairs.as_ref().map_or(0, |pairs| pairs[thread % 32][past_thread % 32]);
            if thread / 32 == past_thread / 32 && time < warp.all.max(pair) {
                return true;
            }
        }
        let is_acquired = time < block.threads[thread].acquired.max(block.acquired);
        let by_block = if time < past_block.barrier { past_block.released } else { 0 };
        is_acquired && time < past_block.threads[past_thread].released.max(by_block)
    }
}

impl Cell {
    fn after(mut self, now: Past, is_write: bool) -> Self {
        if is_write {
            self.write = now;
        } else {
            if self.reads[0].thread != now.thread {
                self.reads[1] = self.reads[0];
            }
            self.reads[0] = now;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{Ordering, Touch};
    use crate::program::Order;

    const READ: Touch = Touch { bytes: 4, is_write: false, order: Order::WEAK };
    const WRITE: Touch = Touch { bytes: 4, is_write: true, order: Order::WEAK };
    const ATOMIC: Touch = Touch { bytes: 4, is_write: true, order: Order::RELAXED };
    const RELEASE: Touch =
        Touch { bytes: 4, is_write: true, order: Order { strong: true, acquire: false, release: true } };
    const ACQUIRE: Touch =
        Touch { bytes: 4, is_write: false, order: Order { strong: true, acquire: true, release: false } };

    /// Two blocks of two warps.
    fn two_blocks() -> Ordering {
        let mut ordering = Ordering::new(64);
        ordering.begin_block(0, 0x1000, 64);
        ordering.begin_block(1, 0x2000, 64);
        ordering
    }

    fn access(ordering: &mut Ordering, (rank, w, lane): (u64, usize, usize), address: u64, touch: Touch) {
        ordering.access(rank, w, lane, address, touch, 7, |pc| format!("instruction {pc}"));
        ordering.after_access(rank, w, 1 << lane, touch);
    }

    #[test]
    fn accesses_without_order_race() {
        for (first, second, kind) in [
            (WRITE, WRITE, "write after write"),
            (WRITE, READ, "read after write"),
            (READ, WRITE, "write after read"),
            (ATOMIC, READ, "read after write"),
        ] {
            for other in [(0, 0, 1), (0, 1, 0), (1, 0, 0)] {
                let mut ordering = two_blocks();
                access(&mut ordering, (0, 0, 0), 0x5000, first);
                access(&mut ordering, other, 0x5000, second);
                let report = ordering.take_report().unwrap_or_default();
                assert!(report.contains(kind), "{other:?}: {report}");
                assert!(report.contains("thread 0 of block 0 at instruction 7"), "{report}");
            }
        }
    }

    #[test]
    fn accesses_that_need_no_order_do_not_race() {
        let mut ordering = two_blocks();
        access(&mut ordering, (0, 0, 0), 0x5000, WRITE);
        access(&mut ordering, (0, 0, 0), 0x5000, WRITE);
        access(&mut ordering, (1, 0, 0), 0x5004, WRITE);
        access(&mut ordering, (0, 0, 0), 0x6000, READ);
        access(&mut ordering, (1, 0, 0), 0x6000, READ);
        access(&mut ordering, (0, 0, 0), 0x7000, ATOMIC);
        access(&mut ordering, (1, 0, 0), 0x7000, ATOMIC);
        let byte = Touch { bytes: 1, ..WRITE };
        access(&mut ordering, (0, 0, 0), 0x8000, byte);
        access(&mut ordering, (1, 0, 0), 0x8001, byte);
        assert_eq!(ordering.take_report(), None);
    }

    #[test]
    fn barrier_orders_its_block_only() {
        for (other, is_race) in [((0, 1, 0), false), ((1, 0, 0), true)] {
            let mut ordering = two_blocks();
            access(&mut ordering, (0, 0, 0), 0x5000, WRITE);
            ordering.block_barrier(0);
            ordering.block_barrier(1);
            access(&mut ordering, other, 0x5000, READ);
            assert_eq!(ordering.take_report().is_some(), is_race, "{other:?}");
        }
    }

    #[test]
    fn warp_barrier_orders_the_lanes_that_it_names() {
        for (mask, is_race) in [(u32::MAX, false), (0b11, false), (0b101, true)] {
            let mut ordering = two_blocks();
            access(&mut ordering, (0, 0, 0), 0x5000, WRITE);
            ordering.warp_barrier(0, 0, mask);
            access(&mut ordering, (0, 0, 1), 0x5000, READ);
            assert_eq!(ordering.take_report().is_some(), is_race, "{mask:#x}");
        }
    }

    #[test]
    fn release_and_acquire_order_blocks() {
        // (released, acquired) of a flag after a write and before a read of data.
        for (first, second, is_race) in [
            (RELEASE, ACQUIRE, false),
            (ATOMIC, ACQUIRE, true),
            (RELEASE, Touch { is_write: false, ..ATOMIC }, true),
        ] {
            let mut ordering = two_blocks();
            access(&mut ordering, (0, 0, 0), 0x5000, WRITE);
            access(&mut ordering, (0, 0, 0), 0x9000, first);
            access(&mut ordering, (1, 0, 0), 0x9000, second);
            access(&mut ordering, (1, 0, 0), 0x5000, READ);
            assert_eq!(ordering.take_report().is_some(), is_race);
        }
    }

    #[test]
    fn fences_after_barriers_order_whole_blocks() {
        let mut ordering = two_blocks();
        access(&mut ordering, (0, 1, 5), 0x5000, WRITE);
        ordering.block_barrier(0);
        ordering.fence(0, 0, 1);
        access(&mut ordering, (0, 0, 0), 0x9000, ATOMIC);
        access(&mut ordering, (1, 0, 0), 0x9000, ATOMIC);
        ordering.fence(1, 0, 1);
        ordering.block_barrier(1);
        access(&mut ordering, (1, 1, 9), 0x5000, READ);
        assert_eq!(ordering.take_report(), None);
    }

    #[test]
    fn shared_memory_of_a_new_block_is_new() {
        let mut ordering = two_blocks();
        access(&mut ordering, (0, 0, 0), 0x1004, WRITE);
        ordering.begin_block(2, 0x1000, 64);
        access(&mut ordering, (2, 0, 0), 0x1004, READ);
        assert_eq!(ordering.take_report(), None);
    }
}
