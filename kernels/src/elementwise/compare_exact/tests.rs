//! Tests of `compare_exact` on every device of the build, against decimal digits.

use super::{compare_float, compare_scaled};
use crate::elementwise::Operand;
use crate::elementwise::compare::CompareOp;
use crate::test_values::{TestColumn, as_i128, assert_rows, random_value, rows_of};
use crate::{Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::cmp::Ordering;

/// A number as its sign, its digits before the point without leading zeros, and those after it without trailing zeros.
fn digits(text: &str) -> (bool, String, String) {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    (negative && !(whole.is_empty() && fraction.is_empty()), whole.to_owned(), fraction.to_owned())
}

fn order(left: &str, right: &str) -> Ordering {
    let (left, right) = (digits(left), digits(right));
    let magnitude = |a: &(bool, String, String), b: &(bool, String, String)| {
        a.1.len().cmp(&b.1.len()).then_with(|| a.1.cmp(&b.1)).then_with(|| a.2.cmp(&b.2))
    };
    match (left.0, right.0) {
        (true, true) => magnitude(&right, &left),
        (false, false) => magnitude(&left, &right),
        (negative, _) => {
            if negative {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
    }
}

/// Every digit of a float.
fn exact(value: f64) -> Option<String> {
    (!value.is_nan()).then(|| {
        if value.is_infinite() {
            format!("{}9{}", if value < 0.0 { "-" } else { "" }, "0".repeat(400))
        } else {
            format!("{value:.1080}")
        }
    })
}

fn near(storage: Storage, rng: &mut Rng) -> (Value, Value) {
    let integer = random_value(storage, rng);
    let float = match rng.below(6) {
        0 => random_value(Storage::F64, rng),
        1 => Value::F64(
            [9_223_372_036_854_775_808.0, 18_446_744_073_709_551_616.0, -9_223_372_036_854_775_808.0, 0.5]
                [rng.below(4) as usize],
        ),
        2 => Value::F64(as_i128(integer) as f64 + 0.5),
        _ => Value::F64((as_i128(integer) + i128::from(rng.below(5)) - 2) as f64),
    };
    (integer, float)
}

#[test]
fn compare_float_of_every_operation_size_and_null_pattern_matches_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(51);
        for storage in [Storage::I64, Storage::U64] {
            for op in CompareOp::ALL {
                for (i, n) in SIZES.into_iter().filter(|&n| n < 1000).enumerate() {
                    let (integers, floats): (Vec<_>, Vec<_>) =
                        (0..n + 3).map(|_| near(storage, &mut rng)).unzip();
                    let masks = [0, 1].map(|k| Nulls::ALL[(i >> k) % 4].mask(n + 3, &mut rng));
                    let lhs = TestColumn::new(storage, &integers, masks[0].as_deref(), 3, &exec);
                    let rhs = TestColumn::new(Storage::F64, &floats, masks[1].as_deref(), 3, &exec);
                    let expected = |a: Option<Value>, b: Option<Value>| {
                        let (a, Value::F64(b)) = (a?, b?) else { panic!("no float") };
                        let order = exact(b).map(|b| order(&as_i128(a).to_string(), &b));
                        Some(Value::Bit(order.map_or(op == CompareOp::Ne, |order| op.holds(order))))
                    };
                    let what = format!("{op:?} {storage} n={n} {device}");
                    let found = |a: Operand<'_>, b: Operand<'_>| {
                        rows_of(&compare_float(op, a, b, &exec).unwrap(), &exec)
                    };
                    let pairs = lhs.rows.iter().zip(&rhs.rows).map(|(&a, &b)| expected(a, b));
                    assert_rows(
                        &found(lhs.view().into(), rhs.view().into()),
                        &pairs.collect::<Vec<_>>(),
                        &what,
                    );
                    let (integer, float) = near(storage, &mut rng);
                    let right: Vec<_> = lhs.rows.iter().map(|&a| expected(a, Some(float))).collect();
                    assert_rows(&found(lhs.view().into(), float.into()), &right, &what);
                    let left: Vec<_> = rhs.rows.iter().map(|&b| expected(Some(integer), b)).collect();
                    assert_rows(&found(integer.into(), rhs.view().into()), &left, &what);
                }
            }
        }
    }
}

#[test]
fn compare_scaled_of_every_operation_size_and_factor_matches_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(52);
        for storage in [Storage::I64, Storage::I128] {
            for (k, power) in [0_u32, 1, 9, 18, 19, 37, 38].into_iter().enumerate() {
                for (i, n) in SIZES.into_iter().filter(|&n| n < 1000).enumerate() {
                    let op = CompareOp::ALL[(k + i) % 6];
                    let right: Vec<Value> = (0..n + 3).map(|_| random_value(storage, &mut rng)).collect();
                    // As often as not the nearest number to the product.
                    let left: Vec<Value> = right
                        .iter()
                        .map(|&value| {
                            let product =
                                as_i128(value).checked_mul(10_i128.pow(power)).filter(|_| rng.below(2) == 0);
                            let product =
                                product.and_then(|product| product.checked_add(i128::from(rng.below(3)) - 1));
                            match (storage, product) {
                                (Storage::I128, Some(product)) => Value::I128(product),
                                (Storage::I64, Some(product)) if i64::try_from(product).is_ok() => {
                                    Value::I64(product as i64)
                                }
                                _ => random_value(storage, &mut rng),
                            }
                        })
                        .collect();
                    let mask = Nulls::ALL[i % 4].mask(n + 3, &mut rng);
                    let lhs = TestColumn::new(storage, &left, mask.as_deref(), 3, &exec);
                    let rhs = TestColumn::new(storage, &right, None, 3, &exec);
                    let expected: Vec<_> = lhs
                        .rows
                        .iter()
                        .zip(&rhs.rows)
                        .map(|(&a, &b)| {
                            let scaled = format!("{}{}", as_i128(b?), "0".repeat(power as usize));
                            Some(Value::Bit(op.holds(order(&as_i128(a?).to_string(), &scaled))))
                        })
                        .collect();
                    let factor = 10_i128.pow(power);
                    let found =
                        compare_scaled(op, lhs.view().into(), rhs.view().into(), factor, &exec).unwrap();
                    let what = format!("{op:?} {storage} 10^{power} n={n} {device}");
                    assert_rows(&rows_of(&found, &exec), &expected, &what);
                }
            }
        }
    }
}

#[test]
fn compare_exact_with_null_is_null_and_other_storage_is_an_error() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(53);
        let of = |storage, rng: &mut Rng| TestColumn::random(storage, 70, 0, Nulls::NoMask, rng, &exec);
        let (long, float, small) =
            (of(Storage::I64, &mut rng), of(Storage::F64, &mut rng), of(Storage::I32, &mut rng));
        let null =
            compare_float(CompareOp::Lt, long.view().into(), Operand::Null(Storage::F64), &exec).unwrap();
        assert_rows(&rows_of(&null, &exec), &[None; 70], &device);
        assert!(compare_float(CompareOp::Lt, small.view().into(), float.view().into(), &exec).is_err());
        assert!(compare_float(CompareOp::Lt, long.view().into(), long.view().into(), &exec).is_err());
        assert!(compare_scaled(CompareOp::Lt, small.view().into(), small.view().into(), 10, &exec).is_err());
        assert!(compare_scaled(CompareOp::Lt, long.view().into(), long.view().into(), 0, &exec).is_err());
    }
}
