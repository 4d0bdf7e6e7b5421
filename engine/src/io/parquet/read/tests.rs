//! Reads of files that this crate and Arrow's own writer made, and of files that are none.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use arrow_array::{
    Array, ArrayRef, DictionaryArray, FixedSizeListArray, Int32Array, ListArray, RecordBatch, StringArray,
    StructArray,
};
use arrow_schema::{Field, Schema};
use columnade_buffers::{Device, Tier};
use columnade_columns::{Column, DType, ErrorKind, Scalar};
use columnade_ops::expression::{col, date, len, lit, lit_decimal, row_number};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::{BrotliLevel, Compression as Codec};
use parquet::file::metadata::{ColumnChunkMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter};
use tempfile::{TempDir, tempdir};

use crate::dataframe::DataFrame;
use crate::error::Error;
use crate::io::parquet::codec::is_supported;
use crate::io::{ParquetError, ParquetWriteOptions, read_parquet};
use crate::testing::{managed, on_every_device, values};

const ROWS: i64 = 1000;
/// Ten row groups.
const GROUP_ROWS: usize = 100;

/// Ascending numbers and days, prices with nulls, few texts.
fn frame() -> DataFrame {
    let days = Column::from_vec((0..1000_i32).collect()).reinterpret(&DType::Date32).expect("stored alike");
    DataFrame::new([("n", (0..ROWS).collect::<Vec<_>>())])
        .and_then(|frame| frame.with_column("day", days))
        .and_then(|frame| {
            frame.with_column("price", (0..ROWS).map(|n| (n % 3 > 0).then_some(n)).collect::<Vec<_>>())
        })
        .and_then(|frame| {
            frame.with_column("text", (0..ROWS).map(|n| format!("é{}", n / 250)).collect::<Vec<_>>())
        })
        .and_then(|frame| {
            let decimal = DType::decimal(15, 2)?;
            frame.with_columns([col("price").cast(decimal).alias("price")])
        })
        .expect("columns of one length")
}

fn written(folder: &TempDir, name: &str, frame: &DataFrame) -> std::path::PathBuf {
    let path = folder.path().join(name);
    let options = ParquetWriteOptions::new().row_group_rows(GROUP_ROWS);
    frame.write_parquet_with(&path, &options).expect("written");
    path
}

fn text_of(error: &Error) -> String {
    error.to_string()
}

/// Ordered dictionaries on their own, in structs and in lists, as Arrow's own writer keeps them in a file.
fn ordered_dictionaries(path: &Path) {
    let codes = Int32Array::from(vec![Some(0), None, Some(2), Some(1)]);
    let levels = StringArray::from(vec!["low", "mid", "high"]);
    let levels: ArrayRef = Arc::new(DictionaryArray::new(codes, Arc::new(levels)));
    let field = Arc::new(Field::new("level", levels.data_type().clone(), true).with_dict_is_ordered(true));
    let row: ArrayRef = Arc::new(StructArray::from(vec![(Arc::clone(&field), Arc::clone(&levels))]));
    let item = Arc::new(Field::new("item", row.data_type().clone(), true));
    let ones = FixedSizeListArray::new(item, 1, Arc::clone(&row), None);
    let list: ArrayRef = Arc::new(ListArray::from(ones));
    let schema = Schema::new(vec![
        field.as_ref().clone(),
        Field::new("row", row.data_type().clone(), true),
        Field::new("list", list.data_type().clone(), true),
    ]);
    let batch = RecordBatch::try_new(Arc::new(schema), vec![levels, row, list]).expect("a batch");
    let file = fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
}

