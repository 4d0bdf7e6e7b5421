//! Functions of whole columns: what no step of a program computes.

use super::{CategoryFunction, Expr, ListFunction, StructFunction};
use crate::cast::{CastErrors, cast_with};
use crate::strings::{self, StringFunction};
use crate::{categories, lists, structs};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Label, Result};
use std::fmt;

/// A function of columns that gives one value for each row, from the same row of its arguments alone.
///
/// It is computed before the program of its expression runs, and its result is an input of the program.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Function {
    /// Of strings.
    String(StringFunction),
    /// A cast from or to strings.
    Cast(DType, CastErrors),
    /// Of lists.
    List(ListFunction),
    /// Of structs.
    Struct(StructFunction),
    /// Of dictionaries.
    Category(CategoryFunction),
}

impl Function {
    /// The function of columns of equal length.
    ///
    /// # Errors
    /// Those of the function: [`Error::UnsupportedDType`] for dtypes that it does not have.
    pub(crate) fn compute(&self, arguments: &[Column], exec: &Exec) -> Result<Column> {
        match self {
            Function::String(function) => strings::compute(function, arguments, exec),
            Function::Cast(dtype, errors) => match arguments {
                [argument] => cast_with(argument, dtype, *errors, exec),
                _ => Err(Error::Internal { invariant: "a cast has one argument" }),
            },
            Function::List(function) => lists::compute(function, arguments, exec),
            Function::Struct(function) => structs::compute(function, arguments, exec),
            Function::Category(function) => categories::compute(function, arguments, exec),
        }
    }

    /// The dtype of the result.
    ///
    /// # Errors
    /// Those of the function: [`Error::UnsupportedDType`] for dtypes that it does not have.
    pub(super) fn dtype(&self, arguments: &[DType]) -> Result<DType> {
        match self {
            Function::String(function) => function.dtype(arguments),
            Function::Cast(dtype, _) => {
                dtype.validate()?;
                Ok(dtype.clone())
            }
            // The width of the codes stays.
            Function::Category(CategoryFunction::Change(_, given)) => match arguments {
                [dtype] => CategoryFunction::categories(given, dtype).map(|_| dtype.clone()),
                _ => Err(Error::Internal { invariant: "a change of categories has one argument" }),
            },
            // No category is among those of no rows.
            Function::Category(CategoryFunction::CompareWith(..)) => Ok(DType::Bool),
            Function::Category(CategoryFunction::Constant(_)) => match arguments {
                [dtype] => Ok(dtype.clone()),
                _ => Err(Error::Internal { invariant: "a category is that of one dictionary" }),
            },
            // That of no rows.
            Function::List(_) | Function::Struct(_) | Function::Category(_) => {
                let host = Exec::host();
                let none = arguments.iter().map(|dtype| Column::full_null(dtype, 0, &host));
                Ok(self.compute(&none.collect::<Result<Vec<_>>>()?, &host)?.dtype())
            }
        }
    }

    /// The dtype of a constant in place of argument `at`, where the first, number 0, has `first`; `None` for its own.
    pub(super) fn constant_dtype(&self, first: &DType, at: usize) -> Option<DType> {
        match self {
            Function::String(_) => Some(DType::Utf8),
            Function::List(function) => function.constant_dtype(first, at),
            Function::Cast(..) | Function::Struct(_) | Function::Category(_) => None,
        }
    }

    /// At most how many bytes the result has, of so many bytes of arguments in so many rows; an estimate.
    pub(super) fn result_bytes(&self, bytes: usize, rows: usize) -> usize {
        match self {
            Function::String(function) => function.result_bytes(bytes, rows),
            // Numbers have up to twenty digits.
            Function::Cast(..) => bytes.saturating_add(rows.saturating_mul(24)),
            Function::List(_) | Function::Struct(_) | Function::Category(_) => {
                bytes + size_of::<i64>() * rows
            }
        }
    }

    /// The label of the result, if it is not that of the first argument.
    pub(super) fn own_label(&self) -> Option<Label> {
        if let Function::Struct(StructFunction::Field(name)) = self {
            Some(name.as_str().into())
        } else {
            None
        }
    }

    pub(super) fn fmt(&self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::String(function) => {
                let Some((first, others)) = arguments.split_first() else { return f.write_str("str()") };
                write!(f, "{first}.str().")?;
                call(f, function.name(), others, &function.options().into_iter().collect::<Vec<_>>())
            }
            Function::Cast(dtype, errors) => {
                let method = if *errors == CastErrors::Null { "try_cast" } else { "cast" };
                arguments.iter().try_for_each(|argument| write!(f, "{argument}.{method}({dtype})"))
            }
            Function::List(function) => function.fmt(arguments, f),
            Function::Struct(function) => function.fmt(arguments, f),
            Function::Category(function) => function.fmt(arguments, f),
        }
    }
}

/// `first, second, …` after `name(`.
pub(super) fn call(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    arguments: &[Expr],
    options: &[String],
) -> fmt::Result {
    write!(f, "{name}(")?;
    let all = arguments.iter().map(|argument| argument as &dyn fmt::Display);
    for (position, text) in all.chain(options.iter().map(|option| option as &dyn fmt::Display)).enumerate() {
        write!(f, "{}{text}", if position == 0 { "" } else { ", " })?;
    }
    f.write_str(")")
}
