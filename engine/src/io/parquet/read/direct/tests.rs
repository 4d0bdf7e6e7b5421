//! Columns that are decoded in place, against Arrow's own reader, over encodings, versions of pages, and nulls.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int32Type, Int64Type,
    TimestampMicrosecondType, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, BinaryArray, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::DataType;
use columnade_buffers::{Device, Exec};
use columnade_columns::Column;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use tempfile::tempdir;

use super::super::file::{self, Footers};
use super::super::plan::{Plan, Request};
use super::codes::{Codes, Run, validity};
use crate::dataframe::DataFrame;
use crate::io::read_parquet;

/// Every `step`-th value is null; 0 for none.
fn numbers<T: ArrowPrimitiveType>(
    rows: usize,
    step: usize,
    of: impl Fn(i64) -> T::Native,
) -> PrimitiveArray<T> {
    let value = |row: usize| {
        let number = i64::try_from(row * 7919 % 1009).expect("small") - 400;
        (step == 0 || !row.is_multiple_of(step)).then(|| of(number))
    };
    (0..rows).map(value).collect()
}

/// Numbers, times, decimals of three widths, texts that are short, long and not ASCII, and few of them, and bytes.
fn batch(rows: usize, step: usize) -> RecordBatch {
    let decimal = |precision: u8| -> ArrayRef {
        let values = numbers::<Decimal128Type>(rows, step, i128::from);
        Arc::new(values.with_precision_and_scale(precision, 2).expect("digits"))
    };
    let has_value = |row: usize| step == 0 || !row.is_multiple_of(step);
    let long = |row: usize| has_value(row).then(|| format!("{row} ét{}", "x".repeat(row % 50)));
    let few = |row: usize| {
        has_value(row).then(|| ["", "A", "ß", "a text with more than thirty-two bytes"][row % 4])
    };
    let bytes = |row: usize| has_value(row).then(|| vec![0xff_u8; row % 5]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("i32", Arc::new(numbers::<Int32Type>(rows, step, |n| i32::try_from(n).expect("small")))),
        ("u32", Arc::new(numbers::<UInt32Type>(rows, step, |n| n.unsigned_abs().try_into().expect("small")))),
        ("i64", Arc::new(numbers::<Int64Type>(rows, step, |n| n << 40))),
        ("u64", Arc::new(numbers::<UInt64Type>(rows, step, i64::cast_unsigned))),
        ("f32", Arc::new(numbers::<Float32Type>(rows, step, |n| if n == 0 { f32::NAN } else { -0.0 }))),
        (
            "f64",
            Arc::new(numbers::<Float64Type>(rows, step, |n| {
                f64::from(i32::try_from(n).expect("small")) / 8.0
            })),
        ),
        ("day", Arc::new(numbers::<Date32Type>(rows, step, |n| i32::try_from(n).expect("small")))),
        ("time", Arc::new(numbers::<TimestampMicrosecondType>(rows, step, |n| n))),
        ("d9", decimal(9)),
        ("d15", decimal(15)),
        ("d38", decimal(38)),
        ("long", Arc::new((0..rows).map(long).collect::<StringArray>())),
        ("few", Arc::new((0..rows).map(few).collect::<StringArray>())),
        ("bytes", Arc::new((0..rows).map(bytes).collect::<BinaryArray>())),
        ("nothing", Arc::new((0..rows).map(|_| None::<i64>).collect::<PrimitiveArray<Int64Type>>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, values)| {
        let is_nullable = values.null_count() > 0 || name == "nothing";
        (name, values, is_nullable)
    }))
    .expect("columns of one length")
}

fn write(path: &Path, batch: &RecordBatch, properties: WriterPropertiesBuilder, group_rows: usize) {
    let properties =
        properties.set_max_row_group_row_count(Some(group_rows)).set_data_page_row_count_limit(50).build();
    let file = File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
    // Pages end between batches.
    for start in (0..batch.num_rows()).step_by(40) {
        writer.write(&batch.slice(start, 40.min(batch.num_rows() - start))).expect("written");
    }
    writer.close().expect("closed");
}

