//! CSV files in and out.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use columnade_columns::{DType, DecimalStorage, Scalar, TimeUnit, TimeZone};
use tempfile::{TempDir, tempdir};

use super::{CsvReader, CsvWriteOptions, read_csv};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::{Error, Result};
use crate::io::{BadRows, DuplicateNames, FileError, FrameScan, WriteProgress};
use crate::testing::{on_every_device, values};

/// A file with this text, in a folder that lives as long.
fn file(text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    std::fs::write(&path, text).expect("written");
    (folder, path)
}

fn read(
    text: impl AsRef<[u8]>,
    with: impl Fn(CsvReader<'static>) -> CsvReader<'static>,
) -> Result<DataFrame> {
    let (_folder, path) = file(text);
    with(read_csv(&path)).read()
}

/// The values of a column as they are printed.
fn shown(frame: &DataFrame, label: &str) -> Vec<String> {
    values(frame, label).iter().map(ToString::to_string).collect()
}

fn dtype(frame: &DataFrame, label: &str) -> DType {
    frame.column(label).expect("a column").dtype().clone()
}

fn fault(result: Result<DataFrame>) -> FileError {
    match result {
        Err(Error::File { operation: "read_csv", source, .. }) => *source,
        other => panic!("{other:?}"),
    }
}

const MIXED: &str = "\u{feff}flag,n,x,day,at,s\n\
    true,1,0.5,2026-01-31,2026-01-31 05:06:07,\"a,b\"\n\
    ,-2,1e3,,2026-01-31T05:06:07.123456,\"say \"\"hi\"\"\"\r\n\
    \n\
    FALSE,,NaN,1969-12-31,,\"two\nlines\"\n\
    false,9223372036854775807,,2026-02-01,2026-02-01 00:00:00,Größe";

#[test]
fn dtypes_are_inferred() {
    on_every_device(|_| {
        let frame = read(MIXED, |reader| reader).expect("a frame");
        assert_eq!(frame.shape(), (4, 6));
        let dtypes = ["flag", "n", "x", "day", "at", "s"].map(|label| dtype(&frame, label));
        let expected = [
            DType::Bool,
            DType::Int64,
            DType::Float64,
            DType::Date32,
            DType::Timestamp(TimeUnit::Micro),
            DType::Utf8,
        ];
        assert_eq!(dtypes, expected);
        assert_eq!(shown(&frame, "flag"), ["true", "<NA>", "false", "false"]);
        assert_eq!(shown(&frame, "n"), ["1", "-2", "<NA>", "9223372036854775807"]);
        assert_eq!(shown(&frame, "x"), ["0.5", "1000.0", "NaN", "<NA>"]);
        assert_eq!(shown(&frame, "day"), ["2026-01-31", "<NA>", "1969-12-31", "2026-02-01"]);
        assert_eq!(
            shown(&frame, "at"),
            [
                "2026-01-31 05:06:07.000000",
                "2026-01-31 05:06:07.123456",
                "<NA>",
                "2026-02-01 00:00:00.000000"
            ]
        );
        assert_eq!(shown(&frame, "s"), ["a,b", "say \"hi\"", "two\nlines", "Größe"]);
    });
}

#[test]
fn values_that_the_usual_patterns_do_not_have_are_inferred() {
    let micro = DType::Timestamp(TimeUnit::Micro);
    let cases: [(&[&str], DType, &[&str]); 10] = [
        (&[" 1", "2 ", "\"  -3\""], DType::Int64, &["1", "2", "-3"]),
        (&[" 1.5", "2"], DType::Float64, &["1.5", "2.0"]),
        (&["1", "-Infinity", "+inf", "NAN"], DType::Float64, &["1.0", "-inf", "inf", "NaN"]),
        (&[" 18446744073709551615", "1"], DType::UInt64, &["18446744073709551615", "1"]),
        (&["-1", "18446744073709551615"], DType::Utf8, &["-1", "18446744073709551615"]),
        (
            &["18446744073709551615", "0000000000000000001"],
            DType::Utf8,
            &["18446744073709551615", "0000000000000000001"],
        ),
        (&[" 2026-01-31"], DType::Date32, &["2026-01-31"]),
        (
            &["2026-01-31 05:06", "2026-01-31T05:06"],
            micro.clone(),
            &["2026-01-31 05:06:00.000000", "2026-01-31 05:06:00.000000"],
        ),
        (
            &["2026-01-31", "2026-02-01 23:59"],
            micro,
            &["2026-01-31 00:00:00.000000", "2026-02-01 23:59:00.000000"],
        ),
        (&["1", "+-2", " ", "infinite"], DType::Utf8, &["1", "+-2", " ", "infinite"]),
    ];
    for (fields, expected, shows) in cases {
        let text = fields.iter().fold("a,b\n".to_owned(), |text, field| text + field + ",x\n");
        for size in [1, 1 << 20] {
            let frame = read(&text, |reader| reader.chunk_size(size)).expect("a frame");
            assert_eq!((dtype(&frame, "a"), size), (expected.clone(), size), "{fields:?}");
            assert_eq!(shown(&frame, "a"), shows, "{fields:?}");
        }
    }
    // A time of day that is none.
    let frame = read("a\n2026-01-31 24:61\n", |reader| reader).expect("a frame");
    assert_eq!(dtype(&frame, "a"), DType::Utf8);
}

#[test]
fn chunks_of_any_size_give_the_same_rows() {
    let mut text = String::from("k,s,x\n");
    let mut expected = Vec::new();
    for k in 0..200 {
        // Ends of lines, separators and quotes within quotes, and a quote within a field that is not quoted.
        let s = ["plain", "a,b", "two\nlines", "\"\n\",", "5\" pipe", "ÄÖ\r\n", ""][k % 7];
        let quoted = if k % 7 == 4 { s.to_owned() } else { format!("\"{}\"", s.replace('"', "\"\"")) };
        let end = if k % 3 == 0 { "\r" } else { "" };
        writeln!(text, "{k},{quoted},{}.25{end}", k * 3).expect("text");
        expected.push(s.to_owned());
    }
    for size in [1, 7, 31, 32, 33, 64, 100, 1000, 1 << 20] {
        let frame = read(&text, |reader| reader.chunk_size(size)).expect("a frame");
        assert_eq!(frame.len(), 200, "{size}");
        assert_eq!(shown(&frame, "s"), expected, "{size}");
        let x: Vec<f64> = frame.column("x").and_then(|x| x.to_vec()).expect("floats");
        assert!(x.iter().zip(0..).all(|(x, k)| x.to_bits() == (f64::from(k * 3) + 0.25).to_bits()), "{size}");
    }
}

#[test]
fn later_rows_widen_the_dtype() {
    // A column each, and in which row it changes.
    let cases = [
        ("1", "2.5", DType::Float64, "1.0", "2.5"),
        ("1", "x", DType::Utf8, "1", "x"),
        ("true", "1", DType::Utf8, "true", "1"),
        ("", "7", DType::Int64, "<NA>", "7"),
        ("", "x", DType::Utf8, "<NA>", "x"),
        ("", "", DType::Utf8, "<NA>", "<NA>"),
        (
            "2026-01-31",
            "2026-01-31T01:02:03",
            DType::Timestamp(TimeUnit::Micro),
            "2026-01-31 00:00:00.000000",
            "2026-01-31 01:02:03.000000",
        ),
        ("2026-01-31", "2026-02-30", DType::Utf8, "2026-01-31", "2026-02-30"),
        (
            "2026-01-31 00:00:00",
            "2026-01-31 00:00:00.123456789",
            DType::Timestamp(TimeUnit::Nano),
            "2026-01-31 00:00:00.000000000",
            "2026-01-31 00:00:00.123456789",
        ),
        ("1", "99999999999999999999", DType::Utf8, "1", "99999999999999999999"),
    ];
    for (early, late, expected, first, last) in cases {
        let text = format!("i,v\n{}0,{late}\n", format!("0,{early}\n").repeat(50));
        for size in [64, 1 << 20] {
            let frame = read(&text, |reader| reader.infer_rows(10).chunk_size(size)).expect("a frame");
            assert_eq!(dtype(&frame, "v"), expected, "{early:?} {late:?}");
            let shown = shown(&frame, "v");
            assert_eq!((shown[0].as_str(), shown[50].as_str()), (first, last), "{early:?} {late:?}");
        }
    }
}

#[test]
fn given_dtypes_are_exact() {
    let text = "id,price,at,word,small\n007,1.50,2026-01-31T01:00:00+02:00,a,1\n8,-0.25,2026-01-31T00:00:00,b,2\n9,,,a,3\n";
    let price = DType::Decimal { precision: 10, scale: 2, storage: DecimalStorage::Bits64 };
    let word = df! { "w" => columnade_columns::categories(["a"]) }.expect("a frame");
    let frame = read(text, |reader| {
        reader
            .dtype("id", DType::Utf8)
            .dtype("price", price.clone())
            .dtype("at", DType::TimestampTz(TimeUnit::Micro, TimeZone::utc()))
            .dtype("word", dtype(&word, "w"))
            .dtype("small", DType::Int8)
    });
    let frame = frame.expect("a frame");
    assert_eq!(shown(&frame, "id"), ["007", "8", "9"]);
    assert_eq!(
        (dtype(&frame, "price"), shown(&frame, "price")),
        (price.clone(), vec!["1.50".into(), "-0.25".into(), "<NA>".into()])
    );
    assert_eq!(shown(&frame, "at")[0], "2026-01-30 23:00:00.000000Z");
    assert!(matches!(dtype(&frame, "word"), DType::Dictionary(_)));
    assert_eq!(shown(&frame, "word"), ["a", "b", "a"]);
    assert_eq!(dtype(&frame, "small"), DType::Int8);

    let refused = [
        ("v\n1\n300\n", DType::Int8, 3, "300", "int8"),
        ("v\n1.005\n", price, 2, "1.005", "decimal(10,2)"),
        ("v\n2026-01-31T05:00:00\n", DType::Date32, 2, "2026-01-31T05:00:00", "date32"),
        (
            "v\n\"1\n\"\n\n2026-01-31 05:00:00.5\n",
            DType::Timestamp(TimeUnit::Second),
            2,
            "1\n",
            "timestamp[s]",
        ),
        ("v\nyes\n", DType::Bool, 2, "yes", "bool"),
    ];
    for (text, dtype, at, field, expected) in refused {
        let error = fault(read(text, |reader| reader.dtype("v", dtype.clone())));
        let FileError::InvalidValue { line, column, value, dtype, inferred } = error else {
            panic!("{error:?}");
        };
        assert_eq!((line, column.as_str(), value.as_str(), inferred), (at, "v", field, false));
        assert_eq!(dtype, expected);
    }
    let error = fault(read("v\n1\n", |reader| reader.dtype("v", DType::Binary)));
    assert!(matches!(error, FileError::UnsupportedType { ref column, .. } if column == "v"), "{error:?}");
}

/// As pandas 3.1.1 and Polars name them; a number that makes a name of the header is left out, as in pandas.
#[test]
fn names_that_a_header_has_twice_get_numbers() {
    let names = |header: &str, duplicate_names: DuplicateNames| -> Vec<String> {
        let text = format!("{header}\n{}\n", header.replace(|letter: char| letter != ',', ""));
        let frame = read(text, |reader| reader.duplicate_names(duplicate_names)).expect("a frame");
        frame.columns().iter().map(ToString::to_string).collect()
    };
    assert_eq!(names("a,b,a,a", DuplicateNames::Point), ["a", "b", "a.1", "a.2"]);
    assert_eq!(names("a,b,a,a", DuplicateNames::Duplicated), ["a", "b", "a_duplicated_0", "a_duplicated_1"]);
    assert_eq!(names("a,a,a.1,b,b", DuplicateNames::Point), ["a", "a.2", "a.1", "b", "b.1"]);
    assert_eq!(names("a.1,a,a", DuplicateNames::Point), ["a.1", "a", "a.2"]);
    assert_eq!(names("a,é", DuplicateNames::Point), ["a", "é"]);
    let text = "a,a\n1,2\n3,4\n";
    let frame = read(text, |reader| reader.duplicate_names(DuplicateNames::Point).columns(["a.1"]));
    assert_eq!(shown(&frame.expect("a frame"), "a.1"), ["2", "4"]);
    let folder = tempdir().expect("a folder");
    for name in ["x.csv", "y.csv"] {
        fs::write(folder.path().join(name), text).expect("written");
    }
    let reader = || read_csv(folder.path()).duplicate_names(DuplicateNames::Duplicated).chunk_size(3);
    let frame = reader().read().expect("a frame");
    assert_eq!(shown(&frame, "a_duplicated_0"), ["2", "4", "2", "4"]);
    assert!(matches!(fault(read_csv(folder.path()).read()), FileError::DuplicateName { .. }));
}

#[test]
fn integers_from_two_to_the_63_are_unsigned() {
    let (most, above) = (u64::MAX.to_string(), (1_u64 << 63).to_string());
    // The rows of a column, its dtype, and whether the values are shown as they are written.
    let cases: [(&[&str], DType); 9] = [
        (&[&most], DType::UInt64),
        (&["1", &above, "", "0"], DType::UInt64),
        (&["1", "2", "3", "4", "5", &most], DType::UInt64),
        (&[&above, "-1"], DType::Utf8),
        (&["-1", "2", "3", "4", "5", &above], DType::Utf8),
        (&["18446744073709551616"], DType::Utf8),
        (&[&above, "1.5"], DType::Utf8),
        (&[&above, "x"], DType::Utf8),
        (&["9223372036854775807", "-9223372036854775808"], DType::Int64),
    ];
    for size in [1, 20, 1 << 20] {
        for infer in [1, 2, 10_000] {
            for (rows, expected) in &cases {
                let text = format!(
                    "a,b\n{}\n",
                    rows.iter().map(|row| format!("{row},s")).collect::<Vec<_>>().join("\n")
                );
                let frame = read(&text, |reader| reader.chunk_size(size).infer_rows(infer)).expect("a frame");
                let context = format!("{rows:?} in chunks of {size}, {infer} rows");
                assert_eq!(dtype(&frame, "a"), *expected, "{context}");
                let written: Vec<&str> =
                    rows.iter().map(|row| if row.is_empty() { "<NA>" } else { row }).collect();
                assert_eq!(shown(&frame, "a"), written, "{context}");
            }
        }
    }
    let nulls = read("a\nNA\n18446744073709551615\n", |reader| reader.null_values(["NA"]));
    assert_eq!(dtype(&nulls.expect("a frame"), "a"), DType::UInt64);
}

/// Times with and without an offset, of a zone; pandas 3.1.1 `to_datetime(…).tz_localize("Europe/Berlin")`.
#[test]
fn times_of_zones_are_read_by_dtype() {
    let berlin = DType::TimestampTz(TimeUnit::Milli, TimeZone::new("Europe/Berlin").expect("a zone"));
    let text = "t\n2024-01-31 12:00:00.5\n2024-07-01T12:00:00Z\n2024-07-01 12:00:00\n2024-07-01 12:00:00-05:00\n\
        2024-10-27 01:59:59\n2024-10-27 03:00:00\n2024-03-31 01:59:59.999\n2024-03-31\n1890-01-01 00:00:00\n";
    let frame = read(text, |reader| reader.dtype("t", berlin.clone())).expect("a frame");
    assert_eq!(dtype(&frame, "t"), berlin);
    let expected = [
        "2024-01-31 12:00:00.500+01:00",
        "2024-07-01 14:00:00.000+02:00",
        "2024-07-01 12:00:00.000+02:00",
        "2024-07-01 19:00:00.000+02:00",
        "2024-10-27 01:59:59.000+02:00",
        "2024-10-27 03:00:00.000+01:00",
        "2024-03-31 01:59:59.999+01:00",
        "2024-03-31 00:00:00.000+01:00",
        "1890-01-01 00:00:00.000+00:53:28",
    ];
    assert_eq!(shown(&frame, "t"), expected);
    // Shown twice and skipped.
    for wrong in ["2024-10-27 02:30:00", "2024-03-31 02:30:00"] {
        let text = format!("a,t\n1,2024-10-27 02:30:00+01:00\n2,{wrong}\n");
        let error = fault(read(text, |reader| reader.dtype("t", berlin.clone())));
        let FileError::InvalidValue { line: 3, column, value, dtype, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(
            (column.as_str(), value.as_str(), dtype.as_str()),
            ("t", wrong, "timestamp[ms, Europe/Berlin]")
        );
    }
    let fixed = DType::TimestampTz(TimeUnit::Second, TimeZone::new("+02:00").expect("an offset"));
    let frame = read("t\n2024-10-27 02:30:00\n", |reader| reader.dtype("t", fixed.clone())).expect("a frame");
    assert_eq!(shown(&frame, "t"), ["2024-10-27 02:30:00+02:00"]);
}

#[test]
fn bad_rows_are_errors_or_skipped() {
    let text = "a,b\n1,x\n2\n3,y\n4,z,w\n\n\"5\n\",v\nsix,u\n7,t\n";
    let (_folder, path) = file(text);
    for size in [1, 10, 1 << 20] {
        let error = fault(read_csv(&path).chunk_size(size).read());
        let FileError::Malformed { line, reason } = error else { panic!("{error:?}") };
        assert_eq!((line, reason.as_str()), (3, "1 fields where 2 are expected"), "{size}");
        let reader = read_csv(&path).chunk_size(size).dtype("a", DType::Int64).bad_rows(BadRows::Skip);
        let (frame, statistics) = reader.read_with_statistics().expect("a frame");
        assert_eq!(shown(&frame, "a"), ["1", "3", "5", "7"], "{size}");
        assert_eq!(shown(&frame, "b"), ["x", "y", "v", "t"], "{size}");
        assert_eq!((statistics.rows, statistics.rows_skipped), (4, 3), "{size}");
    }
    // Columns that are not read do not matter, but the number of fields does.
    let frame = read("a,b\n1,x\n2,\u{1F980}\n", |reader| reader.columns(["b"]).dtype("a", DType::Bool));
    assert_eq!(shown(&frame.expect("a frame"), "b"), ["x", "\u{1F980}"]);

    let mut text = b"a,b\n1,x\n2,".to_vec();
    text.extend([0xFF, b'\n']);
    let error = fault(read(&text, |reader| reader));
    assert!(
        matches!(error, FileError::Malformed { line: 3, ref reason } if reason.starts_with("field 2 is not UTF-8")),
        "{error:?}"
    );
    let error = fault(read("a,b\n1,x\n2,\"y\n3,z\n", |reader| reader));
    assert!(matches!(error, FileError::Malformed { line: 3, .. }), "{error:?}");
}

#[test]
fn short_rows_are_padded_with_nulls() {
    let text = "a,b,c\n1,x,1.5\n2\n3,y\r\n\n4,\"z\nz\"\n5,w,2.5\n\"6\"";
    let (_folder, path) = file(text);
    for size in [1, 10, 1 << 20] {
        let reader = || read_csv(&path).chunk_size(size).pad_short_rows(true);
        let (frame, statistics) = reader().read_with_statistics().expect("a frame");
        assert_eq!(frame.dtypes(), [DType::Int64, DType::Utf8, DType::Float64], "{size}");
        assert_eq!(shown(&frame, "a"), ["1", "2", "3", "4", "5", "6"], "{size}");
        assert_eq!(shown(&frame, "b"), ["x", "<NA>", "y", "z\nz", "w", "<NA>"], "{size}");
        assert_eq!(shown(&frame, "c"), ["1.5", "<NA>", "<NA>", "<NA>", "2.5", "<NA>"], "{size}");
        assert_eq!((statistics.rows, statistics.rows_skipped), (6, 0), "{size}");
        let last = reader().columns(["c"]).read().expect("a column");
        assert_eq!(shown(&last, "c"), ["1.5", "<NA>", "<NA>", "<NA>", "2.5", "<NA>"], "{size}");
    }
    // Rows of more fields are malformed still.
    let (_folder, path) = file("a;b\n1\n2;x;y\n3;z\n");
    let reader = || read_csv(&path).delimiter(b';').pad_short_rows(true);
    let error = fault(reader().read());
    assert!(matches!(error, FileError::Malformed { line: 3, .. }), "{error:?}");
    let frame = reader().bad_rows(BadRows::Skip).read().expect("the others");
    assert_eq!(shown(&frame, "b"), ["<NA>", "z"]);
}

#[test]
fn header_that_is_not_utf8_is_an_error() {
    let text = [b"# a\nn,caf\xE9\n".as_slice(), b"1,x\n"].concat();
    let error = fault(read(&text, |reader| reader.skip_rows(1)));
    assert_eq!(error.line(), Some(2));
    assert!(error.to_string().contains("field 2 is not UTF-8"), "{error}");
    let frame = read(&text, |reader| reader.skip_rows(2).has_header(false)).expect("rows without a header");
    assert_eq!(frame.shape(), (1, 2));
}

#[test]
#[cfg(all(feature = "gzip", feature = "zstd"))]
fn compressed_text_is_told_by_its_first_bytes() {
    let folder = tempdir().expect("a folder");
    let frame = df! { "n" => [1_i64, 2], "s" => ["x", "y"] }.expect("a frame");
    for ending in ["gz", "zst"] {
        let (named, plain) = (folder.path().join(format!("f.csv.{ending}")), folder.path().join("f.csv"));
        frame.write_csv(&named).expect("written");
        fs::rename(&named, &plain).expect("renamed");
        let read = read_csv(&plain).read().expect("a frame");
        assert!(read.equals(&frame).expect("compared"), "{ending}: {read}");
    }
    // Less than a mark, and a mark that is not whole.
    for text in ["a", "(\u{B5}/\n1\n"] {
        assert_eq!(read(text, |reader| reader).expect("a frame").shape().1, 1, "{text:?}");
    }
}

#[test]
fn scan_counts_rows_that_it_skips() {
    let rows: String =
        (0..1000).map(|n| if n % 100 == 7 { "1,2,3\n".to_owned() } else { format!("{n}\n") }).collect();
    let (_folder, path) = file(format!("n\n{rows}"));
    let reader = || read_csv(&path).bad_rows(BadRows::Skip).chunk_size(64);
    assert_eq!(reader().scan().expect("a scan").text_statistics().map(|now| now.rows_skipped), Some(0));
    let reports = Mutex::new(Vec::new());
    let mut scan = reader()
        .progress(|now| reports.lock().expect("no panic").push((now.bytes_done, now.bytes)))
        .scan()
        .expect("a scan");
    let read: usize = scan.by_ref().map(|frame| frame.expect("rows").len()).sum();
    let statistics = scan.text_statistics().expect("of text");
    drop(scan);
    assert_eq!((read, statistics.rows, statistics.rows_skipped, statistics.files), (990, 990, 10, 1));
    let reports = reports.into_inner().expect("no panic");
    let bytes = fs::metadata(&path).expect("a file").len();
    assert!(
        reports.len() > 1 && reports.is_sorted() && reports.last() == Some(&(bytes, bytes)),
        "{reports:?}"
    );
}

#[test]
fn options_change_what_is_read() {
    let frame = read("# made today\n#\nx;y\n1;'a;b'\n2;NA\n", |reader| {
        reader.skip_rows(2).delimiter(b';').quote(b'\'').null_values(["NA", "-"])
    });
    let frame = frame.expect("a frame");
    assert_eq!(shown(&frame, "y"), ["a;b", "<NA>"]);
    let frame = read("1,2\n3,4\n", |reader| reader.has_header(false).columns(["column_2", "column_1"]))
        .expect("a frame");
    assert_eq!(shown(&frame, "column_2"), ["2", "4"]);
    assert_eq!(frame.columns()[0].as_text(), Some("column_2"));
    let frame =
        read("1,2\n3,4\n", |reader| reader.has_header(false).names(["a", "b"]).limit(1)).expect("a frame");
    assert_eq!((shown(&frame, "a"), shown(&frame, "b")), (vec!["1".to_owned()], vec!["2".to_owned()]));
    let frame = read("a\n\"x\n\"y\n", |reader| reader.quote(None)).expect("a frame");
    assert_eq!(shown(&frame, "a"), ["\"x", "\"y"]);
    let frame = read("a,b\n\"x\\\"y\",1\n", |reader| reader.escape(b'\\')).expect("a frame");
    assert_eq!(shown(&frame, "a"), ["x\"y"]);
    for text in ["a,b\n", "a,b"] {
        let frame = read(text, |reader| reader).expect("a frame");
        assert_eq!((frame.shape(), dtype(&frame, "b")), ((0, 2), DType::Utf8));
    }
    assert_eq!(read("", |reader| reader.names(["a"])).expect("a frame").shape(), (0, 1));
    assert!(matches!(fault(read("", |reader| reader)), FileError::NoColumns));
    let error = fault(read("a,b,a\n", |reader| reader));
    assert!(matches!(error, FileError::DuplicateName { ref name } if name == "a"), "{error:?}");
    assert!(error.to_string().contains("duplicate_names"), "{error}");
    assert!(matches!(fault(read("a,b\n", |reader| reader.names(["x", "x"]))), FileError::Column(_)));
    let error = fault(read("a,b\n", |reader| reader.columns(["c"]).dtype("d", DType::Int8)));
    assert!(
        matches!(error, FileError::MissingColumns { ref missing, .. } if missing.len() == 2),
        "{error:?}"
    );
    let error = read("a,b\n", |reader| reader.delimiter(b'"')).expect_err("a quote that separates");
    assert!(matches!(error, Error::Operation { operation: "read_csv", .. }), "{error:?}");
}

#[test]
#[cfg(all(feature = "gzip", feature = "zstd"))]
fn files_of_a_folder_are_one_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let frame = df! { "n" => [1_i64, 2, 3], "s" => [Some("a"), None, Some("c")] }.expect("a frame");
    let at = |name: &str| folder.path().join(name);
    frame.write_csv(at("a.csv")).expect("written");
    frame.write_csv(at("b.csv.gz")).expect("written");
    frame.write_csv(at("c.csv.zst")).expect("written");
    std::fs::write(at("d.txt"), "other").expect("written");
    assert_eq!(std::fs::read(at("b.csv.gz")).expect("bytes")[..2], [0x1F, 0x8B]);
    assert_eq!(std::fs::read(at("c.csv.zst")).expect("bytes")[..4], [0x28, 0xB5, 0x2F, 0xFD]);
    let (read, statistics) = read_csv(folder.path()).read_with_statistics().expect("a frame");
    assert_eq!((read.len(), statistics.files), (9, 3));
    assert_eq!(shown(&read, "n"), ["1", "2", "3", "1", "2", "3", "1", "2", "3"]);

    std::fs::write(at("e.csv"), "1,2,3\n").expect("written");
    let read = read_csv(folder.path()).has_header(false);
    let error = read.read().expect_err("other columns");
    let Error::File { path, source, .. } = &error else { panic!("{error:?}") };
    let FileError::SchemaDiffers { expected, found } = &**source else { panic!("{error:?}") };
    let (two, three) = ("column_1, column_2", "column_1, column_2, column_3");
    assert_eq!((path, expected.as_str(), found.as_str()), (&at("e.csv"), two, three));

    let whole = std::fs::read(at("b.csv.gz")).expect("bytes");
    std::fs::write(at("cut.csv.gz"), &whole[..whole.len() - 9]).expect("written");
    assert!(matches!(fault(read_csv(at("cut.csv.gz")).read()), FileError::Damaged { .. }));
    std::fs::write(at("plain.csv.gz"), "a\n1\n").expect("written");
    let text = fault(read_csv(at("plain.csv.gz")).read()).to_string();
    assert!(text.contains("not compressed by gzip"), "{text}");
    let plain = read_csv(at("plain.csv.gz")).compression(crate::io::TextCompression::None);
    assert_eq!(plain.read().expect("a frame").len(), 1);
    std::fs::write(at("x.csv.bz2"), "").expect("written");
    assert!(matches!(fault(read_csv(at("x.csv.bz2")).read()), FileError::UnsupportedCompression { .. }));
    assert!(matches!(fault(read_csv(at("none.csv")).read()), FileError::NotFound));
    assert!(matches!(fault(read_csv(Vec::<&Path>::new()).read()), FileError::NoPath));
}

#[test]
fn written_frames_are_read_back() {
    on_every_device(|_| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f.csv");
        let many = 70_000_i64;
        let frame = df! {
            "n" => (0..many).map(|k| (k % 7 != 0).then_some(k * 1_000_003)).collect::<Vec<_>>(),
            "x" => (0..70_000).map(|k| 1.0 / (f64::from(k) + 0.1)).collect::<Vec<_>>(),
            "s" => (0..many).map(|k| format!("w{},\"{}\n", k % 13, k)).collect::<Vec<_>>(),
            "b" => (0..many).map(|k| k % 3 == 0).collect::<Vec<_>>(),
        }
        .expect("a frame");
        frame.write_csv(&path).expect("written");
        let read = read_csv(&path).read().expect("a frame");
        for label in ["n", "x", "s", "b"] {
            assert_eq!(values(&read, label), values(&frame, label), "{label}");
        }
        let seen = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&seen);
        let report = move |now: WriteProgress| list.lock().expect("no panic").push((now.rows_done, now.rows));
        frame.write_csv_with(&path, &CsvWriteOptions::new().progress(report)).expect("written");
        assert_eq!(*seen.lock().expect("no panic"), [(65_536, 70_000), (70_000, 70_000)]);
        let slice = frame.slice(33, 65).expect("rows");
        slice
            .write_csv_with(&path, &CsvWriteOptions::new().delimiter(b'\t').null("NULL").has_header(false))
            .expect("written");
        let read = read_csv(&path)
            .delimiter(b'\t')
            .null_values(["NULL"])
            .has_header(false)
            .names(["n", "x", "s", "b"]);
        assert_eq!(values(&read.read().expect("a frame"), "n"), values(&slice, "n"));
    });
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    let lists = df! { "n" => [vec![1_i64], vec![]] }.expect("a frame");
    let Err(Error::File { operation, source, .. }) = lists.write_csv(&path) else {
        panic!("lists have no form")
    };
    assert!(matches!(*source, FileError::UnsupportedType { .. }) && operation == "write_csv", "{source:?}");
    assert!(!path.exists());
}

