//! Tests of pairs on every device of the build.

use super::{MatchRanges, Pairs, runs};
use crate::{Error, RowMap, RowWidth};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Rng, SIZES};

/// A map of any width.
fn map(rows: &[u64], width: RowWidth, exec: &Exec) -> RowMap {
    match width {
        RowWidth::U64 => RowMap::from_u64(rows, exec).unwrap(),
        RowWidth::U32 => {
            let rows: Vec<u32> = rows.iter().map(|&row| u32::try_from(row).unwrap()).collect();
            RowMap::from_u32(&rows, exec).unwrap()
        }
    }
}

type Row = Option<u64>;

#[test]
fn any_part_of_pairs_is_that_of_naive_loop() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(71);
        for (k, n) in SIZES.into_iter().enumerate().filter(|(_, n)| *n < 5_000) {
            let width = [RowWidth::U32, RowWidth::U64][k % 2];
            let right_rows = 50;
            let ranges: Vec<(u64, u64)> = (0..n)
                .map(|_| {
                    let (a, b) = (rng.below(right_rows + 1), rng.below(right_rows + 1));
                    // Every third range is empty.
                    if a % 3 == 0 { (a, a) } else { (a.min(b), a.max(b)) }
                })
                .collect();
            let list: Option<Vec<u64>> =
                (k % 3 > 0).then(|| (0..right_rows).map(|_| rng.below(right_rows)).collect());
            for keep_left in [false, true] {
                let mut expected: Vec<(Row, Row)> = Vec::new();
                for (row, &(start, end)) in (0..).zip(&ranges) {
                    if start == end && keep_left {
                        expected.push((Some(row), None));
                    }
                    for at in start..end {
                        let right = list.as_ref().map_or(at, |list| list[usize::try_from(at).unwrap()]);
                        expected.push((Some(row), Some(right)));
                    }
                }
                let matches = MatchRanges {
                    starts: map(&ranges.iter().map(|range| range.0).collect::<Vec<_>>(), width, &exec),
                    ends: map(&ranges.iter().map(|range| range.1).collect::<Vec<_>>(), width, &exec),
                    rows: list.as_ref().map(|list| map(list, width, &exec)),
                    right_rows: 50,
                };
                let pairs = Pairs::new(matches, keep_left, &exec).unwrap();
                assert_eq!(pairs.len(), expected.len(), "{n} rows on {device}");
                let total = expected.len();
                let parts = [(0, total), (0, 0), (total, 0), (total / 3, total / 2), (total / 2, total / 2)];
                for (first, len) in parts {
                    let maps = pairs.write(first, len, &exec).unwrap();
                    let left = maps.left.to_vec(&exec).unwrap();
                    let right = maps.right.unwrap().to_vec(&exec).unwrap();
                    let found: Vec<(Row, Row)> = left.into_iter().zip(right).collect();
                    assert_eq!(found, expected[first..first + len], "{n} rows, {first} + {len} on {device}");
                }
                assert!(matches!(
                    pairs.write(total, 1, &exec),
                    Err(Error::InvalidArgument { name: "pairs", .. })
                ));
            }
        }
    }
}

#[test]
fn pairs_of_all_rows_are_their_product() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (n, m) in [(0, 0), (0, 3), (3, 0), (1, 1), (33, 65)] {
            let pairs = Pairs::new(MatchRanges::all(n, m, &exec).unwrap(), false, &exec).unwrap();
            let maps = pairs.write(0, pairs.len(), &exec).unwrap();
            let left = maps.left.to_vec(&exec).unwrap();
            let found: Vec<_> = left.into_iter().zip(maps.right.unwrap().to_vec(&exec).unwrap()).collect();
            let product: Vec<_> =
                (0..n as u64).flat_map(|l| (0..m as u64).map(move |r| (Some(l), Some(r)))).collect();
            assert_eq!(found, product, "{n} x {m} on {device}");
        }
    }
}

#[test]
fn runs_of_sorted_map_are_found() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(72);
        for (k, n) in SIZES.into_iter().enumerate().filter(|(_, n)| *n < 5_000) {
            let width = [RowWidth::U32, RowWidth::U64][k % 2];
            let values = [1, 40, n as u64 + 7][k % 3];
            let mut sorted: Vec<u64> = (0..n).map(|_| rng.below(values)).collect();
            sorted.sort_unstable();
            let found = runs(&map(&sorted, width, &exec), values as usize, &exec).unwrap();
            let of_value = |value: u64| match sorted.iter().position(|&other| other == value) {
                Some(start) => (start, start + sorted.iter().filter(|&&other| other == value).count()),
                None => (0, 0),
            };
            let [starts, ends] = found.map(|map| map.to_vec(&exec).unwrap());
            for (value, bounds) in starts.into_iter().zip(ends).enumerate() {
                let (start, end) = of_value(value as u64);
                assert_eq!(bounds, (Some(start as u64), Some(end as u64)), "{value} of {n} on {device}");
            }
        }
    }
}

#[test]
fn ranges_of_other_lengths_or_widths_are_refused() {
    let exec = Exec::host();
    let ranges = |starts, ends| MatchRanges { starts, ends, rows: None, right_rows: 9 };
    let narrow = |rows: &[u64]| map(rows, RowWidth::U32, &exec);
    let wide = |rows: &[u64]| map(rows, RowWidth::U64, &exec);
    let unequal = Pairs::new(ranges(narrow(&[0]), narrow(&[1, 1])), false, &exec);
    assert!(matches!(unequal, Err(Error::LengthMismatch { left: 1, right: 2 })));
    let mixed = Pairs::new(ranges(narrow(&[0]), wide(&[1])), false, &exec);
    assert!(matches!(mixed, Err(Error::TypeMismatch)));
}
