//! Aggregates of columns of the dtype null, on every device, against the rules of pandas for nulls alone.

use crate::expression::{Expr, Interpolation, col, evaluate, lit};
use crate::groupby::{GroupOptions, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Scalar};

/// Aggregates and what they are of nulls alone: the values of `pandas.Series([None] * n)`.
fn cases() -> Vec<(Expr, Scalar)> {
    let x = || col("x");
    let float = || Scalar::Null(DType::Float64);
    vec![
        (x().sum(), Scalar::Int64(0)),
        (x().product(), Scalar::Int64(1)),
        (x().count(), Scalar::Int64(0)),
        (x().nunique(), Scalar::Int64(0)),
        (x().min(), Scalar::Null(DType::Null)),
        (x().max(), Scalar::Null(DType::Null)),
        (x().first(), Scalar::Null(DType::Null)),
        (x().last(), Scalar::Null(DType::Null)),
        (x().nth(0), Scalar::Null(DType::Null)),
        (x().mode(), Scalar::Null(DType::Null)),
        (x().any(), Scalar::Bool(false)),
        (x().all(), Scalar::Bool(true)),
        (x().mean(), float()),
        (x().median(), float()),
        (x().quantile(0.25), float()),
        (x().quantile_with(0.25, Interpolation::Lower), Scalar::Null(DType::Null)),
        (x().var(), float()),
        (x().std(), float()),
        (x().sem(), float()),
        (x().skew(), float()),
        (x().kurt(), float()),
        (x().corr(col("k")), float()),
        (col("k").cov(col("x")), float()),
        (x().arg_min(), Scalar::Null(DType::Int64)),
        (x().arg_max(), Scalar::Null(DType::Int64)),
        (x().filter(col("k").gt(lit(1))).sum(), Scalar::Int64(0)),
        (x().filter(col("k").gt(lit(1))).any(), Scalar::Bool(false)),
        (x().sum() + x().count(), Scalar::Int64(0)),
    ]
}

fn frame(keys: &[i64], exec: &Exec) -> ColumnAccessor {
    let nulls = Column::full_null(&DType::Null, keys.len(), exec).unwrap();
    let keys = Column::from_values(keys.to_vec(), exec).unwrap();
    ColumnAccessor::from_columns([("k", keys), ("x", nulls)]).unwrap()
}

fn check(column: &Column, expected: &Scalar, rows: usize, what: &str) {
    assert_eq!((column.dtype(), column.size()), (expected.dtype(), rows), "{what}");
    for row in 0..rows {
        assert_eq!(column.get(row).unwrap(), *expected, "{what}");
    }
}

#[test]
fn aggregates_of_nulls_alone_are_those_of_no_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for keys in [vec![], vec![7], vec![1, 2, 1], vec![3; 300]] {
            let frame = frame(&keys, &exec);
            let mut distinct = keys.clone();
            distinct.sort_unstable();
            distinct.dedup();
            for (expr, expected) in cases() {
                let what = format!("{expr} of {} rows on {device}", keys.len());
                let options = GroupOptions::default();
                let exprs = [expr.clone().alias("out")];
                let whole = aggregate(&frame, None, &[], &exprs, options, &exec).unwrap();
                check(whole.get("out").unwrap(), &expected, 1, &what);
                let groups = aggregate(&frame, None, &[col("k")], &exprs, options, &exec).unwrap();
                check(groups.get("out").unwrap(), &expected, distinct.len(), &what);
            }
            let over = evaluate(&[col("x").sum().over([col("k")])], &frame, &exec).unwrap();
            check(&over[0].1, &Scalar::Int64(0), keys.len(), "sum over k");
        }
    }
}

#[test]
fn several_quantiles_of_nulls_alone_are_nulls() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for interpolation in [Interpolation::Linear, Interpolation::Lower] {
            let frame = frame(&[2, 1, 2], &exec);
            let of_two = [col("x").quantiles_with([0.5, 1.0], interpolation).alias("out")];
            for (keys, groups) in [(vec![], 1), (vec![col("k")], 2)] {
                let made = aggregate(&frame, None, &keys, &of_two, GroupOptions::default(), &exec).unwrap();
                let lists = made.get("out").unwrap().to_vec::<Vec<Option<f64>>>().unwrap();
                assert_eq!(lists, vec![vec![None, None]; groups], "{device}");
            }
            let refused = [col("x").quantiles_with([1.5], interpolation)];
            assert!(aggregate(&frame, None, &[], &refused, GroupOptions::default(), &exec).is_err());
        }
    }
}
