//! cuDF's own tests of this layer, with this crate's API, except those that other test files here already
//! contain.
//!
//! # Source
//!
//! cuDF `tests/test_spilling.py`, `private_objects/test_buffer.py`, and the tests of copy-on-write in
//! `series/indexing/test_setitem.py` and `series/methods/test_copy.py`.

use super::{
    assert_conserved, assert_intact, buffers, contents, execs, limited, managed, over, resource, spilled,
};
use crate::owner::InSteps;
use crate::sync::Arc;
use crate::tests::{address, overwrite};
use crate::{Buffer, Device, Exec, Limiting, Tier, acquire_spill_lock};

/// `test_spillable_buffer`: new buffers are spillable, exposed ones are not, and reading a buffer's
/// attributes does not expose it.
#[test]
fn new_buffer_is_spillable_until_exposed() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let mut buffer = Buffer::from_slice(&contents(0, 24), &exec).unwrap();
        assert!(buffer.is_spillable() && !buffer.is_exposed());
        let _ = (buffer.len(), buffer.memory_id(), buffer.tier(), format!("{buffer:?}"));
        assert!(buffer.is_spillable());
        buffer.expose(&exec).unwrap();
        assert!(!buffer.is_spillable() && buffer.is_exposed());
    }
}

/// `test_spillable_buffer_view_attributes`, `test_memory_info`: a view has the attributes of its base, at its
/// own offset.
#[test]
fn view_has_attributes_of_its_base() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let base = Buffer::from_slice(&contents(0, 24), &exec).unwrap();
        for (at, len) in [(0, 24), (0, 23), (1, 23), (2, 2), (24, 0)] {
            let view = base.slice(at, len);
            assert_eq!(address(&view, &exec).addr(), address(&base, &exec).addr() + at);
            assert_eq!((view.is_spillable(), view.is_spilled()), (base.is_spillable(), base.is_spilled()));
            base.spill().unwrap();
            assert_eq!((view.tier(), view.is_spillable()), (base.tier(), false));
            assert_eq!(view.to_vec::<u8>(&exec).unwrap(), contents(0, 24)[at..at + len]);
            assert_eq!(view.memory_id(), base.memory_id());
        }
    }
}

/// `test_spilling_buffer`: exposing unspills, and an exposed buffer is not spilled again.
#[test]
fn exposed_buffer_is_unspilled_and_not_spilled_again() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let mut buffer = Buffer::from_slice(&contents(0, 10), &exec).unwrap();
        assert!(buffer.spill().unwrap() && buffer.is_spilled());
        buffer.expose(&exec).unwrap();
        assert!(!buffer.is_spilled());
        assert!(!buffer.spill().unwrap() && !buffer.is_spilled());
        assert_intact(&[buffer], &exec);
    }
}

/// `test_spill_device_memory`: operands of an operation are unspilled, and recently used buffers are spilled
/// last.
#[test]
fn operation_unspills_its_operands() {
    for exec in execs() {
        // A delayed thread between two uses would change their reuse interval.
        let _clock = InSteps::new();
        let (exec, manager) = managed(&exec);
        let all = buffers(2, 24, &exec);
        manager.spill_device_memory(usize::MAX);
        let mut sum = Buffer::uninit(24, &exec).unwrap();
        drop(exec.access(&[&all[0], &all[1]], [&mut sum]).unwrap());
        assert_eq!(spilled(&all), [] as [usize; 0]);
        drop(all[0].read(&exec).unwrap());
        drop(sum.read(&exec).unwrap());
        assert_eq!(manager.spill_device_memory(1), 64);
        assert_eq!(spilled(&all), [1]);
    }
}

