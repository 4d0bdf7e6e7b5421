//! Failures on demand, of every kind of step at which the memory layer can fail, and those above it that use files.
//!
//! A test arms steps of the process and runs an operation; whatever comes out, nothing may be lost.
//! Steps are counted only while armed: an unarmed process pays one load of an atomic a step.

use crate::sync::global::{AtomicBool, AtomicU64, Mutex, MutexGuard, Ordering};

/// What can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A resource is asked for memory of a device, or to set some aside.
    Allocate,
    /// Memory of a lower tier is asked for: pinned, pageable, room on the disk.
    Reserve,
    /// A copy or a fill is queued.
    Copy,
    /// A file, or a folder, is looked up, opened or made.
    Open,
    /// A file is written: the file system is full.
    Write,
    /// A file is read.
    Read,
    /// A file gets its name, in place of one that had it.
    Rename,
    /// All work of a device is marked, as when memory goes back that a foreign consumer had.
    Mark,
}

/// Which steps fail, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// None: steps are only counted.
    None,
    /// The one of this number.
    Once(u64),
    /// The one of this number and every one after it, as when a device is lost.
    From(u64),
    /// One in so many on average, the same ones for one seed.
    OneIn {
        /// How many steps a failure comes in.
        steps: u64,
        /// What tells this sequence of failures from others.
        seed: u64,
    },
}

static ARMED: AtomicBool = AtomicBool::new(false);
static PATTERN: Mutex<Pattern> = Mutex::new(Pattern::None);
static COUNTED: AtomicU64 = AtomicU64::new(0);
static FAILED: AtomicU64 = AtomicU64::new(0);
/// The number of the thread whose steps are counted; [`EVERY_THREAD`] for all.
static WHOSE: AtomicU64 = AtomicU64::new(EVERY_THREAD);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const EVERY_THREAD: u64 = 0;

/// While it lives, steps of the process fail: see [`arm`].
#[derive(Debug)]
pub struct Armed {
    _alone: MutexGuard<'static, ()>,
}

/// Makes the `k`-th step from now on fail, counted from 1, once; 0 only counts. Waits until no other thread has
/// steps armed.
///
/// ```
/// use columnade_buffers::{Buffer, Exec, faults};
///
/// let exec = Exec::host();
/// for k in 1.. {
///     let armed = faults::arm(k);
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

/// As [`arm`], for the steps of this thread alone: tests beside this one go on undisturbed.
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
    WHOSE.store(thread, Ordering::SeqCst);
    *PATTERN.lock() = pattern;
    COUNTED.store(0, Ordering::SeqCst);
    FAILED.store(0, Ordering::SeqCst);
    ARMED.store(true, Ordering::SeqCst);
    Armed { _alone: alone }
}

impl Armed {
    /// Steps counted so far, those that failed included.
    pub fn counted(&self) -> u64 {
        COUNTED.load(Ordering::SeqCst)
    }

    /// Steps that failed so far.
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

/// Whether this step is one to fail. Whoever takes a step asks before, and fails if so.
#[inline]
pub fn failpoint(step: Step) -> bool {
    ARMED.load(Ordering::Relaxed) && failpoint_armed(step)
}

#[cold]
fn failpoint_armed(_step: Step) -> bool {
    let whose = WHOSE.load(Ordering::SeqCst);
    if whose != EVERY_THREAD && whose != this_thread() {
        return false;
    }
    let pattern = *PATTERN.lock();
    let at = COUNTED.fetch_add(1, Ordering::SeqCst) + 1;
    let fails = pattern.failpoint(at);
    FAILED.fetch_add(u64::from(fails), Ordering::SeqCst);
    fails
}

impl Pattern {
    fn failpoint(self, at: u64) -> bool {
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
