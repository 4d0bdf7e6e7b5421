//! Times in seconds, which Parquet does not have: they are stored in milliseconds.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Time32SecondType, TimestampSecondType};
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, FieldRef, SchemaRef, TimeUnit};
use columnade_columns as columns;
use columnade_columns::Scalar;
use columnade_columns::arrow::dtype;

use crate::io::parquet::error::ParquetError;

/// A field whose times have a unit of Parquet, wherever they are.
pub(super) fn in_milliseconds(field: &FieldRef) -> FieldRef {
    Arc::new(field.as_ref().clone().with_data_type(stored(field.data_type())))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn stored(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Timestamp(TimeUnit::Second, zone) => {
            DataType::Timestamp(TimeUnit::Millisecond, zone.clone())
        }
        DataType::Time32(TimeUnit::Second) => DataType::Time32(TimeUnit::Millisecond),
        DataType::Dictionary(keys, values) => DataType::Dictionary(keys.clone(), Box::new(stored(values))),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(in_milliseconds).collect()),
        DataType::List(item) => DataType::List(in_milliseconds(item)),
        DataType::LargeList(item) => DataType::LargeList(in_milliseconds(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(in_milliseconds(item), *length),
        other => other.clone(),
    }
}

/// The rows of a batch as `schema` says, whose times have the stored unit.
///
/// # Errors
/// [`ParquetError::ValueDoesNotFit`] for a time that milliseconds do not have.
pub(super) fn converted(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ParquetError> {
    if batch.schema_ref().fields() == schema.fields() {
        return Ok(batch.clone());
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| {
        if column.data_type() == field.data_type() {
            return Ok(Arc::clone(column));
        }
        cast_with_options(column, field.data_type(), &options).map_err(|error| {
            too_far(field.name(), column).unwrap_or_else(|| ParquetError::Format(error.to_string()))
        })
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| ParquetError::Format(error.to_string()))
}

/// The error of the first time, of those wherever in a column, that milliseconds do not have.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn too_far(column: &str, array: &ArrayRef) -> Option<ParquetError> {
    let value = match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            let seconds = array.as_primitive::<TimestampSecondType>();
            let far = seconds.iter().flatten().find(|seconds| seconds.checked_mul(1000).is_none())?;
            Scalar::Timestamp(far, columns::TimeUnit::Second)
        }
        DataType::Time32(TimeUnit::Second) => {
            // Beyond a day, as nothing but damage has them.
            let seconds = array.as_primitive::<Time32SecondType>();
            let far = seconds.iter().flatten().find(|seconds| seconds.checked_mul(1000).is_none())?;
            Scalar::Time(i64::from(far), columns::TimeUnit::Second)
        }
        _ => {
            let data = array.to_data();
            return data.child_data().iter().find_map(|child| too_far(column, &make_array(child.clone())));
        }
    };
    let dtype = dtype(array.data_type()).ok()?.to_string();
    Some(ParquetError::ValueDoesNotFit { column: column.to_owned(), value: value.to_string(), dtype })
}
