//! Work without Python's lock, and its errors as exceptions.

use std::error::Error as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use columnade::dlpack::TensorFault;
use columnade::errors::{ColumnError, ErrorSubject};
use columnade::files::FileError;
use columnade::internal::{CallSite, CallersContext, Interrupted, panic_message};
use columnade::parquet::ParquetError;
use columnade::{Device, Error, ErrorKind};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::interrupt::{has_interrupted, interruptible, interrupts};

/// Does `work` without Python's lock. An error becomes the exception of its kind, a panic an
/// `InternalError`, and Ctrl-C during the work of the main thread a `KeyboardInterrupt`.
pub(crate) fn work<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    work_or(py, exception, work)
}

/// [`work`], whose errors become the exceptions that `raise` makes.
pub(crate) fn work_or<T: Send>(
    py: Python<'_>,
    raise: impl FnOnce(Python<'_>, &Error) -> PyErr,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let before = interrupts();
    let done = py.detach(|| {
        let _context = CallersContext::keep();
        let _site = CallSite::outside();
        catch_unwind(AssertUnwindSafe(|| interruptible(work)))
    });
    match done {
        Ok(Ok(Ok(value))) => Ok(value),
        Ok(Ok(Err(error))) => {
            let raised = raise(py, &error);
            if !has_interrupted(py, before) {
                return Err(raised);
            }
            // A producer of Python's, such as a generator, has raised it and failed.
            let interrupt = PyKeyboardInterrupt::new_err(());
            interrupt.set_cause(py, Some(raised));
            Err(interrupt)
        }
        Ok(Err(Interrupted)) => {
            py.check_signals()?;
            // A handler of the program has returned. The work is lost all the same.
            Err(PyKeyboardInterrupt::new_err(()))
        }
        Err(panic) => Err(internal(py, panic_message(&*panic))),
    }
}

/// [`work`], whose errors name `operation`: the method of Python where the library has another name for it.
pub(crate) fn work_as<T: Send>(
    py: Python<'_>,
    operation: &'static str,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    work_or(py, |py, error| exception_of(py, error, None, Some(operation)), work)
}

/// What an exception carries besides its text.
#[derive(Default)]
struct Facts {
    operation: Option<String>,
    column: Option<String>,
    dtype: Option<String>,
    path: Option<String>,
    line: Option<u64>,
    row_group: Option<usize>,
}

/// The exception of an error: its class is that of the kind, its attributes are what the error is about.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    exception_of(py, error, None, None)
}

/// The exception of an error, of another class than that of its kind and under another name of the operation where these are
/// given.
fn exception_of(py: Python<'_>, error: &Error, class: Option<&str>, renamed: Option<&'static str>) -> PyErr {
    let mut facts = Facts::default();
    match error {
        Error::Operation { operation, source } => {
            facts.operation = Some((*operation).to_owned());
            facts.of_columns(source);
        }
        Error::Value(source) => facts.of_columns(source),
        Error::MissingColumns { operation, missing, .. } => {
            facts.operation = Some((*operation).to_owned());
            facts.column = missing.first().map(ToString::to_string);
        }
        Error::KeyMismatch { operation, left_label, left, .. } => {
            facts.operation = Some((*operation).to_owned());
            facts.column = Some(left_label.to_string());
            facts.dtype = Some(left.to_string());
        }
        Error::DuplicateKey { operation, labels, .. } => {
            facts.operation = Some((*operation).to_owned());
            facts.column = labels.first().map(ToString::to_string);
        }
        Error::Parquet { operation, path, source } => {
            facts.operation = Some((*operation).to_owned());
            facts.path = Some(path.display().to_string());
            if let ParquetError::Column(source) = source {
                facts.of_columns(source);
            } else if let ParquetError::Values { source, .. } = source {
                facts.of_columns(source);
            }
            facts.column = facts.column.take().or_else(|| source.column().map(str::to_owned));
            facts.dtype = facts.dtype.take().or_else(|| source.dtype().map(str::to_owned));
            facts.row_group = source.row_group();
        }
        Error::File { operation, path, source } => {
            facts.operation = Some((*operation).to_owned());
            facts.path = Some(path.display().to_string());
            if let FileError::Column(source) = &**source {
                facts.of_columns(source);
            }
            facts.column = facts.column.take().or_else(|| source.column().map(str::to_owned));
            facts.dtype = facts.dtype.take().or_else(|| source.dtype().map(str::to_owned));
            facts.line = source.line();
        }
        Error::MissingLabels { operation, .. }
        | Error::DuplicateLabels { operation, .. }
        | Error::UnsortedIndex { operation, .. }
        | Error::MissingLevel { operation, .. } => facts.operation = Some((*operation).to_owned()),
        _ => {}
    }
    let mut text = error.to_string();
    if let (Some(name), Some(operation)) = (renamed, &mut facts.operation) {
        if let Some(rest) = text.strip_prefix(operation.as_str()) {
            text = format!("{name}{rest}");
        }
        name.clone_into(operation);
    }
    made(py, class.unwrap_or_else(|| kind_name(error.kind())), &text, &facts, os_error(error))
}

