//! Values in place of others and extremes of text by row, on every device, against naive references.

use crate::expression::{
    Elementwise, Expr, Literal, Node, col, evaluate, lit, max_horizontal, min_horizontal,
};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, ErrorKind, Result, Scalar};
use columnade_kernels::Storage;

const SIZES: [usize; 6] = [0, 1, 31, 33, 64, 257];
const WORDS: [&str; 6] = ["tea", "é", "", "oat", "zz", "tea leaf"];

fn one(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    Ok(evaluate(std::slice::from_ref(expr), frame, exec)?.swap_remove(0).1)
}

fn texts(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

/// Words with nulls, of which the first two rows are cut off.
fn words(n: usize, shift: usize) -> Vec<Option<&'static str>> {
    (0..n + 2).map(|row| ((row + shift) % 5 != 3).then(|| WORDS[(row * 7 + shift) % WORDS.len()])).collect()
}

/// As a dictionary with 16-bit codes, in the order of `WORDS`.
fn dictionary(words: &[Option<&str>], ordered: bool, exec: &Exec) -> Column {
    let code = |word: &str| i16::try_from(WORDS.iter().position(|known| *known == word).unwrap()).unwrap();
    let codes = Column::from_options(words.iter().map(|word| word.map(code)), &Exec::host()).unwrap();
    let values = Column::from_values(WORDS, &Exec::host()).unwrap();
    let made = CategoricalColumn::new(&codes, values.into()).unwrap();
    let made = Column::Categorical(if ordered { made.as_ordered() } else { made });
    made.to_device(exec).unwrap()
}

fn sliced(column: &Column) -> Column {
    column.slice(2, column.size() - 2).unwrap()
}

#[test]
fn booleans_replace_no_numbers_and_numbers_no_booleans() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let codes = Column::from_values([1_i16, 0, 1], &Exec::host()).unwrap();
        let values = Column::from_values([5_i64, 1], &Exec::host()).unwrap();
        let numbers = Column::Categorical(CategoricalColumn::new(&codes, values.into()).unwrap());
        let frame = ColumnAccessor::from_columns([
            ("i", Column::from_values([1_i64, 0, 2], &exec).unwrap()),
            ("x", Column::from_values([1.0, 0.0, 2.0], &exec).unwrap()),
            ("b", Column::from_values([true, false, true], &exec).unwrap()),
            ("d", numbers.to_device(&exec).unwrap()),
        ])
        .unwrap();
        let shown = |expr: Expr| texts(&one(&expr, &frame, &exec).unwrap());
        assert_eq!(shown(col("i").replace([(true, 7)])), ["1", "0", "2"]);
        assert_eq!(shown(col("i").replace([(lit(true), lit(7)), (lit(1), lit(8))])), ["8", "0", "2"]);
        assert_eq!(shown(col("x").replace([(false, 7.0)])), ["1.0", "0.0", "2.0"]);
        assert_eq!(
            shown(col("b").replace([(lit(1), lit(false)), (lit(1.0), lit(false))])),
            ["true", "false", "true"]
        );
        let scalar = lit(Literal::Scalar(Scalar::Int8(1)));
        assert_eq!(shown(col("b").replace([(scalar, lit(false))])), ["true", "false", "true"]);
        assert_eq!(shown(col("b").replace([(true, false)])), ["false", "false", "false"]);
        assert_eq!(shown(col("d").replace([(true, 7)])), ["1", "5", "1"]);
        assert_eq!(shown(col("d").replace([(1, 7)])), ["7", "5", "7"]);
    }
}

