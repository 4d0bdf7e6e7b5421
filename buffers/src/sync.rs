//! Every synchronisation primitive of this crate, in one place.
//!
//! With `--cfg shuttle` the interleaving explorer's twins stand in for them, so that a test can run
//! through schedules that real threads meet once in a year. What belongs to the process rather than to a
//! test (registries, counters of identities) lives in [`global`], which is never explored.

pub(crate) use std::sync::Arc;

#[cfg(not(shuttle))]
pub(crate) use self::plain::Condvar;
#[cfg(not(shuttle))]
pub(crate) use parking_lot::{Mutex, MutexGuard};
#[cfg(not(shuttle))]
pub(crate) use std::sync::atomic;

#[cfg(shuttle)]
pub(crate) use self::explored::{Condvar, Mutex};
#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic;

/// Primitives for state of the process, never replaced by the explorer's.
pub(crate) mod global {
    pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard, RwLock};
    pub(crate) use std::sync::LazyLock;
    pub(crate) use std::sync::OnceLock;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering};
}

#[cfg(not(shuttle))]
mod plain {
    use super::MutexGuard;

    /// `parking_lot`'s condition in the shape of the standard library's: the guard goes in and comes out.
    #[derive(Debug, Default)]
    pub(crate) struct Condvar(parking_lot::Condvar);

    impl Condvar {
        pub(crate) fn new() -> Self {
            Self::default()
        }

        pub(crate) fn wait<'a, T>(&self, mut guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(&mut guard);
            guard
        }

        pub(crate) fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}

#[cfg(shuttle)]
mod explored {
    pub(crate) use shuttle::sync::MutexGuard;

    /// The explorer's condition, without poisoning.
    #[derive(Debug, Default)]
    pub(crate) struct Condvar(shuttle::sync::Condvar);

    impl Condvar {
        pub(crate) fn new() -> Self {
            Self(shuttle::sync::Condvar::new())
        }

        pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(guard).unwrap_or_else(std::sync::PoisonError::into_inner)
        }

        pub(crate) fn notify_all(&self) {
            self.0.notify_all();
        }
    }

    /// The explorer's mutex in the shape of `parking_lot`'s: no poisoning.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(shuttle::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
        }
    }
}
