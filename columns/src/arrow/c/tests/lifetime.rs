//! How long memory is held, and by which side.

use super::producer::{Parts, Releases, bytes};
use super::{EXPORT, MINIMAL, Pattern, column, dtypes, execs, export_device};
use crate::arrow::c::{ArrowArray, ArrowDeviceArray, OwnedArray, OwnedDeviceArray};
#[cfg(feature = "sim")]
use crate::arrow::c::{ExportOptions, Handover};
use crate::test_execs::{alone, is_idle, spilling};
use crate::{Column, ColumnAccessor, DType};
use columnade_buffers::{Buffer, Exec};
use std::thread;
use std::time::{Duration, Instant};

fn buffers(column: &Column) -> Vec<Buffer> {
    let own = [column.mask(), column.offsets().map(|(offsets, _)| offsets), column.data()];
    let mut all: Vec<Buffer> =
        own.into_iter().flatten().filter(|buffer| !buffer.is_empty()).cloned().collect();
    all.extend(column.children().iter().flat_map(|child| buffers(child)));
    all
}

#[test]
fn exported_memory_is_not_spilled_until_release() {
    // Miri takes a second for every buffer that is spilled, and for a hundred values.
    let rows = if cfg!(miri) { 40 } else { 700 };
    for exec in execs() {
        let exec = spilling(&exec);
        for dtype in dtypes() {
            let values = column(&dtype, rows, Pattern::Some, &exec).slice(3, rows - 9).unwrap();
            let expected = values.to_scalars().unwrap();
            exec.synchronize().unwrap();
            // What is spilled comes back for an export.
            for buffer in buffers(&values) {
                buffer.spill().unwrap();
            }
            let exported = export_device(&values, &exec);
            for buffer in buffers(&values) {
                assert!(!buffer.is_spilled() && !buffer.is_spillable(), "{dtype}");
                assert!(!buffer.spill().unwrap(), "{dtype}");
            }
            drop(exported);
            let mut spilled = 0;
            for buffer in buffers(&values) {
                spilled += usize::from(buffer.spill().unwrap());
                assert!(buffer.is_spilled(), "{dtype}");
            }
            assert!(spilled > 0 || dtype == DType::Null || buffers(&values).is_empty(), "{dtype}");
            assert_eq!(values.to_scalars().unwrap(), expected, "{dtype}");
        }
    }
}

#[test]
fn exported_memory_is_never_written() {
    for exec in execs() {
        let values = column(&DType::Int64, 100, Pattern::None, &exec);
        let before = values.to_scalars().unwrap();
        let mut buffer = values.data().unwrap().clone();
        let (schema, mut array) = export_device(&values, &exec);
        drop(values);
        buffer.write(&exec).unwrap().copy_from_slice(&[7_i64; 100]).unwrap();
        let read = Column::from_arrow_c_device(&schema, &mut array, &MINIMAL, &exec).unwrap();
        assert_eq!(read.to_scalars().unwrap(), before);
        // Nor is imported memory: a write gets memory of its own.
        let mut imported = read.data().unwrap().clone();
        let shared = imported.memory_id();
        imported.write(&exec).unwrap().copy_from_slice(&[8_i64; 100]).unwrap();
        assert_ne!(imported.memory_id(), shared);
        assert_eq!(read.to_scalars().unwrap(), before);
    }
}

/// The `at`th child, moved out as consumers may.
fn child(array: &ArrowArray, at: usize) -> OwnedArray {
    // SAFETY: the children are the array's, and it is not released.
    unsafe { OwnedArray::move_from(*array.children.add(at)) }
}

/// A part of an array of a device, handed on as one with the event of the whole.
fn handed_on(part: OwnedArray, whole: &ArrowDeviceArray) -> OwnedDeviceArray {
    let array = ArrowDeviceArray {
        array: part.into_raw(),
        device_id: whole.device_id,
        device_type: whole.device_type,
        sync_event: whole.sync_event,
        reserved: [0; 3],
    };
    // SAFETY: the event is there as long as any part of the whole.
    unsafe { OwnedDeviceArray::from_raw(array) }
}

/// Waits until there is no other owner of the memory: a device may release it on another thread.
fn await_unique(buffer: &Buffer) {
    let start = Instant::now();
    while !buffer.is_unique() && start.elapsed() < Duration::from_mins(1) {
        thread::sleep(Duration::from_millis(1));
    }
    assert!(buffer.is_unique());
}

