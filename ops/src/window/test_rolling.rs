//! Rolling aggregates on every device, against the rows of each window one by one, and against pandas 3.1.1.

use crate::expression::{
    Closed, Expr, Interpolation, RollingWindow, col, days, evaluate, hours, milliseconds, nanoseconds,
    seconds,
};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Scalar, TimeUnit};
use columnade_tests::{Nulls, Rng};
use std::cmp::Ordering;

/// The values of a window that are not null.
type Reference = fn(&[f64]) -> Option<f64>;

#[expect(clippy::cast_precision_loss, reason = "test sizes")]
fn float(n: usize) -> f64 {
    n as f64
}

fn var(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / float(values.len());
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (values.len() > 1).then(|| squares / float(values.len() - 1))
}

/// The shape of values that are not all equal, of their central moments.
fn shape(values: &[f64], least: usize, of: fn(f64, [f64; 3]) -> f64) -> Option<f64> {
    let n = float(values.len());
    let mean = values.iter().sum::<f64>() / n;
    let moment = |power| values.iter().map(|value| (value - mean).powi(power)).sum::<f64>() / n;
    let is_constant =
        values.windows(2).all(|pair| pair[0].partial_cmp(&pair[1]).is_some_and(Ordering::is_eq));
    (values.len() >= least && !is_constant).then(|| of(n, [moment(2), moment(3), moment(4)]))
}

fn skew(values: &[f64]) -> Option<f64> {
    shape(values, 3, |n, [second, third, _]| (n * (n - 1.0)).sqrt() / (n - 2.0) * third / second.powf(1.5))
}

fn kurt(values: &[f64]) -> Option<f64> {
    shape(values, 4, |n, [second, _, fourth]| {
        let excess = fourth / (second * second) - 3.0;
        ((n + 1.0) * excess + 6.0) * (n - 1.0) / ((n - 2.0) * (n - 3.0))
    })
}

fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let place = float(values.len().checked_sub(1)?) * q;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "test sizes")]
    let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
    Some(low + (high - low) * place.fract())
}

type Make = fn(Expr, RollingWindow) -> Expr;

fn functions() -> Vec<(Make, Reference)> {
    vec![
        // Left out on simulators: it takes many launches.
        (
            |x, w| x.rolling_nunique(w).cast(DType::Float64),
            |values| {
                let bits: std::collections::BTreeSet<u64> =
                    values.iter().map(|x| (x + 0.0).to_bits()).collect();
                Some(float(bits.len()))
            },
        ),
        (|x, w| x.rolling_sum(w), |values| Some(values.iter().sum::<f64>() + 0.0)),
        (
            |x, w| x.rolling_mean(w),
            |values| (!values.is_empty()).then(|| values.iter().sum::<f64>() / float(values.len())),
        ),
        (|x, w| x.rolling_min(w), |values| values.iter().copied().reduce(f64::min)),
        (|x, w| x.rolling_max(w), |values| values.iter().copied().reduce(f64::max)),
        (|x, w| x.rolling_var(w), var),
        (|x, w| x.rolling_std(w), |values| var(values).map(f64::sqrt)),
        (|x, w| x.rolling_skew(w), skew),
        (|x, w| x.rolling_kurt(w), kurt),
        (|x, w| x.rolling_first(w), |values| values.first().copied()),
        (|x, w| x.rolling_last(w), |values| values.last().copied()),
        (|x, w| x.rolling_median(w), |values| quantile(values, 0.5)),
        (|x, w| x.rolling_quantile(0.3, Interpolation::Linear, w), |values| quantile(values, 0.3)),
    ]
}

struct Case {
    keys: Vec<Option<i64>>,
    times: Vec<i64>,
    x: Vec<Option<f64>>,
}

/// The window of a row among the rows of its group, by position and by times.
type Rows = Box<dyn Fn(usize, &[i64]) -> std::ops::Range<usize>>;

/// The rows that are more than the ends, and those ends that belong to the window.
fn rows_of(length: usize, center: bool, closed: Closed) -> Rows {
    Box::new(move |row, times| {
        let after = if center { (length - 1) / 2 } else { 0 };
        // The ends are the row before the window and its last one, as pandas has it.
        let last = row + after;
        let is_inside = |k: &usize| match closed {
            Closed::Right => last < k + length && *k <= last,
            Closed::Left => last <= k + length && *k < last,
            Closed::Both => last <= k + length && *k <= last,
            Closed::Neither => last < k + length && *k < last,
        };
        let inside: Vec<usize> = (0..times.len()).filter(is_inside).collect();
        inside.first().map_or(0..0, |&first| first..inside[inside.len() - 1] + 1)
    })
}

