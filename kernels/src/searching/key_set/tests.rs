//! Tests of key sets on every device of the build.

use super::{FEW_KEYS, KeySet};
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// Storage types with sets.
const KEYS: [Storage; 7] =
    [Storage::I8, Storage::I16, Storage::I32, Storage::I64, Storage::U8, Storage::U16, Storage::U32];

fn key(value: Value) -> i128 {
    match value {
        Value::I8(v) => v.into(),
        Value::I16(v) => v.into(),
        Value::I32(v) => v.into(),
        Value::I64(v) => v.into(),
        Value::U8(v) => v.into(),
        Value::U16(v) => v.into(),
        Value::U32(v) => v.into(),
        other => panic!("{other:?} is no key"),
    }
}

/// An integer of a storage type, cut to its width.
fn value(storage: Storage, integer: i64) -> Value {
    match storage {
        Storage::I8 => Value::I8(integer as i8),
        Storage::I16 => Value::I16(integer as i16),
        Storage::I32 => Value::I32(integer as i32),
        Storage::I64 => Value::I64(integer),
        Storage::U8 => Value::U8(integer as u8),
        Storage::U16 => Value::U16(integer as u16),
        Storage::U32 => Value::U32(integer as u32),
        other => panic!("{other} has no keys"),
    }
}

/// Whether each row of `values` is among the valid rows of `keys`, compared as integers of any width.
fn expected(keys: &TestColumn, values: &TestColumn) -> Vec<Option<Value>> {
    let members: Vec<i128> = keys.rows.iter().flatten().map(|&value| key(value)).collect();
    values.rows.iter().map(|row| row.map(|value| Value::Bit(members.contains(&key(value))))).collect()
}

#[test]
fn set_of_every_storage_null_pattern_and_offset_contains_its_keys_only() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(17);
        for (i, storage) in KEYS.into_iter().enumerate() {
            for (j, n) in SIZES.into_iter().enumerate() {
                let integers: Vec<Value> = (0..n + i)
                    .map(|_| {
                        value(storage, rng.below(300) as i64 - if storage.is_signed() { 120 } else { 0 })
                    })
                    .collect();
                let mask = Nulls::ALL[(i + j) % 4].mask(integers.len(), &mut rng);
                let keys = TestColumn::new(storage, &integers, mask.as_deref(), i, &exec);
                let set = KeySet::new(&keys.view(), &exec).unwrap().unwrap();
                // Looked up by another width: what is outside of the range must not be found.
                let other = KEYS[(i + j) % KEYS.len()];
                let nulls = Nulls::ALL[(i + j + 1) % 4];
                let values = TestColumn::random(other, n + 40, j % 9, nulls, &mut rng, &exec);
                let found = set.contains(&values.view(), &exec).unwrap();
                let what = format!("{storage} in {other} n={n} {device}");
                assert_rows(&rows_of(&found, &exec), &expected(&keys, &values), &what);
                let found = set.contains(&keys.view(), &exec).unwrap();
                assert_rows(&rows_of(&found, &exec), &expected(&keys, &keys), &what);
            }
        }
    }
}

#[test]
fn sets_at_the_limits_of_integers_have_no_neighbours() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = |values: &[i64]| {
            let values: Vec<Value> = values.iter().map(|&v| Value::I64(v)).collect();
            TestColumn::new(Storage::I64, &values, None, 0, &exec)
        };
        let values = column(&[i64::MIN, i64::MIN + 1, -1, 0, 63, 64, i64::MAX - 1, i64::MAX]);
        for keys in [&[i64::MIN][..], &[i64::MAX], &[i64::MAX - 1, i64::MAX], &[0, 64], &[-1], &[]] {
            let keys = column(keys);
            let set = KeySet::new(&keys.view(), &exec).unwrap().unwrap();
            let found = set.contains(&values.view(), &exec).unwrap();
            assert_rows(&rows_of(&found, &exec), &expected(&keys, &values), &format!("{set:?} {device}"));
        }
    }
}

#[test]
fn keys_far_apart_have_no_set() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column =
            |last: i64| TestColumn::new(Storage::I64, &[Value::I64(0), Value::I64(last)], None, 0, &exec);
        assert!(KeySet::new(&column(FEW_KEYS as i64 - 1).view(), &exec).unwrap().is_some());
        assert!(KeySet::new(&column(FEW_KEYS as i64).view(), &exec).unwrap().is_none());
        let whole =
            TestColumn::new(Storage::I64, &[Value::I64(i64::MIN), Value::I64(i64::MAX)], None, 0, &exec);
        assert!(KeySet::new(&whole.view(), &exec).unwrap().is_none());
        let wide = TestColumn::new(Storage::U64, &[Value::U64(1)], None, 0, &exec);
        assert!(KeySet::new(&wide.view(), &exec).unwrap().is_none());
    }
}
