//! A key column in host memory.

use super::packed::mix;
use crate::bits::BitSlice;
use crate::{OffsetWidth, Storage, View, ViewGuard};

/// The values of a key column, by type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cells<'a> {
    Bit(BitSlice<'a>),
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    I128(&'a [i128]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    String(StringCells<'a>),
}

/// The values of a string column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringCells<'a> {
    pub(crate) offsets: Offsets<'a>,
    pub(crate) chars: &'a [u8],
}

/// Offsets of either width.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offsets<'a> {
    I32(&'a [i32]),
    I64(&'a [i64]),
}

impl<'a> StringCells<'a> {
    /// The bytes of a row.
    #[inline]
    pub(crate) fn bytes(&self, row: usize) -> &'a [u8] {
        match self.offsets {
            Offsets::I32(offsets) => &self.chars[offsets[row] as usize..offsets[row + 1] as usize],
            Offsets::I64(offsets) => &self.chars[offsets[row] as usize..offsets[row + 1] as usize],
        }
    }
}

/// A key column: its values and its validity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyColumn<'a> {
    pub(crate) cells: Cells<'a>,
    /// `None` also if no row is null.
    pub(crate) validity: Option<BitSlice<'a>>,
    pub(crate) rows: usize,
}

/// Normalises NaN and zero, so that equal keys have equal bits.
#[inline]
pub(crate) fn normal32(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { (value + 0.0).to_bits() }
}

/// Normalises NaN and zero, so that equal keys have equal bits.
#[inline]
pub(crate) fn normal64(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { (value + 0.0).to_bits() }
}

impl<'a> KeyColumn<'a> {
    /// The column behind a guard of host memory. Counts the nulls.
    pub(crate) fn new(guard: &'a ViewGuard<'_>) -> Self {
        let cells = match guard.view() {
            View::String(strings) => {
                let offsets = match strings.offset_width {
                    OffsetWidth::I32 => Offsets::I32(guard.offsets()),
                    OffsetWidth::I64 => Offsets::I64(guard.offsets()),
                };
                Cells::String(StringCells { offsets, chars: guard.chars() })
            }
            View::Fixed(fixed) => match fixed.storage {
                Storage::Bit => Cells::Bit(guard.value_bits()),
                Storage::I8 => Cells::I8(guard.values()),
                Storage::I16 => Cells::I16(guard.values()),
                Storage::I32 => Cells::I32(guard.values()),
                Storage::I64 => Cells::I64(guard.values()),
                Storage::I128 => Cells::I128(guard.values()),
                Storage::U8 => Cells::U8(guard.values()),
                Storage::U16 => Cells::U16(guard.values()),
                Storage::U32 => Cells::U32(guard.values()),
                Storage::U64 => Cells::U64(guard.values()),
                Storage::F32 => Cells::F32(guard.values()),
                Storage::F64 => Cells::F64(guard.values()),
            },
        };
        let rows = guard.len();
        let validity = guard.validity().filter(|bits| bits.count_ones() < rows);
        Self { cells, validity, rows }
    }

    /// Whether a row is valid.
    #[inline]
    pub(crate) fn valid(&self, row: usize) -> bool {
        self.validity.is_none_or(|bits| bits.get(row))
    }

    /// Whether row `row` and row `other_row` of `other`, a column of the same type, are equal keys: nulls
    /// equal nulls, NaNs equal NaNs, −0.0 equals 0.0.
    pub(crate) fn same(&self, row: usize, other: &KeyColumn<'_>, other_row: usize) -> bool {
        match (self.valid(row), other.valid(other_row)) {
            (true, true) => {}
            (left, right) => return left == right,
        }
        match (&self.cells, &other.cells) {
            (Cells::Bit(a), Cells::Bit(b)) => a.get(row) == b.get(other_row),
            (Cells::I8(a), Cells::I8(b)) => a[row] == b[other_row],
            (Cells::I16(a), Cells::I16(b)) => a[row] == b[other_row],
            (Cells::I32(a), Cells::I32(b)) => a[row] == b[other_row],
            (Cells::I64(a), Cells::I64(b)) => a[row] == b[other_row],
            (Cells::I128(a), Cells::I128(b)) => a[row] == b[other_row],
            (Cells::U8(a), Cells::U8(b)) => a[row] == b[other_row],
            (Cells::U16(a), Cells::U16(b)) => a[row] == b[other_row],
            (Cells::U32(a), Cells::U32(b)) => a[row] == b[other_row],
            (Cells::U64(a), Cells::U64(b)) => a[row] == b[other_row],
            (Cells::F32(a), Cells::F32(b)) => normal32(a[row]) == normal32(b[other_row]),
            (Cells::F64(a), Cells::F64(b)) => normal64(a[row]) == normal64(b[other_row]),
            (Cells::String(a), Cells::String(b)) => a.bytes(row) == b.bytes(other_row),
            _ => false,
        }
    }

    /// Calls `each` with the index in the batch and the hash of each row of `start .. start + len`; `None`
    /// for nulls.
    pub(crate) fn hash_rows(&self, start: usize, len: usize, mut each: impl FnMut(usize, Option<u64>)) {
        let mut all = |hash: &dyn Fn(usize) -> u64| {
            for index in 0..len {
                let row = start + index;
                each(index, self.valid(row).then(|| hash(row)));
            }
        };
        match &self.cells {
            Cells::Bit(bits) => all(&|row| u64::from(bits.get(row))),
            Cells::I8(values) => all(&|row| values[row] as u64),
            Cells::I16(values) => all(&|row| values[row] as u64),
            Cells::I32(values) => all(&|row| values[row] as u64),
            Cells::I64(values) => all(&|row| values[row] as u64),
            Cells::I128(values) => all(&|row| mix(values[row] as u64, (values[row] >> 64) as u64)),
            Cells::U8(values) => all(&|row| u64::from(values[row])),
            Cells::U16(values) => all(&|row| u64::from(values[row])),
            Cells::U32(values) => all(&|row| u64::from(values[row])),
            Cells::U64(values) => all(&|row| values[row]),
            Cells::F32(values) => all(&|row| u64::from(normal32(values[row]))),
            Cells::F64(values) => all(&|row| normal64(values[row])),
            Cells::String(strings) => {
                for index in 0..len {
                    let row = start + index;
                    each(index, self.valid(row).then(|| hash_bytes(strings.bytes(row))));
                }
            }
        }
    }
}

/// Hashes bytes eight at a time; the last eight overlap, so that no byte is read alone.
#[inline]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = mix(0, bytes.len() as u64);
    if let Some(last) = bytes.last_chunk::<8>() {
        let (chunks, _) = bytes.as_chunks::<8>();
        for chunk in chunks {
            hash = mix(hash, u64::from_le_bytes(*chunk));
        }
        return mix(hash, u64::from_le_bytes(*last));
    }
    mix(hash, short_word(bytes))
}

/// Up to eight bytes as an integer, the first byte lowest.
#[inline]
pub(crate) fn short_word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