/// Decoded, a dictionary's values come as they are met.
#[test]
fn ordered_dictionaries_read_as_unordered() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("ordered.parquet");
        ordered_dictionaries(&path);
        let (file, metadata) = (fs::File::open(&path), ArrowReaderOptions::new());
        let metadata = ArrowReaderMetadata::load(&file.expect("a file"), metadata).expect("a footer");
        assert_eq!(metadata.schema().field(0).dict_is_ordered(), Some(true), "the file says so");
        let read = read_parquet(&path).read().expect("read");
        let dictionary = "dictionary<int32, utf8>";
        let dtypes: Vec<String> = read.dtypes().iter().map(ToString::to_string).collect();
        let row = format!("struct<level: {dictionary}>");
        assert_eq!(dtypes, [dictionary.to_owned(), row.clone(), format!("list<{row}>")]);
        let texts = |label| values(&read, label).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts("level"), ["low", "<NA>", "high", "mid"]);
        assert_eq!(texts("row")[2..], ["{level: high}", "{level: mid}"]);
        assert_eq!(texts("list")[1..], ["[{level: <NA>}]", "[{level: high}]", "[{level: mid}]"]);
        // What was read can be written.
        read.write_parquet(folder.path().join("again.parquet")).expect("no order is lost");
    });
}

#[test]
fn every_dtype_round_trips() {
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let frame = frame();
        let path = written(&folder, "f.parquet", &frame);
        let (read, statistics) = read_parquet(&path).read_with_statistics().expect("read");
        assert_eq!((read.columns(), read.dtypes(), read.device()), (frame.columns(), frame.dtypes(), device));
        for label in frame.columns() {
            assert_eq!(values(&read, label), values(&frame, label), "{label}");
        }
        assert_eq!((statistics.files, statistics.row_groups_read, statistics.row_groups_pruned), (1, 10, 0));
        assert!(
            statistics.bytes_read > 0 && statistics.bytes_read < fs::metadata(&path).expect("a file").len()
        );
    });
}

#[test]
fn columns_come_in_requested_order() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = written(&folder, "f.parquet", &frame());
        let (read, some) = read_parquet(&path).columns(["text", "n"]).read_with_statistics().expect("read");
        assert_eq!(read.columns(), ["text", "n"]);
        assert_eq!(values(&read, "n"), values(&frame(), "n"));
        let (_, all) = read_parquet(&path).read_with_statistics().expect("read");
        assert!(some.bytes_read < all.bytes_read);
    });
}

#[test]
fn string_dictionary_reads_as_dictionary() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = written(&folder, "f.parquet", &frame());
        let read = read_parquet(&path).dictionary(["text"]).read().expect("read");
        assert_eq!(read.dtypes()[3], DType::dictionary(DType::Utf8));
        assert_eq!(values(&read, "text"), values(&frame(), "text"));
        let error = read_parquet(&path).dictionary(["n"]).read().expect_err("numbers");
        assert!(text_of(&error).contains("\"n\""), "{error}");
    });
}

/// Whether row groups are skipped does not say whether an overflow in them is an error.
#[test]
fn filter_with_overflow_does_not_depend_on_row_groups() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let digits = (0..1000)
            .map(|n| if n < 350 { "1000000000000000000000000000000" } else { "3" })
            .collect::<Vec<_>>();
        let keys = (0..1000).map(|n| (!(100..200).contains(&n)).then_some(n)).collect::<Vec<Option<i64>>>();
        let frame = DataFrame::new([("k", keys)])
            .and_then(|frame| frame.with_column("d", digits))
            .and_then(|frame| frame.with_column("d", col("d").cast(DType::decimal(38, 0)?)))
            .expect("columns of one length");
        for rows in [50, 128, 1000] {
            let path = folder.path().join(format!("{rows}.parquet"));
            let options = ParquetWriteOptions::new().row_group_rows(rows);
            frame.write_parquet_with(&path, &options).expect("written");
            let (kept, product) = (|| col("k").ge(350), || (col("d") * col("d")).gt(1));
            for predicate in
                [kept().and(product()), product().and(kept()), kept().and(product()).or(col("k").lt(0))]
            {
                let read = read_parquet(&path).filter(predicate.clone()).read();
                let read = read.unwrap_or_else(|error| panic!("{error}: {predicate} in groups of {rows}"));
                assert_eq!(read.len(), 650, "{predicate} in groups of {rows}");
            }
            let predicate = col("k").ge(300).and(product());
            let error = read_parquet(&path).filter(predicate).read().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        }
    });
}

