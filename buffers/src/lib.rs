//! Columnade: devices, streams, memory resources and reference-counted buffers.
//!
//! This is the lowest layer. It handles bytes, streams and devices, not columns.
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Device`] | the host, the CUDA simulator, or a GPU |
//! | [`Stream`], [`Event`] | an ordered queue of work on a device, and a mark in it |
//! | [`MemoryResource`] | allocates memory; adaptors stack: [`Limiting`], [`Statistics`], [`Managed`] |
//! | [`Exec`] | device, stream and resource; the last argument of every operation below the engine |
//! | [`Buffer`] | a view of shared, copy-on-write memory |
//! | [`ReadGuard`], [`WriteGuard`] | the only access to a buffer's address |
//!
//! # Copy-on-write
//!
//! ```
//! use columnade_buffers::{Buffer, Exec};
//!
//! let exec = Exec::host();
//! let first = Buffer::from_slice(&[1_i64, 2, 3, 4], &exec)?;
//! let mut second = first.clone();
//! assert!(second.shares_memory(&first));
//!
//! second.write(&exec)?.as_mut_slice::<i64>()[0] = 10;
//! assert!(!second.shares_memory(&first));
//! assert_eq!(first.to_vec::<i64>(&exec)?, [1, 2, 3, 4]);
//! assert_eq!(second.to_vec::<i64>(&exec)?, [10, 2, 3, 4]);
//! # Ok::<(), columnade_buffers::Error>(())
//! ```
//!
//! # Ordering between streams
//!
//! Work on one stream runs in order. A guard taken on another stream than the one that last used the memory
//! makes its stream wait on the device for that use. Guards on one stream make no driver call. The host waits
//! only if it needs bytes or calls [`Stream::synchronize`].

mod buffer;
mod call_site;
mod device;
mod error;
mod exec;
pub mod failpoints;
#[cfg(test)]
#[cfg(shuttle)]
mod interleavings;
mod named;
mod owner;
mod panic;
mod resource;
mod retry;
mod spill;
mod stream;
mod stripes;
mod sync;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;
mod workers;

pub use buffer::Buffer;
pub use bytemuck::Pod;
pub use call_site::CallSite;
pub use device::{CallersContext, Device, MemoryInfo, PinnedMemory};
pub use error::{Error, Result};
pub use exec::{Access, Exec, FaultWord};
pub use owner::{ForeignMemory, Lease, MappedFile, OwnedWriteGuard, ReadGuard, WriteGuard};
pub use panic::panic_message;
#[cfg(feature = "cuda")]
pub use resource::Rmm;
#[cfg(feature = "sim")]
pub use resource::SimMemory;
pub use resource::{
    Admission, HostPool, Limiting, MemoryResource, MemoryStatistics, Statistics, current_resource,
    require_system_memory, return_freed_memory, set_current_resource, system_has_memory, system_memory_left,
};
pub use retry::{
    RetryPolicy, RetryStatistics, RetryableError, retry_statistics, with_retry, with_retry_no_split,
};
pub use spill::{
    Amount, ByTier, Cause, DeviceLimit, DiskAccess, EdgeSnapshot, EvictionPolicy, ExposureSite, Flow,
    Histogram, Managed, MemoryUsage, MoveEvent, Overruns, PinSite, Refusal, Reservation, Sample, SpillLock,
    SpillManager, SpillOptions, SpillSnapshot, SpillStatistics, SpilledTime, StatisticsLevel, Tier,
    TierUsage, Timeline, Wait, WaitSnapshot, Watermarks, acquire_spill_lock, format_bytes, parse_bytes,
};
pub use stream::{Event, Stream};
pub use workers::{in_workers, worker_threads};

/// Every allocation's size is rounded up to a multiple of this, and the bytes added are zero.
pub const PADDING_BYTES: usize = 64;
