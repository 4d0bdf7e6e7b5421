//! What memory is used for, what was spilled, why, and what it cost.
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
//! A [`Report`] is for reading; its [`to_json`](Report::to_json) for programs, its [`to_trace`](Report::to_trace) for
//! <https://ui.perfetto.dev>, its [`to_svg`](Report::to_svg) a picture of bytes in use over time. The guide is
//! `docs/memory-guide.md`.

mod json;
mod picture;
mod report;
#[cfg(test)]
mod tests;
mod trace;

pub use columnade_buffers::{
    Amount, Away, Buffer, ByTier, Cause, DeviceLimit, DiskAccess, EdgeSnapshot, ExposureSite, Flow,
    Histogram, MemoryUsage, MoveEvent, Overruns, PinSite, Refusal, Reservation, RetryPolicy, RetryStatistics,
    RetryableError, Sample, SpillLock, SpillManager, SpillOptions, SpillSnapshot, SpillStatistics,
    StatisticsLevel, Tier, TierUsage, Timeline, Wait, WaitSnapshot, Watermarks, acquire_spill_lock,
    parse_bytes, retry_statistics, with_retry, with_retry_no_split,
};

use std::sync::Arc;

use columnade_buffers::Error as DeviceError;

use crate::error::Result;
use crate::options::default_exec;

/// The manager of the memory that this thread's new frames take.
///
/// # Errors
/// [`Error::Device`](crate::Error::Device) when the default device cannot be used, when a variable of
/// [`SpillOptions`] means nothing, or when the thread's context was made over a resource without a manager.
pub fn manager() -> Result<Arc<SpillManager>> {
    let unmanaged = DeviceError::NotImplemented { feature: "spilling of a resource that is not managed" };
    Ok(default_exec()?.resource().spill_manager().ok_or(unmanaged)?)
}

/// What is in force for the memory that this thread's new frames take.
///
/// # Errors
/// As [`manager`].
pub fn options() -> Result<SpillOptions> {
    Ok(manager()?.options())
}

/// Changes what is in force for the memory that this thread's new frames take, for allocations that exist too.
///
/// # Errors
/// As [`manager`], and as [`SpillManager::set_options`]; what was in force then stays so.
pub fn set_options(options: SpillOptions) -> Result<()> {
    Ok(manager()?.set_options(options)?)
}

/// What the memory that this thread's new frames take is used for, and what was spilled of it.
///
/// # Errors
/// As [`manager`].
pub fn report() -> Result<Report> {
    Ok(Report::of(&*manager()?))
}

/// What the memory of one device is used for, and what its spill manager did.
///
/// Printed, it is a page of text for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Bytes in use now.
    pub usage: MemoryUsage,
    /// What was counted.
    pub spills: SpillSnapshot,
    /// What was tried again, on all devices together.
    pub retries: RetryStatistics,
    /// What happened when.
    pub timeline: Timeline,
}

impl Report {
    /// The report of one manager. Looks at every allocation it knows.
    pub fn of(manager: &SpillManager) -> Self {
        Self {
            usage: manager.usage(),
            spills: manager.statistics().snapshot(),
            retries: retry_statistics(),
            timeline: manager.timeline(),
        }
    }

    /// All but the timeline as JSON, in one object. Durations are in seconds, sizes in bytes; what does not exist,
    /// such as a limit, is null. `version` changes when the meaning of a field does, not when one is added.
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
