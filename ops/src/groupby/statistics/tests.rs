//! Statistics of groups, on every device, against a naive reference.

#![expect(clippy::float_cmp, reason = "the values are multiples of powers of two")]

use crate::expression::{Expr, Interpolation, Literal, col, evaluate, len, lit, when};
use crate::groupby::{GroupOptions, NullKeys, aggregate};
use crate::test_frames::{limited, moved, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Scalar, TimeUnit};
use columnade_tests::{Nulls, Rng};
use std::collections::BTreeMap;

/// The rows of a group: the number of each row, and its two values.
type Rows = Vec<(usize, Option<f64>, Option<f64>)>;

struct Case {
    keys: Vec<Option<i64>>,
    x: Vec<Option<f64>>,
    y: Vec<Option<f64>>,
}

impl Case {
    fn new(n: usize, groups: u64, nulls: Nulls, rng: &mut Rng) -> Self {
        let mut values = |most: u64, shift: f64| -> Vec<Option<f64>> {
            let mask = nulls.mask(n, rng);
            let value = |row: usize| {
                let value = u32::try_from(rng.below(most)).unwrap();
                let valid = mask.as_ref().is_none_or(|mask| mask[row]);
                valid.then(|| f64::from(value) * 0.25 - shift)
            };
            (0..n).map(value).collect()
        };
        let (x, y) = (values(17, 2.0), values(1000, 50.0));
        let mask = nulls.mask(n, rng);
        let key = |row: usize| {
            let key = i64::try_from(rng.below(groups)).unwrap();
            mask.as_ref().is_none_or(|mask| mask[row]).then_some(key)
        };
        Self { keys: (0..n).map(key).collect(), x, y }
    }

    fn frame(&self, exec: &Exec) -> ColumnAccessor {
        ColumnAccessor::from_columns([
            ("k", Column::from_options(self.keys.clone(), exec).unwrap()),
            ("x", Column::from_options(self.x.clone(), exec).unwrap()),
            ("y", Column::from_options(self.y.clone(), exec).unwrap()),
        ])
        .unwrap()
    }

    /// The groups in order of first appearance.
    fn groups(&self, first: usize, by_key: bool) -> Vec<Rows> {
        let mut order = Vec::new();
        let mut groups: BTreeMap<Option<i64>, Rows> = BTreeMap::new();
        for row in first..self.keys.len() {
            let key = if by_key { self.keys[row] } else { Some(0) };
            if key.is_some() {
                if !groups.contains_key(&key) {
                    order.push(key);
                }
                groups.entry(key).or_default().push((row - first, self.x[row], self.y[row]));
            }
        }
        if !by_key && order.is_empty() {
            return vec![Vec::new()];
        }
        order.into_iter().map(|key| groups.remove(&key).unwrap()).collect()
    }
}

fn xs(rows: &Rows) -> Vec<f64> {
    rows.iter().filter_map(|row| row.1).collect()
}

fn sorted(rows: &Rows) -> Vec<f64> {
    let mut values = xs(rows);
    values.sort_by(f64::total_cmp);
    values
}

#[expect(clippy::cast_precision_loss, reason = "test sizes")]
fn n(values: &[f64]) -> f64 {
    values.len() as f64
}

fn moment(values: &[f64], power: i32) -> f64 {
    let mean = values.iter().sum::<f64>() / n(values);
    values.iter().map(|value| (value - mean).powi(power)).sum()
}

fn var(values: &[f64], ddof: f64) -> Option<f64> {
    (n(values) > ddof).then(|| moment(values, 2) / (n(values) - ddof))
}

fn skew(v: &[f64]) -> Option<f64> {
    let m2 = moment(v, 2);
    (v.len() >= 3 && m2 != 0.0)
        .then(|| n(v) * (n(v) - 1.0).sqrt() / (n(v) - 2.0) * moment(v, 3) / m2.powf(1.5))
}

fn kurt(v: &[f64]) -> Option<f64> {
    let (m2, n) = (moment(v, 2), n(v));
    (v.len() >= 4 && m2 != 0.0).then(|| {
        let ratio = n * (n + 1.0) * (n - 1.0) * moment(v, 4) / ((n - 2.0) * (n - 3.0) * m2 * m2);
        ratio - 3.0 * (n - 1.0).powi(2) / ((n - 2.0) * (n - 3.0))
    })
}

