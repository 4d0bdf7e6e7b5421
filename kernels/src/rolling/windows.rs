//! Windows, and their bounds on the host.

use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Error, Fixed, Result, Storage, ViewGuard, morsel};

/// Windows of rows. Window `i` has the rows from `starts[i]` up to `ends[i]`, the latter not included; bounds beyond the
/// rows are cut, and a window that ends before it starts has no rows. Nulls in the bounds are not looked at.
#[derive(Clone, Copy, Debug)]
pub struct Windows<'a> {
    /// The first row of each window, `I64`.
    pub starts: Fixed<'a>,
    /// The row after the last one of each window, `I64`.
    pub ends: Fixed<'a>,
    /// Windows with fewer values that are not null are null.
    pub min_values: u64,
}

impl Windows<'_> {
    /// The number of windows.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for bounds that are not `I64`.
    pub(super) fn len(&self) -> Result<usize> {
        for bounds in [&self.starts, &self.ends] {
            if bounds.storage != Storage::I64 {
                return Err(Error::UnsupportedStorage { storage: bounds.storage });
            }
        }
        if self.starts.len != self.ends.len {
            return Err(Error::LengthMismatch { left: self.starts.len, right: self.ends.len });
        }
        Ok(self.starts.len)
    }
}

/// The bounds of windows in host memory.
pub(super) struct Bounds<'a> {
    starts: &'a [i64],
    ends: &'a [i64],
}

impl<'a> Bounds<'a> {
    pub(super) fn new(starts: &'a ViewGuard<'_>, ends: &'a ViewGuard<'_>) -> Self {
        Self { starts: starts.values(), ends: ends.values() }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The rows of a window, of `rows`.
    pub(super) fn of(&self, window: usize, rows: usize) -> (usize, usize) {
        let cut = |bound: i64| usize::try_from(bound.max(0)).unwrap_or(usize::MAX).min(rows);
        let start = cut(self.starts[window]);
        (start, cut(self.ends[window]).max(start))
    }

    /// The windows of a task: as many as the longest has rows, so that rows before the first window are read at most twice.
    pub(super) fn windows_of_task(&self, rows: usize) -> usize {
        let longest = morsel::map(self.starts.len(), |windows| {
            let length = |window| {
                let (start, end) = self.of(window, rows);
                end - start
            };
            windows.map(length).max().unwrap_or(0)
        });
        longest.into_iter().max().unwrap_or(0).max(HOST_MORSEL_ROWS).next_multiple_of(64)
    }
}
