//! Sort keys as unsigned integers: each column becomes fields of bits, and fields are packed into words whose
//! order is the order of the rows.

use super::strings::StringKey;
use super::{NullOrder, Order, SortKey};
use crate::bits::BitSlice;
use crate::{Element, Storage, View, ViewGuard, morsel};

/// One step of the sort, for rows that are equal in all previous steps.
pub(super) enum Level<'a> {
    /// By a word of bits.
    Word(Word<'a>),
    /// By the string of a key; nulls are told from values by a word before.
    String(StringKey<'a>),
}

/// Adjacent fields, the first on top.
pub(super) struct Word<'a> {
    fields: Vec<Field<'a>>,
    /// The number of bits of all fields.
    pub(super) bits: u32,
}

/// Some bits of one key.
#[derive(Clone, Copy)]
struct Field<'a> {
    /// The position of the key.
    position: usize,
    source: Source<'a>,
    shift: u32,
    bits: u32,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    /// Whether a row is null, ordered by `NullOrder`.
    Nulls(BitSlice<'a>, NullOrder),
    /// The difference to the smallest value, or to the largest if descending; zero for nulls.
    Value { key: Key<'a>, half: Half, least: u64, largest: u64, order: Order },
}

/// A key column.
#[derive(Clone, Copy)]
struct Key<'a> {
    guard: &'a ViewGuard<'a>,
    storage: Storage,
    validity: Option<BitSlice<'a>>,
}

/// Where a word has the values of a key.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) storage: Storage,
    /// The lowest bit and the number of bits of the differences to the smallest or the largest value.
    shift: u32,
    bits: u32,
    least: u64,
    largest: u64,
    order: Order,
    /// The bit that says whether a row is null, and where nulls go.
    nulls: Option<(u32, NullOrder)>,
}

/// The half of a 128-bit value.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    High,
    Low,
}

/// A value as an unsigned integer of the same order.
trait Ordered: Element {
    fn ordered(self, half: Half) -> u64;
}

/// A value that follows from its integer, but for those integers that are of several values.
pub(super) trait Restored: Element {
    /// The value; `None` for −0.0 or 0.0, and for a NaN.
    fn restored(ordered: u64) -> Option<Self>;
}

macro_rules! ordered_integers {
    ($($ty:ty as $wide:ty),*) => {$(impl Ordered for $ty {
        #[inline]
        fn ordered(self, _: Half) -> u64 {
            // Flips the sign bit of signed types; their smallest value becomes 0.
            (self as $wide as u64).wrapping_sub(<$wide>::MIN as u64)
        }
    })*};
}

ordered_integers!(
    i8 as i64, i16 as i64, i32 as i64, i64 as i64, u8 as u64, u16 as u64, u32 as u64, u64 as u64
);

macro_rules! restored_integers {
    ($($ty:ty as $wide:ty),*) => {$(impl Restored for $ty {
        #[inline]
        fn restored(ordered: u64) -> Option<Self> {
            Some(ordered.wrapping_add(<$wide>::MIN as u64) as $ty)
        }
    })*};
}

restored_integers!(
    i8 as i64, i16 as i64, i32 as i64, i64 as i64, u8 as u64, u16 as u64, u32 as u64, u64 as u64
);

impl Restored for f64 {
    #[inline]
    fn restored(ordered: u64) -> Option<Self> {
        const ZERO: u64 = 1 << 63;
        let bits = if ordered > ZERO { ordered ^ ZERO } else { !ordered };
        (ordered != ZERO && ordered != u64::MAX).then(|| Self::from_bits(bits))
    }
}

impl Restored for f32 {
    #[inline]
    fn restored(ordered: u64) -> Option<Self> {
        const ZERO: u32 = 1 << 31;
        let ordered = ordered as u32;
        let bits = if ordered > ZERO { ordered ^ ZERO } else { !ordered };
        (ordered != ZERO && ordered != u32::MAX).then(|| Self::from_bits(bits))
    }
}

