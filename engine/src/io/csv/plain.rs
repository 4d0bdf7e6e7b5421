//! Rows without quotes, which most files have only: fields end at delimiters, and become values at once. What needs a closer look is
//! left to the library's decoder, so that both give the same.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use memchr::{memchr, memchr_iter};

use super::format::CsvFormat;

/// The selected columns as the library decodes them; `None` where it has to.
pub(super) fn columns(format: &CsvFormat, bytes: &[u8], selected: &[usize]) -> Option<Vec<ArrayRef>> {
    let options = &format.options;
    let has = |byte: u8| memchr(byte, bytes).is_some();
    if options.escape.is_some() || options.nulls.is_some() || options.quote.is_some_and(has) || has(b'\r') {
        return None;
    }
    // Fields are text too, since they are cut at ASCII.
    std::str::from_utf8(bytes).ok()?;
    let lines = memchr_iter(b'\n', bytes).count() + 1;
    let mut values: Vec<Values> = format.names.iter().map(|_| Values::None).collect();
    for &at in selected {
        values[at] = Values::of(&format.types[at].decoded(), lines)?;
    }
    fill(&mut values, bytes, options.delimiter)?;
    selected.iter().map(|&at| std::mem::replace(&mut values[at], Values::None).finish()).collect()
}

/// Reads the rows, which have a field for each of `columns`.
fn fill(columns: &mut [Values], bytes: &[u8], delimiter: u8) -> Option<()> {
    let (last, others) = columns.split_last_mut()?;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            // An empty line is no row. Of one column, it may be one.
            if others.is_empty() {
                return None;
            }
            at += 1;
            continue;
        }
        for column in &mut *others {
            let end = field_end(bytes, at, delimiter);
            if bytes.get(end) != Some(&delimiter) {
                return None;
            }
            column.push(&bytes[at..end])?;
            at = end + 1;
        }
        let end = field_end(bytes, at, delimiter);
        if bytes.get(end) == Some(&delimiter) {
            return None;
        }
        last.push(&bytes[at.min(end)..end])?;
        at = end + 1;
    }
    Some(())
}

/// The position of the next delimiter or end of a line, or of the end of the bytes.
pub(super) fn field_end(bytes: &[u8], mut at: usize, delimiter: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (delimiters, ends) = (ONES * u64::from(delimiter), ONES * u64::from(b'\n'));
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*word);
        // The lowest byte that is marked is one; bytes above it may be marked without being one.
        let found = zero(word ^ delimiters) | zero(word ^ ends);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let found = rest.iter().position(|&byte| byte == delimiter || byte == b'\n');
    at.min(bytes.len()) + found.unwrap_or(rest.len())
}

/// The values of a column so far.
enum Values {
    /// Of a column that is not read.
    None,
    Integers(Vec<i64>, NullBufferBuilder),
    Floats(Vec<f64>, NullBufferBuilder),
    Strings {
        offsets: Vec<i32>,
        text: Vec<u8>,
        valid: NullBufferBuilder,
    },
}

impl Values {
    /// For about so many values of a type; `None` for one that is left to the library.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    fn of(data_type: &DataType, rows: usize) -> Option<Self> {
        let valid = NullBufferBuilder::new(rows);
        match data_type {
            DataType::Int64 => Some(Values::Integers(Vec::with_capacity(rows), valid)),
            DataType::Float64 => Some(Values::Floats(Vec::with_capacity(rows), valid)),
            DataType::Utf8 => {
                let mut offsets = Vec::with_capacity(rows + 1);
                offsets.push(0);
                Some(Values::Strings { offsets, text: Vec::with_capacity(8 * rows), valid })
            }
            _ => None,
        }
    }

    /// Adds a field, an empty one as a null; `None` for one that the library must look at.
    fn push(&mut self, field: &[u8]) -> Option<()> {
        match self {
            Values::None => {}
            Values::Integers(values, valid) if field.is_empty() => {
                values.push(0);
                valid.append_null();
            }
            Values::Integers(values, valid) => {
                values.push(integer(field)?);
                valid.append_non_null();
            }
            Values::Floats(values, valid) if field.is_empty() => {
                values.push(0.0);
                valid.append_null();
            }
            Values::Floats(values, valid) => {
                values.push(float(field)?);
                valid.append_non_null();
            }
            Values::Strings { offsets, text, valid } => {
                text.extend_from_slice(field);
                offsets.push(i32::try_from(text.len()).ok()?);
                valid.append(!field.is_empty());
            }
        }
        Some(())
    }

    fn finish(self) -> Option<ArrayRef> {
        Some(match self {
            Values::None => return None,
            Values::Integers(values, mut valid) => Arc::new(Int64Array::new(values.into(), valid.finish())),
            Values::Floats(values, mut valid) => Arc::new(Float64Array::new(values.into(), valid.finish())),
            Values::Strings { offsets, text, mut valid } => {
                let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
                Arc::new(StringArray::try_new(offsets, Buffer::from_vec(text), valid.finish()).ok()?)
            }
        })
    }
}

/// A sign and up to 18 digits.
fn integer(field: &[u8]) -> Option<i64> {
    let (is_negative, digits) = signed(field);
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let number = number(digits, 0)?;
    let value = i64::try_from(number).ok()?;
    Some(if is_negative { -value } else { value })
}

fn signed(field: &[u8]) -> (bool, &[u8]) {
    match field.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, field),
    }
}

/// Digits after others, which are few enough for 64 bits together.
fn number(digits: &[u8], before: u64) -> Option<u64> {
    digits.iter().try_fold(before, |number, digit| {
        let digit = digit.wrapping_sub(b'0');
        (digit < 10).then(|| number * 10 + u64::from(digit))
    })
}

/// Digits, and perhaps a point and digits. Up to 15 digits are an integer that a float has exactly, as it has the power of ten,
/// so their quotient is the nearest float. Others are left to the parser, whose result is the nearest too.
#[expect(clippy::cast_precision_loss, reason = "integers below 2^53")]
fn float(field: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (is_negative, digits) = signed(field);
    let (whole, fraction) = match digits.iter().position(|&byte| byte == b'.') {
        Some(point) => (&digits[..point], Some(&digits[point + 1..])),
        None => (digits, None),
    };
    if whole.is_empty() || fraction.is_some_and(<[u8]>::is_empty) {
        return None;
    }
    let fraction = fraction.unwrap_or_default();
    let value = if whole.len() + fraction.len() <= 15 {
        number(fraction, number(whole, 0)?)? as f64 / POWERS[fraction.len()]
    } else if whole.iter().chain(fraction).all(u8::is_ascii_digit) {
        std::str::from_utf8(digits).ok()?.parse().ok()?
    } else {
        return None;
    };
    Some(if is_negative { -value } else { value })
}
