//! `cargo xtask stress`: threads that share memory, against a model of every byte.

use std::process::ExitCode;

use crate::{test, workspace};

/// Stress the memory layer: threads share, slice, write, export, spill and drop at random, every byte checked
#[derive(clap::Args)]
#[command(
    after_help = "COLUMNADE_SIM_LAZY_STREAMS=1 and COLUMNADE_SIM_FLAVOUR=asan as for `cargo xtask test`."
)]
pub(crate) struct Options {
    /// Threads
    #[arg(long, default_value_t = 8)]
    threads: u32,
    /// Seconds, shared by the devices
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Seconds at one operation after which a thread is in a deadlock
    #[arg(long, default_value_t = 30)]
    patience: u32,
    /// The operations of every thread follow from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// `host`, `sim`, `cuda:<ordinal>`, or `all`, which is host and simulator
    #[arg(long, default_value = "all")]
    device: String,
}

/// Builds the program with its checks on, and runs it.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let mut command = workspace::cargo();
    command.args(["run", "--quiet", "--package", "columnade-buffers", "--example", "stress"]);
    test::choose_flavour(&mut command)?;
    match options.device.split(':').next() {
        Some("host") => {}
        Some("cuda") => {
            command.args(["--features", "cuda"]);
        }
        _ => {
            test::require_compiler()?;
            command.args(["--features", "sim"]);
        }
    }
    command.arg("--").args(["--device", &options.device]);
    for (name, value) in [
        ("--threads", options.threads.to_string()),
        ("--seconds", options.seconds.to_string()),
        ("--patience", options.patience.to_string()),
        ("--seed", options.seed.to_string()),
    ] {
        command.args([name, &value]);
    }
    let status = command.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
