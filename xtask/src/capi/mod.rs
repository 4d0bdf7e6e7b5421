//! `cargo xtask capi`: the C library, as programs find it.
//!
//! ```text
//! target/capi/
//!   include/columnade.h         which includes the next
//!   include/columnade_files.h
//!   lib/libcolumnade.so             → the next
//!   lib/libcolumnade.so.0.2         → the next; what programs ask for
//!   lib/libcolumnade.so.0.2.0
//!   lib/libcolumnade.a          one object, without the symbols of others
//!   lib/pkgconfig/columnade.pc, columnade-static.pc
//!   lib/cmake/Columnade/        for find_package(Columnade)
//! ```

mod archive;
mod package;

use crate::unified;
use crate::{test, workspace};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const PACKAGE: &str = "columnade-capi";
const HEADERS: [&str; 2] = ["columnade.h", "columnade_files.h"];
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Build the C library and install it, its headers and the files of build systems in a folder
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Where to; default: `capi` in the target folder
    #[arg(long, value_name = "FOLDER")]
    prefix: Option<PathBuf>,
    /// Devices beside the host: sim, cuda
    #[arg(long, value_delimiter = ',', value_name = "FEATURES")]
    features: Vec<String>,
    /// Build without optimisations, and with the checks that tests need
    #[arg(long)]
    debug: bool,
}

/// Builds and installs.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let target = test::flavour()?.map_or_else(workspace::target, test::target_of);
    let mut build = if options.debug {
        debug_build(&options.features)?
    } else {
        let mut build = workspace::cargo();
        build.args(["build", "--package", PACKAGE, "--release"]);
        if !options.features.is_empty() {
            let features: Vec<_> = options.features.iter().map(|name| format!("{PACKAGE}/{name}")).collect();
            build.args(["--features", &features.join(",")]);
        }
        build
    };
    build.env("CARGO_TARGET_DIR", &target);
    let status = build.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!("{PACKAGE} was not built"));
    }
    let built = target.join(if options.debug { "debug" } else { "release" });
    let prefix = options.prefix.clone().unwrap_or_else(|| target.join("capi"));
    let needs_cpp = options.features.iter().any(|name| name == "sim" || name == "cuda");
    let headers = install(&built, &prefix).map_err(|error| format!("{}: {error}", prefix.display()))?;
    let lib = prefix.join("lib");
    archive::make(&built.join("libcolumnade.a"), &lib.join("libcolumnade.a"), &headers)?;
    package::write(&lib, needs_cpp).map_err(|error| format!("{}: {error}", lib.display()))?;
    println!("{}", prefix.display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the library without optimisations, with the features of the whole workspace, to reuse what `cargo xtask test` has
/// built.
pub(crate) fn debug_build(features: &[String]) -> Result<Command, String> {
    let has = |wanted: &str| features.iter().any(|name| name == wanted);
    unified::libraries(has("sim"), has("cuda"))
}

/// The headers and the shared library: the texts of the headers.
fn install(built: &Path, prefix: &Path) -> io::Result<Vec<String>> {
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    fs::create_dir_all(&include)?;
    fs::create_dir_all(&lib)?;
    let mut headers = Vec::new();
    for header in HEADERS {
        let text = fs::read_to_string(workspace::root().join("engine/capi/include").join(header))?;
        fs::write(include.join(header), &text)?;
        headers.push(text);
    }
    let name = "libcolumnade.so";
    let (asked_for, whole) = (format!("{name}.{}", interface()), format!("{name}.{VERSION}"));
    replace(&built.join(name), &lib.join(&whole))?;
    link(&whole, &lib.join(&asked_for))?;
    link(&asked_for, &lib.join(name))?;
    Ok(headers)
}

/// The version of the interface, which the library is asked for by: below 1.0 each minor version has another.
fn interface() -> &'static str {
    VERSION.rsplit_once('.').map_or(VERSION, |(interface, _)| interface)
}

/// A copy under a name that a running program may have the old one of.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    remove(to)?;
    fs::copy(from, to).map(|_| ())
}

fn link(to: &str, at: &Path) -> io::Result<()> {
    remove(at)?;
    symlink(to, at)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
