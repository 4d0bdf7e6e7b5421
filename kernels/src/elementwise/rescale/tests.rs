//! Tests of `rescale` on every device of the build.

use super::rescale;
use crate::test_values::{TestColumn, as_i128, assert_rows, rows_of, wrap};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// The reference implementation: on decimal digits as characters.
fn expected(value: i128, power: i32, digits: u32) -> Option<i128> {
    let mut text = value.unsigned_abs().to_string();
    if power >= 0 {
        text.push_str(&"0".repeat(power as usize));
    } else {
        let dropped = power.unsigned_abs() as usize;
        let padded = format!("{text:0>width$}", width = dropped + 1);
        let (kept, cut) = padded.split_at(padded.len() - dropped);
        let round_up = u128::from(cut.as_bytes()[0] >= b'5');
        text = (kept.parse::<u128>().unwrap() + round_up).to_string();
    }
    let text = text.trim_start_matches('0');
    if text.len() > digits as usize {
        return None;
    }
    let magnitude: i128 = if text.is_empty() { 0 } else { text.parse().unwrap() };
    Some(if value < 0 { -magnitude } else { magnitude })
}

#[test]
fn rescale_of_every_pair_power_and_precision_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(17);
        let decimals = [Storage::I32, Storage::I64, Storage::I128];
        for (from, to) in decimals.into_iter().flat_map(|from| decimals.map(|to| (from, to))) {
            for power in [-38, -20, -19, -18, -3, -1, 0, 1, 2, 17, 18, 19, 38] {
                for digits in [1, 5, 18, 38] {
                    let n = SIZES[rng.below(SIZES.len() as u64 - 2) as usize];
                    // Few rows overflow, so that both outcomes occur.
                    let values: Vec<_> = (0..=n)
                        .map(|_| {
                            let value = i128::from(rng.next() as i64) >> rng.below(64);
                            wrap(
                                value
                                    * if from == Storage::I128 { i128::from(rng.below(1 << 40)) } else { 1 },
                                from,
                            )
                        })
                        .collect();
                    let fits = |value: &Value| {
                        expected(as_i128(*value), power, digits).is_some_and(|v| as_i128(wrap(v, to)) == v)
                    };
                    let few: Vec<bool> = values.iter().map(|v| fits(v) || rng.below(200) == 0).collect();
                    let column = TestColumn::new(from, &values, Some(&few), 1, &exec);
                    let result = rescale(&column.view(), to, power, digits, &exec);
                    if column.rows.iter().flatten().all(fits) {
                        let expected: Vec<_> = column
                            .rows
                            .iter()
                            .map(|row| row.map(|v| wrap(expected(as_i128(v), power, digits).unwrap(), to)))
                            .collect();
                        let context = format!("{from} to {to} by 10^{power} n={n} {device}");
                        assert_rows(&rows_of(&result.unwrap(), &exec), &expected, &context);
                    } else {
                        assert_eq!(result.unwrap_err(), Error::Overflow { storage: to });
                    }
                }
            }
        }
    }
}

#[test]
fn rescale_rounds_half_away_from_zero() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = [15, 25, -15, -25, 14, -14, 5, -5, 4].map(Value::I64);
        let column = TestColumn::new(Storage::I64, &values, None, 0, &exec);
        let expected: Vec<_> = [2, 3, -2, -3, 1, -1, 1, -1, 0].map(|v| Some(Value::I64(v))).to_vec();
        let result = rescale(&column.view(), Storage::I64, -1, 18, &exec).unwrap();
        assert_rows(&rows_of(&result, &exec), &expected, &device);
    }
}

#[test]
fn rescale_of_other_storage_or_power_out_of_range_is_an_error() {
    let exec = Exec::host();
    let column = TestColumn::random(Storage::I16, 3, 0, Nulls::NoMask, &mut Rng::new(18), &exec);
    let error = Error::UnsupportedStorage { storage: Storage::I16 };
    assert_eq!(rescale(&column.view(), Storage::I64, 0, 18, &exec).unwrap_err(), error);
    let column = TestColumn::random(Storage::I64, 3, 0, Nulls::NoMask, &mut Rng::new(18), &exec);
    let error = Error::Overflow { storage: Storage::I64 };
    assert_eq!(rescale(&column.view(), Storage::I64, 39, 18, &exec).unwrap_err(), error);
}
