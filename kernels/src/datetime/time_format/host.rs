//! Host implementation of `format` and `parse`.

use super::pattern::Item;
use super::{Parsed, TimeFormat};
use crate::bits::combine;
use crate::datetime::add_months::host::first_of;
use crate::datetime::extract::TimeUnit;
use crate::datetime::extract::host::{civil, is_far};
use crate::parallel::for_each_part;
use crate::strings::convert::PAIRS;
use crate::strings_view::build_written;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Bits, Error, Fixed, FixedData, Result, Storage, StringData, StringsView, View};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const DAY_SECONDS: i64 = 86_400;
/// Days of the years 0 to 9999, which have four digits; without the first two, which are in the last week of the year before.
const FOUR_DIGITS: std::ops::RangeInclusive<i64> = -719_526..=2_932_896;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// A time as a day and what is left.
#[derive(Clone, Copy)]
struct Instant {
    /// Days since 1970-01-01, clamped to 32 bits, as parts of dates are.
    day: i32,
    second: u32,
    nano: u32,
}

/// Of a time in a unit.
fn instant(time: i64, unit: TimeUnit) -> Instant {
    if unit == TimeUnit::Day {
        return Instant { day: time as i32, second: 0, nano: 0 };
    }
    let per_second = unit.per_second();
    let (second, rest) = (time.div_euclid(per_second), time.rem_euclid(per_second));
    let day = second.div_euclid(DAY_SECONDS).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let nano = (rest * (1_000_000_000 / per_second)) as u32;
    Instant { day, second: second.rem_euclid(DAY_SECONDS) as u32, nano }
}

/// Monday = 0.
const fn weekday(day: i32) -> usize {
    (day.rem_euclid(7) + 3) as usize % 7
}

fn day_of_year(day: i32, year: i32) -> u32 {
    (i64::from(day) - first_of(i64::from(year) * 12)) as u32 + 1
}

/// Where text is written, from the beginning.
struct Writer<'a> {
    out: &'a mut [u8],
    at: usize,
    /// Whether the next number has no zeros before it.
    is_unpadded: bool,
}

