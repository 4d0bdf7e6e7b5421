//! Types within types, as pyarrow 26 and this crate write them.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use columnade_columns::{DType, ErrorKind, TimeUnit};
use parquet::arrow::ArrowWriter;
use tempfile::tempdir;

use crate::dataframe::DataFrame;
use crate::error::Error;
use crate::io::{ParquetError, ParquetWriteOptions, read_parquet};
use crate::testing::{on_every_device, values};

/// 70 rows in three row groups, Zstandard.
const NESTED: &[u8] = include_bytes!("../../../../tests/files/nested.parquet");
const ROWS: usize = 70;
const NULL: &str = "<NA>";

fn texts(frame: &DataFrame, label: &str) -> Vec<String> {
    values(frame, label).iter().map(ToString::to_string).collect()
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn or_null(is_null: bool, text: impl FnOnce() -> String) -> String {
    if is_null { NULL.to_owned() } else { text() }
}

/// The rows as the script that wrote the file made them.
fn expected(label: &str, i: usize) -> String {
    match label {
        "map" => or_null(i % 5 == 2, || {
            list((0..i % 4).map(|j| {
                let value = or_null(j == 1, || (i * 10 + j).to_string());
                format!("{{key: k{j}, value: {value}}}")
            }))
        }),
        "lists" => or_null(i % 6 == 1, || {
            list((0..i % 4).map(|j| {
                or_null((i + j) % 4 == 3, || list((0..j).map(|k| or_null(k % 3 == 0, || k.to_string()))))
            }))
        }),
        "struct" => or_null(i % 9 == 4, || {
            let a = or_null(i % 7 == 3, || i.to_string());
            let s = or_null(i.is_multiple_of(3), || "ß".repeat(i % 4));
            let l = list((0..i % 3).map(|j| format!("{{x: {j}}}")));
            format!("{{a: {a}, b: {{s: {s}, l: {l}}}}}")
        }),
        "map_lists" => list((0..usize::from(!i.is_multiple_of(4))).map(|_| {
            let item = if i.is_multiple_of(2) { "1.5" } else { NULL };
            let items = list((0..i % 3).map(|_| item.to_owned()));
            format!("{{key: z, value: {items}}}")
        })),
        "fixed" => or_null(i % 8 == 5, || format!("[{i}, {NULL}]")),
        "big" => or_null(i.is_multiple_of(6), || match i.cmp(&50) {
            std::cmp::Ordering::Equal => "0.00".to_owned(),
            std::cmp::Ordering::Less => format!("-{}{:018}.00", 50 - i, 0),
            std::cmp::Ordering::Greater => format!("{}{:018}.00", i - 50, 0),
        }),
        other => panic!("no column {other:?}"),
    }
}

const LABELS: [&str; 6] = ["map", "lists", "struct", "map_lists", "fixed", "big"];

fn assert_rows(frame: &DataFrame, rows: std::ops::Range<usize>) {
    for label in LABELS {
        let expected: Vec<String> = rows.clone().map(|row| expected(label, row)).collect();
        assert_eq!(texts(frame, label), expected, "{label}");
    }
}

#[test]
fn nested_types_read_as_their_writer_wrote_them() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("nested.parquet");
        fs::write(&path, NESTED).expect("written");
        let (read, statistics) = read_parquet(&path).read_with_statistics().expect("read");
        assert_eq!((read.len(), statistics.row_groups_read), (ROWS, 3));
        assert_rows(&read, 0..ROWS);
        let dtypes: Vec<String> = read.dtypes().iter().map(ToString::to_string).collect();
        assert_eq!(dtypes[0], "list<struct<key: utf8, value: int32>>");
        assert_eq!(dtypes[1], "list<list<int16>>");
        assert_eq!(dtypes[7], "decimal(38,2)");
        let bytes = read.column("bytes").and_then(|bytes| bytes.null_count()).expect("bytes");
        assert_eq!((read.dtypes()[5].clone(), bytes), (DType::Binary, 14));
        // Some of them, in another order.
        let two = read_parquet(&path).columns(["struct", "map"]).read().expect("read");
        assert_eq!((two.shape(), texts(&two, "map")), ((ROWS, 2), texts(&read, "map")));
    });
}

