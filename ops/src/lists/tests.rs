//! Functions of lists on every device, against outputs of Polars and a naive reference.

use super::explode;
use crate::expression::{Expr, col, concat_list, evaluate, lit};
use crate::test_frames::{assert_lines, limited, lines, moved, peak_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, ColumnValue, Error, Label, ListColumn, RowValue};
use columnade_tests::Rng;

pub(super) type Rows<T> = Vec<Option<Vec<Option<T>>>>;

/// Lists with three rows before them, which no function may see.
pub(super) fn lists<T: ColumnValue + Clone>(rows: &Rows<T>, exec: &Exec) -> Column {
    let before: Rows<T> = vec![rows.first().cloned().flatten(), Some(vec![None, None]), None];
    let all: Rows<T> = before.into_iter().chain(rows.iter().cloned()).collect();
    let items = all.iter().flatten().flatten().cloned();
    let items = Column::from_options(items, exec).unwrap();
    let lengths = all.iter().map(|list| list.as_ref().map(Vec::len));
    let whole = Column::List(ListColumn::from_lengths(&items, lengths, exec).unwrap());
    whole.slice(3, rows.len()).unwrap()
}

pub(super) fn value_of(expr: Expr, columns: &[(&str, Column)], exec: &Exec) -> Result<Column, Error> {
    let frame = ColumnAccessor::from_columns(columns.iter().cloned())?;
    Ok(evaluate(&[expr], &frame, exec)?.swap_remove(0).1)
}

pub(super) fn flat<T: RowValue>(column: &Column) -> Vec<Option<T>> {
    column.to_options::<T>().unwrap()
}

pub(super) fn texts(column: &Column) -> String {
    let texts: Vec<String> = column.to_scalars().unwrap().iter().map(ToString::to_string).collect();
    texts.join(" ")
}

/// The lists of which Polars computed what is expected here.
pub(super) fn sample() -> Rows<i64> {
    let some = |items: &[i64]| Some(items.iter().copied().map(Some).collect());
    vec![
        Some(vec![Some(3), Some(1), None, Some(1)]),
        some(&[]),
        None,
        some(&[5]),
        Some(vec![None]),
        some(&[2, 2, -7]),
    ]
}

