//! Files that are written frame by frame.

use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use columnade_columns::{Column, DType, ErrorKind, Scalar};
use tempfile::tempdir;

use super::{
    CsvWriteOptions, CsvWriter, FileError, IpcFormat, IpcWriteOptions, IpcWriter, JsonLayout,
    JsonWriteOptions, JsonWriter, ParquetError, ParquetWriteOptions, ParquetWriter, TextCompression,
    read_csv, read_ipc, read_json, read_parquet,
};
use crate::builders::categories;
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::{Error, Result};
use crate::testing::{has_codec, on_every_device, values};

fn frame(from: i64, rows: i64) -> DataFrame {
    let numbers = from..from + rows;
    df! {
        "n" => numbers.clone().map(|n| (n % 5 > 0).then_some(n)).collect::<Vec<_>>(),
        "s" => numbers.clone().map(|n| (n % 3 > 0).then(|| format!("ü,{}", n % 9))).collect::<Vec<_>>(),
        "x" => numbers.map(|n| if n % 2 == 0 { 0.5 } else { -1.25 }).collect::<Vec<_>>(),
    }
    .expect("a frame")
}

type Write = fn(&Path, &[DataFrame]) -> Result<()>;
type Read = fn(&Path) -> Result<DataFrame>;

fn csv(path: &Path, frames: &[DataFrame]) -> Result<()> {
    let mut writer = CsvWriter::create(path, &CsvWriteOptions::new())?;
    frames.iter().try_for_each(|frame| writer.append(frame))?;
    assert_eq!(writer.rows(), frames.iter().map(DataFrame::len).sum::<usize>());
    writer.finish()
}

fn json(path: &Path, frames: &[DataFrame], layout: JsonLayout) -> Result<()> {
    let mut writer = JsonWriter::create(path, JsonWriteOptions::new().layout(layout))?;
    frames.iter().try_for_each(|frame| writer.append(frame))?;
    assert_eq!(writer.rows(), frames.iter().map(DataFrame::len).sum::<usize>());
    writer.finish()
}

fn ipc(path: &Path, frames: &[DataFrame], format: IpcFormat) -> Result<()> {
    let mut writer = IpcWriter::create(path, IpcWriteOptions::new().format(format).batch_rows(20))?;
    frames.iter().try_for_each(|frame| writer.append(frame))?;
    assert_eq!(writer.rows(), frames.iter().map(DataFrame::len).sum::<usize>());
    writer.finish()
}

fn parquet(path: &Path, frames: &[DataFrame]) -> Result<()> {
    let options = ParquetWriteOptions::new().row_group_rows(20);
    let mut writer = ParquetWriter::create_for_frames(path, &options)?;
    frames.iter().try_for_each(|frame| writer.append_frame(frame))?;
    assert_eq!(writer.rows(), frames.iter().map(DataFrame::len).sum::<usize>());
    writer.finish()
}

const FORMATS: [(&str, Write, Read); 8] = [
    ("f.csv", csv, |path| read_csv(path).read()),
    ("f.csv.gz", csv, |path| read_csv(path).read()),
    ("f.jsonl", |path, frames| json(path, frames, JsonLayout::Lines), |path| read_json(path).read()),
    ("records.json", |path, frames| json(path, frames, JsonLayout::Records), |path| read_json(path).read()),
    (
        "index.json",
        |path, frames| json(path, frames, JsonLayout::Index),
        |path| read_json(path).layout(JsonLayout::Index).read(),
    ),
    ("f.arrow", |path, frames| ipc(path, frames, IpcFormat::File), |path| read_ipc(path).read()),
    ("f.arrows", |path, frames| ipc(path, frames, IpcFormat::Stream), |path| read_ipc(path).read()),
    ("f.parquet", parquet, |path| read_parquet(path).read()),
];

