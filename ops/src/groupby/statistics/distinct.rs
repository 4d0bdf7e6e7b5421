//! Distinct values of groups.

use super::super::grouped_rows::{GroupedRows, compute, gather_ids};
use super::collect::lists;
use crate::copying::gather_column;
use crate::expression::{Literal, col, lit, when};
use crate::sort::{NullOrder, Order, SortKey};
use columnade_columns::{Column, Result};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::grouping::group_ids::NullKeys;

/// The distinct values of every group: one row for each value of each group, in order of first appearance, nulls
/// dropped.
struct Distinct<'a> {
    /// The groups of the distinct values.
    groups: GroupedRows<'a>,
    /// How many rows have each value.
    counts: Column,
    /// The values.
    values: Column,
}

fn distinct<'a>(values: &Column, groups: &GroupedRows<'a>) -> Result<Distinct<'a>> {
    let exec = groups.exec;
    let ids = groups.id_column()?;
    let pairs = GroupedRows::new(&[&ids, values], groups.rows(), NullKeys::Drop, exec)?;
    let of_pairs = gather_ids(groups.ids(), pairs.first_rows(), exec)?;
    Ok(Distinct {
        counts: pairs.sizes()?,
        values: gather_column(values, pairs.first_rows(), MapNulls::Never, exec)?,
        groups: GroupedRows::of_ids(of_pairs, groups.first_rows().clone(), exec),
    })
}

pub(super) fn nunique(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    distinct(values, groups)?.groups.sizes()
}

/// The value with most rows, the smallest of several.
pub(super) fn mode(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let Distinct { groups: pairs, counts, values } = distinct(values, groups)?;
    let by_count = SortKey { column: &counts, order: Order::Descending, nulls: NullOrder::Last };
    let by_value = SortKey { column: &values, order: Order::Ascending, nulls: NullOrder::Last };
    let sorted = pairs.sorted_by(&[by_count, by_value])?;
    let first = when(col("size").gt(0)).then(col("start")).otherwise(lit(Literal::Null));
    let first = compute(&[("start", &sorted.starts), ("size", &sorted.sizes)], first, pairs.exec)?;
    sorted.pick(&values, &first, pairs.exec)
}

pub(super) fn collect_unique(values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let Distinct { groups: pairs, values, .. } = distinct(values, groups)?;
    let sorted = pairs.sorted()?;
    lists(&values, &sorted.map, &sorted.starts, &sorted.sizes, pairs.exec)
}
