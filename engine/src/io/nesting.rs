//! How deep columns of files may be nested.

use arrow_schema::{DataType, Field, Schema};
use flatbuffers::InvalidFlatbuffer;

/// The most levels of lists, structs and maps in a column of an Arrow schema, which IPC files and the metadata of Parquet files have:
/// its reader follows 64 tables one in the other, among them those of the message, of the schema and of the type of the innermost
/// field.
pub(super) const MOST_LEVELS: usize = 60;

/// Whether a message was refused since it is nested too deeply.
pub(super) fn is_too_deep(error: &InvalidFlatbuffer) -> bool {
    matches!(error, InvalidFlatbuffer::DepthLimitReached)
}

/// The first column that is nested too deeply for a file.
pub(super) fn too_deep(schema: &Schema) -> Option<&str> {
    let deep = schema.fields().iter().find(|field| levels(field) > MOST_LEVELS)?;
    Some(deep.name())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn levels(field: &Field) -> usize {
    match field.data_type() {
        DataType::Struct(fields) => 1 + fields.iter().map(|field| levels(field)).max().unwrap_or(0),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => 1 + levels(item),
        _ => 0,
    }
}
