//! DLPack: tensors in capsules, exported and imported.
//!
//! A consumer renames the capsule when it takes the tensor, and calls the deleter later. A capsule that still has its first
//! name when it is destroyed calls the deleter itself.

use std::ffi::CStr;
use std::ptr::NonNull;

use columnade::dlpack::{
    ConsumerStream, CopyPolicy, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion,
    ManagedTensor, RawTensor, TensorRequest,
};
use columnade::{DataFrame as InnerFrame, Device, Error, ErrorKind, Exec, Series as InnerSeries};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::frame::DataFrame;
use crate::series::Series;
use crate::work::{argument, device_of, missing_interface, tensor_exception, work, work_or};

const LEGACY: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const USED_LEGACY: &CStr = c"used_dltensor";
const USED_VERSIONED: &CStr = c"used_dltensor_versioned";

/// The number and type of a device.
pub(crate) fn device(device: Device) -> (i32, i32) {
    let device = DLDevice::of(device);
    (device.device_type, device.device_id)
}

/// What the arguments of `__dlpack__` ask for.
pub(crate) fn request(
    py: Python<'_>,
    stream: Option<&Bound<'_, PyAny>>,
    max_version: Option<&Bound<'_, PyAny>>,
    dl_device: Option<&Bound<'_, PyAny>>,
    copy: Option<bool>,
) -> PyResult<TensorRequest> {
    let wrong = |name: &str, wanted: &str, found: &Bound<'_, PyAny>| {
        let reason = format!("{name} is {wanted}, not {}", found.repr()?.to_string_lossy());
        Err::<(), _>(argument(py, ErrorKind::Type, "__dlpack__", &reason))
    };
    let number = |stream: &Bound<'_, PyAny>| match stream.extract::<i64>() {
        Ok(number) => Ok(number),
        Err(_) => wrong("stream", "a whole number", stream).map(|()| 0),
    };
    let stream = stream.map(number).transpose()?;
    let pair = |name: &'static str, wanted: &'static str| {
        move |found: &Bound<'_, PyAny>| match found.cast::<PyTuple>().ok().and_then(numbers_of) {
            Some(pair) => Ok(pair),
            None => wrong(name, wanted, found).map(|()| (0, 0)),
        }
    };
    let max_version = max_version.map(pair("max_version", "the major and the minor number of a version"));
    let max_version = max_version.transpose()?.map(|(major, minor)| DLPackVersion {
        major: u32::try_from(major).unwrap_or_default(),
        minor: u32::try_from(minor).unwrap_or_default(),
    });
    let dl_device = dl_device.map(pair("dl_device", "the type and the number of a device")).transpose()?;
    // SAFETY: by the protocol, a number is that of a stream of the device, which lives until `__dlpack__` returns.
    let stream = unsafe { ConsumerStream::from_number(stream) };
    let stream = stream
        .map_err(|source| tensor_exception(py, &Error::Operation { operation: "__dlpack__", source }))?;
    Ok(TensorRequest {
        stream,
        max_version,
        dl_device: dl_device.map(|(device_type, device_id)| DLDevice { device_type, device_id }),
        copy: policy(copy),
    })
}

fn policy(copy: Option<bool>) -> CopyPolicy {
    match copy {
        None => CopyPolicy::IfNeeded,
        Some(true) => CopyPolicy::Always,
        Some(false) => CopyPolicy::Never,
    }
}

/// A capsule of the tensor that `make` returns.
pub(crate) fn export(
    py: Python<'_>,
    make: impl FnOnce() -> Result<ManagedTensor, Error> + Send,
) -> PyResult<Bound<'_, PyCapsule>> {
    let tensor = work_or(py, tensor_exception, make)?;
    let (pointer, name): (NonNull<std::ffi::c_void>, _) = match tensor.into_raw() {
        Some(RawTensor::Legacy(tensor)) => (tensor.cast(), LEGACY),
        Some(RawTensor::Versioned(tensor)) => (tensor.cast(), VERSIONED),
        None => return Err(argument(py, ErrorKind::Internal, "__dlpack__", "the tensor was taken")),
    };
    // SAFETY: the destructor is given this capsule, and does what the name says.
    unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer, name, Some(delete_unused)) }
}

