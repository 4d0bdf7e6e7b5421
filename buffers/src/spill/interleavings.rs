//! Explored schedules of the interplay of moves, guards, leases, drops and the budget; see
//! [`crate::interleavings`].
//!
//! The device is the host, with a pageable tier of a few blocks and a spill file. The explorer also detects
//! deadlocks: it fails if every thread waits.

use std::path::Path;

use shuttle::thread::{self, JoinHandle};

use crate::interleavings::{SCHEDULES, check, fill};
use crate::resource::interleavings::Pages;
use crate::sync::Arc;
use crate::{
    Buffer, DeviceLimit, DiskAccess, Error, Exec, Managed, SpillManager, SpillOptions, Statistics,
    StatisticsLevel, Stream, Tier, acquire_spill_lock,
};

/// The size of the pageable tier's blocks; without that tier everything is spilled to the file.
const BLOCK: usize = 128 << 10;

/// Runs `test` in many schedules, each with its own resource and manager, and checks that nothing is left
/// behind.
fn explore(limit: usize, pageable: usize, test: impl Fn(Exec, Arc<SpillManager>) + Send + Sync + 'static) {
    let memory = Path::new("/dev/shm");
    let folder = memory.is_dir().then(|| memory.to_owned());
    // Each schedule is longer than those of other files.
    check(SCHEDULES / 2, move || {
        let counted = Arc::new(Statistics::new(Arc::new(Pages)));
        let options = SpillOptions {
            spill: true,
            device_limit: Some(DeviceLimit::Bytes(limit)),
            statistics: StatisticsLevel::Spills,
            pageable_limit: Some(pageable),
            folder: folder.clone(),
            disk_access: DiskAccess::Cached,
            ..SpillOptions::default()
        };
        let managed = Managed::new(counted, options).unwrap();
        let manager = Arc::clone(managed.manager());
        let exec = Exec::with_parts(Stream::host(), Arc::new(managed));
        test(exec.clone(), Arc::clone(&manager));
        assert_eq!(exec.resource().statistics().unwrap().live, 0, "memory is left");
        let (usage, snapshot) = (manager.usage(), manager.statistics().snapshot());
        for tier in Tier::ALL {
            assert_eq!(usage.tiers[tier].bytes, 0, "{tier}");
            assert_eq!(snapshot.unaccounted(tier, 0), 0, "{tier}: {:?}", snapshot.flows[tier]);
        }
        // Nothing stays claimed: the whole budget is available.
        drop(exec.reserve(limit).unwrap());
    });
}

fn join(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    for thread in threads {
        thread.join().unwrap();
    }
}

fn bytes(buffer: &Buffer, exec: &Exec) -> Vec<u8> {
    buffer.to_vec(exec).unwrap()
}

/// Spills whatever can be spilled.
fn spiller(manager: &Arc<SpillManager>, times: usize) -> JoinHandle<()> {
    let manager = Arc::clone(manager);
    thread::spawn(move || {
        for _ in 0..times {
            manager.spill_device_memory(usize::MAX);
        }
    })
}

#[test]
fn concurrent_writes_and_spill_keep_each_view_bytes() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let first = Buffer::from_slice(&[0_u8; 3], &exec).unwrap();
        let spill = spiller(&manager, 2);
        let threads = [1, 2].map(|value| {
            let (mut view, exec) = (first.clone(), exec.clone());
            thread::spawn(move || {
                fill(&mut view, value, &exec);
                assert_eq!(bytes(&view, &exec), [value; 3]);
            })
        });
        assert_eq!(bytes(&first, &exec), [0; 3]);
        drop(first);
        join(threads);
        join([spill]);
    });
}

/// An address is valid while the lock pins the bytes, whatever moved them before.
#[test]
fn address_is_valid_while_its_lock_lives() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let mut buffer = Buffer::from_slice(&[7_u8; 70], &exec).unwrap();
        // Reuses the memory that the bytes have left.
        let other = exec.clone();
        let spill = thread::spawn(move || {
            let taken = [0, 1].map(|_| {
                manager.spill_device_memory(usize::MAX);
                let place = Buffer::zeroed(70, &other).unwrap();
                drop(place.read(&other).unwrap());
                place
            });
            drop(taken);
        });
        let lock = acquire_spill_lock();
        let address = buffer.get_ptr(&lock, &exec).unwrap();
        assert_eq!(buffer.read(&exec).unwrap().as_ptr(), address);
        drop(lock);
        thread::yield_now();
        let lock = acquire_spill_lock();
        let address = buffer.get_mut_ptr(&lock, &exec).unwrap();
        assert_eq!(buffer.read(&exec).unwrap().as_ptr(), address.cast_const());
        drop(lock);
        join([spill]);
    });
}

