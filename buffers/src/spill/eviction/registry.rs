//! Every allocation that could be moved, in queues by the time of last use.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smallvec::SmallVec;

use super::policy::{Candidate, Policy};
use crate::Tier;
use crate::owner::{Owner, Residency, now};
use crate::stripes::Padded;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Arc, Mutex};
use std::sync::Weak;

/// Where the bytes of an allocation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::spill) enum Kind {
    /// On the device only.
    Resident,
    /// On the device with a copy in pinned memory, so that eviction copies nothing.
    CleanPinned,
    /// The same with a copy in pageable memory.
    CleanPageable,
    /// The same with a copy on disk.
    CleanDisk,
    /// In pinned memory only.
    Pinned,
    /// In pageable memory only.
    Pageable,
    /// On disk only, from where nothing is demoted.
    Disk,
}

impl Kind {
    /// On the device.
    pub(in crate::spill) const RESIDENT: [Self; 4] =
        [Self::Resident, Self::CleanPinned, Self::CleanPageable, Self::CleanDisk];

    /// The kind of an allocation with a copy in `copy`; `None` while it is moving, at the end of which it is registered
    /// anew.
    fn of(owner: &Owner, copy: Option<Tier>) -> Option<Self> {
        match owner.state().place() {
            (Residency::Resident | Residency::Evicting, false) => Some(Self::Resident),
            (Residency::Resident | Residency::Evicting, true) => {
                Some(Self::clean(copy.unwrap_or(Tier::Disk)))
            }
            (Residency::Spilled(tier), _) => Some(Self::spilled(tier)),
            (Residency::Moving, _) => None,
        }
    }

    pub(in crate::spill) fn spilled(tier: Tier) -> Self {
        match tier {
            Tier::Device => Self::Resident,
            Tier::Pinned => Self::Pinned,
            Tier::Pageable => Self::Pageable,
            Tier::Disk => Self::Disk,
        }
    }

    /// On the device with a copy in `tier`.
    pub(in crate::spill) fn clean(tier: Tier) -> Self {
        match tier {
            Tier::Device => Self::Resident,
            Tier::Pinned => Self::CleanPinned,
            Tier::Pageable => Self::CleanPageable,
            Tier::Disk => Self::CleanDisk,
        }
    }

    /// Whether a lower tier has a copy, so that eviction takes no memory there.
    fn has_copy(self) -> bool {
        matches!(self, Self::CleanPinned | Self::CleanPageable | Self::CleanDisk)
    }
}

/// The position of an allocation in the registry, kept in the allocation.
#[derive(Debug)]
pub(crate) struct RegistryIndex(AtomicUsize);

const NO_INDEX: usize = usize::MAX;

impl Default for RegistryIndex {
    fn default() -> Self {
        Self(AtomicUsize::new(NO_INDEX))
    }
}

/// All allocations of a manager.
///
/// Adding and removing take constant time. A use of an allocation changes nothing here: its time of use is stored in the
/// allocation, and queues are sorted when their heads are asked for.
pub(in crate::spill) struct Registry {
    shards: Box<[Padded<Mutex<Shard>>]>,
}

/// Allocations are spread over this many locks by their ids.
const SHARDS: u64 = 8;
const KINDS: usize = 7;

#[derive(Default)]
struct Shard {
    entries: Vec<Option<Entry>>,
    vacant: Vec<usize>,
    /// For each kind the entries with the times of use that they were queued with, oldest first. An entry that has
    /// changed kind or was used since is stale here and requeued when it gets to the head.
    queues: [BinaryHeap<Reverse<(u64, usize)>>; KINDS],
    queued: usize,
    /// The entry that the next sample begins with.
    hand: usize,
}

struct Entry {
    owner: Weak<Owner>,
    kind: Kind,
    bytes: usize,
    /// The time of use that it is queued with.
    since: u64,
}

/// An entry's kind and bytes, and its allocation.
type Found = (Kind, usize, Arc<Owner>);
/// Allocations to be dropped when no lock is held: the last reference removes an allocation from the registry.
type Seen = SmallVec<[Arc<Owner>; 16]>;

