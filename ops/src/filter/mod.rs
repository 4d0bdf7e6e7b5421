//! Filtering of rows.

#[cfg(test)]
mod tests;

use crate::copying::{MapNulls, gather_column};
use crate::expression::{Expr, columns_of, evaluate_mask, evaluate_mask_rows};
use crate::out_of_core::{Driver, MemoryEstimate, by_position, evict, run_chunks, with_labels_of};
use crate::selection::{Picked, Step};
use crate::window::is_windowed;
use columnade_buffers::Exec;
use columnade_columns::{AsLabel, Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::copying::filter;
use columnade_kernels::{Bits, View};

/// Keeps the rows of all columns for which `mask` is true, in order; rows with a null mask are dropped. Rows
/// that exceed the budget are filtered in chunks.
///
/// # Shapes and units
/// columns: n rows; mask: n rows of `bool` → as many rows as are true.
///
/// # Errors
/// [`Error::UnsupportedDType`] for a mask of another dtype; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// One synchronisation for the number of rows, and one for each string column. Nested columns take one more
/// together, and the cost of gathering them.
///
/// # Source
/// `cudf/stream_compaction.hpp`: `apply_boolean_mask`, pandas `DataFrame[mask]`.
pub fn apply_mask(columns: &ColumnAccessor, mask: &Column, exec: &Exec) -> Result<ColumnAccessor> {
    if mask.dtype() != DType::Bool {
        return Err(Error::NotBoolean { dtype: mask.dtype() });
    }
    let rows = columns.rows();
    if mask.size() != rows {
        return Err(Error::LengthMismatch { expected: rows, found: mask.size() });
    }
    // The mask follows the columns.
    let masked = by_position(columns.columns().iter().chain([mask]), rows)?;
    let estimate = |rows: &ColumnAccessor| rows.row_bytes().map(|bytes| MemoryEstimate::new(bytes, bytes));
    Driver::new(exec).row_by_row(&masked, estimate, |rows, exec| {
        let (mask, values) = (&rows.columns()[columns.len()], rows.columns());
        keep_rows(&with_labels_of(columns, values, rows.rows())?, mask, exec)
    })
}

/// Keeps the rows for which `predicate` is true, in order; rows for which it is null are dropped. Rows that
/// exceed the budget are filtered in chunks.
///
/// # Errors
/// Those of [`evaluate_mask`]: [`Error::ColumnNotFound`], [`Error::NotBoolean`], dtypes without the operation, overflow;
/// [`Error::Memory`].
///
/// # Source
/// pandas `DataFrame.query`.
pub fn filter(columns: &ColumnAccessor, predicate: &Expr, exec: &Exec) -> Result<ColumnAccessor> {
    filter_columns(columns, columns.labels(), predicate, exec)
}

/// [`filter()`] of the columns `labels`, in this order: those that only the predicate reads are not copied.
///
/// # Errors
/// Those of [`evaluate_mask`] for the predicate; [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`]; [`Error::Memory`].
///
/// # Source
/// pandas `DataFrame.loc[mask, columns]`, SQL `SELECT … WHERE`.
pub fn filter_columns<L: AsLabel>(
    columns: &ColumnAccessor,
    labels: &[L],
    predicate: &Expr,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    Ok(filter_rows(columns, labels, predicate, exec)?.columns)
}

/// [`filter_columns`], and the mask of the rows that are kept, which costs nothing more.
///
/// # Errors
/// Those of [`evaluate_mask`] for the predicate; [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`]; [`Error::Memory`].
///
/// # Source
/// pandas `DataFrame.loc[mask, columns]`, whose rows keep their labels.
pub fn filter_rows<L: AsLabel>(
    columns: &ColumnAccessor,
    labels: &[L],
    predicate: &Expr,
    exec: &Exec,
) -> Result<Picked> {
    let kept = columns.select(labels)?;
    if is_windowed(predicate) {
        let keep = evaluate_mask(predicate, columns, exec)?;
        let columns = apply_mask(&kept, &keep, exec)?;
        return Ok(Picked { steps: vec![Step::Mask { keep, kept: columns.rows() }], columns });
    }
    // The columns of the result, then those that only the predicate reads.
    let mut rows = kept.clone();
    for label in columns_of([predicate]) {
        if !rows.contains(&label) {
            rows.insert(label.clone(), columns.get(&label)?.clone())?;
        }
    }
    let driver = Driver::new(exec);
    let plan = driver.plan(rows.rows(), || {
        // The predicate's values, and the columns that it reads.
        let read = rows.select(columns_of([predicate]))?.row_bytes()? + rows.rows();
        Ok(MemoryEstimate::new(rows.row_bytes()?, rows.select(kept.labels())?.row_bytes()? + read))
    })?;
    let all = rows.rows();
    let parts = run_chunks(&rows, None, plan, exec, |rows, _, exec| {
        let mask = evaluate_mask_rows(predicate, rows, exec)?;
        let columns = with_labels_of(&kept, &rows.columns()[..kept.len()], rows.rows())?;
        let columns = keep_rows(&columns, &mask, exec)?;
        if rows.rows() < all {
            evict(&columns)?;
        }
        Ok((columns, mask))
    })?;
    let (mut parts, mut masks): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (columns, keep) = if parts.len() == 1 {
        (parts.swap_remove(0), masks.swap_remove(0))
    } else {
        let keep = Column::concat(&masks.iter().collect::<Vec<_>>(), exec)?;
        (ColumnAccessor::assemble(parts, exec)?, keep)
    };
    Ok(Picked { steps: vec![Step::Mask { keep, kept: columns.rows() }], columns })
}

fn keep_rows(columns: &ColumnAccessor, mask: &Column, exec: &Exec) -> Result<ColumnAccessor> {
    let View::Fixed(bits) = mask.view()? else {
        return Err(Error::UnsupportedDType { dtype: mask.dtype() });
    };
    let keep: Bits<'_> = bits.data_bits();
    let valid = bits.validity_bits();
    if columns.is_empty() {
        let rows = filter::row_map(keep, valid, exec)?.len;
        return Ok(ColumnAccessor::with_levels(rows, columns.levels().clone()));
    }
    let is_flat = |column: &Column| column.view().is_ok();
    let flat = columns.columns().iter().filter(|column| is_flat(column)).map(Column::view);
    let views: Vec<View<'_>> = flat.collect::<Result<_>>()?;
    let kept = filter::filter(&views, keep, valid, exec)?;
    // Columns that the filter kernel does not support are gathered by row number.
    let map = if views.len() < columns.len() { Some(filter::row_map(keep, valid, exec)?) } else { None };
    let rows = match (kept.first(), &map) {
        (Some(data), _) => data.view().len(),
        (None, map) => map.as_ref().map_or(0, |map| map.len),
    };
    let mut kept = kept.into_iter();
    columns.map(rows, |column| match &map {
        Some(map) if !is_flat(column) => gather_column(column, map, MapNulls::Never, exec),
        _ => match kept.next() {
            Some(data) => column.with_data(data, exec),
            None => Err(Error::LengthMismatch { expected: columns.len(), found: 0 }),
        },
    })
}
