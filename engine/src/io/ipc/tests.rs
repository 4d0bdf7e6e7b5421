//! Arrow IPC files in and out, and those of the format's own library.

use std::collections::HashSet;
use std::fs;
use std::sync::{Arc, Mutex};

use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, ListArray, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use columnade_buffers::{Device, Tier};
use columnade_columns::{DType, ErrorKind, Scalar, TimeUnit, categories, timestamps};
use tempfile::tempdir;

use super::{IpcCompression, IpcFormat, IpcWriteOptions, read_ipc};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::Error;
use crate::io::FileError;
use crate::testing::{managed, on_every_device, values};

fn frame(rows: i64) -> DataFrame {
    df! {
        "n" => (0..rows).map(|k| (k % 5 != 0).then_some(k)).collect::<Vec<_>>(),
        "s" => (0..rows).map(|k| format!("Größe {}", k % 9)).collect::<Vec<_>>(),
        "c" => categories((0..rows).map(|k| ["a", "b", "c"][usize::try_from(k % 3).unwrap_or(0)]).collect::<Vec<_>>()),
        "l" => (0..rows).map(|k| (0..k % 4).collect::<Vec<i64>>()).collect::<Vec<_>>(),
        "t" => timestamps((0..rows).map(Some).collect::<Vec<_>>(), TimeUnit::Micro),
        "x" => (0..rows).map(|k| if k % 7 == 0 { f64::NAN } else { -0.0 }).collect::<Vec<_>>(),
    }
    .expect("a frame")
}

/// Those that this build has.
fn built(codecs: &[IpcCompression]) -> impl Iterator<Item = IpcCompression> {
    codecs.iter().copied().filter(|compression| compression.check().is_ok())
}

fn assert_same(read: &DataFrame, written: &DataFrame) {
    assert_eq!(read.columns(), written.columns());
    for label in written.columns() {
        let (read, written) = (values(read, label), values(written, label));
        assert_eq!(format!("{read:?}"), format!("{written:?}"), "{label:?}");
    }
}

#[test]
fn written_frames_are_read_back() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.arrow");
        for rows in [0, 1, 31, 32, 33, 64, 65, 300] {
            for compression in built(&[IpcCompression::None, IpcCompression::Lz4, IpcCompression::Zstd]) {
                let options = IpcWriteOptions::new().compression(compression).batch_rows(64);
                let frame = frame(rows);
                frame.write_ipc_with(&path, options).expect("written");
                assert_same(&read_ipc(&path).read().expect("read"), &frame);
            }
        }
        let slice = frame(100).slice(33, 31).expect("rows");
        slice.write_ipc(&path).expect("written");
        assert_same(&read_ipc(&path).read().expect("read"), &slice);
        let two = read_ipc(&path).columns(["x", "n"]).read().expect("read");
        assert_eq!((two.columns()[0].as_text(), two.shape()), (Some("x"), (31, 2)));
        assert_eq!(values(&two, "n"), values(&slice, "n"));
    });
}

#[test]
fn streams_are_read() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.arrows");
    let frame = frame(100);
    let batch = frame.to_arrow().expect("a batch");
    let mut writer = StreamWriter::try_new(fs::File::create(&path).expect("a file"), batch.schema_ref())
        .expect("a writer");
    for start in [0, 33, 66] {
        writer.write(&batch.slice(start, if start == 66 { 34 } else { 33 })).expect("written");
    }
    writer.finish().expect("written");
    assert_same(&read_ipc(&path).read().expect("read"), &frame);
    let two = read_ipc(folder.path()).columns(["s", "n"]).read().expect("read");
    assert_eq!(values(&two, "s"), values(&frame, "s"));
    let whole = fs::read(&path).expect("bytes");
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    let Err(Error::File { source, .. }) = read_ipc(&path).read() else { panic!("half a stream") };
    assert!(matches!(*source, FileError::Damaged { .. }), "{source:?}");
}

#[test]
fn written_streams_are_those_of_the_format() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.arrows");
    for rows in [0, 1, 65, 300] {
        for compression in built(&[IpcCompression::None, IpcCompression::Zstd]) {
            let frame = frame(rows);
            let options =
                IpcWriteOptions::new().compression(compression).batch_rows(64).format(IpcFormat::Stream);
            frame.write_ipc_with(&path, options).expect("written");
            assert_same(&read_ipc(&path).read().expect("read"), &frame);
            let reader =
                StreamReader::try_new(fs::File::open(&path).expect("a file"), None).expect("a stream");
            let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().expect("batches");
            let found: Vec<_> = batches.iter().map(RecordBatch::num_rows).collect();
            let whole = usize::try_from(rows / 64).expect("few");
            let mut expected = vec![64; whole];
            expected.extend(usize::try_from(rows % 64).ok().filter(|&rest| rest > 0));
            assert_eq!(found, expected, "{rows} rows");
        }
    }
}

