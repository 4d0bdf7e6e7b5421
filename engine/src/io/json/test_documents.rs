//! Documents of JSON in and out, against lines of the same rows.

use std::path::PathBuf;

use tempfile::{TempDir, tempdir};

use super::{JsonLayout, JsonReader, JsonWriteOptions, read_json};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::{Error, Result};
use crate::io::{BadRows, FileError};
use crate::testing::{has_codec, on_every_device, values};

fn file(text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.json");
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

fn rows(frame: &DataFrame) -> Vec<String> {
    let labels: Vec<String> = frame.columns().iter().map(ToString::to_string).collect();
    let columns: Vec<_> = labels.iter().map(|label| values(frame, label)).collect();
    let row = |row: usize| {
        let row = labels.iter().zip(&columns).map(|(label, column)| format!("{label}={}", column[row]));
        row.collect::<Vec<_>>().join(" ")
    };
    (0..frame.len()).map(row).collect()
}

fn fault(result: Result<DataFrame>) -> String {
    match result {
        Err(Error::File { operation: "read_json", source, .. }) => source.to_string(),
        other => panic!("{other:?}"),
    }
}

const RECORDS: &str = "\u{feff} \n[\n  {\n    \"n\": 1, \"s\": \"a, ]\\\"}\\\\\",\n\t\"o\": {\"k\": [1, 2]}\n  },\r\n{\"s\": \"\u{e9}\", \
    \"x\": [{\"y\": null}, {}]}  ,{}\n]\n ";

#[test]
fn array_of_objects_is_read_as_rows() {
    on_every_device(|_| {
        for size in [1, 2, 3, 5, 7, 1 << 20] {
            for layout in [None, Some(JsonLayout::Records)] {
                let frame = read(RECORDS, |reader| {
                    let reader = reader.chunk_size(size);
                    if let Some(layout) = layout { reader.layout(layout) } else { reader }
                });
                let expected = [
                    "n=1 s=a, ]\"}\\ o={k: [1, 2]} x=<NA>",
                    "n=<NA> s=é o=<NA> x=[{y: <NA>}, {y: <NA>}]",
                    "n=<NA> s=<NA> o=<NA> x=<NA>",
                ];
                assert_eq!(rows(&frame.expect("a frame")), expected, "chunks of {size}");
            }
        }
    });
}

#[test]
fn documents_of_other_layouts_are_read_as_rows() {
    let expected = ["a=1 b=x", "a=<NA> b=<NA>", "a=3 b={\"c\":\n[1]}"];
    let text = "{\"c\":\\n[1]}".replace('"', "\\\"");
    for (layout, document) in [
        (
            JsonLayout::Columns,
            format!(
                "{{\"a\": {{\"r\": 1, \"s\": null,\n\"t\": 3}}, \"b\": {{\"r\": \"x\", \"t\": \"{text}\"}}}}"
            ),
        ),
        (JsonLayout::Columns, format!(" {{\"a\":[1,null,3],\"b\":[\"x\",null,\"{text}\"]}}")),
        (
            JsonLayout::Index,
            format!(
                "\u{feff}{{\"7\": {{\"a\": 1, \"b\": \"x\"}},\n\"5\": {{}}, \"x\": {{\"b\": \"{text}\",\n\"a\": 3}}}}\n"
            ),
        ),
        (
            JsonLayout::Split,
            format!(
                "{{\"columns\": [\"a\", \"b\"], \"index\": [0, [1]], \"data\": [[1, \"x\"], [null,\nnull], [3, \"{text}\"]]}}"
            ),
        ),
        (
            JsonLayout::Split,
            format!("{{\"data\":[[1,\"x\"],[null,null],[3,\"{text}\"]],\"columns\":[\"a\",\"b\"]}}"),
        ),
    ] {
        let frame = read(&document, |reader| reader.layout(layout)).expect("a frame");
        assert_eq!(rows(&frame), expected, "{document}");
        let part = read(&document, |reader| reader.layout(layout).columns(["b"]).limit(1));
        assert_eq!(rows(&part.expect("a part")), ["b=x"], "{document}");
    }
    let numbered = "{\"columns\":[0,1.5],\"data\":[[1,2]]}";
    let frame = read(numbered, |reader| reader.layout(JsonLayout::Split)).expect("numbers as names");
    assert_eq!(rows(&frame), ["0=1 1.5=2"]);
}

#[test]
fn documents_without_rows_have_none() {
    for (layout, text) in [
        (JsonLayout::Records, " [ ] "),
        (JsonLayout::Index, "{}"),
        (JsonLayout::Columns, "{ }"),
        (JsonLayout::Columns, "{\"a\": {}}"),
        (JsonLayout::Split, "{\"columns\":[],\"index\":[],\"data\":[]}"),
    ] {
        assert_eq!(read(text, |reader| reader.layout(layout)).expect("a frame").len(), 0, "{text}");
    }
    assert_eq!(read("[]", |reader| reader).expect("a frame").len(), 0);
}

#[test]
fn damaged_documents_are_errors_with_position() {
    for (layout, text, expected) in [
        (JsonLayout::Records, "[{\"n\": 1},\n  {\"n\": 2}", "line 2: the document ends too early at byte 10"),
        (
            JsonLayout::Records,
            "[{\"n\": 1},\n]",
            "line 2: an object is missing after the last comma at byte 1",
        ),
        (JsonLayout::Records, "[,{}]", "line 1: a comma stands where an object is expected at byte 2"),
        (JsonLayout::Records, "[{}]\n\n x", "line 3: text follows the end of the document at byte 2"),
        (JsonLayout::Records, "{}", "line 1: the document does not begin with [ at byte 1"),
        (JsonLayout::Records, "", "line 1: the document ends too early at byte 1"),
        (JsonLayout::Records, "[{\"a\":\"b\nc\"}]", "line 1: a control character is in a string at byte 9"),
        (JsonLayout::Records, "[{}}]", "line 1: a bracket is closed that was not opened at byte 4"),
        (
            JsonLayout::Records,
            "[{\"n\": 1},\n\n  {\"n\" 2}]",
            "row 2 of the document, line 3: not JSON: expected `:` at byte 6",
        ),
        (
            JsonLayout::Records,
            "[{\"n\": 1}, 5]",
            "row 2 of the document, line 1: 5, where an object is expected",
        ),
        (
            JsonLayout::Records,
            "[{}\n{}]",
            "row 1 of the document, line 1: not JSON: trailing characters at byte 4",
        ),
        (JsonLayout::Index, "{\"a\": {\"n\": 1},\n\"b\": [1]}", "row 2 of the document, line 2: a list"),
        (JsonLayout::Index, "{\"a\": {}\n\"b\": {}}", "line 2: a comma or } is expected at byte 1"),
        (JsonLayout::Index, "{\"a\": {}, }", "line 1: a name in quotes is expected at byte 11"),
        (JsonLayout::Index, "[]", "line 1: { is expected at byte 1"),
        (JsonLayout::Columns, "{\"a\": 1}", "line 1: { is expected at byte 7"),
        (JsonLayout::Columns, "{\"a\": [1,\n 2], \"b\": [true, ]}", "line 2: a value is expected at byte 18"),
        (JsonLayout::Columns, "{\"a\": [1, \"", "line 1: the document ends within a string at byte 11"),
        (
            JsonLayout::Split,
            "{\"columns\": [\"a\"]}",
            "line 1: the document has no columns or no data at byte 18",
        ),
        (
            JsonLayout::Split,
            "{\"columns\": [\"a\"], \"data\": [[1],\n[1, 2]]}",
            "line 2: row 2 has 2 values for 1 columns at byte 1",
        ),
        (
            JsonLayout::Split,
            "{\"rows\": []}",
            "line 1: a member is none of columns, index and data at byte 8",
        ),
        (
            JsonLayout::Split,
            "{\"columns\": [], \"data\": []} 1",
            "line 1: text follows the end of the document",
        ),
    ] {
        let found = fault(read(text, |reader| reader.layout(layout)));
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn values_that_do_not_fit_are_errors_with_row_and_line() {
    let text = "[{\"n\": 1},\n{\"n\": 2}, {\"n\":\n 3}, {\"n\": \"x\"}]";
    let found = fault(read(text, |reader| reader.dtype("n", crate::DType::Int8)));
    assert_eq!(found, "row 4 of the document, line 3: \"x\" in column \"n\" is not a value of int8");
    let text = "{\"m\": [1, 2],\n\"n\": [1,\n300]}";
    let of_columns = |reader: JsonReader<'static>| reader.layout(JsonLayout::Columns);
    let found = fault(read(text, |reader| of_columns(reader).dtype("n", crate::DType::Int8)));
    assert_eq!(found, "row 2 of the document, line 3: \"300\" in column \"n\" is not a value of int8");
    let (_folder, path) = file("[{\"n\": 1}, 7, {\"n\": 2}]");
    let (frame, statistics) =
        read_json(&path).bad_rows(BadRows::Skip).read_with_statistics().expect("the others");
    assert_eq!((rows(&frame), statistics.rows_skipped), (vec!["n=1".to_owned(), "n=2".to_owned()], 1));
    let lines = fault(read("{\"n\": 1}\n[1]", |reader| reader));
    assert!(lines.contains("line 2: a list"), "{lines}");
}

#[test]
fn names_that_come_twice_are_errors_with_their_line_and_column() {
    let lines = |text: &str| fault(read(text, |reader| reader));
    for (text, expected) in [
        ("{\"a\":1}\n{\"a\":1,\"b\":2,\"a\":3}", "line 2: an object has the name \"a\" twice"),
        ("{\"a\":1,\"\\u0061\":2}", "line 1: an object has the name \"a\" twice"),
        ("{\"b\":1,\"a\":2}\n{\"a\":1,\"a\":2}", "line 2: an object has the name \"a\" twice"),
        ("{\"s\":[{\"a\":1,\"a\":2}]}", "line 1: an object has the name \"a\" twice, in column \"s\""),
        ("{\"s\":{\"t\":{\"a\":1,\"a\":2}}}", "line 1: an object has the name \"a\" twice, in column \"s\""),
        (
            "[{\"a\":1},\n{\"a\":1,\"a\":2}]",
            "row 2 of the document, line 2: an object has the name \"a\" twice",
        ),
    ] {
        let error = lines(text);
        assert!(error.ends_with(expected), "{text}: {error}");
    }
    let of = |layout: JsonLayout, text: &str| fault(read(text, |reader| reader.layout(layout)));
    for (layout, text, expected) in [
        (JsonLayout::Split, "{\"columns\":[\"a\",\"a\"],\"data\":[[1,2]]}", "the column \"a\" twice"),
        (JsonLayout::Split, "{\"columns\":[\"a\"],\"columns\":[\"b\"],\"data\":[[1]]}", "\"columns\" twice"),
        (JsonLayout::Columns, "{\"a\":[1],\"a\":[2]}", "the column \"a\" twice"),
        (JsonLayout::Columns, "{\"a\":{\"0\":1,\"0\":2}}", "column \"a\" has the row \"0\" twice"),
        (JsonLayout::Index, "{\"0\":{\"a\":1,\"a\":2}}", "an object has the name \"a\" twice"),
    ] {
        let error = of(layout, text);
        assert!(error.contains("line 1: ") && error.contains(expected), "{text}: {error}");
    }
    for (layout, text, expected) in [
        (JsonLayout::Split, "{\"columns\":[\"a\",\"b\",\n\"a\"],\"data\":[[1,2,3]]}", (2, "a", None)),
        (JsonLayout::Split, "{\"columns\":[1,1],\"data\":[[1,2]]}", (1, "1", None)),
        (JsonLayout::Split, "{\"columns\":[\"a\\\"b\",\"a\\\"b\"],\"data\":[[1,2]]}", (1, "a\"b", None)),
        (JsonLayout::Columns, "{\"a\":[1],\n\"a\":[2]}", (2, "a", None)),
        (JsonLayout::Columns, "{\"a\":{\"0\":1,\"0\":2}}", (1, "a", Some("0"))),
    ] {
        let error = read(text, |reader| reader.layout(layout)).expect_err("a column twice");
        let Error::File { source, .. } = &error else { panic!("{error}") };
        let FileError::RepeatedColumn { line, column, row } = &**source else { panic!("{error}") };
        assert_eq!((*line, column.as_str(), row.as_deref()), expected, "{error}");
        assert_eq!((source.line(), source.column()), (Some(expected.0), Some(expected.1)));
    }
    // Objects of other fields, in other orders, have none twice.
    let rows = "{\"a\":1,\"b\":2,\"c\":3}\n{\"c\":1}\n{\"c\":1,\"a\":2}\n{\"b\":1,\"c\":2,\"a\":3,\"d\":4}\n{\"d\":1,\"b\":2}";
    assert_eq!(read(rows, |reader| reader).expect("rows").shape(), (5, 4));
    let (_folder, path) = file("{\"a\": 1}\n{\"a\": 2, \"a\": 3}\n{\"a\": 4}");
    let kept = read_json(&path).bad_rows(BadRows::Skip).read_with_statistics().expect("the others");
    assert_eq!((kept.0.len(), kept.1.rows_skipped), (2, 1));
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(70), "]".repeat(70));
    assert!(lines(&deep).contains("nested more than 64 deep"), "{}", lines(&deep));
}

#[test]
fn documents_round_trip() {
    on_every_device(|_| {
        let frame = df! {
            "n" => [Some(1_i64), None, Some(-3)],
            "t\"\n" => [Some("a,b"), Some("\"]}\n"), None],
            "x" => [0.5, f64::NAN, 1e300],
        };
        let frame = frame.expect("a frame");
        let nested = read("{\"l\": [1, null], \"o\": {\"p\": \"q\"}}\n{}\n{\"l\": []}", |reader| reader);
        let nested = nested.expect("nested columns");
        let frame = frame.with_column("l", nested.column("l").expect("l")).expect("lists");
        let frame = frame.with_column("o", nested.column("o").expect("o")).expect("structs");
        for frame in [frame.clone(), frame.head(0).expect("no rows"), frame.head(1).expect("one")] {
            let folder = tempdir().expect("a folder");
            let lines = folder.path().join("lines.jsonl");
            frame.write_json(&lines).expect("lines");
            let expected = read_json(&lines).read().expect("read");
            for layout in JsonLayout::ALL {
                for skips in [false, true] {
                    for name in ["d.json", "d.json.gz"].into_iter().filter(|name| has_codec(name)) {
                        let path = folder.path().join(name);
                        let options = JsonWriteOptions::new().layout(layout).skip_nulls(skips);
                        frame.write_json_with(&path, options).expect("written");
                        let read = read_json(&path).layout(layout).read().expect("read");
                        let what = format!("{layout:?}, nulls left out: {skips}");
                        let in_order = read.select(expected.columns().iter().cloned()).ok();
                        let found = in_order.map_or_else(Vec::new, |read| rows(&read));
                        assert_eq!(found, rows(&expected), "{what}");
                    }
                }
            }
        }
    });
}

#[test]
fn documents_are_those_of_pandas() {
    // `DataFrame.to_json(orient=…)` of pandas 3.1.1 without the ends of lines.
    let frame = df! { "a" => [1_i64, 2], "b" => [Some("x"), None] }.expect("a frame");
    let (_folder, path) = file("");
    for (layout, expected) in [
        (JsonLayout::Records, r#"[{"a":1,"b":"x"},{"a":2,"b":null}]"#),
        (JsonLayout::Index, r#"{"0":{"a":1,"b":"x"},"1":{"a":2,"b":null}}"#),
        (JsonLayout::Columns, r#"{"a":{"0":1,"1":2},"b":{"0":"x","1":null}}"#),
        (JsonLayout::Split, r#"{"columns":["a","b"],"index":[0,1],"data":[[1,"x"],[2,null]]}"#),
    ] {
        frame.write_json_with(&path, JsonWriteOptions::new().layout(layout)).expect("written");
        let text = std::fs::read_to_string(&path).expect("text");
        assert_eq!(text.replace('\n', ""), expected, "{layout:?}");
    }
}