/// Entries of each shard that [`Registry::used_since`] looks at.
const ASKED: usize = 4;

impl Registry {
    pub(in crate::spill) fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Padded(Mutex::new(Shard::default()))).collect() }
    }

    fn shard(&self, owner: &Owner) -> &Mutex<Shard> {
        &self.shards[(owner.id() % SHARDS) as usize].0
    }

    /// Adds an allocation.
    pub(in crate::spill) fn add(&self, owner: &Arc<Owner>) {
        let (since, bytes) = (owner.last_use(), owner.bytes());
        let kind = Kind::of(owner, copy_of(owner)).unwrap_or(Kind::Resident);
        let entry = Entry { owner: Arc::downgrade(owner), kind, bytes, since };
        let mut shard = self.shard(owner).lock();
        let at = shard.vacant.pop().unwrap_or_else(|| {
            shard.entries.push(None);
            shard.entries.len() - 1
        });
        shard.entries[at] = Some(entry);
        shard.queue(at, kind, since);
        owner.registry_index().0.store(at, Ordering::Relaxed);
    }

    /// Removes an allocation; false if it was not there.
    pub(in crate::spill) fn remove(&self, owner: &Owner) -> bool {
        let at = owner.registry_index().0.load(Ordering::Relaxed);
        if at == NO_INDEX {
            return false;
        }
        let mut shard = self.shard(owner).lock();
        shard.entries[at] = None;
        shard.vacant.push(at);
        shard.tidy();
        true
    }

    /// Queues an allocation anew after a move. Where it is now is looked up under the lock, so that of two calls at once
    /// the last one is right.
    pub(in crate::spill) fn settled(&self, owner: &Owner) {
        let at = owner.registry_index().0.load(Ordering::Relaxed);
        if at == NO_INDEX {
            return;
        }
        // Which tier has a clean copy is looked up before, under the allocation's lock, which is never taken inside this
        // one. If it is another by now, the eviction finds out.
        let (since, bytes, copy) = (owner.last_use(), owner.bytes(), copy_of(owner));
        let mut shard = self.shard(owner).lock();
        let Some(kind) = Kind::of(owner, copy) else { return };
        if let Some(entry) = &mut shard.entries[at] {
            if (entry.kind, entry.bytes, entry.since) == (kind, bytes, since) {
                return;
            }
            (entry.kind, entry.bytes, entry.since) = (kind, bytes, since);
            shard.queue(at, kind, since);
            shard.tidy();
        }
    }

    /// The allocation of these kinds with the highest score under `policy`, of the least recently used ones not used
    /// since `before` and of a sample; see [`Evictor::victim`](super::Evictor::victim).
    pub(super) fn pick(
        &self,
        kinds: &[Kind],
        before: u64,
        refused: Option<usize>,
        policy: &dyn Policy,
    ) -> Option<Arc<Owner>> {
        let is_taken = |kind: Kind, bytes| kind.has_copy() || refused.is_none_or(|refused| bytes < refused);
        let mut best: Option<(f64, usize, Arc<Owner>)> = None;
        let mut compare = |(kind, bytes, owner): Found, seen: &mut Seen| {
            let candidate = Candidate { history: owner.history(), is_clean: kind.has_copy() };
            let score = policy.score(candidate, before);
            if best.as_ref().is_some_and(|(best, ..)| *best >= score) {
                seen.push(owner);
            } else {
                seen.extend(best.replace((score, bytes, owner)).map(|(.., old)| old));
            }
            best.as_ref().map_or(0, |(_, bytes, _)| *bytes)
        };
        let (mut seen, mut best_bytes) = (Seen::new(), 0);
        for Padded(shard) in &self.shards {
            let mut shard = shard.lock();
            for &kind in kinds.iter().filter(|kind| is_taken(**kind, usize::MAX)) {
                if let Some((bytes, owner)) = shard.head(kind, before, &mut seen) {
                    best_bytes = compare((kind, bytes, owner), &mut seen);
                }
            }
            // Which allocations are small enough is known of all of them only.
            let samples = if refused.is_some() { usize::MAX } else { policy.samples(best_bytes) };
            shard.sample(samples, kinds, before, &mut seen, |(kind, bytes, owner), seen| {
                if is_taken(kind, bytes) && !owner.state().is_held() {
                    compare((kind, bytes, owner), seen);
                } else {
                    seen.push(owner);
                }
            });
        }
        best.map(|(.., owner)| owner)
    }

    /// Of a few resident allocations, how many there are and how many of them were used since `then`.
    pub(super) fn used_since(&self, then: u64) -> (usize, usize) {
        let (mut seen, mut asked) = (Seen::new(), SmallVec::<[Arc<Owner>; 32]>::new());
        for Padded(shard) in &self.shards {
            shard
                .lock()
                .sample(ASKED, &Kind::RESIDENT, u64::MAX, &mut seen, |(_, _, owner), _| asked.push(owner));
        }
        (asked.len(), asked.iter().filter(|owner| owner.last_use() > then).count())
    }

    /// Calls `visit` for every allocation, a batch at a time with no lock held.
    pub(in crate::spill) fn for_each(&self, mut visit: impl FnMut(&Owner)) {
        for Padded(shard) in &self.shards {
            let owners: Vec<Arc<Owner>> =
                shard.lock().entries.iter().flatten().filter_map(|entry| entry.owner.upgrade()).collect();
            for owner in &owners {
                visit(owner);
            }
        }
    }
}

