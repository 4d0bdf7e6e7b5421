//! Operators that want more memory together than there is.

use super::{Chunk, ChunkPlan, MemoryEstimate, MinChunk, in_chunks};
use crate::aggregate::{GroupOptions, aggregate};
use crate::expression::col;
use crate::join::{JoinKind, NullEquality, Side, join_rows};
use crate::sort::{NullOrder, Order, SortKey, sort_by};
use crate::test_frames::{assert_lines, frame, limited, limited_with, lines, moved, share_of};
use columnade_buffers::{Buffer, Device, Exec, Tier, faults, retry_statistics};
use columnade_columns::{ColumnAccessor, Result};
use columnade_tests::{Nulls, Rng};
use std::cell::RefCell;
use std::time::{Duration, Instant};

#[test]
fn halves_are_cut_at_whole_steps() {
    let chunk = |start, len| Chunk { start, len };
    assert_eq!(Chunk::all(0, 10), [chunk(0, 0)]);
    assert_eq!(Chunk::all(5, 2), [chunk(0, 2), chunk(2, 2), chunk(4, 1)]);
    assert_eq!(chunk(512, 1500).halves(), Some([chunk(512, 512), chunk(1024, 988)]));
    assert_eq!(chunk(7, 3).halves(), Some([chunk(7, 1), chunk(8, 2)]));
    assert_eq!(chunk(7, 1).halves(), None);
}

/// Pieces leave room for the operands of the next one.
#[test]
fn cuts_fit_the_budget() {
    let (_, tight) = limited(&Exec::host(), 1 << 20);
    let needs = |operands, others, fixed_overhead| {
        ChunkPlan::of(1 << 20, &tight, || Ok(MemoryEstimate { operands, others, fixed_overhead }))
    };
    assert_eq!(needs(1 << 18, 1 << 19, 1 << 18).unwrap().len, 1 << 20);
    let plan = needs(8 << 20, 8 << 20, 1 << 18).unwrap();
    assert!(plan.len * 24 <= (1 << 20) - (1 << 18), "{}", plan.len);
    assert!(plan.bytes_of(plan.len) + plan.len * 8 <= 1 << 20);
    assert_eq!(
        ChunkPlan::of(5, &Exec::host(), || unreachable!()).unwrap().bytes_of(5),
        0,
        "there is no budget"
    );
}

/// The next piece is at home, or on its way, before this one is done, and every piece has its rows.
#[test]
fn pieces_come_home_ahead() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(6_000, 1 << 20, Nulls::Some, &mut Rng::new(31), &exec);
        let (manager, tight) = limited(&exec, 8 << 20);
        let source = moved(&rows, &tight);
        manager.spill_to_device_limit(0);
        let seen = RefCell::new(Vec::new());
        let whole = MemoryEstimate { operands: source.row_bytes().unwrap(), others: 0, fixed_overhead: 0 };
        let plan = ChunkPlan { len: 2048, rows: 6_000, needs: whole, least: MinChunk::default() };
        let made = in_chunks(&source, plan, &tight, |chunk, _| -> Result<usize> {
            seen.borrow_mut().extend(lines(chunk));
            Ok(chunk.rows())
        });
        assert_eq!(made.unwrap(), [2048, 2048, 1904]);
        assert_lines(&seen.borrow(), &lines(&rows), &format!("pieces on {device}"));
    }
}

/// A sort and a join at a time, each of which takes nearly all there is.
#[test]
fn two_threads_share_a_budget() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(4_000, 1 << 10, Nulls::Some, &mut Rng::new(32), &exec);
        let sort = |rows: &ColumnAccessor, exec: &Exec| {
            let column = rows.get("i64").unwrap();
            sort_by(rows, &[SortKey { column, order: Order::Ascending, nulls: NullOrder::Last }], exec)
                .unwrap()
        };
        let join = |rows: &ColumnAccessor, exec: &Exec| {
            let keys = [rows.get("row").unwrap()];
            let side = Side { columns: rows, keys: &keys };
            let joined = join_rows(side, side, JoinKind::Inner, NullEquality::Equal, exec).unwrap();
            joined.right.unwrap()
        };
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
        assert!(retry_statistics().reservations > before.reservations, "memory was set aside");
    }
}

