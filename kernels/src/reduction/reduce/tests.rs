//! One suite for `reduce` on every device.

use super::{reduce, reduce_each};
use crate::aggregation::Aggregation;
use crate::test_values::{TestColumn, as_i128, assert_rows, decimal_sum, large_decimals, rows_of, wrap};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// A float; NaNs are one value.
fn as_f64(value: Value) -> f64 {
    match value {
        Value::F32(v) if v.is_nan() => f64::NAN,
        Value::F64(v) if v.is_nan() => f64::NAN,
        Value::F32(v) => f64::from(v),
        Value::F64(v) => v,
        other => as_i128(other) as f64,
    }
}

fn extreme(values: &[Value], storage: Storage, least: bool) -> Option<Value> {
    let pick = |a: Value, b: Value| {
        let order =
            if storage.is_float() { as_f64(a).total_cmp(&as_f64(b)) } else { as_i128(a).cmp(&as_i128(b)) };
        if order.is_lt() == least { a } else { b }
    };
    // NaN counts only if there is nothing else.
    let numbers: Vec<_> =
        values.iter().copied().filter(|&value| !storage.is_float() || !as_f64(value).is_nan()).collect();
    numbers.into_iter().reduce(pick).or_else(|| values.first().copied())
}

/// The definition for integers, bits and what is exact of floats; an error for a sum of more than 38 digits.
fn expected(
    aggregation: Aggregation,
    rows: &[Option<Value>],
    storage: Storage,
) -> Result<Option<Value>, Error> {
    let values: Vec<Value> = rows.iter().flatten().copied().collect();
    let total = || {
        let sum = decimal_sum(values.iter().map(|&value| as_i128(value)));
        sum.ok_or(Error::Overflow { storage: Storage::I128 })
    };
    Ok(match aggregation {
        Aggregation::Count => Some(Value::I64(values.len() as i64)),
        Aggregation::Size => Some(Value::I64(rows.len() as i64)),
        Aggregation::Min => extreme(&values, storage, true),
        Aggregation::Max => extreme(&values, storage, false),
        Aggregation::Sum | Aggregation::SumWide => Some(wrap(total()?, aggregation.output(storage).unwrap())),
        Aggregation::Mean if values.is_empty() => None,
        Aggregation::Mean => Some(Value::F64(total()? as f64 / values.len() as f64)),
        Aggregation::SumLow => {
            Some(Value::I128(values.iter().map(|&value| i128::from(as_i128(value) as u64)).sum()))
        }
        Aggregation::SumHigh => Some(Value::I128(values.iter().map(|&value| as_i128(value) >> 64).sum())),
    })
}

#[test]
fn every_aggregation_storage_null_pattern_and_offset() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(25);
        for storage in Storage::ALL {
            for aggregation in Aggregation::ALL {
                for (i, n) in SIZES.into_iter().chain([8192, 20_001]).enumerate() {
                    let column =
                        TestColumn::random(storage, n, [0, 3][i % 2], Nulls::ALL[i % 4], &mut rng, &exec);
                    let result = reduce(aggregation, &column.view(), &exec);
                    let Some(output) = aggregation.output(storage) else {
                        assert_eq!(result.unwrap_err(), Error::UnsupportedStorage { storage });
                        continue;
                    };
                    let context = format!("{aggregation:?} {storage} n={n} {device}");
                    let of_floats =
                        matches!(aggregation, Aggregation::Sum | Aggregation::Mean) && storage.is_float();
                    let expected =
                        if of_floats { Ok(None) } else { expected(aggregation, &column.rows, storage) };
                    let expected = match expected {
                        Ok(expected) => expected,
                        Err(error) => {
                            assert_eq!(result.unwrap_err(), error, "{context}");
                            continue;
                        }
                    };
                    let result = result.unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert_eq!((result.storage, result.len), (output, 1));
                    assert_eq!(result.validity.is_some(), aggregation.is_null_without_values());
                    if !of_floats {
                        assert_rows(&rows_of(&result, &exec), &[expected], &context);
                    }
                }
            }
        }
    }
}

/// All aggregations of a column in one call, with the bytes of each alone.
#[test]
fn aggregations_together_are_those_of_each_alone() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for storage in Storage::ALL {
            let supported = |aggregation: &Aggregation| aggregation.output(storage).is_some();
            let all: Vec<_> = Aggregation::ALL.into_iter().filter(supported).collect();
            for (i, n) in SIZES.into_iter().chain([8192, 20_001]).enumerate() {
                let column =
                    TestColumn::random(storage, n, [0, 3][i % 2], Nulls::ALL[i % 4], &mut rng, &exec);
                let context = format!("{storage} n={n} {device}");
                // Of each number of aggregations, in another order each time.
                let mut some = all.clone();
                some.rotate_left(i % all.len());
                some.truncate(1 + i % all.len());
                // Positions are those of a caller.
                let requests: Vec<_> = some.iter().enumerate().map(|(k, &one)| (3 * k + 1, one)).collect();
                let mut found = match reduce_each(&requests, &column.view(), &exec) {
                    Ok(found) => found,
                    Err((at, error)) => {
                        let alone = reduce(some[at / 3], &column.view(), &exec);
                        assert_eq!(alone.unwrap_err(), error, "{context}");
                        continue;
                    }
                };
                found.sort_by_key(|(at, _)| *at);
                let positions: Vec<_> = found.iter().map(|(at, _)| *at).collect();
                assert_eq!(positions, requests.iter().map(|(at, _)| *at).collect::<Vec<_>>(), "{context}");
                for (&aggregation, (_, found)) in some.iter().zip(&found) {
                    let context = format!("{aggregation:?} of {some:?} {context}");
                    let alone = reduce(aggregation, &column.view(), &exec).unwrap();
                    assert_eq!((found.storage, found.len), (alone.storage, 1), "{context}");
                    assert_eq!(found.validity.is_some(), alone.validity.is_some(), "{context}");
                    assert_rows(&rows_of(found, &exec), &rows_of(&alone, &exec), &context);
                    if !storage.is_float() {
                        let expected = expected(aggregation, &column.rows, storage).unwrap();
                        assert_rows(&rows_of(found, &exec), &[expected], &context);
                    }
                }
            }
        }
        let bits = TestColumn::random(Storage::F64, 9, 0, Nulls::NoMask, &mut rng, &exec);
        let (sums, wide) = (Aggregation::Sum, Aggregation::SumWide);
        let error = reduce_each(&[(5, sums), (2, wide)], &bits.view(), &exec).unwrap_err();
        assert_eq!(error, (2, Error::UnsupportedStorage { storage: Storage::F64 }), "{device}");
    }
}

