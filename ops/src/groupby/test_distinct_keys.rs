//! Keys of which each row is a group, on every device.

use super::{GroupOptions, NullKeys, aggregate};
use crate::distinct::{Keep, unique};
use crate::expression::{Expr, col, len};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, NumericColumn, Scalar};
use columnade_tests::Rng;

/// Rows with distinct keys of several dtypes in any order, three rows before them not among them.
fn frame(n: usize, exec: &Exec) -> ColumnAccessor {
    let mut rng = Rng::new(n as u64 + 9);
    let mut numbers: Vec<i64> = (0..n + 3).map(|row| i64::try_from(row).unwrap() * 7 - 900).collect();
    for row in (1..numbers.len()).rev() {
        numbers.swap(row, usize::try_from(rng.below(row as u64 + 1)).unwrap());
    }
    let texts: Vec<Option<String>> =
        numbers.iter().map(|number| (*number != -900).then(|| format!("schlüssel {number}"))).collect();
    let x: Vec<f64> = (0..n + 3).map(|_| rng.unit()).collect();
    let frame = ColumnAccessor::from_columns([
        ("n", Column::from_slice(&numbers, exec).unwrap()),
        ("s", Column::from_options(texts, exec).unwrap()),
        ("x", Column::from_slice(&x, exec).unwrap()),
    ])
    .unwrap();
    frame.slice(3, n).unwrap()
}

fn values(column: &Column) -> Vec<Scalar> {
    column.to_scalars().unwrap()
}

#[test]
fn keys_of_distinct_rows_are_those_of_the_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in [0, 1, 31, 33, 64, 65, 5000] {
            let frame = frame(n, &exec);
            let options = GroupOptions { null_keys: NullKeys::Group };
            for keys in [&["n"][..], &["s"], &["s", "n"]] {
                let by: Vec<Expr> = keys.iter().map(|key| col(*key)).collect();
                for aggregates in [[col("x").sum(), len()], [col("x").median(), len()]] {
                    let aggregates = aggregates.map(|aggregate| aggregate.alias("r"));
                    for (at, aggregate_of) in aggregates.iter().enumerate() {
                        let one = std::slice::from_ref(aggregate_of);
                        let found = aggregate(&frame, None, &by, one, options, &exec).unwrap();
                        let what = format!("{n} rows by {keys:?} on {device}: {aggregate_of}");
                        for key in keys {
                            assert_eq!(
                                values(found.get(*key).unwrap()),
                                values(frame.get(*key).unwrap()),
                                "{what}"
                            );
                        }
                        let expected = if at == 0 {
                            values(frame.get("x").unwrap())
                        } else {
                            vec![Scalar::from(1_i64); n]
                        };
                        assert_eq!(values(found.get("r").unwrap()), expected, "{what}");
                    }
                }
                // Of the rows that a condition keeps, and without the null key.
                let x: Vec<Option<f64>> = frame.get("x").unwrap().to_options().unwrap();
                let of_keys: Vec<_> = keys.iter().map(|key| values(frame.get(*key).unwrap())).collect();
                let kept = col("x").gt(0.5);
                for null_keys in [NullKeys::Group, NullKeys::Drop] {
                    let options = GroupOptions { null_keys };
                    let one = [col("x").sum().alias("r")];
                    let found = aggregate(&frame, Some(&kept), &by, &one, options, &exec).unwrap();
                    let is_null = |row: &usize| {
                        null_keys == NullKeys::Drop
                            && of_keys.iter().any(|of| matches!(of[*row], Scalar::Null(_)))
                    };
                    let rows: Vec<usize> =
                        (0..n).filter(|&row| x[row].unwrap() > 0.5).filter(|row| !is_null(row)).collect();
                    let what = format!("{n} rows by {keys:?} on {device}, {null_keys:?}");
                    for key in keys.iter().copied().chain(["r"]) {
                        let source = values(frame.get(if key == "r" { "x" } else { key }).unwrap());
                        let expected: Vec<Scalar> = rows.iter().map(|&row| source[row].clone()).collect();
                        assert_eq!(values(found.get(key).unwrap()), expected, "{what}: {key}");
                    }
                }
                let distinct = unique(&frame, keys.iter().copied(), Keep::First, &exec).unwrap();
                assert_eq!(distinct.rows(), n, "{device}");
                for (found, source) in distinct.columns().iter().zip(frame.columns()) {
                    assert_eq!(values(found), values(source), "{n} by {keys:?} on {device}");
                }
            }
        }
    }
}

/// Keys are shared, unless another library may write to them.
#[test]
fn keys_of_distinct_rows_are_shared_until_memory_is_exposed() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = frame(5000, &exec);
        let by = [col("n")];
        let run = |frame: &ColumnAccessor, expr: Expr| {
            aggregate(frame, None, &by, &[expr.alias("r")], GroupOptions::default(), &exec).unwrap()
        };
        let shares = |frame: &ColumnAccessor, made: &ColumnAccessor| {
            made.get("n").unwrap().shares_memory(frame.get("n").unwrap())
        };
        for expr in [col("x").sum(), col("x").median()] {
            assert!(shares(&frame, &run(&frame, expr.clone())), "{expr} on {device}");
        }
        assert!(shares(&frame, &unique(&frame, ["n"], Keep::First, &exec).unwrap()), "{device}");
        let mut data = Buffer::from_slice(&(0..5000).rev().collect::<Vec<i64>>(), &exec).unwrap();
        data.expose(&exec).unwrap();
        let numbers = NumericColumn::new(DType::Int64, data, None, 0, 5000).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("n", Column::Numeric(numbers)),
            ("x", Column::clone(frame.get("x").unwrap())),
        ])
        .unwrap();
        for expr in [col("x").sum(), col("x").median()] {
            assert!(!shares(&frame, &run(&frame, expr.clone())), "{expr} on {device}");
        }
        assert!(!shares(&frame, &unique(&frame, ["n"], Keep::First, &exec).unwrap()), "{device}");
    }
}
