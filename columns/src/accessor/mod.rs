//! Labels in order, each with a column.

#[cfg(test)]
mod tests;

use crate::{Column, DType, Error, Result};
use std::collections::HashMap;

/// What a column is called.
pub type Label = String;

/// An ordered map from labels to columns of one length: what a frame is made of.
///
/// Labels are distinct: a second column of one label is an error, never a silent replacement. An accessor keeps its
/// number of rows when its last column goes.
///
/// # Source
/// cuDF `ColumnAccessor`.
#[derive(Clone, Debug, Default)]
pub struct ColumnAccessor {
    labels: Vec<Label>,
    columns: Vec<Column>,
    positions: HashMap<Label, usize>,
    rows: usize,
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

    /// The columns in the order given.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`]; [`Error::LengthMismatch`].
    pub fn from_columns<L: Into<Label>>(columns: impl IntoIterator<Item = (L, Column)>) -> Result<Self> {
        let mut accessor = Self::new();
        for (label, column) in columns {
            accessor.insert(label, column)?;
        }
        Ok(accessor)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The labels in order.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The columns in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Labels and columns in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Column)> {
        self.labels.iter().map(String::as_str).zip(&self.columns)
    }

    /// Labels and dtypes in order.
    pub fn dtypes(&self) -> impl ExactSizeIterator<Item = (&str, DType)> {
        self.iter().map(|(label, column)| (label, column.dtype()))
    }

    /// Whether a column has this label.
    pub fn contains(&self, label: &str) -> bool {
        self.positions.contains_key(label)
    }

    /// The position of a label.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`], naming the labels that there are.
    pub fn position(&self, label: &str) -> Result<usize> {
        self.positions
            .get(label)
            .copied()
            .ok_or_else(|| Error::ColumnNotFound { label: label.to_owned(), available: self.labels.clone() })
    }

    /// The column of a label.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`], naming the labels that there are.
    pub fn get(&self, label: &str) -> Result<&Column> {
        self.position(label).map(|position| &self.columns[position])
    }

    /// Adds a column at the end.
    ///
    /// # Errors
    /// [`Error::DuplicateLabel`]; [`Error::LengthMismatch`].
    pub fn insert(&mut self, label: impl Into<Label>, column: Column) -> Result<()> {
        self.insert_at(self.len(), label, column)
    }

