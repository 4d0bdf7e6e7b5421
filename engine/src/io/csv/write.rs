//! Writing CSV: blocks of rows become text in parallel, and a file appears only when it is complete.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{as_datetime, as_time};
use arrow_array::types::{
    ArrowTemporalType, Date32Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, RecordBatchOptions, StringArray, make_array};
use arrow_schema::{DataType, FieldRef, Schema};
use columnade_columns::arrow::dtype;
use columnade_columns::{DType, Error as ColumnError, Scalar, TimeUnit};

use super::encode::Encoding;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::appended::AppendedColumns;
use crate::io::batches::Batches;
use crate::io::error::{FileError, caught};
use crate::io::nested::with_leaves;
use crate::io::text::{Blocks, TextCompression, TextFile, WriteProgress, write_blocks};

const OPERATION: &str = "write_csv";

/// How [`write_csv`](crate::DataFrame::write_csv) writes rows.
#[derive(Clone)]
pub struct CsvWriteOptions {
    delimiter: u8,
    has_header: bool,
    null: String,
    quote_empty: bool,
    compression: Option<TextCompression>,
    progress: Option<Arc<dyn Fn(WriteProgress) + Send + Sync>>,
}

impl Default for CsvWriteOptions {
    fn default() -> Self {
        Self {
            delimiter: b',',
            has_header: true,
            null: String::new(),
            quote_empty: true,
            compression: None,
            progress: None,
        }
    }
}

impl std::fmt::Debug for CsvWriteOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvWriteOptions")
            .field("delimiter", &self.delimiter)
            .field("has_header", &self.has_header)
            .field("null", &self.null)
            .field("quote_empty", &self.quote_empty)
            .field("compression", &self.compression)
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

    /// Sets how the file is compressed, whatever its name. Default: by the end of the name, `.gz` or `.zst`.
    #[must_use]
    pub fn compression(mut self, compression: TextCompression) -> Self {
        self.compression = Some(compression);
        self
    }

    /// Calls `report` from time to time, with the rows written so far, and those that were appended if the file is written frame
    /// by frame.
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

    /// Whether empty strings are written as `""`, by which readers tell them from nulls. Default: true. If not, both are empty
    /// fields as in pandas.
    ///
    /// ```
    /// use columnade::csv::CsvWriteOptions;
    /// use columnade::df;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("notes.csv");
    /// let notes = df! { "id" => [1, 2], "note" => [Some(""), None] }?;
    /// notes.write_csv(&path)?;
    /// assert_eq!(std::fs::read_to_string(&path).unwrap(), "id,note\n1,\"\"\n2,\n");
    ///
    /// notes.write_csv_with(&path, &CsvWriteOptions::new().quote_empty(false))?;
    /// assert_eq!(std::fs::read_to_string(&path).unwrap(), "id,note\n1,\n2,\n");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    #[must_use]
    pub fn quote_empty(mut self, quote_empty: bool) -> Self {
        self.quote_empty = quote_empty;
        self
    }

    fn text(&self, batch: &RecordBatch, has_header: bool) -> Result<Vec<u8>, FileError> {
        let encoding =
            Encoding { delimiter: self.delimiter, null: self.null.clone(), quote_empty: self.quote_empty };
        caught(|| {
            let mut text = if has_header { encoding.header(batch) } else { Vec::new() };
            text.append(&mut encoding.rows(batch)?);
            Ok(text)
        })
    }
}

impl DataFrame {
    /// Writes the frame as a CSV file in UTF-8: a row of labels, then the rows, fields separated by commas and quoted where
    /// needed, lines ended by `\n`. Nulls are empty fields, see [`CsvWriteOptions::null`], and empty strings are `""`, see
    /// [`CsvWriteOptions::quote_empty`]; in a frame of one column both are `""`, since readers skip empty lines. Dates and timestamps
    /// are in ISO 8601, timestamps with a time zone in UTC; durations are as they are printed, `1 days 02:03:04`. Floats have as many digits as tell them from all others. If the name of the file ends in `.gz`
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
    /// intervals and binary columns, for which CSV has no form; [`Error::Operation`](crate::Error::Operation) when
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
        let mut writer = CsvWriter::create(path, options)?;
        writer.append(self)?;
        writer.finish()
    }
}

