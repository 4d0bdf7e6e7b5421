//! Tests of `format` and `parse` on every device of the build.

use super::{TimeFormat, format, parse};
use crate::datetime::extract::TimeUnit;
use crate::test_columns::{Kind, TestColumn as StringColumn};
use crate::test_values::{TestColumn, rows_of};
use crate::{ColumnData, Error, OffsetWidth, Storage, Value, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn made(text: &str) -> TimeFormat {
    TimeFormat::new(text).unwrap()
}

fn strings(data: crate::StringData, exec: &Exec) -> Vec<Option<String>> {
    let rows = crate::test_columns::rows(&ColumnData::String(data), exec);
    rows.into_iter().map(|row| row.map(|text| String::from_utf8(text).unwrap())).collect()
}

fn micros(text: &str) -> i64 {
    let (date, time) = text.split_once(' ').unwrap();
    let number = |text: &str| text.parse::<i64>().unwrap();
    let (year, month, day) = (number(&date[..4]), number(&date[5..7]), number(&date[8..]));
    // By a count of every year and month, which is slow and plain.
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let year_days = |year| if leap(year) { 366 } else { 365 };
    let mut days: i64 = if year >= 1970 {
        (1970..year).map(year_days).sum()
    } else {
        -(year..1970).map(year_days).sum::<i64>()
    };
    let lengths = [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    days += lengths[..month as usize - 1].iter().sum::<i64>() + day - 1;
    let (clock, fraction) = time.split_once('.').unwrap();
    let clock: Vec<i64> = clock.split(':').map(number).collect();
    ((days * 24 + clock[0]) * 3600 + clock[1] * 60 + clock[2]) * 1_000_000 + number(fraction)
}

#[test]
fn times_in_formats_match_pandas() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let times = [
            "2024-02-29 13:45:10.123456",
            "1969-12-31 23:59:59.999999",
            "2000-01-01 00:00:00.000000",
            "1900-03-01 12:30:00.000000",
            "2024-12-30 00:00:00.000001",
            "2023-10-29 02:30:00.000000",
            "2024-03-31 01:15:00.000000",
        ];
        // pandas 3: Series.dt.strftime.
        let expected = [
            "2024/02/29 13.45.10 123456|060 Thu Thursday Feb February 24 01PM 29",
            "1969/12/31 23.59.59 999999|365 Wed Wednesday Dec December 69 11PM 31",
            "2000/01/01 00.00.00 000000|001 Sat Saturday Jan January 00 12AM  1",
            "1900/03/01 12.30.00 000000|060 Thu Thursday Mar March 00 12PM  1",
            "2024/12/30 00.00.00 000001|365 Mon Monday Dec December 24 12AM 30",
            "2023/10/29 02.30.00 000000|302 Sun Sunday Oct October 23 02AM 29",
            "2024/03/31 01.15.00 000000|091 Sun Sunday Mar March 24 01AM 31",
        ];
        let counts: Vec<Value> = times.iter().map(|text| Value::I64(micros(text))).collect();
        let column = TestColumn::new(Storage::I64, &counts, None, 0, &exec);
        let shown = |pattern: &str| {
            let data = format(&made(pattern), &column.view(), None, TimeUnit::Micro, &exec).unwrap();
            strings(data, &exec).into_iter().map(Option::unwrap).collect::<Vec<_>>()
        };
        assert_eq!(shown("%Y/%m/%d %H.%M.%S %f|%j %a %A %b %B %y %I%p %e"), expected);
        assert_eq!(shown("%F %T.%f"), times);
        assert_eq!(
            shown("%G-W%V-%u %w")[..4],
            ["2024-W09-4 4", "1970-W01-3 3", "1999-W52-6 6", "1900-W09-4 4"]
        );
        assert_eq!(shown("100%% %R é")[0], "100% 13:45 é");
        // strftime of Python 3.11 over glibc.
        assert_eq!(
            shown("%-d.%-m.%-y %-H:%-M:%-S %-I %-j %d")[..3],
            ["29.2.24 13:45:10 1 60 29", "31.12.69 23:59:59 11 365 31", "1.1.0 0:0:0 12 1 01"]
        );
        // Those with a space are what `%e %k %l` write.
        assert_eq!(shown("%0d.%0m.%0y %0H:%0M:%0S %0I %0j"), shown("%d.%m.%y %H:%M:%S %I %j"));
        assert_eq!(shown("%_d %_H %_I")[..3], ["29 13  1", "31 23 11", " 1  0 12"]);
        assert_eq!(shown("")[0], "");
        // Times without a zone.
        assert_eq!(shown("%D %z%Z")[0], "02/29/24 ");
        // strftime of Python 3.11 over glibc, in the C locale and UTC.
        let expected = [
            "Thu Feb 29 13:45:10 2024|02/29/24|13:45:10|01:45:10 PM|20|24|13| 1|pm|1709214310|\n|\t|",
            "Wed Dec 31 23:59:59 1969|12/31/69|23:59:59|11:59:59 PM|19|70|23|11|pm|-1|\n|\t|",
            "Sat Jan  1 00:00:00 2000|01/01/00|00:00:00|12:00:00 AM|20|99| 0|12|am|946684800|\n|\t|",
            "Thu Mar  1 12:30:00 1900|03/01/00|12:30:00|12:30:00 PM|19|00|12|12|pm|-2203846200|\n|\t|",
            "Mon Dec 30 00:00:00 2024|12/30/24|00:00:00|12:00:00 AM|20|25| 0|12|am|1735516800|\n|\t|",
            "Sun Oct 29 02:30:00 2023|10/29/23|02:30:00|02:30:00 AM|20|23| 2| 2|am|1698546600|\n|\t|",
            "Sun Mar 31 01:15:00 2024|03/31/24|01:15:00|01:15:00 AM|20|24| 1| 1|am|1711847700|\n|\t|",
        ];
        assert_eq!(shown("%c|%x|%X|%r|%C|%g|%k|%l|%P|%s|%n|%t|"), expected);
    }
}

