//! Rows at positions that a column has.

use super::{Step, map_of_positions};
use crate::cast::{CastMode, cast};
use crate::expression::{col, evaluate_rows, when};
use crate::filter::apply_mask;
use crate::groupby::{GroupOptions, aggregate};
use crate::out_of_core::by_position;
use crate::sort::{NullOrder, Order, SortKey, is_sorted, is_strictly_sorted};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, Scalar};

/// The rows at these positions of `rows` rows, in their order; a negative one counts from the end.
///
/// # Errors
/// [`Error::UnsupportedDType`] for what is no integer; [`Error::InvalidArgument`] for a null; [`Error::PositionOutOfBounds`] for
/// the first position that does not exist; [`Error::Memory`].
///
/// # Device
/// The positions stay on their device: the least and the greatest are read by the host, and whether they ascend.
///
/// # Source
/// pandas `DataFrame.take`, cudf/copying.hpp `gather` with `out_of_bounds_policy` and wrapped negative indices.
pub fn rows_at(positions: &Column, rows: usize, exec: &Exec) -> Result<Step> {
    if !positions.dtype().is_integer() {
        return Err(Error::UnsupportedDType { dtype: positions.dtype() });
    }
    if positions.null_count(exec)? > 0 {
        let reason = "there are nulls among them".to_owned();
        return Err(Error::InvalidArgument { name: "positions", reason });
    }
    let len = i64::try_from(rows).unwrap_or(i64::MAX);
    // What is beyond 63 bits is beyond the rows.
    let wide = if positions.dtype() == DType::UInt64 {
        let most = || col("0").gt(i64::MAX);
        let cut = when(most()).then(i64::MAX).otherwise(col("0"));
        let frame = by_position([positions], positions.size())?;
        evaluate_rows(&[cut.cast(DType::Int64)], &frame, exec)?.swap_remove(0).1
    } else {
        cast(positions, &DType::Int64, CastMode::Wrap, exec)?
    };
    let mut frame = by_position([&wide], wide.size())?;
    let ends = aggregate(
        &frame,
        None,
        &[],
        &[col("0").min().alias("least"), col("0").max().alias("most")],
        GroupOptions::default(),
        exec,
    )?;
    let end = |label: &str| ends.get(label)?.get(0);
    let (Scalar::Int64(least), Scalar::Int64(most)) = (end("least")?, end("most")?) else {
        return Ok(Step::Slice { offset: 0, len: 0 });
    };
    if least < -len || most >= len {
        let outside =
            evaluate_rows(&[col("0").lt(-len).or(col("0").ge(len))], &frame, exec)?.swap_remove(0).1;
        let first = apply_mask(&frame, &outside, exec)?.columns()[0].get(0)?;
        let position = if let Scalar::Int64(first) = first { first } else { least };
        let position = isize::try_from(position).unwrap_or(isize::MAX);
        return Err(Error::PositionOutOfBounds { position, len: rows });
    }
    if least < 0 {
        let wrapped = when(col("0").lt(0)).then(col("0") + len).otherwise(col("0"));
        let wrapped = evaluate_rows(&[wrapped], &frame, exec)?.swap_remove(0).1;
        frame = by_position([&wrapped], wrapped.size())?;
    }
    let column = &frame.columns()[0];
    let keys = [SortKey { column, order: Order::Ascending, nulls: NullOrder::Last }];
    let ordered = is_sorted(&keys, exec)?;
    let distinct = ordered && is_strictly_sorted(&keys, exec)?;
    Ok(Step::Rows { map: map_of_positions(column, exec)?, distinct, ordered })
}
