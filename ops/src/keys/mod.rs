//! Keys of dtypes that no kernel compares: lists, structs, intervals and nulls, as columns that kernels do.
//!
//! A struct is compared by its fields, an interval by its ends. Lists become codes: the items are numbered by their
//! distinct values, then neighbours in each list are paired and the pairs numbered, until each list is one number. That
//! takes as many rounds as the longest list has binary digits, and twice the number of items in all. Numbers in the order
//! of the values give codes in lexicographic order, since the end of a list is before every item.

mod lists;
#[cfg(test)]
mod tests;

use crate::cast::{CastMode, cast};
use crate::expression::{Literal, col, lit, when};
use crate::groupby::NullKeys;
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, numbers, take, validity};
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, Scalar};
use columnade_kernels::copying::scatter::permute;

/// Whether keys of a dtype are compared by other columns: see [`parts`].
pub(crate) fn is_compound(dtype: &DType) -> bool {
    matches!(dtype, DType::List(_) | DType::Struct(_) | DType::Interval(_) | DType::Null)
}

/// What numbers of values are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// They are equal where the values are.
    Equality,
    /// They are also in the order of the values, with nulls first or last.
    Order(NullOrder),
}

/// Columns of other dtypes: two rows of `column` are equal, or ordered, as those of the columns are, one after the other.
/// The first is null where `column` is.
pub(crate) fn parts(column: &Column, numbering: Numbering, exec: &Exec) -> Result<Vec<Column>> {
    Ok(match column {
        Column::Struct(structs) => {
            let mut all = vec![marker(column, exec)?];
            for name in structs.names() {
                all.extend(parts(&structs.field(name, exec)?, numbering, exec)?);
            }
            all
        }
        Column::Interval(interval) => {
            let mark = marker(column, exec)?;
            let or_null = when(col("mark").is_null()).then(lit(Literal::Null)).otherwise(col("end"));
            let end = |end: Column| compute(&[("mark", &mark), ("end", &end)], or_null.clone(), exec);
            let (left, right) = (end(interval.left()?)?, end(interval.right()?)?);
            vec![mark, left, right]
        }
        Column::List(_) => vec![lists::numbered(column, numbering, exec)?],
        Column::Null(_) => vec![marker(column, exec)?],
        flat @ (Column::Numeric(_)
        | Column::Boolean(_)
        | Column::String(_)
        | Column::Binary(_)
        | Column::Datetime(_)
        | Column::Timedelta(_)
        | Column::Decimal(_)
        | Column::Categorical(_)) => vec![flat.clone()],
    })
}

/// True where the column is valid, null where it is null.
fn marker(column: &Column, exec: &Exec) -> Result<Column> {
    let Some(valid) = validity(column, exec)? else {
        return Column::from_scalar(&Scalar::Bool(true), column.size(), exec);
    };
    compute(&[("x", &valid)], when(col("x")).then(true).otherwise(lit(Literal::Null)), exec)
}

/// A number for each row, `int64`: see [`Numbering`]. Null where the column is.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn numbered(column: &Column, numbering: Numbering, exec: &Exec) -> Result<Column> {
    if let Column::List(_) = column {
        return lists::numbered(column, numbering, exec);
    }
    let parts = parts(column, numbering, exec)?;
    let numbers = numbered_rows(&parts, column.size(), numbering, exec)?;
    let Some(valid) = validity(column, exec)? else { return Ok(numbers) };
    let or_null = when(col("valid")).then(col("x")).otherwise(lit(Literal::Null));
    compute(&[("x", &numbers), ("valid", &valid)], or_null, exec)
}

/// A number for each row of flat columns, `int64` without nulls.
fn numbered_rows(columns: &[Column], rows: usize, numbering: Numbering, exec: &Exec) -> Result<Column> {
    let keys: Vec<&Column> = columns.iter().collect();
    let groups = GroupedRows::new(&keys, rows, NullKeys::Group, exec)?;
    let Numbering::Order(nulls) = numbering else {
        return cast(&groups.id_column()?, &DType::Int64, CastMode::Wrap, exec);
    };
    // Only one row of equal ones is sorted.
    let first = column_of(groups.first_rows(), exec)?;
    let mut distinct = Vec::with_capacity(columns.len());
    for column in columns {
        distinct.push(take(column, &first, exec)?);
    }
    let keys: Vec<SortKey<'_>> =
        distinct.iter().map(|column| SortKey { column, order: Order::Ascending, nulls }).collect();
    let sorted = argsort(&keys, exec)?;
    let places = numbers(groups.len(), exec)?;
    let ranks = permute(&places.view()?, &sorted, exec)?;
    groups.broadcast(&Column::from_data(DType::Int64, ranks)?)
}

/// Keys of both sides of a join as numbers: see [`Numbering`]. Null where they are null.
///
/// # Errors
/// [`Error::DTypeMismatch`] for different dtypes; [`Error::Memory`].
pub(crate) fn numbered_together(
    left: &Column,
    right: &Column,
    numbering: Numbering,
    exec: &Exec,
) -> Result<(Column, Column)> {
    let (left_dtype, right_dtype) = (left.dtype(), right.dtype());
    if !left_dtype.same_values(&right_dtype) {
        return Err(Error::DTypeMismatch { left: left_dtype, right: right_dtype });
    }
    let both = crate::copying::concat(&[left, right], exec)?;
    let numbers = numbered(&both, numbering, exec)?;
    Ok((numbers.slice(0, left.size())?, numbers.slice(left.size(), right.size())?))
}

/// The nulls of numbers in ascending order that a sort by `key` has where it has nulls.
fn nulls_within(key: &SortKey<'_>) -> NullOrder {
    match (key.order, key.nulls) {
        (Order::Ascending, nulls) => nulls,
        // The sort turns the numbers around.
        (Order::Descending, NullOrder::First) => NullOrder::Last,
        (Order::Descending, NullOrder::Last) => NullOrder::First,
    }
}

/// Numbers in the order of a compound key.
pub(crate) fn sort_numbers(key: &SortKey<'_>, exec: &Exec) -> Result<Column> {
    numbered(key.column, Numbering::Order(nulls_within(key)), exec)
}

/// A key as the keys of a sort: itself, or its parts in the same direction. A null within a value is where nulls are.
pub(crate) fn sort_parts(key: &SortKey<'_>, exec: &Exec) -> Result<Vec<Column>> {
    parts(key.column, Numbering::Order(nulls_within(key)), exec)
}
