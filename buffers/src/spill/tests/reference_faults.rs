//! Fifteen faults of cuDF's memory layer, found by running or reading it, and the behaviour here.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use super::resources::{Call, Canaries, Gate, Refusing};
use super::{assert_intact, buffers, contents, execs, limited, managed, over, resource, spilled, traffic};
use crate::device::DEVICE_WAITS;
use crate::tests::address;
use crate::{Buffer, Device, DeviceLimit, Error, Exec, Limiting, Tier, acquire_spill_lock, failpoints};

/// Memory that the host can read: the host's own, and the simulator's when no work is queued.
fn visible(device: Device) -> bool {
    !matches!(device, Device::Cuda(_))
}

/// The bytes at an address.
///
/// # Safety
///
/// That many bytes are pinned there and not written.
unsafe fn look(address: *const u8, bytes: usize, exec: &Exec) -> Vec<u8> {
    exec.synchronize().unwrap();
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(address, bytes) }.to_vec()
}

/// cuDF: with any device limit, every new buffer evicts one, however far usage is within the limit.
#[test]
fn f1_new_buffer_within_limit_evicts_nothing() {
    for exec in execs() {
        let (exec, manager) = limited(&exec, 100 * 1024);
        let all = buffers(100, 1000, &exec);
        assert_eq!(spilled(&all), [] as [usize; 0], "100 allocations of 1024 bytes fit exactly");
        let one_more = buffers(1, 1, &exec);
        assert_eq!(spilled(&all), [0], "one byte too many costs one allocation");
        drop(one_more);
        manager.spill_to_device_limit(99 * 1024);
        assert_eq!(spilled(&all), [0], "what is reached already costs nothing");
        assert_intact(&all, &exec);
    }
}

/// cuDF: a failed un-spill destroys the data.
#[test]
fn f2_failed_unspill_loses_nothing() {
    for exec in execs() {
        let refusing = Refusing::new(resource(exec.device()));
        let (exec, manager) = over(&exec, refusing.clone(), |_| {});
        let all = buffers(2, 5000, &exec);
        all[0].spill().unwrap();
        refusing.refuse(true);
        for _ in 0..3 {
            let error = all[0].read(&exec).unwrap_err();
            assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
            assert!(all[0].is_spilled());
            assert_intact(&all, &exec);
        }
        refusing.refuse(false);
        // A copy that fails half-way loses nothing either.
        let armed = failpoints::arm_this_thread(2);
        let result = all[0].read(&exec).map(drop);
        assert!(result.is_err() && armed.has_failed(), "{result:?}");
        drop(armed);
        assert!(all[0].is_spilled() && manager.usage().pinned == 0);
        drop(all[0].read(&exec).unwrap());
        assert!(!all[0].is_spilled());
        assert_intact(&all, &exec);
    }
}

/// cuDF: the host view of a spilled buffer is writable and is its storage, and "deep" copies of it share that.
#[test]
fn f3_spilled_bytes_are_immutable() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let first = Buffer::from_slice(&contents(0, 3000), &exec).unwrap();
        first.spill().unwrap();
        first.to_vec::<u8>(&exec).unwrap().fill(1);
        let mut deep = first.copy_to(&exec).unwrap();
        let mut host = first.copy_to(&Exec::host()).unwrap();
        host.write(&Exec::host()).unwrap().as_mut_slice::<u8>().fill(2);
        deep.write(&exec).unwrap().copy_from_slice(&[3_u8; 3000]).unwrap();
        deep.spill().unwrap();
        assert_intact(std::slice::from_ref(&first), &exec);
        assert_eq!(deep.to_vec::<u8>(&exec).unwrap(), [3; 3000]);
        drop(first.read(&exec).unwrap());
        assert_intact(std::slice::from_ref(&first), &exec);
    }
}

