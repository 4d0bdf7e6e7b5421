//! The footer of a file of rows without columns. The library counts the rows of a row group by its columns, so that a footer of
//! its own would say that there are none.

use std::io::Write;
use std::sync::Arc;

use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaDataBuilder, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;

use crate::io::parquet::error::ParquetError;

/// Writes the footer of row groups with so many rows each, after what `writer` has written, which is finished by that. `more` are
/// keys and values beside those of its properties.
pub(super) fn finish<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    row_groups: &[i64],
    more: impl IntoIterator<Item = KeyValue>,
) -> Result<(), ParquetError> {
    let schema = Arc::new(SchemaDescriptor::new(writer.schema_descr().root_schema_ptr()));
    let properties = writer.properties();
    let pairs: Vec<KeyValue> =
        properties.key_value_metadata().into_iter().flatten().cloned().chain(more).collect();
    let file = FileMetaData::new(
        properties.writer_version().as_num(),
        row_groups.iter().sum(),
        Some(properties.created_by().to_owned()),
        (!pairs.is_empty()).then_some(pairs),
        Arc::clone(&schema),
        None,
    );
    let mut footer = ParquetMetaDataBuilder::new(file);
    for &rows in row_groups {
        let group = RowGroupMetaData::builder(Arc::clone(&schema)).set_num_rows(rows);
        footer = footer.add_row_group(group.build()?);
    }
    // What comes before the footer.
    writer.flush()?;
    let footer = footer.build();
    ParquetMetaDataWriter::new(writer.inner_mut(), &footer).finish()?;
    Ok(writer.inner_mut().flush()?)
}