#[test]
fn functions_of_lists_match_polars() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let at = Column::from_slice(&[0_i64, 0, 0, -2, -1, -3], &exec).unwrap();
        let columns = [("l", lists(&sample(), &exec)), ("i", at)];
        let run = |expr: Expr| texts(&value_of(expr, &columns, &exec).unwrap());
        let l = || col("l").list();
        for (expr, expected) in [
            (l().len(), "4 0 <NA> 1 1 3"),
            (l().get(-1), "1 <NA> <NA> 5 <NA> -7"),
            (l().get(1), "1 <NA> <NA> <NA> <NA> 2"),
            (l().get(i64::MIN), "<NA> <NA> <NA> <NA> <NA> <NA>"),
            (l().get(i64::MAX), "<NA> <NA> <NA> <NA> <NA> <NA>"),
            (l().get_at(col("i")), "3 <NA> <NA> <NA> <NA> 2"),
            (l().first(), "3 <NA> <NA> 5 <NA> 2"),
            (l().last() * 2, "2 <NA> <NA> 10 <NA> -14"),
            (l().sum(), "5 0 <NA> 5 0 -3"),
            (l().min(), "1 <NA> <NA> 5 <NA> -7"),
            (l().max(), "3 <NA> <NA> 5 <NA> 2"),
            (l().mean(), "1.6666666666666667 <NA> <NA> 5.0 <NA> -1.0"),
            (l().median(), "1.0 <NA> <NA> 5.0 <NA> 2.0"),
            // Polars counts the null as one value: 3, 0, null, 1, 1, 2.
            (l().nunique(), "2 0 <NA> 1 0 2"),
            (l().reverse(), "[1, <NA>, 1, 3] [] <NA> [5] [<NA>] [-7, 2, 2]"),
            (l().sort(), "[1, 1, 3, <NA>] [] <NA> [5] [<NA>] [-7, 2, 2]"),
            (l().sort_with(false, true), "[<NA>, 1, 1, 3] [] <NA> [5] [<NA>] [-7, 2, 2]"),
            (l().sort_with(true, true), "[<NA>, 3, 1, 1] [] <NA> [5] [<NA>] [2, 2, -7]"),
            (l().sort_with(true, false), "[3, 1, 1, <NA>] [] <NA> [5] [<NA>] [2, 2, -7]"),
            (l().unique(), "[3, 1, <NA>] [] <NA> [5] [<NA>] [2, -7]"),
            (l().slice(1, 2), "[1, <NA>] [] <NA> [] [] [2, -7]"),
            (l().slice(-2, None), "[<NA>, 1] [] <NA> [5] [<NA>] [2, -7]"),
            (l().slice(-5, 3), "[3, 1] [] <NA> [] [] [2]"),
            (l().slice(i64::MAX, u64::MAX), "[] [] <NA> [] [] []"),
            (l().head(2), "[3, 1] [] <NA> [5] [<NA>] [2, 2]"),
            (l().tail(2), "[<NA>, 1] [] <NA> [5] [<NA>] [2, -7]"),
            (l().tail(0), "[] [] <NA> [] [] []"),
            (l().contains(1), "true false <NA> false false false"),
            (l().contains_value(col("i")), "false false <NA> false false false"),
            (l().contains_value(l().get(2)), "true false <NA> false true true"),
            (
                l().concat(l().reverse()),
                "[3, 1, <NA>, 1, 1, <NA>, 1, 3] [] <NA> [5, 5] [<NA>, <NA>] [2, 2, -7, -7, 2, 2]",
            ),
            (
                concat_list([l().head(1), l().head(0), l().tail(1)]),
                "[3, 1] [] <NA> [5, 5] [<NA>, <NA>] [2, -7]",
            ),
            (l().len().gt(lit(1)) & col("l").is_not_null(), "true false false false false true"),
            (l().unique().list().len() + 1, "4 1 <NA> 2 2 3"),
        ] {
            let text = expr.to_string();
            assert_eq!(run(expr), expected, "{device}: {text}");
        }
    }
}

#[test]
fn lists_of_booleans_strings_and_floats_match_polars() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let bits: Rows<bool> = vec![
            Some(vec![Some(true), None]),
            Some(vec![Some(false), None]),
            Some(vec![]),
            None,
            Some(vec![Some(true), Some(true)]),
            Some(vec![None]),
        ];
        let words: Rows<&str> = vec![
            Some(vec![Some("a"), Some("é")]),
            Some(vec![Some("x"), None, Some("y")]),
            Some(vec![]),
            None,
            Some(vec![None]),
            Some(vec![Some("")]),
        ];
        let floats: Rows<f64> = vec![
            Some(vec![Some(f64::NAN), Some(-0.0)]),
            Some(vec![Some(0.0), Some(-0.0), Some(f64::NAN), Some(f64::NAN)]),
            Some(vec![Some(f64::INFINITY)]),
            Some(vec![]),
            None,
            None,
        ];
        let columns = [("b", lists(&bits, &exec)), ("s", lists(&words, &exec)), ("f", lists(&floats, &exec))];
        let run = |expr: Expr| texts(&value_of(expr, &columns, &exec).unwrap());
        assert_eq!(run(col("b").list().any()), "true false false <NA> true false", "{device}");
        assert_eq!(run(col("b").list().all()), "true false true <NA> true true", "{device}");
        let joined = value_of(col("s").list().join("-"), &columns, &exec).unwrap();
        let expected = [Some("a-é"), Some("x-y"), Some(""), None, Some(""), Some("")];
        assert_eq!(flat::<String>(&joined), expected.map(|text| text.map(str::to_owned)), "{device}");
        assert_eq!(run(col("s").list().contains("y")), "false true false <NA> false false", "{device}");
        assert_eq!(run(col("s").list().max()), "é y <NA> <NA> <NA> ", "{device}");
        // Without a null among the items.
        let whole: Rows<&str> =
            vec![Some(vec![Some("b"), Some("a")]), Some(vec![]), None, Some(vec![Some("")])];
        let whole = [("s", lists(&whole, &exec))];
        let extremes = [col("s").list().min(), col("s").list().max()];
        let found = extremes.map(|expr| texts(&value_of(expr, &whole, &exec).unwrap()));
        assert_eq!(found, ["a <NA> <NA> ", "b <NA> <NA> "], "{device}");
        assert_eq!(run(col("s").list().get(0).eq("a")), "true false <NA> <NA> <NA> false", "{device}");
        assert_eq!(run(col("f").list().unique()), "[NaN, -0.0] [0.0, NaN] [inf] [] <NA> <NA>", "{device}");
        assert_eq!(run(col("f").list().contains(0.0)), "true true false false <NA> <NA>", "{device}");
        assert_eq!(run(col("f").list().contains(f64::NAN)), "true true false false <NA> <NA>", "{device}");
        assert_eq!(
            run(col("f").list().sort()),
            "[-0.0, NaN] [0.0, -0.0, NaN, NaN] [inf] [] <NA> <NA>",
            "{device}"
        );
    }
}

