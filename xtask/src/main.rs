//! Automation: `cargo xtask <command>`.

mod setup_cuda;

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
    SetupCuda(setup_cuda::Options),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::SetupCuda(options) => setup_cuda::run(&options),
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
