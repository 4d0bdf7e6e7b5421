//! The budget: what counts, what is evicted, and how much.

use std::sync::Arc;

use super::resources::{Caching, Refusing};
use super::{
    assert_conserved, assert_intact, buffers, execs, limited, managed, over, resource, spilled, traffic,
    with_options,
};
use crate::failpoints::FailAt;
use crate::owner::InSteps;
use crate::{
    Buffer, Cause, Device, DeviceLimit, Error, EvictionPolicy, Limiting, MemoryResource, Statistics, Tier,
    Watermarks, failpoints,
};

#[test]
fn usage_stays_within_limit_and_loses_nothing() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 10 * 1024);
        let all = buffers(25, 1024, &exec);
        assert_eq!(spilled(&all), (0..15).collect::<Vec<_>>(), "those not used for longest went");
        assert_intact(&all, &exec);
        for buffer in &all {
            drop(buffer.read(&exec).unwrap());
            assert!(manager.usage().tiers[Tier::Device].bytes <= 10 * 1024);
        }
        assert_intact(&all, &exec);
        assert!(manager.usage().tiers[Tier::Device].peak <= 10 * 1024);
        drop(all);
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 0);
        assert_conserved(&manager);
    }
}

#[test]
fn least_recently_used_is_evicted_first() {
    // How long anything takes would be a reuse interval.
    let _clock = InSteps::new();
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let all = buffers(4, 1000, &exec);
        drop(all[0].read(&exec).unwrap());
        for (round, victim) in [1, 2, 3, 0].into_iter().enumerate() {
            assert_eq!(manager.spill_device_memory(1), 1024);
            assert_eq!(spilled(&all).len(), round + 1);
            assert!(all[victim].is_spilled(), "{victim} was next");
        }
        assert_eq!(manager.spill_device_memory(1), 0);
        assert_eq!(manager.spill_device_memory(0), 0);
    }
}

/// What has a copy below goes before what was used a little longer ago: it costs half.
#[test]
#[cfg_attr(miri, ignore = "Miri keeps no time")]
fn clean_allocation_is_evicted_before_dirty() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let all = buffers(2, 1000, &exec);
        all[1].spill().unwrap();
        // Each once, so that none has a reuse interval.
        drop(all[0].read(&exec).unwrap());
        drop(all[1].read(&exec).unwrap());
        std::thread::sleep(std::time::Duration::from_millis(100));
        let before = traffic(&manager);
        assert_eq!(manager.spill_device_memory(1), 1024);
        assert_eq!((spilled(&all), traffic(&manager)), (vec![1], before), "the copy is there already");
    }
}

/// However much can be spilled, and not at all where the options forbid it.
#[test]
fn failed_allocation_is_retried_at_most_attempts_times() {
    for exec in execs() {
        for on_demand in [true, false] {
            let refusing = Refusing::new(resource(exec.device()));
            let (exec, manager) = over(&exec, refusing.clone(), |options| options.on_demand = on_demand);
            let all = buffers(20, 1000, &exec);
            refusing.refuse(true);
            let error = Buffer::zeroed(1000, &exec).unwrap_err();
            assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
            assert_eq!(refusing.refused(), if on_demand { 4 } else { 1 });
            assert_eq!(spilled(&all).len(), if on_demand { 20 } else { 0 });
            assert_eq!(exec.make_space(1000), 0);
            refusing.refuse(false);
            assert_intact(&all, &exec);
            drop(all);
            assert_conserved(&manager);
        }
    }
}

/// Memory that a pool keeps is slow to map again: failures return what they need, and all of it as the last resort.
#[test]
fn failed_allocation_trims_no_more_than_needed() {
    for exec in execs() {
        let caching = Caching::new(resource(exec.device()), 1 << 30);
        let (exec, _) = over(&exec, caching.clone(), |_| {});
        for (failures, trimmed) in [(1, 1024), (2, 1024 + 2048), (3, 1 << 30)] {
            let before = caching.cached();
            caching.refuse_next(failures);
            Buffer::zeroed(1000, &exec).unwrap();
            assert_eq!(before - caching.cached(), trimmed.min(before), "{failures} failures");
        }
    }
}

