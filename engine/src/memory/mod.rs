//! Spilling: options, and reports of memory use.
//!
//! ```
//! use columnade::memory::{self, SpillOptions, StatisticsLevel};
//!
//! memory::set_options(SpillOptions { spill: true, statistics: StatisticsLevel::Spills, ..memory::options()? })?;
//! // … work with frames …
//! println!("{}", memory::report()?);
//! # Ok::<(), columnade::Error>(())
//! ```
//!
//! A [`Report`] prints as text. [`Report::to_json`] is for programs, [`Report::to_trace`] for <https://ui.perfetto.dev>, and
//! [`Report::to_svg`] draws bytes in use over time. See `docs/memory-guide.md`.

mod json;
mod picture;
mod report;
#[cfg(test)]
mod tests;
mod trace;

pub use columnade_buffers::{
    Amount, Buffer, ByTier, Cause, DeviceLimit, DiskAccess, EdgeSnapshot, EvictionPolicy, ExposureSite, Flow,
    Histogram, MemoryUsage, MoveEvent, Overruns, PinSite, Refusal, Reservation, RetryPolicy, RetryStatistics,
    RetryableError, Sample, SpillLock, SpillManager, SpillOptions, SpillSnapshot, SpillStatistics,
    SpilledTime, StatisticsLevel, Tier, TierUsage, Timeline, Wait, WaitSnapshot, Watermarks,
    acquire_spill_lock, parse_bytes, retry_statistics, with_retry, with_retry_no_split,
};

use std::sync::Arc;

use columnade_buffers::Error as DeviceError;

use crate::error::{InOperation, Result};
use crate::options::default_exec_for;

/// The spill manager of this thread's default context.
///
/// # Errors
/// [`Error::Operation`](crate::Error::Operation) when the default device cannot be used, when a variable of
/// [`SpillOptions`] is invalid, or when the thread's context was made over a resource without a manager.
pub fn manager() -> Result<Arc<SpillManager>> {
    manager_for("memory::manager")
}

/// [`manager`] for the function `operation`, which its error names.
fn manager_for(operation: &'static str) -> Result<Arc<SpillManager>> {
    let unmanaged = DeviceError::NotImplemented { feature: "spilling of a resource that is not managed" };
    default_exec_for(operation)?.resource().spill_manager().ok_or(unmanaged).operation(operation)
}

/// The options of the spill manager of this thread's default context.
///
/// # Errors
/// Same as [`manager`].
pub fn options() -> Result<SpillOptions> {
    Ok(manager_for("memory::options")?.options())
}

/// Sets the options of the spill manager of this thread's default context. They also apply to existing allocations.
///
/// # Errors
/// Same as [`manager`] and [`SpillManager::set_options`]; the old options stay in force then.
pub fn set_options(options: SpillOptions) -> Result<()> {
    const OPERATION: &str = "memory::set_options";
    manager_for(OPERATION)?.set_options(options).operation(OPERATION)
}

/// A report of memory use and spilling on the device of this thread's default context.
///
/// # Errors
/// Same as [`manager`].
pub fn report() -> Result<Report> {
    Ok(Report::of(&*manager_for("memory::report")?))
}

/// Memory use of one device, and the statistics of its spill manager. `Display` prints it as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Bytes in use now.
    pub usage: MemoryUsage,
    /// Counted moves, waits, refusals and call sites.
    pub spills: SpillSnapshot,
    /// Retries of operators, on all devices together.
    pub retries: RetryStatistics,
    /// The error with which the lower tiers refused bytes last, if they ever did.
    pub tier_refusal: Option<DeviceError>,
    /// Moves and samples over time.
    pub timeline: Timeline,
}

impl Report {
    /// The report of one manager. Visits all its allocations.
    pub fn of(manager: &SpillManager) -> Self {
        Self {
            usage: manager.usage(),
            spills: manager.statistics().snapshot(),
            retries: retry_statistics(),
            tier_refusal: manager.tier_refusal(),
            timeline: manager.timeline(),
        }
    }

    /// The report as a JSON object, without the timeline. Durations are in seconds, sizes in bytes; missing values, such as a
    /// limit, are null. `version` changes when the meaning of a field does, not when one is added.
    pub fn to_json(&self) -> String {
        format!("{:#}", json::document(self))
    }

    /// The timeline as a trace that Perfetto and `chrome://tracing` open: a track for each pair of tiers that bytes
    /// moved between (several, where moves overlap), counters of bytes in use, and a mark at each refused allocation.
    ///
    /// # Source
    /// Trace Event Format, JSON object form.
    pub fn to_trace(&self) -> String {
        trace::document(self).to_string()
    }

    /// Bytes in use of every tier over time, and the device limit, as an SVG picture for light and dark pages.
    pub fn to_svg(&self) -> String {
        picture::picture(&self.timeline)
    }
}
