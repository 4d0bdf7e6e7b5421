//! Tests of `parse` and `format` on every device of the build.

use super::{Meaning, ZonedTimes, format, format_zoned, parse};
use crate::test_columns::{Kind, TestColumn, rows};
use crate::{ColumnData, Error, OffsetWidth, Storage, StringData, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn texts(texts: &[&str], exec: &Exec) -> TestColumn {
    let bytes: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    TestColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, exec)
}

fn strings(data: StringData, exec: &Exec) -> Vec<Option<String>> {
    let rows = rows(&ColumnData::String(data), exec);
    rows.into_iter().map(|row| row.map(|text| String::from_utf8(text).unwrap())).collect()
}

/// What each text is read as and written again; `-` for no value.
fn read_and_written(input: &[&str], meaning: Meaning, exec: &Exec) -> Vec<String> {
    let column = texts(input, exec);
    let View::String(view) = column.view() else { panic!("strings") };
    let parsed = parse(&view, meaning, exec).unwrap();
    let data = parsed.data;
    let fixed = data.view();
    let written = if let Meaning::Zoned { digits } = meaning {
        let times = ZonedTimes { offsets: None, shows_z: true, unknown: "Z" };
        format_zoned(&fixed, digits, &times, exec).unwrap()
    } else {
        format(&fixed, meaning, exec).unwrap()
    };
    let written: Vec<String> =
        strings(written, exec).into_iter().map(|row| row.unwrap_or_else(|| "-".to_owned())).collect();
    let failed = written.iter().position(|text| text == "-");
    assert_eq!(parsed.failed, failed, "{meaning:?}");
    written
}

/// Each text is read and written as the one beside it, or fails.
fn check_pairs(cases: Vec<(Meaning, Vec<(&str, &str)>)>) {
    for (meaning, pairs) in cases {
        let (input, expected): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        for device in Device::available() {
            let exec = Exec::new(device).unwrap();
            assert_eq!(read_and_written(&input, meaning, &exec), expected, "{meaning:?} on {device}");
        }
    }
}

#[test]
fn texts_are_numbers_or_fail() {
    let decimal = |storage, precision, scale| Meaning::Decimal { storage, precision, scale };
    check_pairs(vec![
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
            // As pyarrow and Polars read them.
            decimal(Storage::I64, 18, 10),
            vec![
                ("1e2", "100.0000000000"),
                ("1E2", "100.0000000000"),
                ("1e-7", "0.0000001000"),
                ("-1.5E+3", "-1500.0000000000"),
                (".5e1", "5.0000000000"),
                ("1.e2", "100.0000000000"),
                ("12345e-4", "1.2345000000"),
                ("5e-11", "0.0000000001"),
                ("49e-12", "0.0000000000"),
                ("1e-400", "0.0000000000"),
                ("0e400", "0.0000000000"),
                ("1e-99999999999999999999", "0.0000000000"),
                ("0e99999999999999999999", "0.0000000000"),
                ("99999999e0", "99999999.0000000000"),
                ("1e8", "-"),
                ("1e400", "-"),
                ("1e99999999999999999999", "-"),
                ("1e", "-"),
                ("1e+", "-"),
                ("e5", "-"),
                (".e5", "-"),
                ("1e5.0", "-"),
                ("1e5e5", "-"),
                ("1e 5", "-"),
                ("1f5", "-"),
            ],
        ),
        (decimal(Storage::I32, 3, -2), vec![("1.5e2", "200"), ("999e2", "99900"), ("1e5", "-")]),
        (
            decimal(Storage::I128, 38, 3),
            vec![
                ("12345678901234567890123456789012345.678", "12345678901234567890123456789012345.678"),
                ("-10000000000000000000.001", "-10000000000000000000.001"),
            ],
        ),
    ]);
}

