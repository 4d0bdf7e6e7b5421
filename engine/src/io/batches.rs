//! The rows of a frame as record batches, some at a time.

use arrow_array::{Array, RecordBatch};
use arrow_schema::SchemaRef;
use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, Result};

use crate::dataframe::DataFrame;

/// The bytes of the values of each column of a batch.
pub(super) fn bytes_of_columns(batch: &RecordBatch) -> impl Iterator<Item = usize> {
    batch.columns().iter().map(|column| {
        column.to_data().get_slice_memory_size().unwrap_or_else(|_| column.get_array_memory_size())
    })
}

/// A frame that a file is written of.
///
/// Without a limit of memory it is one batch, of whose memory slices are parts. Under a limit each slice is a batch of its
/// own: of spilled columns only its rows are in memory, while it is there.
#[derive(Debug)]
pub(super) struct Batches<'a> {
    columns: &'a ColumnAccessor,
    exec: &'a Exec,
    schema: SchemaRef,
    whole: Option<RecordBatch>,
}

impl<'a> Batches<'a> {
    /// # Errors
    /// [`UnsupportedLabel`](columnade_columns::Error::UnsupportedLabel) for labels that are not strings;
    /// [`Memory`](columnade_columns::Error::Memory).
    pub(super) fn of(frame: &'a DataFrame) -> Result<Self> {
        let (columns, exec) = (frame.frame().accessor(), frame.exec());
        let whole = exec.budget().is_none().then(|| columns.to_record_batch()).transpose()?;
        let schema = match &whole {
            Some(whole) => whole.schema(),
            None => columns.arrow_schema()?,
        };
        Ok(Self { columns, exec, schema, whole })
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(super) fn rows(&self) -> usize {
        self.columns.rows()
    }

    /// The rows of a slice, of which `most` are wanted: under a limit those of an eighth of it.
    pub(super) fn step(&self, most: usize) -> Result<usize> {
        Ok(self.limited(8, 1, most)?.max(1))
    }

    /// How many slices of `rows` rows are in memory at a time, of which `most` are wanted: under a limit those of a quarter
    /// of it.
    pub(super) fn at_a_time(&self, rows: usize, most: usize) -> Result<usize> {
        Ok(self.limited(4, rows, most)?.max(1))
    }

    /// As many times `rows` rows, at most `most`, as fit a share of the limit.
    fn limited(&self, share: usize, rows: usize, most: usize) -> Result<usize> {
        let Some(budget) = self.exec.budget().filter(|_| self.whole.is_none()) else { return Ok(most) };
        let row = self.columns.row_bytes()?.div_ceil(self.rows().max(1)).max(1);
        Ok(most.min(budget / share / row.saturating_mul(rows.min(self.rows()).max(1))))
    }

    /// `len` rows from `start` on.
    pub(super) fn slice(&self, start: usize, len: usize) -> Result<RecordBatch> {
        match &self.whole {
            Some(whole) => Ok(whole.slice(start, len)),
            None => self.columns.slice(start, len)?.isolate(self.exec)?.to_record_batch(),
        }
    }
}
