//! Typed columns.

mod assemble;
mod binary;
mod boolean;
mod build;
pub(crate) mod bytes;
mod categorical;
mod concat;
mod copies;
mod datetime;
mod decimal;
pub(crate) mod dictionary;
mod distinct;
pub(crate) mod fixed;
mod full;
mod hints;
pub(crate) mod interval;
mod isolate;
mod kernel;
pub(crate) mod layout;
mod list;
mod null;
mod numeric;
pub(crate) mod offsets;
pub(crate) mod read;
pub(crate) mod rows;
mod scalars;
mod string;
mod structure;
pub(crate) mod superimpose;
#[cfg(test)]
mod test_copies;
#[cfg(test)]
mod test_parts;
#[cfg(test)]
mod test_values;
#[cfg(test)]
mod tests;
mod timedelta;
mod values;

pub use binary::BinaryColumn;
pub use boolean::BooleanColumn;
pub(crate) use build::bytes_column;
pub use build::{
    Categories, ColumnValue, Counts, FromIter, Intervals, IntoColumn, Native, Structs, categories, dates,
    decimals, durations, from_iter, intervals, structs, times, timestamps,
};
pub use categorical::CategoricalColumn;
pub(crate) use categorical::is_dictionary_value;
pub use datetime::DatetimeColumn;
pub use decimal::DecimalColumn;
pub use interval::IntervalColumn;
pub use list::ListColumn;
pub use null::NullColumn;
pub use numeric::NumericColumn;
pub use string::StringColumn;
pub use structure::StructColumn;
pub use timedelta::TimedeltaColumn;
pub use values::RowValue;

use crate::{DType, Error, Result};
use bytes::BytesLayout;
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::OffsetWidth;
use fixed::FixedLayout;
use rows::Rows;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// A column: a dtype, and the buffers that Arrow lays out for it.
///
/// Cheap to clone: clones share buffers until one is written. A clone always shares, even memory that a consumer writes;
/// [`Column::shallow_copy`] follows the copy-on-write option and copies such memory. A column is rows
/// `offset() .. offset() + size()` of its buffers; a slice shares them.
///
/// | column | `data()` | besides |
/// | --- | --- | --- |
/// | numeric, datetime, timedelta, decimal | one value a row | |
/// | boolean | one bit a row | |
/// | string, binary | bytes | `offsets()`: `size + 1` positions in the bytes |
/// | categorical | one code a row | `children()`: the dictionary |
/// | list | none | `offsets()`: `size + 1` positions in the items; `children()`: the items |
/// | struct | none | `children()`: the fields |
/// | interval | none | `children()`: the lower and the upper ends |
/// | null | none | |
///
/// Every column may have a mask: one bit per row, 1 = valid. A column without a mask has no nulls, except a null column,
/// which has only nulls. Buffers allocated here are padded to 64 bytes with zeros; imported or adopted buffers have no
/// guaranteed padding. A parent has its own offset and mask: row `i` of a struct is row `offset() + i` of its children,
/// which may have offsets and masks too, and is null if the parent's mask says so.
///
/// # Source
/// cuDF's `ColumnBase` and its subclasses; the layouts are Arrow's.
#[derive(Clone, Debug)]
pub enum Column {
    /// Integers and floats.
    Numeric(NumericColumn),
    /// Booleans.
    Boolean(BooleanColumn),
    /// Strings.
    String(StringColumn),
    /// Byte strings.
    Binary(BinaryColumn),
    /// Dates and timestamps.
    Datetime(DatetimeColumn),
    /// Durations.
    Timedelta(TimedeltaColumn),
    /// Exact decimals.
    Decimal(DecimalColumn),
    /// Dictionary codes and their dictionary.
    Categorical(CategoricalColumn),
    /// Intervals.
    Interval(IntervalColumn),
    /// Lists.
    List(ListColumn),
    /// Structs.
    Struct(StructColumn),
    /// Only nulls.
    Null(NullColumn),
}