fn windows() -> Vec<(RollingWindow, u64, Rows)> {
    let mut windows: Vec<(RollingWindow, u64, Rows)> = Vec::new();
    for (length, center, min) in
        [(1, false, 1), (3, false, 3), (3, true, 1), (4, true, 2), (70, false, 2), (5, true, 0)]
    {
        let after = if center { (length - 1) / 2 } else { 0 };
        let rows: Rows = Box::new(move |row, times| {
            let end = row + after + 1;
            end.saturating_sub(length)..end.min(times.len())
        });
        let window = RollingWindow::rows(length as u64).min_periods(min).center(center);
        windows.push((window, min, rows));
    }
    for closed in [Closed::Left, Closed::Both, Closed::Neither] {
        for (length, center, min) in
            [(1, false, 0), (2, false, 1), (4, true, 1), (1, true, 1), (70, false, 3)]
        {
            let window = RollingWindow::rows(length as u64).min_periods(min);
            windows.push((window.center(center).closed(closed), min, rows_of(length, center, closed)));
        }
    }
    windows.push((RollingWindow::expanding(), 1, Box::new(|row, _| 0..row + 1)));
    for closed in [Closed::Right, Closed::Left, Closed::Both, Closed::Neither] {
        for (span, of) in [(3_i64, seconds(3)), (1, milliseconds(700)), (1 << 60, days(1 << 50))] {
            let is_whole = span != 1;
            let rows: Rows = Box::new(move |row, times| {
                let at_end = matches!(closed, Closed::Right | Closed::Both);
                let at_start = matches!(closed, Closed::Left | Closed::Both) && is_whole;
                let distance = |k: &usize| times[row].abs_diff(times[*k]);
                let limit = span.unsigned_abs();
                let is_inside = |k: &usize| {
                    (distance(k) < limit || (at_start && distance(k) == limit))
                        && (at_end || times[*k] < times[row])
                };
                let inside: Vec<usize> = (0..=row).filter(is_inside).collect();
                inside.first().map_or(0..0, |&first| first..inside[inside.len() - 1] + 1)
            });
            let window = RollingWindow::time("t", of).closed(closed);
            windows.push((window, 1, rows));
        }
        // Twice the distance is compared with the span: halves of a second are none of the times.
        for (span, of) in
            [(3_i64, seconds(3)), (4, seconds(4)), (1, milliseconds(900)), (1 << 60, days(1 << 50))]
        {
            let is_whole = span != 1;
            let rows: Rows = Box::new(move |row, times| {
                let at_end = matches!(closed, Closed::Right | Closed::Both) && is_whole;
                let at_start = matches!(closed, Closed::Left | Closed::Both) && is_whole;
                let is_inside = |k: &usize| {
                    let distance = 2 * times[row].abs_diff(times[*k]);
                    let limit = span.unsigned_abs();
                    let is_end = if times[*k] < times[row] { at_start } else { at_end };
                    distance < limit || (is_end && distance == limit)
                };
                let inside: Vec<usize> = (0..times.len()).filter(is_inside).collect();
                inside.first().map_or(0..0, |&first| first..inside[inside.len() - 1] + 1)
            });
            windows.push((RollingWindow::time("t", of).closed(closed).center(true), 1, rows));
        }
    }
    windows
}

impl Case {
    fn new(n: usize, groups: u64, nulls: Nulls, rng: &mut Rng) -> Self {
        let (values, keys) = (nulls.mask(n, rng), nulls.mask(n, rng));
        let is_valid = |mask: &Option<Vec<bool>>, row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
        let mut time = -5;
        let mut case = Self { keys: vec![], times: vec![], x: vec![] };
        for row in 0..n {
            let quarters = f64::from(u32::try_from(rng.below(40)).unwrap()) / 4.0 - 5.0;
            case.x.push(is_valid(&values, row).then_some(quarters));
            case.keys.push(is_valid(&keys, row).then(|| i64::try_from(rng.below(groups)).unwrap()));
            time += i64::try_from(rng.below(3)).unwrap();
            case.times.push(time);
        }
        case
    }

    fn frame(&self, exec: &Exec) -> ColumnAccessor {
        let times = Column::from_slice(&self.times, exec).unwrap();
        ColumnAccessor::from_columns([
            ("k", Column::from_options(self.keys.clone(), exec).unwrap()),
            ("t", times.reinterpret(&DType::Timestamp(TimeUnit::Second)).unwrap()),
            ("x", Column::from_options(self.x.clone(), exec).unwrap()),
        ])
        .unwrap()
    }

