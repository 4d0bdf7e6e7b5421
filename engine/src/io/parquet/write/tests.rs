//! Files that are whole or not there.

use std::io::{Error as IoError, Write};
use std::path::{Path, PathBuf};

use columnade_columns::{ErrorKind, Scalar, TimeUnit};
use columnade_ops::expression::{col, lit};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::RowGroupMetaData;
use tempfile::{TempDir, tempdir};

use super::{Compression, Encoder, ParquetWriteOptions, ParquetWriter, PartialFile};
use crate::builders;
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::Error;
use crate::io::{ParquetError, read_parquet};
use crate::testing::{on_every_device, values};

fn frame(rows: i64) -> DataFrame {
    DataFrame::new([("n", (0..rows).collect::<Vec<_>>())])
        .and_then(|frame| {
            frame.with_column("t", (0..rows).map(|n| format!("text {}", n % 7)).collect::<Vec<_>>())
        })
        .expect("columns of one length")
}

fn files(folder: &TempDir) -> Vec<PathBuf> {
    std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

/// A sink that is full after some bytes, as a disk.
struct Full {
    sink: PartialFile,
    space: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() > self.space {
            return Err(IoError::from(std::io::ErrorKind::StorageFull));
        }
        self.space -= bytes.len();
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.sink.flush()
    }
}

#[test]
fn rows_without_columns_are_kept() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let frame = DataFrame::new([("a", [1, 2, 3])]).and_then(|frame| frame.drop(["a"])).expect("rows");
        assert_eq!(frame.shape(), (3, 0));
        let options = ParquetWriteOptions::new().row_group_rows(2).key_value("k", "v");
        let mut writer = ParquetWriter::create_for_frames(&path, &options).expect("a writer");
        writer.append_frame(&frame).and_then(|()| writer.append_frame(&frame)).expect("rows");
        let more = df! { "a" => [1] }.expect("a frame");
        assert_eq!(writer.append_frame(&more).expect_err("a column").kind(), ErrorKind::Type);
        writer.finish().expect("written");

        let file = std::fs::File::open(&path).expect("a file");
        let footer = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).expect("a footer");
        let groups: Vec<i64> =
            footer.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).collect();
        assert_eq!((groups, footer.metadata().file_metadata().num_rows()), (vec![2, 1, 2, 1], 6));
        let rows =
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, footer).build().expect("a reader");
        assert_eq!(rows.map(|batch| batch.expect("rows").num_rows()).sum::<usize>(), 6);

        let metadata = read_parquet(&path).key_value_metadata().expect("metadata");
        assert!(metadata.contains(&("k".to_owned(), "v".to_owned())), "{metadata:?}");
        assert_eq!(read_parquet(&path).read().expect("read").shape(), (6, 0));
        assert_eq!(read_parquet(&path).rows(1..4).read().expect("read").shape(), (3, 0));
        assert_eq!(read_parquet([&path, &path]).read().expect("read").shape(), (12, 0));
        let parts = read_parquet(&path).scan().expect("a scan").batch_rows(4);
        assert_eq!(parts.map(|part| part.expect("rows").len()).sum::<usize>(), 6);
        frame.write_parquet(&path).expect("written");
        assert_eq!(read_parquet(&path).read().expect("read").shape(), (3, 0));
        let nothing = DataFrame::empty().expect("no rows either");
        nothing.write_parquet(&path).expect("written");
        assert_eq!(read_parquet(&path).read().expect("read").shape(), (0, 0));
    });
}

