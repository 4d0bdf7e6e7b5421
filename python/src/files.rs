//! Reading and writing files.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;

use columnade::csv::{BadRows, CsvWriteOptions};
use columnade::files::FrameScan;
use columnade::ipc::{IpcCompression, IpcFormat, IpcWriteOptions};
use columnade::json::{JsonLayout, JsonReader, JsonWriteOptions};
use columnade::parquet::{Compression, ParquetReader, ParquetWriteOptions};
use columnade::{Error, ErrorKind, Exec, Expr as InnerExpr, TimeUnit};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::dtype::dtype_of;
use crate::expr::Expr;
use crate::frame::DataFrame;
use crate::progress::Progress;
use crate::scan::Scan;
use crate::work::{argument, batch_rows_of, device_of, work, work_as};

/// One path or several.
pub(crate) fn paths_of(paths: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if paths.is_instance_of::<PyList>() || paths.is_instance_of::<PyTuple>() {
        return paths.extract();
    }
    Ok(vec![paths.extract()?])
}

pub(crate) fn exec_of(py: Python<'_>, operation: &str, device: Option<&str>) -> PyResult<Exec> {
    let Some(name) = device else { return work(py, columnade::default_exec) };
    let device = device_of(py, operation, name)?;
    work(py, || Ok(Exec::new(device)?))
}

/// Dtypes by the name of a column.
pub(crate) fn dtypes_of(
    operation: &'static str,
    dtypes: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<(String, columnade::DType)>> {
    let pair = |(name, dtype): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        Ok((name.extract::<String>()?, dtype_of(operation, &dtype)?))
    };
    dtypes.into_iter().flatten().map(pair).collect()
}

pub(crate) fn byte_of(py: Python<'_>, operation: &str, name: &str, text: &str) -> PyResult<u8> {
    match text.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(argument(py, ErrorKind::Value, operation, &format!("{name} is one ASCII character"))),
    }
}

/// A unit of times by its name.
fn unit_of(py: Python<'_>, operation: &str, unit: Option<&str>) -> PyResult<Option<TimeUnit>> {
    let Some(name) = unit else { return Ok(None) };
    let unit = TimeUnit::ALL.into_iter().find(|unit| unit.to_string() == name);
    let refused = || argument(py, ErrorKind::Value, operation, "int96_unit is s, ms, us or ns");
    unit.map(Some).ok_or_else(refused)
}

/// What a read of Parquet files is asked for.
struct Parquet {
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
    filter: Option<InnerExpr>,
    dictionary: Option<Dictionary>,
    rows: Option<(usize, usize)>,
    hive_partitions: bool,
    int96_unit: Option<TimeUnit>,
    exec: Exec,
}

/// Which string columns are read as dictionaries.
#[derive(FromPyObject)]
pub(crate) enum Dictionary {
    /// Those that the files keep so, or none.
    OfFiles(bool),
    Named(Vec<String>),
}

impl Parquet {
    fn reader(self) -> ParquetReader<'static> {
        let mut reader =
            columnade::read_parquet(self.paths).exec(&self.exec).hive_partitions(self.hive_partitions);
        if let Some(columns) = self.columns {
            reader = reader.columns(columns);
        }
        reader = match self.dictionary {
            None => reader,
            Some(Dictionary::OfFiles(wanted)) => reader.dictionaries(wanted),
            Some(Dictionary::Named(columns)) => reader.dictionary(columns),
        };
        if let Some(filter) = self.filter {
            reader = reader.filter(filter);
        }
        if let Some((start, end)) = self.rows {
            reader = reader.rows(start..end);
        }
        if let Some(unit) = self.int96_unit {
            reader = reader.int96_unit(unit);
        }
        reader
    }
}

/// Reads Parquet files: one, several, those of a folder or of a pattern. Row groups, pages and files that no row of `filter`
/// can be in are not read. `rows` is the first row and the one after the last; folders `name=value` give columns. `dictionary`
/// has the string columns that are read as dictionaries; with True they are those that the files keep in dictionaries alone.
/// `progress=True` writes a line to `sys.stderr`; a function is called with the bytes that are done and all bytes. `int96_unit`
/// is the unit of timestamps of 96 bits, as Spark writes them: "s", "ms", "us", which is the default, or "ns".
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, filter = None, dictionary = None, rows = None, hive_partitions = true, device = None,
    progress = None, int96_unit = None
))]
pub(crate) fn read_parquet(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    filter: Option<&Expr>,
    dictionary: Option<Dictionary>,
    rows: Option<(usize, usize)>,
    hive_partitions: bool,
    device: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    int96_unit: Option<&str>,
) -> PyResult<DataFrame> {
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let exec = exec_of(py, "read_parquet", device)?;
    let filter = filter.map(|filter| filter.0.clone());
    let int96_unit = unit_of(py, "read_parquet", int96_unit)?;
    let asked = Parquet { paths, columns, filter, dictionary, rows, hive_partitions, int96_unit, exec };
    let progress = Progress::of("read_parquet", progress)?;
    let read = work(py, || match &progress {
        Some(progress) => asked.reader().progress(|now| progress.reached(now.bytes_done, now.bytes)).read(),
        None => asked.reader().read(),
    });
    progress.map_or(Ok(()), |progress| progress.finish(py))?;
    read.map(DataFrame)
}

