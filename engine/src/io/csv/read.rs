//! Reading CSV: types from the first rows, chunks decoded in parallel, and again with wider types if those do not fit.

use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use columnade_buffers::Exec;
use columnade_columns::{ColumnAccessor, DType, Error as ColumnError};
use regex::Regex;

use super::format::{CsvFormat, inferred};
use super::records::Records;
use super::types::{ColumnType, csv_type, joined, settled};
use super::{BadRows, ENDINGS, Options};
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::error::{FileError, expand};
use crate::io::frames::{Parts, on_device};
use crate::io::paths::FilePaths;
use crate::io::text::{Chunks, Failed, Rows};
use crate::options::default_exec_for;

const OPERATION: &str = "read_csv";

/// The progress of a read; see [`CsvReader::progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvProgress {
    /// Bytes of the files read so far. A file is read once more if the types that were inferred do not fit.
    pub bytes_done: u64,
    /// Bytes of the files that were opened so far.
    pub bytes: u64,
    /// Rows decoded so far.
    pub rows: usize,
}

/// Statistics of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CsvStatistics {
    /// Files read.
    pub files: usize,
    /// Rows read.
    pub rows: usize,
    /// Rows left out, see [`BadRows::Skip`].
    pub rows_skipped: u64,
    /// Bytes of the files, as they lie on disk.
    pub bytes_read: u64,
}

/// A read of CSV files under construction, see [`read_csv`].
#[must_use = "nothing is read before read"]
pub struct CsvReader<'a> {
    paths: Vec<PathBuf>,
    options: Options,
    exec: Option<Exec>,
    progress: Option<Box<dyn Fn(CsvProgress) + Sync + 'a>>,
}

/// Reads a CSV file, the files of a folder in the order of their names (`.csv`, `.csv.gz`, `.csv.zst`), or several of them, as
/// one frame.
///
/// Fields are separated by commas and may be quoted with `"`; within quotes, two quotes stand for one. The first row has the
/// names of the columns. Empty lines are skipped, and empty fields are null. Files whose names end in `.gz` or `.zst` are
/// decompressed. The text is UTF-8.
///
/// The dtypes are inferred from the first 10 000 rows: `bool` (`true`, `false`), `int64`, `float64`, `date32`
/// (`2026-01-31`), `timestamp[us]` (ISO 8601, `timestamp[ns]` if there are more than six digits after the second), or
/// strings. If a later row does not fit, the files are read once more with a wider dtype; no value is changed to fit. Columns
/// without a value are strings. Integers that 64 bits do not represent make a column of strings. Timestamps with an offset
/// from UTC are converted to UTC.
///
/// Chunks of 4 MiB are decoded in parallel.
///
/// ```
/// use columnade::{DType, read_csv};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("orders.csv");
/// std::fs::write(&path, "id,day,price\n007,2026-01-31,2.5\n008,2026-02-01,\n").unwrap();
///
/// let orders = read_csv(&path).dtype("id", DType::Utf8).read()?;
/// assert_eq!(orders.column("id")?.get(0)?.to_string(), "007");
/// assert_eq!(orders.column("day")?.dtype(), DType::Date32);
/// assert_eq!(orders.column("price")?.null_count()?, 1);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas `read_csv`, cuDF `read_csv`.
pub fn read_csv<'a>(paths: impl Into<FilePaths>) -> CsvReader<'a> {
    let FilePaths(paths) = paths.into();
    CsvReader { paths, options: Options::default(), exec: None, progress: None }
}