/// cuDF: host arrays are aliased if spilling is on, and copied if it is off.
#[test]
fn f4_copies_do_not_depend_on_options() {
    for exec in execs() {
        for spill in [true, false] {
            let (exec, _) = over(&exec, resource(exec.device()), |options| options.spill = spill);
            let mut source = contents(0, 2000);
            let buffer = Buffer::from_slice(&source, &exec).unwrap();
            source.fill(9);
            assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), contents(0, 2000));
            buffer.spill().unwrap();
            source.fill(8);
            drop(buffer.read(&exec).unwrap());
            assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), contents(0, 2000));
        }
    }
}

/// cuDF: shared bytes are moved and reported as spilled, although nothing is freed.
#[test]
fn f5_only_freed_bytes_are_reported() {
    for exec in execs() {
        let below = resource(exec.device());
        let (here, manager) = over(&exec, below.clone(), |_| {});
        let mut all = buffers(6, 1000, &here);
        let lease = all[0].lease().unwrap();
        all[1].expose(&here).unwrap();
        let held = all[2].clone();
        let guard = held.read(&here).unwrap();
        let used = || below.statistics().unwrap().current;
        for _ in 0..2 {
            let before = used();
            let reported = manager.spill_device_memory(usize::MAX);
            assert_eq!(before - used(), reported, "what is reported is what the resource has back");
        }
        assert_eq!(spilled(&all), [3, 4, 5]);
        assert_eq!(traffic(&manager).0, 3 * 1024, "what cannot be freed is not copied");
        drop((lease, guard));

        // A request that can never be met moves everything once, and ends.
        let full = std::sync::Arc::new(Limiting::new(resource(exec.device()), 4096));
        let (here, manager) = over(&exec, full, |_| {});
        let all = buffers(4, 1000, &here);
        let lease = all[0].lease().unwrap();
        Buffer::zeroed(4096, &here).unwrap_err();
        assert_eq!(traffic(&manager).0, 3 * 1024);
        drop(lease);
        assert_intact(&all, &here);
    }
}

/// cuDF: the mode of an access is stored in the buffer, where another thread's access overwrites it.
#[test]
fn f6_concurrent_accesses_are_independent() {
    let rounds = if cfg!(miri) { 3 } else { 50 };
    for exec in execs() {
        let (exec, _) = managed(&exec);
        for _ in 0..rounds {
            let original = Buffer::from_slice(&contents(0, 500), &exec).unwrap();
            let mut written = original.clone();
            let barrier = Barrier::new(2);
            std::thread::scope(|scope| {
                let (barrier, reader) = (&barrier, exec.with_new_stream().unwrap());
                let read = original.clone();
                scope.spawn(move || {
                    barrier.wait();
                    let guard = read.read(&reader).unwrap();
                    let before = guard.as_ptr();
                    assert_eq!(read.to_vec::<u8>(&reader).unwrap(), contents(0, 500));
                    assert_eq!(guard.as_ptr(), before);
                });
                barrier.wait();
                written.write(&exec).unwrap().copy_from_slice(&[1_u8; 500]).unwrap();
            });
            assert!(!written.shares_memory(&original));
            assert_eq!(original.to_vec::<u8>(&exec).unwrap(), contents(0, 500));
            assert_eq!(written.to_vec::<u8>(&exec).unwrap(), [1; 500]);
        }
    }
}

/// cuDF: a pointer taken without a lock does not expose the buffer while any thread has a lock, and dangles
/// when that ends.
#[test]
fn f7_lock_of_other_thread_does_not_prevent_exposure() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut buffer = Buffer::from_slice(&contents(0, 700), &exec).unwrap();
        let lock = acquire_spill_lock();
        buffer.get_ptr(&lock, &exec).unwrap();
        let guard_elsewhere = buffer.owner().clone();
        assert!(guard_elsewhere.is_held());
        let exposed = buffer.expose(&exec).unwrap();
        assert!(buffer.is_exposed());
        drop(lock);
        assert_eq!(manager.spill_device_memory(usize::MAX), 0);
        assert!(!buffer.spill().unwrap() && !buffer.is_spillable());
        assert_eq!(address(&buffer, &exec), exposed.cast_const());
        if visible(exec.device()) {
            // SAFETY: exposed memory stays in place while the buffer lives.
            assert_eq!(unsafe { look(exposed, 700, &exec) }, contents(0, 700));
        }
    }
}

