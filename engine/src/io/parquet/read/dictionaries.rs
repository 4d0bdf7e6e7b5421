//! Dictionaries: which of them the decoder makes, and which are made of the values that it decodes.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, new_null_array};
use arrow_schema::{DataType, Field, FieldRef};
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result, arrow};
use parquet::basic::Encoding;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

use super::file::ParquetFile;

/// The field as it is decoded. Of a dictionary that the decoder does not make that is its values. Codes have 32 bits:
/// those of a file may be too few for the values of a row group that another writer built from several arrays.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(super) fn decoded(field: &FieldRef) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::Dictionary(_, values) if is_kept_in_nests(values) => {
            DataType::Dictionary(Box::new(DataType::Int32), values.clone())
        }
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(decoded).collect()),
        // Views too: they are lists in the file, and need no pass over the items then.
        DataType::List(item) | DataType::ListView(item) => DataType::List(decoded(item)),
        DataType::LargeList(item) | DataType::LargeListView(item) => DataType::LargeList(decoded(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(decoded(item), *length),
        DataType::Map(item, sorted) => DataType::Map(decoded(item), *sorted),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type))
}

/// Whether the decoder makes dictionaries of such values. It panics on booleans, nulls and 96-bit times, and reports
/// decimals and float16 as invalid data.
pub(in crate::io::parquet) fn is_kept_in_nests(values: &DataType) -> bool {
    let is_text = matches!(values, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let is_binary = matches!(
        values,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_)
    );
    let is_number = values.is_integer() || matches!(values, DataType::Float32 | DataType::Float64);
    is_text || is_binary || is_number || matches!(values, DataType::Date32 | DataType::Duration(_))
}

/// A decoded array as a column of the field's type: a dictionary with the codes of the file, where those are enough.
pub(super) fn column(array: &ArrayRef, field: &Field) -> Result<Column> {
    let column = Column::from_arrow_field(array, field)?;
    if !matches!(field.data_type(), DataType::Dictionary(..)) {
        return Ok(column);
    }
    let column = match column {
        Column::Categorical(column) => column,
        Column::Null(_) => {
            return Column::from_arrow_field(&new_null_array(field.data_type(), array.len()), field);
        }
        values @ (Column::Numeric(_)
        | Column::Boolean(_)
        | Column::String(_)
        | Column::Binary(_)
        | Column::Datetime(_)
        | Column::Timedelta(_)
        | Column::Decimal(_)
        | Column::Interval(_)
        | Column::List(_)
        | Column::Struct(_)) => CategoricalColumn::encode(&values)?,
    };
    let DType::Dictionary(dictionary) = arrow::dtype(field.data_type())? else {
        return Ok(Column::Categorical(column));
    };
    match column.with_codes(dictionary.codes) {
        Ok(narrow) => Ok(Column::Categorical(narrow)),
        Err(Error::Overflow { .. }) => Ok(Column::Categorical(column)),
        Err(error) => Err(error),
    }
}

/// The string columns of which every file that has them says in its footer that they are codes into dictionaries alone; not those
/// without row groups.
pub(super) fn in_files(files: &[ParquetFile]) -> Vec<String> {
    let mut columns = BTreeMap::new();
    for file in files {
        let metadata = file.metadata.metadata();
        let schema = file.metadata.parquet_schema();
        for (leaf, column) in schema.columns().iter().enumerate() {
            let field = file.metadata.schema().field(schema.get_column_root_idx(leaf));
            let is_text =
                matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
            if !is_text || column.path().parts().len() > 1 || metadata.num_row_groups() == 0 {
                continue;
            }
            let is_coded = |group: &RowGroupMetaData| group.num_rows() == 0 || is_coded(group.column(leaf));
            let is_coded = metadata.row_groups().iter().all(is_coded);
            columns.entry(field.name().clone()).and_modify(|all| *all &= is_coded).or_insert(is_coded);
        }
    }
    columns.into_iter().filter_map(|(name, is_coded)| is_coded.then_some(name)).collect()
}

/// Whether all pages of values are codes into a dictionary, as far as the footer says.
fn is_coded(chunk: &ColumnChunkMetaData) -> bool {
    match chunk.page_encoding_stats_mask() {
        Some(pages) => pages.is_only(Encoding::PLAIN_DICTIONARY) || pages.is_only(Encoding::RLE_DICTIONARY),
        // With the newer name, the dictionary itself is listed as plain.
        None => {
            chunk.encodings().any(|encoding| encoding == Encoding::PLAIN_DICTIONARY)
                && chunk
                    .encodings()
                    .all(|encoding| encoding == Encoding::PLAIN_DICTIONARY || is_of_levels(encoding))
        }
    }
}

fn is_of_levels(encoding: Encoding) -> bool {
    #[expect(deprecated, reason = "the footers of old files name it")]
    let packed = Encoding::BIT_PACKED;
    encoding == Encoding::RLE || encoding == packed
}
