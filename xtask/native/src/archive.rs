//! Static libraries of objects, and the libraries that must follow them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::job::{modified, run};
use crate::{Error, Flavour};

/// Archives `objects` as `lib<name>.a` in `out` when one of them is newer, and tells cargo to link it.
///
/// # Errors
/// When `ar` is missing or fails.
pub fn archive(name: &str, objects: &[PathBuf], out: &Path) -> Result<PathBuf, Error> {
    let library = out.join(format!("lib{name}.a"));
    let made = modified(&library);
    let list = objects.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join("\n");
    let listed = library.with_extension("list");
    // A removed source leaves no newer object behind, so the list of members counts too.
    let same_members = fs::read_to_string(&listed).is_ok_and(|previous| previous == list);
    if made.is_none() || !same_members || objects.iter().any(|object| modified(object) > made) {
        let _ = fs::remove_file(&library);
        let mut command = Command::new("ar");
        command.arg("crsD").arg(&library).args(objects);
        let output = run(&mut command)?;
        if !output.status.success() {
            let output = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Error::Tool { command: format!("{command:?}"), output });
        }
        fs::write(&listed, list).map_err(Error::file(&listed))?;
    }
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static={name}");
    Ok(library)
}

/// Links what C++ objects of a flavour need: the sanitizers' run times, then the C++ run time.
///
/// The order is the point: an `AddressSanitizer` that does not come first among the needed libraries refuses to
/// start. Call it after every [`archive`](fn@archive) of the package.
pub fn link_cpp(flavour: Flavour) {
    for library in flavour.libraries() {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
}
