//! Host implementation of `transform` and `join`: a pass for the sizes, and one for the bytes.

use super::{Side, Transform, case};
use crate::strings::regex::Pattern;
use crate::strings::slice::bytes_of;
use crate::strings_view::{Strings, build_appended, build_written};
use crate::{Error, Result, StringData, StringsView, View, ViewGuard};
use columnade_buffers::{Buffer, Exec};
use memchr::memmem::Finder;
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

/// A transform, prepared for many rows.
struct Prepared<'a> {
    transform: &'a Transform,
    /// Of what is replaced.
    finder: Option<Finder<'a>>,
}

impl<'a> Prepared<'a> {
    fn new(transform: &'a Transform) -> Self {
        let finder = match transform {
            Transform::Replace { from, .. } if !from.is_empty() => Some(Finder::new(from.as_bytes())),
            _ => None,
        };
        Self { transform, finder }
    }

    fn apply(&self, text: &str, out: &mut impl Sink) {
        match self.transform {
            Transform::Lower if text.is_ascii() => out.ascii(text.as_bytes(), <[u8]>::make_ascii_lowercase),
            Transform::Lower => out.text(text.to_lowercase().as_bytes()),
            Transform::Upper if text.is_ascii() => out.ascii(text.as_bytes(), <[u8]>::make_ascii_uppercase),
            Transform::Upper => out.text(text.to_uppercase().as_bytes()),
            Transform::Capitalize => capitalize(text, out),
            Transform::Title => title(text, out),
            Transform::Strip(side, characters) => {
                out.text(stripped(text, *side, characters.as_deref()).as_bytes());
            }
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
            Transform::Replace { from, to, limit } => {
                let limit = limit.unwrap_or(usize::MAX);
                match &self.finder {
                    Some(finder) => replace(text.as_bytes(), finder, from.len(), to.as_bytes(), limit, out),
                    None => insert(text, to.as_bytes(), limit, out),
                }
            }
            Transform::SwapCase => text.chars().for_each(|character| {
                if character.is_uppercase() {
                    character.to_lowercase().for_each(|lower| out.character(lower));
                } else {
                    character.to_uppercase().for_each(|upper| out.character(upper));
                }
            }),
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
            Transform::RemovePrefix(prefix) => {
                out.text(text.strip_prefix(&**prefix).unwrap_or(text).as_bytes());
            }
            Transform::RemoveSuffix(suffix) => {
                out.text(text.strip_suffix(&**suffix).unwrap_or(text).as_bytes());
            }
        }
    }
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

fn stripped<'a>(text: &'a str, side: Side, characters: Option<&[char]>) -> &'a str {
    match (side, characters) {
        (Side::Left, None) => text.trim_start(),
        (Side::Right, None) => text.trim_end(),
        (Side::Both, None) => text.trim(),
        (Side::Left, Some(characters)) => text.trim_start_matches(characters),
        (Side::Right, Some(characters)) => text.trim_end_matches(characters),
        (Side::Both, Some(characters)) => text.trim_matches(characters),
    }
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

fn replace(text: &[u8], finder: &Finder<'_>, len: usize, to: &[u8], limit: usize, out: &mut impl Sink) {
    let mut at = 0;
    for found in finder.find_iter(text).take(limit) {
        out.text(&text[at..found]);
        out.text(to);
        at = found + len;
    }
    out.text(&text[at..]);
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

pub(super) fn transform(
    transform: &Transform,
    input: &StringsView<'_>,
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let prepared = Prepared::new(transform);
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let text = |row: usize| {
        if valid.is_none_or(|bits| bits.get(row)) {
            std::str::from_utf8(strings.get(row)).ok()
        } else {
            Some("")
        }
    };
    let is_null = |row: usize| valid.is_some_and(|bits| !bits.get(row));
    let size = |row: usize| {
        let text = text(row)?;
        let mut count = Count(0);
        if !is_null(row) {
            prepared.apply(text, &mut count);
        }
        Some(count.0)
    };
    let write = |row: usize, out: &mut [u8]| {
        if let Some(text) = text(row)
            && !is_null(row)
        {
            prepared.apply(text, &mut Bytes(out));
        }
    };
    build_written(input.len, validity, exec, &size, &write)
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
    let append = |rows: std::ops::Range<usize>, bytes: &mut Vec<u8>, ends: &mut Vec<usize>| {
        pattern.with(|regex| {
            for row in rows {
                if valid.is_none_or(|bits| bits.get(row)) {
                    match std::str::from_utf8(strings.get(row)) {
                        Ok(text) if is_none => bytes.extend_from_slice(text.as_bytes()),
                        Ok(text) => bytes.extend_from_slice(regex.replacen(text, limit, to).as_bytes()),
                        Err(_) => not_utf8.store(true, Ordering::Relaxed),
                    }
                }
                ends.push(bytes.len());
            }
        });
    };
    let made = build_appended(input.len, validity, exec, &append)?;
    if not_utf8.into_inner() {
        return Err(Error::InvalidArgument { name: "strings", reason: "a row is not UTF-8" });
    }
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
