//! Joins with conditions, and with the nearest row, against nested loops.

use super::asof_join::asof_join_with;
use super::inequality::inequality_ranges;
use super::join_rows::{Join, join_rows_with};
use super::{Asof, AsofStrategy, JoinKind, JoinSide, Joined, NullEquality, PairCondition, check_sorted};
use crate::cast::{CastMode, cast};
use crate::expression::{Expr, col, days, lit, milliseconds, row_number};
use crate::groupby::grouped_rows::column_of;
use crate::out_of_core::Driver;
use crate::test_frames::{limited, moved, peak_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Scalar, TimeUnit};
use columnade_kernels::RowMap;
use columnade_kernels::joining::pairs::Pairs;
use columnade_tests::Rng;

type Value = Option<i64>;
type Row = (Option<usize>, Option<usize>);
type Holds = fn([Value; 2], [Value; 2]) -> bool;
type HoldsOf<'a> = Box<dyn Fn(usize, usize) -> Option<bool> + 'a>;

const KINDS: [JoinKind; 5] =
    [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti, JoinKind::Full];

/// Rows of a key and a value, either of which may be null.
fn rows(n: usize, keys: u64, values: u64, rng: &mut Rng) -> Vec<[Value; 2]> {
    let mut value =
        |below| Some(rng.below(below + 1)).filter(|&v| v < below).and_then(|v| i64::try_from(v).ok());
    (0..n).map(|_| [value(keys), value(values)]).collect()
}

/// The columns of rows after the first, so that they have an offset, with row numbers.
fn frame(rows: &[[Value; 2]], exec: &Exec) -> ColumnAccessor {
    let column = |at: usize| {
        let values = std::iter::once(None).chain(rows.iter().map(|row| row[at]));
        Column::from_options(values.collect::<Vec<_>>(), exec).unwrap().slice(1, rows.len()).unwrap()
    };
    let numbers = Column::from_values((0_i64..).take(rows.len()), exec).unwrap();
    ColumnAccessor::from_columns([("k", column(0)), ("v", column(1)), ("row", numbers)]).unwrap()
}

fn numbers(rows: &ColumnAccessor) -> Vec<Option<usize>> {
    let numbers = rows.get("row").unwrap().to_options::<i64>().unwrap();
    numbers.into_iter().map(|row| row.map(|row| usize::try_from(row).unwrap())).collect()
}

fn pairs_of(joined: &Joined) -> Vec<Row> {
    let left = numbers(&joined.left);
    match &joined.right {
        Some(right) => left.into_iter().zip(numbers(right)).collect(),
        None => left.into_iter().map(|row| (row, None)).collect(),
    }
}

/// The rows of a join whose pairs match if `is_match` says so.
fn naive(n: usize, m: usize, kind: JoinKind, is_match: impl Fn(usize, usize) -> bool) -> Vec<Row> {
    let mut result = Vec::new();
    let mut found = vec![false; m];
    for l in 0..n {
        let matches: Vec<usize> = (0..m).filter(|&r| is_match(l, r)).collect();
        match kind {
            JoinKind::Semi | JoinKind::Anti => {
                if matches.is_empty() == (kind == JoinKind::Anti) {
                    result.push((Some(l), None));
                }
            }
            JoinKind::Inner | JoinKind::Left | JoinKind::Full => {
                if matches.is_empty() && kind.keeps_left() {
                    result.push((Some(l), None));
                }
                for r in matches {
                    result.push((Some(l), Some(r)));
                    found[r] = true;
                }
            }
        }
    }
    if kind == JoinKind::Full {
        result.extend((0..m).filter(|&r| !found[r]).map(|r| (None, Some(r))));
    }
    result
}

fn is(l: Value, r: Value, holds: fn(i64, i64) -> bool) -> bool {
    l.zip(r).is_some_and(|(l, r)| holds(l, r))
}

