//! Counts agree with the actual memory.

use std::panic::Location;

use super::{assert_accounted, assert_conserved, buffers, contents, execs, managed, with_options};
use crate::{Amount, Buffer, Cause, DeviceLimit, SpillOptions, StatisticsLevel, Tier, acquire_spill_lock};

/// Random steps; after each of them every byte is accounted for.
#[test]
fn counted_bytes_match_every_tier_after_random_steps() {
    const STEPS: usize = if cfg!(miri) { 60 } else { 300 };
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| {
            options.device_limit = Some(DeviceLimit::Bytes(40_000));
            options.pageable_limit = Some(30_000);
        });
        let mut all: Vec<Buffer> = Vec::new();
        let mut seed = 12_345_usize;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..STEPS {
            let (what, len) = (random(10), 1 + random(5000));
            let at = random(all.len().max(1));
            match (what, all.get_mut(at)) {
                (0..=2, _) | (_, None) => {
                    all.push(Buffer::from_slice(&contents(what, len), &exec).unwrap());
                }
                (3, Some(buffer)) => drop(buffer.spill().unwrap()),
                (4 | 5, Some(buffer)) => drop(buffer.read(&exec).unwrap()),
                (6, Some(buffer)) => drop(buffer.write(&exec).unwrap()),
                (7, Some(buffer)) => {
                    let part = buffer.slice(0, buffer.len() / 3);
                    all.push(part);
                }
                (8, Some(buffer)) => {
                    let part = buffer.slice(buffer.len() / 2, buffer.len() - buffer.len() / 2).isolate();
                    all.push(part.unwrap());
                }
                _ => drop(all.swap_remove(at)),
            }
            assert_accounted(&manager);
        }
        drop(all);
        assert_conserved(&manager);
    }
}

/// New data on a device does not count as unspilled, nor does reading spilled bytes in place.
#[test]
fn new_data_does_not_count_as_unspilled() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let all = buffers(3, 1000, &exec);
        all[0].spill().unwrap();
        assert_eq!(all[0].to_vec::<u8>(&exec).unwrap(), contents(0, 1000));
        let snapshot = manager.statistics().snapshot();
        assert!(snapshot.edges.iter().all(|edge| edge.to != Tier::Device), "{snapshot}");
        assert_eq!(snapshot.flows[Tier::Device].born, 3 * 1024);
    }
}

#[test]
fn causes_thrash_and_spilled_time_are_counted() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let all = buffers(2, 1000, &exec);
        all[0].spill().unwrap();
        drop(all[0].read(&exec).unwrap());
        all[0].spill().unwrap();
        let snapshot = manager.statistics().snapshot();
        let once = Amount { count: 1, bytes: 1024 };
        let (down, up) = (&snapshot.edges[0], &snapshot.edges[1]);
        assert_eq!((down.from, up.to), (Tier::Device, Tier::Device));
        assert_eq!(
            (&down.causes[..], &up.causes[..]),
            (&[(Cause::Explicit, once)][..], &[(Cause::Access, once)][..])
        );
        assert_eq!((down.freed, up.freed), (1024, 0));
        assert_eq!(up.thrash, once);
        assert_eq!(snapshot.skipped_causes, [(Cause::Explicit, once)]);
        assert_eq!((snapshot.spilled_time.now, snapshot.spilled_time.count), (once, 2));
        drop(all);
        assert_eq!(manager.statistics().snapshot().spilled_time.now, Amount::default());
        // A slot that a queued load still reads is released after the load.
        exec.synchronize().unwrap();
        let timeline = manager.timeline();
        assert_eq!(timeline.moves.len(), 2);
        let device: Vec<_> = timeline.samples.iter().map(|sample| sample.bytes[Tier::Device]).collect();
        assert_eq!(device.iter().max(), Some(&2048));
        assert_eq!(timeline.samples.last().unwrap().bytes, crate::ByTier::default());
    }
}

#[test]
fn guards_are_counted_by_call_site_at_level_2() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let all = buffers(2, 1000, &exec);
        let before = manager.statistics().snapshot().pins;
        let guards: Vec<_> = all.iter().map(|buffer| buffer.read(&exec).unwrap()).collect();
        let pins = manager.statistics().snapshot().pins;
        let pin = pins.iter().find(|pin| !before.iter().any(|old| old.at == pin.at)).unwrap();
        assert!(pin.at.file().ends_with("statistics.rs"), "{}", pin.at);
        assert_eq!((pin.held.count, pin.taken.count), (2, 2));
        drop(guards);
        let pins = manager.statistics().snapshot().pins;
        assert!(pins.iter().all(|pin| pin.held == Amount::default()), "{pins:?}");
    }
}

