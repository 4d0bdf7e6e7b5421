//! Membership in the values of a column, on every device.

use super::{Expr, Literal, col, evaluate, lit};
use crate::filter::filter;
use crate::groupby::{GroupOptions, aggregate};
use crate::test_frames::{KEYS, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Scalar};
use columnade_tests::{Nulls, Rng};

/// The values of an expression, as text.
fn texts(expr: &Expr, rows: &ColumnAccessor, exec: &Exec) -> Vec<String> {
    let (_, column) = evaluate(std::slice::from_ref(expr), rows, exec).unwrap().swap_remove(0);
    let column = column.to_device(&Exec::host()).unwrap();
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

/// The valid values of a column as text, which is equal for equal values: of zeros it knows one.
fn values(column: &Column) -> Vec<Option<String>> {
    let scalars = column.to_device(&Exec::host()).unwrap().to_scalars().unwrap();
    let text = |scalar: &Scalar| match scalar {
        Scalar::Null(_) => None,
        Scalar::Float64(0.0) => Some("0".to_owned()),
        other => Some(other.to_string()),
    };
    scalars.iter().map(text).collect()
}

#[test]
fn is_in_of_column_of_every_dtype_and_null_pattern_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(47);
        for (i, key) in KEYS.into_iter().enumerate() {
            for (j, (n, m)) in [(0, 5), (1, 0), (33, 64), (65, 31), (700, 200)].into_iter().enumerate() {
                let rows = frame(n, 40, Nulls::ALL[(i + j) % 4], &mut rng, &exec);
                let others = frame(m, 60, Nulls::ALL[(i + 2 * j) % 4], &mut rng, &exec);
                let among = others.get(key).unwrap();
                let known: Vec<String> = values(among).into_iter().flatten().collect();
                let expected = values(rows.get(key).unwrap()).into_iter().map(|value| match value {
                    None => "<NA>".to_owned(),
                    Some(value) => known.contains(&value).to_string(),
                });
                let what = format!("{key} {n} in {m} on {device}");
                assert_eq!(
                    texts(&col(key).is_in(among), &rows, &exec),
                    expected.collect::<Vec<_>>(),
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn is_in_of_column_compares_dtypes_by_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let dictionary = frame(50, 40, Nulls::NoMask, &mut Rng::new(3), &exec).get("word").unwrap().clone();
        let rows = ColumnAccessor::from_columns([
            ("b", Column::from_slice(&[-1_i8, 5, 127, 0], &exec).unwrap()),
            ("u", Column::from_slice(&[u64::MAX, 5, 127, 0], &exec).unwrap()),
            ("s", Column::from_values(["m", "x", "ß", ""], &exec).unwrap()),
            ("f", Column::from_slice(&[f64::NAN, 0.0, 2.5, 1e300], &exec).unwrap()),
        ])
        .unwrap();
        let wide = Column::from_slice(&[-1_i64, 127, 1 << 40, i64::MAX], &exec).unwrap();
        let small = Column::from_slice(&[5_u8, 0], &exec).unwrap();
        let floats = Column::from_slice(&[-0.0, f64::NAN], &exec).unwrap();
        for (expr, expected) in [
            (col("b").is_in(&wide), "true false true false"),
            (col("u").is_in(&wide), "false false true false"),
            (col("u").is_in(&small), "false true false true"),
            ((col("b") + 1).is_in(&small), "true false false false"),
            (col("b").is_in(&wide) & col("u").is_in(&wide), "false false true false"),
            (!col("b").is_in(&wide) | col("b").is_in(&wide), "true true true true"),
            (col("s").is_in(&dictionary), "true false true true"),
            (col("s").str().slice(0, 1).is_in(&dictionary), "true false true true"),
            (col("f").is_in(&floats), "true true false false"),
            (lit(5).is_in(&small), "true true true true"),
        ] {
            assert_eq!(texts(&expr, &rows, &exec).join(" "), expected, "{expr} on {device}");
        }
        let words = Column::from_values(["m", "x"], &exec).unwrap();
        let refused = evaluate(&[col("b").is_in(&words)], &rows, &exec).unwrap_err();
        let expected = Error::DTypeMismatch { left: DType::Int8, right: DType::Utf8 };
        assert_eq!(refused, expected.in_expression("b.is_in(2 values of utf8)"), "{device}");
    }
}

/// Many listed values are a set where integers are sought among integers or strings among strings, else comparisons.
#[test]
fn is_in_of_many_listed_values_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let n = 300_i64;
        let optional = |keep: i64, value: &dyn Fn(i64) -> i64| -> Vec<Option<i64>> {
            (0..n).map(|row| (row % keep > 0).then(|| value(row))).collect()
        };
        let (small, large) = (optional(5, &|row| row % 240 - 120), optional(7, &|row| row * 1_000_003));
        let words: Vec<Option<String>> = (0..n).map(|row| (row % 6 > 0).then(|| format!("é{row}"))).collect();
        let as_of = |values: &[Option<i64>], dtype: DType| {
            let column = Column::from_options(values.iter().copied(), &exec).unwrap();
            let frame = ColumnAccessor::from_columns([("x", column)]).unwrap();
            evaluate(&[col("x").cast(dtype)], &frame, &exec).unwrap().swap_remove(0).1
        };
        let text = Column::from_values(words.iter().map(Option::as_deref), &exec).unwrap();
        let coded = ColumnAccessor::from_columns([("s", text.clone())]).unwrap();
        let coded = evaluate(&[col("s").cast(DType::dictionary(DType::Utf8))], &coded, &exec);
        let rows = ColumnAccessor::from_columns([
            ("i8", as_of(&small, DType::Int8)),
            ("u64", as_of(&large, DType::UInt64)),
            ("f64", as_of(&small, DType::Float64)),
            ("money", as_of(&small, DType::decimal(9, 2).unwrap())),
            ("s", text),
            ("word", coded.unwrap().swap_remove(0).1),
        ])
        .unwrap();
        let listed: Vec<i64> = (-40..5000).map(|k| k * 3).collect();
        let far: Vec<i64> = (0..n).step_by(4).map(|row| row * 1_000_003).chain([-1]).collect();
        let texts_of = |found: Vec<Option<bool>>| -> Vec<String> {
            found.iter().map(|found| found.map_or("<NA>".to_owned(), |found| found.to_string())).collect()
        };
        let among = |values: &[Option<i64>], listed: &[i64]| {
            texts_of(values.iter().map(|value| value.map(|value| listed.contains(&value))).collect())
        };
        for label in ["i8", "f64", "money"] {
            let listed = if label == "i8" { &listed[..] } else { &listed[..60] };
            let found = texts(&col(label).is_in(listed.to_vec()), &rows, &exec);
            assert_eq!(found, among(&small, listed), "{label} on {device}");
        }
        assert_eq!(texts(&col("u64").is_in(far.clone()), &rows, &exec), among(&large, &far), "{device}");
        let sought: Vec<String> = (0..5000).step_by(3).map(|k| format!("é{k}")).collect();
        let expected = texts_of(words.iter().map(|word| Some(sought.contains(word.as_ref()?))).collect());
        for label in ["s", "word"] {
            let found = texts(&col(label).is_in(sought.clone()), &rows, &exec);
            assert_eq!(found, expected, "{label} on {device}");
        }
        let error = evaluate(&[col("s").is_in(listed.clone())], &rows, &exec).unwrap_err().to_string();
        assert!(error.contains("-120 does not fit utf8"), "{error}");
        // A null among the values matches nothing.
        let with_null = (0..20).map(lit).chain([lit(None::<i64>)]);
        let found = texts(&col("i8").is_in(with_null), &rows, &exec);
        assert_eq!(found, among(&small, &(0..20).collect::<Vec<_>>()), "{device}");
    }
}

