//! Products, several quantiles, conditions on single aggregates and null keys of windows, on every device.

use super::{GroupOptions, NullKeys, aggregate};
use crate::expression::{Expr, Interpolation, col, evaluate, len, lit, row_number};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Scalar};
use columnade_tests::{Nulls, Rng};

fn strings(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

fn by(frame: &ColumnAccessor, keys: &[Expr], expr: Expr, exec: &Exec) -> String {
    let found = aggregate(frame, None, keys, &[expr.alias("r")], GroupOptions::default(), exec).unwrap();
    let found = found.get("r").unwrap();
    format!("{}: {}", found.dtype(), strings(found).join(" "))
}

/// Random rows of three groups, against products and conditional aggregates row by row.
#[test]
fn products_and_conditional_aggregates_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] = if device == Device::Host { &[0, 1, 31, 33, 64, 65, 700] } else { &[0, 70] };
        for (i, &n) in sizes.iter().enumerate() {
            let mut rng = Rng::new(n as u64 + 5);
            let valid = Nulls::ALL[i % 4].mask(n + 3, &mut rng);
            let x: Vec<Option<i64>> = (0..n + 3)
                .map(|row| {
                    let value = i64::try_from(rng.below(7)).unwrap() - 3;
                    valid.as_ref().is_none_or(|valid| valid[row]).then_some(value)
                })
                .collect();
            let y: Vec<i64> = (0..n + 3).map(|_| i64::try_from(rng.below(5)).unwrap()).collect();
            let keys: Vec<i64> = (0..n + 3).map(|_| i64::try_from(rng.below(3)).unwrap()).collect();
            let frame = ColumnAccessor::from_columns([
                ("k", Column::from_slice(&keys, &exec).unwrap()),
                ("x", Column::from_options(x.clone(), &exec).unwrap()),
                ("y", Column::from_slice(&y, &exec).unwrap()),
            ])
            .unwrap();
            let frame = frame.slice(3, n).unwrap();
            let (x, y, keys) = (&x[3..], &y[3..], &keys[3..]);
            let mut order: Vec<i64> = Vec::new();
            for key in keys {
                if !order.contains(key) {
                    order.push(*key);
                }
            }
            let rows = |key: i64, kept: bool| -> Vec<usize> {
                (0..n).filter(|&row| keys[row] == key && (!kept || y[row] < 2)).collect()
            };
            let of = |reference: &dyn Fn(&[usize]) -> String, kept: bool| -> Vec<String> {
                order.iter().map(|key| reference(&rows(*key, kept))).collect()
            };
            let few = || col("y").lt(2);
            let values = |rows: &[usize]| -> Vec<i64> { rows.iter().filter_map(|&row| x[row]).collect() };
            let product =
                |rows: &[usize]| values(rows).iter().fold(1_i64, |a, b| a.wrapping_mul(*b)).to_string();
            let sum = |rows: &[usize]| values(rows).iter().sum::<i64>().to_string();
            let null = || "<NA>".to_owned();
            let max = |rows: &[usize]| values(rows).iter().max().map_or_else(null, ToString::to_string);
            let all = |rows: &[usize]| {
                let shown = |row: &usize| x[*row].map_or_else(null, |value| value.to_string());
                format!("[{}]", rows.iter().map(shown).collect::<Vec<_>>().join(", "))
            };
            let size = |rows: &[usize]| rows.len().to_string();
            let at_least_three = |rows: &[usize]| if values(rows).len() < 3 { null() } else { sum(rows) };
            let last = |rows: &[usize]| values(rows).last().map_or_else(null, ToString::to_string);
            let x = || col("x");
            let cases: Vec<(Expr, Vec<String>)> = vec![
                (x().product(), of(&product, false)),
                (x().product().filter(few()), of(&product, true)),
                (x().sum().filter(few()), of(&sum, true)),
                (x().filter(few()).sum(), of(&sum, true)),
                (x().filter(col("y").lt(4)).sum().filter(few()), of(&sum, true)),
                (x().max().filter(few()), of(&max, true)),
                (x().last().filter(few()), of(&last, true)),
                (x().collect().filter(few()), of(&all, true)),
                (x().filter(few()).collect(), of(&all, true)),
                (len().filter(few()), of(&size, true)),
                (x().sum_min_count(3), of(&at_least_three, false)),
                (x().sum_min_count(3).filter(few()), of(&at_least_three, true)),
            ];
            for (expr, expected) in cases {
                let context = format!("{expr} of {n} rows, {device}");
                let found = aggregate(
                    &frame,
                    None,
                    &[col("k")],
                    &[expr.clone().alias("r")],
                    GroupOptions::default(),
                    &exec,
                );
                let found = found.unwrap_or_else(|error| panic!("{context}: {error}"));
                assert_eq!(strings(found.get("r").unwrap()), expected, "{context}");
                // Each row has the value of its group.
                let each = evaluate(&[expr.over("k")], &frame, &exec).unwrap().swap_remove(0).1;
                let of_rows = keys.iter().map(|key| &expected[order.iter().position(|o| o == key).unwrap()]);
                assert_eq!(strings(&each), of_rows.cloned().collect::<Vec<_>>(), "{context}, over");
            }
        }
    }
}

