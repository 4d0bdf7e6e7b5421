//! Arrow IPC files in and out, and those of the format's own library.

use std::fs;

use arrow_ipc::writer::StreamWriter;
use columnade_columns::{TimeUnit, categories, timestamps};
use tempfile::tempdir;

use super::{IpcCompression, IpcWriteOptions, read_ipc};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::Error;
use crate::io::FileError;
use crate::testing::{on_every_device, values};

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
            for compression in [IpcCompression::None, IpcCompression::Lz4, IpcCompression::Zstd] {
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
fn damaged_files_are_errors() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.arrow");
    frame(40).write_ipc(&path).expect("written");
    let whole = fs::read(&path).expect("bytes");
    let source_of = |reader: super::IpcReader| match reader.read() {
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
    df! { "n" => [1] }.expect("a frame").write_ipc(folder.path().join("g.arrow")).expect("written");
    let differs = source_of(read_ipc(folder.path()));
    assert!(matches!(differs, Some(FileError::SchemaDiffers { .. })));
}