fn pairs(rows: &Rows) -> Vec<(f64, f64)> {
    rows.iter().filter_map(|row| Some((row.1?, row.2?))).collect()
}

fn cov(rows: &Rows) -> Option<f64> {
    let pairs = pairs(rows);
    #[expect(clippy::cast_precision_loss, reason = "test sizes")]
    let n = pairs.len() as f64;
    let (x, y) = (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    (pairs.len() > 1).then(|| pairs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / (n - 1.0))
}

fn corr(rows: &Rows) -> Option<f64> {
    let (x, y): (Vec<f64>, Vec<f64>) = pairs(rows).into_iter().unzip();
    Some(cov(rows)? / (var(&x, 1.0)?.sqrt() * var(&y, 1.0)?.sqrt()))
}

fn quantile(rows: &Rows, q: f64, interpolation: Interpolation) -> Option<f64> {
    let values = sorted(rows);
    let last = values.len().checked_sub(1)?;
    #[expect(clippy::cast_precision_loss, reason = "test sizes")]
    let place = last as f64 * q;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "test sizes")]
    let at = |place: f64| values[place as usize];
    let (low, high) = (at(place.floor()), at(place.ceil()));
    Some(match interpolation {
        Interpolation::Linear => low + (high - low) * place.fract(),
        Interpolation::Lower => low,
        Interpolation::Higher => high,
        Interpolation::Midpoint => f64::midpoint(low, high),
        Interpolation::Nearest => at(place.round_ties_even()),
    })
}

fn mode(rows: &Rows) -> Option<f64> {
    let mut best: Option<(usize, f64)> = None;
    for value in sorted(rows) {
        let count = xs(rows).iter().filter(|other| **other == value).count();
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, value));
        }
    }
    best.map(|(_, value)| value)
}

