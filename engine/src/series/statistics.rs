//! Statistics of all values of a series.

use columnade_columns::{Column, ColumnAccessor, DType, Label, Scalar};
use columnade_ops::expression::{Expr, Interpolation, col, len};
use columnade_ops::filter::filter;
use columnade_ops::groupby::{GroupOptions, NullKeys, aggregate};
use columnade_ops::sort::{NullOrder, Order, SortColumn, sort_by};

use super::Series;
use crate::dataframe::{DataFrame, Describe};
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl Series {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype without this statistic, and when memory runs out.
            pub fn $name(&self) -> Result<Scalar> {
                self.reduce(stringify!($name), $make)
            })*
        }
    };
}

operations! {
    /// The sample variance, ignoring nulls; null for fewer than two values. `float64`.
    var => Expr::var;
    /// The sample standard deviation, ignoring nulls; null for fewer than two values. `float64`, of times a duration; see
    /// [`Expr::std`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// assert_eq!(Series::new([Some(1_i64), None, Some(5)])?.std()?.to_string(), "2.8284271247461903");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    std => Expr::std;
    /// The standard error of the mean, ignoring nulls; null for fewer than two values. `float64`, of times a duration.
    sem => Expr::sem;
    /// The skewness, corrected for bias; null for fewer than three values and for equal ones. `float64`.
    skew => Expr::skew;
    /// The excess kurtosis, corrected for bias; null for fewer than four values and for equal ones. `float64`.
    kurt => Expr::kurt;
    /// The median, ignoring nulls; null without values. See [`Expr::median`] for dtypes.
    median => Expr::median;
    /// The product, ignoring nulls; 1 without values. Dtypes as [`Expr::product`].
    product => Expr::product;
    /// The most frequent value, the smallest of several; null without values.
    mode => Expr::mode;
    /// Whether a value is true, or not zero; false without values.
    any => Expr::any;
    /// Whether all values are true, or not zero; true without values.
    all => Expr::all;
    /// The number of distinct values, nulls not counted. `int64`.
    nunique => Expr::nunique;
    /// The first value that is not null; null if there is none.
    first => Expr::first;
    /// The last value that is not null; null if there is none.
    last => Expr::last;
    /// The position of the first row with the smallest value; null without values. `int64`.
    arg_min => Expr::arg_min;
    /// The position of the first row with the largest value; null without values. `int64`.
    arg_max => Expr::arg_max;
}

impl Series {
    /// The variance, divided by the number of values less `ddof`, ignoring nulls; null if that is not positive. `float64`.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let values = Series::new([1.0, 5.0])?;
    /// assert_eq!(values.var_ddof(0)?.to_string(), "4.0");
    /// assert_eq!(values.std_ddof(0)?.to_string(), "2.0");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without variances, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.var(ddof=…)`.
    pub fn var_ddof(&self, ddof: u32) -> Result<Scalar> {
        self.reduce("var_ddof", |x| x.var_ddof(ddof))
    }

    /// The square root of [`var_ddof`](Self::var_ddof), of times a duration.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without standard deviations, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.std(ddof=…)`.
    pub fn std_ddof(&self, ddof: u32) -> Result<Scalar> {
        self.reduce("std_ddof", |x| x.std_ddof(ddof))
    }

    /// The standard error of the mean, by the variance with `ddof`; null if the number of values is not more than that. `float64`, of
    /// times a duration.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without standard deviations, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.sem(ddof=…)`.
    pub fn sem_ddof(&self, ddof: u32) -> Result<Scalar> {
        self.reduce("sem_ddof", |x| x.sem_ddof(ddof))
    }

    /// The sum, ignoring nulls; null for fewer than `min_count` values. Dtypes as [`sum`](Self::sum).
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let values = Series::new([Some(2_i64), None, Some(5)])?;
    /// assert_eq!(values.sum_min_count(2)?, 7_i64.into());
    /// assert_eq!(values.product_min_count(3)?.to_string(), "<NA>");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`sum`](Self::sum).
    ///
    /// # Source
    /// pandas `Series.sum(min_count=…)`.
    pub fn sum_min_count(&self, min_count: u64) -> Result<Scalar> {
        self.reduce("sum_min_count", |x| x.sum_min_count(min_count))
    }

    /// The product, ignoring nulls; null for fewer than `min_count` values. Dtypes as [`product`](Self::product).
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without products, for a product of decimals of more than 38 digits, and when memory runs
    /// out.
    ///
    /// # Source
    /// pandas `Series.prod(min_count=…)`.
    pub fn product_min_count(&self, min_count: u64) -> Result<Scalar> {
        self.reduce("product_min_count", |x| x.product_min_count(min_count))
    }