/// Some lists of `n` rows; none, some or all of them null or empty.
pub(super) fn random(n: usize, rng: &mut Rng) -> Rows<i64> {
    let value = |rng: &mut Rng| (rng.below(7) > 0).then(|| i64::try_from(rng.below(5)).unwrap() - 2);
    let list = |rng: &mut Rng| {
        let length = if rng.below(40) == 0 { 70 } else { rng.below(4) };
        (rng.below(6) > 0).then(|| (0..length).map(|_| value(rng)).collect())
    };
    (0..n).map(|_| list(rng)).collect()
}

#[test]
fn functions_of_random_lists_match_naive_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(3);
        for n in [0, 1, 31, 33, 64, 65, 257] {
            let rows = random(n, &mut rng);
            let columns = [("l", lists(&rows, &exec))];
            let run = |expr: Expr| value_of(expr, &columns, &exec).unwrap();
            let each = |of: &dyn Fn(&Vec<Option<i64>>) -> Option<i64>| -> Vec<Option<i64>> {
                rows.iter().map(|list| of(list.as_ref()?)).collect()
            };
            let what = format!("{device}, {n} rows");
            let sum = each(&|list| Some(list.iter().flatten().sum()));
            assert_eq!(flat::<i64>(&run(col("l").list().sum())), sum, "{what}");
            let min = each(&|list| list.iter().flatten().min().copied());
            assert_eq!(flat::<i64>(&run(col("l").list().min())), min, "{what}");
            let len = each(&|list| Some(i64::try_from(list.len()).unwrap()));
            assert_eq!(flat::<i64>(&run(col("l").list().len())), len, "{what}");
            let third = each(&|list| *list.get(2)?);
            assert_eq!(flat::<i64>(&run(col("l").list().get(2))), third, "{what}");
            let in_lists = |of: &dyn Fn(&mut Vec<Option<i64>>)| -> Rows<i64> {
                let changed = |mut list: Vec<Option<i64>>| {
                    of(&mut list);
                    list
                };
                rows.iter().cloned().map(|list| list.map(changed)).collect()
            };
            let same = |expr: Expr, expected: Rows<i64>| {
                let text = expr.to_string();
                assert_eq!(texts(&run(expr)), texts(&lists(&expected, &exec)), "{what}, {text}");
            };
            same(col("l").list().reverse(), in_lists(&|list| list.reverse()));
            same(col("l").list().sort(), in_lists(&|list| list.sort_by_key(|x| (x.is_none(), *x))));
            same(
                col("l").list().slice(-3, 2),
                in_lists(&|list| {
                    // From before a short list, only what is within it.
                    let begin = i64::try_from(list.len()).unwrap() - 3;
                    let at = |position: i64| usize::try_from(position.max(0)).unwrap().min(list.len());
                    *list = list[at(begin)..at(begin + 2)].to_vec();
                }),
            );
            same(
                col("l").list().unique(),
                in_lists(&|list| {
                    let mut seen = Vec::new();
                    list.retain(|x| {
                        !seen.contains(x) && {
                            seen.push(*x);
                            true
                        }
                    });
                }),
            );
        }
    }
}