#[test]
fn nulls_and_nan_are_replaced_where_they_are_keys() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let x: Vec<Option<f64>> = (0..n + 2)
                .map(|row| [Some(1.5), None, Some(f64::NAN), Some(-0.0), Some(7.0)][row % 5])
                .collect();
            let i: Vec<Option<i64>> = (0..n + 2).map(|row| [Some(1), None, Some(2)][row % 3]).collect();
            let frame = ColumnAccessor::from_columns([
                ("x", sliced(&Column::from_options(x.clone(), &exec).unwrap())),
                ("i", sliced(&Column::from_options(i.clone(), &exec).unwrap())),
            ])
            .unwrap();
            let shown =
                |value: Option<f64>| value.map_or(Scalar::Null(DType::Float64), Scalar::Float64).to_string();
            let key = |key: Literal, to: f64| (lit(key), lit(to));
            let pairs =
                [key(Literal::Null, 5.0), key(Literal::Float(f64::NAN), 6.0), key(Literal::Float(7.0), 8.0)];
            let expected: Vec<String> = x[2..]
                .iter()
                .map(|value| match value {
                    None => Some(5.0),
                    Some(value) if value.is_nan() => Some(6.0),
                    Some(value) if (value - 7.0).abs() < 0.1 => Some(8.0),
                    other => *other,
                })
                .map(shown)
                .collect();
            let found = one(&col("x").replace(pairs.clone()), &frame, &exec).unwrap();
            assert_eq!(texts(&found), expected, "{n} rows on {device}");
            let scalars = [
                (lit(Scalar::Null(DType::Float64)), lit(5.0)),
                (lit(Scalar::Float64(f64::NAN)), lit(6.0)),
                pairs[2].clone(),
            ];
            let found = one(&col("x").replace(scalars), &frame, &exec).unwrap();
            assert_eq!(texts(&found), expected, "{n} rows on {device}");
            let expected: Vec<String> = i[2..]
                .iter()
                .map(|value| value.map_or(9, |value| if value == 2 { 20 } else { value }).to_string())
                .collect();
            let found =
                one(&col("i").replace([(lit(Literal::Null), lit(9)), (lit(2), lit(20))]), &frame, &exec)
                    .unwrap();
            assert_eq!(texts(&found), expected, "{n} rows on {device}");
            let found = one(&col("i").replace_or([(lit(Literal::Null), lit("none"))], "some"), &frame, &exec)
                .unwrap();
            let expected: Vec<&str> =
                i[2..].iter().map(|value| if value.is_none() { "none" } else { "some" }).collect();
            assert_eq!(texts(&found), expected, "{n} rows on {device}");
        }
    }
    assert_eq!(col("i").replace([(1, 10), (2, 20)]).to_string(), "i.replace([(1, 10), (2, 20)])");
    assert_eq!(col("i").replace([(1, 10)]).label(), "i");
}

