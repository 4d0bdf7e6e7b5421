//! Host implementation of `format`.

use super::time;
use crate::strings::convert::{Meaning, ZonedTimes};
use crate::strings_view::{build_appended, build_written};
use crate::{Error, Fixed, Result, Storage, StringData, View};
use columnade_buffers::{Buffer, Exec};
use std::ops::Range;

/// The longest text: 128 bits have 39 digits, a scale of −128 as many zeros.
const LONGEST: usize = 192;

/// Bytes that are reserved for a float or a decimal: the shortest text of most floats is not longer.
const USUAL: usize = 18;

/// What 64 bits hold of a number of 128: 19 digits.
const PART: u128 = 10_000_000_000_000_000_000;

/// Writes row `i` to the beginning of the bytes, and returns its length.
type Write<'a> = dyn Fn(usize, &mut [u8; LONGEST]) -> usize + Sync + 'a;

/// The digits of two-digit numbers.
pub(crate) const PAIRS: &[u8; 200] =
    b"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/// Writes the digits of a number to the beginning of `out`, and returns how many there are.
fn digits(out: &mut [u8], mut value: u64) -> usize {
    let len = width(value);
    let mut at = len;
    while value >= 100 {
        let pair = (value % 100) as usize * 2;
        value /= 100;
        at -= 2;
        out[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if value >= 10 {
        let pair = value as usize * 2;
        out[..2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        out[0] = b'0' + value as u8;
    }
    len
}

/// Writes a number to all of `out`.
fn integer(out: &mut [u8], value: i64) {
    let negative = usize::from(value < 0);
    if negative == 1 {
        out[0] = b'-';
    }
    digits(&mut out[negative..], value.unsigned_abs());
}

/// The number of digits.
fn width(value: u64) -> usize {
    value.checked_ilog10().unwrap_or(0) as usize + 1
}

/// Units of 10^−`scale`.
fn decimal(out: &mut [u8], value: i128, scale: i8) -> usize {
    let mut at = usize::from(value < 0);
    out[0] = b'-';
    let magnitude = value.unsigned_abs();
    let mut buffer = [0; 40];
    // In two parts, and one digit at most before them.
    let len = if let Ok(small) = u64::try_from(magnitude) {
        digits(&mut buffer, small)
    } else {
        let (high, low) = (magnitude / PART, (magnitude % PART) as u64);
        let (top, high) = ((high / PART) as u64, (high % PART) as u64);
        let mut len = 0;
        for (is_first, part) in [(true, top), (top == 0, high), (false, low)] {
            if is_first && part == 0 {
                continue;
            }
            let mut text = [0; 20];
            let own = digits(&mut text, part);
            let zeros = if is_first { 0 } else { 19 - own };
            buffer[len..len + zeros].fill(b'0');
            buffer[len + zeros..len + zeros + own].copy_from_slice(&text[..own]);
            len += zeros + own;
        }
        len
    };
    let text = &buffer[..len];
    if scale <= 0 {
        out[at..at + len].copy_from_slice(text);
        let zeros = if value == 0 { 0 } else { usize::from(scale.unsigned_abs()) };
        out[at + len..at + len + zeros].fill(b'0');
        return at + len + zeros;
    }
    let scale = usize::from(scale.unsigned_abs());
    // A zero before the point, and zeros after it where there are fewer digits.
    let zeros = (scale + 1).saturating_sub(len);
    out[at..at + zeros].fill(b'0');
    out[at + zeros..at + zeros + len].copy_from_slice(text);
    at += zeros + len;
    out.copy_within(at - scale..at, at - scale + 1);
    out[at - scale] = b'.';
    at + 1
}

pub(in crate::strings::convert) fn format(
    input: &Fixed<'_>,
    meaning: Meaning,
    validity: Option<&Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let view = View::Fixed(*input);
    let guard = view.read(exec)?;
    let valid = guard.validity();
    let is_null = |row: usize| valid.is_some_and(|bits| !bits.get(row));
    // Texts whose length is known before they are written.
    let sized = |size: &(dyn Fn(usize) -> usize + Sync), write: &(dyn Fn(usize, &mut [u8]) + Sync)| {
        let size = |row: usize| Some(if is_null(row) { 0 } else { size(row) });
        let write = |row: usize, out: &mut [u8]| {
            if !out.is_empty() {
                write(row, out);
            }
        };
        build_written(input.len, validity.cloned(), exec, &size, &write)
    };
    let appended = |write: &Write<'_>| {
        let append = |rows: Range<usize>, bytes: &mut Vec<u8>, ends: &mut Vec<usize>| {
            let mut text = [0; LONGEST];
            bytes.reserve(rows.len() * USUAL);
            for row in rows {
                if !is_null(row) {
                    let len = write(row, &mut text);
                    bytes.extend_from_slice(&text[..len]);
                }
                ends.push(bytes.len());
            }
        };
        build_appended(input.len, validity.cloned(), exec, &append)
    };
    macro_rules! integers {
        ($ty:ty) => {{
            let values = guard.values::<$ty>();
            let value = |row: usize| i64::from(values[row]);
            let size = |row: usize| usize::from(value(row) < 0) + width(value(row).unsigned_abs());
            sized(&size, &|row, out| integer(out, value(row)))
        }};
    }
    let copied = |out: &mut [u8; LONGEST], text: &str| {
        out[..text.len()].copy_from_slice(text.as_bytes());
        text.len()
    };
    let refused = || Error::UnsupportedStorage { storage: input.storage };
    match (meaning, input.storage) {
        (Meaning::Bool, Storage::Bit) => {
            let values = guard.value_bits();
            let text = |row: usize| if values.get(row) { "true" } else { "false" };
            sized(&|row| text(row).len(), &|row, out| out.copy_from_slice(text(row).as_bytes()))
        }
        (Meaning::Date, Storage::I32) => {
            let values = guard.values::<i32>();
            sized(&|row| time::date_width(i64::from(values[row])), &|row, out| {
                time::write_date(out, i64::from(values[row]));
            })
        }
        (Meaning::Time { digits }, Storage::I64) => {
            let values = guard.values::<i64>();
            sized(&|row| time::time_width(values[row], digits), &|row, out| {
                time::write_time(out, values[row], digits);
            })
        }
        (Meaning::Duration { digits } | Meaning::Clock { digits }, Storage::I64) => {
            let values = guard.values::<i64>();
            appended(&|row, out| time::write_duration(out, values[row], digits))
        }
        (Meaning::Clock { digits }, Storage::I32) => {
            let values = guard.values::<i32>();
            appended(&|row, out| time::write_duration(out, values[row].into(), digits))
        }
        (Meaning::Float(_), Storage::F32) => {
            let values = guard.values::<f32>();
            appended(&|row, out| copied(out, ryu::Buffer::new().format(values[row])))
        }
        (Meaning::Float(_), Storage::F64) => {
            let values = guard.values::<f64>();
            appended(&|row, out| copied(out, ryu::Buffer::new().format(values[row])))
        }
        (Meaning::Decimal { scale, .. }, Storage::I32) => {
            let values = guard.values::<i32>();
            appended(&|row, out| decimal(out, i128::from(values[row]), scale))
        }
        (Meaning::Decimal { scale, .. }, Storage::I64) => {
            let values = guard.values::<i64>();
            appended(&|row, out| decimal(out, i128::from(values[row]), scale))
        }
        (Meaning::Decimal { scale, .. }, Storage::I128) => {
            let values = guard.values::<i128>();
            appended(&|row, out| decimal(out, values[row], scale))
        }
        (Meaning::Integer(_), Storage::I8) => integers!(i8),
        (Meaning::Integer(_), Storage::I16) => integers!(i16),
        (Meaning::Integer(_), Storage::I32) => integers!(i32),
        (Meaning::Integer(_), Storage::I64) => integers!(i64),
        (Meaning::Integer(_), Storage::U8) => integers!(u8),
        (Meaning::Integer(_), Storage::U16) => integers!(u16),
        (Meaning::Integer(_), Storage::U32) => integers!(u32),
        (Meaning::Integer(_), Storage::U64) => {
            let values = guard.values::<u64>();
            sized(&|row| width(values[row]), &|row, out| {
                digits(out, values[row]);
            })
        }
        _ => Err(refused()),
    }
}

pub(in crate::strings::convert) fn format_zoned(
    input: &Fixed<'_>,
    digits: u8,
    times: &ZonedTimes<'_>,
    validity: Option<&Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let views: Vec<View<'_>> =
        std::iter::once(input).chain(&times.offsets).map(|view| View::Fixed(*view)).collect();
    let guards = crate::access(&views, exec)?;
    let valid = guards[0].validity();
    let values = guards[0].values::<i64>();
    let offsets: Option<&[i64]> = guards.get(1).map(crate::ViewGuard::values);
    let append = |rows: Range<usize>, bytes: &mut Vec<u8>, ends: &mut Vec<usize>| {
        let mut text = [0; LONGEST];
        for row in rows {
            if valid.is_none_or(|bits| bits.get(row)) {
                let offset = offsets.map(|offsets| offsets[row]);
                if let Some(len) = time::write_zoned(&mut text, values[row], digits, offset, times.shows_z) {
                    bytes.extend_from_slice(&text[..len]);
                } else {
                    let len = time::write_time(&mut text, values[row], digits);
                    bytes.extend_from_slice(&text[..len]);
                    bytes.extend_from_slice(times.unknown.as_bytes());
                }
            }
            ends.push(bytes.len());
        }
    };
    build_appended(input.len, validity.cloned(), exec, &append)
}
