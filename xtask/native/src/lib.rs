//! Columnade: compiles C++ and CUDA sources from build scripts.
//!
//! Three packages have native sources: the simulator's runtime (`buffers/sim-sys`), the RMM shim
//! (`buffers/rmm-sys`) and the kernels. Their build scripts describe *what* is compiled as [`Job`]s; this crate
//! decides what is out of date, runs the compilers in parallel, archives the objects and tells cargo what to
//! watch and to link. It calls the compilers directly, because header dependencies (`-MD`) decide most rebuilds.
//!
//! | module | holds |
//! | --- | --- |
//! | [`job`] | [`Job`], [`compile`]: dependency-tracked parallel compilation |
//! | [`archive`](mod@archive) | static libraries, and what to link after them |
//! | [`flavour`] | the simulator's flavours and the command lines of the C++ compiler and nvcc |
//! | [`toolkit`] | where the CUDA toolkit, RMM and libclang are |
//! | [`abi`] | a C++ header from the `abi!` block of a Rust file |
//!
//! Every function returns [`Error`]; a build script runs inside [`build_script`], which prints an error as
//! `cargo::error=` lines, so that a user reads sentences and not a backtrace.

pub mod abi;
pub mod archive;
mod error;
pub mod flavour;
pub mod job;
mod paths;
pub mod toolkit;

pub use abi::AbiHeaders;
pub use archive::{archive, link_cpp};
pub use error::Error;
pub use flavour::{Flavour, cxx, nvcc, nvcc_ptx};
pub use job::{Job, compile};
pub use paths::{env_var, manifest_dir, object_dir, out_dir};

/// Runs a build script's body; on an error prints it for cargo, line by line, and exits with code 1.
pub fn build_script(body: impl FnOnce() -> Result<(), Error>) {
    if let Err(error) = body() {
        for line in error.to_string().lines() {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}
