//! Short strings as integers of mixed radix.

use super::column::{KeyColumn, Offsets, StringCells, short_word};
use crate::morsel;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Strings of at most this many bytes are packed.
pub(super) const LONGEST_PACKED: usize = 16;

/// Strings whose words are loaded at a time.
const BATCH: usize = 256;

/// Words that are compared at a time.
const LANES: usize = 8;

/// Codes of strings.
pub(super) enum Codes<'a> {
    /// Those of consecutive rows.
    Words(&'a [u64]),
    /// That of one row.
    Wide(u128),
}

/// How the strings of a column become integers.
///
/// The bytes that differ between strings are the digits of a number of mixed radix, each as the difference to the least
/// byte in its place; the lowest digit is the length, if lengths differ. So the codes of "id001" to "id100" are less than
/// 200. Two strings of the measured range have the same code exactly if they are equal.
#[derive(Clone, Debug)]
pub(super) struct StringCode {
    pub(super) shortest: usize,
    pub(super) longest: usize,
    /// The least byte in each place, the first one lowest, among strings that have one there.
    low: u128,
    /// The largest likewise.
    high: u128,
    digits: SmallVec<[Digit; 16]>,
    /// Whether all rows are of one length, nulls too.
    is_even: bool,
    /// The largest code.
    pub(super) largest: u128,
}

/// A place of the strings with different bytes.
#[derive(Clone, Copy, Debug)]
struct Digit {
    place: usize,
    weight: u128,
}

/// What is measured of some strings.
#[derive(Clone, Copy)]
struct Measured {
    shortest: usize,
    longest: usize,
    low: [u8; LONGEST_PACKED],
    high: [u8; LONGEST_PACKED],
    /// Whether the rows of each part are of one length.
    is_even: bool,
}

impl Measured {
    const NONE: Self = Self {
        shortest: usize::MAX,
        longest: 0,
        low: [u8::MAX; LONGEST_PACKED],
        high: [0; LONGEST_PACKED],
        is_even: true,
    };

    fn merge(mut self, other: &Self) -> Self {
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self.is_even &= other.is_even;
        for place in 0..LONGEST_PACKED {
            self.low[place] = self.low[place].min(other.low[place]);
            self.high[place] = self.high[place].max(other.high[place]);
        }
        self
    }
}

/// All bits of the first 0 to 16 bytes.
static MASKS: [u128; LONGEST_PACKED + 1] = {
    let mut masks = [0; LONGEST_PACKED + 1];
    let mut bytes = 1;
    while bytes <= LONGEST_PACKED {
        masks[bytes] = u128::MAX >> (u128::BITS as usize - 8 * bytes);
        bytes += 1;
    }
    masks
};

/// All bits of the first `bytes` bytes, at most 16.
#[inline]
fn mask(bytes: usize) -> u128 {
    MASKS[bytes.min(LONGEST_PACKED)]
}

/// The first bytes of `chars` from `start`, of which `len` count, as an integer, the first byte lowest.
#[inline]
fn word(chars: &[u8], start: usize, len: usize) -> u128 {
    if let Some(chunk) = chars[start..].first_chunk::<16>() {
        return u128::from_le_bytes(*chunk) & mask(len);
    }
    let mut chunk = [0; 16];
    chunk[..len].copy_from_slice(&chars[start..start + len]);
    u128::from_le_bytes(chunk)
}

