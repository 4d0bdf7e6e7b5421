//! `cargo xtask faults`: every operation with every step of its memory made to fail.

use crate::unified::{self, Build};
use std::process::ExitCode;

/// Make every step of every operation's memory fail, and see that nothing is lost
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Options {
    /// `host`, `sim`, `cuda:0`, or `all` that this build and this machine have
    #[arg(long, default_value = "all")]
    device: String,
    /// Only operations with this in their name; may be repeated
    #[arg(long = "operator", value_name = "NAME")]
    operators: Vec<String>,
    /// Make every step fail, instead of a fixed choice of them where there are many
    #[arg(long)]
    all: bool,
    /// Leave the simulator out: host only, no C++ compiler needed
    #[arg(long)]
    no_sim: bool,
    /// Also build for CUDA; `--device all` then takes every GPU that there is
    #[arg(long)]
    cuda: bool,
    /// Build with optimisations
    #[arg(long)]
    release: bool,
    /// More options for the program, which it lists when `--help` is one
    #[arg(last = true, value_name = "OPTIONS")]
    rest: Vec<String>,
}

/// Builds and runs the program; its exit code says whether anything was lost.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let build = Build { sim: !options.no_sim, cuda: options.cuda, release: options.release };
    let operators = options.operators.iter().flat_map(|name| ["--operator", name]);
    let all = options.all.then_some("--all");
    let rest = options.rest.iter().map(String::as_str);
    let arguments = ["--device", &options.device].into_iter().chain(operators).chain(all).chain(rest);
    unified::run_example(build, "faults", arguments)
}
