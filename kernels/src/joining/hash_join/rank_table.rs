//! A table over dense keys without hashing: one bit per possible key, and the rank of a key among the present
//! keys.

use crate::keys::{NO_TICKET, PackedKey};

/// 64 possible keys.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    /// Which of them are present.
    keys: u64,
    /// How many keys are present before them.
    before: u32,
}

/// Maps each present key to its rank among all present keys. It takes a quarter of a byte per possible key,
/// so it stays in the cache where a hash table does not.
#[derive(Clone, Debug)]
pub(super) struct RankTable {
    words: Vec<Word>,
    len: usize,
}

impl RankTable {
    /// An empty table for keys less than `bound`.
    pub(super) fn new(bound: usize) -> Self {
        Self { words: vec![Word::default(); bound.div_ceil(64)], len: 0 }
    }

    /// Adds keys. Ranks are valid after [`RankTable::rank`].
    pub(super) fn add<K: PackedKey>(&mut self, keys: &[K]) {
        for key in keys {
            let key = key.index();
            if let Some(word) = self.words.get_mut(key / 64) {
                word.keys |= 1 << (key % 64);
            }
        }
    }

    /// Computes the ranks.
    pub(super) fn rank(&mut self) {
        self.len = 0;
        for word in &mut self.words {
            word.before = self.len as u32;
            self.len += word.keys.count_ones() as usize;
        }
    }

    /// The number of distinct keys.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The rank of each key, [`NO_TICKET`] for keys that are not present.
    pub(super) fn find<K: PackedKey>(&self, keys: &[K], out: &mut [u32]) {
        find(&self.words, keys, out);
    }
}

vectorised! {
    // Vectorised for the population-count instruction.
    fn find[K: PackedKey](words: &[Word], keys: &[K], out: &mut [u32]) {
        for (key, out) in keys.iter().zip(out) {
            let key = key.index();
            let word = words.get(key / 64).copied().unwrap_or_default();
            let bit = 1_u64 << (key % 64);
            let rank = word.before + (word.keys & (bit - 1)).count_ones();
            *out = if word.keys & bit == 0 { NO_TICKET } else { rank };
        }
    }
}
