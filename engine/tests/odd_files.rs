//! Files of other programs that are unusual, empty or damaged: what pandas 3.1 and Polars 2.1 both read of them, and typed
//! errors where one of them refuses.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops when what it needs is not there")]

use std::fs;
use std::io::Cursor;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, ListArray, RecordBatch, RecordBatchOptions, StringArray};
use arrow_buffer::OffsetBuffer;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::Field;
use columnade::files::FileError;
use columnade::parquet::ParquetError;
use columnade::{
    DType, DataFrame, Error, ErrorKind, Series, TimeUnit, TimeZone, read_csv, read_ipc, read_json,
    read_parquet,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;

/// Each column with its dtype and values, as `a int64: 1, 2`.
fn shown(frame: &DataFrame) -> Vec<String> {
    let of_column = |label| {
        let column = frame.column(label).expect("a column");
        let values: Vec<_> =
            (0..column.len()).map(|row| column.get(row).expect("a row").to_string()).collect();
        format!("{} {}: {}", column.name(), column.dtype(), values.join(", "))
    };
    frame.columns().iter().cloned().map(of_column).collect()
}

/// Reads the bytes as a file whose name ends with `ending`.
fn read(ending: &str, bytes: &[u8]) -> Result<DataFrame, Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("odd.{ending}"));
    fs::write(&path, bytes).expect("written");
    match ending {
        "csv" => read_csv(&path).read(),
        "json" | "jsonl" => read_json(&path).read(),
        "parquet" => read_parquet(&path).read(),
        _ => read_ipc(&path).read(),
    }
}

fn assert_reads(ending: &str, cases: &[(&[u8], &[&str])]) {
    for (bytes, expected) in cases {
        let what = String::from_utf8_lossy(bytes);
        let frame = read(ending, bytes).unwrap_or_else(|error| panic!("{what:?}: {error}"));
        assert_eq!(shown(&frame), *expected, "{what:?}");
    }
}

fn assert_refuses(ending: &str, kind: ErrorKind, cases: &[(&[u8], &str)]) {
    for (bytes, part) in cases {
        let what = String::from_utf8_lossy(bytes);
        let error = read(ending, bytes).err().unwrap_or_else(|| panic!("{what:?} is read"));
        assert_eq!(error.kind(), kind, "{what:?}: {error}");
        assert!(error.to_string().contains(part), "{what:?}: {error}");
    }
}

#[test]
fn unusual_csv_reads_as_pandas_and_polars_read_it() {
    assert_reads(
        "csv",
        &[
            (b"a,b\n", &["a utf8: ", "b utf8: "]),
            (b"a,b", &["a utf8: ", "b utf8: "]),
            (b"\xef\xbb\xbfa,b\n1,2\n", &["a int64: 1", "b int64: 2"]),
            (b"\xef\xbb\xbf\"a\",b\n1,2\n", &["a int64: 1", "b int64: 2"]),
            (b"a,b\r\n1,x\r\n2,y\r\n", &["a int64: 1, 2", "b utf8: x, y"]),
            (b"a,b\r\n1,x\n2,y\r\n", &["a int64: 1, 2", "b utf8: x, y"]),
            (b"a,b\r\n1,\"x\r\ny\"\r\n2,z\r\n", &["a int64: 1, 2", "b utf8: x\r\ny, z"]),
            (b"a,b\n1,x\0y\n2,z\n", &["a int64: 1, 2", "b utf8: x\0y, z"]),
            (b"a,b\n1\0,2\n3,4\n", &["a utf8: 1\0, 3", "b int64: 2, 4"]),
            (b"a,b\n1,x\"y\"z\n2,\"q\"\"r\"\n", &["a int64: 1, 2", "b utf8: x\"y\"z, q\"r"]),
            (b"a,b\n1,2\n3,4", &["a int64: 1, 3", "b int64: 2, 4"]),
            (b"a, b\n1, 2\n3, x\n", &["a int64: 1, 3", " b utf8:  2,  x"]),
            (b"a\n\"1\"\n\"2\"\n", &["a int64: 1, 2"]),
            (b"a\n007\n010\n", &["a int64: 7, 10"]),
            (b"a\ntrue\n0\n", &["a utf8: true, 0"]),
            (b"a\n1_000\n2\n", &["a utf8: 1_000, 2"]),
            (b"a\n2020-01-01\n2020-02-30\n", &["a utf8: 2020-01-01, 2020-02-30"]),
            // A leap second, which both leave as text without a format.
            (b"a\n2016-12-31 23:59:60\n", &["a utf8: 2016-12-31 23:59:60"]),
            (b"a\n2016-12-31T23:59:60Z\n", &["a utf8: 2016-12-31T23:59:60Z"]),
            (b"a\n1e3\n1E-400\n1e400\n", &["a float64: 1000.0, 0.0, inf"]),
            ("\u{e9},\u{65e5}\u{672c}\n1,2\n".as_bytes(), &["\u{e9} int64: 1", "\u{65e5}\u{672c} int64: 2"]),
        ],
    );
}

