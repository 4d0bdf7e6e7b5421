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

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of each variant: one without an arm does not compile.
    fn position(error: &Error) -> usize {
        match error {
            Error::OutOfMemory { .. } => 0,
            Error::Device { .. } => 1,
            Error::NoDevice { .. } => 2,
            Error::DeviceMismatch { .. } => 3,
            Error::TooManyHolders { .. } => 4,
            Error::Option { .. } => 5,
            Error::Storage { .. } => 6,
            Error::NotImplemented { .. } => 7,
            Error::Internal { .. } => 8,
            Error::Library { .. } => 9,
        }
    }

    #[test]
    fn every_error_says_what_is_wrong_once() {
        let (host, sim) = (Device::Host, Device::Sim);
        let full = Error::Storage {
            tier: Tier::Disk,
            operation: "write",
            bytes: 4096,
            reason: "/spill: no space left".to_owned(),
        };
        let cases = [
            (
                Error::OutOfMemory {
                    device: host,
                    requested: 64,
                    free: Some(8),
                    tier_refusal: Some(Box::new(full.clone())),
                },
                "out of memory on host: 64 bytes were asked for (8 are free); nothing more could be spilled: disk \
                 memory: write of 4096 bytes failed: /spill: no space left",
            ),
            (
                Error::Device { device: sim, call: "cudaMalloc", code: 2, text: "out of memory".to_owned() },
                "cudaMalloc failed on sim: out of memory (code 2)",
            ),
            (
                Error::NoDevice { device: Device::Cuda(1), reason: "there is no driver".to_owned() },
                "cuda:1 cannot be used: there is no driver",
            ),
            (
                Error::DeviceMismatch { expected: host, found: sim },
                "memory on sim was passed to an operation on host; copy it there first",
            ),
            (
                Error::TooManyHolders { device: host, holders: "pins", most: 9 },
                "one allocation on host has 9 live pins, the most that can be counted",
            ),
            (
                Error::Option { variable: "COLUMNADE_SPILL", value: "x".to_owned(), expected: "on or off" },
                "COLUMNADE_SPILL is \"x\", which is not on or off",
            ),
            (full, "disk memory: write of 4096 bytes failed: /spill: no space left"),
            (Error::NotImplemented { feature: "peer copies" }, "peer copies is not implemented"),
            (
                Error::Internal { invariant: "each slot has bytes" },
                "internal error: each slot has bytes does not hold; this is a bug in Columnade, please report it at \
                 the project's issue tracker",
            ),
            (
                Error::Library { library: "librmm.so", reason: "it is not there".to_owned() },
                "librmm.so cannot be used: it is not there",
            ),
        ];
        let positions: Vec<usize> = cases.iter().map(|(error, _)| position(error)).collect();
        assert_eq!(positions, (0..10).collect::<Vec<_>>());
        for (error, text) in cases {
            assert_eq!(error.to_string(), text);
        }
        assert_eq!(
            Error::out_of_memory(host, 64).to_string(),
            "out of memory on host: 64 bytes were asked for"
        );
    }
}
