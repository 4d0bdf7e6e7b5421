//! Frames and expressions as bytes, for pickling: an Arrow IPC stream of one batch, and the nodes of an expression.

use arrow_ipc::writer::StreamWriter;
use columnade::{DataFrame as Inner, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::expr::Expr;
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
    let batch = py.detach(|| columnade::internal::batch_of_stream(bytes));
    let invalid = |reason: &str| argument(py, ErrorKind::Value, "unpickle", reason);
    let batch =
        batch.map_err(|error| invalid(&error.to_string()))?.ok_or_else(|| invalid("there is no batch"))?;
    work(py, || Inner::from_arrow(&batch)).map(DataFrame)
}

/// What pickled expressions begin with: their form is that of one version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[pymethods]
impl Expr {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let (py, expr) = (slf.py(), &slf.get().0);
        let bytes = py.detach(|| postcard::to_stdvec(&(VERSION, expr)));
        let bytes = bytes.map_err(|error| argument(py, ErrorKind::Value, "pickle", &error.to_string()))?;
        let function = py.import("columnade._columnade")?.getattr("_expr_from_bytes")?;
        Ok((function, (PyBytes::new(py, &bytes),)))
    }
}

/// The expression of such bytes.
#[pyfunction]
#[pyo3(name = "_expr_from_bytes")]
pub(crate) fn expr_from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Expr> {
    let invalid = |reason: &str| argument(py, ErrorKind::Value, "unpickle", reason);
    let read = postcard::take_from_bytes::<String>(bytes);
    let (version, rest) = read.map_err(|error| invalid(&error.to_string()))?;
    if version != VERSION {
        return Err(invalid(&format!("the expression was pickled by version {version}, this is {VERSION}")));
    }
    py.detach(|| postcard::from_bytes(rest)).map(Expr).map_err(|error| invalid(&error.to_string()))
}
