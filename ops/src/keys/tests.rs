//! Groups, sorts, joins and comparisons by lists, structs and intervals on every device, against outputs of Polars and
//! DuckDB and a naive reference.

use crate::distinct::{Keep, duplicated, factorize, is_in, unique};
use crate::expression::{Expr, col, evaluate, len};
use crate::groupby::{GroupOptions, NullKeys, aggregate};
use crate::join::{JoinKind, JoinSide, NullEquality, join_rows};
use crate::sort::{NullOrder, Order, SortColumn, sort_by};
use crate::test_frames::{limited, lines, moved, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{
    Closed, Column, ColumnAccessor, DType, Error, IntervalScalar, ListColumn, Scalar, StructColumn,
};
use columnade_tests::Rng;
use std::cmp::Ordering;

type Items = Option<Vec<Option<i64>>>;

fn lists(rows: &[Items], exec: &Exec) -> Column {
    let items = Column::from_options(rows.iter().flatten().flatten().copied(), exec).unwrap();
    let lengths = rows.iter().map(|list| list.as_ref().map(Vec::len));
    Column::List(ListColumn::from_lengths(&items, lengths, exec).unwrap())
}

fn texts(column: &Column) -> String {
    let texts: Vec<String> = column.to_scalars().unwrap().iter().map(ToString::to_string).collect();
    texts.join(" ")
}

fn sorted(column: &Column, order: Order, nulls: NullOrder, exec: &Exec) -> String {
    let frame = ColumnAccessor::from_columns([("x", column.clone())]).unwrap();
    let by = SortColumn { position: 0, order, nulls };
    texts(sort_by(&frame, &[by], exec).unwrap().get("x").unwrap())
}

const FIRST: NullOrder = NullOrder::First;
const LAST: NullOrder = NullOrder::Last;
const UP: Order = Order::Ascending;
const DOWN: Order = Order::Descending;

#[test]
fn order_of_lists_matches_polars_and_duckdb() {
    let list = |items: &[i64]| Some(items.iter().copied().map(Some).collect::<Vec<_>>());
    let rows: [Items; 9] = [
        list(&[2]),
        list(&[1, 5]),
        list(&[1]),
        list(&[]),
        None,
        Some(vec![Some(1), None]),
        Some(vec![None]),
        list(&[1, 5, 0]),
        Some(vec![None, Some(3)]),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = lists(&rows, &exec);
        // Polars, `sort("l")`.
        let polars = "<NA> [] [<NA>] [<NA>, 3] [1] [1, <NA>] [1, 5] [1, 5, 0] [2]";
        assert_eq!(sorted(&column, UP, FIRST, &exec), polars, "{device}");
        // DuckDB, `order by l`.
        let duckdb = "[] [1] [1, 5] [1, 5, 0] [1, <NA>] [2] [<NA>] [<NA>, 3] <NA>";
        assert_eq!(sorted(&column, UP, LAST, &exec), duckdb, "{device}");
        // Polars, `sort("l", descending=True, nulls_last=True)`.
        let down = "[2] [1, 5, 0] [1, 5] [1, <NA>] [1] [<NA>, 3] [<NA>] [] <NA>";
        assert_eq!(sorted(&column, DOWN, LAST, &exec), down, "{device}");
    }
}

#[test]
fn order_of_structs_and_intervals_matches_polars_and_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let a = Column::from_options([Some(2_i64), Some(1), None, Some(8), Some(1)], &exec).unwrap();
        let b = Column::from_options([Some("x"), None, Some("z"), Some("!"), Some("a")], &exec).unwrap();
        let mask = Column::from_values([true, true, true, false, true], &exec).unwrap();
        let mask = mask.data().cloned();
        let structs = Column::Struct(StructColumn::new([("a", a), ("b", b)], mask, 0, 5).unwrap());
        let show = |order, nulls| sorted(&structs, order, nulls, &exec);
        // Polars, `sort("s")` with `nulls_last` and `descending`.
        let up = "<NA> {a: <NA>, b: z} {a: 1, b: <NA>} {a: 1, b: a} {a: 2, b: x}";
        assert_eq!(show(UP, FIRST), up, "{device}");
        let down = "{a: 2, b: x} {a: 1, b: a} {a: 1, b: <NA>} {a: <NA>, b: z} <NA>";
        assert_eq!(show(DOWN, LAST), down, "{device}");

        // `pandas.arrays.IntervalArray`: by the left ends, then by the right ones.
        let span = |left: f64, right: f64| {
            let (left, right) = (Scalar::from(left), Scalar::from(right));
            Scalar::Interval(Box::new(IntervalScalar { left, right, closed: Closed::Left }))
        };
        let dtype = DType::interval(DType::Float64, Closed::Left);
        let values =
            [span(1.0, 3.0), span(0.0, 9.0), Scalar::Null(dtype.clone()), span(1.0, 2.0), span(-0.0, 7.5)];
        let spans = Column::from_scalars(&dtype, &values, &exec).unwrap();
        let up = "[-0.0, 7.5) [0.0, 9.0) [1.0, 2.0) [1.0, 3.0) <NA>";
        assert_eq!(sorted(&spans, UP, LAST, &exec), up, "{device}");
    }
}

