//! Statistics of all values of a series.

use columnade_columns::Scalar;
use columnade_ops::expression::{Expr, Interpolation};

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

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
    /// The sample standard deviation, ignoring nulls; null for fewer than two values. `float64`.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// assert_eq!(Series::new([Some(1_i64), None, Some(5)])?.std()?.to_string(), "2.8284271247461903");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    std => Expr::std;
    /// The standard error of the mean, ignoring nulls; null for fewer than two values. `float64`.
    sem => Expr::sem;
    /// The skewness, corrected for bias; null for fewer than three values. `float64`.
    skew => Expr::skew;
    /// The excess kurtosis, corrected for bias; null for fewer than four values. `float64`.
    kurt => Expr::kurt;
    /// The median, ignoring nulls; null without values. See [`Expr::median`] for dtypes.
    median => Expr::median;
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

    /// Pearson's correlation with another series of the same length, over rows where both are valid; null for fewer than
    /// two. `float64`.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype that is no number, another number of rows, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.corr`.
    pub fn corr(&self, other: &Series) -> Result<Scalar> {
        self.statistic_with("corr", other, Expr::corr)
    }

    /// The sample covariance with another series of the same length, over rows where both are valid; null for fewer than
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
