//! Dictionaries of a file that is written frame by frame: it has one for each column, to which values can be added.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, UInt64Array, make_array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_row::{RowConverter, SortField};
use arrow_schema::Field;
use arrow_select::concat::concat;
use arrow_select::take::take;

use crate::io::error::FileError;

/// The dictionaries of the columns.
#[derive(Debug, Default)]
pub(super) struct Dictionaries {
    columns: Vec<Option<Dictionary>>,
}

/// The values of a column so far.
#[derive(Debug)]
struct Dictionary {
    values: ArrayRef,
    /// The positions of the values; made when a batch with others comes.
    positions: Option<Positions>,
    /// The values of the last batch.
    last: ArrayRef,
    /// The position among all of each value of the last batch; `None`: its own.
    places: Option<Vec<usize>>,
}

#[derive(Debug)]
struct Positions {
    converter: RowConverter,
    by_value: HashMap<Box<[u8]>, usize>,
}

impl Dictionaries {
    /// The batch with codes of the dictionaries of the file, which get the values that are new.
    pub(super) fn merged(&mut self, batch: &RecordBatch) -> Result<RecordBatch, FileError> {
        let schema = batch.schema();
        self.columns.resize_with(batch.num_columns(), || None);
        let columns = self.columns.iter_mut().zip(schema.fields()).zip(batch.columns());
        let columns = columns.map(|((known, field), column)| match column.as_any_dictionary_opt() {
            None => Ok(Arc::clone(column)),
            Some(dictionary) => {
                let values = dictionary.values();
                let known = known.get_or_insert_with(|| Dictionary::new(values));
                if !known.is_last(values) {
                    known.add(field, values)?;
                }
                known.coded(field, column)
            }
        });
        let columns = columns.collect::<Result<Vec<_>, FileError>>()?;
        if columns.is_empty() {
            return Ok(batch.clone());
        }
        Ok(RecordBatch::try_new(schema, columns)?)
    }
}

impl Dictionary {
    fn new(values: &ArrayRef) -> Self {
        Self { values: Arc::clone(values), positions: None, last: Arc::clone(values), places: None }
    }

    fn is_last(&self, values: &ArrayRef) -> bool {
        let (last, values) = (self.last.to_data(), values.to_data());
        last.ptr_eq(&values) || last == values
    }

    /// Takes in the values of a batch.
    fn add(&mut self, field: &Field, values: &ArrayRef) -> Result<(), FileError> {
        if self.positions.is_none() {
            let converter = RowConverter::new(vec![SortField::new(values.data_type().clone())])?;
            let rows = converter.convert_columns(std::slice::from_ref(&self.values))?;
            let mut by_value = HashMap::with_capacity(rows.num_rows());
            for (at, row) in rows.iter().enumerate() {
                by_value.entry(row.as_ref().into()).or_insert(at);
            }
            self.positions = Some(Positions { converter, by_value });
        }
        let Some(Positions { converter, by_value }) = &mut self.positions else { return Ok(()) };
        let rows = converter.convert_columns(std::slice::from_ref(values))?;
        let mut count = self.values.len();
        let mut new = Vec::new();
        let mut places = Vec::with_capacity(rows.num_rows());
        for (at, row) in rows.iter().enumerate() {
            places.push(*by_value.entry(row.as_ref().into()).or_insert_with(|| {
                new.push(at as u64);
                count += 1;
                count - 1
            }));
        }
        let is_prefix = places.iter().enumerate().all(|(at, place)| at == *place);
        if field.dict_is_ordered() == Some(true) && !is_prefix {
            return Err(FileError::CategoriesDiffer { column: field.name().clone() });
        }
        if !new.is_empty() {
            let new = take(values, &UInt64Array::from(new), None)?;
            self.values = concat(&[self.values.as_ref(), new.as_ref()])?;
        }
        self.last = Arc::clone(values);
        self.places = (!is_prefix).then_some(places);
        Ok(())
    }

    /// A column whose values are those of the last batch, with all values.
    fn coded(&self, field: &Field, column: &ArrayRef) -> Result<ArrayRef, FileError> {
        let dictionary = column.as_any_dictionary();
        let keys = match &self.places {
            None => make_array(dictionary.keys().to_data()),
            Some(places) => {
                let code = |key: Option<usize>| key.and_then(|key| i64::try_from(*places.get(key)?).ok());
                let keys = dictionary.normalized_keys().into_iter().enumerate();
                let keys = keys.map(|(row, key)| code((!dictionary.keys().is_null(row)).then_some(key)));
                let keys: ArrayRef = Arc::new(keys.collect::<Int64Array>());
                let options = CastOptions { safe: false, ..CastOptions::default() };
                let data_type = dictionary.keys().data_type();
                cast_with_options(&keys, data_type, &options).map_err(|_| {
                    let (column, values) = (field.name(), self.values.len());
                    let reason =
                        format!("column {column:?} has {values} categories, too many for {data_type}");
                    FileError::Format(reason)
                })?
            }
        };
        let data = keys.to_data().into_builder().data_type(column.data_type().clone());
        let data = data.child_data(vec![self.values.to_data()]).build()?;
        Ok(make_array(data))
    }
}
