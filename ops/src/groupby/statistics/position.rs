//! Values of groups by the position of their rows.

use super::super::grouped_rows::{GroupedRows, compute, take, validity};
use crate::copying::gather_column;
use crate::expression::{Aggregation, Literal, col, lit, when};
use crate::sort::{NullOrder, Order, SortKey};
use crate::window::products;
use crate::window::rolling::Bounds;
use columnade_columns::{Column, DType, Result};
use columnade_kernels::copying::gather::MapNulls;

/// The value of the first row, or of the last one, that is not null.
pub(super) fn first(values: &Column, end: Aggregation, groups: &GroupedRows<'_>) -> Result<Column> {
    let positions = valid_positions(values, groups)?;
    let rows = groups.aggregate(end, &positions, DType::Int64)?;
    take(values, &rows, groups.exec)
}

/// The positions of the rows, null where `values` are.
fn valid_positions(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let positions = groups.positions()?;
    let Some(valid) = validity(values, groups.exec)? else { return Ok(positions) };
    let row = when(col("valid")).then(col("row")).otherwise(lit(Literal::Null));
    compute(&[("valid", &valid), ("row", &positions)], row, groups.exec)
}

/// The row at position `n` of its group, from the end if negative.
pub(super) fn nth(values: &Column, n: i64, groups: &GroupedRows<'_>) -> Result<Column> {
    let sorted = groups.sorted()?;
    let position = if n >= 0 { lit(n).cast(DType::Int64) } else { col("size") + n };
    let is_there =
        if n >= 0 { col("size").gt(n) } else { col("size").ge(n.checked_neg().unwrap_or(i64::MAX)) };
    let position = when(is_there).then(col("start") + position).otherwise(lit(Literal::Null));
    let columns = [("start", &sorted.starts), ("size", &sorted.sizes)];
    sorted.pick(values, &compute(&columns, position, groups.exec)?, groups.exec)
}

/// The product of the values.
pub(super) fn product(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let sorted = groups.sorted()?;
    let values = gather_column(values, &sorted.map, MapNulls::Never, groups.exec)?;
    let columns = [("start", &sorted.starts), ("size", &sorted.sizes)];
    let ends = compute(&columns, col("start") + col("size"), groups.exec)?;
    let bounds = Bounds::Columns(Box::new([sorted.starts.clone(), ends]));
    Ok(products::product(&values, &bounds, 0, groups.exec)?.without_mask())
}

/// The smallest or largest value, by `order`.
pub(in crate::groupby) fn extreme(values: &Column, order: Order, groups: &GroupedRows<'_>) -> Result<Column> {
    take(values, &arg(values, order, None, groups)?, groups.exec)
}

/// The position of the first row with the smallest or largest value, by `order`.
pub(in crate::groupby) fn arg(
    values: &Column,
    order: Order,
    row_numbers: Option<&Column>,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    let by_value = SortKey { column: values, order, nulls: NullOrder::Last };
    let sorted = if values.dtype().is_float() && order == Order::Descending {
        // NaN is the largest value of a sort, but no extreme unless all values are NaN.
        let is_nan = compute(&[("x", values)], col("x").ne(col("x")), groups.exec)?;
        let numbers_first = SortKey { column: &is_nan, order: Order::Ascending, nulls: NullOrder::Last };
        groups.sorted_by(&[numbers_first, by_value])?
    } else {
        groups.sorted_by(&[by_value])?
    };
    let counts = groups.counts(values)?;
    let first = when(col("count").gt(0)).then(col("start")).otherwise(lit(Literal::Null));
    let first = compute(&[("start", &sorted.starts), ("count", &counts)], first, groups.exec)?;
    match row_numbers {
        Some(numbers) => sorted.pick(numbers, &first, groups.exec),
        None => take(&sorted.rows(groups.exec)?, &first, groups.exec),
    }
}
