//! Rows of the items of lists.

use super::runs::{Lists, total};
use crate::copying::gather_column;
use crate::expression::{col, lit, when};
use crate::groupby::grouped_rows::{compute, starts};
use crate::selection::{Picked, Step, fold};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{AsLabel, Column, ColumnAccessor, Error, Label, Result};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::filling::run_rows::run_rows;
use columnade_kernels::{RowWidth, View};
use std::slice;

/// A row for each item of the lists in the columns of `labels`, with the values of the other columns repeated. A null or
/// empty list gives one row with a null.
///
/// # Shapes and units
/// columns: n rows of m items → between n and n + m rows. All rows are processed at a time.
///
/// # Errors
/// [`Error::InvalidArgument`] without labels, and for lists of a row with different numbers of items, naming the row;
/// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] for a label given twice; [`Error::UnsupportedDType`], with the
/// label, for other dtypes than lists; [`Error::Memory`].
///
/// # Device
/// A scan of the lengths. The row of each row of the result is computed where there are other columns, of which each is
/// gathered, and otherwise when labels are read. Items are gathered where a list is null or empty, and shared else.
///
/// # Source
/// pandas `DataFrame.explode`, Polars `DataFrame.explode(empty_as_null=True)`, cudf/lists/explode.hpp `explode_outer`.
pub fn explode<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    Ok(explode_rows(columns, labels, exec)?.columns)
}

/// [`explode`], and the row of the input that each row is of.
///
/// # Errors
/// [`Error::InvalidArgument`] without labels, and for lists of a row with different numbers of items, naming the row;
/// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] for a label given twice; [`Error::UnsupportedDType`], with the
/// label, for other dtypes than lists; [`Error::Memory`].
///
/// # Source
/// pandas `DataFrame.explode`, whose rows keep their labels.
pub fn explode_rows<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    exec: &Exec,
) -> Result<Picked> {
    let chosen = columns.select(labels)?;
    with_retry_no_split(exec, |exec| exploded(columns, &chosen, exec))
}

fn exploded(columns: &ColumnAccessor, chosen: &ColumnAccessor, exec: &Exec) -> Result<Picked> {
    let mut lists = Vec::with_capacity(chosen.columns().len());
    for (label, column) in chosen.labels().iter().zip(chosen.columns()) {
        lists.push((label, Lists::of(column, exec).map_err(|error| error.in_column(label))?));
    }
    let Some(((first, first_lists), others)) = lists.split_first() else {
        return Err(Error::InvalidArgument { name: "labels", reason: "there are none".to_owned() });
    };
    let lengths = rows_of(&first_lists.lengths, exec)?;
    for (label, other) in others {
        let other = rows_of(&other.lengths, exec)?;
        check_lengths((first, &lengths), (label, &other), exec)?;
    }
    // The rows of the result, as items of the rows of the frame.
    let begins = starts(&lengths, exec)?;
    let rows = total(&lengths, exec)?;
    let repeats = Step::Repeat { begins: begins.clone(), len: rows };
    // The map is not made for a frame that has no other columns.
    let map =
        if columns.columns().len() > lists.len() { fold(slice::from_ref(&repeats), exec)?.map } else { None };
    let mut result = ColumnAccessor::with_levels(rows, columns.levels().clone());
    for (label, column) in columns.labels().iter().zip(columns.columns()) {
        let exploded = match (lists.iter().find(|(chosen, _)| *chosen == label), &map) {
            (Some((_, lists)), _) => items_of(lists, &begins, rows, exec),
            (None, Some(map)) => gather_column(column, map, MapNulls::Never, exec),
            (None, None) => Err(Error::Internal { invariant: "a map is made for other columns" }),
        };
        result.insert(label.clone(), exploded.map_err(|error| error.in_column(label))?)?;
    }
    let step = map.map_or(repeats, |map| Step::Rows { map, distinct: false, ordered: true });
    Ok(Picked { columns: result, steps: vec![step] })
}

/// Rows of the result for each list: the number of its items, at least one.
fn rows_of(lengths: &Column, exec: &Exec) -> Result<Column> {
    compute(&[("x", lengths)], when(col("x").eq(0)).then(lit(1_i64)).otherwise(col("x")), exec)
}

fn check_lengths(first: (&Label, &Column), other: (&Label, &Column), exec: &Exec) -> Result<()> {
    let differ = compute(&[("a", first.1), ("b", other.1)], col("a").ne(col("b")), exec)?;
    let Some(row) = differ.to_options::<bool>()?.into_iter().position(|differs| differs == Some(true)) else {
        return Ok(());
    };
    let reason = format!(
        "row {row} has {} items in {:?} and {} in {:?}",
        first.1.get(row)?,
        first.0,
        other.1.get(row)?,
        other.0
    );
    Err(Error::InvalidArgument { name: "labels", reason })
}

/// The items in the rows of the result, null for lists without items.
fn items_of(lists: &Lists<'_>, begins: &Column, rows: usize, exec: &Exec) -> Result<Column> {
    if lists.items.is_empty() {
        return Column::full_null(&lists.items.dtype(), rows, exec);
    }
    if let Some(items) = lists.items_without_gaps(rows)? {
        return Ok(items);
    }
    let bounds = [("from", &lists.starts), ("length", &lists.lengths)];
    let sources = when(col("length").gt(0)).then(col("from")).otherwise(lit(-1_i64));
    let sources = compute(&bounds, sources, exec)?;
    let (View::Fixed(begins), View::Fixed(sources)) = (begins.view()?, sources.view()?) else {
        return Err(Error::Internal { invariant: "numbers have fixed width" });
    };
    let map = run_rows(&begins, &sources, rows, RowWidth::for_rows(lists.items.size()), exec)?;
    gather_column(lists.items, &map, MapNulls::Possible, exec)
}