#[test]
fn filter_skips_row_groups_and_keeps_exact_rows() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = written(&folder, "f.parquet", &frame());
        let cents = lit_decimal("950.00").expect("a decimal");
        let day = date("1970-04-11").expect("a date");
        for (predicate, rows, pruned) in [
            (col("n").ge(lit(950)), 50, 9),
            (col("n").between(lit(199), lit(200)), 2, 8),
            (col("day").lt(day), 100, 9),
            (col("price").gt(cents), 32, 9),
            (col("text").eq("é3"), 250, 7),
            (col("text").eq("zebra"), 0, 10),
            (!col("n").ge(lit(100)), 100, 9),
            (col("n").lt(lit(0)).or(col("n").gt(lit(998))), 1, 9),
            (col("n").is_null(), 0, 10),
            ((col("n") % lit(2)).eq(lit(0)), 500, 0),
        ] {
            let label = predicate.to_string();
            let (read, statistics) =
                read_parquet(&path).columns(["n"]).filter(predicate).read_with_statistics().expect("read");
            assert_eq!(
                (read.len(), statistics.row_groups_pruned, read.columns().len()),
                (rows, pruned, 1),
                "{label}"
            );
        }
    });
}

#[test]
fn folders_and_file_lists_read_as_one_frame() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let frame = frame();
        let late = written(&folder, "b.parquet", &frame.slice(400, 600).expect("inside"));
        let early = written(&folder, "a.parquet", &frame.slice(0, 400).expect("inside"));
        fs::write(folder.path().join("notes.txt"), "not a table").expect("written");
        fs::write(folder.path().join(".hidden.parquet"), "not a table").expect("written");
        for read in [read_parquet(folder.path()), read_parquet([early, late])] {
            let (read, statistics) = read.dictionary(["text"]).read_with_statistics().expect("read");
            assert_eq!(statistics.files, 2);
            assert_eq!(values(&read, "n"), values(&frame, "n"));
            assert_eq!(values(&read, "text"), values(&frame, "text"));
        }
    });
}

#[test]
fn patterns_read_files_that_match() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let frame = frame();
        for (name, start) in
            [("a1.parquet", 0), ("b2.parquet", 100), ("b3.parquet", 200), (".b4.parquet", 300)]
        {
            written(&folder, name, &frame.slice(start, 100).expect("inside"));
        }
        let first = |pattern: &str| {
            let read = read_parquet(folder.path().join(pattern)).columns(["n"]).read()?;
            Ok::<_, Error>(
                values(&read, "n").iter().step_by(100).map(ToString::to_string).collect::<Vec<_>>(),
            )
        };
        assert_eq!(first("*.parquet").expect("all that are not hidden"), ["0", "100", "200"]);
        assert_eq!(first("b?.par*").expect("two"), ["100", "200"]);
        assert_eq!(first("[!b]*").expect("one"), ["0"]);
        let none = first("c*").expect_err("nothing");
        assert!(text_of(&none).ends_with("c*: no file matches this pattern"), "{none}");
        assert_eq!(none.kind(), ErrorKind::Io);
        let bad = first("***").expect_err("no pattern");
        assert!(text_of(&bad).contains("this is no pattern"), "{bad}");
        // A file whose name looks like a pattern is that file.
        written(&folder, "[b]2.parquet", &frame.slice(700, 100).expect("inside"));
        assert_eq!(first("[b]2.parquet").expect("by its name"), ["700"]);
    });
}

#[test]
fn files_with_different_columns_are_refused() {
    let folder = tempdir().expect("a folder");
    written(&folder, "a.parquet", &frame());
    written(&folder, "b.parquet", &frame().with_column("n", vec![true; 1000]).expect("booleans"));
    let error = read_parquet(folder.path()).read().expect_err("other dtypes");
    assert_eq!(error.kind(), ErrorKind::Type);
    assert!(text_of(&error).contains("b.parquet"), "{error}");
}

