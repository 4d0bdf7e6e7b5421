//! Operators that want more memory together than there is.

mod estimate;
mod external_sort;
mod grace_hash;

use super::chunks::{Chunk, ChunkPlan, Split, row_numbers, run_chunks};
use super::{Driver, MemoryEstimate};
use crate::expression::col;
use crate::groupby::{GroupOptions, aggregate};
use crate::join::{JoinKind, JoinSide, NullEquality, join_rows};
use crate::sort::{NullOrder, Order, SortColumn, sort_by};
use crate::test_frames::{ascending, assert_lines, frame, limited, limited_with, lines, moved, share_of};
use columnade_buffers::{Buffer, Device, Exec, Tier, failpoints, retry_statistics};
use columnade_columns::{ColumnAccessor, Result, Scalar};
use columnade_tests::{Nulls, Rng};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The right rows of a join of `rows` with themselves by their numbers.
fn self_join(rows: &ColumnAccessor, exec: &Exec) -> ColumnAccessor {
    let output: Vec<usize> = (0..rows.len()).collect();
    let side = JoinSide { columns: rows, keys: &[rows.position("row").unwrap()], output: &output };
    join_rows(side, side, JoinKind::Inner, NullEquality::Equal, exec).unwrap().right.unwrap()
}

#[test]
fn halves_of_chunk_are_cut_at_whole_steps() {
    let chunk = |start, len| Chunk { start, len };
    assert_eq!(Chunk::all(0, 10), [chunk(0, 0)]);
    assert_eq!(Chunk::all(5, 2), [chunk(0, 2), chunk(2, 2), chunk(4, 1)]);
    assert_eq!(chunk(512, 1500).halves(), Some([chunk(512, 512), chunk(1024, 988)]));
    assert_eq!(chunk(7, 3).halves(), Some([chunk(7, 1), chunk(8, 2)]));
    assert_eq!(chunk(7, 1).halves(), None);
}

/// Chunks fit the budget together with the input of the next one.
#[test]
fn plan_of_chunks_fits_budget() {
    let (_, tight) = limited(&Exec::host(), 1 << 20);
    let plan = |input, output, fixed_overhead| {
        let estimate = MemoryEstimate { input, output, fixed_overhead };
        Driver::new(&tight).plan(1 << 20, || Ok(estimate)).unwrap()
    };
    assert_eq!(plan(1 << 18, 1 << 19, 1 << 18).len, 1 << 20);
    let plan = plan(8 << 20, 8 << 20, 1 << 18);
    assert!(plan.len * 24 <= (1 << 20) - (1 << 18), "{}", plan.len);
    assert!(plan.bytes_of(plan.len) + plan.len * 8 <= 1 << 20);
    let unbounded = Driver::new(&Exec::host()).plan(5, || unreachable!()).unwrap();
    assert_eq!(unbounded.bytes_of(5), 0, "there is no budget");
}

#[test]
fn row_numbers_count_on_in_32_bits_where_those_suffice() {
    let exec = Exec::host();
    let numbers = |all| row_numbers(7, 5_000, all, &exec).unwrap().to_scalars().unwrap();
    assert!(numbers(5_007).into_iter().eq((7..5_007).map(Scalar::UInt32)));
    assert!(numbers(1 << 32).into_iter().eq((7..5_007).map(Scalar::Int64)));
}

/// The next chunk is resident, or being unspilled, before this one is done, and every chunk has its rows.
#[test]
fn chunks_are_prefetched_with_their_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(6_000, 1 << 20, Nulls::Some, &mut Rng::new(31), &exec);
        let (manager, tight) = limited(&exec, 8 << 20);
        let source = moved(&rows, &tight);
        manager.spill_to_device_limit(0);
        let seen = RefCell::new(Vec::new());
        let estimate = MemoryEstimate::new(source.row_bytes().unwrap(), 0);
        let plan = ChunkPlan { len: 2048, rows: 6_000, estimate, min_bytes: 0, min_rows: 0 };
        let made = run_chunks(&source, None, plan, &tight, |chunk, start, _| -> Result<usize> {
            assert_eq!(start, seen.borrow().len());
            seen.borrow_mut().extend(lines(chunk));
            Ok(chunk.rows())
        });
        assert_eq!(made.unwrap(), [2048, 2048, 1904]);
        assert_lines(&seen.borrow(), &lines(&rows), &format!("chunks on {device}"));
    }
}