/// cuDF: a refused access leaves its mode for the next access.
#[test]
fn f8_refused_access_leaves_no_trace() {
    for exec in execs() {
        let refusing = Refusing::new(resource(exec.device()));
        let (exec, manager) = over(&exec, refusing.clone(), |_| {});
        let first = Buffer::from_slice(&contents(0, 300), &exec).unwrap();
        let mut second = first.clone();
        let elsewhere = execs().into_iter().find(|other| other.device() != exec.device());
        refusing.refuse(true);
        second.write(&exec).unwrap_err();
        exec.access(&[&first], [&mut second]).unwrap_err();
        if let Some(elsewhere) = elsewhere {
            assert!(matches!(second.write(&elsewhere), Err(Error::DeviceMismatch { .. })));
            assert!(matches!(first.read(&elsewhere), Err(Error::DeviceMismatch { .. })));
        }
        refusing.refuse(false);
        assert!(second.shares_memory(&first) && !first.owner().is_held());
        drop(second.read(&exec).unwrap());
        assert!(second.shares_memory(&first), "a read after a refused write is a read");
        assert_eq!(manager.spill_device_memory(usize::MAX), 320);
        assert_intact(std::slice::from_ref(&second), &exec);
    }
}

/// cuDF: sharing is checked without a lock: of two writers, one may write in place while the other copies.
#[test]
fn f9_concurrent_writes_of_shared_memory_are_separate() {
    for exec in execs() {
        let gate = Gate::new(resource(exec.device()));
        let (exec, _) = over(&exec, gate.clone(), |_| {});
        let mut first = Buffer::from_slice(&contents(0, 400), &exec).unwrap();
        let mut second = first.clone();
        gate.close_to(Call::Allocate);
        std::thread::scope(|scope| {
            let other = exec.with_new_stream().unwrap();
            let first = &mut first;
            // Pauses between the decision to copy and the copy.
            scope
                .spawn(move || first.write(&other).unwrap().copy_from_slice(&[1_u8; 100].repeat(4)).unwrap());
            gate.await_call();
            let untouched = second.clone();
            second.write(&exec).unwrap().copy_from_slice(&[2_u8; 400]).unwrap();
            assert_intact(std::slice::from_ref(&untouched), &exec);
            drop(untouched);
            gate.open();
        });
        assert!(!first.shares_memory(&second));
        assert_eq!(first.to_vec::<u8>(&exec).unwrap(), [1; 400]);
        assert_eq!(second.to_vec::<u8>(&exec).unwrap(), [2; 400]);
    }
}

/// cuDF: a pointer of an outer access becomes stale if an inner write gives the buffer new memory. Here the
/// compiler rejects a write to a buffer that a guard borrows; a write to a copy of it does not affect the
/// guard.
#[test]
fn f10_guard_address_stays_valid() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let outer = Buffer::from_slice(&contents(0, 600), &exec).unwrap();
        let mut inner = outer.clone();
        let guard = outer.read(&exec).unwrap();
        let before = guard.as_ptr();
        inner.write(&exec).unwrap().copy_from_slice(&[1_u8; 600]).unwrap();
        drop(inner);
        manager.spill_device_memory(usize::MAX);
        assert_eq!(guard.as_ptr(), before);
        if visible(exec.device()) {
            // SAFETY: the guard pins the bytes.
            assert_eq!(unsafe { look(before, 600, &exec) }, contents(0, 600));
        }
        drop(guard);
        assert_eq!(address(&outer, &exec), before);
    }
}

