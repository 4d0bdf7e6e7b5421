//! Columns from values of the host.

use super::fixed::FixedLayout;
use super::rows::Rows;
use super::{BooleanColumn, CategoricalColumn, Column, NumericColumn, StringColumn};
use crate::{DType, Error, Result, Scalar};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{ColumnData, Element, OffsetWidth, Storage, Value, filling};
use std::sync::Arc;

/// A machine number that is a column's value as it stands.
pub trait Native: Element {
    /// The dtype of a column of `Self`.
    const DTYPE: DType;
}

macro_rules! natives {
    ($($ty:ty => $variant:ident),* $(,)?) => {
        $(impl Native for $ty {
            const DTYPE: DType = DType::$variant;
        }
        impl ColumnValue for $ty {
            fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
                native_column(values, exec)
            }
        })*
    };
}

/// A value of the host that columns can be built from: numbers, booleans and text.
pub trait ColumnValue: Sized {
    /// A column of the values on `exec`'s device, null where there is none; without a mask when all are there.
    ///
    /// # Errors
    /// [`Error::Memory`].
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column>;
}

natives! {
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64,
    f32 => Float32, f64 => Float64,
}

impl ColumnValue for bool {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        let mut mask = MaskBuilder::default();
        let mut bits = BitPacker::default();
        for value in values {
            mask.push(value.is_some());
            bits.push(value.unwrap_or(false));
        }
        let data = Buffer::from_slice(&bits.bytes, exec)?;
        let layout = FixedLayout { storage: Storage::Bit, data, rows: mask.finish(exec)? };
        Ok(Column::Boolean(BooleanColumn { layout }))
    }
}

impl ColumnValue for &str {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        text_column(values, exec)
    }
}

impl ColumnValue for String {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        text_column(values, exec)
    }
}

fn native_column<T: Native>(values: impl Iterator<Item = Option<T>>, exec: &Exec) -> Result<Column> {
    let mut mask = MaskBuilder::default();
    let mut data = Vec::with_capacity(values.size_hint().0);
    for value in values {
        mask.push(value.is_some());
        data.push(value.unwrap_or_default());
    }
    let data = Buffer::from_slice(&data, exec)?;
    let layout = FixedLayout { storage: T::STORAGE, data, rows: mask.finish(exec)? };
    Ok(Column::Numeric(NumericColumn { dtype: T::DTYPE, layout }))
}

pub(crate) fn text_column<S: AsRef<str>>(
    values: impl Iterator<Item = Option<S>>,
    exec: &Exec,
) -> Result<Column> {
    let mut mask = MaskBuilder::default();
    let mut chars = Vec::new();
    let mut offsets = vec![0_i64];
    for value in values {
        mask.push(value.is_some());
        chars.extend_from_slice(value.as_ref().map_or("", AsRef::as_ref).as_bytes());
        offsets.push(i64::try_from(chars.len()).unwrap_or(i64::MAX));
    }
    let width = OffsetWidth::for_bytes(chars.len());
    let offsets = match width {
        OffsetWidth::I64 => Buffer::from_slice(&offsets, exec)?,
        OffsetWidth::I32 => {
            let narrow: Vec<i32> = offsets.iter().map(|&at| i32::try_from(at).unwrap_or(i32::MAX)).collect();
            Buffer::from_slice(&narrow, exec)?
        }
    };
    let chars = Buffer::from_slice(&chars, exec)?;
    Ok(Column::String(StringColumn { offsets, offset_width: width, chars, rows: mask.finish(exec)? }))
}

/// Bits, least significant first.
#[derive(Default)]
struct BitPacker {
    bytes: Vec<u8>,
    len: usize,
}

impl BitPacker {
    fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.len % 8);
        }
        self.len += 1;
    }
}

/// A mask that comes to be only when a row is null.
#[derive(Default)]
struct MaskBuilder {
    bits: BitPacker,
    nulls: usize,
}

impl MaskBuilder {
    fn push(&mut self, valid: bool) {
        self.bits.push(valid);
        self.nulls += usize::from(!valid);
    }

    fn finish(self, exec: &Exec) -> Result<Rows> {
        let mask = if self.nulls > 0 { Some(Buffer::from_slice(&self.bits.bytes, exec)?) } else { None };
        Ok(Rows::new(mask, 0, self.bits.len, exec.device())?.with_null_count(self.nulls))
    }
}

