//! Functions of strings within expressions, filters, group-bys and chunks.

use super::{Expr, col, evaluate, evaluate_mask, lit, when};
use crate::groupby::{GroupOptions, aggregate};
use crate::strings::{JoinNulls, Side};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error};

/// Words, the same as a dictionary, and numbers.
fn rows(exec: &Exec) -> ColumnAccessor {
    let words = [Some(" Tea"), None, Some("oat "), Some("ÉCLAIR"), Some(""), Some("oat ")];
    let words = Column::from_options(words, &Exec::host()).unwrap();
    let kinds = Column::Categorical(CategoricalColumn::encode(&words).unwrap());
    let numbers = Column::from_vec(vec![1_i64, 2, 3, 4, 5, 6]);
    ColumnAccessor::from_columns([
        ("word", words.to_device(exec).unwrap()),
        ("kind", kinds.to_device(exec).unwrap()),
        ("n", numbers.to_device(exec).unwrap()),
    ])
    .unwrap()
}

fn texts(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

fn values(expr: Expr, exec: &Exec) -> Vec<String> {
    texts(&evaluate(&[expr], &rows(exec), exec).unwrap()[0].1)
}

#[test]
fn strings_of_functions_are_operands_of_expressions() {
    let devices = Device::available().into_iter().map(|device| Exec::new(device).unwrap());
    for (exec, name) in devices.flat_map(|exec| ["word", "kind"].map(|name| (exec.clone(), name))) {
        let word = || col(name).str();
        for (expr, expected) in [
            (word().strip().str().lower(), ["tea", "<NA>", "oat", "éclair", "", "oat"]),
            (word().strip().str().len() + col("n"), ["4", "<NA>", "6", "10", "5", "9"]),
            (word().lower().eq(word().upper()), ["false", "<NA>", "false", "false", "true", "false"]),
            (word().strip().str().upper().eq("OAT"), ["false", "<NA>", "true", "false", "false", "true"]),
            (word().lower().lt(col("word")), ["false", "<NA>", "false", "false", "false", "false"]),
            (word().lower().str().contains("e"), ["true", "<NA>", "false", "false", "false", "false"]),
            (word().strip().is_in(["oat", "tea"]), ["false", "<NA>", "true", "false", "false", "true"]),
            (word().lower().is_null(), ["false", "true", "false", "false", "false", "false"]),
            (word().strip().fill_null("none"), ["Tea", "none", "oat", "ÉCLAIR", "", "oat"]),
            (
                when(col("n").gt(3)).then(word().lower()).otherwise("few"),
                ["few", "few", "few", "éclair", "", "oat "],
            ),
            (
                when(word().ends_with(" ")).then(word().rstrip()).otherwise(word().pad(5, Side::Left, '.')),
                [". Tea", "<NA>", "oat", "ÉCLAIR", ".....", "oat"],
            ),
            (
                word().strip().str().concat([lit("-"), col(name)], "", JoinNulls::Ignore),
                ["Tea- Tea", "-", "oat-oat ", "ÉCLAIR-ÉCLAIR", "-", "oat-oat "],
            ),
            (lit("x").alias("c"), ["x"; 6]),
        ] {
            assert_eq!(values(expr.clone(), &exec), expected, "{expr}");
        }
    }
}

#[test]
fn dictionaries_stay_dictionaries_and_strings_stay_strings() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = rows(&exec);
        for name in ["word", "kind"] {
            let sliced = evaluate(&[col(name).str().slice(0, 1)], &rows, &exec).unwrap();
            let column = &sliced[0].1;
            assert_eq!(column.dtype(), rows.get(name).unwrap().dtype());
            assert_eq!(texts(column), [" ", "<NA>", "o", "É", "", "o"], "{name} on {device}");
            assert_eq!(sliced[0].0, *name);
        }
    }
}

#[test]
fn functions_in_filters_keys_and_aggregates_are_those_of_the_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = rows(&exec);
        for name in ["word", "kind"] {
            let mask = evaluate_mask(&col(name).str().slice(0, 1).eq("o"), &rows, &exec).unwrap();
            assert_eq!(
                texts(&mask),
                ["false", "<NA>", "true", "false", "false", "true"],
                "{name} on {device}"
            );
            let first = || col(name).str().slice(0, 1);
            let exprs = [
                first().min().alias("least"),
                first().max().alias("most"),
                first().count().alias("some"),
                col(name).str().len().sum().alias("letters"),
                first().nunique().alias("kinds"),
            ];
            let all = aggregate(&rows, None, &[], &exprs, GroupOptions::default(), &exec).unwrap();
            let found: Vec<_> = all.columns().iter().flat_map(texts).collect();
            assert_eq!(found, ["", "É", "5", "18", "4"], "{name} on {device}");
            let by = aggregate(
                &rows,
                Some(&first().ne("")),
                &[first().alias("first")],
                &[col("n").sum(), col(name).str().len().max().alias("longest")],
                GroupOptions::default(),
                &exec,
            )
            .unwrap();
            assert_eq!(texts(by.get("first").unwrap()), [" ", "o", "É"], "{name} on {device}");
            assert_eq!(texts(by.get("n").unwrap()), ["1", "9", "4"], "{name} on {device}");
            assert_eq!(texts(by.get("longest").unwrap()), ["4", "4", "6"], "{name} on {device}");
        }
    }
}

#[test]
fn other_dtypes_and_devices_are_errors_of_the_expression() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = rows(&exec);
        let error = evaluate(&[col("n").str().lower() + 1], &rows, &exec).unwrap_err();
        let expected = Error::UnsupportedDType { dtype: DType::Int64 };
        assert_eq!(error, expected.in_expression("n.str().lower()"));
        if device != Device::Host {
            let error = evaluate(&[col("word").str().extract("(a)", 1)], &rows, &exec).unwrap_err();
            assert_eq!(
                error.to_string(),
                "expression word.str().extract(\"(a)\", 1): str.extract of a group on this device is not implemented"
            );
        }
    }
    let text = col("a").str().pad(5, Side::Both, '*').str().replace_n("a", "b", 2).str().slice(1, None);
    assert_eq!(
        text.to_string(),
        "a.str().pad(5, both, '*').str().replace(\"a\", \"b\", 2).str().slice(1, ..)"
    );
    let joined = col("a").str().concat([col("b"), lit("c")], "-", JoinNulls::Ignore);
    assert_eq!(joined.to_string(), "a.str().concat(b, \"c\", \"-\", ignore nulls)");
}
