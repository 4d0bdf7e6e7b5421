//! Many rows, few groups and skew, for GPUs: grids of several waves, second trips of strided loops and crowded atomics. The
//! tests do nothing unless `COLUMNADE_TEST_LARGE` is a number of rows; the reference implementations are naive.

use crate::expression::{col, evaluate, len};
use crate::filter::filter;
use crate::groupby::{GroupOptions, NullKeys, aggregate};
use crate::join::{JoinKind, JoinSide, NullEquality, join_rows};
use crate::sort::{NullOrder, Order, SortColumn, sort_by};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType};
use columnade_tests::Rng;
use std::collections::HashMap;

/// The rows of the environment, and a context for each device.
fn runs() -> Vec<(usize, Exec)> {
    let Ok(rows) = std::env::var("COLUMNADE_TEST_LARGE") else { return Vec::new() };
    let rows =
        rows.parse().unwrap_or_else(|_| panic!("COLUMNADE_TEST_LARGE={rows}: expected a number of rows"));
    Device::available().into_iter().map(|device| (rows, Exec::new(device).unwrap())).collect()
}

/// Keys by which few rows, or most, are alike.
#[derive(Clone, Copy, Debug)]
enum Keys {
    One,
    Ten,
    /// Nine rows of ten have one key; the others have a thousand.
    Skewed,
    /// Some thousands: more than a block holds.
    Thousands,
    /// Half as many as rows.
    Many,
}

const KEYS: [Keys; 5] = [Keys::One, Keys::Ten, Keys::Skewed, Keys::Thousands, Keys::Many];

impl Keys {
    fn of(self, rows: usize, rng: &mut Rng) -> Vec<i64> {
        let mut key = || match self {
            Self::One => 7,
            Self::Ten => rng.below(10),
            Self::Skewed => {
                if rng.below(10) < 9 {
                    5
                } else {
                    rng.below(1000)
                }
            }
            Self::Thousands => rng.below(5000),
            Self::Many => rng.below(rows as u64 / 2 + 1),
        };
        // Far apart, so that no range of keys is an index.
        (0..rows).map(|_| key().cast_signed().wrapping_mul(0x1234_5678_9abc_def1)).collect()
    }
}

/// Every seventh value is null.
fn values(rows: usize, rng: &mut Rng) -> Vec<Option<i64>> {
    (0..rows).map(|_| (rng.below(7) > 0).then(|| rng.below(1 << 20).cast_signed() - (1 << 19))).collect()
}

fn frame(keys: &[i64], values: &[Option<i64>], exec: &Exec) -> ColumnAccessor {
    let rows: Vec<i64> = (0..).take(keys.len()).collect();
    ColumnAccessor::from_columns([
        ("k", Column::from_vec_on(keys.to_vec(), exec).unwrap()),
        ("v", Column::from_options(values.iter().copied(), exec).unwrap()),
        ("row", Column::from_vec_on(rows, exec).unwrap()),
    ])
    .unwrap()
}

fn number(row: usize) -> i64 {
    i64::try_from(row).unwrap()
}

