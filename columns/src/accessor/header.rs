//! The labels of frames that are made one after the other.

use std::sync::Arc;

use super::label_set::LabelSet;
use super::{ColumnAccessor, Label, Levels, length_mismatch};
use crate::{Column, Result};

/// Labels that any number of accessors share: compared and hashed once.
#[derive(Clone, Debug)]
pub(crate) struct Header(Arc<LabelSet>);

impl Header {
    /// The labels in their order, all of one part.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`](crate::Error::DuplicateLabel).
    pub(crate) fn new(labels: impl IntoIterator<Item = Label>) -> Result<Self> {
        LabelSet::new(labels).map(|labels| Self(Arc::new(labels)))
    }

    pub(crate) fn labels(&self) -> &[Label] {
        self.0.as_slice()
    }

    /// Columns of `rows` rows under the labels, one for each.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`](crate::Error::LengthMismatch).
    pub(crate) fn over(&self, columns: Vec<Column>, rows: usize) -> Result<ColumnAccessor> {
        debug_assert_eq!(self.labels().len(), columns.len());
        for (label, column) in self.labels().iter().zip(&columns) {
            if column.size() != rows {
                return Err(length_mismatch(rows, label, column));
            }
        }
        Ok(ColumnAccessor { labels: Arc::clone(&self.0), columns, rows, levels: Levels::default() })
    }
}
