//! Columnade: a CUDA simulator that runs kernels and launchers on the host.
//!
//! Simulated kernels are the same `.cu` files that `nvcc` compiles for a GPU. A C++ compiler builds them
//! against the headers in `include/`, and the runtime in `runtime/` executes them: one thread of a block
//! after another on fibers, with CUDA's barriers, warp collectives, shared memory, streams and events. This
//! crate is its C interface; it is empty without the feature `sim`.
//!
//! Every function that returns `i32` returns `SUCCESS` or a CUDA error code. All functions may be called
//! from any thread. By default an operation has run when its call returns; with
//! `COLUMNADE_SIM_LAZY_STREAMS=1` it runs at the synchronisation that needs it.
//!
//! # What it detects
//! | flavour | detects |
//! | --- | --- |
//! | `plain` | wrong answers, deadlocks, divergent barriers, bad lane masks, uninitialised memory (filled with garbage), hangs and livelocks |
//! | `asan` | also accesses out of bounds (global, shared, local), use after free, leaks, undefined behaviour |
//! | `race` | also missing synchronisation between threads, warps and blocks, whatever the schedule |
//! | `ptx` | nvcc compiles the kernels, real CUB included, and `buffers/ptx` executes their PTX: wrong answers, deadlocks, divergent barriers, bad lane masks, hangs, accesses out of bounds, after free or misaligned; with `COLUMNADE_SIM_CHECK_ORDER=1` missing synchronisation |
//!
//! Lazy streams detect missing waits and early frees, protected memory detects host accesses to device
//! memory, and random schedules (`COLUMNADE_SIM_SEED`) detect more of everything. Each flavour has a build of
//! its own:
//!
//! ```text
//! cargo test --features sim
//! CARGO_TARGET_DIR=target/asan COLUMNADE_SIM_FLAVOUR=asan COLUMNADE_SIM_LAZY_STREAMS=1 cargo test --features sim
//! CARGO_TARGET_DIR=target/race COLUMNADE_SIM_FLAVOUR=race cargo test --features sim
//! CARGO_TARGET_DIR=target/ptx COLUMNADE_SIM_FLAVOUR=ptx cargo test --features sim
//! COLUMNADE_SIM_PROTECT=1 cargo test --features sim -- --test-threads 1
//! ```
//!
//! # Limits
//! Execution is sequentially consistent, so only the race checker detects a missing fence. Shared memory is
//! declared with `SHARED` and `DYN_SHARED`; raw `__shared__` does not compile. A thread that waits for
//! another block must read with `load_acquire`. Inline PTX, half precision, graphs and tensor memory are not
//! supported. Of CUB, the block, warp and device-wide algorithms in `include/cub` are supported; the
//! device-wide ones run on the host in stream order.
//!
//! # Environment
//! Read once, on first use.
//!
//! | variable | effect |
//! | --- | --- |
//! | `COLUMNADE_SIM_FLAVOUR` | at build time: `plain`, `asan` (out of bounds, use after free, undefined behaviour), `race` (missing synchronisation) or `ptx` (nvcc's code) |
//! | `COLUMNADE_SIM_LAZY_STREAMS=1` | work runs only at a synchronisation that needs it |
//! | `COLUMNADE_SIM_PROTECT=1` | a host access to device memory is a fault that names its cause |
//! | `COLUMNADE_SIM_SEED=n` | a random schedule, the same for the same seed |
//! | `COLUMNADE_SIM_RESIDENT=n` | resident blocks at a time (1; with a seed 3) |
//! | `COLUMNADE_SIM_SHUFFLE_BLOCKS=1` | blocks begin in random order |
//! | `COLUMNADE_SIM_PREEMPT=n` | steps between preemptions (4096; with a seed 8 on average) |
//! | `COLUMNADE_SIM_LONE_ACTIVEMASK=1` | `__activemask` returns the calling lane only |
//! | `COLUMNADE_SIM_STRICT_EXIT=1` | returning while others wait at a barrier is an error |
//! | `COLUMNADE_SIM_CHECK_ORDER=1` | flavour `ptx`: accesses of different threads must be ordered |
//! | `COLUMNADE_SIM_REPORT=file` | flavour `ptx`: at the end of the process, appends kernels, launches and instruction forms |
//! | `COLUMNADE_SIM_SMS=n` | multiprocessors (4), which bound cooperative grids |
//! | `COLUMNADE_SIM_HANG_TICKS=n` | ticks of 20 ms processor time without progress that count as a hang (500); 0 disables the watchdog |
//! | `COLUMNADE_SIM_STACK=n` | bytes of a thread's stack (262144) |
#![cfg(feature = "sim")]