/// As pyarrow, DuckDB and pandas without a format refuse them; Polars makes times of the next day of them.
#[test]
fn leap_second_is_no_value_of_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let (csv, json) = (folder.path().join("odd.csv"), folder.path().join("odd.jsonl"));
    let cases = [
        (DType::Timestamp(TimeUnit::Second), "2016-12-31 23:59:59", "2016-12-31 23:59:60"),
        (DType::Timestamp(TimeUnit::Nano), "2016-12-31 23:59:59.5", "2016-12-31 23:59:60.5"),
        (
            DType::TimestampTz(TimeUnit::Micro, TimeZone::utc()),
            "2016-12-31T23:59:59Z",
            "2016-12-31T23:59:60Z",
        ),
        (DType::Time(TimeUnit::Micro), "23:59:59", "23:59:60"),
        (DType::Time(TimeUnit::Second), "12:00:59", "12:00:60"),
    ];
    for (dtype, good, bad) in cases {
        for (text, is_good) in [(good, true), (bad, false)] {
            fs::write(&csv, format!("id,at\n1,{good}\n2,{text}\n")).expect("written");
            fs::write(&json, format!("{{\"at\":\"{good}\"}}\n\n{{\"at\":\"{text}\"}}\n")).expect("written");
            let reads = [
                read_csv(&csv).dtype("at", dtype.clone()).read(),
                read_json(&json).dtype("at", dtype.clone()).read(),
            ];
            for read in reads {
                if is_good {
                    assert_eq!(read.expect("a frame").column("at").expect("a column").dtype(), dtype);
                    continue;
                }
                let error = read.expect_err("a leap second");
                let Error::File { source, .. } = &error else { panic!("{error}") };
                assert_eq!((source.line(), source.column()), (Some(3), Some("at")), "{error}");
                assert_eq!(error.kind(), ErrorKind::Value, "{error}");
                let FileError::InvalidValue { value, .. } = &**source else { panic!("{error}") };
                assert_eq!(value, bad);
            }
        }
        let texts = Series::new([bad]).expect("text");
        assert!(texts.cast(dtype).is_err(), "{bad}");
    }
}

#[test]
fn csv_that_is_no_table_is_refused_by_line() {
    let (no_columns, open) = ("the file is empty", "line 2: a quote is opened here and never closed");
    assert_refuses(
        "csv",
        ErrorKind::Value,
        &[
            (b"", no_columns),
            (b"\n\n", no_columns),
            (b"\xef\xbb\xbf", no_columns),
            (b"a,b\n1,\"x\n2,y\n3,z\n", open),
            (b"a,b\n1,\"", open),
            (b"\"\n", "line 1: a quote is opened here and never closed"),
            (b"a,b\n1,2\n3,4,5\n", "line 3: 3 fields where 2 are expected"),
            (b"a,b\n1,caf\xe9\n", "line 2: field 2 is not UTF-8"),
            (b"\xff\xfea\0\n", "no character of UTF-16LE"),
            (b"a,a,b\n1,2,3\n", "the header has the name \"a\" twice"),
            (b"a,,\n1,2,3\n", "the header has the name \"\" twice"),
        ],
    );
}

