//! Host implementation of `transform` and `join`: a pass for the sizes, and one for the bytes.

use super::{Side, Transform, case};
use crate::strings::fault::Rows;
use crate::strings::regex::Pattern;
use crate::strings::search::each_occurrence;
use crate::strings::slice::bytes_of;
use crate::strings_view::{
    Ends, Span, Strings, Texts, append, build_appended, build_morsels, build_strings, build_written,
    check_utf8,
};
use crate::{Result, StringData, StringsView, View, ViewGuard};
use columnade_buffers::{Buffer, Exec};
use memchr::memmem::Finder;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a row goes: counted in the first pass, written in the second.
trait Sink {
    fn text(&mut self, text: &[u8]);
    /// `text` of ASCII, each byte as `map` has it.
    fn ascii(&mut self, text: &[u8], map: fn(&mut [u8]));
    /// `text` so many times.
    fn repeated(&mut self, text: &[u8], count: usize);
    fn character(&mut self, character: char) {
        self.text(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// The bytes so far; no more than can be counted.
struct Count(usize);

impl Sink for Count {
    fn text(&mut self, text: &[u8]) {
        self.0 = self.0.saturating_add(text.len());
    }

    fn ascii(&mut self, text: &[u8], _: fn(&mut [u8])) {
        self.text(text);
    }

    fn repeated(&mut self, text: &[u8], count: usize) {
        self.0 = self.0.saturating_add(text.len().saturating_mul(count));
    }
}

/// What is left to write of a row.
struct Bytes<'a>(&'a mut [u8]);

impl Bytes<'_> {
    fn take(&mut self, len: usize) -> &mut [u8] {
        let out = std::mem::take(&mut self.0);
        let (part, rest) = out.split_at_mut(len);
        self.0 = rest;
        part
    }
}

impl Sink for Bytes<'_> {
    fn text(&mut self, text: &[u8]) {
        self.take(text.len()).copy_from_slice(text);
    }

    fn ascii(&mut self, text: &[u8], map: fn(&mut [u8])) {
        let out = self.take(text.len());
        out.copy_from_slice(text);
        map(out);
    }

    fn repeated(&mut self, text: &[u8], count: usize) {
        if !text.is_empty() {
            (0..count).for_each(|_| self.text(text));
        }
    }
}

/// A transform of rows.
struct Prepared<'a> {
    transform: &'a Transform,
}

impl Prepared<'_> {
    fn apply(&self, text: &str, out: &mut impl Sink) {
        match self.transform {
            Transform::Lower if text.is_ascii() => out.ascii(text.as_bytes(), <[u8]>::make_ascii_lowercase),
            Transform::Lower => out.text(text.to_lowercase().as_bytes()),
            Transform::Upper if text.is_ascii() => out.ascii(text.as_bytes(), <[u8]>::make_ascii_uppercase),
            Transform::Upper => out.text(text.to_uppercase().as_bytes()),
            Transform::Capitalize => capitalize(text, out),
            Transform::Title => title(text, out),
            Transform::Pad { width, fill, side } => pad(text, *width, *fill, *side, out),
            Transform::ZFill(width) => {
                let (sign, digits) = text.split_at(usize::from(text.starts_with(['+', '-'])));
                out.text(sign.as_bytes());
                out.repeated(b"0", width.saturating_sub(text.chars().count()));
                out.text(digits.as_bytes());
            }
            Transform::Repeat(count) => out.repeated(text.as_bytes(), *count),
            Transform::Reverse if text.is_ascii() => out.ascii(text.as_bytes(), <[u8]>::reverse),
            Transform::Reverse => text.chars().rev().for_each(|character| out.character(character)),
            // With an empty `from`; others are replaced in many rows at a time.
            Transform::Replace { to, limit, .. } => {
                insert(text, to.as_bytes(), limit.unwrap_or(usize::MAX), out);
            }
            Transform::SwapCase => swap_case(text, out),
            Transform::SliceReplace(range, with) => {
                let taken = bytes_of(text.as_bytes(), *range);
                out.text(&text.as_bytes()[..taken.start]);
                out.text(with.as_bytes());
                out.text(&text.as_bytes()[taken.end..]);
            }
            Transform::Translate(map) => {
                for character in text.chars() {
                    match map.iter().find(|(from, _)| *from == character) {
                        Some((_, Some(to))) => out.character(*to),
                        Some((_, None)) => {}
                        None => out.character(character),
                    }
                }
            }
            Transform::Strip(..) | Transform::RemovePrefix(_) | Transform::RemoveSuffix(_) => {
                out.text(&text.as_bytes()[self.kept(text.as_bytes())]);
            }
        }
    }

    /// The bytes of a row that a transform keeps.
    fn kept(&self, text: &[u8]) -> Range<usize> {
        match self.transform {
            Transform::Strip(side, None) => stripped(text, *side, &is_space, &char::is_whitespace),
            Transform::Strip(side, Some(characters)) => {
                let is = |character: char| characters.contains(&character);
                stripped(text, *side, &|byte| is(char::from(byte)), &is)
            }
            Transform::RemovePrefix(prefix) if text.starts_with(prefix.as_bytes()) => {
                prefix.len()..text.len()
            }
            Transform::RemoveSuffix(suffix) if text.ends_with(suffix.as_bytes()) => {
                0..text.len() - suffix.len()
            }
            _ => 0..text.len(),
        }
    }
}

