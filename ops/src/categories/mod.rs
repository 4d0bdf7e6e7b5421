//! Functions of dictionaries: their categories and codes.
//!
//! A function of the categories changes the dictionary, and looks up the new code of each row. What it computes of the
//! dictionary goes through the host.

mod changes;
#[cfg(test)]
mod tests;

pub use changes::{
    add_categories, codes_of, remove_categories, remove_unused_categories, rename_categories,
    reorder_categories, set_categories, union_categoricals,
};

use crate::cast::decode;
use crate::cast::dictionary::by_code;
use crate::comparing::equals;
use crate::copying::concat;
use crate::distinct::{Factorized, factorize};
use crate::expression::{CategoryChange, CategoryFunction, Comparison, Expr, Literal, col, lit, when};
use crate::groupby::grouped_rows::compute as evaluated;
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result, Scalar};
use columnade_kernels::Storage;
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
        (CategoryFunction::CompareWith(op, literal), [column]) => {
            compare_with(*op, dictionary_of(column)?, literal, exec)
        }
        (CategoryFunction::Constant(literal), [column]) => {
            let column = dictionary_of(column)?;
            constant(column, literal, exec).map_err(|error| error.in_expression(lit(literal.clone())))
        }
        (CategoryFunction::Change(change, given), [column]) => changed(*change, given, column, exec),
        (CategoryFunction::Replace(pairs), [column]) => replaced(dictionary_of(column)?, pairs, exec),
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

/// The dictionary with values in place of others. Categories that became equal are one; those that became null have null rows.
fn replaced(column: &CategoricalColumn, pairs: &[(Literal, Literal)], exec: &Exec) -> Result<Column> {
    let is_null = |literal: &Literal| matches!(literal, Literal::Null | Literal::Scalar(Scalar::Null(_)));
    let values = column.dictionary();
    let of_pair = |(from, to): &(Literal, Literal)| (lit(from.clone()), lit(to.clone()));
    let replacement = col("x").replace_or(pairs.iter().map(of_pair), col("x"));
    let mut made = evaluated(&[("x", values)], replacement, exec)?;
    // What stands in place of null is one category more.
    let for_null = pairs.iter().find(|(from, _)| is_null(from)).map(|(_, to)| to).filter(|to| !is_null(to));
    if let Some(to) = for_null {
        let null = Column::full_null(&values.dtype(), 1, exec)?;
        made = concat(&[&made, &evaluated(&[("x", &null)], col("x").fill_null(to.clone()), exec)?], exec)?;
    }
    let encoded = encode(&made, exec)?;
    let new_codes = encoded.codes();
    let mut codes = by_code(column, &new_codes.slice(0, values.size())?, exec)?;
    if for_null.is_some() {
        let for_null = lit(new_codes.get(values.size())?);
        let old = column.codes();
        let with_null = when(col("old").is_null()).then(for_null).otherwise(col("code"));
        codes = evaluated(&[("old", &old), ("code", &codes)], with_null, exec)?;
    }
    like(column, &codes, encoded.dictionary().clone())
}

/// Codes of a dictionary, in the width of the codes of `column`, and ordered if that is.
fn like(column: &CategoricalColumn, codes: &Column, dictionary: Arc<Column>) -> Result<Column> {
    let width = column.codes().dtype().storage().unwrap_or(Storage::I32);
    let made = CategoricalColumn::new(codes, dictionary)?.with_codes(width)?;
    Ok(Column::Categorical(if column.is_ordered() { made.as_ordered() } else { made }))
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
    let comparison = compared(op, col("a"), col("b"));
    evaluated(&[("a", &a.codes()), ("b", &b.codes())], comparison, exec)
}

/// A comparison of an ordered dictionary with one of its categories, by their order.
fn compare_with(
    op: Comparison,
    column: &CategoricalColumn,
    literal: &Literal,
    exec: &Exec,
) -> Result<Column> {
    let codes = column.codes();
    let Some(at) = code_of(column, literal)? else {
        return Column::full_null(&DType::Bool, codes.size(), exec);
    };
    evaluated(&[("code", &codes)], compared(op, col("code"), lit(at)), exec)
}

/// The code of one of the categories; `None` of a null.
fn code_of(column: &CategoricalColumn, literal: &Literal) -> Result<Option<i64>> {
    if let Literal::OneRow(value) = literal {
        return code_of(column, &Literal::Scalar(value.to_scalar()?));
    }
    if matches!(literal, Literal::Null | Literal::Scalar(Scalar::Null(_))) {
        return Ok(None);
    }
    let host = Exec::host();
    let categories = column.dictionary().to_device(&host)?;
    let is_it = evaluated(&[("category", &categories)], col("category").eq(literal.clone()), &host)?;
    let at = is_it.to_scalars()?.iter().position(|found| *found == Scalar::Bool(true));
    match at.and_then(|at| i64::try_from(at).ok()) {
        Some(at) => Ok(Some(at)),
        None => Err(Error::UnknownCategory { category: literal.to_string() }),
    }
}

/// One of the categories, or null, in each row.
fn constant(column: &CategoricalColumn, literal: &Literal, exec: &Exec) -> Result<Column> {
    let code = code_of(column, literal)?.map_or(Scalar::Null(DType::Int64), Scalar::Int64);
    let codes = Column::from_scalar(&code, column.codes().size(), exec)?;
    like(column, &codes, column.dictionary().clone())
}

fn compared(op: Comparison, left: Expr, right: Expr) -> Expr {
    match op {
        Comparison::Eq => left.eq(right),
        Comparison::Ne => left.ne(right),
        Comparison::Lt => left.lt(right),
        Comparison::Le => left.le(right),
        Comparison::Gt => left.gt(right),
        Comparison::Ge => left.ge(right),
    }
}