#[test]
fn fractions_of_polars_are_written_and_read_as_it_does() {
    // Polars 2.1: Series.dt.strftime and str.strptime.
    let nanos = [5_678_901_234, 5_678_901_000, 5_600_000_000, 5_000_000_000, 5_000_000_001].map(Value::I64);
    let written = [
        ("%S%.f", ["05.678901234", "05.678901", "05.600", "05", "05.000000001"]),
        ("%S|%3f", ["05|678", "05|678", "05|600", "05|000", "05|000"]),
        ("%S%6f", ["05678901", "05678901", "05600000", "05000000", "05000000"]),
        ("%S%9f", ["05678901234", "05678901000", "05600000000", "05000000000", "05000000001"]),
        ("%S%.3f", ["05.678", "05.678", "05.600", "05.000", "05.000"]),
        ("%S%.6f", ["05.678901", "05.678901", "05.600000", "05.000000", "05.000000"]),
        ("%.9f%S", [".67890123405", ".67890100005", ".60000000005", ".00000000005", ".00000000105"]),
    ];
    let texts = [
        ("%.f", ".5", Some(500_000_000)),
        ("%.f", "", Some(0)),
        ("%.f", ".123456789", Some(123_456_789)),
        ("%.f", ".1234567891", Some(123_456_789)),
        ("%.f", ".12345", Some(123_450_000)),
        ("%.f", ".", None),
        ("%.f", "5", None),
        ("%.f", " .5", None),
        ("|%3f", "|123", Some(123_000_000)),
        ("|%3f", "|12", None),
        ("|%3f", "|1234", None),
        ("|%6f", "|123456", Some(123_456_000)),
        ("|%6f", "|123", None),
        ("|%9f", "|123456789", Some(123_456_789)),
        ("|%9f", "|123", None),
        ("%.3f", ".123", Some(123_000_000)),
        ("%.3f", ".12", None),
        ("%.3f", ".1234", None),
        ("%.3f", "123", None),
        ("%.6f", ".123456", Some(123_456_000)),
        ("%.9f", ".123456789", Some(123_456_789)),
        ("%.9f", ".1234", None),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(Storage::I64, &nanos, None, 0, &exec);
        for (pattern, expected) in written {
            let data = format(&made(pattern), &column.view(), None, TimeUnit::Nano, &exec).unwrap();
            assert_eq!(
                strings(data, &exec),
                expected.map(|text| Some(text.to_owned())),
                "{pattern} {device}"
            );
        }
        for (pattern, text, expected) in texts {
            let whole = format!("1970-01-01 00:00:00{text}");
            let found = read(&format!("%F %T{pattern}"), &whole, TimeUnit::Nano, &exec);
            assert_eq!(found.ok(), expected, "{pattern} {text:?} {device}");
        }
    }
    for wrong in ["%3", "%3d", "%.", "%.4f", "%.3", "%4f", "%-3f", "%..f"] {
        assert_eq!(TimeFormat::new(wrong).unwrap_err(), (0, "an unknown directive"), "{wrong}");
    }
}