/// White space among ASCII.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// What is between characters at the ends: `is_byte` says of ASCII whether it is one of them, `is` of others.
fn stripped(
    text: &[u8],
    side: Side,
    is_byte: &dyn Fn(u8) -> bool,
    is: &dyn Fn(char) -> bool,
) -> Range<usize> {
    let (mut start, mut end) = (0, text.len());
    if side != Side::Right {
        while start < end && text[start].is_ascii() && is_byte(text[start]) {
            start += 1;
        }
    }
    if side != Side::Left {
        while start < end && text[end - 1].is_ascii() && is_byte(text[end - 1]) {
            end -= 1;
        }
    }
    let is_open = |at: usize| start < end && !text[at].is_ascii();
    if (side != Side::Right && is_open(start) || side != Side::Left && is_open(end.saturating_sub(1)))
        && let Ok(rest) = std::str::from_utf8(&text[start..end])
    {
        let after = if side == Side::Right { rest } else { rest.trim_start_matches(is) };
        let both = if side == Side::Left { after } else { after.trim_end_matches(is) };
        start += rest.len() - after.len();
        end = start + both.len();
    }
    start..end
}

fn capitalize(text: &str, out: &mut impl Sink) {
    let Some(first) = text.chars().next() else { return };
    case::title(first, &mut |character| out.character(character));
    let rest = &text[first.len_utf8()..];
    if rest.is_ascii() {
        out.ascii(rest.as_bytes(), <[u8]>::make_ascii_lowercase);
    } else {
        // With the first character, since a sigma at the end of a word has a form of its own.
        let lower = text.to_lowercase();
        let skipped: usize = first.to_lowercase().map(char::len_utf8).sum();
        out.text(&lower.as_bytes()[skipped..]);
    }
}

fn swap_case(text: &str, out: &mut impl Sink) {
    // A capital sigma becomes what it is in the whole text in lower case, where it may be the last letter of a word.
    let lower = if text.contains('Σ') { text.to_lowercase() } else { String::new() };
    let mut lower = lower.chars();
    for character in text.chars() {
        let in_lower = character.to_lowercase();
        let of_text = lower.by_ref().take(in_lower.len()).last();
        if character.is_uppercase() {
            match of_text {
                Some(sigma) if character == 'Σ' => out.character(sigma),
                _ => in_lower.for_each(|lower| out.character(lower)),
            }
        } else if character.is_lowercase() {
            character.to_uppercase().for_each(|upper| out.character(upper));
        } else {
            // Letters of title case too.
            out.character(character);
        }
    }
}

fn title(text: &str, out: &mut impl Sink) {
    let mut rest = text;
    while let Some(start) = rest.find(case::is_cased) {
        out.text(&rest.as_bytes()[..start]);
        let word = &rest[start..];
        let end = word.find(|character| !case::is_cased(character)).unwrap_or(word.len());
        capitalize(&word[..end], out);
        rest = &word[end..];
    }
    out.text(rest.as_bytes());
}

