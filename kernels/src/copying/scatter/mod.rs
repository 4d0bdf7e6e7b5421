//! Writes rows into a copy of a column.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Error, FixedData, Result, RowMap, View};
use columnade_buffers::{Device, Exec};

/// Replaces row `map[i]` of `target` by row `i` of `source`. An index of all ones writes nothing; of several
/// equal indices the last one wins.
///
/// ```text
/// target  a b c d      source  x y z      map  3 none 0      result  z b c x
/// ```
/// The result has a mask if `source` or `target` has one.
///
/// # Shapes and units
/// source: m rows; map: m indices less than n, or all ones; target: n rows of the same storage type, or both
/// strings.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::TypeMismatch`], [`Error::Memory`]. Indices come from the engine and
/// are not checked.
///
/// # Device
/// Eight bytes of scratch memory per target row, for its source row; then as `copy_if_else`.
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

/// Row `map[i]` of the result is row `i` of `source`; `map` has each row once.
///
/// ```text
/// source  x y z      map  2 0 1      result  y z x
/// ```
/// The result has a mask if `source` has one.
///
/// # Shapes and units
/// source: n rows; map: each of the numbers below n once → n rows.
///
/// # Errors
/// [`Error::LengthMismatch`], [`Error::Memory`]. Indices come from the engine and are not checked.
///
/// # Device
/// On a device values of whole bytes are written to where they belong, in one launch, and one more for a mask, without
/// scratch memory. Bits, strings, and all columns on the host as [`scatter`].
///
/// # Source
/// `thrust::scatter`.
pub fn permute(source: &View<'_>, map: &RowMap, exec: &Exec) -> Result<ColumnData> {
    match source {
        View::Fixed(fixed) if exec.device() != Device::Host && fixed.storage.width().is_some() => {
            if fixed.len != map.len {
                return Err(Error::LengthMismatch { left: fixed.len, right: map.len });
            }
            let (data, validity) = cuda::permute(fixed, map, exec)?;
            Ok(ColumnData::Fixed(FixedData { storage: fixed.storage, len: fixed.len, data, validity }))
        }
        _ => scatter(source, map, source, exec),
    }
}
