//! Host implementation of `gather`.

use super::packed_rows::Thresholds;
use super::{MapNulls, packed_rows};
use crate::bits::BitSlice;
use crate::elementwise::lane::map_bits;
use crate::parallel::map_parts;
use crate::scratch::Scratch;
use crate::strings_view::{Span, StringOffsets, Strings, append, fill_morsels};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{
    ColumnData, Element, FixedData, OffsetWidth, Result, RowMap, RowWidth, StringData, View, access, morsel,
};
use columnade_buffers::{Buffer, Exec, Pod};

/// Rows of a morsel with runs of fewer rows on average are copied one by one.
const SHORT_RUN: usize = 4;
/// Rows whose strings are read at a time: what their first bytes take fits in the L1 cache.
const BLOCK: usize = 128;

/// An index of a row map.
pub(super) trait Index: Pod + PartialEq + Send + Sync {
    /// The source row; `None` for all ones.
    fn row(self) -> Option<usize>;
}

impl Index for u32 {
    fn row(self) -> Option<usize> {
        (self != RowMap::NONE_U32).then_some(self as usize)
    }
}

impl Index for u64 {
    fn row(self) -> Option<usize> {
        (self != RowMap::NONE_U64).then_some(self as usize)
    }
}

pub(super) fn gather(source: &View<'_>, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    let rows = map.rows.read(exec)?;
    match map.width {
        RowWidth::U32 => gather_column(source, &rows.as_slice::<u32>()[..map.len], nulls, exec),
        RowWidth::U64 => gather_column(source, &rows.as_slice::<u64>()[..map.len], nulls, exec),
    }
}

