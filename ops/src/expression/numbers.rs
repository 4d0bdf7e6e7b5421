//! Methods of expressions over numbers: magnitudes, rounding, checked arithmetic; and values in place of nulls.

use super::{Arithmetic, Expr, Literal, Node, when};

impl Expr {
    fn checked(self, op: Arithmetic, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Checked(op, self, other.into()))
    }

    /// The sum, an error where an integer overflows; the dtype is that of `+`, which wraps around.
    ///
    /// Decimals are checked by `+` too; floats follow IEEE 754 and do not overflow. Null if either side is null.
    ///
    /// # Errors
    /// [`Error::Overflow`](columnade_columns::Error::Overflow) when evaluated, for a row that takes part: not a null one, not
    /// one that a filter drops, and of [`when`](super::when) only one that takes the branch.
    ///
    /// ```
    /// use columnade_buffers::Exec;
    /// use columnade_columns::{Column, ColumnAccessor};
    /// use columnade_ops::expression::{col, evaluate, when};
    ///
    /// let columns = ColumnAccessor::from_columns([("n", Column::from_vec(vec![100_i8, 1]))])?;
    /// let sum = |expr| evaluate(&[expr], &columns, &Exec::host());
    /// assert_eq!(sum(col("n") + 100)?[0].1.get(0)?, (-56_i8).into());
    /// assert!(sum(col("n").checked_add(100)).is_err());
    /// let small = when(col("n").lt(28)).then(col("n").checked_add(100)).otherwise(col("n"));
    /// assert_eq!(sum(small)?[0].1.to_scalars()?, [100_i8.into(), 101_i8.into()]);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// cudf/binaryop.hpp has none; Arrow's `add_checked`.
    pub fn checked_add(self, other: impl Into<Expr>) -> Expr {
        self.checked(Arithmetic::Add, other)
    }

    /// The difference, an error where an integer overflows; otherwise as [`checked_add`](Expr::checked_add).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").checked_sub(col("y")))?, "-3 <NA> 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `Overflow`, naming the column, for a row that takes part.
    pub fn checked_sub(self, other: impl Into<Expr>) -> Expr {
        self.checked(Arithmetic::Subtract, other)
    }

    /// The product, an error where an integer overflows; otherwise as [`checked_add`](Expr::checked_add).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").checked_mul(col("y")))?, "4 <NA> 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `Overflow`, naming the column, for a row that takes part.
    pub fn checked_mul(self, other: impl Into<Expr>) -> Expr {
        self.checked(Arithmetic::Multiply, other)
    }

    /// The quotient rounded down, null for a zero divisor; an error where the smallest integer is divided by −1. Otherwise as
    /// [`checked_add`](Expr::checked_add).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").checked_floor_div(2))?, "2 2 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `Overflow`, naming the column, for a row that takes part.
    pub fn checked_floor_div(self, other: impl Into<Expr>) -> Expr {
        self.checked(Arithmetic::FloorDivide, other)
    }

    /// The negative, an error for the smallest integer or duration; otherwise as [`neg`](Expr::neg), and checked as
    /// [`checked_add`](Expr::checked_add).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").checked_neg())?, "-1 <NA> -3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `Overflow`, naming the column, for a row that takes part; `UnsupportedDType` as of
    /// [`neg`](Expr::neg).
    pub fn checked_neg(self) -> Expr {
        Expr::new(Node::CheckedNegate(self))
    }

    /// The magnitude, an error for the smallest integer or duration; otherwise as [`abs`](Expr::abs), and checked as
    /// [`checked_add`](Expr::checked_add).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("x") - 2).checked_abs())?, "1 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `Overflow`, naming the column, for a row that takes part; `UnsupportedDType` as of
    /// [`abs`](Expr::abs).
    pub fn checked_abs(self) -> Expr {
        Expr::new(Node::CheckedAbs(self))
    }

    /// The magnitude, of a number or a duration, in the same dtype; null for null.
    ///
    /// That of the smallest integer wraps around to itself, as in NumPy; [`checked_abs`](Expr::checked_abs) does not. NaN stays.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("x") - 2).abs())?, "1 <NA> 1");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`](columnade_columns::Error::UnsupportedDType) for another dtype.
    ///
    /// # Source
    /// pandas `abs`.
    pub fn abs(self) -> Expr {
        Expr::new(Node::Abs(self))
    }

    /// The negative, of a signed number or a duration, in the same dtype, as `-x`; null for null. That of the smallest integer
    /// wraps around to itself; [`checked_neg`](Expr::checked_neg) does not.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").neg())?, "-1 <NA> -3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`](columnade_columns::Error::UnsupportedDType) for another dtype, unsigned integers among
    /// them.
    #[expect(clippy::should_implement_trait, reason = "the operator needs no import, and neither does this")]
    pub fn neg(self) -> Expr {
        Expr::new(Node::Negate(self))
    }

    /// The number rounded to `decimals` digits after the point, or with a negative number to tens, hundreds and so on; halves
    /// go to the even neighbour; null for null.
    ///
    /// Integers and floats keep their dtype. A decimal keeps its scale, and has one digit more if digits are
    /// dropped: `decimal(4,2)` becomes `decimal(5,2)`. A float is multiplied by the power of ten in `float64`, rounded and
    /// divided again, as in pandas; NaN and infinities stay.
    ///
    /// # Errors
    /// [`Error::Overflow`](columnade_columns::Error::Overflow) for an integer that does not fit after rounding, as
    /// [`checked_add`](Expr::checked_add); [`Error::UnsupportedDType`](columnade_columns::Error::UnsupportedDType) for what is
    /// no number.
    ///
    /// ```
    /// use columnade_buffers::Exec;
    /// use columnade_columns::{Column, ColumnAccessor};
    /// use columnade_ops::expression::{col, evaluate};
    ///
    /// let columns = ColumnAccessor::from_columns([("x", Column::from_vec(vec![0.125, -2.5, 1.375]))])?;
    /// let round = |decimals| evaluate(&[col("x").round(decimals)], &columns, &Exec::host());
    /// assert_eq!(round(2)?[0].1.to_scalars()?, [0.12.into(), (-2.5).into(), 1.38.into()]);
    /// assert_eq!(round(0)?[0].1.to_scalars()?, [0.0.into(), (-2.0).into(), 1.0.into()]);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `round`, cudf/round.hpp with `HALF_EVEN`.
    pub fn round(self, decimals: i32) -> Expr {
        Expr::new(Node::Round(self, decimals))
    }

    /// The value, or `value` where it is null: a literal, which takes the dtype of the column, or an expression of a dtype that
    /// goes together with it. Null where both are null. Keeps the label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").fill_null(0))?, "1 0 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`](columnade_columns::Error::DTypeMismatch) for dtypes that do not go together;
    /// [`Error::NotImplemented`](columnade_columns::Error::NotImplemented) for text.
    ///
    /// # Source
    /// pandas `fillna`, Polars `fill_null`, SQL `COALESCE`.
    pub fn fill_null(self, value: impl Into<Expr>) -> Expr {
        Expr::new(Node::FillNull(self, value.into()))
    }

    /// Numbers with `value` in place of NaN; null stays null. Keeps the label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") / col("y")).fill_nan(0))?, "1.0 1.0 0.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// Polars `Expr.fill_nan`.
    pub fn fill_nan(self, value: impl Into<Expr>) -> Expr {
        let label = self.label();
        when(self.clone().is_nan()).then(value).otherwise(self).alias(label)
    }

    /// Numbers with null in place of NaN. Keeps the label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show((col("y") / col("y")).nan_to_null())?, "1.0 1.0 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is no number.
    ///
    /// # Source
    /// cuDF `Series.nans_to_nulls`.
    pub fn nan_to_null(self) -> Expr {
        self.fill_nan(Literal::Null)
    }
}
