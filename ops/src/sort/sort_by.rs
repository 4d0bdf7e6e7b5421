//! Sorts rows.

use super::argsort::argsort_scratch_bytes;
use super::{NullOrder, Order, SortKey, argsort};
use crate::copying::{MapNulls, gather_column};
use crate::out_of_core::external_sort::merge_runs;
use crate::out_of_core::{Driver, MemoryEstimate, OutOfCore};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Error, Result};

/// A column to sort rows by, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortColumn {
    /// Its position among the columns.
    pub position: usize,
    /// The direction of its values.
    pub order: Order,
    /// Where its nulls go.
    pub nulls: NullOrder,
}

/// The rows of all columns in the order of `keys`; see [`argsort`].
///
/// Rows that exceed the budget are sorted in chunks, which are merged; the result is the same.
///
/// # Shapes and units
/// columns: n rows → n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::IndexOutOfBounds`] for a key that is not a column;
/// [`Error::Memory`].
///
/// # Source
/// cudf/sorting.hpp `stable_sort_by_key`, pandas `sort_values(kind="stable")`.
pub fn sort_by(columns: &ColumnAccessor, keys: &[SortColumn], exec: &Exec) -> Result<ColumnAccessor> {
    check_keys(columns, keys)?;
    Driver::new(exec).run(&SortBy { keys }, columns)
}

/// Checks that all keys are columns.
pub(crate) fn check_keys(columns: &ColumnAccessor, keys: &[SortColumn]) -> Result<()> {
    match keys.iter().find(|key| key.position >= columns.len()) {
        Some(key) => Err(Error::IndexOutOfBounds { index: key.position, len: columns.len() }),
        None => Ok(()),
    }
}

pub(super) struct SortBy<'a> {
    pub(super) keys: &'a [SortColumn],
}

impl SortBy<'_> {
    fn key_columns<'a>(&self, rows: &'a ColumnAccessor) -> impl Iterator<Item = &'a Column> {
        self.keys.iter().map(|key| &rows.columns()[key.position])
    }
}

impl OutOfCore for SortBy<'_> {
    fn estimate(&self, rows: &ColumnAccessor) -> Result<MemoryEstimate> {
        let keys: usize = self.key_columns(rows).map(Column::row_bytes).sum::<Result<_>>()?;
        let input = rows.row_bytes()?;
        let scratch = argsort_scratch_bytes(self.key_columns(rows), rows.rows());
        Ok(MemoryEstimate::new(input, input + keys + scratch))
    }

    fn run(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let keys = self.key_columns(rows).zip(self.keys);
        let keys: Vec<SortKey<'_>> =
            keys.map(|(column, key)| SortKey { column, order: key.order, nulls: key.nulls }).collect();
        let map = argsort(&keys, exec)?;
        rows.map(map.len, |column| gather_column(column, &map, MapNulls::Never, exec))
    }

    fn combine(&self, runs: Vec<ColumnAccessor>, driver: Driver<'_>) -> Result<ColumnAccessor> {
        merge_runs(runs, self.keys, driver)
    }
}
