//! Times of day, against arithmetic of their counts.

use super::{Expr, col, evaluate, hours, lit, when};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Scalar, TimeUnit, TimeZone};
use columnade_tests::{Nulls, Rng};

const SIZES: [usize; 9] = [0, 1, 31, 32, 33, 63, 64, 65, 300];

fn one(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> columnade_columns::Result<Column> {
    evaluate(std::slice::from_ref(expr), frame, exec).map(|mut found| found.swap_remove(0).1)
}

fn texts(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Vec<String> {
    let column = one(expr, frame, exec).unwrap_or_else(|error| panic!("{expr}: {error}"));
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

fn column(dtype: &DType, counts: &[Option<i64>], exec: &Exec) -> Column {
    let scalar = |count: &Option<i64>| match (count, dtype) {
        (None, _) => Scalar::Null(dtype.clone()),
        (Some(count), DType::Time(unit)) => Scalar::Time(*count, *unit),
        (Some(count), DType::Timestamp(unit)) => Scalar::Timestamp(*count, *unit),
        (Some(count), _) => Scalar::Int64(*count),
    };
    Column::from_scalars(dtype, &counts.iter().map(scalar).collect::<Vec<_>>(), exec).unwrap()
}

fn counts(column: &Column) -> Vec<Option<i64>> {
    let count = |value: Scalar| match value {
        Scalar::Null(_) => None,
        Scalar::Time(count, _) | Scalar::Duration(count, _) | Scalar::Int64(count) => Some(count),
        Scalar::Int32(count) => Some(count.into()),
        Scalar::Bool(value) => Some(value.into()),
        other => panic!("{other:?}"),
    };
    column.to_scalars().unwrap().into_iter().map(count).collect()
}

/// Of `n` rows after five that a slice leaves out: both ends of the day among them.
fn random(unit: TimeUnit, n: usize, nulls: Nulls, rng: &mut Rng) -> Vec<Option<i64>> {
    let mask = nulls.mask(n + 5, rng);
    (0..n + 5)
        .map(|row| {
            let count = match row % 7 {
                0 => 0,
                1 => unit.per_day() - 1,
                _ => rng.below(unit.per_day().unsigned_abs()).cast_signed(),
            };
            mask.as_ref().is_none_or(|mask| mask[row]).then_some(count)
        })
        .collect()
}

#[test]
fn parts_casts_and_comparisons_of_every_unit_match_their_counts() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(1440);
        for (at, n) in SIZES.into_iter().enumerate() {
            for unit in TimeUnit::ALL {
                let second = unit.per_second();
                let nulls = Nulls::ALL[at % Nulls::ALL.len()];
                let (left, right) = (random(unit, n, nulls, &mut rng), random(unit, n, nulls, &mut rng));
                let dtype = DType::Time(unit);
                let of = |counts: &[Option<i64>]| column(&dtype, counts, &exec).slice(5, n).unwrap();
                let frame = ColumnAccessor::from_columns([("a", of(&left)), ("b", of(&right))]).unwrap();
                let (left, right) = (&left[5..], &right[5..]);
                let check = |expr: Expr, dtype: DType, expected: &dyn Fn(i64) -> i64| {
                    let found = one(&expr, &frame, &exec).unwrap();
                    assert_eq!(found.dtype(), dtype, "{expr} on {device}");
                    let expected: Vec<_> = left.iter().map(|count| count.map(expected)).collect();
                    assert_eq!(counts(&found), expected, "{expr} of {unit}, {n} rows, on {device}");
                };
                let dt = || col("a").dt();
                check(dt().hour(), DType::Int32, &|t| t / second / 3600);
                check(dt().minute(), DType::Int32, &|t| t / second / 60 % 60);
                check(dt().second(), DType::Int32, &|t| t / second % 60);
                let nanos = |t: i64| t % second * (1_000_000_000 / second);
                check(dt().millisecond(), DType::Int32, &|t| nanos(t) / 1_000_000);
                check(dt().microsecond(), DType::Int32, &|t| nanos(t) / 1_000);
                check(dt().nanosecond(), DType::Int32, &|t| nanos(t) % 1_000);
                check(col("a").cast(DType::Int64), DType::Int64, &|t| t);
                check(col("a").cast(DType::Int64).cast(dtype.clone()), dtype.clone(), &|t| t);
                check(col("a").try_cast(DType::Int64), DType::Int64, &|t| t);
                for other in TimeUnit::ALL {
                    let to = other.per_second();
                    let converted = |t: i64| if to >= second { t * (to / second) } else { t / (second / to) };
                    check(col("a").cast(DType::Time(other)), DType::Time(other), &converted);
                    check(col("a").try_cast(DType::Time(other)), DType::Time(other), &converted);
                    check(col("a").cast(DType::Duration(other)), DType::Duration(other), &converted);
                    check(col("a").try_cast(DType::Duration(other)), DType::Duration(other), &converted);
                    // In the finer unit.
                    let wide = |t: i64, unit: TimeUnit| t * (1_000_000_000 / unit.per_second());
                    let noon = Scalar::Time(43_200 * to, other);
                    let expected = |t: i64| (wide(t, unit) < wide(43_200 * to, other)).into();
                    check(col("a").lt(lit(noon)), DType::Bool, &expected);
                }
                check(col("a").lt("12:00:00"), DType::Bool, &|t| (t < 43_200 * second).into());
                let both = |a: &Option<i64>, b: &Option<i64>| Some((*a)?).zip(*b);
                let found = one(&col("a").le(col("b")), &frame, &exec).unwrap();
                let expected = left.iter().zip(right).map(|(a, b)| both(a, b).map(|(a, b)| (a <= b).into()));
                assert_eq!(counts(&found), expected.collect::<Vec<_>>());
                let chosen = when(col("a").le(col("b"))).then(col("a")).otherwise(col("b"));
                let found = one(&chosen, &frame, &exec).unwrap();
                let expected = left.iter().zip(right).map(|(a, b)| match both(a, b) {
                    Some((a, b)) => Some(a.min(b)),
                    None => *b,
                });
                assert_eq!(counts(&found), expected.collect::<Vec<_>>());
                let filled = one(&col("a").fill_null("23:59:59"), &frame, &exec).unwrap();
                let expected = left.iter().map(|t| Some(t.unwrap_or(86_399 * second)));
                assert_eq!(counts(&filled), expected.collect::<Vec<_>>());
                // As text, and back.
                let text = one(&col("a").cast(DType::Utf8), &frame, &exec).unwrap();
                let expected = left.iter().map(|t| t.map_or("<NA>".to_owned(), |t| clock(t, unit)));
                let found: Vec<String> = text.to_scalars().unwrap().iter().map(ToString::to_string).collect();
                assert_eq!(found, expected.collect::<Vec<_>>());
                check(col("a").cast(DType::Utf8).cast(dtype.clone()), dtype.clone(), &|t| t);
            }
        }
    }
}

fn clock(count: i64, unit: TimeUnit) -> String {
    let (second, rest) = (count / unit.per_second(), count % unit.per_second());
    let text = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    match unit {
        TimeUnit::Second => text,
        TimeUnit::Milli => format!("{text}.{rest:03}"),
        TimeUnit::Micro => format!("{text}.{rest:06}"),
        TimeUnit::Nano => format!("{text}.{rest:09}"),
    }
}

#[test]
fn timestamps_have_a_time_of_day() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for unit in TimeUnit::ALL {
            let times: Vec<Option<i64>> =
                [-1, 0, 1, -86_400, 1_709_214_310, i64::MIN / 2_000_000_000, i64::MAX / 2_000_000_000]
                    .into_iter()
                    .map(|second: i64| Some(second * unit.per_second() - 1))
                    .chain([None])
                    .collect();
            let berlin = DType::TimestampTz(unit, TimeZone::new("+02:30").unwrap());
            let local = column(&DType::Timestamp(unit), &times, &exec);
            let zoned = local.reinterpret(&berlin).unwrap();
            let frame = ColumnAccessor::from_columns([("t", local), ("z", zoned)]).unwrap();
            let expected = |shift: i64, to: TimeUnit| -> Vec<Option<i64>> {
                let nanos = |t: i64| {
                    let t = t + shift * unit.per_second();
                    t.rem_euclid(unit.per_day()) * (1_000_000_000 / unit.per_second())
                };
                let count = |t: i64| nanos(t) / (1_000_000_000 / to.per_second());
                times.iter().map(|t| t.map(count)).collect()
            };
            for to in TimeUnit::ALL {
                for cast in [Expr::cast, Expr::try_cast] {
                    let found = one(&cast(col("t"), DType::Time(to)), &frame, &exec).unwrap();
                    assert_eq!(found.dtype(), DType::Time(to));
                    assert_eq!(counts(&found), expected(0, to), "{unit} to {to} on {device}");
                    let found = one(&cast(col("z"), DType::Time(to)), &frame, &exec).unwrap();
                    assert_eq!(counts(&found), expected(9000, to), "{unit} to {to} on {device}");
                }
            }
            let found = one(&col("t").dt().time(), &frame, &exec).unwrap();
            assert_eq!((found.dtype(), counts(&found)), (DType::Time(unit), expected(0, unit)));
            // A date and a time of day are a timestamp again.
            let again = col("t").cast(DType::Date32).cast(DType::Timestamp(unit))
                + col("t").dt().time().cast(DType::Duration(unit));
            assert_eq!(texts(&again.eq(col("t")), &frame, &exec)[..7], ["true"; 7]);
        }
    }
}

