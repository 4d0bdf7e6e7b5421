//! Durations, counted in powers of two.

use std::time::Duration;

use crate::sync::global::{AtomicU64, Ordering};

/// The first bucket is less than 2^10 nanoseconds, the last has no upper bound.
const FIRST_BITS: u32 = 10;
const BUCKETS: usize = 32;

/// A histogram of durations, with buckets of powers of two of a nanosecond from 1024.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; BUCKETS],
}

impl Histogram {
    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The non-empty buckets: an upper bound, and the number of durations between it and the previous
    /// bucket's bound. The last possible bucket has all longer durations (from 18 minutes on).
    pub fn buckets(&self) -> impl Iterator<Item = (Duration, u64)> {
        (0..).zip(self.counts).filter(|&(_, count)| count > 0).map(|(bucket, count)| (upper(bucket), count))
    }

    /// An upper bound of the given quantile, from 0 to 1; zero if there are no durations. At most twice the
    /// exact value.
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

/// A [`Histogram`] that several threads add to.
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

/// A duration as stored in counters: up to 584 years.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
