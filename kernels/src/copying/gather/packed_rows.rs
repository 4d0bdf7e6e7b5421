//! Gathers several columns at random rows on the host: values of a row are packed side by side first, so that a row
//! costs one cache miss instead of one for each number and two for each string.

use super::MapNulls;
use super::host::gather_bits;
use crate::bits::BitSlice;
use crate::parallel::{for_each_chunk, for_each_part};
use crate::scratch::Scratch;
use crate::simd::prefetch;
use crate::strings_view::{Span, StringOffsets, Strings, fill_morsels};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{ColumnData, FixedData, OffsetWidth, Result, Storage, StringData, View, ViewGuard, morsel};
use columnade_buffers::{Buffer, Exec};

/// When packing is worth its time.
#[derive(Clone, Copy)]
pub(super) struct Thresholds {
    /// Bytes of the packed rows at least: what the caches hold is read in place.
    pub(super) packed_bytes: usize,
    /// Gathered rows at least, one for so many source rows: packing reads and writes every source row.
    pub(super) rows_per_index: usize,
    /// Cache misses of a row at least, if the columns are read in place.
    pub(super) misses: usize,
}

impl Thresholds {
    pub(super) const DEFAULT: Self = Self { packed_bytes: 64 << 20, rows_per_index: 3, misses: 4 };
}

/// Longest string that is packed, with its length in a byte before it.
const MOST_TEXT: usize = 15;
/// Rows that are read into the L1 cache before their columns are written.
const BATCH: usize = 64;
/// Rows of the map that are looked at to see whether they are near each other.
const SAMPLE: usize = 1024;
/// Rows so near each other share cache lines.
const NEAR: usize = 16;
/// Packed columns with a mask at most: their bits are one value.
const MOST_MASKS: usize = 16;

/// The values of a packed column.
#[derive(Clone, Copy)]
enum Values<'a> {
    Fixed { storage: Storage, bytes: &'a [u8] },
    String { strings: Strings<'a>, longest: usize },
}

/// A packed column.
struct Field<'a> {
    column: usize,
    values: Values<'a>,
    validity: Option<BitSlice<'a>>,
    /// Bytes of a value in a row.
    size: usize,
    /// Where it is in a row.
    at: usize,
}

/// How rows are packed.
struct Layout<'a> {
    fields: Vec<Field<'a>>,
    rows: usize,
    /// Where the bits of the masks are in a row, if a field has a mask.
    bits_at: Option<usize>,
    /// Bytes of a row.
    bytes: usize,
}