#[test]
fn text_of_every_size_unit_and_null_pattern_is_read_back() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(404);
        let pattern = made("%Y-%m-%dT%H:%M:%S.%f");
        for (i, n) in SIZES.into_iter().enumerate() {
            let unit = [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro][i % 3];
            let per_second = unit.per_second();
            let offset = [0, 3][i % 2];
            let values: Vec<Value> = (0..n + offset)
                .map(|_| {
                    let second = rng.below(300_000_000_000) as i64 - 60_000_000_000;
                    Value::I64(second * per_second + rng.below(per_second as u64) as i64)
                })
                .collect();
            let mask = Nulls::ALL[i % 4].mask(n + offset, &mut rng);
            let column = TestColumn::new(Storage::I64, &values, mask.as_deref(), offset, &exec);
            let text = format(&pattern, &column.view(), None, unit, &exec).unwrap();
            let data = ColumnData::String(text);
            let View::String(view) = data.view() else { panic!() };
            let read = parse(&pattern, &view, unit, &exec).unwrap();
            assert_eq!(read.unmatched, None);
            assert_eq!(rows_of(&read.times, &exec), column.rows, "n={n} {unit:?}");
        }
    }
}

#[test]
fn days_beyond_four_digits_and_extremes_are_written() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let days = [i32::MIN, i32::MAX, -719_529, -719_528, 2_932_896, 2_932_897].map(Value::I32);
        let column = TestColumn::new(Storage::I32, &days, None, 0, &exec);
        let data = format(&made("%Y-%m-%d %A"), &column.view(), None, TimeUnit::Day, &exec).unwrap();
        let expected = [
            "-5877641-06-23 Tuesday",
            "5881580-07-11 Friday",
            "-0001-12-31 Friday",
            "0000-01-01 Saturday",
            "9999-12-31 Friday",
            "10000-01-01 Saturday",
        ];
        assert_eq!(strings(data, &exec), expected.map(|text| Some(text.to_owned())));
    }
}

/// The year before the year 0 has five characters.
#[test]
fn years_of_weeks_of_the_first_days_are_written() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let days = [-719_528, -719_527, -719_526].map(Value::I32);
        let column = TestColumn::new(Storage::I32, &days, None, 0, &exec);
        let data = format(&made("%F %G-W%V %C"), &column.view(), None, TimeUnit::Day, &exec).unwrap();
        let expected = ["0000-01-01 -0001-W52 00", "0000-01-02 -0001-W52 00", "0000-01-03 0000-W01 00"];
        assert_eq!(strings(data, &exec), expected.map(|text| Some(text.to_owned())), "{device}");
    }
}

