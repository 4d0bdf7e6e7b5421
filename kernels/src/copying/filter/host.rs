//! Host implementation of `filter`: counts the kept rows of each morsel, then compacts every morsel into its
//! place in the result.

use crate::bits::BitSlice;
use crate::copying::gather::{MapNulls, gather};
use crate::morsel;
use crate::parallel::{for_each_part, map_parts};
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Bits, ColumnData, FixedData, Result, RowMap, RowWidth, View};
use columnade_buffers::{Buffer, Exec, Pod, ReadGuard};

pub(super) fn filter(
    views: &[View<'_>],
    keep: Bits<'_>,
    keep_validity: Option<Bits<'_>>,
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    let guards = Guards::read(keep, keep_validity, exec)?;
    let kept = Kept::count(&guards);
    let map = if views.iter().any(|view| matches!(view, View::String(_))) {
        Some(kept_rows(&kept, exec)?)
    } else {
        None
    };
    views
        .iter()
        .map(|view| match (view, &map) {
            (View::String(_), Some(map)) => gather(view, map, MapNulls::Never, exec),
            _ => filter_fixed(view, &kept, exec),
        })
        .collect()
}

pub(super) fn row_map(keep: Bits<'_>, keep_validity: Option<Bits<'_>>, exec: &Exec) -> Result<RowMap> {
    let guards = Guards::read(keep, keep_validity, exec)?;
    kept_rows(&Kept::count(&guards), exec)
}

fn filter_fixed(view: &View<'_>, kept: &Kept<'_>, exec: &Exec) -> Result<ColumnData> {
    let storage = view.as_fixed()?.storage;
    let guard = view.read(exec)?;
    let data = dispatch_width!(storage, T => {
        let values = guard.values::<T>();
        assert_eq!(values.len(), kept.rows);
        compact::<T>(kept, exec, |words, first, out| {
            compact_values(words, &values[first..first + words.keep.len()], out);
        })?
    }, bit => compact_bits(guard.value_bits(), kept, exec)?);
    let validity = guard.validity().map(|mask| compact_bits(mask, kept, exec)).transpose()?;
    Ok(ColumnData::Fixed(FixedData { storage, len: kept.total, data, validity }))
}

fn kept_rows(kept: &Kept<'_>, exec: &Exec) -> Result<RowMap> {
    let width = RowWidth::for_rows(kept.rows);
    let rows = match width {
        RowWidth::U32 => compact::<u32>(kept, exec, |words, first, out| {
            compact_morsel(words, out, |row| (first + row) as u32);
        })?,
        RowWidth::U64 => compact::<u64>(kept, exec, |words, first, out| {
            compact_morsel(words, out, |row| (first + row) as u64);
        })?,
    };
    Ok(RowMap { rows, width, len: kept.total })
}

/// Guards of the selection.
struct Guards<'a> {
    keep: (ReadGuard<'a>, Bits<'a>),
    validity: Option<(ReadGuard<'a>, Bits<'a>)>,
}

impl<'a> Guards<'a> {
    fn read(keep: Bits<'a>, validity: Option<Bits<'a>>, exec: &'a Exec) -> Result<Self> {
        let validity = validity.map(|bits| Ok::<_, crate::Error>((bits.read(exec)?, bits))).transpose()?;
        Ok(Self { keep: (keep.read(exec)?, keep), validity })
    }
}

/// The kept rows, and where those of each morsel start in the result.
struct Kept<'a> {
    keep: BitSlice<'a>,
    validity: Option<BitSlice<'a>>,
    /// The number of rows to choose from.
    rows: usize,
    /// The number of kept rows before each morsel, then `total`.
    starts: Vec<usize>,
    /// The number of kept rows.
    total: usize,
}

impl<'a> Kept<'a> {
    fn count(guards: &'a Guards<'_>) -> Self {
        let slice = |(guard, bits): &'a (ReadGuard<'_>, Bits<'_>)| {
            BitSlice::new(guard.as_slice(), bits.offset, bits.len)
        };
        let (keep, validity) = (slice(&guards.keep), guards.validity.as_ref().map(slice));
        let mut kept = Self { keep, validity, rows: keep.len(), starts: vec![0], total: 0 };
        let counts = morsel::map(kept.rows, |rows| {
            let first = rows.start / HOST_MORSEL_ROWS;
            count_words(kept.morsel(first))
        });
        for count in counts {
            kept.total += count;
            kept.starts.push(kept.total);
        }
        kept
    }

    /// The selection of one morsel.
    fn morsel(&self, morsel: usize) -> Words<'_> {
        let first = morsel * HOST_MORSEL_ROWS;
        let len = HOST_MORSEL_ROWS.min(self.rows - first);
        Words {
            keep: self.keep.slice(first, len),
            validity: self.validity.map(|validity| validity.slice(first, len)),
        }
    }
}