#[test]
fn csv_rows_of_megabytes_are_read_whole() {
    let lines = "x\n".repeat(3_000_000);
    let plain = "y".repeat(5_000_000);
    let text = format!("a,b\n1,\"{lines}\"\n2,{plain}\n3,z\n");
    let frame = read("csv", text.as_bytes()).expect("a frame");
    let found = frame.column("b").and_then(|column| column.to_vec::<String>()).expect("strings");
    assert!(found == [lines, plain, "z".to_owned()]);
    let names: Vec<String> = (0..5000).map(|at| format!("c{at}")).collect();
    let text = format!("{}\n{}\n", names.join(","), vec!["1"; names.len()].join(","));
    assert_eq!(read("csv", text.as_bytes()).expect("a frame").shape(), (1, 5000));
}

#[test]
fn unusual_json_lines_are_read() {
    assert_reads(
        "jsonl",
        &[
            (b"", &[]),
            (b"\n\n", &[]),
            (b"{\"a\":1}\r\n{\"a\":2}\r\n", &["a int64: 1, 2"]),
            (b"{\"a\":1}\n\n{\"a\":2}\n", &["a int64: 1, 2"]),
            (b"{\"a\":1}\n{\"a\":1.5}\n", &["a float64: 1.0, 1.5"]),
            (b"{\"a\":1}\n{\"a\":\"x\"}\n{\"a\":true}\n", &["a utf8: 1, x, true"]),
            (b"{\"a\":\"x\\u0000y\"}\n", &["a utf8: x\0y"]),
            (b"{\"a\":\"\\ud83d\\ude00\"}\n", &["a utf8: \u{1f600}"]),
            (b"{\"\":1}\n", &[" int64: 1"]),
            ("{\"\u{65e5}\u{672c}\":1}\n".as_bytes(), &["\u{65e5}\u{672c} int64: 1"]),
            (b"{\"a\":[]}\n{\"a\":[1]}\n", &["a list<int64>: [], [1]"]),
        ],
    );
    let deep = format!("{{\"a\":{}{}}}\n", "[".repeat(50), "]".repeat(50));
    assert_eq!(read("jsonl", deep.as_bytes()).expect("a frame").shape(), (1, 1));
}

#[test]
fn lines_that_are_no_objects_are_refused() {
    let (lists, objects) = ("{\"a\":".to_owned() + &"[".repeat(100_000), "{\"a\":".repeat(100_000));
    let truncated = b"{\"a\":1}\n{\"a\":";
    assert_refuses(
        "jsonl",
        ErrorKind::Value,
        &[
            (lists.as_bytes(), "line 1: not JSON: recursion limit exceeded"),
            (objects.as_bytes(), "line 1: not JSON: recursion limit exceeded"),
            (truncated, "line 2: not JSON"),
            (b"1\n2\n", "line 1: 1, where an object is expected"),
            (b"{\"a\":3}\n{\"a\":1,\"a\":2}\n", "line 2: an object has the name \"a\" twice"),
            (b"{\"s\":{\"a\":1,\"a\":2}}\n", "line 1: an object has the name \"a\" twice, in column \"s\""),
            (b"null\n{\"a\":1}\n", "line 1: null, where an object is expected"),
            (b"{\"a\":1}{\"a\":2}\n", "line 1: not JSON"),
            (b"{'a':1}\n", "line 1: not JSON"),
            (b"{\"a\":01}\n", "line 1: not JSON"),
            (b"{\"a\":\"\\ud800\"}\n", "line 1: not JSON"),
            (b"{\"a\":\"caf\xe9\"}\n", "line 1: not JSON"),
            (b"\xff\xfe{\0", "line 1: not JSON"),
        ],
    );
}

/// In UTF-32 with a byte order mark, which neither pandas nor Polars reads without being told.
#[test]
fn text_in_utf_32_is_named() {
    let text = "a,b\n1,2\n";
    let little: Vec<u8> =
        "\u{feff}".chars().chain(text.chars()).flat_map(|it| u32::from(it).to_le_bytes()).collect();
    let big: Vec<u8> =
        "\u{feff}".chars().chain(text.chars()).flat_map(|it| u32::from(it).to_be_bytes()).collect();
    for ending in ["csv", "json", "jsonl"] {
        assert_refuses(
            ending,
            ErrorKind::NotImplemented,
            &[
                (&little, "the file is in UTF-32LE"),
                (&big, "the file is in UTF-32BE"),
                (&little[..4], "UTF-32LE"),
            ],
        );
    }
    // UTF-16 is read, with and without a text after its mark.
    let text: Vec<u8> = "\u{feff}a,b\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_reads("csv", &[(&text, &["a int64: 1", "b int64: 2"])]);
    assert_refuses("csv", ErrorKind::Value, &[(&text[..2], "the file is empty")]);
}

