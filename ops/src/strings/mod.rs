//! Functions of strings, plain or in a dictionary.

mod function;
#[cfg(test)]
mod tests;

pub use columnade_kernels::strings::compare_string::Search;
pub use columnade_kernels::strings::measure::Measure;
pub use columnade_kernels::strings::predicate::Characters;
pub use columnade_kernels::strings::slice::CharRange;
pub use columnade_kernels::strings::transform::{JoinNulls, Side, Transform};
pub use function::{Anchor, Separated, StringFunction};

use crate::cast::dictionary::by_code;
use crate::cast::{CastMode, cast, decode};
use crate::copying::mask_of;
use crate::out_of_core::{Driver, MemoryEstimate, by_position};
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, ListColumn, Result};
use columnade_kernels::strings::compare_string;
use columnade_kernels::strings::part::{self, Part};
use columnade_kernels::strings::predicate::{self, Predicate};
use columnade_kernels::strings::split::{self, Lists, Split};
use columnade_kernels::strings::{measure as measuring, slice as slicing, transform as transforming};
use columnade_kernels::{ColumnData, StringsView, View};
use function::compiled;
use std::borrow::Cow;
use std::sync::Arc;

/// A function of strings, row by row.
///
/// # Errors
/// Those of the function by itself.
pub(crate) fn compute(function: &StringFunction, arguments: &[Column], exec: &Exec) -> Result<Column> {
    let first = arguments.first().ok_or_else(no_columns)?;
    match function {
        StringFunction::Transform(function) => transformed(function, first, exec),
        StringFunction::Measure(function) => measured(function, first, exec),
        StringFunction::Slice(range) => slice(*range, first, exec),
        StringFunction::Test(characters) => tested(&Predicate::Characters(*characters), first, exec),
        StringFunction::TestRegex(pattern, anchor) => {
            tested(&Predicate::Contains(&compiled(pattern, *anchor)?), first, exec)
        }
        StringFunction::CountRegex(pattern) => {
            let pattern = compiled(pattern, Anchor::Nowhere)?;
            of_values(first, exec, &|strings| {
                let counts = measuring::count_matches(&pattern, &strings, exec)?;
                Column::from_data(DType::Int64, ColumnData::Fixed(counts))
            })
        }
        StringFunction::ReplaceRegex(pattern, to, limit) => {
            let pattern = compiled(pattern, Anchor::Nowhere)?;
            of_strings(first, exec, &|strings| {
                let made = transforming::replace_regex(&pattern, to, *limit, &strings, exec)?;
                Column::from_data(DType::Utf8, ColumnData::String(made))
            })
        }
        StringFunction::Get(position) => taken(&Part::Character(*position), first, exec),
        StringFunction::Part(Separated { separator, limit, from_end }, position) => {
            let (separator, limit, from_end, position) = (separator.as_deref(), *limit, *from_end, *position);
            taken(&Part::Between { separator, position, limit, from_end }, first, exec)
        }
        StringFunction::Partition(separator, field, from_end) => {
            taken(&Part::Partition { separator, field: *field, from_end: *from_end }, first, exec)
        }
        StringFunction::Extract(pattern, group) => {
            taken(&Part::Group(&compiled(pattern, Anchor::Nowhere)?, *group), first, exec)
        }
        StringFunction::Split(Separated { separator, limit, from_end }) => {
            let split =
                Split::Literal { separator: separator.as_deref(), limit: *limit, from_end: *from_end };
            lists(&split, first, exec)
        }
        StringFunction::SplitRegex(pattern, limit) => {
            lists(&Split::Regex(&compiled(pattern, Anchor::Nowhere)?, *limit), first, exec)
        }
        StringFunction::ExtractAll(pattern, group) => {
            lists(&Split::Matches(&compiled(pattern, Anchor::Nowhere)?, *group), first, exec)
        }
        StringFunction::Concat(separator, nulls) => joined(arguments, separator, *nulls, exec),
        StringFunction::Search(how) => {
            let decoded = decoded(arguments, exec)?;
            let [strings, parts] = decoded.as_slice() else { return Err(no_columns()) };
            let (strings, parts) = (strings_of(strings)?, strings_of(parts)?);
            let found = compare_string::search(*how, strings.into(), parts.into(), exec)?;
            Column::from_data(DType::Bool, ColumnData::Fixed(found))
        }
    }
}

/// The function of columns of equal length. Where the result does not fit the budget, of chunks of their rows; tried again when
/// memory runs out.
fn within_budget(function: &StringFunction, columns: &[&Column], exec: &Exec) -> Result<Column> {
    let rows = by_position(columns.iter().copied(), columns.first().map_or(0, |column| column.size()))?;
    let estimate = |rows: &ColumnAccessor| {
        let bytes = rows.row_bytes()?;
        Ok(MemoryEstimate::new(bytes, function.result_bytes(bytes, rows.rows())))
    };
    let made = Driver::new(exec).row_by_row(&rows, estimate, |rows, exec| {
        by_position([&compute(function, rows.columns(), exec)?], rows.rows())
    })?;
    Ok(made.columns()[0].clone())
}

fn tested(predicate: &Predicate<'_>, column: &Column, exec: &Exec) -> Result<Column> {
    of_values(column, exec, &|strings| {
        Column::from_data(DType::Bool, ColumnData::Fixed(predicate::test(predicate, &strings, exec)?))
    })
}

fn taken(part: &Part<'_>, column: &Column, exec: &Exec) -> Result<Column> {
    of_strings(column, exec, &|strings| {
        Column::from_data(DType::Utf8, ColumnData::String(part::part(part, &strings, exec)?))
    })
}

