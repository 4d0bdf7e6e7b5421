//! Aggregates of expressions, on every device, against sums by hand.

use super::partitions::PartitionedRows;
use super::{GroupOptions, NullKeys, Query, aggregate};
use crate::expression::{Expr, col, len, lit};
use crate::out_of_core::{ChunkPlan, Driver};
use crate::test_frames::{self, KEYS, assert_lines, limited, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_tests::{Nulls, Rng};
use std::collections::HashMap;

fn rows(frame: &ColumnAccessor) -> Vec<String> {
    let host = Exec::host();
    let columns: Vec<Vec<Scalar>> =
        frame.columns().iter().map(|column| column.to_device(&host).unwrap().to_scalars().unwrap()).collect();
    (0..frame.rows())
        .map(|row| columns.iter().map(|column| column[row].to_string()).collect::<Vec<_>>().join(" "))
        .collect()
}

fn frame(exec: &Exec) -> ColumnAccessor {
    let decimal = DType::decimal(15, 2).unwrap();
    let money: Vec<Scalar> =
        [100, 250, -50, 1, 7].map(|value| Scalar::Decimal { value, precision: 15, scale: 2 }).into();
    ColumnAccessor::from_columns([
        ("k", Column::from_options([Some("b"), Some("a"), None, Some("b"), Some("a")], exec).unwrap()),
        ("i", Column::from_options([Some(1i32), None, Some(3), Some(4), None], exec).unwrap()),
        ("f", Column::from_options([Some(0.5f64), Some(1.5), Some(2.5), Some(-0.0), None], exec).unwrap()),
        ("m", Column::from_scalars(&decimal, &money, exec).unwrap()),
    ])
    .unwrap()
}

#[test]
fn groups_come_in_order_of_first_appearance() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = frame(&exec);
        let aggregates = [
            col("i").sum(),
            col("i").min().alias("least"),
            col("i").mean().alias("mean"),
            col("i").count().alias("n"),
            len(),
            col("m").sum(),
            col("m").mean().alias("average"),
            col("m").max().alias("most"),
            (col("f") * 2.0).sum().alias("double"),
        ];
        let run = |filter: Option<&Expr>, keys: &[Expr], null_keys| {
            let result =
                aggregate(&frame, filter, keys, &aggregates, GroupOptions { null_keys }, &exec).unwrap();
            rows(&result)
        };
        assert_eq!(
            run(None, &[col("k")], NullKeys::Drop),
            ["b 5 1 2.5 2 2 1.01 0.505 1.00 1.0", "a 0 <NA> <NA> 0 2 2.57 1.285 2.50 3.0"],
            "{device}"
        );
        assert_eq!(
            run(None, &[col("k")], NullKeys::Group)[2],
            "<NA> 3 3 3.0 1 1 -0.50 -0.5 -0.50 5.0",
            "{device}"
        );
        assert_eq!(
            run(Some(&col("m").gt(1)), &[col("k")], NullKeys::Drop),
            ["a 0 <NA> <NA> 0 1 2.50 2.5 2.50 3.0"],
            "{device}"
        );
        assert_eq!(
            run(None, &[], NullKeys::Drop),
            ["8 1 2.6666666666666665 3 5 3.08 0.616 2.50 9.0"],
            "{device}"
        );
        assert_eq!(
            run(Some(&lit(false)), &[], NullKeys::Drop),
            ["0 <NA> <NA> 0 0 0.00 <NA> <NA> 0.0"],
            "{device}"
        );
        assert!(run(Some(&lit(false)), &[col("k")], NullKeys::Drop).is_empty(), "{device}");
        let keys = aggregate(&frame, None, &[col("k")], &[len()], GroupOptions::default(), &exec).unwrap();
        assert_eq!(keys.labels(), ["k", "len"]);
    }
}

