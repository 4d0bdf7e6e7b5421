//! Tests of `unary` on every device of the build.

use super::{UnaryOp, unary};
use crate::test_values::{TestColumn, as_i128, assert_rows, rows_of, wrap};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The reference implementation.
fn expected(op: UnaryOp, value: Value) -> Value {
    match value {
        Value::F32(v) => Value::F32(float(op, f64::from(v)) as f32),
        Value::F64(v) => Value::F64(float(op, v)),
        _ => {
            let wide = as_i128(value);
            let result = match op {
                UnaryOp::Neg => wide.wrapping_neg(),
                UnaryOp::Abs => wide.wrapping_abs(),
                UnaryOp::BitNot => -1 - wide,
                other => panic!("{other:?} takes no integers"),
            };
            wrap(result, value.storage())
        }
    }
}

fn float(op: UnaryOp, v: f64) -> f64 {
    match op {
        UnaryOp::Neg => -v,
        UnaryOp::Abs => {
            if v.is_sign_negative() {
                -v
            } else {
                v
            }
        }
        UnaryOp::Sqrt => v.sqrt(),
        UnaryOp::Floor => v.floor(),
        UnaryOp::Ceil => v.ceil(),
        UnaryOp::Trunc => v.trunc(),
        UnaryOp::Round => {
            let down = v.floor();
            let rest = v - down;
            let even = (down / 2.0).ceil() * 2.0;
            let whole = if rest < 0.5 {
                down
            } else if rest > 0.5 {
                down + 1.0
            } else {
                even
            };
            if v.is_infinite() { v } else { whole.copysign(v) }
        }
        UnaryOp::BitNot => panic!("takes no floats"),
    }
}

#[test]
fn unary_of_every_operation_storage_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(15);
        for storage in Storage::ALL {
            for op in UnaryOp::ALL {
                for (i, n) in SIZES.into_iter().enumerate() {
                    let column =
                        TestColumn::random(storage, n, [0, 5][i % 2], Nulls::ALL[i % 4], &mut rng, &exec);
                    let result = unary(op, &column.view(), &exec);
                    if !op.takes(storage) {
                        assert_eq!(result.unwrap_err(), Error::UnsupportedStorage { storage });
                        continue;
                    }
                    let expected: Vec<_> =
                        column.rows.iter().map(|row| row.map(|v| expected(op, v))).collect();
                    let context = format!("{op:?} {storage} n={n} {device}");
                    assert_rows(&rows_of(&result.unwrap(), &exec), &expected, &context);
                }
            }
        }
    }
}