#[test]
fn products_and_quantiles_of_dtypes_are_those_of_pandas_and_polars() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let integers = DType::decimal(5, 0).unwrap();
        let decimal = |value| Scalar::Decimal { value, precision: 5, scale: 0 };
        let decimals = [decimal(20), decimal(-3), Scalar::Null(integers.clone())];
        let frame = ColumnAccessor::from_columns([
            ("small", Column::from_options([Some(100_i8), Some(100), Some(-3)], &exec).unwrap()),
            ("large", Column::from_slice(&[u64::MAX, 2, 1], &exec).unwrap()),
            ("single", Column::from_slice(&[0.5_f32, 1.5, -2.0], &exec).unwrap()),
            ("flag", Column::from_options([Some(true), None, Some(false)], &exec).unwrap()),
            ("decimal", Column::from_scalars(&integers, &decimals, &exec).unwrap()),
            ("word", Column::from_options([Some("b"), None, Some("ß")], &exec).unwrap()),
            ("none", Column::from_options([None::<f64>, None, None], &exec).unwrap()),
        ])
        .unwrap();
        let run = |expr| by(&frame, &[], expr, &exec);
        assert_eq!(run(col("small").product()), "int64: -30000", "{device}");
        assert_eq!(run(col("large").product()), "uint64: 18446744073709551614", "{device}");
        assert_eq!(run(col("single").product()), "float32: -1.5", "{device}");
        assert_eq!(run(col("flag").product()), "int64: 0", "{device}");
        assert_eq!(run(col("decimal").product()), "decimal(38,0): -60", "{device}");
        assert_eq!(run(col("none").product()), "float64: 1.0", "{device}");
        assert_eq!(run(col("none").product_min_count(1)), "float64: <NA>", "{device}");
        assert_eq!(run(col("none").sum_min_count(0)), "float64: 0.0", "{device}");
        // pandas: Series([100, 100, -3]).quantile([.1, .5, 1]).
        let quantiles = col("small").quantiles([0.25, 0.5, 1.0]);
        assert_eq!(run(quantiles), "list<float64>: [48.5, 100.0, 100.0]", "{device}");
        let words = col("word").quantiles_with([1.0, 0.0], Interpolation::Lower);
        assert_eq!(run(words), "list<utf8>: [ß, b]", "{device}");
        assert_eq!(run(col("none").quantiles([0.5, 0.1])), "list<float64>: [<NA>, <NA>]", "{device}");
        assert_eq!(run(col("small").quantiles([])), "list<float64>: []", "{device}");
        let by_flag = by(&frame, &[col("small").gt(0)], col("single").quantiles([0.0, 0.5]), &exec);
        assert_eq!(by_flag, "list<float64>: [0.5, 1.0] [-2.0, -2.0]", "{device}");
        // Conditions of dtypes that no register holds.
        assert_eq!(run(col("word").max().filter(col("small").gt(0))), "utf8: b", "{device}");
        assert_eq!(run(col("word").count().filter(col("small").lt(0))), "int64: 1", "{device}");
        let ratio = (col("small").sum() / len()).filter(col("small").gt(0));
        assert_eq!(run(ratio), "float64: 100.0", "{device}");
    }
}

#[test]
fn null_keys_of_windows_form_groups_if_they_are_kept() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_options([Some("a"), None, Some("a"), None], &exec).unwrap()),
            ("n", Column::from_slice(&[1_i64, 2, 4, 8], &exec).unwrap()),
        ])
        .unwrap();
        let run = |expr: Expr| strings(&evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1);
        let kept = GroupOptions { null_keys: NullKeys::Group };
        assert_eq!(run(col("n").sum().over("k")), ["5", "<NA>", "5", "<NA>"], "{device}");
        assert_eq!(run(col("n").sum().over_with("k", kept)), ["5", "10", "5", "10"], "{device}");
        assert_eq!(run(col("n").cum_sum().over_with(["k"], kept)), ["1", "2", "5", "10"], "{device}");
    }
}