/// `test_spill_to_device_limit`, `test_zero_device_limit`: with a limit of 0 an operation still has its
/// operands, until the next call.
#[test]
fn limit_of_zero_keeps_operands_until_next_call() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 0);
        let all = buffers(2, 24, &exec);
        let access = exec.access(&[&all[0], &all[1]], []).unwrap();
        assert_eq!(spilled(&all), [] as [usize; 0]);
        assert_eq!(manager.spill_to_device_limit(0), 0);
        drop(access);
        assert_eq!(manager.spill_to_device_limit(0), 128);
        assert_eq!(spilled(&all), [0, 1]);
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 0);
        assert_intact(&all, &exec);
    }
}

/// `test_spill_df_index`: a limit of one allocation keeps one of two.
#[test]
fn limit_of_one_allocation_keeps_one_of_two() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 64);
        let all = buffers(2, 24, &exec);
        assert_eq!(spilled(&all), [0]);
        drop(all[0].read(&exec).unwrap());
        assert_eq!(spilled(&all), [1]);
        assert_eq!(manager.usage().tiers[Tier::Device].peak, 64);
    }
}

/// `test_external_memory_never_spills`, `test_external_memory`: shared foreign memory is kept alive and not
/// spilled; a vector's memory, which is owned here, is spilled like any other.
#[test]
fn shared_foreign_memory_is_never_spilled() {
    let (exec, manager) = managed(&Exec::host());
    let arrow = arrow_buffer::Buffer::from_vec(vec![1_i64, 2, 3]);
    let shared = Buffer::from_arrow(arrow.clone());
    assert!(!shared.is_spillable() && !shared.spill().unwrap());
    drop(arrow);
    assert_eq!(shared.to_vec::<i64>(&exec).unwrap(), [1, 2, 3]);
    let ours = Buffer::from_vec_on(vec![4_i64, 5, 6], &exec).unwrap();
    assert_eq!(manager.usage().tiers[Tier::Device].bytes, 24);
    assert!(ours.is_spillable() && ours.spill().unwrap());
    assert_eq!(manager.usage().tiers[Tier::Device].bytes, 0);
    assert_eq!(ours.to_vec::<i64>(&exec).unwrap(), [4, 5, 6]);
    drop(ours.read(&exec).unwrap());
    assert_eq!(ours.to_vec::<i64>(&exec).unwrap(), [4, 5, 6]);
    drop(ours);
    assert_conserved(&manager);
}

/// `test_spilling_df_views`, `test_modify_spilled_views`: a view of a spilled buffer can be read and written.
#[test]
fn views_of_spilled_buffer_are_readable_and_writable() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let base = Buffer::from_slice(&[1_u8, 2, 3], &exec).unwrap();
        let mut view = base.slice(1, 2);
        base.spill().unwrap();
        assert!(view.is_spilled());
        overwrite(&mut view, 0, &[10], &exec).unwrap();
        assert!(base.is_spilled() && !view.is_spilled());
        assert_eq!(base.to_vec::<u8>(&exec).unwrap(), [1, 2, 3]);
        assert_eq!(view.to_vec::<u8>(&exec).unwrap(), [10, 3]);
        assert!(view.is_spillable());
    }
}

/// `test_get_ptr`: memory stays pinned until the outermost of nested scopes ends.
#[test]
fn outermost_of_nested_scopes_keeps_memory_pinned() {
    for exec in execs() {
        for spilled_before in [false, true] {
            let (exec, _) = managed(&exec);
            let buffer = Buffer::from_slice(&contents(0, 10), &exec).unwrap();
            if spilled_before {
                buffer.spill().unwrap();
            }
            let outer = acquire_spill_lock();
            outer.scope(|| {
                let inner = acquire_spill_lock();
                inner.scope(|| buffer.get_ptr(&inner, &exec).unwrap());
                assert!(!buffer.is_spillable());
                drop(inner);
                assert!(!buffer.is_spillable());
            });
            assert!(!buffer.is_spillable());
            drop(outer);
            assert!(buffer.is_spillable() && !buffer.owner().is_held());
        }
    }
}

