//! Host implementation of `extract`, and its inner loops.

use super::{DatePart, TimeUnit};
use crate::elementwise::lane::{map, map_bits};
use crate::{Fixed, Result, View, morsel};
use columnade_buffers::{Buffer, Exec};
use std::borrow::Cow;
use std::ops::Range;

const DAY_SECONDS: i64 = 86_400;

/// Days in 400 years, the period of the calendar.
const ERA_DAYS: u32 = 146_097;

/// A date in the algorithm's years, which start in March.
struct MarchDate {
    year: i32,
    /// Days since the first of March.
    day: u32,
}

/// Converts days since 1970-01-01: Neri and Schneider, "Euclidean affine functions and their application to
/// calendar algorithms" (2022), without divisions that do not vectorise. A split into eras first covers every
/// 32-bit day.
#[inline]
fn march_date(days: i32) -> MarchDate {
    /// The first year of the era of the smallest day.
    const FIRST_YEAR: i32 = -14_695 * 400;
    /// The smallest day's position in that era.
    const FIRST_DAY: u32 = 131_235;
    let since = days.cast_unsigned() ^ (1 << 31);
    let era = since / ERA_DAYS;
    let day_of_era = since % ERA_DAYS + FIRST_DAY;
    let century = (4 * day_of_era + 3) / ERA_DAYS;
    let day_of_century = ((4 * day_of_era + 3) % ERA_DAYS) | 3;
    // The quotient by 1461, the days of four years, in the upper half; the remainder in the lower half.
    let years = u64::from(day_of_century) * 2_939_745;
    let day = years as u32 / 2_939_745 / 4;
    let year = 100 * century + (years >> 32) as u32;
    MarchDate { year: FIRST_YEAR + 400 * era as i32 + year as i32, day }
}

impl MarchDate {
    /// Months since March.
    #[inline]
    fn march_month(&self) -> u32 {
        (5 * self.day + 2) / 153
    }

    /// 1 to 12.
    #[inline]
    fn month(&self) -> i32 {
        let month = self.march_month();
        (if month < 10 { month + 3 } else { month - 9 }) as i32
    }

    #[inline]
    fn year(&self) -> i32 {
        self.year + i32::from(self.march_month() >= 10)
    }

    #[inline]
    fn day_of_month(&self) -> i32 {
        (self.day - (153 * self.march_month() + 2) / 5 + 1) as i32
    }

    #[inline]
    fn day_of_year(&self) -> i32 {
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        // January and February end the year that began in March.
        if self.day >= 306 { self.day as i32 - 305 } else { self.day as i32 + 60 + i32::from(leap) }
    }
}

/// Year, month and day of the month of a day.
#[inline]
pub(crate) fn civil(day: i32) -> (i32, i32, i32) {
    let date = march_date(day);
    (date.year(), date.month(), date.day_of_month())
}

/// `out[i]` is the part of the day `days[i]`; parts of the time of day are 0.
fn apply_days(part: DatePart, days: &[i32], out: &mut [i32]) {
    match part {
        DatePart::Year => map(days, out, |day| march_date(day).year()),
        DatePart::Month => map(days, out, |day| march_date(day).month()),
        DatePart::Day => map(days, out, |day| march_date(day).day_of_month()),
        DatePart::Quarter => map(days, out, |day| (march_date(day).month() - 1) / 3 + 1),
        DatePart::Hour | DatePart::Minute | DatePart::Second => out.fill(0),
        // 1970-01-01 was a Thursday.
        DatePart::Weekday => map(days, out, |day: i32| (day.rem_euclid(7) + 3) % 7),
        DatePart::DayOfYear => map(days, out, |day| march_date(day).day_of_year()),
    }
}

/// Times in a unit.
pub(crate) enum Times<'a> {
    Days(Cow<'a, [i32]>),
    Seconds(Cow<'a, [i64]>),
    Millis(Cow<'a, [i64]>),
    Micros(Cow<'a, [i64]>),
    Nanos(Cow<'a, [i64]>),
}

impl<'a> Times<'a> {
    /// Values of a unit: `days` gives those of days, `counts` those of the other units.
    pub(crate) fn new(
        unit: TimeUnit,
        days: impl FnOnce() -> Cow<'a, [i32]>,
        counts: impl FnOnce() -> Cow<'a, [i64]>,
    ) -> Self {
        match unit {
            TimeUnit::Day => Times::Days(days()),
            TimeUnit::Second => Times::Seconds(counts()),
            TimeUnit::Milli => Times::Millis(counts()),
            TimeUnit::Micro => Times::Micros(counts()),
            TimeUnit::Nano => Times::Nanos(counts()),
        }
    }
}

/// `out[i]` is the part of the time `times[i]`.
pub(crate) fn apply(part: DatePart, times: &Times<'_>, rows: Range<usize>, out: &mut [i32]) {
    // With a unit known at compile time, divisions become multiplications.
    match times {
        Times::Days(days) => apply_days(part, &days[rows], out),
        Times::Seconds(times) => apply_times::<1>(part, &times[rows], out),
        Times::Millis(times) => apply_times::<1_000>(part, &times[rows], out),
        Times::Micros(times) => apply_times::<1_000_000>(part, &times[rows], out),
        Times::Nanos(times) => apply_times::<1_000_000_000>(part, &times[rows], out),
    }
}

fn apply_times<const PER_SECOND: i64>(part: DatePart, times: &[i64], out: &mut [i32]) {
    let second = |time: i64| (time.rem_euclid(DAY_SECONDS * PER_SECOND) / PER_SECOND) as i32;
    match part {
        DatePart::Hour => map(times, out, |time| second(time) / 3600),
        DatePart::Minute => map(times, out, |time| second(time) / 60 % 60),
        DatePart::Second => map(times, out, |time| second(time) % 60),
        _ => {
            map(times, out, |time: i64| {
                let day = time.div_euclid(DAY_SECONDS * PER_SECOND);
                day.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
            });
            // In place, in blocks that stay in the L1 cache.
            let mut days = [0; 1024];
            for out in out.chunks_mut(days.len()) {
                let days = &mut days[..out.len()];
                days.copy_from_slice(out);
                apply_days(part, days, out);
            }
        }
    }
}

/// Sets bit `i` of `out` if the day of `times[i]` is beyond those of 32 bits.
pub(crate) fn overflows(times: &Times<'_>, out: &mut [u64]) {
    match times {
        Times::Seconds(times) => overflows_of::<1>(times, out),
        Times::Millis(times) => overflows_of::<1_000>(times, out),
        Times::Days(_) | Times::Micros(_) | Times::Nanos(_) => out.fill(0),
    }
}

fn overflows_of<const PER_SECOND: i64>(times: &[i64], out: &mut [u64]) {
    map_bits(times, out, |time| is_far(time, PER_SECOND));
}

/// Whether the day of a time of so many units a second is beyond those of 32 bits.
#[inline]
pub(crate) fn is_far(time: i64, per_second: i64) -> bool {
    let day = DAY_SECONDS.saturating_mul(per_second);
    time < i64::from(i32::MIN).saturating_mul(day)
        || time > i64::from(i32::MAX).saturating_mul(day).saturating_add(day - 1)
}

pub(super) fn extract(part: DatePart, input: &Fixed<'_>, unit: TimeUnit, exec: &Exec) -> Result<Buffer> {
    let guard = View::Fixed(*input).read(exec)?;
    let times = Times::new(unit, || guard.values().into(), || guard.values().into());
    morsel::build_values(input.len, exec, |rows, out| apply(part, &times, rows, out))
}
