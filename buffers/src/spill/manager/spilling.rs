//! Freeing memory: of the device by eviction, of a lower tier by demotion.

use std::time::Instant;

use super::SpillManager;
use crate::owner::deferred_free::{self, Await};
use crate::owner::{EvictionOutcome, Owner};
use crate::spill::eviction::{Kind, after_all_uses};
use crate::spill::{Cause, Payload, PayloadBuilder, Wait};
use crate::sync::Arc;
use crate::sync::atomic::Ordering;
use crate::{Error, Result, Tier};

impl SpillManager {
    /// Evicts allocations that are not held until `bytes` bytes of the device are free again, or nothing is left to
    /// evict. Returns the bytes freed, which are bytes that the resource has back, not bytes copied.
    ///
    /// # Source
    ///
    /// cuDF `SpillManager.spill_device_memory`.
    pub fn spill_device_memory(&self, bytes: usize) -> usize {
        self.free_up(bytes, Cause::Explicit, &[])
    }

    /// Spills until no more than `limit` bytes of the device are allocated. Returns the bytes freed.
    ///
    /// # Source
    ///
    /// cuDF `SpillManager.spill_to_device_limit`, which spills one buffer too many.
    pub fn spill_to_device_limit(&self, limit: usize) -> usize {
        self.free_up(self.budget.used().saturating_sub(limit), Cause::Limit, &[])
    }

    /// Frees `bytes` bytes for an allocation that failed: by spilling, unless the options forbid that.
    pub(crate) fn make_space(&self, bytes: usize) -> usize {
        if self.on_demand.load(Ordering::Relaxed) {
            self.free_up(bytes, Cause::OnDemand, &[])
        } else {
            self.await_consumers(bytes, Await::Any)
        }
    }

    /// Frees memory for an allocation of `bytes` bytes that the upstream refused. Each attempt reaches further.
    /// Returns the bytes freed: 0 ends the attempts.
    ///
    /// The upstream's cache is trimmed by no more than is needed, since mapping memory again is slow, and as a whole in
    /// the last attempt only.
    pub(crate) fn recover(&self, bytes: usize, attempt: u32) -> usize {
        // Freed memory may be fragmented: the second time twice as much is freed, the third time everything.
        let need = match attempt {
            1 => bytes,
            2 => bytes.saturating_mul(2),
            _ => usize::MAX,
        };
        let trimmed = self.upstream.trim(need);
        if trimmed >= need {
            return trimmed;
        }
        let freed = self.make_space(need - trimmed);
        // What was just freed may be cached in blocks of other sizes.
        let is_last = need == usize::MAX && freed > 0;
        trimmed + freed + if is_last { self.upstream.trim(need) } else { 0 }
    }

    /// Frees up to `need` bytes, and no allocation more than that takes. Waits for consumers of exported memory only when
    /// nothing else is left, and never ahead of need.
    pub(in crate::spill) fn free_up(&self, need: usize, cause: Cause, except: &[u64]) -> usize {
        if need == 0 {
            return 0;
        }
        let is_short = !matches!(cause, Cause::Explicit | Cause::Watermark);
        // Memory of other managers helps where memory is short, and does not count where this manager is asked to spill.
        let mut freed = if cause == Cause::Explicit {
            let deferred = deferred_free::bytes(self);
            deferred_free::collect(self.device);
            deferred.saturating_sub(deferred_free::bytes(self))
        } else {
            deferred_free::collect(self.device)
        };
        if is_short {
            freed += self.await_consumers(need.saturating_sub(freed), Await::Unmarked);
        }
        freed += self.spill_unused_since(after_all_uses(), need.saturating_sub(freed), cause, except);
        if is_short {
            freed += self.await_consumers(need.saturating_sub(freed), Await::Any);
        }
        freed
    }

    /// Waits until `need` bytes of deferred frees are done, as far as there are so many.
    fn await_consumers(&self, need: usize, which: Await) -> usize {
        if need == 0 || deferred_free::is_empty() {
            return 0;
        }
        let started = Instant::now();
        let freed = deferred_free::wait(need, which, self.device);
        if freed > 0 {
            self.statistics.waited(Wait::Consumers, started.elapsed());
        }
        freed
    }

