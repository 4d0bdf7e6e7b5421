//! Windows, and their bounds on the host.

use crate::abi::ColumnDesc;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Error, Fixed, Result, Storage, View, ViewGuard, morsel};
use columnade_buffers::Exec;

/// The rows of windows.
#[derive(Clone, Copy, Debug)]
pub enum WindowBounds<'a> {
    /// Window `i` has the rows from `starts[i]` up to `ends[i]`, the latter not included; bounds beyond the rows are cut, and a
    /// window that ends before it starts has no rows. Nulls in the bounds are not looked at.
    Columns {
        /// The first row of each window, `I64`.
        starts: Fixed<'a>,
        /// The row after the last one of each window, `I64`.
        ends: Fixed<'a>,
    },
    /// There is a window for each row: the `before` rows before it, the row and the `after` rows after it, as far as there are
    /// any. Where `after` is −1 the row itself is left out.
    Around {
        /// Rows before the row.
        before: u64,
        /// Rows after the row, at least −1.
        after: i64,
    },
}

/// Further than any row, and far from what wraps.
pub(super) const FAR: i64 = 1 << 61;

/// Windows of rows.
#[derive(Clone, Copy, Debug)]
pub struct Windows<'a> {
    /// The rows of each.
    pub bounds: WindowBounds<'a>,
    /// Windows with fewer values that are not null are null.
    pub min_values: u64,
}

impl Windows<'_> {
    /// The number of windows over `rows` rows.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for bounds that are not `I64`; [`Error::InvalidArgument`] for an
    /// `after` below −1.
    pub(super) fn len(&self, rows: usize) -> Result<usize> {
        match self.bounds {
            WindowBounds::Columns { starts, ends } => {
                for bounds in [&starts, &ends] {
                    if bounds.storage != Storage::I64 {
                        return Err(Error::UnsupportedStorage { storage: bounds.storage });
                    }
                }
                if starts.len != ends.len {
                    return Err(Error::LengthMismatch { left: starts.len, right: ends.len });
                }
                Ok(starts.len)
            }
            WindowBounds::Around { after, .. } => check_after(after).map(|()| rows),
        }
    }
}

/// # Errors
/// [`Error::InvalidArgument`] for an `after` below −1.
pub(super) fn check_after(after: i64) -> Result<()> {
    if after < -1 {
        return Err(Error::InvalidArgument { name: "after", reason: "it is less than -1" });
    }
    Ok(())
}

/// Bounds that can be read.
pub(super) enum BoundsGuard<'a> {
    /// Starts and ends.
    Columns(Box<[ViewGuard<'a>; 2]>),
    Around {
        before: i64,
        after: i64,
    },
}

impl<'a> BoundsGuard<'a> {
    pub(super) fn new(bounds: &WindowBounds<'a>, exec: &'a Exec) -> Result<Self> {
        Ok(match *bounds {
            WindowBounds::Columns { starts, ends } => {
                Self::Columns(Box::new([View::Fixed(starts).read(exec)?, View::Fixed(ends).read(exec)?]))
            }
            WindowBounds::Around { before, after } => {
                Self::Around { before: before.min(FAR.cast_unsigned()).cast_signed(), after: after.min(FAR) }
            }
        })
    }

    /// Those of `len` windows over `len` rows, or of columns, on the host.
    pub(super) fn on_host(&self, len: usize) -> Bounds<'_> {
        match self {
            Self::Columns(bounds) => Bounds::Columns { starts: bounds[0].values(), ends: bounds[1].values() },
            Self::Around { before, after } => Bounds::Around { before: *before, after: *after, len },
        }
    }

    /// As arguments of an entry, for `len` windows.
    pub(super) fn desc(&self, len: usize) -> BoundsDesc {
        let windows = i64::try_from(len).unwrap_or(i64::MAX);
        match self {
            Self::Columns(bounds) => BoundsDesc {
                starts: bounds[0].desc(),
                ends: bounds[1].desc(),
                around: 0,
                before: 0,
                after: 0,
                windows,
            },
            Self::Around { before, after } => {
                let absent = ColumnDesc::absent(Storage::I64);
                BoundsDesc {
                    starts: absent,
                    ends: absent,
                    around: 1,
                    before: *before,
                    after: *after,
                    windows,
                }
            }
        }
    }
}

abi! {
    /// Which windows there are.
    pub struct BoundsDesc {
        /// The bounds of the windows, `I64`.
        pub starts: ColumnDesc,
        pub ends: ColumnDesc,
        /// 1: windows around each row, and no columns.
        pub around: i64,
        pub before: i64,
        pub after: i64,
        /// How many windows there are.
        pub windows: i64,
    }
}

/// The bounds of windows in host memory.
pub(super) enum Bounds<'a> {
    Columns { starts: &'a [i64], ends: &'a [i64] },
    Around { before: i64, after: i64, len: usize },
}

impl Bounds<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Columns { starts, .. } => starts.len(),
            Self::Around { len, .. } => *len,
        }
    }

    /// The rows of a window, of `rows`.
    #[inline]
    pub(super) fn of(&self, window: usize, rows: usize) -> (usize, usize) {
        let cut = |bound: i64| usize::try_from(bound.max(0)).unwrap_or(usize::MAX).min(rows);
        let (start, end) = match self {
            Self::Columns { starts, ends } => (starts[window], ends[window]),
            Self::Around { before, after, .. } => (window as i64 - before, window as i64 + after + 1),
        };
        let start = cut(start);
        (start, cut(end).max(start))
    }

    /// The windows of a task: as many as the longest has rows, so that rows before the first window are read at most twice.
    pub(super) fn windows_of_task(&self, rows: usize) -> usize {
        if let Self::Around { before, after, .. } = self {
            let longest =
                usize::try_from(before.saturating_add(*after).saturating_add(1)).unwrap_or(0).min(rows);
            return longest.max(HOST_MORSEL_ROWS).next_multiple_of(64);
        }
        let longest = morsel::map(self.len(), |windows| {
            let length = |window| {
                let (start, end) = self.of(window, rows);
                end - start
            };
            windows.map(length).max().unwrap_or(0)
        });
        longest.into_iter().max().unwrap_or(0).max(HOST_MORSEL_ROWS).next_multiple_of(64)
    }
}

/// Windows whose bounds are test columns.
#[cfg(test)]
pub(super) fn of_columns<'a>(
    starts: &'a crate::test_values::TestColumn,
    ends: &'a crate::test_values::TestColumn,
    min_values: u64,
) -> Windows<'a> {
    let bounds = WindowBounds::Columns { starts: starts.view(), ends: ends.view() };
    Windows { bounds, min_values }
}
