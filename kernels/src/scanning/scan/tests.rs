//! One suite for `scan` on every device.

use super::{ScanRange, scan};
use crate::aggregation::Aggregation;
use crate::reduction::reduce::reduce;
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Fixed, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The definition: the reduction of the rows up to each row, found on the host.
fn expected(aggregation: Aggregation, range: ScanRange, column: &TestColumn) -> Vec<Option<Value>> {
    let exec = Exec::host();
    let storage = column.view().storage;
    let values: Vec<_> = column.rows.iter().map(|row| row.unwrap_or(Value::zero(storage))).collect();
    let valid: Vec<_> = column.rows.iter().map(Option::is_some).collect();
    let copy = TestColumn::new(storage, &values, Some(&valid), 0, &exec);
    (0..values.len())
        .map(|row| {
            column.rows[row]?;
            let len = if range == ScanRange::Inclusive { row + 1 } else { row };
            let prefix = Fixed { len, ..copy.view() };
            rows_of(&reduce(aggregation, &prefix, &exec).unwrap(), &exec)[0]
        })
        .collect()
}

#[test]
fn every_operation_storage_null_pattern_and_offset() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(28);
        for storage in Storage::ALL {
            for aggregation in Aggregation::ALL {
                let sums = [Aggregation::Sum, Aggregation::SumWide, Aggregation::Mean];
                if storage.is_float() && sums.contains(&aggregation) {
                    continue;
                }
                for range in [ScanRange::Inclusive, ScanRange::Exclusive] {
                    for (i, n) in SIZES.into_iter().filter(|&n| n < 1000).enumerate() {
                        let nulls = Nulls::ALL[i % 4];
                        let column = TestColumn::random(storage, n, [0, 3][i % 2], nulls, &mut rng, &exec);
                        let result = scan(aggregation, range, &column.view(), &exec).unwrap();
                        assert_eq!((result.storage, result.len), (aggregation.output(storage).unwrap(), n));
                        let context = format!("{range:?} {aggregation:?} {storage} n={n} {device}");
                        assert_rows(
                            &rows_of(&result, &exec),
                            &expected(aggregation, range, &column),
                            &context,
                        );
                    }
                }
            }
        }
    }
}

/// Many tiles of a device and several morsels of the host, against a running sum of numbers without rounding.
#[test]
fn long_sums_of_floats_and_integers() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(29);
        let n = if device == Device::Host { 3 * HOST_MORSEL_ROWS + 5 } else { 9000 };
        let quarters: Vec<i64> = (0..n).map(|_| rng.below(200) as i64 - 100).collect();
        let valid = Nulls::Some.mask(n, &mut rng).unwrap();
        for storage in [Storage::F32, Storage::F64, Storage::I64] {
            let value = |q: i64| match storage {
                Storage::F32 => Value::F32(q as f32 / 4.0),
                Storage::F64 => Value::F64(q as f64 / 4.0),
                _ => Value::I64(q),
            };
            let values: Vec<_> = quarters.iter().map(|&q| value(q)).collect();
            let column = TestColumn::new(storage, &values, Some(&valid), 0, &exec);
            for range in [ScanRange::Inclusive, ScanRange::Exclusive] {
                let mut sum = 0;
                let expected: Vec<_> = (0..n)
                    .map(|row| {
                        let before = sum;
                        sum += if valid[row] { quarters[row] } else { 0 };
                        valid[row].then(|| value(if range == ScanRange::Inclusive { sum } else { before }))
                    })
                    .collect();
                let result = scan(Aggregation::Sum, range, &column.view(), &exec).unwrap();
                assert_rows(&rows_of(&result, &exec), &expected, &format!("{range:?} {storage} {device}"));
            }
        }
    }
}
