//! Decoded batches as the columns of a frame, in parts that fit the memory of a context.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, new_empty_array};
use arrow_schema::{FieldRef, SchemaRef};
use columnade_buffers::{Exec, MappedFile, Reservation, return_freed_memory};
use columnade_columns::{Column, ColumnAccessor, Error, Result};

use super::adopt;
use super::merge::Source;

/// Batches of one frame, in parts that are in memory of a context.
#[derive(Debug)]
pub(super) struct Parts {
    schema: SchemaRef,
    exec: Exec,
    done: Vec<ColumnAccessor>,
    /// Decoded, and not yet in memory that is counted.
    batches: Vec<Rows>,
    bytes: usize,
    /// For these batches.
    reserved: Option<Reservation>,
    /// The file that the last batch lies in.
    mapped: Option<MappedFile>,
}

/// Decoded rows, and where they have the columns of the frame if not at its positions.
#[derive(Debug)]
struct Rows {
    count: usize,
    /// Those that are not taken yet.
    columns: Vec<ArrayRef>,
    sources: Option<Arc<[Source]>>,
}

impl Rows {
    /// Column `at` of the frame, of rows whose columns after it were taken before.
    fn column(&mut self, at: usize, frame: &FieldRef) -> Result<Column> {
        let Self { count, columns, sources } = self;
        let mut last = |field: &FieldRef| match columns.pop() {
            None => Column::from_arrow_field(&new_empty_array(field.data_type()), field),
            Some(column) => Column::from_arrow_field(&column, field),
        };
        match sources {
            Some(sources) => sources[at].column(frame, *count, last),
            None => last(frame),
        }
    }
}

impl Parts {
    pub(super) fn new(schema: SchemaRef, exec: &Exec) -> Self {
        Self {
            schema,
            exec: exec.clone(),
            done: Vec::new(),
            batches: Vec::new(),
            bytes: 0,
            reserved: None,
            mapped: None,
        }
    }

    /// Adds a batch. Under a budget, what was added becomes columns when it has reached an eighth of it.
    pub(super) fn push(&mut self, batch: RecordBatch) -> Result<()> {
        self.add(batch, None)
    }

    /// Adds a batch of those columns of the frame that its file has, in their order. A batch alone stays where its file is mapped.
    pub(super) fn push_of(
        &mut self,
        batch: RecordBatch,
        sources: &Arc<[Source]>,
        mapped: Option<&MappedFile>,
    ) -> Result<()> {
        self.mapped = mapped.cloned();
        self.add(batch, Some(Arc::clone(sources)))
    }

    fn add(&mut self, batch: RecordBatch, sources: Option<Arc<[Source]>>) -> Result<()> {
        self.bytes += batch.columns().iter().map(Array::get_buffer_memory_size).sum::<usize>();
        let (_, columns, count) = batch.into_parts();
        self.batches.push(Rows { count, columns, sources });
        let Some(most) = adopt::at_a_time(&self.exec) else { return Ok(()) };
        if self.bytes > most {
            self.adopt()?;
            // Arrays of the decoders, which are columns now.
            return_freed_memory(&self.exec);
        } else if self.reserved.is_none() && self.mapped.is_none() {
            self.reserved = adopt::decoding(most, &self.exec);
        }
        Ok(())
    }

    fn adopt(&mut self) -> Result<()> {
        let mut batches = std::mem::take(&mut self.batches);
        self.bytes = 0;
        self.reserved = None;
        let rows = batches.iter().map(|rows| rows.count).sum();
        // From the last column to the first: a column's arrays are let go as soon as it is built.
        let mut columns = Vec::with_capacity(self.schema.fields().len());
        for (at, field) in self.schema.fields().iter().enumerate().rev() {
            let in_column = |error: Error| error.in_column(field.name());
            let parts = batches.iter_mut().map(|rows| rows.column(at, field)).collect::<Result<Vec<_>>>();
            let mut parts = parts.map_err(in_column)?;
            if parts.is_empty() {
                let empty = new_empty_array(field.data_type());
                parts.push(Column::from_arrow_field(&empty, field).map_err(in_column)?);
            }
            let column = adopt::column(parts, self.mapped.as_ref(), &self.exec).map_err(in_column)?;
            columns.push((field.name().clone(), column));
        }
        let mut part = ColumnAccessor::with_rows(rows);
        for (label, column) in columns.into_iter().rev() {
            part.insert(label, column)?;
        }
        self.done.push(part);
        Ok(())
    }
}

/// All parts as columns in memory of `exec`.
pub(super) fn on_device(mut parts: Parts, exec: &Exec) -> Result<ColumnAccessor> {
    if parts.done.is_empty() || !parts.batches.is_empty() {
        parts.adopt()?;
    }
    ColumnAccessor::assemble(parts.done, exec)
}