#[test]
fn explode_matches_naive_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(5);
        for (n, without_gaps) in [(0, false), (1, false), (33, false), (65, true), (300, false)] {
            let mut rows = random(n, &mut rng);
            if without_gaps {
                for list in &mut rows {
                    list.get_or_insert_default().push(Some(9));
                }
            }
            let others: Rows<String> =
                rows.iter()
                    .map(|list| {
                        // A null list and an empty one have one row each.
                        let list = list.as_ref().filter(|list| !list.is_empty());
                        Some(list.map_or_else(Vec::new, |list| {
                            list.iter().map(|x| Some(format!("{x:?}"))).collect()
                        }))
                    })
                    .collect();
            let numbers: Vec<i64> = (0..).take(n).collect();
            let frame = ColumnAccessor::from_columns([
                ("n", Column::from_slice(&numbers, &exec).unwrap()),
                ("l", lists(&rows, &exec)),
                ("s", lists(&others, &exec)),
            ])
            .unwrap();
            let exploded = explode(&frame, ["l", "s"], &exec).unwrap();
            let (mut number, mut items, mut words) = (vec![], vec![], vec![]);
            for (row, list) in rows.iter().enumerate() {
                let list = list.clone().filter(|list| !list.is_empty());
                let texts = list.as_ref().map(|list| list.iter().map(|x| Some(format!("{x:?}"))).collect());
                for (item, word) in list
                    .unwrap_or_else(|| vec![None])
                    .into_iter()
                    .zip::<Vec<_>>(texts.unwrap_or_else(|| vec![None]))
                {
                    number.push(Some(i64::try_from(row).unwrap()));
                    items.push(item);
                    words.push(word);
                }
            }
            let what = format!("{device}, {n} rows");
            assert_eq!(exploded.rows(), items.len(), "{what}");
            assert_eq!(flat::<i64>(exploded.get("n").unwrap()), number, "{what}");
            assert_eq!(flat::<i64>(exploded.get("l").unwrap()), items, "{what}");
            assert_eq!(flat::<String>(exploded.get("s").unwrap()), words, "{what}");
        }
    }
}

/// `pandas.DataFrame({"k": [1, 2, 3], "a": [[1, 2], [], None], "b": [["x", "y"], None, ["z"]]}).explode(["a", "b"])`
#[test]
fn explode_of_two_columns_matches_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let a = vec![Some(vec![Some(1), Some(2)]), Some(vec![]), None];
        let b = vec![Some(vec![Some("x"), Some("y")]), None, Some(vec![Some("z")])];
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&[1_i64, 2, 3], &exec).unwrap()),
            ("a", lists(&a, &exec)),
            ("b", lists(&b, &exec)),
        ])
        .unwrap();
        let rows = explode(&frame, ["a", "b"], &exec).unwrap();
        assert_eq!(texts(rows.get("k").unwrap()), "1 1 2 3", "{device}");
        assert_eq!(texts(rows.get("a").unwrap()), "1 2 <NA> <NA>", "{device}");
        assert_eq!(texts(rows.get("b").unwrap()), "x y <NA> z", "{device}");
    }
}

