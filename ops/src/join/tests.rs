//! Joins of typed keys.

use super::cross_join::cross_join_with;
use super::join_rows::join_rows_with;
use super::{JoinKind, JoinSide, Joined, NullEquality, cross_join, hash_join, join_rows};
use crate::cast::{CastMode, cast};
use crate::out_of_core::Driver;
use crate::test_frames::{KEYS, assert_lines, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec, RetryableError, retry_statistics};
use columnade_columns::{
    CategoricalColumn, Column, ColumnAccessor, DType, DecimalStorage, Error, ErrorKind, Scalar, TimeUnit,
    TimeZone,
};
use columnade_tests::{Nulls, Rng};
use std::collections::BTreeSet;
use std::sync::Arc;

fn words(codes: &[i8], values: &[&str], exec: &Exec) -> Column {
    let codes = Column::from_slice(codes, exec).unwrap();
    let values = Arc::new(Column::from_values(values.iter().copied(), exec).unwrap());
    CategoricalColumn::new(&codes, values).map(Column::Categorical).unwrap()
}

/// Left and right rows of the inner join.
fn pairs(left: &[&Column], right: &[&Column], exec: &Exec) -> Vec<(u64, u64)> {
    let maps = hash_join(left, right, JoinKind::Inner, NullEquality::Equal, exec).unwrap();
    let left = maps.left.to_vec(exec).unwrap().into_iter().flatten();
    left.zip(maps.right.unwrap().to_vec(exec).unwrap().into_iter().flatten()).collect()
}

#[test]
fn join_of_dictionaries_compares_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let left = words(&[0, 1, 1, 0], &["x", "ß"], &exec);
        let right = words(&[2, 1, 0], &["ß", "z", "x"], &exec);
        let expected = [(0, 0), (1, 2), (2, 2), (3, 0)];
        assert_eq!(pairs(&[&left], &[&right], &exec), expected, "{device}");
        let plain = Column::from_values(["x", "z", "ß"], &exec).unwrap();
        assert_eq!(pairs(&[&left], &[&plain], &exec), expected, "{device}");
        assert_eq!(pairs(&[&plain], &[&right], &exec), [(0, 0), (1, 1), (2, 2)], "{device}");
        let number = Column::from_slice(&[1_i32, 1, 2, 2], &exec).unwrap();
        let other = Column::from_slice(&[1_i32, 1, 2], &exec).unwrap();
        assert_eq!(pairs(&[&left, &number], &[&right, &other], &exec), [(0, 0), (2, 2)], "{device}");
    }
}

#[test]
fn join_of_different_dtypes_returns_error() {
    let exec = Exec::host();
    let ints = Column::from_vec(vec![1_i32]);
    let days = ints.reinterpret(&DType::Date32).unwrap();
    let join = |left: &[&Column], right: &[&Column]| {
        hash_join(left, right, JoinKind::Inner, NullEquality::Equal, &exec).unwrap_err()
    };
    let mismatch = Error::DTypeMismatch { left: DType::Int32, right: DType::Date32 };
    assert_eq!(join(&[&ints, &ints], &[&ints, &days]), mismatch.in_key(1));
    assert_eq!(join(&[], &[]).kind(), ErrorKind::Value);
    assert_eq!(join(&[&ints], &[&ints, &ints]).kind(), ErrorKind::Value);
    let two = Column::from_vec(vec![1_i32, 2]);
    assert_eq!(join(&[&ints, &two], &[&ints, &ints]).kind(), ErrorKind::Value);
}

const KINDS: [JoinKind; 5] =
    [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti, JoinKind::Full];

