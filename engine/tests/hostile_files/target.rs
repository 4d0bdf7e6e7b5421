//! Files that are made of bytes, and what must hold whatever they say: they are read or refused with an error that names
//! the file, nothing panics, and memory follows the size of the file and the budget.
//!
//! The first byte of an input chooses how the rest is read.

#![expect(clippy::unwrap_used, reason = "tests, whose errors are findings")]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use columnade::csv::BadRows;
use columnade::files::FrameScan;
use columnade::memory::SpillOptions;
use columnade::{DataFrame, Device, Error, Exec, col, lit, read_csv, read_ipc, read_json, read_parquet};
use tempfile::TempDir;

/// The bytes of columns that are decoded at a time.
const BUDGET: &str = "64MiB";

type Outcome = Result<(), Error>;

/// Bits that choose.
#[derive(Clone, Copy)]
struct Choice(u8);

impl Choice {
    /// Of an input, and the contents of the file.
    fn of(bytes: &[u8]) -> (Self, &[u8]) {
        bytes.split_first().map_or((Self(0), bytes), |(&first, rest)| (Self(first), rest))
    }

    fn bit(self, position: u32) -> bool {
        self.0 >> position & 1 == 1
    }

    fn bad_rows(self) -> BadRows {
        if self.bit(2) { BadRows::Skip } else { BadRows::Error }
    }
}

/// A context with a budget.
fn exec() -> &'static Exec {
    static EXEC: LazyLock<Exec> = LazyLock::new(|| {
        let limit = |variable| (variable == "COLUMNADE_SPILL_DEVICE_LIMIT").then(|| BUDGET.into());
        let exec = Exec::new(Device::Host).unwrap();
        exec.resource()
            .spill_manager()
            .unwrap()
            .set_options(SpillOptions::from_lookup(limit).unwrap())
            .unwrap();
        exec
    });
    &EXEC
}

/// The contents as a file of this thread.
fn file(name: &str, contents: &[u8]) -> PathBuf {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    let path = FOLDER.path().join(format!("{:?}-{name}", std::thread::current().id()));
    fs::write(&path, contents).unwrap();
    path
}

/// Reads all frames that a scan has.
fn all(scan: Result<FrameScan<'_>, Error>) -> Outcome {
    scan?.try_for_each(|frame| used(&frame?))
}

/// Looks at what was read: text of the first and last rows, and the frame written and read again.
fn used(frame: &DataFrame) -> Outcome {
    assert!(!frame.to_string().is_empty());
    if frame.len() > 10_000 {
        return Ok(());
    }
    let path = file("again.arrow", b"");
    match frame.write_ipc(&path) {
        Ok(()) => {
            let again = read_ipc(&path).exec(exec()).read().unwrap();
            assert_eq!(again.to_string(), frame.to_string());
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// An error of a file is that of the file, and has a text.
fn checked(outcome: Outcome) -> Outcome {
    if let Err(error) = &outcome {
        assert!(!error.to_string().is_empty());
    }
    outcome
}

/// Reads a CSV file.
pub(crate) fn csv(bytes: &[u8]) -> Outcome {
    let (choice, text) = Choice::of(bytes);
    let endings = ["a.csv", "a.csv.gz", "a.csv.zst", "a.csv"];
    let path = file(endings[usize::from(choice.0 & 3)], text);
    let mut reader = read_csv(&path).exec(exec()).bad_rows(choice.bad_rows()).has_header(!choice.bit(3));
    if choice.bit(4) {
        reader = reader.delimiter(b';').quote(b'\'').escape(b'\\').null_values(["NA"]);
    }
    if choice.bit(5) {
        reader = reader.quote(None).skip_rows(1).infer_rows(1).limit(3);
    }
    checked(if choice.bit(6) { all(reader.scan()) } else { reader.read().and_then(|frame| used(&frame)) })
}

/// Reads a file of JSON lines.
pub(crate) fn json(bytes: &[u8]) -> Outcome {
    let (choice, text) = Choice::of(bytes);
    let endings = ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.jsonl"];
    let path = file(endings[usize::from(choice.0 & 3)], text);
    let mut reader = read_json(&path).exec(exec()).bad_rows(choice.bad_rows());
    if choice.bit(5) {
        reader = reader.infer_rows(1).limit(3);
    }
    checked(if choice.bit(6) { all(reader.scan()) } else { reader.read().and_then(|frame| used(&frame)) })
}

/// Reads an Arrow IPC file or stream.
pub(crate) fn ipc(bytes: &[u8]) -> Outcome {
    let (choice, contents) = Choice::of(bytes);
    let reader = read_ipc(file("a.arrow", contents)).exec(exec()).memory_map(choice.bit(0));
    checked(if choice.bit(6) { all(reader.scan()) } else { reader.read().and_then(|frame| used(&frame)) })
}

/// Reads a Parquet file.
pub(crate) fn parquet(bytes: &[u8]) -> Outcome {
    let (choice, contents) = Choice::of(bytes);
    let path = file("a.parquet", contents);
    let mut reader = read_parquet(&path).exec(exec());
    if choice.bit(0) {
        reader = reader.filter(col("i").ge(lit(2)));
    }
    if choice.bit(1) {
        reader = reader.dictionary(["s"]);
    }
    if choice.bit(2) {
        reader = reader.rows(1..3);
    }
    checked(if choice.bit(6) {
        reader.scan().and_then(|mut scan| scan.try_for_each(|frame| used(&frame?)))
    } else {
        reader.read().and_then(|frame| used(&frame))
    })
}