fn rows_of(scan: FrameScan<'_>, label: &str, most: usize) -> Vec<Scalar> {
    let mut rows = Vec::new();
    for frame in scan {
        let frame = frame.expect("rows");
        assert!(!frame.is_empty() && frame.len() <= most, "{} rows", frame.len());
        rows.extend(values(&frame, label));
    }
    rows
}

#[test]
fn scanned_frames_are_the_rows_that_read_gives() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        for (file, first) in [("a.csv", 0), ("b.csv", 1000)] {
            let lines = (first..first + 1000).map(|n| format!("{n},\"ü {}\"\n", n % 7)).collect::<Vec<_>>();
            fs::write(folder.path().join(file), format!("n,s\n{}", lines.concat())).expect("written");
        }
        let reader = || read_csv(folder.path()).chunk_size(500);
        let whole = reader().read().expect("read");
        for label in ["n", "s"] {
            let frames = reader().scan().expect("the first rows");
            assert_eq!(rows_of(frames, label, 1000), values(&whole, label));
            let frames = reader().scan().expect("the first rows").batch_rows(33);
            assert_eq!(rows_of(frames, label, 33), values(&whole, label));
        }
        let some = rows_of(reader().limit(1033).columns(["n"]).scan().expect("rows"), "n", 1000);
        assert_eq!(some, values(&whole, "n")[..1033]);
        let none: Vec<_> =
            reader().limit(0).scan().expect("none").map(|frame| frame.expect("none")).collect();
        assert_eq!(none.iter().map(DataFrame::shape).collect::<Vec<_>>(), [(0, 2)]);
    });
}

