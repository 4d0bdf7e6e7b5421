//! What columns can be built from, in addition to [`columnade_columns`] knows.

use std::any::Any;

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, IntoColumn};

use crate::series::Series;

/// The values; [`DataFrame::with_column`](crate::DataFrame::with_column) puts them in the rows of their labels, others leave
/// the labels behind.
impl IntoColumn for Series {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.values().to_device(exec)
    }

    fn row_labels(&self) -> Option<&dyn Any> {
        Some(self.index())
    }
}

/// The values; [`DataFrame::with_column`](crate::DataFrame::with_column) puts them in the rows of their labels, others leave
/// the labels behind.
impl IntoColumn for &Series {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.values().to_device(exec)
    }

    fn row_labels(&self) -> Option<&dyn Any> {
        Some(self.index())
    }
}
