//! `cargo xtask capi`: the C library, as programs find it.
//!
//! ```text
//! target/capi/
//!   include/columnade.h
//!   lib/libcolumnade.so             → the next
//!   lib/libcolumnade.so.0.1         → the next; what programs ask for
//!   lib/libcolumnade.so.0.1.0
//!   lib/libcolumnade.a
//!   lib/pkgconfig/columnade.pc
//! ```

use crate::{test, workspace};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const PACKAGE: &str = "columnade-capi";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Build the C library and install it, its header and its pkg-config file in a folder
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Where to; default: `capi` in the target folder
    #[arg(long, value_name = "FOLDER")]
    prefix: Option<PathBuf>,
    /// Devices beside the host: sim, cuda
    #[arg(long, value_delimiter = ',', value_name = "FEATURES")]
    features: Vec<String>,
    /// Build without optimisations
    #[arg(long)]
    debug: bool,
}

/// Builds and installs.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let target = test::flavour()?.map_or_else(workspace::target, test::target_of);
    let mut build = workspace::cargo();
    build.env("CARGO_TARGET_DIR", &target).args(["build", "--package", PACKAGE]);
    if !options.debug {
        build.arg("--release");
    }
    if !options.features.is_empty() {
        let features: Vec<_> = options.features.iter().map(|name| format!("{PACKAGE}/{name}")).collect();
        build.args(["--features", &features.join(",")]);
    }
    let status = build.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!("{PACKAGE} was not built"));
    }
    let built = target.join(if options.debug { "debug" } else { "release" });
    let prefix = options.prefix.clone().unwrap_or_else(|| target.join("capi"));
    let needs_cpp = options.features.iter().any(|name| name == "sim" || name == "cuda");
    install(&built, &prefix, needs_cpp).map_err(|error| format!("{}: {error}", prefix.display()))?;
    println!("{}", prefix.display());
    Ok(ExitCode::SUCCESS)
}

fn install(built: &Path, prefix: &Path, needs_cpp: bool) -> io::Result<()> {
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    let pkg_config = lib.join("pkgconfig");
    fs::create_dir_all(&include)?;
    fs::create_dir_all(&pkg_config)?;
    fs::copy(workspace::root().join("engine/capi/include/columnade.h"), include.join("columnade.h"))?;
    let name = "libcolumnade.so";
    let (asked_for, whole) = (format!("{name}.{}", interface()), format!("{name}.{VERSION}"));
    replace(&built.join(name), &lib.join(&whole))?;
    replace(&built.join("libcolumnade.a"), &lib.join("libcolumnade.a"))?;
    link(&whole, &lib.join(&asked_for))?;
    link(&asked_for, &lib.join(name))?;
    fs::write(pkg_config.join("columnade.pc"), describe(needs_cpp))
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

/// The pkg-config file: it finds the folder that it lies in, so that the prefix can be moved.
fn describe(needs_cpp: bool) -> String {
    let cpp = if needs_cpp { "-lstdc++ " } else { "" };
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         includedir=${{prefix}}/include\n\
         libdir=${{prefix}}/lib\n\
         \n\
         Name: columnade\n\
         Description: Columnar dataframes on the host and on NVIDIA GPUs\n\
         Version: {VERSION}\n\
         Cflags: -I${{includedir}}\n\
         Libs: -L${{libdir}} -lcolumnade\n\
         Libs.private: {cpp}-lpthread -ldl -lm -lrt -lutil -lgcc_s\n"
    )
}
