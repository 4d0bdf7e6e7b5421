//! Rows as columns.

use super::rows::{product, whole};
use crate::copying::{MapNulls, gather};
use crate::expression::col;
use crate::filter::apply_mask;
use crate::groupby::NullKeys;
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, numbers, row_map, take};
use crate::sort::{NullOrder, Order, SortKey, argsort};
use crate::window::inverse;
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::copying::scatter::scatter;

/// What [`pivot`] makes of rows.
#[derive(Clone, Debug)]
pub struct Pivoted {
    /// The distinct keys of the rows, in ascending order, nulls last.
    pub rows: ColumnAccessor,
    /// The distinct keys of the columns, in ascending order, nulls last.
    pub columns: ColumnAccessor,
    /// For each column of values one column for each row of `columns`, with a row for each row of `rows`.
    pub values: Vec<Vec<Column>>,
}

/// A table of `values`: the value of each row is in the row of its key in `rows` and in the column of its key in `columns`.
/// Where there is no row with both keys, the value is null.
///
/// Without columns in `rows` there is one row, without columns in `columns` one column. Null keys are keys.
///
/// # Shapes and units
/// rows, columns, values: n rows each; r distinct keys of rows, c of columns → c columns of r rows for each column of values. Those
/// share one allocation.
///
/// # Errors
/// [`Error::DuplicateEntry`] for two rows with equal keys; [`Error::Overflow`] for more than `i64::MAX` values;
/// [`Error::Memory`].
///
/// # Device
/// A group-by and a sort for each of both keys, a scatter and a gather of r · c row numbers, and a gather of each column of values.
/// Two synchronisations more than the group-bys have.
///
/// # Source
/// pandas `DataFrame.pivot`, `unstack`.
pub fn pivot(
    rows: &ColumnAccessor,
    columns: &ColumnAccessor,
    values: &ColumnAccessor,
    exec: &Exec,
) -> Result<Pivoted> {
    for keys in [rows, columns] {
        if !keys.is_empty() && keys.rows() != values.rows() {
            return Err(Error::LengthMismatch { expected: values.rows(), found: keys.rows() });
        }
    }
    with_retry_no_split(exec, |exec| {
        let (row_keys, row_ids) = numbered(rows, values.rows(), exec)?;
        let (column_keys, column_ids) = numbered(columns, values.rows(), exec)?;
        let (height, width) = (row_keys.rows(), column_keys.rows());
        let cells = product(height, width)?;
        let ids = [("row", &row_ids), ("column", &column_ids)];
        let cell = compute(&ids, col("column") * whole(height)? + col("row"), exec)?;
        let numbers = numbers(values.rows(), exec)?;
        let none = Column::full_null(&DType::Int64, cells, exec)?;
        let source = scatter(&numbers.view()?, &row_map(&cell, exec)?, &none.view()?, exec)?;
        let source = Column::from_data(DType::Int64, source)?;
        check_distinct([rows, columns], &numbers, &take(&source, &cell, exec)?, exec)?;
        let values = gather(values, &row_map(&source, exec)?, MapNulls::Possible, exec)?;
        let columns = values
            .columns()
            .iter()
            .map(|values| (0..width).map(|column| values.slice(column * height, height)).collect())
            .collect::<Result<_>>()?;
        Ok(Pivoted { rows: row_keys, columns: column_keys, values: columns })
    })
}

/// The distinct keys in order, and for each row the number of its key. Without keys, rows have the number 0.
fn numbered(keys: &ColumnAccessor, rows: usize, exec: &Exec) -> Result<(ColumnAccessor, Column)> {
    let by: Vec<&Column> = keys.columns().iter().collect();
    let groups = GroupedRows::new(&by, rows, NullKeys::Group, exec)
        .map_err(|error| error.with_key_labels(keys.labels()))?;
    if by.is_empty() {
        return Ok((ColumnAccessor::with_rows(1), groups.broadcast(&numbers(1, exec)?)?));
    }
    let distinct = gather(keys, groups.first_rows(), MapNulls::Never, exec)?;
    let ascending = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
    let order = argsort(&distinct.columns().iter().map(ascending).collect::<Vec<_>>(), exec)
        .map_err(|error| error.with_key_labels(keys.labels()))?;
    let ranks = inverse(&column_of(&order, exec)?, exec)?;
    Ok((gather(&distinct, &order, MapNulls::Never, exec)?, groups.broadcast(&ranks)?))
}

/// Checks that each row is the one that its cell is filled from.
fn check_distinct(keys: [&ColumnAccessor; 2], numbers: &Column, source: &Column, exec: &Exec) -> Result<()> {
    let lost = compute(&[("row", numbers), ("kept", source)], col("row").ne(col("kept")), exec)?;
    let rows = ColumnAccessor::from_columns([("row", numbers.clone())])?;
    let lost = apply_mask(&rows, &lost, exec)?;
    if lost.rows() == 0 {
        return Ok(());
    }
    let first = lost.columns()[0].slice(0, 1)?;
    let mut key = Vec::new();
    for column in keys.iter().flat_map(|keys| keys.columns()) {
        key.push(take(column, &first, exec)?.get(0)?.to_string());
    }
    Err(Error::DuplicateEntry { key })
}
