//! Strings on the host: reading rows of a column, and building a column whose row sizes are not known in
//! advance.

use crate::bits::BitSlice;
use crate::parallel::for_each_part;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Element, Error, OffsetWidth, Result, StringData, morsel};
use columnade_buffers::{Buffer, Exec};

/// The rows of a string column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strings<'a> {
    chars: &'a [u8],
    offsets: StringOffsets<'a>,
}

/// The offsets of the rows, one more than there are rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StringOffsets<'a> {
    /// 32-bit.
    I32(&'a [i32]),
    /// 64-bit.
    I64(&'a [i64]),
}

impl<'a> Strings<'a> {
    pub(crate) fn new(chars: &'a [u8], offsets: StringOffsets<'a>) -> Self {
        Self { chars, offsets }
    }

    /// The characters, of which the rows may be a part, and the offsets of the rows.
    pub(crate) fn parts(&self) -> (&'a [u8], StringOffsets<'a>) {
        (self.chars, self.offsets)
    }

    /// Where a row starts; for the row after the last one, the end.
    #[inline]
    pub(crate) fn start(&self, row: usize) -> usize {
        match self.offsets {
            StringOffsets::I32(offsets) => offsets[row] as usize,
            StringOffsets::I64(offsets) => offsets[row] as usize,
        }
    }

    /// The bytes `start .. end` of the characters.
    pub(crate) fn bytes(&self, start: usize, end: usize) -> &'a [u8] {
        &self.chars[start..end]
    }

    /// The bytes from `start` to the end of the column.
    pub(crate) fn tail(&self, start: usize) -> &'a [u8] {
        &self.chars[start..]
    }

    /// The bytes of a row.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> &'a [u8] {
        let Span { tail, len } = self.span(row);
        &tail[..len]
    }

    /// The position of a row.
    #[inline]
    pub(crate) fn span(&self, row: usize) -> Span<'a> {
        let (start, end) = match self.offsets {
            StringOffsets::I32(offsets) => (offsets[row] as usize, offsets[row + 1] as usize),
            StringOffsets::I64(offsets) => (offsets[row] as usize, offsets[row + 1] as usize),
        };
        Span { tail: &self.chars[start..], len: end - start }
    }
}

/// A row as the first `len` bytes of `tail`, which extends to the end of the column: short rows are copied as
/// a fixed number of bytes, without a branch on their length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span<'a> {
    pub(crate) tail: &'a [u8],
    pub(crate) len: usize,
}

impl<'a> Strings<'a> {
    /// The bytes of all rows, without those before the first and after the last, and the unchanged offsets.
    pub(crate) fn whole(&self) -> (&'a [u8], StringOffsets<'a>) {
        let ends = match self.offsets {
            StringOffsets::I32(offsets) => {
                offsets.first().zip(offsets.last()).map(|(&a, &b)| (a as i64, b as i64))
            }
            StringOffsets::I64(offsets) => offsets.first().zip(offsets.last()).map(|(&a, &b)| (a, b)),
        };
        let (start, end) = ends.unwrap_or((0, 0));
        (&self.chars[start as usize..end as usize], self.offsets)
    }
}

impl StringOffsets<'_> {
    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        match self {
            StringOffsets::I32(offsets) => offsets.len().saturating_sub(1),
            StringOffsets::I64(offsets) => offsets.len().saturating_sub(1),
        }
    }
}

/// Builds a string column of `rows` rows whose row `i` is `value(i)`; `value` is called twice per row, once
/// for the size.
pub(crate) fn build_strings<'a>(
    rows: usize,
    validity: Option<Buffer>,
    exec: &Exec,
    value: impl Fn(usize) -> Span<'a> + Sync,
) -> Result<StringData> {
    let sizes = morsel::map(rows, |rows| rows.map(|row| value(row).len).sum::<usize>());
    let bytes = sizes.iter().sum();
    let offset_width = OffsetWidth::for_bytes(bytes);
    let mut chars = Buffer::uninit(bytes, exec)?;
    let offsets = match offset_width {
        OffsetWidth::I32 => fill::<i32>(rows, &sizes, &mut chars, exec, &value, |at| at as i32)?,
        OffsetWidth::I64 => fill::<i64>(rows, &sizes, &mut chars, exec, &value, |at| at as i64)?,
    };
    Ok(StringData { len: rows, offsets, offset_width, chars, validity })
}

