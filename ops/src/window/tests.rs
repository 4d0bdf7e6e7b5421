//! Row functions and aggregates by group for each row, on every device, against a naive reference.

#![expect(clippy::float_cmp, reason = "the values are multiples of powers of two")]

use crate::expression::{
    ExponentialWindow, Expr, Literal, Rank, RankMethod, RollingWindow, col, evaluate, evaluate_mask, len,
    lit, row_number,
};
use crate::groupby::{GroupOptions, aggregate};
use crate::test_frames::{limited, moved, peak_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Scalar};
use columnade_tests::{Nulls, Rng};

/// A group's values in the order of its rows, and the value of each row.
type Reference = Box<dyn Fn(&[Option<f64>]) -> Vec<Option<f64>>>;

struct Case {
    keys: Vec<Option<i64>>,
    x: Vec<Option<f64>>,
}

impl Case {
    fn new(n: usize, groups: u64, nulls: Nulls, rng: &mut Rng) -> Self {
        let (values, keys) = (nulls.mask(n, rng), nulls.mask(n, rng));
        let is_valid = |mask: &Option<Vec<bool>>, row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
        let x = (0..n).map(|row| {
            let value = f64::from(u32::try_from(rng.below(9)).unwrap()) * 0.5 - 1.0;
            is_valid(&values, row).then_some(value)
        });
        let x = x.collect();
        let keys = (0..n)
            .map(|row| is_valid(&keys, row).then(|| i64::try_from(rng.below(groups)).unwrap()))
            .collect();
        Self { keys, x }
    }

    fn frame(&self, exec: &Exec) -> ColumnAccessor {
        ColumnAccessor::from_columns([
            ("k", Column::from_options(self.keys.clone(), exec).unwrap()),
            ("x", Column::from_options(self.x.clone(), exec).unwrap()),
        ])
        .unwrap()
    }

    /// What `reference` gives for each row from `first` on.
    fn expected(&self, first: usize, by_key: bool, reference: &Reference) -> Vec<Option<f64>> {
        let n = self.keys.len() - first;
        let key = |row: usize| if by_key { self.keys[first + row] } else { Some(0) };
        let mut result = vec![None; n];
        let mut keys: Vec<_> = (0..n).filter_map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        for wanted in keys {
            let rows: Vec<usize> = (0..n).filter(|row| key(*row) == Some(wanted)).collect();
            let values: Vec<_> = rows.iter().map(|row| self.x[first + row]).collect();
            for (row, value) in rows.into_iter().zip(reference(&values)) {
                result[row] = value;
            }
        }
        result
    }
}

#[expect(clippy::cast_precision_loss, reason = "test sizes")]
fn float(n: usize) -> f64 {
    n as f64
}

fn running(combine: fn(f64, f64) -> f64) -> Reference {
    Box::new(move |values| {
        let mut state: Option<f64> = None;
        let next = |value: &Option<f64>| {
            let value = (*value)?;
            state = Some(state.map_or(value, |state| combine(state, value)));
            state
        };
        values.iter().map(next).collect()
    })
}

fn rank(method: RankMethod, descending: bool, pct: bool) -> Reference {
    Box::new(move |values| {
        let sign = if descending { -1.0 } else { 1.0 };
        let valid: Vec<f64> = values.iter().flatten().map(|value| value * sign).collect();
        let mut distinct = valid.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        let mut seen = Vec::new();
        let rank = |value: &Option<f64>| {
            let value = (*value)? * sign;
            let less = valid.iter().filter(|other| **other < value).count();
            let equal = valid.iter().filter(|other| **other == value).count();
            seen.push(value);
            let rank = match method {
                RankMethod::Min => float(less + 1),
                RankMethod::Max => float(less + equal),
                RankMethod::Average => float(less) + float(equal + 1) / 2.0,
                RankMethod::First => float(less + seen.iter().filter(|other| **other == value).count()),
                RankMethod::Dense => float(distinct.iter().filter(|other| **other < value).count() + 1),
            };
            let most = if method == RankMethod::Dense { distinct.len() } else { valid.len() };
            Some(if pct { rank / float(most) } else { rank })
        };
        values.iter().map(rank).collect()
    })
}

