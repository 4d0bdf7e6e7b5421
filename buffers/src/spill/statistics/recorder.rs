//! The counters of the levels.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::sync::global::{AtomicU64, Mutex, Ordering};
use crate::{Device, Tier};

use super::evictions::Evictions;
use super::histogram::{HistogramCounter, nanoseconds};
use super::sites::CallSites;
use super::snapshot::{Amount, EdgeSnapshot, Flow, Overruns, Refusal, SpillSnapshot, WaitSnapshot};
use super::timeline::{Moves, Sampler, Timeline};
use super::{ByTier, Cause, MemoryUsage, Move, StatisticsLevel, Wait};

/// The number of latest refusals that are kept in detail.
const REFUSALS: usize = 32;

#[derive(Debug, Default)]
struct AmountCounter {
    count: AtomicU64,
    bytes: AtomicU64,
}

impl AmountCounter {
    fn add(&self, bytes: usize) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    fn load(&self) -> Amount {
        Amount { count: self.count.load(Ordering::Relaxed), bytes: self.bytes.load(Ordering::Relaxed) }
    }
}

#[derive(Debug, Default)]
struct CauseCounters([AmountCounter; Cause::ALL.len()]);

impl CauseCounters {
    fn add(&self, cause: Cause, bytes: usize) {
        self.0[cause as usize].add(bytes);
    }

    fn load(&self) -> Vec<(Cause, Amount)> {
        let causes = Cause::ALL.into_iter().zip(self.0.iter().map(AmountCounter::load));
        causes.filter(|(_, amount)| amount.count > 0).collect()
    }

    fn sum(&self) -> Amount {
        self.0.iter().map(AmountCounter::load).fold(Amount::default(), |sum, amount| Amount {
            count: sum.count + amount.count,
            bytes: sum.bytes + amount.bytes,
        })
    }
}

/// Counters of one direction between two tiers, in cache lines of their own: often two threads count the two
/// directions at the same time.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Edge {
    causes: CauseCounters,
    freed: AtomicU64,
    duration: AtomicU64,
    queued: AtomicU64,
    latency: HistogramCounter,
    thrash: AmountCounter,
}

impl Edge {
    fn load(&self, from: Tier, to: Tier) -> EdgeSnapshot {
        EdgeSnapshot {
            from,
            to,
            moved: self.causes.sum(),
            freed: self.freed.load(Ordering::Relaxed),
            duration: Duration::from_nanos(self.duration.load(Ordering::Relaxed)),
            queued: Duration::from_nanos(self.queued.load(Ordering::Relaxed)),
            latency: self.latency.load(),
            causes: self.causes.load(),
            thrash: self.thrash.load(),
        }
    }
}

#[derive(Debug, Default)]
#[repr(align(128))]
struct FlowCounter {
    born: AtomicU64,
    entered: AtomicU64,
    left: AtomicU64,
    dropped: AtomicU64,
}

impl FlowCounter {
    fn load(&self) -> Flow {
        Flow {
            born: self.born.load(Ordering::Relaxed),
            entered: self.entered.load(Ordering::Relaxed),
            left: self.left.load(Ordering::Relaxed),
            dropped: self.dropped.load(Ordering::Relaxed),
        }
    }
}

#[derive(Debug, Default)]
struct WaitCounter {
    duration: AtomicU64,
    latency: HistogramCounter,
}

impl WaitCounter {
    fn load(&self, what: Wait) -> WaitSnapshot {
        let latency = self.latency.load();
        let duration = Duration::from_nanos(self.duration.load(Ordering::Relaxed));
        WaitSnapshot { what, count: latency.count(), duration, latency }
    }
}

/// All counters, whatever the level; the caller has checked the level.
#[derive(Debug)]
pub(super) struct Recorder {
    began: Instant,
    edges: ByTier<ByTier<Edge>>,
    flows: ByTier<FlowCounter>,
    skipped: CauseCounters,
    pub(super) evictions: Evictions,
    waits: [WaitCounter; Wait::ALL.len()],
    refused: AmountCounter,
    refusals: Mutex<VecDeque<Refusal>>,
    overruns: AtomicU64,
    largest_overrun: AtomicU64,
    sites: CallSites,
    moves: Moves,
    pub(super) samples: Sampler,
}

impl Recorder {
    pub(super) fn new() -> Self {
        let began = Instant::now();
        Self {
            began,
            edges: ByTier::default(),
            flows: ByTier::default(),
            skipped: CauseCounters::default(),
            evictions: Evictions::default(),
            waits: Default::default(),
            refused: AmountCounter::default(),
            refusals: Mutex::default(),
            overruns: AtomicU64::new(0),
            largest_overrun: AtomicU64::new(0),
            sites: CallSites::default(),
            moves: Moves::default(),
            samples: Sampler::new(began),
        }
    }

