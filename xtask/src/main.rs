//! Automation: `cargo xtask <command>`.

mod bench;
mod bench_chart;
mod capi;
mod conformance;
mod docs_rs;
mod example;
mod faults;
mod fuzz;
mod golden;
mod gpu_bundle;
mod launched;
mod ledger;
mod ledger_chart;
mod miri;
mod package;
mod python;
mod resources;
mod setup_cuda;
mod stress;
mod test;
mod tidy;
mod unified;
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
    Bench(bench::Options),
    Capi(capi::Options),
    Conformance(conformance::Options),
    DocsRs(docs_rs::Options),
    Example(example::Options),
    Faults(faults::Options),
    Fuzz(fuzz::Options),
    Golden(golden::Options),
    GpuBundle(gpu_bundle::Options),
    Ledger(ledger::Options),
    Miri(miri::Options),
    Package(package::Options),
    Python(python::Options),
    SetupCuda(setup_cuda::Options),
    Stress(stress::Options),
    Test(test::Options),
    Tidy(tidy::Options),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Capi(options) => capi::run(&options),
        Command::Conformance(options) => conformance::run(&options),
        Command::DocsRs(options) => docs_rs::run(&options),
        Command::Example(options) => example::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Golden(options) => golden::run(&options),
        Command::GpuBundle(options) => gpu_bundle::run(&options),
        Command::Ledger(options) => ledger::run(&options),
        Command::Miri(options) => miri::run(&options),
        Command::Package(options) => package::run(&options),
        Command::Python(options) => python::run(&options),
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
