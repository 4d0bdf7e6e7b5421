//! Reading JSON lines: types from the first rows, chunks decoded in parallel, and again with wider types if those do not fit.

use std::path::PathBuf;
use std::sync::Arc;

use columnade_buffers::Exec;
use columnade_columns::DType;

use super::ENDINGS;
use super::format::{JsonFormat, json_type};
use super::layout::JsonLayout;
use super::shape::Shape;
use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::error::{FileError, check_unique, expand_all};
use crate::io::paths::{FilePaths, FoundFile};
use crate::io::scan::FrameScan;
use crate::io::text::{
    BadRows, Chunks, InPaths, ReportProgress, TextCompression, TextFormat, TextProgress, TextRead, TextScan,
    TextStatistics,
};
use crate::options::default_exec_for;

const OPERATION: &str = "read_json";
/// The bytes of a file after the first that its types are inferred from, about.
const SAMPLE: usize = 1 << 16;

/// A read of files of JSON lines under construction, see [`read_json`].
#[must_use = "nothing is read before read"]
pub struct JsonReader<'a> {
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
    dtypes: Vec<(String, DType)>,
    limit: Option<usize>,
    infer_rows: usize,
    bad_rows: BadRows,
    layout: Option<JsonLayout>,
    hive_partitions: bool,
    compression: Option<TextCompression>,
    chunk_size: Option<usize>,
    exec: Option<Exec>,
    progress: Option<ReportProgress<'a>>,
}

/// Reads a file of JSON lines (also called newline-delimited JSON) or a document of JSON, the files of a folder in the order of their names (`.jsonl`,
/// `.ndjson`, `.json`), or several of them, as one frame.
///
/// Each line is an object, or each item of an array that a file consists of; [`layout`](JsonReader::layout) reads other documents.
/// Its fields are the values of the columns of one row; a field that is missing or `null` is null.
/// Blank lines are skipped. Objects within it become structs, arrays lists. Files whose names end in `.gz` or `.zst` are decompressed. The
/// text is UTF-8. An object that has a name twice is an error.
///
/// The columns are those of all files, and after them those in the names of folders, see
/// [`hive_partitions`](JsonReader::hive_partitions).
///
/// The dtypes are inferred from the first 10 000 rows of the first file and the first 64 KiB of the others: `bool`, `int64`, `float64`, strings, lists and structs of them.
/// Integers from 2⁶³ on make a column `uint64` if none is negative. Where values are of several kinds, or integers that 64 bits do not
/// have together, they are strings: the text of the values. Columns without a
/// value are strings. If a later row does not fit, or has columns or fields that are new, the files are read once more with wider
/// dtypes. Dates and times are strings, unless [`dtype`](JsonReader::dtype) says otherwise; a leap second (`23:59:60`) is no time.
///
/// Chunks of 4 MiB are decoded in parallel.
///
/// ```
/// use columnade::{DType, read_json};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("orders.jsonl");
/// let text = r#"{"id": 7, "day": "2026-01-31", "tags": ["new", "gift"]}
/// {"id": 8, "price": 2.5, "to": {"city": "Oslo"}}
/// "#;
/// std::fs::write(&path, text).unwrap();
///
/// let orders = read_json(&path).dtype("day", DType::Date32).read()?;
/// assert_eq!(orders.columns(), ["id", "day", "tags", "price", "to"]);
/// assert_eq!(orders.column("tags")?.get(0)?.to_string(), "[new, gift]");
/// assert_eq!(orders.column("to")?.get(1)?.to_string(), "{city: Oslo}");
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas and cuDF `read_json`, Polars `read_ndjson` and `read_json`; <https://jsonlines.org>.
pub fn read_json<'a>(paths: impl Into<FilePaths>) -> JsonReader<'a> {
    let FilePaths(paths) = paths.into();
    JsonReader {
        paths,
        columns: None,
        dtypes: Vec::new(),
        limit: None,
        infer_rows: 10_000,
        bad_rows: BadRows::Error,
        layout: None,
        hive_partitions: true,
        compression: None,
        chunk_size: None,
        exec: None,
        progress: None,
    }
}

