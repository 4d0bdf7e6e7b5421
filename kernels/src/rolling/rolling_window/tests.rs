//! One suite for `rolling_window` on every device, against the rows of each window one by one.

use super::super::windows::of_columns;
use super::{WindowAggregation, WindowBounds, Windows, rolling_window};
use crate::test_values::{TestColumn, as_i128, assert_rows, decimal_sum, rows_of};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Error, Fixed, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::cmp::Ordering;

const STORAGES: [Storage; 4] = [Storage::I64, Storage::U64, Storage::I128, Storage::F64];

/// Bounds that do not decrease, with jumps and windows of no rows.
fn bounds(windows: usize, rows: usize, longest: u64, rng: &mut Rng) -> Vec<(i64, i64)> {
    let mut start = 0;
    let mut end = 0;
    (0..windows)
        .map(|_| {
            start = (start + rng.below(3) as i64).min(rows as i64 + 2);
            if rng.below(40) == 0 {
                start = end;
            }
            end = end.max(start - 1 + rng.below(longest) as i64);
            if rng.below(30) == 0 { (start, start - 3) } else { (start, end) }
        })
        .collect()
}

fn value(storage: Storage, rng: &mut Rng) -> Value {
    // Quarters: sums and products of a few of them are exact.
    let small = rng.below(9) as i64 - 4;
    match storage {
        Storage::I64 => Value::I64(if rng.below(6) == 0 { i64::MAX - small.abs() } else { small }),
        Storage::U64 => Value::U64(if rng.below(6) == 0 { u64::MAX } else { small.unsigned_abs() }),
        Storage::I128 => Value::I128(i128::from(small) * if rng.below(9) == 0 { 10_i128.pow(18) } else { 1 }),
        _ => Value::F64(
            [small as f64 / 4.0, -0.0, f64::NAN][[0, 0, 0, 0, 0, 0, 0, 1, 2][rng.below(9) as usize]],
        ),
    }
}

fn float(value: Value) -> f64 {
    match value {
        Value::F64(value) => value,
        other => as_i128(other) as f64,
    }
}

/// The definition; an error for more than 38 digits.
fn expected(
    aggregation: WindowAggregation,
    storage: Storage,
    values: &[Value],
    min: u64,
) -> Result<Option<Value>, ()> {
    if (values.len() as u64) < min {
        return Ok(None);
    }
    let n = values.len() as f64;
    let integers = || values.iter().map(|&value| as_i128(value));
    let floats = || values.iter().map(|&value| float(value));
    let of = |value: i128| match storage {
        Storage::I64 => Value::I64(value as i64),
        Storage::U64 => Value::U64(value as u64),
        _ => Value::I128(value),
    };
    let is_float = storage == Storage::F64;
    let numbers: Vec<Value> = values.iter().copied().filter(|v| !is_float || !float(*v).is_nan()).collect();
    let order = |a: &Value, b: &Value| {
        if is_float { float(*a).total_cmp(&float(*b)) } else { as_i128(*a).cmp(&as_i128(*b)) }
    };
    Ok(match aggregation {
        WindowAggregation::Sum if is_float => Some(Value::F64(floats().reduce(|a, b| a + b).unwrap_or(0.0))),
        WindowAggregation::Sum if storage == Storage::I128 => Some(of(decimal_sum(integers()).ok_or(())?)),
        WindowAggregation::Sum => Some(of(integers().sum())),
        WindowAggregation::Product if is_float => Some(Value::F64(floats().product())),
        WindowAggregation::Product if storage == Storage::I128 => {
            let product = if integers().any(|v| v == 0) {
                Some(0)
            } else {
                integers().try_fold(1_i128, i128::checked_mul)
            };
            Some(of(product.filter(|product| product.unsigned_abs() < 10_u128.pow(38)).ok_or(())?))
        }
        WindowAggregation::Product => {
            Some(of(integers().fold(1_u64, |a, b| a.wrapping_mul(b as u64)).cast_signed().into()))
        }
        WindowAggregation::Min => numbers.iter().copied().min_by(order).or(values.first().copied()),
        WindowAggregation::Max => numbers.iter().copied().max_by(order).or(values.first().copied()),
        WindowAggregation::Mean => floats().reduce(|a, b| a + b).map(|sum| Value::F64(sum / n)),
        WindowAggregation::Variance { ddof } => {
            let mean = floats().sum::<f64>() / n;
            let squares = floats().map(|v| (v - mean) * (v - mean)).sum::<f64>();
            (n > f64::from(ddof)).then(|| Value::F64(squares / (n - f64::from(ddof))))
        }
        WindowAggregation::Skewness | WindowAggregation::Kurtosis => {
            let mean = floats().sum::<f64>() / n;
            let moment = |power| floats().map(|v| (v - mean).powi(power)).sum::<f64>() / n;
            let is_skewness = aggregation == WindowAggregation::Skewness;
            let is_constant = floats().all(|v| v.partial_cmp(&float(values[0])).is_some_and(Ordering::is_eq));
            let is_enough = values.len() >= if is_skewness { 3 } else { 4 };
            (is_enough && !is_constant).then(|| {
                let (second, third, fourth) = (moment(2), moment(3), moment(4));
                Value::F64(if is_skewness {
                    (n * (n - 1.0)).sqrt() / (n - 2.0) * third / second.powf(1.5)
                } else {
                    let excess = fourth / (second * second) - 3.0;
                    ((n + 1.0) * excess + 6.0) * (n - 1.0) / ((n - 2.0) * (n - 3.0))
                })
            })
        }
    })
}

