//! Full tiers are not tried again and again.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::{
    assert_conserved, assert_intact, buffers, execs, managed, over, resource, spilled, with_options,
};
use crate::spill::tier_full::TierFullBackoff;
use crate::sync::Arc;
use crate::{
    Buffer, DeviceLimit, Error, Exec, Limiting, RetryPolicy, SpillOptions, Tier, failpoints, with_retry,
    with_retry_no_split,
};

/// No tier accepts anything, and the limit may be passed all the same.
fn closed(options: &mut SpillOptions) {
    options.soft = true;
    options.pinned_limit = Some(0);
    options.pageable_limit = Some(0);
    options.disk_limit = Some(0);
}

/// Makes some buffers, and counts the requests to tiers meanwhile, as the number of additional failpoint
/// steps compared with no limit.
fn asked_for(count: usize, exec: &Exec, free: &Exec) -> (u64, Vec<Buffer>) {
    let steps = |exec: &Exec| {
        let armed = failpoints::arm_this_thread(0);
        let made = buffers(count, 1000, exec);
        (armed.counted(), made)
    };
    let (more, made) = steps(exec);
    (more - steps(free).0, made)
}

fn refusal(operation: &'static str) -> Error {
    Error::Storage { tier: Tier::Disk, operation, bytes: 4096, reason: "full".to_owned() }
}

#[test]
fn refusal_is_believed_until_something_changes() {
    let full = TierFullBackoff::default();
    let now = Instant::now();
    assert_eq!(full.least(0, now), None);
    full.note(4096, &refusal("reserve"), 100, now);
    assert_eq!(full.least(100, now), None, "once is no rule");
    full.note(4096, &refusal("reserve"), 100, now);
    assert_eq!((full.least(100, now), full.reason(100, true, now)), (Some(4096), Some(refusal("reserve"))));
    // Smaller requests are refused too, and larger ones do not reset it.
    full.note(1024, &refusal("write"), 100, now);
    full.note(8192, &refusal("reserve"), 120, now);
    assert_eq!(full.least(120, now), Some(1024));
    // Bytes left the tiers; time has passed; circumstances have changed.
    assert_eq!(full.least(119, now), None);
    assert_eq!(full.least(120, now + Duration::from_secs(1)), None);
    full.took(1000);
    assert_eq!(full.least(120, now), Some(1024));
    full.took(1024);
    assert_eq!(full.least(120, now), None);
    for change in [|full: &TierFullBackoff| full.forget(), |full: &TierFullBackoff| full.took(usize::MAX)] {
        (0..2).for_each(|_| full.note(64, &refusal("reserve"), 0, now));
        assert_eq!(full.least(0, now), Some(64));
        change(&full);
        assert_eq!(full.least(0, now), None);
    }
    // Without a file nothing fits; other errors say nothing about space.
    (0..2).for_each(|_| full.note(4096, &refusal("create"), 0, now));
    assert_eq!(full.least(0, now), Some(0));
    full.forget();
    (0..2).for_each(|_| full.note(4096, &Error::NotImplemented { feature: "test" }, 0, now));
    assert_eq!(full.least(0, now), None);
}

/// The tiers are tried for a few sizes, not for every victim and every allocation.
#[test]
#[cfg_attr(miri, ignore = "what is believed for a time is not for long enough in Miri")]
fn eviction_with_full_tiers_ends_at_once() {
    for exec in execs() {
        let (free, _) = managed(&exec);
        let (exec, manager) = with_options(&exec, |options| {
            closed(options);
            options.device_limit = Some(DeviceLimit::Bytes(100_000));
        });
        let all = buffers(95, 1000, &exec);
        // The tiers are tried again after some time.
        let (asked, more) = asked_for(100, &exec, &free);
        assert!(asked < 30, "{asked} steps");
        assert_eq!(spilled(&all), [] as [usize; 0]);
        assert_eq!(manager.statistics().snapshot().overruns.count, 98);
        // Smaller payloads may fit where larger ones do not.
        let mut options = manager.options();
        options.disk_limit = Some(8192);
        manager.set_options(options).unwrap();
        let large = Buffer::zeroed(20_000, &exec).unwrap();
        large.done_with();
        drop(Buffer::zeroed(1000, &exec).unwrap());
        assert!(!large.is_spilled());
        assert_eq!(spilled(&all).len() + spilled(&more).len(), 2, "two pages");
        assert_intact(&all, &exec);
        assert_intact(&more, &exec);
        drop((all, more, large));
        assert_conserved(&manager);
    }
}

