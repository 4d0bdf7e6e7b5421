//! Host implementation of `split`: a pass that finds the parts, and one that copies them.

use super::{Lists, Split};
use crate::strings::fault::Rows;
use crate::strings_view::{Span, Texts, build_strings};
use crate::{OffsetWidth, Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Device, Exec, require_system_memory, system_has_memory};
use memchr::memmem::{Finder, FinderRev};
use std::ops::Range;

/// How strings are split, prepared for many rows.
pub(in crate::strings) struct Fields<'a> {
    separator: Option<&'a str>,
    finder: Finder<'a>,
    reverse: FinderRev<'a>,
    pub(in crate::strings) limit: usize,
    pub(in crate::strings) from_end: bool,
}

impl<'a> Fields<'a> {
    pub(in crate::strings) fn new(separator: Option<&'a str>, limit: Option<usize>, from_end: bool) -> Self {
        // An empty separator is between characters, as cuDF and Polars have it.
        let needle = separator.unwrap_or(" ").as_bytes();
        let (finder, reverse) = (Finder::new(needle), FinderRev::new(needle));
        Self { separator, finder, reverse, limit: limit.unwrap_or(usize::MAX), from_end }
    }

    /// The separator, if it is one byte.
    pub(in crate::strings) fn byte(&self) -> Option<u8> {
        match self.separator?.as_bytes() {
            [byte] => Some(*byte),
            _ => None,
        }
    }
}

/// Calls `each` with the bytes of each field in order, until it returns false.
pub(in crate::strings) fn fields(text: &str, how: &Fields<'_>, each: &mut dyn FnMut(Range<usize>) -> bool) {
    match (how.separator, how.from_end) {
        (Some(""), _) => characters(text, how, each),
        (Some(separator), false) => {
            let mut start = 0;
            for found in how.finder.find_iter(text.as_bytes()).take(how.limit) {
                if !each(start..found) {
                    return;
                }
                start = found + separator.len();
            }
            each(start..text.len());
        }
        (Some(separator), true) => {
            let mut found = smallvec::SmallVec::<[Range<usize>; 8]>::new();
            let mut end = text.len();
            while found.len() < how.limit
                && let Some(at) = how.reverse.rfind(&text.as_bytes()[..end])
            {
                found.push(at + separator.len()..end);
                end = at;
            }
            found.push(0..end);
            for range in found.into_iter().rev() {
                if !each(range) {
                    return;
                }
            }
        }
        (None, from_end) => words(text, how.limit, from_end, each),
    }
}

fn characters(text: &str, how: &Fields<'_>, each: &mut dyn FnMut(Range<usize>) -> bool) {
    let count = text.chars().count();
    // The separators are between characters: one fewer.
    let used = count.saturating_sub(1).min(how.limit);
    let whole = if how.from_end { count - used.min(count) } else { 1 };
    let mut ends = text.char_indices().map(|(at, character)| at + character.len_utf8());
    let mut start = 0;
    for field in 0..=used {
        let end = match (field, how.from_end) {
            (0, true) => ends.nth(whole.saturating_sub(1)),
            (field, false) if field == used => Some(text.len()),
            _ => ends.next(),
        };
        let end = end.unwrap_or(text.len());
        if !each(start..end) {
            return;
        }
        start = end;
    }
}

/// Words between runs of white space.
fn words(text: &str, limit: usize, from_end: bool, each: &mut dyn FnMut(Range<usize>) -> bool) {
    let mut all = smallvec::SmallVec::<[Range<usize>; 8]>::new();
    if from_end {
        let mut rest = text.trim_end();
        while !rest.is_empty() {
            if all.len() == limit {
                all.push(0..rest.len());
                break;
            }
            let end = rest.len();
            let start = rest.char_indices().rev().find(|(_, character)| character.is_whitespace());
            let start = start.map_or(0, |(at, character)| at + character.len_utf8());
            all.push(start..end);
            rest = rest[..start].trim_end();
        }
        all.reverse();
        for range in all {
            if !each(range) {
                return;
            }
        }
        return;
    }
    // What is left at the limit keeps its white space at the end, as in Python.
    let mut rest = text.trim_start();
    let mut found = 0;
    while !rest.is_empty() {
        let start = text.len() - rest.len();
        let len =
            if found == limit { rest.len() } else { rest.find(char::is_whitespace).unwrap_or(rest.len()) };
        if !each(start..start + len) {
            return;
        }
        found += 1;
        rest = rest[len..].trim_start();
    }
}

/// The parts of the rows of a morsel: the bytes within their row, and how many each row has.
#[derive(Default)]
struct Found {
    spans: Vec<(u32, u32)>,
    counts: Vec<u32>,
    is_invalid: bool,
    /// Bytes that the system does not have for the parts.
    refused: usize,
}

