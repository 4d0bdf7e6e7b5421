//! Empty fields that are text: the library makes all of them nulls, quoted or not.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, StringArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_cast::cast;
use arrow_schema::DataType;
use csv_core::{ReadFieldResult, ReaderBuilder};
use memchr::memmem;

use super::Options;
use crate::io::error::FileError;

/// Which rows have an empty string, of some columns.
#[derive(Debug)]
pub(super) enum Empties {
    /// None has.
    None,
    /// All that are null.
    Nulls,
    /// Those with these positions, of each column of the file.
    Rows(Vec<Vec<usize>>),
}

impl Empties {
    /// Of `bytes`, which have a field for each of `columns` columns in every row.
    pub(super) fn of(bytes: &[u8], options: &Options, columns: usize) -> Self {
        if options.has_empty_null {
            return Empties::None;
        }
        if !options.empty_is_null {
            return match &options.nulls {
                None => Empties::Nulls,
                Some(_) => Empties::Rows(rows(bytes, options, columns)),
            };
        }
        match options.quote {
            Some(quote) if memmem::find(bytes, &[quote, quote]).is_some() => {
                Empties::Rows(rows(bytes, options, columns))
            }
            _ => Empties::None,
        }
    }

    /// The values of column `at` of the file, as the library decoded them.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    pub(super) fn applied(&self, at: usize, column: ArrayRef) -> Result<ArrayRef, FileError> {
        let is_text = match column.data_type() {
            DataType::Dictionary(_, values) => **values == DataType::Utf8,
            other => *other == DataType::Utf8,
        };
        let has_any = match self {
            Empties::None => false,
            Empties::Nulls => column.null_count() > 0,
            Empties::Rows(rows) => rows.get(at).is_some_and(|rows| !rows.is_empty()),
        };
        if !is_text || !has_any {
            return Ok(column);
        }
        let text = cast(&column, &DataType::Utf8)?;
        let Some(text) = text.as_any().downcast_ref::<StringArray>() else { return Ok(column) };
        // The place of a null has no characters.
        let valid = match self {
            Empties::Rows(rows) => {
                let mut valid = BooleanBufferBuilder::new(text.len());
                match text.nulls() {
                    Some(nulls) => valid.append_buffer(nulls.inner()),
                    None => valid.append_n(text.len(), true),
                }
                for &row in rows.get(at).into_iter().flatten().filter(|row| **row < text.len()) {
                    valid.set_bit(row, true);
                }
                Some(NullBuffer::new(valid.finish()))
            }
            Empties::None | Empties::Nulls => None,
        };
        let text = StringArray::try_new(text.offsets().clone(), text.values().clone(), valid)?;
        Ok(cast(&(Arc::new(text) as ArrayRef), column.data_type())?)
    }
}

/// The rows whose field is empty, of each column: those that are quoted, or all if empty fields are text.
fn rows(bytes: &[u8], options: &Options, columns: usize) -> Vec<Vec<usize>> {
    let mut reader = ReaderBuilder::new();
    reader.delimiter(options.delimiter).escape(options.escape);
    match options.quote {
        Some(quote) => reader.quote(quote),
        None => reader.quoting(false),
    };
    let mut reader = reader.build();
    let is_quoted = |field: &[u8]| options.quote.is_some_and(|quote| field.contains(&quote));
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); columns];
    let mut text = [0; 256];
    let (mut at, mut start, mut length, mut row, mut column) = (0, 0, 0, 0, 0);
    loop {
        let (result, read, written) = reader.read_field(&bytes[at..], &mut text);
        (at, length) = (at + read, length + written);
        match result {
            // No more bytes are its end.
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            ReadFieldResult::Field { record_end } => {
                let is_empty = length == 0 && (!options.empty_is_null || is_quoted(&bytes[start..at]));
                if is_empty && let Some(rows) = found.get_mut(column) {
                    rows.push(row);
                }
                (start, length) = (at, 0);
                (row, column) = if record_end { (row + 1, 0) } else { (row, column + 1) };
            }
            ReadFieldResult::End => return found,
        }
    }
}
