//! Gathers rows by a row map.

use super::nested::gather_nested;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Result};
use columnade_kernels::RowMap;
use columnade_kernels::copying::gather::{self, MapNulls};

/// Row `i` of every column of the result is row `map[i]` of that column; an index of all ones gives nulls.
///
/// # Shapes and units
/// columns: n rows; map: m indices less than n, or all ones if `nulls` allows it → m rows.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory), with the column's label.
///
/// # Device
/// See [`gather::gather`], for each column.
///
/// # Source
/// cudf/copying.hpp `gather`, pandas `DataFrame.take`.
pub fn gather(
    columns: &ColumnAccessor,
    map: &RowMap,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    columns.map(map.len, |column| gather_column(column, map, nulls, exec))
}

/// Row `i` of the result is row `map[i]` of `column`; an index of all ones gives a null. A categorical column keeps
/// its dictionary; structs and intervals are gathered by their children, lists with their items.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Device
/// For lists about a dozen launches, and one synchronisation for the number of items.
///
/// # Source
/// pandas `Series.take`.
pub fn gather_column(column: &Column, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<Column> {
    if matches!(column, Column::Interval(_) | Column::List(_) | Column::Struct(_) | Column::Null(_)) {
        return gather_nested(column, map, nulls, exec);
    }
    column.with_data(gather::gather(&column.view()?, map, nulls, exec)?, exec)
}