fn close(found: &[Option<Value>], expected: &[Option<Value>], context: &str) {
    for (row, (a, b)) in found.iter().zip(expected).enumerate() {
        let same = match (a, b) {
            (Some(a), Some(b)) => {
                let (a, b) = (float(*a), float(*b));
                a.total_cmp(&b).is_eq()
                    || (a.is_nan() && b.is_nan())
                    || (a - b).abs() <= 1e-12 * b.abs().max(1.0)
            }
            (a, b) => a == b,
        };
        assert!(same, "{context}: window {row} is {a:?}, not {b:?}");
    }
}

struct Case<'a> {
    column: &'a TestColumn,
    bounds: &'a [(i64, i64)],
    /// `bounds` are those of windows around each row, so many rows before and after it.
    around: Option<(u64, i64)>,
    min_values: u64,
    context: String,
}

fn check(case: &Case<'_>, aggregation: WindowAggregation, exec: &Exec) {
    let Case { column, bounds, around, min_values, context } = case;
    let view = column.view();
    let context = format!("{context} {aggregation:?} {}", view.storage);
    // At an odd offset.
    let rows = |bound: fn(&(i64, i64)) -> i64| -> Vec<Value> {
        [(7, 7)].iter().chain(*bounds).map(|pair| Value::I64(bound(pair))).collect()
    };
    let starts = TestColumn::new(Storage::I64, &rows(|pair| pair.0), None, 1, exec);
    let ends = TestColumn::new(Storage::I64, &rows(|pair| pair.1), None, 1, exec);
    let mut windows = of_columns(&starts, &ends, *min_values);
    if let Some((before, after)) = *around {
        windows.bounds = WindowBounds::Around { before, after };
    }
    let found = rolling_window(aggregation, &view, &windows, exec);
    if !aggregation.supports(view.storage) {
        assert_eq!(found.unwrap_err(), Error::UnsupportedStorage { storage: view.storage }, "{context}");
        return;
    }
    let n = view.len as i64;
    let wanted: Result<Vec<_>, ()> = bounds
        .iter()
        .map(|&(start, end)| {
            let (start, end) = (start.clamp(0, n), end.clamp(0, n));
            let rows = if start < end { &column.rows[start as usize..end as usize] } else { &[] };
            let values: Vec<Value> = rows.iter().flatten().copied().collect();
            expected(aggregation, view.storage, &values, *min_values)
        })
        .collect();
    let Ok(wanted) = wanted else {
        assert_eq!(found.unwrap_err(), Error::Overflow { storage: Storage::I128 }, "{context}");
        return;
    };
    let found = rows_of(&found.unwrap_or_else(|error| panic!("{context}: {error}")), exec);
    let is_rounded = matches!(
        aggregation,
        WindowAggregation::Variance { .. }
            | WindowAggregation::Product
            | WindowAggregation::Skewness
            | WindowAggregation::Kurtosis
    );
    if is_rounded {
        close(&found, &wanted, &context);
    } else {
        assert_rows(&found, &wanted, &context);
    }
}

