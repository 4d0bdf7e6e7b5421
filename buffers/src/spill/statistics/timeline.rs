//! What happened when.

use std::time::{Duration, Instant};

use crate::sync::global::{AtomicU64, Mutex, OnceLock, Ordering};
use crate::{Device, Tier};

use super::{ByTier, Cause, Move};

/// Moves that are kept: the latest. Places for all of them, 7 MiB, are made at the first.
pub(super) const MOVES: usize = 1 << 16;
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

/// Bytes in use from the beginning on, ever coarser.
#[derive(Debug, Default)]
pub(super) struct Samples {
    kept: Vec<Sample>,
    /// The time that a sample stands for; zero as long as all are kept.
    interval: Duration,
    /// Bytes in use as last told, where those kept are the most of a time.
    latest: ByTier<usize>,
}

impl Samples {
    /// Notes bytes in use of the device alone; the others are as they were.
    pub(super) fn push_device(&mut self, at: Duration, bytes: usize, limit: Option<usize>) {
        let mut all = self.latest;
        all[Tier::Device] = bytes;
        self.push(Sample { at, bytes: all, limit });
    }

    pub(super) fn push(&mut self, sample: Sample) {
        self.latest = sample.bytes;
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

    pub(super) fn load(&self) -> Vec<Sample> {
        self.kept.clone()
    }
}