/// cuDF: with a limit, making a buffer takes time in proportion to the number of buffers: 0.24 ms at one
/// thousand, 0.95 ms at four thousand.
#[test]
#[cfg_attr(miri, ignore = "Miri keeps no time")]
fn f11_cost_of_new_buffer_is_independent_of_count() {
    const BATCH: usize = 200;
    for exec in execs() {
        let (exec, _) = limited(&exec, 1 << 30);
        let mut all = Vec::new();
        // The best of several, because the machine may be busy.
        let mut cost = |live: usize| {
            while all.len() < live {
                all.push(Buffer::uninit(64, &exec).unwrap());
            }
            (0..15)
                .map(|_| {
                    let started = Instant::now();
                    let batch: Vec<_> = (0..BATCH).map(|_| Buffer::uninit(64, &exec).unwrap()).collect();
                    let taken = started.elapsed();
                    drop(batch);
                    taken
                })
                .min()
                .unwrap()
        };
        let (few, mut many) = (cost(500), cost(20_000));
        for _ in 0..5 {
            many = many.min(cost(20_000));
        }
        assert!(many < few * 8 + Duration::from_micros(200), "{few:?} among 500, {many:?} among 20000");
    }
}

/// cuDF: a host allocation that fails during a spill is returned as an error of its own.
#[test]
fn f12_tier_that_refuses_is_skipped() {
    for exec in execs() {
        let full = || std::sync::Arc::new(Limiting::new(resource(exec.device()), 4096));
        // The first tier refuses: the next one accepts the bytes, or another allocation is evicted if there
        // is none.
        let (here, _) = over(&exec, full(), |_| {});
        let all = buffers(4, 1000, &here);
        let armed = failpoints::arm_this_thread(2);
        let result = Buffer::uninit(1024, &here);
        let failed = armed.has_failed();
        drop(armed);
        assert!(failed);
        result.unwrap();
        assert_intact(&all, &here);
        // All refuse: the allocation fails with an out-of-memory error, and nothing is lost.
        let (here, manager) = over(&exec, full(), |options| {
            options.pinned_limit = Some(0);
            options.pageable_limit = Some(0);
            options.disk_limit = Some(0);
        });
        let all = buffers(4, 1000, &here);
        let error = Buffer::zeroed(1000, &here).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { requested: 1024, .. }), "{error}");
        assert_eq!(spilled(&all), [] as [usize; 0]);
        // An explicit spill returns the reason.
        let error = all[0].spill().unwrap_err();
        assert!(matches!(error, Error::Storage { tier: Tier::Disk, .. }), "{error}");
        let mut options = manager.options();
        options.disk_limit = None;
        manager.set_options(options).unwrap();
        Buffer::zeroed(1000, &here).unwrap();
        assert_intact(&all, &here);
    }
}

/// cuDF: foreign writes appear in every shallow copy.
#[test]
fn f13_foreign_writes_appear_in_one_buffer() {
    for exec in execs().into_iter().filter(|exec| visible(exec.device())) {
        let (exec, _) = managed(&exec);
        let mut buffer = Buffer::from_slice(&contents(0, 800), &exec).unwrap();
        let (copy, slice) = (buffer.clone(), buffer.slice(100, 50));
        let lease = buffer.lease_mut(&exec).unwrap();
        if let Some(event) = lease.ready().unwrap() {
            event.synchronize().unwrap();
        }
        // SAFETY: the lease gives the right to write, and all other work on the bytes is complete.
        unsafe { lease.as_ptr().cast_mut().write_bytes(1, 800) };
        drop(lease);
        let exposed = buffer.expose(&exec).unwrap();
        exec.synchronize().unwrap();
        let later = buffer.shallow_copy(&exec).unwrap();
        later.to_vec::<u8>(&exec).unwrap();
        // SAFETY: exposed memory stays in place, and all other work on the bytes is complete.
        unsafe { exposed.write_bytes(2, 400) };
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), [[2; 400], [1; 400]].concat());
        assert_eq!(later.to_vec::<u8>(&exec).unwrap(), [1; 800], "it was copied at once");
        assert_eq!(copy.to_vec::<u8>(&exec).unwrap(), contents(0, 800));
        assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), contents(0, 800)[100..150]);
    }
}