#[test]
fn guarded_allocation_does_not_move() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let buffer = Buffer::from_slice(&[7_u8; 70], &exec).unwrap();
        let spill = spiller(&manager, 2);
        let threads = [0, 1].map(|at| {
            let (view, exec) = (buffer.slice(at, 3), exec.clone());
            thread::spawn(move || {
                for _ in 0..2 {
                    let guard = view.read(&exec).unwrap();
                    thread::yield_now();
                    assert_eq!(guard.as_slice::<u8>(), [7; 3]);
                    assert!(!view.is_spilled());
                }
            })
        });
        join(threads);
        join([spill]);
    });
}

/// A copy made while the bytes are being evicted, or kept from before, never replaces what was written since.
#[test]
fn write_is_in_every_later_copy() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let mut buffer = Buffer::from_slice(&[0_u8; 3], &exec).unwrap();
        let spill = spiller(&manager, 3);
        for value in 1..4 {
            drop(buffer.read(&exec).unwrap());
            fill(&mut buffer, value, &exec);
            assert_eq!(bytes(&buffer, &exec), [value; 3]);
        }
        buffer.spill().unwrap();
        assert_eq!(bytes(&buffer, &exec), [3; 3]);
        join([spill]);
        assert_eq!(bytes(&buffer, &exec), [3; 3]);
    });
}

#[test]
fn leased_allocation_does_not_move() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let mut buffer = Buffer::from_slice(&[7_u8; 3], &exec).unwrap();
        let spill = spiller(&manager, 2);
        let view = buffer.clone();
        let reader = thread::spawn(move || {
            let arrow = view.to_arrow().unwrap();
            drop(view);
            thread::yield_now();
            assert_eq!(arrow.as_slice(), [7; 3]);
        });
        fill(&mut buffer, 1, &exec);
        assert_eq!(bytes(&buffer, &exec), [1; 3]);
        join([reader, spill]);
        assert!(buffer.is_unique() && buffer.spill().is_ok());
    });
}

/// A foreign write is in every later copy.
#[test]
fn foreign_write_is_in_every_later_copy() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let mut buffer = Buffer::from_slice(&[0_u8; 3], &exec).unwrap();
        drop(buffer.read(&exec).unwrap());
        let spill = spiller(&manager, 2);
        for value in 1..3 {
            let lease = buffer.lease_mut(&exec).unwrap();
            thread::yield_now();
            // SAFETY: the lease pins that many bytes for writing, and nothing reads them.
            unsafe { lease.as_ptr().cast_mut().write_bytes(value, 3) };
            drop(lease);
            assert_eq!(bytes(&buffer, &exec), [value; 3]);
        }
        join([spill]);
        assert_eq!(bytes(&buffer, &exec), [2; 3]);
    });
}

/// Both operators need most of the memory, and parts of what the other needs.
#[test]
fn operators_that_need_each_others_buffers_do_not_deadlock() {
    explore(4 * 64, BLOCK, |exec, _| {
        let all: Vec<_> = (0..6_u8).map(|at| Buffer::from_slice(&[at; 64], &exec).unwrap()).collect();
        let threads = [[0, 1, 2], [2, 3, 0]].map(|wanted| {
            let (exec, buffers) = (exec.strict(), wanted.map(|at: usize| all[at].clone()));
            thread::spawn(move || {
                match exec.access(&buffers.each_ref(), []) {
                    Ok(access) => {
                        for (guard, at) in access.reads.iter().zip(wanted) {
                            assert_eq!(guard.as_slice::<u8>(), [u8::try_from(at).unwrap(); 64]);
                        }
                    }
                    // Refused while the other operator has all of it; nothing is held.
                    Err(Error::OutOfMemory { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            })
        });
        join(threads);
        for (buffer, at) in all.iter().zip(0..) {
            assert_eq!(bytes(buffer, &exec), [at; 64]);
        }
    });
}

#[test]
fn dropped_victim_is_freed_once() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let all: Vec<_> = (0..4_u8).map(|at| Buffer::from_slice(&[at; 64], &exec).unwrap()).collect();
        let spill = spiller(&manager, 2);
        for buffer in all {
            drop(buffer);
            thread::yield_now();
        }
        join([spill]);
    });
}

