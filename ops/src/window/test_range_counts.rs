//! Distinct values and ranks of windows and Kendall's correlation on every device, against the rows one by one.

use super::range_counts::{RangesOf, distinct_by_levels, distinct_by_sums};
use crate::expression::{Expr, Rank, RankMethod, RollingWindow, col, evaluate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error};
use columnade_tests::Rng;
use std::cmp::Ordering;

const METHODS: [RankMethod; 4] = [RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::First];

/// NaN is the greatest value, and −0.0 is 0.0.
fn compare(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

struct Case {
    keys: Vec<Option<i64>>,
    x: Vec<Option<f64>>,
    y: Vec<Option<f64>>,
}

impl Case {
    fn new(n: usize, values: u64, rng: &mut Rng) -> Self {
        let value = |rng: &mut Rng| -> Option<f64> {
            match rng.below(12) {
                0 | 1 => None,
                2 => Some(f64::NAN),
                3 => Some(-0.0),
                4 => Some(f64::INFINITY),
                _ => Some(f64::from(u32::try_from(rng.below(values)).unwrap()) - 1.0),
            }
        };
        let mut case = Self { keys: vec![], x: vec![], y: vec![] };
        for _ in 0..n {
            case.x.push(value(rng));
            case.y.push(value(rng));
            case.keys.push((rng.below(8) > 0).then(|| i64::try_from(rng.below(3)).unwrap()));
        }
        case
    }

    fn frame(&self, exec: &Exec) -> ColumnAccessor {
        ColumnAccessor::from_columns([
            ("k", Column::from_options(self.keys.clone(), exec).unwrap()),
            ("x", Column::from_options(self.x.clone(), exec).unwrap()),
            ("y", Column::from_options(self.y.clone(), exec).unwrap()),
        ])
        .unwrap()
    }

    /// The rows of the window of a row from `first` on: those of its group, at most `length`.
    fn window(&self, first: usize, row: usize, length: usize, by_key: bool) -> Option<Vec<usize>> {
        let key = |row: usize| if by_key { self.keys[row] } else { Some(0) };
        let wanted = key(row)?;
        let group: Vec<usize> = (first..=row).filter(|row| key(*row) == Some(wanted)).collect();
        Some(group[group.len().saturating_sub(length)..].to_vec())
    }
}

fn run(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Column {
    evaluate(std::slice::from_ref(expr), frame, exec)
        .unwrap_or_else(|error| panic!("{expr}: {error}"))
        .swap_remove(0)
        .1
}

#[expect(clippy::cast_precision_loss, reason = "test sizes")]
fn float(n: usize) -> f64 {
    n as f64
}

#[test]
fn distinct_values_and_ranks_of_windows_match_rows_of_each_window() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] =
            if device == Device::Host { &[0, 1, 31, 32, 33, 64, 65, 257] } else { &[0, 1, 40] };
        for &n in sizes {
            let mut rng = Rng::new(5 + n as u64);
            let case = Case::new(n, 6, &mut rng);
            let all = case.frame(&exec);
            for (length, min, by_key, first) in [
                (1, 1, false, 0),
                (3, 3, false, 3),
                (4, 0, true, 0),
                (20, 2, true, 1),
                (1 << 40, 1, false, 0),
            ] {
                let first = first.min(n);
                let frame = all.slice(first, n - first).unwrap();
                let window = RollingWindow::rows(length).min_periods(min);
                let of_group = |expr: Expr| if by_key { expr.over("k") } else { expr };
                let what = format!("{device}, {n} rows from {first}, windows of {length}, by key: {by_key}");
                let length = usize::try_from(length).unwrap();
                let min = usize::try_from(min).unwrap();
                let values_of =
                    |rows: &[usize]| rows.iter().filter_map(|row| case.x[*row]).collect::<Vec<_>>();

                let found = run(&of_group(col("x").rolling_nunique(window.clone())), &frame, &exec);
                assert_eq!(found.dtype(), DType::Int64);
                let expected: Vec<Option<i64>> = (first..n)
                    .map(|row| {
                        let mut values = values_of(&case.window(first, row, length, by_key)?);
                        let is_enough = values.len() >= min;
                        values.sort_by(|a, b| compare(*a, *b));
                        values.dedup_by(|a, b| compare(*a, *b) == Ordering::Equal);
                        is_enough.then(|| i64::try_from(values.len()).unwrap())
                    })
                    .collect();
                assert_eq!(found.to_options::<i64>().unwrap(), expected, "{what}");

                // Of most sizes some, since each takes many steps.
                let ranks: &[RankMethod] =
                    if n == 33 && device == Device::Host { &METHODS } else { &METHODS[..1] };
                for &method in ranks {
                    for (descending, pct) in [(false, false), (true, true)] {
                        let rank = Rank { method, descending, pct };
                        let expr = of_group(col("x").rolling_rank(rank, window.clone()));
                        let found = run(&expr.clone().cast(DType::Float64), &frame, &exec);
                        let expected: Vec<Option<f64>> = (first..n)
                            .map(|row| {
                                let rows = case.window(first, row, length, by_key)?;
                                let last = case.x[*rows.last()?]?;
                                let values = values_of(&rows);
                                let count = |order: Ordering| {
                                    float(
                                        values.iter().filter(|value| compare(**value, last) == order).count(),
                                    )
                                };
                                let before =
                                    count(if descending { Ordering::Greater } else { Ordering::Less });
                                let equal = count(Ordering::Equal);
                                let rank = match method {
                                    RankMethod::Min => before + 1.0,
                                    RankMethod::Max | RankMethod::First => before + equal,
                                    RankMethod::Average | RankMethod::Dense => {
                                        before + f64::midpoint(equal, 1.0)
                                    }
                                };
                                let rank = if pct { rank / float(values.len()) } else { rank };
                                (values.len() >= min).then_some(rank)
                            })
                            .collect();
                        assert_eq!(found.to_options::<f64>().unwrap(), expected, "{what}, {expr}");
                    }
                }
            }
        }
    }
}

