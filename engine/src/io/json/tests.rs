//! Files of JSON lines in and out.

use std::fs;
use std::path::PathBuf;

use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Scalar, TimeUnit, categories, timestamps};
use tempfile::{TempDir, tempdir};

use super::{JsonLayout, JsonReader, JsonWriteOptions, read_json};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::{Error, Result};
use crate::io::csv::read_csv;
use crate::io::{BadRows, FileError};
use crate::testing::{has_codec, on_every_device, values};

fn file(text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("f.jsonl");
    std::fs::write(&path, text).expect("written");
    (folder, path)
}

fn read(
    text: impl AsRef<[u8]>,
    with: impl Fn(JsonReader<'static>) -> JsonReader<'static>,
) -> Result<DataFrame> {
    let (_folder, path) = file(text);
    with(read_json(&path)).read()
}

fn shown(frame: &DataFrame, label: &str) -> Vec<String> {
    values(frame, label).iter().map(ToString::to_string).collect()
}

fn dtypes(frame: &DataFrame) -> Vec<String> {
    let columns = frame.columns().iter().zip(frame.dtypes());
    columns.map(|(label, dtype)| format!("{label} {dtype}")).collect()
}

fn fault(result: Result<DataFrame>) -> String {
    match result {
        Err(Error::File { operation: "read_json", source, .. }) => source.to_string(),
        other => panic!("{other:?}"),
    }
}

const NESTED: &str = "\u{feff}{\"n\": 1, \"x\": 0.5, \"ok\": true, \"s\": \"Gr\\u00f6\\u00dfe \\\"a\\\"\", \"l\": [1, 2]}\n\
    \n\
    {\"s\": \"two\\nlines\", \"n\": -9223372036854775808, \"x\": 1e3, \"l\": [], \"o\": {\"k\": [{\"z\": null}]}}\r\n\
    {\"n\": null, \"x\": 7, \"o\": {\"q\": \"\u{e9}\", \"k\": []}, \"none\": null}";

#[test]
fn dtypes_of_nested_rows_are_inferred() {
    on_every_device(|_| {
        let frame = read(NESTED, |reader| reader).expect("a frame");
        let expected = [
            "n int64",
            "x float64",
            "ok bool",
            "s utf8",
            "l list<int64>",
            "o struct<k: list<struct<z: utf8>>, q: utf8>",
            "none utf8",
        ];
        assert_eq!(dtypes(&frame), expected);
        assert_eq!(shown(&frame, "n"), ["1", "-9223372036854775808", "<NA>"]);
        assert_eq!(shown(&frame, "x"), ["0.5", "1000.0", "7.0"]);
        assert_eq!(shown(&frame, "ok"), ["true", "<NA>", "<NA>"]);
        assert_eq!(shown(&frame, "s"), ["Größe \"a\"", "two\nlines", "<NA>"]);
        assert_eq!(shown(&frame, "l"), ["[1, 2]", "[]", "<NA>"]);
        assert_eq!(shown(&frame, "o"), ["<NA>", "{k: [{z: <NA>}], q: <NA>}", "{k: [], q: é}"]);
        assert_eq!(shown(&frame, "none"), ["<NA>"; 3]);
    });
}

/// Mixed kinds and integers that 64 bits do not have are strings, with the text of the file.
#[test]
fn values_of_several_kinds_are_strings() {
    let text =
        "{\"a\": 1, \"b\": 18446744073709551616, \"c\": 1.50}\n{\"a\": \"x\", \"b\": 1, \"c\": true}\n";
    let frame = read(text, |reader| reader).expect("a frame");
    assert_eq!(dtypes(&frame), ["a utf8", "b utf8", "c utf8"]);
    assert_eq!(shown(&frame, "a"), ["1", "x"]);
    assert_eq!(shown(&frame, "b"), ["18446744073709551616", "1"]);
    assert_eq!(shown(&frame, "c"), ["1.50", "true"]);
}

/// Integers from 2⁶³ on, which `int64` does not have, in any order of the rows, and in chunks of any size.
#[test]
fn long_integers_are_unsigned_where_none_is_negative() {
    let [least, most] = ["9223372036854775808", "18446744073709551615"];
    let cases: [(&[&str], &str); 7] = [
        (&["1", most, "2"], "v uint64"),
        (&[most, "null", "0"], "v uint64"),
        (&["9223372036854775807", "-1"], "v int64"),
        (&["-1", least], "v utf8"),
        (&[least, "-0"], "v utf8"),
        (&["1", "-9223372036854775808", "7"], "v int64"),
        // Not every such integer is a float.
        (&[least, "0.5"], "v utf8"),
    ];
    for (values, expected) in cases {
        let lines: Vec<String> = values.iter().map(|value| format!("{{\"v\": {value}}}\n")).collect();
        let text = lines.concat();
        for (rows, size) in [(1, 1), (1, 1 << 20), (100, 1 << 20)] {
            let frame = read(&text, |reader| reader.infer_rows(rows).chunk_size(size)).expect("a frame");
            assert_eq!(dtypes(&frame), [expected], "{values:?}, {rows}, {size}");
            let shows: Vec<&str> =
                values.iter().map(|value| if *value == "null" { "<NA>" } else { value }).collect();
            assert_eq!(shown(&frame, "v"), shows, "{rows}, {size}");
        }
    }
    let text =
        format!("{{\"l\": [1, {most}], \"s\": {{\"a\": {least}}}}}\n{{\"l\": [0], \"s\": {{\"a\": 1}}}}\n");
    let frame = read(&text, |reader| reader).expect("a frame");
    assert_eq!(dtypes(&frame), ["l list<uint64>", "s struct<a: uint64>"]);
    assert_eq!(shown(&frame, "l"), [format!("[1, {most}]"), "[0]".to_owned()]);
}

/// A fraction, a column and a field that come after the rows that types are inferred from.
#[test]
fn later_rows_widen_dtypes() {
    for rows in [1_usize, 31, 32, 33, 64, 65, 3000] {
        let lines: Vec<String> =
            (0..rows).map(|k| format!("{{\"n\": {k}, \"o\": {{\"a\": {k}}}}}\n")).collect();
        let mut text = lines.concat();
        text += "{\"n\": 0.5, \"o\": {\"a\": null, \"b\": [true]}, \"late\": \"z\"}\n";
        let frame = read(&text, |reader| reader.infer_rows(1).chunk_size(256)).expect("a frame");
        assert_eq!(dtypes(&frame), ["n float64", "o struct<a: int64, b: list<bool>>", "late utf8"]);
        assert_eq!(frame.len(), rows + 1);
        assert_eq!(shown(&frame, "n")[rows - 1..], [format!("{}.0", rows - 1), "0.5".to_owned()]);
        assert_eq!(shown(&frame, "o")[rows], "{a: <NA>, b: [true]}");
        assert_eq!(shown(&frame, "late")[rows - 1..], ["<NA>", "z"]);
        let some = |names: [&str; 2], limit| {
            read(&text, |reader| reader.infer_rows(1).columns(names).limit(limit).chunk_size(256))
        };
        let all = some(["late", "n"], rows + 1).expect("a frame");
        assert_eq!(dtypes(&all), ["late utf8", "n float64"]);
        // The row after the limit counts only where types are inferred from it.
        let before = some(["o", "n"], rows).expect("a frame");
        assert_eq!(
            (dtypes(&before), before.len()),
            (vec!["o struct<a: int64>".to_owned(), "n int64".to_owned()], rows)
        );
        assert!(fault(some(["late", "n"], rows)).contains("no column \"late\""));
    }
}

#[test]
fn given_dtypes_are_exact_or_an_error() {
    on_every_device(|_| {
        let text = "{\"id\": 7, \"day\": \"2026-01-31\", \"p\": 1.10, \"c\": \"a\", \"l\": [1], \"at\": \"2026-01-31T05:06:07.5\"}\n\
                    {\"id\": null, \"day\": null, \"p\": -3, \"c\": \"b\", \"l\": null}\n";
        let price = DType::decimal(9, 2).expect("a dtype");
        let frame = read(text, |reader| {
            reader
                .dtype("id", DType::UInt8)
                .dtype("day", DType::Date32)
                .dtype("p", price.clone())
                .dtype("l", DType::List(Box::new(DType::Float32)))
                .dtype("at", DType::Timestamp(TimeUnit::Milli))
                .dtype("new", DType::Int16)
        });
        let frame = frame.expect("a frame");
        let expected = [
            "id uint8",
            "day date32",
            "p decimal(9,2)",
            "c utf8",
            "l list<float32>",
            "at timestamp[ms]",
            "new int16",
        ];
        assert_eq!(dtypes(&frame), expected);
        assert_eq!(shown(&frame, "p"), ["1.10", "-3.00"]);
        assert_eq!(shown(&frame, "day"), ["2026-01-31", "<NA>"]);
        assert_eq!(shown(&frame, "l"), ["[1.0]", "<NA>"]);
        assert_eq!(shown(&frame, "at"), ["2026-01-31 05:06:07.500", "<NA>"]);
    });
    for (text, dtype, value) in [
        ("1.5", DType::Int32, "1.5"),
        ("300", DType::UInt8, "300"),
        ("0.001", DType::decimal(9, 2).expect("a dtype"), "0.001"),
        ("\"2026-01-31 05:00\"", DType::Date32, "2026-01-31 05:00"),
        ("[1.5]", DType::List(Box::new(DType::Int64)), "[1.5]"),
        ("{}", DType::Utf8, "{}"),
    ] {
        let text = format!("\n{{\"k\": null}}\n{{\"k\": {text}}}\n");
        let error = fault(read(text, |reader| reader.dtype("k", dtype.clone())));
        assert!(
            error.starts_with(&format!("line 3: {value:?} in column \"k\" is not a value of {dtype}")),
            "{error}"
        );
    }
    let error = fault(read("{}", |reader| reader.dtype("k", DType::Binary)));
    assert!(error.contains("column \"k\" is binary, which is not supported"), "{error}");
}

#[test]
fn malformed_line_is_an_error_or_skipped() {
    for (line, reason) in [
        ("{\"n\": 1", "not JSON: EOF while parsing an object at byte 7"),
        ("{\"n\": 1} {\"n\": 2}", "not JSON: trailing characters at byte 10"),
        ("{\"n\": tru}", "not JSON: expected ident at byte 10"),
        ("17", "17, where an object is expected"),
        ("{\"n\": 01}", "not JSON: invalid number at byte 8"),
        ("{\"n\": -1.}", "not JSON: invalid number at byte 10"),
    ] {
        for rows in [0_usize, 1, 40] {
            let lines: Vec<String> = (0..rows).map(|k| format!("{{\"n\": {k}}}\n")).collect();
            let text = [&*lines.concat(), line, "\n{\"n\": 99}\n"].concat();
            for size in [64, 1 << 20] {
                let error = fault(read(&text, |reader| reader.chunk_size(size)));
                assert_eq!(error, format!("line {}: {reason}", rows + 1), "{line}");
                let (_folder, path) = file(&text);
                let reader = read_json(&path).chunk_size(size).bad_rows(BadRows::Skip);
                let (frame, statistics) = reader.read_with_statistics().expect("the other rows");
                assert_eq!((frame.len(), statistics.rows_skipped), (rows + 1, 1), "{line}");
                assert_eq!(shown(&frame, "n")[rows], "99");
            }
        }
    }
    let deep = format!("{{\"n\": {}{}}}", "[".repeat(200), "]".repeat(200));
    assert!(fault(read(deep, |reader| reader)).starts_with("line 1: "));
    let bytes = [b"{\"n\": \"".as_slice(), &[0xFF], b"\"}\n"].concat();
    assert!(fault(read(bytes, |reader| reader)).starts_with("line 1: not JSON: "));
}

#[test]
fn missing_columns_and_empty_files_are_told() {
    let error = fault(read("{\"a\": 1}\n", |reader| reader.columns(["b", "a"])));
    assert_eq!(error, "the file has no column \"b\"; it has \"a\"");
    assert_eq!(read("", |reader| reader).expect("a frame").shape(), (0, 0));
    let error = fault(read("{\"a\": 1}\n", |reader| reader.columns(["a", "a"])));
    assert!(error.contains("\"a\""), "{error}");
    assert!(matches!(
        read_json("/nowhere/f.jsonl").read(),
        Err(Error::File { source, .. }) if matches!(*source, FileError::NotFound)
    ));
}

#[test]
fn written_frames_are_read_back() {
    on_every_device(|_| {
        let folder = tempfile::tempdir().expect("a folder");
        for rows in [0_i64, 1, 31, 33, 64, 65, 300] {
            let frame = df! {
                "n" => (0..rows).map(|k| (k % 5 != 0).then_some(k)).collect::<Vec<_>>(),
                "x" => (0..rows).map(|k| if k % 2 == 0 { -0.0 } else { 0.1 }).collect::<Vec<_>>(),
                "s" => (0..rows).map(|k| (k % 3 > 0).then(|| format!("\"Größe\"\n{k}\\"))).collect::<Vec<_>>(),
                "l" => (0..rows).map(|k| (0..k % 4).collect::<Vec<i64>>()).collect::<Vec<_>>(),
                "t" => timestamps((0..rows).map(Some).collect::<Vec<_>>(), TimeUnit::Micro),
                "c" => categories((0..rows).map(|k| ["a", "b"][usize::try_from(k % 2).unwrap_or(0)]).collect::<Vec<_>>()),
            }
            .expect("a frame");
            for (name, options) in [
                ("f.jsonl", JsonWriteOptions::new()),
                ("f.jsonl.gz", JsonWriteOptions::new().skip_nulls(true)),
                ("f.jsonl.zst", JsonWriteOptions::new()),
            ] {
                if !has_codec(name) {
                    continue;
                }
                let path = folder.path().join(name);
                frame.write_json_with(&path, options).expect("written");
                let mut reader = read_json(&path).columns(["n", "x", "s", "l", "t", "c"]);
                for (label, dtype) in frame.columns().iter().zip(frame.dtypes()) {
                    reader = reader.dtype(label.to_string(), dtype);
                }
                let read = reader.read().expect("read");
                assert_eq!(read.dtypes(), frame.dtypes());
                for label in frame.columns() {
                    let (read, written) = (values(&read, label), values(&frame, label));
                    assert_eq!(format!("{read:?}"), format!("{written:?}"), "{label} of {name}, {rows} rows");
                }
            }
            let slice = frame.slice(usize::from(rows > 40) * 33, usize::from(rows > 0)).expect("rows");
            let path = folder.path().join("slice.jsonl");
            slice.write_json(&path).expect("written");
            assert_eq!(read_json(&path).limit(9).read().expect("read").len(), slice.len());
        }
    });
}

/// Known text, also of what JSON has no form for.
#[test]
fn written_text_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("f.jsonl");
    let frame = df! { "x" => [f64::NAN, f64::INFINITY, 1.0], "s" => [Some("é"), None, Some("\u{1}")] };
    let frame = frame.expect("a frame");
    frame.write_json(&path).expect("written");
    let text = std::fs::read_to_string(&path).expect("text");
    let expected = "{\"x\":null,\"s\":\"é\"}\n{\"x\":null,\"s\":null}\n{\"x\":1.0,\"s\":\"\\u0001\"}\n";
    assert_eq!(text, expected);
    let bytes =
        Column::from_scalars(&DType::Binary, &[Scalar::Binary(vec![1])], &Exec::host()).expect("bytes");
    let bytes = df! { "d" => bytes }.expect("a frame");
    let error = bytes.write_json(&path).expect_err("no form").to_string();
    assert!(error.contains("column \"d\" is binary, which is not supported"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).expect("text"), expected, "it is unchanged");
}

