//! The first difference between two series.

use super::Series;
use crate::dataframe::{Difference, difference_of_columns};
use crate::error::{InOperation, Result};

impl Series {
    /// The first difference between two series, ignoring names; `None` when they are [equal](Self::equals).
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the series are on different devices, or one fails.
    pub fn difference(&self, other: &Series) -> Result<Option<Difference>> {
        if self.len() != other.len() {
            return Ok(Some(Difference::Rows { left: self.len(), right: other.len() }));
        }
        if !self.index().has_labels_of(other.index()).operation("difference")? {
            return Ok(Some(Difference::RowLabels));
        }
        difference_of_columns(self.name(), self.values(), other.values(), self.exec())
    }
}
