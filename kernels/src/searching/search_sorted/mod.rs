//! Binary search in ranges of sorted rows.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Where a value is inserted among equal ones. The discriminants are those in `search_sorted.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum SearchSide {
    /// Before them.
    Left = 0,
    /// After them.
    Right = 1,
}

/// A range of sorted rows for each needle.
#[derive(Clone, Copy, Debug)]
pub struct Ranges<'a> {
    /// The first row of each, `I64`.
    pub starts: Fixed<'a>,
    /// The row after the last one of each, `I64`.
    pub ends: Fixed<'a>,
}

/// The first row of range `i` whose value is not less than `needles[i]`, or with [`SearchSide::Right`] is greater; the end of the
/// range if there is none.
///
/// Ranges are cut to the rows of `values`, whose values ascend within each range. Nulls are not looked at.
///
/// ```text
/// values           1 3 3 5      needles  3 3 9      ranges  0..4 2..4 0..3      left  1 2 3      right  3 3 3
/// ```
///
/// # Shapes and units
/// values: n rows of `I64`; needles, ranges: m rows of `I64` → m rows of `I64`.
///
/// # Errors
/// [`Error::UnsupportedStorage`], [`Error::LengthMismatch`].
///
/// # Device
/// One launch; a thread reads the logarithm of its range. Does not synchronise.
///
/// # Source
/// cudf/search.hpp `lower_bound`, `upper_bound`; pandas `searchsorted`.
pub fn search_sorted(
    values: &Fixed<'_>,
    needles: &Fixed<'_>,
    ranges: &Ranges<'_>,
    side: SearchSide,
    exec: &Exec,
) -> Result<FixedData> {
    for column in [values, needles, &ranges.starts, &ranges.ends] {
        if column.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: column.storage });
        }
    }
    let len = needles.len;
    for column in [&ranges.starts, &ranges.ends] {
        if column.len != len {
            return Err(Error::LengthMismatch { left: len, right: column.len });
        }
    }
    let data = match exec.device() {
        Device::Host => host::search_sorted(values, needles, ranges, side, exec)?,
        _ => cuda::search_sorted(values, needles, ranges, side, exec)?,
    };
    Ok(FixedData { storage: Storage::I64, len, data, validity: None })
}
