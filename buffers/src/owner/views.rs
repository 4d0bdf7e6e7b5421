//! The views of an allocation, and their ranges.

use std::ops::Range;

use smallvec::SmallVec;

use crate::sync::Mutex;
use crate::sync::atomic::{AtomicUsize, Ordering};

/// The buffers that are views of an allocation.
///
/// Their number determines whether a write happens in place. The ranges of partial views determine how much
/// of the allocation has to be moved to a lower tier.
pub(super) struct Views {
    /// The number of all views. Not the `Arc` count, which leases and guards raise too.
    count: AtomicUsize,
    parts: Mutex<Parts>,
}

/// Partial views: their ranges while they are few, afterwards their number.
#[derive(Default)]
struct Parts {
    count: usize,
    /// Complete unless `forgotten`.
    ranges: SmallVec<[(usize, usize); REMEMBERED]>,
    forgotten: bool,
}

/// More partial views than this are counted but not remembered: together they usually cover most of an
/// allocation.
const REMEMBERED: usize = 8;

impl Views {
    pub(super) fn new() -> Self {
        Self { count: AtomicUsize::new(0), parts: Mutex::new(Parts::default()) }
    }

    /// Adds a view of `part` or of the whole.
    #[inline]
    pub(super) fn add(&self, part: Option<Range<usize>>) {
        // Counted before it is remembered, and forgotten before it is uncounted: in between it counts as a
        // view of the whole, which is safe.
        self.count.fetch_add(1, Ordering::Relaxed);
        if let Some(part) = part {
            self.remember(&part);
        }
    }

    fn remember(&self, part: &Range<usize>) {
        let mut parts = self.parts.lock();
        parts.count += 1;
        if parts.ranges.len() == REMEMBERED {
            parts.forgotten = true;
            parts.ranges.clear();
        }
        if !parts.forgotten {
            parts.ranges.push((part.start, part.end));
        }
    }

    #[inline]
    pub(super) fn remove(&self, part: Option<Range<usize>>) {
        if let Some(part) = part {
            self.forget(&part);
        }
        // Release: reads through the view happen before the last view writes in place.
        self.count.fetch_sub(1, Ordering::Release);
    }

    fn forget(&self, part: &Range<usize>) {
        let mut parts = self.parts.lock();
        parts.count -= 1;
        if let Some(at) = parts.ranges.iter().position(|range| *range == (part.start, part.end)) {
            parts.ranges.swap_remove(at);
        }
        if parts.count == 0 {
            parts.forgotten = false;
        }
    }

    /// Whether there is only one view, the caller's.
    #[inline]
    pub(super) fn is_sole(&self) -> bool {
        self.count.load(Ordering::Acquire) == 1
    }

    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// The range of all views together, gaps included; `None` if it may be the whole.
    pub(super) fn hull(&self) -> Option<Range<usize>> {
        let parts = self.parts.lock();
        if parts.forgotten || self.count.load(Ordering::Acquire) > parts.count {
            return None;
        }
        let start = parts.ranges.iter().map(|range| range.0).min()?;
        let end = parts.ranges.iter().map(|range| range.1).max()?;
        Some(start..end)
    }
}
