//! Columns from Arrow arrays.

use super::calendar;
use super::preceding::preceded;
use super::schema::{closed_of, dtype, unsupported};
use super::spread;
use crate::column::bytes::BytesLayout;
use crate::column::offsets::Offsets;
use crate::column::{bytes_column, fixed::FixedLayout, rows::Rows};
use crate::{
    CategoricalColumn, Column, DType, Error, IntervalColumn, ListColumn, NullColumn, Result, StructColumn,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal256Type, Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, ArrayRef, GenericListViewArray, OffsetSizeTrait};
use arrow_buffer::{ArrowNativeType, BooleanBuffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, IntervalUnit};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{OffsetWidth, Storage, Value};
use std::sync::Arc;

impl Column {
    /// An Arrow array as a column on the host.
    ///
    /// Shares the array's memory. Copied are: bits and masks whose offsets differ from the array's; the masks of slices of
    /// structs, fixed-size lists and fixed-size binary; string and binary views; float16; unsigned 8-bit and 16-bit
    /// dictionary codes; dictionaries with nulls or repeated values; list views, unless their rows follow each other; run-end
    /// encoding and dictionaries of lists or structs, which are decoded; intervals, whose parts become the fields of structs; decimal256, of which a value with more than 38 digits is an error. Fixed-size lists and binary get offsets. The name of a
    /// list's items and the nullability of fields are dropped. The digits of other decimals are not checked.
    ///
    /// # Errors
    /// [`Error::NotImplemented`], naming the type, for one that has no dtype here; [`Error::DuplicateLabel`] for a struct
    /// with two fields of one name; [`Error::Overflow`] for a decimal256 of more than 38 digits; [`Error::Memory`].
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
    pub fn from_arrow(array: &dyn Array) -> Result<Column> {
        let dtype = dtype(array.data_type())?;
        match array.data_type() {
            DataType::Dictionary(..) if dtype.is_nested() => nested_dictionary(&dtype, array),
            DataType::Dictionary(..) => dictionary(array),
            DataType::Utf8View => bytes_column(&dtype, array.as_string_view().iter(), &Exec::host()),
            DataType::BinaryView => bytes_column(&dtype, array.as_binary_view().iter(), &Exec::host()),
            DataType::Utf8 | DataType::Binary => bytes(&dtype, &array.to_data(), OffsetWidth::I32),
            DataType::LargeUtf8 | DataType::LargeBinary => bytes(&dtype, &array.to_data(), OffsetWidth::I64),
            DataType::FixedSizeBinary(width) => fixed_size_bytes(*width, &array.to_data()),
            DataType::List(item) => list(item, array.as_list::<i32>().values(), &array.to_data()),
            DataType::LargeList(item) => list(item, array.as_list::<i64>().values(), &array.to_data()),
            DataType::Map(entries, _) => {
                let values: ArrayRef = Arc::new(array.as_map().entries().clone());
                list(entries, &values, &array.to_data())
            }
            DataType::ListView(item) => list_view(item, array.as_list_view::<i32>()),
            DataType::LargeListView(item) => list_view(item, array.as_list_view::<i64>()),
            DataType::RunEndEncoded(_, values) => run_ends(array, values),
            DataType::Decimal256(..) => {
                let narrow = spread::narrowed_array(&dtype, array.as_primitive::<Decimal256Type>())?;
                primitive(&dtype, &narrow.to_data())
            }
            DataType::Interval(unit) => calendar_intervals(*unit, array),
            DataType::FixedSizeList(item, length) => fixed_size_list(item, *length, array),
            DataType::Struct(_) => structure(array).map(Column::Struct),
            DataType::Null => Ok(Column::Null(NullColumn::new(array.len(), Exec::host().device()))),
            DataType::Boolean => boolean(&array.to_data()),
            DataType::Float16 => {
                let array = array.to_data();
                super::half::widened(&fixed(Storage::U16, &array, array.nulls())?)
            }
            _ => primitive(&dtype, &array.to_data()),
        }
    }

