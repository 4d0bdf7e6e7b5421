//! Products of decimals on every device, against exact products of the digits.

use crate::expression::{Expr, col, evaluate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Result, Scalar};
use columnade_tests::Rng;

/// Digits and how many of them are after the point, without zeros at the end; `None` for more than 38.
fn product(factors: &[(i128, i32)]) -> Option<(i128, i32)> {
    // A zero makes up for any number of digits.
    if factors.iter().any(|(digits, _)| *digits == 0) {
        return Some((0, 0));
    }
    let mut all = (1_i128, 0);
    for &(mut digits, mut places) in factors {
        while digits % 10 == 0 {
            (digits, places) = (digits / 10, places - 1);
        }
        let product = all.0.checked_mul(digits).filter(|product| product.unsigned_abs() < 10_u128.pow(38))?;
        all = (product, all.1 + places);
    }
    Some(all)
}

/// The product with `scale` digits after the point, if it is exact and has at most 38 digits.
fn at_scale((mut digits, mut places): (i128, i32), scale: i32) -> Option<i128> {
    while places < scale {
        (digits, places) = (digits.checked_mul(10)?, places + 1);
    }
    while places > scale {
        if digits % 10 != 0 {
            return None;
        }
        (digits, places) = (digits / 10, places - 1);
    }
    (digits.unsigned_abs() < 10_u128.pow(38)).then_some(digits)
}

fn decimals(values: &[Option<i128>], precision: u8, scale: i8, exec: &Exec) -> Column {
    let dtype = DType::decimal(precision, scale).unwrap();
    let scalar = |value: &Option<i128>| {
        value.map_or_else(|| Scalar::Null(dtype.clone()), |value| Scalar::Decimal { value, precision, scale })
    };
    Column::from_scalars(&dtype, &values.iter().map(scalar).collect::<Vec<_>>(), exec).unwrap()
}

fn run(expr: Expr, column: Column, keys: &[i64], exec: &Exec) -> Result<Column> {
    let keys = Column::from_slice(keys, exec).unwrap();
    let frame = ColumnAccessor::from_columns([("d", column), ("k", keys)]).unwrap();
    Ok(evaluate(&[expr], &frame, exec)?.swap_remove(0).1)
}

fn value(scalar: &Scalar) -> Option<i128> {
    match scalar {
        Scalar::Decimal { value, .. } => Some(*value),
        Scalar::Null(_) => None,
        other => panic!("{other:?} is no decimal"),
    }
}

#[test]
fn products_of_decimals_match_products_of_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(29);
        for (precision, scale) in [(5_u8, 2_i8), (9, 1), (18, 4), (38, 6), (4, -2), (38, 20), (7, 3)] {
            for n in [0, 1, 2, 3, 31, 33, 65] {
                let groups = u64::max(1, n as u64 / 3);
                let keys: Vec<i64> = (0..n).map(|_| i64::try_from(rng.below(groups)).unwrap()).collect();
                let values: Vec<Option<i128>> = (0..n)
                    .map(|_| match rng.below(6) {
                        0 => None,
                        1 => Some(10_i128.pow(u32::from(scale.unsigned_abs()).min(u32::from(precision) - 1))),
                        2 => Some(0),
                        _ => Some(i128::from(rng.below(60)) - 30),
                    })
                    .collect();
                let digits = if scale > 0 { i32::from(scale.max(19)) } else { 0 };
                let of = |rows: &[usize]| -> Option<i128> {
                    let factors: Vec<(i128, i32)> =
                        rows.iter().filter_map(|row| Some((values[*row]?, scale.into()))).collect();
                    at_scale(product(&factors)?, digits)
                };
                let what = format!("{device}, {n} rows of decimal({precision},{scale})");
                let group =
                    |row: usize| -> Vec<usize> { (0..n).filter(|at| keys[*at] == keys[row]).collect() };
                let expected: Option<Vec<i128>> = (0..n).map(|row| of(&group(row))).collect();
                let column = || decimals(&values, precision, scale, &exec);
                let found = run(col("d").product().over("k"), column(), &keys, &exec);
                match (found, expected) {
                    (Ok(found), Some(expected)) => {
                        assert_eq!(found.dtype().to_string(), format!("decimal(38,{digits})"), "{what}");
                        let found: Vec<Option<i128>> =
                            found.to_scalars().unwrap().iter().map(value).collect();
                        assert_eq!(found, expected.into_iter().map(Some).collect::<Vec<_>>(), "{what}");
                    }
                    (Err(error), None) => assert_eq!(error.kind(), ErrorKind::Overflow, "{what}: {error}"),
                    (found, expected) => panic!("{what}: {found:?}, expected {expected:?}"),
                }
                let up_to = |row: usize| -> Vec<usize> { (0..=row).collect() };
                let expected: Option<Vec<Option<i128>>> = (0..n)
                    .map(|row| if values[row].is_none() { Some(None) } else { of(&up_to(row)).map(Some) })
                    .collect();
                match (run(col("d").cum_product(), column(), &keys, &exec), expected) {
                    (Ok(found), Some(expected)) => {
                        let found: Vec<Option<i128>> =
                            found.to_scalars().unwrap().iter().map(value).collect();
                        assert_eq!(found, expected, "{what}");
                    }
                    (Err(error), None) => assert_eq!(error.kind(), ErrorKind::Overflow, "{what}: {error}"),
                    // A null row after a product that is too large is computed too.
                    (Err(error), Some(_)) => {
                        let all: Option<Vec<i128>> = (0..n).map(|row| of(&up_to(row))).collect();
                        assert!(all.is_none() && error.kind() == ErrorKind::Overflow, "{what}: {error}");
                    }
                    (Ok(found), None) => panic!("{what}: {found:?}"),
                }
            }
        }
    }
}

/// Products by hand: of prices and rates, of zeros at the end, and of what does not fit.
#[test]
fn products_of_decimals_are_exact_or_an_overflow() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let run = |values: &[i128], precision, scale| {
            let values: Vec<Option<i128>> = values.iter().copied().map(Some).collect();
            let keys = vec![0; values.len()];
            let found = run(col("d").product(), decimals(&values, precision, scale, &exec), &keys, &exec)?;
            Ok::<_, columnade_columns::Error>(found.get(0)?.to_string())
        };
        assert_eq!(run(&[150, 150], 5, 2).unwrap(), "2.2500000000000000000", "{device}");
        assert_eq!(run(&[100; 60], 5, 2).unwrap(), "1.0000000000000000000", "{device}");
        assert_eq!(run(&[-5, 2, 1], 5, 1).unwrap(), "-0.0100000000000000000", "{device}");
        assert_eq!(run(&[1; 19], 5, 1).unwrap(), "0.0000000000000000001", "{device}");
        assert_eq!(run(&[12, 30], 4, -2).unwrap(), "3600000", "{device}");
        // A zero makes up for what does not fit.
        assert_eq!(run(&[3, 3, 0, 10_i128.pow(37)], 38, 6).unwrap(), "0.0000000000000000000", "{device}");
        for (values, precision, scale) in [
            (vec![1; 20], 5, 1),
            (vec![10_i128.pow(37); 2], 38, 1),
            (vec![3; 100], 5, 2),
            (vec![10_i128.pow(37)], 38, 6),
        ] {
            let error = run(&values, precision, scale).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow, "{device}: {error}");
            assert!(error.to_string().contains("decimal(38,19)"), "{device}: {error}");
        }
    }
}