#[test]
fn progress_reaches_total() {
    let folder = tempdir().expect("a folder");
    let path = written(&folder, "f.parquet", &frame());
    let seen = Mutex::new(Vec::new());
    read_parquet(&path)
        .progress(|progress| seen.lock().expect("no panic").push(progress))
        .read()
        .expect("read");
    let mut seen = seen.into_inner().expect("no panic");
    seen.sort_by_key(|progress| progress.row_groups_done);
    assert_eq!(
        seen.iter().map(|progress| progress.row_groups_done).collect::<Vec<_>>(),
        (1..=10).collect::<Vec<_>>()
    );
    assert!(seen.iter().all(|progress| progress.row_groups == 10 && progress.bytes_done <= progress.bytes));
}

#[test]
fn missing_columns_are_listed() {
    let folder = tempdir().expect("a folder");
    let path = written(&folder, "f.parquet", &frame());
    let error = read_parquet(&path).columns(["n", "tax", "rate"]).read().expect_err("two are missing");
    assert_eq!(error.kind(), ErrorKind::Key);
    let expected = format!(
        r#"read_parquet {}: the file has no column "tax", "rate"; it has "n", "day", "price", "text""#,
        path.display()
    );
    assert_eq!(text_of(&error), expected);
    assert!(
        text_of(&read_parquet(&path).filter(col("q").gt(lit(1))).read().expect_err("missing"))
            .contains("\"q\"")
    );
}

#[test]
fn filter_of_wrong_dtype_is_error() {
    let folder = tempdir().expect("a folder");
    let path = written(&folder, "f.parquet", &frame());
    let error = read_parquet(&path).filter(col("text").gt(lit(5))).read().expect_err("text against a number");
    assert!(text_of(&error).starts_with("read_parquet: ") && text_of(&error).contains("utf8"), "{error}");
}

/// Batches and row groups are filtered apart from each other.
#[test]
fn filter_that_depends_on_other_rows_is_error() {
    let folder = tempdir().expect("a folder");
    let path = written(&folder, "f.parquet", &frame());
    for predicate in [row_number().le(4), col("text").eq(col("text").max()), len().eq(1)] {
        let error = read_parquet(&path).filter(predicate).read().expect_err("rows of other batches");
        assert!(text_of(&error).contains("DataFrame::filter"), "{error}");
    }
}

/// Changes what the footer says of the third column.
fn rewrite_third_column(
    path: &Path,
    change: impl Fn(ColumnChunkMetaDataBuilder) -> ColumnChunkMetaDataBuilder,
) {
    let mut bytes = fs::read(path).expect("a file");
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&fs::File::open(path).expect("a file"));
    let mut metadata = metadata.expect("a footer").into_builder();
    for group in metadata.take_row_groups() {
        let mut columns = group.columns().to_vec();
        columns[2] = change(columns[2].clone().into_builder()).build().expect("a chunk");
        metadata = metadata
            .add_row_group(group.into_builder().set_column_metadata(columns).build().expect("a group"));
    }
    ParquetMetaDataWriter::new(&mut bytes, &metadata.build()).finish().expect("written");
    fs::write(path, bytes).expect("written");
}

#[test]
fn invalid_page_offsets_are_damage() {
    let folder = tempdir().expect("a folder");
    for change in [
        |chunk: ColumnChunkMetaDataBuilder| chunk.set_data_page_offset(-4).set_dictionary_page_offset(None),
        |chunk: ColumnChunkMetaDataBuilder| chunk.set_dictionary_page_offset(Some(-1)),
        |chunk: ColumnChunkMetaDataBuilder| chunk.set_total_compressed_size(-1),
    ] {
        let path = written(&folder, "f.parquet", &frame());
        rewrite_third_column(&path, change);
        let error = read_parquet(&path).read().expect_err("damage");
        let expected = "damaged in column \"price\", row group 0: its values";
        assert!(text_of(&error).contains(expected), "{error}");
    }
}