fn options(frame: &ColumnAccessor, label: &str) -> Vec<Option<i64>> {
    frame.get(label).unwrap().to_options().unwrap()
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "sums and counts are far below 2^53")]
fn groups_of_many_rows_are_aggregated() {
    for (rows, exec) in runs() {
        for keys in KEYS {
            let what = format!("{keys:?} of {rows} rows on {}", exec.device());
            let mut rng = Rng::new(91);
            let (keys, values) = (keys.of(rows, &mut rng), values(rows, &mut rng));
            // In order of first appearance: key, rows, sum, least.
            let mut places = HashMap::new();
            let mut groups: Vec<(i64, i64, Option<i64>, Option<i64>)> = Vec::new();
            for (key, value) in keys.iter().zip(&values) {
                let place = *places.entry(*key).or_insert_with(|| {
                    groups.push((*key, 0, None, None));
                    groups.len() - 1
                });
                let group = &mut groups[place];
                group.1 += 1;
                if let Some(value) = *value {
                    group.2 = Some(group.2.unwrap_or(0) + value);
                    group.3 = Some(group.3.map_or(value, |least| least.min(value)));
                }
            }
            let aggregates = [
                len().cast(DType::Int64).alias("len"),
                col("v").sum().alias("sum"),
                col("v").min().alias("min"),
                col("v").cast(DType::Float64).mean().alias("mean"),
            ];
            let frame = frame(&keys, &values, &exec);
            let grouping = GroupOptions { null_keys: NullKeys::Group };
            let found = aggregate(&frame, None, &[col("k")], &aggregates, grouping, &exec).unwrap();
            assert_eq!(
                found.get("k").unwrap().to_vec::<i64>().unwrap(),
                column_of(&groups, |g| g.0),
                "{what}"
            );
            assert_eq!(
                found.get("len").unwrap().to_vec::<i64>().unwrap(),
                column_of(&groups, |g| g.1),
                "{what}"
            );
            let sums = column_of(&groups, |g| g.2.unwrap_or(0));
            let found_sums: Vec<i64> =
                options(&found, "sum").into_iter().map(|sum| sum.unwrap_or(0)).collect();
            assert_eq!(found_sums, sums, "{what}");
            assert_eq!(options(&found, "min"), column_of(&groups, |g| g.3), "{what}");
            let means: Vec<Option<f64>> = found.get("mean").unwrap().to_options().unwrap();
            let mut counts: HashMap<i64, i64> = HashMap::new();
            for (key, _) in keys.iter().zip(&values).filter(|(_, value)| value.is_some()) {
                *counts.entry(*key).or_default() += 1;
            }
            for (mean, group) in means.iter().zip(&groups) {
                let expected = group.2.map(|sum| sum as f64 / counts[&group.0] as f64);
                assert_eq!(mean.is_some(), expected.is_some(), "{what}");
                let (mean, expected) = (mean.unwrap_or(0.0), expected.unwrap_or(0.0));
                assert!(
                    (mean - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                    "{mean} for {expected}: {what}"
                );
            }
        }
    }
}

fn column_of<G, T>(groups: &[G], of: impl Fn(&G) -> T) -> Vec<T> {
    groups.iter().map(of).collect()
}

#[test]
fn many_rows_are_sorted_stably() {
    for (rows, exec) in runs() {
        for keys in KEYS {
            let what = format!("{keys:?} of {rows} rows on {}", exec.device());
            let mut rng = Rng::new(92);
            let (keys, values) = (keys.of(rows, &mut rng), values(rows, &mut rng));
            let frame = frame(&keys, &values, &exec);
            let by = [1, 0].map(|position| SortColumn {
                position,
                order: Order::Ascending,
                nulls: NullOrder::First,
            });
            let sorted = sort_by(&frame, &by, &exec).unwrap();
            let mut expected: Vec<usize> = (0..rows).collect();
            expected.sort_by_key(|row| (values[*row], keys[*row]));
            let order: Vec<i64> = expected.iter().map(|row| number(*row)).collect();
            assert_eq!(sorted.get("row").unwrap().to_vec::<i64>().unwrap(), order, "{what}");
            assert_eq!(options(&sorted, "v"), column_of(&expected, |row| values[*row]), "{what}");
        }
    }
}

#[test]
fn many_rows_are_joined_with_few_and_with_many() {
    for (rows, exec) in runs() {
        for (keys, right_rows) in
            [(Keys::Ten, 20), (Keys::Skewed, 1500), (Keys::Thousands, 6000), (Keys::Many, rows)]
        {
            let what = format!("{keys:?} of {rows} rows on {}", exec.device());
            let mut rng = Rng::new(93);
            let left_keys = keys.of(rows, &mut rng);
            // Each key at most a few times.
            let mut times: HashMap<i64, usize> = HashMap::new();
            let mut right_keys = keys.of(right_rows, &mut rng);
            right_keys.retain(|key| {
                let times = times.entry(*key).or_default();
                *times += 1;
                *times <= 3
            });
            let mut of_key: HashMap<i64, Vec<i64>> = HashMap::new();
            for (row, key) in right_keys.iter().enumerate() {
                of_key.entry(*key).or_default().push(number(row));
            }
            let expected = (0..)
                .zip(&left_keys)
                .flat_map(|(row, key)| of_key.get(key).into_iter().flatten().map(move |right| (row, *right)));
            let expected: Vec<(i64, i64)> = expected.collect();
            let left = frame(&left_keys, &values(rows, &mut rng), &exec);
            let right = frame(&right_keys, &values(right_keys.len(), &mut rng), &exec);
            let [left, right] = [&left, &right].map(|columns| JoinSide { columns, keys: &[0], output: &[2] });
            let joined = join_rows(left, right, JoinKind::Inner, NullEquality::Unequal, &exec).unwrap();
            let lefts: Vec<i64> = joined.left.get("row").unwrap().to_vec().unwrap();
            let rights: Vec<i64> = joined.right.unwrap().get("row").unwrap().to_vec().unwrap();
            assert_eq!(lefts.into_iter().zip(rights).collect::<Vec<_>>(), expected, "{what}");
            let semi = join_rows(left, right, JoinKind::Semi, NullEquality::Unequal, &exec).unwrap();
            let expected = (0..).zip(&left_keys).filter(|(_, key)| of_key.contains_key(key));
            let expected: Vec<i64> = expected.map(|(row, _)| row).collect();
            assert_eq!(semi.left.get("row").unwrap().to_vec::<i64>().unwrap(), expected, "{what}");
        }
    }
}

#[test]
fn many_rows_are_filtered_summed_up_and_shifted() {
    for (rows, exec) in runs() {
        let what = format!("{rows} rows on {}", exec.device());
        let mut rng = Rng::new(94);
        let (keys, values) = (Keys::Skewed.of(rows, &mut rng), values(rows, &mut rng));
        let frame = frame(&keys, &values, &exec);
        let kept = filter(&frame, &col("v").gt(1000), &exec).unwrap();
        let expected: Vec<usize> =
            (0..rows).filter(|row| values[*row].is_some_and(|value| value > 1000)).collect();
        let expected_rows: Vec<i64> = expected.iter().map(|row| number(*row)).collect();
        assert_eq!(kept.get("row").unwrap().to_vec::<i64>().unwrap(), expected_rows, "{what}");
        assert_eq!(options(&kept, "v"), column_of(&expected, |row| values[*row]), "{what}");
        let expressions = [
            col("v").cum_sum().alias("sum"),
            col("v").cum_max().alias("max"),
            col("v").shift(-3).alias("shifted"),
            (col("row") * 3).alias("product"),
        ];
        let found = ColumnAccessor::from_columns(evaluate(&expressions, &frame, &exec).unwrap()).unwrap();
        let (mut sum, mut max) = (0, i64::MIN);
        let (sums, greatest) = (options(&found, "sum"), options(&found, "max"));
        let (shifted, products) = (options(&found, "shifted"), options(&found, "product"));
        for row in 0..rows {
            if let Some(value) = values[row] {
                sum += value;
                max = max.max(value);
                assert_eq!((sums[row], greatest[row]), (Some(sum), Some(max)), "row {row}: {what}");
            }
            assert_eq!(shifted[row], values.get(row + 3).copied().flatten(), "row {row}: {what}");
            assert_eq!(products[row], Some(3 * number(row)), "row {row}: {what}");
        }
    }
}

#[test]
fn many_strings_are_gathered_and_changed() {
    for (rows, exec) in runs() {
        let what = format!("{rows} rows on {}", exec.device());
        let mut rng = Rng::new(95);
        // A long one now and then.
        let longest = |rng: &mut Rng| if rng.below(1000) == 0 { 400 } else { 20 };
        let mut texts: Vec<Option<String>> = Vec::with_capacity(rows);
        for _ in 0..rows {
            let longest = longest(&mut rng);
            texts.push((rng.below(9) > 0).then(|| rng.text(longest)));
        }
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_vec_on(Keys::Many.of(rows, &mut rng), &exec).unwrap()),
            ("s", Column::from_options(texts.iter().cloned(), &exec).unwrap()),
        ])
        .unwrap();
        let by = [SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last }];
        let sorted = sort_by(&frame, &by, &exec).unwrap();
        let keys: Vec<i64> = frame.get("k").unwrap().to_vec().unwrap();
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by_key(|row| keys[*row]);
        let expected: Vec<Option<String>> = order.iter().map(|row| texts[*row].clone()).collect();
        assert!(sorted.get("s").unwrap().to_options::<String>().unwrap() == expected, "{what}");
        let upper = evaluate(&[col("s").str().upper().alias("x")], &frame, &exec).unwrap();
        let (_, upper) = &upper[0];
        let expected: Vec<Option<String>> =
            texts.iter().map(|text| text.as_ref().map(|text| text.to_uppercase())).collect();
        assert!(upper.to_options::<String>().unwrap() == expected, "{what}");
    }
}
