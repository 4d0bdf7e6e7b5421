//! How long memory is held, and by which side.

use super::producer::Producer;
use super::{being_written, column, counting, execs, export, import, numbers};
use crate::arrow::c::CopyPolicy;
use crate::dlpack::{ManagedTensor, TensorRequest};
use crate::test_execs::{lazily, protected, spilling};
use crate::{Column, ColumnAccessor, DType};
use columnade_buffers::MemoryResource;
use columnade_tests::Nulls;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn suites_pass_with_lazy_streams() {
    lazily(&["dlpack::tests::lifetime::", "dlpack::tests::requests::", "cuda_array::tests::"]);
}

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn host_never_reads_device_memory() {
    let suites =
        ["frames", "hostile", "requests", "round_trips"].map(|suite| format!("dlpack::tests::{suite}::"));
    protected(&[&suites[0], &suites[1], &suites[2], &suites[3], "cuda_array::tests::"]);
}

/// Waits until as many tensors are deleted: on a device that may be on a thread of its own.
fn await_deleted(deleted: &Arc<AtomicUsize>, expected: usize) {
    let start = Instant::now();
    while deleted.load(Ordering::SeqCst) < expected && start.elapsed() < Duration::from_mins(1) {
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(deleted.load(Ordering::SeqCst), expected);
}

#[test]
fn tensor_is_deleted_once_after_last_view() {
    for exec in execs() {
        for version in [None, Producer::default().version] {
            let producer =
                Producer { shape: &[10, 10], strides: Some(&[1, 10]), version, ..Producer::default() };
            let read =
                ColumnAccessor::from_dlpack(&mut producer.tensor(&exec), CopyPolicy::Never, &exec).unwrap();
            let views: Vec<Column> =
                read.columns().iter().map(|column| column.slice(2, 5).unwrap()).collect();
            drop(read);
            assert_eq!(producer.deleted.load(Ordering::SeqCst), 0);
            thread::scope(|scope| {
                for view in views {
                    scope.spawn(move || drop(view));
                }
            });
            await_deleted(&producer.deleted, 1);
            // What was copied is given back at once.
            let copied =
                ColumnAccessor::from_dlpack(&mut producer.tensor(&exec), CopyPolicy::Always, &exec).unwrap();
            await_deleted(&producer.deleted, 2);
            assert_eq!(copied.columns()[3].data().unwrap().to_vec::<i64>(&exec).unwrap(), numbers(40)[30..]);
        }
    }
}

#[test]
fn exported_memory_lives_until_last_release() {
    for exec in execs() {
        let (exec, counter) = counting(&exec);
        let live = || counter.statistics().unwrap().live;
        let before = live();
        let values = column(&DType::Int64, 500, Nulls::NoMask, &exec);
        let expected = values.to_scalars().unwrap();
        let tensors: Vec<ManagedTensor> = (0..8).map(|_| export(&values, &exec)).collect();
        drop(values);
        assert!(live() > before);
        thread::scope(|scope| {
            for mut tensor in tensors {
                let (exec, expected) = (&exec, &expected);
                scope.spawn(move || assert_eq!(import(&mut tensor, exec).to_scalars().unwrap(), *expected));
            }
        });
        exec.synchronize().unwrap();
        let start = Instant::now();
        while live() > before && start.elapsed() < Duration::from_mins(1) {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(live(), before);
    }
}

#[test]
fn released_export_can_be_spilled_and_written() {
    for exec in execs() {
        let exec = spilling(&exec);
        let values = column(&DType::Int64, 100, Nulls::NoMask, &exec);
        let expected = values.to_scalars().unwrap();
        let data = values.data().unwrap();
        assert!(data.spill().unwrap(), "{}", exec.device());
        // What is spilled comes back for an export.
        let tensor = export(&values, &exec);
        assert!(!data.is_spilled() && !data.is_spillable() && !data.is_unique());
        assert!(!data.spill().unwrap());
        drop(tensor);
        assert!(data.is_spillable() && data.is_unique());
        assert!(data.spill().unwrap() && data.is_spilled(), "{}", exec.device());
        assert_eq!(values.to_scalars().unwrap(), expected);
        let address = data.read(&exec).unwrap().as_ptr();
        let mut data = data.clone();
        drop(values);
        assert_eq!(data.write(&exec).unwrap().as_mut_ptr().cast_const(), address, "written in place");
    }
}

/// Memory runs out at every allocation in turn: the tensor is its producer's, who may delete it at once, so nothing queued
/// may still read it.
#[cfg(feature = "failpoints")]
#[test]
fn failed_import_queues_no_reads() {
    use crate::test_execs::is_idle;
    use columnade_buffers::failpoints::FailAt;

    for exec in execs() {
        // Rows are contiguous, so that every column is copied.
        let producer = Producer { shape: &[10, 10], ..Producer::default() };
        let mut tensor = producer.tensor(&exec);
        exec.synchronize().unwrap();
        let mut failures = 0;
        let read = loop {
            let resource = Arc::new(FailAt::new(Arc::clone(exec.resource()), failures + 1));
            let failing = exec.with_resource(resource.clone());
            match ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &failing) {
                Ok(read) => break read,
                Err(error) => assert!(resource.has_failed(), "{error}"),
            }
            failures += 1;
            assert!(is_idle(&exec), "after {failures}");
            assert_eq!((tensor.is_taken(), producer.deleted.load(Ordering::SeqCst)), (false, 0));
        };
        assert!(failures > 1 && tensor.is_taken(), "{failures}");
        assert_eq!(read.len(), 10);
    }
}

#[test]
fn exported_and_imported_memory_is_never_written() {
    for exec in execs() {
        let values = column(&DType::Int64, 100, Nulls::NoMask, &exec);
        let before = values.to_scalars().unwrap();
        let mut buffer = values.data().unwrap().clone();
        let mut tensor = export(&values, &exec);
        drop(values);
        buffer.write(&exec).unwrap().copy_from_slice(&[7_i64; 100]).unwrap();
        let read = import(&mut tensor, &exec);
        assert_eq!(read.to_scalars().unwrap(), before);
        let mut imported = read.data().unwrap().clone();
        let shared = imported.memory_id();
        drop(read);
        imported.write(&exec).unwrap().copy_from_slice(&[8_i64; 100]).unwrap();
        assert_ne!(imported.memory_id(), shared);
    }
}

#[test]
fn mutable_export_waits_for_pending_writes() {
    for exec in execs() {
        let n = 5000;
        let producer = exec.with_new_stream().unwrap();
        let mut values = being_written(n, &producer);
        let stream = crate::dlpack::ConsumerStream::of(&exec);
        let mut tensor =
            values.to_dlpack_mut(&TensorRequest { stream, ..TensorRequest::default() }, &exec).unwrap();
        let read = import(&mut tensor, &exec);
        assert_eq!(read.data().unwrap().to_vec::<i64>(&exec).unwrap(), numbers(n));
        drop((read, values));
    }
}