#[test]
fn durations_are_written_as_text_and_read_as_their_dtype() {
    let folder = tempfile::tempdir().expect("a folder");
    let counts = [Some(93_784_005_006_i64), None, Some(-1), Some(0), Some(i64::MAX), Some(-86_400_000_000)];
    for unit in TimeUnit::ALL {
        let frame = df! { "d" => columnade_columns::durations(counts, unit), "n" => [1, 2, 3, 4, 5, 6] };
        let frame = frame.expect("a frame");
        for layout in JsonLayout::ALL {
            let path = folder.path().join("d.json");
            frame.write_json_with(&path, JsonWriteOptions::new().layout(layout)).expect("written");
            let read =
                read_json(&path).layout(layout).dtype("d", DType::Duration(unit)).read().expect("read");
            assert_eq!(read.column("d").unwrap().to_string(), frame.column("d").unwrap().to_string());
        }
        let path = folder.path().join("d.csv");
        frame.write_csv(&path).expect("written");
        let read = read_csv(&path).dtype("d", DType::Duration(unit)).read().expect("read");
        assert_eq!(read.column("d").unwrap().to_string(), frame.column("d").unwrap().to_string());
        assert_eq!(read_csv(&path).read().expect("read").column("d").unwrap().dtype(), DType::Utf8);
    }
    let path = folder.path().join("known.csv");
    df! { "d" => columnade_columns::durations([Some(93_784_i64)], TimeUnit::Second) }
        .and_then(|frame| frame.write_csv(&path))
        .expect("written");
    assert_eq!(std::fs::read_to_string(&path).expect("text"), "d\n1 days 02:03:04\n");
    let refused = read_csv(&path).dtype("d", DType::Duration(TimeUnit::Second));
    std::fs::write(&path, "d\n1 days 02:03:04.5\n").expect("written");
    assert!(refused.read().expect_err("half a second").to_string().contains("line 2"));
}

