//! The categories of ordered dictionaries, which Parquet has no place for: a writer of dictionaries may store them in any order.
//!
//! Files that are written here name them in the metadata of the file, as text by column. Files of Arrow's C++ writer (pyarrow,
//! pandas) have them in dictionary pages, in their order, and those of Polars in the metadata of fields.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, FieldRef};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, IntoColumn, Result as ColumnResult, Scalar};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::categories::set_categories;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::{Encoding, Type as PhysicalType};
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::serialized_reader::SerializedPageReader;

use super::error::ParquetError;
use crate::io::file::SourceFile;

/// The key of the metadata.
const KEY: &str = "columnade:categories";
/// How the key begins under which Polars keeps the categories of its dtype `Enum` in the metadata of a field.
const POLARS_ENUM: &str = "_PL_ENUM_VALUES";
/// How the name of a writer begins that stores dictionaries as they are.
const KEEPS_DICTIONARIES: &str = "parquet-cpp-arrow";

/// The categories of the ordered dictionaries of a file, as text, by column.
pub(super) type Orders = BTreeMap<String, Vec<String>>;

/// The categories of batches that are written.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    orders: Orders,
    /// The values of the last dictionary of each column: slices of a frame have the same.
    last: BTreeMap<String, ArrayRef>,
}

impl Recorder {
    /// Takes in the categories of one more batch, which are those of the batches before or more.
    pub(super) fn add(&mut self, fields: &[FieldRef], batch: &RecordBatch) -> Result<(), ParquetError> {
        for (field, array) in fields.iter().zip(batch.columns()) {
            if field.dict_is_ordered() != Some(true) {
                continue;
            }
            let Some(dictionary) = array.as_any_dictionary_opt() else { continue };
            let name = || field.name().clone();
            let values = dictionary.values();
            let is_last = |last: &ArrayRef| last.to_data().ptr_eq(&values.to_data());
            if self.last.get(field.name()).is_some_and(is_last) {
                continue;
            }
            let found = texts(&Column::from_arrow(values)?)?
                .ok_or_else(|| ParquetError::OrderedDictionary { column: name() })?;
            let kept = self.orders.entry(name()).or_default();
            let (short, long) = if kept.len() < found.len() { (&*kept, &found) } else { (&found, &*kept) };
            if !long.starts_with(short) {
                return Err(ParquetError::OrdersDiffer { column: name() });
            }
            if kept.len() < found.len() {
                *kept = found;
            }
            self.last.insert(name(), Arc::clone(values));
        }
        Ok(())
    }

    /// What a file says of them.
    pub(super) fn metadata(&self) -> Option<KeyValue> {
        let text = || serde_json::to_string(&self.orders).unwrap_or_default();
        (!self.orders.is_empty()).then(|| KeyValue::new(KEY.to_owned(), text()))
    }
}

/// Categories as text; `None` where text does not keep them.
fn texts(values: &Column) -> ColumnResult<Option<Vec<String>>> {
    let host = Exec::host();
    let values = values.to_device(&host)?;
    let Ok(text) = cast(&values, &DType::Utf8, CastMode::Checked, &host) else { return Ok(None) };
    let back = cast(&text, &values.dtype(), CastMode::Checked, &host);
    if !back.is_ok_and(|back| (0..values.size()).all(|row| is_same(&values, &back, row))) {
        return Ok(None);
    }
    let text = (0..text.size()).map(|row| {
        let Scalar::Utf8(text) = text.get(row)? else { return Ok(None) };
        Ok(Some(text))
    });
    text.collect()
}

fn is_same(a: &Column, b: &Column, row: usize) -> bool {
    matches!((a.get(row), b.get(row)), (Ok(a), Ok(b)) if a == b && !a.is_null())
}

/// The categories of the columns of a file that are ordered dictionaries.
pub(super) fn of_file(file: &SourceFile, footer: &ArrowReaderMetadata) -> Result<Orders, ParquetError> {
    let metadata = footer.metadata().file_metadata();
    let stated = metadata.key_value_metadata().into_iter().flatten().find(|pair| pair.key == KEY);
    if let Some(text) = stated.and_then(|pair| pair.value.as_ref()) {
        let reason =
            |error| ParquetError::damaged(format!("the categories of ordered dictionaries: {error}"));
        return serde_json::from_str(text).map_err(reason);
    }
    let mut orders = Orders::new();
    for field in footer.schema().fields() {
        let values = field.metadata().iter().find(|(key, _)| key.starts_with(POLARS_ENUM));
        if let Some(categories) = values.and_then(|(_, text)| of_polars(text)) {
            orders.insert(field.name().clone(), categories);
        }
    }
    if !metadata.created_by().is_some_and(|name| name.starts_with(KEEPS_DICTIONARIES)) {
        return Ok(orders);
    }
    let schema = footer.parquet_schema();
    for (position, field) in footer.schema().fields().iter().enumerate() {
        if field.dict_is_ordered() != Some(true) {
            continue;
        }
        let leaves = (0..schema.num_columns()).filter(|&leaf| schema.get_column_root_idx(leaf) == position);
        if let [leaf] = leaves.collect::<Vec<_>>()[..]
            && schema.column(leaf).physical_type() == PhysicalType::BYTE_ARRAY
            && let Some(order) = of_pages(file, footer, leaf)
        {
            orders.insert(field.name().clone(), order);
        }
    }
    Ok(orders)
}

