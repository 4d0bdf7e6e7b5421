//! Memory that was exported is freed when the consumer's work is done, on streams unknown to this library.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{assert_conserved, buffers, contents, limited, managed, over, resource, spilled};
use crate::device::{CopyKind, DEVICE_WAITS, copy};
use crate::sync::Arc;
use crate::{Buffer, Device, Error, Exec, Limiting, SpillManager, Stream, Tier, Wait, failpoints};

const LAZY_VARIABLE: &str = "COLUMNADE_SIM_LAZY_STREAMS";

/// Where work runs only when it is waited for, and no other test's work is looked at beside it.
#[test]
fn lazy_consumer_tests_pass() {
    if Device::Sim.require().is_err() {
        return;
    }
    let this = std::env::current_exe().unwrap();
    let run = std::process::Command::new(this)
        .env(LAZY_VARIABLE, "1")
        .args(["spill::tests::deferred_free::lazy::", "--ignored", "--test-threads=1"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && !text.contains("running 0 tests"), "{text}");
}

/// Bytes of an allocation, and of each buffer.
const BYTES: usize = 1024;

/// A foreign consumer: its stream is not of this library's making, as far as this library knows.
struct Consumer {
    stream: Stream,
    seen: Vec<u8>,
}

impl Consumer {
    /// Borrows the buffer and gives it back as soon as its work is queued: a lot of steps, which read the bytes at last.
    fn of(buffer: &Buffer) -> Self {
        let lease = buffer.lease().unwrap();
        Self::of_address(lease.as_ptr(), lease.len())
    }

    fn of_address(address: *const u8, len: usize) -> Self {
        // Every look at a mark does one step of the work before it.
        const STEPS: usize = 500;
        let mut consumer = Self { stream: Stream::new(Device::Sim).unwrap(), seen: vec![0; len] };
        let (seen, stream) = (consumer.seen.as_mut_ptr(), consumer.stream.as_raw());
        let read = |bytes| {
            // SAFETY: as long as the consumer lives there is memory for what it sees, and the deferred free is to keep
            // what it reads.
            unsafe { copy(Device::Sim, seen, address, bytes, CopyKind::DeviceToHost, stream).unwrap() };
        };
        (0..STEPS).for_each(|_| read(1));
        read(len);
        consumer
    }

    /// What it read, now that its work is done.
    fn finish(&mut self) -> &[u8] {
        self.stream.synchronize().unwrap();
        &self.seen
    }
}

impl Drop for Consumer {
    fn drop(&mut self) {
        self.stream.synchronize().unwrap();
    }
}

/// Exports `count` buffers to consumers that end their leases before their work is done, and drops them.
fn exported(count: usize, exec: &Exec) -> Vec<Consumer> {
    buffers(count, BYTES, exec).iter().map(Consumer::of).collect()
}

fn assert_seen(consumers: &mut [Consumer]) {
    for (at, consumer) in consumers.iter_mut().enumerate() {
        assert!(consumer.finish() == contents(at, BYTES), "the memory of {at} was reused too early");
    }
}

fn sim() -> Exec {
    Exec::new(Device::Sim).unwrap()
}

/// Any use of the memory of the device.
fn look() {
    drop(Buffer::zeroed(1, &sim()).unwrap());
}

fn waits(manager: &SpillManager) -> u64 {
    let waits = manager.statistics().snapshot().waits;
    waits.iter().filter(|wait| wait.what == Wait::Consumers).map(|wait| wait.count).sum()
}

#[track_caller]
fn assert_deferred(bytes: usize, manager: &SpillManager) {
    let usage = manager.usage();
    assert_eq!(usage.deferred, bytes);
    let sum = usage.managed + usage.pinned + usage.leased + usage.deferred + usage.unmanaged;
    assert_eq!(sum, usage.tiers[Tier::Device].bytes, "it counts as in use");
}

mod lazy {
    use super::*;

    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn memory_in_use_by_consumer_is_not_freed() {
        let (exec, manager) = managed(&sim());
        let mut consumers = exported(20, &exec);
        assert_deferred(20 * BYTES, &manager);
        assert_eq!(manager.usage().unmanaged, 0);
        // It is not allocated meanwhile.
        let others: Vec<_> = (0..20).map(|_| Buffer::from_slice(&[0xEE_u8; BYTES], &exec).unwrap()).collect();
        assert_deferred(20 * BYTES, &manager);
        assert_seen(&mut consumers);
        look();
        assert_deferred(0, &manager);
        assert_eq!((manager.usage().managed, waits(&manager)), (20 * BYTES, 0));
        drop(others);
        assert_conserved(&manager);
    }

    /// Each goes back when its own consumer is done, in the order in which they came.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn events_are_recorded_when_memory_is_freed() {
        let (exec, manager) = managed(&sim());
        let mut first = exported(1, &exec);
        let second = exported(1, &exec);
        first[0].finish();
        look();
        assert_deferred(BYTES, &manager);
        drop(second);
        assert_eq!(exec.resource().trim(BYTES), BYTES);
        assert_deferred(0, &manager);
    }

    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn free_of_exposed_memory_is_deferred() {
        let (exec, manager) = managed(&sim());
        let mut buffer = Buffer::from_slice(&contents(0, BYTES), &exec).unwrap();
        let address = buffer.expose(&exec).unwrap();
        let mut consumer = Consumer::of_address(address, BYTES);
        drop(buffer);
        assert_deferred(BYTES, &manager);
        assert!(consumer.finish() == contents(0, BYTES));
        look();
        assert_deferred(0, &manager);
    }

    /// An eviction defers the free of the exported block; the block of the unspilled bytes was not exported.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn spill_of_exported_memory_defers_its_free() {
        let (exec, manager) = managed(&sim());
        let buffer = Buffer::from_slice(&contents(0, BYTES), &exec).unwrap();
        let mut consumer = Consumer::of(&buffer);
        assert!(buffer.spill().unwrap());
        assert_deferred(BYTES, &manager);
        drop(buffer.read(&exec).unwrap());
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, 2 * BYTES);
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), contents(0, BYTES));
        drop(buffer);
        assert_eq!(manager.usage().tiers[Tier::Device].bytes, BYTES);
        assert!(consumer.finish() == contents(0, BYTES));
        look();
        assert_conserved(&manager);
    }

    /// The consumer sees what it was given, though the lease is over and the bytes do not move.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn write_in_place_waits_for_consumers() {
        for fault in [None, Some(1)] {
            let (exec, manager) = managed(&sim());
            let mut buffer = Buffer::from_slice(&contents(0, BYTES), &exec).unwrap();
            let mut consumer = Consumer::of(&buffer);
            let address = buffer.read(&exec).unwrap().as_ptr();
            // Where no mark can be made the whole device is waited for.
            let (armed, waits) = (fault.map(failpoints::arm_this_thread), DEVICE_WAITS.get());
            let mut guard = buffer.write(&exec).unwrap();
            assert!(armed.is_none_or(|armed| armed.has_failed()));
            assert_eq!(DEVICE_WAITS.get() - waits, u64::from(fault.is_some()));
            assert_eq!(guard.as_mut_ptr().cast_const(), address);
            guard.copy_from_slice(&contents(1, BYTES)).unwrap();
            drop(guard);
            assert!(consumer.finish() == contents(0, BYTES), "written under the consumer's eyes");
            // What comes after the write comes after the consumer.
            drop(buffer);
            assert_deferred(0, &manager);
            assert_conserved(&manager);
        }
    }

    /// Another stream's use of what a consumer read waits through the write.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn abandoned_write_keeps_the_order() {
        let (exec, other) = (sim(), sim());
        let mut buffer = Buffer::from_slice(&contents(0, BYTES), &exec).unwrap();
        let mut consumer = Consumer::of(&buffer);
        drop(buffer.write(&exec).unwrap());
        buffer.write(&other).unwrap().copy_from_slice(&contents(1, BYTES)).unwrap();
        assert!(consumer.finish() == contents(0, BYTES));
    }

    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn foreign_writer_waits_for_consumers() {
        let exec = sim();
        let mut buffer = Buffer::from_slice(&contents(0, BYTES), &exec).unwrap();
        let mut reader = Consumer::of(&buffer);
        let lease = buffer.lease_mut(&exec).unwrap();
        let stream = Stream::new(Device::Sim).unwrap();
        stream.wait(&lease.ready().unwrap().unwrap()).unwrap();
        let (target, new) = (lease.as_ptr().cast_mut(), contents(1, BYTES));
        // SAFETY: the lease allows writing after its event; the source lives until the stream is done.
        unsafe { copy(Device::Sim, target, new.as_ptr(), BYTES, CopyKind::HostToDevice, stream.as_raw()) }
            .unwrap();
        stream.synchronize().unwrap();
        drop(lease);
        assert!(reader.finish() == contents(0, BYTES));
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), new);
    }

    /// Short of memory: allocations that are not held are spilled, then consumers are waited for, then it fails.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn allocation_short_of_memory_waits_for_consumers() {
        let (exec, manager) = limited(&sim(), 8 * BYTES);
        let mut consumers = exported(4, &exec);
        let spillable = buffers(2, BYTES, &exec);
        let large = Buffer::zeroed(3 * BYTES, &exec.strict()).unwrap();
        assert_eq!((spilled(&spillable).len(), waits(&manager)), (1, 0));
        assert_deferred(4 * BYTES, &manager);

        let _held = (large.read(&exec).unwrap(), spillable[1].read(&exec).unwrap());
        let more = Buffer::zeroed(2 * BYTES, &exec.strict()).unwrap();
        assert_eq!(waits(&manager), 1);
        assert_deferred(2 * BYTES, &manager);
        let error = Buffer::zeroed(5 * BYTES, &exec.strict()).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
        assert_deferred(0, &manager);
        assert_seen(&mut consumers);
        drop(more);
    }

    /// A resource that has no more, with spilling off and on demand too.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn deferred_frees_are_awaited_before_an_allocation_fails() {
        for spill in [false, true] {
            let full = Arc::new(Limiting::new(resource(Device::Sim), 4 * BYTES));
            let (exec, manager) = over(&sim(), full, |options| {
                options.spill = spill;
                options.on_demand = false;
            });
            let mut consumers = exported(4, &exec);
            let buffer = Buffer::zeroed(BYTES, &exec).unwrap();
            assert_eq!(waits(&manager), 1);
            assert_deferred(3 * BYTES, &manager);
            Buffer::zeroed(4 * BYTES, &exec).unwrap_err();
            assert_seen(&mut consumers);
            drop(buffer);
            assert_conserved(&manager);
        }
    }

    /// Ahead of a need and on request nothing is waited for.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn explicit_spill_does_not_wait_for_consumers() {
        let (exec, manager) = managed(&sim());
        let consumers = exported(2, &exec);
        assert_eq!(manager.spill_device_memory(usize::MAX), 0);
        assert_deferred(2 * BYTES, &manager);
        drop(consumers);
        assert_eq!(manager.spill_device_memory(usize::MAX), 2 * BYTES);
        assert_eq!(waits(&manager), 0);
    }

    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn failed_allocation_uses_deferred_frees() {
        let (exec, manager) = managed(&sim());
        let mut consumers = exported(2, &exec);
        let armed = failpoints::arm_this_thread(1);
        let buffer = Buffer::zeroed(BYTES, &exec).unwrap();
        assert!(armed.has_failed());
        drop(armed);
        assert_deferred(BYTES, &manager);
        assert_seen(&mut consumers);
        drop(buffer);
        assert_conserved(&manager);
    }

    /// Blocks without a mark go back with the next that has one, or when memory is short.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn deferred_free_without_event_ends_with_later_one() {
        let exported_unmarked = |exec: &Exec| {
            let buffer = Buffer::from_slice(&contents(0, BYTES), exec).unwrap();
            let consumer = Consumer::of(&buffer);
            let armed = failpoints::arm_this_thread(1);
            drop(buffer);
            assert!(armed.has_failed());
            [consumer]
        };
        let (exec, manager) = limited(&sim(), 4 * BYTES);
        let mut first = exported_unmarked(&exec);
        assert_seen(&mut first);
        look();
        assert_deferred(BYTES, &manager);
        let mut second = exported(1, &exec);
        assert_seen(&mut second);
        look();
        assert_deferred(0, &manager);

        // No poll ever tells of these: they are waited for before anything is spilled.
        let mut consumers = [exported_unmarked(&exec), exported_unmarked(&exec)];
        let spillable = buffers(2, BYTES, &exec);
        let more = Buffer::zeroed(2 * BYTES, &exec.strict()).unwrap();
        assert_eq!((spilled(&spillable).len(), waits(&manager)), (0, 1));
        for consumer in &mut consumers {
            assert_seen(consumer);
        }
        drop((more, spillable));
        assert_conserved(&manager);
    }

    /// The blocks keep what they came from, and nothing else does.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn dropped_manager_leaks_no_deferred_frees() {
        let memory = resource(Device::Sim);
        let used = || memory.statistics().unwrap().current;
        let (exec, manager) = over(&sim(), Arc::clone(&memory), |_| {});
        let mut consumers = exported(3, &exec);
        let last = Arc::downgrade(&manager);
        drop((exec, manager));
        assert_eq!(used(), 3 * BYTES);
        assert_seen(&mut consumers);
        look();
        assert_eq!(used(), 0);
        assert!(last.upgrade().is_none());
    }

    /// Imported memory that was exported again is released when the consumer is done.
    #[test]
    #[ignore = "started by lazy_consumer_tests_pass"]
    fn release_of_reexported_foreign_memory_is_deferred() {
        struct Producer(Buffer, Arc<AtomicBool>);
        impl Drop for Producer {
            fn drop(&mut self) {
                self.0.write(&sim()).unwrap().copy_from_slice(&[0xEE_u8; BYTES]).unwrap();
                self.1.store(true, Ordering::SeqCst);
            }
        }
        let exec = sim();
        let memory = Buffer::from_slice(&contents(0, BYTES), &exec).unwrap();
        let address = NonNull::new(memory.read(&exec).unwrap().as_ptr().cast_mut()).unwrap();
        let given_back = Arc::new(AtomicBool::new(false));
        let producer = Producer(memory, Arc::clone(&given_back));
        // SAFETY: the producer keeps the bytes, and changes them when dropped only.
        let buffer = unsafe { Buffer::from_foreign(address, BYTES, producer, &exec) };
        let mut consumer = Consumer::of(&buffer);
        drop(buffer);
        assert!(!given_back.load(Ordering::SeqCst));
        assert!(consumer.finish() == contents(0, BYTES));
        look();
        assert!(given_back.load(Ordering::SeqCst));
    }
}

/// Where nothing is queued there is nothing to wait for.
#[test]
fn host_frees_exported_memory_at_once() {
    let (exec, manager) = managed(&Exec::host());
    let buffer = Buffer::zeroed(BYTES, &exec).unwrap();
    drop(buffer.lease().unwrap());
    assert!(buffer.spill().unwrap());
    assert_eq!(manager.usage().tiers[Tier::Device].bytes, 0);
    drop(buffer.read(&exec).unwrap());
    drop(buffer.lease().unwrap());
    drop(buffer);
    assert_conserved(&manager);
}
