//! Small files of every format and codec, damaged at places that a seed gives: each is an error or a frame, never a panic, and
//! takes no more memory than such files need.

#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use arrow_ipc::writer::StreamWriter;
use columnade::builders::categories;
use columnade::files::FrameScan;
use columnade::ipc::{IpcCompression, IpcWriteOptions};
use columnade::parquet::{Compression, ParquetWriteOptions};
use columnade::{DType, DataFrame, Result, TimeUnit, col, df, read_csv, read_ipc, read_json, read_parquet};

/// For a process that this test starts: it damages files.
const CHILD: &str = "COLUMNADE_TEST_MUTATIONS_CHILD";
/// Damaged files of each sound one.
const MUTATIONS: usize = 300;
/// What the process may map, in KiB: a length that a damaged file gives and nothing checks is refused, and aborts it.
const ADDRESS_SPACE: usize = 3 << 20;
/// What it may use at a time, in KiB. The files have some KiB.
const RESIDENT: usize = 400 << 10;

/// Numbers from a seed: xorshift.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % bound.max(1)
    }

    fn damaged(&mut self, sound: &[u8]) -> Vec<u8> {
        let mut bytes = sound.to_vec();
        match self.below(6) {
            0 => bytes.truncate(self.below(sound.len())),
            1 => {
                // A part of the file in another place of it.
                let (from, to) = (self.below(sound.len()), self.below(sound.len()));
                let length = 1 + self.below(64.min(sound.len() - from));
                let part = sound[from..(from + length).min(sound.len())].to_vec();
                let end = if self.below(2) == 0 { to } else { (to + part.len()).min(bytes.len()) };
                bytes.splice(to..end, part);
            }
            2 => {
                let at = self.below(sound.len());
                bytes.drain(at..(at + 1 + self.below(16)).min(sound.len()));
            }
            _ => {
                for _ in 0..=self.below(4) {
                    let at = self.below(bytes.len());
                    bytes[at] = match self.below(4) {
                        0 => 0xFF,
                        1 => 0,
                        2 => 0x7F,
                        _ => bytes[at] ^ (1 << self.below(8)),
                    };
                }
            }
        }
        bytes
    }
}

fn flat(rows: i64) -> Result<DataFrame> {
    let frame = df! {
        "n" => (0..rows).map(|k| (k % 5 != 0).then_some(k * 1_000_003)).collect::<Vec<_>>(),
        "s" => (0..rows).map(|k| format!("Größe {},\"", k % 9)).collect::<Vec<_>>(),
        "x" => (0..40_i32).map(|k| if k % 7 == 0 { f64::NAN } else { f64::from(k) / 3.0 }).collect::<Vec<_>>(),
        "b" => (0..rows).map(|k| k % 3 == 0).collect::<Vec<_>>(),
        "c" => categories((0..40).map(|k| ["a", "b", "c"][k % 3]).collect::<Vec<_>>()),
    }?;
    frame.with_columns([
        (col("n") + 1).cast(DType::Timestamp(TimeUnit::Micro)).alias("t"),
        col("b").cast(DType::Int64).cast(DType::decimal(20, 3)?).alias("d"),
    ])
}

fn nested(rows: i64) -> Result<DataFrame> {
    flat(rows)?.with_column("l", (0..rows).map(|k| (0..k % 4).collect::<Vec<i64>>()).collect::<Vec<_>>())
}

/// Sound files.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let (flat, nested) = (flat(40)?, nested(40)?);
    let mut files = Vec::new();
    let mut at = |name: String| {
        files.push(folder.join(name));
        folder.join(&files[files.len() - 1])
    };
    for ending in ["csv", "csv.gz", "csv.zst"] {
        flat.write_csv(at(format!("f.{ending}")))?;
    }
    for ending in ["jsonl", "jsonl.gz", "jsonl.zst"] {
        nested.write_json(at(format!("f.{ending}")))?;
    }
    for compression in [IpcCompression::None, IpcCompression::Lz4, IpcCompression::Zstd] {
        let options = IpcWriteOptions::new().compression(compression).batch_rows(16);
        nested.write_ipc_with(at(format!("{compression:?}.arrow")), options)?;
    }
    let batch = nested.to_arrow()?;
    let file = fs::File::create(at("f.arrows".to_owned())).expect("a file");
    let mut writer = StreamWriter::try_new(file, batch.schema_ref()).expect("a writer");
    for (start, len) in [(0, 16), (16, 24)] {
        writer.write(&batch.slice(start, len)).expect("written");
    }
    writer.finish().expect("written");
    for compression in
        [Compression::None, Compression::Snappy, Compression::Zstd, Compression::Gzip, Compression::Lz4]
    {
        let options = ParquetWriteOptions::new().compression(compression).row_group_rows(16);
        nested.write_parquet_with(at(format!("{compression:?}.parquet")), &options)?;
    }
    Ok(files)
}

/// Reads a file whole and in parts; whether it is sound, or the error.
fn read(path: &Path) -> Result<usize> {
    let name = path.to_string_lossy().into_owned();
    let all = |parts: Result<FrameScan<'_>>| parts.into_iter().flatten().all(|part| part.is_ok());
    let (whole, _) = if name.contains(".csv") {
        (read_csv(path).read(), all(read_csv(path).scan()))
    } else if name.contains(".jsonl") {
        (read_json(path).read(), all(read_json(path).scan()))
    } else if name.contains(".arrow") {
        (read_ipc(path).read(), all(read_ipc(path).scan()))
    } else {
        let parts = read_parquet(path).scan();
        (read_parquet(path).read(), parts.into_iter().flatten().all(|part| part.is_ok()))
    };
    whole.map(|frame| frame.len())
}

/// What the started process does.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // The decoders' panics are errors, and none of them is worth a text.
    std::panic::set_hook(Box::new(|_| {}));
    let mut numbers = Numbers(0x5eed_1234_abcd_0001);
    let mut failed = Vec::new();
    for path in files(folder.path()).expect("sound files") {
        let sound = fs::read(&path).expect("bytes");
        assert_eq!(read(&path).expect("a sound file"), 40);
        let mut refused = 0;
        for number in 0..MUTATIONS {
            fs::write(&path, numbers.damaged(&sound)).expect("written");
            match catch_unwind(AssertUnwindSafe(|| read(&path))) {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => {
                    refused += 1;
                    if error.to_string().len() < 10 {
                        failed.push(format!("{} {number}: {error}", path.display()));
                    }
                }
                Err(_) => failed.push(format!("{} {number}: panicked", path.display())),
            }
        }
        println!("\n{} bytes, {refused} of {MUTATIONS} refused: {}", sound.len(), path.display());
        assert!(refused > MUTATIONS / 20, "{}: {refused}", path.display());
    }
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    if peak > RESIDENT {
        failed.push(format!("{peak} KiB at a time"));
    }
    println!("\nfailed {failed:?}, {peak} KiB");
    assert!(failed.is_empty(), "see above");
}

#[test]
fn damaged_files_are_errors_or_frames() {
    let this = std::env::current_exe().expect("a path");
    let shell = format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" --exact child --nocapture --test-threads=1");
    let mut command = Command::new("sh");
    command.args(["-c", &shell]).arg(this);
    // A panic is only told, not explained.
    command.env(CHILD, "1").env("COLUMNADE_DEVICE", "host").env("RUST_BACKTRACE", "0");
    let Output { status, stdout, stderr } = command.output().expect("a shell");
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{status}: {said}");
    assert!(said.contains("failed []"), "{said}");
}
