//! Arithmetic of durations and times of day, against integers.

use super::{Expr, Literal, col, columns_of, evaluate, hours, lit, minutes, seconds};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Result, Scalar, TimeUnit};
use columnade_tests::{Nulls, Rng};

const SIZES: [usize; 8] = [0, 1, 31, 32, 33, 64, 65, 300];
const DAY: i64 = 86_400;

fn one(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    evaluate(std::slice::from_ref(expr), frame, exec).map(|mut found| found.swap_remove(0).1)
}

/// The counts of times, and bits of floats.
fn counts(column: &Column) -> Vec<Option<i64>> {
    let count = |value: Scalar| match value {
        Scalar::Null(_) => None,
        Scalar::Time(count, _)
        | Scalar::Duration(count, _)
        | Scalar::Timestamp(count, _)
        | Scalar::Int64(count) => Some(count),
        Scalar::Float64(value) => Some(value.to_bits().cast_signed()),
        other => panic!("{other:?}"),
    };
    column.to_scalars().unwrap().into_iter().map(count).collect()
}

/// Values of a dtype of 64 bits for `n` rows after three that a slice leaves out.
struct Values {
    counts: Vec<Option<i64>>,
    column: Column,
}

impl Values {
    fn new(dtype: &DType, n: usize, limit: u64, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> Self {
        let mask = nulls.mask(n + 3, rng);
        let is_time = matches!(dtype, DType::Time(_));
        let count = |row: usize| {
            let count = match row % 9 {
                4 => 0,
                5 => 1,
                6 => i64::try_from(limit).unwrap() - 1,
                _ => i64::try_from(rng.below(limit)).unwrap(),
            };
            let count = if !is_time && rng.below(2) == 0 { -count } else { count };
            mask.as_ref().is_none_or(|mask| mask[row]).then_some(count)
        };
        let counts: Vec<Option<i64>> = (0..n + 3).map(count).collect();
        let integers = Column::from_options(counts.clone(), exec).unwrap();
        let frame = ColumnAccessor::from_columns([("x", integers)]).unwrap();
        let column = one(&col("x").cast(dtype.clone()), &frame, exec).unwrap();
        Self { counts: counts[3..].to_vec(), column: column.slice(3, n).unwrap() }
    }
}

type Reference = fn(i64, i64) -> Option<i64>;

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn modulo(a: i64, b: i64) -> Option<i64> {
    Some(a - b * floor_div(a, b)?)
}

#[expect(clippy::cast_precision_loss, reason = "values of less than 53 bits")]
fn ratio(a: i64, b: i64) -> i64 {
    (a as f64 / b as f64).to_bits().cast_signed()
}

/// Expressions of `a` and `b`, their dtype, and the count or the bits of the result where both are valid.
type Case = (Expr, DType, Reference);

/// Checks expressions over columns of these dtypes with counts below these limits.
fn check(cases: &[Case], left: (&DType, u64), right: (&DType, u64), exec: &Exec) {
    for (at, n) in SIZES.into_iter().enumerate() {
        let mut rng = Rng::new(n as u64 + 7);
        let nulls = Nulls::ALL[at % Nulls::ALL.len()];
        let a = Values::new(left.0, n, left.1, nulls, &mut rng, exec);
        let b = Values::new(right.0, n, right.1, nulls, &mut rng, exec);
        let columns = [("a", a.column), ("b", b.column)];
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        for (expr, dtype, reference) in cases {
            let found = one(expr, &frame, exec).unwrap_or_else(|error| panic!("{expr}: {error}"));
            assert_eq!(found.dtype(), *dtype, "{expr}");
            let read = columns_of([expr]);
            let is_read = |label: &str| read.iter().any(|other| *other == label);
            let of = |label: &str, count: &Option<i64>| if is_read(label) { *count } else { Some(1) };
            let pairs = a.counts.iter().zip(&b.counts);
            let expected: Vec<_> = pairs.map(|(a, b)| reference(of("a", a)?, of("b", b)?)).collect();
            assert_eq!(counts(&found), expected, "{expr}, {n} rows, {nulls:?}, on {}", exec.device());
        }
    }
}

#[test]
fn durations_are_scaled_by_numbers() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (a, b) = (|| col("a"), || col("b"));
        for unit in [TimeUnit::Second, TimeUnit::Nano] {
            let span = || DType::Duration(unit);
            let cases: Vec<Case> = vec![
                (a() * b(), span(), |a, b| Some(a * b)),
                (b() * a(), span(), |a, b| Some(a * b)),
                (a() / b(), span(), i64::checked_div),
                (a().floor_div(b()), span(), floor_div),
                (a() % b(), span(), modulo),
                (a() * 3, span(), |a, _| Some(a * 3)),
                (2 * a(), span(), |a, _| Some(a * 2)),
                (a() / -2, span(), |a, _| Some(a / -2)),
                (a() / 0, span(), |_, _| None),
                (a() * Literal::Null, span(), |_, _| None),
                (a().checked_mul(b()), span(), |a, b| Some(a * b)),
                (a().checked_mul(0.5), span(), |a, _| Some(a / 2)),
                (a() * 1.5, span(), |a, _| Some(a * 3 / 2)),
                (0.5 * a(), span(), |a, _| Some(a / 2)),
                (a() / 0.25, span(), |a, _| Some(a * 4)),
                (a() / 2.0, span(), |a, _| Some(a / 2)),
                (a().floor_div(2.0), span(), |a, _| floor_div(a, 2)),
                (a() / 0.0, span(), |_, _| None),
                (a() * f64::NAN, span(), |_, _| None),
                (a() * b().cast(DType::Float32), span(), |a, b| Some(a * b)),
                (a() / b().cast(DType::Float64), span(), i64::checked_div),
                (a() * b().cast(DType::decimal(5, 1).unwrap()), span(), |a, b| Some(a * b)),
                (a() / b().cast(DType::Int16), span(), i64::checked_div),
                (a().abs().neg(), span(), |a, _| Some(-a.abs())),
            ];
            check(&cases, (&span(), 1 << 30), (&DType::Int64, 1000), &exec);
        }
    }
}

