//! Tests of `compare` on every device of the build.

use super::{CompareOp, compare};
use crate::elementwise::Operand;
use crate::test_values::{TestColumn, as_i128, assert_rows, random_value, rows_of};
use crate::{Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::cmp::Ordering;

/// The reference implementation; `None` for an unordered pair.
fn order(lhs: Value, rhs: Value) -> Option<Ordering> {
    match (lhs, rhs) {
        (Value::F32(a), Value::F32(b)) => a.partial_cmp(&b),
        (Value::F64(a), Value::F64(b)) => a.partial_cmp(&b),
        _ => Some(as_i128(lhs).cmp(&as_i128(rhs))),
    }
}

fn expected(op: CompareOp, lhs: Option<Value>, rhs: Option<Value>) -> Option<Value> {
    let order = order(lhs?, rhs?);
    Some(Value::Bit(order.map_or(op == CompareOp::Ne, |order| op.holds(order))))
}

#[test]
fn compare_of_every_operation_storage_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(6);
        for storage in Storage::ALL {
            for op in CompareOp::ALL {
                for (i, n) in SIZES.into_iter().enumerate() {
                    let lhs = TestColumn::random(storage, n, 3, Nulls::ALL[i % 4], &mut rng, &exec);
                    let rhs = TestColumn::random(storage, n, 9, Nulls::ALL[i / 4], &mut rng, &exec);
                    let value = random_value(storage, &mut rng);
                    let context = format!("{op:?} {storage} n={n} {device}");
                    let check = |lhs: Operand<'_>, rhs: Operand<'_>, expected: Vec<Option<Value>>| {
                        let result = compare(op, lhs, rhs, &exec).unwrap();
                        assert_rows(&rows_of(&result, &exec), &expected, &context);
                    };
                    let pairs = lhs.rows.iter().zip(&rhs.rows);
                    check(
                        lhs.view().into(),
                        rhs.view().into(),
                        pairs.map(|(&a, &b)| expected(op, a, b)).collect(),
                    );
                    let right = lhs.rows.iter().map(|&a| expected(op, a, Some(value))).collect();
                    check(lhs.view().into(), value.into(), right);
                    let left = rhs.rows.iter().map(|&b| expected(op, Some(value), b)).collect();
                    check(value.into(), rhs.view().into(), left);
                }
            }
        }
    }
}

#[test]
fn compare_with_null_operand_is_null_and_swapped_operation_agrees() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::random(Storage::F64, 70, 0, Nulls::NoMask, &mut Rng::new(7), &exec);
        for op in CompareOp::ALL {
            let null = compare(op, column.view().into(), Operand::Null(Storage::F64), &exec).unwrap();
            assert_rows(&rows_of(&null, &exec), &[None; 70], &"a null operand");
            let zero = Operand::Value(Value::F64(0.0));
            let forth = compare(op, column.view().into(), zero, &exec).unwrap();
            let back = compare(op.flip(), zero, column.view().into(), &exec).unwrap();
            assert_rows(&rows_of(&forth, &exec), &rows_of(&back, &exec), &"a flipped comparison");
        }
    }
}
