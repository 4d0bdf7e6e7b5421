//! Dates, times, durations and decimals in lists and structs of JSON.

use std::fs;
use std::path::PathBuf;

use columnade_columns::{DType, Field, TimeUnit, TimeZone};
use tempfile::{TempDir, tempdir};

use super::{JsonLayout, JsonWriteOptions, read_json};
use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::{BadRows, FileError};
use crate::testing::{on_every_device, values};

fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.jsonl");
    fs::write(&path, text).expect("written");
    (folder, path)
}

fn list(item: DType) -> DType {
    DType::List(Box::new(item))
}

fn structure(fields: Vec<(&str, DType)>) -> DType {
    let field = |(name, dtype): (&str, DType)| Field { name: name.into(), dtype };
    DType::Struct(fields.into_iter().map(field).collect())
}

fn dtypes() -> [(&'static str, DType); 4] {
    let berlin = DType::TimestampTz(TimeUnit::Milli, TimeZone::new("Europe/Berlin").expect("a zone"));
    let price = DType::decimal(9, 2).expect("a dtype");
    [
        ("days", list(DType::Date32)),
        ("order", structure(vec![("at", berlin.clone()), ("price", price), ("n", DType::Int16)])),
        ("deep", list(structure(vec![("took", list(DType::Duration(TimeUnit::Second))), ("at", berlin)]))),
        ("times", list(DType::Time(TimeUnit::Second))),
    ]
}

const TEXT: &str = r#"{"days": ["2026-01-31", null], "order": {"at": "2026-01-31T12:00:00.5", "price": 1.10, "n": 1}, "deep": [{"took": ["1 days 02:03:04"], "at": "2026-07-01T00:00:00Z"}], "times": ["05:06:07"]}
{"days": [], "order": {"price": "-0.25", "other": 7}, "deep": [], "times": null}
{"days": null, "order": null, "deep": [null, {"took": null}], "times": [null]}
"#;

fn read(path: &PathBuf) -> Result<DataFrame> {
    dtypes().into_iter().fold(read_json(path), |reader, (name, dtype)| reader.dtype(name, dtype)).read()
}

#[test]
fn values_in_lists_and_structs_are_of_given_dtypes() {
    on_every_device(|_| {
        let (folder, path) = file(TEXT);
        let frame = read(&path).expect("a frame");
        assert_eq!(frame.dtypes(), dtypes().map(|(_, dtype)| dtype));
        let shown = |name| values(&frame, name).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(shown("days"), ["[2026-01-31, <NA>]", "[]", "<NA>"]);
        assert_eq!(
            shown("order"),
            [
                "{at: 2026-01-31 12:00:00.500+01:00, price: 1.10, n: 1}",
                "{at: <NA>, price: -0.25, n: <NA>}",
                "<NA>"
            ]
        );
        let deep = "[{took: [1 days 02:03:04], at: 2026-07-01 02:00:00.000+02:00}]";
        assert_eq!(shown("deep"), [deep, "[]", "[<NA>, {took: <NA>, at: <NA>}]"]);
        assert_eq!(shown("times"), ["[05:06:07]", "<NA>", "[<NA>]"]);
        // Written and read again, as lines and as a document.
        for layout in [JsonLayout::Lines, JsonLayout::Records, JsonLayout::Split] {
            let again = folder.path().join("g.json");
            frame.write_json_with(&again, JsonWriteOptions::new().layout(layout)).expect("written");
            let reader = dtypes()
                .into_iter()
                .fold(read_json(&again).layout(layout), |reader, (name, dtype)| reader.dtype(name, dtype));
            let read = reader.read().expect("read");
            assert!(read.equals(&frame).expect("compared"), "{layout:?}: {read}");
        }
    });
}

#[test]
fn values_in_lists_and_structs_that_do_not_fit_name_line_and_column() {
    let wrong = [
        ("days", r#"["2026-02-30"]"#),
        ("days", r#"["2026-01-31T00:00:00"]"#),
        ("order", r#"{"price": 1.005}"#),
        ("order", r#"{"at": "2026-03-29T02:30:00"}"#),
        ("order", r#"{"n": 1.5}"#),
        ("deep", r#"[{"took": ["soon"]}]"#),
        ("times", r#"["24:61:00"]"#),
    ];
    for (column, value) in wrong {
        let (_folder, path) = file(&format!("{TEXT}{{\"{column}\": {value}}}\n"));
        let error = read(&path).err();
        let Some(Error::File { source, .. }) = &error else { panic!("{column} {value}: {error:?}") };
        let FileError::InvalidValue { line: 4, column: found, dtype, .. } = &**source else {
            panic!("{column} {value}: {source:?}")
        };
        let expected = dtypes().into_iter().find(|(name, _)| *name == column).expect("a column").1;
        assert_eq!((found.as_str(), dtype.as_str()), (column, expected.to_string().as_str()));
        let reader = dtypes()
            .into_iter()
            .fold(read_json(&path).bad_rows(BadRows::Skip), |reader, (name, it)| reader.dtype(name, it));
        assert_eq!(reader.read().expect("the others").len(), 3);
    }
}
