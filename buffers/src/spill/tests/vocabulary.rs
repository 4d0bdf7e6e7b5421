//! cuDF's API: `get_ptr`, `acquire_spill_lock`, exposure, shallow copies.

use super::{assert_intact, buffers, contents, execs, managed, spilled, with_options};
use crate::tests::address;
use crate::{Buffer, acquire_spill_lock};

#[test]
fn pointers_are_valid_until_lock_is_dropped() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut all = buffers(3, 1000, &exec);
        all[0].spill().unwrap();
        let lock = acquire_spill_lock();
        assert!(lock.is_empty());
        let first = all[0].get_ptr(&lock, &exec).unwrap();
        let again = all[0].get_ptr(&lock, &exec).unwrap();
        assert_eq!(first, again);
        let shared = all[1].clone();
        let written = all[1].get_mut_ptr(&lock, &exec).unwrap();
        assert!(!all[1].shares_memory(&shared), "to write, shared memory is separated");
        assert_eq!(lock.len(), 3);
        manager.spill_device_memory(usize::MAX);
        assert!(!all[0].is_spilled() && !all[1].is_spilled() && all[2].is_spilled());
        assert_eq!(address(&all[0], &exec), first);
        assert_eq!(address(&all[1], &exec), written.cast_const());
        drop(lock);
        manager.spill_device_memory(usize::MAX);
        assert!(all.iter().all(Buffer::is_spilled), "nothing is exposed for ever");
        assert_intact(&all, &exec);
    }
}

#[test]
fn scope_keeps_used_buffers_pinned() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut all = buffers(4, 1000, &exec);
        let (outer, inner) = (acquire_spill_lock(), acquire_spill_lock());
        outer.scope(|| {
            drop(all[0].read(&exec).unwrap());
            inner.scope(|| {
                drop(all[1].write(&exec).unwrap());
                let (read, written) = all.split_at_mut(3);
                drop(exec.access(&[&read[2]], [&mut written[0]]).unwrap());
            });
        });
        let elsewhere = Buffer::zeroed(100, &exec).unwrap();
        drop(elsewhere.read(&exec).unwrap());
        assert_eq!(manager.spill_device_memory(usize::MAX), 128, "what was touched outside");
        assert_eq!((outer.len(), inner.len()), (4, 3));
        drop(outer);
        assert_eq!(manager.spill_device_memory(usize::MAX), 1024, "the first alone was the outer scope's");
        assert!(all[0].is_spilled());
        drop(inner);
        assert_eq!(manager.spill_device_memory(usize::MAX), 3 * 1024);
    }
}

#[test]
fn exposure_is_permanent_and_separates_shared_memory() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut buffer = Buffer::from_slice(&contents(0, 1000), &exec).unwrap();
        let before = buffer.clone();
        buffer.spill().unwrap();
        let exposed = buffer.expose(&exec).unwrap();
        assert!(buffer.is_exposed() && !buffer.is_spilled() && !buffer.is_spillable());
        assert!(!buffer.shares_memory(&before) && !before.is_exposed(), "what was shared is separated first");
        assert_eq!(buffer.expose(&exec).unwrap(), exposed, "once exposed, it stays where it is");
        let copy = buffer.shallow_copy(&exec).unwrap();
        assert!(!copy.shares_memory(&buffer) && !copy.is_exposed());
        assert!(copy.shallow_copy(&exec).unwrap().shares_memory(&copy));
        // A write through the buffer leaves the exposed memory to the holder of its address.
        let mut ours = buffer.clone();
        ours.write(&exec).unwrap().copy_from_slice(&[1_u8; 1000]).unwrap();
        assert!(!ours.is_exposed());
        let snapshot = manager.statistics().snapshot();
        let [site] = &snapshot.exposures[..] else { panic!("{:?}", snapshot.exposures) };
        assert_eq!((site.exposed.count, site.exposed.bytes, site.spilled), (1, 1000, 1000));
        assert!(site.at.file().ends_with("vocabulary.rs"), "{}", site.at);
    }
}

#[test]
fn foreign_writes_are_invisible_to_earlier_copies() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut buffer = Buffer::from_slice(&contents(0, 1000), &exec).unwrap();
        let before = buffer.clone();
        let lease = buffer.lease_mut(&exec).unwrap();
        assert!(lease.may_write() && !buffer.shares_memory(&before));
        assert_eq!(lease.as_ptr(), address(&buffer, &exec), "no copy beyond that one");
        let second = buffer.lease_mut(&exec).unwrap();
        assert_eq!(second.as_ptr(), lease.as_ptr(), "two foreign writers may share");
        let copy = buffer.shallow_copy(&exec).unwrap();
        assert!(!copy.shares_memory(&buffer));
        assert_eq!(manager.spill_device_memory(usize::MAX), 2048);
        assert!(!buffer.is_spilled());
        drop(second);
        drop(lease);
        assert!(buffer.is_spillable() && buffer.is_unique());
        assert!(buffer.shallow_copy(&exec).unwrap().shares_memory(&buffer));
    }
}

/// After any number of exports every buffer can be spilled again; in cuDF an exposed buffer stays
/// unspillable.
#[test]
fn buffer_is_spillable_after_leases_end() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let all = buffers(10, 1000, &exec);
        for _ in 0..5 {
            let leases: Vec<_> = all.iter().map(|buffer| buffer.lease().unwrap()).collect();
            manager.spill_device_memory(usize::MAX);
            assert!(spilled(&all).is_empty());
            for lease in &leases {
                assert!(lease.ready().unwrap().is_none_or(|event| {
                    event.synchronize().unwrap();
                    event.is_done().unwrap()
                }));
            }
            drop(leases);
            manager.spill_device_memory(usize::MAX);
            assert_eq!(spilled(&all).len(), 10);
        }
        assert_intact(&all, &exec);
    }
}

#[test]
fn shallow_copy_without_copy_on_write_copies() {
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| options.copy_on_write = false);
        let first = Buffer::from_slice(&contents(0, 100), &exec).unwrap();
        assert!(!first.shallow_copy(&exec).unwrap().shares_memory(&first));
        let mut options = manager.options();
        options.copy_on_write = true;
        manager.set_options(options).unwrap();
        assert!(first.shallow_copy(&exec).unwrap().shares_memory(&first));
    }
}

#[test]
fn guard_records_its_call_site() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let buffer = Buffer::zeroed(1000, &exec).unwrap();
        let guard = buffer.read(&exec).unwrap();
        let here = line!() - 1;
        let held = || {
            let pins = manager.statistics().snapshot().pins;
            let found =
                pins.iter().find(|pin| pin.at.line() == here && pin.at.file().ends_with("vocabulary.rs"));
            found.map(|pin| (pin.held.count, pin.held.bytes))
        };
        assert_eq!(held(), Some((1, 1000)));
        drop(guard);
        assert_ne!(held(), Some((1, 1000)));
    }
}