#[test]
fn texts_are_times_or_fail() {
    check_pairs(vec![
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
                ("2024-02-29 ", "-"),
                ("-0001-12-31 00:00", "-001-12-31 00:00:00.000"),
                ("292278994-08-17", "-"),
            ],
        ),
        (
            Meaning::Time { digits: 9 },
            vec![
                ("1677-09-21 00:12:43.145224192", "1677-09-21 00:12:43.145224192"),
                ("2262-04-11 23:47:16.854775807", "2262-04-11 23:47:16.854775807"),
                ("2262-04-11 23:47:16.854775808", "-"),
                ("1677-09-21", "-"),
            ],
        ),
        (
            Meaning::Time { digits: 0 },
            vec![("1970-01-01 00:00:01", "1970-01-01 00:00:01"), ("1970-01-01 00:00:01.5", "-")],
        ),
        (
            Meaning::Zoned { digits: 3 },
            vec![
                ("2024-07-01 12:00:00.5+02:00", "2024-07-01 10:00:00.500Z"),
                ("2024-07-01T12:00Z", "2024-07-01 12:00:00.000Z"),
                ("2024-07-01-00:30", "2024-07-01 00:30:00.000Z"),
                ("1890-01-01 00:00:00+00:53:28", "1889-12-31 23:06:32.000Z"),
                ("2024-07-01 12:00:00", "-"),
                ("2024-07-01", "-"),
                ("2024-07-01 12:00:00+24:00", "-"),
                ("2024-07-01 12:00:00+0200", "-"),
                ("2024-07-01 12:00:00z", "-"),
                ("Z", "-"),
                ("", "-"),
            ],
        ),
        (
            Meaning::Duration { digits: 6 },
            vec![
                ("2 days 03:04:05.000006", "2 days 03:04:05.000006"),
                ("-00:00:01", "-00:00:01.000000"),
                ("-0 days 00:00:00.000001", "-00:00:00.000001"),
                ("-106751991 days 04:00:54.775808", "-106751991 days 04:00:54.775808"),
                ("106751991 days 04:00:54.775807", "106751991 days 04:00:54.775807"),
                ("106751991 days 04:00:54.775808", "-"),
                ("4294967296 days 00:00:00", "-"),
                ("00:00", "-"),
                ("24:00:00", "-"),
                ("1 day 00:00:00", "-"),
                ("1 days", "-"),
                (" days 00:00:00", "-"),
                ("+00:00:01", "-"),
                ("00:00:01.", "-"),
            ],
        ),
        (
            Meaning::Clock { digits: 3 },
            vec![
                ("23:59:59.999", "23:59:59.999"),
                ("12:34", "12:34:00.000"),
                ("12:34:5", "-"),
                ("24:00", "-"),
                ("-00:01", "-"),
                ("", "-"),
            ],
        ),
        (Meaning::Clock { digits: 9 }, vec![("00:00:00.000000001", "00:00:00.000000001"), ("1:00:00", "-")]),
    ]);
}

/// The value of 8 random bytes that have from 1 to 64 bits.
fn count(rng: &mut Rng) -> i64 {
    i64::from_le_bytes(rng.bytes(8).try_into().unwrap()) >> rng.below(64)
}

