//! What launches did, counted: for each kernel its instructions and memory requests, for each instruction how
//! often it ran.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::{Mutex, PoisonError};

/// Requests of warps to global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Instructions that a warp issued.
    pub requests: u64,
    /// Sectors of 32 bytes that they touched, before any cache.
    pub sectors: u64,
    /// Bytes that their lanes asked for.
    pub bytes: u64,
}

/// Requests of warps to shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankRequests {
    /// Instructions that a warp issued.
    pub requests: u64,
    /// Passes over the banks that they took.
    pub passes: u64,
    /// Passes that they would have taken without conflicts.
    pub least_passes: u64,
}

/// What the launches of one kernel did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Launches that ended without a fault.
    pub launches: u64,
    /// Threads that were launched.
    pub threads: u64,
    /// Instructions that warps issued.
    pub instructions: u64,
    /// The sum over them of their active lanes.
    pub lanes: u64,
    /// Loads from global memory.
    pub loads: Requests,
    /// Stores to global memory.
    pub stores: Requests,
    /// Atomics on global memory.
    pub atomics: Requests,
    /// Single atomic operations on global memory.
    pub atomic_lanes: u64,
    /// The most atomics of one launch on one address.
    pub most_on_one_address: u64,
    /// Loads from and stores to shared memory.
    pub shared: BankRequests,
    /// Atomics on shared memory.
    pub shared_atomics: BankRequests,
    /// Loads from and stores to local memory.
    pub local_requests: u64,
    /// Barriers of the block, once a warp.
    pub barriers: u64,
}

impl AddAssign for Requests {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.bytes += other.bytes;
    }
}

impl AddAssign for BankRequests {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.passes += other.passes;
        self.least_passes += other.least_passes;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.launches += other.launches;
        self.threads += other.threads;
        self.instructions += other.instructions;
        self.lanes += other.lanes;
        self.loads += other.loads;
        self.stores += other.stores;
        self.atomics += other.atomics;
        self.atomic_lanes += other.atomic_lanes;
        self.most_on_one_address = self.most_on_one_address.max(other.most_on_one_address);
        self.shared += other.shared;
        self.shared_atomics += other.shared_atomics;
        self.local_requests += other.local_requests;
        self.barriers += other.barriers;
    }
}

/// By mangled name of the kernel.
static KERNELS: Mutex<BTreeMap<String, Counts>> = Mutex::new(BTreeMap::new());

/// Adds what a launch did.
#[cfg(any(test, columnade_ptx))]
pub(crate) fn add(kernel: &str, counts: Counts) {
    let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
    match kernels.get_mut(kernel) {
        Some(known) => *known += counts,
        None => {
            kernels.insert(kernel.to_owned(), counts);
        }
    }
}

/// What each kernel did since the start or since [`take`], by mangled name.
pub fn snapshot() -> BTreeMap<String, Counts> {
    KERNELS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Returns the [`snapshot`] and counts from zero again.
pub fn take() -> BTreeMap<String, Counts> {
    std::mem::take(&mut *KERNELS.lock().unwrap_or_else(PoisonError::into_inner))
}