/// Also of formats without a date.
#[test]
fn times_beyond_days_of_32_bits_are_an_error_unless_null() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let format = |pattern, times: &[i64], valid: Option<&[bool]>, unit| {
            let values: Vec<Value> = times.iter().copied().map(Value::I64).collect();
            let column = TestColumn::new(Storage::I64, &values, valid, 0, &exec);
            format(&made(pattern), &column.view(), None, unit, &exec)
        };
        for (unit, per_second) in [(TimeUnit::Second, 1), (TimeUnit::Milli, 1000)] {
            let day = 86_400 * per_second;
            let (first, end) = (i64::from(i32::MIN) * day, (i64::from(i32::MAX) + 1) * day);
            let data = format("%Y %H", &[first, end - 1], None, unit).unwrap();
            assert_eq!(strings(data, &exec), ["-5877641 00", "5881580 23"].map(|text| Some(text.to_owned())));
            for far in [first - 1, end, i64::MIN, i64::MAX] {
                for pattern in ["%Y", "%H"] {
                    let mut times = vec![0; 300];
                    times[257] = far;
                    let error = format(pattern, &times, None, unit).unwrap_err();
                    assert_eq!(error, Error::Overflow { storage: Storage::I32 }, "{far} {device}");
                    let valid: Vec<bool> = (0..300).map(|row| row != 257).collect();
                    let data = format(pattern, &times, Some(&valid), unit).unwrap();
                    assert_eq!(strings(data, &exec)[257], None, "{far} {device}");
                }
            }
        }
        for unit in [TimeUnit::Micro, TimeUnit::Nano] {
            let data = format("%H", &[i64::MIN, i64::MAX], None, unit).unwrap();
            assert_eq!(strings(data, &exec).len(), 2);
        }
    }
}

#[test]
fn text_is_read_by_its_format_or_refused_at_a_position() {
    for device in Device::available() {
        check_positions(&Exec::new(device).unwrap());
    }
    assert_eq!(TimeFormat::new("%Y %").unwrap_err(), (3, "a directive is expected after %"));
    for wrong in ["é%Q", "é%-", "é%-Y", "é%-%", "é%--d"] {
        assert_eq!(TimeFormat::new(wrong).unwrap_err(), (1, "an unknown directive"), "{wrong}");
    }
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let times = [("%-d.%-m.%Y", "5.3.2024"), ("%-d.%-m.%Y", "05.03.2024"), ("%Y %-j %-H", "2024 65 0")];
        let day = micros("2024-03-05 00:00:00.0");
        for (pattern, text) in times {
            assert_eq!(read(pattern, text, TimeUnit::Micro, &exec), Ok(day), "{pattern} {text}");
        }
    }
}

/// The time of a text in a unit, or the byte that is wrong.
fn read(pattern: &str, text: &str, unit: TimeUnit, exec: &Exec) -> Result<i64, usize> {
    let column =
        StringColumn::new(Kind::String(OffsetWidth::I32), &[text.as_bytes().to_vec()], None, 0, exec);
    let View::String(view) = column.view() else { panic!() };
    let found = parse(&made(pattern), &view, unit, exec).unwrap();
    match (rows_of(&found.times, exec)[0], found.unmatched) {
        (Some(Value::I64(time)), None) => Ok(time),
        (Some(Value::I32(day)), None) => Ok(day.into()),
        (None, Some((0, byte))) => Err(byte),
        other => panic!("{other:?}"),
    }
}

