//! Every synchronisation primitive of this crate, in one place.
//!
//! With `--cfg shuttle` the interleaving explorer's twins stand in for them, so that a test can run
//! through schedules that real threads meet once in a year. What belongs to the process rather than to a
//! test (registries, counters of identities) lives in [`global`], which is never explored.

pub(crate) use std::sync::Arc;

#[cfg(not(shuttle))]
pub(crate) use parking_lot::Mutex;
#[cfg(not(shuttle))]
pub(crate) use std::sync::atomic;

#[cfg(shuttle)]
pub(crate) use self::explored::Mutex;
#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic;

/// Primitives for state of the process, never replaced by the explorer's.
pub(crate) mod global {
    pub(crate) use parking_lot::{Mutex, MutexGuard, RwLock};
    pub(crate) use std::sync::LazyLock;
    pub(crate) use std::sync::OnceLock;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
}

#[cfg(shuttle)]
mod explored {
    /// The explorer's mutex in the shape of `parking_lot`'s: no poisoning.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(shuttle::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> shuttle::sync::MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
        }
    }
}
