//! The shim's functions, loaded once.

use crate::{Error, Result};
use std::env;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The bindings that the build script generates from `shim.h`.
#[allow(
    dead_code,
    missing_docs,
    non_camel_case_types,
    unreachable_pub,
    clippy::all,
    clippy::allow_attributes_without_reason,
    clippy::pedantic,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::undocumented_unsafe_blocks,
    reason = "generated"
)]
pub(crate) mod ffi {
    include!(concat!(env!("OUT_DIR"), "/shim.rs"));
}

/// The file name of the shim.
const NAME: &str = "libcolumnade_rmm.so";

/// The shim. Opened on the first call and never closed; a failure is cached too.
pub(crate) fn shim() -> Result<&'static ffi::Shim> {
    static SHIM: OnceLock<Result<ffi::Shim>> = OnceLock::new();
    SHIM.get_or_init(|| open(places())).as_ref().map_err(Clone::clone)
}

/// The paths to try: only what `COLUMNADE_RMM` names, if set; otherwise the program's folder, `lib` in it and
/// in its parent, and the build's output folder.
fn places() -> Vec<PathBuf> {
    if let Some(named) = env::var_os("COLUMNADE_RMM").filter(|value| !value.is_empty()) {
        return vec![named.into()];
    }
    let program = env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).into_iter();
    beside
        .flat_map(|folder| {
            [folder.join(NAME), folder.join("lib").join(NAME), folder.join("../lib").join(NAME)]
        })
        .chain([PathBuf::from(env!("COLUMNADE_RMM_BUILT"))])
        .collect()
}

/// Opens the first of `places` that can be opened.
pub(crate) fn open(places: Vec<PathBuf>) -> Result<ffi::Shim> {
    let mut reason = "there is no such file".to_owned();
    for place in places.iter().filter(|place| place.is_file()) {
        // SAFETY: the file has the shim's name, or the user named it as the shim. Its initialisers are those
        // of the C++ and CUDA runtimes and of RMM, which have no preconditions.
        match unsafe { ffi::Shim::new(place) } {
            Ok(shim) => return Ok(shim),
            Err(error) => reason = describe(&error),
        }
    }
    Err(Error::Library { places, reason })
}

/// The loader's own message is the source of libloading's error.
fn describe(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// Converts a status to a result. `bytes` is the requested size, if the call allocates.
pub(crate) fn check(
    shim: &ffi::Shim,
    call: &'static str,
    bytes: usize,
    status: ffi::columnade_rmm_status,
) -> Result<()> {
    if status == ffi::COLUMNADE_RMM_OK {
        return Ok(());
    }
    if status == ffi::COLUMNADE_RMM_OUT_OF_MEMORY {
        return Err(Error::OutOfMemory { bytes });
    }
    // SAFETY: the function takes nothing and returns a string that stays valid until this thread's next call.
    let text = unsafe { CStr::from_ptr(shim.columnade_rmm_last_error()) }.to_string_lossy().into_owned();
    Err(if status == ffi::COLUMNADE_RMM_NO_DEVICE {
        Error::NoDevice { text }
    } else {
        Error::Rmm { call, text }
    })
}