fn at(values: &[Option<f64>], position: Option<usize>) -> Option<f64> {
    *values.get(position?)?
}

fn filled(values: &[Option<f64>], limit: usize) -> Vec<Option<f64>> {
    let value = |row: usize| (0..=limit.min(row)).find_map(|back| values[row - back]);
    (0..values.len()).map(value).collect()
}

fn interpolated(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let number = |row: usize| {
        let before = (0..=row).rev().find(|&row| values[row].is_some())?;
        let after = (row..values.len()).find(|&row| values[row].is_some())?;
        let (a, b) = (values[before]?, values[after]?);
        Some(if before == after { a } else { a + (b - a) * float(row - before) / float(after - before) })
    };
    (0..values.len()).map(number).collect()
}

fn functions() -> Vec<(Expr, Reference)> {
    let x = || col("x");
    let mut functions: Vec<(Expr, Reference)> = vec![
        (row_number(), Box::new(|values| (1..=values.len()).map(|n| Some(float(n))).collect())),
        (
            x().cum_count(),
            Box::new(|values| {
                let count = |row| Some(float(values[..=row].iter().flatten().count()));
                (0..values.len()).map(count).collect()
            }),
        ),
        (x().cum_sum(), running(|a, b| a + b)),
        (x().cum_min(), running(f64::min)),
        (x().cum_max(), running(f64::max)),
        (
            x().mean(),
            Box::new(|values| {
                let valid: Vec<f64> = values.iter().flatten().copied().collect();
                let mean = (!valid.is_empty()).then(|| valid.iter().sum::<f64>() / float(valid.len()));
                vec![mean; values.len()]
            }),
        ),
        (len(), Box::new(|values| vec![Some(float(values.len())); values.len()])),
        (
            x() - x().median(),
            Box::new(|values| {
                let mut valid: Vec<f64> = values.iter().flatten().copied().collect();
                valid.sort_by(f64::total_cmp);
                let n = valid.len();
                let median = (n > 0).then(|| f64::midpoint(valid[(n - 1) / 2], valid[n / 2]));
                values.iter().map(|value| Some((*value)? - median?)).collect()
            }),
        ),
        (
            x().diff(1),
            Box::new(|values| {
                let before = |row: usize| at(values, row.checked_sub(1));
                (0..values.len()).map(|row| Some(values[row]? - before(row)?)).collect()
            }),
        ),
        (
            x().pct_change(2),
            Box::new(|values| {
                let before = |row: usize| at(values, row.checked_sub(2));
                (0..values.len()).map(|row| Some(values[row]? / before(row)? - 1.0)).collect()
            }),
        ),
        (x().interpolate(), Box::new(interpolated)),
        (x().fill_forward(None), Box::new(|values| filled(values, values.len()))),
        (x().fill_forward(Some(1)), Box::new(|values| filled(values, 1))),
        (x().fill_forward(Some(0)), Box::new(<[_]>::to_vec)),
        (
            x().fill_backward(Some(2)),
            Box::new(|values| {
                let reversed: Vec<_> = values.iter().rev().copied().collect();
                filled(&reversed, 2).into_iter().rev().collect()
            }),
        ),
    ];
    for n in [0, 1, -1, 3, -40, i64::MIN, i64::MAX] {
        let shifted = move |row: usize| usize::try_from(i128::try_from(row).unwrap() - i128::from(n)).ok();
        functions.push((
            x().shift(n),
            Box::new(move |values| (0..values.len()).map(|row| at(values, shifted(row))).collect()),
        ));
    }
    for method in
        [RankMethod::Average, RankMethod::Min, RankMethod::Max, RankMethod::Dense, RankMethod::First]
    {
        for (descending, pct) in [(false, false), (true, false), (false, true)] {
            let by = Rank { method, descending, pct };
            functions.push((x().rank(by), rank(method, descending, pct)));
        }
    }
    functions
}

