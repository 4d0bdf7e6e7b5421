//! Functions of times in expressions, on every device of the build, against outputs of pandas, Polars and DuckDB and a library
//! of calendars.

use crate::expression::{
    Ambiguous, DatetimeExpr, Expr, LocalTimes, Nonexistent, Period, Unmatched, col, date, days, evaluate,
    hours, lit, minutes,
};
use columnade_buffers::{Device, Exec};
use columnade_columns::{
    Column, ColumnAccessor, DType, Error, ErrorKind, Result, Scalar, TimeUnit, TimeZone,
};
use columnade_tests::{Nulls, Rng, SIZES};
use jiff::civil::DateTime;
use jiff::{SignedDuration, Span, ToSpan};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// The times of the outputs below; the last row is null.
const TIMES: [&str; 7] = [
    "2024-02-29 13:45:10.123456",
    "1969-12-31 23:59:59.999999",
    "2000-01-01 00:00:00.000000",
    "1900-03-01 12:30:00.000000",
    "2024-12-30 00:00:00.000001",
    "2023-10-29 02:30:00.000000",
    "2024-03-31 01:15:00.000000",
];

fn one(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    Ok(evaluate(std::slice::from_ref(expr), frame, exec)?.swap_remove(0).1)
}

fn texts(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Vec<String> {
    let column = one(expr, frame, exec).unwrap_or_else(|error| panic!("{error}"));
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

fn parsed(dtype: &DType, texts: &[&str], exec: &Exec) -> Column {
    let mut values: Vec<Scalar> = texts.iter().map(|text| Scalar::parse(dtype, text).unwrap()).collect();
    values.push(Scalar::Null(dtype.clone()));
    Column::from_scalars(dtype, &values, exec).unwrap()
}

/// `t`: the times, `d`: their days, `b`: the times as UTC in Berlin.
fn times(exec: &Exec) -> ColumnAccessor {
    let berlin = DType::TimestampTz(TimeUnit::Micro, TimeZone::new("Europe/Berlin").unwrap());
    let zoned = TIMES.map(|text| format!("{text}Z"));
    ColumnAccessor::from_columns([
        ("t", parsed(&DType::Timestamp(TimeUnit::Micro), &TIMES, exec)),
        ("d", parsed(&DType::Date32, &TIMES.map(|text| &text[..10]), exec)),
        ("b", parsed(&berlin, &zoned.each_ref().map(String::as_str), exec)),
    ])
    .unwrap()
}

/// Rounds to a period.
type Rounding = fn(DatetimeExpr, Period) -> Expr;

const FLOOR: Rounding = |time, period| time.truncate(period);
const CEIL: Rounding = |time, period| time.ceil(period);
const ROUND: Rounding = |time, period| time.round(period);

#[test]
fn rounded_times_match_pandas_and_polars() {
    let [floor, ceil, round] = [FLOOR, CEIL, ROUND];
    #[rustfmt::skip]
    let cases: [(Rounding, &str, [&str; 7]); 15] = [
        // pandas 3: Series.dt.floor, ceil, round.
        (floor, "15min", ["2024-02-29 13:45:00", "1969-12-31 23:45:00", "2000-01-01 00:00:00", "1900-03-01 12:30:00", "2024-12-30 00:00:00", "2023-10-29 02:30:00", "2024-03-31 01:15:00"]),
        (ceil, "15min", ["2024-02-29 14:00:00", "1970-01-01 00:00:00", "2000-01-01 00:00:00", "1900-03-01 12:30:00", "2024-12-30 00:15:00", "2023-10-29 02:30:00", "2024-03-31 01:15:00"]),
        (round, "15min", ["2024-02-29 13:45:00", "1970-01-01 00:00:00", "2000-01-01 00:00:00", "1900-03-01 12:30:00", "2024-12-30 00:00:00", "2023-10-29 02:30:00", "2024-03-31 01:15:00"]),
        (floor, "6h", ["2024-02-29 12:00:00", "1969-12-31 18:00:00", "2000-01-01 00:00:00", "1900-03-01 12:00:00", "2024-12-30 00:00:00", "2023-10-29 00:00:00", "2024-03-31 00:00:00"]),
        (ceil, "6h", ["2024-02-29 18:00:00", "1970-01-01 00:00:00", "2000-01-01 00:00:00", "1900-03-01 18:00:00", "2024-12-30 06:00:00", "2023-10-29 06:00:00", "2024-03-31 06:00:00"]),
        (round, "6h", ["2024-02-29 12:00:00", "1970-01-01 00:00:00", "2000-01-01 00:00:00", "1900-03-01 12:00:00", "2024-12-30 00:00:00", "2023-10-29 00:00:00", "2024-03-31 00:00:00"]),
        (ceil, "1d", ["2024-03-01 00:00:00", "1970-01-01 00:00:00", "2000-01-01 00:00:00", "1900-03-02 00:00:00", "2024-12-31 00:00:00", "2023-10-30 00:00:00", "2024-04-01 00:00:00"]),
        (round, "1D", ["2024-03-01 00:00:00", "1970-01-01 00:00:00", "2000-01-01 00:00:00", "1900-03-02 00:00:00", "2024-12-30 00:00:00", "2023-10-29 00:00:00", "2024-03-31 00:00:00"]),
        // Polars 2: Expr.dt.truncate.
        (floor, "1w", ["2024-02-26 00:00:00", "1969-12-29 00:00:00", "1999-12-27 00:00:00", "1900-02-26 00:00:00", "2024-12-30 00:00:00", "2023-10-23 00:00:00", "2024-03-25 00:00:00"]),
        (floor, "2w", ["2024-02-19 00:00:00", "1969-12-22 00:00:00", "1999-12-27 00:00:00", "1900-02-19 00:00:00", "2024-12-23 00:00:00", "2023-10-16 00:00:00", "2024-03-18 00:00:00"]),
        (floor, "1mo", ["2024-02-01 00:00:00", "1969-12-01 00:00:00", "2000-01-01 00:00:00", "1900-03-01 00:00:00", "2024-12-01 00:00:00", "2023-10-01 00:00:00", "2024-03-01 00:00:00"]),
        (floor, "1q", ["2024-01-01 00:00:00", "1969-10-01 00:00:00", "2000-01-01 00:00:00", "1900-01-01 00:00:00", "2024-10-01 00:00:00", "2023-10-01 00:00:00", "2024-01-01 00:00:00"]),
        (floor, "1y", ["2024-01-01 00:00:00", "1969-01-01 00:00:00", "2000-01-01 00:00:00", "1900-01-01 00:00:00", "2024-01-01 00:00:00", "2023-01-01 00:00:00", "2024-01-01 00:00:00"]),
        (floor, "5mo", ["2023-10-01 00:00:00", "1969-08-01 00:00:00", "2000-01-01 00:00:00", "1900-01-01 00:00:00", "2024-08-01 00:00:00", "2023-10-01 00:00:00", "2024-03-01 00:00:00"]),
        (floor, "30min", ["2024-02-29 13:30:00", "1969-12-31 23:30:00", "2000-01-01 00:00:00", "1900-03-01 12:30:00", "2024-12-30 00:00:00", "2023-10-29 02:30:00", "2024-03-31 01:00:00"]),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = times(&exec);
        for (rounding, period, expected) in cases {
            let expr = rounding(col("t").dt(), period.into());
            let mut expected: Vec<String> = expected.iter().map(|text| format!("{text}.000000")).collect();
            expected.push("<NA>".to_owned());
            assert_eq!(texts(&expr, &frame, &exec), expected, "{expr} on {device}");
            // Days of the same periods.
            if period.ends_with(['w', 'o', 'q', 'y']) {
                let days = rounding(col("d").dt(), period.into());
                let found = one(&days, &frame, &exec).unwrap();
                assert_eq!(found.dtype(), DType::Date32, "{days}");
                let found: Vec<String> =
                    found.to_scalars().unwrap().iter().map(ToString::to_string).collect();
                let expected: Vec<&str> =
                    expected.iter().map(|text| text.get(..10).unwrap_or(text)).collect();
                assert_eq!(found, expected, "{days} on {device}");
            }
        }
        let months = texts(&col("t").dt().ceil("1mo"), &frame, &exec);
        assert_eq!(
            months[..3],
            ["2024-03-01 00:00:00.000000", "1970-01-01 00:00:00.000000", "2000-01-01 00:00:00.000000"]
        );
        // The middle of February of a leap year is the 15th at noon.
        let months = texts(&col("t").dt().round("1mo"), &frame, &exec);
        assert_eq!(
            months[..3],
            ["2024-03-01 00:00:00.000000", "1970-01-01 00:00:00.000000", "2000-01-01 00:00:00.000000"]
        );
        assert_eq!(texts(&col("t").dt().round("1y"), &frame, &exec)[5], "2024-01-01 00:00:00.000000");
    }
}

#[test]
fn several_months_are_counted_from_1970_as_polars_does() {
    // Polars 2.1: Expr.dt.truncate and round.
    let days = ["2024-02-29", "1970-01-01", "1969-12-31", "1965-07-03", "1899-03-04", "2262-01-01"];
    let cases: [(Rounding, &str, [&str; 6]); 8] = [
        (FLOOR, "7mo", ["2023-09-01", "1970-01-01", "1969-06-01", "1965-05-01", "1898-11-01", "2261-09-01"]),
        (FLOOR, "9mo", ["2024-01-01", "1970-01-01", "1969-04-01", "1965-07-01", "1898-10-01", "2261-10-01"]),
        (FLOOR, "3q", ["2024-01-01", "1970-01-01", "1969-04-01", "1965-07-01", "1898-10-01", "2261-10-01"]),
        (FLOOR, "3y", ["2024-01-01", "1970-01-01", "1967-01-01", "1964-01-01", "1898-01-01", "2261-01-01"]),
        (FLOOR, "4y", ["2022-01-01", "1970-01-01", "1966-01-01", "1962-01-01", "1898-01-01", "2262-01-01"]),
        (FLOOR, "100y", ["1970-01-01", "1970-01-01", "1870-01-01", "1870-01-01", "1870-01-01", "2170-01-01"]),
        (ROUND, "7mo", ["2024-04-01", "1970-01-01", "1970-01-01", "1965-05-01", "1899-06-01", "2262-04-01"]),
        (ROUND, "4y", ["2026-01-01", "1970-01-01", "1970-01-01", "1966-01-01", "1898-01-01", "2262-01-01"]),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([("d", parsed(&DType::Date32, &days, &exec))]).unwrap();
        for (rounding, period, expected) in cases {
            let expr = rounding(col("d").dt(), period.into());
            assert_eq!(texts(&expr, &frame, &exec)[..6], expected, "{expr} on {device}");
        }
    }
}

#[test]
fn middle_of_period_is_rounded_to_the_even_multiple() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let times =
            ["1970-01-01 00:30:00", "1970-01-01 01:30:00", "1969-12-31 23:30:00", "1970-01-01 01:30:01"];
        let column = parsed(&DType::Timestamp(TimeUnit::Second), &times, &exec);
        let frame = ColumnAccessor::from_columns([("t", column)]).unwrap();
        let found = texts(&col("t").dt().round(hours(1)), &frame, &exec);
        let expected = [
            "1970-01-01 00:00:00",
            "1970-01-01 02:00:00",
            "1970-01-01 00:00:00",
            "1970-01-01 02:00:00",
            "<NA>",
        ];
        assert_eq!(found, expected, "{device}");
    }
}

