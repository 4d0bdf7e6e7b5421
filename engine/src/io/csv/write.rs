//! Writing CSV: blocks of rows become text in parallel, and a file appears only when it is complete.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, RecordBatch, RecordBatchOptions, make_array};
use arrow_csv::WriterBuilder;
use arrow_schema::{DataType, FieldRef, Schema};

use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::batches::Batches;
use crate::io::error::{FileError, caught};
use crate::io::text::{Blocks, WriteProgress, write_text};

const OPERATION: &str = "write_csv";

/// How [`write_csv`](crate::DataFrame::write_csv) writes rows.
#[derive(Clone)]
pub struct CsvWriteOptions {
    delimiter: u8,
    has_header: bool,
    null: String,
    progress: Option<Arc<dyn Fn(WriteProgress) + Send + Sync>>,
}

impl Default for CsvWriteOptions {
    fn default() -> Self {
        Self { delimiter: b',', has_header: true, null: String::new(), progress: None }
    }
}

impl std::fmt::Debug for CsvWriteOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvWriteOptions")
            .field("delimiter", &self.delimiter)
            .field("has_header", &self.has_header)
            .field("null", &self.null)
            .finish_non_exhaustive()
    }
}

impl CsvWriteOptions {
    /// Commas between fields, a header, nothing for nulls.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the character between fields, ASCII.
    #[must_use]
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.delimiter = delimiter;
        self
    }

    /// Sets whether the first row has the labels.
    #[must_use]
    pub fn has_header(mut self, has_header: bool) -> Self {
        self.has_header = has_header;
        self
    }

    /// Sets the text of nulls.
    #[must_use]
    pub fn null(mut self, null: impl Into<String>) -> Self {
        self.null = null.into();
        self
    }

    /// Calls `report` from time to time, with the rows written so far.
    ///
    /// ```
    /// use columnade::csv::CsvWriteOptions;
    /// use columnade::df;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let options =
    ///     CsvWriteOptions::new().progress(|now| eprintln!("{} of {} rows", now.rows_done, now.rows));
    /// df! { "n" => [1, 2, 3] }?.write_csv_with(folder.path().join("n.csv"), &options)?;
    /// # Ok::<(), columnade::Error>(())
    /// ```
    #[must_use]
    pub fn progress(mut self, report: impl Fn(WriteProgress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(report));
        self
    }

    fn text(&self, batch: &RecordBatch, has_header: bool) -> Result<Vec<u8>, FileError> {
        let builder = WriterBuilder::new()
            .with_delimiter(self.delimiter)
            .with_header(has_header)
            .with_null(self.null.clone());
        let mut writer = builder.build(Vec::with_capacity(batch.num_rows() * batch.num_columns() * 8));
        caught(|| writer.write(batch).map_err(|error| FileError::Format(error.to_string())))?;
        Ok(writer.into_inner())
    }
}

impl DataFrame {
    /// Writes the frame as a CSV file in UTF-8: a row of labels, then the rows, fields separated by commas and quoted where
    /// needed, lines ended by `\n`. Nulls and empty strings are empty fields, see [`CsvWriteOptions::null`]. Dates and timestamps are in ISO 8601, timestamps with a time zone
    /// in UTC. Floats have as many digits as tell them from all others. If the name of the file ends in `.gz`
    /// or `.zst`, it is compressed.
    ///
    /// The file appears under its name only when it is complete. On an error no file is left, and an existing file is
    /// unchanged.
    ///
    /// ```
    /// use columnade::{df, read_csv};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("cities.csv");
    /// let cities = df! { "city" => ["Turin", "Oslo, Norway"], "since" => [Some(1861), None] }?;
    /// cities.write_csv(&path)?;
    ///
    /// assert_eq!(std::fs::read_to_string(&path).unwrap(), "city,since\nTurin,1861\n\"Oslo, Norway\",\n");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when the folder cannot be written to or the disk is full, and for lists, structs,
    /// intervals, durations and binary columns, for which CSV has no form; [`Error::Operation`](crate::Error::Operation) when
    /// memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.to_csv`, without the index.
    pub fn write_csv(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_csv_with(path, &CsvWriteOptions::default())
    }

    /// [`write_csv`](Self::write_csv) with other options.
    ///
    /// # Errors
    /// Same as [`write_csv`](Self::write_csv).
    pub fn write_csv_with(&self, path: impl AsRef<Path>, options: &CsvWriteOptions) -> Result<()> {
        let path = path.as_ref();
        write(self, path, options).map_err(|source| Error::file(OPERATION, path, source))
    }
}

fn write(frame: &DataFrame, path: &Path, options: &CsvWriteOptions) -> Result<(), FileError> {
    let batches = Batches::of(frame)?;
    if batches.schema().fields().is_empty() && batches.rows() > 0 {
        return Err(FileError::Format("rows without columns have no text".to_owned()));
    }
    if let Some(field) = batches.schema().fields().iter().find(|field| !has_form(field.data_type())) {
        let data_type = field.data_type().to_string();
        return Err(FileError::UnsupportedType { column: field.name().clone(), data_type });
    }
    if !options.delimiter.is_ascii() || matches!(options.delimiter, b'"' | b'\n' | b'\r') {
        return Err(FileError::Format(format!("byte {} cannot separate fields", options.delimiter)));
    }
    // Without columns there is no header either: an empty one would be a column without a name.
    let has_header = options.has_header && !batches.schema().fields().is_empty();
    let text = |rows: &RecordBatch, first| options.text(rows, first == 0 && has_header);
    let blocks = Blocks { batches: &batches, convert: in_utc };
    write_text(path, ".csv.part", &blocks, &text, &|now| {
        if let Some(report) = &options.progress {
            report(now);
        }
    })
}

/// The batch with timestamps that have a time zone in UTC.
pub(in crate::io) fn in_utc(batch: &RecordBatch) -> Result<RecordBatch, FileError> {
    let mut fields: Vec<FieldRef> = Vec::with_capacity(batch.num_columns());
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let DataType::Timestamp(unit, Some(_)) = field.data_type() else {
            fields.push(Arc::clone(field));
            columns.push(Arc::clone(array));
            continue;
        };
        let in_utc = DataType::Timestamp(*unit, Some("+00:00".into()));
        let data = array.to_data().into_builder().data_type(in_utc.clone()).build();
        columns.push(make_array(data.map_err(|error| FileError::Format(error.to_string()))?));
        fields.push(Arc::new(field.as_ref().clone().with_data_type(in_utc)));
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
        .map_err(|error| FileError::Format(error.to_string()))
}

/// Whether values of a type have a text that a reader takes for the same value.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn has_form(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Date32
        | DataType::Timestamp(..)
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Null => true,
        DataType::Dictionary(_, values) => has_form(values),
        other => other.is_numeric(),
    }
}
