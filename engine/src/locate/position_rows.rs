//! Rows by their positions.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo};

use columnade_buffers::Exec;
use columnade_columns as columns;
use columnade_ops::selection::{Step, kept_rows, map_of_positions, range_labels, rows_at as rows_at_column};

use crate::dataframe::rows_at;
use crate::error::{Error, InOperation, Result};
use crate::series::Series;

/// Rows by their positions: what [`DataFrame::iloc`](crate::DataFrame::iloc) takes. A negative position counts from the end.
///
/// | argument | rows |
/// | --- | --- |
/// | `0`, `-1` | one |
/// | `[0, -1]`, a vector, a slice | several, in this order; one may come twice |
/// | `2..5`, `-3..`, `..2`, `..` | from a position to another, which is left out; cut at the ends |
/// | `(0..9).every(2)`, `(..).every(-1)` | of these every second, or all in reverse: see [`Every`] |
/// | a [`Series`] of booleans | those for which it is true, by position |
/// | a [`Series`] of integers | those at these positions, which stay on their device |
#[derive(Clone, Debug)]
pub struct PositionRows(Rows);

#[derive(Clone, Debug)]
enum Rows {
    List(Vec<i64>),
    Slice { start: Option<i64>, stop: Option<i64>, step: i64 },
    Mask(Series),
    At(Series),
}

/// Steps of slices of positions: `(0..9).every(2)`.
///
/// ```
/// use columnade::expressions::Every;
///
/// let frame = columnade::df! { "n" => [5, 6, 7] }?.iloc((..).every(-1))?;
/// assert_eq!(frame.column("n")?.to_vec::<i32>()?, [7, 6, 5]);
/// # Ok::<(), columnade::Error>(())
/// ```
pub trait Every: Into<PositionRows> {
    /// Every `step`-th row of a slice from its start on; of a negative step from its end backwards. Of what is no slice, all
    /// rows.
    #[must_use]
    fn every(self, step: i64) -> PositionRows {
        let rows: PositionRows = self.into();
        let PositionRows(Rows::Slice { start, stop, .. }) = rows else { return rows };
        PositionRows(Rows::Slice { start, stop, step })
    }
}

impl<R: Into<PositionRows>> Every for R {}

fn slice(start: Option<i64>, stop: Option<i64>) -> PositionRows {
    PositionRows(Rows::Slice { start, stop, step: 1 })
}

macro_rules! positions {
    ($($ty:ty),*) => {
        $(
            impl From<$ty> for PositionRows {
                fn from(position: $ty) -> Self {
                    [position].into()
                }
            }

            impl<const N: usize> From<[$ty; N]> for PositionRows {
                fn from(positions: [$ty; N]) -> Self {
                    Vec::from(positions).into()
                }
            }

            impl From<Vec<$ty>> for PositionRows {
                fn from(positions: Vec<$ty>) -> Self {
                    positions.as_slice().into()
                }
            }

            impl From<&[$ty]> for PositionRows {
                fn from(positions: &[$ty]) -> Self {
                    // No frame has so many rows that a position is beyond 64 bits.
                    let positions = positions.iter().map(|&at| i64::try_from(at).unwrap_or(i64::MAX));
                    Self(Rows::List(positions.collect()))
                }
            }

            impl From<Range<$ty>> for PositionRows {
                fn from(range: Range<$ty>) -> Self {
                    slice(i64::try_from(range.start).ok(), i64::try_from(range.end).ok())
                }
            }

            impl From<RangeInclusive<$ty>> for PositionRows {
                fn from(range: RangeInclusive<$ty>) -> Self {
                    let (start, end) = range.into_inner();
                    // After the last row, which is −1, is the end.
                    let stop = i64::try_from(end).ok().and_then(|end| end.checked_add(1)).filter(|&stop| stop != 0);
                    slice(i64::try_from(start).ok(), stop)
                }
            }

            impl From<RangeFrom<$ty>> for PositionRows {
                fn from(range: RangeFrom<$ty>) -> Self {
                    slice(i64::try_from(range.start).ok(), None)
                }
            }

            impl From<RangeTo<$ty>> for PositionRows {
                fn from(range: RangeTo<$ty>) -> Self {
                    slice(None, i64::try_from(range.end).ok())
                }
            }
        )*
    };
}

