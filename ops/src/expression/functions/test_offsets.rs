//! Times moved by months, days and a rest, on every device of the build, against a library of calendars.

use crate::expression::{Expr, Period, col, evaluate, hours};
use columnade_buffers::{Device, Exec};
use columnade_columns::{
    Column, ColumnAccessor, DType, Error, ErrorKind, Result, Scalar, TimeUnit, TimeZone,
};
use columnade_tests::{Nulls, Rng, SIZES};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone as Zone};
use jiff::{SignedDuration, Span, Timestamp};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// A text, and the months, days and seconds that it says.
const OFFSETS: [(&str, i64, i64, i64); 12] = [
    ("1mo", 1, 0, 0),
    ("1mo2d3h", 1, 2, 10_800),
    ("-1mo2d3h", -1, -2, -10_800),
    ("3h2d1mo", 1, 2, 10_800),
    ("1y2q3w", 18, 21, 0),
    ("-1y", -12, 0, 0),
    ("1d", 0, 1, 0),
    ("-2w", 0, -14, 0),
    ("36h", 0, 0, 129_600),
    ("1d12h", 0, 1, 43_200),
    ("-90min30s", 0, 0, -5430),
    ("0d", 0, 0, 0),
];

fn one(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    Ok(evaluate(std::slice::from_ref(expr), frame, exec)?.swap_remove(0).1)
}

fn count(scalar: &Scalar) -> Option<i64> {
    match scalar {
        Scalar::Int64(value) => Some(*value),
        Scalar::Null(_) => None,
        other => panic!("{other:?}"),
    }
}

/// The local time in months and days.
fn later(time: DateTime, months: i64, days: i64) -> DateTime {
    time.checked_add(Span::new().months(months)).unwrap().checked_add(Span::new().days(days)).unwrap()
}

fn seconds_of(time: DateTime) -> i64 {
    time.duration_since(EPOCH).as_secs()
}

/// The instant of a local time: the earlier of two, and the change of the clock for one that they skip.
fn instant(zone: &Zone, local: DateTime) -> i64 {
    let ambiguous = zone.to_ambiguous_timestamp(local);
    match ambiguous.offset() {
        AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
            seconds_of(local) - i64::from(offset.seconds())
        }
        AmbiguousOffset::Gap { after, .. } => {
            let before_change =
                Timestamp::from_second(seconds_of(local) - i64::from(after.seconds())).unwrap();
            zone.following(before_change).next().unwrap().timestamp().as_second()
        }
    }
}

/// Seconds since 1970, some around changes of clocks in Berlin, some at ends of months.
fn random_seconds(rng: &mut Rng) -> i64 {
    let near = |rng: &mut Rng, at: i64| at + i64::try_from(rng.below(20_000)).unwrap() - 10_000;
    match rng.below(4) {
        // 2024-03-31 and 2024-10-27, 01:00 UTC, and a month, a day and a day and a half before each.
        0 => {
            let change = [1_711_846_800, 1_729_990_800][usize::from(rng.below(2) == 1)];
            let before =
                [0, 29 * 86_400, 30 * 86_400, 86_400, 129_600][usize::try_from(rng.below(5)).unwrap()];
            near(rng, change - before)
        }
        1 => {
            let months = Span::new().months(i64::try_from(rng.below(1200)).unwrap() - 600);
            seconds_of(EPOCH.checked_add(months).unwrap()) - i64::try_from(rng.below(200_000)).unwrap()
        }
        _ => i64::try_from(rng.below(4_000_000_000)).unwrap() - 2_000_000_000,
    }
}

#[test]
fn times_moved_by_months_days_and_a_rest_match_library() {
    let berlin = Zone::get("Europe/Berlin").unwrap();
    let zone = TimeZone::new("Europe/Berlin").unwrap();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(1582);
        let every = if device == Device::Host { 2 } else { 6 };
        for (i, n) in SIZES.into_iter().enumerate().filter(|(i, _)| i % every == 0) {
            let unit = TimeUnit::ALL[(i / every) % 4];
            let per_second = unit.per_second();
            let seconds: Vec<i64> = (0..n + 3).map(|_| random_seconds(&mut rng)).collect();
            let mask = Nulls::ALL[i % 4].mask(n + 3, &mut rng);
            let is_valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
            let column = |dtype: DType, of: &dyn Fn(i64) -> i64| {
                let rows = seconds.iter().enumerate().map(|(row, &at)| is_valid(row).then(|| of(at)));
                let column = Column::from_options(rows, &exec).unwrap();
                let cast = crate::cast::cast(&column, &dtype, crate::cast::CastMode::Checked, &exec).unwrap();
                cast.slice(3, n).unwrap()
            };
            // One unit after the second, which stays.
            let within = i64::from(per_second > 1);
            let frame = ColumnAccessor::from_columns([
                ("t", column(DType::Timestamp(unit), &|at| at * per_second + within)),
                ("b", column(DType::TimestampTz(unit, zone.clone()), &|at| at * per_second + within)),
                ("d", column(DType::Date32, &|at| at.div_euclid(86_400))),
            ])
            .unwrap();
            for (text, months, days, rest) in OFFSETS {
                let found = |label: &str| {
                    let expr = col(label).dt().offset_by(text);
                    let made = one(&expr, &frame, &exec).unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(made.dtype(), frame.get(label).unwrap().dtype(), "{expr}");
                    let counts = one(&expr.cast(DType::Int64), &frame, &exec).unwrap();
                    counts.to_scalars().unwrap().iter().map(count).collect::<Vec<_>>()
                };
                let expected = |of: &dyn Fn(i64) -> i64| {
                    let rows = seconds.iter().enumerate().skip(3);
                    rows.map(|(row, &at)| is_valid(row).then(|| of(at))).collect::<Vec<_>>()
                };
                let civil = |at: i64| EPOCH.checked_add(SignedDuration::from_secs(at)).unwrap();
                let moved =
                    |at: i64| (seconds_of(later(civil(at), months, days)) + rest) * per_second + within;
                assert_eq!(found("t"), expected(&moved), "{text} of {unit}, n={n} on {device}");
                let in_berlin = |at: i64| {
                    if months == 0 && days == 0 {
                        return (at + rest) * per_second + within;
                    }
                    let local = Timestamp::from_second(at).unwrap().to_zoned(berlin.clone()).datetime();
                    let goal = later(local, months, days);
                    let is_skipped =
                        matches!(berlin.to_ambiguous_timestamp(goal).offset(), AmbiguousOffset::Gap { .. });
                    // Clocks are set at a whole second.
                    (instant(&berlin, goal) + rest) * per_second + if is_skipped { 0 } else { within }
                };
                assert_eq!(found("b"), expected(&in_berlin), "{text} of {unit} in Berlin, n={n} on {device}");
                if rest == 0 {
                    let day = |at: i64| {
                        let midnight = civil(at.div_euclid(86_400) * 86_400);
                        seconds_of(later(midnight, months, days)).div_euclid(86_400)
                    };
                    assert_eq!(found("d"), expected(&day), "{text} of days, n={n} on {device}");
                }
            }
        }
    }
}

