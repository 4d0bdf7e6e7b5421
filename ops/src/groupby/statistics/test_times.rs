//! Means, deviations and quantiles of times, on every device, against exact integers.

use crate::expression::{Expr, Interpolation, RollingWindow, col, evaluate};
use crate::groupby::{GroupOptions, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Scalar, TimeUnit, TimeZone};
use columnade_tests::{Nulls, Rng};

const SIZES: [usize; 8] = [0, 1, 31, 32, 33, 64, 65, 500];

/// Dtypes, a bound of their counts, and the dtype of distances.
fn dtypes() -> Vec<(DType, i64, DType)> {
    let span = DType::Duration;
    let (s, us, ns) = (TimeUnit::Second, TimeUnit::Micro, TimeUnit::Nano);
    vec![
        (DType::Date32, i64::from(i32::MAX), span(s)),
        (DType::Timestamp(s), 1 << 40, span(s)),
        (DType::Timestamp(ns), i64::MAX / 4, span(ns)),
        (DType::TimestampTz(us, TimeZone::new("Europe/Rome").unwrap()), i64::MAX / 4, span(us)),
        (span(ns), i64::MAX / 4, span(ns)),
        (DType::Time(s), 86_400, span(s)),
        (DType::Time(ns), 86_400_000_000_000, span(ns)),
    ]
}

fn count(scalar: &Scalar) -> Option<i64> {
    match scalar {
        Scalar::Null(_) => None,
        Scalar::Date32(count) => Some(i64::from(*count)),
        Scalar::Timestamp(count, _)
        | Scalar::TimestampTz(count, ..)
        | Scalar::Duration(count, _)
        | Scalar::Time(count, _)
        | Scalar::Int64(count) => Some(*count),
        other => panic!("{other:?}"),
    }
}

/// The mean of counts, rounded towards zero.
fn mean(values: &[i64]) -> Option<i64> {
    let n = i128::try_from(values.len()).ok().filter(|n| *n > 0)?;
    i64::try_from(values.iter().map(|value| i128::from(*value)).sum::<i128>() / n).ok()
}

#[expect(clippy::cast_precision_loss, reason = "the test allows for it")]
fn std(values: &[i64]) -> Option<f64> {
    let n = values.len() as f64;
    let mean = values.iter().map(|value| i128::from(*value)).sum::<i128>() as f64 / n;
    let squares = values.iter().map(|value| (*value as f64 - mean).powi(2)).sum::<f64>();
    (n > 1.0).then(|| (squares / (n - 1.0)).sqrt())
}

/// The middle value, or the middle of two, rounded towards zero.
fn median(values: &[i64]) -> Option<i64> {
    let mut values = values.to_vec();
    values.sort_unstable();
    let last = values.len().checked_sub(1)?;
    mean(&[values[last / 2], values[last.div_ceil(2)]])
}

struct Case {
    keys: Vec<i64>,
    values: Vec<Option<i64>>,
    rows: ColumnAccessor,
}

impl Case {
    /// Rows after two that a slice leaves out.
    fn new(dtype: &DType, limit: i64, n: usize, nulls: Nulls, exec: &Exec) -> Self {
        let mut rng = Rng::new(n as u64 + 3);
        let mask = nulls.mask(n + 2, &mut rng);
        let of_day = matches!(dtype, DType::Time(_));
        let mut value = |row: usize| {
            let value = i64::try_from(rng.below(limit.unsigned_abs())).unwrap();
            let value = if !of_day && row.is_multiple_of(2) { -value } else { value };
            mask.as_ref().is_none_or(|mask| mask[row]).then_some(value)
        };
        let values: Vec<_> = (0..n + 2).map(&mut value).collect();
        let keys: Vec<i64> = (0..n + 2).map(|_| i64::try_from(rng.below(7)).unwrap()).collect();
        let columns = [
            ("k", Column::from_slice(&keys, exec).unwrap()),
            ("n", Column::from_options(values.clone(), exec).unwrap()),
        ];
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        let exprs = [col("k"), col("n").cast(dtype.clone()).alias("x")];
        let columns = evaluate(&exprs, &frame, exec).unwrap();
        let rows = ColumnAccessor::from_columns(columns).unwrap().slice(2, n).unwrap();
        Self { keys: keys[2..].to_vec(), values: values[2..].to_vec(), rows }
    }

