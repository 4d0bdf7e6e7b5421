//! Dictionaries of every type of values, as this crate and Arrow's own writer keep them in a file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Float16Type;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, Date32Array, Decimal32Array,
    Decimal64Array, Decimal128Array, DictionaryArray, DurationSecondArray, FixedSizeBinaryArray,
    FixedSizeListArray, Float16Array, Float64Array, Int8Array, Int64Array, ListArray, MapArray, NullArray,
    RecordBatch, StringArray, StructArray, TimestampMillisecondArray, UInt8Array,
};
use arrow_schema::{Field, Schema};
use columnade_buffers::Exec;
use columnade_columns::{Column, ErrorKind};
use columnade_ops::expression::{col, lit};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use tempfile::tempdir;

use crate::dataframe::DataFrame;
use crate::io::{ParquetWriteOptions, read_parquet};
use crate::testing::{managed, on_every_device, values};

/// Rows of each of two arrays, whose dictionaries have no value in common.
const ROWS: usize = 210;
/// Values of both; 8-bit codes are enough for those of one.
const VALUES: u8 = 200;

/// Values of each type, with the dtypes that they are read as in a column and within structs and lists.
fn cases() -> Vec<(ArrayRef, &'static str, &'static str)> {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    let all = || 0..VALUES;
    let whole = || all().map(i64::from);
    let texts: Vec<String> = all().map(|n| format!("é{n}")).collect();
    let bytes: Vec<[u8; 3]> = all().map(|n| [n, 0, 255]).collect();
    let money = Decimal128Array::from_iter_values(whole().map(|n| i128::from(n) - 100));
    let small = Decimal32Array::from_iter_values(all().map(|n| i32::from(n) - 100));
    let wide = Decimal64Array::from_iter_values(whole().map(|n| n - 100));
    let decimal = "an array of decimals";
    vec![
        (Arc::new(BooleanArray::from(vec![true, false])), "dictionary<int8, bool>", "bool"),
        (Arc::new(NullArray::new(VALUES.into())), "dictionary<int8, utf8>", "null"),
        (Arc::new(StringArray::from(texts)), "dictionary<int32, utf8>", "dictionary<int32, utf8>"),
        (
            Arc::new(BinaryArray::from_iter_values(&bytes)),
            "dictionary<int32, binary>",
            "dictionary<int32, binary>",
        ),
        (
            Arc::new(FixedSizeBinaryArray::try_from_iter(bytes.iter()).expect("of one size")),
            "dictionary<int32, binary>",
            "dictionary<int32, binary>",
        ),
        (
            Arc::new(Int64Array::from_iter_values(whole())),
            "dictionary<int32, int64>",
            "dictionary<int32, int64>",
        ),
        (
            Arc::new(UInt8Array::from_iter_values(all())),
            "dictionary<int32, uint8>",
            "dictionary<int32, uint8>",
        ),
        (
            Arc::new(Float64Array::from_iter_values(all().map(|n| f64::from(n) / 8.0))),
            "dictionary<int32, float64>",
            "dictionary<int32, float64>",
        ),
        (
            Arc::new(Float16Array::from_iter_values(all().map(|n| Half::from_f32(f32::from(n))))),
            "dictionary<int32, float32>",
            "float32",
        ),
        (
            Arc::new(Date32Array::from_iter_values(all().map(i32::from))),
            "dictionary<int32, date32>",
            "dictionary<int32, date32>",
        ),
        (
            Arc::new(DurationSecondArray::from_iter_values(whole())),
            "dictionary<int32, duration[s]>",
            "dictionary<int32, duration[s]>",
        ),
        (
            Arc::new(TimestampMillisecondArray::from_iter_values(whole())),
            "dictionary<int32, timestamp[ms]>",
            "timestamp[ms]",
        ),
        (
            Arc::new(small.with_precision_and_scale(7, 2).expect(decimal)),
            "dictionary<int32, decimal(7,2)>",
            "decimal32(7,2)",
        ),
        (
            Arc::new(wide.with_precision_and_scale(15, 2).expect(decimal)),
            "dictionary<int32, decimal(15,2)>",
            "decimal(15,2)",
        ),
        (
            Arc::new(money.clone().with_precision_and_scale(5, 2).expect(decimal)),
            "dictionary<int32, decimal(5,2)>",
            "decimal128(5,2)",
        ),
        (
            Arc::new(money.with_precision_and_scale(25, 2).expect(decimal)),
            "dictionary<int32, decimal(25,2)>",
            "decimal(25,2)",
        ),
    ]
}

