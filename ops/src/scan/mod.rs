//! Running sums, extremes and counts.

#[cfg(test)]
mod tests;

pub use columnade_kernels::scanning::scan::{ScanOp, ScanRange};

use crate::cast::{CastMode, cast};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, promote};
use columnade_kernels::scanning::scan;
use columnade_kernels::{ColumnData, View};

/// Row `i` of the result is `op` over the rows of `column` up to row `i` that are not null; null where the row is.
///
/// # Shapes and units
/// column: n rows → n rows: of [`promote::sum`] for sums, of the column's dtype for extremes, `int64` for counts.
///
/// # Errors
/// [`Error::UnsupportedDType`] for sums of text and points in time; [`Error::NotImplemented`] for text, and for
/// extremes of categorical columns; [`Error::Memory`].
///
/// # Device
/// Three launches, no synchronisation; sums of decimals of 64 bits widen them first.
///
/// # Source
/// cudf/reduction.hpp `scan`, pandas `cumsum`, `cummin`, `cummax`.
pub fn scan(op: ScanOp, range: ScanRange, column: &Column, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    let dtype = match op {
        ScanOp::Sum => promote::sum(&from)?,
        ScanOp::Min | ScanOp::Max => from.clone(),
        ScanOp::Count => DType::Int64,
    };
    let by_code = op == ScanOp::Count && from != DType::Utf8;
    if !by_code && matches!(from, DType::Utf8 | DType::Dictionary(_)) {
        return Err(Error::NotImplemented { feature: format!("scan of {from}") });
    }
    // A running sum of decimals needs the digits that it ends with from the start.
    let widened = if op == ScanOp::Sum && from.is_decimal() {
        cast(column, &dtype, CastMode::Checked, exec)?
    } else {
        column.clone()
    };
    let View::Fixed(fixed) = widened.view()? else {
        return Err(Error::UnsupportedDType { dtype: from });
    };
    Column::from_data(dtype, ColumnData::Fixed(scan::scan(op, range, &fixed, exec)?))
}
