//! Columns of other dtypes.

mod decimal;
pub(crate) mod dictionary;
mod numeric;
mod temporal;
#[cfg(test)]
mod tests;

pub use columnade_kernels::elementwise::cast::CastMode;
pub use dictionary::decode;

use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::{ColumnData, Fixed, FixedData, View};

const OP: &str = "cast";

/// The values of `column` in another dtype; null where they are null.
///
/// | from, to | value |
/// | --- | --- |
/// | bool, integer, float | the same number; fractions are cut off; not zero is true |
/// | integer → decimal; decimal → decimal, integer | the nearest number, a half rounded away from zero |
/// | float → decimal | the nearest number, a half rounded to the even one |
/// | decimal → float | the nearest float of the digits, divided by the power of ten |
/// | date, timestamp | the same point in time; towards a coarser unit, the unit that it lies in |
/// | integer ↔ date, timestamp | the count of days or units since 1970-01-01 |
/// | dictionary → its values, and on from there | the value that the code means |
///
/// # Errors
/// [`Error::Overflow`] when a value does not fit: in [`CastMode::Checked`] for all, in [`CastMode::Wrap`] for
/// decimals and points in time only, while integers and floats keep what fits of them.
/// [`Error::DTypeMismatch`] where there is no such cast; [`Error::NotImplemented`] from and to text, and to
/// dictionaries.
///
/// # Device
/// One launch a step, at most three steps; one synchronisation a checked step.
///
/// # Source
/// cudf/unary.hpp `cast`, pandas `astype`, SQL `CAST`.
pub fn cast(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    if from == *to {
        return Ok(column.clone());
    }
    if let Column::Categorical(categorical) = column {
        return cast(&decode(categorical, exec)?, to, mode, exec);
    }
    let mismatch = || Error::DTypeMismatch { op: OP, left: from.clone(), right: to.clone() };
    if matches!(to, DType::Dictionary(_)) || from == DType::Utf8 || *to == DType::Utf8 {
        return Err(Error::NotImplemented { feature: format!("cast from {from} to {to}") });
    }
    let result = match (&from, to) {
        (DType::Decimal { .. }, _) | (_, DType::Decimal { .. }) => {
            if from.is_temporal() || to.is_temporal() {
                return Err(mismatch());
            }
            decimal::cast(column, to, mode, exec)
        }
        _ if from.is_temporal() || to.is_temporal() => {
            let counts = |dtype: &DType| dtype.is_temporal() || dtype.is_integer();
            if !counts(&from) || !counts(to) {
                return Err(mismatch());
            }
            temporal::cast(column, to, mode, exec)
        }
        _ => numeric::cast(column, to, mode, exec),
    };
    // A kernel knows the storage that a value did not fit, a user the dtype.
    result.map_err(|error| match error {
        Error::Kernel(columnade_kernels::Error::Overflow { .. }) => {
            Error::Overflow { op: OP, dtype: to.clone() }
        }
        other => other,
    })
}

/// The fixed-width view of a column that is no text.
fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view(OP)? {
        View::Fixed(fixed) => Ok(fixed),
        View::Text(_) => Err(Error::UnsupportedDType { op: OP, dtype: column.dtype() }),
    }
}

fn finish(dtype: &DType, data: FixedData) -> Result<Column> {
    Column::from_data(dtype.clone(), ColumnData::Fixed(data))
}
