//! Columnade: RMM memory resources behind a C interface, opened at run time.
//!
//! The C++ side (`shim/`) is a shared library of its own, `libcolumnade_rmm.so`, which links `librmm.so`. It
//! is opened on first use, so that a program built with the feature `cuda` starts on a machine without
//! either. Without that feature the crate is empty.
//!
//! `Resource` creates and stacks RMM's resources; `Error` is the error of a failed call.
#![cfg(feature = "cuda")]

mod callback;
mod error;
mod library;
mod resource;
#[cfg(test)]
mod tests;

pub use callback::Memory;
pub use error::{Error, Result};
pub use resource::{
    Counter, DeviceMemory, Outstanding, PoolUsage, Resource, Statistics, device_memory, version,
};

/// A CUDA stream; null is the default stream.
pub type Stream = *mut std::ffi::c_void;

/// Alignment of every allocation, in bytes.
pub const ALIGNMENT: usize = 256;
