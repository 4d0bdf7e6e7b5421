//! `frame["label"]`.

use std::ops::Index;
use std::sync::OnceLock;

use columnade_columns::AsLabel;

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::series::Series;

/// The series that indexing has returned references to, by the positions of their columns.
///
/// They share the memory of the frame's columns. A clone of a frame begins without any.
#[derive(Debug, Default)]
pub(super) struct IndexedSeries(OnceLock<Box<[OnceLock<Series>]>>);

impl Clone for IndexedSeries {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl DataFrame {
    /// The column of `label`, made once.
    fn column_ref(&self, label: &impl AsLabel) -> Result<&Series> {
        const OPERATION: &str = "column";
        self.frame().check_labels(OPERATION, [label])?;
        let position = self.frame().accessor().position(label).operation(OPERATION)?;
        let made = self.series.0.get_or_init(|| self.columns().iter().map(|_| OnceLock::new()).collect());
        if let Some(series) = made[position].get() {
            return Ok(series);
        }
        let series = self.column(label)?;
        Ok(made[position].get_or_init(|| series))
    }
}

/// `frame["label"]` is the column of a label, which shares the memory of the frame.
///
/// ```
/// use columnade::df;
///
/// let frame = df! { "a" => [1_i64, 2], "b" => ["x", "y"] }?;
/// assert_eq!(frame["a"].to_vec::<i64>()?, [1, 2]);
/// assert_eq!((&frame["a"] + &frame["a"])?.to_vec::<i64>()?, [2, 4]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Panics
/// When no column has the label, as indexing of a map does. [`column`](Self::column) gives [`Error::MissingColumns`] instead:
/// use it for labels that come from data.
///
/// # Source
/// pandas `DataFrame.__getitem__`, Polars `DataFrame` `Index<&str>`.
impl<L: AsLabel> Index<L> for DataFrame {
    type Output = Series;

    #[expect(clippy::panic, reason = "indexing has no other way to tell of a missing label")]
    fn index(&self, label: L) -> &Series {
        match self.column_ref(&label) {
            Ok(series) => series,
            Err(error) => panic!("{error}"),
        }
    }
}