/// Calls the deleter of a tensor that no consumer took.
unsafe extern "C" fn delete_unused(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this with the capsule that it destroys; a capsule with one of these names has the pointer
    // that `export` put there, and no consumer took the tensor, since it would have renamed the capsule.
    unsafe {
        let raw = if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            let tensor = ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr());
            NonNull::new(tensor.cast::<DLManagedTensorVersioned>()).map(RawTensor::Versioned)
        } else if ffi::PyCapsule_IsValid(capsule, LEGACY.as_ptr()) == 1 {
            let tensor = ffi::PyCapsule_GetPointer(capsule, LEGACY.as_ptr());
            NonNull::new(tensor.cast::<DLManagedTensor>()).map(RawTensor::Legacy)
        } else {
            None
        };
        if let Some(raw) = raw {
            drop(ManagedTensor::from_raw(raw));
        }
    }
}

/// Takes the tensor out of a capsule, which is renamed.
fn take(capsule: &Bound<'_, PyCapsule>) -> PyResult<ManagedTensor> {
    let (name, used) = if capsule.is_valid_checked(Some(VERSIONED)) {
        (VERSIONED, USED_VERSIONED)
    } else {
        (LEGACY, USED_LEGACY)
    };
    if !capsule.is_valid_checked(Some(name)) {
        let reason =
            "expected a capsule named dltensor or dltensor_versioned; a tensor is taken out of it once";
        return Err(argument(capsule.py(), ErrorKind::Value, "from_dlpack", reason));
    }
    let pointer = capsule.pointer_checked(Some(name))?;
    // SAFETY: a capsule, and a name that lives as long as the program.
    if unsafe { ffi::PyCapsule_SetName(capsule.as_ptr(), used.as_ptr()) } != 0 {
        return Err(PyErr::fetch(capsule.py()));
    }
    let raw = if name == VERSIONED {
        RawTensor::Versioned(pointer.cast())
    } else {
        RawTensor::Legacy(pointer.cast())
    };
    // SAFETY: by the protocol, a capsule of this name points to such a tensor, which now is this function's: it has renamed the
    // capsule, so that neither its destructor nor another consumer calls the deleter.
    Ok(unsafe { ManagedTensor::from_raw(raw) })
}

/// A series of a tensor of one dimension, or a frame of one of two, sharing its memory where that is possible.
///
/// x: any object with `__dlpack__`, such as an array of numpy, torch, jax or cupy.
/// device: where the result is: "host", "sim" or "cuda:0", or the type and number that DLPack has for it, as (1, 0) for the
///     host; by default where the tensor is.
/// copy: True always copies, False never, which is a `BufferError` where it cannot be.
#[pyfunction]
#[pyo3(signature = (x, /, *, device = None, copy = None))]
pub(crate) fn from_dlpack<'py>(
    x: &Bound<'py, PyAny>,
    device: Option<&Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    const OPERATION: &str = "from_dlpack";
    let py = x.py();
    let target = device.map(target_of).transpose()?;
    let (capsule, exec) = match x.cast::<PyCapsule>() {
        Ok(capsule) => (capsule.clone(), None),
        Err(_) => produced(x, target, copy)?,
    };
    let mut tensor = take(&capsule)?;
    let imported = work_or(py, tensor_exception, || {
        // The producer's work is ordered before this stream.
        let _default = exec.map(PreviousExec::replace).transpose()?;
        // What the producer copied for this import need not be copied again.
        let is_copied = tensor.is_copied().unwrap_or(false);
        let policy = if is_copied && copy == Some(true) { CopyPolicy::IfNeeded } else { policy(copy) };
        let dimensions =
            tensor.tensor().map_err(|source| Error::Operation { operation: OPERATION, source })?.ndim;
        let mut imported = if dimensions > 1 {
            Imported::Frame(InnerFrame::from_dlpack(&mut tensor, policy)?)
        } else {
            Imported::Series(InnerSeries::from_dlpack(&mut tensor, policy)?)
        };
        if let Some(target) = target {
            imported = imported.on_device(target)?;
        }
        Ok(imported)
    })?;
    Ok(match imported {
        Imported::Frame(frame) => Bound::new(py, DataFrame(frame))?.into_any(),
        Imported::Series(series) => Bound::new(py, Series::from(series))?.into_any(),
    })
}

