//! Columns from Arrow arrays.

use super::schema::{dtype, unsupported};
use crate::column::{fixed::FixedLayout, rows::Rows, text_column};
use crate::{CategoricalColumn, Column, DType, Error, Result, StringColumn};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{Fixed, OffsetWidth, Storage};

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
            DataType::Decimal32(_, _) => converted(&dtype, Storage::I32, &array.to_data()),
            DataType::Decimal128(_, _) if dtype.storage() == Some(Storage::I64) => {
                converted(&dtype, Storage::I128, &array.to_data())
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
        if let Some(other) = rest.iter().find(|chunk| chunk.data_type() != first.data_type()) {
            let reason = format!("one chunk is {}, another {}", first.data_type(), other.data_type());
            return Err(Error::Arrow { field: String::new(), reason });
        }
        let columns = chunks.iter().map(|chunk| Column::from_arrow(chunk)).collect::<Result<Vec<_>>>()?;
        Column::concat(&columns.iter().collect::<Vec<_>>(), &Exec::host())?.to_device(exec)
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

/// Values of another width than the dtype's.
fn converted(dtype: &DType, from: Storage, array: &ArrayData) -> Result<Column> {
    let unsupported = || Error::UnsupportedDType { op: "from Arrow", dtype: dtype.clone() };
    let to = dtype.storage().ok_or_else(unsupported)?;
    let layout = cast_layout(from, to, array, dtype)?;
    Column::from_layout(dtype, layout).ok_or_else(unsupported)
}

/// The values of `array`, stored as `from`, as `to`: an error where a valid one does not fit.
fn cast_layout(from: Storage, to: Storage, array: &ArrayData, dtype: &DType) -> Result<FixedLayout> {
    let (width, size) = (from.bits() / 8, array.len());
    let data = array.buffers()[0].slice_with_length(array.offset() * width, size * width);
    let rows = rows(array.nulls(), size)?;
    let data = Buffer::from_arrow(data);
    if from == to {
        return Ok(FixedLayout { storage: to, data, rows });
    }
    let input = Fixed { storage: from, data: &data, validity: rows.mask.as_ref(), offset: 0, len: size };
    let cast = cast(&input, to, CastMode::Checked, &Exec::host()).map_err(|error| match error {
        columnade_kernels::Error::Overflow { .. } => {
            Error::Overflow { op: "from Arrow", dtype: dtype.clone() }
        }
        other => other.into(),
    })?;
    Ok(FixedLayout { storage: to, data: cast.data, rows })
}

fn dictionary(array: &dyn Array) -> Result<Column> {
    let any = array.as_any_dictionary();
    let values = Column::from_arrow(any.values().as_ref())?;
    let keys = any.keys().to_data();
    let (from, to) = match keys.data_type() {
        DataType::Int8 => (Storage::I8, Storage::I8),
        DataType::Int16 => (Storage::I16, Storage::I16),
        DataType::Int32 => (Storage::I32, Storage::I32),
        DataType::UInt8 => (Storage::U8, Storage::I16),
        DataType::UInt16 => (Storage::U16, Storage::I32),
        DataType::UInt32 => (Storage::U32, Storage::I32),
        DataType::UInt64 => (Storage::U64, Storage::I32),
        DataType::Int64 => (Storage::I64, Storage::I32),
        other => return Err(unsupported(other, "a dictionary's code of this type")),
    };
    let codes = cast_layout(from, to, &keys, &DType::Int32)?;
    // A row is null when its code is, or when the value that its code names is.
    let codes = FixedLayout { rows: rows(any.logical_nulls().as_ref(), array.len())?, ..codes };
    CategoricalColumn::normalised(codes, &values).map(Column::Categorical)
}
