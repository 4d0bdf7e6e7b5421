//! Arrays of devices: shared, ordered by events, and never looked into on the host.
//!
//! [`lazily`] runs these tests again in a process where the simulator runs work only when something waits for it, so
//! that a forgotten wait shows.

use super::{FULL, MINIMAL, NO_COPY, PATTERNS, Pattern, column, dtypes, execs, export_device, slices};
use crate::arrow::c::{CopyPolicy, ExportOptions, ImportOptions, OwnedDeviceArray};
use crate::{Column, ColumnAccessor, DType, Error};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{FixedData, Value};

/// The simulator reads it once a process.
const LAZY_VARIABLE: &str = "COLUMNADE_SIM_LAZY_STREAMS";

#[test]
fn lazily() {
    if std::env::var_os(LAZY_VARIABLE).is_some() || Device::Sim.require().is_err() {
        return;
    }
    let this = std::env::current_exe().unwrap();
    let run = std::process::Command::new(this)
        .env(LAZY_VARIABLE, "1")
        .args(["c::tests::device::", "c::tests::lifetime::", "c::tests::streams::"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn there_and_back_without_a_copy() {
    for exec in execs() {
        for dtype in dtypes() {
            for (n, pattern) in [0, 1, 600].into_iter().flat_map(|n| PATTERNS.map(|p| (n, p))) {
                for slice in slices(&column(&dtype, n, pattern, &exec)) {
                    let context = format!("{dtype} {n} {pattern:?} {:?} {}", exec.device(), slice.size());
                    let (schema, mut array) = export_device(&slice, &exec);
                    // Codes of nulls may be looked at by another stream's reader alone.
                    let other = exec.with_new_stream().unwrap();
                    let read = Column::from_arrow_c_device(&schema, &mut array, &NO_COPY, &other)
                        .unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert!(array.is_released());
                    assert_eq!((read.dtype(), read.device()), (dtype.clone(), exec.device()));
                    assert_eq!(read.to_scalars().unwrap(), slice.to_scalars().unwrap(), "{context}");
                    let ours = slice.data().filter(|data| !data.is_empty());
                    if let (Some(ours), Some(theirs)) = (ours, read.data().filter(|data| !data.is_empty())) {
                        let address = |buffer: &Buffer, exec| buffer.read(exec).unwrap().as_ptr();
                        assert_eq!(address(ours, &exec), address(theirs, &other), "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn frames_and_full_validation_on_devices() {
    for exec in execs() {
        let columns: Vec<(String, Column)> = dtypes()
            .iter()
            .map(|dtype| {
                (dtype.to_string(), column(dtype, 600, Pattern::Some, &exec).slice(33, 555).unwrap())
            })
            .collect();
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        for copy in [CopyPolicy::IfNeeded, CopyPolicy::Always] {
            let (schema, mut array) = frame.to_arrow_c_device(&ExportOptions::default(), &exec).unwrap();
            let options = ImportOptions { copy, ..FULL };
            let back = ColumnAccessor::from_arrow_c_device(&schema, &mut array, &options, &exec).unwrap();
            assert_eq!(back.labels(), frame.labels());
            for ((label, back), (_, column)) in back.iter().zip(frame.iter()) {
                assert_eq!(back.to_scalars().unwrap(), column.to_scalars().unwrap(), "{label}");
            }
        }
    }
}

/// The numbers 0, 1, …, still being written by `exec`'s stream.
fn being_written(n: usize, exec: &Exec) -> Column {
    let FixedData { data, .. } = sequence(Value::I64(0), Value::I64(1), n, exec).unwrap();
    Column::Numeric(crate::NumericColumn::new(DType::Int64, data, None, 0, n).unwrap())
}

#[test]
fn the_event_covers_every_stream_that_writes() {
    for exec in execs() {
        let n = 5000;
        let streams: Vec<Exec> = (0..4).map(|_| exec.with_new_stream().unwrap()).collect();
        let columns = streams.iter().enumerate().map(|(i, exec)| (format!("c{i}"), being_written(n, exec)));
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        // Exported on a stream that wrote none of them, read on another.
        let (schema, mut array) = frame.to_arrow_c_device(&ExportOptions::default(), &exec).unwrap();
        let reader = exec.with_new_stream().unwrap();
        let back = ColumnAccessor::from_arrow_c_device(&schema, &mut array, &MINIMAL, &reader).unwrap();
        drop((frame, streams));
        let expected: Vec<i64> = (0..).take(n).collect();
        for (label, column) in back.iter() {
            assert_eq!(column.data().unwrap().to_vec::<i64>(&reader).unwrap(), expected, "{label}");
        }
    }
}

#[test]
fn memory_is_held_until_queued_work_is_done() {
    for exec in execs() {
        let n = 5000;
        let values = being_written(n, &exec);
        let (schema, mut array) = export_device(&values, &exec);
        drop(values);
        let reader = exec.with_new_stream().unwrap();
        let read = Column::from_arrow_c_device(&schema, &mut array, &MINIMAL, &reader).unwrap();
        // The copy is queued when the view, the last holder, goes.
        let copy = read.data().unwrap().copy_to(&reader).unwrap();
        drop(read);
        let others: Vec<Column> = (0..4).map(|_| being_written(n, &exec)).collect();
        assert_eq!(copy.to_vec::<i64>(&reader).unwrap(), (0..).take(n).collect::<Vec<i64>>());
        drop(others);
    }
}

#[test]
fn a_producer_gets_its_memory_back_when_queued_work_is_done() {
    use super::producer::{Parts, Releases, bytes};
    if Device::Sim.require().is_err() {
        return;
    }
    let values: Vec<i64> = (0..5000).collect();
    let parts = Parts::new("l", 5000, vec![None, bytes(&values)]);
    let releases = Releases::default();
    let exec = Exec::new(Device::Sim).unwrap();
    let mut array = parts.array_on(&exec, &releases);
    let read = Column::from_arrow_c_device(&parts.schema(), &mut array, &NO_COPY, &exec).unwrap();
    // The copy may still have to run when the last view goes: the release waits for it, on a thread of its own.
    let copy = read.data().unwrap().copy_to(&exec).unwrap();
    drop(read);
    releases.wait_for(1);
    assert_eq!(copy.to_vec::<i64>(&exec).unwrap(), values);
    // A failed import reads nothing any more when it returns, so that the caller may release at once.
    let parts = Parts { null_count: 3, misaligned: 4, ..parts };
    let mut array = parts.array_on(&exec, &releases);
    assert!(Column::from_arrow_c_device(&parts.schema(), &mut array, &FULL, &exec).is_err());
    assert!(!array.is_released());
    drop(array);
    assert_eq!(releases.count(), 2);
}

#[test]
fn another_device_is_an_error() {
    let execs = execs();
    for (from, to) in execs.iter().flat_map(|from| execs.iter().map(move |to| (from, to))) {
        let values = column(&DType::Int64, 9, Pattern::None, from);
        if from.device() == to.device() {
            continue;
        }
        let exported = values.to_arrow_c_device("c", &ExportOptions::default(), to);
        assert!(matches!(exported, Err(Error::Memory(_))));
        let (schema, mut array) = export_device(&values, from);
        assert!(Column::from_arrow_c_device(&schema, &mut array, &MINIMAL, to).is_err());
        assert!(!array.is_released());
        // To the host everything can be brought.
        let (schema, mut array) = values.to_arrow_c("c", &ExportOptions::default()).unwrap();
        let read = Column::from_arrow_c(&schema, &mut array, &NO_COPY).unwrap();
        assert_eq!(read.device(), Device::Host);
        assert_eq!(read.to_scalars().unwrap(), values.to_scalars().unwrap());
    }
}

#[test]
fn moved_structs_stay_whole() {
    for exec in execs() {
        let values = column(&DType::Utf8, 40, Pattern::Some, &exec);
        let (schema, array) = export_device(&values, &exec);
        // Into foreign memory and out again: the event is not in the struct.
        let mut place = Box::new(OwnedDeviceArray::released().into_raw());
        // SAFETY: the place is one struct, and holds what was moved there.
        let mut array = unsafe {
            array.move_to(&raw mut *place);
            OwnedDeviceArray::move_from(&raw mut *place)
        };
        assert!(place.array.release.is_none());
        drop(place);
        let read = Column::from_arrow_c_device(&schema, &mut array, &FULL, &exec).unwrap();
        assert_eq!(read.to_scalars().unwrap(), values.to_scalars().unwrap());
    }
}