/// Every seventh row is null.
fn key(row: usize, values: usize) -> Option<usize> {
    (row % 7 != 3).then_some(row * 31 % values)
}

fn dictionary(rows: usize, values: &ArrayRef) -> ArrayRef {
    let key = |row| key(row, values.len()).map(|key| i8::try_from(key).expect("so few values"));
    let keys: Int8Array = (0..rows).map(key).collect();
    Arc::new(DictionaryArray::new(keys, Arc::clone(values)))
}

/// A column of a dictionary, and structs and lists of two; every fifth list is null.
fn batch(values: &ArrayRef) -> RecordBatch {
    let (top, items) = (dictionary(ROWS, values), dictionary(2 * ROWS, values));
    let field = Arc::new(Field::new("v", top.data_type().clone(), true));
    let row: ArrayRef = Arc::new(StructArray::from(vec![(Arc::clone(&field), Arc::clone(&top))]));
    let whole: Int8Array = (0..ROWS).map(|list| (list % 5 != 4).then_some(0)).collect();
    let pairs = FixedSizeListArray::new(field, 2, items, whole.nulls().cloned());
    let list: ArrayRef = Arc::new(ListArray::from(pairs));
    let columns = [("top", top), ("row", row), ("list", list)];
    let field = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns.map(|(_, array)| array).to_vec()).expect("a batch")
}

/// The two halves of the values.
fn halves(values: &ArrayRef) -> [ArrayRef; 2] {
    let half = values.len() / 2;
    [values.slice(0, half), values.slice(half, half)]
}

/// What the rows of [`batch`] are as text, column by column.
fn texts(values: &ArrayRef) -> [Vec<String>; 3] {
    let scalars = Column::from_arrow(values).and_then(|column| column.to_scalars()).expect("on the host");
    let text = |row| key(row, scalars.len()).map_or("<NA>".to_owned(), |key| scalars[key].to_string());
    let list = |row| format!("[{}, {}]", text(2 * row), text(2 * row + 1));
    [
        (0..ROWS).map(text).collect(),
        (0..ROWS).map(|row| format!("{{v: {}}}", text(row))).collect(),
        (0..ROWS).map(|row| if row % 5 == 4 { "<NA>".to_owned() } else { list(row) }).collect(),
    ]
}

/// Writes as Arrow's own writer does.
fn write(path: &Path, batches: &[RecordBatch], row_group_rows: usize) {
    let file = fs::File::create(path).expect("a file");
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(row_group_rows)).build();
    let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).expect("a writer");
    for batch in batches {
        writer.write(batch).expect("written");
    }
    writer.close().expect("closed");
}

fn check(read: &DataFrame, parts: &[ArrayRef], label: &str) {
    let parts: Vec<_> = parts.iter().map(texts).collect();
    for (k, column) in ["top", "row", "list"].into_iter().enumerate() {
        let found: Vec<String> = values(read, column).iter().map(ToString::to_string).collect();
        let expected: Vec<String> = parts.iter().flat_map(|part| part[k].clone()).collect();
        assert!(found == expected, "{column} {label}: {found:?} is not {expected:?}");
    }
}

fn dtypes(read: &DataFrame) -> Vec<String> {
    read.dtypes().iter().map(ToString::to_string).collect()
}

