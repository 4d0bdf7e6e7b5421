//! Integers of 128 bits, which Polars writes into schemas and Arrow does not have.

use arrow_ipc::{Field, Schema};

/// A column of integers of 128 bits, or with such integers within it.
#[derive(Debug, PartialEq)]
pub(super) struct WideIntegers {
    pub(super) column: String,
    /// What it is, as text.
    pub(super) data_type: String,
}

/// The first column of a schema that has them: in a file the bytes are those of a decimal or of binary values.
pub(super) fn wide_integers(schema: &Schema<'_>) -> Option<WideIntegers> {
    schema.fields().iter().flatten().find_map(|field| {
        let name = width_within(&field, 0)?;
        let is_nested = field.type_as_int().is_none();
        let data_type = if is_nested {
            format!("nested values of {name} of Polars")
        } else {
            format!("{name} of Polars")
        };
        Some(WideIntegers { column: field.name().unwrap_or_default().to_owned(), data_type })
    })
}

/// The name that Polars has for the wide integers in a field.
fn width_within(field: &Field<'_>, depth: usize) -> Option<String> {
    /// As deep as verified messages go.
    const MOST_LEVELS: usize = 64;
    if depth > MOST_LEVELS {
        return None;
    }
    match field.type_as_int() {
        Some(int) if int.bitWidth() > 64 => {
            Some(format!("{}{}", if int.is_signed() { "Int" } else { "UInt" }, int.bitWidth()))
        }
        Some(_) => None,
        None => field.children().iter().flatten().find_map(|child| width_within(&child, depth + 1)),
    }
}