impl<'a> JsonReader<'a> {
    /// Reads only these columns, in this order. Default: all, in the order in which they are met. A column that no row has is
    /// an error, unless its dtype is given.
    pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns = Some(columns.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the dtype of a column; a value that it does not represent exactly is an error. Supported are booleans, integers,
    /// floats, strings, dates, timestamps with or without a zone, times of day, durations, decimals, unordered dictionaries of strings,
    /// and lists and structs of all of these. Fields that a given struct does not have are left out.
    pub fn dtype(mut self, column: impl Into<String>, dtype: DType) -> Self {
        self.dtypes.push((column.into(), dtype));
        self
    }

    /// Sets how rows lie in the files. Default: a file that begins with `[` is an array of objects
    /// ([`JsonLayout::Records`]), any other one has an object a line. Documents of other layouts are read into memory as a whole,
    /// and as lines once more.
    ///
    /// ```
    /// use columnade::{json::JsonLayout, read_json};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("cities.json");
    /// std::fs::write(&path, r#"{"city": {"0": "Turin", "1": "Oslo"}, "since": {"1": 1048}}"#).unwrap();
    ///
    /// let cities = read_json(&path).layout(JsonLayout::Columns).read()?;
    /// assert_eq!(cities.column("since")?.to_vec::<Option<i64>>()?, [None, Some(1048)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `read_json(orient=…)`.
    pub fn layout(mut self, layout: JsonLayout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// Reads at most this many rows. Default: all. Rows after them may be wrong; dtypes are inferred from them too.
    pub fn limit(mut self, rows: usize) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Sets how many rows of a file dtypes are inferred from. Default: 10 000.
    pub fn infer_rows(mut self, rows: usize) -> Self {
        self.infer_rows = rows;
        self
    }

    /// Sets how the files are compressed, whatever their names. Default: gzip for names that end in `.gz`, Zstandard for `.zst`,
    /// of other files by their first bytes. Bytes that do not decompress are [`FileError::Damaged`](crate::files::FileError).
    ///
    /// ```
    /// use columnade::json::{JsonWriteOptions, TextCompression};
    /// use columnade::{df, read_json};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.2026");
    /// let options = JsonWriteOptions::new().compression(TextCompression::Gzip);
    /// df! { "n" => [1, 2] }?.write_json_with(&path, options)?;
    ///
    /// let orders = read_json(&path).compression(TextCompression::Gzip).read()?;
    /// assert_eq!(orders.len(), 2);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `read_json(compression=…)`.
    pub fn compression(mut self, compression: TextCompression) -> Self {
        self.compression = Some(compression);
        self
    }

    /// Sets what is done with lines that are no rows, or have a value that is none of its column. Default:
    /// [`BadRows::Error`].
    pub fn bad_rows(mut self, bad_rows: BadRows) -> Self {
        self.bad_rows = bad_rows;
        self
    }

    /// Whether files are looked for in folders of a folder that are called `name=value`, and such names in the path below it, or
    /// below a pattern's first wildcard, are columns at the end of the frame: see
    /// [`ParquetReader::hive_partitions`](crate::parquet::ParquetReader::hive_partitions). Default: true.
    pub fn hive_partitions(mut self, hive_partitions: bool) -> Self {
        self.hive_partitions = hive_partitions;
        self
    }

    /// Decodes chunks of about this many bytes.
    #[cfg(test)]
    pub(in crate::io) fn chunk_size(mut self, bytes: usize) -> Self {
        self.chunk_size = Some(bytes);
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
    /// [`Error::File`], naming the file, when it is missing, damaged or not UTF-8, lacks columns, is no document of its layout, or
    /// has a line that is no row or does not fit, with its number, and that of the row of a document; [`Error::Operation`] when memory runs out.
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
            limit: self.limit,
            chunk_size: self.chunk_size,
            exec: &exec,
            report: self.progress.as_ref(),
        };
        let (columns, statistics) = read.run(&mut format)?;
        self.check_there(&format).map_err(|source| Error::file(OPERATION, &files[0], source))?;
        Ok((DataFrame::from_accessor(columns, &exec), statistics))
    }

    /// Reads the rows part by part: an iterator of frames, in the order of the rows, each of about 4 MiB of text. 16 such parts
    /// are decoded at a time. The columns and dtypes are those of the first rows, widened as long as no frame was given; rows
    /// after that which do not fit, or have new columns, are an error that names the column, so ask for columns and give
    /// dtypes that may change. A column that no row has is null. Frames without rows are left out, but for one where there
    /// are no rows at all.
    ///
    /// # Errors
    /// Those of [`read`](Self::read) that the first rows tell; the others come with the frames.
    ///
    /// # Source
    /// pandas `read_json` with `chunksize`, Polars `scan_ndjson`.
    pub fn scan(self) -> Result<FrameScan<'a>> {
        let (exec, files, format) = self.start()?;
        let limits = (self.limit, self.chunk_size);
        let scan = TextScan::new(OPERATION, files, format, limits, exec, self.progress);
        let statistics = scan.statistics();
        Ok(FrameScan::of_text(scan, statistics))
    }

