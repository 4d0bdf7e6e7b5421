//! Which allocation is evicted next.

mod policy;
mod predictive;
mod registry;

pub use policy::EvictionPolicy;
pub(crate) use registry::RegistryIndex;
pub(super) use registry::{Kind, Registry, after_all_uses};

use policy::{LeastRecentlyUsed, Policy};
use predictive::Predictive;

use crate::owner::Owner;
use crate::sync::Arc;
use crate::sync::atomic::{AtomicBool, Ordering};

/// The allocations of a manager, and the policy by which they are evicted.
pub(super) struct Evictor {
    pub(super) registry: Registry,
    predictive: Predictive,
    is_lru: AtomicBool,
}

impl Evictor {
    pub(super) fn new() -> Self {
        Self { registry: Registry::new(), predictive: Predictive::default(), is_lru: AtomicBool::new(false) }
    }

    pub(super) fn set_policy(&self, policy: EvictionPolicy) {
        self.is_lru.store(policy == EvictionPolicy::LeastRecentlyUsed, Ordering::Relaxed);
    }

    fn policy(&self) -> &dyn Policy {
        if self.is_lru.load(Ordering::Relaxed) { &LeastRecentlyUsed } else { &self.predictive }
    }

    /// The allocation of these kinds to move next, of those not used since `before`. Where lower tiers refuse
    /// allocations from `refused` bytes on, none as large is chosen that has to be copied there.
    pub(super) fn victim(&self, kinds: &[Kind], before: u64, refused: Option<usize>) -> Option<Arc<Owner>> {
        self.registry.pick(kinds, before, refused, self.policy())
    }

    /// An allocation was evicted because memory was short.
    pub(super) fn evicted(&self, owner: &Owner) {
        self.policy().evicted(owner.history());
    }

    /// An allocation is about to be unspilled.
    pub(super) fn unspilling(&self, owner: &Owner) {
        self.policy().unspilling(owner.history(), &|since| self.registry.used_since(since));
    }
}
