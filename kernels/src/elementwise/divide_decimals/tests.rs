//! Tests of `divide_decimals` on every device of the build; those of `wide` compare quotients with written division.

use super::divide_decimals;
use crate::elementwise::Operand;
use crate::elementwise::wide::divide_decimal;
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// Digits of any number.
fn decimal(rng: &mut Rng) -> i128 {
    let raw = i128::from(rng.next()) * i128::from(rng.next() >> 2) % 10_i128.pow(38);
    let value = raw / 10_i128.pow(rng.below(39) as u32 % 38);
    if rng.below(2) == 0 { value } else { -value }
}

#[test]
fn divide_decimals_of_every_power_size_and_null_pattern_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(41);
        for (i, n) in SIZES.into_iter().enumerate() {
            for power in [-80, -39, -38, -5, -1, 0, 1, 7, 19, 38, 39, 60, 76, 77, 100] {
                let left: Vec<i128> = (0..n + 3).map(|_| decimal(&mut rng)).collect();
                let right: Vec<i128> =
                    (0..n + 3).map(|_| if rng.below(9) == 0 { 0 } else { decimal(&mut rng) }).collect();
                // Few valid rows overflow, so that both outcomes occur.
                let fits = |row: usize| divide_decimal(left[row], right[row], power).is_some();
                let nulls = Nulls::ALL[i % 4].mask(n + 3, &mut rng).unwrap_or_else(|| vec![true; n + 3]);
                let valid: Vec<bool> =
                    (0..n + 3).map(|row| nulls[row] && (fits(row) || rng.below(300) == 0)).collect();
                let column = |values: &[i128], valid: Option<&[bool]>| {
                    let values: Vec<Value> = values.iter().map(|&v| Value::I128(v)).collect();
                    TestColumn::new(Storage::I128, &values, valid, 3, &exec)
                };
                let (lhs, rhs) = (column(&left, Some(&valid)), column(&right, None));
                let found = divide_decimals(lhs.view().into(), rhs.view().into(), power, &exec);
                let what = format!("n={n} 10^{power} {device}");
                if (3..n + 3).any(|row| valid[row] && !fits(row)) {
                    assert_eq!(found.unwrap_err(), Error::Overflow { storage: Storage::I128 }, "{what}");
                    continue;
                }
                let expected: Vec<_> = (3..n + 3)
                    .map(|row| {
                        let quotient = divide_decimal(left[row], right[row], power).map(Value::I128);
                        quotient.filter(|_| valid[row] && right[row] != 0)
                    })
                    .collect();
                assert_rows(&rows_of(&found.unwrap(), &exec), &expected, &what);
            }
        }
    }
}

#[test]
fn divide_decimals_by_value_of_every_row() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = [7, -7, 5, 0].map(Value::I128);
        let column = TestColumn::new(Storage::I128, &values, Some(&[true, true, false, true]), 0, &exec);
        let by = |value: Operand<'_>| {
            rows_of(&divide_decimals(column.view().into(), value, 1, &exec).unwrap(), &exec)
        };
        let numbers = |rows: [Option<i128>; 4]| rows.map(|row| row.map(Value::I128)).to_vec();
        assert_eq!(by(Value::I128(4).into()), numbers([Some(18), Some(-18), None, Some(0)]), "{device}");
        assert_eq!(by(Value::I128(0).into()), numbers([None; 4]), "{device}");
        assert_eq!(by(Operand::Null(Storage::I128)), numbers([None; 4]), "{device}");
        let other = TestColumn::random(Storage::I64, 4, 0, Nulls::NoMask, &mut Rng::new(1), &exec);
        assert!(divide_decimals(other.view().into(), other.view().into(), 1, &exec).is_err());
    }
}
