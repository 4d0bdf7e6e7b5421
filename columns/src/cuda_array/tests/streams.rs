//! Streams and lifetimes: which stream waits for which, and how long memory stays valid.

use super::{column, execs, export};
use crate::arrow::c::CopyPolicy;
use crate::cuda_array::{CudaArray, CudaArrayExport, CudaArrayImport, CudaArrayInterface, StreamEntry};
use crate::test_execs::{alone, is_idle};
use crate::{Column, DType};
use columnade_buffers::{Device, Exec};
use columnade_tests::Nulls;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What keeps memory, and counts when it goes.
struct Kept {
    _array: CudaArray,
    dropped: Arc<AtomicUsize>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

fn import(
    interface: &CudaArrayInterface,
    keep: Kept,
    options: CudaArrayImport,
    exec: &Exec,
) -> crate::Result<Column> {
    // SAFETY: the description is of memory that is kept, with a stream that its test keeps.
    unsafe { Column::from_cuda_array(interface, keep, &options, exec) }
}

#[test]
fn keep_alive_is_dropped_once() {
    for exec in execs() {
        for dtype in [DType::Int64, DType::Bool] {
            for nulls in [Nulls::NoMask, Nulls::Some] {
                for copy in [CopyPolicy::IfNeeded, CopyPolicy::Always] {
                    let values = column(&dtype, 100, nulls, &exec);
                    let array = export(&values, &exec);
                    let (interface, dropped) = (array.interface().clone(), Arc::new(AtomicUsize::new(0)));
                    let keep = Kept { _array: array, dropped: Arc::clone(&dropped) };
                    let options = CudaArrayImport { copy, ..CudaArrayImport::default() };
                    let reader = exec.with_new_stream().unwrap();
                    let read = import(&interface, keep, options, &reader).unwrap();
                    let views = [read.slice(3, 50).unwrap(), read.clone()];
                    assert_eq!(read.to_scalars().unwrap(), values.to_scalars().unwrap());
                    if copy == CopyPolicy::IfNeeded && dtype == DType::Int64 {
                        assert_eq!(dropped.load(Ordering::SeqCst), 0);
                    }
                    drop((read, views));
                    let start = Instant::now();
                    while dropped.load(Ordering::SeqCst) == 0 && start.elapsed() < Duration::from_mins(1) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    assert_eq!(dropped.load(Ordering::SeqCst), 1, "{dtype} {copy:?}");
                }
            }
        }
    }
}

#[test]
fn exposed_stream_outlives_its_column() {
    for exec in execs() {
        let mut values = column(&DType::Int64, 100, Nulls::NoMask, &exec);
        let expected = values.to_scalars().unwrap();
        let publisher = exec.with_new_stream().unwrap();
        let array = values.expose_cuda_array(&CudaArrayExport::default(), &publisher).unwrap();
        let interface = array.interface().clone();
        drop((array, publisher));
        let others: Vec<Exec> = (0..8).map(|_| exec.with_new_stream().unwrap()).collect();
        // SAFETY: the memory is exposed, so it is there as long as the column; its stream always is.
        let read =
            unsafe { Column::from_cuda_array(&interface, (), &CudaArrayImport::default(), &others[0]) };
        assert_eq!(read.unwrap().to_scalars().unwrap(), expected);
        // The column has used the stream; nor does it go with that one.
        drop(values);
        let later: Vec<Exec> = (0..64).map(|_| exec.with_new_stream().unwrap()).collect();
        let handle = |exec: &Exec| i64::try_from(exec.stream().as_raw().addr()).ok();
        assert!(others.iter().chain(&later).all(|other| handle(other) != interface.stream));
    }
}

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn producer_stream_waits_for_reads() {
    alone("cuda_array::tests::streams::producer_stream_waits_for_reads_alone");
}

#[test]
#[ignore = "`producer_stream_waits_for_reads` runs it alone in a process"]
fn producer_stream_waits_for_reads_alone() {
    let exec = Exec::new(Device::Sim).unwrap();
    for (dtype, nulls) in
        [(DType::Int64, Nulls::NoMask), (DType::Int64, Nulls::Some), (DType::Bool, Nulls::Some)]
    {
        // Of its own: memory of the one before is still given back, on a thread.
        let producer = exec.with_new_stream().unwrap();
        let values = column(&dtype, 5000, nulls, &producer);
        let array = Arc::new(export(&values, &producer));
        producer.synchronize().unwrap();
        assert!(is_idle(&producer));
        let reader = exec.with_new_stream().unwrap();
        let options = CudaArrayImport { copy: CopyPolicy::Always, ..CudaArrayImport::default() };
        // SAFETY: of memory that is kept.
        let read =
            unsafe { Column::from_cuda_array(array.interface(), Arc::clone(&array), &options, &reader) };
        // What is queued next comes after the reader's work, which the host has not waited for yet.
        assert!(!is_idle(&producer), "{dtype}");
        producer.synchronize().unwrap();
        assert!(is_idle(&reader), "{dtype}");
        assert_eq!(read.unwrap().to_scalars().unwrap(), values.to_scalars().unwrap());
    }
}

#[test]
fn ignored_and_absent_streams_do_not_wait() {
    for exec in execs() {
        let values = column(&DType::Int64, 100, Nulls::Some, &exec);
        exec.synchronize().unwrap();
        for (stream, options) in [
            (None, StreamEntry::Honour),
            (None, StreamEntry::Ignore),
            // Numbers that would be errors.
            (Some(0), StreamEntry::Ignore),
            (Some(-1), StreamEntry::Ignore),
        ] {
            let array = export(&values, &exec);
            exec.synchronize().unwrap();
            let mut interface = array.interface().clone();
            interface.stream = stream;
            interface.mask.as_mut().unwrap().stream = stream;
            let options = CudaArrayImport { stream: options, ..CudaArrayImport::default() };
            let keep = Kept { _array: array, dropped: Arc::default() };
            let read = import(&interface, keep, options, &exec).unwrap();
            assert_eq!(read.to_scalars().unwrap(), values.to_scalars().unwrap());
        }
    }
}

/// Of a producer that goes on writing where it was read.
#[cfg(feature = "sim")]
#[test]
fn later_producer_work_runs_after_reads() {
    let Ok(exec) = Exec::new(Device::Sim) else { return };
    let producer = exec.with_new_stream().unwrap();
    let values = column(&DType::Int64, 5000, Nulls::Some, &producer);
    let expected = values.to_scalars().unwrap();
    let array = export(&values, &producer);
    let interface = array.interface().clone();
    let mask = interface.mask.as_ref().unwrap().data.address;
    let reader = exec.with_new_stream().unwrap();
    let options = CudaArrayImport { copy: CopyPolicy::Always, ..CudaArrayImport::default() };
    let keep = Kept { _array: export(&values, &producer), dropped: Arc::default() };
    let read = import(&interface, keep, options, &reader).unwrap();
    for (address, bytes) in [(interface.data.address, 5000 * 8), (mask, 5000)] {
        let address = std::ptr::with_exposed_provenance_mut(address);
        // SAFETY: `array` keeps so many bytes there, which is read only by work that the stream waits for.
        let code =
            unsafe { columnade_sim_sys::cn_sim_memset_async(address, 7, bytes, producer.stream().as_raw()) };
        assert_eq!(code, columnade_sim_sys::SUCCESS);
    }
    producer.synchronize().unwrap();
    assert_eq!(read.to_scalars().unwrap(), expected);
    drop(array);
}
