//! `cargo xtask gpu-bundle`: all that a machine with a GPU needs to test and time this tree, without Rust.
//!
//! ```text
//! dist/gpu-bundle/
//!   run.sh       runs everything, writes one JSON record
//!   commit.txt   what was built
//!   suites/      the test programs of every crate
//!   examples/    TPC-H, work under a limit, failures of memory and files, threads that share memory, and a program that
//!                says which devices there are
//!   benches/     the benchmarks
//!   lib/         the RMM shim with RMM and its logger
//!   python/      the Python package, and its tests of what GPU libraries exchange with it
//!   sanitizer/   Compute Sanitizer
//! ```

mod check;
mod programs;
mod python;
mod sanitizer;

use crate::workspace;
use columnade_native::toolkit::Rmm;
use programs::{Built, Program};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The script that the bundle is run by.
const RUN: &str = include_str!("run.sh");

/// The most bytes of the archive: it travels to the machine.
const LARGEST_ARCHIVE: u64 = 60 << 20;

/// The architecture that a bundle is for, unless `COLUMNADE_CUDA_ARCH` names another.
const ARCHITECTURE: &str = "sm_90";

/// Pack test suites, example, benchmarks and libraries for a machine with a GPU into dist/gpu-bundle.tar.xz
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Unpack the archive to a temporary folder and start its programs on this machine, which has no GPU
    #[arg(long)]
    check: bool,
}

/// Builds the bundle, or checks the one that was built.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let dist = workspace::root().join("dist");
    let archive = dist.join("gpu-bundle.tar.xz");
    if options.check {
        return check::run(&archive);
    }
    let folder = dist.join("gpu-bundle");
    let built = programs::build(ARCHITECTURE)?;
    assemble(&folder, &built)?;
    let bytes = pack(&folder, &archive)?;
    let mebibytes = |bytes: u64| format!("{}.{} MiB", bytes >> 20, ((bytes % (1 << 20)) * 10) >> 20);
    println!("{}: {} ({} programs)", archive.display(), mebibytes(bytes), built.programs.len());
    if bytes > LARGEST_ARCHIVE {
        return Err(format!("the archive is larger than {}", mebibytes(LARGEST_ARCHIVE)));
    }
    println!("on a machine with a GPU: tar -xJf gpu-bundle.tar.xz && gpu-bundle/run.sh");
    Ok(ExitCode::SUCCESS)
}

/// Lays the bundle out anew.
fn assemble(folder: &Path, built: &Built) -> Result<(), String> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| format!("{}: {error}", path.display())
    };
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed(folder))?;
    }
    let lib = folder.join("lib");
    fs::create_dir_all(&lib).map_err(failed(&lib))?;
    for Program { kind, name, path } in &built.programs {
        let to = folder.join(kind.folder()).join(name);
        fs::create_dir_all(folder.join(kind.folder())).map_err(failed(&to))?;
        strip(path, &to)?;
    }
    strip(&built.shim, &lib.join("libcolumnade_rmm.so"))?;
    for from in Rmm::find()?.libraries {
        let to = lib.join(from.file_name().unwrap_or_default());
        fs::copy(&from, &to).map_err(failed(&from))?;
    }
    sanitizer::assemble(&folder.join("sanitizer"))?;
    python::assemble(&folder.join("python"), &built.module)?;
    let script = folder.join("run.sh");
    fs::write(&script, RUN).map_err(failed(&script))?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).map_err(failed(&script))?;
    let commit = folder.join("commit.txt");
    fs::write(&commit, commit_name()?).map_err(failed(&commit))
}

/// The commit that was built, and whether the tree differed from it.
fn commit_name() -> Result<String, String> {
    let commit = workspace::git(&["rev-parse", "HEAD"])?;
    let changes = workspace::git(&["status", "--porcelain"])?;
    let mark = if changes.trim().is_empty() { "" } else { " with changes" };
    Ok(format!("{}{mark}\n", commit.trim()))
}

/// A copy without symbols.
fn strip(from: &Path, to: &Path) -> Result<(), String> {
    let mut command = Command::new("strip");
    command.arg("--strip-all").arg("-o").arg(to).arg(from);
    tool(&mut command)
}

/// Packs the folder and returns the archive's size.
fn pack(folder: &Path, archive: &Path) -> Result<u64, String> {
    let mut command = Command::new("tar");
    // A dictionary of 32 MiB sees that the suites hold the same kernels: 55 MiB where 4 MiB give 67.
    command.env("XZ_OPT", "-8 -T2");
    command.arg("-cJf").arg(archive).arg("-C").arg(folder.parent().unwrap_or(folder));
    command.args(["--owner=0", "--group=0"]).arg(folder.file_name().unwrap_or_default());
    tool(&mut command)?;
    fs::metadata(archive).map(|data| data.len()).map_err(|error| format!("{}: {error}", archive.display()))
}

/// Runs a program of the system.
fn tool(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().display().to_string();
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => Err(format!("cannot run {name}, which the bundle is made with: {error}")),
    }
}

/// A folder in the system's place for such, unique to this process.
fn scratch_folder() -> PathBuf {
    std::env::temp_dir().join(format!("columnade-gpu-bundle-{}", std::process::id()))
}
