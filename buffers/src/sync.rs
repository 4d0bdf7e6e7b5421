//! Every synchronisation primitive of this crate, in one place.
//!
//! With `--cfg shuttle` the interleaving explorer's twins stand in for them, so that a test can run
//! through schedules that real threads meet once in a year. What belongs to the process rather than to a
//! test (registries, counters of identities) lives in [`global`], which is never explored.

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

#[cfg(not(shuttle))]
mod plain {
    use std::cell::Cell;
    use std::ops::{Deref, DerefMut};

    thread_local! {
        /// Locks of [`Mutex`] that this thread holds, in debug builds.
        static HELD: Cell<usize> = const { Cell::new(0) };
    }

    /// `parking_lot`'s mutex. In debug builds each thread knows how many it holds, so that a lock that is never taken
    /// inside another one can say so.
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

        /// As [`lock`](Self::lock), where this thread holds no other: who holds one may be waited for by somebody who
        /// holds this one.
        #[inline]
        pub(crate) fn lock_first(&self) -> MutexGuard<'_, T> {
            assert_holds_no_lock();
            self.lock()
        }
    }

    /// That this thread holds no lock that another one may want before it can go on.
    #[inline]
    pub(crate) fn assert_holds_no_lock() {
        debug_assert!(
            HELD.get() == 0,
            "a lock that comes first is taken, or somebody waited for, inside another lock"
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

    /// `parking_lot`'s condition in the shape of the standard library's: the guard goes in and comes out.
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

        /// The explorer finds what goes wrong by itself.
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
    fn a_first_lock_is_taken_first() {
        let (body, shard) = (Mutex::new(1), Mutex::new(2));
        drop(shard.lock());
        let first = body.lock_first();
        assert_eq!(*first + *shard.lock(), 3);
        drop(first);
        assert_holds_no_lock();
    }

    #[test]
    #[should_panic(expected = "inside another lock")]
    fn a_first_lock_is_taken_inside_no_other() {
        let (body, shard) = (Mutex::new(()), Mutex::new(()));
        let _held = shard.lock();
        drop(body.lock_first());
    }

    #[test]
    #[should_panic(expected = "inside another lock")]
    fn nobody_waits_inside_a_lock() {
        let shard = Mutex::new(());
        let _held = shard.lock();
        assert_may_wait();
    }

    /// As if a manager spilled under the lock of its registry.
    #[test]
    #[should_panic(expected = "inside another lock")]
    fn allocations_do_not_move_inside_a_lock() {
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