#[test]
fn rounded_durations_match_times_so_long_after_1970() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = times(&exec);
        let spans = || col("t").cast(DType::Int64).cast(DType::Duration(TimeUnit::Micro)).dt();
        let numbers = |expr: Expr| texts(&expr.cast(DType::Int64), &frame, &exec);
        for (rounding, period) in [(FLOOR, "15min"), (CEIL, "6h"), (ROUND, "1d"), (FLOOR, "90s")] {
            let of_times = rounding(col("t").dt(), period.into());
            assert_eq!(numbers(rounding(spans(), period.into())), numbers(of_times), "{period} on {device}");
        }
        assert_eq!(numbers(spans().floor("1w")), numbers(spans().floor("7d")), "{device}");
    }
}

#[test]
fn local_times_without_a_zone_stay_as_they_are() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = times(&exec);
        assert_eq!(
            texts(&col("t").dt().tz_naive(), &frame, &exec),
            texts(&col("t"), &frame, &exec),
            "{device}"
        );
    }
}

#[test]
fn rounded_times_in_a_zone_match_polars() {
    #[rustfmt::skip]
    let cases: [(&str, [&str; 7]); 4] = [
        ("1h", ["2024-02-29 14:00:00+01:00", "1970-01-01 00:00:00+01:00", "2000-01-01 01:00:00+01:00", "1900-03-01 13:00:00+01:00", "2024-12-30 01:00:00+01:00", "2023-10-29 03:00:00+01:00", "2024-03-31 03:00:00+02:00"]),
        ("2h", ["2024-02-29 14:00:00+01:00", "1970-01-01 00:00:00+01:00", "2000-01-01 00:00:00+01:00", "1900-03-01 12:00:00+01:00", "2024-12-30 00:00:00+01:00", "2023-10-29 02:00:00+01:00", "2024-03-31 03:00:00+02:00"]),
        ("1d", ["2024-02-29 00:00:00+01:00", "1970-01-01 00:00:00+01:00", "2000-01-01 00:00:00+01:00", "1900-03-01 00:00:00+01:00", "2024-12-30 00:00:00+01:00", "2023-10-29 00:00:00+02:00", "2024-03-31 00:00:00+01:00"]),
        ("1mo", ["2024-02-01 00:00:00+01:00", "1970-01-01 00:00:00+01:00", "2000-01-01 00:00:00+01:00", "1900-03-01 00:00:00+01:00", "2024-12-01 00:00:00+01:00", "2023-10-01 00:00:00+02:00", "2024-03-01 00:00:00+01:00"]),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = times(&exec);
        for (period, expected) in cases {
            let expr = col("b").dt().truncate(period);
            let found: Vec<String> =
                texts(&expr, &frame, &exec).iter().map(|text| text.replace(".000000", "")).collect();
            assert_eq!(found[..7], expected, "{expr} on {device}");
            assert_eq!(found[7], "<NA>");
        }
    }
}

