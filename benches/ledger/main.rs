//! What every CUDA operation costs, counted on the simulator: calls of the API, and in the flavour `ptx` memory
//! traffic and instructions of nvcc's code. Nothing is timed; the counts repeat exactly.
//!
//! `cargo xtask ledger [--only TEXT] [--json FILE] [--check] [--update]` builds and runs it in the flavour `ptx`. Without
//! `--count` it takes few rows and only checks that every operation runs. `docs/ledger.md` explains the columns.

#![allow(missing_docs, reason = "a program")]

mod cases;
mod cost;
mod inputs;
mod record;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use columnade_buffers::{Device, Exec};
use columnade_sim_sys::FLAVOUR;

use crate::cost::Cost;
use crate::inputs::Inputs;

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// The row counts of the record.
const ROWS: [usize; 2] = [1_000, 100_000];
/// Those of a run as a test.
const FEW_ROWS: [usize; 1] = [100];

/// Count what CUDA operations cost
#[derive(Parser)]
struct Options {
    /// Only operations with this text in their name
    #[arg(long, default_value = "")]
    only: String,
    /// Write the counts to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Fail when counts differ from those of this record
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Also print what each kernel costs
    #[arg(long)]
    kernels: bool,
    /// Count; without it every operation only runs once
    #[arg(long)]
    count: bool,
}

/// An operation with operands.
pub(crate) struct Case<'a> {
    name: &'static str,
    /// The bytes that it has to read and write.
    ideal: u64,
    run: Box<dyn Fn() -> columnade_columns::Result<()> + 'a>,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    if options.count && FLAVOUR != "ptx" {
        return Err(format!(
            "the ledger counts nvcc's code: build with COLUMNADE_SIM_FLAVOUR=ptx, not {FLAVOUR}"
        )
        .into());
    }
    let exec = Exec::new(Device::Sim)?;
    let mut found = record::Record::new();
    let sizes: &[usize] = if options.count { &ROWS } else { &FEW_ROWS };
    for &rows in sizes {
        for has_nulls in [false, true] {
            let inputs = Inputs::new(rows, has_nulls, &exec)?;
            for case in cases::all(&inputs).iter().filter(|case| case.name.contains(&options.only)) {
                let cost = Cost::of(case, &exec).map_err(|error| format!("{}: {error}", case.name))?;
                if options.kernels {
                    table::kernels(case.name, rows, has_nulls, &cost);
                }
                found.insert((case.name.to_owned(), rows, has_nulls), cost.counts());
            }
        }
    }
    if found.is_empty() {
        return Err(format!("no operation has {:?} in its name", options.only).into());
    }
    if !options.count {
        return Ok(ExitCode::SUCCESS);
    }
    table::print(&found);
    if let Some(path) = &options.json {
        record::write(path, &found)?;
    }
    let Some(path) = &options.check else { return Ok(ExitCode::SUCCESS) };
    let differences = record::differences(&record::read(path)?, &found, &options.only);
    for line in &differences {
        println!("{line}");
    }
    if differences.is_empty() {
        println!("{} cases, as recorded", found.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{} counts differ from {}: mend the operation, or record them with --update",
        differences.len(),
        path.display()
    );
    Ok(ExitCode::FAILURE)
}
