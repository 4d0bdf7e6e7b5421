//! Columnade: a CUDA simulator that runs kernels and launchers on the host.
//!
//! Simulated kernels are the same `.cu` files that `nvcc` compiles for a GPU: a C++ compiler builds them against
//! the headers in `include/`, and the runtime in `runtime/` executes them, one thread of a block after another
//! on fibers, with CUDA's barriers, warp collectives, shared memory, streams and events. This crate is its C
//! interface; it is empty without the feature `sim`.
//!
//! Every function returning `i32` gives [`SUCCESS`] or a CUDA error code. All functions may be called from any
//! thread. By default an operation has run when its call returns; with `COLUMNADE_SIM_LAZY_STREAMS=1` it runs at
//! the synchronisation that needs it.
//!
//! # What it finds
//! | flavour | finds |
//! | --- | --- |
//! | `plain` | wrong answers, deadlocks, divergent barriers, bad lane masks, uninitialised memory (filled with garbage), hangs and livelocks |
//! | `asan` | also accesses out of bounds (global, shared, local), use after free, leaks, undefined behaviour |
//! | `race` | also missing synchronisation between threads, warps and blocks, whatever the schedule |
//!
//! Lazy streams find missing waits and early frees, protected memory host code that touches device pointers;
//! random schedules (`COLUMNADE_SIM_SEED`) find more of everything. Each flavour has a build of its own:
//!
//! ```text
//! cargo test --features sim
//! CARGO_TARGET_DIR=target/asan COLUMNADE_SIM_FLAVOUR=asan COLUMNADE_SIM_LAZY_STREAMS=1 cargo test --features sim
//! CARGO_TARGET_DIR=target/race COLUMNADE_SIM_FLAVOUR=race cargo test --features sim
//! COLUMNADE_SIM_PROTECT=1 cargo test --features sim -- --test-threads 1
//! ```
//!
//! # Limits
//! Execution is sequentially consistent, so a missing fence shows only to the race checker. Shared memory is
//! declared with `SHARED` and `DYN_SHARED`; raw `__shared__` does not compile. A thread that waits for another
//! block reads with `load_acquire`. Inline PTX, half precision, graphs and tensor memory are not there. Of CUB
//! there are the block, warp and device-wide algorithms in `include/cub`, the latter run by the host in stream
//! order.
//!
//! # Environment
//! Read once, at the first use.
//!
//! | variable | effect |
//! | --- | --- |
//! | `COLUMNADE_SIM_FLAVOUR` | at build time: `plain`, `asan` (out of bounds, use after free, undefined behaviour) or `race` (missing synchronisation) |
//! | `COLUMNADE_SIM_LAZY_STREAMS=1` | work runs only at a synchronisation that needs it |
//! | `COLUMNADE_SIM_PROTECT=1` | a host access to device memory is a fault that names its cause |
//! | `COLUMNADE_SIM_SEED=n` | a random schedule, the same for the same seed |
//! | `COLUMNADE_SIM_RESIDENT=n` | blocks under way at a time (1; with a seed 3) |
//! | `COLUMNADE_SIM_SHUFFLE_BLOCKS=1` | blocks begin in random order |
//! | `COLUMNADE_SIM_PREEMPT=n` | steps between preemptions (4096; with a seed 8 on average) |
//! | `COLUMNADE_SIM_LONE_ACTIVEMASK=1` | `__activemask` gives the calling lane only |
//! | `COLUMNADE_SIM_STRICT_EXIT=1` | returning while others wait at a barrier is an error |
//! | `COLUMNADE_SIM_SMS=n` | multiprocessors (4), which bound cooperative grids |
//! | `COLUMNADE_SIM_HANG_TICKS=n` | ticks of 20 ms processor time without progress that make a hang (500); 0: never |
//! | `COLUMNADE_SIM_STACK=n` | bytes of a thread's stack (262144) |
#![cfg(feature = "sim")]

use std::ffi::{c_char, c_void};

/// What the runtime and all simulated kernels of this build are compiled with: `plain`, `asan` or `race`.
pub const FLAVOUR: &str = env!("CN_SIM_FLAVOUR");

