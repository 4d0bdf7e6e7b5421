//! Timestamps with a time zone, row by row against a library of time zones.

use super::{DatetimeExpr, Expr, col, days, evaluate, hours, lit, when};
use crate::cast::{CastMode, cast};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Scalar, TimeUnit, TimeZone};
use columnade_tests::{Nulls, Rng};
use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};

const ZONES: [&str; 9] = [
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Pacific/Apia",
    "+02:00",
    "UTC",
];

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// A part of a time: the expression, and the library's.
type Part = (fn(DatetimeExpr) -> Expr, fn(DateTime) -> i16);

/// The zone as the library has it.
fn library(name: &str) -> jiff::tz::TimeZone {
    match name {
        "+02:00" => jiff::tz::TimeZone::fixed(jiff::tz::offset(2)),
        name => jiff::tz::TimeZone::get(name).unwrap(),
    }
}

/// Instants from 1900 to 2100 in a unit: around every third transition, and anywhere.
fn instants(zone: &jiff::tz::TimeZone, unit: TimeUnit, rng: &mut Rng) -> Vec<i64> {
    let (first, last) = (-2_208_988_800_i64, 4_102_444_800_i64);
    let mut instants = Vec::new();
    let transitions = zone.following(Timestamp::from_second(first).unwrap());
    let seconds = transitions.map(|transition| transition.timestamp().as_second());
    let per_second = unit.per_second();
    for second in seconds.take_while(|second| *second < last).step_by(3) {
        instants.extend([-1, 0, 1].map(|near| second * per_second + near));
    }
    for _ in 0..150 {
        let second = first + i64::try_from(rng.below(last.abs_diff(first))).unwrap();
        instants.push(second * per_second + i64::try_from(rng.below(per_second.unsigned_abs())).unwrap());
    }
    instants
}

/// What a clock in the zone shows.
fn clock(instant: i64, unit: TimeUnit, zone: &jiff::tz::TimeZone) -> DateTime {
    let nanos = i128::from(instant) * 1_000_000_000 / i128::from(unit.per_second());
    zone.to_datetime(Timestamp::from_nanosecond(nanos).unwrap())
}

/// The units since 1970-01-01 00:00 of a clock's time.
fn units(time: DateTime, unit: TimeUnit) -> i64 {
    let since: SignedDuration = time.duration_since(EPOCH);
    let nanos = since.as_nanos();
    i64::try_from(nanos.div_euclid(1_000_000_000 / i128::from(unit.per_second()))).unwrap()
}