    /// The quantiles `qs`, each 0 to 1: a row for each, in their order, as `interpolation` says. Nulls are skipped; null without
    /// values. See [`Expr::quantile_with`] for dtypes.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::Interpolation;
    ///
    /// let found = Series::new([1, 2, 4])?.quantiles([0.5, 0.75], Interpolation::Linear)?;
    /// assert_eq!(found.to_vec::<f64>()?, [2.0, 3.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for `qs` outside 0 to 1, for a dtype without quantiles, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.quantile([…])`.
    pub fn quantiles(
        &self,
        qs: impl IntoIterator<Item = f64>,
        interpolation: Interpolation,
    ) -> Result<Series> {
        const OPERATION: &str = "quantiles";
        // Of nulls without a dtype too there is a row for each.
        let is_null = self.dtype() == DType::Null;
        let numbers = |x: Expr| if is_null { x.cast(DType::Float64) } else { x };
        let lists = self.reduced(OPERATION, |x| numbers(x).quantiles_with(qs, interpolation))?;
        let Column::List(list) = lists else {
            return Err(columnade_columns::Error::Internal { invariant: "quantiles are a list" })
                .operation(OPERATION);
        };
        let span = list.span().operation(OPERATION)?;
        let items = list.items().slice(span.start, span.len()).operation(OPERATION)?;
        Series::from_column(OPERATION, self.name().clone(), items, self.exec().clone())
    }

    /// The quantile `q`, 0 to 1, ignoring nulls; between two values on the line between them. Null without values. See
    /// [`Expr::quantile`] for dtypes.
    ///
    /// # Errors
    /// [`Error::Operation`] for `q` outside 0 to 1, for a dtype without quantiles, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.quantile`.
    pub fn quantile(&self, q: f64) -> Result<Scalar> {
        self.reduce("quantile", |x| x.quantile(q))
    }

    /// The quantile `q`, 0 to 1, as `interpolation` says.
    ///
    /// # Errors
    /// Same as [`quantile`](Self::quantile).
    pub fn quantile_with(&self, q: f64, interpolation: Interpolation) -> Result<Scalar> {
        self.reduce("quantile_with", |x| x.quantile_with(q, interpolation))
    }

    /// Pearson's correlation with another series, over labels where both are valid; null for fewer than
    /// two. `float64`.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype that is no number, labels of another kind or number of levels, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.corr`.
    pub fn corr(&self, other: &Series) -> Result<Scalar> {
        self.statistic_with("corr", other, Expr::corr)
    }

    /// Spearman's correlation with another series, that of the ranks, over labels where both are valid; null for fewer than two.
    /// See [`Expr::spearman`]. `float64`.
    ///
    /// ```
    /// use columnade::{Scalar, Series};
    ///
    /// let found = Series::new([1, 2, 3])?.spearman(&Series::new([1, 10, 100])?)?;
    /// assert!(matches!(found, Scalar::Float64(found) if (found - 1.0).abs() < 1e-12));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels of another kind or number of levels, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.corr(method="spearman")`.
    pub fn spearman(&self, other: &Series) -> Result<Scalar> {
        self.statistic_with("spearman", other, Expr::spearman)
    }

    /// Kendall's correlation with another series, tau-b, over labels where both are valid; null for fewer than two, NaN if one of
    /// them is constant. See [`Expr::kendall`]. `float64`.
    ///
    /// ```
    /// use columnade::{Scalar, Series};
    ///
    /// let found = Series::new([1, 2, 3])?.kendall(&Series::new([1, 100, 10])?)?;
    /// assert!(matches!(found, Scalar::Float64(found) if (found - 1.0 / 3.0).abs() < 1e-12));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for labels of another kind or number of levels, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.corr(method="kendall")`.
    pub fn kendall(&self, other: &Series) -> Result<Scalar> {
        self.statistic_with("kendall", other, Expr::kendall)
    }

    /// The correlation with the values `lag` rows before, by position: see [`corr`](Self::corr).
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// assert_eq!(Series::new([1, 2, 4, 8, 16])?.autocorr(1)?, 1.0.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for values that are no numbers, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.autocorr`.
    pub fn autocorr(&self, lag: i64) -> Result<Scalar> {
        self.reduce("autocorr", |x| x.clone().corr(x.shift(lag)))
    }

    /// The sample covariance with another series, over labels where both are valid; null for fewer than
    /// two. `float64`.
    ///
    /// # Errors
    /// Same as [`corr`](Self::corr).
    ///
    /// # Source
    /// pandas `Series.cov`.
    pub fn cov(&self, other: &Series) -> Result<Scalar> {
        self.statistic_with("cov", other, Expr::cov)
    }

