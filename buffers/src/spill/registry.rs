//! Every allocation that could move, and which of them should.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smallvec::SmallVec;

use super::Estimators;
use crate::Tier;
use crate::owner::{Outlook, Owner, Residency, now};
use crate::stripes::Padded;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Arc, Mutex};
use std::sync::Weak;

/// What an allocation would be a victim of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// At home, and nowhere else.
    Resident,
    /// At home with a copy in pinned memory, so that leaving costs nothing.
    CleanPinned,
    /// The same with a copy in pageable memory.
    CleanPageable,
    /// The same with a copy on the disk.
    CleanDisk,
    /// In pinned memory alone.
    Pinned,
    /// In pageable memory alone.
    Pageable,
    /// On the disk alone, from where there is nowhere to go.
    Disk,
}

impl Kind {
    /// What is at home.
    pub(super) const RESIDENT: [Self; 4] =
        [Self::Resident, Self::CleanPinned, Self::CleanPageable, Self::CleanDisk];

    /// What an allocation with a copy in `copy` is a victim of now; `None` while it is on its way, at the end of which
    /// somebody asks again.
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

    pub(super) fn spilled(tier: Tier) -> Self {
        match tier {
            Tier::Device => Self::Resident,
            Tier::Pinned => Self::Pinned,
            Tier::Pageable => Self::Pageable,
            Tier::Disk => Self::Disk,
        }
    }

    /// At home with a copy in `tier`.
    pub(super) fn clean(tier: Tier) -> Self {
        match tier {
            Tier::Device => Self::Resident,
            Tier::Pinned => Self::CleanPinned,
            Tier::Pageable => Self::CleanPageable,
            Tier::Disk => Self::CleanDisk,
        }
    }

    /// Whether a copy is below, so that leaving takes no room there.
    fn has_copy(self) -> bool {
        matches!(self, Self::CleanPinned | Self::CleanPageable | Self::CleanDisk)
    }

    /// What a byte of such an allocation costs to move away and back, in copies.
    fn copies(self) -> f64 {
        if self.has_copy() { 1.0 } else { 2.0 }
    }
}

/// Where an allocation stands in the registry; kept in the allocation, so that finding it costs nothing.
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
/// Joining and leaving take constant time. A use of an allocation changes nothing here: its time of use is its own,
/// and queues are put in order when somebody asks for their heads.
pub(super) struct Registry {
    shards: Box<[Padded<Mutex<Shard>>]>,
}

/// Allocations are spread over this many locks by their numbers.
const SHARDS: u64 = 8;
/// Sizes by powers of two, from 2^6 to 2^47.
const CLASSES: usize = 42;
const SMALLEST: u32 = 6;
const KINDS: usize = 7;

#[derive(Default)]
struct Shard {
    entries: Vec<Option<Entry>>,
    vacant: Vec<usize>,
    /// For each kind and size the entries with the times of use that they were queued with, oldest first. An entry
    /// that has changed kind or was used since is stale here and put right when it comes to the head.
    queues: Vec<BinaryHeap<Reverse<(u64, usize)>>>,
    /// A bit for each size whose queue of a kind has entries.
    occupied: [u64; KINDS],
    queued: usize,
    /// The entry to look at next of those that are not at the head of a queue.
    hand: usize,
}

struct Entry {
    owner: Weak<Owner>,
    kind: Kind,
    bytes: usize,
    /// The time of use that it is queued with.
    since: u64,
}

/// A possible victim.
struct Candidate {
    owner: Arc<Owner>,
    bytes: usize,
    outlook: Outlook,
    score: f64,
}

/// What an allocation is a victim of, its bytes, and itself.
type Found = (Kind, usize, Arc<Owner>);
/// Shares to be dropped when no lock is held.
type Seen = SmallVec<[Arc<Owner>; 16]>;

/// Entries that are looked at beside the heads of the queues, in each shard: those of which a rhythm says that they
/// will not be used for long are not the ones that were not used for long.
const SAMPLED: usize = 8;
/// The same where what is used in turn leaves last used first, for which no queue is in order: an entry for so many bytes
/// of a victim, which is what a worse choice would move, up to [`MOST_SAMPLED`].
const SAMPLED_FOR: usize = 512;
const MOST_SAMPLED: usize = 128;
/// Entries of each shard that are asked whether they were used.
const ASKED: usize = 4;