fn pad(text: &str, width: usize, fill: char, side: Side, out: &mut impl Sink) {
    let missing = width.saturating_sub(text.chars().count());
    let left = match side {
        Side::Left => missing,
        Side::Right => 0,
        // As Python's `center`.
        Side::Both => missing / 2 + (missing & width & 1),
    };
    let mut buffer = [0; 4];
    let fill = fill.encode_utf8(&mut buffer).as_bytes();
    out.repeated(fill, left);
    out.text(text.as_bytes());
    out.repeated(fill, missing - left);
}

/// `to` before each character and at the end.
fn insert(text: &str, to: &[u8], limit: usize, out: &mut impl Sink) {
    let mut left = limit;
    let mut insert = |out: &mut dyn FnMut(&[u8])| {
        if left > 0 {
            out(to);
            left -= 1;
        }
    };
    for character in text.chars() {
        insert(&mut |text| out.text(text));
        out.character(character);
    }
    insert(&mut |text| out.text(text));
}

/// Changes the case of ASCII.
fn map_bytes(transform: &Transform, bytes: &[u8], out: &mut [u8]) {
    let out = out.iter_mut().zip(bytes);
    match transform {
        Transform::Lower => out.for_each(|(out, byte)| *out = byte.to_ascii_lowercase()),
        Transform::Upper => out.for_each(|(out, byte)| *out = byte.to_ascii_uppercase()),
        _ => out.for_each(|(out, byte)| *out = byte ^ (u8::from(byte.is_ascii_alphabetic()) << 5)),
    }
}

pub(super) fn transform(
    transform: &Transform,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let prepared = Prepared { transform };
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    match transform {
        Transform::Strip(..) | Transform::RemovePrefix(_) | Transform::RemoveSuffix(_) => {
            check_utf8(strings, valid, input.len)?;
            return build_strings(input.len, validity, exec, |row| {
                if valid.is_some_and(|bits| !bits.get(row)) {
                    return Span::default();
                }
                let Span { tail, len } = strings.span(row);
                let kept = prepared.kept(&tail[..len]);
                Span { tail: &tail[kept.start..], len: kept.len() }
            });
        }
        Transform::Replace { from, to, limit } if !from.is_empty() => {
            check_utf8(strings, valid, input.len)?;
            let replaced = Replaced { from, to, limit: limit.unwrap_or(usize::MAX) };
            return replace(strings, input.len, &replaced, validity, exec);
        }
        _ => {}
    }
    let keeps_sizes = matches!(transform, Transform::Lower | Transform::Upper | Transform::SwapCase);
    let bytes_of_rows =
        |rows: &Range<usize>| strings.bytes(strings.start(rows.start), strings.start(rows.end));
    let size = |rows: Range<usize>| {
        let texts = Texts::new(strings, valid, &rows);
        if keeps_sizes && texts.is_ascii() {
            return Some(bytes_of_rows(&rows).len());
        }
        let mut count = Count(0);
        for row in rows {
            let text = texts.get(row)?;
            if !texts.is_null(row) {
                prepared.apply(text, &mut count);
            }
        }
        Some(count.0)
    };
    let write = |rows: Range<usize>, chars: &mut [u8], ends: &mut Ends<'_>| {
        let texts = Texts::new(strings, valid, &rows);
        if keeps_sizes && texts.is_ascii() {
            map_bytes(transform, bytes_of_rows(&rows), chars);
            return ends.copy(strings, rows);
        }
        let whole = chars.len();
        let mut out = Bytes(chars);
        for (position, row) in rows.enumerate() {
            if let Some(text) = texts.get(row)
                && !texts.is_null(row)
            {
                prepared.apply(text, &mut out);
            }
            ends.set(position, whole - out.0.len());
        }
    };
    build_morsels(input.len, validity, exec, &size, &write)
}

/// Bytes after a text that is copied again and again, so that a fixed number of bytes is copied.
const COPIED: [u8; 16] = [0; 16];

/// What replaces a text that is not empty, at most so often in a row.
struct Replaced<'a> {
    from: &'a str,
    to: &'a str,
    limit: usize,
}

