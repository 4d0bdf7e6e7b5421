//! What the memory layer itself costs: taking allocations in, guards, statistics, threads; and how little it moves.
//!
//! `cargo bench -p columnade-benches --bench memory [-- --json FILE]`. Run as a test it takes few allocations and only
//! checks that everything runs. Times of a call are the least of many short runs, all else is medians; targets stand
//! beside them.

#![allow(missing_docs, reason = "a program")]

mod cost;
mod overhead;
mod policy;
mod traffic;

use columnade_buffers::{Device, Exec, Managed, Result, SpillManager, SpillOptions, StatisticsLevel};
use std::sync::Arc;

/// How much is done.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Allocations that live while others are made.
    pub(crate) owners: usize,
    /// Repetitions of what takes nanoseconds.
    pub(crate) loops: usize,
    /// Runs of which the median counts.
    pub(crate) runs: usize,
}

const MEASURED: Effort = Effort { owners: 1_000_000, loops: 1_000_000, runs: 9 };
const CHECKED: Effort = Effort { owners: 1_000, loops: 100, runs: 1 };

/// One figure.
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) target: &'static str,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let effort = if arguments.iter().any(|argument| argument == "--bench") { MEASURED } else { CHECKED };
    let mut figures = cost::figures(effort)?;
    figures.extend(overhead::figures(effort)?);
    figures.extend(traffic::figures(effort)?);
    figures.extend(policy::figures(effort)?);
    for Figure { name, value, unit, target } in &figures {
        println!("{name:<60} {value:>12.2} {unit:<6} {target}");
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--json")
        && let Some(path) = arguments.get(at + 1)
    {
        let lines: Vec<String> =
            figures.iter().map(|figure| format!("  {:?}: {}", figure.name, figure.value)).collect();
        if let Err(error) = std::fs::write(path, format!("{{\n{}\n}}\n", lines.join(",\n"))) {
            eprintln!("error: {path}: {error}");
        }
    }
    Ok(())
}

/// The devices that figures are for: the host, and the simulator where it is built in.
pub(crate) fn devices() -> Vec<Device> {
    Device::available()
}

/// A context with a manager of its own.
pub(crate) fn managed(
    device: Device,
    change: impl FnOnce(&mut SpillOptions),
) -> Result<(Exec, Arc<SpillManager>)> {
    let exec = Exec::new(device)?;
    let mut options =
        SpillOptions { spill: true, statistics: StatisticsLevel::Off, ..SpillOptions::default() };
    change(&mut options);
    let upstream = SpillManager::of(device)?;
    let managed: Managed = upstream.with_options(options)?;
    let manager = Arc::clone(managed.manager());
    Ok((exec.with_resource(Arc::new(managed)), manager))
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
