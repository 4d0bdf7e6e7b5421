//! The simulator as a device: its memory, and ordering between its streams, counted in driver calls.
//!
//! By default the simulator runs queued work at once, so a missing wait goes unnoticed. [`lazily`] runs these
//! tests again in a process that runs work only when something waits for it.

use std::sync::Arc;

use super::sim::driver_calls;
use crate::tests::{overwrite, pattern};
use crate::{Buffer, Device, Error, Exec, SimMemory};

/// Makes the simulator lazy. Read once per process.
const LAZY_VARIABLE: &str = "COLUMNADE_SIM_LAZY_STREAMS";

#[test]
fn lazily() {
    if std::env::var_os(LAZY_VARIABLE).is_some() {
        return;
    }
    let this = std::env::current_exe().unwrap();
    let run = std::process::Command::new(this)
        .env(LAZY_VARIABLE, "1")
        .args(["sim_tests::", "tests::"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

fn calls_of(work: impl FnOnce()) -> u64 {
    let before = driver_calls();
    work();
    driver_calls() - before
}

fn two_streams() -> (Exec, Exec) {
    let exec = Exec::new(Device::Sim).unwrap();
    let other = exec.with_new_stream().unwrap();
    (exec, other)
}

#[test]
fn guards_on_one_stream_make_no_driver_call() {
    let exec = Exec::new(Device::Sim).unwrap();
    let mut first = Buffer::from_slice(&pattern(1000), &exec).unwrap();
    let second = Buffer::zeroed(64, &exec).unwrap();
    let calls = calls_of(|| {
        for _ in 0..100 {
            drop(first.read(&exec).unwrap());
            drop(first.write(&exec).unwrap());
            drop(exec.access(&[&second, &second], [&mut first]).unwrap());
        }
    });
    assert_eq!(calls, 0);
}

#[test]
fn free_records_event_only_for_exported_buffer() {
    let exec = Exec::new(Device::Sim).unwrap();
    let [private, exported] = [0; 2].map(|_| Buffer::zeroed(64, &exec).unwrap());
    exec.synchronize().unwrap();
    drop([exported.lease().unwrap(), exported.lease().unwrap()]);
    assert_eq!(calls_of(|| drop(private)), 1);
    // Create, record, query and destroy an event.
    assert!((3..=5).contains(&calls_of(|| drop(exported))));
}

#[test]
fn other_stream_waits_once_for_earlier_work() {
    let (exec, other) = two_streams();
    let buffers = [10, 20, 30].map(|len| Buffer::zeroed(len, &exec).unwrap());
    // An event is made and recorded, and the other stream waits for it.
    assert_eq!(calls_of(|| drop(buffers[0].read(&other).unwrap())), 3);
    // That event covers all that was queued before.
    let calls = calls_of(|| {
        for buffer in &buffers {
            drop(buffer.read(&other).unwrap());
        }
    });
    assert_eq!(calls, 0);
    // Reads do not wait for reads, but a write waits for them.
    let mut buffer = buffers[2].clone();
    drop(buffers);
    assert_eq!(calls_of(|| drop(buffer.read(&exec).unwrap())), 0);
    assert_eq!(calls_of(|| drop(buffer.write(&exec).unwrap())), 3);
    // The stream's event is recorded again if it is not shared.
    assert_eq!(calls_of(|| drop(buffer.read(&other).unwrap())), 2);
}

#[test]
fn third_stream_shares_the_event() {
    let (exec, other) = two_streams();
    let third = exec.with_new_stream().unwrap();
    let buffer = Buffer::zeroed(10, &exec).unwrap();
    drop(buffer.read(&other).unwrap());
    assert_eq!(calls_of(|| drop(buffer.read(&third).unwrap())), 1, "the wait alone");
}

#[test]
fn work_sees_earlier_work_of_other_streams() {
    let (exec, other) = two_streams();
    for round in 0..20 {
        let zeros = Buffer::zeroed(1000, &exec).unwrap();
        let copy = zeros.copy_to(&other).unwrap();
        drop(zeros);
        let again = copy.copy_to(&exec).unwrap();
        assert_eq!(again.to_vec::<u8>(&exec).unwrap(), vec![0; 1000], "round {round}");
        let mut written = copy.clone();
        overwrite(&mut written, 0, &pattern(1000), &exec).unwrap();
        assert_eq!(written.to_vec::<u8>(&other).unwrap(), pattern(1000));
        assert_eq!(copy.to_vec::<u8>(&other).unwrap(), vec![0; 1000]);
    }
}

/// The driver calls of frees: of a buffer last used on a stream that has waited for the others, twice, and of one that two
/// streams read.
fn calls_of_frees() -> [u64; 3] {
    let (exec, other) = two_streams();
    let buffer = Buffer::zeroed(1000, &exec).unwrap();
    let copy = buffer.copy_to(&other).unwrap();
    // The last use was on `other`, which has waited for the write: one call, to free.
    let first = calls_of(|| drop(buffer));
    drop(copy.read(&exec).unwrap());
    // The last use was on `exec`, which has waited for the write on `other`.
    let second = calls_of(|| drop(copy));
    let buffer = Buffer::zeroed(1000, &exec).unwrap();
    drop(buffer.read(&other).unwrap());
    drop(buffer.read(&exec).unwrap());
    // Both streams read it: the freeing stream waits for the other one, whose event is not its first.
    [first, second, calls_of(|| drop(buffer))]
}

#[test]
fn free_waits_for_every_stream() {
    // The next free of a thread also frees what other tests have put off in the meantime.
    let mut calls = calls_of_frees();
    for _ in 0..20 {
        if calls == [1, 1, 3] {
            break;
        }
        calls = calls_of_frees();
    }
    assert_eq!(calls, [1, 1, 3]);
}

#[test]
fn event_completes_after_its_work() {
    let (exec, other) = two_streams();
    let _zeros = Buffer::zeroed(1000, &exec).unwrap();
    let event = exec.stream().record().unwrap();
    other.stream().wait(&event).unwrap();
    event.synchronize().unwrap();
    assert!(event.is_done().unwrap());
    other.synchronize().unwrap();
}

#[test]
fn allocation_over_device_capacity_is_out_of_memory() {
    let exec = Exec::new(Device::Sim).unwrap();
    let memory = Arc::new(SimMemory::new(1000));
    let exec = exec.with_resource(memory.clone());
    let first = Buffer::zeroed(600, &exec).unwrap();
    let error = Buffer::zeroed(600, &exec).unwrap_err();
    assert_eq!(
        error,
        Error::OutOfMemory { device: exec.device(), requested: 640, free: Some(360), tier_refusal: None }
    );
    drop(first);
    assert_eq!(memory.used(), 0);
    drop(Buffer::zeroed(600, &exec).unwrap());
}