impl Writer<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        self.out[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    fn pair(&mut self, number: u32) {
        let at = number as usize * 2;
        self.bytes(&PAIRS[at..at + 2]);
    }

    fn digits(&mut self, mut number: u32, digits: usize) {
        let is_unpadded = std::mem::take(&mut self.is_unpadded);
        let digits = if is_unpadded { number.checked_ilog10().unwrap_or(0) as usize + 1 } else { digits };
        if digits == 2 {
            return self.pair(number);
        }
        for place in (self.at..self.at + digits).rev() {
            self.out[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.at += digits;
    }

    /// A number of one or two digits after a space for one.
    fn padded(&mut self, number: u32) {
        self.pair(number);
        if number < 10 {
            self.out[self.at - 2] = b' ';
        }
    }

    fn year(&mut self, year: i32) {
        if (0..=9999).contains(&year) {
            self.pair(year.unsigned_abs() / 100);
            self.pair(year.unsigned_abs() % 100);
        } else {
            self.bytes(year_text(year).as_bytes());
        }
    }
}

/// A year of other than four digits.
fn year_text(year: i32) -> String {
    format!("{}{:04}", if year < 0 { "-" } else { "" }, year.unsigned_abs())
}

impl TimeFormat {
    /// The bytes of a text whose year has four digits; `None` if they depend on the time.
    fn fixed_size(&self, has_offsets: bool) -> Option<usize> {
        self.items.iter().try_fold(0, |size, item| {
            Some(
                size + match item {
                    Item::Literal(bytes) => bytes.len(),
                    Item::Year | Item::IsoYear => 4,
                    Item::ShortYear
                    | Item::Century
                    | Item::ShortIsoYear
                    | Item::PaddedHour
                    | Item::PaddedShortHour
                    | Item::LowerHalf
                    | Item::Month
                    | Item::Day
                    | Item::PaddedDay
                    | Item::Hour
                    | Item::ShortHour
                    | Item::Half
                    | Item::Minute
                    | Item::Second
                    | Item::IsoWeek => 2,
                    Item::DayOfYear | Item::ShortMonthName | Item::ShortDayName | Item::Millis => 3,
                    Item::MonthName
                    | Item::DayName
                    | Item::EpochSeconds
                    | Item::PointFraction
                    | Item::Unpadded => return None,
                    Item::Fraction | Item::Micros => 6,
                    Item::Nanos => 9,
                    Item::Weekday | Item::SundayWeekday => 1,
                    Item::Offset => {
                        if has_offsets {
                            5
                        } else {
                            0
                        }
                    }
                    Item::ZoneName => 0,
                },
            )
        })
    }

    /// The most bytes of a text.
    fn largest_size(&self) -> usize {
        let size = |item: &Item| match item {
            Item::Literal(bytes) => bytes.len(),
            // The years of 32-bit days have eight characters, names nine, and seconds since 1970 sixteen.
            _ => 16,
        };
        self.items.iter().map(size).sum()
    }

    fn write(&self, time: Instant, offset: Option<i64>, out: &mut [u8]) -> usize {
        let mut out = Writer { out, at: 0, is_unpadded: false };
        let (year, month, day) = civil(time.day);
        let (hour, minute) = (time.second / 3600, time.second / 60 % 60);
        let thursday = || time.day.saturating_add(3 - weekday(time.day) as i32);
        for item in &self.items {
            match item {
                Item::Literal(bytes) => out.bytes(bytes),
                Item::Year => out.year(year),
                Item::ShortYear => out.digits(year.rem_euclid(100) as u32, 2),
                Item::Month => out.digits(month as u32, 2),
                Item::Day => out.digits(day as u32, 2),
                Item::PaddedDay => out.padded(day as u32),
                Item::Century => {
                    let century = year.div_euclid(100);
                    let sign = if century < 0 { "-" } else { "" };
                    out.bytes(format!("{sign}{:02}", century.unsigned_abs()).as_bytes());
                }
                Item::ShortIsoYear => out.digits(civil(thursday()).0.rem_euclid(100) as u32, 2),
                Item::PaddedHour => out.padded(hour),
                Item::PaddedShortHour => out.padded((hour + 11) % 12 + 1),
                Item::LowerHalf => out.bytes(if hour < 12 { b"am" } else { b"pm" }),
                Item::EpochSeconds => {
                    let local = i64::from(time.day) * DAY_SECONDS + i64::from(time.second);
                    out.bytes((local - offset.unwrap_or(0)).to_string().as_bytes());
                }
                Item::ZoneName => {}
                Item::Unpadded => out.is_unpadded = true,
                Item::DayOfYear => out.digits(day_of_year(time.day, year), 3),
                Item::Hour => out.digits(hour, 2),
                Item::ShortHour => out.digits((hour + 11) % 12 + 1, 2),
                Item::Half => out.bytes(if hour < 12 { b"AM" } else { b"PM" }),
                Item::Minute => out.digits(minute, 2),
                Item::Second => out.digits(time.second % 60, 2),
                Item::Fraction | Item::Micros => out.digits(time.nano / 1000, 6),
                Item::Millis => out.digits(time.nano / 1_000_000, 3),
                Item::Nanos => out.digits(time.nano, 9),
                Item::PointFraction => {
                    let (number, digits) = match time.nano {
                        0 => continue,
                        nano if nano % 1_000_000 == 0 => (nano / 1_000_000, 3),
                        nano if nano % 1000 == 0 => (nano / 1000, 6),
                        nano => (nano, 9),
                    };
                    out.bytes(b".");
                    out.digits(number, digits);
                }
                Item::ShortMonthName => out.bytes(name(&MONTHS, month as usize - 1, false)),
                Item::MonthName => out.bytes(name(&MONTHS, month as usize - 1, true)),
                Item::ShortDayName => out.bytes(name(&DAYS, weekday(time.day), false)),
                Item::DayName => out.bytes(name(&DAYS, weekday(time.day), true)),
                Item::Weekday => out.digits(weekday(time.day) as u32 + 1, 1),
                Item::SundayWeekday => out.digits((weekday(time.day) as u32 + 1) % 7, 1),
                Item::IsoYear => out.year(civil(thursday()).0),
                Item::IsoWeek => {
                    let day = thursday();
                    out.digits((day_of_year(day, civil(day).0) - 1) / 7 + 1, 2);
                }
                Item::Offset => {
                    let Some(offset) = offset else { continue };
                    out.bytes(if offset < 0 { b"-" } else { b"+" });
                    let minutes = (offset.unsigned_abs() / 60) as u32;
                    out.digits(minutes / 60 * 100 + minutes % 60, 4);
                }
            }
        }
        out.at
    }
}

fn name(names: &[&'static str], position: usize, full: bool) -> &'static [u8] {
    let name = names[position].as_bytes();
    if full { name } else { &name[..3] }
}

pub(super) fn format(
    format: &TimeFormat,
    local: &Fixed<'_>,
    offsets: Option<&Fixed<'_>>,
    unit: TimeUnit,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let views: Vec<View<'_>> = std::iter::once(local).chain(offsets).map(|view| View::Fixed(*view)).collect();
    let guards = crate::access(&views, exec)?;
    let valid = guards[0].validity();
    let (days, counts): (&[i32], &[i64]) =
        if unit == TimeUnit::Day { (guards[0].values(), &[]) } else { (&[], guards[0].values()) };
    let offsets: Option<&[i64]> = guards.get(1).map(crate::ViewGuard::values);
    let at = |row: usize| instant(if unit == TimeUnit::Day { days[row].into() } else { counts[row] }, unit);
    let is_null = |row: usize| valid.is_some_and(|bits| !bits.get(row));
    let fixed = format.fixed_size(offsets.is_some());
    let largest = format.largest_size();
    let scratch = |row: usize, out: &mut Vec<u8>| {
        out.resize(largest, 0);
        format.write(at(row), offsets.map(|offsets| offsets[row]), out)
    };
    let has_far = AtomicBool::new(false);
    let size = |row: usize| {
        if is_null(row) {
            return Some(0);
        }
        if unit != TimeUnit::Day && is_far(counts[row], unit.per_second()) {
            has_far.store(true, Relaxed);
            return None;
        }
        if let Some(size) = fixed
            && FOUR_DIGITS.contains(&i64::from(at(row).day))
        {
            return Some(size);
        }
        Some(scratch(row, &mut Vec::new()))
    };
    let write = |row: usize, out: &mut [u8]| {
        if !is_null(row) {
            format.write(at(row), offsets.map(|offsets| offsets[row]), out);
        }
    };
    let written = build_written(local.len, validity, exec, &size, &write);
    if has_far.into_inner() { Err(Error::Overflow { storage: Storage::I32 }) } else { written }
}

/// A text that is read from the beginning.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// A number of `least` to `most` digits.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let digits = self.text[self.at..].iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if digits < least {
            return None;
        }
        let number = self.text[self.at..self.at + digits].iter();
        let number = number.fold(0_u32, |number, digit| number * 10 + u32::from(digit - b'0'));
        self.at += digits;
        Some(number)
    }

    fn within(&mut self, most: usize, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let at = self.at;
        let number = self.number(1, most)?;
        if range.contains(&number) {
            return Some(number);
        }
        self.at = at;
        None
    }

    /// A number of one or two digits, where one may have a space before it.
    fn padded(&mut self, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        self.at += usize::from(self.text.get(self.at) == Some(&b' '));
        self.within(2, range)
    }

    /// The position of a name, in any case.
    fn name(&mut self, names: &[&str], full: bool) -> Option<usize> {
        let rest = &self.text[self.at..];
        let position = names.iter().position(|name| {
            let name = if full { name.as_bytes() } else { &name.as_bytes()[..3] };
            rest.len() >= name.len() && rest[..name.len()].eq_ignore_ascii_case(name)
        })?;
        self.at += if full { names[position].len() } else { 3 };
        Some(position)
    }

    /// Seconds east of UTC: Z, +02, +0200 or +02:00.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.text.get(self.at)? {
            b'Z' | b'z' => {
                self.at += 1;
                return Some(0);
            }
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        self.at += 1;
        let hours = self.number(2, 2)?;
        if self.text.get(self.at) == Some(&b':') {
            self.at += 1;
        }
        let minutes = self.number(2, 2).unwrap_or(0);
        (hours < 24 && minutes < 60).then_some(sign * i64::from(hours * 3600 + minutes * 60))
    }
}