#[test]
fn ordered_dictionary_round_trips() {
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let texts = || crate::builders::categories(["high", "low", "mid"]).among(["low", "mid", "high", "é"]);
        let numbers = || crate::builders::categories([30_i64, 10, 30]).among([30_i64, 20, 10]);
        let frame = DataFrame::new([("t", texts().ordered())]).expect("a frame");
        let frame = frame.with_column("n", numbers().ordered()).expect("numbers");
        let frame = frame.with_column("u", texts()).expect("one without an order");
        for rows in [1, 2, 100] {
            let options = ParquetWriteOptions::new().row_group_rows(rows);
            frame.write_parquet_with(&path, &options).expect("written");
            let read = read_parquet(&path).read().expect("read");
            assert_eq!((read.dtypes(), read.device()), (frame.dtypes(), device));
            for label in ["t", "n"] {
                assert_eq!(values(&read, label), values(&frame, label));
                let categories = |frame: &DataFrame| {
                    let column = frame.column(label).expect("there");
                    column.cat().categories().expect("values").to_scalars()
                };
                assert_eq!(categories(&read).expect("scalars"), categories(&frame).expect("scalars"));
            }
            // By the order of the categories, of which the statistics of the file know nothing.
            let above = read_parquet(&path).filter(col("t").gt(lit("low"))).read().expect("filtered");
            assert_eq!(values(&above, "t"), [Scalar::Utf8("high".into()), Scalar::Utf8("mid".into())]);
        }
        let none = frame.slice(0, 0).expect("no rows");
        none.write_parquet(&path).expect("written");
        let read = read_parquet(&path).read().expect("read");
        assert_eq!(read.dtypes(), frame.dtypes());
        // Another library must not take the order of the pages for that of the categories.
        let footer = ArrowReaderMetadata::load(
            &std::fs::File::open(&path).expect("a file"),
            ArrowReaderOptions::new(),
        );
        let footer = footer.expect("a footer");
        assert_eq!(footer.schema().field(0).dict_is_ordered(), Some(false));
    });
}

/// Of several files of one frame, and of one that says nothing.
#[test]
fn ordered_dictionaries_of_files_must_agree() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let of = |name: &str, categories: &[&str], is_ordered: bool| {
            let column = crate::builders::categories(["b"]).among(categories);
            let column = if is_ordered { column.ordered() } else { column };
            let path = folder.path().join(name);
            DataFrame::new([("c", column)]).and_then(|frame| frame.write_parquet(&path)).expect("written");
            path
        };
        let whole = of("a.parquet", &["b", "a"], true);
        let more = of("b.parquet", &["b", "a", "c"], true);
        let other = of("c.parquet", &["a", "b"], true);
        let without = of("d.parquet", &["b", "a"], false);
        let dtype = |paths: [&std::path::PathBuf; 2]| {
            let read = read_parquet(paths.map(Clone::clone).to_vec()).read().expect("read");
            assert_eq!(values(&read, "c"), [Scalar::Utf8("b".into()), Scalar::Utf8("b".into())]);
            read.dtypes()[0].to_string()
        };
        assert_eq!(dtype([&whole, &more]), "dictionary<int32, utf8, ordered>");
        assert_eq!(dtype([&more, &whole]), "dictionary<int32, utf8, ordered>");
        assert_eq!(dtype([&whole, &other]), "dictionary<int32, utf8>");
        assert_eq!(dtype([&whole, &without]), "dictionary<int32, utf8>");
    });
}

#[test]
fn files_of_any_layout_read_back_equal() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        for rows in [0, 1, 99, 100, 101, 1000] {
            for &compression in Compression::ALL.iter().filter(|compression| compression.check().is_ok()) {
                let path = folder.path().join("frame.parquet");
                let options =
                    ParquetWriteOptions::new().compression(compression).row_group_rows(100).plain_column("t");
                let written = frame(rows);
                written.write_parquet_with(&path, &options).expect("written");
                let read = read_parquet(&path).read().expect("read");
                assert_eq!(read.columns(), written.columns());
                assert_eq!(read.dtypes(), written.dtypes());
                for label in ["n", "t"] {
                    assert_eq!(values(&read, label), values(&written, label));
                }
            }
        }
        assert_eq!(files(&folder).len(), 1, "no temporary file is left");
    });
}

