//! Tests of `extract` on every device of the build.

use super::{DatePart, TimeUnit, extract, extract_by_row, host};
use crate::bits::BitSlice;
use crate::test_values::{TestColumn, as_i128, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// A calendar that only steps one day forward or back.
#[derive(Clone, Copy)]
struct Calendar {
    year: i32,
    month: i32,
    day: i32,
    weekday: i32,
    day_of_year: i32,
}

impl Calendar {
    const EPOCH: Calendar = Calendar { year: 1970, month: 1, day: 1, weekday: 3, day_of_year: 1 };

    fn month_days(year: i32, month: i32) -> i32 {
        let leap = if year % 100 == 0 { year % 400 == 0 } else { year % 4 == 0 };
        match month {
            2 => 28 + i32::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    fn tomorrow(mut self) -> Self {
        self.weekday = (self.weekday + 1) % 7;
        (self.day, self.day_of_year) = (self.day + 1, self.day_of_year + 1);
        if self.day > Self::month_days(self.year, self.month) {
            (self.month, self.day) = (self.month + 1, 1);
        }
        if self.month > 12 {
            (self.year, self.month, self.day_of_year) = (self.year + 1, 1, 1);
        }
        self
    }

    fn yesterday(mut self) -> Self {
        self.weekday = (self.weekday + 6) % 7;
        (self.day, self.day_of_year) = (self.day - 1, self.day_of_year - 1);
        if self.day == 0 {
            self.month -= 1;
            if self.month == 0 {
                (self.year, self.month) = (self.year - 1, 12);
                self.day_of_year = (1..=12).map(|month| Self::month_days(self.year, month)).sum();
            }
            self.day = Self::month_days(self.year, self.month);
        }
        self
    }

    fn part(&self, part: DatePart) -> i32 {
        match part {
            DatePart::Year => self.year,
            DatePart::Month => self.month,
            DatePart::Day => self.day,
            DatePart::Quarter => [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4][self.month as usize - 1],
            DatePart::Weekday => self.weekday,
            DatePart::DayOfYear => self.day_of_year,
            DatePart::Hour | DatePart::Minute | DatePart::Second => 0,
        }
    }
}

#[test]
fn extract_of_every_day_of_eight_centuries_matches_stepped_calendar() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // The simulator takes every 97th day, which still includes every month and every kind of year.
        let step = if device == Device::Host { 1 } else { 97 };
        let mut days: Vec<(i32, Calendar)> = vec![(0, Calendar::EPOCH)];
        let (mut later, mut earlier) = (Calendar::EPOCH, Calendar::EPOCH);
        for day in 1..146_200 {
            (later, earlier) = (later.tomorrow(), earlier.yesterday());
            if day % step == 0 {
                days.extend([(day, later), (-day, earlier)]);
            }
        }
        let values: Vec<_> = days.iter().map(|(day, _)| Value::I32(*day)).collect();
        let column = TestColumn::new(Storage::I32, &values, None, 0, &exec);
        for part in DatePart::ALL {
            let expected: Vec<_> = days.iter().map(|(_, date)| Some(Value::I32(date.part(part)))).collect();
            let result = extract(part, &column.view(), TimeUnit::Day, &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &expected, &format!("{part:?} {device}"));
        }
    }
}

#[test]
fn extract_of_every_unit_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(23);
        for unit in TimeUnit::ALL.into_iter().filter(|unit| *unit != TimeUnit::Day) {
            for (i, n) in SIZES.into_iter().enumerate() {
                // Nanoseconds range from 1677 to 2262; other units stay within the stepped calendar.
                let bound = 200 * 365 * 86_400 * unit.per_second() as u64;
                let values: Vec<_> =
                    (0..n + i).map(|_| Value::I64((rng.below(bound) as i64) - bound as i64 / 2)).collect();
                let valid = Nulls::ALL[i % 4].mask(n + i, &mut rng);
                let column = TestColumn::new(Storage::I64, &values, valid.as_deref(), i, &exec);
                let day_units = 86_400 * i128::from(unit.per_second());
                let days: Vec<_> = column
                    .rows
                    .iter()
                    .map(|row| Value::I32(row.map_or(0, |v| as_i128(v).div_euclid(day_units) as i32)))
                    .collect();
                let days = TestColumn::new(Storage::I32, &days, None, 0, &exec);
                for part in DatePart::ALL {
                    let by_day = rows_of(&extract(part, &days.view(), TimeUnit::Day, &exec).unwrap(), &exec);
                    let expected: Vec<_> = column
                        .rows
                        .iter()
                        .zip(by_day)
                        .map(|(row, by_day)| {
                            let second =
                                as_i128((*row)?).rem_euclid(day_units) / i128::from(unit.per_second());
                            match part {
                                DatePart::Hour => Some(Value::I32((second / 3600) as i32)),
                                DatePart::Minute => Some(Value::I32((second % 3600 / 60) as i32)),
                                DatePart::Second => Some(Value::I32((second % 60) as i32)),
                                _ => by_day,
                            }
                        })
                        .collect();
                    let result = extract(part, &column.view(), unit, &exec).unwrap();
                    assert_rows(
                        &rows_of(&result, &exec),
                        &expected,
                        &format!("{part:?} {unit:?} n={n} {device}"),
                    );
                }
            }
        }
    }
}

