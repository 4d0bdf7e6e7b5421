//! Every operation of the project, with every step of its memory made to fail: `cargo xtask faults`.
//!
//! An operation runs on small columns of many dtypes, once without memory pressure and then under budgets that make
//! it spill, and each time with some of the steps failing that [`columnade_buffers::failpoints`] counts: allocations, slots
//! in lower tiers, copies, writes and reads of spill files; and where a file is read or written, to find, open, read,
//! write and rename it. Whatever fails, the result must be the right answer or an error of memory, storage or device,
//! or one that names the file; the operands must be as they were; nothing may be left behind, no half of a file either;
//! and the same operation must work right afterwards.

#[cfg(test)]
mod coverage;
mod inputs;
mod made;
mod operators;
mod report;
mod tables;
mod trial;

use std::process::ExitCode;

use clap::Parser;
use columnade::Device;

use inputs::Masters;
use report::Report;
use trial::{Budget, Trial};

/// Make every step of every operation fail, and see that nothing is lost
#[derive(Parser)]
#[command(name = "faults", bin_name = "cargo xtask faults")]
struct Options {
    /// `host`, `sim`, `cuda:0`, or `all` that this build and this machine have
    #[arg(long, default_value = "all")]
    device: String,
    /// Only operations with this in their name; may be repeated
    #[arg(long = "operator", value_name = "NAME")]
    operators: Vec<String>,
    /// Make every step fail, instead of a fixed choice of them where there are many
    #[arg(long)]
    all: bool,
    /// Only with so much memory; may be repeated
    #[arg(long = "budget", value_enum, value_name = "BUDGET")]
    budgets: Vec<Budget>,
    /// Single failures of an operation under one budget, at most; a quarter as many runs lose every step from one on
    #[arg(long, default_value_t = 8)]
    steps: u64,
    /// Runs of an operation under one budget in which failures come at random
    #[arg(long, default_value_t = 1)]
    random: u64,
    /// What the random failures begin with
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// List the operations
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(report) => {
            println!("{report}");
            if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<Report, String> {
    let chosen: Vec<_> = operators::all().filter(|operator| operator.matches(&options.operators)).collect();
    if chosen.is_empty() {
        return Err(format!("no operation is called {}", options.operators.join(", ")));
    }
    let mut report = Report::default();
    if options.list {
        for operator in &chosen {
            println!("{:<44} {}", operator.name, operator.of.join(", "));
        }
        return Ok(report);
    }
    trial::keep_panics_quiet();
    for device in devices(&options.device)? {
        let masters = Masters::new().map_err(|error| format!("the operands: {error}"))?;
        for operator in &chosen {
            let line = report.begin(device, operator.name);
            let trial = match Trial::new(operator, device, &masters) {
                Ok(trial) => trial,
                Err(lost) => {
                    line.lost("without a fault", &lost);
                    continue;
                }
            };
            let is_chosen = |budget: &Budget| options.budgets.is_empty() || options.budgets.contains(budget);
            for budget in Budget::ALL.into_iter().filter(is_chosen) {
                trial.run(budget, options, line);
            }
            println!("{line}");
        }
    }
    Ok(report)
}

fn devices(name: &str) -> Result<Vec<Device>, String> {
    if name == "all" {
        return Ok(Device::available());
    }
    let device: Device = name.parse().map_err(|error| format!("{error}"))?;
    device.require().map_err(|error| error.to_string())?;
    Ok(vec![device])
}