fn number(scalar: &Scalar) -> Option<f64> {
    match scalar {
        Scalar::Float64(value) => Some(*value),
        #[expect(clippy::cast_precision_loss, reason = "test sizes")]
        Scalar::Int64(value) => Some(*value as f64),
        Scalar::Null(_) => None,
        other => panic!("{other:?} is no number"),
    }
}

fn check(case: &Case, frame: &ColumnAccessor, first: usize, by_key: bool, exec: &Exec, what: &str) {
    for (expr, reference) in functions() {
        let windowed = if by_key { expr.over([col("k")]) } else { expr };
        let found = evaluate(std::slice::from_ref(&windowed), frame, exec).unwrap().swap_remove(0).1;
        let found: Vec<_> = found.to_scalars().unwrap().iter().map(number).collect();
        let expected = case.expected(first, by_key, &reference);
        assert_eq!(found.len(), expected.len(), "{what}: {windowed}");
        for (row, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            let same = match (found, expected) {
                (Some(a), Some(b)) => (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() < 1e-9,
                (a, b) => a == b,
            };
            assert!(same, "{what}: {windowed}, row {row}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn row_functions_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] = if device == Device::Host { &[0, 1, 31, 33, 65, 700] } else { &[0, 70] };
        for &n in sizes {
            for (groups, nulls) in [(1, Nulls::NoMask), (5, Nulls::Some), (300, Nulls::Some), (2, Nulls::All)]
            {
                let mut rng = Rng::new(u64::try_from(n).unwrap() + groups);
                let case = Case::new(n, groups, nulls, &mut rng);
                let frame = case.frame(&exec);
                let what = format!("{device}, {n} rows, {groups} keys");
                check(&case, &frame, 0, true, &exec, &what);
                check(&case, &frame, 0, false, &exec, &what);
                if n > 5 {
                    let sliced = frame.slice(5, n - 5).unwrap();
                    check(&case, &sliced, 5, true, &exec, &format!("{what}, sliced"));
                }
            }
        }
    }
}

fn strings(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn row_functions_of_other_dtypes_keep_them() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let words = Column::from_options([Some("b"), None, Some("ß"), Some("b")], &exec).unwrap();
        let days = Column::from_slice(&[3_i32, 1, 2, 9], &exec).unwrap().reinterpret(&DType::Date32).unwrap();
        let lists =
            columnade_columns::ListColumn::from_lengths(&days, [Some(1), None, Some(3), Some(0)], &exec);
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_slice(&[1_i8, 2, 1, 1], &exec).unwrap()),
            ("word", words),
            ("day", days),
            ("list", Column::List(lists.unwrap())),
        ])
        .unwrap();
        let by = |expr: Expr| {
            strings(&evaluate(&[expr.over([col("k")])], &frame, &exec).unwrap().swap_remove(0).1)
        };
        assert_eq!(by(col("word").shift(1)), ["<NA>", "<NA>", "b", "ß"], "{device}");
        assert_eq!(by(col("word").fill_backward(None)), ["b", "<NA>", "ß", "b"], "{device}");
        assert_eq!(by(col("word").rank(Rank::default())), ["1.5", "<NA>", "3.0", "1.5"], "{device}");
        assert_eq!(by(col("word").nunique()), ["2", "0", "2", "2"], "{device}");
        assert_eq!(by(col("day").cum_max())[2..], ["1970-01-04", "1970-01-10"], "{device}");
        assert_eq!(by(col("list").shift(-1))[2], "[]", "{device}");
        let mask = evaluate_mask(&col("day").eq(col("day").max().over([col("k")])), &frame, &exec).unwrap();
        assert_eq!(strings(&mask), ["false", "true", "false", "true"], "{device}");
        // A row function as the argument of an aggregate.
        let sums = aggregate(
            &frame,
            None,
            &[col("k")],
            &[row_number().over([col("k")]).sum().alias("n")],
            GroupOptions::default(),
            &exec,
        );
        assert_eq!(strings(sums.unwrap().get("n").unwrap()), ["6", "1"], "{device}");
    }
}