/// Of two allocations used equally long ago, the default policy evicts the one that needs no copy; the baseline looks at
/// the last use alone.
#[test]
fn each_policy_evicts_its_victim() {
    let _clock = InSteps::new();
    for exec in execs() {
        for (policy, expected) in [(EvictionPolicy::LeastRecentlyUsed, 0), (EvictionPolicy::Predictive, 1)] {
            let (exec, manager) = with_options(&exec, |options| options.eviction = policy);
            let all = buffers(3, 1000, &exec);
            all[1].spill().unwrap();
            for at in [0, 1] {
                drop(all[at].read(&exec).unwrap());
            }
            for _ in 0..100 {
                drop(all[2].read(&exec).unwrap());
            }
            assert_eq!(manager.spill_device_memory(1000), 1024);
            assert_eq!(spilled(&all), [expected], "{policy:?}");
        }
    }
}

#[test]
fn held_allocations_are_not_evicted() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut all = buffers(4, 1000, &exec);
        let lease = all[1].lease().unwrap();
        all[2].expose(&exec).unwrap();
        let guard = all[0].read(&exec).unwrap();
        let usage = manager.usage();
        assert_eq!((usage.pinned, usage.leased, usage.managed), (1024, 2048, 1024));
        assert_eq!(manager.spill_device_memory(usize::MAX), 1024);
        drop(guard);
        drop(lease);
        assert_eq!(spilled(&all), [3]);
        manager.spill_device_memory(usize::MAX);
        assert_eq!(spilled(&all), [0, 1, 3], "what is exposed is so for ever");
        assert_intact(&all, &exec);
    }
}

/// A limit is soft, except for operators that can go on with smaller chunks.
#[test]
fn limit_is_soft_unless_strict() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 2048);
        let buffer = Buffer::zeroed(2048, &exec).unwrap();
        let guard = buffer.read(&exec).unwrap();
        let error = Buffer::zeroed(64, &exec.strict()).unwrap_err();
        assert_eq!(
            error,
            Error::OutOfMemory { device: exec.device(), requested: 64, free: Some(0), tier_refusal: None }
        );
        let more = Buffer::zeroed(64, &exec).unwrap();
        assert_eq!(manager.usage().tiers[Tier::Device].peak, 2112);
        let snapshot = manager.statistics().snapshot();
        assert_eq!((snapshot.overruns.count, snapshot.overruns.largest), (1, 64));
        drop((guard, more));
        assert_eq!(exec.budget(), Some(2048));
    }
}

/// What an operator asks for reaches the budget through any number of adaptors.
#[test]
fn adaptors_pass_admission_to_upstream() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 4096);
        let counting = Arc::new(Statistics::new(exec.resource().clone()));
        let bounded = Arc::new(Limiting::new(counting.clone(), 1 << 20));
        let stacked = exec.with_resource(Arc::new(FailAt::new(bounded, usize::MAX)));

        let buffer = Buffer::zeroed(2048, &stacked).unwrap();
        let guard = buffer.read(&stacked).unwrap();
        let reservation = stacked.reserve(1024).unwrap();
        let first = Buffer::zeroed(512, &reservation.exec(&stacked)).unwrap();
        assert_eq!(reservation.left(), 512);
        let guards = (guard, first.read(&stacked).unwrap());
        let strict = stacked.strict();
        assert_eq!(strict.budget(), Some(4096));
        for strict in [&strict, &strict.with_new_stream().unwrap(), &reservation.exec(&stacked)] {
            Buffer::zeroed(2048, strict).unwrap_err();
        }
        // Nothing of the reservation is lost by a failure, and a resource that is put on later is told too.
        assert_eq!(reservation.left(), 512);
        Buffer::zeroed(2048, &exec.strict().with_resource(stacked.resource().clone())).unwrap_err();
        drop(Buffer::zeroed(2048, &stacked).unwrap());
        assert!(counting.statistics().unwrap().peak >= 4096);
        assert_eq!(manager.statistics().snapshot().overruns.count, 1);
        drop((guards, reservation));
        drop(exec.reserve(2048).unwrap());
    }
}

