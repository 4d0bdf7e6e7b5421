//! Drops rows with nulls.

use crate::filter::apply_mask;
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{AsLabel, BooleanColumn, Column, ColumnAccessor, DType, Result};
use columnade_kernels::Bits;
use columnade_kernels::bits::combine;

/// Keeps the rows of all columns in which no column of `labels` is null, in order; NaN is a value. If none of
/// these columns has a mask, the columns are shared.
///
/// # Shapes and units
/// columns: n rows → at most n rows.
///
/// # Errors
/// [`Error::ColumnNotFound`](columnade_columns::Error::ColumnNotFound);
/// [`Error::DuplicateLabel`](columnade_columns::Error::DuplicateLabel) for a label given twice;
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Device
/// Reads one bit per row of each mask, then runs [`apply_mask`].
///
/// # Source
/// `cudf/stream_compaction.hpp`: `drop_nulls`, pandas `dropna`, Polars `drop_nulls`.
pub fn drop_nulls<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let looked_at = columns.select(labels)?;
    let rows = columns.rows();
    if looked_at.columns().iter().any(|column| column.dtype() == DType::Null) {
        return columns.slice(0, 0);
    }
    let mut valid: Option<(Buffer, usize)> = None;
    for column in looked_at.columns() {
        let Some(mask) = column.mask() else { continue };
        valid = Some(match valid {
            None => (mask.clone(), column.offset()),
            Some((so_far, offset)) => {
                let so_far = Bits { buffer: &so_far, offset, len: rows };
                (combine::and(so_far, Bits { buffer: mask, offset: column.offset(), len: rows }, exec)?, 0)
            }
        });
    }
    let Some((valid, offset)) = valid else { return Ok(columns.clone()) };
    apply_mask(columns, &Column::Boolean(BooleanColumn::new(valid, None, offset, rows)?), exec)
}
