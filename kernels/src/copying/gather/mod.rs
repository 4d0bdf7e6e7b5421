//! Gathers rows by a row map.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Result, RowMap, View};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is row `map[i]` of `source`; an index of all ones gives a null.
///
/// ```text
/// source  a b c d      map  2 0 none 2      result  c a null c
/// ```
/// The result has a mask if the source has one or if `nulls` is [`MapNulls::Possible`].
///
/// # Shapes and units
/// source: n rows of any storage type; map: m indices less than n, or all ones → m rows.
///
/// # Errors
/// [`crate::Error::Memory`]. Indices come from the engine and are checked in debug builds on the host only.
///
/// # Device
/// One launch for data and one for the mask; strings take a scan and one synchronisation for their total
/// size.
///
/// # Source
/// `cudf/copying.hpp` `gather`, pandas `take`.
pub fn gather(source: &View<'_>, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    match exec.device() {
        Device::Host => host::gather(source, map, nulls, exec),
        _ => cuda::gather(source, map, nulls, exec),
    }
}

/// Whether a row map may contain "no such row".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapNulls {
    /// Every index is a row of the source.
    Never,
    /// Some indices may be all ones.
    Possible,
}
