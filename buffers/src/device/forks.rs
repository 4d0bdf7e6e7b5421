//! Forks of the process. A child has the memory of its parent, but only the thread that forked.

use std::sync::Once;
use std::time::{Duration, Instant};

use crate::sync::global::{AtomicU32, AtomicUsize, Ordering};

/// A fork waits no longer than this for background tasks.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many forks are between the process that began to count and this one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// The background tasks that are queued or run.
static TASKS: AtomicUsize = AtomicUsize::new(0);

/// Tells a process from those that forked it: what was noted with another number belongs to a parent, as threads do.
///
/// The count begins with the first call, so it is made before a thread is started.
pub(crate) fn forks() -> u32 {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(register);
    FORKS.load(Ordering::Relaxed)
}

#[cfg(not(miri))]
fn register() {
    // SAFETY: both handlers are functions of this library, which is never unloaded, and do not unwind. It fails only
    // where memory is short, and then forks are not noticed.
    unsafe { libc::pthread_atfork(Some(before), None, Some(in_child)) };
}

#[cfg(miri)]
fn register() {}

/// Background tasks hold locks: a child would never see them released.
#[cfg(not(miri))]
unsafe extern "C" fn before() {
    let start = Instant::now();
    while TASKS.load(Ordering::Acquire) > 0 && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_micros(100));
    }
}

#[cfg(not(miri))]
unsafe extern "C" fn in_child() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    // What still was to be done is not done here.
    TASKS.store(0, Ordering::Relaxed);
}

/// A task of a background thread, from when it is queued until it is done.
#[derive(Debug)]
pub(crate) struct BackgroundTask {
    forks: u32,
}

impl BackgroundTask {
    pub(crate) fn new() -> Self {
        let forks = forks();
        TASKS.fetch_add(1, Ordering::Relaxed);
        Self { forks }
    }
}

impl Drop for BackgroundTask {
    fn drop(&mut self) {
        if self.forks == forks() {
            TASKS.fetch_sub(1, Ordering::Release);
        }
    }
}