#[test]
fn months_and_differences_match_polars_and_duckdb() {
    #[rustfmt::skip]
    let moved: [(i64, [&str; 7]); 4] = [
        // Polars 2: Expr.dt.offset_by.
        (1, ["2024-03-29 13:45:10.123456", "1970-01-31 23:59:59.999999", "2000-02-01 00:00:00.000000", "1900-04-01 12:30:00.000000", "2025-01-30 00:00:00.000001", "2023-11-29 02:30:00.000000", "2024-04-30 01:15:00.000000"]),
        (12, ["2025-02-28 13:45:10.123456", "1970-12-31 23:59:59.999999", "2001-01-01 00:00:00.000000", "1901-03-01 12:30:00.000000", "2025-12-30 00:00:00.000001", "2024-10-29 02:30:00.000000", "2025-03-31 01:15:00.000000"]),
        (-1, ["2024-01-29 13:45:10.123456", "1969-11-30 23:59:59.999999", "1999-12-01 00:00:00.000000", "1900-02-01 12:30:00.000000", "2024-11-30 00:00:00.000001", "2023-09-29 02:30:00.000000", "2024-02-29 01:15:00.000000"]),
        (13, ["2025-03-29 13:45:10.123456", "1971-01-31 23:59:59.999999", "2001-02-01 00:00:00.000000", "1901-04-01 12:30:00.000000", "2026-01-30 00:00:00.000001", "2024-11-29 02:30:00.000000", "2025-04-30 01:15:00.000000"]),
    ];
    #[rustfmt::skip]
    let ends = ["2024-02-29 13:45:10.123456", "1969-12-31 23:59:59.999999", "2000-01-31 00:00:00.000000", "1900-03-31 12:30:00.000000", "2024-12-31 00:00:00.000001", "2023-10-31 02:30:00.000000", "2024-03-31 01:15:00.000000"];
    // DuckDB 2: date_diff(unit, t, TIMESTAMP '2024-03-01').
    let differences: [(&str, [i64; 7]); 6] = [
        ("1y", [0, 55, 24, 124, 0, 1, 0]),
        ("1q", [0, 217, 96, 496, -3, 1, 0]),
        ("1mo", [1, 651, 290, 1488, -9, 5, 0]),
        // The Mondays between them, of which DuckDB counts other numbers.
        ("1w", [0, 2826, 1261, 6470, -44, 18, -4]),
        ("1d", [1, 19784, 8826, 45291, -304, 124, -30]),
        ("1h", [11, 474_793, 211_824, 1_086_972, -7296, 2974, -721]),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = times(&exec);
        for (months, expected) in moved {
            let found = texts(&col("t").dt().add_months(months), &frame, &exec);
            assert_eq!(found[..7], expected, "{months} months on {device}");
            let found = texts(&col("d").dt().add_months(months), &frame, &exec);
            assert_eq!(found[..7], expected.map(|text| &text[..10]), "{months} months of days on {device}");
            assert_eq!(found[7], "<NA>");
        }
        assert_eq!(texts(&col("t").dt().month_end(), &frame, &exec)[..7], ends, "{device}");
        let starts = ends.map(|end| format!("{}01{}", &end[..8], &end[10..]));
        assert_eq!(texts(&col("t").dt().month_start(), &frame, &exec)[..7], starts, "{device}");
        let end = date("2024-03-01").unwrap();
        for (period, expected) in differences {
            let found = texts(&col("t").dt().periods_until(end.clone(), period), &frame, &exec);
            assert_eq!(found[..7], expected.map(|n| n.to_string()), "{period} on {device}");
        }
        // 02:30 of the last Sunday in October is shown twice, that of the last Sunday in March is skipped.
        let berlin = col("b").dt().add_months(lit(5)).dt().date();
        assert_eq!(texts(&berlin, &frame, &exec)[5], "2024-03-29", "{device}");
    }
}