vectorised! {
    /// The least byte in each place.
    fn least[](words: &[[u8; LONGEST_PACKED]]) -> [u8; LONGEST_PACKED] {
        // Several words at a time: a loop over one would not be vectorised.
        let mut lanes = [u8::MAX; LANES * LONGEST_PACKED];
        let (chunks, rest) = words.as_flattened().as_chunks::<{ LANES * LONGEST_PACKED }>();
        for chunk in chunks {
            for lane in 0..LANES * LONGEST_PACKED {
                lanes[lane] = lanes[lane].min(chunk[lane]);
            }
        }
        let mut least = [u8::MAX; LONGEST_PACKED];
        for bytes in lanes.chunks(LONGEST_PACKED).chain(rest.chunks(LONGEST_PACKED)) {
            for (least, &byte) in least.iter_mut().zip(bytes) {
                *least = byte.min(*least);
            }
        }
        least
    }

    /// The largest byte in each place.
    fn most[](words: &[[u8; LONGEST_PACKED]]) -> [u8; LONGEST_PACKED] {
        let mut lanes = [0; LANES * LONGEST_PACKED];
        let (chunks, rest) = words.as_flattened().as_chunks::<{ LANES * LONGEST_PACKED }>();
        for chunk in chunks {
            for lane in 0..LANES * LONGEST_PACKED {
                lanes[lane] = lanes[lane].max(chunk[lane]);
            }
        }
        let mut most = [0; LONGEST_PACKED];
        for bytes in lanes.chunks(LONGEST_PACKED).chain(rest.chunks(LONGEST_PACKED)) {
            for (most, &byte) in most.iter_mut().zip(bytes) {
                *most = byte.max(*most);
            }
        }
        most
    }

    /// Whether each offset is `length` after the one before it.
    fn have_length[](offsets: &[i32], length: i32) -> bool {
        let pairs = offsets.iter().zip(offsets.iter().skip(1));
        pairs.fold(true, |all, (start, end)| all & (end.wrapping_sub(*start) == length))
    }

    /// The least and the largest byte in each place of strings of `length` bytes, which follow each other.
    fn extremes_of_even[](chars: &[u8], length: usize) -> [[u8; LONGEST_PACKED]; 2] {
        const WIDTH: usize = 32;
        let (mut least, mut most) = ([u8::MAX; WIDTH * LONGEST_PACKED], [0; WIDTH * LONGEST_PACKED]);
        let blocks = chars.chunks_exact(WIDTH * length);
        let rest = blocks.remainder();
        for block in blocks {
            let lanes = least.as_chunks_mut::<WIDTH>().0.iter_mut().zip(most.as_chunks_mut::<WIDTH>().0);
            for ((least, most), bytes) in lanes.zip(block.as_chunks::<WIDTH>().0) {
                for lane in 0..WIDTH {
                    least[lane] = least[lane].min(bytes[lane]);
                    most[lane] = most[lane].max(bytes[lane]);
                }
            }
        }
        let mut extremes = [[u8::MAX; LONGEST_PACKED], [0; LONGEST_PACKED]];
        let lanes = least[..WIDTH * length].iter().zip(&most).chain(rest.iter().zip(rest));
        for (at, (&least, &most)) in lanes.enumerate() {
            let place = at % length;
            extremes[0][place] = extremes[0][place].min(least);
            extremes[1][place] = extremes[1][place].max(most);
        }
        extremes
    }

    /// Sets bits of `outside` for words with a byte that is less than that of `low` or greater than that of `high`.
    fn find_outside[](words: &[u64; BATCH], low: u64, high: u64, outside: &mut [u64; BATCH]) {
        const BYTES: usize = 16 * size_of::<u64>();
        let (lows, highs) = ([low; 16], [high; 16]);
        let (lows, highs): (&[u8], &[u8]) = (bytemuck::cast_slice(&lows), bytemuck::cast_slice(&highs));
        let (words, _) = bytemuck::cast_slice::<u64, u8>(words).as_chunks::<BYTES>();
        let (outside, _) = bytemuck::cast_slice_mut::<u64, u8>(outside).as_chunks_mut::<BYTES>();
        for (outside, words) in outside.iter_mut().zip(words) {
            for lane in 0..BYTES {
                outside[lane] |= lows[lane].saturating_sub(words[lane]) | words[lane].saturating_sub(highs[lane]);
            }
        }
    }

    /// Subtracts `low` from each word.
    fn subtract[](words: &mut [u64; BATCH], low: u64) {
        for word in words {
            *word = word.wrapping_sub(low);
        }
    }

    /// Adds the digits in byte `shift / 8` of the words, times `weight`.
    fn add_digits[](words: &[u64; BATCH], shift: u32, weight: u64, codes: &mut [u64; BATCH]) {
        if let Ok(weight) = u32::try_from(weight) {
            // A product of two words of 32 bits is one instruction of AVX2, that of longer ones seven.
            for (code, word) in codes.iter_mut().zip(words) {
                *code = code.wrapping_add((word >> shift & 0xff) * u64::from(weight));
            }
            return;
        }
        for (code, word) in codes.iter_mut().zip(words) {
            *code = code.wrapping_add((word >> shift & 0xff).wrapping_mul(weight));
        }
    }
}

