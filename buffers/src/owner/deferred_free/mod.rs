//! Deferred free of exported memory that a consumer may still be using.
//!
//! A consumer may end its lease as soon as its last work is queued, on streams that this library does not
//! know. So memory that was ever exported is kept here until all work that was queued on its device when it
//! was freed is done, on all streams. Until then its resource and the budget count it as allocated.
//!
//! Only a thread that is short of memory waits for that; every other thread only polls.

use std::collections::VecDeque;

use super::Allocation;
use crate::device::{defer, in_drop, synchronize};
use crate::stream::assert_may_wait;
use crate::sync::global::{AtomicU64, Mutex, Ordering};
use crate::{Device, Event, SpillManager};

/// The blocks of all devices, in the order of their frees.
static BLOCKS: Mutex<VecDeque<Block>> = Mutex::new(VecDeque::new());
/// The number of blocks, which polling threads read without the lock.
static HELD: AtomicU64 = AtomicU64::new(0);

struct Block {
    /// Increases in order.
    number: u64,
    device: Device,
    allocation: Allocation,
    /// Complete when nothing uses the block or an earlier one any more. `None` if the driver could not record
    /// an event: then a later block's event, or a synchronisation of the whole device, covers it.
    mark: Option<Event>,
}

impl Block {
    /// A panic of the block's resource does not concern the caller, whose memory it is not.
    fn give_back(self) -> usize {
        in_drop(self.device, self.allocation.source(), || self.allocation.give_back(None, self.device))
            .unwrap_or(0)
    }
}

/// Which blocks to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Await {
    /// Blocks without an event, which polling never frees.
    Unmarked,
    /// All blocks.
    Any,
}

/// Frees exported memory of a device: now if the device is idle, otherwise later. Returns the bytes that are
/// now free.
pub(super) fn give_back(allocation: Allocation, device: Device) -> usize {
    let mut blocks = BLOCKS.lock();
    // Recorded under the lock, so that every event covers the blocks before its own. Without an event the
    // memory is kept longer, which is not an error for the caller.
    let mark = Event::of_all_work(device).ok().flatten();
    if mark.as_ref().is_some_and(|mark| mark.is_done() == Ok(true)) {
        drop(blocks);
        return allocation.give_back(None, device);
    }
    let number = blocks.back().map_or(0, |last| last.number + 1);
    // The memory may be reused by any allocation, not only by the reservation that it came from.
    let allocation = allocation.unreserved();
    blocks.push_back(Block { number, device, allocation, mark });
    HELD.fetch_add(1, Ordering::Relaxed);
    0
}

/// Whether there are no blocks.
pub(crate) fn is_empty() -> bool {
    // Relaxed: a block that is missed here is seen by a later call.
    HELD.load(Ordering::Relaxed) == 0
}

/// Frees blocks that are not used any more, without waiting. Returns the bytes that are now free.
#[inline]
pub(crate) fn collect(device: Device) -> usize {
    if is_empty() { 0 } else { collect_done(device) }
}

#[cold]
fn collect_done(device: Device) -> usize {
    // The thread that holds the lock polls too.
    let Some(mut blocks) = BLOCKS.try_lock() else { return 0 };
    let mut last = None;
    for block in blocks.iter().filter(|block| block.device == device) {
        match block.mark.as_ref().map(Event::is_done) {
            None => {}
            Some(Ok(true)) => last = Some(block.number),
            // An error of the query is left to a thread that needs the memory enough to wait for it.
            Some(Ok(false) | Err(_)) => break,
        }
    }
    let Some(last) = last else { return 0 };
    let done = take_up_to(last, device, &mut blocks);
    drop(blocks);
    done.into_iter().map(Block::give_back).sum()
}

/// Waits until the first `need` bytes of blocks are not used any more, and frees them. Returns the bytes that
/// are now free.
pub(crate) fn wait(need: usize, which: Await, device: Device) -> usize {
    let (mut bytes, mut last) = (0, None);
    for block in BLOCKS.lock().iter().filter(|block| block.device == device) {
        bytes += block.allocation.bytes();
        last = Some((block.number, block.mark.clone()));
        if bytes >= need {
            break;
        }
    }
    let Some((last, mark)) = last else { return 0 };
    let waited = match mark {
        Some(_) if which == Await::Unmarked => return 0,
        Some(mark) => mark.synchronize(),
        None => {
            assert_may_wait();
            synchronize(device)
        }
    };
    let done = take_up_to(last, device, &mut BLOCKS.lock());
    if let Err(error) = waited {
        // Whether the memory is in use cannot be determined: it is leaked.
        std::mem::forget(done);
        defer(device, error);
        return 0;
    }
    for block in done {
        block.give_back();
    }
    // Including those that another thread freed meanwhile.
    bytes
}

fn take_up_to(last: u64, device: Device, blocks: &mut VecDeque<Block>) -> Vec<Block> {
    let (done, rest) =
        blocks.drain(..).partition(|block: &Block| block.device == device && block.number <= last);
    *blocks = rest;
    let done = Vec::from(done);
    HELD.fetch_sub(done.len() as u64, Ordering::Relaxed);
    done
}

/// Bytes that this manager's budget counts although their free is only deferred.
pub(crate) fn bytes(manager: &SpillManager) -> usize {
    let is_its = |allocation: &Allocation| match allocation {
        Allocation::Resource { exec, .. } => exec.resource().is_managed_by(manager),
        Allocation::Spilled | Allocation::Empty | Allocation::Adopted { .. } => false,
    };
    let blocks = BLOCKS.lock();
    blocks
        .iter()
        .map(|block| &block.allocation)
        .filter(|allocation| is_its(allocation))
        .map(Allocation::bytes)
        .sum()
}