#[test]
fn limit_change_spills_at_once() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut options = manager.options();
        options.spill = false;
        manager.set_options(options.clone()).unwrap();
        let all = buffers(10, 1000, &exec);
        assert_eq!(exec.budget(), None);
        options.device_limit = Some(DeviceLimit::Bytes(4096));
        manager.set_options(options.clone()).unwrap();
        assert_eq!(spilled(&all).len(), 0, "spilling is off");
        options.spill = true;
        manager.set_options(options.clone()).unwrap();
        assert_eq!(spilled(&all), [0, 1, 2, 3, 4, 5], "what was there before is spilled too");
        options.device_limit = Some(DeviceLimit::Bytes(1024));
        manager.set_options(options.clone()).unwrap();
        assert_eq!(spilled(&all).len(), 9);
        options.device_limit = None;
        manager.set_options(options).unwrap();
        for buffer in &all {
            drop(buffer.read(&exec).unwrap());
        }
        assert_eq!(spilled(&all).len(), 0);
        assert_intact(&all, &exec);
    }
}

/// The resource has no more: the callback of cuDF's, without a limit.
#[test]
fn allocation_on_full_resource_spills_on_demand() {
    for exec in execs() {
        let full = || Arc::new(Limiting::new(resource(exec.device()), 4096));
        let (here, manager) = over(&exec, full(), |_| {});
        let all = buffers(12, 1000, &here);
        assert_eq!(spilled(&all).len(), 8);
        assert_intact(&all, &here);
        let snapshot = manager.statistics().snapshot();
        let causes: Vec<Cause> =
            snapshot.edges.iter().flat_map(|edge| edge.causes.iter().map(|(cause, _)| *cause)).collect();
        assert!(causes.iter().all(|cause| *cause == Cause::OnDemand), "{causes:?}");
        // What can never be had is refused after a bounded number of attempts, with everything spilled at most once.
        let error = Buffer::zeroed(5000, &here).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { requested: 5056, .. }), "{error}");
        assert!(traffic(&manager).0 <= 12 * 1024);
        assert_intact(&all, &here);

        let (here, _) = over(&exec, full(), |options| options.on_demand = false);
        let _all = buffers(4, 1000, &here);
        Buffer::zeroed(1000, &here).unwrap_err();
        let (here, _) = over(&exec, full(), |options| options.spill = false);
        let _all = buffers(4, 1000, &here);
        Buffer::zeroed(1000, &here).unwrap_err();
    }
}

#[test]
fn reservation_is_exclusive() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 8192);
        let all = buffers(8, 1000, &exec);
        let reservation = exec.reserve(5000).unwrap();
        assert_eq!(spilled(&all).len(), 5);
        assert_eq!(reservation.left(), 5000);
        // The rest is for others; the reservation is not.
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 3 * 1024);
        exec.reserve(4000).unwrap_err();
        let inside = reservation.exec(&exec);
        let first = Buffer::zeroed(2048, &inside).unwrap();
        assert_eq!(reservation.left(), 5000 - 2048);
        let guard = first.read(&exec).unwrap();
        // Allocations beyond the reservation are strict.
        Buffer::zeroed(8192, &inside).unwrap_err();
        drop(reservation);
        drop(guard);
        drop(first);
        let again = exec.reserve(8192).unwrap();
        exec.reserve(1).unwrap_err();
        drop(again);
        assert_intact(&all, &exec);
    }
}

