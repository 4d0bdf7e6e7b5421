//! Pins of several allocations at once: all or none.

use std::cell::Cell;

use smallvec::SmallVec;

use super::{Hold, Owner};
use crate::spill::Reservation;
use crate::sync::Arc;
use crate::{Error, Exec, Result, SpillManager};

/// Pins that are to become guards, in order. Those that did not on drop are taken back.
pub(crate) struct Pins {
    owners: SmallVec<[Arc<Owner>; 12]>,
    handed_over: Cell<usize>,
}

/// How often room is set aside for what others spill again before it is pinned.
const ROUNDS: usize = 8;

impl Pins {
    /// Pins everything, in place or after bringing it home.
    pub(crate) fn take(wanted: &[(&Arc<Owner>, Hold)], exec: &Exec) -> Result<Self> {
        if let Some(pins) = Self::take_at_home(wanted) {
            return Ok(pins);
        }
        Self::take_all(wanted, exec)
    }

    /// Pins everything that is at home already, which is everything, or nothing.
    fn take_at_home(wanted: &[(&Arc<Owner>, Hold)]) -> Option<Self> {
        let mut pins = Self { owners: SmallVec::new(), handed_over: Cell::new(0) };
        for (owner, hold) in wanted {
            if !owner.try_pin(*hold) {
                return None;
            }
            owner.touch();
            pins.owners.push(Arc::clone(owner));
        }
        Some(pins)
    }

    #[cold]
    fn take_all(wanted: &[(&Arc<Owner>, Hold)], exec: &Exec) -> Result<Self> {
        let everything: SmallVec<[u64; 12]> = wanted.iter().map(|(owner, _)| owner.id()).collect();
        let mut missing = 0;
        for _ in 0..ROUNDS {
            // Nothing is pinned while room is looked for, and what is wanted itself makes no room.
            missing = missing_bytes(wanted);
            let manager = wanted.iter().find_map(|(owner, _)| owner.manager());
            // Who has set memory aside has set it aside for this too.
            let manager = manager.filter(|_| !exec.resource().is_reserved());
            let reservation =
                manager.map(|manager| reserve(manager, missing, &everything, exec)).transpose()?;
            let exec = reservation.as_ref().map_or_else(|| exec.clone(), |room| room.exec(exec));
            // What was spilled since is not paid for: the round fails and the next one counts it in.
            if missing_bytes(wanted) > missing {
                continue;
            }
            let mut pins = Self { owners: SmallVec::new(), handed_over: Cell::new(0) };
            let mut result = Ok(());
            for (owner, hold) in wanted {
                result = owner.pin(*hold, &exec);
                if result.is_err() {
                    break;
                }
                pins.owners.push(Arc::clone(owner));
            }
            match result {
                Ok(()) => return Ok(pins),
                Err(Error::OutOfMemory { .. }) => drop(pins),
                Err(other) => return Err(other),
            }
        }
        Err(Error::OutOfMemory { device: exec.device(), requested: missing, free: None })
    }

    /// The next pin is somebody else's to take back.
    pub(crate) fn hand_over(&self) {
        self.handed_over.set(self.handed_over.get() + 1);
    }
}

/// Room for `missing` bytes: refused where the context is strict or what is wanted can never be there together,
/// beyond the budget where it is not.
fn reserve(manager: &Arc<SpillManager>, missing: usize, spare: &[u64], exec: &Exec) -> Result<Reservation> {
    let soft = exec.resource().strict().is_some();
    manager.reserve_for_access(missing, spare, soft)
}

/// Bytes that have to come home, those of one allocation once.
fn missing_bytes(wanted: &[(&Arc<Owner>, Hold)]) -> usize {
    let mut seen = SmallVec::<[u64; 12]>::new();
    let mut bytes = 0;
    for (owner, _) in wanted {
        if owner.is_away() && !seen.contains(&owner.id()) {
            seen.push(owner.id());
            bytes += owner.bytes();
        }
    }
    bytes
}

impl Drop for Pins {
    fn drop(&mut self) {
        for owner in self.owners.iter().skip(self.handed_over.get()) {
            owner.unpin();
        }
    }
}
