//! Functions of each value of a series and the values before or after it.

use columnade_ops::expression::{Expr, Rank};

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl Series {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for a dtype without this function, and when memory runs out.
            pub fn $name(&self) -> Result<Series> {
                self.evaluated(stringify!($name), $make)
            })*
        }
    };
}

operations! {
    /// The sum of the values up to each row. Nulls stay null. Dtypes as [`sum`](Series::sum).
    cum_sum => Expr::cum_sum;
    /// The smallest of the values up to each row. Nulls stay null.
    cum_min => Expr::cum_min;
    /// The largest of the values up to each row. Nulls stay null.
    cum_max => Expr::cum_max;
    /// The number of valid values up to each row. `int64`.
    cum_count => Expr::cum_count;
}

impl Series {
    /// The rank of each value, from 1, equal ones as `rank` says; null for nulls.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::Rank;
    ///
    /// let ranks = Series::new([30, 10, 30])?.rank(Rank::default())?;
    /// assert_eq!(ranks.to_vec::<f64>()?, [2.5, 1.0, 2.5]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for nested values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.rank`.
    pub fn rank(&self, rank: Rank) -> Result<Series> {
        self.evaluated("rank", |x| x.rank(rank))
    }

    /// The value `n` rows before, or after if `n` is negative; null if there is no such row.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Series.shift`.
    pub fn shift(&self, n: i64) -> Result<Series> {
        self.evaluated("shift", |x| x.shift(n))
    }

    /// [`shift`](Self::shift), with `fill` where there is no such row.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// assert_eq!(Series::new([1, 2, 3])?.shift_or(2, 0)?.to_vec::<i32>()?, [0, 0, 1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a fill that does not go together with the values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.shift(fill_value=…)`.
    pub fn shift_or(&self, n: i64, fill: impl Into<Expr>) -> Result<Series> {
        self.evaluated("shift_or", |x| x.shift_or(n, fill))
    }

    /// The difference from the value `n` rows before; null if there is no such row.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without differences, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.diff`.
    pub fn diff(&self, n: i64) -> Result<Series> {
        self.evaluated("diff", |x| x.diff(n))
    }

    /// The change from the value `n` rows before as a share of it; null if there is no such row.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype that is no number, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.pct_change`.
    pub fn pct_change(&self, n: i64) -> Result<Series> {
        self.evaluated("pct_change", |x| x.pct_change(n))
    }

    /// The values with each null replaced by the last valid value before it, at most `limit` rows before.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Series.ffill`.
    pub fn fill_forward(&self, limit: Option<u64>) -> Result<Series> {
        self.evaluated("fill_forward", |x| x.fill_forward(limit))
    }

    /// The values with each null replaced by the first valid value after it, at most `limit` rows after.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `Series.bfill`.
    pub fn fill_backward(&self, limit: Option<u64>) -> Result<Series> {
        self.evaluated("fill_backward", |x| x.fill_backward(limit))
    }
}
