//! Failures on demand, of every kind of step at which the memory layer can fail.
//!
//! A test arms the `k`-th step of the process and runs an operation; whatever comes out, nothing may be lost.
//! Steps are counted only while armed: an unarmed process pays one load of an atomic a step.

use crate::sync::global::{AtomicBool, AtomicU64, Mutex, MutexGuard, Ordering};

/// What can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A resource is asked for memory of a device.
    Allocate,
    /// Memory of a lower tier is asked for: pinned, pageable, room on the disk.
    Reserve,
    /// A copy or a fill is queued.
    Copy,
    /// A spill file is written.
    Write,
    /// A spill file is read.
    Read,
}

static ARMED: AtomicBool = AtomicBool::new(false);
/// The step to fail, counted from 1; 0 fails none.
static TARGET: AtomicU64 = AtomicU64::new(0);
static COUNTED: AtomicU64 = AtomicU64::new(0);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// While it lives, one step of the process fails: see [`arm`].
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
    let alone = ONE_AT_A_TIME.lock();
    TARGET.store(k, Ordering::SeqCst);
    COUNTED.store(0, Ordering::SeqCst);
    ARMED.store(true, Ordering::SeqCst);
    Armed { _alone: alone }
}

impl Armed {
    /// Steps counted so far, the failed one included.
    pub fn counted(&self) -> u64 {
        COUNTED.load(Ordering::SeqCst)
    }

    /// Whether the step to fail was reached.
    pub fn has_failed(&self) -> bool {
        let target = TARGET.load(Ordering::SeqCst);
        target != 0 && self.counted() >= target
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        ARMED.store(false, Ordering::SeqCst);
    }
}

/// Whether this step is the one to fail. Called before each of them.
#[inline]
pub(crate) fn strikes(step: Step) -> bool {
    ARMED.load(Ordering::Relaxed) && strikes_armed(step)
}

#[cold]
fn strikes_armed(_step: Step) -> bool {
    let at = COUNTED.fetch_add(1, Ordering::SeqCst) + 1;
    at == TARGET.load(Ordering::SeqCst)
}
