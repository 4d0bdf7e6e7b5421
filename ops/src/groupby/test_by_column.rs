//! Aggregates column by column against those of all rows at a time.

use super::by_column::ByColumn;
use super::partitions::PartitionedRows;
use super::{GroupOptions, NullKeys, Query, aggregate};
use crate::expression::{Expr, col, len, lit};
use crate::out_of_core::Driver;
use crate::test_frames::{self, KEYS, assert_lines, limited, lines, moved, peak_of};
use columnade_buffers::{Device, Exec, Tier};
use columnade_columns::{Column, ColumnAccessor};
use columnade_tests::{Nulls, Rng};

/// The groups column by column, made within a budget; `None` for what is not computed so.
fn by_column(query: &Query<'_>, budget: usize, exec: &Exec) -> Option<ColumnAccessor> {
    let driver = Driver::new(exec).with_budget(budget);
    let partitioned = PartitionedRows::new(query, driver).unwrap()?;
    ByColumn::of(query, &partitioned, driver).unwrap()?.aggregate().unwrap()
}

/// Every aggregate whose result does not depend on where rows are cut, and one of each state.
fn aggregates() -> Vec<Expr> {
    let mut aggregates = vec![len()];
    for label in ["i8", "i64", "u16", "bool", "price"] {
        aggregates.push(col(label).sum().alias(format!("{label} sum")));
        aggregates.push(col(label).mean().alias(format!("{label} mean")));
    }
    for label in ["i8", "i64", "day", "price", "bool"] {
        aggregates.push(col(label).min().alias(format!("{label} min")));
        aggregates.push(col(label).max().alias(format!("{label} max")));
    }
    aggregates.push((col("f64") + 0.0).max().alias("f64 max"));
    aggregates.push(col("f64").count().alias("f64 count"));
    aggregates.push((col("i64") * 3 + col("u16")).sum().alias("expression"));
    aggregates.push(col("i8").filter(col("u16").gt(lit(9))).sum().alias("condition"));
    aggregates.push(lit(2).sum().alias("literal"));
    aggregates
}

#[test]
fn aggregates_by_column_match_whole() {
    let exec = Exec::host();
    let mut rng = Rng::new(81);
    let mut computed = 0;
    for (k, label) in KEYS.into_iter().enumerate() {
        for (at, n) in [1, 31, 64, 513, 1500].into_iter().enumerate() {
            let distinct = [1 << 30, 1, 30][(k + at) % 3];
            let whole_frame = test_frames::frame(n + 9, distinct, Nulls::ALL[(k + at) % 4], &mut rng, &exec);
            let frame = whole_frame.slice(7, n).unwrap();
            let null_keys = if at % 2 == 0 { NullKeys::Group } else { NullKeys::Drop };
            let options = GroupOptions { null_keys };
            for keys in [vec![col(label)], vec![col("day").alias("key"), col(label)]] {
                let aggregates = aggregates();
                let whole = aggregate(&frame, None, &keys, &aggregates, options, &exec).unwrap();
                let query =
                    Query { frame: &frame, rows_where: None, keys: &keys, aggregates: &aggregates, options };
                for budget in [60_000, 400_000, 1 << 30] {
                    let what = format!("{n} rows by {label} and {} keys within {budget}", keys.len());
                    let Some(found) = by_column(&query, budget, &exec) else {
                        assert!(
                            label == "text"
                                || budget < 1 << 30
                                || keys.len() > 1
                                || label == "i64"
                                || label == "f64",
                            "{what}"
                        );
                        continue;
                    };
                    computed += 1;
                    assert_eq!(found.labels(), whole.labels(), "{what}");
                    assert!(found.dtypes().eq(whole.dtypes()), "{what}");
                    assert_lines(&lines(&found), &lines(&whole), &what);
                }
            }
        }
    }
    assert!(computed > 100, "{computed}");
}

/// What is left to the other ways: filters, other devices, keys that are computed, and text.
#[test]
fn other_queries_are_not_computed_by_column() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = test_frames::frame(900, 30, Nulls::Some, &mut Rng::new(82), &exec);
        let is_computed = |rows_where: Option<Expr>, key: Expr, aggregate: Expr| {
            let (keys, aggregates, options) = ([key], [aggregate], GroupOptions::default());
            let rows_where = rows_where.as_ref();
            let query = Query { frame: &frame, rows_where, keys: &keys, aggregates: &aggregates, options };
            by_column(&query, 1 << 20, &exec).is_some()
        };
        assert_eq!(is_computed(None, col("u16"), col("i8").sum()), device == Device::Host);
        assert!(!is_computed(Some(col("i8").gt(lit(0))), col("u16"), col("i8").sum()));
        assert!(!is_computed(None, col("u16") + 1, col("i8").sum()));
        assert!(!is_computed(None, col("text"), col("i8").sum()));
    }
}

/// Rows of four times the limit: the limit is kept, and each column is read about once.
#[test]
fn columns_of_many_groups_are_read_once() {
    let exec = Exec::host();
    let n = 400_000_i64;
    let column = |of: fn(i64) -> i64| Column::from_slice(&(0..n).map(of).collect::<Vec<_>>(), &exec).unwrap();
    let mut rng = Rng::new(83);
    let keys: Vec<u32> = (0..n).map(|_| u32::try_from(rng.below(100_003)).unwrap()).collect();
    let frame = ColumnAccessor::from_columns([
        ("k", Column::from_slice(&keys, &exec).unwrap()),
        ("a", column(|row| row * 31 % 1009 - 500)),
        ("b", column(|row| row)),
        ("c", column(|row| -row * 5)),
    ])
    .unwrap();
    let aggregates = [col("a").sum(), col("b").min().alias("least"), col("c").max(), len()];
    let run = |frame: &ColumnAccessor, exec: &Exec| {
        aggregate(frame, None, &[col("k")], &aggregates, GroupOptions::default(), exec).unwrap()
    };
    let expected = lines(&run(&frame, &exec));
    let bytes = frame.row_bytes().unwrap();
    let limit = 2 * bytes / 5;
    let (manager, tight) = limited(&exec, limit);
    let source = moved(&frame, &tight);
    manager.spill_to_device_limit(0);
    let up = || -> u64 {
        let edges = manager.statistics().snapshot().edges;
        edges.iter().filter(|edge| edge.to == Tier::Device).map(|edge| edge.moved.bytes).sum()
    };
    let before = up();
    let (peak, groups) = peak_of(&manager, || run(&source, &tight));
    assert!(peak <= limit, "{peak} of {limit}");
    let moved = up() - before;
    assert!(moved <= 2 * bytes as u64, "{moved} bytes came back of {bytes}");
    assert_lines(&lines(&groups), &expected, "by column");
}