/// What Arrow's reader makes of a file, as a frame: the type of the column is that of the frame that is compared with it.
fn assert_read_alike(read: &DataFrame, path: &Path, context: &str) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).expect("a file")).expect("a file");
    let schema = Arc::clone(reader.schema());
    let batches: Vec<RecordBatch> = reader
        .with_batch_size(1 << 20)
        .build()
        .expect("a reader")
        .map(|batch| batch.expect("rows"))
        .collect();
    for (at, field) in schema.fields().iter().enumerate() {
        let arrays: Vec<ArrayRef> = batches.iter().map(|batch| Arc::clone(batch.column(at))).collect();
        let column = read.column(field.name()).expect("the column").into_values();
        assert_eq!(
            column.null_count(read.exec()).expect("counted"),
            arrays.iter().map(Array::null_count).sum::<usize>(),
            "{context}, {}",
            field.name()
        );
        let text = |column: &Column, row: usize| format!("{:?}", column.get(row).expect("a row"));
        let mut row = 0;
        for array in &arrays {
            let expected = Column::from_arrow(array).expect("a column");
            for of_array in 0..array.len() {
                let (value, expected) = (text(&column, row), text(&expected, of_array));
                // Narrow decimals have another variant.
                let digits = |text: &str| {
                    text.split(',')
                        .next()
                        .map(|text| text.replace("Decimal128(", "").replace("Decimal(", ""))
                        .unwrap_or_default()
                };
                let same = value == expected
                    || (matches!(field.data_type(), DataType::Decimal128(..))
                        && digits(&value) == digits(&expected));
                assert!(same, "{context}, {}, row {row}: {value} is not {expected}", field.name());
                row += 1;
            }
        }
        assert_eq!(column.size(), row, "{context}, {}", field.name());
    }
}

/// The columns of a file that are decoded in place.
fn in_place(path: &Path) -> usize {
    in_place_with(path, &[])
}

/// The same where these columns are read as dictionaries.
fn in_place_with(path: &Path, dictionaries: &[String]) -> usize {
    let footers = Footers { int96: None, page_index: false, partitions: false };
    let files = file::find(&[path.to_owned()], footers).expect("a footer");
    let request = Request { columns: None, dictionaries, filter: None, rows: None };
    let plan = Plan::new(files, &request).expect("a plan");
    super::columns(&plan, plan.row_groups(), 0..plan.fields().len(), Some(&Exec::host())).len()
}

#[test]
#[cfg(all(feature = "lz4", feature = "zstd"))]
fn files_of_every_encoding_are_read_as_arrow_reads_them() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let properties = || WriterProperties::builder().set_compression(Compression::SNAPPY);
    let plain = || properties().set_dictionary_enabled(false);
    for (name, properties) in [
        ("dictionaries", properties()),
        ("second version", properties().set_writer_version(WriterVersion::PARQUET_2_0)),
        ("plain", plain()),
        (
            "plain, second version",
            plain().set_writer_version(WriterVersion::PARQUET_2_0).set_encoding(Encoding::PLAIN),
        ),
        // The dictionary is full after some pages.
        ("both", properties().set_dictionary_page_size_limit(300).set_encoding(Encoding::PLAIN)),
        ("not packed", plain().set_compression(Compression::UNCOMPRESSED)),
        ("zstd", properties().set_compression(Compression::ZSTD(ZstdLevel::default()))),
        (
            "zstd, second version",
            properties()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .set_writer_version(WriterVersion::PARQUET_2_0),
        ),
        ("a codec of the library", properties().set_compression(Compression::LZ4_RAW)),
    ] {
        for (rows, step, group_rows) in [
            (0, 0, 10),
            (1, 0, 10),
            (1, 1, 10),
            (31, 3, 100),
            (33, 0, 32),
            (1000, 3, 300),
            (1000, 0, 333),
            (1000, 64, 1000),
            (1000, 1, 1000),
        ] {
            let context = format!("{name}, {rows} rows, nulls each {step}, groups of {group_rows}");
            write(&path, &batch(rows, step), properties.clone(), group_rows);
            if rows > 0 {
                assert_eq!(in_place(&path), 15, "{context}");
            }
            for device in Device::available() {
                let exec = Exec::new(device).expect("a device");
                let read = read_parquet(&path).exec(&exec).read().expect("read");
                assert_read_alike(&read, &path, &format!("{context} on {device}"));
            }
            let two = read_parquet([&path, &path]).read().expect("read");
            assert_eq!(two.len(), 2 * rows, "{context}");
        }
    }
}

/// The values of a column of strings or of a dictionary of them, as text.
fn texts(frame: &DataFrame, column: &str) -> Vec<String> {
    let column = frame.column(column).expect("the column").into_values();
    column.to_scalars().expect("scalars").iter().map(ToString::to_string).collect()
}