/// Conditions over `a` and `b`, the values of both sides, and `x` and `y`, the keys.
fn conditions() -> [(Expr, Holds); 12] {
    [
        (col("a").eq(col("b")), |l, r| is(l[1], r[1], |l, r| l == r)),
        ((col("b") + 1).eq(col("a")).and(col("x").ne(col("y"))), |l, r| {
            is(l[1], r[1], |l, r| r + 1 == l) && is(l[0], r[0], |l, r| l != r)
        }),
        (col("a").ne(col("b")), |l, r| is(l[1], r[1], |l, r| l != r)),
        (col("a").lt(col("b")), |l, r| is(l[1], r[1], |l, r| l < r)),
        ((col("b") + 2).le(col("a")), |l, r| is(l[1], r[1], |l, r| r + 2 <= l)),
        (col("b").ge(col("a")).and(col("b").lt(col("a") + 3)), |l, r| {
            is(l[1], r[1], |l, r| r >= l && r < l + 3)
        }),
        (col("a").ge(col("b")).and((col("b") + 3).gt(col("a"))), |l, r| {
            is(l[1], r[1], |l, r| l >= r && l < r + 3)
        }),
        (col("a").ge(col("b")).and(col("x").ne(col("y"))).and(col("a").le(col("b") + col("y"))), |l, r| {
            is(l[1], r[1], |l, r| l >= r)
                && is(l[0], r[0], |l, r| l != r)
                && l[1].zip(r[1]).zip(r[0]).is_some_and(|((l, r), y)| l <= r + y)
        }),
        (col("b").gt(col("a")).and(col("x").ne(col("y"))), |l, r| {
            is(l[1], r[1], |l, r| r > l) && is(l[0], r[0], |l, r| l != r)
        }),
        ((col("a") + col("b")).eq(7), |l, r| is(l[1], r[1], |l, r| l + r == 7)),
        (col("a").gt(1_000).and(col("b").is_null()), |_, _| false),
        (col("b").is_null(), |_, r| r[1].is_none()),
    ]
}

/// Gives each row a key of its own, one of which is null.
fn with_own_keys(rows: &mut [[Value; 2]], rng: &mut Rng) {
    let mut keys: Vec<Value> =
        (0..rows.len()).map(|key| i64::try_from(key).ok().filter(|&key| key != 3)).collect();
    for last in (1..keys.len()).rev() {
        keys.swap(last, usize::try_from(rng.below(last as u64 + 1)).unwrap());
    }
    rows.iter_mut().zip(keys).for_each(|(row, key)| row[0] = key);
}

/// The numbers of rows of both sides.
fn sizes(device: Device) -> &'static [(usize, usize)] {
    const SIZES: [(usize, usize); 6] = [(0, 5), (5, 0), (65, 31), (0, 0), (1, 1), (33, 129)];
    // Kernels of a device take longer, and their own suites have all sizes.
    if device == Device::Host { &SIZES } else { &SIZES[..3] }
}

#[test]
fn conditional_join_of_repeated_keys_matches_nested_loop() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(95);
        for &(n, m) in sizes(device) {
            let (left_rows, right_rows) = (rows(n, 4, 12, &mut rng), rows(m, 4, 12, &mut rng));
            check_conditional_join(&left_rows, &right_rows, &exec);
        }
    }
}

/// Right keys that do not repeat, and left keys of which a third are none of these.
#[test]
fn conditional_join_of_unique_keys_matches_nested_loop() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(98);
        for &(n, m) in sizes(device) {
            let left_rows = rows(n, (m as u64 * 3 / 2).max(1), 12, &mut rng);
            let mut right_rows = rows(m, 4, 12, &mut rng);
            with_own_keys(&mut right_rows, &mut rng);
            check_conditional_join(&left_rows, &right_rows, &exec);
        }
    }
}

fn check_conditional_join(left_rows: &[[Value; 2]], right_rows: &[[Value; 2]], exec: &Exec) {
    let (n, m) = (left_rows.len(), right_rows.len());
    // A small limit, so that pairs are evaluated in parts.
    let (_, tight) = limited(exec, 1 << 20);
    let left = moved(&frame(left_rows, exec), &tight);
    let right = moved(&frame(right_rows, exec), &tight);
    for (predicate, holds) in conditions() {
        let of = |label: &str, side, position| (label.into(), side, position);
        let columns = vec![of("a", 0, 1), of("b", 1, 1), of("x", 0, 0), of("y", 1, 0)];
        let condition = PairCondition { predicate, columns };
        // Without keys no null is one.
        let all = [NullEquality::Equal, NullEquality::Unequal];
        for (keys, nulls) in [(&[0][..], &all[..]), (&[], &all[..1])] {
            for &nulls in nulls {
                let is_equal = |l: usize, r: usize| {
                    let (l, r) = (left_rows[l][0], right_rows[r][0]);
                    keys.is_empty() || (l == r && (nulls == NullEquality::Equal || l.is_some()))
                };
                for kind in KINDS {
                    let expected =
                        naive(n, m, kind, |l, r| is_equal(l, r) && holds(left_rows[l], right_rows[r]));
                    let side = |columns| JoinSide { columns, keys, output: &[2] };
                    // Few rows fit the budget.
                    let budgets = [None, Some(2_000)];
                    for &budget in if n + m < 10 { &budgets[1..] } else { &budgets } {
                        let driver = Driver::new(&tight);
                        let driver = budget.map_or(driver, |budget| driver.with_budget(budget));
                        let (left, right) = (side(&left), side(&right));
                        let joined =
                            join_rows_with(left, right, kind, nulls, Some(&condition), driver).unwrap();
                        let what = format!(
                            "{kind:?} {n} x {m} by {keys:?} {nulls:?}, {}, {budget:?} on {}",
                            condition.predicate,
                            exec.device()
                        );
                        assert_eq!(pairs_of(&joined), expected, "{what}");
                    }
                }
            }
        }
    }
}