impl Ordered for i128 {
    #[inline]
    fn ordered(self, half: Half) -> u64 {
        match half {
            Half::High => ((self >> 64) as i64).ordered(half),
            Half::Low => self as u64,
        }
    }
}

impl Ordered for f64 {
    #[inline]
    fn ordered(self, _: Half) -> u64 {
        // Adding zero turns −0.0 into 0.0 and changes nothing else.
        let bits = (self + 0.0).to_bits();
        let flipped = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
        if self.is_nan() { u64::MAX } else { flipped }
    }
}

impl Ordered for f32 {
    #[inline]
    fn ordered(self, _: Half) -> u64 {
        let bits = (self + 0.0).to_bits();
        let flipped = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
        u64::from(if self.is_nan() { u32::MAX } else { flipped })
    }
}

impl<'a> Key<'a> {
    /// Calls `use_value(i, value)` with the value of row `row(i)` as an ordered integer for each `i` less
    /// than `len`, except for nulls.
    #[inline]
    fn for_each(
        &self,
        half: Half,
        len: usize,
        row: impl Fn(usize) -> usize,
        mut use_value: impl FnMut(usize, u64),
    ) {
        dispatch!(self.storage, T => {
            let values = self.guard.values::<T>();
            self.visit(len, row, |i, row| use_value(i, values[row].ordered(half)));
        }, bit => {
            let values = self.guard.value_bits();
            self.visit(len, row, |i, row| use_value(i, u64::from(values.get(row))));
        });
    }

    #[inline]
    fn visit(&self, len: usize, row: impl Fn(usize) -> usize, mut visit: impl FnMut(usize, usize)) {
        match self.validity {
            None => (0..len).for_each(|i| visit(i, row(i))),
            Some(validity) => {
                (0..len).filter(|&i| validity.get(row(i))).for_each(|i| visit(i, row(i)));
            }
        }
    }

    /// The smallest and the largest value; `None` if all rows are null.
    fn range(&self, half: Half) -> Option<(u64, u64)> {
        let ranges = morsel::map(self.guard.len(), |rows| {
            let (mut least, mut largest) = (u64::MAX, 0);
            self.for_each(
                half,
                rows.len(),
                |i| rows.start + i,
                |_, value| {
                    least = least.min(value);
                    largest = largest.max(value);
                },
            );
            (least, largest)
        });
        let range = ranges.into_iter().fold((u64::MAX, 0), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        (range.0 <= range.1).then_some(range)
    }

    /// The fields of the key's values, from the top.
    fn fields(&self, position: usize, key: &SortKey<'_>, fields: &mut Vec<Field<'a>>) {
        let halves: &[Half] =
            if self.storage == Storage::I128 { &[Half::High, Half::Low] } else { &[Half::High] };
        for &half in halves {
            if let Some((least, largest)) = self.range(half).filter(|(least, largest)| least < largest) {
                let source = Source::Value { key: *self, half, least, largest, order: key.order };
                let bits = 64 - (largest - least).leading_zeros();
                fields.push(Field { position, source, shift: 0, bits });
            }
        }
    }
}

/// The steps of a sort by `keys`, whose guards are `guards`, in words of at most `word_bits` bits.
pub(super) fn levels<'a>(
    keys: &[SortKey<'_>],
    guards: &'a [ViewGuard<'a>],
    word_bits: u32,
) -> Vec<Level<'a>> {
    let mut levels = Vec::new();
    let mut pending = Vec::new();
    for (position, (key, guard)) in keys.iter().zip(guards).enumerate() {
        // A mask without a null takes no bit.
        let validity = guard.validity().filter(|validity| validity.count_ones() < validity.len());
        if let Some(validity) = validity {
            pending.push(Field { position, source: Source::Nulls(validity, key.nulls), shift: 0, bits: 1 });
        }
        match key.view {
            View::Fixed(fixed) => {
                Key { guard, storage: fixed.storage, validity }.fields(position, key, &mut pending);
            }
            View::String(_) => {
                pack(std::mem::take(&mut pending), word_bits, &mut levels);
                let strings = guard.strings();
                levels.push(Level::String(StringKey { strings, validity, order: key.order }));
            }
        }
    }
    pack(pending, word_bits, &mut levels);
    levels
}