#[test]
fn windows_of_every_aggregation_storage_size_and_null_pattern_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(41);
        for storage in STORAGES {
            for aggregation in WindowAggregation::ALL {
                for (i, n) in SIZES.into_iter().filter(|&n| n < 600).enumerate() {
                    let offset = [0, 3][i % 2];
                    let values: Vec<_> = (0..n + offset).map(|_| value(storage, &mut rng)).collect();
                    let valid = Nulls::ALL[i % 4].mask(n + offset, &mut rng);
                    let column = TestColumn::new(storage, &values, valid.as_deref(), offset, &exec);
                    let m = [n, 2 * n + 1, n / 2][i % 3];
                    let bounds = bounds(m, n, [2, 9, 40][(i / 3) % 3], &mut rng);
                    let least = u64::from(aggregation != WindowAggregation::Sum);
                    let min_values = least + [0, 1, 4][i % 3];
                    let context = format!("n={n} m={m} {device}");
                    check(
                        &Case { column: &column, bounds: &bounds, around: None, min_values, context },
                        aggregation,
                        &exec,
                    );
                }
            }
        }
        let column = TestColumn::new(Storage::F64, &[Value::F64(2.0)], None, 0, &exec);
        let none = [(0, 0), (1, 0), (-5, 1), (0, 9), (i64::MIN, i64::MAX), (i64::MAX, i64::MIN)];
        for aggregation in [WindowAggregation::Product, WindowAggregation::Sum] {
            let context = format!("bounds beyond the rows, {device}");
            check(
                &Case { column: &column, bounds: &none, around: None, min_values: 0, context },
                aggregation,
                &exec,
            );
        }
    }
}

#[test]
fn windows_around_each_row_match_reference() {
    let reaches = [(0, 0), (3, 0), (0, 2), (2, 5), (u64::MAX, 0), (u64::MAX, i64::MAX), (0, -1), (3, -1)];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(45);
        for (i, n) in SIZES.into_iter().filter(|&n| n < 600).enumerate() {
            let offset = [0, 3][i % 2];
            let storage = STORAGES[i % 4];
            let values: Vec<_> = (0..n + offset).map(|_| value(storage, &mut rng)).collect();
            let valid = Nulls::ALL[i / 4 % 4].mask(n + offset, &mut rng);
            let column = TestColumn::new(storage, &values, valid.as_deref(), offset, &exec);
            for (before, after) in reaches {
                let far = |rows: u64| i64::try_from(rows).unwrap_or(i64::MAX);
                let bounds: Vec<_> = (0..n as i64)
                    .map(|row| (row.saturating_sub(far(before)), row.saturating_add(after).saturating_add(1)))
                    .collect();
                let around = Some((before, after));
                let context = format!("n={n} {around:?} {device}");
                let case = Case { column: &column, bounds: &bounds, around, min_values: 1, context };
                for aggregation in [WindowAggregation::Sum, WindowAggregation::Min, WindowAggregation::Mean] {
                    check(&case, aggregation, &exec);
                }
            }
        }
    }
}

#[test]
fn windows_with_decreasing_bounds_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(43);
        let values: Vec<_> = (0..300).map(|_| value(Storage::I64, &mut rng)).collect();
        let column = TestColumn::new(Storage::I64, &values, None, 0, &exec);
        let bounds: Vec<_> = (0..500).map(|_| (rng.below(300) as i64, rng.below(310) as i64)).collect();
        for aggregation in [WindowAggregation::Sum, WindowAggregation::Max] {
            let context = device.to_string();
            check(
                &Case { column: &column, bounds: &bounds, around: None, min_values: 1, context },
                aggregation,
                &exec,
            );
        }
    }
}

