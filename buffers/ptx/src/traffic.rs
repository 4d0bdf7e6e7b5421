//! What a memory request of a warp costs: 32-byte sectors of global memory, passes over the banks of shared
//! memory.

/// The lanes of a mask.
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            lane
        })
    })
}

/// The sectors that one request touches. Aligned elements of at most 16 bytes lie in one each.
pub(crate) fn sectors(addresses: &[u64; 32], mask: u32) -> u32 {
    let (mut count, mut last, mut is_sorted) = (0, u64::MAX, true);
    for lane in lanes(mask) {
        let sector = addresses[lane] >> 5;
        if sector != last {
            is_sorted &= last == u64::MAX || sector > last;
            count += 1;
            last = sector;
        }
    }
    if is_sorted {
        return count;
    }
    let mut all = [u64::MAX; 32];
    lanes(mask).for_each(|lane| all[lane] = addresses[lane] >> 5);
    all.sort_unstable();
    let different = 1 + all.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32;
    different - u32::from(all[31] == u64::MAX)
}

/// The passes over the 32 banks of 4 bytes that one request takes, and those it would take without conflicts:
/// lanes are served 32, 16 or 8 at a time for elements of up to 4, 8 and 16 bytes, and different words of one
/// bank one after another.
pub(crate) fn bank_passes(offsets: &[u64; 32], mask: u32, bytes: u64) -> (u32, u32) {
    let (group, words) = match bytes {
        ..=4 => (32, 1),
        8 => (16, 2),
        _ => (8, 4),
    };
    let (mut passes, mut least) = (0, 0);
    for first in (0..32).step_by(group) {
        let active = mask >> first & (u32::MAX >> (32 - group));
        if active != 0 {
            least += 1;
            passes += passes_of_group(&offsets[first..first + group], active, bytes, words);
        }
    }
    (passes, least)
}

fn passes_of_group(offsets: &[u64], active: u32, bytes: u64, words: u64) -> u32 {
    // Most requests: one element for all, or one after another.
    let first = active.trailing_zeros() as usize;
    let start = offsets[first];
    let alike = lanes(active).all(|lane| offsets[lane] == start);
    if alike || lanes(active).all(|lane| offsets[lane] == start + (lane - first) as u64 * bytes) {
        return 1;
    }
    let mut touched: Vec<u64> =
        lanes(active).flat_map(|lane| (0..words).map(move |word| (offsets[lane] >> 2) + word)).collect();
    touched.sort_unstable();
    touched.dedup();
    let mut banks = [0u32; 32];
    touched.iter().for_each(|word| banks[*word as usize % 32] += 1);
    banks.into_iter().max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{bank_passes, lanes, sectors};
    use std::array;
    use std::collections::{BTreeMap, BTreeSet};

    fn addresses(f: impl Fn(u64) -> u64) -> [u64; 32] {
        array::from_fn(|lane| f(lane as u64))
    }

    #[test]
    fn sectors_of_known_patterns() {
        assert_eq!(sectors(&addresses(|lane| 4 * lane), u32::MAX), 4);
        assert_eq!(sectors(&addresses(|lane| 16 + 4 * lane), u32::MAX), 5);
        assert_eq!(sectors(&addresses(|lane| 32 * lane), u32::MAX), 32);
        assert_eq!(sectors(&addresses(|lane| 32 * (31 - lane)), u32::MAX), 32);
        assert_eq!(sectors(&addresses(|_| 96), u32::MAX), 1);
        assert_eq!(sectors(&addresses(|lane| lane % 2 * 4096), u32::MAX), 2);
        assert_eq!(sectors(&addresses(|lane| lane % 2 * 4096), 0b111), 2);
        assert_eq!(sectors(&addresses(|lane| 8 * lane), 1 << 31), 1);
    }

    #[test]
    fn counts_agree_with_naive_ones() {
        let mut state = 0x9e37_79b9_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..2000 {
            let bytes = [1, 2, 4, 8, 16][round % 5];
            let span = [4, 64, 1024][round % 3];
            let at = addresses(|_| 0).map(|_| random() % span * bytes);
            let mask = random() as u32 | 1;
            let expected: BTreeSet<u64> = lanes(mask).map(|lane| at[lane] / 32).collect();
            assert_eq!(sectors(&at, mask) as usize, expected.len());
            let group = if bytes <= 4 { 32 } else { 128 / bytes as usize };
            let (mut passes, mut least) = (0, 0);
            for first in (0..32).step_by(group) {
                let mut banks: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
                for lane in lanes(mask).filter(|lane| (first..first + group).contains(lane)) {
                    for word in at[lane] / 4..=(at[lane] + bytes - 1) / 4 {
                        banks.entry(word % 32).or_default().insert(word);
                    }
                }
                passes += banks.values().map(BTreeSet::len).max().unwrap_or(0) as u32;
                least += u32::from(!banks.is_empty());
            }
            assert_eq!(bank_passes(&at, mask, bytes), (passes, least), "{at:?} {mask:x} {bytes}");
        }
    }

    #[test]
    fn stride_of_two_words_conflicts() {
        assert_eq!(bank_passes(&addresses(|lane| 8 * lane), u32::MAX, 4), (2, 1));
        assert_eq!(bank_passes(&addresses(|lane| 132 * lane), u32::MAX, 4), (1, 1));
        assert_eq!(bank_passes(&addresses(|lane| 128 * lane), u32::MAX, 4), (32, 1));
    }
}
