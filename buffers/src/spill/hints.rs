//! What a program tells of its plans: what it will use next, and what it has done with.

use std::sync::Weak;

use super::SpillManager;
use super::managed::Managed;
use super::worker::Worker;
use crate::owner::{Hold, Owner, now};
use crate::sync::Arc;
use crate::{Buffer, Exec};

impl Buffer {
    /// Says that the bytes will be used soon: what is spilled is brought back in the background, as far as the budget
    /// has room for it or can be made to by spilling what is not used from now on, while this thread goes on with other
    /// work. Returns at once; a hint that cannot be followed is none.
    ///
    /// # Device
    ///
    /// Copies on a stream of their own, so that they run beside kernels and beside what leaves.
    pub fn will_need(&self) {
        let owner = self.owner();
        if let (true, Some(manager)) = (owner.is_spilled(), owner.manager()) {
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
            manager.settled(owner);
        }
    }
}

/// Hints beyond this many are forgotten: who plans so far ahead plans for memory that there is not.
const REMEMBERED: usize = 1024;

/// An allocation that is wanted soon.
pub(super) struct Wanted {
    owner: Weak<Owner>,
    /// When that was said.
    since: u64,
}

impl Wanted {
    pub(super) fn new(owner: &Arc<Owner>) -> Self {
        Self { owner: Arc::downgrade(owner), since: now() }
    }
}

/// Starts a thread that brings allocations home before they are asked for, in the order that they were named.
pub(super) fn start_fetcher(manager: &Arc<SpillManager>) -> Option<Worker<Wanted>> {
    Worker::start("fetcher", REMEMBERED, manager, |manager, wanted: Wanted| {
        if let Some(owner) = wanted.owner.upgrade() {
            fetch(manager, &owner, wanted.since);
        }
    })
}

/// Brings one allocation home, in the place of what was not used since it was asked for: what is at work, and what came
/// home for the same plan, is not given up for more of it. What fails will fail for whoever needs the bytes, and be told
/// there.
fn fetch(manager: &Arc<SpillManager>, owner: &Owner, since: u64) {
    if !owner.is_spilled() {
        return;
    }
    let (Ok(stream), Some(reservation)) =
        (manager.up_stream(), manager.reserve_unused_since(since, owner.bytes()))
    else {
        return;
    };
    let exec = reservation.exec(&Exec::with_parts(stream.clone(), Managed::of(manager)));
    if owner.is_spilled() && owner.pin_for(Hold::Read, &exec).is_ok() {
        owner.unpin();
    }
}