/// The keys and values in the metadata of a Parquet file; of several files, of a folder or of a pattern those of the first.
#[pyfunction]
pub(crate) fn read_parquet_metadata(paths: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let (py, paths) = (paths.py(), paths_of(paths)?);
    work_as(py, "read_parquet_metadata", || columnade::read_parquet(paths).key_value_metadata())
}

/// The rows of Parquet files part by part: an iterator of frames of at most `batch_rows` rows, for files that are larger than
/// memory. One frame is decoded ahead. `progress` is that of `read_parquet`, told with each frame.
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, filter = None, dictionary = None, rows = None, hive_partitions = true, batch_rows = None,
    device = None, int96_unit = None, progress = None
))]
pub(crate) fn scan_parquet(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    filter: Option<&Expr>,
    dictionary: Option<Dictionary>,
    rows: Option<(usize, usize)>,
    hive_partitions: bool,
    batch_rows: Option<i64>,
    device: Option<&str>,
    int96_unit: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Scan> {
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let exec = exec_of(py, "scan_parquet", device)?;
    let batch_rows = batch_rows_of(py, "scan_parquet", batch_rows)?;
    let filter = filter.map(|filter| filter.0.clone());
    let int96_unit = unit_of(py, "scan_parquet", int96_unit)?;
    let asked = Parquet { paths, columns, filter, dictionary, rows, hive_partitions, int96_unit, exec };
    Scan::start(py, "scan_parquet", progress, move |bytes| {
        let reader = asked.reader();
        let scan = match bytes {
            Some(bytes) => reader.progress(move |now| bytes.at(now.bytes_done, now.bytes)).scan()?,
            None => reader.scan()?,
        };
        Ok(match batch_rows {
            Some(rows) => scan.batch_rows(rows),
            None => scan,
        })
    })
}

pub(crate) fn bad_rows_of(skip: bool) -> BadRows {
    if skip { BadRows::Skip } else { BadRows::Error }
}

/// A `UserWarning` with the number of rows that were left out, as of pandas with `on_bad_lines="warn"`.
pub(crate) fn warn_of_skipped(py: Python<'_>, operation: &str, rows: u64) -> PyResult<()> {
    if rows == 0 {
        return Ok(());
    }
    let are = if rows == 1 { "row that does not fit was" } else { "rows that do not fit were" };
    let text = CString::new(format!("{operation}: {rows} {are} skipped"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

pub(crate) fn in_batches(
    scan: FrameScan<'static>,
    batch_rows: Option<usize>,
) -> Result<FrameScan<'static>, Error> {
    Ok(match batch_rows {
        Some(rows) => scan.batch_rows(rows),
        None => scan,
    })
}

/// Reads files of JSON: one, several, or those of a folder. A file that begins with `[` is an array of objects, any other one has an
/// object a line; `orient` names another layout: "lines", "records", "index", "columns" or "split". Dtypes are inferred from the first `infer_rows` rows;
/// `dtypes` says those of columns by name. `progress` is that of `read_parquet`.
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, dtypes = None, limit = None, infer_rows = None, skip_bad_rows = false, device = None,
    progress = None, hive_partitions = true, orient = None
))]
pub(crate) fn read_json(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    dtypes: Option<&Bound<'_, PyDict>>,
    limit: Option<usize>,
    infer_rows: Option<usize>,
    skip_bad_rows: bool,
    device: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    hive_partitions: bool,
    orient: Option<&str>,
) -> PyResult<DataFrame> {
    const OPERATION: &str = "read_json";
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let layout = orient.map(|orient| layout_of(py, OPERATION, orient)).transpose()?;
    let exec = exec_of(py, OPERATION, device)?;
    let dtypes = dtypes_of(OPERATION, dtypes)?;
    let bad_rows = bad_rows_of(skip_bad_rows);
    let asked = Json { paths, columns, dtypes, limit, infer_rows, bad_rows, hive_partitions, layout, exec };
    let progress = Progress::of(OPERATION, progress)?;
    let read = work(py, || match &progress {
        Some(progress) => {
            asked.reader().progress(|now| progress.reached(now.bytes_done, now.bytes)).read_with_statistics()
        }
        None => asked.reader().read_with_statistics(),
    });
    progress.map_or(Ok(()), |progress| progress.finish(py))?;
    let (frame, statistics) = read?;
    warn_of_skipped(py, OPERATION, statistics.rows_skipped)?;
    Ok(DataFrame(frame))
}