/// A part of a time: the expression, and the library's.
type Part = (fn(DatetimeExpr) -> Expr, fn(DateTime) -> i64);

#[test]
fn parts_of_every_unit_size_and_null_pattern_match_library() {
    let parts: [Part; 16] = [
        (DatetimeExpr::iso_year, |t| t.date().iso_week_date().year().into()),
        (DatetimeExpr::week, |t| t.date().iso_week_date().week().into()),
        (DatetimeExpr::days_in_month, |t| t.days_in_month().into()),
        (DatetimeExpr::is_leap_year, |t| t.in_leap_year().into()),
        (DatetimeExpr::is_month_start, |t| (t.day() == 1).into()),
        (DatetimeExpr::is_month_end, |t| (t.day() == t.days_in_month()).into()),
        (DatetimeExpr::is_quarter_start, |t| (t.day() == 1 && t.month() % 3 == 1).into()),
        (DatetimeExpr::is_quarter_end, |t| (t.day() == t.days_in_month() && t.month() % 3 == 0).into()),
        (DatetimeExpr::is_year_start, |t| (t.day_of_year() == 1).into()),
        (DatetimeExpr::is_year_end, |t| (t.day_of_year() == t.days_in_year()).into()),
        (DatetimeExpr::millisecond, |t| t.millisecond().into()),
        (DatetimeExpr::microsecond, |t| i64::from(t.subsec_nanosecond() / 1000)),
        (DatetimeExpr::nanosecond, |t| t.nanosecond().into()),
        (|t| t.date().cast(DType::Int64), |t| t.duration_since(EPOCH).as_secs().div_euclid(86_400)),
        (|t| t.month_start().dt().day(), |_| 1),
        (|t| t.add_months(-7).dt().day(), |t| (t - 7.months()).day().into()),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(1970);
        // A device has every fourth size, which with the steps of each part takes long enough.
        let every = if device == Device::Host { 1 } else { 4 };
        for (i, n) in SIZES.into_iter().enumerate().filter(|(i, _)| i % every == 0) {
            let unit = TimeUnit::ALL[(i / every) % 4];
            let per_second = unit.per_second();
            let counts: Vec<i64> = (0..n + 5)
                .map(|row| {
                    let day = match row % 3 {
                        // Ends of months and years.
                        0 => {
                            DateTime::constant(1970, 1, 1, 0, 0, 0, 0)
                                .checked_add(
                                    Span::new().months(i64::try_from(rng.below(2000)).unwrap() - 900),
                                )
                                .map_or(0, |t| t.duration_since(EPOCH).as_secs() / 86_400)
                                - i64::try_from(rng.below(2)).unwrap()
                        }
                        _ => i64::try_from(rng.below(90_000)).unwrap() - 30_000,
                    };
                    let within = i64::try_from(rng.below((86_400 * per_second).unsigned_abs())).unwrap();
                    day * 86_400 * per_second + within
                })
                .collect();
            let mask = Nulls::ALL[i % 4].mask(n + 5, &mut rng);
            let is_valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
            let options = counts.iter().enumerate().map(|(row, &count)| is_valid(row).then_some(count));
            let column = Column::from_options(options, &exec).unwrap();
            let column = column.reinterpret(&DType::Timestamp(unit)).unwrap().slice(5, n).unwrap();
            let frame = ColumnAccessor::from_columns([("t", column)]).unwrap();
            for (part, naive) in parts {
                let expr = part(col("t").dt());
                let found = one(&expr, &frame, &exec).unwrap().to_scalars().unwrap();
                for (row, found) in found.iter().enumerate() {
                    let nanos = i128::from(counts[row + 5]) * 1_000_000_000 / i128::from(per_second);
                    let time = EPOCH.checked_add(SignedDuration::from_nanos_i128(nanos)).unwrap();
                    let expected = is_valid(row + 5).then(|| naive(time));
                    assert_eq!(number(found), expected, "{expr} of {time} ({unit}) n={n} on {device}");
                }
            }
            let names = one(&col("t").dt().day_name(), &frame, &exec).unwrap();
            let months = one(&col("t").dt().month_name(), &frame, &exec).unwrap();
            assert!(matches!(names.dtype(), DType::Dictionary(_)));
            let pairs = names.to_scalars().unwrap().into_iter().zip(months.to_scalars().unwrap());
            for (row, (day, month)) in pairs.enumerate() {
                let seconds = counts[row + 5].div_euclid(per_second);
                let time = EPOCH.checked_add(SignedDuration::from_secs(seconds)).unwrap();
                if is_valid(row + 5) {
                    assert_eq!(day.to_string(), format!("{:?}", time.weekday()), "{time}");
                    let month_name = time.strftime("%B").to_string();
                    assert_eq!(month.to_string(), month_name, "{time}");
                } else {
                    assert!(matches!((day, month), (Scalar::Null(_), Scalar::Null(_))));
                }
            }
        }
    }
}

