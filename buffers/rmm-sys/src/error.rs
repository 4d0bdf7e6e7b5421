//! Errors of calls into RMM.

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
        /// The paths that were tried, in this order.
        places: Vec<PathBuf>,
        /// The loader's message for the last path with a file, or that there was none.
        reason: String,
    },
    /// No driver, a driver older than the build's CUDA toolkit, or no device.
    #[error("no CUDA device: {text}")]
    NoDevice {
        /// CUDA's message.
        text: String,
    },
    /// Out of memory.
    #[error("out of memory: {bytes} bytes requested")]
    OutOfMemory {
        /// The size of the request.
        bytes: usize,
    },
    /// RMM refused the arguments, or CUDA failed.
    #[error("RMM's {call} failed: {text}")]
    Rmm {
        /// The function called.
        call: &'static str,
        /// RMM's message.
        text: String,
    },
}

fn list(places: &[PathBuf]) -> String {
    places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
}
