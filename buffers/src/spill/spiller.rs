//! Spilling in the background before memory is short.

use super::worker::Worker;
use super::{Cause, SpillManager};
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Arc, Mutex};

/// A thread that spills when the allocated bytes exceed a [watermark](super::SpillOptions::watermarks), until
/// they are at most another one. By default there is none: nothing is spilled before its memory is needed.
pub(super) struct Spiller {
    worker: Mutex<Option<Worker<()>>>,
    start_mark: AtomicUsize,
}

impl Spiller {
    pub(super) fn new() -> Self {
        Self { worker: Mutex::new(None), start_mark: AtomicUsize::new(usize::MAX) }
    }

    /// Changes the watermarks. Returns the old thread, which must be dropped without locks held, because it
    /// may be spilling.
    #[must_use]
    pub(super) fn set_marks(
        &self,
        manager: &Arc<SpillManager>,
        marks: Option<(usize, usize)>,
    ) -> Option<Worker<()>> {
        let worker = marks.and_then(|(_, stop)| start(manager, stop));
        self.start_mark.store(marks.map_or(usize::MAX, |(start, _)| start), Ordering::Relaxed);
        std::mem::replace(&mut *self.worker.lock(), worker)
    }

    /// Reports the allocated bytes.
    pub(super) fn allocated(&self, used: usize) {
        if used > self.start_mark.load(Ordering::Relaxed)
            && let Some(worker) = &*self.worker.lock()
        {
            worker.ask(());
        }
    }
}

fn start(manager: &Arc<SpillManager>, stop: usize) -> Option<Worker<()>> {
    // If it is asked again while it spills, it checks once more.
    Worker::start("spiller", 1, manager, move |manager, ()| {
        // Other threads allocate meanwhile. If nothing more can be spilled, the rest waits for the next call.
        while manager.used() > stop
            && manager.free_up(manager.used().saturating_sub(stop), Cause::Watermark, &[]) > 0
        {}
    })
}