fn unique(rows: &Rows) -> Vec<f64> {
    let mut found = Vec::new();
    for value in xs(rows) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

fn arg(rows: &Rows, sign: f64) -> Option<f64> {
    let best = xs(rows).into_iter().map(|value| value * sign).reduce(f64::max)?;
    #[expect(clippy::cast_precision_loss, reason = "test sizes")]
    rows.iter().find(|row| row.1.is_some_and(|value| value * sign == best)).map(|row| row.0 as f64)
}

type Reference = fn(&Rows) -> Option<f64>;

fn numbers() -> Vec<(Expr, Reference)> {
    let x = || col("x");
    vec![
        (x().var(), |rows| var(&xs(rows), 1.0)),
        (x().var_ddof(0), |rows| var(&xs(rows), 0.0)),
        (x().std(), |rows| var(&xs(rows), 1.0).map(f64::sqrt)),
        (x().sem(), |rows| var(&xs(rows), 1.0).map(|var| (var / n(&xs(rows))).sqrt())),
        (x().skew(), |rows| skew(&xs(rows))),
        (x().kurt(), |rows| kurt(&xs(rows))),
        (x().cov(col("y")), cov),
        (col("y").corr(x()), corr),
        (x().any(), |rows| Some(f64::from(u8::from(xs(rows).iter().any(|value| *value != 0.0))))),
        (x().all(), |rows| Some(f64::from(u8::from(xs(rows).iter().all(|value| *value != 0.0))))),
        (x().nunique(), |rows| Some(n(&unique(rows)))),
        (x().median(), |rows| quantile(rows, 0.5, Interpolation::Linear)),
        (x().quantile(0.9), |rows| quantile(rows, 0.9, Interpolation::Linear)),
        (x().quantile(0.0), |rows| quantile(rows, 0.0, Interpolation::Linear)),
        (x().quantile(1.0), |rows| quantile(rows, 1.0, Interpolation::Linear)),
        (x().quantile_with(0.3, Interpolation::Lower), |rows| quantile(rows, 0.3, Interpolation::Lower)),
        (x().quantile_with(0.3, Interpolation::Higher), |rows| quantile(rows, 0.3, Interpolation::Higher)),
        (x().quantile_with(0.5, Interpolation::Nearest), |rows| quantile(rows, 0.5, Interpolation::Nearest)),
        (x().quantile_with(0.3, Interpolation::Midpoint), |rows| {
            quantile(rows, 0.3, Interpolation::Midpoint)
        }),
        (x().mode(), mode),
        (x().first(), |rows| xs(rows).first().copied()),
        (x().last(), |rows| xs(rows).last().copied()),
        (x().nth(0), |rows| rows.first()?.1),
        (x().nth(2), |rows| rows.get(2)?.1),
        (x().nth(-1), |rows| rows.last()?.1),
        (x().nth(-3), |rows| rows[rows.len().checked_sub(3)?].1),
        (x().nth(i64::MIN), |_| None),
        (x().arg_min(), |rows| arg(rows, -1.0)),
        (x().arg_max(), |rows| arg(rows, 1.0)),
        // Expressions over aggregates, and aggregates that are accumulated, share the groups.
        ((x().max() - x().min()) / len(), |rows| {
            let values = sorted(rows);
            #[expect(clippy::cast_precision_loss, reason = "test sizes")]
            Some((values.last()? - values.first()?) / rows.len() as f64)
        }),
        (x().mean() * 2.0 + x().median(), |rows| {
            let values = xs(rows);
            Some(values.iter().sum::<f64>() / n(&values) * 2.0 + quantile(rows, 0.5, Interpolation::Linear)?)
        }),
        (when(x().count().ge(2)).then(x().sum()).otherwise(lit(Literal::Null)), |rows| {
            (xs(rows).len() >= 2).then(|| xs(rows).iter().sum())
        }),
    ]
}

/// More than are selected one by one.
const QS: [f64; 5] = [0.9, 0.0, 0.3, 1.0, 0.5];

fn x_quantiles(interpolation: Interpolation) -> Expr {
    col("x").quantiles_with(QS, interpolation)
}

type ListReference = fn(&Rows) -> Vec<Option<f64>>;

fn lists() -> Vec<(Expr, ListReference)> {
    vec![
        (col("x").collect(), |rows| rows.iter().map(|row| row.1).collect()),
        (col("x").collect_unique(), |rows| unique(rows).into_iter().map(Some).collect()),
        (col("x").top_k(3), |rows| sorted(rows).into_iter().rev().take(3).map(Some).collect()),
        (col("x").bottom_k(2), |rows| sorted(rows).into_iter().take(2).map(Some).collect()),
        (col("x").top_k(0), |_| Vec::new()),
        (x_quantiles(Interpolation::Linear), |rows| {
            QS.map(|q| quantile(rows, q, Interpolation::Linear)).to_vec()
        }),
        (x_quantiles(Interpolation::Lower), |rows| {
            QS.map(|q| quantile(rows, q, Interpolation::Lower)).to_vec()
        }),
        (x_quantiles(Interpolation::Higher), |rows| {
            QS.map(|q| quantile(rows, q, Interpolation::Higher)).to_vec()
        }),
        (x_quantiles(Interpolation::Midpoint), |rows| {
            QS.map(|q| quantile(rows, q, Interpolation::Midpoint)).to_vec()
        }),
        (x_quantiles(Interpolation::Nearest), |rows| {
            QS.map(|q| quantile(rows, q, Interpolation::Nearest)).to_vec()
        }),
    ]
}

fn number(scalar: &Scalar) -> Option<f64> {
    match scalar {
        Scalar::Float64(value) => Some(*value),
        #[expect(clippy::cast_precision_loss, reason = "test sizes")]
        Scalar::Int64(value) => Some(*value as f64),
        Scalar::Bool(value) => Some(f64::from(u8::from(*value))),
        Scalar::Null(_) => None,
        other => panic!("{other:?} is no number"),
    }
}

fn close(found: Option<f64>, expected: Option<f64>) -> bool {
    match (found, expected) {
        (Some(a), Some(b)) => (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * b.abs().max(1.0),
        (a, b) => a == b,
    }
}

fn check(case: &Case, frame: &ColumnAccessor, first: usize, by_key: bool, exec: &Exec, what: &str) {
    let keys = if by_key { vec![col("k")] } else { Vec::new() };
    let (numbers, lists) = (numbers(), lists());
    let exprs = numbers.iter().map(|(expr, _)| expr).chain(lists.iter().map(|(expr, _)| expr));
    let labelled: Vec<Expr> =
        exprs.enumerate().map(|(at, expr)| expr.clone().alias(at.to_string())).collect();
    let options = GroupOptions { null_keys: NullKeys::Drop };
    let found = aggregate(frame, None, &keys, &labelled, options, exec).unwrap();
    let groups = case.groups(first, by_key);
    assert_eq!(found.rows(), groups.len(), "{what}");
    let column = |at: usize| found.get(at.to_string()).unwrap().to_scalars().unwrap();
    for (at, (expr, reference)) in numbers.iter().enumerate() {
        for (group, (scalar, rows)) in column(at).iter().zip(&groups).enumerate() {
            let (found, expected) = (number(scalar), reference(rows));
            assert!(close(found, expected), "{what}: {expr} of group {group}: {found:?}, not {expected:?}");
        }
    }
    for (at, (expr, reference)) in lists.iter().enumerate() {
        for (group, (scalar, rows)) in column(numbers.len() + at).iter().zip(&groups).enumerate() {
            let Scalar::List { values, .. } = scalar else { panic!("{expr} gives {scalar:?}") };
            let found: Vec<_> = values.iter().map(number).collect();
            assert_eq!(found, reference(rows), "{what}: {expr} of group {group}");
        }
    }
}

#[test]
fn statistics_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let sizes: &[usize] =
            if device == Device::Host { &[0, 1, 2, 31, 33, 64, 65, 1000, 5000] } else { &[0, 1, 130] };
        for &n in sizes {
            for (groups, nulls) in [(1, Nulls::NoMask), (7, Nulls::Some), (400, Nulls::Some), (3, Nulls::All)]
            {
                let mut rng = Rng::new(u64::try_from(n).unwrap() + groups);
                let case = Case::new(n, groups, nulls, &mut rng);
                let frame = case.frame(&exec);
                let what = format!("{device}, {n} rows, {groups} keys");
                check(&case, &frame, 0, true, &exec, &what);
                check(&case, &frame, 0, false, &exec, &what);
                if n > 3 {
                    check(&case, &frame.slice(3, n - 3).unwrap(), 3, true, &exec, &format!("{what}, sliced"));
                }
            }
        }
    }
}

