//! Host implementation of `gather`.

use super::packed_rows::Thresholds;
use super::runs::{for_each_run, mark_starts};
use super::short_texts::ShortTexts;
use super::{MapNulls, packed_rows};
use crate::bits::BitSlice;
use crate::elementwise::lane::map_bits;
use crate::parallel::map_parts;
use crate::scratch::Scratch;
use crate::simd::prefetch;
use crate::strings_view::{Span, StringOffsets, Strings, append, fill_morsels};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{
    ColumnData, Element, FixedData, OffsetWidth, Result, RowMap, RowWidth, StringData, View, access, morsel,
};
use columnade_buffers::{Buffer, Exec, Pod};

/// Rows of a morsel with runs of fewer rows on average are copied one by one.
const SHORT_RUN: usize = 4;
/// The most bytes of strings and their offsets that stay in the L2 cache while rows are gathered.
const NEAR: usize = 512 * 1024;
/// Offsets that are written for each run of so many rows or fewer: the next run replaces those that it does not have.
const RUN: usize = 32;
/// The longest run of characters that is copied in steps of [`STEP`] bytes.
const LONGEST_STEPS: usize = 1024;
/// Bytes that are copied at a time, the last time too many.
const STEP: usize = 64;
/// Steps of each run, however short: most runs need no more, and the processor has no branch to predict.
const FIRST_STEPS: usize = 2;
/// Rows whose strings are read at a time: what their first bytes take fits in the L1 cache.
const BLOCK: usize = 128;

/// An index of a row map.
pub(super) trait Index: Pod + PartialEq + Send + Sync {
    /// The source row; `None` for all ones.
    fn row(self) -> Option<usize>;
    /// Whether its source row is the one after that of `previous`.
    fn follows(self, previous: Self) -> bool;
}

impl Index for u32 {
    #[inline]
    fn follows(self, previous: Self) -> bool {
        // All ones are before 0.
        self.wrapping_sub(1) == previous && self != 0
    }

    fn row(self) -> Option<usize> {
        (self != RowMap::NONE_U32).then_some(self as usize)
    }
}

impl Index for u64 {
    #[inline]
    fn follows(self, previous: Self) -> bool {
        self.wrapping_sub(1) == previous && self != 0
    }

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
pub(super) trait Offset: Element {
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
    if let Some(texts) = ShortTexts::new(source, offsets, map.len(), exec)? {
        return texts.gather(map, validity, exec);
    }
    let is_near = source.len() + size_of_val(offsets) <= NEAR;
    // Offsets are read at random once, where memory for them is not limited.
    let kept = if exec.budget().is_none() && !is_near { 2 * map.len() } else { 0 };
    let mut spans = Scratch::<S>::uninit(kept, exec)?;
    let spans = &mut spans.as_mut_slice()[..kept];
    let of_morsel = 2 * HOST_MORSEL_ROWS;
    let morsels = map
        .chunks(HOST_MORSEL_ROWS)
        .zip(spans.chunks_mut(of_morsel).chain(std::iter::repeat_with(|| &mut [][..])));
    let mut starts = Scratch::<u64>::uninit(map.len().div_ceil(64), exec)?;
    let starts = &mut starts.as_mut_slice()[..map.len().div_ceil(64)];
    let parts = morsels.zip(starts.chunks_mut(HOST_MORSEL_ROWS / 64));
    let measured = map_parts(parts, |_, ((map, spans), starts): ((&[I], &mut [S]), &mut [u64])| {
        measure(offsets, map, spans, starts)
    });
    let (spans, starts) = (&*spans, &*starts);
    let sizes: Vec<usize> = measured.iter().map(|(size, _)| *size).collect();
    let texts = Texts { source, offsets, map, spans, starts, is_near, measured: &measured };
    copied(&texts, map.len(), &sizes, validity, exec)
}

/// Strings that are copied a morsel at a time.
pub(super) trait CopyMorsel: Sync {
    /// Writes the characters and the ends of the rows of the morsel that begins at row `first`, whose first byte is at
    /// `start`.
    fn copy<T: Offset>(&self, first: usize, start: usize, chars: &mut [u8], ends: &mut [T]);
}

/// The column of `rows` strings; `sizes` are the bytes of each morsel.
pub(super) fn copied(
    texts: &impl CopyMorsel,
    rows: usize,
    sizes: &[usize],
    validity: Option<Buffer>,
    exec: &Exec,
) -> Result<StringData> {
    let bytes = sizes.iter().sum();
    let offset_width = OffsetWidth::for_bytes(bytes);
    let mut chars = Buffer::uninit(bytes, exec)?;
    let offsets = match offset_width {
        OffsetWidth::I32 => {
            fill_morsels::<i32>(rows, sizes, &mut chars, exec, &|first, start, chars, ends| {
                texts.copy(first, start, chars, ends);
            })?
        }
        OffsetWidth::I64 => {
            fill_morsels::<i64>(rows, sizes, &mut chars, exec, &|first, start, chars, ends| {
                texts.copy(first, start, chars, ends);
            })?
        }
    };
    Ok(StringData { len: rows, offsets, offset_width, chars, validity })
}

/// The bytes and the runs of a morsel, whose starts are marked. Where runs are short, the offsets of its rows and of those after
/// them go to `spans` if there is space for them.
fn measure<I: Index, S: Offset>(
    offsets: &[S],
    map: &[I],
    spans: &mut [S],
    starts: &mut [u64],
) -> (usize, usize) {
    mark_starts(map, starts);
    let runs = starts.iter().map(|word| word.count_ones() as usize).sum();
    let mut size = 0;
    if !is_short(runs, map.len()) {
        for_each_run(starts, map.len(), |first, len| {
            size += map[first].row().map_or(0, |row| offsets[row + len].at() - offsets[row].at());
        });
        return (size, runs);
    }
    let span = |index: &I| index.row().map_or((S::of(0), S::of(0)), |row| (offsets[row], offsets[row + 1]));
    if spans.is_empty() {
        let lengths = map.iter().map(span).map(|(from, to)| to.at() - from.at());
        return (lengths.sum(), runs);
    }
    for (out, index) in spans.chunks_exact_mut(2).zip(map) {
        let (from, to) = span(index);
        size += to.at() - from.at();
        out.copy_from_slice(&[from, to]);
    }
    (size, runs)
}

/// Whether rows are copied one by one.
fn is_short(runs: usize, rows: usize) -> bool {
    runs * SHORT_RUN > rows
}

/// Strings and the rows of them that are copied.
struct Texts<'a, I, S> {
    source: &'a [u8],
    offsets: &'a [S],
    map: &'a [I],
    /// The offsets of each row of the map and of the row after it, or nothing.
    spans: &'a [S],
    /// A bit for each row of the map that begins a run.
    starts: &'a [u64],
    /// Whether the source stays in a cache.
    is_near: bool,
    /// Bytes and runs of each morsel.
    measured: &'a [(usize, usize)],
}

