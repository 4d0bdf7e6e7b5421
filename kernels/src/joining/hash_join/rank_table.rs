//! A table over dense keys without hashing: one bit per possible key, and the rank of a key among the present
//! keys.

use crate::Result;
use crate::keys::{NO_TICKET, PackedKey};
use crate::scratch::Scratch;
use columnade_buffers::Exec;
use std::sync::atomic::Ordering::Relaxed;

/// 64 possible keys: which of them are present, and how many keys are present before them.
type Word = [u64; 2];

/// Maps each present key to its rank among all present keys. It takes a quarter of a byte per possible key,
/// so it stays in the cache where a hash table does not.
pub(super) struct RankTable {
    /// A [`Word`] for each 64 possible keys.
    words: Scratch<u64>,
    len: usize,
}

impl RankTable {
    /// An empty table for keys below `bound`, in memory of `exec`.
    ///
    /// # Errors
    /// When memory cannot be had.
    pub(super) fn new(bound: usize, exec: &Exec) -> Result<Self> {
        Ok(Self { words: Scratch::filled(2 * bound.div_ceil(64), 0, exec)?, len: 0 })
    }

    /// Adds keys: `add_keys` hands them to its argument, from any threads. Ranks are valid after [`RankTable::rank`].
    pub(super) fn add_all<K: PackedKey>(&mut self, add_keys: impl FnOnce(&(dyn Fn(&[K]) + Sync))) {
        let words = self.words.as_atomics();
        add_keys(&|keys| {
            for key in keys {
                let key = key.index();
                if let Some(present) = words.get(key / 64 * 2) {
                    let bit = 1 << (key % 64);
                    // Most keys of a side that repeats them are there already.
                    if present.load(Relaxed) & bit == 0 {
                        present.fetch_or(bit, Relaxed);
                    }
                }
            }
        });
    }

    /// Computes the ranks.
    pub(super) fn rank(&mut self) {
        self.len = 0;
        for [present, before] in self.words.as_mut_slice().as_chunks_mut::<2>().0 {
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
        find(self.words.as_slice().as_chunks().0, keys, out);
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
