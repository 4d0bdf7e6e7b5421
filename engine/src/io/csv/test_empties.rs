//! Empty fields and empty strings, in and out.

use std::fs;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray,
};
use arrow_csv::WriterBuilder;
use columnade_columns::{DType, Scalar};
use columnade_tests::Rng;
use tempfile::tempdir;

use super::encode::Encoding;
use super::{CsvReader, CsvWriteOptions, read_csv};
use crate::builders::categories;
use crate::dataframe::DataFrame;
use crate::df;
use crate::testing::{on_every_device, values};

fn read(text: &str, with: impl Fn(CsvReader<'static>) -> CsvReader<'static>) -> DataFrame {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    fs::write(&path, text).expect("written");
    with(read_csv(&path)).read().expect("a frame")
}

fn texts(frame: &DataFrame, label: &str) -> Vec<Option<String>> {
    let text = |value: Scalar| match value {
        Scalar::Utf8(text) => Some(text.clone()),
        null => {
            assert!(null.is_null(), "{null:?}");
            None
        }
    };
    let column = frame.column(label).and_then(|column| column.cast(DType::Utf8)).expect("text");
    column.to_scalars().expect("values").into_iter().map(text).collect()
}

fn owned(texts: &[Option<&str>]) -> Vec<Option<String>> {
    texts.iter().map(|text| text.map(str::to_owned)).collect()
}

// What Polars 2.1 reads of these texts, given the dtypes: an integer whose field is "" is null.
const TEXT: &str =
    "a,b,n,day\n\"\",x,1,2026-01-31\n,\"\",\"\",\"\"\r\n\n\"z\",\"\"\"\",3,\nq,,,2026-02-01\n\"\",\"\",,\"\"";

#[test]
fn quoted_empty_field_is_empty_string() {
    on_every_device(|_| {
        for size in [1, 16, 40, 1 << 20] {
            let frame = read(TEXT, |reader| reader.chunk_size(size));
            let a = owned(&[Some(""), None, Some("z"), Some("q"), Some("")]);
            let b = owned(&[Some("x"), Some(""), Some("\""), None, Some("")]);
            assert_eq!((texts(&frame, "a"), texts(&frame, "b")), (a, b), "{size}");
            let days = frame.column("day").expect("a column");
            assert_eq!(frame.dtypes(), [DType::Utf8, DType::Utf8, DType::Int64, DType::Date32]);
            assert_eq!((days.null_count().expect("a count"), values(&frame, "n").len()), (3, 5));
            assert_eq!(texts(&frame, "n"), owned(&[Some("1"), None, Some("3"), None, None]), "{size}");
            let categories = |reader: CsvReader<'static>| {
                let dictionary = "dictionary<int32, utf8>".parse().expect("a dtype");
                reader.chunk_size(size).dtype("b", dictionary).columns(["b"])
            };
            let frame = read(TEXT, categories);
            assert!(matches!(frame.dtypes()[0], DType::Dictionary(_)));
            assert_eq!(texts(&frame, "b"), owned(&[Some("x"), Some(""), Some("\""), None, Some("")]));
        }
    });
}

#[test]
fn empty_fields_are_text_or_null_as_asked() {
    on_every_device(|_| {
        let frame = read(TEXT, |reader| reader.empty_is_null(false));
        assert_eq!(texts(&frame, "a"), owned(&[Some(""), Some(""), Some("z"), Some("q"), Some("")]));
        assert_eq!(texts(&frame, "b"), owned(&[Some("x"), Some(""), Some("\""), Some(""), Some("")]));
        assert_eq!(texts(&frame, "n"), owned(&[Some("1"), None, Some("3"), None, None]));
        let frame = read(TEXT, |reader| reader.empty_is_null(false).null_values(["z", "x"]));
        assert_eq!(texts(&frame, "a"), owned(&[Some(""), Some(""), None, Some("q"), Some("")]));
        assert_eq!(texts(&frame, "b"), owned(&[None, Some(""), Some("\""), Some(""), Some("")]));
        let frame = read(TEXT, |reader| reader.null_values(["z"]));
        assert_eq!(texts(&frame, "a"), owned(&[Some(""), None, None, Some("q"), Some("")]));
        // The empty text among those given means quoted ones too.
        let frame = read(TEXT, |reader| reader.null_values(["z", ""]));
        assert_eq!(texts(&frame, "a"), owned(&[None, None, None, Some("q"), None]));
        // Without quotes anywhere.
        let frame = read("a,b\n,x\ny,\n", |reader| reader.empty_is_null(false));
        assert_eq!(texts(&frame, "a"), owned(&[Some(""), Some("y")]));
        // A column that has nothing else.
        let frame = read("a,b\n\"\",1\n,2\n\"\",3\n", |reader| reader);
        assert_eq!(texts(&frame, "a"), owned(&[Some(""), None, Some("")]));
        // Other quotes, and none.
        let frame = read("a,b\n'',1\n,2\n\"\",3\n", |reader| reader.quote(b'\''));
        assert_eq!(texts(&frame, "a"), owned(&[Some(""), None, Some("\"\"")]));
        let frame = read("a,b\n\"\",1\n,2\n", |reader| reader.quote(None));
        assert_eq!(texts(&frame, "a"), owned(&[Some("\"\""), None]));
    });
}

