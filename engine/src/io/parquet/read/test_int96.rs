//! 96-bit timestamps: files of pyarrow with known values, and files of any value.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use columnade_columns::{DType, ErrorKind, Scalar, TimeUnit};
use columnade_ops::expression::{col, lit};
use parquet::data_type::{Int96, Int96Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tempfile::{TempDir, tempdir};

use crate::error::Error;
use crate::io::{ParquetError, read_parquet};
use crate::testing::{on_every_device, values};

const UNITS: [(TimeUnit, i128); 4] = [
    (TimeUnit::Nano, 1),
    (TimeUnit::Micro, 1000),
    (TimeUnit::Milli, 1_000_000),
    (TimeUnit::Second, 1_000_000_000),
];
const NANOS_PER_DAY: i128 = 86_400_000_000_000;
const JULIAN_DAY_OF_EPOCH: i128 = 2_440_588;
const FLAT: &str = "message m { optional int96 t; required int96 r; }";

/// The years 1 to 9999 and the ends of the range of nanoseconds, written by pyarrow 26 without an Arrow schema.
const OF_PYARROW: [Option<i64>; 7] = [
    Some(-62_135_596_800_000_000),
    Some(-9_223_372_036_854_776),
    Some(0),
    None,
    Some(1),
    Some(9_223_372_036_854_776),
    Some(253_402_300_799_999_999),
];

fn fixture(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("written");
    path
}

fn without_schema(folder: &TempDir) -> PathBuf {
    fixture(folder, "dates.parquet", include_bytes!("fixtures/int96-without-schema.parquet"))
}

fn timestamps(values: &[Option<i64>], unit: TimeUnit) -> Vec<Scalar> {
    let null = Scalar::Null(DType::Timestamp(unit));
    values.iter().map(|value| value.map_or(null.clone(), |value| Scalar::Timestamp(value, unit))).collect()
}

/// Nanoseconds since 1970-01-01 as the format has them.
fn int96(nanos: i128) -> Int96 {
    let days =
        u32::try_from(nanos.div_euclid(NANOS_PER_DAY) + JULIAN_DAY_OF_EPOCH).expect("a day of these tests");
    let rest = u64::try_from(nanos.rem_euclid(NANOS_PER_DAY)).expect("less than a day");
    Int96::from(vec![
        u32::try_from(rest & 0xffff_ffff).expect("masked"),
        u32::try_from(rest >> 32).expect("shifted"),
        days,
    ])
}

/// A file of two columns with the values in one row group for each of `groups`.
fn written(path: &Path, groups: &[&[i128]]) {
    let schema = Arc::new(parse_message_type(FLAT).expect("a schema"));
    let properties = Arc::new(WriterProperties::builder().build());
    let file = fs::File::create(path).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema, properties).expect("a writer");
    for group in groups {
        let values: Vec<Int96> = group.iter().copied().map(int96).collect();
        let mut row_group = writer.next_row_group().expect("a row group");
        while let Some(mut column) = row_group.next_column().expect("a column") {
            let definitions = vec![1; values.len()];
            let written = column.typed::<Int96Type>().write_batch(&values, Some(&definitions), None);
            assert_eq!(written.expect("written"), values.len());
            column.close().expect("closed");
        }
        row_group.close().expect("closed");
    }
    writer.close().expect("closed");
}

fn misfit(error: &Error) -> (&Path, &ParquetError) {
    match error {
        Error::Parquet { path, source, .. } => (path, source),
        other => panic!("{other}"),
    }
}

#[test]
fn int96_without_schema_reads_in_microseconds() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let frame = read_parquet(without_schema(&folder)).read().expect("read");
        assert_eq!(frame.dtypes()[0].to_string(), "timestamp[us]");
        assert_eq!(frame.dtypes()[1].to_string(), "list<timestamp[us]>");
        assert_eq!(values(&frame, "t"), timestamps(&OF_PYARROW, TimeUnit::Micro));
        assert_eq!(values(&frame, "t")[6].to_string(), "9999-12-31 23:59:59.999999");
        assert_eq!(values(&frame, "list")[0].to_string(), "[0001-01-01 00:00:00.000000, <NA>]");
        assert_eq!(values(&frame, "list")[6].to_string(), "[9999-12-31 23:59:59.999999, <NA>]");
    });
}

