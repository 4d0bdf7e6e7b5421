//! Tests of `sequence` on every device of the build.

use super::sequence;
use crate::{Element, Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::SIZES;

fn check<T: Element>(start: T, step: T, expected: impl Fn(usize) -> T) {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let out = sequence(start.into_value(), step.into_value(), n, &exec).unwrap();
            assert_eq!((out.storage, out.len, out.validity.is_some()), (T::STORAGE, n, false));
            let expected: Vec<T> = (0..n).map(&expected).collect();
            assert_eq!(out.data.to_vec::<T>(&exec).unwrap(), expected, "{start:?} + i * {step:?} {device}");
        }
    }
}

#[test]
fn integer_sequence_wraps() {
    check(3_i8, 7, |i| (3 + 7 * i as i64) as i8);
    check(250_u8, 1, |i| (250 + i as u64) as u8);
    check(-5_i16, -9, |i| (-5 - 9 * i as i64) as i16);
    check(0_u16, 40_000, |i| (40_000 * i as u64) as u16);
    check(i32::MAX, 1, |i| (i64::from(i32::MAX) + i as i64) as i32);
    check(1_u32, u32::MAX, |i| (1 - i as i64) as u32);
    check(i64::MIN, -1, |i| (i128::from(i64::MIN) - i as i128) as i64);
    check(0_u64, 1, |i| i as u64);
    check(-1_i128, i128::MAX, |i| (-1_i128).wrapping_add(i128::MAX.wrapping_mul(i as i128)));
}

#[test]
fn float_sequence_is_rounded_once() {
    check(0.5_f32, 0.1, |i| (0.5 + i as f64 * f64::from(0.1_f32)) as f32);
    check(-1.0_f64, 0.1, |i| -1.0 + i as f64 * 0.1);
}

#[test]
fn sequence_of_more_rows_than_memory_has_is_out_of_memory() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // 2⁶² rows of 4 bytes are 2⁶⁴ bytes: none, modulo 2⁶⁴.
        for len in [1 << 59, 1 << 60, 1 << 61, (1 << 61) + 1, 1 << 62, usize::MAX] {
            for step in [Value::I32(1), Value::I64(1), Value::I128(1)] {
                let error = sequence(step, step, len, &exec).unwrap_err();
                let memory = matches!(error, Error::Memory(columnade_buffers::Error::OutOfMemory { .. }));
                assert!(memory, "{len} {error:?} {device}");
            }
        }
    }
}

#[test]
fn sequence_of_mixed_types_is_type_mismatch() {
    let exec = Exec::host();
    let mixed = sequence(Value::I32(0), Value::I64(1), 3, &exec).unwrap_err();
    assert_eq!(mixed, Error::TypeMismatch);
    let bits = sequence(Value::Bit(true), Value::Bit(true), 3, &exec).unwrap_err();
    assert_eq!(bits, Error::UnsupportedStorage { storage: Storage::Bit });
}