impl Column {
    /// A column of numbers, copied to `exec`'s device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn from_slice<T: Native>(values: &[T], exec: &Exec) -> Result<Column> {
        let data = Buffer::from_slice(values, exec)?;
        Ok(Column::Numeric(NumericColumn::new(T::DTYPE, data, None, 0, values.len())?))
    }

    /// A column of numbers on the host that adopts the vector's memory.
    pub fn from_vec<T: Native>(values: Vec<T>) -> Column {
        let size = values.len();
        let data = Buffer::from_vec(values);
        let rows = Rows::without_mask(0, size);
        let layout = FixedLayout { storage: T::STORAGE, data, rows };
        Column::Numeric(NumericColumn { dtype: T::DTYPE, layout })
    }

    /// A column of numbers on `exec`'s device: on the host it adopts the vector's memory, elsewhere it is a copy.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn from_vec_on<T: Native>(values: Vec<T>, exec: &Exec) -> Result<Column> {
        let size = values.len();
        let data = Buffer::from_vec_on(values, exec)?;
        Ok(Column::Numeric(NumericColumn::new(T::DTYPE, data, None, 0, size)?))
    }

    /// A column of numbers, booleans or text on `exec`'s device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn from_values<T: ColumnValue>(values: impl IntoIterator<Item = T>, exec: &Exec) -> Result<Column> {
        T::column(values.into_iter().map(Some), exec)
    }

    /// A column of numbers, booleans or text on `exec`'s device, null where there is no value.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn from_options<T: ColumnValue>(
        values: impl IntoIterator<Item = Option<T>>,
        exec: &Exec,
    ) -> Result<Column> {
        T::column(values.into_iter(), exec)
    }

    /// A column of `dtype` with `len` rows, all null.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn full_null(dtype: &DType, len: usize, exec: &Exec) -> Result<Column> {
        let mask = Some(Buffer::zeroed(len.div_ceil(8), exec)?);
        if let DType::Dictionary(dictionary) = dtype {
            let data = Buffer::zeroed(dictionary.codes.bytes(len), exec)?;
            let codes = FixedLayout::new(dictionary.codes, data, mask, 0, len)?;
            let values = Arc::new(Column::full_null(&dictionary.values, 0, exec)?.without_mask());
            return Ok(Column::Categorical(CategoricalColumn { codes, dictionary: values }));
        }
        let Some(storage) = dtype.storage() else {
            let offsets = Buffer::zeroed((len + 1) * OffsetWidth::I32.bytes(), exec)?;
            let chars = Buffer::zeroed(0, exec)?;
            return Ok(Column::String(StringColumn::new(offsets, OffsetWidth::I32, chars, mask, 0, len)?));
        };
        let data = Buffer::zeroed(storage.bytes(len), exec)?;
        let mut layout = FixedLayout::new(storage, data, mask, 0, len)?;
        layout.rows = layout.rows.with_null_count(len);
        Column::from_layout(dtype, layout)
            .ok_or_else(|| Error::UnsupportedDType { op: "full_null", dtype: dtype.clone() })
    }

    /// A column of `len` rows that all hold `scalar`.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Overflow`] for a decimal that its dtype cannot hold.
    pub fn from_scalar(scalar: &Scalar, len: usize, exec: &Exec) -> Result<Column> {
        match scalar {
            Scalar::Null(dtype) => Column::full_null(dtype, len, exec),
            Scalar::Utf8(text) => {
                let data = filling::fill::fill_text(Some(text), len, exec)?;
                Column::from_data(DType::Utf8, ColumnData::Text(data))
            }
            _ => {
                let dtype = scalar.dtype();
                match scalar.to_value() {
                    Some(value) => {
                        Column::from_data(dtype, ColumnData::Fixed(filling::fill::fill(value, len, exec)?))
                    }
                    None => Err(Error::Overflow { op: "fill", dtype }),
                }
            }
        }
    }

    /// A column of `dtype` holding `scalars`, each of that dtype or null. For small columns.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] for a scalar of another dtype; [`Error::UnsupportedDType`] for dictionaries;
    /// [`Error::Overflow`] for a decimal that its dtype cannot hold; [`Error::Memory`].
    pub fn from_scalars(dtype: &DType, scalars: &[Scalar], exec: &Exec) -> Result<Column> {
        const OP: &str = "column from scalars";
        for scalar in scalars {
            if !scalar.is_null() && scalar.dtype() != *dtype {
                return Err(Error::DTypeMismatch { op: OP, left: dtype.clone(), right: scalar.dtype() });
            }
        }
        let Some(storage) = dtype.storage() else {
            return text_column(
                scalars.iter().map(|scalar| if let Scalar::Utf8(text) = scalar { Some(text) } else { None }),
                exec,
            );
        };
        let mut mask = MaskBuilder::default();
        let mut bits = BitPacker::default();
        let mut bytes = Vec::with_capacity(storage.bytes(scalars.len()));
        for scalar in scalars {
            mask.push(!scalar.is_null());
            let value = match scalar {
                Scalar::Null(_) => Value::zero(storage),
                value => value.to_value().ok_or_else(|| Error::Overflow { op: OP, dtype: dtype.clone() })?,
            };
            match storage.width() {
                None => bits.push(value == Value::Bit(true)),
                Some(width) => bytes.extend_from_slice(&value.to_bytes()[..width]),
            }
        }
        let bytes = if storage == Storage::Bit { bits.bytes } else { bytes };
        let layout =
            FixedLayout { storage, data: Buffer::from_slice(&bytes, exec)?, rows: mask.finish(exec)? };
        Column::from_layout(dtype, layout)
            .ok_or_else(|| Error::UnsupportedDType { op: OP, dtype: dtype.clone() })
    }
}
