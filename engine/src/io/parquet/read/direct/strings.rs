//! Strings and binary values, decoded into the bytes and the offsets of their column.

use std::ops::Range;

use super::codes::{Codes, Run};
use super::pages::Sink;

/// Bytes that are copied at once where there is space: shorter values take no loop, and the next value is written over
/// the excess.
const STEP: usize = 32;

/// Where bytes go.
pub(super) enum Space<'a> {
    /// Exactly as many as the footer says, in the column.
    Whole(&'a mut [u8]),
    /// As many as come.
    Growing(Vec<u8>),
}

impl Space<'_> {
    /// The space, which has grown to so many bytes if it can.
    fn at_least(&mut self, bytes: usize) -> Option<&mut [u8]> {
        match self {
            Space::Whole(space) => Some(space),
            Space::Growing(space) => {
                if bytes > space.len() {
                    // Offsets have 32 bits.
                    i32::try_from(bytes).ok()?;
                    space.try_reserve(bytes - space.len()).ok()?;
                    space.resize(space.capacity(), 0);
                }
                Some(space)
            }
        }
    }
}

/// Rows of a column.
pub(super) struct Strings<'a> {
    /// Where each row ends.
    ends: &'a mut [i32],
    space: Space<'a>,
    /// The offset of the first byte.
    base: i32,
    /// Bytes so far.
    len: usize,
    /// The next row.
    row: usize,
    /// The values that codes stand for, one after the other, and bytes after them that can be copied in excess.
    dictionary: Vec<u8>,
    spans: Vec<(usize, usize)>,
    longest: usize,
    /// Whether they are to be UTF-8.
    is_utf8: bool,
}

impl<'a> Strings<'a> {
    pub(super) fn new(ends: &'a mut [i32], space: Space<'a>, base: i32, is_utf8: bool) -> Self {
        Self { ends, space, base, len: 0, row: 0, dictionary: vec![], spans: vec![], longest: 0, is_utf8 }
    }

    /// The bytes that grew, where all rows have got their values and all space is taken.
    pub(super) fn finish(mut self) -> Option<Vec<u8>> {
        self.skip_to(self.ends.len())?;
        match self.space {
            Space::Whole(space) => (self.len == space.len()).then(Vec::new),
            Space::Growing(mut space) => {
                space.truncate(self.len);
                Some(space)
            }
        }
    }

    fn end(&self, len: usize) -> Option<i32> {
        self.base.checked_add(i32::try_from(len).ok()?)
    }

    /// Rows without values before `row`.
    fn skip_to(&mut self, row: usize) -> Option<()> {
        let end = self.end(self.len)?;
        self.ends.get_mut(self.row..row)?.fill(end);
        self.row = row;
        Some(())
    }
}

/// Copies `from[start..][..length]` to `to[at..]`, and perhaps what follows it.
fn copy(from: &[u8], start: usize, length: usize, to: &mut [u8], at: usize) -> Option<()> {
    let (from, to) = (from.get(start..)?, to.get_mut(at..)?);
    if length <= STEP
        && let (Some(from), Some(to)) = (from.first_chunk::<STEP>(), to.first_chunk_mut::<STEP>())
    {
        *to = *from;
        return Some(());
    }
    to.get_mut(..length)?.copy_from_slice(from.get(..length)?);
    Some(())
}

impl Sink for Strings<'_> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let mut rest = bytes;
        self.spans.clear();
        for _ in 0..count {
            let (length, values) = rest.split_first_chunk()?;
            let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
            let start = bytes.len() - values.len();
            let value;
            (value, rest) = values.split_at_checked(length)?;
            if self.is_utf8 {
                std::str::from_utf8(value).ok()?;
            }
            self.spans.push((start, length));
            self.longest = self.longest.max(length);
        }
        self.dictionary.clear();
        self.dictionary.extend_from_slice(bytes);
        self.dictionary.resize(bytes.len() + STEP, 0);
        Some(())
    }

    fn plain(&mut self, bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()> {
        let mut start = 0;
        for range in ranges {
            self.skip_to(range.start)?;
            let (first, base) = (self.len, self.base);
            let mut len = first;
            // Each value has its length before it.
            let values = bytes.len().checked_sub(start)?.checked_sub(range.len().checked_mul(4)?)?;
            let space = self.space.at_least(len.checked_add(values)?)?;
            let ends = self.ends.get_mut(range.clone())?;
            for end in &mut *ends {
                let length = bytes.get(start..)?.first_chunk()?;
                let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
                start += 4;
                copy(bytes, start, length, space, len)?;
                start += length;
                len += length;
                *end = base.checked_add(i32::try_from(len).ok()?)?;
            }
            let values = space.get(first..len)?;
            if self.is_utf8 && !values.is_ascii() {
                let values = std::str::from_utf8(values).ok()?;
                let start = base.checked_add(i32::try_from(first).ok()?)?;
                let is_boundary =
                    |end: &i32| usize::try_from(end - start).is_ok_and(|end| values.is_char_boundary(end));
                if !ends.iter().all(is_boundary) {
                    return None;
                }
            }
            (self.len, self.row) = (len, range.end);
        }
        Some(())
    }

    fn coded(&mut self, bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()> {
        // Without values there are no bits either.
        let (&width, bytes) = bytes.split_first().unwrap_or((&0, &[]));
        let mut codes = Codes::new(bytes, usize::from(width))?;
        for range in ranges {
            self.skip_to(range.start)?;
            let Self { ends, space, base, len, dictionary, spans, longest, .. } = self;
            let mut ends = ends.get_mut(range.clone())?.iter_mut();
            codes.read(ends.len(), |run| {
                let length = |code: u32| Some(spans.get(usize::try_from(code).ok()?)?.1);
                let bytes = match run {
                    Run::Repeated(code, count) => count.checked_mul(length(code)?)?,
                    Run::Packed(codes) => codes.len().checked_mul(*longest)?,
                };
                let space = space.at_least(len.checked_add(bytes)?)?;
                let mut put = |code: u32, end: &mut i32| {
                    let (start, length) = *spans.get(usize::try_from(code).ok()?)?;
                    copy(dictionary, start, length, space, *len)?;
                    *len += length;
                    *end = base.checked_add(i32::try_from(*len).ok()?)?;
                    Some(())
                };
                match run {
                    Run::Repeated(code, count) => {
                        ends.by_ref().take(count).try_for_each(|end| put(code, end))
                    }
                    Run::Packed(codes) => {
                        codes.iter().zip(ends.by_ref()).try_for_each(|(code, end)| put(*code, end))
                    }
                }
            })?;
            self.row = range.end;
        }
        Some(())
    }
}