    fn expected(
        &self,
        first: usize,
        by_key: bool,
        rows: &Rows,
        min: u64,
        reference: Reference,
    ) -> Vec<Option<f64>> {
        let n = self.keys.len() - first;
        let key = |row: usize| if by_key { self.keys[first + row] } else { Some(0) };
        let mut result = vec![None; n];
        for (row, result) in result.iter_mut().enumerate() {
            let Some(wanted) = key(row) else { continue };
            let group: Vec<usize> = (0..n).filter(|row| key(*row) == Some(wanted)).collect();
            let times: Vec<i64> = group.iter().map(|row| self.times[first + row]).collect();
            let position = group.iter().position(|other| *other == row).unwrap();
            let values: Vec<f64> =
                group[rows(position, &times)].iter().filter_map(|row| self.x[first + row]).collect();
            if values.len() as u64 >= min {
                *result = reference(&values);
            }
        }
        result
    }
}

fn number(scalar: &Scalar) -> Option<f64> {
    match scalar {
        Scalar::Float64(value) => Some(*value),
        Scalar::Null(_) => None,
        other => panic!("{other:?} is no float64"),
    }
}

#[test]
fn rolling_aggregates_match_rows_of_each_window() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] = if device == Device::Host { &[0, 1, 33, 65, 150] } else { &[0, 45] };
        for (i, &n) in sizes.iter().enumerate() {
            let mut rng = Rng::new(71 + n as u64);
            let case = Case::new(n, [4, 1][i % 2], [Nulls::Some, Nulls::NoMask, Nulls::All][i % 3], &mut rng);
            let all = case.frame(&exec);
            for (window, min, rows) in windows() {
                for (make, reference) in functions().into_iter().skip(usize::from(device != Device::Host)) {
                    let rows_of = [(n.min(3), true), (0, false), (0, true)];
                    for &(first, by_key) in &rows_of[..if device == Device::Host { 3 } else { 2 }] {
                        let frame = all.slice(first, n - first).unwrap();
                        let expr = make(col("x"), window.clone());
                        let expr = if by_key { expr.over("k") } else { expr };
                        let context = format!("{expr} of {n} rows from {first}, {window:?}, {device}");
                        let found = evaluate(std::slice::from_ref(&expr), &frame, &exec);
                        let found =
                            found.unwrap_or_else(|error| panic!("{context}: {error}")).swap_remove(0).1;
                        let found: Vec<_> = found.to_scalars().unwrap().iter().map(number).collect();
                        let expected = case.expected(first, by_key, &rows, min, reference);
                        assert_eq!(found.len(), expected.len(), "{context}");
                        for (row, (a, b)) in found.iter().zip(&expected).enumerate() {
                            let same = match (a, b) {
                                (Some(a), Some(b)) => (a - b).abs() < 1e-9,
                                (a, b) => a == b,
                            };
                            assert!(same, "{context}, row {row}: {a:?}, not {b:?}");
                        }
                    }
                }
            }
        }
    }
}