#[test]
fn times_in_formats_are_written_and_read_back_on_the_host() {
    let exec = Exec::host();
    for unit in TimeUnit::ALL {
        let dtype = DType::Time(unit);
        let values = [Some(0), Some(86_399), Some(45_296), None].map(|t| t.map(|t| t * unit.per_second()));
        let frame = ColumnAccessor::from_columns([("a", column(&dtype, &values, &exec))]).unwrap();
        let text = col("a").dt().strftime("%I:%M:%S %p");
        assert_eq!(texts(&text, &frame, &exec), ["12:00:00 AM", "11:59:59 PM", "12:34:56 PM", "<NA>"]);
        let read = text.clone().str().to_datetime(dtype.clone(), "%I:%M:%S %p");
        let found = one(&read, &frame, &exec).unwrap();
        assert_eq!((found.dtype(), counts(&found)), (dtype.clone(), values.to_vec()));
        for (wrong, expected) in [
            (col("a").dt().strftime("%Y %H"), "format: a time of day has no date"),
            (text.clone().str().to_datetime(dtype.clone(), "%F %T"), "format: a time of day has no date"),
            (text.clone().str().to_datetime(dtype.clone(), "%T %z"), "format: a time of day has no date"),
            (text.clone().str().to_datetime(DType::Date32, "%T"), "format: it has no year"),
        ] {
            let error = one(&wrong, &frame, &exec).unwrap_err();
            assert!(error.to_string().contains(expected), "{wrong}: {error}");
        }
    }
}

