//! Files.

use std::fs;
use std::iter::once;

use columnade::csv::{CsvWriteOptions, CsvWriter};
use columnade::ipc::{IpcWriteOptions, IpcWriter};
use columnade::json::{JsonWriteOptions, JsonWriter};
use columnade::parquet::{Compression, ParquetWriteOptions, ParquetWriter};
use columnade::{DataFrame, Result, col, concat, lit, read_csv, read_ipc, read_json, read_parquet};

use super::Operator;
use crate::made::Made;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::new(
        "parquet: read",
        &["engine::io::parquet::read::read", "engine::io::parquet::read::read_with_statistics"],
        |inputs| Ok(read_parquet(&inputs.file).exec(&inputs.exec).read()?.into()),
    ),
    Operator::new(
        "parquet: read with the metadata of the file",
        &["engine::io::parquet::read::read", "engine::io::parquet::read::key_value_metadata"],
        |inputs| {
            let reader = read_parquet(&inputs.file).exec(&inputs.exec);
            reader.key_value_metadata()?;
            Ok(reader.read()?.into())
        },
    ),
    Operator::new("parquet: read, filter and dictionary", &["engine::io::parquet::read::read"], |inputs| {
        let reader = read_parquet(&inputs.file).columns(["word", "price", "kind"]).dictionary(["word"]);
        Ok(reader.filter(col("n").lt(lit(100))).exec(&inputs.exec).read()?.into())
    }),
    Operator::new("parquet: read of a folder", &["engine::io::parquet::read::read"], |inputs| {
        let folder = inputs.file.parent().unwrap_or(&inputs.file);
        Ok(read_parquet(folder).columns(["n", "word"]).exec(&inputs.exec).read()?.into())
    }),
    Operator::new(
        "parquet: write",
        &["engine::io::parquet::write::write_parquet", "engine::io::parquet::write::write_parquet_with"],
        |inputs| {
            let options = ParquetWriteOptions::new().row_group_rows(600).compression(Compression::Zstd);
            inputs.frame.write_parquet_with(&inputs.target, &options)?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "parquet: write in batches",
        &[
            "engine::io::parquet::write::create",
            "engine::io::parquet::write::append",
            "engine::io::parquet::write::finish",
        ],
        |inputs| {
            let options = ParquetWriteOptions::default();
            let mut writer = ParquetWriter::create(&inputs.target, inputs.batch.schema(), &options)?;
            for start in [0, 512, 1024] {
                writer.append(&[inputs.frame.slice(start, 512)?.to_arrow()?])?;
            }
            writer.finish()?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "parquet: write frame by frame",
        &[
            "engine::io::parquet::write::create_for_frames",
            "engine::io::parquet::write::append_frame",
            "engine::io::parquet::write::finish",
        ],
        |inputs| {
            let frame = inputs.frame.clone();
            let mut writer = ParquetWriter::create_for_frames(&inputs.target, &ParquetWriteOptions::new())?;
            for start in [0, 512, 1024] {
                writer.append_frame(&frame.slice(start, 512)?)?;
            }
            writer.finish()?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "csv: write frame by frame",
        &[
            "engine::io::csv::write::create",
            "engine::io::csv::write::append",
            "engine::io::csv::write::finish",
        ],
        |inputs| {
            let frame = inputs.frame.select(["n", "word"])?;
            let mut writer = CsvWriter::create(&inputs.target, &CsvWriteOptions::new())?;
            for start in [0, 512, 1024] {
                writer.append(&frame.slice(start, 512)?)?;
            }
            writer.finish()?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "json: write frame by frame",
        &[
            "engine::io::json::write::create",
            "engine::io::json::write::append",
            "engine::io::json::write::finish",
        ],
        |inputs| {
            let frame = inputs.frame.select(["n", "word"])?;
            let mut writer = JsonWriter::create(&inputs.target, JsonWriteOptions::new())?;
            for start in [0, 512, 1024] {
                writer.append(&frame.slice(start, 512)?)?;
            }
            writer.finish()?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "ipc: write frame by frame",
        &[
            "engine::io::ipc::write::create",
            "engine::io::ipc::write::append",
            "engine::io::ipc::write::finish",
        ],
        |inputs| {
            let frame = inputs.frame.clone();
            let mut writer = IpcWriter::create(&inputs.target, IpcWriteOptions::new())?;
            for start in [0, 512, 1024] {
                writer.append(&frame.slice(start, 512)?)?;
            }
            writer.finish()?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "csv: read",
        &["engine::io::csv::read::read", "engine::io::csv::read::read_with_statistics"],
        |inputs| Ok(read_csv(&inputs.csv).exec(&inputs.exec).read()?.into()),
    ),
    Operator::new(
        "csv: write",
        &["engine::io::csv::write::write_csv", "engine::io::csv::write::write_csv_with"],
        |inputs| {
            inputs.frame.select(["n", "word"])?.write_csv(&inputs.target)?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "json: read",
        &["engine::io::json::read::read", "engine::io::json::read::read_with_statistics"],
        |inputs| Ok(read_json(&inputs.json).exec(&inputs.exec).read()?.into()),
    ),
    Operator::new(
        "json: write",
        &["engine::io::json::write::write_json", "engine::io::json::write::write_json_with"],
        |inputs| {
            inputs.frame.select(["n", "word"])?.write_json(&inputs.target)?;
            Ok(Made::File)
        },
    ),
    Operator::new("ipc: read", &["engine::io::ipc::read::read"], |inputs| {
        Ok(read_ipc(&inputs.ipc).exec(&inputs.exec).read()?.into())
    }),
    Operator::new(
        "ipc: write",
        &["engine::io::ipc::write::write_ipc", "engine::io::ipc::write::write_ipc_with"],
        |inputs| {
            inputs.frame.write_ipc(&inputs.target)?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "parquet: scan",
        &["engine::io::parquet::read::scan::scan", "engine::io::parquet::read::scan::no_rows"],
        |inputs| {
            let scan = read_parquet(&inputs.file).exec(&inputs.exec).scan()?.batch_rows(500);
            whole(once(scan.no_rows()).chain(scan))
        },
    ),
    Operator::new("csv: scan", &["engine::io::csv::read::scan", "engine::io::scan::no_rows"], |inputs| {
        let scan = read_csv(&inputs.csv).exec(&inputs.exec).scan()?.batch_rows(500);
        whole(once(scan.no_rows()).chain(scan))
    }),
    Operator::new("json: scan", &["engine::io::json::read::scan"], |inputs| {
        whole(read_json(&inputs.json).exec(&inputs.exec).scan()?)
    }),
    Operator::new("ipc: scan", &["engine::io::ipc::scan::scan"], |inputs| {
        whole(read_ipc(&inputs.ipc).exec(&inputs.exec).scan()?)
    }),
    Operator::new(
        "parquet: write a dataset",
        &[
            "engine::io::parquet::write::dataset::write_dataset",
            "engine::io::parquet::write::dataset::write_dataset_with",
        ],
        |inputs| {
            let folder = inputs.target.with_extension("dataset");
            let _ = fs::remove_dir_all(&folder);
            inputs.frame.select(["n", "word"])?.write_dataset(&folder, ["word"])?;
            let written = read_parquet(&folder).exec(&inputs.exec).read();
            let _ = fs::remove_dir_all(&folder);
            Ok(written?.into())
        },
    ),
];

/// The frames of a scan as one.
fn whole(frames: impl Iterator<Item = Result<DataFrame>>) -> Result<Made> {
    let frames = frames.collect::<Result<Vec<_>>>()?;
    Ok(concat(&frames)?.ignore_index().into())
}
