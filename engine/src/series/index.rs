//! Row labels of a series.

use columnade_columns::AsLabel;

use super::Series;
use crate::dataframe::{DataFrame, SortOrder};
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::index::{Index, IndexNames};
use crate::indexed_frame::IndexedFrame;
use crate::locate::IntoPositions;
use crate::selection::IntoLabels;

impl Series {
    /// The same values with the labels of as many rows.
    pub(crate) fn labelled_by(&self, index: &Index) -> Self {
        Self::from_indexed(IndexedFrame::with_index(self.inner.frame().clone(), index.clone()))
    }

    /// The series with other row labels, one for each row.
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let series = Series::new([1, 2])?.with_index(&Index::new(["x", "y"])?)?;
    /// assert_eq!(series.index().get(1)?, "y".into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of labels, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.set_axis`.
    pub fn with_index(&self, index: &Index) -> Result<Self> {
        self.inner.relabelled("with_index", index).map(Self::from_indexed)
    }

    /// The same rows with the labels 0, 1, ….
    ///
    /// # Source
    /// pandas `Series.reset_index(drop=True)`.
    #[must_use]
    pub fn ignore_index(&self) -> Self {
        Self::from_indexed(IndexedFrame::new(self.inner.frame().clone()))
    }

    /// The row labels and the values as columns; values without a name are called `0`. See [`DataFrame::reset_index`].
    ///
    /// # Errors
    /// Same as [`DataFrame::reset_index`].
    ///
    /// # Source
    /// pandas `Series.reset_index`.
    pub fn reset_index(&self) -> Result<DataFrame> {
        self.to_frame().reset_index()
    }

    /// The values as the only column of a frame, under their name, or as `0`, with their row labels.
    ///
    /// # Source
    /// pandas `Series.to_frame`.
    pub fn to_frame(&self) -> DataFrame {
        let named = if self.is_unnamed() { self.rename(0) } else { self.clone() };
        DataFrame::from_indexed(named.inner)
    }

    /// The same values with `prefix` before their row labels, which become texts; of several levels, before each. A null stays
    /// null.
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let series = Series::new([7, 8])?.add_prefix("row ")?;
    /// assert!(series.index().equals(&Index::new(["row 0", "row 1"])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Series.add_prefix`, where a missing label becomes the text `nan`.
    pub fn add_prefix(&self, prefix: &str) -> Result<Self> {
        self.with_text_labels("add_prefix", prefix, "")
    }

    /// The same values with `suffix` after their row labels: see [`add_prefix`](Self::add_prefix).
    ///
    /// # Errors
    /// Same as [`add_prefix`](Self::add_prefix).
    ///
    /// # Source
    /// pandas `Series.add_suffix`.
    pub fn add_suffix(&self, suffix: &str) -> Result<Self> {
        self.with_text_labels("add_suffix", "", suffix)
    }

    fn with_text_labels(&self, operation: &'static str, prefix: &str, suffix: &str) -> Result<Self> {
        let index = self.index().as_texts(prefix, suffix, self.exec()).operation(operation)?;
        Ok(Self::from_indexed(IndexedFrame::with_index(self.inner.frame().clone(), index)))
    }

    /// The series with other names of the levels of its row labels.
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of names.
    ///
    /// # Source
    /// pandas `Series.rename_axis`.
    pub fn rename_axis<A>(&self, names: impl IndexNames<A>) -> Result<Self> {
        let index = self.index().named("rename_axis", &names.into_names())?;
        Ok(Self::from_indexed(IndexedFrame::with_index(self.inner.frame().clone(), index)))
    }

    /// The same values without one level of their row labels.
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let index = Index::from_tuples([("Oslo", 1998), ("Rome", 2004)], ["city", "year"])?;
    /// let units = Series::new([3, 4])?.with_index(&index)?;
    /// assert_eq!(units.droplevel("year")?.at("Rome")?, 4.into());
    /// assert_eq!(units.swaplevel("city", "year")?.at((1998, "Oslo"))?, 3.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Index::droplevel`].
    ///
    /// # Source
    /// pandas `Series.droplevel`.
    pub fn droplevel(&self, level: impl AsLabel) -> Result<Self> {
        Ok(self.labelled_by(&self.index().without_level("droplevel", level)?))
    }

    /// The same values with two levels of their row labels swapped.
    ///
    /// # Errors
    /// Same as [`Index::swaplevel`].
    ///
    /// # Source
    /// pandas `Series.swaplevel`.
    pub fn swaplevel(&self, a: impl AsLabel, b: impl AsLabel) -> Result<Self> {
        Ok(self.labelled_by(&self.index().with_swapped("swaplevel", a, b)?))
    }

    /// The same values with the levels of their row labels in another order.
    ///
    /// # Errors
    /// Same as [`Index::reorder_levels`].
    ///
    /// # Source
    /// pandas `Series.reorder_levels`.
    pub fn reorder_levels<A>(&self, order: impl IndexNames<A>) -> Result<Self> {
        Ok(self.labelled_by(&self.index().with_order("reorder_levels", &order.into_names())?))
    }

    /// The rows sorted by their labels. See [`DataFrame::sort_index`].
    ///
    /// # Errors
    /// Same as [`DataFrame::sort_index`].
    ///
    /// # Source
    /// pandas `Series.sort_index(kind="stable")`.
    pub fn sort_index(&self, order: impl Into<SortOrder>) -> Result<Self> {
        self.inner.sort_index("sort_index", None, order.into()).map(Self::from_indexed)
    }

    /// The rows sorted by some levels of their labels, then by the others.
    ///
    /// # Errors
    /// Same as [`DataFrame::sort_levels`].
    ///
    /// # Source
    /// pandas `Series.sort_index(level=…)`.
    pub fn sort_levels<A>(&self, levels: impl IntoLabels<A>, order: impl Into<SortOrder>) -> Result<Self> {
        let levels = levels.into_labels();
        self.inner.sort_index("sort_levels", Some(&levels), order.into()).map(Self::from_indexed)
    }

    /// The rows at these positions, in this order; a negative position counts from the end.
    ///
    /// # Errors
    /// Same as [`DataFrame::take`].
    ///
    /// # Source
    /// pandas `Series.take`.
    pub fn take(&self, positions: impl IntoPositions) -> Result<Self> {
        const OPERATION: &str = "take";
        let step = positions.into_positions().step(OPERATION, self.len(), self.exec())?;
        self.inner.take(OPERATION, step).map(Self::from_indexed)
    }
}
