//! Rows of frames by their labels or positions.

mod assign;
mod key;
mod levels;
mod position_rows;
#[cfg(test)]
mod test_levels;
#[cfg(test)]
mod tests;

use std::ops::Range;

use columnade_buffers::Exec;
use columnade_columns::{AsLabel, Column, Scalar};
use columnade_ops::selection::{Step, kept_rows, map_of_positions, range_labels};

use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::selection::IntoLabels;
use crate::series::Series;
use columnade_ops::copying::{MapNulls, gather_column};

pub use assign::{IntoSetValues, SetKind};
pub use key::{LabelRows, LabelSlice, LevelRows, RowKey};
pub use position_rows::{Every, IntoPositions, PositionRows};

use crate::index::lookup::{missing_labels, right_of};
use key::Rows;

impl IndexedFrame {
    /// The rows that labels select, but not those of an expression, which reads columns.
    pub(crate) fn label_step(&self, operation: &'static str, rows: &Rows) -> Result<Step> {
        let (index, exec) = (self.index(), self.frame().exec());
        if let Some(levels) = rows.of_levels(index) {
            return self.step_of_levels(operation, &levels);
        }
        match rows {
            Rows::Levels(levels) => self.step_of_levels(operation, levels),
            Rows::Key(key) => index.found(operation, key, exec),
            Rows::Keys(keys) => {
                let needles = index.needles(&keys.iter().collect::<Vec<_>>(), exec).operation(operation)?;
                if needles.is_empty() || needles.len() > index.level_count() {
                    let reason = format!("{} values for {} levels", needles.len(), index.level_count());
                    return Err(Error::argument(operation, "labels", reason));
                }
                index.rows_of_all(operation, &needles, exec)
            }
            Rows::Slice(slice) => {
                let rows = index.sliced_by(operation, &slice.forward(), exec)?;
                stepped(rows, slice.step, exec).operation(operation)
            }
            Rows::Labels(labels) => {
                index.check_levels(operation, labels)?;
                let needles = labels.columns(exec).operation(operation)?;
                index.rows_of_all(operation, &needles, exec)
            }
            Rows::Mask(mask) => {
                let keep = self.aligned_mask(operation, mask)?;
                let map = kept_rows(&keep, exec).operation(operation)?;
                Ok(Step::Rows { map, distinct: true, ordered: true })
            }
            Rows::Where(predicate) => {
                let keep = columnade_ops::expression::evaluate_mask(predicate, self.frame().accessor(), exec);
                let map = keep.and_then(|keep| kept_rows(&keep, exec)).operation(operation)?;
                Ok(Step::Rows { map, distinct: true, ordered: true })
            }
        }
    }

    /// A mask in the order of the rows: that of its label for each.
    fn aligned_mask(&self, operation: &'static str, mask: &Series) -> Result<Column> {
        let exec = self.frame().exec();
        let values = mask.values().to_device(exec).operation(operation)?;
        if mask.index().has_labels_of(self.index()).operation(operation)? {
            return Ok(values);
        }
        mask.index().check_unique(operation, exec)?;
        let maps = mask.index().joined(operation, self.index(), exec)?;
        let labels = self.index().columns(exec).operation(operation)?;
        let missing = missing_labels(&labels, &maps, exec).operation(operation)?;
        if !missing.is_empty() {
            return Err(Error::MissingLabels { operation, missing });
        }
        let map = right_of(&maps).operation(operation)?;
        gather_column(&values, map, MapNulls::Never, exec).operation(operation)
    }

    fn iloc(&self, operation: &'static str, rows: &PositionRows) -> Result<Self> {
        let found = self.take(operation, rows.step(operation, self.frame().len(), self.frame().exec())?)?;
        if let Index::Range(range) = self.index()
            && let Some((first, stride)) = rows.first(self.frame().len())
            && let Some(labels) = range.every(first, stride, found.frame().len())
        {
            return Ok(Self::with_index(found.frame().clone(), Index::Range(labels)));
        }
        Ok(match rows.stride() {
            Some(stride) => found.with_freq_of(self.index(), stride),
            None => found,
        })
    }

    /// These rows, every `stride`-th of those of an index.
    fn with_freq_of(&self, index: &Index, stride: i64) -> Self {
        match index.freq().and_then(|freq| freq.times(stride)) {
            Some(freq) => Self::with_index(self.frame().clone(), self.index().with_freq(Some(freq))),
            None => self.clone(),
        }
    }