/// cuDF: spills run one at a time, on the default stream, with the buffer locked. Here a blocked move blocks
/// only threads that need its bytes resident.
#[test]
fn f14_slow_move_blocks_only_users_of_its_bytes() {
    for exec in execs() {
        for call in [Call::Free, Call::Allocate] {
            let gate = Gate::new(resource(exec.device()));
            let (exec, manager) = over(&exec, gate.clone(), |_| {});
            let all = buffers(4, 1000, &exec);
            if call == Call::Allocate {
                all[0].spill().unwrap();
            }
            gate.close_to(call);
            std::thread::scope(|scope| {
                let (slow, other) = (all[0].clone(), exec.with_new_stream().unwrap());
                scope.spawn(move || match call {
                    // During an eviction, before the resident memory is freed.
                    Call::Free => assert!(slow.spill().unwrap()),
                    // During an unspill, before there is resident memory.
                    Call::Allocate => drop(slow.read(&other).unwrap()),
                });
                gate.await_call();
                assert_eq!(all[0].to_vec::<u8>(&exec).unwrap(), contents(0, 1000), "read where it is");
                let (part, clone) = (all[0].slice(10, 20), all[0].clone());
                drop((part, clone));
                assert!(all[1].spill().unwrap());
                drop(all[1].read(&exec).unwrap());
                assert_eq!(manager.spill_device_memory(usize::MAX), 3 * 1024);
                drop(buffers(2, 100, &exec));
                assert_eq!(manager.usage().pinned, 0);
                gate.open();
            });
            assert_intact(&all, &exec);
            if exec.device() != Device::Host {
                let own = [manager.down_stream().unwrap(), manager.up_stream().unwrap()];
                assert!(own[0] != own[1] && !own.contains(&exec.stream()), "moves have streams of their own");
            }
        }
    }
}

/// cuDF: a lock ends when the call returns, although a kernel on another stream may still read the memory
/// that is then freed.
#[test]
fn f15_free_waits_for_readers() {
    let device_waits = DEVICE_WAITS.get();
    for exec in execs() {
        let canaries = Canaries::new(resource(exec.device()));
        let (exec, manager) = over(&exec, canaries.clone(), |options| {
            options.device_limit = Some(DeviceLimit::Bytes(1 << 20));
        });
        let others: Vec<_> = (0..3).map(|_| exec.with_new_stream().unwrap()).collect();
        for round in 0..10 {
            let source = Buffer::from_slice(&contents(round, 5000), &exec).unwrap();
            // Work on three streams that reads the bytes, queued and possibly not begun.
            let copies: Vec<_> = others.iter().map(|other| source.copy_to(other).unwrap()).collect();
            let freed = canaries.streams().len();
            assert!(source.spill().unwrap());
            assert_eq!(canaries.streams().len(), freed + 1);
            // The free comes after all readers.
            canaries.streams()[freed].synchronize().unwrap();
            for (copy, other) in copies.iter().zip(&others) {
                let found = copy.to_vec::<u8>(other).unwrap();
                assert_ne!(found[..100], [Canaries::CANARY; 100], "freed memory was read in round {round}");
                assert_eq!(found, contents(round, 5000));
            }
            // Unspilled on one stream, written, and evicted while another stream still copies.
            let mut source = source;
            source.write(&others[0]).unwrap().copy_from_slice(&contents(round + 1, 5000)).unwrap();
            let copy = source.copy_to(&others[1]).unwrap();
            drop(source);
            assert_eq!(copy.to_vec::<u8>(&others[2]).unwrap(), contents(round + 1, 5000));
        }
        drop((others, exec, manager));
    }
    assert_eq!(DEVICE_WAITS.get(), device_waits, "the order is the streams', and no device was waited for");
}
