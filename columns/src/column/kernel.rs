//! Columns as kernels take them, and what kernels give as columns.

use super::rows::Rows;
use super::{
    BinaryColumn, BooleanColumn, CategoricalColumn, Column, DatetimeColumn, DecimalColumn, IntervalColumn,
    Layout, ListColumn, NumericColumn, StringColumn, StructColumn, TimedeltaColumn,
};
use super::{bytes::BytesLayout, fixed::FixedLayout};
use crate::{DType, Error, Result};
use columnade_buffers::Exec;
use columnade_kernels::{ColumnData, OffsetWidth, View};

impl Column {
    /// The column as a kernel takes it; of a categorical column, its codes.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for intervals, lists, structs and nulls, which no kernel takes.
    pub fn view(&self) -> Result<View<'_>> {
        match self.layout() {
            Layout::Fixed(fixed) => Ok(View::Fixed(fixed.view())),
            Layout::Bytes(bytes) => Ok(View::String(bytes.view())),
            Layout::Nested { .. } => Err(Error::UnsupportedDType { dtype: self.dtype() }),
        }
    }

    /// A kernel's result as a column of `dtype`.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] when `dtype` is stored otherwise, or is a dictionary: see [`Column::with_data`].
    pub fn from_data(dtype: DType, data: ColumnData) -> Result<Column> {
        let layout = match data {
            ColumnData::String(text) if dtype.is_bytes() => {
                return Ok(Column::from_bytes(&dtype, BytesLayout::from_data(text)?));
            }
            ColumnData::Fixed(fixed) if dtype.storage() == Some(fixed.storage) => {
                FixedLayout::from_data(fixed)?
            }
            ColumnData::String(_) | ColumnData::Fixed(_) => {
                return Err(Error::UnsupportedDType { dtype });
            }
        };
        Column::from_layout(&dtype, layout).ok_or(Error::UnsupportedDType { dtype })
    }

    /// Strings, or binary for every other dtype.
    pub(crate) fn from_bytes(dtype: &DType, layout: BytesLayout) -> Column {
        if *dtype == DType::Utf8 {
            Column::String(StringColumn { layout })
        } else {
            Column::Binary(BinaryColumn { layout })
        }
    }

    /// `None` for a dtype without a fixed width and for dictionaries. The storage must be the dtype's.
    #[inline]
    pub(crate) fn from_layout(dtype: &DType, layout: FixedLayout) -> Option<Column> {
        match dtype {
            DType::Bool => Some(Column::Boolean(BooleanColumn { layout })),
            DType::Decimal { precision, scale, .. } => {
                Some(Column::Decimal(DecimalColumn { precision: *precision, scale: *scale, layout }))
            }
            DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..) | DType::Time(_) => {
                Some(Column::Datetime(DatetimeColumn { dtype: dtype.clone(), layout }))
            }
            DType::Duration(unit) => Some(Column::Timedelta(TimedeltaColumn { unit: *unit, layout })),
            DType::Utf8
            | DType::Binary
            | DType::Dictionary(_)
            | DType::Interval(_)
            | DType::List(_)
            | DType::Struct(_)
            | DType::Null => None,
            number @ (DType::Int8
            | DType::Int16
            | DType::Int32
            | DType::Int64
            | DType::UInt8
            | DType::UInt16
            | DType::UInt32
            | DType::UInt64
            | DType::Float32
            | DType::Float64) => Some(Column::Numeric(NumericColumn { dtype: number.clone(), layout })),
        }
    }

    /// A kernel's result as a column of this one's dtype and, for a categorical column, of its dictionary: what
    /// moves rows keeps their meaning, and the width of offsets.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] when the result is stored otherwise than this column; [`Error::Memory`].
    ///
    /// # Device
    /// One launch where 32-bit offsets are widened, as those of a kernel's result are that has few bytes.
    pub fn with_data(&self, data: ColumnData, exec: &Exec) -> Result<Column> {
        match (self, data) {
            (
                Column::String(StringColumn { layout }) | Column::Binary(BinaryColumn { layout }),
                ColumnData::String(text),
            ) => {
                let wide = layout.offsets.width == OffsetWidth::I64;
                let mut result = BytesLayout::from_data(text)?;
                if wide {
                    result.offsets = result.offsets.widened(result.rows.size, exec)?;
                }
                Ok(Column::from_bytes(&self.dtype(), result))
            }
            (_, ColumnData::Fixed(fixed)) if self.dtype().storage() == Some(fixed.storage) => {
                self.with_fixed(FixedLayout::from_data(fixed)?)
            }
            _ => Err(Error::UnsupportedDType { dtype: self.dtype() }),
        }
    }

    /// The same bits as another dtype of the same storage: `int32` as `date32`, `int64` as a timestamp or a
    /// `decimal(18,2)`. Shares the buffers; nothing is converted.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] when the two are stored differently or one of them is a dictionary.
    pub fn reinterpret(&self, dtype: &DType) -> Result<Column> {
        let mismatch = || Error::DTypeMismatch { left: self.dtype(), right: dtype.clone() };
        if self.dtype() == *dtype {
            return Ok(self.clone());
        }
        match (self, self.layout()) {
            (Column::Categorical(_), _) => Err(mismatch()),
            (_, Layout::Fixed(fixed)) if dtype.storage() == Some(fixed.storage) => {
                Column::from_layout(dtype, fixed.clone()).ok_or_else(mismatch)
            }
            _ => Err(mismatch()),
        }
    }

    /// The first column with 64-bit offsets, else the first: what is made of all of them is laid out as that one. `None`
    /// without columns.
    pub fn widest<'a>(columns: &[&'a Column]) -> Option<&'a Column> {
        let is_wide =
            |column: &&&Column| column.offsets().is_some_and(|(_, width)| width == OffsetWidth::I64);
        columns.iter().find(is_wide).or(columns.first()).copied()
    }

    /// The column without its mask, for a caller that knows that no row is null. A null column stays what it is.
    #[must_use]
    pub fn without_mask(&self) -> Column {
        self.with_rows(|rows| Rows::without_mask(rows.offset, rows.size))
    }

    /// The column with other rows of the same offset and size.
    pub(crate) fn with_rows(&self, change: impl FnOnce(&Rows) -> Rows) -> Column {
        let mut column = self.clone();
        let rows = match &mut column {
            Column::Numeric(NumericColumn { layout, .. })
            | Column::Boolean(BooleanColumn { layout })
            | Column::Datetime(DatetimeColumn { layout, .. })
            | Column::Timedelta(TimedeltaColumn { layout, .. })
            | Column::Decimal(DecimalColumn { layout, .. })
            | Column::Categorical(CategoricalColumn { codes: layout, .. }) => &mut layout.rows,
            Column::String(StringColumn { layout }) | Column::Binary(BinaryColumn { layout }) => {
                &mut layout.rows
            }
            Column::Interval(IntervalColumn { rows, .. })
            | Column::List(ListColumn { rows, .. })
            | Column::Struct(StructColumn { rows, .. }) => rows,
            Column::Null(_) => return column,
        };
        *rows = change(rows);
        column
    }
}
