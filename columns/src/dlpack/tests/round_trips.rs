//! Every dtype, whole and sliced: shared where that is promised, and the same values.

use super::{SIZES, column, counting, dtypes, execs, export, import, slices};
use crate::arrow::c::CopyPolicy;
use crate::dlpack::{DLDevice, DLPackVersion, ManagedTensor, RawTensor, TensorRequest};
use crate::{Column, DType, Error, Scalar, TensorFault};
use columnade_buffers::{Buffer, MemoryResource};
use columnade_tests::Nulls;
use std::slice;

#[test]
fn round_trip_shares_memory() {
    for exec in execs() {
        let (exec, counter) = counting(&exec);
        for dtype in dtypes() {
            for slice in SIZES.into_iter().flat_map(|n| slices(&column(&dtype, n, Nulls::NoMask, &exec))) {
                let before = counter.statistics().unwrap().allocations;
                let mut tensor = export(&slice, &exec);
                let mut legacy =
                    slice.to_dlpack(&TensorRequest { max_version: None, ..TensorRequest::default() }, &exec);
                let read = import(&mut tensor, &exec);
                let read_legacy = import(legacy.as_mut().unwrap(), &exec);
                if dtype != DType::Bool {
                    let made = counter.statistics().unwrap().allocations - before;
                    assert_eq!(made, 0, "{dtype}: memory was allocated");
                }
                assert!(tensor.is_taken());
                for read in [read, read_legacy] {
                    assert_eq!((read.dtype(), read.device()), (dtype.clone(), exec.device()));
                    assert_eq!(read.to_scalars().unwrap(), slice.to_scalars().unwrap(), "{dtype}");
                    if dtype != DType::Bool && !slice.is_empty() {
                        let address = |buffer: &Buffer| buffer.read(&exec).unwrap().as_ptr().addr();
                        let start =
                            address(slice.data().unwrap()) + dtype.storage().unwrap().bytes(slice.offset());
                        assert_eq!(address(read.data().unwrap()), start);
                    }
                }
            }
        }
    }
}

#[test]
fn tensor_describes_column() {
    for exec in execs() {
        for dtype in dtypes() {
            for n in [0, 5] {
                let values = column(&dtype, n, Nulls::NoMask, &exec);
                let tensor = export(&values, &exec);
                assert_eq!(tensor.version(), Some(DLPackVersion { major: 1, minor: 3 }));
                assert_eq!(tensor.is_read_only().unwrap(), dtype != DType::Bool);
                assert_eq!(tensor.is_copied().unwrap(), dtype == DType::Bool);
                let seen = tensor.tensor().unwrap();
                assert_eq!(seen.device, DLDevice::of(exec.device()));
                assert_eq!((seen.ndim, seen.byte_offset, seen.data.is_null()), (1, 0, n == 0));
                let bits = if dtype == DType::Bool { 8 } else { dtype.storage().unwrap().bits() };
                assert_eq!((usize::from(seen.dtype.bits), seen.dtype.lanes), (bits, 1));
                // SAFETY: one dimension, and the tensor is there.
                let (shape, strides) =
                    unsafe { (slice::from_raw_parts(seen.shape, 1), slice::from_raw_parts(seen.strides, 1)) };
                assert_eq!((shape, strides), (&[i64::try_from(n).unwrap()][..], &[1][..]));
            }
        }
        let legacy = TensorRequest {
            max_version: Some(DLPackVersion { major: 0, minor: 8 }),
            ..TensorRequest::default()
        };
        let legacy = column(&DType::Int8, 3, Nulls::NoMask, &exec).to_dlpack(&legacy, &exec).unwrap();
        assert_eq!((legacy.version(), legacy.flags().unwrap()), (None, 0));
        let raw = legacy.into_raw().unwrap();
        assert!(matches!(raw, RawTensor::Legacy(_)));
        // SAFETY: our tensor, without other owners.
        drop(unsafe { ManagedTensor::from_raw(raw) });
    }
}

#[test]
fn nulls_and_unsupported_dtypes_are_refused() {
    for exec in execs() {
        let some = column(&DType::Int64, 40, Nulls::Some, &exec);
        let refused = some.to_dlpack(&TensorRequest::default(), &exec).unwrap_err();
        let nulls = some.null_count(&exec).unwrap();
        assert!(matches!(&refused, Error::Tensor { field, fault: TensorFault::Nulls { nulls: found }, .. }
                if field == "mask" && *found == nulls));
        assert!(refused.to_string().contains("fill_null"), "{refused}");
        // A mask without nulls is none.
        let valid: Vec<Option<i64>> = vec![Some(1), None, Some(3)];
        let first = Column::from_options(valid, &exec).unwrap().slice(2, 1).unwrap();
        assert_eq!(import(&mut export(&first, &exec), &exec).to_scalars().unwrap(), [Scalar::Int64(3)]);

        for dtype in crate::test_dtypes::dtypes().into_iter().filter(|dtype| !dtypes().contains(dtype)) {
            let refused = column(&dtype, 3, Nulls::NoMask, &exec).to_dlpack(&TensorRequest::default(), &exec);
            match refused {
                Err(Error::Tensor { fault: TensorFault::DType { dtype: found, .. }, .. }) => {
                    assert_eq!(found, dtype);
                }
                other => panic!("{dtype}: {other:?}"),
            }
        }
    }
}

#[test]
fn requested_copies_do_not_share_memory() {
    for exec in execs() {
        let values = column(&DType::Float32, 70, Nulls::NoMask, &exec).slice(5, 60).unwrap();
        let always = TensorRequest { copy: CopyPolicy::Always, ..TensorRequest::default() };
        let mut copy = values.to_dlpack(&always, &exec).unwrap();
        assert!(copy.is_copied().unwrap() && !copy.is_read_only().unwrap());
        assert_eq!(import(&mut copy, &exec).to_scalars().unwrap(), values.to_scalars().unwrap());
        let never = TensorRequest { copy: CopyPolicy::Never, ..TensorRequest::default() };
        let truths = column(&DType::Bool, 9, Nulls::NoMask, &exec);
        let refused = truths.to_dlpack(&never, &exec);
        assert!(matches!(refused, Err(Error::Tensor { fault: TensorFault::NeedsCopy { .. }, .. })));
        // And on the way in.
        let read = Column::from_dlpack(&mut export(&values, &exec), CopyPolicy::Always, &exec).unwrap();
        assert_eq!(read.to_scalars().unwrap(), values.to_scalars().unwrap());
        let address = |column: &Column| column.data().unwrap().read(&exec).unwrap().as_ptr().addr();
        assert_ne!(address(&read), address(&values) + 4 * values.offset());
        let mut truths = export(&truths, &exec);
        let refused = Column::from_dlpack(&mut truths, CopyPolicy::Never, &exec);
        assert!(matches!(refused, Err(Error::Tensor { fault: TensorFault::NeedsCopy { .. }, .. })));
        assert!(!truths.is_taken());
    }
}
