//! Rows repeated, and columns as rows.

use crate::copying::{MapNulls, check_common, concat, gather, gather_column};
use crate::expression::{Expr, col};
use crate::groupby::grouped_rows::{compute, numbers, row_map};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::RowMap;

/// All rows `count` times, one copy after the other: `a b` becomes `a b a b`.
///
/// # Shapes and units
/// columns: n rows → `count` · n rows.
///
/// # Errors
/// [`Error::Overflow`] for more than `i64::MAX` rows; [`Error::Memory`].
///
/// # Source
/// cudf/reshape.hpp `tile`, `numpy.tile`.
pub fn tile(columns: &ColumnAccessor, count: usize, exec: &Exec) -> Result<ColumnAccessor> {
    repeated(columns, count, |row, rows, _| row % rows, exec)
}

/// Each row `count` times: `a b` becomes `a a b b`.
///
/// # Shapes and units
/// columns: n rows → `count` · n rows.
///
/// # Errors
/// [`Error::Overflow`] for more than `i64::MAX` rows; [`Error::Memory`].
///
/// # Source
/// cudf/filling.hpp `repeat`, pandas `Index.repeat`.
pub fn repeat(columns: &ColumnAccessor, count: usize, exec: &Exec) -> Result<ColumnAccessor> {
    repeated(columns, count, |row, _, count| row.floor_div(count), exec)
}

fn repeated(
    columns: &ColumnAccessor,
    count: usize,
    source: fn(Expr, i64, i64) -> Expr,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let rows = columns.rows();
    let total = product(rows, count)?;
    match count {
        1 => return Ok(columns.clone()),
        _ if total == 0 => return columns.slice(0, 0),
        _ => {}
    }
    with_retry_no_split(exec, |exec| {
        let map = map_of(total, source(col("row"), whole(rows)?, whole(count)?), exec)?;
        gather(columns, &map, MapNulls::Never, exec)
    })
}

/// The first value of each column, then the second of each, and so on: `a b` and `x y` become `a x b y`.
///
/// Values are brought to their common dtype.
///
/// # Shapes and units
/// columns: k columns of n rows → k · n rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without columns; [`Error::DTypeMismatch`] for dtypes without a common one;
/// [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Source
/// cudf/reshape.hpp `interleave_columns`.
pub fn interleave(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let Some((first, rest)) = columns.split_first() else {
        let reason = "there are none: at least one is needed".to_owned();
        return Err(Error::InvalidArgument { name: "columns", reason });
    };
    let rows = first.size();
    if let Some(other) = rest.iter().find(|column| column.size() != rows) {
        return Err(Error::LengthMismatch { expected: rows, found: other.size() });
    }
    let total = product(rows, columns.len())?;
    with_retry_no_split(exec, |exec| {
        let values = concat(columns, exec)?;
        if rest.is_empty() || total == 0 {
            return Ok(values);
        }
        let (count, rows) = (whole(columns.len())?, whole(rows)?);
        let source = col("row") % count * rows + col("row").floor_div(count);
        gather_column(&values, &map_of(total, source, exec)?, MapNulls::Never, exec)
    })
}

/// [`interleave`] of the columns of a frame, whose errors name the column that has no common dtype with those before it.
///
/// # Shapes and units
/// columns: k columns of n rows → k · n rows.
///
/// # Errors
/// Those of [`interleave`], of dtypes with the label.
///
/// # Source
/// cuDF `DataFrame.interleave_columns`.
pub fn interleave_columns(columns: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    check_common(columns.iter())?;
    interleave(&columns.columns().iter().collect::<Vec<_>>(), exec)
}

/// A column for each row: the values of that row. All of them share one allocation.
///
/// # Shapes and units
/// columns: k columns of n rows → n columns of k rows.
///
/// # Errors
/// [`Error::InvalidArgument`] without columns; [`Error::DTypeMismatch`] for dtypes without a common one, with the column;
/// [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Source
/// cudf/transpose.hpp `transpose`, pandas `DataFrame.transpose`.
pub fn transpose(columns: &ColumnAccessor, exec: &Exec) -> Result<Vec<Column>> {
    if columns.is_empty() {
        return (0..columns.rows()).map(|_| Column::full_null(&DType::Null, 0, exec)).collect();
    }
    let values = interleave_columns(columns, exec)?;
    let count = columns.len();
    (0..columns.rows()).map(|row| values.slice(row * count, count)).collect()
}

/// A row map: the row numbers `source`, in which `row` is the number of the result's row.
pub(super) fn map_of(rows: usize, source: Expr, exec: &Exec) -> Result<RowMap> {
    row_map(&compute(&[("row", &numbers(rows, exec)?)], source, exec)?, exec)
}

/// A number of rows that row numbers of 64 bits can count.
pub(super) fn product(rows: usize, count: usize) -> Result<usize> {
    let total = rows.checked_mul(count).filter(|&total| i64::try_from(total).is_ok());
    total.ok_or(Error::Overflow { dtype: DType::Int64 })
}

pub(super) fn whole(count: usize) -> Result<i64> {
    i64::try_from(count).map_err(|_| Error::Overflow { dtype: DType::Int64 })
}