/// Many rows, few and many groups, dense and sparse filters: against maps.
#[test]
fn aggregates_of_many_rows_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let n = if device == Device::Host { 400_000 } else { 3_000 };
        for (groups, share) in [(3u64, 100u64), (3, 2), (700, 50), (n, 60)] {
            let mut rng = Rng::new(groups);
            let keys: Vec<i64> = (0..n).map(|_| i64::try_from(rng.below(groups)).unwrap() - 1).collect();
            let values: Vec<Option<i64>> = (0..n)
                .map(|_| (rng.below(10) > 0).then(|| i64::try_from(rng.next() >> 8).unwrap()))
                .collect();
            let chance: Vec<i32> = (0..n).map(|_| i32::try_from(rng.below(100)).unwrap()).collect();
            let mut expected: HashMap<i64, (usize, i64, i64, i64)> = HashMap::new();
            let mut order = Vec::new();
            for row in 0..keys.len() {
                if chance[row] < i32::try_from(share).unwrap() {
                    let group = expected.entry(keys[row]).or_insert_with(|| {
                        order.push(keys[row]);
                        (row, 0, 0, i64::MIN)
                    });
                    if let Some(value) = values[row] {
                        group.1 = group.1.wrapping_add(value);
                        group.3 = group.3.max(value);
                    }
                    group.2 += 1;
                }
            }
            let frame = ColumnAccessor::from_columns([
                ("k", Column::from_slice(&keys, &exec).unwrap()),
                ("v", Column::from_options(values, &exec).unwrap()),
                ("c", Column::from_slice(&chance, &exec).unwrap()),
            ])
            .unwrap();
            let filter = col("c").lt(i64::try_from(share).unwrap());
            let aggregates = [col("v").sum(), len(), col("v").max().alias("max")];
            let result =
                aggregate(&frame, Some(&filter), &[col("k")], &aggregates, GroupOptions::default(), &exec)
                    .unwrap();
            let lines: Vec<String> = order
                .iter()
                .map(|key| {
                    let (_, sum, count, max) = expected[key];
                    let max = if max == i64::MIN { "<NA>".to_owned() } else { max.to_string() };
                    format!("{key} {sum} {count} {max}")
                })
                .collect();
            assert_eq!(rows(&result), lines, "{groups} groups, {share} % on {device}");
        }
    }
}

#[test]
fn groupby_of_non_aggregate_expression_is_an_error() {
    let exec = Exec::host();
    let frame = frame(&exec);
    let run = |filter: Option<Expr>, keys: &[Expr], aggregates: &[Expr]| {
        aggregate(&frame, filter.as_ref(), keys, aggregates, GroupOptions::default(), &exec).unwrap_err()
    };
    assert!(matches!(run(None, &[], &[col("i")]), Error::InvalidArgument { name: "aggregates", .. }));
    assert!(run(None, &[], &[col("k").sum()]).to_string().contains("utf8"));
    assert!(run(Some(col("i")), &[], &[col("i").sum()]).to_string().contains("int32"));
    assert!(matches!(run(None, &[col("i")], &[col("i").sum()]), Error::DuplicateLabel { .. }));
}

fn query<'a>(
    frame: &'a ColumnAccessor,
    rows_where: Option<&'a Expr>,
    keys: &'a [Expr],
    aggregates: &'a [Expr],
    options: GroupOptions,
) -> Query<'a> {
    Query { frame, rows_where, keys, aggregates, options }
}

/// The groups of chunks of `len` rows, combined within a budget.
fn in_chunks(query: &Query<'_>, len: usize, budget: usize, exec: &Exec) -> Result<ColumnAccessor> {
    Driver::new(exec).with_budget(budget).run_planned(query, query.frame, ChunkPlan::of_len(len))
}

/// Every aggregate whose result does not depend on where rows are cut.
fn exact() -> Vec<Expr> {
    let of =
        |label: &str, what: &str, make: fn(Expr) -> Expr| make(col(label)).alias(format!("{label} {what}"));
    let mut aggregates = vec![len()];
    for label in ["i8", "i64", "u16", "bool", "price"] {
        aggregates.push(of(label, "sum", Expr::sum));
        aggregates.push(of(label, "mean", Expr::mean));
    }
    for label in ["i8", "i64", "day", "price", "bool"] {
        aggregates.push(of(label, "min", Expr::min));
        aggregates.push(of(label, "max", Expr::max));
    }
    // Of zeros of both signs either is the minimum.
    aggregates.push((col("f64") + 0.0).min().alias("f64 min"));
    aggregates.push((col("f64") + 0.0).max().alias("f64 max"));
    for label in KEYS.into_iter().filter(|label| !["text", "word"].contains(label)) {
        aggregates.push(of(label, "count", Expr::count));
    }
    aggregates.push((col("i64") * 3 + col("u16")).sum().alias("expression"));
    aggregates
}

