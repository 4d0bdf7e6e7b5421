//! Spilling, unspilling and writing of allocations.

use super::{assert_conserved, assert_intact, buffers, contents, execs, managed, traffic};
use crate::tests::address;
use crate::{Buffer, Device, Tier};

#[test]
fn spilled_bytes_unspill_unchanged() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        for len in [1, 63, 64, 65, 1000, 4096, 100_001] {
            let all = buffers(1, len, &exec);
            let used = manager.usage().tiers[Tier::Device].bytes;
            assert!(all[0].is_spillable());
            assert!(all[0].spill().unwrap());
            assert!(all[0].is_spilled() && !all[0].is_spillable());
            assert!(!all[0].spill().unwrap(), "it is there already");
            assert_eq!(manager.usage().tiers[Tier::Device].bytes, used - len.next_multiple_of(64));
            // The host reads spilled bytes without unspilling.
            assert_intact(&all, &exec);
            assert!(all[0].is_spilled());
            drop(all[0].read(&exec).unwrap());
            assert!(!all[0].is_spilled());
            assert_intact(&all, &exec);
            assert_eq!(manager.usage().tiers[Tier::Device].bytes, used);
        }
        assert_eq!(exec.resource().statistics().unwrap().live, 0);
        assert_conserved(&manager);
    }
}

#[test]
fn spill_of_empty_buffer_is_a_no_op() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let empty = Buffer::uninit(0, &exec).unwrap();
        assert!(!empty.spill().unwrap());
        assert!(!empty.is_spillable() && !empty.is_spilled());
        assert_eq!(manager.spill_device_memory(usize::MAX), 0);
    }
}

/// Nothing evicts them before they are written.
#[test]
fn new_bytes_are_held_until_they_are_given_up() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        for len in [0, 1, 64, 100_001] {
            let mut guard = Buffer::uninit_write(len, &exec).unwrap();
            assert_eq!(guard.len(), len);
            assert_eq!(manager.spill_device_memory(usize::MAX), 0);
            if exec.device() == Device::Host {
                guard.as_mut_slice::<u8>().copy_from_slice(&contents(0, len));
            }
            let buffer = guard.into_buffer();
            assert_eq!(buffer.len(), len);
            assert_eq!(manager.spill_device_memory(usize::MAX), len.next_multiple_of(64));
            if exec.device() == Device::Host {
                assert_intact(&[buffer], &exec);
            }
        }
        assert_eq!(exec.resource().statistics().unwrap().live, 0);
        assert_conserved(&manager);
    }
}

#[test]
fn views_share_residency() {
    for exec in execs() {
        let (exec, _) = managed(&exec);
        let whole = Buffer::from_slice(&contents(0, 1000), &exec).unwrap();
        let (clone, slice) = (whole.clone(), whole.slice(10, 100));
        assert!(slice.spill().unwrap());
        assert!(whole.is_spilled() && clone.is_spilled());
        drop(clone.read(&exec).unwrap());
        assert!(!slice.is_spilled() && !whole.is_spilled());
        assert!(whole.shares_memory(&slice));
        assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), contents(0, 1000)[10..110]);
    }
}

/// A write to a spilled, shared buffer: the writer gets resident memory of its own, the other buffer stays
/// spilled.
#[test]
fn write_to_spilled_buffer_copies_if_shared() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let first = Buffer::from_slice(&contents(0, 500), &exec).unwrap();
        let mut second = first.clone();
        first.spill().unwrap();
        second.write(&exec).unwrap().copy_from_slice(&[1_u8; 500]).unwrap();
        assert!(first.is_spilled() && !second.is_spilled());
        assert_eq!(second.to_vec::<u8>(&exec).unwrap(), [1; 500]);
        assert_eq!(first.to_vec::<u8>(&exec).unwrap(), contents(0, 500));
        // The last view writes in place after it is unspilled.
        drop(second);
        let mut first = first;
        assert!(first.is_unique());
        first.write(&exec).unwrap().copy_from_slice(&[2_u8; 500]).unwrap();
        first.spill().unwrap();
        assert_eq!(first.to_vec::<u8>(&exec).unwrap(), [2; 500]);
        drop(first);
        assert_conserved(&manager);
    }
}

#[test]
fn eviction_with_clean_copy_does_not_copy() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut buffer = Buffer::from_slice(&contents(0, 5000), &exec).unwrap();
        for _ in 0..4 {
            assert!(buffer.spill().unwrap());
            drop(buffer.read(&exec).unwrap());
        }
        assert_eq!(traffic(&manager), (5056, 4 * 5056), "down once, up each time");
        // A write invalidates the copy: the next eviction copies again.
        buffer.write(&exec).unwrap().copy_from_slice(&contents(1, 5000)).unwrap();
        assert!(buffer.spill().unwrap());
        assert_eq!(traffic(&manager).0, 2 * 5056);
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), contents(1, 5000));
    }
}

