//! Columns from Arrow arrays.

use super::schema::{dtype, unsupported};
use crate::column::{fixed::FixedLayout, rows::Rows, text_column};
use crate::{CategoricalColumn, Column, DType, Error, Result, StringColumn};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowDictionaryKeyType, ArrowPrimitiveType, Decimal32Type, Decimal128Type};
use arrow_array::{Array, ArrayRef, downcast_integer};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{OffsetWidth, Storage};

impl Column {
    /// An Arrow array as a column on the host.
    ///
    /// Shares the array's memory, but for: bits whose offsets do not go together, text views, decimals of 32 bits
    /// and decimals of 128 bits with up to 18 digits, dictionaries with unsigned codes, with nulls among their
    /// values or with a value twice.
    ///
    /// # Errors
    /// [`Error::Arrow`] for a type that has no dtype here; [`Error::Overflow`] when a decimal has more digits than
    /// its type says; [`Error::Memory`].
    pub fn from_arrow(array: &dyn Array) -> Result<Column> {
        let dtype = dtype(array.data_type())?;
        match array.data_type() {
            DataType::Dictionary(_, _) => dictionary(array),
            DataType::Utf8View => text_column(array.as_string_view().iter(), &Exec::host()),
            DataType::Utf8 => text(&array.to_data(), OffsetWidth::I32),
            DataType::LargeUtf8 => text(&array.to_data(), OffsetWidth::I64),
            DataType::Boolean => boolean(&array.to_data()),
            DataType::Decimal32(_, _) => {
                let values = array.as_primitive::<Decimal32Type>().values();
                let wide: Vec<i64> = values.iter().map(|&value| value.into()).collect();
                column(&dtype, Buffer::from_vec(wide), array.nulls())
            }
            DataType::Decimal128(_, _) if dtype.storage() == Some(Storage::I64) => {
                let narrow = narrow(array.as_primitive::<Decimal128Type>().values(), array.nulls())
                    .ok_or_else(|| Error::Overflow { op: "from Arrow", dtype: dtype.clone() })?;
                column(&dtype, Buffer::from_vec(narrow), array.nulls())
            }
            _ => primitive(&dtype, &array.to_data()),
        }
    }

    /// Arrow arrays of one type, one after the other, as one column on `exec`'s device. Dictionaries are unified.
    ///
    /// # Errors
    /// As [`Column::from_arrow`]; [`Error::InvalidArgument`] without arrays; [`Error::Arrow`] when their types differ.
    pub fn from_chunks(chunks: &[ArrayRef], exec: &Exec) -> Result<Column> {
        let [first, rest @ ..] = chunks else {
            let reason = "there are none, so there is no dtype".to_owned();
            return Err(Error::InvalidArgument { op: "from chunks", name: "chunks", reason });
        };
        if rest.is_empty() {
            return Column::from_arrow(first)?.to_device(exec);
        }
        let arrays: Vec<&dyn Array> = chunks.iter().map(AsRef::as_ref).collect();
        let whole = arrow_select::concat::concat(&arrays)
            .map_err(|error| Error::Arrow { field: String::new(), reason: error.to_string() })?;
        Column::from_arrow(&whole)?.to_device(exec)
    }
}

/// The rows of an array whose values start at row 0 of their buffer, and its mask moved there too.
fn rows(nulls: Option<&NullBuffer>, size: usize) -> Result<Rows> {
    rows_at(nulls.map(|nulls| (nulls, Buffer::from_arrow(nulls.inner().sliced()))), 0, size)
}

fn rows_at(mask: Option<(&NullBuffer, Buffer)>, offset: usize, size: usize) -> Result<Rows> {
    let device = Exec::host().device();
    match mask {
        Some((nulls, mask)) if nulls.null_count() > 0 => {
            Ok(Rows::new(Some(mask), offset, size, device)?.with_null_count(nulls.null_count()))
        }
        _ => Rows::new(None, offset, size, device),
    }
}

fn column(dtype: &DType, data: Buffer, nulls: Option<&NullBuffer>) -> Result<Column> {
    let unsupported = || Error::UnsupportedDType { op: "from Arrow", dtype: dtype.clone() };
    let storage = dtype.storage().ok_or_else(unsupported)?;
    let size = storage.width().map_or(0, |width| data.len() / width);
    let layout = FixedLayout { storage, data, rows: rows(nulls, size)? };
    Column::from_layout(dtype, layout).ok_or_else(unsupported)
}

fn primitive(dtype: &DType, array: &ArrayData) -> Result<Column> {
    let width = dtype
        .storage()
        .and_then(Storage::width)
        .ok_or_else(|| Error::UnsupportedDType { op: "from Arrow", dtype: dtype.clone() })?;
    let data = array.buffers()[0].slice_with_length(array.offset() * width, array.len() * width);
    column(dtype, Buffer::from_arrow(data), array.nulls())
}

