//! When memory was used, and when it will be: cheap enough to note at every guard.

use crate::sync::atomic::{AtomicU64, Ordering};

/// When an allocation was used last, and at which distances it is used if that is regular.
///
/// Several uses in a row count as one. A distance is believed when it has come twice: what is used in a loop is then
/// expected after one more round and not before, and of a loop that does not fit, the part that was used last is the
/// one to leave.
pub(crate) struct UseHistory {
    last: AtomicU64,
    /// The distance of the last two uses, in its low bits [`CONFIRMED`] and the number of uses in a row since.
    reuse_interval: AtomicU64,
    /// When it was used last before it left, and when it left by which guess; 0 if by none, or brought back since.
    used_before: AtomicU64,
    left: AtomicU64,
}

/// When an allocation is expected to be wanted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// So long from now, for it has a rhythm; ago where it is overdue.
    ReuseInterval(i64),
    /// The same, for it is used as others are, which came back after such a time.
    ExclusiveRetry(i64),
    /// Nothing is known but that it was not used for so long.
    Idle(u64),
}

impl Outlook {
    /// How little it will be missed: the time without it, as it were. What is overdue comes any moment, and the sooner
    /// the longer it is.
    #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::ReuseInterval(rest) | Self::ExclusiveRetry(rest) if rest < 0 => 1.0 / (1.0 - rest as f64),
            Self::ReuseInterval(rest) | Self::ExclusiveRetry(rest) => rest as f64 + 1.0,
            Self::Idle(idle) => idle as f64 + 1.0,
        }
    }

    /// What it says of all allocations and not of this one alone.
    pub(crate) fn guess(self) -> Option<Guess> {
        match self {
            Self::ReuseInterval(_) => None,
            Self::ExclusiveRetry(_) => Some(Guess::Turns),
            Self::Idle(_) => Some(Guess::Recency),
        }
    }
}

/// What is taken for granted of allocations whose rhythm is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// What was not used for long will not be for long.
    Recency,
    /// All are used in turn, so that what was used last will be used last.
    Turns,
}

/// How an allocation left that is wanted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Absence {
    pub(crate) guess: Guess,
    /// The last use before it left.
    pub(crate) used_before: u64,
    pub(crate) left: u64,
}

/// What is overdue by less than so many of its distances is still expected.
const PATIENCE: u64 = 32;

const IN_A_ROW: u64 = 0b111;
const CONFIRMED: u64 = 0b1000;
const DISTANCE: u64 = !(IN_A_ROW | CONFIRMED);
/// A use that follows the last one within this part of the distance is one in a row with it.
const CLOSE: u64 = 16;

impl UseHistory {
    /// Used just now for the first time.
    pub(super) fn new() -> Self {
        Self {
            last: AtomicU64::new(now()),
            reuse_interval: AtomicU64::new(0),
            used_before: AtomicU64::new(0),
            left: AtomicU64::new(0),
        }
    }

    /// Used just now. Of two threads at once one may be forgotten: no more than an estimate is lost.
    #[inline]
    pub(super) fn note(&self) {
        let (now, past) = (now(), self.reuse_interval.load(Ordering::Relaxed));
        let gap = now.saturating_sub(self.last.load(Ordering::Relaxed));
        self.last.store(now, Ordering::Relaxed);
        let distance = past & DISTANCE;
        if gap < distance / CLOSE && past & IN_A_ROW < IN_A_ROW {
            self.reuse_interval.store(past + 1, Ordering::Relaxed);
            return;
        }
        let regular = distance > 0 && is_within(2, gap, distance);
        let confirmed = if regular { CONFIRMED } else { 0 };
        self.reuse_interval.store(gap & DISTANCE | confirmed, Ordering::Relaxed);
    }

    /// Used longer ago than everything else.
    pub(super) fn forget(&self) {
        self.last.store(0, Ordering::Relaxed);
        self.reuse_interval.store(0, Ordering::Relaxed);
    }

    /// The time of the last use.
    pub(super) fn last(&self) -> u64 {
        self.last.load(Ordering::Relaxed)
    }

    /// When it is expected to be used again, seen from `now`: by its rhythm, else a `turn` after its last use where
    /// that is known of others. A rhythm that is about theirs is theirs, so that the order of last uses decides.
    pub(crate) fn outlook(&self, now: u64, turn: Option<u64>, reuse: bool) -> Outlook {
        let idle = now.saturating_sub(self.last());
        let reuse_interval = self.reuse_interval.load(Ordering::Relaxed);
        let rest =
            |distance: u64| (idle / PATIENCE < distance).then(|| distance.wrapping_sub(idle).cast_signed());
        let distance = reuse_interval & DISTANCE;
        let is_theirs = turn.is_some_and(|turn| is_within(4, distance, turn));
        let own = Some(distance).filter(|_| reuse && reuse_interval & CONFIRMED != 0 && !is_theirs);
        own.and_then(rest)
            .map(Outlook::ReuseInterval)
            .or_else(|| turn.and_then(rest).map(Outlook::ExclusiveRetry))
            .unwrap_or(Outlook::Idle(idle))
    }

    /// It has left just now, by this guess.
    pub(crate) fn note_departure(&self, guess: Option<Guess>) {
        self.used_before.store(self.last(), Ordering::Relaxed);
        let code = match guess {
            None => 0,
            Some(Guess::Recency) => now() | 1,
            Some(Guess::Turns) => (now() & !1).max(2),
        };
        self.left.store(code, Ordering::Relaxed);
    }

    /// How it left, if that was by a guess; asked once.
    pub(crate) fn take_absence(&self) -> Option<Absence> {
        let left = self.left.swap(0, Ordering::Relaxed);
        let guess = if left & 1 == 1 { Guess::Recency } else { Guess::Turns };
        (left > 0).then(|| Absence { guess, used_before: self.used_before.load(Ordering::Relaxed), left })
    }
}

/// Whether neither is more than `factor` times the other, or hardly.
fn is_within(factor: u64, one: u64, other: u64) -> bool {
    one / factor <= other && other / factor <= one
}

/// The time now. Grows on each thread and, from thread to thread, with what happens after what.
#[inline]
#[cfg(all(target_arch = "x86_64", not(miri), not(shuttle)))]
pub(crate) fn now() -> u64 {
    #[cfg(all(test, not(shuttle)))]
    if let Some(now) = in_steps::now() {
        return now;
    }
    // Processors of the last fifteen years keep their time stamps in step, whatever their clock rate.
    // SAFETY: reads a counter; every x86-64 processor has it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// The time now, as a number of asks.
#[cfg(not(all(target_arch = "x86_64", not(miri), not(shuttle))))]
pub(crate) fn now() -> u64 {
    #[cfg(all(test, not(shuttle)))]
    if let Some(now) = in_steps::now() {
        return now;
    }
    use crate::sync::global::{AtomicU64, Ordering};
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(1, Ordering::Relaxed)
}

/// Time as a test wants it.
#[cfg(all(test, not(shuttle)))]
pub(crate) mod in_steps {
    use std::cell::Cell;

    thread_local! {
        static NOW: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// While it lives, the time of this thread grows by one whenever it is looked at, however long that takes.
    #[must_use]
    pub(crate) struct InSteps(());

    impl InSteps {
        pub(crate) fn new() -> Self {
            NOW.set(Some(1));
            Self(())
        }
    }

    impl Drop for InSteps {
        fn drop(&mut self) {
            NOW.set(None);
        }
    }

    pub(super) fn now() -> Option<u64> {
        let now = NOW.get()?;
        NOW.set(Some(now + 1));
        Some(now)
    }
}