    /// Adds a column before the one at `position`.
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`] when `position` is beyond the end; [`Error::DuplicateLabel`];
    /// [`Error::LengthMismatch`].
    pub fn insert_at(&mut self, position: usize, label: impl Into<Label>, column: Column) -> Result<()> {
        const OP: &str = "insert";
        let label = label.into();
        if position > self.len() {
            return Err(Error::IndexOutOfBounds { op: OP, index: position, len: self.len() });
        }
        if self.contains(&label) {
            return Err(Error::DuplicateLabel { op: OP, label });
        }
        self.check_rows(OP, &label, &column)?;
        self.rows = column.size();
        if position == self.len() {
            self.push(label, column);
        } else {
            self.labels.insert(position, label);
            self.columns.insert(position, column);
            self.index();
        }
        Ok(())
    }

    /// Replaces the column of a label where it stands, or adds one at the end.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn set(&mut self, label: impl Into<Label>, column: Column) -> Result<()> {
        let label = label.into();
        match self.positions.get(&label) {
            None => self.insert(label, column),
            Some(&position) => {
                self.check_rows("set", &label, &column)?;
                self.columns[position] = column;
                Ok(())
            }
        }
    }

    /// Takes a column out.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`].
    pub fn remove(&mut self, label: &str) -> Result<Column> {
        let position = self.position(label)?;
        self.labels.remove(position);
        let column = self.columns.remove(position);
        self.index();
        Ok(column)
    }

    /// The columns of `labels`, in their order.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] when a label is asked for twice.
    pub fn select<S: AsRef<str>>(&self, labels: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut selected = Self::with_rows(self.rows);
        for label in labels {
            let label = label.as_ref();
            let column = self.get(label)?.clone();
            if selected.contains(label) {
                return Err(Error::DuplicateLabel { op: "select", label: label.to_owned() });
            }
            selected.push(label.to_owned(), column);
        }
        Ok(selected)
    }

    /// All columns but those of `labels`.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`].
    pub fn without<S: AsRef<str>>(&self, labels: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut kept = vec![true; self.len()];
        for label in labels {
            kept[self.position(label.as_ref())?] = false;
        }
        let mut rest = Self::with_rows(self.rows);
        for ((label, column), _) in self.iter().zip(kept).filter(|(_, kept)| *kept) {
            rest.push(label.to_owned(), column.clone());
        }
        Ok(rest)
    }

    /// The same columns, those named in `pairs` (from, to) under new labels. All change at once, so labels may
    /// be exchanged.
    ///
    /// # Errors
    /// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] when two columns would have one label.
    pub fn rename<S: AsRef<str>>(&self, pairs: impl IntoIterator<Item = (S, S)>) -> Result<Self> {
        let mut labels = self.labels.clone();
        for (from, to) in pairs {
            to.as_ref().clone_into(&mut labels[self.position(from.as_ref())?]);
        }
        self.with_labels("rename", labels)
    }

    /// The same columns under other labels, one for each.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] unless there is a label for each column; [`Error::DuplicateLabel`].
    pub fn with_labels(&self, op: &'static str, labels: Vec<Label>) -> Result<Self> {
        if labels.len() != self.len() {
            return Err(Error::LengthMismatch { op, expected: self.len(), found: labels.len() });
        }
        let mut renamed = Self::with_rows(self.rows);
        for (label, column) in labels.into_iter().zip(&self.columns) {
            if renamed.contains(&label) {
                return Err(Error::DuplicateLabel { op, label });
            }
            renamed.push(label, column.clone());
        }
        Ok(renamed)
    }

    /// The columns that `change` makes of these, under the same labels. They must have one length, which
    /// becomes the accessor's; without columns, `rows` is kept.
    ///
    /// # Errors
    /// What `change` returns, with the column's label; [`Error::LengthMismatch`].
    pub fn map(
        &self,
        op: &'static str,
        rows: usize,
        mut change: impl FnMut(&Column) -> Result<Column>,
    ) -> Result<Self> {
        let mut changed = Self::with_rows(rows);
        for (label, column) in self.iter() {
            let column = change(column).map_err(|error| error.in_column(op, label))?;
            if column.size() != rows {
                let mismatch = Error::LengthMismatch { op, expected: rows, found: column.size() };
                return Err(mismatch.in_column(op, label));
            }
            changed.push(label.to_owned(), column);
        }
        Ok(changed)
    }

    /// Rows `offset .. offset + len` of every column, sharing the buffers.
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`] when there are fewer rows.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        if offset.checked_add(len).is_none_or(|end| end > self.rows) {
            return Err(Error::IndexOutOfBounds {
                op: "slice",
                index: offset.saturating_add(len),
                len: self.rows,
            });
        }
        self.map("slice", len, |column| column.slice(offset, len))
    }

    /// The first column sets the number of rows of an accessor that has neither columns nor rows.
    fn check_rows(&self, op: &'static str, label: &str, column: &Column) -> Result<()> {
        let free = self.is_empty() && self.rows == 0;
        if free || column.size() == self.rows {
            return Ok(());
        }
        Err(Error::LengthMismatch { op, expected: self.rows, found: column.size() }.in_column(op, label))
    }

    /// Adds a column whose label is new and whose length fits.
    fn push(&mut self, label: Label, column: Column) {
        self.positions.insert(label.clone(), self.len());
        self.labels.push(label);
        self.columns.push(column);
    }

    fn index(&mut self) {
        self.positions = self.labels.iter().cloned().enumerate().map(|(at, label)| (label, at)).collect();
    }
}
