//! The CUDA Array Interface, version 3: series of a device as dictionaries, and such dictionaries as series.

use columnade::cuda_array::{
    CudaArray, CudaArrayImport, CudaArrayInterface, DevicePointer, ForeignCudaArray, MaskLayout, StreamEntry,
};
use columnade::dlpack::{CopyPolicy, TensorFault};
use columnade::errors::ColumnError;
use columnade::{Device, Error, ErrorKind, Series as InnerSeries};
use pyo3::exceptions::{PyAttributeError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::series::Series;
use crate::work::{argument, device_of, missing_interface, tensor_exception_of, work, work_or};

/// A description of a series. What cannot be described has no such attribute, so that `hasattr` says so.
pub(crate) fn export(
    py: Python<'_>,
    make: impl FnOnce() -> Result<CudaArray, Error> + Send,
) -> PyResult<CudaArray> {
    let raise = |_: Python<'_>, error: &Error| match error.kind() {
        ErrorKind::Memory | ErrorKind::Device | ErrorKind::Internal => crate::work::exception(py, error),
        _ => PyAttributeError::new_err(error.to_string()),
    };
    work_or(py, raise, make)
}

/// The dictionary of a description.
pub(crate) fn to_dict<'py>(py: Python<'py>, array: &CudaArrayInterface) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("shape", PyTuple::new(py, &array.shape)?)?;
    dict.set_item("typestr", &array.typestr)?;
    dict.set_item("data", (array.data.address, array.data.is_read_only))?;
    dict.set_item("version", array.version)?;
    dict.set_item("strides", array.strides.as_ref().map(|strides| PyTuple::new(py, strides)).transpose()?)?;
    if let Some(descr) = &array.descr {
        dict.set_item("descr", PyList::new(py, descr)?)?;
    }
    let mask = array
        .mask
        .as_ref()
        .map(|mask| -> PyResult<_> { Bound::new(py, CudaMask { interface: to_dict(py, mask)?.unbind() }) });
    dict.set_item("mask", mask.transpose()?)?;
    dict.set_item("stream", array.stream)?;
    Ok(dict)
}

/// The mask of a description: a byte for each row, not zero where there is a value.
#[pyclass(frozen, module = "columnade")]
pub(crate) struct CudaMask {
    interface: Py<PyDict>,
}

#[pymethods]
impl CudaMask {
    #[getter]
    fn __cuda_array_interface__(&self, py: Python<'_>) -> Py<PyDict> {
        self.interface.clone_ref(py)
    }
}

/// A series of memory that an object describes with `__cuda_array_interface__`, shared where that is possible. The object
/// lives as long as the series.
///
/// device: the device of the memory: "cuda:0", "sim"; by default the default device, or the first that is not the host.
/// copy: True always copies, False never, which may be an error.
/// mask: how masks are read: "elements" (one for each row, of any type), "bits" (of bytes, least significant first) or
///     "auto" (bits for the type "t1", which cuDF has, else elements, as many as there are rows).
/// stream: "honour" waits for the stream that the object names, "ignore" does not.
#[pyfunction]
#[pyo3(signature = (obj, device = None, copy = None, mask = "auto", stream = "honour"))]
pub(crate) fn as_column(
    obj: &Bound<'_, PyAny>,
    device: Option<&str>,
    copy: Option<bool>,
    mask: &str,
    stream: &str,
) -> PyResult<Series> {
    const OPERATION: &str = "as_column";
    let py = obj.py();
    let invalid = |reason: &str| argument(py, ErrorKind::Value, OPERATION, reason);
    let device = match device {
        Some(name) => device_of(py, OPERATION, name)?,
        None => work(py, || {
            let default = columnade::default_exec()?.device();
            let others = || Device::available().into_iter().find(|device| *device != Device::Host);
            Ok(if default == Device::Host { others().unwrap_or(default) } else { default })
        })?,
    };
    let options = CudaArrayImport {
        copy: match copy {
            None => CopyPolicy::IfNeeded,
            Some(true) => CopyPolicy::Always,
            Some(false) => CopyPolicy::Never,
        },
        mask: match mask {
            "auto" => MaskLayout::default(),
            "elements" => MaskLayout::Elements,
            "bits" => MaskLayout::Bits,
            _ => return Err(invalid("mask is \"auto\", \"elements\" or \"bits\"")),
        },
        stream: match stream {
            "honour" => StreamEntry::Honour,
            "ignore" => StreamEntry::Ignore,
            _ => return Err(invalid("stream is \"honour\" or \"ignore\"")),
        },
    };
    let interface = from_object(obj, false)?;
    if device == Device::Host {
        return Err(tensor_exception_of(py, &on_the_host(), Some(OPERATION)));
    }
    // SAFETY: by the interface, the memory is where the object says, on a device, and lives as long as the object, which
    // the array holds; masks are held by the object's dictionary, which is held too.
    let array =
        unsafe { ForeignCudaArray::new(interface.0, (obj.clone().unbind(), interface.1), device, options) };
    let raise = |py: Python<'_>, error: &_| tensor_exception_of(py, error, Some(OPERATION));
    work_or(py, raise, || InnerSeries::from_cuda_array(&array)).map(Series::from)
}

