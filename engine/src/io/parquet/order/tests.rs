//! Ordered dictionaries in structs and lists, written here and by other libraries.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema};
use columnade_columns::{DType, ErrorKind};
use columnade_ops::expression::{col, lit};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use tempfile::tempdir;

use crate::dataframe::DataFrame;
use crate::io::{ParquetWriteOptions, read_parquet};
use crate::testing::{managed, on_every_device, values};

const ORDERED: &str = "dictionary<int32, utf8, ordered>";
const CATEGORIES: [&str; 4] = ["low", "mid", "high", "é"];

fn texts(categories: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(categories.to_vec()))
}

/// The codes and null, over and over.
fn levels(values: ArrayRef, rows: usize) -> ArrayRef {
    let codes = (0..rows).map(|row| i32::try_from(row * 7 % 5 % (values.len() + 1)).ok());
    let codes = codes.map(|code| code.filter(|&code| code < i32::try_from(values.len()).unwrap_or(0)));
    Arc::new(DictionaryArray::new(codes.collect::<Int32Array>(), values))
}

fn ordered(name: &str, array: &ArrayRef) -> Field {
    Field::new(name, array.data_type().clone(), true).with_dict_is_ordered(true)
}

/// `row: struct<level, n>`, null in every fourth row; `list: list<struct<level, n>>` of none, one and more of these, and
/// `lists`, lists of lists of the dictionary.
fn nested(categories: &[&str], rows: usize) -> DataFrame {
    let level = levels(texts(categories), rows);
    let n: ArrayRef = Arc::new(Int64Array::from_iter_values(0..i64::try_from(rows).expect("few rows")));
    let fields = vec![ordered("level", &level), Field::new("n", DataType::Int64, true)];
    let nulls: NullBuffer = (0..rows).map(|row| row % 4 != 3).collect();
    let row = StructArray::new(fields.into(), vec![Arc::clone(&level), n], Some(nulls));
    let row: ArrayRef = Arc::new(row);
    let list = lists(Field::new("item", row.data_type().clone(), true), &row);
    let inner = lists(ordered("item", &level), &level);
    let outer = lists(Field::new("item", inner.data_type().clone(), true), &inner);
    let named = [("row", row), ("list", list), ("lists", outer)];
    DataFrame::from_arrow(&RecordBatch::try_from_iter(named).expect("a batch")).expect("a frame")
}

/// As many lists as items: of 0, 2, 0, 2, … items.
fn lists(item: Field, items: &ArrayRef) -> ArrayRef {
    let ends = (0..items.len()).map(|row| if row % 2 == 0 { 0 } else { 2 });
    let mut left = items.len();
    let lengths = ends.map(|length| {
        let length = length.min(left);
        left -= length;
        length
    });
    let offsets = arrow_buffer::OffsetBuffer::<i32>::from_lengths(lengths);
    let used = usize::try_from(offsets.last()).expect("an offset");
    Arc::new(arrow_array::ListArray::new(Arc::new(item), offsets, items.slice(0, used), None))
}

fn assert_same(read: &DataFrame, expected: &DataFrame, what: &str) {
    assert_eq!(read.dtypes(), expected.dtypes(), "{what}");
    // The categories of nested dictionaries too.
    let difference = read.difference(&expected.ignore_index()).expect("compared");
    assert!(difference.is_none(), "{what}: {difference:?}");
}

#[test]
fn nested_ordered_dictionaries_round_trip() {
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        for rows in [0, 1, 4, 33, 200] {
            let frame = nested(&CATEGORIES, rows);
            assert!(frame.dtypes().iter().all(|dtype| dtype.to_string().contains(ORDERED)));
            for group in [1, 3, 1000] {
                let options = ParquetWriteOptions::new().row_group_rows(group);
                frame.write_parquet_with(&path, &options).expect("written");
                let what = format!("{rows} rows in groups of {group}");
                assert_same(&read_parquet(&path).read().expect("read"), &frame, &what);
            }
            let (from, len) = (rows / 3, rows / 2);
            let slice = frame.slice(from, len).expect("rows");
            slice.write_parquet(&path).expect("written");
            assert_same(&read_parquet(&path).read().expect("read"), &slice, "a slice");
            let some = read_parquet(&path).rows(1..5).columns(["list"]).read().expect("read");
            let expected = slice.slice(1.min(len), 4.min(len.saturating_sub(1))).expect("rows");
            assert_same(&some, &expected.select([col("list")]).expect("a column"), "some rows");
        }
        let footer = fs::File::open(&path).expect("a file");
        let footer = ArrowReaderMetadata::load(&footer, ArrowReaderOptions::new()).expect("a footer");
        let fields = footer.schema().fields();
        assert!(!fields.iter().any(|field| super::super::has_order(field)), "other readers see no order");

        // In parts, under a budget.
        let frame = nested(&CATEGORIES, 3000);
        frame.write_parquet_with(&path, &ParquetWriteOptions::new().row_group_rows(100)).expect("written");
        let (tight, _manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "40 kB")]);
        let read = read_parquet(&path).exec(&tight).read().expect("read");
        assert_same(&read, &frame, "in parts");
    });
}