#[test]
fn appended_frames_are_the_rows_of_the_file() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        for sizes in [&[70][..], &[33, 0, 32, 5], &[0, 0, 3, 67], &[1; 70]] {
            let mut from = 0;
            let parts: Vec<DataFrame> = sizes
                .iter()
                .map(|&rows| {
                    from += rows;
                    frame(from - rows, rows)
                })
                .collect();
            for (name, write, read) in FORMATS.into_iter().filter(|(name, ..)| has_codec(name)) {
                let path = folder.path().join(name);
                write(&path, &parts).expect("written");
                let read = read(&path).expect("read");
                assert!(read.equals(&frame(0, 70)).expect("compared"), "{name} of {sizes:?}:\n{read}");
            }
            let text = fs::read_to_string(folder.path().join("f.csv")).expect("text");
            frame(0, 70).write_csv(folder.path().join("whole.csv")).expect("written");
            let whole = fs::read_to_string(folder.path().join("whole.csv")).expect("text");
            assert_eq!(text, whole, "{sizes:?}");
        }
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, FORMATS.iter().filter(|(name, ..)| has_codec(name)).count() + 1);
    });
}

/// Nulls in a later frame alone, and strings whose offsets have another width.
#[test]
fn frames_of_other_layouts_are_written() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let words = ["a", "é", "c"];
        let wide: arrow_array::LargeStringArray = words.iter().map(|word| Some(*word)).collect();
        let wide = Column::from_arrow(&wide).expect("a column");
        let frames = [
            df! { "s" => words, "n" => [1, 2, 3] }.expect("a frame"),
            df! { "s" => [None, Some("d")], "n" => [4, 5] }.expect("a frame"),
            df! { "s" => wide, "n" => [1, 2, 3] }.expect("a frame"),
        ];
        let expected = [Some("a"), Some("é"), Some("c"), None, Some("d"), Some("a"), Some("é"), Some("c")];
        for order in [[0, 1, 2], [2, 1, 0]] {
            let frames = order.map(|at: usize| frames[at].clone());
            for (name, write, read) in FORMATS.into_iter().filter(|(name, ..)| has_codec(name)) {
                let path = folder.path().join(name);
                write(&path, &frames).unwrap_or_else(|error| panic!("{name}: {error}"));
                let read = read(&path).expect("read");
                let found = read.column("s").and_then(|column| column.to_vec::<Option<String>>());
                let found = found.expect("text");
                assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), expected, "{name}");
            }
            for (name, format) in [("f.arrow", IpcFormat::File), ("f.arrows", IpcFormat::Stream)] {
                let found = batches(&folder.path().join(name), format);
                let nulls: usize = found.iter().map(|batch| batch.column(0).null_count()).sum();
                assert!(nulls == 1 && found[0].schema_ref().field(0).is_nullable(), "{name}");
            }
        }
    });
}

/// The rows of a file, as arrow-rs reads them.
fn batches(path: &Path, format: IpcFormat) -> Vec<RecordBatch> {
    let file = File::open(path).expect("a file");
    match format {
        IpcFormat::File => FileReader::try_new(file, None).expect("a file").collect::<Result<_, _>>(),
        IpcFormat::Stream => StreamReader::try_new(file, None).expect("a stream").collect::<Result<_, _>>(),
    }
    .expect("batches")
}

#[test]
fn categories_of_later_frames_are_added_to_the_dictionary() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.arrow");
        let parts = [
            &[Some("b"), None, Some("a"), Some("b")][..],
            &[Some("c"), Some("a"), None],
            &[None, None],
            &[Some("c"), Some("a")],
            &[Some(""), Some("b"), Some("c")],
        ];
        let frames: Vec<DataFrame> =
            parts.iter().map(|words| df! { "k" => categories(words.to_vec()) }.expect("a frame")).collect();
        let expected: Vec<Option<&str>> = parts.concat();
        for format in [IpcFormat::File, IpcFormat::Stream] {
            ipc(&path, &frames, format).expect("written");
            let read = read_ipc(&path).read().expect("read");
            assert!(matches!(read.dtypes()[0], DType::Dictionary(_)));
            let text = read.column("k").and_then(|column| column.cast(DType::Utf8)).expect("text");
            let found = text.to_vec::<Option<String>>().expect("text");
            assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
            let mut by_arrow = Vec::new();
            for batch in batches(&path, format) {
                let text = arrow_cast::cast(batch.column(0), &arrow_schema::DataType::Utf8).expect("text");
                by_arrow.extend(text.as_string::<i32>().iter().map(|text| text.map(str::to_owned)));
            }
            assert_eq!(by_arrow.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
        }
        // Codes that do not suffice.
        let levels = |from: u8, to: u8| {
            let words = (from..to).map(|n| Some(format!("w{n}"))).collect::<Vec<_>>();
            let frame = df! { "k" => categories(words) }.expect("a frame");
            let narrow: DType = "dictionary<int8, utf8>".parse().expect("a dtype");
            let narrow = frame.column("k").and_then(|column| column.cast(narrow));
            DataFrame::new([("k", narrow.expect("few"))]).expect("a frame")
        };
        let error = ipc(&path, &[levels(0, 100), levels(90, 180)], IpcFormat::File).expect_err("180 levels");
        assert!(error.to_string().contains("\"k\" has 180 categories"), "{error}");
        ipc(&path, &[levels(0, 100), levels(90, 120)], IpcFormat::File).expect("120 levels");
        assert_eq!(read_ipc(&path).read().expect("read").len(), 130);
    });
}