/// Measures the strings between the offsets, at most [`BATCH`]; `None` if one is too long.
fn measure_strings(chars: &[u8], bounds: &[[usize; 2]]) -> Option<Measured> {
    let (mut shortest, mut longest) = (usize::MAX, 0);
    for [start, end] in bounds {
        shortest = shortest.min(end - start);
        longest = longest.max(end - start);
    }
    if longest > LONGEST_PACKED {
        return None;
    }
    // A place without a byte has the largest for the minimum, and the least for the maximum.
    let mut words = [[0; LONGEST_PACKED]; BATCH];
    let words = &mut words[..bounds.len()];
    for (out, &[start, end]) in words.iter_mut().zip(bounds) {
        *out = word(chars, start, end - start).to_le_bytes();
    }
    let high = most(words);
    if shortest < LONGEST_PACKED {
        for (out, &[start, end]) in words.iter_mut().zip(bounds) {
            *out = (u128::from_le_bytes(*out) | !mask(end - start)).to_le_bytes();
        }
    }
    Some(Measured { shortest, longest, low: least(words), high, is_even: false })
}

/// Measures some rows if they are of one length, the common case of identifiers: their bytes follow each other.
fn measure_even(strings: &StringCells<'_>, rows: std::ops::Range<usize>) -> Option<Measured> {
    let Offsets::I32(offsets) = strings.offsets else { return None };
    let offsets = &offsets[rows.start..=rows.end];
    let (&start, &end) = (offsets.first()?, offsets.last()?);
    let length = (end - start) as usize / rows.len().max(1);
    if !(1..=LONGEST_PACKED).contains(&length) || !have_length(offsets, length as i32) {
        return None;
    }
    let [low, high] = extremes_of_even(&strings.chars[start as usize..end as usize], length);
    Some(Measured { shortest: length, longest: length, low, high, is_even: true })
}

/// Where the strings of some rows, at most as many as `bounds` has, start and end.
#[inline]
fn bounds_of(strings: &StringCells<'_>, first: usize, bounds: &mut [[usize; 2]]) {
    fn pairs<T: Copy>(offsets: &[T], bounds: &mut [[usize; 2]], offset: impl Fn(T) -> usize) {
        for (bound, pair) in bounds.iter_mut().zip(offsets.windows(2)) {
            *bound = [offset(pair[0]), offset(pair[1])];
        }
    }
    match strings.offsets {
        Offsets::I32(offsets) => pairs(&offsets[first..], bounds, |offset| offset as usize),
        Offsets::I64(offsets) => pairs(&offsets[first..], bounds, |offset| offset as usize),
    }
}

impl StringCode {
    /// Measures the valid strings; `None` if one is too long or the codes do not fit in 128 bits.
    pub(super) fn measure(column: &KeyColumn<'_>, strings: &StringCells<'_>) -> Option<Self> {
        let too_long = AtomicBool::new(false);
        let parts = morsel::map(column.rows, |rows| {
            if column.validity.is_none()
                && let Some(measured) = measure_even(strings, rows.clone())
            {
                return measured;
            }
            let mut measured = Measured::NONE;
            let mut bounds = [[0; 2]; BATCH];
            for first in rows.clone().step_by(BATCH) {
                if too_long.load(Relaxed) {
                    break;
                }
                let mut count = BATCH.min(rows.end - first);
                bounds_of(strings, first, &mut bounds[..count]);
                if column.validity.is_some() {
                    let mut valid = 0;
                    for row in 0..count {
                        bounds[valid] = bounds[row];
                        valid += usize::from(column.valid(first + row));
                    }
                    count = valid;
                }
                match measure_strings(strings.chars, &bounds[..count]) {
                    Some(part) => measured = measured.merge(&part),
                    None => too_long.store(true, Relaxed),
                }
            }
            measured
        });
        if too_long.into_inner() {
            return None;
        }
        Self::new(&parts.iter().fold(Measured::NONE, Measured::merge))
    }

