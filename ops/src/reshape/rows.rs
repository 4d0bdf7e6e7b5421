//! Rows repeated, and columns as rows.

use crate::copying::{MapNulls, check_common, concat, gather, gather_column};
use crate::expression::{Expr, col};
use crate::groupby::grouped_rows::{compute, numbers, row_map};
use crate::out_of_core::{Driver, MemoryEstimate, by_position};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::RowMap;

/// Result rows that one row map makes: of more, copies of these are concatenated.
const GATHERED_ROWS: usize = if cfg!(test) { 1 << 8 } else { 1 << 16 };

/// All rows `count` times, one copy after the other: `a b` becomes `a b a b`.
///
/// # Shapes and units
/// columns: n rows → `count` · n rows. A result that exceeds the budget is assembled in a lower tier.
///
/// # Errors
/// [`Error::Overflow`] for more than `i64::MAX` rows; [`Error::Memory`].
///
/// # Device
/// A gather of up to 2^16 rows, whose copies are concatenated.
///
/// # Source
/// cudf/reshape.hpp `tile`, `numpy.tile`.
pub fn tile(columns: &ColumnAccessor, count: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let rows = columns.rows();
    let total = product(rows, count)?;
    match count {
        1 => return Ok(columns.clone()),
        _ if total == 0 => return columns.slice(0, 0),
        _ => {}
    }
    // Of many rows, copies are concatenated at once: that keeps to the budget.
    let unit = if rows >= GATHERED_ROWS / 16 { 1 } else { (GATHERED_ROWS / rows).clamp(1, count) };
    let copies = match unit {
        1 => columns.clone(),
        _ => with_retry_no_split(exec, |exec| {
            let map = map_of(unit * rows, col("row") % whole(rows)?, exec)?;
            gather(columns, &map, MapNulls::Never, exec)
        })?,
    };
    if unit == count {
        return Ok(copies);
    }
    let rest = copies.slice(0, count % unit * rows)?;
    let mut rests = rest.columns().iter();
    copies.map(total, |column| {
        let mut parts = vec![column; count / unit];
        parts.extend(rests.next().filter(|rest| rest.size() > 0));
        concat(&parts, exec)
    })
}

/// Each row `count` times: `a b` becomes `a a b b`.
///
/// # Shapes and units
/// columns: n rows → `count` · n rows. A result that exceeds the budget is made in chunks.
///
/// # Errors
/// [`Error::Overflow`] for more than `i64::MAX` rows; [`Error::Memory`].
///
/// # Device
/// A gather; of rows that come more than 2^16 times, a concatenation of copies.
///
/// # Source
/// cudf/filling.hpp `repeat`, pandas `Index.repeat`.
pub fn repeat(columns: &ColumnAccessor, count: usize, exec: &Exec) -> Result<ColumnAccessor> {
    let rows = columns.rows();
    let total = product(rows, count)?;
    match count {
        1 => return Ok(columns.clone()),
        _ if total == 0 => return columns.slice(0, 0),
        _ => {}
    }
    if count > GATHERED_ROWS {
        let of_rows = (0..rows).map(|row| tile(&columns.slice(row, 1)?, count, exec));
        let of_rows = of_rows.collect::<Result<Vec<_>>>()?;
        let mut at = 0..columns.len();
        return columns.map(total, |column| {
            let at = at.next().unwrap_or_default();
            let parts: Vec<&Column> = of_rows.iter().map(|row| &row.columns()[at]).collect();
            if parts.is_empty() { Ok(column.clone()) } else { concat(&parts, exec) }
        });
    }
    let estimate = |rows: &ColumnAccessor| {
        let result = rows.row_bytes()?.saturating_mul(count);
        let maps = (2 * size_of::<i64>()).saturating_mul(rows.rows().saturating_mul(count));
        Ok(MemoryEstimate::new(rows.row_bytes()?.saturating_add(maps), result))
    };
    Driver::new(exec).row_by_row(columns, estimate, |rows, exec| {
        let map = map_of(rows.rows() * count, col("row").floor_div(whole(count)?), exec)?;
        gather(rows, &map, MapNulls::Never, exec)
    })
}

/// The first value of each column, then the second of each, and so on: `a b` and `x y` become `a x b y`.
///
/// Values are brought to their common dtype.
///
/// # Shapes and units
/// columns: k columns of n rows → k · n rows, in chunks of rows where they exceed the budget.
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
    product(rows, columns.len())?;
    if rest.is_empty() || rows == 0 {
        return concat(columns, exec);
    }
    let estimate = |rows: &ColumnAccessor| {
        let (bytes, values) = (rows.row_bytes()?, rows.rows().saturating_mul(rows.len()));
        let maps = (2 * size_of::<i64>()).saturating_mul(values);
        Ok(MemoryEstimate::new(bytes.saturating_mul(2).saturating_add(maps), bytes))
    };
    let interleaved = |rows: &ColumnAccessor, exec: &Exec| {
        let values = concat(&rows.columns().iter().collect::<Vec<_>>(), exec)?;
        let (count, rows) = (whole(rows.len())?, whole(rows.rows())?);
        let source = col("row") % count * rows + col("row").floor_div(count);
        let values = gather_column(&values, &map_of(values.size(), source, exec)?, MapNulls::Never, exec)?;
        by_position([&values], values.size())
    };
    let made =
        Driver::new(exec).row_by_row(&by_position(columns.iter().copied(), rows)?, estimate, interleaved)?;
    Ok(made.columns()[0].clone())
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
