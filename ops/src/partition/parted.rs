//! Rows in parts, partitioned part by part.

use super::hash_partition;
use crate::pieces::{MAP_BYTES, Piece, piece_rows};
use columnade_buffers::{Exec, with_retry};
use columnade_columns::{Column, ColumnAccessor, Result};

/// Rows that lie in several parts, one after the other.
pub(crate) type Parted = Vec<ColumnAccessor>;

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
        let bytes = || Ok(3 * part.row_bytes()? + MAP_BYTES * part.rows());
        let len = piece_rows(part.rows(), exec, bytes)?;
        let split =
            with_retry(exec, Piece::all(part.rows(), len), Piece::halves, |piece, exec| -> Result<_> {
                let rows = piece.of(part, exec)?;
                hash_partition(&rows, &keys(&rows)?, count, seed, exec)
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
