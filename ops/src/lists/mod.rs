//! Functions of lists.
//!
//! The items of all rows are one column, and a list is a range of it. Functions of each list are functions of the items by
//! group, where the group of an item is its row.

mod explode;
mod join;
mod order;
mod positions;
mod runs;
#[cfg(test)]
mod test_positions;
#[cfg(test)]
mod tests;

pub use explode::{explode, explode_rows};
pub use positions::leaves;

use self::runs::Items;
pub(crate) use self::runs::{Lists, item_rows, total};
use crate::comparing::equal_rows;
use crate::copying::nested::Runs;
use crate::copying::{concat as concat_columns, gather_runs};
use crate::expression::{ListAggregate, ListFunction, col, lit, when};
use crate::groupby::aggregate_by;
use crate::groupby::grouped_rows::{compute as evaluated, numbers, row_map, take};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result};
use columnade_kernels::ColumnData;
use columnade_kernels::copying::scatter::scatter;

/// The function of columns, of which the first has the lists.
pub(crate) fn compute(function: &ListFunction, arguments: &[Column], exec: &Exec) -> Result<Column> {
    let (Some(first), second) = (arguments.first(), arguments.get(1)) else {
        return Err(Error::InvalidArgument { name: "lists", reason: "there are none".to_owned() });
    };
    let second = second.ok_or(Error::Internal { invariant: "this function of lists has two arguments" });
    match function {
        ListFunction::Len => {
            let Column::List(list) = first else {
                return Err(Error::UnsupportedDType { dtype: first.dtype() });
            };
            let lengths = Runs::lengths(list, first.offset(), first.size(), exec)?;
            let lengths = Column::from_data(DType::Int64, ColumnData::Fixed(lengths))?;
            runs::or_null(first, &lengths)
        }
        ListFunction::Get(out_of_range) => positions::get(first, second?, *out_of_range, exec),
        ListFunction::GetOr => match arguments {
            [_, at, default] => positions::get_or(first, at, default, exec),
            _ => Err(Error::Internal { invariant: "an item or a default has three arguments" }),
        },
        ListFunction::Take(out_of_range) => positions::take_items(first, second?, *out_of_range, exec),
        ListFunction::TakeEach(each, out_of_range) => {
            let wanted = positions::of_each_row(each, first.size(), exec)?;
            positions::take_items(first, &wanted, *out_of_range, exec)
        }
        ListFunction::Contains => contains(first, second?, exec),
        ListFunction::Index => positions::index(first, second?, exec),
        ListFunction::Aggregate(aggregate) => aggregated(*aggregate, first, exec),
        ListFunction::Sort { descending, nulls_first } => order::sort(first, *descending, *nulls_first, exec),
        ListFunction::Unique => order::unique(first, exec),
        ListFunction::Reverse => order::reverse(first, exec),
        ListFunction::Slice(offset, length) => slice(first, *offset, *length, exec),
        ListFunction::Concat => concat(arguments, exec),
        ListFunction::Join(separator) => join::join(first, separator, exec),
    }
}

/// Whether each list has the value of the same row.
fn contains(column: &Column, values: &Column, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let items = lists.items(exec)?;
    let sought = take(values, &items.row_numbers(exec)?, exec)?;
    let found = equal_rows(&items.values, &sought, exec)?;
    let found = items.groups(exec)?.any(&found)?;
    lists.or_null(&found)
}

/// An aggregate of the items of each list.
fn aggregated(aggregate: ListAggregate, column: &Column, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    if aggregate == ListAggregate::Sum
        && let Some(sums) = lists.integer_sums(exec)?
    {
        return lists.or_null(&sums);
    }
    let items = lists.items(exec)?;
    let frame = ColumnAccessor::from_columns([("item", items.values.clone())])?;
    let found = aggregate_by(&aggregate.of(col("item")), &frame, &items.groups(exec)?.rows)?;
    match aggregate {
        // Null without items, so for null lists too.
        ListAggregate::Min | ListAggregate::Max | ListAggregate::Mean | ListAggregate::Median => Ok(found),
        ListAggregate::Sum | ListAggregate::NUnique | ListAggregate::Any | ListAggregate::All => {
            lists.or_null(&found)
        }
    }
}

/// Lists as they are, and other values as lists of one item.
fn as_lists(column: &Column, exec: &Exec) -> Result<Column> {
    if matches!(column.dtype().logical(), DType::List(_)) {
        return Ok(column.clone());
    }
    let lengths = Column::from_scalar(&1_i64.into(), column.size(), exec)?;
    Items::of_lengths(column.clone(), lengths, exec)?.into_lists(exec)
}