use std::ffi::{c_char, c_void};

/// The machine of the flavour `ptx`, with its counts.
pub use columnade_ptx as ptx;

/// The flavour that the runtime and all simulated kernels of this build are compiled with: `plain`, `asan`,
/// `race` or `ptx`.
pub const FLAVOUR: &str = env!("CN_SIM_FLAVOUR");

/// The call succeeded.
pub const SUCCESS: i32 = 0;
/// An argument is out of range, or a freed pointer is not a live allocation.
pub const INVALID_VALUE: i32 = 1;
/// Out of memory.
pub const MEMORY_ALLOCATION: i32 = 2;
/// The configuration of a launch is outside the device's limits.
pub const INVALID_CONFIGURATION: i32 = 9;
/// The work is not done yet; not an error.
pub const NOT_READY: i32 = 600;
/// A kernel failed; [`cn_sim_error_string`] is the simulator's report.
pub const LAUNCH_FAILURE: i32 = 719;

/// A copy's direction, as `cudaMemcpyKind`.
pub const HOST_TO_DEVICE: i32 = 1;
/// A copy's direction, as `cudaMemcpyKind`.
pub const DEVICE_TO_HOST: i32 = 2;
/// A copy's direction, as `cudaMemcpyKind`.
pub const DEVICE_TO_DEVICE: i32 = 3;
/// A copy whose direction follows from its addresses (`cudaMemcpyDefault`). It counts as one within the device.
pub const BY_ADDRESS: i32 = 4;

/// What was asked of the simulator's interface. Bytes are those of the arguments.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// Kernel launches. The device-wide algorithms of the stand-in for CUB launch nothing; real CUB, in the
    /// flavour `ptx`, does.
    pub launches: u64,
    /// `cudaMemsetAsync`.
    pub memsets: u64,
    /// Bytes that memsets wrote.
    pub memset_bytes: u64,
    /// Copies from host to device.
    pub copies_to_device: u64,
    /// Their bytes.
    pub bytes_to_device: u64,
    /// Copies from device to host.
    pub copies_to_host: u64,
    /// Their bytes.
    pub bytes_to_host: u64,
    /// Copies within the device.
    pub copies_within: u64,
    /// Their bytes.
    pub bytes_within: u64,
    /// Waits of the host for a stream, an event or the device.
    pub synchronizations: u64,
    /// `cudaMallocAsync`.
    pub allocations: u64,
    /// Bytes that it was asked for.
    pub bytes_allocated: u64,
    /// Of the copies to and from the device, those whose host memory is not registered.
    pub pageable_copies: u64,
}

/// A stream's handle. The null stream is an ordinary stream without implicit synchronisation.
pub type Stream = *mut c_void;
/// An event's handle.
pub type Event = *mut c_void;

