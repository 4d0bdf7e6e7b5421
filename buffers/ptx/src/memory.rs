//! The device memory that launches may touch: ranges of the process, as the simulator allocates them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

/// Starts and ends.
static ALLOCATIONS: RwLock<BTreeMap<u64, u64>> = RwLock::new(BTreeMap::new());
/// Counts frees, so that what a launch remembers is not used after one.
static FREES: AtomicU64 = AtomicU64::new(0);

/// Notes a new allocation.
pub(crate) fn allocated(start: u64, bytes: u64) {
    ALLOCATIONS.write().unwrap_or_else(PoisonError::into_inner).insert(start, start + bytes);
}

/// Notes that an allocation was freed.
pub(crate) fn freed(start: u64) {
    ALLOCATIONS.write().unwrap_or_else(PoisonError::into_inner).remove(&start);
    FREES.fetch_add(1, Ordering::Release);
}

/// The allocations that a launch touched last.
#[derive(Default)]
pub(crate) struct Recent {
    ranges: [(u64, u64); 8],
    next: usize,
    frees: u64,
}

impl Recent {
    /// Whether the bytes from `low` up to `high` lie in one allocation.
    #[inline]
    pub(crate) fn contains(&mut self, low: u64, high: u64) -> bool {
        let frees = FREES.load(Ordering::Acquire);
        if frees != self.frees {
            *self = Self { frees, ..Self::default() };
        }
        self.ranges.iter().any(|(start, end)| low >= *start && high <= *end) || self.look_up(low, high)
    }

    fn look_up(&mut self, low: u64, high: u64) -> bool {
        let all = ALLOCATIONS.read().unwrap_or_else(PoisonError::into_inner);
        match all.range(..=low).next_back() {
            Some((&start, &end)) if high <= end => {
                self.ranges[self.next] = (start, end);
                self.next = (self.next + 1) % self.ranges.len();
                true
            }
            _ => false,
        }
    }
}

/// The allocation that an address lies in, or lies behind: for reports.
pub(crate) fn nearest(address: u64) -> Option<(u64, u64)> {
    let all = ALLOCATIONS.read().unwrap_or_else(PoisonError::into_inner);
    all.range(..=address).next_back().map(|(start, end)| (*start, *end))
}

#[cfg(test)]
mod tests {
    use super::{Recent, allocated, freed};

    #[test]
    fn range_is_inside_until_freed() {
        // No other test has allocations here.
        let start = 0x1234_0000_0000;
        let mut recent = Recent::default();
        assert!(!recent.contains(start, start + 1));
        allocated(start, 64);
        assert!(recent.contains(start, start + 64));
        assert!(recent.contains(start + 63, start + 64));
        assert!(!recent.contains(start, start + 65));
        assert!(!recent.contains(start - 1, start + 1));
        freed(start);
        assert!(!recent.contains(start, start + 1));
    }
}
