//! What the interface lets producers leave out or write in another way.

use super::{column, execs, export};
use crate::arrow::c::CopyPolicy;
use crate::cuda_array::{CudaArray, CudaArrayImport, CudaArrayInterface, ForeignCudaArray, MaskLayout};
use crate::{Column, ColumnAccessor, DType, Error, TensorFault};
use columnade_buffers::{Device, Exec};
use columnade_tests::Nulls;

fn import(
    interface: &CudaArrayInterface,
    keep: Vec<CudaArray>,
    options: CudaArrayImport,
    exec: &Exec,
) -> crate::Result<ColumnAccessor> {
    // SAFETY: the description is of memory that is kept, with a stream that is kept too.
    unsafe { ColumnAccessor::from_cuda_array(interface, keep, &options, exec) }
}

#[test]
fn earlier_interface_versions_are_accepted() {
    for exec in execs() {
        let values = column(&DType::Float32, 70, Nulls::NoMask, &exec);
        for version in 0..3 {
            let array = export(&values, &exec);
            exec.synchronize().unwrap();
            let mut interface = array.interface().clone();
            (interface.version, interface.stream) = (version, None);
            interface.descr = None;
            let read = import(&interface, vec![array], CudaArrayImport::default(), &exec).unwrap();
            assert_eq!(read.columns()[0].to_scalars().unwrap(), values.to_scalars().unwrap());
        }
    }
}

