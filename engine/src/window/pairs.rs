//! Covariances and correlations of each column with each.

use columnade_columns::{Column, ColumnAccessor, Label, Levels, Result as ColumnResult};
use columnade_ops::copying::{concat, take};
use columnade_ops::expression::{ExponentialWindow, Expr, col};

use super::{Of, Rolling};
use crate::dataframe::{DataFrame, ExponentialMovingWindow};
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;

impl Rolling<DataFrame> {
    /// The covariance of each column of numbers with each, in each window: see [`Expr::rolling_cov`]. A row has one row for each
    /// column, whose label follows that of the row.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "x" => [1.0, 2.0, 4.0], "y" => [3.0, 1.0, 2.0] }?;
    /// let pairs = frame.expanding().cov()?;
    /// assert_eq!(pairs.shape(), (6, 2));
    /// assert_eq!(pairs.at((1, "x"), "y")?, (-1.0).into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg), and for columns that are not called by a text.
    ///
    /// # Source
    /// pandas `Rolling.cov(pairwise=True)`.
    pub fn cov(&self) -> Result<DataFrame> {
        const OPERATION: &str = "cov";
        let window = self.window(OPERATION)?;
        let labels = self.columns_for(OPERATION, Of::Numbers)?;
        let exprs = pairs(&labels, |x, y| x.rolling_cov(y, window.clone()));
        paired(OPERATION, &labels, &self.computed(OPERATION, exprs)?)
    }

    /// Pearson's correlation of each column of numbers with each, in each window, as [`cov`](Self::cov): see
    /// [`Expr::rolling_corr`].
    ///
    /// # Errors
    /// Same as [`cov`](Self::cov).
    ///
    /// # Source
    /// pandas `Rolling.corr(pairwise=True)`.
    pub fn corr(&self) -> Result<DataFrame> {
        const OPERATION: &str = "corr";
        let window = self.window(OPERATION)?;
        let labels = self.columns_for(OPERATION, Of::Numbers)?;
        let exprs = pairs(&labels, |x, y| x.rolling_corr(y, window.clone()));
        paired(OPERATION, &labels, &self.computed(OPERATION, exprs)?)
    }
}

impl ExponentialMovingWindow {
    /// The covariance of each column with each: see [`Expr::ewm_cov`]. A row has one row for each column, whose label follows
    /// that of the row.
    ///
    /// ```
    /// use columnade::df;
    /// use columnade::expressions::ExponentialWindow;
    ///
    /// let frame = df! { "x" => [1.0, 2.0], "y" => [3.0, 1.0] }?;
    /// let pairs = frame.ewm(ExponentialWindow::com(1.0).bias(true).adjust(false)).cov()?;
    /// assert_eq!(pairs.at((1, "x"), "y")?, (-0.5).into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`mean`](Self::mean), and for columns that are not called by a text.
    ///
    /// # Source
    /// pandas `ExponentialMovingWindow.cov(pairwise=True)`.
    pub fn cov(&self) -> Result<DataFrame> {
        self.paired("ewm.cov", Expr::ewm_cov)
    }

    /// Pearson's correlation of each column with each, as [`cov`](Self::cov): see [`Expr::ewm_corr`].
    ///
    /// # Errors
    /// Same as [`cov`](Self::cov).
    ///
    /// # Source
    /// pandas `ExponentialMovingWindow.corr(pairwise=True)`.
    pub fn corr(&self) -> Result<DataFrame> {
        self.paired("ewm.corr", Expr::ewm_corr)
    }

    fn paired(
        &self,
        operation: &'static str,
        make: fn(Expr, Expr, ExponentialWindow) -> Expr,
    ) -> Result<DataFrame> {
        let labels = self.labels();
        let exprs = pairs(&labels, |x, y| make(x, y, self.window()));
        let columns = self.frame().frame().evaluate(operation, &exprs)?;
        let columns = if columns.is_empty() {
            ColumnAccessor::with_rows(self.frame().len())
        } else {
            ColumnAccessor::from_columns(columns).operation(operation)?
        };
        let frame = Frame::new(columns, self.frame().exec().clone());
        let made = IndexedFrame::with_index(frame, self.frame().index().clone());
        paired(operation, &labels, &made)
    }
}

/// An expression of each column with itself and those after it: both orders of a pair have one value.
pub(crate) fn pairs(labels: &[Label], make: impl Fn(Expr, Expr) -> Expr) -> Vec<Expr> {
    let mut made = Vec::with_capacity(labels.len() * (labels.len() + 1) / 2);
    for (position, left) in labels.iter().enumerate() {
        for right in &labels[position..] {
            made.push(make(col(left), col(right)).alias(made.len().to_string()));
        }
    }
    made
}

/// Where [`pairs`] has that of two of `count` columns.
fn place_of(count: usize, one: usize, other: usize) -> usize {
    let (first, second) = (one.min(other), one.max(other));
    // Before the pairs of a column are those of all columns before it, each with one pair less than the one before.
    (0..first).map(|column| count - column).sum::<usize>() + second - first
}

/// The columns of [`pairs`] as a row for each column and row.
pub(crate) fn paired(operation: &'static str, labels: &[Label], made: &IndexedFrame) -> Result<DataFrame> {
    let (frame, exec) = (made.frame(), made.frame().exec());
    let mut names = Vec::with_capacity(labels.len());
    for label in labels {
        let reason = || format!("the column {label:?} is not called by a text");
        let name = label.as_text().ok_or_else(|| Error::argument(operation, "columns", reason()))?;
        names.push(name.to_owned());
    }
    let rows = frame.len();
    let paired = || -> ColumnResult<_> {
        let number = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        let count = labels.len();
        let all = || (0..rows).flat_map(|row| (0..count).map(move |column| (row, column)));
        let places: Vec<i64> = all().map(|(row, column)| number(column * rows + row)).collect();
        let of_rows: Vec<i64> = all().map(|(row, _)| number(row)).collect();
        let of_columns: Vec<i64> = all().map(|(_, column)| number(column)).collect();
        let [places, of_rows, of_columns] =
            [places, of_rows, of_columns].map(|values| Column::from_slice(&values, exec));
        let (places, of_rows, of_columns) = (places?, of_rows?, of_columns?);
        let mut levels = Vec::new();
        for level in made.index().columns(exec)?.iter() {
            levels.push(take(level, &of_rows, exec)?);
        }
        levels.push(take(&Column::from_values(names, exec)?, &of_columns, exec)?);
        let mut columns = ColumnAccessor::with_levels(rows * count, Levels::default());
        for (right, label) in labels.iter().enumerate() {
            let parts: Vec<&Column> =
                (0..count).map(|left| &frame.accessor().columns()[place_of(count, left, right)]).collect();
            columns.insert(label.clone(), take(&concat(&parts, exec)?, &places, exec)?)?;
        }
        Ok((columns, levels))
    };
    let (columns, levels) = paired().operation(operation)?;
    let names: Vec<Label> = made.index().names().iter().cloned().chain([Label::NULL]).collect();
    let index = Index::of_owned(&names, levels, exec);
    Ok(DataFrame::from_indexed(IndexedFrame::with_index(Frame::new(columns, exec.clone()), index)))
}
