//! What a program tells of its plans: what it will use next, and what it has done with.

use std::collections::VecDeque;
use std::sync::Weak;
use std::thread::JoinHandle;

use super::SpillManager;
use super::managed::{Admission, Managed};
use crate::owner::{Hold, Owner};
use crate::sync::Arc;
use crate::sync::global::{Condvar, Mutex};
use crate::{Buffer, Exec};

impl Buffer {
    /// Says that the bytes will be used soon: what is spilled is brought back in the background, as far as the budget
    /// has or makes room for it, while this thread goes on with other work. Returns at once; a hint that cannot be
    /// followed is none.
    ///
    /// # Device
    ///
    /// Copies on a stream of their own, so that they run beside kernels and beside what leaves.
    pub fn will_need(&self) {
        let owner = self.owner();
        if let (true, Some(manager)) = (owner.is_away(), owner.manager()) {
            manager.fetch_ahead(owner);
        }
    }

    /// Counts the bytes as used just now: of what could be spilled, they go late.
    pub fn touch(&self) {
        self.owner().touch();
    }

    /// Says that the bytes will not be used for long: of what could be spilled, they go first.
    pub fn done_with(&self) {
        let owner = self.owner();
        if let Some(manager) = owner.manager() {
            owner.forget_use();
            manager.used_long_ago(owner);
        }
    }
}

/// A thread that brings allocations home before they are asked for, in the order that they were named.
pub(super) struct Fetcher {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    wanted: VecDeque<Weak<Owner>>,
    ended: bool,
}

/// Hints beyond this many are forgotten: who plans so far ahead plans for memory that there is not.
const REMEMBERED: usize = 1024;

impl Fetcher {
    pub(super) fn start(manager: &Arc<SpillManager>) -> Option<Self> {
        let shared = Arc::new(Shared::default());
        let (weak, theirs) = (Arc::downgrade(manager), Arc::clone(&shared));
        let thread = std::thread::Builder::new()
            .name(format!("columnade-fetcher-{}", manager.device()))
            .spawn(move || run(&weak, &theirs));
        Some(Self { shared, thread: Some(thread.ok()?) })
    }

    pub(super) fn want(&self, owner: &Arc<Owner>) {
        let mut state = self.shared.state.lock();
        if state.wanted.len() < REMEMBERED {
            state.wanted.push_back(Arc::downgrade(owner));
            self.shared.wake.notify_one();
        }
    }
}

fn run(manager: &Weak<SpillManager>, shared: &Shared) {
    loop {
        let wanted = {
            let mut state = shared.state.lock();
            loop {
                if state.ended {
                    return;
                }
                if let Some(wanted) = state.wanted.pop_front() {
                    break wanted;
                }
                shared.wake.wait(&mut state);
            }
        };
        let Some(manager) = manager.upgrade() else { return };
        if let Some(owner) = wanted.upgrade() {
            fetch(&manager, &owner);
        }
    }
}

/// Brings one allocation home. What fails will fail for whoever needs the bytes, and be told there.
fn fetch(manager: &Arc<SpillManager>, owner: &Owner) {
    let Ok(stream) = manager.up_stream() else { return };
    let exec = Exec::with_parts(stream.clone(), Managed::of(manager, Admission::Strict));
    if owner.is_away() && owner.pin_for(Hold::Read, &exec).is_ok() {
        owner.unpin();
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        self.shared.state.lock().ended = true;
        self.shared.wake.notify_one();
        let Some(thread) = self.thread.take() else { return };
        // The thread itself may hold the last share of its manager.
        if thread.thread().id() != std::thread::current().id() {
            let _ = thread.join();
        }
    }
}