/// The selection of one morsel, as words of 64 rows.
#[derive(Clone, Copy)]
struct Words<'a> {
    keep: BitSlice<'a>,
    validity: Option<BitSlice<'a>>,
}

impl Words<'_> {
    fn len(&self) -> usize {
        self.keep.len().div_ceil(64)
    }

    #[inline]
    fn word(&self, word: usize) -> u64 {
        self.keep.word(word) & self.validity.map_or(u64::MAX, |validity| validity.word(word))
    }
}

vectorised! {
    fn count_words[](words: Words<'_>) -> usize {
        (0..words.len()).map(|word| words.word(word).count_ones() as usize).sum()
    }
}

/// What `compact_rows` makes of the kept rows of each morsel, whose selection, first row and place it gets.
fn compact<T: Pod + Send + Sync>(
    kept: &Kept<'_>,
    exec: &Exec,
    compact_rows: impl Fn(Words<'_>, usize, &mut [T]) + Sync,
) -> Result<Buffer> {
    let mut out = Buffer::uninit(kept.total * size_of::<T>(), exec)?;
    if kept.total == 0 {
        return Ok(out);
    }
    let mut guard = out.write(exec)?;
    let mut rest = guard.as_mut_slice::<T>();
    let mut parts = Vec::with_capacity(kept.starts.len());
    for (morsel, bounds) in kept.starts.windows(2).enumerate() {
        let (part, tail) = rest.split_at_mut(bounds[1] - bounds[0]);
        rest = tail;
        if !part.is_empty() {
            parts.push((morsel, part));
        }
    }
    for_each_part(parts, |_, (morsel, part): (usize, &mut [T])| {
        compact_rows(kept.morsel(morsel), morsel * HOST_MORSEL_ROWS, part);
    });
    drop(guard);
    Ok(out)
}

/// With fewer kept rows per word than this, kept rows are found one by one. With more, every row is written
/// and the output position advances if the row is kept, which has no branch to mispredict.
const SPARSE: u32 = 16;

/// `out` has as many values as `words` has ones. `value` is called for rows with a one, and may be called for
/// rows between them.
fn compact_morsel<T: Pod>(words: Words<'_>, out: &mut [T], value: impl Fn(usize) -> T) {
    let mut at = 0;
    for word in 0..words.len() {
        let mut bits = words.word(word);
        let first = word * 64;
        let ones = bits.count_ones();
        if ones == 64 {
            for (k, out) in out[at..at + 64].iter_mut().enumerate() {
                *out = value(first + k);
            }
        } else if ones > SPARSE && at + 64 <= out.len() && first + 64 <= words.keep.len() {
            let block = &mut out[at..at + 64];
            let mut place = 0;
            for k in 0..64 {
                block[place & 63] = value(first + k);
                place += (bits >> k & 1) as usize;
            }
        } else {
            for out in &mut out[at..at + ones as usize] {
                *out = value(first + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        at += ones as usize;
    }
}

/// The kept ones of `values`, which are those of the morsel.
fn compact_values<T: Pod>(words: Words<'_>, values: &[T], out: &mut [T]) {
    assert_eq!(values.len(), words.keep.len());
    #[cfg(target_arch = "x86_64")]
    if matches!(size_of::<T>(), 4 | 8) && is_x86_feature_detected!("avx512f") && crate::simd::has_avx2() {
        // SAFETY: the processor has these features.
        return unsafe { compact_avx512(words, values, out) };
    }
    // SAFETY: `compact_morsel` only passes rows less than the number of `values`.
    compact_morsel(words, out, |row| unsafe { *values.get_unchecked(row) });
}

/// With more kept rows per word than this, AVX-512 compresses a word faster than its rows are found one by one.
#[cfg(target_arch = "x86_64")]
const SPARSE_AVX512: u32 = 6;

/// [`compact_values`] of 4 or 8 bytes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn compact_avx512<T: Pod>(words: Words<'_>, values: &[T], out: &mut [T]) {
    let mut at = 0;
    for word in 0..words.len() {
        let mut bits = words.word(word);
        let ones = bits.count_ones();
        if ones == 0 {
            continue;
        }
        let source = values[word * 64..].first_chunk::<64>();
        match (source, out[at..].first_chunk_mut::<64>()) {
            (Some(source), Some(target)) if ones == 64 => *target = *source,
            (Some(source), Some(target)) if ones > SPARSE_AVX512 => compress(bits, source, target),
            _ => {
                for out in &mut out[at..at + ones as usize] {
                    *out = values[word * 64 + bits.trailing_zeros() as usize];
                    bits &= bits - 1;
                }
            }
        }
        at += ones as usize;
    }
}

/// The values of 4 or 8 bytes where `mask` has ones, one after another; what follows them in `out` is unspecified.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn compress<T: Pod>(mask: u64, source: &[T; 64], out: &mut [T; 64]) {
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_maskz_compress_epi32, _mm512_maskz_compress_epi64, _mm512_storeu_si512,
    };
    let lanes = 64 / size_of::<T>();
    let mut at = 0;
    for first in (0..64).step_by(lanes) {
        let part = (mask >> first) as u16 & ((1_u32 << lanes) - 1) as u16;
        // SAFETY: a vector of `lanes` values from `first` is within `source`. As many are written from `at`, which is at most
        // `first`, because no more values were kept than read.
        unsafe {
            let values = _mm512_loadu_si512(source.as_ptr().add(first).cast());
            let kept = match lanes {
                8 => _mm512_maskz_compress_epi64(part as u8, values),
                _ => _mm512_maskz_compress_epi32(part, values),
            };
            _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), kept);
        }
        at += part.count_ones() as usize;
    }
}

