//! Tests of the runs of a row map.

use super::runs::{for_each_run, mark_starts};
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
