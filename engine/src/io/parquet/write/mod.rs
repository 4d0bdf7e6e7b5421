//! Writing Parquet: row groups and columns are encoded in parallel, and a file appears only when it is complete.

mod dataset;
mod rows_alone;
mod seconds;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, FieldRef, Schema, SchemaRef};
use columnade_buffers::{in_workers, require_system_memory, worker_threads};
use columnade_columns::Label;
use columnade_columns::arrow::field_dtype;
use columnade_kernels::interrupt::Checkpoint;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use rayon::prelude::*;

use super::codec::Compression;
use super::error::ParquetError;
use super::order::{self, Recorder};
use super::{names_and_types, unordered};
use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::appended::{AppendedColumns, conformed, nullable};
use crate::io::batches::{Batches, bytes_of_columns};
use crate::io::file::{PartialFile, target};
use crate::io::nesting::{MOST_LEVELS, too_deep};

const OPERATION: &str = "write_parquet";

/// How [`write_parquet`](crate::DataFrame::write_parquet) and [`ParquetWriter`] lay a file out.
#[derive(Clone, Debug)]
pub struct ParquetWriteOptions {
    compression: Compression,
    row_group_rows: usize,
    plain_columns: Vec<String>,
    bloom_filters: Vec<String>,
    page_rows: usize,
    key_values: Vec<KeyValue>,
}

impl Default for ParquetWriteOptions {
    fn default() -> Self {
        Self {
            compression: Compression::default(),
            row_group_rows: 122_880,
            plain_columns: Vec::new(),
            bloom_filters: Vec::new(),
            page_rows: 20_000,
            key_values: Vec::new(),
        }
    }
}

impl ParquetWriteOptions {
    /// Snappy, row groups of 122 880 rows in pages of 20 000, dictionaries tried for every column, statistics of row groups and of
    /// pages, no Bloom filters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the compression of the pages.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets the rows of a row group, at least 1. Row groups are what readers decode in parallel and skip by statistics.
    #[must_use]
    pub fn row_group_rows(mut self, rows: usize) -> Self {
        self.row_group_rows = rows.max(1);
        self
    }

    /// Writes a column without trying a dictionary, which is faster for strings that rarely repeat. A name that is none of a
    /// column is an error of the write.
    #[must_use]
    pub fn plain_column(mut self, name: impl Into<String>) -> Self {
        self.plain_columns.push(name.into());
        self
    }

    /// Writes a Bloom filter for a column, with which readers skip row groups that do not have a value that a filter asks for.
    /// It takes about a byte and a half for each value of a row group that differs from the others. A name that is none of a
    /// column is an error of the write.
    #[must_use]
    pub fn bloom_filter(mut self, name: impl Into<String>) -> Self {
        self.bloom_filters.push(name.into());
        self
    }

    /// Sets the most rows of a page, at least 1. Pages have statistics of their own, by which readers skip them.
    #[must_use]
    pub fn page_rows(mut self, rows: usize) -> Self {
        self.page_rows = rows.max(1);
        self
    }

    /// Adds a key and its value to the metadata of the file, where other libraries look for what Parquet has no place for; see
    /// [`key_value_metadata`](crate::parquet::ParquetReader::key_value_metadata). A key that comes again has its last value.
    ///
    /// ```
    /// use columnade::parquet::ParquetWriteOptions;
    /// use columnade::{df, read_parquet};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.parquet");
    /// let options = ParquetWriteOptions::new().key_value("origin", "shop 7");
    /// df! { "id" => [1, 2] }?.write_parquet_with(&path, &options)?;
    ///
    /// let metadata = read_parquet(&path).key_value_metadata()?;
    /// assert!(metadata.contains(&("origin".to_owned(), "shop 7".to_owned())));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pyarrow `ParquetWriter.add_key_value_metadata`, Polars `write_parquet(metadata=…)`.
    #[must_use]
    pub fn key_value(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        let pair = KeyValue::new(key.into(), value.into());
        self.key_values.retain(|before| before.key != pair.key);
        self.key_values.push(pair);
        self
    }

    /// Refuses names that are no columns of the schema.
    fn check(&self, schema: &Schema) -> Result<(), ParquetError> {
        let named = self.plain_columns.iter().chain(&self.bloom_filters);
        let missing: Vec<Label> =
            named.filter(|name| schema.field_with_name(name).is_err()).map(Into::into).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let available = schema.fields().iter().map(|field| field.name().clone()).collect();
        Err(ParquetError::MissingColumns { missing, available })
    }