#[test]
fn moved_children_outlive_parents() {
    for exec in execs() {
        let numbers = column(&DType::Int64, 50, Pattern::Some, &exec);
        let lists = column(&DType::list(DType::Utf8), 50, Pattern::Some, &exec);
        let words = column(&DType::dictionary(DType::Utf8), 50, Pattern::Some, &exec);
        let expected = numbers.to_scalars().unwrap();
        let values = words.children()[0].to_scalars().unwrap();
        let frame = [("a", numbers.clone()), ("b", lists.clone()), ("c", words.clone())];
        let frame = ColumnAccessor::from_columns(frame).unwrap();
        let (_, array) = frame.to_arrow_c_device(&EXPORT, &exec).unwrap();
        let schemas = [&numbers, &words.children()[0]].map(|column| export_device(column, &exec).0);
        let buffer = numbers.data().unwrap().clone();
        drop((frame, numbers, words));

        let whole = array.as_raw();
        let (a, b, c) = (child(&whole.array, 0), child(&whole.array, 1), child(&whole.array, 2));
        // SAFETY: the dictionary is the array's, and moved out as consumers may.
        let dictionary = unsafe { OwnedArray::move_from(c.as_raw().dictionary) };
        let mut handed_on = [a, dictionary].map(|part| handed_on(part, whole));
        drop((array, c));
        assert!(!buffer.is_unique());
        // The event of the whole is there for what is left of it.
        let reader = exec.with_new_stream().unwrap();
        for ((array, schema), expected) in handed_on.iter_mut().zip(&schemas).zip([&expected, &values]) {
            let read = Column::from_arrow_c_device(schema, array, &MINIMAL, &reader).unwrap();
            assert_eq!(read.to_scalars().unwrap(), *expected);
        }
        // A grandchild, whose parent goes first; and one that goes before its parent.
        let items = child(b.as_raw(), 0);
        drop(b);
        drop(items);
        let (_, array) = export_device(&lists, &exec);
        drop(child(&array.as_raw().array, 0));
        drop(array);
        await_unique(&buffer);
    }
}

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn each_frame_export_records_one_event() {
    alone("c::tests::lifetime::each_frame_export_records_one_event_alone");
}

#[cfg(feature = "sim")]
#[test]
#[ignore = "`each_frame_export_records_one_event` runs it alone in a process"]
fn each_frame_export_records_one_event_alone() {
    // SAFETY: reads a counter.
    let live = || unsafe { columnade_sim_sys::cn_sim_live_events() };
    let exec = Exec::new(columnade_buffers::Device::Sim).unwrap();
    let streams: Vec<Exec> = (0..4).map(|_| exec.with_new_stream().unwrap()).collect();
    let columns =
        (0..100).map(|at| (at.to_string(), column(&DType::Int64, 40, Pattern::Some, &streams[at % 4])));
    let frame = ColumnAccessor::from_columns(columns).unwrap();
    let export = || frame.to_arrow_c_device(&EXPORT, &exec).unwrap().1;
    // Streams keep the last event that others waited for.
    drop(export());
    let before = live();
    let array = export();
    assert_eq!(live(), before + 1);
    let others: Vec<OwnedDeviceArray> = (0..10).map(|_| export()).collect();
    assert_eq!(live(), before + 11);
    drop(others);
    let last = child(&array.as_raw().array, 99);
    drop(array);
    assert_eq!(live(), before + 1, "the last child has it");
    drop(last);
    assert_eq!(live(), before);
    let synchronised = ExportOptions { handover: Handover::Synchronised, ..EXPORT };
    let array = frame.to_arrow_c_device(&synchronised, &exec).unwrap().1;
    assert_eq!((live(), array.as_raw().sync_event.is_null()), (before, true));
}

#[test]
fn arrays_are_released_on_any_thread_after_frame() {
    for device in execs().iter().map(Exec::device) {
        let exec = Exec::new(device).unwrap();
        let arrays: Vec<OwnedDeviceArray> = dtypes()
            .iter()
            .map(|dtype| export_device(&column(dtype, 100, Pattern::Some, &exec), &exec).1)
            .collect();
        drop(exec);
        thread::spawn(move || drop(arrays)).join().unwrap();
    }
}