    /// The values that are not null by group, in order of first appearance.
    fn groups(&self) -> Vec<(i64, Vec<i64>)> {
        let mut groups: Vec<(i64, Vec<i64>)> = Vec::new();
        for (key, value) in self.keys.iter().zip(&self.values) {
            let position = groups.iter().position(|(other, _)| other == key).unwrap_or_else(|| {
                groups.push((*key, Vec::new()));
                groups.len() - 1
            });
            groups[position].1.extend(*value);
        }
        groups
    }
}

fn found(rows: &ColumnAccessor, label: &str) -> Vec<Option<i64>> {
    rows.get(label).unwrap().to_scalars().unwrap().iter().map(count).collect()
}

fn is_close(found: Option<i64>, expected: Option<f64>) -> bool {
    match (found, expected) {
        #[expect(clippy::cast_precision_loss, reason = "within the tolerance")]
        (Some(found), Some(expected)) => (found as f64 - expected).abs() <= 1.0 + expected * 1e-12,
        (found, expected) => found.is_none() && expected.is_none(),
    }
}

#[test]
fn aggregates_of_times_keep_units() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (dtype, limit, distance) in dtypes() {
            for (at, n) in SIZES.into_iter().enumerate() {
                let nulls = Nulls::ALL[at % Nulls::ALL.len()];
                let case = Case::new(&dtype, limit, n, nulls, &exec);
                let what = format!("{dtype}, {n} rows, {nulls:?}, on {device}");
                let x = || col("x");
                let exprs = [
                    x().mean().alias("mean"),
                    x().median().alias("median"),
                    x().std().alias("std"),
                    x().sem().alias("sem"),
                    (x().max() - x().mean()).alias("distance"),
                    x().mean().filter(x().is_null()).alias("none"),
                ];
                let options = GroupOptions::default();
                let of_groups = aggregate(&case.rows, None, &[col("k")], &exprs, options, &exec).unwrap();
                let of_all = aggregate(&case.rows, None, &[], &exprs, options, &exec).unwrap();
                let all: Vec<i64> = case.values.iter().flatten().copied().collect();
                let groups: Vec<Vec<i64>> = case.groups().into_iter().map(|(_, values)| values).collect();
                let per_unit = if dtype == DType::Date32 { 86_400.0 } else { 1.0 };
                for (rows, groups) in [(&of_groups, &groups), (&of_all, &vec![all])] {
                    let of = |f: fn(&[i64]) -> Option<i64>| -> Vec<_> {
                        groups.iter().map(|values| f(values)).collect()
                    };
                    assert_eq!(rows.get("mean").unwrap().dtype(), dtype, "{what}");
                    assert_eq!(found(rows, "mean"), of(mean), "{what}");
                    assert_eq!(found(rows, "median"), of(median), "{what}");
                    assert_eq!(found(rows, "none"), vec![None; groups.len()], "{what}");
                    assert_eq!(rows.get("std").unwrap().dtype(), distance, "{what}");
                    for (label, by_count) in [("std", false), ("sem", true)] {
                        for (found, values) in found(rows, label).into_iter().zip(groups) {
                            #[expect(clippy::cast_precision_loss, reason = "test sizes")]
                            let n = if by_count { (values.len() as f64).sqrt() } else { 1.0 };
                            let expected = std(values).map(|std| std * per_unit / n);
                            assert!(
                                is_close(found, expected),
                                "{label}: {found:?}, not {expected:?}; {what}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn means_of_times_over_rows_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (dtype, limit, distance) in dtypes() {
            for (at, n) in SIZES.into_iter().enumerate() {
                let case = Case::new(&dtype, limit, n, Nulls::ALL[at % Nulls::ALL.len()], &exec);
                let window = || RollingWindow::rows(3).min_periods(1);
                let exprs = [
                    col("x").mean().over(col("k")).alias("over"),
                    col("x").rolling_mean(window()).alias("rolling"),
                    col("x").rolling_std(window()).alias("std"),
                ];
                let what = format!("{dtype}, {n} rows, on {device}");
                let rows =
                    ColumnAccessor::from_columns(evaluate(&exprs, &case.rows, &exec).unwrap()).unwrap();
                let groups = case.groups();
                let of_key = |key: &i64| mean(&groups.iter().find(|(other, _)| other == key).unwrap().1);
                let over: Vec<_> = case.keys.iter().map(of_key).collect();
                assert_eq!(found(&rows, "over"), over, "{what}");
                assert_eq!(rows.get("rolling").unwrap().dtype(), dtype, "{what}");
                assert_eq!(rows.get("std").unwrap().dtype(), distance, "{what}");
                let per_unit = if dtype == DType::Date32 { 86_400.0 } else { 1.0 };
                let (rolling, stds) = (found(&rows, "rolling"), found(&rows, "std"));
                for row in 0..n {
                    let window = &case.values[row.saturating_sub(2)..=row];
                    let window: Vec<i64> = window.iter().flatten().copied().collect();
                    assert_eq!(rolling[row], mean(&window), "row {row} of {what}");
                    let expected = std(&window).map(|std| std * per_unit);
                    assert!(is_close(stds[row], expected), "{:?}, not {expected:?}; {what}", stds[row]);
                }
            }
        }
    }
}

#[test]
fn quantiles_between_negative_durations_are_rounded_towards_zero() {
    let exec = Exec::host();
    let counts = Column::from_slice(&[-1_i64, -2, 1, 2], &exec).unwrap();
    let spans = counts.reinterpret(&DType::Duration(TimeUnit::Second)).unwrap();
    let rows = ColumnAccessor::from_columns([("x", spans)]).unwrap();
    let of = |expr: Expr| {
        let found = aggregate(&rows, None, &[], &[expr.alias("q")], GroupOptions::default(), &exec).unwrap();
        found.get("q").unwrap().get(0).unwrap()
    };
    let x = || col("x");
    for (expr, expected) in [
        (x().quantile(0.1), -1),
        (x().quantile(0.9), 1),
        (x().quantile_with(0.1, Interpolation::Lower), -2),
        (x().median(), 0),
        (x().sum(), 0),
    ] {
        assert_eq!(of(expr.clone()), Scalar::Duration(expected, TimeUnit::Second), "{expr}");
    }
    assert_eq!(of(x().any()), true.into());
    assert_eq!(of(x().all()), true.into());
}

#[test]
fn variance_of_times_is_an_error() {
    let exec = Exec::host();
    let rows = ColumnAccessor::from_columns([
        ("x", Column::from_slice(&[i64::MIN, i64::MAX], &exec).unwrap()),
        ("d", Column::from_scalars(&DType::Date32, &[Scalar::Date32(1), Scalar::Date32(2)], &exec).unwrap()),
    ])
    .unwrap();
    let run = |expr: Expr| aggregate(&rows, None, &[], &[expr], GroupOptions::default(), &exec);
    let span = || col("x").cast(DType::Duration(TimeUnit::Nano));
    for expr in [
        col("d").var(),
        span().var(),
        span().skew(),
        span().kurt(),
        col("d").sum(),
        span().product(),
        col("d").any(),
        span().cov(col("x")),
        col("d").histogram([0.0, 1.0]),
    ] {
        assert_eq!(run(expr.clone()).unwrap_err().kind(), ErrorKind::Type, "{expr}");
    }
    assert_eq!(run(span().std()).unwrap_err().kind(), ErrorKind::Overflow);
    for expr in [span().rolling_var(2), col("d").ewm_mean(crate::expression::ExponentialWindow::span(2.0))] {
        assert_eq!(
            evaluate(std::slice::from_ref(&expr), &rows, &exec).unwrap_err().kind(),
            ErrorKind::Type,
            "{expr}"
        );
    }
}