/// The condition of a left row whose key is no right key is of no pair, and its overflow no error.
/// Values between two others are searched for on whichever side they are: as many pairs are made as match.
#[test]
fn values_between_two_others_make_only_pairs_that_match() {
    let exec = Exec::host();
    let mut rng = Rng::new(96);
    let (points, spans) = (rows(500, 4, 10_000, &mut rng), rows(300, 4, 10_000, &mut rng));
    let is_match = |point: usize, span: usize| {
        is(points[point][1], spans[span][1], |point, start| start <= point && point < start + 50)
    };
    let expected = (0..points.len() * spans.len()).filter(|pair| is_match(pair / 300, pair % 300)).count();
    let start = || col("start");
    let predicate = start().le(col("point")).and((start() + 50).gt(col("point")));
    for is_swapped in [false, true] {
        let [points, spans] = [(&points, "point"), (&spans, "start")].map(|(rows, label)| {
            let values = frame(rows, &exec).get("v").unwrap().clone();
            ColumnAccessor::from_columns([(label, values)]).unwrap()
        });
        let (left, right) = if is_swapped { (points, spans) } else { (spans, points) };
        let condition = PairCondition { predicate: predicate.clone(), columns: vec![] };
        let found = inequality_ranges(&condition, &left, &right, &exec).unwrap().unwrap();
        assert_eq!((found.is_swapped, found.is_exact), (is_swapped, true));
        assert_eq!(Pairs::new(found.ranges, false, &exec).unwrap().len(), expected);
    }
    assert!(expected > 100);
}

#[test]
fn condition_counts_in_pairs_only() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let left = frame(&[[Some(1), Some(i64::MAX)], [Some(2), Some(1)], [Some(3), Some(5)]], &exec);
        let with = |keys: [i64; 3]| frame(&keys.map(|key| [Some(key), Some(4)]), &exec);
        let columns = vec![("a".into(), 0, 1), ("b".into(), 1, 1)];
        let condition = PairCondition { predicate: col("a").checked_add(1).lt(col("b")), columns };
        for kind in KINDS {
            let join = |right: &ColumnAccessor| {
                let left = JoinSide { columns: &left, keys: &[0], output: &[2] };
                let right = JoinSide { columns: right, keys: &[0], output: &[2] };
                super::join_rows_where(left, right, kind, NullEquality::Equal, &condition, &exec)
            };
            let expected = naive(3, 3, kind, |l, r| l == 1 && r == 1);
            assert_eq!(pairs_of(&join(&with([7, 2, 3])).unwrap()), expected, "{kind:?} on {device}");
            let error = join(&with([1, 2, 3])).map(|_| ()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Overflow, "{kind:?} on {device}: {error}");
        }
    }
}

#[test]
fn many_pairs_are_evaluated_in_parts() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(96);
        let (left_rows, right_rows) = (rows(120, 2, 9, &mut rng), rows(90, 2, 9, &mut rng));
        let (_, tight) = limited(&exec, 256 << 10);
        let (left, right) = (frame(&left_rows, &exec), frame(&right_rows, &exec));
        let (left, right) = (moved(&left, &tight), moved(&right, &tight));
        let columns = vec![("a".into(), 0, 1), ("b".into(), 1, 1)];
        let condition = PairCondition { predicate: col("a").ne(col("b")), columns };
        for kind in KINDS {
            let expected = naive(120, 90, kind, |l, r| {
                let (l, r) = (left_rows[l], right_rows[r]);
                l[0] == r[0] && l[1].zip(r[1]).is_some_and(|(l, r)| l != r)
            });
            let side = |columns| JoinSide { columns, keys: &[0], output: &[2] };
            let joined = super::join_rows_where(
                side(&left),
                side(&right),
                kind,
                NullEquality::Equal,
                &condition,
                &tight,
            );
            assert_eq!(pairs_of(&joined.unwrap()), expected, "{kind:?} on {device}");
        }
    }
}