/// The bits of the kept rows.
fn compact_bits(source: BitSlice<'_>, kept: &Kept<'_>, exec: &Exec) -> Result<Buffer> {
    let total = kept.total;
    let mut out = Buffer::uninit(total.div_ceil(64) * 8, exec)?;
    if total == 0 {
        return Ok(out);
    }
    let mut guard = out.write(exec)?;
    let mut rest = guard.as_mut_slice::<u64>();
    // A morsel owns the words from the one with its first bit up to, but excluding, the one with its end. It
    // returns its bits of that last word, so that no two tasks write one word.
    let mut parts = Vec::with_capacity(kept.starts.len());
    for (morsel, bounds) in kept.starts.windows(2).enumerate() {
        let (part, tail) = rest.split_at_mut(bounds[1] / 64 - bounds[0] / 64);
        rest = tail;
        parts.push((morsel, bounds[0] % 64, part));
    }
    rest.fill(0);
    let carries = map_parts(parts, |_, (morsel, skip, part): (usize, usize, &mut [u64])| {
        let rows = source.slice(morsel * HOST_MORSEL_ROWS, kept.morsel(morsel).keep.len());
        extract_morsel(kept.morsel(morsel), rows, skip, part)
    });
    let words = guard.as_mut_slice::<u64>();
    for (end, carry) in kept.starts[1..].iter().zip(carries) {
        if let Some(word) = words.get_mut(end / 64) {
            *word |= carry;
        }
    }
    drop(guard);
    Ok(out.slice(0, total.div_ceil(8)))
}

/// Writes the kept bits of `source` from bit `skip` of `out`. Returns the bits that do not fill a word.
fn extract_morsel(words: Words<'_>, source: BitSlice<'_>, skip: usize, out: &mut [u64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if crate::simd::has_avx2() {
        // SAFETY: the processor has BMI2.
        return unsafe { extract_bmi2(words, source, skip, out) };
    }
    extract_words(words, source, skip, out, extract)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
fn extract_bmi2(words: Words<'_>, source: BitSlice<'_>, skip: usize, out: &mut [u64]) -> u64 {
    extract_words(words, source, skip, out, |value, mask| std::arch::x86_64::_pext_u64(value, mask))
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "the body must take on the features of its caller")]
fn extract_words(
    words: Words<'_>,
    source: BitSlice<'_>,
    skip: usize,
    out: &mut [u64],
    extract: impl Fn(u64, u64) -> u64,
) -> u64 {
    let mut out = out.iter_mut();
    let (mut filled, mut pending) = (skip, 0);
    for word in 0..words.len() {
        let mask = words.word(word);
        if mask == 0 {
            continue;
        }
        let bits = extract(source.word(word), mask);
        let ones = mask.count_ones() as usize;
        pending |= bits << filled;
        if filled + ones >= 64 {
            if let Some(out) = out.next() {
                *out = pending;
            }
            // The bits that did not fit. A shift by 64 happens only if all bits fitted.
            pending = if filled == 0 { 0 } else { bits >> (64 - filled) };
        }
        filled = (filled + ones) % 64;
    }
    pending
}

/// The bits of `value` where `mask` has ones, compacted: the PEXT instruction.
fn extract(value: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut at = 0;
    while mask != 0 {
        out |= (value >> mask.trailing_zeros() & 1) << at;
        at += 1;
        mask &= mask - 1;
    }
    out
}