fn check_positions(exec: &Exec) {
    let day = 86_400;
    for (pattern, text, expected) in [
        ("%Y-%m-%d", "1970-01-02", Ok(day)),
        ("%Y-%m-%d", "1970-1-2", Ok(day)),
        ("%d.%m.%y", "02.01.70", Ok(day)),
        ("%d %B %Y", "2 january 1970", Ok(day)),
        ("%a %d %b %Y", "FRI 02 Jan 1970", Ok(day)),
        ("%Y %j", "1970 002", Ok(day)),
        ("%F %I:%M %p", "1970-01-01 12:30 AM", Ok(1800)),
        ("%F %I:%M %p", "1970-01-01 12:30 pm", Ok(13 * 3600 - 1800)),
        ("%F %H %p", "1970-01-01 17 am", Ok(17 * 3600)),
        ("%F %k %P", "1970-01-01 05 PM", Ok(5 * 3600)),
        ("%FT%T%z", "1970-01-01T02:00:00+02:00", Ok(0)),
        ("%FT%T%z", "1970-01-01T00:00:00Z", Ok(0)),
        ("%FT%T%z", "1969-12-31T19:00:01-0500", Ok(1)),
        ("%FT%T.%f", "1970-01-01T00:00:05.999999999", Ok(5)),
        ("%Y", "1969", Ok(-365 * day)),
        ("%Y-%m-%d", "1970-13-02", Err(5)),
        ("%Y-%m-%d", "1970-01-32", Err(8)),
        ("%Y-%m-%d", "1970/01/02", Err(4)),
        ("%Y-%m-%d", "197-01-02", Err(0)),
        ("%Y-%m-%d", "1970-01-02 ", Err(10)),
        ("%Y-%m-%d", "1970-02-29", Err(0)),
        ("%Y %j", "1970 366", Err(0)),
        ("%Y-%m-%d", "", Err(0)),
        ("%F %H", "1970-01-01 24", Err(11)),
        ("%Y %z", "1970 +99", Err(5)),
        ("%Y %z", "1970 +01:", Ok(-3600)),
        ("%Y %z", "1970 +01:60", Err(5)),
        ("%Y %z", "1970 ", Err(5)),
        ("%d %B %Y", "30 september 1970", Ok(272 * day)),
        ("%d %B %Y", "30 septembex 1970", Err(3)),
        ("%A %d %b %Y", "wednesday 07 jan 1970", Ok(6 * day)),
        ("%A %d %b %Y", "Wednesda 07 Jan 1970", Err(0)),
        ("%Y %p", "1970 am", Ok(0)),
        ("%Y %p", "1970 a", Err(5)),
        ("%u %Y-%m-%e", "4 1970-01- 2", Ok(day)),
        ("%Y %w", "1970 7", Err(5)),
        ("%H", "01", Ok(3600)),
        // Python's date.fromisocalendar.
        ("%G-W%V-%u", "2020-W53-7", Ok(18_630 * day)),
        ("%G-W%V-%u", "2019-W01-1", Ok(17_896 * day)),
        ("%G-W%V-%u", "2026-W01-4", Ok(20_454 * day)),
        ("%G-W%V-%u", "1969-W01-1", Ok(-367 * day)),
        ("%G%V", "202601", Ok(20_451 * day)),
        ("%G %V %w", "2026 1 0", Ok(20_457 * day)),
        ("%A of %G-W%V", "Sunday of 2026-W01", Ok(20_457 * day)),
        ("%G-W%V-%a %H", "2026-W1-sun 06", Ok(20_457 * day + 6 * 3600)),
        ("%G-W%V-%u", "2021-W53-1", Err(0)),
        ("%G-W%V-%u", "2021-W54-1", Err(6)),
        ("%G-W%V-%u", "2021-W01-8", Err(9)),
        ("%c", "Fri Jan  2 01:02:03 1970", Ok(day + 3723)),
        ("%x %X", "01/02/70 00:00:09", Ok(day + 9)),
        ("%F%n%t%r", "1970-01-01\n\t12:00:01 AM", Ok(1)),
        ("%F %k", "1970-01-01  7", Ok(7 * 3600)),
        ("%F %k", "1970-01-01 24", Err(11)),
        ("%F %l %P", "1970-01-01 11 pm", Ok(23 * 3600)),
        ("%F %l %P", "1970-01-01  1 Am", Ok(3600)),
    ] {
        let found = read(pattern, text, TimeUnit::Second, exec);
        assert_eq!(found, expected, "{text:?} as {pattern:?} on {}", exec.device());
    }
    assert_eq!(read("%Y", "9999", TimeUnit::Nano, exec), Err(0), "beyond 64 bits of nanoseconds");
    assert_eq!(read("%F %T.%f", "2262-04-11 23:47:16.854775807", TimeUnit::Nano, exec), Ok(i64::MAX));
    assert_eq!(read("%F %T.%f", "2262-04-11 23:47:16.854775808", TimeUnit::Nano, exec), Err(0));
    let least = read("%F %T.%f", "1677-09-21 00:12:43.145224192", TimeUnit::Nano, exec);
    assert_eq!(least, Ok(i64::MIN));
    assert_eq!(read("%F %T.%f", "1677-09-21 00:12:43.145224191", TimeUnit::Nano, exec), Err(0));
    assert_eq!(read("%F %T.%f", "1970-01-01 00:00:00.0000019", TimeUnit::Micro, exec), Ok(1));
    assert_eq!(read("%F", "1969-12-31", TimeUnit::Day, exec), Ok(-1));
    let long = "é".repeat(300);
    assert_eq!(read(&format!("{long}%Y"), &format!("{long}1971"), TimeUnit::Day, exec), Ok(365));
    assert_eq!(read(&format!("{long}%Y"), &format!("{long}x"), TimeUnit::Day, exec), Err(600));
}

