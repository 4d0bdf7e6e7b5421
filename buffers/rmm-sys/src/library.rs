//! The shim's functions, loaded once.

use crate::{Error, Result};
use std::env;
use std::ffi::CStr;
use std::fs;
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

/// The paths to try: only what `COLUMNADE_RMM` names, if set; otherwise the folders of the program and of the library
/// that holds this code, as a module of Python does, `lib` in each and in its parent, and the build's output folder.
fn places() -> Vec<PathBuf> {
    if let Some(named) = env::var_os("COLUMNADE_RMM").filter(|value| !value.is_empty()) {
        return vec![named.into()];
    }
    let files = [env::current_exe().ok(), own_file()];
    let mut folders: Vec<&Path> = files.iter().flatten().filter_map(|file| file.parent()).collect();
    folders.dedup();
    folders
        .into_iter()
        .flat_map(|folder| {
            [folder.join(NAME), folder.join("lib").join(NAME), folder.join("../lib").join(NAME)]
        })
        .chain([PathBuf::from(env!("COLUMNADE_RMM_BUILT"))])
        .collect()
}

/// The program or library that this code was loaded from, by the system's list of what is mapped.
fn own_file() -> Option<PathBuf> {
    file_at(&fs::read_to_string("/proc/self/maps").ok()?, places as *const () as usize)
}

/// The file mapped at `address`: lines are `from-to access offset device inode path`.
fn file_at(maps: &str, address: usize) -> Option<PathBuf> {
    maps.lines().find_map(|line| {
        let mut fields = line.splitn(6, ' ');
        let (from, to) = fields.next()?.split_once('-')?;
        let bound = |text| usize::from_str_radix(text, 16).ok();
        let is_inside = (bound(from)?..bound(to)?).contains(&address);
        let path = fields.nth(4)?.trim_start();
        (is_inside && path.starts_with('/')).then(|| path.into())
    })
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

#[cfg(test)]
mod tests {
    use super::{file_at, own_file};
    use std::env;
    use std::path::PathBuf;

    #[test]
    fn own_file_of_test_is_its_program() {
        assert_eq!(own_file(), env::current_exe().ok());
    }

    #[test]
    fn file_at_finds_mapping_that_holds_address() {
        let maps = "1000-2000 r-xp 00000000 fe:01 12                         /usr/lib/a b.so\n\
                    2000-3000 rw-p 00000000 00:00 0 \n\
                    3000-4000 rw-p 00000000 00:00 0                          [heap]\n";
        assert_eq!(file_at(maps, 0x1fff), Some(PathBuf::from("/usr/lib/a b.so")));
        for address in [0xfff, 0x2000, 0x3000, 0x4000] {
            assert_eq!(file_at(maps, address), None, "{address:#x}");
        }
    }
}
