//! Parquet: which files, which row groups, which columns; decoded in parallel and handed to columns as Arrow arrays.

mod codec;
mod error;
mod order;
mod prune;
mod read;
mod write;

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef};

pub use codec::Compression;
pub use error::ParquetError;
pub use read::{ParquetReader, ParquetScan, ReadProgress, ReadStatistics, read_parquet};
pub use write::{ParquetWriteOptions, ParquetWriter};

/// Columns as an error shows them.
fn names_and_types(fields: &[FieldRef]) -> String {
    fields
        .iter()
        .map(|field| format!("{} {}", field.name(), field.data_type()))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Whether a field is an ordered dictionary, or has one within it.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn has_order(field: &Field) -> bool {
    match field.data_type() {
        DataType::Struct(fields) => fields.iter().any(|field| has_order(field)),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::Map(item, _) => has_order(item),
        _ => field.dict_is_ordered() == Some(true),
    }
}

/// A field without an order of dictionaries, wherever they are.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn unordered(field: &FieldRef) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(unordered).collect()),
        DataType::List(item) => DataType::List(unordered(item)),
        DataType::LargeList(item) => DataType::LargeList(unordered(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(unordered(item), *length),
        DataType::ListView(item) => DataType::ListView(unordered(item)),
        DataType::LargeListView(item) => DataType::LargeListView(unordered(item)),
        DataType::Map(item, sorted) => DataType::Map(unordered(item), *sorted),
        other => other.clone(),
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type).with_dict_is_ordered(false))
}
