//! Where memory comes from.
//!
//! A resource is reference-counted and adaptors wrap another: behaviour is stacked, not switched. The
//! current resource of the host is [`Managed`] over [`Statistics`] over a [`HostPool`].

mod control_group;
#[cfg(any(test, feature = "failpoints"))]
mod fail_at;
mod host_pool;
#[cfg(test)]
#[cfg(shuttle)]
pub(crate) mod interleavings;
mod limiting;
pub(crate) mod pages;
mod recovery;
#[cfg(feature = "cuda")]
mod rmm;
#[cfg(feature = "sim")]
mod sim;
mod size_class;
mod statistics;
mod system_heap;
#[cfg(test)]
#[cfg(not(shuttle))]
mod tests;

use std::fmt::Debug;
use std::ptr::NonNull;

use crate::sync::Arc;
use crate::sync::global::{LazyLock, RwLock};
use crate::{Device, Managed, Result, SpillManager, SpillOptions, Stream};

pub(crate) use control_group::{memory_limit, resource_left};
#[cfg(any(test, feature = "failpoints"))]
pub use fail_at::FailAt;
pub use host_pool::HostPool;
pub use limiting::Limiting;
pub(crate) use recovery::with_recovery;
#[cfg(feature = "cuda")]
pub use rmm::Rmm;
#[cfg(feature = "sim")]
pub use sim::SimMemory;
pub use statistics::{MemoryStatistics, Statistics};
pub use system_heap::{require_system_memory, return_freed_memory, system_has_memory, system_memory_left};

/// What becomes of an allocation that exceeds a budget when nothing more can be spilled: a choice of the caller,
/// which every adaptor passes on, and [`Managed`] fulfils.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It passes the budget.
    Soft,
    /// It fails; see [`Exec::strict`](crate::Exec::strict).
    Strict,
}

/// A source of a device's memory.
///
/// # Safety
///
/// Memory given by `allocate` is the caller's alone until it is given back, of at least the requested size,
/// aligned to [`Device::alignment`], and on the host initialised (to any value).
///
/// # Source
///
/// RMM `device_memory_resource`; the concept `cuda::mr::async_resource`.
pub unsafe trait MemoryResource: Send + Sync + Debug {
    /// The device whose memory this is.
    fn device(&self) -> Device;

    /// Memory of `bytes` bytes, at least one, for work queued on `stream` from now on. An adaptor hands `admission` to
    /// its upstream as it is.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), or what the driver says.
    fn allocate(&self, bytes: usize, stream: &Stream, admission: Admission) -> Result<NonNull<u8>>;

    /// Takes memory back, once the work queued on `stream` until now is done. The host does not wait.
    ///
    /// # Errors
    ///
    /// What the driver says; the memory may then be lost.
    ///
    /// # Safety
    ///
    /// `address` came from `allocate` of this resource with as many bytes, is not used any more but by
    /// work queued on `stream` or waited for by it, and is given back once.
    unsafe fn deallocate(&self, address: NonNull<u8>, bytes: usize, stream: &Stream) -> Result<()>;

    /// The resource that this one takes its memory from.
    fn upstream(&self) -> Option<&Arc<dyn MemoryResource>> {
        None
    }

    /// Bytes allocated and freed, if this resource or one below it counts.
    fn statistics(&self) -> Option<MemoryStatistics> {
        self.upstream()?.statistics()
    }

    /// Makes the peak of [`statistics`](Self::statistics) start again from what is given out now.
    fn reset_peak(&self) {
        if let Some(upstream) = self.upstream() {
            upstream.reset_peak();
        }
    }

    /// The most bytes that this resource or one below it gives out at a time, if there is a bound.
    fn limit(&self) -> Option<usize> {
        self.upstream()?.limit()
    }

    /// The manager that spills the memory of this resource, if any.
    fn spill_manager(&self) -> Option<Arc<SpillManager>> {
        self.upstream()?.spill_manager()
    }

    /// Whether `manager` spills the memory that this resource gives.
    fn is_managed_by(&self, manager: &SpillManager) -> bool {
        self.spill_manager().is_some_and(|its_own| std::ptr::eq(&raw const *its_own, manager))
    }

    /// Whether this resource allocates from a reservation; see [`Reservation::exec`](crate::Reservation::exec).
    fn is_reserved(&self) -> bool {
        self.upstream().is_some_and(|upstream| upstream.is_reserved())
    }

