//! What columns can be built from, in addition to [`columnade_columns`] knows.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, IntoColumn};

use crate::series::Series;

/// The values; the row labels are left behind.
impl IntoColumn for Series {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.values().to_device(exec)
    }
}

/// The values; the row labels are left behind.
impl IntoColumn for &Series {
    fn into_column(self, exec: &Exec) -> columns::Result<Column> {
        self.values().to_device(exec)
    }
}
