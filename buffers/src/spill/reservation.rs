//! Reservations of memory before a large operation begins.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::managed::{Managed, ReservedBytes};
use super::{Cause, SpillManager, Wait};
use crate::retry::count_reservation;
use crate::sync::global::{Condvar, Mutex};
use crate::sync::{Arc, assert_holds_no_lock};
use crate::{Admission, Exec, Result};

/// Bytes of a device's budget that are reserved while this lives.
///
/// An operator that knows how much it needs reserves it before it begins, so that it fails at once, holding
/// nothing, instead of half-way. Unused bytes are released on drop.
#[derive(Debug)]
pub struct Reservation {
    /// `None` if the memory is not managed: everything is allowed.
    claimed: Option<(Arc<SpillManager>, Arc<ReservedBytes>)>,
}

impl Exec {
    /// Reserves `bytes` bytes of the [budget](Self::budget), spilling for them if necessary. Never waits for
    /// another thread.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) if they cannot be reserved.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation> {
        let Some(manager) = self.resource().spill_manager() else {
            return Ok(Reservation { claimed: None });
        };
        manager.reserve(bytes, Admission::Strict, Cause::Reservation, &[])
    }
}

impl Reservation {
    pub(super) fn new(manager: Arc<SpillManager>, bytes: usize) -> Self {
        Self { claimed: Some((manager, ReservedBytes::new(bytes))) }
    }

    /// Bytes that are still reserved.
    pub fn left(&self) -> usize {
        self.claimed.as_ref().map_or(0, |(_, reserved)| reserved.left())
    }

    /// `exec` with a resource that allocates from the reservation, and beyond it is [strict](Exec::strict).
    /// Memory freed to it while this lives is reserved again, unless it was spilled for another allocation.
    #[must_use]
    pub fn exec(&self, exec: &Exec) -> Exec {
        match &self.claimed {
            None => exec.clone(),
            Some((manager, reserved)) => exec.with_resource(Managed::reserved(manager, reserved)),
        }
    }

