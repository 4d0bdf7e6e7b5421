//! Selects row by row between two columns.

use super::concat::align;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::View;
use columnade_kernels::copying::copy_if_else;

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
    let chosen = copy_if_else::copy_if_else(&bits, &then.view()?, &otherwise.view()?, exec)?;
    Column::widest(&[then, otherwise]).unwrap_or(then).with_data(chosen, exec)
}