#[test]
fn statistics_under_memory_limit_are_those_of_all_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let n = if device == Device::Host { 60_000 } else { 6_000 };
        let mut rng = Rng::new(5);
        let case = Case::new(n, u64::try_from(n / 4).unwrap(), Nulls::Some, &mut rng);
        let frame = case.frame(&exec);
        let bytes = frame.row_bytes().unwrap();
        let (_manager, small) = limited(&exec, share_of(bytes, 2, device));
        let moved = moved(&frame, &small);
        let exprs = [
            // The last bits of sums of floats depend on the budget.
            (col("x").var() * 1e6 + 0.5).cast(DType::Int64).alias("var"),
            col("x").median().alias("median"),
            col("y").nunique(),
            col("y").arg_max().alias("arg"),
            col("x").collect().alias("all"),
        ];
        let filter = col("y").is_not_null();
        for (keys, filter) in
            [(vec![col("k")], None), (vec![col("k")], Some(&filter)), (vec![], Some(&filter))]
        {
            let run = |frame: &ColumnAccessor, exec: &Exec| {
                let found = aggregate(frame, filter, &keys, &exprs, GroupOptions::default(), exec).unwrap();
                crate::test_frames::lines(&found)
            };
            let what = format!("{device}, {} keys, filtered {}", keys.len(), filter.is_some());
            crate::test_frames::assert_lines(&run(&moved, &small), &run(&frame, &exec), &what);
        }
    }
}

