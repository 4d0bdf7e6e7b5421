//! Writing JSON: blocks of rows become text in parallel, and a file appears only when it is complete.

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::Schema;
use columnade_columns::{DType, Error as ColumnError};

use super::layout::JsonLayout;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::appended::AppendedColumns;
use crate::io::batches::Batches;
use crate::io::csv::as_written;
use crate::io::error::{FileError, caught};
use crate::io::text::{Blocks, TextCompression, TextFile, write_blocks};

const OPERATION: &str = "write_json";

/// How [`write_json`](crate::DataFrame::write_json) writes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonWriteOptions {
    skips_nulls: bool,
    layout: JsonLayout,
    compression: Option<TextCompression>,
}

impl Default for JsonWriteOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl JsonWriteOptions {
    /// Lines, in which every row has every column.
    pub const fn new() -> Self {
        Self { skips_nulls: false, layout: JsonLayout::Lines, compression: None }
    }

    /// Leaves null fields out, of rows and of structs, instead of writing `null`. Rows of the layout `Split`, and the columns of
    /// `Columns`, have a value for each place: there it concerns structs alone.
    #[must_use]
    pub const fn skip_nulls(mut self, skip: bool) -> Self {
        self.skips_nulls = skip;
        self
    }

    /// Sets how rows lie in the file. Default: [`JsonLayout::Lines`].
    ///
    /// ```
    /// use columnade::df;
    /// use columnade::json::{JsonLayout, JsonWriteOptions};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("cities.json");
    /// let cities = df! { "city" => ["Turin", "Oslo"], "since" => [Some(1861), None] }?;
    /// cities.write_json_with(&path, JsonWriteOptions::new().layout(JsonLayout::Records))?;
    ///
    /// let text = std::fs::read_to_string(&path).unwrap();
    /// assert_eq!(text, "[{\"city\":\"Turin\",\"since\":1861},\n{\"city\":\"Oslo\",\"since\":null}]\n");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `to_json(orient=…)`.
    #[must_use]
    pub const fn layout(mut self, layout: JsonLayout) -> Self {
        self.layout = layout;
        self
    }

    /// Sets how the file is compressed, whatever its name. Default: by the end of the name, `.gz` or `.zst`.
    #[must_use]
    pub const fn compression(mut self, compression: TextCompression) -> Self {
        self.compression = Some(compression);
        self
    }