/// Ten thousand allocations below the limit move nothing; one above moves what it needs.
#[test]
fn eviction_frees_no_more_than_needed() {
    for exec in execs() {
        let count = match exec.device() {
            Device::Host if cfg!(miri) => 50,
            Device::Host => 10_000,
            Device::Sim | Device::Cuda(_) => 1000,
        };
        let (exec, manager) = limited(&exec, count * 128);
        let all = buffers(count, 100, &exec);
        assert_eq!(traffic(&manager).0, 0);
        let more = buffers(3, 100, &exec);
        assert_eq!(traffic(&manager).0, 3 * 128);
        assert_eq!(spilled(&all), [0, 1, 2]);
        drop(more);
    }
}

/// The working set is a little larger than the memory: what is moved is a little, too.
#[test]
fn working_set_slightly_over_limit_moves_little() {
    for exec in execs() {
        let count = if cfg!(miri) { 60 } else { 1000 };
        let (exec, manager) = limited(&exec, count * 1024);
        let all = buffers(count + 1, 1024, &exec);
        assert!(traffic(&manager).0 <= 2 * 1024);
        assert_eq!(spilled(&all).len(), 1);
    }
}

/// Used in turn, again and again, a working set that is a little larger than the memory is not moved as a whole: once
/// the cycle is known, a pass moves the excess there and back.
#[test]
fn cyclic_passes_slightly_over_limit_move_little() {
    // Of few, all are looked at for the one to leave; of many, some, of which the best leaves.
    let sets = if cfg!(miri) { vec![(8, 4 << 10, 0)] } else { vec![(60, 64 << 10, 0), (700, 16 << 10, 4)] };
    let later_passes = if cfg!(miri) { 4 } else { 20 };
    let _clock = InSteps::new();
    for exec in execs() {
        for (is_written, &(count, bytes, extra)) in
            [false, true].into_iter().flat_map(|kind| sets.iter().map(move |set| (kind, set)))
        {
            let (exec, manager) = limited(&exec, count * bytes);
            let mut all = buffers(count + 1, bytes, &exec);
            let mut pass = || {
                let before = traffic(&manager);
                for buffer in &mut all {
                    if is_written {
                        drop(buffer.write(&exec).unwrap());
                    } else {
                        drop(buffer.read(&exec).unwrap());
                    }
                }
                let after = traffic(&manager);
                (after.0 - before.0 + after.1 - before.1) / bytes as u64
            };
            assert!(pass() <= 4 + extra, "the first choice cannot know");
            let later: u64 = (0..later_passes).map(|_| pass()).sum();
            assert!(later <= 2 * later_passes + extra, "{later} in {later_passes} passes");
            assert_intact(&all, &exec);
        }
    }
}

/// The opposite order: a few are used over and over beside a stream of others, of which each is used once. What was used
/// last is wanted next, so the stream leaves, and the few stay.
#[test]
fn frequently_used_allocations_stay_resident() {
    let _clock = InSteps::new();
    for exec in execs() {
        let (count, length) = if cfg!(miri) { (2, 12) } else { (8, 64) };
        let (exec, manager) = limited(&exec, 2 * count * 1024);
        let few = buffers(count, 1024, &exec);
        let stream = buffers(length, 1024, &exec);
        let run = || {
            for once in &stream {
                for one in &few {
                    drop(one.read(&exec).unwrap());
                }
                drop(once.read(&exec).unwrap());
            }
        };
        run();
        let before = traffic(&manager).1;
        run();
        let up = traffic(&manager).1 - before;
        assert!(up <= (length + count) as u64 * 1024, "the few came back: {up} bytes");
        assert_intact(&few, &exec);
    }
}