fn number(scalar: &Scalar) -> Option<i64> {
    match scalar {
        Scalar::Int32(value) => Some((*value).into()),
        Scalar::Int64(value) => Some(*value),
        Scalar::Bool(value) => Some((*value).into()),
        Scalar::Null(_) => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn parts_of_durations_match_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let nanos = [Some(-1_i64), Some(90_061_000_001_002), None, Some(-86_400_000_000_001)];
        let column = Column::from_options(nanos, &exec).unwrap();
        let column = column.reinterpret(&DType::Duration(TimeUnit::Nano)).unwrap();
        let frame = ColumnAccessor::from_columns([("x", column)]).unwrap();
        // pandas 3: Series.dt.days, seconds, microseconds, nanoseconds.
        for (expr, expected) in [
            (col("x").dt().days(), "-1 1 <NA> -2"),
            (col("x").dt().seconds(), "86399 3661 <NA> 86399"),
            (col("x").dt().microsecond(), "999999 1 <NA> 999999"),
            (col("x").dt().nanosecond(), "999 2 <NA> 999"),
            (col("x").dt().total_seconds(), "-1e-9 90061.000001002 <NA> -86400.000000001"),
        ] {
            assert_eq!(texts(&expr, &frame, &exec).join(" "), expected, "{expr} on {device}");
        }
    }
}