/// The columns that were gathered; `None` for those that were not, because they do not pack or it does not pay.
pub(super) fn gather(
    guards: &[ViewGuard<'_>],
    map: &[u32],
    nulls: MapNulls,
    thresholds: Thresholds,
    exec: &Exec,
) -> Result<Vec<Option<ColumnData>>> {
    let mut results: Vec<Option<ColumnData>> = guards.iter().map(|_| None).collect();
    let rows = guards.first().map_or(0, ViewGuard::len);
    if map.is_empty() || map.len().saturating_mul(thresholds.rows_per_index) < rows || !is_scattered(map) {
        return Ok(results);
    }
    let Some(layout) = Layout::new(guards, map.len(), thresholds) else { return Ok(results) };
    let columns = match layout.bytes {
        32 => layout.run::<32>(map, nulls, exec)?,
        64 => layout.run::<64>(map, nulls, exec)?,
        _ => layout.run::<128>(map, nulls, exec)?,
    };
    for (field, column) in layout.fields.iter().zip(columns) {
        results[field.column] = Some(column);
    }
    Ok(results)
}

/// Whether rows that follow each other in the map are mostly far from each other in the source.
fn is_scattered(map: &[u32]) -> bool {
    let stride = (map.len() / SAMPLE).max(1);
    let (mut near, mut pairs) = (0, 0);
    for pair in map.windows(2).step_by(stride) {
        near += usize::from(pair.contains(&u32::MAX) || pair[0].abs_diff(pair[1]) as usize <= NEAR);
        pairs += 1;
    }
    2 * near < pairs
}

impl<'a> Layout<'a> {
    /// `None` if packing does not pay.
    fn new(guards: &'a [ViewGuard<'a>], indices: usize, thresholds: Thresholds) -> Option<Self> {
        let rows = guards.first()?.len();
        let mut fields: Vec<Field<'a>> = Vec::new();
        let (mut bytes, mut masks, mut misses) = (0, 0, 0);
        for (column, guard) in guards.iter().enumerate() {
            let validity = guard.validity();
            let Some((values, size)) = packable(guard) else { continue };
            let bits = if masks == 0 && validity.is_some() { size_of::<u16>() } else { 0 };
            let is_full = bytes + size + bits > 128 || (validity.is_some() && masks == MOST_MASKS);
            // The offsets of the result are 32-bit.
            let is_long = matches!(values, Values::String { longest, .. }
                if longest.saturating_mul(indices) > i32::MAX as usize);
            if is_full || is_long {
                continue;
            }
            bytes += size + bits;
            masks += usize::from(validity.is_some());
            misses += if matches!(values, Values::String { .. }) { 2 } else { 1 };
            fields.push(Field { column, values, validity, size, at: 0 });
        }
        let row_bytes = bytes.next_power_of_two().max(32);
        if misses < thresholds.misses || rows.saturating_mul(row_bytes) < thresholds.packed_bytes {
            return None;
        }
        let mut at = 0;
        for field in &mut fields {
            field.at = at;
            at += field.size;
        }
        Some(Self { fields, rows, bits_at: (masks > 0).then_some(at), bytes: row_bytes })
    }

    /// Packs the rows, and writes those of the map column by column.
    fn run<const W: usize>(&self, map: &[u32], nulls: MapNulls, exec: &Exec) -> Result<Vec<ColumnData>> {
        let mut packed = Scratch::<u8>::uninit(self.rows * W, exec)?;
        for_each_chunk(packed.as_mut_slice(), HOST_MORSEL_ROWS / 16 * W, |chunk, bytes| {
            let first = chunk * (HOST_MORSEL_ROWS / 16);
            for (batch, rows) in bytes.as_chunks_mut::<W>().0.chunks_mut(BATCH).enumerate() {
                self.pack(first + batch * BATCH, rows);
            }
        });
        let outputs = self.fields.iter().map(|field| Output::new(field, map.len(), exec));
        let mut outputs = outputs.collect::<Result<Vec<_>>>()?;
        {
            let mut writes =
                outputs.iter_mut().map(|output| output.write(exec)).collect::<Result<Vec<_>>>()?;
            let mut tasks: Vec<Vec<Part<'_>>> = map.chunks(HOST_MORSEL_ROWS).map(|_| Vec::new()).collect();
            for (field, (values, lengths, validity)) in self.fields.iter().zip(&mut writes) {
                let width = field.size;
                let mut lengths =
                    lengths.as_mut().map(|it| it.as_mut_slice::<u8>().chunks_mut(HOST_MORSEL_ROWS));
                let mut masks =
                    validity.as_mut().map(|it| it.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64));
                let values = values.as_mut_slice::<u8>().chunks_mut(HOST_MORSEL_ROWS * width);
                for (task, values) in tasks.iter_mut().zip(values) {
                    let lengths = lengths.as_mut().and_then(Iterator::next).unwrap_or_default();
                    let validity = masks.as_mut().and_then(Iterator::next);
                    task.push(Part { values, lengths, validity, taken: 0 });
                }
            }
            let packed = packed.as_slice().as_chunks::<W>().0;
            for_each_part(tasks.into_iter().zip(map.chunks(HOST_MORSEL_ROWS)), |_, (mut parts, map)| {
                // An index of no row is all ones, which is beyond the last row.
                let row_of = |index: u32| packed.get(index as usize);
                let fetch = |indices: &[u32]| indices.iter().filter_map(|&it| row_of(it)).for_each(prefetch);
                let mut batch_rows = [[0; W]; BATCH];
                fetch(&map[..map.len().min(BATCH)]);
                for (batch, indices) in map.chunks(BATCH).enumerate() {
                    let rows = &mut batch_rows[..indices.len()];
                    for (row, &index) in rows.iter_mut().zip(indices) {
                        *row = row_of(index).copied().unwrap_or([0; W]);
                    }
                    // The rows of the next batch are read while the columns of this one are written.
                    let next = &map[((batch + 1) * BATCH).min(map.len())..];
                    fetch(&next[..next.len().min(BATCH)]);
                    for (nth, (field, part)) in self.fields.iter().zip(&mut parts).enumerate() {
                        field.unpack(rows, batch * BATCH, part);
                        if let Some(words) = &mut part.validity
                            && let Some(word) = words.get_mut(batch)
                        {
                            *word = self.valid(nth, rows, indices);
                        }
                    }
                }
            });
        }
        drop(packed);
        // A mask that says only which indices have no row is the same for all columns.
        let missing = match (nulls, self.bits_at) {
            (MapNulls::Possible, None) => Some(gather_bits(None, map, exec)?),
            _ => None,
        };
        let outputs = self.fields.iter().zip(outputs);
        outputs.map(|(field, output)| output.finish(field, missing.as_ref(), exec)).collect()
    }

    /// Writes the rows from `first`.
    fn pack<const W: usize>(&self, first: usize, rows: &mut [[u8; W]]) {
        for field in &self.fields {
            field.pack(first, rows);
        }
        let Some(at) = self.bits_at else { return };
        for (row, packed) in (first..).zip(rows) {
            let bit = |(nth, field): (usize, &Field<'_>)| {
                u16::from(field.validity.is_none_or(|bits| bits.get(row))) << self.mask_of(nth)
            };
            let bits = self.fields.iter().enumerate().filter(|(_, field)| field.validity.is_some());
            let bits = bits.map(bit).fold(0, |all, bit| all | bit);
            packed[at..at + size_of::<u16>()].copy_from_slice(&bits.to_le_bytes());
        }
    }

    /// The bit of a field among those of the masks.
    fn mask_of(&self, nth: usize) -> usize {
        self.fields[..nth].iter().filter(|field| field.validity.is_some()).count()
    }

    /// Which of at most 64 gathered rows are valid in a field.
    fn valid<const W: usize>(&self, nth: usize, rows: &[[u8; W]], indices: &[u32]) -> u64 {
        let bits_at = self.bits_at.filter(|_| self.fields[nth].validity.is_some());
        let bit = self.mask_of(nth);
        let is_valid = |row: &[u8; W], index: u32| match bits_at {
            Some(at) => row[at + bit / 8] >> (bit % 8) & 1 == 1,
            None => index != u32::MAX,
        };
        let rows = rows.iter().zip(indices).enumerate();
        rows.fold(0, |word, (k, (row, &index))| word | u64::from(is_valid(row, index)) << k)
    }
}

