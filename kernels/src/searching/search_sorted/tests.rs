//! One suite for `search_sorted` on every device.

use super::{Ranges, SearchSide, search_sorted};
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Rng, SIZES};

fn column(values: impl IntoIterator<Item = i64>, exec: &Exec) -> TestColumn {
    // One row before the column.
    let values: Vec<_> = std::iter::once(5).chain(values).map(Value::I64).collect();
    TestColumn::new(Storage::I64, &values, None, 1, exec)
}

#[test]
fn positions_in_ranges_match_linear_search() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(61);
        for n in SIZES.into_iter().filter(|&n| n < 1000) {
            let mut values: Vec<i64> = (0..n).map(|_| rng.below(n as u64 + 1) as i64 - 3).collect();
            values.extend([i64::MIN, i64::MAX].iter().take(n % 3));
            values.sort_unstable();
            let n = values.len();
            let needles: Vec<i64> = (0..2 * n)
                .map(|i| match i % 9 {
                    0 => i64::MIN,
                    1 => i64::MAX,
                    _ => rng.below(n as u64 + 9) as i64 - 5,
                })
                .collect();
            let ranges: Vec<(i64, i64)> = needles
                .iter()
                .map(|_| (rng.below(n as u64 + 4) as i64 - 2, rng.below(n as u64 + 4) as i64))
                .collect();
            let starts = column(ranges.iter().map(|range| range.0), &exec);
            let ends = column(ranges.iter().map(|range| range.1), &exec);
            let (sorted, wanted) = (column(values.clone(), &exec), column(needles.clone(), &exec));
            for side in [SearchSide::Left, SearchSide::Right] {
                let ranges_view = Ranges { starts: starts.view(), ends: ends.view() };
                let found = search_sorted(&sorted.view(), &wanted.view(), &ranges_view, side, &exec).unwrap();
                let expected: Vec<_> = needles
                    .iter()
                    .zip(&ranges)
                    .map(|(needle, &(start, end))| {
                        let (start, end) = (start.clamp(0, n as i64), end.clamp(0, n as i64));
                        let is_there = |row: &i64| {
                            let value = values[*row as usize];
                            if side == SearchSide::Left { value >= *needle } else { value > *needle }
                        };
                        Some(Value::I64((start..end).find(is_there).unwrap_or(end.max(start))))
                    })
                    .collect();
                assert_rows(&rows_of(&found, &exec), &expected, &format!("n={n} {side:?} {device}"));
            }
        }
    }
}

#[test]
fn columns_of_other_lengths_and_types_are_refused() {
    let exec = Exec::host();
    let (one, two) = (column([1], &exec), column([1, 2], &exec));
    let narrow = TestColumn::new(Storage::I32, &[Value::I32(1)], None, 0, &exec);
    let ranges = |column: &TestColumn| {
        let view = column.view();
        let ranges = Ranges { starts: view, ends: view };
        search_sorted(&one.view(), &one.view(), &ranges, SearchSide::Left, &exec).unwrap_err()
    };
    assert_eq!(ranges(&two), Error::LengthMismatch { left: 1, right: 2 });
    assert_eq!(ranges(&narrow), Error::UnsupportedStorage { storage: Storage::I32 });
}