/// Steps that could fail, which are requests for memory, copies and file accesses, of sorting, grouping and joining.
fn steps_of_operators(rows: &ColumnAccessor, exec: &Exec) -> (u64, [Vec<String>; 3]) {
    let armed = faults::arm_this_thread(0);
    let column = rows.get("i64").unwrap();
    let sorted =
        sort_by(rows, &[SortKey { column, order: Order::Ascending, nulls: NullOrder::Last }], exec).unwrap();
    let options = GroupOptions::default();
    let grouped = aggregate(rows, None, &[col("day")], &[col("row").sum()], options, exec).unwrap();
    let keys = [rows.get("row").unwrap()];
    let side = Side { columns: rows, keys: &keys };
    let joined = join_rows(side, side, JoinKind::Inner, NullEquality::Equal, exec).unwrap().right.unwrap();
    let steps = armed.counted();
    drop(armed);
    (steps, [&sorted, &grouped, &joined].map(lines))
}

/// A limit that is far too small is passed at once: no operator goes through the rows one by one. Tiers without room are
/// not asked for every allocation.
#[test]
fn what_cannot_be_kept_costs_little() {
    const ROWS: usize = 800;
    let no_room =
        ["PINNED", "HOST", "DISK"].map(|tier| (format!("COLUMNADE_SPILL_{tier}_LIMIT"), "0".to_owned()));
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(ROWS, 1 << 20, Nulls::Some, &mut Rng::new(34), &exec);
        let (_, expected) = steps_of_operators(&rows, &exec);
        let half = rows.row_bytes().unwrap() / 2;
        for (limit, variables, most) in [
            (0, &[][..], ROWS),
            (10_000, &[], ROWS),
            (half, &no_room, 50 * ROWS),
            (4 * half, &no_room, 10 * ROWS),
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

/// The less there is the more it takes, until a piece is as small as is worth it: from there on the limit is passed, and
/// what is done stays the same.
#[test]
fn a_limit_below_a_least_piece_is_passed() {
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
        let (least, _) = taken(64 << 10);
        for limit in [16 << 10, 20_000, 32 << 10, 48 << 10] {
            let (steps, overruns) = taken(limit);
            assert!(
                steps < 2 * least,
                "{steps} steps under a limit of {limit} on {device}, {least} under 64 KiB"
            );
            assert!(overruns > 0 || limit > 20_000, "a limit of {limit} on {device}");
        }
    }
}

/// A piece that is worth no other halves is cut all the same where it makes far more than was thought.
#[test]
fn what_is_larger_than_thought_is_cut_below_a_least_piece() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(64, 1 << 20, Nulls::Some, &mut Rng::new(36), &exec);
        let (manager, tight) = limited(&exec, 1 << 20);
        let source = moved(&rows, &tight);
        let plan = ChunkPlan::of(64, &tight, || {
            Ok(MemoryEstimate { operands: source.row_bytes()?, others: 0, fixed_overhead: 0 })
        })
        .unwrap();
        assert_eq!(plan.len, 64);
        // 64 KiB for each row.
        let parts = in_chunks(&source, plan, &tight, |chunk, exec| {
            Ok(Buffer::zeroed(chunk.rows() * (64 << 10), exec)?)
        });
        let parts = parts.unwrap();
        assert!(parts.len() >= 4, "{} pieces on {device}", parts.len());
        assert_eq!(parts.iter().map(Buffer::len).sum::<usize>(), 64 * (64 << 10));
        let peak = manager.usage().tiers[Tier::Device].peak;
        assert!(peak <= 1 << 20, "{peak} on {device}");
    }
}

/// Whichever step fails, the reservation's among them, the rows come out in order or memory is named.
#[test]
fn a_fault_anywhere_leaves_nothing_set_aside() {
    let exec = Exec::host();
    let rows = frame(700, 1 << 10, Nulls::Some, &mut Rng::new(33), &exec);
    let limit = rows.row_bytes().unwrap() * 2;
    let (manager, tight) = limited(&exec, limit);
    let source = moved(&rows, &tight);
    let column = source.get("f64").unwrap();
    let key = SortKey { column, order: Order::Descending, nulls: NullOrder::First };
    let expected =
        lines(&sort_by(&rows, &[SortKey { column: rows.get("f64").unwrap(), ..key }], &exec).unwrap());
    // Every step at first, then ever fewer.
    for step in std::iter::successors(Some(1), |step| Some(step + step / 4 + 1)) {
        manager.spill_to_device_limit(0);
        let armed = faults::arm_this_thread(step);
        let sorted = sort_by(&source, &[key], &tight);
        let failed = armed.has_failed();
        drop(armed);
        match sorted {
            Ok(sorted) => assert_lines(&lines(&sorted), &expected, &format!("step {step}")),
            Err(error) => assert!(failed, "step {step}: {error}"),
        }
        // Rows that were asked for ahead may be on their way still.
        let started = Instant::now();
        while let Err(error) = tight.reserve(limit) {
            assert!(started.elapsed() < Duration::from_secs(20), "step {step}: {error}");
            manager.spill_to_device_limit(0);
        }
        if !failed {
            break;
        }
    }
}
