//! `linear_recurrence` against the definition.

use super::linear_recurrence;
use crate::test_values::{TestColumn, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Rng, SIZES};

#[test]
fn recurrences_of_every_size_match_definition() {
    let exec = Exec::host();
    let mut rng = Rng::new(11);
    for (i, rows) in SIZES.into_iter().filter(|&rows| rows < 3000).enumerate() {
        let offset = i % 3;
        let mut starts: Vec<usize> = Vec::new();
        while starts.len() < rows {
            let start = starts.len();
            let end = rows.min(start + 1 + rng.below(40) as usize);
            starts.extend((start..end).map(|_| start));
        }
        let mut numbers = || -> Vec<f64> { (0..rows).map(|_| rng.below(5) as f64 / 4.0).collect() };
        let (scale, shift) = (numbers(), numbers());
        let mut expected: Vec<f64> = Vec::new();
        for (row, &start) in starts.iter().enumerate() {
            // The sum of all shifts of the range, each times the scales after it.
            let of = |from: usize| (from + 1..=row).rev().fold(shift[from], |value, at| value * scale[at]);
            expected.push((start..=row).map(of).sum());
        }
        let column = |storage, values: Vec<Value>| {
            let padding = vec![values.first().copied().unwrap_or(Value::I64(0)); offset];
            let values: Vec<Value> =
                if rows == 0 { Vec::new() } else { padding.into_iter().chain(values).collect() };
            TestColumn::new(storage, &values, None, if rows == 0 { 0 } else { offset }, &exec)
        };
        let floats =
            |values: &[f64]| column(Storage::F64, values.iter().map(|&value| Value::F64(value)).collect());
        let (scale, shift) = (floats(&scale), floats(&shift));
        let starts = column(Storage::I64, starts.iter().map(|&start| Value::I64(start as i64)).collect());
        let found = linear_recurrence(&scale.view(), &shift.view(), &starts.view(), &exec).unwrap();
        for (row, (found, expected)) in rows_of(&found, &exec).into_iter().zip(&expected).enumerate() {
            let Some(Value::F64(found)) = found else { panic!("row {row} is null") };
            assert!(
                (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
                "{rows} rows, row {row}: {found}, {expected}"
            );
        }
    }
}

#[test]
fn recurrences_of_other_columns_are_refused() {
    let host = Exec::host();
    let floats = TestColumn::new(Storage::F64, &[Value::F64(1.0)], None, 0, &host);
    let starts = TestColumn::new(Storage::I64, &[Value::I64(0)], None, 0, &host);
    let two = TestColumn::new(Storage::I64, &[Value::I64(0), Value::I64(0)], None, 0, &host);
    let run = |scale: &TestColumn, starts: &TestColumn, exec: &Exec| {
        linear_recurrence(&scale.view(), &floats.view(), &starts.view(), exec).err()
    };
    assert!(matches!(
        run(&starts, &starts, &host),
        Some(Error::UnsupportedStorage { storage: Storage::I64 })
    ));
    assert!(matches!(run(&floats, &two, &host), Some(Error::LengthMismatch { left: 1, right: 2 })));
    for device in Device::available().into_iter().filter(|&device| device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        assert!(matches!(run(&floats, &starts, &exec), Some(Error::NotImplemented { .. })));
    }
}
