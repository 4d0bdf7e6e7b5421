//! Tests of `utc_time` on every device of the build.

use super::{Ambiguous, Nonexistent, utc_time};
use crate::datetime::extract::TimeUnit;
use crate::datetime::zone::ZoneOffsets;
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

const AMBIGUOUS: [Ambiguous; 4] = [Ambiguous::Raise, Ambiguous::Earliest, Ambiguous::Latest, Ambiguous::Null];
const NONEXISTENT: [Nonexistent; 4] =
    [Nonexistent::Raise, Nonexistent::ShiftForward, Nonexistent::ShiftBackward, Nonexistent::Null];

/// Changes of up to two hours, days to months apart.
fn transitions(rng: &mut Rng) -> Vec<(i64, i32)> {
    let mut transitions = Vec::new();
    let mut second = -50_000_000;
    for _ in 0..60 {
        second += 1_000_000 + rng.below(20_000_000) as i64;
        transitions.push((second, rng.below(7201) as i32 - 3600));
    }
    transitions
}

/// The instants that show a local second, by a test of every offset; and the change that skips it.
fn instants(first: i32, transitions: &[(i64, i32)], local: i64) -> (Vec<i64>, Option<i64>) {
    let at = |second: i64| {
        transitions.iter().rev().find(|(start, _)| *start <= second).map_or(first, |(_, offset)| *offset)
    };
    let mut offsets: Vec<i64> = transitions.iter().map(|(_, offset)| i64::from(*offset)).collect();
    offsets.push(first.into());
    offsets.sort_unstable();
    offsets.dedup();
    let mut found: Vec<i64> = offsets
        .iter()
        .map(|offset| local - offset)
        .filter(|&utc| utc + i64::from(at(utc)) == local)
        .collect();
    found.sort_unstable();
    let skipped = transitions.iter().find(|(start, offset)| {
        start + i64::from(at(start - 1)) <= local && local < start + i64::from(*offset)
    });
    (found, skipped.map(|(start, _)| *start))
}

/// What becomes of a time: an instant, null, or an error that says whether there are two instants.
fn expected(
    (found, skipped): &(Vec<i64>, Option<i64>),
    rest: i64,
    per_second: i64,
    ambiguous: Ambiguous,
    nonexistent: Nonexistent,
) -> Result<Option<i64>, bool> {
    let exact = |second: i64| Ok(Some(second * per_second + rest));
    match (found.as_slice(), skipped) {
        ([one], _) => exact(*one),
        ([one, two], _) => match ambiguous {
            Ambiguous::Raise => Err(true),
            Ambiguous::Earliest => exact(*one),
            Ambiguous::Latest => exact(*two),
            Ambiguous::Null => Ok(None),
        },
        ([], Some(start)) => match nonexistent {
            Nonexistent::Raise => Err(false),
            Nonexistent::ShiftForward => Ok(Some(start * per_second)),
            Nonexistent::ShiftBackward => Ok(Some(start * per_second - 1)),
            Nonexistent::Null => Ok(None),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn utc_time_of_every_option_unit_null_pattern_and_offset_matches_search() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(33);
        let units = [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano];
        for (i, n) in SIZES.into_iter().enumerate() {
            let (unit, offset) = (units[i % 4], [0, 7][i % 2]);
            let per_second = unit.per_second();
            let steps = transitions(&mut rng);
            let zone = ZoneOffsets::new(1800, steps.iter().copied(), 4_102_444_800).unwrap();
            let times: Vec<(i64, i64)> = (0..n + offset)
                .map(|row| {
                    let start = steps[rng.below(60) as usize].0;
                    let second = match row % 3 {
                        0 => start + rng.below(10_000) as i64 - 5000,
                        1 => start + [-3600, -1, 0, 1, 3600][rng.below(5) as usize],
                        _ => rng.below(1_000_000_000) as i64 - 100_000_000,
                    };
                    (second, rng.below(per_second as u64) as i64)
                })
                .collect();
            let values: Vec<Value> =
                times.iter().map(|(second, rest)| Value::I64(second * per_second + rest)).collect();
            let mask = Nulls::ALL[i % 4].mask(n + offset, &mut rng);
            let column = TestColumn::new(Storage::I64, &values, mask.as_deref(), offset, &exec);
            let found: Vec<_> = times.iter().map(|(second, _)| instants(1800, &steps, *second)).collect();
            for ambiguous in AMBIGUOUS {
                for nonexistent in NONEXISTENT {
                    let rows: Vec<Result<Option<i64>, bool>> = (0..n)
                        .map(|row| {
                            if column.rows[row].is_none() {
                                return Ok(None);
                            }
                            let (at, rest) = (row + offset, times[row + offset].1);
                            expected(&found[at], rest, per_second, ambiguous, nonexistent)
                        })
                        .collect();
                    let result = utc_time(&column.view(), unit, &zone, ambiguous, nonexistent, &exec);
                    let context = format!("n={n} {unit:?} {ambiguous:?} {nonexistent:?} {device}");
                    if let Some((row, &Err(is_ambiguous))) =
                        rows.iter().enumerate().find(|row| row.1.is_err())
                    {
                        let (second, rest) = times[row + offset];
                        let local = second * per_second + rest;
                        assert_eq!(
                            result.unwrap_err(),
                            Error::NoInstant { local, is_ambiguous },
                            "{context}"
                        );
                        continue;
                    }
                    let rows: Vec<_> = rows.into_iter().map(|row| row.unwrap().map(Value::I64)).collect();
                    assert_rows(&rows_of(&result.unwrap(), &exec), &rows, &context);
                }
            }
        }
    }
}

#[test]
fn utc_time_is_inverse_of_local_time_after_the_table_repeats() {
    // Half a year each, from 2100 on, for 400 years.
    let steps = (0..800_i64)
        .map(|half| (4_102_444_800 + 5_000_000 + half * 15_778_476, [3600, 7200][half as usize % 2]));
    let zone = ZoneOffsets::new(7200, steps, 4_102_444_800).unwrap();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let utc: Vec<i64> = (0..500).map(|k| 4_000_000_000 + k * 126_227_808_077).collect();
        let local: Vec<Value> = utc.iter().map(|&s| Value::I64(s + i64::from(zone.at(s)))).collect();
        let column = TestColumn::new(Storage::I64, &local, None, 0, &exec);
        let options = (Ambiguous::Null, Nonexistent::Raise);
        let found = utc_time(&column.view(), TimeUnit::Second, &zone, options.0, options.1, &exec).unwrap();
        let rows = rows_of(&found, &exec);
        for (row, (found, utc)) in rows.iter().zip(&utc).enumerate() {
            assert!(found.is_none_or(|found| found == Value::I64(*utc)), "row {row} on {device}");
        }
        assert!(rows.iter().filter(|row| row.is_some()).count() > 490, "{device}");
    }
}

