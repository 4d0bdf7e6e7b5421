//! Labels in order, each with a column.

mod change;
mod header;
mod label;
mod label_set;
mod levels;
mod positions;
mod relevel;
mod select;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use columnade_buffers::Exec;

use crate::{Column, DType, Error, Result};
use label_set::LabelSet;

pub(crate) use header::Header;
pub use label::{AsLabel, Label, LabelPart, LabelPartOf, LabelPartRef};
pub use levels::{LabelIndex, LevelKey, Levels, RangeLabels};
pub use positions::Positions;
pub use relevel::RenamedLevels;
pub use select::{LabelKey, Wildcard};

/// An ordered map from labels to columns of one length: what a frame is made of.
///
/// Labels are distinct: a second column of one label is an error, never a silent replacement, in every method. An
/// accessor keeps its number of rows and its [`Levels`] when its last column goes. Looking up a label takes the same
/// time for any number of columns; what changes the columns of an accessor but not their labels shares the labels.
///
/// Labels are of one level, or of several: then each is a tuple of one part a level, and a shorter key means all
/// labels that begin with it.
///
/// ```
/// use columnade_columns::{Column, ColumnAccessor};
///
/// let ones = Column::from_vec(vec![1_i64, 1]);
/// let sales = ColumnAccessor::from_columns([
///     (("tea", "units"), ones.clone()),
///     (("tea", "price"), ones.clone()),
///     (("rye", "price"), ones),
/// ])?;
/// assert_eq!(sales.levels().count(), 2);
/// assert_eq!(sales.select_by_label("tea")?.labels(), ["units", "price"]);
/// assert_eq!(sales.select_by_label(("rye", "price"))?.labels(), [("rye", "price")]);
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Source
/// cuDF `ColumnAccessor`.
#[derive(Clone, Debug, Default)]
pub struct ColumnAccessor {
    labels: Arc<LabelSet>,
    /// One for each label.
    columns: Vec<Column>,
    rows: usize,
    levels: Levels,
}

impl ColumnAccessor {
    /// No columns and no rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// No columns, of `rows` rows.
    pub fn with_rows(rows: usize) -> Self {
        Self { rows, ..Self::default() }
    }

    /// No columns, of `rows` rows, whose labels will have these levels.
    pub fn with_levels(rows: usize, levels: Levels) -> Self {
        Self { rows, levels, ..Self::default() }
    }

    /// The columns in the order given. Labels that all have one number of parts, two or more, have as many levels.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`]; [`Error::LengthMismatch`].
    pub fn from_columns<L: Into<Label>>(columns: impl IntoIterator<Item = (L, Column)>) -> Result<Self> {
        let mut accessor = Self::new();
        let labels = Arc::make_mut(&mut accessor.labels);
        for (label, column) in columns {
            let label = label.into();
            if accessor.columns.is_empty() {
                accessor.rows = column.size();
            } else if column.size() != accessor.rows {
                return Err(length_mismatch(accessor.rows, &label, &column));
            }
            labels.insert(accessor.columns.len(), label)?;
            accessor.columns.push(column);
        }
        accessor.levels = Levels::unnamed(common_depth(accessor.labels()));
        Ok(accessor)
    }

    /// The same columns, whose labels have these levels.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a label that has not one part for each of several levels.
    pub fn relevel(mut self, levels: Levels) -> Result<Self> {
        if levels.is_multi()
            && let Some(label) = self.labels().iter().find(|label| label.depth() != levels.count())
        {
            return Err(levels::too_deep(label, levels.count()));
        }
        self.levels = levels;
        Ok(self)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The labels in order.
    pub fn labels(&self) -> &[Label] {
        self.labels.as_slice()
    }

    /// The columns in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Labels and columns in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Label, &Column)> {
        self.labels().iter().zip(&self.columns)
    }

    /// Labels and dtypes in order.
    pub fn dtypes(&self) -> impl ExactSizeIterator<Item = (&Label, DType)> {
        self.iter().map(|(label, column)| (label, column.dtype()))
    }

    /// The levels of the labels: their names and their declared dtypes.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The labels as an index: a range where they are one and may be, else names and dtypes of the levels. A dtype
    /// that was declared is kept as long as it holds every label without loss.
    ///
    /// # Source
    /// cuDF `ColumnAccessor.to_pandas_index`.
    pub fn label_index(&self) -> LabelIndex {
        let name = self.levels.names()[0].as_ref();
        if self.levels.range() == RangeLabels::Yes
            && let Some(range) = LabelIndex::range(self.labels(), name)
        {
            return range;
        }
        if self.levels.is_multi() {
            return LabelIndex::Multi {
                names: self.levels.names().to_vec(),
                dtypes: (0..self.levels.count()).map(|level| self.level_dtype(level)).collect(),
            };
        }
        let dtype =
            if self.labels().iter().any(|label| label.depth() > 1) { None } else { self.level_dtype(0) };
        LabelIndex::Single { name: name.cloned(), dtype }
    }

    fn level_dtype(&self, level: usize) -> Option<DType> {
        self.levels.dtype_of(level, self.labels().iter().map(|label| &label.parts()[level]))
    }

    /// Whether a column has exactly this label.
    pub fn contains(&self, label: impl AsLabel) -> bool {
        self.labels.position(&label).is_some()
    }

    /// The position of a label, all its parts given.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`], naming the labels that there are.
    pub fn position(&self, label: impl AsLabel) -> Result<usize> {
        self.labels.position(&label).ok_or_else(|| self.not_found(&label))
    }

