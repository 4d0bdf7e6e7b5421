//! Devices as the interface names them, and the order of work between producer and consumer.

use super::DLPACK;
use super::abi::DLDevice;
use super::request::ConsumerStream;
use crate::Result;
use crate::tensor::TensorFault;
use columnade_buffers::{Device, Exec, Lease};
use std::ffi::c_void;
use std::ptr;

impl DLDevice {
    /// The device of memory of ours on `device`.
    pub fn of(device: Device) -> Self {
        match device {
            Device::Host => Self::CPU,
            Device::Sim => Self { device_type: Self::TYPE_EXT_DEV, device_id: 0 },
            Device::Cuda(ordinal) => {
                Self { device_type: Self::TYPE_CUDA, device_id: i32::try_from(ordinal).unwrap_or(i32::MAX) }
            }
        }
    }

    /// The device on which memory of this one is used: page-locked memory is the host's, managed memory its GPU's.
    ///
    /// # Errors
    /// [`Error::Tensor`](crate::Error::Tensor) for a device that this build or machine cannot use.
    pub fn device(self) -> Result<Device> {
        let device = match (self.device_type, self.device_id) {
            // As with Arrow, also where no number is meant.
            (Self::TYPE_CPU, -1 | 0) | (Self::TYPE_CUDA_HOST, -1..) => Device::Host,
            (Self::TYPE_CUDA | Self::TYPE_CUDA_MANAGED, ordinal @ 0..) => {
                Device::Cuda(ordinal.cast_unsigned())
            }
            (Self::TYPE_EXT_DEV, 0) => Device::Sim,
            (
                Self::TYPE_CPU
                | Self::TYPE_CUDA_HOST
                | Self::TYPE_CUDA
                | Self::TYPE_CUDA_MANAGED
                | Self::TYPE_EXT_DEV,
                _,
            ) => return Err(self.unusable("it has no such id")),
            _ => return Err(self.unusable("this library does not know the type")),
        };
        device.require().map_err(|error| self.unusable(error.to_string()))?;
        Ok(device)
    }

    pub(super) fn unusable(self, reason: impl Into<String>) -> crate::Error {
        let Self { device_type, device_id } = self;
        DLPACK.error("device", TensorFault::Device { device_type, device_id, reason: reason.into() })
    }
}

/// CUDA's handles of its two default streams, which are the interface's numbers too.
const LEGACY_DEFAULT: usize = 1;
const PER_THREAD_DEFAULT: usize = 2;

/// Makes the consumer's stream wait for all work that fills leased memory of `exec`'s device.
pub(super) fn hand_over(leases: &[Lease], stream: ConsumerStream, exec: &Exec) -> Result<()> {
    if exec.device() == Device::Host {
        return stream.require_none("the host has no streams");
    }
    let raw: *mut c_void = match stream {
        ConsumerStream::NoSynchronisation => return Ok(()),
        ConsumerStream::Unspecified | ConsumerStream::LegacyDefault => {
            ptr::without_provenance_mut(LEGACY_DEFAULT)
        }
        ConsumerStream::PerThreadDefault => ptr::without_provenance_mut(PER_THREAD_DEFAULT),
        ConsumerStream::Handle(handle) => handle.as_raw(),
    };
    leases.iter().try_for_each(|lease| lease.order(exec.stream()))?;
    let filled = exec.stream().record()?;
    if exec.device() == Device::Sim && raw.addr() <= PER_THREAD_DEFAULT {
        // The simulator has no default streams: what any stream may do next comes after this.
        return Ok(filled.synchronize()?);
    }
    // SAFETY: a default stream of CUDA's, or a handle whose maker promised that it is a live stream of the device.
    Ok(unsafe { filled.hold_back(raw) }?)
}