#[test]
fn numbers_of_every_size_are_written_as_by_the_standard_library_and_read_back() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(9);
        for (i, n) in SIZES.into_iter().enumerate() {
            let mask = Nulls::ALL[i % 4].mask(n + i % 7, &mut rng);
            let valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
            let wide: Vec<i128> = (0..n + i % 7)
                .map(|_| i128::from(count(&mut rng)) * i128::from(count(&mut rng) >> rng.below(64)))
                .map(|value| value % 10_i128.pow(38))
                .collect();
            for storage in [
                Storage::I8,
                Storage::I16,
                Storage::I32,
                Storage::I64,
                Storage::U8,
                Storage::U16,
                Storage::U32,
                Storage::U64,
            ] {
                let width = storage.bytes(1);
                let bytes: Vec<Vec<u8>> =
                    wide.iter().map(|value| value.to_le_bytes()[..width].to_vec()).collect();
                let expected = bytes.iter().enumerate().skip(i % 7).map(|(row, bytes)| {
                    let mut long = [0; 16];
                    long[..width].copy_from_slice(bytes);
                    let unsigned = i128::from_le_bytes(long);
                    let is_signed =
                        matches!(storage, Storage::I8 | Storage::I16 | Storage::I32 | Storage::I64);
                    let above = 1_i128 << (8 * width);
                    valid(row).then(|| {
                        if is_signed && unsigned >= above / 2 { unsigned - above } else { unsigned }
                            .to_string()
                    })
                });
                let column = TestColumn::new(Kind::Fixed(storage), &bytes, mask.as_deref(), i % 7, &exec);
                check_text(&column, Meaning::Integer(storage), &expected.collect::<Vec<_>>(), &exec);
            }
            for (storage, precision, scale) in [
                (Storage::I32, 9, 3),
                (Storage::I64, 18, 0),
                (Storage::I64, 18, 18),
                (Storage::I128, 38, 10),
                (Storage::I128, 38, 38),
                (Storage::I128, 38, -2),
            ] {
                let width = storage.bytes(1);
                let units: Vec<i128> =
                    wide.iter().map(|value| value % 10_i128.pow(precision.into())).collect();
                let bytes: Vec<Vec<u8>> =
                    units.iter().map(|value| value.to_le_bytes()[..width].to_vec()).collect();
                let expected = units
                    .iter()
                    .enumerate()
                    .skip(i % 7)
                    .map(|(row, &units)| valid(row).then(|| decimal_text(units, scale)));
                let column = TestColumn::new(Kind::Fixed(storage), &bytes, mask.as_deref(), i % 7, &exec);
                check_text(
                    &column,
                    Meaning::Decimal { storage, precision, scale },
                    &expected.collect::<Vec<_>>(),
                    &exec,
                );
            }
        }
    }
}

/// By the arithmetic of strings.
fn decimal_text(units: i128, scale: i8) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = units.unsigned_abs().to_string();
    let places = usize::from(scale.unsigned_abs());
    if scale <= 0 {
        return if units == 0 { digits } else { format!("{sign}{digits}{}", "0".repeat(places)) };
    }
    let digits = "0".repeat((places + 1).saturating_sub(digits.len())) + &digits;
    format!("{sign}{}.{}", &digits[..digits.len() - places], &digits[digits.len() - places..])
}

/// The column is written as expected and read back.
fn check_text(column: &TestColumn, meaning: Meaning, expected: &[Option<String>], exec: &Exec) {
    let View::Fixed(fixed) = column.view() else { panic!("fixed width") };
    let written = format(&fixed, meaning, exec).unwrap();
    assert_eq!(strings(written.clone(), exec), expected, "{meaning:?} on {}", exec.device());
    let data = ColumnData::String(written);
    let View::String(view) = data.view() else { panic!("strings") };
    let parsed = parse(&view, meaning, exec).unwrap();
    assert_eq!(parsed.failed, None, "{meaning:?}");
    assert_eq!(rows(&ColumnData::Fixed(parsed.data), exec), column.rows, "{meaning:?} on {}", exec.device());
}

#[test]
fn times_of_every_unit_are_written_alike_on_all_devices_and_read_back() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for (i, n) in SIZES.into_iter().enumerate() {
            let mask = Nulls::ALL[i % 4].mask(n, &mut rng);
            let digits = [0, 3, 6, 9][i % 4];
            // Years of up to seven digits, which can be read.
            let values: Vec<i64> =
                (0..n).map(|_| count(&mut rng) / if digits == 0 { 60_000 } else { 60 }).collect();
            for meaning in [
                Meaning::Date,
                Meaning::Time { digits },
                Meaning::Duration { digits },
                Meaning::Clock { digits },
            ] {
                let per_day = 86_400 * 10_i64.pow(digits.into());
                let values: Vec<Vec<u8>> = values
                    .iter()
                    .map(|&value| match meaning {
                        Meaning::Date => (value as i32).to_le_bytes().to_vec(),
                        Meaning::Clock { digits: 0..=3 } => {
                            (value.rem_euclid(per_day) as i32).to_le_bytes().to_vec()
                        }
                        Meaning::Clock { .. } => value.rem_euclid(per_day).to_le_bytes().to_vec(),
                        _ => value.to_le_bytes().to_vec(),
                    })
                    .collect();
                let kind = Kind::Fixed(meaning.storage());
                let column = TestColumn::new(kind, &values, mask.as_deref(), 0, &exec);
                let on_host = TestColumn::new(kind, &values, mask.as_deref(), 0, &Exec::host());
                let View::Fixed(fixed) = on_host.view() else { panic!("fixed width") };
                let expected = strings(format(&fixed, meaning, &Exec::host()).unwrap(), &Exec::host());
                for (text, value) in expected.iter().zip(&values) {
                    let mut long = [0; 8];
                    long[..value.len()].copy_from_slice(value);
                    let value = if value.len() == 4 {
                        i64::from(i64::from_le_bytes(long) as i32)
                    } else {
                        i64::from_le_bytes(long)
                    };
                    if let Some(text) = text {
                        assert_eq!(*text, time_text(value, meaning), "{meaning:?}");
                    }
                }
                check_text(&column, meaning, &expected, &exec);
            }
        }
    }
}