#[test]
fn extract_at_ends_of_the_range_is_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let values = [i64::MIN, i64::MAX].map(Value::I64);
        let times = TestColumn::new(Storage::I64, &values, None, 0, &exec);
        let check = |part, unit, expected: [i32; 2]| {
            let result = extract(part, &times.view(), unit, &exec).unwrap();
            let expected = expected.map(|v| Some(Value::I32(v)));
            assert_rows(&rows_of(&result, &exec), &expected, &format!("{part:?} {unit:?} {device}"));
        };
        // 1677-09-21 00:12:43.145224192 and 2262-04-11 23:47:16.854775807.
        check(DatePart::Year, TimeUnit::Nano, [1677, 2262]);
        check(DatePart::Month, TimeUnit::Nano, [9, 4]);
        check(DatePart::Day, TimeUnit::Nano, [21, 11]);
        check(DatePart::Hour, TimeUnit::Nano, [0, 23]);
        check(DatePart::Minute, TimeUnit::Nano, [12, 47]);
        check(DatePart::Second, TimeUnit::Nano, [43, 16]);
        // The smallest and the largest day: -5877641-06-23 and 5881580-07-11.
        check(DatePart::Year, TimeUnit::Second, [-5_877_641, 5_881_580]);
        check(DatePart::Month, TimeUnit::Second, [6, 7]);
        check(DatePart::Day, TimeUnit::Second, [23, 11]);
    }
}

#[test]
fn extract_with_storage_of_other_unit_is_unsupported() {
    let exec = Exec::host();
    let column = TestColumn::random(Storage::I64, 3, 0, Nulls::NoMask, &mut Rng::new(24), &exec);
    let error = extract(DatePart::Year, &column.view(), TimeUnit::Day, &exec).unwrap_err();
    assert_eq!(error, Error::UnsupportedStorage { storage: Storage::I64 });
}

/// Days too far to reach day by day, checked through the period of 400 years.
#[test]
fn extract_of_distant_days_repeats_every_400_years() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(30);
        let days: Vec<i32> = (0..2000).map(|_| rng.next() as i32).collect();
        let column = |days: Vec<i32>| {
            TestColumn::new(
                Storage::I32,
                &days.into_iter().map(Value::I32).collect::<Vec<_>>(),
                None,
                0,
                &exec,
            )
        };
        let (far, near) =
            (column(days.clone()), column(days.iter().map(|day| day.rem_euclid(146_097)).collect()));
        for part in DatePart::ALL {
            let rows = |column: &TestColumn| {
                rows_of(&extract(part, &column.view(), TimeUnit::Day, &exec).unwrap(), &exec)
            };
            let years = |day: &i32| if part == DatePart::Year { day.div_euclid(146_097) * 400 } else { 0 };
            let shifted = rows(&near).into_iter().zip(&days);
            let expected: Vec<_> =
                shifted.map(|(row, day)| row.map(|v| Value::I32(as_i128(v) as i32 + years(day)))).collect();
            assert_rows(&rows(&far), &expected, &format!("{part:?} {device}"));
        }
    }
}

/// Times around the first and the last day of 32 bits, some of them null.
#[test]
fn rows_whose_day_is_beyond_32_bits_are_found() {
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(77);
        for unit in TimeUnit::ALL.into_iter().filter(|unit| *unit != TimeUnit::Day) {
            let day = 86_400 * i128::from(unit.per_second());
            let (first, end) = (i128::from(i32::MIN) * day, (i128::from(i32::MAX) + 1) * day);
            for (i, n) in SIZES.into_iter().enumerate() {
                let near =
                    [first - 1, first, end - 1, end, i128::from(i64::MAX), i128::from(i64::MIN), 0, -1];
                // Most columns have few such rows, some none.
                let often = [1, 40, 100_000][i % 3];
                let times: Vec<i64> = (0..n + i)
                    .map(|_| {
                        let time = near[rng.below(8) as usize];
                        let time = if rng.below(often) == 0 { time } else { i128::from(rng.below(1000)) };
                        time.clamp(i64::MIN.into(), i64::MAX.into()) as i64
                    })
                    .collect();
                let is_far = |time: i64| !(first..end).contains(&i128::from(time));
                for &time in &times {
                    assert_eq!(host::is_far(time, unit.per_second()), is_far(time), "{time} {unit:?}");
                }
                let values: Vec<_> = times.iter().copied().map(Value::I64).collect();
                let valid = Nulls::ALL[i % 4].mask(n + i, &mut rng);
                let column = TestColumn::new(Storage::I64, &values, valid.as_deref(), i, &exec);
                let what = format!("{unit:?} n={n} {device}");
                let (parts, rows) = extract_by_row(DatePart::DayOfYear, &column.view(), unit, &exec).unwrap();
                let plain = extract(DatePart::DayOfYear, &column.view(), unit, &exec).unwrap();
                assert_rows(&rows_of(&parts, &exec), &rows_of(&plain, &exec), &what);
                let expected: Vec<bool> = column
                    .rows
                    .iter()
                    .map(|row| row.is_some_and(|time| is_far(as_i128(time) as i64)))
                    .collect();
                assert_eq!(rows.is_some(), expected.contains(&true), "{what}");
                if let Some(rows) = rows {
                    let bytes = rows.to_vec::<u8>(&exec).unwrap();
                    let bits = BitSlice::new(&bytes, 0, expected.len());
                    let found: Vec<bool> = (0..expected.len()).map(|row| bits.get(row)).collect();
                    assert_eq!(found, expected, "{what}");
                }
            }
        }
    }
}
