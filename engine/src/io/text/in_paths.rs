//! Columns in the names of the folders that files of text are in.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray, new_null_array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;
use columnade_columns::DType;
use columnade_columns::arrow::data_type;

use crate::io::csv::types::csv_type;
use crate::io::error::FileError;
use crate::io::hive::Partitions;
use crate::io::paths::FoundFile;

/// The columns in the names of folders, with the types that they have in the frame.
#[derive(Debug, Default)]
pub(in crate::io) struct InPaths {
    partitions: Partitions,
    types: Vec<(String, DataType)>,
}

impl InPaths {
    /// With the types that are `given`, of these columns and others.
    pub(in crate::io) fn new(files: &[FoundFile], given: &[(String, DType)]) -> Result<Self, FileError> {
        let partitions = Partitions::new(files.iter().map(|file| file.partitions.as_slice()));
        let mut types = Vec::new();
        for name in partitions.names() {
            let found = partitions.dtype(name).map_or(DataType::Utf8, data_type);
            let given = given.iter().rev().find(|(given, _)| given == name);
            let data_type = match given {
                None => found,
                Some((_, dtype)) => csv_type(dtype).ok_or_else(|| FileError::UnsupportedType {
                    column: name.to_owned(),
                    data_type: dtype.to_string(),
                })?,
            };
            types.push((name.to_owned(), data_type));
        }
        Ok(Self { partitions, types })
    }

    pub(in crate::io) fn names(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|(name, _)| name.as_str())
    }

    /// The type of a column, if it is one.
    pub(in crate::io) fn data_type(&self, name: &str) -> Option<&DataType> {
        self.types.iter().find(|(column, _)| column == name).map(|(_, data_type)| data_type)
    }

    /// A column in some rows of a file.
    pub(in crate::io) fn array(&self, file: usize, name: &str, rows: usize) -> Result<ArrayRef, FileError> {
        let data_type = self.data_type(name).unwrap_or(&DataType::Utf8);
        let Some(text) = self.partitions.text(file, name) else {
            return Ok(new_null_array(data_type, rows));
        };
        let texts = StringArray::from_iter_values(std::iter::repeat_n(text, rows));
        let options = CastOptions { safe: false, ..CastOptions::default() };
        cast_with_options(&(Arc::new(texts) as ArrayRef), data_type, &options).map_err(|_| {
            let place = "in the names of its folders";
            FileError::Format(format!(
                "column {name:?} is {text:?} {place}, which is not a value of {data_type}"
            ))
        })
    }
}