/// By counting years, in other arithmetic than the kernels'.
fn time_text(value: i64, meaning: Meaning) -> String {
    let (digits, has_date) = match meaning {
        Meaning::Date => return date_text(value),
        Meaning::Time { digits } => (digits, true),
        Meaning::Duration { digits } | Meaning::Clock { digits } => (digits, false),
        _ => panic!("no time"),
    };
    let per_day = 86_400 * 10_i128.pow(digits.into());
    let magnitude = if has_date { value.into() } else { i128::from(value).abs() };
    let (days, rest) = (magnitude.div_euclid(per_day), magnitude.rem_euclid(per_day));
    let (seconds, units) = (rest / 10_i128.pow(digits.into()), rest % 10_i128.pow(digits.into()));
    let fraction =
        if digits == 0 { String::new() } else { format!(".{units:0width$}", width = digits.into()) };
    let clock = format!("{:02}:{:02}:{:02}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let sign = if value < 0 { "-" } else { "" };
    match (has_date, days) {
        (true, days) => format!("{} {clock}", date_text(days as i64)),
        (false, 0) => format!("{sign}{clock}"),
        (false, days) => format!("{sign}{days} days {clock}"),
    }
}

fn date_text(days: i64) -> String {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    // Whole periods of 400 years, then year by year from 1970.
    let (periods, mut rest) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let mut year = 1970;
    while rest >= if is_leap(year) { 366 } else { 365 } {
        rest -= if is_leap(year) { 366 } else { 365 };
        year += 1;
    }
    let lengths = [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= lengths[month] {
        rest -= lengths[month];
        month += 1;
    }
    format!("{:04}-{:02}-{:02}", year + 400 * periods, month + 1, rest + 1)
}

#[test]
fn instants_are_written_in_local_time_where_that_is_known() {
    let instants = [0, 1_719_828_000_500, -1, i64::MAX, i64::MIN];
    let seconds = [3600, 7200, -1800, 1, -3208];
    let bytes = |values: &[i64]| values.iter().map(|value| value.to_le_bytes().to_vec()).collect::<Vec<_>>();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(Kind::Fixed(Storage::I64), &bytes(&instants), None, 0, &exec);
        let offsets = TestColumn::new(Kind::Fixed(Storage::I64), &bytes(&seconds), None, 0, &exec);
        let (View::Fixed(utc), View::Fixed(seconds)) = (column.view(), offsets.view()) else {
            panic!("fixed width")
        };
        let shown = |offsets, shows_z| {
            let times = ZonedTimes { offsets, shows_z, unknown: "Z[Far/Away]" };
            let written = format_zoned(&utc, 3, &times, &exec).unwrap();
            strings(written, &exec).into_iter().map(Option::unwrap).collect::<Vec<_>>()
        };
        let expected = [
            "1970-01-01 01:00:00.000+01:00",
            "2024-07-01 12:00:00.500+02:00",
            "1969-12-31 23:29:59.999-00:30",
            "292278994-08-17 07:12:55.807Z[Far/Away]",
            "-292275055-05-16 16:47:04.192Z[Far/Away]",
        ];
        assert_eq!(shown(Some(seconds), false), expected, "{device}");
        assert_eq!(shown(None, false)[1], "2024-07-01 10:00:00.500Z[Far/Away]", "{device}");
        let zeros = TestColumn::new(Kind::Fixed(Storage::I64), &bytes(&[0; 5]), None, 0, &exec);
        let View::Fixed(zeros) = zeros.view() else { panic!("fixed width") };
        assert_eq!(shown(Some(zeros), true)[0], "1970-01-01 00:00:00.000Z", "{device}");
        assert_eq!(shown(Some(zeros), false)[0], "1970-01-01 00:00:00.000+00:00", "{device}");
        let sun = TestColumn::new(Kind::Fixed(Storage::I64), &bytes(&[-3208; 5]), None, 0, &exec);
        let View::Fixed(sun) = sun.view() else { panic!("fixed width") };
        assert_eq!(shown(Some(sun), true)[0], "1969-12-31 23:06:32.000-00:53:28", "{device}");
        let error = format(&utc, Meaning::Zoned { digits: 3 }, &exec).unwrap_err();
        let reason = "instants have no text without a zone";
        assert_eq!(error, Error::InvalidArgument { name: "meaning", reason });
    }
}

#[test]
fn texts_without_value_are_null_and_the_first_is_named() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(77);
        for (i, n) in SIZES.into_iter().enumerate() {
            let every = [1, 2, 40, n.max(1)][i % 4];
            let values: Vec<Vec<u8>> = (0..n + i % 5)
                .map(
                    |row| {
                        if row % every == every - 1 { b"x1".to_vec() } else { row.to_string().into_bytes() }
                    },
                )
                .collect();
            let mask = Nulls::ALL[i / 4 % 4].mask(n + i % 5, &mut rng);
            let width = if i % 2 == 0 { OffsetWidth::I32 } else { OffsetWidth::I64 };
            let column = TestColumn::new(Kind::String(width), &values, mask.as_deref(), i % 5, &exec);
            let View::String(view) = column.view() else { panic!("strings") };
            let parsed = parse(&view, Meaning::Integer(Storage::I64), &exec).unwrap();
            let value = |text: &Vec<u8>| String::from_utf8(text.clone()).unwrap().parse::<i64>().ok();
            let expected: Vec<_> = column.rows.iter().map(|row| row.as_ref().and_then(value)).collect();
            let failed =
                column.rows.iter().zip(&expected).position(|(row, value)| row.is_some() && value.is_none());
            assert_eq!(parsed.failed, failed, "n={n} {device}");
            let expected: Vec<_> =
                expected.into_iter().map(|value| value.map(|value| value.to_le_bytes().to_vec())).collect();
            assert_eq!(rows(&ColumnData::Fixed(parsed.data), &exec), expected, "n={n} {device}");
        }
    }
}