/// Parquet has no seconds, and other libraries read a number without a unit as one.
#[test]
fn times_in_seconds_are_stored_in_milliseconds() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        let instants = || builders::timestamps([Some(-86_400), None, Some(1_700_000_000)], TimeUnit::Second);
        let frame = DataFrame::new([("at", instants())])
            .and_then(|frame| {
                frame.with_column("clock", builders::times([Some(1), Some(86_399), None], TimeUnit::Second))
            })
            .and_then(|frame| frame.with_column("level", builders::categories(instants()).ordered()))
            .expect("columns of one length");
        frame.write_parquet(&path).expect("written");

        let file = std::fs::File::open(&path).expect("a file");
        let footer = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).expect("a footer");
        let schema = footer.metadata().file_metadata().schema_descr();
        let types: Vec<String> =
            schema.columns().iter().map(|column| format!("{:?}", column.logical_type_ref())).collect();
        for (of_column, expected) in types.iter().zip(["Timestamp", "Time", "Timestamp"]) {
            assert!(of_column.contains(expected) && of_column.contains("MILLIS"), "{types:?}");
        }
        let read = read_parquet(&path).read().expect("read");
        let dtypes: Vec<String> = read.dtypes().iter().map(ToString::to_string).collect();
        assert_eq!(dtypes, ["timestamp[ms]", "time32[ms]", "dictionary<int32, timestamp[ms], ordered>"]);
        for label in ["at", "level"] {
            let shown: Vec<String> = values(&read, label).iter().map(ToString::to_string).collect();
            assert_eq!(shown, ["1969-12-31 00:00:00.000", "<NA>", "2023-11-14 22:13:20.000"]);
        }
        assert_eq!(values(&read, "clock")[1], Scalar::Time(86_399_000, TimeUnit::Milli));

        let far =
            DataFrame::new([("at", builders::timestamps([i64::MAX], TimeUnit::Second))]).expect("a frame");
        let error = far.write_parquet(&path).expect_err("no milliseconds");
        assert!(error.to_string().contains("column \"at\""), "{error}");
        assert_eq!(read_parquet(&path).read().expect("the file before").len(), 3);
    });
}

#[test]
fn full_disk_leaves_no_file() {
    let folder = tempdir().expect("a folder");
    let target = folder.path().join("frame.parquet");
    frame(10).write_parquet(&target).expect("written");
    let batch = frame(100_000).to_arrow().expect("host arrays");
    let options = ParquetWriteOptions::new().compression(Compression::None).row_group_rows(10_000);
    for space in [0, 4, 1000, 200_000] {
        let sink =
            Full { sink: PartialFile::beside(&target, ".parquet.part").expect("a temporary file"), space };
        let error = Encoder::new(sink, batch.schema(), &options)
            .and_then(|mut encoder| {
                encoder.append(&(0..10).map(|k| batch.slice(k * 10_000, 10_000)).collect::<Vec<_>>())?;
                encoder.finish().map(drop)
            })
            .expect_err("the disk is full");
        assert!(matches!(error, ParquetError::Io(_)), "{error:?}");
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(files(&folder), std::slice::from_ref(&target), "space for {space} bytes");
    }
    assert_eq!(read_parquet(&target).read().expect("the old file").len(), 10);
}

#[test]
fn dropped_writer_leaves_no_file() {
    let folder = tempdir().expect("a folder");
    let batch = frame(1000).to_arrow().expect("host arrays");
    let path = folder.path().join("frame.parquet");
    let mut writer =
        ParquetWriter::create(&path, batch.schema(), &ParquetWriteOptions::new()).expect("a writer");
    writer.append(&[batch]).expect("encoded");
    drop(writer);
    assert_eq!(files(&folder), Vec::<PathBuf>::new());
}

#[test]
fn batches_of_different_schema_are_refused() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("frame.parquet");
    let (batch, other) = (frame(3).to_arrow(), frame(3).drop("t").and_then(|frame| frame.to_arrow()));
    let (batch, other) = (batch.expect("host arrays"), other.expect("host arrays"));
    let mut writer =
        ParquetWriter::create(&path, batch.schema(), &ParquetWriteOptions::new()).expect("a writer");
    let error = writer.append(&[batch, other]).expect_err("another schema");
    assert!(matches!(error, Error::Parquet { source: ParquetError::SchemaDiffers { .. }, .. }), "{error}");
}

#[test]
fn missing_folder_is_named() {
    let error = frame(1).write_parquet(Path::new("no/such/folder/f.parquet")).expect_err("no folder");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().starts_with("write_parquet no/such/folder/f.parquet: "), "{error}");
}