/// Windows longer and shorter than a task of the host, and every row of a device's levels.
#[test]
fn long_windows_match_prefix_sums() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(44);
        let n = if device == Device::Host { 3 * HOST_MORSEL_ROWS + 5 } else { 5000 };
        let values: Vec<i64> = (0..n).map(|_| rng.below(200) as i64 - 100).collect();
        let valid = Nulls::Some.mask(n, &mut rng).unwrap();
        let column: Vec<_> = values.iter().map(|&q| Value::F64(q as f64 / 4.0)).collect();
        let column = TestColumn::new(Storage::F64, &column, Some(&valid), 0, &exec);
        let mut prefix = vec![0];
        for row in 0..n {
            prefix.push(prefix[row] + if valid[row] { values[row] } else { 0 });
        }
        for length in [3, 1000, HOST_MORSEL_ROWS + 3, 4 * HOST_MORSEL_ROWS] {
            let starts: Vec<_> = (0..n).map(|row| Value::I64(row as i64 + 1 - length as i64)).collect();
            let ends: Vec<_> = (0..n).map(|row| Value::I64(row as i64 + 1)).collect();
            let [starts, ends] =
                [starts, ends].map(|bounds| TestColumn::new(Storage::I64, &bounds, None, 0, &exec));
            let windows = of_columns(&starts, &ends, 0);
            let found = rolling_window(WindowAggregation::Sum, &column.view(), &windows, &exec).unwrap();
            let expected: Vec<_> = (1..=n)
                .map(|end| Some(Value::F64((prefix[end] - prefix[end.saturating_sub(length)]) as f64 / 4.0)))
                .collect();
            assert_rows(&rows_of(&found, &exec), &expected, &format!("length {length} {device}"));
        }
    }
}

/// A running sum with subtractions would keep what a huge value swallowed, or NaN.
#[test]
fn window_after_huge_value_or_nan_is_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = [1.0, 1e300, f64::NAN, f64::INFINITY, 0.1, 0.2, 0.25, -0.0].map(Value::F64);
        let column = TestColumn::new(Storage::F64, &values, None, 0, &exec);
        let bounds: Vec<_> = (0..7).map(|row| (row, row + 2)).collect();
        let mut found = Vec::new();
        for aggregation in
            [WindowAggregation::Sum, WindowAggregation::Mean, WindowAggregation::Variance { ddof: 0 }]
        {
            let starts: Vec<_> = bounds.iter().map(|pair| Value::I64(pair.0)).collect();
            let ends: Vec<_> = bounds.iter().map(|pair| Value::I64(pair.1)).collect();
            let [starts, ends] =
                [starts, ends].map(|bounds| TestColumn::new(Storage::I64, &bounds, None, 0, &exec));
            let windows = of_columns(&starts, &ends, 1);
            let of_windows = rolling_window(aggregation, &column.view(), &windows, &exec).unwrap();
            found.push(rows_of(&of_windows, &exec));
        }
        let nan = f64::NAN;
        let sums = [1e300, nan, nan, f64::INFINITY, 0.1 + 0.2, 0.45, 0.25];
        assert_rows(&found[0], &sums.map(|sum| Some(Value::F64(sum))), &format!("sums {device}"));
        let means = sums.map(|sum| Some(Value::F64(sum / 2.0)));
        assert_rows(&found[1], &means, &format!("means {device}"));
        let variances = [f64::INFINITY, nan, nan, nan, 2.5e-3, 6.25e-4, 1.0 / 64.0];
        close(
            &found[2],
            &variances.map(|variance| Some(Value::F64(variance))),
            &format!("variances {device}"),
        );
    }
}

#[test]
fn windows_that_make_no_sense_are_refused() {
    let exec = Exec::host();
    let column = |storage, n: usize| TestColumn::new(storage, &vec![Value::zero(storage); n], None, 0, &exec);
    let (one, two, narrow) = (column(Storage::I64, 1), column(Storage::I64, 2), column(Storage::I32, 1));
    let run = |values: Fixed<'_>, starts: Fixed<'_>, ends: Fixed<'_>| {
        let windows = Windows { bounds: WindowBounds::Columns { starts, ends }, min_values: 0 };
        rolling_window(WindowAggregation::Sum, &values, &windows, &exec).unwrap_err()
    };
    assert_eq!(run(one.view(), one.view(), two.view()), Error::LengthMismatch { left: 1, right: 2 });
    assert_eq!(
        run(one.view(), one.view(), narrow.view()),
        Error::UnsupportedStorage { storage: Storage::I32 }
    );
    assert_eq!(
        run(narrow.view(), one.view(), one.view()),
        Error::UnsupportedStorage { storage: Storage::I32 }
    );
    let windows = Windows { bounds: WindowBounds::Around { before: 1, after: -2 }, min_values: 0 };
    let error = rolling_window(WindowAggregation::Sum, &one.view(), &windows, &exec).unwrap_err();
    assert_eq!(error, Error::InvalidArgument { name: "after", reason: "it is less than -1" });
}