#[test]
fn random_values_of_every_null_pattern_and_offset_are_read_as_written() {
    for device in Device::available() {
        check_random_values(&Exec::new(device).unwrap());
    }
}

fn check_random_values(exec: &Exec) {
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
            let column = TestColumn::random(Kind::Fixed(storage), n, (i + j) % 11, nulls, &mut rng, exec);
            let View::Fixed(fixed) = column.view() else { panic!("fixed width") };
            let written = format(&fixed, meaning, exec).unwrap();
            let view = ColumnData::String(written.clone());
            let strings = view.view();
            let View::String(strings) = strings else { panic!("strings") };
            let parsed = parse(&strings, meaning, exec).unwrap();
            assert_eq!(parsed.failed, None, "{meaning:?} n={n}");
            if storage != Storage::F64 {
                assert_eq!(rows(&ColumnData::Fixed(parsed.data), exec), column.rows, "{meaning:?} n={n}");
                continue;
            }
            let bits = |rows: Vec<Option<Vec<u8>>>| -> Vec<Option<u64>> {
                let float = |bytes: Vec<u8>| f64::from_le_bytes(bytes.try_into().unwrap());
                // Text does not tell NaNs apart.
                let bits = |value: f64| if value.is_nan() { u64::MAX } else { value.to_bits() };
                rows.into_iter().map(|row| row.map(float).map(bits)).collect()
            };
            assert_eq!(bits(rows(&ColumnData::Fixed(parsed.data), exec)), bits(column.rows.clone()), "n={n}");
        }
    }
}