/// A folder in which no file can be created is not tried for every victim.
#[test]
#[cfg_attr(miri, ignore = "what is believed for a time is not for long enough in Miri")]
fn unwritable_folder_is_tried_once() {
    for exec in execs() {
        let folder = std::env::temp_dir().join(format!("columnade-gone-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (free, _) = managed(&exec);
        let (exec, _) = with_options(&exec, |options| {
            closed(options);
            options.disk_limit = None;
            options.folder = Some(folder.clone());
            options.device_limit = Some(DeviceLimit::Bytes(100_000));
        });
        // Removed, instead of read-only: root can write to a read-only folder.
        std::fs::remove_dir(&folder).unwrap();
        let all = buffers(95, 1000, &exec);
        let (asked, more) = asked_for(100, &exec, &free);
        assert!(asked < 30, "{asked} steps");
        let error = all[0].spill().unwrap_err();
        assert!(matches!(error, Error::Storage { operation: "create", .. }), "{error}");
        assert_intact(&all, &exec);
        assert_intact(&more, &exec);
    }
}

/// An allocation with a spilled copy is evicted all the same, and unspilling makes the tiers worth trying.
#[test]
fn full_disk_still_serves_clean_evictions() {
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| {
            closed(options);
            options.disk_limit = Some(5 * 4096);
            options.device_limit = Some(DeviceLimit::Bytes(5 * 4096));
        });
        let all = buffers(10, 4096, &exec);
        assert_eq!(spilled(&all).len(), 5);
        // Twice the device's memory is read repeatedly: one allocation is unspilled, another is evicted for
        // it.
        for _ in 0..3 {
            assert_intact(&all, &exec);
            for buffer in &all {
                drop(buffer.read(&exec).unwrap());
            }
        }
        assert!(manager.usage().tiers[Tier::Device].peak <= 6 * 4096, "{:?}", manager.usage());
        drop(all);
        assert_conserved(&manager);
    }
}

/// The out-of-memory error contains the reason why nothing could be spilled.
#[test]
#[cfg_attr(miri, ignore = "what is believed for a time is not for long enough in Miri")]
fn out_of_memory_error_contains_tier_error() {
    for exec in execs() {
        let upstream = Arc::new(Limiting::new(resource(exec.device()), 100_000));
        let (exec, _) = over(&exec, upstream, |options| {
            closed(options);
            options.device_limit = Some(DeviceLimit::Bytes(50_000));
        });
        let kept = buffers(60, 1000, &exec);
        for within in [exec.clone(), exec.strict()] {
            let error = Buffer::zeroed(60_000, &within).unwrap_err();
            let Error::OutOfMemory { tier_refusal: Some(below), .. } = &error else { panic!("{error:?}") };
            assert!(
                matches!(**below, Error::Storage { tier: Tier::Disk, operation: "reserve", .. }),
                "{below}"
            );
            assert!(error.to_string().contains("0 of 0 bytes are in use"), "{error}");
        }
        assert_intact(&kept, &exec);
    }
}

fn halves(&(from, to): &(usize, usize)) -> Option<[(usize, usize); 2]> {
    let middle = from.midpoint(to);
    (middle > from).then_some([(from, middle), (middle, to)])
}

