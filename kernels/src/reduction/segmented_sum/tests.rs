//! Tests of `segmented_sum` on every device of the build.

use super::segmented_sum;
use crate::test_columns::{Kind, TestColumn};
use crate::{Error, Fixed, Storage, View};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The value of a row, of a little-endian integer.
fn number(bytes: &[u8], is_signed: bool) -> i64 {
    let is_negative = is_signed && bytes.last().is_some_and(|last| last & 0x80 > 0);
    let mut wide = [if is_negative { 0xff } else { 0 }; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(wide)
}

fn index(bound: usize, rng: &mut Rng) -> usize {
    usize::try_from(rng.below(u64::try_from(bound).unwrap())).unwrap()
}

/// Compares the sums of these runs of a column with naive ones.
fn check(column: &TestColumn, storage: Storage, runs: &[(usize, usize)], exec: &Exec, what: &str) {
    let n = runs.len();
    let buffer = |of: fn(&(usize, usize)) -> usize| {
        let numbers = std::iter::once(77).chain(runs.iter().map(of));
        let numbers: Vec<i64> = numbers.map(|n| i64::try_from(n).unwrap()).collect();
        Buffer::from_slice(&numbers, exec).unwrap()
    };
    let (starts, lengths) = (buffer(|run| run.0), buffer(|run| run.1));
    let bounds = |data| Fixed { storage: Storage::I64, data, validity: None, offset: 1, len: n };
    let View::Fixed(values) = column.view() else { panic!("values have fixed width") };
    let sums = segmented_sum(&values, &bounds(&starts), &bounds(&lengths), exec).unwrap().unwrap();
    let is_signed = storage.is_signed();
    let out = if is_signed { Storage::I64 } else { Storage::U64 };
    assert_eq!((sums.storage, sums.len, sums.validity.is_some()), (out, n, false));
    let expected = runs.iter().map(|&(start, length)| {
        let rows = column.rows[start..start + length].iter().flatten();
        rows.fold(0_i64, |sum, bytes| sum.wrapping_add(number(bytes, is_signed)))
    });
    let found = sums.data.to_vec::<i64>(exec).unwrap();
    assert_eq!(found, expected.collect::<Vec<_>>(), "{storage}, {what} on {}", exec.device());
}

#[test]
fn sums_of_random_runs_match_naive_sums() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(2);
        for storage in [Storage::I8, Storage::U16, Storage::I32, Storage::U32, Storage::I64, Storage::U64] {
            for n in SIZES {
                for nulls in [Nulls::NoMask, Nulls::Some, Nulls::All] {
                    let column = TestColumn::random(Kind::Fixed(storage), n, 3, nulls, &mut rng, &exec);
                    let runs: Vec<(usize, usize)> = (0..n)
                        .map(|_| {
                            let start = index(n + 1, &mut rng);
                            (start, index((n - start).min(9) + 1, &mut rng))
                        })
                        .collect();
                    check(&column, storage, &runs, &exec, &format!("{n} rows, {nulls:?}"));
                }
            }
        }
    }
}

/// Runs one after the other, as those of lists: short ones, some of hundreds of rows, one of nearly all rows, and all rows
/// again and again, which are more chunks than runs without overlap have.
#[test]
fn sums_of_short_and_long_runs_match_naive_sums() {
    const ROWS: usize = 20_000;
    let following = |lengths: &mut dyn FnMut(usize) -> usize| -> Vec<(usize, usize)> {
        let (mut runs, mut start) = (Vec::new(), 0);
        while start < ROWS {
            let length = lengths(runs.len()).min(ROWS - start);
            runs.push((start, length));
            start += length;
        }
        runs
    };
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(3);
        let mut random = Rng::new(4);
        for nulls in [Nulls::NoMask, Nulls::Some] {
            let column = TestColumn::random(Kind::Fixed(Storage::I64), ROWS, 5, nulls, &mut rng, &exec);
            let shapes: [(&str, Vec<(usize, usize)>); 6] = [
                ("up to 6 rows", following(&mut |_| index(7, &mut random))),
                ("up to 200 rows", following(&mut |_| index(201, &mut random))),
                (
                    "one of many rows",
                    following(&mut |run| if run == 5 { ROWS / 2 } else { index(9, &mut random) }),
                ),
                ("as many as a chunk", vec![(1, 4_096), (7, 4_097), (0, 0), (9, 8_192)]),
                ("all rows", vec![(0, ROWS)]),
                ("all rows 9 times", vec![(0, ROWS); 9]),
            ];
            for (what, runs) in &shapes {
                check(&column, Storage::I64, runs, &exec, &format!("{what}, {nulls:?}"));
            }
        }
    }
}

#[test]
fn other_types_are_not_summed() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let data = Buffer::from_slice(&[1_i64, 0], &exec).unwrap();
        let one = Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len: 1 };
        let of = |storage| segmented_sum(&Fixed { storage, ..one }, &one, &one, &exec).unwrap();
        assert!(of(Storage::F64).is_none() && of(Storage::I128).is_none() && of(Storage::Bit).is_none());
        assert!(of(Storage::I64).is_some());
        let two = Fixed { len: 2, ..one };
        let unequal = segmented_sum(&one, &one, &two, &exec).unwrap_err();
        assert_eq!(unequal, Error::LengthMismatch { left: 1, right: 2 });
        let narrow = Fixed { storage: Storage::I32, ..one };
        let refused = segmented_sum(&one, &narrow, &one, &exec).unwrap_err();
        assert_eq!(refused, Error::UnsupportedStorage { storage: Storage::I32 });
    }
}
