//! Reductions.

use columnade_columns::{Column, ColumnAccessor, Scalar};
use columnade_ops::expression::{Expr, col};
use columnade_ops::groupby::{GroupOptions, aggregate};

use super::Series;
use crate::error::{InOperation, Result};

impl Series {
    /// The sum of the values, ignoring nulls; 0 if there are none. Integers widen to 64 bits, where a larger sum wraps
    /// around; decimals widen to 38 digits.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a dtype without sums, for a sum of decimals of more than 38 digits
    /// ([`ErrorKind::Overflow`](crate::ErrorKind::Overflow)), and when the device fails.
    pub fn sum(&self) -> Result<Scalar> {
        self.reduce("sum", Expr::sum)
    }

    /// The arithmetic mean of the values, ignoring nulls; null if there are none. See [`Expr::mean`] for dtypes.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a dtype without means, and for decimals whose sum has more than 38
    /// digits.
    pub fn mean(&self) -> Result<Scalar> {
        self.reduce("mean", Expr::mean)
    }

    /// The minimum, ignoring nulls; null if there are no values.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    pub fn min(&self) -> Result<Scalar> {
        self.reduce("min", Expr::min)
    }

    /// The maximum, ignoring nulls; null if there are no values.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    pub fn max(&self) -> Result<Scalar> {
        self.reduce("max", Expr::max)
    }

    /// The number of non-null values.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the device fails.
    pub fn count(&self) -> Result<usize> {
        Ok(self.len() - self.null_count()?)
    }

    pub(super) fn reduce(
        &self,
        operation: &'static str,
        aggregated: impl FnOnce(Expr) -> Expr,
    ) -> Result<Scalar> {
        self.reduced(operation, aggregated)?.get(0).operation(operation)
    }

    /// The aggregate as a column of one row.
    pub(super) fn reduced(
        &self,
        operation: &'static str,
        aggregated: impl FnOnce(Expr) -> Expr,
    ) -> Result<Column> {
        let label = self.label_in_expressions();
        let columns = ColumnAccessor::from_columns([(label, self.values().clone())]).operation(operation)?;
        let exprs = [aggregated(col(label))];
        let one_row = aggregate(&columns, None, &[], &exprs, GroupOptions::default(), self.exec())
            .operation(operation)?;
        Ok(one_row.columns()[0].clone())
    }
}
