//! Who counts what was handed over and what came back.

use columnade_columns::arrow::c::{Owned, Struct};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many structs a producer made, and how many of them were released.
#[derive(Clone, Default)]
pub(super) struct Ledger(Arc<Counts>);

#[derive(Default)]
struct Counts {
    made: AtomicUsize,
    released: AtomicUsize,
}

impl Ledger {
    pub(super) fn made(&self) {
        self.0.made.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn released(&self) {
        self.0.released.fetch_add(1, Ordering::SeqCst);
    }

    /// How many came back.
    pub(super) fn count(&self) -> usize {
        self.0.released.load(Ordering::SeqCst)
    }

    /// Like [`assert_settled`](Self::assert_settled), where a thread may still be about it.
    #[track_caller]
    pub(super) fn assert_settled_soon(&self) {
        let start = Instant::now();
        while self.count() < self.0.made.load(Ordering::SeqCst) && start.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.assert_settled();
    }

    /// All came back, each once.
    #[track_caller]
    pub(super) fn assert_settled(&self) {
        assert_eq!(self.count(), self.0.made.load(Ordering::SeqCst), "released and made");
    }
}

/// Releases what a struct of these producers owns, where its consumer has not.
///
/// # Safety
/// Each pointer is null, or comes from a box that only this takes back.
pub(super) unsafe fn release_boxed<'a, T: Struct + 'a>(owned: impl IntoIterator<Item = &'a *mut T>) {
    for &one in owned {
        if !one.is_null() {
            // SAFETY: the caller's promise.
            drop(unsafe { Owned::from_raw(*Box::from_raw(one)) });
        }
    }
}