    /// The rows as objects on lines.
    fn lines(self, batch: &RecordBatch) -> Result<Vec<u8>, FileError> {
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

    /// The values of a column of a batch, one a row; `None` where it is left out.
    fn values(self, batch: &RecordBatch, column: usize) -> Result<Vec<Option<Vec<u8>>>, FileError> {
        let name = batch.schema_ref().field(column).name();
        let lines = self.lines(&batch.project(&[column])?)?;
        // A line is {"name":value}, and an end of a line is none of a value.
        let before = quoted(name)?.len() + 2;
        let lines = lines.split(|&byte| byte == b'\n').take(batch.num_rows());
        Ok(lines.map(|line| Some(line.get(before..line.len() - 1)?.to_vec())).collect())
    }

    /// A part of a document, given the number of the first of the rows.
    fn part(self, batch: &RecordBatch, first: usize) -> Result<Vec<u8>, FileError> {
        let mut part = Vec::new();
        if self.layout == JsonLayout::Split {
            let columns = (0..batch.num_columns()).map(|column| self.values(batch, column));
            let columns = columns.collect::<Result<Vec<_>, _>>()?;
            for row in 0..batch.num_rows() {
                let values = columns.iter().map(|values| values[row].as_deref().unwrap_or(b"null"));
                part.extend_from_slice(if first + row == 0 { b"[" } else { b",\n[" });
                part.extend_from_slice(&values.collect::<Vec<_>>().join(&b','));
                part.push(b']');
            }
            return Ok(part);
        }
        let lines = self.lines(batch)?;
        for (row, line) in lines.split(|&byte| byte == b'\n').take(batch.num_rows()).enumerate() {
            let row = first + row;
            if row > 0 {
                part.extend_from_slice(b",\n");
            }
            if self.layout == JsonLayout::Index {
                part.extend_from_slice(format!("\"{row}\":").as_bytes());
            }
            part.extend_from_slice(line);
        }
        Ok(part)
    }

    /// What stands before the rows and after them, of layouts whose rows follow each other.
    const fn ends(self) -> (&'static [u8], &'static [u8]) {
        match self.layout {
            JsonLayout::Lines => (b"", b""),
            JsonLayout::Records => (b"[", b"]\n"),
            JsonLayout::Index => (b"{", b"}\n"),
            JsonLayout::Split | JsonLayout::Columns => (b"", b"]}\n"),
        }
    }

    /// The whole of a document that has something of all rows before the first.
    fn document(self, schema: &Schema, blocks: &Blocks<'_>, sink: &mut dyn Write) -> Result<(), FileError> {
        if self.layout == JsonLayout::Columns {
            return self.columns(schema, blocks, sink);
        }
        let names = schema.fields().iter().map(|field| quoted(field.name()));
        let names = names.collect::<Result<Vec<_>, _>>()?.join(",");
        let labels: Vec<String> = (0..blocks.rows()).map(|row| row.to_string()).collect();
        let labels = labels.join(",");
        sink.write_all(format!("{{\"columns\":[{names}],\"index\":[{labels}],\"data\":[").as_bytes())?;
        write_blocks(blocks, &|rows, first| self.part(rows, first), &|_| {}, sink)?;
        Ok(sink.write_all(self.ends().1)?)
    }

    /// An object of columns, each an object by row.
    fn columns(self, schema: &Schema, blocks: &Blocks<'_>, sink: &mut dyn Write) -> Result<(), FileError> {
        sink.write_all(b"{")?;
        for (column, field) in schema.fields().iter().enumerate() {
            let begin = format!("{}{}:{{", if column == 0 { "" } else { ",\n" }, quoted(field.name())?);
            sink.write_all(begin.as_bytes())?;
            let text = |rows: &RecordBatch, first: usize| {
                let mut part = Vec::new();
                for (row, value) in self.values(rows, column)?.into_iter().enumerate() {
                    let row = first + row;
                    let comma = if row == 0 { "" } else { "," };
                    part.extend_from_slice(format!("{comma}\"{row}\":").as_bytes());
                    part.extend_from_slice(value.as_deref().unwrap_or(b"null"));
                }
                Ok(part)
            };
            write_blocks(blocks, &text, &|_| {}, sink)?;
            sink.write_all(b"}")?;
        }
        Ok(sink.write_all(b"}\n")?)
    }
}

/// A name as JSON has it.
fn quoted(name: &str) -> Result<String, FileError> {
    serde_json::to_string(name).map_err(|error| FileError::Format(error.to_string()))
}

impl DataFrame {
    /// Writes the frame as JSON lines in UTF-8: each row is an object on a line of its own, lists are arrays, structs objects.
    /// [`JsonWriteOptions::layout`] is for documents.
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
    /// [`Error::File`], naming the file, when the folder cannot be written to or the disk is full, and for intervals,
    /// binary columns and durations within dictionaries, for which JSON has no form; [`Error::Operation`](crate::Error::Operation) when memory runs out.
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
        if matches!(options.layout, JsonLayout::Split | JsonLayout::Columns) {
            return write(self, path, options).map_err(|source| Error::file(OPERATION, path, source));
        }
        let mut writer = JsonWriter::create(path, options)?;
        writer.append(self)?;
        writer.finish()
    }
}

/// Writes a file of JSON lines, or a document of them, frame by frame, for tables larger than memory.
///
/// The columns are those of the first frame. The bytes go to a temporary file in the folder of the path, which takes its name
/// in [`finish`](Self::finish). A writer that is dropped before, or that failed, leaves no file, and an existing file
/// unchanged.
///
/// ```
/// use columnade::json::{JsonWriteOptions, JsonWriter};
/// use columnade::{col, df, read_parquet};
///
/// let folder = tempfile::tempdir().unwrap();
/// let (from, to) = (folder.path().join("sales.parquet"), folder.path().join("large.jsonl"));
/// df! { "id" => [1, 2, 3], "units" => [5, 70, 900] }?.write_parquet(&from)?;
///
/// let mut writer = JsonWriter::create(&to, JsonWriteOptions::new())?;
/// for part in read_parquet(&from).filter(col("units").gt(10)).scan()? {
///     writer.append(&part?)?;
/// }
/// writer.finish()?;
/// let text = std::fs::read_to_string(&to).unwrap();
/// assert_eq!(text, "{\"id\":2,\"units\":70}\n{\"id\":3,\"units\":900}\n");
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas `DataFrame.to_json(lines=True, mode="a")`, Polars `LazyFrame.sink_ndjson`.
pub struct JsonWriter {
    path: PathBuf,
    options: JsonWriteOptions,
    file: TextFile,
    columns: AppendedColumns,
    rows: usize,
}