/// The device of a name, or of the type and number that DLPack has for it.
fn target_of(device: &Bound<'_, PyAny>) -> PyResult<Device> {
    const OPERATION: &str = "from_dlpack";
    let py = device.py();
    if let Ok(name) = device.extract::<String>() {
        let device = device_of(py, OPERATION, if name == "cpu" { "host" } else { &name })?;
        // One that this build or machine lacks is the same error as by its numbers.
        return device_named(py, DLDevice::of(device));
    }
    let Some((device_type, device_id)) = device.cast::<PyTuple>().ok().and_then(numbers_of) else {
        let reason =
            "device is a name such as \"host\", or the type and number of a device as DLPack has them";
        return Err(argument(py, ErrorKind::Type, OPERATION, reason));
    };
    device_named(py, DLDevice { device_type, device_id })
}

/// The type, which may be an enumeration, and the number of a device.
fn numbers_of(pair: &Bound<'_, PyTuple>) -> Option<(i32, i32)> {
    let number = |at: usize| pair.get_item(at).ok()?.call_method0("__int__").ok()?.extract::<i32>().ok();
    if pair.len() == 2 { number(0).zip(number(1)) } else { None }
}

fn device_named(py: Python<'_>, device: DLDevice) -> PyResult<Device> {
    device
        .device()
        .map_err(|source| tensor_exception(py, &Error::Operation { operation: "from_dlpack", source }))
}

/// [`from_dlpack`] for constructors: tensors of the host go to the default device.
pub(crate) fn to_default_device<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let imported = from_dlpack(x, None, None)?;
    let default = work(py, || Ok(columnade::default_exec()?.device()))?;
    if default == Device::Host {
        return Ok(imported);
    }
    if let Ok(series) = imported.cast::<Series>() {
        if series.get().0.device() == Device::Host {
            let series = &series.get().0;
            let moved = work(py, || series.to_device(default))?;
            return Ok(Bound::new(py, Series::from(moved))?.into_any());
        }
    } else if let Ok(frame) = imported.cast::<DataFrame>()
        && frame.get().0.device() == Device::Host
    {
        let frame = &frame.get().0;
        let moved = work(py, || frame.to_device(default))?;
        return Ok(Bound::new(py, DataFrame(moved))?.into_any());
    }
    Ok(imported)
}

enum Imported {
    Frame(InnerFrame),
    Series(InnerSeries),
}

impl Imported {
    fn on_device(self, target: Device) -> Result<Self, Error> {
        Ok(match self {
            Imported::Frame(frame) if frame.device() != target => Imported::Frame(frame.to_device(target)?),
            Imported::Series(series) if series.device() != target => {
                Imported::Series(series.to_device(target)?)
            }
            there => there,
        })
    }
}

/// The default context of this thread, which comes back when this is dropped.
struct PreviousExec(Exec);

impl PreviousExec {
    fn replace(exec: Exec) -> Result<Self, Error> {
        let before = Self(columnade::default_exec()?);
        columnade::set_default_exec(exec);
        Ok(before)
    }
}

impl Drop for PreviousExec {
    fn drop(&mut self) {
        columnade::set_default_exec(self.0.clone());
    }
}