#[test]
fn durations_are_divided_by_durations_of_other_units() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (a, b) = (|| col("a"), || col("b"));
        let (s, ms) = (DType::Duration(TimeUnit::Second), DType::Duration(TimeUnit::Milli));
        let cases: Vec<Case> = vec![
            (a() / b(), DType::Float64, |a, b| Some(ratio(a * 1000, b))),
            (b() / a(), DType::Float64, |a, b| Some(ratio(b, a * 1000))),
            (a().floor_div(b()), DType::Int64, |a, b| floor_div(a * 1000, b)),
            (a() % b(), ms.clone(), |a, b| modulo(a * 1000, b)),
            (a() / seconds(8), DType::Float64, |a, _| Some(ratio(a, 8))),
            (a().floor_div(minutes(1)), DType::Int64, |a, _| floor_div(a, 60)),
            (lit(hours(1)) % b(), ms.clone(), |_, b| modulo(3_600_000, b)),
        ];
        check(&cases, (&s, 1 << 20), (&ms, 1 << 12), &exec);
    }
}

#[test]
fn times_of_day_are_moved_within_the_day() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (a, b) = (|| col("a"), || col("b"));
        let (s, ns) = (TimeUnit::Second, TimeUnit::Nano);
        let of_seconds: Vec<Case> = vec![
            (a() + b(), DType::Time(s), |a, b| Some((a + b).rem_euclid(DAY))),
            (b() + a(), DType::Time(s), |a, b| Some((a + b).rem_euclid(DAY))),
            (a() - b(), DType::Time(s), |a, b| Some((a - b).rem_euclid(DAY))),
            (a() + hours(25), DType::Time(s), |a, _| Some((a + 25 * 3600).rem_euclid(DAY))),
            (a() - Literal::Duration(1), DType::Time(ns), |a, _| {
                Some((a * 1_000_000_000 - 1).rem_euclid(DAY * 1_000_000_000))
            }),
        ];
        check(&of_seconds, (&DType::Time(s), 86_400), (&DType::Duration(s), 1 << 40), &exec);
        // The sum of their counts does not fit 64 bits.
        let long: Vec<Case> = vec![
            (a() + b(), DType::Time(ns), |a, b| {
                let day = i128::from(DAY) * 1_000_000_000;
                i64::try_from((i128::from(a) + i128::from(b)).rem_euclid(day)).ok()
            }),
            (a() - b(), DType::Time(ns), |a, b| {
                let day = i128::from(DAY) * 1_000_000_000;
                i64::try_from((i128::from(a) - i128::from(b)).rem_euclid(day)).ok()
            }),
        ];
        let longest = i64::MAX.unsigned_abs();
        check(&long, (&DType::Time(ns), 86_400_000_000_000), (&DType::Duration(ns), longest), &exec);
        let between: Vec<Case> = vec![(a() - b(), DType::Duration(ns), |a, b| Some(a * 1_000_000_000 - b))];
        check(&between, (&DType::Time(s), 86_400), (&DType::Time(ns), 86_400_000_000_000), &exec);
    }
}

#[test]
fn date_at_time_of_day_is_timestamp() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let dates = Column::from_options([Some(-1), Some(19_000), None, Some(0)], &exec).unwrap();
        let times = Column::from_options([Some(1_i64), Some(86_399_999), Some(5), None], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("d", dates), ("t", times)]).unwrap();
        let (date, time) =
            (col("d").cast(DType::Int32).cast(DType::Date32), col("t").cast(DType::Time(TimeUnit::Milli)));
        for expr in [date.clone() + time.clone(), time + date] {
            let found = one(&expr, &frame, &exec).unwrap();
            assert_eq!(found.dtype(), DType::Timestamp(TimeUnit::Milli));
            let expected = [Some(-86_399_999), Some(19_000 * 86_400_000 + 86_399_999), None, None];
            assert_eq!(counts(&found), expected, "{device}");
        }
    }
}

#[test]
fn arithmetic_of_durations_that_means_nothing_is_a_typed_error() {
    let exec = Exec::host();
    let integers = Column::from_slice(&[i64::MAX / 2], &exec).unwrap();
    let frame = ColumnAccessor::from_columns([("n", integers)]).unwrap();
    let span = || col("n").cast(DType::Duration(TimeUnit::Nano));
    for expr in [
        span() * span(),
        1 / span(),
        col("n") / span(),
        span() % 1.5,
        span() * lit(true),
        span().eq(span()) * span(),
        lit(hours(1)) - lit("12:00:00").cast(DType::Time(TimeUnit::Second)),
    ] {
        let error = one(&expr, &frame, &exec).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Type | ErrorKind::Value), "{expr}: {error}");
    }
    for expr in [span() * 4.0, span().checked_mul(4), span() / 1e-9] {
        let error = one(&expr, &frame, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Overflow, "{expr}: {error}");
    }
    let wrapped = counts(&one(&(span() * 4), &frame, &exec).unwrap());
    assert_eq!(wrapped, [Some((i64::MAX / 2).wrapping_mul(4))]);
    let error = one(&(span() + 5), &frame, &exec).unwrap_err();
    assert!(error.to_string().contains("days(30)"), "{error}");
    assert!(matches!(error, Error::Context { .. }));
}
