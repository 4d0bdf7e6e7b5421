//! Items by their positions, and positions of items.

use super::runs::{self, Items, Lists};
use crate::comparing::equal_rows;
use crate::copying::gather_runs;
use crate::expression::{Aggregation, Literal, OutOfRange, col, lit, when};
use crate::groupby::grouped_rows::{compute, numbers, take};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};

/// Positions in lists, one of each row.
struct Positions {
    /// Where the list of the row begins, `int64` as all of these.
    starts: Column,
    lengths: Column,
    /// From the start, or from the end if it is negative; null for none.
    at: Column,
}

impl Positions {
    /// The rows of the items, −1 where there is none.
    fn rows(&self, exec: &Exec) -> Result<Column> {
        let columns = [("start", &self.starts), ("length", &self.lengths), ("at", &self.at)];
        let from_start = col("at").ge(0) & col("at").lt(col("length"));
        let from_end = col("at").lt(0) & (col("length") + col("at")).ge(0);
        let row = when(from_start)
            .then(col("start") + col("at"))
            .otherwise(when(from_end).then(col("start") + col("length") + col("at")).otherwise(lit(-1)));
        compute(&columns, row, exec)
    }

    /// Whether a position is outside of its list; null where there is no position.
    fn outside(&self, exec: &Exec) -> Result<Column> {
        let columns = [("length", &self.lengths), ("at", &self.at)];
        let within = when(col("at").lt(0))
            .then((col("length") + col("at")).ge(0))
            .otherwise(col("at").lt(col("length")));
        compute(&columns, when(col("at").is_null()).then(lit(Literal::Null)).otherwise(!within), exec)
    }

    /// `row_of`: the row of each position, its own where there is none.
    ///
    /// # Errors
    /// [`Error::ItemOutOfBounds`] of the first position in `outside`.
    fn check(&self, outside: &Column, row_of: Option<&Column>) -> Result<()> {
        let found = outside.to_options::<bool>()?.into_iter().position(|outside| outside == Some(true));
        let Some(place) = found else { return Ok(()) };
        let number = |column: &Column| -> Result<i64> {
            Ok(column.slice(place, 1)?.to_options::<i64>()?.first().copied().flatten().unwrap_or(0))
        };
        let position = isize::try_from(number(&self.at)?).unwrap_or(isize::MAX);
        let len = usize::try_from(number(&self.lengths)?).unwrap_or(0);
        let row = match row_of {
            Some(rows) => usize::try_from(number(rows)?).unwrap_or(0),
            None => place,
        };
        Err(Error::ItemOutOfBounds { row, position, len })
    }
}

/// Integers as `int64`.
fn as_positions(column: &Column, exec: &Exec) -> Result<Column> {
    if !column.dtype().is_integer() {
        return Err(Error::UnsupportedDType { dtype: column.dtype() });
    }
    compute(&[("at", column)], col("at").cast(DType::Int64), exec)
}

/// The items in `rows`, null for −1.
fn items_in(items: &Column, rows: &Column, exec: &Exec) -> Result<Column> {
    if items.is_empty() {
        return Column::full_null(&items.dtype(), rows.size(), exec);
    }
    let or_none = when(col("row").ge(0)).then(col("row")).otherwise(lit(Literal::Null));
    take(items, &compute(&[("row", rows)], or_none, exec)?, exec)
}

/// The item of each list at a position.
pub(super) fn get(column: &Column, at: &Column, out_of_range: OutOfRange, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let at = as_positions(at, exec)?;
    let positions = Positions { starts: lists.starts.clone(), lengths: lists.lengths.clone(), at };
    if out_of_range == OutOfRange::Error {
        positions.check(&lists.or_null(&positions.outside(exec)?)?, None)?;
    }
    items_in(lists.items, &positions.rows(exec)?, exec)
}

/// The item of each list at a position, and the default of the row where the position is outside of the list.
pub(super) fn get_or(column: &Column, at: &Column, default: &Column, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let at = as_positions(at, exec)?;
    let positions = Positions { starts: lists.starts.clone(), lengths: lists.lengths.clone(), at };
    let outside = lists.or_null(&positions.outside(exec)?)?;
    let found = items_in(lists.items, &positions.rows(exec)?, exec)?;
    let columns = [("outside", &outside), ("default", default), ("found", &found)];
    compute(&columns, when(col("outside")).then(col("default")).otherwise(col("found")), exec)
}