positions!(i32, i64, usize);

impl From<RangeFull> for PositionRows {
    fn from(_: RangeFull) -> Self {
        slice(None, None)
    }
}

impl From<&Series> for PositionRows {
    fn from(rows: &Series) -> Self {
        let is_mask = !rows.dtype().is_integer();
        Self(if is_mask { Rows::Mask(rows.clone()) } else { Rows::At(rows.clone()) })
    }
}

/// Positions of rows: what [`DataFrame::take`](crate::DataFrame::take) takes. Numbers of the host, such as an array or a range, or
/// a [`Series`] of integers, by position, whose values stay on its device.
pub trait IntoPositions {
    /// The positions.
    fn into_positions(self) -> PositionRows;
}

impl<I: IntoIterator<Item = i64>> IntoPositions for I {
    fn into_positions(self) -> PositionRows {
        PositionRows(Rows::List(self.into_iter().collect()))
    }
}

impl IntoPositions for &Series {
    fn into_positions(self) -> PositionRows {
        PositionRows(Rows::At(self.clone()))
    }
}

impl PositionRows {
    /// How far apart the rows of a slice are.
    pub(crate) fn stride(&self) -> Option<i64> {
        if let Rows::Slice { step, .. } = &self.0 { Some(*step) } else { None }
    }

    /// The first row and the distance of rows of a slice with a step, of `rows` rows.
    pub(crate) fn first(&self, rows: usize) -> Option<(usize, i64)> {
        let Rows::Slice { start, stop, step } = &self.0 else { return None };
        let (first, _) = sliced(*start, *stop, *step, rows);
        (*step != 1).then_some((usize::try_from(first).ok()?, *step))
    }

    /// The rows, of `rows` rows.
    pub(crate) fn step(&self, operation: &'static str, rows: usize, exec: &Exec) -> Result<Step> {
        match &self.0 {
            Rows::List(positions) => rows_at(positions.iter().copied(), rows, exec).operation(operation),
            Rows::Slice { step: 0, .. } => Err(Error::argument(operation, "step", "it is 0")),
            Rows::Slice { start, stop, step } => {
                let (first, len) = sliced(*start, *stop, *step, rows);
                if *step == 1 {
                    return Ok(Step::Slice { offset: usize::try_from(first).unwrap_or(0), len });
                }
                let map = || map_of_positions(&range_labels(first, *step, len, exec)?, exec);
                Ok(Step::Rows { map: map().operation(operation)?, distinct: true, ordered: *step > 0 })
            }
            Rows::At(positions) => {
                let step = positions.values().to_device(exec).and_then(|at| rows_at_column(&at, rows, exec));
                step.operation(operation)
            }
            Rows::Mask(mask) => {
                if mask.len() != rows {
                    let error = columns::Error::LengthMismatch { expected: rows, found: mask.len() };
                    return Err(error).operation(operation);
                }
                let map = mask.values().to_device(exec).and_then(|mask| kept_rows(&mask, exec));
                Ok(Step::Rows { map: map.operation(operation)?, distinct: true, ordered: true })
            }
        }
    }
}

/// The first position of a slice and the number of its positions, as Python cuts slices.
fn sliced(start: Option<i64>, stop: Option<i64>, step: i64, rows: usize) -> (i64, usize) {
    let rows = i64::try_from(rows).unwrap_or(i64::MAX);
    let (least, most) = if step > 0 { (0, rows) } else { (-1, rows - 1) };
    let at = |position: Option<i64>, otherwise: i64| {
        position.map_or(otherwise, |at| {
            let at = if at < 0 { at.saturating_add(rows) } else { at };
            at.clamp(least, most)
        })
    };
    let (start, stop) =
        if step > 0 { (at(start, 0), at(stop, rows)) } else { (at(start, rows - 1), at(stop, -1)) };
    let distance = if step > 0 { stop - start } else { start - stop };
    let len = usize::try_from(distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs())).unwrap_or(0);
    (if len == 0 { 0 } else { start }, len)
}