#[test]
#[cfg(feature = "lz4")]
fn damaged_batch_is_named() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.arrow");
    let options = IpcWriteOptions::new().compression(IpcCompression::Lz4).batch_rows(100);
    frame(300).write_ipc_with(&path, options).expect("written");
    let mut bytes = fs::read(&path).expect("bytes");
    let frames: Vec<usize> =
        bytes.windows(4).enumerate().filter(|(_, of)| of == b"\x04\x22\x4D\x18").map(|(at, _)| at).collect();
    // Of the last batch, which has as many as the others.
    bytes[frames[frames.len() - 1]] = 0;
    fs::write(&path, bytes).expect("written");
    let text = |error: Error| error.to_string();
    let read = text(read_ipc(&path).read().expect_err("damage"));
    assert!(read.contains("the file is damaged in batch 2: "), "{read}");
    let mut scan = read_ipc(&path).scan().expect("a scan");
    let scanned: Vec<_> = scan.by_ref().collect();
    assert_eq!(scanned.iter().filter(|frame| frame.is_ok()).count(), 2);
    let error = scanned.into_iter().find_map(Result::err).map(text).expect("damage");
    assert!(error.contains("the file is damaged in batch 2: "), "{error}");
}

#[test]
fn damaged_files_are_errors() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.arrow");
    frame(40).write_ipc(&path).expect("written");
    let whole = fs::read(&path).expect("bytes");
    let source_of = |reader: super::IpcReader<'_>| match reader.read() {
        Err(Error::File { operation: "read_ipc", source, .. }) => Some(*source),
        Err(other) => panic!("{other:?}"),
        Ok(_) => None,
    };
    let source = || source_of(read_ipc(&path));
    for end in (0..whole.len()).step_by(5) {
        fs::write(&path, &whole[..end]).expect("written");
        assert!(source().is_some(), "{end} bytes");
    }
    // A damaged byte gives an error or other values, and never a crash.
    let mut refused = 0;
    for at in (0..whole.len()).step_by(9) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xFF;
        fs::write(&path, &bytes).expect("written");
        refused += usize::from(source().is_some());
    }
    assert!(refused > 5, "{refused}");
    fs::write(&path, "city,since\nTurin,1861\n").expect("written");
    assert!(matches!(source(), Some(FileError::NotIpc { .. })));
    fs::write(&path, &whole).expect("written");
    let missing = source_of(read_ipc(&path).columns(["y"]));
    assert!(matches!(missing, Some(FileError::MissingColumns { .. })));
    df! { "n" => ["1"] }.expect("a frame").write_ipc(folder.path().join("g.arrow")).expect("written");
    let differs = read_ipc(folder.path()).read().expect_err("no common dtype").to_string();
    assert!(differs.ends_with("g.arrow: column \"n\" is utf8, and int64 in a file before it"), "{differs}");
}

/// Written by pyarrow 26: 65 rows in two batches, of layouts that columns do not have.
#[test]
fn layouts_of_other_writers_read_as_columns() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("layouts.arrow");
        fs::write(&path, include_bytes!("../../../tests/files/layouts.arrow")).expect("written");
        let read = read_ipc(&path).read().expect("read");
        let texts = |label| values(&read, label).iter().map(ToString::to_string).collect::<Vec<_>>();
        let views: Vec<String> = (0..65)
            .map(|row| match (row % 5, row) {
                (1, _) => "<NA>",
                (_, 64) => "[6]",
                _ => ["[5, 6, 7]", "[1, <NA>]", "[]", "[3, 4, 5, 6]"][row % 4],
            })
            .map(ToOwned::to_owned)
            .collect();
        assert_eq!(texts("view"), views);
        assert_eq!(texts("large_view"), (0..65).map(|row| format!("[é{row}]")).collect::<Vec<_>>());
        let run = |row| match row {
            0..2 => "a",
            2 => "<NA>",
            3..33 => "ßß",
            _ => "c",
        };
        assert_eq!(texts("runs"), (0..65).map(run).collect::<Vec<_>>());
        let numbers = read.column("short_runs").and_then(|runs| runs.to_options::<f64>()).expect("floats");
        assert!(numbers.iter().enumerate().all(|(row, run)| *run == (row < 64).then_some(1.5)));
        assert_eq!(
            texts("map")[30..33],
            [
                "[{key: k0, value: 300}, {key: k1, value: <NA>}]",
                "[{key: k0, value: 310}, {key: k1, value: <NA>}, {key: k2, value: 312}]",
                "<NA>",
            ]
        );
        let day = |row: i64| {
            let unit = TimeUnit::Milli;
            if row % 4 == 0 {
                Scalar::Null(DType::Timestamp(unit))
            } else {
                Scalar::Timestamp((row - 31) * 86_400_000, unit)
            }
        };
        assert_eq!(values(&read, "date"), (0..65).map(day).collect::<Vec<_>>());
        assert_eq!(
            texts("big")[48..53],
            ["<NA>", "-1000000000000000000.00", "0.00", "1000000000000000000.00", "2000000000000000000.00"]
        );
        // As columns, the frame is written and read again.
        let again = folder.path().join("again.arrow");
        read.write_ipc(&again).expect("written");
        assert_same(&read_ipc(&again).read().expect("read"), &read);
    });
}

