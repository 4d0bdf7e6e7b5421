//! The shim's functions, found and opened once.

use crate::{Error, Result};
use std::env;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The bindings that the build script writes from `shim.h`.
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

/// The shim. Opened at the first call and never closed; a failure is remembered too.
pub(crate) fn shim() -> Result<&'static ffi::Shim> {
    static SHIM: OnceLock<Result<ffi::Shim>> = OnceLock::new();
    SHIM.get_or_init(|| open(places())).as_ref().map_err(Clone::clone)
}

/// Where to look: what `COLUMNADE_RMM` names and nothing else, or beside the program, in `lib` there and in
/// `lib` above, and where the build left the shim.
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
        // SAFETY: the file carries the shim's name, or is the one that the user named as the shim; its
        // initialisers are those of the C++ and CUDA runtimes and of RMM, which have no preconditions.
        match unsafe { ffi::Shim::new(place) } {
            Ok(shim) => return Ok(shim),
            Err(error) => reason = describe(&error),
        }
    }
    Err(Error::Library { places, reason })
}

/// The loader's own words stand in the source of libloading's error.
fn describe(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// Turns a status into a result. `bytes` is what was asked for, where that is what may run out.
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