impl JsonWriter {
    /// Opens a writer of the layout `Lines`, `Records` or `Index`.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when the folder cannot be written to; [`Error::Operation`] for the layouts `Split` and
    /// `Columns`, whose beginning depends on all rows.
    pub fn create(path: impl AsRef<Path>, options: JsonWriteOptions) -> Result<Self> {
        let path = path.as_ref();
        let suffix = match options.layout {
            JsonLayout::Lines => ".jsonl.part",
            JsonLayout::Records | JsonLayout::Index => ".json.part",
            JsonLayout::Split | JsonLayout::Columns => {
                let name = options.layout.name();
                let reason = format!("{name} is not written frame by frame: lines, records and index are");
                let error = ColumnError::InvalidArgument { name: "layout", reason };
                return Err(error).operation(OPERATION);
            }
        };
        let file = TextFile::create(path, options.compression, suffix).and_then(|mut file| {
            file.append(|sink| Ok(sink.write_all(options.ends().0)?))?;
            Ok(file)
        });
        let file = file.map_err(|source| Error::file(OPERATION, path, source))?;
        Ok(Self { path: path.to_owned(), options, file, columns: AppendedColumns::default(), rows: 0 })
    }

    /// Adds the rows of a frame.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, for labels or dtypes that are not those of the first frame
    /// ([`SchemaDiffers`](FileError::SchemaDiffers), [`AppendedTypeDiffers`](FileError::AppendedTypeDiffers)), for dtypes that JSON
    /// has no form for, and when the disk is full; [`Error::Operation`] when memory runs out.
    pub fn append(&mut self, frame: &DataFrame) -> Result<()> {
        self.write(frame).map_err(|source| Error::file(OPERATION, &self.path, source))
    }

    /// The rows that were appended.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Writes the end and gives the file its name.
    ///
    /// # Errors
    /// [`Error::File`] when writing or renaming the file fails, or an append before has failed while it wrote.
    pub fn finish(self) -> Result<()> {
        let Self { path, options, mut file, .. } = self;
        let written = file.append(|sink| Ok(sink.write_all(options.ends().1)?));
        written.and_then(|()| file.finish()).map_err(|source| Error::file(OPERATION, &path, source))
    }

    fn write(&mut self, frame: &DataFrame) -> Result<(), FileError> {
        let batches = checked(frame)?;
        self.columns.check(frame)?;
        self.columns.note(frame);
        let (options, before) = (self.options, self.rows);
        let blocks = Blocks { batches: &batches, convert: as_written };
        let text = |rows: &RecordBatch, first: usize| match options.layout {
            JsonLayout::Lines => options.lines(rows),
            JsonLayout::Records | JsonLayout::Index | JsonLayout::Split | JsonLayout::Columns => {
                options.part(rows, before + first)
            }
        };
        self.file.append(|sink| write_blocks(&blocks, &text, &|_| {}, sink))?;
        self.rows += batches.rows();
        Ok(())
    }
}

impl std::fmt::Debug for JsonWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JsonWriter")
            .field("path", &self.path)
            .field("options", &self.options)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// The rows of a frame whose dtypes JSON has forms for.
fn checked(frame: &DataFrame) -> Result<Batches<'_>, FileError> {
    let batches = Batches::of(frame)?;
    if batches.schema().fields().is_empty() && batches.rows() > 0 {
        return Err(FileError::RowsWithoutColumns);
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
    Ok(batches)
}

/// Writes a document that is not written frame by frame.
fn write(frame: &DataFrame, path: &Path, options: JsonWriteOptions) -> Result<(), FileError> {
    let batches = checked(frame)?;
    let blocks = Blocks { batches: &batches, convert: as_written };
    let mut file = TextFile::create(path, options.compression, ".json.part")?;
    file.append(|sink| options.document(batches.schema(), &blocks, sink))?;
    file.finish()
}

/// Whether values of a dtype have a text that a reader takes for the same value.
fn has_form(dtype: &DType) -> bool {
    match dtype {
        DType::Binary | DType::Interval(_) => false,
        // Text stands for durations, but not in dictionaries.
        DType::Dictionary(dictionary) => {
            has_form(&dictionary.values) && !matches!(dictionary.values, DType::Duration(_))
        }
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
        | DType::Duration(_)
        | DType::Decimal { .. }
        | DType::Null => true,
    }
}
