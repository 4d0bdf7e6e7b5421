//! Reading CSV: types from the first rows, chunks decoded in parallel, and again with wider types if those do not fit.

use std::path::PathBuf;
use std::sync::Arc;

use columnade_buffers::Exec;
use columnade_columns::DType;
use regex::Regex;

use super::files::CsvFiles;
use super::{DuplicateNames, ENDINGS, Options};
use crate::dataframe::DataFrame;
use crate::error::{InOperation, Result};
use crate::io::error::expand_all;
use crate::io::paths::FilePaths;
use crate::io::scan::FrameScan;
use crate::io::text::{
    BadRows, EncodingErrors, ReportProgress, TextCompression, TextProgress, TextRead, TextScan,
    TextStatistics,
};
use crate::options::default_exec_for;

const OPERATION: &str = "read_csv";

/// A read of CSV files under construction, see [`read_csv`].
#[must_use = "nothing is read before read"]
pub struct CsvReader<'a> {
    paths: Vec<PathBuf>,
    options: Options,
    exec: Option<Exec>,
    progress: Option<ReportProgress<'a>>,
}

/// Reads a CSV file, the files of a folder in the order of their names (`.csv`, `.csv.gz`, `.csv.zst`), those that match a
/// pattern, or several of them, as one frame: see [`FilePaths`].
///
/// Fields are separated by commas and may be quoted with `"`; within quotes, two quotes stand for one. The first row has the
/// names of the columns. Empty lines are skipped. Empty fields are null; quoted ones (`""`) are so too, but in columns of strings
/// they are empty strings, see [`empty_is_null`](CsvReader::empty_is_null). Files whose names end in `.gz` or `.zst` are
/// decompressed. The text is UTF-8, see [`encoding`](CsvReader::encoding).
///
/// The columns are those of all files, by their names, in the order in which they are met, and then those in the names of folders,
/// see [`hive_partitions`](CsvReader::hive_partitions). A column that a file lacks is null in its rows. Files without names have
/// the same number of columns.
///
/// The dtypes are inferred from the first 10 000 rows of the first file and the first 64 KiB of the others: `bool` (`true`, `false`), `int64`, `float64`, `date32`
/// (`2026-01-31`), `timestamp[us]` (ISO 8601, seconds may be left out, `timestamp[ns]` if there are more than six digits after the second), or
/// strings. Blanks around numbers, dates and times are no part of them. If a later row does not fit, the files are read once more with a wider dtype; no value is changed to fit. Columns
/// without a value are strings. Integers from 2⁶³ on make a column `uint64` if none is negative; others that 64 bits do not
/// represent make one of strings. If all timestamps of a column have an offset from UTC (`+02:00`, `Z`), it is `timestamp[us, UTC]`, or
/// of `ns`; if only some have one, they are strings, for local times are not comparable with instants. A time within a leap second
/// (`23:59:60`), which no dtype has, is a string, and an error where the dtype is given.
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
    /// floats, strings, dates, timestamps with or without a zone, times of day, durations, decimals, and unordered dictionaries of strings.
    /// Timestamps of a zone have an offset from UTC, or else are local times of the zone, which clocks show once. Timestamps without
    /// a zone that have an offset are converted to UTC.
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

    /// Sets the texts that stand for null, quoted or not, in addition to empty fields. Default: none. If the empty text is among
    /// them, empty fields that are quoted are null too.
    pub fn null_values<S: AsRef<str>>(mut self, texts: impl IntoIterator<Item = S>) -> Self {
        let texts: Vec<String> = texts.into_iter().map(|text| regex::escape(text.as_ref())).collect();
        self.options.has_empty_null = texts.iter().any(String::is_empty);
        // Escaped texts are a valid pattern, unless they are too many: then the library's limit speaks at the first row.
        self.options.nulls = Regex::new(&format!(r"\A(?:|{})\z", texts.join("|"))).ok();
        self
    }

    /// Whether an empty field without quotes is null in columns of strings. Default: true. If not, it is an empty string as `""`
    /// is, so that only [`null_values`](Self::null_values) are null. In columns of other dtypes empty fields are null in any case.
    ///
    /// ```
    /// use columnade::read_csv;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.csv");
    /// std::fs::write(&path, "note,price\n,2.5\n\"\",\n").unwrap();
    ///
    /// let orders = read_csv(&path).read()?;
    /// assert_eq!(orders.column("note")?.to_vec::<Option<String>>()?, [None, Some(String::new())]);
    /// let orders = read_csv(&path).empty_is_null(false).read()?;
    /// assert_eq!(orders.column("note")?.null_count()?, 0);
    /// assert_eq!(orders.column("price")?.null_count()?, 1);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// Polars `read_csv(empty_string_is_null=…)`.
    pub fn empty_is_null(mut self, empty_is_null: bool) -> Self {
        self.options.empty_is_null = empty_is_null;
        self
    }

    /// Skips this many lines before the header. Default: 0.
    pub fn skip_rows(mut self, lines: usize) -> Self {
        self.options.skip_rows = lines;
        self
    }

    /// Reads at most this many rows. Default: all. Rows after them may be wrong; dtypes are inferred from them too.
    pub fn limit(mut self, rows: usize) -> Self {
        self.options.limit = Some(rows);
        self
    }

    /// Sets how many rows of a file dtypes are inferred from. Default: 10 000.
    pub fn infer_rows(mut self, rows: usize) -> Self {
        self.options.infer_rows = rows;
        self
    }

    /// Sets how the files are compressed, whatever their names. Default: gzip for names that end in `.gz`, Zstandard for `.zst`,
    /// of other files by their first bytes. Bytes that do not decompress are [`FileError::Damaged`](crate::files::FileError).
    ///
    /// ```
    /// use columnade::csv::{CsvWriteOptions, TextCompression};
    /// use columnade::{df, read_csv};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.2026");
    /// let options = CsvWriteOptions::new().compression(TextCompression::Gzip);
    /// df! { "n" => [1, 2] }?.write_csv_with(&path, &options)?;
    ///
    /// let orders = read_csv(&path).compression(TextCompression::Gzip).read()?;
    /// assert_eq!(orders.len(), 2);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `read_csv(compression=…)`.
    pub fn compression(mut self, compression: TextCompression) -> Self {
        self.options.compression = Some(compression);
        self
    }

    /// Sets the character encoding of the files by a label of the [WHATWG Encoding Standard](https://encoding.spec.whatwg.org),
    /// such as `latin1` (which the standard takes for `windows-1252`), `utf-16` or `shift_jis`. Default: UTF-8, or UTF-16 for
    /// files that begin with its byte order mark. A mark at the beginning of a file comes before this option. Bytes that are no
    /// character are [`FileError::Malformed`](crate::files::FileError), unless [`encoding_errors`](Self::encoding_errors) says
    /// otherwise.
    ///
    /// ```
    /// use columnade::read_csv;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.csv");
    /// std::fs::write(&path, b"item\ncaf\xe9\n").unwrap();
    ///
    /// assert!(read_csv(&path).read().is_err());
    /// let orders = read_csv(&path).encoding("latin1").read()?;
    /// assert_eq!(orders.column("item")?.to_vec::<String>()?, ["café"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `read_csv(encoding=…)`.
    pub fn encoding(mut self, label: impl Into<String>) -> Self {
        self.options.encoding = Some(label.into());
        self
    }

    /// Sets what is done with bytes that are no character of the encoding, of UTF-8 too. Default: [`EncodingErrors::Error`].
    ///
    /// ```
    /// use columnade::csv::EncodingErrors;
    /// use columnade::read_csv;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.csv");
    /// std::fs::write(&path, b"item\ncaf\xe9\n").unwrap();
    ///
    /// let orders = read_csv(&path).encoding_errors(EncodingErrors::Replace).read()?;
    /// assert_eq!(orders.column("item")?.to_vec::<String>()?, ["caf\u{fffd}"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `read_csv(encoding_errors=…)`, Polars `read_csv(encoding="utf8-lossy")`.
    pub fn encoding_errors(mut self, errors: EncodingErrors) -> Self {
        self.options.encoding_errors = errors;
        self
    }

    /// Sets what is done with malformed rows. Default: [`BadRows::Error`].
    pub fn bad_rows(mut self, bad_rows: BadRows) -> Self {
        self.options.bad_rows = bad_rows;
        self
    }

    /// Whether a row of fewer fields than the header is a row whose last fields are empty, and so null. Otherwise it is malformed, as
    /// a row of more fields is in any case. Default: false.
    ///
    /// ```
    /// use columnade::read_csv;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.csv");
    /// std::fs::write(&path, "id,item,note\n1,tea\n2,rye,late\n").unwrap();
    ///
    /// assert!(read_csv(&path).read().is_err());
    /// let orders = read_csv(&path).pad_short_rows(true).read()?;
    /// assert_eq!(orders.column("note")?.to_options::<String>()?, [None, Some("late".into())]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas and Polars read such rows so.
    pub fn pad_short_rows(mut self, pad: bool) -> Self {
        self.options.pads_short_rows = pad;
        self
    }

    /// Sets what is done with a name that the header has more than once. Default: [`DuplicateNames::Error`]. Names that are
    /// [given](Self::names) come once in any case.
    pub fn duplicate_names(mut self, duplicate_names: DuplicateNames) -> Self {
        self.options.duplicate_names = duplicate_names;
        self
    }

    /// Whether files are looked for in folders of a folder that are called `name=value`, and such names in the path below it, or
    /// below a pattern's first wildcard, are columns at the end of the frame: see
    /// [`ParquetReader::hive_partitions`](crate::parquet::ParquetReader::hive_partitions). Default: true.
    pub fn hive_partitions(mut self, hive_partitions: bool) -> Self {
        self.options.hive_partitions = hive_partitions;
        self
    }

    /// Decodes chunks of about this many bytes.
    #[cfg(test)]
    pub(in crate::io) fn chunk_size(mut self, bytes: usize) -> Self {
        self.options.chunk_size = Some(bytes);
        self
    }

    /// Reads to the device of `exec`. Default: the thread's default device.
    pub fn exec(mut self, exec: &Exec) -> Self {
        self.exec = Some(exec.clone());
        self
    }

    /// Calls `report` from time to time.
    pub fn progress(mut self, report: impl Fn(TextProgress) + Send + Sync + 'a) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Reads the frame.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File), naming the file, when it is missing, empty, damaged or not UTF-8, no file has a column
    /// that was asked for, or a row does not fit, with its line; [`Error::Operation`](crate::Error::Operation) when memory runs
    /// out.
    pub fn read(self) -> Result<DataFrame> {
        self.read_with_statistics().map(|(frame, _)| frame)
    }

    /// Reads the frame, and returns statistics of the read.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    pub fn read_with_statistics(self) -> Result<(DataFrame, TextStatistics)> {
        let (exec, files, mut format) = self.start()?;
        let read = TextRead {
            operation: OPERATION,
            files: &files,
            limit: self.options.limit,
            chunk_size: self.options.chunk_size,
            exec: &exec,
            report: self.progress.as_ref(),
        };
        let (columns, statistics) = read.run(&mut format)?;
        Ok((DataFrame::from_accessor(columns, &exec), statistics))
    }

    /// Reads the rows part by part: an iterator of frames, in the order of the rows, each of about 4 MiB of text. 16 such parts
    /// are decoded at a time. The dtypes are those of the first rows, widened as long as no frame was given; rows after that
    /// which do not fit are an error that names the column, so give the dtypes of columns that may change. Frames without
    /// rows are left out, but for one where there are no rows at all.
    ///
    /// # Errors
    /// Those of [`read`](Self::read) that the first rows tell; the others come with the frames.
    ///
    /// # Source
    /// pandas `read_csv` with `chunksize`, Polars `scan_csv`.
    pub fn scan(self) -> Result<FrameScan<'a>> {
        let (exec, files, format) = self.start()?;
        let limits = (self.options.limit, self.options.chunk_size);
        let scan = TextScan::new(OPERATION, files, format, limits, exec, self.progress);
        let statistics = scan.statistics();
        Ok(FrameScan::of_text(scan, statistics))
    }

    /// The context, the files, and how they are decoded.
    fn start(&self) -> Result<(Exec, Arc<[PathBuf]>, CsvFiles)> {
        let exec = match &self.exec {
            Some(exec) => exec.clone(),
            None => default_exec_for(OPERATION)?,
        };
        self.options.check().operation(OPERATION)?;
        let found = expand_all(OPERATION, &self.paths, &ENDINGS, self.options.hive_partitions)?;
        let format = CsvFiles::plan(OPERATION, &self.options, &found)?;
        Ok((exec, found.into_iter().map(|file| file.path).collect(), format))
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