#[test]
fn invalid_row_functions_are_typed_errors() {
    let exec = Exec::host();
    let frame = ColumnAccessor::from_columns([("s", Column::from_values(["a"], &exec).unwrap())]).unwrap();
    let run = |expr: Expr| evaluate(&[expr], &frame, &exec).unwrap_err();
    let error = run(col("s").cum_sum());
    assert!(error.to_string().contains("cum_sum"), "{error}");
    let most = Scalar::Decimal { value: 10_i128.pow(38) - 1, precision: 38, scale: 0 };
    let most = Column::from_scalar(&most, 2, &exec).unwrap();
    let decimals = ColumnAccessor::from_columns([("d", most)]).unwrap();
    let error = evaluate(&[col("d").cum_sum()], &decimals, &exec).unwrap_err();
    assert_eq!(error.to_string(), "expression d.cum_sum(): a value does not fit decimal(38,0)");
    let error = run(col("s").shift(1).over("t"));
    assert!(matches!(error, Error::ColumnNotFound { .. }), "{error:?}");
    let error = run(col("s").sum().over(lit(Literal::Null)));
    assert!(error.to_string().contains("sum"), "{error}");
}

#[test]
fn row_functions_in_aggregates_are_those_of_rows_of_group_that_take_part() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("k", Column::from_options([Some("a"), Some("a"), None, Some("b"), Some("a")], &exec).unwrap()),
            ("n", Column::from_options([Some(3_i64), None, Some(4), Some(4), Some(9)], &exec).unwrap()),
        ])
        .unwrap();
        let run = |rows_where: Option<Expr>, expr: Expr| {
            let options = GroupOptions::default();
            let found =
                aggregate(&frame, rows_where.as_ref(), &[col("k")], &[expr.alias("x")], options, &exec);
            strings(found.unwrap().get("x").unwrap())
        };
        let n = || col("n");
        assert_eq!(run(None, n().shift(1).sum()), ["3", "0"], "{device}");
        assert_eq!(run(None, n().cum_sum().max()), ["12", "4"], "{device}");
        assert_eq!(run(None, n().rank(Rank::default()).max()), ["2.0", "1.0"], "{device}");
        assert_eq!(run(None, (n() - n().mean()).abs().sum()), ["6.0", "0.0"], "{device}");
        assert_eq!(run(Some(n().gt(3)), n().cum_sum().max()), ["4", "9"], "{device}");
        assert_eq!(run(Some(n().gt(3)), n().sum().over("k").max()), ["4", "9"], "{device}");
        assert_eq!(run(Some(n().lt(n().mean())), n().sum()), ["3", "4"], "{device}");
        let each = |expr: Expr| strings(&evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1);
        assert_eq!(each(n().cum_sum().max()), ["20"; 5], "{device}");
        assert_eq!(each(n().sum().over("k").max()), ["12"; 5], "{device}");
        assert_eq!(each(n().cum_sum().max().over("k")), ["12", "12", "<NA>", "4", "12"], "{device}");
        assert_eq!(each(n().rank(Rank::default()).max().over("k"))[0], "2.0", "{device}");
        let by_rank = n().rank(Rank::default()).is_not_null();
        assert_eq!(each(n().sum().over(by_rank)), ["20", "0", "20", "20", "20"], "{device}");
    }
}

#[test]
fn errors_name_functions_and_not_their_columns() {
    let exec = Exec::host();
    let frame = ColumnAccessor::from_columns([("s", Column::from_values(["a"], &exec).unwrap())]).unwrap();
    let error = evaluate(&[col("s").diff(1)], &frame, &exec).unwrap_err();
    assert!(error.to_string().contains("(s - s.shift(1))"), "{error}");
    let error = evaluate(&[col("s").std().over("s")], &frame, &exec).unwrap_err();
    assert_eq!(error.to_string().matches("s.std()").count(), 1, "{error}");
    let group =
        |expr: Expr| aggregate(&frame, None, &[], &[expr], GroupOptions::default(), &exec).unwrap_err();
    assert!(group(col("s").rank(Rank::default())).to_string().contains("s.rank() is no aggregate"));
    assert!(group(col("s").first() + 1).to_string().contains("(s.first() + 1)"));
}

