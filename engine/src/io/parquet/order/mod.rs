//! The categories of ordered dictionaries, which Parquet has no place for: a writer of dictionaries may store them in any order.
//!
//! Files that are written here name them in the metadata of the file, as text by column, and by the path to it those of a
//! dictionary in structs and lists. Files of Arrow's C++ writer (pyarrow, pandas) have them in dictionary pages, in their order,
//! and those of Polars in the metadata of fields.

mod places;
mod stored;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, FieldRef};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, IntoColumn, Result as ColumnResult, Scalar};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::categories::set_categories;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::Type as PhysicalType;
use parquet::file::metadata::KeyValue;

use self::places::{Place, shown};
pub(super) use self::places::{dictionaries_in, has};
use super::error::ParquetError;
use super::read::is_kept_in_nests;
use crate::io::file::SourceFile;

/// The key of the metadata with the categories of columns.
const KEY: &str = "columnade:categories";
/// The key of the metadata with those of dictionaries in structs and lists: pairs of a path and categories.
const NESTED_KEY: &str = "columnade:nested_categories";
/// How the key begins under which Polars keeps the categories of its dtype `Enum` in the metadata of a field.
const POLARS_ENUM: &str = "_PL_ENUM_VALUES";
/// How the name of a writer begins that stores dictionaries as they are.
const KEEPS_DICTIONARIES: &str = "parquet-cpp-arrow";

/// The categories of the ordered dictionaries of a file or a column, as text, by where they are.
pub(super) type Orders = BTreeMap<Place, Vec<String>>;

/// The categories of batches that are written.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    orders: Orders,
    /// The values of the last dictionary at each place: slices of a frame have the same.
    last: BTreeMap<Place, ArrayRef>,
}

impl Recorder {
    /// Takes in the categories of one more batch, which are those of the batches before or more.
    pub(super) fn add(&mut self, fields: &[FieldRef], batch: &RecordBatch) -> Result<(), ParquetError> {
        for (field, array) in fields.iter().zip(batch.columns()) {
            for (place, array) in places::ordered_arrays(field, array) {
                self.add_dictionary(place, &array)?;
            }
        }
        Ok(())
    }

    fn add_dictionary(&mut self, place: Place, array: &ArrayRef) -> Result<(), ParquetError> {
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Ok(()) };
        let values = dictionary.values();
        let is_last = |last: &ArrayRef| last.to_data().ptr_eq(&values.to_data());
        if self.last.get(&place).is_some_and(is_last) {
            return Ok(());
        }
        let found = texts(&Column::from_arrow(values)?)?
            .ok_or_else(|| ParquetError::OrderedDictionary { column: shown(&place) })?;
        let kept = self.orders.entry(place.clone()).or_default();
        let (short, long) = if kept.len() < found.len() { (&*kept, &found) } else { (&found, &*kept) };
        if !long.starts_with(short) {
            return Err(ParquetError::OrdersDiffer { column: shown(&place) });
        }
        if kept.len() < found.len() {
            *kept = found;
        }
        self.last.insert(place, Arc::clone(values));
        Ok(())
    }

    /// What a file says of them.
    pub(super) fn metadata(&self) -> Vec<KeyValue> {
        let (columns, nested): (Vec<_>, Vec<_>) = self.orders.iter().partition(|(place, _)| place.len() == 1);
        let columns: BTreeMap<_, _> = columns.into_iter().map(|(place, order)| (&place[0], order)).collect();
        let mut metadata = Vec::new();
        if !columns.is_empty() {
            let text = serde_json::to_string(&columns).unwrap_or_default();
            metadata.push(KeyValue::new(KEY.to_owned(), text));
        }
        if !nested.is_empty() {
            let text = serde_json::to_string(&nested).unwrap_or_default();
            metadata.push(KeyValue::new(NESTED_KEY.to_owned(), text));
        }
        metadata
    }
}

/// Refuses an ordered dictionary in structs and lists whose values are read back without a dictionary.
pub(super) fn check(fields: &[FieldRef]) -> Result<(), ParquetError> {
    for (place, field) in places::leaves(fields) {
        if let DataType::Dictionary(_, values) = field.data_type()
            && field.dict_is_ordered() == Some(true)
            && place.len() > 1
            && !is_kept_in_nests(values)
        {
            return Err(ParquetError::OrderedDictionary { column: shown(&place) });
        }
    }
    Ok(())
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

/// The categories of the ordered dictionaries of a file, where they are known.
pub(super) fn of_file(file: &SourceFile, footer: &ArrowReaderMetadata) -> Result<Orders, ParquetError> {
    let metadata = footer.metadata().file_metadata();
    let stated = |key: &str| {
        let pair = metadata.key_value_metadata().into_iter().flatten().find(|pair| pair.key == key);
        pair.and_then(|pair| pair.value.as_ref())
    };
    let (columns, nested) = (stated(KEY), stated(NESTED_KEY));
    let mut orders = Orders::new();
    if let Some(text) = columns {
        let columns: BTreeMap<String, Vec<String>> =
            serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        orders.extend(columns.into_iter().map(|(name, order)| (vec![name], order)));
    }
    if let Some(text) = nested {
        let nested: Vec<(Place, Vec<String>)> =
            serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        orders.extend(nested);
    }
    if columns.is_some() || nested.is_some() {
        return Ok(orders);
    }
    let schema = footer.parquet_schema();
    let leaves = places::leaves(footer.schema().fields());
    let keeps_dictionaries = leaves.len() == schema.num_columns()
        && metadata.created_by().is_some_and(|name| name.starts_with(KEEPS_DICTIONARIES));
    for (leaf, (place, field)) in leaves.into_iter().enumerate() {
        let values = field.metadata().iter().find(|(key, _)| key.starts_with(POLARS_ENUM));
        let mut order = values.and_then(|(_, text)| stored::of_polars(text));
        if keeps_dictionaries
            && field.dict_is_ordered() == Some(true)
            && schema.column(leaf).physical_type() == PhysicalType::BYTE_ARRAY
        {
            order = stored::of_pages(file, footer, leaf).or(order);
        }
        orders.extend(order.map(|order| (place, order)));
    }
    Ok(orders)
}

fn unreadable(error: &serde_json::Error) -> ParquetError {
    ParquetError::damaged(format!("the categories of ordered dictionaries: {error}"))
}

/// The categories that a dictionary has in all files that have it, if they agree. `files` are those of each such file.
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

/// A column whose dictionaries, itself or within it, have these categories in their order.
pub(super) fn ordered(column: Column, orders: &Orders, exec: &Exec) -> ColumnResult<Column> {
    orders.iter().try_fold(column, |column, (place, categories)| {
        places::replaced(column, &place[1..], exec, &|dictionary| in_order(dictionary, categories, exec))
    })
}

/// A dictionary with these categories, in their order.
fn in_order(column: Column, categories: &[String], exec: &Exec) -> ColumnResult<Column> {
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
