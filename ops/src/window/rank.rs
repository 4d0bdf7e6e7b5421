//! Ranks.

use super::Ordered;
use super::cumulative::running;
use crate::expression::{Aggregation, Literal, Rank, RankMethod, col, lit, when};
use crate::groupby::NullKeys;
use crate::groupby::grouped_rows::{GroupedRows, compute, take, validity};
use crate::sort::{NullOrder, Order, SortKey};
use columnade_columns::{Column, DType, Result};

/// The rank of each value in its group.
pub(super) fn rank(by: Rank, values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let order = if by.descending { Order::Descending } else { Order::Ascending };
    let exec = groups.exec;
    if values.dtype() == DType::Null {
        let is_float = by.pct || by.method == RankMethod::Average;
        let dtype = if is_float { DType::Float64 } else { DType::Int64 };
        return Column::full_null(&dtype, values.size(), exec);
    }
    let key = SortKey { column: values, order, nulls: NullOrder::Last };
    let rows = Ordered::of(groups, groups.sorted_by(&[key])?)?;
    // Equal values of a group have one number, and follow each other.
    let ids = groups.id_column()?;
    let ties = GroupedRows::new(&[&ids, values], groups.rows(), NullKeys::Group, exec)?;
    let tie = rows.values(&ties.id_column()?)?;
    let size = rows.values(&ties.broadcast(&ties.sizes()?)?)?;
    let before =
        rows.compute(&[], when(col("row").gt(0)).then(col("row") - 1).otherwise(lit(Literal::Null)))?;
    let before = take(&tie, &before, exec)?;
    let is_new = when(col("before").is_null()).then(lit(true)).otherwise(col("tie").ne(col("before")));
    let is_new = compute(&[("tie", &tie), ("before", &before)], is_new, exec)?.without_mask();
    let first = when(col("new")).then(col("row")).otherwise(lit(0_i64));
    let first = running(Aggregation::Max, &rows.compute(&[("new", &is_new)], first)?, &rows)?;
    let columns = [("first", &first), ("size", &size)];
    let least = || col("first") - col("start") + 1;
    let ranks = match by.method {
        RankMethod::Min => rows.compute(&columns, least())?,
        RankMethod::Max => rows.compute(&columns, least() + col("size") - 1)?,
        RankMethod::First => rows.compute(&columns, col("row") - col("start") + 1)?,
        RankMethod::Average => {
            let rank = least().cast(DType::Float64) + (col("size") - 1).cast(DType::Float64) / 2.0;
            rows.compute(&columns, rank)?
        }
        RankMethod::Dense => {
            let steps = running(Aggregation::Sum, &is_new, &rows)?;
            let at_start = take(&steps, &rows.start, exec)?;
            rows.compute(&[("steps", &steps), ("at", &at_start)], col("steps") - col("at") + 1)?
        }
    };
    let ranks = rows.in_row_order(&ranks)?;
    let valid = validity(values, exec)?;
    let columns = match &valid {
        Some(valid) => vec![("rank", &ranks), ("valid", valid)],
        None => vec![("rank", &ranks)],
    };
    let or_null = match &valid {
        Some(_) => when(col("valid")).then(col("rank")).otherwise(lit(Literal::Null)),
        None => col("rank"),
    };
    let ranks = compute(&columns, or_null, exec)?;
    if !by.pct {
        return Ok(ranks);
    }
    // A dense rank is a share of the distinct values, as in pandas.
    let most = match by.method {
        RankMethod::Dense => groups.aggregate(Aggregation::Max, &ranks, DType::Int64)?,
        RankMethod::Average | RankMethod::Min | RankMethod::Max | RankMethod::First => {
            groups.counts(values)?
        }
    };
    let most = groups.broadcast(&most)?;
    let share = col("rank").cast(DType::Float64) / col("most").cast(DType::Float64);
    compute(&[("rank", &ranks), ("most", &most)], share, exec)
}