/// Hours from DuckDB 2.0, `date_diff('hour', t, t + INTERVAL 1 DAY)` in these zones; the first zone's clock is changed by an
/// hour, the second one's by half.
#[test]
fn periods_over_a_change_of_the_clock_are_those_that_pass() {
    type Case = (&'static str, [&'static str; 3], [i64; 3], [i64; 3]);
    let cases: [Case; 2] = [
        (
            "Europe/Rome",
            ["2024-03-30 12:00:00", "2024-10-26 12:00:00", "2024-07-01 00:10:00"],
            [23, 25, 24],
            [1380, 1500, 1440],
        ),
        (
            "Australia/Lord_Howe",
            ["2024-10-05 12:00:00", "2024-04-06 12:00:00", "2024-07-01 00:10:00"],
            [23, 24, 24],
            [1410, 1470, 1440],
        ),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for unit in [TimeUnit::Second, TimeUnit::Nano] {
            for (zone, days, hours, minutes) in cases {
                let column = parsed(&DType::Timestamp(unit), &days, &exec);
                let frame = ColumnAccessor::from_columns([("t", column)]).unwrap();
                let t = col("t").dt().tz_localize(zone, LocalTimes::default());
                let next = t.clone().dt().offset_by("1d");
                let found =
                    |period| texts(&t.clone().dt().periods_until(next.clone(), period), &frame, &exec);
                let mut expected =
                    vec![("1d", [1; 3]), ("1h", hours), ("1min", minutes), ("1s", minutes.map(|n| 60 * n))];
                if unit == TimeUnit::Nano {
                    expected.push(("500ms", minutes.map(|n| 120 * n)));
                }
                for (period, expected) in expected {
                    let expected = expected.map(|n| n.to_string());
                    assert_eq!(found(period)[..3], expected, "{period} in {zone} on {device}");
                }
                let back = t.clone().dt().offset_by("-1d").dt().periods_until(t.clone(), "1h");
                let away = t.clone().dt().periods_until(t.clone().dt().offset_by("-1d"), "1h");
                let sum = texts(&(back + away), &frame, &exec);
                assert_eq!(sum[..3], ["0"; 3], "{zone} on {device}");
            }
        }
    }
}