/// So that the report can say what keeps memory from being spilled.
#[test]
fn leases_and_locks_are_counted_by_call_site_at_level_2() {
    for exec in execs() {
        let (exec, manager) = managed(&exec);
        let mut all = buffers(3, 1000, &exec);
        all[0].spill().unwrap();
        let line = line!() + 1;
        let leases = [all[0].lease().unwrap(), all[1].lease_mut(&exec).unwrap()];
        let once = Amount { count: 1, bytes: 1000 };
        let sites = manager.statistics().snapshot().exposures;
        let sites: Vec<_> =
            sites.iter().map(|at| (at.at.file(), at.at.line(), at.exposed, at.spilled)).collect();
        assert_eq!(sites, [(file!(), line, once, 1000), (file!(), line, once, 0)]);
        drop(leases);

        let lock = acquire_spill_lock();
        let line = line!() + 1;
        all[0].get_ptr(&lock, &exec).unwrap();
        all[1].get_mut_ptr(&lock, &exec).unwrap();
        lock.scope(|| all[2].read(&exec).map(drop)).unwrap();
        let held = || {
            let pins = manager.statistics().snapshot().pins;
            let is_here = |at: &Location<'_>| at.file() == file!() && at.line() >= line;
            let mut here: Vec<_> = pins.iter().filter(|pin| is_here(pin.at)).collect();
            here.sort_by_key(|pin| pin.at.line());
            here.iter().map(|pin| (pin.at.line() - line, pin.held.bytes)).collect::<Vec<_>>()
        };
        assert_eq!(held(), [(0, 1000), (1, 1000), (2, 1000)], "the guard is gone, the scope holds on");
        drop(lock);
        assert_eq!(held(), [(0, 0), (1, 0), (2, 0)]);
    }
}

#[test]
fn nothing_is_counted_at_level_0() {
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| options.statistics = StatisticsLevel::Off);
        let all = buffers(2, 1000, &exec);
        all[0].spill().unwrap();
        drop(all[0].read(&exec).unwrap());
        assert_eq!(manager.statistics().to_string(), "Spill Statistics (level=0): N/A");
        let snapshot = manager.statistics().snapshot();
        assert!(snapshot.edges.is_empty() && snapshot.pins.is_empty());

        // Counting begins with the resident bytes.
        all[1].spill().unwrap();
        let options = |statistics| SpillOptions { statistics, ..manager.options() };
        manager.set_options(options(StatisticsLevel::Spills)).unwrap();
        assert_accounted(&manager);
        drop(all);
        assert_conserved(&manager);
        manager.set_options(options(StatisticsLevel::Off)).unwrap();
        let more = buffers(1, 1000, &exec);
        manager.set_options(options(StatisticsLevel::Spills)).unwrap();
        assert_accounted(&manager);
        drop(more);
        assert_conserved(&manager);
    }
}

#[test]
fn manager_display_is_one_line() {
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| options.spill = false);
        assert_eq!(
            manager.to_string(),
            "<SpillManager device_memory_limit=N/A | 0B spilled | 0B (0%) unspilled (unspillable)>"
        );
        let all = buffers(4, 1024, &exec);
        all[0].spill().unwrap();
        let guard = all[1].read(&exec).unwrap();
        manager
            .set_options(SpillOptions {
                spill: true,
                device_limit: Some(DeviceLimit::Bytes(1 << 30)),
                ..manager.options()
            })
            .unwrap();
        assert_eq!(
            manager.to_string(),
            "<SpillManager device_memory_limit=1GiB | 1KiB spilled | 3KiB (33%) unspilled (unspillable)>"
        );
        drop(guard);
    }
}

/// Every refusal is counted; the memory usage is measured only if that is cheap in comparison.
#[test]
#[cfg_attr(miri, ignore = "too many allocations for Miri")]
fn refusals_among_many_allocations_are_cheap() {
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| {
            options.device_limit = Some(DeviceLimit::Bytes(64 << 20));
            (options.pinned_limit, options.pageable_limit, options.disk_limit) = (Some(0), Some(0), Some(0));
            options.statistics = StatisticsLevel::Spills;
        });
        let few = buffers(10, 64, &exec);
        let refused = |count: u64| {
            let before = manager.statistics().snapshot();
            (0..count).for_each(|_| drop(Buffer::zeroed(100 << 20, &exec.strict()).unwrap_err()));
            let after = manager.statistics().snapshot();
            assert_eq!(after.refused.count - before.refused.count, count);
            after.refusals.len() - before.refusals.len()
        };
        assert_eq!(refused(3), 3, "of few allocations each is looked at");
        let many = buffers(4_200, 64, &exec);
        // One measurement of 4,210 allocations serves five refusals.
        assert_eq!(refused(11), 3);
        let snapshot = manager.statistics().snapshot();
        assert_eq!(snapshot.refusals.last().unwrap().usage.managed, manager.usage().managed);
        drop((few, many));
        assert_conserved(&manager);
    }
}
