//! Arrays of devices: shared, ordered by events, and never looked into on the host.

use super::producer::{Parts, Releases, bytes};
use super::{FULL, MANY, MINIMAL, NO_COPY, Pattern, column, dtypes, execs, export_device, extents, slices};
use crate::arrow::c::{CopyPolicy, ExportOptions, ImportOptions, OwnedDeviceArray};
use crate::test_execs::{counting, lazily, protected};
use crate::{Column, ColumnAccessor, DType, Error};
use columnade_buffers::{Buffer, Device, Exec, MemoryResource};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{FixedData, Value};

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn suites_pass_with_lazy_streams() {
    lazily(&["c::tests::device::", "c::tests::lifetime::", "c::tests::streams::"]);
}

#[test]
#[cfg_attr(miri, ignore = "starts a process")]
fn host_never_reads_device_memory() {
    protected(&["c::tests::device::", "c::tests::hostile::", "c::tests::streams::"]);
}

/// Every buffer of the one column, those of its children too, is where it is in the other.
#[track_caller]
fn assert_shared(ours: &Column, theirs: &Column, exec: &Exec, context: &str) {
    let buffers = |column: &Column| {
        let rows = Some(column).filter(|column| !column.is_empty());
        let offsets = |column: &Column| column.offsets().map(|(offsets, _)| offsets.clone());
        [rows.and_then(|column| column.mask().cloned()), rows.and_then(offsets), column.data().cloned()]
    };
    let address = |buffer: &Buffer| buffer.read(exec).unwrap().as_ptr();
    for (ours, theirs) in buffers(ours).into_iter().zip(buffers(theirs)) {
        if let (Some(ours), Some(theirs)) = (ours, theirs)
            && !ours.is_empty()
            && !theirs.is_empty()
        {
            assert_eq!(address(&ours), address(&theirs), "{context}");
        }
    }
    assert_eq!(ours.null_count(exec).unwrap(), theirs.null_count(exec).unwrap(), "{context}");
    let (ours, theirs) = (ours.children(), theirs.children());
    assert_eq!(ours.len(), theirs.len(), "{context}");
    ours.iter().zip(&theirs).for_each(|(ours, theirs)| assert_shared(ours, theirs, exec, context));
}

/// Columns with offsets and no rows: what is exported of their offsets is one zero, made for the export.
fn without_rows(column: &Column) -> usize {
    let own = usize::from(column.is_empty() && column.offsets().is_some());
    own + column.children().iter().map(|child| without_rows(child)).sum::<usize>()
}

#[test]
fn device_round_trip_shares_memory() {
    for exec in execs() {
        let (exec, counter) = counting(&exec);
        for dtype in dtypes() {
            for (n, pattern) in extents() {
                for slice in slices(&column(&dtype, n, pattern, &exec)) {
                    let context = format!("{dtype} {n} {pattern:?} {:?} {}", exec.device(), slice.size());
                    let before = counter.statistics().unwrap().allocations;
                    let (schema, mut array) = export_device(&slice, &exec);
                    let allocated = counter.statistics().unwrap().allocations - before;
                    assert!(allocated <= without_rows(&slice), "{context}: {allocated} allocations");
                    // Codes of nulls may be looked at by another stream's reader alone.
                    let other = exec.with_new_stream().unwrap();
                    let read = Column::from_arrow_c_device(&schema, &mut array, &NO_COPY, &other)
                        .unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert!(array.is_released());
                    assert_eq!((read.dtype(), read.device()), (dtype.clone(), exec.device()));
                    assert_eq!(read.to_scalars().unwrap(), slice.to_scalars().unwrap(), "{context}");
                    assert_shared(&slice, &read, &other, &context);
                }
            }
        }
    }
}

#[test]
fn device_frames_pass_full_validation() {
    for exec in execs() {
        let columns: Vec<(String, Column)> = dtypes()
            .iter()
            .map(|dtype| {
                (dtype.to_string(), column(dtype, MANY, Pattern::Some, &exec).slice(33, MANY - 45).unwrap())
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
fn export_event_covers_every_writing_stream() {
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
fn imported_memory_is_held_until_queued_work_is_done() {
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

/// Arrays of layouts that columns do not have.
fn foreign_layouts() -> Vec<Parts> {
    let text =
        |offsets: &[i32], chars: &[u8]| Parts::new("u", 3, vec![None, bytes(offsets), Some(chars.to_vec())]);
    let nulled =
        |format, values| Parts { null_count: -1, ..Parts::new(format, 3, vec![Some(vec![0b1101]), values]) };
    let far = "more than twelve bytes";
    let mut views = [5_u32.to_ne_bytes(), *b"near", *b"by__", [0; 4]].concat();
    views.extend([0; 16]);
    views.extend([22_u32.to_ne_bytes(), *b"more", [0; 4], [0; 4]].concat());
    let views = vec![Some(vec![0b101]), Some(views), Some(far.into()), bytes(&[22_i64])];
    let dictionary = |format, codes, offsets: &[i32]| Parts {
        dictionary: Some(Box::new(text(offsets, b"xyxz"))),
        ..nulled(format, codes)
    };
    vec![
        Parts { null_count: 1, ..Parts::new("vu", 3, views) },
        nulled("w:2", Some(b"aabbccdd".to_vec())),
        nulled("d:9,2,32", bytes(&[100_i32, -7, 12, 9])),
        nulled("d:12,3", bytes(&[100_i128, -7, 1 << 36, 9])),
        // Codes without a sign, of 64 bits, and of a value that is there twice.
        dictionary("C", Some(vec![2, 77, 0, 1]), &[0, 1, 2, 4]),
        dictionary("l", bytes(&[2_i64, -1, 0, 1]), &[0, 1, 2, 4]),
        dictionary("c", Some(vec![2, 77, 0, 1]), &[0, 1, 2, 3]),
        Parts {
            offset: 1,
            buffers: vec![Some(vec![0b1011])],
            children: vec![Parts { length: 8, ..nulled("c", Some((0..8).collect())) }],
            ..nulled("+w:2", None)
        },
    ]
}

#[test]
fn unsupported_layouts_are_converted_on_devices() {
    for exec in execs() {
        for mut parts in foreign_layouts() {
            for offset in [0, 1] {
                if offset == 1 {
                    (parts.offset, parts.length) = (1, 2);
                    parts.null_count = -1;
                }
                let (schema, releases) = (parts.schema(), Releases::default());
                let here = Column::from_arrow_c(&schema, &mut parts.array(&releases), &FULL).unwrap();
                let mut array = parts.array_on(&exec, &releases);
                let there = Column::from_arrow_c_device(&schema, &mut array, &FULL, &exec).unwrap();
                assert_eq!((there.device(), there.dtype()), (exec.device(), here.dtype()));
                assert_eq!(there.to_scalars().unwrap(), here.to_scalars().unwrap(), "{}", parts.format);
                drop((here, there));
                releases.wait_for(2);
            }
        }
    }
}

#[test]
fn producer_memory_is_released_after_queued_work() {
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
fn array_of_other_device_is_refused() {
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
fn moved_structs_stay_valid() {
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
