//! Values of each row by the rows of its group.

use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::expression::{Expr, Rank, col};

use super::DataFrame;
use super::groupby::GroupBy;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::selection::IntoExprs;

macro_rules! of_every_column {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl GroupBy<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::MissingColumns`]; [`Error::Operation`] for a column whose dtype is without this function, and when
            /// memory runs out.
            pub fn $name(&self) -> Result<DataFrame> {
                self.of_rows(stringify!($name), $make)
            })*
        }
    };
}

of_every_column! {
    /// The sums of the values of the group up to each row, of every column that is no key. Nulls stay null.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1_i64, 2, 3] }?;
    /// assert_eq!(frame.group_by("k").cum_sum()?.column("n")?.to_vec::<i64>()?, [1, 2, 4]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `GroupBy.cumsum`.
    cum_sum => Expr::cum_sum;
    /// The smallest of the values of the group up to each row, of every column that is no key.
    ///
    /// # Source
    /// pandas `GroupBy.cummin`.
    cum_min => Expr::cum_min;
    /// The largest of the values of the group up to each row, of every column that is no key.
    ///
    /// # Source
    /// pandas `GroupBy.cummax`.
    cum_max => Expr::cum_max;
    /// The products of the values of the group up to each row, of every column that is no key.
    ///
    /// # Source
    /// pandas `GroupBy.cumprod`.
    cum_product => Expr::cum_product;
}

impl GroupBy<'_> {
    /// Expressions within the groups: an aggregate is repeated in each row of its group. The rows are those of the frame in
    /// their order, with their labels; null for rows with a null key, unless [`dropna(false)`](Self::dropna).
    ///
    /// ```
    /// use columnade::{col, df};
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1_i64, 2, 3] }?;
    /// let groups = frame.group_by("k");
    /// let made = groups.transform([col("n").sum(), (col("n") - col("n").min()).alias("above")])?;
    /// assert_eq!(made.column("n")?.to_vec::<i64>()?, [4, 2, 4]);
    /// assert_eq!(made.column("above")?.to_vec::<i64>()?, [0, 0, 2]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for an expression that does not support the dtypes, for a repeated label,
    /// and when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.transform`, which keeps the dtype by making nulls NaN.
    pub fn transform<A>(&self, exprs: impl IntoExprs<A>) -> Result<DataFrame> {
        const OPERATION: &str = "transform";
        let rows = self.taking_part(OPERATION)?;
        let exprs: Vec<Expr> = exprs
            .into_exprs()
            .into_iter()
            .map(|expr| {
                let label = expr.label();
                self.within(expr).alias(label)
            })
            .collect();
        let made = rows.frame().evaluate(OPERATION, &exprs)?;
        let columns = if made.is_empty() {
            ColumnAccessor::with_rows(rows.len())
        } else {
            ColumnAccessor::from_columns(made).operation(OPERATION)?
        };
        Ok(rows.with_accessor(columns))
    }

    /// The values `n` rows before in the group, or after if `n` is negative, of every column that is no key; null if there is no
    /// such row.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1_i64, 2, 3] }?;
    /// assert_eq!(frame.group_by("k").shift(1)?.column("n")?.to_options::<i64>()?, [None, None, Some(1)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.shift`.
    pub fn shift(&self, n: i64) -> Result<DataFrame> {
        self.of_rows("shift", |x| x.shift(n))
    }

    /// The differences from the values `n` rows before in the group, of every column that is no key.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a column without differences, and when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.diff`.
    pub fn diff(&self, n: i64) -> Result<DataFrame> {
        self.of_rows("diff", |x| x.diff(n))
    }

    /// The changes from the values `n` rows before in the group as a share of these, of every column that is no key.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a column that is no number, and when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.pct_change`.
    pub fn pct_change(&self, n: i64) -> Result<DataFrame> {
        self.of_rows("pct_change", |x| x.pct_change(n))
    }

    /// The rank of each value in its group, from 1, of every column that is no key; null for null.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.rank`.
    pub fn rank(&self, rank: Rank) -> Result<DataFrame> {
        self.of_rows("rank", |x| x.rank(rank))
    }

    /// Each null replaced by the last valid value before it in the group, at most `limit` rows before, of every column that is
    /// no key.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.ffill`.
    pub fn fill_forward(&self, limit: Option<u64>) -> Result<DataFrame> {
        self.of_rows("fill_forward", |x| x.fill_forward(limit))
    }

    /// Each null replaced by the first valid value after it in the group, at most `limit` rows after, of every column that is no
    /// key.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.bfill`.
    pub fn fill_backward(&self, limit: Option<u64>) -> Result<DataFrame> {
        self.of_rows("fill_backward", |x| x.fill_backward(limit))
    }

    /// What `make` makes of each column that is no key, within the groups.
    fn of_rows(&self, operation: &'static str, make: impl Fn(Expr) -> Expr) -> Result<DataFrame> {
        let rows = self.taking_part(operation)?;
        let (keys, accessor) = (self.key_labels(), rows.frame().accessor());
        let labels: Vec<Label> =
            accessor.labels().iter().filter(|label| !keys.contains(label)).cloned().collect();
        let exprs: Vec<Expr> =
            labels.iter().map(|label| self.within(make(col(label.clone()))).alias(label.clone())).collect();
        let made = rows.frame().evaluate(operation, &exprs)?;
        let mut columns = ColumnAccessor::with_levels(rows.len(), accessor.levels().clone());
        for (label, (_, column)) in labels.into_iter().zip(made) {
            columns.insert(label, column).operation(operation)?;
        }
        Ok(rows.with_accessor(columns))
    }
}