/// The capsule of an object with `__dlpack__`, and the context before whose stream the producer has ordered its work: of another
/// device than the host, this thread's default one if it is of that device, else a new one.
fn produced<'py>(
    x: &Bound<'py, PyAny>,
    target: Option<Device>,
    copy: Option<bool>,
) -> PyResult<(Bound<'py, PyCapsule>, Option<Exec>)> {
    const OPERATION: &str = "from_dlpack";
    let py = x.py();
    if !x.hasattr("__dlpack__")? {
        let reason = format!("an object of the type {} has no __dlpack__", x.get_type().name()?);
        return Err(missing_interface(py, OPERATION, &reason));
    }
    let (device_type, device_id): (i32, i32) = if x.hasattr("__dlpack_device__")? {
        let device = x.call_method0("__dlpack_device__")?;
        // The type may be an enumeration.
        let Some(numbers) = device.cast::<PyTuple>().ok().and_then(numbers_of) else {
            let found = device.repr()?;
            let reason = format!(
                "__dlpack_device__ gave {}, and not the type and the number of a device",
                found.to_string_lossy()
            );
            return Err(argument(py, ErrorKind::Type, OPERATION, &reason));
        };
        numbers
    } else {
        (DLDevice::CPU.device_type, 0)
    };
    let source = DLDevice { device_type, device_id };
    // What the producer has on a device it copies to the host itself, so that this build need not know the device.
    let to_host = target == Some(Device::Host) && source != DLDevice::CPU && copy != Some(false);
    if to_host {
        let keywords = PyDict::new(py);
        keywords.set_item("max_version", (DLPackVersion::CURRENT.major, DLPackVersion::CURRENT.minor))?;
        keywords.set_item("dl_device", (DLDevice::CPU.device_type, DLDevice::CPU.device_id))?;
        keywords.set_item("copy", copy)?;
        match x.call_method("__dlpack__", (), Some(&keywords)) {
            Ok(capsule) => return Ok((capsule_of(capsule)?, None)),
            // Producers before DLPack 1.0 know none of these.
            Err(error) if error.is_instance_of::<PyTypeError>(py) && !x.is_instance_of::<Series>() => {}
            Err(error) => return Err(error),
        }
    }
    let source = device_named(py, source)?;
    if copy == Some(false) && target.is_some_and(|target| target != source) {
        let error = columnade::errors::ColumnError::InvalidArgument {
            name: "copy",
            reason: format!("the tensor is on {source}: on another device it is a copy"),
        };
        return Err(tensor_exception(py, &Error::Operation { operation: OPERATION, source: error }));
    }
    let keywords = PyDict::new(py);
    let mut exec = None;
    if source != Device::Host {
        let of_source = work(py, || {
            let default = columnade::default_exec()?;
            if default.device() == source { Ok(default) } else { Ok(Exec::new(source)?) }
        })?;
        keywords.set_item("stream", ConsumerStream::of(&of_source).number())?;
        exec = Some(of_source);
    }
    let old = keywords.copy()?;
    keywords.set_item("max_version", (DLPackVersion::CURRENT.major, DLPackVersion::CURRENT.minor))?;
    if copy.is_some() {
        keywords.set_item("copy", copy)?;
    }
    let capsule = match x.call_method("__dlpack__", (), Some(&keywords)) {
        // Producers before DLPack 1.0 know none of these.
        Err(error) if error.is_instance_of::<PyTypeError>(py) && !x.is_instance_of::<Series>() => {
            x.call_method("__dlpack__", (), Some(&old)).map_err(|_| error)?
        }
        other => other?,
    };
    Ok((capsule_of(capsule)?, exec))
}

fn capsule_of(produced: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyCapsule>> {
    let py = produced.py();
    produced
        .cast_into::<PyCapsule>()
        .map_err(|_| argument(py, ErrorKind::Type, "from_dlpack", "__dlpack__ did not return a capsule"))
}