/// What a text has of a time.
struct Fields {
    /// `None`: that of a week, or 1970.
    year: Option<i64>,
    iso_year: Option<i64>,
    iso_week: Option<u32>,
    /// 0 for Monday.
    weekday: u32,
    month: u32,
    day: u32,
    day_of_year: Option<u32>,
    hour: u32,
    is_afternoon: Option<bool>,
    minute: u32,
    second: u32,
    nano: u32,
    offset: i64,
}

impl TimeFormat {
    /// The time of a text in a unit, or the byte that is wrong.
    pub(super) fn read(&self, text: &[u8], unit: TimeUnit) -> Result<i64, usize> {
        let mut fields = Fields {
            year: None,
            iso_year: None,
            iso_week: None,
            weekday: 0,
            month: 1,
            day: 1,
            day_of_year: None,
            hour: 0,
            is_afternoon: None,
            minute: 0,
            second: 0,
            nano: 0,
            offset: 0,
        };
        let mut reader = Reader { text, at: 0 };
        for item in &self.items {
            let start = reader.at;
            read_item(item, &mut reader, &mut fields).ok_or(start)?;
        }
        if reader.at < text.len() {
            return Err(reader.at);
        }
        // As in Python, halves of the day do not count beside hours of the whole day.
        if !self.items.iter().any(|item| matches!(item, Item::ShortHour | Item::PaddedShortHour)) {
            fields.is_afternoon = None;
        }
        fields.time(unit).ok_or(0)
    }
}