fn boolean(array: &ArrayData) -> Result<Column> {
    let size = array.len();
    let data = BooleanBuffer::new(array.buffers()[0].clone(), array.offset(), size);
    // One offset holds for bits and mask: kept where the two agree within a byte, else both are moved to bit 0.
    let together = array.nulls().is_none_or(|nulls| nulls.offset() % 8 == data.offset() % 8);
    let (data, rows) = if together {
        let mask = array.nulls().map(|nulls| (nulls, from_byte(nulls.inner())));
        (from_byte(&data), rows_at(mask, data.offset() % 8, size)?)
    } else {
        (Buffer::from_arrow(data.sliced()), rows(array.nulls(), size)?)
    };
    let layout = FixedLayout { storage: Storage::Bit, data, rows };
    Column::from_layout(&DType::Bool, layout)
        .ok_or(Error::UnsupportedDType { op: "from Arrow", dtype: DType::Bool })
}

/// The bytes that hold the bits, the bits before the first of them in its byte included.
fn from_byte(bits: &BooleanBuffer) -> Buffer {
    let first = bits.offset() / 8;
    let end = (bits.offset() + bits.len()).div_ceil(8);
    Buffer::from_arrow(bits.inner().slice_with_length(first, end - first))
}

fn text(array: &ArrayData, offset_width: OffsetWidth) -> Result<Column> {
    let size = array.len();
    let rows = rows(array.nulls(), size)?;
    let width = offset_width.bytes();
    let [offsets, chars] = array.buffers() else {
        return Err(unsupported(array.data_type(), "an array without two buffers"));
    };
    // Arrow lets an array without rows have no offsets at all; a column always has one.
    let offsets = if offsets.is_empty() {
        Buffer::from_vec(vec![0_i64])
    } else {
        Buffer::from_arrow(offsets.slice_with_length(array.offset() * width, (size + 1) * width))
    };
    let chars = Buffer::from_arrow(chars.clone());
    Ok(Column::String(StringColumn { offsets, offset_width, chars, rows }))
}

/// The values in 64 bits; `None` when one that is not null does not fit.
fn narrow(values: &[i128], nulls: Option<&NullBuffer>) -> Option<Vec<i64>> {
    #[expect(clippy::cast_possible_truncation, reason = "checked right below")]
    let narrow: Vec<i64> = values.iter().map(|&value| value as i64).collect();
    let fits = |row: usize| i128::from(narrow[row]) == values[row];
    // One pass without branches for the usual case; null rows may hold anything.
    let lost =
        values.iter().zip(&narrow).fold(0, |lost, (&wide, &narrow)| lost | (wide ^ i128::from(narrow)));
    let ok =
        lost == 0 || (0..values.len()).all(|row| fits(row) || nulls.is_some_and(|nulls| nulls.is_null(row)));
    ok.then_some(narrow)
}

fn dictionary(array: &dyn Array) -> Result<Column> {
    let any = array.as_any_dictionary();
    let values = Column::from_arrow(any.values().as_ref())?;
    // A row is null when its code is, or when the value that its code names is.
    let nulls = any.logical_nulls();
    let (storage, codes) = codes(any.keys())?;
    let codes = FixedLayout { storage, data: codes, rows: rows(nulls.as_ref(), array.len())? };
    CategoricalColumn::normalised(codes, &values).map(Column::Categorical)
}

/// Codes as integers with a sign, widened where they have none.
fn codes(keys: &dyn Array) -> Result<(Storage, Buffer)> {
    let signed = |storage: Storage| {
        let data = keys.to_data();
        let width = storage.bits() / 8;
        let bytes = data.buffers()[0].slice_with_length(data.offset() * width, data.len() * width);
        Ok((storage, Buffer::from_arrow(bytes)))
    };
    match keys.data_type() {
        DataType::Int8 => signed(Storage::I8),
        DataType::Int16 => signed(Storage::I16),
        DataType::Int32 => signed(Storage::I32),
        DataType::UInt8 => {
            let keys = keys.as_primitive::<arrow_array::types::UInt8Type>().values();
            Ok((Storage::I16, Buffer::from_vec(keys.iter().map(|&key| i16::from(key)).collect::<Vec<_>>())))
        }
        _ => {
            macro_rules! widened {
                ($ty:ty) => {
                    widened::<$ty>(keys)
                };
            }
            downcast_integer! {
                keys.data_type() => (widened),
                other => Err(unsupported(other, "a dictionary's code of this type")),
            }
        }
    }
}

fn widened<K: ArrowDictionaryKeyType>(keys: &dyn Array) -> Result<(Storage, Buffer)>
where
    <K as ArrowPrimitiveType>::Native: TryInto<i32>,
{
    let keys = keys.as_primitive::<K>();
    let fit = |row: usize| keys.value(row).try_into().ok();
    let codes = (0..keys.len())
        .map(|row| if keys.is_null(row) { Some(0) } else { fit(row) })
        .collect::<Option<Vec<i32>>>()
        .ok_or_else(|| unsupported(keys.data_type(), "a dictionary's code beyond 32 bits"))?;
    Ok((Storage::I32, Buffer::from_vec(codes)))
}
