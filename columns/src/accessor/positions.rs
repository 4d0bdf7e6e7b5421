//! Columns by position.

use std::ops::{Range, RangeFrom, RangeFull, RangeTo};

use super::ColumnAccessor;
use super::levels::from_end;
use crate::{Error, Result};

/// Which positions: one, a slice, a list or a mask. Negative ones count from the end.
///
/// ```
/// use columnade_columns::Positions;
///
/// let every_other_from_the_end = Positions::Slice { start: None, stop: None, step: -2 };
/// assert_eq!(every_other_from_the_end.of(5)?, [4, 2, 0]);
/// assert_eq!(Positions::from(-2..).of(5)?, [3, 4]);
/// # Ok::<(), columnade_columns::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Positions {
    /// The one at this position.
    One(isize),
    /// From `start` up to but without `stop`, which may lie outside, in steps; as a Python slice.
    Slice {
        /// The first; without it the first in the direction of `step`.
        start: Option<isize>,
        /// Where it ends; without it after the last in the direction of `step`.
        stop: Option<isize>,
        /// From one to the next; not zero.
        step: isize,
    },
    /// Those at these positions.
    List(Vec<isize>),
    /// Those where it is true: one value for each column.
    Mask(Vec<bool>),
}

impl Positions {
    /// The positions among `len` things.
    ///
    /// # Errors
    /// [`Error::PositionOutOfBounds`] for one position or one of a list; [`Error::IndexOutOfBounds`] for a mask of
    /// another length; [`Error::InvalidArgument`] for a step of zero.
    pub fn of(&self, len: usize) -> Result<Vec<usize>> {
        match self {
            Positions::One(position) => Ok(vec![from_end(*position, len)?]),
            Positions::List(list) => list.iter().map(|&position| from_end(position, len)).collect(),
            Positions::Mask(mask) => masked(mask, len),
            Positions::Slice { start, stop, step } => sliced(*start, *stop, *step, len),
        }
    }
}

/// The positions where `mask` is true.
pub(super) fn masked(mask: &[bool], len: usize) -> Result<Vec<usize>> {
    if mask.len() != len {
        return Err(Error::IndexOutOfBounds { index: mask.len(), len });
    }
    Ok(mask.iter().enumerate().filter(|(_, is_kept)| **is_kept).map(|(position, _)| position).collect())
}

fn sliced(start: Option<isize>, stop: Option<isize>, step: isize, len: usize) -> Result<Vec<usize>> {
    if step == 0 {
        return Err(Error::InvalidArgument { name: "step", reason: "it is zero".to_owned() });
    }
    let len = isize::try_from(len).unwrap_or(isize::MAX);
    // Ends outside are drawn to the nearest place where nothing more is taken.
    let (least, most) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let place = |end: isize| if end < 0 { end.saturating_add(len) } else { end }.clamp(least, most);
    let (first, last) = if step > 0 { (least, most) } else { (most, least) };
    let (mut at, stop) = (start.map_or(first, place), stop.map_or(last, place));
    let mut positions = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        positions.push(at.unsigned_abs());
        at = at.saturating_add(step);
    }
    Ok(positions)
}

impl ColumnAccessor {
    /// The columns at these positions: `0`, `-1`, `1..3`, `[2, 0]` or [`Positions`]. Labels keep all their parts.
    ///
    /// # Errors
    /// What [`Positions::of`] returns; [`Error::DuplicateLabel`] for a position that is asked for twice.
    ///
    /// # Source
    /// cuDF `ColumnAccessor.select_by_index`, pandas `DataFrame.iloc[:, …]`.
    pub fn select_by_index(&self, positions: impl Into<Positions>) -> Result<Self> {
        self.pick(positions.into().of(self.len())?)
    }
}

impl From<isize> for Positions {
    fn from(position: isize) -> Self {
        Self::One(position)
    }
}

impl From<Range<isize>> for Positions {
    fn from(range: Range<isize>) -> Self {
        Self::Slice { start: Some(range.start), stop: Some(range.end), step: 1 }
    }
}

impl From<RangeFrom<isize>> for Positions {
    fn from(range: RangeFrom<isize>) -> Self {
        Self::Slice { start: Some(range.start), stop: None, step: 1 }
    }
}

impl From<RangeTo<isize>> for Positions {
    fn from(range: RangeTo<isize>) -> Self {
        Self::Slice { start: None, stop: Some(range.end), step: 1 }
    }
}

impl From<RangeFull> for Positions {
    fn from(_: RangeFull) -> Self {
        Self::Slice { start: None, stop: None, step: 1 }
    }
}

impl From<Vec<isize>> for Positions {
    fn from(list: Vec<isize>) -> Self {
        Self::List(list)
    }
}

impl<const N: usize> From<[isize; N]> for Positions {
    fn from(list: [isize; N]) -> Self {
        Self::List(list.into())
    }
}

impl From<&[bool]> for Positions {
    fn from(mask: &[bool]) -> Self {
        Self::Mask(mask.to_vec())
    }
}

impl From<Vec<bool>> for Positions {
    fn from(mask: Vec<bool>) -> Self {
        Self::Mask(mask)
    }
}
