//! Selection of rows by a condition.

use columnade_ops::expression::{Expr, columns_of};
use columnade_ops::filter::filter_rows;

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::selection::IntoLabels;

impl DataFrame {
    /// The rows for which `predicate` is true, in order, with their labels. Rows for which it is null are dropped.
    ///
    /// ```
    /// use columnade::{Scalar, col, df};
    ///
    /// let kept = df! { "n" => [5, 6, 7] }?.filter(col("n").ne(6))?;
    /// assert_eq!(kept.index().to_scalars()?, [[0, 2].map(Scalar::Int64)]);
    /// assert_eq!(kept.ignore_index().index().get(1)?, Scalar::Int64(1));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for a
    /// predicate that is not boolean or does not support the dtypes, and when memory runs out.
    ///
    /// # Source
    /// pandas boolean indexing, `query`.
    #[expect(clippy::needless_pass_by_value, reason = "a predicate is written where it is used")]
    pub fn filter(&self, predicate: Expr) -> Result<Self> {
        self.filtered("filter", &predicate)
    }

    /// The columns `labels`, one or several, in this order, of the rows for which `predicate` is true: as
    /// [`filter`](Self::filter) and then [`select`](Self::select), but columns that only the predicate reads are not copied.
    ///
    /// ```
    /// use columnade::{DataFrame, col};
    ///
    /// let sales = DataFrame::new([("item", vec![7, 8, 9]), ("units", vec![5, 0, 3])])?;
    /// let sold = sales.filter_columns(col("units").gt(0), "item")?;
    /// assert_eq!(sold.columns(), ["item"]);
    /// assert_eq!(sold.len(), 2);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for a
    /// predicate that is not boolean or does not support the dtypes, and when memory runs out;
    /// [`Error::Operation`](crate::Error::Operation) for a label that comes twice.
    ///
    /// # Source
    /// pandas `loc[mask, columns]`.
    #[expect(clippy::needless_pass_by_value, reason = "a predicate is written where it is used")]
    pub fn filter_columns<A>(&self, predicate: Expr, labels: impl IntoLabels<A>) -> Result<Self> {
        const OPERATION: &str = "filter_columns";
        let (frame, labels) = (self.frame(), labels.into_labels());
        frame.check_labels(OPERATION, labels.iter().cloned().chain(columns_of([&predicate])))?;
        let rows = filter_rows(frame.accessor(), &labels, &predicate, frame.exec());
        self.with_picked(OPERATION, rows.operation(OPERATION)?)
    }

    /// [`filter`](Self::filter) for the method `operation`, which its errors name.
    pub(crate) fn filtered(&self, operation: &'static str, predicate: &Expr) -> Result<Self> {
        let frame = self.frame();
        frame.check_expressions(operation, std::slice::from_ref(predicate))?;
        let rows = filter_rows(frame.accessor(), frame.labels(), predicate, frame.exec());
        self.with_picked(operation, rows.operation(operation)?)
    }
}
