//! Spilling in the background, before memory is short.

use std::sync::Weak;
use std::thread::JoinHandle;

use super::{Cause, SpillManager};
use crate::sync::Arc;
use crate::sync::global::{Condvar, Mutex};

/// A thread that begins to spill when the bytes given out pass a mark, and ends when they are below a lower one.
///
/// It is asked for by [watermarks](super::SpillOptions::watermarks): what it moves was not needed yet, so by default
/// nothing is moved before its room is.
pub(super) struct Spiller {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    /// Bytes given out at which it ends.
    stop: usize,
    state: Mutex<Work>,
    wake: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Wait,
    Spill,
    End,
}

impl Spiller {
    /// Starts the thread, which ends spilling at `stop` bytes given out.
    pub(super) fn start(manager: &Arc<SpillManager>, stop: usize) -> Option<Self> {
        let shared = Arc::new(Shared { stop, state: Mutex::new(Work::Wait), wake: Condvar::new() });
        let (manager, theirs) = (Arc::downgrade(manager), Arc::clone(&shared));
        let thread = std::thread::Builder::new()
            .name(format!("columnade-spiller-{}", manager.upgrade()?.device()))
            .spawn(move || run(&manager, &theirs));
        // Without the thread everything works, later: spilling then happens when memory is short.
        Some(Self { shared, thread: Some(thread.ok()?) })
    }

    /// Says that there is something to do.
    pub(super) fn wake(&self) {
        let mut state = self.shared.state.lock();
        if *state == Work::Wait {
            *state = Work::Spill;
            self.shared.wake.notify_one();
        }
    }
}

fn run(manager: &Weak<SpillManager>, shared: &Shared) {
    loop {
        {
            let mut state = shared.state.lock();
            while *state == Work::Wait {
                shared.wake.wait(&mut state);
            }
            if *state == Work::End {
                return;
            }
            *state = Work::Wait;
        }
        let Some(manager) = manager.upgrade() else { return };
        // Others allocate meanwhile; whatever is left when nothing more can be moved stays until the next call.
        while manager.used() > shared.stop
            && manager.free_up(manager.used().saturating_sub(shared.stop), Cause::Watermark, &[]) > 0
        {
        }
    }
}

impl Drop for Spiller {
    fn drop(&mut self) {
        *self.shared.state.lock() = Work::End;
        self.shared.wake.notify_one();
        let Some(thread) = self.thread.take() else { return };
        // The thread itself may hold the last share of its manager.
        if thread.thread().id() != std::thread::current().id() {
            let _ = thread.join();
        }
    }
}