#[test]
fn empty_strings_and_nulls_are_written_apart() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.csv");
        let mut rng = Rng::new(7);
        let mut pick = || match rng.below(4) {
            0 => None,
            1 => Some(String::new()),
            2 => Some("a\"b,\n".to_owned()),
            _ => Some("text".to_owned()),
        };
        let rows = 1000;
        let words: Vec<Option<String>> = (0..rows).map(|_| pick()).collect();
        let levels: Vec<Option<String>> = (0..rows).map(|_| pick()).collect();
        let frame = df! {
            "n" => (0..rows).map(|n| (n % 3 > 0).then_some(n)).collect::<Vec<Option<i64>>>(),
            "s" => words.clone(),
            "level" => categories(levels.clone()),
        };
        let frame = frame.expect("a frame");
        for null in ["", "NA"] {
            frame.write_csv_with(&path, &CsvWriteOptions::new().null(null)).expect("written");
            let read = read_csv(&path).null_values([null].into_iter().filter(|null| !null.is_empty())).read();
            let read = read.expect("a frame");
            assert_eq!(
                (texts(&read, "s"), texts(&read, "level")),
                (words.clone(), levels.clone()),
                "{null:?}"
            );
            assert_eq!(values(&read, "n"), values(&frame, "n"));
        }
        // As pandas writes them.
        let few = df! { "n" => [1, 2, 3], "s" => [Some(""), None, Some("x")] }.expect("a frame");
        few.write_csv_with(&path, &CsvWriteOptions::new().quote_empty(false)).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), "n,s\n1,\n2,\n3,x\n");
        // A line of a frame of one column has characters, so that no reader skips it.
        let one = df! { "s" => [Some(""), None, Some("x")] }.expect("a frame");
        one.write_csv(&path).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), "s\n\"\"\n\"\"\nx\n");
        assert_eq!(read_csv(&path).read().expect("a frame").len(), 3);
    });
}

/// Text against that of arrow-rs, which has no quotes around empty strings.
#[test]
fn rows_become_text_as_by_the_library() {
    let text = StringArray::from(vec![Some("a;b"), None, Some("say \"hi\""), Some("two\nlines"), Some("\r")]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text, \"quoted\"", Arc::new(text)),
        ("", Arc::new(Int64Array::from(vec![Some(1), None, Some(-3), Some(i64::MAX), Some(0)]))),
        ("x", Arc::new(Float64Array::from(vec![Some(0.1), Some(f64::NAN), None, Some(1e300), Some(-0.0)]))),
        ("b", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), None, None]))),
        ("day", Arc::new(Date32Array::from(vec![Some(0), None, Some(-1), Some(20000), None]))),
        (
            "level",
            Arc::new(["low", "", "low", "mid", ""].into_iter().collect::<DictionaryArray<Int32Type>>()),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    for columns in [&[0, 1, 2, 3, 4, 5][..], &[1], &[0], &[5]] {
        let batch = batch.project(columns).expect("columns");
        for (delimiter, null) in [(b',', ""), (b';', "NA"), (b'\t', "a;b"), (b'|', "\"")] {
            let encoding = Encoding { delimiter, null: null.to_owned(), quote_empty: false };
            let mut made = encoding.header(&batch);
            made.extend(encoding.rows(&batch).expect("text"));
            let mut writer = WriterBuilder::new().with_delimiter(delimiter).with_null(null.to_owned());
            writer = writer.with_header(true);
            let mut writer = writer.build(Vec::new());
            writer.write(&batch).expect("written");
            let expected = String::from_utf8(writer.into_inner()).expect("text");
            assert_eq!(String::from_utf8(made).expect("text"), expected, "{columns:?} {null:?}");
        }
    }
}