    fn properties(&self) -> WriterProperties {
        let mut properties = WriterProperties::builder()
            .set_compression(self.compression.codec())
            .set_data_page_row_count_limit(self.page_rows)
            // The limit counts at the end of each of these.
            .set_write_batch_size(self.page_rows.min(1024))
            .set_created_by(concat!("columnade ", env!("CARGO_PKG_VERSION")).to_owned());
        if !self.key_values.is_empty() {
            properties = properties.set_key_value_metadata(Some(self.key_values.clone()));
        }
        for column in &self.plain_columns {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column.as_str()), false);
        }
        for column in &self.bloom_filters {
            properties = properties.set_column_bloom_filter_enabled(ColumnPath::from(column.as_str()), true);
        }
        properties.build()
    }
}

/// Writes a Parquet file part by part, for tables larger than memory: frames, or batches of arrow-rs.
///
/// The bytes go to a temporary file in the folder of `path`, which takes its name in [`finish`](Self::finish).
/// A writer that is dropped before, or that failed, leaves no file, and an existing file unchanged.
///
/// ```
/// use columnade::parquet::{ParquetWriteOptions, ParquetWriter};
/// use columnade::{col, df, read_csv, read_parquet};
///
/// let folder = tempfile::tempdir().unwrap();
/// let (from, to) = (folder.path().join("sales.csv"), folder.path().join("large.parquet"));
/// df! { "id" => [1, 2, 3], "units" => [5, 70, 900] }?.write_csv(&from)?;
///
/// let mut writer = ParquetWriter::create_for_frames(&to, &ParquetWriteOptions::new())?;
/// for part in read_csv(&from).scan()? {
///     writer.append_frame(&part?.filter(col("units").gt(10))?)?;
/// }
/// writer.finish()?;
/// assert_eq!(read_parquet(&to).read()?.column("id")?.to_vec::<i64>()?, [2, 3]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pyarrow `ParquetWriter`, Polars `LazyFrame.sink_parquet`.
#[derive(Debug)]
pub struct ParquetWriter {
    path: PathBuf,
    options: ParquetWriteOptions,
    encoder: State,
    columns: AppendedColumns,
    /// Whether there is one frame alone.
    is_whole: bool,
    rows: usize,
}

/// The encoder, once the columns are known.
#[derive(Debug)]
enum State {
    Unstarted(PartialFile),
    Started(Box<Encoder<PartialFile>>),
    /// A frame was encoded in part.
    Failed,
}

impl ParquetWriter {
    /// Opens a writer for batches of `schema`.
    ///
    /// # Errors
    /// [`Error::Parquet`] when the folder cannot be written to, this build does not have the codec, or Parquet has no form for a
    /// dtype of the schema, as for ordered dictionaries of timestamps or decimals in structs and lists.
    #[expect(clippy::needless_pass_by_value, reason = "as the writers of arrow-rs take it")]
    pub fn create(path: impl AsRef<Path>, schema: SchemaRef, options: &ParquetWriteOptions) -> Result<Self> {
        let path = path.as_ref();
        let mut writer = Self::create_for_frames(path, options)?;
        writer.start(&schema).map_err(|source| Error::parquet(OPERATION, path, source))?;
        Ok(writer)
    }

    /// Opens a writer whose columns are those of the first frame that is appended.
    ///
    /// # Errors
    /// [`Error::Parquet`] when the folder cannot be written to, or this build does not have the codec.
    pub fn create_for_frames(path: impl AsRef<Path>, options: &ParquetWriteOptions) -> Result<Self> {
        let path = path.as_ref();
        let opened = options.compression.check().and_then(|()| {
            let target = target(path)?.ok_or(ParquetError::NotAFile)?;
            Ok((State::Unstarted(PartialFile::beside(&target, ".parquet.part")?), target))
        });
        let (encoder, path) = opened.map_err(|source| Error::parquet(OPERATION, path, source))?;
        let (options, columns) = (options.clone(), AppendedColumns::default());
        Ok(Self { path, options, encoder, columns, is_whole: false, rows: 0 })
    }

    /// Adds one row group for each batch; batches of no rows add none. All are encoded in parallel before the first
    /// is written, so the batches of one call should fit in memory twice.
    ///
    /// # Errors
    /// [`Error::Parquet`] when a batch has another schema or writing fails.
    pub fn append(&mut self, row_groups: &[RecordBatch]) -> Result<()> {
        self.append_batches(row_groups).map_err(|source| Error::parquet(OPERATION, &self.path, source))
    }