impl<'a> CsvReader<'a> {
    /// Reads only these columns, in this order. Default: all. Values of other columns are not looked at.
    pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.options.columns = Some(columns.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the dtype of a column; a value that it does not represent exactly is an error. Supported are booleans, integers,
    /// floats, strings, dates, timestamps without a zone or in UTC, decimals, and unordered dictionaries of strings.
    pub fn dtype(mut self, column: impl Into<String>, dtype: DType) -> Self {
        self.options.dtypes.push((column.into(), dtype));
        self
    }

    /// Whether the first row has the names of the columns. Default: true. Without names, columns are called `column_1`,
    /// `column_2` and so on.
    pub fn has_header(mut self, has_header: bool) -> Self {
        self.options.has_header = has_header;
        self
    }

    /// Names the columns of the files, all of them, in place of names in the files.
    pub fn names<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.options.names = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the character between fields, ASCII. Default: `,`.
    pub fn delimiter(mut self, delimiter: u8) -> Self {
        self.options.delimiter = delimiter;
        self
    }

    /// Sets the character that fields are quoted with, ASCII; `None`: quotes are characters like others. Default: `"`.
    pub fn quote(mut self, quote: impl Into<Option<u8>>) -> Self {
        self.options.quote = quote.into();
        self
    }

    /// Sets a character that, within quotes, takes the meaning from the next one, ASCII. Default: none; a quote is escaped by
    /// another.
    pub fn escape(mut self, escape: u8) -> Self {
        self.options.escape = Some(escape);
        self
    }

    /// Sets the texts that stand for null, in addition to the empty one. Default: none.
    pub fn null_values<S: AsRef<str>>(mut self, texts: impl IntoIterator<Item = S>) -> Self {
        let texts: Vec<String> = texts.into_iter().map(|text| regex::escape(text.as_ref())).collect();
        // Escaped texts are a valid pattern, unless they are too many: then the library's limit speaks at the first row.
        self.options.nulls = Regex::new(&format!(r"\A(?:|{})\z", texts.join("|"))).ok();
        self
    }

    /// Skips this many lines before the header. Default: 0.
    pub fn skip_rows(mut self, lines: usize) -> Self {
        self.options.skip_rows = lines;
        self
    }

    /// Reads at most this many rows. Default: all.
    pub fn limit(mut self, rows: usize) -> Self {
        self.options.limit = Some(rows);
        self
    }

    /// Sets how many rows dtypes are inferred from. Default: 10 000.
    pub fn infer_rows(mut self, rows: usize) -> Self {
        self.options.infer_rows = rows;
        self
    }

    /// Sets what is done with malformed rows. Default: [`BadRows::Error`].
    pub fn bad_rows(mut self, bad_rows: BadRows) -> Self {
        self.options.bad_rows = bad_rows;
        self
    }

    /// Decodes chunks of about this many bytes.
    #[cfg(test)]
    pub(super) fn chunk_size(mut self, bytes: usize) -> Self {
        self.options.chunk_size = Some(bytes);
        self
    }

    /// Reads to the device of `exec`. Default: the thread's default device.
    pub fn exec(mut self, exec: &Exec) -> Self {
        self.exec = Some(exec.clone());
        self
    }

    /// Calls `report` from time to time.
    pub fn progress(mut self, report: impl Fn(CsvProgress) + Sync + 'a) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Reads the frame.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when it is missing, empty, damaged or not UTF-8, lacks columns or has other columns
    /// than the first, or has a row that does not fit, with its line; [`Error::Operation`] when memory runs out.
    pub fn read(self) -> Result<DataFrame> {
        self.read_with_statistics().map(|(frame, _)| frame)
    }

    /// Reads the frame, and returns statistics of the read.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    pub fn read_with_statistics(self) -> Result<(DataFrame, CsvStatistics)> {
        let exec = match &self.exec {
            Some(exec) => exec.clone(),
            None => default_exec_for(OPERATION)?,
        };
        self.options.check().operation(OPERATION)?;
        let mut files = Vec::new();
        for path in &self.paths {
            files.extend(expand(path, &ENDINGS).map_err(|source| Error::file(OPERATION, path, source))?);
        }
        let Some(first) = files.first() else {
            return Err(Error::file(OPERATION, "", FileError::NoPath));
        };
        let mut format = self.plan(&files).map_err(|source| Error::file(OPERATION, first, source))?;
        loop {
            match self.attempt(&format, &files, &exec)? {
                Attempt::Done(columns, statistics) => {
                    return Ok((DataFrame::from_accessor(columns, &exec), statistics));
                }
                Attempt::Wider(types) => {
                    for (now, wide) in format.types.iter_mut().zip(types) {
                        now.data_type = wide;
                    }
                }
            }
        }
    }

    /// Names and types of the first file.
    fn plan(&self, files: &[PathBuf]) -> Result<CsvFormat<'_>, FileError> {
        let options = &self.options;
        let mut types = Vec::new();
        let mut stored = None;
        if let Some(path) = files.first() {
            let mut file = Chunks::open(path, options.quoting())?;
            if let Some(mut chunk) = file.next()? {
                stored = Some(options.start(&mut chunk)?);
                let rows = Some(options.infer_rows);
                types = if let Ok((types, _)) = inferred(&options.format(), &chunk.bytes, rows) {
                    types
                } else {
                    // Rows that are not text; what is done with them is said when they are read.
                    let columns = stored.as_ref().map_or(0, Vec::len);
                    let records = Records::of(&chunk.bytes, options, columns);
                    let good = records.bytes(&chunk.bytes, 0..records.good.len().min(options.infer_rows));
                    inferred(&options.format(), &good, None)?.0
                };
            }
        }
        let names = match (&options.names, stored) {
            (Some(given), Some(stored)) if given.len() != stored.len() => {
                return Err(FileError::SchemaDiffers {
                    expected: given.join(", "),
                    found: stored.join(", "),
                });
            }
            (Some(given), _) => given.clone(),
            (None, Some(stored)) => stored,
            (None, None) => return Err(FileError::NoColumns),
        };
        if let Some((_, twice)) = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
            return Err(FileError::Column(ColumnError::DuplicateLabel { label: twice.into() }));
        }
        types.resize(names.len(), DataType::Null);
        let types = types.iter().map(|found| ColumnType { data_type: settled(found), is_given: false });
        let mut format = CsvFormat { options, names, types: types.collect(), selected: Vec::new() };
        format.select()?;
        Ok(format)
    }

    /// Reads the files with the planned types, unless these turn out to be too narrow.
    fn attempt(&self, format: &CsvFormat<'_>, files: &[PathBuf], exec: &Exec) -> Result<Attempt> {
        let mut rows = Rows::new(files, self.options.chunk_size);
        let schema = format.schema();
        let mut parts = Parts::new(schema, exec);
        let mut statistics = CsvStatistics { files: files.len(), ..CsvStatistics::default() };
        let limit = self.options.limit.unwrap_or(usize::MAX);
        'files: while statistics.rows < limit {
            let wave = rows.next(format).map_err(|(path, source)| Error::file(OPERATION, path, source))?;
            let Some(wave) = wave else { break };
            let mut wider: Option<Vec<DataType>> = None;
            for (path, chunk) in wave {
                match chunk {
                    Ok(_) | Err(Failed::File(_)) if wider.is_some() => {}
                    Ok(chunk) => {
                        let batch = head(&chunk.batch, limit - statistics.rows);
                        statistics.rows += batch.num_rows();
                        statistics.rows_skipped += chunk.skipped;
                        parts.push(batch).operation(OPERATION)?;
                        if statistics.rows == limit {
                            break 'files;
                        }
                    }
                    Err(Failed::Types(types)) => wider = Some(all_joined(wider, types)),
                    Err(Failed::File(source)) => return Err(Error::file(OPERATION, path, source)),
                }
            }
            if let Some(types) = wider {
                return Ok(Attempt::Wider(types));
            }
            if let Some(report) = &self.progress {
                let bytes = rows.bytes();
                report(CsvProgress { bytes_done: bytes.done, bytes: bytes.all, rows: statistics.rows });
            }
        }
        statistics.bytes_read = rows.bytes().done;
        let columns = on_device(parts, exec).operation(OPERATION)?;
        Ok(Attempt::Done(columns, statistics))
    }
}