#[test]
fn requested_copies_are_made() {
    for exec in execs() {
        for nulls in [Nulls::NoMask, Nulls::Some] {
            let values = column(&DType::Int32, 70, nulls, &exec);
            for (copy, is_shared) in [(CopyPolicy::IfNeeded, true), (CopyPolicy::Always, false)] {
                let array = export(&values, &exec);
                let interface = array.interface().clone();
                let options = CudaArrayImport { copy, ..CudaArrayImport::default() };
                let read = import(&interface, vec![array], options, &exec).unwrap();
                let read = &read.columns()[0];
                assert_eq!(read.to_scalars().unwrap(), values.to_scalars().unwrap());
                let address = read.data().unwrap().read(&exec).unwrap().as_ptr().addr();
                assert_eq!(address == interface.data.address, is_shared);
            }
            let array = export(&values, &exec);
            let interface = array.interface().clone();
            let never = CudaArrayImport { copy: CopyPolicy::Never, ..CudaArrayImport::default() };
            let read = import(&interface, vec![array], never, &exec);
            match read {
                Ok(_) => assert!(interface.mask.is_none()),
                Err(Error::Tensor { field, fault: TensorFault::NeedsCopy { .. }, .. }) => {
                    assert_eq!(field, "mask");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}

/// Values become `float32`, and nulls stay nulls.
#[test]
fn float16_becomes_float32() {
    // 1, −2, infinity, the least above zero, and a value under a null.
    let bits = [Some(0x3c00_u16), Some(0xc000), Some(0x7c00), Some(1), None];
    let expected = [Some(1.0_f32), Some(-2.0), Some(f32::INFINITY), Some(2_f32.powi(-24)), None];
    for exec in execs() {
        for rows in [5, 4] {
            let halves = |typestr: &str| {
                let array =
                    export(&Column::from_options(bits[..rows].iter().copied(), &exec).unwrap(), &exec);
                let mut interface = array.interface().clone();
                (interface.typestr, interface.descr) = (typestr.to_owned(), None);
                (interface, vec![array])
            };
            let expected = Column::from_options(expected[..rows].iter().copied(), &exec).unwrap();
            for typestr in ["<f2", "=f2"] {
                let (interface, keep) = halves(typestr);
                let read = import(&interface, keep, CudaArrayImport::default(), &exec).unwrap();
                let read = &read.columns()[0];
                assert_eq!((read.dtype(), read.device()), (DType::Float32, exec.device()));
                assert_eq!(read.to_scalars().unwrap(), expected.to_scalars().unwrap());
            }
            let (interface, keep) = halves("<f2");
            let never = CudaArrayImport { copy: CopyPolicy::Never, ..CudaArrayImport::default() };
            let refused = import(&interface, keep, never, &exec).unwrap_err();
            assert!(
                matches!(refused, Error::Tensor { fault: TensorFault::NeedsCopy { .. }, .. }),
                "{refused}"
            );
        }
    }
}

/// A grid of numbers, and a mask of a byte for each of them.
fn masked_grid(shape: &[i64], exec: &Exec) -> (CudaArrayInterface, Vec<CudaArray>) {
    let values = export(&Column::from_values(0..60_i64, exec).unwrap(), exec);
    let flags = export(&Column::from_values((0..60).map(|at| u8::from(at % 7 != 3)), exec).unwrap(), exec);
    let mut interface = values.interface().clone();
    let mut mask = flags.interface().clone();
    (interface.shape, mask.shape) = (shape.to_vec(), shape.to_vec());
    interface.mask = Some(Box::new(mask));
    (interface, vec![values, flags])
}

#[test]
fn two_dimensional_masks_are_imported() {
    for exec in execs() {
        for strides in [None, Some([1, 20])] {
            let (mut interface, keep) = masked_grid(&[20, 3], &exec);
            interface.strides = strides.map(|[row, column]| vec![8 * row, 8 * column]);
            interface.mask.as_mut().unwrap().strides = strides.map(Vec::from);
            let read = import(&interface, keep, CudaArrayImport::default(), &exec).unwrap();
            for (column, at) in read.columns().iter().zip(0..) {
                let number = |row| if strides.is_none() { row * 3 + at } else { row + 20 * at };
                let expected = (0..20_i64).map(|row| Some(number(row)).filter(|number| number % 7 != 3));
                let expected = Column::from_options(expected, &exec).unwrap();
                assert_eq!(column.to_scalars().unwrap(), expected.to_scalars().unwrap());
            }
        }
        // A mask of other rows, or of one dimension.
        for shape in [vec![20], vec![3, 20], vec![60]] {
            let (mut interface, keep) = masked_grid(&[20, 3], &exec);
            interface.mask.as_mut().unwrap().shape = shape;
            let refused = import(&interface, keep, CudaArrayImport::default(), &exec);
            assert!(matches!(refused, Err(Error::Tensor { field, .. }) if field == "mask.shape"));
        }
    }
}

/// Memory runs out at every allocation in turn. No queued work may still read the memory then.
#[cfg(feature = "failpoints")]
#[test]
fn failed_import_queues_no_reads() {
    use crate::test_execs::is_idle;
    use columnade_buffers::failpoints::FailAt;
    use std::sync::Arc;

    for exec in execs() {
        let (interface, keep) = masked_grid(&[20, 3], &exec);
        let keep = Arc::new(keep);
        exec.synchronize().unwrap();
        let mut failures = 0;
        let read = loop {
            let resource = Arc::new(FailAt::new(Arc::clone(exec.resource()), failures + 1));
            let failing = exec.with_resource(resource.clone());
            let (keep, options) = (Arc::clone(&keep), CudaArrayImport::default());
            // SAFETY: the description is of memory that is kept, with a stream that is kept too.
            match unsafe { ColumnAccessor::from_cuda_array(&interface, keep, &options, &failing) } {
                Ok(read) => break read,
                Err(error) => assert!(resource.has_failed(), "{error}"),
            }
            failures += 1;
            assert!(is_idle(&exec), "after {failures}");
        };
        assert!(failures > 3, "{failures}");
        assert_eq!(read.len(), 3);
    }
}

#[test]
fn mask_option_reads_bytes_as_elements() {
    for exec in execs() {
        let options = CudaArrayImport { mask: MaskLayout::Elements, ..CudaArrayImport::default() };
        let (interface, keep) = masked_grid(&[60], &exec);
        let read = import(&interface, keep, options, &exec).unwrap();
        let expected = (0..60_i64).map(|at| Some(at).filter(|at| at % 7 != 3));
        let expected = Column::from_options(expected, &exec).unwrap();
        assert_eq!(read.columns()[0].to_scalars().unwrap(), expected.to_scalars().unwrap());
        // Fewer bytes than values would be bits.
        let (mut interface, keep) = masked_grid(&[60], &exec);
        interface.mask.as_mut().unwrap().shape = vec![8];
        let refused = import(&interface, keep, options, &exec);
        assert!(matches!(refused, Err(Error::Tensor { field, .. }) if field == "mask.shape"));
    }
}

#[test]
fn foreign_arrays_import_only_on_their_device() {
    for exec in execs() {
        let values = export(&Column::from_values(0..60_i64, &exec).unwrap(), &exec);
        let mut interface = values.interface().clone();
        interface.shape = vec![20, 3];
        // SAFETY: of memory that is kept, with a stream that is kept too.
        let array =
            unsafe { ForeignCudaArray::new(interface, values, exec.device(), CudaArrayImport::default()) };
        let elsewhere = array.to_columns(&Exec::host()).unwrap_err();
        let expected =
            columnade_buffers::Error::DeviceMismatch { expected: Device::Host, found: exec.device() };
        assert_eq!(elsewhere, Error::Memory(expected));
        assert!(matches!(array.to_column(&exec), Err(Error::Tensor { field, .. }) if field == "shape"));
        let read = array.to_columns(&exec).unwrap();
        drop(array);
        let second = read.columns()[1].to_scalars().unwrap();
        let expected = Column::from_values((0..20_i64).map(|row| 3 * row + 1), &exec).unwrap();
        assert_eq!(second, expected.to_scalars().unwrap());
    }
}
