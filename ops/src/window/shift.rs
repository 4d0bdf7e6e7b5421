//! Values of rows before or after.

use super::Ordered;
use crate::expression::{Literal, col, lit, when};
use crate::groupby::grouped_rows::take;
use columnade_columns::{Column, Result};

/// The value `n` rows before in the same group.
pub(super) fn shift(n: i64, values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    // Further than any row; the difference does not wrap.
    let n = n.clamp(-(1 << 62), 1 << 62);
    let source = col("row") - n;
    let is_there = source.clone().ge(col("start")).and(source.clone().lt(col("end")));
    let source = rows.compute(&[], when(is_there).then(source).otherwise(lit(Literal::Null)))?;
    let source = take(&rows.sorted.rows, &source, rows.exec)?;
    take(values, &rows.in_row_order(&source)?, rows.exec)
}
