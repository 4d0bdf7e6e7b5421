//! Functions of the values of every column.

use columnade_columns::{ColumnAccessor, DType, Label, RenamedLevels};
use columnade_ops::expression::{Expr, Rank, col};

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

macro_rules! of_every_column {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl DataFrame {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a column whose dtype is without this function, and when memory runs out.
            pub fn $name(&self) -> Result<Self> {
                self.of_columns(stringify!($name), |_| true, $make)
            })*
        }
    };
}

of_every_column! {
    /// Whether each value is null: `bool`. NaN is not null.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [Some(1), None], "b" => [Some("x"), Some("y")] }?;
    /// assert_eq!(frame.is_null()?.column("a")?.to_vec::<bool>()?, [false, true]);
    /// assert_eq!(frame.is_not_null()?.column("b")?.to_vec::<bool>()?, [true, true]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.isna`.
    is_null => Expr::is_null;
    /// Whether each value is not null: `bool`.
    ///
    /// # Source
    /// pandas `DataFrame.notna`.
    is_not_null => Expr::is_not_null;
    /// The magnitudes of numbers.
    ///
    /// # Source
    /// pandas `DataFrame.abs`.
    abs => Expr::abs;
    /// The sums of the values up to each row; see [`Series::cum_sum`](crate::Series::cum_sum).
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let sums = df! { "a" => [Some(1_i64), None, Some(4)] }?.cum_sum()?;
    /// assert_eq!(sums.column("a")?.to_options::<i64>()?, [Some(1), None, Some(5)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `DataFrame.cumsum`.
    cum_sum => Expr::cum_sum;
    /// The smallest of the values up to each row.
    ///
    /// # Source
    /// pandas `DataFrame.cummin`.
    cum_min => Expr::cum_min;
    /// The largest of the values up to each row.
    ///
    /// # Source
    /// pandas `DataFrame.cummax`.
    cum_max => Expr::cum_max;
    /// The products of the values up to each row.
    ///
    /// # Source
    /// pandas `DataFrame.cumprod`.
    cum_product => Expr::cum_product;
    /// Each null between two numbers replaced by the number on the line between these: see
    /// [`Series::interpolate`](crate::Series::interpolate).
    ///
    /// # Source
    /// pandas `DataFrame.interpolate(limit_area="inside")`.
    interpolate => Expr::interpolate;
}

/// Whether a dtype has NaN.
fn is_float(dtype: &DType) -> bool {
    matches!(dtype, DType::Float32 | DType::Float64)
}

impl DataFrame {
    /// The values with each null replaced by the last valid value before it, at most `limit` rows before.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [Some(1), None, None] }?;
    /// assert_eq!(frame.fill_forward(Some(1))?.column("a")?.to_options::<i32>()?, [Some(1), Some(1), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.ffill`.
    pub fn fill_forward(&self, limit: Option<u64>) -> Result<Self> {
        self.of_columns("fill_forward", |_| true, |x| x.fill_forward(limit))
    }

    /// The values with each null replaced by the first valid value after it, at most `limit` rows after.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.bfill`.
    pub fn fill_backward(&self, limit: Option<u64>) -> Result<Self> {
        self.of_columns("fill_backward", |_| true, |x| x.fill_backward(limit))
    }

    /// The values `n` rows before, or after if `n` is negative, under the labels that are there; null if there is no such row.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2, 4] }?;
    /// assert_eq!(frame.shift(1)?.column("a")?.to_options::<i32>()?, [None, Some(1), Some(2)]);
    /// assert_eq!(frame.diff(1)?.column("a")?.to_options::<i32>()?, [None, Some(1), Some(2)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.shift`.
    pub fn shift(&self, n: i64) -> Result<Self> {
        self.of_columns("shift", |_| true, |x| x.shift(n))
    }

    /// [`shift`](Self::shift), with `fill` where there is no such row.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2, 4] }?;
    /// assert_eq!(frame.shift_or(-1, 0)?.column("a")?.to_vec::<i32>()?, [2, 4, 0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a column that the fill does not go together with, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.shift(fill_value=…)`.
    pub fn shift_or(&self, n: i64, fill: impl Into<Expr>) -> Result<Self> {
        let fill = fill.into();
        self.of_columns("shift_or", |_| true, |x| x.shift_or(n, fill.clone()))
    }

