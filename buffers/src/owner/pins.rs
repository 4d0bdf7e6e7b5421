//! Pins of several allocations at once: all or none.

use smallvec::SmallVec;

use super::{Hold, Owner};
use crate::spill::Cause;
use crate::sync::Arc;
use crate::{Error, Exec, Result};

/// How often memory is reserved for allocations that other threads spill again before they are pinned.
const ROUNDS: usize = 8;

/// Pins all allocations, after unspilling them if necessary; on an error none is pinned.
pub(crate) fn pin_all<'a>(
    wanted: impl Iterator<Item = (&'a Arc<Owner>, Hold)> + Clone,
    exec: &Exec,
) -> Result<()> {
    if pin_resident(wanted.clone()) {
        return Ok(());
    }
    pin_after_all(&wanted.collect::<SmallVec<[_; 12]>>(), exec)
}

/// Pins all allocations if all of them are resident.
fn pin_resident<'a>(wanted: impl Iterator<Item = (&'a Arc<Owner>, Hold)> + Clone) -> bool {
    for (count, (owner, hold)) in wanted.clone().enumerate() {
        if !owner.try_pin(hold) {
            wanted.take(count).for_each(|(owner, _)| owner.unpin());
            return false;
        }
        owner.touch();
    }
    true
}

#[cold]
fn pin_after_all(wanted: &[(&Arc<Owner>, Hold)], exec: &Exec) -> Result<()> {
    let everything: SmallVec<[u64; 12]> = wanted.iter().map(|(owner, _)| owner.id()).collect();
    let (mut missing, mut refused) = (0, None);
    for _ in 0..ROUNDS {
        // Nothing is pinned while memory is freed, and the requested allocations themselves are not spilled
        // for it.
        missing = missing_bytes(wanted);
        let manager = wanted.iter().find_map(|(owner, _)| owner.manager());
        // A reservation of the caller includes this memory.
        let manager = manager.filter(|_| !exec.resource().is_reserved());
        let reservation = manager
            .map(|manager| manager.reserve(missing, exec.admission(), Cause::Access, &everything))
            .transpose()?;
        let exec = reservation.as_ref().map_or_else(|| exec.clone(), |reservation| reservation.exec(exec));
        // Allocations that were spilled meanwhile are not included: the round fails and the next one includes
        // them.
        if missing_bytes(wanted) > missing {
            continue;
        }
        match pin_one_by_one(wanted, &exec) {
            Err(Error::OutOfMemory { tier_refusal, .. }) => refused = tier_refusal,
            done => return done,
        }
    }
    Err(Error::OutOfMemory { device: exec.device(), requested: missing, free: None, tier_refusal: refused })
}

fn pin_one_by_one(wanted: &[(&Arc<Owner>, Hold)], exec: &Exec) -> Result<()> {
    for (count, (owner, hold)) in wanted.iter().enumerate() {
        owner.pin(*hold, exec).inspect_err(|_| {
            wanted[..count].iter().for_each(|(owner, _)| owner.unpin());
        })?;
    }
    Ok(())
}

/// Bytes that have to be unspilled; those of one allocation count once.
fn missing_bytes(wanted: &[(&Arc<Owner>, Hold)]) -> usize {
    let mut seen = SmallVec::<[u64; 12]>::new();
    let mut bytes = 0;
    for (owner, _) in wanted {
        if owner.is_spilled() && !seen.contains(&owner.id()) {
            seen.push(owner.id());
            bytes += owner.bytes();
        }
    }
    bytes
}