/// Values of every kind of key, as one number for each that tells which are equal.
fn keys(n: usize, distinct: u64, rng: &mut Rng, exec: &Exec) -> ColumnAccessor {
    let choices: Vec<u64> = (0..n).map(|_| rng.below(distinct)).collect();
    let number = |choice: u64| i64::try_from(choice).unwrap();
    let zero = |choice: u64, row: usize| match choice % 4 {
        0 => Some(if row.is_multiple_of(2) { 0.0 } else { -0.0 }),
        1 => Some(f64::NAN),
        2 => None,
        _ => Some(f64::from(u32::try_from(choice).unwrap())),
    };
    let floats: Vec<Option<f64>> = choices.iter().enumerate().map(|(row, &c)| zero(c, row)).collect();
    let lengths: Vec<Option<usize>> =
        choices.iter().map(|&c| (c != 1).then_some(usize::try_from(c % 6).unwrap())).collect();
    let mut items = Vec::new();
    for (row, (&choice, length)) in choices.iter().zip(&lengths).enumerate() {
        items.extend((0..length.unwrap_or(0)).map(|at| {
            if at == 2 { zero(choice, row) } else { Some(f64::from(u32::try_from(choice / 6).unwrap())) }
        }));
    }
    let items = Column::from_options(items, exec).unwrap();
    let lists = Column::List(ListColumn::from_lengths(&items, lengths, exec).unwrap());
    let words: Vec<String> = choices.iter().map(|c| format!("é{}", c % 3)).collect();
    let words = Column::from_values(words, exec).unwrap();
    let floats = Column::from_options(floats, exec).unwrap();
    let structs = StructColumn::new([("w", words), ("f", floats)], None, 0, n).unwrap();
    let bytes: Vec<Vec<u8>> = choices.iter().map(|&c| vec![0xff; usize::try_from(c % 5).unwrap()]).collect();
    let bytes: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    let durations = choices.iter().map(|&c| Scalar::Duration(number(c), columnade_columns::TimeUnit::Second));
    let durations: Vec<Scalar> = durations.collect();
    let seconds = DType::Duration(columnade_columns::TimeUnit::Second);
    let rows: Vec<i64> = (0..).take(n).collect();
    ColumnAccessor::from_columns([
        ("list", lists),
        ("struct", Column::Struct(structs)),
        ("bytes", Column::from_values(bytes, exec).unwrap()),
        ("duration", Column::from_scalars(&seconds, &durations, exec).unwrap()),
        ("row", Column::from_slice(&rows, exec).unwrap()),
    ])
    .unwrap()
}

/// The values of a column as text, with one zero.
fn words(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(|value| value.to_string().replace("-0.0", "0.0")).collect()
}

