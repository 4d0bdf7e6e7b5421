//! Memory set aside before a large operation begins.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::managed::{Managed, SetAside};
use super::{Cause, SpillManager, Wait};
use crate::retry::count_room;
use crate::sync::Arc;
use crate::sync::global::{Condvar, Mutex};
use crate::{Admission, Exec, Result};

/// Bytes of a device's budget that nobody else gets while this lives.
///
/// An operator that knows what it needs takes it before it begins, so that it fails at once, holding nothing, instead
/// of half way. What is not used goes back on drop.
#[derive(Debug)]
pub struct Reservation {
    /// `None` where nobody manages the memory: everything is allowed.
    claimed: Option<(Arc<SpillManager>, Arc<SetAside>)>,
}

impl Exec {
    /// Sets `bytes` bytes of the [budget](Self::budget) aside; spills for them if need be. Never waits for another
    /// thread.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) when that much cannot be had.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation> {
        let Some(manager) = self.resource().spill_manager() else {
            return Ok(Reservation { claimed: None });
        };
        manager.reserve(bytes, Admission::Strict, Cause::Reservation, &[])
    }
}

impl Reservation {
    pub(super) fn new(manager: Arc<SpillManager>, bytes: usize) -> Self {
        Self { claimed: Some((manager, SetAside::new(bytes))) }
    }

    /// Bytes that are still set aside.
    pub fn left(&self) -> usize {
        self.claimed.as_ref().map_or(0, |(_, set_aside)| set_aside.left())
    }

    /// `exec` with a resource that takes from what is set aside, and beyond that is [strict](Exec::strict). What is
    /// given back to it while this lives is set aside again, unless it was spilled for somebody else.
    #[must_use]
    pub fn exec(&self, exec: &Exec) -> Exec {
        match &self.claimed {
            None => exec.clone(),
            Some((manager, set_aside)) => exec.with_resource(Managed::reserved(manager, set_aside)),
        }
    }

    /// Gives back what is left, for good.
    fn end(&self) {
        if let Some((manager, set_aside)) = &self.claimed {
            manager.forgo(set_aside.end());
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.end();
    }
}

/// What operators have set aside with one manager: those that are refused may wait for others to end.
#[derive(Default)]
pub(super) struct Rooms {
    state: Mutex<RoomsState>,
    ended: Condvar,
}

#[derive(Clone, Copy, Default)]
struct RoomsState {
    live: usize,
    ended: u64,
}

thread_local! {
    /// Rooms of this thread, which it cannot wait for.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// What one attempt of an operator has set aside.
pub(crate) struct Room {
    reservation: Reservation,
    manager: Arc<SpillManager>,
}

impl Exec {
    /// Sets `bytes` bytes aside for an attempt of an operator; when they cannot be had while other operators have room
    /// of theirs, waits up to `patience` for those to end. The caller holds nothing that others may wait for.
    ///
    /// `None` where it is refused, where the budget is not this context's to claim from, because it is
    /// [strict](Exec::strict) or has set memory aside already, and where there is no budget.
    pub(crate) fn room(&self, bytes: usize, patience: Duration) -> Option<Room> {
        let resource = self.resource();
        if bytes == 0 || resource.limit().is_none() || self.admission() == Admission::Strict {
            return None;
        }
        let manager = resource.spill_manager()?;
        let may_wait = OWN.get() == 0 && rayon::current_thread_index().is_none();
        let started = Instant::now();
        let mut waited = false;
        let reservation = loop {
            let before = manager.rooms().now();
            if let Ok(reservation) = manager.reserve(bytes, Admission::Strict, Cause::Reservation, &[]) {
                break Some(reservation);
            }
            let left = patience.saturating_sub(started.elapsed());
            if !may_wait || !manager.rooms().wait(before, left) {
                break None;
            }
            waited = true;
        };
        if waited {
            manager.statistics().waited(Wait::Room, started.elapsed());
        }
        count_room(reservation.as_ref().map(|_| bytes));
        let reservation = reservation?;
        manager.rooms().begin();
        Some(Room { reservation, manager })
    }
}

impl Room {
    /// As [`Reservation::exec`].
    pub(crate) fn exec(&self, exec: &Exec) -> Exec {
        self.reservation.exec(exec)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.reservation.end();
        self.manager.rooms().end();
    }
}

impl Rooms {
    fn now(&self) -> RoomsState {
        *self.state.lock()
    }

    fn begin(&self) {
        self.state.lock().live += 1;
        OWN.set(OWN.get() + 1);
    }

    fn end(&self) {
        let mut state = self.state.lock();
        state.live -= 1;
        state.ended += 1;
        drop(state);
        self.ended.notify_all();
        OWN.set(OWN.get() - 1);
    }

    /// Waits until a room has ended since `before`; false when there is none to wait for, or when it takes longer
    /// than `patience`.
    fn wait(&self, before: RoomsState, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let mut state = self.state.lock();
        while state.ended == before.ended {
            if state.live == 0 || self.ended.wait_until(&mut state, deadline).timed_out() {
                return false;
            }
        }
        true
    }
}
