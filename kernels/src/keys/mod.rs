//! The key columns of a row as one integer, and hash tables of such integers: shared by grouping and joining
//! on the host.
//!
//! [`KeyLayout`] measures the key columns once (ranges of integers and of the bytes of strings) and determines how a
//! row becomes a packed key of 64 or 128 bits; keys are equal exactly if rows are. Rows too wide for that are
//! hashed and compared ([`HashedRows`]). In both cases a [`GroupTable`] maps every distinct key to a ticket:
//! 0, 1, 2 … in order of first appearance.
//!
//! ```text
//! keys      (7, "ab")  (9, "c")  (7, "ab")  (null, "c")
//! packed    1            2        1          0              one integer a row
//! tickets   0          1         0          2
//! ```

mod column;
mod group_table;
mod hashed;
mod layout;
pub(crate) mod many;
mod pack;
mod packed;
mod partitions;
mod source;
mod string_code;
#[cfg(test)]
pub(crate) mod test_columns;
#[cfg(test)]
mod tests;

pub(crate) use column::{Cells, KeyColumn, StringCells, normal32, normal64, short_word};
pub(crate) use group_table::{FirstRows, GroupTable, NO_TICKET, SameKey};
pub(crate) use hashed::HashedRows;
pub(crate) use layout::{KeyLayout, KeyRanges, KeyWidth};
pub(crate) use pack::{Origin, Packer};
pub(crate) use packed::PackedKey;
pub(crate) use partitions::{Part, PartitionTables, PartitionedRows, number_partition};
pub(crate) use source::{KEY_BATCH, RowKeys};

use crate::RowWidth;
use crate::tuning::KeyPolicy;

/// How a null in a key column affects its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullRows {
    /// A null is a key that equals other nulls.
    Keys,
    /// The row is excluded: its packed key is [`PackedKey::MISS`].
    Miss,
}

/// The most key columns of the `.cu` files.
pub(crate) const MAX_DEVICE_KEYS: usize = KeyPolicy::MOST;

/// What one launcher has measured of key columns, for the next one: `kMeasuredWords` of `key_ranges.cuh`.
#[derive(Debug)]
pub(crate) struct MeasuredKeys([u64; 2 * MAX_DEVICE_KEYS + 1]);

impl MeasuredKeys {
    /// Nothing is measured.
    pub(crate) fn none() -> Self {
        Self([0; 2 * MAX_DEVICE_KEYS + 1])
    }

    /// The address of its words.
    pub(crate) fn as_mut_ptr(&mut self) -> *mut u64 {
        self.0.as_mut_ptr()
    }
}

/// The width of row numbers in device tables of `rows` rows. Slot numbers, of which there are at least twice
/// as many, have the same width.
pub(crate) fn device_row_width(rows: usize) -> RowWidth {
    if rows < 1 << 30 && !crate::limits::are_small() { RowWidth::U32 } else { RowWidth::U64 }
}