/// A sort and a join at a time, each of which takes nearly all there is.
#[test]
fn two_threads_with_one_budget_stay_within_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(4_000, 1 << 10, Nulls::Some, &mut Rng::new(32), &exec);
        let sort =
            |rows: &ColumnAccessor, exec: &Exec| sort_by(rows, &[ascending(rows, "i64")], exec).unwrap();
        let join = |rows: &ColumnAccessor, exec: &Exec| self_join(rows, exec);
        let expected = [lines(&sort(&rows, &exec)), lines(&join(&rows, &exec))];
        let limit = share_of(6 * rows.row_bytes().unwrap(), 1, device);
        let (manager, tight) = limited(&exec, limit);
        let source = moved(&rows, &tight);
        manager.reset_peak();
        let before = retry_statistics();
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let (tight, source, expected) = (&tight, &source, &expected);
                scope.spawn(move || {
                    let exec = tight.with_new_stream().unwrap();
                    for round in 0..3 {
                        let made =
                            if (thread + round) % 2 == 0 { sort(source, &exec) } else { join(source, &exec) };
                        let what = format!("thread {thread}, round {round} on {device}");
                        assert_lines(&lines(&made), &expected[(thread + round) % 2], &what);
                    }
                });
            }
        });
        let peak = manager.usage().tiers[Tier::Device].peak;
        assert!(peak <= limit, "{peak} of {limit} on {device}");
        assert!(retry_statistics().reservations > before.reservations, "memory was reserved");
    }
}

/// Steps that could fail, which are requests for memory, copies and file accesses, of sorting, grouping and joining.
fn steps_of_operators(rows: &ColumnAccessor, exec: &Exec) -> (u64, [Vec<String>; 3]) {
    let armed = failpoints::arm_this_thread(0);
    let sorted = sort_by(rows, &[ascending(rows, "i64")], exec).unwrap();
    let options = GroupOptions::default();
    let grouped = aggregate(rows, None, &[col("day")], &[col("row").sum()], options, exec).unwrap();
    let joined = self_join(rows, exec);
    let steps = armed.counted();
    drop(armed);
    (steps, [&sorted, &grouped, &joined].map(lines))
}

/// A limit that is far too small is passed at once: no operator goes through the rows one by one. Full tiers are not asked
/// for every allocation.
#[test]
fn limit_far_too_small_costs_few_steps() {
    const ROWS: usize = 800;
    let full_tiers = [("PINNED_LIMIT", "0"), ("HOST_LIMIT", "0"), ("DISK_LIMIT", "0"), ("SOFT", "on")]
        .map(|(name, value)| (format!("COLUMNADE_SPILL_{name}"), value.to_owned()));
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(ROWS, 1 << 20, Nulls::Some, &mut Rng::new(34), &exec);
        let (_, expected) = steps_of_operators(&rows, &exec);
        let half = rows.row_bytes().unwrap() / 2;
        for (limit, variables, most) in [
            (0, &[][..], ROWS),
            (10_000, &[], ROWS),
            (half, &full_tiers, 50 * ROWS),
            (4 * half, &full_tiers, 10 * ROWS),
        ] {
            let (manager, tight) = limited_with(&exec, limit, variables);
            let source = moved(&rows, &tight);
            let (steps, found) = steps_of_operators(&source, &tight);
            let what = format!("a limit of {limit} with {variables:?} on {device}");
            assert!(steps < most as u64, "{steps} steps: {what}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_lines(found, expected, &what);
            }
            let overruns = manager.statistics().snapshot().overruns;
            assert!(overruns.count > 0 || limit > half, "{what}");
        }
    }
}

