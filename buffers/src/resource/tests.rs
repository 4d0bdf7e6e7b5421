//! Tests of the resources, and of what a buffer promises about memory beyond its length.

use std::collections::HashSet;
use std::ptr::NonNull;
use std::sync::Arc;

use super::control_group::{group_limit, memory_limit};
use super::host_pool::retention;
use super::recovery::ATTEMPTS;
use super::size_class::SizeClass;
use super::{FailAt, HostPool, Limiting, MemoryResource, MemoryStatistics, Statistics, with_recovery};
use crate::{Admission, Buffer, Device, Error, Exec, Stream};

fn give_back(resource: &dyn MemoryResource, address: NonNull<u8>, bytes: usize) {
    // SAFETY: each test gives back once what it was given, with the same size.
    unsafe { resource.deallocate(address, bytes, &Stream::host()).unwrap() };
}

/// Both versions, nested groups, and groups that are not shown.
#[test]
#[cfg_attr(miri, ignore = "Miri has no files")]
fn memory_limit_is_smallest_control_group_limit() {
    let root = std::env::temp_dir().join(format!("columnade-groups-{}", std::process::id()));
    let limit = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    limit("a/memory.max", "5000\n");
    limit("a/b/memory.max", "max\n");
    limit("a/b/c/memory.max", "7000\n");
    limit("memory/d/memory.limit_in_bytes", "600\n");
    for (groups, expected) in [
        ("0::/a/b/c\n", Some(5000)),
        ("0::/a/b\n", Some(5000)),
        ("0::/\n", None),
        ("0::/x/y\n", None),
        ("12:pids:/a\n4:cpu,memory:/d/e\n0::/a\n", Some(600)),
        ("3:cpu:/d\n", None),
        ("", None),
        ("no group\n", None),
    ] {
        assert_eq!(group_limit(groups, &root), expected, "{groups:?}");
    }
    std::fs::remove_dir_all(&root).unwrap();
    assert!(memory_limit() <= Device::Host.memory_info().unwrap().total);
}

fn allocate(resource: &dyn MemoryResource, bytes: usize) -> NonNull<u8> {
    resource.allocate(bytes, &Stream::host(), Admission::Soft).unwrap()
}

#[test]
fn size_class_fits_its_sizes() {
    let sizes = (1..5000).chain((12..47).flat_map(|bits| [(1 << bits) - 1, 1 << bits, (1 << bits) + 1]));
    for bytes in sizes {
        let class = SizeClass::holding(bytes).unwrap();
        assert!(class.bytes >= bytes && class.bytes.is_multiple_of(64), "{bytes} in {class:?}");
        assert!(bytes <= 256 || class.bytes - bytes <= bytes / 4 + 64, "{bytes} in {class:?}");
        assert_eq!(SizeClass::at(class.index), class);
        assert_eq!(SizeClass::holding(class.bytes), Some(class));
    }
    assert_eq!(SizeClass::holding(1 << 47).map(|class| class.index), Some(SizeClass::COUNT - 1));
    assert_eq!(SizeClass::holding((1 << 47) + 1), None);
    for index in 1..SizeClass::COUNT {
        assert!(SizeClass::at(index).bytes > SizeClass::at(index - 1).bytes);
    }
}

#[test]
fn freed_blocks_are_reused() {
    let pool = HostPool::with_retention(1 << 30);
    for bytes in [1, 64, 100, 4096, 100_000, 131_072, 3 << 20] {
        let address = allocate(&pool, bytes);
        give_back(&pool, address, bytes);
        let retained = pool.retained();
        assert!(retained >= bytes);
        assert_eq!(allocate(&pool, bytes), address, "{bytes} bytes");
        assert!(pool.retained() <= retained - bytes);
        give_back(&pool, address, bytes);
    }
    assert_eq!(pool.trim(usize::MAX), pool_bytes(&[1, 100, 4096, 100_000, 131_072, 3 << 20]));
    assert_eq!(pool.retained(), 0);
}

/// The bytes that a pool keeps for these allocations.
fn pool_bytes(sizes: &[usize]) -> usize {
    sizes.iter().map(|&bytes| SizeClass::holding(bytes).unwrap().bytes).sum()
}