#[test]
fn aggregates_that_make_no_sense_are_typed_errors() {
    let exec = Exec::host();
    let most = Scalar::Decimal { value: 10_i128.pow(20), precision: 38, scale: 0 };
    let money = Scalar::Decimal { value: 150, precision: 5, scale: 2 };
    let frame = ColumnAccessor::from_columns([
        ("s", Column::from_values(["a", "b"], &exec).unwrap()),
        ("n", Column::from_slice(&[1_i64, 2], &exec).unwrap()),
        ("most", Column::from_scalar(&most, 2, &exec).unwrap()),
        ("money", Column::from_scalar(&money, 2, &exec).unwrap()),
    ])
    .unwrap();
    let error =
        |expr: Expr| aggregate(&frame, None, &[], &[expr], GroupOptions::default(), &exec).unwrap_err();
    let overflow = error(col("most").product());
    assert_eq!(overflow.kind(), ErrorKind::Overflow);
    assert!(overflow.to_string().contains("most.product()"), "{overflow}");
    for (expr, parts) in [
        (col("s").product(), ["s.product()", "utf8"]),
        (col("n").quantiles([0.5, 1.5]), ["between 0 and 1", "1.5"]),
        (col("s").quantiles([0.5]), ["s.quantiles([0.5])", "utf8"]),
        (col("n").sum().filter(col("n") + 1), ["(n + 1)", "int64"]),
        (col("s").max().filter(col("n") + 1), ["(n + 1)", "int64"]),
        (col("n").filter(lit(true)), ["no aggregate", "n.filter(true)"]),
    ] {
        let text = error(expr).to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
    let outside = evaluate(&[col("n").filter(col("n").gt(1))], &frame, &exec).unwrap_err().to_string();
    assert!(outside.contains("n.filter((n > 1))"), "{outside}");
}

/// Rows that a condition drops stay dropped, whatever is made of the values before they are aggregated.
#[test]
fn condition_below_functions_of_nulls_drops_rows_on_every_path() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&[1_i64, 1, 1], &exec).unwrap()),
            ("x", Column::from_options([Some(1_i64), None, Some(3)], &exec).unwrap()),
            ("c", Column::from_values([true, true, false], &exec).unwrap()),
        ])
        .unwrap();
        let kept = || col("x").filter(col("c"));
        let aggregates = [
            (kept().fill_null(5).sum(), "6"),
            (kept().is_null().sum(), "1"),
            (crate::expression::when(kept().gt(0)).then(lit(7)).otherwise(1).sum(), "8"),
        ];
        for (expr, expected) in aggregates {
            assert_eq!(by(&frame, &[col("k")], expr.clone(), &exec), format!("int64: {expected}"), "{expr}");
            let over = evaluate(&[expr.clone().over("k")], &frame, &exec).unwrap();
            assert_eq!(strings(&over[0].1), [expected; 3], "{expr} over k");
            let both = [expr.clone().alias("r"), col("x").median().alias("m")];
            let found = aggregate(&frame, None, &[col("k")], &both, GroupOptions::default(), &exec).unwrap();
            assert_eq!(strings(found.get("r").unwrap()), [expected], "{expr} beside a median");
        }
    }
}

#[test]
fn constants_are_values_of_each_group() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&[1_i64, 1, 2], &exec).unwrap()),
            ("x", Column::from_slice(&[1_i64, 2, 3], &exec).unwrap()),
        ])
        .unwrap();
        let constants = [lit(7).alias("n"), lit("a").alias("s"), (lit(1.5) + 1).alias("f")];
        let of = |keys: &[Expr], aggregates: &[Expr], frame: &ColumnAccessor| {
            let found = aggregate(frame, None, keys, aggregates, GroupOptions::default(), &exec).unwrap();
            found
                .iter()
                .map(|(label, column)| format!("{label} {}", strings(column).join(" ")))
                .collect::<Vec<_>>()
        };
        let expected = ["k 1 2", "n 7 7", "s a a", "f 2.5 2.5"];
        assert_eq!(of(&[col("k")], &constants, &frame), expected, "{device}");
        let none = frame.slice(0, 0).unwrap();
        assert_eq!(of(&[col("k")], &constants, &none), ["k ", "n ", "s ", "f "], "{device}");
        for rows in [&none, &frame] {
            assert_eq!(of(&[], &constants, rows), ["n 7", "s a", "f 2.5"], "{device}");
        }
        let [n, ..] = constants;
        for sum in [col("x").sum(), col("x").median()] {
            let found = of(&[col("k")], &[n.clone(), sum.alias("r")], &frame);
            assert_eq!(found[1], "n 7 7", "{device}");
        }
        // Row numbers differ within a group.
        let error = aggregate(&frame, None, &[col("k")], &[row_number()], GroupOptions::default(), &exec);
        assert!(error.unwrap_err().to_string().contains("is no aggregate"), "{device}");
    }
}

