//! Every dtype, with and without nulls, whole and sliced.

use super::{column, dtypes, execs, export, import};
use crate::arrow::c::CopyPolicy;
use crate::cuda_array::{CudaArrayExport, CudaArrayImport, MaskLayout, MaskPolicy, StreamEntry};
use crate::dlpack::ConsumerStream;
use crate::test_execs::{counting, spilling};
use crate::{Column, ColumnAccessor, DType, Error, NumericColumn, TensorFault};
use columnade_buffers::{Buffer, Exec, MemoryResource};
use columnade_kernels::Value;
use columnade_kernels::filling::sequence::sequence;
use columnade_tests::Nulls;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn export_and_import_round_trip() {
    for exec in execs() {
        for dtype in dtypes() {
            for (n, nulls) in [
                (0, Nulls::NoMask),
                (1, Nulls::NoMask),
                (65, Nulls::Some),
                (600, Nulls::Some),
                (40, Nulls::All),
            ] {
                let values = column(&dtype, n, nulls, &exec);
                let slices = [(0, n), (n.min(3), n.saturating_sub(5)), (n / 2, 0)];
                for (offset, len) in slices {
                    let slice = values.slice(offset, len).unwrap();
                    let array = export(&slice, &exec);
                    let interface = array.interface().clone();
                    assert_eq!((interface.version, &interface.strides), (3, &None));
                    assert_eq!(interface.shape, [i64::try_from(len).unwrap()]);
                    assert_eq!(interface.stream, ConsumerStream::of(&exec).number());
                    assert_eq!(interface.data.address == 0, len == 0);
                    assert_eq!(interface.data.is_read_only, dtype != DType::Bool);
                    assert_eq!(interface.descr, Some(vec![(String::new(), interface.typestr.clone())]));
                    assert_eq!(interface.mask.is_some(), slice.null_count(&exec).unwrap() > 0);
                    if let Some(mask) = &interface.mask {
                        assert_eq!((mask.typestr.as_str(), &mask.shape), ("|b1", &interface.shape));
                        assert_eq!((mask.stream, &mask.mask), (interface.stream, &None));
                    }
                    let reader = exec.with_new_stream().unwrap();
                    let read = import(&interface, array, &reader).unwrap();
                    assert_eq!(read.dtype(), dtype);
                    assert_eq!(
                        read.to_scalars().unwrap(),
                        slice.to_scalars().unwrap(),
                        "{dtype} {n} {offset}"
                    );
                    if dtype != DType::Bool && len > 0 {
                        assert_eq!(
                            read.data().unwrap().read(&reader).unwrap().as_ptr().addr(),
                            interface.data.address
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn typestr_matches_dtype() {
    for exec in execs() {
        for (dtype, typestr) in [
            ("bool", "|b1"),
            ("int8", "|i1"),
            ("uint16", "<u2"),
            ("float64", "<f8"),
            ("timestamp[us]", "<M8[us]"),
            ("duration[ns]", "<m8[ns]"),
        ] {
            let values = column(&dtype.parse().unwrap(), 3, Nulls::NoMask, &exec);
            assert_eq!(export(&values, &exec).interface().typestr, typestr);
        }
        for dtype in crate::test_dtypes::dtypes().into_iter().filter(|dtype| !dtypes().contains(dtype)) {
            let refused =
                column(&dtype, 3, Nulls::NoMask, &exec).to_cuda_array(&CudaArrayExport::default(), &exec);
            assert!(
                matches!(refused, Err(Error::Tensor { fault: TensorFault::DType { .. }, .. })),
                "{dtype}"
            );
        }
    }
    let host = Column::from_vec(vec![1_i64]).to_cuda_array(&CudaArrayExport::default(), &Exec::host());
    assert!(matches!(host, Err(Error::Tensor { fault: TensorFault::Device { .. }, .. })));
}

#[test]
fn published_stream_covers_every_writing_stream() {
    for exec in execs() {
        let n = 5000;
        let writer = exec.with_new_stream().unwrap();
        let data = sequence(Value::I64(0), Value::I64(1), n, &writer).unwrap().data;
        let values = Column::Numeric(NumericColumn::new(DType::Int64, data, None, 0, n).unwrap());
        let array = export(&values, &exec);
        let interface = array.interface().clone();
        let reader = exec.with_new_stream().unwrap();
        let read = import(&interface, array, &reader).unwrap();
        drop((values, writer));
        let expected: Vec<i64> = (0..).take(n).collect();
        assert_eq!(read.data().unwrap().to_vec::<i64>(&reader).unwrap(), expected);
    }
}

#[test]
fn options_omit_stream_and_refuse_nulls() {
    for exec in execs() {
        let values = column(&DType::Int64, 50, Nulls::Some, &exec);
        let refuse = CudaArrayExport { nulls: MaskPolicy::Refuse, ..CudaArrayExport::default() };
        let refused = values.to_cuda_array(&refuse, &exec);
        assert!(matches!(refused, Err(Error::Tensor { fault: TensorFault::Nulls { .. }, .. })));
        exec.synchronize().unwrap();
        let silent = CudaArrayExport { stream: StreamEntry::Ignore, ..CudaArrayExport::default() };
        let array = values.to_cuda_array(&silent, &exec).unwrap();
        assert_eq!((array.interface().stream, array.interface().mask.as_ref().unwrap().stream), (None, None));
    }
}

#[test]
fn lease_ends_and_exposure_does_not() {
    for exec in execs().iter().map(spilling) {
        let options = CudaArrayExport::default();
        let mut values = column(&DType::Int32, 50, Nulls::NoMask, &exec);
        let other = values.clone();
        let array = values.to_cuda_array_mut(&options, &exec).unwrap();
        assert!(!array.interface().data.is_read_only && !values.data().unwrap().is_spillable());
        assert!(!values.shares_memory(&other), "what others share is separated before it may be written");
        drop(array);
        assert!(values.data().unwrap().is_unique() && !values.data().unwrap().is_exposed());
        assert!(values.data().unwrap().is_spillable() && values.data().unwrap().spill().unwrap());
        let array = values.expose_cuda_array(&options, &exec).unwrap();
        let address = array.interface().data.address;
        drop(array);
        assert!(values.data().unwrap().is_exposed() && !values.data().unwrap().is_spillable());
        assert!(!values.data().unwrap().spill().unwrap());
        let again = values.expose_cuda_array(&options, &exec).unwrap();
        assert_eq!(again.interface().data.address, address);
    }
}

/// What is made for a description that is permanently, a mask and the bytes of booleans, is there permanently too.
#[test]
fn exposed_masks_and_booleans_outlive_export() {
    for exec in execs() {
        for (dtype, nulls, made) in [
            (DType::Int32, Nulls::NoMask, 0),
            (DType::Int32, Nulls::Some, 1),
            (DType::Bool, Nulls::NoMask, 1),
            (DType::Bool, Nulls::Some, 2),
        ] {
            let (exec, counter) = counting(&exec);
            let mut values = column(&dtype, 700, nulls, &exec);
            values.null_count(&exec).unwrap();
            let expected = values.to_scalars().unwrap();
            let (later, of_later) = counting(&exec);
            let live = || {
                // Exported memory is freed by the first allocation after all work is done.
                drop(Buffer::zeroed(64, &later).unwrap().lease_mut(&later).unwrap());
                let start = Instant::now();
                while of_later.statistics().unwrap().live > 0 && start.elapsed() < Duration::from_mins(1) {
                    drop(Buffer::zeroed(64, &Exec::new(exec.device()).unwrap()).unwrap());
                    thread::sleep(Duration::from_millis(1));
                }
                counter.statistics().unwrap().live
            };
            let before = live();
            drop(values.to_cuda_array_mut(&CudaArrayExport::default(), &exec).unwrap());
            assert_eq!(live(), before, "{dtype} {nulls:?}");
            let array = values.expose_cuda_array(&CudaArrayExport::default(), &exec).unwrap();
            let interface = array.interface().clone();
            assert!(!interface.data.is_read_only && interface.mask.is_some() == (nulls == Nulls::Some));
            drop(array);
            // On a GPU another thread may still be freeing what it has found to be done.
            let (mut kept, start) = (live(), Instant::now());
            while kept > before + made && start.elapsed() < Duration::from_mins(1) {
                kept = live();
            }
            assert_eq!(kept, before + made, "{dtype} {nulls:?}");
            let others: Vec<Buffer> = (0..8).map(|_| Buffer::zeroed(700, &exec).unwrap()).collect();
            // SAFETY: the column keeps its values, and what was made for them is kept permanently.
            let read = unsafe { Column::from_cuda_array(&interface, (), &CudaArrayImport::default(), &exec) };
            assert_eq!(read.unwrap().to_scalars().unwrap(), expected, "{dtype} {nulls:?}");
            drop(others);
        }
    }
}

#[test]
fn foreign_strides_and_masks_are_imported() {
    for exec in execs() {
        let numbers: Vec<i64> = (0..100).collect();
        let array = export(&Column::from_values(numbers.iter().copied(), &exec).unwrap(), &exec);
        let mut interface = array.interface().clone();
        interface.shape = vec![20];
        interface.strides = Some(vec![-24]);
        interface.data.address += 8 * 60;
        let flags: Vec<u8> = (0..20).map(|row| u8::from(row % 3 != 0) * 0x80).collect();
        let mask = export(&Column::from_values(flags.iter().rev().copied(), &exec).unwrap(), &exec);
        let mut described = mask.interface().clone();
        described.strides = Some(vec![-1]);
        described.data.address += 19;
        interface.mask = Some(Box::new(described));
        // SAFETY: within memory that is kept.
        let read =
            unsafe { Column::from_cuda_array(&interface, (array, mask), &CudaArrayImport::default(), &exec) };
        let read = read.unwrap();
        let expected = (0..20_i64).map(|row| (row % 3 != 0).then_some(60 - 3 * row));
        let expected = Column::from_options(expected, &exec).unwrap();
        assert_eq!(read.to_scalars().unwrap(), expected.to_scalars().unwrap());
    }
}

#[test]
fn bit_masks_are_imported() {
    for exec in execs() {
        let n = 70;
        let numbers: Vec<i64> = (0..n).collect();
        let bits: Vec<u8> = (0..64).map(|at| if at < 9 { 0b1010_0110 } else { 0 }).collect();
        let expected =
            (0..n).map(|row| (bits[usize::try_from(row / 8).unwrap()] >> (row % 8) & 1 == 1).then_some(row));
        let expected = Column::from_options(expected, &exec).unwrap().to_scalars().unwrap();
        for (typestr, shape, layout) in [
            ("|u1", 64, MaskLayout::Bits),
            ("|t1", n, MaskLayout::AsDescribed),
            ("<t1", n, MaskLayout::AsDescribed),
        ] {
            let array = export(&Column::from_values(numbers.iter().copied(), &exec).unwrap(), &exec);
            let mask = export(&Column::from_values(bits.iter().copied(), &exec).unwrap(), &exec);
            let mut interface = array.interface().clone();
            let mut described = mask.interface().clone();
            (described.typestr, described.shape, described.descr) = (typestr.to_owned(), vec![shape], None);
            interface.mask = Some(Box::new(described));
            let options =
                CudaArrayImport { mask: layout, copy: CopyPolicy::Never, ..CudaArrayImport::default() };
            // SAFETY: of memory that is kept.
            let read =
                unsafe { Column::from_cuda_array(&interface, (array, mask), &options, &exec) }.unwrap();
            assert_eq!(read.to_scalars().unwrap(), expected, "{typestr}");
        }
    }
}

#[test]
fn byte_masks_of_other_lengths_are_refused() {
    for exec in execs() {
        for len in [1, 3, 64, 69, 71] {
            let array = export(&Column::from_values(0..70_i64, &exec).unwrap(), &exec);
            let mask = export(&Column::from_values((0..len).map(|_| 1_u8), &exec).unwrap(), &exec);
            let mut interface = array.interface().clone();
            interface.mask = Some(Box::new(mask.interface().clone()));
            // SAFETY: of memory that is kept.
            let read = unsafe {
                Column::from_cuda_array(&interface, (array, mask), &CudaArrayImport::default(), &exec)
            };
            assert!(matches!(read, Err(Error::Tensor { field, .. }) if field == "mask.shape"), "{len}");
        }
    }
}

#[test]
fn two_dimensional_arrays_import_as_frames() {
    for exec in execs() {
        let numbers: Vec<i16> = (0..60).collect();
        for strides in [None, Some(vec![2, 40])] {
            let array = export(&Column::from_values(numbers.iter().copied(), &exec).unwrap(), &exec);
            let mut interface = array.interface().clone();
            (interface.shape, interface.strides) = (vec![20, 3], strides.clone());
            // SAFETY: of memory that is kept.
            let read = unsafe {
                ColumnAccessor::from_cuda_array(&interface, array, &CudaArrayImport::default(), &exec)
            };
            let read = read.unwrap();
            for (column, at) in read.columns().iter().zip(0..) {
                let expected =
                    (0..20).map(|row| if strides.is_none() { row * 3 + at } else { row + 20 * at });
                let buffer: &Buffer = column.data().unwrap();
                assert_eq!(buffer.to_vec::<i16>(&exec).unwrap(), expected.collect::<Vec<i16>>());
            }
        }
    }
}
