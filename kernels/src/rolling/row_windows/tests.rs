//! One suite for `row_windows` on every device, against the definition.

use super::row_windows;
use crate::searching::search_sorted::Ranges;
use crate::test_values::{TestColumn, rows_of};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Rng, SIZES};

/// The range of each row, one after the other; some rows have none.
fn ranges(rows: usize, rng: &mut Rng) -> Vec<Option<(i64, i64)>> {
    let mut found = Vec::new();
    while found.len() < rows {
        let start = found.len();
        let end = rows.min(start + 1 + rng.below(40) as usize);
        let has_range = rng.below(5) > 0;
        found.extend((start..end).map(|_| has_range.then_some((start as i64, end as i64))));
    }
    found
}

/// Rows of the range that are at most so far from the row, by looking at each of them. A window of none is at the row.
fn expected(row: usize, range: Option<(i64, i64)>, before: u64, after: i64) -> (i64, i64) {
    let Some((start, end)) = range else { return (0, 0) };
    let is_near = |other: i64| {
        let distance = other - row as i64;
        if distance < 0 { distance.unsigned_abs() <= before } else { distance <= after }
    };
    let near: Vec<i64> = (start..end).filter(|&other| is_near(other)).collect();
    match near[..] {
        [] => (row as i64, row as i64),
        [first, ..] => (first, near[near.len() - 1] + 1),
    }
}

fn check(ranges: &[Option<(i64, i64)>], offset: usize, before: u64, after: i64, exec: &Exec) {
    let bound = |of: fn((i64, i64)) -> i64| -> Vec<Value> {
        let padding = vec![Value::I64(-9); offset];
        // A null has any value.
        padding.into_iter().chain(ranges.iter().map(|range| Value::I64(range.map_or(77, of)))).collect()
    };
    let valid: Vec<bool> = vec![true; offset].into_iter().chain(ranges.iter().map(Option::is_some)).collect();
    let starts = TestColumn::new(Storage::I64, &bound(|range| range.0), Some(&valid), offset, exec);
    let ends = TestColumn::new(Storage::I64, &bound(|range| range.1), None, offset, exec);
    let windows =
        row_windows(&Ranges { starts: starts.view(), ends: ends.view() }, before, after, exec).unwrap();
    let wanted: Vec<(i64, i64)> =
        ranges.iter().enumerate().map(|(row, &range)| expected(row, range, before, after)).collect();
    let context = format!("{} rows, {before} before, {after} after, {}", ranges.len(), exec.device());
    let numbers = |bounds: &[(i64, i64)], of: fn(&(i64, i64)) -> i64| -> Vec<Option<Value>> {
        bounds.iter().map(|pair| Some(Value::I64(of(pair)))).collect()
    };
    assert_eq!(rows_of(&windows.starts, exec), numbers(&wanted, |pair| pair.0), "{context}");
    assert_eq!(rows_of(&windows.ends, exec), numbers(&wanted, |pair| pair.1), "{context}");
}

#[test]
fn windows_of_every_size_and_reach_match_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(47);
        for (i, n) in SIZES.into_iter().filter(|&n| n < 3000).enumerate() {
            let ranges = ranges(n, &mut rng);
            let far = u64::MAX;
            let reaches =
                [(0, 0), (3, 0), (0, 2), (2, 5), (far, 0), (far, i64::MAX), (0, -1), (3, -1), (far, -1)];
            for (before, after) in reaches {
                check(&ranges, [0, 3, 7][i % 3], before, after, &exec);
            }
        }
    }
    let mut rng = Rng::new(48);
    check(&ranges(2 * HOST_MORSEL_ROWS + 5, &mut rng), 1, 9, 1, &Exec::host());
}

#[test]
fn ranges_that_make_no_sense_are_refused() {
    let exec = Exec::host();
    let column = |storage, n: usize| TestColumn::new(storage, &vec![Value::zero(storage); n], None, 0, &exec);
    let (one, two, narrow) = (column(Storage::I64, 1), column(Storage::I64, 2), column(Storage::I32, 1));
    let run = |starts: &TestColumn, ends: &TestColumn| {
        row_windows(&Ranges { starts: starts.view(), ends: ends.view() }, 1, 0, &exec).unwrap_err()
    };
    assert_eq!(run(&one, &two), Error::LengthMismatch { left: 1, right: 2 });
    let far = row_windows(&Ranges { starts: one.view(), ends: one.view() }, 1, -2, &exec).unwrap_err();
    assert_eq!(far, Error::InvalidArgument { name: "after", reason: "it is less than -1" });
    assert_eq!(run(&one, &narrow), Error::UnsupportedStorage { storage: Storage::I32 });
}