/// Of all in one row group as of a few in each, at once and in batches.
#[test]
fn dictionaries_written_by_arrow_rs_read_back_equal() {
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let (tight, _manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "10 kB")]);
        for (all, top, nested) in cases() {
            let parts = halves(&all);
            for row_group_rows in [1000, 77] {
                write(&path, &parts.each_ref().map(batch), row_group_rows);
                for read in [read_parquet(&path), read_parquet(&path).exec(&tight)] {
                    let label = format!("{top} in groups of {row_group_rows} on {device}");
                    let read = read.read().unwrap_or_else(|error| panic!("{label}: {error}"));
                    let expected =
                        [top.to_owned(), format!("struct<v: {nested}>"), format!("list<{nested}>")];
                    assert_eq!(dtypes(&read), expected, "{label}");
                    check(&read, &parts, &label);
                }
            }
        }
    });
}

#[test]
fn dictionaries_written_by_write_parquet_read_back_equal() {
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        for (all, top, _) in cases() {
            let parts = halves(&all);
            let batches = parts.each_ref().map(batch);
            let column = |at: usize| {
                let chunks: Vec<ArrayRef> =
                    batches.iter().map(|batch| Arc::clone(batch.column(at))).collect();
                Column::from_chunks(&chunks, &Exec::host()).expect("one type")
            };
            let frame = DataFrame::new([("top", column(0)), ("row", column(1)), ("list", column(2))]);
            let frame = frame.expect("columns of one length");
            for row_group_rows in [1000, 77] {
                let options = ParquetWriteOptions::new().row_group_rows(row_group_rows);
                frame.write_parquet_with(&path, &options).expect("written");
                let label = format!("{top} in groups of {row_group_rows} on {device}");
                let read = read_parquet(&path).read().unwrap_or_else(|error| panic!("{label}: {error}"));
                assert!(dtypes(&read)[0].starts_with("dictionary<"), "{label}");
                check(&read, &parts, &label);
            }
        }
    });
}

#[test]
fn codes_keep_file_width_if_it_suffices() {
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        for (all, top, _) in cases() {
            let [part, _] = halves(&all);
            write(&path, &[batch(&part)], 77);
            let read = read_parquet(&path).read().expect("read");
            // Text has codes of 32 bits, as when it is read as a dictionary.
            let is_text = top == "dictionary<int32, utf8>";
            let expected = if is_text { top.to_owned() } else { top.replace("int32, ", "int8, ") };
            assert_eq!(dtypes(&read)[0], expected, "{device}");
            check(&read, &[part], top);
            let none = read_parquet(&path).columns(["top"]).filter(lit(false)).read().expect("read");
            assert_eq!((none.len(), dtypes(&none)), (0, vec![expected]), "{device}");
        }
    });
}

/// The values of rows that a filter leaves out count too, wherever the file is cut.
#[test]
fn chunked_reads_give_codes_of_the_same_width() {
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let (tight, _manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "2 kB")]);
        for (all, top, _) in cases() {
            let parts = halves(&all);
            let batches = [(0, &parts[0]), (210, &parts[1])].map(|(first, part)| {
                let numbers = Int64Array::from_iter_values((first..).take(ROWS));
                let columns = [("n", Arc::new(numbers) as ArrayRef), ("top", dictionary(ROWS, part))];
                RecordBatch::try_from_iter(columns).expect("a batch")
            });
            write(&path, &batches, 77);
            let first = (col("n") % lit(1000)).lt(lit(50));
            for read in [read_parquet(&path), read_parquet(&path).exec(&tight)] {
                let (read, statistics) = read.filter(first.clone()).read_with_statistics().expect("read");
                assert_eq!((statistics.row_groups_pruned, &*dtypes(&read)[1]), (0, top), "{device}");
                let found: Vec<String> = values(&read, "top").iter().map(ToString::to_string).collect();
                assert_eq!(found, texts(&parts[0])[0][..50], "{top} on {device}");
            }
        }
    });
}

