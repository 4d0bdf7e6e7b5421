//! Ranges of dates and timestamps against pandas.

use super::{date_range, date_range_periods, date_range_periods_with, date_range_with};
use crate::series::Series;
use columnade_columns::{DType, ErrorKind, TimeUnit, TimeZone};
use columnade_ops::expression::{Ambiguous, LocalTimes, Nonexistent};

fn days(start: &str, end: &str, frequency: &str) -> Vec<String> {
    let range = date_range(&DType::Date32, start, end, frequency).unwrap();
    range.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn ranges_of_every_frequency_match_pandas() {
    // pandas 3: date_range(start, end, freq=…).
    for (start, end, frequency, expected) in [
        ("2024-02-27", "2024-03-02", "D", "2024-02-27 2024-02-28 2024-02-29 2024-03-01 2024-03-02"),
        ("2024-02-27", "2024-03-06", "3D", "2024-02-27 2024-03-01 2024-03-04"),
        ("2024-02-29", "2024-03-05", "B", "2024-02-29 2024-03-01 2024-03-04 2024-03-05"),
        ("2024-03-02", "2024-03-08", "2B", "2024-03-04 2024-03-06 2024-03-08"),
        ("2024-02-29", "2024-03-17", "W", "2024-03-03 2024-03-10 2024-03-17"),
        ("2024-02-29", "2024-03-29", "2W-FRI", "2024-03-01 2024-03-15 2024-03-29"),
        ("2024-01-15", "2024-04-30", "MS", "2024-02-01 2024-03-01 2024-04-01"),
        ("2024-01-31", "2024-05-31", "2ME", "2024-01-31 2024-03-31 2024-05-31"),
        ("2023-11-20", "2024-08-01", "QS", "2024-01-01 2024-04-01 2024-07-01"),
        ("2023-11-20", "2024-08-01", "QE", "2023-12-31 2024-03-31 2024-06-30"),
        ("2023-11-20", "2024-08-01", "QE-JAN", "2024-01-31 2024-04-30 2024-07-31"),
        ("2023-11-20", "2026-08-01", "YS", "2024-01-01 2025-01-01 2026-01-01"),
        ("2023-11-20", "2026-08-01", "YE-FEB", "2024-02-29 2025-02-28 2026-02-28"),
        ("2024-03-02", "2024-03-01", "D", ""),
        ("2024-01-10", "2024-03-20", "SME", "2024-01-15 2024-01-31 2024-02-15 2024-02-29 2024-03-15"),
        ("2024-01-10", "2024-03-20", "SMS-10", "2024-01-10 2024-02-01 2024-02-10 2024-03-01 2024-03-10"),
        ("2024-03-01", "2024-06-30", "BME", "2024-03-29 2024-04-30 2024-05-31 2024-06-28"),
        ("2024-05-31", "2024-10-30", "2BMS", "2024-06-03 2024-08-01 2024-10-01"),
        ("2024-01-10", "2024-12-31", "BQE", "2024-03-29 2024-06-28 2024-09-30 2024-12-31"),
        ("2024-01-10", "2025-12-31", "BYS-JUN", "2024-06-03 2025-06-02"),
        ("2024-01-10", "2025-12-31", "BYE", "2024-12-31 2025-12-31"),
    ] {
        assert_eq!(days(start, end, frequency).join(" "), expected, "{frequency}");
    }
    let times = date_range(
        &DType::Timestamp(TimeUnit::Milli),
        "2024-01-30 12:00:00.500",
        "2024-03-31 12:00:00.000",
        "ME",
    );
    let times = times.unwrap().to_scalars().unwrap();
    let times: Vec<String> = times.iter().map(ToString::to_string).collect();
    assert_eq!(times, ["2024-01-31 12:00:00.500", "2024-02-29 12:00:00.500"]);
    let unit = DType::Timestamp(TimeUnit::Second);
    let times = date_range_periods(&unit, "2024-01-01 00:00:00", 3, "1h30min").unwrap();
    assert_eq!(times.get(2).unwrap().to_string(), "2024-01-01 03:00:00");
    assert!(date_range_periods(&unit, "2024-01-01 00:00:00", 0, "s").unwrap().is_empty());
    for (frequency, second) in
        [("1.5h", "01:30:00"), ("0.5D", "12:00:00"), ("1D12h", "12:00:00"), ("0.25min", "00:00:15")]
    {
        let times = date_range_periods(&unit, "2024-01-01 00:00:00", 2, frequency).unwrap();
        assert!(times.get(1).unwrap().to_string().ends_with(second), "{frequency}");
    }
}

#[test]
fn wrong_frequencies_are_refused_at_a_position() {
    let error =
        |frequency: &str| date_range(&DType::Date32, "2024-01-01", "2024-01-02", frequency).unwrap_err();
    for (frequency, expected) in [
        ("M", "\"M\" is invalid at character 0: write ME for ends of months"),
        ("2d", "write D"),
        ("w", "write W"),
        ("b", "write B"),
        ("BH", "write bh, which is not implemented"),
        ("2H", "\"2H\" is invalid at character 1: write h"),
        ("W-XYZ", "at character 0: an unknown day or month"),
        ("1D2MS", "at character 3: frequencies of the calendar stand alone"),
        ("x", "at character 0: a frequency is expected"),
        ("", "at character 0: a frequency is expected"),
        ("0D", "at character 0: a number from 1"),
        ("BM", "at character 0: write BME"),
        ("WOM-5TUE", "at character 0: a week and a day"),
        ("SMS-1", "at character 0: a day of the month, up to 27"),
        ("SME-28", "at character 0: a day of the month, up to 27"),
        ("BB", "at character 0: a frequency is expected"),
        ("1.5ME", "at character 3: frequencies of the calendar come a whole number of times"),
        ("0.3ns", "at character 0: the number is no multiple of a nanosecond"),
        ("1.2.3h", "at character 0: the number has too many digits"),
        ("12h", "frequency: 12h is no multiple of the unit of date32"),
    ] {
        let error = error(frequency);
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert_eq!(error("cbh").kind(), ErrorKind::NotImplemented);
    assert_eq!(error("bh").kind(), ErrorKind::NotImplemented);
    assert!(error("C").to_string().contains("the frequency C"));
    let far = date_range_periods(&DType::Date32, "5881580-07-11", 2, "D").unwrap_err();
    assert_eq!(far.kind(), ErrorKind::Overflow);
    // Times that do not fit the dtype, and more than there is memory for: at once.
    let micros = DType::Timestamp(TimeUnit::Micro);
    let many = date_range_periods(&micros, "2024-01-01 00:00:00", 10_usize.pow(13), "24h").unwrap_err();
    assert_eq!(many.kind(), ErrorKind::Overflow);
    for many in [
        date_range_periods(&micros, "2024-01-01 00:00:00", 10_usize.pow(15), "us").unwrap_err(),
        date_range(&DType::Timestamp(TimeUnit::Nano), "1700-01-01 00:00:00", "2200-01-01 00:00:00", "ns")
            .unwrap_err(),
    ] {
        assert_eq!(many.kind(), ErrorKind::Memory, "{many}");
    }
    let zoned = date_range(&DType::Int64, "1", "2", "D").unwrap_err();
    assert!(zoned.to_string().contains("date_range"), "{zoned}");
}

fn zoned(zone: &str) -> DType {
    DType::TimestampTz(TimeUnit::Second, TimeZone::new(zone).unwrap())
}

/// The instants as times of UTC, up to the minute.
fn instants(range: &Series) -> String {
    let utc = range.dt().tz_convert("UTC").unwrap().dt().tz_naive().unwrap();
    let texts = utc.to_scalars().unwrap();
    let texts: Vec<String> = texts.iter().map(|time| time.to_string().replace(' ', "T")).collect();
    texts.iter().map(|text| text.strip_suffix(":00").unwrap_or(text)).collect::<Vec<_>>().join(" ")
}

#[test]
fn ranges_in_a_zone_match_pandas() {
    // pandas 3: date_range(start, end, freq=…, tz=…).tz_convert("UTC").
    let (berlin, york) = (zoned("Europe/Berlin"), zoned("America/New_York"));
    for (dtype, start, end, frequency, expected) in [
        (
            &berlin,
            "2024-03-30 12:00:00",
            "2024-04-01 12:00:00",
            "D",
            "2024-03-30T11:00 2024-03-31T10:00 2024-04-01T10:00",
        ),
        (&berlin, "2024-03-30 12:00:00", "2024-04-01 12:00:00", "24h", "2024-03-30T11:00 2024-03-31T11:00"),
        (&berlin, "2024-03-30 00:00:00", "2024-04-02 00:00:00", "2D", "2024-03-29T23:00 2024-03-31T22:00"),
        (
            &berlin,
            "2024-10-26 00:00:00",
            "2024-10-28 00:00:00",
            "12h",
            "2024-10-25T22:00 2024-10-26T10:00 2024-10-26T22:00 2024-10-27T10:00 2024-10-27T22:00",
        ),
        (
            &york,
            "2024-01-31 00:00:00",
            "2024-04-30 00:00:00",
            "ME",
            "2024-01-31T05:00 2024-02-29T05:00 2024-03-31T04:00 2024-04-30T04:00",
        ),
        (
            &york,
            "2024-03-15 00:00:00",
            "2024-04-15 00:00:00",
            "2W-SUN",
            "2024-03-17T04:00 2024-03-31T04:00 2024-04-14T04:00",
        ),
        (&york, "2024-03-15 00:00:00", "2024-03-14 00:00:00", "D", ""),
    ] {
        let range = date_range(dtype, start, end, frequency).unwrap();
        assert_eq!(
            (range.dtype(), instants(&range).as_str()),
            (dtype.clone(), expected),
            "{start} {frequency}"
        );
    }
    for (start, periods, frequency, expected) in [
        (
            "2024-03-31 00:00:00",
            5,
            "h",
            "2024-03-30T23:00 2024-03-31T00:00 2024-03-31T01:00 2024-03-31T02:00 2024-03-31T03:00",
        ),
        (
            "2024-10-27 00:30:00",
            5,
            "h",
            "2024-10-26T22:30 2024-10-26T23:30 2024-10-27T00:30 2024-10-27T01:30 2024-10-27T02:30",
        ),
        ("2024-10-25 02:15:00", 3, "B", "2024-10-25T00:15 2024-10-28T01:15 2024-10-29T01:15"),
        ("2024-10-25 02:15:00", 0, "D", ""),
    ] {
        let range = date_range_periods(&berlin, start, periods, frequency).unwrap();
        assert_eq!(instants(&range), expected, "{start} {frequency}");
    }
}

#[test]
fn local_times_of_a_range_that_clocks_skip_or_repeat_follow_the_rules() {
    let berlin = zoned("Europe/Berlin");
    let (skipped, repeated) = ("2024-03-30 02:30:00", "2024-10-26 02:30:00");
    for (ambiguous, nonexistent, spring, autumn) in [
        (Ambiguous::Earliest, Nonexistent::ShiftForward, "2024-03-31T01:00", "2024-10-27T00:30"),
        (Ambiguous::Latest, Nonexistent::ShiftBackward, "2024-03-31T00:59:59", "2024-10-27T01:30"),
        (Ambiguous::Null, Nonexistent::Null, "<NA>", "<NA>"),
    ] {
        let rules = LocalTimes { ambiguous, nonexistent };
        let range = date_range_with(&berlin, skipped, "2024-04-01 02:30:00", "D", rules).unwrap();
        assert_eq!(instants(&range), format!("2024-03-30T01:30 {spring} 2024-04-01T00:30"));
        let range = date_range_periods_with(&berlin, repeated, 3, "D", rules).unwrap();
        assert_eq!(instants(&range), format!("2024-10-26T00:30 {autumn} 2024-10-28T01:30"));
    }
    let error = date_range(&berlin, skipped, "2024-04-01 02:30:00", "D").unwrap_err();
    assert!(error.to_string().contains("2024-03-31 02:30:00"), "{error}");
    let error = date_range_periods(&berlin, repeated, 2, "D").unwrap_err();
    assert!(error.to_string().contains("2024-10-27 02:30:00"), "{error}");
    // The ends of ranges of hours, too.
    assert!(date_range_periods(&berlin, "2024-03-31 02:30:00", 2, "h").is_err());
    let nulls = LocalTimes { ambiguous: Ambiguous::Null, nonexistent: Nonexistent::Null };
    let error = date_range_periods_with(&berlin, "2024-03-31 02:30:00", 2, "h", nulls).unwrap_err();
    assert!(error.to_string().contains("2024-03-31 02:30:00 is no time of the zone"), "{error}");
    let error = date_range(&berlin, "today", "2024-04-01 02:30:00", "D").unwrap_err();
    assert!(error.to_string().contains("\"today\""), "{error}");
}
