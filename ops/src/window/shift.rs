//! Values of rows before or after.

use super::Ordered;
use crate::copying::concat;
use crate::expression::{Literal, col, lit, when};
use crate::groupby::grouped_rows::take;
use columnade_buffers::Exec;
use columnade_columns::{Column, Result};

/// The value `n` rows before in the same group.
pub(super) fn shift(n: i64, values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    // Further than any row; the difference does not wrap.
    let n = n.clamp(-(1 << 62), 1 << 62);
    let source = col("row") - n;
    let is_there = source.clone().ge(col("start")).and(source.clone().lt(col("end")));
    let source = rows.compute(&[], when(is_there).then(source).otherwise(lit(Literal::Null)))?;
    let source = take(rows.order()?, &source, rows.exec)?;
    take(values, &rows.in_row_order(&source)?, rows.exec)
}

/// The value `n` rows before among all rows: nulls, and the other rows copied. `None` for columns with children.
pub(super) fn of_whole(n: i64, values: &Column, exec: &Exec) -> Result<Option<Column>> {
    if values.view().is_err() || matches!(values, Column::Categorical(_)) {
        return Ok(None);
    }
    let rows = values.size();
    let moved = usize::try_from(n.unsigned_abs()).unwrap_or(rows).min(rows);
    let nulls = Column::full_null(&values.dtype(), moved, exec)?;
    let (first, last) = if n >= 0 {
        (nulls, values.slice(0, rows - moved)?)
    } else {
        (values.slice(moved, rows - moved)?, nulls)
    };
    concat(&[&first, &last], exec).map(Some)
}
