//! Runs of consecutive source rows in a row map.

use super::host::Index;
use crate::simd::pack_flags;

vectorised! {
    /// Sets the bit of each row of `map` that begins a run, the first one among them; `starts` has a word for each 64 rows.
    pub(super) fn mark_starts[I: Index](map: &[I], starts: &mut [u64]) {
        let Some(&first) = map.first() else { return };
        // The row before the first one is one that it does not follow.
        let mut previous = first;
        for (rows, word) in map.chunks(64).zip(&mut *starts) {
            let mut flags = [0_u8; 64];
            flags[0] = u8::from(!rows[0].follows(previous));
            for ((flag, row), previous) in flags[1..].iter_mut().zip(&rows[1..]).zip(rows) {
                *flag = u8::from(!row.follows(*previous));
            }
            *word = pack_flags(&flags);
            previous = rows[rows.len() - 1];
        }
    }
}

/// Calls `run` with the first row and the length of each run of `rows` rows, whose starts are marked.
#[inline]
pub(super) fn for_each_run(starts: &[u64], rows: usize, mut run: impl FnMut(usize, usize)) {
    let mut first = 0;
    for (word, &bits) in starts.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            let next = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if next > first {
                run(first, next - first);
                first = next;
            }
        }
    }
    if rows > first {
        run(first, rows - first);
    }
}
