//! `cargo xtask conformance`: other libraries read what we export, and we what they do.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::{capi, test, workspace};

/// Names and versions of the libraries.
const REQUIREMENTS: &str = include_str!("../../tests/conformance/requirements.txt");
/// Not among them: it comes with CUDA, gigabytes of it.
const TORCH: &str = "torch==2.11.0";
const PACKAGE: &str = "columnade-capi";

/// Exchange columns of every dtype with pyarrow, polars, pandas, nanoarrow, numpy and jax, through the C library
#[derive(clap::Args)]
#[command(
    after_help = "Part of `cargo xtask test`. Needs Python with pip and venv, and the package index once."
)]
pub(crate) struct Options {
    /// Also torch, which is a download of more than 2 GB
    #[arg(long)]
    torch: bool,
    /// Devices beside the host that the C library is built for: sim, cuda
    #[arg(long, value_delimiter = ',', value_name = "FEATURES")]
    features: Vec<String>,
    /// Only tests with this in their names
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
}

/// Runs the tests and says how they went.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let mut results = test::Results::default();
    let python = python(options.torch.then_some(TORCH))?;
    let status = exchange(&python, options, &mut |line| {
        println!("{line}");
        results.line(line);
    })?;
    let (_, failed) = results.total(status);
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// As a part of all tests, with the Python that [`python`] found or not: every line goes to `line`; where there is none,
/// one that says so, and an error where nothing may be left out, which is where `CI` is `true`.
pub(crate) fn run_as_part(
    python: Result<PathBuf, String>,
    features: &[String],
    line: &mut dyn FnMut(&str),
) -> Result<bool, String> {
    let features = features.iter().filter_map(|name| name.strip_prefix(PACKAGE)?.strip_prefix('/'));
    let options = Options { torch: false, features: features.map(str::to_owned).collect(), filter: None };
    match python {
        Ok(python) => exchange(&python, &options, line),
        Err(reason) if env::var("CI").as_deref() == Ok("true") => Err(format!("conformance: {reason}")),
        Err(reason) => {
            line(&format!("conformance: skipped: {reason}"));
            Ok(true)
        }
    }
}

/// Builds the C library and runs the tests on it: whether they passed.
fn exchange(python: &Path, options: &Options, line: &mut dyn FnMut(&str)) -> Result<bool, String> {
    let status = capi::debug_build(&options.features)?
        .arg("--quiet")
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!("{PACKAGE} was not built"));
    }
    let library = workspace::target().join("debug/libcolumnade.so");
    let mut command = Command::new(python);
    command.arg(workspace::root().join("tests/conformance/run.py")).arg(library).args(&options.filter);
    // What is compiled lies with what is built; accelerators of the machine are of no account.
    command
        .env("PYTHONPYCACHEPREFIX", workspace::target().join("conformance/cache"))
        .env("JAX_PLATFORMS", "cpu");
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| format!("{}: {error}", python.display()))?;
    for text in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        line(&text.map_err(|error| format!("cannot read what Python prints: {error}"))?);
    }
    Ok(child.wait().map_err(|error| format!("cannot wait for Python: {error}"))?.success())
}

/// A Python that has the libraries and one more, made where there is none.
pub(crate) fn python(more: Option<&str>) -> Result<PathBuf, String> {
    let name = if more.is_some() { "conformance-torch" } else { "conformance" };
    let wanted = more.map_or_else(|| REQUIREMENTS.to_owned(), |more| format!("{REQUIREMENTS}{more}\n"));
    environment(name, &wanted)
}

/// A Python in a virtual environment of this name that has the packages `wanted`, made where there is none.
pub(crate) fn environment(name: &str, wanted: &str) -> Result<PathBuf, String> {
    let folder = workspace::target().join(name);
    let (python, stamp) = (folder.join("bin/python"), folder.join("requirements.txt"));
    if fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    println!(
        "{name}: installing {}",
        wanted.lines().filter(|line| line.contains("==")).collect::<Vec<_>>().join(", ")
    );
    let requirements = folder.join("wanted.txt");
    let make = |program: &Path, arguments: &[&str], purpose: &str| {
        let status = Command::new(program).args(arguments).status();
        match status.map_err(|error| format!("{} does not start: {error}", program.display()))? {
            status if status.success() => Ok(()),
            status => Err(format!("{purpose} failed ({status}); its own message is above")),
        }
    };
    let path = folder.display().to_string();
    make(Path::new("python3"), &["-m", "venv", "--clear", &path], "making a virtual environment")?;
    fs::write(&requirements, wanted).map_err(|error| format!("{}: {error}", requirements.display()))?;
    let list = requirements.display().to_string();
    let pip = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "--requirement", &list];
    make(&python, &pip, "installing the libraries")?;
    fs::rename(&requirements, &stamp).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(python)
}
