//! `exponential_mean` against the definition.

use super::{Weights, exponential_mean};
use crate::test_values::{TestColumn, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Rng, SIZES};

/// The weighted mean of the values of one range up to its last row.
fn naive(values: &[Option<f64>], weights: Weights) -> Option<f64> {
    let (mut sum, mut all, mut count, mut weight) = (0.0, 0.0, 0, 1.0);
    for value in values.iter().rev() {
        if let Some(value) = value {
            sum += weight * value;
            all += weight;
            count += 1;
        }
        if value.is_some() || !weights.ignores_nulls {
            weight *= weights.decay;
        }
    }
    (count >= weights.min_values.max(1)).then(|| sum / all)
}

fn column(storage: Storage, values: &[Option<Value>], offset: usize, exec: &Exec) -> TestColumn {
    let filler = if storage == Storage::F64 { Value::F64(5.0) } else { Value::I64(0) };
    let padded = || std::iter::repeat_n(Some(filler), offset).chain(values.iter().copied());
    let plain: Vec<Value> = padded().map(|value| value.unwrap_or(filler)).collect();
    let valid: Vec<bool> = padded().map(|value| value.is_some()).collect();
    let valid = valid.contains(&false).then_some(valid);
    TestColumn::new(storage, &plain, valid.as_deref(), offset, exec)
}

fn computed(
    values: &[Option<f64>],
    starts: Option<&[Option<i64>]>,
    weights: Weights,
    offset: usize,
    exec: &Exec,
) -> Vec<Option<f64>> {
    let values: Vec<_> = values.iter().map(|value| value.map(Value::F64)).collect();
    let starts: Option<Vec<_>> =
        starts.map(|starts| starts.iter().map(|start| start.map(Value::I64)).collect());
    let values = column(Storage::F64, &values, offset, exec);
    let starts = starts.map(|starts| column(Storage::I64, &starts, offset, exec));
    let starts = starts.as_ref().map(TestColumn::view);
    let found = exponential_mean(&values.view(), starts.as_ref(), weights, exec).unwrap();
    let number = |value: Option<Value>| match value {
        None => None,
        Some(Value::F64(value)) => Some(value),
        other => panic!("{other:?}"),
    };
    rows_of(&found, exec).into_iter().map(number).collect()
}

fn assert_near(found: &[Option<f64>], expected: &[Option<f64>], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        let near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
            _ => found == expected,
        };
        assert!(near, "row {row}: {found:?}, {expected:?}, {what}");
    }
}

/// Ranges of random lengths below `longest`, some of their rows of no range.
fn ranges(rows: usize, longest: u64, rng: &mut Rng) -> Vec<Option<i64>> {
    let mut starts = Vec::new();
    while starts.len() < rows {
        let start = i64::try_from(starts.len()).unwrap();
        let length = usize::try_from(1 + rng.below(longest)).unwrap().min(rows - starts.len());
        let start = (rng.below(6) > 0).then_some(start);
        starts.extend(std::iter::repeat_n(start, length));
    }
    starts
}

#[test]
fn means_of_every_size_match_their_weights() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(17);
        for (i, rows) in SIZES.into_iter().enumerate() {
            let share = [0, 3, 2][i % 3];
            let values: Vec<Option<f64>> = (0..rows)
                .map(|_| (share == 0 || rng.below(share) > 0).then(|| rng.unit() * 1e3 - 300.0))
                .collect();
            let starts = ranges(rows, 60, &mut rng);
            for ignores_nulls in [false, true] {
                let weights = Weights { decay: 0.75, ignores_nulls, min_values: [0, 1, 3][i % 3] };
                let what = format!("{rows} rows, {weights:?}, {device}");
                let first = |row: usize| usize::try_from(starts[row].unwrap()).unwrap();
                let expected: Vec<_> = (0..rows)
                    .map(|row| starts[row].and_then(|_| naive(&values[first(row)..=row], weights)))
                    .collect();
                assert_near(&computed(&values, Some(&starts), weights, i % 3, &exec), &expected, &what);
                let expected: Vec<_> = (0..rows).map(|row| naive(&values[..=row], weights)).collect();
                assert_near(&computed(&values, None, weights, i % 3, &exec), &expected, &what);
            }
        }
    }
}

/// Tiles without values, in which weights fall below every number; values that are not finite; a decay of 0 and of 1.
#[test]
fn means_after_long_gaps_and_of_extreme_values_are_kept() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let weights = |decay| Weights { decay, ignores_nulls: false, min_values: 1 };
        let mut values = vec![None; 5000];
        values[3] = Some(8.0);
        values[4] = Some(2.0);
        let found = computed(&values, None, weights(0.5), 1, &exec);
        assert_eq!(found[..5], [None, None, None, Some(8.0), Some(4.0)], "{device}");
        assert!(found[5..].iter().all(|mean| *mean == Some(4.0)), "{device}");
        values[4500] = Some(-7.0);
        let found = computed(&values, None, weights(0.5), 0, &exec);
        assert_eq!((found[4499], found[4500], found[4999]), (Some(4.0), Some(-7.0), Some(-7.0)), "{device}");
        let ends = [
            Some(1.0),
            Some(f64::NAN),
            Some(3.0),
            Some(f64::MAX),
            Some(f64::MAX),
            Some(f64::INFINITY),
            Some(1.0),
        ];
        let found = computed(&ends, None, weights(0.0), 2, &exec);
        assert_eq!(found[..5], [Some(1.0), Some(1.0), Some(3.0), Some(f64::MAX), Some(f64::MAX)], "{device}");
        let found = computed(&ends, None, weights(1.0), 2, &exec);
        assert_eq!((found[1], found[2]), (Some(1.0), Some(2.0)), "{device}");
        assert!(found[4].is_some_and(f64::is_finite) && found[5] == Some(f64::INFINITY), "{device}");
        assert_eq!(found[6], Some(f64::INFINITY), "{device}");
        let again = computed(&ends, None, weights(1.0), 2, &exec);
        assert_eq!(found, again, "{device}");
    }
}

#[test]
fn means_of_other_columns_are_refused() {
    let host = Exec::host();
    let weights = Weights { decay: 0.5, ignores_nulls: false, min_values: 1 };
    let floats = TestColumn::new(Storage::F64, &[Value::F64(1.0)], None, 0, &host);
    let starts = TestColumn::new(Storage::I64, &[Value::I64(0)], None, 0, &host);
    let two = TestColumn::new(Storage::I64, &[Value::I64(0), Value::I64(0)], None, 0, &host);
    let run = |values: &TestColumn, starts: &TestColumn| {
        exponential_mean(&values.view(), Some(&starts.view()), weights, &host).err()
    };
    assert!(matches!(run(&starts, &starts), Some(Error::UnsupportedStorage { storage: Storage::I64 })));
    assert!(matches!(run(&floats, &floats), Some(Error::UnsupportedStorage { storage: Storage::F64 })));
    assert!(matches!(run(&floats, &two), Some(Error::LengthMismatch { left: 1, right: 2 })));
}