/// A few listed values and a column of them have the same results: nulls match nothing, and NaN equals NaN.
#[test]
fn is_in_of_listed_nulls_and_nans_matches_the_same_in_a_column() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let floats = [Some(1.0), Some(f64::NAN), None, Some(-0.0)];
        let rows = ColumnAccessor::from_columns([
            ("i", Column::from_options([Some(1_i64), Some(2), None, Some(0)], &exec).unwrap()),
            ("f", Column::from_options(floats, &exec).unwrap()),
            ("g", Column::from_options([Some(1.0_f32), Some(f32::NAN), None, Some(-0.0)], &exec).unwrap()),
        ])
        .unwrap();
        let null = || lit(Literal::Null);
        let of_null = || lit(Literal::Scalar(Scalar::Null(DType::Int64)));
        let of_narrow = || lit(Literal::Scalar(Scalar::Float32(f32::NAN)));
        for (expr, expected) in [
            (col("i").is_in([lit(1), null()]), "true false <NA> false"),
            (col("i").is_in([null(), of_null()]), "false false <NA> false"),
            (!col("i").is_in([lit(1), null()]), "false true <NA> true"),
            (col("i").is_in([lit(f64::NAN), lit(2)]), "false true <NA> false"),
            (col("f").is_in([f64::NAN, 1.0]), "true true <NA> false"),
            (col("f").is_in([lit(0), null(), lit(f64::NAN)]), "false true <NA> true"),
            (col("g").is_in([of_narrow()]), "false true <NA> false"),
        ] {
            assert_eq!(texts(&expr, &rows, &exec).join(" "), expected, "{expr} on {device}");
        }
        let column = Column::from_options([Some(f64::NAN), None, Some(1.0)], &exec).unwrap();
        let listed = [lit(f64::NAN), null(), lit(1.0)];
        let [of_column, of_list] = [col("f").is_in(&column), col("f").is_in(listed)];
        assert_eq!(texts(&of_list, &rows, &exec), texts(&of_column, &rows, &exec), "{device}");
    }
}

