//! Selection of columns, and of rows by position.

use columnade_columns::{AsLabel, Column, ColumnAccessor, Label, LabelKey, Scalar};
use columnade_ops::expression::Node;
use columnade_ops::selection::Picked;

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::selection::{IntoLabels, IntoSelectors, expressions};
use crate::series::Series;

impl DataFrame {
    /// The column of a label.
    ///
    /// # Errors
    /// [`Error::MissingColumns`], with the existing labels.
    pub fn column(&self, label: impl AsLabel) -> Result<Series> {
        const OPERATION: &str = "column";
        self.frame().check_labels(OPERATION, [&label])?;
        let accessor = self.frame().accessor().select([&label]).operation(OPERATION)?;
        Ok(Series::from_indexed(self.indexed_frame().with_frame(self.frame().with_columns(accessor))))
    }

    /// The values of the row at `position`, one for each column, copied to the host.
    ///
    /// For many rows, [`take`](Self::take) them and read their columns: each value is a copy of its own.
    ///
    /// ```
    /// use columnade::{DataFrame, Scalar};
    ///
    /// let frame = columnade::df! { "n" => [1_i64, 2], "word" => ["a", "b"] }?;
    /// assert_eq!(frame.row(1)?, [Scalar::from(2_i64), Scalar::from("b")]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] beyond the end, or when the device fails.
    ///
    /// # Source
    /// Polars `DataFrame.row`, pandas `iloc`.
    pub fn row(&self, position: usize) -> Result<Vec<Scalar>> {
        const OPERATION: &str = "row";
        if position >= self.len() {
            let error = columnade_columns::Error::IndexOutOfBounds { index: position, len: self.len() };
            return Err(error).operation(OPERATION);
        }
        let value = |(label, column): (&Label, &Column)| {
            column.get(position).map_err(|error| error.in_column(label)).operation(OPERATION)
        };
        self.frame().accessor().iter().map(value).collect()
    }

    /// The selected columns, in this order: one or several, labels or expressions; both together are a tuple.
    ///
    /// An aggregate is that of all rows, repeated in each row; [`agg`](Self::agg) gives one row.
    ///
    /// ```
    /// use columnade::{DataFrame, col};
    ///
    /// let frame = DataFrame::new([("a", vec![1_i64, 2]), ("b", vec![3, 4])])?;
    /// assert_eq!(frame.select("b")?.columns(), ["b"]);
    /// assert_eq!(frame.select(["b", "a"])?.columns(), ["b", "a"]);
    /// assert_eq!(frame.select(("b", (col("a") * 2).alias("twice")))?.columns(), ["b", "twice"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a repeated label or an expression that does not support the
    /// dtypes.
    pub fn select<A>(&self, columns: impl IntoSelectors<A>) -> Result<Self> {
        const OPERATION: &str = "select";
        let exprs = expressions(columns);
        self.frame().check_expressions(OPERATION, &exprs)?;
        let labels: Option<Vec<&Label>> = exprs
            .iter()
            .map(|expr| if let Node::Column(label) = expr.node() { Some(label) } else { None })
            .collect();
        if let Some(labels) = labels {
            return Ok(self.with_accessor(self.frame().accessor().select(labels).operation(OPERATION)?));
        }
        let mut accessor = ColumnAccessor::with_levels(self.len(), self.frame().accessor().levels().clone());
        for (label, column) in self.frame().evaluate(OPERATION, &exprs)? {
            accessor.insert(label, column).operation(OPERATION)?;
        }
        Ok(self.with_accessor(accessor))
    }

    /// The columns that a key selects: a label or label prefix, a list, a range, a mask or a wildcard; see [`LabelKey`]. A
    /// prefix of multi-level labels selects its group and drops the prefix.
    ///
    /// ```
    /// use columnade::DataFrame;
    ///
    /// let frame = DataFrame::new([(("tea", "price"), [3]), (("tea", "units"), [5]), (("rye", "price"), [2])])?;
    /// assert_eq!(frame.select_by_label("tea")?.columns(), ["price", "units"]);
    /// assert_eq!(frame.select_by_label(["tea"])?.columns(), [("tea", "price"), ("tea", "units")]);
    /// assert_eq!(frame.select_by_label(("tea", "units")..)?.columns(), [("tea", "units"), ("rye", "price")]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for an unknown label, a column selected twice, and a mask of another length.
    ///
    /// # Source
    /// pandas `DataFrame.loc[:, key]`.
    pub fn select_by_label(&self, key: impl Into<LabelKey>) -> Result<Self> {
        const OPERATION: &str = "select_by_label";
        Ok(self.with_accessor(self.frame().accessor().select_by_label(key).operation(OPERATION)?))
    }

    /// All columns except these: one label or several.
    ///
    /// # Errors
    /// [`Error::MissingColumns`].
    pub fn drop<A>(&self, labels: impl IntoLabels<A>) -> Result<Self> {
        self.without("drop", &labels.into_labels())
    }

    /// [`drop`](Self::drop) for the method `operation`, which its errors name.
    pub(crate) fn without<L: AsLabel>(&self, operation: &'static str, labels: &[L]) -> Result<Self> {
        self.frame().check_labels(operation, labels)?;
        Ok(self.with_accessor(self.frame().accessor().without(labels).operation(operation)?))
    }

    /// The first `rows` rows, sharing memory.
    ///
    /// # Errors
    /// [`Error::Operation`] when the device fails.
    pub fn head(&self, rows: usize) -> Result<Self> {
        self.indexed_frame().slice("head", 0, rows).map(Self::from_indexed)
    }

    /// The last `rows` rows, sharing memory.
    ///
    /// # Errors
    /// [`Error::Operation`] when the device fails.
    pub fn tail(&self, rows: usize) -> Result<Self> {
        self.indexed_frame().tail("tail", rows).map(Self::from_indexed)
    }

    /// Rows `offset .. offset + len`, sharing memory.
    ///
    /// # Errors
    /// [`Error::Operation`] when there are fewer rows.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Self> {
        const OPERATION: &str = "slice";
        self.indexed_frame().require_rows(OPERATION, offset, len)?;
        self.indexed_frame().slice(OPERATION, offset, len).map(Self::from_indexed)
    }

    /// Other columns of the same rows.
    pub(super) fn with_accessor(&self, columns: ColumnAccessor) -> Self {
        Self::from_indexed(self.indexed_frame().with_frame(self.frame().with_columns(columns)))
    }

    /// Columns of some of the rows, with their labels.
    pub(super) fn with_picked(&self, operation: &'static str, rows: Picked) -> Result<Self> {
        self.indexed_frame().picked(operation, rows).map(Self::from_indexed)
    }

    /// Columns of other rows, which are labelled 0, 1, ….
    pub(super) fn with_rows(&self, columns: ColumnAccessor) -> Self {
        Self::from_frame(Frame::new(columns, self.exec().clone()))
    }
}
