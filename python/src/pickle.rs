//! Frames as bytes, for pickling: an Arrow IPC stream of one batch.

use std::io::Cursor;

use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use columnade::{DataFrame as Inner, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::frame::DataFrame;
use crate::work::{argument, work};

/// The columns of a frame, whose labels are strings.
#[pyfunction]
#[pyo3(name = "_to_bytes")]
pub(crate) fn to_bytes<'py>(py: Python<'py>, frame: &DataFrame) -> PyResult<Bound<'py, PyBytes>> {
    let batch = work(py, || frame.0.to_arrow())?;
    let bytes = py.detach(|| {
        let mut writer = StreamWriter::try_new(Vec::new(), batch.schema_ref())?;
        writer.write(&batch)?;
        writer.into_inner()
    });
    let failed =
        |error: arrow_schema::ArrowError| argument(py, ErrorKind::Value, "pickle", &error.to_string());
    Ok(PyBytes::new(py, &bytes.map_err(failed)?))
}

/// The frame of such bytes, on the default device.
#[pyfunction]
#[pyo3(name = "_from_bytes")]
pub(crate) fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<DataFrame> {
    let batch = py.detach(|| StreamReader::try_new(Cursor::new(bytes), None)?.next().transpose());
    let invalid = |reason: &str| argument(py, ErrorKind::Value, "unpickle", reason);
    let batch =
        batch.map_err(|error| invalid(&error.to_string()))?.ok_or_else(|| invalid("there is no batch"))?;
    work(py, || Inner::from_arrow(&batch)).map(DataFrame)
}