/// Only the range with views is moved: not a megabyte for one byte that is still used.
#[test]
fn spill_moves_only_range_with_views() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let bytes = contents(0, 1 << 20);
        let whole = Buffer::from_slice(&bytes, &exec).unwrap();
        let slice = whole.slice(700_001, 1);
        drop(whole);
        assert!(slice.spill().unwrap());
        let (down, _) = traffic(&manager);
        assert!(down <= 256, "{down} bytes were moved for one");
        assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), bytes[700_001..700_002]);
        drop(slice.read(&exec).unwrap());
        assert!(traffic(&manager).1 <= 256);
        assert!(manager.usage().tiers[Tier::Device].bytes <= 256);
        assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), bytes[700_001..700_002]);
        // It can be evicted again, cloned and written.
        let mut clone = slice.clone();
        slice.spill().unwrap();
        clone.write(&exec).unwrap().copy_from_slice(&[9_u8]).unwrap();
        assert_eq!(slice.to_vec::<u8>(&exec).unwrap(), bytes[700_001..700_002]);
    }
}

#[test]
fn isolated_part_of_spilled_buffer_unspills_alone() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let bytes = contents(0, 1 << 20);
        let whole = Buffer::from_slice(&bytes, &exec).unwrap();
        let shared = whole.slice(100, 10).isolate().unwrap();
        assert!(shared.shares_memory(&whole), "resident bytes need not be isolated");
        drop(shared);
        whole.spill().unwrap();
        let part = whole.slice(300_000, 1000).isolate().unwrap();
        assert!(!part.shares_memory(&whole));
        drop(part.read(&exec).unwrap());
        assert!(whole.is_spilled() && !part.is_spilled());
        assert!(traffic(&manager).1 <= 1024 + 256);
        assert_eq!(part.to_vec::<u8>(&exec).unwrap(), bytes[300_000..301_000]);
        drop(whole);
        part.spill().unwrap();
        assert_eq!(part.to_vec::<u8>(&exec).unwrap(), bytes[300_000..301_000]);
        drop(part);
        assert_conserved(&manager);
    }
}

#[test]
fn copy_of_spilled_buffer_shares_payload() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let first = Buffer::from_slice(&contents(0, 3000), &exec).unwrap();
        first.spill().unwrap();
        let mut deep = first.copy_to(&exec).unwrap();
        assert!(deep.is_spilled() && !deep.shares_memory(&first));
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 0);
        deep.write(&exec).unwrap().copy_from_slice(&[5_u8; 3000]).unwrap();
        assert_eq!(first.to_vec::<u8>(&exec).unwrap(), contents(0, 3000));
        drop(first.read(&exec).unwrap());
        assert_ne!(address(&first, &exec), address(&deep, &exec));
        assert_eq!(deep.to_vec::<u8>(&exec).unwrap(), [5; 3000]);
    }
}

#[test]
fn assemble_beyond_budget_is_in_lower_tier() {
    for exec in execs() {
        let (exec, manager) = super::limited(&exec, 10_000);
        let parts = buffers(9, 3001, &exec);
        parts[4].spill().unwrap();
        let whole = Buffer::assemble(&parts, &exec).unwrap();
        assert!(whole.is_spilled());
        assert_eq!(whole.len(), 9 * 3001);
        let expected: Vec<u8> = (0..9).flat_map(|at| contents(at, 3001)).collect();
        assert_eq!(whole.to_vec::<u8>(&exec).unwrap(), expected);
        let part = whole.slice(3001 * 5, 3001).isolate().unwrap();
        drop(part.read(&exec.strict()).unwrap());
        assert_eq!(part.to_vec::<u8>(&exec).unwrap(), contents(5, 3001));
        assert!(whole.read(&exec.strict()).is_err(), "it never fits");
        let small =
            Buffer::assemble(&[parts[0].slice(1, 2), parts[1].slice(0, 0), parts[2].slice(5, 3)], &exec);
        let small = small.unwrap();
        assert!(!small.is_spilled());
        assert_eq!(small.len(), 5);
        assert!(manager.usage().tiers[Tier::Device].peak <= 10_000);
    }
}

/// Hints unspill what will be used, as far as it fits, and spill first what is no longer used.
#[test]
fn hints_order_unspilling_and_spilling() {
    for exec in execs() {
        let (exec, manager) = super::limited(&exec, 4 * 1024);
        let all = buffers(8, 1000, &exec);
        assert!(all[0].is_spilled() && !all[7].is_spilled());
        all[7].done_with();
        all[0].will_need();
        for _ in 0..2000 {
            if !all[0].is_spilled() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(!all[0].is_spilled());
        assert!(all[7].is_spilled() && !all[4].is_spilled(), "what was done with was evicted first");
        assert!(manager.usage().tiers[Tier::Device].peak <= 4 * 1024);
        assert_intact(&all, &exec);
    }
}
