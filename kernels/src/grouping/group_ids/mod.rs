//! Numbers the groups of equal rows.

mod chunks;
mod cuda;
mod host;
mod ordered;
mod partitioned;
#[cfg(test)]
mod test_chunks;
#[cfg(test)]
mod tests;

pub use chunks::{ChunkedGroupIds, KeyRanges};

use crate::keys::{MeasuredKeys, device_row_width};
use crate::tuning::{GROUP_PARTITION_ROWS, GROUP_PARTITION_TABLE_ROWS};
use crate::{Error, Result, RowMap, View};
use columnade_buffers::{Device, Exec};

/// How rows with a null key are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NullKeys {
    /// They are in no group (pandas `dropna=True`).
    Drop,
    /// A null is a key that equals other nulls.
    Group,
}

/// Groups of rows with equal keys, numbered 0, 1, 2 … in order of first appearance.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The group of each row; all ones for no group. Always [`crate::RowWidth::U32`].
    pub ids: RowMap,
    /// The first row of each group, ascending.
    pub first_rows: RowMap,
}

impl Groups {
    /// The number of groups.
    pub fn len(&self) -> usize {
        self.first_rows.len
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Threads that [`scratch_bytes`] assumes, and not those that there are: rows are split by it, and the last bits of sums of
/// floats would depend on them.
const SCRATCH_TABLES: usize = 4;

/// The most bytes that [`group_ids`] of `rows` rows of `groups` groups takes, its result included.
pub fn scratch_bytes(rows: usize, groups: usize, device: Device) -> usize {
    let groups = groups.min(rows);
    if device != Device::Host {
        let row = device_row_width(rows).bytes();
        // Up to four slots, the slot of each row and in its block, and ids; the slots of each block; marks and counts of 32
        // rows each; first rows.
        let (tile_rows, tile_slots) = cuda::tile(rows);
        let blocks = rows.div_ceil(tile_rows) * tile_slots * row;
        return ((4 + 1) * row + 2 + 4) * rows + blocks + (4 + row) * rows.div_ceil(32) + row * groups;
    }
    if rows >= GROUP_PARTITION_ROWS && groups >= GROUP_PARTITION_ROWS / 4 {
        // Keys, rows, tickets, partitions, first rows, marks and their ranks, and ids; a table for each thread.
        let table = 4 * GROUP_PARTITION_TABLE_ROWS * (2 * 32 + 16);
        return (16 + 4 + 4 + 2 + 4 + 1 + 4) * rows + SCRATCH_TABLES * table;
    }
    // The ids. Of each group up to four slots, as a table at most half used may have doubled; the key and the first row,
    // in lists of up to twice the length while they are moved to them. Each thread has a table before all have one.
    let group = 4 * 16 + 3 * 8 + 3 * 4;
    4 * rows + group * (groups + rows.min(SCRATCH_TABLES * groups))
}

/// The group of each row by its values in all of `keys`. NaNs are equal, −0.0 equals 0.0.
///
/// ```text
/// key   b a b null a c      ids  0 1 0 none 1 2      first_rows  0 1 5      (NullKeys::Drop)
/// ```
/// Ids do not depend on the device or the number of threads.
///
/// # Shapes and units
/// keys: one or more columns of n rows, any storage type → n ids, one first row per group.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::InvalidArgument`] without a key; [`Error::NotImplemented`] for 2³² − 1 groups or more.
///
/// # Device
/// A hash table of rows, which blocks of 1,024 to 8,192 rows, more where rows are many, ask once for each key if keys fit in
/// 64 bits, a scan over a count for each 32 rows, and one synchronisation for the number of groups. Keys whose types take more
/// than 64 bits are measured first, by one pass over integers and the offsets of strings of up to seven bytes on average, and
/// one synchronisation: their ranges, or the longest strings, may fit. Keys of few bits,
/// at most four codes a row, address the table themselves. Of more than 16 keys the first 16 are numbered so, and the numbers
/// are a key beside the others.
///
/// # Source
/// cudf/groupby.hpp `groupby::get_groups`, pandas `GroupBy.ngroup(sort=False)`.
pub fn group_ids(keys: &[View<'_>], nulls: NullKeys, exec: &Exec) -> Result<Groups> {
    group_ids_of_measured(keys, nulls, &mut MeasuredKeys::none(), exec)
}

/// [`group_ids`] of keys of which another launcher may have measured some.
pub(super) fn group_ids_of_measured(
    keys: &[View<'_>],
    nulls: NullKeys,
    measured: &mut MeasuredKeys,
    exec: &Exec,
) -> Result<Groups> {
    let Some(first) = keys.first() else {
        return Err(Error::InvalidArgument { name: "keys", reason: "there are none" });
    };
    if let Some(other) = keys.iter().find(|key| key.len() != first.len()) {
        return Err(Error::LengthMismatch { left: first.len(), right: other.len() });
    }
    match exec.device() {
        Device::Host => host::group_ids(keys, nulls, exec),
        _ => cuda::group_ids(keys, nulls, measured, exec),
    }
}