/// The columns that pay to be packed: see [`packed_rows`].
pub(super) fn gather_packed(
    sources: &[View<'_>],
    map: &RowMap,
    nulls: MapNulls,
    thresholds: Thresholds,
    exec: &Exec,
) -> Result<Vec<Option<ColumnData>>> {
    let guards = access(sources, exec)?;
    let rows = map.rows.read(exec)?;
    packed_rows::gather(&guards, &rows.as_slice::<u32>()[..map.len], nulls, thresholds, exec)
}

fn gather_column<I: Index>(source: &View<'_>, map: &[I], nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    let guard = source.read(exec)?;
    let masked = guard.validity().is_some() || nulls == MapNulls::Possible;
    let validity = if masked { Some(gather_bits(guard.validity(), map, exec)?) } else { None };
    Ok(match source {
        View::Fixed(fixed) => {
            let storage = fixed.storage;
            let data = dispatch_width!(storage, T => gather_values(guard.values::<T>(), map, exec)?,
                bit => gather_bits(Some(guard.value_bits()), map, exec)?);
            ColumnData::Fixed(FixedData { storage, len: map.len(), data, validity })
        }
        View::String(_) => ColumnData::String(gather_strings(guard.strings(), map, validity, exec)?),
    })
}

fn gather_values<T: Pod + Default + Send + Sync, I: Index>(
    source: &[T],
    map: &[I],
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_values(map.len(), exec, |rows, out| {
        for (out, index) in out.iter_mut().zip(&map[rows]) {
            *out = index.row().map_or_else(T::default, |row| source[row]);
        }
    })
}

/// An offset of the rows of a source or of a result.
trait Offset: Element {
    fn at(self) -> usize;
    fn of(at: usize) -> Self;
}

impl Offset for i32 {
    #[inline]
    fn at(self) -> usize {
        self as usize
    }
    #[inline]
    fn of(at: usize) -> Self {
        at as i32
    }
}

impl Offset for i64 {
    #[inline]
    fn at(self) -> usize {
        self as usize
    }
    #[inline]
    fn of(at: usize) -> Self {
        at as i64
    }
}

fn gather_strings<I: Index>(
    strings: Strings<'_>,
    map: &[I],
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    match strings.parts() {
        (chars, StringOffsets::I32(offsets)) => gather_texts(chars, offsets, map, validity, exec),
        (chars, StringOffsets::I64(offsets)) => gather_texts(chars, offsets, map, validity, exec),
    }
}

/// Gathers strings by runs: joins and filters keep many rows that follow each other in the source, whose characters are
/// one copy, and whose offsets differ by a constant. Morsels of short runs are gathered row by row.
fn gather_texts<I: Index, S: Offset>(
    source: &[u8],
    offsets: &[S],
    map: &[I],
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    // Offsets are read at random once, where memory for them is not limited.
    let kept = if exec.budget().is_none() { 2 * map.len() } else { 0 };
    let mut spans = Scratch::<S>::uninit(kept, exec)?;
    let spans = &mut spans.as_mut_slice()[..kept];
    let of_morsel = 2 * HOST_MORSEL_ROWS;
    let morsels = map
        .chunks(HOST_MORSEL_ROWS)
        .zip(spans.chunks_mut(of_morsel).chain(std::iter::repeat_with(|| &mut [][..])));
    let measured = map_parts(morsels, |_, (map, spans): (&[I], &mut [S])| measure(offsets, map, spans));
    let spans = &*spans;
    let sizes: Vec<usize> = measured.iter().map(|(size, _)| *size).collect();
    let bytes = sizes.iter().sum();
    let offset_width = OffsetWidth::for_bytes(bytes);
    let mut chars = Buffer::uninit(bytes, exec)?;
    let texts = Texts { source, offsets, map, spans, measured: &measured };
    let offsets = match offset_width {
        OffsetWidth::I32 => {
            fill_morsels::<i32>(map.len(), &sizes, &mut chars, exec, &|first, start, chars, ends| {
                texts.copy(first, start, chars, ends);
            })?
        }
        OffsetWidth::I64 => {
            fill_morsels::<i64>(map.len(), &sizes, &mut chars, exec, &|first, start, chars, ends| {
                texts.copy(first, start, chars, ends);
            })?
        }
    };
    Ok(StringData { len: map.len(), offsets, offset_width, chars, validity })
}

/// The bytes and the runs of a morsel. Where runs are short, the offsets of its rows and of those after them go to `spans`
/// if there is space for them.
fn measure<I: Index, S: Offset>(offsets: &[S], map: &[I], spans: &mut [S]) -> (usize, usize) {
    let runs = 1 + map.windows(2).filter(|pair| !follows(pair[0], pair[1])).count();
    let mut size = 0;
    if !spans.is_empty() && is_short(runs, map.len()) {
        for (span, index) in spans.chunks_exact_mut(2).zip(map) {
            let (from, to) = index.row().map_or((S::of(0), S::of(0)), |row| (offsets[row], offsets[row + 1]));
            size += to.at() - from.at();
            span.copy_from_slice(&[from, to]);
        }
        return (size, runs);
    }
    let mut rest = map;
    while let Some((row, len)) = next_run(rest) {
        size += row.map_or(0, |row| offsets[row + len].at() - offsets[row].at());
        rest = &rest[len..];
    }
    (size, runs)
}

/// Whether rows are copied one by one.
fn is_short(runs: usize, rows: usize) -> bool {
    runs * SHORT_RUN > rows
}

/// Whether a source row is the one after another.
#[inline]
fn follows<I: Index>(index: I, next: I) -> bool {
    matches!((index.row(), next.row()), (Some(row), Some(next)) if next == row + 1)
}

/// Strings and the rows of them that are copied.
struct Texts<'a, I, S> {
    source: &'a [u8],
    offsets: &'a [S],
    map: &'a [I],
    /// The offsets of each row of the map and of the row after it, or nothing.
    spans: &'a [S],
    /// Bytes and runs of each morsel.
    measured: &'a [(usize, usize)],
}