    /// [`Column::from_arrow`] with what the array's field alone says: whether a dictionary is ordered, and that a
    /// struct is an interval, as pandas writes it (the extension type `pandas.interval`). Fields of structs and of the
    /// items of lists are heard in any case.
    ///
    /// # Errors
    /// Same as [`Column::from_arrow`]; [`Error::Arrow`] for an interval that does not say which of its ends are closed.
    pub fn from_arrow_field(array: &dyn Array, field: &Field) -> Result<Column> {
        match (Column::from_arrow(array)?, closed_of(field)?) {
            (Column::Categorical(column), _) if field.dict_is_ordered() == Some(true) => {
                Ok(Column::Categorical(column.as_ordered()))
            }
            (Column::Struct(column), Some(closed)) => match column.children.as_slice() {
                [left, right] => {
                    let (left, right) = (Arc::clone(left), Arc::clone(right));
                    IntervalColumn::from_parts(left, right, closed, column.rows).map(Column::Interval)
                }
                _ => Err(unsupported(field.data_type())),
            },
            (column, _) => Ok(column),
        }
    }

    /// Arrow arrays of one type, concatenated to one column on `exec`'s device. Dictionaries are unified.
    ///
    /// # Errors
    /// Same as [`Column::from_arrow`]; [`Error::InvalidArgument`] without arrays; [`Error::Arrow`] when their types differ.
    pub fn from_chunks(chunks: &[ArrayRef], exec: &Exec) -> Result<Column> {
        let Some(first) = chunks.first() else { return Err(no_chunks()) };
        Column::from_field_chunks(chunks, &Field::new("", first.data_type().clone(), true), exec)
    }

    /// [`Column::from_chunks`] with what the arrays' field alone says, see [`Column::from_arrow_field`].
    ///
    /// # Errors
    /// As both.
    pub fn from_field_chunks(chunks: &[ArrayRef], field: &Field, exec: &Exec) -> Result<Column> {
        let [first, rest @ ..] = chunks else { return Err(no_chunks()) };
        if let Some(other) = rest.iter().find(|chunk| chunk.data_type() != first.data_type()) {
            let reason = format!("one chunk is {}, another {}", first.data_type(), other.data_type());
            return Err(Error::Arrow { field: field.name().clone(), reason });
        }
        let columns =
            chunks.iter().map(|chunk| Column::from_arrow_field(chunk, field)).collect::<Result<Vec<_>>>()?;
        // On the host in the context's own memory; to a device at once.
        let here = if exec.device() == Device::Host { exec } else { &Exec::host() };
        Column::concat(&columns.iter().collect::<Vec<_>>(), here)?.to_device(exec)
    }
}

fn no_chunks() -> Error {
    let reason = "there are none, so there is no dtype".to_owned();
    Error::InvalidArgument { name: "chunks", reason }
}

/// Masks are shared from a word on, so that kernels can read them.
const WORD_BITS: usize = 32;