#[test]
fn chunked_aggregation_matches_whole() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(71);
        for (k, label) in KEYS.into_iter().enumerate() {
            let n = [700, 0, 512, 1][k % 4];
            let distinct = [1, 30, 1 << 30][k % 3];
            let frame = test_frames::frame(n, distinct, Nulls::ALL[(k + 2) % 4], &mut rng, &exec);
            let filter = (k % 2 == 0).then(|| col("u16").gt(lit(7)));
            let null_keys = if k % 3 == 0 { NullKeys::Drop } else { NullKeys::Group };
            let options = GroupOptions { null_keys };
            for keys in [vec![], vec![col(label)], vec![col(label).alias("key"), col("i8").is_null()]] {
                let aggregates = exact();
                let whole = aggregate(&frame, filter.as_ref(), &keys, &aggregates, options, &exec).unwrap();
                for (len, budget) in [(512, usize::MAX), (200, 60_000)] {
                    let query = query(&frame, filter.as_ref(), &keys, &aggregates, options);
                    let chunked = in_chunks(&query, len, budget, &exec).unwrap();
                    let what = format!("{n} rows by {label} and {} keys, {len} on {device}", keys.len());
                    assert_eq!(chunked.labels(), whole.labels(), "{what}");
                    assert!(chunked.dtypes().eq(whole.dtypes()), "{what}");
                    assert_lines(&rows(&chunked), &rows(&whole), &what);
                }
            }
        }
    }
}

/// The groups of the partitions of all rows, made within a budget; `None` where a key is not a column.
fn in_partitions(query: &Query<'_>, budget: usize, exec: &Exec) -> Option<ColumnAccessor> {
    let driver = Driver::new(exec).with_budget(budget);
    PartitionedRows::new(query, driver).unwrap().map(|rows| rows.aggregate().unwrap())
}

#[test]
fn partitioned_aggregation_matches_whole() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(74);
        for (k, label) in KEYS.into_iter().enumerate() {
            let n = [700, 1, 513, 0, 1500][k % 5];
            let distinct = [1 << 30, 1, 30][k % 3];
            let frame = test_frames::frame(n, distinct, Nulls::ALL[k % 4], &mut rng, &exec);
            let filter = (k % 2 == 1).then(|| col("u16").gt(lit(7)));
            let null_keys = if k % 3 == 0 { NullKeys::Group } else { NullKeys::Drop };
            let options = GroupOptions { null_keys };
            for keys in [vec![col(label)], vec![col("day").alias("key"), col(label)]] {
                let aggregates = exact();
                let whole = aggregate(&frame, filter.as_ref(), &keys, &aggregates, options, &exec).unwrap();
                for budget in [20_000, 60_000, usize::MAX] {
                    let query = query(&frame, filter.as_ref(), &keys, &aggregates, options);
                    let found = in_partitions(&query, budget, &exec).unwrap();
                    let what = format!("{n} rows by {label} and {} keys, {budget} on {device}", keys.len());
                    assert_eq!(found.labels(), whole.labels(), "{what}");
                    assert!(found.dtypes().eq(whole.dtypes()), "{what}");
                    assert_lines(&rows(&found), &rows(&whole), &what);
                }
            }
            let computed = [col(label).is_null()];
            let query = query(&frame, None, &computed, &[], options);
            assert!(in_partitions(&query, 1, &exec).is_none(), "a key that is not a column");
        }
    }
}

/// Rows of one key do not fit the budget, and no hash divides them.
#[test]
fn partition_of_frequent_key_is_aggregated_in_chunks() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows_count = 40_000_i64;
        let keys: Vec<i64> = (0..rows_count).map(|row| if row % 3 == 0 { row } else { -1 }).collect();
        let values: Vec<i64> = (0..rows_count).map(|row| row * 7 % 1001).collect();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&keys, &exec).unwrap()),
            ("v", Column::from_slice(&values, &exec).unwrap()),
        ])
        .unwrap();
        let options = GroupOptions::default();
        let (keys, aggregates) = ([col("k")], [col("v").sum(), len(), col("v").mean().alias("mean")]);
        let whole = aggregate(&frame, None, &keys, &aggregates, options, &exec).unwrap();
        let (_, tight) = test_frames::limited(&exec, 256 << 10);
        let frame = test_frames::moved(&frame, &tight);
        let query = query(&frame, None, &keys, &aggregates, options);
        let found = PartitionedRows::new(&query, Driver::new(&tight)).unwrap().unwrap().aggregate().unwrap();
        assert_lines(&rows(&found), &rows(&whole), &device.to_string());
    }
}