    /// The covariance with another series, divided by the number of labels where both are valid less `ddof`; null if that is not
    /// positive. `float64`.
    ///
    /// # Errors
    /// Same as [`corr`](Self::corr).
    ///
    /// # Source
    /// pandas `Series.cov(ddof=…)`.
    pub fn cov_ddof(&self, other: &Series, ddof: u32) -> Result<Scalar> {
        self.statistic_with("cov_ddof", other, |x, y| x.cov_ddof(y, ddof))
    }

    fn statistic_with(
        &self,
        operation: &'static str,
        other: &Series,
        make: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<Scalar> {
        // One value for all rows.
        let of_rows = self.combine(operation, other.into(), make)?;
        if of_rows.is_empty() {
            return Ok(Scalar::Null(of_rows.dtype()));
        }
        of_rows.values().get(0).operation(operation)
    }
}

impl Series {
    /// The label of the first row with the smallest value, NaN skipped; null without values.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let series = Series::new([3, 1, 1])?;
    /// assert_eq!(series.idxmin()?, 1_i64.into());
    /// assert_eq!(series.tail(2)?.idxmin()?, 1_i64.into());
    /// assert_eq!(series.tail(2)?.arg_min()?, 0_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for nested values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.idxmin`, which refuses a series without values.
    pub fn idxmin(&self) -> Result<Scalar> {
        self.label_at("idxmin", Expr::arg_min)
    }

    /// The label of the first row with the largest value, NaN skipped; null without values.
    ///
    /// # Errors
    /// Same as [`idxmin`](Self::idxmin).
    ///
    /// # Source
    /// pandas `Series.idxmax`.
    pub fn idxmax(&self) -> Result<Scalar> {
        self.label_at("idxmax", Expr::arg_max)
    }

    fn label_at(&self, operation: &'static str, position: fn(Expr) -> Expr) -> Result<Scalar> {
        let found = self.reduce(operation, position)?;
        let row = if let Scalar::Int64(row) = found { usize::try_from(row).ok() } else { None };
        match row {
            Some(row) => self.index().label_at(operation, row),
            None => Ok(Scalar::Null(self.index().dtypes().swap_remove(0))),
        }
    }

    /// All of the most frequent values, ascending; none without values. Nulls are not counted.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// assert_eq!(Series::new([2, 1, 2, 1, 3])?.modes()?.to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for nested values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.mode`.
    pub fn modes(&self) -> Result<Series> {
        self.modes_as("modes")
    }

    /// [`modes`](Self::modes) for the method `operation`, which its errors name.
    pub(crate) fn modes_as(&self, operation: &'static str) -> Result<Series> {
        let exec = self.exec();
        let (value, count) = ("value", "count");
        let columns = ColumnAccessor::from_columns([(value, self.values().clone())]).operation(operation)?;
        let counted = [len().alias(count)];
        let counts = aggregate(
            &columns,
            None,
            &[col(value)],
            &counted,
            GroupOptions { null_keys: NullKeys::Drop },
            exec,
        )
        .map_err(|error| self.named(error))
        .operation(operation)?;
        let most = filter(&counts, &col(count).eq(col(count).max()), exec).operation(operation)?;
        let by_value = SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last };
        let sorted = sort_by(&most, &[by_value], exec).operation(operation)?;
        Series::from_column(operation, self.name().clone(), sorted.columns()[0].clone(), exec.clone())
    }

    /// Summary statistics: a row for each, its name in the column `statistic`, and its value in the column of this series' name, or
    /// `value`. See [`DataFrame::describe`] for rows and dtypes; a series of another dtype than numbers and times has `count`,
    /// `unique`, `top` and `freq`.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let summary = Series::new(["a", "b", "a"])?.rename("word").describe(..)?;
    /// assert_eq!(summary.column("statistic")?.to_vec::<String>()?, ["count", "unique", "top", "freq"]);
    /// assert_eq!(summary.column("word")?.to_vec::<String>()?, ["3", "2", "a", "2"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`DataFrame::describe`].
    ///
    /// # Source
    /// pandas `Series.describe`.
    pub fn describe(&self, options: impl Into<Describe>) -> Result<DataFrame> {
        const OPERATION: &str = "describe";
        let name: Label = if self.is_unnamed() { "value".into() } else { self.name().clone() };
        let columns = ColumnAccessor::from_columns([(name, self.values().clone())]).operation(OPERATION)?;
        DataFrame::from_frame(Frame::new(columns, self.exec().clone())).described(OPERATION, &options.into())
    }
}
