//! Writing JSON: blocks of rows become text in parallel, and a file appears only when it is complete.

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::Schema;
use columnade_columns::DType;

use super::layout::JsonLayout;
use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::batches::Batches;
use crate::io::csv::in_utc;
use crate::io::error::{FileError, caught};
use crate::io::text::{Blocks, write_blocks, write_file, write_text};

const OPERATION: &str = "write_json";

/// How [`write_json`](crate::DataFrame::write_json) writes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonWriteOptions {
    skips_nulls: bool,
    layout: JsonLayout,
}

impl Default for JsonWriteOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl JsonWriteOptions {
    /// Lines, in which every row has every column.
    pub const fn new() -> Self {
        Self { skips_nulls: false, layout: JsonLayout::Lines }
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

    /// The whole of a document but for lines.
    fn document(self, schema: &Schema, blocks: &Blocks<'_>, sink: &mut dyn Write) -> Result<(), FileError> {
        let (begin, end): (String, &[u8]) = match self.layout {
            JsonLayout::Columns => return self.columns(schema, blocks, sink),
            JsonLayout::Index => ("{".to_owned(), b"}\n"),
            JsonLayout::Split => {
                let names = schema.fields().iter().map(|field| quoted(field.name()));
                let names = names.collect::<Result<Vec<_>, _>>()?.join(",");
                let labels: Vec<String> = (0..blocks.rows()).map(|row| row.to_string()).collect();
                let labels = labels.join(",");
                (format!("{{\"columns\":[{names}],\"index\":[{labels}],\"data\":["), b"]}\n")
            }
            JsonLayout::Lines | JsonLayout::Records => ("[".to_owned(), b"]\n"),
        };
        sink.write_all(begin.as_bytes())?;
        write_blocks(blocks, &|rows, first| self.part(rows, first), &|_| {}, sink)?;
        Ok(sink.write_all(end)?)
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
    let batches = Batches::of(frame)?;
    if batches.schema().fields().is_empty() && batches.rows() > 0 {
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
    let blocks = Blocks { batches: &batches, convert: in_utc };
    if options.layout == JsonLayout::Lines {
        return write_text(path, ".jsonl.part", &blocks, &|rows, _| options.lines(rows), &|_| {});
    }
    write_file(path, ".json.part", |sink| options.document(batches.schema(), &blocks, sink))
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
