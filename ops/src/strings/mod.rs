//! Functions of strings, plain or in a dictionary.

#[cfg(test)]
mod tests;

pub use columnade_kernels::strings::measure::Measure;
pub use columnade_kernels::strings::transform::{JoinNulls, Side, Transform};

use crate::cast::decode;
use crate::cast::dictionary::by_code;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::strings::{measure as measuring, transform as transforming};
use columnade_kernels::{ColumnData, StringsView, View};
use std::borrow::Cow;

/// What `function` makes of each string; null where the value is null.
///
/// Of a dictionary each value is computed once; the result is strings, since several values may become one.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than strings and dictionaries of strings; [`Error::InvalidArgument`] for
/// strings that are not UTF-8, and for a result larger than any memory; [`Error::NotImplemented`] on devices, by the name of
/// the function; [`Error::Memory`].
///
/// # Source
/// pandas `Series.str`; see [`Transform`].
pub fn transform(function: &Transform, column: &Column, exec: &Exec) -> Result<Column> {
    of_values(column, exec, &|strings| {
        let made = transforming::transform(function, &strings, exec)?;
        Column::from_data(DType::Utf8, ColumnData::String(made))
    })
}

/// The length of each string, or a position in it: `int64`, null where the value is null.
///
/// Of a dictionary each value is measured once.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than strings and dictionaries of strings; [`Error::Memory`].
///
/// # Device
/// One launch, and one for a mask.
///
/// # Source
/// pandas `Series.str.len`, `find`; see [`Measure`].
pub fn measure(function: &Measure, column: &Column, exec: &Exec) -> Result<Column> {
    of_values(column, exec, &|strings| {
        let lengths = measuring::measure(function, &strings, exec)?;
        Column::from_data(DType::Int64, ColumnData::Fixed(lengths))
    })
}

/// The strings of each row of the columns, with `separator` between them.
///
/// # Errors
/// [`Error::InvalidArgument`] without columns; [`Error::UnsupportedDType`] for other dtypes than strings and dictionaries
/// of strings, with the position of the column; [`Error::LengthMismatch`]; [`Error::NotImplemented`] on devices;
/// [`Error::Memory`].
///
/// # Source
/// pandas `Series.str.cat`, Polars `concat_str`.
pub fn concat(columns: &[&Column], separator: &str, nulls: JoinNulls, exec: &Exec) -> Result<Column> {
    if let Some(other) = columns.iter().find(|column| column.size() != columns[0].size()) {
        return Err(Error::LengthMismatch { expected: columns[0].size(), found: other.size() });
    }
    let mut decoded = Vec::with_capacity(columns.len());
    for (position, &column) in columns.iter().enumerate() {
        if *column.dtype().logical() != DType::Utf8 {
            return Err(Error::UnsupportedDType { dtype: column.dtype() }.in_key(position));
        }
        decoded.push(if let Column::Categorical(dictionary) = column {
            Cow::Owned(decode(dictionary, exec)?)
        } else {
            Cow::Borrowed(column)
        });
    }
    let views = decoded.iter().map(|column| strings_of(column)).collect::<Result<Vec<_>>>()?;
    let joined = transforming::join(&views, separator, nulls, exec)?;
    Column::from_data(DType::Utf8, ColumnData::String(joined))
}

/// `make` of the strings, or of those of a dictionary, looked up by the codes.
fn of_values(
    column: &Column,
    exec: &Exec,
    make: &dyn Fn(StringsView<'_>) -> Result<Column>,
) -> Result<Column> {
    if let Column::Categorical(dictionary) = column {
        return by_code(dictionary, &make(strings_of(dictionary.dictionary())?)?, exec);
    }
    make(strings_of(column)?)
}

fn strings_of(column: &Column) -> Result<StringsView<'_>> {
    match column.view()? {
        View::String(strings) if column.dtype() == DType::Utf8 => Ok(strings),
        View::String(_) | View::Fixed(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}
