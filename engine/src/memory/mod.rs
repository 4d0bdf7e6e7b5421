//! What memory is used for, what was spilled, why, and what it cost.
//!
//! A [`Report`] is for reading; its [`to_json`](Report::to_json) for programs, its [`to_trace`](Report::to_trace) for
//! <https://ui.perfetto.dev>, its [`to_svg`](Report::to_svg) a picture of bytes in use over time. The guide is
//! `docs/memory.md`.

mod json;
mod picture;
mod report;
#[cfg(test)]
mod tests;
mod trace;

pub use columnade_buffers::{
    Amount, Away, ByTier, Cause, DeviceLimit, EdgeSnapshot, ExposureSite, Flow, Histogram, MemoryUsage,
    MoveEvent, Overruns, PinSite, Refusal, Sample, SpillOptions, SpillSnapshot, SpillStatistics,
    StatisticsLevel, Tier, TierUsage, Timeline, Wait, WaitSnapshot, Watermarks,
};

/// What the memory of one device is used for, and what its spill manager did.
///
/// Printed, it is a page of text for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Bytes in use now.
    pub usage: MemoryUsage,
    /// What was counted.
    pub spills: SpillSnapshot,
    /// What happened when.
    pub timeline: Timeline,
}

impl Report {
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