/// Codes and their dictionaries are read as they are, and have the values that the strings have: with one dictionary a row group,
/// one that is full after some pages, and none.
#[test]
fn dictionaries_are_decoded_as_codes() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let properties = || WriterProperties::builder().set_compression(Compression::SNAPPY);
    let columns = ["few".to_owned(), "long".to_owned()];
    for (name, properties) in [
        ("dictionaries", properties()),
        ("second version", properties().set_writer_version(WriterVersion::PARQUET_2_0)),
        ("both", properties().set_dictionary_page_size_limit(300).set_encoding(Encoding::PLAIN)),
        ("plain", properties().set_dictionary_enabled(false)),
    ] {
        for (rows, step, group_rows) in [
            (0, 0, 10),
            (1, 0, 10),
            (1, 1, 10),
            (33, 0, 32),
            (1000, 3, 300),
            (1000, 0, 333),
            (1000, 64, 1000),
            (1000, 1, 300),
        ] {
            let context = format!("{name}, {rows} rows, nulls each {step}, groups of {group_rows}");
            write(&path, &batch(rows, step), properties.clone(), group_rows);
            let plain = read_parquet(&path).read().expect("read");
            if rows > 0 {
                assert_eq!(in_place_with(&path, &columns), 15, "{context}");
            }
            for device in Device::available() {
                let exec = Exec::new(device).expect("a device");
                let read = read_parquet(&path).dictionary(columns.clone()).exec(&exec).read().expect("read");
                for column in &columns {
                    let dtype = read.column(column.as_str()).expect("there").dtype().to_string();
                    assert_eq!(dtype, "dictionary<int32, utf8>", "{context} on {device}");
                    assert_eq!(
                        texts(&read, column),
                        texts(&plain, column),
                        "{context}, {column} on {device}"
                    );
                }
            }
            let two = read_parquet([&path, &path]).dictionary(columns.clone()).read().expect("read");
            assert_eq!(texts(&two, "few")[rows..], texts(&plain, "few"), "{context}");
            let categories = two.column("few").expect("there").cat().categories().expect("values");
            assert!(categories.len() <= 4, "{context}: one dictionary without values that are there twice");
        }
    }
}

/// Row groups whose dictionaries have the same values in another order, and others.
#[test]
fn dictionaries_of_row_groups_become_one() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let values = [["b", "a", "b", "ü"], ["a", "b", "a", "b"], ["", "ü", "c", ""]];
    let column: ArrayRef = Arc::new(values.iter().flatten().map(Some).collect::<StringArray>());
    let batch = RecordBatch::try_from_iter([("s", column)]).expect("a batch");
    write(&path, &batch, WriterProperties::builder(), 4);
    let read = read_parquet(&path).dictionary(["s"]).read().expect("read");
    assert_eq!(texts(&read, "s"), values.concat());
    let categories = read.column("s").expect("there").cat().categories().expect("values");
    let categories: Vec<String> =
        categories.to_scalars().expect("scalars").iter().map(ToString::to_string).collect();
    assert_eq!(categories, ["b", "a", "ü", "", "c"]);
}

/// The dtype of a column follows its pages only where that is asked for, and all pages of all files count.
#[test]
fn dictionaries_of_files_are_those_that_all_pages_are_in() {
    let folder = tempdir().expect("a folder");
    let file = |name: &str, properties: WriterPropertiesBuilder, rows| {
        let path = folder.path().join(name);
        write(&path, &batch(rows, 3), properties, 300);
        path
    };
    let coded = file("a.parquet", WriterProperties::builder(), 400);
    let is_dictionary = |frame: &DataFrame, column: &str| {
        frame.column(column).expect("there").dtype().to_string().starts_with("dictionary<")
    };
    let read = read_parquet(&coded).dictionaries(true).read().expect("read");
    assert!(is_dictionary(&read, "few") && is_dictionary(&read, "long") && !is_dictionary(&read, "bytes"));
    assert!(!is_dictionary(&read_parquet(&coded).read().expect("read"), "few"));
    let chosen = read_parquet(&coded).columns(["few"]).dictionaries(true).read().expect("read");
    assert_eq!((chosen.shape(), is_dictionary(&chosen, "few")), ((400, 1), true));
    for frame in read_parquet(&coded).dictionaries(true).scan().expect("footers") {
        assert!(is_dictionary(&frame.expect("rows"), "few"));
    }
    // The dictionary of `long` is full after some pages of the first row group.
    let full = WriterProperties::builder().set_dictionary_page_size_limit(300).set_encoding(Encoding::PLAIN);
    let both = file("b.parquet", full, 400);
    let read = read_parquet([&coded, &both]).dictionaries(true).read().expect("read");
    assert!(is_dictionary(&read, "few") && !is_dictionary(&read, "long"));
    let none = file("c.parquet", WriterProperties::builder(), 0);
    assert!(!is_dictionary(&read_parquet(&none).dictionaries(true).read().expect("read"), "few"));
    let read = read_parquet([&none, &coded]).dictionaries(true).read().expect("read");
    assert!(is_dictionary(&read, "few"), "a file without rows has no say");
}