/// The exception of an error of values that a consumer cannot have as it asks for them: a `ValueError`, also where they do not fit.
pub(crate) fn lossy_exception(py: Python<'_>, error: &Error) -> PyErr {
    exception_of(py, error, (error.kind() == ErrorKind::Overflow).then_some("ValueError"), None)
}

/// The exception of an error of tensors: of a class that is also a `BufferError`, as consumers expect it.
pub(crate) fn tensor_exception(py: Python<'_>, error: &Error) -> PyErr {
    tensor_exception_of(py, error, None)
}

/// [`tensor_exception`] under another name of the operation where it is given.
pub(crate) fn tensor_exception_of(py: Python<'_>, error: &Error, renamed: Option<&'static str>) -> PyErr {
    let class = match error {
        Error::Operation { source, .. } | Error::Value(source) => match source.clone().without_context() {
            ColumnError::Tensor { fault: TensorFault::Device { .. }, .. } => Some("UnsupportedDeviceError"),
            ColumnError::Memory(_) => None,
            _ => Some("TensorError"),
        },
        _ => None,
    };
    exception_of(py, error, class, renamed)
}

/// The exception of an error of columns, which `operation` met.
pub(crate) fn column_exception(py: Python<'_>, operation: &'static str, error: ColumnError) -> PyErr {
    exception(py, &Error::Operation { operation, source: error })
}

/// The exception for an argument of `operation` that has the wrong type (`Type`) or value (`Value`).
pub(crate) fn argument(py: Python<'_>, kind: ErrorKind, operation: &str, reason: &str) -> PyErr {
    let facts = Facts { operation: Some(operation.to_owned()), ..Facts::default() };
    made(py, kind_name(kind), &format!("{operation}: {reason}"), &facts, None)
}

/// The argument `name` of `operation`, which counts something.
pub(crate) fn natural<T: TryFrom<i64>>(
    py: Python<'_>,
    operation: &str,
    name: &str,
    value: i64,
) -> PyResult<T> {
    T::try_from(value).map_err(|_| {
        let bound = if value < 0 { "at least 0" } else { "a number of 32 bits" };
        argument(py, ErrorKind::Value, operation, &format!("{name} is {bound}, and not {value}"))
    })
}

/// The number of rows of the frames of `operation`.
pub(crate) fn batch_rows_of(py: Python<'_>, operation: &str, rows: Option<i64>) -> PyResult<Option<usize>> {
    match rows.map(usize::try_from) {
        None => Ok(None),
        Some(Ok(rows)) if rows > 0 => Ok(Some(rows)),
        _ => {
            let rows = rows.unwrap_or_default();
            Err(argument(
                py,
                ErrorKind::Value,
                operation,
                &format!("batch_rows is at least 1, and not {rows}"),
            ))
        }
    }
}

/// The exception for an argument of `operation` that lacks the methods of an interface.
pub(crate) fn missing_interface(py: Python<'_>, operation: &str, reason: &str) -> PyErr {
    let facts = Facts { operation: Some(operation.to_owned()), ..Facts::default() };
    made(py, "MissingInterfaceError", &format!("{operation}: {reason}"), &facts, None)
}

pub(crate) fn internal(py: Python<'_>, message: &str) -> PyErr {
    let text = format!("the library panicked: {message}; this is a bug in Columnade, please report it");
    made(py, kind_name(ErrorKind::Internal), &text, &Facts::default(), None)
}

/// What `columnade._errors` calls the exceptions of a kind.
fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Key => "KeyError",
        ErrorKind::Type => "TypeError",
        ErrorKind::Value => "ValueError",
        ErrorKind::Index => "IndexError",
        ErrorKind::Overflow => "OverflowError",
        ErrorKind::Memory => "MemoryError",
        ErrorKind::Device => "DeviceError",
        ErrorKind::Io => "OSError",
        ErrorKind::NotImplemented => "NotImplementedError",
        _ => "InternalError",
    }
}

/// `ENOENT`.
const NO_ENTRY: i32 = 2;
/// `EACCES`.
const NO_ACCESS: i32 = 13;
/// `ENOSPC`.
const NO_SPACE: i32 = 28;

