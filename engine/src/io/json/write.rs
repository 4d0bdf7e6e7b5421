//! Writing JSON lines: blocks of rows become text in parallel, and a file appears only when it is complete.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use columnade_columns::DType;

use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::csv::in_utc;
use crate::io::error::{FileError, caught};
use crate::io::text::write_text;

const OPERATION: &str = "write_json";

/// How [`write_json`](crate::DataFrame::write_json) writes rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonWriteOptions {
    skips_nulls: bool,
}

impl JsonWriteOptions {
    /// Every row has every column.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves null fields out, of rows and of structs, instead of writing `null`.
    #[must_use]
    pub fn skip_nulls(mut self, skip: bool) -> Self {
        self.skips_nulls = skip;
        self
    }

    fn text(self, batch: &RecordBatch) -> Result<Vec<u8>, FileError> {
        let sink = Vec::with_capacity(batch.num_rows() * batch.num_columns() * 16);
        let mut writer =
            WriterBuilder::new().with_explicit_nulls(!self.skips_nulls).build::<_, LineDelimited>(sink);
        caught(|| {
            writer
                .write(batch)
                .and_then(|()| writer.finish())
                .map_err(|error| FileError::Format(error.to_string()))
        })?;
        Ok(writer.into_inner())
    }
}

impl DataFrame {
    /// Writes the frame as JSON lines in UTF-8: each row is an object on a line of its own, lists are arrays, structs objects.
    /// Dates and timestamps are strings in ISO 8601, timestamps with a time zone in UTC; decimals are numbers with all their
    /// digits. JSON has no NaN and no infinities: they are written as `null`. If the name of the file ends in `.gz` or `.zst`, it
    /// is compressed.
    ///
    /// The file appears under its name only when it is complete. On an error no file is left, and an existing file is
    /// unchanged.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("cities.jsonl");
    /// df! { "city" => ["Turin", "Oslo"], "since" => [Some(1861), None] }?.write_json(&path)?;
    ///
    /// let text = std::fs::read_to_string(&path).unwrap();
    /// assert_eq!(text, "{\"city\":\"Turin\",\"since\":1861}\n{\"city\":\"Oslo\",\"since\":null}\n");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when the folder cannot be written to or the disk is full, and for intervals, durations
    /// and binary columns, for which JSON has no form; [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.to_json(orient="records", lines=True)`, Polars `write_ndjson`.
    pub fn write_json(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_json_with(path, JsonWriteOptions::default())
    }

    /// [`write_json`](Self::write_json) with other options.
    ///
    /// # Errors
    /// Same as [`write_json`](Self::write_json).
    pub fn write_json_with(&self, path: impl AsRef<Path>, options: JsonWriteOptions) -> Result<()> {
        let path = path.as_ref();
        write(self, path, options).map_err(|source| Error::file(OPERATION, path, source))
    }
}

fn write(frame: &DataFrame, path: &Path, options: JsonWriteOptions) -> Result<(), FileError> {
    let batch = in_utc(&frame.frame().accessor().to_record_batch()?)?;
    if batch.num_columns() == 0 && batch.num_rows() > 0 {
        return Err(FileError::Format("rows without columns have no text".to_owned()));
    }
    for (label, column) in frame.frame().accessor().iter() {
        let dtype = column.dtype();
        if !has_form(&dtype) {
            return Err(FileError::UnsupportedType {
                column: label.to_string(),
                data_type: dtype.to_string(),
            });
        }
    }
    write_text(path, ".jsonl.part", &batch, &|rows, _| options.text(rows))
}

/// Whether values of a dtype have a text that a reader takes for the same value.
fn has_form(dtype: &DType) -> bool {
    match dtype {
        DType::Binary | DType::Duration(_) | DType::Interval(_) => false,
        DType::Dictionary(dictionary) => has_form(&dictionary.values),
        DType::List(item) => has_form(item),
        DType::Struct(fields) => fields.iter().all(|field| has_form(&field.dtype)),
        DType::Bool
        | DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::UInt8
        | DType::UInt16
        | DType::UInt32
        | DType::UInt64
        | DType::Float32
        | DType::Float64
        | DType::Utf8
        | DType::Date32
        | DType::Timestamp(_)
        | DType::TimestampTz(..)
        | DType::Time(_)
        | DType::Decimal { .. }
        | DType::Null => true,
    }
}