/// The rows of a join by [`hash_join`] and the lines that its maps name.
fn naive(
    left: &ColumnAccessor,
    right: &ColumnAccessor,
    label: &str,
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Vec<String> {
    let (left_key, right_key) = (left.get(label).unwrap(), right.get(label).unwrap());
    let maps = hash_join(&[left_key], &[right_key], kind, nulls, exec).unwrap();
    let (left, right) = (lines(left), lines(right));
    let nothing = vec!["<NA>"; KEYS.len() + 1].join("|");
    let at = |lines: &[String], row: Option<u64>| match row {
        Some(row) => lines[usize::try_from(row).unwrap()].clone(),
        None => nothing.clone(),
    };
    let left_rows = maps.left.to_vec(exec).unwrap();
    let Some(right_map) = maps.right else { return left_rows.iter().map(|&row| at(&left, row)).collect() };
    let pairs = left_rows.into_iter().zip(right_map.to_vec(exec).unwrap());
    pairs.map(|(a, b)| format!("{} + {}", at(&left, a), at(&right, b))).collect()
}

/// All columns of both sides, by the column of this label.
fn sides<T>(
    [left, right]: [&ColumnAccessor; 2],
    label: &str,
    join: impl FnOnce(JoinSide<'_>, JoinSide<'_>) -> T,
) -> T {
    let output: Vec<usize> = (0..left.len()).collect();
    let keys = [left.position(label).unwrap()];
    let side = |columns| JoinSide { columns, keys: &keys, output: &output };
    join(side(left), side(right))
}

fn joined_lines(joined: &Joined) -> Vec<String> {
    let left = lines(&joined.left);
    let Some(right) = &joined.right else { return left };
    left.into_iter().zip(lines(right)).map(|(left, right)| format!("{left} + {right}")).collect()
}

#[test]
fn join_in_partitions_equals_join_of_whole() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(61);
        for (k, label) in KEYS.into_iter().enumerate() {
            let distinct = [1, 40, 1 << 20][k % 3];
            // Few values make many pairs.
            let few = distinct == 1 || ["bool", "word"].contains(&label);
            let is_host = device == Device::Host;
            let (n, m) = if few {
                (40, 30)
            } else if is_host {
                (900, 600)
            } else {
                (400, 300)
            };
            let left = frame(n, distinct, Nulls::ALL[k % 4], &mut rng, &exec);
            let right = frame(m, distinct, Nulls::ALL[(k + 2) % 4], &mut rng, &exec);
            for kind in KINDS {
                let nulls = if k % 2 == 0 { NullEquality::Equal } else { NullEquality::Unequal };
                let expected = naive(&left, &right, label, kind, nulls, &exec);
                let what = format!("{label} {kind:?} on {device}");
                sides([&left, &right], label, |left, right| {
                    let joined = join_rows(left, right, kind, nulls, &exec).unwrap();
                    assert_lines(&joined_lines(&joined), &expected, &what);
                    let budgets = [8_000, 60_000, usize::MAX];
                    for &budget in if is_host { &budgets[..] } else { &budgets[..1] } {
                        let driver = Driver::new(&exec).with_budget(budget);
                        let joined = join_rows_with(left, right, kind, nulls, None, driver).unwrap();
                        assert_lines(&joined_lines(&joined), &expected, &format!("{what}, {budget} bytes"));
                    }
                });
            }
        }
    }
}

#[test]
fn join_of_sides_larger_than_budget_stays_within_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(62);
        let left = frame(5000, 5000, Nulls::Some, &mut rng, &exec);
        let right = frame(4000, 5000, Nulls::Some, &mut rng, &exec);
        let bytes = left.row_bytes().unwrap() + right.row_bytes().unwrap();
        for (label, kind, share) in [
            ("i64", JoinKind::Inner, 1),
            ("text", JoinKind::Left, 2),
            ("price", JoinKind::Semi, 4),
            ("i64", JoinKind::Anti, 8),
            ("u16", JoinKind::Inner, 4),
            ("i64", JoinKind::Full, 2),
            ("text", JoinKind::Full, 8),
        ] {
            let nulls = NullEquality::Unequal;
            let expected = naive(&left, &right, label, kind, nulls, &exec);
            let limit = share_of(bytes, share, device);
            let (manager, tight) = limited(&exec, limit);
            let (left, right) = (moved(&left, &tight), moved(&right, &tight));
            let before = retry_statistics();
            let what = format!("1/{share} {label} {kind:?} on {device}");
            let (peak, joined) = sides([&left, &right], label, |left, right| {
                peak_of(&manager, || join_rows(left, right, kind, nulls, &tight).unwrap())
            });
            assert!(peak <= limit, "{peak} of {limit}: {what}");
            let failures = retry_statistics().failures - before.failures;
            assert!(failures < 1000, "{failures} attempts failed: {what}");
            assert_lines(&joined_lines(&joined), &expected, &what);
        }
    }
}

