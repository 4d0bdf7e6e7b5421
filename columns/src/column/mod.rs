//! Typed columns.

mod boolean;
mod build;
mod categorical;
mod concat;
mod datetime;
mod decimal;
mod dictionary;
pub(crate) mod fixed;
mod numeric;
mod read;
pub(crate) mod rows;
mod string;
#[cfg(test)]
mod tests;

pub use boolean::BooleanColumn;
pub(crate) use build::text_column;
pub use build::{ColumnValue, Native};
pub use categorical::CategoricalColumn;
pub use datetime::DatetimeColumn;
pub use decimal::DecimalColumn;
pub use numeric::NumericColumn;
pub use string::StringColumn;

use crate::{DType, Error, Result};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_kernels::{ColumnData, View};
use fixed::FixedLayout;
use rows::Rows;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// A column: a dtype, and the buffers that Arrow lays out for it.
///
/// Cheap to clone: clones share their buffers until one is written. A column is rows
/// `offset() .. offset() + size()` of its buffers; a slice shares them.
///
/// | column | `data()` | besides |
/// | --- | --- | --- |
/// | numeric, datetime, decimal | one value a row | |
/// | boolean | one bit a row | |
/// | string | UTF-8 bytes | `offsets()`: `size + 1` positions in the bytes |
/// | categorical | one code a row | `children()`: the dictionary |
///
/// Every column may have a mask: one bit a row, 1 = valid. Without one it has no nulls; with one it may have none.
///
/// # Source
/// cuDF's `ColumnBase` and its subclasses; the layouts are Arrow's.
#[derive(Clone, Debug)]
pub enum Column {
    /// Integers and floats.
    Numeric(NumericColumn),
    /// Booleans.
    Boolean(BooleanColumn),
    /// Text.
    String(StringColumn),
    /// Days and timestamps.
    Datetime(DatetimeColumn),
    /// Exact decimals.
    Decimal(DecimalColumn),
    /// Codes into a dictionary.
    Categorical(CategoricalColumn),
}

