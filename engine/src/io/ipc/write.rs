//! Writing Arrow IPC files.

use std::io::BufWriter;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions as Options, StreamWriter};
use columnade_kernels::interrupt::Checkpoint;

use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::batches::Batches;
use crate::io::error::FileError;
use crate::io::file::{PartialFile, target};

const OPERATION: &str = "write_ipc";

/// How the buffers of an Arrow IPC file are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IpcCompression {
    /// No compression.
    #[default]
    None,
    /// LZ4 frames.
    Lz4,
    /// Zstandard.
    Zstd,
}

/// The two formats of Arrow IPC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IpcFormat {
    /// A file, with the places of its batches at the end, so that any of them can be read alone; also Feather version 2.
    #[default]
    File,
    /// A stream, which is read from its beginning, as from a pipe or a socket.
    Stream,
}

/// How [`write_ipc`](crate::DataFrame::write_ipc) lays a file out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpcWriteOptions {
    compression: IpcCompression,
    format: IpcFormat,
    batch_rows: usize,
}

impl Default for IpcWriteOptions {
    fn default() -> Self {
        Self { compression: IpcCompression::None, format: IpcFormat::File, batch_rows: 1 << 20 }
    }
}

impl IpcWriteOptions {
    /// A file without compression, of batches of 2^20 rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the compression.
    #[must_use]
    pub fn compression(mut self, compression: IpcCompression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: IpcFormat) -> Self {
        self.format = format;
        self
    }

    /// Sets the rows of a batch, at least 1.
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows.max(1);
        self
    }
}

impl DataFrame {
    /// Writes the frame as an Arrow IPC file, which is also Feather version 2, without compression.
    ///
    /// The file appears under its name only when it is complete. On an error no file is left, and an existing file is
    /// unchanged.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when the folder cannot be written to or the disk is full, and for labels that are not
    /// strings.
    ///
    /// # Source
    /// The Arrow columnar format, section IPC; pandas `DataFrame.to_feather`, Polars `write_ipc`.
    pub fn write_ipc(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_ipc_with(path, IpcWriteOptions::default())
    }

    /// [`write_ipc`](Self::write_ipc) with another layout.
    ///
    /// # Errors
    /// Same as [`write_ipc`](Self::write_ipc).
    pub fn write_ipc_with(&self, path: impl AsRef<Path>, options: IpcWriteOptions) -> Result<()> {
        let path = path.as_ref();
        write(self, path, options).map_err(|source| Error::file(OPERATION, path, source))
    }
}

fn write(frame: &DataFrame, path: &Path, options: IpcWriteOptions) -> Result<(), FileError> {
    let batches = Batches::of(frame)?;
    let compression = match options.compression {
        IpcCompression::None => None,
        IpcCompression::Lz4 => Some(CompressionType::LZ4_FRAME),
        IpcCompression::Zstd => Some(CompressionType::ZSTD),
    };
    let target = target(path)?.ok_or(FileError::NotAFile)?;
    let sink = BufWriter::new(PartialFile::beside(&target, ".arrow.part")?);
    let layout = Options::default().try_with_compression(compression)?;
    let sink = match options.format {
        IpcFormat::File => {
            let mut writer = FileWriter::try_new_with_options(sink, batches.schema(), layout)?;
            write_batches(&batches, options.batch_rows, |batch| Ok(writer.write(batch)?))?;
            writer.finish()?;
            writer.into_inner()?
        }
        IpcFormat::Stream => {
            let mut writer = StreamWriter::try_new_with_options(sink, batches.schema(), layout)?;
            write_batches(&batches, options.batch_rows, |batch| Ok(writer.write(batch)?))?;
            writer.finish()?;
            writer.into_inner()?
        }
    };
    let mut file = sink.into_inner().map_err(|error| FileError::Io(error.into_error()))?;
    Ok(file.rename(&target)?)
}

/// Gives the rows to `write`, so many at a time.
fn write_batches(
    batches: &Batches,
    rows: usize,
    mut write: impl FnMut(&RecordBatch) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let checkpoint = Checkpoint::current();
    let rows = batches.step(rows)?;
    for start in (0..batches.rows()).step_by(rows) {
        checkpoint.check();
        write(&batches.slice(start, rows.min(batches.rows() - start))?)?;
    }
    Ok(())
}
