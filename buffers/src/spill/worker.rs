//! A manager's background threads.

use std::collections::VecDeque;
use std::thread::JoinHandle;

use super::SpillManager;
use crate::sync::Arc;
use crate::sync::global::{Condvar, Mutex};

/// A thread that runs its tasks in order, and ends when this value is dropped.
pub(super) struct Worker<T> {
    shared: Arc<Shared<T>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared<T> {
    state: Mutex<WorkerState<T>>,
    asked: Condvar,
    /// More tasks than this are not accepted.
    most: usize,
}

struct WorkerState<T> {
    tasks: VecDeque<T>,
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
            while let Some(task) = theirs.next() {
                let Some(manager) = weak.upgrade() else { return };
                work(&manager, task);
            }
        };
        let thread = std::thread::Builder::new().name(format!("columnade-{name}-{}", manager.device()));
        Some(Self { shared, thread: Some(thread.spawn(run).ok()?) })
    }

    /// Queues a task, unless the queue is full.
    pub(super) fn ask(&self, task: T) {
        let mut state = self.shared.state.lock();
        if state.tasks.len() < self.shared.most {
            state.tasks.push_back(task);
            self.shared.asked.notify_one();
        }
    }
}

impl<T> Shared<T> {
    /// The next task; `None` at the end.
    fn next(&self) -> Option<T> {
        let mut state = self.state.lock();
        loop {
            if state.has_ended {
                return None;
            }
            if let Some(task) = state.tasks.pop_front() {
                return Some(task);
            }
            self.asked.wait(&mut state);
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        self.shared.state.lock().has_ended = true;
        self.shared.asked.notify_one();
        let Some(thread) = self.thread.take() else { return };
        // The thread itself may hold the last reference to its manager.
        if thread.thread().id() != std::thread::current().id() {
            let _ = thread.join();
        }
    }
}
