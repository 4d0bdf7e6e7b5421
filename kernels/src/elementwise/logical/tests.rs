//! Tests of `logical` on every device of the build.

use super::{LogicalOp, logical, not};
use crate::elementwise::Operand;
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The reference implementation, by the table of the contract.
fn expected(op: LogicalOp, lhs: Option<Value>, rhs: Option<Value>) -> Option<Value> {
    let bit = |side: Option<Value>| side.map(|value| value == Value::Bit(true));
    let answer = match (op, bit(lhs), bit(rhs)) {
        (LogicalOp::And, Some(false), _) | (LogicalOp::And, _, Some(false)) => Some(false),
        (LogicalOp::Or, Some(true), _) | (LogicalOp::Or, _, Some(true)) => Some(true),
        (_, None, _) | (_, _, None) => None,
        (LogicalOp::And, Some(a), Some(b)) => Some(a && b),
        (LogicalOp::Or, Some(a), Some(b)) => Some(a || b),
        (LogicalOp::Xor, Some(a), Some(b)) => Some(a != b),
    };
    answer.map(Value::Bit)
}

#[test]
fn logical_of_every_operation_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(8);
        for op in LogicalOp::ALL {
            for n in SIZES {
                for (nulls, others) in Nulls::ALL.into_iter().flat_map(|a| Nulls::ALL.map(|b| (a, b))) {
                    let lhs = TestColumn::random(Storage::Bit, n, 5, nulls, &mut rng, &exec);
                    let rhs = TestColumn::random(Storage::Bit, n, 11, others, &mut rng, &exec);
                    let result = logical(op, lhs.view().into(), rhs.view().into(), &exec).unwrap();
                    let masked = nulls != Nulls::NoMask || others != Nulls::NoMask;
                    assert_eq!(result.validity.is_some(), masked);
                    let pairs = lhs.rows.iter().zip(&rhs.rows);
                    let expected: Vec<_> = pairs.map(|(&a, &b)| expected(op, a, b)).collect();
                    assert_rows(&rows_of(&result, &exec), &expected, &format!("{op:?} n={n} {device}"));
                }
            }
        }
    }
}

#[test]
fn logical_with_scalar_or_null_operand_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::random(Storage::Bit, 100, 1, Nulls::Some, &mut Rng::new(9), &exec);
        let sides = [
            (Operand::Value(Value::Bit(true)), Some(Value::Bit(true))),
            (Operand::Value(Value::Bit(false)), Some(Value::Bit(false))),
            (Operand::Null(Storage::Bit), None),
        ];
        for op in LogicalOp::ALL {
            for (operand, value) in sides {
                let expected: Vec<_> = column.rows.iter().map(|&row| expected(op, row, value)).collect();
                let result = logical(op, column.view().into(), operand, &exec).unwrap();
                assert_rows(&rows_of(&result, &exec), &expected, &format!("{op:?} {value:?} {device}"));
                let result = logical(op, operand, column.view().into(), &exec).unwrap();
                assert_rows(&rows_of(&result, &exec), &expected, &format!("{value:?} {op:?} {device}"));
            }
        }
    }
}

#[test]
fn not_keeps_nulls() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (i, n) in SIZES.into_iter().enumerate() {
            let column = TestColumn::random(Storage::Bit, n, 3, Nulls::ALL[i % 4], &mut Rng::new(10), &exec);
            let expected: Vec<_> =
                column.rows.iter().map(|row| row.map(|v| Value::Bit(v != Value::Bit(true)))).collect();
            assert_rows(
                &rows_of(&not(&column.view(), &exec).unwrap(), &exec),
                &expected,
                &format!("{n} {device}"),
            );
        }
    }
}

#[test]
fn logical_of_other_storage_is_unsupported() {
    let exec = Exec::host();
    let column = TestColumn::random(Storage::U8, 3, 0, Nulls::NoMask, &mut Rng::new(11), &exec);
    let error = Error::UnsupportedStorage { storage: Storage::U8 };
    let found = logical(LogicalOp::And, column.view().into(), column.view().into(), &exec);
    assert_eq!(found.unwrap_err(), error);
}
