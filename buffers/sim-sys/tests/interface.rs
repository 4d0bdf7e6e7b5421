//! The C interface, called from Rust: memory, streams, events, threads, counters, protected memory.
//!
//! Tests that depend on the environment, which the simulator reads once, run in a process of their own: the
//! test starts this program again for one test, with the variable set.
#![cfg(feature = "sim")]
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::ffi::{CStr, c_void};
use std::process::{Command, Output};
use std::ptr;

use columnade_sim_sys::*;

#[track_caller]
fn ok(code: i32) {
    // SAFETY: accepts any code and returns a static or thread-local string.
    let text = unsafe { CStr::from_ptr(cn_sim_error_string(code)) };
    assert_eq!(code, SUCCESS, "{text:?}");
}

/// A stream that is destroyed on drop.
struct OwnedStream(Stream);

impl OwnedStream {
    fn new() -> Self {
        let mut stream = ptr::null_mut();
        // SAFETY: `stream` is valid for writes.
        ok(unsafe { cn_sim_stream_create(&raw mut stream) });
        Self(stream)
    }

    fn synchronize(&self) {
        // SAFETY: the stream lives.
        ok(unsafe { cn_sim_stream_synchronize(self.0) });
    }
}

impl Drop for OwnedStream {
    fn drop(&mut self) {
        // SAFETY: the stream lives and is not used again.
        ok(unsafe { cn_sim_stream_destroy(self.0) });
    }
}

/// Device memory of one stream.
struct Memory<'a> {
    p: *mut c_void,
    stream: &'a OwnedStream,
}

impl<'a> Memory<'a> {
    fn of(values: &[u8], stream: &'a OwnedStream) -> Self {
        let mut p = ptr::null_mut();
        // SAFETY: `p` is valid for writes; the copy reads `values`, which outlive the wait.
        unsafe {
            ok(cn_sim_malloc_async(&raw mut p, values.len(), stream.0));
            ok(cn_sim_memcpy_async(p, values.as_ptr().cast(), values.len(), HOST_TO_DEVICE, stream.0));
        }
        stream.synchronize();
        Self { p, stream }
    }

    fn values(&self, len: usize) -> Vec<u8> {
        let mut values = vec![0; len];
        // SAFETY: the allocation has at least `len` bytes in all tests; `values` outlives the wait.
        ok(unsafe {
            cn_sim_memcpy_async(values.as_mut_ptr().cast(), self.p, len, DEVICE_TO_HOST, self.stream.0)
        });
        self.stream.synchronize();
        values
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        // SAFETY: the allocation lives and is not used again.
        ok(unsafe { cn_sim_free_async(self.p, self.stream.0) });
    }
}

/// Runs a test of this program in a new process, with a variable set.
fn again(test: &str, variable: &str) -> Output {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.args(["--exact", test, "--ignored", "--nocapture"]).env(variable, "1");
    command.output().unwrap()
}

#[test]
fn copies_and_fills_reach_memory() {
    let stream = OwnedStream::new();
    let values: Vec<u8> = (0..=255).collect();
    let memory = Memory::of(&values, &stream);
    assert_eq!(memory.p as usize % 256, 0);
    assert_eq!(memory.values(256), values);
    // SAFETY: within the allocation.
    ok(unsafe { cn_sim_memset_async(memory.p.wrapping_byte_add(10).cast(), 7, 3, stream.0) });
    assert_eq!(memory.values(256)[9..14], [9, 7, 7, 7, 13]);
}

#[test]
fn new_memory_is_garbage_and_empty_allocation_is_null() {
    let stream = OwnedStream::new();
    let mut p = ptr::null_mut();
    // SAFETY: `p` is valid for writes.
    ok(unsafe { cn_sim_malloc_async(&raw mut p, 64, stream.0) });
    let memory = Memory { p, stream: &stream };
    assert_eq!(memory.values(64), [0xA5; 64]);
    let mut nothing = memory.p;
    // SAFETY: `nothing` is valid for writes, and null may be freed.
    unsafe {
        ok(cn_sim_malloc_async(&raw mut nothing, 0, stream.0));
        ok(cn_sim_free_async(nothing, stream.0));
    }
    assert!(nothing.is_null());
}

