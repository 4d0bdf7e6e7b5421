//! `cargo xtask example`: a program of the workspace's examples, as `cargo xtask test` has built it.

use crate::unified::{self, Build};
use std::process::ExitCode;

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
    let build = Build { sim: true, cuda: false, release: false };
    unified::run_example(build, &options.name, options.rest.iter().map(String::as_str))
}
