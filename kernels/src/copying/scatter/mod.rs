//! Writes rows into a copy of a column.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Error, Result, RowMap, View};
use columnade_buffers::{Device, Exec};

/// `target` with row `map[i]` replaced by row `i` of `source`. An index of all ones writes nothing; of several equal
/// indices the last one counts.
///
/// ```text
/// target  a b c d      source  x y z      map  3 none 0      result  z b c x
/// ```
/// The result has a mask when `source` or `target` has one.
///
/// # Shapes and units
/// source: m rows; map: m indices below n, or all ones; target: n rows of the same storage type, or both text.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::TypeMismatch`], [`Error::Memory`]. Indices are the engine's own and not
/// checked.
///
/// # Device
/// Eight bytes of scratch a target row, which find the source row of each; then as `copy_if_else`.
///
/// # Source
/// `cudf/copying.hpp` `scatter`.
pub fn scatter(source: &View<'_>, map: &RowMap, target: &View<'_>, exec: &Exec) -> Result<ColumnData> {
    if source.len() != map.len {
        return Err(Error::LengthMismatch { left: source.len(), right: map.len });
    }
    if !source.same_type(target) {
        return Err(Error::TypeMismatch);
    }
    match exec.device() {
        Device::Host => host::scatter(source, map, target, exec),
        _ => cuda::scatter(source, map, target, exec),
    }
}
