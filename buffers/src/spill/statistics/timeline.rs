//! The moves and the memory usage over time.

use std::time::{Duration, Instant};

use crate::owner::now;
use crate::sync::global::{AtomicU64, AtomicUsize, Mutex, OnceLock, Ordering};
use crate::{Device, Tier};

use super::{ByTier, Cause, Move};

/// The number of latest moves that are kept. Memory for all of them, 7 MiB, is allocated at the first. Fewer
/// under Miri, which takes half a minute to allocate as many.
pub(super) const MOVES: usize = if cfg!(miri) { 1 << 8 } else { 1 << 16 };
/// The most samples; if there are more, neighbours are merged.
const SAMPLES: usize = 1 << 11;
/// The interval of one sample once samples are merged.
const FIRST_INTERVAL: Duration = Duration::from_micros(100);

/// Moves between tiers, and bytes in use over time: see [`SpillStatistics::timeline`](super::SpillStatistics::timeline).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The manager's device.
    pub device: Device,
    /// The time since the manager was made.
    pub elapsed: Duration,
    /// The latest moves, by start.
    pub moves: Vec<MoveEvent>,
    /// The number of earlier moves, which are not kept.
    pub forgotten: u64,
    /// Bytes in use since the beginning, by time.
    pub samples: Vec<Sample>,
}

/// A copy from one tier to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEvent {
    /// The start, since the manager was made.
    pub started: Duration,
    /// The duration.
    pub duration: Duration,
    /// The time between decision and start.
    pub queued: Duration,
    /// The source tier.
    pub from: Tier,
    /// The target tier.
    pub to: Tier,
    /// Bytes copied.
    pub bytes: usize,
    /// Bytes freed in `from`.
    pub freed: usize,
    /// The cause.
    pub cause: Cause,
    /// The allocation's identifier.
    pub owner: u64,
}

/// Bytes in use during an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The start of the interval, since the manager was made; it lasts until the next sample.
    pub at: Duration,
    /// The most bytes in use of each tier in the interval.
    pub bytes: ByTier<usize>,
    /// The device limit at the end of the interval.
    pub limit: Option<usize>,
}

impl Sample {
    /// Extends this sample by the interval of `later`, which follows it: the larger bytes of both, and the
    /// later limit.
    pub fn join(&mut self, later: &Self) {
        self.bytes = ByTier::from_fn(|tier| self.bytes[tier].max(later.bytes[tier]));
        self.limit = later.limit;
    }
}

/// The latest moves. A writer takes a number, then the lock of that element alone.
#[derive(Debug, Default)]
pub(super) struct Moves {
    places: OnceLock<Box<[Mutex<Option<MoveEvent>>]>>,
    next: AtomicU64,
}

impl Moves {
    pub(super) fn push(&self, done: &Move, began: Instant) {
        let places = self.places.get_or_init(|| (0..MOVES).map(|_| Mutex::new(None)).collect());
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        #[expect(clippy::cast_possible_truncation, reason = "the remainder is small")]
        let place = (number % MOVES as u64) as usize;
        *places[place].lock() = Some(MoveEvent {
            started: done.started.saturating_duration_since(began),
            duration: done.duration,
            queued: done.queued,
            from: done.from,
            to: done.to,
            bytes: done.bytes,
            freed: done.freed,
            cause: done.cause,
            owner: done.owner,
        });
    }

    /// The kept moves, by start, and the number of moves that are not kept.
    pub(super) fn load(&self) -> (Vec<MoveEvent>, u64) {
        let forgotten = self.next.load(Ordering::Relaxed).saturating_sub(MOVES as u64);
        let places = self.places.get().map_or(&[][..], |places| places);
        let mut moves: Vec<_> = places.iter().filter_map(|place| *place.lock()).collect();
        moves.sort_by_key(|event| event.started);
        (moves, forgotten)
    }
}

/// Bytes in use, as reported by threads.
///
/// Once samples have an interval, values reported within it raise its maximum: one read of the processor's
/// counter, and no lock.
#[derive(Debug)]
pub(super) struct Sampler {
    samples: Mutex<Samples>,
    /// When the next sample is due, on the processor's counter.
    due: AtomicU64,
    /// The most bytes in use since the last sample.
    most: ByTier<AtomicUsize>,
    /// The latest reported bytes in use.
    latest: ByTier<AtomicUsize>,
    began: Instant,
    /// The same on the processor's counter.
    began_counter: u64,
}