#[test]
fn order_of_categories_stays_that_of_the_first_frame() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.arrow");
    let level = |words: &[&'static str], all: &[&'static str]| {
        let column = categories(words.to_vec()).among(all.to_vec()).ordered();
        df! { "k" => column }.expect("a frame")
    };
    let first = level(&["high", "low"], &["low", "mid", "high"]);
    let more = level(&["top"], &["low", "mid", "high", "top"]);
    let others = level(&["low"], &["high", "low"]);
    ipc(&path, &[first.clone(), more.clone(), first.clone()], IpcFormat::File).expect("written");
    let read = read_ipc(&path).read().expect("read");
    let text: Vec<String> = values(&read, "k").iter().map(Scalar::to_string).collect();
    assert_eq!(text, ["high", "low", "top", "high", "low"]);
    let Err(Error::File { source, .. }) = ipc(&path, &[first, others], IpcFormat::File) else {
        panic!("another order")
    };
    assert!(matches!(&*source, FileError::CategoriesDiffer { column } if column == "k"), "{source:?}");
    assert_eq!((source.kind(), source.column()), (ErrorKind::Type, Some("k")));
}

#[test]
fn frame_with_other_columns_is_refused_and_the_rest_is_written() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let (first, last) = (frame(0, 5), frame(5, 5));
        let wider = first.with_column("n", vec![0.5; 5]).expect("a column");
        let renamed = first.rename([("x", "y")]).expect("labels");
        let reordered = first.select(["s", "n", "x"]).expect("columns");
        let is_typed = |error: &Error| {
            let text = error.to_string();
            let expected = "column \"n\" is float64, and int64 in the frames before it; cast it";
            let column = match error {
                Error::File { source, .. } => source.column().map(str::to_owned),
                Error::Parquet { source, .. } => source.column().map(str::to_owned),
                other => panic!("{other:?}"),
            };
            assert!(text.ends_with(expected) && error.kind() == ErrorKind::Type, "{text}");
            assert_eq!(column.as_deref(), Some("n"));
        };
        let is_named = |error: &Error| {
            let differs = match error {
                Error::File { source, .. } => matches!(**source, FileError::SchemaDiffers { .. }),
                Error::Parquet { source, .. } => matches!(source, ParquetError::SchemaDiffers { .. }),
                other => panic!("{other:?}"),
            };
            assert!(differs && error.kind() == ErrorKind::Type, "{error:?}");
        };
        for (name, write, _) in FORMATS.into_iter().filter(|(name, ..)| has_codec(name)) {
            let path = folder.path().join(name);
            is_typed(&write(&path, &[first.clone(), wider.clone()]).expect_err("another dtype"));
            is_named(&write(&path, &[first.clone(), renamed.clone()]).expect_err("another label"));
            is_named(&write(&path, &[first.clone(), reordered.clone()]).expect_err("another order"));
            assert!(!path.exists(), "{name}");
        }
        // Nothing of a refused frame is in the file.
        let path = folder.path().join("f.csv");
        let mut writer = CsvWriter::create(&path, &CsvWriteOptions::new()).expect("a writer");
        for (part, fits) in [(&first, true), (&wider, false), (&last, true), (&reordered, false)] {
            assert_eq!(writer.append(part).is_ok(), fits);
        }
        assert_eq!(writer.rows(), 10);
        writer.finish().expect("written");
        assert!(read_csv(&path).read().expect("read").equals(&frame(0, 10)).expect("compared"));
        let path = folder.path().join("f.parquet");
        let options = ParquetWriteOptions::new();
        let mut writer = ParquetWriter::create_for_frames(&path, &options).expect("a writer");
        for (part, fits) in [(&first, true), (&renamed, false), (&last, true), (&wider, false)] {
            assert_eq!(writer.append_frame(part).is_ok(), fits);
        }
        writer.finish().expect("written");
        assert!(read_parquet(&path).read().expect("read").equals(&frame(0, 10)).expect("compared"));
        // Of a schema that was given.
        let schema = first.to_arrow().expect("a batch").schema();
        let mut writer = ParquetWriter::create(&path, schema, &options).expect("a writer");
        is_named(&writer.append_frame(&wider).expect_err("another dtype"));
        writer.append_frame(&first).expect("rows");
        writer.append_frame(&last).expect("rows");
        writer.finish().expect("written");
        assert!(read_parquet(&path).read().expect("read").equals(&frame(0, 10)).expect("compared"));
    });
}

