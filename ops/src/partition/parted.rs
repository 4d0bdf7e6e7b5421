//! Rows in parts, partitioned part by part.

use super::hash_partition;
use crate::pieces::{Cut, MAP_BYTES, Needs, in_pieces, leave};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Result};

/// Rows that lie in several parts, one after the other.
pub(crate) type Parted = Vec<ColumnAccessor>;

/// Has the rows of all parts brought home in the background, each part in buffers of its own. What cannot be is brought
/// when it is wanted.
pub(crate) fn look_ahead(parts: &mut Parted, exec: &Exec) {
    for part in parts {
        if let Ok(own) = part.isolate(exec) {
            own.will_need();
            *part = own;
        }
    }
}

/// Partitions at a time at most. More would make pieces of few rows; what does not fit then is partitioned again.
const MOST: usize = 64;

/// Into how many partitions `bytes` bytes go, so that each comes to fit `room`.
pub(crate) fn partition_count(bytes: usize, room: usize) -> usize {
    // Hashing is not even: partitions are planned a quarter smaller than what fits.
    let count = bytes.saturating_add(bytes / 4).div_ceil(room.max(1));
    count.clamp(2, MOST).next_power_of_two()
}

/// The rows of all parts by the hash of their keys, which `keys` gives for a piece of them: for each partition its
/// rows, in order. No more is brought together at a time than fits the budget.
pub(crate) fn partition_parts(
    parts: &[ColumnAccessor],
    count: usize,
    seed: u64,
    exec: &Exec,
    keys: impl for<'a> Fn(&'a ColumnAccessor) -> Result<Vec<&'a Column>>,
) -> Result<Vec<Parted>> {
    let mut partitions: Vec<Parted> = (0..count).map(|_| Parted::new()).collect();
    for part in parts {
        let needs = || {
            let operands = part.row_bytes()?;
            Ok(Needs { operands, others: 2 * operands + MAP_BYTES * part.rows(), beside: 0 })
        };
        let cut = Cut::of(part.rows(), exec, needs)?;
        let split = in_pieces(part, cut, exec, |piece, exec| {
            let (rows, offsets) = hash_partition(piece, &keys(piece)?, count, seed, exec)?;
            leave(&rows)?;
            Ok((rows, offsets))
        })?;
        for (rows, offsets) in split {
            for (partition, ends) in partitions.iter_mut().zip(offsets.windows(2)) {
                // An empty partition keeps one part, for its columns.
                if ends[1] > ends[0] || partition.is_empty() {
                    if partition.first().is_some_and(|first| first.rows() == 0) {
                        partition.clear();
                    }
                    partition.push(rows.slice(ends[0], ends[1] - ends[0])?);
                }
            }
        }
    }
    Ok(partitions)
}