#[test]
fn groups_and_distinct_rows_match_naive_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in [0, 1, 33, 65, 200] {
            let frame = keys(n + 5, 23, &mut Rng::new(9), &exec).slice(5, n).unwrap();
            for label in ["list", "struct", "bytes", "duration"] {
                let what = format!("{device}, {label}, {n} rows");
                let key = frame.get(label).unwrap();
                let words = words(key);
                let firsts: Vec<usize> = (0..n).filter(|&row| !words[..row].contains(&words[row])).collect();
                let is_null = |row: usize| words[row] == "<NA>";

                let kept = unique(&frame, [label], Keep::First, &exec).unwrap();
                let rows = kept.get("row").unwrap().to_vec::<i64>().unwrap();
                let first_rows: Vec<i64> =
                    firsts.iter().map(|&row| i64::try_from(row + 5).unwrap()).collect();
                assert_eq!(rows, first_rows, "{what}");
                let mask = duplicated(&frame, [label], Keep::Last, &exec).unwrap().to_vec::<bool>().unwrap();
                let last = |row: usize| words[row + 1..].contains(&words[row]);
                assert_eq!(mask, (0..n).map(last).collect::<Vec<_>>(), "{what}");

                for null_keys in [NullKeys::Drop, NullKeys::Group] {
                    let options = GroupOptions { null_keys };
                    let counted = [len().alias("n"), col("row").sum().alias("sum"), col("row").median()];
                    let found = aggregate(&frame, None, &[col(label)], &counted, options, &exec).unwrap();
                    let groups: Vec<usize> = firsts
                        .iter()
                        .copied()
                        .filter(|&row| null_keys == NullKeys::Group || !is_null(row))
                        .collect();
                    let size = |&row: &usize| {
                        i64::try_from(words.iter().filter(|word| **word == words[row]).count()).unwrap()
                    };
                    let sizes: Vec<i64> = groups.iter().map(size).collect();
                    assert_eq!(found.get("n").unwrap().to_vec::<i64>().unwrap(), sizes, "{what}");
                    let expected: Vec<String> = groups.iter().map(|&row| words[row].clone()).collect();
                    assert_eq!(super::tests::words(found.get(label).unwrap()), expected, "{what}");
                }
                let over = evaluate(&[len().over(label)], &frame, &exec).unwrap().swap_remove(0).1;
                let expected = (0..n).map(|row| {
                    let size = words.iter().filter(|word| **word == words[row]).count();
                    (!is_null(row)).then(|| i64::try_from(size).unwrap())
                });
                assert_eq!(over.to_options::<i64>().unwrap(), expected.collect::<Vec<_>>(), "{what}");
                let codes = factorize(key, &exec).unwrap().codes.to_options::<i64>().unwrap();
                let known: Vec<&String> =
                    firsts.iter().filter(|&&row| !is_null(row)).map(|&row| &words[row]).collect();
                let expected = words.iter().map(|word| known.iter().position(|other| *other == word));
                let expected = expected.map(|code| code.map(|code| i64::try_from(code).unwrap()));
                assert_eq!(codes, expected.collect::<Vec<_>>(), "{what}");
            }
        }
    }
}

#[test]
fn joins_and_equality_match_nested_loop() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let left = keys(70, 19, &mut Rng::new(1), &exec).slice(3, 60).unwrap();
        let right = keys(50, 25, &mut Rng::new(2), &exec);
        for label in ["list", "struct", "bytes", "duration"] {
            let (a, b) = (words(left.get(label).unwrap()), words(right.get(label).unwrap()));
            for nulls in [NullEquality::Equal, NullEquality::Unequal] {
                let what = format!("{device}, {label}, {nulls:?}");
                let matches =
                    |i: usize, j: usize| a[i] == b[j] && (nulls == NullEquality::Equal || a[i] != "<NA>");
                let at = left.position(label).unwrap();
                let sides = [(&left, [at]), (&right, [at])];
                let [l, r] =
                    [&sides[0], &sides[1]].map(|(columns, keys)| JoinSide { columns, keys, output: &[4] });
                let joined = join_rows(l, r, JoinKind::Inner, nulls, &exec).unwrap();
                let numbers = |columns: &ColumnAccessor| columns.columns()[0].to_vec::<i64>().unwrap();
                let pairs: Vec<(i64, i64)> =
                    numbers(&joined.left).into_iter().zip(numbers(joined.right.as_ref().unwrap())).collect();
                let expected = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
                let expected = expected.filter(|&(i, j)| matches(i, j));
                let number = |row: usize| i64::try_from(row).unwrap();
                let expected: Vec<_> = expected.map(|(i, j)| (number(i + 3), number(j))).collect();
                assert_eq!(pairs, expected, "{what}");
                let anti = join_rows(l, r, JoinKind::Anti, nulls, &exec).unwrap().left;
                let alone = (0..a.len()).filter(|&i| !(0..b.len()).any(|j| matches(i, j)));
                assert_eq!(numbers(&anti), alone.map(|i| number(i + 3)).collect::<Vec<_>>(), "{what}");
            }
            let among =
                is_in(left.get(label).unwrap(), right.get(label).unwrap(), NullEquality::Equal, &exec);
            let expected: Vec<bool> = a.iter().map(|word| b.contains(word)).collect();
            assert_eq!(among.unwrap().to_vec::<bool>().unwrap(), expected, "{device}, {label}");
        }
        let shifted = keys(70, 19, &mut Rng::new(1), &exec).slice(4, 60).unwrap();
        for label in ["list", "struct"] {
            let (a, b) = (words(left.get(label).unwrap()), words(shifted.get(label).unwrap()));
            let frame = ColumnAccessor::from_columns([
                ("a", left.get(label).unwrap().clone()),
                ("b", shifted.get(label).unwrap().clone()),
            ])
            .unwrap();
            let run =
                |expr: Expr| evaluate(&[expr], &frame, &exec).unwrap()[0].1.to_options::<bool>().unwrap();
            let both = |row: usize| a[row] != "<NA>" && b[row] != "<NA>";
            let expected: Vec<_> = (0..60).map(|row| both(row).then(|| a[row] == b[row])).collect();
            assert_eq!(run(col("a").eq(col("b"))), expected, "{device}, {label}");
            let expected: Vec<_> = (0..60).map(|row| both(row).then(|| a[row] != b[row])).collect();
            assert_eq!(run(col("a").ne(col("b"))), expected, "{device}, {label}");
        }
    }
}

