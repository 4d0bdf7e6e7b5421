//! Selection of rows by a condition.

use columnade_ops::expression::{Expr, columns_of};
use columnade_ops::filter::{filter, filter_columns};

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::selection::IntoLabels;

impl DataFrame {
    /// The rows for which `predicate` is true, in order. Rows for which it is null are dropped.
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
    /// As [`filter`](Self::filter); [`Error::Operation`](crate::Error::Operation) for a label that comes twice.
    ///
    /// # Source
    /// pandas `loc[mask, columns]`.
    #[expect(clippy::needless_pass_by_value, reason = "a predicate is written where it is used")]
    pub fn filter_columns<A>(&self, predicate: Expr, labels: impl IntoLabels<A>) -> Result<Self> {
        const OPERATION: &str = "filter_columns";
        let (frame, labels) = (self.frame(), labels.into_labels());
        frame.check_labels(OPERATION, labels.iter().cloned().chain(columns_of([&predicate])))?;
        let columns = filter_columns(frame.accessor(), &labels, &predicate, frame.exec());
        Ok(self.with_rows(columns.operation(OPERATION)?))
    }

    /// [`filter`](Self::filter) for the method `operation`, which its errors name.
    pub(crate) fn filtered(&self, operation: &'static str, predicate: &Expr) -> Result<Self> {
        let frame = self.frame();
        frame.check_expressions(operation, std::slice::from_ref(predicate))?;
        let columns = filter(frame.accessor(), predicate, frame.exec()).operation(operation)?;
        Ok(self.with_rows(columns))
    }
}
