//! The interface of packed and hashed key columns for grouping and joining.

use super::group_table::RowList;
use super::{FirstRows, GroupTable, HashedRows, PackedKey, Packer};

/// Rows that are packed at a time: keys and tickets of a batch stay in the L1 cache.
pub(crate) const KEY_BATCH: usize = 1024;

/// Rows as keys of type `K`.
pub(crate) trait RowKeys<K>: Copy + Sync {
    /// Whether rows with equal `K` are always equal.
    const EXACT: bool;
    /// Writes the keys of the rows from `start`, as many as `out` has.
    fn keys(&self, start: usize, out: &mut [K]);
    /// Whether two rows with equal `K` are equal.
    fn same(&self, row: usize, other: &Self, other_row: usize) -> bool;

    /// The tickets of `keys` in `table`. `row` maps an index of the batch to its row; the first rows of new
    /// groups are appended to `first_rows`. Both must have capacity for as many groups as there are keys.
    fn tickets<L: RowList>(
        &self,
        table: &mut GroupTable<K>,
        keys: &[K],
        out: &mut [u32],
        first_rows: &mut L,
        row: impl Fn(usize) -> usize,
    ) where
        K: PackedKey,
    {
        if Self::EXACT {
            table.tickets_where(keys, out, &mut FirstRows { rows: first_rows, row, same: |_, _| true });
        } else {
            let same = |a, b| self.same(a, self, b);
            table.tickets_where(keys, out, &mut FirstRows { rows: first_rows, row, same });
        }
    }
}

impl<K: PackedKey> RowKeys<K> for Packer<'_> {
    const EXACT: bool = true;
    fn keys(&self, start: usize, out: &mut [K]) {
        self.pack(start, out);
    }
    #[inline]
    fn same(&self, _: usize, _: &Self, _: usize) -> bool {
        true
    }
}

impl RowKeys<u64> for HashedRows<'_> {
    const EXACT: bool = false;
    fn keys(&self, start: usize, out: &mut [u64]) {
        self.hash(start, out);
    }
    fn same(&self, row: usize, other: &Self, other_row: usize) -> bool {
        self.same(row, other, other_row)
    }
}