#[test]
fn nested_lists_are_functions_of_their_items() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let inner = lists(&sample(), &exec);
        let outer = ListColumn::from_lengths(&inner, [Some(2), Some(0), Some(4), None], &exec).unwrap();
        let columns = [("l", Column::List(outer))];
        let run = |expr: Expr| texts(&value_of(expr, &columns, &exec).unwrap());
        let l = || col("l").list();
        assert_eq!(run(l().get(0).list().sum()), "5 <NA> <NA> <NA>", "{device}");
        assert_eq!(run(l().last().list().len()), "0 <NA> 3 <NA>", "{device}");
        assert_eq!(
            run(l().sort()),
            "[[], [3, 1, <NA>, 1]] [] [[2, 2, -7], [5], [<NA>], <NA>] <NA>",
            "{device}"
        );
        assert_eq!(
            run(concat_list([col("l"), col("l")]).list().unique().list().len()),
            "2 0 4 <NA>",
            "{device}"
        );
        assert_eq!(run(l().contains_value(l().get(1))), "true false true <NA>", "{device}");
    }
}

#[test]
fn wrong_arguments_are_typed_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let words: Rows<&str> = vec![Some(vec![Some("a")]); 6];
        let columns = [
            ("l", lists(&sample(), &exec)),
            ("s", lists(&words, &exec)),
            ("x", Column::from_slice(&[1.5, 2.5, 0.0, 0.0, 0.0, 0.0], &exec).unwrap()),
        ];
        let error = |expr: Expr| value_of(expr, &columns, &exec).unwrap_err();
        let found = error(col("l").list().get_checked(1));
        let text = found.to_string();
        assert!(
            text.contains("l.list().get_checked(1)") && text.contains("position 1 is out of bounds for 0"),
            "{text}"
        );
        let last = value_of(col("s").list().get_checked(-1), &columns, &exec).unwrap();
        assert_eq!(texts(&last), "a a a a a a");
        for (expr, dtype) in [
            (col("x").list().len(), "float64"),
            (col("s").list().sum(), "utf8"),
            (col("l").list().join(","), "list<int64>"),
            (col("l").list().get_at(col("x")), "float64"),
            (col("l").list().contains_value(col("s")), "list<utf8>"),
            (concat_list([col("l"), col("s")]), "utf8"),
        ] {
            let text = expr.to_string();
            let found = error(expr).to_string();
            assert!(found.contains(&text) && found.contains(dtype), "{text}: {found}");
        }
        let frame = ColumnAccessor::from_columns(columns.clone()).unwrap();
        let found = explode(&frame, ["l", "s"], &exec).unwrap_err().to_string();
        assert!(found.contains("row 0 has 1 items, and 4 in \"l\""), "{found}");
        assert!(explode(&frame, ["x"], &exec).unwrap_err().to_string().contains("\"x\""));
        let none: [Label; 0] = [];
        assert!(matches!(explode(&frame, none, &exec), Err(Error::InvalidArgument { name: "labels", .. })));
    }
}

#[test]
fn explode_of_rows_that_exceed_the_budget_is_that_of_all() {
    let mut rng = Rng::new(6);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let n = if device == Device::Host { 20_000 } else { 4_000 };
        let lengths: Vec<Option<usize>> =
            (0..n).map(|_| Some(usize::try_from(rng.below(6)).unwrap()).filter(|len| *len != 5)).collect();
        let items: usize = lengths.iter().flatten().sum();
        let items = Column::from_values((0..items).map(|item| format!("é{item}")), &exec).unwrap();
        let lists = ListColumn::from_lengths(&items, lengths, &exec).unwrap();
        let numbers = Column::from_values((0..).take(n).map(|row: i64| row * 3), &exec).unwrap();
        let texts =
            Column::from_values((0..n).map(|row| format!("{row} {}", "ß".repeat(40))), &exec).unwrap();
        let rows = [("x", numbers), ("t", texts), ("l", Column::List(lists))];
        let rows = ColumnAccessor::from_columns(rows).unwrap().slice(3, n - 5).unwrap();
        let expected = explode(&rows, ["l"], &exec).unwrap();
        let limit = rows.row_bytes().unwrap() / 2;
        let (manager, tight) = limited(&exec, limit);
        let source = moved(&rows, &tight);
        let (peak, found) = peak_of(&manager, || explode(&source, ["l"], &tight).unwrap());
        assert!(peak <= limit, "{peak} of {limit} on {device}");
        assert_lines(&lines(&found), &lines(&expected), &device.to_string());
    }
}