/// Running sums far beyond 128 bits that come back, and totals of 39 digits.
#[test]
fn sum_of_decimals_overflows_only_where_total_has_more_than_38_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(30);
        for n in SIZES.into_iter().chain([20_001]) {
            for left in 0..3 {
                let values: Vec<_> = large_decimals(n, left, &mut rng).into_iter().map(Value::I128).collect();
                let column = TestColumn::new(Storage::I128, &values, None, 0, &exec);
                for aggregation in [Aggregation::Sum, Aggregation::SumWide, Aggregation::Mean] {
                    let expected = expected(aggregation, &column.rows, Storage::I128);
                    assert_eq!(expected.is_err(), left > 1 && n > 1, "n={n} left={left}");
                    let found = reduce(aggregation, &column.view(), &exec);
                    let found = found.map(|result| rows_of(&result, &exec)[0]);
                    assert_eq!(found, expected, "{aggregation:?} n={n} left={left} {device}");
                }
            }
        }
    }
}

/// Sums of floats against exact ones: numbers with few bits have no rounding, however they are grouped.
#[test]
fn sums_and_means_of_floats() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(26);
        for (i, n) in SIZES.into_iter().chain([20_001]).enumerate() {
            let quarters: Vec<i64> = (0..n).map(|_| rng.below(2000) as i64 - 1000).collect();
            let valid = Nulls::ALL[i % 4].mask(n, &mut rng);
            let kept = (0..n).filter(|&row| valid.as_ref().is_none_or(|valid| valid[row]));
            let exact = kept.clone().map(|row| quarters[row]).sum::<i64>() as f64 / 4.0;
            let mean = (kept.clone().count() > 0).then(|| Value::F64(exact / kept.count() as f64));
            for (storage, sum) in
                [(Storage::F32, Value::F32(exact as f32)), (Storage::F64, Value::F64(exact))]
            {
                let value = |q: &i64| match storage {
                    Storage::F32 => Value::F32(*q as f32 / 4.0),
                    _ => Value::F64(*q as f64 / 4.0),
                };
                let values: Vec<_> = quarters.iter().map(value).collect();
                let column = TestColumn::new(storage, &values, valid.as_deref(), 0, &exec);
                let context = format!("{storage} n={n} {device}");
                let result = reduce(Aggregation::Sum, &column.view(), &exec).unwrap();
                assert_rows(&rows_of(&result, &exec), &[Some(sum)], &context);
                let result = reduce(Aggregation::Mean, &column.view(), &exec).unwrap();
                assert_rows(&rows_of(&result, &exec), &[mean], &context);
            }
        }
    }
}

#[test]
fn nan_is_skipped_by_extremes_and_poisons_sums() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let nan = Value::F64(f64::NAN);
        let column = |values: &[Value]| TestColumn::new(Storage::F64, values, None, 0, &exec);
        let some = column(&[nan, Value::F64(1.0), Value::F64(-2.0), nan]);
        let all = column(&[nan, nan]);
        for (aggregation, of_some) in [
            (Aggregation::Sum, nan),
            (Aggregation::Mean, nan),
            (Aggregation::Min, Value::F64(-2.0)),
            (Aggregation::Max, Value::F64(1.0)),
        ] {
            let context = format!("{aggregation:?} {device}");
            let result = reduce(aggregation, &some.view(), &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &[Some(of_some)], &context);
            let result = reduce(aggregation, &all.view(), &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &[Some(nan)], &context);
        }
    }
}

/// The same bytes from one thread and from many.
#[test]
fn float_sums_do_not_depend_on_threads() {
    let exec = Exec::host();
    let mut rng = Rng::new(27);
    let values: Vec<_> = (0..3 * HOST_MORSEL_ROWS + 77).map(|_| Value::F64(rng.unit() - 0.5)).collect();
    let column = TestColumn::new(Storage::F64, &values, None, 0, &exec);
    let sum = || rows_of(&reduce(Aggregation::Sum, &column.view(), &exec).unwrap(), &exec);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = pool(1).install(sum);
    for threads in [2, 3, 7] {
        assert_rows(&pool(threads).install(sum), &one, &format!("{threads} threads"));
    }
}
