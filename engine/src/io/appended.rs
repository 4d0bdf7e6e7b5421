//! The columns of a file that is written frame by frame.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use columnade_columns::{DType, Label};

use super::error::FileError;
use super::parquet::ParquetError;
use crate::dataframe::DataFrame;

/// The columns of the frames that were appended to a file: those of the first.
#[derive(Debug, Default)]
pub(super) struct AppendedColumns {
    columns: Option<Vec<(Label, DType)>>,
}

/// A frame with other columns than the first one.
#[derive(Debug)]
pub(super) enum AppendFault {
    /// Other labels, or in another order.
    Labels {
        expected: String,
        found: String,
    },
    DType {
        column: String,
        expected: DType,
        found: DType,
    },
}

impl AppendedColumns {
    /// Notes the columns of a frame that is written, if it is the first.
    pub(super) fn note(&mut self, frame: &DataFrame) {
        self.columns.get_or_insert_with(|| columns_of(frame));
    }

    /// Refuses a frame whose columns are not those of the first.
    pub(super) fn check(&self, frame: &DataFrame) -> Result<(), AppendFault> {
        let Some(expected) = &self.columns else { return Ok(()) };
        let found = columns_of(frame);
        let labels = |columns: &[(Label, DType)]| {
            columns.iter().map(|(label, _)| label.to_string()).collect::<Vec<_>>().join(", ")
        };
        if !expected.iter().map(|(label, _)| label).eq(found.iter().map(|(label, _)| label)) {
            return Err(AppendFault::Labels { expected: labels(expected), found: labels(&found) });
        }
        let mut pairs = expected.iter().zip(found);
        match pairs.find(|((_, expected), (_, found))| expected != found) {
            None => Ok(()),
            Some(((label, expected), (_, found))) => {
                Err(AppendFault::DType { column: label.to_string(), expected: expected.clone(), found })
            }
        }
    }
}

fn columns_of(frame: &DataFrame) -> Vec<(Label, DType)> {
    frame.columns().iter().cloned().zip(frame.dtypes()).collect()
}

/// A schema whose columns may have nulls: those of one frame that has none say nothing about the next.
pub(super) fn nullable(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
    Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone()))
}

/// The batch with the columns of the file: strings and lists of one dtype have offsets of 32 or of 64 bits.
pub(super) fn conformed(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, column)| {
        if field.data_type() == column.data_type() {
            return Ok(Arc::clone(column));
        }
        cast_with_options(column, field.data_type(), &options)
    });
    let columns = columns.collect::<Result<Vec<ArrayRef>, ArrowError>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

impl From<AppendFault> for FileError {
    fn from(fault: AppendFault) -> Self {
        match fault {
            AppendFault::Labels { expected, found } => FileError::SchemaDiffers { expected, found },
            AppendFault::DType { column, expected, found } => FileError::AppendedTypeDiffers {
                column,
                expected: expected.to_string(),
                found: found.to_string(),
            },
        }
    }
}

impl From<AppendFault> for ParquetError {
    fn from(fault: AppendFault) -> Self {
        match fault {
            AppendFault::Labels { expected, found } => ParquetError::SchemaDiffers { expected, found },
            AppendFault::DType { column, expected, found } => ParquetError::AppendedTypeDiffers {
                column,
                expected: expected.to_string(),
                found: found.to_string(),
            },
        }
    }
}
