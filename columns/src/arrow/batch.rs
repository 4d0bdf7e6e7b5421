//! Record batches in and out.

use crate::{Column, ColumnAccessor, Error, Result};
use arrow_array::{RecordBatch, RecordBatchOptions, new_empty_array};
use arrow_schema::{DataType, Schema, SchemaRef};
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
        let schema = self.arrow_schema()?;
        let mut arrays = Vec::with_capacity(self.len());
        for (field, (_, column)) in schema.fields().iter().zip(self.iter()) {
            let array = match column.device() {
                // Of no rows nothing is asked that may be spilled, but for categories.
                _ if self.rows() == 0 && !has_dictionary(field.data_type()) => {
                    Ok(new_empty_array(field.data_type()))
                }
                Device::Host => column.to_arrow(),
                Device::Sim | Device::Cuda(_) => column.to_device(&Exec::host())?.to_arrow(),
            };
            arrays.push(array.map_err(|error| in_field(error, field.name()))?);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows()));
        RecordBatch::try_new_with_options(schema, arrays, &options)
            .map_err(|error| Error::Arrow { field: String::new(), reason: error.to_string() })
    }

    /// The schema of [`to_record_batch`](Self::to_record_batch). Values are not looked at.
    ///
    /// # Errors
    /// [`Error::UnsupportedLabel`] for labels that are not strings.
    pub fn arrow_schema(&self) -> Result<SchemaRef> {
        let mut fields = Vec::with_capacity(self.len());
        for (label, column) in self.iter() {
            let Some(name) = label.as_text() else {
                return Err(Error::UnsupportedLabel { label: label.clone() });
            };
            let nullable = column.mask().is_some() || matches!(column, Column::Null(_));
            fields.push(column.arrow_field(name).with_nullable(nullable));
        }
        Ok(Arc::new(Schema::new(fields)))
    }
}

/// Whether values of the type are codes of a dictionary, or have such within them.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is another library's")]
fn has_dictionary(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(..) => true,
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            has_dictionary(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().any(|field| has_dictionary(field.data_type())),
        _ => false,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn in_field(error: Error, name: &str) -> Error {
    match error {
        Error::Arrow { field, reason } if field.is_empty() => Error::Arrow { field: name.to_owned(), reason },
        other => other.in_column(name),
    }
}