#[test]
fn pool_keeps_at_most_its_retention() {
    let pool = HostPool::with_retention(10_240);
    let blocks: Vec<_> = (0..100).map(|_| allocate(&pool, 1024)).collect();
    for address in blocks {
        give_back(&pool, address, 1024);
        assert!(pool.retained() <= 10_240);
    }
    assert_eq!(pool.retained(), 10_240);
    // Another size pushes the old one out.
    let large = allocate(&pool, 8192);
    give_back(&pool, large, 8192);
    assert!(pool.retained() <= 10_240);
    assert_eq!(allocate(&pool, 8192), large);
    give_back(&pool, large, 8192);
    // An allocation larger than the limit does not.
    let retained = pool.retained();
    let huge = allocate(&pool, 20_000);
    give_back(&pool, huge, 20_000);
    assert_eq!(pool.retained(), retained);

    let none = HostPool::with_retention(0);
    give_back(&none, allocate(&none, 64), 64);
    assert_eq!(none.retained(), 0);
}

#[test]
fn shelf_returns_each_block_once() {
    let pool = HostPool::with_retention(1 << 30);
    let rounds = if cfg!(miri) { 20 } else { 5000 };
    std::thread::scope(|scope| {
        for mark in 1..=4_u8 {
            let (pool, seed) = (&pool, usize::from(mark));
            scope.spawn(move || {
                let mut held: Vec<(NonNull<u8>, usize)> = Vec::new();
                for round in 0..rounds {
                    if held.len() < 20 && (round * seed) % 3 != 0 {
                        let bytes = 64 * (1 + (round + seed) % 3);
                        let address = allocate(pool, bytes);
                        // SAFETY: the block is this thread's alone, which is what the mark is to show.
                        unsafe { address.as_ptr().write(mark) };
                        held.push((address, bytes));
                    } else if let Some((address, bytes)) = held.pop() {
                        // SAFETY: as above.
                        assert_eq!(unsafe { address.as_ptr().read() }, mark);
                        give_back(pool, address, bytes);
                    }
                }
                for (address, bytes) in held {
                    give_back(pool, address, bytes);
                }
            });
        }
    });
}

/// A fresh block of 80 MB costs thousands of page faults and most of the time that writing it takes; one that
/// comes back from the pool has its pages.
#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn recycled_block_causes_no_page_faults() {
    const BYTES: usize = 80_000_000;
    fn touch(address: NonNull<u8>) -> i64 {
        let faults = || {
            // SAFETY: all-zero is a valid `rusage`, which the call then fills in, for this thread.
            unsafe {
                let mut usage: libc::rusage = std::mem::zeroed();
                libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
                usage.ru_minflt
            }
        };
        let before = faults();
        // SAFETY: the block is `BYTES` long and the test's.
        unsafe { address.as_ptr().write_bytes(1, BYTES) };
        faults() - before
    }
    let pool = HostPool::with_retention(1 << 30);
    let address = allocate(&pool, BYTES);
    assert!(address.addr().get().is_multiple_of(2 << 20), "huge pages need their alignment");
    assert!(touch(address) > 0);
    give_back(&pool, address, BYTES);
    let again = allocate(&pool, BYTES);
    assert_eq!(again, address);
    assert!(touch(again) < 16);
    give_back(&pool, again, BYTES);
}

#[test]
fn pool_blocks_are_disjoint() {
    let pool = HostPool::with_retention(1 << 20);
    let blocks: Vec<_> = (0..200).map(|at| (allocate(&pool, 64 + at), 64 + at)).collect();
    let addresses: HashSet<_> = blocks.iter().map(|(address, _)| *address).collect();
    assert_eq!(addresses.len(), blocks.len());
    for (address, bytes) in blocks {
        give_back(&pool, address, bytes);
    }
}

#[test]
fn allocation_over_limit_is_out_of_memory() {
    let resource = Limiting::new(Arc::new(HostPool::with_retention(0)), 1000);
    let first = allocate(&resource, 600);
    let error = resource.allocate(401, &Stream::host(), Admission::Soft).unwrap_err();
    assert_eq!(
        error,
        Error::OutOfMemory { device: Device::Host, requested: 401, free: Some(400), tier_refusal: None }
    );
    assert_eq!(error.to_string(), "out of memory on host: 401 bytes were asked for (400 are free)");
    let second = allocate(&resource, 400);
    assert_eq!((resource.used(), resource.limit()), (1000, 1000));
    give_back(&resource, first, 600);
    give_back(&resource, second, 400);
    assert_eq!(resource.used(), 0);
    resource.allocate(usize::MAX, &Stream::host(), Admission::Soft).unwrap_err();
    let failing = Limiting::new(Arc::new(FailAt::new(Arc::new(HostPool::with_retention(0)), 1)), 1000);
    failing.allocate(10, &Stream::host(), Admission::Soft).unwrap_err();
    assert_eq!(failing.used(), 0, "what the upstream refuses is not counted");
}

