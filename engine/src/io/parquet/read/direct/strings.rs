//! Strings and binary values, decoded into the bytes and the offsets of their column.

use std::ops::Range;

use columnade_buffers::system_has_memory;

use super::codes::{Codes, Run};
use super::pages::Sink;

/// Bytes that are copied at once where there is space: shorter values take no loop, and the next value is written over
/// the excess.
const STEP: usize = 64;
/// Values of a dictionary that are all no longer are kept in as many bytes each, and copied without a look at where they begin.
const SHORT: usize = 24;

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
                    let more = bytes - space.len();
                    if !system_has_memory(more.max(space.len())) {
                        return None;
                    }
                    space.try_reserve(more).ok()?;
                    space.resize(space.capacity(), 0);
                }
                Some(space)
            }
        }
    }
}

/// The values that codes stand for.
#[derive(Default)]
struct Values {
    /// One after the other, each after its length, and bytes after them that can be copied in excess.
    bytes: Vec<u8>,
    /// Where each begins, and its length.
    spans: Vec<(usize, usize)>,
    /// Each by itself, if all are [`SHORT`].
    short: Vec<([u8; SHORT], usize)>,
    longest: usize,
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
    dictionary: Values,
    /// Whether they are to be UTF-8.
    is_utf8: bool,
}

impl<'a> Strings<'a> {
    pub(super) fn new(ends: &'a mut [i32], space: Space<'a>, base: i32, is_utf8: bool) -> Self {
        Self { ends, space, base, len: 0, row: 0, dictionary: Values::default(), is_utf8 }
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

    /// Rows without values before `row`.
    fn skip_to(&mut self, row: usize) -> Option<()> {
        let end = last_end(self.base, self.len)?;
        self.ends.get_mut(self.row..row)?.fill(end);
        self.row = row;
        Some(())
    }
}

/// Copies `from[start..][..length]` to `to[at..]`, and perhaps what follows it.
#[inline]
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

/// An offset that may have wrapped around; the last one of some, which is the largest, is [checked](last_end).
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "checked at the end")]
fn end_of(base: i32, len: usize) -> i32 {
    base.wrapping_add(len as i32)
}

/// The offset after `len` bytes; `None` if it takes more than 32 bits.
fn last_end(base: i32, len: usize) -> Option<i32> {
    base.checked_add(i32::try_from(len).ok()?)
}

/// Gives the rows of `codes` their ends: `put` copies a value to a place and returns its length. Returns where the last one ends.
fn put_all(
    codes: &[u32],
    ends: &mut [i32],
    (base, mut len): (i32, usize),
    mut put: impl FnMut(usize, usize) -> Option<usize>,
) -> Option<usize> {
    for (code, end) in codes.iter().zip(ends) {
        len += put(usize::try_from(*code).ok()?, len)?;
        *end = end_of(base, len);
    }
    last_end(base, len)?;
    Some(len)
}

impl Values {
    /// Copies the values of `codes` to `space`, after `len` bytes of it. Returns how many there are then.
    fn put(
        &self,
        codes: &[u32],
        ends: &mut [i32],
        space: &mut [u8],
        (base, len): (i32, usize),
    ) -> Option<usize> {
        let left = space.len().saturating_sub(len);
        if !self.short.is_empty() && left >= codes.len().checked_mul(SHORT)? {
            return put_all(codes, ends, (base, len), |code, at| {
                let (value, length) = self.short.get(code)?;
                *space.get_mut(at..)?.first_chunk_mut()? = *value;
                Some(*length)
            });
        }
        put_all(codes, ends, (base, len), |code, at| {
            let &(start, length) = self.spans.get(code)?;
            copy(&self.bytes, start, length, space, at)?;
            Some(length)
        })
    }
}

impl Sink for Strings<'_> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let mut rest = bytes;
        let mut values = Values::default();
        for _ in 0..count {
            let (length, after) = rest.split_first_chunk()?;
            let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
            let start = bytes.len() - after.len();
            let value;
            (value, rest) = after.split_at_checked(length)?;
            if self.is_utf8 {
                std::str::from_utf8(value).ok()?;
            }
            values.spans.push((start, length));
            values.longest = values.longest.max(length);
        }
        values.bytes.reserve_exact(bytes.len() + STEP);
        values.bytes.extend_from_slice(bytes);
        values.bytes.resize(bytes.len() + STEP, 0);
        if values.longest <= SHORT {
            values.short.reserve_exact(count);
            for &(start, length) in &values.spans {
                values.short.push((*values.bytes.get(start..)?.first_chunk()?, length));
            }
        }
        self.dictionary = values;
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
                *end = end_of(base, len);
            }
            last_end(base, len)?;
            let values = space.get(first..len)?;
            if self.is_utf8 && !values.is_ascii() {
                let values = std::str::from_utf8(values).ok()?;
                let start = last_end(base, first)?;
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
            let Self { ends, space, base, len, dictionary, .. } = self;
            let mut ends = ends.get_mut(range.clone())?;
            codes.read(ends.len(), |run| match run {
                Run::Repeated(code, mut count) => {
                    let length = dictionary.spans.get(usize::try_from(code).ok()?)?.1;
                    let bytes = count.checked_mul(length)?;
                    let space = space.at_least(len.checked_add(bytes)?)?;
                    let codes = [code; 32];
                    while count > 0 {
                        let part = count.min(codes.len());
                        let rows;
                        (rows, ends) = std::mem::take(&mut ends).split_at_mut_checked(part)?;
                        *len = dictionary.put(&codes[..part], rows, space, (*base, *len))?;
                        count -= part;
                    }
                    Some(())
                }
                Run::Packed(codes) => {
                    let bytes = codes.len().checked_mul(dictionary.longest)?;
                    let space = space.at_least(len.checked_add(bytes)?)?;
                    let rows;
                    (rows, ends) = std::mem::take(&mut ends).split_at_mut_checked(codes.len())?;
                    *len = dictionary.put(codes, rows, space, (*base, *len))?;
                    Some(())
                }
            })?;
            self.row = range.end;
        }
        Some(())
    }
}