#[test]
fn utc_time_beyond_64_bits_or_of_days_is_an_error() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let run = |time: i64, offset: i32, valid: bool| {
            let column = TestColumn::new(Storage::I64, &[Value::I64(time)], Some(&[valid]), 0, &exec);
            let zone = ZoneOffsets::fixed(offset).unwrap();
            let options = (Ambiguous::Raise, Nonexistent::Raise);
            utc_time(&column.view(), TimeUnit::Nano, &zone, options.0, options.1, &exec)
        };
        let overflow = Error::Overflow { storage: Storage::I64 };
        assert_eq!(run(i64::MIN, 1, true).unwrap_err(), overflow, "{device}");
        assert_eq!(run(i64::MAX, -1, true).unwrap_err(), overflow, "{device}");
        assert_eq!(rows_of(&run(i64::MAX, -1, false).unwrap(), &exec), [None]);
        let fits = run(i64::MAX, 1, true).unwrap();
        assert_eq!(rows_of(&fits, &exec), [Some(Value::I64(i64::MAX - 1_000_000_000))], "{device}");
        let days = TestColumn::random(Storage::I32, 3, 0, Nulls::NoMask, &mut Rng::new(1), &exec);
        let zone = ZoneOffsets::fixed(0).unwrap();
        let options = (Ambiguous::Raise, Nonexistent::Raise);
        let error = utc_time(&days.view(), TimeUnit::Day, &zone, options.0, options.1, &exec).unwrap_err();
        assert_eq!(error, Error::UnsupportedStorage { storage: Storage::I32 });
    }
}

#[test]
fn utc_time_of_the_last_and_the_first_days_is_exact_or_refused() {
    let day = 86_400;
    let ends =
        [i64::MAX, i64::MAX - 1, i64::MAX - 3600, i64::MAX - day + 1, i64::MAX - day, i64::MAX - day - 1];
    let seconds = ends.into_iter().chain(ends.map(|end| -end)).chain([i64::MIN, i64::MIN + day]);
    let steps = [(0, 7200), (1_000_000_000, 3600)];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for unit in [TimeUnit::Second, TimeUnit::Milli] {
            for local in seconds.clone() {
                for (zone, [early, late]) in [
                    (ZoneOffsets::fixed(0).unwrap(), [0, 0]),
                    (ZoneOffsets::fixed(3600).unwrap(), [3600, 3600]),
                    (ZoneOffsets::fixed(-3600).unwrap(), [-3600, -3600]),
                    (ZoneOffsets::new(-60, steps, 4_102_444_800).unwrap(), [-60, 3600]),
                ] {
                    let column = TestColumn::new(Storage::I64, &[Value::I64(local)], None, 0, &exec);
                    let found =
                        utc_time(&column.view(), unit, &zone, Ambiguous::Raise, Nonexistent::Raise, &exec);
                    let offset = if local < 0 { early } else { late };
                    let what = format!("{local} on {device}");
                    if let Some(instant) = local.checked_sub(offset * unit.per_second()) {
                        assert_rows(&rows_of(&found.unwrap(), &exec), &[Some(Value::I64(instant))], &what);
                    } else {
                        let overflow = Error::Overflow { storage: Storage::I64 };
                        assert_eq!(found.unwrap_err(), overflow, "{what}");
                    }
                }
            }
        }
    }
}
