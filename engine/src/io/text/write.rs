//! Rows as text: blocks of them are encoded in parallel.

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use columnade_buffers::{in_workers, require_system_memory, worker_threads};
use columnade_kernels::interrupt::Checkpoint;
use rayon::prelude::*;

use super::{TextCompression, TextSink};
use crate::io::batches::{Batches, bytes_of_columns};
use crate::io::error::FileError;
use crate::io::file::{PartialFile, target};

/// The rows that become text at a time, by one thread.
const ROWS: usize = 1 << 16;

/// The progress of a write; see [`CsvWriteOptions::progress`](crate::csv::CsvWriteOptions::progress).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteProgress {
    /// Rows written so far.
    pub rows_done: usize,
    /// Rows to write.
    pub rows: usize,
}

/// The text of a block of rows, given the number of the first of them.
pub(in crate::io) type Encode<'a> = dyn Fn(&RecordBatch, usize) -> Result<Vec<u8>, FileError> + Sync + 'a;

/// Rows that become text.
pub(in crate::io) struct Blocks<'a> {
    pub(in crate::io) batches: &'a Batches<'a>,
    /// What becomes of a slice of them.
    pub(in crate::io) convert: fn(&RecordBatch) -> Result<RecordBatch, FileError>,
}

impl Blocks<'_> {
    pub(in crate::io) fn rows(&self) -> usize {
        self.batches.rows()
    }

    fn slice(&self, start: usize, len: usize) -> Result<RecordBatch, FileError> {
        (self.convert)(&self.batches.slice(start, len)?)
    }
}

/// A file of text that is written part by part. It appears when it is complete; before, and after a failure, nothing is left.
pub(in crate::io) struct TextFile {
    target: PathBuf,
    /// None after a failure.
    sink: Option<TextSink<PartialFile>>,
}

impl TextFile {
    /// A file that is compressed as `compression` says, or else by the end of its name.
    pub(in crate::io) fn create(
        path: &Path,
        compression: Option<TextCompression>,
        suffix: &'static str,
    ) -> Result<Self, FileError> {
        let compression = compression.map_or_else(|| TextCompression::of(path), Ok)?;
        let target = target(path)?.ok_or(FileError::NotAFile)?;
        let sink = TextSink::new(compression, PartialFile::beside(&target, suffix)?)?;
        Ok(Self { target, sink: Some(sink) })
    }

    /// Adds what `text` writes.
    pub(in crate::io) fn append(
        &mut self,
        text: impl FnOnce(&mut dyn Write) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let mut sink = self.sink.take().ok_or_else(failed)?;
        text(&mut sink)?;
        self.sink = Some(sink);
        Ok(())
    }

    /// Gives the file its name.
    pub(in crate::io) fn finish(self) -> Result<(), FileError> {
        let mut file = self.sink.ok_or_else(failed)?.finish()?;
        Ok(file.rename(&self.target)?)
    }
}

fn failed() -> FileError {
    FileError::Format("an append before has failed, and left no file".to_owned())
}

/// What the text of values takes at most for each of their bytes, in about, twice as it grows.
const TEXT: usize = 8;

/// The texts of blocks of rows, in parallel. `report` hears of the rows from time to time.
pub(in crate::io) fn write_blocks(
    blocks: &Blocks<'_>,
    text: &Encode<'_>,
    report: &dyn Fn(WriteProgress),
    sink: &mut dyn Write,
) -> Result<(), FileError> {
    let (rows, mut rows_done) = (blocks.rows(), 0);
    let checkpoint = Checkpoint::current();
    if rows == 0 {
        sink.write_all(&text(&blocks.slice(0, 0)?, 0)?)?;
    }
    let step = blocks.batches.step(ROWS)?;
    let starts: Vec<usize> = (0..rows).step_by(step).collect();
    for wave in starts.chunks(blocks.batches.at_a_time(step, 2 * worker_threads())?) {
        // Not by the workers: memory of a limit is not asked for in a parallel loop.
        let slices = wave.iter().map(|&start| Ok((start, blocks.slice(start, step.min(rows - start))?)));
        let slices = slices.collect::<Result<Vec<_>, FileError>>()?;
        let bytes =
            slices.iter().flat_map(|(_, slice)| bytes_of_columns(slice)).fold(0, usize::saturating_add);
        require_system_memory(bytes.saturating_mul(TEXT)).map_err(|error| FileError::Column(error.into()))?;
        let texts: Vec<Vec<u8>> = in_workers(|| {
            slices
                .par_iter()
                .map(|(start, slice)| {
                    checkpoint.check();
                    text(slice, *start)
                })
                .collect::<Result<_, _>>()
        })?;
        for text in texts {
            sink.write_all(&text)?;
            rows_done = rows.min(rows_done + step);
            report(WriteProgress { rows_done, rows });
        }
    }
    Ok(())
}