    fn new(measured: &Measured) -> Option<Self> {
        let longest = measured.longest;
        let shortest = measured.shortest.min(longest);
        let mut radix = (longest - shortest) as u128 + 1;
        let mut digits = SmallVec::new();
        let (mut low, mut high) = ([0; 16], [0; 16]);
        low[..longest].copy_from_slice(&measured.low[..longest]);
        high[..longest].copy_from_slice(&measured.high[..longest]);
        // The last place has the lowest weight, so that codes of one length are in the order of their strings.
        for place in (0..longest).rev() {
            let values = u128::from(high[place].saturating_sub(low[place])) + 1;
            if values > 1 {
                digits.push(Digit { place, weight: radix });
                radix = radix.checked_mul(values)?;
            }
        }
        let (low, high) = (u128::from_le_bytes(low), u128::from_le_bytes(high));
        let is_even = measured.is_even && shortest == longest;
        Some(Self { shortest, longest, low, high, digits, is_even, largest: radix - 1 })
    }

    /// The code of a string of the measured rows.
    #[inline]
    fn wide_code(&self, bytes: u128, len: usize) -> u128 {
        // No byte is less than the least in its place: nothing is borrowed from the next.
        let digits = bytes.wrapping_sub(self.low & mask(len)).to_le_bytes();
        let length = len.wrapping_sub(self.shortest) as u128;
        self.digits.iter().fold(length, |code, digit| {
            code.wrapping_add(u128::from(digits[digit.place]).wrapping_mul(digit.weight))
        })
    }

    /// Whether a string is in the measured range.
    #[inline]
    fn has(&self, bytes: u128, len: usize) -> bool {
        let (low, high) = (self.low.to_le_bytes(), self.high.to_le_bytes());
        let (least, most) = ((bytes | !mask(len)).to_le_bytes(), bytes.to_le_bytes());
        // Without a branch for each place.
        let outside = (0..LONGEST_PACKED).fold(0, |outside, place| {
            outside | u8::from(least[place] < low[place]) | u8::from(most[place] > high[place])
        });
        outside == 0
    }

    /// Calls `each` with the index and the code of each of `len` rows from `start`; `None` for a string outside the
    /// measured range. Codes of rows that are not valid are arbitrary.
    pub(super) fn foreign_codes(
        &self,
        strings: &StringCells<'_>,
        start: usize,
        len: usize,
        mut each: impl FnMut(usize, Option<u128>),
    ) {
        let fits = u64::try_from(self.largest).is_ok();
        let mut bounds = [[0; 2]; BATCH];
        let (mut words, mut codes) = ([[0_u64; BATCH]; 2], [0_u64; BATCH]);
        for first in (0..len).step_by(BATCH) {
            let bounds = &mut bounds[..BATCH.min(len - first)];
            bounds_of(strings, start + first, bounds);
            if fits {
                let mut outside = [0; BATCH];
                for (half, words) in words.iter_mut().enumerate().take(self.longest.div_ceil(8)) {
                    self.load(strings.chars, bounds, 8 * half, words);
                    let high = (self.high >> (64 * half)) as u64;
                    find_outside(words, self.low_from(8 * half), high, &mut outside);
                    subtract(words, self.low_from(8 * half));
                }
                self.add_all_digits(bounds, &words, 0, &mut codes);
                for (row, &[start, end]) in bounds.iter().enumerate() {
                    let len = end - start;
                    let is_inside = outside[row] == 0 && len >= self.shortest && len <= self.longest;
                    each(first + row, is_inside.then(|| u128::from(codes[row])));
                }
                continue;
            }
            for (row, &[start, end]) in bounds.iter().enumerate() {
                let len = end - start;
                let code = if len < self.shortest || len > self.longest {
                    None
                } else {
                    let bytes = word(strings.chars, start, len);
                    self.has(bytes, len).then(|| self.wide_code(bytes, len))
                };
                each(first + row, code);
            }
        }
    }

    /// The largest code of the measured strings.
    pub(super) const fn largest(&self) -> u128 {
        self.largest
    }