    pub(crate) fn loc(&self, operation: &'static str, rows: &Rows) -> Result<Self> {
        let found = self.take(operation, self.label_step(operation, rows)?)?;
        let levels = found.index().level_count();
        if let Some(given) = rows.of_levels(self.index()) {
            let kept = self.levels_kept(&given);
            if kept.is_empty() || kept.len() == levels {
                return Ok(found);
            }
            let index = found.index().with_levels(operation, &kept)?;
            return Ok(Self::with_index(found.frame().clone(), index));
        }
        if let Rows::Slice(slice) = rows {
            return Ok(found.with_freq_of(self.index(), slice.step));
        }
        let given = if let Rows::Key(key) = rows { key.0.len() } else { 0 };
        if given == 0 || given >= levels {
            return Ok(found);
        }
        let others: Vec<usize> = (given..levels).collect();
        let index = found.index().with_levels(operation, &others)?;
        Ok(Self::with_index(found.frame().clone(), index))
    }
}

impl DataFrame {
    /// The rows that labels select, with all columns: see [`LabelRows`]. The first levels of a label drop, since they are the
    /// same in all rows; a whole label does not. A tuple may have some labels of each level, see [`LevelRows`]: lists give the
    /// order of the rows, and levels of one label drop unless another is given by a slice.
    ///
    /// ```
    /// use columnade::{Series, df};
    ///
    /// let frame = df! { "city" => ["Bergen", "Oslo", "Rome"], "n" => [1, 2, 3] }?.set_index("city")?;
    /// assert_eq!(frame.loc("Oslo")?.column("n")?.to_vec::<i32>()?, [2]);
    /// assert_eq!(frame.loc(["Rome", "Bergen"])?.column("n")?.to_vec::<i32>()?, [3, 1]);
    /// assert_eq!(frame.loc("Bergen"..="Oslo")?.column("n")?.to_vec::<i32>()?, [1, 2]);
    /// let large = frame.column("n")?.gt(1)?;
    /// assert_eq!(frame.loc(&large)?.len(), 2);
    /// assert!(frame.loc("Paris").unwrap_err().to_string().contains("Paris"));
    ///
    /// let frame = df! { "city" => ["Oslo", "Oslo", "Rome"], "year" => [1, 2, 1], "n" => [5, 6, 7] }?;
    /// let frame = frame.set_index(["city", "year"])?;
    /// assert_eq!(frame.loc((.., 1))?.column("n")?.to_vec::<i32>()?, [5, 7]);
    /// assert_eq!(frame.loc(("Oslo", [2, 1]))?.column("n")?.to_vec::<i32>()?, [6, 5]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLabels`] with the labels that are not there, for a mask those that it lacks;
    /// [`Error::UnsortedIndex`] for a slice of labels in no order, as [`Index::slice_locs`], and for one of a level unless all
    /// labels ascend; [`Error::DuplicateLabels`] for a
    /// mask with other labels that are not unique; [`Error::MissingColumns`]; [`Error::Operation`] for labels of another kind,
    /// a mask that is not boolean, and when memory runs out.
    ///
    /// # Device
    /// A slice shares memory; otherwise one gather of the columns.
    ///
    /// # Source
    /// pandas `DataFrame.loc[rows]`, which returns a row of one label as a series.
    pub fn loc(&self, rows: impl Into<LabelRows>) -> Result<Self> {
        self.located("loc", &rows.into().0)
    }

    fn located(&self, operation: &'static str, rows: &Rows) -> Result<Self> {
        if let Rows::Where(predicate) = rows {
            return self.filtered(operation, predicate);
        }
        self.indexed_frame().loc(operation, rows).map(Self::from_indexed)
    }

    /// Some columns, in this order, of the rows that labels select.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b"], "x" => [1, 2], "y" => [3, 4] }?.set_index("k")?;
    /// assert_eq!(frame.loc_at("b", ["y"])?.columns(), ["y"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`loc`](Self::loc).
    ///
    /// # Source
    /// pandas `DataFrame.loc[rows, columns]`.
    pub fn loc_at<A>(&self, rows: impl Into<LabelRows>, columns: impl IntoLabels<A>) -> Result<Self> {
        const OPERATION: &str = "loc_at";
        let (rows, columns) = (rows.into().0, columns.into_labels());
        if let Rows::Where(predicate) = rows {
            return self.filter_columns(predicate, columns);
        }
        self.frame().check_labels(OPERATION, &columns)?;
        let selected = self.frame().accessor().select(&columns).operation(OPERATION)?;
        let selected = self.indexed_frame().with_frame(self.frame().with_columns(selected));
        selected.loc(OPERATION, &rows).map(Self::from_indexed)
    }