/// Writes the characters and returns the offsets. `sizes` are the bytes of each morsel.
fn fill<'a, T: Element>(
    rows: usize,
    sizes: &[usize],
    chars: &mut Buffer,
    exec: &Exec,
    value: &(impl Fn(usize) -> Span<'a> + Sync),
    offset: impl Fn(usize) -> T + Sync,
) -> Result<Buffer> {
    fill_morsels(rows, sizes, chars, exec, &|first, start, chars, ends: &mut [T]| {
        let mut at = 0;
        for (row, end) in ends.iter_mut().enumerate() {
            at = append(chars, at, value(first + row));
            *end = offset(start + at);
        }
    })
}

/// What [`fill_morsels`] calls with the first row of a morsel, the position of its first byte, and where its characters
/// and the ends of its rows go.
pub(crate) type FillMorsel<'a, T> = dyn Fn(usize, usize, &mut [u8], &mut [T]) + Sync + 'a;

/// Fills the characters and the offsets of `rows` rows morsel by morsel, and returns the offsets. `sizes` are the bytes
/// of each morsel.
pub(crate) fn fill_morsels<T: Element>(
    rows: usize,
    sizes: &[usize],
    chars: &mut Buffer,
    exec: &Exec,
    run: &FillMorsel<'_, T>,
) -> Result<Buffer> {
    let mut offsets = Buffer::uninit((rows + 1) * size_of::<T>(), exec)?;
    let (mut chars_guard, mut ends_guard) = (chars.write(exec)?, offsets.write(exec)?);
    let mut chars = chars_guard.as_mut_slice::<u8>();
    let (first, mut ends) = ends_guard.as_mut_slice::<T>().split_at_mut(1);
    first[0] = T::zeroed();
    let mut start = 0;
    let mut parts = Vec::with_capacity(sizes.len());
    for (morsel, &size) in sizes.iter().enumerate() {
        let (part, rest) = chars.split_at_mut(size);
        let (part_ends, rest_ends) = ends.split_at_mut(HOST_MORSEL_ROWS.min(ends.len()));
        (chars, ends) = (rest, rest_ends);
        parts.push((morsel * HOST_MORSEL_ROWS, start, part, part_ends));
        start += size;
    }
    for_each_part(parts, |_, (first, start, chars, ends): (usize, usize, &mut [u8], &mut [T])| {
        run(first, start, chars, ends);
    });
    drop(ends_guard);
    Ok(offsets)
}

/// Where the ends of the rows of a morsel go: offsets into the characters of the column.
pub(crate) struct Ends<'a> {
    /// The bytes of the column before the morsel.
    start: usize,
    out: EndsOut<'a>,
}

enum EndsOut<'a> {
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
}

impl Ends<'_> {
    /// The row with this position in the morsel ends at byte `at` of the morsel.
    #[inline]
    pub(crate) fn set(&mut self, row: usize, at: usize) {
        match &mut self.out {
            EndsOut::I32(out) => out[row] = (self.start + at) as i32,
            EndsOut::I64(out) => out[row] = (self.start + at) as i64,
        }
    }

    /// The rows end where `rows` of another column end, which the first of them begins at byte 0 of the morsel.
    pub(crate) fn copy(&mut self, strings: Strings<'_>, rows: std::ops::Range<usize>) {
        let first = strings.start(rows.start);
        match (&mut self.out, strings.offsets) {
            // Both differences are less than 2^31.
            (EndsOut::I32(out), StringOffsets::I32(from)) => {
                let moved = (self.start as i32).wrapping_sub(first as i32);
                for (out, end) in out.iter_mut().zip(&from[rows.start + 1..=rows.end]) {
                    *out = end.wrapping_add(moved);
                }
            }
            _ => {
                for (row, end) in rows.enumerate() {
                    self.set(row, strings.start(end + 1) - first);
                }
            }
        }
    }
}