/// Packs fields into as few words as they need; a field may be split across two.
fn pack<'a>(fields: Vec<Field<'a>>, word_bits: u32, levels: &mut Vec<Level<'a>>) {
    let mut word = Word { fields: Vec::new(), bits: 0 };
    for mut field in fields {
        while field.bits > 0 {
            let top = field.bits.min(word_bits - word.bits);
            field.bits -= top;
            word.fields.push(Field { shift: field.bits, bits: top, ..field });
            word.bits += top;
            if word.bits == word_bits {
                levels.push(Level::Word(std::mem::replace(&mut word, Word { fields: Vec::new(), bits: 0 })));
            }
        }
    }
    if word.bits > 0 {
        levels.push(Level::Word(word));
    }
}

impl Place {
    /// The integer of a row's value; that of some value for a null.
    #[inline]
    pub(super) fn ordered(&self, word: u64) -> u64 {
        let difference = word >> self.shift & u64::MAX >> (64 - self.bits);
        match self.order {
            Order::Ascending => self.least + difference,
            Order::Descending => self.largest - difference,
        }
    }

    /// Whether a row has a value; `None` if all have.
    pub(super) fn validity(self) -> Option<impl Fn(u64) -> bool + Copy + Send + Sync> {
        self.nulls.map(|(bit, nulls)| {
            let first = u64::from(nulls == NullOrder::First);
            move |word: u64| word >> bit & 1 == first
        })
    }
}

impl Word<'_> {
    /// Where the values of a key are, if they are whole and the key is neither of bits nor of 128-bit values. A key whose
    /// values are all equal has no bits.
    pub(super) fn place(&self, position: usize) -> Option<Place> {
        let mut place = None;
        let (mut nulls, mut shift) = (None, 0);
        for field in self.fields.iter().rev() {
            match field.source {
                _ if field.position != position => {}
                Source::Nulls(_, order) => nulls = Some((shift, order)),
                Source::Value { key, least, largest, order, .. } => {
                    if field.shift > 0 || matches!(key.storage, Storage::Bit | Storage::I128) {
                        return None;
                    }
                    let (storage, bits) = (key.storage, field.bits);
                    place = Some(Place { storage, shift, bits, least, largest, order, nulls: None });
                }
            }
            shift += field.bits;
        }
        place.map(|place| Place { nulls, ..place })
    }

    /// Writes the words of the rows `row(i)`.
    pub(super) fn fill(&self, words: &mut [u64], row: impl Fn(usize) -> usize + Copy) {
        let len = words.len();
        words.fill(0);
        for field in &self.fields {
            // A single field need not be shifted.
            if self.fields.len() > 1 {
                for word in words.iter_mut() {
                    *word <<= field.bits;
                }
            }
            let mask = u64::MAX >> (64 - field.bits);
            match field.source {
                Source::Nulls(validity, nulls) => {
                    let first = u64::from(nulls == NullOrder::First);
                    for (i, word) in words.iter_mut().enumerate() {
                        *word |= u64::from(!validity.get(row(i))) ^ first;
                    }
                }
                Source::Value { key, half, least, largest, order } => {
                    let shift = field.shift;
                    match order {
                        Order::Ascending => key.for_each(half, len, row, |i, value| {
                            words[i] |= (value - least) >> shift & mask;
                        }),
                        Order::Descending => key.for_each(half, len, row, |i, value| {
                            words[i] |= (largest - value) >> shift & mask;
                        }),
                    }
                }
            }
        }
    }
}
