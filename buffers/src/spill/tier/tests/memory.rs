//! Pinned and pageable memory: limits, growth, and blocks that queued work still reads.

use super::*;
use crate::spill::tier::blocks::{BlockPool, SharedPool};
use crate::spill::tier::bounce::BouncePool;
use crate::spill::tier::movers::Movers;
use crate::spill::tier::moves::Mover;
use crate::spill::tier::plan::Plan;
use crate::spill::tier::slot::{HostBytes, Slot};
use crate::{Error, TierUsage};

#[test]
fn plan_wastes_at_most_a_quarter_block() {
    let block = Geometry::default().block;
    for len in (0..2048).chain((2048..3 * block).step_by(5003)).step_by(if cfg!(miri) { 97 } else { 1 }) {
        let plan = Plan::new(len, block);
        let bytes = plan.bytes(block);
        assert!(bytes >= len, "{len}: {plan:?}");
        let bound = (len % block / 2 + 4096).clamp(255, block / 4);
        assert!(bytes - len <= bound, "{len}: {plan:?}");
        assert!(plan.chunks.len() <= 2 && plan.chunks.iter().all(|chunk| chunk.is_multiple_of(256)));
    }
    assert_eq!(Plan::new(block, block), Plan { blocks: 1, chunks: smallvec::SmallVec::new() });
}

fn pool(limit: usize) -> SharedPool {
    SharedPool::new(BlockPool::new(Tier::Pageable, Device::Host, GEOMETRY, limit))
}

#[test]
fn slots_do_not_overlap_and_are_all_released() {
    let pool = pool(16 * BLOCK);
    let mut reservations = Vec::new();
    for round in 0..if cfg!(miri) { 20 } else { 200_usize } {
        let len = 1 + round * 7919 % (BLOCK + BLOCK / 2);
        match pool.reserve(len) {
            Ok(slot) => reservations.push((len, slot)),
            Err(error) => {
                assert!(matches!(error, Error::Storage { tier: Tier::Pageable, .. }), "{error}");
                drop(reservations.swap_remove(round % reservations.len()));
            }
        }
        let mut spans: Vec<_> = reservations.iter().flat_map(|(len, slot)| slot.spans(0..*len)).collect();
        spans.sort_by_key(|span| span.address);
        for pair in spans.windows(2) {
            assert!(pair[0].address.addr().get() + pair[0].bytes <= pair[1].address.addr().get());
        }
        let lens: usize = reservations.iter().map(|(len, _)| len).sum();
        assert_eq!(spans.iter().map(|span| span.bytes).sum::<usize>(), lens);
        assert!(pool.usage().bytes >= lens && pool.held() <= 16 * BLOCK);
    }
    drop(reservations);
    assert_eq!(pool.usage().bytes, 0);
    assert!(pool.held() <= GEOMETRY.first_arena, "free memory goes back to the system");
    let all = pool.reserve(16 * BLOCK).unwrap();
    assert_eq!(pool.usage(), TierUsage { bytes: 16 * BLOCK, peak: 16 * BLOCK, limit: Some(16 * BLOCK) });
    drop(all);
}

/// Without a device or a file, so that it runs under Miri: from memory to blocks, to other blocks, and back.
#[test]
fn bytes_round_trip_through_blocks() {
    let pool = pool(16 * BLOCK);
    let movers = Arc::new(Movers::default());
    let mover = Mover { bounce: Arc::new(BouncePool::new(Device::Host, BOUNCE)), movers };
    let sizes: &[usize] =
        if cfg!(miri) { &[1, 4097, BLOCK + 1] } else { &[1, 4097, BLOCK + 1, 5 * BLOCK + 77] };
    for &size in sizes {
        let bytes = pattern(size);
        let [first, second] = [(); 2].map(|()| Arc::new(Slot::Blocks(pool.reserve(size).unwrap())));
        let source = HostBytes::Memory(NonNull::from(&bytes[..]).cast());
        // SAFETY: `bytes` is as long and borrowed; the slots are new.
        unsafe {
            mover.host_to_slot(&source, &first, size).unwrap();
            mover.host_to_slot(&HostBytes::Slot(first), &second, size).unwrap();
        }
        for range in ranges(size) {
            let mut found = vec![0; range.len()];
            let target = HostBytes::Memory(NonNull::from(&mut found[..]).cast());
            // SAFETY: `found` is as long and used by nothing else.
            unsafe { mover.slot_to_host(&second, range.clone(), &target).unwrap() };
            assert_eq!(found, bytes[range]);
        }
    }
    assert_eq!(pool.usage().bytes, 0);
}

