//! Columns as row labels, and back.

use columnade_columns::{AsLabel, Column, Error as ColumnError, Label};
use columnade_ops::join::{NullEquality, duplicate_key};

use super::{DataFrame, SortOrder};
use crate::error::{Error, InOperation, Result};
use crate::index::{Index, IndexNames, column_names};
use crate::indexed_frame::IndexedFrame;
use crate::locate::IntoPositions;
use crate::selection::IntoLabels;

/// How columns become row labels: by [`DataFrame::set_index_with`].
///
/// # Source
/// pandas `set_index(drop=…, append=…, verify_integrity=…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetIndex {
    drop: bool,
    append: bool,
    verify_integrity: bool,
}

impl Default for SetIndex {
    fn default() -> Self {
        Self { drop: true, append: false, verify_integrity: false }
    }
}

impl SetIndex {
    /// The columns replace the labels, and are columns no longer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the columns are columns no longer. Default: true.
    #[must_use]
    pub fn drop(self, drop: bool) -> Self {
        Self { drop, ..self }
    }

    /// Whether the columns are levels after those that are there. Default: false.
    #[must_use]
    pub fn append(self, append: bool) -> Self {
        Self { append, ..self }
    }

    /// Whether labels that come twice are an error. Default: false.
    #[must_use]
    pub fn verify_integrity(self, verify: bool) -> Self {
        Self { verify_integrity: verify, ..self }
    }
}

impl DataFrame {
    /// The frame with the values of one column or several as row labels; they are columns no longer. Several columns are
    /// levels. The memory of the columns is shared.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "city" => ["Oslo", "Oslo", "Rome"], "year" => [1998, 2004, 1998], "n" => [1, 2, 3] }?;
    /// let frame = frame.set_index(["city", "year"])?;
    /// assert_eq!((frame.columns().len(), frame.index().level_count()), (1, 2));
    /// assert_eq!(frame.reset_index()?.columns(), ["city", "year", "n"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] without labels, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.set_index`, which makes a range of evenly spaced integers.
    pub fn set_index<A>(&self, labels: impl IntoLabels<A>) -> Result<Self> {
        self.indexed("set_index", &labels.into_labels(), SetIndex::default())
    }

    /// [`set_index`](Self::set_index) as the options say.
    ///
    /// ```
    /// use columnade::{SetIndex, df};
    ///
    /// let frame = df! { "k" => ["a", "b"], "n" => [1, 1] }?.set_index("k")?;
    /// let both = frame.set_index_with("n", SetIndex::new().append(true))?;
    /// assert_eq!(both.index().names(), ["k", "n"]);
    /// assert!(frame.set_index_with("n", SetIndex::new().verify_integrity(true)).is_err());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`set_index`](Self::set_index), and [`Error::DuplicateLabels`] with
    /// [`verify_integrity`](SetIndex::verify_integrity).
    pub fn set_index_with<A>(&self, labels: impl IntoLabels<A>, options: SetIndex) -> Result<Self> {
        self.indexed("set_index_with", &labels.into_labels(), options)
    }

    pub(super) fn indexed(
        &self,
        operation: &'static str,
        labels: &[Label],
        options: SetIndex,
    ) -> Result<Self> {
        let (frame, exec) = (self.frame(), self.exec());
        frame.check_labels(operation, labels)?;
        let (mut names, mut levels) = (Vec::new(), Vec::new());
        if options.append {
            names.extend_from_slice(self.index().names());
            levels.extend_from_slice(&self.index().columns(exec).operation(operation)?);
        }
        for label in labels {
            names.push(label.clone());
            levels.push(frame.column(operation, label)?.clone());
        }
        if options.verify_integrity && !labels.is_empty() {
            let keys: Vec<&Column> = levels.iter().collect();
            if let Some(label) = duplicate_key(&keys, NullEquality::Equal, exec).operation(operation)? {
                return Err(Error::DuplicateLabels { operation, label });
            }
        }
        let index = Index::of_columns(operation, &names, &levels, exec)?;
        let columns = if options.drop {
            frame.accessor().without(labels).operation(operation)?
        } else {
            frame.accessor().clone()
        };
        Ok(Self::from_indexed(IndexedFrame::with_index(frame.with_columns(columns), index)))
    }