/// The values of a frame with one column, in text, without a null.
fn number_keys(dtype: &DType, texts: &[String], exec: &Exec) -> (Column, Vec<Option<String>>) {
    // One more row in front, so that the column has an odd offset; each value twice.
    let null = [Scalar::Null(dtype.clone()), Scalar::Null(dtype.clone())];
    let fitting: Vec<&String> = texts.iter().filter(|text| Scalar::parse(dtype, text).is_ok()).collect();
    let twice = fitting.iter().chain(&fitting);
    let scalars: Vec<Scalar> =
        null.into_iter().chain(twice.clone().map(|text| Scalar::parse(dtype, text).unwrap())).collect();
    let column = Column::from_scalars(dtype, &scalars, exec).unwrap().slice(1, scalars.len() - 1).unwrap();
    (column, std::iter::once(None).chain(twice.map(|text| Some((*text).clone()))).collect())
}

#[test]
fn join_of_numbers_of_any_two_dtypes_is_by_value() {
    let whole = [
        0_i128,
        1,
        -1,
        127,
        128,
        -128,
        -129,
        255,
        256,
        65_535,
        i128::from(i32::MIN),
        i128::from(u32::MAX),
        i128::from(i64::MIN),
        i128::from(i64::MAX),
        i128::from(i64::MAX) + 1,
        i128::from(u64::MAX),
        i128::from(u64::MAX) + 1,
    ];
    // At several scales; those that a dtype has not are left out.
    let at_scale = |digits: u32| {
        let part = 10_i128.pow(digits);
        let texts = whole.iter().map(move |v| {
            let sign = if *v < 0 { "-" } else { "" };
            let fraction = format!("{:04}", v.abs() % part * 10_000 / part);
            let fraction = fraction.trim_end_matches('0');
            let point = if fraction.is_empty() { "" } else { "." };
            format!("{sign}{}{point}{fraction}", v.abs() / part)
        });
        texts.collect::<Vec<_>>()
    };
    let texts: BTreeSet<String> = [0, 2, 4].into_iter().flat_map(at_scale).collect();
    let texts: Vec<String> = texts.into_iter().collect();
    let decimal = |precision, scale| DType::decimal(precision, scale).unwrap();
    let narrow = DType::decimal_stored(9, 2, DecimalStorage::Bits32).unwrap();
    let dtypes: Vec<DType> = DType::NUMERIC
        .into_iter()
        .filter(DType::is_integer)
        .chain([decimal(3, 0), decimal(20, 0), decimal(38, 0)])
        .chain([narrow, decimal(5, 2), decimal(18, 2), decimal(19, 2), decimal(38, 2)])
        .chain([decimal(6, 4), decimal(30, 4)])
        .collect();
    let places = |dtype: &DType| match dtype.as_decimal() {
        Some(DType::Decimal { precision, scale, .. }) => (i32::from(precision) - i32::from(scale), scale),
        other => panic!("{other:?}"),
    };
    let mut refused = 0;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let columns: Vec<_> = dtypes.iter().map(|dtype| number_keys(dtype, &texts, &exec)).collect();
        for (position, (left, left_texts)) in columns.iter().enumerate() {
            for (other_position, (right, right_texts)) in columns.iter().enumerate() {
                let [(whole, scale), (other, other_scale)] = [left, right].map(|it| places(&it.dtype()));
                if whole.max(other) + i32::from(scale.max(other_scale)) > 38 {
                    let (nulls, inner) = (NullEquality::Equal, JoinKind::Inner);
                    let error = hash_join(&[left], &[right], inner, nulls, &exec).unwrap_err();
                    assert!(error.to_string().contains("do not go together"), "{error}");
                    refused += 1;
                    continue;
                }
                let what = format!("{} and {} on {device}", left.dtype(), right.dtype());
                let expected: Vec<(u64, u64)> = (0_u64..)
                    .zip(left_texts)
                    .flat_map(|(i, l)| {
                        let equal = (0_u64..).zip(right_texts).filter(move |(_, r)| *r == l);
                        equal.map(move |(j, _)| (i, j))
                    })
                    .collect();
                assert_eq!(pairs(&[left], &[right], &exec), expected, "{what}");
                // A few of them too in partitions, which take long.
                if (position + other_position) % 4 > 0 {
                    continue;
                }
                // In partitions: the first column is the key, the other one numbers the rows.
                let side = |key: &Column| {
                    let rows = i64::try_from(key.size()).unwrap();
                    let numbers = Column::from_values(0..rows, &exec).unwrap();
                    ColumnAccessor::from_columns([("key", key.clone()), ("number", numbers)]).unwrap()
                };
                let (left, right) = (side(left), side(right));
                let keys = [0];
                let [left, right] =
                    [&left, &right].map(|columns| JoinSide { columns, keys: &keys, output: &[1] });
                let driver = Driver::new(&exec).with_budget(300);
                let joined =
                    join_rows_with(left, right, JoinKind::Inner, NullEquality::Equal, None, driver).unwrap();
                let numbers: Vec<String> = expected.iter().map(|(i, j)| format!("{i} + {j}")).collect();
                assert_lines(&joined_lines(&joined), &numbers, &what);
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn join_of_dictionary_of_numbers_with_wider_numbers_is_by_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let codes = Column::from_slice(&[1_i8, 0, 1], &exec).unwrap();
        let values = Arc::new(Column::from_slice(&[7_i32, -5], &exec).unwrap());
        let left = CategoricalColumn::new(&codes, values).map(Column::Categorical).unwrap();
        let right = Column::from_slice(&[-5_i64, 7], &exec).unwrap();
        assert_eq!(pairs(&[&left], &[&right], &exec), [(0, 0), (1, 1), (2, 0)], "{device}");
        assert_eq!(pairs(&[&right], &[&left], &exec), [(0, 0), (0, 2), (1, 1)], "{device}");
    }
}

#[test]
fn cross_join_beyond_memory_is_refused_at_once() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = Column::full_null(&DType::Int64, 4_000_000, &exec).unwrap();
        let side = ColumnAccessor::from_columns([("n", rows)]).unwrap();
        let error = cross_join(&side, &side, &exec).unwrap_err();
        assert!(error.is_out_of_memory(), "{error}");
    }
}

