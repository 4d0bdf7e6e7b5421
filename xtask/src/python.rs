//! `cargo xtask python`: the tests of the Python package.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::unified::Build;
use crate::{conformance, workspace};

/// Names and versions of the libraries that the tests exchange data with.
const REQUIREMENTS: &str = include_str!("../../python/requirements-test.txt");

/// Libraries whose wheels are hundreds of megabytes.
const HEAVY: &str = include_str!("../../python/requirements-heavy.txt");

/// Install the Python package in a virtual environment under `target`, and run its tests
#[derive(clap::Args)]
#[command(after_help = "Needs Python with pip and venv, and the package index once.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Options {
    /// Devices beside the host that the package is built for: sim, cuda, none
    #[arg(long, value_delimiter = ',', value_name = "FEATURES", default_value = "sim")]
    features: Vec<String>,
    /// Build as `pip install ./python` does, optimised
    #[arg(long)]
    release: bool,
    /// Build for the simulator with the features of the whole workspace, to reuse what `cargo xtask test` has built (Linux)
    #[arg(long, conflicts_with_all = ["features", "release"])]
    unified: bool,
    /// Run the figures of `python/benches` instead of the tests
    #[arg(long)]
    bench: bool,
    /// Also run the tests with jax and torch, which are downloads of more than 2 GB
    #[arg(long)]
    heavy: bool,
    /// Arguments of pytest, or of the benchmark
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let python = if options.heavy {
        conformance::environment("python-heavy", &format!("{REQUIREMENTS}{HEAVY}"))?
    } else {
        conformance::environment("python", REQUIREMENTS)?
    };
    if options.unified {
        build_unified()?;
    } else {
        install(&python, options)?;
    }
    let mut command = Command::new(&python);
    command.current_dir(workspace::root().join("python"));
    command.env("PYTHONPYCACHEPREFIX", workspace::target().join("python/cache"));
    if options.bench {
        command.arg("benches/figures.py");
    } else {
        command.args(["-m", "pytest", "-p", "no:cacheprovider"]);
        if options.heavy {
            command.env("COLUMNADE_TEST_HEAVY", "1");
        }
    }
    succeed(command.args(&options.arguments))
        .map(|succeeded| if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the package, and makes it importable in the environment of `python` from where it lies.
fn install(python: &Path, options: &Options) -> Result<(), String> {
    let environment = python.parent().and_then(Path::parent).ok_or("the environment has no folder")?;
    let manifest = workspace::root().join("python/Cargo.toml");
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "develop", "--quiet", "--skip-install", "--manifest-path"]).arg(manifest);
    maturin.env("VIRTUAL_ENV", environment).env("CARGO_TARGET_DIR", workspace::target());
    // Set by the cargo that runs this, for this package.
    maturin.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
    let features: Vec<_> =
        options.features.iter().filter(|name| *name != "none").map(String::as_str).collect();
    if !features.is_empty() {
        maturin.args(["--features", &features.join(",")]);
    }
    if options.release {
        maturin.arg("--release");
    }
    if succeed(&mut maturin)? { Ok(()) } else { Err("the package was not built".to_owned()) }
}

/// Builds the package as a part of the workspace, and makes it importable from its folder.
fn build_unified() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("--unified: modules of Python are linked by maturin here".to_owned());
    }
    let mut cargo = Build { sim: true, cuda: false, release: false }.command("build")?;
    if !succeed(cargo.arg("--lib"))? {
        return Err("the package was not built".to_owned());
    }
    let module = workspace::target().join("debug/lib_columnade.so");
    let place = workspace::root().join("python/columnade/_columnade.abi3.so");
    // A file that a process has open is replaced and not written to.
    let _ = fs::remove_file(&place);
    fs::copy(&module, &place)
        .map(|_| ())
        .map_err(|error| format!("cannot copy {} to {}: {error}", module.display(), place.display()))
}

fn succeed(command: &mut Command) -> Result<bool, String> {
    let program = command.get_program().display().to_string();
    command
        .status()
        .map(|status| status.success())
        .map_err(|error| format!("{program} does not start: {error}"))
}