/// A key with 20,000 rows on both sides has 400 million pairs, which are not made.
#[test]
fn semi_join_with_one_inequality_makes_no_pairs() {
    type OfTexts = fn(&str, &str) -> bool;
    const ROWS: usize = 20_000;
    let holds: [(Expr, OfTexts); 3] = [
        (col("a").ne(col("b")), |a, b| a != b),
        (col("b").gt(col("a").alias("left")), |a, b| b > a),
        (col("a").ge(col("b")).alias("condition"), |a, b| a >= b),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(97);
        // Of key 1 all right rows have one value, of 2 a few have another, of 3 they have none, and 4 is not there.
        let side = |key: &dyn Fn(usize) -> i64, value: &mut dyn FnMut(usize) -> Option<String>| {
            let keys: Vec<i64> = (0..ROWS).map(key).collect();
            let values: Vec<Option<String>> = (0..ROWS).map(value).collect();
            (keys, values)
        };
        let word = |k: u64| ["é", "oats", "tea", ""][usize::try_from(k).unwrap()].to_owned();
        let left = side(&|row| 1 + i64::from(row % 7 == 0) + 2 * i64::from(row % 11 == 0), &mut |_| {
            Some(rng.below(5)).filter(|&k| k < 4).map(word)
        });
        let right =
            side(&|row| 1 + i64::from(row % 3 == 0) + 2 * i64::from(row == 77), &mut |row| match row {
                77 => None,
                _ if row % 3 == 0 && row % 5 == 0 => Some("oats".to_owned()),
                _ => Some("tea".to_owned()),
            });
        let column = |values: &[Option<String>]| {
            Column::from_values(values.iter().map(Option::as_deref), &exec).unwrap()
        };
        let frame = |(keys, values): &(Vec<i64>, Vec<Option<String>>)| {
            let numbers = Column::from_values((0_i64..).take(ROWS), &exec).unwrap();
            let keys = Column::from_slice(keys, &exec).unwrap();
            ColumnAccessor::from_columns([("k", keys), ("v", column(values)), ("row", numbers)]).unwrap()
        };
        let (left_frame, right_frame) = (frame(&left), frame(&right));
        for (predicate, holds) in &holds {
            for keys in [&[0][..], &[]] {
                let mut of_keys: std::collections::HashMap<i64, std::collections::HashSet<&str>> =
                    std::collections::HashMap::new();
                for (&key, value) in right.0.iter().zip(&right.1) {
                    let key = if keys.is_empty() { 0 } else { key };
                    of_keys.entry(key).or_default().extend(value.as_deref());
                }
                let is_found = |row: usize| {
                    let key = if keys.is_empty() { 0 } else { left.0[row] };
                    let value = left.1[row].as_deref();
                    of_keys.get(&key).zip(value).is_some_and(|(all, a)| all.iter().any(|b| holds(a, b)))
                };
                for kind in [JoinKind::Semi, JoinKind::Anti] {
                    let expected: Vec<Row> = (0..ROWS)
                        .filter(|&row| is_found(row) == (kind == JoinKind::Semi))
                        .map(|row| (Some(row), None))
                        .collect();
                    let columns = vec![("a".into(), 0, 1), ("b".into(), 1, 1)];
                    let condition = PairCondition { predicate: predicate.clone(), columns };
                    let side = |columns| JoinSide { columns, keys, output: &[2] };
                    let (left, right) = (side(&left_frame), side(&right_frame));
                    let joined =
                        super::join_rows_where(left, right, kind, NullEquality::Equal, &condition, &exec);
                    let what = format!("{kind:?} by {keys:?} with {predicate} on {device}");
                    assert!(pairs_of(&joined.unwrap()) == expected, "{what}");
                }
            }
        }
        let columns = vec![("a".into(), 0, 1), ("b".into(), 1, 0)];
        let condition = PairCondition { predicate: col("a").ne(col("b")), columns };
        let side = |columns| JoinSide { columns, keys: &[0], output: &[2] };
        let (left, right) = (side(&left_frame), side(&right_frame));
        let refused =
            super::join_rows_where(left, right, JoinKind::Semi, NullEquality::Equal, &condition, &exec);
        let error = refused.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("utf8") && error.contains("int64") && error.contains('b'), "{error}");
    }
}

/// Far more pairs than left rows: a plan that expects one match a row takes too many rows at a time.
#[test]
fn conditional_join_that_keeps_all_pairs_stays_within_the_limit() {
    let n = 300;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = |from: i64| (0..n).map(|k| [Some(k % 3), Some(from + k)]).collect::<Vec<_>>();
        let limit = 512 << 10;
        let (manager, tight) = limited(&exec, limit);
        let (left, right) = (frame(&values(0), &exec), frame(&values(1000), &exec));
        let (left, right) = (moved(&left, &tight), moved(&right, &tight));
        for predicate in [col("a").lt(col("b")), (col("a") + col("b")).ge(0)] {
            let what = format!("{predicate} on {device}");
            let columns = vec![("a".into(), 0, 1), ("b".into(), 1, 1)];
            let condition = PairCondition { predicate, columns };
            let side = |columns| JoinSide { columns, keys: &[], output: &[2] };
            let plan = |keys: &[usize]| {
                let side = |columns| JoinSide { columns, keys, output: &[2] };
                let (left, right) = (side(&left), side(&right));
                let join =
                    Join::new(left, right, JoinKind::Inner, NullEquality::Equal, Some(&condition), &tight);
                join.unwrap().sampled_matches(&tight).unwrap()
            };
            assert_eq!((plan(&[]), plan(&[0])), (300, 1), "{what}");
            let (peak, joined) = peak_of(&manager, || {
                let (left, right) = (side(&left), side(&right));
                let nulls = NullEquality::Equal;
                super::join_rows_where(left, right, JoinKind::Inner, nulls, &condition, &tight).unwrap()
            });
            let n = usize::try_from(n).unwrap();
            let expected: Vec<Row> = (0..n * n).map(|k| (Some(k / n), Some(k % n))).collect();
            assert!(pairs_of(&joined) == expected, "{what}");
            assert!(peak <= limit, "{peak} of {limit}: {what}");
        }
    }
}

