//! Hints of a program about what it will use next and what it no longer uses.

use std::sync::Weak;

use super::SpillManager;
use super::managed::Managed;
use super::worker::Worker;
use crate::owner::{Hold, Owner, now};
use crate::sync::Arc;
use crate::{Buffer, Exec};

impl Buffer {
    /// Hints that the bytes will be used soon. Spilled bytes are unspilled in the background while this
    /// thread continues, as far as they fit the budget or memory can be freed by spilling allocations that
    /// are not used from now on. Returns at once. A hint that cannot be followed is ignored.
    ///
    /// # Device
    ///
    /// Copies run on a stream of their own, concurrently with kernels and evictions.
    pub fn will_need(&self) {
        let owner = self.owner();
        if let (true, Some(manager)) = (owner.is_spilled(), owner.manager()) {
            manager.fetch_ahead(owner);
        }
    }

    /// Treats the bytes as used now, so that they are evicted late.
    pub fn touch(&self) {
        self.owner().touch();
    }

    /// Hints that the bytes will not be used for long, so that they are evicted first.
    pub fn done_with(&self) {
        let owner = self.owner();
        if let Some(manager) = owner.manager() {
            owner.forget_use();
            manager.settled(owner);
        }
    }
}

/// More pending hints than this are dropped: they would need more memory than there is.
const REMEMBERED: usize = 1024;

/// An allocation with a hint that it will be used soon.
pub(super) struct Wanted {
    owner: Weak<Owner>,
    /// The time of the hint.
    since: u64,
}

impl Wanted {
    pub(super) fn new(owner: &Arc<Owner>) -> Self {
        Self { owner: Arc::downgrade(owner), since: now() }
    }
}

/// Starts a thread that unspills allocations ahead of use, in the order of their hints.
pub(super) fn start_fetcher(manager: &Arc<SpillManager>) -> Option<Worker<Wanted>> {
    Worker::start("fetcher", REMEMBERED, manager, |manager, wanted: Wanted| {
        if let Some(owner) = wanted.owner.upgrade() {
            fetch(manager, &owner, wanted.since);
        }
    })
}

/// Unspills one allocation, in place of allocations that were not used since its hint: memory in use, and
/// memory unspilled for the same plan, is not evicted for it. An error is ignored, because the later use of
/// the bytes meets it again and returns it.
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
