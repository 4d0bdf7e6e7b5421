//! Rows as the text of CSV.

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType};
use memchr::memchr3;

use crate::io::error::FileError;

/// How fields become text.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    pub(super) delimiter: u8,
    pub(super) null: String,
    /// Whether empty strings are quoted, so that they are not taken for nulls.
    pub(super) quote_empty: bool,
}

/// The values of a column.
enum Values<'a> {
    String(&'a StringArray),
    /// Of other types, and whether the values are text.
    Other(ArrayFormatter<'a>, bool),
}

impl Encoding {
    /// The row of names.
    pub(super) fn header(&self, batch: &RecordBatch) -> Vec<u8> {
        let mut line = Vec::new();
        let names = batch.schema_ref().fields().iter().map(|field| field.name().as_str());
        for (at, name) in names.enumerate() {
            if at > 0 {
                line.push(self.delimiter);
            }
            self.push(name, name.is_empty() && batch.num_columns() == 1, &mut line);
        }
        line.push(b'\n');
        line
    }

    /// A line for each row.
    pub(super) fn rows(&self, batch: &RecordBatch) -> Result<Vec<u8>, FileError> {
        let options = FormatOptions::default();
        let columns = batch.columns().iter().map(|column| {
            if let Some(text) = column.as_string_opt::<i32>() {
                return Ok(Values::String(text));
            }
            let formatter = ArrayFormatter::try_new(column.as_ref(), &options)?;
            Ok(Values::Other(formatter, is_text(column.data_type())))
        });
        let columns = columns.collect::<Result<Vec<_>, ArrowError>>()?;
        let nulls: Vec<_> = batch.columns().iter().map(Array::logical_nulls).collect();
        let mut lines = Vec::with_capacity(batch.num_rows() * columns.len() * 8);
        let mut text = String::new();
        // A line without characters is no row for readers.
        let is_single = columns.len() == 1;
        for row in 0..batch.num_rows() {
            for (at, column) in columns.iter().enumerate() {
                if at > 0 {
                    lines.push(self.delimiter);
                }
                if nulls[at].as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                    self.push(&self.null, is_single, &mut lines);
                    continue;
                }
                match column {
                    Values::String(strings) => {
                        self.push(strings.value(row), self.quote_empty || is_single, &mut lines);
                    }
                    Values::Other(formatter, is_text) => {
                        text.clear();
                        formatter.value(row).write(&mut text)?;
                        self.push(&text, *is_text && self.quote_empty || is_single, &mut lines);
                    }
                }
            }
            lines.push(b'\n');
        }
        Ok(lines)
    }

    /// Adds a field, within quotes where it needs them; an empty one if `quote_empty`.
    fn push(&self, field: &str, quote_empty: bool, line: &mut Vec<u8>) {
        let bytes = field.as_bytes();
        // At the beginning of a file, a mark of UTF-8 would not be taken for text.
        let has_special = memchr3(b'"', b'\n', b'\r', bytes).is_some()
            || bytes.contains(&self.delimiter)
            || field.starts_with('\u{feff}');
        if !(has_special || quote_empty && bytes.is_empty()) {
            line.extend_from_slice(bytes);
            return;
        }
        line.push(b'"');
        for part in field.split_inclusive('"') {
            line.extend_from_slice(part.as_bytes());
            if part.ends_with('"') {
                line.push(b'"');
            }
        }
        line.push(b'"');
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}
