//! Aggregates of all rows in passes over chunks, against those of all rows at a time.

use super::{GroupOptions, aggregate};
use crate::expression::{Expr, Interpolation, col, len, lit};
use crate::test_frames::{self, limited, moved, peak_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{ColumnAccessor, DType, Scalar};
use columnade_tests::{Nulls, Rng};

/// Statistics of every way that an aggregate is made of chunks.
fn aggregates() -> Vec<Expr> {
    let mut exprs = vec![len().alias("len")];
    for label in ["i8", "i64", "f64", "price", "u16"] {
        let x = || col(label);
        exprs.extend([
            x().var().alias(format!("{label} var")),
            x().std_ddof(0).alias(format!("{label} std")),
            x().sem().alias(format!("{label} sem")),
            x().skew().alias(format!("{label} skew")),
            x().kurt().alias(format!("{label} kurt")),
            x().sum().alias(format!("{label} sum")),
            x().median().alias(format!("{label} median")),
            x().quantile(0.3).alias(format!("{label} quantile")),
            x().quantile_with(0.77, Interpolation::Nearest).alias(format!("{label} nearest")),
            x().quantile_with(0.77, Interpolation::Higher).alias(format!("{label} higher")),
        ]);
    }
    for label in ["i8", "i64", "f64", "price", "u16", "text", "day", "bool"] {
        let x = || col(label);
        exprs.extend([
            x().arg_min().alias(format!("{label} arg_min")),
            x().arg_max().alias(format!("{label} arg_max")),
            x().nunique().alias(format!("{label} nunique")),
            x().mode().alias(format!("{label} mode")),
            x().first().alias(format!("{label} first")),
            x().last().alias(format!("{label} last")),
            x().min().alias(format!("{label} min")),
            x().max().alias(format!("{label} max")),
            x().count().alias(format!("{label} count")),
        ]);
    }
    exprs.extend([
        col("bool").any().alias("any"),
        col("bool").all().alias("all"),
        col("i8").cov(col("price").cast(DType::Float64)).alias("cov"),
        col("price").cast(DType::Float64).corr(col("u16")).alias("corr"),
        (col("u16") * 0.0 + 0.1).corr(col("u16")).alias("constant"),
        col("i64").top_k(3).alias("top"),
        col("i8").nth(5).alias("nth"),
        (col("price").cast(DType::Float64) * 2.0).std().alias("expression"),
        (col("price").std() / col("price").mean()).alias("of both"),
        // Rows that a condition keeps.
        col("i64").filter(col("u16").gt(lit(9))).std().alias("std where"),
        col("text").filter(col("u16").gt(lit(9))).arg_max().alias("arg where"),
        col("text").filter(col("u16").gt(lit(9))).nunique().alias("nunique where"),
        col("text").filter(col("u16").gt(lit(9))).first().alias("first where"),
        col("i8").filter(col("u16").gt(lit(9))).median().alias("median where"),
    ]);
    exprs
}

fn assert_alike(found: &ColumnAccessor, expected: &ColumnAccessor, what: &str) {
    assert_eq!(found.labels(), expected.labels(), "{what}");
    for (label, column) in expected.iter() {
        let other = found.get(label).unwrap();
        assert_eq!(other.dtype(), column.dtype(), "{label}, {what}");
        assert_eq!(other.size(), column.size(), "{label}, {what}");
        for row in 0..column.size() {
            match (other.get(row).unwrap(), column.get(row).unwrap()) {
                // Sums of the chunks, whose last bits differ.
                (Scalar::Float64(a), Scalar::Float64(b)) => {
                    let scale = a.abs().max(b.abs()).clamp(1e-300, f64::MAX);
                    let is_near = a.to_bits() == b.to_bits()
                        || a.is_nan() && b.is_nan()
                        || (a - b).abs() / scale < 1e-9;
                    assert!(is_near, "{a}, expected {b}: {label}, {what}");
                }
                (found, expected) => assert_eq!(found, expected, "{label}, {what}"),
            }
        }
    }
}

#[test]
fn aggregates_of_rows_that_exceed_the_budget_match_whole() {
    let mut rng = Rng::new(3);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let cases = [
            (20_000, Nulls::NoMask, None, 3),
            (9_001, Nulls::Some, Some(col("i8").gt(lit(3))), 4),
            (2_500, Nulls::All, None, 2),
        ];
        // Kernels of a device take longer, and are combined alike.
        let cases = if device == Device::Host { &cases[..] } else { &cases[1..2] };
        for (n, nulls, predicate, share) in cases {
            let rows = test_frames::frame(n + 9, 50, *nulls, &mut rng, &exec).slice(7, *n).unwrap();
            let options = GroupOptions::default();
            let what = format!("{n} rows, {nulls:?}, where {predicate:?}, 1/{share} on {device}");
            let aggregates = aggregates();
            let expected = aggregate(&rows, predicate.as_ref(), &[], &aggregates, options, &exec);
            let expected = expected.unwrap_or_else(|error| panic!("{error}, {what}"));
            let (_, tight) = limited(&exec, rows.row_bytes().unwrap() / share);
            let source = moved(&rows, &tight);
            let found = aggregate(&source, predicate.as_ref(), &[], &aggregates, options, &tight);
            let found = found.unwrap_or_else(|error| panic!("{error}, {what}"));
            assert_alike(&found, &expected, &what);
        }
    }
}

/// Each of these takes a part of the rows at a time.
#[test]
fn statistics_of_all_rows_keep_the_limit() {
    let exec = Exec::host();
    let mut rng = Rng::new(4);
    let rows = test_frames::frame(60_000, 1000, Nulls::Some, &mut rng, &exec);
    let options = GroupOptions::default();
    for expr in [
        col("f64").std(),
        col("price").cast(DType::Float64).corr(col("i64")),
        col("text").arg_max(),
        col("f64").median(),
        col("i64").nunique(),
        col("text").first(),
    ] {
        let limit = rows.row_bytes().unwrap() / 3;
        let (manager, tight) = limited(&exec, limit);
        let source = moved(&rows, &tight);
        let aggregates = [expr.clone().alias("x"), len().alias("n")];
        let (peak, found) =
            peak_of(&manager, || aggregate(&source, None, &[], &aggregates, options, &tight).unwrap());
        assert_eq!(found.get("n").unwrap().get(0).unwrap(), Scalar::Int64(60_000));
        assert!(peak <= limit, "{peak} of {limit}: {expr}");
    }
}