/// Bytes `from .. to`, made with scratch memory of the same size.
fn made(&(from, to): &(usize, usize), exec: &Exec) -> Result<Buffer, Error> {
    let scratch = Buffer::zeroed(to - from, exec)?;
    let made = Buffer::from_slice(&vec![7_u8; to - from], exec)?;
    drop(scratch);
    Ok(made)
}

/// Where smaller chunks would not fit either, work passes the limit instead of being split to nothing; where they would,
/// it is split.
#[test]
#[cfg_attr(miri, ignore = "what is believed for a time is not for long enough in Miri")]
fn retry_splits_only_where_smaller_chunks_fit() {
    for exec in execs() {
        for (limit, is_closed) in [(0, false), (64, false), (64 << 10, true)] {
            let (exec, manager) = with_options(&exec, |options| {
                if is_closed {
                    closed(options);
                }
                options.device_limit = Some(DeviceLimit::Bytes(limit));
            });
            let others = buffers(if is_closed { 70 } else { 0 }, 1000, &exec);
            let tried = Cell::new(0);
            let within_budget = |exec: &Exec| {
                let policy = RetryPolicy::no_split().with_fallback();
                with_retry(exec, [(0, 100_000)], policy, made)
            };
            let parts = with_retry(&exec, [(0, 100_000)], RetryPolicy::split(halves), |range, exec| {
                tried.set(tried.get() + 1);
                made(range, exec)
            })
            .unwrap();
            // Once where it is known that the tiers are full, else twice within the budget before.
            assert_eq!(parts.len(), 1, "a limit of {limit}");
            assert!(tried.get() <= 3, "{} attempts with a limit of {limit}", tried.get());
            assert!(manager.statistics().snapshot().overruns.count > 0);
            within_budget(&exec).unwrap();
            with_retry_no_split(&exec, |exec| made(&(0, 100_000), exec)).unwrap();
            // A strict context never passes the limit.
            assert!(matches!(within_budget(&exec.strict()), Err(Error::OutOfMemory { .. })));
            assert_intact(&others, &exec);
        }
        let (exec, manager) = super::limited(&exec, 64 << 10);
        let parts = with_retry(&exec, [(0, 200_000)], RetryPolicy::split(halves), made).unwrap();
        assert!(parts.len() >= 4, "{}", parts.len());
        assert!(manager.usage().tiers[Tier::Device].peak <= 64 << 10);
    }
}

/// A chunk that is meant to pass the budget is not attempted within it.
#[test]
fn retry_of_min_chunk_above_budget_attempts_once() {
    for exec in execs() {
        let (exec, manager) = super::limited(&exec, 20_000);
        let others = buffers(15, 1000, &exec);
        for (estimate, attempts) in [(60_000, 1), (10_000, 2)] {
            let tried = Cell::new(0);
            let policy = RetryPolicy::no_split().reserve(|_| estimate).min_chunk(64 << 10).with_fallback();
            let made = with_retry(&exec, [(0, 30_000)], policy, |range, exec| {
                tried.set(tried.get() + 1);
                made(range, exec)
            });
            // A chunk that fits by itself is to be split where it does not fit beside others.
            assert_eq!((made.is_ok(), tried.get()), (attempts == 1, attempts), "{estimate}");
        }
        assert!(manager.statistics().snapshot().overruns.count > 0);
        assert_intact(&others, &exec);
    }
}

/// If no tier accepts an assembled buffer, it is resident.
#[test]
fn assemble_with_full_tiers_is_resident() {
    for exec in execs() {
        let (exec, manager) = with_options(&exec, |options| {
            closed(options);
            options.device_limit = Some(DeviceLimit::Bytes(8192));
        });
        let parts = buffers(4, 3000, &exec);
        let whole = Buffer::assemble(&parts, &exec).unwrap();
        assert!(!whole.is_spilled());
        let expected: Vec<u8> = (0..4).flat_map(|at| super::contents(at, 3000)).collect();
        assert!(whole.to_vec::<u8>(&exec).unwrap() == expected);
        drop((whole, parts));
        assert_conserved(&manager);
    }
}
