//! Functions of dictionaries: their categories and codes.
//!
//! A function of the categories changes the dictionary, and looks up the new code of each row. What it computes of the
//! dictionary goes through the host.

mod changes;
#[cfg(test)]
mod tests;

pub use changes::{
    add_categories, remove_categories, remove_unused_categories, rename_categories, reorder_categories,
    set_categories, union_categoricals,
};

use crate::cast::decode;
use crate::comparing::equals;
use crate::distinct::{Factorized, factorize};
use crate::expression::{CategoryChange, CategoryFunction, Comparison, Expr, Literal, col};
use crate::groupby::grouped_rows::compute as evaluated;
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result};
use std::sync::Arc;

/// The function of columns.
pub(crate) fn compute(function: &CategoryFunction, arguments: &[Column], exec: &Exec) -> Result<Column> {
    match (function, arguments) {
        (CategoryFunction::Encode, [column]) => encode(column, exec).map(Column::Categorical),
        (CategoryFunction::Decode, [column]) => decode(dictionary_of(column)?, exec),
        (CategoryFunction::Codes, [column]) => Ok(dictionary_of(column)?.codes()),
        (CategoryFunction::AsOrdered, [column]) => {
            Ok(Column::Categorical(dictionary_of(column)?.as_ordered()))
        }
        (CategoryFunction::AsUnordered, [column]) => {
            Ok(Column::Categorical(dictionary_of(column)?.as_unordered()))
        }
        (CategoryFunction::Compare(op), [left, right]) => compare(*op, left, right, exec),
        (CategoryFunction::Change(change, given), [column]) => changed(*change, given, column, exec),
        _ => Err(Error::Internal { invariant: "a function of dictionaries has its arguments" }),
    }
}

/// The column with other categories, of the same dtype.
fn changed(change: CategoryChange, given: &[Literal], column: &Column, exec: &Exec) -> Result<Column> {
    let dtype = column.dtype();
    let (values, scalars) = CategoryFunction::categories(given, &dtype)?;
    let given = Column::from_scalars(&values, &scalars, exec)?;
    let changed = match change {
        CategoryChange::Add => add_categories(column, &given, exec),
        CategoryChange::Remove => remove_categories(column, &given, exec),
        CategoryChange::Rename => rename_categories(column, &given, exec),
        CategoryChange::Reorder => reorder_categories(column, &given, exec),
        CategoryChange::Set => set_categories(column, &given, exec),
    }?;
    if changed.dtype() == dtype {
        return Ok(changed);
    }
    Err(Error::Overflow { dtype })
}

fn dictionary_of(column: &Column) -> Result<&CategoricalColumn> {
    if let Column::Categorical(column) = column {
        return Ok(column);
    }
    Err(Error::UnsupportedDType { dtype: column.dtype() })
}

/// The values as codes into a dictionary of the distinct values, in order of first appearance, with 32-bit codes; a dictionary
/// stays as it is. NaNs are one value, as are −0.0 and 0.0.
///
/// # Errors
/// [`Error::UnsupportedDType`] for nested values and nulls; [`Error::Overflow`] for more than 2³¹ − 1 distinct values;
/// [`Error::Memory`].
///
/// # Device
/// A hash table of rows.
///
/// # Source
/// pandas `astype("category")`, which sorts the categories; cudf/dictionary/encode.hpp `encode`.
pub fn encode(column: &Column, exec: &Exec) -> Result<CategoricalColumn> {
    if let Column::Categorical(column) = column {
        return Ok(column.clone());
    }
    if column.dtype().is_nested() || column.dtype() == DType::Null {
        return Err(Error::UnsupportedDType { dtype: column.dtype() });
    }
    let Factorized { codes, uniques } = factorize(column, exec)?;
    if i32::try_from(uniques.size()).is_err() {
        return Err(Error::Overflow { dtype: DType::Int32 });
    }
    let codes = evaluated(&[("code", &codes)], col("code").cast(DType::Int32), exec)?;
    CategoricalColumn::new(&codes, Arc::new(uniques.without_mask()))
}

/// A comparison of ordered dictionaries by the order of their categories, which must be the same.
fn compare(op: Comparison, left: &Column, right: &Column, exec: &Exec) -> Result<Column> {
    let (a, b) = (dictionary_of(left)?, dictionary_of(right)?);
    let is_same = a.shares_dictionary(b) || equals(a.dictionary(), b.dictionary(), exec)?;
    if !is_same || !a.is_ordered() || !b.is_ordered() {
        let reason = "ordered dictionaries are compared only if their categories are the same".to_owned();
        return Err(Error::InvalidArgument { name: "categories", reason });
    }
    let compared: fn(Expr, Expr) -> Expr = match op {
        Comparison::Eq => |a, b| a.eq(b),
        Comparison::Ne => |a, b| a.ne(b),
        Comparison::Lt => |a, b| a.lt(b),
        Comparison::Le => |a, b| a.le(b),
        Comparison::Gt => |a, b| a.gt(b),
        Comparison::Ge => |a, b| a.ge(b),
    };
    evaluated(&[("a", &a.codes()), ("b", &b.codes())], compared(col("a"), col("b")), exec)
}