#[test]
fn replaced_dictionary_is_a_dictionary_with_the_values_of_its_rows_replaced() {
    let null = || lit(Literal::Null);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (n, ordered) in SIZES.into_iter().flat_map(|n| [(n, false), (n, true)]) {
            let words = words(n, 0);
            let column = sliced(&dictionary(&words, ordered, &exec));
            let dtype = column.dtype();
            assert!(matches!(&dtype, DType::Dictionary(dictionary) if dictionary.codes == Storage::I16));
            let frame = ColumnAccessor::from_columns([("w", column)]).unwrap();
            let naive = |pairs: &[(Option<&str>, Option<&str>)]| -> Vec<String> {
                let replaced = |word: Option<&str>| {
                    pairs
                        .iter()
                        .find(|(from, _)| *from == word)
                        .map_or(word, |(_, to)| *to)
                        .unwrap_or("<NA>")
                        .to_owned()
                };
                words[2..].iter().map(|word| replaced(*word)).collect()
            };
            let to_expr = |word: Option<&str>| word.map_or_else(null, lit);
            for pairs in [
                vec![(Some("tea"), Some("coffee"))],
                // Which becomes equal to a category, and one that is none.
                vec![(Some("tea"), Some("oat")), (Some("none"), Some("x"))],
                vec![(Some("oat"), None), (Some("é"), Some("É"))],
                vec![(None, Some("missing")), (Some(""), Some("empty"))],
                vec![(None, Some("tea")), (Some("tea"), None)],
                vec![(Some("tea"), Some("oat")), (Some("oat"), Some("tea"))],
                vec![(None, None)],
                vec![],
            ] {
                let expr = col("w").replace(pairs.iter().map(|(from, to)| (to_expr(*from), to_expr(*to))));
                let found = one(&expr, &frame, &exec).unwrap();
                assert_eq!(found.dtype(), dtype, "{expr} on {device}");
                assert_eq!(texts(&found), naive(&pairs), "{expr} on {device}");
                let Column::Categorical(found) = &found else { panic!("{expr}") };
                let mut categories = texts(found.dictionary());
                let all = categories.len();
                categories.sort();
                categories.dedup();
                assert_eq!(categories.len(), all, "{expr}: categories are distinct");
            }
            // Of another dtype, or by columns, the values are what is replaced.
            let lengths = one(&col("w").replace_or([("tea", 3)], 0), &frame, &exec).unwrap();
            assert_eq!(lengths.dtype(), DType::Int64);
            let by_column =
                one(&col("w").replace([(lit("tea"), col("w").cat().decode().str().upper())]), &frame, &exec)
                    .unwrap();
            assert_eq!(texts(&by_column), naive(&[(Some("tea"), Some("TEA"))]), "{device}");
        }
        // Ordered categories stay in order.
        let column = dictionary(&[Some("zz"), Some("tea")], true, &exec);
        let frame = ColumnAccessor::from_columns([("w", column)]).unwrap();
        let made = one(&col("w").replace([("é", "b")]), &frame, &exec).unwrap();
        let Column::Categorical(made) = &made else { panic!("a dictionary") };
        assert_eq!(texts(made.dictionary()), ["tea", "b", "", "oat", "zz", "tea leaf"]);
        assert!(made.is_ordered());
        let refused = one(&col("w").replace([("é", 1)]), &frame, &exec).unwrap_err();
        assert!(matches!(refused.kind(), ErrorKind::Value | ErrorKind::Type), "{refused}");
    }
}

#[test]
fn extremes_of_text_by_row_are_those_of_the_words_that_are_not_null() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let (a, b, c) = (words(n, 0), words(n, 2), words(n, 4));
            let strings =
                |words: &[Option<&str>]| sliced(&Column::from_options(words.iter().copied(), &exec).unwrap());
            let frame = ColumnAccessor::from_columns([
                ("a", strings(&a)),
                ("b", strings(&b)),
                ("c", sliced(&dictionary(&c, false, &exec))),
            ])
            .unwrap();
            let naive = |is_least: bool, of: &[&[Option<&str>]]| -> Vec<String> {
                (2..n + 2)
                    .map(|row| {
                        let words = of.iter().filter_map(|words| words[row]);
                        let found = if is_least { words.min() } else { words.max() };
                        found.unwrap_or("<NA>").to_owned()
                    })
                    .collect()
            };
            let constant = vec![Some("m"); n + 2];
            let check = |expr: Expr, expected: Vec<String>| {
                let found = one(&expr, &frame, &exec).unwrap_or_else(|error: Error| panic!("{error}"));
                assert_eq!(
                    (found.dtype(), texts(&found)),
                    (DType::Utf8, expected),
                    "{expr}, {n} rows on {device}"
                );
            };
            check(min_horizontal([col("a"), col("b")]), naive(true, &[&a, &b]));
            check(max_horizontal([col("a"), col("b")]), naive(false, &[&a, &b]));
            check(min_horizontal([col("a"), col("b"), col("c")]), naive(true, &[&a, &b, &c]));
            check(max_horizontal([col("c"), col("b"), col("a")]), naive(false, &[&a, &b, &c]));
            check(min_horizontal([col("a"), lit("m")]), naive(true, &[&a, &constant]));
            check(max_horizontal([lit("m"), col("c")]), naive(false, &[&constant, &c]));
        }
        let n = Column::from_slice(&[1_i64], &exec).unwrap();
        let frame =
            ColumnAccessor::from_columns([("a", Column::from_values(["x"], &exec).unwrap()), ("n", n)])
                .unwrap();
        let refused = one(&min_horizontal([col("a"), col("n")]), &frame, &exec).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Type, "{refused}");
    }
}

