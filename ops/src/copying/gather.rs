//! Gathers rows by a row map.

use super::nested::gather_nested;
use crate::groupby::grouped_rows::row_map;
use crate::out_of_core::late_materialization::{gather_or_sort, is_late, map_column, scaled};
use crate::out_of_core::{Driver, MemoryEstimate, whole_or, with_labels_of};
use columnade_buffers::{Device, Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, Error, Result};
use columnade_kernels::copying::gather::{self, MapNulls};
use columnade_kernels::{RowMap, RowWidth};

/// Row `i` of every column of the result is row `map[i]` of that column; an index of all ones gives nulls.
///
/// # Shapes and units
/// columns: n rows; map: m indices less than n, or all ones if `nulls` allows it → m rows.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory), on the host with the column's label.
///
/// # Device
/// See [`gather::gather_columns`]; nested columns are gathered one by one.
///
/// # Source
/// cudf/copying.hpp `gather`, pandas `DataFrame.take`.
pub fn gather(
    columns: &ColumnAccessor,
    map: &RowMap,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    if exec.device() == Device::Host {
        return columns.map(map.len, |column| gather_column(column, map, nulls, exec));
    }
    let all: Vec<&Column> = columns.columns().iter().collect();
    let mut gathered = gather_columns(&all, map, nulls, exec)?.into_iter();
    columns.map(map.len, |_| gathered.next().ok_or(Error::Internal { invariant: "each column is gathered" }))
}

/// [`gather()`] of rows that may exceed the budget: some columns at a time, in chunks of the map (on the host; elsewhere all rows
/// at a time). May be tried again.
///
/// # Shapes and units
/// columns: n rows; map: m indices less than n, or all ones if `nulls` allows it → m rows.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory), on the host with the column's label.
///
/// # Source
/// cudf/copying.hpp `gather`, pandas `DataFrame.take`.
pub fn gather_in_chunks(
    columns: &ColumnAccessor,
    map: &RowMap,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let all = columns.rows().max(map.len);
    if !is_late(all, Driver::new(exec)) || map.width != RowWidth::U32 {
        return with_retry_no_split(exec, |exec| gather(columns, map, nulls, exec));
    }
    let inputs: Vec<&Column> = columns.columns().iter().collect();
    let estimate = || {
        let input = columns.row_bytes()?;
        let output = scaled(input, map.len, columns.rows());
        Ok(MemoryEstimate::new(input.saturating_add(map.len * RowWidth::U32.bytes()), output))
    };
    let whole = |exec: &Exec| gather(columns, map, nulls, exec);
    whole_or(&inputs, exec, estimate, whole, |driver| {
        let rows = gather_or_sort(columns, &map_column(map)?, nulls, driver)?;
        with_labels_of(columns, rows.columns(), map.len)
    })
}

/// [`gather_column`] of each column, which have one length; on the host several at a time.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Device
/// See [`gather::gather_columns`].
///
/// # Source
/// pandas `DataFrame.take`.
pub(crate) fn gather_columns(
    columns: &[&Column],
    map: &RowMap,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<Vec<Column>> {
    let flat: Vec<&Column> = columns.iter().copied().filter(|column| !is_nested(column)).collect();
    let views = flat.iter().map(|column| column.view()).collect::<Result<Vec<_>>>()?;
    let mut gathered = gather::gather_columns(&views, map, nulls, exec)?.into_iter();
    let of_column = |column: &&Column| {
        if is_nested(column) {
            return gather_nested(column, map, nulls, exec);
        }
        let data = gathered.next().ok_or(Error::Internal { invariant: "each column is gathered" })?;
        column.with_data(data, exec)
    };
    columns.iter().map(of_column).collect()
}

/// [`gather_columns`] of rows that ascend and are distinct, as the first rows of groups: as many as there are rows are all of
/// them, and columns are shared.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Source
/// pandas `DataFrame.take`.
pub(crate) fn gather_first_rows(columns: &[&Column], map: &RowMap, exec: &Exec) -> Result<Vec<Column>> {
    if columns.iter().all(|column| column.size() == map.len) {
        return columns.iter().map(|column| column.shallow_copy(exec)).collect();
    }
    gather_columns(columns, map, MapNulls::Never, exec)
}

/// Whether a column has no view as one array of values.
pub(crate) fn is_nested(column: &Column) -> bool {
    matches!(column, Column::Interval(_) | Column::List(_) | Column::Struct(_) | Column::Null(_))
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
    if is_nested(column) {
        return gather_nested(column, map, nulls, exec);
    }
    column.with_data(gather::gather(&column.view()?, map, nulls, exec)?, exec)
}

/// The values at the row numbers `rows`, `int64`; null where that is null. Row numbers come from the engine and are not checked.
///
/// # Shapes and units
/// values: n rows; rows: m numbers less than n → m rows.
///
/// # Errors
/// [`Error::Memory`].
///
/// # Source
/// pandas `Series.take`.
pub fn take(values: &Column, rows: &Column, exec: &Exec) -> Result<Column> {
    gather_column(values, &row_map(rows, exec)?, MapNulls::Possible, exec)
}
