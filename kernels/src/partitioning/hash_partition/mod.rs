//! Partitions rows by a hash of their keys.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::keys::device_row_width;
use crate::{Error, Result, RowMap, RowWidth, View};
use columnade_buffers::{Device, Exec};
use std::ops::Range;

/// The largest number of partitions.
pub const MAX_PARTITIONS: usize = 1 << 16;

/// Rows by partition.
#[derive(Clone, Debug)]
pub struct Partitions {
    /// The rows of partition 0, then those of partition 1, …; each in row order.
    pub rows: RowMap,
    /// Where each partition begins in `rows`, then the number of rows.
    pub offsets: Vec<usize>,
}

impl Partitions {
    /// The number of partitions.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no partitions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The range of each partition in `rows`.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.offsets.windows(2).map(|ends| ends[0]..ends[1])
    }
}

/// The most bytes that [`hash_partition`] of so many rows takes, its result included.
pub fn scratch_bytes(rows: usize, device: Device) -> usize {
    if device == Device::Host {
        // The partition of each row, and the result.
        return (size_of::<u16>() + RowWidth::for_rows(rows).bytes()) * rows;
    }
    // The result, partitions before and after the sort, row numbers, and two arrays of the sort's.
    6 * device_row_width(rows).bytes() * rows
}

/// Splits the rows into `count` partitions, so that rows with equal values in all of `keys` are in the same
/// one. Nulls are equal, NaNs are equal, −0.0 equals 0.0.
///
/// ```text
/// keys  b a c b a      rows  1 4 | 0 3 | 2      offsets  0 2 4 5
/// ```
/// The partition of a key depends only on its values, `count` and `seed`: not on the column, the width and sign
/// of integers, the width of string offsets or the device. Different keys in one partition under one seed are in different ones under
/// another.
///
/// # Shapes and units
/// keys: one or more columns of n rows, any storage type → n row numbers, `count + 1` offsets.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::InvalidArgument`] without a key, and for a `count` of 0 or above
/// [`MAX_PARTITIONS`].
///
/// # Device
/// One launch over the rows for each 16 keys, a radix sort of their partitions, a search for each partition among the sorted
/// ones, and one synchronisation for the sizes.
///
/// # Source
/// cudf/partitioning.hpp `hash_partition`.
pub fn hash_partition(keys: &[View<'_>], count: usize, seed: u64, exec: &Exec) -> Result<Partitions> {
    let Some(first) = keys.first() else {
        return Err(Error::InvalidArgument { name: "keys", reason: "there are none" });
    };
    if let Some(other) = keys.iter().find(|key| key.len() != first.len()) {
        return Err(Error::LengthMismatch { left: first.len(), right: other.len() });
    }
    if count == 0 || count > MAX_PARTITIONS {
        return Err(Error::InvalidArgument { name: "count", reason: "it is not between 1 and 65536" });
    }
    match exec.device() {
        Device::Host => host::hash_partition(keys, count, seed, exec),
        _ => cuda::hash_partition(keys, count, seed, exec),
    }
}

/// The offsets of partitions of these sizes, and the end of the last one.
fn offsets(sizes: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut offsets = vec![0];
    let mut end = 0;
    offsets.extend(sizes.into_iter().map(|size| {
        end += size;
        end
    }));
    offsets
}