/// Columns of keys, of which the first two rows are cut off.
fn keyed(n: usize, exec: &Exec) -> ColumnAccessor {
    let rows = 0..n + 2;
    let ints: Vec<Option<i64>> =
        rows.clone().map(|row| (row % 7 != 3).then_some(i64::try_from(row * 5 % 90).unwrap())).collect();
    let float = |row: usize| [1.5, f64::NAN, -0.0, 3.0, f64::INFINITY, 1e300][row % 6];
    let floats: Vec<Option<f64>> = rows.clone().map(|row| (row % 5 != 2).then(|| float(row))).collect();
    let texts_of: Vec<Option<String>> =
        rows.clone().map(|row| (row % 6 != 4).then(|| format!("é{}", row % 40))).collect();
    let days: Vec<Option<i32>> =
        rows.clone().map(|row| (row % 4 != 1).then_some(i32::try_from(row % 50).unwrap())).collect();
    let small = ints.iter().map(|value| value.map(|value| i8::try_from(value).unwrap()));
    let strings = Column::from_options(texts_of.iter().map(Option::as_deref), exec).unwrap();
    let days = Column::from_options(days, exec).unwrap();
    let categories =
        one(&col("s").cat().encode(), &ColumnAccessor::from_columns([("s", strings.clone())]).unwrap(), exec)
            .unwrap();
    ColumnAccessor::from_columns([
        ("i", sliced(&Column::from_options(ints.clone(), exec).unwrap())),
        ("b", sliced(&Column::from_options(small, exec).unwrap())),
        ("x", sliced(&Column::from_options(floats, exec).unwrap())),
        ("s", sliced(&strings)),
        ("c", sliced(&categories)),
        ("d", sliced(&crate::cast::cast(&days, &DType::Date32, crate::cast::CastMode::Wrap, exec).unwrap())),
    ])
    .unwrap()
}