impl<I: Index, S: Offset> Texts<'_, I, S> {
    /// Writes the characters and the ends of the rows of the morsel that begins at row `first`, whose first byte is at
    /// `start`.
    fn copy<T: Offset>(&self, first: usize, start: usize, chars: &mut [u8], ends: &mut [T]) {
        let (_, runs) = self.measured[first / HOST_MORSEL_ROWS];
        if is_short(runs, ends.len()) {
            self.copy_rows(first, start, chars, ends);
        } else {
            self.copy_runs(first, start, chars, ends);
        }
    }

    /// Row by row, a block at a time: first the offsets of all its rows are read, then a byte of each string, so that the
    /// reads of many rows are under way at a time.
    fn copy_rows<T: Offset>(&self, first: usize, start: usize, chars: &mut [u8], ends: &mut [T]) {
        let (mut spans, mut at) = ([(0, 0); BLOCK], 0);
        let map = &self.map[first..first + ends.len()];
        let kept = self.spans.get(2 * first..).unwrap_or_default();
        for (block, (map, ends)) in map.chunks(BLOCK).zip(ends.chunks_mut(BLOCK)).enumerate() {
            if let Some(kept) = kept.get(2 * block * BLOCK..).filter(|kept| !kept.is_empty()) {
                for (span, kept) in spans.iter_mut().zip(kept.chunks_exact(2)) {
                    *span = (kept[0].at(), kept[1].at() - kept[0].at());
                }
            } else {
                for (span, index) in spans.iter_mut().zip(map) {
                    *span = index.row().map_or((0, 0), |row| {
                        let from = self.offsets[row].at();
                        (from, self.offsets[row + 1].at() - from)
                    });
                }
            }
            let spans = &spans[..map.len()];
            let byte = |at: usize| u64::from(self.source.get(at).copied().unwrap_or(0));
            std::hint::black_box(
                spans.iter().fold(0, |seen, &(from, len)| seen ^ byte(from) ^ byte(from + len)),
            );
            for (end, &(from, len)) in ends.iter_mut().zip(spans) {
                at = append(chars, at, Span { tail: &self.source[from..], len });
                *end = T::of(start + at);
            }
        }
    }

    /// Run by run.
    fn copy_runs<T: Offset>(&self, first: usize, start: usize, chars: &mut [u8], ends: &mut [T]) {
        let mut rest = &self.map[first..first + ends.len()];
        let (mut ends, mut at) = (ends, 0);
        while let Some((row, len)) = next_run(rest) {
            let (of_run, later) = ends.split_at_mut(len);
            match row {
                None => of_run.fill(T::of(start + at)),
                Some(row) => {
                    let (from, to) = (self.offsets[row].at(), self.offsets[row + len].at());
                    let shift = (start + at).wrapping_sub(from);
                    for (end, source) in of_run.iter_mut().zip(&self.offsets[row + 1..=row + len]) {
                        *end = T::of(source.at().wrapping_add(shift));
                    }
                    at = append(chars, at, Span { tail: &self.source[from..], len: to - from });
                }
            }
            (rest, ends) = (&rest[len..], later);
        }
    }
}

/// The first source row of the run that a map starts with, none for a row without one, and the length of the run.
#[inline]
fn next_run<I: Index>(map: &[I]) -> Option<(Option<usize>, usize)> {
    let Some(row) = map.first()?.row() else { return Some((None, 1)) };
    let next = map[1..].iter().zip(row + 1..).take_while(|(index, row)| index.row() == Some(*row));
    Some((Some(row), 1 + next.count()))
}

/// Gathers bits; without a source every row that the map refers to is set.
pub(super) fn gather_bits<I: Index>(source: Option<BitSlice<'_>>, map: &[I], exec: &Exec) -> Result<Buffer> {
    let Some(source) = source else {
        return morsel::build_bits(map.len(), exec, |rows, out| {
            map_bits(&map[rows], out, |index| index.row().is_some());
        });
    };
    morsel::build_bits(map.len(), exec, |rows, out| {
        for (word, rows) in out.iter_mut().zip(map[rows].chunks(64)) {
            let set = |index: &I| index.row().is_some_and(|row| source.get(row));
            *word = rows.iter().enumerate().fold(0, |word, (k, index)| word | u64::from(set(index)) << k);
        }
    })
}
