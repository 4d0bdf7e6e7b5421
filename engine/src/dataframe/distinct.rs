//! Distinct rows of a frame.

use std::ops::RangeFull;

use columnade_columns::Label;
use columnade_ops::distinct::{self, Keep};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::selection::IntoLabels;
use crate::series::Series;

/// By which columns rows are equal, and which of equal rows is kept. `..` stands for all columns and the first row; a label
/// or a list of labels for these columns and the first row.
///
/// # Source
/// pandas `drop_duplicates(subset=…, keep=…)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unique {
    /// `None` for all columns.
    subset: Option<Vec<Label>>,
    keep: Keep,
}

impl Unique {
    /// Compares all columns, and keeps the first of equal rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares these columns only: `"a"` or `["a", "b"]`.
    #[must_use]
    pub fn subset<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { subset: Some(labels.into_labels()), ..self }
    }

    /// Which of equal rows is kept. Default: the first.
    #[must_use]
    pub fn keep(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }
}

impl From<RangeFull> for Unique {
    fn from(_: RangeFull) -> Self {
        Self::new()
    }
}

macro_rules! from_label {
    ($($ty:ty),*) => {
        $(impl From<$ty> for Unique {
            fn from(label: $ty) -> Self {
                Self::new().subset(label)
            }
        })*
    };
}

from_label!(&str, String, &String, Label, &Label);

impl<L: Into<Label>> From<Vec<L>> for Unique {
    fn from(labels: Vec<L>) -> Self {
        Self::new().subset(labels)
    }
}

impl<L: Into<Label>, const N: usize> From<[L; N]> for Unique {
    fn from(labels: [L; N]) -> Self {
        Self::new().subset(labels)
    }
}

impl DataFrame {
    /// The rows that differ, in order: by all columns (`..`), by some, or as [`Unique`] says. Nulls are equal, NaNs are equal.
    ///
    /// ```
    /// use columnade::{Unique, df};
    /// use columnade::expressions::Keep;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1, 2, 3] }?;
    /// assert_eq!(frame.unique(..)?.len(), 3);
    /// assert_eq!(frame.unique("k")?.column("n")?.to_vec::<i32>()?, [1, 2]);
    /// let last = frame.unique(Unique::new().subset("k").keep(Keep::Last))?;
    /// assert_eq!(last.column("n")?.to_vec::<i32>()?, [2, 3]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a label given twice, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.drop_duplicates`, Polars `DataFrame.unique(maintain_order=True)`.
    pub fn unique(&self, options: impl Into<Unique>) -> Result<Self> {
        const OPERATION: &str = "unique";
        let (labels, keep) = self.distinct_by(OPERATION, options.into())?;
        let rows = distinct::unique_rows(self.frame().accessor(), &labels, keep, self.exec());
        self.with_picked(OPERATION, rows.operation(OPERATION)?)
    }

    /// Whether each row is one that [`unique`](Self::unique) drops, as a series of `bool`.
    ///
    /// # Errors
    /// Same as [`unique`](Self::unique).
    ///
    /// # Source
    /// pandas `DataFrame.duplicated`.
    pub fn duplicated(&self, options: impl Into<Unique>) -> Result<Series> {
        const OPERATION: &str = "duplicated";
        let (labels, keep) = self.distinct_by(OPERATION, options.into())?;
        let mask = distinct::duplicated(self.frame().accessor(), &labels, keep, self.exec());
        let mask = mask.operation(OPERATION)?;
        Ok(Series::unnamed(OPERATION, mask, self.exec().clone())?.labelled_by(self.index()))
    }

    fn distinct_by(&self, operation: &'static str, options: Unique) -> Result<(Vec<Label>, Keep)> {
        let Unique { subset, keep } = options;
        if subset.as_ref().is_some_and(Vec::is_empty) {
            return Err(Error::argument(operation, "subset", "it has no labels; `..` takes all columns"));
        }
        let labels = subset.unwrap_or_else(|| self.frame().labels().to_vec());
        self.frame().check_labels(operation, &labels)?;
        Ok((labels, keep))
    }
}
