//! A frame whose rows have labels.

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Error as ColumnError, Label};
use columnade_ops::copying::{MapNulls, gather_in_chunks};
use columnade_ops::filter::apply_mask;
use columnade_ops::selection::{Picked, Step, repeated_rows};

use crate::dataframe::SortOrder;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;

/// A [`Frame`] and the labels of its rows; what [`DataFrame`](crate::DataFrame) and [`Series`](crate::Series) share.
///
/// # Source
/// cuDF `IndexedFrame`.
#[derive(Clone, Debug)]
pub struct IndexedFrame {
    frame: Frame,
    index: Index,
}

impl IndexedFrame {
    /// The frame with the labels 0, 1, ….
    pub fn new(frame: Frame) -> Self {
        let index = Index::of_rows(frame.len());
        Self { frame, index }
    }

    /// The frame with these labels, one for each row.
    pub(crate) fn with_index(frame: Frame, index: Index) -> Self {
        debug_assert_eq!(frame.len(), index.len(), "a label for each row");
        Self { frame, index }
    }

    /// The frame without its row labels.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The frame, whose columns keep their rows.
    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frame
    }

    /// The row labels.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// A copy with the same row labels that shares memory until either of both is written: see
    /// [`Column::shallow_copy`](columnade_columns::Column::shallow_copy).
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// cuDF `IndexedFrame.copy(deep=False)`.
    pub fn shallow_copy(&self) -> Result<Self> {
        Ok(self.with_frame(self.frame.shallow_copy()?))
    }

    /// A copy with the same row labels that shares no memory.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// cuDF `IndexedFrame.copy(deep=True)`.
    pub fn deep_copy(&self) -> Result<Self> {
        Ok(self.with_frame(self.frame.deep_copy()?))
    }

    /// Other columns of the same rows.
    #[must_use]
    pub(crate) fn with_frame(&self, frame: Frame) -> Self {
        debug_assert_eq!(frame.len(), self.index.len(), "other columns of the same rows");
        Self { frame, index: self.index.clone() }
    }

    /// Columns of the rows that `steps` leave, with the labels of those rows.
    pub(crate) fn picked(&self, operation: &'static str, picked: Picked) -> Result<Self> {
        let Picked { columns, steps } = picked;
        let index = self.index.picked(&steps, self.frame.exec()).operation(operation)?;
        Ok(Self::with_index(self.frame.with_columns(columns), index))
    }

    /// The rows that `step` takes, with their labels.
    pub(crate) fn take(&self, operation: &'static str, step: Step) -> Result<Self> {
        let exec = self.frame.exec();
        let columns = match &step {
            Step::Slice { offset, len } => self.frame.accessor().slice(*offset, *len),
            Step::Mask { keep, .. } => apply_mask(self.frame.accessor(), keep, exec),
            Step::Rows { map, .. } => gather_in_chunks(self.frame.accessor(), map, MapNulls::Never, exec),
            Step::Repeat { begins, len } => {
                let map = with_retry_no_split(exec, |exec| repeated_rows(begins, *len, exec));
                map.and_then(|map| gather_in_chunks(self.frame.accessor(), &map, MapNulls::Never, exec))
            }
        };
        self.picked(operation, Picked { columns: columns.operation(operation)?, steps: vec![step] })
    }

    /// The rows sorted by levels of their labels, then by the other levels; `None` for all levels in order.
    pub(crate) fn sort_index(
        &self,
        operation: &'static str,
        levels: Option<&[Label]>,
        order: SortOrder,
    ) -> Result<Self> {
        let mut by = Vec::new();
        for level in levels.unwrap_or_default() {
            by.push(self.index.level(operation, level)?);
        }
        by.extend((0..self.index.level_count()).filter(|level| !by.contains(level)).collect::<Vec<_>>());
        match self.index.sorting_step(&by, order, self.frame.exec()).operation(operation)? {
            None => Ok(self.clone()),
            Some(step) => self.take(operation, step),
        }
    }

    /// The frame with other labels, one for each row.
    pub(crate) fn relabelled(&self, operation: &'static str, index: &Index) -> Result<Self> {
        if index.len() != self.frame.len() {
            let error = ColumnError::LengthMismatch { expected: self.frame.len(), found: index.len() };
            return Err(error).operation(operation);
        }
        let index = index.to_device(self.frame.exec()).operation(operation)?;
        Ok(Self::with_index(self.frame.clone(), index))
    }

    /// The frame and its labels on the device of `exec`.
    pub(crate) fn to_device(&self, operation: &'static str, exec: &Exec) -> Result<Self> {
        let index = self.index.to_device(exec).operation(operation)?;
        Ok(Self::with_index(self.frame.to_device(operation, exec)?, index))
    }

    /// An error unless the rows `offset .. offset + len` exist.
    pub(crate) fn require_rows(&self, operation: &'static str, offset: usize, len: usize) -> Result<()> {
        let rows = self.frame.len();
        if offset.checked_add(len).is_some_and(|end| end <= rows) {
            return Ok(());
        }
        let source = ColumnError::RowsOutOfBounds { offset, count: len, len: rows };
        Err(Error::Operation { operation, source })
    }

    /// Rows `offset .. offset + len`, cut at the end, sharing memory.
    pub(crate) fn slice(&self, operation: &'static str, offset: usize, len: usize) -> Result<Self> {
        let offset = offset.min(self.frame.len());
        let len = len.min(self.frame.len() - offset);
        let columns = self.frame.accessor().slice(offset, len).operation(operation)?;
        let index = self.index.sliced(offset, len).operation(operation)?;
        Ok(Self::with_index(self.frame.with_columns(columns), index))
    }

    /// The last `rows` rows.
    pub(crate) fn tail(&self, operation: &'static str, rows: usize) -> Result<Self> {
        self.slice(operation, self.frame.len().saturating_sub(rows), rows)
    }
}
