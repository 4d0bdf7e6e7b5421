//! Devices: where memory is allocated and work runs.

mod callers_context;
mod deferred;
mod forks;
mod handle;
mod host;
mod pinned;
mod word;

#[cfg(feature = "cuda")]
pub(crate) mod cuda;
#[cfg(feature = "sim")]
pub(crate) mod sim;
#[cfg(test)]
#[cfg(not(shuttle))]
#[cfg(feature = "sim")]
mod sim_tests;

use std::ffi::c_void;
use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

pub use callers_context::CallersContext;
pub(crate) use deferred::{defer, in_drop, report_deferred};
pub(crate) use forks::{BackgroundTask, forks};
#[cfg(test)]
#[cfg(not(shuttle))]
pub(crate) use handle::DEVICE_WAITS;
pub(crate) use handle::{EventHandle, StreamHandle, copy, fill, synchronize, synchronize_raw};
pub(crate) use host::memory_info as host_memory_info;
pub use pinned::PinnedMemory;
pub(crate) use word::Word;

/// A device: where memory is allocated and work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Device {
    /// The machine's own memory and cores. Always available.
    Host,
    /// The CUDA simulator, in a build with the feature `sim`: the same kernels, run on the host.
    Sim,
    /// The GPU of this ordinal, in a build with the feature `cuda`.
    Cuda(u32),
}

/// How much memory a device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Unused bytes.
    pub free: usize,
    /// All bytes.
    pub total: usize,
}

/// Names the default device.
const DEVICE_VARIABLE: &str = "COLUMNADE_DEVICE";
/// Lists the devices that [`Device::available`] returns.
const TEST_DEVICES_VARIABLE: &str = "COLUMNADE_TEST_DEVICES";
const DEVICE_SYNTAX: &str = "one of host, sim, cuda or cuda:<ordinal>";

impl Device {
    /// Every device that this build and this machine can use, the host first.
    ///
    /// If the environment variable `COLUMNADE_TEST_DEVICES` is set (`host,cuda:0`), exactly the devices that
    /// it lists. A listed device that cannot be used stays in the list: a test suite that should run on a GPU
    /// then fails on a machine without one, instead of passing without a test.
    ///
    /// # Panics
    ///
    /// If that variable names something that is not a device.
    pub fn available() -> Vec<Self> {
        if let Ok(list) = std::env::var(TEST_DEVICES_VARIABLE) {
            #[expect(
                clippy::panic,
                reason = "a test run with a misspelt device must not pass on fewer devices"
            )]
            return list
                .split(',')
                .map(|name| {
                    Self::parse(TEST_DEVICES_VARIABLE, name.trim()).unwrap_or_else(|error| panic!("{error}"))
                })
                .collect();
        }
        let mut devices = vec![Self::Host];
        if cfg!(feature = "sim") {
            devices.push(Self::Sim);
        }
        devices.extend((0..cuda_devices()).map(Self::Cuda));
        devices
    }

    /// Checks that this device can be used.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`] with the reason: the build lacks the feature, the machine lacks a driver, or the
    /// driver has no device of that ordinal.
    pub fn require(self) -> Result<()> {
        backend(self).map(|_| ())
    }

    /// The default device: the one that `COLUMNADE_DEVICE` names; otherwise the first GPU, in a `cuda` build
    /// with a driver; otherwise the host.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] if the variable names no device, [`Error::NoDevice`] if the device that it names
    /// cannot be used.
    pub fn default_device() -> Result<Self> {
        let device = match std::env::var(DEVICE_VARIABLE) {
            Ok(name) => Self::parse(DEVICE_VARIABLE, &name)?,
            Err(_) if cuda_devices() > 0 => Self::Cuda(0),
            Err(_) => Self::Host,
        };
        device.require()?;
        Ok(device)
    }

    /// Free and total memory of the device; of the machine, for the host and the simulator.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], or [`Error::Device`] when the driver cannot say.
    pub fn memory_info(self) -> Result<MemoryInfo> {
        backend(self)?.memory_info()
    }

    /// Makes this device the calling thread's current one, as kernel launches require. A no-op on the host
    /// and the simulator; cheap if the device is current already.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], or [`Error::Device`] when the driver refuses.
    pub fn make_current(self) -> Result<()> {
        #[cfg(feature = "cuda")]
        if let Self::Cuda(ordinal) = self {
            return cuda::bind(ordinal);
        }
        self.require()
    }

    /// The GPU's compute capability, major and minor; `None` for other devices.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], or [`Error::Device`] when the driver refuses.
    pub fn compute_capability(self) -> Result<Option<(u32, u32)>> {
        #[cfg(feature = "cuda")]
        if let Self::Cuda(ordinal) = self {
            return cuda::compute_capability(ordinal).map(Some);
        }
        self.require().map(|()| None)
    }

    /// How many bytes from `address` on are memory that the device can read: to the end of the allocation, also one of
    /// another library; 0 for an address that is in none. `None` if the device cannot tell, as for the host and for a GPU
    /// that can read all memory of the host.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`], or [`Error::Device`] when the driver refuses.
    pub fn readable_bytes(self, address: usize) -> Result<Option<usize>> {
        backend(self)?.readable_bytes(address)
    }

    /// The alignment in bytes of every allocation on this device.
    pub fn alignment(self) -> usize {
        match self {
            Self::Host => 64,
            Self::Sim | Self::Cuda(_) => 256,
        }
    }

    fn parse(variable: &'static str, name: &str) -> Result<Self> {
        let unknown = || Error::Option { variable, value: name.to_owned(), expected: DEVICE_SYNTAX };
        match name {
            "host" => Ok(Self::Host),
            "sim" => Ok(Self::Sim),
            "cuda" => Ok(Self::Cuda(0)),
            _ => {
                let ordinal = name.strip_prefix("cuda:").ok_or_else(unknown)?;
                ordinal.parse().map(Self::Cuda).map_err(|_| unknown())
            }
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.pad("host"),
            Self::Sim => f.pad("sim"),
            Self::Cuda(ordinal) => f.pad(&format!("cuda:{ordinal}")),
        }
    }
}

