//! Distinct values of a series.

use columnade_columns::{ColumnAccessor, Scalar};
use columnade_ops::distinct::{self, Keep};
use columnade_ops::expression::{ColumnValues, Expr, IntoMembers, col, evaluate, len, lit};
use columnade_ops::groupby::{GroupOptions, NullKeys, aggregate};
use columnade_ops::sort::{NullOrder, Order, SortColumn, sort_by};

use super::Series;
use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;

impl Series {
    /// The distinct values in order of first appearance; a null is one of them.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let words = Series::new(["b", "a", "b"])?;
    /// assert_eq!(words.unique()?.to_vec::<String>()?, ["b", "a"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Series.drop_duplicates`.
    pub fn unique(&self) -> Result<Series> {
        const OPERATION: &str = "unique";
        let frame = self.inner.frame();
        let columns = frame.accessor();
        let kept = distinct::unique_rows(columns, columns.labels(), Keep::First, self.exec());
        self.inner.picked(OPERATION, kept.operation(OPERATION)?).map(Self::from_indexed)
    }

    /// A column of booleans for each distinct value, in ascending order: whether a row has that value. Of a null all are false.
    /// Columns are called as the values.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let columns = Series::new([Some("tea"), None, Some("oat")])?.get_dummies()?;
    /// assert_eq!(columns.columns(), ["oat", "tea"]);
    /// assert_eq!(columns.column("tea")?.to_vec::<bool>()?, [true, false, false]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for nested values, and when memory runs out.
    ///
    /// # Device
    /// The distinct values are copied to the host, since they are labels; one comparison each.
    ///
    /// # Source
    /// pandas `get_dummies`, Polars `Series.to_dummies`, cudf/transform.hpp `one_hot_encode`.
    pub fn get_dummies(&self) -> Result<DataFrame> {
        self.dummies_as("get_dummies")
    }

    /// [`get_dummies`](Self::get_dummies) for the method `operation`, which its errors name.
    pub(crate) fn dummies_as(&self, operation: &'static str) -> Result<DataFrame> {
        let exec = self.exec();
        let columns = self.inner.frame().accessor();
        let label = self.label_in_expressions();
        let kept = distinct::unique(columns, columns.labels(), Keep::First, exec).operation(operation)?;
        let key = SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last };
        let sorted = sort_by(&kept, &[key], exec).operation(operation)?;
        let values = sorted.columns()[0].to_scalars().operation(operation)?;
        let rows = ColumnAccessor::from_columns([(label, self.values().clone())]).operation(operation)?;
        let is_value = |value: &Scalar| {
            // NaN is a value here, and equal to no literal.
            let is_nan = matches!(value, Scalar::Float32(value) if value.is_nan())
                || matches!(value, Scalar::Float64(value) if value.is_nan());
            let test = if is_nan {
                col(label).is_nan().fill_null(false)
            } else {
                col(label).eq_missing(lit(value.clone()))
            };
            test.alias(value.to_string())
        };
        let tests: Vec<Expr> =
            values.iter().filter(|value| !matches!(value, Scalar::Null(_))).map(is_value).collect();
        // Of nulls alone there are no columns, but rows.
        let mut made = ColumnAccessor::with_rows(self.len());
        for (label, column) in evaluate(&tests, &rows, exec).operation(operation)? {
            made.insert(label, column).operation(operation)?;
        }
        let inner = &self.inner;
        Ok(DataFrame::from_indexed(inner.with_frame(inner.frame().with_columns(made))))
    }

    /// Whether each row repeats a value: of equal values the one that `keep` says does not.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Series.duplicated`.
    pub fn duplicated(&self, keep: Keep) -> Result<Series> {
        const OPERATION: &str = "duplicated";
        let columns = self.inner.frame().accessor();
        let mask = distinct::duplicated(columns, columns.labels(), keep, self.exec()).operation(OPERATION)?;
        self.with_values(OPERATION, mask)
    }

    /// Whether each value is one of several constants, as [`Expr::is_in`], or among the values of another series, of which NaN
    /// are equal; null for a null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let cities = Series::new(["Turin", "Oslo", "Bern"])?;
    /// assert_eq!(cities.is_in(["Oslo", "Rome"])?.to_vec::<bool>()?, [false, true, false]);
    /// let others = Series::new(["Bern", "Turin"])?;
    /// assert_eq!(cities.is_in(&others)?.to_vec::<bool>()?, [true, false, true]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for dtypes that do not compare, and when memory runs out.
    ///
    /// # Source
    /// Polars `Series.is_in`; pandas `Series.isin`, which gives false for a null that is not in the values.
    pub fn is_in<Kind>(&self, values: impl IntoMembers<Kind>) -> Result<Series> {
        self.computed("is_in", |value| value.is_in(values))
    }

    /// The distinct values as codes: the position of each row's value among the distinct ones, null for a null, and these
    /// values in order of first appearance.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Series.factorize`.
    pub fn factorize(&self) -> Result<(Series, Series)> {
        const OPERATION: &str = "factorize";
        let factorized = distinct::factorize(self.values(), self.exec())
            .map_err(|error| self.named(error))
            .operation(OPERATION)?;
        let codes = self.with_values(OPERATION, factorized.codes)?;
        let name = self.name().clone();
        Ok((codes, Series::from_column(OPERATION, name, factorized.uniques, self.exec().clone())?))
    }

    /// The number of rows with each value, nulls not counted: a frame of the values and the column `count`, the most
    /// frequent value first, equally frequent ones in order of first appearance.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let words = Series::new(["b", "a", "a"])?.rename("word");
    /// let counts = words.value_counts()?;
    /// assert_eq!(counts.columns(), ["word", "count"]);
    /// assert_eq!(counts.column("count")?.to_vec::<i64>()?, [2, 1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a series that is called `count`, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.value_counts`.
    pub fn value_counts(&self) -> Result<DataFrame> {
        const OPERATION: &str = "value_counts";
        let exec = self.exec();
        let columns = ColumnAccessor::from_columns([(self.name().clone(), self.values().clone())]);
        let columns = columns.operation(OPERATION)?;
        let options = GroupOptions { null_keys: NullKeys::Drop };
        let counted = [len().alias("count")];
        let counts = aggregate(&columns, None, &[col(self.name().clone())], &counted, options, exec)
            .operation(OPERATION)?;
        let by_count = SortColumn { position: 1, order: Order::Descending, nulls: NullOrder::Last };
        let sorted = sort_by(&counts, &[by_count], exec).operation(OPERATION)?;
        Ok(DataFrame::from_frame(Frame::new(sorted, exec.clone())))
    }
}

impl IntoMembers<ColumnValues> for &Series {
    fn contain(self, value: Expr) -> Expr {
        self.values().contain(value)
    }
}

impl IntoMembers<ColumnValues> for Series {
    fn contain(self, value: Expr) -> Expr {
        self.into_values().contain(value)
    }
}
