//! Adding and replacing columns.

use columnade_columns::{AsLabel, Column, ColumnAccessor, IntoColumn, Label};
use columnade_ops::expression::Expr;

use super::DataFrame;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::selection::argument::{Computed, Values};
use crate::selection::{IntoExprs, IntoLabels};
use crate::series::Series;

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

    #[doc(hidden)]
    fn row_labels(&self) -> Option<Index> {
        None
    }
}

impl<C: IntoColumn> IntoFrameColumn<Values> for C {
    fn into_frame_column(self, operation: &'static str, frame: &DataFrame) -> Result<Column> {
        let labels = IntoFrameColumn::row_labels(&self);
        let values = self.into_column(frame.exec()).operation(operation)?;
        match labels {
            Some(labels) if !frame.has_no_rows_yet() => {
                let labels = labels.to_device(frame.exec()).operation(operation)?;
                let take = labels.taken_by(operation, frame.index(), frame.exec())?;
                take.column(&values, frame.exec()).operation(operation)
            }
            _ => Ok(values),
        }
    }

    fn row_labels(&self) -> Option<Index> {
        IntoColumn::row_labels(self)?.downcast_ref::<Index>().cloned()
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
    /// label, or is appended. The values of a series go to the rows of their labels, null where it does not have the label.
    ///
    /// ```
    /// use columnade::{Index, Series, col, df};
    ///
    /// let frame = df! { "a" => [1_i64, 2] }?;
    /// let frame = frame.with_column("word", ["x", "y"])?.with_column("twice", col("a") * 2)?;
    /// assert_eq!(frame.columns(), ["a", "word", "twice"]);
    /// assert_eq!(frame.column("twice")?.to_vec::<i64>()?, [2, 4]);
    ///
    /// let series = Series::new([7, 8])?.with_index(&Index::new([1, 5])?)?;
    /// let frame = frame.with_column("of labels", series)?;
    /// assert_eq!(frame.column("of labels")?.to_options::<i32>()?, [None, Some(7)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for another number of rows, for an expression that does not support the
    /// dtypes, a series with labels of another kind, or when memory runs out;
    /// [`Error::DuplicateLabels`](crate::Error::DuplicateLabels) for a series with other labels that are not unique;
    /// [`Error::MissingColumns`](crate::Error::MissingColumns).
    ///
    /// # Device
    /// A series with equal labels is shared, as other columns are; other labels take a hash join and a gather.
    ///
    /// # Source
    /// pandas `assign`, Polars `with_columns`.
    pub fn with_column<K>(&self, label: impl Into<Label>, values: impl IntoFrameColumn<K>) -> Result<Self> {
        const OPERATION: &str = "with_column";
        let labels = values.row_labels();
        let column = values.into_frame_column(OPERATION, self)?;
        let mut columns = self.frame().accessor().clone();
        columns.set(label, column).operation(OPERATION)?;
        self.with_first(OPERATION, columns, labels)
    }

    /// Whether the first column decides how many rows there are.
    fn has_no_rows_yet(&self) -> bool {
        self.columns().is_empty() && self.is_empty()
    }

    /// Other columns of the same rows, or the first column with its labels.
    fn with_first(
        &self,
        operation: &'static str,
        columns: ColumnAccessor,
        labels: Option<Index>,
    ) -> Result<Self> {
        match labels.filter(|_| self.has_no_rows_yet()) {
            Some(labels) => {
                let labels = labels.to_device(self.exec()).operation(operation)?;
                let frame = Frame::new(columns, self.exec().clone());
                Ok(Self::from_indexed(IndexedFrame::with_index(frame, labels)))
            }
            None if columns.rows() == self.len() => Ok(self.with_accessor(columns)),
            None => Ok(Self::from_frame(Frame::new(columns, self.exec().clone()))),
        }
    }

    /// The frame with a new column before the one at `position`; at the end for as many columns as there are. Values as in
    /// [`with_column`](Self::with_column).
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2] }?.insert(0, "b", [3, 4])?;
    /// assert_eq!(frame.columns(), ["b", "a"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`with_column`](Self::with_column), and [`Error::Operation`](crate::Error::Operation) for a label that is there
    /// and a position after the end.
    ///
    /// # Source
    /// pandas `DataFrame.insert`, which changes the frame.
    pub fn insert<K>(
        &self,
        position: usize,
        label: impl Into<Label>,
        values: impl IntoFrameColumn<K>,
    ) -> Result<Self> {
        const OPERATION: &str = "insert";
        let labels = values.row_labels();
        let column = values.into_frame_column(OPERATION, self)?;
        let mut columns = self.frame().accessor().clone();
        let position = isize::try_from(position).unwrap_or(isize::MAX);
        columns.insert_at(position, label, column).operation(OPERATION)?;
        self.with_first(OPERATION, columns, labels)
    }

    /// A column, and the frame without it.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let (n, rest) = df! { "a" => [1, 2], "n" => [3, 4] }?.pop("n")?;
    /// assert_eq!((n.to_vec::<i32>()?, rest.columns().len()), (vec![3, 4], 1));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns).
    ///
    /// # Source
    /// pandas `DataFrame.pop`, which changes the frame.
    pub fn pop(&self, label: impl AsLabel) -> Result<(Series, Self)> {
        const OPERATION: &str = "pop";
        let column = self.frame().column(OPERATION, &label)?.clone();
        let only = ColumnAccessor::from_columns([(label.to_label(), column)]).operation(OPERATION)?;
        let only = self.indexed_frame().with_frame(self.frame().with_columns(only));
        let mut columns = self.frame().accessor().clone();
        columns.remove(label).operation(OPERATION)?;
        Ok((Series::from_indexed(only), self.with_accessor(columns)))
    }

    /// The columns of these labels first, in their order, then the others.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1], "b" => [2], "c" => [3] }?.reorder(["c", "b"])?;
    /// assert_eq!(frame.columns(), ["c", "b", "a"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for a label given
    /// twice.
    pub fn reorder<A>(&self, labels: impl IntoLabels<A>) -> Result<Self> {
        const OPERATION: &str = "reorder";
        let mut labels = labels.into_labels();
        self.frame().check_labels(OPERATION, &labels)?;
        let others = self.columns().iter().filter(|label| !labels.contains(label)).cloned();
        let others: Vec<Label> = others.collect();
        labels.extend(others);
        let columns = self.frame().accessor().select(&labels).operation(OPERATION)?;
        Ok(self.with_accessor(columns))
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