#[test]
fn many_pairs_replace_as_a_chain_of_conditions_does() {
    let chain = |x: Expr, pairs: &[(Literal, Literal)], rest: Expr| {
        // Of few pairs each, from the last to the first, so that no table is made.
        pairs.rchunks(5).fold(rest, |rest, few| x.clone().replace_or(few.to_vec(), rest))
    };
    let number = |n: i64| Literal::Int(i128::from(n));
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in SIZES {
            let frame = keyed(n, &exec);
            let check = |x: &str, pairs: &[(Literal, Literal)], rest: Expr| {
                let made = col(x).replace_or(pairs.to_vec(), rest.clone());
                assert!(matches!(made.node(), Node::Elementwise(Elementwise::ReplaceOr, _)), "{made}");
                let found = one(&made, &frame, &exec).unwrap();
                let expected = one(&chain(col(x), pairs, rest), &frame, &exec).unwrap();
                assert_eq!(
                    (found.dtype().logical(), texts(&found)),
                    (expected.dtype().logical(), texts(&expected)),
                    "{made}, {n} rows on {device}"
                );
            };
            let hundred = |to: fn(i64) -> Literal| -> Vec<(Literal, Literal)> {
                (0..100).map(|key| (number(key * 2), to(key))).collect()
            };
            for x in ["i", "b"] {
                check(x, &hundred(|key| Literal::Int(i128::from(key) * 3)), col(x));
                check(
                    x,
                    &hundred(|key| Literal::Float(f64::from(i32::try_from(key).unwrap()) / 4.0)),
                    col(x),
                );
                check(
                    x,
                    &hundred(
                        |key| if key % 3 == 0 { Literal::Null } else { Literal::String(format!("w{key}")) },
                    ),
                    lit("none"),
                );
                check(x, &hundred(|key| Literal::Int(i128::from(key))), lit(Literal::Null));
                // The first of two pairs with one key counts, and one for null; what the dtype does not have is nowhere.
                let mut pairs = hundred(|key| Literal::Int(i128::from(key)));
                pairs.splice(
                    0..0,
                    [
                        (number(4), number(-4)),
                        (Literal::Null, number(-9)),
                        (Literal::Float(6.5), number(1)),
                        (Literal::Float(10.0), number(-10)),
                        (Literal::Int(1 << 100), number(5)),
                        (Literal::Float(f64::NAN), number(7)),
                    ],
                );
                check(x, &pairs, col(x));
            }
            let mut keys = vec![
                (Literal::Float(f64::NAN), number(1)),
                (Literal::Float(0.0), number(2)),
                (Literal::Float(f64::INFINITY), Literal::Float(0.5)),
            ];
            keys.extend((0..60).map(|key| (Literal::Float(f64::from(key) / 2.0), number(i64::from(key)))));
            check("x", &keys, col("x"));
            check("x", &keys, lit(0));
            let words: Vec<(Literal, Literal)> =
                (0..60).map(|key| (Literal::String(format!("é{key}")), number(key))).collect();
            for x in ["s", "c"] {
                check(x, &words, lit(-1));
                let upper: Vec<_> = (0..30)
                    .map(|key| (Literal::String(format!("é{key}")), Literal::String(format!("É{}", key % 7))))
                    .collect();
                check(x, &upper, col("s"));
                let mut with_null = words.clone();
                with_null.push((Literal::Null, number(99)));
                check(x, &with_null, lit(-1));
            }
            let dates: Vec<(Literal, Literal)> =
                (1..29).map(|day| (Literal::String(format!("1970-01-{day:02}")), number(day))).collect();
            check("d", &dates, lit(0));
            let scalars: Vec<(Literal, Literal)> = (0..40)
                .map(|day| (Literal::Scalar(Scalar::Date32(day)), Literal::Scalar(Scalar::Date32(-day))))
                .collect();
            check("d", &scalars, col("d"));
            let typed: Vec<(Literal, Literal)> = (0..40_i16)
                .map(|key| (Literal::Scalar(Scalar::Int16(key)), Literal::Scalar(Scalar::Int8(1))))
                .collect();
            check("i", &typed, col("i"));
            // `replace` has the same table; a dictionary stays one.
            let tens: Vec<(i64, i64)> = (0..30).map(|key| (key * 5, -key)).collect();
            let pairs: Vec<_> = tens.iter().map(|(from, to)| (number(*from), number(*to))).collect();
            let found = one(&col("i").replace(tens), &frame, &exec).unwrap();
            assert_eq!(
                texts(&found),
                texts(&one(&chain(col("i"), &pairs, col("i")), &frame, &exec).unwrap())
            );
            let upper: Vec<_> = (0..30).map(|key| (format!("é{key}"), format!("É{}", key % 7))).collect();
            let found = one(&col("c").replace(upper.clone()), &frame, &exec).unwrap();
            assert!(matches!(found, Column::Categorical(_)), "{device}");
            assert_eq!(
                texts(&found),
                texts(&one(&col("s").replace(upper), &frame, &exec).unwrap()),
                "{device}"
            );
        }
    }
}

