//! `cargo xtask stress`: threads that share memory, against a model of every byte.

use std::process::{Command, ExitCode};

use crate::unified::{self, Build};
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
    let device = options.device.split(':').next();
    let build =
        Build { sim: !matches!(device, Some("host" | "cuda")), cuda: device == Some("cuda"), release: false };
    if build.sim {
        test::require_compiler()?;
    }
    let mut cargo = build.command("build")?;
    test::choose_flavour(&mut cargo)?;
    cargo.args(["--quiet", "--example", "stress"]);
    let programs = unified::build(&mut cargo)?;
    let program = programs.first().ok_or("cargo built no program of stress")?;
    let mut command = Command::new(&program.executable);
    test::choose_flavour(&mut command)?;
    command.current_dir(workspace::root()).args(["--device", &options.device]);
    for (name, value) in [
        ("--threads", options.threads.to_string()),
        ("--seconds", options.seconds.to_string()),
        ("--patience", options.patience.to_string()),
        ("--seed", options.seed.to_string()),
    ] {
        command.args([name, &value]);
    }
    let status =
        command.status().map_err(|error| format!("cannot run {}: {error}", program.executable.display()))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
