//! What the memory layer itself costs: taking allocations in, guards, statistics, threads; and how little it moves.
//!
//! `cargo bench -p columnade-benches --bench memory [-- PARTS] [--json FILE]`, parts being `cost`, `overhead`, `traffic`
//! and `policy`. Run as a test it takes few allocations and only checks that everything runs. Times of a call are the
//! least of many short runs, all else is medians; targets stand beside them.

#![allow(missing_docs, reason = "a program")]

mod cost;
mod overhead;
mod policy;
mod trace;
mod traffic;

pub(crate) use columnade_benches::Figure;
use columnade_benches::{arguments, is_measured, publish};
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

type Measure = fn(Effort) -> Result<Vec<Figure>>;

/// What can be chosen by name.
const PARTS: [(&str, Measure); 4] = [
    ("cost", cost::figures),
    ("overhead", overhead::figures),
    ("traffic", traffic::figures),
    ("policy", policy::figures),
];

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let effort = if is_measured() { MEASURED } else { CHECKED };
    let chosen = arguments();
    let mut figures = Vec::new();
    for (part, measure) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|name| name == part) {
            figures.extend(measure(effort)?);
        }
    }
    Ok(publish(&figures, None)?)
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
