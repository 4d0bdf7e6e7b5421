//! Row labels.

mod range;
#[cfg(test)]
mod tests;

use columnade_columns::Scalar;

pub use range::RangeIndex;

/// The row labels of a frame or a series.
///
/// Only the range exists yet: it takes no memory, and an operation that picks, reorders or makes rows starts a new
/// one at 0, as pandas does under `ignore_index=True`.
///
/// # Source
/// cuDF `Index` and its subclasses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Index {
    /// `start`, `start + step`, …, never materialised.
    Range(RangeIndex),
}

impl Index {
    /// 0, 1, … for `rows` rows.
    pub fn of_rows(rows: usize) -> Self {
        Self::Range(RangeIndex::of_rows(rows))
    }

    /// The number of labels.
    pub fn len(&self) -> usize {
        match self {
            Index::Range(range) => range.len(),
        }
    }

    /// Whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The label of the row at `position`, `None` beyond the end.
    pub fn get(&self, position: usize) -> Option<Scalar> {
        match self {
            Index::Range(range) => range.get(position).map(Scalar::Int64),
        }
    }

    /// The labels of the rows `offset .. offset + len`, cut at the end.
    #[must_use]
    pub fn slice(&self, offset: usize, len: usize) -> Self {
        match self {
            Index::Range(range) => Index::Range(range.slice(offset, len)),
        }
    }
}