#[test]
fn writer_that_is_not_finished_leaves_no_file() {
    let folder = tempdir().expect("a folder");
    let count = || fs::read_dir(folder.path()).expect("a folder").count();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("f.csv"), "before").expect("written");
    let part = frame(0, 10);
    let mut csv = CsvWriter::create(at("f.csv"), &CsvWriteOptions::new()).expect("a writer");
    let mut json = JsonWriter::create(at("f.jsonl"), JsonWriteOptions::new()).expect("a writer");
    let mut ipc = IpcWriter::create(at("f.arrow"), IpcWriteOptions::new()).expect("a writer");
    let options = ParquetWriteOptions::new();
    let mut parquet = ParquetWriter::create_for_frames(at("f.parquet"), &options).expect("a writer");
    csv.append(&part).and_then(|()| json.append(&part)).expect("rows");
    ipc.append(&part).and_then(|()| parquet.append_frame(&part)).expect("rows");
    drop((csv, json, ipc, parquet));
    assert_eq!((count(), fs::read_to_string(at("f.csv")).expect("text").as_str()), (1, "before"));
    // A column that has no form, after rows that have.
    let nested = df! { "n" => [vec![1_i64]] }.expect("a frame");
    let mut csv = CsvWriter::create(at("f.csv"), &CsvWriteOptions::new()).expect("a writer");
    let error = csv.append(&nested).expect_err("lists");
    assert!(error.to_string().contains("\"n\""), "{error}");
    drop(csv);
    assert_eq!((count(), fs::read_to_string(at("f.csv")).expect("text").as_str()), (1, "before"));
}

#[test]
fn files_without_a_frame_have_no_rows() {
    let folder = tempdir().expect("a folder");
    for (name, write, _) in FORMATS.into_iter().filter(|(name, ..)| has_codec(name)) {
        let path = folder.path().join(name);
        let written = write(&path, &[]);
        if name == "f.parquet" {
            let Err(Error::Parquet { source, .. }) = written else { panic!("no columns") };
            assert!(matches!(source, ParquetError::NoColumns), "{source:?}");
            assert!(!path.exists());
            continue;
        }
        written.expect("a file");
        let text = fs::read(&path).expect("bytes");
        match name {
            "f.csv" | "f.jsonl" => assert_eq!(text, b""),
            "records.json" => assert_eq!(text, b"[]\n"),
            "index.json" => assert_eq!(text, b"{}\n"),
            "f.arrow" => assert!(batches(&path, IpcFormat::File).is_empty()),
            "f.arrows" => assert!(batches(&path, IpcFormat::Stream).is_empty()),
            _ => {}
        }
    }
    let layout = JsonWriteOptions::new().layout(JsonLayout::Split);
    let error = JsonWriter::create(folder.path().join("f.json"), layout).expect_err("a layout of all rows");
    assert!(error.to_string().contains("layout") && error.to_string().contains("split"), "{error}");
}