    /// Adds the rows of a frame, in row groups of [`row_group_rows`](ParquetWriteOptions::row_group_rows) of its rows; the last
    /// one may have fewer. Under a limit of memory row groups are as small as it needs.
    ///
    /// # Errors
    /// [`Error::Parquet`], naming the file, for labels or dtypes that are not those of the frames before
    /// ([`SchemaDiffers`](ParquetError::SchemaDiffers), [`AppendedTypeDiffers`](ParquetError::AppendedTypeDiffers)), for categories
    /// of an ordered dictionary that are not those before or more ([`OrdersDiffer`](ParquetError::OrdersDiffer)), and when
    /// writing fails.
    pub fn append_frame(&mut self, frame: &DataFrame) -> Result<()> {
        self.write(frame).map_err(|source| Error::parquet(OPERATION, &self.path, source))
    }

    /// The rows that were appended.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Writes the footer and gives the file its name.
    ///
    /// # Errors
    /// [`Error::Parquet`] when writing or renaming the file fails, when an append before has failed while it wrote, and for a
    /// writer of frames without one.
    pub fn finish(self) -> Result<()> {
        let Self { path, mut encoder, .. } = self;
        encoder
            .started()
            .and_then(|encoder| Ok(encoder.finish()?.rename(&path)?))
            .map_err(|source| Error::parquet(OPERATION, &path, source))
    }

    /// Writes what stands before the rows, unless it was.
    fn start(&mut self, schema: &SchemaRef) -> Result<(), ParquetError> {
        if !matches!(self.encoder, State::Unstarted(_)) {
            return Ok(());
        }
        if let Some(column) = too_deep(schema) {
            return Err(ParquetError::TooDeep { column: Some(column.to_owned()), limit: MOST_LEVELS });
        }
        check_forms(schema)?;
        order::check(schema.fields())?;
        self.options.check(schema)?;
        if let State::Unstarted(sink) = std::mem::replace(&mut self.encoder, State::Failed) {
            let encoder = Encoder::new(sink, Arc::clone(schema), &self.options)?;
            self.encoder = State::Started(Box::new(encoder));
        }
        Ok(())
    }

    fn append_batches(&mut self, row_groups: &[RecordBatch]) -> Result<(), ParquetError> {
        let Some(first) = row_groups.first() else { return Ok(()) };
        self.start(first.schema_ref())?;
        let appended = self.encoder.started()?.append(row_groups);
        if matches!(appended, Err(ParquetError::Io(_))) {
            // The file has a part of a row group.
            self.encoder = State::Failed;
        }
        appended?;
        self.rows += row_groups.iter().map(RecordBatch::num_rows).sum::<usize>();
        Ok(())
    }

    fn write(&mut self, frame: &DataFrame) -> Result<(), ParquetError> {
        let batches = Batches::of(frame)?;
        self.columns.check(frame)?;
        if self.is_whole {
            self.start(batches.schema())?;
        } else {
            self.start(&nullable(batches.schema()))?;
        }
        let schema = Arc::clone(&self.encoder.started()?.schema);
        check_dtypes(&schema, batches.schema())?;
        self.columns.note(frame);
        let slice = |start: usize, len: usize| -> Result<_, ParquetError> {
            let slice = batches.slice(start, len)?;
            conformed(&slice, &schema).map_err(|error| ParquetError::Format(error.to_string()))
        };
        let rows = batches.step(self.options.row_group_rows)?;
        let starts: Vec<usize> = (0..batches.rows()).step_by(rows).collect();
        // No row group, but the categories of ordered dictionaries.
        if starts.is_empty() {
            return self.append_batches(&[slice(0, 0)?]);
        }
        // As many row groups at a time as keep every thread busy: their encoded pages are all in memory.
        let wave = batches.at_a_time(rows, 2 * worker_threads())?;
        for (at, wave) in starts.chunks(wave).enumerate() {
            let slices = wave.iter().map(|&start| slice(start, rows.min(batches.rows() - start)));
            let slices = slices.collect::<Result<Vec<_>, _>>();
            let appended = slices.and_then(|slices| self.append_batches(&slices));
            if appended.is_err() && at > 0 {
                // Some of its rows are in the file.
                self.encoder = State::Failed;
            }
            appended?;
        }
        Ok(())
    }
}

