//! Float16, compared with its definition.

use super::{execs, export};
use crate::arrow::c::CopyPolicy;
use crate::dlpack::{DLDataType, ManagedTensor, RawTensor, TensorRequest};
use crate::{Column, ColumnAccessor, DType, Error, Scalar, TensorFault};
use columnade_buffers::Exec;

/// The number that bits are: sign, five bits of exponent, ten of fraction.
fn number(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => fraction * power_of_two(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * power_of_two(exponent - 15),
    }
}

/// Exactly, which `powi` does not promise.
fn power_of_two(exponent: i32) -> f64 {
    let factor = if exponent < 0 { 0.5 } else { 2.0 };
    (0..exponent.abs()).fold(1.0, |power, _| power * factor)
}

#[track_caller]
fn assert_numbers(column: &Column, bits: impl ExactSizeIterator<Item = u16>) {
    assert_eq!((column.dtype(), column.size()), (DType::Float32, bits.len()));
    for (found, bits) in column.to_scalars().unwrap().into_iter().zip(bits) {
        let (Scalar::Float32(found), expected) = (found, number(bits)) else { panic!("no float") };
        let same = f64::from(found).to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{bits:#x}: {found} is not {expected}");
    }
}

/// The same tensor, its whole numbers taken for the bits of floats.
fn as_halves(tensor: ManagedTensor) -> ManagedTensor {
    let raw = tensor.into_raw().unwrap();
    let halves = DLDataType { code: DLDataType::CODE_FLOAT, bits: 16, lanes: 1 };
    // SAFETY: a tensor without other owners, and values of the same width.
    unsafe {
        match raw {
            RawTensor::Legacy(tensor) => (*tensor.as_ptr()).dl_tensor.dtype = halves,
            RawTensor::Versioned(tensor) => (*tensor.as_ptr()).dl_tensor.dtype = halves,
        }
        ManagedTensor::from_raw(raw)
    }
}

fn column(bits: &[u16], exec: &Exec) -> Column {
    Column::from_slice(bits, exec).unwrap()
}

#[test]
#[cfg_attr(miri, ignore = "sixty thousand values")]
fn every_float16_value_converts_exactly() {
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    for exec in execs() {
        let whole = column(&bits, &exec);
        for (offset, len) in [(0, 1 << 16), (0, 0), (5, 1), (31, 33), (513, 1000)] {
            for version in [None, TensorRequest::default().max_version] {
                let request = TensorRequest { max_version: version, ..TensorRequest::default() };
                let part = whole.slice(offset, len).unwrap();
                let mut tensor = as_halves(part.to_dlpack(&request, &exec).unwrap());
                let read = Column::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap();
                assert_eq!(read.device(), exec.device());
                assert_numbers(&read, bits[offset..offset + len].iter().copied());
            }
        }
    }
}

#[test]
fn float16_import_is_a_copy() {
    for exec in execs() {
        let bits = [0x3c00, 0xc000, 0x7c00];
        let mut tensor = as_halves(export(&column(&bits, &exec), &exec));
        let refused = Column::from_dlpack(&mut tensor, CopyPolicy::Never, &exec).unwrap_err();
        assert!(
            matches!(&refused, Error::Tensor { field, fault: TensorFault::NeedsCopy { .. }, .. } if field == "data")
        );
        assert!(refused.to_string().contains("float16 becomes float32"), "{refused}");
        assert!(!tensor.is_taken());
        let read = Column::from_dlpack(&mut tensor, CopyPolicy::Always, &exec).unwrap();
        assert_numbers(&read, bits.into_iter());
        // What has no values can be shared.
        let mut none = as_halves(export(&column(&[], &exec), &exec));
        assert_eq!(Column::from_dlpack(&mut none, CopyPolicy::Never, &exec).unwrap().size(), 0);
    }
}

#[test]
fn float16_matrices_import_as_frames() {
    let bits: Vec<u16> = (0..60).map(|at| 0x3c00 + 7 * at).collect();
    for exec in execs() {
        let parts = (0..3).map(|at| (at.to_string(), column(&bits[20 * at..][..20], &exec)));
        let frame = ColumnAccessor::from_columns(parts).unwrap();
        let mut tensor = as_halves(frame.to_dlpack(&TensorRequest::default(), &exec).unwrap());
        let read = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap();
        assert_eq!(read.len(), 3);
        for (column, bits) in read.columns().iter().zip(bits.chunks(20)) {
            assert_numbers(column, bits.iter().copied());
        }
    }
}
