//! Adding and replacing columns.

use columnade_columns::{ColumnAccessor, IntoColumn, Label};
use columnade_ops::expression::Expr;

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::frame::Frame;

impl DataFrame {
    /// The frame with a column of these values: replaces the column of that label, or is appended.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for another number of rows, or when memory runs out.
    pub fn with_column(&self, label: impl Into<Label>, values: impl IntoColumn) -> Result<Self> {
        const OPERATION: &str = "with_column";
        let column = values.into_column(self.exec()).operation(OPERATION)?;
        let mut columns = self.frame().columns().clone();
        columns.set(label, column).operation(OPERATION)?;
        // The first column decides how many rows an empty frame has.
        if columns.rows() == self.len() {
            Ok(self.with_accessor(columns))
        } else {
            Ok(Self::from_frame(Frame::new(columns, self.exec().clone())))
        }
    }

    /// The frame with the values of expressions over its columns. Each replaces the column of its label, or is appended. All
    /// expressions read the original frame.
    ///
    /// ```
    /// use columnade::{DataFrame, col, lit};
    ///
    /// let frame = DataFrame::new([("price", vec![10_i64, 20])])?;
    /// let dearer = frame.with_columns([(col("price") * lit(2)).alias("double"), col("price") + lit(1)])?;
    /// assert_eq!(dearer.columns(), ["price", "double", "(price + 1)"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for an
    /// expression that does not support the dtypes, and for two with one label.
    ///
    /// # Source
    /// pandas `assign`.
    pub fn with_columns(&self, exprs: impl IntoIterator<Item = Expr>) -> Result<Self> {
        const OPERATION: &str = "with_columns";
        let exprs: Vec<Expr> = exprs.into_iter().collect();
        let mut columns = self.frame().columns().clone();
        let made =
            ColumnAccessor::from_columns(self.frame().evaluate(OPERATION, &exprs)?).operation(OPERATION)?;
        for (label, column) in made.iter() {
            columns.set(label, column.clone()).operation(OPERATION)?;
        }
        Ok(self.with_accessor(columns))
    }
}
