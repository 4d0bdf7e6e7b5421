//! Binary searches within ranges of a sorted list.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::pairs::MatchRanges;
use crate::{Error, Fixed, Result, RowMap, Storage, Value};
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
    /// Of the last value that is less and the first one that is greater the one whose distance is less; the last one that is less
    /// if they are equally far.
    Nearer,
    /// The last value that is equal, if there is one; else as [`Nearer`](Self::Nearer).
    NearerOrEqual,
}

impl Neighbor {
    /// The bound whose position the value is at, or before.
    const fn bound(self) -> Bound {
        match self {
            Neighbor::Before | Neighbor::AfterOrEqual | Neighbor::Nearer => Bound::Lower,
            Neighbor::BeforeOrEqual | Neighbor::After | Neighbor::NearerOrEqual => Bound::Upper,
        }
    }
}

/// For each needle the row of the value next to it in its range, and no row for a null, where there is none, and where its
/// distance is greater than `limit`. Ranges, list and order as of [`search_ranges`]; without ranges all values are one, in their
/// order.
///
/// A distance of integers is exact, one of floats is their difference, rounded; equal values, infinite ones and NaN among them,
/// have the distance 0. One that is NaN is greater than every limit.
///
/// ```text
/// values  5 1 3 3      list  1 2 3 0      needles  3 0      ranges  0..4  1..3      Before  1 -      AfterOrEqual  2 2
/// ```
///
/// # Shapes and units
/// needles: n rows, as many ranges → n rows of the values, of the width of the ranges, else of the number of values. `limit`: not
/// negative; [`Value::U64`] for integers of up to 64 bits, else of the storage type of the values.
///
/// # Errors
/// Those of [`search_ranges`]; [`Error::TypeMismatch`] for a limit of another type.
///
/// # Device
/// One launch; a binary search for each needle, [`Neighbor::Nearer`] two.
///
/// # Source
/// pandas `merge_asof`, DuckDB `asof join`.
pub fn nearest_rows(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: Option<&MatchRanges>,
    neighbor: Neighbor,
    limit: Option<Value>,
    exec: &Exec,
) -> Result<RowMap> {
    check(needles, values, ranges)?;
    if limit.is_some_and(|limit| limit.storage() != distance_storage(needles.storage)) {
        return Err(Error::TypeMismatch);
    }
    match exec.device() {
        Device::Host => host::nearest_rows(needles, values, ranges, neighbor, limit, exec),
        _ => cuda::nearest_rows(needles, values, ranges, neighbor, limit, exec),
    }
}

/// The type of the greatest distance of values.
const fn distance_storage(values: Storage) -> Storage {
    match values {
        Storage::F32 | Storage::F64 | Storage::I128 | Storage::Bit => values,
        Storage::I8
        | Storage::I16
        | Storage::I32
        | Storage::I64
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64 => Storage::U64,
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
