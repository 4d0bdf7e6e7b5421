//! Windows of a number of rows before and after each row, cut to ranges.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::windows::{FAR, check_after};
use crate::searching::search_sorted::Ranges;
use crate::{Error, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// The windows of rows, as [`WindowBounds`](super::rolling_window::WindowBounds) takes them.
#[derive(Clone, Debug)]
pub struct RowWindows {
    /// The first row of each window, `I64` without nulls.
    pub starts: FixedData,
    /// The row after the last one of each window, `I64` without nulls.
    pub ends: FixedData,
}

/// The window of each row: the `before` rows before it, the row and the `after` rows after it, as far as they are in the
/// range of the row. Where `after` is −1 the row itself is left out. A row whose range starts at a null has a window of no
/// rows.
///
/// ```text
/// ranges  0..3 0..3 0..3 null..0 4..6 4..6      before 1, after 0      0..1 0..2 1..3 0..0 4..5 4..6
///                                               before 1, after −1     0..0 0..1 1..2 0..0 4..4 4..5
/// ```
///
/// # Shapes and units
/// ranges: n rows of `I64`, range i with row i unless it starts at a null → twice n rows of `I64`.
///
/// # Errors
/// [`Error::UnsupportedStorage`], [`Error::LengthMismatch`], [`Error::InvalidArgument`] for an `after` below −1.
///
/// # Device
/// One launch, which reads and writes each bound once. Does not synchronise.
///
/// # Source
/// The bounds in cudf/rolling.hpp `grouped_rolling_window`; pandas `FixedWindowIndexer`.
pub fn row_windows(ranges: &Ranges<'_>, before: u64, after: i64, exec: &Exec) -> Result<RowWindows> {
    for bounds in [&ranges.starts, &ranges.ends] {
        if bounds.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: bounds.storage });
        }
    }
    let len = ranges.starts.len;
    if ranges.ends.len != len {
        return Err(Error::LengthMismatch { left: len, right: ranges.ends.len });
    }
    check_after(after)?;
    let (before, after) = (before.min(FAR.cast_unsigned()).cast_signed(), after.min(FAR));
    let [starts, ends] = match exec.device() {
        Device::Host => host::row_windows(ranges, before, after, exec)?,
        _ => cuda::row_windows(ranges, before, after, exec)?,
    }
    .map(|data| FixedData { storage: Storage::I64, len, data, validity: None });
    Ok(RowWindows { starts, ends })
}