/// The bytes of the rows of a morsel; `None` if they cannot be computed, since a row is not UTF-8.
type SizeOfMorsel<'a> = dyn Fn(std::ops::Range<usize>) -> Option<usize> + Sync + 'a;
/// Writes the rows of a morsel into as many bytes as its size, and where each ends.
type WriteMorsel<'a> = dyn Fn(std::ops::Range<usize>, &mut [u8], &mut Ends<'_>) + Sync + 'a;

/// Builds a string column of `rows` rows by morsels of `size` bytes, which `write` writes.
///
/// # Errors
/// [`Error::InvalidArgument`] for a morsel without a size, and for more bytes than any memory has.
pub(crate) fn build_morsels(
    rows: usize,
    validity: Option<Buffer>,
    exec: &Exec,
    size: &SizeOfMorsel<'_>,
    write: &WriteMorsel<'_>,
) -> Result<StringData> {
    let invalid = |reason| Error::InvalidArgument { name: "strings", reason };
    let sizes: Option<Vec<usize>> = morsel::map(rows, size).into_iter().collect();
    let sizes = sizes.ok_or_else(|| invalid("a row is not UTF-8"))?;
    let bytes = sizes.iter().fold(0_usize, |total, size| total.saturating_add(*size));
    if isize::try_from(bytes).is_err() {
        return Err(invalid("the result is larger than any memory"));
    }
    let offset_width = OffsetWidth::for_bytes(bytes);
    let mut chars = Buffer::uninit(bytes, exec)?;
    let offsets = match offset_width {
        OffsetWidth::I32 => {
            fill_morsels::<i32>(rows, &sizes, &mut chars, exec, &|first, start, chars, ends| {
                let rows = first..first + ends.len();
                write(rows, chars, &mut Ends { start, out: EndsOut::I32(ends) });
            })?
        }
        OffsetWidth::I64 => {
            fill_morsels::<i64>(rows, &sizes, &mut chars, exec, &|first, start, chars, ends| {
                let rows = first..first + ends.len();
                write(rows, chars, &mut Ends { start, out: EndsOut::I64(ends) });
            })?
        }
    };
    Ok(StringData { len: rows, offsets, offset_width, chars, validity })
}

/// The size of each row; `None` for a row that cannot be computed, since it is not UTF-8.
type SizeOf<'a> = dyn Fn(usize) -> Option<usize> + Sync + 'a;
/// Writes a row into as many bytes as its size.
type WriteRow<'a> = dyn Fn(usize, &mut [u8]) + Sync + 'a;

/// Builds a string column of `rows` rows of `size(i)` bytes, which `write` writes.
///
/// # Errors
/// [`Error::InvalidArgument`] for a row without a size, and for more bytes than any memory has.
pub(crate) fn build_written(
    rows: usize,
    validity: Option<Buffer>,
    exec: &Exec,
    size: &SizeOf<'_>,
    write: &WriteRow<'_>,
) -> Result<StringData> {
    let total = |rows: std::ops::Range<usize>| {
        let mut sizes = rows.map(size);
        sizes.try_fold(0_usize, |total, size| Some(total.saturating_add(size?)))
    };
    build_morsels(rows, validity, exec, &total, &|rows, chars, ends| {
        let mut at = 0;
        for (position, row) in rows.enumerate() {
            let size = size(row).unwrap_or(0);
            write(row, &mut chars[at..at + size]);
            at += size;
            ends.set(position, at);
        }
    })
}

/// Appends the bytes of some rows, and for each where they end.
type Append<'a> = dyn Fn(std::ops::Range<usize>, &mut Vec<u8>, &mut Vec<usize>) + Sync + 'a;

