//! The source rows of runs of rows.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Error, Fixed, Result, RowMap, RowWidth, Storage};
use columnade_buffers::{Buffer, Device, Exec};

/// A map of `rows` rows in runs of consecutive source rows. Run `i` begins at row `begins[i]` of the map and ends where the
/// next one begins, the last one at the end; its first row is the source row `sources[i]`, or no row if that is −1.
///
/// ```text
/// begins  0 2 3, sources 7 -1 0, 5 rows → 7 8 - 0 1
/// ```
///
/// # Shapes and units
/// begins, sources: n rows of [`Storage::I64`] without nulls; `begins` ascends from 0, and a run of no row (−1) has one
/// row at most → a map of `rows` rows, whose indices fit `width`.
///
/// # Errors
/// [`Error::UnsupportedStorage`]; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// Host: each task searches its first run, and writes run after run. On a device one launch: so does each block, whose threads
/// share the runs.
///
/// # Source
/// The gather maps of `cudf/lists/explode.hpp` and `cudf/lists/detail/gather.cuh`.
pub fn run_rows(
    begins: &Fixed<'_>,
    sources: &Fixed<'_>,
    rows: usize,
    width: RowWidth,
    exec: &Exec,
) -> Result<RowMap> {
    for input in [begins, sources] {
        if input.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: input.storage });
        }
    }
    if begins.len != sources.len {
        return Err(Error::LengthMismatch { left: begins.len, right: sources.len });
    }
    if exec.device() == Device::Host {
        return host::run_rows(begins, sources, rows, width, exec);
    }
    let map = cuda::run_rows(begins, Some(sources), rows, width.bytes(), exec)?;
    Ok(RowMap { rows: map, width, len: rows })
}

/// The number of the run of each of `rows` rows on a device, in `width` bytes.
pub(super) fn numbers_on_device(
    begins: &Fixed<'_>,
    rows: usize,
    width: usize,
    exec: &Exec,
) -> Result<Buffer> {
    cuda::run_rows(begins, None, rows, width, exec)
}