#[test]
fn statistics_of_other_dtypes_keep_them() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let days = [Some(10_i32), None, Some(4), Some(11)];
        let days = Column::from_options(days, &exec).unwrap().reinterpret(&DType::Date32).unwrap();
        let times = Column::from_slice(&[7_i64, -3, 0, 10], &exec).unwrap();
        let times = times.reinterpret(&DType::Timestamp(TimeUnit::Milli)).unwrap();
        let words = Column::from_options([Some("ß"), Some("a"), None, Some("a")], &exec).unwrap();
        let decimal = DType::decimal(15, 2).unwrap();
        let prices: Vec<Scalar> =
            [150, 250, 100, 200].map(|value| Scalar::Decimal { value, precision: 15, scale: 2 }).into();
        let prices = Column::from_scalars(&decimal, &prices, &exec).unwrap();
        let codes = Column::from_options([Some(0_i8), None, Some(2), Some(1)], &exec).unwrap();
        let dictionary = std::sync::Arc::new(Column::from_values(["b", "c", "a"], &exec).unwrap());
        let coded = columnade_columns::CategoricalColumn::new(&codes, dictionary).unwrap();
        let truths = Column::from_options([Some(true), None, Some(false), Some(true)], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("day", days),
            ("time", times),
            ("word", words),
            ("price", prices),
            ("truth", truths),
            ("coded", Column::Categorical(coded)),
            ("none", Column::full_null(&DType::Null, 4, &exec).unwrap()),
            // The mean of equal values is rounded.
            ("third", Column::from_options([Some(0.1), Some(0.1), None, Some(0.1)], &exec).unwrap()),
        ])
        .unwrap();
        let checks = [
            (col("day").median(), "1970-01-11"),
            (col("day").quantile(0.25), "1970-01-08"),
            (col("time").median(), "1970-01-01 00:00:00.003"),
            (col("word").mode(), "a"),
            (col("word").nunique(), "2"),
            (col("word").quantile_with(1.0, Interpolation::Higher), "ß"),
            (col("word").arg_max(), "0"),
            (col("word").collect_unique(), "[ß, a]"),
            (col("word").nth(2), "<NA>"),
            (col("price").median(), "1.75"),
            (col("price").first(), "1.50"),
            (col("price").std(), "0.6454972243679028"),
            (col("truth").mean() + col("truth").var(), "1.0"),
            (col("word").min(), "a"),
            (col("word").max(), "ß"),
            (col("word").count(), "3"),
            (col("coded").min(), "a"),
            (col("coded").max(), "c"),
            (col("coded").count(), "3"),
            (col("none").count(), "0"),
            (col("third").skew(), "<NA>"),
            (col("truth").any(), "true"),
            (col("truth").all(), "false"),
        ];
        for (expr, expected) in checks {
            let exprs = [expr.clone()];
            let found = aggregate(&frame, None, &[], &exprs, GroupOptions::default(), &exec).unwrap();
            assert_eq!(found.columns()[0].get(0).unwrap().to_string(), expected, "{device}: {expr}");
        }
    }
}

fn cause(mut error: &Error) -> &Error {
    while let Error::Context { source, .. } = error {
        error = source;
    }
    error
}

#[test]
fn invalid_statistics_are_typed_errors() {
    let exec = Exec::host();
    let frame = ColumnAccessor::from_columns([
        ("s", Column::from_values(["a"], &exec).unwrap()),
        ("x", Column::from_vec(vec![1_i64])),
    ])
    .unwrap();
    let run = |expr: Expr| aggregate(&frame, None, &[], &[expr], GroupOptions::default(), &exec).unwrap_err();
    for expr in [col("s").std(), col("s").median(), col("s").any(), col("x").corr(col("s"))] {
        let error = run(expr.clone());
        assert!(matches!(cause(&error), Error::UnsupportedDType { .. }), "{expr}: {error:?}");
        assert!(error.to_string().contains(&expr.to_string()), "{error}");
    }
    for q in [-0.1, 1.5, f64::NAN] {
        let error = run(col("x").quantile(q));
        assert!(matches!(cause(&error), Error::InvalidArgument { name: "q", .. }), "{error:?}");
    }
    let error = run(col("x") + col("x").std());
    assert!(error.to_string().contains("neither a key nor in an aggregate"), "{error}");
    let error = run(col("x"));
    assert!(error.to_string().contains("is no aggregate"), "{error}");
}