/// The categories as Polars writes those of its dtype `Enum`: the length of each in bytes, and its text, with semicolons.
fn of_polars(mut text: &str) -> Option<Vec<String>> {
    let mut categories = Vec::new();
    while !text.is_empty() {
        let (length, rest) = text.split_once(';')?;
        let (category, rest) = rest.split_at_checked(length.parse().ok()?)?;
        categories.push(category.to_owned());
        text = rest;
    }
    Some(categories)
}

/// The strings in the dictionary pages of a column, if each row group has the same, or the first of them, and no other values.
fn of_pages(file: &SourceFile, footer: &ArrowReaderMetadata, leaf: usize) -> Option<Vec<String>> {
    let mut order: Vec<String> = Vec::new();
    for group in footer.metadata().row_groups() {
        let page = dictionary_page(file, group.column(leaf), usize::try_from(group.num_rows()).ok()?)?;
        let (short, long) = if page.len() < order.len() { (&page, &order) } else { (&order, &page) };
        if !long.starts_with(short) {
            return None;
        }
        if page.len() > order.len() {
            order = page;
        }
    }
    Some(order)
}

/// The strings of the dictionary that all values of a chunk are in.
fn dictionary_page(file: &SourceFile, chunk: &ColumnChunkMetaData, rows: usize) -> Option<Vec<String>> {
    if !is_one_dictionary(chunk) {
        return None;
    }
    let mut pages = SerializedPageReader::new(Arc::new(file.clone()), chunk, rows, None).ok()?;
    let Page::DictionaryPage { buf, num_values, encoding, .. } = pages.get_next_page().ok()?? else {
        return None;
    };
    if !matches!(encoding, Encoding::PLAIN | Encoding::PLAIN_DICTIONARY) {
        return None;
    }
    let mut rest = &buf[..];
    let mut values = Vec::new();
    for _ in 0..num_values {
        let (length, after) = rest.split_first_chunk()?;
        let (value, after) = after.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        values.push(str::from_utf8(value).ok()?.to_owned());
        rest = after;
    }
    Some(values)
}

/// Whether the footer says that all values of a chunk are codes into its dictionary.
pub(super) fn is_one_dictionary(chunk: &ColumnChunkMetaData) -> bool {
    let codes = [Encoding::PLAIN_DICTIONARY, Encoding::RLE_DICTIONARY];
    chunk.dictionary_page_offset().is_some()
        && chunk
            .page_encoding_stats_mask()
            .is_some_and(|pages| pages.encodings().all(|encoding| codes.contains(&encoding)))
}

/// The categories that a column has in all files that have it, if they agree. `files` are those of each such file.
pub(super) fn joined<'a>(files: impl IntoIterator<Item = Option<&'a Vec<String>>>) -> Option<Vec<String>> {
    let mut joined: Option<&Vec<String>> = None;
    for file in files {
        let file = file?;
        let longer = match joined {
            Some(before) if before.starts_with(file) => before,
            Some(before) if !file.starts_with(before) => return None,
            _ => file,
        };
        joined = Some(longer);
    }
    joined.cloned()
}

/// A dictionary with these categories, in their order.
pub(super) fn ordered(column: Column, categories: &[String], exec: &Exec) -> ColumnResult<Column> {
    let Column::Categorical(dictionary) = &column else { return Ok(column) };
    let host = Exec::host();
    let text = categories.to_vec().into_column(&host)?;
    let values = cast(&text, &dictionary.dictionary().dtype(), CastMode::Checked, &host)?;
    let found = set_categories(&column, &values.to_device(exec)?, exec)?;
    if found.null_count(exec)? != column.null_count(exec)? {
        let reason = "a value is none of the categories that the file names".to_owned();
        return Err(columnade_columns::Error::InvalidArgument { name: "categories", reason });
    }
    let Column::Categorical(found) = found else { return Ok(column) };
    Ok(Column::Categorical(found.as_ordered()))
}

/// Whether a field is a dictionary itself.
pub(super) fn is_dictionary(field: &FieldRef) -> bool {
    matches!(field.data_type(), DataType::Dictionary(..))
}