#[test]
fn damaged_page_names_column_and_row_group() {
    let folder = tempdir().expect("a folder");
    let path = written(&folder, "f.parquet", &frame());
    let whole = fs::read(&path).expect("a file");
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&fs::File::open(&path).expect("a file"));
    let metadata = metadata.expect("a footer");
    for (group, at, column) in [(0, 0, "n"), (3, 2, "price"), (9, 3, "text")] {
        let (start, length) = metadata.row_group(group).column(at).byte_range();
        let (start, length) =
            (usize::try_from(start).expect("small"), usize::try_from(length).expect("small"));
        let mut bytes = whole.clone();
        bytes[start..start + length].fill(0xA5);
        fs::write(&path, bytes).expect("written");
        let error = read_parquet(&path).read().expect_err("damage");
        let Error::Parquet { source, .. } = &error else { panic!("{error:?}") };
        assert_eq!((source.column(), source.row_group()), (Some(column), Some(group)), "{error}");
        let place = format!(" in column \"{column}\", row group {group}: ");
        assert!(text_of(&error).contains(&place), "{error}");
        let others = ["n", "day", "price", "text"].into_iter().filter(|other| *other != column);
        assert_eq!(read_parquet(&path).columns(others).read().expect("sound columns").shape(), (1000, 3));
    }
}

#[test]
fn unsupported_codec_is_named() {
    let folder = tempdir().expect("a folder");
    let path = written(&folder, "f.parquet", &frame());
    // The footer says that the third column is packed with LZO.
    let mut bytes = fs::read(&path).expect("a file");
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&fs::File::open(&path).expect("a file"));
    let mut metadata = metadata.expect("a footer").into_builder();
    for group in metadata.take_row_groups() {
        let mut columns = group.columns().to_vec();
        columns[2] = columns[2].clone().into_builder().set_compression(Codec::LZO).build().expect("a chunk");
        metadata = metadata
            .add_row_group(group.into_builder().set_column_metadata(columns).build().expect("a group"));
    }
    ParquetMetaDataWriter::new(&mut bytes, &metadata.build()).finish().expect("written");
    fs::write(&path, bytes).expect("written");

    let error = read_parquet(&path).read().expect_err("LZO");
    assert_eq!(error.kind(), ErrorKind::NotImplemented);
    let expected = "column \"price\", row group 0: it is packed with LZO, which this build does not support";
    assert!(text_of(&error).ends_with(expected), "{error}");
    assert_eq!(read_parquet(&path).columns(["n", "text"]).read().expect("the others").shape(), (1000, 2));
}

/// Written by pyarrow 26: 200 rows, every seventh number null, four strings in turn.
#[test]
fn file_of_each_codec_reads_as_its_writer_wrote_it() {
    let files: [(&str, &[u8]); 3] = [
        ("gzip", include_bytes!("../../../../tests/files/gzip.parquet")),
        ("lz4", include_bytes!("../../../../tests/files/lz4.parquet")),
        ("brotli", include_bytes!("../../../../tests/files/brotli.parquet")),
    ];
    let folder = tempdir().expect("a folder");
    for (codec, bytes) in files {
        let path = folder.path().join(codec);
        fs::write(&path, bytes).expect("written");
        let read = read_parquet(&path).read();
        if codec == "brotli" && !is_supported(Codec::BROTLI(BrotliLevel::default())) {
            assert_eq!(read.expect_err("Brotli").kind(), ErrorKind::NotImplemented);
            continue;
        }
        let read = read.expect(codec);
        let numbers = read.column("n").and_then(|column| column.to_options::<i32>()).expect("integers");
        assert!(numbers.into_iter().eq((0..200).map(|row| (row % 7 != 0).then_some(row))), "{codec}");
        let strings = read.column("text").and_then(|column| column.to_vec::<String>()).expect("strings");
        let expected = ["Zürich", "Oslo", "", "東京"];
        assert!(strings.iter().enumerate().all(|(row, text)| text == expected[row % 4]), "{codec}");
    }
}