/// `test_get_spill_lock`: scopes belong to a thread, and end also on errors.
#[test]
fn spill_lock_scopes_belong_to_one_thread() {
    let tasks = if cfg!(miri) { 10 } else { 200 };
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let buffer = Buffer::from_slice(&contents(0, 10), &exec).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for task in 0..tasks {
                        let lock = acquire_spill_lock();
                        if task % 2 == 0 {
                            lock.scope(|| drop(buffer.read(&exec).unwrap()));
                        }
                        drop(buffer.read(&exec).unwrap());
                        assert_eq!(lock.len(), usize::from(task % 2 == 0));
                    }
                });
            }
        });
        assert_eq!(manager.spill_device_memory(usize::MAX), 64);
        let lock = acquire_spill_lock();
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            lock.scope(|| {
                drop(buffer.read(&exec).unwrap());
                std::panic::resume_unwind(Box::new(()));
            });
        }));
        assert!(ended.is_err() && lock.len() == 1);
        drop(lock);
        drop(buffer.read(&exec).unwrap());
        assert!(buffer.is_spillable(), "no scope is left on this thread");
    }
}

/// `test_serialize_device`, `test_serialize_host`: a buffer exported in place stays there until it is
/// released; a copy to the host leaves the buffer unchanged.
#[test]
fn exported_buffer_stays_in_place_and_host_copy_does_not_move_it() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let base = Buffer::from_slice(&contents(0, 1000), &exec).unwrap();
        for buffer in [base.slice(0, 1000), base.slice(10, 500), base.slice(7, 1)] {
            let before = buffer.to_vec::<u8>(&exec).unwrap();
            let frame = buffer.lease().unwrap();
            assert_eq!(frame.as_ptr(), address(&buffer, &exec));
            assert!(!base.is_spillable());
            drop(frame);
            assert!(base.is_spillable());
            for is_spilled in [false, true] {
                if is_spilled {
                    base.spill().unwrap();
                }
                let host = buffer.copy_to(&Exec::host()).unwrap();
                assert_eq!(host.len(), buffer.len());
                assert_eq!(base.is_spilled(), is_spilled, "reading moves nothing");
                let back = host.copy_to(&exec).unwrap();
                assert_eq!(back.to_vec::<u8>(&exec).unwrap(), before);
                assert!(!back.shares_memory(&base));
            }
        }
    }
}

/// `test_memoryview_slice`: the bytes of a slice, for values of one byte and of eight.
#[test]
fn slice_has_bytes_of_its_range() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        for is_spilled in [false, true] {
            let values: Vec<u64> = (0..100).map(|at| at << 40 | at).collect();
            let buffer = Buffer::from_slice(&values, &exec).unwrap();
            if is_spilled {
                buffer.spill().unwrap();
            }
            for (at, len) in [(0, 100), (0, 1), (1, 2), (99, 1), (50, 0)] {
                let slice = buffer.slice(at * 8, len * 8);
                assert_eq!(slice.to_vec::<u64>(&exec).unwrap(), values[at..at + len]);
            }
            assert_eq!(buffer.slice(8, 3).to_vec::<u8>(&exec).unwrap(), [1, 0, 0]);
        }
    }
}

/// `test_statistics_expose`: exposures by call site; exposing the same memory again does not count.
#[test]
fn statistics_count_exposures_by_call_site() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut all = buffers(20, 100, &exec);
        let mut expose = |from: usize, to: usize, spill: bool| {
            for buffer in &mut all[from..to] {
                if spill {
                    buffer.spill().unwrap();
                }
                buffer.expose(&exec).unwrap();
            }
        };
        expose(0, 1, false);
        expose(0, 10, false);
        let site = manager.statistics().snapshot().exposures[0];
        assert_eq!((site.exposed.count, site.exposed.bytes, site.spilled), (10, 1000, 0));
        expose(10, 20, true);
        let snapshot = manager.statistics().snapshot();
        let site = snapshot.exposures[0];
        assert_eq!((snapshot.exposures.len(), site.exposed.count, site.spilled), (1, 20, 1000));
        assert!(manager.statistics().to_string().contains("exposed 20 times"), "{}", manager.statistics());
    }
}

