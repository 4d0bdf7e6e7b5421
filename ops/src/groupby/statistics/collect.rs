//! Rows of groups as lists.

use super::super::grouped_rows::GroupedRows;
use crate::copying::{gather_column, gather_runs};
use columnade_buffers::Exec;
use columnade_columns::{Column, Result};
use columnade_kernels::RowMap;
use columnade_kernels::copying::gather::MapNulls;

/// All rows of each group.
pub(super) fn collect(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let sorted = groups.sorted()?;
    lists(values, &sorted.map, &sorted.starts, &sorted.sizes, groups.exec)
}

/// List `i` has the values of `lengths[i]` rows of `rows` from `starts[i]` on. The latter are `int64` without nulls.
pub(super) fn lists(
    values: &Column,
    rows: &RowMap,
    starts: &Column,
    lengths: &Column,
    exec: &Exec,
) -> Result<Column> {
    let ordered = gather_column(values, rows, MapNulls::Never, exec)?;
    gather_runs(&ordered, starts, lengths, exec)
}