#[test]
fn cross_join_in_chunks_equals_nested_loop() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(63);
        for (n, m) in [(0, 3), (3, 0), (1, 1), (130, 33), (2, 700)] {
            let left = frame(n, 9, Nulls::Some, &mut rng, &exec);
            let right = frame(m, 9, Nulls::Some, &mut rng, &exec);
            let (left_lines, right_lines) = (lines(&left), lines(&right));
            let expected: Vec<String> = left_lines
                .iter()
                .flat_map(|left| right_lines.iter().map(move |right| format!("{left} + {right}")))
                .collect();
            for budget in [8_000, 200_000, usize::MAX] {
                let driver = Driver::new(&exec).with_budget(budget);
                let joined = cross_join_with(&left, &right, driver).unwrap();
                let what = format!("{n} x {m}, {budget} bytes on {device}");
                assert_lines(&joined_lines(&joined), &expected, &what);
            }
        }
    }
}

#[test]
fn join_of_floats_and_times_of_other_units_in_partitions_is_by_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(64);
        let (mut numbers, n) =
            (|| (0..400).map(|_| i64::try_from(rng.below(300)).unwrap() - 150).collect::<Vec<_>>(), 400);
        let (left_numbers, right_numbers) = (numbers(), numbers());
        let column = |numbers: &[i64], dtype: &DType, scale: i64| {
            let scaled: Vec<i64> = numbers.iter().map(|number| number * scale).collect();
            cast(&Column::from_vec(scaled).to_device(&exec).unwrap(), dtype, CastMode::Wrap, &exec).unwrap()
        };
        let expected: Vec<(usize, usize)> = (0..n)
            .flat_map(|l| (0..n).map(move |r| (l, r)))
            .filter(|&(l, r)| left_numbers[l] == right_numbers[r])
            .collect();
        let zone = |name: &str| DType::TimestampTz(TimeUnit::Milli, TimeZone::new(name).unwrap());
        for (left_dtype, left_scale, right_dtype, right_scale) in [
            (DType::Float32, 1, DType::Float64, 1),
            (DType::Float64, 1, DType::Float32, 1),
            (DType::Timestamp(TimeUnit::Second), 1, DType::Timestamp(TimeUnit::Nano), 1_000_000_000),
            (DType::Date32, 1, DType::Timestamp(TimeUnit::Milli), 86_400_000),
            (DType::Duration(TimeUnit::Micro), 1_000, DType::Duration(TimeUnit::Milli), 1),
            (zone("UTC"), 1, zone("Europe/Berlin"), 1),
        ] {
            let side = |numbers: &[i64], dtype: &DType, scale: i64| {
                let rows = Column::from_values(0..400_i64, &exec).unwrap();
                let key = column(numbers, dtype, scale);
                ColumnAccessor::from_columns([("key", key), ("number", rows)]).unwrap()
            };
            let left = side(&left_numbers, &left_dtype, left_scale);
            let right = side(&right_numbers, &right_dtype, right_scale);
            let [left, right] = [&left, &right].map(|columns| JoinSide { columns, keys: &[0], output: &[1] });
            for budget in [3_000, usize::MAX] {
                let driver = Driver::new(&exec).with_budget(budget);
                let joined =
                    join_rows_with(left, right, JoinKind::Inner, NullEquality::Equal, None, driver).unwrap();
                let expected: Vec<String> = expected.iter().map(|(l, r)| format!("{l} + {r}")).collect();
                let what = format!("{left_dtype} and {right_dtype}, {budget} bytes on {device}");
                assert_lines(&joined_lines(&joined), &expected, &what);
            }
        }
    }
}

