//! The run of each row.

mod host;
#[cfg(test)]
mod tests;

use super::run_rows;
use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// The number of the run that each of `rows` rows belongs to. Run `i` begins at row `starts[i]` and ends where the next one
/// begins, the last one at the end; several may begin at one row, of which all but the last are empty.
///
/// ```text
/// starts  0 2 2 5, 6 rows → 0 0 2 2 2 3
/// ```
///
/// # Shapes and units
/// starts: n rows of [`Storage::I64`] without nulls, ascending from 0 → `rows` rows of `storage`, [`Storage::I64`] or
/// [`Storage::U32`].
///
/// # Errors
/// [`Error::UnsupportedStorage`]; [`Error::Memory`].
///
/// # Device
/// Host: each task searches its first run, and writes run after run. On a device one launch: so does each block, whose threads
/// share the runs.
///
/// # Source
/// `cudf/labeling/label_segments.cuh`.
pub fn run_numbers(starts: &Fixed<'_>, rows: usize, storage: Storage, exec: &Exec) -> Result<FixedData> {
    if starts.storage != Storage::I64 {
        return Err(Error::UnsupportedStorage { storage: starts.storage });
    }
    if !matches!(storage, Storage::I64 | Storage::U32) {
        return Err(Error::UnsupportedStorage { storage });
    }
    if exec.device() == Device::Host {
        return host::run_numbers(starts, rows, storage, exec);
    }
    let data = run_rows::numbers_on_device(starts, rows, storage.bytes(1), exec)?;
    Ok(FixedData { storage, len: rows, data, validity: None })
}