    /// A resource to free memory to without the reservation that this one returns it to, if it does.
    fn unreserved(&self) -> Option<Arc<dyn MemoryResource>> {
        None
    }

    /// Bytes of freed memory that are kept for reuse, if the resource counts them.
    fn retained(&self) -> usize {
        self.upstream().map_or(0, |upstream| upstream.retained())
    }

    /// Returns at least `bytes` bytes of cached memory to the system, as far as there are so many; returns how many.
    fn trim(&self, bytes: usize) -> usize {
        self.upstream().map_or(0, |upstream| upstream.trim(bytes))
    }
}

/// The devices' current resources, made on first use.
static CURRENT: RwLock<Vec<(Device, Arc<dyn MemoryResource>)>> = RwLock::new(Vec::new());

/// The host's first current resource, and why it is not as the environment asks, if it is not: that is reported where
/// an error can be returned, by [`current_resource`].
static HOST: LazyLock<(Arc<dyn MemoryResource>, Result<()>)> = LazyLock::new(|| {
    let (pool, set) = match HostPool::from_env() {
        Ok(pool) => (pool, Ok(())),
        Err(error) => (HostPool::new(), Err(error)),
    };
    let pool: Arc<dyn MemoryResource> = Arc::new(Statistics::new(Arc::new(pool)));
    let options = set.and_then(|()| SpillOptions::from_env());
    match options.and_then(|options| Managed::new(Arc::clone(&pool), options)) {
        Ok(managed) => (Arc::new(managed), Ok(())),
        Err(error) => match Managed::new(Arc::clone(&pool), SpillOptions::default()) {
            Ok(managed) => (Arc::new(managed), Err(error)),
            Err(_) => (pool, Err(error)),
        },
    }
});

/// The resource that new contexts on `device` take their memory from.
///
/// # Errors
///
/// [`Error::NoDevice`](crate::Error::NoDevice) when the device cannot be used,
/// [`Error::Library`](crate::Error::Library) when what its memory comes from is not there.
pub fn current_resource(device: Device) -> Result<Arc<dyn MemoryResource>> {
    if let Some(resource) = find(device) {
        return Ok(resource);
    }
    let resource = first_resource(device)?;
    let mut current = CURRENT.write();
    // Another thread may have been here between the two locks.
    if let Some((_, resource)) = current.iter().find(|(other, _)| *other == device) {
        return Ok(Arc::clone(resource));
    }
    current.push((device, Arc::clone(&resource)));
    Ok(resource)
}

/// Makes `resource` the one that new contexts on `device` take their memory from. Contexts and buffers
/// that exist keep theirs.
///
/// # Panics
///
/// If the resource is of another device.
pub fn set_current_resource(device: Device, resource: Arc<dyn MemoryResource>) {
    assert_eq!(resource.device(), device, "a resource of another device");
    let mut current = CURRENT.write();
    match current.iter_mut().find(|(other, _)| *other == device) {
        Some((_, current)) => *current = resource,
        None => current.push((device, resource)),
    }
}

/// The host's current resource, which there always is.
pub(crate) fn host_resource() -> Arc<dyn MemoryResource> {
    find(Device::Host).unwrap_or_else(|| Arc::clone(&HOST.0))
}

fn find(device: Device) -> Option<Arc<dyn MemoryResource>> {
    CURRENT.read().iter().find(|(other, _)| *other == device).map(|(_, resource)| Arc::clone(resource))
}

fn first_resource(device: Device) -> Result<Arc<dyn MemoryResource>> {
    device.require()?;
    // Whatever the device, a bad option is an error here and now.
    let options = SpillOptions::from_env()?;
    #[cfg(any(feature = "sim", feature = "cuda"))]
    let managed = |upstream| -> Result<Arc<dyn MemoryResource>> {
        Ok(Arc::new(Managed::new(upstream, options.clone())?))
    };
    #[cfg(not(any(feature = "sim", feature = "cuda")))]
    drop(options);
    match device {
        Device::Host => HOST.1.clone().map(|()| Arc::clone(&HOST.0)),
        #[cfg(feature = "sim")]
        Device::Sim => managed(Arc::new(Statistics::new(Arc::new(SimMemory::unlimited())))),
        #[cfg(feature = "cuda")]
        Device::Cuda(ordinal) => managed(crate::device::cuda::first_resource(ordinal)?),
        #[cfg(not(all(feature = "sim", feature = "cuda")))]
        _ => Err(crate::Error::Internal { invariant: "this build has every device that can be used" }),
    }
}