#[test]
fn imported_memory_is_released_once_after_last_view() {
    let parts = Parts {
        format: "+s",
        length: 3,
        buffers: vec![None],
        children: vec![
            Parts { name: "a", ..Parts::new("l", 3, vec![None, bytes(&[1_i64, 2, 3])]) },
            Parts { name: "b", ..Parts::new("i", 3, vec![None, bytes(&[1_i32, 2, 3])]) },
        ],
        ..Parts::default()
    };
    let releases = Releases::default();
    let frame = ColumnAccessor::from_arrow_c(&parts.schema(), &mut parts.array(&releases), &MINIMAL).unwrap();
    let a = frame.get("a").unwrap().slice(1, 2).unwrap();
    let views: Vec<Column> = (0..8).map(|_| a.clone()).collect();
    drop((frame, a));
    assert_eq!(releases.count(), 0);
    let threads: Vec<_> = views.into_iter().map(|view| thread::spawn(move || drop(view))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(releases.count(), 1);
    // Of columns that need no memory it is released at once.
    let nothing = Parts::new("n", 7, vec![]);
    let read = Column::from_arrow_c(&nothing.schema(), &mut nothing.array(&releases), &MINIMAL).unwrap();
    assert_eq!((read.size(), releases.count()), (7, 2));
}

#[test]
fn reexport_holds_first_producer() {
    let parts = Parts::new("l", 3, vec![None, bytes(&[1_i64, 2, 3])]);
    let releases = Releases::default();
    let read = Column::from_arrow_c(&parts.schema(), &mut parts.array(&releases), &MINIMAL).unwrap();
    let (_, array) = read.to_arrow_c("again", &EXPORT).unwrap();
    // SAFETY: an array of ours, with two buffers.
    let address = unsafe { *array.as_raw().buffers.add(1) };
    assert_eq!(address.cast(), read.data().unwrap().read(&Exec::host()).unwrap().as_ptr());
    drop(read);
    assert_eq!(releases.count(), 0);
    drop(array);
    assert_eq!(releases.count(), 1);
}

/// A producer whose import failed may release the array at once: nothing queued may still read it.
#[test]
fn failed_import_queues_no_reads() {
    // Copied, for they are misaligned; and then a column whose values are not there.
    let numbers = |name| Parts {
        name,
        misaligned: 1,
        null_count: 1,
        ..Parts::new("l", 3, vec![bytes(&[5_u8]), bytes(&[1_i64, 2, 3])])
    };
    let missing = Parts { name: "missing", ..Parts::new("l", 3, vec![None, None]) };
    let parts = Parts {
        format: "+s",
        length: 3,
        buffers: vec![None],
        children: vec![numbers("a"), numbers("b"), numbers("c"), missing],
        ..Parts::default()
    };
    for exec in execs() {
        let releases = Releases::default();
        let (schema, mut array) = (parts.schema(), parts.array_on(&exec, &releases));
        exec.synchronize().unwrap();
        let error = ColumnAccessor::from_arrow_c_device(&schema, &mut array, &MINIMAL, &exec).unwrap_err();
        assert!(is_idle(&exec), "{error}");
        assert!(error.to_string().contains("\"missing\"") && !array.is_released(), "{error}");
        drop(array);
        assert_eq!(releases.count(), 1);
    }
}

/// Memory runs out at every allocation in turn: until all of it is there, the array is its producer's.
#[cfg(feature = "failpoints")]
#[test]
fn failed_copy_to_device_leaves_array() {
    use crate::Scalar;
    use columnade_buffers::Device;
    use columnade_buffers::failpoints::FailAt;
    use std::sync::Arc;

    let text = || Parts {
        name: "t",
        null_count: 1,
        ..Parts::new("u", 3, vec![bytes(&[5_u8]), bytes(&[0_i32, 1, 1, 3]), bytes(b"abc")])
    };
    let frame = Parts {
        format: "+s",
        length: 3,
        buffers: vec![None],
        children: vec![Parts { name: "n", ..Parts::new("l", 3, vec![None, bytes(&[1_i64, 2, 3])]) }, text()],
        ..Parts::default()
    };
    for exec in execs() {
        let import = |parts: &Parts, array: &mut OwnedArray, exec: &Exec| {
            let schema = parts.schema();
            if parts.format == "+s" {
                let frame = ColumnAccessor::from_arrow_c_to_device(&schema, array, &MINIMAL, exec)?;
                return Ok(frame.columns().to_vec());
            }
            Column::from_arrow_c_to_device(&schema, array, &MINIMAL, exec).map(|column| vec![column])
        };
        for parts in [&frame, &text()] {
            let releases = Releases::default();
            let mut array = parts.array(&releases);
            let mut failures = 0;
            let columns = loop {
                let resource = Arc::new(FailAt::new(Arc::clone(exec.resource()), failures + 1));
                match import(parts, &mut array, &exec.with_resource(resource.clone())) {
                    Ok(columns) => break columns,
                    Err(error) => assert!(resource.has_failed(), "{error}"),
                }
                failures += 1;
                assert_eq!((array.is_released(), releases.count()), (false, 0));
                assert!(is_idle(&exec), "the producer may release it at once");
            };
            assert!(array.is_released());
            assert_eq!(failures > 0, exec.device() != Device::Host, "on the host nothing is copied");
            assert!(columns.iter().all(|column| column.device() == exec.device()));
            let read = columns.last().unwrap().to_scalars().unwrap();
            assert_eq!(read, ["a".into(), Scalar::Null(DType::Utf8), "bc".into()]);
            // What was copied is the producer's again.
            assert_eq!(releases.count(), usize::from(failures > 0));
            drop(columns);
            assert_eq!(releases.count(), 1);
        }
    }
}
