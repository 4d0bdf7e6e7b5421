//! Durations, counted in powers of two.

use std::time::Duration;

use crate::sync::global::{AtomicU64, Ordering};

/// The first bucket is below 2^10 nanoseconds, the last has no upper bound.
const FIRST_BITS: u32 = 10;
const BUCKETS: usize = 32;

/// How many durations were how long, in powers of two of a nanosecond from 1024.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; BUCKETS],
}

impl Histogram {
    /// All durations that were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The buckets that are not empty: the durations below this, and not in a bucket before, and how many there were.
    /// The last bucket there can be holds all longer ones (from 18 minutes on).
    pub fn buckets(&self) -> impl Iterator<Item = (Duration, u64)> {
        (0..).zip(self.counts).filter(|&(_, count)| count > 0).map(|(bucket, count)| (upper(bucket), count))
    }

    /// A duration that this fraction, from 0 to 1, of all does not pass; zero where there are none. Never too low,
    /// and too high by a factor of two at most.
    pub fn quantile(&self, fraction: f64) -> Duration {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let rank = self.count() as f64 * fraction;
        let mut below = 0.0;
        let mut last = Duration::ZERO;
        for (upper, count) in self.buckets() {
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
            let count = count as f64;
            below += count;
            last = upper;
            if below >= rank {
                break;
            }
        }
        last
    }
}

impl FromIterator<Duration> for Histogram {
    fn from_iter<I: IntoIterator<Item = Duration>>(durations: I) -> Self {
        let counter = HistogramCounter::default();
        durations.into_iter().for_each(|duration| counter.add(duration));
        counter.load()
    }
}

fn upper(bucket: u32) -> Duration {
    Duration::from_nanos(1 << (FIRST_BITS + bucket))
}

/// A [`Histogram`] that threads add to.
#[derive(Debug, Default)]
pub(super) struct HistogramCounter {
    counts: [AtomicU64; BUCKETS],
}

impl HistogramCounter {
    pub(super) fn add(&self, duration: Duration) {
        let nanoseconds = nanoseconds(duration);
        let bits = (u64::BITS - nanoseconds.leading_zeros()).saturating_sub(FIRST_BITS) as usize;
        self.counts[bits.min(BUCKETS - 1)].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn load(&self) -> Histogram {
        Histogram { counts: self.counts.each_ref().map(|count| count.load(Ordering::Relaxed)) }
    }
}

/// A duration as counters hold it: good for 584 years.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