fn read_item(item: &Item, reader: &mut Reader<'_>, fields: &mut Fields) -> Option<()> {
    match item {
        Item::Literal(bytes) => {
            if !reader.text[reader.at..].starts_with(bytes) {
                return None;
            }
            reader.at += bytes.len();
        }
        Item::Year => fields.year = Some(reader.number(4, 4)?.into()),
        Item::ShortYear => {
            let year = reader.number(2, 2)?;
            // As POSIX has it.
            fields.year = Some(i64::from(year) + if year < 69 { 2000 } else { 1900 });
        }
        Item::Month => fields.month = reader.within(2, 1..=12)?,
        Item::Day => fields.day = reader.within(2, 1..=31)?,
        Item::PaddedDay => fields.day = reader.padded(1..=31)?,
        Item::PaddedHour => fields.hour = reader.padded(0..=23)?,
        Item::PaddedShortHour => fields.hour = reader.padded(1..=12)? % 12,
        Item::DayOfYear => fields.day_of_year = Some(reader.within(3, 1..=366)?),
        Item::Hour => fields.hour = reader.within(2, 0..=23)?,
        Item::ShortHour => fields.hour = reader.within(2, 1..=12)? % 12,
        Item::Half | Item::LowerHalf => fields.is_afternoon = Some(reader.name(&["AM", "PM"], true)? == 1),
        Item::Minute => fields.minute = reader.within(2, 0..=59)?,
        Item::Second => fields.second = reader.within(2, 0..=59)?,
        Item::Fraction => {
            let start = reader.at;
            let number = reader.number(1, 9)?;
            fields.nano = number * 10_u32.pow(9 - (reader.at - start) as u32);
        }
        Item::Millis => fields.nano = reader.number(3, 3)? * 1_000_000,
        Item::Micros => fields.nano = reader.number(6, 6)? * 1000,
        Item::Nanos => fields.nano = reader.number(9, 9)?,
        Item::PointFraction => {
            if reader.text.get(reader.at) == Some(&b'.') {
                reader.at += 1;
                let start = reader.at;
                let number = reader.number(1, 9)?;
                fields.nano = number * 10_u32.pow(9 - (reader.at - start) as u32);
                // Digits that no unit has.
                while reader.text.get(reader.at).is_some_and(u8::is_ascii_digit) {
                    reader.at += 1;
                }
            }
        }
        Item::ShortMonthName => fields.month = reader.name(&MONTHS, false)? as u32 + 1,
        Item::MonthName => fields.month = reader.name(&MONTHS, true)? as u32 + 1,
        Item::ShortDayName => fields.weekday = reader.name(&DAYS, false)? as u32,
        Item::DayName => fields.weekday = reader.name(&DAYS, true)? as u32,
        Item::Weekday => fields.weekday = reader.within(1, 1..=7)? - 1,
        Item::SundayWeekday => fields.weekday = (reader.within(1, 0..=6)? + 6) % 7,
        Item::IsoYear => fields.iso_year = Some(reader.number(4, 4)?.into()),
        Item::IsoWeek => fields.iso_week = Some(reader.within(2, 1..=53)?),
        // Formats with them are not read.
        Item::Century | Item::ShortIsoYear | Item::EpochSeconds | Item::ZoneName => return None,
        Item::Offset => fields.offset = reader.offset()?,
        // Numbers are read with fewer digits anyway.
        Item::Unpadded => {}
    }
    Some(())
}

