//! Memory that went back while a consumer that it was lent to may still be using it.
//!
//! A consumer may end its lease as soon as its last work is queued, on streams that nobody here knows of. So what was
//! ever lent stays here until all work that anybody had queued on its device when it went back is done. Meanwhile it is
//! as given out as before, to its resource and to the budget.
//!
//! Nobody waits for that but who is short of memory; everybody else looks in passing whether it is done.

use std::collections::VecDeque;

use super::Allocation;
use crate::device::{defer, in_drop, synchronize};
use crate::stream::assert_may_wait;
use crate::sync::global::{AtomicU64, Mutex, Ordering};
use crate::{Device, Event, SpillManager};

/// Of all devices, in the order in which they went back.
static BLOCKS: Mutex<VecDeque<Block>> = Mutex::new(VecDeque::new());
/// How many there are: read without the lock by everybody who looks in passing.
static HELD: AtomicU64 = AtomicU64::new(0);

struct Block {
    /// Grows with the order.
    number: u64,
    device: Device,
    allocation: Allocation,
    /// Passed when nobody uses the block or one before it any more. `None` where the driver could not make a mark: then
    /// a later block's tells, or a synchronisation of the whole device.
    mark: Option<Event>,
}

impl Block {
    /// A panic of the block's resource is nothing of the caller's, who is about others' memory.
    fn give_back(self) -> usize {
        in_drop(self.device, self.allocation.source(), || self.allocation.give_back(None, self.device))
            .unwrap_or(0)
    }
}

/// Which blocks are worth waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Await {
    /// Those without a mark, of which nobody hears in passing.
    Unmarked,
    /// All.
    Any,
}

/// Gives lent memory of a device back: now, where nobody has work on the device, or else later. Returns how many bytes
/// the device has more now.
pub(super) fn give_back(allocation: Allocation, device: Device) -> usize {
    let mut blocks = BLOCKS.lock();
    // Made under the lock, so that every mark covers the blocks before its own. Without one the memory is kept longer,
    // which no caller needs to hear of.
    let mark = Event::of_all_work(device).ok().flatten();
    if mark.as_ref().is_some_and(|mark| mark.is_done() == Ok(true)) {
        drop(blocks);
        return allocation.give_back(None, device);
    }
    let number = blocks.back().map_or(0, |last| last.number + 1);
    // Who gets it later is not who allocated it.
    let allocation = allocation.unreserved();
    blocks.push_back(Block { number, device, allocation, mark });
    HELD.fetch_add(1, Ordering::Relaxed);
    0
}

/// Whether there is nothing to wait for.
pub(crate) fn is_empty() -> bool {
    // Relaxed: who misses a block leaves it to the next one.
    HELD.load(Ordering::Relaxed) == 0
}

/// Gives back what nobody uses any more, without waiting. Returns how many bytes the device has more.
#[inline]
pub(crate) fn collect(device: Device) -> usize {
    if is_empty() { 0 } else { collect_done(device) }
}

#[cold]
fn collect_done(device: Device) -> usize {
    // Who has the lock is looking too.
    let Some(mut blocks) = BLOCKS.try_lock() else { return 0 };
    let mut last = None;
    for block in blocks.iter().filter(|block| block.device == device) {
        match block.mark.as_ref().map(Event::is_done) {
            None => {}
            Some(Ok(true)) => last = Some(block.number),
            // What cannot be asked is left to who needs the memory so much as to wait for it.
            Some(Ok(false) | Err(_)) => break,
        }
    }
    let Some(last) = last else { return 0 };
    let done = take_up_to(last, device, &mut blocks);
    drop(blocks);
    done.into_iter().map(Block::give_back).sum()
}

/// Waits until the blocks that went back first, `need` bytes of them, are nobody's any more, and gives them back.
/// Returns how many bytes the device has more.
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
        // Nobody can say whether the memory is in use: it is lost.
        std::mem::forget(done);
        defer(device, error);
        return 0;
    }
    for block in done {
        block.give_back();
    }
    // Those that somebody else gave back meanwhile included.
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

/// Bytes that this manager's budget counts and nobody has any more.
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