#[test]
fn operations_that_times_of_day_do_not_have_are_refused_by_name() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("a", column(&DType::Time(TimeUnit::Milli), &[Some(1), None], &exec)),
            ("n", column(&DType::Int64, &[Some(86_400_000), None], &exec)),
            ("t", column(&DType::Timestamp(TimeUnit::Milli), &[Some(1), None], &exec)),
        ])
        .unwrap();
        for (expr, kind) in [
            (col("a") + col("a"), ErrorKind::Type),
            (hours(1) - col("a"), ErrorKind::Type),
            (col("a") + col("t"), ErrorKind::Type),
            (col("a") * 2, ErrorKind::Value),
            (-col("a"), ErrorKind::Type),
            (col("a").abs(), ErrorKind::Type),
            (col("a").lt(col("t")), ErrorKind::Type),
            (col("a").lt(hours(1)), ErrorKind::Value),
            (col("a").lt(5), ErrorKind::Value),
            (col("a").lt("24:00"), ErrorKind::Value),
            (col("a").dt().year(), ErrorKind::Type),
            (col("a").dt().date(), ErrorKind::Type),
            (col("a").dt().truncate("1h"), ErrorKind::Type),
            (col("a").cast(DType::Date32), ErrorKind::NotImplemented),
            (col("n").cast(DType::Time(TimeUnit::Milli)), ErrorKind::Overflow),
            (col("n").cast(DType::Time(TimeUnit::Second)), ErrorKind::Overflow),
        ] {
            let error: Error = one(&expr, &frame, &exec).unwrap_err();
            assert_eq!(error.kind(), kind, "{expr}: {error}");
        }
        let none = col("n").try_cast(DType::Time(TimeUnit::Milli));
        assert_eq!(texts(&none, &frame, &exec), ["<NA>", "<NA>"]);
        let nanos = col("n").cast(DType::Time(TimeUnit::Nano));
        assert_eq!(texts(&nanos, &frame, &exec), ["00:00:00.086400000", "<NA>"]);
    }
}

/// The days of dates have 32 bits; a row that no result depends on has no error.
#[test]
fn parts_of_times_beyond_dates_are_an_overflow_of_dates() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for unit in [TimeUnit::Second, TimeUnit::Milli] {
            let dtype = DType::Timestamp(unit);
            let end = (i64::from(i32::MAX) + 1) * 86_400 * unit.per_second();
            let times = [Some(0), None, Some(end), Some(end - 1)];
            let frame = ColumnAccessor::from_columns([("t", column(&dtype, &times, &exec))]).unwrap();
            let time = || col("t").dt();
            for expr in [time().year(), time().weekday(), time().strftime("%Y"), time().strftime("%H")] {
                let error = one(&expr, &frame, &exec).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Overflow, "{expr}: {error}");
                let expected = format!("expression {expr}: a value does not fit date32");
                assert_eq!(error.to_string(), expected, "{device}");
            }
            let year = when(col("t").lt(lit(Scalar::Timestamp(end, unit)))).then(time().year()).otherwise(7);
            assert_eq!(texts(&year, &frame, &exec), ["1970", "7", "7", "5881580"], "{device}");
            assert_eq!(texts(&time().hour(), &frame, &exec), ["0", "<NA>", "0", "23"], "{device}");
        }
        let seconds = col("t").cast(DType::Timestamp(TimeUnit::Second));
        let frame = column(&DType::Timestamp(TimeUnit::Nano), &[Some(i64::MIN), Some(i64::MAX)], &exec);
        let frame = ColumnAccessor::from_columns([("t", frame)]).unwrap();
        assert_eq!(texts(&seconds.dt().year(), &frame, &exec), ["1677", "2262"], "{device}");
    }
}
