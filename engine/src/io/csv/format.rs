//! The rows of a CSV file in chunks.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_csv::reader::ReaderBuilder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use memchr::memchr_iter;

use super::empties::Empties;
use super::records::{BadRow, Records, field_of};
use super::types::{ColumnType, NotAValue, converted, joined, settled};
use super::{Options, plain, records};
use crate::io::error::FileError;
use crate::io::text::{BadRows, Chunk, Decoded, Failed};

/// What is decoded of a CSV file.
#[derive(Debug)]
pub(super) struct CsvFormat {
    pub(super) options: Arc<Options>,
    /// The names of the columns of the file.
    pub(super) names: Vec<String>,
    /// Their types.
    pub(super) types: Vec<ColumnType>,
    /// The positions of the columns that are read.
    pub(super) selected: Vec<usize>,
}

impl CsvFormat {
    /// The chunk's rows, by the library.
    pub(super) fn decoded(&self, bytes: &[u8], selected: &[usize]) -> Result<RecordBatch, ArrowError> {
        let fields =
            self.names.iter().zip(&self.types).map(|(name, it)| Field::new(name, it.decoded(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        // Lines are at least as many as rows.
        let lines = |end| memchr_iter(end, bytes).count();
        let rows = lines(b'\n').max(lines(b'\r')) + 1;
        let mut decoder = ReaderBuilder::new(schema)
            .with_format(self.options.format())
            .with_batch_size(rows)
            .with_projection(selected.to_vec())
            .build_decoder();
        let mut at = 0;
        while at < bytes.len() {
            let count = decoder.decode(&bytes[at..])?;
            if count == 0 {
                break;
            }
            at += count;
        }
        // The end of the last row.
        decoder.decode(&[])?;
        let empty = || RecordBatch::new_empty(Arc::new(Schema::empty()));
        Ok(decoder.flush()?.unwrap_or_else(empty))
    }

    /// The rows as columns of the planned types.
    fn rows(&self, bytes: &[u8], selected: &[usize]) -> Result<RecordBatch, Refused> {
        let fields: Vec<Field> =
            selected.iter().map(|&at| Field::new(&self.names[at], self.types[at].stored(), true)).collect();
        let (rows, decoded) = match plain::columns(self, bytes, selected) {
            Some(columns) if !columns.is_empty() => (columns[0].len(), columns),
            _ => {
                let batch = self.decoded(bytes, selected).map_err(|_| Refused)?;
                (batch.num_rows(), batch.columns().to_vec())
            }
        };
        if decoded.len() < selected.len() {
            return Ok(RecordBatch::new_empty(Arc::new(Schema::new(fields))));
        }
        let has_text = selected.iter().any(|&at| self.types[at].is_text());
        let empties =
            if has_text { Empties::of(bytes, &self.options, self.names.len()) } else { Empties::None };
        let columns = selected.iter().zip(&decoded).map(|(&at, column)| {
            let column = converted(column, &self.types[at]).map_err(|NotAValue| Refused)?;
            empties.applied(at, column).map_err(|_| Refused)
        });
        let columns = columns.collect::<Result<Vec<ArrayRef>, Refused>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
            .map_err(|_| Refused)
    }

    /// Why a chunk was refused: a bad row, or types that are too narrow. If bad rows are to be skipped, the others.
    fn explained(&self, chunk: &Chunk) -> Result<Decoded, Failed<Vec<DataType>>> {
        let records = Records::of(&chunk.bytes, &self.options, self.names.len());
        let skips = self.options.bad_rows == BadRows::Skip;
        if !skips && let Some(bad) = records.bad.first() {
            return Err(malformed(chunk, bad).into());
        }
        let types = self.wider(&records.bytes(&chunk.bytes, &self.options, 0..records.good.len()))?;
        if types.iter().zip(&self.types).any(|(wide, now)| *wide != now.data_type) {
            return Err(Failed::Types(types));
        }
        let mut refused = Vec::new();
        let all = 0..records.good.len();
        self.refused(chunk, &records, all, &mut refused);
        if let (Some(&first), false) = (refused.first(), skips) {
            return Err(self.invalid(chunk, &records, first));
        }
        let kept: Vec<usize> =
            (0..records.good.len()).filter(|row| refused.binary_search(row).is_err()).collect();
        let bytes = records.picked(&chunk.bytes, &self.options, &kept);
        let skipped = records.bad.len() + refused.len();
        match self.rows(&bytes, &self.selected) {
            Ok(batch) => Ok(Decoded { batch, skipped: skipped as u64 }),
            Err(Refused) => Err(self.together(&bytes).into()),
        }
    }

    /// Why rows decode alone and not together: dictionaries have fewer codes than there are values.
    fn together(&self, bytes: &[u8]) -> FileError {
        match self.selected.iter().find(|&&at| self.rows(bytes, &[at]).is_err()) {
            Some(&at) => FileError::TooManyCategories {
                column: self.names[at].clone(),
                dtype: self.types[at].dtype_text(),
            },
            None => {
                FileError::Damaged { batch: None, reason: "rows decode alone and not together".to_owned() }
            }
        }
    }

    /// The types that also have the values of these rows; only those that were inferred change.
    fn wider(&self, rows: &[u8]) -> Result<Vec<DataType>, FileError> {
        let (inferred, _) = inferred(&self.options, rows, None)?;
        let types = self.types.iter().enumerate().map(|(at, now)| match inferred.get(at) {
            Some(found) if !now.is_given && self.selected.contains(&at) => {
                joined(&now.data_type, &settled(found))
            }
            _ => now.data_type.clone(),
        });
        Ok(types.collect())
    }

    /// The rows of a range that do not decode, each found by halves.
    fn refused(
        &self,
        chunk: &Chunk,
        records: &Records,
        rows: std::ops::Range<usize>,
        found: &mut Vec<usize>,
    ) {
        let text = records.bytes(&chunk.bytes, &self.options, rows.clone());
        if rows.is_empty() || self.rows(&text, &self.selected).is_ok() {
            return;
        }
        if rows.len() == 1 {
            found.push(rows.start);
            return;
        }
        let middle = rows.start + rows.len() / 2;
        self.refused(chunk, records, rows.start..middle, found);
        // The first is enough for an error.
        if found.is_empty() || self.options.bad_rows == BadRows::Skip {
            self.refused(chunk, records, middle..rows.end, found);
        }
    }

    /// Names the value of a row that does not decode. An inferred type that has no wider one becomes that of strings.
    fn invalid(&self, chunk: &Chunk, records: &Records, row: usize) -> Failed<Vec<DataType>> {
        let bytes = records.bytes(&chunk.bytes, &self.options, row..row + 1);
        let failing = self.selected.iter().find(|&&at| self.rows(&bytes, &[at]).is_err());
        let Some(&at) = failing else {
            return FileError::Damaged {
                batch: None,
                reason: "a row decodes column by column only".to_owned(),
            }
            .into();
        };
        if !self.types[at].is_given && self.types[at].data_type != DataType::Utf8 {
            let types = self.types.iter().enumerate();
            let types = types.map(|(k, now)| if k == at { DataType::Utf8 } else { now.data_type.clone() });
            return Failed::Types(types.collect());
        }
        Failed::File(FileError::InvalidValue {
            line: chunk.first_line + records.good[row].line,
            column: self.names[at].clone(),
            value: field_of(&bytes, &self.options, at),
            dtype: self.types[at].dtype_text(),
            inferred: !self.types[at].is_given,
        })
    }
}

fn malformed(chunk: &Chunk, bad: &BadRow) -> FileError {
    FileError::Malformed { line: chunk.first_line + bad.line, reason: bad.reason.clone() }
}

/// Bytes that the library does not decode; [`CsvFormat::explained`] says why.
struct Refused;

impl CsvFormat {
    /// The selected columns of a chunk.
    pub(super) fn decode(&self, chunk: &Chunk) -> Result<Decoded, Failed<Vec<DataType>>> {
        match self.rows(&chunk.bytes, &self.selected) {
            Ok(batch) => Ok(Decoded { batch, skipped: 0 }),
            Err(Refused) => self.explained(chunk),
        }
    }
}

/// The types of the columns in the first rows of `bytes`, and how many rows they are from.
pub(super) fn inferred(
    options: &Options,
    bytes: &[u8],
    rows: Option<usize>,
) -> Result<(Vec<DataType>, usize), FileError> {
    let (schema, count) = options
        .format()
        .with_header(false)
        .with_truncated_rows(true)
        .infer_schema(bytes, rows)
        .map_err(|error| FileError::Format(error.to_string()))?;
    let mut types: Vec<DataType> = schema.fields().iter().map(|field| field.data_type().clone()).collect();
    let is_unsure = |it: &DataType| matches!(it, DataType::Utf8 | DataType::Timestamp(..));
    let unsure: Vec<usize> = (0..types.len()).filter(|at| is_unsure(&types[*at])).collect();
    for (at, found) in records::refined(bytes, options, count, unsure.into_iter()) {
        types[at] = match (&types[at], found) {
            // Digits that are zero count, as the library counts them.
            (DataType::Timestamp(unit, _), DataType::Timestamp(other, zone)) => {
                DataType::Timestamp((*unit).max(other), zone)
            }
            (_, found) => found,
        };
    }
    Ok((types, count))
}
