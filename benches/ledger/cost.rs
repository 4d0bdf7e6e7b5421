//! What one run of an operation costs.

use std::collections::BTreeMap;

use columnade_buffers::Exec;
use columnade_sim_sys::ptx::{self, Counts};
use columnade_sim_sys::{CallCounts, call_counts, live_bytes, take_peak_bytes};

use crate::{Case, Result};

/// The bytes of a sector of global memory.
const SECTOR: u64 = 32;

/// What a run of a case asked of the device.
pub(crate) struct Cost {
    calls: CallCounts,
    /// The most bytes that were allocated during the run beyond those before it.
    peak: u64,
    ideal: u64,
    /// By mangled name; empty in other flavours than `ptx`.
    pub(crate) kernels: BTreeMap<String, Counts>,
}

impl Cost {
    /// Runs the case twice and counts the second run: the first may make streams, pools and tables that stay.
    pub(crate) fn of(case: &Case<'_>, exec: &Exec) -> Result<Self> {
        (case.run)()?;
        exec.synchronize()?;
        ptx::take();
        let before = call_counts();
        take_peak_bytes();
        let live = live_bytes();
        (case.run)()?;
        let calls = difference(&call_counts(), &before);
        let peak = take_peak_bytes() - live;
        exec.synchronize()?;
        Ok(Self { calls, peak, ideal: case.ideal, kernels: ptx::take() })
    }

    /// The counts by name, as they are recorded.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, u64> {
        let CallCounts {
            launches,
            memsets,
            memset_bytes,
            copies_to_device,
            bytes_to_device,
            copies_to_host,
            bytes_to_host,
            copies_within,
            bytes_within,
            synchronizations,
            allocations,
            bytes_allocated,
            pageable_copies,
        } = self.calls;
        let mut sum = Counts::default();
        self.kernels.values().for_each(|counts| sum += *counts);
        let sectors = sum.loads.sectors + sum.stores.sectors + sum.atomics.sectors;
        let traffic = SECTOR * sectors + memset_bytes + 2 * bytes_within;
        BTreeMap::from([
            ("launches", launches),
            ("memsets", memsets),
            ("copies to device", copies_to_device),
            ("copies to host", copies_to_host),
            ("copies within", copies_within),
            ("bytes to device", bytes_to_device),
            ("bytes to host", bytes_to_host),
            ("pageable copies", pageable_copies),
            ("synchronizations", synchronizations),
            ("allocations", allocations),
            ("bytes allocated", bytes_allocated),
            ("peak bytes", self.peak),
            ("ideal bytes", self.ideal),
            ("traffic bytes", traffic),
            ("load requests", sum.loads.requests),
            ("load sectors", sum.loads.sectors),
            ("store requests", sum.stores.requests),
            ("store sectors", sum.stores.sectors),
            ("useful bytes", sum.loads.bytes + sum.stores.bytes + sum.atomics.bytes),
            ("atomics", sum.atomic_lanes),
            ("most atomics on one address", sum.most_on_one_address),
            ("shared passes", sum.shared.passes + sum.shared_atomics.passes),
            ("shared passes without conflicts", sum.shared.least_passes + sum.shared_atomics.least_passes),
            ("local requests", sum.local_requests),
            ("warp instructions", sum.instructions),
            ("lane instructions", sum.lanes),
        ])
    }
}

fn difference(after: &CallCounts, before: &CallCounts) -> CallCounts {
    CallCounts {
        launches: after.launches - before.launches,
        memsets: after.memsets - before.memsets,
        memset_bytes: after.memset_bytes - before.memset_bytes,
        copies_to_device: after.copies_to_device - before.copies_to_device,
        bytes_to_device: after.bytes_to_device - before.bytes_to_device,
        copies_to_host: after.copies_to_host - before.copies_to_host,
        bytes_to_host: after.bytes_to_host - before.bytes_to_host,
        copies_within: after.copies_within - before.copies_within,
        bytes_within: after.bytes_within - before.bytes_within,
        synchronizations: after.synchronizations - before.synchronizations,
        allocations: after.allocations - before.allocations,
        bytes_allocated: after.bytes_allocated - before.bytes_allocated,
        pageable_copies: after.pageable_copies - before.pageable_copies,
    }
}
