//! Items by their positions and positions of items on every device, against a naive reference and Polars.

use super::leaves;
use super::tests::{Rows, flat, lists, random, sample, texts, value_of};
use crate::expression::{Expr, col, concat_list, lit};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ListColumn};
use columnade_tests::Rng;

/// The item at a position that may count from the end; the outer option is whether there is such a position.
#[expect(clippy::option_option, reason = "an item that is null is not one that is missing")]
fn item(list: &[Option<i64>], at: i64) -> Option<Option<i64>> {
    let at = if at < 0 { at + i64::try_from(list.len()).unwrap() } else { at };
    list.get(usize::try_from(at).ok()?).copied()
}

fn positions(n: usize, rng: &mut Rng) -> Vec<Option<i64>> {
    (0..n).map(|_| (rng.below(6) > 0).then(|| i64::try_from(rng.below(9)).unwrap() - 4)).collect()
}

#[test]
fn positions_of_random_lists_match_naive_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        for n in [0, 1, 31, 32, 33, 63, 64, 65, 255, 256, 257] {
            let rows = random(n, &mut rng);
            let (at, default) = (positions(n, &mut rng), positions(n, &mut rng));
            let wanted: Rows<i64> = (0..n)
                .map(|_| {
                    let count = usize::try_from(rng.below(5)).unwrap();
                    (rng.below(5) > 0).then(|| positions(count, &mut rng))
                })
                .collect();
            let columns = [
                ("l", lists(&rows, &exec)),
                ("w", lists(&wanted, &exec)),
                ("at", Column::from_options(at.clone(), &exec).unwrap()),
                ("default", Column::from_options(default.clone(), &exec).unwrap()),
            ];
            let run = |expr: Expr| value_of(expr, &columns, &exec).unwrap();
            let what = format!("{device}, {n} rows");
            let l = || col("l").list();

            let expected = rows.iter().zip(&at).map(|(list, at)| item(list.as_ref()?, (*at)?)?);
            assert_eq!(flat::<i64>(&run(l().get_at(col("at")))), expected.collect::<Vec<_>>(), "{what}");

            let expected = rows
                .iter()
                .zip(&at)
                .zip(&default)
                .map(|((list, at), default)| item(list.as_ref()?, (*at)?).unwrap_or(*default));
            let found = run(l().get_at_or(col("at"), col("default")));
            assert_eq!(flat::<i64>(&found), expected.collect::<Vec<_>>(), "{what}");

            let expected = rows.iter().map(|list| item(list.as_ref()?, -2).unwrap_or(Some(99)));
            assert_eq!(flat::<i64>(&run(l().get_or(-2, 99))), expected.collect::<Vec<_>>(), "{what}");

            let taken = |list: &[Option<i64>], wanted: &[Option<i64>]| -> Vec<Option<i64>> {
                wanted.iter().map(|at| item(list, (*at)?)?).collect()
            };
            let expected: Rows<i64> = rows
                .iter()
                .zip(&wanted)
                .map(|(list, wanted)| Some(taken(list.as_ref()?, wanted.as_ref()?)))
                .collect();
            assert_eq!(texts(&run(l().take(col("w")))), texts(&lists(&expected, &exec)), "{what}");

            let each = [0, -1, 1, 0];
            let expected: Rows<i64> =
                rows.iter().map(|list| Some(taken(list.as_ref()?, &each.map(Some)))).collect();
            assert_eq!(texts(&run(l().take_each(each))), texts(&lists(&expected, &exec)), "{what}");
            let none: Rows<i64> = rows.iter().map(|list| list.as_ref().map(|_| vec![])).collect();
            assert_eq!(texts(&run(l().take_each([]))), texts(&lists(&none, &exec)), "{what}");

            let place = |list: &[Option<i64>], value: Option<i64>| {
                list.iter().position(|item| *item == value).map_or(-1, |at| i64::try_from(at).unwrap())
            };
            let expected = rows.iter().zip(&at).map(|(list, value)| Some(place(list.as_ref()?, *value)));
            assert_eq!(flat::<i64>(&run(l().index_of(col("at")))), expected.collect::<Vec<_>>(), "{what}");
            let expected = rows.iter().map(|list| Some(place(list.as_ref()?, Some(1))));
            assert_eq!(flat::<i64>(&run(l().index(1))), expected.collect::<Vec<_>>(), "{what}");

            let expected: Vec<_> = rows.iter().flatten().flatten().copied().collect();
            assert_eq!(flat::<i64>(&leaves(&columns[0].1, &exec).unwrap()), expected, "{what}");
        }
    }
}

