//! Statistics of all columns.

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Label, Scalar};
use columnade_ops::expression::{Expr, Interpolation, col};
use columnade_ops::groupby::{GroupOptions, aggregate};

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::series::Series;

impl DataFrame {
    /// The quantiles `qs`, each 0 to 1, of every column: a row for each, in their order, labelled by them, between two values on
    /// the line between them. Nulls are skipped; null without values. See [`Expr::quantile`] for dtypes.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2, 4], "b" => [0.0, 1.0, 1.0] }?;
    /// assert_eq!(frame.quantile([0.5, 0.75])?.column("a")?.to_vec::<f64>()?, [2.0, 3.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for `qs` outside 0 to 1, for a column of a dtype without quantiles, and when
    /// memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.quantile([…])`.
    pub fn quantile(&self, qs: impl IntoIterator<Item = f64>) -> Result<Self> {
        self.quantiles("quantile", qs, Interpolation::Linear)
    }

    /// The quantiles `qs` of every column, as `interpolation` says. If that picks a value, columns keep their dtype.
    ///
    /// # Errors
    /// Same as [`quantile`](Self::quantile).
    ///
    /// # Source
    /// pandas `DataFrame.quantile([…], interpolation=…)`.
    pub fn quantile_with(
        &self,
        qs: impl IntoIterator<Item = f64>,
        interpolation: Interpolation,
    ) -> Result<Self> {
        self.quantiles("quantile_with", qs, interpolation)
    }

    fn quantiles(
        &self,
        operation: &'static str,
        qs: impl IntoIterator<Item = f64>,
        interpolation: Interpolation,
    ) -> Result<Self> {
        let qs: Vec<f64> = qs.into_iter().collect();
        let accessor = self.frame().accessor();
        // Of nulls without a dtype too there is a row for each.
        let is_null = |label: &Label| accessor.get(label).is_ok_and(|column| column.dtype() == DType::Null);
        let numbers = |x: Expr, label: &Label| if is_null(label) { x.cast(DType::Float64) } else { x };
        let lists =
            self.one_row(operation, |x, label| numbers(x, label).quantiles_with(qs.clone(), interpolation))?;
        // Each list has the rows of its column.
        let rows = lists.map(qs.len(), |lists| {
            let Column::List(list) = lists else {
                return Err(columnade_columns::Error::Internal { invariant: "quantiles are a list" });
            };
            let span = list.span()?;
            list.items().slice(span.start, span.len())
        });
        let labels = Column::from_slice(&qs, self.exec()).operation(operation)?;
        let labels = Index::of_owned(&[Label::NULL], vec![labels], self.exec());
        self.with_rows(rows.operation(operation)?).with_index(&labels)
    }

    /// Pearson's correlation of each pair of columns, over rows where both are valid: a row for each column, its label as text in
    /// the column `column`, and the columns. Null for fewer than two rows, NaN for a constant column. `float64`. Beyond a limit of
    /// memory the last digits depend on the chunks of rows.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2, 3], "b" => [6, 4, 2] }?;
    /// let corr = frame.corr()?;
    /// assert_eq!(corr.columns(), ["column", "a", "b"]);
    /// assert_eq!(corr.column("b")?.to_vec::<f64>()?, [-1.0, 1.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a column that is no number, or that is called `column`, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `DataFrame.corr`.
    pub fn corr(&self) -> Result<Self> {
        self.matrix("corr", columnade_ops::correlation::corr)
    }