/// The values of a column that can be packed, and their bytes in a row.
fn packable<'a>(guard: &'a ViewGuard<'a>) -> Option<(Values<'a>, usize)> {
    match guard.view() {
        View::Fixed(fixed) => {
            let bytes = dispatch_width!(fixed.storage, T => bytemuck::cast_slice(guard.values::<T>()), bit => return None);
            Some((Values::Fixed { storage: fixed.storage, bytes }, fixed.storage.width()?))
        }
        View::String(_) => {
            let strings = guard.strings();
            let longest = match strings.parts().1 {
                StringOffsets::I32(offsets) => longest(offsets.len(), |row| offsets[row] as usize),
                StringOffsets::I64(offsets) => longest(offsets.len(), |row| offsets[row] as usize),
            };
            let size = [8, 16].into_iter().find(|&size| longest < size)?;
            debug_assert!(longest <= MOST_TEXT);
            Some((Values::String { strings, longest }, size))
        }
    }
}

/// The longest distance of two of `len` offsets that follow each other.
fn longest(len: usize, offset: impl Fn(usize) -> usize + Sync) -> usize {
    let of_rows = |rows: std::ops::Range<usize>| rows.map(|row| offset(row + 1) - offset(row)).max();
    morsel::map(len.saturating_sub(1), of_rows).into_iter().flatten().max().unwrap_or(0)
}

impl Field<'_> {
    fn pack<const W: usize>(&self, first: usize, rows: &mut [[u8; W]]) {
        match self.values {
            Values::Fixed { bytes, .. } => {
                let bytes = &bytes[first * self.size..];
                match self.size {
                    1 => put::<W, 1>(bytes, rows, self.at),
                    2 => put::<W, 2>(bytes, rows, self.at),
                    4 => put::<W, 4>(bytes, rows, self.at),
                    8 => put::<W, 8>(bytes, rows, self.at),
                    _ => put::<W, 16>(bytes, rows, self.at),
                }
            }
            Values::String { strings, .. } => match self.size {
                8 => put_text::<W, 8>(strings, first, rows, self.at),
                _ => put_text::<W, 16>(strings, first, rows, self.at),
            },
        }
    }

    fn unpack<const W: usize>(&self, rows: &[[u8; W]], first: usize, part: &mut Part<'_>) {
        match (self.values, self.size) {
            (Values::Fixed { .. }, 1) => take::<W, 1>(rows, self.at, first, part.values),
            (Values::Fixed { .. }, 2) => take::<W, 2>(rows, self.at, first, part.values),
            (Values::Fixed { .. }, 4) => take::<W, 4>(rows, self.at, first, part.values),
            (Values::Fixed { .. }, 8) => take::<W, 8>(rows, self.at, first, part.values),
            (Values::Fixed { .. }, _) => take::<W, 16>(rows, self.at, first, part.values),
            (Values::String { .. }, 8) => take_text::<W, 8>(rows, self.at, first, part),
            (Values::String { .. }, _) => take_text::<W, 16>(rows, self.at, first, part),
        }
    }
}

/// Writes values of `N` bytes into rows.
fn put<const W: usize, const N: usize>(bytes: &[u8], rows: &mut [[u8; W]], at: usize) {
    for (row, value) in rows.iter_mut().zip(bytes.as_chunks::<N>().0) {
        row[at..at + N].copy_from_slice(value);
    }
}

