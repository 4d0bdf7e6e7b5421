//! Numbers of lists.

use super::{Numbering, numbered_rows, parts};
use crate::expression::{Aggregation, Literal, col, lit, when};
use crate::groupby::grouped_rows::{compute, numbers, starts, take};
use crate::lists::{Lists, item_rows, total};
use crate::sort::NullOrder;
use columnade_buffers::Exec;
use columnade_columns::{Column, Error, Result};
use columnade_kernels::View;
use columnade_kernels::reduction::reduce::reduce;

/// A number for each list, `int64`, null where the list is null.
pub(super) fn numbered(column: &Column, numbering: Numbering, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let items = lists.items(exec)?;
    let parts = parts(&items.values, numbering, exec)?;
    let mut codes = numbered_rows(&parts, items.values.size(), numbering, exec)?;
    let (mut begins, mut lengths) = (items.starts, items.lengths);
    // The end of a list is null, and before every item.
    let pairs = match numbering {
        Numbering::Equality => Numbering::Equality,
        Numbering::Order(_) => Numbering::Order(NullOrder::First),
    };
    let mut longest = longest(&lengths, exec)?;
    while longest > 1 {
        let halves = compute(&[("x", &lengths)], (col("x") + 1).floor_div(2), exec)?;
        let next = starts(&halves, exec)?;
        let count = total(&halves, exec)?;
        let rows = item_rows(&next, count, exec)?;
        // Item `k` of a list is made of its items `2 k` and `2 k + 1`.
        let bounds = [("begin", &begins), ("next", &next), ("length", &lengths)];
        let moves = compute(&bounds, col("begin") - col("next") * 2, exec)?;
        let ends = compute(&bounds, col("begin") + col("length"), exec)?;
        let (moves, ends) = (take(&moves, &rows, exec)?, take(&ends, &rows, exec)?);
        let places = numbers(count, exec)?;
        let first = compute(&[("place", &places), ("move", &moves)], col("place") * 2 + col("move"), exec)?;
        let second = col("first") + 1;
        let second = when(second.clone().lt(col("end"))).then(second).otherwise(lit(Literal::Null));
        let second = compute(&[("first", &first), ("end", &ends)], second, exec)?;
        let pair = [take(&codes, &first, exec)?, take(&codes, &second, exec)?];
        codes = numbered_rows(&pair, count, pairs, exec)?;
        (begins, lengths) = (next, halves);
        longest = longest.div_ceil(2);
    }
    let first = when(col("length").gt(0)).then(col("begin")).otherwise(lit(Literal::Null));
    let first = compute(&[("begin", &begins), ("length", &lengths)], first, exec)?;
    let codes = if codes.is_empty() {
        Column::full_null(&codes.dtype(), column.size(), exec)?
    } else {
        take(&codes, &first, exec)?
    };
    // An empty list is before all others.
    lists.or_null(&compute(&[("code", &codes)], (col("code") + 1).fill_null(0), exec)?)
}

/// The number of items of the longest list.
fn longest(lengths: &Column, exec: &Exec) -> Result<usize> {
    if lengths.is_empty() {
        return Ok(0);
    }
    let View::Fixed(lengths) = lengths.view()? else {
        return Err(Error::Internal { invariant: "lengths have fixed width" });
    };
    let longest = reduce(Aggregation::Max, &lengths, exec)?.data.to_vec::<i64>(exec)?;
    Ok(longest.first().and_then(|&longest| usize::try_from(longest).ok()).unwrap_or(0))
}