/// What reading with some types comes to.
enum Attempt {
    Done(ColumnAccessor, CsvStatistics),
    /// The files have values that need these types.
    Wider(Vec<DataType>),
}

fn head(batch: &RecordBatch, rows: usize) -> RecordBatch {
    if batch.num_rows() > rows { batch.slice(0, rows) } else { batch.clone() }
}

impl CsvFormat<'_> {
    /// Applies the columns and dtypes that were asked for.
    fn select(&mut self) -> Result<(), FileError> {
        let position = |name: &String| self.names.iter().position(|other| other == name);
        let asked = self.options.columns.as_ref().unwrap_or(&self.names);
        let given = self.options.dtypes.iter().map(|(name, _)| name);
        let missing: Vec<_> =
            asked.iter().chain(given).filter(|name| position(name).is_none()).map(Into::into).collect();
        if !missing.is_empty() {
            return Err(FileError::MissingColumns { missing, available: self.names.clone() });
        }
        if let Some((_, twice)) = asked.iter().enumerate().find(|(k, name)| asked[..*k].contains(name)) {
            return Err(FileError::Column(ColumnError::DuplicateLabel { label: twice.into() }));
        }
        self.selected = asked.iter().filter_map(position).collect();
        for (name, dtype) in &self.options.dtypes {
            let Some(at) = self.names.iter().position(|other| other == name) else { continue };
            let Some(data_type) = csv_type(dtype) else {
                let data_type = dtype.to_string();
                return Err(FileError::UnsupportedType { column: name.clone(), data_type });
            };
            self.types[at] = ColumnType { data_type, is_given: true };
        }
        Ok(())
    }
}

fn all_joined(so_far: Option<Vec<DataType>>, types: Vec<DataType>) -> Vec<DataType> {
    match so_far {
        None => types,
        Some(before) => before.iter().zip(&types).map(|(a, b)| joined(a, b)).collect(),
    }
}

impl std::fmt::Debug for CsvReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvReader")
            .field("paths", &self.paths)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