unsafe extern "C" {
    /// Allocates `bytes` bytes, aligned to 256 and filled with garbage, and writes the address to `out`; null
    /// for 0 bytes.
    ///
    /// The memory may be used at once, on any stream.
    pub fn cn_sim_malloc_async(out: *mut *mut c_void, bytes: usize, stream: Stream) -> i32;
    /// Frees memory after all earlier work of the stream; null is ignored.
    pub fn cn_sim_free_async(p: *mut c_void, stream: Stream) -> i32;
    /// Copies between host and device memory; the ranges may overlap. `kind` is one of [`HOST_TO_DEVICE`],
    /// [`DEVICE_TO_HOST`], [`DEVICE_TO_DEVICE`] and [`BY_ADDRESS`], and decides what the copy counts as.
    pub fn cn_sim_memcpy_async(
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        kind: i32,
        stream: Stream,
    ) -> i32;
    /// Fills memory with a byte.
    pub fn cn_sim_memset_async(to: *mut c_void, byte: u8, bytes: usize, stream: Stream) -> i32;

    /// The bytes from an address to the end of the live allocation that it is in; 0 if it is in none.
    pub fn cn_sim_bytes_from(p: *const c_void) -> usize;

    /// Registers host memory for asynchronous copies; [`INVALID_VALUE`] for an address that is registered already.
    /// The simulator only counts the copies from and to other memory.
    pub fn cn_sim_host_register(p: *mut c_void, bytes: usize) -> i32;
    /// Undoes [`cn_sim_host_register`]; [`INVALID_VALUE`] for an address that is not registered.
    pub fn cn_sim_host_unregister(p: *mut c_void) -> i32;

    /// Creates a stream without implicit synchronisation.
    pub fn cn_sim_stream_create(out: *mut Stream) -> i32;
    /// Waits for the stream's work, then destroys it.
    pub fn cn_sim_stream_destroy(stream: Stream) -> i32;
    /// Waits for the stream's work and returns the first failure in it that no call has returned yet.
    pub fn cn_sim_stream_synchronize(stream: Stream) -> i32;
    /// [`SUCCESS`] if the stream's work is done, else [`NOT_READY`]; in lazy mode each call runs one more
    /// operation.
    pub fn cn_sim_stream_query(stream: Stream) -> i32;
    /// Makes later work of the stream wait for the event's last record; a no-op for an event that was never
    /// recorded.
    pub fn cn_sim_stream_wait_event(stream: Stream, event: Event) -> i32;

    /// Creates an event that is not recorded yet.
    pub fn cn_sim_event_create(out: *mut Event) -> i32;
    /// Destroys an event; earlier waits on it still hold.
    pub fn cn_sim_event_destroy(event: Event) -> i32;
    /// Records the event after the work issued to the stream so far.
    pub fn cn_sim_event_record(event: Event, stream: Stream) -> i32;
    /// [`SUCCESS`] if the recorded work is done, else [`NOT_READY`]; in lazy mode each call runs one more
    /// operation.
    pub fn cn_sim_event_query(event: Event) -> i32;
    /// Waits for the recorded work.
    pub fn cn_sim_event_synchronize(event: Event) -> i32;

    /// Records the event after the work issued so far to all streams of the process. A failure in that work
    /// is returned by calls for its stream.
    pub fn cn_sim_context_record_event(event: Event) -> i32;
    /// Waits for the work of all streams of the process; failures as for [`cn_sim_context_record_event`].
    pub fn cn_sim_context_synchronize() -> i32;

    /// The calling thread's last error, which is cleared.
    pub fn cn_sim_get_last_error() -> i32;
    /// The name of an error code, such as `cudaErrorInvalidValue`; static.
    pub fn cn_sim_error_name(error: i32) -> *const c_char;
    /// The description of an error code: for [`LAUNCH_FAILURE`] the report of the calling thread's last
    /// failure, valid until its next one; for others the name.
    pub fn cn_sim_error_string(error: i32) -> *const c_char;

    /// The number of API calls of the calling thread, launchers' calls included.
    pub fn cn_sim_driver_calls() -> u64;
    /// What all threads asked for since the start, launchers' calls included.
    pub fn cn_sim_call_counts(out: *mut CallCounts);
    /// The most bytes that were allocated at a time since the last call, or since the start.
    pub fn cn_sim_take_peak_bytes() -> u64;
    /// The number of live allocations of the process.
    pub fn cn_sim_live_allocations() -> u64;
    /// The bytes of the live allocations.
    pub fn cn_sim_live_bytes() -> u64;
    /// The number of live events of the process.
    pub fn cn_sim_live_events() -> u64;
}

/// What all threads asked for since the start, launchers' calls included.
pub fn call_counts() -> CallCounts {
    let mut counts = CallCounts::default();
    // SAFETY: writes the counts to a place for them.
    unsafe { cn_sim_call_counts(&raw mut counts) };
    counts
}

/// The bytes of the live allocations.
pub fn live_bytes() -> u64 {
    // SAFETY: reads a counter.
    unsafe { cn_sim_live_bytes() }
}

/// The most bytes that were allocated at a time since the last call, or since the start.
pub fn take_peak_bytes() -> u64 {
    // SAFETY: reads and writes a counter.
    unsafe { cn_sim_take_peak_bytes() }
}
