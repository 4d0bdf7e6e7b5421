//! Gathers runs of consecutive rows.

mod host;
#[cfg(test)]
mod tests;

use super::gather::{MapNulls, gather};
use crate::filling::run_rows::run_rows;
use crate::{ColumnData, Error, Fixed, Result, RowWidth, Storage, View};
use columnade_buffers::{Device, Exec};

/// The rows of `source` that [`run_rows`] of `begins` and `sources` names, as [`gather`] gives them.
///
/// ```text
/// source  a b c d      begins  0 2 3, sources 2 -1 0, 4 rows → c d null a
/// ```
/// The result has a mask if the source has one or if `nulls` is [`MapNulls::Possible`].
///
/// # Shapes and units
/// source: n rows of any storage type; begins, sources: m rows of [`Storage::I64`] without nulls; `begins` ascends from 0,
/// and a run of no row (−1) has one row at most → `rows` rows.
///
/// # Errors
/// [`Error::UnsupportedStorage`]; [`Error::LengthMismatch`]; [`Error::Memory`]. Runs come from the engine: that they are
/// within the source is not checked before they are read.
///
/// # Device
/// Host: values of one or more bytes in one pass, without a row map. Else `run_rows` and `gather`.
///
/// # Source
/// `cudf/lists/explode.hpp`, `cudf/lists/detail/gather.cuh`.
pub fn gather_runs(
    source: &View<'_>,
    begins: &Fixed<'_>,
    sources: &Fixed<'_>,
    rows: usize,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<ColumnData> {
    for input in [begins, sources] {
        if input.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: input.storage });
        }
    }
    if begins.len != sources.len {
        return Err(Error::LengthMismatch { left: begins.len, right: sources.len });
    }
    if let View::Fixed(values) = source
        && values.storage != Storage::Bit
        && exec.device() == Device::Host
    {
        return host::gather_runs(values, begins, sources, rows, nulls, exec).map(ColumnData::Fixed);
    }
    let map = run_rows(begins, sources, rows, RowWidth::for_rows(source.len()), exec)?;
    gather(source, &map, nulls, exec)
}
