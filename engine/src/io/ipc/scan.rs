//! Arrow IPC files and streams batch by batch.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::Block;
use arrow_schema::SchemaRef;
use columnade_buffers::{Exec, MappedFile, in_workers};
use columnade_columns::Error as ColumnError;
use columnade_kernels::interrupt::Checkpoint;
use rayon::prelude::*;

use super::message::Stream;
use super::read::{
    IpcReader, OPERATION, OpenFile, Plan, PlannedFile, Progress, bytes_of, damaged, is_file, range_of,
    read_block,
};
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::error::{FileError, caught};
use crate::io::file::SourceFile;
use crate::io::frames::{Parts, on_device};
use crate::io::scan::{FrameScan, FrameSource};

impl<'a> IpcReader<'a> {
    /// Reads the rows part by part: an iterator of frames, one for each batch of the files, in their order. Only the batch that is
    /// asked for, and the dictionaries of its file, are read. Batches without rows are left out, but for one where there are no rows at all. The columns are those of all files.
    ///
    /// # Errors
    /// Those of [`read`](Self::read): of paths and columns here, of rows with the frames.
    ///
    /// # Source
    /// pyarrow `RecordBatchFileReader.get_batch`, Polars `scan_ipc`.
    pub fn scan(self) -> Result<FrameScan<'a>> {
        let exec = self.context()?;
        let Plan { schema, files } = self.plan()?;
        let progress = Progress::new(self.progress, &files);
        Ok(FrameScan::new(IpcScan {
            schema,
            files: files.into_iter(),
            open: None,
            exec,
            progress,
            before: 0,
        }))
    }
}

struct IpcScan<'a> {
    /// Of the frames.
    schema: SchemaRef,
    files: std::vec::IntoIter<PlannedFile>,
    open: Option<(PlannedFile, Reading)>,
    exec: Exec,
    progress: Progress<'a>,
    /// The bytes of the files that are read.
    before: u64,
}

/// A file that is read.
pub(super) struct Reading {
    file: SourceFile,
    mapped: Option<MappedFile>,
    kind: Kind,
    /// Bytes of the batches that are decoded.
    pub(super) bytes_done: u64,
}

enum Kind {
    File {
        open: OpenFile,
        /// The next batch.
        next: usize,
    },
    Stream(Box<Stream>),
}

impl IpcScan<'_> {
    /// The next batch of any file, and the file.
    fn batch(&mut self) -> Result<Option<(PlannedFile, RecordBatch)>> {
        loop {
            let (file, mut reading) = if let Some(open) = self.open.take() {
                open
            } else {
                let Some(file) = self.files.next() else { return Ok(None) };
                let reading = caught(|| Reading::of(&file));
                let reading = reading.map_err(|error| Error::file(OPERATION, &file.path, error))?;
                (file, reading)
            };
            let batch = caught(|| reading.batch(&file));
            if let Some(batch) = batch.map_err(|error| Error::file(OPERATION, &file.path, error))? {
                self.progress.reached(self.before + reading.bytes_done);
                self.open = Some((file.clone(), reading));
                return Ok(Some((file, batch)));
            }
            // What is no batch: dictionaries, and the footer.
            self.before += file.bytes;
            self.progress.reached(self.before);
        }
    }

    fn frame(&self, file: &PlannedFile, batch: RecordBatch) -> Result<DataFrame> {
        let mut parts = Parts::new(Arc::clone(&self.schema), &self.exec);
        let mapped = self.open.as_ref().and_then(|(_, reading)| reading.mapped.as_ref());
        let pushed = parts.push_of(batch, &file.sources, mapped).and_then(|()| on_device(parts, &self.exec));
        let columns = match pushed {
            // Memory is no fault of the file.
            Err(error @ ColumnError::Memory(_)) => Err(error).operation(OPERATION)?,
            columns => {
                columns.map_err(|error| Error::file(OPERATION, &file.path, FileError::Column(error)))?
            }
        };
        Ok(DataFrame::from_accessor(columns, &self.exec))
    }
}

impl FrameSource for IpcScan<'_> {
    fn no_rows(&self) -> Result<DataFrame> {
        let parts = Parts::new(Arc::clone(&self.schema), &self.exec);
        let columns = on_device(parts, &self.exec).operation(OPERATION)?;
        Ok(DataFrame::from_accessor(columns, &self.exec))
    }
}

