//! Key columns of a row as one integer, and tables of such integers: what grouping and joining share on the host.
//!
//! [`KeyLayout`] measures the key columns once (ranges of integers, lengths of texts) and says how a row becomes a
//! packed key of 64 or 128 bits; equal rows have equal keys and the other way round. Rows too wide for that are
//! hashed and compared ([`HashedRows`]). Either way a [`GroupTable`] gives every distinct key a ticket: 0, 1, 2 … in
//! order of first appearance.
//!
//! ```text
//! keys      (7, "ab")  (9, "c")  (7, "ab")  (null, "c")
//! packed    0x0_026261 …                                   one integer a row
//! tickets   0          1         0          2
//! ```

mod column;
mod group_table;
mod hashed;
mod layout;
mod pack;
mod packed;
mod source;
#[cfg(test)]
pub(crate) mod test_columns;
#[cfg(test)]
mod tests;

pub(crate) use column::{Cells, KeyColumn, StringCells, normal32, normal64, short_word};
pub(crate) use group_table::{FirstRows, GroupTable, NO_TICKET};
pub(crate) use hashed::HashedRows;
pub(crate) use layout::{KeyLayout, KeyWidth};
pub(crate) use pack::{Origin, Packer};
pub(crate) use packed::PackedKey;
pub(crate) use source::{KEY_BATCH, RowKeys};

use crate::RowWidth;

/// What a null in a key column does to its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullRows {
    /// A null is a value of its own, equal to other nulls.
    Keys,
    /// The row takes no part: its packed key is [`PackedKey::MISS`].
    Miss,
}

/// Key columns that the `.cu` files take: `kMaxKeys` of `rows.cuh`.
pub(crate) const MAX_DEVICE_KEYS: usize = 16;

/// The width of row numbers in device tables of `rows` rows: slots, of which there are at least twice as many, have
/// the same one.
pub(crate) fn device_row_width(rows: usize) -> RowWidth {
    if rows < 1 << 30 { RowWidth::U32 } else { RowWidth::U64 }
}