/// A smaller limit takes more steps, until chunks are as small as is worthwhile: from there on the limit is passed, and the
/// number of steps stays the same.
#[test]
fn limit_below_min_chunk_is_passed() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(3_000, 1 << 20, Nulls::Some, &mut Rng::new(35), &exec);
        let (_, expected) = steps_of_operators(&rows, &exec);
        let taken = |limit: usize| {
            let (manager, tight) = limited(&exec, limit);
            let source = moved(&rows, &tight);
            let (steps, found) = steps_of_operators(&source, &tight);
            for (found, expected) in found.iter().zip(&expected) {
                assert_lines(found, expected, &format!("a limit of {limit} on {device}"));
            }
            (steps, manager.statistics().snapshot().overruns.count)
        };
        let (at_min_chunk, _) = taken(64 << 10);
        for limit in [16 << 10, 20_000, 32 << 10, 48 << 10] {
            let (steps, overruns) = taken(limit);
            assert!(
                steps < 2 * at_min_chunk,
                "{steps} steps under a limit of {limit} on {device}, {at_min_chunk} under 64 KiB"
            );
            assert!(overruns > 0 || limit > 20_000, "a limit of {limit} on {device}");
        }
    }
}

/// A chunk of the smallest size is split all the same where it takes far more than was estimated.
#[test]
fn min_chunk_larger_than_estimated_is_split() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(64, 1 << 20, Nulls::Some, &mut Rng::new(36), &exec);
        let (manager, tight) = limited(&exec, 1 << 20);
        let source = moved(&rows, &tight);
        let plan = Driver::new(&tight).plan(64, || Ok(MemoryEstimate::new(source.row_bytes()?, 0))).unwrap();
        assert_eq!(plan.len, 64);
        // 64 KiB for each row.
        let parts = run_chunks(&source, None, plan, &tight, |chunk, _, exec| {
            Ok(Buffer::zeroed(chunk.rows() * (64 << 10), exec)?)
        });
        let parts = parts.unwrap();
        assert!(parts.len() >= 4, "{} chunks on {device}", parts.len());
        assert_eq!(parts.iter().map(Buffer::len).sum::<usize>(), 64 * (64 << 10));
        let peak = manager.usage().tiers[Tier::Device].peak;
        assert!(peak <= 1 << 20, "{peak} on {device}");
    }
}

/// Whichever step fails, the reservation's among them, the rows are sorted or the error says that memory ran out.
#[test]
fn fault_at_any_step_leaves_no_reservation() {
    let exec = Exec::host();
    let rows = frame(700, 1 << 10, Nulls::Some, &mut Rng::new(33), &exec);
    let limit = rows.row_bytes().unwrap() * 2;
    let (manager, tight) = limited(&exec, limit);
    let source = moved(&rows, &tight);
    let position = rows.position("f64").unwrap();
    let key = SortColumn { position, order: Order::Descending, nulls: NullOrder::First };
    let expected = lines(&sort_by(&rows, &[key], &exec).unwrap());
    // Every step at first, then ever fewer.
    for step in std::iter::successors(Some(1), |step| Some(step + step / 4 + 1)) {
        manager.spill_to_device_limit(0);
        let armed = failpoints::arm_this_thread(step);
        let sorted = sort_by(&source, &[key], &tight);
        let failed = armed.has_failed();
        drop(armed);
        match sorted {
            Ok(sorted) => assert_lines(&lines(&sorted), &expected, &format!("step {step}")),
            Err(error) => assert!(failed, "step {step}: {error}"),
        }
        // Prefetched rows may still be unspilled in the background.
        let started = Instant::now();
        while let Err(error) = tight.reserve(limit) {
            assert!(started.elapsed() < Duration::from_mins(2), "step {step}: {error}");
            manager.spill_to_device_limit(0);
        }
        if !failed {
            break;
        }
    }
}
