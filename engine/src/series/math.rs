//! Functions of numbers, bits and missing values.

use columnade_ops::expression::{Expr, max_horizontal, min_horizontal};

use super::{Series, SeriesOperand};
use crate::alignment::LabelJoin;
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
    /// e to the power of each number: `float64`, or the `float32` that they are; null for null. See [`Expr::exp`] for
    /// accuracy, also of the following functions.
    exp => Expr::exp;
    /// One less than e to the power of each number, exact near zero; as [`exp`](Series::exp).
    expm1 => Expr::expm1;
    /// Natural logarithms; NaN of negative numbers; as [`exp`](Series::exp).
    ln => Expr::ln;
    /// Natural logarithms of one more than each number, exact near zero; as [`exp`](Series::exp).
    log1p => Expr::log1p;
    /// Logarithms to base 2; as [`exp`](Series::exp).
    log2 => Expr::log2;
    /// Logarithms to base 10; as [`exp`](Series::exp).
    log10 => Expr::log10;
    /// Square roots, correctly rounded; NaN of negative numbers.
    sqrt => Expr::sqrt;
    /// Cube roots; as [`exp`](Series::exp).
    cbrt => Expr::cbrt;
    /// Sines of angles in radians; as [`exp`](Series::exp).
    sin => Expr::sin;
    /// Cosines of angles in radians; as [`exp`](Series::exp).
    cos => Expr::cos;
    /// Tangents of angles in radians; as [`exp`](Series::exp).
    tan => Expr::tan;
    /// Angles in radians with these sines; as [`exp`](Series::exp).
    asin => Expr::asin;
    /// Angles in radians with these cosines; as [`exp`](Series::exp).
    acos => Expr::acos;
    /// Angles in radians with these tangents; as [`exp`](Series::exp).
    atan => Expr::atan;
    /// Hyperbolic sines; as [`exp`](Series::exp).
    sinh => Expr::sinh;
    /// Hyperbolic cosines; as [`exp`](Series::exp).
    cosh => Expr::cosh;
    /// Hyperbolic tangents; as [`exp`](Series::exp).
    tanh => Expr::tanh;
    /// Numbers with these hyperbolic sines; as [`exp`](Series::exp).
    asinh => Expr::asinh;
    /// Numbers with these hyperbolic cosines; as [`exp`](Series::exp).
    acosh => Expr::acosh;
    /// Numbers with these hyperbolic tangents; as [`exp`](Series::exp).
    atanh => Expr::atanh;
    /// Numbers rounded down to integers, in the same dtype.
    floor => Expr::floor;
    /// Numbers rounded up to integers, in the same dtype.
    ceil => Expr::ceil;
    /// Numbers rounded towards zero to integers, in the same dtype.
    trunc => Expr::trunc;
    /// −1, 0 or 1 by the sign of each number, in the same dtype; NaN for NaN.
    sign => Expr::sign;
    /// Integers with every bit inverted; booleans negated.
    bit_not => Expr::bit_not;
    /// Whether each number is NaN; null for null.
    is_nan => Expr::is_nan;
    /// Whether each number is neither NaN nor infinite; null for null.
    is_finite => Expr::is_finite;
    /// Whether each number is infinite; null for null.
    is_infinite => Expr::is_infinite;
}

macro_rules! of_two_operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl Series {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for incompatible dtypes, labels of another kind or number of levels, or when memory runs out.
            pub fn $name<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
                self.combine(stringify!($name), other.into(), $make)
            })*
        }
    };
}

of_two_operations! {
    /// Numbers to the power of others; null where either is null, and of integers for a negative exponent. See
    /// [`Expr::pow`] for dtypes.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([2_i64, 3])?;
    /// assert_eq!(n.pow(3)?.to_vec::<i64>()?, [8, 27]);
    /// assert_eq!(n.pow(0.5)?.round(4)?.to_vec::<f64>()?, [1.4142, 1.7321]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pow => Expr::pow;
    /// The angles in radians of the points whose ordinates are these numbers and whose abscissas are others; see [`Expr::atan2`].
    atan2 => Expr::atan2;
    /// The bits that both integers have; of booleans, the conjunction.
    bit_and => Expr::bit_and;
    /// The bits that either integer has; of booleans, the disjunction.
    bit_or => Expr::bit_or;
    /// The bits that one of both integers has; of booleans, whether they differ.
    bit_xor => Expr::bit_xor;
    /// Integers with their bits moved to higher places; see [`Expr::shift_left`].
    shift_left => Expr::shift_left;
    /// Integers with their bits moved to lower places; see [`Expr::shift_right`].
    shift_right => Expr::shift_right;
    /// Whether both are equal or both null; never null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([Some(2_i64), None])?;
    /// assert_eq!(n.eq_missing(&n)?.to_vec::<bool>()?, [true, true]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    eq_missing => Expr::eq_missing;
    /// Whether they differ, where null differs from every value and not from null; never null.
    ne_missing => Expr::ne_missing;
}

