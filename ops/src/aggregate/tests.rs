//! Aggregates of expressions, on every device, against sums by hand.

use super::{GroupOptions, NullKeys, aggregate};
use crate::expression::{Expr, col, count_rows, lit};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Scalar};
use columnade_tests::Rng;
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
    let decimal = DType::Decimal { precision: 15, scale: 2 };
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
fn groups_in_order_of_first_appearance() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = frame(&exec);
        let aggregates = [
            col("i").sum(),
            col("i").min().alias("least"),
            col("i").mean().alias("mean"),
            col("i").count().alias("n"),
            count_rows(),
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
        let keys =
            aggregate(&frame, None, &[col("k")], &[count_rows()], GroupOptions::default(), &exec).unwrap();
        assert_eq!(keys.labels(), ["k", "len"]);
    }
}

/// Many rows, few and many groups, dense and sparse filters: against maps.
#[test]
fn many_rows_agree_with_maps() {
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
            let aggregates = [col("v").sum(), count_rows(), col("v").max().alias("max")];
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
fn what_is_no_aggregate_is_refused() {
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
