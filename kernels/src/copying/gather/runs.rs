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

#[cfg(test)]
mod tests {
    use super::*;
    use columnade_tests::{Rng, SIZES};

    /// The runs of a map, row by row.
    fn expected(map: &[u32]) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (row, &index) in map.iter().enumerate() {
            match runs.last_mut() {
                Some((_, len)) if index != u32::MAX && map[row - 1].checked_add(1) == Some(index) => {
                    *len += 1;
                }
                _ => runs.push((row, 1)),
            }
        }
        runs
    }

    #[test]
    fn runs_are_those_of_rows_one_by_one() {
        let mut rng = Rng::new(5);
        for n in SIZES {
            for longest in [1, 3, 90] {
                let mut map = Vec::new();
                while map.len() < n {
                    match rng.below(6) {
                        0 => map.push(u32::MAX),
                        // After a row without a source, 0 begins a run.
                        1 => map.extend([u32::MAX, 0]),
                        _ => {
                            let first = rng.below(1000) as u32;
                            map.extend((0..=rng.below(longest) as u32).map(|k| first + k));
                        }
                    }
                }
                map.truncate(n);
                let mut starts = vec![0; n.div_ceil(64)];
                mark_starts(&map, &mut starts);
                let wide: Vec<u64> =
                    map.iter().map(|&row| if row == u32::MAX { u64::MAX } else { u64::from(row) }).collect();
                let mut of_wide = vec![0; n.div_ceil(64)];
                mark_starts(&wide, &mut of_wide);
                assert_eq!(starts, of_wide, "{n} {longest}");
                let mut runs = Vec::new();
                for_each_run(&starts, n, |first, len| runs.push((first, len)));
                assert_eq!(runs, expected(&map), "{n} {longest}");
                let count: u32 = starts.iter().map(|word| word.count_ones()).sum();
                assert_eq!(count as usize, runs.len(), "{n} {longest}");
            }
        }
    }
}