/// What is between occurrences is copied at once, whole rows too.
fn replace(
    strings: Strings<'_>,
    rows: usize,
    replaced: &Replaced<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let Replaced { from, to, limit } = *replaced;
    let finder = Finder::new(from.as_bytes());
    let padded = [to.as_bytes(), &COPIED].concat();
    let size = |rows: Range<usize>| {
        let bytes = strings.start(rows.end) - strings.start(rows.start);
        let mut found = 0_usize;
        each_occurrence(strings, rows, &finder, limit, &mut |_, _| found += 1);
        Some((bytes - found * from.len()).saturating_add(found.saturating_mul(to.len())))
    };
    let write = |rows: Range<usize>, chars: &mut [u8], ends: &mut Ends<'_>| {
        let first = rows.start;
        // What is read next, where it is written, and the row that has no end yet.
        let (mut read, mut at, mut open) = (strings.start(first), 0, first);
        let mut close = |to: usize, read: usize, at: usize| {
            for row in open..to {
                ends.set(row - first, at + strings.start(row + 1) - read);
            }
            open = open.max(to);
        };
        each_occurrence(strings, rows.clone(), &finder, limit, &mut |row, found| {
            close(row, read, at);
            at = append(chars, at, Span { tail: strings.tail(read), len: found - read });
            at = append(chars, at, Span { tail: &padded, len: to.len() });
            read = found + from.len();
        });
        close(rows.end, read, at);
        append(chars, at, Span { tail: strings.tail(read), len: strings.start(rows.end) - read });
    };
    build_morsels(rows, validity, exec, &size, &write)
}

pub(super) fn replace_regex(
    pattern: &Pattern,
    to: &str,
    limit: Option<usize>,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let not_utf8 = AtomicBool::new(false);
    // A number of zero means all to the crate.
    let is_none = limit == Some(0);
    let limit = limit.unwrap_or(0);
    let append = |rows: Range<usize>, bytes: &mut Vec<u8>, ends: &mut Vec<usize>| {
        let texts = Texts::new(strings, valid, &rows);
        bytes.reserve(strings.start(rows.end) - strings.start(rows.start));
        pattern.with(|regex| {
            for row in rows {
                if !texts.is_null(row) {
                    match texts.get(row) {
                        Some(text) if is_none => bytes.extend_from_slice(text.as_bytes()),
                        Some(text) => bytes.extend_from_slice(regex.replacen(text, limit, to).as_bytes()),
                        None => not_utf8.store(true, Ordering::Relaxed),
                    }
                }
                ends.push(bytes.len());
            }
        });
    };
    let made = build_appended(input.len, validity, exec, &append)?;
    Rows::Utf8.check(not_utf8.into_inner())?;
    Ok(made)
}

pub(super) fn join(
    inputs: &[StringsView<'_>],
    separator: &str,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let rows = inputs.first().map_or(0, |input| input.len);
    let views: Vec<View<'_>> = inputs.iter().map(|input| View::String(*input)).collect();
    let guards = views.iter().map(|view| view.read(exec)).collect::<Result<Vec<ViewGuard<'_>>>>()?;
    let columns: Vec<(Strings<'_>, _)> =
        guards.iter().map(|guard| (guard.strings(), guard.validity())).collect();
    let propagates = validity.is_some();
    let joined = |row: usize, out: &mut dyn FnMut(&[u8])| {
        let is_valid = |bits: &Option<crate::bits::BitSlice<'_>>| bits.is_none_or(|bits| bits.get(row));
        if propagates && !columns.iter().all(|(_, bits)| is_valid(bits)) {
            return;
        }
        let mut is_first = true;
        for (strings, _) in columns.iter().filter(|(_, bits)| is_valid(bits)) {
            if !is_first {
                out(separator.as_bytes());
            }
            is_first = false;
            out(strings.get(row));
        }
    };
    let size = |row: usize| {
        let mut count = Count(0);
        joined(row, &mut |text| count.text(text));
        Some(count.0)
    };
    let write = |row: usize, out: &mut [u8]| {
        let mut out = Bytes(out);
        joined(row, &mut |text| out.text(text));
    };
    build_written(rows, validity, exec, &size, &write)
}
