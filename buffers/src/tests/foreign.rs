//! Foreign memory: shared, never written, and released once, when the work with it is done.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{execs, pattern};
use crate::sync::Arc;
use crate::{Buffer, Device, Exec, ForeignMemory};

/// Counts its releases, and overwrites the memory on release.
struct Producer {
    memory: Buffer,
    exec: Exec,
    released: Arc<AtomicUsize>,
}

impl Drop for Producer {
    fn drop(&mut self) {
        let spoilt = vec![0xEE_u8; self.memory.len()];
        let mut spoil = || self.memory.write(&self.exec)?.copy_from_slice(&spoilt);
        // This may run on the thread of a test that makes one of its steps fail.
        spoil().or_else(|_| spoil()).unwrap();
        self.released.fetch_add(1, Ordering::SeqCst);
    }
}

/// Memory of a producer with its own stream, imported by `exec`.
fn foreign(bytes: &[u8], exec: &Exec) -> (Buffer, Arc<AtomicUsize>) {
    let released = Arc::new(AtomicUsize::new(0));
    let memory = Buffer::from_slice(bytes, exec).unwrap();
    let address = NonNull::new(memory.read(exec).unwrap().as_ptr().cast_mut()).unwrap();
    let producer =
        Producer { memory, exec: exec.with_new_stream().unwrap(), released: Arc::clone(&released) };
    // SAFETY: the producer keeps the bytes, which are written already, and changes them only when dropped.
    (unsafe { Buffer::from_foreign(address, bytes.len(), producer, exec) }, released)
}

fn wait_for_one(released: &AtomicUsize) {
    for _ in 0..10_000 {
        if released.load(Ordering::SeqCst) == 1 {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("not released");
}

#[test]
fn foreign_memory_is_released_with_last_view() {
    for exec in execs() {
        let bytes = pattern(1000);
        let (buffer, released) = foreign(&bytes, &exec);
        assert!(!buffer.is_unique() && !buffer.is_spillable());
        let part = buffer.slice(100, 500);
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), bytes);
        drop(buffer);
        assert_eq!(part.to_vec::<u8>(&exec).unwrap(), bytes[100..600]);
        assert_eq!(released.load(Ordering::SeqCst), 0);
        drop(part);
        wait_for_one(&released);
    }
}

#[test]
fn parts_of_foreign_memory_are_released_together() {
    for exec in execs() {
        let released = Arc::new(AtomicUsize::new(0));
        let memory = Buffer::from_slice(&pattern(1000), &exec).unwrap();
        let start = NonNull::new(memory.read(&exec).unwrap().as_ptr().cast_mut()).unwrap();
        let producer =
            Producer { memory, exec: exec.with_new_stream().unwrap(), released: Arc::clone(&released) };
        let foreign = ForeignMemory::new(producer, &exec);
        // SAFETY: both ranges are within the producer's bytes, which are written already and change only when
        // it is dropped.
        let (first, mut last) = unsafe { (foreign.buffer(start, 300), foreign.buffer(start.add(700), 300)) };
        drop(foreign);
        assert!(first.shares_memory(&last) && !first.is_unique() && !first.isolate().unwrap().is_spillable());
        assert_eq!(first.slice(1, 9).to_vec::<u8>(&exec).unwrap(), pattern(1000)[1..10]);
        assert_eq!(last.to_vec::<u8>(&exec).unwrap(), pattern(1000)[700..]);
        // A lease keeps the memory as a buffer does, and a write copies.
        let lease = first.lease().unwrap();
        assert_eq!((lease.as_ptr(), lease.len()), (start.as_ptr().cast_const(), 300));
        last.write(&exec).unwrap().copy_from_slice(&[1_u8; 300]).unwrap();
        assert!(!first.shares_memory(&last));
        drop(first);
        assert_eq!(released.load(Ordering::SeqCst), 0);
        drop(lease);
        wait_for_one(&released);
    }
}

#[test]
fn foreign_memory_is_never_written() {
    for exec in execs() {
        let bytes = pattern(100);
        let (mut buffer, released) = foreign(&bytes, &exec);
        let other = buffer.clone();
        buffer.write(&exec).unwrap().copy_from_slice(&[1_u8; 100]).unwrap();
        assert!(!buffer.shares_memory(&other));
        assert_eq!(other.to_vec::<u8>(&exec).unwrap(), bytes);
        drop(other);
        wait_for_one(&released);
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), [1; 100]);
    }
}

#[test]
fn foreign_memory_is_released_after_queued_work() {
    for exec in execs() {
        let bytes = pattern(70_000);
        let (buffer, released) = foreign(&bytes, &exec);
        let other = exec.with_new_stream().unwrap();
        let copies = [buffer.copy_to(&exec).unwrap(), buffer.copy_to(&other).unwrap()];
        // The producer overwrites the memory on release.
        drop(buffer);
        wait_for_one(&released);
        for copy in &copies {
            assert!(copy.to_vec::<u8>(&exec).unwrap() == bytes);
        }
    }
}

#[test]
fn stream_waits_for_foreign_event() {
    for exec in execs().into_iter().filter(|exec| exec.device() != Device::Host) {
        let other = exec.with_new_stream().unwrap();
        let event = exec.stream().record().unwrap();
        assert!(!event.as_raw().is_null());
        // SAFETY: an event of the same driver.
        unsafe {
            other.stream().wait_raw(event.as_raw()).unwrap();
            exec.device().synchronize_raw(event.as_raw()).unwrap();
        }
        assert!(event.is_done().unwrap());
    }
}

#[test]
fn lease_orders_streams_of_its_own_device_only() {
    for exec in execs() {
        let other = exec.with_new_stream().unwrap();
        let buffer = Buffer::from_slice(&pattern(100), &exec).unwrap();
        buffer.lease().unwrap().order(other.stream()).unwrap();
        for device in Device::available().into_iter().filter(|&device| device != exec.device()) {
            let stream = Exec::new(device).unwrap().stream().clone();
            assert!(buffer.lease().unwrap().order(&stream).is_err());
        }
    }
}