#[test]
fn offsets_that_are_none_or_go_too_far_are_errors() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let of = |dtype: &DType, text: &str| {
            Column::from_scalars(dtype, &[Scalar::parse(dtype, text).unwrap()], &exec).unwrap()
        };
        let frame = ColumnAccessor::from_columns([
            ("t", of(&DType::Timestamp(TimeUnit::Nano), "2024-02-29 12:00:00")),
            ("d", of(&DType::Date32, "2024-02-29")),
            ("n", Column::from_values([1_i64], &exec).unwrap()),
        ])
        .unwrap();
        for (expr, kind, expected) in [
            (col("t").dt().offset_by("1mo2"), ErrorKind::Value, "\"1mo2\" is invalid at character 4: a unit"),
            (col("t").dt().offset_by("-"), ErrorKind::Value, "at character 1: a number is expected"),
            (col("t").dt().offset_by("1mo-2d"), ErrorKind::Value, "at character 3: a number is expected"),
            (col("t").dt().offset_by("5m"), ErrorKind::Value, "write min for minutes"),
            (col("d").dt().offset_by("1mo2h"), ErrorKind::Value, "no multiple of the unit of date32"),
            (col("n").dt().offset_by("1d"), ErrorKind::Type, "dtype int64 is not supported"),
            (col("t").dt().offset_by("300y"), ErrorKind::Overflow, "does not fit timestamp[ns]"),
            (col("t").dt().offset_by("-400y1d"), ErrorKind::Overflow, "does not fit timestamp[ns]"),
            (col("t").dt().offset_by("106000d"), ErrorKind::Overflow, "does not fit timestamp[ns]"),
            (col("t").dt().offset_by("2500000h"), ErrorKind::Overflow, "does not fit timestamp[ns]"),
            (col("t").dt().add_months(i64::MAX), ErrorKind::Overflow, "does not fit timestamp[ns]"),
            (col("t").dt().add_years(i64::MAX), ErrorKind::Overflow, "does not fit int64"),
            (col("d").dt().add_years(col("n") + i64::MAX / 4), ErrorKind::Overflow, "does not fit int64"),
            (col("d").dt().add_years(1.5), ErrorKind::Type, "float64"),
            (col("d").dt().offset_by("9999999999d"), ErrorKind::Overflow, "does not fit date32"),
            (col("t").dt().truncate("-1mo"), ErrorKind::Value, "at character 0: a number is expected"),
            (col("t").dt().truncate("1mo1d"), ErrorKind::Value, "at character 0: weeks, months, quarters"),
        ] {
            let error: Error = one(&expr, &frame, &exec).unwrap_err();
            assert_eq!(error.kind(), kind, "{expr}: {error}");
            assert!(error.to_string().contains(expected), "{expr}: {error}");
            assert!(error.to_string().starts_with("expression "), "{error}");
        }
    }
    assert_eq!(col("t").dt().offset_by("-1mo2d").to_string(), "t.dt().offset_by(\"-1mo2d\")");
    assert_eq!(col("t").dt().offset_by("1d36h").to_string(), "t.dt().offset_by(\"1d36h\")");
    assert_eq!(col("t").dt().offset_by(hours(3)).label(), "t");
    assert_eq!(Period::from("1y").to_string(), "12mo");
}

/// More months than numbers of this width count.
#[test]
fn narrow_numbers_of_years_are_added() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let days = ["2024-02-29", "1970-12-31"];
        let days = days.map(|day| Scalar::parse(&DType::Date32, day).unwrap());
        let frame = ColumnAccessor::from_columns([
            ("d", Column::from_scalars(&DType::Date32, &days, &exec).unwrap()),
            ("n", Column::from_values([20_i8, -120], &exec).unwrap()),
        ])
        .unwrap();
        let found = one(&col("d").dt().add_years(col("n")), &frame, &exec).unwrap();
        let found: Vec<String> = found.to_scalars().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(found, ["2044-02-29", "1850-12-31"], "{device}");
    }
}
