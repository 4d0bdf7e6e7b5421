//! Errors of files that are about one column name it.

use std::fmt::Write;
use std::fs;

use columnade_columns::{Column, DType, DictionaryType, ErrorKind, StructColumn};
use columnade_kernels::Storage;
use tempfile::tempdir;

use super::{BadRows, read_csv, read_json};
use crate::dataframe::DataFrame;
use crate::error::Error;
use crate::options::default_exec;

fn narrow() -> DType {
    let (codes, values) = (Storage::I8, DType::Utf8);
    DType::Dictionary(Box::new(DictionaryType { codes, values, ordered: false }))
}

/// What an error says of a column.
fn named(error: Option<Error>) -> (Option<String>, ErrorKind, String) {
    let error = error.expect("an error");
    let column = match &error {
        Error::File { source, .. } => source.column().map(str::to_owned),
        Error::Parquet { source, .. } => source.column().map(str::to_owned),
        Error::Operation { .. } => error.to_string().contains("\"c\"").then(|| "c".to_owned()),
        other => panic!("{other:?}"),
    };
    (column, error.kind(), error.to_string())
}

#[test]
fn dictionaries_of_too_many_values_are_named() {
    let folder = tempdir().expect("a folder");
    let (csv, json) = (folder.path().join("f.csv"), folder.path().join("f.jsonl"));
    let (mut rows, mut lines) = ("n,c,d\n".to_owned(), String::new());
    for n in 0..300 {
        writeln!(rows, "{n},c{n},x").expect("text");
        writeln!(lines, "{{\"n\": {n}, \"c\": \"c{n}\", \"d\": \"x\"}}").expect("text");
    }
    fs::write(&csv, rows).expect("written");
    fs::write(&json, lines).expect("written");
    // In one chunk, and in several, each of which has few.
    for size in [1 << 20, 500] {
        for bad in [BadRows::Error, BadRows::Skip] {
            let reader = || read_csv(&csv).chunk_size(size).bad_rows(bad);
            let of_csv = reader().dtype("c", narrow()).dtype("d", narrow()).read();
            let reader = || read_json(&json).chunk_size(size).bad_rows(bad);
            let of_json = reader().dtype("c", narrow()).dtype("d", narrow()).read();
            for result in [of_csv, of_json] {
                let (column, kind, text) = named(result.err());
                assert_eq!((column.as_deref(), kind), (Some("c"), ErrorKind::Overflow), "{size}: {text}");
                assert!(text.contains("column \"c\"") && text.contains("dictionary<int8, utf8>"), "{text}");
            }
        }
        let few = read_csv(&csv).chunk_size(size).dtype("c", narrow()).dtype("d", narrow()).limit(128).read();
        assert_eq!(few.expect("as many as there are codes").len(), 128);
    }
}

#[test]
fn dtypes_that_parquet_has_not_are_named() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.parquet");
    let exec = default_exec().expect("a device");
    let empty = || Column::Struct(StructColumn::new(Vec::<(&str, Column)>::new(), None, 0, 3).expect("rows"));
    let decimal = DType::decimal(9, -2).expect("a dtype");
    let whole = |dtype: &DType| Column::full_null(dtype, 3, &exec).expect("a column");
    let list = DType::List(Box::new(DType::Struct(Vec::new().into())));
    for (column, dtype) in [
        (empty(), "struct<>".to_owned()),
        (whole(&decimal), decimal.to_string()),
        (whole(&list), list.to_string()),
        (whole(&DType::List(Box::new(decimal.clone()))), format!("list<{decimal}>")),
    ] {
        let frame = DataFrame::new([("n", vec![1, 2, 3])]).and_then(|frame| frame.with_column("c", column));
        let (column, kind, text) = named(frame.expect("columns").write_parquet(&path).err());
        assert_eq!((column.as_deref(), kind), (Some("c"), ErrorKind::NotImplemented), "{text}");
        assert!(
            text.contains("write_parquet") && text.contains(&format!("column \"c\" is {dtype}")),
            "{text}"
        );
        assert!(!path.exists());
    }
}
