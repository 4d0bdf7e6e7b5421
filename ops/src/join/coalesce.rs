//! The key columns of both sides as one.

use super::common_key;
use crate::cast::{CastMode, cast};
use crate::copying::copy_if_else;
use crate::groupby::grouped_rows::validity;
use crate::out_of_core::{Driver, MemoryEstimate, by_position};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};

/// Row `i` of `left`, or where that is null row `i` of `right`: the keys of a full join, whose rows have a left key, a
/// right key, or two equal ones.
///
/// Columns that exceed the budget are processed in chunks.
///
/// The dtype is the [`common_key`]; layouts (the widths of decimals, dictionaries) are those of the left.
///
/// # Errors
/// [`Error::DTypeMismatch`] for keys without a common dtype; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Source
/// pandas `merge(how="outer")`, Polars `join(coalesce=True)`.
pub fn coalesce_keys(left: &Column, right: &Column, exec: &Exec) -> Result<Column> {
    let (left_dtype, right_dtype) = (left.dtype(), right.dtype());
    let Some(common) = common_key(&left_dtype, &right_dtype) else {
        return Err(Error::DTypeMismatch { left: left_dtype, right: right_dtype });
    };
    let dtype = if left_dtype.same_values(&common) { left_dtype } else { common };
    let sides = by_position([left, right], left.size())?;
    let estimate = |rows: &ColumnAccessor| {
        let bytes = rows.row_bytes()?;
        // The sides as one dtype, and the result.
        Ok(MemoryEstimate::new(bytes, bytes.saturating_mul(2)))
    };
    let keys = Driver::new(exec).row_by_row(&sides, estimate, |rows, exec| {
        by_position([&coalesced(&rows.columns()[0], &rows.columns()[1], &dtype, exec)?], rows.rows())
    })?;
    Ok(keys.columns()[0].clone())
}

fn coalesced(left: &Column, right: &Column, dtype: &DType, exec: &Exec) -> Result<Column> {
    let is_coded = |column: &Column| matches!(column, Column::Categorical(_));
    // Two dictionaries are unified.
    let (left, right) = if is_coded(left) && is_coded(right) {
        (left.clone(), right.clone())
    } else {
        (cast(left, dtype, CastMode::Checked, exec)?, cast(right, dtype, CastMode::Checked, exec)?)
    };
    match validity(&left, exec)? {
        None => Ok(left),
        Some(is_left) => copy_if_else(&is_left, &left, &right, exec),
    }
}