#[test]
fn histogram_counts_values_of_bins() {
    const EDGES: [f64; 4] = [-1.5, -0.5, 0.0, 1.25];
    let of_rows = |rows: &Rows| -> Vec<i64> {
        let values = xs(rows);
        let is_in = |bin: usize, x: f64| EDGES[bin] < x && x <= EDGES[bin + 1] || bin == 0 && x == EDGES[0];
        (0..3).map(|bin| i64::try_from(values.iter().filter(|x| is_in(bin, **x)).count()).unwrap()).collect()
    };
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (n, groups) in [(0, 1), (1, 1), (33, 4), (300, 20)] {
            for nulls in Nulls::ALL {
                let case = Case::new(n + 1, groups, nulls, &mut Rng::new(51));
                let rows = case.frame(&exec).slice(1, n).unwrap();
                for by_key in [false, true] {
                    let keys = if by_key { vec![col("k")] } else { Vec::new() };
                    let exprs = [col("x").histogram(EDGES).alias("h")];
                    let found =
                        aggregate(&rows, None, &keys, &exprs, GroupOptions::default(), &exec).unwrap();
                    let found = found.get("h").unwrap().to_vec::<Vec<i64>>().unwrap();
                    let expected: Vec<_> = case.groups(1, by_key).iter().map(of_rows).collect();
                    assert_eq!(found, expected, "{device}, {n} rows, {nulls:?}, by key: {by_key}");
                }
            }
        }
        let rows = ColumnAccessor::from_columns([("w", Column::from_values(["a"], &exec).unwrap())]).unwrap();
        let run = |expr: Expr| aggregate(&rows, None, &[], &[expr], GroupOptions::default(), &exec);
        assert_eq!(
            run(col("w").histogram([0.0, 1.0])).unwrap_err().kind(),
            columnade_columns::ErrorKind::Type
        );
        assert_eq!(
            run(col("w").histogram([1.0, 0.0])).unwrap_err().kind(),
            columnade_columns::ErrorKind::Value
        );
    }
}

#[test]
fn quantiles_between_extremes_and_infinities() {
    const MAX: f64 = f64::MAX;
    const INF: f64 = f64::INFINITY;
    // The values, the quantile and what stands there; `None` is NaN.
    let cases: [(&[f64], f64, Option<f64>); 13] = [
        (&[MAX, MAX], 0.5, Some(MAX)),
        (&[-MAX, MAX], 0.5, Some(0.0)),
        (&[-MAX, MAX], 0.75, Some(MAX / 2.0)),
        (&[MAX / 2.0, MAX], 0.5, Some(0.75 * MAX)),
        (&[INF, INF], 0.5, Some(INF)),
        (&[-INF, -INF], 0.25, Some(-INF)),
        (&[-INF, INF], 0.5, None),
        (&[-INF, 1.0], 0.25, Some(-INF)),
        (&[-INF, 1.0], 0.75, Some(-INF)),
        (&[1.0, INF], 0.25, Some(INF)),
        (&[1.0, INF], 0.0, Some(1.0)),
        (&[-INF, 1.0, INF], 0.5, Some(1.0)),
        (&[1.0, f64::NAN], 0.5, None),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (values, q, expected) in cases {
            let x = Column::from_slice(values, &exec).unwrap();
            let frame = ColumnAccessor::from_columns([("x", x)]).unwrap();
            let exprs = [col("x").quantile(q).alias("quantile"), col("x").quantiles([q]).alias("list")];
            let found = aggregate(&frame, None, &[], &exprs, GroupOptions::default(), &exec).unwrap();
            let Scalar::Float64(one) = found.get("quantile").unwrap().get(0).unwrap() else {
                panic!("a float")
            };
            let same = |found: f64| match expected {
                None => found.is_nan(),
                Some(expected) => found == expected || (found / expected - 1.0).abs() < 1e-12,
            };
            assert!(same(one), "{q} of {values:?} is {one}, not {expected:?}");
            let rolling = col("x").rolling_quantile(q, Interpolation::Linear, values.len() as u64);
            let rolling = evaluate(&[rolling], &frame, &exec).unwrap().swap_remove(0).1;
            let Scalar::Float64(last) = rolling.get(values.len() - 1).unwrap() else { panic!("a float") };
            assert!(same(last), "rolling {q} of {values:?} is {last}, not {expected:?}");
        }
        let ends =
            Column::from_options([Some(-MAX), None, Some(MAX), None, Some(INF), None, Some(INF)], &exec);
        let frame = ColumnAccessor::from_columns([("x", ends.unwrap())]).unwrap();
        let found = evaluate(&[col("x").interpolate()], &frame, &exec).unwrap().swap_remove(0).1;
        assert_eq!(found.to_options::<f64>().unwrap(), [-MAX, 0.0, MAX, INF, INF, INF, INF].map(Some));
    }
}
