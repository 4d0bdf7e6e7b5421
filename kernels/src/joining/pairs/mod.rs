//! Pairs of rows, given by a range of right rows for each left row.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::hash_join::JoinMaps;
use crate::{Error, Result, RowMap, RowWidth};
use columnade_buffers::{Buffer, Device, Exec};

/// For each left row, a range of a list of right rows.
#[derive(Clone, Debug)]
pub struct MatchRanges {
    /// Where the range of each left row starts in the list.
    pub starts: RowMap,
    /// Where it ends, as wide as `starts`; not before its start.
    pub ends: RowMap,
    /// The list, as wide as `starts`; `None` for all right rows in order.
    pub rows: Option<RowMap>,
    /// The number of right rows.
    pub right_rows: usize,
}

impl MatchRanges {
    /// Each left row with every right row.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn all(left_rows: usize, right_rows: usize, exec: &Exec) -> Result<Self> {
        let width = pair_width(left_rows, right_rows);
        let map = |row: usize| -> Result<RowMap> {
            let value = match width {
                RowWidth::U32 => crate::Value::U32(row as u32),
                RowWidth::U64 => crate::Value::U64(row as u64),
            };
            let rows = crate::filling::fill::fill(value, left_rows, exec)?.data;
            Ok(RowMap { rows, width, len: left_rows })
        };
        Ok(Self { starts: map(0)?, ends: map(right_rows)?, rows: None, right_rows })
    }
}

/// The width of the rows of pairs of sides of these sizes.
pub fn pair_width(left_rows: usize, right_rows: usize) -> RowWidth {
    RowWidth::for_rows(left_rows.max(right_rows))
}

/// Ranges with the number of pairs before each left row, from which any part of the pairs can be written.
#[derive(Clone, Debug)]
pub struct Pairs {
    ranges: MatchRanges,
    /// `int64`: the number of pairs before each left row, then that of all.
    before: Buffer,
    total: usize,
}

impl Pairs {
    /// Counts the pairs. With `keep_left`, a left row of an empty range is paired with no right row.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::TypeMismatch`] for maps of different widths, [`Error::Memory`].
    ///
    /// # Device
    /// One pass and a scan; one synchronisation for the number of pairs.
    pub fn new(ranges: MatchRanges, keep_left: bool, exec: &Exec) -> Result<Self> {
        let MatchRanges { starts, ends, rows, .. } = &ranges;
        if starts.len != ends.len {
            return Err(Error::LengthMismatch { left: starts.len, right: ends.len });
        }
        if ends.width != starts.width || rows.as_ref().is_some_and(|rows| rows.width != starts.width) {
            return Err(Error::TypeMismatch);
        }
        let (before, total) = match exec.device() {
            Device::Host => host::count(&ranges, keep_left, exec)?,
            _ => cuda::count(&ranges, keep_left, exec)?,
        };
        Ok(Self { ranges, before, total })
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The ranges.
    pub fn ranges(&self) -> &MatchRanges {
        &self.ranges
    }

    /// Pairs `first .. first + len`: in left order, and in the order of the list for each left row.
    ///
    /// ```text
    /// ranges  0..2  1..1  1..3      rows  4 0 2
    /// pairs   left 0 0 2 2          right 4 0 0 2      with keep_left: left 0 0 1 2 2, right 4 0 none 0 2
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for pairs that do not exist; [`Error::Memory`].
    ///
    /// # Device
    /// One launch; a binary search for each pair.
    pub fn write(&self, first: usize, len: usize, exec: &Exec) -> Result<JoinMaps> {
        if first.checked_add(len).is_none_or(|end| end > self.total) {
            return Err(Error::InvalidArgument { name: "pairs", reason: "there are not as many" });
        }
        match exec.device() {
            Device::Host => host::write(self, first, len, exec),
            _ => cuda::write(self, first, len, exec),
        }
    }
}

/// Where the runs of equal values of `sorted` start and end, for each value less than `values`; 0 and 0 for a value that
/// does not occur.
///
/// ```text
/// sorted  0 0 2 2 2      values 4      starts  0 0 2 0      ends  2 0 5 0
/// ```
///
/// # Errors
/// [`Error::Memory`].
///
/// # Device
/// Two clears and one launch.
pub fn runs(sorted: &RowMap, values: usize, exec: &Exec) -> Result<[RowMap; 2]> {
    match exec.device() {
        Device::Host => host::runs(sorted, values, exec),
        _ => cuda::runs(sorted, values, exec),
    }
}