#[test]
fn thousands_of_pairs_are_one_level_and_are_shown_cut_short() {
    let exec = Exec::host();
    let numbers = Column::from_values([3_i64, 19_999, 20_000], &exec).unwrap();
    let days = Column::from_scalars(&DType::Date32, &[3, 5, 20_000].map(Scalar::Date32), &exec).unwrap();
    let words = Column::from_values(["3", "19999", "é"], &exec).unwrap();
    let floats = Column::from_values([3.0_f32, 0.5, 20_000.0], &exec).unwrap();
    let frame =
        ColumnAccessor::from_columns([("i", numbers), ("d", days), ("s", words), ("x", floats)]).unwrap();
    let shown = |expr: Expr| texts(&one(&expr, &frame, &exec).unwrap());
    let all = || 0..20_000_i32;
    let number = |key: i32| lit(i64::from(key));
    let negative = || all().map(|key| (number(key), number(-key)));
    assert_eq!(shown(col("i").replace(negative())), ["-3", "-19999", "20000"]);
    assert_eq!(shown(col("x").replace(negative())), ["-3.0", "0.5", "20000.0"]);
    assert_eq!(shown(col("i").replace_or(negative(), lit(Literal::Null))), ["-3", "-19999", "<NA>"]);
    assert_eq!(shown(col("i").replace_or(negative(), 0.5)), ["-3.0", "-19999.0", "0.5"]);
    let nulls = || all().map(|key| (number(key), lit(Literal::Null)));
    assert_eq!(shown(col("i").replace_or(nulls(), 1)), ["<NA>", "<NA>", "1"]);
    assert_eq!(shown(col("i").replace(nulls())), ["<NA>", "<NA>", "20000"]);
    let text = || all().map(|key| (number(key), lit(key.to_string())));
    assert_eq!(shown(col("i").replace_or(text(), "none")), ["3", "19999", "none"]);
    let of_text = || all().map(|key| (lit(key.to_string()), number(key)));
    assert_eq!(shown(col("s").replace_or(of_text(), -1)), ["3", "19999", "-1"]);
    assert_eq!(shown(col("s").cat().encode().replace_or(of_text(), -1)), ["3", "19999", "-1"]);
    let of_days = || all().map(|key| (lit(Scalar::Date32(key)), lit(Scalar::Date32(key + 1))));
    assert_eq!(shown(col("d").replace(of_days())), ["1970-01-05", "1970-01-07", "2024-10-04"]);
    let expr = col("i").replace(negative());
    assert!(expr.to_string().ends_with("(7, -7), … 19992 more])"), "{expr}");
    let expr = col("i").replace_or(text(), "none");
    assert!(expr.to_string().ends_with("… 19992 more], \"none\")"), "{expr}");
    let refused = one(&col("i").replace(text()), &frame, &exec).unwrap_err();
    assert!(refused.to_string().len() < 1000, "{refused}");
}

#[test]
fn values_that_no_pair_is_of_are_an_error_and_nulls_are_not() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let words = Column::from_options([Some("a"), None, Some("b"), Some("c")], &exec).unwrap();
        let floats = Column::from_options([Some(1.5), None, Some(f64::NAN), Some(2.0)], &exec).unwrap();
        let rows = ColumnAccessor::from_columns([("s", words), ("f", floats)]).unwrap();
        let found = |expr: Expr| {
            let made = evaluate(&[expr], &rows, &exec).map(|mut made| made.swap_remove(0).1);
            made.map(|column| {
                column.to_scalars().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
            })
        };
        let all = [("a", 1), ("b", 2), ("c", 3)];
        assert_eq!(found(col("s").replace_strict(all)).unwrap(), ["1", "<NA>", "2", "3"], "{device}");
        let of_null = all.map(|(from, to)| (lit(from), to)).into_iter().chain([(lit(Literal::Null), 9)]);
        assert_eq!(found(col("s").replace_strict(of_null)).unwrap(), ["1", "9", "2", "3"], "{device}");
        let nulls = [("a", lit(1)), ("b", lit(Literal::Null)), ("c", lit(Literal::Null))];
        assert_eq!(found(col("s").replace_strict(nulls)).unwrap(), ["1", "<NA>", "<NA>", "<NA>"], "{device}");
        let floats = [(1.5, "x"), (f64::NAN, "y"), (2.0, "z")];
        assert_eq!(found(col("f").replace_strict(floats)).unwrap(), ["x", "<NA>", "y", "z"], "{device}");
        let many = (0..40).map(|at| (f64::from(at) / 2.0, at)).chain([(f64::NAN, -1)]);
        assert_eq!(found(col("f").replace_strict(many)).unwrap(), ["3", "<NA>", "-1", "4"], "{device}");
        for (expr, expected) in [
            (col("s").replace_strict([("a", 1), ("c", 3)]), "old: row 2: b is none of the old values"),
            (col("f").replace_strict([(1.5, 1), (2.0, 3)]), "old: row 2: NaN is none of the old values"),
            (col("f").replace_strict((0..40).map(|at| (at, at))), "old: row 0: 1.5 is none of the old"),
        ] {
            let error = found(expr).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Value, "{error}");
            assert!(error.to_string().contains(expected), "{error} on {device}");
        }
    }
}