/// Lists by the rules of a sort in ascending order, nulls last.
fn compare(a: &Items, b: &Items) -> Ordering {
    let null_last = |x: &Option<i64>| (x.is_none(), *x);
    let order = |list: &Items| list.as_ref().map(|list| list.iter().map(null_last).collect::<Vec<_>>());
    (a.is_none(), order(a)).cmp(&(b.is_none(), order(b)))
}

fn random(n: usize, rng: &mut Rng) -> Vec<Items> {
    let value = |rng: &mut Rng| (rng.below(5) > 0).then(|| i64::try_from(rng.below(3)).unwrap());
    let list = |rng: &mut Rng| {
        let length = if rng.below(20) == 0 { 33 } else { rng.below(5) };
        (rng.below(9) > 0).then(|| (0..length).map(|_| value(rng)).collect())
    };
    (0..n).map(|_| list(rng)).collect()
}

#[test]
fn random_lists_are_sorted_and_compared_as_by_naive_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in [0, 1, 32, 65, 400] {
            let rows = random(n, &mut Rng::new(17));
            let column = lists(&rows, &exec);
            let mut expected = rows.clone();
            expected.sort_by(compare);
            assert_eq!(sorted(&column, UP, LAST, &exec), texts(&lists(&expected, &exec)), "{device}, {n}");
            if n < 2 {
                continue;
            }
            let shifted: Vec<Items> = rows[1..].iter().chain(&rows[..1]).cloned().collect();
            let frame = ColumnAccessor::from_columns([("a", column), ("b", lists(&shifted, &exec))]).unwrap();
            for (expr, holds) in [
                (col("a").lt(col("b")), [Ordering::Less].as_slice()),
                (col("a").ge(col("b")), &[Ordering::Greater, Ordering::Equal]),
            ] {
                let found = evaluate(&[expr], &frame, &exec).unwrap()[0].1.to_options::<bool>().unwrap();
                let expected = rows
                    .iter()
                    .zip(&shifted)
                    .map(|(a, b)| (a.is_some() && b.is_some()).then(|| holds.contains(&compare(a, b))));
                assert_eq!(found, expected.collect::<Vec<_>>(), "{device}, {n}");
            }
        }
    }
}

#[test]
fn sorts_groups_and_joins_out_of_core_equal_those_in_memory() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = keys(3000, 400, &mut Rng::new(4), &exec);
        let limit = share_of(frame.row_bytes().unwrap(), 2, device);
        let (_manager, tight) = limited(&exec, limit);
        let small = moved(&frame, &tight);
        for label in ["list", "struct"] {
            let what = format!("{device}, {label}");
            let by = SortColumn { position: frame.position(label).unwrap(), order: UP, nulls: LAST };
            let run = |frame: &ColumnAccessor, exec: &Exec| lines(&sort_by(frame, &[by], exec).unwrap());
            assert_eq!(run(&small, &tight), run(&frame, &exec), "{what}");
            let run = |frame: &ColumnAccessor, exec: &Exec| {
                let options = GroupOptions { null_keys: NullKeys::Group };
                lines(&aggregate(frame, None, &[col(label)], &[len()], options, exec).unwrap())
            };
            assert_eq!(run(&small, &tight), run(&frame, &exec), "{what}");
        }
    }
}

#[test]
fn keys_of_different_dtypes_are_typed_errors() {
    let exec = Exec::host();
    let numbers = lists(&[Some(vec![Some(1)])], &exec);
    let words = Column::from_values(["a"], &exec).unwrap();
    let words = Column::List(ListColumn::from_lengths(&words, [Some(1)], &exec).unwrap());
    let found = is_in(&numbers, &words, NullEquality::Equal, &exec).unwrap_err();
    assert!(matches!(found, Error::Context { .. } | Error::DTypeMismatch { .. }), "{found:?}");
    let text = found.to_string();
    assert!(text.contains("list<int64>") && text.contains("list<utf8>"), "{text}");
    let frame = ColumnAccessor::from_columns([("a", numbers), ("b", words)]).unwrap();
    let text = evaluate(&[col("a").eq(col("b"))], &frame, &exec).unwrap_err().to_string();
    assert!(text.contains("(a == b)") && text.contains("list<utf8>"), "{text}");
}