#[test]
fn calendar_intervals_are_read_as_structs() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("month.arrow");
        fs::write(&path, include_bytes!("../../../tests/files/month.arrow")).expect("written");
        let read = read_ipc(&path).read().expect("read");
        let row = read.column("m").and_then(|column| column.get(0)).expect("an interval");
        assert_eq!(row.to_string(), "{months: 1, days: 2, nanoseconds: 3}");
    });
}

/// As Arrow's file of nested dictionaries has them.
#[test]
fn dictionaries_of_nested_values_are_decoded() {
    let lists = vec![Some(vec![Some(1_i64), None]), Some(vec![]), Some(vec![Some(7)])];
    let lists = ListArray::from_iter_primitive::<Int64Type, _, _>(lists);
    let codes: Int32Array = (0..70).map(|row| (row % 7 > 0).then_some(row % 3)).collect();
    let dictionary: ArrayRef = Arc::new(DictionaryArray::<Int32Type>::new(codes, Arc::new(lists)));
    let batch = RecordBatch::try_from_iter([("l", dictionary)]).expect("a batch");
    let mut file = FileWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    file.write(&batch).and_then(|()| file.finish()).expect("written");
    let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    stream.write(&batch).and_then(|()| stream.finish()).expect("written");
    let texts = ["[1, <NA>]", "[]", "[7]"];
    let expected: Vec<&str> = (0..70).map(|row| if row % 7 > 0 { texts[row % 3] } else { "<NA>" }).collect();
    let written = [file.into_inner().expect("a file"), stream.into_inner().expect("a stream")];
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("nested.arrow");
        for bytes in &written {
            fs::write(&path, bytes).expect("written");
            for map in [false, true] {
                let read = read_ipc(&path).memory_map(map).read().expect("read");
                assert_eq!(read.dtypes(), [DType::list(DType::Int64)]);
                let found: Vec<String> = values(&read, "l").iter().map(ToString::to_string).collect();
                assert_eq!(found, expected);
            }
        }
    });
}

#[test]
fn type_without_a_dtype_is_named() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("wide.arrow");
    let wide = arrow_array::new_empty_array(&arrow_schema::DataType::Decimal256(60, 50));
    let batch = RecordBatch::try_from_iter([("m", wide)]).expect("a batch");
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    writer.write(&batch).and_then(|()| writer.finish()).expect("written");
    fs::write(&path, writer.into_inner().expect("a file")).expect("written");
    let Err(Error::File { source, .. }) = read_ipc(&path).read() else { panic!("a wide decimal") };
    assert!(matches!(&*source, FileError::UnsupportedType { column, .. } if column == "m"), "{source}");
    assert!(source.to_string().contains("Decimal256(60, 50)"), "{source}");
}

/// Files and streams of Polars 2.1: Arrow has no such integers.
#[test]
fn integers_of_128_bits_of_polars_are_refused_by_name() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("wide.arrow");
    let files: [(&[u8], &str, &str); 2] = [
        (include_bytes!("../../../tests/files/polars-uint128.arrow"), "u", "UInt128 of Polars"),
        (
            include_bytes!("../../../tests/files/polars-list-int128.arrows"),
            "l",
            "nested values of Int128 of Polars",
        ),
    ];
    for (bytes, name, expected) in files {
        fs::write(&path, bytes).expect("written");
        let error = read_ipc(&path).read().expect_err("a type without a dtype");
        assert_eq!(error.kind(), ErrorKind::NotImplemented, "{error}");
        let Error::File { source, .. } = error else { panic!("{error}") };
        let FileError::UnsupportedType { column, data_type } = &*source else { panic!("{source}") };
        assert_eq!((column.as_str(), data_type.as_str()), (name, expected));
    }
}

