//! Automation: `cargo xtask <command>`.

mod capi;
mod conformance;
mod faults;
mod fuzz;
mod gpu_bundle;
mod ledger;
mod ledger_chart;
mod miri;
mod resources;
mod setup_cuda;
mod stress;
mod test;
mod tidy;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Automation of the Columnade workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Capi(capi::Options),
    Conformance(conformance::Options),
    Faults(faults::Options),
    Fuzz(fuzz::Options),
    GpuBundle(gpu_bundle::Options),
    Ledger(ledger::Options),
    Miri(miri::Options),
    SetupCuda(setup_cuda::Options),
    Stress(stress::Options),
    Test(test::Options),
    Tidy(tidy::Options),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Capi(options) => capi::run(&options),
        Command::Conformance(options) => conformance::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::GpuBundle(options) => gpu_bundle::run(&options),
        Command::Ledger(options) => ledger::run(&options),
        Command::Miri(options) => miri::run(&options),
        Command::SetupCuda(options) => setup_cuda::run(&options),
        Command::Stress(options) => stress::run(&options),
        Command::Test(options) => test::run(&options),
        Command::Tidy(options) => tidy::run(&options),
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