#[test]
fn boolean_dictionaries_read_as_booleans() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let frame = crate::df! { "a" => crate::builders::categories([true, false, true]) }.expect("a frame");
        frame.write_parquet(&path).expect("written");
        let read = read_parquet(&path).filter(col("a").is_not_null()).read().expect("read");
        assert_eq!((read.dtypes(), values(&read, "a")), (frame.dtypes(), values(&frame, "a")));
    });
}

#[test]
fn boolean_dictionaries_in_maps_read_as_booleans() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false]));
        let flags = DictionaryArray::new(Int8Array::from(vec![0, 1, 0]), flags);
        let maps = MapArray::new_from_strings(["a", "b", "c"].into_iter(), &flags, &[0, 1, 3]).expect("maps");
        let columns = [("m", Arc::new(maps) as ArrayRef)];
        write(&path, &[RecordBatch::try_from_iter(columns).expect("a batch")], 1000);
        let read = read_parquet(&path).read().expect("read");
        assert_eq!(read.dtypes()[0].to_string(), "list<struct<key: utf8, value: bool>>");
        let texts: Vec<String> = values(&read, "m").iter().map(ToString::to_string).collect();
        let expected = ["[{key: a, value: true}]", "[{key: b, value: false}, {key: c, value: true}]"];
        assert_eq!(texts, expected);
    });
}

/// A length in the second column that its page does not have.
#[test]
fn decoder_panic_is_error_naming_file_and_column() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.parquet");
    let mut bytes = include_bytes!("../../../../tests/files/encodings.parquet").to_vec();
    bytes[216] = 0x7f;
    fs::write(&path, bytes).expect("written");
    let error = read_parquet(&path).read().expect_err("a panic");
    assert_eq!(error.kind(), ErrorKind::Io);
    let expected =
        format!("read_parquet {}: the decoder failed in column \"m\", row group 0: ", path.display());
    assert!(error.to_string().starts_with(&expected), "{error}");
    assert_eq!(read_parquet(&path).columns(["n"]).read().expect("the other").len(), 20);
}

/// Files of pandas 3.1.1 with pyarrow 26.0.1 and of Polars 2.1.0: one dictionary in all row groups, one whose pages hold only
/// some of the values, and the dtype `Enum`.
#[test]
fn ordered_dictionaries_of_other_writers_keep_their_order() {
    let files: [(&str, &[u8], &str, &[&str]); 3] = [
        (
            "level",
            include_bytes!("../../../../tests/files/ordered.parquet"),
            "dictionary<int32, utf8, ordered>",
            &["low", "mid", "high", "never"],
        ),
        (
            "level",
            include_bytes!("../../../../tests/files/orders.parquet"),
            "dictionary<int32, utf8>",
            &["x", "y", "z"],
        ),
        (
            "e",
            include_bytes!("../../../../tests/files/merge-polars.parquet"),
            "dictionary<int32, utf8, ordered>",
            &["lo", "hi"],
        ),
    ];
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        for (label, bytes, dtype, categories) in files {
            fs::write(&path, bytes).expect("written");
            let read = read_parquet(&path).read().expect("read");
            let column = read.column(label).expect("there");
            assert_eq!(column.dtype().to_string(), dtype);
            let found = column.cat().categories().expect("values").to_scalars();
            let found: Vec<String> = found.expect("scalars").iter().map(ToString::to_string).collect();
            assert_eq!(found, categories);
            // Part by part, too.
            for frame in read_parquet(&path).scan().expect("footers").batch_rows(1) {
                assert_eq!(frame.expect("rows").column(label).expect("there").dtype(), column.dtype());
            }
        }
        fs::write(&path, files[0].1).expect("written");
        let read = read_parquet(&path).read().expect("read");
        let texts: Vec<String> = values(&read, "level").iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["mid", "low", "<NA>", "high", "mid"]);
        assert_eq!(read.column("kind").expect("there").dtype().to_string(), "dictionary<int32, utf8>");
    });
}
