//! Frames several times larger than the memory they may use: sorted, grouped and joined under a limit, and compared
//! with the same work done without one.
//!
//! `cargo run --release --example out_of_core -- --device host --limit 256MiB --factor 4 --seed 1`
//!
//! For each task, including the building of the frames, it prints the bytes that moved between the tiers beside
//! the least that could have, and the peak of the bytes in use. Exits with 1 and says why when a result differs, or when
//! the peak passes the limit by more than 5 %.

mod cli;
mod data;
mod judge;
mod report;
mod traffic;
mod work;

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use columnade::memory::{DeviceLimit, Report, SpillManager, SpillOptions, StatisticsLevel, Tier};
use columnade::{DataFrame, Device, Exec, set_default_exec};

use crate::cli::Cli;
use crate::data::Tables;
use crate::judge::Verdict;
use crate::report::{Record, TaskRecord, mebibytes};
use crate::traffic::{Below, Traffic};
use crate::work::TASKS;

/// Why the example stops, as a sentence for the user.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(records) => {
            for record in &records {
                if let Some(fault) = record.verdict.fault() {
                    eprintln!("error: {}: {fault}", record.name);
                }
            }
            ExitCode::from(judge::exit_code(records.iter().map(|record| &record.verdict)))
        }
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs everything.
fn run(cli: &Cli) -> Result<Vec<TaskRecord>, Failure> {
    let device = cli.device()?;
    let outputs = cli.open_outputs()?;
    let shape = data::Shape::of_bytes(cli.limit.saturating_mul(cli.factor));
    shape.require_memory(device.memory_info()?.total)?;
    let free = free_context(device)?;
    let limited = Limited::new(device, cli)?;

    let mut out = stdout().lock();
    writeln!(
        out,
        "{device}: {} facts and {} dimensions, {:.1} MiB, under a limit of {:.1} MiB",
        shape.facts,
        shape.dimensions,
        mebibytes(shape.bytes()),
        mebibytes(cli.limit)
    )?;
    let mut records = Vec::new();

    set_default_exec(limited.exec.clone());
    let block = cli.limit / 16;
    let (tables, took) = limited.measure(|| Tables::make(shape, block, cli.seed))?;
    set_default_exec(free.clone());
    let (reference, free_seconds) = timed(&free, || Tables::make(shape, block, cli.seed))?;
    let pairs: Vec<_> = tables.frames().into_iter().zip(reference.frames()).collect();
    records.push(took.record("build", &pairs, free_seconds, 0, tables.memory_bytes())?);
    writeln!(out, "\n{}", records[0])?;

    for task in TASKS {
        let (result, took) = limited.measure(|| (task.run)(&tables))?;
        // The limit has returned freed memory to the system, which clears every page that it gives out again: without a
        // limit that happens once, in a run before the one that is timed.
        drop((task.run)(&reference)?);
        let (expected, free_seconds) = timed(&free, || (task.run)(&reference))?;
        let live = tables.memory_bytes() + result.memory_bytes();
        let read = task.bytes_read(&tables);
        let record = took.record(task.name, &[(&result, &expected)], free_seconds, read, live)?;
        writeln!(out, "\n{record}")?;
        records.push(record);
    }
    let report = Report::of(&limited.manager);
    writeln!(out, "\n{report}")?;
    outputs.write(&Record { device, cli, shape, tasks: &records, report: &report })?;
    Ok(records)
}

/// The device, with no more memory than the limit.
struct Limited {
    exec: Exec,
    manager: Arc<SpillManager>,
    limit: usize,
}

/// What a task under the limit took.
struct Took {
    seconds: f64,
    moved: Traffic,
    /// The lower tiers before it.
    below: Below,
    peak: usize,
    limit: usize,
}

impl Limited {
    fn new(device: Device, cli: &Cli) -> Result<Self, Failure> {
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
        Ok(Self { exec: exec.with_resource(Arc::new(limited)), manager, limit: cli.limit })
    }

    /// Does `work`, and tells what it took.
    fn measure<T>(&self, work: impl FnOnce() -> columnade::Result<T>) -> columnade::Result<(T, Took)> {
        let (below, before) = (Below::of(&self.manager), Traffic::of(&self.manager));
        self.manager.reset_peak();
        let (made, seconds) = timed(&self.exec, work)?;
        let moved = Traffic::of(&self.manager).since(&before);
        let peak = self.manager.usage().tiers[Tier::Device].peak;
        Ok((made, Took { seconds, moved, below, peak, limit: self.limit }))
    }
}

impl Took {
    /// The record of this work, which made the first frame of each pair where the second is right. It `read` so many
    /// bytes, and so many are `live` now.
    fn record(
        self,
        name: &'static str,
        pairs: &[(&DataFrame, &DataFrame)],
        free_seconds: f64,
        read: usize,
        live: usize,
    ) -> Result<TaskRecord, Failure> {
        let Self { seconds, moved, below, peak, limit } = self;
        let mut difference = None;
        for (found, expected) in pairs {
            difference = difference.or(judge::first_difference(found, expected, limit / 8)?);
        }
        Ok(TaskRecord {
            name,
            rows: pairs.iter().map(|(found, _)| found.len()).sum(),
            seconds,
            free_seconds,
            moved,
            least: Traffic::least(read, live, limit, &below),
            verdict: Verdict { difference, peak, limit },
        })
    }
}

/// What `work` makes, and the seconds until all of it is done.
fn timed<T>(exec: &Exec, work: impl FnOnce() -> columnade::Result<T>) -> columnade::Result<(T, f64)> {
    let started = Instant::now();
    let made = work()?;
    exec.synchronize()?;
    Ok((made, started.elapsed().as_secs_f64()))
}

/// The device, with as much memory as it has.
fn free_context(device: Device) -> Result<Exec, Failure> {
    let exec = Exec::new(device)?;
    let manager = exec.resource().spill_manager().ok_or("the device's memory has no manager")?;
    let options = SpillOptions { spill: false, ..manager.options() };
    let unlimited = manager.with_options(options)?;
    Ok(exec.with_resource(Arc::new(unlimited)))
}
