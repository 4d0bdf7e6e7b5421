//! Programs of some packages, built as `cargo xtask test` builds the whole workspace.
//!
//! Cargo unifies the features of the packages that one command selects. A command for one package alone compiles most
//! of the workspace anew, and some of its dependencies. These commands select all packages and build one target.

use crate::workspace::{self, Package};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Devices and checks that are built in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Build {
    pub(crate) sim: bool,
    pub(crate) cuda: bool,
    pub(crate) release: bool,
}

/// A program that cargo has built.
pub(crate) struct Program {
    /// The package's folder, in which cargo runs tests.
    pub(crate) folder: PathBuf,
    pub(crate) package: String,
    pub(crate) executable: PathBuf,
    /// Whether it runs tests: `cargo test` builds the examples besides.
    pub(crate) is_test: bool,
}

impl Build {
    /// The features of the packages, each as `package/feature`.
    pub(crate) fn features(self, packages: &[&Package]) -> Vec<String> {
        let wanted = [("failpoints", true), ("sim", self.sim), ("cuda", self.cuda)];
        let of = |feature: &'static str| {
            let with = packages.iter().filter(move |package| package.has(feature));
            with.map(move |package| format!("{}/{feature}", package.name))
        };
        wanted.iter().filter(|(_, on)| *on).flat_map(|(feature, _)| of(feature)).collect()
    }

    /// `cargo <command> --workspace` with every feature that the build has.
    pub(crate) fn command(self, command: &str) -> Result<Command, String> {
        let packages = workspace::packages()?;
        let mut cargo = workspace::cargo();
        cargo.args([
            command,
            "--workspace",
            "--features",
            &self.features(&packages.iter().collect::<Vec<_>>()).join(","),
        ]);
        if self.release {
            cargo.arg("--release");
        }
        Ok(cargo)
    }
}

/// The command that builds the libraries of the workspace without optimisations, as its tests use them.
pub(crate) fn libraries(sim: bool, cuda: bool) -> Result<Command, String> {
    let mut cargo = Build { sim, cuda, release: false }.command("build")?;
    cargo.arg("--lib");
    Ok(cargo)
}

/// Builds an example and runs it in the workspace's folder with such arguments: whether it succeeds.
pub(crate) fn run_example<'a>(
    build: Build,
    name: &str,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Result<ExitCode, String> {
    let mut cargo = build.command("build")?;
    cargo.args(["--quiet", "--example", name]);
    let programs = self::build(&mut cargo)?;
    let program = programs.first().ok_or_else(|| format!("cargo built no example {name}"))?;
    let mut command = Command::new(&program.executable);
    let status = command.current_dir(workspace::root()).args(arguments).status();
    let status = status.map_err(|error| format!("cannot run {}: {error}", program.executable.display()))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds what the command selects: the programs, in cargo's order.
pub(crate) fn build(command: &mut Command) -> Result<Vec<Program>, String> {
    command.arg("--message-format=json-render-diagnostics").stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot run cargo: {error}"))?;
    let mut programs = Vec::new();
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        let line = line.map_err(|error| format!("cannot read what cargo prints: {error}"))?;
        programs.extend(serde_json::from_str(&line).ok().as_ref().and_then(program));
    }
    let status = child.wait().map_err(|error| format!("cannot wait for cargo: {error}"))?;
    if status.success() { Ok(programs) } else { Err("the workspace was not built".to_owned()) }
}

/// The program that a message of cargo announces.
fn program(message: &Value) -> Option<Program> {
    let executable = message["executable"].as_str()?.into();
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    // `path+file:///folder#name@version`, or without a name where it is that of the folder.
    let id = message["package_id"].as_str()?.rsplit(['#', '/']).next()?;
    let package = match id.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => folder.file_name()?.to_str()?.to_owned(),
    };
    let is_test = message["profile"]["test"].as_bool().unwrap_or(false);
    Some(Program { folder, package, executable, is_test })
}

#[cfg(test)]
mod tests {
    use super::program;
    use serde_json::json;

    fn package(id: &str) -> Option<String> {
        let message =
            json!({ "package_id": id, "manifest_path": "/w/xtask/Cargo.toml", "executable": "/t/x" });
        program(&message).map(|program| program.package)
    }

    #[test]
    fn package_is_named_by_id_or_folder() {
        assert_eq!(package("path+file:///w/xtask#0.1.0").as_deref(), Some("xtask"));
        assert_eq!(package("path+file:///w/tests#columnade-tests@0.1.0").as_deref(), Some("columnade-tests"));
    }

    #[test]
    fn example_is_no_test() {
        let is_test = |test: bool| {
            let message = json!({
                "package_id": "a#b@1", "manifest_path": "/w/Cargo.toml", "executable": "/t/x", "profile": { "test": test }
            });
            program(&message).map(|program| program.is_test)
        };
        assert_eq!([is_test(true), is_test(false)], [Some(true), Some(false)]);
    }

    #[test]
    fn library_is_no_program() {
        let message = json!({ "package_id": "a#b@1", "manifest_path": "/w/Cargo.toml", "executable": null });
        assert!(program(&message).is_none());
    }
}
