//! Decoded batches as the columns of a frame, in parts that fit the memory of a context.

use arrow_array::{Array, ArrayRef, RecordBatch, new_empty_array};
use arrow_schema::SchemaRef;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Error, Result};

use super::adopt;

/// Batches of one schema, in parts that are in memory of a context.
#[derive(Debug)]
pub(super) struct Parts {
    schema: SchemaRef,
    exec: Exec,
    done: Vec<ColumnAccessor>,
    /// Decoded, and not yet in memory that is counted.
    batches: Vec<RecordBatch>,
    bytes: usize,
}

impl Parts {
    pub(super) fn new(schema: SchemaRef, exec: &Exec) -> Self {
        Self { schema, exec: exec.clone(), done: Vec::new(), batches: Vec::new(), bytes: 0 }
    }

    /// Adds a batch. Under a budget, what was added becomes columns when it has reached a quarter of it.
    pub(super) fn push(&mut self, batch: RecordBatch) -> Result<()> {
        self.bytes += batch.columns().iter().map(Array::get_buffer_memory_size).sum::<usize>();
        self.batches.push(batch);
        if self.exec.budget().is_some_and(|budget| self.bytes > budget / 4) {
            self.adopt()?;
        }
        Ok(())
    }

    fn adopt(&mut self) -> Result<()> {
        let mut batches = std::mem::take(&mut self.batches);
        self.bytes = 0;
        let rows = batches.iter().map(RecordBatch::num_rows).sum();
        // From the last column to the first: a column's arrays are let go as soon as it is built.
        let mut columns = Vec::with_capacity(self.schema.fields().len());
        for field in self.schema.fields().iter().rev() {
            let mut arrays: Vec<ArrayRef> = batches
                .iter_mut()
                .filter(|batch| batch.num_columns() > 0)
                .map(|batch| batch.remove_column(batch.num_columns() - 1))
                .collect();
            if arrays.is_empty() {
                arrays.push(new_empty_array(field.data_type()));
            }
            let parts =
                arrays.iter().map(|array| Column::from_arrow_field(array, field)).collect::<Result<_>>();
            drop(arrays);
            let in_column = |error: Error| error.in_column(field.name());
            columns.push((
                field.name().clone(),
                adopt::column(parts.map_err(in_column)?, &self.exec).map_err(in_column)?,
            ));
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