impl<I: Index, S: Offset> CopyMorsel for Texts<'_, I, S> {
    fn copy<T: Offset>(&self, first: usize, start: usize, chars: &mut [u8], ends: &mut [T]) {
        let (_, runs) = self.measured[first / HOST_MORSEL_ROWS];
        if is_short(runs, ends.len()) {
            self.copy_rows(first, start, chars, ends);
        } else {
            self.copy_runs(first, start, chars, ends);
        }
    }
}

impl<I: Index, S: Offset> Texts<'_, I, S> {
    /// Row by row, a block at a time: first the offsets of all its rows are read, then its strings are fetched, so that the
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
            if !self.is_near {
                for &(from, len) in spans {
                    [from, from + len].into_iter().filter_map(|at| self.source.get(at)).for_each(prefetch);
                }
            }
            for (end, &(from, len)) in ends.iter_mut().zip(spans) {
                at = append(chars, at, Span { tail: &self.source[from..], len });
                *end = T::of(start + at);
            }
        }
    }

    /// Run by run.
    fn copy_runs<T: Offset>(&self, first: usize, start: usize, chars: &mut [u8], ends: &mut [T]) {
        let map = &self.map[first..first + ends.len()];
        let starts = &self.starts[first / 64..];
        let starts = &starts[..ends.len().div_ceil(64)];
        let mut at = 0;
        for_each_run(starts, ends.len(), |first, len| {
            let Some(row) = map[first].row() else {
                ends[first..first + len].fill(T::of(start + at));
                return;
            };
            let (from, to) = (self.offsets[row].at(), self.offsets[row + len].at());
            let shift = (start + at).wrapping_sub(from);
            let moved = |source: S| T::of(source.at().wrapping_add(shift));
            let sources = &self.offsets[row + 1..];
            match (sources.first_chunk::<RUN>(), ends[first..].first_chunk_mut::<RUN>()) {
                (Some(sources), Some(ends)) if len <= RUN => {
                    *ends = std::array::from_fn(|k| moved(sources[k]));
                }
                _ => {
                    for (end, source) in ends[first..first + len].iter_mut().zip(sources) {
                        *end = moved(*source);
                    }
                }
            }
            append_steps(&mut chars[at..], Span { tail: &self.source[from..], len: to - from });
            at += to - from;
        });
    }
}

/// Copies `span`, and perhaps bytes after it, to the start of `out`.
#[inline]
fn append_steps(out: &mut [u8], span: Span<'_>) {
    let steps = span.len.div_ceil(STEP).max(FIRST_STEPS);
    let (source, target) = (span.tail.as_chunks::<STEP>().0, out.as_chunks_mut::<STEP>().0);
    match (source.get(..steps), target.get_mut(..steps)) {
        (Some(source), Some(target)) if span.len <= LONGEST_STEPS => {
            let (Some(first), Some(source_first)) =
                (target.first_chunk_mut(), source.first_chunk::<FIRST_STEPS>())
            else {
                return;
            };
            *first = *source_first;
            for (target, source) in target[FIRST_STEPS..].iter_mut().zip(&source[FIRST_STEPS..]) {
                *target = *source;
            }
        }
        _ => out[..span.len].copy_from_slice(&span.tail[..span.len]),
    }
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