/// Writes a CSV file frame by frame, for tables larger than memory.
///
/// The columns are those of the first frame, whose labels are the header. The bytes go to a temporary file in the folder of
/// the path, which takes its name in [`finish`](Self::finish). A writer that is dropped before, or that failed, leaves no file,
/// and an existing file unchanged. Without a frame the file is empty.
///
/// ```
/// use columnade::csv::{CsvWriteOptions, CsvWriter};
/// use columnade::{col, df, read_csv, read_parquet};
///
/// let folder = tempfile::tempdir().unwrap();
/// let (from, to) = (folder.path().join("sales.parquet"), folder.path().join("large.csv"));
/// df! { "id" => [1, 2, 3], "units" => [5, 70, 900] }?.write_parquet(&from)?;
///
/// let mut writer = CsvWriter::create(&to, &CsvWriteOptions::new())?;
/// for part in read_parquet(&from).filter(col("units").gt(10)).scan()? {
///     writer.append(&part?)?;
/// }
/// assert_eq!(writer.rows(), 2);
/// writer.finish()?;
/// assert_eq!(read_csv(&to).read()?.column("id")?.to_vec::<i64>()?, [2, 3]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas `DataFrame.to_csv(mode="a")`, Polars `LazyFrame.sink_csv`.
pub struct CsvWriter {
    path: PathBuf,
    options: CsvWriteOptions,
    file: TextFile,
    columns: AppendedColumns,
    has_header: bool,
    rows: usize,
}

impl CsvWriter {
    /// Opens a writer.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when the folder cannot be written to; [`Error::Operation`] when the delimiter cannot
    /// separate fields.
    pub fn create(path: impl AsRef<Path>, options: &CsvWriteOptions) -> Result<Self> {
        let path = path.as_ref();
        let failed = |source| Error::file(OPERATION, path, source);
        if !options.delimiter.is_ascii() || matches!(options.delimiter, b'"' | b'\n' | b'\r') {
            let reason = format!("byte {} cannot separate fields", options.delimiter);
            return Err(ColumnError::InvalidArgument { name: "delimiter", reason }).operation(OPERATION);
        }
        let file = TextFile::create(path, options.compression, ".csv.part").map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            options: options.clone(),
            file,
            columns: AppendedColumns::default(),
            has_header: options.has_header,
            rows: 0,
        })
    }

    /// Adds the rows of a frame.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, for labels or dtypes that are not those of the first frame
    /// ([`SchemaDiffers`](FileError::SchemaDiffers), [`AppendedTypeDiffers`](FileError::AppendedTypeDiffers)), for dtypes that CSV
    /// has no form for, and when the disk is full; [`Error::Operation`] when memory runs out.
    pub fn append(&mut self, frame: &DataFrame) -> Result<()> {
        self.write(frame).map_err(|source| Error::file(OPERATION, &self.path, source))
    }

    /// The rows that were appended.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`Error::File`] when writing or renaming the file fails, or an append before has failed while it wrote.
    pub fn finish(self) -> Result<()> {
        let Self { path, file, .. } = self;
        file.finish().map_err(|source| Error::file(OPERATION, &path, source))
    }

    fn write(&mut self, frame: &DataFrame) -> Result<(), FileError> {
        let batches = Batches::of(frame)?;
        if batches.schema().fields().is_empty() && batches.rows() > 0 {
            return Err(FileError::RowsWithoutColumns);
        }
        let mut fields = batches.schema().fields().iter().zip(frame.dtypes());
        if let Some((field, dtype)) = fields.find(|(field, _)| !has_form(field.data_type())) {
            let (column, data_type) = (field.name().clone(), dtype.to_string());
            return Err(FileError::UnsupportedType { column, data_type });
        }
        self.columns.check(frame)?;
        self.columns.note(frame);
        // Without columns there is no header either: an empty one would be a column without a name.
        let has_header = std::mem::take(&mut self.has_header) && !batches.schema().fields().is_empty();
        let Self { options, file, rows: before, .. } = self;
        let text = |rows: &RecordBatch, first| options.text(rows, first == 0 && has_header);
        let blocks = Blocks { batches: &batches, convert: as_written };
        let report = |now: WriteProgress| {
            if let Some(report) = &options.progress {
                report(WriteProgress { rows_done: *before + now.rows_done, rows: *before + now.rows });
            }
        };
        file.append(|sink| write_blocks(&blocks, &text, &report, sink))?;
        self.rows += batches.rows();
        Ok(())
    }
}

impl std::fmt::Debug for CsvWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvWriter")
            .field("path", &self.path)
            .field("options", &self.options)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// The batch with timestamps that have a time zone in UTC, and durations as text, in lists and structs too.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