    /// The column of a label, all its parts given. Nothing is allocated.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`], naming the labels that there are.
    pub fn get(&self, label: impl AsLabel) -> Result<&Column> {
        self.position(label).map(|position| &self.columns[position])
    }

    /// The columns that `change` makes of these, under the same labels. They must have one length, which
    /// becomes the accessor's; without columns, `rows` is kept.
    ///
    /// # Errors
    /// What `change` returns, with the column's label; [`Error::LengthMismatch`].
    pub fn map(&self, rows: usize, mut change: impl FnMut(&Column) -> Result<Column>) -> Result<Self> {
        let change = |(label, column)| {
            let column = change(column).map_err(|error| error.in_column(label))?;
            if column.size() == rows { Ok(column) } else { Err(length_mismatch(rows, label, &column)) }
        };
        let columns = self.iter().map(change).collect::<Result<_>>()?;
        Ok(Self { labels: Arc::clone(&self.labels), columns, rows, levels: self.levels.clone() })
    }

    /// Rows `offset .. offset + len` of every column, sharing the buffers.
    ///
    /// # Errors
    /// [`Error::RowsOutOfBounds`] when there are fewer rows.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        if offset.checked_add(len).is_none_or(|end| end > self.rows) {
            return Err(Error::RowsOutOfBounds { offset, count: len, len: self.rows });
        }
        self.map(len, |column| column.slice(offset, len))
    }

    /// The same columns, sharing memory until one of both is written: see [`Column::shallow_copy`].
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Source
    /// cuDF `ColumnAccessor.copy(deep=False)`.
    pub fn shallow_copy(&self, exec: &Exec) -> Result<Self> {
        self.map(self.rows, |column| column.shallow_copy(exec))
    }

    /// The same columns in memory of their own on `exec`'s device.
    ///
    /// # Errors
    /// [`Error::Memory`].
    ///
    /// # Source
    /// cuDF `ColumnAccessor.copy(deep=True)`.
    pub fn deep_copy(&self, exec: &Exec) -> Result<Self> {
        self.map(self.rows, |column| column.deep_copy(exec))
    }

    /// The same rows, each column in buffers that hold little else: see [`Column::isolate`].
    ///
    /// # Errors
    /// [`Error::Memory`], with the column's label.
    pub fn isolate(&self, exec: &Exec) -> Result<Self> {
        self.map(self.rows, |column| column.isolate(exec))
    }

    /// The rows of all parts, one part after the other: see [`Column::assemble`]. All have the columns of the first,
    /// in its order. Each column's parts are let go as soon as it is built.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] without parts; [`Error::ColumnNotFound`]; [`Error::DTypeMismatch`];
    /// [`Error::Memory`]; the last two with the column's label.
    pub fn assemble(mut parts: Vec<Self>, exec: &Exec) -> Result<Self> {
        if parts.len() == 1 {
            return Ok(parts.swap_remove(0));
        }
        let Some(first) = parts.first() else {
            let reason = "there are none, so there are no columns".to_owned();
            return Err(Error::InvalidArgument { name: "parts", reason });
        };
        let mut assembled = Self {
            labels: Arc::clone(&first.labels),
            columns: Vec::with_capacity(first.len()),
            rows: parts.iter().map(Self::rows).sum(),
            levels: first.levels.clone(),
        };
        for label in assembled.labels().to_vec() {
            let columns = parts.iter_mut().map(|part| part.remove(&label)).collect::<Result<Vec<_>>>()?;
            let column = Column::assemble(&columns, exec).map_err(|error| error.in_column(label))?;
            assembled.columns.push(column);
        }
        Ok(assembled)
    }

    /// Bytes that the rows themselves take: see [`Column::row_bytes`].
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn row_bytes(&self) -> Result<usize> {
        self.columns.iter().map(Column::row_bytes).sum()
    }

    /// Says that the rows will be used soon: see [`Column::will_need`].
    pub fn will_need(&self) {
        self.columns.iter().for_each(Column::will_need);
    }

    /// Says that the rows will not be used for long: see [`Column::done_with`].
    pub fn done_with(&self) {
        self.columns.iter().for_each(Column::done_with);
    }

    /// The columns at these positions, which are there, in their order.
    fn pick(&self, positions: impl IntoIterator<Item = usize>) -> Result<Self> {
        let positions: Vec<usize> = positions.into_iter().collect();
        let labels = LabelSet::new(positions.iter().map(|&at| self.labels()[at].clone()))?;
        Ok(Self {
            labels: Arc::new(labels),
            columns: positions.iter().map(|&at| self.columns[at].clone()).collect(),
            rows: self.rows,
            levels: self.levels.clone(),
        })
    }

    /// The same columns under other labels, which fit the levels, one for each.
    fn labelled(&self, labels: impl IntoIterator<Item = Label>, levels: Levels) -> Result<Self> {
        let labels = Arc::new(LabelSet::new(labels)?);
        Ok(Self { labels, columns: self.columns.clone(), rows: self.rows, levels })
    }

    fn not_found(&self, label: &(impl AsLabel + ?Sized)) -> Error {
        Error::ColumnNotFound { label: label.to_label(), available: self.labels().to_vec() }
    }
}

fn length_mismatch(rows: usize, label: &Label, column: &Column) -> Error {
    Error::LengthMismatch { expected: rows, found: column.size() }.in_column(label)
}

/// The number of parts that all labels have in common; else, and without labels, one.
fn common_depth(labels: &[Label]) -> usize {
    let depth = labels.first().map_or(1, AsLabel::depth);
    if labels.iter().all(|label| label.depth() == depth) { depth } else { 1 }
}
