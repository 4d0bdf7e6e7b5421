//! Tests that need no GPU: opening the shim, typed errors, and RMM's adaptors over a Rust allocator.

use crate::library::open;
use crate::{Error, Memory, Resource, Stream, device_memory, version};
use std::alloc::{Layout, alloc, dealloc};
use std::path::PathBuf;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Host memory that counts its outstanding bytes.
#[derive(Clone, Default)]
struct Host {
    bytes_out: Arc<AtomicUsize>,
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, crate::ALIGNMENT).unwrap()
}

impl Memory for Host {
    fn allocate(&self, bytes: usize, _: Stream) -> Option<NonNull<u8>> {
        self.bytes_out.fetch_add(bytes, Ordering::Relaxed);
        // SAFETY: no test allocates zero bytes.
        NonNull::new(unsafe { alloc(layout(bytes)) })
    }

    unsafe fn deallocate(&self, memory: NonNull<u8>, bytes: usize, _: Stream) {
        self.bytes_out.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: allocated above with the same layout, by the caller's promise.
        unsafe { dealloc(memory.as_ptr(), layout(bytes)) }
    }
}

fn allocate(resource: &Resource, bytes: usize) -> Result<NonNull<u8>, Error> {
    // SAFETY: the resources here allocate from `Host`, which ignores streams.
    unsafe { resource.allocate(bytes, null_mut()) }
}

fn deallocate(resource: &Resource, memory: NonNull<u8>, bytes: usize) {
    // SAFETY: the tests free what they allocated, with its size.
    unsafe { resource.deallocate(memory, bytes, null_mut()) }.unwrap();
}

#[test]
fn shim_opens() {
    assert!(version().unwrap() >= (26, 6));
}

#[test]
fn missing_shim_names_the_places() {
    let places = vec![PathBuf::from("/nowhere/a.so"), PathBuf::from("/nowhere/b.so")];
    let Err(error) = open(places.clone()) else { panic!("opened a library that is not there") };
    assert_eq!(error, Error::Library { places, reason: "there is no such file".into() });
    assert!(error.to_string().ends_with("looked for /nowhere/a.so, /nowhere/b.so"), "{error}");
}

#[test]
fn unreadable_shim_error_contains_loader_message() {
    let folder = std::env::temp_dir().join(format!("columnade-rmm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("libcolumnade_rmm.so");
    std::fs::write(&path, "no library").unwrap();
    let Err(Error::Library { reason, .. }) = open(vec![path]) else { panic!("opened a text file") };
    std::fs::remove_dir_all(folder).unwrap();
    assert!(reason.contains("libcolumnade_rmm.so"), "{reason}");
}

/// A program without its shim starts, and fails only when it creates a resource.
#[test]
fn program_without_shim_starts() {
    let program = std::env::current_exe().unwrap();
    let mut child = std::process::Command::new(program);
    child.args(["--exact", "tests::shim_opens"]).env("COLUMNADE_RMM", "/nowhere/shim.so");
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && text.contains("0 passed; 1 failed"), "{text}");
    assert!(text.contains("/nowhere/shim.so") && text.contains("there is no such file"), "{text}");
}

/// Holds with and without a GPU: either all device resources can be made, or each reports that there is no
/// device.
#[test]
fn device_resources_all_succeed_or_all_have_no_device() {
    let made = [
        Resource::cuda().err(),
        Resource::cuda_async(None, None).err(),
        Resource::pinned_host().err(),
        device_memory().err(),
    ];
    let none = made.iter().flatten().filter(|error| matches!(error, Error::NoDevice { .. })).count();
    assert!(none == made.len() || made.iter().all(Option::is_none), "{made:?}");
    if none > 0 {
        let upstream = Resource::callback(Box::new(Host::default())).unwrap();
        for error in [upstream.pool(1 << 20, None), upstream.arena(None), upstream.binning(8, 20)] {
            assert!(matches!(error, Err(Error::NoDevice { .. })), "{error:?}");
        }
    }
}

#[test]
fn statistics_count_bytes_and_allocations() {
    let host = Host::default();
    let statistics = Resource::callback(Box::new(host.clone())).unwrap().statistics().unwrap();
    let first = allocate(&statistics, 1024).unwrap();
    let second = allocate(&statistics, 512).unwrap();
    deallocate(&statistics, first, 1024);
    let counted = statistics.counters().unwrap();
    assert_eq!((counted.bytes.current, counted.bytes.peak, counted.bytes.total), (512, 1536, 1536));
    let allocations = counted.allocations;
    assert_eq!((allocations.current, allocations.peak, allocations.total), (1, 2, 2));
    assert_eq!(host.bytes_out.load(Ordering::Relaxed), 512);
    deallocate(&statistics, second, 512);
    assert_eq!(host.bytes_out.load(Ordering::Relaxed), 0);
}

#[test]
fn tracking_reports_outstanding_allocations() {
    let tracking = Resource::callback(Box::new(Host::default())).unwrap().tracking().unwrap();
    assert_eq!(tracking.outstanding().unwrap().report, "");
    let memory = allocate(&tracking, 4096).unwrap();
    let outstanding = tracking.outstanding().unwrap();
    assert_eq!(outstanding.bytes, 4096);
    assert!(outstanding.report.contains("4096"), "{}", outstanding.report);
    deallocate(&tracking, memory, 4096);
    assert_eq!(tracking.outstanding().unwrap().bytes, 0);
}

#[test]
fn counters_of_other_resource_kind_are_an_error() {
    let plain = Resource::callback(Box::new(Host::default())).unwrap();
    let text = |error| match error {
        Error::Rmm { text, .. } => text,
        other => panic!("{other}"),
    };
    assert_eq!(text(plain.counters().unwrap_err()), "not a statistics resource");
    assert_eq!(text(plain.outstanding().unwrap_err()), "not a tracking resource");
    assert_eq!(text(plain.pool_usage().unwrap_err()), "not a CUDA-asynchronous resource");
    assert_eq!(text(plain.trim(0).unwrap_err()), "not a CUDA-asynchronous resource");
}

#[test]
fn allocation_over_limit_is_out_of_memory() {
    let limited = Resource::callback(Box::new(Host::default())).unwrap().limiting(1024).unwrap();
    let memory = allocate(&limited, 1024).unwrap();
    assert_eq!(allocate(&limited, 256).unwrap_err(), Error::OutOfMemory { bytes: 256 });
    deallocate(&limited, memory, 1024);
    let memory = allocate(&limited, 256).unwrap();
    deallocate(&limited, memory, 256);
}

#[test]
fn failure_callback_that_frees_retries_allocation() {
    let limited = Resource::callback(Box::new(Host::default())).unwrap().limiting(1024).unwrap();
    let held = Arc::new(std::sync::Mutex::new(vec![allocate(&limited, 1024).unwrap().as_ptr() as usize]));
    let asked = Arc::new(AtomicUsize::new(0));
    let resource = {
        let (held, asked, limited) = (held.clone(), asked.clone(), limited.clone());
        limited.clone().failure_callback(move |bytes| {
            asked.store(bytes, Ordering::Relaxed);
            let Some(address) = held.lock().unwrap().pop() else { return false };
            deallocate(&limited, NonNull::new(address as *mut u8).unwrap(), 1024);
            true
        })
    }
    .unwrap();
    let memory = allocate(&resource, 512).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 512);
    assert_eq!(allocate(&resource, 768).unwrap_err(), Error::OutOfMemory { bytes: 768 });
    deallocate(&resource, memory, 512);
}

