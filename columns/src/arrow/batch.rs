//! Record batches in and out.

use crate::{Column, ColumnAccessor, Error, Result};
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::Schema;
use columnade_buffers::{Device, Exec};
use std::sync::Arc;

impl ColumnAccessor {
    /// The columns of a batch, on the host: see [`Column::from_arrow`].
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`] for two fields of one name; what [`Column::from_arrow`] returns, with the field's name.
    pub fn from_record_batch(batch: &RecordBatch) -> Result<ColumnAccessor> {
        let mut columns = ColumnAccessor::with_rows(batch.num_rows());
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            let column =
                Column::from_arrow_field(array, field).map_err(|error| in_field(error, field.name()))?;
            columns.insert(field.name(), column)?;
        }
        Ok(columns)
    }

    /// The concatenated columns of several batches of one schema, on `exec`'s device: see
    /// [`Column::from_chunks`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] without batches; [`Error::DuplicateLabel`] for two fields of one name; what
    /// [`Column::from_chunks`] returns, with the field's name.
    pub fn from_record_batches(batches: &[RecordBatch], exec: &Exec) -> Result<ColumnAccessor> {
        let Some(first) = batches.first() else {
            let reason = "there are none, so there is no schema".to_owned();
            return Err(Error::InvalidArgument { name: "batches", reason });
        };
        let mut columns = ColumnAccessor::with_rows(batches.iter().map(RecordBatch::num_rows).sum());
        for (position, field) in first.schema_ref().fields().iter().enumerate() {
            let chunks = batches
                .iter()
                .map(|batch| batch.columns().get(position).cloned())
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| Error::Arrow {
                    field: field.name().clone(),
                    reason: "a later batch does not have it".to_owned(),
                })?;
            let column = Column::from_field_chunks(&chunks, field, exec)
                .map_err(|error| in_field(error, field.name()))?;
            columns.insert(field.name(), column)?;
        }
        Ok(columns)
    }

    /// The columns as a batch of Arrow arrays on the host; columns of another device are copied there. A field is
    /// nullable when its column has a mask.
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not strings; [`Error::Memory`]; [`Error::Arrow`].
    pub fn to_record_batch(&self) -> Result<RecordBatch> {
        let mut fields = Vec::with_capacity(self.len());
        let mut arrays = Vec::with_capacity(self.len());
        for (label, column) in self.iter() {
            let Some(name) = label.as_text() else {
                return Err(Error::UnsupportedLabel { label: label.clone() });
            };
            let array = match column.device() {
                Device::Host => column.to_arrow(),
                Device::Sim | Device::Cuda(_) => column.to_device(&Exec::host())?.to_arrow(),
            }
            .map_err(|error| in_field(error, name))?;
            let nullable = column.mask().is_some() || matches!(column, Column::Null(_));
            fields.push(column.arrow_field(name).with_nullable(nullable));
            arrays.push(array);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows()));
        RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
            .map_err(|error| Error::Arrow { field: String::new(), reason: error.to_string() })
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn in_field(error: Error, name: &str) -> Error {
    match error {
        Error::Arrow { field, reason } if field.is_empty() => Error::Arrow { field: name.to_owned(), reason },
        other => other.in_column(name),
    }
}
