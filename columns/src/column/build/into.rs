//! What columns are made from, as a whole.

use std::any::Any;

use super::value::ColumnValue;
use crate::Result;
use crate::column::Column;
use columnade_buffers::Exec;

/// Values that become a column: a vector, an array or a slice of [`ColumnValue`]s, of optional ones (`None` becomes null),
/// any iterator of them by [`from_iter`], what [`dates`](crate::dates), [`timestamps`](crate::timestamps),
/// [`durations`](crate::durations), [`decimals`](crate::decimals), [`categories`](crate::categories),
/// [`structs`](crate::structs) and [`intervals`](crate::intervals) give, or a [`Column`].
///
/// A vector of plain numbers is adopted without a copy on the host, and a slice of them is copied; what has no
/// column's layout yet is built value by value, on the host in the memory that the column then has.
pub trait IntoColumn {
    /// The values as a column on `exec`'s device.
    ///
    /// # Errors
    /// Same as [`ColumnValue::column`]; [`Error::Memory`](crate::Error::Memory).
    fn into_column(self, exec: &Exec) -> Result<Column>;

    /// The labels of the rows, of a type that their owner knows; `None` for values without labels.
    #[doc(hidden)]
    fn row_labels(&self) -> Option<&dyn Any> {
        None
    }
}

impl<T: ColumnValue> IntoColumn for Vec<T> {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        T::column_of_vec(self, exec)
    }
}

impl<T: ColumnValue, const N: usize> IntoColumn for [T; N] {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        T::column_of_vec(self.into(), exec)
    }
}

impl<T: ColumnValue + Clone> IntoColumn for &[T] {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        T::column_of_slice(self, exec)
    }
}

impl<T: ColumnValue + Clone> IntoColumn for &Vec<T> {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        T::column_of_slice(self, exec)
    }
}

impl<T: ColumnValue + Clone, const N: usize> IntoColumn for &[T; N] {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        T::column_of_slice(self, exec)
    }
}

impl IntoColumn for Column {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        self.to_device(exec)
    }
}

impl IntoColumn for &Column {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        self.to_device(exec)
    }
}

/// What [`from_iter`] gives.
#[derive(Clone, Debug)]
pub struct FromIter<I>(I);

/// The values of an iterator, or optional ones.
///
/// ```
/// use columnade_buffers::Exec;
/// use columnade_columns::{IntoColumn, from_iter};
///
/// let odd = from_iter((0_i64..5).map(|n| (n % 2 == 1).then_some(n))).into_column(&Exec::host())?;
/// assert_eq!(odd.null_count(&Exec::host())?, 3);
/// # Ok::<(), columnade_columns::Error>(())
/// ```
pub fn from_iter<I: IntoIterator<Item: ColumnValue>>(values: I) -> FromIter<I> {
    FromIter(values)
}

impl<I: IntoIterator<Item: ColumnValue>> IntoColumn for FromIter<I> {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        Column::from_values(self.0, exec)
    }
}