/// Deltas are left to the decoder of arrays, in a column of the file or in pages that the footer says nothing of.
#[test]
fn other_encodings_are_read_too() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_column_encoding("i32".into(), Encoding::DELTA_BINARY_PACKED)
        .set_column_encoding("f64".into(), Encoding::BYTE_STREAM_SPLIT)
        .set_column_encoding("long".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
        .set_column_encoding("few".into(), Encoding::DELTA_BYTE_ARRAY);
    write(&path, &batch(500, 7), properties, 200);
    assert_eq!(in_place(&path), 11);
    let read = read_parquet(&path).read().expect("read");
    assert_read_alike(&read, &path, "deltas");
}

/// Damage in any byte of the pages gives what the decoder of arrays gives: an error, or the values.
#[test]
fn damaged_pages_are_errors_or_values() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    for compression in
        [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default())]
    {
        let properties = WriterProperties::builder().set_compression(compression);
        write(&path, &batch(60, 5), properties, 60);
        let good = fs::read(&path).expect("bytes");
        let (mut failed, mut read) = (0, 0);
        for at in (4..good.len() - 8).step_by(11) {
            let mut bytes = good.clone();
            bytes[at] ^= 0x55;
            fs::write(&path, &bytes).expect("written");
            match read_parquet(&path).dictionary(["few"]).read() {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(error.to_string().contains("a.parquet"), "{error}");
                    failed += 1;
                }
            }
        }
        assert!(failed > 50 && read > 50, "{compression}: {failed} failed, {read} were read");
    }
}

/// Packed values of each width, repeated ones, and reads that end within runs.
#[test]
fn codes_of_every_width_are_unpacked() {
    for width in 0..=32_usize {
        let mask = if width == 0 { 0 } else { u32::MAX >> (32 - width) };
        let values: Vec<u32> = (0..72_u32).map(|n| n.wrapping_mul(2_654_435_761) & mask).collect();
        // Nine eights of packed values, then 100 times one.
        let mut bytes = vec![9 << 1 | 1];
        let mut bits = vec![false; 72 * width];
        for (at, value) in values.iter().enumerate() {
            for bit in 0..width {
                bits[at * width + bit] = value >> bit & 1 == 1;
            }
        }
        bytes.extend(
            bits.chunks(8)
                .map(|bits| bits.iter().enumerate().map(|(at, bit)| u8::from(*bit) << at).sum::<u8>()),
        );
        bytes.extend([200, 1]);
        bytes.extend(&(0x0102_0304 & mask).to_le_bytes()[..width.div_ceil(8)]);
        let mut expected = values.clone();
        expected.extend([0x0102_0304 & mask; 100]);
        for step in [1, 7, 32, 172] {
            let mut codes = Codes::new(&bytes, width).expect("a width");
            let mut read = Vec::new();
            for start in (0..172).step_by(step) {
                let take = |run: Run<'_>| {
                    match run {
                        Run::Repeated(code, count) => read.extend(std::iter::repeat_n(code, count)),
                        Run::Packed(codes) => read.extend_from_slice(codes),
                    }
                    Some(())
                };
                codes.read(step.min(172 - start), take).expect("codes");
            }
            assert_eq!(read, expected, "{width} bits, {step} at a time");
            assert!(codes.read(1, |_| Some(())).is_none(), "there are no more");
        }
    }
    assert!(Codes::new(&[], 33).is_none());
    assert!(Codes::new(&[0x80; 9], 1).expect("a width").read(1, |_| Some(())).is_none());
}

#[test]
fn levels_say_which_rows_have_values() {
    // Ten ones; then eight packed and five zeros.
    assert_eq!(validity(&[20, 1], 10), Some(None));
    let valid = validity(&[20, 1, 3, 0b1010_0101, 10, 0], 23).expect("levels").expect("nulls");
    let expected = [vec![true; 10], vec![true, false, true, false, false, true, false, true], vec![false; 5]];
    assert_eq!(valid.iter().collect::<Vec<_>>(), expected.concat());
    // Packed ones are no nulls, and there are too few levels for eleven rows.
    assert_eq!(validity(&[3, 0xff], 8), Some(None));
    assert_eq!(validity(&[20, 1], 11), None);
    assert_eq!(validity(&[3], 8), None);
}