impl Sampler {
    pub(super) fn new(began: Instant) -> Self {
        Self {
            samples: Mutex::default(),
            due: AtomicU64::new(0),
            most: ByTier::default(),
            latest: ByTier::default(),
            began,
            began_counter: now(),
        }
    }

    /// Records bytes in use of the device only; the other tiers are unchanged.
    pub(super) fn note_device(&self, (bytes, limit): (usize, Option<usize>)) {
        let mut all = load(&self.latest);
        all[Tier::Device] = bytes;
        self.note((all, limit));
    }

    pub(super) fn note(&self, (bytes, limit): (ByTier<usize>, Option<usize>)) {
        for (tier, &bytes) in bytes.iter() {
            self.latest[tier].store(bytes, Ordering::Relaxed);
        }
        let counter = now();
        if counter < self.due.load(Ordering::Relaxed) {
            return self.raise(&bytes);
        }
        // Two threads that change usage at the same time report nearly equal values: one sample suffices.
        let Some(mut samples) = self.samples.try_lock() else { return self.raise(&bytes) };
        let at = self.began.elapsed();
        samples.raise_last(&load(&self.most));
        samples.push(Sample { at, bytes, limit });
        for (tier, &bytes) in bytes.iter() {
            self.most[tier].store(bytes, Ordering::Relaxed);
        }
        self.due.store(counter.saturating_add(self.ticks(samples.interval, at, counter)), Ordering::Relaxed);
    }

    fn raise(&self, bytes: &ByTier<usize>) {
        for (tier, &bytes) in bytes.iter() {
            // Most values do not raise the maximum: a load is cheaper than an update.
            if bytes > self.most[tier].load(Ordering::Relaxed) {
                self.most[tier].fetch_max(bytes, Ordering::Relaxed);
            }
        }
    }

    /// The increase of the counter during `interval`, at its rate since the beginning.
    fn ticks(&self, interval: Duration, elapsed: Duration, counter: u64) -> u64 {
        let ticks = u128::from(counter.saturating_sub(self.began_counter));
        let due = ticks * interval.as_nanos() / elapsed.as_nanos().max(1);
        u64::try_from(due).unwrap_or(u64::MAX)
    }

    pub(super) fn load(&self) -> Vec<Sample> {
        let mut samples = self.samples.lock();
        samples.raise_last(&load(&self.most));
        let mut kept = samples.kept.clone();
        drop(samples);
        let (at, bytes) = (self.began.elapsed(), load(&self.latest));
        if let Some(&last) = kept.last()
            && last.bytes != bytes
        {
            kept.push(Sample { at, bytes, limit: last.limit });
        }
        kept
    }
}

fn load(bytes: &ByTier<AtomicUsize>) -> ByTier<usize> {
    ByTier::from_fn(|tier| bytes[tier].load(Ordering::Relaxed))
}

/// Bytes in use since the beginning, with growing intervals.
#[derive(Debug, Default)]
pub(super) struct Samples {
    kept: Vec<Sample>,
    /// The interval of a sample; zero as long as all samples are kept.
    interval: Duration,
}

impl Samples {
    /// Raises the maximum of the last sample.
    fn raise_last(&mut self, most: &ByTier<usize>) {
        if let Some(last) = self.kept.last_mut() {
            last.bytes = ByTier::from_fn(|tier| last.bytes[tier].max(most[tier]));
        }
    }

    pub(super) fn push(&mut self, sample: Sample) {
        while self.kept.len() == SAMPLES {
            self.interval = (self.interval * 2).max(FIRST_INTERVAL);
            let fine = std::mem::take(&mut self.kept);
            for sample in fine {
                self.append(sample);
            }
        }
        self.append(sample);
    }

    fn append(&mut self, sample: Sample) {
        match self.kept.last_mut() {
            Some(last) if sample.at.saturating_sub(last.at) < self.interval => last.join(&sample),
            _ => self.kept.push(sample),
        }
    }

    #[cfg(test)]
    #[cfg(not(shuttle))]
    pub(super) fn load(&self) -> Vec<Sample> {
        self.kept.clone()
    }
}
