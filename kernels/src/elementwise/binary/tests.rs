//! Tests of `binary` on every device of the build.

use super::{BinaryOp, Limit, binary, binary_checked};
use crate::elementwise::Operand;
use crate::test_values::{TestColumn, as_i128, assert_rows, random_value, rows_of, wrap};
use crate::{Error, Fixed, Storage, Value};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The reference implementation: integers in 128 bits, floats by definition.
fn expected(op: BinaryOp, lhs: Option<Value>, rhs: Option<Value>) -> Option<Value> {
    let (lhs, rhs) = (lhs?, rhs?);
    match (lhs, rhs) {
        (Value::F32(a), Value::F32(b)) => Some(Value::F32(float(op, f64::from(a), f64::from(b)) as f32)),
        (Value::F64(a), Value::F64(b)) => Some(Value::F64(float(op, a, b))),
        _ if matches!(op, BinaryOp::Power | BinaryOp::ShiftLeft | BinaryOp::ShiftRight) => {
            Some(of_bits(op, as_i128(lhs), as_i128(rhs), lhs.storage()))
        }
        _ => Some(wrap(integer(op, as_i128(lhs), as_i128(rhs))?, lhs.storage())),
    }
}

/// Powers and shifts, one bit after the other. The exponent, or the number of places, has no sign.
fn of_bits(op: BinaryOp, a: i128, b: i128, storage: Storage) -> Value {
    let width = 8 * storage.bytes(1);
    let count = if width == 128 { b as u128 } else { b as u128 % (1 << width) };
    let result = match op {
        // The square of the power by half the exponent, from its first bit on.
        BinaryOp::Power => (0..width).rev().fold(1_i128, |power, bit| {
            let square = power.wrapping_mul(power);
            if count >> bit & 1 == 1 { square.wrapping_mul(a) } else { square }
        }),
        BinaryOp::ShiftLeft => (0..count.min(width as u128)).fold(a, |value, _| value.wrapping_mul(2)),
        _ => (0..count.min(width as u128)).fold(a, |value, _| value.div_euclid(2)),
    };
    wrap(result, storage)
}

fn integer(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    let floor = |b: i128| {
        let truncated = a.wrapping_div(b);
        if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { truncated - 1 } else { truncated }
    };
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::FloorDiv => floor(b),
        BinaryOp::Mod => a.wrapping_sub(floor(b).wrapping_mul(b)),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Power | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => panic!("{op:?} depends on the width"),
    })
}

fn float(op: BinaryOp, a: f64, b: f64) -> f64 {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Min => {
            if b.is_nan() || a < b {
                a
            } else {
                b
            }
        }
        BinaryOp::Max => {
            if b.is_nan() || a > b {
                a
            } else {
                b
            }
        }
        other => panic!("{other:?} has its own test on floats"),
    }
}

fn check(
    op: BinaryOp,
    lhs: (Operand<'_>, &[Option<Value>]),
    rhs: (Operand<'_>, &[Option<Value>]),
    exec: &Exec,
) {
    let result = binary(op, lhs.0, rhs.0, exec).unwrap();
    let n = lhs.1.len().max(rhs.1.len());
    let row = |rows: &[Option<Value>], i: usize| rows[if rows.len() == n { i } else { 0 }];
    let expected: Vec<_> = (0..n).map(|i| expected(op, row(lhs.1, i), row(rhs.1, i))).collect();
    assert_eq!(result.storage, lhs.0.storage());
    assert_rows(
        &rows_of(&result, exec),
        &expected,
        &format!("{op:?} {} {:?}", result.storage, exec.device()),
    );
}

#[test]
fn binary_of_every_operation_storage_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(2);
        for storage in Storage::ALL {
            for op in BinaryOp::ALL {
                let by_definition = storage.is_float() && matches!(op, BinaryOp::FloorDiv | BinaryOp::Mod);
                if !op.takes(storage) || by_definition {
                    continue;
                }
                for (i, n) in SIZES.into_iter().enumerate() {
                    let nulls = Nulls::ALL[i % 4];
                    let lhs = TestColumn::random(storage, n, 3, nulls, &mut rng, &exec);
                    let rhs = TestColumn::random(storage, n, 0, Nulls::ALL[i / 4], &mut rng, &exec);
                    check(op, (lhs.view().into(), &lhs.rows), (rhs.view().into(), &rhs.rows), &exec);
                    if n > 1 {
                        let value = random_value(storage, &mut rng);
                        check(op, (lhs.view().into(), &lhs.rows), (value.into(), &[Some(value)]), &exec);
                        check(op, (value.into(), &[Some(value)]), (rhs.view().into(), &rhs.rows), &exec);
                    }
                }
            }
        }
    }
}

