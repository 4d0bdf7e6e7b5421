//! Rows with their keys.

use columnade_columns::{Column, ColumnAccessor, Result};

/// Columns to be moved by keys, which are some of them or stand beside them. Labels are made up, so that columns of
/// several origins go together.
#[derive(Clone, Debug)]
pub(crate) struct KeyedRows {
    rows: ColumnAccessor,
    side: &'static str,
    /// How many columns, from the first, are wanted in the end.
    wanted: usize,
    /// The positions of the keys.
    keys: Vec<usize>,
}

/// The label of the column at `position` of a side.
pub(crate) fn label(side: &'static str, position: usize) -> String {
    format!("{side} {position}")
}

impl KeyedRows {
    /// `columns` with `keys`; a key that is one of the columns, by address, is not carried twice.
    pub(crate) fn new(side: &'static str, columns: &ColumnAccessor, keys: &[&Column]) -> Result<Self> {
        let mut rows = ColumnAccessor::with_rows(columns.rows());
        for (position, column) in columns.columns().iter().enumerate() {
            rows.insert(label(side, position), column.clone())?;
        }
        let mut positions = Vec::with_capacity(keys.len());
        for &key in keys {
            let found = columns.columns().iter().position(|column| std::ptr::eq(column, key));
            if found.is_none() {
                rows.insert(label(side, rows.len()), key.clone())?;
            }
            positions.push(found.unwrap_or(rows.len() - 1));
        }
        Ok(Self { rows, side, wanted: columns.len(), keys: positions })
    }

    /// All columns.
    pub(crate) fn rows(&self) -> &ColumnAccessor {
        &self.rows
    }

    /// The labels of the keys.
    pub(crate) fn key_labels(&self) -> Vec<String> {
        self.keys.iter().map(|&position| label(self.side, position)).collect()
    }

    /// The keys of `rows`, which have the columns of these.
    pub(crate) fn keys_of<'a>(&self, rows: &'a ColumnAccessor) -> Result<Vec<&'a Column>> {
        self.key_labels().iter().map(|label| rows.get(label)).collect()
    }

    /// The labels of the columns that are wanted in the end.
    pub(crate) fn wanted_labels(&self) -> impl Iterator<Item = String> {
        (0..self.wanted).map(|position| label(self.side, position))
    }

    /// The columns of `rows` that are wanted in the end, under the labels of `like`.
    pub(crate) fn wanted(&self, rows: &ColumnAccessor, like: &ColumnAccessor) -> Result<ColumnAccessor> {
        let mut labels = self.wanted_labels();
        // As many as `like` has.
        like.map(rows.rows(), |column| match labels.next() {
            Some(label) => rows.get(label).cloned(),
            None => Ok(column.clone()),
        })
    }
}
