//! Arming steps to fail. Steps are counted only while armed.

use super::Step;
use crate::sync::global::{AtomicBool, AtomicU64, Mutex, MutexGuard, Ordering};

/// Which steps fail, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// None: steps are only counted.
    None,
    /// The step of this number.
    Once(u64),
    /// The step of this number and every later one, as when a device is lost.
    From(u64),
    /// One step in `steps` on average; the same ones for the same seed.
    OneIn {
        /// The average number of steps per failure.
        steps: u64,
        /// The seed of the sequence.
        seed: u64,
    },
}

static ARMED: AtomicBool = AtomicBool::new(false);
static PATTERN: Mutex<Pattern> = Mutex::new(Pattern::None);
static COUNTED: AtomicU64 = AtomicU64::new(0);
static FAILED: AtomicU64 = AtomicU64::new(0);
/// The number of the thread whose steps are counted; [`EVERY_THREAD`] for all threads.
static COUNTED_THREAD: AtomicU64 = AtomicU64::new(EVERY_THREAD);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const EVERY_THREAD: u64 = 0;

/// While this lives, steps of the process fail: see [`arm`].
#[derive(Debug)]
pub struct Armed {
    _alone: MutexGuard<'static, ()>,
}

/// Makes the `k`-th step from now on, counted from 1, fail once; 0 only counts. Waits until no other thread
/// has steps armed.
///
/// ```
/// use columnade_buffers::{Buffer, Exec, failpoints};
///
/// let exec = Exec::host();
/// for k in 1.. {
///     let armed = failpoints::arm(k);
///     let result = Buffer::from_slice(&[1_u8; 100], &exec);
///     assert_eq!(result.is_err(), armed.has_failed());
///     if !armed.has_failed() {
///         break;
///     }
/// }
/// ```
pub fn arm(k: u64) -> Armed {
    arm_pattern(if k == 0 { Pattern::None } else { Pattern::Once(k) })
}

/// Makes the steps of `pattern` fail, counted from now on. Waits until no other thread has steps armed.
pub fn arm_pattern(pattern: Pattern) -> Armed {
    arm_steps_of(EVERY_THREAD, pattern)
}

/// Like [`arm`], for the steps of this thread alone: concurrent tests are not affected.
pub fn arm_this_thread(k: u64) -> Armed {
    arm_steps_of(this_thread(), if k == 0 { Pattern::None } else { Pattern::Once(k) })
}

/// A number that no other thread of this process has or had.
fn this_thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(EVERY_THREAD + 1);
    thread_local! {
        static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}

fn arm_steps_of(thread: u64, pattern: Pattern) -> Armed {
    let alone = ONE_AT_A_TIME.lock();
    COUNTED_THREAD.store(thread, Ordering::SeqCst);
    *PATTERN.lock() = pattern;
    COUNTED.store(0, Ordering::SeqCst);
    FAILED.store(0, Ordering::SeqCst);
    ARMED.store(true, Ordering::SeqCst);
    Armed { _alone: alone }
}

impl Armed {
    /// Steps counted so far, failed ones included.
    pub fn counted(&self) -> u64 {
        COUNTED.load(Ordering::SeqCst)
    }

    /// Steps that have failed so far.
    pub fn failed(&self) -> u64 {
        FAILED.load(Ordering::SeqCst)
    }

    /// Whether a step has failed.
    pub fn has_failed(&self) -> bool {
        self.failed() > 0
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        ARMED.store(false, Ordering::SeqCst);
    }
}

/// Whether a step taken now fails.
#[inline]
pub(super) fn fails(_step: Step) -> bool {
    ARMED.load(Ordering::Relaxed) && count_step()
}

#[cold]
fn count_step() -> bool {
    let thread = COUNTED_THREAD.load(Ordering::SeqCst);
    if thread != EVERY_THREAD && thread != this_thread() {
        return false;
    }
    let pattern = *PATTERN.lock();
    let at = COUNTED.fetch_add(1, Ordering::SeqCst) + 1;
    let fails = pattern.matches(at);
    FAILED.fetch_add(u64::from(fails), Ordering::SeqCst);
    fails
}

impl Pattern {
    fn matches(self, at: u64) -> bool {
        match self {
            Self::None => false,
            Self::Once(k) => at == k,
            Self::From(k) => at >= k,
            Self::OneIn { steps, seed } => mixed(seed ^ mixed(at)).is_multiple_of(steps.max(1)),
        }
    }
}

/// Spreads the bits of a number (the finaliser of `SplitMix64`).
fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