/// Lists of parts of strings; those of a dictionary are made of each row.
fn lists(how: &Split<'_>, column: &Column, exec: &Exec) -> Result<Column> {
    if let Column::Categorical(dictionary) = column {
        return lists(how, &decode(dictionary, exec)?, exec);
    }
    let Lists { offsets, offset_width, parts } = split::split(how, &strings_of(column)?, exec)?;
    let parts = Column::from_data(DType::Utf8, ColumnData::String(parts))?;
    let mask = mask_of(column, exec)?;
    let lists = ListColumn::new(offsets, offset_width, Arc::new(parts), mask, 0, column.size())?;
    Ok(Column::List(lists))
}

fn no_columns() -> Error {
    Error::InvalidArgument { name: "columns", reason: "there are none".to_owned() }
}

/// What `function` makes of each string; null where the value is null.
///
/// Of a dictionary each value is computed once; the result is a dictionary, in which values that became equal are one.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than strings and dictionaries of strings; [`Error::InvalidArgument`] for
/// strings that are not UTF-8, and for a result larger than any memory; [`Error::Memory`].
///
/// # Source
/// pandas `Series.str`; see [`Transform`].
pub fn transform(function: &Transform, column: &Column, exec: &Exec) -> Result<Column> {
    within_budget(&StringFunction::Transform(function.clone()), &[column], exec)
}

fn transformed(function: &Transform, column: &Column, exec: &Exec) -> Result<Column> {
    of_strings(column, exec, &|strings| {
        let made = transforming::transform(function, &strings, exec)?;
        Column::from_data(DType::Utf8, ColumnData::String(made))
    })
}

/// Some characters of each string; null where the value is null.
///
/// Of a dictionary each value is cut once; the result is a dictionary.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes than strings and dictionaries of strings; [`Error::Memory`].
///
/// # Device
/// Those of the kernel; the values of a dictionary go through the host.
///
/// # Source
/// Polars `Series.str.slice`; see [`CharRange`].
pub(crate) fn slice(range: CharRange, column: &Column, exec: &Exec) -> Result<Column> {
    of_strings(column, exec, &|strings| {
        let part = slicing::slice(&strings, range, exec)?;
        Column::from_data(DType::Utf8, ColumnData::String(part))
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
    within_budget(&StringFunction::Measure(function.clone()), &[column], exec)
}

fn measured(function: &Measure, column: &Column, exec: &Exec) -> Result<Column> {
    of_values(column, exec, &|strings| {
        let lengths = measuring::measure(function, &strings, exec)?;
        Column::from_data(DType::Int64, ColumnData::Fixed(lengths))
    })
}

/// The strings of each row of the columns, with `separator` between them.
///
/// # Errors
/// [`Error::InvalidArgument`] without columns; [`Error::UnsupportedDType`] for other dtypes than strings and dictionaries
/// of strings, with the position of the column; [`Error::LengthMismatch`]; [`Error::NotImplemented`] for more than
/// 64 columns on devices; [`Error::Memory`].
///
/// # Source
/// pandas `Series.str.cat`, Polars `concat_str`.
pub fn concat(columns: &[&Column], separator: &str, nulls: JoinNulls, exec: &Exec) -> Result<Column> {
    let expected = columns.first().ok_or_else(no_columns)?.size();
    if let Some(other) = columns.iter().find(|column| column.size() != expected) {
        return Err(Error::LengthMismatch { expected, found: other.size() });
    }
    within_budget(&StringFunction::Concat(separator.to_owned(), nulls), columns, exec)
}

/// Strings, those of dictionaries decoded.
fn decoded<'a>(columns: &'a [Column], exec: &Exec) -> Result<Vec<Cow<'a, Column>>> {
    let mut decoded = Vec::with_capacity(columns.len());
    for (position, column) in columns.iter().enumerate() {
        if *column.dtype().logical() != DType::Utf8 {
            return Err(Error::UnsupportedDType { dtype: column.dtype() }.in_key(position));
        }
        decoded.push(if let Column::Categorical(dictionary) = column {
            Cow::Owned(decode(dictionary, exec)?)
        } else {
            Cow::Borrowed(column)
        });
    }
    Ok(decoded)
}

fn joined(columns: &[Column], separator: &str, nulls: JoinNulls, exec: &Exec) -> Result<Column> {
    let decoded = decoded(columns, exec)?;
    let views = decoded.iter().map(|column| strings_of(column)).collect::<Result<Vec<_>>>()?;
    let joined = transforming::join(&views, separator, nulls, exec)?;
    Column::from_data(DType::Utf8, ColumnData::String(joined))
}

/// Strings that `make` makes of strings, or a dictionary of those that it makes of the values of a dictionary.
fn of_strings(
    column: &Column,
    exec: &Exec,
    make: &dyn Fn(StringsView<'_>) -> Result<Column>,
) -> Result<Column> {
    let Column::Categorical(dictionary) = column else { return make(strings_of(column)?) };
    let made = make(strings_of(dictionary.dictionary())?)?;
    // Values may have become equal, or null.
    let encoded = CategoricalColumn::encode(&made)?;
    let values = Arc::clone(encoded.dictionary());
    let values = if values.device() == exec.device() { values } else { Arc::new(values.to_device(exec)?) };
    let codes = if made.is_empty() || values.size() == made.size() {
        dictionary.codes()
    } else {
        let of_values = encoded.codes().to_device(exec)?;
        let codes = by_code(dictionary, &of_values, exec)?;
        cast(&codes, &dictionary.codes().dtype(), CastMode::Wrap, exec)?
    };
    Ok(Column::Categorical(CategoricalColumn::new(&codes, values)?))
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
