//! Reading files of text whole: parts of them become columns, and are read once more if the types do not fit.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;
use arrow_select::dictionary::garbage_collect_any_dictionary;
use columnade_buffers::{Exec, return_freed_memory, system_memory_left};
use columnade_columns::arrow::field_dtype;
use columnade_columns::{ColumnAccessor, DType};

use super::chunks::CHUNK;
use super::rows::WAVE;
use super::{Failed, Rows, TextFormat};
use crate::error::{Error, InOperation};
use crate::io::adopt;
use crate::io::error::FileError;
use crate::io::frames::{Parts, on_device};

/// The progress of a read of CSV or JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextProgress {
    /// Bytes of the files whose rows are decoded. A file is read once more if the types that were inferred do not fit.
    pub bytes_done: u64,
    /// Bytes of the files that were opened so far.
    pub bytes: u64,
    /// Rows decoded so far.
    pub rows: usize,
}

/// Statistics of a read of CSV or JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStatistics {
    /// Files read.
    pub files: usize,
    /// Rows read.
    pub rows: usize,
    /// Rows left out, see [`BadRows::Skip`].
    pub rows_skipped: u64,
    /// Bytes of the files, as they lie on disk.
    pub bytes_read: u64,
}

/// What a reader does with rows that are malformed, or have a value that is none of its column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadRows {
    /// The first such row is an error that names its line.
    #[default]
    Error,
    /// Such rows are left out and counted, see [`TextStatistics::rows_skipped`].
    Skip,
}

/// Called from time to time.
pub(in crate::io) type ReportProgress<'a> = Box<dyn Fn(TextProgress) + Send + Sync + 'a>;

/// What is read of which files.
pub(in crate::io) struct TextRead<'a> {
    pub(in crate::io) operation: &'static str,
    pub(in crate::io) files: &'a Arc<[PathBuf]>,
    /// The most rows.
    pub(in crate::io) limit: Option<usize>,
    pub(in crate::io) chunk_size: Option<usize>,
    pub(in crate::io) exec: &'a Exec,
    pub(in crate::io) report: Option<&'a ReportProgress<'a>>,
}

/// A format whose types can become wider.
pub(in crate::io) trait Widening: TextFormat {
    /// The columns that are read.
    fn schema(&self) -> SchemaRef;

    /// Types with the values of both.
    fn joined(a: Self::Types, b: &Self::Types) -> Self::Types;

    /// Reads with these types from now on.
    fn widen(&mut self, types: Self::Types);

    /// The error for rows that need these types where others were read before them.
    fn too_narrow(&self, types: &Self::Types) -> FileError;
}