    /// Calls `each` with the codes of `len` rows from `start`, which were measured, and the index of the first of them. Codes
    /// of rows that are not valid are arbitrary.
    pub(super) fn codes(
        &self,
        strings: &StringCells<'_>,
        start: usize,
        len: usize,
        mut each: impl FnMut(usize, Codes<'_>),
    ) {
        let (Ok(_), Some(places)) = (u64::try_from(self.largest), self.places()) else {
            let mut bounds = [[0; 2]; BATCH];
            for first in (0..len).step_by(BATCH) {
                let bounds = &mut bounds[..BATCH.min(len - first)];
                bounds_of(strings, start + first, bounds);
                for (row, &[start, end]) in bounds.iter().enumerate() {
                    let len = (end - start).min(self.longest);
                    each(first + row, Codes::Wide(self.wide_code(word(strings.chars, start, len), len)));
                }
            }
            return;
        };
        let mut bounds = [[0; 2]; BATCH];
        let (mut words, mut codes) = ([[0_u64; BATCH]; 2], [0_u64; BATCH]);
        let second = places.end - places.start > 8;
        for first in (0..len).step_by(BATCH) {
            let bounds = &mut bounds[..BATCH.min(len - first)];
            bounds_of(strings, start + first, if self.is_even { &mut bounds[..1] } else { &mut *bounds });
            for (half, words) in words.iter_mut().enumerate().take(1 + usize::from(second)) {
                let from = places.start + 8 * half;
                if self.is_even {
                    self.load_even(strings.chars, bounds[0][0], bounds.len(), from, words);
                } else {
                    self.load(strings.chars, bounds, from, words);
                }
                subtract(words, self.low_from(from));
            }
            self.add_all_digits(bounds, &words, places.start, &mut codes);
            each(first, Codes::Words(&codes[..bounds.len()]));
        }
    }

    /// The places of all digits; none if strings differ in nothing but their length.
    fn places(&self) -> Option<std::ops::Range<usize>> {
        let first = self.digits.iter().map(|digit| digit.place).min();
        let last = self.digits.iter().map(|digit| digit.place).max();
        first.zip(last).map(|(first, last)| first..last + 1).or(Some(0..0))
    }

    /// The least bytes from place `from` on.
    fn low_from(&self, from: usize) -> u64 {
        self.low.checked_shr(8 * from as u32).unwrap_or(0) as u64
    }

    /// The codes of strings whose digits are in `words`, from place `first` on.
    fn add_all_digits(
        &self,
        bounds: &[[usize; 2]],
        words: &[[u64; BATCH]; 2],
        first: usize,
        codes: &mut [u64; BATCH],
    ) {
        if self.is_even {
            codes.fill(0);
        } else {
            for (code, [start, end]) in codes.iter_mut().zip(bounds) {
                *code = (end - start).wrapping_sub(self.shortest) as u64;
            }
        }
        for digit in &self.digits {
            let place = digit.place - first;
            add_digits(&words[place / 8], (place % 8 * 8) as u32, digit.weight as u64, codes);
        }
    }

    /// [`StringCode::load`] of `count` rows from `start` that all have one length.
    fn load_even(&self, chars: &[u8], start: usize, count: usize, from: usize, words: &mut [u64; BATCH]) {
        let (low, length) = (self.low_from(from), self.longest);
        let mask = mask(length.saturating_sub(from).min(8)) as u64;
        let chars = &chars[(start + from).min(chars.len())..];
        let strings = chars.windows(8).step_by(length).take(count).filter_map(|window| window.first_chunk());
        let mut loaded = 0;
        for (out, string) in words.iter_mut().zip(strings) {
            *out = u64::from_le_bytes(*string) & mask | low & !mask;
            loaded += 1;
        }
        // Those with fewer than eight bytes after them.
        for (row, out) in (loaded..count).zip(&mut words[loaded..]) {
            *out = short_word(&chars[(row * length).min(chars.len())..]) & mask | low & !mask;
        }
    }

    /// Loads the eight bytes of each string from place `from` on; the least byte where it has none.
    fn load(&self, chars: &[u8], bounds: &[[usize; 2]], from: usize, words: &mut [u64; BATCH]) {
        let low = self.low_from(from);
        let at = |start: usize| {
            let at = start + from;
            match chars.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
                Some(chunk) => u64::from_le_bytes(*chunk),
                None => short_word(&chars[at.min(chars.len())..]),
            }
        };
        if self.shortest == self.longest {
            let mask = mask(self.longest.saturating_sub(from).min(8)) as u64;
            for (out, &[start, _]) in words.iter_mut().zip(bounds) {
                *out = at(start) & mask | low & !mask;
            }
        } else {
            for (out, &[start, end]) in words.iter_mut().zip(bounds) {
                let mask = mask((end - start).saturating_sub(from).min(8)) as u64;
                *out = at(start) & mask | low & !mask;
            }
        }
    }
}