/// The items of each list at the positions in a list of the same row; null where one of the two lists is.
pub(super) fn take_items(
    column: &Column,
    wanted: &Column,
    out_of_range: OutOfRange,
    exec: &Exec,
) -> Result<Column> {
    let (lists, wanted) = (Lists::of(column, exec)?, Lists::of(wanted, exec)?);
    let valid = match (lists.valid()?, wanted.valid()?) {
        (Some(a), Some(b)) => Some(compute(&[("a", &a), ("b", &b)], col("a") & col("b"), exec)?),
        (one, other) => one.or(other),
    };
    let items = match &valid {
        None => wanted.items(exec)?,
        // Null rows of the result have no items.
        Some(valid) => {
            let or_none = when(col("valid")).then(col("length")).otherwise(lit(0_i64));
            let lengths = compute(&[("valid", valid), ("length", &wanted.lengths)], or_none, exec)?;
            let runs = gather_runs(wanted.items, &wanted.starts, &lengths, exec)?;
            let Column::List(runs) = &runs else {
                return Err(Error::Internal { invariant: "runs are lists" });
            };
            Items::of_lengths(Column::clone(runs.items()), lengths, exec)?
        }
    };
    let at = as_positions(&items.values, exec)?;
    let rows = items.row_numbers(exec)?;
    let positions = Positions {
        starts: take(&lists.starts, &rows, exec)?,
        lengths: take(&lists.lengths, &rows, exec)?,
        at,
    };
    if out_of_range == OutOfRange::Error {
        positions.check(&positions.outside(exec)?, Some(&rows))?;
    }
    let values = items_in(lists.items, &positions.rows(exec)?, exec)?;
    runs::with_valid(&items.with_values(values).into_lists(exec)?, valid.as_ref(), exec)
}

/// The same positions for each row.
pub(super) fn of_each_row(each: &[i64], rows: usize, exec: &Exec) -> Result<Column> {
    let count = i64::try_from(each.len()).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
    let total = rows.checked_mul(each.len()).ok_or(Error::Overflow { dtype: DType::Int64 })?;
    let lengths = Column::from_scalar(&count.into(), rows, exec)?;
    let values = if total == 0 {
        Column::from_slice::<i64>(&[], exec)?
    } else {
        let places = compute(&[("row", &numbers(total, exec)?)], col("row") % count, exec)?;
        take(&Column::from_slice(each, exec)?, &places, exec)?
    };
    Items::of_lengths(values, lengths, exec)?.into_lists(exec)
}

/// The position of the first item that is equal to the value of the same row, −1 without one.
pub(super) fn index(column: &Column, values: &Column, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let items = lists.items(exec)?;
    let rows = items.row_numbers(exec)?;
    let found = equal_rows(&items.values, &take(values, &rows, exec)?, exec)?;
    let (row, start) = (runs::item_numbers(&items, exec)?, take(&items.starts, &rows, exec)?);
    let place = when(col("found")).then(col("row") - col("start")).otherwise(lit(Literal::Null));
    let places = compute(&[("found", &found), ("row", &row), ("start", &start)], place, exec)?;
    let least = items.groups(exec)?.rows.aggregate(Aggregation::Min, &places, DType::Int64)?;
    let or_none = when(col("x").is_null()).then(lit(-1_i64)).otherwise(col("x"));
    lists.or_null(&compute(&[("x", &least)], or_none, exec)?.without_mask())
}

/// The items of the innermost lists, one a row. Null and empty lists have none.
///
/// # Shapes and units
/// column: n rows of m innermost items → m rows.
///
/// # Errors
/// [`Error::UnsupportedDType`] for another dtype than lists; [`Error::Memory`].
///
/// # Device
/// Items are shared where no list is null.
///
/// # Source
/// cuDF `ListMethods.leaves`.
pub fn leaves(column: &Column, exec: &Exec) -> Result<Column> {
    let mut items = Lists::of(column, exec)?.items(exec)?.values;
    while matches!(items, Column::List(_)) {
        items = Lists::of(&items, exec)?.items(exec)?.values;
    }
    Ok(items)
}
