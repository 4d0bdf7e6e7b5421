//! Partitions of rows that lie in parts.

use crate::out_of_core::Driver;
use crate::out_of_core::chunks::row_numbers;
use crate::out_of_core::grace_hash::{partition_count, partition_parts};
use crate::partition::hash_partition;
use crate::test_frames::{assert_lines, frame, limited, lines, moved};
use columnade_buffers::{Device, Exec};
use columnade_columns::ColumnAccessor;
use columnade_tests::{Nulls, Rng};
use std::cell::Cell;

#[test]
fn partition_of_parts_is_that_of_all_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(53);
        let rows = frame(900, 40, Nulls::Some, &mut rng, &exec);
        let text = rows.get("text").unwrap();
        let (whole, offsets) = hash_partition(&rows, &[text], 8, 0, &exec).unwrap();
        let parts: Vec<ColumnAccessor> =
            [(0, 0), (0, 100), (100, 513), (613, 287)].map(|(at, len)| rows.slice(at, len).unwrap()).into();
        let partitions =
            partition_parts(&parts, 8, 0, Driver::new(&exec), &|rows, _, _| Ok(rows.clone()), &|rows| {
                Ok(vec![rows.get("text")?])
            });
        for (partition, ends) in partitions.unwrap().into_iter().zip(offsets.windows(2)) {
            let together = ColumnAccessor::assemble(partition, &exec).unwrap();
            let expected = whole.slice(ends[0], ends[1] - ends[0]).unwrap();
            assert_eq!(lines(&together), lines(&expected), "{device}");
        }
    }
}

/// Many small parts are brought together: parts do not get smaller from one partitioning to the next.
#[test]
fn small_parts_are_partitioned_together() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(2_000, 40, Nulls::Some, &mut Rng::new(54), &exec);
        let all = lines(&rows);
        for (limit, most) in [(None, 1), (Some(1 << 20), 6), (Some(0), 60)] {
            let tight = limit.map_or_else(|| exec.clone(), |limit| limited(&exec, limit).1);
            let source = moved(&rows, &tight);
            let parts: Vec<ColumnAccessor> = (0..200).map(|at| source.slice(10 * at, 10).unwrap()).collect();
            let chunks = Cell::new(0);
            let same = |rows: &ColumnAccessor, _: usize, _: &Exec| Ok(rows.clone());
            let partitions = partition_parts(&parts, 4, 0, Driver::new(&tight), &same, &|rows| {
                chunks.set(chunks.get() + 1);
                Ok(vec![rows.get("i64")?])
            });
            let what = format!("a limit of {limit:?} on {device}");
            assert!(limit.is_none() || chunks.get() <= most, "{} chunks: {what}", chunks.get());
            let parts = partitions.unwrap().into_iter().flatten().collect();
            let mut found = lines(&ColumnAccessor::assemble(parts, &exec).unwrap());
            found.sort_by_key(|line| line.rsplit('|').next().map(|row| row.parse::<usize>().unwrap()));
            assert_lines(&found, &all, &what);
        }
    }
}

/// Rows are prepared once, each with its number among those of all parts.
#[test]
fn rows_are_prepared_with_their_numbers() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = frame(2_000, 40, Nulls::Some, &mut Rng::new(55), &exec);
        for limit in [None, Some(1 << 20), Some(0)] {
            let tight = limit.map_or_else(|| exec.clone(), |limit| limited(&exec, limit).1);
            let source = moved(&rows, &tight);
            let parts: Vec<ColumnAccessor> = [(0, 0), (0, 100), (100, 1413), (1513, 487)]
                .map(|(at, len)| source.slice(at, len).unwrap())
                .into();
            let numbered = |rows: &ColumnAccessor, start: usize, exec: &Exec| {
                let mut rows = rows.clone();
                rows.insert("number", row_numbers(start, rows.rows(), 2_000, exec)?)?;
                Ok(rows)
            };
            let partitions = partition_parts(&parts, 4, 0, Driver::new(&tight), &numbered, &|rows| {
                Ok(vec![rows.get("i64")?])
            });
            let parts: Vec<ColumnAccessor> = partitions.unwrap().into_iter().flatten().collect();
            let together = ColumnAccessor::assemble(parts, &exec).unwrap();
            assert_eq!(together.rows(), 2_000);
            let [numbers, expected] =
                ["number", "row"].map(|label| lines(&together.select([label]).unwrap()));
            assert_lines(&numbers, &expected, &format!("a limit of {limit:?} on {device}"));
        }
    }
}

#[test]
fn partition_count_grows_with_bytes() {
    let limit = 1 << 20;
    let counts = |limit| [0, 1, 4, 16, 1 << 20].map(|limits| partition_count(limits * limit, limit));
    assert_eq!(counts(limit), [2, 2, 8, 32, 64]);
    // Under a small limit there are few, for their parts would be small.
    assert_eq!(counts(32 << 10), [2, 2, 8, 8, 8]);
    assert_eq!(counts(100), [2, 2, 4, 4, 4]);
}