impl Found {
    fn push(&mut self, range: &Range<usize>) {
        if self.spans.len() == self.spans.capacity() {
            let grown = 2 * self.spans.capacity() * size_of::<(u32, u32)>();
            if self.refused > 0 || !system_has_memory(grown) {
                self.refused = grown;
                return;
            }
        }
        self.spans.push((range.start as u32, range.len() as u32));
    }
}

/// Finds the parts of a string, and hands each on.
type Find<'a> = dyn FnMut(&str, &mut dyn FnMut(Range<usize>)) + 'a;

pub(super) fn split(split: &Split<'_>, input: &StringsView<'_>, exec: &Exec) -> Result<Lists> {
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let of_rows = |rows: Range<usize>, find: &mut Find<'_>| {
        let mut found = Found::default();
        let texts = Texts::new(strings, valid, &rows);
        for row in rows {
            let before = found.spans.len();
            if !texts.is_null(row) {
                match texts.get(row) {
                    Some(text) if u32::try_from(text.len()).is_ok() => {
                        find(text, &mut |range| found.push(&range));
                    }
                    _ => found.is_invalid = true,
                }
            }
            found.counts.push((found.spans.len() - before) as u32);
        }
        found
    };
    let found = morsel::map(input.len, |rows| match split {
        Split::Literal { separator, limit, from_end } => {
            let how = Fields::new(*separator, *limit, *from_end);
            of_rows(rows, &mut |text, each| {
                fields(text, &how, &mut |range| {
                    each(range);
                    true
                });
            })
        }
        Split::Regex(pattern, limit) => pattern.with(|regex| {
            of_rows(rows, &mut |text, each| {
                let mut start = 0;
                for found in regex.find_iter(text).take(limit.unwrap_or(usize::MAX)) {
                    each(start..found.start());
                    start = found.end();
                }
                each(start..text.len());
            })
        }),
        Split::Matches(pattern, 0) => pattern.with(|regex| {
            of_rows(rows, &mut |text, each| regex.find_iter(text).for_each(|found| each(found.range())))
        }),
        Split::Matches(pattern, group) => pattern.with(|regex| {
            of_rows(rows, &mut |text, each| {
                for found in regex.captures_iter(text) {
                    each(found.get(*group).map_or(0..0, |found| found.range()));
                }
            })
        }),
    });
    Rows::Utf8Of32Bits.check(found.iter().any(|found| found.is_invalid))?;
    let refused = found.iter().map(|found| found.refused).max().unwrap_or(0);
    if refused > 0 {
        let (device, requested) = (Device::Host, refused);
        let (free, tier_refusal) = (None, None);
        return Err(columnade_buffers::Error::OutOfMemory { device, requested, free, tier_refusal }.into());
    }
    require_system_memory(size_of::<i64>().saturating_mul(input.len.saturating_add(1)))?;
    let parts: usize = found.iter().map(|found| found.spans.len()).sum();
    let counts = || found.iter().flat_map(|found| &found.counts);
    let offset_width = if i32::try_from(parts).is_ok() { OffsetWidth::I32 } else { OffsetWidth::I64 };
    let mut end = 0_i64;
    let mut next = |count: &u32| {
        end += i64::from(*count);
        end
    };
    let offsets = match offset_width {
        OffsetWidth::I32 => {
            let all: Vec<i32> = std::iter::once(0).chain(counts().map(|count| next(count) as i32)).collect();
            Buffer::from_slice(&all, exec)?
        }
        OffsetWidth::I64 => {
            let all: Vec<i64> = std::iter::once(0).chain(counts().map(&mut next)).collect();
            Buffer::from_slice(&all, exec)?
        }
    };
    // The bytes of each part in the column, as a list over all morsels.
    let mut places = crate::scratch::Scratch::<[u64; 2]>::uninit(parts, exec)?;
    let mut out = places.as_mut_slice().iter_mut();
    let mut row = 0;
    for found in &found {
        let mut spans = found.spans.iter();
        for &count in &found.counts {
            let start = strings.start(row) as u64;
            for (&(at, len), place) in spans.by_ref().take(count as usize).zip(out.by_ref()) {
                *place = [start + u64::from(at), u64::from(len)];
            }
            row += 1;
        }
    }
    let places = places.as_slice();
    let parts = build_strings(parts, None, exec, |part| {
        let [start, len] = places[part];
        Span { tail: strings.tail(start as usize), len: len as usize }
    })?;
    Ok(Lists { offsets, offset_width, parts })
}