    /// Releases the remaining bytes for good.
    fn end(&self) {
        if let Some((manager, reserved)) = &self.claimed {
            manager.forgo(reserved.end());
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.end();
    }
}

/// The reservations of operators with one manager. An operator whose reservation is refused may wait for
/// others to end.
///
/// First come, first served, until a thread has waited for [`PATIENT`]: then no other reservation is made
/// before that thread's, or before it gives up. Otherwise a large reservation could wait for ever while small
/// ones are made.
#[derive(Default)]
pub(super) struct Reservations {
    state: Mutex<ReservationsState>,
    /// A reservation has ended, no thread is first any more, or there is nothing left to wait for.
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct ReservationsState {
    live: usize,
    /// Attempts at reservations, which may succeed.
    attempts: usize,
    changes: u64,
    /// The number of the waiting thread that is first.
    first: Option<u64>,
    /// The number of the last waiting thread.
    waiters: u64,
}

/// How long a thread waits before it becomes first.
const PATIENT: Duration = Duration::from_millis(100);

thread_local! {
    /// Reservations of this thread, for which it cannot wait.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// The reservation of one attempt of an operator.
pub(crate) struct ReservedMemory {
    reservation: Reservation,
    manager: Arc<SpillManager>,
}

impl Exec {
    /// Reserves `bytes` bytes for an attempt of an operator. If they are not available while other operators
    /// have reservations, waits up to `patience` for those to end. The caller holds nothing that others may
    /// wait for.
    ///
    /// `None` if the reservation is refused, if the context is [strict](Exec::strict) or already has a
    /// reservation, and if there is no budget.
    pub(crate) fn reserve_memory(&self, bytes: usize, patience: Duration) -> Option<ReservedMemory> {
        let resource = self.resource();
        if bytes == 0 || resource.limit().is_none() || self.admission() == Admission::Strict {
            return None;
        }
        let manager = resource.spill_manager()?;
        let may_wait = OWN.get() == 0 && rayon::current_thread_index().is_none();
        let reserve = || manager.reserve(bytes, Admission::Strict, Cause::Reservation, &[]).ok();
        let reservations = manager.reservations();
        let reservation = if may_wait {
            reservations.await_reservation(&manager, patience, reserve)
        } else {
            reservations.attempt(reserve)
        };
        count_reservation(reservation.as_ref().map(|_| bytes));
        Some(ReservedMemory { reservation: reservation?, manager })
    }
}

impl ReservedMemory {
    /// See [`Reservation::exec`].
    pub(crate) fn exec(&self, exec: &Exec) -> Exec {
        self.reservation.exec(exec)
    }
}

impl Drop for ReservedMemory {
    fn drop(&mut self) {
        self.reservation.end();
        self.manager.reservations().end();
    }
}

impl Reservations {
    /// Makes a reservation with `reserve` and counts it.
    fn attempt(&self, reserve: impl Fn() -> Option<Reservation>) -> Option<Reservation> {
        self.state.lock().attempts += 1;
        let reservation = reserve();
        let mut state = self.state.lock();
        state.attempts -= 1;
        if reservation.is_some() {
            state.live += 1;
            OWN.set(OWN.get() + 1);
        } else if state.attempts + state.live == 0 {
            drop(state);
            // There is nothing left to wait for.
            self.changed.notify_all();
        }
        reservation
    }

    fn end(&self) {
        let mut state = self.state.lock();
        state.live -= 1;
        state.changes += 1;
        drop(state);
        self.changed.notify_all();
        OWN.set(OWN.get() - 1);
    }

    /// The result of `reserve`, at the latest after `patience`; `None` if there is nothing left to wait for.
    fn await_reservation(
        &self,
        manager: &SpillManager,
        patience: Duration,
        reserve: impl Fn() -> Option<Reservation>,
    ) -> Option<Reservation> {
        let before = *self.state.lock();
        if before.first.is_none()
            && let Some(reservation) = self.attempt(&reserve)
        {
            return Some(reservation);
        }
        let started = Instant::now();
        let mut waiter = Waiter::new(self);
        let reservation = waiter.wait(before.changes, started, patience, reserve);
        if waiter.has_waited {
            manager.statistics().waited(Wait::Reservation, started.elapsed());
        }
        reservation
    }
}

/// A thread that waits for a reservation.
struct Waiter<'a> {
    reservations: &'a Reservations,
    number: u64,
    has_waited: bool,
}

impl<'a> Waiter<'a> {
    fn new(reservations: &'a Reservations) -> Self {
        let mut state = reservations.state.lock();
        state.waiters += 1;
        Self { reservations, number: state.waiters, has_waited: false }
    }

    /// See [`Reservations::await_reservation`], after `seen` changes.
    fn wait(
        &mut self,
        mut seen: u64,
        started: Instant,
        patience: Duration,
        reserve: impl Fn() -> Option<Reservation>,
    ) -> Option<Reservation> {
        assert_holds_no_lock();
        let deadline = started + patience;
        let mut state = self.reservations.state.lock();
        loop {
            let now = Instant::now();
            if state.first.is_none() && now >= started + PATIENT {
                state.first = Some(self.number);
            }
            let is_behind_another = state.first.is_some_and(|first| first != self.number);
            if state.changes != seen && !is_behind_another {
                seen = state.changes;
                drop(state);
                if let Some(reservation) = self.reservations.attempt(&reserve) {
                    return Some(reservation);
                }
                state = self.reservations.state.lock();
                continue;
            }
            // Without live reservations there is nothing to wait for, except for a thread that is first.
            if now >= deadline || (state.live + state.attempts == 0 && !is_behind_another) {
                return None;
            }
            let until = if state.first.is_none() { deadline.min(started + PATIENT) } else { deadline };
            self.has_waited = true;
            self.reservations.changed.wait_until(&mut state, until);
        }
    }
}

impl Drop for Waiter<'_> {
    /// Served or not: other threads continue.
    fn drop(&mut self) {
        let mut state = self.reservations.state.lock();
        if state.first == Some(self.number) {
            (state.first, state.changes) = (None, state.changes + 1);
            drop(state);
            self.reservations.changed.notify_all();
        }
    }
}
