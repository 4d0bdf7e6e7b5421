//! The threads that copy between tiers and do file I/O.
//!
//! They belong to the tiers, so waiting for them never waits for anything that the waiting thread holds. A
//! job therefore never waits for another job that moves bytes, for a bounce block or for a device. Background
//! work, which no thread waits for, has a thread of its own, because jobs that need a slot do wait for that.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::device::{BackgroundTask, forks};
use crate::sync::Arc;
use crate::sync::global;
use crate::sync::idle::{Condvar, Mutex};
use crate::{Error, Result, Tier};

/// The number of threads of one set of tiers. More do not move bytes faster on the measured disks and
/// memories.
const THREADS: usize = 4;

/// The calling thread moves fewer bytes than this itself: waking another takes longer.
const DONE_ALONE: usize = 512 << 10;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that move bytes, started on first use and ended with the last reference.
#[derive(Default)]
pub(super) struct Movers {
    moves: Lazy,
    leftovers: Lazy,
}

/// A queue whose threads are started on first use and end with it.
#[derive(Default)]
struct Lazy(global::Mutex<Option<Arc<Queue>>>);

#[derive(Default)]
struct Queue {
    /// The process of the threads.
    forks: u32,
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    jobs: VecDeque<Job>,
    closed: bool,
}

/// Where the jobs of one move run: on the movers' threads or, for a small move, on the calling thread.
#[derive(Clone, Copy)]
pub(super) struct Lane<'a>(Option<&'a Movers>);

/// The future result of a job. Waits for the job when dropped.
pub(super) enum Pending<T> {
    Done(Option<Result<T>>),
    Running(Receiver<Result<T>>),
}

impl Movers {
    /// The lane for a move of `bytes` bytes in total.
    pub(super) fn lane(&self, bytes: usize) -> Lane<'_> {
        Lane((bytes > DONE_ALONE).then_some(self))
    }

    /// Runs `work` in the background; it must not wait for anything.
    pub(super) fn leave(&self, work: impl FnOnce() + Send + 'static) {
        let running = BackgroundTask::new();
        let work = move || {
            work();
            drop(running);
        };
        if let Err(job) = self.leftovers.push(1, Box::new(work)) {
            job();
        }
    }
}

impl Lazy {
    /// Queues a job for one of `threads` threads; returns it if no thread can be started.
    fn push(&self, threads: usize, job: Job) -> Result<(), Job> {
        let Some(queue) = self.queue(threads) else { return Err(job) };
        queue.state.lock().jobs.push_back(job);
        queue.changed.notify_one();
        Ok(())
    }

    /// The queue, with threads; `None` if the system cannot start a thread.
    fn queue(&self, threads: usize) -> Option<Arc<Queue>> {
        let mut queue = self.0.lock();
        let forks = forks();
        if queue.as_ref().is_none_or(|queue| queue.forks != forks) {
            let new = Arc::new(Queue { forks, ..Queue::default() });
            let started = (0..threads).filter(|_| {
                let queue = Arc::clone(&new);
                let builder = std::thread::Builder::new().name("columnade-mover".to_owned());
                builder.spawn(move || queue.work()).is_ok()
            });
            if started.count() == 0 {
                return None;
            }
            // The old one is of a parent, whose threads may have held its lock.
            std::mem::forget(queue.replace(new));
        }
        queue.clone()
    }
}

impl Drop for Lazy {
    fn drop(&mut self) {
        let Some(queue) = self.0.get_mut().take() else { return };
        if queue.forks == forks() {
            queue.state.lock().closed = true;
            queue.changed.notify_all();
        } else {
            std::mem::forget(queue);
        }
    }
}

impl Queue {
    /// Runs jobs until the queue is empty and closed.
    fn work(&self) {
        let mut state = self.state.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                drop(state);
                job();
                state = self.state.lock();
            } else if state.closed {
                return;
            } else {
                state = self.changed.wait(state);
            }
        }
    }
}

impl Lane<'_> {
    /// Runs `work`, which must not wait for anything.
    pub(super) fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Pending<T> {
        let Some(movers) = self.0 else { return Pending::Done(Some(work())) };
        let (sender, receiver): (SyncSender<Result<T>>, _) = sync_channel(1);
        // If the receiver is dropped, the result is not needed.
        let job = Box::new(move || drop(sender.send(work())));
        if let Err(job) = movers.moves.push(THREADS, job) {
            job();
        }
        Pending::Running(receiver)
    }
}

impl<T> Pending<T> {
    /// A result that is available at once.
    pub(super) fn done(result: T) -> Self {
        Self::Done(Some(Ok(result)))
    }

    /// Waits for the result.
    pub(super) fn wait(mut self) -> Result<T> {
        let result = match &mut self {
            Self::Done(result) => result.take(),
            Self::Running(receiver) => receiver.recv().ok(),
        };
        // No result if the job's thread has panicked.
        result.unwrap_or_else(|| {
            let reason = "a thread that moves bytes has ended".to_owned();
            Err(Error::Storage { tier: Tier::Disk, operation: "move", bytes: 0, reason })
        })
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        if let Self::Running(receiver) = self {
            // The job's borrows may end after this. If the result was taken before, its sender is dropped and
            // this returns at once.
            drop(receiver.recv());
        }
    }
}