#[test]
fn localized_times_match_pandas_for_every_rule() {
    let texts_of =
        ["2024-03-31 01:59:59", "2024-03-31 02:30:00", "2024-10-27 02:30:00", "2024-07-01 12:00:00"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = parsed(&DType::Timestamp(TimeUnit::Second), &texts_of, &exec);
        let frame = ColumnAccessor::from_columns([("t", column)]).unwrap();
        let localized = |ambiguous, nonexistent| {
            col("t").dt().tz_localize("Europe/Berlin", LocalTimes { ambiguous, nonexistent })
        };
        let shown = |expr: &Expr| texts(expr, &frame, &exec).join(", ");
        assert_eq!(
            shown(&localized(Ambiguous::Earliest, Nonexistent::ShiftForward)),
            "2024-03-31 01:59:59+01:00, 2024-03-31 03:00:00+02:00, 2024-10-27 02:30:00+02:00, \
             2024-07-01 12:00:00+02:00, <NA>",
        );
        assert_eq!(
            shown(&localized(Ambiguous::Latest, Nonexistent::ShiftBackward)),
            "2024-03-31 01:59:59+01:00, 2024-03-31 01:59:59+01:00, 2024-10-27 02:30:00+01:00, \
             2024-07-01 12:00:00+02:00, <NA>",
        );
        assert_eq!(
            shown(&localized(Ambiguous::Null, Nonexistent::Null)),
            "2024-03-31 01:59:59+01:00, <NA>, <NA>, 2024-07-01 12:00:00+02:00, <NA>",
        );
        let error = |expr: &Expr| one(expr, &frame, &exec).unwrap_err();
        let twice = error(&localized(Ambiguous::Raise, Nonexistent::Null)).to_string();
        assert!(twice.contains("row 2: 2024-10-27 02:30:00 is ambiguous in Europe/Berlin"), "{twice}");
        let skipped = error(&localized(Ambiguous::Null, Nonexistent::Raise)).to_string();
        assert!(skipped.contains("row 1: 2024-03-31 02:30:00 does not exist in Europe/Berlin"), "{skipped}");
        let berlin = localized(Ambiguous::Earliest, Nonexistent::ShiftForward);
        assert_eq!(
            shown(&berlin.clone().dt().tz_convert("America/New_York")),
            "2024-03-30 20:59:59-04:00, 2024-03-30 21:00:00-04:00, 2024-10-26 20:30:00-04:00, \
             2024-07-01 06:00:00-04:00, <NA>",
        );
        assert_eq!(
            shown(&berlin.clone().dt().tz_naive()),
            "2024-03-31 01:59:59, 2024-03-31 03:00:00, 2024-10-27 02:30:00, 2024-07-01 12:00:00, <NA>",
        );
        // Within other expressions, and as a condition.
        assert_eq!(shown(&berlin.clone().dt().hour()), "1, 3, 2, 12, <NA>");
        assert_eq!(shown(&(berlin.clone() - berlin).eq(days(0))), "true, true, true, true, <NA>");
        let unknown = error(&col("t").dt().tz_localize("Europe/Atlantis", LocalTimes::default()));
        assert_eq!(unknown.kind(), ErrorKind::Value);
        assert!(unknown.to_string().contains("Europe/Atlantis"), "{unknown}");
    }
}

#[test]
fn errors_of_times_name_the_expression_and_what_is_wrong() {
    let exec = Exec::host();
    let frame = times(&exec);
    let n = Column::from_values([1_i64; 8], &exec).unwrap();
    let frame = ColumnAccessor::from_columns([
        ("t", frame.get("t").unwrap().clone()),
        ("d", frame.get("d").unwrap().clone()),
        ("b", frame.get("b").unwrap().clone()),
        ("n", n),
    ])
    .unwrap();
    for (expr, expected) in [
        (col("n").dt().week(), "expression n.dt().week(): dtype int64 is not supported"),
        (col("d").dt().microsecond(), "expression d.dt().microsecond(): dtype date32 is not supported"),
        (col("t").dt().days(), "dtype timestamp[us] is not supported"),
        (col("t").dt().truncate("5m"), "\"5m\" is invalid at character 1: write min for minutes"),
        (col("t").dt().truncate("1d2mo"), "\"1d2mo\" is invalid at character 2: weeks, months"),
        (col("t").dt().truncate(""), "\"\" is invalid at character 0: there is no number"),
        (col("t").dt().truncate("h"), "at character 0: a number is expected"),
        (col("t").dt().truncate("0s"), "at character 0: a period is above zero"),
        (col("t").dt().truncate("3 d"), "at character 1: a unit is expected"),
        (col("t").dt().ceil("10ns"), "period: it is no multiple of the unit of timestamp[us]"),
        (col("d").dt().round(minutes(30)), "period: it is no multiple of the unit of date32"),
        (col("t").dt().add_months(1.5), "expression t.dt().add_months(1.5): dtype float64"),
        (col("d").dt().add_months(i64::MAX), "a value does not fit date32"),
        (col("t").dt().tz_convert("UTC"), "expression t.dt().tz_convert(\"UTC\"): dtype timestamp[us]"),
        (col("b").dt().tz_convert("Nowhere/City"), "Nowhere/City"),
        (col("b").dt().tz_localize("UTC", LocalTimes::default()), "dtype timestamp[us, Europe/Berlin]"),
        (col("b").dt().periods_until(col("t"), "1d"), "do not go together"),
        (col("d").dt().tz_naive(), "dtype date32 is not supported"),
        ((col("t") - col("t")).dt().floor("1mo"), "durations have no months"),
        ((col("t") - col("t")).dt().round("10ns"), "period: it is no multiple of the unit of duration[us]"),
    ] {
        let error: Error = one(&expr, &frame, &exec).unwrap_err();
        assert!(error.to_string().contains(expected), "{expr}: {error}");
    }
    assert_eq!(Period::from("90min").to_string(), "1h30min");
    assert_eq!(Period::from(days(2)).to_string(), "2d");
    assert_eq!(col("t").dt().truncate("1h30min").to_string(), "t.dt().truncate(\"1h30min\")");
    assert_eq!(col("t").dt().truncate("1mo").label(), "t");
    assert_eq!(col("t").dt().week().label(), "t.dt().week()");
}

