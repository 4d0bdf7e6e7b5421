//! What columns can be made from.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, ColumnValue};

use crate::series::Series;

/// Values that become a column: a vector, array or slice of numbers, booleans, text, bytes or lists of them (vectors in
/// turn), of optional ones (`None` becomes null), a [`Column`], or a [`Series`] (its values; its row labels are left behind).
///
/// A vector of plain numbers is taken over without a copy on the host; everything else is copied.
pub trait IntoColumn {
    /// The values as a column on `exec`'s device.
    ///
    /// # Errors
    /// When memory runs out or the device fails.
    fn into_column(self, exec: &Exec) -> columns::Result<Column>;
}

/// One value that becomes a row: a number, a boolean, text, bytes (`&[u8]`), a list (`Vec`), or an `Option` of one.
pub trait Element: Sized {
    /// A column of these values on `exec`'s device.
    ///
    /// # Errors
    /// When memory runs out or the device fails.
    fn collect(values: impl Iterator<Item = Self>, exec: &Exec) -> columns::Result<Column>;

    /// [`collect`](Self::collect) of a vector, which may be taken over.
    ///
    /// # Errors
    /// When memory runs out or the device fails.
    fn collect_vec(values: Vec<Self>, exec: &Exec) -> columns::Result<Column> {
        Self::collect(values.into_iter(), exec)
    }
}

macro_rules! elements {
    ($($ty:ty $(= $numbers:ident)?),* $(,)?) => {
        $(impl Element for $ty {
            fn collect(values: impl Iterator<Item = Self>, exec: &Exec) -> columns::Result<Column> {
                Column::from_values(values, exec)
            }
            $(fn collect_vec(values: Vec<Self>, exec: &Exec) -> columns::Result<Column> { $numbers(values, exec) })?
        }
        impl Element for Option<$ty> {
            fn collect(values: impl Iterator<Item = Self>, exec: &Exec) -> columns::Result<Column> {
                Column::from_options(values, exec)
            }
        })*
    };
}

elements! {
    i8 = numbers, i16 = numbers, i32 = numbers, i64 = numbers, u8 = numbers, u16 = numbers, u32 = numbers,
    u64 = numbers, f32 = numbers, f64 = numbers, bool, &str, String, &[u8],
}

impl<T: ColumnValue> Element for Vec<T> {
    fn collect(values: impl Iterator<Item = Self>, exec: &Exec) -> columns::Result<Column> {
        Column::from_values(values, exec)
    }
}

impl<T: ColumnValue> Element for Option<Vec<T>> {
    fn collect(values: impl Iterator<Item = Self>, exec: &Exec) -> columns::Result<Column> {
        Column::from_options(values, exec)
    }
}

/// Numbers that stay where they are on the host.
fn numbers<T: columns::Native>(values: Vec<T>, exec: &Exec) -> columns::Result<Column> {
    Column::from_vec_on(values, exec)
}

impl<T: Element> IntoColumn for Vec<T> {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        T::collect_vec(self, exec)
    }
}

impl<T: Element, const N: usize> IntoColumn for [T; N] {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        T::collect(self.into_iter(), exec)
    }
}

impl<T: Element + Clone> IntoColumn for &[T] {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        T::collect(self.iter().cloned(), exec)
    }
}

impl IntoColumn for Column {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.to_device(exec)
    }
}

impl IntoColumn for &Column {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.to_device(exec)
    }
}

impl IntoColumn for Series {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.values().to_device(exec)
    }
}

impl IntoColumn for &Series {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.values().to_device(exec)
    }
}