/// The Monday of the first ISO 8601 week of a year, which has its 4 January.
fn first_monday(year: i64) -> i64 {
    let fourth = first_of(year * 12) + 3;
    fourth - (fourth + 3).rem_euclid(7)
}

impl Fields {
    /// `None` for a day that the month does not have, a week that the year does not have, or a time that does not fit.
    fn time(&self, unit: TimeUnit) -> Option<i64> {
        let year = self.year.unwrap_or(1970);
        let day = if let (None, Some(year), Some(week)) = (self.year, self.iso_year, self.iso_week) {
            let monday = first_monday(year) + 7 * (i64::from(week) - 1);
            (monday < first_monday(year + 1)).then_some(monday + i64::from(self.weekday))?
        } else if let Some(day) = self.day_of_year {
            let first = first_of(year * 12);
            let day = first + i64::from(day) - 1;
            (day < first_of((year + 1) * 12)).then_some(day)?
        } else {
            let month = year * 12 + i64::from(self.month) - 1;
            let day = first_of(month) + i64::from(self.day) - 1;
            (day < first_of(month + 1)).then_some(day)?
        };
        if unit == TimeUnit::Day {
            return Some(day);
        }
        let hour = match self.is_afternoon {
            Some(true) => self.hour % 12 + 12,
            Some(false) => self.hour % 12,
            None => self.hour,
        };
        let second = i64::from(hour * 3600 + self.minute * 60 + self.second) - self.offset;
        let per_second = unit.per_second();
        let rest = i64::from(self.nano) / (1_000_000_000 / per_second);
        // In 128 bits: the least time is less than a second above a product that does not fit.
        let whole = i128::from(day * DAY_SECONDS + second) * i128::from(per_second);
        i64::try_from(whole + i128::from(rest)).ok()
    }
}

pub(super) fn parse(
    format: &TimeFormat,
    input: &StringsView<'_>,
    unit: TimeUnit,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<Parsed> {
    let len = input.len;
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let storage = unit.storage();
    let mut data = Buffer::uninit(len * storage.bytes(1), exec)?;
    let mut unmatched = Buffer::zeroed(len.div_ceil(64) * 8, exec)?;
    let any = AtomicBool::new(false);
    let width = storage.bytes(1);
    {
        let (mut data, mut unmatched) = (data.write(exec)?, unmatched.write(exec)?);
        let parts = data
            .as_mut_slice::<u8>()
            .chunks_mut(HOST_MORSEL_ROWS * width)
            .zip(unmatched.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64));
        for_each_part(parts, |part, (out, unmatched)| {
            for (at, out) in out.chunks_mut(width).enumerate() {
                let row = part * HOST_MORSEL_ROWS + at;
                let is_valid = valid.is_none_or(|valid| valid.get(row));
                let time = if is_valid { format.read(strings.get(row), unit) } else { Ok(0) };
                if time.is_err() {
                    unmatched[at / 64] |= 1 << (at % 64);
                    any.store(true, Relaxed);
                }
                // A day of four digits fits in 32 bits.
                out.copy_from_slice(&time.unwrap_or(0).to_le_bytes()[..width]);
            }
        });
    }
    let mut result = Parsed { times: FixedData { storage, len, data, validity }, unmatched: None };
    if any.into_inner() {
        let bytes = unmatched.to_vec::<u8>(exec)?;
        let row = (0..len).find(|row| bytes[row / 8] >> (row % 8) & 1 == 1).unwrap_or(0);
        let at = format.read(strings.get(row), unit).err().unwrap_or(0);
        result.unmatched = Some((row, at));
        let unmatched = Bits { buffer: &unmatched, offset: 0, len };
        result.times.validity = Some(match &result.times.validity {
            Some(valid) => combine::and_not(Bits { buffer: valid, offset: 0, len }, unmatched, exec)?,
            None => combine::not(unmatched, exec)?,
        });
    }
    Ok(result)
}