/// Floats among whole numbers, and the reverse, are found where they are equal by value.
#[test]
fn is_in_of_whole_numbers_and_floats_compares_by_value() {
    let big = 1_i64 << 53;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let whole = Column::from_options([Some(1), Some(big + 1), None, Some(-3)], &exec).unwrap();
        let floats = Column::from_options([Some(1.0), Some(2.5), None, Some(f64::NAN)], &exec).unwrap();
        let narrow = Column::from_slice(&[255_u8, 0, 1, 7], &exec).unwrap();
        let rows = ColumnAccessor::from_columns([("i", whole.clone()), ("f", floats.clone()), ("u", narrow)]);
        let rows = rows.unwrap();
        let wide =
            Column::from_slice(&[9_007_199_254_740_992.0, -3.0, f64::INFINITY, 256.0, 7.0, -1.0], &exec)
                .unwrap();
        for (expr, expected) in [
            (col("i").is_in(&floats), "true false <NA> false"),
            (col("i").is_in(&wide), "false false <NA> true"),
            (col("u").is_in(&wide), "false false false true"),
            ((col("u") + 0).is_in(&floats), "false false true false"),
            (col("f").is_in(&whole), "true false <NA> false"),
            (lit(7).is_in(&wide), "true true true true"),
        ] {
            assert_eq!(texts(&expr, &rows, &exec).join(" "), expected, "{expr} on {device}");
        }
    }
}

/// Large enough for several morsels and ranges, with sets, hash tables and dictionaries in one predicate.
#[test]
fn is_in_of_columns_filters_and_aggregates_within_budget() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(48);
        let rows = frame(6000, 500, Nulls::Some, &mut rng, &exec);
        let others = frame(90, 500, Nulls::Some, &mut rng, &exec);
        let among = |key: &str| col(key).is_in(others.get(key).unwrap());
        let predicate = among("u16") | among("i64") | (among("text") & among("word"));
        let known = |key: &str| values(others.get(key).unwrap()).into_iter().flatten().collect::<Vec<_>>();
        let found = |key: &str| -> Vec<Option<bool>> {
            let known = known(key);
            values(rows.get(key).unwrap()).into_iter().map(|value| Some(known.contains(&value?))).collect()
        };
        let [u16s, i64s, texts, words] = ["u16", "i64", "text", "word"].map(found);
        let is_true = |row: usize| {
            u16s[row] == Some(true)
                || i64s[row] == Some(true)
                || texts[row].zip(words[row]) == Some((true, true))
        };
        let whole = lines(&rows);
        let expected: Vec<String> =
            (0..rows.rows()).filter(|&row| is_true(row)).map(|row| whole[row].clone()).collect();
        assert!(expected.len() > 100 && expected.len() < 5900, "{}", expected.len());
        assert_eq!(lines(&filter(&rows, &predicate, &exec).unwrap()), expected, "{device}");

        let sum = [col("row").sum()];
        let of_rows = |rows: &ColumnAccessor, predicate: Option<&Expr>, exec: &Exec| {
            let keys = [col("bool")];
            lines(&aggregate(rows, predicate, &keys, &sum, GroupOptions::default(), exec).unwrap())
        };
        let kept = filter(&rows, &predicate, &exec).unwrap();
        assert_eq!(of_rows(&rows, Some(&predicate), &exec), of_rows(&kept, None, &exec), "{device}");

        let limit = share_of(rows.row_bytes().unwrap(), 6, device);
        let (manager, tight) = limited(&exec, limit);
        let source = moved(&rows, &tight);
        let (peak, filtered) = peak_of(&manager, || filter(&source, &predicate, &tight).unwrap());
        assert!(peak <= limit, "{peak} of {limit} on {device}");
        assert_eq!(lines(&filtered), expected, "{device} with {limit} bytes");
    }
}

#[test]
fn is_in_of_nulls_without_dtype_is_null() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let some = Column::from_options([Some(1_i64), Some(2), None], &exec).unwrap();
        let nulls = Column::full_null(&DType::Null, 3, &exec).unwrap();
        let rows = ColumnAccessor::from_columns([("n", nulls), ("i", some.clone())]).unwrap();
        let members = [
            col("n").is_in(&some),
            col("n").is_in([1, 2]),
            col("n").is_in(["a"]),
            col("n").is_in(0..40),
            col("n").eq(1),
            col("n").lt(0.5),
        ];
        for expr in members {
            assert_eq!(texts(&expr, &rows, &exec), ["<NA>"; 3], "{device}, {expr}");
        }
        assert_eq!(texts(&col("i").is_in([1]), &rows, &exec), ["true", "false", "<NA>"], "{device}");
    }
}
