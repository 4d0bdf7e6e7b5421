//! Arrow IPC files and streams batch by batch.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_schema::SchemaRef;
use columnade_buffers::Exec;

use super::read::{IpcReader, MAGIC, OPERATION, OpenFile, check_same, damaged, range_of, selected};
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::error::{FileError, caught};
use crate::io::file::SourceFile;
use crate::io::frames::{Parts, on_device};
use crate::io::scan::FrameScan;

/// The bytes of a stream that are read at a time.
const STEP: usize = 4 << 20;

impl IpcReader {
    /// Reads the rows part by part: an iterator of frames, one for each batch of the files, in their order. Only the batch that is
    /// asked for, and the dictionaries of its file, are read. Batches without rows are left out.
    ///
    /// # Errors
    /// Those of [`read`](Self::read): of paths here, of files with the frames.
    ///
    /// # Source
    /// pyarrow `RecordBatchFileReader.get_batch`, Polars `scan_ipc`.
    pub fn scan(self) -> Result<FrameScan<'static>> {
        let exec = self.context()?;
        let files = self.files()?;
        if files.is_empty() {
            return Err(Error::file(OPERATION, "", FileError::NoPath));
        }
        Ok(FrameScan::new(IpcScan {
            reader: self,
            files: files.into_iter(),
            open: None,
            expected: None,
            exec,
        }))
    }
}

struct IpcScan {
    reader: IpcReader,
    files: std::vec::IntoIter<PathBuf>,
    open: Option<(PathBuf, Source)>,
    /// The columns of the first file.
    expected: Option<SchemaRef>,
    exec: Exec,
}

/// A file that is read.
struct Source {
    file: SourceFile,
    kind: Kind,
}

enum Kind {
    File {
        open: OpenFile,
        /// The next batch.
        next: usize,
    },
    Stream {
        decoder: Box<StreamDecoder>,
        /// Read and not decoded.
        bytes: Buffer,
        at: u64,
        schema: Option<SchemaRef>,
    },
}

impl IpcScan {
    /// The next batch of any file, and the file.
    fn batch(&mut self) -> Result<Option<(PathBuf, RecordBatch)>> {
        loop {
            let (path, mut source) = if let Some(open) = self.open.take() {
                open
            } else {
                let Some(path) = self.files.next() else { return Ok(None) };
                let source = caught(|| self.reader.source(&path));
                let source = source.map_err(|error| Error::file(OPERATION, &path, error))?;
                (path, source)
            };
            let batch = caught(|| source.batch(&self.reader));
            let batch = batch.and_then(|batch| {
                if let Some(batch) = &batch {
                    let expected = self.expected.get_or_insert_with(|| batch.schema());
                    check_same(expected, batch.schema_ref())?;
                }
                Ok(batch)
            });
            if let Some(batch) = batch.map_err(|error| Error::file(OPERATION, &path, error))? {
                self.open = Some((path.clone(), source));
                return Ok(Some((path, batch)));
            }
        }
    }

    fn frame(&self, path: &Path, batch: RecordBatch) -> Result<DataFrame> {
        let mut parts = Parts::new(batch.schema(), &self.exec);
        parts.push(batch).map_err(|error| Error::file(OPERATION, path, FileError::Column(error)))?;
        let columns = on_device(parts, &self.exec).operation(OPERATION)?;
        Ok(DataFrame::from_accessor(columns, &self.exec))
    }
}

impl Iterator for IpcScan {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = match self.batch() {
                Ok(None) => return None,
                Ok(Some((_, batch))) if batch.num_rows() == 0 => continue,
                Ok(Some((path, batch))) => self.frame(&path, batch),
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

impl IpcReader {
    fn source(&self, path: &Path) -> Result<Source, FileError> {
        let file = SourceFile::open(path).map_err(FileError::opening)?;
        let len = usize::try_from(file.len()).map_err(damaged)?;
        let is_file = len >= MAGIC.len() && bytes_of(&file, 0, MAGIC.len())?.as_slice() == MAGIC;
        let kind = if is_file {
            let open = self.opened(len, &|at, length| bytes_of(&file, at, length))?;
            Kind::File { open, next: 0 }
        } else if len == 0 {
            return Err(FileError::NotIpc { reason: "it is empty".to_owned() });
        } else {
            let (decoder, bytes) = (Box::new(StreamDecoder::new()), Buffer::from(&[]));
            Kind::Stream { decoder, bytes, at: 0, schema: None }
        };
        Ok(Source { file, kind })
    }
}

impl Source {
    /// The next batch; `None` at the end.
    fn batch(&mut self, reader: &IpcReader) -> Result<Option<RecordBatch>, FileError> {
        match &mut self.kind {
            Kind::File { open, next } => {
                let len = usize::try_from(self.file.len()).map_err(damaged)?;
                while let Some(block) = open.blocks.get(*next) {
                    *next += 1;
                    let (at, length) = range_of(block, len)?;
                    let bytes = bytes_of(&self.file, at, length)?;
                    if let Some(batch) = open.decoder.read_record_batch(block, &bytes).map_err(damaged)? {
                        return Ok(Some(batch));
                    }
                }
                Ok(None)
            }
            Kind::Stream { decoder, bytes, at, schema } => loop {
                if bytes.is_empty() {
                    let rest = self.file.len() - *at;
                    if rest == 0 {
                        if decoder.schema().is_none() {
                            return Err(FileError::NotIpc { reason: "it has no schema".to_owned() });
                        }
                        decoder.finish().map_err(damaged)?;
                        return Ok(None);
                    }
                    let length = STEP.min(usize::try_from(rest).unwrap_or(STEP));
                    *bytes = bytes_of(&self.file, usize::try_from(*at).map_err(damaged)?, length)?;
                    *at += length as u64;
                }
                match decoder.decode(bytes) {
                    Ok(None) => {}
                    Ok(Some(batch)) => {
                        let positions = reader.positions(batch.schema_ref())?;
                        let selected = schema.get_or_insert_with(|| selected(batch.schema_ref(), &positions));
                        let batch = batch.project(&positions).map_err(damaged)?;
                        return batch.with_schema(Arc::clone(selected)).map(Some).map_err(damaged);
                    }
                    Err(error) if decoder.schema().is_none() => {
                        return Err(FileError::NotIpc { reason: error.to_string() });
                    }
                    Err(error) => return Err(damaged(error)),
                }
            },
        }
    }
}

/// Bytes of a file, which are within it unless it became shorter.
fn bytes_of(file: &SourceFile, at: usize, length: usize) -> Result<Buffer, FileError> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| {
        let reason = format!("{length} bytes could not be allocated");
        FileError::Io(std::io::Error::new(std::io::ErrorKind::OutOfMemory, reason))
    })?;
    bytes.resize(length, 0_u8);
    file.read_exact_at(at as u64, &mut bytes)?;
    Ok(Buffer::from_vec(bytes))
}