    /// Evicts up to `need` bytes of allocations not used since `since`, but none with an id in `except`.
    pub(super) fn spill_unused_since(&self, since: u64, need: usize, cause: Cause, except: &[u64]) -> usize {
        if need == 0 || (cause != Cause::Explicit && !self.enabled.load(Ordering::Relaxed)) {
            return 0;
        }
        let mut freed = 0;
        while freed < need {
            // An explicit request tries the tiers again.
            let refused = if cause == Cause::Explicit { None } else { self.store.refused_from() };
            let Some(victim) = self.evictor.victim(&Kind::RESIDENT, since, refused) else { break };
            if except.contains(&victim.id()) {
                victim.touch();
                continue;
            }
            match victim.evict(self, cause) {
                Ok(EvictionOutcome::Freed(bytes)) => {
                    freed += bytes;
                    if cause != Cause::Explicit {
                        self.evictor.evicted(&victim);
                    }
                }
                Ok(EvictionOutcome::Held) => victim.touch(),
                Err(error) => {
                    victim.touch();
                    // A full tier refuses allocations of this size from now on; any other failure is the same for all.
                    if cause == Cause::Explicit || !matches!(error, Error::Storage { .. }) {
                        break;
                    }
                }
            }
        }
        freed
    }

    /// Whether the limit may be passed without end: it is soft, and the lower tiers refused allocations of some size
    /// lately, or can never take any.
    pub(crate) fn is_limit_open(&self) -> bool {
        self.soft.load(Ordering::Relaxed) && self.store.is_full()
    }

    /// Adds to an error for want of memory why lower tiers did not help.
    pub(in crate::spill) fn explained(&self, error: Error) -> Error {
        match error {
            Error::OutOfMemory { device, requested, free, tier_refusal: None } => {
                Error::OutOfMemory { device, requested, free, tier_refusal: self.store.refusal(true) }
            }
            error => error,
        }
    }

    /// An allocation is about to be unspilled.
    pub(crate) fn unspilling(&self, owner: &Owner) {
        self.evictor.unspilling(owner);
    }

    /// An allocation was unspilled: its copy in a lower tier can be dropped now.
    pub(crate) fn unspilled(&self) {
        self.store.retry_full();
    }

    /// Stores a payload in the fastest lower tier that takes it. Older payloads are demoted for it.
    pub(crate) fn store(
        &self,
        store: impl FnMut(Tier) -> Result<Arc<Payload>>,
        bytes: usize,
    ) -> Result<Arc<Payload>> {
        self.store.store(Tier::Pinned, bytes, store, |tier, bytes| self.make_space_in_tier(tier, bytes))
    }

    /// An empty payload of `len` bytes in the fastest lower tier with space.
    pub(crate) fn payload_builder(&self, len: usize) -> Result<PayloadBuilder> {
        self.store.builder(len, |tier, bytes| self.make_space_in_tier(tier, bytes))
    }

    /// The payload again, in a tier below `from`.
    pub(crate) fn demoted(&self, payload: &Payload, from: Tier) -> Result<Arc<Payload>> {
        let next = if from == Tier::Pinned { Tier::Pageable } else { Tier::Disk };
        let store = |tier| self.tiers().demote(payload, tier);
        self.store.store(next, payload.len(), store, |tier, bytes| self.make_space_in_tier(tier, bytes))
    }

    /// Demotes the least recently used payloads of `tier`, and drops copies of resident bytes, until it has space for
    /// `bytes` bytes. Returns whether there were any.
    fn make_space_in_tier(&self, tier: Tier, bytes: usize) -> bool {
        let started = after_all_uses();
        let kinds: &[Kind] = match tier {
            // There is no tier below the disk.
            Tier::Disk => &[Kind::CleanDisk],
            _ => &[Kind::spilled(tier), Kind::clean(tier)],
        };
        let mut has_moved = false;
        while !self.tiers().has_space(tier, bytes) {
            let victim = self.evictor.victim(kinds, started, self.store.refused_from());
            let Some(victim) = victim else { break };
            let moved = match victim.payload_bytes() {
                Some((at, _)) if at == tier && victim.tier() == Tier::Device => victim.drop_copy() > 0,
                Some((at, _)) if at == tier && at != Tier::Disk => {
                    matches!(victim.demote(self, tier, Cause::Overflow), Ok(EvictionOutcome::Freed(_)))
                }
                _ => false,
            };
            has_moved |= moved;
            if !moved {
                victim.touch();
            }
        }
        has_moved
    }
}