/// `polars.Series(sample).list.gather(…, null_on_oob=True)` and, of one position, `get`.
#[test]
fn items_at_positions_match_polars() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let wanted: Rows<i64> = vec![
            Some(vec![Some(0), Some(-1), None, Some(4)]),
            Some(vec![Some(0)]),
            Some(vec![Some(0), Some(1)]),
            Some(vec![]),
            None,
            Some(vec![Some(-3), Some(-4), Some(2)]),
        ];
        let columns = [("l", lists(&sample(), &exec)), ("w", lists(&wanted, &exec))];
        let run = |expr: Expr| texts(&value_of(expr, &columns, &exec).unwrap());
        let l = || col("l").list();
        for (expr, expected) in [
            (l().take(col("w")), "[3, 1, <NA>, <NA>] [<NA>] <NA> [] <NA> [2, <NA>, -7]"),
            (l().take_each([0, -1]), "[3, 1] [<NA>, <NA>] <NA> [5, 5] [<NA>, <NA>] [2, -7]"),
            (l().get_or(1, 8), "1 8 <NA> 8 8 2"),
            (l().get_or(i64::MIN, 8), "8 8 <NA> 8 8 8"),
            (l().index(1), "1 -1 <NA> -1 -1 -1"),
        ] {
            let text = expr.to_string();
            assert_eq!(run(expr), expected, "{device}: {text}");
        }
    }
}

#[test]
fn positions_of_strings_floats_and_lists_match_naive_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let words: Rows<&str> = vec![
            Some(vec![Some("é"), None, Some("")]),
            Some(vec![Some("日本語日本語日本語"), Some("x")]),
            Some(vec![]),
            None,
        ];
        let floats: Rows<f64> = vec![
            Some(vec![Some(f64::NAN), Some(-0.0)]),
            Some(vec![Some(1.0), Some(0.0), Some(f64::NAN)]),
            Some(vec![None]),
            None,
        ];
        let inner = lists(&sample(), &exec);
        let nested = ListColumn::from_lengths(&inner, [Some(2), Some(0), Some(4), None], &exec).unwrap();
        let columns =
            [("s", lists(&words, &exec)), ("f", lists(&floats, &exec)), ("n", Column::List(nested))];
        let value = |expr: Expr| value_of(expr, &columns, &exec).unwrap();
        let run = |expr: Expr| texts(&value(expr));
        let word = |expr: Expr| -> Vec<Option<String>> { flat(&value(expr)) };
        let owned = |words: [Option<&str>; 4]| words.map(|word| word.map(str::to_owned));
        assert_eq!(
            word(col("s").list().get_or(1, "none")),
            owned([None, Some("x"), Some("none"), None]),
            "{device}"
        );
        assert_eq!(
            word(col("s").list().get_at_or(lit(-3), col("s").list().last())),
            owned([Some("é"), Some("x"), None, None]),
            "{device}"
        );
        assert_eq!(run(col("s").list().index("x")), "-1 1 -1 <NA>", "{device}");
        assert_eq!(run(col("s").list().index("")), "2 -1 -1 <NA>", "{device}");
        assert_eq!(
            run(col("s").list().take_each([1]).list().get(0).is_null()),
            "true false true true",
            "{device}"
        );
        assert_eq!(run(col("f").list().index(f64::NAN)), "0 2 -1 <NA>", "{device}");
        assert_eq!(run(col("f").list().index(0.0)), "1 1 -1 <NA>", "{device}");
        assert_eq!(run(col("f").list().index_of(col("f").list().get(9))), "-1 -1 0 <NA>", "{device}");
        assert_eq!(
            run(col("n").list().take_each([-1, 0])),
            "[[], [3, 1, <NA>, 1]] [<NA>, <NA>] [[2, 2, -7], <NA>] <NA>",
            "{device}"
        );
        assert_eq!(run(col("n").list().index_of(col("n").list().get(1))), "1 -1 1 <NA>", "{device}");
        assert_eq!(texts(&leaves(&columns[2].1, &exec).unwrap()), "3 1 <NA> 1 5 <NA> 2 2 -7", "{device}");
    }
}

