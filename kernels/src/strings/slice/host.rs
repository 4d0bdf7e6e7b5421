//! Host implementation of `slice`.

use super::CharRange;
use crate::strings_view::{Span, build_strings, is_ascii};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, StringData, StringsView, View, morsel};
use columnade_buffers::Exec;
use std::ops::Range;

/// Whether a byte of UTF-8 is the first one of a character.
fn starts_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// The position of the byte after `count` characters from `at` on; the end if there are fewer.
fn after(text: &[u8], at: usize, count: u64) -> usize {
    let rest = &text[at..];
    // At least as many bytes as characters.
    if count >= rest.len() as u64 {
        return text.len();
    }
    let starts = rest.iter().enumerate().filter(|&(_, &byte)| starts_character(byte));
    starts.map(|(position, _)| at + position).nth(count as usize).unwrap_or(text.len())
}

/// The bytes of the characters of `range`.
pub(in crate::strings) fn bytes_of(text: &[u8], range: CharRange) -> Range<usize> {
    let CharRange { offset, mut length } = range;
    let start = if offset >= 0 {
        after(text, 0, offset.unsigned_abs())
    } else {
        let characters = text.iter().filter(|&&byte| starts_character(byte)).count() as u64;
        let back = offset.unsigned_abs();
        // What is before the first character counts towards the length.
        length = length.map(|length| length.saturating_sub(back.saturating_sub(characters)));
        after(text, 0, characters.saturating_sub(back))
    };
    let end = length.map_or(text.len(), |length| after(text, start, length));
    start..end
}

/// The bytes of the characters of `range` in `len` bytes that are characters each.
fn of_ascii(len: usize, range: CharRange) -> Range<usize> {
    let CharRange { offset, mut length } = range;
    let distance = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    let start = if offset >= 0 {
        distance.min(len)
    } else {
        // What is before the first character counts towards the length.
        length = length.map(|length| length.saturating_sub(distance.saturating_sub(len) as u64));
        len.saturating_sub(distance)
    };
    let length = length.map_or(usize::MAX, |length| usize::try_from(length).unwrap_or(usize::MAX));
    start..start + length.min(len - start)
}

pub(super) fn slice(input: &StringsView<'_>, range: CharRange, exec: &Exec) -> Result<StringData> {
    let guard = View::String(*input).read(exec)?;
    let strings = guard.strings();
    let are_ascii = morsel::map(input.len, |rows| is_ascii(strings, &rows));
    build_strings(input.len, None, exec, |row| {
        let Span { tail, len } = strings.span(row);
        let bytes = if are_ascii[row / HOST_MORSEL_ROWS] {
            of_ascii(len, range)
        } else {
            bytes_of(&tail[..len], range)
        };
        Span { tail: &tail[bytes.start..], len: bytes.len() }
    })
}
