//! Scalars as text and as values.

use super::Scalar;
use crate::calendar::{Date, date_of, days_to};
use crate::{DType, Error, TimeUnit, TimeZone};
use columnade_kernels::Value;

fn decimal(value: i128, precision: u8, scale: i8) -> Scalar {
    Scalar::Decimal { value, precision, scale }
}

#[test]
fn scalars_round_trip_through_text() {
    let cents = DType::decimal(15, 2).unwrap();
    for (dtype, text, scalar) in [
        (DType::Bool, "true", Scalar::Bool(true)),
        (DType::Int8, "-128", Scalar::Int8(-128)),
        (DType::UInt64, "18446744073709551615", Scalar::UInt64(u64::MAX)),
        (DType::Float64, "0.1", Scalar::Float64(0.1)),
        (DType::Float64, "1.0", Scalar::Float64(1.0)),
        (DType::Utf8, "中", Scalar::from("中")),
        (DType::Date32, "1970-01-01", Scalar::Date32(0)),
        (DType::Date32, "1969-12-31", Scalar::Date32(-1)),
        (DType::Date32, "2000-02-29", Scalar::Date32(11_016)),
        (
            DType::Timestamp(TimeUnit::Second),
            "1970-01-02 00:00:01",
            Scalar::Timestamp(86_401, TimeUnit::Second),
        ),
        (
            DType::Timestamp(TimeUnit::Milli),
            "1969-12-31 23:59:59.999",
            Scalar::Timestamp(-1, TimeUnit::Milli),
        ),
        (
            DType::Timestamp(TimeUnit::Nano),
            "1970-01-01 00:00:00.000000001",
            Scalar::Timestamp(1, TimeUnit::Nano),
        ),
        (DType::Time(TimeUnit::Second), "23:59:59", Scalar::Time(86_399, TimeUnit::Second)),
        (DType::Time(TimeUnit::Milli), "12:34:56.789", Scalar::Time(45_296_789, TimeUnit::Milli)),
        (DType::Time(TimeUnit::Micro), "00:00:00.000000", Scalar::Time(0, TimeUnit::Micro)),
        (DType::Time(TimeUnit::Nano), "00:00:00.000000001", Scalar::Time(1, TimeUnit::Nano)),
        (cents.clone(), "0.05", decimal(5, 15, 2)),
        (cents.clone(), "-0.05", decimal(-5, 15, 2)),
        (cents.clone(), "-1234.56", decimal(-123_456, 15, 2)),
        (DType::decimal(3, -2).unwrap(), "12300", decimal(123, 3, -2)),
        (DType::decimal(3, -2).unwrap(), "0", decimal(0, 3, -2)),
        (
            DType::decimal(38, 38).unwrap(),
            "0.12345678901234567890123456789012345678",
            decimal(12_345_678_901_234_567_890_123_456_789_012_345_678, 38, 38),
        ),
    ] {
        assert_eq!(Scalar::parse(&dtype, text), Ok(scalar.clone()), "{dtype} {text}");
        assert_eq!(scalar.to_string(), text);
        assert_eq!(scalar.dtype(), dtype);
        if let Some(value) = scalar.to_value() {
            assert_eq!(Some(value.storage()), dtype.storage(), "{dtype}");
            assert_eq!(Scalar::from_value(&dtype, value), Ok(scalar));
        }
    }
    assert_eq!(Scalar::Null(DType::Int8).to_string(), "<NA>");
    assert_eq!(format!("[{:>6}]", Scalar::Int8(5)), "[     5]");
}

#[test]
fn invalid_scalars_are_refused() {
    let cents = DType::decimal(4, 2).unwrap();
    for (dtype, text) in [
        (DType::Bool, "yes"),
        (DType::Int8, "128"),
        (DType::UInt8, "-1"),
        (DType::Date32, "1999-02-29"),
        (DType::Date32, "1999-2-2"),
        (DType::Date32, "1999-02"),
        (DType::Date32, "é999-02-01"),
        (DType::Date32, "001-02-01"),
        (DType::Date32, "-01-02-01"),
        (DType::Date32, "+199-02-01"),
        (DType::Date32, "1999-+2-01"),
        (DType::Timestamp(TimeUnit::Second), "1999-02-01 25:00:00"),
        (DType::Timestamp(TimeUnit::Milli), "1999-02-01 00:00:00.0001"),
        (DType::Time(TimeUnit::Second), "24:00:00"),
        (DType::Time(TimeUnit::Second), "-00:00:01"),
        (DType::Time(TimeUnit::Milli), "12:34:56.7891"),
        (DType::Time(TimeUnit::Nano), "1 days 00:00:00"),
        (cents.clone(), "0.001"),
        (cents.clone(), ""),
        (cents.clone(), "."),
        (cents.clone(), "-"),
        (cents.clone(), "1e3"),
    ] {
        let parse = Error::Parse { text: text.to_owned(), dtype: dtype.clone() };
        assert_eq!(Scalar::parse(&dtype, text), Err(parse));
    }
    assert_eq!(
        Scalar::parse(&DType::Time(TimeUnit::Second), "12:34"),
        Ok(Scalar::Time(45_240, TimeUnit::Second))
    );
    let overflow = Error::Overflow { dtype: cents.clone() };
    assert_eq!(Scalar::parse(&cents, "100.00"), Err(overflow));
    assert_eq!(Scalar::parse(&cents, "99.9900"), Ok(decimal(9999, 4, 2)));
}