#[test]
fn concurrent_reservations_stay_within_budget_and_are_released() {
    const LIMIT: usize = 4 * 64;
    explore(LIMIT, BLOCK, |exec, manager| {
        let threads = [1_usize, 2].map(|blocks| {
            let exec = exec.clone();
            thread::spawn(move || {
                let reservation = match exec.reserve(blocks * 64) {
                    Ok(reservation) => reservation,
                    Err(Error::OutOfMemory { .. }) => return,
                    Err(error) => panic!("{error}"),
                };
                let inside = reservation.exec(&exec);
                // The reserved memory is available.
                let first = Buffer::from_slice(&[1_u8; 64], &inside).unwrap();
                thread::yield_now();
                drop(reservation);
                let second = Buffer::from_slice(&[2_u8; 64], &exec.strict());
                assert_eq!(bytes(&first, &exec), [1; 64]);
                assert!(second.is_ok_and(|second| bytes(&second, &exec) == [2; 64]));
            })
        });
        let third = Buffer::from_slice(&[3_u8; 64], &exec).unwrap();
        join(threads);
        assert_eq!(bytes(&third, &exec), [3; 64]);
        assert!(manager.usage().tiers[Tier::Device].peak <= LIMIT);
    });
}

/// Only ranges with a view are moved, whatever other threads make and drop views.
#[test]
fn every_view_keeps_its_bytes_across_moves() {
    explore(1 << 20, BLOCK, |exec, manager| {
        let pattern: Vec<u8> = (0..=255).cycle().take(1024).collect();
        let whole = Buffer::from_slice(&pattern, &exec).unwrap();
        let spill = spiller(&manager, 2);
        let other = {
            let (part, exec, pattern) = (whole.slice(600, 100), exec.clone(), pattern.clone());
            thread::spawn(move || {
                let part = part.slice(10, 20);
                assert_eq!(bytes(&part, &exec), pattern[610..630]);
                drop(part.read(&exec).unwrap());
                assert_eq!(bytes(&part, &exec), pattern[610..630]);
            })
        };
        let part = whole.slice(700, 70);
        drop(whole);
        let isolated = part.slice(30, 3).isolate().unwrap();
        drop(part.read(&exec).unwrap());
        assert_eq!(bytes(&part, &exec), pattern[700..770]);
        assert_eq!(isolated.read(&exec).unwrap().as_slice::<u8>(), &pattern[730..733]);
        join([other, spill]);
    });
}

/// While bytes are demoted, their owner unspills, changes and spills them again: the demoted copy is never
/// out of date.
#[test]
fn demoted_copy_is_never_out_of_date() {
    const HALF: usize = 60 << 10;
    explore(1 << 20, BLOCK, |exec, _| {
        let mut changed = Buffer::from_slice(&[0_u8; HALF], &exec).unwrap();
        let pushers = [(); 2].map(|()| Buffer::zeroed(HALF, &exec).unwrap());
        changed.spill().unwrap();
        let pusher = thread::spawn(move || {
            for pusher in &pushers {
                pusher.spill().unwrap();
            }
        });
        changed.write(&exec).unwrap().as_mut_slice::<u8>().fill(1);
        changed.spill().unwrap();
        join([pusher]);
        assert!(bytes(&changed, &exec) == [1; HALF]);
    });
}

/// Readers that wait for a move are woken, whatever its result.
#[test]
fn readers_that_wait_for_a_move_are_woken() {
    explore(1 << 20, 0, |exec, manager| {
        let buffer = Buffer::from_slice(&[9_u8; 64], &exec).unwrap();
        buffer.spill().unwrap();
        let spill = spiller(&manager, 1);
        let threads = [0, 1].map(|at| {
            let (mut view, exec) = (buffer.slice(at, 8), exec.clone());
            thread::spawn(move || {
                drop(view.read(&exec).unwrap());
                fill(&mut view, 5, &exec);
                assert_eq!(bytes(&view, &exec), [5; 8]);
            })
        });
        join(threads);
        join([spill]);
        assert_eq!(bytes(&buffer, &exec), [9; 64]);
        // The registry knows where the allocation is: it can be spilled.
        drop(buffer.read(&exec).unwrap());
        assert_eq!(manager.spill_device_memory(usize::MAX), 64);
    });
}
