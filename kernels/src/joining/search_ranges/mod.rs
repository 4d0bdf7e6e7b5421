//! Binary searches within ranges of a sorted list.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::pairs::MatchRanges;
use crate::{Error, Fixed, Result, RowMap, Storage};
use columnade_buffers::{Device, Exec, ReadGuard};

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
    check(needles, values, Some(ranges))?;
    match exec.device() {
        Device::Host => host::search_ranges(needles, values, ranges, bound, exec),
        _ => cuda::search_ranges(needles, values, ranges, bound, exec),
    }
}

/// Which value next to a needle is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Neighbor {
    /// The last value that is less than the needle.
    Before,
    /// The last value that is not greater.
    BeforeOrEqual,
    /// The first value that is greater.
    After,
    /// The first value that is not less.
    AfterOrEqual,
}

impl Neighbor {
    /// The bound whose position the value is at, or before.
    const fn bound(self) -> Bound {
        match self {
            Neighbor::Before | Neighbor::AfterOrEqual => Bound::Lower,
            Neighbor::BeforeOrEqual | Neighbor::After => Bound::Upper,
        }
    }

    const fn is_before(self) -> bool {
        matches!(self, Neighbor::Before | Neighbor::BeforeOrEqual)
    }
}

/// For each needle the row of the value next to it in its range, and no row for a null or where there is none. Ranges, list and
/// order as of [`search_ranges`]; without ranges all values are one, in their order.
///
/// ```text
/// values  5 1 3 3      list  1 2 3 0      needles  3 0      ranges  0..4  1..3      Before  1 -      AfterOrEqual  2 2
/// ```
///
/// # Shapes and units
/// needles: n rows, as many ranges → n rows of the values, of the width of the ranges, else of the number of values.
///
/// # Errors
/// Those of [`search_ranges`].
///
/// # Device
/// One launch; a binary search for each needle.
///
/// # Source
/// pandas `merge_asof`, DuckDB `asof join`.
pub fn nearest_rows(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: Option<&MatchRanges>,
    neighbor: Neighbor,
    exec: &Exec,
) -> Result<RowMap> {
    check(needles, values, ranges)?;
    match exec.device() {
        Device::Host => host::nearest_rows(needles, values, ranges, neighbor, exec),
        _ => cuda::nearest_rows(needles, values, ranges, neighbor, exec),
    }
}

fn check(needles: &Fixed<'_>, values: &Fixed<'_>, ranges: Option<&MatchRanges>) -> Result<()> {
    if needles.storage != values.storage {
        return Err(Error::TypeMismatch);
    }
    if needles.storage == Storage::Bit {
        return Err(Error::UnsupportedStorage { storage: Storage::Bit });
    }
    let len = ranges.map_or(needles.len, |ranges| ranges.starts.len);
    if needles.len == len { Ok(()) } else { Err(Error::LengthMismatch { left: needles.len, right: len }) }
}

/// The rows of a map that there may be.
fn read<'a>(map: Option<&'a RowMap>, exec: &'a Exec) -> Result<Option<ReadGuard<'a>>> {
    Ok(map.map(|map| map.rows.read(exec)).transpose()?)
}