/// Of columns without nulls too, whatever their dtype: a group of which no row counts has no extreme.
#[test]
fn extremes_of_groups_without_rows_are_null() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (rows, numbers) = (70_usize, 0..70_i32);
        // Group 1 has no row that counts, and group 2 has all.
        let keys: Vec<i32> = numbers.clone().map(|row| row % 3).collect();
        let counts = (0..rows).map(|row| row % 3 == 2 || (row % 3 == 0 && row > 3));
        let words: Vec<String> = (0..rows).map(|row| format!("é{row:02}")).collect();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&keys, &exec).unwrap()),
            ("c", Column::from_values(counts.collect::<Vec<_>>(), &exec).unwrap()),
            ("s", Column::from_values(words.iter().map(String::as_str), &exec).unwrap()),
            ("b", Column::from_values(words.iter().map(String::as_bytes), &exec).unwrap()),
            ("n", Column::from_slice(&numbers.clone().collect::<Vec<_>>(), &exec).unwrap()),
            ("f", Column::from_slice(&numbers.map(f64::from).collect::<Vec<_>>(), &exec).unwrap()),
        ])
        .unwrap();
        for (label, ends) in [
            ("s", ["é06 <NA> é02", "é69 <NA> é68"]),
            ("n", ["6 <NA> 2", "69 <NA> 68"]),
            ("f", ["6.0 <NA> 2.0", "69.0 <NA> 68.0"]),
        ] {
            for (aggregate, expected) in [col(label).min(), col(label).max()].into_iter().zip(ends) {
                let aggregate = aggregate.filter(col("c"));
                let found = aggregate_of(&frame, &aggregate, &exec);
                assert_eq!(found, expected, "{device}: {aggregate}");
                let over = aggregate.clone().over("k");
                let found = evaluate(std::slice::from_ref(&over), &frame, &exec).unwrap();
                let expected: Vec<&str> = expected.split(' ').collect();
                let of_rows: Vec<&str> = (0..rows).map(|row| expected[row % 3]).collect();
                assert_eq!(strings(&found[0].1), of_rows, "{device}: {over}");
            }
        }
        let nulls = evaluate(&[col("b").min().filter(col("c")).over("k").is_null()], &frame, &exec).unwrap();
        let of_rows: Vec<String> = (0..rows).map(|row| (row % 3 == 1).to_string()).collect();
        assert_eq!(strings(&nulls[0].1), of_rows, "{device}");
    }
}

/// The aggregate of each group by `k`, in the order of the keys, as text.
fn aggregate_of(frame: &ColumnAccessor, of: &Expr, exec: &Exec) -> String {
    let by =
        aggregate(frame, None, &[col("k")], &[of.clone().alias("x")], GroupOptions::default(), exec).unwrap();
    strings(by.get("x").unwrap()).join(" ")
}

#[test]
fn position_under_condition_is_that_in_the_frame() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&[1_i64, 1, 1], &exec).unwrap()),
            ("x", Column::from_slice(&[9_i64, 1, 5], &exec).unwrap()),
            ("c", Column::from_values([false, true, true], &exec).unwrap()),
        ])
        .unwrap();
        let position = || col("x").arg_min().filter(col("c"));
        assert!(by(&frame, &[col("k")], position(), &exec).ends_with(": 1"), "{device}");
        for expr in [position(), position().over("k")] {
            let found = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap();
            assert_eq!(strings(&found[0].1), ["1"; 3], "{device}: {expr}");
        }
    }
}

#[test]
fn position_beside_windows_of_filtered_rows_is_that_in_the_frame() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&[1_i64, 1, 2, 1, 2], &exec).unwrap()),
            ("x", Column::from_slice(&[0_i64, 7, 9, 5, 8], &exec).unwrap()),
        ])
        .unwrap();
        let windowed = (col("x") - col("x").mean()).sum().alias("s");
        let position = [col("x").arg_min().alias("p"), (col("x").arg_max() + 0).alias("q"), windowed];
        let options = GroupOptions::default();
        // Of rows 1, 2, 3 and 4, where the filter is a comparison, and where it is a row function.
        for predicate in [col("x").gt(0), col("x").gt(col("x").min())] {
            for asked in [&position[..], &position[..2]] {
                let found = aggregate(&frame, Some(&predicate), &[col("k")], asked, options, &exec).unwrap();
                let what = format!("{predicate}, {} aggregates on {device}", asked.len());
                assert_eq!(strings(found.get("p").unwrap()), ["3", "4"], "{what}");
                assert_eq!(strings(found.get("q").unwrap()), ["1", "2"], "{what}");
            }
        }
    }
}