impl Registry {
    pub(super) fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Padded(Mutex::new(Shard::default()))).collect() }
    }

    fn shard(&self, owner: &Owner) -> &Mutex<Shard> {
        &self.shards[(owner.id() % SHARDS) as usize].0
    }

    /// Takes an allocation in.
    pub(super) fn add(&self, owner: &Arc<Owner>) {
        let (since, bytes) = (owner.last_use(), owner.bytes());
        let kind = Kind::of(owner, copy_of(owner)).unwrap_or(Kind::Resident);
        let entry = Entry { owner: Arc::downgrade(owner), kind, bytes, since };
        let mut shard = self.shard(owner).lock();
        let at = shard.vacant.pop().unwrap_or_else(|| {
            shard.entries.push(None);
            shard.entries.len() - 1
        });
        shard.entries[at] = Some(entry);
        shard.queue(at, kind, bytes, since);
        owner.slot().0.store(at, Ordering::Relaxed);
    }

    /// Lets an allocation go. Says whether it had been taken in.
    pub(super) fn remove(&self, owner: &Owner) -> bool {
        let at = owner.slot().0.load(Ordering::Relaxed);
        if at == NO_INDEX {
            return false;
        }
        let mut shard = self.shard(owner).lock();
        shard.entries[at] = None;
        shard.vacant.push(at);
        shard.tidy();
        true
    }

    /// Says that an allocation has come to rest, maybe elsewhere than before. Where it is now is looked up under the lock,
    /// so that of two who say so at once the last one leaves the truth.
    pub(super) fn settled(&self, owner: &Owner) {
        let at = owner.slot().0.load(Ordering::Relaxed);
        if at == NO_INDEX {
            return;
        }
        // Which tier has a clean copy is looked up before, under the allocation's lock, which is never taken inside this
        // one: should it be another by now, whoever counts on it finds out.
        let (since, bytes, copy) = (owner.last_use(), owner.bytes(), copy_of(owner));
        let mut shard = self.shard(owner).lock();
        let Some(kind) = Kind::of(owner, copy) else { return };
        if let Some(entry) = &mut shard.entries[at] {
            if (entry.kind, entry.bytes, entry.since) == (kind, bytes, since) {
                return;
            }
            (entry.kind, entry.bytes, entry.since) = (kind, bytes, since);
            shard.queue(at, kind, bytes, since);
            shard.tidy();
        }
    }

    /// The allocation of these kinds that was not used since `before` and is worth most to move away: of those that
    /// were not used for longest in their size, and of a few others, or many where all are used in `turn`. Where `refused`
    /// bytes are not taken below, nothing as large is picked that has to be copied there.
    pub(super) fn pick(
        &self,
        kinds: &[Kind],
        need: usize,
        before: u64,
        turn: Option<u64>,
        refused: Option<usize>,
        estimators: Estimators,
    ) -> Option<(Arc<Owner>, Outlook)> {
        let refused = refused.map_or(CLASSES, class);
        let is_taken = |kind: Kind, class: usize| class < refused || kind.has_copy();
        let smaller = (1 << refused) - 1;
        let mut best: Option<Candidate> = None;
        let weigh = |best: &mut Option<Candidate>, (kind, bytes, owner): Found, seen: &mut Seen| {
            let outlook = owner.recency().outlook(before, turn, estimators.reuse_interval);
            let score = score(kind, bytes, need, outlook, estimators);
            match best {
                Some(best) if best.score >= score => seen.push(owner),
                best => {
                    let better = Candidate { owner, bytes, outlook, score };
                    seen.extend(best.replace(better).map(|old| old.owner));
                }
            }
        };
        // Dropped after the lock: the last share of an allocation takes it out of here.
        let mut seen = Seen::new();
        for Padded(shard) in &self.shards {
            let mut shard = shard.lock();
            for &kind in kinds {
                let mut classes = shard.occupied[kind as usize];
                if !kind.has_copy() {
                    classes &= smaller;
                }
                while classes != 0 {
                    let class = classes.trailing_zeros() as usize;
                    classes &= classes - 1;
                    if let Some((bytes, owner)) = shard.head(kind, class, before, &mut seen) {
                        weigh(&mut best, (kind, bytes, owner), &mut seen);
                    }
                }
            }
            let worth = best.as_ref().map_or(0, |best| best.bytes.min(need));
            let fixed = if estimators.reuse_interval { SAMPLED } else { 0 };
            let sampled = turn.map_or(fixed, |_| (worth / SAMPLED_FOR).clamp(SAMPLED, MOST_SAMPLED));
            shard.sample(sampled, kinds, before, &mut seen, |(kind, bytes, owner), seen| {
                if is_taken(kind, class(bytes)) && !owner.state().is_held() {
                    weigh(&mut best, (kind, bytes, owner), seen);
                } else {
                    seen.push(owner);
                }
            });
        }
        best.map(|best| (best.owner, best.outlook))
    }

    /// Of a few allocations at home, how many there are and how many of them were used since then.
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
    pub(super) fn for_each(&self, mut visit: impl FnMut(&Owner)) {
        for Padded(shard) in &self.shards {
            let owners: Vec<Arc<Owner>> =
                shard.lock().entries.iter().flatten().filter_map(|entry| entry.owner.upgrade()).collect();
            for owner in &owners {
                visit(owner);
            }
        }
    }
}

