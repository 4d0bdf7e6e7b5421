//! One suite for `scan` on every device.

use super::{ScanRange, scan, segmented_scan};
use crate::aggregation::Aggregation;
use crate::reduction::reduce::reduce;
use crate::test_values::{TestColumn, assert_rows, large_decimals, rows_of};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Bits, Error, Fixed, Storage, Value};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The definition: the reduction of the rows up to each row, found on the host.
fn expected(
    aggregation: Aggregation,
    range: ScanRange,
    column: &TestColumn,
) -> Result<Vec<Option<Value>>, Error> {
    let exec = Exec::host();
    let storage = column.view().storage;
    let values: Vec<_> = column.rows.iter().map(|row| row.unwrap_or(Value::zero(storage))).collect();
    let valid: Vec<_> = column.rows.iter().map(Option::is_some).collect();
    let copy = TestColumn::new(storage, &values, Some(&valid), 0, &exec);
    (0..values.len())
        .map(|row| {
            if column.rows[row].is_none() {
                return Ok(None);
            }
            let len = if range == ScanRange::Inclusive { row + 1 } else { row };
            let prefix = Fixed { len, ..copy.view() };
            Ok(rows_of(&reduce(aggregation, &prefix, &exec)?, &exec)[0])
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
                        let result = scan(aggregation, range, &column.view(), &exec);
                        let context = format!("{range:?} {aggregation:?} {storage} n={n} {device}");
                        let Some(output) = aggregation.output(storage) else {
                            assert_eq!(result.unwrap_err(), Error::UnsupportedStorage { storage });
                            continue;
                        };
                        match expected(aggregation, range, &column) {
                            Err(error) => assert_eq!(result.unwrap_err(), error, "{context}"),
                            Ok(expected) => {
                                let result = result.unwrap_or_else(|error| panic!("{context}: {error}"));
                                assert_eq!((result.storage, result.len), (output, n));
                                assert_rows(&rows_of(&result, &exec), &expected, &context);
                            }
                        }
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

#[test]
fn sum_of_decimals_overflows_only_where_sum_up_to_valid_row_has_more_than_38_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(30);
        for n in SIZES.into_iter().filter(|&n| n < 1000).chain([3000]) {
            let values: Vec<_> = large_decimals(n, 1, &mut rng).into_iter().map(Value::I128).collect();
            let all = TestColumn::new(Storage::I128, &values, None, 0, &exec);
            // Alternating signs stay within 38 digits.
            let (mut up, mut down) = (Vec::new(), Vec::new());
            for value in &values {
                if matches!(value, Value::I128(v) if *v < 0) { down.push(*value) } else { up.push(*value) }
            }
            let mut alternating = Vec::new();
            for k in 0..up.len().max(down.len()) {
                alternating.extend(up.get(k).copied().filter(|_| k < up.len().min(down.len() + 1)));
                alternating.extend(down.get(k).copied());
            }
            let alternating = TestColumn::new(Storage::I128, &alternating, None, 0, &exec);
            for range in [ScanRange::Inclusive, ScanRange::Exclusive] {
                for (what, column) in [("all", &all), ("alternating", &alternating)] {
                    let found = scan(Aggregation::Sum, range, &column.view(), &exec);
                    let found = found.map(|result| rows_of(&result, &exec));
                    let expected = expected(Aggregation::Sum, range, column);
                    assert_eq!(found, expected, "{what} {range:?} n={n} {device}");
                }
            }
            // The row that shows the large sum is null: it counts in no row.
            if n > 1 {
                let largest = Value::I128(10_i128.pow(38) - 1);
                let of_null = [largest, largest, Value::I128(0)];
                let column = TestColumn::new(Storage::I128, &of_null, Some(&[true, true, false]), 0, &exec);
                assert!(scan(Aggregation::Sum, ScanRange::Exclusive, &column.view(), &exec).is_ok());
                assert!(scan(Aggregation::Sum, ScanRange::Inclusive, &column.view(), &exec).is_err());
            }
        }
    }
}

/// Segments of no length at the front, within blocks and across tiles and morsels, at odd offsets of their bits: each as a
/// scan of its own.
#[test]
fn segmented_scan_is_scan_of_each_segment() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let host = Exec::host();
        let mut rng = Rng::new(31);
        let large = if device == Device::Host { HOST_MORSEL_ROWS + 700 } else { 5000 };
        for storage in [Storage::Bit, Storage::I16, Storage::U64, Storage::F64, Storage::I128] {
            for aggregation in
                [Aggregation::Sum, Aggregation::Min, Aggregation::Max, Aggregation::Count, Aggregation::Mean]
            {
                for (i, n) in SIZES.into_iter().filter(|&n| n < 1000).chain([large]).enumerate() {
                    // Each segment is a scan of its own: the large column has few.
                    let often = if n == large { 3000 } else { [1, 5, 70, 3000][i % 4] };
                    let starts: Vec<bool> = (0..n).map(|_| rng.below(often) == 0).collect();
                    let offset = [0, 3][i % 2];
                    let mut bytes = vec![0xff_u8; (n + offset).div_ceil(8)];
                    for (row, _) in starts.iter().enumerate().filter(|(_, start)| !**start) {
                        bytes[(offset + row) / 8] &= !(1 << ((offset + row) % 8));
                    }
                    let buffer = Buffer::from_slice(&bytes, &exec).unwrap();
                    let bits = Bits { buffer: &buffer, offset, len: n };
                    // Small numbers: their sums are exact, and fit.
                    let values: Vec<_> = (0..n).map(|_| small(storage, rng.below(90) as i64 - 40)).collect();
                    let valid = Nulls::ALL[i % 4].mask(n, &mut rng);
                    let column = TestColumn::new(storage, &values, valid.as_deref(), 0, &exec);
                    let copy = TestColumn::new(storage, &values, valid.as_deref(), 0, &host);
                    for range in [ScanRange::Inclusive, ScanRange::Exclusive] {
                        let found = segmented_scan(aggregation, range, &column.view(), bits, &exec).unwrap();
                        let mut expected = Vec::new();
                        while expected.len() < n {
                            let first = expected.len();
                            let len = starts[first + 1..].iter().take_while(|start| !**start).count() + 1;
                            let segment = Fixed { offset: copy.view().offset + first, len, ..copy.view() };
                            expected
                                .extend(rows_of(&scan(aggregation, range, &segment, &host).unwrap(), &host));
                        }
                        let context = format!("{range:?} {aggregation:?} {storage} n={n} {device}");
                        assert_rows(&rows_of(&found, &exec), &expected, &context);
                    }
                }
            }
        }
        let column = TestColumn::new(Storage::I16, &[Value::I16(1)], None, 0, &exec);
        let none = Buffer::zeroed(1, &exec).unwrap();
        let bits = Bits { buffer: &none, offset: 0, len: 2 };
        let error = segmented_scan(Aggregation::Sum, ScanRange::Inclusive, &column.view(), bits, &exec);
        assert_eq!(error.unwrap_err(), Error::LengthMismatch { left: 1, right: 2 });
    }
}

fn small(storage: Storage, value: i64) -> Value {
    match storage {
        Storage::Bit => Value::Bit(value % 2 == 0),
        Storage::I16 => Value::I16(value as i16),
        Storage::U64 => Value::U64(value.unsigned_abs()),
        Storage::F64 => Value::F64(value as f64),
        _ => Value::I128(value.into()),
    }
}