#[test]
fn scan_widens_dtypes_before_first_frame_only() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    let line = |n: usize| match n {
        20 => "20,0.5\n".to_owned(),
        4000 => "4000,text\n".to_owned(),
        n => format!("{n},{n}\n"),
    };
    fs::write(&path, format!("n,v\n{}", (0..5000).map(line).collect::<String>())).expect("written");
    let reader = || read_csv(&path).infer_rows(5).chunk_size(100);
    let frames: Vec<_> = reader().scan().expect("the first rows").collect();
    let (last, whole) = frames.split_last().expect("frames");
    let is_float = |frame: &Result<DataFrame>| {
        frame.as_ref().is_ok_and(|frame| frame.dtypes() == [DType::Int64, DType::Float64])
    };
    assert!(whole.len() > 10 && whole.iter().all(is_float));
    let Err(Error::File { source, path: named, .. }) = last else { panic!("a text") };
    assert_eq!(named, &path);
    let expected = "column \"v\" is utf8, and float64 in the rows before it; give its dtype";
    assert_eq!((source.to_string().as_str(), source.kind()), (expected, columnade_columns::ErrorKind::Type));
    let given = reader().dtype("v", DType::Utf8).scan().expect("the first rows");
    assert_eq!(rows_of(given, "v", 1000).len(), 5000);
    // A row that is malformed ends the frames too.
    fs::write(&path, "n,v\n1,2\n1\n").expect("written");
    let frames: Vec<_> = read_csv(&path).scan().expect("the first rows").collect();
    assert!(frames[frames.len() - 1].as_ref().is_err_and(|error| error.to_string().contains("line 3")));
}