    /// The frame with other row labels, one for each row.
    ///
    /// ```
    /// use columnade::{Index, df};
    ///
    /// let frame = df! { "n" => [1, 2] }?.with_index(&Index::new(["x", "y"])?)?;
    /// assert_eq!(frame.index().get(1)?, "y".into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of labels, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.set_axis`.
    pub fn with_index(&self, index: &Index) -> Result<Self> {
        self.indexed_frame().relabelled("with_index", index).map(Self::from_indexed)
    }

    /// The row labels as the first columns, and new labels 0, 1, …. A level without a name is called `index`, one of several
    /// `level_0`, `level_1`, ….
    ///
    /// # Errors
    /// [`Error::Operation`] for a column that is called as a level, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.reset_index`.
    pub fn reset_index(&self) -> Result<Self> {
        let levels: Vec<usize> = (0..self.index().level_count()).collect();
        self.with_levels_as_columns("reset_index", &levels)
    }

    /// [`reset_index`](Self::reset_index) of some levels, by their names; the others stay.
    ///
    /// # Errors
    /// Same as [`reset_index`](Self::reset_index), and [`Error::MissingLevel`].
    ///
    /// # Source
    /// pandas `DataFrame.reset_index(level=…)`.
    pub fn reset_levels<A>(&self, levels: impl IntoLabels<A>) -> Result<Self> {
        const OPERATION: &str = "reset_levels";
        let levels = levels.into_labels();
        let mut positions = Vec::with_capacity(levels.len());
        for level in &levels {
            positions.push(self.index().level(OPERATION, level)?);
        }
        positions.sort_unstable();
        positions.dedup();
        self.with_levels_as_columns(OPERATION, &positions)
    }

    /// The same rows with the labels 0, 1, …; those that were there are dropped.
    ///
    /// ```
    /// use columnade::{Index, col, df};
    ///
    /// let frame = df! { "n" => [1, 2, 3] }?;
    /// let kept = frame.filter(col("n").ge(2))?;
    /// assert_eq!(kept.ignore_index().index().get(0)?, 0_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.reset_index(drop=True)`, the option `ignore_index` of many methods.
    #[must_use]
    pub fn ignore_index(&self) -> Self {
        Self::from_frame(self.frame().clone())
    }

    pub(super) fn with_levels_as_columns(&self, operation: &'static str, levels: &[usize]) -> Result<Self> {
        let (frame, exec) = (self.frame(), self.exec());
        let names = column_names(self.index().names(), |label| frame.accessor().contains(label));
        let labels = self.index().columns(exec).operation(operation)?;
        let depth = frame.accessor().levels().count();
        let mut columns = frame.accessor().clone();
        for (at, &level) in levels.iter().enumerate() {
            // The label of a level stands in the first level of the columns' labels.
            let label = if depth > 1 {
                let parts = names[level].parts().iter().cloned();
                let blanks = (1..depth).map(|_| columnade_columns::LabelPart::from(""));
                Label::from_parts(parts.chain(blanks)).operation(operation)?
            } else {
                names[level].clone()
            };
            let position = isize::try_from(at).unwrap_or(isize::MAX);
            columns.insert_at(position, label, labels[level].clone()).operation(operation)?;
        }
        let others: Vec<usize> =
            (0..self.index().level_count()).filter(|level| !levels.contains(level)).collect();
        let index = if others.is_empty() {
            Index::of_rows(self.len())
        } else {
            self.index().with_levels(operation, &others)?
        };
        Ok(Self::from_indexed(IndexedFrame::with_index(frame.with_columns(columns), index)))
    }

