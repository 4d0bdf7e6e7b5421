//! Items of lists in another order, and distinct ones.

use super::runs::{Items, Lists, item_numbers};
use crate::copying::gather_column;
use crate::expression::col;
use crate::groupby::NullKeys;
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, take};
use crate::sort::{NullOrder, Order, SortKey};
use columnade_buffers::Exec;
use columnade_columns::{Column, Error, Result};
use columnade_kernels::copying::gather::MapNulls;

pub(super) fn sort(column: &Column, descending: bool, nulls_first: bool, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let items = lists.items(exec)?;
    let key = SortKey {
        column: &items.values,
        order: if descending { Order::Descending } else { Order::Ascending },
        nulls: if nulls_first { NullOrder::First } else { NullOrder::Last },
    };
    let sorted = items.groups(exec)?.rows.sorted_by(&[key]);
    let rows = sorted.map_err(Error::without_context)?.map;
    let values = gather_column(&items.values, &rows, MapNulls::Never, exec)?;
    lists.with_mask(&items.with_values(values).into_lists(exec)?, exec)
}

pub(super) fn unique(column: &Column, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let items = lists.items(exec)?;
    let groups = items.groups(exec)?.rows;
    let ids = groups.id_column()?;
    let distinct = GroupedRows::new(&[&ids, &items.values], items.values.size(), NullKeys::Group, exec);
    let distinct = distinct.map_err(Error::without_context)?;
    // Groups come in the order of their first rows, so those of one list follow each other.
    let kept = column_of(distinct.first_rows(), exec)?;
    let lengths = groups.some_rows(&take(&ids, &kept, exec)?)?.sizes()?;
    let values = take(&items.values, &kept, exec)?;
    lists.with_mask(&Items::of_lengths(values, lengths, exec)?.into_lists(exec)?, exec)
}

pub(super) fn reverse(column: &Column, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let items = lists.items(exec)?;
    let rows = items.row_numbers(exec)?;
    let ends = [("start", &items.starts), ("length", &items.lengths)];
    let ends = compute(&ends, col("start") * 2 + col("length") - 1, exec)?;
    let ends = take(&ends, &rows, exec)?;
    let places = item_numbers(&items, exec)?;
    let mirrored = compute(&[("end", &ends), ("place", &places)], col("end") - col("place"), exec)?;
    let values = take(&items.values, &mirrored, exec)?;
    lists.with_mask(&items.with_values(values).into_lists(exec)?, exec)
}