#[test]
fn nested_types_round_trip() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("nested.parquet");
        fs::write(&path, NESTED).expect("written");
        let whole = read_parquet(&path).columns(LABELS).read().expect("read");
        let again = folder.path().join("again.parquet");
        for (start, len) in [(0, 0), (0, 1), (3, 31), (1, 33), (0, ROWS), (37, 33)] {
            let slice = whole.slice(start, len).expect("inside");
            for rows in [7, 1000] {
                let options = ParquetWriteOptions::new().row_group_rows(rows);
                slice.write_parquet_with(&again, &options).expect("written");
                let read = read_parquet(&again).read().expect("read");
                assert_eq!(read.dtypes(), whole.dtypes());
                assert_rows(&read, start..start + len);
            }
        }
    });
}

/// A file of pyarrow.
#[test]
fn times_of_day_read_as_their_writer_wrote_them() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("time.parquet");
        fs::write(&path, include_bytes!("../../../../tests/files/time.parquet")).expect("written");
        let read = read_parquet(&path).read().expect("read");
        assert_eq!(read.column("at").expect("a column").dtype(), DType::Time(TimeUnit::Micro));
        assert_eq!(texts(&read, "at"), ["01:00:00.000000", NULL]);
    });
}

#[test]
fn type_without_a_dtype_is_named() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("interval.parquet");
    let at = arrow_array::IntervalDayTimeArray::new_null(2);
    let numbers = arrow_array::Int64Array::from(vec![1, 2]);
    let batch = RecordBatch::try_from_iter([("at", Arc::new(at) as ArrayRef), ("n", Arc::new(numbers) as _)]);
    let batch = batch.expect("a batch");
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    fs::write(&path, writer.into_inner().expect("a file")).expect("written");
    let error = read_parquet(&path).read().expect_err("a calendar interval");
    assert_eq!(error.kind(), ErrorKind::NotImplemented);
    let Error::Parquet { source: ParquetError::UnsupportedType { column, data_type }, .. } = error else {
        panic!("{error}")
    };
    assert_eq!((column.as_str(), data_type.as_str()), ("at", "Interval(DayTime)"));
    assert_eq!(read_parquet(&path).columns(["n"]).read().expect("the other").len(), 2);
}

#[test]
fn repeated_column_name_is_named() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("twice.parquet");
    fs::write(&path, include_bytes!("../../../../tests/files/twice.parquet")).expect("written");
    let error = read_parquet(&path).read().expect_err("two columns of one name");
    assert!(error.to_string().contains("twice.parquet: duplicate column label \"n\""), "{error}");
    let error = read_parquet(&path).columns(["n"]).read().expect_err("which of them");
    assert!(error.to_string().contains("duplicate column label \"n\""), "{error}");
}

/// 20 rows, uncompressed, in the encodings that this crate does not write.
const ENCODINGS: &[u8] = include_bytes!("../../../../tests/files/encodings.parquet");

#[test]
fn columns_of_each_encoding_read_as_their_writer_wrote_them() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("encodings.parquet");
        fs::write(&path, ENCODINGS).expect("written");
        let read = read_parquet(&path).read().expect("read");
        let each = |text: &dyn Fn(usize) -> String| (0..20).map(text).collect::<Vec<_>>();
        assert_eq!(texts(&read, "m"), each(&|i| (i * i).to_string()));
        assert_eq!(texts(&read, "s"), each(&|i| format!("ab{i}")));
        assert_eq!(texts(&read, "l"), each(&|i| i.to_string().repeat(i % 3)));
        assert_eq!(texts(&read, "x"), each(&|i| list((0..i % 3).map(|_| i.to_string()))));
        assert_eq!(texts(&read, "b"), each(&|i| (i % 3 == 0).to_string()));
        let halves = read.column("f").and_then(|halves| halves.to_vec::<f64>()).expect("floats");
        assert!(halves.into_iter().eq((0..20_u8).map(|i| f64::from(i) / 2.0)));
    });
}