#[test]
fn texts_that_do_not_match_are_null_and_the_first_is_named() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let texts = ["2024-01-01", "x", "2024-01-03", "2024-01-0y"];
        let bytes = texts.map(|text| text.as_bytes().to_vec());
        let column = StringColumn::new(Kind::String(OffsetWidth::I32), &bytes, None, 0, &exec);
        let View::String(view) = column.view() else { panic!() };
        let read = parse(&made("%Y-%m-%d"), &view, TimeUnit::Day, &exec).unwrap();
        assert_eq!(read.unmatched, Some((1, 0)));
        let rows = rows_of(&read.times, &exec);
        assert_eq!(rows, [Some(Value::I32(19_723)), None, Some(Value::I32(19_725)), None]);
        let error = parse(&made("%m %H:%M"), &view, TimeUnit::Second, &exec).unwrap_err();
        assert_eq!(error, Error::InvalidArgument { name: "format", reason: "it has no year" });
        for pattern in
            ["%G", "%V-%u", "%y %Z", "%s", "%Y %C", "%g-W%V", "%G-W%V %Y", "%Y-W%V", "%G %Y", "%G-W%V %j"]
        {
            let error = parse(&made(pattern), &view, TimeUnit::Second, &exec).unwrap_err();
            assert!(matches!(error, Error::InvalidArgument { name: "format", .. }), "{pattern}: {error}");
        }
    }
}

#[test]
fn random_times_in_every_directive_are_written_alike_on_all_devices() {
    let pattern = made(
        "%Y|%y|%m|%d|%e|%j|%H|%I|%p|%M|%S|%f|%b|%B|%a|%A|%u|%w|%G|%V|%z|%C|%g|%k|%l|%P|%s|%c|%% and more than the literal has space for",
    );
    let mut rng = Rng::new(17);
    for (i, unit) in TimeUnit::ALL.into_iter().enumerate() {
        let n = 700;
        let values: Vec<Value> = (0..n)
            .map(|_| {
                let bits = i64::from_le_bytes(rng.bytes(8).try_into().unwrap()) >> rng.below(64);
                // Of the days of 32 bits.
                let end = (1_i64 << 31).saturating_mul(86_400).saturating_mul(unit.per_second().max(1));
                if unit == TimeUnit::Day { Value::I32(bits as i32) } else { Value::I64(bits % end) }
            })
            .collect();
        let seconds: Vec<Value> = (0..n).map(|_| Value::I64(rng.below(172_800) as i64 - 86_400)).collect();
        let mask = Nulls::ALL[i % 4].mask(n, &mut rng);
        let on = |exec: &Exec| {
            let column = TestColumn::new(unit.storage(), &values, mask.as_deref(), 3, exec);
            let offsets = TestColumn::new(Storage::I64, &seconds, None, 3, exec);
            strings(format(&pattern, &column.view(), Some(&offsets.view()), unit, exec).unwrap(), exec)
        };
        let expected = on(&Exec::host());
        for device in Device::available() {
            assert_eq!(on(&Exec::new(device).unwrap()), expected, "{unit:?} on {device}");
        }
    }
}
