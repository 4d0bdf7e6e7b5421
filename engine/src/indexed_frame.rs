//! A frame whose rows have labels.

use columnade_columns::Error as ColumnError;

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
        Ok(Self { frame: self.frame.with_columns(columns), index: self.index.slice(offset, len) })
    }

    /// The last `rows` rows.
    pub(crate) fn tail(&self, operation: &'static str, rows: usize) -> Result<Self> {
        self.slice(operation, self.frame.len().saturating_sub(rows), rows)
    }
}
