//! Columns from values of the host.

use super::bytes::BytesLayout;
use super::fixed::FixedLayout;
use super::offsets::Offsets;
use super::rows::Rows;
use super::{BooleanColumn, Column, ListColumn, NumericColumn};
use crate::{DType, Error, Result};
use columnade_buffers::{Buffer, Exec};
use columnade_kernels::{Element, Storage};
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

/// A value of the host that columns can be built from.
///
/// | Rust | dtype |
/// | --- | --- |
/// | numbers | `int8` … `float64` |
/// | `bool` | `bool` |
/// | `&str`, `String` | `utf8` |
/// | `&[u8]` | `binary` |
/// | `Vec<T>` | `list<…>` of what `T` is, also of bytes: `Vec<u8>` is a `list<uint8>` |
/// | `Option<T>` | what `T` is, and nulls |
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
        bytes_column(&DType::Utf8, values, exec)
    }
}

impl ColumnValue for String {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        bytes_column(&DType::Utf8, values, exec)
    }
}

impl ColumnValue for &[u8] {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        bytes_column(&DType::Binary, values, exec)
    }
}

impl<T: ColumnValue> ColumnValue for Vec<T> {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        let mut mask = MaskBuilder::default();
        let mut offsets = vec![0_i64];
        let mut items = Vec::new();
        for value in values {
            mask.push(value.is_some());
            items.extend(value.unwrap_or_default());
            offsets.push(i64::try_from(items.len()).unwrap_or(i64::MAX));
        }
        let items = T::column(items.into_iter().map(Some), exec)?;
        let offsets = Offsets::from_host(&offsets, exec)?;
        Ok(Column::List(ListColumn { offsets, items: Arc::new(items), rows: mask.finish(exec)? }))
    }
}

impl<T: ColumnValue> ColumnValue for Option<T> {
    fn column<I: Iterator<Item = Option<Self>>>(values: I, exec: &Exec) -> Result<Column> {
        T::column(values.map(Option::flatten), exec)
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

/// A column of text, or of binary.
pub(crate) fn bytes_column<S: AsRef<[u8]>>(
    dtype: &DType,
    values: impl Iterator<Item = Option<S>>,
    exec: &Exec,
) -> Result<Column> {
    let mut mask = MaskBuilder::default();
    let mut bytes = Vec::new();
    let mut offsets = vec![0_i64];
    for value in values {
        mask.push(value.is_some());
        bytes.extend_from_slice(value.as_ref().map_or(&[], AsRef::as_ref));
        offsets.push(i64::try_from(bytes.len()).unwrap_or(i64::MAX));
    }
    let offsets = Offsets::from_host(&offsets, exec)?;
    let bytes = Buffer::from_slice(&bytes, exec)?;
    Ok(Column::from_bytes(dtype, BytesLayout::of_parts(offsets, bytes, mask.finish(exec)?)))
}

/// Bits, least significant first.
#[derive(Default)]
pub(super) struct BitPacker {
    pub(super) bytes: Vec<u8>,
    len: usize,
}

impl BitPacker {
    pub(super) fn push(&mut self, bit: bool) {
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
pub(super) struct MaskBuilder {
    bits: BitPacker,
    nulls: usize,
}

impl MaskBuilder {
    pub(super) fn push(&mut self, valid: bool) {
        self.bits.push(valid);
        self.nulls += usize::from(!valid);
    }

    pub(super) fn finish(self, exec: &Exec) -> Result<Rows> {
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

    /// A column of values on `exec`'s device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn from_values<T: ColumnValue>(values: impl IntoIterator<Item = T>, exec: &Exec) -> Result<Column> {
        T::column(values.into_iter().map(Some), exec)
    }

    /// A column of values on `exec`'s device, null where there is no value.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn from_options<T: ColumnValue>(
        values: impl IntoIterator<Item = Option<T>>,
        exec: &Exec,
    ) -> Result<Column> {
        T::column(values.into_iter(), exec)
    }

    /// The column with another mask: row `i` is null where `valid` says `false`, whatever the old mask said of it. The
    /// data is shared; a null column stays what it is.
    ///
    /// ```
    /// use columnade_buffers::Exec;
    /// use columnade_columns::{Column, StructColumn};
    ///
    /// let exec = Exec::host();
    /// let fields = [("x", Column::from_vec(vec![1_i64, 2])), ("y", Column::from_values(["a", "b"], &exec)?)];
    /// let points = Column::Struct(StructColumn::new(fields, None, 0, 2)?);
    /// let points = points.with_validity([true, false], &exec)?;
    /// assert_eq!(points.get(0)?.to_string(), "{x: 1, y: a}");
    /// assert!(points.get(1)?.is_null());
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is a truth for each row; [`Error::Memory`](crate::Error::Memory).
    pub fn with_validity(&self, valid: impl IntoIterator<Item = bool>, exec: &Exec) -> Result<Column> {
        let mut bits = BitPacker::default();
        (0..self.offset()).for_each(|_| bits.push(false));
        let mut nulls = 0;
        for valid in valid {
            nulls += usize::from(!valid);
            bits.push(valid);
        }
        let (offset, size) = (self.offset(), self.size());
        if bits.len != offset + size {
            let found = bits.len - offset;
            return Err(Error::LengthMismatch { op: "with_validity", expected: size, found });
        }
        let mask = if nulls > 0 { Some(Buffer::from_slice(&bits.bytes, exec)?) } else { None };
        let rows = Rows::new(mask, offset, size, self.device())?.with_null_count(nulls);
        Ok(self.with_rows(|_| rows))
    }
}