/// Refuses columns that Parquet has no form for: decimals of a negative scale, and structs without fields.
fn check_forms(schema: &Schema) -> Result<(), ParquetError> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn has_form(data_type: &DataType) -> bool {
        match data_type {
            DataType::Decimal32(_, scale)
            | DataType::Decimal64(_, scale)
            | DataType::Decimal128(_, scale)
            | DataType::Decimal256(_, scale) => *scale >= 0,
            DataType::Struct(fields) => {
                !fields.is_empty() && fields.iter().all(|field| has_form(field.data_type()))
            }
            DataType::Dictionary(_, values) => has_form(values),
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _)
            | DataType::Map(item, _) => has_form(item.data_type()),
            _ => true,
        }
    }
    let Some(field) = schema.fields().iter().find(|field| !has_form(field.data_type())) else {
        return Ok(());
    };
    let data_type = field_dtype(field).map_or_else(|_| field.data_type().to_string(), |it| it.to_string());
    Err(ParquetError::UnsupportedType { column: field.name().clone(), data_type })
}

/// Refuses a frame whose columns are not those of the schema that a writer was given.
fn check_dtypes(expected: &Schema, found: &Schema) -> Result<(), ParquetError> {
    let columns = |schema: &Schema| -> Vec<_> {
        schema.fields().iter().map(|field| (field.name().clone(), field_dtype(field).ok())).collect()
    };
    if columns(expected) == columns(found) {
        return Ok(());
    }
    Err(ParquetError::SchemaDiffers {
        expected: names_and_types(expected.fields()),
        found: names_and_types(found.fields()),
    })
}

impl State {
    fn started(&mut self) -> Result<&mut Encoder<PartialFile>, ParquetError> {
        match self {
            State::Started(encoder) => Ok(encoder),
            State::Unstarted(_) => Err(ParquetError::NoColumns),
            State::Failed => {
                let reason = "an append before has failed, and left no file".to_owned();
                Err(ParquetError::Format(reason))
            }
        }
    }
}

impl DataFrame {
    /// Writes the frame as a Parquet file, Snappy-compressed, in row groups of 122 880 rows.
    ///
    /// The file appears under its name only when it is complete. On an error no file is left, and an existing file is
    /// unchanged.
    ///
    /// Rows without columns keep their number, which Polars, pyarrow and pandas read too.
    ///
    /// Parquet has no times in seconds: timestamps and times of day in seconds are written, and read again, in milliseconds.
    ///
    /// The categories of an ordered dictionary, also in structs and lists, are written into the metadata of the file, where
    /// [`read_parquet`](crate::read_parquet) finds their order. Other libraries read an unordered dictionary.
    ///
    /// ```
    /// use columnade::{builders::categories, df, read_parquet};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("tasks.parquet");
    /// let level = categories(["high", "low"]).among(["low", "mid", "high"]).ordered();
    /// df! { "level" => level }?.write_parquet(&path)?;
    ///
    /// let read = read_parquet(&path).read()?;
    /// assert_eq!(read.column("level")?.dtype().to_string(), "dictionary<int32, utf8, ordered>");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parquet`], naming the file, when the folder cannot be written to or the disk is full, for ordered
    /// dictionaries whose order would be lost (of floats or times; in structs and lists also of timestamps and decimals), for times
    /// in seconds that milliseconds do not have ([`ValueDoesNotFit`](ParquetError::ValueDoesNotFit)), and for decimals of a negative
    /// scale and structs without fields, for which Parquet has no form.
    pub fn write_parquet(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_parquet_with(path, &ParquetWriteOptions::default())
    }

    /// [`write_parquet`](Self::write_parquet) with another layout.
    ///
    /// # Errors
    /// Same as [`write_parquet`](Self::write_parquet).
    pub fn write_parquet_with(&self, path: impl AsRef<Path>, options: &ParquetWriteOptions) -> Result<()> {
        let mut writer = ParquetWriter::create_for_frames(path, options)?;
        writer.is_whole = true;
        writer.append_frame(self)?;
        writer.finish()
    }
}

/// Encodes batches into row groups of one Parquet stream.
struct Encoder<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: ArrowRowGroupWriterFactory,
    /// Of the batches.
    schema: SchemaRef,
    /// With times in milliseconds at least.
    timed: SchemaRef,
    /// Of the file.
    stored: SchemaRef,
    orders: Recorder,
    row_groups: usize,
    /// The rows of each row group of a file without columns.
    rows_alone: Vec<i64>,
}

impl<W: Write + Send> std::fmt::Debug for Encoder<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder")
            .field("schema", &self.schema)
            .field("row_groups", &self.row_groups)
            .finish_non_exhaustive()
    }
}

/// The most bytes that the dictionary of a column takes in an encoder, with the table that finds its values.
const DICTIONARY: usize = 8 << 20;

/// The bytes that encoders take for a column of so many: its pages, and their dictionary.
fn encoded_bytes(bytes: usize) -> usize {
    bytes.saturating_add(bytes.saturating_mul(4).min(DICTIONARY))
}

