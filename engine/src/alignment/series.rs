//! Series by their labels.

use super::LabelJoin;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;
use crate::indexed_frame::IndexedFrame;
use crate::series::Series;

impl IndexedFrame {
    /// Both sides under the labels that `how` keeps, with nulls for rows that a side does not have.
    pub(crate) fn align_rows(
        &self,
        operation: &'static str,
        other: &Self,
        how: LabelJoin,
    ) -> Result<(Self, Self)> {
        let aligned = self.index().aligned(operation, other.index(), how, self.frame().exec())?;
        let left = self.taken(operation, &aligned.left, &aligned.index)?;
        Ok((left, other.taken(operation, &aligned.right, &aligned.index)?))
    }
}

impl Series {
    /// Both series under the labels that `how` keeps; null where one does not have a label. Labels that come several times on
    /// both sides are paired, each with each, unless all labels are equal. Labels of several levels are joined by the levels of
    /// one name: those of one level must be unique, and rows of several levels keep their labels and their order.
    ///
    /// ```
    /// use columnade::{Index, LabelJoin, Series};
    ///
    /// let a = Series::new([1, 2])?.with_index(&Index::new(["x", "y"])?)?;
    /// let b = Series::new([5, 6])?.with_index(&Index::new(["y", "z"])?)?;
    /// let (a, b) = a.align(&b, LabelJoin::Outer)?;
    /// assert_eq!(a.to_options::<i32>()?, [Some(1), Some(2), None]);
    /// assert_eq!(b.to_options::<i32>()?, [None, Some(5), Some(6)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] for labels of one level that are not unique beside several levels; [`Error::Operation`] for
    /// labels of several levels without one of the same name, labels of another kind, series on different devices, and when
    /// memory runs out.
    ///
    /// # Device
    /// Equal labels take one pass over both, and none if they are one handle or ranges. Ranges of one step are computed,
    /// and labels that ascend merged; others take a hash join, and an outer one a sort.
    ///
    /// # Source
    /// pandas `Series.align(join=…)`.
    pub fn align(&self, other: &Series, how: LabelJoin) -> Result<(Series, Series)> {
        self.align_as("align", other, how)
    }

    /// [`align`](Self::align) for another operation.
    pub(crate) fn align_as(
        &self,
        operation: &'static str,
        other: &Series,
        how: LabelJoin,
    ) -> Result<(Series, Series)> {
        let (left, right) = self.inner.align_rows(operation, &other.inner, how)?;
        Ok((Self::from_indexed(left), Self::from_indexed(right)))
    }
}