impl FromStr for Device {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::parse("device", name)
    }
}

/// The direction of a copy, relative to the device that performs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyKind {
    HostToDevice,
    DeviceToHost,
    WithinDevice,
    /// The driver infers the direction from the addresses.
    ByAddress,
}

/// The operations of a device. Handles are the driver's own: opaque, and null on the host.
///
/// # Safety
///
/// Each method does what its documentation says, in stream order, and touches no other memory.
pub(crate) unsafe trait Backend: Send + Sync {
    fn stream_create(&self) -> Result<*mut c_void>;

    /// # Safety
    ///
    /// `stream` came from `stream_create` of this backend and is not used again.
    unsafe fn stream_destroy(&self, stream: *mut c_void) -> Result<()>;

    /// # Safety
    ///
    /// `stream` is a live stream of this backend.
    unsafe fn stream_synchronize(&self, stream: *mut c_void) -> Result<()>;

    /// Makes work queued on `stream` from now on wait for `event`. The host does not wait.
    ///
    /// # Safety
    ///
    /// Both are live handles of this backend.
    unsafe fn stream_wait_event(&self, stream: *mut c_void, event: *mut c_void) -> Result<()>;

    fn event_create(&self) -> Result<*mut c_void>;

    /// # Safety
    ///
    /// `event` came from `event_create` of this backend and is not used again.
    unsafe fn event_destroy(&self, event: *mut c_void) -> Result<()>;

    /// # Safety
    ///
    /// Both are live handles of this backend.
    unsafe fn event_record(&self, event: *mut c_void, stream: *mut c_void) -> Result<()>;

    /// Whether all work queued before the event was recorded is done.
    ///
    /// # Safety
    ///
    /// `event` is a live event of this backend.
    unsafe fn event_query(&self, event: *mut c_void) -> Result<bool>;

    /// Records the event after all work queued so far on all streams of the device, foreign ones included.
    /// False if the driver does not support it.
    ///
    /// # Safety
    ///
    /// `event` is a live event of this backend.
    unsafe fn event_record_all(&self, event: *mut c_void) -> Result<bool>;

    /// # Safety
    ///
    /// `event` is a live event of this backend.
    unsafe fn event_synchronize(&self, event: *mut c_void) -> Result<()>;

    /// Queues a copy of `bytes` bytes. The ranges do not overlap.
    ///
    /// # Safety
    ///
    /// When the copy runs, `source` is readable and `target` writable for `bytes` bytes, on the sides that
    /// `kind` says. Until then no other code writes to either or reads `target`.
    unsafe fn copy(
        &self,
        target: *mut u8,
        source: *const u8,
        bytes: usize,
        kind: CopyKind,
        stream: *mut c_void,
    ) -> Result<()>;

    /// Queues the setting of `bytes` bytes to `value`.
    ///
    /// # Safety
    ///
    /// `target` is this device's memory, writable for `bytes` bytes when the work runs, and no other code
    /// uses it until then.
    unsafe fn fill(&self, target: *mut u8, value: u8, bytes: usize, stream: *mut c_void) -> Result<()>;

    fn memory_info(&self) -> Result<MemoryInfo>;

    /// See [`Device::readable_bytes`]. The memory is not accessed.
    fn readable_bytes(&self, _address: usize) -> Result<Option<usize>> {
        Ok(None)
    }

    /// Waits on the host for all work queued so far on all streams of the device, foreign ones included.
    fn synchronize(&self) -> Result<()>;

    /// Page-locks host memory, so that copies from and to it run at the link's speed and asynchronously. A
    /// no-op if the host performs the copies.
    ///
    /// # Safety
    ///
    /// `address` is the start of `bytes` bytes of whole pages that stay mapped until they are unregistered.
    unsafe fn register_host(&self, _address: *mut u8, _bytes: usize) -> Result<()> {
        Ok(())
    }

    /// Undoes [`register_host`](Self::register_host).
    ///
    /// # Safety
    ///
    /// `address` was registered with this backend, and all copies that use the memory have run.
    unsafe fn unregister_host(&self, _address: *mut u8) -> Result<()> {
        Ok(())
    }
}

/// The implementation behind a device.
pub(crate) fn backend(device: Device) -> Result<&'static dyn Backend> {
    match device {
        Device::Host => Ok(&host::HostBackend),
        #[cfg(feature = "sim")]
        Device::Sim => Ok(&sim::SimBackend),
        #[cfg(not(feature = "sim"))]
        Device::Sim => Err(not_built(device, "sim")),
        #[cfg(feature = "cuda")]
        Device::Cuda(ordinal) => cuda::backend(ordinal),
        #[cfg(not(feature = "cuda"))]
        Device::Cuda(_) => Err(not_built(device, "cuda")),
    }
}

#[cfg(not(all(feature = "sim", feature = "cuda")))]
fn not_built(device: Device, feature: &str) -> Error {
    Error::NoDevice { device, reason: format!("this build lacks the feature `{feature}`") }
}

/// The number of usable GPUs; 0 if the driver fails. [`Device::require`] gives the reason.
fn cuda_devices() -> u32 {
    #[cfg(feature = "cuda")]
    return cuda::count().unwrap_or(0);
    #[cfg(not(feature = "cuda"))]
    0
}
