//! What can go wrong with memory and devices.

use crate::{Device, Tier};

/// The result of an operation on memory or a device.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with memory and devices. Variants and fields are interface; texts are not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A resource could not give the memory that was asked for.
    #[error("out of memory on {device}: {requested} bytes were asked for{}{}", in_parentheses(*free), after(below.as_deref()))]
    OutOfMemory {
        /// Where the memory was to be.
        device: Device,
        /// Bytes asked for, padding included.
        requested: usize,
        /// Bytes that were free, where the resource knows.
        free: Option<usize>,
        /// Why what is spillable did not make room: what the last tier said when it took no more, if it did so of late.
        below: Option<Box<Error>>,
    },
    /// A call to the device's driver or runtime failed.
    #[error("{call} failed on {device}: {text} (code {code})")]
    Device {
        /// The device called.
        device: Device,
        /// The name of the driver or runtime function.
        call: &'static str,
        /// The code it returned.
        code: i32,
        /// What the driver or runtime says of that code.
        text: String,
    },
    /// The device does not exist here, or this build cannot use it.
    #[error("{device} cannot be used: {reason}")]
    NoDevice {
        /// The device asked for.
        device: Device,
        /// Why it cannot be used.
        reason: String,
    },
    /// Memory of one device was given to an operation on another. Nothing moves by itself: see
    /// [`Buffer::copy_to`](crate::Buffer::copy_to).
    #[error("memory on {found} was given to an operation on {expected}; copy it there first")]
    DeviceMismatch {
        /// The device of the operation.
        expected: Device,
        /// The device of the memory.
        found: Device,
    },
    /// As many guards or leases of one allocation live at a time as can be counted. Nothing has happened to it.
    #[error("{most} {holders} of one allocation on {device} live already, and no more can be counted")]
    TooManyHolders {
        /// Where the memory is.
        device: Device,
        /// What there are too many of: `guards`, `leases`, `leases to writers`.
        holders: &'static str,
        /// The most that there can be.
        most: u64,
    },
    /// An environment variable or a setting has a value that means nothing.
    #[error("{variable} is {value:?}, which is not {expected}")]
    Option {
        /// The variable or setting.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A tier below the device could not take or give bytes. What was stored before is as it was.
    #[error("{tier} memory: {operation} of {bytes} bytes failed: {reason}")]
    Storage {
        /// The tier.
        tier: Tier,
        /// What was tried: `reserve`, `write`, `read`, `create`.
        operation: &'static str,
        /// Bytes that it was about.
        bytes: usize,
        /// Why not.
        reason: String,
    },
    /// A feature that is not there.
    #[error("{feature} is not implemented")]
    NotImplemented {
        /// What is missing.
        feature: &'static str,
    },
    /// A library that is opened at run time is missing or does not fit.
    #[error("{library} cannot be used: {reason}")]
    Library {
        /// The library's name.
        library: &'static str,
        /// Why it cannot be used, and what to do about it.
        reason: String,
    },
}

impl Error {
    /// Memory of which nothing more is known than that it cannot be had.
    pub(crate) fn out_of_memory(device: Device, requested: usize) -> Self {
        Self::OutOfMemory { device, requested, free: None, below: None }
    }
}

fn after(below: Option<&Error>) -> String {
    below.map_or_else(String::new, |below| format!("; nothing more could be spilled: {below}"))
}

fn in_parentheses(free: Option<usize>) -> String {
    free.map_or_else(String::new, |free| format!(" ({free} are free)"))
}