/// Rows are partitioned if chunks would have about as many groups.
#[test]
fn rows_are_partitioned_if_they_have_many_groups() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let is_partitioned = |key: fn(i64) -> i64, predicate: Option<Expr>| {
            let keys: Vec<i64> = (0..64_000).map(key).collect();
            let frame = ColumnAccessor::from_columns([
                ("k", Column::from_slice(&keys, &exec).unwrap()),
                ("v", Column::from_slice(&keys, &exec).unwrap()),
            ])
            .unwrap();
            let (keys, aggregates) = ([col("k")], [col("v").sum(), col("v").max().alias("max")]);
            let query = query(&frame, predicate.as_ref(), &keys, &aggregates, GroupOptions::default());
            let driver = Driver::new(&exec).with_budget(1 << 20);
            PartitionedRows::of(&query, driver).unwrap().is_some()
        };
        assert!(is_partitioned(|row| row * 31 % 64_000, None), "every key once");
        assert!(is_partitioned(|row| row * 31 % 16_000, None), "each in one chunk of many");
        assert!(!is_partitioned(|row| row % 100, None), "each in every chunk");
        assert!(!is_partitioned(|row| row / 16, None), "sixteen neighbours have one");
        assert!(is_partitioned(|row| row, Some(col("k").lt(lit(32_000)))), "half of the rows take part");
    }
}

#[test]
fn chunked_float_sums_are_close() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(72);
        let n = 3000;
        // Sums of these are exact in any order.
        let values: Vec<f64> =
            (0..n).map(|_| f64::from(u32::try_from(rng.below(1 << 20)).unwrap())).collect();
        let keys: Vec<i32> = (0..n).map(|_| i32::try_from(rng.below(17)).unwrap()).collect();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&keys, &exec).unwrap()),
            ("f", Column::from_slice(&values, &exec).unwrap()),
        ])
        .unwrap();
        let narrow = col("f").cast(DType::Float32);
        let aggregates = [
            col("f").sum(),
            col("f").mean().alias("mean"),
            narrow.clone().sum().alias("narrow sum"),
            narrow.mean().alias("narrow mean"),
        ];
        let options = GroupOptions::default();
        let whole = aggregate(&frame, None, &[col("k")], &aggregates, options, &exec).unwrap();
        let keys = [col("k")];
        let chunked = in_chunks(&query(&frame, None, &keys, &aggregates, options), 512, 2, &exec).unwrap();
        assert!(chunked.dtypes().eq(whole.dtypes()));
        assert_eq!(rows(&chunked), rows(&whole), "{device}");
    }
}

#[test]
fn aggregation_of_many_times_the_budget_stays_within_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(73);
        let frame = test_frames::frame(6_000, 1500, Nulls::Some, &mut rng, &exec);
        let bytes = frame.row_bytes().unwrap();
        for (label, share) in [("i64", 1), ("text", 2), ("price", 4), ("u16", 4), ("bool", 8)] {
            let options = GroupOptions { null_keys: NullKeys::Group };
            let run = |frame: &ColumnAccessor, exec: &Exec| {
                let aggregates = [
                    len(),
                    col("i64").sum().alias("sum"),
                    col("price").mean().alias("mean"),
                    col("day").max().alias("last day"),
                ];
                let filter = col("i8").is_not_null();
                aggregate(frame, Some(&filter), &[col(label)], &aggregates, options, exec).unwrap()
            };
            let expected = rows(&run(&frame, &exec));
            let limit = share_of(bytes, share, device);
            let (manager, tight) = limited(&exec, limit);
            let source = moved(&frame, &tight);
            let (peak, groups) = peak_of(&manager, || run(&source, &tight));
            assert!(peak <= limit, "{peak} of {limit} by {label} on {device}");
            assert_lines(&rows(&groups), &expected, &format!("1/{share} by {label} on {device}"));
        }
    }
}

#[test]
fn chunked_aggregation_refuses_the_same_errors() {
    let exec = Exec::host();
    let frame = frame(&exec);
    let run = |keys: &[Expr], aggregates: &[Expr]| {
        let options = GroupOptions::default();
        let whole = aggregate(&frame, None, keys, aggregates, options, &exec).unwrap_err();
        let query = query(&frame, None, keys, aggregates, options);
        let chunked = in_chunks(&query, 2, usize::MAX, &exec).unwrap_err();
        assert_eq!(chunked.kind(), whole.kind(), "{chunked} for {whole}");
    };
    run(&[], &[col("i")]);
    run(&[], &[col("k").sum()]);
    run(&[col("i")], &[col("i").sum()]);
    run(&[], &[col("i").sum(), col("i").mean()]);
}

