//! The width of offsets that columns are imported with, through every operation that moves rows.

use std::num::NonZero;
use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, LargeStringBuilder, ListBuilder, StringBuilder};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, Int64Array, LargeBinaryArray, LargeStringArray,
    RecordBatch, StringArray, StructArray,
};
use arrow_schema::{DataType, Field};
use columnade_columns::DType;
use columnade_ops::expression::{col, lit};

use super::{DataFrame, Merge, SortBy, concat};
use crate::arrow::{ArrowArrayStream, ArrowDeviceArrayStream, ExportOptions, ImportOptions};
use crate::io::{ParquetWriteOptions, read_parquet};
use crate::series::Series;
use crate::testing::on_every_device;

/// Columns of 64-bit offsets, by themselves and within others, and two of 32 bits. `text` leads every string.
fn batch(rows: usize, text: &str) -> RecordBatch {
    let strings = || (0..rows).map(|n| (n % 5 > 0).then(|| format!("{text}{}", n % 7)));
    let large: ArrayRef = Arc::new(strings().collect::<LargeStringArray>());
    let narrow: ArrayRef = Arc::new(strings().collect::<StringArray>());
    let (mut lists, mut narrow_lists) =
        (LargeListBuilder::new(LargeStringBuilder::new()), ListBuilder::new(StringBuilder::new()));
    for (row, string) in strings().enumerate() {
        lists.append_value(vec![string.clone(); row % 3]);
        narrow_lists.append_value([string]);
    }
    let lists: ArrayRef = Arc::new(lists.finish());
    let field = |name: &str, array: &ArrayRef| Arc::new(Field::new(name, array.data_type().clone(), true));
    let structs = StructArray::from(vec![
        (field("large", &large), Arc::clone(&large)),
        (field("narrow", &narrow), Arc::clone(&narrow)),
        (field("lists", &lists), Arc::clone(&lists)),
    ]);
    let words = LargeStringArray::from(vec![format!("{text}1"), format!("{text}2"), format!("{text}3")]);
    let codes = (0..rows).map(|n| (n % 4 > 0).then_some(i32::try_from(n % 3).expect("0 to 2")));
    let codes: Int32Array = codes.collect();
    let columns: [(&str, ArrayRef); 8] = [
        (
            "n",
            Arc::new(Int64Array::from_iter_values((0..rows).rev().map(|n| i64::try_from(n).expect("few")))),
        ),
        ("large", Arc::clone(&large)),
        ("binary", Arc::new(strings().collect::<LargeBinaryArray>())),
        ("lists", lists),
        ("structs", Arc::new(structs)),
        ("words", Arc::new(DictionaryArray::new(codes, Arc::new(words)))),
        ("narrow", narrow),
        ("narrow_lists", Arc::new(narrow_lists.finish())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
        .expect("a batch")
}

fn frame(rows: usize, text: &str) -> DataFrame {
    DataFrame::from_arrow(&batch(rows, text)).expect("imported")
}

/// The Arrow type of each column that `frame` has.
fn types(frame: &DataFrame) -> Vec<(String, DataType)> {
    let columns = frame.frame().accessor();
    columns.iter().map(|(label, column)| (label.to_string(), column.arrow_type())).collect()
}

#[track_caller]
fn assert_types(frame: &DataFrame, context: &str) {
    let expected = batch(1, "");
    for (label, found) in types(frame) {
        let field = expected.schema().field_with_name(&label).expect("a column of the batch").clone();
        assert_eq!(found, *field.data_type(), "{label} after {context}");
    }
}

#[test]
fn offset_widths_are_kept_by_operations_that_move_rows() {
    on_every_device(|_| {
        for rows in [0, 1, 33, 64] {
            let frame = frame(rows, "");
            assert_types(&frame, "the import");
            let other = self::frame(rows, "other");
            let keep = |result: crate::Result<DataFrame>, context: &str| {
                let context = format!("{context} of {rows} rows");
                assert_types(&result.unwrap_or_else(|error| panic!("{context}: {error}")), &context);
            };
            keep(frame.slice(rows / 3, rows - rows / 3), "slice");
            keep(frame.head(0), "head(0)");
            keep(frame.deep_copy(), "deep_copy");
            keep(frame.slice(rows / 3, rows / 2).and_then(|slice| slice.deep_copy()), "deep_copy of a slice");
            keep(concat([&frame, &frame]), "concat");
            keep(concat([&frame, &other]), "concat of several dictionaries");
            let (first, none) = (frame.head(rows / 2).expect("rows"), other.head(0).expect("no rows"));
            keep(concat([&none, &first, &none]), "concat with empty frames");
            keep(frame.filter(col("n").gt(lit(2))), "filter");
            keep(frame.filter(col("n").gt(lit(1000))), "filter that keeps no row");
            keep(frame.sort_values([SortBy::ascending("large")]), "sort_values");
            keep(frame.drop_nulls(..), "drop_nulls");
            let key = other.select(["n", "words"]).and_then(|other| other.rename([("words", "right")]));
            let joined = frame.merge(&key.expect("two columns"), &Merge::left().on("n"));
            keep(joined.and_then(|joined| joined.drop(["right"])), "merge");
            keep(frame.merge(&other.select(["n"]).expect("one"), &Merge::semi().on("n")), "semi join");
            for label in ["large", "binary", "words"] {
                let grouped = frame.group_by([label]).agg([col("n").sum().alias("n")]);
                keep(grouped.and_then(|groups| groups.select([label])), "group_by");
            }
            let filled = frame.column("large").and_then(|strings| strings.fill_null("x"));
            let filled = filled.and_then(|filled| frame.with_column("large", filled.values().clone()));
            keep(filled, "fill_null");
            let row = NonZero::new(7).expect("not zero");
            let (export, import) = (ExportOptions::default(), ImportOptions::default());
            let mut stream = frame.to_arrow_c_stream::<ArrowArrayStream>(row, &export).expect("a stream");
            keep(DataFrame::from_arrow_c_stream(&mut stream, &import), "a stream");
            let mut stream =
                frame.to_arrow_c_stream::<ArrowDeviceArrayStream>(row, &export).expect("a stream");
            keep(DataFrame::from_arrow_c_stream(&mut stream, &import), "a device stream");
            let parts = [Ok(none.clone()), Ok(frame.clone()), frame.slice(rows / 2, 0)];
            let mut stream =
                super::export_arrow_stream::<ArrowArrayStream, _>(parts, &export).expect("a stream");
            keep(DataFrame::from_arrow_c_stream(&mut stream, &import), "a stream of several frames");
        }
    });
}

/// Row groups are decoded one by one.
#[test]
fn offset_widths_are_kept_by_parquet() {
    on_every_device(|_| {
        let folder = tempfile::tempdir().expect("a folder");
        for rows in [0, 1, 33] {
            let path = folder.path().join(format!("{rows}.parquet"));
            // A file has strings in its dictionaries, which are read with 32-bit offsets.
            let frame = frame(rows, "").drop(["words"]).expect("the others");
            for group_rows in [7, 100] {
                let options = ParquetWriteOptions::new().row_group_rows(group_rows);
                frame.write_parquet_with(&path, &options).expect("written");
                let read = read_parquet(&path).read().expect("read");
                assert_types(&read, &format!("{rows} rows in groups of {group_rows}"));
                let some = read_parquet(&path).filter(col("n").gt(lit(20))).read().expect("read");
                assert_types(&some, &format!("a filter of {rows} rows in groups of {group_rows}"));
            }
        }
    });
}

/// One column with 64-bit offsets is enough.
#[test]
fn concat_of_two_offset_widths_is_large() {
    on_every_device(|_| {
        let frame = frame(33, "");
        let large = frame.column("large").expect("there");
        let narrow = frame.column("narrow").expect("there");
        let as_frame = |series: &Series| DataFrame::new([("s", series.values().clone())]).expect("a column");
        for pair in [[&narrow, &large], [&large, &narrow]] {
            let both = concat([&as_frame(pair[0]), &as_frame(pair[1])]).expect("one dtype");
            assert_eq!(types(&both)[0].1, DataType::LargeUtf8);
        }
        let both = concat([&as_frame(&narrow), &as_frame(&narrow)]).expect("one dtype");
        assert_eq!((types(&both)[0].1.clone(), both.dtypes()[0].clone()), (DataType::Utf8, DType::Utf8));
    });
}
