//! The folders and variables that cargo gives to a build script.

use std::path::{Path, PathBuf};

use crate::Error;

/// An environment variable, if it is set and not empty; the build script runs again when it changes.
pub fn env_var(name: &str) -> Option<String> {
    println!("cargo::rerun-if-env-changed={name}");
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn cargo_dir(name: &str) -> Result<PathBuf, Error> {
    std::env::var_os(name).map(PathBuf::from).ok_or_else(|| Error::Variable {
        name: name.into(),
        value: None,
        expected: "a build script run by cargo",
    })
}

/// The folder of the package being built.
///
/// # Errors
/// Outside a build script.
pub fn manifest_dir() -> Result<PathBuf, Error> {
    cargo_dir("CARGO_MANIFEST_DIR")
}

/// The folder a build script may write to.
///
/// # Errors
/// Outside a build script.
pub fn out_dir() -> Result<PathBuf, Error> {
    cargo_dir("OUT_DIR")
}

/// A folder for objects that all profiles and feature sets share: `<target>/columnade-objects/<build>`.
///
/// `OUT_DIR` has a hash of profile and features in its name, so objects kept there are compiled anew at every
/// switch between `dev` and `release`. `build` names all that changes an object, such as `sim-asan` or
/// `cuda-sm_90`. Builds whose own target folder lies in another one, as `target/ptx` does, share the objects of that.
///
/// # Errors
/// Outside a build script, or when the folder cannot be made.
pub fn object_dir(build: &str) -> Result<PathBuf, Error> {
    let out = out_dir()?;
    let profile_build = out.ancestors().find(|dir| dir.file_name().is_some_and(|name| name == "build"));
    let target = profile_build.and_then(Path::parent).and_then(Path::parent).unwrap_or(&out);
    // Cargo puts this file in a target folder.
    let is_target = |dir: &&Path| dir.join("CACHEDIR.TAG").exists();
    let target = target.parent().filter(is_target).unwrap_or(target);
    let dir = target.join("columnade-objects").join(build);
    std::fs::create_dir_all(&dir).map_err(Error::file(&dir))?;
    Ok(dir)
}
