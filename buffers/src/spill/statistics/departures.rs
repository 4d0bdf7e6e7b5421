//! Which allocations are spilled, and since when.

use std::time::{Duration, Instant};

use crate::stripes::Padded;
use crate::sync::global::Mutex;

use super::numbers::ByNumber;
use super::snapshot::{Amount, Away};

/// An allocation that is unspilled within this time counts as thrashing.
const THRASH: Duration = Duration::from_secs(1);
/// Shards, so that threads that move different allocations seldom contend.
const SHARDS: usize = 16;

#[derive(Debug)]
struct Departure {
    at: Instant,
    bytes: u64,
}

/// The allocations of one shard, and the sums of ended absences.
#[derive(Debug, Default)]
struct Shard {
    away: ByNumber<Departure>,
    ended: u64,
    duration: Duration,
    byte_seconds: f64,
}

/// Exact counts: the time that allocations are spilled is the benefit of spilling, and how soon they are
/// unspilled shows whether the limit is too low.
#[derive(Debug, Default)]
pub(super) struct Departures {
    shards: [Padded<Mutex<Shard>>; SHARDS],
}

impl Departures {
    fn shard(&self, owner: u64) -> &Mutex<Shard> {
        #[expect(clippy::cast_possible_truncation, reason = "only the low bits matter")]
        let owner = owner as usize;
        &self.shards[owner % SHARDS].0
    }

    pub(super) fn left(&self, owner: u64, at: Instant, bytes: u64) {
        self.shard(owner).lock().away.insert(owner, Departure { at, bytes });
    }

    /// The allocation was unspilled. Returns whether it was spilled for less than a second.
    pub(super) fn returned(&self, owner: u64, at: Instant) -> bool {
        self.ended(owner, at).is_some_and(|away| away < THRASH)
    }

    /// The allocation is no longer spilled, because it was unspilled or dropped. Returns how long it was
    /// spilled, if it was.
    pub(super) fn ended(&self, owner: u64, at: Instant) -> Option<Duration> {
        let mut shard = self.shard(owner).lock();
        let departure = shard.away.remove(&owner)?;
        let away = at.saturating_duration_since(departure.at);
        shard.ended += 1;
        shard.duration += away;
        shard.byte_seconds += byte_seconds(departure.bytes, away);
        Some(away)
    }

    pub(super) fn clear(&self) {
        self.shards.iter().for_each(|shard| shard.0.lock().away.clear());
    }

    /// All absences; current ones count until `now`.
    pub(super) fn load(&self, now: Instant) -> Away {
        let mut sum = Away { now: Amount::default(), count: 0, duration: Duration::ZERO, byte_seconds: 0.0 };
        for Padded(shard) in &self.shards {
            let shard = shard.lock();
            sum.count += shard.ended;
            sum.duration += shard.duration;
            sum.byte_seconds += shard.byte_seconds;
            for departure in shard.away.values() {
                let away = now.saturating_duration_since(departure.at);
                sum.now.add(departure.bytes);
                sum.count += 1;
                sum.duration += away;
                sum.byte_seconds += byte_seconds(departure.bytes, away);
            }
        }
        sum
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn byte_seconds(bytes: u64, away: Duration) -> f64 {
    bytes as f64 * away.as_secs_f64()
}