#[test]
fn decimal_scalars_have_minimal_precision() {
    assert_eq!(Scalar::decimal(5, 2), Ok(decimal(5, 2, 2)));
    assert_eq!(Scalar::decimal(100, 2), Ok(decimal(100, 3, 2)));
    assert_eq!(Scalar::decimal(0, 0), Ok(decimal(0, 1, 0)));
    assert_eq!(Scalar::decimal(-7, -2), Ok(decimal(-7, 1, -2)));
    assert!(Scalar::decimal(i128::MAX, 0).is_err());
    assert_eq!(decimal(5, 18, 2).to_value(), Some(Value::I64(5)));
    assert_eq!(decimal(5, 19, 2).to_value(), Some(Value::I128(5)));
}

#[test]
fn every_day_of_eight_centuries_round_trips() {
    let first = days_to(Date { year: 1600, month: 1, day: 1 }).unwrap();
    let last = days_to(Date { year: 2400, month: 1, day: 1 }).unwrap();
    assert_eq!(last - first, 2 * 146_097);
    let mut previous = date_of(first - 1);
    for days in first..last {
        let date = date_of(days);
        assert_eq!(days_to(date), Some(days));
        assert!(date > previous, "{date:?} follows {previous:?}");
        previous = date;
    }
}

#[test]
fn temporal_scalars_round_trip_through_text() {
    let berlin = TimeZone::new("Europe/Berlin").unwrap();
    let offset = TimeZone::new("-03:30").unwrap();
    for (scalar, text) in [
        (Scalar::date(-1, 3, 1).unwrap(), "-001-03-01"),
        (Scalar::date(-12_345, 3, 1).unwrap(), "-12345-03-01"),
        (Scalar::date(12, 3, 1).unwrap(), "0012-03-01"),
        (Scalar::Duration(0, TimeUnit::Second), "00:00:00"),
        (Scalar::Duration(-90_061_250, TimeUnit::Milli), "-1 days 01:01:01.250"),
        (Scalar::Duration(i64::MIN, TimeUnit::Nano), "-106751 days 23:47:16.854775808"),
        (Scalar::Duration(86_399, TimeUnit::Second), "23:59:59"),
        (Scalar::TimestampTz(0, TimeUnit::Second, TimeZone::utc()), "1970-01-01 00:00:00Z"),
        (Scalar::TimestampTz(-1, TimeUnit::Milli, offset), "1969-12-31 20:29:59.999-03:30"),
        (
            Scalar::TimestampTz(0, TimeUnit::Second, TimeZone::new("+0545").unwrap()),
            "1970-01-01 05:45:00+05:45",
        ),
        (
            Scalar::TimestampTz(0, TimeUnit::Second, TimeZone::new("-08").unwrap()),
            "1969-12-31 16:00:00-08:00",
        ),
    ] {
        assert_eq!(scalar.to_string(), text);
        assert_eq!(Scalar::parse(&scalar.dtype(), text), Ok(scalar));
    }
    let noon = Scalar::TimestampTz(43_200, TimeUnit::Second, berlin.clone());
    assert_eq!(noon.to_string(), "1970-01-01 13:00:00+01:00");
    let nowhere = TimeZone::new("Europe/Atlantis").unwrap();
    let unknown = Scalar::TimestampTz(43_200, TimeUnit::Second, nowhere);
    assert_eq!(unknown.to_string(), "1970-01-01 12:00:00Z[Europe/Atlantis]");
    for (second, text) in [
        // Both 2:30 of the night in which summer time ends, the sun's time of 1890.
        (1_761_438_600, "2025-10-26 02:30:00+02:00"),
        (1_761_442_200, "2025-10-26 02:30:00+01:00"),
        (-2_524_521_600, "1890-01-01 00:53:28+00:53:28"),
    ] {
        let scalar = Scalar::TimestampTz(second, TimeUnit::Second, berlin.clone());
        assert_eq!(scalar.to_string(), text);
        assert_eq!(Scalar::parse(&scalar.dtype(), text), Ok(scalar));
    }
    let london =
        Scalar::TimestampTz(1_735_689_600, TimeUnit::Second, TimeZone::new("Europe/London").unwrap());
    assert_eq!(london.to_string(), "2025-01-01 00:00:00+00:00");
    assert_eq!(Scalar::parse(&noon.dtype(), "1970-01-01 14:00:00+02:00"), Ok(noon.clone()));
    for text in
        ["12", "1 days", "24:00:00", "1:00:00", "--01:00:00", "01:00:00.5", "106751991167301 days 00:00:00"]
    {
        assert!(Scalar::parse(&DType::Duration(TimeUnit::Second), text).is_err(), "{text}");
    }
    for text in ["1970-01-01 14:00:00", "1970-01-01 14:00:00+2:00", "é", "Z"] {
        assert!(Scalar::parse(&noon.dtype(), text).is_err(), "{text}");
    }
    for name in [
        "",
        "Europe Berlin",
        "é",
        "a]",
        "+",
        "+5",
        "+99:99",
        "+24:00",
        "-24",
        "+02:60",
        "+2:00",
        "+02:0",
        "+02:000",
        "+002:00",
        "+-1:00",
        "++1:00",
        "+0:100",
        "+:0200",
        "+02000",
        "--02:00",
        "+Berlin",
    ] {
        let error = TimeZone::new(name).unwrap_err();
        assert!(error.to_string().contains(&format!("{name:?} is no ")), "{error}");
    }
    for (name, offset) in [
        ("+00:00", Some(0)),
        ("-23:59", Some(-86_340)),
        ("+05:30", Some(19_800)),
        ("+0530", Some(19_800)),
        ("-08", Some(-28_800)),
        ("UTC", Some(0)),
        ("Etc/GMT+5", None),
        ("Europe/Berlin", None),
    ] {
        assert_eq!(TimeZone::new(name).unwrap().fixed_offset(), offset, "{name}");
    }
}
