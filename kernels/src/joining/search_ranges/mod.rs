//! Binary searches within ranges of a sorted list.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::pairs::MatchRanges;
use crate::{Error, Fixed, Result, RowMap, Storage};
use columnade_buffers::{Device, Exec};

/// Which end of the run of equal values is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The first position whose value is not less than the needle.
    Lower,
    /// The first position whose value is greater than the needle.
    Upper,
}

/// For each needle the position in its range of the list where it would be inserted, and its end if there is none. The
/// values of a range must be ascending in the order of the list. NaN is the greatest value, and −0.0 equals 0.0; masks are
/// not looked at.
///
/// ```text
/// values  5 1 3 3      list  1 2 3 0      needles  3 0      ranges  0..4  1..3      Lower  1 1      Upper  3 1
/// ```
///
/// # Shapes and units
/// needles: n rows, as many ranges → n positions, of the width of the ranges.
///
/// # Errors
/// [`Error::TypeMismatch`] for values of another storage type; [`Error::UnsupportedStorage`] for bits;
/// [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// One launch; a binary search for each needle.
///
/// # Source
/// cudf/search.hpp `lower_bound`, `upper_bound`.
pub fn search_ranges(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: &MatchRanges,
    bound: Bound,
    exec: &Exec,
) -> Result<RowMap> {
    if needles.storage != values.storage {
        return Err(Error::TypeMismatch);
    }
    if needles.storage == Storage::Bit {
        return Err(Error::UnsupportedStorage { storage: Storage::Bit });
    }
    if needles.len != ranges.starts.len {
        return Err(Error::LengthMismatch { left: needles.len, right: ranges.starts.len });
    }
    match exec.device() {
        Device::Host => host::search_ranges(needles, values, ranges, bound, exec),
        _ => cuda::search_ranges(needles, values, ranges, bound, exec),
    }
}