#[test]
fn int96_beyond_asked_unit_names_file_and_column() {
    let folder = tempdir().expect("a folder");
    let path = without_schema(&folder);
    for (columns, column) in [(["t"], "t"), (["list"], "list.list.element")] {
        let read = read_parquet(&path).columns(columns).int96_unit(TimeUnit::Nano).read();
        let error = read.expect_err("the year 1 has no nanoseconds");
        assert_eq!(error.kind(), ErrorKind::Overflow);
        let (found, _) = misfit(&error);
        assert_eq!(found, path);
        let text = format!(
            "read_parquet {}: column \"{column}\", row group 0: 0001-01-01 00:00:00 is not a value of timestamp[ns]; read \
             it as timestamp[us], with int96_unit",
            path.display()
        );
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn int96_with_part_of_unit_is_refused() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.parquet");
    written(&path, &[&[0, 1000], &[2000, -1]]);
    let error = read_parquet(&path).read().expect_err("not a whole number of microseconds");
    let (_, source) = misfit(&error);
    let ParquetError::TimestampDoesNotFit { column, row_group: 1, value, unit: TimeUnit::Micro, fits } =
        source
    else {
        panic!("{source}")
    };
    assert_eq!((column.as_str(), value.as_str()), ("t", "1969-12-31 23:59:59.999999999"));
    assert_eq!(*fits, Some(TimeUnit::Nano));
    let frame = read_parquet(&path).int96_unit(TimeUnit::Nano).read().expect("read");
    let expected = timestamps(&[Some(0), Some(1000), Some(2000), Some(-1)], TimeUnit::Nano);
    assert_eq!((values(&frame, "t"), values(&frame, "r")), (expected.clone(), expected));
}

#[test]
fn int96_keeps_unit_of_arrow_schema() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = fixture(&folder, "ns.parquet", include_bytes!("fixtures/int96-ns-schema.parquet"));
        let frame = read_parquet(&path).read().expect("read");
        let expected = [Some(i64::MIN), Some(-1), Some(0), None, Some(1), Some(i64::MAX)];
        assert_eq!(values(&frame, "t"), timestamps(&expected, TimeUnit::Nano));
        read_parquet(&path).int96_unit(TimeUnit::Micro).read().expect_err("nanoseconds would be lost");
    });
}

#[test]
fn filter_of_int96_keeps_matching_rows() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let late = lit(Scalar::Timestamp(1, TimeUnit::Micro));
        let read = read_parquet(without_schema(&folder)).columns(["t"]).filter(col("t").gt(late)).read();
        assert_eq!(values(&read.expect("read"), "t"), timestamps(&OF_PYARROW[5..], TimeUnit::Micro));
    });
}

/// Each value is read exactly, or refused with the unit that represents it.
#[test]
fn int96_of_any_value_is_exact_or_refused() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.parquet");
    let (first_day, last_day) = (-JULIAN_DAY_OF_EPOCH, i128::from(i32::MAX) - JULIAN_DAY_OF_EPOCH);
    let mut cases = vec![first_day * NANOS_PER_DAY, (last_day + 1) * NANOS_PER_DAY - 1, 999, -999, 1_000_001];
    for (_, per) in UNITS {
        for end in [i128::from(i64::MIN) * per, i128::from(i64::MAX) * per, 0] {
            cases.extend([end - per, end - 1, end, end + 1, end + per]);
        }
    }
    cases.retain(|nanos| (first_day..=last_day).contains(&nanos.div_euclid(NANOS_PER_DAY)));
    let fitting = |nanos: i128, per: i128| i64::try_from(nanos / per).ok().filter(|_| nanos % per == 0);
    let (mut exact, mut refused) = (0, 0);
    for nanos in cases {
        // Rows before it, so that it is not in the first step of the check.
        let group = [vec![0; 8191], vec![nanos]].concat();
        written(&path, &[&group]);
        for (unit, per) in UNITS {
            let read = read_parquet(&path).columns(["r"]).int96_unit(unit).read();
            match (read, fitting(nanos, per)) {
                (Ok(frame), Some(value)) => {
                    assert_eq!(values(&frame, "r").last(), Some(&Scalar::Timestamp(value, unit)), "{nanos}");
                    exact += 1;
                }
                (Err(error), None) => {
                    let best =
                        UNITS.iter().find(|(_, per)| fitting(nanos, *per).is_some()).map(|(unit, _)| *unit);
                    let (_, source) = misfit(&error);
                    assert!(
                        matches!(source, ParquetError::TimestampDoesNotFit { fits, .. } if *fits == best),
                        "{nanos}: {source}"
                    );
                    refused += 1;
                }
                (Ok(_), None) => panic!("{nanos} is no timestamp[{unit}], yet was read"),
                (Err(error), Some(_)) => panic!("{nanos} is a timestamp[{unit}]: {error}"),
            }
        }
    }
    assert!(exact > 40 && refused > 40, "{exact} {refused}");
}