/// The items of each list from `offset` on, at most `length`.
fn slice(column: &Column, offset: i64, length: Option<u64>, exec: &Exec) -> Result<Column> {
    // No list is as long, and sums of two stay within 64 bits.
    const FAR: i64 = i64::MAX / 4;
    let lists = Lists::of(column, exec)?;
    let offset = offset.clamp(-FAR, FAR);
    let length = length.and_then(|length| i64::try_from(length).ok()).unwrap_or(FAR).min(FAR);
    let columns = [("start", &lists.starts), ("length", &lists.lengths)];
    let first = if offset < 0 { col("length") + offset } else { lit(offset) };
    let within = |at: &str| {
        when(col(at).lt(0))
            .then(lit(0_i64))
            .otherwise(when(col(at).gt(col("length"))).then(col("length")).otherwise(col(at)))
    };
    let first = evaluated(&columns, first, exec)?;
    let end = evaluated(&[("first", &first)], col("first") + length, exec)?;
    let columns = [("length", &lists.lengths), ("first", &first), ("end", &end)];
    let (from, to) = (evaluated(&columns, within("first"), exec)?, evaluated(&columns, within("end"), exec)?);
    let starts = evaluated(&[("start", &lists.starts), ("from", &from)], col("start") + col("from"), exec)?;
    let lengths = evaluated(&[("from", &from), ("to", &to)], col("to") - col("from"), exec)?;
    lists.with_mask(&gather_runs(lists.items, &starts, &lengths, exec)?, exec)
}

/// The items of the lists of each row, one list after the other; null where one is. A value that is no list is one item.
fn concat(columns: &[Column], exec: &Exec) -> Result<Column> {
    let columns = columns.iter().map(|column| as_lists(column, exec)).collect::<Result<Vec<_>>>()?;
    let lists = columns.iter().map(|column| Lists::of(column, exec)).collect::<Result<Vec<_>>>()?;
    let [first, ..] = lists.as_slice() else {
        return Err(Error::InvalidArgument { name: "lists", reason: "there are none".to_owned() });
    };
    let (rows, count) = (columns[0].size(), lists.len());
    let mut items = Vec::with_capacity(count);
    for list in &lists {
        items.push(list.items(exec)?);
    }
    let values: Vec<&Column> = items.iter().map(|items| &items.values).collect();
    let values = concat_columns(&values, exec)?;
    // Run `row * count + list` is that of a list in a row.
    let total = i64::try_from(rows * count).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
    let width = i64::try_from(count).unwrap_or(i64::MAX);
    let blank = Column::from_scalar(&0_i64.into(), usize::try_from(total).unwrap_or(0), exec)?;
    let (mut starts, mut lengths, mut before) = (blank.clone(), blank, 0_i64);
    for (position, items) in (0_i64..).zip(&items) {
        let places = numbers(rows, exec)?;
        let places = evaluated(&[("row", &places)], col("row") * width + position, exec)?;
        let map = row_map(&places, exec)?;
        let moved = evaluated(&[("start", &items.starts)], col("start") + before, exec)?;
        let put = |into: &Column, what: &Column| -> Result<Column> {
            Column::from_data(DType::Int64, scatter(&what.view()?, &map, &into.view()?, exec)?)
        };
        (starts, lengths) = (put(&starts, &moved)?, put(&lengths, &items.lengths)?);
        before += i64::try_from(items.values.size()).unwrap_or(0);
    }
    let runs = gather_runs(&values, &starts, &lengths, exec)?;
    let Column::List(runs) = &runs else {
        return Err(Error::Internal { invariant: "runs are lists" });
    };
    let mut sum = items[0].lengths.clone();
    for items in &items[1..] {
        sum = evaluated(&[("a", &sum), ("b", &items.lengths)], col("a") + col("b"), exec)?;
    }
    let joined = Items::of_lengths(Column::clone(runs.items()), sum, exec)?.into_lists(exec)?;
    // Null where one of the lists is.
    let mut valid = first.valid()?;
    for list in &lists[1..] {
        valid = match (valid, list.valid()?) {
            (Some(a), Some(b)) => Some(evaluated(&[("a", &a), ("b", &b)], col("a") & col("b"), exec)?),
            (one, other) => one.or(other),
        };
    }
    runs::with_valid(&joined, valid.as_ref(), exec)
}
