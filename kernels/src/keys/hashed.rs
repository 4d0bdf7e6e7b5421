//! Rows too wide to pack: hashes, and comparison of rows.

use super::column::KeyColumn;
use super::packed::mix;
use super::{NullRows, PackedKey};

/// Rows as 64-bit hashes. Equal hashes do not imply equal rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashedRows<'a> {
    columns: &'a [KeyColumn<'a>],
    nulls: NullRows,
}

/// The hash of a null.
const NULL: u64 = 0x6a09_e667_f3bc_c909;

impl<'a> HashedRows<'a> {
    /// The rows of `columns`.
    pub(crate) fn new(columns: &'a [KeyColumn<'a>], nulls: NullRows) -> Self {
        Self { columns, nulls }
    }

    /// Writes the hashes of the rows from `start`, as many as `out` has.
    pub(crate) fn hash(&self, start: usize, out: &mut [u64]) {
        out.fill(0);
        let len = out.len();
        for column in self.columns {
            column.hash_rows(start, len, |index, value| mix_into(&mut out[index], value.unwrap_or(NULL)));
        }
        for hash in out.iter_mut().filter(|hash| **hash == u64::MISS) {
            *hash = 0;
        }
        if self.nulls == NullRows::Miss {
            for validity in self.columns.iter().filter_map(|column| column.validity) {
                for (index, hash) in out.iter_mut().enumerate() {
                    if !validity.get(start + index) {
                        *hash = u64::MISS;
                    }
                }
            }
        }
    }

    /// Whether two rows have the same keys.
    pub(crate) fn same(&self, row: usize, other: &HashedRows<'_>, other_row: usize) -> bool {
        self.columns.iter().zip(other.columns).all(|(a, b)| a.same(row, b, other_row))
    }
}

#[inline]
fn mix_into(hash: &mut u64, word: u64) {
    *hash = mix(*hash, word);
}
