//! Who looks at an allocation, and at which part of it.

use std::ops::Range;

use smallvec::SmallVec;

use crate::sync::Mutex;
use crate::sync::atomic::{AtomicUsize, Ordering};

/// The buffers that look at an allocation.
///
/// Their number decides whether a write happens in place. The parts that the partial ones look at decide how much of
/// the allocation is worth moving to a lower tier.
pub(super) struct Views {
    /// All of them. Not the `Arc` count, which others than buffers raise.
    count: AtomicUsize,
    parts: Mutex<Parts>,
}

/// Partial views: each one's range while they are few, their number afterwards.
#[derive(Default)]
struct Parts {
    count: usize,
    /// Complete unless `forgotten`.
    ranges: SmallVec<[(usize, usize); REMEMBERED]>,
    forgotten: bool,
}

/// More partial views than these are counted, not remembered: they cover most of an allocation anyway.
const REMEMBERED: usize = 8;

impl Views {
    pub(super) fn new() -> Self {
        Self { count: AtomicUsize::new(0), parts: Mutex::new(Parts::default()) }
    }

    /// One more view, of `part` or of the whole.
    #[inline]
    pub(super) fn add(&self, part: Option<Range<usize>>) {
        // Counted before it is remembered, and forgotten before it is not counted any more: between the two it
        // passes for a view of the whole, which errs on the safe side.
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
        // Release: what the view's holder read is read before the last view writes in place.
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

    /// Whether there is one view only, whose holder asks.
    #[inline]
    pub(super) fn is_sole(&self) -> bool {
        self.count.load(Ordering::Acquire) == 1
    }

    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// The range that all views look at together, gaps included; `None` when it may be the whole.
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