    /// The rows at positions: see [`PositionRows`].
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "n" => [5, 6, 7] }?;
    /// assert_eq!(frame.iloc(-2..)?.column("n")?.to_vec::<i32>()?, [6, 7]);
    /// assert_eq!(frame.iloc([0, -1])?.column("n")?.to_vec::<i32>()?, [5, 7]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a position that does not exist, but not in a slice, for a mask of another length or that is not
    /// boolean, and when memory runs out.
    ///
    /// # Device
    /// A slice without steps shares memory; otherwise one gather of the columns.
    ///
    /// # Source
    /// pandas `DataFrame.iloc`.
    pub fn iloc(&self, rows: impl Into<PositionRows>) -> Result<Self> {
        self.indexed_frame().iloc("iloc", &rows.into()).map(Self::from_indexed)
    }

    /// One value, by the label of its row, which comes once, and that of its column.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b"], "n" => [1, 2] }?.set_index("k")?;
    /// assert_eq!(frame.at("b", "n")?, 2.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLabels`]; [`Error::DuplicateLabels`]; [`Error::MissingColumns`]; [`Error::Operation`] for a label of
    /// another kind, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.at`.
    pub fn at(&self, row: impl Into<RowKey>, column: impl AsLabel) -> Result<Scalar> {
        const OPERATION: &str = "at";
        let values = self.frame().column(OPERATION, column)?;
        let row = self.index().row_of(OPERATION, &row.into(), self.exec())?;
        values.get(row).operation(OPERATION)
    }

    /// One value, by the positions of its row and its column; a negative one counts from the end.
    ///
    /// # Errors
    /// [`Error::Operation`] for a position that does not exist, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.iat`.
    pub fn iat(&self, row: i64, column: i64) -> Result<Scalar> {
        const OPERATION: &str = "iat";
        let columns = self.frame().accessor().columns();
        let column = &columns[place(column, columns.len()).operation(OPERATION)?];
        column.get(place(row, self.len()).operation(OPERATION)?).operation(OPERATION)
    }
}

/// Every `step`-th row, of a negative step from the last one back.
fn stepped(rows: Range<usize>, step: i64, exec: &Exec) -> columnade_columns::Result<Step> {
    let (offset, len) = (rows.start, rows.len());
    if step == 1 {
        return Ok(Step::Slice { offset, len });
    }
    let stride = usize::try_from(step.unsigned_abs()).ok().filter(|stride| *stride > 0);
    let Some(stride) = stride else {
        let reason = "it is 0".to_owned();
        return Err(columnade_columns::Error::InvalidArgument { name: "step", reason });
    };
    let first = if step > 0 { offset } else { rows.end.saturating_sub(1) };
    let first = i64::try_from(first).unwrap_or(i64::MAX);
    let map = map_of_positions(&range_labels(first, step, len.div_ceil(stride), exec)?, exec)?;
    Ok(Step::Rows { map, distinct: true, ordered: step > 0 })
}

/// A position, counted from the end if it is negative.
fn place(position: i64, len: usize) -> columnade_columns::Result<usize> {
    let at =
        if position < 0 { position.saturating_add(i64::try_from(len).unwrap_or(i64::MAX)) } else { position };
    usize::try_from(at).ok().filter(|&at| at < len).ok_or_else(|| {
        let position = isize::try_from(position).unwrap_or(isize::MAX);
        columnade_columns::Error::PositionOutOfBounds { position, len }
    })
}

impl Series {
    /// The rows that labels select: see [`DataFrame::loc`].
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let series = Series::new([1, 2, 3])?.with_index(&Index::new(["a", "b", "a"])?)?;
    /// assert_eq!(series.loc(["b", "a"])?.to_vec::<i32>()?, [2, 1, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`DataFrame::loc`].
    ///
    /// # Source
    /// pandas `Series.loc`.
    pub fn loc(&self, rows: impl Into<LabelRows>) -> Result<Self> {
        self.inner.loc("loc", &rows.into().0).map(Self::from_indexed)
    }

    /// The rows at positions: see [`DataFrame::iloc`].
    ///
    /// # Errors
    /// Same as [`DataFrame::iloc`].
    ///
    /// # Source
    /// pandas `Series.iloc`.
    pub fn iloc(&self, rows: impl Into<PositionRows>) -> Result<Self> {
        self.inner.iloc("iloc", &rows.into()).map(Self::from_indexed)
    }

    /// One value, by the label of its row, which comes once.
    ///
    /// # Errors
    /// Same as [`DataFrame::at`].
    ///
    /// # Source
    /// pandas `Series.at`.
    pub fn at(&self, row: impl Into<RowKey>) -> Result<Scalar> {
        const OPERATION: &str = "at";
        let row = self.index().row_of(OPERATION, &row.into(), self.exec())?;
        self.values().get(row).operation(OPERATION)
    }
}
