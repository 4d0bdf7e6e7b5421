//! What can go wrong between a caller and RMM.

use std::path::PathBuf;

/// The result of a call into RMM.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call into RMM failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The shim, or RMM which it links, could not be opened.
    #[error("RMM is not available: {reason}; looked for {}", list(places))]
    Library {
        /// Where the shim was looked for, in this order.
        places: Vec<PathBuf>,
        /// What the loader said of the last place that had a file, or that there was none.
        reason: String,
    },
    /// No driver, a driver older than the CUDA toolkit that this was built with, or no device.
    #[error("no CUDA device: {text}")]
    NoDevice {
        /// What CUDA said.
        text: String,
    },
    /// The memory is not to be had.
    #[error("out of memory: {bytes} bytes asked for")]
    OutOfMemory {
        /// The size of the request.
        bytes: usize,
    },
    /// RMM refused the arguments, or CUDA failed.
    #[error("RMM's {call} failed: {text}")]
    Rmm {
        /// What was called.
        call: &'static str,
        /// What RMM said.
        text: String,
    },
}

fn list(places: &[PathBuf]) -> String {
    places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
}
