//! A table over dense keys without hashing: one bit per possible key, and the rank of a key among the present
//! keys.

use crate::Result;
use crate::keys::{NO_TICKET, PackedKey};
use crate::scratch::Scratch;
use columnade_buffers::Exec;

/// 64 possible keys: which of them are present, and how many keys are present before them.
type Word = [u64; 2];

/// Maps each present key to its rank among all present keys. It takes a quarter of a byte per possible key,
/// so it stays in the cache where a hash table does not.
pub(super) struct RankTable {
    words: Scratch<Word>,
    len: usize,
}

impl RankTable {
    /// An empty table for keys below `bound`, in memory of `exec`.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(super) fn new(bound: usize, exec: &Exec) -> Result<Self> {
        Ok(Self { words: Scratch::filled(bound.div_ceil(64), [0; 2], exec)?, len: 0 })
    }

    /// Adds keys. Ranks are valid after [`RankTable::rank`].
    pub(super) fn add<K: PackedKey>(&mut self, keys: &[K]) {
        let words = self.words.as_mut_slice();
        for key in keys {
            let key = key.index();
            if let Some([present, _]) = words.get_mut(key / 64) {
                *present |= 1 << (key % 64);
            }
        }
    }

    /// Computes the ranks.
    pub(super) fn rank(&mut self) {
        self.len = 0;
        for [present, before] in self.words.as_mut_slice() {
            *before = self.len as u64;
            self.len += present.count_ones() as usize;
        }
    }

    /// The number of distinct keys.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The rank of each key, [`NO_TICKET`] for keys that are not present.
    pub(super) fn find<K: PackedKey>(&self, keys: &[K], out: &mut [u32]) {
        find(self.words.as_slice(), keys, out);
    }
}

vectorised! {
    // Vectorised for the population-count instruction.
    fn find[K: PackedKey](words: &[Word], keys: &[K], out: &mut [u32]) {
        for (key, out) in keys.iter().zip(out) {
            let key = key.index();
            let [present, before] = words.get(key / 64).copied().unwrap_or_default();
            let bit = 1_u64 << (key % 64);
            let rank = before as u32 + (present & (bit - 1)).count_ones();
            *out = if present & bit == 0 { NO_TICKET } else { rank };
        }
    }
}
