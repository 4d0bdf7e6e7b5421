//! The distinct values of columns.

use super::Column;
use super::build::{BitPacker, OffsetsBuilder, finished};
use super::bytes::BytesLayout;
use super::fixed::FixedLayout;
use super::read::{row_range, value_at};
use super::rows::Rows;
use crate::{Error, Result};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Fixed, OffsetWidth, Storage, Value, View, ViewGuard};
use hashbrown::HashTable;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// Values in order of first appearance, by their bytes; the number of each is its code. Of 0.0 and −0.0, which are equal,
/// the first is the value.
pub(super) struct Distinct {
    /// The concatenated bytes of all values.
    bytes: Vec<u8>,
    /// Where each begins, and where the last one ends.
    offsets: Vec<usize>,
    /// Codes by the bytes of their values.
    codes: HashTable<i32>,
    hasher: RandomState,
    /// The code of the zero whose first appearance is −0.0: its bytes above are those of 0.0.
    negative_zero: Option<i32>,
}

impl Distinct {
    pub(super) fn new() -> Self {
        let (codes, hasher) = (HashTable::new(), RandomState::new());
        Self { bytes: Vec::new(), offsets: vec![0], codes, hasher, negative_zero: None }
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The code of every row of a column on the host, 0 for nulls.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for more than 2³¹ − 1 values; [`Error::UnsupportedDType`] for values that dictionaries do
    /// not hold; [`Error::Memory`].
    pub(super) fn add(&mut self, values: &Column) -> Result<Vec<i32>> {
        let host = Exec::host();
        let view = values.view()?;
        let guard = view.read(&host)?;
        let validity = guard.validity();
        let is_valid = |row: usize| validity.is_none_or(|bits| bits.get(row));
        let mut codes = Vec::with_capacity(values.size());
        for row in 0..values.size() {
            codes.push(if is_valid(row) { self.code_of(&guard, view, row)? } else { 0 });
        }
        Ok(codes)
    }

    fn code_of(&mut self, guard: &ViewGuard<'_>, view: View<'_>, row: usize) -> Result<i32> {
        let known = self.len();
        let code = with_bytes(guard, view, row, |value| self.code(value))?;
        if self.len() > known && is_negative_zero(guard, view, row) {
            self.negative_zero = Some(code);
        }
        Ok(code)
    }

    /// The code of the value that these bytes are, a new one where it is there for the first time.
    fn code(&mut self, value: &[u8]) -> Result<i32> {
        let Self { bytes, offsets, codes, hasher, .. } = self;
        let hash = hasher.hash_one(value);
        if let Some(&code) = codes.find(hash, |&code| bytes[range(offsets, code)] == *value) {
            return Ok(code);
        }
        let code = i32::try_from(offsets.len() - 1).map_err(|_| Error::InvalidArgument {
            name: "dictionaries",
            reason: "more than 2147483647 distinct values".to_owned(),
        })?;
        bytes.extend_from_slice(value);
        offsets.push(bytes.len());
        codes.insert_unique(hash, code, |&code| hasher.hash_one(&bytes[range(offsets, code)]));
        Ok(code)
    }

    /// The values as a column on the host, of the dtype of `like`, one of the columns that they are from, and with offsets
    /// no narrower than its own.
    pub(super) fn into_column(mut self, like: &Column) -> Result<Column> {
        let (host, dtype) = (Exec::host(), &like.dtype());
        if let Some(code) = self.negative_zero {
            // The sign is the highest bit of the last byte.
            self.bytes[range(&self.offsets, code).end - 1] |= 0x80;
        }
        let rows = Rows::without_mask(0, self.len());
        let Some(storage) = dtype.storage() else {
            let mut offsets = OffsetsBuilder::with_capacity(rows.size);
            self.offsets[1..].iter().for_each(|&end| offsets.push(end));
            let (mut offsets, bytes) = (offsets.finish(&host)?, finished(self.bytes, &host)?);
            if like.offsets().is_some_and(|(_, width)| width == OffsetWidth::I64) {
                offsets = offsets.widened(rows.size, &host)?;
            }
            return Ok(Column::from_bytes(dtype, BytesLayout::of_parts(offsets, bytes, rows)));
        };
        let data = match storage {
            Storage::Bit => {
                let mut bits = BitPacker::default();
                self.bytes.iter().for_each(|&truth| bits.push(truth != 0));
                bits.finish(&host)?
            }
            Storage::I8
            | Storage::I16
            | Storage::I32
            | Storage::I64
            | Storage::I128
            | Storage::U8
            | Storage::U16
            | Storage::U32
            | Storage::U64
            | Storage::F32
            | Storage::F64 => Buffer::from_slice(&self.bytes, &host)?,
        };
        Column::from_layout(dtype, FixedLayout { storage, data, rows })
            .ok_or_else(|| Error::UnsupportedDType { dtype: dtype.clone() })
    }
}

/// Whether no value of a column on the host, which has no nulls, is there twice. Nothing is copied.
///
/// # Errors
/// Same as [`Distinct::add`].
pub(super) fn is_distinct(values: &Column) -> Result<bool> {
    let host = Exec::host();
    let view = values.view()?;
    let guard = view.read(&host)?;
    let hasher = RandomState::new();
    let hash = |row: usize| with_bytes(&guard, view, row, |value| hasher.hash_one(value));
    let mut rows = HashTable::with_capacity(values.size());
    for row in 0..values.size() {
        let (hash_of_row, is_same) = (hash(row), |&other: &usize| {
            with_bytes(&guard, view, row, |value| with_bytes(&guard, view, other, |other| value == other))
        });
        if rows.find(hash_of_row, is_same).is_some() {
            return Ok(false);
        }
        rows.insert_unique(hash_of_row, row, |&row| hash(row));
    }
    Ok(true)
}

/// Passes `take` the bytes that identify the value of a row.
fn with_bytes<T>(guard: &ViewGuard<'_>, view: View<'_>, row: usize, take: impl FnOnce(&[u8]) -> T) -> T {
    match view {
        View::Fixed(Fixed { storage, .. }) => {
            let value = canonical(value_at(guard, storage, row)).to_bytes();
            take(&value[..storage.width().unwrap_or(1)])
        }
        View::String(text) => {
            take(guard.chars().get(row_range(guard, text.offset_width, row)).unwrap_or_default())
        }
    }
}

/// Whether the value of a row is the float −0.0.
fn is_negative_zero(guard: &ViewGuard<'_>, view: View<'_>, row: usize) -> bool {
    let View::Fixed(Fixed { storage, .. }) = view else { return false };
    let value = value_at(guard, storage, row);
    // Equal as a number, and not in its bits.
    value == canonical(value) && value.to_bytes() != canonical(value).to_bytes()
}

/// Of floats that are equal, one: zero has no sign (−0.0 matches 0.0), and there is one NaN.
fn canonical(value: Value) -> Value {
    match value {
        Value::F32(0.0) => Value::F32(0.0),
        Value::F64(0.0) => Value::F64(0.0),
        Value::F32(nan) if nan.is_nan() => Value::F32(f32::NAN),
        Value::F64(nan) if nan.is_nan() => Value::F64(f64::NAN),
        other @ (Value::Bit(_)
        | Value::I8(_)
        | Value::I16(_)
        | Value::I32(_)
        | Value::I64(_)
        | Value::I128(_)
        | Value::U8(_)
        | Value::U16(_)
        | Value::U32(_)
        | Value::U64(_)
        | Value::F32(_)
        | Value::F64(_)) => other,
    }
}

fn range(offsets: &[usize], code: i32) -> Range<usize> {
    // Codes are counted from 0.
    let code = usize::try_from(code).unwrap_or(usize::MAX);
    offsets[code]..offsets[code + 1]
}