#[test]
fn copies_from_unregistered_memory_are_pageable() {
    let stream = OwnedStream::new();
    let memory = Memory::of(&[1, 2, 3, 4], &stream);
    let mut host = vec![0_u8; 4096];
    let address: *mut c_void = host.as_mut_ptr().cast();
    // Other tests of this process copy too: what is counted is at least this.
    let pageable = || call_counts().pageable_copies;
    let before = pageable();
    // SAFETY: the copies are within `host`, which outlives the waits, and within the allocation.
    unsafe {
        ok(cn_sim_host_register(address, 100));
        assert_eq!(cn_sim_host_register(address, 100), INVALID_VALUE);
        ok(cn_sim_memcpy_async(address.wrapping_byte_add(96), memory.p, 4, DEVICE_TO_HOST, stream.0));
        stream.synchronize();
        assert_eq!(host[96..100], [1, 2, 3, 4]);
        ok(cn_sim_memcpy_async(address.wrapping_byte_add(97), memory.p, 4, DEVICE_TO_HOST, stream.0));
        stream.synchronize();
        ok(cn_sim_host_unregister(address));
        assert_eq!(cn_sim_host_unregister(address), INVALID_VALUE);
    }
    assert!(pageable() > before);
}

#[test]
fn last_error_is_kept_until_it_is_asked_for() {
    // SAFETY: an address that is not registered is refused.
    unsafe {
        assert_eq!(cn_sim_host_unregister(ptr::null_mut()), INVALID_VALUE);
        assert_eq!(cn_sim_get_last_error(), INVALID_VALUE);
        assert_eq!(cn_sim_get_last_error(), SUCCESS);
    }
}

#[test]
fn every_error_code_has_a_name() {
    let name = |code| {
        // SAFETY: accepts any code and returns a static string.
        unsafe { CStr::from_ptr(cn_sim_error_name(code)) }.to_str().unwrap()
    };
    assert_eq!(name(SUCCESS), "cudaSuccess");
    assert_eq!(name(INVALID_VALUE), "cudaErrorInvalidValue");
    assert_eq!(name(MEMORY_ALLOCATION), "cudaErrorMemoryAllocation");
    assert_eq!(name(NOT_READY), "cudaErrorNotReady");
    assert_eq!(name(12345), "cudaErrorUnknown");
}

#[test]
fn oversized_allocation_is_an_error() {
    let stream = OwnedStream::new();
    let mut p = ptr::null_mut();
    if FLAVOUR != "asan" {
        // SAFETY: `p` is valid for writes. AddressSanitizer ends the process instead.
        let code = unsafe { cn_sim_malloc_async(&raw mut p, usize::MAX / 2, stream.0) };
        assert_eq!((code, p), (MEMORY_ALLOCATION, ptr::null_mut()));
    }
}

#[test]
fn driver_calls_are_counted_per_thread() {
    let stream = OwnedStream::new();
    // SAFETY: reads a counter.
    let before = unsafe { cn_sim_driver_calls() };
    std::thread::scope(|scope| {
        scope.spawn(|| stream.synchronize_twice());
    });
    stream.synchronize();
    // SAFETY: reads a counter.
    assert_eq!(unsafe { cn_sim_driver_calls() } - before, 1);
}

impl OwnedStream {
    fn synchronize_twice(&self) {
        self.synchronize();
        self.synchronize();
    }
}

// SAFETY: the simulator's functions may be called from any thread.
unsafe impl Sync for OwnedStream {}

#[test]
fn threads_use_separate_streams() {
    std::thread::scope(|scope| {
        for thread in 0..8_u8 {
            scope.spawn(move || {
                let stream = OwnedStream::new();
                for round in 0..50 {
                    let values = vec![thread.wrapping_add(round); 1000];
                    assert_eq!(Memory::of(&values, &stream).values(1000), values);
                }
            });
        }
    });
}

