//! What happened when.

use std::time::{Duration, Instant};

use crate::owner::now;
use crate::sync::global::{AtomicU64, AtomicUsize, Mutex, OnceLock, Ordering};
use crate::{Device, Tier};

use super::{ByTier, Cause, Move};

/// Moves that are kept: the latest. Places for all of them, 7 MiB, are made at the first. Few for the interpreter, which
/// takes half a minute to make as many.
pub(super) const MOVES: usize = if cfg!(miri) { 1 << 8 } else { 1 << 16 };
/// Samples that are kept at most; when there are more, neighbours are put together.
const SAMPLES: usize = 1 << 11;
/// The time that one sample stands for once there are more than are kept.
const FIRST_INTERVAL: Duration = Duration::from_micros(100);

/// Moves between tiers, and bytes in use over time: see [`SpillStatistics::timeline`](super::SpillStatistics::timeline).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The manager's device.
    pub device: Device,
    /// Since the manager was made.
    pub elapsed: Duration,
    /// The latest moves, by start.
    pub moves: Vec<MoveEvent>,
    /// Earlier moves, which are forgotten.
    pub forgotten: u64,
    /// Bytes in use, from the beginning on, by time.
    pub samples: Vec<Sample>,
}

/// A copy from one tier to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEvent {
    /// When it started, since the manager was made.
    pub started: Duration,
    /// How long it took.
    pub duration: Duration,
    /// How long it waited before.
    pub queued: Duration,
    /// Where from.
    pub from: Tier,
    /// Where to.
    pub to: Tier,
    /// Bytes copied.
    pub bytes: usize,
    /// Bytes that it gave back in `from`.
    pub freed: usize,
    /// What led to it.
    pub cause: Cause,
    /// The identity of the allocation.
    pub owner: u64,
}

/// Bytes in use for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The beginning of that time, since the manager was made; it goes on until the next sample.
    pub at: Duration,
    /// The most bytes in use of each tier in that time.
    pub bytes: ByTier<usize>,
    /// The device limit at its end.
    pub limit: Option<usize>,
}

impl Sample {
    /// Makes this one stand for its own time and that of `later`, which follows it: the most of both, and the later
    /// limit.
    pub fn join(&mut self, later: &Self) {
        self.bytes = ByTier::from_fn(|tier| self.bytes[tier].max(later.bytes[tier]));
        self.limit = later.limit;
    }
}

/// The moves of late. A writer takes a number, then the lock of that place alone.
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

    /// The moves that are kept, by start, and how many are not.
    pub(super) fn load(&self) -> (Vec<MoveEvent>, u64) {
        let forgotten = self.next.load(Ordering::Relaxed).saturating_sub(MOVES as u64);
        let places = self.places.get().map_or(&[][..], |places| places);
        let mut moves: Vec<_> = places.iter().filter_map(|place| *place.lock()).collect();
        moves.sort_by_key(|event| event.started);
        (moves, forgotten)
    }
}

/// Bytes in use, as threads tell them.
///
/// Once a sample stands for some time, what is told within that time raises the most of it: a look at the processor's
/// counter, and no lock.
#[derive(Debug)]
pub(super) struct Sampler {
    samples: Mutex<Samples>,
    /// When the next sample is due, on the processor's counter.
    due: AtomicU64,
    /// The most bytes in use since the last sample.
    most: ByTier<AtomicUsize>,
    /// Bytes in use as last told.
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

    /// Notes bytes in use of the device alone; the others are as they were.
    pub(super) fn note_device(&self, bytes: usize, limit: Option<usize>) {
        let mut all = load(&self.latest);
        all[Tier::Device] = bytes;
        self.note(all, limit);
    }

    pub(super) fn note(&self, bytes: ByTier<usize>, limit: Option<usize>) {
        for (tier, &bytes) in bytes.iter() {
            self.latest[tier].store(bytes, Ordering::Relaxed);
        }
        let counter = now();
        if counter < self.due.load(Ordering::Relaxed) {
            return self.raise(&bytes);
        }
        // Two threads that change usage at one time see nearly the same: one sample will do.
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
            // Most raise nothing: a load is cheaper than an update.
            if bytes > self.most[tier].load(Ordering::Relaxed) {
                self.most[tier].fetch_max(bytes, Ordering::Relaxed);
            }
        }
    }

    /// How far the counter goes in `interval`, as it went from the beginning until now.
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

/// Bytes in use from the beginning on, ever coarser.
#[derive(Debug, Default)]
pub(super) struct Samples {
    kept: Vec<Sample>,
    /// The time that a sample stands for; zero as long as all are kept.
    interval: Duration,
}

impl Samples {
    /// So much was in use in the time of the last sample.
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