/// `pandas.Series([1, 4, 2, 3, 5, 3]).rolling(3).rank(...)` of pandas 3.1.1, and `nunique` of the same.
#[test]
fn ranks_and_distinct_values_of_windows_match_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let x = Column::from_slice(&[1_i64, 4, 2, 3, 5, 3], &exec).unwrap();
        let words = Column::from_values(["é", "a", "é", "é", "b", "a"], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("x", x), ("word", words)]).unwrap();
        let rank = |method| Rank { method, ..Rank::default() };
        let ranks = |expr: Expr| run(&expr.cast(DType::Float64), &frame, &exec).to_options::<f64>().unwrap();
        let found = ranks(col("x").rolling_rank(rank(RankMethod::Average), 3));
        assert_eq!(found, [None, None, Some(2.0), Some(2.0), Some(3.0), Some(1.5)], "{device}");
        let found = ranks(col("x").rolling_rank(rank(RankMethod::Max), 3));
        assert_eq!(found, [None, None, Some(2.0), Some(2.0), Some(3.0), Some(2.0)], "{device}");
        let found = ranks(col("x").rolling_rank(rank(RankMethod::Min), 3));
        assert_eq!(found, [None, None, Some(2.0), Some(2.0), Some(3.0), Some(1.0)], "{device}");
        let found = ranks(col("x").rolling_nunique(3));
        assert_eq!(found, [None, None, Some(3.0), Some(3.0), Some(3.0), Some(2.0)], "{device}");
        let found = ranks(col("word").rolling_nunique(RollingWindow::expanding()));
        assert_eq!(found, [1.0, 2.0, 2.0, 2.0, 3.0, 3.0].map(Some), "{device}");
        let found = ranks(col("word").rolling_rank(rank(RankMethod::Max), RollingWindow::expanding()));
        assert_eq!(found, [1.0, 1.0, 3.0, 4.0, 2.0, 2.0].map(Some), "{device}");
        let dense = col("x").rolling_rank(rank(RankMethod::Dense), 3);
        let error = evaluate(&[dense], &frame, &exec).unwrap_err();
        assert!(error.to_string().contains("x.rolling_rank(dense, 3)"), "{error}");
        assert!(error.to_string().contains("dense ranks of windows"), "{error}");
    }
}

/// The pairs of rows one by one.
fn tau(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mut score, mut of_x, mut of_y) = (0.0, 0.0, 0.0);
    for (at, a) in pairs.iter().enumerate() {
        for b in &pairs[..at] {
            let (x, y) = (compare(a.0, b.0), compare(a.1, b.1));
            of_x += f64::from(u8::from(x != Ordering::Equal));
            of_y += f64::from(u8::from(y != Ordering::Equal));
            if x != Ordering::Equal && y != Ordering::Equal {
                score += if x == y { 1.0 } else { -1.0 };
            }
        }
    }
    (pairs.len() > 1).then(|| score / (of_x * of_y).sqrt())
}

fn assert_close(found: Option<f64>, expected: Option<f64>, what: &str) {
    let is_close = match (found, expected) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-12 || (a.is_nan() && b.is_nan()),
        (a, b) => a.is_none() && b.is_none(),
    };
    assert!(is_close, "{what}: {found:?}, expected {expected:?}");
}