#[test]
fn scanned_frames_are_the_rows_that_read_gives() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.jsonl");
        let line = |n: usize| match n {
            20 => "{\"n\": 20, \"new\": [1]}\n".to_owned(),
            n => format!("{{\"n\": {n}, \"s\": {{\"t\": \"ü {}\"}}}}\n", n % 7),
        };
        fs::write(&path, (0..3000).map(line).collect::<String>()).expect("written");
        let reader = || read_json(&path).chunk_size(500).infer_rows(5);
        let whole = reader().read().expect("read");
        for most in [33, 1000] {
            for label in ["n", "s", "new"] {
                let mut rows = Vec::new();
                for frame in reader().scan().expect("the first rows").batch_rows(most) {
                    let frame = frame.expect("rows");
                    assert!(!frame.is_empty() && frame.len() <= most);
                    rows.extend(values(&frame, label));
                }
                assert_eq!(rows, values(&whole, label));
            }
        }
        let text = fs::read_to_string(&path).expect("text");
        fs::write(&path, format!("{text}{{\"later\": 1}}\n")).expect("written");
        let frames: Vec<_> = reader().scan().expect("the first rows").collect();
        let error = frames[frames.len() - 1].as_ref().expect_err("a new column").to_string();
        assert!(error.contains("column \"later\" is int64, and absent in the rows before it"), "{error}");
        assert!(frames[..frames.len() - 1].iter().all(Result::is_ok));
    });
}
