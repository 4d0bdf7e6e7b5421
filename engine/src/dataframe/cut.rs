//! Bins of the values of several columns.

use columnade_columns::{Error as ColumnError, Label};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::selection::IntoLabels;
use crate::series::{CutOptions, Quantiles, Series};

impl DataFrame {
    /// The frame with the bin of each value in place of the columns `labels`, each as [`Series::cut`] makes it. Bins of equal width
    /// and of quantiles are those of their column.
    ///
    /// ```
    /// use columnade::{CutOptions, df};
    ///
    /// let frame = df! { "k" => ["a", "b"], "x" => [1, 5], "y" => [3.0, 2.0] }?;
    /// let bins = frame.cut(["x", "y"], CutOptions::edges([0, 2, 9]).labels(["low", "high"]))?;
    /// assert_eq!(bins.column("x")?.to_vec::<String>()?, ["low", "high"]);
    /// assert_eq!(bins.column("y")?.to_vec::<String>()?, ["high", "low"]);
    /// assert_eq!(bins.columns(), ["k", "x", "y"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] as [`Series::cut`], naming the column.
    ///
    /// # Source
    /// pandas `DataFrame.apply(cut, bins=…)`, Polars `with_columns(col(…).cut(…))`.
    #[expect(clippy::needless_pass_by_value, reason = "callers build it in place")]
    pub fn cut<A>(&self, labels: impl IntoLabels<A>, cut: CutOptions) -> Result<Self> {
        self.binned("cut", &labels.into_labels(), &cut)
    }

    /// The frame with the bin of each value between quantiles of its column in place of the columns `labels`, each as
    /// [`Series::qcut`] makes it.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "x" => [1, 7, 5, 4], "y" => [0.5, 0.25, 8.0, 2.0] }?;
    /// let halves = frame.qcut(["x", "y"], 2)?;
    /// assert_eq!(halves.column("x")?.get(0)?.to_string(), "(0.999, 4.5]");
    /// assert_eq!(halves.column("y")?.get(2)?.to_string(), "(1.25, 8.0]");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] as [`Series::qcut`], naming the column.
    ///
    /// # Source
    /// pandas `DataFrame.apply(qcut, q=…)`, Polars `with_columns(col(…).qcut(…))`.
    pub fn qcut<A>(&self, labels: impl IntoLabels<A>, quantiles: impl Into<Quantiles>) -> Result<Self> {
        self.binned("qcut", &labels.into_labels(), &CutOptions::quantiles(quantiles))
    }

    fn binned(&self, operation: &'static str, labels: &[Label], cut: &CutOptions) -> Result<Self> {
        let frame = self.frame();
        frame.check_labels(operation, labels)?;
        let mut columns = frame.accessor().clone();
        for label in labels {
            let values = frame.column(operation, label)?.clone();
            let values = Series::from_column(operation, label.clone(), values, self.exec().clone())?;
            let bins = values.binned_as(operation, cut).map_err(|error| in_column(error, label))?;
            columns.set(label, bins).operation(operation)?;
        }
        Ok(self.with_accessor(columns))
    }
}

/// The error with the column whose values do not go with the bins.
fn in_column(error: Error, label: &Label) -> Error {
    if let Error::Operation { operation, source: source @ ColumnError::InvalidArgument { .. } } = error {
        return Error::Operation { operation, source: source.in_column(label) };
    }
    error
}
