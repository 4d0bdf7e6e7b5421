//! What the example prints and records.

use std::fmt;

use columnade::Device;
use columnade::memory::Report;
use serde_json::{Value, json};

use crate::Failure;
use crate::cli::Cli;
use crate::data::Shape;
use crate::judge::Verdict;
use crate::traffic::Traffic;

/// What one task did.
#[derive(Debug)]
pub(crate) struct TaskRecord {
    pub(crate) name: &'static str,
    pub(crate) rows: usize,
    pub(crate) seconds: f64,
    pub(crate) free_seconds: f64,
    pub(crate) moved: Traffic,
    pub(crate) least: Traffic,
    pub(crate) verdict: Verdict,
}

/// Everything.
pub(crate) struct Record<'a> {
    pub(crate) device: Device,
    pub(crate) cli: &'a Cli,
    pub(crate) shape: Shape,
    pub(crate) tasks: &'a [TaskRecord],
    pub(crate) report: &'a Report,
}

impl TaskRecord {
    fn to_json(&self) -> Value {
        let edges = self.moved.edges().map(|(from, to, bytes)| (from, to, bytes, self.least.edge(from, to)));
        let edges = edges.filter(|(.., bytes, least)| *bytes > 0 || *least > 0).map(|(from, to, bytes, least)| {
            json!({ "from": from.to_string(), "to": to.to_string(), "bytes": bytes, "least_bytes": least })
        });
        json!({
            "task": self.name,
            "rows": self.rows,
            "seconds": self.seconds,
            "seconds_without_limit": self.free_seconds,
            "moved": edges.collect::<Vec<_>>(),
            "bytes_down": self.moved.down(),
            "bytes_up": self.moved.up(),
            "least_bytes_down": self.least.down(),
            "least_bytes_up": self.least.up(),
            "peak_bytes": self.verdict.peak,
            "limit_bytes": self.verdict.limit,
            "difference": self.verdict.difference,
        })
    }
}

impl fmt::Display for TaskRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { difference, peak, .. } = &self.verdict;
        let result = match difference {
            None => "the same as without a limit".to_owned(),
            Some(difference) => format!("DIFFERS: {difference}"),
        };
        let passed = if self.verdict.keeps_limit() { "" } else { ", PASSES THE LIMIT" };
        writeln!(
            f,
            "{}: {} rows in {:.2} s ({:.2} s without a limit); {result}",
            self.name, self.rows, self.seconds, self.free_seconds
        )?;
        writeln!(
            f,
            "  peak {:.1} MiB, {:.1} % of the limit{passed}",
            mebibytes(*peak),
            100.0 * self.verdict.peak_share()
        )?;
        write!(f, "  {:<19} {:>10} {:>10}", "moved, MiB", "bytes", "the least")?;
        for (from, to, bytes) in self.moved.edges() {
            let least = self.least.edge(from, to);
            if bytes > 0 || least > 0 {
                let (bytes, least) = (mebibytes_64(bytes), mebibytes_64(least));
                write!(f, "\n  {from:>8} → {to:<8} {bytes:>10.1} {least:>10.1}")?;
            }
        }
        let (down, up) = (self.moved.down(), self.moved.up());
        for (way, bytes, least) in [("down", down, self.least.down()), ("up", up, self.least.up())] {
            write!(f, "\n  {way:<19} {:>10.1} {:>10.1}", mebibytes_64(bytes), mebibytes_64(least))?;
        }
        Ok(())
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
