//! Tests of `local_time` on every device of the build.

use super::local_time;
use crate::datetime::extract::TimeUnit;
use crate::datetime::zone::ZoneOffsets;
use crate::test_values::{TestColumn, as_i128, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

const UNITS: [TimeUnit; 4] = [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano];
const YEARS_400: i128 = 146_097 * 86_400;

/// Transitions every few months from before 1970 to 400 years after `repeat_from`.
fn transitions(rng: &mut Rng, repeat_from: i64) -> Vec<(i64, i32)> {
    let mut transitions = Vec::new();
    let mut second = -3_000_000_000_i64;
    while second < repeat_from + YEARS_400 as i64 {
        transitions.push((second, rng.below(172_799) as i32 - 86_399));
        second += 1 + rng.below(300_000_000) as i64;
    }
    transitions
}

/// The offset at a second, by a walk through all transitions.
fn offset_at(first: i32, transitions: &[(i64, i32)], repeat_from: i64, second: i128) -> i128 {
    let from = i128::from(repeat_from);
    let second = if second < from { second } else { from + (second - from).rem_euclid(YEARS_400) };
    let mut offset = first;
    for &(start, next) in transitions {
        if i128::from(start) <= second {
            offset = next;
        }
    }
    offset.into()
}

#[test]
fn local_time_of_every_unit_null_pattern_and_offset_matches_walk() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(91);
        for unit in UNITS {
            for (i, n) in SIZES.into_iter().enumerate() {
                let repeat_from = [0, 4_102_444_800][i % 2];
                let steps = transitions(&mut rng, repeat_from);
                let zone = ZoneOffsets::new(-7, steps.iter().copied(), repeat_from).unwrap();
                let per_second = unit.per_second();
                // Local times fit in 64 bits.
                let within = (1 << 62) / per_second;
                let values: Vec<Value> = (0..n + i)
                    .map(|k| {
                        let step = steps[rng.below(steps.len() as u64) as usize].0;
                        let near = |second: i64, rng: &mut Rng| {
                            second.clamp(-within, within) * per_second + rng.below(3) as i64 - 1
                        };
                        let time = match k % 4 {
                            // Around a transition, and 400 years after one.
                            0 => near(step, &mut rng),
                            1 => near(step + YEARS_400 as i64, &mut rng),
                            2 => rng.below(1 << 62) as i64 - (1 << 61),
                            _ => -(rng.below(1 << 40) as i64),
                        };
                        Value::I64(time)
                    })
                    .collect();
                let valid = Nulls::ALL[i % 4].mask(n + i, &mut rng);
                let column = TestColumn::new(Storage::I64, &values, valid.as_deref(), i, &exec);
                let expected: Vec<_> = column
                    .rows
                    .iter()
                    .map(|row| {
                        let time = as_i128((*row)?);
                        let second = time.div_euclid(i128::from(per_second));
                        let offset = offset_at(-7, &steps, repeat_from, second) * i128::from(per_second);
                        Some(Value::I64(i64::try_from(time + offset).unwrap()))
                    })
                    .collect();
                let local = local_time(&column.view(), unit, &zone, &exec).unwrap();
                assert_rows(&rows_of(&local, &exec), &expected, &format!("{unit:?} n={n} {device}"));
            }
        }
    }
}

#[test]
fn local_time_beyond_64_bits_is_overflow_in_valid_rows_only() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for unit in UNITS {
            for (value, offset, fits) in
                [(i64::MAX, 1, false), (i64::MAX, -1, true), (i64::MIN, -1, false), (i64::MIN, 1, true)]
            {
                let zone = ZoneOffsets::fixed(offset).unwrap();
                let rows = [Value::I64(0), Value::I64(value)];
                let column = TestColumn::new(Storage::I64, &rows, None, 1, &exec);
                let found = local_time(&column.view(), unit, &zone, &exec).map(|rows| rows_of(&rows, &exec));
                let local = value.wrapping_add(i64::from(offset) * unit.per_second());
                let expected = if fits {
                    Ok(vec![Some(Value::I64(local))])
                } else {
                    Err(Error::Overflow { storage: Storage::I64 })
                };
                assert_eq!(found, expected, "{value} {offset} {unit:?} on {device}");
                let nulls = TestColumn::new(Storage::I64, &rows, Some(&[false, false]), 1, &exec);
                let found = local_time(&nulls.view(), unit, &zone, &exec).unwrap();
                assert_eq!(rows_of(&found, &exec), [None], "{value} {offset} {unit:?} on {device}");
            }
        }
    }
}

#[test]
fn zone_offsets_of_invalid_transitions_are_an_error() {
    let refused =
        |zone: Result<ZoneOffsets, Error>| assert!(matches!(zone, Err(Error::InvalidArgument { .. })));
    refused(ZoneOffsets::new(0, [(5, 1), (5, 2)], 0));
    refused(ZoneOffsets::new(0, [(i64::MIN, 1)], 0));
    refused(ZoneOffsets::new(86_400, [], 0));
    refused(ZoneOffsets::new(0, [(5, -86_400)], 0));
    refused(ZoneOffsets::new(0, [], -1));
    refused(ZoneOffsets::new(0, [], i64::MAX));
    let exec = Exec::host();
    let days = TestColumn::random(Storage::I32, 3, 0, Nulls::NoMask, &mut Rng::new(24), &exec);
    let zone = ZoneOffsets::fixed(0).unwrap();
    for unit in [TimeUnit::Day, TimeUnit::Second] {
        let error = local_time(&days.view(), unit, &zone, &exec).unwrap_err();
        assert_eq!(error, Error::UnsupportedStorage { storage: Storage::I32 });
    }
}