/// The exact sum of decimals, in two halves of 19 digits; `None` for more than 38 digits.
fn decimal_sum(values: &[i128]) -> Option<i128> {
    const HALF: i128 = 10_i128.pow(19);
    let high: i128 = values.iter().map(|value| value / HALF).sum();
    let low: i128 = values.iter().map(|value| value % HALF).sum();
    let total = (high + low / HALF).checked_mul(HALF)?.checked_add(low % HALF)?;
    (total.unsigned_abs() < 10_u128.pow(38)).then_some(total)
}

/// Groups whose chunks have sums of 39 digits, while their totals may have less: whole, in chunks and by partitions.
#[test]
#[expect(clippy::cast_precision_loss, reason = "a mean is rounded so")]
fn decimal_sum_overflows_only_where_total_of_group_has_more_than_38_digits() {
    let largest = 10_i128.pow(38) - 1;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (groups, left) in [(1, 0), (1, 2), (7, 0), (7, 1), (7, 2), (700, 0), (700, 2)] {
            let n = 1400;
            // The first half takes every group beyond 38 digits, the second half brings it back; what is left is one group's.
            let up = |row: usize| (row % groups, largest - (row % 13) as i128);
            let rows: Vec<(usize, i128)> = (0..n)
                .map(up)
                .chain((0..n).rev().map(|row| (up(row).0, -up(row).1)))
                .chain((0..left).map(|_| (groups - 1, largest)))
                .collect();
            let keys: Vec<i64> = rows.iter().map(|row| i64::try_from(row.0).unwrap()).collect();
            let values: Vec<i128> = rows.iter().map(|row| row.1).collect();
            let dtype = DType::decimal(38, 3).unwrap();
            let scalar = |&value: &i128| Scalar::Decimal { value, precision: 38, scale: 3 };
            let scalars: Vec<Scalar> = values.iter().map(scalar).collect();
            let decimals = Column::from_scalars(&dtype, &scalars, &exec).unwrap();
            let frame = ColumnAccessor::from_columns([
                ("k", Column::from_slice(&keys, &exec).unwrap()),
                ("d", decimals),
            ])
            .unwrap();
            let of_group = |group: usize| -> Vec<i128> {
                rows.iter().filter(|row| row.0 == group).map(|row| row.1).collect()
            };
            let sums: Option<Vec<i128>> = (0..groups).map(|group| decimal_sum(&of_group(group))).collect();
            assert_eq!(sums.is_none(), left > 1);
            let keys = if groups == 1 { vec![] } else { vec![col("k")] };
            for aggregated in [col("d").sum(), col("d").mean()] {
                let aggregates = [len(), aggregated.clone()];
                let options = GroupOptions::default();
                let query = query(&frame, None, &keys, &aggregates, options);
                let runs = [
                    ("whole", aggregate(&frame, None, &keys, &aggregates, options, &exec)),
                    ("chunks", in_chunks(&query, 300, usize::MAX, &exec)),
                    ("partitions", in_chunks(&query, 300, 20_000, &exec)),
                ];
                for (how, result) in runs {
                    let what = format!("{aggregated}, {groups} groups, {left} left, {how} on {device}");
                    let Some(sums) = &sums else {
                        let overflow = Error::Overflow { dtype: dtype.clone() }.in_expression(&aggregated);
                        assert_eq!(result.unwrap_err(), overflow, "{what}");
                        continue;
                    };
                    let result = result.unwrap_or_else(|error| panic!("{what}: {error}"));
                    let found = result.columns().last().unwrap().to_device(&Exec::host()).unwrap();
                    let expected = sums.iter().enumerate().map(|(group, &value)| {
                        let mean = value as f64 / of_group(group).len() as f64 / 1000.0;
                        let sum = Scalar::Decimal { value, precision: 38, scale: 3 };
                        if found.dtype() == DType::Float64 { Scalar::Float64(mean) } else { sum }
                    });
                    assert_eq!(found.to_scalars().unwrap(), expected.collect::<Vec<_>>(), "{what}");
                }
            }
        }
    }
}