#[test]
fn progress_counts_rows_of_all_frames() {
    let folder = tempdir().expect("a folder");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&seen);
    let options = CsvWriteOptions::new()
        .progress(move |now| list.lock().expect("no panic").push((now.rows_done, now.rows)));
    let mut writer = CsvWriter::create(folder.path().join("f.csv"), &options).expect("a writer");
    for rows in [10, 70_000, 3] {
        writer.append(&frame(0, rows)).expect("rows");
    }
    writer.finish().expect("written");
    let expected = [(10, 10), (65_546, 70_010), (70_010, 70_010), (70_013, 70_013)];
    assert_eq!(*seen.lock().expect("no panic"), expected);
}

#[test]
#[cfg(all(feature = "gzip", feature = "zstd"))]
fn compression_that_is_said_goes_before_the_name() {
    let folder = tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let whole = frame(0, 50);
    for (compression, mark) in
        [(TextCompression::Gzip, &[0x1F, 0x8B][..]), (TextCompression::Zstd, &[0x28, 0xB5, 0x2F, 0xFD])]
    {
        for name in ["f.2026", "f.csv.gz", "f.csv.zst", "f.bz2"] {
            whole
                .write_csv_with(at(name), &CsvWriteOptions::new().compression(compression))
                .expect("written");
            assert!(fs::read(at(name)).expect("bytes").starts_with(mark), "{name}");
            let read = read_csv(at(name)).compression(compression).read().expect("read");
            assert!(read.equals(&whole).expect("compared"), "{name}");
            let parts = read_csv(at(name)).compression(compression).scan().expect("a scan");
            assert_eq!(parts.map(|part| part.expect("rows").len()).sum::<usize>(), 50);
            whole
                .write_json_with(at(name), JsonWriteOptions::new().compression(compression))
                .expect("written");
            assert!(fs::read(at(name)).expect("bytes").starts_with(mark), "{name}");
            let read = read_json(at(name)).compression(compression).read().expect("read");
            assert!(read.equals(&whole).expect("compared"), "{name}");
        }
    }
    // Plain text whose name says otherwise, and text that is none.
    let plain = CsvWriteOptions::new().compression(TextCompression::None);
    whole.write_csv_with(at("plain.csv.gz"), &plain).expect("written");
    assert!(fs::read_to_string(at("plain.csv.gz")).expect("text").starts_with("n,s,x\n"));
    let read = read_csv(at("plain.csv.gz")).compression(TextCompression::None).read().expect("read");
    assert!(read.equals(&whole).expect("compared"));
    for compression in [TextCompression::Gzip, TextCompression::Zstd] {
        let Err(Error::File { source, .. }) = read_csv(at("plain.csv.gz")).compression(compression).read()
        else {
            panic!("text is not compressed")
        };
        assert!(matches!(*source, FileError::Damaged { .. }), "{source:?}");
    }
}

/// What a build without a codec says, by name.
#[test]
#[cfg(not(any(feature = "brotli", feature = "gzip", feature = "lz4", feature = "zstd")))]
fn codecs_that_are_left_out_are_named() {
    use super::{Compression, IpcCompression};
    let folder = tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let whole = frame(0, 5);
    let is_named = |result: Result<()>, codec: &str| {
        let error = result.expect_err("a codec that is left out");
        assert!(error.kind() == ErrorKind::NotImplemented && error.to_string().contains(codec), "{error}");
    };
    is_named(whole.write_csv(at("f.csv.gz")), "gzip");
    is_named(whole.write_json(at("f.jsonl.zst")), "Zstandard");
    fs::write(at("g.csv.gz"), [0x1F, 0x8B]).expect("written");
    is_named(read_csv(at("g.csv.gz")).read().map(drop), "gzip");
    for (compression, name) in [(IpcCompression::Lz4, "lz4"), (IpcCompression::Zstd, "Zstandard")] {
        is_named(whole.write_ipc_with(at("f.arrow"), IpcWriteOptions::new().compression(compression)), name);
    }
    for (compression, name) in [
        (Compression::Zstd, "ZSTD"),
        (Compression::Gzip, "GZIP"),
        (Compression::Lz4, "LZ4"),
        (Compression::Brotli, "BROTLI"),
    ] {
        let options = ParquetWriteOptions::new().compression(compression);
        is_named(whole.write_parquet_with(at("f.parquet"), &options), name);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
