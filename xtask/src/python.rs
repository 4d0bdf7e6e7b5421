//! `cargo xtask python`: the tests of the Python package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::unified;
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
    /// Build a wheel, import it in a new environment that has nothing else, and run the tests on it as it was installed
    #[arg(long, conflicts_with_all = ["unified", "bench"])]
    wheel: bool,
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

impl Options {
    /// Adds the features and the profile to a command.
    fn choose(&self, command: &mut Command) {
        let features: Vec<_> =
            self.features.iter().filter(|name| *name != "none").map(String::as_str).collect();
        if !features.is_empty() {
            command.args(["--features", &features.join(",")]);
        }
        if self.release {
            command.arg("--release");
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let python = if options.heavy {
        conformance::environment("python-heavy", &format!("{REQUIREMENTS}{HEAVY}"))?
    } else {
        conformance::environment("python", REQUIREMENTS)?
    };
    let tests = workspace::root().join("python");
    let mut command = Command::new(&python);
    if options.wheel {
        install_wheel(&python, options)?;
        // Beside the sources they would be imported in place of what was installed.
        command.current_dir(workspace::target().join(WHEEL));
    } else if options.unified {
        build_unified()?;
        command.current_dir(&tests);
    } else {
        install(&python, options)?;
        command.current_dir(&tests);
    }
    command.env("PYTHONPYCACHEPREFIX", workspace::target().join("python/cache"));
    if options.bench {
        command.args(["-m", "benches.figures", "--rust"]).arg(build_figures(options)?);
    } else {
        command.args([
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--numprocesses",
            "auto",
            "--dist",
            "worksteal",
        ]);
        if options.wheel {
            command.arg("--rootdir").arg(&tests).arg("--config-file").arg(tests.join("pyproject.toml"));
        }
        if options.heavy {
            command.env("COLUMNADE_TEST_HEAVY", "1");
        }
    }
    let arguments = options.arguments.iter();
    command.args(arguments.map(|argument| {
        let is_place = options.wheel && argument.starts_with("tests");
        if is_place { tests.join(argument).display().to_string() } else { argument.clone() }
    }));
    if options.wheel && !options.arguments.iter().any(|argument| argument.starts_with("tests")) {
        command.arg(tests.join("tests"));
    }
    let succeeded = succeed(&mut command)?;
    if options.wheel {
        succeed(Command::new(&python).args(["-m", "pip", "uninstall", "--quiet", "--yes", "columnade"]))?;
    }
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A program that runs with the standard library alone.
const SMOKE: &str = r#"
import importlib.metadata, pathlib, sys
import columnade as cn

folder = pathlib.Path(cn.__file__).parent
assert pathlib.Path(sys.prefix) in folder.parents, f"{folder} is not what was installed"
assert (folder / "py.typed").exists() and (folder / "_columnade.pyi").exists()
assert cn.__version__ == importlib.metadata.version("columnade")
frame = cn.DataFrame({"city": ["Turin", "Oslo", "Turin"], "units": [3, 1, 4]})
made = frame.group_by("city", sort=True).agg(cn.col("units").sum()).to_dict()
assert made == {"city": ["Oslo", "Turin"], "units": [1, 7]}, made
print(f"columnade {cn.__version__} from its wheel, devices {', '.join(cn.available_devices())}")
"#;

/// The folder under `target` for the wheel and a new environment.
const WHEEL: &str = "python-wheel";

/// Builds a wheel, sees that it runs in a new environment, and installs it in that of `python`.
fn install_wheel(python: &Path, options: &Options) -> Result<(), String> {
    let folder = workspace::target().join(WHEEL);
    let _ = fs::remove_dir_all(&folder);
    let wheels = folder.join("wheels");
    let mut maturin = maturin(python, "build")?;
    options.choose(&mut maturin);
    if !succeed(maturin.arg("--out").arg(&wheels))? {
        return Err("the wheel was not built".to_owned());
    }
    let wheel = fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    let wheel = wheel.flatten().map(|entry| entry.path());
    let wheel: Vec<_> = wheel.filter(|path| path.extension().is_some_and(|ending| ending == "whl")).collect();
    let [wheel] = wheel.as_slice() else {
        return Err(format!("{} wheels were built", wheel.len()));
    };
    let new = folder.join("environment");
    let fresh = new.join("bin/python");
    let install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall"];
    let step = |purpose: &str, command: &mut Command| {
        if succeed(command)? { Ok(()) } else { Err(format!("{purpose} failed; its own message is above")) }
    };
    step("making an environment", Command::new("python3").args(["-m", "venv", "--clear"]).arg(&new))?;
    step("installing the wheel", Command::new(&fresh).args(install).arg(wheel))?;
    step("using the wheel", Command::new(&fresh).args(["-c", SMOKE]).current_dir(&folder))?;
    step("installing the wheel for its tests", Command::new(python).args(install).arg(wheel))
}

/// A command of maturin for the package.
fn maturin(python: &Path, command: &str) -> Result<Command, String> {
    let environment = python.parent().and_then(Path::parent).ok_or("the environment has no folder")?;
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", command, "--quiet", "--manifest-path"]);
    maturin.arg(workspace::root().join("python/Cargo.toml"));
    maturin.env("VIRTUAL_ENV", environment).env("CARGO_TARGET_DIR", workspace::target());
    // Set by the cargo that runs this, for this package.
    maturin.env_remove("CARGO").env_remove("CARGO_MANIFEST_DIR");
    Ok(maturin)
}

/// Builds the package, and makes it importable in the environment of `python` from where it lies.
fn install(python: &Path, options: &Options) -> Result<(), String> {
    let mut maturin = maturin(python, "develop")?;
    options.choose(maturin.arg("--skip-install"));
    if succeed(&mut maturin)? { Ok(()) } else { Err("the package was not built".to_owned()) }
}

/// Builds the program of Rust that the figures are compared with.
fn build_figures(options: &Options) -> Result<PathBuf, String> {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--quiet", "--package", "columnade-python", "--example", "figures"]);
    options.choose(&mut cargo);
    if !succeed(&mut cargo)? {
        return Err("the program to compare with was not built".to_owned());
    }
    let profile = if options.release { "release" } else { "debug" };
    Ok(workspace::target().join(profile).join("examples/figures"))
}

/// Builds the package as a part of the workspace, and makes it importable from its folder.
fn build_unified() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("--unified: modules of Python are linked by maturin here".to_owned());
    }
    if !succeed(&mut unified::libraries(true, false)?)? {
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