/// As pandas and Polars; of all NaN they are NaN.
#[test]
fn extremes_skip_nan_in_every_form() {
    let nan = f64::NAN;
    let x = [Some(nan), Some(2.0), None, Some(nan), Some(-f64::NAN), Some(-1.0), Some(5.0), Some(nan)];
    let keys = [1_i64, 1, 1, 1, 2, 1, 1, 2];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let x = Column::from_options(x, &exec).unwrap();
        for dtype in [DType::Float64, DType::Float32] {
            let x = crate::cast::cast(&x, &dtype, crate::cast::CastMode::Wrap, &exec).unwrap();
            let key = Column::from_slice(&keys, &exec).unwrap();
            let frame = ColumnAccessor::from_columns([("k", key), ("x", x)]).unwrap();
            let each = |expr: Expr| strings(&evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1);
            let x = || col("x");
            let by = |keys: &[Expr], expr: Expr| {
                let options = GroupOptions::default();
                let found = aggregate(&frame, None, keys, &[expr.alias("r")], options, &exec).unwrap();
                strings(found.get("r").unwrap())
            };
            let k = [col("k")];
            assert_eq!(by(&k, x().min()), ["-1.0", "NaN"], "{device}");
            assert_eq!(by(&k, x().max()), ["5.0", "NaN"], "{device}");
            assert_eq!(by(&k, x().max() - x().min()), ["6.0", "NaN"], "{device}");
            assert_eq!(by(&k, x().arg_min()), ["5", "4"], "{device}");
            assert_eq!(by(&k, x().arg_max()), ["6", "4"], "{device}");
            for (expr, all) in
                [(x().min(), "-1.0"), (x().max(), "5.0"), (x().arg_min(), "5"), (x().arg_max(), "6")]
            {
                assert_eq!(by(&[], expr), [all], "{device}");
            }
            assert_eq!(each(x().max().over("k"))[..5], ["5.0", "5.0", "5.0", "5.0", "NaN"], "{device}");
            let maxima = ["NaN", "2.0", "<NA>", "NaN", "NaN", "2.0", "5.0", "NaN"];
            assert_eq!(each(x().cum_max().over("k")), maxima, "{device}");
            assert_eq!(each(x().cum_max()), maxima, "{device}");
            let minima = ["NaN", "2.0", "<NA>", "NaN", "NaN", "-1.0", "-1.0", "NaN"];
            assert_eq!(each(x().cum_min()), minima, "{device}");
        }
    }
}