/// `test_spill_on_demand`: a pool of one allocation serves a second one by spilling the first, if spilling on
/// demand is on.
#[test]
fn allocation_in_full_pool_spills_on_demand() {
    for exec in execs() {
        let pool = Arc::new(Limiting::new(resource(exec.device()), 1024));
        let (exec, manager) = over(&exec, pool, |options| options.on_demand = false);
        let first = Buffer::zeroed(1024, &exec).unwrap();
        Buffer::zeroed(1024, &exec).unwrap_err();
        let switch = |on| {
            let mut options = manager.options();
            options.on_demand = on;
            manager.set_options(options).unwrap();
        };
        switch(true);
        let second = Buffer::zeroed(1024, &exec).unwrap();
        assert!(first.is_spilled() && !second.is_spilled());
        switch(false);
        Buffer::zeroed(1024, &exec).unwrap_err();
        assert!(!second.is_spilled());
    }
}

/// `test_spilling_and_copy_on_write`.
#[test]
fn writes_to_shallow_copies_of_spilled_buffer_are_separate() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let first = Buffer::from_slice(&contents(0, 10), &exec).unwrap();
        let mut second = first.shallow_copy(&exec).unwrap();
        assert!(first.shares_memory(&second));
        second.spill().unwrap();
        assert!(first.is_spilled() && second.is_spilled(), "shallow copies are where they are together");
        overwrite(&mut second, 0, &[42], &exec).unwrap();
        assert!(first.is_spilled() && !second.is_spilled());
        let deep = first.copy_to(&exec).unwrap();
        assert!(deep.is_spilled() && !deep.shares_memory(&first));
        drop(first.read(&exec).unwrap());
        assert!(!first.is_spilled() && deep.is_spilled(), "deep copies are not");
        let mut shared = first.shallow_copy(&exec).unwrap();
        drop(shared.read(&exec).unwrap());
        assert!(
            shared.shallow_copy(&exec).unwrap().shares_memory(&first),
            "to read under a guard exposes nothing"
        );
        shared.expose(&exec).unwrap();
        let copy = shared.shallow_copy(&exec).unwrap();
        assert!(!copy.shares_memory(&shared) && !copy.is_exposed());
        assert_intact(&[first], &exec);
        assert_intact(&[deep], &exec);
    }
}

/// `test_series_setitem` and related tests: seven copies and slices of copies, written and dropped in every
/// order, never see each other's writes.
#[test]
fn copies_of_copies_written_in_every_order_are_separate() {
    let orders: usize = if cfg!(miri) { 20 } else { 120 };
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let orders = if exec.device() == Device::Host { orders } else { orders / 4 };
        for order in 0..orders {
            let first = Buffer::from_slice(&contents(0, 70), &exec).unwrap();
            let second = first.clone();
            let third = second.slice(0, 70);
            let mut all = vec![
                third.clone(),
                third.clone(),
                third,
                second.slice(10, 60),
                first.slice(10, 60),
                second,
                first,
            ];
            // A sample of all 5040 orders.
            let mut code = order * 5039 / orders;
            let mut number = 1;
            while !all.is_empty() {
                let mut next = all.swap_remove(code % all.len());
                code /= all.len() + 1;
                if number % 3 == 0 {
                    next.spill().unwrap();
                }
                let len = next.len();
                next.write(&exec).unwrap().copy_from_slice(&vec![200 + number; len]).unwrap();
                number += 1;
                for left in &all {
                    assert_eq!(left.to_vec::<u8>(&exec).unwrap(), contents(0, 70)[70 - left.len()..]);
                }
                assert_eq!(next.to_vec::<u8>(&exec).unwrap(), vec![199 + number; len]);
            }
        }
        assert_conserved(&manager);
    }
}