#[test]
fn parts_and_casts_of_zoned_timestamps_are_those_of_local_time() {
    let parts: [Part; 9] = [
        (DatetimeExpr::year, |t| t.year()),
        (DatetimeExpr::quarter, |t| i16::from((t.month() - 1) / 3 + 1)),
        (DatetimeExpr::month, |t| t.month().into()),
        (DatetimeExpr::day, |t| t.day().into()),
        (DatetimeExpr::day_of_year, DateTime::day_of_year),
        (DatetimeExpr::weekday, |t| t.weekday().to_monday_zero_offset().into()),
        (DatetimeExpr::hour, |t| t.hour().into()),
        (DatetimeExpr::minute, |t| t.minute().into()),
        (DatetimeExpr::second, |t| t.second().into()),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(77);
        for (k, name) in ZONES.into_iter().enumerate() {
            let zone = TimeZone::new(name).unwrap();
            let library = library(name);
            for unit in TimeUnit::ALL {
                let dtype = DType::TimestampTz(unit, zone.clone());
                let instants = instants(&library, unit, &mut rng);
                let valid = Nulls::ALL[k % 4].mask(instants.len(), &mut rng);
                let is_valid = |row: usize| valid.as_ref().is_none_or(|valid| valid[row]);
                let scalars: Vec<Scalar> = instants
                    .iter()
                    .enumerate()
                    .map(|(row, &instant)| {
                        let value = Scalar::TimestampTz(instant, unit, zone.clone());
                        if is_valid(row) { value } else { Scalar::Null(dtype.clone()) }
                    })
                    .collect();
                let start = 3 + k;
                let column = Column::from_scalars(&dtype, &scalars, &exec).unwrap();
                let column = column.slice(start, instants.len() - start).unwrap();
                let expected = |scalar: &dyn Fn(DateTime) -> Scalar| -> Vec<Scalar> {
                    let row = |row: usize| {
                        let value = scalar(clock(instants[row], unit, &library));
                        if is_valid(row) { value } else { Scalar::Null(value.dtype()) }
                    };
                    (start..instants.len()).map(row).collect()
                };
                let frame = ColumnAccessor::from_columns([("t", column.clone())]).unwrap();
                let what = format!("{name} {unit} on {device}");
                let exprs: Vec<Expr> = parts.iter().map(|(part, _)| part(col("t").dt())).collect();
                let found = evaluate(&exprs, &frame, &exec).unwrap();
                for ((_, of_library), (label, found)) in parts.iter().zip(found) {
                    let expected = expected(&|time| Scalar::Int32(of_library(time).into()));
                    assert_eq!(found.to_scalars().unwrap(), expected, "{label} of {what}");
                }
                for target in TimeUnit::ALL.map(DType::Timestamp).into_iter().chain([DType::Date32]) {
                    let expected = expected(&|time| match target.unit() {
                        Some(unit) => Scalar::Timestamp(units(time, unit), unit),
                        None => Scalar::Date32(
                            i32::try_from(units(time, TimeUnit::Second).div_euclid(86_400)).unwrap(),
                        ),
                    });
                    let asked = col("t").cast(target.clone());
                    let (_, found) = evaluate(&[asked], &frame, &exec).unwrap().swap_remove(0);
                    assert_eq!(found.to_scalars().unwrap(), expected, "{what} as {target}");
                    let found = cast(&column, &target, CastMode::Checked, &exec).unwrap();
                    assert_eq!(found.to_scalars().unwrap(), expected, "{what} as {target}, cast");
                }
            }
        }
    }
}

#[test]
fn arithmetic_on_zoned_timestamps_is_on_instants() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let zone = TimeZone::new("Europe/Berlin").unwrap();
        // The evening before summer time ends.
        let dtype = DType::TimestampTz(TimeUnit::Second, zone);
        let evening = Scalar::parse(&dtype, "2025-10-25 20:00:00+02:00").unwrap();
        let column = Column::from_scalars(&dtype, &[evening], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("t", column)]).unwrap();
        for (expr, expected) in [
            (col("t") + days(1), "2025-10-26 19:00:00+01:00"),
            ((col("t") + days(1)).dt().hour(), "19"),
            (col("t").cast(DType::Date32) + days(1), "2025-10-26"),
            (col("t") + hours(6) - col("t"), "06:00:00"),
            (col("t").eq("2025-10-25 18:00:00Z"), "true"),
        ] {
            let (_, found) = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap().swap_remove(0);
            assert_eq!(found.get(0).unwrap().to_string(), expected, "{expr} on {device}");
        }
    }
}

#[test]
fn parts_at_ends_of_range_exist_and_local_times_beyond_it_overflow() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let dtype = DType::TimestampTz(TimeUnit::Nano, TimeZone::new("+02:00").unwrap());
        let last = Scalar::from_value(&dtype, columnade_kernels::Value::I64(i64::MAX)).unwrap();
        let column = Column::from_scalars(&dtype, &[last], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("t", column.clone())]).unwrap();
        // 2262-04-11 23:47:16 UTC.
        let (_, hour) = evaluate(&[col("t").dt().hour()], &frame, &exec).unwrap().swap_remove(0);
        assert_eq!(hour.get(0).unwrap(), Scalar::Int32(1), "{device}");
        let micro = DType::Timestamp(TimeUnit::Micro);
        let (_, coarse) = evaluate(&[col("t").cast(micro)], &frame, &exec).unwrap().swap_remove(0);
        assert_eq!(coarse.get(0).unwrap().to_string(), "2262-04-12 01:47:16.854775", "{device}");
        let nano = DType::Timestamp(TimeUnit::Nano);
        let error = evaluate(&[col("t").cast(nano.clone())], &frame, &exec).unwrap_err();
        let value = "2262-04-11 23:47:16.854775807Z[+02:00]".to_owned();
        let refused = Error::ValueOverflow { row: 0, value, dtype: nano.clone() };
        assert_eq!(error, refused.clone().in_expression(col("t").cast(nano.clone())), "{device}");
        let error = cast(&column, &nano, CastMode::Checked, &exec).unwrap_err();
        assert_eq!(error, refused, "{device}");
    }
}

