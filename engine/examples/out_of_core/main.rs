//! Frames several times larger than the memory they may use: sorted, grouped and joined under a limit, and compared
//! with the same work done without one.
//!
//! `cargo run --release --example out_of_core -- --device host --limit 256MiB --factor 4 --seed 1`
//!
//! Exits with 1 when a result differs, or when the bytes in use pass the limit by more than 5 %.

mod cli;
mod compare;
mod data;
mod report;
mod work;

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use columnade::memory::{DeviceLimit, Report, SpillManager, SpillOptions, StatisticsLevel, Tier};
use columnade::{Device, Exec, set_default_exec};

use crate::cli::Cli;
use crate::data::Tables;
use crate::report::{Record, TaskRecord, mebibytes};
use crate::work::TASKS;

/// Why the example stops: a sentence for whoever called it.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs everything; whether all results agreed within the limit.
fn run(cli: &Cli) -> Result<bool, Failure> {
    let device = cli.device()?;
    let outputs = cli.open_outputs()?;
    let shape = data::Shape::of_bytes(cli.limit.saturating_mul(cli.factor));
    let free = free_context(device)?;
    let (limited, manager) = limited_context(device, cli)?;

    let mut out = stdout().lock();
    writeln!(
        out,
        "{device}: {} facts and {} dimensions, {:.1} MiB, under a limit of {:.1} MiB",
        shape.facts,
        shape.dimensions,
        mebibytes(shape.bytes()),
        mebibytes(cli.limit)
    )?;
    set_default_exec(limited.clone());
    let tables = Tables::make(shape, cli.seed)?;
    set_default_exec(free.clone());
    let reference = Tables::make(shape, cli.seed)?;

    let mut records = Vec::new();
    for task in TASKS {
        let below = bytes_away(&manager);
        let before = report::Traffic::of(&manager);
        manager.reset_peak();
        let started = Instant::now();
        let result = (task.run)(&tables)?;
        limited.synchronize()?;
        let seconds = started.elapsed().as_secs_f64();
        let traffic = report::Traffic::of(&manager).since(&before);
        let peak = manager.usage().tiers[Tier::Device].peak;
        let least = task.least_traffic(&tables, &result, below, cli.limit);

        let started = Instant::now();
        let expected = (task.run)(&reference)?;
        free.synchronize()?;
        let free_seconds = started.elapsed().as_secs_f64();
        let difference = compare::first_difference(&result, &expected)?;
        let record = TaskRecord {
            name: task.name,
            rows: result.len(),
            seconds,
            free_seconds,
            traffic,
            least,
            peak,
            limit: cli.limit,
            difference,
        };
        writeln!(out, "\n{record}")?;
        records.push(record);
    }
    let report = Report::of(&manager);
    writeln!(out, "\n{report}")?;
    let agreed = records.iter().all(TaskRecord::is_good);
    outputs.write(&Record { device, cli, shape, tasks: &records, report: &report })?;
    Ok(agreed)
}

/// Bytes that are in lower tiers alone.
fn bytes_away(manager: &SpillManager) -> usize {
    let usage = manager.usage();
    [Tier::Pinned, Tier::Pageable, Tier::Disk].iter().map(|&tier| usage.tiers[tier].bytes).sum()
}

/// The device, with as much memory as it has.
fn free_context(device: Device) -> Result<Exec, Failure> {
    let exec = Exec::new(device)?;
    let manager = exec.resource().spill_manager().ok_or("the device's memory has no manager")?;
    let options = SpillOptions { spill: false, ..manager.options() };
    let unlimited = manager.with_options(options)?;
    Ok(exec.with_resource(Arc::new(unlimited)))
}

/// The device, with no more memory than the limit.
fn limited_context(device: Device, cli: &Cli) -> Result<(Exec, Arc<SpillManager>), Failure> {
    let exec = Exec::new(device)?;
    let manager = exec.resource().spill_manager().ok_or("the device's memory has no manager")?;
    let options = SpillOptions {
        spill: true,
        device_limit: Some(DeviceLimit::Bytes(cli.limit)),
        statistics: StatisticsLevel::Spills,
        ..manager.options()
    };
    let limited = manager.with_options(options)?;
    let manager = Arc::clone(limited.manager());
    Ok((exec.with_resource(Arc::new(limited)), manager))
}