#[test]
fn read_only_loop_copies_down_once() {
    for exec in execs() {
        let count = if cfg!(miri) { 8 } else { 32 };
        let (exec, manager) = limited(&exec, count / 2 * 1024);
        let all = buffers(count, 1024, &exec);
        let pass = || {
            for buffer in &all {
                drop(buffer.read(&exec).unwrap());
            }
            traffic(&manager).0
        };
        for _ in 0..4 {
            pass();
        }
        assert!(pass() <= count as u64 * 1024, "what has a copy below needs no other");
        assert_intact(&all, &exec);
    }
}

#[test]
fn spiller_keeps_usage_at_watermark() {
    for exec in execs() {
        let (limit, enough) = if cfg!(miri) { (20 * 1024, 12 * 1024) } else { (100 * 1024, 60 * 1024) };
        let (exec, manager) = with_options(&exec, |options| {
            options.device_limit = Some(DeviceLimit::Bytes(limit));
            options.watermarks = Some(Watermarks { start: 80, stop: 50 });
        });
        let all = buffers(limit * 9 / 10 / 1024, 1024, &exec);
        // It runs beside us: wait for it, longer where the machine has other things to do.
        for _ in 0..10_000 {
            // What came after it had ended may be there beside the half.
            if manager.usage().tiers[Tier::Device].bytes <= enough {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        assert!(manager.usage().tiers[Tier::Device].bytes <= enough);
        assert_intact(&all, &exec);
    }
}

/// The file system has no more, and no limit has said so: here too copies give way.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn full_disk_drops_clean_copies() {
    for exec in execs() {
        let mut recovered = 0;
        for k in 1.. {
            let (exec, manager) = with_options(&exec, |options| {
                (options.pinned_limit, options.pageable_limit) = (Some(0), Some(0));
                options.disk_access = crate::DiskAccess::Cached;
            });
            let all = buffers(5, 4096, &exec);
            for buffer in &all[..4] {
                assert!(buffer.spill().unwrap());
                drop(buffer.read(&exec).unwrap());
            }
            let armed = failpoints::arm_this_thread(k);
            let spilled = all[4].spill();
            let failed = armed.has_failed();
            drop(armed);
            let on_disk = manager.usage().tiers[Tier::Disk].bytes;
            assert_intact(&all, &exec);
            if !failed {
                assert_eq!((spilled, on_disk), (Ok(true), 5 * 4096));
                break;
            }
            if spilled == Ok(true) && on_disk == 4 * 4096 {
                recovered += 1;
            }
        }
        // The write fails, and on a GPU, where no pinned memory is left over, the allocation of some.
        let most = if exec.device() == Device::Host { 1 } else { 2 };
        assert!((1..=most).contains(&recovered), "{recovered} failures gave way on {}", exec.device());
    }
}

/// Copies of resident bytes are dropped for bytes that are nowhere else.
#[test]
fn clean_copies_do_not_fill_the_disk() {
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| {
            options.pinned_limit = Some(0);
            options.pageable_limit = Some(0);
            options.disk_limit = Some(4 * 4096);
            options.disk_access = crate::DiskAccess::Cached;
        });
        let all = buffers(8, 4096, &exec);
        for buffer in &all[..4] {
            assert!(buffer.spill().unwrap());
            drop(buffer.read(&exec).unwrap());
        }
        assert_eq!(manager.usage().tiers[Tier::Disk].bytes, 4 * 4096, "copies are kept");
        for buffer in &all[4..] {
            assert!(buffer.spill().unwrap(), "and given up");
        }
        all[0].spill().unwrap_err();
        let parts = [all[0].clone(), all[1].clone()];
        drop(all[7].read(&exec).unwrap());
        drop(all[6].read(&exec).unwrap());
        let mut options = manager.options();
        options.device_limit = Some(DeviceLimit::Bytes(10 * 4096));
        manager.set_options(options).unwrap();
        let whole = Buffer::assemble(&parts, &exec).unwrap();
        assert_eq!(whole.len(), 2 * 4096);
        drop(whole);
        assert_intact(&all, &exec);
        drop((all, parts));
        assert_conserved(&manager);
    }
}
