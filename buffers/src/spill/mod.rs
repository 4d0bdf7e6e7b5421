//! Moving memory to lower tiers, and back.

mod options;
#[allow(dead_code, reason = "the spill manager, which calls them, comes after them")]
mod statistics;
mod tier;

pub use options::{DeviceLimit, SpillOptions, Watermarks};
pub use statistics::{
    Amount, Away, ByTier, Cause, EdgeSnapshot, ExposureSite, Flow, Histogram, MemoryUsage, MoveEvent,
    Overruns, PinSite, Refusal, Sample, SpillSnapshot, SpillStatistics, StatisticsLevel, TierUsage, Timeline,
    Wait, WaitSnapshot, format_bytes,
};
pub use tier::Tier;