/// The tier that has the bytes or a copy of them.
fn copy_of(owner: &Owner) -> Option<Tier> {
    owner.payload_bytes().map(|(tier, _)| tier)
}

impl Shard {
    fn queue(&mut self, at: usize, kind: Kind, since: u64) {
        if kind != Kind::Disk {
            self.queues[kind as usize].push(Reverse((since, at)));
            self.queued += 1;
        }
    }

    /// The head of a queue, after stale entries are requeued: the least recently used entry, unless it was used since
    /// `before`.
    fn head(&mut self, kind: Kind, before: u64, seen: &mut Seen) -> Option<(usize, Arc<Owner>)> {
        let queue = &mut self.queues[kind as usize];
        loop {
            let &Reverse((since, at)) = queue.peek().filter(|Reverse((since, _))| *since < before)?;
            let current =
                self.entries[at].as_mut().filter(|entry| entry.kind == kind && entry.since == since);
            let owner = current.and_then(|entry| Some((entry.owner.upgrade()?, entry)));
            let Some((owner, entry)) = owner else {
                queue.pop();
                self.queued -= 1;
                continue;
            };
            let last_use = owner.last_use();
            if last_use == since {
                return Some((entry.bytes, owner));
            }
            entry.since = last_use;
            queue.pop();
            queue.push(Reverse((last_use, at)));
            seen.push(owner);
        }
    }

    /// Calls `visit` for those of `count` entries, evenly spaced and others every time, that are of one of these kinds and
    /// were not used since `before`.
    fn sample(
        &mut self,
        count: usize,
        kinds: &[Kind],
        before: u64,
        seen: &mut Seen,
        mut visit: impl FnMut(Found, &mut Seen),
    ) {
        let all = self.entries.len();
        let count = count.min(all);
        for at in 0..count {
            let entry = self.entries[(self.hand + at * all / count) % all].as_ref();
            let Some(entry) = entry.filter(|entry| kinds.contains(&entry.kind)) else { continue };
            let Some(owner) = entry.owner.upgrade() else { continue };
            if owner.last_use() < before {
                visit((entry.kind, entry.bytes, owner), seen);
            } else {
                seen.push(owner);
            }
        }
        self.hand = (self.hand + 1) % all.max(1);
    }

    /// Removes stale entries from the queues when they outnumber the live ones.
    fn tidy(&mut self) {
        let live = self.entries.len() - self.vacant.len();
        if self.queued <= 2 * live + 64 {
            return;
        }
        self.queues.iter_mut().for_each(BinaryHeap::clear);
        self.queued = 0;
        for at in 0..self.entries.len() {
            if let Some(Entry { kind, since, .. }) = self.entries[at] {
                self.queue(at, kind, since);
            }
        }
    }
}

/// A time that is after every use so far.
pub(in crate::spill) fn after_all_uses() -> u64 {
    now()
}
