//! Magnitudes, rounding and checked arithmetic.

use columnade_ops::expression::Expr;

use super::{Series, SeriesOperand};
#[cfg(doc)]
use crate::ErrorKind;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;

impl Series {
    /// Element-wise sum, an error where an integer overflows ([`ErrorKind::Overflow`]); [`add`](Self::add) wraps around. Null
    /// where either operand is null, and such a row does not overflow.
    ///
    /// ```
    /// use columnade::{ErrorKind, Series};
    ///
    /// let n = Series::new([100_i8, 1])?;
    /// assert_eq!(n.add(100)?.to_vec::<i8>()?, [-56, 101]);
    /// assert_eq!(n.checked_add(100).unwrap_err().kind(), ErrorKind::Overflow);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for an overflow, for incompatible dtypes, labels of another kind or number of levels, or when memory runs out.
    pub fn checked_add<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.combine("checked_add", other.into(), Expr::checked_add)
    }

    /// Element-wise difference, checked as [`checked_add`](Self::checked_add).
    ///
    /// # Errors
    /// [`Error::Operation`] for an overflow, for incompatible dtypes, labels of another kind or number of levels, or
    /// when memory runs out.
    pub fn checked_sub<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.combine("checked_sub", other.into(), Expr::checked_sub)
    }

    /// Element-wise product, checked as [`checked_add`](Self::checked_add).
    ///
    /// # Errors
    /// [`Error::Operation`] for an overflow, for incompatible dtypes, labels of another kind or number of levels, or
    /// when memory runs out.
    pub fn checked_mul<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.combine("checked_mul", other.into(), Expr::checked_mul)
    }

    /// Element-wise quotient rounded down, null for a zero divisor, checked as [`checked_add`](Self::checked_add).
    ///
    /// # Errors
    /// [`Error::Operation`] for an overflow, for incompatible dtypes, labels of another kind or number of levels, or
    /// when memory runs out.
    pub fn checked_floor_div<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
        self.combine("checked_floor_div", other.into(), Expr::checked_floor_div)
    }

    /// Negatives, an error for the smallest integer or duration, checked as [`checked_add`](Self::checked_add).
    ///
    /// # Errors
    /// [`Error::Operation`] for an overflow, for a dtype that is neither a signed number nor a duration, and when memory runs
    /// out.
    pub fn checked_neg(&self) -> Result<Series> {
        self.evaluated("checked_neg", Expr::checked_neg)
    }

    /// Magnitudes, an error for the smallest integer or duration, checked as [`checked_add`](Self::checked_add).
    ///
    /// # Errors
    /// [`Error::Operation`] for an overflow, for a dtype that is neither a number nor a duration, and when memory runs out.
    pub fn checked_abs(&self) -> Result<Series> {
        self.evaluated("checked_abs", Expr::checked_abs)
    }

    /// Magnitudes, in the same dtype; null for null. That of the smallest integer wraps around to itself;
    /// [`checked_abs`](Self::checked_abs) does not. See [`Expr::abs`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype that is neither a number nor a duration, and when memory runs out.
    pub fn abs(&self) -> Result<Series> {
        self.evaluated("abs", Expr::abs)
    }

    /// Negatives, in the same dtype; null for null. That of the smallest integer wraps around to itself;
    /// [`checked_neg`](Self::checked_neg) does not.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype that is neither a signed number nor a duration, and when memory runs out.
    pub fn neg(&self) -> Result<Series> {
        self.evaluated("neg", Expr::neg)
    }

    /// Numbers rounded to `decimals` digits after the point, or with a negative number to tens, hundreds and so on; halves
    /// go to the even neighbour; null for null. See [`Expr::round`] for dtypes.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let x = Series::new([0.125, 2.5, -1.375])?;
    /// assert_eq!(x.round(2)?.to_vec::<f64>()?, [0.12, 2.5, -1.38]);
    /// assert_eq!(x.round(0)?.to_vec::<f64>()?, [0.0, 2.0, -1.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for what is no number, for an integer that does not fit after rounding, and when memory runs out.
    pub fn round(&self, decimals: i32) -> Result<Series> {
        self.evaluated("round", |values| values.round(decimals))
    }
}
