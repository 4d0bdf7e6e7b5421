//! Errors of memory and devices.

use crate::{Device, Tier};

/// The result of an operation on memory or a device.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of memory or a device. Variants and fields are stable; messages are not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A resource could not provide the requested memory.
    #[error("out of memory on {device}: {requested} bytes were asked for{}{}", in_parentheses(*free), after(tier_refusal.as_deref()))]
    OutOfMemory {
        /// The device of the allocation.
        device: Device,
        /// Requested bytes, padding included.
        requested: usize,
        /// Free bytes, if the resource knows.
        free: Option<usize>,
        /// Why spilling did not free memory: the error with which the last tier recently refused bytes.
        tier_refusal: Option<Box<Error>>,
    },
    /// A call to the device's driver or runtime failed.
    #[error("{call} failed on {device}: {text} (code {code})")]
    Device {
        /// The device.
        device: Device,
        /// The name of the driver or runtime function.
        call: &'static str,
        /// The code it returned.
        code: i32,
        /// The driver's or runtime's description of that code.
        text: String,
    },
    /// The device does not exist, or this build cannot use it.
    #[error("{device} cannot be used: {reason}")]
    NoDevice {
        /// The requested device.
        device: Device,
        /// Why it cannot be used.
        reason: String,
    },
    /// Memory of one device was passed to an operation on another. No operation copies between devices
    /// implicitly: see [`Buffer::copy_to`](crate::Buffer::copy_to).
    #[error("memory on {found} was passed to an operation on {expected}; copy it there first")]
    DeviceMismatch {
        /// The device of the operation.
        expected: Device,
        /// The device of the memory.
        found: Device,
    },
    /// The number of live guards or leases of one allocation has reached the largest count. The allocation is
    /// unchanged.
    #[error("one allocation on {device} has {most} live {holders}, the most that can be counted")]
    TooManyHolders {
        /// The device of the allocation.
        device: Device,
        /// What is counted: `guards`, `leases`, `leases to writers`.
        holders: &'static str,
        /// The largest count.
        most: u64,
    },
    /// An environment variable or a setting has an invalid value.
    #[error("{variable} is {value:?}, which is not {expected}")]
    Option {
        /// The variable or setting.
        variable: &'static str,
        /// Its value.
        value: String,
        /// The valid values.
        expected: &'static str,
    },
    /// A lower tier could not store or read bytes. What was stored before is unchanged.
    #[error("{tier} memory: {operation} of {bytes} bytes failed: {reason}")]
    Storage {
        /// The tier.
        tier: Tier,
        /// The operation: `reserve`, `write`, `read`, `create`.
        operation: &'static str,
        /// The number of bytes.
        bytes: usize,
        /// Why it failed.
        reason: String,
    },
    /// A feature that is not implemented.
    #[error("{feature} is not implemented")]
    NotImplemented {
        /// The feature.
        feature: &'static str,
    },
    /// An invariant of this library is broken.
    #[error(
        "internal error: {invariant} does not hold; this is a bug in Columnade, please report it at the project's \
         issue tracker"
    )]
    Internal {
        /// The invariant.
        invariant: &'static str,
    },
    /// A library that is opened at run time is missing or incompatible.
    #[error("{library} cannot be used: {reason}")]
    Library {
        /// The library's name.
        library: &'static str,
        /// Why it cannot be used, and how to fix that.
        reason: String,
    },
}

impl Error {
    /// An out-of-memory error about which no more is known.
    pub(crate) fn out_of_memory(device: Device, requested: usize) -> Self {
        Self::OutOfMemory { device, requested, free: None, tier_refusal: None }
    }
}

fn after(refusal: Option<&Error>) -> String {
    refusal.map_or_else(String::new, |refusal| format!("; nothing more could be spilled: {refusal}"))
}

fn in_parentheses(free: Option<usize>) -> String {
    free.map_or_else(String::new, |free| format!(" ({free} are free)"))
}
