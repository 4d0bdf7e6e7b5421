//! A manager's background threads.

use std::collections::VecDeque;
use std::thread::JoinHandle;

use super::SpillManager;
use crate::device::{BackgroundTask, forks};
use crate::sync::Arc;
use crate::sync::idle::{Condvar, Mutex};

/// A thread that runs its tasks in order, and ends when this value is dropped.
pub(super) struct Worker<T> {
    shared: Arc<Shared<T>>,
    thread: Option<JoinHandle<()>>,
    /// The process of the thread.
    forks: u32,
}

struct Shared<T> {
    state: Mutex<WorkerState<T>>,
    asked: Condvar,
    /// More tasks than this are not accepted.
    most: usize,
}

struct WorkerState<T> {
    tasks: VecDeque<(T, BackgroundTask)>,
    has_ended: bool,
}

impl<T: Send + 'static> Worker<T> {
    /// Starts the thread, which queues up to `most` tasks and does not keep the manager alive while it has
    /// none. `None` if no thread can be started: everything works without it, later.
    pub(super) fn start(
        name: &str,
        most: usize,
        manager: &Arc<SpillManager>,
        work: impl Fn(&Arc<SpillManager>, T) + Send + 'static,
    ) -> Option<Self> {
        let state = Mutex::new(WorkerState { tasks: VecDeque::new(), has_ended: false });
        let shared = Arc::new(Shared { state, asked: Condvar::new(), most });
        let (weak, theirs) = (Arc::downgrade(manager), Arc::clone(&shared));
        let run = move || {
            while let Some((task, _running)) = theirs.next() {
                let Some(manager) = weak.upgrade() else { return };
                work(&manager, task);
            }
        };
        let thread = std::thread::Builder::new().name(format!("columnade-{name}-{}", manager.device()));
        let forks = forks();
        Some(Self { shared, thread: Some(thread.spawn(run).ok()?), forks })
    }

    /// Queues a task, unless the queue is full. In a forked child there is no thread, and nothing is done.
    pub(super) fn ask(&self, task: T) {
        if self.forks != forks() {
            return;
        }
        let task = (task, BackgroundTask::new());
        let mut state = self.shared.state.lock();
        if state.tasks.len() < self.shared.most {
            state.tasks.push_back(task);
            self.shared.asked.notify_one();
        }
    }
}

impl<T> Shared<T> {
    /// The next task; `None` at the end.
    fn next(&self) -> Option<(T, BackgroundTask)> {
        let mut state = self.state.lock();
        loop {
            if state.has_ended {
                return None;
            }
            if let Some(task) = state.tasks.pop_front() {
                return Some(task);
            }
            state = self.asked.wait(state);
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        if self.forks != forks() {
            // The thread is the parent's: here it neither ends nor releases a lock.
            return std::mem::forget(self.thread.take());
        }
        self.shared.state.lock().has_ended = true;
        self.shared.asked.notify_one();
        let Some(thread) = self.thread.take() else { return };
        // The thread itself may hold the last reference to its manager.
        if thread.thread().id() != std::thread::current().id() {
            let _ = thread.join();
        }
    }
}