/// The beginning and the end of what pandas wrote before Arrow had a format of files.
#[test]
fn feather_of_version_1_is_named() {
    let bytes = b"FEA1\0\0\0\0\x01\0\0\0\0\0\0\0\x10\0\0\0FEA1";
    assert_refuses(
        "feather",
        ErrorKind::NotImplemented,
        &[(bytes, "Feather version 1"), (b"FEA1", "Feather version 1")],
    );
}

/// Two columns whose names are unusual.
fn batch() -> RecordBatch {
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(-3)]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), Some(""), None]));
    RecordBatch::try_from_iter([("", numbers), ("\u{65e5}\u{672c}", texts)]).expect("a batch")
}

fn parquet_of(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a writer");
    writer.write(batch).expect("written");
    writer.into_inner().expect("a file")
}

fn file_of(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Cursor::new(Vec::new()), &batch.schema()).expect("a writer");
    writer.write(batch).expect("written");
    writer.into_inner().expect("a file").into_inner()
}

fn stream_of(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    writer.write(batch).expect("written");
    writer.into_inner().expect("a stream")
}

#[test]
fn files_without_rows_have_their_columns() {
    let (some, none) = (batch(), batch().slice(0, 0));
    for (ending, of) in
        [("parquet", parquet_of as fn(&RecordBatch) -> Vec<u8>), ("arrow", file_of), ("arrows", stream_of)]
    {
        let frame = read(ending, &of(&some)).expect("a frame");
        assert_eq!(shown(&frame), [" int64: 1, <NA>, -3", "\u{65e5}\u{672c} utf8: x, , <NA>"], "{ending}");
        let frame = read(ending, &of(&none)).expect("a frame");
        assert_eq!(shown(&frame), [" int64: ", "\u{65e5}\u{672c} utf8: "], "{ending}");
        let empty = RecordBatch::new_empty(Arc::new(arrow_schema::Schema::empty()));
        assert_eq!(read(ending, &of(&empty)).expect("a frame").shape(), (0, 0), "{ending}");
    }
}

/// A list of so many levels with a number in it, after another column.
fn nested(levels: usize) -> RecordBatch {
    let mut values: ArrayRef = Arc::new(Int64Array::from(vec![7]));
    for _ in 0..levels {
        let item = Arc::new(Field::new("item", values.data_type().clone(), true));
        values = Arc::new(ListArray::new(item, OffsetBuffer::from_lengths([1]), values, None));
    }
    let first: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    RecordBatch::try_from_iter([("id", first), ("deep", values)]).expect("a batch")
}

#[test]
fn columns_nested_too_deeply_name_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep");
    let deep = nested(61);
    for (ending, of) in
        [("parquet", parquet_of as fn(&RecordBatch) -> Vec<u8>), ("arrow", file_of), ("arrows", stream_of)]
    {
        assert_eq!(read(ending, &of(&nested(60))).expect("60 levels").shape(), (1, 2), "{ending}");
        let error = read(ending, &of(&deep)).expect_err("61 levels");
        assert_eq!(error.kind(), ErrorKind::NotImplemented, "{error}");
        assert!(error.to_string().contains("is nested deeper than 60 levels"), "{error}");
        if let Error::Parquet { source, .. } = &error {
            assert_eq!(source.column(), Some("deep"), "{error}");
            assert!(matches!(source, ParquetError::TooDeep { limit: 60, .. }), "{source:?}");
        }
    }
    // Without an Arrow schema, Parquet files have no limit, so that there are such columns.
    let options = ArrowWriterOptions::new().with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), deep.schema(), options).expect("a writer");
    writer.write(&deep).expect("written");
    let frame = read("parquet", &writer.into_inner().expect("a file")).expect("61 levels");
    assert_eq!(frame.shape(), (1, 2));
    for written in [frame.write_parquet(&path), frame.write_ipc(&path)] {
        let error = written.expect_err("61 levels");
        assert_eq!(error.kind(), ErrorKind::NotImplemented, "{error}");
        assert!(error.to_string().contains("column \"deep\" is nested deeper than 60 levels"), "{error}");
        assert!(!path.exists());
    }
    let frame = read("arrow", &file_of(&nested(60))).expect("60 levels");
    frame.write_parquet(&path).expect("written");
    assert_eq!(read_parquet(&path).read().expect("60 levels").shape(), (1, 2));
    frame.write_ipc(&path).expect("written");
    assert_eq!(read_ipc(&path).read().expect("60 levels").shape(), (1, 2));
}

