//! Patterns, compiled once for all rows.

use super::MatchOp;
use memchr::memmem::Finder;

/// A pattern for a string, from its first byte to its last.
///
/// [`LikePattern::codes`] is the form for the devices; the host searches for segments instead if it can.
#[derive(Debug)]
pub(crate) struct LikePattern {
    codes: Vec<u16>,
    /// The bytes between the runs; `None` if there is a [`LikePattern::ANY_CHARACTER`] among them.
    segments: Option<Vec<Finder<'static>>>,
    starts_open: bool,
    ends_open: bool,
}

impl LikePattern {
    /// The code of any one character; smaller codes are bytes.
    pub(crate) const ANY_CHARACTER: u16 = 256;
    /// The code of any number of characters, 0 included.
    pub(crate) const ANY_RUN: u16 = 257;

    pub(crate) fn new(op: MatchOp, pattern: &str) -> Self {
        let bytes = pattern.bytes().map(u16::from);
        let run = || std::iter::once(Self::ANY_RUN);
        let mut codes: Vec<u16> = match op {
            MatchOp::Prefix => bytes.chain(run()).collect(),
            MatchOp::Suffix => run().chain(bytes).collect(),
            MatchOp::Contains => run().chain(bytes).chain(run()).collect(),
            MatchOp::Like => like_codes(pattern, None),
            MatchOp::LikeEscape(escape) => like_codes(pattern, Some(escape)),
        };
        codes.dedup_by(|next, code| *next == Self::ANY_RUN && *code == Self::ANY_RUN);
        let segments = codes.split(|&code| code == Self::ANY_RUN).filter(|segment| !segment.is_empty());
        let segments = (!codes.contains(&Self::ANY_CHARACTER)).then(|| {
            segments
                .map(|segment| {
                    let bytes: Vec<u8> = segment.iter().map(|&code| code as u8).collect();
                    Finder::new(&bytes).into_owned()
                })
                .collect()
        });
        let starts_open = codes.first() == Some(&Self::ANY_RUN);
        let ends_open = codes.last() == Some(&Self::ANY_RUN);
        Self { codes, segments, starts_open, ends_open }
    }

    /// The pattern as codes.
    pub(crate) fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// A segment that every matching string contains, to search many strings at once.
    pub(crate) fn needle(&self) -> Option<&Finder<'static>> {
        if self.starts_open { self.segments.as_ref()?.first() } else { None }
    }

    /// Whether `text`, which is UTF-8, matches.
    pub(crate) fn is_match(&self, text: &[u8]) -> bool {
        match &self.segments {
            Some(segments) => self.match_segments(segments, text),
            None => match_codes(&self.codes, text),
        }
    }

    /// The first and the last segment are anchored unless that end is open. Between them, taking the leftmost
    /// occurrence of each segment leaves most for the rest.
    fn match_segments(&self, segments: &[Finder<'_>], text: &[u8]) -> bool {
        let (mut text, mut segments) = (text, segments);
        if !self.starts_open {
            let Some((first, rest)) = segments.split_first() else { return text.is_empty() };
            let Some(after) = text.strip_prefix(first.needle()) else { return false };
            if rest.is_empty() && !self.ends_open {
                return after.is_empty();
            }
            (text, segments) = (after, rest);
        }
        if !self.ends_open {
            let Some((last, rest)) = segments.split_last() else { return true };
            let Some(before) = text.strip_suffix(last.needle()) else { return false };
            (text, segments) = (before, rest);
        }
        segments.iter().all(|segment| {
            let found = segment.find(text);
            text = found.map_or(text, |at| &text[at + segment.needle().len()..]);
            found.is_some()
        })
    }
}

/// The codes of a pattern of `LIKE`. An escape at the end, after which there is nothing, stands for itself.
fn like_codes(pattern: &str, escape: Option<char>) -> Vec<u16> {
    let mut codes = Vec::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let (character, literal) = match escape {
            Some(escape) if character == escape => (characters.next().unwrap_or(escape), true),
            _ => (character, false),
        };
        match character {
            '%' if !literal => codes.push(LikePattern::ANY_RUN),
            '_' if !literal => codes.push(LikePattern::ANY_CHARACTER),
            other => codes.extend(other.encode_utf8(&mut [0; 4]).bytes().map(u16::from)),
        }
    }
    codes
}

/// Matches code by code. After a mismatch it returns to the last run and extends it by one character. Earlier
/// runs need no change, because the last one can match whatever they could.
fn match_codes(codes: &[u16], text: &[u8]) -> bool {
    let (mut code, mut at) = (0, 0);
    let mut retry = None;
    loop {
        let matched = match codes.get(code) {
            Some(&LikePattern::ANY_RUN) => {
                code += 1;
                retry = Some((code, at));
                continue;
            }
            Some(&LikePattern::ANY_CHARACTER) => character_bytes(text, at),
            Some(&byte) => usize::from(text.get(at).is_some_and(|&found| u16::from(found) == byte)),
            None if at == text.len() => return true,
            None => 0,
        };
        if matched > 0 {
            (code, at) = (code + 1, at + matched);
            continue;
        }
        let Some((after_run, start)) = retry else { return false };
        match character_bytes(text, start) {
            0 => return false,
            bytes => {
                (code, at) = (after_run, start + bytes);
                retry = Some((code, at));
            }
        }
    }
}

/// Bytes of the character that starts at `at`; 0 at the end.
fn character_bytes(text: &[u8], at: usize) -> usize {
    match text.get(at..) {
        Some([_, rest @ ..]) => 1 + rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count(),
        _ => 0,
    }
}