impl TextRead<'_> {
    /// Reads the files with the types of the format; again from the beginning with wider ones, if these turn out to be too narrow.
    pub(in crate::io) fn run<F: Widening>(
        &self,
        format: &mut F,
    ) -> crate::Result<(ColumnAccessor, TextStatistics)> {
        loop {
            match self.attempt(format)? {
                Attempt::Done(columns, statistics) => {
                    // Text and arrays of the decoders.
                    return_freed_memory(self.exec);
                    return Ok((columns, statistics));
                }
                Attempt::Wider(types) => format.widen(types),
            }
        }
    }

    fn attempt<F: Widening>(&self, format: &F) -> crate::Result<Attempt<F::Types>> {
        let chunk_size = self.chunk_size.or_else(|| chunk_size(self.limit, self.exec));
        let mut rows = Rows::new(self.files, chunk_size);
        let _reserved = adopt::at_a_time(self.exec).and_then(|bytes| adopt::decoding(bytes, self.exec));
        let mut parts = Parts::new(format.schema(), self.exec);
        let mut statistics = TextStatistics { files: self.files.len(), ..TextStatistics::default() };
        let limit = self.limit.unwrap_or(usize::MAX);
        'files: while statistics.rows < limit {
            let failed =
                |(file, source): (usize, FileError)| Error::file(self.operation, &self.files[file], source);
            let wave = rows.next(format, limit - statistics.rows).map_err(failed)?;
            let Some(wave) = wave else { break };
            let mut wider: Option<F::Types> = None;
            for (file, chunk) in wave {
                match chunk {
                    Ok(_) | Err(Failed::File(_)) if wider.is_some() => {}
                    Ok(chunk) => {
                        let batch = head(&chunk.batch, limit - statistics.rows);
                        statistics.rows += batch.num_rows();
                        statistics.rows_skipped += chunk.skipped;
                        parts.push(batch).operation(self.operation)?;
                        if statistics.rows == limit {
                            break 'files;
                        }
                    }
                    Err(Failed::Types(types)) => {
                        wider = Some(match wider {
                            None => types,
                            Some(before) => F::joined(before, &types),
                        });
                    }
                    Err(Failed::File(source)) => return Err(failed((file, source))),
                }
            }
            if let Some(types) = wider {
                return Ok(Attempt::Wider(types));
            }
            if let Some(report) = self.report {
                let bytes = rows.decoded_bytes();
                report(TextProgress { bytes_done: bytes.done, bytes: bytes.all, rows: statistics.rows });
            }
        }
        statistics.bytes_read = rows.bytes().done;
        let columns = on_device(parts, self.exec).operation(self.operation)?;
        let checked = check_codes(&format.schema(), &columns);
        checked.map_err(|source| Error::file(self.operation, &self.files[0], source))?;
        Ok(Attempt::Done(columns, statistics))
    }
}

/// Refuses dictionaries that took wider codes when their parts were put together.
fn check_codes(schema: &SchemaRef, columns: &ColumnAccessor) -> Result<(), FileError> {
    for (field, (_, found)) in schema.fields().iter().zip(columns.dtypes()) {
        let expected = field_dtype(field)?;
        if matches!(expected, DType::Dictionary(_)) && found != expected {
            let (column, dtype) = (field.name().clone(), expected.to_string());
            return Err(FileError::TooManyCategories { column, dtype });
        }
    }
    Ok(())
}

/// The bytes of text that a thread decodes at a time, where that is not as much as for all rows without a limit of memory.
///
/// Of few rows, no more text is read than they may have. Under a limit of memory, the chunks that are decoded, those that are
/// read meanwhile and their values are to come to [`adopt::at_a_time`], or to a part of what the process may have.
pub(super) fn chunk_size(limit: Option<usize>, exec: &Exec) -> Option<usize> {
    let of_rows = limit.map(|rows| rows.saturating_mul(ROW) / WAVE);
    let of_memory = adopt::at_a_time(exec).map(|bytes| bytes / (4 * WAVE));
    let of_process = system_memory_left().map(|bytes| bytes / (8 * WAVE));
    let bytes = of_rows.into_iter().chain(of_memory).chain(of_process).min()?;
    Some(bytes.clamp(SMALLEST_CHUNK, CHUNK))
}

/// Bytes of a row of text, in about.
const ROW: usize = 256;
/// Less is decoded more slowly.
const SMALLEST_CHUNK: usize = 64 << 10;

/// What reading with some types comes to.
enum Attempt<T> {
    Done(ColumnAccessor, TextStatistics),
    /// The files have values that need these types.
    Wider(T),
}

/// The first rows of a batch; its dictionaries without the values of others.
pub(super) fn head(batch: &RecordBatch, rows: usize) -> RecordBatch {
    if batch.num_rows() <= rows {
        return batch.clone();
    }
    let head = batch.slice(0, rows);
    let used = head.columns().iter().map(|column| match column.as_any_dictionary_opt() {
        Some(dictionary) => garbage_collect_any_dictionary(dictionary).unwrap_or_else(|_| Arc::clone(column)),
        None => Arc::clone(column),
    });
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(head.schema(), used.collect(), &options).unwrap_or(head)
}