impl Iterator for IpcScan<'_> {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = match self.batch() {
                Ok(None) => return None,
                Ok(Some((_, batch))) if batch.num_rows() == 0 => continue,
                Ok(Some((file, batch))) => self.frame(&file, batch),
                Err(error) => Err(error),
            };
            if next.is_err() {
                self.open = None;
                self.files = Vec::new().into_iter();
            }
            return Some(next);
        }
    }
}

impl Reading {
    pub(super) fn of(planned: &PlannedFile) -> Result<Self, FileError> {
        let file = SourceFile::open(&planned.path).map_err(FileError::opening)?;
        let mapped = if planned.memory_map { Some(file.mapped()?) } else { None };
        let len = usize::try_from(file.len()).map_err(damaged)?;
        let kind = if is_file(&file)? {
            let open = planned.opened(len, &|at, length| bytes_at(&file, mapped.as_ref(), at, length))?;
            Kind::File { open, next: 0 }
        } else {
            Kind::Stream(Box::default())
        };
        Ok(Self { file, mapped, kind, bytes_done: 0 })
    }

    /// The next batches, of about `bytes` bytes of the file, decoded in parallel; `None` at the end.
    pub(super) fn batches(
        &mut self,
        planned: &PlannedFile,
        bytes: usize,
    ) -> Result<Option<Vec<RecordBatch>>, FileError> {
        let enough = self.bytes_done.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
        let Kind::File { open, next } = &mut self.kind else {
            let mut batches = Vec::new();
            while self.bytes_done < enough
                && let Some(batch) = self.batch(planned)?
            {
                batches.push(batch);
            }
            return Ok(Some(batches).filter(|batches| !batches.is_empty()));
        };
        let len = usize::try_from(self.file.len()).map_err(damaged)?;
        let first = *next;
        let mut places = Vec::new();
        while self.bytes_done < enough
            && let Some(block) = open.blocks.get(*next)
        {
            let place = range_of(block, len).map_err(|error| error.in_batch(*next))?;
            places.push((block, place));
            self.bytes_done += place.1 as u64;
            *next += 1;
        }
        if places.is_empty() {
            return Ok(None);
        }
        let (file, mapped, checkpoint) = (&self.file, self.mapped.as_ref(), Checkpoint::current());
        let decode = |(at, &(block, place)): (usize, &(&Block, (usize, usize)))| {
            checkpoint.check();
            let batch = caught(|| {
                let bytes = bytes_at(file, mapped, place.0, place.1)?;
                read_block(&open.decoder, block, &bytes)
            });
            // A block without a header is none.
            batch.map_err(|error| error.in_batch(first + at))
        };
        let decoded = || places.par_iter().enumerate().map(decode).collect::<Result<Vec<_>, _>>();
        Ok(Some(in_workers(decoded)?.into_iter().flatten().collect()))
    }

    /// The next batch; `None` at the end.
    fn batch(&mut self, planned: &PlannedFile) -> Result<Option<RecordBatch>, FileError> {
        let len = usize::try_from(self.file.len()).map_err(damaged)?;
        let read = |at, length| bytes_at(&self.file, self.mapped.as_ref(), at, length);
        match &mut self.kind {
            Kind::File { open, next } => {
                while let Some(block) = open.blocks.get(*next) {
                    let number = *next;
                    *next += 1;
                    let failed = |error: FileError| error.in_batch(number);
                    let (at, length) = range_of(block, len).map_err(failed)?;
                    let batch = read(at, length).and_then(|bytes| read_block(&open.decoder, block, &bytes));
                    self.bytes_done += length as u64;
                    let batch = batch.map_err(failed)?;
                    if let Some(batch) = batch {
                        return Ok(Some(batch));
                    }
                }
                Ok(None)
            }
            Kind::Stream(stream) => {
                let batch = stream.next(len, &read)?;
                self.bytes_done = stream.position() as u64;
                batch.map(|batch| planned.projected(&batch)).transpose()
            }
        }
    }
}

/// Bytes of a file, which are within it.
fn bytes_at(
    file: &SourceFile,
    mapped: Option<&MappedFile>,
    at: usize,
    length: usize,
) -> Result<Buffer, FileError> {
    match mapped.map(MappedFile::to_arrow) {
        Some(bytes) if bytes.len() >= at.saturating_add(length) => Ok(bytes.slice_with_length(at, length)),
        Some(_) => Err(damaged("it became shorter while it was read")),
        None => bytes_of(file, at, length),
    }
}