/// What a condition takes of the right rows counts: with less memory for it than that, chunks of left rows would be cut down to
/// single rows, each of which groups all right rows.
#[test]
fn conditional_semi_join_of_rows_that_hardly_fit_is_that_of_all() {
    let exec = Exec::host();
    let mut rng = Rng::new(7);
    let n = 20_000;
    let mut side = |rows: u64| {
        let mut keys = || (0..rows).map(|_| rng.below(n)).collect::<Vec<u64>>();
        let (numbers, names) = (keys(), keys());
        let names: Vec<String> = names.iter().map(|name| format!("schlüssel_{}", name % 40)).collect();
        let numbers: Vec<u64> = numbers.iter().map(|number| number % 900).collect();
        ColumnAccessor::from_columns([
            ("k", Column::from_slice(&numbers, &exec).unwrap()),
            ("s", Column::from_values(names, &exec).unwrap()),
            ("x", Column::from_slice(&(0..rows).collect::<Vec<u64>>(), &exec).unwrap()),
        ])
        .unwrap()
    };
    let (left, right) = (side(n), side(n + 777));
    for kind in [JoinKind::Semi, JoinKind::Anti] {
        let columns = vec![("a".into(), 0, 2), ("b".into(), 1, 2)];
        let condition = PairCondition { predicate: col("a").gt(col("b")), columns };
        let rows_of = |left: &ColumnAccessor, right: &ColumnAccessor, exec: &Exec| {
            let side = |columns| JoinSide { columns, keys: &[0, 1], output: &[2] };
            let (left, right, nulls) = (side(left), side(right), NullEquality::Equal);
            let joined = super::join_rows_where(left, right, kind, nulls, &condition, exec).unwrap();
            joined.left.columns()[0].to_options::<u64>().unwrap()
        };
        let expected = rows_of(&left, &right, &exec);
        for limit in [1 << 20, 3 << 19, 2 << 20, 5 << 19] {
            let (manager, tight) = limited(&exec, limit);
            let (left, right) = (moved(&left, &tight), moved(&right, &tight));
            let (peak, found) = peak_of(&manager, || rows_of(&left, &right, &tight));
            assert!(found == expected, "{kind:?} in {limit} bytes");
            assert!(peak <= limit, "{peak} of {limit}: {kind:?}");
        }
    }
}

#[test]
fn condition_with_aggregate_of_no_side_or_of_no_boolean_is_refused() {
    let exec = Exec::host();
    let rows = frame(&[[Some(1), Some(2)]], &exec);
    let side = || JoinSide { columns: &rows, keys: &[0], output: &[2] };
    let join = |predicate: Expr| {
        let condition = PairCondition { predicate, columns: vec![("a".into(), 0, 1), ("b".into(), 1, 1)] };
        super::join_rows_where(side(), side(), JoinKind::Inner, NullEquality::Equal, &condition, &exec)
            .unwrap_err()
    };
    for (predicate, reason) in [
        (
            (col("a") + col("b")).sum().gt(0),
            "(a + b).sum() is of the rows of one side, and reads columns of both",
        ),
        (row_number().gt(col("b")), "row_number() is of the rows of one side, and reads columns of none"),
        (
            col("a").sum().over([col("b")]).gt(0),
            "a.sum().over([b]) is of the rows of one side, and reads columns of both",
        ),
    ] {
        assert_eq!(join(predicate), Error::InvalidArgument { name: "condition", reason: reason.to_owned() });
    }
    let error = join(col("a") + col("b"));
    assert_eq!(error.to_string(), "expression (a + b): a boolean is expected, not int64");
    let deep = (0..100_000).fold(col("a").sum(), |x, _| x + 1);
    assert!(join(deep.gt(0)).to_string().contains("levels"));
}