    /// Each null between two numbers, at most `limit` after each, replaced by the number on the line between these: see
    /// [`Series::interpolate_limit`](crate::Series::interpolate_limit).
    ///
    /// # Errors
    /// [`Error::Operation`] for a column that is no number, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.interpolate(limit=…, limit_area="inside")`.
    pub fn interpolate_limit(&self, limit: u64) -> Result<Self> {
        self.of_columns("interpolate_limit", |_| true, |x| x.interpolate_limit(limit))
    }

    /// Numbers with `value` in place of NaN; null stays null, and columns that are no floats stay as they are.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [f64::NAN, 2.0], "b" => ["x", "y"] }?;
    /// assert_eq!(frame.fill_nan(0.5)?.column("a")?.to_vec::<f64>()?, [0.5, 2.0]);
    /// assert_eq!(frame.nan_to_null()?.column("a")?.to_options::<f64>()?, [None, Some(2.0)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a value that is no number, and when memory runs out.
    ///
    /// # Source
    /// Polars `DataFrame.fill_nan`.
    pub fn fill_nan(&self, value: impl Into<Expr>) -> Result<Self> {
        let value = value.into();
        self.of_columns("fill_nan", is_float, |x| x.fill_nan(value.clone()))
    }

    /// Numbers with null in place of NaN; columns that are no floats stay as they are.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// cuDF `DataFrame.nans_to_nulls`.
    pub fn nan_to_null(&self) -> Result<Self> {
        self.of_columns("nan_to_null", is_float, Expr::nan_to_null)
    }

    /// The differences from the values `n` rows before; null if there is no such row.
    ///
    /// # Errors
    /// [`Error::Operation`] for a column without differences, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.diff`.
    pub fn diff(&self, n: i64) -> Result<Self> {
        self.of_columns("diff", |_| true, |x| x.diff(n))
    }

    /// The changes from the values `n` rows before as a share of these; null if there is no such row.
    ///
    /// # Errors
    /// [`Error::Operation`] for a column that is no number, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.pct_change`.
    pub fn pct_change(&self, n: i64) -> Result<Self> {
        self.of_columns("pct_change", |_| true, |x| x.pct_change(n))
    }

    /// The rank of each value in its column, from 1; null for null.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.rank`.
    pub fn rank(&self, rank: Rank) -> Result<Self> {
        self.of_columns("rank", |_| true, |x| x.rank(rank))
    }