fn strings(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

/// `pandas.Series([1, nan, 3, 4, nan])` and a series of five times, in pandas 3.1.1.
#[test]
fn rolling_aggregates_are_those_of_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let x = Column::from_options([Some(1.0), None, Some(3.0), Some(4.0), None], &exec).unwrap();
        let y = Column::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0], &exec).unwrap();
        let t = Column::from_slice(&[0_i64, 1, 1, 3, 6], &exec).unwrap();
        let t = t.reinterpret(&DType::Timestamp(TimeUnit::Second)).unwrap();
        let frame = ColumnAccessor::from_columns([("x", x), ("y", y), ("t", t)]).unwrap();
        let run = |expr: Expr| {
            strings(&evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1)
                .join(" ")
                .replace("<NA>", "-")
        };
        let (x, y) = (|| col("x"), || col("y"));
        let rows = |n: u64| RollingWindow::rows(n).min_periods(1);
        assert_eq!(run(x().rolling_sum(2)), "- - - 7.0 -", "{device}");
        assert_eq!(run(x().rolling_first(rows(2))), "1.0 1.0 3.0 3.0 4.0", "{device}");
        assert_eq!(run(x().rolling_last(rows(2))), "1.0 1.0 3.0 4.0 4.0", "{device}");
        assert_eq!(run(x().rolling_count(rows(3))), "1 1 2 2 2", "{device}");
        assert_eq!(run(x().rolling_count(3)), "- - 2 2 2", "{device}");
        assert_eq!(run(x().rolling_count(RollingWindow::rows(3).min_periods(2))), "- 1 2 2 2", "{device}");
        assert_eq!(run(x().rolling_sum(rows(3).center(true))), "1.0 4.0 7.0 7.0 4.0", "{device}");
        assert_eq!(run(x().rolling_sum(rows(4).center(true))), "1.0 4.0 8.0 7.0 7.0", "{device}");
        assert_eq!(run(x().rolling_count(rows(4).center(true))), "1 2 3 2 2", "{device}");
        assert_eq!(run(x().rolling_sum(RollingWindow::expanding())), "1.0 1.0 4.0 8.0 8.0", "{device}");
        let expanding = RollingWindow::expanding().min_periods(2);
        let variances = x().rolling_var(expanding).round(12);
        assert_eq!(run(variances), "- - 2.0 2.333333333333 2.333333333333", "{device}");
        let shapes = |expr: Expr| run(expr.round(12) + 0.0);
        assert_eq!(shapes(y().rolling_skew(3)), "- - 0.0 0.0 0.0", "{device}");
        assert_eq!(shapes(y().rolling_kurt(4)), "- - - -1.2 -1.2", "{device}");
        let expanding = || RollingWindow::expanding();
        assert_eq!(
            shapes(x().rolling_skew(expanding())),
            "- - - -0.935219529583 -0.935219529583",
            "{device}"
        );
        assert_eq!(
            shapes((y() * y()).rolling_kurt(expanding())),
            "- - - -0.591671173607 -0.642340358603",
            "{device}"
        );
        assert_eq!(shapes((y() * 0.0 + 0.1).rolling_skew(3)), "- - - - -", "{device}");
        for (closed, expected) in [
            (Closed::Right, "1.0 3.0 6.0 4.0 5.0"),
            (Closed::Left, "- 1.0 1.0 5.0 -"),
            (Closed::Both, "1.0 3.0 6.0 9.0 5.0"),
            (Closed::Neither, "- 1.0 1.0 - -"),
        ] {
            let window = RollingWindow::time("t", seconds(2)).closed(closed);
            assert_eq!(run(y().rolling_sum(window)), expected, "{closed:?} {device}");
        }
    }
}

#[test]
fn rolling_aggregates_of_other_dtypes_keep_or_widen_them() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let small = Column::from_options([Some(100_i8), Some(100), None, Some(-3)], &exec).unwrap();
        let decimal = |value| Scalar::Decimal { value, precision: 5, scale: 2 };
        let dtype = DType::decimal(5, 2).unwrap();
        let decimals = [decimal(150), decimal(-25), Scalar::Null(dtype.clone()), decimal(99)];
        let days = Column::from_slice(&[3_i32, 1, 2, 9], &exec).unwrap().reinterpret(&DType::Date32).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("small", small),
            ("decimal", Column::from_scalars(&dtype, &decimals, &exec).unwrap()),
            ("day", days.clone()),
            ("flag", Column::from_options([Some(true), Some(false), Some(true), Some(true)], &exec).unwrap()),
            ("float", Column::from_slice(&[0.5_f32, 1.5, -2.0, 4.0], &exec).unwrap()),
            ("large", Column::from_slice(&[u64::MAX, 1, 7, 2], &exec).unwrap()),
            ("word", Column::from_options([Some("b"), None, Some("ß"), Some("a")], &exec).unwrap()),
        ])
        .unwrap();
        let run = |expr: Expr| {
            let found = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1;
            format!("{}: {}", found.dtype(), strings(&found).join(" "))
        };
        let two = || RollingWindow::rows(2).min_periods(1);
        assert_eq!(run(col("small").rolling_sum(two())), "int64: 100 200 100 -3");
        assert_eq!(run(col("small").rolling_max(two())), "int8: 100 100 100 -3");
        assert_eq!(run(col("decimal").rolling_sum(two())), "decimal(38,2): 1.50 1.25 -0.25 0.99");
        assert_eq!(run(col("decimal").rolling_min(two())), "decimal(5,2): 1.50 -0.25 -0.25 0.99");
        assert_eq!(run(col("day").rolling_max(two())), "date32: 1970-01-04 1970-01-04 1970-01-03 1970-01-10");
        assert_eq!(run(col("flag").rolling_sum(two())), "int64: 1 1 1 2");
        assert_eq!(run(col("flag").rolling_min(two())), "bool: true false false true");
        assert_eq!(run(col("float").rolling_sum(two())), "float32: 0.5 2.0 -0.5 2.0");
        assert_eq!(run(col("large").rolling_sum(two())), "uint64: 18446744073709551615 0 8 9");
        assert_eq!(run(col("large").rolling_min(two())), "uint64: 18446744073709551615 1 1 2");
        assert_eq!(run(col("word").rolling_first(two())), "utf8: b b ß ß");
        assert_eq!(run(col("word").rolling_count(two())), "int64: 1 1 1 2");
        assert_eq!(run(col("small").cum_product()), "int64: 100 10000 <NA> -30000");
        assert_eq!(run(col("float").cum_product()), "float32: 0.5 0.75 -1.5 -6.0");
        assert_eq!(run(col("small").cum_product().over("flag")), "int64: 100 100 <NA> -300");
        let picks = Interpolation::Higher;
        assert_eq!(run(col("word").rolling_quantile(0.5, picks, two())), "utf8: b b ß ß");
        assert_eq!(run(col("day").rolling_median(2)), "date32: <NA> 1970-01-03 1970-01-02 1970-01-06");
    }
}

