//! Adding and replacing columns.

use columnade_columns::{Column, ColumnAccessor, IntoColumn, Label};
use columnade_ops::expression::Expr;

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::selection::IntoExprs;
use crate::selection::argument::{Computed, Values};

/// What [`DataFrame::with_column`] takes: values, as [`IntoColumn`] says, or an expression over the columns of the
/// frame. The parameter is inferred.
///
/// ```compile_fail,E0277
/// # let frame = columnade::df! { "a" => [1] }.unwrap();
/// frame.with_column("b", 5); // `{integer}` is no column: one value for all rows is an expression: `lit(1)`
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no column",
    label = "expected values or an expression",
    note = "values are an array, a vector, a slice, a series or `from_iter(…)`; an expression is `col(\"a\") * 2`",
    note = "one value for all rows is an expression: `lit(1)`"
)]
pub trait IntoFrameColumn<Kind>: Sized {
    #[doc(hidden)]
    fn into_frame_column(self, operation: &'static str, frame: &DataFrame) -> Result<Column>;
}

impl<C: IntoColumn> IntoFrameColumn<Values> for C {
    fn into_frame_column(self, operation: &'static str, frame: &DataFrame) -> Result<Column> {
        self.into_column(frame.exec()).operation(operation)
    }
}

impl IntoFrameColumn<Computed> for Expr {
    fn into_frame_column(self, operation: &'static str, frame: &DataFrame) -> Result<Column> {
        let mut made = frame.frame().evaluate(operation, &[self])?;
        let made = made.pop().map(|(_, column)| column);
        made.ok_or(columnade_columns::Error::Internal { invariant: "an expression has a result" })
            .operation(operation)
    }
}

impl DataFrame {
    /// The frame with a column of these values, or of those of an expression over its columns: replaces the column of that
    /// label, or is appended.
    ///
    /// ```
    /// use columnade::{col, df};
    ///
    /// let frame = df! { "a" => [1_i64, 2] }?;
    /// let frame = frame.with_column("word", ["x", "y"])?.with_column("twice", col("a") * 2)?;
    /// assert_eq!(frame.columns(), ["a", "word", "twice"]);
    /// assert_eq!(frame.column("twice")?.to_vec::<i64>()?, [2, 4]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for another number of rows, for an expression that does not support the
    /// dtypes, or when memory runs out; [`Error::MissingColumns`](crate::Error::MissingColumns).
    ///
    /// # Source
    /// pandas `assign`, Polars `with_columns`.
    pub fn with_column<K>(&self, label: impl Into<Label>, values: impl IntoFrameColumn<K>) -> Result<Self> {
        const OPERATION: &str = "with_column";
        let column = values.into_frame_column(OPERATION, self)?;
        let mut columns = self.frame().accessor().clone();
        columns.set(label, column).operation(OPERATION)?;
        // The first column decides how many rows an empty frame has.
        if columns.rows() == self.len() {
            Ok(self.with_accessor(columns))
        } else {
            Ok(Self::from_frame(Frame::new(columns, self.exec().clone())))
        }
    }

    /// The frame with the values of one or several expressions over its columns. Each replaces the column of its label, or is appended. All
    /// expressions read the original frame.
    ///
    /// ```
    /// use columnade::{DataFrame, col};
    ///
    /// let frame = DataFrame::new([("price", vec![10_i64, 20])])?;
    /// let dearer = frame.with_columns([(col("price") * 2).alias("double"), col("price") + 1])?;
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
    pub fn with_columns<A>(&self, exprs: impl IntoExprs<A>) -> Result<Self> {
        const OPERATION: &str = "with_columns";
        let exprs = exprs.into_exprs();
        let mut columns = self.frame().accessor().clone();
        let made =
            ColumnAccessor::from_columns(self.frame().evaluate(OPERATION, &exprs)?).operation(OPERATION)?;
        for (label, column) in made.iter() {
            columns.set(label, column.clone()).operation(OPERATION)?;
        }
        Ok(self.with_accessor(columns))
    }
}