#[test]
fn callback_panics_do_not_unwind_into_cpp() {
    struct Panics;
    impl Memory for Panics {
        fn allocate(&self, _: usize, _: Stream) -> Option<NonNull<u8>> {
            panic!("no memory here")
        }
        unsafe fn deallocate(&self, _: NonNull<u8>, _: usize, _: Stream) {}
    }
    let memory = Resource::callback(Box::new(Panics)).unwrap();
    let resource = memory.failure_callback(|_| panic!("nor here")).unwrap();
    assert_eq!(allocate(&resource, 64).unwrap_err(), Error::OutOfMemory { bytes: 64 });
}

/// The state of a callback lives as long as any adaptor over it, and is dropped once.
#[test]
fn adaptors_keep_their_upstream_alive() {
    struct Counted(Host, Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }
    impl Memory for Counted {
        fn allocate(&self, bytes: usize, stream: Stream) -> Option<NonNull<u8>> {
            self.0.allocate(bytes, stream)
        }
        unsafe fn deallocate(&self, memory: NonNull<u8>, bytes: usize, stream: Stream) {
            // SAFETY: passed on under the caller's promise.
            unsafe { self.0.deallocate(memory, bytes, stream) }
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let bottom = Resource::callback(Box::new(Counted(Host::default(), drops.clone()))).unwrap();
    let top = bottom.statistics().unwrap().failure_callback(|_| false).unwrap();
    drop(bottom);
    let memory = allocate(&top, 64).unwrap();
    deallocate(&top, memory, 64);
    assert_eq!(drops.load(Ordering::Relaxed), 0);
    drop(top);
    assert_eq!(drops.load(Ordering::Relaxed), 1);
}

/// Clones of one resource used by several threads.
#[test]
fn threads_share_one_resource() {
    let resource = Resource::callback(Box::new(Host::default())).unwrap().statistics().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let resource = resource.clone();
            scope.spawn(move || {
                for bytes in 1..200 {
                    let memory = allocate(&resource, bytes * 256).unwrap();
                    deallocate(&resource, memory, bytes * 256);
                }
            });
        }
    });
    let counted = resource.counters().unwrap();
    assert_eq!((counted.bytes.current, counted.allocations.total), (0, 4 * 199));
}
