//! The first row whose value a cast refuses.

use columnade_columns::{Column, DType, Error, Result};

/// What `cast` makes of the column; an error about a value names the first row that is refused, and its value.
///
/// # Errors
/// Those of `cast`; [`Error::ValueOverflow`] in place of [`Error::Overflow`].
pub(super) fn naming_row(
    column: &Column,
    to: &DType,
    cast: impl Fn(&Column) -> Result<Column>,
) -> Result<Column> {
    match cast(column) {
        Err(error) if names_no_row(column, &error) => match first_refused(column, &error, cast) {
            Ok((row, error)) => Err(in_row(row, error, column, to)),
            Err(error) => Err(error),
        },
        other => other,
    }
}

/// Whether the row of an error is unknown, or that of an item or a field.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn names_no_row(column: &Column, error: &Error) -> bool {
    match error {
        Error::Overflow { .. } => !column.is_empty(),
        Error::ValueOverflow { .. } | Error::Unparsable { .. } => column.dtype().is_nested(),
        Error::Context { source, .. } => names_no_row(column, source),
        _ => false,
    }
}

/// The first row that `cast` refuses, and the error of this row alone.
///
/// # Errors
/// The error that was given, if no half is refused; errors that are not about values.
fn first_refused(
    column: &Column,
    error: &Error,
    cast: impl Fn(&Column) -> Result<Column>,
) -> Result<(usize, Error)> {
    let (mut first, mut end) = (0, column.size());
    let mut found = error.clone();
    // A row in here is refused, and none before.
    while end - first > 1 {
        let middle = first + (end - first) / 2;
        match cast(&column.slice(first, middle - first)?) {
            Ok(_) => first = middle,
            Err(error) if names_no_row(column, &error) => (end, found) = (middle, error),
            Err(error) => return Err(error),
        }
    }
    match cast(&column.slice(first, end - first)?) {
        Ok(_) => Err(found),
        Err(error) => Ok((first, error)),
    }
}

/// The error of a row that was cast alone, with its number and its value. A list and a struct name the item or the field.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn in_row(row: usize, error: Error, column: &Column, to: &DType) -> Error {
    match error {
        Error::Overflow { .. } => {
            let value = column.slice(row, 1).and_then(|one| one.get(0));
            match value {
                Ok(value) => Error::ValueOverflow { row, value: value.to_string(), dtype: to.clone() },
                Err(error) => error,
            }
        }
        Error::ValueOverflow { value, dtype, .. } => Error::ValueOverflow { row, value, dtype },
        Error::Unparsable { value, dtype, .. } => Error::Unparsable { row, value, dtype },
        Error::Context { subject, source } => {
            Error::Context { subject, source: Box::new(in_row(row, *source, column, to)) }
        }
        other => other,
    }
}