/// The error of memory of a GPU that would be the host's.
fn on_the_host() -> Error {
    let has_others = Device::available().iter().any(|device| *device != Device::Host);
    let reason = if has_others {
        "the memory is a GPU's: give its device, such as device=\"cuda:0\""
    } else {
        "the memory is a GPU's, and this build or machine has no GPU"
    };
    let fault = TensorFault::Device { device_type: 1, device_id: 0, reason: reason.to_owned() };
    let source = ColumnError::Tensor { interface: "CUDA array interface", field: "data".to_owned(), fault };
    Error::Operation { operation: "as_column", source }
}

/// The description of an object, which may be the mask of another, and its dictionary.
fn from_object(obj: &Bound<'_, PyAny>, is_mask: bool) -> PyResult<(CudaArrayInterface, Py<PyAny>)> {
    const OPERATION: &str = "as_column";
    let py = obj.py();
    let described = match obj.getattr("__cuda_array_interface__") {
        Ok(described) => described,
        Err(error) if error.is_instance_of::<PyAttributeError>(py) => {
            let class = obj.get_type().name()?;
            let reason = format!("an object of the type {class} has no __cuda_array_interface__");
            let missing = missing_interface(py, OPERATION, &reason);
            missing.set_cause(py, Some(error));
            return Err(missing);
        }
        // The producer says why.
        Err(error) => return Err(error),
    };
    let invalid = |entry: &str, error: &PyErr| {
        let reason =
            format!("the entry {entry:?} of __cuda_array_interface__ is invalid: {}", error.value(py));
        argument(py, ErrorKind::Value, OPERATION, &reason)
    };
    let dict = described.cast::<PyDict>().map_err(|_| {
        let reason = format!(
            "__cuda_array_interface__ is a dictionary, not {}",
            described.get_type().name().map_or_else(|_| "another object".to_owned(), |name| name.to_string())
        );
        argument(py, ErrorKind::Type, OPERATION, &reason)
    })?;
    let required = |entry: &'static str| {
        let missing = || invalid(entry, &PyKeyError::new_err("it is missing"));
        dict.get_item(entry).and_then(|value| value.ok_or_else(missing))
    };
    let optional = |entry: &'static str| -> PyResult<Option<Bound<'_, PyAny>>> {
        Ok(dict.get_item(entry)?.filter(|value| !value.is_none()))
    };
    let (address, is_read_only): (usize, bool) =
        required("data")?.extract().map_err(|error: PyErr| invalid("data", &error))?;
    let numbers = |entry: &'static str, value: &Bound<'_, PyAny>| {
        let values = value.try_iter().and_then(|values| values.map(|value| value?.extract()).collect());
        values.map_err(|error: PyErr| invalid(entry, &error))
    };
    let mask = optional("mask")?;
    if is_mask && mask.is_some() {
        let reason = "the entry \"mask\" of __cuda_array_interface__ is invalid: the mask has a mask";
        return Err(argument(py, ErrorKind::Value, OPERATION, reason));
    }
    let mask = mask.map(|mask| from_object(&mask, true)).transpose()?;
    let interface = CudaArrayInterface {
        shape: numbers("shape", &required("shape")?)?,
        typestr: required("typestr")?.extract().map_err(|error: PyErr| invalid("typestr", &error))?,
        data: DevicePointer { address, is_read_only },
        version: required("version")?.extract().map_err(|error: PyErr| invalid("version", &error))?,
        strides: optional("strides")?.map(|strides| numbers("strides", &strides)).transpose()?,
        descr: optional("descr")?
            .map(|descr| descr.extract::<Vec<(String, String)>>().map_err(|error| invalid("descr", &error)))
            .transpose()?,
        mask: mask.map(|(mask, _)| Box::new(mask)),
        stream: optional("stream")?
            .map(|stream| stream.extract::<i64>().map_err(|error| invalid("stream", &error)))
            .transpose()?,
    };
    Ok((interface, described.unbind()))
}
