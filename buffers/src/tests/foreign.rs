//! Foreign memory: shared, never written, and given back once when the work with it is done.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{execs, pattern};
use crate::sync::Arc;
use crate::{Buffer, Device, Exec, ForeignMemory};

/// Counts how often it was given back, and spoils the memory then.
struct Producer {
    memory: Buffer,
    exec: Exec,
    given_back: Arc<AtomicUsize>,
}

impl Drop for Producer {
    fn drop(&mut self) {
        let spoilt = vec![0xEE_u8; self.memory.len()];
        let mut spoil = || self.memory.write(&self.exec)?.copy_from_slice(&spoilt);
        // The thread may be that of a test which makes one of its steps fail.
        spoil().or_else(|_| spoil()).unwrap();
        self.given_back.fetch_add(1, Ordering::SeqCst);
    }
}

/// Memory of a producer with a stream of its own, taken in by `exec`.
fn foreign(bytes: &[u8], exec: &Exec) -> (Buffer, Arc<AtomicUsize>) {
    let given_back = Arc::new(AtomicUsize::new(0));
    let memory = Buffer::from_slice(bytes, exec).unwrap();
    let address = NonNull::new(memory.read(exec).unwrap().as_ptr().cast_mut()).unwrap();
    let producer =
        Producer { memory, exec: exec.with_new_stream().unwrap(), given_back: Arc::clone(&given_back) };
    // SAFETY: the producer keeps the bytes, which are written already, and changes them when dropped only.
    (unsafe { Buffer::from_foreign(address, bytes.len(), producer, exec) }, given_back)
}

fn wait_for_one(given_back: &AtomicUsize) {
    for _ in 0..10_000 {
        if given_back.load(Ordering::SeqCst) == 1 {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("not given back");
}

#[test]
fn shared_and_given_back_with_the_last_view() {
    for exec in execs() {
        let bytes = pattern(1000);
        let (buffer, given_back) = foreign(&bytes, &exec);
        assert!(!buffer.is_unique() && !buffer.is_spillable());
        let part = buffer.slice(100, 500);
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), bytes);
        drop(buffer);
        assert_eq!(part.to_vec::<u8>(&exec).unwrap(), bytes[100..600]);
        assert_eq!(given_back.load(Ordering::SeqCst), 0);
        drop(part);
        wait_for_one(&given_back);
    }
}

#[test]
fn parts_in_several_places_are_given_back_together() {
    for exec in execs() {
        let given_back = Arc::new(AtomicUsize::new(0));
        let memory = Buffer::from_slice(&pattern(1000), &exec).unwrap();
        let start = NonNull::new(memory.read(&exec).unwrap().as_ptr().cast_mut()).unwrap();
        let producer =
            Producer { memory, exec: exec.with_new_stream().unwrap(), given_back: Arc::clone(&given_back) };
        let foreign = ForeignMemory::new(producer, &exec);
        // SAFETY: both are within the producer's bytes, which are written already and change when it is dropped only.
        let (first, mut last) = unsafe { (foreign.buffer(start, 300), foreign.buffer(start.add(700), 300)) };
        drop(foreign);
        assert!(first.shares_memory(&last) && !first.is_unique() && !first.isolate().unwrap().is_spillable());
        assert_eq!(first.slice(1, 9).to_vec::<u8>(&exec).unwrap(), pattern(1000)[1..10]);
        assert_eq!(last.to_vec::<u8>(&exec).unwrap(), pattern(1000)[700..]);
        // A lease holds it as a buffer does, and a write gets memory of its own.
        let lease = first.lease().unwrap();
        assert_eq!((lease.as_ptr(), lease.len()), (start.as_ptr().cast_const(), 300));
        last.write(&exec).unwrap().copy_from_slice(&[1_u8; 300]).unwrap();
        assert!(!first.shares_memory(&last));
        drop(first);
        assert_eq!(given_back.load(Ordering::SeqCst), 0);
        drop(lease);
        wait_for_one(&given_back);
    }
}

#[test]
fn never_written() {
    for exec in execs() {
        let bytes = pattern(100);
        let (mut buffer, given_back) = foreign(&bytes, &exec);
        let other = buffer.clone();
        buffer.write(&exec).unwrap().copy_from_slice(&[1_u8; 100]).unwrap();
        assert!(!buffer.shares_memory(&other));
        assert_eq!(other.to_vec::<u8>(&exec).unwrap(), bytes);
        drop(other);
        wait_for_one(&given_back);
        assert_eq!(buffer.to_vec::<u8>(&exec).unwrap(), [1; 100]);
    }
}

#[test]
fn queued_work_is_done_before_it_is_given_back() {
    for exec in execs() {
        let bytes = pattern(70_000);
        let (buffer, given_back) = foreign(&bytes, &exec);
        let other = exec.with_new_stream().unwrap();
        let copies = [buffer.copy_to(&exec).unwrap(), buffer.copy_to(&other).unwrap()];
        // The producer spoils the memory as soon as it has it.
        drop(buffer);
        wait_for_one(&given_back);
        for copy in &copies {
            assert!(copy.to_vec::<u8>(&exec).unwrap() == bytes);
        }
    }
}

#[test]
fn streams_wait_for_foreign_events() {
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
fn leases_are_ordered_on_one_stream() {
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