/// The call did what it should.
pub const SUCCESS: i32 = 0;
/// An argument is out of range, or a pointer that is no live allocation is freed.
pub const INVALID_VALUE: i32 = 1;
/// No memory.
pub const MEMORY_ALLOCATION: i32 = 2;
/// The configuration of a launch is outside the device's limits.
pub const INVALID_CONFIGURATION: i32 = 9;
/// Work that was asked for is not done yet; not an error.
pub const NOT_READY: i32 = 600;
/// A kernel failed; [`cn_sim_error_string`] is the simulator's report.
pub const LAUNCH_FAILURE: i32 = 719;

/// A stream's handle; null is one more stream, which no other joins.
pub type Stream = *mut c_void;
/// An event's handle.
pub type Event = *mut c_void;

unsafe extern "C" {
    /// Writes the address of `bytes` fresh bytes to `out`, aligned to 256 and full of garbage; null for no bytes.
    ///
    /// The memory may be used at once, on any stream.
    pub fn cn_sim_malloc_async(out: *mut *mut c_void, bytes: usize, stream: Stream) -> i32;
    /// Frees memory after all earlier work of the stream; null is nothing to free.
    pub fn cn_sim_free_async(p: *mut c_void, stream: Stream) -> i32;
    /// Copies between any two places, host or device; they may overlap.
    pub fn cn_sim_memcpy_async(to: *mut c_void, from: *const c_void, bytes: usize, stream: Stream) -> i32;
    /// Fills memory with a byte.
    pub fn cn_sim_memset_async(to: *mut c_void, byte: u8, bytes: usize, stream: Stream) -> i32;

    /// Makes a stream that no other joins.
    pub fn cn_sim_stream_create(out: *mut Stream) -> i32;
    /// Waits for the stream's work, then ends it.
    pub fn cn_sim_stream_destroy(stream: Stream) -> i32;
    /// Waits for the stream's work and returns the first failure in it that no call has returned yet.
    pub fn cn_sim_stream_synchronize(stream: Stream) -> i32;
    /// [`SUCCESS`] when the stream's work is done, else [`NOT_READY`]; each call brings it further.
    pub fn cn_sim_stream_query(stream: Stream) -> i32;
    /// Makes later work of the stream wait for the event as it was last recorded; never recorded, for nothing.
    pub fn cn_sim_stream_wait_event(stream: Stream, event: Event) -> i32;

    /// Makes an event, not recorded yet.
    pub fn cn_sim_event_create(out: *mut Event) -> i32;
    /// Ends an event; waits on it that were issued before still hold.
    pub fn cn_sim_event_destroy(event: Event) -> i32;
    /// Marks the work issued to the stream so far.
    pub fn cn_sim_event_record(event: Event, stream: Stream) -> i32;
    /// [`SUCCESS`] when the marked work is done, else [`NOT_READY`]; each call brings it further.
    pub fn cn_sim_event_query(event: Event) -> i32;
    /// Waits for the marked work.
    pub fn cn_sim_event_synchronize(event: Event) -> i32;

    /// Marks the work issued so far to all streams of the process, whoever made them. A failure in that work is told
    /// by calls for its stream.
    pub fn cn_sim_context_record_event(event: Event) -> i32;
    /// Waits for the work of all streams of the process; failures as above.
    pub fn cn_sim_context_synchronize() -> i32;

    /// The name of an error code, such as `cudaErrorInvalidValue`; static.
    pub fn cn_sim_error_name(error: i32) -> *const c_char;
    /// What an error code means: for [`LAUNCH_FAILURE`] the report of the calling thread's last failure, valid
    /// until its next one; for others the name.
    pub fn cn_sim_error_string(error: i32) -> *const c_char;

    /// API calls of the calling thread so far, those of kernels' launchers included.
    pub fn cn_sim_driver_calls() -> u64;
    /// Allocations of the process not freed yet.
    pub fn cn_sim_live_allocations() -> u64;
    /// Their bytes.
    pub fn cn_sim_live_bytes() -> u64;
    /// Events of the process not ended yet.
    pub fn cn_sim_live_events() -> u64;
}
