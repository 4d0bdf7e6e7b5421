//! Interruption of long work: a count that ends the loops and launches of a thread once it changes.
//!
//! Loops return no errors. An interrupted loop unwinds, like a panic that prints nothing, to the [`interruptible`] call
//! around it. Guards and buffers are dropped on the way, as after an error.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// The work was interrupted. Also what an interrupted loop unwinds with: code that catches panics passes it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

thread_local! {
    static CURRENT: Cell<Checkpoint> = const { Cell::new(Checkpoint(None)) };
}

/// What a loop compares to find out whether to end.
#[derive(Clone, Copy)]
pub struct Checkpoint(Option<(&'static AtomicU64, u64)>);

impl Checkpoint {
    /// The checkpoint of this thread's work. A loop takes it on the thread that starts the loop, and its tasks check it
    /// on theirs.
    pub fn current() -> Self {
        CURRENT.get()
    }

    /// Unwinds to the enclosing [`interruptible`] call if the count has changed since it began. Does nothing in a thread
    /// that unwinds already: a second panic would end the process.
    pub fn check(self) {
        if let Some((count, start)) = self.0
            && count.load(Ordering::Relaxed) != start
            && !std::thread::panicking()
        {
            resume_unwind(Box::new(Interrupted));
        }
    }
}

/// Does `work`, whose parallel loops and kernel launches end once `count` changes, for example in a signal handler.
///
/// # Errors
///
/// `Interrupted` if the work ended early. Work that ends before it sees the change returns its result.
///
/// # Panics
///
/// As `work` does.
pub fn interruptible<R>(count: &'static AtomicU64, work: impl FnOnce() -> R) -> Result<R, Interrupted> {
    let enclosing = CURRENT.replace(Checkpoint(Some((count, count.load(Ordering::Relaxed)))));
    // What the work had begun is dropped, and its arguments are not used again.
    let done = catch_unwind(AssertUnwindSafe(work));
    CURRENT.set(enclosing);
    done.map_err(|panic| if panic.is::<Interrupted>() { Interrupted } else { resume_unwind(panic) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::{for_each_chunk, for_each_task, map_tasks};

    /// Runs a loop of a million tasks that is interrupted in task 10: the tasks that ran.
    fn ran_tasks(count: &'static AtomicU64, run: impl FnOnce(&(dyn Fn(usize) + Sync))) -> u64 {
        let ran = AtomicU64::new(0);
        let done = interruptible(count, || {
            run(&|task| {
                ran.fetch_add(1, Ordering::Relaxed);
                if task == 10 {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        });
        assert_eq!(done, Err(Interrupted));
        ran.into_inner()
    }

    #[test]
    fn loops_end_when_the_count_changes() {
        static COUNT: AtomicU64 = AtomicU64::new(7);
        assert!(ran_tasks(&COUNT, |task| for_each_task(1_000_000, task)) < 1_000_000);
        assert!(
            ran_tasks(&COUNT, |task| for_each_chunk(&mut vec![0u8; 1 << 20], 1, |at, _| task(at))) < 1 << 20
        );
        let inner = |task: &(dyn Fn(usize) + Sync)| for_each_task(1, &|_| for_each_task(1_000_000, task));
        assert!(ran_tasks(&COUNT, inner) < 1_000_000);
        // Work that begins after the change is not interrupted by it.
        assert_eq!(interruptible(&COUNT, || map_tasks(1000, &|task| task).len()), Ok(1000));
    }

    #[test]
    fn other_panics_and_other_threads_are_left_alone() {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let panic = catch_unwind(|| interruptible(&COUNT, || std::panic::resume_unwind(Box::new("other"))));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"other"));
        COUNT.fetch_add(1, Ordering::Relaxed);
        let outer = interruptible(&COUNT, || {
            // The count of the enclosing work counts again after the inner work.
            static INNER: AtomicU64 = AtomicU64::new(0);
            assert_eq!(interruptible(&INNER, || 1), Ok(1));
            std::thread::scope(|scope| scope.spawn(|| for_each_task(100, &|_| ())).join().unwrap());
            COUNT.fetch_add(1, Ordering::Relaxed);
            for_each_task(2, &|_| ());
        });
        assert_eq!(outer, Err(Interrupted));
        for_each_task(2, &|_| ());
    }
}
