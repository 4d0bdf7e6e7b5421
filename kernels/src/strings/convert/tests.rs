//! Tests of `parse` and `format` on every device of the build.

use super::{Meaning, format, parse};
use crate::test_columns::{Kind, TestColumn, rows};
use crate::{ColumnData, Error, OffsetWidth, Storage, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn texts(texts: &[&str], exec: &Exec) -> TestColumn {
    let bytes: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, exec)
}

/// What each text is read as and written again; `-` for no value.
fn read_and_written(input: &[&str], meaning: Meaning) -> Vec<String> {
    let exec = Exec::host();
    let column = texts(input, &exec);
    let View::String(strings) = column.view() else { panic!("strings") };
    let parsed = parse(&strings, meaning, &exec).unwrap();
    let data = parsed.data;
    let fixed = data.view();
    let written = ColumnData::String(format(&fixed, meaning, &exec).unwrap());
    let written: Vec<String> = rows(&written, &exec)
        .into_iter()
        .map(|row| row.map_or("-".to_owned(), |text| String::from_utf8(text).unwrap()))
        .collect();
    let failed = written.iter().position(|text| text == "-");
    assert_eq!(parsed.failed, failed, "{meaning:?}");
    written
}

#[test]
fn texts_are_values_or_fail() {
    let decimal = |storage, precision, scale| Meaning::Decimal { storage, precision, scale };
    for (meaning, pairs) in [
        (
            Meaning::Integer(Storage::I64),
            vec![
                ("0", "0"),
                ("+7", "7"),
                ("-7", "-7"),
                ("007", "7"),
                ("9223372036854775807", "9223372036854775807"),
                ("-9223372036854775808", "-9223372036854775808"),
                ("9223372036854775808", "-"),
                ("", "-"),
                ("-", "-"),
                (" 1", "-"),
                ("1.0", "-"),
                ("1e3", "-"),
                ("٣", "-"),
            ],
        ),
        (Meaning::Integer(Storage::I8), vec![("127", "127"), ("-128", "-128"), ("128", "-"), ("-129", "-")]),
        (Meaning::Integer(Storage::U8), vec![("255", "255"), ("-0", "0"), ("-1", "-"), ("256", "-")]),
        (
            Meaning::Integer(Storage::U64),
            vec![
                ("18446744073709551615", "18446744073709551615"),
                ("18446744073709551616", "-"),
                ("-1", "-"),
            ],
        ),
        (
            Meaning::Float(Storage::F64),
            vec![
                ("0.1", "0.1"),
                ("-0", "-0.0"),
                ("1", "1.0"),
                (".5", "0.5"),
                ("5.", "5.0"),
                ("1e22", "1e22"),
                ("9007199254740993", "9007199254740992.0"),
                ("0.30000000000000004", "0.30000000000000004"),
                ("17976931348623157e292", "1.7976931348623157e308"),
                ("5e-324", "5e-324"),
                ("inf", "inf"),
                ("-Infinity", "-inf"),
                ("nan", "NaN"),
                (".", "-"),
                ("1e", "-"),
                ("0x1", "-"),
                ("1_000", "-"),
            ],
        ),
        (Meaning::Float(Storage::F32), vec![("0.1", "0.1"), ("16777217", "16777216.0"), ("1e39", "inf")]),
        (Meaning::Bool, vec![("true", "true"), ("False", "false"), ("1", "-"), ("yes", "-")]),
        (
            decimal(Storage::I64, 5, 2),
            vec![
                ("1.005", "1.01"),
                ("-1.005", "-1.01"),
                ("1.0049", "1.00"),
                ("999.99", "999.99"),
                ("999.995", "-"),
                (".5", "0.50"),
                ("0.001", "0.00"),
                ("1.2.3", "-"),
                (".", "-"),
            ],
        ),
        (decimal(Storage::I32, 3, -2), vec![("12345", "12300"), ("49", "0"), ("50", "100"), ("5", "0")]),
        (
            decimal(Storage::I128, 38, 3),
            vec![
                ("12345678901234567890123456789012345.678", "12345678901234567890123456789012345.678"),
                ("-10000000000000000000.001", "-10000000000000000000.001"),
            ],
        ),
        (
            Meaning::Date,
            vec![
                ("1970-01-01", "1970-01-01"),
                ("2024-02-29", "2024-02-29"),
                ("2023-02-29", "-"),
                ("1900-02-29", "-"),
                ("0001-01-01", "0001-01-01"),
                ("-0044-03-15", "-044-03-15"),
                ("12024-12-31", "12024-12-31"),
                ("2024-1-1", "-"),
                ("2024/01/01", "-"),
                ("2024-13-01", "-"),
                ("99999999-01-01", "-"),
            ],
        ),
        (
            Meaning::Time { digits: 3 },
            vec![
                ("2024-02-29T13:45:10.5", "2024-02-29 13:45:10.500"),
                ("1969-12-31 23:59:59.999", "1969-12-31 23:59:59.999"),
                ("2024-02-29", "2024-02-29 00:00:00.000"),
                ("2024-02-29 13:45", "2024-02-29 13:45:00.000"),
                ("2024-02-29 24:00:00", "-"),
                ("2024-02-29 13:45:10.", "-"),
                ("2024-02-29 13:45:10.1234", "-"),
            ],
        ),
    ] {
        let (input, expected): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        assert_eq!(read_and_written(&input, meaning), expected, "{meaning:?}");
    }
}