/// Each aggregate and row function is of all rows of its side.
#[test]
fn condition_with_aggregates_matches_nested_loop() {
    let (n, m) = (40, 33);
    let mut rng = Rng::new(98);
    let (left_rows, right_rows) = (rows(n, 4, 12, &mut rng), rows(m, 4, 12, &mut rng));
    let values = |rows: &[[Value; 2]]| rows.iter().filter_map(|row| row[1]).collect::<Vec<i64>>();
    let least = values(&left_rows).into_iter().min().unwrap();
    let of_right = values(&right_rows);
    let (sum, count) = (of_right.iter().sum::<i64>(), i64::try_from(of_right.len()).unwrap());
    // Rows with a null key are in no group.
    let of_key = |key: Value| {
        let of_key: Vec<_> =
            right_rows.iter().filter(|row| row[0].is_some() && row[0] == key).copied().collect();
        values(&of_key).into_iter().max()
    };
    let before = |r: usize| r.checked_sub(1).and_then(|before| right_rows[before][1]);
    let (left_of, right_of) = (|l: usize| left_rows[l][1], |r: usize| right_rows[r][1]);
    let conditions: Vec<(Expr, HoldsOf<'_>)> = vec![
        ((col("a") - col("a").min()).lt(col("b")), Box::new(|l, r| Some(left_of(l)? - least < right_of(r)?))),
        (col("a").gt(col("b").mean()), Box::new(|l, _| Some(left_of(l)? * count > sum))),
        (
            col("a").lt(col("b").max().over([col("0")])),
            Box::new(|l, r| Some(left_of(l)? < of_key(right_rows[r][0])?)),
        ),
        (
            (col("b") - col("b").shift(1)).ge(col("a") - col("a").min()),
            Box::new(|l, r| Some(right_of(r)? - before(r)? >= left_of(l)? - least)),
        ),
        (col("b").max().eq(col("a")), Box::new(|l, _| Some(left_of(l)? == of_right.iter().copied().max()?))),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (_, tight) = limited(&exec, 1 << 20);
        let (left, right) =
            (moved(&frame(&left_rows, &exec), &tight), moved(&frame(&right_rows, &exec), &tight));
        for (predicate, holds) in &conditions {
            let of = |label: &str, side, position| (label.into(), side, position);
            // Labelled as the columns that are added are.
            let columns = vec![of("a", 0, 1), of("b", 1, 1), of("0", 1, 0)];
            let condition = PairCondition { predicate: predicate.clone(), columns };
            for keys in [&[0][..], &[]] {
                let is_match = |l: usize, r: usize| {
                    (keys.is_empty() || left_rows[l][0] == right_rows[r][0]) && holds(l, r) == Some(true)
                };
                for kind in KINDS {
                    for budget in [usize::MAX, 2_000] {
                        let driver = Driver::new(&tight).with_budget(budget);
                        let side = |columns| JoinSide { columns, keys, output: &[2] };
                        let (left, right) = (side(&left), side(&right));
                        let joined =
                            join_rows_with(left, right, kind, NullEquality::Equal, Some(&condition), driver)
                                .unwrap();
                        let what = format!("{kind:?} by {keys:?}, {predicate}, {budget} on {device}");
                        assert_eq!(pairs_of(&joined), naive(n, m, kind, is_match), "{what}");
                    }
                }
            }
        }
    }
}

/// The right row of each left row by a nested loop. Nulls of the ordered key match nothing.
fn nearest(
    left: &[[Value; 2]],
    right: &[[Value; 2]],
    is_by: bool,
    asof: &Asof,
    tolerance: Option<i64>,
) -> Vec<Option<usize>> {
    let of_row = |l: &[Value; 2]| {
        let on = l[1]?;
        let others = || {
            right
                .iter()
                .enumerate()
                .filter(|(_, r)| !is_by || r[0] == l[0])
                .filter_map(|(at, r)| Some((at, r[1]?)))
        };
        let exact = asof.allow_exact_matches;
        let before = others().rfind(|r| r.1 < on || (exact && r.1 == on));
        let after = others().find(|r| r.1 > on || (exact && r.1 == on));
        let chosen = match asof.strategy {
            AsofStrategy::Backward => before,
            AsofStrategy::Forward => after,
            AsofStrategy::Nearest => match (before, after) {
                (Some(b), Some(a)) => Some(if on - b.1 <= a.1 - on { b } else { a }),
                (one, other) => one.or(other),
            },
        };
        chosen.filter(|r| tolerance.is_none_or(|most| (r.1 - on).abs() <= most)).map(|r| r.0)
    };
    left.iter().map(of_row).collect()
}

