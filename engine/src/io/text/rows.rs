//! Decoding of text files: chunks of rows are read one after the other and decoded in parallel.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use columnade_buffers::{in_workers, system_has_memory};
use columnade_kernels::interrupt::Checkpoint;
use rayon::prelude::*;

use super::{Chunk, Chunks, Quoting, TextCompression, TextEncoding, TextSource};
use crate::io::error::{FileError, caught};

/// The chunks that are decoded while the next are read. A constant, so that types that are inferred again do not depend on the
/// number of threads.
pub(super) const WAVE: usize = 16;

/// The rows of one chunk.
#[derive(Debug)]
pub(in crate::io) struct Decoded {
    pub(in crate::io) batch: RecordBatch,
    /// The rows that were left out since they are malformed.
    pub(in crate::io) skipped: u64,
}

/// Why a chunk was not decoded.
#[derive(Debug)]
pub(in crate::io) enum Failed<T> {
    /// An error of the file.
    File(FileError),
    /// Values that the inferred types do not have, and types that have them.
    Types(T),
}

impl<T> From<FileError> for Failed<T> {
    fn from(error: FileError) -> Self {
        Failed::File(error)
    }
}

/// A format of lines.
pub(in crate::io) trait TextFormat: Sync {
    /// What is inferred.
    type Types: Send;

    /// How the files are compressed; `None`: each tells.
    fn compression(&self) -> Option<TextCompression>;

    /// The encoding of the text.
    fn encoding(&self) -> TextEncoding {
        TextEncoding::default()
    }

    /// What hides the end of a line.
    fn quoting(&self) -> Option<Quoting>;

    /// Lines before the rows of each file that are not read.
    fn skipped_lines(&self) -> usize {
        0
    }

    /// The text whose lines are rows, given that of a file.
    fn lines(&self, text: TextSource) -> TextSource {
        text
    }

    /// Checks and removes what stands before the rows of the file at this position.
    fn start(&self, file: usize, first: &mut Chunk) -> Result<(), FileError>;

    /// The first so many rows of a chunk; `None` if it has no more than these.
    fn first_rows(&self, file: usize, chunk: &Chunk, rows: usize) -> Option<Chunk>;

    /// The rows of a chunk of the file at this position, with the columns of the frame.
    fn decode(&self, file: usize, chunk: &Chunk) -> Result<Decoded, Failed<Self::Types>>;
}

/// The bytes of files, done and in all.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::io) struct Bytes {
    pub(in crate::io) done: u64,
    pub(in crate::io) all: u64,
}

/// The rows of several files.
pub(in crate::io) struct Rows {
    files: Arc<[PathBuf]>,
    next_file: usize,
    open: Option<Chunks>,
    /// Read and not decoded, with the positions of their files.
    ready: Vec<(usize, Chunk)>,
    /// What is wrong with the text after those, and the position of its file.
    fault: Option<(usize, FileError)>,
    bytes: Bytes,
    /// Those that were read when the chunks that were decoded last had been.
    decoded: Bytes,
    chunk_size: Option<usize>,
}

/// Decoded chunks, with the positions of their files.
pub(in crate::io) type Wave<T> = Vec<(usize, Result<Decoded, Failed<T>>)>;

impl Rows {
    pub(in crate::io) fn new(files: &Arc<[PathBuf]>, chunk_size: Option<usize>) -> Self {
        let files = Arc::clone(files);
        Self {
            files,
            next_file: 0,
            open: None,
            ready: Vec::new(),
            fault: None,
            bytes: Bytes::default(),
            decoded: Bytes::default(),
            chunk_size,
        }
    }

    /// The bytes read so far, and those of the files that were opened.
    pub(in crate::io) fn bytes(&self) -> Bytes {
        let open = self
            .open
            .as_ref()
            .map_or(Bytes::default(), |file| Bytes { done: file.bytes_read(), all: file.file_bytes() });
        Bytes { done: self.bytes.done + open.done, all: self.bytes.all + open.all }
    }

    /// The bytes of the rows that were decoded, which are fewer than those read.
    pub(in crate::io) fn decoded_bytes(&self) -> Bytes {
        self.decoded
    }

    /// Some more rows, in order, `most` of them at least if there are so many; none at the end. Decodes them while the chunks
    /// after them are read. Errors of rows after the first `most` are none.
    pub(in crate::io) fn next<F: TextFormat>(
        &mut self,
        format: &F,
        most: usize,
    ) -> Result<Option<Wave<F::Types>>, (usize, FileError)> {
        if self.ready.is_empty() {
            self.ready = self.read(format);
        }
        self.decoded = self.bytes();
        let chunks = std::mem::take(&mut self.ready);
        if chunks.is_empty() {
            return self.fault.take().map_or(Ok(None), Err);
        }
        Checkpoint::current().check();
        check_memory(&chunks)?;
        let (next, decoded) = in_workers(|| {
            rayon::join(
                || self.read(format),
                || chunks.into_par_iter().map(|(file, chunk)| Attempt::of(format, file, chunk)).collect(),
            )
        });
        self.ready = next;
        Ok(Some(limited(format, decoded, most)))
    }