    /// Spearman's correlation of each pair of columns, that of the ranks, as [`corr`](Self::corr). See [`Expr::spearman`].
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2, 3], "b" => [1, 10, 100] }?;
    /// assert_eq!(frame.spearman()?.column("b")?.round(9)?.to_vec::<f64>()?, [1.0, 1.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a column that is called `column`, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.corr(method="spearman")`.
    pub fn spearman(&self) -> Result<Self> {
        self.matrix("spearman", columnade_ops::correlation::spearman)
    }

    /// Kendall's correlation of each pair of columns, tau-b, as [`corr`](Self::corr). See [`Expr::kendall`].
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2, 3, 4], "b" => [1, 10, 7, 100] }?;
    /// assert_eq!(frame.kendall()?.column("b")?.round(9)?.to_vec::<f64>()?, [0.666666667, 1.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a column that is called `column`, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.corr(method="kendall")`.
    pub fn kendall(&self) -> Result<Self> {
        self.matrix("kendall", columnade_ops::correlation::kendall)
    }

    /// The sample covariance of each pair of columns, as [`corr`](Self::corr); that of a column with itself is its variance.
    ///
    /// # Errors
    /// Same as [`corr`](Self::corr).
    ///
    /// # Source
    /// pandas `DataFrame.cov`.
    pub fn cov(&self) -> Result<Self> {
        self.matrix("cov", |frame, exec| columnade_ops::correlation::cov(frame, 1, exec))
    }

    /// The covariance of each pair of columns as [`cov`](Self::cov), divided by the number of rows where both are valid less `ddof`;
    /// null if that is not positive.
    ///
    /// # Errors
    /// Same as [`corr`](Self::corr).
    ///
    /// # Source
    /// pandas `DataFrame.cov(ddof=…)`.
    pub fn cov_ddof(&self, ddof: u32) -> Result<Self> {
        self.matrix("cov_ddof", |frame, exec| columnade_ops::correlation::cov(frame, ddof, exec))
    }

    /// A table of pairs of columns, with their labels in the first column.
    fn matrix(
        &self,
        operation: &'static str,
        of: impl Fn(&ColumnAccessor, &Exec) -> columnade_columns::Result<ColumnAccessor>,
    ) -> Result<Self> {
        let exec = self.exec();
        let found = of(self.frame().accessor(), exec).operation(operation)?;
        let names: Vec<Scalar> = self.columns().iter().map(|label| label.to_string().into()).collect();
        let names = Column::from_scalars(&DType::Utf8, &names, exec).operation(operation)?;
        let mut matrix = ColumnAccessor::from_columns([("column", names)]).operation(operation)?;
        for (label, column) in found.labels().iter().zip(found.columns()) {
            matrix.insert(label.clone(), column.clone()).operation(operation)?;
        }
        Ok(DataFrame::from_frame(Frame::new(matrix, exec.clone())))
    }

    /// The most frequent values of each column, all of several, ascending; columns with fewer of them end in nulls. Nulls are not
    /// counted.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let modes = df! { "a" => [1, 1, 2], "b" => ["y", "x", "z"] }?.mode()?;
    /// assert_eq!(modes.column("a")?.to_options::<i32>()?, [Some(1), None, None]);
    /// assert_eq!(modes.column("b")?.to_vec::<String>()?, ["x", "y", "z"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for nested columns, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.mode`.
    pub fn mode(&self) -> Result<Self> {
        const OPERATION: &str = "mode";
        let mut modes = Vec::with_capacity(self.columns().len());
        for label in self.columns() {
            modes.push(self.column(label)?.modes_as(OPERATION)?);
        }
        let rows = modes.iter().map(Series::len).max().unwrap_or(0);
        let exec = self.exec();
        let mut values = modes.iter();
        let columns = self.frame().accessor().map(rows, |column| {
            let found = values.next().map_or_else(|| column.clone(), |series| series.values().clone());
            let nulls = Column::full_null(&found.dtype(), rows - found.size(), exec)?;
            columnade_ops::copying::concat(&[&found, &nulls], exec)
        });
        Ok(self.with_rows(columns.operation(OPERATION)?))
    }

    /// The label of the first row with the smallest value of each column, as one row; null without values.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [3, 1, 1], "b" => ["x", "y", "z"] }?;
    /// assert_eq!(frame.idxmin()?.column("a")?.to_vec::<i64>()?, [1]);
    /// assert_eq!(frame.slice(1, 2)?.idxmax()?.column("b")?.to_vec::<i64>()?, [2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for nested columns, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.idxmin`, which refuses columns without values.
    pub fn idxmin(&self) -> Result<Self> {
        self.row_labels("idxmin", Expr::arg_min)
    }

    /// The label of the first row with the largest value of each column, as one row; null without values.
    ///
    /// # Errors
    /// Same as [`idxmin`](Self::idxmin).
    ///
    /// # Source
    /// pandas `DataFrame.idxmax`.
    pub fn idxmax(&self) -> Result<Self> {
        self.row_labels("idxmax", Expr::arg_max)
    }

    fn row_labels(&self, operation: &'static str, position: fn(Expr) -> Expr) -> Result<Self> {
        let found = self.one_row(operation, |x, _| position(x))?;
        let labels = found.map(1, |column| {
            let row = if let Scalar::Int64(row) = column.get(0)? { usize::try_from(row).ok() } else { None };
            let label = match row {
                Some(row) => self.index().label(row)?,
                None => Scalar::Null(self.index().dtypes().swap_remove(0)),
            };
            Column::from_scalar(&label, 1, self.exec())
        });
        Ok(self.with_rows(labels.operation(operation)?))
    }

    /// One aggregate of each column, under its label.
    fn one_row(&self, operation: &'static str, of: impl Fn(Expr, &Label) -> Expr) -> Result<ColumnAccessor> {
        let exprs: Vec<Expr> =
            self.columns().iter().map(|label| of(col(label.clone()), label).alias(label.clone())).collect();
        if exprs.is_empty() {
            return Ok(self.frame().accessor().clone());
        }
        aggregate(self.frame().accessor(), None, &[], &exprs, GroupOptions::default(), self.exec())
            .operation(operation)
    }
}