/// The rows of files of JSON lines part by part: an iterator of frames of at most `batch_rows` rows. One frame is decoded
/// ahead.
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, dtypes = None, limit = None, infer_rows = None, skip_bad_rows = false, batch_rows = None,
    device = None, hive_partitions = true, orient = None, progress = None
))]
pub(crate) fn scan_json(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    dtypes: Option<&Bound<'_, PyDict>>,
    limit: Option<usize>,
    infer_rows: Option<usize>,
    skip_bad_rows: bool,
    batch_rows: Option<i64>,
    device: Option<&str>,
    hive_partitions: bool,
    orient: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Scan> {
    const OPERATION: &str = "scan_json";
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let layout = orient.map(|orient| layout_of(py, OPERATION, orient)).transpose()?;
    let exec = exec_of(py, OPERATION, device)?;
    let dtypes = dtypes_of(OPERATION, dtypes)?;
    let bad_rows = bad_rows_of(skip_bad_rows);
    let asked = Json { paths, columns, dtypes, limit, infer_rows, bad_rows, hive_partitions, layout, exec };
    let batch_rows = batch_rows_of(py, OPERATION, batch_rows)?;
    Scan::start(py, OPERATION, progress, move |bytes| {
        let reader = asked.reader();
        let scan = match bytes {
            Some(bytes) => reader.progress(move |now| bytes.at(now.bytes_done, now.bytes)).scan()?,
            None => reader.scan()?,
        };
        in_batches(scan, batch_rows)
    })
}

/// What a read of JSON lines is asked for.
struct Json {
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
    dtypes: Vec<(String, columnade::DType)>,
    limit: Option<usize>,
    infer_rows: Option<usize>,
    bad_rows: BadRows,
    hive_partitions: bool,
    layout: Option<JsonLayout>,
    exec: Exec,
}

fn layout_of(py: Python<'_>, operation: &'static str, orient: &str) -> PyResult<JsonLayout> {
    let found = JsonLayout::ALL.into_iter().find(|layout| layout.name() == orient);
    found.ok_or_else(|| {
        let names = JsonLayout::ALL.map(|layout| format!("{:?}", layout.name())).join(", ");
        argument(py, ErrorKind::Value, operation, &format!("orient is {orient:?}, and not one of {names}"))
    })
}

impl Json {
    fn reader(self) -> JsonReader<'static> {
        let mut reader = columnade::read_json(self.paths)
            .exec(&self.exec)
            .bad_rows(self.bad_rows)
            .hive_partitions(self.hive_partitions);
        if let Some(columns) = self.columns {
            reader = reader.columns(columns);
        }
        if let Some(rows) = self.limit {
            reader = reader.limit(rows);
        }
        if let Some(rows) = self.infer_rows {
            reader = reader.infer_rows(rows);
        }
        if let Some(layout) = self.layout {
            reader = reader.layout(layout);
        }
        for (name, dtype) in self.dtypes {
            reader = reader.dtype(name, dtype);
        }
        reader
    }
}