#[test]
fn scanned_frames_are_the_rows_that_read_gives() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let frame = frame(300);
        for compression in built(&[IpcCompression::None, IpcCompression::Lz4]) {
            let options = IpcWriteOptions::new().compression(compression).batch_rows(64);
            frame.write_ipc_with(folder.path().join("a.arrow"), options).expect("written");
            let batch = frame.to_arrow().expect("a batch");
            let file = fs::File::create(folder.path().join("b.arrows")).expect("a file");
            let mut writer = StreamWriter::try_new(file, batch.schema_ref()).expect("a writer");
            for (start, len) in [(0, 33), (33, 0), (33, 267)] {
                writer.write(&batch.slice(start, len)).expect("written");
            }
            writer.finish().expect("written");
            for label in ["n", "s", "c", "l"] {
                let mut sizes = Vec::new();
                let mut rows = Vec::new();
                for part in read_ipc(folder.path()).columns(["t", label]).scan().expect("files") {
                    let part = part.expect("rows");
                    sizes.push(part.len());
                    rows.extend(values(&part, label));
                }
                assert_eq!(sizes, [64, 64, 64, 64, 44, 33, 267]);
                assert_eq!(rows, [values(&frame, label), values(&frame, label)].concat());
            }
        }
        let parts = read_ipc(folder.path()).scan().expect("files").batch_rows(10);
        assert!(parts.map(|part| part.expect("rows").len()).all(|rows| (1..=10).contains(&rows)));
        // Half a file, and half a stream, which begins with its columns.
        for (name, before) in [("a.arrow", 0), ("b.arrows", 1)] {
            let path = folder.path().join(name);
            let whole = fs::read(&path).expect("bytes");
            fs::write(&path, &whole[..whole.len() / 2]).expect("written");
            let error = match read_ipc(&path).scan() {
                Ok(parts) => {
                    let mut parts: Vec<_> = parts.collect();
                    assert_eq!(parts.len(), before + 1, "{name}");
                    parts.remove(before).expect_err("half")
                }
                Err(error) => error,
            };
            let error = error.to_string();
            assert!(error.contains(name) && error.contains("damaged"), "{error}");
        }
    });
}

#[test]
fn mapped_files_are_the_rows_that_read_gives() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.arrow");
        for rows in [0, 1, 31, 32, 33, 64, 65, 300] {
            for compression in built(&[IpcCompression::None, IpcCompression::Lz4]) {
                let frame = frame(rows);
                frame
                    .write_ipc_with(&path, IpcWriteOptions::new().compression(compression))
                    .expect("written");
                let mapped = read_ipc(&path).memory_map(true).read().expect("mapped");
                // Of another file of the name, and of none, the columns know nothing.
                df! { "n" => [7] }.expect("a frame").write_ipc(&path).expect("written");
                fs::remove_file(&path).expect("removed");
                assert_same(&mapped, &frame);
                let sorted = |frame: &DataFrame| frame.sort_values(["x", "n"]).expect("sorted");
                assert_same(&sorted(&mapped), &sorted(&frame));
            }
        }
        let frame = frame(300);
        frame.write_ipc_with(&path, IpcWriteOptions::new().batch_rows(64)).expect("written");
        assert_same(&read_ipc(&path).memory_map(true).read().expect("mapped"), &frame);
        let mut rows = Vec::new();
        for part in read_ipc(&path).memory_map(true).scan().expect("a file") {
            rows.extend(values(&part.expect("rows"), "s"));
        }
        assert_eq!(rows, values(&frame, "s"));
        fs::write(&path, "").expect("written");
        let error = read_ipc(&path).memory_map(true).read().expect_err("empty").to_string();
        assert!(error.contains("it is empty"), "{error}");
    });
}

