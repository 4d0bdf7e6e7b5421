//! Selects row by row between two columns.

use super::concat::align;
use super::gather::{gather_column, is_nested};
use crate::expression::{col, lit, when};
use crate::groupby::grouped_rows::{compute, numbers, row_map};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::View;
use columnade_kernels::copying::copy_if_else;
use columnade_kernels::copying::gather::MapNulls;

/// Row `i` of `then` if `condition` is true, of `otherwise` if it is false or null, as in SQL's CASE. Both
/// are cast to their common dtype first; dictionaries are unified.
///
/// # Shapes and units
/// condition: n rows of `bool`; then, otherwise: n rows → n rows.
///
/// # Errors
/// [`Error::UnsupportedDType`] for a condition of another dtype; [`Error::DTypeMismatch`] if there is no
/// common dtype;
/// [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// Lists, structs and intervals are concatenated and gathered: they are moved twice.
///
/// # Source
/// cudf/copying.hpp `copy_if_else`, pandas `where`.
pub fn copy_if_else(condition: &Column, then: &Column, otherwise: &Column, exec: &Exec) -> Result<Column> {
    let bits = match condition.view()? {
        View::Fixed(bits) if condition.dtype() == DType::Bool => bits,
        View::Fixed(_) | View::String(_) => return Err(Error::NotBoolean { dtype: condition.dtype() }),
    };
    for column in [then, otherwise] {
        if column.size() != condition.size() {
            let (expected, found) = (condition.size(), column.size());
            return Err(Error::LengthMismatch { expected, found });
        }
    }
    let aligned = align(&[then, otherwise], exec)?;
    let (then, otherwise) = (&aligned[0], &aligned[1]);
    if is_nested(then) || is_nested(otherwise) {
        return copy_nested(condition, then, otherwise, exec);
    }
    let chosen = copy_if_else::copy_if_else(&bits, &then.view()?, &otherwise.view()?, exec)?;
    Column::widest(&[then, otherwise]).unwrap_or(then).with_data(chosen, exec)
}

/// [`copy_if_else`] of columns that have no view as one array of values.
fn copy_nested(condition: &Column, then: &Column, otherwise: &Column, exec: &Exec) -> Result<Column> {
    let rows = numbers(condition.size(), exec)?;
    let offset =
        i64::try_from(then.size()).map_err(|_| Error::Internal { invariant: "rows are counted by i64" })?;
    let row = when(col("condition")).then(col("row")).otherwise(col("row") + lit(offset));
    let rows = compute(&[("condition", condition), ("row", &rows)], row, exec)?;
    let both = Column::concat(&[then, otherwise], exec)?;
    gather_column(&both, &row_map(&rows, exec)?, MapNulls::Never, exec)
}
