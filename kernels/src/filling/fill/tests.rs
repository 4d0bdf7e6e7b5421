//! Tests of `fill` on every device of the build.

use super::{fill, fill_string, nulls};
use crate::test_columns::{Row, rows};
use crate::{ColumnData, Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::SIZES;

const VALUES: [Value; 14] = [
    Value::Bit(true),
    Value::Bit(false),
    Value::I8(-3),
    Value::U8(200),
    Value::I16(-300),
    Value::U16(0),
    Value::I32(i32::MIN),
    Value::U32(7),
    Value::F32(-0.0),
    Value::I64(i64::MAX),
    Value::U64(1 << 63),
    Value::F64(f64::NAN),
    Value::I128(i128::MIN + 5),
    Value::I128(1),
];

#[test]
fn fill_of_every_storage_repeats_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (n, value) in SIZES.into_iter().flat_map(|n| VALUES.map(|value| (n, value))) {
            let out = fill(value, n, &exec).unwrap();
            assert_eq!((out.storage, out.len, out.validity.is_some()), (value.storage(), n, false));
            let row: Row = Some(value.to_bytes()[..value.storage().bytes(1)].to_vec());
            assert_eq!(rows(&ColumnData::Fixed(out), &exec), vec![row; n], "{value:?} n={n} {device}");
        }
    }
}

#[test]
fn fill_of_more_rows_than_memory_has_is_out_of_memory() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for len in [1 << 60, 1 << 61, (1 << 62) + 1, usize::MAX] {
            let errors = [
                fill(Value::I64(0), len, &exec).unwrap_err(),
                fill(Value::I32(7), len, &exec).unwrap_err(),
                fill(Value::I128(1), len, &exec).unwrap_err(),
                fill_string(Some("a"), len, &exec).unwrap_err(),
                fill_string(None, len, &exec).unwrap_err(),
            ];
            for error in errors {
                let memory = matches!(error, Error::Memory(columnade_buffers::Error::OutOfMemory { .. }));
                assert!(memory, "{len} {error:?} {device}");
            }
        }
    }
}

#[test]
fn fill_of_bits_zeroes_bits_after_last_row() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let out = fill(Value::Bit(true), 11, &exec).unwrap();
        assert_eq!(out.data.to_vec::<u8>(&exec).unwrap(), [0xff, 0x07], "{device}");
    }
}

#[test]
fn fill_of_nulls_and_strings_repeats_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            for storage in [Storage::Bit, Storage::I32, Storage::I128] {
                let out = ColumnData::Fixed(nulls(storage, n, &exec).unwrap());
                assert_eq!(rows(&out, &exec), vec![None; n], "{storage} n={n} {device}");
            }
            for text in [Some("né"), Some(""), Some("x"), None] {
                let out = ColumnData::String(fill_string(text, n, &exec).unwrap());
                let row: Row = text.map(|text| text.as_bytes().to_vec());
                assert_eq!(rows(&out, &exec), vec![row; n], "{text:?} n={n} {device}");
            }
        }
    }
}
