//! Functions of structs.

#[cfg(test)]
mod tests;

use crate::copying::mask_of;
use crate::expression::StructFunction;
use columnade_buffers::Exec;
use columnade_columns::{Column, Error, Result, StructColumn};

/// The function of columns.
pub(crate) fn compute(function: &StructFunction, arguments: &[Column], exec: &Exec) -> Result<Column> {
    match (function, arguments) {
        (StructFunction::Build(names), fields) => build(names, fields),
        (StructFunction::Field(name), [structs]) => of_structs(structs)?.field(name, exec),
        (StructFunction::RenameFields(names), [structs]) => rename_fields(structs, names, exec),
        _ => Err(Error::Internal { invariant: "a function of structs has one argument" }),
    }
}

fn of_structs(column: &Column) -> Result<&StructColumn> {
    if let Column::Struct(structs) = column {
        return Ok(structs);
    }
    Err(Error::UnsupportedDType { dtype: column.dtype() })
}

/// Structs of the rows of columns, without a mask.
///
/// # Errors
/// [`Error::InvalidArgument`] without fields; [`Error::DuplicateLabel`]; [`Error::LengthMismatch`].
///
/// # Source
/// Polars `struct`, cuDF `DataFrame.to_struct`.
fn build<N: AsRef<str>>(names: &[N], fields: &[Column]) -> Result<Column> {
    let Some(first) = fields.first() else {
        return Err(Error::InvalidArgument { name: "fields", reason: "there are none".to_owned() });
    };
    let named = names.iter().map(|name| name.as_ref().to_owned()).zip(fields.iter().cloned());
    StructColumn::new(named, None, 0, first.size()).map(Column::Struct)
}

/// The structs with other names of their fields, in order.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes; [`Error::InvalidArgument`] for another number of names;
/// [`Error::DuplicateLabel`]; [`Error::Memory`].
///
/// # Source
/// Polars `struct.rename_fields`.
fn rename_fields<N: AsRef<str>>(column: &Column, names: &[N], exec: &Exec) -> Result<Column> {
    let structs = of_structs(column)?;
    let fields = structs.fields()?;
    if fields.len() != names.len() {
        let reason = format!("{} for {} fields", names.len(), fields.len());
        return Err(Error::InvalidArgument { name: "names", reason });
    }
    let named = names.iter().map(|name| name.as_ref().to_owned()).zip(fields);
    StructColumn::new(named, mask_of(column, exec)?, 0, column.size()).map(Column::Struct)
}