/// The number of the operating system's error that is the cause, if one is.
fn os_error(error: &Error) -> Option<i32> {
    match error {
        Error::Parquet { source, .. } => match source {
            ParquetError::NotFound => return Some(NO_ENTRY),
            // The error of the system is not the source of these, but they are that error.
            ParquetError::Io(error) => return number(error),
            _ => {}
        },
        Error::File { source, .. } => match &**source {
            FileError::NotFound => return Some(NO_ENTRY),
            FileError::Io(error) => return number(error),
            _ => {}
        },
        _ => {}
    }
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<std::io::Error>() {
            return number(error);
        }
        cause = error.source();
    }
    None
}

/// The number of an error of the system, also of one in which a library has put the path.
fn number(error: &std::io::Error) -> Option<i32> {
    let mut cause = error.get_ref().and_then(std::error::Error::source);
    while let Some(inner) = cause {
        if let Some(number) = inner.downcast_ref::<std::io::Error>().and_then(std::io::Error::raw_os_error) {
            return Some(number);
        }
        cause = inner.source();
    }
    error.raw_os_error().or(match error.kind() {
        std::io::ErrorKind::NotFound => Some(NO_ENTRY),
        std::io::ErrorKind::PermissionDenied => Some(NO_ACCESS),
        std::io::ErrorKind::StorageFull => Some(NO_SPACE),
        _ => None,
    })
}

fn made(py: Python<'_>, kind: &str, message: &str, facts: &Facts, errno: Option<i32>) -> PyErr {
    let make = || -> PyResult<Bound<'_, PyAny>> {
        let names = PyDict::new(py);
        names.set_item("operation", facts.operation.as_deref())?;
        names.set_item("column", facts.column.as_deref())?;
        names.set_item("dtype", facts.dtype.as_deref())?;
        names.set_item("path", facts.path.as_deref())?;
        names.set_item("line", facts.line)?;
        names.set_item("row_group", facts.row_group)?;
        names.set_item("errno", errno)?;
        py.import("columnade._errors")?.getattr("make")?.call((kind, message), Some(&names))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

impl Facts {
    fn of_columns(&mut self, error: &ColumnError) {
        match error {
            ColumnError::Context { subject, source } => {
                let column = match subject {
                    ErrorSubject::Column(label) => Some(label.clone()),
                    ErrorSubject::Expression(expression) => expression.column.clone(),
                    _ => None,
                };
                self.column = self.column.take().or(column);
                self.of_columns(source);
            }
            ColumnError::DTypeMismatch { left: dtype, .. }
            | ColumnError::UnsupportedDType { dtype }
            | ColumnError::NotTimes { dtype }
            | ColumnError::NotBoolean { dtype }
            | ColumnError::NoDistance { dtype }
            | ColumnError::RustType { dtype, .. }
            | ColumnError::Overflow { dtype }
            | ColumnError::ValueOverflow { dtype, .. }
            | ColumnError::Parse { dtype, .. }
            | ColumnError::Unparsable { dtype, .. } => self.dtype = Some(dtype.to_string()),
            ColumnError::ColumnNotFound { label, .. }
            | ColumnError::DuplicateLabel { label }
            | ColumnError::UnsupportedLabel { label } => self.column = Some(label.to_string()),
            ColumnError::Arrow { field, .. } | ColumnError::ArrowInterface { field, .. }
                if !field.is_empty() =>
            {
                self.column = Some(field.clone());
            }
            ColumnError::Tensor { fault: TensorFault::DType { dtype, .. }, .. } => {
                self.dtype = Some(dtype.to_string());
            }
            _ => {}
        }
    }
}

/// A device by its name: `host`, `sim` or `cuda:0`.
pub(crate) fn device_of(py: Python<'_>, operation: &str, name: &str) -> PyResult<Device> {
    name.parse().map_err(|error: columnade::errors::DeviceError| {
        argument(py, ErrorKind::Value, operation, &error.to_string())
    })
}

/// The devices that this build and machine have, by name.
#[pyfunction]
pub(crate) fn available_devices(py: Python<'_>) -> PyResult<Vec<String>> {
    work(py, || Ok(Device::available().iter().map(ToString::to_string).collect()))
}

/// The device on which this thread makes frames.
#[pyfunction]
pub(crate) fn default_device(py: Python<'_>) -> PyResult<String> {
    work(py, || Ok(columnade::default_exec()?.device().to_string()))
}

/// Sets the device on which this thread makes frames: "host", "sim" or "cuda:0". Existing frames do not move.
#[pyfunction]
pub(crate) fn set_default_device(py: Python<'_>, device: &str) -> PyResult<()> {
    let device = device_of(py, "set_default_device", device)?;
    work(py, || columnade::set_default_device(device))
}