#[test]
fn division_of_long_integers_by_constant_matches_euclid() {
    let mut rng = Rng::new(12);
    let mut values = vec![i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1, -1, 0, 1];
    values.extend((0..3000).map(|_| (rng.next() >> rng.below(64)).cast_signed()));
    let mut divisors =
        vec![2, 3, 7, 10, 86_400_000_000, 1 << 40, (1 << 40) + 1, (1 << 62) + 1, i64::MAX - 1, i64::MAX];
    divisors.extend((0..40).map(|_| (rng.next() >> (1 + rng.below(62))).cast_signed() + 2));
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for &divisor in &divisors {
            // Neighbours of multiples, where a quotient changes.
            let near = values.iter().flat_map(|&value| {
                let multiple = value.wrapping_div(divisor).wrapping_mul(divisor);
                [multiple.wrapping_sub(1), multiple, multiple.wrapping_add(1), value]
            });
            let near: Vec<i64> = near.collect();
            let data = Buffer::from_slice(&near, &exec).unwrap();
            let column =
                Fixed { storage: Storage::I64, data: &data, validity: None, offset: 0, len: near.len() };
            for (op, exact) in [
                (BinaryOp::FloorDiv, i64::div_euclid as fn(i64, i64) -> i64),
                (BinaryOp::Mod, i64::rem_euclid),
            ] {
                let result = binary(op, column.into(), Value::I64(divisor).into(), &exec).unwrap();
                let expected: Vec<i64> = near.iter().map(|&value| exact(value, divisor)).collect();
                assert_eq!(result.data.to_vec::<i64>(&exec).unwrap(), expected, "{op:?} {divisor} {device}");
            }
        }
    }
}

#[test]
fn float_floor_division_and_modulo_match_python() {
    // From CPython: a // b and a % b.
    let cases = [
        (7.0, 2.0, 3.0, 1.0),
        (-7.0, 2.0, -4.0, 1.0),
        (7.0, -2.0, -4.0, -1.0),
        (-7.0, -2.0, 3.0, -1.0),
        (0.3, 0.1, 2.0, 0.3 % 0.1),
        (-0.0, 3.0, -0.0, 0.0),
        (6.0, -3.0, -2.0, -0.0),
        (-1.0, f64::INFINITY, -1.0, f64::INFINITY),
        // From NumPy, which returns a value where Python raises.
        (1.0, 0.0, f64::INFINITY, f64::NAN),
        (f64::NAN, 1.0, f64::NAN, f64::NAN),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = |values: Vec<f64>| {
            let values: Vec<_> = values.into_iter().map(Value::F64).collect();
            TestColumn::new(Storage::F64, &values, None, 0, &exec)
        };
        let lhs = column(cases.iter().map(|case| case.0).collect());
        let rhs = column(cases.iter().map(|case| case.1).collect());
        for (op, expected) in [
            (BinaryOp::FloorDiv, column(cases.iter().map(|case| case.2).collect())),
            (BinaryOp::Mod, column(cases.iter().map(|case| case.3).collect())),
        ] {
            let result = binary(op, lhs.view().into(), rhs.view().into(), &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &expected.rows, &format!("{op:?} {device}"));
        }
    }
}