    /// The values, or the nearer bound where they are beyond one: see [`Expr::clip`].
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 20], "b" => [-3, 4] }?.clip(0, 9)?;
    /// assert_eq!(frame.column("a")?.to_vec::<i32>()?, [1, 9]);
    /// assert_eq!(frame.column("b")?.to_vec::<i32>()?, [0, 4]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a column that the bounds do not go together with, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.clip`.
    pub fn clip(&self, lower: impl Into<Expr>, upper: impl Into<Expr>) -> Result<Self> {
        let (lower, upper) = (lower.into(), upper.into());
        self.of_columns("clip", |_| true, |x| x.clip(lower.clone(), upper.clone()))
    }

    /// Numbers rounded to `decimals` digits after the point; other columns stay as they are.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1.26, 2.0], "b" => ["x", "y"] }?.round(1)?;
    /// assert_eq!(frame.column("a")?.to_vec::<f64>()?, [1.3, 2.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.round`.
    pub fn round(&self, decimals: i32) -> Result<Self> {
        self.of_columns("round", DType::is_numeric, |x| x.round(decimals))
    }

    /// Some columns in other dtypes, each as [`Series::cast`](crate::Series::cast) makes it.
    ///
    /// ```
    /// use columnade::{DType, df};
    ///
    /// let frame = df! { "a" => ["1", "x"], "b" => [1, 2] }?;
    /// let made = frame.try_cast([("a", DType::Int64), ("b", DType::Utf8)])?;
    /// assert_eq!(made.column("a")?.to_options::<i64>()?, [Some(1), None]);
    /// assert_eq!(frame.cast([("a", DType::Int64)]).unwrap_err().to_string(), "cast: column \"a\": row 1: \"x\" is not a value of int64");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`], naming the column, as [`Series::cast`](crate::Series::cast).
    ///
    /// # Source
    /// pandas `DataFrame.astype({…}, errors="raise")`, Polars `DataFrame.cast`.
    pub fn cast<L: Into<Label>>(&self, dtypes: impl IntoIterator<Item = (L, DType)>) -> Result<Self> {
        self.with_dtypes("cast", dtypes, Expr::cast)
    }

    /// [`cast`](Self::cast), null for values that do not fit.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] as [`Series::try_cast`](crate::Series::try_cast).
    ///
    /// # Source
    /// Polars `DataFrame.cast(strict=False)`.
    pub fn try_cast<L: Into<Label>>(&self, dtypes: impl IntoIterator<Item = (L, DType)>) -> Result<Self> {
        self.with_dtypes("try_cast", dtypes, Expr::try_cast)
    }

    fn with_dtypes<L: Into<Label>>(
        &self,
        operation: &'static str,
        dtypes: impl IntoIterator<Item = (L, DType)>,
        cast: fn(Expr, DType) -> Expr,
    ) -> Result<Self> {
        let dtypes: Vec<(Label, DType)> =
            dtypes.into_iter().map(|(label, dtype)| (label.into(), dtype)).collect();
        self.frame().check_labels(operation, dtypes.iter().map(|(label, _)| label))?;
        let mut columns = self.frame().accessor().clone();
        for (label, dtype) in dtypes {
            let exprs = [cast(col(label.clone()), dtype)];
            let made = columnade_ops::expression::evaluate(&exprs, self.frame().accessor(), self.exec());
            let made =
                made.map_err(|error| error.without_context().in_column(&label)).operation(operation)?;
            let Some((_, column)) = made.into_iter().next() else { continue };
            columns.set(label, column).operation(operation)?;
        }
        Ok(self.with_accessor(columns))
    }

    /// What `make` makes of the columns whose dtype `takes` takes, in place of them.
    fn of_columns(
        &self,
        operation: &'static str,
        takes: impl Fn(&DType) -> bool,
        make: impl Fn(Expr) -> Expr,
    ) -> Result<Self> {
        let accessor = self.frame().accessor();
        let taken: Vec<Label> =
            accessor.dtypes().filter(|(_, dtype)| takes(dtype)).map(|(label, _)| label.clone()).collect();
        let exprs: Vec<Expr> =
            taken.iter().map(|label| make(col(label.clone())).alias(label.clone())).collect();
        let made = self.frame().evaluate(operation, &exprs)?;
        let mut columns: ColumnAccessor = accessor.clone();
        for (label, (_, column)) in taken.into_iter().zip(made) {
            columns.set(label, column).operation(operation)?;
        }
        Ok(self.with_accessor(columns))
    }

    /// The same columns with `prefix` before their labels, which become texts; of several levels, before each.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1], "b" => [2] }?;
    /// assert_eq!(frame.add_prefix("old_")?.columns(), ["old_a", "old_b"]);
    /// assert_eq!(frame.add_suffix("_new")?.columns(), ["a_new", "b_new"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when two columns would have one label.
    ///
    /// # Source
    /// pandas `DataFrame.add_prefix`.
    pub fn add_prefix(&self, prefix: &str) -> Result<Self> {
        self.with_texts("add_prefix", |part| format!("{prefix}{part}"))
    }

    /// The same columns with `suffix` after their labels, as [`add_prefix`](Self::add_prefix).
    ///
    /// # Errors
    /// Same as [`add_prefix`](Self::add_prefix).
    ///
    /// # Source
    /// pandas `DataFrame.add_suffix`.
    pub fn add_suffix(&self, suffix: &str) -> Result<Self> {
        self.with_texts("add_suffix", |part| format!("{part}{suffix}"))
    }

    fn with_texts(&self, operation: &'static str, text: impl Fn(String) -> String) -> Result<Self> {
        let accessor = self.frame().accessor();
        let renamed = accessor.rename_levels(RenamedLevels::All, |part| Some(text(part.to_string()).into()));
        Ok(self.with_accessor(renamed.operation(operation)?))
    }
}
