//! Spilling to lower tiers and unspilling.
//!
//! A [`SpillManager`] is placed between the buffers and a memory resource. It counts every byte, keeps a
//! registry of the allocations that can be moved, and evicts some of them when memory is short. How an
//! allocation moves is in `owner`; the lower tiers are in `tier`.

mod budget;
mod eviction;
mod hints;
#[cfg(test)]
#[cfg(shuttle)]
mod interleavings;
pub(crate) mod lock;
mod managed;
mod manager;
mod options;
mod reservation;
mod spiller;
mod statistics;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;
mod tier;
mod tier_full;
mod tier_store;
mod worker;

pub use eviction::EvictionPolicy;
pub(crate) use eviction::RegistryIndex;
pub use lock::{SpillLock, acquire_spill_lock};
pub use managed::Managed;
pub use manager::SpillManager;
pub use options::{DeviceLimit, SpillOptions, Watermarks, parse_bytes};
pub use reservation::Reservation;
pub(crate) use statistics::Move;
pub use statistics::{
    Amount, ByTier, Cause, EdgeSnapshot, ExposureSite, Flow, Histogram, MemoryUsage, MoveEvent, Overruns,
    PinSite, Refusal, Sample, SpillSnapshot, SpillStatistics, SpilledTime, StatisticsLevel, TierUsage,
    Timeline, Wait, WaitSnapshot, format_bytes,
};
pub use tier::{DiskAccess, Tier};
pub(crate) use tier::{Payload, PayloadBuilder, TierOptions, Tiers};
