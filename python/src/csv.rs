//! Reading CSV files.

use std::path::PathBuf;

use columnade::csv::{BadRows, CsvReader, DuplicateNames, EncodingErrors};
use columnade::{ErrorKind, Exec};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::files::{bad_rows_of, byte_of, dtypes_of, exec_of, in_batches, paths_of, warn_of_skipped};
use crate::frame::DataFrame;
use crate::progress::Progress;
use crate::scan::Scan;
use crate::work::{argument, batch_rows_of, work};

/// What a read of CSV files is asked for.
#[expect(clippy::struct_excessive_bools, reason = "each is an argument of Python")]
struct Csv {
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
    dtypes: Vec<(String, columnade::DType)>,
    has_header: bool,
    names: Option<Vec<String>>,
    delimiter: u8,
    quote: Option<u8>,
    escape: Option<u8>,
    null_values: Option<Vec<String>>,
    empty_is_null: bool,
    skip_rows: usize,
    limit: Option<usize>,
    infer_rows: Option<usize>,
    bad_rows: BadRows,
    pad_short_rows: bool,
    hive_partitions: bool,
    duplicate_names: DuplicateNames,
    encoding: Option<String>,
    encoding_errors: EncodingErrors,
    exec: Exec,
}

impl Csv {
    fn reader(self) -> CsvReader<'static> {
        let mut reader = columnade::read_csv(self.paths)
            .exec(&self.exec)
            .has_header(self.has_header)
            .delimiter(self.delimiter)
            .quote(self.quote)
            .empty_is_null(self.empty_is_null)
            .skip_rows(self.skip_rows)
            .bad_rows(self.bad_rows)
            .pad_short_rows(self.pad_short_rows)
            .duplicate_names(self.duplicate_names)
            .encoding_errors(self.encoding_errors)
            .hive_partitions(self.hive_partitions);
        if let Some(columns) = self.columns {
            reader = reader.columns(columns);
        }
        if let Some(names) = self.names {
            reader = reader.names(names);
        }
        if let Some(escape) = self.escape {
            reader = reader.escape(escape);
        }
        if let Some(label) = self.encoding {
            reader = reader.encoding(label);
        }
        if let Some(texts) = self.null_values {
            reader = reader.null_values(texts);
        }
        if let Some(rows) = self.limit {
            reader = reader.limit(rows);
        }
        if let Some(rows) = self.infer_rows {
            reader = reader.infer_rows(rows);
        }
        for (name, dtype) in self.dtypes {
            reader = reader.dtype(name, dtype);
        }
        reader
    }
}

/// What becomes of a name that a header has more than once.
fn duplicate_names_of(py: Python<'_>, operation: &str, name: &str) -> PyResult<DuplicateNames> {
    match name {
        "error" => Ok(DuplicateNames::Error),
        "point" => Ok(DuplicateNames::Point),
        "duplicated" => Ok(DuplicateNames::Duplicated),
        _ => {
            let reason = format!("duplicate_names is error, point or duplicated, not {name:?}");
            Err(argument(py, ErrorKind::Value, operation, &reason))
        }
    }
}

/// What becomes of bytes that are no character.
fn encoding_errors_of(py: Python<'_>, operation: &str, name: &str) -> PyResult<EncodingErrors> {
    match name {
        "strict" => Ok(EncodingErrors::Error),
        "replace" => Ok(EncodingErrors::Replace),
        "ignore" => Ok(EncodingErrors::Ignore),
        _ => {
            let reason = format!("encoding_errors is strict, replace or ignore, not {name:?}");
            Err(argument(py, ErrorKind::Value, operation, &reason))
        }
    }
}

