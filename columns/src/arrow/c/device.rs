//! Devices as the interface names them, and the events that hand arrays over.

use super::abi::{
    ARROW_DEVICE_CPU, ARROW_DEVICE_CUDA, ARROW_DEVICE_CUDA_HOST, ARROW_DEVICE_CUDA_MANAGED,
    ARROW_DEVICE_EXT_DEV, ArrowDeviceArray, ArrowDeviceType,
};
use super::owned::{OwnedDeviceArray, OwnedDeviceStream};
use super::path::Path;
use super::violation::Violation;
use crate::Result;
use columnade_buffers::{Device, Event, Exec};
use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The type and the id of a device.
pub(super) fn name_of(device: Device) -> (ArrowDeviceType, i64) {
    match device {
        Device::Host => (ARROW_DEVICE_CPU, -1),
        Device::Sim => (ARROW_DEVICE_EXT_DEV, 0),
        Device::Cuda(ordinal) => (ARROW_DEVICE_CUDA, ordinal.into()),
    }
}

const NO_SUCH_ID: &str = "it has no such id";

/// The number of a GPU.
fn ordinal(device_id: i64) -> Option<u32> {
    u32::try_from(device_id).ok()
}

/// The device on which memory of a type and id is used.
pub(super) fn device_of(device_type: ArrowDeviceType, device_id: i64) -> Result<Device> {
    let unusable = |reason: String| Path::ROOT.error(Violation::Device { device_type, device_id, reason });
    let no_such_id = || unusable(NO_SUCH_ID.to_owned());
    let device = match (device_type, device_id) {
        // Known producers write −1 and 0.
        (ARROW_DEVICE_CPU, -1 | 0) | (ARROW_DEVICE_CUDA_HOST, -1) => Device::Host,
        // Whichever GPU the pages are known to.
        (ARROW_DEVICE_CUDA_HOST, _) if ordinal(device_id).is_some() => Device::Host,
        (ARROW_DEVICE_CUDA | ARROW_DEVICE_CUDA_MANAGED, _) => {
            Device::Cuda(ordinal(device_id).ok_or_else(no_such_id)?)
        }
        (ARROW_DEVICE_EXT_DEV, 0) => Device::Sim,
        (ARROW_DEVICE_CPU | ARROW_DEVICE_CUDA_HOST | ARROW_DEVICE_EXT_DEV, _) => return Err(no_such_id()),
        _ => return Err(unusable("this library does not know the type".to_owned())),
    };
    device.require().map_err(|error| unusable(error.to_string()))?;
    Ok(device)
}

impl OwnedDeviceArray {
    /// The device on which the array's memory is used: the one that a context to import it must have.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`](crate::Error::ArrowInterface) for an array that is released, and for a device that this
    /// build or machine cannot use.
    pub fn device(&self) -> Result<Device> {
        if self.is_released() {
            return Path::ROOT.fail(Violation::Released { what: "array" });
        }
        device_of(self.as_raw().device_type, self.as_raw().device_id)
    }
}

impl OwnedDeviceStream {
    /// The device that the stream's arrays are on. Which of its kind it is, only the arrays say: it is taken to be
    /// `preferred` where that is of the kind, else the first.
    ///
    /// # Errors
    /// [`Error::ArrowInterface`](crate::Error::ArrowInterface) for a stream that is released, and for a device that this
    /// build or machine cannot use.
    pub fn device(&self, preferred: Device) -> Result<Device> {
        if self.is_released() {
            return Path::ROOT.fail(Violation::Released { what: "stream" });
        }
        let id = if let Device::Cuda(ordinal) = preferred { ordinal.into() } else { 0 };
        device_of(self.as_raw().device_type, id)
    }
}

/// Makes work of `exec`'s stream wait for the event of an array on its device.
pub(super) fn wait_for_producer(array: &ArrowDeviceArray, exec: &Exec) -> Result<()> {
    if array.sync_event.is_null() {
        return Ok(());
    }
    let unusable = |reason: String| {
        let (device_type, device_id) = (array.device_type, array.device_id);
        Path::ROOT.error(Violation::Device { device_type, device_id, reason })
    };
    if array.device_type == ARROW_DEVICE_CPU {
        return Err(unusable("it has no events, but the array has one".to_owned()));
    }
    // SAFETY: the maker of the wrapper promised that the event is what the interface says: a pointer to the driver's
    // handle.
    let event = unsafe { array.sync_event.cast::<*mut c_void>().read() };
    if array.device_type == ARROW_DEVICE_CUDA_HOST {
        let gpu = ordinal(array.device_id).ok_or_else(|| unusable(NO_SUCH_ID.to_owned()))?;
        // SAFETY: as above: an event of CUDA's.
        return unsafe { Device::Cuda(gpu).synchronize_raw(event) }
            .map_err(|error| unusable(error.to_string()));
    }
    // SAFETY: as above: an event of the driver of `exec`'s device.
    Ok(unsafe { exec.stream().wait_raw(event) }?)
}

/// An event at an address that does not change, filled once.
#[derive(Debug)]
pub(super) struct EventCell {
    handle: AtomicPtr<c_void>,
    event: OnceLock<Event>,
}

impl EventCell {
    pub(super) fn new() -> Self {
        Self { handle: AtomicPtr::new(ptr::null_mut()), event: OnceLock::new() }
    }

    pub(super) fn fill(&self, event: Event) {
        let event = self.event.get_or_init(|| event);
        self.handle.store(event.as_raw(), Ordering::Release);
    }

    /// The address of the driver's handle; null while there is none.
    pub(super) fn address(&self) -> *mut c_void {
        match self.event.get() {
            Some(_) => (&raw const self.handle).cast_mut().cast(),
            None => ptr::null_mut(),
        }
    }
}