/// As Polars writes and reads them; pyarrow writes their number in IPC alone.
#[test]
fn rows_without_columns_keep_their_number() {
    let options = RecordBatchOptions::new().with_row_count(Some(3));
    let schema = Arc::new(arrow_schema::Schema::empty());
    let rows = RecordBatch::try_new_with_options(schema, Vec::new(), &options).expect("rows");
    for (ending, bytes) in [("arrow", file_of(&rows)), ("arrows", stream_of(&rows))] {
        assert_eq!(read(ending, &bytes).expect("a frame").shape(), (3, 0), "{ending}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows");
    let frame = read("arrow", &file_of(&rows)).expect("a frame");
    frame.write_ipc(&path).expect("written");
    assert_eq!(read_ipc(&path).read().expect("a frame").shape(), (3, 0));
    assert_eq!(read_ipc(vec![&path, &path]).read().expect("a frame").shape(), (6, 0));
    frame.write_parquet(&path).expect("written");
    assert_eq!(read_parquet(&path).read().expect("a frame").shape(), (3, 0));
    for written in [frame.write_csv(&path), frame.write_json(&path)] {
        let error = written.expect_err("text has no rows without columns");
        assert_eq!(error.kind(), ErrorKind::NotImplemented, "{error}");
        assert!(error.to_string().contains("rows without columns"), "{error}");
    }
    // Of a file with columns, none of which is read.
    let none: [&str; 0] = [];
    fs::write(&path, parquet_of(&batch())).expect("written");
    assert_eq!(read_parquet(&path).columns(none).read().expect("a frame").shape(), (3, 0));
}

/// A file that ends anywhere, has only its footer, or another magic.
#[test]
fn damaged_binary_files_are_errors_of_the_file() {
    let (parquet, file, stream) = (parquet_of(&batch()), file_of(&batch()), stream_of(&batch()));
    for (ending, bytes) in [("parquet", &parquet), ("arrow", &file)] {
        for end in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            let error = read(ending, &bytes[..end]).expect_err("a part of a file");
            assert_eq!(error.kind(), ErrorKind::Io, "{ending} {end}: {error}");
        }
        for at in [0, bytes.len() - 1] {
            let mut other = bytes.clone();
            other[at] = b'X';
            let error = read(ending, &other).expect_err("another magic");
            assert_eq!(error.kind(), ErrorKind::Io, "{ending} {at}: {error}");
        }
    }
    // A stream may end after any of its messages.
    for end in (0..stream.len()).step_by(7) {
        match read("arrows", &stream[..end]) {
            Ok(frame) => assert!([0, 3].contains(&frame.len()), "{end}"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Io, "{end}: {error}"),
        }
    }
    let length = parquet.len() - 8;
    let footer = u32::from_le_bytes(parquet[length..length + 4].try_into().expect("four bytes")) as usize;
    let mut only_footer = b"PAR1".to_vec();
    only_footer.extend(&parquet[length - footer..]);
    for bytes in [&only_footer[..], &only_footer[4..], b"PAR1\0\0\0\0PAR1", b"PAR1PAR1", b"a,b\n1,2\n"] {
        let error = read("parquet", bytes).expect_err("no file");
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    }
    for bytes in [&b"ARROW1\0\0ARROW1"[..], &[0xFF; 64], &[0; 64], b"\xff\xff\xff\xff\0\0\0\0", b"a,b\n1,2\n"]
    {
        let error = read("arrow", bytes).expect_err("no file");
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    }
}
