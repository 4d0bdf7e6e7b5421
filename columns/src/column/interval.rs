//! Columns of intervals.

use super::Column;
use super::rows::{Rows, same_device};
use super::structure::sliced;
use crate::{Closed, DType, Error, Result};
use columnade_buffers::{Buffer, Exec};
use std::sync::Arc;

/// Intervals: a struct of the lower and the upper ends, and which of them belong to the interval.
///
/// That lower ends are not above upper ones is not checked, nor relied on.
#[derive(Clone, Debug)]
pub struct IntervalColumn {
    pub(crate) left: Arc<Column>,
    pub(crate) right: Arc<Column>,
    pub(crate) closed: Closed,
    pub(crate) rows: Rows,
}

impl IntervalColumn {
    /// Row `i` is the values between row `offset + i` of `left` and of `right`, null where the bit of `mask` is 0.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] unless the ends are numbers, dates, timestamps or durations;
    /// [`Error::DTypeMismatch`] when they differ; [`Error::LengthMismatch`] when there are fewer rows of them;
    /// [`Error::InvalidArgument`] for a mask too short; [`Error::Memory`] when they are on different devices.
    pub fn new(
        left: Column,
        right: Column,
        closed: Closed,
        mask: Option<Buffer>,
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        let rows = Rows::new(mask, offset, size, left.device())?;
        Self::from_parts(Arc::new(left), Arc::new(right), closed, rows)
    }

    pub(crate) fn from_parts(
        left: Arc<Column>,
        right: Arc<Column>,
        closed: Closed,
        rows: Rows,
    ) -> Result<Self> {
        let dtype = left.dtype();
        check_ends(&dtype)?;
        if right.dtype() != dtype {
            return Err(Error::DTypeMismatch { left: dtype, right: right.dtype() });
        }
        for end in [&left, &right] {
            if end.size() < rows.offset + rows.size {
                let expected = rows.offset + rows.size;
                return Err(Error::LengthMismatch { expected, found: end.size() });
            }
        }
        same_device(right.device(), left.device())?;
        Ok(Self { left, right, closed, rows })
    }

    /// The lower ends of the rows.
    ///
    /// # Errors
    /// None: the ends have these rows.
    pub fn left(&self) -> Result<Column> {
        self.left.slice(self.rows.offset, self.rows.size)
    }

    /// The upper ends of the rows.
    ///
    /// # Errors
    /// None: the ends have these rows.
    pub fn right(&self) -> Result<Column> {
        self.right.slice(self.rows.offset, self.rows.size)
    }

    /// Which ends belong to an interval.
    pub fn closed(&self) -> Closed {
        self.closed
    }

    pub(super) fn dtype(&self) -> DType {
        DType::interval(self.left.dtype(), self.closed)
    }

    pub(super) fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        let ends = [Arc::clone(&self.left), Arc::clone(&self.right)];
        let (rows, mut ends) = sliced(&ends, &self.rows, offset, len)?;
        let (Some(right), Some(left)) = (ends.pop(), ends.pop()) else { return Ok(self.clone()) };
        Ok(Self { left, right, closed: self.closed, rows })
    }

    pub(super) fn to_device(&self, exec: &Exec) -> Result<Self> {
        Ok(Self {
            left: Arc::new(self.left.to_device(exec)?),
            right: Arc::new(self.right.to_device(exec)?),
            closed: self.closed,
            rows: self.rows.to_device(exec)?,
        })
    }
}

/// An error unless values of `dtype` can be the ends of an interval.
pub(crate) fn check_ends(dtype: &DType) -> Result<()> {
    if dtype.is_numeric() || dtype.is_temporal() || matches!(dtype, DType::Duration(_)) {
        return Ok(());
    }
    Err(Error::UnsupportedDType { dtype: dtype.clone() })
}
