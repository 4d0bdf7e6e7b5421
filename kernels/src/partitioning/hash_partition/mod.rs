//! Orders rows by a hash of their keys, so that equal rows come to lie in one partition.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Error, Result, RowMap, View};
use columnade_buffers::{Device, Exec};
use std::ops::Range;

/// The most partitions that rows are split into at a time.
pub const MAX_PARTITIONS: usize = 1 << 16;

/// Rows by partition.
#[derive(Clone, Debug)]
pub struct Partitions {
    /// The rows of partition 0, those of partition 1, …; the rows of each in their order.
    pub rows: RowMap,
    /// Where each partition begins in `rows`, and the number of rows.
    pub offsets: Vec<usize>,
}

impl Partitions {
    /// The number of partitions.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is no partition.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the rows of each partition lie in `rows`.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.offsets.windows(2).map(|ends| ends[0]..ends[1])
    }
}

/// Splits the rows into `count` partitions, so that rows with equal values in all of `keys` are in the same one. Nulls
/// are equal, NaNs are equal, −0.0 equals 0.0.
///
/// ```text
/// keys  b a c b a      rows  1 4 | 0 3 | 2      offsets  0 2 4 5
/// ```
/// The partition of a key depends on its values, `count` and `seed` alone: not on the column, the width of text offsets
/// or the device. Keys that meet under one seed part under another.
///
/// # Shapes and units
/// keys: one or more columns of n rows, any storage type → n row numbers, `count + 1` offsets.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::NotImplemented`] without a key, and for a `count` of 0 or above
/// [`MAX_PARTITIONS`].
///
/// # Device
/// One launch over the rows, a radix sort of their partitions, one synchronisation for the sizes.
///
/// # Source
/// cudf/partitioning.hpp `hash_partition`.
pub fn hash_partition(keys: &[View<'_>], count: usize, seed: u64, exec: &Exec) -> Result<Partitions> {
    let Some(first) = keys.first() else {
        return Err(Error::NotImplemented { feature: "partitioning by no key" });
    };
    if let Some(other) = keys.iter().find(|key| key.len() != first.len()) {
        return Err(Error::LengthMismatch { left: first.len(), right: other.len() });
    }
    if count == 0 || count > MAX_PARTITIONS {
        return Err(Error::NotImplemented { feature: "no partition, or more than 65536" });
    }
    match exec.device() {
        Device::Host => host::hash_partition(keys, count, seed, exec),
        _ => cuda::hash_partition(keys, count, seed, exec),
    }
}

/// Where partitions of these sizes begin, and where the last one ends.
fn offsets(sizes: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut offsets = vec![0];
    let mut end = 0;
    offsets.extend(sizes.into_iter().map(|size| {
        end += size;
        end
    }));
    offsets
}