    /// The context, the files, and how they are decoded.
    fn start(&self) -> Result<(Exec, Arc<[PathBuf]>, JsonFormat)> {
        let exec = match &self.exec {
            Some(exec) => exec.clone(),
            None => default_exec_for(OPERATION)?,
        };
        let found = expand_all(OPERATION, &self.paths, &ENDINGS, self.hive_partitions)?;
        let Some(first) = found.first() else {
            return Err(Error::file(OPERATION, "", FileError::NoPath));
        };
        let mut format = self.format(&found).map_err(|source| Error::file(OPERATION, &first.path, source))?;
        for (at, file) in found.iter().enumerate() {
            let sampled = self.sample(at, file, &mut format);
            sampled.map_err(|source| Error::file(OPERATION, &file.path, source))?;
        }
        Ok((exec, found.into_iter().map(|file| file.path).collect(), format))
    }

    /// What was given of the types.
    fn format(&self, found: &[FoundFile]) -> Result<JsonFormat, FileError> {
        let in_paths = Arc::new(InPaths::new(found, &self.dtypes)?);
        let mut given = Vec::new();
        for (name, dtype) in self.dtypes.iter().filter(|(name, _)| in_paths.data_type(name).is_none()) {
            let unsupported =
                || FileError::UnsupportedType { column: name.clone(), data_type: dtype.to_string() };
            given.push((name.clone(), json_type(dtype).ok_or_else(unsupported)?));
        }
        if let Some(columns) = &self.columns {
            check_unique(columns)?;
        }
        let shape = Shape::Struct(Vec::new());
        let columns = self.columns.clone();
        let files = found.iter().map(|file| file.path.clone()).collect();
        let (layout, bad_rows, compression) = (self.layout, self.bad_rows, self.compression);
        Ok(JsonFormat { columns, given, in_paths, bad_rows, shape, layout, files, compression })
    }

    /// Takes in the types of the first rows of a file.
    fn sample(&self, at: usize, file: &FoundFile, format: &mut JsonFormat) -> Result<(), FileError> {
        let mut chunks = Chunks::open_as(&file.path, self.compression, format.encoding(), None, |text| {
            format.lines(text)
        })?;
        if at > 0 {
            chunks = chunks.of_size(SAMPLE);
        }
        if let Some(mut chunk) = chunks.next()? {
            format.start(at, &mut chunk)?;
            format.infer(&chunk, self.infer_rows);
        }
        Ok(())
    }

    /// Refuses columns that were asked for and that no row has.
    fn check_there(&self, format: &JsonFormat) -> Result<(), FileError> {
        let Shape::Struct(found) = &format.shape else { return Ok(()) };
        let is_known = |name: &String| {
            found.iter().any(|(field, _)| field == name)
                || format.in_paths.data_type(name).is_some()
                || self.dtypes.iter().any(|(given, _)| given == name)
        };
        let missing: Vec<_> =
            self.columns.iter().flatten().filter(|name| !is_known(name)).map(Into::into).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(FileError::MissingColumns {
            missing,
            available: found.iter().map(|(name, _)| name.clone()).collect(),
        })
    }
}

impl std::fmt::Debug for JsonReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JsonReader")
            .field("paths", &self.paths)
            .field("columns", &self.columns)
            .field("dtypes", &self.dtypes)
            .finish_non_exhaustive()
    }
}