#[test]
fn random_values_of_every_null_pattern_and_offset_are_read_as_written() {
    let exec = Exec::host();
    let mut rng = Rng::new(5);
    let storages = [
        (Storage::I8, Meaning::Integer(Storage::I8)),
        (Storage::I64, Meaning::Integer(Storage::I64)),
        (Storage::U32, Meaning::Integer(Storage::U32)),
        (Storage::U64, Meaning::Integer(Storage::U64)),
        (Storage::Bit, Meaning::Bool),
        (Storage::I32, Meaning::Date),
        (Storage::F64, Meaning::Float(Storage::F64)),
    ];
    for (i, n) in SIZES.into_iter().enumerate() {
        for (j, (storage, meaning)) in storages.into_iter().enumerate() {
            let nulls = Nulls::ALL[(i + j) % 4];
            let column = TestColumn::random(Kind::Fixed(storage), n, (i + j) % 11, nulls, &mut rng, &exec);
            let View::Fixed(fixed) = column.view() else { panic!("fixed width") };
            let written = format(&fixed, meaning, &exec).unwrap();
            let view = ColumnData::String(written.clone());
            let strings = view.view();
            let View::String(strings) = strings else { panic!("strings") };
            let parsed = parse(&strings, meaning, &exec).unwrap();
            assert_eq!(parsed.failed, None, "{meaning:?} n={n}");
            if storage != Storage::F64 {
                assert_eq!(rows(&ColumnData::Fixed(parsed.data), &exec), column.rows, "{meaning:?} n={n}");
                continue;
            }
            let bits = |rows: Vec<Option<Vec<u8>>>| -> Vec<Option<u64>> {
                let float = |bytes: Vec<u8>| f64::from_le_bytes(bytes.try_into().unwrap());
                // Text does not tell NaNs apart.
                let bits = |value: f64| if value.is_nan() { u64::MAX } else { value.to_bits() };
                rows.into_iter().map(|row| row.map(float).map(bits)).collect()
            };
            assert_eq!(
                bits(rows(&ColumnData::Fixed(parsed.data), &exec)),
                bits(column.rows.clone()),
                "n={n}"
            );
        }
    }
}

#[test]
fn casts_on_devices_are_named() {
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let column = texts(&["1"], &exec);
        let View::String(strings) = column.view() else { panic!("strings") };
        let error = parse(&strings, Meaning::Bool, &exec).unwrap_err();
        assert_eq!(error, Error::NotImplemented { feature: "a cast from strings on this device" });
    }
}
