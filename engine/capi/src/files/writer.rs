//! Files that are written table by table.

use std::sync::{Mutex, PoisonError};

use columnade::DataFrame;
use columnade::csv::CsvWriter;
use columnade::ipc::IpcWriter;
use columnade::json::JsonWriter;
use columnade::parquet::ParquetWriter;

use crate::error::{Failure, Result};

/// A writer until it is finished. One thread at a time uses it.
pub(crate) struct Writer(Mutex<Option<Format>>);

pub(super) enum Format {
    Parquet(Box<ParquetWriter>),
    Csv(Box<CsvWriter>),
    Json(Box<JsonWriter>),
    Ipc(Box<IpcWriter>),
}

impl Writer {
    pub(super) fn new(format: Format) -> Self {
        Self(Mutex::new(Some(format)))
    }

    pub(super) fn append(&self, table: &DataFrame) -> Result<()> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match open.as_mut().ok_or_else(finished)? {
            Format::Parquet(writer) => writer.append_frame(table)?,
            Format::Csv(writer) => writer.append(table)?,
            Format::Json(writer) => writer.append(table)?,
            Format::Ipc(writer) => writer.append(table)?,
        }
        Ok(())
    }

    /// Gives the file its name. After an error there is none.
    pub(super) fn finish(&self) -> Result<()> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match open.ok_or_else(finished)? {
            Format::Parquet(writer) => writer.finish()?,
            Format::Csv(writer) => writer.finish()?,
            Format::Json(writer) => writer.finish()?,
            Format::Ipc(writer) => writer.finish()?,
        }
        Ok(())
    }
}

fn finished() -> Failure {
    Failure::argument("writer", "is finished")
}