/// Reads CSV files: one, several, those of a folder or of a pattern. Dtypes are inferred from the first `infer_rows` rows;
/// `dtypes` says those of columns by name. Rows that do not fit are errors; with `skip_bad_rows` they are left out, and a
/// `UserWarning` says how many. Rows of fewer fields than the header do not fit, unless `pad_short_rows` makes the fields that they
/// lack null. A name that the header has twice is an error; with `duplicate_names="point"` the second column is
/// called `a.1`, with "duplicated" `a_duplicated_0`. Empty fields are null; in columns of strings a quoted one (`""`) is the
/// empty string, and with `empty_is_null=False` all are. `encoding` is a label of the WHATWG Encoding Standard ("latin1" is
/// windows-1252), and `encoding_errors` ("strict", "replace", "ignore") what is done with bytes that are no character of it.
/// `progress` is that of `read_parquet`.
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, dtypes = None, has_header = true, names = None, delimiter = ",", quote = Some("\""),
    null_values = None, skip_rows = 0, limit = None, infer_rows = None, skip_bad_rows = false, device = None,
    progress = None, hive_partitions = true, escape = None, duplicate_names = "error",
    empty_is_null = true, pad_short_rows = false, encoding = None, encoding_errors = "strict"
))]
pub(crate) fn read_csv(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    dtypes: Option<&Bound<'_, PyDict>>,
    has_header: bool,
    names: Option<Vec<String>>,
    delimiter: &str,
    quote: Option<&str>,
    null_values: Option<Vec<String>>,
    skip_rows: usize,
    limit: Option<usize>,
    infer_rows: Option<usize>,
    skip_bad_rows: bool,
    device: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    hive_partitions: bool,
    escape: Option<&str>,
    duplicate_names: &str,
    empty_is_null: bool,
    pad_short_rows: bool,
    encoding: Option<String>,
    encoding_errors: &str,
) -> PyResult<DataFrame> {
    const OPERATION: &str = "read_csv";
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let asked = Csv {
        paths,
        columns,
        dtypes: dtypes_of(OPERATION, dtypes)?,
        has_header,
        names,
        delimiter: byte_of(py, OPERATION, "delimiter", delimiter)?,
        quote: quote.map(|quote| byte_of(py, OPERATION, "quote", quote)).transpose()?,
        escape: escape.map(|escape| byte_of(py, OPERATION, "escape", escape)).transpose()?,
        null_values,
        empty_is_null,
        skip_rows,
        limit,
        infer_rows,
        bad_rows: bad_rows_of(skip_bad_rows),
        pad_short_rows,
        hive_partitions,
        duplicate_names: duplicate_names_of(py, OPERATION, duplicate_names)?,
        encoding,
        encoding_errors: encoding_errors_of(py, OPERATION, encoding_errors)?,
        exec: exec_of(py, OPERATION, device)?,
    };
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

/// The rows of CSV files part by part: an iterator of frames of at most `batch_rows` rows. One frame is decoded ahead.
/// `encoding` is a label of the WHATWG Encoding Standard, such as "windows-1252", "utf-16" or "shift_jis", and `encoding_errors`
/// ("strict", "replace", "ignore") what is done with bytes that are no character of it.
#[pyfunction]
#[pyo3(signature = (
    paths, columns = None, dtypes = None, has_header = true, names = None, delimiter = ",", quote = Some("\""),
    null_values = None, skip_rows = 0, limit = None, infer_rows = None, skip_bad_rows = false, batch_rows = None,
    device = None, hive_partitions = true, escape = None, duplicate_names = "error",
    empty_is_null = true, pad_short_rows = false, progress = None, encoding = None, encoding_errors = "strict"
))]
pub(crate) fn scan_csv(
    paths: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    dtypes: Option<&Bound<'_, PyDict>>,
    has_header: bool,
    names: Option<Vec<String>>,
    delimiter: &str,
    quote: Option<&str>,
    null_values: Option<Vec<String>>,
    skip_rows: usize,
    limit: Option<usize>,
    infer_rows: Option<usize>,
    skip_bad_rows: bool,
    batch_rows: Option<i64>,
    device: Option<&str>,
    hive_partitions: bool,
    escape: Option<&str>,
    duplicate_names: &str,
    empty_is_null: bool,
    pad_short_rows: bool,
    progress: Option<&Bound<'_, PyAny>>,
    encoding: Option<String>,
    encoding_errors: &str,
) -> PyResult<Scan> {
    const OPERATION: &str = "scan_csv";
    let (py, paths) = (paths.py(), paths_of(paths)?);
    let asked = Csv {
        paths,
        columns,
        dtypes: dtypes_of(OPERATION, dtypes)?,
        has_header,
        names,
        delimiter: byte_of(py, OPERATION, "delimiter", delimiter)?,
        quote: quote.map(|quote| byte_of(py, OPERATION, "quote", quote)).transpose()?,
        escape: escape.map(|escape| byte_of(py, OPERATION, "escape", escape)).transpose()?,
        null_values,
        empty_is_null,
        skip_rows,
        limit,
        infer_rows,
        bad_rows: bad_rows_of(skip_bad_rows),
        pad_short_rows,
        hive_partitions,
        duplicate_names: duplicate_names_of(py, OPERATION, duplicate_names)?,
        encoding,
        encoding_errors: encoding_errors_of(py, OPERATION, encoding_errors)?,
        exec: exec_of(py, OPERATION, device)?,
    };
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