/// Rows that have one match each: of the left side only the keys are moved, and the result shares its columns.
/// Other devices than the host move whole rows.
#[test]
fn join_with_one_match_a_row_shares_left_columns() {
    {
        let (device, exec) = (Device::Host, Exec::host());
        let mut rng = Rng::new(77);
        let n = 20_000;
        for (kind, every) in
            [(JoinKind::Inner, 1), (JoinKind::Left, 1), (JoinKind::Semi, 1), (JoinKind::Inner, 2)]
        {
            let keys: Vec<i64> = (0..n).map(|_| i64::try_from(rng.below(400)).unwrap()).collect();
            let values = |step: i64| (0..n).map(|row| row * step).collect::<Vec<i64>>();
            let words: Vec<String> = (0..n).map(|row| format!("ü{row}")).collect();
            let left = ColumnAccessor::from_columns([
                ("a", Column::from_slice(&values(3), &exec).unwrap()),
                ("k", Column::from_slice(&keys, &exec).unwrap()),
                ("w", Column::from_values(words, &exec).unwrap()),
            ])
            .unwrap();
            // All keys, or the even ones.
            let of_right: Vec<i64> = (0..400).rev().filter(|key| key % every == 0).collect();
            let names: Vec<String> = of_right.iter().map(|key| format!("name {key}")).collect();
            let right = ColumnAccessor::from_columns([
                ("k", Column::from_slice(&of_right, &exec).unwrap()),
                ("name", Column::from_values(names, &exec).unwrap()),
            ])
            .unwrap();
            let join = |left: &ColumnAccessor, right: &ColumnAccessor, exec: &Exec| {
                let left = JoinSide { columns: left, keys: &[1], output: &[0, 1, 2] };
                let right = JoinSide { columns: right, keys: &[0], output: &[1] };
                join_rows(left, right, kind, NullEquality::Equal, exec).unwrap()
            };
            let expected = join(&left, &right, &exec);
            let (manager, tight) = limited(&exec, share_of(left.row_bytes().unwrap(), 2, device));
            let (left, right) = (moved(&left, &tight), moved(&right, &tight));
            let (peak, found) = peak_of(&manager, || join(&left, &right, &tight));
            let what = format!("{kind:?}, one of {every} keys on {device}");
            assert!(peak <= share_of(left.row_bytes().unwrap(), 2, device), "{what}: {peak}");
            assert_lines(&lines(&found.left), &lines(&expected.left), &what);
            assert_eq!(found.right.as_ref().map(lines), expected.right.as_ref().map(lines), "{what}");
            for (found, source) in found.left.columns().iter().zip(left.columns()) {
                let shares = found.data().unwrap().shares_memory(source.data().unwrap());
                assert_eq!(shares, every == 1, "{what}");
            }
        }
    }
}
