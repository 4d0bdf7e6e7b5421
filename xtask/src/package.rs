//! `cargo xtask package`: the published crates as cargo would upload them.

use crate::workspace::{self, Package};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// What every crate holds besides its sources.
const PAPERS: [&str; 3] = ["Cargo.toml", "LICENSE", "README.md"];

/// Package every published crate, and see that licence, README and the sources of kernels are in it
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Also build the crates from their packages, with the simulator
    #[arg(long)]
    verify: bool,
}

/// Packages the crates and reads what is in them.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let packages = workspace::packages()?;
    let published: Vec<&Package> = packages.iter().filter(|package| package.is_published).collect();
    let mut command = workspace::cargo();
    command.args(["package", "--allow-dirty"]);
    command.args(published.iter().flat_map(|package| ["--package", &package.name]));
    if options.verify {
        let sim = published.iter().filter(|package| package.has("sim"));
        let sim: Vec<_> = sim.map(|package| format!("{}/sim", package.name)).collect();
        command.args(["--features", &sim.join(",")]);
    } else {
        command.args(["--no-verify", "--quiet"]);
    }
    succeed(&mut command)?;
    let mut missing = Vec::new();
    for package in &published {
        let files = listed(package)?;
        let sources = sources(package)?;
        let wanted = PAPERS.into_iter().chain(sources.iter().map(String::as_str));
        missing.extend(
            wanted
                .filter(|&name| files.iter().all(|file| file != name))
                .map(|name| (&package.name, name.to_owned())),
        );
    }
    for (package, file) in &missing {
        eprintln!("error: {package} is packaged without {file}");
    }
    let folders = published.iter().map(|package| package.folder.as_str()).chain(["python"]);
    let other: Vec<&str> = other_licences(folders)?;
    for folder in &other {
        eprintln!("error: {folder}/LICENSE is not the text of LICENSE");
    }
    println!("package: {} crates, {} files missing", published.len(), missing.len() + other.len());
    Ok(if missing.is_empty() && other.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folders whose licence is not that of the workspace, as a text that only names it is not.
fn other_licences<'a>(folders: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>, String> {
    let read = |path: PathBuf| fs::read(&path).map_err(|error| format!("{}: {error}", path.display()));
    let root = workspace::root();
    let whole = read(root.join("LICENSE"))?;
    let mut other = Vec::new();
    for folder in folders {
        if read(root.join(folder).join("LICENSE"))? != whole {
            other.push(folder);
        }
    }
    Ok(other)
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("cargo package failed; its own message is above".to_owned()) }
}

/// The files of the package, from its folder.
fn listed(package: &Package) -> Result<Vec<String>, String> {
    let mut command = workspace::cargo();
    let output = command.args(["package", "--list", "--allow-dirty", "--package", &package.name]).output();
    let output = output.map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}: {}", package.name, String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.replace('\\', "/")).collect())
}

/// The sources in CUDA, C and C++ that the package's build script compiles, from its folder.
fn sources(package: &Package) -> Result<Vec<String>, String> {
    let patterns =
        ["cu", "cuh", "c", "cpp", "h", "hpp"].map(|ending| format!("{}/*.{ending}", package.folder));
    let mut arguments = vec!["ls-files", "--"];
    arguments.extend(patterns.iter().map(String::as_str));
    let nested = workspace::packages()?;
    let nested: Vec<_> = nested
        .iter()
        .filter(|other| {
            other.folder.len() > package.folder.len() && other.folder.starts_with(&package.folder)
        })
        .map(|other| format!("{}/", other.folder))
        .collect();
    let prefix = format!("{}/", package.folder);
    let files = workspace::git(&arguments)?;
    let own = files.lines().filter(|file| nested.iter().all(|folder| !file.starts_with(folder)));
    Ok(own.filter_map(|file| file.strip_prefix(&prefix)).map(str::to_owned).collect())
}