    /// The next chunks, up to a fault.
    fn read<F: TextFormat>(&mut self, format: &F) -> Vec<(usize, Chunk)> {
        let mut chunks = Vec::with_capacity(WAVE);
        while chunks.len() < WAVE && self.fault.is_none() {
            let file = self.next_file;
            let Some(path) = self.files.get(file).cloned() else { break };
            match self.chunk(file, &path, format) {
                Ok(Some(chunk)) => chunks.push((file, chunk)),
                Ok(None) => {
                    self.bytes = self.bytes();
                    self.open = None;
                    self.next_file += 1;
                }
                Err(fault) => self.fault = Some((file, fault)),
            }
        }
        chunks
    }

    /// The next chunk of a file.
    fn chunk<F: TextFormat>(
        &mut self,
        file: usize,
        path: &Path,
        format: &F,
    ) -> Result<Option<Chunk>, FileError> {
        let is_new = self.open.is_none();
        let mut chunk = self.file(path, format)?.next()?;
        if let Some(chunk) = chunk.as_mut().filter(|_| is_new) {
            format.start(file, chunk)?;
        }
        Ok(chunk)
    }

    fn file<F: TextFormat>(&mut self, path: &Path, format: &F) -> Result<&mut Chunks, FileError> {
        if self.open.is_none() {
            let (compression, encoding) = (format.compression(), format.encoding());
            let file =
                Chunks::open_as(path, compression, encoding, format.quoting(), |text| format.lines(text))?;
            let file = match self.chunk_size {
                Some(size) => file.of_size(size),
                None => file,
            };
            return Ok(self.open.insert(file.skipping(format.skipped_lines())));
        }
        self.open.as_mut().ok_or(FileError::NoPath)
    }
}

/// What the values of a chunk take at most for each byte of its text, in about: a digit and a separator are eight bytes.
const DECODED: usize = 4;

/// Fails if the system does not have the memory now that the values of some chunks take. The decoders abort the process where
/// they are refused memory.
fn check_memory(chunks: &[(usize, Chunk)]) -> Result<(), (usize, FileError)> {
    let text: usize = chunks.iter().map(|(_, chunk)| chunk.bytes.len()).sum();
    let bytes = text.saturating_mul(DECODED);
    if system_has_memory(bytes) {
        return Ok(());
    }
    let file = chunks.first().map_or(0, |(file, _)| *file);
    let reason = format!("{bytes} bytes for the values of {text} bytes of text could not be allocated");
    Err((file, FileError::out_of_memory(reason)))
}

/// What a chunk is decoded to; itself too if that failed.
struct Attempt<T> {
    file: usize,
    result: Result<Decoded, (Failed<T>, Chunk)>,
}

impl<T> Attempt<T> {
    fn of<F: TextFormat<Types = T>>(format: &F, file: usize, chunk: Chunk) -> Self {
        let result = decode(format, file, &chunk).map_err(|failed| (failed, chunk));
        Self { file, result }
    }
}

/// The chunks up to that with row number `most`. One that fails, and has more rows than are still to come, is decoded up to those.
fn limited<F: TextFormat>(format: &F, decoded: Vec<Attempt<F::Types>>, most: usize) -> Wave<F::Types> {
    let mut wave = Vec::with_capacity(decoded.len());
    let mut left = most;
    for Attempt { file, result } in decoded {
        if left == 0 {
            break;
        }
        let result = result.or_else(|(failed, chunk)| {
            // A row is a byte at least.
            let has_more = chunk.bytes.len() > left;
            let head = if has_more { format.first_rows(file, &chunk, left) } else { None };
            match head.map(|head| decode(format, file, &head)) {
                // Some were skipped, so that rows behind these count.
                Some(Ok(head)) if head.batch.num_rows() < left => Err(failed),
                Some(again) => again,
                None => Err(failed),
            }
        });
        if let Ok(chunk) = &result {
            left = left.saturating_sub(chunk.batch.num_rows());
        }
        wave.push((file, result));
    }
    wave
}

/// What the format makes of a chunk; a panic of its decoder is an error of the file.
fn decode<F: TextFormat>(format: &F, file: usize, chunk: &Chunk) -> Result<Decoded, Failed<F::Types>> {
    caught(|| Ok(format.decode(file, chunk)))?
}
