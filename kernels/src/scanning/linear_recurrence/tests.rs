//! `linear_recurrence` against the definition.

use super::linear_recurrence;
use crate::test_values::{TestColumn, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Rng, SIZES};

/// A column of the values, some rows after where its memory begins.
fn column(storage: Storage, values: &[Value], offset: usize, exec: &Exec) -> TestColumn {
    let Some(&first) = values.first() else { return TestColumn::new(storage, &[], None, 0, exec) };
    let values: Vec<Value> = vec![first; offset].into_iter().chain(values.iter().copied()).collect();
    TestColumn::new(storage, &values, None, offset, exec)
}

fn computed(scale: &[f64], shift: &[f64], starts: &[usize], offset: usize, exec: &Exec) -> Vec<f64> {
    let floats = |values: &[f64]| {
        let values: Vec<_> = values.iter().map(|&value| Value::F64(value)).collect();
        column(Storage::F64, &values, offset, exec)
    };
    let starts: Vec<_> = starts.iter().map(|&start| Value::I64(start as i64)).collect();
    let (scale, shift, starts) = (floats(scale), floats(shift), column(Storage::I64, &starts, offset, exec));
    let found = linear_recurrence(&scale.view(), &shift.view(), &starts.view(), exec).unwrap();
    let number = |(row, value): (usize, Option<Value>)| match value {
        Some(Value::F64(value)) => value,
        other => panic!("row {row} is {other:?}"),
    };
    rows_of(&found, exec).into_iter().enumerate().map(number).collect()
}

/// The first row of the range of each row, of ranges of random lengths below `longest`.
fn ranges(rows: usize, longest: u64, rng: &mut Rng) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    while starts.len() < rows {
        let start = starts.len();
        let end = rows.min(start + 1 + rng.below(longest) as usize);
        starts.extend((start..end).map(|_| start));
    }
    starts
}

#[test]
fn recurrences_of_every_size_match_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        for (i, rows) in SIZES.into_iter().enumerate() {
            let starts = ranges(rows, 40, &mut rng);
            let mut numbers = || -> Vec<f64> { (0..rows).map(|_| rng.below(5) as f64 / 4.0).collect() };
            let (scale, shift) = (numbers(), numbers());
            let mut expected: Vec<f64> = Vec::new();
            for (row, &start) in starts.iter().enumerate() {
                // The sum of all shifts of the range, each times the scales after it.
                let of =
                    |from: usize| (from + 1..=row).rev().fold(shift[from], |value, at| value * scale[at]);
                expected.push((start..=row).map(of).sum());
            }
            let found = computed(&scale, &shift, &starts, i % 3, &exec);
            assert_eq!(found.len(), rows);
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert!(
                    (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
                    "{rows} rows, row {row}: {found}, {expected}, {device}"
                );
            }
        }
    }
}

/// Ranges of several tiles, in which weights fall below every number, and values that are not finite.
#[test]
fn recurrences_of_long_ranges_match_rows_one_by_one() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        for (rows, longest) in [(9000, 9000), (4099, 1500), (1025, 1 << 40)] {
            let starts = ranges(rows, longest, &mut rng);
            let scale: Vec<f64> = (0..rows).map(|_| 0.25 + rng.unit() / 2.0).collect();
            let mut shift: Vec<f64> = (0..rows).map(|_| rng.unit() - 0.5).collect();
            for (row, value) in
                [(rows / 7, f64::INFINITY), (rows / 2, f64::NAN), (rows - 9, f64::NEG_INFINITY)]
            {
                shift[row] = value;
            }
            let mut expected: Vec<f64> = Vec::new();
            for (row, &start) in starts.iter().enumerate() {
                let before = if row == start { 0.0 } else { scale[row] * expected[row - 1] };
                expected.push(before + shift[row]);
            }
            assert!(expected.iter().any(|value| value.is_infinite()));
            let found = computed(&scale, &shift, &starts, 1, &exec);
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let same = if expected.is_finite() {
                    (found - expected).abs() <= 1e-12
                } else {
                    found.total_cmp(expected).is_eq() || (found.is_nan() && expected.is_nan())
                };
                assert!(same, "{rows} rows, row {row}: {found}, {expected}, {device}");
            }
            let again = computed(&scale, &shift, &starts, 1, &exec);
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&found), bits(&again), "{device}");
        }
    }
}

#[test]
fn recurrences_of_other_columns_are_refused() {
    let host = Exec::host();
    let floats = TestColumn::new(Storage::F64, &[Value::F64(1.0)], None, 0, &host);
    let starts = TestColumn::new(Storage::I64, &[Value::I64(0)], None, 0, &host);
    let two = TestColumn::new(Storage::I64, &[Value::I64(0), Value::I64(0)], None, 0, &host);
    let run = |scale: &TestColumn, starts: &TestColumn| {
        linear_recurrence(&scale.view(), &floats.view(), &starts.view(), &host).err()
    };
    assert!(matches!(run(&starts, &starts), Some(Error::UnsupportedStorage { storage: Storage::I64 })));
    assert!(matches!(run(&floats, &two), Some(Error::LengthMismatch { left: 1, right: 2 })));
}
