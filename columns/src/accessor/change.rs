//! Inserting, removing and renaming columns.

use std::mem;
use std::sync::Arc;

use super::{AsLabel, ColumnAccessor, Label, Levels, common_depth, length_mismatch};
use crate::{Column, Error, Result};

impl ColumnAccessor {
    /// Adds a column at the end. A label of fewer parts than there are levels is padded with empty strings.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`]; [`Error::LengthMismatch`]; [`Error::InvalidArgument`] for a label of more parts
    /// than there are levels. The accessor is as it was.
    pub fn insert(&mut self, label: impl Into<Label>, column: Column) -> Result<()> {
        self.insert_at(-1, label, column)
    }

    /// Adds a column before the one at `position`, or at the end, which is also position -1.
    ///
    /// # Errors
    /// [`Error::PositionOutOfBounds`] for other negative positions and beyond the end; what
    /// [`insert`](Self::insert) returns.
    pub fn insert_at(&mut self, position: isize, label: impl Into<Label>, column: Column) -> Result<()> {
        let at = if position == -1 { self.len() } else { usize::try_from(position).unwrap_or(usize::MAX) };
        if at > self.len() {
            return Err(Error::PositionOutOfBounds { position, len: self.len() });
        }
        let label = self.levels.pad(label.into())?;
        self.check_rows(&label, &column)?;
        Arc::make_mut(&mut self.labels).insert(at, label.clone())?;
        self.levels.admit(&label);
        self.rows = column.size();
        self.columns.insert(at, column);
        Ok(())
    }

    /// Replaces the column of a label where it stands, or adds one at the end. A label of fewer parts than there are
    /// levels is padded with empty strings.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::InvalidArgument`] for a label of more parts than there are levels.
    pub fn set(&mut self, label: impl Into<Label>, column: Column) -> Result<()> {
        let label = self.levels.pad(label.into())?;
        let Some(position) = self.labels.position(&label) else { return self.insert(label, column) };
        self.check_rows(&label, &column)?;
        self.columns[position] = column;
        Ok(())
    }

    /// A column whose memory may be written: it keeps its rows.
    pub(crate) fn column_mut(&mut self, label: impl AsLabel) -> Result<&mut Column> {
        let position = self.position(label)?;
        Ok(&mut self.columns[position])
    }

    /// Removes a column. The number of rows does not change.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`].
    pub fn remove(&mut self, label: impl AsLabel) -> Result<Column> {
        let position = self.position(label)?;
        Arc::make_mut(&mut self.labels).remove(position);
        Ok(self.columns.remove(position))
    }

    /// The same columns, those named in `pairs` (from, to) under new labels. All change at once, so labels may
    /// be exchanged. The levels stay: a new label of fewer parts is padded with empty strings.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] when two columns would have one label, or one column two;
    /// [`Error::InvalidArgument`] for a label of more parts than there are levels.
    pub fn rename<F: AsLabel, T: Into<Label>>(
        &self,
        pairs: impl IntoIterator<Item = (F, T)>,
    ) -> Result<Self> {
        let mut levels = self.levels.clone();
        let mut labels = self.labels().to_vec();
        let mut is_renamed = vec![false; self.len()];
        for (from, to) in pairs {
            let position = self.position(&from)?;
            if mem::replace(&mut is_renamed[position], true) {
                return Err(Error::DuplicateLabel { label: from.to_label() });
            }
            let label = levels.pad(to.into())?;
            levels.admit(&label);
            labels[position] = label;
        }
        self.labelled(labels, levels)
    }

    /// The same columns under other labels, one for each. Levels keep their names if there are as many as before.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] unless there is a label for each column; [`Error::DuplicateLabel`].
    pub fn with_labels(&self, labels: Vec<Label>) -> Result<Self> {
        if labels.len() != self.len() {
            let reason = format!("{} for {} columns", labels.len(), self.len());
            return Err(Error::InvalidArgument { name: "labels", reason });
        }
        let mut levels = self.levels.clone();
        let depth = common_depth(&labels);
        if levels.count() == depth || labels.is_empty() {
            for label in &labels {
                levels.admit(label);
            }
        } else {
            levels = Levels::unnamed(depth);
        }
        self.labelled(labels, levels)
    }

    /// The first column sets the number of rows of an accessor that has neither columns nor rows.
    fn check_rows(&self, label: &Label, column: &Column) -> Result<()> {
        let free = self.is_empty() && self.rows == 0;
        if free || column.size() == self.rows {
            return Ok(());
        }
        Err(length_mismatch(self.rows, label, column))
    }
}