/// The rows of Arrow IPC files part by part: an iterator of frames, one for each batch of a file or, with `batch_rows`, of at
/// most so many rows. One frame is decoded ahead.
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, batch_rows = None, device = None, hive_partitions = true, memory_map = false, progress = None
))]
pub(crate) fn scan_ipc(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    batch_rows: Option<i64>,
    device: Option<&str>,
    hive_partitions: bool,
    memory_map: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Scan> {
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let exec = exec_of(py, "scan_ipc", device)?;
    let batch_rows = batch_rows_of(py, "scan_ipc", batch_rows)?;
    Scan::start(py, "scan_ipc", progress, move |bytes| {
        let mut reader = columnade::read_ipc(paths).exec(&exec);
        reader = reader.hive_partitions(hive_partitions).memory_map(memory_map);
        if let Some(columns) = columns {
            reader = reader.columns(columns);
        }
        if let Some(bytes) = bytes {
            reader = reader.progress(move |now| bytes.at(now.bytes_done, now.bytes));
        }
        in_batches(reader.scan()?, batch_rows)
    })
}

/// Reads Arrow IPC files, which are also Feather version 2: one, several, or those of a folder. With `memory_map`, columns on
/// the host lie in the file where they can; a file that is truncated then ends the process that looks at what is gone.
/// `progress=True` writes a line to `sys.stderr`; a function is called with the bytes that are done and all bytes.
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, device = None, hive_partitions = true, memory_map = false, progress = None
))]
pub(crate) fn read_ipc(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    device: Option<&str>,
    hive_partitions: bool,
    memory_map: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<DataFrame> {
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let exec = exec_of(py, "read_ipc", device)?;
    let progress = Progress::of("read_ipc", progress)?;
    let read = work(py, || {
        let mut reader = columnade::read_ipc(paths).exec(&exec);
        reader = reader.hive_partitions(hive_partitions).memory_map(memory_map);
        if let Some(columns) = columns {
            reader = reader.columns(columns);
        }
        match &progress {
            Some(progress) => reader.progress(|now| progress.reached(now.bytes_done, now.bytes)).read(),
            None => reader.read(),
        }
    });
    progress.map_or(Ok(()), |progress| progress.finish(py))?;
    read.map(DataFrame)
}

pub(crate) fn parquet_options(
    py: Python<'_>,
    operation: &str,
    compression: &str,
    row_group_rows: Option<usize>,
    bloom_filters: Option<Vec<String>>,
    page_rows: Option<usize>,
    plain_columns: Option<Vec<String>>,
    metadata: Option<&Bound<'_, PyDict>>,
) -> PyResult<ParquetWriteOptions> {
    let compression = match compression {
        "snappy" => Compression::Snappy,
        "zstd" => Compression::Zstd,
        "gzip" => Compression::Gzip,
        "lz4" => Compression::Lz4,
        "brotli" => Compression::Brotli,
        "none" => Compression::None,
        _ => {
            let reason = "compression is snappy, zstd, gzip, lz4, brotli or none";
            return Err(argument(py, ErrorKind::Value, operation, reason));
        }
    };
    for (name, rows) in [("row_group_rows", row_group_rows), ("page_rows", page_rows)] {
        if rows == Some(0) {
            let reason = format!("{name} is at least 1, and not 0");
            return Err(argument(py, ErrorKind::Value, operation, &reason));
        }
    }
    let mut options = ParquetWriteOptions::new().compression(compression);
    if let Some(rows) = row_group_rows {
        options = options.row_group_rows(rows);
    }
    for column in bloom_filters.into_iter().flatten() {
        options = options.bloom_filter(column);
    }
    if let Some(rows) = page_rows {
        options = options.page_rows(rows);
    }
    for column in plain_columns.into_iter().flatten() {
        options = options.plain_column(column);
    }
    for (key, value) in metadata.into_iter().flatten() {
        options = options.key_value(key.extract::<String>()?, value.extract::<String>()?);
    }
    Ok(options)
}

pub(crate) fn csv_options(
    py: Python<'_>,
    operation: &str,
    delimiter: &str,
    has_header: bool,
    null: Option<String>,
    quote_empty: bool,
) -> PyResult<CsvWriteOptions> {
    let delimiter = byte_of(py, operation, "delimiter", delimiter)?;
    let options = CsvWriteOptions::new().delimiter(delimiter).has_header(has_header).quote_empty(quote_empty);
    Ok(match null {
        Some(null) => options.null(null),
        None => options,
    })
}

pub(crate) fn json_options(
    py: Python<'_>,
    operation: &'static str,
    skip_nulls: bool,
    orient: &str,
) -> PyResult<JsonWriteOptions> {
    Ok(JsonWriteOptions::new().skip_nulls(skip_nulls).layout(layout_of(py, operation, orient)?))
}

pub(crate) fn ipc_options(
    py: Python<'_>,
    operation: &str,
    compression: &str,
    batch_rows: Option<i64>,
    format: &str,
) -> PyResult<IpcWriteOptions> {
    let compression = match compression {
        "none" => IpcCompression::None,
        "lz4" => IpcCompression::Lz4,
        "zstd" => IpcCompression::Zstd,
        _ => return Err(argument(py, ErrorKind::Value, operation, "compression is none, lz4 or zstd")),
    };
    let format = match format {
        "file" => IpcFormat::File,
        "stream" => IpcFormat::Stream,
        _ => return Err(argument(py, ErrorKind::Value, operation, "format is file or stream")),
    };
    let options = IpcWriteOptions::new().compression(compression).format(format);
    Ok(match batch_rows_of(py, operation, batch_rows)? {
        Some(rows) => options.batch_rows(rows),
        None => options,
    })
}

#[pymethods]
impl DataFrame {
    /// Writes a Parquet file; `compression` is "snappy", "zstd", "gzip", "lz4", "brotli" or "none". Columns in
    /// `bloom_filters` get filters, by which readers skip row groups. `row_group_rows` and `page_rows` are the most rows of a row
    /// group and of a page, which have statistics; `plain_columns` are written without dictionaries. `metadata` has keys and
    /// values for the metadata of the file.
    #[pyo3(signature = (
        path, compression = "snappy", row_group_rows = None, bloom_filters = None, page_rows = None, plain_columns = None,
        metadata = None
    ))]
    fn write_parquet(
        &self,
        py: Python<'_>,
        path: PathBuf,
        compression: &str,
        row_group_rows: Option<usize>,
        bloom_filters: Option<Vec<String>>,
        page_rows: Option<usize>,
        plain_columns: Option<Vec<String>>,
        metadata: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let options = parquet_options(
            py,
            "write_parquet",
            compression,
            row_group_rows,
            bloom_filters,
            page_rows,
            plain_columns,
            metadata,
        )?;
        work(py, || self.0.write_parquet_with(path, &options))
    }

    /// Writes a folder of Parquet files with a folder `label=value` for each value of the columns `by`, which
    /// `read_parquet` reads again. The folder does not exist yet, or is empty.
    #[pyo3(signature = (
        folder, by, compression = "snappy", row_group_rows = None, bloom_filters = None, page_rows = None,
        plain_columns = None, metadata = None
    ))]
    fn write_dataset(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        by: Vec<String>,
        compression: &str,
        row_group_rows: Option<usize>,
        bloom_filters: Option<Vec<String>>,
        page_rows: Option<usize>,
        plain_columns: Option<Vec<String>>,
        metadata: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let options = parquet_options(
            py,
            "write_dataset",
            compression,
            row_group_rows,
            bloom_filters,
            page_rows,
            plain_columns,
            metadata,
        )?;
        work(py, || self.0.write_dataset_with(folder, by, &options))
    }

    /// Writes a CSV file. Empty strings are written as `""`, and with `quote_empty=False` as nulls are. `progress` is that of
    /// `read_parquet`, with rows in place of bytes.
    #[pyo3(signature = (path, delimiter = ",", has_header = true, null = None, progress = None, quote_empty = true))]
    fn write_csv(
        &self,
        py: Python<'_>,
        path: PathBuf,
        delimiter: &str,
        has_header: bool,
        null: Option<String>,
        progress: Option<&Bound<'_, PyAny>>,
        quote_empty: bool,
    ) -> PyResult<()> {
        let progress = Progress::of("write_csv", progress)?.map(|progress| Arc::new(progress.of_rows()));
        let mut options = csv_options(py, "write_csv", delimiter, has_header, null, quote_empty)?;
        if let Some(progress) = &progress {
            let progress = Arc::clone(progress);
            options = options.progress(move |now| progress.reached(now.rows_done as u64, now.rows as u64));
        }
        let written = work(py, || self.0.write_csv_with(path, &options));
        progress.map_or(Ok(()), |progress| progress.finish(py))?;
        written
    }

    /// Writes JSON lines, an object for each row, or with `orient` a document: "records", "index", "columns" or "split";
    /// `skip_nulls` leaves fields that are null out.
    #[pyo3(signature = (path, skip_nulls = false, orient = "lines"))]
    fn write_json(&self, py: Python<'_>, path: PathBuf, skip_nulls: bool, orient: &str) -> PyResult<()> {
        let options = json_options(py, "write_json", skip_nulls, orient)?;
        work(py, || self.0.write_json_with(path, options))
    }

    /// Writes an Arrow IPC file, which is also Feather version 2; `compression` is "none", "lz4" or "zstd".
    /// `format="stream"` writes the form that is read from its beginning.
    #[pyo3(signature = (path, compression = "none", batch_rows = None, format = "file"))]
    fn write_ipc(
        &self,
        py: Python<'_>,
        path: PathBuf,
        compression: &str,
        batch_rows: Option<i64>,
        format: &str,
    ) -> PyResult<()> {
        let options = ipc_options(py, "write_ipc", compression, batch_rows, format)?;
        work(py, || self.0.write_ipc_with(path, options))
    }
}
