//! Files that are written frame by frame.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use columnade::csv::CsvWriter as Csv;
use columnade::ipc::IpcWriter as Ipc;
use columnade::json::JsonWriter as Json;
use columnade::parquet::ParquetWriter as Parquet;
use columnade::{DataFrame as Inner, Error, ErrorKind};
use pyo3::prelude::*;

use crate::files::{csv_options, ipc_options, json_options, parquet_options};
use crate::frame::DataFrame;
use crate::work::{argument, work};

/// What the writers share.
trait Writer: Send + Sized {
    const OPERATION: &'static str;
    fn append(&mut self, frame: &Inner) -> Result<(), Error>;
    fn rows(&self) -> usize;
    fn finish(self) -> Result<(), Error>;
}

macro_rules! writer {
    ($inner:ty, $operation:literal, $append:ident) => {
        impl Writer for $inner {
            const OPERATION: &'static str = $operation;

            fn append(&mut self, frame: &Inner) -> Result<(), Error> {
                self.$append(frame)
            }

            fn rows(&self) -> usize {
                self.rows()
            }

            fn finish(self) -> Result<(), Error> {
                self.finish()
            }
        }
    };
}
writer!(Parquet, "write_parquet", append_frame);
writer!(Csv, "write_csv", append);
writer!(Json, "write_json", append);
writer!(Ipc, "write_ipc", append);

/// A writer until it is finished or closed, and the rows that it has.
struct Open<W>(Mutex<(Option<W>, usize)>);

impl<W: Writer> Open<W> {
    fn new(writer: W) -> Self {
        Self(Mutex::new((Some(writer), 0)))
    }

    fn append(&self, py: Python<'_>, frame: &Inner) -> PyResult<()> {
        let appended = work(py, || {
            let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let (Some(writer), rows) = &mut *open else { return Ok(false) };
            writer.append(frame)?;
            *rows = writer.rows();
            Ok(true)
        })?;
        if appended {
            Ok(())
        } else {
            Err(argument(py, ErrorKind::Value, W::OPERATION, "the writer is closed"))
        }
    }

    fn rows(&self, py: Python<'_>) -> usize {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).1)
    }

    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        work(py, || match self.0.lock().unwrap_or_else(PoisonError::into_inner).0.take() {
            Some(writer) => writer.finish(),
            None => Ok(()),
        })
    }

    /// Leaves no file, unless it was finished.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = None);
    }
}

/// The methods of every writer.
macro_rules! methods {
    ($($writer:ident),*) => {
        $(
            #[pymethods]
            impl $writer {
                /// Adds the rows of a frame, whose columns are those of the first.
                fn append(&self, py: Python<'_>, frame: &DataFrame) -> PyResult<()> {
                    self.0.append(py, &frame.0)
                }

                /// The rows that were appended.
                #[getter]
                fn rows(&self, py: Python<'_>) -> usize {
                    self.0.rows(py)
                }

                /// Writes the end and gives the file its name.
                fn finish(&self, py: Python<'_>) -> PyResult<()> {
                    self.0.finish(py)
                }

                /// Leaves no file, unless it was finished.
                fn close(&self, py: Python<'_>) {
                    self.0.close(py);
                }

                fn __enter__(slf: Py<Self>) -> Py<Self> {
                    slf
                }

                fn __exit__(
                    &self,
                    py: Python<'_>,
                    kind: &Bound<'_, PyAny>,
                    _value: &Bound<'_, PyAny>,
                    _traceback: &Bound<'_, PyAny>,
                ) -> PyResult<()> {
                    if kind.is_none() {
                        return self.0.finish(py);
                    }
                    self.0.close(py);
                    Ok(())
                }
            }
        )*
    };
}
methods!(ParquetWriter, CsvWriter, JsonWriter, IpcWriter);

/// Writes a Parquet file frame by frame: a context manager, at whose end the file gets its name. After an exception there is
/// none. The arguments are those of `DataFrame.write_parquet`.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct ParquetWriter(Open<Parquet>);

#[pymethods]
impl ParquetWriter {
    #[new]
    #[pyo3(signature = (
        path, compression = "snappy", row_group_rows = None, bloom_filters = None, page_rows = None, plain_columns = None
    ))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        compression: &str,
        row_group_rows: Option<usize>,
        bloom_filters: Option<Vec<String>>,
        page_rows: Option<usize>,
        plain_columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let operation = Parquet::OPERATION;
        let options = parquet_options(
            py,
            operation,
            compression,
            row_group_rows,
            bloom_filters,
            page_rows,
            plain_columns,
            None,
        )?;
        work(py, || Parquet::create_for_frames(path, &options)).map(|writer| Self(Open::new(writer)))
    }
}

/// Writes a CSV file frame by frame: a context manager, at whose end the file gets its name. After an exception there is none.
/// The arguments are those of `DataFrame.write_csv`.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct CsvWriter(Open<Csv>);

#[pymethods]
impl CsvWriter {
    #[new]
    #[pyo3(signature = (path, delimiter = ",", has_header = true, null = None, quote_empty = true))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        delimiter: &str,
        has_header: bool,
        null: Option<String>,
        quote_empty: bool,
    ) -> PyResult<Self> {
        let options = csv_options(py, Csv::OPERATION, delimiter, has_header, null, quote_empty)?;
        work(py, || Csv::create(path, &options)).map(|writer| Self(Open::new(writer)))
    }
}

/// Writes a file of JSON frame by frame: a context manager, at whose end the file gets its name. After an exception there is
/// none. `orient` is "lines", "records" or "index".
#[pyclass(frozen, module = "columnade")]
pub(crate) struct JsonWriter(Open<Json>);

#[pymethods]
impl JsonWriter {
    #[new]
    #[pyo3(signature = (path, skip_nulls = false, orient = "lines"))]
    fn new(py: Python<'_>, path: PathBuf, skip_nulls: bool, orient: &str) -> PyResult<Self> {
        let options = json_options(py, Json::OPERATION, skip_nulls, orient)?;
        work(py, || Json::create(path, options)).map(|writer| Self(Open::new(writer)))
    }
}

/// Writes an Arrow IPC file or stream frame by frame: a context manager, at whose end the file gets its name. After an exception
/// there is none. The arguments are those of `DataFrame.write_ipc`.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct IpcWriter(Open<Ipc>);

#[pymethods]
impl IpcWriter {
    #[new]
    #[pyo3(signature = (path, compression = "none", batch_rows = None, format = "file"))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        compression: &str,
        batch_rows: Option<i64>,
        format: &str,
    ) -> PyResult<Self> {
        let options = ipc_options(py, Ipc::OPERATION, compression, batch_rows, format)?;
        work(py, || Ipc::create(path, options)).map(|writer| Self(Open::new(writer)))
    }
}