#[test]
fn lines_that_end_in_carriage_returns_are_counted() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    let fault = |text: &str, skipped: usize| {
        std::fs::write(&path, text).expect("written");
        read_csv(&path).skip_rows(skipped).read().expect_err("a bad row").to_string()
    };
    for end in ["\r", "\n", "\r\n"] {
        let blank = end.repeat(2);
        let text =
            format!("a,b{end}{}{blank}1,\"x{end}y\"{end}3{end}4,5{end}", format!("1,2{end}").repeat(9));
        // The header, 9 rows, 2 blank lines and a row of two.
        let error = fault(&text, 0);
        assert!(error.contains("line 15: 1 fields"), "{end:?}: {error}");
        let error = fault(&format!("no{end}no{end}{text}"), 2);
        assert!(error.contains("line 17: 1 fields"), "{end:?}: {error}");
        std::fs::write(&path, text.replace('3', "3,3").replace("4,5", "4,x")).expect("written");
        let error = read_csv(&path).dtype("b", DType::Int64).read().expect_err("text").to_string();
        assert!(error.contains("line 13: \"x") && error.contains("column \"b\""), "{end:?}: {error}");
        std::fs::write(&path, text.replace('3', "3,3").replace("4,5", "x,5")).expect("written");
        let error = read_csv(&path).dtype("a", DType::Int64).read().expect_err("text").to_string();
        assert!(error.contains("line 16: \"x\" in column \"a\""), "{end:?}: {error}");
        let error = fault(&format!("a,b{end}1,2{end}3,\"4{end}"), 0);
        assert!(error.contains("line 3: a quote is opened"), "{end:?}: {error}");
    }
}