#[test]
fn times_in_formats_are_written_and_read_back() {
    for device in Device::available() {
        check_formats(&Exec::new(device).unwrap());
    }
}

fn check_formats(exec: &Exec) {
    let frame = times(exec);
    let pattern = "%Y-%m-%d %H:%M:%S.%f";
    let mut expected: Vec<String> = TIMES.iter().map(ToString::to_string).collect();
    expected.push("<NA>".to_owned());
    let text = col("t").dt().strftime(pattern);
    assert_eq!(texts(&text, &frame, exec), expected);
    let read = text.clone().str().to_datetime(DType::Timestamp(TimeUnit::Micro), pattern);
    assert_eq!(texts(&read, &frame, exec), expected);
    assert_eq!(texts(&read.eq(col("t")), &frame, exec)[6..], ["true", "<NA>"]);
    // In a time zone with the offset, and back as the same instants.
    let zoned = col("b").dt().strftime("%F %R %z");
    assert_eq!(texts(&zoned, &frame, exec)[5..7], ["2023-10-29 03:30 +0100", "2024-03-31 03:15 +0200"]);
    let berlin = DType::TimestampTz(TimeUnit::Second, TimeZone::new("Europe/Berlin").unwrap());
    let read = zoned.str().to_datetime(berlin, "%F %R %z");
    assert_eq!(
        texts(&read, &frame, exec)[5..],
        ["2023-10-29 03:30:00+01:00", "2024-03-31 03:15:00+02:00", "<NA>"]
    );
    // Names of the zone, seconds of the instant, and nothing of times without a zone.
    let named = col("b").dt().strftime("%Z|%R %Z %z %s|");
    assert_eq!(
        texts(&named, &frame, exec)[5..],
        ["CET|03:30 CET +0100 1698546600|", "CEST|03:15 CEST +0200 1711847700|", "<NA>"]
    );
    assert_eq!(texts(&col("t").dt().strftime("%R%Z%z %s"), &frame, exec)[5], "02:30 1698546600");
    assert_eq!(texts(&col("d").dt().strftime("%Z%x"), &frame, exec)[5..], ["10/29/23", "03/31/24", "<NA>"]);
    // Days by their weeks.
    let weeks = col("d").dt().strftime("%G-W%V-%u");
    assert_eq!(texts(&weeks, &frame, exec)[4], "2025-W01-1");
    let read = weeks.str().to_datetime(DType::Date32, "%G-W%V-%u");
    assert_eq!(texts(&read.eq(col("d")), &frame, exec)[..7], ["true"; 7]);
    // Of a dictionary, and as a condition of strings.
    let days = col("t").dt().day_name().str().to_datetime_with(DType::Date32, "%Y", Unmatched::Null);
    assert!(texts(&days, &frame, exec).iter().all(|text| text == "<NA>"));
    assert_eq!(texts(&col("t").dt().strftime("%A").str().starts_with("Sun"), &frame, exec)[5], "true");
    let unmatched = text.clone().str().to_datetime(DType::Date32, "%Y-%m-%d %H:%M:%S.0");
    let error = one(&unmatched, &frame, exec).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Value);
    let expected = "\"2024-02-29 13:45:10.123456\" does not match the format \"%Y-%m-%d %H:%M:%S.0\" from character 19 on";
    assert!(error.to_string().contains(expected), "{error}");
    let nanos = DType::Timestamp(TimeUnit::Nano);
    let far = lit("3000-01-01").str().to_datetime(nanos.clone(), "%Y-%m-%d");
    let error = one(&far, &frame, exec).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Overflow);
    assert!(error.to_string().contains("row 0: 3000-01-01 does not fit timestamp[ns]"), "{error}");
    let wrong = lit("3000-01-41").str().to_datetime(nanos, "%Y-%m-%d");
    assert_eq!(one(&wrong, &frame, exec).unwrap_err().kind(), ErrorKind::Value);
    for (wrong, expected) in [
        (col("t").dt().strftime("%Q"), "pattern \"%Q\" is invalid at character 0: an unknown directive"),
        (text.clone().str().to_datetime(DType::Int64, "%Y"), "dtype: int64 does not go with"),
        (text.clone().str().to_datetime(DType::Date32, "%Y %z"), "dtype: date32 does not go with"),
        (text.clone().str().to_datetime(DType::Date32, "%m"), "format: it has no year"),
        (text.str().to_datetime(DType::Date32, "%Y %Z"), "format: %C, %g, %s and %Z are not read"),
        (col("t").str().to_datetime(DType::Date32, "%Y"), "dtype timestamp[us] is not supported"),
    ] {
        let error = one(&wrong, &frame, exec).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
