//! Keys in sorted order, from the items that the host sorts rows by.
//!
//! To gather sorted keys reads them at random. Keys that fit a word of 64 bits together are read from the sorted items
//! instead: an item is the word with the row number below it, in 64 bits where both fit and in 128 bits else.

use super::fields::{Level, Place, Restored, Word, levels};
use super::host::row_map;
use super::radix::{self, Item, Target};
use super::{SortKey, SortedKeys};
use crate::parallel::for_each_chunk;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Element, FixedData, Result, Storage, View, ViewGuard, access, morsel};
use columnade_buffers::{Buffer, Exec, Pod};

/// Items whose words are computed at a time, in the L1 cache.
const BLOCK: usize = 1024;

/// A word and the row that it is of.
trait Packed: Item + Pod {
    fn pack(word: u64, row: usize, row_bits: u32) -> Self;

    fn word(self, row_bits: u32) -> u64;
}

impl Packed for u64 {
    #[inline]
    fn pack(word: u64, row: usize, row_bits: u32) -> Self {
        word << row_bits | row as u64
    }

    #[inline]
    fn word(self, row_bits: u32) -> u64 {
        self >> row_bits
    }
}

impl Packed for u128 {
    #[inline]
    fn pack(word: u64, row: usize, row_bits: u32) -> Self {
        u128::from(word) << row_bits | row as u128
    }

    #[inline]
    fn word(self, row_bits: u32) -> u64 {
        (self >> row_bits) as u64
    }
}

/// The row of an item.
fn row(item: impl Item, row_bits: u32) -> usize {
    (item.low() & ((1 << row_bits) - 1)) as usize
}

/// The rows in the order of the keys with those keys whose values the items have; `None` if they have none.
pub(super) fn sort(keys: &[SortKey<'_>], rows: usize, exec: &Exec) -> Result<Option<SortedKeys>> {
    let views: Vec<View<'_>> = keys.iter().map(|key| key.view).collect();
    let guards = access(&views, exec)?;
    let levels = levels(keys, &guards, u64::BITS);
    let [Level::Word(word)] = levels.as_slice() else { return Ok(None) };
    let places: Vec<Option<Place>> = (0..keys.len()).map(|position| word.place(position)).collect();
    if places.iter().all(Option::is_none) {
        return Ok(None);
    }
    let row_bits = usize::BITS - rows.leading_zeros();
    let input = Input { word, places: &places, guards: &guards, rows, row_bits };
    let sorted =
        if word.bits + row_bits <= u64::BITS { input.sort::<u64>(exec) } else { input.sort::<u128>(exec) };
    sorted.map(Some)
}

struct Input<'a> {
    word: &'a Word<'a>,
    places: &'a [Option<Place>],
    guards: &'a [ViewGuard<'a>],
    rows: usize,
    row_bits: u32,
}

impl Input<'_> {
    fn sort<T: Packed>(&self, exec: &Exec) -> Result<SortedKeys> {
        let (rows, row_bits) = (self.rows, self.row_bits);
        let bytes = rows.saturating_mul(size_of::<T>());
        let (mut items, mut scratch) = (Buffer::uninit(bytes, exec)?, Buffer::uninit(bytes, exec)?);
        let (mut items, mut scratch) = (items.write(exec)?, scratch.write(exec)?);
        let items = items.as_mut_slice::<T>();
        for_each_chunk(items, HOST_MORSEL_ROWS, |chunk, items| {
            for (block, items) in items.chunks_mut(BLOCK).enumerate() {
                let first = chunk * HOST_MORSEL_ROWS + block * BLOCK;
                let mut words = [0; BLOCK];
                let words = &mut words[..items.len()];
                self.word.fill(words, |i| first + i);
                for (i, (item, &mut word)) in items.iter_mut().zip(words).enumerate() {
                    *item = T::pack(word, first + i, row_bits);
                }
            }
        });
        radix::sort(items, scratch.as_mut_slice::<T>(), row_bits + self.word.bits, Target::Items);
        let items = &*items;
        let rows = row_map(items, |item| row(item, row_bits), exec)?;
        let keys = self.places.iter().zip(self.guards).map(|(place, guard)| match place {
            Some(place) => self.values(*place, guard, items, exec),
            None => Ok(None),
        });
        Ok(SortedKeys { rows, keys: keys.collect::<Result<_>>()? })
    }

    /// The values of a key in the order of the items.
    fn values<T: Packed>(
        &self,
        place: Place,
        guard: &ViewGuard<'_>,
        items: &[T],
        exec: &Exec,
    ) -> Result<Option<FixedData>> {
        let data = match place.storage {
            Storage::I8 => self.restored::<i8, T>(place, guard, items, exec)?,
            Storage::I16 => self.restored::<i16, T>(place, guard, items, exec)?,
            Storage::I32 => self.restored::<i32, T>(place, guard, items, exec)?,
            Storage::I64 => self.restored::<i64, T>(place, guard, items, exec)?,
            Storage::U8 => self.restored::<u8, T>(place, guard, items, exec)?,
            Storage::U16 => self.restored::<u16, T>(place, guard, items, exec)?,
            Storage::U32 => self.restored::<u32, T>(place, guard, items, exec)?,
            Storage::U64 => self.restored::<u64, T>(place, guard, items, exec)?,
            Storage::F32 => self.restored::<f32, T>(place, guard, items, exec)?,
            Storage::F64 => self.restored::<f64, T>(place, guard, items, exec)?,
            Storage::Bit | Storage::I128 => return Ok(None),
        };
        let row_bits = self.row_bits;
        let validity = place.validity().map(|is_valid| {
            morsel::build_bits(self.rows, exec, |rows, words| {
                for (word, items) in words.iter_mut().zip(items[rows].chunks(64)) {
                    let bits = items.iter().enumerate();
                    *word =
                        bits.fold(0, |bits, (i, item)| bits | u64::from(is_valid(item.word(row_bits))) << i);
                }
            })
        });
        Ok(Some(FixedData { storage: place.storage, len: self.rows, data, validity: validity.transpose()? }))
    }

    fn restored<V: Restored + Element, T: Packed>(
        &self,
        place: Place,
        guard: &ViewGuard<'_>,
        items: &[T],
        exec: &Exec,
    ) -> Result<Buffer> {
        let row_bits = self.row_bits;
        let source = guard.values::<V>();
        morsel::build_values(self.rows, exec, |rows, out: &mut [V]| {
            for (out, &item) in out.iter_mut().zip(&items[rows]) {
                let ordered = place.ordered(item.word(row_bits));
                // Zeros and NaNs, which have several patterns of bits, are read where they are.
                *out = V::restored(ordered).unwrap_or_else(|| source[row(item, row_bits)]);
            }
        })
    }
}
