//! What the example prints and records.

use std::fmt;

use columnade::Device;
use columnade::memory::{Report, SpillManager, Tier};
use serde_json::{Value, json};

use crate::Failure;
use crate::cli::Cli;
use crate::data::Shape;

/// By how much the peak may pass the limit.
const TOLERANCE: f64 = 1.05;

/// Bytes that left a device and bytes that came back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traffic {
    pub(crate) down: u64,
    pub(crate) up: u64,
}

/// The least that had to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    pub(crate) down: usize,
    pub(crate) up: usize,
}

/// What one piece of work did.
#[derive(Debug)]
pub(crate) struct TaskRecord {
    pub(crate) name: &'static str,
    pub(crate) rows: usize,
    pub(crate) seconds: f64,
    pub(crate) free_seconds: f64,
    pub(crate) traffic: Traffic,
    pub(crate) least: Least,
    pub(crate) peak: usize,
    pub(crate) limit: usize,
    /// Where the result differs from the one without a limit.
    pub(crate) difference: Option<String>,
}

/// Everything.
pub(crate) struct Record<'a> {
    pub(crate) device: Device,
    pub(crate) cli: &'a Cli,
    pub(crate) shape: Shape,
    pub(crate) tasks: &'a [TaskRecord],
    pub(crate) report: &'a Report,
}

impl Traffic {
    /// Since the manager began.
    pub(crate) fn of(manager: &SpillManager) -> Self {
        let mut traffic = Self::default();
        for edge in &manager.statistics().snapshot().edges {
            match (edge.from, edge.to) {
                (Tier::Device, _) => traffic.down += edge.moved.bytes,
                (_, Tier::Device) => traffic.up += edge.moved.bytes,
                _ => {}
            }
        }
        traffic
    }

    pub(crate) fn since(&self, before: &Self) -> Self {
        Self { down: self.down - before.down, up: self.up - before.up }
    }
}

impl TaskRecord {
    /// Whether the result is right and the limit was kept.
    pub(crate) fn is_good(&self) -> bool {
        self.difference.is_none() && self.peak_share() <= TOLERANCE
    }

    #[expect(clippy::cast_precision_loss, reason = "a share")]
    fn peak_share(&self) -> f64 {
        self.peak as f64 / self.limit as f64
    }

    fn to_json(&self) -> Value {
        json!({
            "task": self.name,
            "rows": self.rows,
            "seconds": self.seconds,
            "seconds_without_limit": self.free_seconds,
            "bytes_down": self.traffic.down,
            "bytes_up": self.traffic.up,
            "least_bytes_down": self.least.down,
            "least_bytes_up": self.least.up,
            "peak_bytes": self.peak,
            "limit_bytes": self.limit,
            "difference": self.difference,
        })
    }
}

impl fmt::Display for TaskRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match &self.difference {
            None => "the same as without a limit".to_owned(),
            Some(difference) => format!("DIFFERS: {difference}"),
        };
        let passed = if self.peak_share() > TOLERANCE { ", PASSES THE LIMIT" } else { "" };
        writeln!(
            f,
            "{}: {} rows in {:.2} s ({:.2} s without a limit); {verdict}",
            self.name, self.rows, self.seconds, self.free_seconds
        )?;
        writeln!(
            f,
            "  down {:.1} MiB (least {:.1}), up {:.1} MiB (least {:.1})",
            mebibytes_64(self.traffic.down),
            mebibytes(self.least.down),
            mebibytes_64(self.traffic.up),
            mebibytes(self.least.up)
        )?;
        write!(
            f,
            "  peak {:.1} MiB, {:.1} % of the limit{passed}",
            mebibytes(self.peak),
            100.0 * self.peak_share()
        )
    }
}

impl Record<'_> {
    /// All of it as one JSON object.
    pub(crate) fn to_json(&self) -> Result<String, Failure> {
        let memory: Value = serde_json::from_str(&self.report.to_json())?;
        let record = json!({
            "example": "out_of_core",
            "device": self.device.to_string(),
            "limit_bytes": self.cli.limit,
            "factor": self.cli.factor,
            "seed": self.cli.seed,
            "facts": self.shape.facts,
            "dimensions": self.shape.dimensions,
            "data_bytes": self.shape.bytes(),
            "tasks": self.tasks.iter().map(TaskRecord::to_json).collect::<Vec<_>>(),
            "memory": memory,
        });
        Ok(serde_json::to_string_pretty(&record)?)
    }
}

/// Bytes in MiB.
#[expect(clippy::cast_precision_loss, reason = "for people")]
pub(crate) fn mebibytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn mebibytes_64(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