/// As pyarrow and Polars (`Enum`) write them: four rows, the categories are low, mid, high.
#[test]
fn nested_orders_of_other_writers_are_read() {
    let files: [(&str, &[u8]); 2] = [
        ("pyarrow", include_bytes!("../../../../tests/files/pyarrow-nested-orders.parquet")),
        ("polars", include_bytes!("../../../../tests/files/polars-nested-orders.parquet")),
    ];
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        for (writer, bytes) in files {
            let path = folder.path().join("f.parquet");
            fs::write(&path, bytes).expect("written");
            let read = read_parquet(&path).read().expect("read");
            assert_same(&read, &expected(&["low", "mid", "high"]), writer);
            let again = folder.path().join("again.parquet");
            read.write_parquet(&again).expect("written");
            assert_same(&read_parquet(&again).read().expect("read"), &read, writer);
            let level = || col("row").struct_().field("level");
            let above = read.filter(level().gt(lit("low"))).expect("compared by their order");
            assert_eq!(above.len(), 2, "{writer}");
        }
    });
}

fn expected(categories: &[&str]) -> DataFrame {
    let codes = Int32Array::from(vec![Some(2), None, None, Some(2)]);
    let level: ArrayRef = Arc::new(DictionaryArray::new(codes, texts(categories)));
    let n: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(2), None, Some(4)]));
    let fields = vec![ordered("level", &level), Field::new("n", DataType::Int64, true)];
    let nulls = NullBuffer::from(vec![true, true, false, true]);
    let row: ArrayRef = Arc::new(StructArray::new(fields.into(), vec![level, n], Some(nulls)));
    let mut list =
        StringDictionaryBuilder::<Int32Type>::new_with_dictionary(4, &StringArray::from(categories.to_vec()))
            .map(ListBuilder::new)
            .expect("categories");
    list.append_value([Some("high")]);
    list.append_value([None::<&str>; 0]);
    list.append_value([None, Some("low"), Some("high")]);
    list.append_value([None::<&str>; 0]);
    let list = list.finish();
    let (_, offsets, items, nulls) = list.into_parts();
    let list: ArrayRef =
        Arc::new(arrow_array::ListArray::new(Arc::new(ordered("item", &items)), offsets, items, nulls));
    let batch = RecordBatch::try_from_iter([("row", row), ("list", list)]).expect("a batch");
    DataFrame::from_arrow(&batch).expect("a frame")
}

#[test]
fn nested_orders_of_files_must_agree() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let of = |name: &str, frame: &DataFrame| {
            let path = folder.path().join(name);
            frame.write_parquet(&path).expect("written");
            path
        };
        let row = |categories: &[&str]| nested(categories, 8).select([col("row")]).expect("a column");
        let whole = of("a.parquet", &row(&["low", "mid"]));
        let more = of("b.parquet", &row(&["low", "mid", "high"]));
        let other = of("c.parquet", &row(&["mid", "low"]));
        let n = DataFrame::new([("n", [1_i64, 2])]).and_then(|frame| frame.to_struct()).expect("a struct");
        let lacking = of("d.parquet", &DataFrame::new([("row", n)]).expect("a frame"));
        let dtype = |paths: &[&Path]| {
            let read = read_parquet(paths).read().expect("read");
            let found: Vec<String> = paths.iter().flat_map(|path| texts_of(path)).collect();
            assert_eq!(values(&read, "row").iter().map(levels_only).collect::<Vec<_>>(), found);
            let DType::Struct(fields) = &read.dtypes()[0] else { panic!("a struct") };
            let level = fields.iter().find(|field| field.name == "level").expect("there");
            level.dtype.to_string()
        };
        assert_eq!(dtype(&[&whole, &more]), ORDERED);
        assert_eq!(dtype(&[&more, &lacking, &whole]), ORDERED);
        assert_eq!(dtype(&[&whole, &other]), "dictionary<int32, utf8>");
    });
}

/// What a row has as its level, whatever the order of its fields.
fn levels_only(row: &columnade_columns::Scalar) -> String {
    let shown = row.to_string();
    ["low", "mid", "high"].iter().filter(|level| shown.contains(*level)).copied().collect()
}

fn texts_of(path: &Path) -> Vec<String> {
    values(&read_parquet(path).read().expect("read"), "row").iter().map(levels_only).collect()
}

/// Values that come back from structs and lists without a dictionary.
#[test]
fn nested_ordered_dictionary_of_timestamps_is_refused() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let times: ArrayRef = Arc::new(arrow_array::TimestampSecondArray::from(vec![3, 1]));
        let level = levels(times, 4);
        let list = lists(ordered("item", &level), &level);
        let rows: ArrayRef = Arc::new(StructArray::from(vec![(
            Arc::new(Field::new("in", list.data_type().clone(), true)),
            list,
        )]));
        let schema = Schema::new(vec![Field::new("row", rows.data_type().clone(), true)]);
        let batch = RecordBatch::try_new(Arc::new(schema), vec![rows]).expect("a batch");
        let frame = DataFrame::from_arrow(&batch).expect("a frame");
        let error = frame.write_parquet(&path).expect_err("an order");
        assert_eq!(error.kind(), ErrorKind::NotImplemented);
        assert!(error.to_string().contains("\"row.in[]\" is an ordered dictionary"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    });
}
