//! `cargo xtask miri`: the suites of the memory layer in the interpreter that knows undefined behaviour.

use std::process::{Command, ExitCode};
use std::time::Instant;

use crate::{test, workspace};

/// Interpret the memory layer's tests, on the host, and find undefined behaviour
#[derive(clap::Args)]
#[command(
    after_help = "Needs `rustup toolchain install nightly --component miri,rust-src`. Slow: half an hour and more."
)]
pub(crate) struct Options {
    /// Only tests with one of these in their names
    #[arg(value_name = "FILTERS")]
    filters: Vec<String>,
    /// The interpreter's schedule
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Runs `cargo +nightly miri test`.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let started = Instant::now();
    // A cargo of the project's toolchain would run itself: rustup has to choose.
    let mut command = Command::new("rustup");
    command.current_dir(workspace::root()).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    command.args(["run", "nightly", "cargo", "miri", "test", "--package", "columnade-buffers", "--lib"]);
    command.env("CARGO_TARGET_DIR", test::target_of("miri"));
    // Files and clocks are the system's; addresses of device memory go through integers nowhere.
    command.env("MIRIFLAGS", format!("-Zmiri-disable-isolation -Zmiri-seed={}", options.seed));
    command.arg("--").args(&options.filters);
    let status = command.status().map_err(|error| format!("cannot run rustup: {error}"))?;
    println!(
        "miri: {} in {} s",
        if status.success() { "clean" } else { "failed" },
        started.elapsed().as_secs()
    );
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
