//! Aggregates of all columns with exponentially falling weights.

use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::expression::{ExponentialWindow, Expr, col};

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::selection::IntoLabels;

/// Aggregates of the rows of a frame up to each row, of which earlier ones have less weight: created by [`DataFrame::ewm`].
///
/// # Source
/// pandas `ExponentialMovingWindow`.
#[derive(Clone, Debug)]
#[must_use = "nothing is computed before an aggregate"]
pub struct ExponentialMovingWindow {
    frame: DataFrame,
    window: ExponentialWindow,
    columns: Option<Vec<Label>>,
}

impl DataFrame {
    /// Weights that fall from each row to the one before it, for aggregates of the numeric columns. The results have the row
    /// labels of the frame. By group, they are expressions: [`Expr::ewm_mean`] with [`over`](Expr::over).
    ///
    /// ```
    /// use columnade::expressions::ExponentialWindow;
    /// use columnade::{DataFrame, df};
    ///
    /// let frame = df! { "day" => ["mon", "tue", "wed"], "n" => [4, 8, 2] }?;
    /// let means = frame.ewm(ExponentialWindow::alpha(0.5).adjust(false)).mean()?;
    /// assert_eq!(means.column("n")?.to_vec::<f64>()?, [4.0, 6.0, 4.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.ewm`.
    pub fn ewm(&self, window: ExponentialWindow) -> ExponentialMovingWindow {
        ExponentialMovingWindow { frame: self.clone(), window, columns: None }
    }
}

impl ExponentialMovingWindow {
    /// Aggregates these columns. Default: all numeric ones.
    pub fn columns<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { columns: Some(labels.into_labels()), ..self }
    }

    /// The means; see [`Expr::ewm_mean`].
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a column that has no mean, for weights out of range, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `ExponentialMovingWindow.mean`.
    pub fn mean(&self) -> Result<DataFrame> {
        self.aggregated("ewm.mean", Expr::ewm_mean)
    }

    /// The variances; see [`Expr::ewm_var`].
    ///
    /// # Errors
    /// Same as [`mean`](Self::mean).
    ///
    /// # Source
    /// pandas `ExponentialMovingWindow.var`.
    pub fn var(&self) -> Result<DataFrame> {
        self.aggregated("ewm.var", Expr::ewm_var)
    }

    /// The standard deviations; see [`Expr::ewm_std`].
    ///
    /// # Errors
    /// Same as [`mean`](Self::mean).
    ///
    /// # Source
    /// pandas `ExponentialMovingWindow.std`.
    pub fn std(&self) -> Result<DataFrame> {
        self.aggregated("ewm.std", Expr::ewm_std)
    }

    pub(crate) fn frame(&self) -> &DataFrame {
        &self.frame
    }

    pub(crate) fn window(&self) -> ExponentialWindow {
        self.window
    }

    /// The columns that are aggregated.
    pub(crate) fn labels(&self) -> Vec<Label> {
        let numeric = || {
            let numeric = self.frame.frame().accessor().dtypes().filter(|(_, dtype)| dtype.is_numeric());
            numeric.map(|(label, _)| label.clone()).collect()
        };
        self.columns.clone().unwrap_or_else(numeric)
    }

    fn aggregated(
        &self,
        operation: &'static str,
        make: fn(Expr, ExponentialWindow) -> Expr,
    ) -> Result<DataFrame> {
        let accessor = self.frame.frame().accessor();
        let labels = self.labels();
        let made: Vec<Expr> =
            labels.iter().map(|label| make(col(label.clone()), self.window).alias(label.clone())).collect();
        let found = self.frame.frame().evaluate(operation, &made)?;
        let mut columns = ColumnAccessor::with_levels(self.frame.len(), accessor.levels().clone());
        for (label, (_, column)) in labels.iter().zip(found) {
            columns.insert(label.clone(), column).operation(operation)?;
        }
        Ok(self.frame.with_accessor(columns))
    }
}