/// Builds a string column of `rows` rows that `append` makes once, morsel by morsel, on the heap: for what costs more to
/// compute twice than to copy.
///
/// # Errors
/// [`Error::InvalidArgument`] for more bytes than any memory has.
pub(crate) fn build_appended(
    rows: usize,
    validity: Option<Buffer>,
    exec: &Exec,
    append: &Append<'_>,
) -> Result<StringData> {
    let made = morsel::map(rows, |rows| {
        let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(rows.len()));
        append(rows, &mut bytes, &mut ends);
        (bytes, ends)
    });
    let of = |rows: &std::ops::Range<usize>| &made[rows.start / HOST_MORSEL_ROWS];
    build_morsels(rows, validity, exec, &|rows| Some(of(&rows).0.len()), &|rows, chars, out| {
        let (bytes, ends) = of(&rows);
        chars.copy_from_slice(bytes);
        for (row, end) in ends.iter().enumerate() {
            out.set(row, *end);
        }
    })
}

/// The rows of a morsel as text. They are validated at a time, since rows are short.
pub(crate) struct Texts<'a> {
    strings: Strings<'a>,
    valid: Option<BitSlice<'a>>,
    /// Where the first row begins.
    first: usize,
    /// All rows, if they are UTF-8.
    whole: Option<&'a str>,
    is_ascii: bool,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(
        strings: Strings<'a>,
        valid: Option<BitSlice<'a>>,
        rows: &std::ops::Range<usize>,
    ) -> Self {
        let first = strings.start(rows.start);
        let bytes = strings.bytes(first, strings.start(rows.end));
        let whole = std::str::from_utf8(bytes).ok();
        Self { strings, valid, first, whole, is_ascii: bytes.is_ascii() }
    }

    /// Whether all bytes are ASCII, those of null rows too.
    pub(crate) fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.valid.is_some_and(|bits| !bits.get(row))
    }

    /// A row, empty for a null, which may hold anything; `None` if it is not UTF-8.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&'a str> {
        if self.is_null(row) {
            return Some("");
        }
        let (start, end) = (self.strings.start(row), self.strings.start(row + 1));
        // A row of valid text may begin within a character.
        self.whole
            .and_then(|whole| whole.get(start - self.first..end - self.first))
            .or_else(|| std::str::from_utf8(self.strings.bytes(start, end)).ok())
    }

    /// Whether each row is UTF-8.
    pub(crate) fn are_utf8(&self, rows: std::ops::Range<usize>) -> bool {
        self.is_ascii || rows.into_iter().all(|row| self.get(row).is_some())
    }
}

/// Whether each row that is not null is UTF-8.
///
/// # Errors
/// [`Error::InvalidArgument`] if not.
pub(crate) fn check_utf8(strings: Strings<'_>, valid: Option<BitSlice<'_>>, rows: usize) -> Result<()> {
    if morsel::map(rows, |rows| Texts::new(strings, valid, &rows).are_utf8(rows)).contains(&false) {
        return Err(Error::InvalidArgument { name: "strings", reason: "a row is not UTF-8" });
    }
    Ok(())
}

/// Whether all bytes of some rows are ASCII.
pub(crate) fn is_ascii(strings: Strings<'_>, rows: &std::ops::Range<usize>) -> bool {
    strings.bytes(strings.start(rows.start), strings.start(rows.end)).is_ascii()
}

/// Rows of at most this many bytes are copied as this many bytes.
const SHORT: usize = 16;
/// The same for runs of rows.
const MEDIUM: usize = 64;

/// Copies `span` to `out[at..]` and returns its end. Bytes after that are overwritten; the next row replaces
/// them.
#[inline]
pub(crate) fn append(out: &mut [u8], at: usize, span: Span<'_>) -> usize {
    let end = at + span.len;
    match (span.tail.first_chunk::<SHORT>(), out[at..].first_chunk_mut::<SHORT>()) {
        (Some(source), Some(target)) if span.len <= SHORT => *target = *source,
        _ => append_run(&mut out[at..], span),
    }
    end
}

/// Copies `span`, and perhaps bytes after it, to the start of `out`.
#[inline]
fn append_run(out: &mut [u8], span: Span<'_>) {
    match (span.tail.first_chunk::<MEDIUM>(), out.first_chunk_mut::<MEDIUM>()) {
        (Some(source), Some(target)) if span.len <= MEDIUM => *target = *source,
        _ => out[..span.len].copy_from_slice(&span.tail[..span.len]),
    }
}
