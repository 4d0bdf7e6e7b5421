//! Sums of runs of rows.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// The sum of `lengths[i]` values from row `starts[i]` on, nulls left out; 0 of none. Integers wrap around.
///
/// `None` for other types than integers of up to 64 bits. Their runs are aggregated as groups
/// ([`grouping::aggregate`](crate::grouping::aggregate)).
///
/// # Shapes and units
/// values: n rows; starts, lengths: m rows of [`Storage::I64`] without nulls → m rows of [`Storage::I64`], or of
/// [`Storage::U64`] for unsigned values, without nulls.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for other starts or lengths; [`Error::Memory`]. That the runs are
/// within the values is not checked before they are read.
///
/// # Device
/// Host: one pass. On a device one launch for short runs, and one more for those of more than 4,096 rows if there may be any.
/// Does not synchronise.
///
/// # Source
/// cudf/reduction.hpp `segmented_reduce`.
pub fn segmented_sum(
    values: &Fixed<'_>,
    starts: &Fixed<'_>,
    lengths: &Fixed<'_>,
    exec: &Exec,
) -> Result<Option<FixedData>> {
    for bounds in [starts, lengths] {
        if bounds.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: bounds.storage });
        }
    }
    if starts.len != lengths.len {
        return Err(Error::LengthMismatch { left: starts.len, right: lengths.len });
    }
    let is_summed = values.storage.is_integer() && values.storage != Storage::I128;
    if !is_summed {
        return Ok(None);
    }
    match exec.device() {
        Device::Host => host::segmented_sum(values, starts, lengths, exec).map(Some),
        _ => cuda::segmented_sum(values, starts, lengths, exec).map(Some),
    }
}