#[test]
fn running_extremes_of_strings_match_reference() {
    let words = ["", "a", "ab", "b", "é", "日本", "z"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] =
            if device == Device::Host { &[0, 1, 31, 32, 33, 64, 65, 300] } else { &[0, 1, 65] };
        for &n in sizes {
            for null_share in [0, 3, 1] {
                let mut rng = Rng::new(u64::try_from(n).unwrap() + null_share);
                let mut below = |limit: u64| usize::try_from(rng.below(limit)).unwrap();
                let keys: Vec<i64> = (0..n).map(|_| i64::try_from(below(3)).unwrap()).collect();
                let row = |_| {
                    let word = words[below(7)];
                    (null_share == 0 || null_share == 3 && below(3) > 0).then_some(word)
                };
                let values: Vec<Option<&str>> = (0..n).map(row).collect();
                let of_words = Column::from_options(values.clone(), &exec).unwrap();
                let dictionary = DType::dictionary(DType::Utf8);
                let scalars = of_words.to_scalars().unwrap();
                let frame = ColumnAccessor::from_columns([
                    ("k", Column::from_vec_on(keys.clone(), &exec).unwrap()),
                    ("s", of_words),
                    ("d", Column::from_scalars(&dictionary, &scalars, &exec).unwrap()),
                ])
                .unwrap();
                let (first, frame) = if n > 7 { (7, frame.slice(7, n - 7).unwrap()) } else { (0, frame) };
                for by_key in [false, true] {
                    for label in ["s", "d"] {
                        for (expr, is_better) in [
                            (col(label).cum_min(), (|a, b| a < b) as fn(&str, &str) -> bool),
                            (col(label).cum_max(), |a, b| a > b),
                        ] {
                            let expr = if by_key { expr.over("k") } else { expr };
                            let mut best = [None::<&str>; 3];
                            let expected: Vec<String> = (first..n)
                                .map(|row| {
                                    let Some(word) = values[row] else { return "<NA>".to_owned() };
                                    let key = if by_key { usize::try_from(keys[row]).unwrap() } else { 0 };
                                    if best[key].is_none_or(|other| is_better(word, other)) {
                                        best[key] = Some(word);
                                    }
                                    best[key].unwrap_or_default().to_owned()
                                })
                                .collect();
                            let found = evaluate(std::slice::from_ref(&expr), &frame, &exec)
                                .unwrap()
                                .swap_remove(0)
                                .1;
                            assert_eq!(strings(&found), expected, "{expr} of {n} rows on {device}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn rows_without_dtype_are_null_to_row_functions() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in [0, 1, 33] {
            let nothing = Column::full_null(&DType::Null, n, &exec).unwrap();
            let keys = Column::from_values((0..n).map(|row| row.is_multiple_of(2)), &exec);
            let numbers = Column::from_values(vec![1.5; n], &exec).unwrap();
            let columns = [("x", nothing), ("k", keys.unwrap()), ("n", numbers)];
            let frame = ColumnAccessor::from_columns(columns).unwrap();
            for by_key in [false, true] {
                let run = |expr: Expr| {
                    let expr = if by_key { expr.over("k") } else { expr };
                    let (_, column) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
                    (column.dtype(), strings(&column))
                };
                let x = || col("x");
                let null = |dtype| (dtype, vec!["<NA>".to_owned(); n]);
                assert_eq!(run(x().cum_count()), (DType::Int64, vec!["0".to_owned(); n]), "{device}");
                assert_eq!(run(x().rank(Rank::default())), null(DType::Float64), "{device}");
                let first = Rank { method: RankMethod::First, ..Rank::default() };
                assert_eq!(run(x().rank(first)), null(DType::Int64), "{device}");
                assert_eq!(run(x().rank(Rank { pct: true, ..first })), null(DType::Float64), "{device}");
                assert_eq!(run(x().fill_forward(None)), null(DType::Null), "{device}");
                assert_eq!(run(x().fill_backward(Some(1))), null(DType::Null), "{device}");
                assert_eq!(run(x().shift(1)), null(DType::Null), "{device}");
                for floats in
                    [x().interpolate(), x().rolling_mean(2), x().rolling_std(2), x().rolling_median(2)]
                {
                    assert_eq!(run(floats.clone()), null(DType::Float64), "{floats} on {device}");
                }
                let weights = ExponentialWindow::alpha(0.5);
                for floats in [x().ewm_mean(weights), x().ewm_std(weights), x().ewm_cov(col("n"), weights)] {
                    assert_eq!(run(floats.clone()), null(DType::Float64), "{floats} on {device}");
                }
                for same in [x().cum_min(), x().cum_max(), x().rolling_min(2), x().rolling_first(2)] {
                    assert_eq!(run(same.clone()), null(DType::Null), "{same} on {device}");
                }
                for sums in [x().cum_sum(), x().cum_product(), x().rolling_sum(2)] {
                    assert_eq!(run(sums.clone()), null(DType::Int64), "{sums} on {device}");
                }
                for differences in [x().diff(1), x().pct_change(1)] {
                    assert_eq!(run(differences.clone()).1, null(DType::Null).1, "{differences} on {device}");
                }
                let zeros = (DType::Int64, vec!["0".to_owned(); n]);
                let all = || RollingWindow::rows(2).min_periods(0);
                assert_eq!(run(x().rolling_sum(all())), zeros, "{device}");
                assert_eq!(run(x().rolling_count(all())), zeros, "{device}");
                let refused = evaluate(&[x().rolling_min(RollingWindow::rows(0))], &frame, &exec);
                assert_eq!(refused.expect_err("no rows").kind(), ErrorKind::Value, "{device}");
            }
        }
    }
}

#[test]
fn differences_and_memberships_keep_their_label() {
    let exec = Exec::host();
    let frame =
        ColumnAccessor::from_columns([("n", Column::from_slice(&[1_i64, 4], &exec).unwrap())]).unwrap();
    let n = || col("n");
    for expr in
        [n().diff(1), n().pct_change(1), n().is_in([1, 2]), n().is_in(Vec::<i64>::new()), n().is_in([4])]
    {
        assert_eq!(expr.label(), "n", "{expr}");
        assert_eq!(evaluate(&[expr], &frame, &exec).unwrap()[0].0, "n");
    }
    assert_eq!((n() * 2).diff(1).label(), "(n * 2)");
    assert_eq!(n().diff(1).sum().alias("d").label(), "d");
    let twice = n().diff(1) * 2;
    assert_eq!(strings(&evaluate(&[twice], &frame, &exec).unwrap()[0].1), ["<NA>", "6"]);
    let groups = aggregate(&frame, None, &[], &[n().diff(1).max()], GroupOptions::default(), &exec).unwrap();
    assert_eq!(
        (groups.labels()[0].clone(), strings(&groups.columns()[0])),
        ("n".into(), vec!["3".to_owned()])
    );
    let keys = (col("n") % 2, "n");
    assert_eq!(row_number().over(keys).to_string(), "row_number().over([(n % 2), n])");
}

/// Running aggregates go on from chunk to chunk, over chunks of nulls too.
#[test]
fn cumulative_of_rows_that_exceed_the_budget_is_that_of_all() {
    let mut rng = Rng::new(5);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let n = if device == Device::Host { 50_000 } else { 9_000 };
        let numbers: Vec<Option<i64>> = (0..n)
            .map(|row| {
                let is_null = row < 700 || (n / 3..n * 2 / 3).contains(&row) || rng.below(5) == 0;
                (!is_null).then(|| i64::try_from(rng.below(1 << 62)).unwrap() - (1 << 61))
            })
            .collect();
        let floats = numbers.iter().map(|x| x.map(|x| f64::from(i32::try_from(x >> 40).unwrap())));
        let floats = Column::from_options(floats.collect::<Vec<_>>(), &exec).unwrap();
        let numbers = Column::from_options(numbers, &exec).unwrap();
        let rows = ColumnAccessor::from_columns([("x", numbers), ("f", floats)]).unwrap();
        let exprs = [col("x").cum_sum(), col("x").cum_min(), col("x").cum_max(), col("f").cum_sum()];
        let exprs: Vec<Expr> =
            exprs.into_iter().enumerate().map(|(at, expr)| expr.alias(at.to_string())).collect();
        let expected = evaluate(&exprs, &rows, &exec).unwrap();
        let (manager, tight) = limited(&exec, rows.row_bytes().unwrap() / 4);
        let source = moved(&rows, &tight);
        for (expr, (_, expected)) in exprs.iter().zip(&expected) {
            let limit = rows.row_bytes().unwrap() / 4;
            let (peak, found) =
                peak_of(&manager, || evaluate(std::slice::from_ref(expr), &source, &tight).unwrap());
            assert!(peak <= limit, "{peak} of {limit}: {expr} on {device}");
            let found = found[0].1.to_scalars().unwrap();
            assert_eq!(found, expected.to_scalars().unwrap(), "{expr} on {device}");
        }
    }
}
