//! Host implementation of `part`: a pass that finds where the parts are, and one that copies them.

use super::Part;
use crate::parallel::for_each_part;
use crate::scratch::Scratch;
use crate::strings::fault::Rows;
use crate::strings::split::{Fields, fields};
use crate::strings_view::{Span, Texts, build_strings};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, StringData, StringsView, View};
use columnade_buffers::{Buffer, Exec};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// No part: no part ends before it begins.
const NONE: u64 = u64::MAX;

/// The bytes of the character at a position.
fn character(text: &str, position: i64) -> Option<Range<usize>> {
    let count = usize::try_from(position.unsigned_abs()).ok()?;
    let (start, found) = if position >= 0 {
        text.char_indices().nth(count)?
    } else {
        text.char_indices().rev().nth(count - 1)?
    };
    Some(start..start + found.len_utf8())
}

/// What is before a separator, the separator, or what is after it.
fn partition(text: &str, separator: &str, field: usize, from_end: bool) -> Range<usize> {
    let found = if from_end { text.rfind(separator) } else { text.find(separator) };
    let (start, end) = match found {
        Some(at) => (at, at + separator.len()),
        None if from_end => (0, 0),
        None => (text.len(), text.len()),
    };
    match field {
        0 => 0..start,
        1 => start..end,
        _ => end..text.len(),
    }
}

/// The field at a position between single bytes: rows are mostly too short for a search by vectors.
fn between_bytes(text: &[u8], separator: u8, position: usize, limit: usize) -> Option<Range<usize>> {
    let mut found = text.iter().enumerate().filter(|(_, byte)| **byte == separator).map(|(at, _)| at);
    if position > limit {
        return None;
    }
    let start = if position == 0 { 0 } else { found.nth(position - 1)? + 1 };
    let end = if position == limit { None } else { found.next() };
    Some(start..end.unwrap_or(text.len()))
}

/// The field at a position.
fn between(text: &str, how: &Fields<'_>, position: i64) -> Option<Range<usize>> {
    if let Ok(position) = usize::try_from(position)
        && !how.from_end
    {
        if let Some(separator) = how.byte() {
            return between_bytes(text.as_bytes(), separator, position, how.limit);
        }
        let (mut at, mut found) = (0, None);
        fields(text, how, &mut |range| {
            if at == position {
                found = Some(range);
            }
            at += 1;
            at <= position
        });
        return found;
    }
    let mut all = smallvec::SmallVec::<[Range<usize>; 8]>::new();
    fields(text, how, &mut |range| {
        all.push(range);
        true
    });
    let at = if position >= 0 {
        usize::try_from(position).ok()?
    } else {
        all.len().checked_sub(usize::try_from(position.unsigned_abs()).ok()?)?
    };
    all.get(at).cloned()
}

pub(super) fn part(
    part: &Part<'_>,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let mut spans = Scratch::<u64>::uninit(input.len, exec)?;
    let invalid = AtomicBool::new(false);
    let each = |rows: Range<usize>, out: &mut [u64], find: &dyn Fn(&str) -> Option<Range<usize>>| {
        let texts = Texts::new(strings, valid, &rows);
        for (row, out) in rows.zip(out) {
            *out = NONE;
            if texts.is_null(row) {
                continue;
            }
            match texts.get(row) {
                Some(text) if u32::try_from(text.len()).is_ok() => {
                    if let Some(range) = find(text) {
                        *out = (range.start as u64) << 32 | range.len() as u64;
                    }
                }
                _ => invalid.store(true, Ordering::Relaxed),
            }
        }
    };
    let chunks = spans.as_mut_slice().chunks_mut(HOST_MORSEL_ROWS);
    for_each_part(chunks, |morsel, out: &mut [u64]| {
        let rows = morsel * HOST_MORSEL_ROWS..morsel * HOST_MORSEL_ROWS + out.len();
        match part {
            Part::Character(position) => each(rows, out, &|text| character(text, *position)),
            Part::Between { separator, position, limit, from_end } => {
                let how = Fields::new(*separator, *limit, *from_end);
                each(rows, out, &|text| between(text, &how, *position));
            }
            Part::Partition { separator, field, from_end } => {
                each(rows, out, &|text| Some(partition(text, separator, *field, *from_end)));
            }
            Part::Group(pattern, 0) => pattern.with(|regex| {
                each(rows, out, &|text| regex.find(text).map(|found| found.range()));
            }),
            Part::Group(pattern, group) => pattern.with(|regex| {
                let places = std::cell::RefCell::new(regex.capture_locations());
                each(rows, out, &|text| {
                    let mut places = places.borrow_mut();
                    regex.captures_read(&mut places, text)?;
                    places.get(*group).map(|(start, end)| start..end)
                });
            }),
        }
    });
    Rows::Utf8Of32Bits.check(invalid.into_inner())?;
    let spans = spans.as_slice();
    let any_missing = spans.contains(&NONE);
    let validity = if any_missing {
        Some(crate::morsel::build_bits(input.len, exec, |rows, words| {
            words.fill(0);
            let first = rows.start;
            for row in rows {
                words[(row - first) / 64] |= u64::from(spans[row] != NONE) << ((row - first) % 64);
            }
        })?)
    } else {
        validity
    };
    build_strings(input.len, validity, exec, |row| {
        let found = spans[row];
        if found == NONE {
            return Span::default();
        }
        Span {
            tail: &strings.span(row).tail[(found >> 32) as usize..],
            len: (found & u64::from(u32::MAX)) as usize,
        }
    })
}