/// Times of two zones and two units are instants: as seconds since 1970 they compare and subtract.
#[test]
fn times_of_different_zones_are_instants() {
    let [rome, tokyo] = ["Europe/Rome", "Asia/Tokyo"].map(|name| TimeZone::new(name).unwrap());
    let seconds = [0, -1, 1_700_000_000, 1_711_846_800];
    let others = [Some(0), Some(3), None, Some(1_711_846_799)];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let a = seconds.map(|at| Scalar::TimestampTz(at, TimeUnit::Second, rome.clone()));
        let micro = DType::TimestampTz(TimeUnit::Micro, tokyo.clone());
        let b = others.map(|at| match at {
            Some(at) => Scalar::TimestampTz(at * 1_000_000, TimeUnit::Micro, tokyo.clone()),
            None => Scalar::Null(micro.clone()),
        });
        let frame = ColumnAccessor::from_columns([
            (
                "a",
                Column::from_scalars(&DType::TimestampTz(TimeUnit::Second, rome.clone()), &a, &exec).unwrap(),
            ),
            ("b", Column::from_scalars(&micro, &b, &exec).unwrap()),
        ])
        .unwrap();
        let run = |expr: Expr| {
            let (_, found) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
            found.to_scalars().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let shown = |of: fn(i64, i64) -> String| {
            let pairs = seconds.iter().zip(&others);
            pairs.map(|(a, b)| b.map_or_else(|| "<NA>".into(), |b| of(*a, b))).collect::<Vec<_>>()
        };
        assert_eq!(run(col("a").gt(col("b"))), shown(|a, b| (a > b).to_string()), "{device}");
        assert_eq!(run(col("b").eq(col("a"))), shown(|a, b| (a == b).to_string()), "{device}");
        let micros = (col("a") - col("b")).cast(DType::Int64);
        assert_eq!(run(micros), shown(|a, b| ((a - b) * 1_000_000).to_string()), "{device}");
        // A constant has the zone of the column.
        let constant = || lit(Scalar::TimestampTz(0, TimeUnit::Micro, tokyo.clone()));
        assert_eq!(run(col("a").le(constant())), ["true", "true", "false", "false"], "{device}");
        assert_eq!(
            run(when(col("a").gt(constant())).then(col("a")).otherwise(constant()))[1],
            "1970-01-01 01:00:00.000000+01:00"
        );
        let error =
            evaluate(&[when(col("a").eq(constant())).then(col("a")).otherwise(col("b"))], &frame, &exec);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Type, "one column has one zone");
    }
}

#[test]
fn parts_in_unknown_zone_are_an_error() {
    let exec = Exec::host();
    let dtype = DType::TimestampTz(TimeUnit::Second, TimeZone::new("Europe/Atlantis").unwrap());
    let column = Column::full_null(&dtype, 1, &exec).unwrap();
    let frame = ColumnAccessor::from_columns([("t", column)]).unwrap();
    for expr in
        [col("t").dt().hour(), col("t").cast(DType::Date32), col("t").cast(DType::Timestamp(TimeUnit::Nano))]
    {
        let error = evaluate(&[expr], &frame, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Value, "{error}");
        assert!(error.to_string().contains("Europe/Atlantis"), "{error}");
    }
}
