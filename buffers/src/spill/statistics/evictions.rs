//! Which allocations are spilled, and since when.

use std::time::{Duration, Instant};

use crate::stripes::Padded;
use crate::sync::global::Mutex;

use super::numbers::ByNumber;
use super::snapshot::{Amount, SpilledTime};

/// An allocation that is unspilled within this time counts as thrashing.
const THRASH: Duration = Duration::from_secs(1);
/// Shards, so that threads that move different allocations seldom contend.
const SHARDS: usize = 16;

#[derive(Debug)]
struct Eviction {
    at: Instant,
    bytes: u64,
}

/// The allocations of one shard, and the sums of those unspilled or dropped.
#[derive(Debug, Default)]
struct Shard {
    spilled: ByNumber<Eviction>,
    ended: u64,
    duration: Duration,
    byte_seconds: f64,
}

/// Exact counts: the time that allocations are spilled is the benefit of spilling, and how soon they are
/// unspilled shows whether the limit is too low.
#[derive(Debug, Default)]
pub(super) struct Evictions {
    shards: [Padded<Mutex<Shard>>; SHARDS],
}

impl Evictions {
    fn shard(&self, owner: u64) -> &Mutex<Shard> {
        #[expect(clippy::cast_possible_truncation, reason = "only the low bits matter")]
        let owner = owner as usize;
        &self.shards[owner % SHARDS].0
    }

    pub(super) fn evicted(&self, owner: u64, at: Instant, bytes: u64) {
        self.shard(owner).lock().spilled.insert(owner, Eviction { at, bytes });
    }

    /// The allocation was unspilled. Returns whether it was spilled for less than a second.
    pub(super) fn unspilled(&self, owner: u64, at: Instant) -> bool {
        self.ended(owner, at).is_some_and(|duration| duration < THRASH)
    }

    /// The allocation is no longer spilled, because it was unspilled or dropped. Returns how long it was
    /// spilled, if it was.
    pub(super) fn ended(&self, owner: u64, at: Instant) -> Option<Duration> {
        let mut shard = self.shard(owner).lock();
        let eviction = shard.spilled.remove(&owner)?;
        let duration = at.saturating_duration_since(eviction.at);
        shard.ended += 1;
        shard.duration += duration;
        shard.byte_seconds += byte_seconds(eviction.bytes, duration);
        Some(duration)
    }

    pub(super) fn clear(&self) {
        self.shards.iter().for_each(|shard| shard.0.lock().spilled.clear());
    }

    /// All of them; those that are spilled count until `now`.
    pub(super) fn load(&self, now: Instant) -> SpilledTime {
        let mut sum =
            SpilledTime { now: Amount::default(), count: 0, duration: Duration::ZERO, byte_seconds: 0.0 };
        for Padded(shard) in &self.shards {
            let shard = shard.lock();
            sum.count += shard.ended;
            sum.duration += shard.duration;
            sum.byte_seconds += shard.byte_seconds;
            for eviction in shard.spilled.values() {
                let duration = now.saturating_duration_since(eviction.at);
                sum.now.add(eviction.bytes);
                sum.count += 1;
                sum.duration += duration;
                sum.byte_seconds += byte_seconds(eviction.bytes, duration);
            }
        }
        sum
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn byte_seconds(bytes: u64, duration: Duration) -> f64 {
    bytes as f64 * duration.as_secs_f64()
}