#[test]
fn binary_checked_errors_if_a_valid_row_overflows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(3);
        for storage in Storage::ALL.into_iter().filter(|storage| storage.is_integer()) {
            for op in [
                BinaryOp::Add,
                BinaryOp::Sub,
                BinaryOp::Mul,
                BinaryOp::Div,
                BinaryOp::FloorDiv,
                BinaryOp::Max,
            ] {
                for limit in [Limit::Storage, Limit::Digits(2), Limit::Digits(38)] {
                    for n in [1, 2, 70] {
                        let lhs = TestColumn::random(storage, n, 1, Nulls::Some, &mut rng, &exec);
                        let rhs = TestColumn::random(storage, n, 2, Nulls::NoMask, &mut rng, &exec);
                        let fits = |i: usize| {
                            let (Some(a), Some(b)) = (lhs.rows[i], rhs.rows[i]) else { return true };
                            let (a, b) = (as_i128(a), as_i128(b));
                            let holds = |exact: i128| match limit {
                                Limit::Storage => as_i128(wrap(exact, storage)) == exact,
                                Limit::Digits(digits) => {
                                    as_i128(wrap(exact, storage)) == exact
                                        && exact.unsigned_abs() < 10_u128.pow(digits)
                                }
                            };
                            let by_zero = b == 0 && matches!(op, BinaryOp::Div | BinaryOp::FloorDiv);
                            by_zero || exact(op, a, b).is_some_and(holds)
                        };
                        let result = binary_checked(op, lhs.view().into(), rhs.view().into(), limit, &exec);
                        match result {
                            Ok(result) => {
                                assert!(
                                    (0..n).all(fits),
                                    "{op:?} {storage} {limit:?} {device}: an overflow passed"
                                );
                                let wrapping =
                                    binary(op, lhs.view().into(), rhs.view().into(), &exec).unwrap();
                                let expected = rows_of(&wrapping, &exec);
                                assert_rows(&rows_of(&result, &exec), &expected, &format!("checked {op:?}"));
                            }
                            Err(error) => {
                                assert_eq!(error, Error::Overflow { storage });
                                assert!(
                                    !(0..n).all(fits),
                                    "{op:?} {storage} {limit:?} {device}: no row overflows"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The exact result; `None` if it does not fit in 128 bits.
fn exact(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Max => Some(a.max(b)),
        BinaryOp::Div => a.checked_div(b),
        _ => a.checked_div(b).and_then(|_| integer(BinaryOp::FloorDiv, a, b)),
    }
}

#[test]
fn binary_with_null_or_scalar_operand_matches_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::random(Storage::I32, 40, 0, Nulls::NoMask, &mut Rng::new(4), &exec);
        let result = binary(BinaryOp::Add, column.view().into(), Operand::Null(Storage::I32), &exec).unwrap();
        assert_rows(&rows_of(&result, &exec), &[None; 40], &"a null operand");
        let one = Operand::Value(Value::I32(1));
        let result = binary(BinaryOp::Add, one, one, &exec).unwrap();
        assert_rows(&rows_of(&result, &exec), &[Some(Value::I32(2))], &"two values");
        let result =
            binary(BinaryOp::Mod, column.view().into(), Operand::Value(Value::I32(0)), &exec).unwrap();
        assert_rows(&rows_of(&result, &exec), &[None; 40], &"a zero divisor");
    }
}

#[test]
fn binary_of_mismatched_operands_is_an_error() {
    let exec = Exec::host();
    let column = |storage, n| TestColumn::random(storage, n, 0, Nulls::NoMask, &mut Rng::new(5), &exec);
    let (a, b, bits, floats) =
        (column(Storage::I32, 3), column(Storage::I32, 4), column(Storage::Bit, 3), column(Storage::F32, 3));
    let add =
        |lhs: Fixed<'_>, rhs: Fixed<'_>| binary(BinaryOp::Add, lhs.into(), rhs.into(), &exec).unwrap_err();
    assert_eq!(add(a.view(), b.view()), Error::LengthMismatch { left: 3, right: 4 });
    let unsupported = |storage| Error::UnsupportedStorage { storage };
    assert_eq!(add(bits.view(), bits.view()), unsupported(Storage::Bit));
    assert_eq!(add(a.view(), floats.view()), unsupported(Storage::F32));
    let and = binary(BinaryOp::BitAnd, floats.view().into(), floats.view().into(), &exec);
    assert_eq!(and.unwrap_err(), unsupported(Storage::F32));
}