/// The two layouts that columns have.
enum Layout<'a> {
    Fixed(&'a FixedLayout),
    Text(&'a StringColumn),
}

impl Column {
    fn layout(&self) -> Layout<'_> {
        match self {
            Column::Numeric(column) => Layout::Fixed(&column.layout),
            Column::Boolean(column) => Layout::Fixed(&column.layout),
            Column::String(column) => Layout::Text(column),
            Column::Datetime(column) => Layout::Fixed(&column.layout),
            Column::Decimal(column) => Layout::Fixed(&column.layout),
            Column::Categorical(column) => Layout::Fixed(&column.codes),
        }
    }

    fn rows(&self) -> &Rows {
        match self.layout() {
            Layout::Fixed(fixed) => &fixed.rows,
            Layout::Text(text) => &text.rows,
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
            Column::Decimal(column) => {
                Column::Decimal(DecimalColumn { precision: column.precision, scale: column.scale, layout })
            }
            Column::Categorical(column) => Column::Categorical(CategoricalColumn {
                codes: layout,
                dictionary: Arc::clone(&column.dictionary),
            }),
            Column::String(_) => return Err(Error::UnsupportedDType { op: "column", dtype: self.dtype() }),
        })
    }

    /// What the values mean.
    pub fn dtype(&self) -> DType {
        match self {
            Column::Numeric(column) => column.dtype.clone(),
            Column::Boolean(_) => DType::Bool,
            Column::String(_) => DType::Utf8,
            Column::Datetime(column) => column.dtype.clone(),
            Column::Decimal(column) => DType::Decimal { precision: column.precision, scale: column.scale },
            Column::Categorical(column) => column.dtype(),
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
    pub fn data(&self) -> &Buffer {
        match self.layout() {
            Layout::Fixed(fixed) => &fixed.data,
            Layout::Text(text) => &text.chars,
        }
    }

    /// One bit a row from the column's offset on, 1 = valid; `None`: no nulls.
    pub fn mask(&self) -> Option<&Buffer> {
        self.rows().mask.as_ref()
    }

    /// The columns that this one is made of: the dictionary of a categorical column.
    pub fn children(&self) -> SmallVec<[Arc<Column>; 2]> {
        match self {
            Column::Categorical(column) => smallvec![Arc::clone(&column.dictionary)],
            _ => SmallVec::new(),
        }
    }

    /// Where the buffers live.
    pub fn device(&self) -> Device {
        match self.layout() {
            Layout::Fixed(fixed) => fixed.data.device(),
            Layout::Text(text) => text.offsets.device(),
        }
    }

    /// Bytes that the column keeps alive, its dictionary's among them: those of its buffers, shared or not.
    pub fn memory_bytes(&self) -> usize {
        let mask = self.mask().map_or(0, Buffer::len);
        let offsets = if let Column::String(column) = self { column.offsets.len() } else { 0 };
        let children: usize = self.children().iter().map(|child| child.memory_bytes()).sum();
        self.data().len() + mask + offsets + children
    }

    /// How many rows are null: counted once, with one synchronisation, where nothing knows it yet.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn null_count(&self, exec: &Exec) -> Result<usize> {
        self.rows().null_count(exec)
    }

    /// How many rows are null where that is known for free.
    pub fn known_null_count(&self) -> Option<usize> {
        self.rows().known_null_count()
    }

    /// Rows `offset .. offset + len`, sharing the buffers.
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`] when there are fewer rows.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Column> {
        match self.layout() {
            Layout::Fixed(fixed) => self.with_fixed(fixed.slice(offset, len)?),
            Layout::Text(text) => Ok(Column::String(text.slice(offset, len)?)),
        }
    }

    /// The column as a kernel takes it; of a categorical column, its codes.
    pub fn view(&self) -> View<'_> {
        match self.layout() {
            Layout::Fixed(fixed) => View::Fixed(fixed.view()),
            Layout::Text(text) => View::Text(text.view()),
        }
    }

    /// The column on `exec`'s device: itself where it is there already, else a copy.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn to_device(&self, exec: &Exec) -> Result<Column> {
        match self {
            Column::Categorical(column) => Ok(Column::Categorical(column.to_device(exec)?)),
            Column::String(column) => Ok(Column::String(column.to_device(exec)?)),
            Column::Numeric(NumericColumn { layout, .. })
            | Column::Boolean(BooleanColumn { layout })
            | Column::Datetime(DatetimeColumn { layout, .. })
            | Column::Decimal(DecimalColumn { layout, .. }) => self.with_fixed(layout.to_device(exec)?),
        }
    }

    /// A kernel's result as a column of `dtype`.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] when `dtype` is stored otherwise, or is a dictionary: see [`Column::with_data`].
    pub fn from_data(dtype: DType, data: ColumnData) -> Result<Column> {
        const OP: &str = "column from data";
        let layout = match data {
            ColumnData::Text(text) if dtype == DType::Utf8 => {
                return Ok(Column::String(StringColumn::from_data(text)?));
            }
            ColumnData::Fixed(fixed) if dtype.storage() == Some(fixed.storage) => {
                FixedLayout::from_data(fixed)?
            }
            ColumnData::Text(_) | ColumnData::Fixed(_) => {
                return Err(Error::UnsupportedDType { op: OP, dtype });
            }
        };
        Column::from_layout(&dtype, layout).ok_or(Error::UnsupportedDType { op: OP, dtype })
    }

    /// `None` for a dtype without a fixed width and for dictionaries. The storage must be the dtype's.
    pub(crate) fn from_layout(dtype: &DType, layout: FixedLayout) -> Option<Column> {
        match dtype {
            DType::Bool => Some(Column::Boolean(BooleanColumn { layout })),
            DType::Decimal { precision, scale } => {
                Some(Column::Decimal(DecimalColumn { precision: *precision, scale: *scale, layout }))
            }
            DType::Date32 | DType::Timestamp(_) => {
                Some(Column::Datetime(DatetimeColumn { dtype: dtype.clone(), layout }))
            }
            DType::Utf8 | DType::Dictionary(_) => None,
            number => Some(Column::Numeric(NumericColumn { dtype: number.clone(), layout })),
        }
    }

    /// A kernel's result as a column of this one's dtype and, for a categorical column, of its dictionary: what
    /// moves rows keeps their meaning.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] when the result is stored otherwise than this column.
    pub fn with_data(&self, data: ColumnData) -> Result<Column> {
        match (self, data) {
            (Column::String(_), ColumnData::Text(text)) => Ok(Column::String(StringColumn::from_data(text)?)),
            (_, ColumnData::Fixed(fixed)) if self.dtype().storage() == Some(fixed.storage) => {
                self.with_fixed(FixedLayout::from_data(fixed)?)
            }
            _ => Err(Error::UnsupportedDType { op: "column with data", dtype: self.dtype() }),
        }
    }

    /// The same bits as another dtype of the same storage: `int32` as `date32`, `int64` as a timestamp or a
    /// `decimal(18,2)`. Shares the buffers; nothing is converted.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] when the two are stored differently or one of them is a dictionary.
    pub fn reinterpret(&self, dtype: &DType) -> Result<Column> {
        let mismatch =
            || Error::DTypeMismatch { op: "reinterpret", left: self.dtype(), right: dtype.clone() };
        if self.dtype() == *dtype {
            return Ok(self.clone());
        }
        match (self, self.layout()) {
            (Column::Categorical(_), _) | (_, Layout::Text(_)) => Err(mismatch()),
            (_, Layout::Fixed(fixed)) if dtype.storage() == Some(fixed.storage) => {
                Column::from_layout(dtype, fixed.clone()).ok_or_else(mismatch)
            }
            _ => Err(mismatch()),
        }
    }

    /// The column without its mask, for a caller that knows that no row is null.
    #[must_use]
    pub fn without_mask(&self) -> Column {
        let mut column = self.clone();
        let rows = match &mut column {
            Column::Numeric(NumericColumn { layout, .. })
            | Column::Boolean(BooleanColumn { layout })
            | Column::Datetime(DatetimeColumn { layout, .. })
            | Column::Decimal(DecimalColumn { layout, .. })
            | Column::Categorical(CategoricalColumn { codes: layout, .. }) => &mut layout.rows,
            Column::String(column) => &mut column.rows,
        };
        *rows = Rows::without_mask(rows.offset, rows.size);
        column
    }
}