#[test]
fn asof_join_of_every_dtype_matches_nested_loop() {
    let dtypes = [
        DType::Int64,
        DType::UInt8,
        DType::Float64,
        DType::decimal(9, 2).unwrap(),
        DType::Timestamp(TimeUnit::Milli),
        DType::Duration(TimeUnit::Milli),
        DType::Date32,
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(97);
        for (k, (n, m)) in
            [(0, 0), (0, 3), (3, 0), (1, 1), (65, 33), (31, 129), (200, 64)].into_iter().enumerate()
        {
            let dtype = &dtypes[k];
            let (left_rows, mut right_rows) = (rows(n, 3, 60, &mut rng), rows(m, 3, 60, &mut rng));
            // Ascending, nulls anywhere.
            let mut values: Vec<i64> = right_rows.iter().filter_map(|row| row[1]).collect();
            values.sort_unstable();
            let mut values = values.into_iter();
            for row in right_rows.iter_mut().filter(|row| row[1].is_some()) {
                row[1] = values.next();
            }
            let typed = |rows: &[[Value; 2]]| {
                let mut columns = frame(rows, &exec);
                let values = cast(columns.get("v").unwrap(), dtype, CastMode::Checked, &exec).unwrap();
                columns.set("v", values).unwrap();
                columns
            };
            let (left, right) = (typed(&left_rows), typed(&right_rows));
            check_sorted(right.get("v").unwrap(), &exec).unwrap();
            for strategy in [AsofStrategy::Backward, AsofStrategy::Forward, AsofStrategy::Nearest] {
                for allow_exact_matches in [true, false] {
                    for (tolerance, keys) in
                        [(None, &[1][..]), (Some(2), &[1]), (None, &[0, 1]), (Some(5), &[0, 1])]
                    {
                        let most: fn(i64) -> Expr = match dtype {
                            DType::Timestamp(_) | DType::Duration(_) => |most| milliseconds(most).into(),
                            DType::Date32 => |most| crate::expression::days(most).into(),
                            _ => |most| lit(most),
                        };
                        let asof = Asof { strategy, allow_exact_matches, tolerance: tolerance.map(most) };
                        let expected = nearest(&left_rows, &right_rows, keys.len() > 1, &asof, tolerance);
                        for budget in [3_000, usize::MAX] {
                            let driver = Driver::new(&exec).with_budget(budget);
                            let side = |columns| JoinSide { columns, keys, output: &[2] };
                            let (left, right) = (side(&left), side(&right));
                            let joined =
                                asof_join_with(left, right, &asof, NullEquality::Equal, driver).unwrap();
                            let what = format!("{dtype} {n} in {m}, {asof:?} by {keys:?} on {device}");
                            assert_eq!(numbers(&joined.left), (0..n).map(Some).collect::<Vec<_>>(), "{what}");
                            assert_eq!(numbers(joined.right.as_ref().unwrap()), expected, "{what}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn asof_join_of_extreme_integers_and_nan_does_not_overflow() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let joined = |left: Column, right: Column, asof: &Asof| {
            let side = |on: Column| {
                let rows = Column::from_values((0_i64..).take(on.size()), &exec).unwrap();
                ColumnAccessor::from_columns([("on", on), ("row", rows)]).unwrap()
            };
            let (left, right) = (side(left), side(right));
            let [left, right] = [&left, &right].map(|columns| JoinSide { columns, keys: &[0], output: &[1] });
            let joined = super::asof_join(left, right, asof, NullEquality::Equal, &exec).unwrap();
            numbers(joined.right.as_ref().unwrap())
        };
        let nearest =
            |tolerance| Asof { strategy: AsofStrategy::Nearest, allow_exact_matches: true, tolerance };
        let left = Column::from_slice(&[i64::MIN, -1, i64::MAX], &exec).unwrap();
        let right = Column::from_slice(&[i64::MIN + 1, i64::MAX - 1], &exec).unwrap();
        assert_eq!(
            joined(left.clone(), right.clone(), &nearest(None)),
            [Some(0), Some(0), Some(1)],
            "{device}"
        );
        assert_eq!(joined(left, right, &nearest(Some(lit(1)))), [Some(0), None, Some(1)], "{device}");
        let times = |values: &[i64]| {
            let column = Column::from_slice(values, &exec).unwrap();
            column.reinterpret(&DType::Timestamp(TimeUnit::Nano)).unwrap()
        };
        let (first, last) = (i64::MIN + 9, i64::MAX - 9);
        let left = times(&[last, first, 0]);
        let right = times(&[first - 3, last + 5]);
        assert_eq!(
            joined(left.clone(), right.clone(), &nearest(None)),
            [Some(1), Some(0), Some(0)],
            "{device}"
        );
        let day = || Some(lit(days(1)));
        let backward = Asof { strategy: AsofStrategy::Backward, allow_exact_matches: true, tolerance: day() };
        assert_eq!(joined(left.clone(), right.clone(), &backward), [None, Some(0), None], "{device}");
        assert_eq!(joined(left, right, &nearest(day())), [Some(1), Some(0), None], "{device}");
        let left = Column::from_slice(&[u64::MAX, 0], &exec).unwrap();
        let right = Column::from_slice(&[-5_i64, 5], &exec).unwrap();
        assert_eq!(joined(left, right, &nearest(None)), [Some(1), Some(0)], "{device}");
        let left = Column::from_slice(&[f64::NAN, -0.0, f64::INFINITY], &exec).unwrap();
        let right = Column::from_slice(&[0.0, 1e308, f64::NAN], &exec).unwrap();
        let backward = Asof { strategy: AsofStrategy::Backward, allow_exact_matches: true, tolerance: None };
        assert_eq!(joined(left, right, &backward), [Some(2), Some(0), Some(1)], "{device}");
    }
}

#[test]
fn unsorted_column_is_found_with_its_row() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let check =
            |values: Vec<Option<f64>>| check_sorted(&Column::from_options(values, &exec).unwrap(), &exec);
        assert_eq!(check(vec![]), Ok(()));
        assert_eq!(check(vec![None]), Ok(()));
        assert_eq!(check(vec![Some(1.0), None, Some(1.0), Some(f64::NAN), None, Some(f64::NAN)]), Ok(()));
        assert_eq!(check(vec![Some(0.0), Some(-0.0)]), Ok(()));
        assert_eq!(check(vec![Some(1.0), None, Some(0.5), Some(0.2)]), Err(Error::NotSorted { row: 2 }));
        assert_eq!(check(vec![Some(f64::NAN), Some(3.0)]), Err(Error::NotSorted { row: 1 }));
        let days = Column::from_scalars(
            &DType::Date32,
            &[3, 2].map(|day| Scalar::parse(&DType::Date32, &format!("2020-01-0{day}")).unwrap()),
            &exec,
        );
        assert_eq!(check_sorted(&days.unwrap(), &exec), Err(Error::NotSorted { row: 1 }));
    }
}

/// The values of both sides, and the pairs of equal ones.
type EqualCase = (Column, Column, Vec<(usize, usize)>);

/// Equal values of a condition are keys, whatever their dtypes; those that keys take for equal and comparisons do not, such as
/// NaN, are no pairs.
#[test]
fn equalities_of_a_condition_are_keys() {
    let exec = Exec::host();
    let cases: Vec<EqualCase> = vec![
        (
            Column::from_options([Some(1.5), Some(f64::NAN), None, Some(-0.0)], &exec).unwrap(),
            Column::from_options([Some(f64::NAN), Some(0.0), None, Some(1.5)], &exec).unwrap(),
            vec![(0, 3), (3, 1)],
        ),
        (
            Column::from_slice(&[1_i8, -1, 5], &exec).unwrap(),
            Column::from_slice(&[u64::MAX, 5, 1], &exec).unwrap(),
            vec![(0, 2), (2, 1)],
        ),
        (
            // Years that nanoseconds do not reach.
            Column::from_slice(&[1_i64, 100_000_000_000], &exec)
                .unwrap()
                .reinterpret(&DType::Timestamp(TimeUnit::Second))
                .unwrap(),
            Column::from_slice(&[7_i64, 1_000_000_000], &exec)
                .unwrap()
                .reinterpret(&DType::Timestamp(TimeUnit::Nano))
                .unwrap(),
            vec![(0, 1)],
        ),
    ];
    for (left, right, expected) in cases {
        let dtypes = format!("{} and {}", left.dtype(), right.dtype());
        let [left, right] =
            [left, right].map(|column| ColumnAccessor::from_columns([("v", column)]).unwrap());
        let predicate = col("a").eq(col("b"));
        let condition = PairCondition { predicate, columns: vec![("a".into(), 0, 0), ("b".into(), 1, 0)] };
        let maps = super::conditional::conditional_join(
            [&left, &right],
            [&[], &[]],
            &condition,
            JoinKind::Inner,
            NullEquality::Equal,
            &exec,
        )
        .unwrap();
        let rows = |map: &RowMap| column_of(map, &exec).unwrap().to_options::<i64>();
        let rows =
            |map: &RowMap| rows(map).unwrap().into_iter().map(|row| usize::try_from(row.unwrap()).unwrap());
        let found: Vec<_> = rows(&maps.left).zip(rows(maps.right.as_ref().unwrap())).collect();
        assert_eq!(found, expected, "{dtypes}");
    }
}

/// A product of both sides would not end.
#[test]
fn equality_of_a_condition_is_no_product() {
    let exec = Exec::host();
    let numbers: Vec<i64> = (0..1 << 20).collect();
    let side = ColumnAccessor::from_columns([("v", Column::from_slice(&numbers, &exec).unwrap())]).unwrap();
    let columns = vec![("a".into(), 0, 0), ("b".into(), 1, 0)];
    let condition = PairCondition { predicate: col("a").eq(col("b") + 1), columns };
    let rows = JoinSide { columns: &side, keys: &[], output: &[0] };
    let driver = Driver::new(&exec);
    let joined =
        join_rows_with(rows, rows, JoinKind::Inner, NullEquality::Equal, Some(&condition), driver).unwrap();
    assert_eq!(joined.left.rows(), numbers.len() - 1);
}
