//! Columns from values of the host.

mod bits;
mod categories;
mod counts;
mod into;
mod nested;
mod offsets;
#[cfg(test)]
mod tests;
mod value;

pub(super) use bits::{BitPacker, MaskBuilder};
pub use categories::{Categories, categories};
pub use counts::{Counts, dates, decimals, durations, times, timestamps};
pub use into::{FromIter, IntoColumn, from_iter};
pub use nested::{Intervals, Structs, intervals, structs};
pub(super) use offsets::OffsetsBuilder;
pub(crate) use value::bytes_column;
pub use value::{ColumnValue, Native};

use super::fixed::FixedLayout;
use super::rows::Rows;
use super::{Column, NumericColumn};
use crate::{Error, Result};
use columnade_buffers::{Buffer, Exec, PADDING_BYTES};
use columnade_kernels::Element;

/// A vector for a builder to fill with as many values, and with what [`finished`] adds.
pub(super) fn with_padded_capacity<T>(values: usize) -> Vec<T> {
    Vec::with_capacity(values.saturating_add(PADDING_BYTES / size_of::<T>()))
}

/// What a builder has built, on `exec`'s device, padded with zeros: on the host the memory stays where it is.
pub(in crate::column) fn finished<T: Element>(mut values: Vec<T>, exec: &Exec) -> Result<Buffer> {
    let bytes = size_of_val(values.as_slice());
    values.resize(bytes.next_multiple_of(PADDING_BYTES) / size_of::<T>(), T::default());
    // A vector that grew keeps up to as much again.
    if values.capacity() - values.len() > values.len() / 8 {
        values.shrink_to_fit();
    }
    Ok(Buffer::from_vec_on(values, exec)?.slice(0, bytes))
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
    /// Same as [`ColumnValue::column`].
    pub fn from_values<T: ColumnValue>(values: impl IntoIterator<Item = T>, exec: &Exec) -> Result<Column> {
        T::column(values.into_iter().map(Some), exec)
    }

    /// A column of values on `exec`'s device, null where there is no value.
    ///
    /// # Errors
    /// Same as [`ColumnValue::column`].
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
            return Err(Error::LengthMismatch { expected: size, found });
        }
        let mask = if nulls > 0 { Some(bits.finish(exec)?) } else { None };
        let rows = Rows::new(mask, offset, size, self.device())?.with_null_count(nulls);
        Ok(self.with_rows(|_| rows))
    }
}
