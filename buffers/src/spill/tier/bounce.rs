//! Bounce blocks: a few page-locked, aligned blocks between a device and memory that it cannot copy to.
//!
//! A thread that holds no block may wait for one; a thread that holds one continues with what it has. So
//! threads with blocks always finish, and no thread waits for ever.

use std::collections::VecDeque;
use std::ptr::NonNull;

use super::blocks::is_past;
use super::memory::{Memory, Preparation};
use crate::failpoints::{Step, failpoint};
use crate::sync::Arc;
use crate::sync::global::{Condvar, Mutex};
use crate::{Device, Error, Event, Result, Stream, Tier};

/// The bounce blocks of one device, made on first use and kept.
#[derive(Debug)]
pub(super) struct BouncePool {
    device: Device,
    /// Bytes per block.
    bytes: usize,
    state: Mutex<BouncesState>,
    given_back: Condvar,
}

#[derive(Debug, Default)]
struct BouncesState {
    free: Vec<Memory>,
    /// Released, but still read by a queued copy.
    retired: VecDeque<(Memory, Event)>,
    made: usize,
}

/// A block, released on drop.
#[derive(Debug)]
pub(super) struct Bounce {
    pool: Arc<BouncePool>,
    /// `None` only while it is dropped.
    memory: Option<Memory>,
    /// Complete when queued copies from or to the block have run.
    busy: Option<Event>,
}

impl BouncePool {
    /// The most blocks at a time: enough for four moves that overlap copies with file I/O.
    pub(super) const MOST: usize = 16;

    pub(super) fn new(device: Device, bytes: usize) -> Self {
        Self { device, bytes, state: Mutex::default(), given_back: Condvar::new() }
    }

    /// Bytes per block.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// A block for a caller that holds `held` blocks, or waits for that many jobs that hold one, up to
    /// `most`. Waits only if `held` is 0.
    pub(super) fn take(self: &Arc<Self>, held: usize, most: usize) -> Result<Option<Bounce>> {
        if held >= most {
            return Ok(None);
        }
        self.collect();
        let mut state = self.state.lock();
        loop {
            if let Some(memory) = state.free.pop() {
                return Ok(Some(self.hand_out(memory)));
            }
            if state.made < Self::MOST {
                state.made += 1;
                drop(state);
                return self.make().map(Some);
            }
            if held > 0 {
                return Ok(None);
            }
            if let Some((memory, event)) = state.retired.pop_front() {
                drop(state);
                let mut bounce = self.hand_out(memory);
                bounce.busy = Some(event);
                bounce.wait()?;
                return Ok(Some(bounce));
            }
            self.given_back.wait(&mut state);
        }
    }

    fn make(self: &Arc<Self>) -> Result<Bounce> {
        let preparation = match self.device {
            Device::Host => Preparation::None,
            device => Preparation::PageLocked(device),
        };
        let made = if failpoint(Step::Reserve) {
            let reason = "injected failure".to_owned();
            Err(Error::Storage { tier: Tier::Pinned, operation: "reserve", bytes: self.bytes, reason })
        } else {
            Memory::new(self.bytes, preparation)
        };
        made.map(|memory| self.hand_out(memory)).inspect_err(|_| {
            self.state.lock().made -= 1;
            // Another thread may be waiting for this block.
            self.given_back.notify_one();
        })
    }

    fn hand_out(self: &Arc<Self>, memory: Memory) -> Bounce {
        Bounce { pool: Arc::clone(self), memory: Some(memory), busy: None }
    }

    /// Returns blocks whose queued copies have run.
    fn collect(&self) {
        let retired = std::mem::take(&mut self.state.lock().retired);
        if retired.is_empty() {
            return;
        }
        let (done, left): (Vec<_>, Vec<_>) = retired.into_iter().partition(|(_, event)| is_past(event));
        let mut state = self.state.lock();
        state.free.extend(done.into_iter().map(|(memory, _)| memory));
        // Blocks retired meanwhile are newer.
        for retired in left.into_iter().rev() {
            state.retired.push_front(retired);
        }
        drop(state);
        self.given_back.notify_all();
    }
}

impl Drop for BouncePool {
    fn drop(&mut self) {
        for (_, event) in &self.state.get_mut().retired {
            // Not `Event::synchronize`, which panics in debug builds on threads that must not wait.
            while !is_past(event) {
                std::thread::yield_now();
            }
        }
    }
}

impl Bounce {
    pub(super) fn address(&self) -> NonNull<u8> {
        self.memory.as_ref().map_or(NonNull::dangling(), Memory::address)
    }

    /// The block's bytes, once queued copies have run.
    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        debug_assert!(self.busy.is_none(), "the block is still read or written by queued work");
        self.memory.as_mut().map_or(&mut [], Memory::as_mut_slice)
    }

    /// Records that copies of the block are queued on `stream`.
    pub(super) fn note_use(&mut self, stream: &Stream) -> Result<()> {
        match stream.record() {
            Ok(event) => self.busy = Some(event),
            // Without an event, the work must be complete now. If it cannot be waited for, the device is
            // lost, and with it all its queued work.
            Err(_) => stream.synchronize()?,
        }
        Ok(())
    }

    /// Waits until queued copies of the block have run.
    pub(super) fn wait(&mut self) -> Result<()> {
        self.busy.take().map_or(Ok(()), |event| event.synchronize())
    }
}

impl Drop for Bounce {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else { return };
        let mut state = self.pool.state.lock();
        match self.busy.take() {
            Some(event) => state.retired.push_back((memory, event)),
            None => state.free.push(memory),
        }
        drop(state);
        self.pool.given_back.notify_one();
    }
}
