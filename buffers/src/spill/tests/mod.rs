//! Spilling on every device: what is spilled, when, and that nothing is lost.

mod access;
mod adopt;
mod budget;
mod cudf_scenarios;
mod deferred_free;
mod faults;
mod panics;
mod processes;
mod reference_faults;
mod reservations;
mod residency;
mod resources;
mod statistics;
mod tier_full;
mod vocabulary;

use std::sync::LazyLock;

use crate::sync::Arc;
use crate::tests::execs;
use crate::{
    Buffer, Device, DeviceLimit, Exec, HostPool, Managed, MemoryResource, SpillManager, SpillOptions,
    Statistics, StatisticsLevel, Tier, current_resource,
};

/// A context with a manager of its own, with a limit of `limit` bytes.
pub(super) fn limited(exec: &Exec, limit: usize) -> (Exec, Arc<SpillManager>) {
    with_options(exec, |options| options.device_limit = Some(DeviceLimit::Bytes(limit)))
}

/// A context with a manager of its own that spills on request only.
pub(super) fn managed(exec: &Exec) -> (Exec, Arc<SpillManager>) {
    with_options(exec, |_| {})
}

/// Like [`managed`], with options; statistics are at level 2.
pub(super) fn with_options(exec: &Exec, change: impl FnOnce(&mut SpillOptions)) -> (Exec, Arc<SpillManager>) {
    over(exec, resource(exec.device()), change)
}

/// Like [`with_options`], over a given resource.
pub(super) fn over(
    exec: &Exec,
    upstream: Arc<dyn MemoryResource>,
    change: impl FnOnce(&mut SpillOptions),
) -> (Exec, Arc<SpillManager>) {
    let mut options = SpillOptions { spill: true, ..SpillOptions::default() };
    options.statistics = StatisticsLevel::Exposures;
    change(&mut options);
    let managed = Managed::new(upstream, options).unwrap();
    let manager = Arc::clone(managed.manager());
    (exec.with_resource(Arc::new(managed)), manager)
}

/// Memory of a device, counted for the caller only.
pub(super) fn resource(device: Device) -> Arc<dyn MemoryResource> {
    let below: Arc<dyn MemoryResource> = match device {
        Device::Host => Arc::new(HostPool::with_retention(0)),
        Device::Sim | Device::Cuda(_) => {
            let current = current_resource(device).unwrap();
            current.upstream().map_or_else(|| Arc::clone(&current), Arc::clone)
        }
    };
    Arc::new(Statistics::new(below))
}

/// `count` buffers of `bytes` bytes each, all with different contents.
pub(super) fn buffers(count: usize, bytes: usize, exec: &Exec) -> Vec<Buffer> {
    (0..count).map(|at| Buffer::from_slice(&contents(at, bytes), exec).unwrap()).collect()
}

/// The contents of buffer `number`: each byte is 7 more than the previous one, modulo 251, and one more every
/// 251 bytes.
pub(super) fn contents(at: usize, bytes: usize) -> Vec<u8> {
    const PERIOD: usize = 251;
    // In parts, each of which is a slice of one table: Miri is slow for single bytes.
    static TABLE: LazyLock<Vec<u8>> =
        LazyLock::new(|| (0..2 * PERIOD).map(|byte| u8::try_from(byte * 7 % PERIOD).unwrap()).collect());
    let table = &*TABLE;
    let mut contents = Vec::with_capacity(bytes);
    for stretch in 0..bytes.div_ceil(PERIOD) {
        // 36 times 7 is 1 modulo 251.
        let start = (at * 31 + stretch) * 36 % PERIOD;
        let len = PERIOD.min(bytes - contents.len());
        contents.extend_from_slice(&table[start..start + len]);
    }
    contents
}

/// Asserts that every buffer has its initial contents.
#[track_caller]
pub(super) fn assert_intact(buffers: &[Buffer], exec: &Exec) {
    for (at, buffer) in buffers.iter().enumerate() {
        assert!(buffer.to_vec::<u8>(exec).unwrap() == contents(at, buffer.len()), "buffer {at} has changed");
    }
}

/// Which of the buffers are spilled.
pub(super) fn spilled(buffers: &[Buffer]) -> Vec<usize> {
    (0..buffers.len()).filter(|&at| buffers[at].is_spilled()).collect()
}

/// Bytes evicted from and unspilled to the device so far.
pub(super) fn traffic(manager: &SpillManager) -> (u64, u64) {
    let snapshot = manager.statistics().snapshot();
    let sum = |allocation_is_source: bool| {
        let edges = snapshot.edges.iter().filter(|edge| (edge.from == Tier::Device) == allocation_is_source);
        edges
            .filter(|edge| edge.from == Tier::Device || edge.to == Tier::Device)
            .map(|edge| edge.moved.bytes)
            .sum()
    };
    (sum(true), sum(false))
}

/// Asserts that every byte that entered a tier has left it or was freed, now that nothing is left.
#[track_caller]
pub(super) fn assert_conserved(manager: &SpillManager) {
    for tier in Tier::ALL {
        assert_eq!(manager.usage().tiers[tier].bytes, 0, "{tier}");
    }
    assert_accounted(manager);
}

/// What [`assert_conserved`] asserts.
pub(super) fn is_conserved(manager: &SpillManager) -> bool {
    let usage = manager.usage();
    let (snapshot, resident) = (manager.statistics().snapshot(), manager.bytes_by_tier());
    Tier::ALL.iter().all(|&tier| usage.tiers[tier].bytes == 0)
        && resident.iter().all(|(tier, &bytes)| snapshot.unaccounted(tier, bytes) == 0)
}

/// Asserts that every byte that entered a tier has left it, was freed, or belongs to an allocation.
#[track_caller]
pub(super) fn assert_accounted(manager: &SpillManager) {
    let (snapshot, resident) = (manager.statistics().snapshot(), manager.bytes_by_tier());
    for (tier, &bytes) in resident.iter() {
        assert_eq!(snapshot.unaccounted(tier, bytes), 0, "{tier}: {bytes} of {:?}", snapshot.flows[tier]);
    }
}