/// How much there is to gain by moving an allocation: the bytes that serve the need, for each byte that has to be
/// copied, weighed by how long nobody is expected to want it.
///
/// Two forces keep the victim near the size of the need: bytes beyond it gain nothing, and every victim costs
/// [`OVERHEAD`] on top of its bytes.
#[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
fn score(kind: Kind, bytes: usize, need: usize, outlook: Outlook, estimators: Estimators) -> f64 {
    let gain = bytes.min(need.max(1)) as f64 / (bytes + OVERHEAD) as f64;
    let cost = if estimators.clean { kind.copies() } else { 1.0 };
    outlook.weight() * if estimators.size { gain } else { 1.0 } / cost
}

/// What moving an allocation costs beside its bytes: a few driver calls, as long as this many bytes take.
const OVERHEAD: usize = 64 << 10;

/// The tier that has the bytes or a copy of them.
fn copy_of(owner: &Owner) -> Option<Tier> {
    owner.payload_bytes().map(|(tier, _)| tier)
}

fn class(bytes: usize) -> usize {
    (bytes.max(1).ilog2().saturating_sub(SMALLEST) as usize).min(CLASSES - 1)
}

impl Shard {
    fn queue(&mut self, at: usize, kind: Kind, bytes: usize, since: u64) {
        if kind == Kind::Disk {
            return;
        }
        if self.queues.is_empty() {
            self.queues.resize_with(KINDS * CLASSES, BinaryHeap::new);
        }
        let class = class(bytes);
        self.queues[kind as usize * CLASSES + class].push(Reverse((since, at)));
        self.occupied[kind as usize] |= 1 << class;
        self.queued += 1;
    }

    /// The head of a queue, put in order: the entry that was used longest ago, unless that is after `before`.
    fn head(
        &mut self,
        kind: Kind,
        class_index: usize,
        before: u64,
        seen: &mut Seen,
    ) -> Option<(usize, Arc<Owner>)> {
        let index = kind as usize * CLASSES + class_index;
        loop {
            let Some(&Reverse((since, at))) = self.queues[index].peek() else {
                self.occupied[kind as usize] &= !(1 << class_index);
                return None;
            };
            if since >= before {
                return None;
            }
            let current = self.entries[at].as_mut().filter(|entry| {
                entry.kind == kind && entry.since == since && class(entry.bytes) == class_index
            });
            let owner = current.and_then(|entry| Some((entry.owner.upgrade()?, entry)));
            let Some((owner, entry)) = owner else {
                self.queues[index].pop();
                self.queued -= 1;
                continue;
            };
            let last_use = owner.last_use();
            if last_use == since {
                return Some((entry.bytes, owner));
            }
            entry.since = last_use;
            self.queues[index].pop();
            self.queues[index].push(Reverse((last_use, at)));
            seen.push(owner);
        }
    }

    /// Calls `visit` for those of `count` entries, as far from each other as they can be and others every time, that are
    /// of one of these kinds and were not used since `before`.
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

    /// Throws stale entries out of the queues when they outnumber the live ones.
    fn tidy(&mut self) {
        let live = self.entries.len() - self.vacant.len();
        if self.queued <= 2 * live + 64 {
            return;
        }
        self.queues.iter_mut().for_each(BinaryHeap::clear);
        self.occupied = [0; KINDS];
        self.queued = 0;
        for at in 0..self.entries.len() {
            if let Some(Entry { kind, bytes, since, .. }) = self.entries[at] {
                self.queue(at, kind, bytes, since);
            }
        }
    }
}

/// A time that is after every use so far.
pub(super) fn after_all_uses() -> u64 {
    now()
}