/// No byte of the columns is memory that a budget counts, until it is written.
#[test]
fn columns_lie_in_mapped_file_until_they_are_written() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.arrow");
    let frame = df! {
        "n" => (0..1000_i64).map(|k| (k % 5 != 0).then_some(k)).collect::<Vec<_>>(),
        "s" => (0..1000).map(|k| format!("Größe {k}")).collect::<Vec<_>>(),
        "l" => (0..1000).map(|k| vec![k; 3]).collect::<Vec<Vec<i64>>>(),
    };
    let frame = frame.expect("a frame");
    frame.write_ipc_with(&path, IpcWriteOptions::new().batch_rows(1000)).expect("written");
    let bytes = fs::read(&path).expect("bytes");
    for memory_map in [false, true] {
        let (exec, manager) = managed(Device::Host, &[]);
        let used = || manager.usage().tiers[Tier::Device].bytes;
        let whole = read_ipc(&path).memory_map(memory_map).exec(&exec).read().expect("read");
        let parts: Vec<_> =
            read_ipc(&path).memory_map(memory_map).exec(&exec).scan().expect("a file").collect();
        assert_eq!((used() == 0, parts.len()), (memory_map, 1), "{} bytes", used());
        let mut column = whole.frame().accessor().columns()[0].clone();
        let before = used();
        column.write(&exec).expect("numbers").as_mut_slice::<i64>().fill(-1);
        assert!(used() >= before + 8000, "a copy is written");
        assert_same(&whole, &frame);
        assert_eq!(column.get(1).expect("a row"), Scalar::Int64(-1));
        assert!(
            !whole.frame().accessor().columns()[0].data().expect("numbers").is_spillable() || !memory_map
        );
    }
    assert_eq!(fs::read(&path).expect("bytes"), bytes);
    // Of a file that lacks a column or has it narrower, only that is memory of its own.
    let wide = df! { "n" => [0.5], "m" => [1_i64] }.expect("a frame");
    df! { "n" => [1_i32, 2] }.expect("a frame").write_ipc(folder.path().join("g.arrow")).expect("written");
    wide.write_ipc(folder.path().join("h.arrow")).expect("written");
    fs::remove_file(&path).expect("removed");
    let both = read_ipc(folder.path()).memory_map(true).read().expect("mapped");
    assert_eq!(both.column("n").and_then(|n| n.to_vec::<f64>()).expect("floats"), [1.0, 2.0, 0.5]);
}

#[test]
fn progress_reaches_the_bytes_of_all_files() {
    let folder = tempdir().expect("a folder");
    let options = IpcWriteOptions::new().batch_rows(64);
    let mut bytes = 0;
    for name in ["a.arrow", "b.arrow"] {
        frame(300).write_ipc_with(folder.path().join(name), options).expect("written");
        bytes += fs::metadata(folder.path().join(name)).expect("a file").len();
    }
    let path = folder.path().join("c.arrows");
    let batch = frame(100).to_arrow().expect("a batch");
    let mut writer = StreamWriter::try_new(fs::File::create(&path).expect("a file"), batch.schema_ref())
        .expect("a writer");
    writer.write(&batch).expect("written");
    writer.finish().expect("written");
    bytes += fs::metadata(&path).expect("a file").len();

    let seen = Mutex::new(Vec::new());
    let read = read_ipc(folder.path()).progress(|now| seen.lock().expect("no panic").push(now)).read();
    assert_eq!(read.expect("read").len(), 700);
    let seen = seen.into_inner().expect("no panic");
    // Five batches of each file, one of the stream, and the end of each.
    assert_eq!(seen.len(), 5 + 5 + 1 + 3);
    assert!(seen.iter().all(|now| now.bytes == bytes && now.bytes_done <= bytes), "{seen:?}");
    assert_eq!(seen.last().map(|now| now.bytes_done), Some(bytes));
    let distinct: HashSet<u64> = seen.iter().map(|now| now.bytes_done).collect();
    assert_eq!(distinct.len(), seen.len(), "{seen:?}");

    let seen = Mutex::new(Vec::new());
    let mut scan = read_ipc(folder.path())
        .progress(|now| seen.lock().expect("no panic").push(now))
        .scan()
        .expect("a scan");
    assert!(seen.lock().expect("no panic").is_empty());
    assert_eq!(scan.next().map(|frame| frame.expect("a frame").len()), Some(64));
    assert_eq!(seen.lock().expect("no panic").len(), 1);
    assert_eq!(scan.by_ref().map(|frame| frame.expect("a frame").len()).sum::<usize>(), 700 - 64);
    assert_eq!(scan.no_rows().expect("no rows").shape(), (0, frame(1).shape().1));
    drop(scan);
    let seen = seen.into_inner().expect("no panic");
    assert_eq!(seen.len(), 5 + 5 + 1 + 3);
    assert!(
        seen.iter().all(|now| now.bytes == bytes) && seen.is_sorted_by_key(|now| now.bytes_done),
        "{seen:?}"
    );
    assert_eq!(seen.last().map(|now| now.bytes_done), Some(bytes));
}
