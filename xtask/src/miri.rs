//! `cargo xtask miri`: runs the suites of unsafe code in Miri.

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::{test, workspace};

/// The package that exchanges memory with others, and its tests that do: those within it, and the suite of hostile
/// producers.
const INTERCHANGE: &str = "columnade-columns";
const INTERCHANGE_TESTS: [&str; 3] = ["arrow::c::", "cuda_array::", "dlpack::"];
const INTERCHANGE_SUITE: &str = "hostile";

/// Run tests of the memory layer or of interchange in Miri, on the host
#[derive(clap::Args)]
#[command(
    after_help = "Needs `rustup toolchain install nightly --component miri,rust-src`. Slow: half an hour and more."
)]
pub(crate) struct Options {
    /// Only tests with one of these in their names; default: of `columnade-columns` those of interchange, else all
    #[arg(value_name = "FILTERS")]
    filters: Vec<String>,
    /// Whose tests
    #[arg(short, long, default_value = "columnade-buffers", value_parser = ["columnade-buffers", INTERCHANGE])]
    package: String,
    /// The seed of Miri's scheduler
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Runs `cargo +nightly miri test`.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let started = Instant::now();
    let whole_interchange = options.filters.is_empty() && options.package == INTERCHANGE;
    let within: &[&str] = if whole_interchange { &INTERCHANGE_TESTS } else { &[] };
    let filters: Vec<&str> =
        options.filters.iter().map(String::as_str).chain(within.iter().copied()).collect();
    let mut is_clean = interpret(options, &["--lib"], &filters)?;
    if whole_interchange {
        is_clean &= interpret(options, &["--test", INTERCHANGE_SUITE], &[])?;
    }
    let outcome = if is_clean { "clean" } else { "failed" };
    println!("miri: {outcome} in {} s", started.elapsed().as_secs());
    Ok(if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Interprets the tests of `targets` that `filters` choose, and says whether they passed.
fn interpret(options: &Options, targets: &[&str], filters: &[&str]) -> Result<bool, String> {
    // A cargo of the project's toolchain would run itself: rustup has to choose.
    let mut command = Command::new("rustup");
    command.current_dir(workspace::root()).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    command.args(["run", "nightly", "cargo", "miri"]);
    // A process a test, on all cores: an interpreter that has seen many threads takes longer for each step.
    let in_processes = has_nextest();
    if in_processes {
        command.args(["nextest", "run", "--no-fail-fast"]);
    } else {
        command.arg("test");
    }
    command.args(["--package", &options.package]).args(targets);
    command.env("CARGO_TARGET_DIR", test::target_of("miri"));
    // Files and clocks are the system's; addresses of device memory go through integers nowhere.
    command.env("MIRIFLAGS", format!("-Zmiri-disable-isolation -Zmiri-seed={}", options.seed));
    if !in_processes {
        command.arg("--");
    }
    command.args(filters);
    let status = command.status().map_err(|error| format!("cannot run rustup: {error}"))?;
    Ok(status.success())
}

/// Whether `cargo nextest` is there.
fn has_nextest() -> bool {
    let mut command = Command::new("rustup");
    command
        .args(["run", "nightly", "cargo", "nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
