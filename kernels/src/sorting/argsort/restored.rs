//! Keys in sorted order, from the items that the host sorts rows by.
//!
//! To gather sorted keys reads them at random. Keys that fit a word of 64 bits together are read from the sorted items
//! instead: an item is the word with the row number below it where both fit 64 bits, else a pair of both.

use super::computed::{BLOCK, Output, Outputs, Source, Values, sort_computed};
use super::fields::{Level, Place, Restored, Word, levels};
use super::radix::{Item, Pair};
use super::{SortKey, SortedKeys};
use crate::scratch::Scratch;
use crate::{ColumnData, FixedData, Result, RowMap, RowWidth, Storage, View, ViewGuard, access, morsel};
use columnade_buffers::{Buffer, Exec, OwnedWriteGuard, Pod};

/// A word and the row that it is of.
pub(super) trait Packed: Item + Pod {
    /// How many bits of the key are below the word.
    fn below(row_bits: u32) -> u32;

    fn pack(word: u64, row: usize, row_bits: u32) -> Self;

    fn word(self, row_bits: u32) -> u64;

    fn row(self, row_bits: u32) -> usize;
}

impl Packed for u64 {
    #[inline]
    fn below(row_bits: u32) -> u32 {
        row_bits
    }

    #[inline]
    fn pack(word: u64, row: usize, row_bits: u32) -> Self {
        word << row_bits | row as u64
    }

    #[inline]
    fn word(self, row_bits: u32) -> u64 {
        self >> row_bits
    }

    #[inline]
    fn row(self, row_bits: u32) -> usize {
        (self & ((1 << row_bits) - 1)) as usize
    }
}

impl Packed for Pair {
    #[inline]
    fn below(_: u32) -> u32 {
        0
    }

    #[inline]
    fn pack(word: u64, row: usize, _: u32) -> Self {
        [word, row as u64]
    }

    #[inline]
    fn word(self, _: u32) -> u64 {
        self[0]
    }

    #[inline]
    fn row(self, _: u32) -> usize {
        self[1] as usize
    }
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
    let keys: Vec<_> = places.into_iter().zip(&guards).collect();
    let sorted = if word.bits + row_bits <= u64::BITS {
        sort_words::<u64>(word, &keys, rows, row_bits, exec)
    } else {
        sort_words::<Pair>(word, &keys, rows, row_bits, exec)
    };
    sorted.map(Some)
}

/// Where the words have a key, if they have it, and its values.
type KeyValues<'a> = (Option<Place>, &'a ViewGuard<'a>);

/// The rows in the order of their words, and the keys in this order.
pub(super) fn sort_words<T: Packed>(
    word: &Word<'_>,
    keys: &[KeyValues<'_>],
    len: usize,
    row_bits: u32,
    exec: &Exec,
) -> Result<SortedKeys> {
    let fill = |start: usize, items: &mut [T]| {
        let mut words = [0; BLOCK];
        let words = &mut words[..items.len()];
        word.fill(words, |i| start + i);
        for (i, (item, &mut word)) in items.iter_mut().zip(words).enumerate() {
            *item = T::pack(word, start + i, row_bits);
        }
    };
    let source = Source { len, high: T::below(row_bits) + word.bits, fill: &fill };
    let width = RowWidth::for_rows(len);
    let mut rows = Buffer::uninit_write(len.saturating_mul(width.bytes()), exec)?;
    let mut found: Vec<Option<Found>> = keys
        .iter()
        .map(|(place, _)| place.map(|place| Found::new(place, len, exec)).transpose())
        .collect::<Result<_>>()?;
    let mut outputs: Outputs<'_, T> = Vec::with_capacity(1 + 2 * keys.len());
    outputs.push(match width {
        RowWidth::U32 => values(rows.as_mut_slice::<u32>(), len, move |item: T| item.row(row_bits) as u32),
        RowWidth::U64 => values(rows.as_mut_slice::<u64>(), len, move |item: T| item.row(row_bits) as u64),
    });
    for (found, (_, guard)) in found.iter_mut().zip(keys) {
        if let Some(found) = found {
            found.outputs(guard, row_bits, len, &mut outputs);
        }
    }
    let mut memory = Scratch::uninit(len, exec)?;
    sort_computed(&source, u32::MAX, &mut memory.as_mut_slice()[..len], outputs, exec)?;
    drop(memory);
    let keys = found
        .into_iter()
        .map(|found| found.map(|found| found.finish(len, exec).map(ColumnData::Fixed)).transpose());
    let keys = keys.collect::<Result<_>>()?;
    Ok(SortedKeys { rows: RowMap { rows: rows.into_buffer(), width, len }, keys })
}

fn values<'a, V: Pod + Send, T: Packed>(
    out: &'a mut [V],
    len: usize,
    value: impl Fn(T) -> V + Copy + Send + 'a,
) -> Box<dyn Output<'a, T> + 'a> {
    Box::new(Values { out: &mut out[..len], value })
}

/// The values of a key in sorted order, and for each whether it is valid.
struct Found {
    place: Place,
    data: OwnedWriteGuard,
    valid: Option<Scratch<u8>>,
}

impl Found {
    fn new(place: Place, len: usize, exec: &Exec) -> Result<Self> {
        let data = Buffer::uninit_write(place.storage.bytes(len), exec)?;
        let valid = place.validity().is_some().then(|| Scratch::uninit(len, exec)).transpose()?;
        Ok(Self { place, data, valid })
    }

    fn outputs<'a, T: Packed>(
        &'a mut self,
        guard: &'a ViewGuard<'a>,
        row_bits: u32,
        len: usize,
        outputs: &mut Outputs<'a, T>,
    ) {
        let place = self.place;
        if let (Some(valid), Some(is_valid)) = (&mut self.valid, place.validity()) {
            outputs.push(values(valid.as_mut_slice(), len, move |item: T| {
                u8::from(is_valid(item.word(row_bits)))
            }));
        }
        macro_rules! restored {
            ($($storage:ident: $ty:ty),*) => {
                match place.storage {
                    $(Storage::$storage => {
                        let source = guard.values::<$ty>();
                        outputs.push(values(self.data.as_mut_slice::<$ty>(), len, move |item: T| {
                            // Zeros and NaNs, which have several patterns of bits, are read where they are.
                            <$ty>::restored(place.ordered(item.word(row_bits)))
                                .unwrap_or_else(|| source[item.row(row_bits)])
                        }));
                    })*
                    // A word has no place of these.
                    Storage::Bit | Storage::I128 => {}
                }
            };
        }
        restored!(I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64, F32: f32, F64: f64);
    }

    fn finish(self, len: usize, exec: &Exec) -> Result<FixedData> {
        let validity = self.valid.map(|valid| {
            let valid = valid.as_slice();
            morsel::build_bits(len, exec, |rows, words| {
                for (word, valid) in words.iter_mut().zip(valid[rows].chunks(64)) {
                    *word =
                        valid.iter().enumerate().fold(0, |bits, (i, &valid)| bits | u64::from(valid) << i);
                }
            })
        });
        let (storage, data) = (self.place.storage, self.data.into_buffer());
        Ok(FixedData { storage, len, data, validity: validity.transpose()? })
    }
}
