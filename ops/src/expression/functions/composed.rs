//! Methods of expressions that are made of others.

use super::float64_of_number;
use crate::expression::{Expr, len, lit, max_horizontal, row_number};
use crate::groupby::{GroupOptions, NullKeys};

/// Nulls are equal to one another.
const WITH_NULLS: GroupOptions = GroupOptions { null_keys: NullKeys::Group };

impl Expr {
    /// Radians as degrees: `float64`, or `float32` of that.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, lit};
    /// assert_eq!(show(lit(std::f64::consts::PI).degrees())?, "180.0 180.0 180.0");
    /// assert_eq!(show(lit(180).radians().degrees())?, "180.0 180.0 180.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.degrees`, Polars `Expr.degrees`.
    pub fn degrees(self) -> Expr {
        let label = self.label();
        (self * (180.0 / std::f64::consts::PI)).alias(label)
    }

    /// Degrees as radians; see [`degrees`](Expr::degrees).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") * 45).radians().sin().round(3))?, "0.0 -0.707 0.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// `numpy.radians`, Polars `Expr.radians`.
    pub fn radians(self) -> Expr {
        let label = self.label();
        (self * (std::f64::consts::PI / 180.0)).alias(label)
    }

    /// Whether a number is away from another by at most `absolute`, or `relative` of the larger magnitude. An infinity is close
    /// to itself alone, NaN to nothing. Null where either is null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").is_close(4.000_000_001, 0.0, 1e-9))?, "true false false");
    /// assert_eq!(show(col("x").is_close(col("y"), 3.0, 0.0))?, "true <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// Python `math.isclose`, Polars `Expr.is_close`.
    pub fn is_close(self, other: impl Into<Expr>, absolute: f64, relative: f64) -> Expr {
        let label = self.label();
        let (a, b) = (float64_of_number(self), float64_of_number(other.into()));
        let limit = max_horizontal([a.clone().abs(), b.clone().abs()]) * relative;
        let limit = max_horizontal([limit, lit(absolute)]);
        let is_finite = a.clone().is_finite().and(b.clone().is_finite());
        let is_near = is_finite.and((a.clone() - b.clone()).abs().le(limit));
        a.eq(b).or(is_near).alias(label)
    }

    /// Whether another row has the same value. Nulls are equal, NaNs are equal. Never null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") / 5).floor().is_duplicated())?, "true false true");
    /// assert_eq!(show((col("y") / 5).floor().is_unique())?, "false true false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: those of [`over`](Expr::over).
    ///
    /// # Source
    /// pandas `Series.duplicated(keep=False)`, Polars `Expr.is_duplicated`.
    pub fn is_duplicated(self) -> Expr {
        let label = self.label();
        len().over_with(self, WITH_NULLS).gt(1).alias(label)
    }

    /// Whether no other row has the same value; see [`is_duplicated`](Expr::is_duplicated).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").is_unique())?, "true true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: those of [`over`](Expr::over).
    ///
    /// # Source
    /// Polars `Expr.is_unique`.
    pub fn is_unique(self) -> Expr {
        let label = self.label();
        len().over_with(self, WITH_NULLS).eq(1).alias(label)
    }

    /// Whether no row before has the same value. Nulls are equal, NaNs are equal. Never null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") / 5).floor().is_first_distinct())?, "true true false");
    /// assert_eq!(show((col("y") / 5).floor().is_last_distinct())?, "false true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: those of [`over`](Expr::over).
    ///
    /// # Source
    /// pandas `~Series.duplicated()`, Polars `Expr.is_first_distinct`.
    pub fn is_first_distinct(self) -> Expr {
        let label = self.label();
        row_number().over_with(self, WITH_NULLS).eq(1).alias(label)
    }

    /// Whether no row after has the same value; see [`is_first_distinct`](Expr::is_first_distinct).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").str().len().is_last_distinct())?, "false true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: those of [`over`](Expr::over).
    ///
    /// # Source
    /// pandas `~Series.duplicated(keep="last")`, Polars `Expr.is_last_distinct`.
    pub fn is_last_distinct(self) -> Expr {
        let label = self.label();
        let number = row_number().over_with(self.clone(), WITH_NULLS);
        number.eq(len().over_with(self, WITH_NULLS)).alias(label)
    }
}
