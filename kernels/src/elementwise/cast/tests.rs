//! Tests of `cast` on every device of the build.

use super::{CastMode, cast};
use crate::test_values::{TestColumn, as_i128, assert_rows, rows_of, wrap};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The smallest and the largest value of an integer storage type.
fn range(storage: Storage) -> (i128, i128) {
    let bits = storage.bits();
    if storage.is_signed() {
        (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits))
    } else {
        (0, (1 << bits) - 1)
    }
}

/// The reference implementation: the value in [`CastMode::Wrap`], and whether it fits.
fn expected(value: Value, to: Storage) -> (Value, bool) {
    let float = match value {
        Value::F32(v) => f64::from(v),
        Value::F64(v) => v,
        other => {
            let value = as_i128(other);
            // Only one rounding: from 128 bits directly to the float.
            let fits = !to.is_integer() || (range(to).0..=range(to).1).contains(&value);
            return (wrap(value, to), fits);
        }
    };
    match to {
        Storage::Bit => (Value::Bit(float != 0.0), true),
        Storage::F32 => (Value::F32(float as f32), true),
        Storage::F64 => (Value::F64(float), true),
        _ => {
            let (least, greatest) = range(to);
            let whole = float.trunc();
            // Saturating at 128 bits is safe: that is beyond every other range.
            let clamped = (whole as i128).clamp(least, greatest);
            let bound = 2_f64.powi(127);
            let fits = (whole as i128) == clamped && (-bound..bound).contains(&whole);
            (wrap(clamped, to), fits)
        }
    }
}

#[test]
fn cast_of_every_pair_wraps_or_saturates() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        for from in Storage::ALL {
            for to in Storage::ALL {
                for (i, n) in SIZES.into_iter().enumerate() {
                    let offset = [0, 3][i % 2];
                    let column = TestColumn::random(from, n, offset, Nulls::ALL[i % 4], &mut rng, &exec);
                    let result = cast(&column.view(), to, CastMode::Wrap, &exec).unwrap();
                    assert_eq!((result.storage, result.len), (to, n));
                    let expected: Vec<_> =
                        column.rows.iter().map(|row| row.map(|v| expected(v, to).0)).collect();
                    assert_rows(
                        &rows_of(&result, &exec),
                        &expected,
                        &format!("{from} to {to} n={n} {device}"),
                    );
                }
            }
        }
    }
}

#[test]
fn checked_cast_errors_if_a_valid_row_does_not_fit() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(13);
        for from in Storage::ALL {
            for to in Storage::ALL {
                for n in [1, 3, 66] {
                    let column = TestColumn::random(from, n, 1, Nulls::Some, &mut rng, &exec);
                    let fits = column.rows.iter().flatten().all(|&v| expected(v, to).1);
                    let result = cast(&column.view(), to, CastMode::Checked, &exec);
                    if fits {
                        let wrapped = cast(&column.view(), to, CastMode::Wrap, &exec).unwrap();
                        let result = result.unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
                        assert_rows(&rows_of(&result, &exec), &rows_of(&wrapped, &exec), &"a checked cast");
                    } else {
                        assert_eq!(result.unwrap_err(), Error::Overflow { storage: to }, "from {from}");
                    }
                }
            }
        }
    }
}

#[test]
fn cast_to_same_type_shares_memory() {
    let exec = Exec::host();
    let column = TestColumn::random(Storage::I64, 100, 0, Nulls::Some, &mut Rng::new(14), &exec);
    let result = cast(&column.view(), Storage::I64, CastMode::Checked, &exec).unwrap();
    assert!(result.data.shares_memory(column.view().data));
}