impl<W: Write + Send> Encoder<W> {
    fn new(sink: W, schema: SchemaRef, options: &ParquetWriteOptions) -> Result<Self, ParquetError> {
        let fields: Vec<FieldRef> = schema.fields().iter().map(seconds::in_milliseconds).collect();
        let timed = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        // Dictionaries are stored in the order of the rows: a reader must not take it for that of the categories.
        let fields: Vec<FieldRef> = timed.fields().iter().map(unordered).collect();
        // Readers that know the Arrow schema of a file, as pyarrow, look for keys and values in it alone.
        let mut metadata = schema.metadata().clone();
        let pairs = options.key_values.iter();
        metadata.extend(pairs.map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default())));
        let stored = Arc::new(Schema::new_with_metadata(fields, metadata));
        let writer = ArrowWriter::try_new(sink, Arc::clone(&stored), Some(options.properties()))?;
        let (writer, columns) = writer.into_serialized_writer()?;
        let (orders, row_groups, rows_alone) = (Recorder::default(), 0, Vec::new());
        Ok(Self { writer, columns, schema, timed, stored, orders, row_groups, rows_alone })
    }

    fn append(&mut self, batches: &[RecordBatch]) -> Result<(), ParquetError> {
        if self.schema.fields().is_empty() && batches.iter().all(|batch| batch.num_columns() == 0) {
            let rows = batches.iter().map(RecordBatch::num_rows).filter(|&rows| rows > 0);
            self.rows_alone.extend(rows.map(|rows| i64::try_from(rows).unwrap_or(i64::MAX)));
            return Ok(());
        }
        let mut timed = Vec::with_capacity(batches.len());
        for batch in batches {
            if batch.schema_ref().fields() != self.schema.fields() {
                return Err(ParquetError::SchemaDiffers {
                    expected: names_and_types(self.schema.fields()),
                    found: names_and_types(batch.schema_ref().fields()),
                });
            }
            let batch = seconds::converted(batch, &self.timed)?;
            self.orders.add(self.timed.fields(), &batch)?;
            timed.push(batch);
        }
        let bytes = timed.iter().flat_map(bytes_of_columns).map(encoded_bytes).fold(0, usize::saturating_add);
        require_system_memory(bytes).map_err(|error| ParquetError::Column(error.into()))?;
        let (first, columns, schema) = (self.row_groups, &self.columns, &self.stored);
        let batches: Vec<&RecordBatch> = timed.iter().filter(|batch| batch.num_rows() > 0).collect();
        let checkpoint = Checkpoint::current();
        let encoded: Vec<Vec<ArrowColumnChunk>> = in_workers(|| {
            let batches = batches.into_par_iter().enumerate();
            let encoded = batches.map(|(k, batch)| encode(columns, schema, batch, first + k, checkpoint));
            encoded.collect::<Result<_, _>>()
        })?;
        for chunks in encoded {
            let mut row_group = self.writer.next_row_group()?;
            for chunk in chunks {
                chunk.append_to_row_group(&mut row_group)?;
            }
            row_group.close()?;
            self.row_groups += 1;
        }
        Ok(())
    }

    /// Writes the footer, and all that was held back, to the sink.
    fn finish(&mut self) -> Result<&mut W, ParquetError> {
        if !self.rows_alone.is_empty() {
            rows_alone::finish(&mut self.writer, &self.rows_alone, self.orders.metadata())?;
            return Ok(self.writer.inner_mut());
        }
        for pair in self.orders.metadata() {
            self.writer.append_key_value_metadata(pair);
        }
        // Not by `into_inner`, which makes text of the system's errors.
        self.writer.finish()?;
        Ok(self.writer.inner_mut())
    }
}

/// The column chunks of one row group, its columns in parallel. Runs in a worker.
fn encode(
    columns: &ArrowRowGroupWriterFactory,
    schema: &SchemaRef,
    batch: &RecordBatch,
    row_group: usize,
    checkpoint: Checkpoint,
) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
    let mut writers = columns.create_column_writers(row_group)?.into_iter();
    let mut tasks = Vec::with_capacity(batch.num_columns());
    for (field, array) in schema.fields().iter().zip(batch.columns()) {
        for leaf in compute_leaves(field, array)? {
            tasks.extend(writers.next().map(|writer| (writer, leaf)));
        }
    }
    tasks
        .into_par_iter()
        .map(|(mut writer, leaf)| {
            checkpoint.check();
            writer.write(&leaf)?;
            Ok(writer.close()?)
        })
        .collect()
}