/// Writes strings from row `first` on, of less than `N` bytes, and the length of each before it. A whole slot is copied where
/// there is one: bytes of the next strings may follow.
fn put_text<const W: usize, const N: usize>(
    strings: Strings<'_>,
    first: usize,
    rows: &mut [[u8; W]],
    at: usize,
) {
    for (row, packed) in (first..).zip(rows) {
        let Span { tail, len } = strings.span(row);
        let slot = &mut packed[at..at + N];
        slot[0] = len as u8;
        match tail.get(..N - 1) {
            Some(text) => slot[1..].copy_from_slice(text),
            None => slot[1..=len].copy_from_slice(&tail[..len]),
        }
    }
}

/// Writes the values of `N` bytes of rows from `first`.
fn take<const W: usize, const N: usize>(rows: &[[u8; W]], at: usize, first: usize, values: &mut [u8]) {
    for (row, value) in rows.iter().zip(&mut values.as_chunks_mut::<N>().0[first..]) {
        value.copy_from_slice(&row[at..at + N]);
    }
}

/// Writes the strings of rows one after another, and their lengths from `first`. A whole slot is copied: the next string
/// replaces what is too much.
fn take_text<const W: usize, const N: usize>(rows: &[[u8; W]], at: usize, first: usize, part: &mut Part<'_>) {
    for (row, length) in rows.iter().zip(&mut part.lengths[first..]) {
        let slot = &row[at..at + N];
        part.values[part.taken..part.taken + N - 1].copy_from_slice(&slot[1..]);
        *length = slot[0];
        part.taken += usize::from(slot[0]);
    }
}

/// What one task writes of a field.
struct Part<'a> {
    /// Values, or strings one after another.
    values: &'a mut [u8],
    /// The lengths of strings.
    lengths: &'a mut [u8],
    validity: Option<&'a mut [u64]>,
    /// Bytes of strings so far.
    taken: usize,
}

/// A gathered field.
struct Output {
    rows: usize,
    values: Buffer,
    lengths: Option<Buffer>,
    validity: Option<Buffer>,
}

type Guard<'a> = columnade_buffers::WriteGuard<'a>;

impl Output {
    fn new(field: &Field<'_>, rows: usize, exec: &Exec) -> Result<Self> {
        let values = Buffer::uninit(rows * field.size, exec)?;
        let is_text = matches!(field.values, Values::String { .. });
        let lengths = if is_text { Some(Buffer::uninit(rows, exec)?) } else { None };
        let validity =
            if field.validity.is_some() { Some(Buffer::uninit(rows.div_ceil(64) * 8, exec)?) } else { None };
        Ok(Self { rows, values, lengths, validity })
    }

    fn write<'a>(&'a mut self, exec: &'a Exec) -> Result<(Guard<'a>, Option<Guard<'a>>, Option<Guard<'a>>)> {
        Ok((
            self.values.write(exec)?,
            self.lengths.as_mut().map(|it| it.write(exec)).transpose()?,
            self.validity.as_mut().map(|it| it.write(exec)).transpose()?,
        ))
    }

    /// The column; `missing` is the mask of those without one.
    fn finish(self, field: &Field<'_>, missing: Option<&Buffer>, exec: &Exec) -> Result<ColumnData> {
        let len = self.rows;
        let validity = match (self.validity, missing) {
            (Some(validity), _) => Some(validity.slice(0, len.div_ceil(8))),
            (None, Some(missing)) => Some(missing.shallow_copy(exec)?),
            (None, None) => None,
        };
        let Some(lengths) = self.lengths else {
            let Values::Fixed { storage, .. } = field.values else {
                return Err(crate::Error::Internal { invariant: "strings have lengths" });
            };
            return Ok(ColumnData::Fixed(FixedData { storage, len, data: self.values, validity }));
        };
        let (strings, lengths) = (self.values.read(exec)?, lengths.read(exec)?);
        let (strings, lengths) = (strings.as_slice::<u8>(), &lengths.as_slice::<u8>()[..len]);
        let sum = |lengths: &[u8]| lengths.iter().map(|&length| usize::from(length)).sum::<usize>();
        let sizes = morsel::map(len, |rows| sum(&lengths[rows]));
        let mut chars = Buffer::uninit(sizes.iter().sum(), exec)?;
        let offsets =
            fill_morsels(len, &sizes, &mut chars, exec, &|first, start, chars, ends: &mut [i32]| {
                chars.copy_from_slice(&strings[first * field.size..][..chars.len()]);
                let mut at = start;
                for (end, &length) in ends.iter_mut().zip(&lengths[first..]) {
                    at += usize::from(length);
                    *end = at as i32;
                }
            })?;
        Ok(ColumnData::String(StringData { len, offsets, offset_width: OffsetWidth::I32, chars, validity }))
    }
}