#[test]
fn windows_that_make_no_sense_are_typed_errors() {
    let exec = Exec::host();
    let times = |values: &[i64]| {
        let times = Column::from_slice(values, &exec).unwrap();
        times.reinterpret(&DType::Timestamp(TimeUnit::Milli)).unwrap()
    };
    let frame = ColumnAccessor::from_columns([
        ("x", Column::from_slice(&[1_i64, 2, 3], &exec).unwrap()),
        ("s", Column::from_values(["a", "b", "c"], &exec).unwrap()),
        ("t", times(&[1, 3, 2])),
        ("k", Column::from_slice(&[1_i64, 2, 1], &exec).unwrap()),
    ])
    .unwrap();
    let text = |expr: Expr| evaluate(&[expr], &frame, &exec).unwrap_err().to_string();
    let x = || col("x");
    assert!(text(x().rolling_sum(0)).contains("window: a window has at least one row"));
    assert!(text(x().rolling_sum(RollingWindow::rows(2).min_periods(3))).contains("min_periods"));
    assert!(text(x().rolling_sum(RollingWindow::time("t", days(0)))).contains("window"));
    assert!(text(x().rolling_sum(RollingWindow::time("t", 5))).contains("days(1)"));
    let centred = text(x().rolling_sum(RollingWindow::expanding().center(true)));
    assert!(centred.contains("center: windows of all rows so far have no middle"), "{centred}");
    let unsorted = text(x().rolling_sum(RollingWindow::time("t", hours(1))));
    assert!(
        unsorted.contains("column \"t\": by: the times of the timestamp[ms] column do not ascend"),
        "{unsorted}"
    );
    let sum = x().rolling_sum(RollingWindow::time("t", nanoseconds(1))).over("k");
    assert_eq!(strings(&evaluate(&[sum], &frame, &exec).unwrap()[0].1), ["1", "2", "3"]);
    assert!(text(x().rolling_sum(RollingWindow::time("x", hours(1)))).contains("int64"));
    assert!(
        text(col("s").rolling_sum(2)).contains("s.rolling_sum(2): dtype utf8"),
        "{}",
        text(col("s").rolling_sum(2))
    );
    assert!(text(col("s").rolling_mean(2)).contains("utf8"));
    assert!(text(col("s").rolling_median(2)).contains("utf8"));
    assert!(text(col("s").rolling_skew(3)).contains("s.rolling_skew(3): dtype utf8"));
    assert!(text(col("t").rolling_kurt(4)).contains("t.rolling_kurt(4): dtype timestamp[ms]"));
    assert!(text(x().rolling_quantile(1.5, Interpolation::Linear, 2)).contains("between 0 and 1"));
    let error = evaluate(&[col("t").cum_product()], &frame, &exec).unwrap_err();
    assert!(error.to_string().contains("timestamp[ms]"), "{error}");
    let most = Scalar::Decimal { value: 10_i128.pow(37), precision: 38, scale: 0 };
    let decimals =
        ColumnAccessor::from_columns([("d", Column::from_scalar(&most, 2, &exec).unwrap())]).unwrap();
    let error = evaluate(&[col("d").cum_product()], &decimals, &exec).unwrap_err();
    assert!(
        matches!(&error, Error::Context { .. }) && error.to_string().contains("decimal(38,0)"),
        "{error}"
    );
    let nulls = Column::from_options([Some(1_i64), None], &exec).unwrap();
    let nulls = nulls.reinterpret(&DType::Timestamp(TimeUnit::Second)).unwrap();
    let frame = ColumnAccessor::from_columns([("t", nulls)]).unwrap();
    let error =
        evaluate(&[col("t").rolling_count(RollingWindow::time("t", days(1)))], &frame, &exec).unwrap_err();
    assert!(error.to_string().contains("null"), "{error}");
}