#[test]
fn positions_outside_of_lists_are_errors_where_they_are_asked_for() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows: Rows<i64> = vec![None, Some(vec![Some(3), None]), Some(vec![Some(5)])];
        let wanted: Rows<i64> = vec![Some(vec![Some(7)]), Some(vec![Some(-2), None, Some(1)]), None];
        let columns = [
            ("l", lists(&rows, &exec)),
            ("w", lists(&wanted, &exec)),
            ("at", Column::from_options([Some(9), None, Some(-1)], &exec).unwrap()),
            ("x", Column::from_slice(&[0.5, 1.5, 2.5], &exec).unwrap()),
        ];
        let l = || col("l").list();
        let run = |expr: Expr| value_of(expr, &columns, &exec);
        // Neither null lists nor null positions are errors.
        assert_eq!(texts(&run(l().take_checked(col("w"))).unwrap()), "<NA> [3, <NA>, <NA>] <NA>", "{device}");
        assert_eq!(texts(&run(l().get_at_checked(col("at"))).unwrap()), "<NA> <NA> 5", "{device}");
        assert_eq!(texts(&run(l().take_each_checked([0, -1])).unwrap()), "<NA> [3, <NA>] [5, 5]", "{device}");
        for (expr, expected) in [
            (l().take_each_checked([0, 1]), "row 2: position 1 is out of bounds for 1"),
            (l().take_each_checked([0, -2]), "row 2: position -2 is out of bounds for 1"),
            (l().get_at_checked(l().len()), "row 1: position 2 is out of bounds for 2"),
            (l().take_checked(col("l")), "row 1: position 3 is out of bounds for 2"),
            (l().take(col("x")), "float64"),
            (l().get_at_checked(col("x")), "float64"),
            (l().index_of(col("w")), "list<int64>"),
            (col("x").list().index(1), "float64"),
            (col("x").list().take_each([1]), "float64"),
            (l().get_or(0, "a"), "int64"),
        ] {
            let text = expr.to_string();
            let found = run(expr).unwrap_err().to_string();
            assert!(found.contains(expected) && found.contains(&text), "{device}, {text}: {found}");
        }
        assert!(leaves(&columns[3].1, &exec).unwrap_err().to_string().contains("float64"));
    }
}

#[test]
fn values_that_are_no_lists_are_joined_as_one_item() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        for n in [0, 1, 31, 33, 64, 257] {
            let rows = random(n + 2, &mut rng);
            let (x, y) = (positions(n + 2, &mut rng), positions(n + 2, &mut rng));
            let sliced = |column: Column| column.slice(2, n).unwrap();
            let columns = [
                ("l", sliced(lists(&rows, &exec))),
                ("x", sliced(Column::from_options(x.clone(), &exec).unwrap())),
                ("y", sliced(Column::from_options(y.clone(), &exec).unwrap())),
            ];
            let run = |expr: Expr| texts(&value_of(expr, &columns, &exec).unwrap());
            let expected = |of: &dyn Fn(usize) -> Option<Vec<Option<i64>>>| {
                texts(&lists(&(2..n + 2).map(of).collect::<Rows<i64>>(), &exec))
            };
            let what = format!("{device}, {n} rows");
            let both = expected(&|row| Some(vec![x[row], y[row]]));
            assert_eq!(run(concat_list([col("x"), col("y")])), both, "{what}");
            let last = expected(&|row| rows[row].clone().map(|list| [list, vec![x[row]]].concat()));
            assert_eq!(run(concat_list([col("l"), col("x")])), last, "{what}");
            assert_eq!(run(col("l").list().concat(col("x"))), last, "{what}");
            let first = expected(&|row| rows[row].clone().map(|list| [vec![y[row]], list].concat()));
            assert_eq!(run(concat_list([col("y"), col("l")])), first, "{what}");
            let constant = expected(&|row| rows[row].clone().map(|list| [list, vec![Some(7)]].concat()));
            assert_eq!(run(concat_list([col("l"), lit(7)])), constant, "{what}");
        }
    }
}
