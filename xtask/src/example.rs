//! `cargo xtask example`: a program of the workspace's examples, as `cargo xtask test` has built it.

use crate::unified::{self, Build};
use crate::workspace;
use std::process::{Command, ExitCode};

/// Run an example with the features of the whole workspace, to reuse what `cargo xtask test` has built
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The example, such as tpch
    name: String,
    /// Arguments of the example
    #[arg(last = true, value_name = "ARGUMENTS")]
    rest: Vec<String>,
}

/// Builds and runs it; its exit code is the result.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let mut cargo = Build { sim: true, cuda: false, release: false }.command("build")?;
    cargo.args(["--quiet", "--example", &options.name]);
    let programs = unified::build(&mut cargo)?;
    let program = programs.first().ok_or_else(|| format!("cargo built no example {}", options.name))?;
    let mut command = Command::new(&program.executable);
    let status = command.current_dir(workspace::root()).args(&options.rest).status();
    let status = status.map_err(|error| format!("cannot run {}: {error}", program.executable.display()))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