#[test]
fn small_slots_share_a_block() {
    let pool = pool(BLOCK);
    let reservations: Vec<_> = (0..BLOCK / 256).map(|_| pool.reserve(200).unwrap()).collect();
    assert!(pool.reserve(1).is_err());
    drop(reservations);
    drop(pool.reserve(BLOCK).unwrap());
}

#[test]
fn limit_changes_while_bytes_are_stored() {
    let pool = pool(4 * BLOCK);
    let (first, second) = (pool.reserve(2 * BLOCK).unwrap(), pool.reserve(2 * BLOCK).unwrap());
    assert!(!pool.has_space(1) && pool.reserve(1).is_err());
    pool.set_limit(6 * BLOCK);
    assert!(pool.has_space(2 * BLOCK));
    drop(pool.reserve(2 * BLOCK).unwrap());
    pool.set_limit(0);
    assert!(!pool.has_space(BLOCK) && pool.reserve(BLOCK).is_err());
    assert_eq!(pool.usage().bytes, 4 * BLOCK);
    drop((first, second));
    assert_eq!(pool.held(), 0);
    assert!(pool.reserve(1).is_err());
}

#[test]
fn concurrent_threads_share_a_pool() {
    let pool = pool(8 * BLOCK);
    std::thread::scope(|scope| {
        for thread in 0..4_usize {
            let pool = &pool;
            scope.spawn(move || {
                for round in 0..if cfg!(miri) { 10 } else { 200 } {
                    let len = 1 + (thread * 31 + round) * 6007 % (2 * BLOCK);
                    drop(pool.reserve(len));
                }
            });
        }
    });
    assert_eq!(pool.usage().bytes, 0);
}

/// More threads than blocks, each of which needs several: threads that hold some finish, so no thread waits
/// for ever.
#[test]
fn concurrent_users_of_few_bounce_blocks_do_not_deadlock() {
    let pool = Arc::new(BouncePool::new(Device::Host, BOUNCE));
    let threads = BouncePool::MOST + 4;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let pool = Arc::clone(&pool);
            scope.spawn(move || {
                for _ in 0..if cfg!(miri) { 2 } else { 100 } {
                    let mut held = vec![pool.take(0, 3).unwrap().unwrap()];
                    while let Some(bounce) = pool.take(held.len(), 3).unwrap() {
                        held.push(bounce);
                    }
                    let mark = u8::try_from(thread).unwrap();
                    for bounce in &mut held {
                        bounce.as_mut_slice()[..64].fill(mark);
                    }
                    std::thread::yield_now();
                    assert!(held.iter_mut().all(|bounce| bounce.as_mut_slice()[..64] == [mark; 64]));
                }
            });
        }
    });
}

/// On the simulator with lazy streams, a load has not run when its payload is dropped.
#[test]
fn blocks_of_queued_load_are_not_reused() {
    for setting in Setting::all() {
        if setting.exec.device() == Device::Host {
            continue;
        }
        let options = TierOptions { pinned_limit: Some(4 * BLOCK), ..TierOptions::default() };
        let setting = Setting::new(setting.exec.device(), &options);
        let bytes = pattern(4 * BLOCK);
        for _ in 0..8 {
            let payload = setting.store(Tier::Pinned, &bytes).unwrap();
            let loaded = setting.load(&payload, 0..bytes.len()).unwrap();
            drop(payload);
            // The whole tier, which includes the blocks of the load once it has run.
            let other = setting.store(Tier::Pinned, &vec![9; bytes.len()]).unwrap();
            assert_eq!(loaded.to_vec::<u8>(&setting.exec).unwrap(), bytes);
            drop(other);
        }
        // Tiers that are dropped while a load is queued.
        let payload = setting.store(Tier::Pinned, &bytes).unwrap();
        let loaded = setting.load(&payload, 0..bytes.len()).unwrap();
        let Setting { exec, tiers } = setting;
        drop((payload, tiers));
        assert_eq!(loaded.to_vec::<u8>(&exec).unwrap(), bytes);
    }
}

#[test]
fn prepare_makes_first_arena() {
    for setting in Setting::all() {
        setting.tiers.prepare();
        let expected = if setting.exec.device() == Device::Host { 0 } else { GEOMETRY.first_arena };
        let deadline = std::time::Instant::now() + std::time::Duration::from_mins(2);
        while setting.tiers.pinned_held() != expected {
            assert!(std::time::Instant::now() < deadline);
            std::thread::yield_now();
        }
    }
}
