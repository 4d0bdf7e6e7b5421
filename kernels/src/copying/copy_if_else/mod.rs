//! Selects row by row between two columns.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Error, Fixed, Result, Storage, View};
use columnade_buffers::{Device, Exec};

/// Row `i` of `then` where `cond` is true, of `otherwise` where it is false or null, as in SQL's CASE.
///
/// ```text
/// cond  1 0 null      then  a b c      otherwise  x y z      result  a y z
/// ```
/// The result has a mask if `then` or `otherwise` has one.
///
/// # Shapes and units
/// cond: n bits; then, otherwise: n rows, both of one storage type or both strings.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for a condition that is not bits; [`Error::LengthMismatch`],
/// [`Error::TypeMismatch`], [`Error::Memory`].
///
/// # Device
/// One launch for data and one for the mask; strings take a scan and one synchronisation for their total
/// size.
///
/// # Source
/// `cudf/copying.hpp` `copy_if_else`, pandas `where`.
pub fn copy_if_else(
    cond: &Fixed<'_>,
    then: &View<'_>,
    otherwise: &View<'_>,
    exec: &Exec,
) -> Result<ColumnData> {
    if cond.storage != Storage::Bit {
        return Err(Error::UnsupportedStorage { storage: cond.storage });
    }
    for view in [then, otherwise] {
        if view.len() != cond.len {
            return Err(Error::LengthMismatch { left: cond.len, right: view.len() });
        }
    }
    if !then.same_type(otherwise) {
        return Err(Error::TypeMismatch);
    }
    match exec.device() {
        Device::Host => host::copy_if_else(cond, then, otherwise, exec),
        _ => cuda::copy_if_else(cond, then, otherwise, exec),
    }
}