#[test]
fn threads_order_each_others_streams() {
    let (first, second) = (OwnedStream::new(), OwnedStream::new());
    std::thread::scope(|scope| {
        for (from, to) in [(&first, &second), (&second, &first)] {
            scope.spawn(move || {
                for _ in 0..200 {
                    let mut event = ptr::null_mut();
                    // SAFETY: the streams live; the event ends after its last use.
                    unsafe {
                        ok(cn_sim_event_create(&raw mut event));
                        ok(cn_sim_event_record(event, from.0));
                        ok(cn_sim_stream_wait_event(to.0, event));
                        ok(cn_sim_event_synchronize(event));
                        assert_eq!(cn_sim_event_query(event), SUCCESS);
                        ok(cn_sim_event_destroy(event));
                    }
                    to.synchronize();
                }
            });
        }
    });
}

#[test]
fn threads_order_each_others_lazy_streams() {
    let output = again("in_a_process::ordered_streams", "COLUMNADE_SIM_LAZY_STREAMS");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn lazy_work_runs_at_synchronisation() {
    let output = again("in_a_process::lazy_copy", "COLUMNADE_SIM_LAZY_STREAMS");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn context_event_covers_work_of_every_stream() {
    let output = again("in_a_process::context_event", "COLUMNADE_SIM_LAZY_STREAMS");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn live_allocations_are_counted() {
    let output = again("in_a_process::live_memory", "COLUMNADE_SIM_SEED");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn calls_are_counted_by_kind() {
    let output = again("in_a_process::counted_calls", "COLUMNADE_SIM_SEED");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn host_access_to_protected_memory_faults_and_names_cause() {
    let output = again("in_a_process::host_access", "COLUMNADE_SIM_PROTECT");
    assert!(!output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("sim: the host touched device memory at 0x"), "{text}");
    assert!(text.contains("COLUMNADE_SIM_PROTECT"), "{text}");
    assert!(!text.contains("not reached"), "{text}");
}

/// Bodies of tests that need a process of their own.
mod in_a_process {
    use super::*;

    #[test]
    #[ignore = "started by threads_order_each_others_lazy_streams"]
    fn ordered_streams() {
        threads_order_each_others_streams();
    }

    #[test]
    #[ignore = "started by lazy_work_runs_at_synchronisation"]
    fn lazy_copy() {
        let stream = OwnedStream::new();
        let memory = Memory::of(&[5; 100], &stream);
        let mut out = [0_u8; 100];
        // SAFETY: `out` outlives the wait at the end.
        ok(unsafe { cn_sim_memcpy_async(out.as_mut_ptr().cast(), memory.p, 100, BY_ADDRESS, stream.0) });
        // Read as the simulator may write it: behind the compiler's back.
        // SAFETY: `out` is alive and aligned.
        assert_eq!(unsafe { out.as_ptr().read_volatile() }, 0);
        // SAFETY: the stream lives.
        unsafe {
            assert_eq!(cn_sim_stream_query(stream.0), NOT_READY);
            assert_eq!(cn_sim_stream_query(stream.0), SUCCESS);
            assert_eq!(out.as_ptr().read_volatile(), 5);
        }
    }

    #[test]
    #[ignore = "started by context_event_covers_work_of_every_stream"]
    fn context_event() {
        let (first, second) = (OwnedStream::new(), OwnedStream::new());
        let memory = Memory::of(&[5; 100], &first);
        let mut outs = [[0_u8; 100]; 3];
        let copy = |to: &mut [u8; 100], stream: &OwnedStream| {
            // SAFETY: the targets outlive the waits below.
            ok(unsafe { cn_sim_memcpy_async(to.as_mut_ptr().cast(), memory.p, 100, BY_ADDRESS, stream.0) });
        };
        // SAFETY: alive and aligned; read as the simulator may write it, behind the compiler's back.
        let first_of = |out: &[u8; 100]| unsafe { out.as_ptr().read_volatile() };
        let mut event = ptr::null_mut();
        copy(&mut outs[0], &first);
        copy(&mut outs[1], &second);
        // SAFETY: the streams and the event live.
        unsafe {
            ok(cn_sim_event_create(&raw mut event));
            assert_eq!(cn_sim_event_query(event), SUCCESS, "not recorded yet");
            ok(cn_sim_context_record_event(event));
            copy(&mut outs[2], &second);
            // Each query runs one more operation.
            assert_eq!(cn_sim_event_query(event), NOT_READY);
            assert_eq!(cn_sim_event_query(event), NOT_READY);
            assert_eq!(cn_sim_event_query(event), SUCCESS);
            assert_eq!(outs.each_ref().map(first_of), [5, 5, 0], "what came later is not marked");
            ok(cn_sim_context_record_event(event));
            // A stream may be destroyed before the event.
            drop(second);
            ok(cn_sim_event_synchronize(event));
            assert_eq!(first_of(&outs[2]), 5);
            outs[0] = [0; 100];
            copy(&mut outs[0], &first);
            ok(cn_sim_context_record_event(event));
            let third = OwnedStream::new();
            ok(cn_sim_stream_wait_event(third.0, event));
            copy(&mut outs[1], &third);
            third.synchronize();
            assert_eq!(first_of(&outs[0]), 5, "a stream waits for all others");
            outs[0] = [0; 100];
            copy(&mut outs[0], &first);
            ok(cn_sim_context_synchronize());
            assert_eq!(first_of(&outs[0]), 5);
            ok(cn_sim_event_destroy(event));
        }
    }

    #[test]
    #[ignore = "started by calls_are_counted_by_kind"]
    fn counted_calls() {
        let stream = OwnedStream::new();
        let first = call_counts();
        let memory = Memory::of(&[5; 100], &stream);
        // SAFETY: the allocation has 100 bytes.
        unsafe {
            ok(cn_sim_memset_async(memory.p, 7, 30, stream.0));
            ok(cn_sim_memcpy_async(memory.p, memory.p.byte_add(50), 20, DEVICE_TO_DEVICE, stream.0));
        }
        let _ = memory.values(40);
        let (counts, live, peak) = (call_counts(), live_bytes(), take_peak_bytes());
        let expected = CallCounts {
            memsets: 1,
            memset_bytes: 30,
            copies_to_device: 1,
            bytes_to_device: 100,
            copies_to_host: 1,
            bytes_to_host: 40,
            copies_within: 1,
            bytes_within: 20,
            synchronizations: 2,
            allocations: 1,
            bytes_allocated: 100,
            // Of host memory that was not registered: one each way.
            pageable_copies: 2,
            ..first
        };
        assert_eq!(first, CallCounts::default());
        assert_eq!((counts, live, peak), (expected, 100, 100));
        drop(memory);
        stream.synchronize();
        // The first call takes the peak before the allocation was freed.
        assert_eq!((take_peak_bytes(), take_peak_bytes()), (100, 0));
    }

    #[test]
    #[ignore = "started by live_allocations_are_counted"]
    fn live_memory() {
        // SAFETY: both read a counter.
        let live = || unsafe { (cn_sim_live_allocations(), cn_sim_live_bytes()) };
        let stream = OwnedStream::new();
        assert_eq!(live(), (0, 0));
        let one = Memory::of(&[1; 100], &stream);
        let two = Memory::of(&[2; 50], &stream);
        assert_eq!(live(), (2, 150));
        drop(one);
        // Memory is freed in stream order.
        stream.synchronize();
        assert_eq!(live(), (1, 50));
        drop(two);
        stream.synchronize();
        assert_eq!(live(), (0, 0));
    }

    #[test]
    #[ignore = "started by host_access_to_protected_memory_faults_and_names_cause"]
    fn host_access() {
        let stream = OwnedStream::new();
        let memory = Memory::of(&[9; 100], &stream);
        assert_eq!(memory.values(100), [9; 100]);
        // SAFETY: none; the access is the fault that the test wants to see.
        let byte = unsafe { memory.p.cast::<u8>().read_volatile() };
        eprintln!("not reached: {byte}");
    }
}