#[test]
fn non_parquet_files_are_refused() {
    let folder = tempdir().expect("a folder");
    let whole = fs::read(written(&folder, "f.parquet", &frame())).expect("a file");
    let path = folder.path().join("bad.parquet");
    let mut without_footer = whole.clone();
    let end = without_footer.len() - 8;
    without_footer[end..end + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut damaged = whole.clone();
    damaged[4..whole.len() / 2].fill(0xa5);
    for (bytes, expected) in [
        (&b""[..], "this is not a Parquet file: it is empty"),
        (b"a,b\n1,2\n", "this is not a Parquet file"),
        (b"PAR1", "the file is truncated"),
        (&whole[..whole.len() / 2], "the file is truncated"),
        (&whole[..whole.len() - 1], "the file is truncated"),
        (&without_footer, "the file is truncated: its footer has 4294967295 bytes"),
        (&damaged, "the file is damaged"),
    ] {
        fs::write(&path, bytes).expect("written");
        let error = read_parquet(&path).read().expect_err("no Parquet file");
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(
            text_of(&error).starts_with(&format!("read_parquet {}: {expected}", path.display())),
            "{error}"
        );
    }
}

#[test]
fn missing_paths_are_errors() {
    let missing = read_parquet("no/such/file.parquet").read().expect_err("missing");
    assert_eq!(text_of(&missing), "read_parquet no/such/file.parquet: there is no such file or folder");
    let folder = tempdir().expect("a folder");
    let empty = read_parquet(folder.path()).read().expect_err("empty");
    assert!(text_of(&empty).ends_with("the folder holds no .parquet file"), "{empty}");
    let none = read_parquet(Vec::<&Path>::new()).read().expect_err("no path");
    assert!(matches!(none, Error::Parquet { source: ParquetError::NoPath, .. }));
}

#[test]
fn empty_selection_keeps_dtypes() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = written(&folder, "f.parquet", &frame());
        let read = read_parquet(&path).dictionary(["text"]).filter(col("n").lt(lit(0))).read().expect("read");
        assert_eq!((read.len(), &read.dtypes()[..3]), (0, &frame().dtypes()[..3]));
        assert_eq!(values(&read, "text"), Vec::<Scalar>::new());
    });
}

#[test]
fn files_larger_than_budget_are_read_in_batches() {
    for device in Device::available() {
        let folder = tempdir().expect("a folder");
        let frame = frame();
        let path = written(&folder, "f.parquet", &frame);
        // A frame of 1000 rows has about 40 kB.
        let (tight, manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "10 kB")]);
        let seen = Mutex::new(Vec::new());
        let (read, statistics) = read_parquet(&path)
            .dictionary(["text"])
            .exec(&tight)
            .progress(|progress| seen.lock().expect("no panic").push(progress.row_groups_done))
            .read_with_statistics()
            .expect("read");
        assert_eq!(statistics.row_groups_read, 10);
        let peak = manager.usage().tiers[Tier::Device].peak;
        assert!(peak <= 10_000, "{peak} bytes at a time on {device}");
        let mut seen = seen.into_inner().expect("no panic");
        seen.sort_unstable();
        assert_eq!(seen, (1..=10).collect::<Vec<_>>());
        for label in frame.columns() {
            assert_eq!(values(&read, label), values(&frame, label), "{label} on {device}");
        }
        let some = read_parquet(&path)
            .columns(["text"])
            .filter((col("n") % lit(2)).eq(lit(0)))
            .exec(&tight)
            .read()
            .expect("read");
        assert_eq!((some.len(), some.columns().len()), (500, 1), "{device}");
        let none = read_parquet(&path).filter(col("n").lt(lit(0))).exec(&tight).read().expect("read");
        assert_eq!((none.len(), none.dtypes()), (0, frame.dtypes()), "{device}");
    }
}