#[test]
fn kendall_matches_pairs_one_by_one() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] =
            if device == Device::Host { &[0, 1, 2, 3, 31, 33, 64, 65, 257, 600] } else { &[0, 2, 33, 150] };
        for &n in sizes {
            for values in [2, 6, 1000] {
                let mut rng = Rng::new(17 + n as u64 + values);
                let case = Case::new(n, values, &mut rng);
                let first = n.min(3);
                let frame = case.frame(&exec).slice(first, n - first).unwrap();
                let what = format!("{device}, {n} rows, {values} values");
                let pairs = |key: Option<i64>| -> Vec<(f64, f64)> {
                    let rows = (first..n).filter(|row| key.is_none() || case.keys[*row] == key);
                    rows.filter_map(|row| Some((case.x[row]?, case.y[row]?))).collect()
                };
                let found = run(&col("x").kendall(col("y")), &frame, &exec).to_options::<f64>().unwrap();
                for found in found {
                    assert_close(found, tau(&pairs(None)), &what);
                }
                let by_key = run(&col("x").kendall(col("y")).over("k"), &frame, &exec);
                for (row, found) in by_key.to_options::<f64>().unwrap().into_iter().enumerate() {
                    let key = case.keys[first + row];
                    let expected = key.and_then(|key| tau(&pairs(Some(key))));
                    assert_close(found, expected, &format!("{what}, row {row}"));
                }
            }
        }
    }
}

/// The example of `SciPy`'s `kendalltau`, and what it gives for strings as numbers, constants and few rows.
#[test]
fn kendall_matches_scipy() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("a", Column::from_slice(&[12_i64, 2, 1, 12, 2], &exec).unwrap()),
            ("b", Column::from_slice(&[1_i64, 4, 7, 1, 0], &exec).unwrap()),
            ("one", Column::from_slice(&[1_i64; 5], &exec).unwrap()),
            ("word", Column::from_values(["y", "b", "a", "y", "b"], &exec).unwrap()),
            ("few", Column::from_options([None, Some(1.5), None, None, None], &exec).unwrap()),
        ])
        .unwrap();
        let first = |expr: Expr| run(&expr, &frame, &exec).to_options::<f64>().unwrap()[0];
        assert_close(first(col("a").kendall(col("b"))), Some(-0.471_404_520_791_031_73), "a, b");
        assert_close(first(col("word").kendall(col("b"))), Some(-0.471_404_520_791_031_73), "word, b");
        assert_close(first(col("a").kendall(col("a"))), Some(1.0), "a, a");
        assert_close(first(col("a").kendall(-col("a"))), Some(-1.0), "a, -a");
        assert_close(first(col("a").kendall(col("one"))), Some(f64::NAN), "a, one");
        assert_close(first(col("a").kendall(col("few"))), None, "a, few");
        let error = evaluate(&[col("a").kendall(col("missing"))], &frame, &exec).unwrap_err();
        assert!(matches!(error.without_context(), Error::ColumnNotFound { .. }));
    }
}

/// Ranges that begin and end as they like, but not before the one above; the last rows have none.
#[test]
fn distinct_values_by_sums_and_by_levels_match_a_count_of_each_range() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (n, step) in [(0, 1), (1, 1), (33, 2), (70, 3), (130, 1)] {
            let mut rng = Rng::new(n + step);
            let mut start = 0;
            let mut previous = Vec::new();
            let (mut starts, mut ends, mut rows) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..n {
                start = n.min(start + rng.below(step + 1));
                let end = ends.last().map_or(start, |end: &u64| start.max(*end + rng.below(step))).min(n);
                starts.push(start);
                ends.push(end);
                let value = (rng.below(5) > 0).then(|| rng.below(7));
                let seen = rows.iter().rposition(|of: &Option<u64>| *of == value);
                previous.push(match value {
                    None => n + 1,
                    Some(_) => seen.map_or(0, |seen| u64::try_from(seen).unwrap() + 1),
                });
                rows.push(value);
            }
            let expected: Vec<i64> = (0..rows.len())
                .map(|row| {
                    let range = usize::try_from(starts[row]).unwrap()..usize::try_from(ends[row]).unwrap();
                    let mut values: Vec<u64> = rows[range].iter().copied().flatten().collect();
                    values.sort_unstable();
                    values.dedup();
                    i64::try_from(values.len()).unwrap()
                })
                .collect();
            let column = |of: &[u64]| {
                let of: Vec<i64> = of.iter().map(|of| i64::try_from(*of).unwrap()).collect();
                Column::from_slice(&of, &exec).unwrap()
            };
            let (starts, ends) = (column(&starts), column(&ends));
            let ranges = RangesOf { starts: &starts, ends: &ends };
            let valid: Vec<bool> = rows.iter().map(Option::is_some).collect();
            let valid = Column::from_values(valid, &exec).unwrap();
            let what = format!("{device}, {n} rows");
            let by_sums = distinct_by_sums(&column(&previous), Some(&valid), ranges, &exec).unwrap();
            assert_eq!(by_sums.to_vec::<i64>().unwrap(), expected, "{what}");
            let by_levels = distinct_by_levels(&column(&previous), ranges, &exec).unwrap();
            assert_eq!(by_levels.to_vec::<i64>().unwrap(), expected, "{what}");
        }
    }
}
