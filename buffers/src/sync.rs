//! Every synchronisation primitive of this crate, in one place.
//!
//! With `--cfg shuttle` the interleaving explorer's primitives replace them, so that a test can run through
//! schedules that are rare with real threads. State of the process rather than of a test (registries,
//! counters of identities) is in [`global`], which is never explored.

pub(crate) use std::sync::Arc;

#[cfg(not(shuttle))]
pub(crate) use self::plain::{Condvar, Mutex};
#[cfg(not(shuttle))]
pub(crate) use std::sync::atomic;

#[cfg(shuttle)]
pub(crate) use self::explored::assert_holds_no_lock;
#[cfg(shuttle)]
pub(crate) use self::explored::{Condvar, Mutex};
#[cfg(not(shuttle))]
pub(crate) use self::plain::assert_holds_no_lock;
#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic;

/// Primitives for state of the process, never replaced by the explorer's.
pub(crate) mod global {
    pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard, RwLock};
    pub(crate) use std::sync::LazyLock;
    pub(crate) use std::sync::OnceLock;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering};
}

/// What idle background threads wait on. `parking_lot` keeps waiting threads in lists of the whole process, which a forked
/// child inherits without the threads; these wait in the kernel alone.
pub(crate) mod idle {
    use std::sync::{MutexGuard, PoisonError};

    /// The standard library's mutex, without poisoning.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(std::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    /// The standard library's condition variable.
    #[derive(Debug, Default)]
    pub(crate) struct Condvar(std::sync::Condvar);

    impl Condvar {
        pub(crate) fn new() -> Self {
            Self::default()
        }

        pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
        }

        pub(crate) fn notify_one(&self) {
            self.0.notify_one();
        }

        pub(crate) fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}

#[cfg(not(shuttle))]
mod plain {
    use std::cell::Cell;
    use std::ops::{Deref, DerefMut};

    thread_local! {
        /// The number of [`Mutex`] locks that this thread holds, in debug builds.
        static HELD: Cell<usize> = const { Cell::new(0) };
    }

    /// `parking_lot`'s mutex. In debug builds each thread counts the locks that it holds, to check the lock
    /// order.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(parking_lot::Mutex<T>);

    #[derive(Debug)]
    pub(crate) struct MutexGuard<'a, T> {
        guard: parking_lot::MutexGuard<'a, T>,
        _held: Held,
    }

    #[derive(Debug)]
    struct Held;

    impl Held {
        fn new() -> Self {
            if cfg!(debug_assertions) {
                HELD.set(HELD.get() + 1);
            }
            Self
        }
    }

    impl Drop for Held {
        fn drop(&mut self) {
            if cfg!(debug_assertions) {
                HELD.set(HELD.get() - 1);
            }
        }
    }

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(parking_lot::Mutex::new(value))
        }

        #[inline]
        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            MutexGuard { guard: self.0.lock(), _held: Held::new() }
        }

        /// Like [`lock`](Self::lock), for a lock that comes first in the lock order: in debug builds, panics
        /// if this thread holds another lock. A thread that holds this lock may wait for one that holds the
        /// other.
        #[inline]
        pub(crate) fn lock_first(&self) -> MutexGuard<'_, T> {
            assert_holds_no_lock();
            self.lock()
        }
    }

    /// Asserts that this thread holds no lock that another thread may need to make progress.
    #[inline]
    pub(crate) fn assert_holds_no_lock() {
        debug_assert!(
            HELD.get() == 0,
            "a lock that comes first was taken, or a wait started, inside another lock"
        );
    }

    impl<T> Deref for MutexGuard<'_, T> {
        type Target = T;

        #[inline]
        fn deref(&self) -> &T {
            &self.guard
        }
    }

    impl<T> DerefMut for MutexGuard<'_, T> {
        #[inline]
        fn deref_mut(&mut self) -> &mut T {
            &mut self.guard
        }
    }

    /// `parking_lot`'s condition variable with the standard library's interface: the guard is passed in and
    /// returned.
    #[derive(Debug, Default)]
    pub(crate) struct Condvar(parking_lot::Condvar);

    impl Condvar {
        pub(crate) fn new() -> Self {
            Self::default()
        }

        pub(crate) fn wait<'a, T>(&self, mut guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
            self.0.wait(&mut guard.guard);
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

    /// The explorer's condition variable, without poisoning.
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

    /// The explorer's mutex with `parking_lot`'s interface: no poisoning.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(shuttle::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
        }

        /// The explorer detects deadlocks itself.
        pub(crate) fn lock_first(&self) -> MutexGuard<'_, T> {
            self.lock()
        }
    }

    pub(crate) fn assert_holds_no_lock() {}
}

#[cfg(all(test, debug_assertions, not(shuttle)))]
mod tests {
    use super::{Mutex, assert_holds_no_lock};
    use crate::stream::assert_may_wait;
    use crate::{Buffer, Exec, SpillManager, SpillOptions};

    #[test]
    fn lock_first_without_held_lock_succeeds() {
        let (body, shard) = (Mutex::new(1), Mutex::new(2));
        drop(shard.lock());
        let first = body.lock_first();
        assert_eq!(*first + *shard.lock(), 3);
        drop(first);
        assert_holds_no_lock();
    }

    #[test]
    #[should_panic(expected = "inside another lock")]
    fn lock_first_with_held_lock_panics() {
        let (body, shard) = (Mutex::new(()), Mutex::new(()));
        let _held = shard.lock();
        drop(body.lock_first());
    }

    #[test]
    #[should_panic(expected = "inside another lock")]
    fn device_wait_with_held_lock_panics() {
        let shard = Mutex::new(());
        let _held = shard.lock();
        assert_may_wait();
    }

    /// As if a manager spilled while holding its registry's lock.
    #[test]
    #[should_panic(expected = "inside another lock")]
    fn spill_with_held_lock_panics() {
        let host = Exec::host();
        let manager: std::sync::Arc<SpillManager> = host.resource().spill_manager().unwrap();
        let options = SpillOptions { spill: true, ..manager.options() };
        let exec = host.with_resource(std::sync::Arc::new(manager.with_options(options).unwrap()));
        let buffer = Buffer::zeroed(1000, &exec).unwrap();
        let shard = Mutex::new(());
        let _held = shard.lock();
        let _ = buffer.spill();
    }
}
