//! Tests of `add_months` on every device of the build.

use super::add_months;
use crate::elementwise::Operand;
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// Days of a month of the calendar.
fn days_in(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Year, month and day of days since 1970-01-01, by a walk from month to month.
fn date(mut day: i64) -> (i64, i64, i64) {
    // Whole periods of 400 years first.
    let era = day.div_euclid(146_097);
    day -= era * 146_097;
    let (mut year, mut month) = (1970, 1);
    while day >= days_in(year, month) {
        day -= days_in(year, month);
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
    (year + era * 400, month, day + 1)
}

/// The reference implementation: `None` where the day does not fit 32 bits.
fn expected(day: i32, months: i32) -> Option<i32> {
    let (year, month, of_month) = date(day.into());
    let count = year * 12 + month - 1 + i64::from(months);
    let (year, month) = (count.div_euclid(12), count.rem_euclid(12) + 1);
    let of_month = of_month.min(days_in(year, month));
    let era = (year - 1970).div_euclid(400);
    let (mut y, mut m, mut day) = (1970, 1, era * 146_097);
    while (y, m) != (year - era * 400, month) {
        day += days_in(y, m);
        (y, m) = if m == 12 { (y + 1, 1) } else { (y, m + 1) };
    }
    (day + of_month - 1).try_into().ok()
}

#[test]
fn add_months_of_every_size_null_pattern_and_offset_matches_walk() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(118);
        let mut column = |n: usize, offset, nulls: Nulls, values: &mut dyn FnMut(&mut Rng) -> i32| {
            let values: Vec<Value> = (0..n + offset).map(|_| Value::I32(values(&mut rng))).collect();
            let mask = nulls.mask(n + offset, &mut rng);
            TestColumn::new(Storage::I32, &values, mask.as_deref(), offset, &exec)
        };
        for (i, n) in SIZES.into_iter().enumerate() {
            // Ends of months of every length, in four centuries.
            let days =
                column(n, [0, 3][i % 2], Nulls::ALL[i % 4], &mut |rng| rng.below(160_000) as i32 - 60_000);
            let months =
                column(n, [5, 0][i % 2], Nulls::ALL[i / 4], &mut |rng| rng.below(2401) as i32 - 1200);
            let context = format!("n={n} {device}");
            let found = add_months(days.view().into(), months.view().into(), &exec).unwrap();
            let rows: Vec<_> =
                days.rows.iter().zip(&months.rows).map(|pair| moved(*pair.0, *pair.1)).collect();
            assert_rows(&rows_of(&found, &exec), &rows, &context);
            let found = add_months(days.view().into(), Operand::Value(Value::I32(-1)), &exec).unwrap();
            let rows: Vec<_> = days.rows.iter().map(|day| moved(*day, Some(Value::I32(-1)))).collect();
            assert_rows(&rows_of(&found, &exec), &rows, &context);
        }
    }
}

fn moved(day: Option<Value>, months: Option<Value>) -> Option<Value> {
    match (day?, months?) {
        (Value::I32(day), Value::I32(months)) => expected(day, months).map(Value::I32),
        _ => None,
    }
}

#[test]
fn add_months_of_extreme_days_is_exact_or_overflows() {
    let far = 12 * 5_800_000;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (day, months) in [
            (i32::MIN, 0),
            (i32::MAX, 0),
            (i32::MIN, -1),
            (i32::MAX, 1),
            (0, far),
            (0, -far),
            (i32::MAX, i32::MIN),
            (i32::MIN, i32::MAX),
            (i32::MIN, far),
            (i32::MAX, -2 * far),
            (-719_528, -1), // 0000-01-01
            (11_016, 1),    // 2000-02-29
        ] {
            for valid in [true, false] {
                let column = TestColumn::new(Storage::I32, &[Value::I32(day)], Some(&[valid]), 0, &exec);
                let found = add_months(column.view().into(), Operand::Value(Value::I32(months)), &exec);
                let context = format!("{day} {months} {valid} {device}");
                match (expected(day, months), valid) {
                    (_, false) => assert_rows(&rows_of(&found.unwrap(), &exec), &[None], &context),
                    (None, true) => {
                        assert_eq!(
                            found.unwrap_err(),
                            Error::Overflow { storage: Storage::I32 },
                            "{context}"
                        );
                    }
                    (Some(day), true) => {
                        assert_rows(&rows_of(&found.unwrap(), &exec), &[Some(Value::I32(day))], &context);
                    }
                }
            }
        }
    }
}

#[test]
fn add_months_of_null_operand_or_other_storage_is_null_or_an_error() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let days = TestColumn::random(Storage::I32, 33, 1, Nulls::Some, &mut Rng::new(5), &exec);
        let found = add_months(days.view().into(), Operand::Null(Storage::I32), &exec).unwrap();
        assert_rows(&rows_of(&found, &exec), &[None; 33], &"null months");
        let long = TestColumn::random(Storage::I64, 33, 1, Nulls::Some, &mut Rng::new(6), &exec);
        let unsupported = Error::UnsupportedStorage { storage: Storage::I64 };
        assert_eq!(add_months(long.view().into(), long.view().into(), &exec).unwrap_err(), unsupported);
        assert_eq!(add_months(days.view().into(), long.view().into(), &exec).unwrap_err(), unsupported);
        let short = TestColumn::random(Storage::I32, 3, 0, Nulls::NoMask, &mut Rng::new(7), &exec);
        let error = add_months(days.view().into(), short.view().into(), &exec).unwrap_err();
        assert_eq!(error, Error::LengthMismatch { left: 33, right: 3 });
    }
}