macro_rules! of_left_operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl Series {
            $($(#[$doc])*
            ///
            /// Labels and name are those of this series.
            ///
            /// # Errors
            /// [`Error::Operation`] for incompatible dtypes, labels of another kind or number of levels, or when memory runs out.
            pub fn $name<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
                self.combine_by(stringify!($name), other.into(), LabelJoin::Left, $make)
            })*
        }
    };
}

of_left_operations! {
    /// The values, or those of `other` where they are less; see [`Expr::clip`].
    clip_min => Expr::clip_min;
    /// The values, or those of `other` where they are greater; see [`Expr::clip`].
    clip_max => Expr::clip_max;
    /// The lesser of both in each row, of those that are not null.
    min_with => |a, b| min_horizontal([a, b]);
    /// The greater of both in each row, of those that are not null.
    max_with => |a, b| max_horizontal([a, b]);
}

impl Series {
    /// Logarithms to a base; see [`Expr::log`].
    ///
    /// # Errors
    /// [`Error::Operation`] for what is no number, and when memory runs out.
    pub fn log(&self, base: f64) -> Result<Series> {
        self.evaluated("log", |values| values.log(base))
    }

    /// Numbers, or the nearer bound where they are beyond one; see [`Expr::clip`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([Some(2_i64), None, Some(-7)])?;
    /// assert_eq!(n.clip(0, 9)?.to_options::<i64>()?, [Some(2), None, Some(0)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for bounds that do not go together with the values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.clip`.
    pub fn clip(&self, lower: impl Into<Expr>, upper: impl Into<Expr>) -> Result<Series> {
        self.evaluated("clip", |values| values.clip(lower, upper))
    }

    /// Whether each value is between two bounds, both included; null for null. See [`Expr::between`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([Some(2_i64), None, Some(-7)])?;
    /// assert_eq!(n.between(0, 2)?.to_options::<bool>()?, [Some(true), None, Some(false)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for bounds that do not go together with the values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.between`.
    pub fn between(&self, low: impl Into<Expr>, high: impl Into<Expr>) -> Result<Series> {
        self.evaluated("between", |values| values.between(low, high))
    }

    /// The values, or for one that is the first of a pair the second; see [`Expr::replace`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([Some(2_i64), None, Some(-7)])?;
    /// assert_eq!(n.replace([(2, 20), (-7, 0)])?.to_options::<i64>()?, [Some(20), None, Some(0)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for pairs that do not go together with the values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.replace`.
    pub fn replace<K: Into<Expr>, V: Into<Expr>>(
        &self,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Series> {
        self.evaluated("replace", |values| values.replace(pairs))
    }

    /// The second of the first pair whose first is the value, `default` for the rest; see [`Expr::replace_or`].
    ///
    /// # Errors
    /// [`Error::Operation`] for pairs that do not go together with the values, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.map`.
    pub fn replace_or<K: Into<Expr>, V: Into<Expr>>(
        &self,
        pairs: impl IntoIterator<Item = (K, V)>,
        default: impl Into<Expr>,
    ) -> Result<Series> {
        self.evaluated("replace_or", |values| values.replace_or(pairs, default))
    }

    /// The second of the first pair whose first is the value, where every value is one of these; null stays null. See
    /// [`Expr::replace_strict`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([Some(2_i64), None])?;
    /// assert_eq!(n.replace_strict([(2, "two")])?.to_options::<String>()?, [Some("two".to_owned()), None]);
    /// let error = n.replace_strict([(3, "three")]).unwrap_err().to_string();
    /// assert!(error.contains("row 0: 2 is none of the old values"), "{error}");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a value that no pair is of, with its row, for pairs that do not go together with the values, and
    /// when memory runs out.
    ///
    /// # Source
    /// Polars `Series.replace_strict`.
    pub fn replace_strict<K: Into<Expr>, V: Into<Expr>>(
        &self,
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Series> {
        self.evaluated("replace_strict", |values| values.replace_strict(pairs))
    }

    /// Numbers with each null between two valid ones replaced by the number on the line between these, by the position of the
    /// rows: `float64`, of `float32` and of times their own dtype. Nulls before the first and after the last number stay; see
    /// [`Expr::interpolate`].
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let n = Series::new([None, Some(2_i64), None, None, Some(8)])?;
    /// assert_eq!(n.interpolate()?.to_options::<f64>()?, [None, Some(2.0), Some(4.0), Some(6.0), Some(8.0)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for what is no number, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.interpolate(limit_area="inside")`, Polars `Series.interpolate`.
    pub fn interpolate(&self) -> Result<Series> {
        self.evaluated("interpolate", Expr::interpolate)
    }

    /// [`interpolate`](Self::interpolate) of at most `limit` nulls after each number.
    ///
    /// # Errors
    /// [`Error::Operation`] for what is no number, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.interpolate(limit=…, limit_area="inside")`.
    pub fn interpolate_limit(&self, limit: u64) -> Result<Series> {
        self.evaluated("interpolate_limit", |values| values.interpolate_limit(limit))
    }
}