#[test]
fn statistics_count_allocations() {
    let resource: Arc<dyn MemoryResource> = Arc::new(Statistics::new(Arc::new(HostPool::with_retention(0))));
    let (first, second) = (allocate(&*resource, 100), allocate(&*resource, 50));
    give_back(&*resource, first, 100);
    let expected = MemoryStatistics { current: 50, peak: 150, total: 150, allocations: 2, live: 1 };
    assert_eq!(resource.statistics(), Some(expected));
    // An adaptor above tells what the one below counts.
    let above = Limiting::new(Arc::clone(&resource), 1000);
    assert_eq!(above.statistics(), Some(expected));
    above.reset_peak();
    assert_eq!(resource.statistics().unwrap().peak, 50);
    give_back(&*resource, second, 50);
    assert_eq!(HostPool::with_retention(0).statistics(), None);
}

#[test]
fn buffers_are_counted_by_their_resource() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let resource = Arc::new(Statistics::new(exec.resource().clone()));
        let exec = exec.with_resource(resource.clone());
        let buffer = Buffer::zeroed(1000, &exec).unwrap();
        assert_eq!(resource.statistics().unwrap().current, 1024);
        drop(buffer);
        let counted = resource.statistics().unwrap();
        assert_eq!((counted.current, counted.peak, counted.live), (0, 1024, 0));
    }
}

#[test]
fn recovery_is_attempted_at_most_attempts_times() {
    let limited = Arc::new(Limiting::new(Arc::new(HostPool::with_retention(0)), 100));
    let allocate = |bytes| limited.allocate(bytes, &Stream::host(), Admission::Soft);
    let mut calls = 0;
    let hopeless = with_recovery(
        || allocate(101),
        |attempt| {
            calls += 1;
            assert_eq!(attempt, calls);
            1
        },
    );
    assert!(matches!(hopeless, Err(Error::OutOfMemory { requested: 101, .. })));
    assert_eq!(calls, ATTEMPTS);

    // Freed memory saves the allocation; without any there is no other attempt.
    let exec = Exec::host().with_resource(limited.clone());
    let mut hoard = Some(Buffer::zeroed(64, &exec).unwrap());
    let mut recover = |_| hoard.take().map_or(0, |freed| freed.len());
    let saved = with_recovery(|| allocate(50), &mut recover).unwrap();
    with_recovery(|| allocate(60), &mut recover).unwrap_err();
    give_back(&*limited, saved, 50);
    assert_eq!(limited.used(), 0);
}

#[test]
fn padding_is_zero_and_contents_are_initialised() {
    for exec in Device::available().into_iter().map(|device| Exec::new(device).unwrap()) {
        for len in [1, 7, 63, 64, 65, 100] {
            // Twice, so that the second comes from a block that was written.
            for _ in 0..2 {
                let buffer = Buffer::from_slice(&vec![0xFF_u8; len], &exec).unwrap();
                let address = NonNull::new(buffer.read(&exec).unwrap().as_ptr().cast_mut()).unwrap();
                // SAFETY: the allocation is padded to a multiple of 64 bytes, lives longer, and is not written now.
                let all = unsafe { Buffer::from_foreign(address, len.next_multiple_of(64), (), &exec) };
                let all = all.to_vec::<u8>(&exec).unwrap();
                assert!(
                    all[..len].iter().all(|&byte| byte == 0xFF) && all[len..].iter().all(|&byte| byte == 0)
                );
            }
        }
    }
}

#[test]
fn retention_is_parsed_from_environment() {
    assert_eq!((retention("0"), retention(" 1.5 MiB ")), (Ok(0), Ok(3 << 19)));
    for bad in ["", "none", "-1", "1.5", "80%"] {
        let error = retention(bad).unwrap_err();
        assert!(
            matches!(&error, Error::Option { variable: "COLUMNADE_HOST_RETENTION", value, .. } if value == bad),
            "{error}"
        );
    }
}