    pub(super) fn sites(&self) -> &CallSites {
        &self.sites
    }

    pub(super) fn moved(&self, done: &Move) {
        let edge = &self.edges[done.from][done.to];
        edge.causes.add(done.cause, done.bytes);
        edge.freed.fetch_add(done.freed as u64, Ordering::Relaxed);
        edge.duration.fetch_add(nanoseconds(done.duration), Ordering::Relaxed);
        edge.queued.fetch_add(nanoseconds(done.queued), Ordering::Relaxed);
        edge.latency.add(done.duration);
        self.flows[done.to].entered.fetch_add(done.bytes as u64, Ordering::Relaxed);
        self.flows[done.from].left.fetch_add(done.freed as u64, Ordering::Relaxed);
        // If nothing was freed, the allocation was used again before its eviction ended.
        if done.from == Tier::Device && done.freed > 0 {
            self.evictions.evicted(done.owner, done.started + done.duration, done.freed as u64);
        } else if done.to == Tier::Device && self.evictions.unspilled(done.owner, done.started) {
            edge.thrash.add(done.bytes);
        }
        self.moves.push(done, self.began);
    }

    pub(super) fn skipped_copy(&self, bytes: usize, cause: Cause, owner: u64) {
        self.skipped.add(cause, bytes);
        self.flows[Tier::Device].left.fetch_add(bytes as u64, Ordering::Relaxed);
        self.evictions.evicted(owner, Instant::now(), bytes as u64);
    }

    pub(super) fn born(&self, tier: Tier, bytes: usize) {
        self.flows[tier].born.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn dropped(&self, tier: Tier, bytes: usize) {
        self.flows[tier].dropped.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn gone(&self, owner: u64) {
        self.evictions.ended(owner, Instant::now());
    }

    /// Makes the flows consistent with the resident bytes, whatever happened while nothing was counted.
    pub(super) fn begin_with(&self, resident: &ByTier<usize>) {
        for (tier, &bytes) in resident.iter() {
            let flow = &self.flows[tier];
            let missing = bytes as i128 - flow.load().resident();
            let (counter, bytes) =
                if missing > 0 { (&flow.born, missing) } else { (&flow.dropped, -missing) };
            counter.fetch_add(u64::try_from(bytes).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    pub(super) fn waited(&self, what: Wait, duration: Duration) {
        let wait = &self.waits[what as usize];
        wait.duration.fetch_add(nanoseconds(duration), Ordering::Relaxed);
        wait.latency.add(duration);
    }

    pub(super) fn refused(&self, requested: usize, usage: Option<MemoryUsage>) {
        self.refused.add(requested);
        let Some(usage) = usage else { return };
        let at = self.began.elapsed();
        let mut latest = self.refusals.lock();
        if latest.len() == REFUSALS {
            latest.pop_front();
        }
        latest.push_back(Refusal { at, requested, usage });
    }

    pub(super) fn overrun(&self, bytes: usize) {
        self.overruns.fetch_add(1, Ordering::Relaxed);
        self.largest_overrun.fetch_max(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn snapshot(&self, device: Device, level: StatisticsLevel) -> SpillSnapshot {
        let pairs = Tier::ALL.into_iter().flat_map(|from| Tier::ALL.into_iter().map(move |to| (from, to)));
        let edges = pairs.map(|(from, to)| self.edges[from][to].load(from, to));
        let waits = Wait::ALL.into_iter().map(|what| self.waits[what as usize].load(what));
        SpillSnapshot {
            device,
            level,
            elapsed: self.began.elapsed(),
            edges: edges.filter(|edge| edge.moved.count > 0).collect(),
            flows: ByTier::from_fn(|tier| self.flows[tier].load()),
            skipped_copies: self.skipped.sum(),
            skipped_causes: self.skipped.load(),
            spilled_time: self.evictions.load(Instant::now()),
            waits: waits.filter(|wait| wait.count > 0).collect(),
            refused: self.refused.load(),
            refusals: self.refusals.lock().iter().copied().collect(),
            overruns: Overruns {
                count: self.overruns.load(Ordering::Relaxed),
                largest: self.largest_overrun.load(Ordering::Relaxed),
            },
            exposures: self.sites.exposures(),
            pins: self.sites.pins(),
        }
    }

    pub(super) fn timeline(&self, device: Device) -> Timeline {
        let (moves, forgotten) = self.moves.load();
        let samples = self.samples.load();
        Timeline { device, elapsed: self.began.elapsed(), moves, forgotten, samples }
    }
}