pub(in crate::io) fn as_written(batch: &RecordBatch) -> Result<RecordBatch, FileError> {
    let wrong = |error: arrow_schema::ArrowError| FileError::Format(error.to_string());
    let mut fields: Vec<FieldRef> = Vec::with_capacity(batch.num_columns());
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        check_times(field.name(), array)?;
        let array = with_leaves(array, field.data_type(), &|leaf, data_type| match data_type {
            DataType::Timestamp(unit, Some(_)) => {
                let in_utc = DataType::Timestamp(*unit, Some("+00:00".into()));
                Ok(make_array(leaf.to_data().into_builder().data_type(in_utc).build()?))
            }
            DataType::Duration(_) => {
                let counts = leaf.to_data().into_builder().data_type(DataType::Int64).build()?;
                let dtype = dtype(data_type).map_err(|error| FileError::Format(error.to_string()))?;
                Ok(duration_texts(&Int64Array::from(counts), &dtype))
            }
            _ => Ok::<_, FileError>(Arc::clone(leaf)),
        })?;
        fields.push(Arc::new(field.as_ref().clone().with_data_type(array.data_type().clone())));
        columns.push(array);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options).map_err(wrong)
}

/// Refuses dates and times that have no text in ISO 8601: the library would write an error in their place.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn check_times(column: &str, array: &ArrayRef) -> Result<(), FileError> {
    use arrow_schema::TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    let found = match array.data_type() {
        DataType::Date32 => unwritable::<Date32Type>(array),
        DataType::Timestamp(Second, _) => unwritable::<TimestampSecondType>(array),
        DataType::Timestamp(Millisecond, _) => unwritable::<TimestampMillisecondType>(array),
        DataType::Timestamp(Microsecond, _) => unwritable::<TimestampMicrosecondType>(array),
        DataType::Timestamp(Nanosecond, _) => unwritable::<TimestampNanosecondType>(array),
        DataType::Time32(Second) => unwritable::<Time32SecondType>(array),
        DataType::Time32(Millisecond) => unwritable::<Time32MillisecondType>(array),
        DataType::Time64(Microsecond) => unwritable::<Time64MicrosecondType>(array),
        DataType::Time64(Nanosecond) => unwritable::<Time64NanosecondType>(array),
        it if it.is_nested() || matches!(it, DataType::Dictionary(..)) => {
            let data = array.to_data();
            return data
                .child_data()
                .iter()
                .try_for_each(|child| check_times(column, &make_array(child.clone())));
        }
        _ => None,
    };
    let Some(count) = found else { return Ok(()) };
    let dtype = dtype(array.data_type()).map_err(|error| FileError::Column(error.in_column(column)))?;
    let value = match &dtype {
        DType::Date32 => i32::try_from(count).ok().map(Scalar::Date32),
        DType::Timestamp(unit) | DType::TimestampTz(unit, _) => Some(Scalar::Timestamp(count, *unit)),
        DType::Time(unit) => Some(Scalar::Time(count, *unit)),
        _ => None,
    };
    let value = value.map_or_else(|| count.to_string(), |value| value.to_string());
    Err(FileError::NoText { column: column.to_owned(), value, dtype: dtype.to_string() })
}

/// The least or the greatest value, if it is none that the library writes.
fn unwritable<T: ArrowTemporalType>(array: &ArrayRef) -> Option<i64>
where
    i64: From<T::Native>,
{
    let is_written = |value: i64| {
        if matches!(T::DATA_TYPE, DataType::Time32(_) | DataType::Time64(_)) {
            as_time::<T>(value).is_some()
        } else {
            as_datetime::<T>(value).is_some()
        }
    };
    let values = || array.as_primitive::<T>().iter().flatten().map(i64::from);
    [values().min(), values().max()].into_iter().flatten().find(|value| !is_written(*value))
}

/// Durations as they are printed and parsed.
fn duration_texts(counts: &Int64Array, dtype: &DType) -> ArrayRef {
    let unit = dtype.unit().unwrap_or(TimeUnit::Second);
    let text = |count: Option<i64>| count.map(|count| Scalar::Duration(count, unit).to_string());
    Arc::new(counts.iter().map(text).collect::<StringArray>())
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
        | DataType::Duration(_)
        | DataType::Null => true,
        DataType::Dictionary(_, values) => !matches!(**values, DataType::Duration(_)) && has_form(values),
        other => other.is_numeric(),
    }
}
