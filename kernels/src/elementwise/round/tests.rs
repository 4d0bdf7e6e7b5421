//! Tests of `round` on every device of the build, against decimal digits.

use super::round;
use crate::test_values::{TestColumn, as_i128, assert_rows, random_value, rows_of, wrap};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The number rounded digit by digit; `None` beyond 38 digits.
fn expected(value: i128, decimals: i32) -> Option<i128> {
    if decimals >= 0 {
        return Some(value);
    }
    let dropped = decimals.unsigned_abs() as usize;
    let text = value.unsigned_abs().to_string();
    let padded = format!("{text:0>width$}", width = dropped + 1);
    let (kept, cut) = padded.split_at(padded.len() - dropped);
    let kept: u128 = kept.parse().unwrap();
    let half = format!("5{}", "0".repeat(dropped - 1));
    let up = *cut > *half || *cut == *half && kept % 2 == 1;
    let digits = (kept + u128::from(up)).to_string();
    let digits = if digits == "0" { digits } else { format!("{digits}{}", "0".repeat(dropped)) };
    let magnitude: i128 = digits.parse().ok().filter(|_| digits.len() <= 38)?;
    Some(if value < 0 { -magnitude } else { magnitude })
}

#[test]
fn round_of_integers_of_every_storage_and_decimals_matches_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(61);
        for storage in Storage::ALL.into_iter().filter(|storage| storage.is_integer()) {
            for (k, decimals) in [3, 0, -1, -2, -3, -5, -19, -37, -38, -39, -60].into_iter().enumerate() {
                let n = SIZES[k % (SIZES.len() - 2)];
                let values: Vec<Value> = (0..n + 3)
                    .map(|_| match rng.below(3) {
                        0 => wrap(i128::from(rng.below(41)) * 5 - 100, storage),
                        1 => wrap(
                            as_i128(random_value(storage, &mut rng)) >> rng.below(storage.bits() as u64),
                            storage,
                        ),
                        _ => random_value(storage, &mut rng),
                    })
                    // Only decimals have 128 bits.
                    .map(|value| match value {
                        Value::I128(value) => Value::I128(value % 10_i128.pow(38)),
                        other => other,
                    })
                    .collect();
                let fits = |value: &Value| {
                    expected(as_i128(*value), decimals).is_some_and(|v| as_i128(wrap(v, storage)) == v)
                };
                let few: Vec<bool> = values.iter().map(|v| fits(v) || rng.below(300) == 0).collect();
                let column = TestColumn::new(storage, &values, Some(&few), 3, &exec);
                let found = round(&column.view(), decimals, &exec);
                let what = format!("{storage} {decimals} n={n} {device}");
                if !column.rows.iter().flatten().all(fits) {
                    assert_eq!(found.unwrap_err(), Error::Overflow { storage }, "{what}");
                    continue;
                }
                let row = |value: Value| wrap(expected(as_i128(value), decimals).unwrap(), storage);
                let expected: Vec<_> = column.rows.iter().map(|value| value.map(row)).collect();
                assert_rows(&rows_of(&found.unwrap(), &exec), &expected, &what);
            }
        }
    }
}

/// Eighths, whose products with powers of ten are exact, so that halves are halves.
#[test]
fn round_of_floats_matches_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(62);
        for storage in [Storage::F32, Storage::F64] {
            for (i, n) in SIZES.into_iter().enumerate() {
                let eighths: Vec<i128> = (0..n).map(|_| i128::from(rng.below(200_001)) - 100_000).collect();
                let float = |value: f64| match storage {
                    Storage::F32 => Value::F32(value as f32),
                    _ => Value::F64(value),
                };
                let values: Vec<_> = eighths.iter().map(|&v| float(v as f64 / 8.0)).collect();
                let valid = Nulls::ALL[i % 4].mask(n, &mut rng);
                let column = TestColumn::new(storage, &values, valid.as_deref(), 0, &exec);
                for decimals in [0, 1, 2, 3, 7, -1, -2, -5] {
                    // In thousandths.
                    let rows = eighths.iter().enumerate().map(|(row, &eighths)| {
                        let thousandths = expected(eighths * 125, decimals.min(3) - 3).unwrap();
                        let value: f64 = format!("{}e-3", thousandths.unsigned_abs()).parse().unwrap();
                        column.rows[row].map(|_| float(if eighths < 0 { -value } else { value }))
                    });
                    let found = round(&column.view(), decimals, &exec).unwrap();
                    let what = format!("{storage} {decimals} n={n} {device}");
                    assert_rows(&rows_of(&found, &exec), &rows.collect::<Vec<_>>(), &what);
                }
            }
        }
    }
}

/// As in pandas; NaN, infinities and numbers without digits to round stay.
#[test]
fn round_of_extreme_floats_stays_finite() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (value, decimals, expected) in [
            (2.675, 2, 2.68),
            (0.5, 0, 0.0),
            (1.5, 0, 2.0),
            (-0.5, 0, -0.0),
            (-2.5, 0, -2.0),
            (0.1 + 0.2, 15, 0.3),
            (1e300, 20, 1e300),
            (1.25e-320, 330, 1.25e-320),
            (f64::MAX, 3, f64::MAX),
            (f64::MAX, -400, 0.0),
            (-1.0, -400, -0.0),
            (f64::INFINITY, -400, f64::INFINITY),
            (f64::NEG_INFINITY, 2, f64::NEG_INFINITY),
            (f64::NAN, 2, f64::NAN),
            (f64::NAN, -2, f64::NAN),
        ] {
            let column = TestColumn::new(Storage::F64, &[Value::F64(value)], None, 0, &exec);
            let found = rows_of(&round(&column.view(), decimals, &exec).unwrap(), &exec);
            let what = format!("{value}.round({decimals}) on {device}");
            assert_rows(&found, &[Some(Value::F64(expected))], &what);
        }
        let bits = TestColumn::new(Storage::Bit, &[Value::Bit(true)], None, 0, &exec);
        assert!(round(&bits.view(), 0, &exec).is_err());
    }
}