#[test]
fn scans_report_the_bytes_of_the_rows_that_they_gave() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    let rows: Vec<i64> = (0..5000).collect();
    df! { "n" => rows }.and_then(|frame| frame.write_csv(&path)).expect("written");
    let size = fs::metadata(&path).expect("a file").len();
    let reports = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&reports);
    let report = move |now: crate::io::TextProgress| {
        told.lock().expect("no panic").push((now.bytes_done, now.bytes, now.rows));
    };
    let scan = read_csv(&path).chunk_size(500).progress(report).scan().expect("a scan");
    let mut given = 0;
    for (at, frame) in scan.enumerate() {
        given += frame.expect("rows").len();
        let now = reports.lock().expect("no panic");
        let (done, all, rows) = now[at];
        assert_eq!((now.len(), all, rows), (at + 1, size, given));
        // Rows of this file have five bytes, or fewer.
        assert!(done >= given as u64 * 3 && done <= given as u64 * 5 + 1000, "{done} of {given} rows");
    }
    assert_eq!(reports.lock().expect("no panic").last().expect("a report").0, size);
}

#[test]
fn marks_of_utf_8_that_begin_a_file_are_text_of_their_field() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    let frame = df! { "\u{feff}s" => ["\u{feff}a", "\u{feff}"] }.expect("a frame");
    for has_header in [true, false] {
        frame.write_csv_with(&path, &CsvWriteOptions::new().has_header(has_header)).expect("written");
        let read = read_csv(&path).has_header(has_header).names(["\u{feff}s"]).read().expect("read");
        assert_eq!(values(&read, "\u{feff}s"), values(&frame, "\u{feff}s"), "{has_header}");
    }
    frame.write_csv(&path).expect("written");
    assert_eq!(read_csv(&path).read().expect("read").columns(), ["\u{feff}s"]);
    let options = CsvWriteOptions::new().delimiter(b'\n');
    let error = frame.write_csv_with(&path, &options).expect_err("no delimiter");
    assert_eq!(error.kind(), columnade_columns::ErrorKind::Value, "{error}");
}