/// The layouts that columns have.
enum Layout<'a> {
    Fixed(&'a FixedLayout),
    Bytes(&'a BytesLayout),
    /// Columns made of others, and of none.
    Nested {
        rows: &'a Rows,
        device: Device,
    },
}

impl Column {
    fn layout(&self) -> Layout<'_> {
        match self {
            Column::Numeric(column) => Layout::Fixed(&column.layout),
            Column::Boolean(column) => Layout::Fixed(&column.layout),
            Column::String(column) => Layout::Bytes(&column.layout),
            Column::Binary(column) => Layout::Bytes(&column.layout),
            Column::Datetime(column) => Layout::Fixed(&column.layout),
            Column::Timedelta(column) => Layout::Fixed(&column.layout),
            Column::Decimal(column) => Layout::Fixed(&column.layout),
            Column::Categorical(column) => Layout::Fixed(&column.codes),
            Column::Interval(column) => Layout::Nested { rows: &column.rows, device: column.left.device() },
            Column::List(column) => Layout::Nested { rows: &column.rows, device: column.offsets.device() },
            Column::Struct(column) => Layout::Nested { rows: &column.rows, device: column.device },
            Column::Null(column) => Layout::Nested { rows: &column.rows, device: column.device },
        }
    }

    /// The layout of a column whose values all have one width; of a categorical column, of its codes.
    pub(crate) fn fixed_layout(&self) -> Option<&FixedLayout> {
        match self.layout() {
            Layout::Fixed(fixed) => Some(fixed),
            Layout::Bytes(_) | Layout::Nested { .. } => None,
        }
    }

    /// Like [`fixed_layout`](Self::fixed_layout), to be changed.
    pub(crate) fn fixed_layout_mut(&mut self) -> Option<&mut FixedLayout> {
        match self {
            Column::Numeric(NumericColumn { layout, .. })
            | Column::Boolean(BooleanColumn { layout })
            | Column::Datetime(DatetimeColumn { layout, .. })
            | Column::Timedelta(TimedeltaColumn { layout, .. })
            | Column::Decimal(DecimalColumn { layout, .. })
            | Column::Categorical(CategoricalColumn { codes: layout, .. }) => Some(layout),
            Column::String(_)
            | Column::Binary(_)
            | Column::Interval(_)
            | Column::List(_)
            | Column::Struct(_)
            | Column::Null(_) => None,
        }
    }

    pub(crate) fn rows(&self) -> &Rows {
        match self.layout() {
            Layout::Fixed(fixed) => &fixed.rows,
            Layout::Bytes(bytes) => &bytes.rows,
            Layout::Nested { rows, .. } => rows,
        }
    }

    /// This column with another layout of the same storage.
    fn with_fixed(&self, layout: FixedLayout) -> Result<Column> {
        Ok(match self {
            Column::Numeric(column) => Column::Numeric(NumericColumn { dtype: column.dtype.clone(), layout }),
            Column::Boolean(_) => Column::Boolean(BooleanColumn { layout }),
            Column::Datetime(column) => {
                Column::Datetime(DatetimeColumn { dtype: column.dtype.clone(), layout })
            }
            Column::Timedelta(column) => Column::Timedelta(TimedeltaColumn { unit: column.unit, layout }),
            Column::Decimal(column) => {
                Column::Decimal(DecimalColumn { precision: column.precision, scale: column.scale, layout })
            }
            Column::Categorical(column) => {
                Column::Categorical(CategoricalColumn { codes: layout, ..column.clone() })
            }
            Column::String(_)
            | Column::Binary(_)
            | Column::Interval(_)
            | Column::List(_)
            | Column::Struct(_)
            | Column::Null(_) => {
                return Err(Error::UnsupportedDType { dtype: self.dtype() });
            }
        })
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        match self {
            Column::Numeric(column) => column.dtype.clone(),
            Column::Boolean(_) => DType::Bool,
            Column::String(_) => DType::Utf8,
            Column::Binary(_) => DType::Binary,
            Column::Datetime(column) => column.dtype.clone(),
            Column::Timedelta(column) => column.dtype(),
            Column::Decimal(column) => column.dtype(),
            Column::Categorical(column) => column.dtype(),
            Column::Interval(column) => column.dtype(),
            Column::List(column) => column.dtype(),
            Column::Struct(column) => column.dtype(),
            Column::Null(_) => DType::Null,
        }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.rows().size
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.size() == 0
    }

    /// The first row, counted from the start of the buffers.
    pub fn offset(&self) -> usize {
        self.rows().offset
    }

    /// Values, bits, codes or bytes: see [`Column`].
    pub fn data(&self) -> Option<&Buffer> {
        match self.layout() {
            Layout::Fixed(fixed) => Some(&fixed.data),
            Layout::Bytes(bytes) => Some(&bytes.bytes),
            Layout::Nested { .. } => None,
        }
    }

    /// The offsets of rows, into the bytes of strings and binary, or into the items of lists; `None` for other columns. There
    /// are `size() + 1` of them, from the column's offset.
    pub fn offsets(&self) -> Option<(&Buffer, OffsetWidth)> {
        match self {
            Column::String(column) => Some((column.offsets(), column.offset_width())),
            Column::Binary(column) => Some((column.offsets(), column.offset_width())),
            Column::List(column) => Some((column.offsets(), column.offset_width())),
            Column::Numeric(_)
            | Column::Boolean(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Categorical(_)
            | Column::Interval(_)
            | Column::Struct(_)
            | Column::Null(_) => None,
        }
    }

    /// The mask: one bit per row from the column's offset, 1 = valid; `None` if there are no nulls, see [`Column`].
    pub fn mask(&self) -> Option<&Buffer> {
        self.rows().mask.as_ref()
    }

    /// The child columns: the dictionary, the items, the fields or the bounds.
    pub fn children(&self) -> SmallVec<[Arc<Column>; 2]> {
        match self {
            Column::Categorical(column) => smallvec![Arc::clone(&column.dictionary)],
            Column::Interval(column) => smallvec![Arc::clone(&column.left), Arc::clone(&column.right)],
            Column::List(column) => smallvec![Arc::clone(&column.items)],
            Column::Struct(column) => column.children.clone(),
            Column::Numeric(_)
            | Column::Boolean(_)
            | Column::String(_)
            | Column::Binary(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Null(_) => SmallVec::new(),
        }
    }

    /// The device of the buffers.
    pub fn device(&self) -> Device {
        match self.layout() {
            Layout::Fixed(fixed) => fixed.data.device(),
            Layout::Bytes(bytes) => bytes.offsets.device(),
            Layout::Nested { device, .. } => device,
        }
    }

    /// Bytes of the buffers of the column and its children, shared or not.
    pub fn memory_bytes(&self) -> usize {
        let own = [self.data(), self.mask(), self.offsets().map(|(offsets, _)| offsets)];
        let children: usize = self.children().iter().map(|child| child.memory_bytes()).sum();
        own.into_iter().flatten().map(Buffer::len).sum::<usize>() + children
    }

    /// Whether the columns share memory, ignoring masks and children.
    pub fn shares_memory(&self, other: &Column) -> bool {
        self.data().zip(other.data()).is_some_and(|(data, other)| data.shares_memory(other))
    }

    /// The number of nulls. Counted once, with one synchronisation, if it is unknown.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn null_count(&self, exec: &Exec) -> Result<usize> {
        self.rows().null_count(exec)
    }

    /// The number of nulls, if it is known without counting.
    pub fn known_null_count(&self) -> Option<usize> {
        self.rows().known_null_count()
    }

    /// Rows `offset .. offset + len`, sharing the buffers.
    ///
    /// # Errors
    /// [`Error::RowsOutOfBounds`] when there are fewer rows.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Column> {
        match self {
            Column::String(column) => {
                Ok(Column::String(StringColumn { layout: column.layout.slice(offset, len)? }))
            }
            Column::Binary(column) => {
                Ok(Column::Binary(BinaryColumn { layout: column.layout.slice(offset, len)? }))
            }
            Column::Interval(column) => column.slice(offset, len).map(Column::Interval),
            Column::List(column) => column.slice(offset, len).map(Column::List),
            Column::Struct(column) => column.slice(offset, len).map(Column::Struct),
            Column::Null(column) => column.slice(offset, len).map(Column::Null),
            Column::Numeric(NumericColumn { layout, .. })
            | Column::Boolean(BooleanColumn { layout })
            | Column::Datetime(DatetimeColumn { layout, .. })
            | Column::Timedelta(TimedeltaColumn { layout, .. })
            | Column::Decimal(DecimalColumn { layout, .. })
            | Column::Categorical(CategoricalColumn { codes: layout, .. }) => {
                self.with_fixed(layout.slice(offset, len)?)
            }
        }
    }

    /// The first `len` rows, or all if there are fewer, sharing the buffers.
    ///
    /// # Errors
    /// None: the rows exist.
    ///
    /// # Source
    /// pandas `Series.head`.
    pub fn head(&self, len: usize) -> Result<Column> {
        self.slice(0, len.min(self.size()))
    }

    /// The column on `exec`'s device: a copy, or shared if it is on that device already. Of strings, binary and lists, only
    /// the range of the rows is copied.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn to_device(&self, exec: &Exec) -> Result<Column> {
        match self {
            Column::Categorical(column) => Ok(Column::Categorical(column.to_device(exec)?)),
            Column::String(column) => {
                Ok(Column::String(StringColumn { layout: column.layout.to_device(exec)? }))
            }
            Column::Binary(column) => {
                Ok(Column::Binary(BinaryColumn { layout: column.layout.to_device(exec)? }))
            }
            Column::Interval(column) => column.to_device(exec).map(Column::Interval),
            Column::List(column) => column.to_device(exec).map(Column::List),
            Column::Struct(column) => column.to_device(exec).map(Column::Struct),
            Column::Null(column) => Ok(Column::Null(NullColumn::new(column.rows.size, exec.device()))),
            Column::Numeric(NumericColumn { layout, .. })
            | Column::Boolean(BooleanColumn { layout })
            | Column::Datetime(DatetimeColumn { layout, .. })
            | Column::Timedelta(TimedeltaColumn { layout, .. })
            | Column::Decimal(DecimalColumn { layout, .. }) => self.with_fixed(layout.to_device(exec)?),
        }
    }
}
