//! Files of frames that are larger than the limit of memory.

use std::path::Path;

use columnade_buffers::{Device, Exec, Tier};
use tempfile::tempdir;

use super::{
    CsvWriteOptions, CsvWriter, IpcWriteOptions, IpcWriter, JsonLayout, JsonWriteOptions, JsonWriter,
    ParquetWriteOptions, ParquetWriter, read_csv, read_ipc, read_json, read_parquet,
};
use crate::dataframe::DataFrame;
use crate::error::Result;
use crate::testing::managed;

const ROWS: i32 = 300_000;
/// A fifth of the rows' bytes, and what the smallest block of text takes.
const LIMIT: usize = 4_000_000;

fn frame(exec: &Exec) -> DataFrame {
    let numbers: Vec<Option<i64>> =
        (0..ROWS).map(|n| (n % 7 > 0).then_some(i64::from(n) * 1_000_003)).collect();
    let floats: Vec<f64> = (0..ROWS).map(|n| 0.5 * f64::from(n)).collect();
    let words: Vec<Option<String>> = (0..ROWS).map(|n| (n % 5 > 0).then(|| format!("é{n:040}"))).collect();
    let frame = DataFrame::new([("n", numbers)]).expect("a frame");
    let frame = frame.with_column("x", floats).and_then(|frame| frame.with_column("s", words));
    frame.and_then(|frame| frame.to_exec(exec)).expect("memory is spilled")
}

type Write = fn(&DataFrame, &Path) -> Result<()>;
type Read = fn(&Path) -> Result<DataFrame>;

fn formats() -> [(&'static str, Write, Read); 6] {
    [
        (
            "f.parquet",
            |frame, path| frame.write_parquet_with(path, &ParquetWriteOptions::new().row_group_rows(20_000)),
            |path| read_parquet(path).read(),
        ),
        ("f.csv", |frame, path| frame.write_csv(path), |path| read_csv(path).read()),
        ("f.jsonl", |frame, path| frame.write_json(path), |path| read_json(path).read()),
        (
            "columns.json",
            |frame, path| frame.write_json_with(path, JsonWriteOptions::new().layout(JsonLayout::Columns)),
            |path| read_json(path).layout(JsonLayout::Columns).read(),
        ),
        (
            "f.arrow",
            |frame, path| frame.write_ipc_with(path, IpcWriteOptions::new().batch_rows(20_000)),
            |path| read_ipc(path).read(),
        ),
        ("whole.arrow", |frame, path| frame.write_ipc(path), |path| read_ipc(path).read()),
    ]
}

#[test]
fn write_of_spilled_rows_keeps_the_limit() {
    for device in Device::available() {
        let folder = tempdir().expect("a folder");
        let (exec, manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "4 MB")]);
        let frame = frame(&exec);
        let whole = frame.to_exec(&Exec::host()).expect("memory");
        for (name, write, read) in formats() {
            let path = folder.path().join(name);
            manager.spill_to_device_limit(0);
            manager.reset_peak();
            write(&frame, &path).expect("rows are written");
            let peak = manager.usage().tiers[Tier::Device].peak;
            assert!(peak <= LIMIT, "{name}: {peak} bytes at a time on {device}");
            let found = read(&path).expect("rows are read").to_exec(&Exec::host()).expect("memory");
            assert!(found.equals(&whole).expect("compared"), "{name} on {device}");
        }
    }
}

/// Writes the frames of a scan.
type Append = fn(FrameParts<'_>, &Path) -> Result<()>;
type FrameParts<'a> = &'a mut dyn Iterator<Item = Result<DataFrame>>;

const WRITERS: [(&str, Append, Read); 4] = [
    (
        "g.csv",
        |parts, path| {
            let mut writer = CsvWriter::create(path, &CsvWriteOptions::new())?;
            for part in parts {
                writer.append(&part?)?;
            }
            writer.finish()
        },
        |path| read_csv(path).read(),
    ),
    (
        "g.jsonl",
        |parts, path| {
            let mut writer = JsonWriter::create(path, JsonWriteOptions::new())?;
            for part in parts {
                writer.append(&part?)?;
            }
            writer.finish()
        },
        |path| read_json(path).read(),
    ),
    (
        "g.arrow",
        |parts, path| {
            let mut writer = IpcWriter::create(path, IpcWriteOptions::new())?;
            for part in parts {
                writer.append(&part?)?;
            }
            writer.finish()
        },
        |path| read_ipc(path).read(),
    ),
    (
        "g.parquet",
        |parts, path| {
            let mut writer = ParquetWriter::create_for_frames(path, &ParquetWriteOptions::new())?;
            for part in parts {
                writer.append_frame(&part?)?;
            }
            writer.finish()
        },
        |path| read_parquet(path).read(),
    ),
];

#[test]
fn scan_that_is_written_keeps_the_limit() {
    let folder = tempdir().expect("a folder");
    let from = folder.path().join("from.parquet");
    let host = Exec::host();
    let whole = frame(&host);
    whole.write_parquet_with(&from, &ParquetWriteOptions::new().row_group_rows(10_000)).expect("written");
    for device in Device::available() {
        let (exec, manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "4 MB")]);
        for (name, append, read) in WRITERS {
            let path = folder.path().join(name);
            manager.reset_peak();
            let mut parts = read_parquet(&from).exec(&exec).scan().expect("a scan");
            append(&mut parts, &path).expect("rows are written");
            let peak = manager.usage().tiers[Tier::Device].peak;
            assert!(peak <= LIMIT, "{name}: {peak} bytes at a time on {device}");
            let found = read(&path).expect("rows are read").to_exec(&host).expect("memory");
            assert!(found.equals(&whole).expect("compared"), "{name} on {device}");
        }
    }
}