/// Values of `width` bytes, the first of them an array's first, and its rows. One offset holds for values and mask: where
/// there is memory before the values, as in slices, it is that of the mask in its first word, and nothing is copied; else
/// the mask is moved to bit 0.
fn beside_mask(
    values: arrow_buffer::Buffer,
    width: usize,
    nulls: Option<&NullBuffer>,
    size: usize,
) -> Result<(Buffer, Rows)> {
    let shared = nulls.filter(|nulls| nulls.null_count() > 0).and_then(|nulls| {
        let lead = nulls.offset() % WORD_BITS;
        Some((nulls, lead, preceded(&values, lead * width)?))
    });
    match shared {
        Some((nulls, lead, values)) => {
            let mask = (nulls, from_word(nulls.inner()));
            Ok((Buffer::from_arrow(values), rows_at(Some(mask), lead, size)?))
        }
        None => Ok((Buffer::from_arrow(values), rows(nulls, size)?)),
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

pub(super) fn primitive(dtype: &DType, array: &ArrayData) -> Result<Column> {
    let unsupported = || Error::UnsupportedDType { dtype: dtype.clone() };
    let storage = dtype.storage().ok_or_else(unsupported)?;
    let layout = fixed(storage, array, array.nulls())?;
    Column::from_layout(dtype, layout).ok_or_else(unsupported)
}

/// The values of an array that are stored as they are here.
fn fixed(storage: Storage, array: &ArrayData, nulls: Option<&NullBuffer>) -> Result<FixedLayout> {
    let (width, size) = (storage.bytes(1), array.len());
    let values = array.buffers()[0].slice_with_length(array.offset() * width, size * width);
    let (data, rows) = beside_mask(values, width, nulls, size)?;
    Ok(FixedLayout { storage, data, rows })
}

fn boolean(array: &ArrayData) -> Result<Column> {
    let size = array.len();
    let data = BooleanBuffer::new(array.buffers()[0].clone(), array.offset(), size);
    // One offset holds for bits and mask: kept where the two agree within a word, else both are moved to bit 0.
    let together = array.nulls().is_none_or(|nulls| nulls.offset() % WORD_BITS == data.offset() % WORD_BITS);
    let (data, rows) = if together {
        let mask = array.nulls().map(|nulls| (nulls, from_word(nulls.inner())));
        (from_word(&data), rows_at(mask, data.offset() % WORD_BITS, size)?)
    } else {
        (Buffer::from_arrow(data.sliced()), rows(array.nulls(), size)?)
    };
    let layout = FixedLayout { storage: Storage::Bit, data, rows };
    Column::from_layout(&DType::Bool, layout).ok_or(Error::UnsupportedDType { dtype: DType::Bool })
}

/// The bytes that hold the bits, the bits before the first of them in its word included.
fn from_word(bits: &BooleanBuffer) -> Buffer {
    let first = bits.offset() / WORD_BITS * (WORD_BITS / 8);
    let end = (bits.offset() + bits.len()).div_ceil(8);
    Buffer::from_arrow(bits.inner().slice_with_length(first, end - first))
}

fn bytes(dtype: &DType, array: &ArrayData, offset_width: OffsetWidth) -> Result<Column> {
    let [_, bytes] = array.buffers() else {
        return Err(unsupported(array.data_type()));
    };
    let (offsets, rows) = offsets(array, offset_width)?;
    Ok(Column::from_bytes(dtype, BytesLayout::of_parts(offsets, Buffer::from_arrow(bytes.clone()), rows)))
}

/// The offsets of the array's rows, in the first of its buffers, and the rows.
fn offsets(array: &ArrayData, width: OffsetWidth) -> Result<(Offsets, Rows)> {
    let bytes = width.bytes();
    let (buffer, rows) = match array.buffers().first() {
        Some(offsets) if !offsets.is_empty() => {
            let offsets = offsets.slice_with_length(array.offset() * bytes, (array.len() + 1) * bytes);
            beside_mask(offsets, bytes, array.nulls(), array.len())?
        }
        // Arrow lets an array without rows have no offsets at all; a column always has one.
        _ => (Buffer::from_vec(vec![0_i64]), rows(array.nulls(), array.len())?),
    };
    Ok((Offsets { buffer, width }, rows))
}

/// Rows that take no memory where they come from, and would take it here, for their offsets.
const MOST_ROWS_IN_NO_MEMORY: usize = 1 << 26;
pub(super) const IN_NO_MEMORY: &str = "so many rows that are in no memory are not made of any here";

/// Whether offsets to rows that take no memory of their own, as lists of no items, would take an implausible amount: a
/// length alone must not fill a machine.
pub(super) fn is_beyond_reason(rows: usize, has_mask: bool, values: usize) -> bool {
    rows > MOST_ROWS_IN_NO_MEMORY && !has_mask && values == 0
}

/// Offsets of rows that are all of one length, from the row at which the values begin.
pub(super) fn regular(length: usize, rows: usize, exec: &Exec) -> Result<Offsets> {
    let overflow = |_| Error::Overflow { dtype: DType::Int64 };
    let end = length.saturating_mul(rows);
    let width = OffsetWidth::for_bytes(end);
    let (start, step) = match width {
        OffsetWidth::I32 => (Value::I32(0), Value::I32(i32::try_from(length).map_err(overflow)?)),
        OffsetWidth::I64 => (Value::I64(0), Value::I64(i64::try_from(length).map_err(overflow)?)),
    };
    Ok(Offsets { buffer: sequence(start, step, rows + 1, exec)?.data, width })
}

/// An error for more rows in no memory than offsets are made for; `values` is what the values take, or one of
/// them.
fn require_memory(array: &ArrayData, values: usize) -> Result<()> {
    if is_beyond_reason(array.len(), array.nulls().is_some(), values) {
        let reason = format!("{} rows: {IN_NO_MEMORY}", array.len());
        return Err(Error::Arrow { field: String::new(), reason });
    }
    Ok(())
}

/// A length that Arrow writes with a sign.
fn length(data_type: &DataType, length: i32) -> Result<usize> {
    usize::try_from(length).map_err(|_| unsupported(data_type))
}

fn fixed_size_bytes(width: i32, array: &ArrayData) -> Result<Column> {
    let width = length(array.data_type(), width)?;
    let rows = rows(array.nulls(), array.len())?;
    require_memory(array, width)?;
    let bytes = array.buffers()[0].slice_with_length(array.offset() * width, array.len() * width);
    let offsets = regular(width, array.len(), &Exec::host())?;
    let layout = BytesLayout::of_parts(offsets, Buffer::from_arrow(bytes), rows);
    Ok(Column::from_bytes(&DType::Binary, layout))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn list(item: &Field, items: &ArrayRef, array: &ArrayData) -> Result<Column> {
    let width = match array.data_type() {
        DataType::LargeList(_) => OffsetWidth::I64,
        _ => OffsetWidth::I32,
    };
    let items = Arc::new(Column::from_arrow_field(items, item)?);
    let (offsets, rows) = offsets(array, width)?;
    Ok(Column::List(ListColumn { offsets, items, rows }))
}

fn list_view<O: OffsetSizeTrait>(item: &Field, array: &GenericListViewArray<O>) -> Result<Column> {
    let items = Column::from_arrow_field(array.values(), item)?;
    let ranges = array.offsets().iter().zip(array.sizes().iter()).map(|(start, size)| {
        let start = start.as_usize();
        start..start + size.as_usize()
    });
    let rows: Vec<_> = ranges.enumerate().map(|(row, range)| array.is_valid(row).then_some(range)).collect();
    spread::lists(&items, &rows)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn run_ends(array: &dyn Array, values: &Field) -> Result<Column> {
    fn decoded<R: RunEndIndexType>(array: &dyn Array, values: &Field) -> Result<Column> {
        let array = array.as_run::<R>();
        if spread::repeats_too_often(array.len(), array.values().len()) {
            let reason = spread::REPEATS_TOO_OFTEN.to_owned();
            return Err(Error::Arrow { field: String::new(), reason });
        }
        let column = Column::from_arrow_field(array.values(), values)?;
        let ends: Vec<usize> = array.run_ends().values().iter().map(|end| end.as_usize()).collect();
        spread::runs(&column, &ends, array.offset(), array.len())
    }
    match array.data_type() {
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => decoded::<Int16Type>(array, values),
            DataType::Int32 => decoded::<Int32Type>(array, values),
            _ => decoded::<Int64Type>(array, values),
        },
        other => Err(unsupported(other)),
    }
}

fn fixed_size_list(item: &Field, size: i32, array: &dyn Array) -> Result<Column> {
    let size = length(array.data_type(), size)?;
    // The items of the array's own rows, wherever it begins.
    let items = array.as_fixed_size_list().values();
    let items = Arc::new(Column::from_arrow_field(items, item)?.head(size.saturating_mul(array.len()))?);
    let rows = rows(array.nulls(), array.len())?;
    require_memory(&array.to_data(), if size == 0 { 0 } else { items.memory_bytes() })?;
    Ok(Column::List(ListColumn { offsets: regular(size, array.len(), &Exec::host())?, items, rows }))
}

fn calendar_intervals(unit: IntervalUnit, array: &dyn Array) -> Result<Column> {
    let (data, width) = (array.to_data(), calendar::width(unit));
    let bytes = data.buffers().first().map_or(&[][..], |buffer| buffer.as_slice());
    let bytes = bytes.get(data.offset() * width..).unwrap_or_default();
    let bytes = bytes.get(..array.len() * width).unwrap_or_default();
    let (names, children): (Vec<String>, Vec<Column>) = calendar::columns(unit, bytes)?.into_iter().unzip();
    let children = children.into_iter().map(Arc::new).collect();
    let rows = rows(array.nulls(), array.len())?;
    StructColumn::from_parts(names.into(), children, rows, Exec::host().device()).map(Column::Struct)
}

fn structure(array: &dyn Array) -> Result<StructColumn> {
    let array = array.as_struct();
    let rows = rows(array.nulls(), array.len())?;
    let names = array.fields().iter().map(|field| field.name().clone()).collect();
    let children = array
        .fields()
        .iter()
        .zip(array.columns())
        .map(|(field, column)| Column::from_arrow_field(column, field).map(Arc::new))
        .collect::<Result<_>>()?;
    StructColumn::from_parts(names, children, rows, Exec::host().device())
}

/// The rows of a dictionary of lists or structs, each a copy of its value.
fn nested_dictionary(dtype: &DType, array: &dyn Array) -> Result<Column> {
    let dictionary = array.as_any_dictionary();
    if dictionary.values().is_empty() {
        return Column::full_null(dtype, array.len(), &Exec::host());
    }
    let values = Column::from_arrow(dictionary.values().as_ref())?;
    let keys = dictionary.normalized_keys().into_iter().enumerate();
    let rows: Vec<_> = keys.map(|(row, key)| dictionary.keys().is_valid(row).then_some(key)).collect();
    spread::gathered(&values, &rows)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn dictionary(array: &dyn Array) -> Result<Column> {
    let any = array.as_any_dictionary();
    if *any.values().data_type() == DataType::Null {
        return Column::full_null(&dtype(array.data_type())?, array.len(), &Exec::host());
    }
    let values = Column::from_arrow(any.values().as_ref())?;
    let keys = any.keys().to_data();
    let (from, to) = match keys.data_type() {
        DataType::Int8 => (Storage::I8, Storage::I8),
        DataType::Int16 => (Storage::I16, Storage::I16),
        DataType::UInt8 => (Storage::U8, Storage::I16),
        DataType::UInt16 => (Storage::U16, Storage::I32),
        // Without a sign too: a dictionary has no row that a sign would hide.
        DataType::UInt32 | DataType::Int32 => (Storage::I32, Storage::I32),
        DataType::UInt64 | DataType::Int64 => (Storage::I64, Storage::I64),
        _ => return Err(unsupported(array.data_type())),
    };
    // A row is null when its code is, or when the value that its code names is.
    let nulls = any.logical_nulls();
    let codes = if from == to {
        fixed(to, &keys, nulls.as_ref())?
    } else {
        let narrow = fixed(from, &keys, keys.nulls())?;
        let data = cast(&narrow.view(), to, CastMode::Wrap, &Exec::host())?.data;
        FixedLayout { storage: to, data, rows: rows(nulls.as_ref(), array.len())? }
    };
    CategoricalColumn::normalised(codes, &values).map(Column::Categorical)
}