    /// The frame without one level of its row labels. That of the labels of columns drops by [`droplevel`](Self::droplevel).
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "city" => ["Oslo", "Rome"], "year" => [1998, 2004], "n" => [3, 4] }?;
    /// let frame = frame.set_index(["city", "year"])?;
    /// assert_eq!(frame.drop_row_level("city")?.at(2004, "n")?, 4.into());
    /// assert_eq!(frame.swap_row_levels("city", "year")?.index().names(), ["year", "city"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Index::droplevel`].
    ///
    /// # Source
    /// pandas `DataFrame.droplevel`.
    pub fn drop_row_level(&self, level: impl AsLabel) -> Result<Self> {
        Ok(self.labelled_by(&self.index().without_level("drop_row_level", level)?))
    }

    /// The frame with two levels of its row labels swapped.
    ///
    /// # Errors
    /// Same as [`Index::swaplevel`].
    ///
    /// # Source
    /// pandas `DataFrame.swaplevel`.
    pub fn swap_row_levels(&self, a: impl AsLabel, b: impl AsLabel) -> Result<Self> {
        Ok(self.labelled_by(&self.index().with_swapped("swap_row_levels", a, b)?))
    }

    /// The frame with the levels of its row labels in another order.
    ///
    /// # Errors
    /// Same as [`Index::reorder_levels`].
    ///
    /// # Source
    /// pandas `DataFrame.reorder_levels`.
    pub fn reorder_row_levels<A>(&self, order: impl IndexNames<A>) -> Result<Self> {
        Ok(self.labelled_by(&self.index().with_order("reorder_row_levels", &order.into_names())?))
    }

    /// The same columns with the labels of as many rows.
    fn labelled_by(&self, index: &Index) -> Self {
        Self::from_indexed(IndexedFrame::with_index(self.frame().clone(), index.clone()))
    }

    /// The frame with other names of the levels of its row labels, one for each; [`Label::NULL`] for none.
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of names.
    ///
    /// # Source
    /// pandas `DataFrame.rename_axis(index=…)`.
    pub fn rename_axis<A>(&self, names: impl IndexNames<A>) -> Result<Self> {
        let index = self.index().named("rename_axis", &names.into_names())?;
        Ok(Self::from_indexed(IndexedFrame::with_index(self.frame().clone(), index)))
    }

    /// The rows sorted by their labels: ascending with nulls last (`..`), or as a [`SortOrder`] says. Stable. Rows that are in
    /// order are not moved.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["b", "a"], "n" => [1, 2] }?.set_index("k")?.sort_index(..)?;
    /// assert_eq!(frame.column("n")?.to_vec::<i32>()?, [2, 1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels without an order, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.sort_index(kind="stable")`.
    pub fn sort_index(&self, order: impl Into<SortOrder>) -> Result<Self> {
        self.indexed_frame().sort_index("sort_index", None, order.into()).map(Self::from_indexed)
    }

    /// The rows sorted by some levels of their labels, then by the others.
    ///
    /// # Errors
    /// Same as [`sort_index`](Self::sort_index), and [`Error::MissingLevel`].
    ///
    /// # Source
    /// pandas `DataFrame.sort_index(level=…)`.
    pub fn sort_levels<A>(&self, levels: impl IntoLabels<A>, order: impl Into<SortOrder>) -> Result<Self> {
        let levels = levels.into_labels();
        self.indexed_frame().sort_index("sort_levels", Some(&levels), order.into()).map(Self::from_indexed)
    }

    /// The rows at these positions, in this order, with their labels; a negative position counts from the end.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "n" => [5, 6, 7] }?.take([-1, 0])?;
    /// assert_eq!(frame.column("n")?.to_vec::<i32>()?, [7, 5]);
    /// assert_eq!(frame.index().get(0)?, 2_i64.into());
    ///
    /// // A series of positions stays on its device.
    /// let order = frame.column("n")?.argsort(..)?;
    /// assert_eq!(frame.take(&order)?.column("n")?.to_vec::<i32>()?, [5, 7]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a position that does not exist or is null, for a series of other values than integers, and when
    /// memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.take`, cudf/copying.hpp `gather`.
    pub fn take(&self, positions: impl IntoPositions) -> Result<Self> {
        const OPERATION: &str = "take";
        let step = positions.into_positions().step(OPERATION, self.len(), self.exec())?;
        self.indexed_frame().take(OPERATION, step).map(Self::from_indexed)
    }
}

/// The rows at positions, counted from the end if they are negative.
pub(crate) fn rows_at(
    positions: impl IntoIterator<Item = i64>,
    rows: usize,
    exec: &columnade_buffers::Exec,
) -> columnade_columns::Result<columnade_ops::selection::Step> {
    let len = i64::try_from(rows).unwrap_or(i64::MAX);
    let mut at = Vec::new();
    for position in positions {
        let row = if position < 0 { position.saturating_add(len) } else { position };
        if !(0..len).contains(&row) {
            let position = isize::try_from(position).unwrap_or(isize::MAX);
            return Err(ColumnError::PositionOutOfBounds { position, len: rows });
        }
        at.push(row);
    }
    let ordered = at.is_sorted();
    let distinct = ordered && at.windows(2).all(|pair| pair[0] != pair[1]) || {
        let mut seen = std::collections::HashSet::with_capacity(at.len());
        at.iter().all(|row| seen.insert(*row))
    };
    let positions = Column::from_slice(&at, exec)?;
    let map = columnade_ops::selection::map_of_positions(&positions, exec)?;
    Ok(columnade_ops::selection::Step::Rows { map, distinct, ordered })
}
