//! What every thread is doing, and the detection of stuck threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use columnade_buffers::Tier;

/// The current operation of every thread.
pub(crate) struct Board {
    threads: Vec<Place>,
    ended: AtomicBool,
}

#[derive(Default)]
struct Place {
    /// Operations begun; the largest number after the last one.
    step: AtomicU64,
    doing: Mutex<Doing>,
}

/// An operation and its buffer, with the buffer's state at the beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doing {
    pub(crate) operation: &'static str,
    pub(crate) memory: u64,
    pub(crate) bytes: usize,
    pub(crate) tier: Tier,
}

impl Default for Doing {
    fn default() -> Self {
        Self { operation: "nothing yet", memory: 0, bytes: 0, tier: Tier::Device }
    }
}

const DONE: u64 = u64::MAX;

impl Board {
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads: (0..threads).map(|_| Place::default()).collect(), ended: AtomicBool::new(false) }
    }

    /// Records that a thread begins an operation.
    pub(crate) fn begin(&self, thread: usize, step: u64, doing: Doing) {
        let place = &self.threads[thread];
        *place.doing.lock().unwrap_or_else(PoisonError::into_inner) = doing;
        place.step.store(step, Ordering::Release);
    }

    /// Records that a thread has ended.
    pub(crate) fn done(&self, thread: usize) {
        self.threads[thread].step.store(DONE, Ordering::Release);
    }

    /// Records that all threads have ended.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Ends the process if a thread takes longer than `patience` for one operation.
    pub(crate) fn watch(&self, patience: Duration) {
        let mut seen: Vec<(u64, Instant)> = vec![(0, Instant::now()); self.threads.len()];
        while !self.ended.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(100));
            for (place, seen) in self.threads.iter().zip(&mut seen) {
                let step = place.step.load(Ordering::Acquire);
                if step != seen.0 || step == DONE {
                    *seen = (step, Instant::now());
                } else if seen.1.elapsed() > patience {
                    eprintln!("no progress for {} s:\n{}", patience.as_secs(), self.describe());
                    std::process::exit(1);
                }
            }
        }
    }

    fn describe(&self) -> String {
        let line = |(number, place): (usize, &Place)| {
            let doing = *place.doing.lock().unwrap_or_else(PoisonError::into_inner);
            let Doing { operation, memory, bytes, tier } = doing;
            match place.step.load(Ordering::Acquire) {
                DONE => format!("  thread {number}: done"),
                step => format!(
                    "  thread {number}: step {step}, {operation} of {bytes} bytes of memory {memory}, in {tier} before"
                ),
            }
        };
        self.threads.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    }
}
