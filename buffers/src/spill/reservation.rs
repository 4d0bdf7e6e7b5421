//! Memory set aside before a large operation begins.

use super::managed::{Admission, Managed, SetAside};
use super::{Cause, SpillManager};
use crate::sync::Arc;
use crate::{Exec, Result};

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
        manager.reserve(bytes, Cause::Reservation)
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

    /// `exec` with a resource that takes from what is set aside, and beyond that is [strict](Exec::strict).
    #[must_use]
    pub fn exec(&self, exec: &Exec) -> Exec {
        match &self.claimed {
            None => exec.clone(),
            Some((manager, set_aside)) => {
                exec.with_resource(Managed::of(manager, Admission::Reserved(Arc::clone(set_aside))))
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some((manager, set_aside)) = &self.claimed {
            manager.forgo(set_aside.take(usize::MAX));
        }
    }
}
